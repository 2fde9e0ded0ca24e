//! Words and sorted lists of words. Whether a word is valid is not known here.

use super::symbols::SymbolString;
use crate::tiles::Letter;
use std::fmt;

/// A word of at most 21 letters ([`MAX_WORD_LETTERS`](super::MAX_WORD_LETTERS)). Words compare
/// in alphabetical order.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub(super) SymbolString);

impl Word {
    /// The word with these letters; `None` if there are too many.
    pub fn new(letters: &[Letter]) -> Option<Word> {
        SymbolString::new(letters.iter().map(|letter| letter.number() as u8)).map(Word)
    }

    /// The number of letters.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether it has no letters.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The letters in order.
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

/// Words in alphabetical order, each once. Graphs are built from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordList(Vec<Word>);

impl WordList {
    /// Sorts the words and keeps one of each.
    pub fn new(mut words: Vec<Word>) -> WordList {
        // Nearly all lists in files are sorted already, and the check is cheap.
        if !words.is_sorted() {
            words.sort_unstable();
        }
        words.dedup();
        WordList(words)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no words.
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
    use super::super::MAX_WORD_LETTERS;
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
}
