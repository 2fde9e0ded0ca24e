//! The best placements by equity: best-first branch and bound over placement
//! slots.
//!
//! A board, its spots (`spots`), the word map and the leave values of a rack
//! come in; placements go out to a [`PlaySink`]. [`super::Generator`] and
//! [`super::Replies`] call it.
//!
//! Each spot gets an admissible upper bound of the equity that the rack can
//! reach there: the rearrangement inequality bounds the points (see `spots`),
//! and the best leave of a fitting number of tiles bounds the leave. A priority
//! queue yields the spots by decreasing bound. The search ends when the next
//! bound is below the threshold of the sink. At a spot, the subsets of the rack
//! that can still reach the threshold go to `spot_filler`, which looks up their
//! words in the word map.
//!
//! It does not generate all placements: what is below the threshold is skipped.

use super::RackLeaves;
use super::cross_board::{CrossBoard, bits};
#[cfg(debug_assertions)]
use super::gaddag;
use super::sink::{LOWEST_EQUITY, PlaySink};
use super::spot_filler::SpotFiller;
use super::spots::{BoardSpots, MAX_SPOT_TILES, SPOT_FACTORS, Spot};
use crate::board::Axis;
use crate::lexicon::{LetterCounts, WordMap};
use crate::tiles::{MAX_LETTERS, Tile};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The tiles that a placement takes from the rack.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedTiles {
    /// The largest of their values, largest first.
    values: [i16; SPOT_FACTORS],
    /// Their letters with counts, without blanks.
    pub letters: LetterCounts,
    /// Their letters, a bit each, without blanks.
    pub set: u32,
    /// The value of the leave, in thousandths of a point.
    pub leave_value: i32,
    /// The letters that form a word together with `letters`.
    completions: u32,
    /// The leave, as a mask of [`super::rack_bits::RackBits`].
    pub leave: u16,
    count: u8,
    pub blanks: u8,
    /// Whether they form a word by themselves.
    has_word: bool,
}

/// The subsets of a rack, and the buffers of the search.
#[derive(Clone, Default)]
pub(super) struct BestFirstSearch {
    /// The subsets by number of tiles, best leave first.
    subsets: [Vec<PlayedTiles>; MAX_SPOT_TILES + 1],
    /// The largest values of all tiles of the rack, largest first.
    values: [i16; SPOT_FACTORS],
    /// The number of tiles on the rack.
    tiles: usize,
    /// The letters that can be placed, a bit each: all of them with a blank.
    letters: u32,
    /// The best leave value by number of tiles placed, for words that cover no
    /// tile on the board.
    best_alone: [i32; MAX_SPOT_TILES + 1],
    /// The same for words that cover one tile, by its letter too.
    best_with_letter: [[i32; MAX_LETTERS]; MAX_SPOT_TILES + 1],
    /// The same for words that cover two tiles or more.
    best_with_more: [i32; MAX_SPOT_TILES + 1],
    /// The priority queue: bounds with their spots, see [`pack`].
    heap: BinaryHeap<u64>,
    /// All subsets in the order of their listing. The first is empty.
    listed: Vec<PlayedTiles>,
    /// How each listed subset but the first came about.
    origins: Vec<SubsetOrigin>,
}

/// How a subset of the rack came about: from a smaller one by adding a tile.
#[derive(Clone, Copy)]
struct SubsetOrigin {
    /// The number of the smaller subset.
    parent: u32,
    /// The letter added, as a bit; 0 for a blank.
    letter: u32,
    /// Whether the prefilter of the word map lets the subset have completions.
    may_complete: bool,
}

/// Room for the subsets of one size: nine tiles have 126 subsets of four, the most
/// there are; rounded up to a power of two.
const MAX_SUBSETS_PER_SIZE: usize = 128;

/// The number of limits of a spot that are used to rule out subsets. Of a ninth square with a limit,
/// which is rare, the limit takes the place of another. A power of two, so that an index is cut off
/// without a division.
const MAX_LIMITS: usize = 8;

/// All lanes of a board, a bit each, by axis.
pub(super) const ALL_LANES: [u32; 2] = [u32::MAX; 2];

impl BestFirstSearch {
    /// Prepares for a rack: lists its subsets and the best leaves.
    pub fn set_rack(&mut self, board: &CrossBoard, map: &WordMap, rack_leaves: &RackLeaves) {
        self.list_subsets(board, map, rack_leaves);
        self.find_completions(map);
        self.bound_leaves(rack_leaves);
    }

