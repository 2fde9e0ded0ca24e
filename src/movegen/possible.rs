//! The words that can still be formed with the tiles that are left.
//!
//! A board and the pool of tiles not on it come in; a word graph goes out that
//! contains only those words. Late in a game they are some thousands. Traversals
//! of the smaller graph fail less often, and it fits in the processor's cache.
//! Pre-endgame search calls it.
//!
//! A word in a lane consists of tiles that lie there now and of tiles from the
//! pool, whoever places them and over any number of turns. Words across the lane
//! are ignored, because they change from turn to turn. So the result can contain
//! words that are impossible after all, but it lacks none that is possible.

use super::cross_board::{BLANK_BIT, CrossBoard, LANE_CAPACITY, LaneState, ones};
use super::gaddag::TileSource;
use super::pool::{MAX_COUNT_PER_LETTER, PoolCounts, PoolSource};
use crate::board::Grid;
use crate::lexicon::{Graph, NodeList, Word, WordList, letter_bit};
use crate::rules::RuleSet;
use crate::tiles::{Letter, TileCounts};
use smallvec::SmallVec;

/// The graph of all words that can be formed from now on with tiles of `pool`.
/// `None` if that takes too many steps, or if `keep_going`, called from time to
/// time, returns `false`.
pub fn possible_words(
    rules: &RuleSet,
    graph: &Graph,
    grid: &Grid,
    pool: &TileCounts,
    keep_going: &dyn Fn() -> bool,
) -> Option<Graph> {
    if pool.kinds().any(|(_, count)| count > MAX_COUNT_PER_LETTER) {
        return None;
    }
    let board = CrossBoard::with_tiles(rules, graph, grid);
    let lanes = || {
        let lanes = board.lanes.iter().flat_map(|lanes| &lanes[..board.side]);
        lanes.flat_map(|state| {
            empty_stretches(state, board.side).map(move |stretch| (state, stretch))
        })
    };
    let mut search = PossibleWordSearch {
        graph,
        runs: lanes()
            .filter_map(|(state, stretch)| TileRun::after(state, stretch))
            .collect(),
        max_free_len: lanes().map(|(_, stretch)| stretch.free).max().unwrap_or(0),
        max_before: lanes()
            .map(|(_, stretch)| stretch.before)
            .max()
            .unwrap_or(0),
        word: SmallVec::new(),
        words: Vec::new(),
        steps: 0,
        keep_going,
    };
    let remaining = PoolCounts::new(pool, pool.len());
    search.extend_free(graph.dawg_root(), remaining)?;
    Graph::from_words(&WordList::new(search.words)).ok()
}

/// The most steps of the search. Measured: they take about 20 ms. A position that
/// needs more has too many words for a smaller graph to pay.
const MAX_STEPS: usize = 1 << 20;
/// The steps between two calls of `keep_going`. Chosen by hand; not tuned.
const CHECK_INTERVAL_STEPS: usize = 1 << 10;

/// A stretch of adjacent empty squares, possibly of none.
#[derive(Clone, Copy)]
struct EmptyStretch {
    /// The square after them: a tile, an unusable square or the edge.
    end: usize,
    /// The squares available to a word that covers the tiles after them but none
    /// before them.
    before: usize,
    /// The squares available to a word that covers no tile.
    free: usize,
}

/// The empty stretches of a lane: one before each tile or unusable square, and
/// one at the end.
fn empty_stretches(state: &LaneState, side: usize) -> impl Iterator<Item = EmptyStretch> + '_ {
    let is_tile = |at: usize| usize::from(state.is_occupied(at));
    let mut at = 0;
    std::iter::from_fn(move || {
        if at > side {
            return None;
        }
        let start = at;
        while state.allowed[at] != 0 {
            at += 1;
        }
        let end = at;
        at = end + 1;
        // The square between a word and a tile that it does not cover stays empty.
        let behind = if start > 0 { is_tile(start - 1) } else { 0 };
        let before = (end - start).saturating_sub(behind);
        Some(EmptyStretch {
            end,
            before,
            free: before.saturating_sub(is_tile(end)),
        })
    })
}

/// A run of tiles, as the first run that a word covers.
struct TileRun<'a> {
    state: &'a LaneState,
    first: usize,
    /// Its first letter, as a bit.
    letter: u32,
    /// The most letters of a word before it.
    before: usize,
}

