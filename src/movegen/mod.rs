//! Every legal turn of a position: all of them, or the best.
//!
//! [`plain`] is the definition of correct. [`Generator`] keeps a board from
//! play to play and is fast: all placements by walking the GADDAG (`walk`),
//! the best ones by bounds and the word map (`spots`, `best`). Where the word
//! map does not apply, the walk finds the best too, with the same answers.

mod best;
mod field;
mod hand;
mod lanes;
mod opening;
pub mod plain;
mod pool;
mod possible;
mod replies;
mod sink;
mod spots;
mod walk;

use crate::board::{Axis, Grid};
use crate::lexicon::{Graph, LeaveValues, WordMap};
use crate::rules::{MAX_RACK, Placement, RuleSet, Turn};
use crate::tiles::{Bunch, Tile};
use crate::units::{Equity, Points};
use best::{ALL_STRIPS, Hunter, Map, Sink};
use field::{Field, Undo};
use hand::{Hand, KEEPS};
pub use lanes::{Held, LanePlay, LaneSet, Lanes, Outgoing};
use opening::Costing;
pub use opening::Opening;
pub use pool::Numbering;
pub use possible::possible_words;
pub use replies::Replies;
use sink::{Above, Best, Top};
use std::cell::Cell;

/// A turn that can be taken, and what it scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
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
pub struct Keeps {
    rack: Bunch,
    hand: Hand,
    values: Box<[i32; KEEPS]>,
    opening: Option<Opening>,
}

impl Keeps {
    /// Asks `worth` for every different bunch of tiles that can be kept from
    /// `rack`: nothing, some, or all of it. First plays cost nothing.
    pub fn new(rack: &Bunch, worth: impl FnMut(&Bunch) -> Equity) -> Keeps {
        let mut keeps = Keeps::zero(None);
        keeps.set(rack, worth);
        keeps
    }

    /// Nothing to keep, and what a first play costs.
    pub fn zero(opening: Option<Opening>) -> Keeps {
        Keeps {
            rack: Bunch::EMPTY,
            hand: Hand::new(&Bunch::EMPTY),
            values: Box::new([0; KEEPS]),
            opening,
        }
    }

    /// Another rack, of which every part is worth what `worth` says.
    pub fn set(&mut self, rack: &Bunch, mut worth: impl FnMut(&Bunch) -> Equity) {
        self.set_zero(rack);
        for kept in std::iter::once(Bunch::EMPTY).chain(rack.parts()) {
            self.values[usize::from(self.hand.bits(&kept))] = worth(&kept).millis();
        }
    }

    /// Another rack, of which nothing is worth anything.
    pub fn set_zero(&mut self, rack: &Bunch) {
        (self.rack, self.hand) = (*rack, Hand::new(rack));
        self.values[..1 << rack.len().min(MAX_RACK)].fill(0);
    }

