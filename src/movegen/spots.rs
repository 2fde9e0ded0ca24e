//! Where words could go: every stretch of a strip that a placement of n tiles
//! can cover, with all that does not depend on the rack worked out.
//!
//! Shadow playing bounds what can be scored from an anchor by walking over
//! the squares with the rack in hand. Most of that walk is the same for every
//! rack, so it is done here once and kept until the strip changes; what is
//! left for each rack is a product of two short sorted lists: the tiles' values
//! and the factors of the squares, largest with largest, which no other order
//! can beat.

use super::cross_board::{BLANK_BIT, CrossBoard};
use crate::board::Axis;
use crate::lexicon::LetterCounts;

/// The most tiles that a spot takes: the fast path is for racks of up to so many.
pub(super) const MAX_SPOT_TILES: usize = 8;

/// A stretch of a strip and the number of tiles that fill it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// What the value of a tile placed counts, square by square, largest first.
    pub factors: [i16; MAX_SPOT_TILES],
    /// The points that are there whatever the tiles: those shown through, those across, the bonus.
    pub base: i32,
    /// The squares to fill.
    pub fresh: u32,
    pub start: u8,
    pub end: u8,
    /// How many tiles.
    pub count: u8,
    /// How many letters show through.
    pub through_len: u8,
    /// The letters that show through.
    pub through: LetterCounts,
}

/// The spots of a strip, in no order to rely on, for up to `most` tiles.
pub(super) fn of_strip(
    field: &CrossBoard,
    axis: Axis,
    lane: usize,
    most: usize,
    spots: &mut Vec<Spot>,
) {
    spots.clear();
    let anchors = field.anchors(axis, lane);
    if anchors == 0 {
        return;
    }
    let strip = &field.strips[axis as usize][lane];
    let free = field.ground[axis as usize][lane].usable & !strip.occupied;
    for start in 0..field.side {
        let usable = field.ground[axis as usize][lane].usable >> start & 1 != 0;
        // An anchor must be within reach; tiles on the way are beside anchors themselves.
        let to_anchor = (anchors >> start).trailing_zeros();
        let on_the_way = (free >> start & ((1_u64 << to_anchor) - 1) as u32).count_ones() as usize;
        if usable && on_the_way < most && (start == 0 || !strip.is_occupied(start - 1)) {
            from(field, axis, lane, start, most, anchors, free, spots);
        }
    }
}

/// The spots that start on one square.
#[allow(
    clippy::too_many_arguments,
    reason = "what `of_strip` knows, once for each start"
)]
fn from(
    field: &CrossBoard,
    axis: Axis,
    lane: usize,
    start: usize,
    most: usize,
    anchors: u32,
    free: u32,
    spots: &mut Vec<Spot>,
) {
    let strip = &field.strips[axis as usize][lane];
    let ground = &field.ground[axis as usize][lane];
    let (mut through, mut through_len, mut through_points) = (LetterCounts::NONE, 0, 0);
    let (mut word_factor, mut across, mut touches) = (1, 0, false);
    // Of each square to fill: its letter factor, and what counts across; and what both make, in order.
    let mut squares = [(0, 0); MAX_SPOT_TILES];
    let mut factors = [0; MAX_SPOT_TILES];
    let (mut fresh, mut count, mut at) = (0, 0, start);
    loop {
        // Over the tiles that lie here.
        while strip.is_occupied(at) {
            let cell = strip.cells[at];
            through = through.plus(LetterCounts::of_number(usize::from(cell & !BLANK_BIT)));
            through_len += 1;
            through_points += i32::from(field.cell_points(cell));
            touches = true;
            at += 1;
        }
        let single_across = count == 1 && axis == Axis::Down && strip.crossed & fresh != 0;
        let long_enough = at - start
            >= if field.is_empty() {
                field.first_word_min
            } else {
                2
            };
        if count > 0 && touches && long_enough && !single_across {
            spots.push(Spot {
                factors,
                base: through_points * word_factor + across + field.bonus[count],
                fresh,
                start: start as u8,
                end: at as u8,
                count: count as u8,
                through_len,
                through,
            });
        }
        if count == most || at >= field.side || free >> at & 1 == 0 || strip.allowed[at] == 0 {
            return;
        }
        let (letter, word) = (
            i32::from(ground.letter_factor[at]),
            i32::from(ground.word_factor[at]),
        );
        let crossed = (strip.crossed >> at & 1) as i32;
        word_factor *= word;
        across += i32::from(strip.cross_points[at]) * word;
        squares[count] = (letter, crossed * letter * word);
        if word == 1 {
            insert(
                &mut factors,
                count,
                (word_factor * letter + squares[count].1) as i16,
            );
        } else {
            factors = [0; MAX_SPOT_TILES];
            for (at, (letter, cross)) in squares[..=count].iter().enumerate() {
                insert(&mut factors, at, (word_factor * letter + cross) as i16);
            }
        }
        touches |= anchors >> at & 1 != 0;
        fresh |= 1 << at;
        count += 1;
        at += 1;
    }
}

/// Puts a factor in its place among the first `count`, which are in order, largest first.
fn insert(factors: &mut [i16; MAX_SPOT_TILES], count: usize, factor: i16) {
    let mut at = count;
    while at > 0 && factors[at - 1] < factor {
        factors[at] = factors[at - 1];
        at -= 1;
    }
    factors[at] = factor;
}
