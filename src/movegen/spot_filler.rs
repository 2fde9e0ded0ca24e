//! All placements of given tiles on one placement slot, by the word map.
//!
//! `best_first` calls it with a spot and a subset of the rack. The word map, an
//! anagram dictionary keyed by the multiset of letters, lists the words that
//! the tiles form together with the tiles on the board that the spot covers.
//! Words that fit the squares and the cross-checks go to the [`PlaySink`] with
//! their points, once for every choice of squares for the blanks.

use super::any_order::{Stretch, offer_orders};
use super::best_first::PlayedTiles;
use super::cross_board::{BLANK_BIT, CrossBoard, LANE_CAPACITY, LaneState, ones};
use super::gaddag::RawPlacement;
use super::sink::PlaySink;
use super::spots::Spot;
use crate::board::Axis;
use crate::lexicon::{LetterCounts, WordMap};
use crate::tiles::MAX_LETTERS;
use smallvec::SmallVec;

/// A spot and what is needed to fill it.
pub(super) struct SpotFiller<'a> {
    pub board: &'a CrossBoard<'a>,
    pub map: &'a WordMap,
    pub state: &'a LaneState,
    pub axis: Axis,
    pub lane: usize,
    pub spot: &'a Spot,
    /// The letters allowed on squares that do not allow every letter; one of nine squares may be left
    /// out.
    pub limits: &'a [u32],
}

