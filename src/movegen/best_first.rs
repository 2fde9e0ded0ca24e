//! The best placements by equity, best spots first.
//!
//! Each spot has a bound on the equity of what can be placed there. Spots are
//! looked at in the order of their bounds and only as long as a bound is not
//! below what has been found; at a spot, the word map tells which words the
//! tiles spell.

use super::cross_board::{BLANK_BIT, BoardDelta, CrossBoard, LANE_CAPACITY, LaneState, ones};
#[cfg(debug_assertions)]
use super::gaddag;
use super::gaddag::RawPlacement;
use super::rack_bits::{RACK_SUBSETS, RackBits};
use super::spots::{self, MAX_SPOT_TILES, Spot};
use crate::board::Axis;
use crate::lexicon::{LetterCounts, WordMap};
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};
use smallvec::SmallVec;
use std::collections::BinaryHeap;

/// What takes placements, and says how good they must be.
pub(super) trait PlaySink {
    /// A placement that is worth less is of no interest.
    fn threshold(&self) -> i32;
    /// A placement and its equity in thousandths of a point.
    fn offer(&mut self, found: &RawPlacement, equity: i32);
}

/// The tiles that a placement takes from the rack.
#[derive(Clone, Copy, Debug)]
struct PlayedTiles {
    /// Their values, largest first.
    values: [i16; MAX_SPOT_TILES],
    letters: LetterCounts,
    /// The letters, a bit each; blanks have none.
    set: u32,
    /// What the tiles kept are worth.
    leave: i32,
    /// The letters that make a word with these, blanks left out.
    one_more: u32,
    kept: u16,
    count: u8,
    blanks: u8,
    /// Whether they make a word by themselves.
    has_word: bool,
}

/// The spots of a board, kept from turn to turn.
#[derive(Clone, Default)]
pub(super) struct BoardSpots {
    /// By axis and lane.
    spots: [Vec<Vec<Spot>>; 2],
    /// The strips whose spots are out of date, a bit each, by axis.
    stale: [u32; 2],
    /// Lists that are not in use, for their memory.
    spare: Vec<Vec<Spot>>,
}

/// What a rack can do with spots: its parts, and scratch space for searches.
#[derive(Clone)]
pub(super) struct BestFirstSearch {
    /// By number of tiles.
    parts: [Vec<PlayedTiles>; MAX_SPOT_TILES + 1],
    /// The values of all tiles of the rack, largest first.
    values: [i16; MAX_SPOT_TILES],
    /// How many tiles the rack has.
    tiles: usize,
    /// The letters that can be placed.
    letters: u32,
    /// By number of tiles placed: the best that can be kept, for words without, with one, and with more letters of the board.
    alone: [i32; MAX_SPOT_TILES + 1],
    with_one: [[i32; MAX_LETTERS]; MAX_SPOT_TILES + 1],
    with_more: [i32; MAX_SPOT_TILES + 1],
    /// Bounds with their spots, packed: see [`pack`].
    heap: BinaryHeap<u64>,
    /// All parts as they are listed; for each but the first the one it has a tile more than, the bit of that tile, and whether a first look was promising.
    all: Vec<PlayedTiles>,
    looks: Vec<(u32, u32, bool)>,
}

/// No rack has more parts of one number of tiles: 70 ways to take four of eight.
const MAX_SUBSETS_PER_SIZE: usize = 128;

/// All strips of a board, a bit each, by axis.
pub(super) const ALL_LANES: [u32; 2] = [u32::MAX; 2];

/// The spots of the strips that a play changed, as they are on the other side
/// of it, in the order of [`BoardDelta::strips`]; and which of them are out of date.
#[derive(Clone, Default)]
pub(super) struct SpotsDelta {
    spots: SmallVec<[Vec<Spot>; 18]>,
    stale: [u32; 2],
}

/// Below every equity.
pub(super) const LOWEST_EQUITY: i32 = i32::MIN / 2;