impl<'a> TileRun<'a> {
    /// The run that starts after a stretch, if one does.
    fn after(state: &'a LaneState, stretch: EmptyStretch) -> Option<TileRun<'a>> {
        let begins = state.is_occupied(stretch.end)
            && (stretch.end == 0 || !state.is_occupied(stretch.end - 1));
        begins.then(|| TileRun {
            state,
            first: stretch.end,
            letter: letter_on(state, stretch.end),
            before: stretch.before,
        })
    }
}

/// The letter on a square, as a bit.
fn letter_on(state: &LaneState, at: usize) -> u32 {
    letter_bit(state.cells[at] & !BLANK_BIT)
}

/// A depth-first search for the words, letter by letter.
struct PossibleWordSearch<'a> {
    graph: &'a Graph,
    runs: Vec<TileRun<'a>>,
    /// The most letters of a word that covers no tile.
    max_free_len: usize,
    /// The most letters before the first tile that a word covers.
    max_before: usize,
    /// The letters so far.
    word: SmallVec<[Letter; LANE_CAPACITY]>,
    words: Vec<Word>,
    steps: usize,
    keep_going: &'a dyn Fn() -> bool,
}

impl PossibleWordSearch<'_> {
    /// Extends a word that covers only empty squares so far. `None` if the search
    /// takes too long.
    fn extend_free(&mut self, list: NodeList, remaining: PoolCounts) -> Option<()> {
        let summary = self.graph.summary(list);
        for at in 0..self.runs.len() {
            let run = &self.runs[at];
            if summary.letters & run.letter != 0 && self.word.len() <= run.before {
                self.cover_run(run.state, run.first, list, remaining)?;
            }
        }
        if self.word.len() >= self.max_free_len.max(self.max_before) {
            return Some(());
        }
        for letter in ones(summary.letters & PoolSource.letters(remaining)) {
            self.with_letter(list, letter, remaining, |search, next, ends, rest| {
                if ends && search.word.len() <= search.max_free_len {
                    search.record();
                }
                search.extend_free(next, rest)
            })?;
        }
        Some(())
    }

    /// Extends a word over the run of tiles that starts at `at`.
    fn cover_run(
        &mut self,
        state: &LaneState,
        at: usize,
        mut list: NodeList,
        remaining: PoolCounts,
    ) -> Option<()> {
        let before = self.word.len();
        let (mut at, mut ends) = (at, false);
        while state.is_occupied(at) {
            let (summary, letter) = (self.graph.summary(list), letter_on(state, at));
            if summary.letters & letter == 0 {
                self.word.truncate(before);
                return Some(());
            }
            ends = summary.final_letters & letter != 0;
            list = self.graph.follow(list, summary, letter);
            self.word.extend(letter_of(letter));
            at += 1;
        }
        let found = self.extend_beyond(state, at, list, ends, remaining);
        self.word.truncate(before);
        found
    }

    /// Records the word before the empty square `at` if it ends there, and extends
    /// it over that square.
    fn extend_beyond(
        &mut self,
        state: &LaneState,
        at: usize,
        list: NodeList,
        ends: bool,
        remaining: PoolCounts,
    ) -> Option<()> {
        if ends {
            self.record();
        }
        let wanted =
            self.graph.summary(list).letters & state.allowed[at] & PoolSource.letters(remaining);
        for letter in ones(wanted) {
            self.with_letter(
                list,
                letter,
                remaining,
                |search, next, ends, rest| match state.is_occupied(at + 1) {
                    true => search.cover_run(state, at + 1, next, rest),
                    false => search.extend_beyond(state, at + 1, next, ends, rest),
                },
            )?;
        }
        Some(())
    }

    /// Adds a letter from the pool to the word, calls `then`, and removes it.
    #[inline]
    fn with_letter(
        &mut self,
        list: NodeList,
        letter: u32,
        remaining: PoolCounts,
        then: impl FnOnce(&mut Self, NodeList, bool, PoolCounts) -> Option<()>,
    ) -> Option<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS
            || self.steps.is_multiple_of(CHECK_INTERVAL_STEPS) && !(self.keep_going)()
        {
            return None;
        }
        let Some(rest) = PoolSource.letter(remaining, letter.trailing_zeros() as u8 + 1) else {
            return Some(());
        };
        let summary = self.graph.summary(list);
        let next = self.graph.follow(list, summary, letter);
        self.word.extend(letter_of(letter));
        let found = then(self, next, summary.final_letters & letter != 0, rest);
        self.word.pop();
        found
    }

    /// Adds the word to the list.
    fn record(&mut self) {
        self.words.extend(Word::new(&self.word));
    }
}

/// The letter of a bit.
fn letter_of(bit: u32) -> Option<Letter> {
    Letter::new(bit.trailing_zeros() as usize + 1)
}
