//! Penalties of placements that depend on squares and letters: for vowels of a first play
//! ([`OpeningPenalty`]) and for blanks that an opponent can take ([`BlankPenalty`]).
//!
//! `eval` sets the amounts. [`PenalizingSink`] applies them in front of another sink. A penalty is
//! never negative, so upper bounds that ignore it stay admissible.

use super::cross_board::BLANK_BIT;
use super::gaddag::RawPlacement;
use super::opening::OpeningPenalty;
use super::sink::PlaySink;
use super::{Play, RackLeaves};
use crate::board::Axis;
use crate::tiles::{Face, Letter, MAX_LETTERS};
use crate::units::Equity;

/// The penalty for each blank that a placement puts on the board, by the letter it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlankPenalty([i32; MAX_LETTERS + 1]);

impl BlankPenalty {
    /// Asks `penalty` for each letter of these.
    pub fn new(
        letters: impl Iterator<Item = Letter>,
        penalty: impl Fn(Letter) -> Equity,
    ) -> BlankPenalty {
        let mut by_number = [0; MAX_LETTERS + 1];
        for letter in letters {
            by_number[letter.number()] = penalty(letter).millis();
        }
        BlankPenalty(by_number)
    }

    /// The change of the equity for a tile placed: zero or negative.
    pub(crate) fn of(&self, face: Face) -> Equity {
        match face.is_blank() {
            true => Equity::from_millis(-self.0[face.letter().number()]),
            false => Equity::ZERO,
        }
    }

    /// The change of the equity for a cell of a generator: zero or negative.
    fn of_cell(&self, cell: u8) -> Equity {
        match cell & BLANK_BIT {
            0 => Equity::ZERO,
            _ => Equity::from_millis(-self.0[usize::from(cell & !BLANK_BIT)]),
        }
    }
}

/// The penalties that apply to the next placement.
#[derive(Clone, Copy)]
pub(super) struct Penalties<'a> {
    /// `None` unless the board is empty.
    opening: Option<&'a OpeningPenalty>,
    blanks: Option<&'a BlankPenalty>,
}

impl<'a> Penalties<'a> {
    /// Those of a rack.
    pub fn new(rack_leaves: &'a RackLeaves, is_first_play: bool) -> Penalties<'a> {
        let opening = rack_leaves.opening.as_ref();
        Penalties {
            opening: opening.filter(|_| is_first_play),
            blanks: rack_leaves.blanks.as_ref(),
        }
    }

    /// The change of the equity of a placement: zero or negative.
    #[inline]
    pub fn of(&self, found: &RawPlacement) -> Equity {
        let opening = self.opening.map(|opening| opening.of_raw(found));
        let of_cells = |blanks: &BlankPenalty| {
            let cells = found.cells.iter().map(|cell| blanks.of_cell(*cell));
            cells.fold(Equity::ZERO, |sum, change| sum + change)
        };
        opening.unwrap_or_default() + self.blanks.map(of_cells).unwrap_or_default()
    }

    /// The part of one tile on square `at` of the lane: zero or negative.
    pub fn of_cell(&self, axis: Axis, at: usize, cell: u8) -> Equity {
        let of_vowel = |it: &OpeningPenalty| it.of_letter(axis, at, cell & !BLANK_BIT);
        let of_blank = |it: &BlankPenalty| it.of_cell(cell);
        self.opening.map(of_vowel).unwrap_or_default()
            + self.blanks.map(of_blank).unwrap_or_default()
    }
}

/// Applies the penalties before it passes a placement on to another sink.
pub(super) struct PenalizingSink<'a, S> {
    pub penalties: Penalties<'a>,
    pub sink: &'a mut S,
}

impl<S: PlaySink> PlaySink for PenalizingSink<'_, S> {
    #[inline]
    fn threshold(&self) -> i32 {
        self.sink.threshold()
    }

    #[inline]
    fn offer(&mut self, found: &RawPlacement, equity: i32) {
        let penalty = self.penalties.of(found).millis();
        self.sink.offer(found, equity + penalty);
    }

    fn worst(&self) -> Option<&Play> {
        self.sink.worst()
    }

    fn penalties(&self) -> Option<Penalties<'_>> {
        Some(self.penalties)
    }
}