impl BoardSpots {
    /// For a board with sides of so many squares.
    pub fn new(side: usize) -> BoardSpots {
        BoardSpots {
            spots: [vec![Vec::new(); side], vec![Vec::new(); side]],
            stale: [u32::MAX; 2],
            ..BoardSpots::default()
        }
    }

    /// Notes which strips a play has changed for good.
    pub fn forget(&mut self, undo: &BoardDelta) {
        for (stale, changed) in self.stale.iter_mut().zip(undo.seen) {
            *stale |= changed;
        }
    }

    /// Notes which strips a play has changed, and puts their spots aside.
    pub fn set_aside(&mut self, undo: &BoardDelta) -> SpotsDelta {
        let spare = (0..undo.strips.len()).map(|_| self.spare.pop().unwrap_or_default());
        let mut other = SpotsDelta {
            spots: spare.collect(),
            stale: undo.seen,
        };
        self.swap(undo, &mut other);
        other
    }

    /// Goes to the other side of a play.
    pub fn swap(&mut self, undo: &BoardDelta, other: &mut SpotsDelta) {
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
    pub fn recycle(&mut self, other: SpotsDelta) {
        self.spare.extend(other.spots);
    }

    /// Works out the spots of the strips that have changed.
    pub fn prepare(&mut self, field: &CrossBoard, rack_size: usize) {
        for axis in Axis::BOTH {
            let strips = &mut self.spots[axis as usize];
            let mut stale = self.stale[axis as usize] & ((1 << field.side) - 1);
            while stale != 0 {
                let lane = stale.trailing_zeros() as usize;
                stale &= stale - 1;
                spots::of_strip(
                    field,
                    axis,
                    lane,
                    rack_size.min(MAX_SPOT_TILES),
                    &mut strips[lane],
                );
            }
            self.stale[axis as usize] = 0;
        }
    }

    /// Whether its spots are the same.
    pub fn is_same(&self, other: &BoardSpots) -> bool {
        self.spots == other.spots
    }
}

impl Default for BestFirstSearch {
    fn default() -> BestFirstSearch {
        BestFirstSearch {
            parts: Default::default(),
            values: [0; MAX_SPOT_TILES],
            tiles: 0,
            letters: 0,
            alone: [LOWEST_EQUITY; MAX_SPOT_TILES + 1],
            with_one: [[LOWEST_EQUITY; MAX_LETTERS]; MAX_SPOT_TILES + 1],
            with_more: [LOWEST_EQUITY; MAX_SPOT_TILES + 1],
            heap: BinaryHeap::new(),
            all: Vec::new(),
            looks: Vec::new(),
        }
    }
}

impl BestFirstSearch {
    /// Takes up a rack.
    pub fn take_up(
        &mut self,
        field: &CrossBoard,
        map: &WordMap,
        rack: &TileCounts,
        leave_values: &[i32; RACK_SUBSETS],
    ) {
        let hand = RackBits::new(rack);
        self.list_parts(field, map, rack, &hand, leave_values);
        self.bound_leaves(rack, &hand);
    }

    /// Shows `sink` those placements of the rack in some strips that can matter to it.
    pub fn search(
        &mut self,
        field: &CrossBoard,
        spots: &BoardSpots,
        map: &WordMap,
        strips: [u32; 2],
        sink: &mut impl PlaySink,
    ) {
        self.bound_spots(field, spots, strips, sink.threshold());
        while let Some(next) = self.heap.pop() {
            let (bound, axis, lane, at) = unpack(next);
            if bound < sink.threshold() {
                break;
            }
            let spot = &spots.spots[axis as usize][lane][at];
            let strip = &field.strips[axis as usize][lane];
            let (limits, limited) = strip.limits::<MAX_SPOT_TILES>(spot.fresh);
            let place = SpotFiller {
                field,
                map,
                strip,
                axis,
                lane,
                spot,
                limits: &limits[..limited],
            };
            // The best tiles for the spot, and the tiles kept: the parts are in order of the latter.
            let most = (product(&self.values, &spot.factors) + spot.base) * 1_000;
            let parts = &self.parts[usize::from(spot.count)];
            // First a look at all that may do, then the words of those few that still may.
            let (mut picked, mut count) = ([0; MAX_SUBSETS_PER_SIZE], 0);
            for (at, part) in parts.iter().enumerate() {
                if most + part.leave < sink.threshold() {
                    break;
                }
                if part.can_fill(spot) && part.bound(spot) >= sink.threshold() {
                    picked[count % MAX_SUBSETS_PER_SIZE] = at as u8;
                    count += usize::from(place.may_fit(part));
                }
            }
            for at in &picked[..count] {
                let part = &parts[usize::from(*at)];
                if part.bound(spot) >= sink.threshold() {
                    place.fill(part, sink);
                }
            }
        }
        self.heap.clear();
    }

