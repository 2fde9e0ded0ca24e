//! The best placements by equity, best spots first.
//!
//! Each spot has a bound on the equity of what can be placed there. Spots are
//! looked at in the order of their bounds and only as long as a bound is not
//! below what has been found; at a spot, the word map tells which words the
//! tiles spell.

use super::field::{BLANK_BIT, Field, LANE, Strip, Undo};
use super::hand::{Hand, KEEPS};
use super::spots::{self, Spot, WIDTH};
#[cfg(debug_assertions)]
use super::walk;
use super::walk::Found;
use crate::board::Axis;
use crate::lexicon::{Letters, WordMap};
use crate::tiles::{Bunch, MAX_LETTERS, Tile};
use smallvec::SmallVec;
use std::collections::BinaryHeap;

/// What takes placements, and says how good they must be.
pub(super) trait Sink {
    /// A placement that is worth less is of no interest.
    fn threshold(&self) -> i32;
    /// A placement and its equity in thousandths of a point.
    fn offer(&mut self, found: &Found, equity: i32);
}

/// The tiles that a placement takes from the rack.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Their values, largest first.
    values: [i16; WIDTH],
    letters: Letters,
    /// What the tiles kept are worth.
    leave: i32,
    /// The letters that make a word with these; all if that is not known.
    one_more: u32,
    kept: u16,
    count: u8,
    blanks: u8,
    /// Whether they make a word by themselves.
    has_word: bool,
}

/// Spots and scratch space, kept from turn to turn.
#[derive(Clone, Default)]
pub(super) struct Searcher {
    /// By axis and lane.
    spots: [Vec<Vec<Spot>>; 2],
    /// The strips whose spots are out of date, a bit each, by axis.
    stale: [u32; 2],
    /// By number of tiles.
    parts: [Vec<Part>; WIDTH + 1],
    /// The values of all tiles of the rack, largest first.
    values: [i16; WIDTH],
    /// Bounds with their spots, packed: see [`pack`].
    heap: BinaryHeap<u64>,
    /// Lists that are not in use, for their memory.
    spare: Vec<Vec<Spot>>,
}

/// The spots of the strips that a play changed, as they are on the other side
/// of it, in the order of [`Undo::strips`]; and which of them are out of date.
#[derive(Clone, Default)]
pub(super) struct Other {
    spots: SmallVec<[Vec<Spot>; 18]>,
    stale: [u32; 2],
}

/// Below every equity.
pub(super) const NOTHING: i32 = i32::MIN / 2;

impl Searcher {
    /// For a board with sides of so many squares.
    pub fn new(side: usize) -> Searcher {
        Searcher {
            spots: [vec![Vec::new(); side], vec![Vec::new(); side]],
            stale: [u32::MAX; 2],
            ..Searcher::default()
        }
    }

    /// Notes which strips a play has changed for good.
    pub fn forget(&mut self, undo: &Undo) {
        for (stale, changed) in self.stale.iter_mut().zip(undo.seen) {
            *stale |= changed;
        }
    }

    /// Notes which strips a play has changed, and puts their spots aside.
    pub fn set_aside(&mut self, undo: &Undo) -> Other {
        let spare = (0..undo.strips.len()).map(|_| self.spare.pop().unwrap_or_default());
        let mut other = Other {
            spots: spare.collect(),
            stale: undo.seen,
        };
        self.swap(undo, &mut other);
        other
    }

    /// Goes to the other side of a play.
    pub fn swap(&mut self, undo: &Undo, other: &mut Other) {
        for ((axis, lane, _), spots) in undo.strips.iter().zip(&mut other.spots) {
            let own = &mut self.spots[usize::from(*axis)][usize::from(*lane)];
            std::mem::swap(own, spots);
        }
        for (axis, seen) in undo.seen.iter().enumerate() {
            let (own, others) = (self.stale[axis], other.stale[axis]);
            self.stale[axis] = own & !seen | others & seen;
            other.stale[axis] = own & seen;
        }
    }

    /// Keeps the memory of what will not be needed again.
    pub fn recycle(&mut self, other: Other) {
        self.spare.extend(other.spots);
    }

