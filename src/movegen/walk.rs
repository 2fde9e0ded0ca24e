//! All placements by walking the GADDAG (Gordon 1994) from each anchor: to
//! the left over tiles and rack, then over the separator to the right.
//!
//! An anchor is an empty square that touches a tile. Each placement is found
//! once, from its leftmost anchor: the part to the left of an anchor keeps
//! off the anchors before it.

use super::field::{BLANK_BIT, Field, Ground, LANE, Strip, bit};
use super::hand::{Hand, KEEPS};
use crate::board::{Axis, Square};
use crate::lexicon::{Graph, List, Node};
use crate::rules::{MAX_RACK, Placement};
use crate::tiles::Bunch;
use crate::units::Points;

/// A placement as it is found, still in the generator's terms.
pub(super) struct Found<'a> {
    pub axis: Axis,
    pub lane: usize,
    /// The first square of the word.
    pub first: usize,
    /// What is placed on each square of the word; 0 where the board's tile shows.
    pub cells: &'a [u8],
    pub points: i32,
    /// The tiles kept, as bits of the [`Hand`].
    pub kept: u16,
}

impl Found<'_> {
    /// The placement in everyone's terms.
    pub fn placement(&self, side: u8) -> Placement {
        let (lane, first) = (self.lane as u8, self.first as u8);
        let start = match self.axis {
            Axis::Across => Square::new(lane, first, side),
            Axis::Down => Square::new(first, lane, side),
        };
        Placement::of(start, self.axis, self.cells)
    }

    /// Its points and what the tiles kept are worth, in thousandths.
    pub fn equity(&self, keeps: &[i32; KEEPS]) -> i32 {
        self.points * 1_000 + keeps[usize::from(self.kept)]
    }
}

/// Where the tiles to place come from: a rack, or all that is unseen.
pub(super) trait Supply: Copy {
    /// The letters that can be placed next other than as blanks.
    fn letters(&self) -> u32;
    /// Whether a blank can be placed next.
    fn has_blank(&self) -> bool;
    /// Whether nothing more can be placed.
    fn is_spent(&self) -> bool;
    /// Takes a tile to place; a tile of this number can be placed next.
    fn take(&mut self, tile: u8);
    /// Puts the tile taken last back.
    fn put(&mut self, tile: u8);
    /// The tiles kept, as bits of a [`Hand`], where that has a meaning.
    fn kept(&self) -> u16;
}

impl Supply for Hand {
    #[inline]
    fn letters(&self) -> u32 {
        self.letters
    }

    #[inline]
    fn has_blank(&self) -> bool {
        self.counts[0] > 0
    }

    #[inline]
    fn is_spent(&self) -> bool {
        self.kept == 0
    }

    #[inline]
    fn take(&mut self, tile: u8) {
        Hand::take(self, tile);
    }

    #[inline]
    fn put(&mut self, tile: u8) {
        Hand::put(self, tile);
    }

    #[inline]
    fn kept(&self) -> u16 {
        self.kept
    }
}

/// Shows `sink` every placement of tiles from `rack` that forms only words: each once.
pub(super) fn placements(field: &Field, rack: &Bunch, sink: &mut impl FnMut(&Found)) {
    placements_while(field, rack, &|| true, sink);
}

/// [`placements`] for as long as `go_on`, which is asked before each strip, says so.
pub(super) fn placements_while(
    field: &Field,
    rack: &Bunch,
    go_on: &dyn Fn() -> bool,
    sink: &mut impl FnMut(&Found),
) {
    placements_from(field, Hand::new(rack), go_on, &mut |found, _| sink(found));
}

/// Shows `sink` every placement of tiles from `supply` that forms only words, and what is left of the supply.
pub(super) fn placements_from<H: Supply>(
    field: &Field,
    supply: H,
    go_on: &dyn Fn() -> bool,
    sink: &mut impl FnMut(&Found, &H),
) {
    for axis in Axis::BOTH {
        for lane in 0..field.side {
            if !go_on() {
                return;
            }
            let anchors = field.anchors(axis, lane);
            if anchors == 0 {
                continue;
            }
            let strip = &field.strips[axis as usize][lane];
            let ground = &field.ground[axis as usize][lane];
            let mut walk = Walk {
                field,
                graph: field.graph,
                strip,
                ground,
                axis,
                lane,
                supply,
                word: [0; LANE],
                placed: 0,
                anchor: 0,
                limit: 0,
                sink,
            };
            walk.strip(anchors);
        }
    }
}

