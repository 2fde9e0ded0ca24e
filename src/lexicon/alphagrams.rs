//! Graphs of alphagrams, for games in which the letters of a word may stand in any order.
//!
//! The alphagram of a word has its letters in ascending order: that of CARE is ACER. Letters are
//! valid in any order if their alphagram is that of a word. So the graph is a DAWG of all
//! alphagrams, without a GADDAG, and every look-up sorts its letters first.
//!
//! The central operation, [`Graph::for_each_completion`], adds unknown letters to known ones: no
//! letter asks whether the known letters are a word, one letter gives a cross-check, and more give
//! the letters that blanks can stand for.

use super::builder;
use super::error::GraphError;
use super::graph::{Graph, letter_bit};
use super::node::NodeList;
use super::symbols::{MAX_WORD_LETTERS, SymbolString};
use super::word::{Word, WordList};
use crate::tiles::Letter;

/// The most letters that can be unknown: more than the tiles of the largest rack.
pub(crate) const MAX_UNKNOWN_LETTERS: usize = 16;

impl Graph {
    /// The graph of the alphagrams of these words.
    pub fn alphagrams(&self) -> Result<Graph, GraphError> {
        let alphagrams: WordList = self.words().filter_map(alphagram).collect();
        let nodes = builder::dawg(alphagrams.iter().map(|word| word.0))?;
        let mut graph = Graph::new(nodes);
        graph.is_alphagrams = true;
        Ok(graph)
    }

    /// Whether its words are alphagrams, so that letters may stand in any order.
    #[inline]
    pub fn is_alphagrams(&self) -> bool {
        self.is_alphagrams
    }

    /// Whether some order of these letters is a word. The graph has alphagrams.
    pub(super) fn has_alphagram_of(&self, letters: &[Letter]) -> bool {
        let mut sorted: Vec<u8> = letters.iter().map(|letter| letter.number() as u8).collect();
        sorted.sort_unstable();
        let mut found = false;
        self.for_each_completion(&sorted, 0, &mut |_| found = true);
        found
    }

    /// The letters, a bit each, that make a word together with these, which ascend. The graph has
    /// alphagrams.
    pub(crate) fn completing_letters(&self, sorted: &[u8]) -> u32 {
        let mut letters = 0;
        self.for_each_completion(sorted, 1, &mut |added| letters |= letter_bit(added[0]));
        letters
    }

    /// Calls `sink` with every multiset of `unknown` letters that makes a word together with the
    /// letters `sorted`. Both ascend. The graph has alphagrams.
    pub(crate) fn for_each_completion(
        &self,
        sorted: &[u8],
        unknown: usize,
        sink: &mut impl FnMut(&[u8]),
    ) {
        if sorted.len() + unknown > MAX_WORD_LETTERS || unknown > MAX_UNKNOWN_LETTERS {
            return;
        }
        let mut completion = CompletionWalk {
            graph: self,
            added: [0; MAX_UNKNOWN_LETTERS],
            count: 0,
            unknown,
            sink,
        };
        completion.extend(self.dawg_root(), false, sorted);
    }
}

/// The word with its letters in ascending order.
fn alphagram(word: Word) -> Option<Word> {
    let mut symbols: Vec<u8> = word.0.symbols().collect();
    symbols.sort_unstable();
    SymbolString::new(symbols).map(Word)
}

/// A walk along all alphagrams that consist of known letters and a number of unknown ones.
struct CompletionWalk<'a, S> {
    graph: &'a Graph,
    /// The unknown letters on the path so far.
    added: [u8; MAX_UNKNOWN_LETTERS],
    count: usize,
    unknown: usize,
    sink: &'a mut S,
}

impl<S: FnMut(&[u8])> CompletionWalk<'_, S> {
    /// Extends the path by the letters of `list`. `known` has the known letters that are not on the
    /// path yet, and `is_word` says whether the path is an alphagram.
    fn extend(&mut self, mut list: NodeList, mut is_word: bool, mut known: &[u8]) {
        let graph = self.graph;
        while self.count == self.unknown {
            let Some((next, rest)) = known.split_first() else {
                if is_word {
                    (self.sink)(&self.added[..self.count]);
                }
                return;
            };
            let Some(node) = graph.child(list, *next) else {
                return;
            };
            (list, is_word, known) = (node.arc(), node.accepts(), rest);
        }
        // A path ascends, so it cannot pass by the next known letter. Where a letter is both known
        // and unknown, the known ones come first: so each path is found once.
        let next = known.first().copied().unwrap_or(u8::MAX);
        for node in graph.siblings(list) {
            let letter = node.tile();
            if letter < next {
                self.added[self.count] = letter;
                self.count += 1;
                self.extend(node.arc(), node.accepts(), known);
                self.count -= 1;
            } else {
                if letter == next {
                    self.extend(node.arc(), node.accepts(), &known[1..]);
                }
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::RngExt;
    use std::collections::BTreeSet;

    fn sorted(mut letters: Vec<u8>) -> Vec<u8> {
        letters.sort_unstable();
        letters
    }

    /// Every ascending sequence of `count` letters from `lowest` to `highest`.
    fn multisets(count: usize, lowest: u8, highest: u8) -> Vec<Vec<u8>> {
        let first = |letter: u8| {
            let rest = multisets(count - 1, letter, highest).into_iter();
            rest.map(move |rest| [vec![letter], rest].concat())
        };
        match count {
            0 => vec![Vec::new()],
            _ => (lowest..=highest).flat_map(first).collect(),
        }
    }

    #[test]
    fn completions_are_what_the_definition_asks_for() {
        /// The letters of the test words.
        const LETTERS: u8 = 4;
        for unit in 0..20 {
            let mut chance = Seed(3).for_unit(unit).generator();
            let mut random = |longest: usize| -> Vec<u8> {
                let len = chance.random_range(0..=longest);
                let letter = |_| chance.random_range(1..=LETTERS);
                (0..len).map(letter).collect()
            };
            let words: Vec<Vec<u8>> = (0..60).map(|_| random(6)).collect();
            let words: Vec<Vec<u8>> = words.into_iter().filter(|word| !word.is_empty()).collect();
            let packed = words
                .iter()
                .cloned()
                .filter_map(SymbolString::new)
                .map(Word);
            let graph = Graph::from_words(&packed.collect()).expect("few words");
            let graph = graph.alphagrams().expect("few words");
            let valid: BTreeSet<Vec<u8>> = words.into_iter().map(sorted).collect();
            for _ in 0..40 {
                let known = sorted(random(5));
                for unknown in 0..=3 {
                    let mut found = Vec::new();
                    graph.for_each_completion(&known, unknown, &mut |added| {
                        found.push(added.to_vec());
                    });
                    let expected: Vec<Vec<u8>> = multisets(unknown, 1, LETTERS)
                        .into_iter()
                        .filter(|added| valid.contains(&sorted([&known[..], added].concat())))
                        .collect();
                    assert_eq!(found, expected, "{known:?} and {unknown}");
                }
            }
        }
    }
}
