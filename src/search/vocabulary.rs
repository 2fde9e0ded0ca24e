//! The words that a search goes by, from the side of the player to move.

use crate::movegen::Words;

/// Three sets of words. Today all of them hold the whole lexicon; they differ for a player who does
/// not know every word, or who faces such an opponent.
#[derive(Clone, Copy)]
pub struct Vocabulary<'a> {
    /// The legal words. They decide whether a move that a client names is a phony.
    pub legal: Words<'a>,
    /// The words that the player to move knows, and forms moves with.
    pub known: Words<'a>,
    /// The words that the player to move assumes the opponents to know.
    pub assumed: Words<'a>,
}

impl<'a> Vocabulary<'a> {
    /// Every player knows all legal words.
    pub fn complete(words: Words<'a>) -> Vocabulary<'a> {
        Vocabulary {
            legal: words,
            known: words,
            assumed: words,
        }
    }

    /// Whether the opponents are assumed to know just what the player to move knows.
    pub(crate) fn is_common(&self) -> bool {
        std::ptr::eq(self.known.graph, self.assumed.graph)
    }
}
