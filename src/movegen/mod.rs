//! Move generation: every placement of a rack on a board, or only the best.
//!
//! A position and a rack come in; placements with their points and equity go
//! out. `eval` and `search` call this layer and choose among the results.
//! Three generators exist, and tests compare them with each other:
//!
//! - [`plain`] tries every word on every square. It is slow and defines
//!   correctness.
//! - [`Generator`] keeps a board with cross-checks (`cross_board`) from play to
//!   play. It lists all placements by traversing the GADDAG (`gaddag`). It finds
//!   the best ones by branch and bound over placement slots (`spots`,
//!   `best_first`) with the word map, an anagram dictionary. Where the word map
//!   does not apply, the GADDAG finds the best too, with the same results.
//! - [`LaneGenerator`] serves endgame search. It caches the plays of each lane.
//!
//! [`variations`] has the turns that only some rules have: edits of the board and
//! rearranged words.
//!
//! Beside them: `Replies` (best replies of one rack to many candidates),
//! [`Generator::pool_placements`] (placements of any tiles of a pool) and
//! [`possible_words`] (the words that can still be formed).
//!
//! The module does not generate exchanges, except in [`plain`]. It does not
//! decide what a leave is worth: [`RackLeaves`] says so.
//!
//! Anchors, cross-checks and the word graph (DAWG) come from Appel and
//! Jacobson 1988, Communications of the ACM 31(5). The GADDAG comes from Gordon
//! 1994, Software: Practice and Experience 24(2).
//!
//! ```
//! use cazique::eval::{EvalContext, Evaluator};
//! use cazique::lexicon::Lexicon;
//! use cazique::movegen::{Generator, WordMapRef, Words};
//! use cazique::rules::{Embedded, Library, Position};
//! use std::sync::Arc;
//!
//! let rules = Arc::new(Embedded.rules("tournament")?);
//! let (lexicon, _) = Lexicon::embedded(&rules.tiles)?;
//! let mut position = Position::start(rules.clone(), 2)?;
//! position.set_rack(0, rules.tiles.read_tiles("AEINRST")?)?;
//!
//! // The leave values say what each subset of the rack is worth; here, nothing.
//! let mut evaluator = Evaluator::new(&rules, None);
//! let rack_leaves = evaluator.rack_leaves(&EvalContext::of(&position));
//! let words = Words { graph: lexicon.graph(), map: WordMapRef::Absent };
//! let generator = Generator::new(&rules, words, position.grid());
//! let (mut plays, mut most) = (0, 0);
//! generator.for_each_play(rack_leaves, |play| {
//!     plays += 1;
//!     most = most.max(play.points.0);
//! });
//! assert!(plays > 1_000);
//! assert_eq!(most, 66);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any_order;
mod best_first;
mod cross_board;
mod gaddag;
mod lanes;
mod opening;
mod penalties;
#[doc(hidden)]
pub mod plain;
mod pool;
mod possible;
mod rack_bits;
mod rack_leaves;
mod replies;
mod sink;
mod spot_filler;
mod spots;
#[doc(hidden)]
pub mod variations;

use crate::board::Grid;
use crate::lexicon::{Graph, WordMap};
use crate::rules::{Placement, RuleSet, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::{Equity, Points};
use best_first::{ALL_LANES, BestFirstSearch};
use cross_board::{BoardDelta, CrossBoard};
use gaddag::RawPlacement;
#[doc(hidden)]
pub use lanes::{LaneGenerator, LanePlay, RackSubset};
pub(crate) use lanes::{LaneSet, OutPlays};
#[doc(hidden)]
pub use opening::OpeningPenalty;
#[doc(hidden)]
pub use penalties::BlankPenalty;
use penalties::{PenalizingSink, Penalties};
#[doc(hidden)]
pub use pool::MultisetNumbering;
#[doc(hidden)]
pub use possible::possible_words;
pub use rack_leaves::RackLeaves;
pub(crate) use replies::Replies;
use sink::{BestPlaySink, NoticingSink, PlaySink, TopPlaysSink};
use spots::{BoardSpots, SpotsDelta};
use std::cell::Cell;
use std::sync::OnceLock;

/// A legal turn and the points it scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredTurn {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
}

/// A placement with its points and its equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Which tiles go where.
    pub placement: Placement,
    /// Its points.
    pub points: Points,
    /// Its points plus the leave value, minus the penalties for a first play and for blanks.
    pub equity: Equity,
}

/// Better plays are greater. Plays with equal equity and points are ordered by
/// square, so that the order does not depend on how they were found.
impl Ord for Play {
    fn cmp(&self, other: &Play) -> std::cmp::Ordering {
        let by_value = (self.equity, self.points).cmp(&(other.equity, other.points));
        by_value.then_with(|| other.placement.cmp(&self.placement))
    }
}

