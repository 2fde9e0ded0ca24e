//! What can be scored with which tiles, whoever holds them: every placement
//! of tiles from a whole pool, such as all that is unseen.
//!
//! One such walk says what every rack there is can score on a board, which is
//! how leave values are trained. It does not choose anything.

use super::Generator;
use super::cross_board::CrossBoard;
use super::gaddag::{self, RawPlacement, TileSource};
use crate::rules::MAX_RACK;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};
use crate::units::Points;

/// How bunches of tiles are numbered: tile by tile, and so that the order does
/// not matter. No tiles are number 0.
pub trait MultisetNumbering: Copy {
    /// The number of the bunch `number` and one more tile. It is asked only
    /// for bunches that can be placed in one turn.
    fn with_tile(&self, number: u32, tile: Tile) -> u32;
}

impl Generator<'_> {
    /// Shows `sink` what every placement of tiles from `pool` takes and
    /// scores, at most a rack full; the same tiles as often as there are ways.
    ///
    /// The walk places letters and lets the blanks stand for those that the
    /// pool has not; which squares have the blanks is then a matter of what
    /// they cost. To walk with the blanks finds the same in five times the time.
    pub fn pool_placements(
        &self,
        pool: &TileCounts,
        numbering: impl MultisetNumbering,
        mut sink: impl FnMut(u32, Points),
    ) {
        let mut blanking = BlankAssignment {
            squares: [(0, 0); MAX_RACK],
            count: 0,
            room: [0; MAX_LETTERS + 1],
            numbering,
            sink: &mut sink,
        };
        for (tile, count) in pool.kinds() {
            blanking.room[tile.number()] = count;
        }
        let held = PoolCounts::new(pool, self.rack_size);
        gaddag::placements_from(&self.field, &PoolSource, held, &|| true, &mut |found, _| {
            blanking.read(&self.field, &found);
            blanking.from(0, 0, found.points);
        });
    }
}

/// Letters of which only so many can be placed, and of which a few may be missing.
pub(super) struct PoolSource;

/// A pool may have more of a letter, but no more are placed.
pub(super) const MAX_COUNT_PER_LETTER: u8 = 15;

/// What a walk still holds of a pool.
#[derive(Clone, Copy)]
pub(super) struct PoolCounts {
    /// How many of each letter, four bits each.
    counts: u128,
    /// The letters that are there.
    letters: u32,
    /// How many more letters can be placed.
    left: u8,
    /// How many more letters can be missing.
    blanks: u8,
}

impl PoolCounts {
    /// For at most so many letters.
    pub fn new(pool: &TileCounts, most: usize) -> PoolCounts {
        let mut held = PoolCounts {
            counts: 0,
            letters: 0,
            left: most.min(pool.len()) as u8,
            blanks: pool.count(Tile::BLANK),
        };
        for (tile, count) in pool.kinds().filter(|(tile, _)| *tile != Tile::BLANK) {
            let place = tile.number() - 1;
            held.counts |= u128::from(count.min(MAX_COUNT_PER_LETTER)) << (place * 4);
            held.letters |= 1 << place;
        }
        held
    }
}

// More are never placed in a turn.
const _: () = assert!(MAX_RACK <= MAX_COUNT_PER_LETTER as usize);

impl TileSource for PoolSource {
    type Remaining = PoolCounts;

    #[inline]
    fn letters(&self, held: PoolCounts) -> u32 {
        match (held.left, held.blanks) {
            (0, _) => 0,
            (_, 0) => held.letters,
            _ => u32::MAX,
        }
    }

    #[inline]
    fn letter(&self, mut held: PoolCounts, number: u8) -> Option<PoolCounts> {
        let place = usize::from(number - 1);
        held.left -= 1;
        match (held.counts >> (place * 4)) as u8 & 15 {
            0 => held.blanks -= 1,
            count => {
                held.counts -= 1 << (place * 4);
                held.letters ^= u32::from(count == 1) << place;
            }
        }
        Some(held)
    }

    #[inline]
    fn blank(&self, _: PoolCounts) -> Option<PoolCounts> {
        None
    }
}

/// All ways to place some of the letters of a placement as blanks.
struct BlankAssignment<'a, N, S> {
    /// Of each tile placed: its number, and the points that it brings in all.
    squares: [(u8, i32); MAX_RACK],
    count: usize,
    /// What the pool has of each tile, less those that are decided on.
    room: [u8; MAX_LETTERS + 1],
    numbering: N,
    sink: &'a mut S,
}

impl<N: MultisetNumbering, S: FnMut(u32, Points)> BlankAssignment<'_, N, S> {
    fn read(&mut self, field: &CrossBoard, found: &RawPlacement) {
        let strip = &field.strips[found.axis as usize][found.lane];
        let ground = &field.ground[found.axis as usize][found.lane];
        let placed = || {
            (found.first..)
                .zip(found.cells)
                .filter(|(_, cell)| **cell != 0)
        };
        let word: i32 = placed()
            .map(|(at, _)| i32::from(ground.word_factor[at]))
            .product();
        self.count = 0;
        for (at, &cell) in placed() {
            let across = (strip.crossed >> at & 1) as i32 * i32::from(ground.word_factor[at]);
            let times = i32::from(ground.letter_factor[at]) * (word + across);
            self.squares[self.count] = (cell, i32::from(field.cell_points(cell)) * times);
            self.count += 1;
        }
    }

    /// Decides on the tiles from number `at` on; those before have this number as a bunch.
    fn from(&mut self, at: usize, number: u32, points: i32) {
        if at == self.count {
            (self.sink)(number, Points(points));
            return;
        }
        let (cell, value) = self.squares[at];
        for (kind, points) in [(cell, points), (0, points - value)] {
            let kind = usize::from(kind);
            if self.room[kind] > 0
                && let Some(tile) = Tile::new(kind)
            {
                self.room[kind] -= 1;
                self.from(at + 1, self.numbering.with_tile(number, tile), points);
                self.room[kind] += 1;
            }
        }
    }
}
