//! All placements of a rack or pool, by traversal of the GADDAG (Gordon 1994,
//! Software: Practice and Experience 24(2)).
//!
//! A [`CrossBoard`] and a [`TileSource`] come in; each legal placement goes out
//! once, as a [`RawPlacement`] with its points. [`super::Generator`],
//! `LaneGenerator` and `pool` call it.
//!
//! A traversal starts at a *hub*, places tiles to its left, crosses the
//! separator of the GADDAG and places tiles to its right. A hub is a run of
//! tiles, or an anchor that touches no run along the lane: it has a tile
//! adjacent across the lane, or is the start square of an empty board. The
//! letters of a run are known and few letters fit beside a tile, so few branches
//! fail. Each placement is found from one hub only: from the first run that it
//! covers, or else from its first anchor.
//!
//! The traversal does not look for the best placement and applies no bounds.

use super::cross_board::{
    BLANK_BIT, CrossBoard, LANE_CAPACITY, LaneState, bits, locate, ones, square_at,
};
use super::rack_bits::{RACK_SUBSETS, RackSource};
use crate::board::Axis;
use crate::lexicon::{Graph, NodeList, letter_bit};
use crate::rules::Placement;
use crate::tiles::TileCounts;

/// A placement as a generator finds it: by lane and cells.
pub(super) struct RawPlacement<'a> {
    pub axis: Axis,
    pub lane: usize,
    /// The first square of the word.
    pub first: usize,
    /// The tile placed on each square of the word; 0 where one lies on the board.
    pub cells: &'a [u8],
    pub points: i32,
    /// The leave, as a mask of [`super::rack_bits::RackBits`].
    pub leave: u16,
}

impl<'a> RawPlacement<'a> {
    /// The placement of `cells` from square `first` of a lane on, with its points.
    #[inline]
    pub fn new(
        board: &CrossBoard,
        (axis, lane): (Axis, usize),
        first: usize,
        cells: &'a [u8],
        leave: u16,
    ) -> RawPlacement<'a> {
        RawPlacement {
            axis,
            lane,
            first,
            cells,
            points: board.points(axis, lane, first, cells),
            leave,
        }
    }

    /// The same as a value of the rules, on a board with `side` columns.
    pub fn placement(&self, side: u8) -> Placement {
        let start = square_at(self.axis, self.lane, self.first, side);
        Placement::from_bytes(start, self.axis, self.cells)
    }

    /// Its points plus the leave value, in thousandths of a point.
    pub fn equity(&self, leave_values: &[i32; RACK_SUBSETS]) -> i32 {
        self.points * 1_000 + leave_values[usize::from(self.leave)]
    }
}

/// Where the placed tiles come from: a rack or a pool of tiles.
pub(super) trait TileSource {
    /// The tiles not placed yet. Copying it makes backtracking free.
    type Remaining: Copy;
    /// The letters that can be placed next, by a tile of the letter or by a blank.
    fn letters(&self, remaining: Self::Remaining) -> u32;
    /// What remains after placing a tile of this letter, if there is one.
    fn letter(&self, remaining: Self::Remaining, number: u8) -> Option<Self::Remaining>;
    /// What remains after placing a blank, if there is one.
    fn blank(&self, remaining: Self::Remaining) -> Option<Self::Remaining>;
}

/// Calls `sink` once for every placement of tiles from `rack` that forms only
/// words. Stops early when `keep_going`, called from time to time, returns `false`.
pub(super) fn placements(
    board: &CrossBoard,
    rack: &TileCounts,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(&RawPlacement),
) {
    let source = RackSource::new(rack);
    placements_from(
        board,
        &source,
        source.rack_bits.all,
        keep_going,
        &mut |found, leave| sink(&RawPlacement { leave, ..found }),
    );
}

/// Calls `sink` once for every placement of tiles from `source` that forms only
/// words, with the tiles that remain.
pub(super) fn placements_from<H: TileSource>(
    board: &CrossBoard,
    source: &H,
    remaining: H::Remaining,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(RawPlacement, H::Remaining),
) {
    for axis in Axis::BOTH {
        for lane in 0..board.side {
            if board.anchors(axis, lane) != 0 {
                if !keep_going() {
                    return;
                }
                lane_placements(board, axis, lane, source, remaining, keep_going, sink);
            }
        }
    }
}

/// [`placements_from`] in one lane.
pub(super) fn lane_placements<H: TileSource>(
    board: &CrossBoard,
    axis: Axis,
    lane: usize,
    source: &H,
    remaining: H::Remaining,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(RawPlacement, H::Remaining),
) {
    let mut traversal = GaddagTraversal {
        board,
        graph: board.graph,
        state: &board.lanes[axis as usize][lane],
        axis,
        lane,
        source,
        word: [0; LANE_CAPACITY],
        from: 0,
        hub_end: 0,
        to: 0,
        keep_going,
        steps: 0,
        stopped: false,
        sink,
    };
    traversal.traverse(board.anchors(axis, lane), remaining);
}