impl SpotFiller<'_> {
    /// A cheap test whether a word of these tiles may fit here. `true` may be
    /// wrong, `false` never is.
    #[inline]
    pub fn may_fit(&self, played: &PlayedTiles) -> bool {
        // A square that allows none of the letters needs a blank.
        let lacking = self.limits.iter().filter(|&limit| limit & played.set == 0);
        if lacking.count() > usize::from(played.blanks) {
            return false;
        }
        let letters = played.letters.plus(self.spot.through);
        match played.blanks {
            0 => self.map.prefilter_word(letters),
            1 => self.map.prefilter_completions(letters),
            _ => true,
        }
    }

    /// Offers every placement of these tiles here.
    pub fn fill(&self, played: &PlayedTiles, sink: &mut impl PlaySink) {
        let letters = played.letters.plus(self.spot.through);
        match played.blanks {
            0 => self.offer_words(letters, 0, played, sink),
            1 => {
                // The blank goes to the square that allows none of the letters, if any.
                let lacking = self.limits.iter().find(|&limit| limit & played.set == 0);
                let allowed = lacking.map_or(u32::MAX, |limit| *limit);
                let wanted = self.map.completions(letters) & allowed;
                self.offer_with_blank(letters, 0, wanted, played, sink);
            }
            _ => {
                // Two blanks: each unordered pair of letters once.
                for first in 1..=MAX_LETTERS {
                    let letters = letters.plus(LetterCounts::of_number(first));
                    let not_before_first = u32::MAX << (first - 1);
                    let wanted = self.map.completions(letters) & not_before_first;
                    self.offer_with_blank(letters, first, wanted, played, sink);
                }
            }
        }
    }

    /// Offers the words in which one more blank stands for a `wanted` letter;
    /// another blank stands for letter `first`, or there is none if that is 0.
    fn offer_with_blank(
        &self,
        letters: LetterCounts,
        first: usize,
        wanted: u32,
        played: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        for letter in ones(wanted) {
            let number = letter.trailing_zeros() as usize + 1;
            let blanks = (first << 8 | number) as u32;
            let letters = letters.plus(LetterCounts::of_number(number));
            self.offer_words(letters, blanks, played, sink);
        }
    }

    /// Offers every anagram of `letters` that fits the board. `blanks` has the
    /// letters that blanks stand for, a byte each.
    #[inline]
    fn offer_words(
        &self,
        letters: LetterCounts,
        blanks: u32,
        played: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        for word in self.map.words(letters) {
            if self.board.graph.is_alphagrams() {
                self.offer_orders(word, blanks, played, sink);
            } else if word.len() == self.len() && self.fits(word) {
                if blanks == 0 {
                    let mut cells = [0; LANE_CAPACITY];
                    for (at, letter) in word.iter().enumerate() {
                        cells[at] = if self.is_fresh(at) { *letter } else { 0 };
                    }
                    self.offer(&cells, word.len(), played, sink);
                } else {
                    let blanks = [(blanks & 255) as u8, (blanks >> 8) as u8];
                    self.place_blanks(word, 0, blanks, [0; LANE_CAPACITY], played, sink);
                }
            }
        }
    }

    /// Offers every order of the tiles that fits the board, where letters may stand in any order.
    /// `alphagram` has the letters of the tiles and of the tiles that the spot covers. Not inlined, so
    /// that the compiler inlines its caller, which ordinary games need: 0.4 % of their instructions.
    #[inline(never)]
    fn offer_orders(
        &self,
        alphagram: &[u8],
        blanks: u32,
        played: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        if alphagram.len() != self.len() {
            return;
        }
        let (start, end) = (usize::from(self.spot.start), usize::from(self.spot.end));
        let covered = self.state.cells[start..end].iter();
        let mut absent: SmallVec<[u8; LANE_CAPACITY]> = covered
            .filter(|cell| **cell != 0)
            .map(|cell| cell & !BLANK_BIT)
            .collect();
        let blanks = [(blanks & 255) as u8, (blanks >> 8) as u8];
        let blanks = blanks.into_iter().filter(|letter| *letter != 0);
        absent.extend(blanks.clone());
        let mut tiles: SmallVec<[u8; LANE_CAPACITY]> = SmallVec::new();
        for letter in alphagram {
            match absent.iter().position(|absent| absent == letter) {
                Some(at) => {
                    absent.swap_remove(at);
                }
                None => tiles.push(*letter),
            }
        }
        tiles.extend(blanks.map(|letter| letter | BLANK_BIT));
        let stretch = Stretch {
            axis: self.axis,
            lane: self.lane,
            start,
            end,
            fresh: self.spot.fresh,
        };
        let leave = (played.leave, played.leave_value);
        // The bounds of the best-first search leave few orders to offer.
        let keep_going = || true;
        offer_orders(self.board, &stretch, &mut tiles, leave, &keep_going, sink);
    }

    fn len(&self) -> usize {
        usize::from(self.spot.end - self.spot.start)
    }

    /// Whether letter number `at` of the word falls on an empty square.
    fn is_fresh(&self, at: usize) -> bool {
        self.spot.fresh >> (usize::from(self.spot.start) + at) & 1 != 0
    }

    /// Whether a word agrees with the tiles on the board and the cross-checks.
    #[inline]
    fn fits(&self, word: &[u8]) -> bool {
        let start = usize::from(self.spot.start);
        let (cells, allowed) = (&self.state.cells[start..], &self.state.allowed[start..]);
        word.iter()
            .zip(cells)
            .zip(allowed)
            .all(|((letter, cell), allowed)| match cell {
                0 => allowed >> (letter - 1) & 1 != 0,
                cell => cell & !BLANK_BIT == *letter,
            })
    }

    /// Offers the word once for every choice of squares for the blanks, from
    /// letter number `at` on.
    fn place_blanks(
        &self,
        word: &[u8],
        at: usize,
        blanks: [u8; 2],
        mut cells: [u8; LANE_CAPACITY],
        played: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        let Some(&letter) = word.get(at) else {
            // A choice that leaves a blank over is none.
            if blanks == [0; 2] {
                self.offer(&cells, word.len(), played, sink);
            }
            return;
        };
        if self.is_fresh(at) {
            if let Some(which) = blanks.iter().position(|blank| *blank == letter) {
                let mut left = blanks;
                left[which] = 0;
                cells[at] = letter | BLANK_BIT;
                self.place_blanks(word, at + 1, left, cells, played, sink);
            }
            cells[at] = letter;
        }
        self.place_blanks(word, at + 1, blanks, cells, played, sink);
    }

    fn offer(
        &self,
        cells: &[u8; LANE_CAPACITY],
        len: usize,
        played: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        let (first, cells) = (usize::from(self.spot.start), &cells[..len]);
        let lane = (self.axis, self.lane);
        let found = RawPlacement::new(self.board, lane, first, cells, played.leave);
        sink.offer(&found, found.points * 1_000 + played.leave_value);
    }
}
