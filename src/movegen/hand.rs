//! The rack as the fast generators see it: counts, and a bit for each tile
//! so that what is kept is a small number.
//!
//! A letter held m times has m neighbouring bits, and they are given up from
//! the highest down: equal kept tiles are always the same number.

use crate::rules::MAX_RACK;
use crate::tiles::{Bunch, MAX_LETTERS, Tile};

/// How many different numbers kept tiles can have.
pub(super) const KEEPS: usize = 1 << MAX_RACK;

/// The tiles that can be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    /// How many of each tile, by number; the blank is 0.
    pub counts: [u8; MAX_LETTERS + 1],
    /// The letters held other than as blanks.
    pub letters: u32,
    /// The bits of the tiles still held.
    pub kept: u16,
    /// The lowest bit of each tile.
    base: [u8; MAX_LETTERS + 1],
}

impl Hand {
    /// A rack of at most [`MAX_RACK`] tiles.
    pub fn new(rack: &Bunch) -> Hand {
        let mut hand = Hand {
            counts: [0; MAX_LETTERS + 1],
            letters: 0,
            kept: 0,
            base: [0; MAX_LETTERS + 1],
        };
        let mut next = 0;
        for (tile, count) in rack.kinds() {
            let number = tile.number();
            hand.base[number] = next;
            hand.counts[number] = count;
            next += count;
            if number > 0 {
                hand.letters |= 1 << (number - 1);
            }
        }
        hand.kept = ((1_u32 << next) - 1) as u16;
        hand
    }

    /// Gives up a tile that is held.
    #[inline]
    pub fn take(&mut self, tile: u8) {
        let number = usize::from(tile);
        self.counts[number] -= 1;
        self.kept ^= 1 << (self.base[number] + self.counts[number]);
        if self.counts[number] == 0 && number > 0 {
            self.letters ^= 1 << (number - 1);
        }
    }

    /// Takes a tile back.
    #[inline]
    pub fn put(&mut self, tile: u8) {
        let number = usize::from(tile);
        self.kept ^= 1 << (self.base[number] + self.counts[number]);
        self.counts[number] += 1;
        if number > 0 {
            self.letters |= 1 << (number - 1);
        }
    }

    /// The bit of copy number `copy` of a tile.
    #[inline]
    pub fn bit(&self, number: usize, copy: u8) -> u16 {
        1 << (self.base[number] + copy)
    }

    /// Whether these bits are how kept tiles are told: the lowest of each kind.
    pub fn is_kept(&self, bits: u16) -> bool {
        (0..=MAX_LETTERS)
            .filter(|&number| self.counts[number] > 1)
            .all(|number| {
                let own = bits >> self.base[number] & ((1 << self.counts[number]) - 1);
                own & (own + 1) == 0
            })
    }

    /// The tiles that some bits of a full hand tell.
    pub fn bunch(&self, bits: u16) -> Bunch {
        let held = |number: usize| {
            let own = bits >> self.base[number] & ((1 << self.counts[number]) - 1);
            own.count_ones() as usize
        };
        let tiles = (0..=MAX_LETTERS).filter_map(Tile::new);
        tiles
            .flat_map(|tile| std::iter::repeat_n(tile, held(tile.number())))
            .collect()
    }

    /// The number of a bunch of tiles kept from this hand.
    pub fn bits(&self, kept: &Bunch) -> u16 {
        let copies = |(tile, count): (Tile, u8)| (0..count).map(move |copy| (tile.number(), copy));
        kept.kinds()
            .flat_map(copies)
            .fold(0, |bits, (number, copy)| bits | self.bit(number, copy))
    }
}