    /// Works out the spots of the strips that have changed.
    pub fn prepare(&mut self, field: &Field, rack_size: usize) {
        for axis in Axis::BOTH {
            let strips = &mut self.spots[axis as usize];
            let mut stale = self.stale[axis as usize] & ((1 << field.side) - 1);
            while stale != 0 {
                let lane = stale.trailing_zeros() as usize;
                stale &= stale - 1;
                spots::of_strip(field, axis, lane, rack_size.min(WIDTH), &mut strips[lane]);
            }
            self.stale[axis as usize] = 0;
        }
    }

    /// Whether its spots are the same.
    pub fn is_same(&self, other: &Searcher) -> bool {
        self.spots == other.spots
    }

    /// Shows `sink` the placements that can matter to it.
    pub fn search(
        &mut self,
        field: &Field,
        map: &WordMap,
        rack: &Bunch,
        keeps: &[i32; KEEPS],
        sink: &mut impl Sink,
    ) {
        let hand = Hand::new(rack);
        self.list_parts(field, map, rack, &hand, keeps);
        self.bound_spots(field, rack, &hand);
        #[cfg(debug_assertions)]
        self.check_bounds(field, rack, keeps);
        while let Some(next) = self.heap.pop() {
            let (bound, axis, lane, at) = unpack(next);
            if bound < sink.threshold() {
                break;
            }
            let spot = &self.spots[axis as usize][lane][at];
            let strip = &field.strips[axis as usize][lane];
            let place = Place {
                field,
                map,
                strip,
                axis,
                lane,
                spot,
            };
            // The best tiles for the spot, and the tiles kept: the parts are in order of the latter.
            let most = (product(&self.values, &spot.factors) + spot.base) * 1_000;
            for part in &self.parts[usize::from(spot.count)] {
                if most + part.leave < sink.threshold() {
                    break;
                }
                if part.can_fill(spot) && part.bound(spot) >= sink.threshold() {
                    place.fill(part, sink);
                }
            }
        }
        self.heap.clear();
    }

    fn list_parts(
        &mut self,
        field: &Field,
        map: &WordMap,
        rack: &Bunch,
        hand: &Hand,
        keeps: &[i32; KEEPS],
    ) {
        let empty = Part {
            values: [0; WIDTH],
            letters: Letters::NONE,
            leave: 0,
            one_more: u32::MAX,
            kept: hand.kept,
            count: 0,
            blanks: 0,
            has_word: false,
        };
        for parts in &mut self.parts {
            parts.clear();
        }
        self.parts[0].push(empty);
        // The most valuable kinds first, so that values come out sorted.
        let mut kinds: SmallVec<[(Tile, u8); WIDTH]> = rack.kinds().collect();
        kinds.sort_unstable_by_key(|(tile, _)| std::cmp::Reverse(field.values[tile.number()]));
        for (tile, held) in kinds {
            let (number, value) = (tile.number(), field.values[tile.number()]);
            let letter = if number == 0 {
                Letters::NONE
            } else {
                Letters::number(number)
            };
            // Larger parts first: those that this kind is added to have none of it yet.
            for count in (0..WIDTH).rev() {
                for at in 0..self.parts[count].len() {
                    let mut part = self.parts[count][at];
                    for taken in 1..=held.min((WIDTH - count) as u8) {
                        part.kept ^= hand.bit(number, held - taken);
                        part.values[usize::from(part.count)] = value;
                        part.count += 1;
                        part.blanks += u8::from(number == 0);
                        part.letters = part.letters.and(letter);
                        self.parts[usize::from(part.count)].push(part);
                    }
                }
            }
        }
        for parts in &mut self.parts {
            for part in parts.iter_mut() {
                part.leave = keeps[usize::from(part.kept)];
            }
            parts.sort_unstable_by_key(|part| std::cmp::Reverse(part.leave));
        }
        for part in self.parts.iter_mut().flatten() {
            match part.blanks {
                0 => {
                    part.one_more = map.one_more(part.letters);
                    part.has_word = map.may_have_word(part.letters);
                }
                1 => part.has_word = map.one_more(part.letters) != 0,
                _ => part.has_word = true,
            }
        }
    }

