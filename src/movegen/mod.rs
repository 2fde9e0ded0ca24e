//! Every legal turn of a position: all of them, or the best.
//!
//! [`plain`] is the definition of correct. [`Generator`] rack_leaves a board from
//! play to play and is fast: all placements by walking the GADDAG (`walk`),
//! the best ones by bounds and the word map (`spots`, `best`). Where the word
//! map does not apply, the walk finds the best too, with the same answers.

mod best_first;
mod cross_board;
mod gaddag;
mod lanes;
mod opening;
pub mod plain;
mod pool;
mod possible;
mod rack_bits;
mod replies;
mod sink;
mod spots;

use crate::board::{Axis, Grid};
use crate::lexicon::{Graph, LeaveValues, WordMap};
use crate::rules::{MAX_RACK, Placement, RuleSet, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::{Equity, Points};
use best_first::{ALL_LANES, BestFirstSearch, BoardSpots, PlaySink};
use cross_board::{BoardDelta, CrossBoard};
pub use lanes::{LaneGenerator, LanePlay, LaneSet, OutPlays, RackSubset};
pub use opening::OpeningPenalty;
use opening::PenalizingSink;
pub use pool::MultisetNumbering;
pub use possible::possible_words;
use rack_bits::{RACK_SUBSETS, RackBits};
pub use replies::Replies;
use sink::{AnyAboveSink, BestPlaySink, TopPlaysSink};
use std::cell::Cell;

/// A turn that can be taken, and what it scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredTurn {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
}

/// A placement with what it scores and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Where which tiles go.
    pub placement: Placement,
    /// Its points.
    pub points: Points,
    /// Its points, what the tiles kept are worth, and what it costs as a first play.
    pub equity: Equity,
}

/// Better plays are greater; equals in worth and points have an order of
/// their own, by square, so that nothing depends on how they were found.
impl Ord for Play {
    fn cmp(&self, other: &Play) -> std::cmp::Ordering {
        let worth = (self.equity, self.points).cmp(&(other.equity, other.points));
        worth.then_with(|| other.placement.cmp(&self.placement))
    }
}

impl PartialOrd for Play {
    fn partial_cmp(&self, other: &Play) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The words as the generator needs them.
#[derive(Clone, Copy)]
pub struct Words<'lex> {
    /// The graph of the words.
    pub graph: &'lex Graph,
    /// The word map, for speed; without it all goes by the graph.
    pub map: Option<&'lex WordMap>,
}

/// What the tiles kept from a rack are worth, and what a first play costs.
#[derive(Clone)]
pub struct RackLeaves {
    rack: TileCounts,
    hand: RackBits,
    values: Box<[i32; RACK_SUBSETS]>,
    opening: Option<OpeningPenalty>,
}

impl RackLeaves {
    /// Asks `worth` for every different bunch of tiles that can be kept from
    /// `rack`: nothing, some, or all of it. First plays cost nothing.
    pub fn new(rack: &TileCounts, worth: impl FnMut(&TileCounts) -> Equity) -> RackLeaves {
        let mut rack_leaves = RackLeaves::empty(None);
        rack_leaves.set(rack, worth);
        rack_leaves
    }

    /// Nothing to keep, and what a first play costs.
    pub fn empty(opening: Option<OpeningPenalty>) -> RackLeaves {
        RackLeaves {
            rack: TileCounts::EMPTY,
            hand: RackBits::new(&TileCounts::EMPTY),
            values: Box::new([0; RACK_SUBSETS]),
            opening,
        }
    }

    /// Another rack, of which every part is worth what `worth` says.
    pub fn set(&mut self, rack: &TileCounts, mut worth: impl FnMut(&TileCounts) -> Equity) {
        self.set_zero(rack);
        for kept in std::iter::once(TileCounts::EMPTY).chain(rack.nonempty_subsets()) {
            self.values[usize::from(self.hand.bits(&kept))] = worth(&kept).millis();
        }
    }

    /// Another rack, of which nothing is worth anything.
    pub fn set_zero(&mut self, rack: &TileCounts) {
        (self.rack, self.hand) = (*rack, RackBits::new(rack));
        self.values[..1 << rack.len().min(MAX_RACK)].fill(0);
    }

    /// Takes the values of another rack's tiles from a table, and zero where it has none.
    pub fn set_from_table(&mut self, rack: &TileCounts, leaves: &LeaveValues) {
        self.set_zero(rack);
        let RackLeaves { hand, values, .. } = self;
        let bit = |tile: Tile, copy| hand.bit(tile.number(), copy);
        leaves.for_each_leave(rack, bit, |bits, value| {
            values[usize::from(bits)] = value.millis()
        });
    }

