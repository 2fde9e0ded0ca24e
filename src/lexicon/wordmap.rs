//! The word map: from letters without order to the words that they spell.
//!
//! Move generation asks "which words are these rack tiles and those board
//! tiles?" a few hundred times a turn, mostly to hear "none". So the tables
//! have a byte for each slot that rejects nearly all misses before the slot is
//! looked at, small enough to stay in a near cache.
//!
//! A key has four bits for each letter: adding tiles is adding keys, and keys
//! are equal only if the letters are. Tables know keys by parts of their hash,
//! which takes a quarter of the room: once in many million million times they
//! take one key for another. The words are exact all the same, since their key
//! is kept with them; where only "there may be some" is asked, that is enough.

use super::graph::Graph;
use super::word::Word;
use crate::tiles::{Letter, MAX_LETTERS};

/// Letters without order: four bits for the number of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterCounts(pub(crate) u128);

impl LetterCounts {
    /// None.
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

    /// Both together. Sixteen of a letter carry into the next: then the
    /// numbers add up to less, so that words found by such a key have another
    /// length than the letters, by which they can be told.
    #[inline]
    pub fn plus(self, other: LetterCounts) -> LetterCounts {
        LetterCounts(self.0.wrapping_add(other.0))
    }

    /// The numbers of the different letters.
    fn numbers(self) -> impl Iterator<Item = usize> {
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
    /// To where its words begin in the pool.
    words: LetterHashTable,
    /// To the set of letters that make a word with these.
    completions: LetterHashTable,
    /// For each set of letters: the key, how many words (two bytes), how long, then the words.
    pool: Vec<u8>,
}

/// The most of one letter in a word: what four bits hold.
const MAX_COUNT: usize = 15;

impl WordMap {
    /// The map of the words that are at most `longest` letters long; `None` if
    /// a word has a letter so often that keys would not be exact.
    pub fn new(graph: &Graph, longest: usize) -> Option<WordMap> {
        let mut words: Vec<(LetterCounts, Word)> = Vec::new();
        for word in graph.words().filter(|word| word.len() <= longest) {
            let (mut key, mut counts) = (LetterCounts::NONE, [0; MAX_LETTERS + 1]);
            for letter in word.letters() {
                key = key.plus(LetterCounts::of_letter(letter));
                counts[letter.number()] += 1;
                if counts[letter.number()] > MAX_COUNT {
                    return None;
                }
            }
            words.push((key, word));
        }
        // Stable: words of one key stay in alphabetical order.
        words.sort_by_key(|(key, _)| *key);
        let groups: Vec<&[(LetterCounts, Word)]> = words.chunk_by(|a, b| a.0 == b.0).collect();
        let different = |group: &&[(LetterCounts, Word)]| {
            group.first().map_or(0, |(key, _)| key.numbers().count())
        };
        let most: usize = groups.iter().map(different).sum();
        let mut map = WordMap {
            words: LetterHashTable::new(groups.len() * 2),
            // Words share what they lack, so that there are fewer keys than this.
            completions: LetterHashTable::new(most + most / 2),
            pool: Vec::new(),
        };
        for group in groups {
            map.add(group)?;
        }
        map.pool.shrink_to_fit();
        Some(map)
    }

