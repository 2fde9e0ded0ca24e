//! The score of a play, with its parts: words, letters, premiums and bonus.

use crate::board::{Axis, Square};
use crate::tiles::{Face, Letter};
use crate::units::Points;

/// The score of a placement: each word it forms, and the bonus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The word along the placement first, then the cross words in order. A single tile may form
    /// only a cross word.
    pub words: Vec<WordScore>,
    /// The bonus for the number of tiles placed.
    pub bonus: Points,
    /// The words that edits formed before the main action. They score nothing, but must be words
    /// too.
    pub edit_words: Vec<Vec<Letter>>,
}

impl Score {
    /// All words that must be valid.
    pub fn formed(&self) -> impl Iterator<Item = Vec<Letter>> + '_ {
        let scored = self.words.iter().map(WordScore::word);
        self.edit_words.iter().cloned().chain(scored)
    }

    /// The points of the play, at most [`Points::LIMIT`]. Real boards stay far below the limit, but
    /// on a board full of word premiums sums of scores could overflow.
    pub fn total(&self) -> Points {
        let words: Points = self.words.iter().map(WordScore::total).sum();
        (words + self.bonus).min(Points(Points::LIMIT))
    }
}

/// The score of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordScore {
    /// Its direction.
    pub axis: Axis,
    /// Its letters in order.
    pub letters: Vec<LetterScore>,
    /// The product of its word premiums.
    pub factor: i32,
}

impl WordScore {
    /// The points of the word.
    pub fn total(&self) -> Points {
        self.letters.iter().map(LetterScore::total).sum::<Points>() * self.factor
    }

    /// The word itself.
    pub fn word(&self) -> Vec<Letter> {
        self.letters
            .iter()
            .map(|letter| letter.face.letter())
            .collect()
    }
}

/// What one letter adds to its word, before word premiums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetterScore {
    /// Its square.
    pub square: Square,
    /// The tile on that square.
    pub face: Face,
    /// The face value of the tile, 0 for a blank.
    pub value: Points,
    /// The letter premium, 1 if there is none.
    pub factor: i32,
    /// Whether this play places it.
    pub fresh: bool,
}

impl LetterScore {
    /// The points of the letter.
    pub fn total(&self) -> Points {
        self.value * self.factor
    }
}
