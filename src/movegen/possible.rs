//! The words that can still be formed with the tiles that are left.
//!
//! Late in a game these are some thousands of all words. On a graph of them
//! walks seldom try in vain, and it is small enough to stay near the processor.
//!
//! A word in a lane is made of what lies there now and of tiles that are
//! left, whoever places them and in however many turns. What stands across the
//! lane does not count: that changes from turn to turn.

use super::cross_board::{BLANK_BIT, CrossBoard, LaneState, ones};
use super::gaddag::TileSource;
use super::pool::{MAX_COUNT_PER_LETTER, PoolCounts, PoolSource};
use crate::board::Grid;
use crate::lexicon::{Graph, NodeList, Word, WordList, letter_bit};
use crate::rules::RuleSet;
use crate::tiles::{Letter, TileCounts};
use smallvec::SmallVec;

/// The graph of all words that can be formed from now on with tiles of `pool`.
/// `None` if there are so many ways that it is not worth it, or `keep_going`, which
/// is asked now and then, says so.
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
    let field = CrossBoard::with_tiles(rules, graph, grid);
    let lanes = || {
        let strips = field.strips.iter().flat_map(|strips| &strips[..field.side]);
        strips.flat_map(|strip| gaps(strip, field.side).map(move |gap| (strip, gap)))
    };
    let mut search = WordCollector {
        graph,
        runs: lanes()
            .filter_map(|(strip, gap)| TileRun::after(strip, gap))
            .collect(),
        longest: lanes().map(|(_, gap)| gap.free).max().unwrap_or(0),
        furthest: lanes().map(|(_, gap)| gap.before).max().unwrap_or(0),
        word: SmallVec::new(),
        words: Vec::new(),
        steps: 0,
        keep_going,
    };
    let held = PoolCounts::new(pool, pool.len());
    search.free(graph.dawg_root(), held)?;
    Graph::from_words(&WordList::new(search.words)).ok()
}

/// So many steps take some 20 ms: with more of them the words are not few.
const MAX_STEPS: usize = 1 << 20;
/// After so many of them it is asked whether to go on.
const CHECK_INTERVAL_STEPS: usize = 1 << 10;

/// Empty squares side by side, none or more.
#[derive(Clone, Copy)]
struct EmptyStretch {
    /// The square after them: a tile, a hole or the edge.
    end: usize,
    /// On so many of them a word can lie that covers the tiles after them, but none before.
    before: usize,
    /// On so many, one that covers none at all.
    free: usize,
}

/// The gaps of a strip, one before each run of tiles or holes, and one at the end.
fn gaps(strip: &LaneState, side: usize) -> impl Iterator<Item = EmptyStretch> + '_ {
    let is_tile = |at: usize| usize::from(strip.is_occupied(at));
    let mut at = 0;
    std::iter::from_fn(move || {
        if at > side {
            return None;
        }
        let start = at;
        while strip.allowed[at] != 0 {
            at += 1;
        }
        let end = at;
        at = end + 1;
        // A square between a word and a tile that it does not cover stays empty.
        let behind = if start > 0 { is_tile(start - 1) } else { 0 };
        let before = (end - start).saturating_sub(behind);
        Some(EmptyStretch {
            end,
            before,
            free: before.saturating_sub(is_tile(end)),
        })
    })
}

/// A run of tiles that can be the first a word covers.
struct TileRun<'a> {
    strip: &'a LaneState,
    first: usize,
    /// Its first letter.
    letter: u32,
    /// So many letters of a word can come before it.
    before: usize,
}

