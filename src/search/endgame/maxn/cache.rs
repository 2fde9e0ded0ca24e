//! Values of positions that were searched before, as far as the memory suffices.
//!
//! Unlike the transposition table of the two-player search, it never replaces an entry by that of
//! another position.

use super::state::MaxnValue;
use std::collections::HashMap;

/// Values by the hash of the position.
pub(super) struct ValueCache {
    entries: HashMap<u64, CachedValue>,
    max_entries: usize,
}

/// What is known about a position. In the cache its scores are relative to a base, so that
/// positions that differ only in the level of the scores share an entry.
#[derive(Clone, Copy)]
pub(super) struct CachedValue {
    pub value: MaxnValue,
    pub depth: u8,
    /// The identifier of the best move, or 0.
    pub best_id: u32,
}

impl ValueCache {
    pub fn new(memory_bytes: usize) -> ValueCache {
        // The standard hash table has a power of two of places, is full at seven eighths, and keeps
        // its old half while it grows.
        let bytes = size_of::<(u64, CachedValue)>() + 1;
        let places = (memory_bytes / (bytes + bytes.div_ceil(2))).checked_ilog2();
        ValueCache {
            entries: HashMap::new(),
            max_entries: places.map_or(0, |places| (1 << places) / 8 * 7),
        }
    }

    /// If the cache is full, drops the values that a deeper search has to find anew.
    pub fn make_room(&mut self) {
        if self.entries.len() >= self.max_entries {
            self.entries.retain(|_, cached| cached.value.solved);
        }
    }

    pub fn get(&self, key: u64, base: i32) -> Option<CachedValue> {
        let mut cached = *self.entries.get(&key)?;
        for score in &mut cached.value.end.scores {
            *score += base;
        }
        Some(cached)
    }

    pub fn put(&mut self, key: u64, mut cached: CachedValue, base: i32) {
        for score in &mut cached.value.end.scores {
            *score -= base;
        }
        let has_room = self.entries.len() < self.max_entries;
        if let Some(entry) = self.entries.get_mut(&key) {
            *entry = cached;
        } else if has_room {
            self.entries.insert(key, cached);
        }
    }
}