    fn list_parts(
        &mut self,
        field: &CrossBoard,
        map: &WordMap,
        rack: &TileCounts,
        hand: &RackBits,
        leave_values: &[i32; RACK_SUBSETS],
    ) {
        self.all.clear();
        self.all.push(PlayedTiles {
            values: [0; MAX_SPOT_TILES],
            letters: LetterCounts::NONE,
            set: 0,
            leave: 0,
            one_more: 0,
            kept: hand.kept,
            count: 0,
            blanks: 0,
            has_word: false,
        });
        self.looks.clear();
        // The most valuable kinds first, so that values come out sorted.
        let mut kinds: SmallVec<[(Tile, u8); MAX_SPOT_TILES]> = rack.kinds().collect();
        kinds.sort_unstable_by_key(|(tile, _)| std::cmp::Reverse(field.values[tile.number()]));
        // Each part with the one that it has a tile more than, and that tile.
        for (tile, held) in kinds {
            let (number, value) = (tile.number(), field.values[tile.number()]);
            let (letter, bit) = match number {
                0 => (LetterCounts::NONE, 0),
                number => (LetterCounts::of_number(number), 1 << (number - 1)),
            };
            for at in 0..self.all.len() {
                let (mut part, mut from) = (self.all[at], at);
                for taken in 1..=held {
                    part.kept ^= hand.bit(number, held - taken);
                    part.values[usize::from(part.count)] = value;
                    part.count += 1;
                    part.blanks += u8::from(number == 0);
                    part.letters = part.letters.plus(letter);
                    part.set |= bit;
                    part.leave = leave_values[usize::from(part.kept)];
                    // What is not found at first sight need not be looked for later.
                    let look = map.prefilter_completions(part.letters);
                    self.looks.push((from as u32, bit, look));
                    from = self.all.len();
                    self.all.push(part);
                }
            }
        }
        for parts in &mut self.parts {
            parts.clear();
        }
        for (at, (from, tile, look)) in self.looks.iter().enumerate() {
            let less = self.all[*from as usize].one_more;
            let part = &mut self.all[at + 1];
            // A word of these is a word of one tile less, and that tile.
            (part.one_more, part.has_word) = match part.blanks {
                0 => {
                    let one_more = look.then(|| map.completions(part.letters));
                    (one_more.unwrap_or(0), less & tile != 0)
                }
                1 => (less, less != 0),
                _ => (less, true),
            };
            self.parts[usize::from(part.count)].push(*part);
        }
        for parts in &mut self.parts {
            parts.sort_unstable_by_key(|part| std::cmp::Reverse(part.leave));
        }
    }

