//! The plain generator: slow, simple, and the definition of correctness for the
//! fast generators.
//!
//! A placement forms a word along a lane. So for each lane and each square where
//! a word can start, this module tries every word that the tiles on the board
//! and the rack can spell from there, by traversal of the DAWG, and asks the
//! rules whether the placement is legal. It uses no anchors and no stored
//! cross-checks. Where the letters of a word may stand in any order, it tries
//! every order of the tiles instead.
//!
//! A position and a word graph come in; turns with their points go out. Tests
//! and the plain twins of the searches call it.
//!
//! One convention: on an empty board that is symmetric about its main diagonal,
//! plays down mirror plays across, and only those across are listed.

use super::ScoredTurn;
use crate::board::{Axis, Lane, Square};
use crate::lexicon::{Graph, NodeList};
use crate::rules::{Placement, Position, Turn};
use crate::tiles::{Face, Letter, Tile, TileCounts};
use crate::units::Points;

/// Every placement that the player to move can make with the known tiles and
/// that forms only words, each once.
pub fn placements(position: &Position, graph: &Graph) -> Vec<ScoredTurn> {
    let side = position.grid().side();
    let mut found = Vec::new();
    for &axis in axes(position) {
        for lane in (0..side).map(|index| Lane::new(axis, index, side)) {
            for start in (0..side).filter(|&start| can_start(position, lane, start)) {
                let (hand, cells) = (position.mover_rack().known, Vec::new());
                let mut traversal = DawgTraversal {
                    position,
                    graph,
                    axis,
                    lane,
                    start,
                    hand,
                    cells,
                    found: &mut found,
                };
                match graph.is_alphagrams() {
                    false => traversal.extend(graph.dawg_root(), false),
                    true => traversal.extend_in_any_order(),
                }
            }
        }
    }
    found
}

/// Every exchange of known tiles that the rules allow, each once.
pub fn exchanges(position: &Position) -> impl Iterator<Item = Turn> {
    let parts = position.mover_rack().known.nonempty_subsets().into_iter();
    parts
        .filter(|part| position.check_exchange(part.len()).is_ok())
        .map(Turn::Exchange)
}

/// Every turn: placements, exchanges, and the pass.
pub fn turns(position: &Position, graph: &Graph) -> Vec<ScoredTurn> {
    let scoreless = exchanges(position).chain([Turn::Pass]);
    let mut turns = placements(position, graph);
    turns.extend(scoreless.map(|turn| ScoredTurn {
        turn,
        points: Points::ZERO,
    }));
    turns
}

/// The directions to search.
fn axes(position: &Position) -> &'static [Axis] {
    match position.grid().is_empty() && position.rules().board.is_mirrored() {
        true => &[Axis::Across],
        false => &Axis::BOTH,
    }
}

/// Whether a word can start here: no tile lies just before, and the rack has
/// enough tiles to reach a tile, a square beside one, or the start square.
fn can_start(position: &Position, lane: Lane, start: u8) -> bool {
    let (grid, board) = (position.grid(), &position.rules().board);
    let occupied = |square: Square| grid.get(square).is_some();
    if start
        .checked_sub(1)
        .and_then(|before| lane.get(before))
        .is_some_and(occupied)
    {
        return false;
    }
    let usable = lane
        .onwards(start)
        .take_while(|&square| board.is_usable(square));
    let within_reach = usable.take(position.mover_rack().known.len());
    let first_play = grid.is_empty();
    within_reach.into_iter().any(|square| {
        occupied(square) || grid.has_neighbour(square) || (first_play && square == board.start())
    })
}

/// The traversal of the DAWG from one starting square.
struct DawgTraversal<'a> {
    position: &'a Position,
    graph: &'a Graph,
    axis: Axis,
    lane: Lane,
    start: u8,
    /// The tiles not placed yet.
    hand: TileCounts,
    /// The word so far: the tile placed on each square, `None` where one lies on
    /// the board.
    cells: Vec<Option<Face>>,
    found: &'a mut Vec<ScoredTurn>,
}

