//! The turns of the variations that change what a turn is: boards and racks that edits lead to, and
//! words that can be rearranged.
//!
//! A board, a rack and a word graph come in. What is worth proposing is decided by the callers,
//! which look for plays on each edited board as on any other.

use crate::board::{Axis, Grid, Lane, Square};
use crate::lexicon::{Graph, NodeList};
use crate::rules::{
    Edit, Edits, MAX_EDITS, Placement, RearrangeRule, Rearrangement, RuleSet, examine_edit,
};
use crate::tiles::{Face, Letter, Tile, TileCounts};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

/// A board and a rack that edits lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedBoard {
    /// The edits: the fewest that lead there, and of these the first in order of squares and tiles.
    pub edits: Edits,
    /// The board after the edits.
    pub grid: Grid,
    /// The rack after the edits.
    pub rack: TileCounts,
}

/// Every board and rack that edits of the rules lead to, each once; the first is the board without
/// edits. Where letters are recycled, with at most `max_generated_edits` edits. An iterator, so that
/// a search can stop between two boards.
pub struct EditedBoards<'a> {
    rules: &'a RuleSet,
    graph: &'a Graph,
    /// The most edits of a board.
    most: usize,
    /// The boards found so far, in the order of a breadth-first search.
    found: Vec<EditedBoard>,
    /// Equal boards have equal racks, because no tile leaves both.
    seen: HashSet<Grid>,
    /// The number of boards returned.
    returned: usize,
    /// The number of boards whose edits are all found.
    expanded: usize,
}

impl<'a> EditedBoards<'a> {
    /// The boards that edits of this one lead to.
    pub fn new(rules: &'a RuleSet, graph: &'a Graph, grid: &Grid, rack: &TileCounts) -> Self {
        EditedBoards {
            rules,
            graph,
            most: match (rules.recycles_letters, rules.recycles_blanks) {
                (true, _) => rules.max_generated_edits,
                (false, true) => MAX_EDITS,
                (false, false) => 0,
            },
            found: vec![EditedBoard {
                edits: Edits::NONE,
                grid: grid.clone(),
                rack: *rack,
            }],
            seen: HashSet::from([grid.clone()]),
            returned: 0,
            expanded: 0,
        }
    }

    /// Finds the boards that one more edit leads to. Squares and tiles are in order: the first edits
    /// found that lead to a board are those to keep.
    fn expand(&mut self, from: &EditedBoard) {
        for edit in edits_of(self.rules, self.graph, &from.grid, &from.rack) {
            let mut grid = from.grid.clone();
            grid.set(edit.square, Some(edit.new));
            let edits = from.edits.with(edit);
            let Some(edits) = edits.filter(|_| self.seen.insert(grid.clone())) else {
                continue;
            };
            let mut rack = from.rack;
            rack.take(edit.new.tile());
            rack.add(edit.old.tile());
            self.found.push(EditedBoard { edits, grid, rack });
        }
    }
}

impl Iterator for EditedBoards<'_> {
    type Item = EditedBoard;

    fn next(&mut self) -> Option<EditedBoard> {
        while self.returned == self.found.len() {
            let from = self.found.get(self.expanded).cloned();
            let from = from.filter(|from| from.edits.len() < self.most)?;
            self.expanded += 1;
            self.expand(&from);
        }
        self.returned += 1;
        self.found.get(self.returned - 1).cloned()
    }
}

/// The single edits of a board that form only words, in order of squares and tiles.
fn edits_of(rules: &RuleSet, graph: &Graph, grid: &Grid, rack: &TileCounts) -> Vec<Edit> {
    let has_blank = rack.count(Tile::BLANK) > 0;
    let holds = |face: &Face| rack.count(face.tile()) > 0;
    let mut faces: Vec<Face> = rules.tiles.letters().map(Face::natural).collect();
    if has_blank {
        faces.extend(rules.tiles.letters().map(Face::blank));
    }
    faces.retain(holds);
    faces.sort_unstable();
    let mut edits = Vec::new();
    for square in rules.board.squares() {
        let Some(old) = grid.get(square) else {
            continue;
        };
        for &new in &faces {
            let edit = Edit { square, old, new };
            let words = examine_edit(rules, grid, &edit);
            if words.is_ok_and(|words| words.iter().all(|word| graph.contains(word))) {
                edits.push(edit);
            }
        }
    }
    edits
}

