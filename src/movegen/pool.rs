//! What can be scored with which tiles, whoever holds them: every placement
//! of tiles from a whole pool, such as all that is unseen.
//!
//! One such walk says what every rack there is can score on a board, which is
//! how leave values are trained. It does not choose anything.

use super::Generator;
use super::walk::{self, Supply};
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
    pub fn from_pool(
        &self,
        pool: &Bunch,
        numbering: impl Numbering,
        mut sink: impl FnMut(u32, Points),
    ) {
        let supply = Pool::new(pool, self.rack_size, numbering);
        walk::placements_from(&self.field, supply, &mut |found, pool| {
            sink(pool.numbers[pool.taken], Points(found.points));
        });
    }
}

/// Tiles of which only so many can be placed.
#[derive(Clone, Copy)]
struct Pool<N> {
    counts: [u8; MAX_LETTERS + 1],
    /// The letters that are there.
    letters: u32,
    taken: usize,
    most: usize,
    /// The number of the tiles taken, after each of them.
    numbers: [u32; MAX_RACK + 1],
    numbering: N,
}

impl<N: Numbering> Pool<N> {
    fn new(tiles: &Bunch, most: usize, numbering: N) -> Pool<N> {
        let mut pool = Pool {
            counts: [0; MAX_LETTERS + 1],
            letters: 0,
            taken: 0,
            most: most.min(tiles.len()),
            numbers: [0; MAX_RACK + 1],
            numbering,
        };
        for (tile, count) in tiles.kinds() {
            pool.counts[tile.number()] = count;
            if tile != Tile::BLANK {
                pool.letters |= 1 << (tile.number() - 1);
            }
        }
        pool
    }
}

impl<N: Numbering> Supply for Pool<N> {
    #[inline]
    fn letters(&self) -> u32 {
        if self.is_spent() { 0 } else { self.letters }
    }

    #[inline]
    fn has_blank(&self) -> bool {
        !self.is_spent() && self.counts[0] > 0
    }

    #[inline]
    fn is_spent(&self) -> bool {
        self.taken == self.most
    }

    #[inline]
    fn take(&mut self, tile: u8) {
        let number = usize::from(tile);
        self.counts[number] -= 1;
        if self.counts[number] == 0 && number > 0 {
            self.letters ^= 1 << (number - 1);
        }
        let before = self.numbers[self.taken];
        self.taken += 1;
        self.numbers[self.taken] = match Tile::new(number) {
            Some(tile) => self.numbering.and(before, tile),
            None => before,
        };
    }

    #[inline]
    fn put(&mut self, tile: u8) {
        let number = usize::from(tile);
        self.counts[number] += 1;
        if number > 0 {
            self.letters |= 1 << (number - 1);
        }
        self.taken -= 1;
    }

    #[inline]
    fn kept(&self) -> u16 {
        0
    }
}
