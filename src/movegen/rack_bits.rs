//! The rack as bit masks: each tile has a bit, so that a subset of the rack,
//! such as a leave, is a small number.
//!
//! A letter held m times has m adjacent bits, and a subset with k of them always
//! uses the lowest k. So equal subsets have equal masks. [`RackBits`] translates
//! between tiles and masks; [`RackSource`] feeds a GADDAG traversal from a mask.

use super::gaddag::TileSource;
use crate::rules::MAX_RACK;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};

/// The number of masks, and so of subsets, that the largest rack can have.
pub(super) const RACK_SUBSETS: usize = 1 << MAX_RACK;

/// Which bits stand for which tiles of a rack.
#[derive(Clone, Copy, Debug)]
pub(super) struct RackBits {
    /// The number of copies of each tile, by tile number; the blank is 0.
    pub counts: [u8; MAX_LETTERS + 1],
    /// The letters on the rack, a bit each, without blanks.
    pub letters: u32,
    /// The mask of the whole rack.
    pub all: u16,
    /// The number of the lowest bit of each tile.
    base: [u8; MAX_LETTERS + 1],
}

impl RackBits {
    /// For a rack of at most [`MAX_RACK`] tiles.
    pub fn new(rack: &TileCounts) -> RackBits {
        let mut rack_bits = RackBits {
            counts: [0; MAX_LETTERS + 1],
            letters: 0,
            all: 0,
            base: [0; MAX_LETTERS + 1],
        };
        let mut next = 0;
        for (tile, count) in rack.kinds() {
            let number = tile.number();
            rack_bits.base[number] = next;
            rack_bits.counts[number] = count;
            next += count;
            if number > 0 {
                rack_bits.letters |= 1 << (number - 1);
            }
        }
        rack_bits.all = ((1_u32 << next) - 1) as u16;
        rack_bits
    }

    /// The bit of copy number `copy` of a tile.
    #[inline]
    pub fn bit(&self, number: usize, copy: u8) -> u16 {
        1 << (self.base[number] + copy)
    }

    /// The mask of all copies of each tile of the rack.
    pub fn copies_of_each(&self) -> impl Iterator<Item = u16> + '_ {
        let held = (0..=MAX_LETTERS).filter(|&number| self.counts[number] > 0);
        held.map(|number| ((1 << self.counts[number]) - 1) << self.base[number])
    }

    /// The bits that a mask has for one tile, shifted to the lowest place.
    fn copies(&self, mask: u16, number: usize) -> u16 {
        mask >> self.base[number] & ((1 << self.counts[number]) - 1)
    }

    /// Whether a mask contains the lowest bits of each tile, as all subsets do.
    pub fn is_canonical(&self, mask: u16) -> bool {
        (0..=MAX_LETTERS)
            .filter(|&number| self.counts[number] > 1)
            .all(|number| {
                let copies = self.copies(mask, number);
                copies & (copies + 1) == 0
            })
    }

    /// The tiles of a mask.
    pub fn tiles(&self, mask: u16) -> TileCounts {
        let count = |tile: Tile| self.copies(mask, tile.number()).count_ones() as usize;
        let tiles = (0..=MAX_LETTERS).filter_map(Tile::new);
        tiles
            .flat_map(|tile| std::iter::repeat_n(tile, count(tile)))
            .collect()
    }

    /// The mask of some tiles of the rack.
    pub fn mask(&self, tiles: &TileCounts) -> u16 {
        let copies = |(tile, count): (Tile, u8)| (0..count).map(move |copy| (tile.number(), copy));
        tiles
            .kinds()
            .flat_map(copies)
            .fold(0, |mask, (number, copy)| mask | self.bit(number, copy))
    }
}

/// A rack as the tile source of a GADDAG traversal. The tiles that remain are a
/// mask of [`RackBits`], passed by value.
pub(super) struct RackSource {
    /// The mask of all copies of each tile, by tile number; the blank is 0.
    copies: [u16; MAX_LETTERS + 1],
    /// The letters that can be placed, by the mask of the tiles that remain.
    letters: [u32; RACK_SUBSETS],
    pub rack_bits: RackBits,
}

impl RackSource {
    /// For a rack of at most [`MAX_RACK`] tiles.
    pub fn new(rack: &TileCounts) -> RackSource {
        let rack_bits = RackBits::new(rack);
        let mut source = RackSource {
            copies: [0; MAX_LETTERS + 1],
            letters: [0; RACK_SUBSETS],
            rack_bits,
        };
        for (tile, count) in rack.kinds() {
            let number = tile.number();
            let letters = match number {
                0 => u32::MAX,
                number => 1 << (number - 1),
            };
            for copy in 0..count {
                let bit = rack_bits.bit(number, copy);
                source.copies[number] |= bit;
                // The masks with this highest bit: those without it, plus its letter.
                let bit = usize::from(bit);
                for rest in 0..bit {
                    source.letters[bit | rest] = source.letters[rest] | letters;
                }
            }
        }
        source
    }

    /// The masks of the tiles that the rack has more than once.
    pub fn repeated(&self) -> impl Iterator<Item = u16> + '_ {
        let copies = self.copies.iter().copied();
        copies.filter(|copies| copies.count_ones() > 1)
    }

    /// The remaining tiles without the highest copy of a tile, if there is one.
    #[inline]
    fn without(&self, remaining: u16, number: usize) -> Option<u16> {
        let copies = remaining & self.copies[number];
        let highest = copies & !(copies >> 1);
        (copies != 0).then_some(remaining ^ highest)
    }
}

impl TileSource for RackSource {
    type Remaining = u16;

    #[inline]
    fn letters(&self, remaining: u16) -> u32 {
        self.letters[usize::from(remaining)]
    }

    #[inline]
    fn letter(&self, remaining: u16, number: u8) -> Option<u16> {
        self.without(remaining, usize::from(number))
    }

    #[inline]
    fn blank(&self, remaining: u16) -> Option<u16> {
        self.without(remaining, 0)
    }
}