impl<'a> TileRun<'a> {
    fn after(strip: &'a LaneState, gap: EmptyStretch) -> Option<TileRun<'a>> {
        let begins =
            strip.is_occupied(gap.end) && (gap.end == 0 || !strip.is_occupied(gap.end - 1));
        begins.then(|| TileRun {
            strip,
            first: gap.end,
            letter: letter_on(strip, gap.end),
            before: gap.before,
        })
    }
}

fn letter_on(strip: &LaneState, at: usize) -> u32 {
    letter_bit(strip.cells[at] & !BLANK_BIT)
}

struct WordCollector<'a> {
    graph: &'a Graph,
    runs: Vec<TileRun<'a>>,
    /// The most letters of a word that covers no tile, and before the first tile of one that does.
    longest: usize,
    furthest: usize,
    /// The letters so far.
    word: SmallVec<[Letter; 24]>,
    words: Vec<Word>,
    steps: usize,
    keep_going: &'a dyn Fn() -> bool,
}

impl WordCollector<'_> {
    /// Goes on from the beginning of a word that lies on empty squares only. `None` if that takes too long.
    fn free(&mut self, list: NodeList, held: PoolCounts) -> Option<()> {
        let head = self.graph.summary(list);
        for at in 0..self.runs.len() {
            let run = &self.runs[at];
            if head.letters & run.letter != 0 && self.word.len() <= run.before {
                self.along(run.strip, run.first, list, held)?;
            }
        }
        if self.word.len() >= self.longest.max(self.furthest) {
            return Some(());
        }
        for letter in ones(head.letters & PoolSource.letters(held)) {
            self.place(list, letter, held, |search, next, ends, rest| {
                if ends && search.word.len() <= search.longest {
                    search.record();
                }
                search.free(next, rest)
            })?;
        }
        Some(())
    }

    /// Goes on along a strip from the tiles at `at` on.
    fn along(
        &mut self,
        strip: &LaneState,
        at: usize,
        mut list: NodeList,
        held: PoolCounts,
    ) -> Option<()> {
        let before = self.word.len();
        let (mut at, mut ends) = (at, false);
        while strip.is_occupied(at) {
            let (head, letter) = (self.graph.summary(list), letter_on(strip, at));
            if head.letters & letter == 0 {
                self.word.truncate(before);
                return Some(());
            }
            ends = head.final_letters & letter != 0;
            list = self.graph.follow(list, head, letter);
            self.word.extend(letter_of(letter));
            at += 1;
        }
        let found = self.beyond(strip, at, list, ends, held);
        self.word.truncate(before);
        found
    }

    /// Ends a word before the empty square `at`, or goes on there.
    fn beyond(
        &mut self,
        strip: &LaneState,
        at: usize,
        list: NodeList,
        ends: bool,
        held: PoolCounts,
    ) -> Option<()> {
        if ends {
            self.record();
        }
        let wanted =
            self.graph.summary(list).letters & strip.allowed[at] & PoolSource.letters(held);
        for letter in ones(wanted) {
            self.place(list, letter, held, |search, next, ends, rest| {
                match strip.is_occupied(at + 1) {
                    true => search.along(strip, at + 1, next, rest),
                    false => search.beyond(strip, at + 1, next, ends, rest),
                }
            })?;
        }
        Some(())
    }

    /// Places a letter of the pool, goes on with what follows it, and takes it back.
    #[inline]
    fn place(
        &mut self,
        list: NodeList,
        letter: u32,
        held: PoolCounts,
        then: impl FnOnce(&mut Self, NodeList, bool, PoolCounts) -> Option<()>,
    ) -> Option<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS
            || self.steps.is_multiple_of(CHECK_INTERVAL_STEPS) && !(self.keep_going)()
        {
            return None;
        }
        let Some(rest) = PoolSource.letter(held, letter.trailing_zeros() as u8 + 1) else {
            return Some(());
        };
        let head = self.graph.summary(list);
        let next = self.graph.follow(list, head, letter);
        self.word.extend(letter_of(letter));
        let found = then(self, next, head.final_letters & letter != 0, rest);
        self.word.pop();
        found
    }

    fn record(&mut self) {
        self.words.extend(Word::new(&self.word));
    }
}

fn letter_of(bit: u32) -> Option<Letter> {
    Letter::new(bit.trailing_zeros() as usize + 1)
}