impl Field<'_> {
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

struct Walk<'a, H, S> {
    field: &'a Field<'a>,
    graph: &'a Graph,
    strip: &'a Strip,
    ground: &'a Ground,
    axis: Axis,
    lane: usize,
    supply: H,
    /// What is placed on each square of the strip.
    word: [u8; LANE],
    placed: usize,
    anchor: usize,
    /// The leftmost square that may be used from this anchor.
    limit: usize,
    sink: &'a mut S,
}

/// What could follow a letter: at least that, since a tile less will be held then.
#[derive(Clone, Copy)]
struct Ahead {
    /// Whether a word may end with it.
    ends: bool,
    /// The letters that could come next in the same direction.
    on: u32,
    /// The letters that could come next after turning to the right of the anchor.
    turned: u32,
}

impl Ahead {
    /// Whether anything does follow the letter of `node`.
    #[inline]
    fn is_open(self, graph: &Graph, node: Node) -> bool {
        let list = node.arc();
        (self.ends && node.accepts())
            || graph.letters(list) & self.on != 0
            || (self.turned != 0 && graph.letters(graph.after_separator(list)) & self.turned != 0)
    }
}

/// What the tiles so far add up to.
#[derive(Clone, Copy)]
struct Sums {
    /// The letters of the word along the strip.
    main: i32,
    /// The product of its word premiums.
    factor: i32,
    /// The words across.
    across: i32,
}

