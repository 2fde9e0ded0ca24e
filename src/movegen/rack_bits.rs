//! The rack as the fast generators see it: counts, and a bit for each tile
//! so that what is kept is a small number.
//!
//! A letter held m times has m neighbouring bits, and they are given up from
//! the highest down: equal kept tiles are always the same number.

use super::gaddag::TileSource;
use crate::rules::MAX_RACK;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};

/// How many different numbers kept tiles can have.
pub(super) const RACK_SUBSETS: usize = 1 << MAX_RACK;

/// The tiles that can be placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct RackBits {
    /// How many of each tile, by number; the blank is 0.
    pub counts: [u8; MAX_LETTERS + 1],
    /// The letters held other than as blanks.
    pub letters: u32,
    /// The bits of the tiles still held.
    pub kept: u16,
    /// The lowest bit of each tile.
    base: [u8; MAX_LETTERS + 1],
}

impl RackBits {
    /// A rack of at most [`MAX_RACK`] tiles.
    pub fn new(rack: &TileCounts) -> RackBits {
        let mut hand = RackBits {
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

    /// The bit of copy number `copy` of a tile.
    #[inline]
    pub fn bit(&self, number: usize, copy: u8) -> u16 {
        1 << (self.base[number] + copy)
    }

    /// Whether these bits are how kept tiles are told: the lowest of each kind.
    pub fn is_canonical(&self, bits: u16) -> bool {
        (0..=MAX_LETTERS)
            .filter(|&number| self.counts[number] > 1)
            .all(|number| {
                let own = bits >> self.base[number] & ((1 << self.counts[number]) - 1);
                own & (own + 1) == 0
            })
    }

    /// The tiles that some bits of a full hand tell.
    pub fn bunch(&self, bits: u16) -> TileCounts {
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
    pub fn bits(&self, kept: &TileCounts) -> u16 {
        let copies = |(tile, count): (Tile, u8)| (0..count).map(move |copy| (tile.number(), copy));
        kept.kinds()
            .flat_map(copies)
            .fold(0, |bits, (number, copy)| bits | self.bit(number, copy))
    }
}

/// A rack for a walk: what is held is the bits of a [`RackBits`], passed on by value.
pub(super) struct RackSource {
    /// The bits of each tile, by number; the blank is 0.
    own: [u16; MAX_LETTERS + 1],
    /// By bits held: the letters that can be placed, as themselves or as blanks.
    letters: [u32; RACK_SUBSETS],
    all: u16,
}

impl RackSource {
    /// A rack of at most [`MAX_RACK`] tiles.
    pub fn new(rack: &TileCounts) -> RackSource {
        let hand = RackBits::new(rack);
        let mut holding = RackSource {
            own: [0; MAX_LETTERS + 1],
            letters: [0; RACK_SUBSETS],
            all: hand.kept,
        };
        for (tile, count) in rack.kinds() {
            let number = tile.number();
            let letters = match number {
                0 => u32::MAX,
                number => 1 << (number - 1),
            };
            for copy in 0..count {
                let bit = hand.bit(number, copy);
                holding.own[number] |= bit;
                // With this bit as the highest: what there is without it, and its own.
                let bit = usize::from(bit);
                for rest in 0..bit {
                    holding.letters[bit | rest] = holding.letters[rest] | letters;
                }
            }
        }
        holding
    }

    /// The whole rack.
    pub fn all(&self) -> u16 {
        self.all
    }

    /// The letters that can be placed of these tiles.
    pub fn letters_of(&self, held: u16) -> u32 {
        self.letters[usize::from(held)]
    }

    /// The bits of each kind of which there is more than one tile.
    pub fn pairs(&self) -> impl Iterator<Item = u16> + '_ {
        let own = self.own.iter().copied();
        own.filter(|own| own.count_ones() > 1)
    }

    /// What is held without the highest copy of a tile, if there is one.
    #[inline]
    fn without(&self, held: u16, number: usize) -> Option<u16> {
        let own = held & self.own[number];
        let highest = own & !(own >> 1);
        (own != 0).then_some(held ^ highest)
    }
}

impl TileSource for RackSource {
    type Remaining = u16;

    #[inline]
    fn letters(&self, held: u16) -> u32 {
        self.letters[usize::from(held)]
    }

    #[inline]
    fn letter(&self, held: u16, number: u8) -> Option<u16> {
        self.without(held, usize::from(number))
    }

    #[inline]
    fn blank(&self, held: u16) -> Option<u16> {
        self.without(held, 0)
    }
}
