//! The transposition table: values of positions searched before, in a fixed amount of memory.
//!
//! Any number of threads share it without locks. A slot is two words: the entry, and the key
//! combined with the entry by exclusive or. A slot that two threads wrote at once matches neither
//! key (R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel
//! search", ICGA Journal 25, 2002). A bucket has four slots; a full bucket replaces the entry
//! that took the least work.

use std::iter::successors;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An entry: a value and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredValue {
    /// What the player to move gains from here on.
    pub value: i16,
    pub bound: BoundKind,
    /// Whether every line on which it rests was played to the end of the game. Its depth does not
    /// matter then.
    pub solved: bool,
    pub depth: u8,
    /// The identifier of the best move, or of the move that caused a cutoff; 0 if none is known.
    pub best_id: u32,
}

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundKind {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// This is the true value.
    Exact,
}

/// A table of values by the hash of the position.
pub(crate) struct TranspositionTable {
    /// Key and entry of each slot in turn.
    words: Box<[AtomicU64]>,
}

/// Slots in a bucket: a bucket is one cache line of 64 bytes.
const SLOTS_PER_BUCKET: usize = 4;

/// Words in a bucket: two for each slot.
const WORDS_PER_BUCKET: usize = 2 * SLOTS_PER_BUCKET;

/// Slots that are read to estimate how full the table is. Chosen by hand.
const FULLNESS_SAMPLE_SLOTS: usize = 4_000;

impl TranspositionTable {
    /// A table of at most `bytes` bytes, but at least one bucket. If there is not enough memory it
    /// tries half of that, and so on.
    pub fn new(bytes: usize) -> TranspositionTable {
        let buckets = (bytes / (8 * WORDS_PER_BUCKET)).max(1);
        let halves = successors(Some(buckets), |buckets| Some(buckets / 2));
        let words = halves
            .take_while(|buckets| *buckets > 1)
            .find_map(|buckets| bytemuck::try_zeroed_slice_box(buckets * WORDS_PER_BUCKET).ok());
        TranspositionTable {
            words: words.unwrap_or_else(|| bytemuck::zeroed_slice_box(WORDS_PER_BUCKET)),
        }
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.words.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// The part of the slots in use, in thousandths, estimated from the first slots.
    pub fn per_mille_full(&self) -> usize {
        let sample = self.words.chunks_exact(2).take(FULLNESS_SAMPLE_SLOTS);
        let all = sample.len();
        let used = sample.filter(|slot| slot[1].load(Relaxed) != 0).count();
        used * 1_000 / all.max(1)
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let buckets = (self.words.len() / WORDS_PER_BUCKET) as u128;
        let bucket = ((u128::from(key) * buckets) >> 64) as usize;
        &self.words[bucket * WORDS_PER_BUCKET..(bucket + 1) * WORDS_PER_BUCKET]
    }

    /// The entry of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<StoredValue> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let (check, data) = (slot[0].load(Relaxed), slot[1].load(Relaxed));
            (check ^ data == key && data != 0).then(|| StoredValue::unpack(data))
        })
    }

    /// Stores an entry. It replaces the entry of the same position, unless that is a proved exact
    /// value; else an empty slot, or the entry of the bucket that took the least work.
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
                if entry.best_id == 0 {
                    entry.best_id = old.best_id;
                }
                victim = at;
                break;
            }
            let work = 1 + u32::from(old.depth) + if old.solved { 1 } else { 0 };
            if work < least {
                (victim, least) = (at, work);
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
        u64::from(self.best_id) << 32
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
            best_id: (data >> 32) as u32,
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
            best_id: 7,
        }
    }

    #[test]
    fn a_table_is_as_large_as_asked() {
        for bytes in [0, 64, 1_000, 1 << 20, 3_000_000] {
            let table = TranspositionTable::new(bytes);
            let size = size_of_val(&*table.words);
            assert!(size <= bytes.max(64) && size + 64 > bytes);
        }
    }

    /// Regression: this was a panic.
    #[test]
    fn a_table_larger_than_the_memory_is_made_smaller() {
        let bytes = 1 << 60;
        let table = TranspositionTable::new(bytes);
        assert!((64..bytes).contains(&size_of_val(&*table.words)));
        table.put(7, entry(5, 2));
        assert_eq!(table.get(7), Some(entry(5, 2)));
    }

    #[test]
    fn entries_read_back_and_the_least_work_is_replaced() {
        let table = TranspositionTable::new(64);
        for key in 1..=4 {
            table.put(key, entry(-300, key as u8));
            assert_eq!(table.get(key), Some(entry(-300, key as u8)));
        }
        table.put(9, entry(5, 2));
        let stored: Vec<u64> = (1..=9).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(stored, [2, 3, 4, 9]);
        // An entry without a best move keeps the old one.
        table.put(
            9,
            StoredValue {
                best_id: 0,
                ..entry(6, 3)
            },
        );
        assert_eq!(table.get(9), Some(entry(6, 3)));
    }
}
