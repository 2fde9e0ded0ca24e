//! Placements where the letters of a word may stand in any order (WordSmog).
//!
//! A stretch of a lane is legal for some tiles if the alphagram of the tiles and of the tiles that
//! it covers is in the graph. Then every order of the tiles that the cross-checks allow is a
//! placement of its own: seven different tiles have 5,040 orders.
//!
//! [`offer_orders`] gives the orders of one set of tiles on one stretch to a [`PlaySink`]. The
//! best-first search (`best_first`, `spot_filler`) calls it, because its bounds and its word map
//! are about multisets of letters and hold in any order. [`placements`] and [`search`] go through
//! all stretches and all subsets of the rack. They need no word map and serve for complete lists,
//! and for racks and boards that the best-first search cannot handle.
//!
//! Orders that the sink would not keep are not visited. The value of a tile counts on each square
//! with a factor that does not depend on the other tiles, so to order tiles is an assignment
//! problem. Dynamic programming over the subsets of the tiles gives the best value of the squares
//! that are left, exactly. Among equal values the order of [`super::Play`] decides: orders are
//! visited as it sorts placements, and those that come after the worst play kept are skipped.

use super::RackLeaves;
use super::cross_board::{BLANK_BIT, CrossBoard, LANE_CAPACITY, bits, square_at};
use super::gaddag::RawPlacement;
use super::penalties::Penalties;
use super::rack_bits::RACK_SUBSETS;
use super::sink::{LOWEST_EQUITY, PlaySink};
use super::{Equity, Play};
use crate::board::Axis;
use crate::lexicon::letter_bit;
use crate::rules::MAX_RACK;
use crate::tiles::{Face, TileCounts};
use smallvec::SmallVec;

/// A stretch of a lane whose empty squares a placement fills.
pub(super) struct Stretch {
    pub axis: Axis,
    pub lane: usize,
    /// The first square of the word.
    pub start: usize,
    /// The square after the word.
    pub end: usize,
    /// The empty squares to fill, a bit each.
    pub fresh: u32,
}

/// Calls `sink` once for every placement of tiles from the rack that forms only words. Stops early
/// when `keep_going`, called from time to time, returns `false`.
pub(super) fn placements(
    board: &CrossBoard,
    rack_leaves: &RackLeaves,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(&RawPlacement),
) {
    search(board, rack_leaves, keep_going, &mut EveryPlaySink(sink));
}

/// Offers to `sink` every placement of tiles from the rack that it may keep.
pub(super) fn search(
    board: &CrossBoard,
    rack_leaves: &RackLeaves,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl PlaySink,
) {
    let subsets = subsets(rack_leaves);
    for axis in Axis::BOTH {
        for lane in 0..board.side {
            let is_complete =
                for_each_stretch(board, axis, lane, rack_leaves.rack.len(), |stretch| {
                    fill(board, stretch, &subsets, keep_going, sink)
                });
            if !is_complete {
                return;
            }
        }
    }
}

/// Passes every placement on to a function.
struct EveryPlaySink<'a, F>(&'a mut F);

impl<F: FnMut(&RawPlacement)> PlaySink for EveryPlaySink<'_, F> {
    fn threshold(&self) -> i32 {
        LOWEST_EQUITY
    }

    fn offer(&mut self, found: &RawPlacement, _equity: i32) {
        (self.0)(found);
    }

    fn worst(&self) -> Option<&Play> {
        None
    }
}

/// A subset of the rack.
struct Subset {
    /// Its letters, ascending, without blanks.
    letters: SmallVec<[u8; MAX_RACK]>,
    blanks: usize,
    /// The leave, as a mask of [`super::rack_bits::RackBits`], and its value in thousandths of a
    /// point.
    leave: (u16, i32),
}