impl CrossBoard<'_> {
    /// The anchors of a lane, a bit each: every placement covers at
    /// least one of these empty squares.
    pub(super) fn anchors(&self, axis: Axis, lane: usize) -> u32 {
        let (state, premiums) = (
            &self.lanes[axis as usize][lane],
            &self.premiums[axis as usize][lane],
        );
        if self.is_empty() {
            let (start_lane, at) = locate(self.start, axis, self.side as u8);
            // On a symmetric board, plays down mirror plays across.
            let has_anchor = start_lane == lane && (axis == Axis::Across || !self.mirrored);
            return if has_anchor { 1 << at } else { 0 };
        }
        let beside = state.occupied << 1 | state.occupied >> 1 | state.crossed;
        beside & !state.occupied & premiums.usable
    }
}

/// The traversal of one lane.
struct GaddagTraversal<'a, H, S> {
    board: &'a CrossBoard<'a>,
    graph: &'a Graph,
    state: &'a LaneState,
    axis: Axis,
    lane: usize,
    source: &'a H,
    /// The tiles placed so far, by square; 0 where a tile lies on the board.
    word: [u8; LANE_CAPACITY],
    /// The leftmost square that may take a tile.
    from: usize,
    /// The square after the hub, where the traversal goes on to the right.
    hub_end: usize,
    /// The first square to the right that may not take a tile.
    to: usize,
    /// Called before each lane and every [`CHECK_INTERVAL_STEPS`] steps.
    keep_going: &'a dyn Fn() -> bool,
    steps: u32,
    stopped: bool,
    sink: &'a mut S,
}

/// Steps to the left between two calls of `keep_going`. With many blanks a single
/// square can take a second. Chosen by hand; not tuned.
const CHECK_INTERVAL_STEPS: u32 = 64;

