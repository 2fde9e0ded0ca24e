//! The cache of the plays of a rack in a lane, keyed by everything they depend
//! on: tiles and cross-checks of the lane, the lane itself, and the tiles held.
//!
//! Two keys that collide in 64 bits would return the plays of another lane. With
//! at most a million lists that is so unlikely that it is not checked.

use super::play::{LanePlay, hash_of_number};
use super::{RackSubset, RackSubsets};
use crate::board::Axis;
use crate::movegen::cross_board::{CrossBoard, LaneState, bits};
use crate::movegen::gaddag::{self, TileSource};
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Where the plays of a lane are in a [`PlayCache`].
#[derive(Clone, Copy, Default)]
pub(super) struct PlayRange {
    pub start: u32,
    end: u32,
}

/// Plays by lane and rack.
pub(super) struct PlayCache {
    /// The largest number of plays that are kept.
    pub capacity: usize,
    by_key: HashMap<u64, PlayRange, BuildHasherDefault<IdentityHasher>>,
    plays: Vec<LanePlay>,
    /// Plays that found no room. They are dropped when the play before which
    /// they were generated is taken back.
    pub overflow: Vec<LanePlay>,
}

/// Marks a position in [`PlayCache::overflow`].
const OVERFLOW_BIT: u32 = 1 << 31;
/// A traversal calls its check before each lane and every 64 steps; one call in
/// this many is forwarded to the owner of the clock. Short traversals then never
/// ask it. Chosen by hand; not tuned.
const FORWARDED_CHECK_INTERVAL: u32 = 16;
/// An odd multiplier that spreads every bit of a key over the whole key. Any
/// odd number with mixed bits serves.
const HASH_MULTIPLIER: u64 = 0xD6E8_FEB8_6659_FD93;

impl PlayCache {
    pub fn new(capacity: usize) -> PlayCache {
        PlayCache {
            capacity,
            by_key: HashMap::default(),
            plays: Vec::new(),
            overflow: Vec::new(),
        }
    }

    pub fn is_full(&self) -> bool {
        self.plays.len() >= self.capacity || self.by_key.len() >= self.capacity / 2
    }

    /// The number of plays it holds.
    pub fn len(&self) -> usize {
        self.plays.len() + self.overflow.len()
    }

    /// The plays of the tiles `held` in lane number `lane`, from the cache or
    /// generated now; and whether they are complete. They are not if
    /// `keep_going` ended the generation.
    pub fn find_or_generate(
        &mut self,
        board: &CrossBoard,
        rack: &RackSubsets,
        held: RackSubset,
        lane: usize,
        keep_going: &dyn Fn() -> bool,
    ) -> (PlayRange, bool) {
        let side = board.side;
        let (axis, at) = (lane / side, lane % side);
        if board.anchors(Axis::BOTH[axis], at) == 0 {
            return (PlayRange::default(), true);
        }
        let state = &board.lanes[axis][at];
        let key = state.key(side, rack.source.letters(held))
            ^ rack
                .key
                .wrapping_add(held.into())
                .wrapping_mul(HASH_MULTIPLIER)
            ^ hash_of_number(lane as u64 * 2 + u64::from(board.is_empty()));
        if let Some(range) = self.by_key.get(&key) {
            return (*range, true);
        }
        let is_full = self.is_full();
        let (plays, mark) = match is_full {
            true => (&mut self.overflow, OVERFLOW_BIT),
            false => (&mut self.plays, 0),
        };
        let start = plays.len() as u32;
        let (checks, is_complete) = (Cell::new(0_u32), Cell::new(true));
        gaddag::lane_placements(
            board,
            Axis::BOTH[axis],
            at,
            &rack.source,
            held,
            &|| {
                checks.set(checks.get() + 1);
                is_complete
                    .set(!checks.get().is_multiple_of(FORWARDED_CHECK_INTERVAL) || keep_going());
                is_complete.get()
            },
            &mut |found, leave| {
                plays.push(LanePlay::new(&found, rack.remaining(held, leave), side));
            },
        );
        let end = plays.len() as u32;
        let range = PlayRange {
            start: start | mark,
            end: end | mark,
        };
        if is_complete.get() && !is_full {
            self.by_key.insert(key, range);
        }
        (range, is_complete.get())
    }

    /// The plays of a range.
    #[inline]
    pub fn plays(&self, range: PlayRange) -> &[LanePlay] {
        let (start, end) = (range.start & !OVERFLOW_BIT, range.end & !OVERFLOW_BIT);
        match range.start & OVERFLOW_BIT {
            0 => &self.plays[start as usize..end as usize],
            _ => &self.overflow[start as usize..end as usize],
        }
    }

    /// The play at a position.
    #[inline]
    pub fn play(&self, at: u32) -> &LanePlay {
        match at & OVERFLOW_BIT {
            0 => &self.plays[at as usize],
            _ => &self.overflow[(at & !OVERFLOW_BIT) as usize],
        }
    }
}

impl LaneState {
    /// The hash of what the plays of a rack with these letters depend on.
    fn key(&self, side: usize, letters: u32) -> u64 {
        // Both halves of the 128-bit product, so that every bit of a word
        // affects the whole key.
        let mut key = 0;
        let mut add = |word: u64| {
            let factor = key ^ word ^ 0x9E37_79B9_7F4A_7C15;
            let product = u128::from(factor) * u128::from(HASH_MULTIPLIER);
            key = product as u64 ^ (product >> 64) as u64;
        };
        add(u64::from(self.crossed) << 32 | u64::from(self.occupied));
        for cells in self.cells.chunks_exact(8).take(side.div_ceil(8)) {
            add(cells
                .iter()
                .fold(0, |word, cell| word << 8 | u64::from(*cell)));
        }
        for at in bits(self.crossed) {
            add(u64::from(self.allowed[at] & letters) << 16 ^ self.cross_points[at] as u64);
        }
        key
    }
}

/// The hasher of keys that are hashes already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