    /// Offers to `sink` the placements in the given lanes that reach its threshold.
    pub fn search(
        &mut self,
        board: &CrossBoard,
        spots: &BoardSpots,
        map: &WordMap,
        lanes: [u32; 2],
        sink: &mut impl PlaySink,
    ) {
        self.bound_spots(board, spots, lanes, sink.threshold());
        while let Some(next) = self.heap.pop() {
            let (bound, axis, lane, at) = unpack(next);
            if bound < sink.threshold() {
                break;
            }
            let spot = &spots.lanes[axis as usize][lane][at];
            let state = &board.lanes[axis as usize][lane];
            let (limits, limited) = state.limits::<MAX_LIMITS>(spot.fresh);
            let filler = SpotFiller {
                board,
                map,
                state,
                axis,
                lane,
                spot,
                limits: &limits[..limited.min(MAX_LIMITS)],
            };
            // No subset scores more here, so the sorted leave values end the loop below.
            let max_points = (product(&self.values, &spot.factors) + spot.base) * 1_000;
            let subsets = &self.subsets[usize::from(spot.count)];
            // Two passes: the memory accesses of the prefilter overlap in the first.
            let (mut picked, mut count) = ([0; MAX_SUBSETS_PER_SIZE], 0);
            for (at, played) in subsets.iter().enumerate() {
                if max_points + played.leave_value < sink.threshold() {
                    break;
                }
                if played.can_fill(spot) && played.bound(spot) >= sink.threshold() {
                    picked[count % MAX_SUBSETS_PER_SIZE] = at as u8;
                    count += usize::from(filler.may_fit(played));
                }
            }
            for at in &picked[..count] {
                let played = &subsets[usize::from(*at)];
                if played.bound(spot) >= sink.threshold() {
                    filler.fill(played, sink);
                }
            }
        }
        self.heap.clear();
    }

    /// Lists every subset of the rack with its leave value.
    fn list_subsets(&mut self, board: &CrossBoard, map: &WordMap, rack_leaves: &RackLeaves) {
        let RackLeaves {
            rack,
            rack_bits,
            values: leave_values,
            ..
        } = rack_leaves;
        self.listed.clear();
        self.listed.push(PlayedTiles {
            values: [0; SPOT_FACTORS],
            letters: LetterCounts::NONE,
            set: 0,
            leave_value: 0,
            completions: 0,
            leave: rack_bits.all,
            count: 0,
            blanks: 0,
            has_word: false,
        });
        self.origins.clear();
        // The most valuable tiles come first, so that `values` comes out sorted.
        let mut kinds: SmallVec<[(Tile, u8); MAX_SPOT_TILES]> = rack.kinds().collect();
        kinds.sort_unstable_by_key(|(tile, _)| Reverse(board.values[tile.number()]));
        for (tile, held) in kinds {
            let (number, value) = (tile.number(), board.values[tile.number()]);
            let (counts, letter) = match number {
                0 => (LetterCounts::NONE, 0),
                number => (LetterCounts::of_number(number), 1 << (number - 1)),
            };
            for at in 0..self.listed.len() {
                let (mut played, mut parent) = (self.listed[at], at);
                for taken in 1..=held {
                    played.leave ^= rack_bits.bit(number, held - taken);
                    if let Some(next) = played.values.get_mut(usize::from(played.count)) {
                        *next = value;
                    }
                    played.count += 1;
                    played.blanks += u8::from(number == 0);
                    played.letters = played.letters.plus(counts);
                    played.set |= letter;
                    played.leave_value = leave_values[usize::from(played.leave)];
                    self.origins.push(SubsetOrigin {
                        parent: parent as u32,
                        letter,
                        // Asked for all subsets first: the memory accesses overlap.
                        may_complete: map.prefilter_completions(played.letters),
                    });
                    parent = self.listed.len();
                    self.listed.push(played);
                }
            }
        }
    }

    /// Finds which subsets form words, alone or with one more letter, and sorts
    /// the subsets of each size by leave value.
    fn find_completions(&mut self, map: &WordMap) {
        for subsets in &mut self.subsets {
            subsets.clear();
        }
        for (at, origin) in self.origins.iter().enumerate() {
            let parent = self.listed[origin.parent as usize].completions;
            let played = &mut self.listed[at + 1];
            // A subset forms a word if its last letter completes its parent.
            (played.completions, played.has_word) = match played.blanks {
                0 => {
                    let completions = origin.may_complete.then(|| map.completions(played.letters));
                    (completions.unwrap_or(0), parent & origin.letter != 0)
                }
                1 => (parent, parent != 0),
                _ => (parent, true),
            };
            self.subsets[usize::from(played.count)].push(*played);
        }
        for subsets in &mut self.subsets {
            subsets.sort_unstable_by_key(|played| Reverse(played.leave_value));
        }
    }

    /// Finds the best leave value for each number of tiles placed.
    fn bound_leaves(
        &mut self,
        RackLeaves {
            rack, rack_bits, ..
        }: &RackLeaves,
    ) {
        self.tiles = rack.len();
        self.letters = match rack_bits.counts[0] {
            0 => rack_bits.letters,
            _ => u32::MAX,
        };
        self.best_alone = [LOWEST_EQUITY; MAX_SPOT_TILES + 1];
        self.best_with_letter = [[LOWEST_EQUITY; MAX_LETTERS]; MAX_SPOT_TILES + 1];
        self.best_with_more = [LOWEST_EQUITY; MAX_SPOT_TILES + 1];
        for played in self.subsets.iter().flatten() {
            let count = usize::from(played.count);
            self.best_with_more[count] = self.best_with_more[count].max(played.leave_value);
            if played.has_word {
                self.best_alone[count] = self.best_alone[count].max(played.leave_value);
            }
            if count == rack.len() {
                self.values = played.values;
            }
        }
        for (subsets, best) in self.subsets.iter().zip(&mut self.best_with_letter) {
            // Best leaves come first: the first subset that fits a letter decides.
            let mut missing = u32::MAX;
            for played in subsets {
                let new = match played.blanks {
                    0 => played.completions,
                    _ => u32::MAX,
                };
                for letter in bits(new & missing) {
                    best[letter] = played.leave_value;
                }
                missing &= !new;
            }
        }
    }