impl DawgTraversal<'_> {
    /// Extends the word so far. `list` has the letters that can follow; `is_word`
    /// says whether the letters so far are a word.
    fn extend(&mut self, list: NodeList, is_word: bool) {
        let next = self.lane.get(self.start + self.cells.len() as u8);
        let next = next.filter(|&square| self.position.rules().board.is_usable(square));
        match next.map(|square| (square, self.position.grid().get(square))) {
            Some((_, Some(face))) => self.step(list, face.letter(), None),
            beyond => {
                if is_word {
                    self.record();
                }
                if let Some((square, None)) = beyond {
                    self.place(list, square);
                }
            }
        }
    }

    /// Tries every tile on an empty square.
    fn place(&mut self, list: NodeList, square: Square) {
        for letter in self.graph.siblings(list).filter_map(|node| node.letter()) {
            if !self.fits_across(square, letter) {
                continue;
            }
            for face in [Face::natural(letter), Face::blank(letter)] {
                if self.hand.take(face.tile()) {
                    self.step(list, letter, Some(face));
                    self.hand.add(face.tile());
                }
            }
        }
    }

    /// [`DawgTraversal::extend`] where letters may stand in any order: tries every order of the
    /// tiles, and asks about the word whenever it may end.
    fn extend_in_any_order(&mut self) {
        let (grid, rules) = (self.position.grid(), self.position.rules());
        let next = self.lane.get(self.start + self.cells.len() as u8);
        let next = next.filter(|&square| rules.board.is_usable(square));
        if next.is_some_and(|square| grid.get(square).is_some()) {
            self.cells.push(None);
            self.extend_in_any_order();
            self.cells.pop();
            return;
        }
        let squares = self.lane.onwards(self.start).zip(&self.cells);
        let faces = squares.filter_map(|(square, cell)| cell.or(grid.get(square)));
        let word: Vec<Letter> = faces.map(Face::letter).collect();
        if self.graph.contains(&word) {
            self.record();
        }
        let Some(square) = next else {
            return;
        };
        for letter in rules.tiles.letters() {
            for face in [Face::natural(letter), Face::blank(letter)] {
                if self.hand.take(face.tile()) {
                    if self.fits_across(square, letter) {
                        self.cells.push(Some(face));
                        self.extend_in_any_order();
                        self.cells.pop();
                    }
                    self.hand.add(face.tile());
                }
            }
        }
    }

    /// Adds a letter and extends the word.
    fn step(&mut self, list: NodeList, letter: Letter, cell: Option<Face>) {
        if let Some(node) = self.graph.child(list, Tile::from(letter).number() as u8) {
            self.cells.push(cell);
            self.extend(node.arc(), node.accepts());
            self.cells.pop();
        }
    }

    /// Whether the letter forms a word across the lane, or has no neighbour there.
    fn fits_across(&self, square: Square, letter: Letter) -> bool {
        let run = self.position.grid().run(square, self.axis.other());
        let word: Vec<Letter> = run
            .iter()
            .map(|(_, face)| face.map_or(letter, Face::letter))
            .collect();
        word.len() == 1 || self.graph.contains(&word)
    }

    /// Lists the placement if the rules allow it.
    fn record(&mut self) {
        let grid = self.position.grid();
        let start = self.lane.get(self.start);
        let placement = start.and_then(|start| Placement::new(start, self.axis, &self.cells));
        // A single tile can be found in both directions; only one of them counts.
        let Some(placement) = placement.filter(|placement| placement.canonical(grid) == *placement)
        else {
            return;
        };
        if let Ok(score) = self.position.examine(&placement) {
            debug_assert!(
                score
                    .words
                    .iter()
                    .all(|word| self.graph.contains(&word.word()))
            );
            self.found.push(ScoredTurn {
                turn: Turn::Place(placement),
                points: score.total(),
            });
        }
    }
}