    /// Makes of the worth of each part what `change` says, which is told the number of its tiles.
    pub fn adjust(&mut self, change: impl Fn(Equity, usize) -> Equity) {
        let all = self.rack.len().min(MAX_RACK);
        for (bits, value) in self.values[..1 << all].iter_mut().enumerate() {
            let kept = bits.count_ones() as usize;
            *value = change(Equity::from_millis(*value), kept).millis();
        }
    }

    /// The best that can be kept of at least `fewest` and at most `most`
    /// tiles, with what `more` adds for their number; the first in order of
    /// tiles among equals.
    pub fn best_leave(
        &self,
        fewest: usize,
        most: usize,
        more: impl Fn(usize) -> Equity,
    ) -> Option<(TileCounts, Equity)> {
        let all = (1_u32 << self.rack.len()) - 1;
        let count = |bits: u32| bits.count_ones() as usize;
        let worth = |bits: u32| self.values[bits as usize] + more(count(bits)).millis();
        let best = (0..=all)
            .filter(|&bits| (fewest..=most).contains(&count(bits)))
            .filter(|&bits| self.hand.is_canonical(bits as u16))
            .max_by_key(|&bits| (worth(bits), std::cmp::Reverse(bits)))?;
        let equity = Equity::from_millis(worth(best));
        Some((self.hand.bunch(best as u16), equity))
    }

    /// No part of the rack is worth more if it is kept.
    pub fn max_value(&self) -> Equity {
        let values = &self.values[..1 << self.rack.len().min(MAX_RACK)];
        Equity::from_millis(values.iter().copied().max().unwrap_or(0))
    }

    /// The rack that the tiles are kept from.
    pub fn rack(&self) -> &TileCounts {
        &self.rack
    }

    /// What these tiles of the rack are worth.
    pub fn value(&self, kept: &TileCounts) -> Equity {
        Equity::from_millis(self.values[usize::from(self.hand.bits(kept))])
    }
}

/// A board that is kept from play to play, and the plays on it.
#[derive(Clone)]
pub struct Generator<'lex> {
    words: Words<'lex>,
    field: CrossBoard<'lex>,
    spots: BoardSpots,
    best_first: BestFirstSearch,
    rack_size: usize,
    /// Asked now and then by searches that go by the graph.
    continue_check: Option<ContinueCheck<'lex>>,
}

/// Says whether a search that takes long should go on.
pub type ContinueCheck<'a> = &'a (dyn Fn() -> bool + Sync);

/// What a play changes: the way to the other side of it, back and forth.
#[derive(Clone)]
pub struct PlayDelta {
    undo: BoardDelta,
    spots: best_first::SpotsDelta,
}

