//! The penalty for a first play that exposes vowels: the opponent can play
//! across a vowel that lies beside a premium square.
//!
//! `eval` sets the amount, and `penalties` applies it.

use super::cross_board::BLANK_BIT;
use super::gaddag::RawPlacement;
use crate::board::{Axis, Premium, Square};
use crate::rules::{Placement, RuleSet};
use crate::tiles::{Letter, Tile};
use crate::units::Equity;

/// The penalty for each vowel of a first play beside a premium square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningPenalty {
    /// The letters that are vowels, a bit each.
    vowels: u32,
    /// By axis: the squares of the lane through the start square that have a
    /// premium square beside them across the lane, a bit each.
    exposed: [u32; 2],
    /// The penalty per vowel.
    penalty: Equity,
}

impl OpeningPenalty {
    /// With a penalty of `penalty` for each vowel beside a premium square.
    pub fn new(rules: &RuleSet, penalty: Equity) -> OpeningPenalty {
        let (board, tiles) = (&rules.board, &rules.tiles);
        let side = board.side();
        let vowel = |letter: &Letter| tiles.kind(Tile::from(*letter)).vowel;
        let vowels = tiles.letters().filter(vowel);
        let is_premium =
            |square: Square| matches!(board.premium(square), Premium::Letter(_) | Premium::Word(_));
        let exposed = |axis: Axis| {
            let (lane, _) = board.start().lane(axis, side);
            let beside = |square: Square| {
                let (across, at) = square.lane(axis.other(), side);
                let before = at.checked_sub(1).and_then(|before| across.get(before));
                [before, across.get(at + 1)]
            };
            (0..side)
                .filter(|&at| {
                    let beside = lane.get(at).map(beside).into_iter().flatten();
                    beside.flatten().any(is_premium)
                })
                .fold(0, |squares, at| squares | 1 << at)
        };
        OpeningPenalty {
            vowels: vowels.fold(0, |set, letter| set | 1 << (letter.number() - 1)),
            exposed: Axis::BOTH.map(exposed),
            penalty,
        }
    }

    /// The change of the equity of a first play: zero or negative.
    pub(crate) fn of(&self, placement: &Placement, side: u8) -> Equity {
        let (_, first) = placement.start().lane(placement.axis(), side);
        let letters = placement.cells().iter();
        let letters = letters.map(|cell| cell.map_or(0, |face| face.letter().number() as u8));
        self.sum(placement.axis(), first.into(), letters)
    }

    /// The same for a placement of a generator.
    pub(super) fn of_raw(&self, found: &RawPlacement) -> Equity {
        let letters = found.cells.iter().map(|cell| cell & !BLANK_BIT);
        self.sum(found.axis, found.first, letters)
    }

    /// The change of the equity for one letter on square `at` of the lane: zero or negative.
    pub(super) fn of_letter(&self, axis: Axis, at: usize, letter: u8) -> Equity {
        self.sum(axis, at, std::iter::once(letter))
    }

    /// The change for the letters of a word from square `first` on; 0 is no letter.
    fn sum(&self, axis: Axis, first: usize, letters: impl Iterator<Item = u8>) -> Equity {
        let exposed = self.exposed[axis as usize] >> first;
        let is_exposed = |&(at, letter): &(usize, u8)| {
            letter > 0 && self.vowels >> (letter - 1) & 1 != 0 && exposed >> at & 1 != 0
        };
        let vowels = letters.enumerate().filter(is_exposed).count();
        Equity::from_millis(-self.penalty.millis() * vowels as i32)
    }
}