/// Calls `sink` once for every rearrangement that the rack allows and that forms only words. Stops
/// early when `keep_going`, called from time to time, returns `false`.
pub fn rearrangements(
    rules: &RuleSet,
    graph: &Graph,
    grid: &Grid,
    rack: &TileCounts,
    keep_going: &dyn Fn() -> bool,
    mut sink: impl FnMut(Rearrangement),
) {
    if rules.rearrange == RearrangeRule::Off {
        return;
    }
    let side = grid.side();
    for axis in Axis::BOTH {
        for lane in (0..side).map(|index| Lane::new(axis, index, side)) {
            let checks = CrossChecks {
                graph,
                grid,
                lane,
                axis,
                fitting: vec![OnceCell::new(); lane.len().into()],
            };
            for run in runs(grid, lane) {
                if !keep_going() {
                    return;
                }
                let mut walk = RunWalk::new(rules, &checks, rack, run, keep_going);
                walk.start_everywhere();
                for word in walk.found {
                    if let Ok(rearrangement) = Rearrangement::new(rules, grid, &word) {
                        sink(rearrangement);
                    }
                }
            }
        }
    }
}

/// The runs of two or more tiles in a lane, as first place and place after the last.
fn runs(grid: &Grid, lane: Lane) -> Vec<(u8, u8)> {
    let is_tile = |at: u8| {
        lane.get(at)
            .is_some_and(|square| grid.get(square).is_some())
    };
    let starts = (0..lane.len()).filter(|&at| is_tile(at) && (at == 0 || !is_tile(at - 1)));
    let run = |start: u8| {
        let end = (start..).find(|&at| !is_tile(at)).unwrap_or(start);
        (start, end)
    };
    starts
        .map(run)
        .filter(|(start, end)| end - start >= 2)
        .collect()
}

/// The letters that form words across a lane, worked out when they are needed.
struct CrossChecks<'a> {
    graph: &'a Graph,
    grid: &'a Grid,
    lane: Lane,
    axis: Axis,
    /// For each place of the lane a bit for each letter number.
    fitting: Vec<OnceCell<u64>>,
}

impl CrossChecks<'_> {
    /// Whether the word across a place is a word with this letter there, or only that letter.
    fn fits(&self, at: u8, letter: Letter) -> bool {
        let fitting = self.fitting[usize::from(at)].get_or_init(|| self.fitting_at(at));
        fitting >> letter.number() & 1 == 1
    }

    fn fitting_at(&self, at: u8) -> u64 {
        let Some(place) = self.lane.get(at) else {
            return 0;
        };
        let run = self.grid.run(place, self.axis.other());
        let is_word = |new: Letter| {
            let letter = |(square, face): &(Square, Option<Face>)| match *square == place {
                true => new,
                false => face.map_or(new, Face::letter),
            };
            let word: SmallVec<[Letter; 24]> = run.iter().map(letter).collect();
            word.len() == 1 || self.graph.contains(&word)
        };
        let letters = (1..u64::BITS as usize).filter_map(Letter::new);
        let fitting = letters.filter(|letter| is_word(*letter));
        fitting.fold(0, |all, letter| all | 1 << letter.number())
    }
}

/// The traversal of the DAWG along the lane of one run whose tiles are lifted.
struct RunWalk<'a> {
    rules: &'a RuleSet,
    graph: &'a Graph,
    grid: &'a Grid,
    checks: &'a CrossChecks<'a>,
    axis: Axis,
    lane: Lane,
    /// The run: first place, and place after the last.
    run: (u8, u8),
    /// The tiles of the rack that are not placed yet.
    hand: TileCounts,
    /// The tiles of the run that are not placed yet.
    lifted: Vec<Face>,
    start: u8,
    /// The new word so far.
    word: Vec<Face>,
    /// The number of empty squares covered so far.
    covered: usize,
    /// The new words found, each once, in an order without chance.
    found: BTreeSet<Placement>,
    /// The calls of [`RunWalk::extend`].
    steps: u32,
    keep_going: &'a dyn Fn() -> bool,
    /// Whether `keep_going` returned `false`.
    is_stopped: bool,
}

/// The steps of a traversal between two calls of `keep_going`. Chosen by hand: with two blanks and
/// free rearranging the traversals of one word take up to 80 ms.
const CHECK_INTERVAL_STEPS: u32 = 1_024;