    /// Works out the best that can be kept.
    fn bound_leaves(&mut self, rack: &TileCounts, hand: &RackBits) {
        self.tiles = rack.len();
        self.letters = match hand.counts[0] {
            0 => hand.letters,
            _ => u32::MAX,
        };
        self.alone = [LOWEST_EQUITY; MAX_SPOT_TILES + 1];
        self.with_one = [[LOWEST_EQUITY; MAX_LETTERS]; MAX_SPOT_TILES + 1];
        self.with_more = [LOWEST_EQUITY; MAX_SPOT_TILES + 1];
        for part in self.parts.iter().flatten() {
            let count = usize::from(part.count);
            self.with_more[count] = self.with_more[count].max(part.leave);
            if part.has_word {
                self.alone[count] = self.alone[count].max(part.leave);
            }
            if count == rack.len() {
                self.values = part.values;
            }
        }
        for (parts, best) in self.parts.iter().zip(&mut self.with_one) {
            // The best leaves come first, so that the first part that goes with a letter tells.
            let mut missing = u32::MAX;
            for part in parts {
                let new = match part.blanks {
                    0 => part.one_more,
                    _ => u32::MAX,
                };
                for letter in ones(new & missing) {
                    best[letter.trailing_zeros() as usize] = part.leave;
                }
                missing &= !new;
            }
        }
    }

    /// Puts the spots of some strips in order that may have placements worth `threshold`.
    fn bound_spots(
        &mut self,
        field: &CrossBoard,
        spots: &BoardSpots,
        strips: [u32; 2],
        threshold: i32,
    ) {
        let mut heap = std::mem::take(&mut self.heap).into_vec();
        for axis in Axis::BOTH {
            let mut left = strips[axis as usize] & ((1 << field.side) - 1);
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let strip = &field.strips[axis as usize][lane];
                let mut dead = 0;
                let mut beside = field.anchors(axis, lane);
                while beside != 0 {
                    let at = beside.trailing_zeros();
                    beside &= beside - 1;
                    dead |= u32::from(strip.allowed[at as usize] & self.letters == 0) << at;
                }
                for (at, spot) in spots.spots[axis as usize][lane].iter().enumerate() {
                    let count = usize::from(spot.count);
                    if spot.fresh & dead != 0 || count > self.tiles {
                        continue;
                    }
                    let leave = match spot.through_len {
                        0 => self.alone[count],
                        1 => self.with_one[count][spot.through.0.trailing_zeros() as usize / 4],
                        _ => self.with_more[count],
                    };
                    if leave == LOWEST_EQUITY {
                        continue;
                    }
                    let bound = (product(&self.values, &spot.factors) + spot.base) * 1_000 + leave;
                    if bound >= threshold {
                        heap.push(pack(bound, axis, lane, at));
                    }
                }
            }
        }
        self.heap = heap.into();
    }

    /// Bounds must be bounds: no placement may be worth more than its spot promises.
    #[cfg(debug_assertions)]
    pub fn check_bounds(
        &mut self,
        field: &CrossBoard,
        spots: &BoardSpots,
        rack: &TileCounts,
        leave_values: &[i32; RACK_SUBSETS],
    ) {
        self.bound_spots(field, spots, ALL_LANES, LOWEST_EQUITY);
        let mut bounds = std::collections::HashMap::new();
        for packed in &self.heap {
            let (bound, axis, lane, at) = unpack(*packed);
            let spot = &spots.spots[axis as usize][lane][at];
            let squares = (
                axis as usize,
                lane,
                usize::from(spot.start),
                usize::from(spot.end),
            );
            bounds.insert(squares, bound);
        }
        gaddag::placements(field, rack, &|| true, &mut |found| {
            let end = found.first + found.cells.len();
            let bound = bounds.get(&(found.axis as usize, found.lane, found.first, end));
            let (bound, equity) = (
                bound.copied().unwrap_or(LOWEST_EQUITY),
                found.equity(leave_values),
            );
            assert!(
                bound >= equity,
                "a bound of {bound} for a play worth {equity}"
            );
        });
        self.heap.clear();
    }
}

impl PlayedTiles {
    #[inline]
    fn can_fill(&self, spot: &Spot) -> bool {
        match spot.through_len {
            0 => self.has_word,
            // What a blank and a letter of the board make is not known.
            1 if self.blanks == 0 => {
                self.one_more >> (spot.through.0.trailing_zeros() / 4) & 1 != 0
            }
            _ => true,
        }
    }