impl PartialOrd for Play {
    fn partial_cmp(&self, other: &Play) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The lexicon in the two forms that the generator reads.
#[derive(Clone, Copy)]
pub struct Words<'lex> {
    /// The word graph: DAWG and GADDAG.
    pub graph: &'lex Graph,
    /// The word map, for speed. Without it the graph gives the same answers.
    pub map: WordMapRef<'lex>,
}

impl<'lex> Words<'lex> {
    /// The words of a graph, with the word map made of it, if there is one.
    pub fn new(graph: &'lex Graph, map: Option<&'lex WordMap>) -> Words<'lex> {
        let map = map.into();
        Words { graph, map }
    }
}

/// A word map that may not be there yet.
#[derive(Clone, Copy, Default)]
pub enum WordMapRef<'lex> {
    /// There is none.
    #[default]
    Absent,
    /// It is there.
    Ready(&'lex WordMap),
    /// Another thread may be building it. The generator uses it as soon as it is there.
    Pending(&'lex OnceLock<Option<WordMap>>),
}

impl<'lex> WordMapRef<'lex> {
    /// The word map, if it is there by now.
    #[inline]
    pub fn get(self) -> Option<&'lex WordMap> {
        match self {
            WordMapRef::Absent => None,
            WordMapRef::Ready(map) => Some(map),
            WordMapRef::Pending(map) => map.get()?.as_ref(),
        }
    }
}

impl<'lex> From<Option<&'lex WordMap>> for WordMapRef<'lex> {
    fn from(map: Option<&'lex WordMap>) -> WordMapRef<'lex> {
        map.map_or(WordMapRef::Absent, WordMapRef::Ready)
    }
}

/// A board that is kept from play to play, and the generator of plays on it.
#[derive(Clone)]
pub struct Generator<'lex> {
    words: Words<'lex>,
    board: CrossBoard<'lex>,
    spots: BoardSpots,
    best_first: BestFirstSearch,
    rack_size: usize,
    /// Called from time to time by searches that use the graph.
    continue_check: Option<ContinueCheck<'lex>>,
}

/// Returns whether a long search should continue.
pub type ContinueCheck<'a> = &'a (dyn Fn() -> bool + Sync);

/// The lanes that a play changes, in the state that is not on the board:
/// before the play while it lies there, after the play once it is taken back.
#[derive(Clone)]
pub struct PlayDelta {
    board: BoardDelta,
    spots: SpotsDelta,
}

impl<'lex> Generator<'lex> {
    /// A generator on the board of a rule set with the tiles of `grid`.
    pub fn new(rules: &RuleSet, words: Words<'lex>, grid: &Grid) -> Generator<'lex> {
        Generator {
            words,
            board: CrossBoard::with_grid(rules, words.graph, grid),
            spots: BoardSpots::new(usize::from(rules.board.side())),
            best_first: BestFirstSearch::default(),
            rack_size: rules.rack_size,
            continue_check: None,
        }
    }

    /// Lets a search for the best plays end early with the best found so far.
    /// Racks for which the word map is of no use can take a second.
    #[must_use]
    pub fn with_continue_check(self, continue_check: ContinueCheck<'lex>) -> Generator<'lex> {
        Generator {
            continue_check: Some(continue_check),
            ..self
        }
    }

    /// Whether the check of [`Generator::with_continue_check`], if there is one, lets the search go
    /// on.
    pub(crate) fn may_continue(&self) -> bool {
        self.continue_check.is_none_or(|check| check())
    }

    /// A generator with the same words and the same check for another board.
    pub(crate) fn for_board(&self, rules: &RuleSet, grid: &Grid) -> Generator<'lex> {
        Generator {
            continue_check: self.continue_check,
            ..Generator::new(rules, self.words, grid)
        }
    }

    /// Whether no tile lies on the board.
    pub fn is_empty(&self) -> bool {
        self.board.is_empty()
    }

    /// Lays the tiles of a legal placement. It cannot be taken back.
    pub fn play_permanently(&mut self, placement: &Placement) {
        let delta = self.board.play(placement);
        self.spots.invalidate(&delta);
    }

    /// Lays the tiles of a legal placement. The result takes it back.
    pub fn play(&mut self, placement: &Placement) -> PlayDelta {
        let board = self.board.play(placement);
        let spots = self.spots.set_aside(&board);
        PlayDelta { board, spots }
    }

    /// Makes the changes of a legal turn to the board; the result takes them back. `None` if the turn
    /// does not change the board.
    pub fn play_turn(&mut self, turn: &Turn, rules: &RuleSet) -> Option<PlayDelta> {
        if let Turn::Place(placement) = turn {
            return Some(self.play(placement));
        }
        turn.changes_board().then(|| {
            let mut grid = self.board.grid();
            turn.change_board(&mut grid);
            let board = self.board.replace(rules, &grid);
            let spots = self.spots.set_aside(&board);
            PlayDelta { board, spots }
        })
    }

    /// The tiles on the board.
    pub fn grid(&self) -> Grid {
        self.board.grid()
    }

    /// The words.
    pub fn words(&self) -> Words<'lex> {
        self.words
    }

