//! The fast generator against the plain one, in random games under many rules.

use crate::support::{lexicon, own_rules, random_game, rules, variation};
use cazique::board::{Grid, Square};
use cazique::lexicon::{Graph, Word, WordList, WordMap};
use cazique::movegen::{Generator, OpeningPenalty, Play, RackLeaves, Words, plain};
use cazique::rules::{Embedded, Game, Library, PRESETS, Placement, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, Tile, TileCounts, TileSet};
use cazique::units::Equity;
use rand::RngExt;
use std::sync::Arc;

/// The fewest positions that each test compares: 300, or the value of the variable
/// CAZIQUE_FAST_POSITIONS.
fn min_positions() -> usize {
    let set = std::env::var("CAZIQUE_FAST_POSITIONS").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// An arbitrary leave value. Any function of the tiles serves.
fn leave_value(leave: &TileCounts) -> Equity {
    let mix = leave.iter().fold(17_i64, |sum, tile| {
        (sum * 31 + 7 * tile.number() as i64) % 40_009
    });
    Equity::from_millis((mix - 20_000) as i32 / 2)
}

/// The penalty for a vowel beside a premium square, in thousandths of a point. Arbitrary.
const VOWEL_PENALTY: i32 = 1_703;

/// The penalty for a first play, by definition: [`VOWEL_PENALTY`] for each vowel with
/// a premium square beside it across the play.
fn opening_penalty(game: &Game, placement: &Placement) -> Equity {
    let (grid, rules) = (game.position().grid(), game.position().rules());
    let side = grid.side();
    let is_premium = |square: Square| {
        let premium = rules.board.premium(square);
        premium.letter_factor() * premium.word_factor() > 1
    };
    let is_exposed = |(square, face): &(Square, Face)| {
        let (across, at) = square.lane(placement.axis().other(), side);
        let (before, after) = (across.backwards(at), across.onwards(at + 1));
        let mut beside = before.take(1).chain(after.take(1));
        rules.tiles.kind(face.letter().into()).vowel && beside.any(is_premium)
    };
    let vowels = placement.placed_tiles(side).filter(is_exposed).count() as i32;
    Equity::from_millis(VOWEL_PENALTY * vowels * i32::from(grid.is_empty()))
}

/// The plays that the plain generator finds, best first, with their equity.
fn by_plain(game: &Game, graph: &Graph) -> Vec<Play> {
    let position = game.position();
    let rack = position.mover_rack().known;
    let mut plays = Vec::new();
    for scored in plain::placements(position, graph) {
        if let Turn::Place(placement) = scored.turn {
            let (mut leave, points) = (rack, scored.points);
            leave.take_all(&placement.tiles()).unwrap();
            let worth = Equity::from(points) + leave_value(&leave);
            plays.push(Play {
                placement,
                points,
                equity: worth - opening_penalty(game, &placement),
            });
        }
    }
    plays.sort_by(|a, b| b.cmp(a));
    plays
}

/// Plays a random game and compares the generators in every position. Returns the
/// number of positions.
fn compare(rules: &Arc<RuleSet>, players: usize, words: Words, seed: Seed) -> usize {
    compare_and_watch(rules, players, words, seed, |_| {})
}

/// [`compare`], which also passes on the rack of each position.
fn compare_and_watch(
    rules: &Arc<RuleSet>,
    players: usize,
    words: Words,
    seed: Seed,
    mut watch: impl FnMut(&TileCounts),
) -> usize {
    let mut positions = 0;
    let plain_words = Words {
        map: None.into(),
        ..words
    };
    let start = Grid::new(rules.board.side());
    let mut fast = Generator::new(rules, words, &start);
    let mut by_graph = Generator::new(rules, plain_words, &start);
    random_game(rules, players, words.graph, seed, |game, turn| {
        let position = game.position();
        watch(&position.mover_rack().known);
        let opening = OpeningPenalty::new(rules, Equity::from_millis(VOWEL_PENALTY));
        let mut rack_leaves = RackLeaves::empty(Some(opening));
        rack_leaves.set(&position.mover_rack().known, leave_value);
        let expected = by_plain(game, words.graph);
        let mut all = Vec::new();
        fast.for_each_play(&rack_leaves, |play| all.push(play));
        all.sort_by(|a, b| b.cmp(a));
        assert_eq!(all, expected, "all");
        for generator in [&mut fast, &mut by_graph] {
            let best = generator.best(&rack_leaves);
            assert_eq!(best, expected.first().copied(), "best");
            for count in [1, 3, 20] {
                let top = generator.top(&rack_leaves, count);
                assert_eq!(top, expected[..count.min(expected.len())], "top {count}");
            }
        }
        let is_rebuilt = |fast: &mut Generator| fast.equals_rebuilt(rules, position.grid());
        assert!(is_rebuilt(&mut fast), "incremental update");
        if let Turn::Place(placement) = turn {
            // Play, take back and play again, with and without preparing in between.
            let mut change = fast.play(placement);
            if positions % 2 == 0 {
                fast.prepare();
            }
            fast.toggle(&mut change);
            assert!(is_rebuilt(&mut fast), "after taking back");
            fast.toggle(&mut change);
            if positions % 3 == 0 {
                fast.take_back(change);
                assert!(is_rebuilt(&mut fast), "after taking back");
                fast.play_permanently(placement);
            }
            by_graph.play_permanently(placement);
        }
        positions += 1;
    });
    positions
}

#[test]
fn it_finds_what_the_plain_generator_finds_under_every_preset() {
    for (kind, preset) in PRESETS.iter().enumerate() {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, rules.board.side().into()).unwrap();
        let words = Words::new(graph, Some(&map));
        let (mut positions, mut unit) = (0, 0);
        while positions < min_positions() / PRESETS.len() {
            positions += compare(&rules, 2, words, Seed(kind as u64).for_unit(unit));
            unit += 1;
        }
    }
}