/// The subsets of a rack, by number of tiles.
fn subsets(rack_leaves: &RackLeaves) -> [Vec<Subset>; MAX_RACK + 1] {
    let RackLeaves {
        rack,
        rack_bits,
        values,
        ..
    } = rack_leaves;
    let mut subsets = [const { Vec::new() }; MAX_RACK + 1];
    let masks = (0..=rack_bits.all).filter(|mask| rack_bits.is_canonical(*mask));
    for leave in masks {
        let mut played: TileCounts = *rack;
        for tile in rack_bits.tiles(leave).iter() {
            played.take(tile);
        }
        let numbers = played.iter().map(|tile| tile.number() as u8);
        let letters: SmallVec<_> = numbers.filter(|number| *number != 0).collect();
        subsets[played.len()].push(Subset {
            blanks: played.len() - letters.len(),
            letters,
            leave: (leave, values[usize::from(leave)]),
        });
    }
    subsets
}

/// Calls `visit` with every stretch of a lane that takes up to `max_tiles` tiles. Stops early when
/// `visit` returns `false`, and returns whether it did not.
fn for_each_stretch(
    board: &CrossBoard,
    axis: Axis,
    lane: usize,
    max_tiles: usize,
    mut visit: impl FnMut(&Stretch) -> bool,
) -> bool {
    let anchors = board.anchors(axis, lane);
    if anchors == 0 {
        return true;
    }
    let state = &board.lanes[axis as usize][lane];
    for start in (0..board.side).filter(|&start| start == 0 || !state.is_occupied(start - 1)) {
        let (mut fresh, mut end) = (0_u32, start);
        loop {
            end = state.run_end(end);
            let count = fresh.count_ones() as usize;
            // A single tile that forms words both ways is listed as a play across.
            let is_duplicate = count == 1 && axis == Axis::Down && state.crossed & fresh != 0;
            let is_long = end - start >= board.min_word_len();
            let stretch = Stretch {
                axis,
                lane,
                start,
                end,
                fresh,
            };
            if fresh & anchors != 0 && is_long && !is_duplicate && !visit(&stretch) {
                return false;
            }
            // No letter is allowed on squares that cannot be used, nor beyond the edge.
            if count == max_tiles || state.allowed[end] == 0 {
                break;
            }
            fresh |= 1 << end;
            end += 1;
        }
    }
    true
}

/// Offers the placements of all subsets on a stretch. Stops early when `keep_going` returns `false`,
/// and returns whether it did not.
fn fill(
    board: &CrossBoard,
    stretch: &Stretch,
    subsets: &[Vec<Subset>],
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl PlaySink,
) -> bool {
    let mut goes_on = keep_going();
    let state = &board.lanes[stretch.axis as usize][stretch.lane];
    let cells = &state.cells[stretch.start..stretch.end];
    let covered = cells.iter().filter(|cell| **cell != 0);
    let covered: SmallVec<[u8; LANE_CAPACITY]> = covered.map(|cell| cell & !BLANK_BIT).collect();
    for subset in &subsets[stretch.fresh.count_ones() as usize] {
        if !goes_on {
            break;
        }
        let mut letters = covered.clone();
        letters.extend_from_slice(&subset.letters);
        letters.sort_unstable();
        let graph = board.graph;
        graph.for_each_completion(&letters, subset.blanks, &mut |blanks| {
            let mut tiles = subset.letters.clone();
            tiles.extend(blanks.iter().map(|letter| letter | BLANK_BIT));
            goes_on = goes_on
                && offer_orders(board, stretch, &mut tiles, subset.leave, keep_going, sink)
                && keep_going();
        });
    }
    goes_on
}

/// Offers every order of `tiles` on the empty squares of a stretch that the cross-checks allow and
/// that the sink may keep. The tiles have [`BLANK_BIT`] for blanks and form a word there. `leave` is
/// the leave as a mask, and its value in thousandths of a point. Stops early when `keep_going`,
/// called from time to time, returns `false`, and returns whether it did not.
pub(super) fn offer_orders(
    board: &CrossBoard,
    stretch: &Stretch,
    tiles: &mut [u8],
    leave: (u16, i32),
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl PlaySink,
) -> bool {
    tiles.sort_unstable();
    let mut ordering = Ordering::new(board, stretch, tiles, leave, keep_going, sink);
    let all = (1 << tiles.len()) - 1;
    if ordering.find_best_of_rest() {
        ordering.place(0, all, ordering.base);
    }
    ordering.goes_on
}

/// The orders offered between two calls of `keep_going`. Chosen by hand: they take 0.2 ms.
const CHECK_INTERVAL_ORDERS: u32 = 1_024;

