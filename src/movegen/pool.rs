//! Every placement of any tiles of a pool, such as all unseen tiles, with the
//! multiset of tiles that it takes and its points.
//!
//! One traversal of the GADDAG tells what every rack can score on a board. The
//! trainer of leave values (`tools/leaves`) uses it. It chooses no placement
//! and knows no leave values.

use super::Generator;
use super::cross_board::CrossBoard;
use super::gaddag::{self, RawPlacement, TileSource};
use crate::rules::MAX_RACK;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};
use crate::units::Points;

/// A numbering of multisets of tiles. The order in which tiles are added does
/// not matter. The empty multiset has number 0.
pub trait MultisetNumbering: Copy {
    /// The number of the multiset `number` with one more tile. It is called only
    /// for multisets that can be placed in one turn.
    fn with_tile(&self, number: u32, tile: Tile) -> u32;
}

impl Generator<'_> {
    /// Calls `sink` for every placement of at most a rackful of tiles from
    /// `pool`, with the number of its multiset of tiles and its points. A
    /// multiset is reported once for each placement of it.
    ///
    /// The traversal places letters. Blanks stand for letters that the pool
    /// lacks, and a second step chooses which squares have blanks. That takes a
    /// fifth of the time of a traversal that places blanks.
    pub fn pool_placements(
        &self,
        pool: &TileCounts,
        numbering: impl MultisetNumbering,
        mut sink: impl FnMut(u32, Points),
    ) {
        let mut assignment = BlankAssignment {
            squares: [(0, 0); MAX_RACK],
            count: 0,
            available: [0; MAX_LETTERS + 1],
            numbering,
            sink: &mut sink,
        };
        for (tile, count) in pool.kinds() {
            assignment.available[tile.number()] = count;
        }
        let remaining = PoolCounts::new(pool, self.rack_size);
        gaddag::placements_from(
            &self.board,
            &PoolSource,
            remaining,
            &|| true,
            &mut |found, _| {
                assignment.read(&self.board, &found);
                assignment.assign(0, 0, found.points);
            },
        );
    }
}

/// The pool as a tile source: letters that it lacks are replaced by its blanks.
pub(super) struct PoolSource;

/// The most copies of a letter that are counted: a count has four bits. A turn
/// places at most a rackful.
pub(super) const MAX_COUNT_PER_LETTER: u8 = 15;

/// The tiles of a pool that remain during a traversal.
#[derive(Clone, Copy)]
pub(super) struct PoolCounts {
    /// The count of each letter, four bits each.
    counts: u128,
    /// The letters that remain, a bit each.
    letters: u32,
    /// The number of tiles that can still be placed.
    left: u8,
    /// The number of blanks that remain.
    blanks: u8,
}

impl PoolCounts {
    /// For placements of at most `max_tiles` tiles.
    pub fn new(pool: &TileCounts, max_tiles: usize) -> PoolCounts {
        let mut remaining = PoolCounts {
            counts: 0,
            letters: 0,
            left: max_tiles.min(pool.len()) as u8,
            blanks: pool.count(Tile::BLANK),
        };
        for (tile, count) in pool.kinds().filter(|(tile, _)| *tile != Tile::BLANK) {
            let index = tile.number() - 1;
            remaining.counts |= u128::from(count.min(MAX_COUNT_PER_LETTER)) << (index * 4);
            remaining.letters |= 1 << index;
        }
        remaining
    }
}

// A turn never places more copies of a letter than are counted.
const _: () = assert!(MAX_RACK <= MAX_COUNT_PER_LETTER as usize);

impl TileSource for PoolSource {
    type Remaining = PoolCounts;

    #[inline]
    fn letters(&self, remaining: PoolCounts) -> u32 {
        match (remaining.left, remaining.blanks) {
            (0, _) => 0,
            (_, 0) => remaining.letters,
            _ => u32::MAX,
        }
    }

    #[inline]
    fn letter(&self, mut remaining: PoolCounts, number: u8) -> Option<PoolCounts> {
        let index = usize::from(number - 1);
        remaining.left -= 1;
        match (remaining.counts >> (index * 4)) as u8 & 15 {
            0 => remaining.blanks -= 1,
            count => {
                remaining.counts -= 1 << (index * 4);
                remaining.letters ^= u32::from(count == 1) << index;
            }
        }
        Some(remaining)
    }

    #[inline]
    fn blank(&self, _: PoolCounts) -> Option<PoolCounts> {
        None
    }
}

/// All ways to use blanks for some letters of a placement.
struct BlankAssignment<'a, N, S> {
    /// For each tile placed: its letter number, and its total points in all words.
    squares: [(u8, i32); MAX_RACK],
    count: usize,
    /// The copies of each tile in the pool that are not assigned yet, by number.
    available: [u8; MAX_LETTERS + 1],
    numbering: N,
    sink: &'a mut S,
}

impl<N: MultisetNumbering, S: FnMut(u32, Points)> BlankAssignment<'_, N, S> {
    /// Reads the tiles of a placement.
    fn read(&mut self, board: &CrossBoard, found: &RawPlacement) {
        let state = &board.lanes[found.axis as usize][found.lane];
        let premiums = &board.premiums[found.axis as usize][found.lane];
        let placed = || {
            (found.first..)
                .zip(found.cells)
                .filter(|(_, cell)| **cell != 0)
        };
        let word: i32 = placed()
            .map(|(at, _)| i32::from(premiums.word_factor[at]))
            .product();
        self.count = 0;
        for (at, &cell) in placed() {
            let across = (state.crossed >> at & 1) as i32 * i32::from(premiums.word_factor[at]);
            let times = i32::from(premiums.letter_factor[at]) * (word + across);
            self.squares[self.count] = (cell, i32::from(board.cell_points(cell)) * times);
            self.count += 1;
        }
    }

    /// Assigns the tiles from number `at` on. `number` is the multiset of those
    /// before, `points` the score so far.
    fn assign(&mut self, at: usize, number: u32, points: i32) {
        if at == self.count {
            (self.sink)(number, Points(points));
            return;
        }
        let (cell, value) = self.squares[at];
        for (kind, points) in [(cell, points), (0, points - value)] {
            let kind = usize::from(kind);
            if self.available[kind] > 0
                && let Some(tile) = Tile::new(kind)
            {
                self.available[kind] -= 1;
                self.assign(at + 1, self.numbering.with_tile(number, tile), points);
                self.available[kind] += 1;
            }
        }
    }
}
