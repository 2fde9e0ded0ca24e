//! The word map: from a multiset of letters to the words that they spell (anagrams).
//!
//! The best-first move generator looks up "rack tiles plus board tiles" a few hundred times a
//! turn, and nearly all look-ups find nothing. So each hash table has one tag byte per slot
//! that rejects nearly all misses before the slot itself is read. The tags are small enough to
//! stay in a fast cache.
//!
//! The key, [`LetterCounts`], has four bits for the count of each letter: adding tiles is
//! adding keys, and two keys are equal only if their letters are. Some bits of a key's hash choose
//! the slot; of the rest, the table stores 39 (tag and check bits) instead of the 128-bit key. So
//! fewer than one look-up in 10^11 takes one key for another. [`WordMap::words`] is exact all the
//! same, because the pool of words holds the whole key; the other look-ups only promise not to
//! miss a word.

use super::graph::Graph;
use super::word::Word;
use crate::tiles::{Letter, MAX_LETTERS};

/// A multiset of letters: four bits for the count of each letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterCounts(pub(crate) u128);

impl LetterCounts {
    /// No letters.
    pub const NONE: LetterCounts = LetterCounts(0);

    /// One letter.
    #[inline]
    pub fn of_letter(letter: Letter) -> LetterCounts {
        LetterCounts::of_number(letter.number())
    }

    /// One letter, by its number.
    #[inline]
    pub(crate) fn of_number(number: usize) -> LetterCounts {
        LetterCounts(1 << ((number - 1) * 4))
    }

    /// The letters of both. Sixteen of one letter carry into the count of the next letter, so
    /// the counts add up to less: words found by that key are shorter than the letters, so
    /// callers compare lengths and skip them.
    #[inline]
    pub fn plus(self, other: LetterCounts) -> LetterCounts {
        LetterCounts(self.0.wrapping_add(other.0))
    }

    /// The numbers of the different letters.
    fn distinct_numbers(self) -> impl Iterator<Item = usize> {
        (1..=MAX_LETTERS).filter(move |number| self.0 >> ((number - 1) * 4) & 15 != 0)
    }

    #[inline]
    fn hash(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mixed = (low ^ high.rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ high).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

/// The words of a lexicon by their letters.
pub struct WordMap {
    /// From letters to the offset of their words in the pool.
    words: LetterHashTable,
    /// From letters to their completions: each completing letter makes a word with them.
    completions: LetterHashTable,
    /// For each key: the key (16 bytes), the number of words (2 bytes), their length (1 byte),
    /// then the words, one byte per letter. All little-endian.
    pool: Vec<u8>,
}

/// The most copies of one letter in a word: the largest number of four bits.
const MAX_LETTER_COUNT: usize = 15;

impl WordMap {
    /// The map of the words of at most `longest` letters; `None` if a word has more than 15 of
    /// one letter, since its key would not be exact.
    pub fn new(graph: &Graph, longest: usize) -> Option<WordMap> {
        let mut words: Vec<(LetterCounts, Word)> = Vec::new();
        for word in graph.words().filter(|word| word.len() <= longest) {
            let (mut key, mut counts) = (LetterCounts::NONE, [0; MAX_LETTERS + 1]);
            for letter in word.letters() {
                key = key.plus(LetterCounts::of_letter(letter));
                counts[letter.number()] += 1;
                if counts[letter.number()] > MAX_LETTER_COUNT {
                    return None;
                }
            }
            words.push((key, word));
        }
        // Stable: words of one key stay in alphabetical order.
        words.sort_by_key(|(key, _)| *key);
        let groups: Vec<&[(LetterCounts, Word)]> = words.chunk_by(|a, b| a.0 == b.0).collect();
        let distinct = |group: &&[(LetterCounts, Word)]| {
            group
                .first()
                .map_or(0, |(key, _)| key.distinct_numbers().count())
        };
        let completions: usize = groups.iter().map(distinct).sum();
        let mut map = WordMap {
            words: LetterHashTable::new(groups.len() * 2),
            // An upper bound: words that differ in one letter share a key.
            completions: LetterHashTable::new(completions + completions / 2),
            pool: Vec::new(),
        };
        for group in groups {
            map.add(group)?;
        }
        map.pool.shrink_to_fit();
        Some(map)
    }

    /// Adds the words of one key. `None` if an offset or a count does not fit its field.
    fn add(&mut self, group: &[(LetterCounts, Word)]) -> Option<()> {
        let (key, first) = group.first()?;
        self.words.add(*key, u32::try_from(self.pool.len()).ok()?);
        self.pool.extend(key.0.to_le_bytes());
        self.pool
            .extend(u16::try_from(group.len()).ok()?.to_le_bytes());
        self.pool.push(first.len() as u8);
        for (_, word) in group {
            self.pool
                .extend(word.letters().map(|letter| letter.number() as u8));
        }
        for number in key.distinct_numbers() {
            let others = LetterCounts(key.0 - LetterCounts::of_number(number).0);
            *self.completions.entry(others) |= 1 << (number - 1);
        }
        Some(())
    }

    /// The words that are spelled with exactly these letters.
    #[inline]
    pub fn words(&self, letters: LetterCounts) -> impl Iterator<Item = &[u8]> {
        let at = self.words.get(letters, |at| self.key(at) == letters);
        let (len, words) = at.map_or((1, [].as_slice()), |at| self.group(at));
        words.chunks_exact(len)
    }

    /// A cheap filter for [`WordMap::words`]: `false` if there are certainly no words. It reads
    /// one byte and branches on nothing else, so the processor overlaps the memory accesses
    /// of several calls in a row.
    #[inline]
    pub(crate) fn prefilter_word(&self, letters: LetterCounts) -> bool {
        self.words.home_slot_is_used(letters)
    }

    /// The same filter for [`WordMap::completions`].
    #[inline]
    pub(crate) fn prefilter_completions(&self, letters: LetterCounts) -> bool {
        self.completions.home_slot_is_used(letters)
    }

    /// The key at an offset of the pool.
    #[inline]
    fn key(&self, at: u32) -> LetterCounts {
        let key = self.pool[at as usize..].first_chunk();
        LetterCounts(key.map_or(0, |key| u128::from_le_bytes(*key)))
    }

    /// The length of the words at an offset of the pool, and the words.
    #[inline]
    fn group(&self, at: u32) -> (usize, &[u8]) {
        let at = at as usize + size_of::<u128>();
        let count = usize::from(u16::from_le_bytes([self.pool[at], self.pool[at + 1]]));
        let len = usize::from(self.pool[at + 2]);
        (len, &self.pool[at + 3..at + 3 + count * len])
    }

    /// The letters that, one at a time, make a word together with these; one bit each. Very rarely
    /// a letter too many.
    #[inline]
    pub(crate) fn completions(&self, letters: LetterCounts) -> u32 {
        self.completions.get(letters, |_| true).unwrap_or(0)
    }

    /// The size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.pool.capacity() + self.words.size() + self.completions.size()
    }
}

/// A hash table from letters to `u32`, with open addressing and linear probing.
struct LetterHashTable {
    /// By slot: 0 if it is free, else eight bits of the hash, the lowest of them set.
    tags: Vec<u8>,
    /// By slot: 32 more bits of the hash, and the value.
    slots: Vec<(u32, u32)>,
}

impl LetterHashTable {
    /// A table with at least this number of slots, some of which must stay free.
    fn new(slots: usize) -> LetterHashTable {
        let size = slots.next_power_of_two().max(64);
        LetterHashTable {
            tags: vec![0; size],
            slots: vec![(0, 0); size],
        }
    }