/// What a placement is worth, as one number: equity in thousandths of a point, then points. It
/// compares as the first two keys of the order of [`Play`], and sums add up in both parts.
type Rank = i64;

/// The bits for the points in a [`Rank`]. Points stay below 2^21: a lane of 21 tiles, factors of
/// at most 500, and no tile is worth more than 100 points.
const POINT_BITS: u32 = 24;
/// A rank below all others: the tiles do not fit.
const IMPOSSIBLE: Rank = Rank::MIN / 2;

/// The rank of an equity and points.
fn rank(equity: Equity, points: i64) -> Rank {
    (i64::from(equity.millis()) << POINT_BITS) + points
}

/// The rank of points that count for the equity too.
fn rank_of_points(points: i64) -> Rank {
    ((points * 1_000) << POINT_BITS) + points
}

/// The tiles that go to the empty squares of a stretch.
struct Ordering<'a, S> {
    board: &'a CrossBoard<'a>,
    stretch: &'a Stretch,
    /// The tiles, ascending, with [`BLANK_BIT`] for blanks.
    tiles: &'a [u8],
    leave: (u16, i32),
    /// The rank of the leave and of the points that do not depend on the order of tiles.
    base: Rank,
    /// By empty square and tile: what the tile adds to the rank there.
    values: [[Rank; MAX_RACK]; MAX_RACK],
    /// By mask of tiles: the best rank that they reach on the last squares. Indexes are masks of
    /// `tiles`.
    best_of_rest: [Rank; RACK_SUBSETS],
    /// The tile placed on each square of the word; 0 where one lies on the board.
    cells: [u8; LANE_CAPACITY],
    /// The empty squares, counted from the first square of the word.
    squares: SmallVec<[u8; MAX_RACK]>,
    /// The number of orders offered.
    offered: u32,
    keep_going: &'a dyn Fn() -> bool,
    /// Whether `keep_going` never returned `false`.
    goes_on: bool,
    sink: &'a mut S,
}

