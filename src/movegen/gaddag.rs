//! All placements by walking the GADDAG (Gordon 1994) from hubs: to the left
//! with tiles from the rack, then over the separator to the right.
//!
//! A hub is a run of tiles, or an empty square between runs that touches a
//! tile across the strip: where the letters of a word are known, or where few
//! fit, so that little is tried in vain. Each placement is found once, from the
//! first run that it covers or else from its first square that can be a hub.

use super::cross_board::{BLANK_BIT, CrossBoard, LANE_CAPACITY, LaneState, ones};
use super::rack_bits::{RACK_SUBSETS, RackSource};
use crate::board::{Axis, Square};
use crate::lexicon::{Graph, NodeList, letter_bit};
use crate::rules::Placement;
use crate::tiles::TileCounts;

/// A placement as it is found, still in the generator's terms.
pub(super) struct RawPlacement<'a> {
    pub axis: Axis,
    pub lane: usize,
    /// The first square of the word.
    pub first: usize,
    /// What is placed on each square of the word; 0 where the board's tile shows.
    pub cells: &'a [u8],
    pub points: i32,
    /// The tiles kept, as bits of the [`RackBits`].
    pub kept: u16,
}

impl RawPlacement<'_> {
    /// The placement in everyone's terms.
    pub fn placement(&self, side: u8) -> Placement {
        let (lane, first) = (self.lane as u8, self.first as u8);
        let start = match self.axis {
            Axis::Across => Square::new(lane, first, side),
            Axis::Down => Square::new(first, lane, side),
        };
        Placement::from_bytes(start, self.axis, self.cells)
    }

    /// Its points and what the tiles kept are worth, in thousandths.
    pub fn equity(&self, leave_values: &[i32; RACK_SUBSETS]) -> i32 {
        self.points * 1_000 + leave_values[usize::from(self.kept)]
    }
}

/// Where the tiles to place come from: a rack, or all that is unseen.
pub(super) trait TileSource {
    /// What is still held. A walk goes back by using what was held before.
    type Remaining: Copy;
    /// The letters that can be placed next, as themselves or as blanks.
    fn letters(&self, held: Self::Remaining) -> u32;
    /// What is held without this letter, if it can be placed as itself.
    fn letter(&self, held: Self::Remaining, number: u8) -> Option<Self::Remaining>;
    /// What is held without a blank, if one can be placed.
    fn blank(&self, held: Self::Remaining) -> Option<Self::Remaining>;
}

/// Shows `sink` every placement of tiles from `rack` that forms only words, each once, for as long as `keep_going`, which is asked now and then, says so.
pub(super) fn placements(
    field: &CrossBoard,
    rack: &TileCounts,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(&RawPlacement),
) {
    let holding = RackSource::new(rack);
    placements_from(
        field,
        &holding,
        holding.all(),
        keep_going,
        &mut |found, kept| sink(&RawPlacement { kept, ..found }),
    );
}

/// Shows `sink` every placement of tiles from `supply` that forms only words, and what is still held then.
pub(super) fn placements_from<H: TileSource>(
    field: &CrossBoard,
    supply: &H,
    held: H::Remaining,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(RawPlacement, H::Remaining),
) {
    for axis in Axis::BOTH {
        for lane in 0..field.side {
            if field.anchors(axis, lane) != 0 {
                if !keep_going() {
                    return;
                }
                lane_placements(field, axis, lane, supply, held, keep_going, sink);
            }
        }
    }
}

/// [`placements_from`] in one strip.
pub(super) fn lane_placements<H: TileSource>(
    field: &CrossBoard,
    axis: Axis,
    lane: usize,
    supply: &H,
    held: H::Remaining,
    keep_going: &dyn Fn() -> bool,
    sink: &mut impl FnMut(RawPlacement, H::Remaining),
) {
    let mut walk = GaddagTraversal {
        field,
        graph: field.graph,
        strip: &field.strips[axis as usize][lane],
        axis,
        lane,
        supply,
        word: [0; LANE_CAPACITY],
        from: 0,
        turn: 0,
        to: 0,
        keep_going,
        steps: 0,
        stopped: false,
        sink,
    };
    walk.strip(field.anchors(axis, lane), held);
}