impl<'a> RunWalk<'a> {
    fn new(
        rules: &'a RuleSet,
        checks: &'a CrossChecks<'a>,
        rack: &TileCounts,
        run: (u8, u8),
        keep_going: &'a dyn Fn() -> bool,
    ) -> RunWalk<'a> {
        let &CrossChecks {
            graph,
            grid,
            lane,
            axis,
            ..
        } = checks;
        let tile = |at: u8| lane.get(at).and_then(|square| grid.get(square));
        RunWalk {
            rules,
            graph,
            grid,
            checks,
            axis,
            lane,
            run,
            hand: *rack,
            lifted: (run.0..run.1).filter_map(tile).collect(),
            start: 0,
            word: Vec::new(),
            covered: 0,
            found: BTreeSet::new(),
            steps: 0,
            keep_going,
            is_stopped: false,
        }
    }

    fn tile(&self, at: u8) -> Option<Face> {
        self.lane.get(at).and_then(|square| self.grid.get(square))
    }

    /// Starts at every square before which no tile lies.
    fn start_everywhere(&mut self) {
        for start in 0..=self.run.0 {
            if start == 0 || self.tile(start - 1).is_none() {
                self.start = start;
                self.extend(self.graph.dawg_root(), false);
            }
        }
    }

    /// Extends the word so far. `list` has the letters that can follow; `is_word` says whether the
    /// letters so far are a word.
    fn extend(&mut self, list: NodeList, is_word: bool) {
        self.steps += 1;
        if self.steps.is_multiple_of(CHECK_INTERVAL_STEPS) {
            self.is_stopped |= !(self.keep_going)();
        }
        if self.is_stopped {
            return;
        }
        let at = self.start + self.word.len() as u8;
        let square = self.lane.get(at);
        let square = square.filter(|&square| self.rules.board.is_usable(square));
        let there = square.and_then(|square| self.grid.get(square));
        if is_word && there.is_none() && at >= self.run.1 {
            self.record();
        }
        if square.is_none() {
            return;
        }
        let is_free = self.rules.rearrange == RearrangeRule::Free;
        match (there, (self.run.0..self.run.1).contains(&at)) {
            (Some(old), true) => {
                self.try_lifted(list, at, Some(old));
                if is_free {
                    self.try_hand(list, at, Some(old));
                }
            }
            (Some(face), false) => self.step(list, face),
            (None, _) => {
                self.covered += 1;
                self.try_hand(list, at, None);
                if is_free {
                    self.try_lifted(list, at, None);
                }
                self.covered -= 1;
            }
        }
    }

    /// Tries every lifted tile on a square.
    fn try_lifted(&mut self, list: NodeList, at: u8, old: Option<Face>) {
        let mut tried: SmallVec<[Face; 24]> = SmallVec::new();
        for next in 0..self.lifted.len() {
            let face = self.lifted[next];
            if tried.contains(&face) || !self.fits_across(at, old, face) {
                continue;
            }
            tried.push(face);
            self.lifted.swap_remove(next);
            self.step(list, face);
            // Back to its place, so that the list is as before.
            self.lifted.push(face);
            let last = self.lifted.len() - 1;
            self.lifted.swap(next, last);
        }
    }

    /// Tries every tile of the rack on a square.
    fn try_hand(&mut self, list: NodeList, at: u8, old: Option<Face>) {
        let is_free = self.rules.rearrange == RearrangeRule::Free;
        for letter in self.graph.siblings(list).filter_map(|node| node.letter()) {
            for face in [Face::natural(letter), Face::blank(letter)] {
                // Where both are allowed, equal tiles of the run come first, so that each word is
                // found in one way.
                let is_lifted = is_free && self.lifted.contains(&face);
                if !is_lifted && self.fits_across(at, old, face) && self.hand.take(face.tile()) {
                    self.step(list, face);
                    self.hand.add(face.tile());
                }
            }
        }
    }

    /// Whether the tile does not change, or the word across it is a word.
    fn fits_across(&self, at: u8, old: Option<Face>, new: Face) -> bool {
        old == Some(new) || self.checks.fits(at, new.letter())
    }

    /// Adds a tile and extends the word.
    fn step(&mut self, list: NodeList, face: Face) {
        let number = Tile::from(face.letter()).number() as u8;
        if let Some(node) = self.graph.child(list, number) {
            self.word.push(face);
            self.extend(node.arc(), node.accepts());
            self.word.pop();
        }
    }

    /// Keeps the word if it uses the run and the rack, and is not an ordinary play.
    fn record(&mut self) {
        let is_changed = (self.start..)
            .zip(&self.word)
            .any(|(at, &face)| match self.tile(at) {
                Some(old) => old != face,
                None => false,
            });
        let start = self.lane.get(self.start);
        let cells: Vec<Option<Face>> = self.word.iter().copied().map(Some).collect();
        let word = start.and_then(|start| Placement::new(start, self.axis, &cells));
        let is_complete = self.covered > 0 && self.lifted.is_empty();
        self.found
            .extend(word.filter(|_| is_complete && is_changed));
    }
}
