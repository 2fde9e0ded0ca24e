//! A score that explains itself: its parts add up to the points.

use crate::board::{Axis, Square};
use crate::tiles::{Face, Letter};
use crate::units::Points;

/// What a placement scores: each word it forms, and the bonus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The word along the play first, then those across it in order. A single
    /// tile may make only one across.
    pub words: Vec<WordScore>,
    /// The bonus for the number of tiles placed.
    pub bonus: Points,
}

impl Score {
    /// The points of the play. No real board comes near the limit, but one
    /// full of word premiums would, and sums of such plays would overflow.
    pub fn total(&self) -> Points {
        let words: Points = self.words.iter().map(WordScore::total).sum();
        (words + self.bonus).min(Points(Points::LIMIT))
    }
}

/// What one word scores.
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

/// What one letter adds to its word, before the word's premiums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LetterScore {
    /// Where it lies.
    pub square: Square,
    /// What lies there.
    pub face: Face,
    /// The tile's face value: nothing for a blank.
    pub value: Points,
    /// The letter premium, 1 if there is none.
    pub factor: i32,
    /// Whether this play placed it.
    pub fresh: bool,
}

impl LetterScore {
    /// The points of the letter.
    pub fn total(&self) -> Points {
        self.value * self.factor
    }
}
