//! Every bunch of at most a rack full of tiles, numbered without gaps.
//!
//! Smaller bunches come first; bunches of one size stand in the order of their
//! tiles written from the lowest to the highest. A table has the number of
//! each bunch with one more tile, so that a walk over bunches only looks up.

use anyhow::{Result, bail};
use cazique::movegen::MultisetNumbering;
use cazique::tiles::{MAX_LETTERS, Tile, TileCounts, TileSet};

/// How many of each kind of tile, by number; the blank is 0.
pub type Counts = [u8; MAX_LETTERS + 1];

/// The numbers of all bunches of up to `size` tiles of `kinds` kinds.
pub struct Lattice {
    kinds: usize,
    size: usize,
    /// The first number of each size, and the end.
    offsets: Vec<u32>,
    /// By bunch of less than `size` tiles and kind: the bunch with one more.
    and: Vec<u32>,
}

/// More bunches than this would need more memory than a usual computer has:
/// 33 kinds of tiles and a rack of 7 have 18.6 million.
const MAX_BUNCHES: u64 = 20_000_000;

impl Lattice {
    /// For racks of `size` tiles from a tile set.
    pub fn new(tiles: &TileSet, size: usize) -> Result<Lattice> {
        let kinds = tiles.letter_count() + 1;
        let mut offsets = vec![0u32];
        let (mut of_size, mut bunches) = (1u64, 0u64);
        for next in 1..=size as u64 + 1 {
            bunches += of_size;
            of_size = of_size * (kinds as u64 + next - 1) / next;
            if bunches > MAX_BUNCHES {
                bail!(
                    "racks of {size} tiles of {kinds} kinds are too many to count, the limit is {MAX_BUNCHES} bunches"
                );
            }
            offsets.push(bunches as u32);
        }
        let and = and_table(kinds, &offsets[..=size]);
        Ok(Lattice {
            kinds,
            size,
            offsets,
            and,
        })
    }

    /// The numbers of the bunches of this size.
    pub fn of_size(&self, size: usize) -> std::ops::Range<usize> {
        self.offsets[size] as usize..self.offsets[size + 1] as usize
    }

    /// How many tiles a full rack has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many kinds of tiles there are.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// The number of a bunch and one more tile, for each kind of tile.
    #[inline]
    pub fn row(&self, number: u32) -> &[u32] {
        &self.and[number as usize * self.kinds..][..self.kinds]
    }

    /// The number of a bunch of at most `size` tiles.
    pub fn number(&self, bunch: &TileCounts) -> u32 {
        bunch
            .iter()
            .fold(0, |number, tile| self.with_tile(number, tile))
    }

    /// The number of the bunch with so many of each kind.
    pub fn number_of(&self, counts: &Counts) -> u32 {
        let mut number = 0;
        for (kind, &count) in counts[..self.kinds].iter().enumerate() {
            for _ in 0..count {
                number = self.row(number)[kind];
            }
        }
        number
    }

    /// Visits every bunch of `size` tiles from `pool`, in the order of their
    /// numbers, with the number of ways to draw it: a whole number below 2^53.
    pub fn visit(&self, pool: &Counts, size: usize, visit: &mut impl FnMut(u32, &Counts, f64)) {
        let start = Start {
            number: 0,
            ways: 1.0,
            from: 0,
        };
        self.extend(pool, size, start, &mut [0; MAX_LETTERS + 1], visit);
    }

    fn extend(
        &self,
        pool: &Counts,
        left: usize,
        start: Start,
        counts: &mut Counts,
        visit: &mut impl FnMut(u32, &Counts, f64),
    ) {
        if left == 0 {
            visit(start.number, counts, start.ways);
            return;
        }
        for kind in start.from..self.kinds {
            let held = counts[kind];
            if held < pool[kind] {
                let next = Start {
                    number: self.row(start.number)[kind],
                    ways: start.ways * f64::from(pool[kind] - held) / f64::from(held + 1),
                    from: kind,
                };
                counts[kind] += 1;
                self.extend(pool, left - 1, next, counts, visit);
                counts[kind] -= 1;
            }
        }
    }
}

/// A bunch to which tiles not lower than `from` are added.
#[derive(Clone, Copy)]
struct Start {
    number: u32,
    ways: f64,
    from: usize,
}

impl MultisetNumbering for &Lattice {
    #[inline]
    fn with_tile(&self, number: u32, tile: Tile) -> u32 {
        self.row(number)[tile.number()]
    }
}

/// How many of each kind a bunch has.
pub fn counts(bunch: &TileCounts) -> Counts {
    let mut counts = [0; MAX_LETTERS + 1];
    for (tile, count) in bunch.kinds() {
        counts[tile.number()] = count;
    }
    counts
}

/// The bunch with so many of each kind.
pub fn bunch(counts: &Counts) -> TileCounts {
    let tiles = counts.iter().enumerate();
    tiles
        .flat_map(|(number, &count)| Tile::new(number).map(|tile| (tile, count)))
        .flat_map(|(tile, count)| std::iter::repeat_n(tile, count.into()))
        .collect()
}

/// By bunch and kind: the bunch with one more. The bunches that a bunch makes
/// with tiles not lower than its highest follow each other in the next size;
/// for a lower tile, that tile goes in before the highest.
fn and_table(kinds: usize, offsets: &[u32]) -> Vec<u32> {
    let bunches = offsets[offsets.len() - 1] as usize;
    let mut and = vec![0; bunches * kinds];
    // Of each bunch: the one without its highest tile, and that tile. The empty bunch has none.
    let mut origins = vec![(0u32, 0u8); 1];
    let mut next = 1u32;
    for number in 0..bunches {
        let (origin, highest) = origins[number];
        for kind in 0..kinds {
            and[number * kinds + kind] = if kind >= usize::from(highest) {
                if (next as usize) < bunches {
                    origins.push((number as u32, kind as u8));
                }
                next += 1;
                next - 1
            } else {
                let with = and[origin as usize * kinds + kind] as usize;
                and[with * kinds + usize::from(highest)]
            };
        }
    }
    and
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::tiny_rules;
    use cazique::rules::{Embedded, Library};

    #[test]
    fn every_bunch_has_a_number_and_every_number_a_bunch() {
        let rules = tiny_rules();
        let lattice = Lattice::new(&rules.tiles, 3).unwrap();
        let pool = [3; MAX_LETTERS + 1];
        let mut expected = 0;
        for size in 0..=3 {
            assert_eq!(lattice.of_size(size).start, expected as usize);
            lattice.visit(&pool, size, &mut |number, counts, _| {
                assert_eq!(number, expected);
                assert_eq!(lattice.number(&bunch(counts)), number);
                // In any order.
                let tiles: Vec<Tile> = bunch(counts).iter().collect();
                let backwards = tiles.iter().rev();
                let back = backwards.fold(0, |number, &tile| (&lattice).with_tile(number, tile));
                assert_eq!(back, number);
                expected += 1;
            });
        }
        assert_eq!(lattice.of_size(3).end, expected as usize);
    }

    #[test]
    fn english_has_the_known_number_of_racks() {
        let tiles = Embedded.tiles("english").unwrap();
        let lattice = Lattice::new(&tiles, 7).unwrap();
        assert_eq!(lattice.of_size(7).end, 5_379_616);
        let mut racks = 0;
        lattice.visit(&counts(&tiles.all()), 7, &mut |_, _, _| racks += 1);
        assert_eq!(racks, 3_199_724);
    }
}