    /// Adds the words of one key.
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
        for number in key.numbers() {
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

    /// Whether there may be words, as far as a first look tells. Nothing else
    /// hangs on it, so that who asks for many kinds of letters one after the
    /// other does not wait for each: the memory is asked for several at once.
    #[inline]
    pub fn prefilter_word(&self, letters: LetterCounts) -> bool {
        self.words.home_slot_is_used(letters)
    }

    /// The same for letters that make a word with these.
    #[inline]
    pub fn prefilter_completions(&self, letters: LetterCounts) -> bool {
        self.completions.home_slot_is_used(letters)
    }

    /// The key of the words at a place of the pool.
    #[inline]
    fn key(&self, at: u32) -> LetterCounts {
        let key = self.pool[at as usize..].first_chunk();
        LetterCounts(key.map_or(0, |key| u128::from_le_bytes(*key)))
    }

    /// The words at a place of the pool, and how long they are.
    #[inline]
    fn group(&self, at: u32) -> (usize, &[u8]) {
        let at = at as usize + size_of::<u128>();
        let count = usize::from(u16::from_le_bytes([self.pool[at], self.pool[at + 1]]));
        let len = usize::from(self.pool[at + 2]);
        (len, &self.pool[at + 3..at + 3 + count * len])
    }

    /// Whether any word is spelled with exactly these letters; once in a long while true by mistake.
    #[inline]
    pub fn may_have_word(&self, letters: LetterCounts) -> bool {
        self.words.get(letters, |_| true).is_some()
    }

    /// The letters that make a word together with these, one bit each; once in a long while too many.
    #[inline]
    pub fn completions(&self, letters: LetterCounts) -> u32 {
        self.completions.get(letters, |_| true).unwrap_or(0)
    }

    /// What it takes in memory, in bytes.
    pub fn size(&self) -> usize {
        self.pool.capacity() + self.words.size() + self.completions.size()
    }
}

/// A hash table with open addressing.
struct LetterHashTable {
    /// 0 for a free slot, else some bits of the hash.
    tags: Vec<u8>,
    /// More bits of the hash, and the value.
    slots: Vec<(u32, u32)>,
}

impl LetterHashTable {
    /// With at least so many slots, of which some must stay free.
    fn new(slots: usize) -> LetterHashTable {
        let size = slots.next_power_of_two().max(64);
        LetterHashTable {
            tags: vec![0; size],
            slots: vec![(0, 0); size],
        }
    }

    /// Where to look for a key, and by which tag and other bits of its hash.
    #[inline]
    fn start(&self, letters: LetterCounts) -> (usize, u8, u32) {
        let hash = letters.hash();
        // The high bits of a product depend on all bits below them.
        let at = (hash >> (64 - self.tags.len().trailing_zeros())) as usize;
        (at, (hash >> 32) as u8 | 1, hash as u32)
    }

    /// Whether anything is in the slot that a key would be put in first.
    #[inline]
    fn home_slot_is_used(&self, letters: LetterCounts) -> bool {
        self.tags[self.start(letters).0] != 0
    }

    /// The first value whose key may be this one and which `is_it` accepts.
    #[inline]
    fn get(&self, letters: LetterCounts, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut at, tag, rest) = self.start(letters);
        loop {
            match self.tags[at] {
                0 => return None,
                found if found == tag => {
                    let (key, value) = self.slots[at];
                    if key == rest && is_it(value) {
                        return Some(value);
                    }
                }
                _ => {}
            }
            at = (at + 1) & (self.tags.len() - 1);
        }
    }

    /// Adds a key that is not there.
    fn add(&mut self, letters: LetterCounts, value: u32) {
        let (mut at, tag, rest) = self.start(letters);
        while self.tags[at] != 0 {
            at = (at + 1) & (self.tags.len() - 1);
        }
        (self.tags[at], self.slots[at]) = (tag, (rest, value));
    }

    /// The value of a key, new if it was not there.
    fn entry(&mut self, letters: LetterCounts) -> &mut u32 {
        let (mut at, tag, rest) = self.start(letters);
        while self.tags[at] != 0 && (self.tags[at], self.slots[at].0) != (tag, rest) {
            at = (at + 1) & (self.tags.len() - 1);
        }
        (self.tags[at], self.slots[at].0) = (tag, rest);
        &mut self.slots[at].1
    }

    fn size(&self) -> usize {
        self.tags.capacity() + self.slots.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::build;
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
        WordMap::new(&build::graph(&words.collect()).unwrap(), 21)
    }

    #[test]
    fn letters_tell_their_words_and_what_they_lack() {
        let map = map(&["ACT", "CAT", "CATS", "AT", "TAO"]).unwrap();
        let spelled = |text: &str| map.words(key(text)).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(spelled("TCA"), [[1, 3, 20], [3, 1, 20]]);
        assert!(spelled("TC").is_empty() && spelled("TCAT").is_empty());
        assert!(map.may_have_word(key("TA")) && !map.may_have_word(key("T")));
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
