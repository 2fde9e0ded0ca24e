//! Words as numbers, so that lists of them are small and sort fast.
//!
//! A symbol takes six bits and the first symbol stands highest: numbers then
//! compare as words do, and the end of a word, six zero bits, comes before
//! every symbol. What a word means, or whether it is valid, is not known here.

use crate::tiles::Letter;
use std::fmt;

/// The most letters a word can have: the side of the largest board.
pub const MAX_WORD_LETTERS: usize = 21;

/// The bits of a symbol: enough for 63 of them.
const BITS: u32 = 6;

/// Up to [`MAX_WORD_LETTERS`] symbols from 1 to 63 in one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SymbolString(u128);

impl SymbolString {
    /// The key with these symbols; `None` if they are too many.
    pub(super) fn new(symbols: impl IntoIterator<Item = u8>) -> Option<SymbolString> {
        let mut key = SymbolString::default();
        for (at, symbol) in symbols.into_iter().enumerate() {
            if at == MAX_WORD_LETTERS {
                return None;
            }
            key.set(at, symbol);
        }
        Some(key)
    }

    /// How many symbols it has.
    pub(super) fn len(self) -> usize {
        match self.0.trailing_zeros() {
            128 => 0,
            zeros => ((127 - zeros) / BITS + 1) as usize,
        }
    }

    /// The symbol at a place, 0 after the last.
    #[inline]
    pub(super) fn symbol(self, at: usize) -> u8 {
        (self.0 >> shift(at)) as u8 & 63
    }

    /// Puts a symbol at a place that was empty so far.
    #[inline]
    pub(super) fn set(&mut self, at: usize, symbol: u8) {
        self.0 |= u128::from(symbol & 63) << shift(at);
    }

    /// The first `len` symbols.
    pub(super) fn truncated(self, len: usize) -> SymbolString {
        match len {
            0 => SymbolString(0),
            _ => SymbolString(self.0 >> shift(len - 1) << shift(len - 1)),
        }
    }

    /// How many symbols both have in common at the start.
    pub(super) fn common(self, other: SymbolString) -> usize {
        ((self.0 ^ other.0).leading_zeros() / BITS) as usize
    }

    /// Its symbols in order.
    pub(super) fn symbols(self) -> impl Iterator<Item = u8> {
        (0..self.len()).map(move |at| self.symbol(at))
    }
}

/// How far up the symbol at a place stands.
#[inline]
fn shift(at: usize) -> u32 {
    128 - BITS * (at as u32 + 1)
}

/// A word of at most [`MAX_WORD_LETTERS`] letters. Words compare in alphabetical order.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub(super) SymbolString);

impl Word {
    /// The word with these letters; `None` if they are more than [`MAX_WORD_LETTERS`].
    pub fn new(letters: &[Letter]) -> Option<Word> {
        SymbolString::new(letters.iter().map(|letter| letter.number() as u8)).map(Word)
    }

    /// How many letters it has.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether it has no letters.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Its letters in order.
    pub fn letters(self) -> impl Iterator<Item = Letter> {
        self.0.symbols().filter_map(|n| Letter::new(n.into()))
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list()
            .entries(self.letters().map(Letter::number))
            .finish()
    }
}

/// Words in alphabetical order, each once: what graphs are built from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList(Vec<Word>);

impl WordList {
    /// Sorts the words and keeps one of each.
    pub fn new(mut words: Vec<Word>) -> WordList {
        // Lists in files are sorted nearly always, and asking costs little.
        if !words.is_sorted() {
            words.sort_unstable();
        }
        words.dedup();
        WordList(words)
    }

    /// How many words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words in alphabetical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Word> + '_ {
        self.0.iter().copied()
    }

    /// Whether it has this word.
    pub fn contains(&self, word: Word) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

impl FromIterator<Word> for WordList {
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> WordList {
        WordList::new(words.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(numbers: &[usize]) -> Option<Word> {
        let letters: Vec<Letter> = numbers.iter().filter_map(|&n| Letter::new(n)).collect();
        Word::new(&letters)
    }

    #[test]
    fn a_word_gives_its_letters_back() {
        for numbers in [&[][..], &[1], &[32, 1, 16], &[32; MAX_WORD_LETTERS]] {
            let back: Vec<usize> = word(numbers)
                .into_iter()
                .flat_map(Word::letters)
                .map(Letter::number)
                .collect();
            assert_eq!(back, numbers);
        }
        assert_eq!(word(&[1; MAX_WORD_LETTERS + 1]), None);
    }

    #[test]
    fn words_compare_as_in_a_dictionary() {
        let sorted = [&[][..], &[1], &[1, 1], &[1, 2], &[1, 32, 5], &[2], &[32]];
        assert!(sorted.map(word).is_sorted());
    }

    #[test]
    fn common_symbols_are_counted_and_cut() {
        let key = |numbers| word(numbers).unwrap_or_default().0;
        assert_eq!(key(&[3, 4, 5]).common(key(&[3, 4, 6, 7])), 2);
        assert_eq!(key(&[3, 4]).common(key(&[3, 4, 6])), 2);
        assert_eq!(key(&[3]).common(key(&[4])), 0);
        assert_eq!(key(&[3, 4, 5]).truncated(2), key(&[3, 4]));
        assert_eq!(key(&[3, 4, 5]).truncated(0), key(&[]));
    }
}