#[test]
fn it_finds_what_the_plain_generator_finds_with_racks_of_eight_and_nine() {
    let bonus = [(8, "7:50 8:50"), (9, "7:50 8:80 9:120")];
    for (kind, preset) in ["deluxe", "super"].into_iter().enumerate() {
        for (rack, bonus) in bonus {
            let rules = variation(preset, &format!("rack = {rack}\nbonus = {bonus}\n"));
            let graph = lexicon(&rules.tiles).graph();
            let map = WordMap::new(graph, rules.board.side().into()).unwrap();
            let words = Words::new(graph, Some(&map));
            // Full racks without a blank, with one and with more.
            let mut full_racks = [0; 3];
            let (mut positions, mut unit) = (0, 0);
            while positions < min_positions() / 12 || full_racks.contains(&0) {
                let seed = Seed(10 * rack + kind as u64).for_unit(unit);
                positions += compare_and_watch(&rules, 2, words, seed, |held| {
                    if held.len() as u64 == rack {
                        full_racks[usize::from(held.count(Tile::BLANK)).min(2)] += 1;
                    }
                });
                unit += 1;
            }
        }
    }
}

/// A random board with all kinds of premium and unusable squares.
fn board(chance: &mut impl rand::Rng) -> String {
    let side = chance.random_range(5..=21);
    // Sometimes a board of word premiums only: their product exceeds 16 bits.
    if chance.random_range(0..10) == 0 {
        return ("~".repeat(side) + "\n").repeat(side);
    }
    let mut rows = vec![vec![' '; side]; side];
    for cell in rows.iter_mut().flatten() {
        *cell = match chance.random_range(0..40) {
            0..=2 => '\'',
            3 | 4 => '"',
            5 => '^',
            6..=8 => '-',
            9 => '=',
            10 => '~',
            11 => '#',
            _ => ' ',
        };
    }
    rows[side / 2][side / 2] = '-';
    rows.iter()
        .map(|row| row.iter().collect::<String>() + "\n")
        .collect()
}

/// Random words over six letters, so that many plays fit and boards fill up.
fn small_words(tiles: &TileSet, chance: &mut impl rand::Rng) -> WordList {
    let letters: Vec<Letter> = tiles.letters().collect();
    let word = |_| {
        let len = chance.random_range(2..=9);
        let word: Vec<Letter> = (0..len)
            .map(|_| letters[chance.random_range(0..6) * 4])
            .collect();
        Word::new(&word)
    };
    (0..3_000).filter_map(word).collect()
}

/// Rules with a random board and rack, and words for them.
pub fn any_game(seed: Seed) -> (Arc<RuleSet>, Graph) {
    let mut chance = seed.generator();
    let rack = chance.random_range(2..=9);
    // With many blanks and a large rack the plain generator takes minutes.
    let blanks = chance.random_range(0..=if rack > 7 { 1 } else { 4 });
    let english = Embedded.tiles("english").unwrap().to_csv();
    let tiles = english.replacen("?,?,2", &format!("?,?,{blanks}"), 1);
    let board = board(&mut chance);
    let first_word = chance.random_range(2..=rack.min(4));
    let bonus = format!("{rack}:50 {}:20", rack - 1);
    let changes =
        format!("rack = {rack}\nbonus = {bonus}\nfirst_word = {first_word}\nzero_turns = 4\n");
    let rules = own_rules(&board, &tiles, &changes);
    let graph = Graph::from_words(&small_words(&rules.tiles, &mut chance)).unwrap();
    (rules, graph)
}

#[test]
fn it_finds_what_the_plain_generator_finds_on_any_board_with_any_rack() {
    let (mut positions, mut unit) = (0, 0);
    while positions < min_positions() {
        let seed = Seed(99).for_unit(unit);
        unit += 1;
        let (rules, graph) = any_game(seed);
        let map = WordMap::new(&graph, rules.board.side().into());
        let words = Words::new(&graph, map.as_ref());
        positions += compare(&rules, 2, words, seed);
    }
}