impl CrossBoard<'_> {
    /// The empty squares of a strip from which placements are found.
    pub(super) fn anchors(&self, axis: Axis, lane: usize) -> u32 {
        let (strip, ground) = (
            &self.strips[axis as usize][lane],
            &self.ground[axis as usize][lane],
        );
        if self.is_empty() {
            let (row, column) = self.start;
            let (start_lane, at) = if axis == Axis::Across {
                (row, column)
            } else {
                (column, row)
            };
            // On a board that is its own mirror image, plays down are those across once more.
            let counts = start_lane == lane && (axis == Axis::Across || !self.mirrored);
            return if counts { 1 << at } else { 0 };
        }
        let beside = strip.occupied << 1 | strip.occupied >> 1 | strip.crossed;
        beside & !strip.occupied & ground.usable
    }
}

struct GaddagTraversal<'a, H, S> {
    field: &'a CrossBoard<'a>,
    graph: &'a Graph,
    strip: &'a LaneState,
    axis: Axis,
    lane: usize,
    supply: &'a H,
    /// What is placed on each empty square of the strip, as far as the walk has come; nothing on the others.
    word: [u8; LANE_CAPACITY],
    /// The leftmost square that may be used.
    from: usize,
    /// The square after the hub, where a word turns to the right.
    turn: usize,
    /// The first square to the right that may not be used.
    to: usize,
    /// Asked before each strip and once in [`CHECK_INTERVAL_STEPS`] steps.
    keep_going: &'a dyn Fn() -> bool,
    steps: u32,
    stopped: bool,
    sink: &'a mut S,
}

/// With many blanks a single square can take a second, so that it is asked on the way too.
const CHECK_INTERVAL_STEPS: u32 = 64;

