//! Placement slots ("spots"): every stretch of a lane that a placement of n
//! tiles can fill, with everything that does not depend on the rack.
//!
//! The board (`cross_board`) comes in; a list of [`Spot`]s per lane goes out to
//! `best_first`, which bounds the score of a rack on each of them. A list stays
//! valid until its lane changes, so the work is done once for all racks.
//!
//! A spot stores the factors by which the values of the placed tiles count,
//! largest first. By the rearrangement inequality the sum of products of two
//! sequences is largest if both are sorted the same way. So the tile values
//! times the factors, both largest first, bound the score of any order of tiles.
//! The module knows neither rack nor words.

use super::cross_board::{
    BLANK_BIT, BoardDelta, CHANGED_LANES_INLINE, CrossBoard, LanePremiums, LaneState, bits,
};
use crate::board::Axis;
use crate::lexicon::LetterCounts;
use crate::rules::MAX_RACK;
use smallvec::SmallVec;

/// The largest number of tiles that a spot takes: the largest rack of any rules.
pub(super) const MAX_SPOT_TILES: usize = MAX_RACK;

/// The number of factors that a spot stores. Eight 16-bit factors fill one vector
/// register. A ninth factor is added to the eighth: the tile values are sorted, so
/// the eighth value times both factors still bounds the points of both tiles.
pub(super) const SPOT_FACTORS: usize = 8;
const _: () = assert!(MAX_SPOT_TILES <= SPOT_FACTORS + 1);

/// A stretch of a lane and the number of tiles that fill its empty squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// How often the value of a placed tile counts, for each empty square,
    /// largest first: its premiums in the word along and in the word across. With
    /// nine tiles the last number is the sum of the two smallest factors.
    pub factors: [i16; SPOT_FACTORS],
    /// The points that do not depend on the tiles placed: tiles on the board
    /// that the word covers, tiles across, and the bonus.
    pub base: i32,
    /// The empty squares to fill, a bit each.
    pub fresh: u32,
    pub start: u8,
    pub end: u8,
    /// The number of tiles placed.
    pub count: u8,
    /// The number of tiles on the board that the word covers.
    pub through_len: u8,
    /// The letters of those tiles.
    pub through: LetterCounts,
}

impl Spot {
    /// The letter, from 0, of the only tile that the word covers.
    #[inline]
    pub fn covered_letter(&self) -> usize {
        // `LetterCounts` has four bits for each letter.
        self.through.0.trailing_zeros() as usize / 4
    }
}

/// The spots of all lanes of a board, kept from play to play.
#[derive(Clone, Default)]
pub(super) struct BoardSpots {
    /// By axis and lane.
    pub lanes: [Vec<Vec<Spot>>; 2],
    /// The lanes whose spots are out of date, a bit each, by axis.
    stale: [u32; 2],
    /// Unused lists. They are kept because they own memory.
    spare: Vec<Vec<Spot>>,
}

/// The spots of the lanes that a play changed, in the state that is not on the
/// board, in the order of [`BoardDelta::lanes`].
#[derive(Clone, Default)]
pub(super) struct SpotsDelta {
    spots: SmallVec<[Vec<Spot>; CHANGED_LANES_INLINE]>,
    /// Which of those lanes are out of date, a bit each, by axis.
    stale: [u32; 2],
}

impl BoardSpots {
    /// For a board with `side` rows and columns. All lanes are out of date.
    pub fn new(side: usize) -> BoardSpots {
        BoardSpots {
            lanes: [vec![Vec::new(); side], vec![Vec::new(); side]],
            stale: [u32::MAX; 2],
            ..BoardSpots::default()
        }
    }

    /// Marks the lanes that a permanent play changed.
    pub fn invalidate(&mut self, delta: &BoardDelta) {
        for (stale, changed) in self.stale.iter_mut().zip(delta.changed) {
            *stale |= changed;
        }
    }

    /// Marks the lanes that a play changed and puts their spots aside.
    pub fn set_aside(&mut self, delta: &BoardDelta) -> SpotsDelta {
        let spare = (0..delta.lanes.len()).map(|_| self.spare.pop().unwrap_or_default());
        let mut aside = SpotsDelta {
            spots: spare.collect(),
            stale: delta.changed,
        };
        self.swap(delta, &mut aside);
        aside
    }

    /// Exchanges the spots of the changed lanes: takes a play back, or makes it again.
    pub fn swap(&mut self, delta: &BoardDelta, aside: &mut SpotsDelta) {
        for ((axis, lane, _), spots) in delta.lanes.iter().zip(&mut aside.spots) {
            let own = &mut self.lanes[usize::from(*axis)][usize::from(*lane)];
            std::mem::swap(own, spots);
        }
        for (axis, changed) in delta.changed.iter().enumerate() {
            let (own, theirs) = (self.stale[axis], aside.stale[axis]);
            self.stale[axis] = own & !changed | theirs & changed;
            aside.stale[axis] = own & changed;
        }
    }

    /// Reuses the memory of spots that are no longer needed.
    pub fn recycle(&mut self, aside: SpotsDelta) {
        self.spare.extend(aside.spots);
    }

    /// Computes the spots of all lanes that are out of date.
    pub fn prepare(&mut self, board: &CrossBoard, rack_size: usize) {
        for axis in Axis::BOTH {
            let lanes = &mut self.lanes[axis as usize];
            for lane in bits(self.stale[axis as usize] & ((1 << board.side) - 1)) {
                lane_spots(board, axis, lane, rack_size, &mut lanes[lane]);
            }
            self.stale[axis as usize] = 0;
        }
    }

