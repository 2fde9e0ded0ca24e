//! What can be scored with which tiles, whoever holds them: every placement
//! of tiles from a whole pool, such as all that is unseen.
//!
//! One such walk says what every rack there is can score on a board, which is
//! how leave values are trained. It does not choose anything.

use super::Generator;
use super::field::Field;
use super::walk::{self, Found, Supply};
use crate::rules::MAX_RACK;
use crate::tiles::{Bunch, MAX_LETTERS, Tile};
use crate::units::Points;

/// How bunches of tiles are numbered: tile by tile, and so that the order does
/// not matter. No tiles are number 0.
pub trait Numbering: Copy {
    /// The number of the bunch `number` and one more tile. It is asked only
    /// for bunches that can be placed in one turn.
    fn and(&self, number: u32, tile: Tile) -> u32;
}

impl Generator<'_> {
    /// Shows `sink` what every placement of tiles from `pool` takes and
    /// scores, at most a rack full; the same tiles as often as there are ways.
    ///
    /// The walk places letters and lets the blanks stand for those that the
    /// pool has not; which squares have the blanks is then a matter of what
    /// they cost. To walk with the blanks finds the same in five times the time.
    pub fn from_pool(
        &self,
        pool: &Bunch,
        numbering: impl Numbering,
        mut sink: impl FnMut(u32, Points),
    ) {
        let supply = Pool::new(pool, self.rack_size);
        let mut blanking = Blanking {
            squares: [(0, 0); MAX_RACK],
            count: 0,
            room: supply.counts,
            numbering,
            sink: &mut sink,
        };
        walk::placements_from(&self.field, supply, &mut |found, _| {
            blanking.read(&self.field, found);
            blanking.from(0, 0, found.points);
        });
    }
}

/// Letters of which only so many can be placed, and of which a few may be missing.
#[derive(Clone, Copy)]
struct Pool {
    /// Below zero where blanks stand in.
    counts: [i16; MAX_LETTERS + 1],
    /// The letters that are there.
    letters: u32,
    /// How many more letters can be placed.
    left: usize,
    /// How many more letters can be missing.
    blanks: u8,
}

impl Pool {
    fn new(tiles: &Bunch, most: usize) -> Pool {
        let mut pool = Pool {
            counts: [0; MAX_LETTERS + 1],
            letters: 0,
            left: most.min(tiles.len()),
            blanks: tiles.count(Tile::BLANK),
        };
        for (tile, count) in tiles.kinds() {
            pool.counts[tile.number()] = count.into();
            if tile != Tile::BLANK {
                pool.letters |= 1 << (tile.number() - 1);
            }
        }
        pool
    }
}

impl Supply for Pool {
    #[inline]
    fn letters(&self) -> u32 {
        match (self.left, self.blanks) {
            (0, _) => 0,
            (_, 0) => self.letters,
            _ => u32::MAX,
        }
    }

    #[inline]
    fn has_blank(&self) -> bool {
        false
    }

    #[inline]
    fn is_spent(&self) -> bool {
        self.left == 0
    }

    #[inline]
    fn take(&mut self, tile: u8) {
        let number = usize::from(tile);
        self.counts[number] -= 1;
        self.left -= 1;
        match self.counts[number] {
            0 => self.letters &= !(1 << (number - 1)),
            ..0 => self.blanks -= 1,
            _ => {}
        }
    }

    #[inline]
    fn put(&mut self, tile: u8) {
        let number = usize::from(tile);
        match self.counts[number] {
            0 => self.letters |= 1 << (number - 1),
            ..0 => self.blanks += 1,
            _ => {}
        }
        self.counts[number] += 1;
        self.left += 1;
    }

    #[inline]
    fn kept(&self) -> u16 {
        0
    }
}

/// All ways to place some of the letters of a placement as blanks.
struct Blanking<'a, N, S> {
    /// Of each tile placed: its number, and the points that it brings in all.
    squares: [(u8, i32); MAX_RACK],
    count: usize,
    /// What the pool has of each tile, less those that are decided on.
    room: [i16; MAX_LETTERS + 1],
    numbering: N,
    sink: &'a mut S,
}

impl<N: Numbering, S: FnMut(u32, Points)> Blanking<'_, N, S> {
    fn read(&mut self, field: &Field, found: &Found) {
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
                self.from(at + 1, self.numbering.and(number, tile), points);
                self.room[kind] += 1;
            }
        }
    }
}
