//! The plain generator against the definition of a legal play: every word of the
//! lexicon, from every square, in both directions, with every choice of blanks.

use crate::support::random_game;
use cazique::board::{Axis, Layout, Square};
use cazique::lexicon::{Graph, Word, WordList};
use cazique::movegen::plain;
use cazique::rules::{Library, Placement, Position, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, TileSet};
use cazique::units::Points;
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A board without premiums, boards with unusable squares, and asymmetric ones.
const BOARDS: [&str; 4] = [
    "\n\n\n\n\n",
    "=  '\n -#\n\n # ~\n^\n\n\"\n",
    "1, 2\n  -\n\n##\n    ##\n  =\n' \n",
    "=   =\n - - \n  - \n - -\n=   =\n",
];

/// Few letters, so that words cross often; tiles of two characters; a letter that only
/// blanks can stand for.
const TILES: [&str; 4] = [
    "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\nC,c,4,3,0\nD,d,3,2,0\n",
    "A,a,12,1,1\nB,b,8,3,0\nC,c,6,2,0\n",
    "?,?,4,0,0\nA,a,8,1,1\nCH,ch,5,5,0\nD,d,8,2,0\nL·L,l·l,0,9,0\n",
    "?,?,1,0,0\nA,a,20,1,1\nB,b,20,1,0\n",
];

/// A rule library with one board and one tile set.
struct CustomLibrary<'a> {
    board: &'a str,
    tiles: &'a str,
}

impl Library for CustomLibrary<'_> {
    fn board(&self, name: &str) -> Result<Arc<Layout>, String> {
        Layout::parse(name, self.board)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }
    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String> {
        TileSet::parse(name, self.tiles)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }
}

/// Random words of two to five letters.
fn words(tiles: &TileSet, seed: Seed) -> WordList {
    let mut chance = seed.generator();
    let letters: Vec<Letter> = tiles.letters().collect();
    (0..80)
        .filter_map(|_| {
            let len = chance.random_range(2..=5);
            let word: Vec<Letter> = (0..len)
                .map(|_| letters[chance.random_range(0..letters.len())])
                .collect();
            Word::new(&word)
        })
        .collect()
}

/// The tiles placed with their squares, and the points. A single tile that forms words
/// both ways is one entry.
type Plays = BTreeMap<Vec<(Square, Face)>, Points>;

/// All legal plays, by trying everything.
fn by_definition(position: &Position, words: &WordList, graph: &Graph) -> Plays {
    let side = position.grid().side();
    let mut plays = Plays::new();
    let mirrored = position.grid().is_empty() && position.rules().board.is_mirrored();
    for axis in if mirrored {
        vec![Axis::Across]
    } else {
        Axis::BOTH.to_vec()
    } {
        for start in position.rules().board.squares() {
            for word in words.iter() {
                let word: Vec<Letter> = word.letters().collect();
                for blanks in 0..1_u32 << word.len() {
                    let (lane, at) = start.lane(axis, side);
                    let cell =
                        |(place, (letter, square)): (usize, (&Letter, Square))| match position
                            .grid()
                            .get(square)
                        {
                            Some(face) => (face.letter() == *letter && blanks >> place & 1 == 0)
                                .then_some(None),
                            None if blanks >> place & 1 == 1 => Some(Some(Face::blank(*letter))),
                            None => Some(Some(Face::natural(*letter))),
                        };
                    let cells: Option<Vec<Option<Face>>> = word
                        .iter()
                        .zip(lane.onwards(at))
                        .enumerate()
                        .map(cell)
                        .collect();
                    let Some(cells) = cells.filter(|cells| cells.len() == word.len()) else {
                        continue;
                    };
                    let placement = Placement::new(start, axis, &cells).unwrap();
                    let Ok(score) = position.examine(&placement) else {
                        continue;
                    };
                    if score.words.iter().all(|word| graph.contains(&word.word())) {
                        let mut placed: Vec<(Square, Face)> =
                            placement.placed_tiles(side).collect();
                        placed.sort();
                        plays.insert(placed, score.total());
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
        let library = CustomLibrary {
            board: BOARDS[unit as usize % 4],
            tiles: TILES[chance.random_range(0..4)],
        };
        let (rack, first) = (chance.random_range(2..=5), chance.random_range(2..=3));
        let file = format!(
            "base = deluxe\nboard = own\ntiles = own\nplayers = 2\nrack = {rack}\nfirst_word = {}\nbonus = {rack}:50\n",
            first.min(rack)
        );
        let rules = Arc::new(RuleSet::parse("small", &file, &library).unwrap());
        let words = words(&rules.tiles, seed);
        let graph = Graph::from_words(&words).unwrap();
        random_game(&rules, 2, &graph, seed, |game, _| {
            let position = game.position();
            let listed = plain::placements(position, &graph);
            let plays: Plays = listed
                .iter()
                .filter_map(|scored| match &scored.turn {
                    Turn::Place(placement) => {
                        let mut placed: Vec<_> =
                            placement.placed_tiles(position.grid().side()).collect();
                        placed.sort();
                        Some((placed, scored.points))
                    }
                    _ => None,
                })
                .collect();
            assert_eq!(plays.len(), listed.len(), "a play is listed twice");
            assert_eq!(plays, by_definition(position, &words, &graph));
            compared += 1;
            found += plays.len();
        });
    }
    assert!(
        compared > 300 && found > 3_000,
        "{compared} positions, {found} plays"
    );
}

#[test]
fn every_exchange_is_listed_once_while_the_bag_allows_it() {
    let rules = crate::support::rules("tournament");
    let mut position = Position::start(rules.clone(), 2).unwrap();
    position
        .set_rack(0, rules.tiles.read_tiles("AABCD??").unwrap())
        .unwrap();
    // 3 choices of A, 2 of each of B, C and D, 3 of blanks, less the empty one.
    assert_eq!(plain::exchanges(&position).count(), 3 * 8 * 3 - 1);
}
