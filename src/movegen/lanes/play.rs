//! A play in one lane, in the compact form that endgame search stores.

use super::RackSubset;
use crate::board::{Axis, MAX_SIDE};
use crate::movegen::cross_board::bits;
use crate::movegen::gaddag::RawPlacement;
use crate::rules::MAX_RACK;
use crate::seed;

/// A play in a lane.
#[derive(Clone, Copy, Debug)]
pub struct LanePlay {
    /// Zobrist hash of the tiles and their squares: equal for the same tiles on
    /// the same squares.
    pub key: u64,
    /// The squares of its lane on which tiles are placed, a bit each.
    pub(super) squares: u32,
    /// Its points.
    pub points: i32,
    /// The tiles it takes from the rack.
    pub used: RackSubset,
    /// Its axis and the number of its lane, see [`AXIS_SHIFT`].
    lane: u8,
    /// The tiles placed, in the order of their squares.
    cells: [u8; MAX_RACK],
}

/// The bits of [`LanePlay::lane`] below the axis: enough for the largest board.
const AXIS_SHIFT: u32 = 5;
const _: () = assert!(MAX_SIDE <= 1 << AXIS_SHIFT);

impl LanePlay {
    /// From a placement that takes the tiles `used`.
    pub(super) fn new(found: &RawPlacement, used: RackSubset, side: usize) -> LanePlay {
        let (mut squares, mut key, mut cells, mut count) = (0, 0, [0; MAX_RACK], 0);
        for (at, cell) in (found.first..).zip(found.cells) {
            if *cell != 0 {
                squares |= 1 << at;
                cells[count] = *cell;
                count += 1;
                let square = match found.axis {
                    Axis::Across => found.lane * side + at,
                    Axis::Down => at * side + found.lane,
                };
                key ^= hash_of_number((square << 8 | usize::from(*cell)) as u64);
            }
        }
        LanePlay {
            key,
            squares,
            points: found.points,
            used,
            lane: (found.axis as u8) << AXIS_SHIFT | found.lane as u8,
            cells,
        }
    }

    /// The number of tiles it places.
    pub(crate) fn tiles_used(&self) -> usize {
        self.used.count_ones() as usize
    }

    pub(super) fn axis(&self) -> Axis {
        Axis::BOTH[usize::from(self.lane >> AXIS_SHIFT)]
    }

    /// The number of its lane among those of the same axis.
    pub(super) fn lane(&self) -> usize {
        usize::from(self.lane & ((1 << AXIS_SHIFT) - 1))
    }

    /// The squares of its lane and the cells placed on them.
    pub(super) fn tiles(&self) -> impl Iterator<Item = (usize, u8)> + Clone {
        bits(self.squares).zip(self.cells)
    }
}

/// The hash of a small number.
pub(super) fn hash_of_number(n: u64) -> u64 {
    // The offset avoids that 0 hashes to 0. It is 2^64 divided by the golden ratio.
    seed::mix(n.wrapping_add(0x9E37_79B9_7F4A_7C15))
}