    /// The home slot of a key, its tag and the check bits of its hash.
    #[inline]
    fn start(&self, letters: LetterCounts) -> (usize, u8, u32) {
        let hash = letters.hash();
        // The high bits of a product depend on all bits below them.
        let at = (hash >> (64 - self.tags.len().trailing_zeros())) as usize;
        (at, (hash >> 32) as u8 | 1, hash as u32)
    }

    /// Whether the home slot of a key is in use. If not, the table does not have the key.
    #[inline]
    fn home_slot_is_used(&self, letters: LetterCounts) -> bool {
        self.tags[self.start(letters).0] != 0
    }

    /// The first value whose tag and check bits match and that `is_it` accepts.
    #[inline]
    fn get(&self, letters: LetterCounts, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut at, tag, check) = self.start(letters);
        loop {
            match self.tags[at] {
                0 => return None,
                found if found == tag => {
                    let (key, value) = self.slots[at];
                    if key == check && is_it(value) {
                        return Some(value);
                    }
                }
                _ => {}
            }
            at = (at + 1) & (self.tags.len() - 1);
        }
    }

    /// Adds a key that the table does not have.
    fn add(&mut self, letters: LetterCounts, value: u32) {
        let (mut at, tag, check) = self.start(letters);
        while self.tags[at] != 0 {
            at = (at + 1) & (self.tags.len() - 1);
        }
        (self.tags[at], self.slots[at]) = (tag, (check, value));
    }

    /// The value of a key, inserted as 0 if the table does not have it.
    fn entry(&mut self, letters: LetterCounts) -> &mut u32 {
        let (mut at, tag, check) = self.start(letters);
        while self.tags[at] != 0 && (self.tags[at], self.slots[at].0) != (tag, check) {
            at = (at + 1) & (self.tags.len() - 1);
        }
        (self.tags[at], self.slots[at].0) = (tag, check);
        &mut self.slots[at].1
    }

    fn size(&self) -> usize {
        self.tags.capacity() + self.slots.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> impl Iterator<Item = Letter> {
        text.bytes()
            .filter_map(|byte| Letter::new(usize::from(byte - b'A') + 1))
    }

    fn key(text: &str) -> LetterCounts {
        letters(text).fold(LetterCounts::NONE, |key, letter| {
            key.plus(LetterCounts::of_letter(letter))
        })
    }

    fn map(words: &[&str]) -> Option<WordMap> {
        let words = words
            .iter()
            .filter_map(|word| Word::new(&letters(word).collect::<Vec<_>>()));
        WordMap::new(&Graph::from_words(&words.collect()).unwrap(), 21)
    }

    #[test]
    fn letters_give_their_words_and_their_completions() {
        let map = map(&["ACT", "CAT", "CATS", "AT", "TAO"]).unwrap();
        let spelled = |text: &str| map.words(key(text)).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(spelled("TCA"), [[1, 3, 20], [3, 1, 20]]);
        assert!(spelled("TC").is_empty() && spelled("TCAT").is_empty());
        assert!(!spelled("TA").is_empty() && spelled("T").is_empty());
        // C makes CAT, O makes TAO.
        assert_eq!(map.completions(key("TA")), 1 << 2 | 1 << 14);
        assert_eq!(map.completions(key("CAT")), 1 << 18);
    }

    #[test]
    fn a_word_with_sixteen_of_a_letter_has_no_key() {
        assert!(map(&["AAAAAAAAAAAAAAA"]).is_some());
        assert!(map(&["AAAAAAAAAAAAAAAA"]).is_none());
    }
}
