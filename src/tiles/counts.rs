//! A multiset of tiles: a rack, the bag, the unseen tiles.

use super::{MAX_LETTERS, Tile};
use rand::{Rng, RngExt};
use std::fmt;

/// A multiset of tiles: how many there are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileCounts {
    counts: [u8; MAX_LETTERS + 1],
    len: u16,
}

impl TileCounts {
    /// No tiles.
    pub const EMPTY: TileCounts = TileCounts {
        counts: [0; MAX_LETTERS + 1],
        len: 0,
    };

    /// The number of tiles.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of tiles of this kind.
    pub fn count(&self, tile: Tile) -> u8 {
        self.counts[tile.number()]
    }

    /// Adds one tile. The counts do not overflow, because all tiles come from tile sets, which
    /// have at most 255 tiles of a kind.
    pub fn add(&mut self, tile: Tile) {
        self.counts[tile.number()] += 1;
        self.len += 1;
    }

    /// Removes one tile; `false`, and no change, if there is none of its kind.
    pub fn take(&mut self, tile: Tile) -> bool {
        let held = self.counts[tile.number()] > 0;
        if held {
            self.counts[tile.number()] -= 1;
            self.len -= 1;
        }
        held
    }

    /// Adds all tiles of `other`.
    pub fn add_all(&mut self, other: &TileCounts) {
        self.extend(other.iter());
    }

    /// Removes all tiles of `other`. If one is missing, it is the error and nothing changes.
    pub fn take_all(&mut self, other: &TileCounts) -> Result<(), Tile> {
        let mut kinds = other.kinds();
        if let Some((missing, _)) = kinds.find(|&(tile, count)| self.count(tile) < count) {
            return Err(missing);
        }
        for tile in other.iter() {
            self.take(tile);
        }
        Ok(())
    }

    /// The tiles that `other` lacks.
    pub fn lacking_in(&self, other: &TileCounts) -> TileCounts {
        let mut left = *other;
        self.iter().filter(|&tile| !left.take(tile)).collect()
    }

    /// Whether all tiles of `other` are contained.
    pub fn contains_all(&self, other: &TileCounts) -> bool {
        other.kinds().all(|(tile, count)| self.count(tile) >= count)
    }

    /// Each kind contained with its count, blank first.
    pub fn kinds(&self) -> impl Iterator<Item = (Tile, u8)> + '_ {
        let counts = self.counts.iter().enumerate();
        let held = counts.filter(|&(_, &count)| count > 0);
        held.filter_map(|(number, &count)| Some((Tile::new(number)?, count)))
    }

    /// Every tile, blanks first, tiles of one kind together.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + '_ {
        self.kinds()
            .flat_map(|(tile, count)| std::iter::repeat_n(tile, usize::from(count)))
    }

    /// Draws `n` tiles at random, or all if there are fewer.
    pub fn draw(&mut self, n: usize, rng: &mut impl Rng) -> TileCounts {
        let mut drawn = TileCounts::EMPTY;
        for _ in 0..n.min(self.len()) {
            let at = rng.random_range(0..self.len());
            let tile = self.iter().nth(at);
            drawn.extend(tile.filter(|&tile| self.take(tile)));
        }
        drawn
    }

    /// Every different nonempty multiset that can be taken from these tiles.
    pub fn nonempty_subsets(&self) -> Vec<TileCounts> {
        let mut subsets = vec![TileCounts::EMPTY];
        for (tile, count) in self.kinds() {
            for at in 0..subsets.len() {
                let mut subset = subsets[at];
                for _ in 0..count {
                    subset.add(tile);
                    subsets.push(subset);
                }
            }
        }
        subsets.retain(|subset| !subset.is_empty());
        subsets
    }
}

impl Default for TileCounts {
    fn default() -> TileCounts {
        TileCounts::EMPTY
    }
}

impl Extend<Tile> for TileCounts {
    fn extend<I: IntoIterator<Item = Tile>>(&mut self, tiles: I) {
        for tile in tiles {
            self.add(tile);
        }
    }
}

impl FromIterator<Tile> for TileCounts {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileCounts {
        let mut counts = TileCounts::EMPTY;
        counts.extend(tiles);
        counts
    }
}

impl fmt::Debug for TileCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(Tile::number))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn tiles(numbers: &[usize]) -> TileCounts {
        numbers.iter().filter_map(|&n| Tile::new(n)).collect()
    }

    #[test]
    fn a_missing_tile_is_named_and_nothing_is_taken() {
        let mut held = tiles(&[0, 1, 1, 5]);
        let missing = held.take_all(&tiles(&[1, 5, 5])).unwrap_err();
        assert_eq!(missing.number(), 5);
        assert_eq!(held, tiles(&[0, 1, 1, 5]));
        assert_eq!(held.take_all(&tiles(&[1, 5])), Ok(()));
        assert_eq!(held, tiles(&[0, 1]));
    }

    #[test]
    fn subsets_are_all_different_and_complete() {
        let subsets = tiles(&[1, 1, 2, 3, 3, 3]).nonempty_subsets();
        assert_eq!(subsets.len(), 3 * 2 * 4 - 1);
        for (at, subset) in subsets.iter().enumerate() {
            assert!(!subsets[..at].contains(subset));
        }
    }

    #[test]
    fn a_draw_moves_tiles_and_keeps_their_number() {
        let mut bag = tiles(&[0, 1, 1, 2, 3, 4, 4, 4]);
        let all = bag;
        let mut drawn = bag.draw(5, &mut Seed(1).generator());
        assert_eq!((drawn.len(), bag.len()), (5, 3));
        drawn.add_all(&bag);
        assert_eq!(drawn, all);
        assert_eq!(bag.draw(9, &mut Seed(1).generator()).len(), 3);
    }
}