impl<'a, S: PlaySink> Ordering<'a, S> {
    fn new(
        board: &'a CrossBoard,
        stretch: &'a Stretch,
        tiles: &'a [u8],
        leave: (u16, i32),
        keep_going: &'a dyn Fn() -> bool,
        sink: &'a mut S,
    ) -> Ordering<'a, S> {
        let squares = bits(stretch.fresh).map(|at| (at - stretch.start) as u8);
        let mut ordering = Ordering {
            board,
            stretch,
            tiles,
            leave,
            base: 0,
            values: [[IMPOSSIBLE; MAX_RACK]; MAX_RACK],
            best_of_rest: [IMPOSSIBLE; RACK_SUBSETS],
            cells: [0; LANE_CAPACITY],
            squares: squares.collect(),
            offered: 0,
            keep_going,
            goes_on: true,
            sink,
        };
        ordering.set_values();
        ordering
    }

    /// Sets the values of the tiles on the squares, and the base.
    fn set_values(&mut self) {
        let Stretch {
            axis,
            lane,
            start,
            end,
            fresh,
        } = *self.stretch;
        let (state, premiums) = (
            &self.board.lanes[axis as usize][lane],
            &self.board.premiums[axis as usize][lane],
        );
        // On a board full of premiums the values could overflow: there they only say which tiles
        // fit, and nothing is skipped.
        let is_bounded = self.board.factors_fit;
        let scale = i64::from(is_bounded);
        let word_factor = |at: usize| i64::from(premiums.word_factor[at]);
        let factor: i64 = bits(fresh)
            .map(word_factor)
            .fold(1, |all, factor| all.saturating_mul(factor) * scale);
        let covered = (start..end).map(|at| i64::from(self.board.cell_points(state.cells[at])));
        let mut points = covered.sum::<i64>() * factor;
        points += i64::from(self.board.bonus[self.tiles.len().min(MAX_RACK)]);
        for (square, at) in bits(fresh).enumerate() {
            let crossed = i64::from(state.crossed >> at & 1) * word_factor(at);
            points += crossed * i64::from(state.cross_points[at]);
            let factor = i64::from(premiums.letter_factor[at]) * (factor + crossed) * scale;
            for (tile, cell) in self.tiles.iter().enumerate() {
                let letter = cell & !BLANK_BIT;
                if state.allowed[at] & letter_bit(letter) != 0 {
                    let value = i64::from(self.board.cell_points(*cell)) * factor;
                    let of_cell = |penalties: Penalties| penalties.of_cell(axis, at, *cell);
                    let penalty = self.sink.penalties().map_or(Equity::ZERO, of_cell);
                    self.values[square][tile] = rank_of_points(value) + rank(penalty, 0);
                }
            }
        }
        self.base = match is_bounded {
            true => rank_of_points(points) + rank(Equity::from_millis(self.leave.1), 0),
            false => -IMPOSSIBLE / 2,
        };
    }

    /// Finds the best rank of every set of tiles on the last squares. Returns whether all tiles fit.
    fn find_best_of_rest(&mut self) -> bool {
        let count = self.tiles.len();
        self.best_of_rest[0] = 0;
        for mask in 1..1_usize << count {
            let square = count - mask.count_ones() as usize;
            let mut best = IMPOSSIBLE;
            for tile in bits(mask as u32) {
                let value = self.values[square][tile];
                let rest = self.best_of_rest[mask ^ 1 << tile];
                if value != IMPOSSIBLE && rest != IMPOSSIBLE {
                    best = best.max(value + rest);
                }
            }
            self.best_of_rest[mask] = best;
        }
        self.best_of_rest[(1 << count) - 1] != IMPOSSIBLE
    }

    /// Tries each of the tiles of `mask` on the empty square number `square`. `rank` is the rank of
    /// the tiles placed so far. Tiles ascend, so placements come in their order.
    fn place(&mut self, square: usize, mask: usize, rank: Rank) {
        if mask == 0 {
            self.offer();
            return;
        }
        let at = usize::from(self.squares[square]);
        let mut last = 0;
        for tile in bits(mask as u32) {
            if !self.goes_on {
                return;
            }
            let (cell, rest) = (self.tiles[tile], mask ^ 1 << tile);
            let value = self.values[square][tile];
            // Equal tiles are interchangeable.
            let is_new = cell != std::mem::replace(&mut last, cell);
            if is_new && value != IMPOSSIBLE && self.best_of_rest[rest] != IMPOSSIBLE {
                self.cells[at] = cell;
                let rank = rank + value;
                if self.may_be_kept(rank + self.best_of_rest[rest], at + 1) {
                    self.place(square + 1, rest, rank);
                }
            }
        }
    }

    /// Whether the sink may keep a placement with at most this rank, of which the first `len` cells
    /// are known.
    fn may_be_kept(&self, rank: Rank, len: usize) -> bool {
        let Some(worst) = self.sink.worst() else {
            return rank >> POINT_BITS >= i64::from(self.sink.threshold());
        };
        let worst_rank = self::rank(worst.equity, worst.points.0.into());
        if rank != worst_rank {
            return rank > worst_rank;
        }
        let (stretch, placement) = (self.stretch, &worst.placement);
        let side = self.board.side as u8;
        let start = square_at(stretch.axis, stretch.lane, stretch.start, side);
        let key = (start, stretch.axis, stretch.end - stretch.start);
        let worst_cells = placement.cells();
        let worst_key = (placement.start(), placement.axis(), worst_cells.len());
        if key != worst_key {
            return key < worst_key;
        }
        let cells = self.cells[..len].iter().map(|cell| Face::from_byte(*cell));
        cells.le(worst_cells[..len].iter().copied())
    }

    /// Offers the order in `cells`.
    fn offer(&mut self) {
        let Stretch {
            axis,
            lane,
            start,
            end,
            ..
        } = *self.stretch;
        let (leave, leave_value) = self.leave;
        let cells = &self.cells[..end - start];
        let found = RawPlacement::new(self.board, (axis, lane), start, cells, leave);
        let equity = found.points * 1_000 + leave_value;
        if equity >= self.sink.threshold() {
            self.sink.offer(&found, equity);
        }
        self.offered += 1;
        if self.offered.is_multiple_of(CHECK_INTERVAL_ORDERS) {
            self.goes_on = (self.keep_going)();
        }
    }
}
