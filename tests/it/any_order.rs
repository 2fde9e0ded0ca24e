//! Words whose letters may stand in any order: generation against its plain twin, rulings, whole
//! games, and the solvers that do not carry over.

use crate::support::{lexicon, rules, variation};
use cazique::lexicon::{Lexicon, WordMap};
use cazique::movegen::{Generator, OpeningPenalty, Play, RackLeaves, Words, plain};
use cazique::rules::{Position, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};
use cazique::units::Equity;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// The positions that the generators are compared in: 60, or the value of the variable
/// CAZIQUE_ANY_ORDER_POSITIONS.
fn min_positions() -> usize {
    let set = std::env::var("CAZIQUE_ANY_ORDER_POSITIONS").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(60)
}

/// The most tiles on a rack without a blank, with one and with two: the plain generator tries
/// every order of the tiles with every letter for each blank.
const MAX_TILES_BY_BLANKS: [usize; 3] = [7, 5, 4];

/// The embedded words in any letter order.
fn any_order() -> &'static (Lexicon, WordMap) {
    static LEXICON: OnceLock<(Lexicon, WordMap)> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let words = lexicon(&rules("wordsmog").tiles).clone();
        let lexicon = words.in_any_order().expect("few words");
        let map = WordMap::new(lexicon.graph(), 21).expect("no word has 16 of a letter");
        (lexicon, map)
    })
}

/// The rules on the big board too.
fn boards() -> [Arc<RuleSet>; 2] {
    let big = "board = standard21\ntiles = english_super\nletter_order = any";
    [rules("wordsmog"), variation("super", big)]
}

/// An arbitrary leave value. Few different ones, so that many plays are equal.
fn leave_value(leave: &TileCounts) -> Equity {
    let sum: usize = leave.iter().map(Tile::number).sum();
    Equity::from_millis((sum % 5) as i32 * 700 - 1_400)
}

/// A random rack of unseen tiles, with at most two blanks and small enough for the plain generator.
fn random_rack(position: &Position, chance: &mut impl rand::Rng) -> TileCounts {
    let mut tiles: Vec<Tile> = position.unseen().iter().collect();
    tiles.shuffle(chance);
    // Blanks are rare: without this few racks had one.
    let blanks = match chance.random_range(0..4) {
        0 => 1,
        1 => 2,
        _ => 0,
    };
    tiles.sort_by_key(|tile| *tile != Tile::BLANK);
    let held = tiles
        .iter()
        .take_while(|tile| **tile == Tile::BLANK)
        .count();
    let blanks = blanks.min(held);
    let letters = &mut tiles[held..];
    letters.shuffle(chance);
    let most = MAX_TILES_BY_BLANKS[blanks];
    let len = chance
        .random_range(1..=most)
        .max(chance.random_range(1..=most));
    let blanks = std::iter::repeat_n(Tile::BLANK, blanks);
    blanks.chain(letters.iter().copied()).take(len).collect()
}

/// Compares all generators in one position, and returns the plays.
fn compare(position: &Position, generators: &mut [Generator; 2]) -> Vec<Play> {
    let (words, _) = any_order();
    let rules = position.rules();
    let rack = position.mover_rack().known;
    let opening = OpeningPenalty::new(rules, Equity::from_millis(1_703));
    let mut rack_leaves = RackLeaves::empty(Some(opening));
    rack_leaves.set(&rack, leave_value);
    let mut all = Vec::new();
    generators[0].for_each_play(&rack_leaves, |play| all.push(play));
    let found: HashSet<_> = all
        .iter()
        .map(|play| (play.placement, play.points))
        .collect();
    assert_eq!(found.len(), all.len(), "a play was found twice");
    let plain = plain::placements(position, words.graph()).into_iter();
    let expected: HashSet<_> = plain
        .filter_map(|scored| match scored.turn {
            Turn::Place(placement) => Some((placement, scored.points)),
            _ => None,
        })
        .collect();
    assert!(
        found == expected,
        "{} plays, {} by the plain twin",
        found.len(),
        expected.len()
    );
    all.sort_by(|a, b| b.cmp(a));
    for generator in generators {
        assert_eq!(generator.best(&rack_leaves), all.first().copied(), "best");
        for count in [1, 3, 20, 200] {
            let top = generator.top(&rack_leaves, count);
            assert!(top == all[..count.min(all.len())], "top {count}");
        }
        assert!(
            generator.equals_rebuilt(rules, position.grid()),
            "incremental update"
        );
    }
    all
}

#[test]
fn generation_finds_what_its_plain_twin_finds() {
    let (words, map) = any_order();
    for (kind, rules) in boards().into_iter().enumerate() {
        let (mut positions, mut unit) = (0, 0);
        while positions < min_positions() / 2 {
            let mut chance = Seed(40 + kind as u64).for_unit(unit).generator();
            unit += 1;
            let mut position = Position::start(rules.clone(), 2).expect("two players");
            let new = |map| Generator::new(&rules, Words::new(words.graph(), map), position.grid());
            let mut generators = [new(Some(map)), new(None)];
            while position.end().is_none() && position.bag_len() > 7 {
                let rack = random_rack(&position, &mut chance);
                position
                    .set_known_tiles(position.to_move(), rack)
                    .expect("unseen tiles");
                let plays = compare(&position, &mut generators);
                positions += 1;
                let Some(play) = plays.get(chance.random_range(0..plays.len().max(1))) else {
                    break;
                };
                for generator in &mut generators {
                    let delta = generator.play(&play.placement);
                    generator.take_back(delta);
                    generator.play_permanently(&play.placement);
                }
                position
                    .play(&Turn::Place(play.placement))
                    .expect("a legal play");
            }
        }
    }
}
