//! The value of every leave of one rack, looked up by bit mask.
//!
//! `eval` fills a [`RackLeaves`] once per turn: from a table of leave values,
//! from a function, or with zeros. The generator then finds the leave value of
//! each placement with one array access. This module does not say what a leave
//! is worth; it only stores the answer.

use super::rack_bits::{RACK_SUBSETS, RackBits};
use super::{BlankPenalty, OpeningPenalty};
use crate::lexicon::{LeaveExtension, LeaveValues, MAX_LEAVE_POINTS};
use crate::rules::MAX_RACK;
use crate::tiles::{Tile, TileCounts};
use crate::units::Equity;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// The most parts of one size that a leave has: eight tiles have 70 parts of four. So a sum of values
/// fits 32 bits.
const MAX_PARTS: i64 = 70;
const _: () =
    assert!(MAX_RACK == 9 && MAX_PARTS * MAX_LEAVE_POINTS as i64 * 1_000 <= i32::MAX as i64);

/// The values of all leaves of one rack, and the penalties for a first play and for blanks.
#[derive(Clone)]
pub struct RackLeaves {
    pub(super) rack: TileCounts,
    pub(super) rack_bits: RackBits,
    /// In thousandths of a point, by the bit mask of the leave.
    pub(super) values: Box<[i32; RACK_SUBSETS]>,
    pub(super) opening: Option<OpeningPenalty>,
    pub(super) blanks: Option<BlankPenalty>,
}

impl RackLeaves {
    /// Asks `value` for every leave of `rack`, from no tile to the whole rack.
    /// First plays have no penalty.
    pub fn new(rack: &TileCounts, value: impl FnMut(&TileCounts) -> Equity) -> RackLeaves {
        let mut rack_leaves = RackLeaves::empty(None);
        rack_leaves.set(rack, value);
        rack_leaves
    }

    /// An empty rack, with the penalty for first plays.
    pub fn empty(opening: Option<OpeningPenalty>) -> RackLeaves {
        RackLeaves {
            rack: TileCounts::EMPTY,
            rack_bits: RackBits::new(&TileCounts::EMPTY),
            values: Box::new([0; RACK_SUBSETS]),
            opening,
            blanks: None,
        }
    }

    /// Switches to another rack and asks `value` for each of its leaves.
    pub fn set(&mut self, rack: &TileCounts, mut value: impl FnMut(&TileCounts) -> Equity) {
        self.set_zero(rack);
        for leave in std::iter::once(TileCounts::EMPTY).chain(rack.nonempty_subsets()) {
            self.values[usize::from(self.rack_bits.mask(&leave))] = value(&leave).millis();
        }
    }

    /// Switches to another rack whose leaves are all worth zero.
    pub fn set_zero(&mut self, rack: &TileCounts) {
        (self.rack, self.rack_bits) = (*rack, RackBits::new(rack));
        self.values[..1 << rack.len().min(MAX_RACK)].fill(0);
    }

    /// Switches to another rack with the values of a table. A leave that the
    /// table lacks is worth zero, and so is the whole rack.
    pub(crate) fn set_from_table(&mut self, rack: &TileCounts, table: &LeaveValues) {
        self.set_zero(rack);
        let RackLeaves {
            rack_bits, values, ..
        } = self;
        let bit = |tile: Tile, copy| rack_bits.bit(tile.number(), copy);
        table.for_each_leave(rack, bit, |mask, value| {
            values[usize::from(mask)] = value.millis()
        });
        if let Some(extension) = table.extension().filter(|it| it.from + 1 < rack.len()) {
            self.extend(extension);
        }
    }

