//! The words that can still be formed: against their definition, and in games.

use crate::endgame::{late_board, small_graph};
use crate::fast::any_game;
use crate::support::{lexicon, random_game, rules};
use cazique::board::{Grid, Square};
use cazique::lexicon::{Graph, Word};
use cazique::movegen::{LaneGenerator, LanePlay, possible_words};
use cazique::rules::RuleSet;
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, Tile, TileCounts};
use rand::RngExt;

/// The squares of every lane: `None` if unusable, else the letter of its tile, if any.
fn lanes(rules: &RuleSet, grid: &Grid) -> Vec<Vec<Option<Option<Letter>>>> {
    let side = grid.side();
    let content = |row: u8, column: u8| {
        let square = Square::new(row, column, side);
        let usable = rules.board.is_usable(square);
        usable.then(|| grid.get(square).map(Face::letter))
    };
    let across = (0..side).map(|lane| (0..side).map(|at| content(lane, at)).collect());
    let down = (0..side).map(|lane| (0..side).map(|at| content(at, lane)).collect());
    across.chain(down).collect()
}

/// The definition: whether a word can lie in a lane, made of the tiles that lie there
/// and of any number of tiles of the pool. Words that lie there already count.
fn fits(word: Word, lane: &[Option<Option<Letter>>], pool: &TileCounts) -> bool {
    let letters: Vec<Letter> = word.letters().collect();
    let is_tile = |at: usize| matches!(lane.get(at), Some(Some(Some(_))));
    let fits_at = |first: usize| {
        let end = first + letters.len();
        if end > lane.len() || is_tile(end) || first > 0 && is_tile(first - 1) {
            return false;
        }
        let mut pool = *pool;
        let mut squares = lane[first..end].iter().zip(&letters);
        squares.all(|(square, letter)| match square {
            None => false,
            Some(Some(own)) => own == letter,
            Some(None) => pool.take(Tile::from(*letter)) || pool.take(Tile::BLANK),
        })
    };
    (0..lane.len()).any(fits_at)
}

/// Compares the words found with those of the definition. Returns their number.
fn check_words(rules: &RuleSet, graph: &Graph, grid: &Grid, pool: &TileCounts) -> usize {
    let found = possible_words(rules, graph, grid, pool, &|| true).expect("few words");
    let lanes = lanes(rules, grid);
    let fits = |word: &Word| lanes.iter().any(|lane| fits(*word, lane, pool));
    let expected: Vec<Word> = graph.words().filter(fits).collect();
    let found: Vec<Word> = found.words().collect();
    assert_eq!(found, expected, "{grid:?} {pool:?}");
    found.len()
}

#[test]
fn the_words_found_are_those_of_the_definition() {
    for preset in ["tournament", "super"] {
        let rules = rules(preset);
        let mut counts = Vec::new();
        for seed in 0..12 {
            let (grid, mut left) = late_board(&rules, Seed(seed));
            let pool = left.draw(2 + seed as usize, &mut Seed(seed).generator());
            counts.push(check_words(&rules, small_graph(&rules.tiles), &grid, &pool));
        }
        // The counts vary: neither all words nor none.
        assert!(counts.iter().max() > Some(&500) && counts.iter().min() < Some(&300));
    }
}

#[test]
fn the_words_found_are_those_of_the_definition_on_any_board() {
    for unit in 0..40 {
        let seed = Seed(7).for_unit(unit);
        let (rules, graph) = any_game(seed);
        let mut chance = seed.for_unit(1).generator();
        random_game(&rules, 2, &graph, seed, |game, _| {
            let position = game.position();
            let tiles = chance.random_range(1..10);
            let pool = position.unseen().clone().draw(tiles, &mut chance);
            check_words(&rules, &graph, position.grid(), &pool);
        });
    }
}

/// With the smaller graph, all plays until the end of the game are the same.
#[test]
fn fewer_words_change_no_play() {
    let mut compared = 0;
    for (preset, seeds) in [("tournament", 0..30), ("super", 30..40)] {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        for seed in seeds {
            let (grid, mut left) = late_board(&rules, Seed(seed));
            let mut chance = Seed(seed).generator();
            let racks = [0, 1].map(|_| left.draw(7, &mut chance));
            let mut pool = left.draw(seed as usize % 3, &mut chance);
            racks.iter().for_each(|rack| pool.add_all(rack));
            let Some(fewer) = possible_words(&rules, graph, &grid, &pool, &|| true) else {
                continue;
            };
            compared += 1;
            assert!(fewer.node_count() < graph.node_count() / 4);
            let mut both =
                [graph, &fewer].map(|graph| LaneGenerator::new(&rules, graph, &grid, &racks));
            let mut held = racks.map(|_| 0);
            (0..2).for_each(|seat| held[seat] = both[0].full_rack(seat));
            for turn in 0..20 {
                let seat = turn % 2;
                let [plays, others] = both.each_mut().map(|lanes| {
                    let mut plays = Vec::new();
                    lanes.update(seat, held[seat]);
                    lanes.for_each_play(seat, held[seat], |_, play| plays.push(*play));
                    plays
                });
                let name = |play: &LanePlay| (play.key, play.points);
                assert!(plays.iter().map(name).eq(others.iter().map(name)));
                if !plays.is_empty() {
                    let play = plays[chance.random_range(0..plays.len())];
                    held[seat] = both[0].remaining(seat, held[seat], play.used);
                    both.iter_mut().for_each(|lanes| lanes.play(&play));
                }
            }
        }
    }
    // With two blanks the search can give up.
    assert!(compared > 20, "{compared}");
}