    /// Whether both have the same spots.
    pub fn is_same(&self, other: &BoardSpots) -> bool {
        self.lanes == other.lanes
    }
}

/// Fills `spots` with the spots of a lane for up to `max_tiles` tiles, in
/// unspecified order.
fn lane_spots(
    board: &CrossBoard,
    axis: Axis,
    lane: usize,
    max_tiles: usize,
    spots: &mut Vec<Spot>,
) {
    spots.clear();
    let anchors = board.anchors(axis, lane);
    if anchors == 0 {
        return;
    }
    let state = &board.lanes[axis as usize][lane];
    let premiums = &board.premiums[axis as usize][lane];
    let free = premiums.usable & !state.occupied;
    let scan = LaneScan {
        board,
        state,
        premiums,
        axis,
        anchors,
        free,
        max_tiles,
    };
    for start in 0..board.side {
        let usable = premiums.usable >> start & 1 != 0;
        // The stretch must reach an anchor. Squares beside tiles are anchors, so
        // no tile shortens the way: each empty square before it takes a tile.
        let to_anchor = (anchors >> start).trailing_zeros();
        let before = (free >> start & ((1_u64 << to_anchor) - 1) as u32).count_ones() as usize;
        if usable && before < max_tiles && (start == 0 || !state.is_occupied(start - 1)) {
            match max_tiles > SPOT_FACTORS {
                true => scan.spots_from::<MAX_SPOT_TILES>(start, spots),
                false => scan.spots_from::<SPOT_FACTORS>(start, spots),
            }
        }
    }
}

/// One lane, for listing its spots.
struct LaneScan<'a> {
    board: &'a CrossBoard<'a>,
    state: &'a LaneState,
    premiums: &'a LanePremiums,
    axis: Axis,
    anchors: u32,
    /// The usable squares without a tile.
    free: u32,
    max_tiles: usize,
}

impl LaneScan<'_> {
    /// Lists the spots that start on one square: the stretch grows along the
    /// lane, square by square. `TILES` is at least `max_tiles`; with room for
    /// eight tiles the factors fill one vector register, which saves 1 % of the
    /// instructions of a static game.
    fn spots_from<const TILES: usize>(&self, start: usize, spots: &mut Vec<Spot>) {
        let (board, state, premiums) = (self.board, self.state, self.premiums);
        // The tiles that the stretch covers: their letters, number and points.
        let (mut through, mut through_len, mut through_points) = (LetterCounts::NONE, 0, 0);
        // The product of word premiums, the points of tiles across, and whether the
        // stretch covers a tile or an anchor.
        let (mut word_factor, mut across, mut touches) = (1, 0, false);
        // For each empty square: its letter premium, and the factor by which its
        // tile counts in the word across.
        let mut squares = [(0, 0); TILES];
        let mut factors = [0; TILES];
        let (mut fresh, mut count, mut at) = (0, 0, start);
        loop {
            while state.is_occupied(at) {
                let cell = state.cells[at];
                through = through.plus(LetterCounts::of_number(usize::from(cell & !BLANK_BIT)));
                through_len += 1;
                through_points += i32::from(board.cell_points(cell));
                touches = true;
                at += 1;
            }
            // A single tile that forms words both ways is listed as a play across.
            let is_duplicate = count == 1 && self.axis == Axis::Down && state.crossed & fresh != 0;
            if count > 0 && touches && at - start >= board.min_word_len() && !is_duplicate {
                spots.push(Spot {
                    factors: stored_factors(&factors),
                    base: through_points * word_factor + across + board.bonus[count],
                    fresh,
                    start: start as u8,
                    end: at as u8,
                    count: count as u8,
                    through_len,
                    through,
                });
            }
            let is_free = at < board.side && self.free >> at & 1 != 0;
            if count == self.max_tiles || !is_free || state.allowed[at] == 0 {
                return;
            }
            let letter = i32::from(premiums.letter_factor[at]);
            let word = i32::from(premiums.word_factor[at]);
            let crossed = (state.crossed >> at & 1) as i32;
            word_factor *= word;
            across += i32::from(state.cross_points[at]) * word;
            squares[count] = (letter, crossed * letter * word);
            if word == 1 {
                let factor = word_factor * letter + squares[count].1;
                insert(&mut factors, count, factor as i16);
            } else {
                // A word premium changes the factors of all squares.
                factors = [0; TILES];
                for (at, (letter, cross)) in squares[..=count].iter().enumerate() {
                    insert(&mut factors, at, (word_factor * letter + cross) as i16);
                }
            }
            touches |= self.anchors >> at & 1 != 0;
            fresh |= 1 << at;
            count += 1;
            at += 1;
        }
    }
}

/// The factors as a spot stores them: those after the last are added to the last.
#[inline]
fn stored_factors<const TILES: usize>(factors: &[i16; TILES]) -> [i16; SPOT_FACTORS] {
    let mut stored = [0; SPOT_FACTORS];
    stored.copy_from_slice(&factors[..SPOT_FACTORS]);
    stored[SPOT_FACTORS - 1] += factors[SPOT_FACTORS..].iter().sum::<i16>();
    stored
}

/// Inserts a factor into the first `count`, which are sorted largest first.
fn insert<const TILES: usize>(factors: &mut [i16; TILES], count: usize, factor: i16) {
    let mut at = count;
    while at > 0 && factors[at - 1] < factor {
        factors[at] = factors[at - 1];
        at -= 1;
    }
    factors[at] = factor;
}