impl<'lex> Generator<'lex> {
    /// On the board of a rule set with these tiles.
    pub fn new(rules: &RuleSet, words: Words<'lex>, grid: &Grid) -> Generator<'lex> {
        let field = CrossBoard::with_grid(rules, words.graph, grid);
        Generator {
            words,
            field,
            spots: BoardSpots::new(usize::from(rules.board.side())),
            best_first: BestFirstSearch::default(),
            rack_size: rules.rack_size,
            continue_check: None,
        }
    }

    /// Lets searches for the best end early, with the best found until then:
    /// with racks for which the word map is of no use they can take a second.
    #[must_use]
    pub fn with_continue_check(self, continue_check: ContinueCheck<'lex>) -> Generator<'lex> {
        Generator {
            continue_check: Some(continue_check),
            ..self
        }
    }

    /// Whether no tile lies on the board.
    pub fn is_empty(&self) -> bool {
        self.field.is_empty()
    }

    /// Lays the tiles of a placement that fits, for good.
    pub fn play_permanently(&mut self, placement: &Placement) {
        let undo = self.field.play(placement);
        self.spots.forget(&undo);
    }

    /// Lays the tiles of a placement that fits; with what that changed it can be taken back.
    pub fn play(&mut self, placement: &Placement) -> PlayDelta {
        let undo = self.field.play(placement);
        let spots = self.spots.set_aside(&undo);
        PlayDelta { undo, spots }
    }

    /// Takes back the play made last.
    pub fn take_back(&mut self, mut change: PlayDelta) {
        self.toggle(&mut change);
        self.spots.recycle(change.spots);
    }

    /// Takes back the play made last, or makes it again. Nothing is worked
    /// out twice, which is what makes it fast to go to and fro.
    pub fn toggle(&mut self, change: &mut PlayDelta) {
        self.field.swap(&mut change.undo);
        self.spots.swap(&change.undo, &mut change.spots);
    }

    /// Works out now what the next search on this board needs, so that a
    /// [`PlayDelta`] has it ready.
    pub fn prepare(&mut self) {
        self.spots.prepare(&self.field, self.rack_size);
    }

    /// Shows `sink` every placement of tiles from a rack that forms only words: each once, in no order to rely on.
    pub fn for_each_play(&self, rack_leaves: &RackLeaves, sink: impl FnMut(Play)) {
        self.for_each_play_while(rack_leaves, &|| true, sink);
    }

    /// [`Generator::all`] for as long as `keep_going`, which is asked now and then, says so.
    pub fn for_each_play_while(
        &self,
        rack_leaves: &RackLeaves,
        keep_going: &dyn Fn() -> bool,
        mut sink: impl FnMut(Play),
    ) {
        let side = self.field.side as u8;
        let opening = self.opening(rack_leaves);
        gaddag::placements(&self.field, &rack_leaves.rack, keep_going, &mut |found| {
            let cost = opening.map_or(Equity::ZERO, |opening| opening.worth_of(found));
            sink(Play {
                placement: found.placement(side),
                points: Points(found.points),
                equity: Equity::from_millis(found.equity(&rack_leaves.values)) + cost,
            });
        });
    }

    /// The best placement.
    pub fn best(&mut self, rack_leaves: &RackLeaves) -> Option<Play> {
        let mut best = BestPlaySink::new(self.field.side);
        self.search(rack_leaves, &mut best);
        best.play
    }

    /// The best `count` placements, best first.
    pub fn top(&mut self, rack_leaves: &RackLeaves, count: usize) -> Vec<Play> {
        let mut top = TopPlaysSink::new(self.field.side, count);
        self.search(rack_leaves, &mut top);
        top.into_plays()
    }

    /// Whether there is a placement worth more than `equity`.
    pub fn has_play_above(&mut self, rack_leaves: &RackLeaves, equity: Equity) -> bool {
        let mut above = AnyAboveSink::new(equity);
        self.search(rack_leaves, &mut above);
        above.found
    }

    /// What the next play costs: nothing unless it is the first.
    fn opening<'a>(&self, rack_leaves: &'a RackLeaves) -> Option<&'a OpeningPenalty> {
        rack_leaves
            .opening
            .as_ref()
            .filter(|_| self.field.is_empty())
    }

    /// Shows `sink` at least those placements that it cannot do without.
    fn search(&mut self, rack_leaves: &RackLeaves, sink: &mut impl PlaySink) {
        let opening = self.opening(rack_leaves);
        let sink = &mut PenalizingSink { opening, sink };
        match self.map_for(&rack_leaves.rack) {
            Some(map) => {
                self.prepare();
                self.best_first
                    .take_up(&self.field, map, &rack_leaves.rack, &rack_leaves.values);
                #[cfg(debug_assertions)]
                self.best_first.check_bounds(
                    &self.field,
                    &self.spots,
                    &rack_leaves.rack,
                    &rack_leaves.values,
                );
                self.best_first
                    .search(&self.field, &self.spots, map, ALL_LANES, sink);
            }
            None => {
                // However short the time, one placement is better than none.
                let any = Cell::new(false);
                let keep_going = || {
                    !any.get()
                        || self
                            .continue_check
                            .is_none_or(|continue_check| continue_check())
                };
                gaddag::placements(&self.field, &rack_leaves.rack, &keep_going, &mut |found| {
                    any.set(true);
                    let equity = found.equity(&rack_leaves.values);
                    if equity >= sink.threshold() {
                        sink.offer(found, equity);
                    }
                });
            }
        }
    }

    /// The word map, where searches with this rack can go by it.
    fn map_for(&self, rack: &TileCounts) -> Option<&'lex WordMap> {
        let small = rack.len() <= spots::MAX_SPOT_TILES.min(self.rack_size)
            && rack.count(Tile::BLANK) <= 2
            && self.field.factors_fit;
        self.words.map.filter(|_| small)
    }

    /// Whether all that is kept from play to play is as if it were made anew from these tiles.
    pub fn equals_rebuilt(&mut self, rules: &RuleSet, grid: &Grid) -> bool {
        let mut new = Generator::new(rules, self.words, grid);
        new.spots.prepare(&new.field, self.rack_size);
        self.spots.prepare(&self.field, self.rack_size);
        self.field.is_same(&new.field) && self.spots.is_same(&new.spots)
    }
}

/// Racks and bonus tables have a place for each number of tiles.
const _: () = assert!(RACK_SUBSETS == 1 << MAX_RACK && Axis::BOTH.len() == 2);
