//! A dense numbering of all multisets of at most as many tiles as a rack holds.
//!
//! Smaller multisets come first. Multisets of one size are in lexicographic order of their sorted
//! tiles. A transition table has the number of each multiset with one more tile, so that a walk
//! over multisets only looks numbers up. The trainer indexes all its arrays with these numbers.

use anyhow::{Result, bail};
use cazique::movegen::MultisetNumbering;
use cazique::tiles::{MAX_LETTERS, Tile, TileCounts, TileSet};

/// The count of each kind of tile, by tile number; the blank is 0.
pub type Counts = [u8; MAX_LETTERS + 1];

/// The numbers of all multisets of up to `size` tiles of `kinds` kinds.
pub struct Lattice {
    kinds: usize,
    size: usize,
    /// The first number of each size, and the end.
    offsets: Vec<u32>,
    /// For each multiset of fewer than `size` tiles, and each kind: the number with one more tile.
    transitions: Vec<u32>,
}

/// The largest number of multisets. 33 kinds of tiles and a rack of 7 have 18.6 million; the arrays
/// of more would not fit the memory of a usual computer.
const MAX_MULTISETS: u64 = 20_000_000;

impl Lattice {
    /// For racks of `size` tiles from a tile set.
    pub fn new(tiles: &TileSet, size: usize) -> Result<Lattice> {
        let kinds = tiles.letter_count() + 1;
        let mut offsets = vec![0u32];
        let (mut of_size, mut multisets) = (1u64, 0u64);
        for next in 1..=size as u64 + 1 {
            multisets += of_size;
            of_size = of_size * (kinds as u64 + next - 1) / next;
            if multisets > MAX_MULTISETS {
                bail!(
                    "{kinds} kinds of tiles and racks of {size} make more than {MAX_MULTISETS} different racks and leaves, which is the limit; use a smaller rack or tile set"
                );
            }
            offsets.push(multisets as u32);
        }
        let transitions = transition_table(kinds, &offsets[..=size]);
        Ok(Lattice {
            kinds,
            size,
            offsets,
            transitions,
        })
    }

    /// The numbers of the multisets of this size.
    pub fn of_size(&self, size: usize) -> std::ops::Range<usize> {
        self.offsets[size] as usize..self.offsets[size + 1] as usize
    }

    /// The size of a full rack, in tiles.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of kinds of tiles, with the blank.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// For each kind of tile: the number of this multiset with one more tile of that kind.
    #[inline]
    pub fn row(&self, number: u32) -> &[u32] {
        &self.transitions[number as usize * self.kinds..][..self.kinds]
    }

    /// The number of a multiset of at most `size` tiles.
    pub fn number(&self, bunch: &TileCounts) -> u32 {
        bunch
            .iter()
            .fold(0, |number, tile| self.with_tile(number, tile))
    }

    /// The number of the multiset with these counts.
    pub fn number_of(&self, counts: &Counts) -> u32 {
        let mut number = 0;
        for (kind, &count) in counts[..self.kinds].iter().enumerate() {
            for _ in 0..count {
                number = self.row(number)[kind];
            }
        }
        number
    }

    /// Visits every multiset of `size` tiles from `pool`, in the order of their numbers. Passes on
    /// its number, its counts, and the number of ways to draw it: an integer below 2^53.
    pub fn visit(&self, pool: &Counts, size: usize, visit: &mut impl FnMut(u32, &Counts, f64)) {
        let prefix = Prefix {
            number: 0,
            ways: 1.0,
            from: 0,
        };
        self.extend(pool, size, prefix, &mut [0; MAX_LETTERS + 1], visit);
    }

    fn extend(
        &self,
        pool: &Counts,
        left: usize,
        prefix: Prefix,
        counts: &mut Counts,
        visit: &mut impl FnMut(u32, &Counts, f64),
    ) {
        if left == 0 {
            visit(prefix.number, counts, prefix.ways);
            return;
        }
        for kind in prefix.from..self.kinds {
            let held = counts[kind];
            if held < pool[kind] {
                let next = Prefix {
                    number: self.row(prefix.number)[kind],
                    ways: prefix.ways * f64::from(pool[kind] - held) / f64::from(held + 1),
                    from: kind,
                };
                counts[kind] += 1;
                self.extend(pool, left - 1, next, counts, visit);
                counts[kind] -= 1;
            }
        }
    }
}

/// The lowest tiles of a multiset. Tiles from kind `from` on may follow.
#[derive(Clone, Copy)]
struct Prefix {
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

/// The counts of a multiset, by tile number.
pub fn counts(tiles: &TileCounts) -> Counts {
    let mut counts = [0; MAX_LETTERS + 1];
    for (tile, count) in tiles.kinds() {
        counts[tile.number()] = count;
    }
    counts
}

/// The multiset with these counts.
pub fn multiset(counts: &Counts) -> TileCounts {
    let tiles = counts.iter().enumerate();
    tiles
        .flat_map(|(number, &count)| Tile::new(number).map(|tile| (tile, count)))
        .flat_map(|(tile, count)| std::iter::repeat_n(tile, count.into()))
        .collect()
}

/// For each multiset and kind: the number of the multiset with one more tile of that kind. If the
/// tile is not lower than the highest tile, the results are consecutive numbers of the next size. A
/// lower tile is added before the highest one.
fn transition_table(kinds: usize, offsets: &[u32]) -> Vec<u32> {
    let multisets = offsets[offsets.len() - 1] as usize;
    let mut transitions = vec![0; multisets * kinds];
    // For each multiset: the one without its highest tile, and that tile.
    let mut origins = vec![(0u32, 0u8); 1];
    let mut next = 1u32;
    for number in 0..multisets {
        let (origin, highest) = origins[number];
        for kind in 0..kinds {
            transitions[number * kinds + kind] = if kind >= usize::from(highest) {
                if (next as usize) < multisets {
                    origins.push((number as u32, kind as u8));
                }
                next += 1;
                next - 1
            } else {
                let with = transitions[origin as usize * kinds + kind] as usize;
                transitions[with * kinds + usize::from(highest)]
            };
        }
    }
    transitions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::tiny_rules;
    use cazique::rules::{Embedded, Library};

    #[test]
    fn numbers_are_dense_and_do_not_depend_on_the_order_of_tiles() {
        let rules = tiny_rules();
        let lattice = Lattice::new(&rules.tiles, 3).unwrap();
        let pool = [3; MAX_LETTERS + 1];
        let mut expected = 0;
        for size in 0..=3 {
            assert_eq!(lattice.of_size(size).start, expected as usize);
            lattice.visit(&pool, size, &mut |number, counts, _| {
                assert_eq!(number, expected);
                assert_eq!(lattice.number(&multiset(counts)), number);
                let tiles: Vec<Tile> = multiset(counts).iter().collect();
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