    #[inline]
    fn bound(&self, spot: &Spot) -> i32 {
        (product(&self.values, &spot.factors) + spot.base) * 1_000 + self.leave
    }
}

#[inline]
fn product(values: &[i16; MAX_SPOT_TILES], factors: &[i16; MAX_SPOT_TILES]) -> i32 {
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
struct SpotFiller<'a> {
    field: &'a CrossBoard<'a>,
    map: &'a WordMap,
    strip: &'a LaneState,
    axis: Axis,
    lane: usize,
    spot: &'a Spot,
    /// What may be placed on those squares that do not take every letter.
    limits: &'a [u32],
}

impl SpotFiller<'_> {
    /// Whether a word that the tiles of `part` spell may fit here, as far as it is easy to tell.
    #[inline]
    fn may_fit(&self, part: &PlayedTiles) -> bool {
        // Squares that none of the letters may be placed on need a blank each.
        let lacking = self.limits.iter().filter(|&limit| limit & part.set == 0);
        if lacking.count() > usize::from(part.blanks) {
            return false;
        }
        let letters = part.letters.plus(self.spot.through);
        match part.blanks {
            0 => self.map.prefilter_word(letters),
            1 => self.map.prefilter_completions(letters),
            _ => true,
        }
    }

    /// Offers every word that the tiles of `part` spell here.
    fn fill(&self, part: &PlayedTiles, sink: &mut impl PlaySink) {
        let letters = part.letters.plus(self.spot.through);
        match part.blanks {
            0 => self.words(letters, 0, part, sink),
            1 => {
                // A square that none of the letters may be placed on is the place of the blank.
                let lacking = self.limits.iter().find(|&limit| limit & part.set == 0);
                let wanted = lacking.map_or(u32::MAX, |limit| *limit);
                let wanted = self.map.completions(letters) & wanted;
                self.with_blank(letters, 0, wanted, part, sink);
            }
            _ => {
                for first in 1..=MAX_LETTERS {
                    let letters = letters.plus(LetterCounts::of_number(first));
                    let from_there = u32::MAX << (first - 1);
                    let wanted = self.map.completions(letters) & from_there;
                    self.with_blank(letters, first, wanted, part, sink);
                }
            }
        }
    }

    /// One more blank, for each of the `wanted` letters.
    fn with_blank(
        &self,
        letters: LetterCounts,
        first: usize,
        wanted: u32,
        part: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        for letter in ones(wanted) {
            let number = letter.trailing_zeros() as usize + 1;
            let blanks = (first << 8 | number) as u32;
            let letters = letters.plus(LetterCounts::of_number(number));
            self.words(letters, blanks, part, sink);
        }
    }

    /// Every word that was found and fits the board; `blanks` has the letters that are blanks, a byte each.
    #[inline]
    fn words(
        &self,
        letters: LetterCounts,
        blanks: u32,
        part: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        for word in self.map.words(letters) {
            if word.len() == self.len() && self.fits(word) {
                if blanks == 0 {
                    let mut cells = [0; LANE_CAPACITY];
                    for (at, letter) in word.iter().enumerate() {
                        cells[at] = if self.is_fresh(at) { *letter } else { 0 };
                    }
                    self.offer(&cells, word.len(), part, sink);
                } else {
                    self.choose_blanks(
                        word,
                        0,
                        [(blanks & 255) as u8, (blanks >> 8) as u8],
                        [0; LANE_CAPACITY],
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
        mut cells: [u8; LANE_CAPACITY],
        part: &PlayedTiles,
        sink: &mut impl PlaySink,
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

    fn offer(
        &self,
        cells: &[u8; LANE_CAPACITY],
        len: usize,
        part: &PlayedTiles,
        sink: &mut impl PlaySink,
    ) {
        let first = usize::from(self.spot.start);
        let points = self
            .field
            .points(self.axis, self.lane, first, &cells[..len]);
        let found = RawPlacement {
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