impl<H: TileSource, S: FnMut(RawPlacement, H::Remaining)> GaddagTraversal<'_, H, S> {
    /// Finds all placements in the lane. Those that cover runs are found from the
    /// first run that they cover; those between runs from their first anchor.
    fn traverse(&mut self, anchors: u32, remaining: H::Remaining) {
        let mut from = 0;
        let mut runs = self.state.occupied;
        while from < self.board.side {
            // After the last run, one two squares beyond the edge is assumed.
            let run = match runs {
                0 => self.board.side + 1,
                runs => runs.trailing_zeros() as usize,
            };
            self.between(from, run.saturating_sub(1), anchors, remaining);
            if runs == 0 {
                return;
            }
            let end = self.state.run_end(run);
            self.through(from, run, end, remaining);
            runs = runs >> end << end;
            from = end + 1;
        }
    }

    /// Finds the placements whose first covered run is the one from `run` to `end`.
    fn through(&mut self, from: usize, run: usize, end: usize, remaining: H::Remaining) {
        (self.from, self.hub_end, self.to) = (from, end, self.board.side);
        let (mut list, mut ends) = (self.graph.gaddag_root(), false);
        for at in (run..end).rev() {
            match self.follow_tile(at, list) {
                Some(next) => (list, ends) = next,
                None => return,
            }
        }
        self.left_of(run, list, ends, remaining);
    }

    /// Finds the placements on empty squares from `from` up to `to` that cover an anchor.
    fn between(&mut self, from: usize, to: usize, anchors: u32, remaining: H::Remaining) {
        (self.from, self.to) = (from, to);
        for hub in bits(anchors & ((1 << to) - 1) & (u32::MAX << from)) {
            self.hub_end = hub + 1;
            self.left(hub, self.graph.gaddag_root(), remaining);
            self.from = hub + 1;
        }
    }

    /// The letters that a square can have: that of its tile, or those of `letters`
    /// that fit.
    #[inline]
    fn possible_letters(&self, at: usize, letters: u32) -> u32 {
        letter_bit(self.state.cells[at] & !BLANK_BIT) | self.state.allowed[at] & letters
    }

    /// Tries every tile on the empty square `at`: the hub or a square left of it.
    fn left(&mut self, at: usize, list: NodeList, remaining: H::Remaining) {
        self.steps += 1;
        if self.steps.is_multiple_of(CHECK_INTERVAL_STEPS) {
            self.stopped |= !(self.keep_going)();
        }
        if self.stopped {
            return;
        }
        let (summary, letters) = (self.graph.summary(list), self.source.letters(remaining));
        let left_letters = match at > self.from {
            true => self.state.allowed[at - 1] & letters,
            false => 0,
        };
        let right_letters = self.possible_letters(self.hub_end, letters);
        for letter in ones(summary.letters & self.state.allowed[at] & letters) {
            let next = self.graph.follow(list, summary, letter);
            let (ends, after) = (
                summary.final_letters & letter != 0,
                self.graph.summary(next),
            );
            // Most letters fail on the next square. Test that before placing.
            if !ends
                && after.letters & left_letters | after.letters_after_separator & right_letters == 0
            {
                continue;
            }
            let number = letter.trailing_zeros() as u8 + 1;
            if let Some(rest) = self.source.letter(remaining, number) {
                self.word[at] = number;
                self.left_of(at, next, ends, rest);
            }
            if let Some(rest) = self.source.blank(remaining) {
                self.word[at] = number | BLANK_BIT;
                self.left_of(at, next, ends, rest);
            }
        }
    }

    /// Goes on after the letter on `at`, which leads to `list`: records the word
    /// if it ends, tries tiles right of the hub, and tries tiles further left.
    fn left_of(&mut self, at: usize, list: NodeList, ends: bool, remaining: H::Remaining) {
        if ends {
            self.record(at, self.hub_end, remaining);
        }
        self.right(
            at,
            self.hub_end,
            self.graph.summary(list).after_separator,
            remaining,
        );
        if at > self.from {
            self.left(at - 1, list, remaining);
        }
    }

    /// Tries every tile on the empty square `at`, right of the hub. The word starts
    /// on `first`.
    fn right(&mut self, first: usize, at: usize, list: NodeList, remaining: H::Remaining) {
        let (summary, letters) = (self.graph.summary(list), self.source.letters(remaining));
        let wanted = summary.letters & self.state.allowed[at] & letters;
        if wanted == 0 || at >= self.to {
            return;
        }
        let (may_end, next_letters) = (
            !self.state.is_occupied(at + 1),
            self.possible_letters(at + 1, letters),
        );
        for letter in ones(wanted) {
            let next = self.graph.follow(list, summary, letter);
            let ends = summary.final_letters & letter != 0;
            if !(may_end && ends) && self.graph.summary(next).letters & next_letters == 0 {
                continue;
            }
            let number = letter.trailing_zeros() as u8 + 1;
            if let Some(rest) = self.source.letter(remaining, number) {
                self.word[at] = number;
                self.right_of(first, at, next, ends, rest);
            }
            if let Some(rest) = self.source.blank(remaining) {
                self.word[at] = number | BLANK_BIT;
                self.right_of(first, at, next, ends, rest);
            }
        }
    }

    /// Goes on after the letter on `at`, which leads to `list`: covers the tiles
    /// that follow, records the word if it ends, and tries tiles further right.
    fn right_of(
        &mut self,
        first: usize,
        at: usize,
        mut list: NodeList,
        mut ends: bool,
        remaining: H::Remaining,
    ) {
        let mut at = at + 1;
        while self.state.is_occupied(at) {
            match self.follow_tile(at, list) {
                Some(next) => (list, ends) = next,
                None => return,
            }
            at += 1;
        }
        if ends {
            self.record(first, at, remaining);
        }
        self.right(first, at, list, remaining);
    }

    /// Follows the tile on a square: the next node list, and whether a word can
    /// end with it. `None` if no word has the letter there.
    #[inline]
    fn follow_tile(&self, at: usize, list: NodeList) -> Option<(NodeList, bool)> {
        let (summary, letter) = (
            self.graph.summary(list),
            letter_bit(self.state.cells[at] & !BLANK_BIT),
        );
        let has_letter = summary.letters & letter != 0;
        has_letter.then(|| {
            (
                self.graph.follow(list, summary, letter),
                summary.final_letters & letter != 0,
            )
        })
    }

    /// Passes the word on the squares from `first` to `end` to the sink, if it is
    /// long enough, places a tile and is no duplicate.
    fn record(&mut self, first: usize, end: usize, remaining: H::Remaining) {
        let len = end - first;
        if len < self.board.min_word_len() {
            return;
        }
        // A single tile that forms words both ways is found as a play across.
        let fresh = !self.state.occupied & ((1 << end) - (1 << first));
        let is_duplicate = self.axis == Axis::Down && self.state.crossed & fresh != 0;
        match fresh.count_ones() {
            0 => return,
            1 if is_duplicate => return,
            _ => {}
        }
        let cells = &self.word[first..end];
        let found = RawPlacement::new(self.board, (self.axis, self.lane), first, cells, 0);
        (self.sink)(found, remaining);
    }
}
