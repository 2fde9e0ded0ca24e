//! The plain generator against the definition of a legal play: every word of the
//! lexicon, from every square, in both directions, with every choice of blanks.

use crate::support::{own_rules, random_game, rules};
use cazique::board::{Axis, Square};
use cazique::lexicon::{Graph, Word, WordList};
use cazique::movegen::{ScoredTurn, plain};
use cazique::rules::{Placement, Position, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, TileSet};
use cazique::units::Points;
use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};

/// A board without premiums, boards with unusable squares, and asymmetric ones.
const BOARDS: [&str; 4] = [
    ".....\n.....\n.....\n.....\n.....\n",
    "=..'...\n.-#....\n.......\n.#.~...\n^......\n.......\n\"......\n",
    "1, 2\n..-...\n......\n##....\n....##\n..=...\n'.....\n",
    "=...=\n.-.-.\n..-..\n.-.-.\n=...=\n",
];

/// Few letters, so that words cross often; tiles of two characters; a letter that only
/// blanks can stand for.
const TILES: [&str; 4] = [
    "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\nC,c,4,3,0\nD,d,3,2,0\n",
    "A,a,12,1,1\nB,b,8,3,0\nC,c,6,2,0\n",
    "?,?,4,0,0\nA,a,8,1,1\nCH,ch,5,5,0\nD,d,8,2,0\nL·L,l·l,0,9,0\n",
    "?,?,1,0,0\nA,a,20,1,1\nB,b,20,1,0\n",
];

/// Random words of two to five letters.
fn words(tiles: &TileSet, seed: Seed) -> WordList {
    let mut chance = seed.generator();
    let letters: Vec<Letter> = tiles.letters().collect();
    let mut word = || {
        let len = chance.random_range(2..=5);
        let mut letter = |_| letters[chance.random_range(0..letters.len())];
        Word::new(&(0..len).map(&mut letter).collect::<Vec<_>>())
    };
    (0..80).filter_map(|_| word()).collect()
}

/// The tiles placed with their squares, and the points. A single tile that forms words
/// both ways is one entry.
type Plays = BTreeMap<Vec<(Square, Face)>, Points>;

/// The tiles of a placement with their squares, in order.
fn placed(position: &Position, placement: &Placement) -> Vec<(Square, Face)> {
    let tiles = placement.placed_tiles(position.grid().side());
    tiles.collect::<BTreeSet<_>>().into_iter().collect()
}

/// All legal plays, by trying everything.
fn by_definition(position: &Position, words: &WordList, graph: &Graph) -> Plays {
    let side = position.grid().side();
    let mut plays = Plays::new();
    let mirrored = position.grid().is_empty() && position.rules().board.is_mirrored();
    for axis in Axis::BOTH.into_iter().take(if mirrored { 1 } else { 2 }) {
        for start in position.rules().board.squares() {
            for word in words.iter() {
                let word: Vec<Letter> = word.letters().collect();
                for blanks in 0..1_u32 << word.len() {
                    let (lane, at) = start.lane(axis, side);
                    let cell = |(place, (&letter, square)): (usize, (&Letter, Square))| {
                        let is_blank = blanks >> place & 1 == 1;
                        match position.grid().get(square) {
                            Some(face) => (face.letter() == letter && !is_blank).then_some(None),
                            None if is_blank => Some(Some(Face::blank(letter))),
                            None => Some(Some(Face::natural(letter))),
                        }
                    };
                    let squares = word.iter().zip(lane.onwards(at)).enumerate();
                    let cells: Option<Vec<Option<Face>>> = squares.map(cell).collect();
                    let Some(cells) = cells.filter(|cells| cells.len() == word.len()) else {
                        continue;
                    };
                    let placement = Placement::new(start, axis, &cells).unwrap();
                    let Ok(score) = position.examine(&placement) else {
                        continue;
                    };
                    if score.words.iter().all(|word| graph.contains(&word.word())) {
                        plays.insert(placed(position, &placement), score.total());
                    }
                }
            }
        }
    }
    plays
}

#[test]
fn it_finds_every_legal_play_once() {
    let mut compared = 0;
    let mut found = 0;
    for unit in 0..48 {
        let seed = Seed(7).for_unit(unit);
        let mut chance = seed.generator();
        let (board, tiles) = (BOARDS[unit as usize % 4], TILES[chance.random_range(0..4)]);
        let (rack, first) = (chance.random_range(2..=5), chance.random_range(2..=3));
        let first = first.min(rack);
        let changes =
            format!("players = 2\nrack = {rack}\nfirst_word = {first}\nbonus = {rack}:50\n");
        let rules = own_rules(board, tiles, &changes);
        let words = words(&rules.tiles, seed);
        let graph = Graph::from_words(&words).unwrap();
        random_game(&rules, 2, &graph, seed, |game, _| {
            let position = game.position();
            let listed = plain::placements(position, &graph);
            let play = |scored: &ScoredTurn| match &scored.turn {
                Turn::Place(placement) => Some((placed(position, placement), scored.points)),
                _ => None,
            };
            let plays: Plays = listed.iter().filter_map(play).collect();
            assert_eq!(plays.len(), listed.len(), "a play is listed twice");
            assert_eq!(plays, by_definition(position, &words, &graph));
            compared += 1;
            found += plays.len();
        });
    }
    assert!(compared > 300 && found > 3_000, "{compared} {found}");
}

#[test]
fn every_exchange_is_listed_once_while_the_bag_allows_it() {
    let rules = rules("tournament");
    let mut position = Position::start(rules.clone(), 2).unwrap();
    let rack = rules.tiles.read_tiles("AABCD??").unwrap();
    position.set_rack(0, rack).unwrap();
    // 3 choices of A, 2 of each of B, C and D, 3 of blanks, less the empty one.
    assert_eq!(plain::exchanges(&position).count(), 3 * 8 * 3 - 1);
}
