//! What is known of positions that were searched before, in a fixed amount of
//! memory, for any number of threads at once.
//!
//! A slot is two words, the second of which also guards the first: a slot
//! that two threads wrote at once fits neither of their positions (R. Hyatt
//! and T. Mann, "A lock-less transposition table implementation for parallel
//! search", ICGA Journal 25, 2002).

use std::iter::successors;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A value, and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredValue {
    /// What the player on turn gains from here on.
    pub value: i16,
    pub bound: BoundKind,
    /// Whether every line on which it rests was played to the end: then depth does not matter.
    pub solved: bool,
    pub depth: u8,
    /// The best turn, or the one that refuted; 0 if none is known.
    pub turn: u32,
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundKind {
    /// At least so much.
    Lower,
    /// At most so much.
    Upper,
    /// Just so much.
    Exact,
}

/// A table of entries by key.
pub struct TranspositionTable {
    /// Key and entry of each slot in turn, four slots to a bucket.
    words: Box<[AtomicU64]>,
}

const SLOTS: usize = 4;
const BUCKET: usize = 2 * SLOTS;

impl TranspositionTable {
    /// A table that takes so many bytes, or a little less; at least one bucket.
    /// Where there is not so much memory, it is half of that, or half of this, and so on.
    pub fn new(bytes: usize) -> TranspositionTable {
        let buckets = (bytes / (8 * BUCKET)).max(1);
        let halves = successors(Some(buckets), |buckets| Some(buckets / 2));
        let words = halves
            .take_while(|buckets| *buckets > 1)
            .find_map(|buckets| bytemuck::try_zeroed_slice_box(buckets * BUCKET).ok());
        TranspositionTable {
            words: words.unwrap_or_else(|| bytemuck::zeroed_slice_box(BUCKET)),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.words.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// How many of a thousand slots are in use, by a look at some.
    pub fn per_mille_full(&self) -> usize {
        let some = self.words.chunks_exact(2).take(4_000);
        let all = some.len();
        let used = some.filter(|slot| slot[1].load(Relaxed) != 0).count();
        used * 1_000 / all.max(1)
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let buckets = (self.words.len() / BUCKET) as u128;
        let bucket = ((u128::from(key) * buckets) >> 64) as usize;
        &self.words[bucket * BUCKET..(bucket + 1) * BUCKET]
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<StoredValue> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let (check, data) = (slot[0].load(Relaxed), slot[1].load(Relaxed));
            (check ^ data == key && data != 0).then(|| StoredValue::unpack(data))
        })
    }

    /// Keeps what is known of a position, instead of what it knew of it, or
    /// of what took the least work of the bucket.
    pub(super) fn put(&self, key: u64, mut entry: StoredValue) {
        let mut victim = 0;
        let mut least = u32::MAX;
        let bucket = self.bucket(key);
        for (at, slot) in bucket.chunks_exact(2).enumerate() {
            let (check, data) = (slot[0].load(Relaxed), slot[1].load(Relaxed));
            if data == 0 {
                if least > 0 {
                    (victim, least) = (at, 0);
                }
                continue;
            }
            let old = StoredValue::unpack(data);
            if check ^ data == key {
                if old.solved && old.bound == BoundKind::Exact {
                    return;
                }
                if entry.turn == 0 {
                    entry.turn = old.turn;
                }
                victim = at;
                break;
            }
            let worth = 1 + u32::from(old.depth) + if old.solved { 1 } else { 0 };
            if worth < least {
                (victim, least) = (at, worth);
            }
        }
        let data = entry.pack();
        bucket[2 * victim].store(key ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }
}

impl StoredValue {
    fn pack(self) -> u64 {
        let flags = (1 + self.bound as u64) | (u64::from(self.solved) << 2);
        u64::from(self.turn) << 32
            | u64::from(self.value as u16) << 16
            | u64::from(self.depth) << 8
            | flags
    }

    fn unpack(data: u64) -> StoredValue {
        let bound = match data & 3 {
            1 => BoundKind::Lower,
            2 => BoundKind::Upper,
            _ => BoundKind::Exact,
        };
        StoredValue {
            value: (data >> 16) as u16 as i16,
            bound,
            solved: data & 4 != 0,
            depth: (data >> 8) as u8,
            turn: (data >> 32) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i16, depth: u8) -> StoredValue {
        StoredValue {
            value,
            bound: BoundKind::Upper,
            solved: false,
            depth,
            turn: 7,
        }
    }

    #[test]
    fn a_table_takes_what_it_is_given() {
        for bytes in [0, 64, 1_000, 1 << 20, 3_000_000] {
            let table = TranspositionTable::new(bytes);
            assert!(table.bytes() <= bytes.max(64) && table.bytes() + 64 > bytes);
        }
    }

    /// It was a panic.
    #[test]
    fn a_table_that_is_too_large_is_made_smaller() {
        let bytes = 1 << 60;
        let table = TranspositionTable::new(bytes);
        assert!((64..bytes).contains(&table.bytes()));
        table.put(7, entry(5, 2));
        assert_eq!(table.get(7), Some(entry(5, 2)));
    }

    #[test]
    fn what_is_kept_reads_back_and_least_work_gives_way() {
        let table = TranspositionTable::new(64);
        for key in 1..=4 {
            table.put(key, entry(-300, key as u8));
            assert_eq!(table.get(key), Some(entry(-300, key as u8)));
        }
        table.put(9, entry(5, 2));
        let kept: Vec<u64> = (1..=9).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept, [2, 3, 4, 9]);
        // Who knows no better turn keeps the one that was known.
        table.put(
            9,
            StoredValue {
                turn: 0,
                ..entry(6, 3)
            },
        );
        assert_eq!(table.get(9), Some(entry(6, 3)));
    }
}