    fn bound_spots(&mut self, field: &Field, rack: &Bunch, hand: &Hand) {
        let letters = if hand.counts[0] > 0 {
            u32::MAX
        } else {
            hand.letters
        };
        // By number of tiles: the best that can be kept, for words without, with one, and with more letters of the board.
        let mut alone = [NOTHING; WIDTH + 1];
        let mut with_one = [[NOTHING; MAX_LETTERS]; WIDTH + 1];
        let mut with_more = [NOTHING; WIDTH + 1];
        for part in self.parts.iter().flatten() {
            let count = usize::from(part.count);
            with_more[count] = with_more[count].max(part.leave);
            if part.has_word {
                alone[count] = alone[count].max(part.leave);
            }
            let mut left = part.one_more;
            while left != 0 {
                let best = &mut with_one[count][left.trailing_zeros() as usize];
                *best = part.leave.max(*best);
                left &= left - 1;
            }
            if count == rack.len() {
                self.values = part.values;
            }
        }
        let mut heap = std::mem::take(&mut self.heap).into_vec();
        for axis in Axis::BOTH {
            for lane in 0..field.side {
                let strip = &field.strips[axis as usize][lane];
                let mut dead = 0;
                let mut beside = field.anchors(axis, lane);
                while beside != 0 {
                    let at = beside.trailing_zeros();
                    beside &= beside - 1;
                    dead |= u32::from(strip.allowed[at as usize] & letters == 0) << at;
                }
                for (at, spot) in self.spots[axis as usize][lane].iter().enumerate() {
                    if spot.fresh & dead != 0 || usize::from(spot.count) > rack.len() {
                        continue;
                    }
                    let count = usize::from(spot.count);
                    let leave = match spot.through_len {
                        0 => alone[count],
                        1 => with_one[count][spot.through.0.trailing_zeros() as usize / 4],
                        _ => with_more[count],
                    };
                    if leave == NOTHING {
                        continue;
                    }
                    let bound = (product(&self.values, &spot.factors) + spot.base) * 1_000 + leave;
                    heap.push(pack(bound, axis, lane, at));
                }
            }
        }
        self.heap = heap.into();
    }

    /// Bounds must be bounds: no placement may be worth more than its spot promises.
    #[cfg(debug_assertions)]
    fn check_bounds(&self, field: &Field, rack: &Bunch, keeps: &[i32; KEEPS]) {
        let mut bounds = std::collections::HashMap::new();
        for packed in &self.heap {
            let (bound, axis, lane, at) = unpack(*packed);
            let spot = &self.spots[axis as usize][lane][at];
            let squares = (
                axis as usize,
                lane,
                usize::from(spot.start),
                usize::from(spot.end),
            );
            bounds.insert(squares, bound);
        }
        walk::placements(field, rack, &mut |found| {
            let end = found.first + found.cells.len();
            let bound = bounds.get(&(found.axis as usize, found.lane, found.first, end));
            let (bound, equity) = (bound.copied().unwrap_or(NOTHING), found.equity(keeps));
            assert!(
                bound >= equity,
                "a bound of {bound} for a play worth {equity}"
            );
        });
    }
}

impl Part {
    #[inline]
    fn can_fill(&self, spot: &Spot) -> bool {
        match spot.through_len {
            0 => self.has_word,
            1 => self.one_more >> (spot.through.0.trailing_zeros() / 4) & 1 != 0,
            _ => true,
        }
    }

    #[inline]
    fn bound(&self, spot: &Spot) -> i32 {
        (product(&self.values, &spot.factors) + spot.base) * 1_000 + self.leave
    }
}

#[inline]
fn product(values: &[i16; WIDTH], factors: &[i16; WIDTH]) -> i32 {
    values
        .iter()
        .zip(factors)
        .map(|(value, factor)| i32::from(*value) * i32::from(*factor))
        .sum()
}

/// A bound with its spot in one number that compares as the bound does.
fn pack(bound: i32, axis: Axis, lane: usize, at: usize) -> u64 {
    let order = (bound as u32) ^ (1 << 31);
    u64::from(order) << 32 | (axis as u64) << 31 | (lane as u64) << 24 | at as u64
}

fn unpack(packed: u64) -> (i32, Axis, usize, usize) {
    let bound = ((packed >> 32) as u32 ^ (1 << 31)) as i32;
    let axis = Axis::BOTH[(packed >> 31 & 1) as usize];
    (
        bound,
        axis,
        (packed >> 24 & 127) as usize,
        (packed & 0xFF_FFFF) as usize,
    )
}