impl<H: TileSource, S: FnMut(RawPlacement, H::Remaining)> GaddagTraversal<'_, H, S> {
    /// All placements in the strip: first those through its runs, each by the
    /// first run that it covers, then those between runs, each by the first
    /// square that touches a tile across.
    fn strip(&mut self, beside: u32, held: H::Remaining) {
        let mut gap = 0;
        let mut runs = self.strip.occupied;
        while gap < self.field.side {
            // With no run left, the next one is thought two squares beyond the edge.
            let run = match runs {
                0 => self.field.side + 1,
                runs => runs.trailing_zeros() as usize,
            };
            self.between(gap, run.saturating_sub(1), beside, held);
            if runs == 0 {
                return;
            }
            let end = self.strip.run_end(run);
            self.through(gap, run, end, held);
            runs = runs >> end << end;
            gap = end + 1;
        }
    }

    /// Placements of which the run from `run` to `end` is the first that they cover.
    fn through(&mut self, from: usize, run: usize, end: usize, held: H::Remaining) {
        (self.from, self.turn, self.to) = (from, end, self.field.side);
        let (mut list, mut ends) = (self.graph.gaddag_root(), false);
        for at in (run..end).rev() {
            match self.tile(at, list) {
                Some(next) => (list, ends) = next,
                None => return,
            }
        }
        self.left_of(run, list, ends, held);
    }

    /// Placements on empty squares from `from` up to `to` that cover one of `beside`.
    fn between(&mut self, from: usize, to: usize, beside: u32, held: H::Remaining) {
        (self.from, self.to) = (from, to);
        let mut hubs = beside & ((1 << to) - 1) & (u32::MAX << from);
        while hubs != 0 {
            let hub = hubs.trailing_zeros() as usize;
            hubs &= hubs - 1;
            self.turn = hub + 1;
            self.left(hub, self.graph.gaddag_root(), held);
            self.from = hub + 1;
        }
    }

    /// The letters that could come on a square: what lies there, or what fits of `letters`.
    #[inline]
    fn next(&self, at: usize, letters: u32) -> u32 {
        letter_bit(self.strip.cells[at] & !BLANK_BIT) | self.strip.allowed[at] & letters
    }

    /// Places a tile on the empty square `at`: the hub, or one to its left.
    fn left(&mut self, at: usize, list: NodeList, held: H::Remaining) {
        self.steps += 1;
        if self.steps.is_multiple_of(CHECK_INTERVAL_STEPS) {
            self.stopped |= !(self.keep_going)();
        }
        if self.stopped {
            return;
        }
        let (head, letters) = (self.graph.summary(list), self.supply.letters(held));
        let on = match at > self.from {
            true => self.strip.allowed[at - 1] & letters,
            false => 0,
        };
        let turned = self.next(self.turn, letters);
        for letter in ones(head.letters & self.strip.allowed[at] & letters) {
            let next = self.graph.follow(list, head, letter);
            let (ends, after) = (head.final_letters & letter != 0, self.graph.summary(next));
            // Most letters lead nowhere, which a look ahead tells before anything is placed.
            if !ends && after.letters & on | after.letters_after_separator & turned == 0 {
                continue;
            }
            let number = letter.trailing_zeros() as u8 + 1;
            if let Some(rest) = self.supply.letter(held, number) {
                self.word[at] = number;
                self.left_of(at, next, ends, rest);
            }
            if let Some(rest) = self.supply.blank(held) {
                self.word[at] = number | BLANK_BIT;
                self.left_of(at, next, ends, rest);
            }
        }
    }

    /// After a letter on `at` that leads to `list`: the word may end there, turn to the right of the hub, or go on to the left.
    fn left_of(&mut self, at: usize, list: NodeList, ends: bool, held: H::Remaining) {
        if ends {
            self.record(at, self.turn, held);
        }
        self.right(
            at,
            self.turn,
            self.graph.summary(list).after_separator,
            held,
        );
        if at > self.from {
            self.left(at - 1, list, held);
        }
    }

    /// Places a tile on the empty square `at`, to the right of the hub, in a word from `first` on.
    fn right(&mut self, first: usize, at: usize, list: NodeList, held: H::Remaining) {
        let (head, letters) = (self.graph.summary(list), self.supply.letters(held));
        let wanted = head.letters & self.strip.allowed[at] & letters;
        if wanted == 0 || at >= self.to {
            return;
        }
        let (last, on) = (!self.strip.is_occupied(at + 1), self.next(at + 1, letters));
        for letter in ones(wanted) {
            let next = self.graph.follow(list, head, letter);
            let ends = head.final_letters & letter != 0;
            if !(last && ends) && self.graph.summary(next).letters & on == 0 {
                continue;
            }
            let number = letter.trailing_zeros() as u8 + 1;
            if let Some(rest) = self.supply.letter(held, number) {
                self.word[at] = number;
                self.right_of(first, at, next, ends, rest);
            }
            if let Some(rest) = self.supply.blank(held) {
                self.word[at] = number | BLANK_BIT;
                self.right_of(first, at, next, ends, rest);
            }
        }
    }

    /// After a letter on `at` that leads to `list`: the word may end there or go on to the right.
    fn right_of(
        &mut self,
        first: usize,
        at: usize,
        mut list: NodeList,
        mut ends: bool,
        held: H::Remaining,
    ) {
        let mut at = at + 1;
        while self.strip.is_occupied(at) {
            match self.tile(at, list) {
                Some(next) => (list, ends) = next,
                None => return,
            }
            at += 1;
        }
        if ends {
            self.record(first, at, held);
        }
        self.right(first, at, list, held);
    }

    /// What follows the tile that lies on a square in a list, and whether a word may end with it.
    #[inline]
    fn tile(&self, at: usize, list: NodeList) -> Option<(NodeList, bool)> {
        let (head, letter) = (
            self.graph.summary(list),
            letter_bit(self.strip.cells[at] & !BLANK_BIT),
        );
        let known = head.letters & letter != 0;
        known.then(|| {
            (
                self.graph.follow(list, head, letter),
                head.final_letters & letter != 0,
            )
        })
    }

    fn record(&mut self, first: usize, end: usize, held: H::Remaining) {
        let letters = end - first;
        if letters < 2 || (self.field.is_empty() && letters < self.field.first_word_min) {
            return;
        }
        // A single tile that makes a word across too is found as a play across.
        let fresh = !self.strip.occupied & ((1 << end) - (1 << first));
        let single_across = self.axis == Axis::Down && self.strip.crossed & fresh != 0;
        match fresh.count_ones() {
            0 => return,
            1 if single_across => return,
            _ => {}
        }
        let cells = &self.word[first..end];
        let points = self.field.points(self.axis, self.lane, first, cells);
        let found = RawPlacement {
            axis: self.axis,
            lane: self.lane,
            first,
            cells,
            points,
            kept: 0,
        };
        (self.sink)(found, held);
    }
}