    /// Fills the priority queue with the spots of the given lanes whose bound
    /// reaches `threshold`.
    fn bound_spots(
        &mut self,
        board: &CrossBoard,
        spots: &BoardSpots,
        lanes: [u32; 2],
        threshold: i32,
    ) {
        let mut heap = std::mem::take(&mut self.heap).into_vec();
        for axis in Axis::BOTH {
            for lane in bits(lanes[axis as usize] & ((1 << board.side) - 1)) {
                let state = &board.lanes[axis as usize][lane];
                // The anchors on which no letter of the rack fits.
                let mut dead = 0;
                for at in bits(board.anchors(axis, lane)) {
                    dead |= u32::from(state.allowed[at] & self.letters == 0) << at;
                }
                for (at, spot) in spots.lanes[axis as usize][lane].iter().enumerate() {
                    let count = usize::from(spot.count);
                    if spot.fresh & dead != 0 || count > self.tiles {
                        continue;
                    }
                    let leave_value = match spot.through_len {
                        0 => self.best_alone[count],
                        1 => self.best_with_letter[count][spot.covered_letter()],
                        _ => self.best_with_more[count],
                    };
                    if leave_value == LOWEST_EQUITY {
                        continue;
                    }
                    let points = product(&self.values, &spot.factors) + spot.base;
                    let bound = points * 1_000 + leave_value;
                    if bound >= threshold {
                        heap.push(pack(bound, axis, lane, at));
                    }
                }
            }
        }
        self.heap = heap.into();
    }

    /// Checks that the bounds are admissible: no placement exceeds the bound of
    /// its spot.
    #[cfg(debug_assertions)]
    pub fn check_bounds(
        &mut self,
        board: &CrossBoard,
        spots: &BoardSpots,
        rack_leaves: &RackLeaves,
    ) {
        if board.graph.is_alphagrams() {
            // Too many placements; the tests compare with all of them.
            return;
        }
        self.bound_spots(board, spots, ALL_LANES, LOWEST_EQUITY);
        let mut bounds = std::collections::HashMap::new();
        for packed in &self.heap {
            let (bound, axis, lane, at) = unpack(*packed);
            let spot = &spots.lanes[axis as usize][lane][at];
            let (start, end) = (usize::from(spot.start), usize::from(spot.end));
            bounds.insert((axis as usize, lane, start, end), bound);
        }
        gaddag::placements(board, &rack_leaves.rack, &|| true, &mut |found| {
            let end = found.first + found.cells.len();
            let bound = bounds.get(&(found.axis as usize, found.lane, found.first, end));
            let bound = bound.copied().unwrap_or(LOWEST_EQUITY);
            let equity = found.equity(&rack_leaves.values);
            assert!(
                bound >= equity,
                "the bound {bound} of a spot is below the equity {equity} of a play there"
            );
        });
        self.heap.clear();
    }
}

impl PlayedTiles {
    /// Whether a word of these tiles and the covered tiles can exist. `true` may
    /// be wrong, `false` never is.
    #[inline]
    fn can_fill(&self, spot: &Spot) -> bool {
        match spot.through_len {
            0 => self.has_word,
            1 if self.blanks == 0 => self.completions >> spot.covered_letter() & 1 != 0,
            _ => true,
        }
    }

    /// An upper bound of the equity at a spot, in thousandths of a point.
    #[inline]
    fn bound(&self, spot: &Spot) -> i32 {
        (product(&self.values, &spot.factors) + spot.base) * 1_000 + self.leave_value
    }
}

/// The sum of values times factors: the largest of any order, if both are sorted.
#[inline]
fn product(values: &[i16; SPOT_FACTORS], factors: &[i16; SPOT_FACTORS]) -> i32 {
    values
        .iter()
        .zip(factors)
        .map(|(value, factor)| i32::from(*value) * i32::from(*factor))
        .sum()
}

/// Packs a bound and its spot into one number that compares as the bound does:
/// 32 bits of bound, then axis (1 bit), lane (7) and number of the spot (24).
fn pack(bound: i32, axis: Axis, lane: usize, at: usize) -> u64 {
    let order = (bound as u32) ^ (1 << 31);
    u64::from(order) << 32 | (axis as u64) << 31 | (lane as u64) << 24 | at as u64
}

/// The bound, axis, lane and number of the spot of a packed entry.
fn unpack(packed: u64) -> (i32, Axis, usize, usize) {
    let bound = ((packed >> 32) as u32 ^ (1 << 31)) as i32;
    let axis = Axis::BOTH[(packed >> 31 & 1) as usize];
    let lane = (packed >> 24 & 127) as usize;
    (bound, axis, lane, (packed & 0xFF_FFFF) as usize)
}
