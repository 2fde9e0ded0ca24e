//! Placements from a pool of tiles against those of single racks.

use crate::support::{lexicon, random_game, rules};
use cazique::movegen::{Generator, MultisetNumbering, RackLeaves, Words};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};
use cazique::units::{Equity, Points};
use std::cell::RefCell;
use std::collections::HashMap;

/// Numbers multisets in the order in which they come.
struct Numbers(RefCell<Vec<TileCounts>>);

impl MultisetNumbering for &Numbers {
    fn with_tile(&self, number: u32, tile: Tile) -> u32 {
        let mut known = self.0.borrow_mut();
        let mut bunch = known[number as usize];
        bunch.add(tile);
        known.push(bunch);
        known.len() as u32 - 1
    }
}

/// The best score of each multiset of tiles.
type BestScores = HashMap<TileCounts, Points>;

fn from_pool(generator: &Generator, pool: &TileCounts) -> BestScores {
    let numbers = Numbers(RefCell::new(vec![TileCounts::EMPTY]));
    let mut scores = BestScores::new();
    generator.pool_placements(pool, &numbers, |number, points| {
        let mut known = numbers.0.borrow_mut();
        let best = scores.entry(known[number as usize]).or_insert(points);
        *best = points.max(*best);
        // Forget the multisets that led to this one.
        known.truncate(number as usize + 1);
    });
    scores
}

/// The same for a rack, by the GADDAG traversal of a rack.
fn from_rack(generator: &Generator, rack: &TileCounts) -> BestScores {
    let mut scores = BestScores::new();
    let rack_leaves = RackLeaves::new(rack, |_| Equity::ZERO);
    generator.for_each_play(&rack_leaves, |play| {
        let best = scores.entry(play.placement.tiles()).or_insert(play.points);
        *best = play.points.max(*best);
    });
    scores
}

#[test]
fn a_pool_can_place_what_each_of_its_racks_can() {
    for (kind, preset) in ["tournament", "super"].into_iter().enumerate() {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let words = Words::new(graph, None);
        let mut chance = Seed(kind as u64).generator();
        let mut turn = 0;
        random_game(&rules, 2, graph, Seed(40 + kind as u64), |game, _| {
            turn += 1;
            if turn % 4 != 0 {
                return;
            }
            let position = game.position();
            let generator = Generator::new(&rules, words, position.grid());
            // A pool of a dozen tiles with two blanks.
            let mut unseen = *position.unseen();
            let mut pool = unseen.draw(10, &mut chance);
            pool.extend([Tile::BLANK; 2]);
            let scores = from_pool(&generator, &pool);
            let mut seen = BestScores::new();
            for _ in 0..12 {
                let mut tiles = pool;
                let rack = tiles.draw(rules.rack_size, &mut chance);
                let expected = from_rack(&generator, &rack);
                for part in rack.nonempty_subsets() {
                    assert_eq!(scores.get(&part), expected.get(&part), "{part:?}");
                }
                seen.extend(expected);
            }
            assert!(scores.len() >= seen.len());
            assert!(scores.keys().all(|tiles| tiles.len() <= rules.rack_size));
        });
        assert!(turn > 10);
    }
}