/// A spot and all that is needed to fill it.
struct Place<'a> {
    field: &'a Field<'a>,
    map: &'a WordMap,
    strip: &'a Strip,
    axis: Axis,
    lane: usize,
    spot: &'a Spot,
}

impl Place<'_> {
    /// Offers every word that the tiles of `part` spell here.
    fn fill(&self, part: &Part, sink: &mut impl Sink) {
        let letters = part.letters.and(self.spot.through);
        match part.blanks {
            0 => self.words(letters, 0, part, sink),
            1 => self.with_blank(letters, 0, 1, part, sink),
            _ => {
                for first in 1..=MAX_LETTERS {
                    let letters = letters.and(Letters::number(first));
                    self.with_blank(letters, first, first, part, sink);
                }
            }
        }
    }

    /// One more blank, for a letter from number `from` on.
    fn with_blank(
        &self,
        letters: Letters,
        first: usize,
        from: usize,
        part: &Part,
        sink: &mut impl Sink,
    ) {
        let mut more = self.map.one_more(letters) & (u32::MAX << (from - 1));
        while more != 0 {
            let number = more.trailing_zeros() as usize + 1;
            more &= more - 1;
            let blanks = (first << 8 | number) as u32;
            self.words(letters.and(Letters::number(number)), blanks, part, sink);
        }
    }

    /// Every word of these letters that fits the board; `blanks` has the letters that are blanks, a byte each.
    #[inline]
    fn words(&self, letters: Letters, blanks: u32, part: &Part, sink: &mut impl Sink) {
        for word in self.map.words(letters) {
            if word.len() == self.len() && self.fits(word) {
                if blanks == 0 {
                    let mut cells = [0; LANE];
                    for (at, letter) in word.iter().enumerate() {
                        cells[at] = if self.is_fresh(at) { *letter } else { 0 };
                    }
                    self.offer(&cells, word.len(), part, sink);
                } else {
                    self.choose_blanks(
                        word,
                        0,
                        [(blanks & 255) as u8, (blanks >> 8) as u8],
                        [0; LANE],
                        part,
                        sink,
                    );
                }
            }
        }
    }

    fn len(&self) -> usize {
        usize::from(self.spot.end - self.spot.start)
    }

    fn is_fresh(&self, at: usize) -> bool {
        self.spot.fresh >> (usize::from(self.spot.start) + at) & 1 != 0
    }

    #[inline]
    fn fits(&self, word: &[u8]) -> bool {
        let start = usize::from(self.spot.start);
        let (cells, allowed) = (&self.strip.cells[start..], &self.strip.allowed[start..]);
        word.iter()
            .zip(cells)
            .zip(allowed)
            .all(|((letter, cell), allowed)| match cell {
                0 => allowed >> (letter - 1) & 1 != 0,
                cell => cell & !BLANK_BIT == *letter,
            })
    }

    /// Every way to say which of the tiles are the blanks.
    fn choose_blanks(
        &self,
        word: &[u8],
        at: usize,
        blanks: [u8; 2],
        mut cells: [u8; LANE],
        part: &Part,
        sink: &mut impl Sink,
    ) {
        let Some(&letter) = word.get(at) else {
            if blanks == [0; 2] {
                self.offer(&cells, word.len(), part, sink);
            }
            return;
        };
        if self.is_fresh(at) {
            if let Some(which) = blanks.iter().position(|blank| *blank == letter) {
                let mut left = blanks;
                left[which] = 0;
                cells[at] = letter | BLANK_BIT;
                self.choose_blanks(word, at + 1, left, cells, part, sink);
            }
            cells[at] = letter;
        }
        // Blanks that find no place make the way a dead end, so that the counts come out right.
        self.choose_blanks(word, at + 1, blanks, cells, part, sink);
    }

    fn offer(&self, cells: &[u8; LANE], len: usize, part: &Part, sink: &mut impl Sink) {
        let first = usize::from(self.spot.start);
        let points = self
            .field
            .points(self.axis, self.lane, first, &cells[..len]);
        let found = Found {
            axis: self.axis,
            lane: self.lane,
            first,
            cells: &cells[..len],
            points,
            kept: part.kept,
        };
        sink.offer(&found, points * 1_000 + part.leave);
    }
}