    /// Adds the values of the leaves that have more tiles than those of a table, except of the
    /// whole rack: [`LeaveValues::value`] for all of them at once. The sum over the parts of a leave
    /// is made of the sums for the leaves with one tile less. Each part of j tiles of a leave of k
    /// tiles is in k - j of these.
    fn extend(&mut self, extension: LeaveExtension) {
        let kinds: SmallVec<[u16; MAX_RACK]> = self.rack_bits.copies_of_each().collect();
        // For each leave, the sum over its parts of `from` tiles, and of one tile less.
        let (mut top, mut below) = ([0; RACK_SUBSETS], [0; RACK_SUBSETS]);
        for mask in 1..self.rack_bits.all {
            let (at, size) = (usize::from(mask), mask.count_ones() as usize);
            let Some(more) = (size + 1).checked_sub(extension.from) else {
                continue;
            };
            let (mut top_sum, mut below_sum, mut is_canonical) = (0, 0, true);
            for kind in &kinds {
                let copies = mask & kind;
                // Adding the lowest bit of a run from there changes all its bits.
                is_canonical &= copies & (copies + (kind & kind.wrapping_neg())) == 0;
                let smaller = usize::from(mask ^ (copies & !(copies >> 1)));
                let ways = copies.count_ones() as i32;
                top_sum += ways * top[smaller];
                below_sum += ways * below[smaller];
            }
            if !is_canonical {
                continue;
            }
            match more {
                0 => below[at] = self.values[at],
                1 => (top[at], below[at]) = (self.values[at], below_sum),
                more => {
                    let more = more as i32;
                    (top[at], below[at]) = (top_sum / (more - 1), below_sum / more);
                    let value = extension.value(size, top[at].into(), below[at].into());
                    self.values[at] = value.millis();
                }
            }
        }
    }

    /// Sets the penalty for blanks, which does not change with the rack.
    pub fn set_blank_penalty(&mut self, blanks: Option<BlankPenalty>) {
        self.blanks = blanks;
    }

    /// Replaces each value by `change(value, sum of `part` over the tiles of the leave)`.
    pub(crate) fn adjust_by_tiles(
        &mut self,
        part: impl Fn(Tile) -> Equity,
        change: impl Fn(Equity, Equity) -> Equity,
    ) {
        let mut parts = [Equity::ZERO; MAX_RACK];
        for (tile, held) in self.rack.kinds() {
            for copy in 0..held {
                let bit = self.rack_bits.bit(tile.number(), copy);
                parts[bit.trailing_zeros() as usize] = part(tile);
            }
        }
        for mask in 0..1_usize << self.rack.len().min(MAX_RACK) {
            let bits = (0..MAX_RACK).filter(|bit| mask >> bit & 1 == 1);
            let sum = bits.fold(Equity::ZERO, |sum, bit| sum + parts[bit]);
            self.values[mask] = change(Equity::from_millis(self.values[mask]), sum).millis();
        }
    }

    /// Replaces each value by `change(value, number of tiles in the leave)`.
    pub(crate) fn adjust(&mut self, change: impl Fn(Equity, usize) -> Equity) {
        let tiles = self.rack.len().min(MAX_RACK);
        for (mask, value) in self.values[..1 << tiles].iter_mut().enumerate() {
            let kept = mask.count_ones() as usize;
            *value = change(Equity::from_millis(*value), kept).millis();
        }
    }

    /// The most valuable leave of at least `min_tiles` and at most `max_tiles`
    /// tiles, with its value. `bonus` is added by number of tiles kept. Of
    /// equally valuable leaves it is the one with the lowest bit mask.
    pub(crate) fn best_leave(
        &self,
        min_tiles: usize,
        max_tiles: usize,
        bonus: impl Fn(usize) -> Equity,
    ) -> Option<(TileCounts, Equity)> {
        let all = (1_u32 << self.rack.len()) - 1;
        let count = |mask: u32| mask.count_ones() as usize;
        let value = |mask: u32| self.values[mask as usize] + bonus(count(mask)).millis();
        let best = (0..=all)
            .filter(|&mask| (min_tiles..=max_tiles).contains(&count(mask)))
            .filter(|&mask| self.rack_bits.is_canonical(mask as u16))
            .max_by_key(|&mask| (value(mask), Reverse(mask)))?;
        let equity = Equity::from_millis(value(best));
        Some((self.rack_bits.tiles(best as u16), equity))
    }

    /// The value of the least valuable leave.
    pub(crate) fn min_value(&self) -> Equity {
        let masks = 0..1_u16 << self.rack.len().min(MAX_RACK);
        let canonical = masks.filter(|&mask| self.rack_bits.is_canonical(mask));
        let values = canonical.map(|mask| self.values[usize::from(mask)]);
        Equity::from_millis(values.min().unwrap_or(0))
    }

    /// The value of the most valuable leave.
    pub fn max_value(&self) -> Equity {
        let values = &self.values[..1 << self.rack.len().min(MAX_RACK)];
        Equity::from_millis(values.iter().copied().max().unwrap_or(0))
    }

    /// The value of one leave of the rack.
    pub fn value(&self, leave: &TileCounts) -> Equity {
        Equity::from_millis(self.values[usize::from(self.rack_bits.mask(leave))])
    }
}