impl<H: Supply, S: FnMut(&Found, &H)> Walk<'_, H, S> {
    fn strip(&mut self, mut anchors: u32) {
        while anchors != 0 {
            self.anchor = anchors.trailing_zeros() as usize;
            anchors &= anchors - 1;
            let nothing = Sums {
                main: 0,
                factor: 1,
                across: 0,
            };
            let root = self.graph.gaddag_root();
            self.go::<false>(self.anchor, self.anchor, root, nothing);
            self.limit = self.anchor + 1;
        }
    }

    fn is_occupied(&self, at: usize) -> bool {
        self.strip.is_occupied(at)
    }

    /// Goes on at square `at`: to the right of the anchor, or on it and to its
    /// left. The word starts on `first`, as far as that is known.
    fn go<const RIGHT: bool>(&mut self, first: usize, at: usize, list: List, sums: Sums) {
        if self.is_occupied(at) {
            let cell = self.strip.cells[at];
            if let Some(node) = self.graph.child(list, cell & !BLANK_BIT) {
                let main = sums.main + i32::from(self.field.cell_points(cell));
                self.after::<RIGHT>(first, at, node, Sums { main, ..sums });
            }
            return;
        }
        let wanted = self.wanted(at);
        let (letters, blanks) = (self.supply.letters(), self.supply.has_blank());
        let ahead = self.ahead::<RIGHT>(at);
        for node in self.graph.matching(list, wanted) {
            // Most letters lead nowhere, which a look ahead tells before anything is placed.
            if !ahead.is_open(self.graph, node) {
                continue;
            }
            let tile = node.tile();
            if letters & bit(tile) != 0 {
                let sums = self.put_down(at, tile, tile, sums);
                self.after::<RIGHT>(first, at, node, sums);
                self.take_up(at, tile);
            }
            if blanks {
                let sums = self.put_down(at, tile | BLANK_BIT, 0, sums);
                self.after::<RIGHT>(first, at, node, sums);
                self.take_up(at, 0);
            }
        }
    }

    /// The letters that could come on a square next: what lies there, or what fits and can be placed.
    fn wanted(&self, at: usize) -> u32 {
        if self.is_occupied(at) {
            return bit(self.strip.cells[at] & !BLANK_BIT);
        }
        match self.supply.has_blank() {
            true => self.strip.allowed[at],
            false => self.strip.allowed[at] & self.supply.letters(),
        }
    }

    /// What could follow a letter on `at`.
    fn ahead<const RIGHT: bool>(&self, at: usize) -> Ahead {
        let beyond = if RIGHT { at + 1 } else { self.anchor + 1 };
        let (ends, right) = (!self.is_occupied(beyond), self.wanted(beyond));
        if RIGHT {
            return Ahead {
                ends,
                on: right,
                turned: 0,
            };
        }
        let occupied_before = at > 0 && self.is_occupied(at - 1);
        let on = match occupied_before || at > self.limit {
            true => self.wanted(at - 1),
            false => 0,
        };
        match occupied_before {
            true => Ahead {
                ends: false,
                on,
                turned: 0,
            },
            false => Ahead {
                ends,
                on,
                turned: right,
            },
        }
    }

    /// After the letter of `node` on `at`.
    fn after<const RIGHT: bool>(&mut self, first: usize, at: usize, node: Node, sums: Sums) {
        if RIGHT {
            self.right_of(first, at, node, sums);
        } else {
            self.left_of(at, node, sums);
        }
    }

    /// The word may end here, turn to the right of the anchor, or go on to the left.
    fn left_of(&mut self, at: usize, node: Node, sums: Sums) {
        let (next, list) = (self.anchor + 1, node.arc());
        let occupied_before = at > 0 && self.is_occupied(at - 1);
        if !occupied_before {
            let occupied_after = self.is_occupied(next);
            if node.accepts() && !occupied_after {
                self.record(at, next, sums);
            }
            if occupied_after || self.is_free(next) {
                let turned = self.graph.after_separator(list);
                if !turned.is_none() {
                    self.go::<true>(at, next, turned, sums);
                }
            }
        }
        if !list.is_none() && (occupied_before || (at > self.limit && self.is_free(at - 1))) {
            self.go::<false>(at - 1, at - 1, list, sums);
        }
    }

    /// The word may end here or go on to the right.
    fn right_of(&mut self, first: usize, at: usize, node: Node, sums: Sums) {
        let (next, list) = (at + 1, node.arc());
        let occupied_after = self.is_occupied(next);
        if node.accepts() && !occupied_after {
            self.record(first, next, sums);
        }
        if !list.is_none() && (occupied_after || self.is_free(next)) {
            self.go::<true>(first, next, list, sums);
        }
    }

    /// Whether one more tile could be placed on a square without one; squares beyond the edge are not usable.
    fn is_free(&self, at: usize) -> bool {
        !self.supply.is_spent() && self.ground.usable >> at & 1 != 0
    }

    /// Places a cell; `tile` is what leaves the supply.
    #[inline]
    fn put_down(&mut self, at: usize, cell: u8, tile: u8, sums: Sums) -> Sums {
        self.word[at] = cell;
        self.placed += 1;
        self.supply.take(tile);
        let value =
            i32::from(self.field.cell_points(cell)) * i32::from(self.ground.letter_factor[at]);
        let word_factor = i32::from(self.ground.word_factor[at]);
        let crossed = (self.strip.crossed >> at & 1) as i32;
        Sums {
            main: sums.main + value,
            factor: sums.factor * word_factor,
            across: sums.across
                + crossed * (i32::from(self.strip.cross_points[at]) + value) * word_factor,
        }
    }

    #[inline]
    fn take_up(&mut self, at: usize, tile: u8) {
        self.word[at] = 0;
        self.placed -= 1;
        self.supply.put(tile);
    }

    fn record(&mut self, first: usize, end: usize, sums: Sums) {
        let letters = end - first;
        if letters < 2 || (self.field.is_empty() && letters < self.field.first_word_min) {
            return;
        }
        // A single tile that makes a word across too is found as a play across.
        if self.placed == 1 && self.axis == Axis::Down && self.single_is_across(first, end) {
            return;
        }
        let words = i64::from(sums.main) * i64::from(sums.factor) + i64::from(sums.across);
        let points = words + i64::from(self.field.bonus[self.placed.min(MAX_RACK)]);
        // The rules cut scores off there, which only boards full of premiums come near.
        let points = points.min(Points::LIMIT.into()) as i32;
        let found = Found {
            axis: self.axis,
            lane: self.lane,
            first,
            cells: &self.word[first..end],
            points,
            kept: self.supply.kept(),
        };
        (self.sink)(&found, &self.supply);
    }

    fn single_is_across(&self, first: usize, end: usize) -> bool {
        (first..end).any(|at| self.word[at] != 0 && self.strip.crossed >> at & 1 != 0)
    }
}