    /// Takes the values of another rack's tiles from a table, and zero where it has none.
    pub fn set_leaves(&mut self, rack: &Bunch, leaves: &LeaveValues) {
        self.set_zero(rack);
        let Keeps { hand, values, .. } = self;
        let bit = |tile: Tile, copy| hand.bit(tile.number(), copy);
        leaves.parts(rack, bit, |bits, value| {
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
    pub fn best_kept(
        &self,
        fewest: usize,
        most: usize,
        more: impl Fn(usize) -> Equity,
    ) -> Option<(Bunch, Equity)> {
        let all = (1_u32 << self.rack.len()) - 1;
        let count = |bits: u32| bits.count_ones() as usize;
        let worth = |bits: u32| self.values[bits as usize] + more(count(bits)).millis();
        let best = (0..=all)
            .filter(|&bits| (fewest..=most).contains(&count(bits)))
            .filter(|&bits| self.hand.is_kept(bits as u16))
            .max_by_key(|&bits| (worth(bits), std::cmp::Reverse(bits)))?;
        let equity = Equity::from_millis(worth(best));
        Some((self.hand.bunch(best as u16), equity))
    }

    /// No part of the rack is worth more if it is kept.
    pub fn most(&self) -> Equity {
        let values = &self.values[..1 << self.rack.len().min(MAX_RACK)];
        Equity::from_millis(values.iter().copied().max().unwrap_or(0))
    }

    /// The rack that the tiles are kept from.
    pub fn rack(&self) -> &Bunch {
        &self.rack
    }

    /// What these tiles of the rack are worth.
    pub fn worth(&self, kept: &Bunch) -> Equity {
        Equity::from_millis(self.values[usize::from(self.hand.bits(kept))])
    }
}

/// A board that is kept from play to play, and the plays on it.
#[derive(Clone)]
pub struct Generator<'lex> {
    words: Words<'lex>,
    field: Field<'lex>,
    spots: Map,
    hunter: Hunter,
    rack_size: usize,
    /// Asked now and then by searches that go by the graph.
    patience: Option<Patience<'lex>>,
}

/// Says whether a search that takes long should go on.
pub type Patience<'a> = &'a (dyn Fn() -> bool + Sync);

/// What a play changes: the way to the other side of it, back and forth.
#[derive(Clone)]
pub struct Change {
    undo: Undo,
    spots: best::Other,
}

impl<'lex> Generator<'lex> {
    /// On the board of a rule set with these tiles.
    pub fn new(rules: &RuleSet, words: Words<'lex>, grid: &Grid) -> Generator<'lex> {
        let field = Field::with_grid(rules, words.graph, grid);
        Generator {
            words,
            field,
            spots: Map::new(usize::from(rules.board.side())),
            hunter: Hunter::default(),
            rack_size: rules.rack_size,
            patience: None,
        }
    }

    /// Lets searches for the best end early, with the best found until then:
    /// with racks for which the word map is of no use they can take a second.
    #[must_use]
    pub fn with_patience(self, patience: Patience<'lex>) -> Generator<'lex> {
        Generator {
            patience: Some(patience),
            ..self
        }
    }

    /// Whether no tile lies on the board.
    pub fn is_empty(&self) -> bool {
        self.field.is_empty()
    }

    /// Lays the tiles of a placement that fits, for good.
    pub fn lay(&mut self, placement: &Placement) {
        let undo = self.field.play(placement);
        self.spots.forget(&undo);
    }

    /// Lays the tiles of a placement that fits; with what that changed it can be taken back.
    pub fn play(&mut self, placement: &Placement) -> Change {
        let undo = self.field.play(placement);
        let spots = self.spots.set_aside(&undo);
        Change { undo, spots }
    }

    /// Takes back the play made last.
    pub fn take_back(&mut self, mut change: Change) {
        self.swap(&mut change);
        self.spots.recycle(change.spots);
    }

    /// Takes back the play made last, or makes it again. Nothing is worked
    /// out twice, which is what makes it fast to go to and fro.
    pub fn swap(&mut self, change: &mut Change) {
        self.field.swap(&mut change.undo);
        self.spots.swap(&change.undo, &mut change.spots);
    }

    /// Works out now what the next search on this board needs, so that a
    /// [`Change`] has it ready.
    pub fn prepare(&mut self) {
        self.spots.prepare(&self.field, self.rack_size);
    }

    /// Shows `sink` every placement of tiles from a rack that forms only words: each once, in no order to rely on.
    pub fn all(&self, keeps: &Keeps, sink: impl FnMut(Play)) {
        self.all_while(keeps, &|| true, sink);
    }

    /// [`Generator::all`] for as long as `go_on`, which is asked now and then, says so.
    pub fn all_while(&self, keeps: &Keeps, go_on: &dyn Fn() -> bool, mut sink: impl FnMut(Play)) {
        let side = self.field.side as u8;
        let opening = self.opening(keeps);
        walk::placements(&self.field, &keeps.rack, go_on, &mut |found| {
            let cost = opening.map_or(Equity::ZERO, |opening| opening.worth_of(found));
            sink(Play {
                placement: found.placement(side),
                points: Points(found.points),
                equity: Equity::from_millis(found.equity(&keeps.values)) + cost,
            });
        });
    }

    /// The best placement.
    pub fn best(&mut self, keeps: &Keeps) -> Option<Play> {
        let mut best = Best::new(self.field.side);
        self.search(keeps, &mut best);
        best.play
    }

    /// The best `count` placements, best first.
    pub fn top(&mut self, keeps: &Keeps, count: usize) -> Vec<Play> {
        let mut top = Top::new(self.field.side, count);
        self.search(keeps, &mut top);
        top.into_plays()
    }

    /// Whether there is a placement worth more than `equity`.
    pub fn has_above(&mut self, keeps: &Keeps, equity: Equity) -> bool {
        let mut above = Above::new(equity);
        self.search(keeps, &mut above);
        above.found
    }

    /// What the next play costs: nothing unless it is the first.
    fn opening<'a>(&self, keeps: &'a Keeps) -> Option<&'a Opening> {
        keeps.opening.as_ref().filter(|_| self.field.is_empty())
    }

    /// Shows `sink` at least those placements that it cannot do without.
    fn search(&mut self, keeps: &Keeps, sink: &mut impl Sink) {
        let opening = self.opening(keeps);
        let sink = &mut Costing { opening, sink };
        match self.map_for(&keeps.rack) {
            Some(map) => {
                self.prepare();
                self.hunter
                    .take_up(&self.field, map, &keeps.rack, &keeps.values);
                #[cfg(debug_assertions)]
                self.hunter
                    .check_bounds(&self.field, &self.spots, &keeps.rack, &keeps.values);
                self.hunter
                    .search(&self.field, &self.spots, map, ALL_STRIPS, sink);
            }
            None => {
                // However short the time, one placement is better than none.
                let any = Cell::new(false);
                let go_on = || !any.get() || self.patience.is_none_or(|patience| patience());
                walk::placements(&self.field, &keeps.rack, &go_on, &mut |found| {
                    any.set(true);
                    let equity = found.equity(&keeps.values);
                    if equity >= sink.threshold() {
                        sink.offer(found, equity);
                    }
                });
            }
        }
    }

    /// The word map, where searches with this rack can go by it.
    fn map_for(&self, rack: &Bunch) -> Option<&'lex WordMap> {
        let small = rack.len() <= spots::WIDTH.min(self.rack_size)
            && rack.count(Tile::BLANK) <= 2
            && self.field.compact;
        self.words.map.filter(|_| small)
    }

    /// Whether all that is kept from play to play is as if it were made anew from these tiles.
    pub fn is_as_new(&mut self, rules: &RuleSet, grid: &Grid) -> bool {
        let mut new = Generator::new(rules, self.words, grid);
        new.spots.prepare(&new.field, self.rack_size);
        self.spots.prepare(&self.field, self.rack_size);
        self.field.is_same(&new.field) && self.spots.is_same(&new.spots)
    }
}

/// Racks and bonus tables have a place for each number of tiles.
const _: () = assert!(KEEPS == 1 << MAX_RACK && Axis::BOTH.len() == 2);
