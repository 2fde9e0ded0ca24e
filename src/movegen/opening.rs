//! What the first play costs besides its tiles: vowels beside premium squares
//! are what the next player makes words across with.

use super::best_first::PlaySink;
use super::cross_board::BLANK_BIT;
use super::gaddag::RawPlacement;
use crate::board::{Axis, Premium, Square};
use crate::rules::{Placement, RuleSet};
use crate::tiles::{Letter, Tile};
use crate::units::Equity;

/// The cost of a vowel on the squares of the lanes through the start square.
/// It is never a gain, so that bounds that do not know of it stay bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningPenalty {
    /// The letters that are vowels, a bit each.
    vowels: u32,
    /// By axis: the squares of the lane with a premium beside them across it.
    exposed: [u32; 2],
    cost: Equity,
}

impl OpeningPenalty {
    /// So much for each vowel beside a premium.
    pub fn new(rules: &RuleSet, cost: Equity) -> OpeningPenalty {
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
            cost,
        }
    }

    /// What it adds to the worth of a first play.
    pub fn worth(&self, placement: &Placement, side: u8) -> Equity {
        let (_, first) = placement.start().lane(placement.axis(), side);
        let letters = placement.cells().iter();
        let letters = letters.map(|cell| cell.map_or(0, |face| face.letter().number() as u8));
        self.sum(placement.axis(), first.into(), letters)
    }

    /// The same for a placement as it is found.
    pub(super) fn worth_of(&self, found: &RawPlacement) -> Equity {
        let letters = found.cells.iter().map(|cell| cell & !BLANK_BIT);
        self.sum(found.axis, found.first, letters)
    }

    fn sum(&self, axis: Axis, first: usize, letters: impl Iterator<Item = u8>) -> Equity {
        let exposed = self.exposed[axis as usize] >> first;
        let counts = |&(at, letter): &(usize, u8)| {
            letter > 0 && self.vowels >> (letter - 1) & 1 != 0 && exposed >> at & 1 != 0
        };
        let vowels = letters.enumerate().filter(counts).count();
        Equity::from_millis(-self.cost.millis() * vowels as i32)
    }
}

/// Takes off what a first play costs before it goes on to another sink.
pub(super) struct PenalizingSink<'a, S> {
    /// `None` for every play but the first.
    pub opening: Option<&'a OpeningPenalty>,
    pub sink: &'a mut S,
}

impl<S: PlaySink> PlaySink for PenalizingSink<'_, S> {
    #[inline]
    fn threshold(&self) -> i32 {
        self.sink.threshold()
    }

    #[inline]
    fn offer(&mut self, found: &RawPlacement, equity: i32) {
        let cost = self
            .opening
            .map_or(0, |opening| opening.worth_of(found).millis());
        self.sink.offer(found, equity + cost);
    }
}