    /// Takes back the latest play.
    pub fn take_back(&mut self, mut delta: PlayDelta) {
        self.toggle(&mut delta);
        self.spots.recycle(delta.spots);
    }

    /// Takes back the latest play, or makes it again. This swaps lanes and
    /// computes nothing, so a search can go back and forth cheaply.
    pub fn toggle(&mut self, delta: &mut PlayDelta) {
        self.board.swap(&mut delta.board);
        self.spots.swap(&delta.board, &mut delta.spots);
    }

    /// Computes the slots of all changed lanes now, so that a [`PlayDelta`]
    /// taken later contains them.
    pub fn prepare(&mut self) {
        self.spots.prepare(&self.board, self.rack_size);
    }

    /// Calls `sink` once for every placement of tiles from the rack that forms
    /// only words. The order is unspecified.
    pub fn for_each_play(&self, rack_leaves: &RackLeaves, sink: impl FnMut(Play)) {
        self.for_each_play_while(rack_leaves, &|| true, sink);
    }

    /// [`Generator::for_each_play`] until `keep_going` returns `false`. It is
    /// called from time to time.
    pub fn for_each_play_while(
        &self,
        rack_leaves: &RackLeaves,
        keep_going: &dyn Fn() -> bool,
        mut sink: impl FnMut(Play),
    ) {
        let side = self.board.side as u8;
        let penalties = Penalties::new(rack_leaves, self.board.is_empty());
        let mut sink = |found: &RawPlacement| {
            sink(Play {
                placement: found.placement(side),
                points: Points(found.points),
                equity: Equity::from_millis(found.equity(&rack_leaves.values))
                    + penalties.of(found),
            });
        };
        match self.words.graph.is_alphagrams() {
            true => any_order::placements(&self.board, rack_leaves, keep_going, &mut sink),
            false => gaddag::placements(&self.board, &rack_leaves.rack, keep_going, &mut sink),
        }
    }

    /// The best placement.
    pub fn best(&mut self, rack_leaves: &RackLeaves) -> Option<Play> {
        let mut sink = BestPlaySink::new(self.board.side);
        self.search(rack_leaves, &mut sink);
        sink.play
    }

    /// The best placement, if it has at least this equity. Faster than [`Generator::best`] if few
    /// squares can reach it.
    pub(crate) fn best_from(&mut self, rack_leaves: &RackLeaves, at_least: Equity) -> Option<Play> {
        let mut sink = BestPlaySink::from(self.board.side, at_least);
        self.search(rack_leaves, &mut sink);
        sink.play
    }

    /// The best `count` placements, best first.
    pub fn top(&mut self, rack_leaves: &RackLeaves, count: usize) -> Vec<Play> {
        let mut sink = TopPlaysSink::new(self.board.side, count);
        self.search(rack_leaves, &mut sink);
        sink.into_plays()
    }

    /// Offers to `sink` every placement that reaches its threshold.
    fn search(&mut self, rack_leaves: &RackLeaves, sink: &mut impl PlaySink) {
        let penalties = Penalties::new(rack_leaves, self.board.is_empty());
        let sink = &mut PenalizingSink { penalties, sink };
        let RackLeaves { rack, values, .. } = rack_leaves;
        match self.map_for(rack) {
            Some(map) => {
                self.prepare();
                self.best_first.set_rack(&self.board, map, rack_leaves);
                #[cfg(debug_assertions)]
                self.best_first
                    .check_bounds(&self.board, &self.spots, rack_leaves);
                self.best_first
                    .search(&self.board, &self.spots, map, ALL_LANES, sink);
            }
            None => {
                // However short the time, one placement is better than none.
                let any = Cell::new(false);
                let keep_going = || !any.get() || self.may_continue();
                if self.words.graph.is_alphagrams() {
                    let mut sink = NoticingSink { sink, any: &any };
                    any_order::search(&self.board, rack_leaves, &keep_going, &mut sink);
                    return;
                }
                gaddag::placements(&self.board, rack, &keep_going, &mut |found| {
                    any.set(true);
                    let equity = found.equity(values);
                    if equity >= sink.threshold() {
                        sink.offer(found, equity);
                    }
                });
            }
        }
    }

    /// The word map, if best-first search can handle this rack and this board.
    fn map_for(&self, rack: &TileCounts) -> Option<&'lex WordMap> {
        let is_small =
            rack.len() <= self.rack_size && rack.count(Tile::BLANK) <= 2 && self.board.factors_fit;
        self.words.map.get().filter(|_| is_small)
    }

    /// Whether the incrementally updated state equals a rebuild from the grid.
    #[doc(hidden)]
    pub fn equals_rebuilt(&mut self, rules: &RuleSet, grid: &Grid) -> bool {
        let mut rebuilt = Generator::new(rules, self.words, grid);
        rebuilt.prepare();
        self.prepare();
        self.board.is_same(&rebuilt.board) && self.spots.is_same(&rebuilt.spots)
    }
}
