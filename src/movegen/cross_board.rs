//! The board of the fast generators: every lane with its tiles and
//! cross-checks, updated incrementally play by play.
//!
//! A *cross-check* is the set of letters that form a word across the lane on an
//! empty square (Appel and Jacobson 1988). A play changes the cross-checks only
//! at the ends of the words it forms. [`CrossBoard::play`] updates those and
//! returns the previous state of the changed lanes, so that [`CrossBoard::swap`]
//! can take the play back, and make it again, without computing anything.
//!
//! A rule set, a word graph and a grid come in. All generators of `movegen` but
//! `plain` read it. It does not check that a placement is legal.
//!
//! A [`LaneState`] is a row or a column. All data exist twice, once for each
//! direction of play: a traversal along a lane reads adjacent memory, and the
//! code is written once for both directions. The squares of a lane are bits of a
//! `u32`, so "the next tile" and "the end of the run" take one instruction.

use crate::board::{Axis, Grid, MAX_SIDE, Square};
use crate::lexicon::{Graph, NodeList, letter_bit};
use crate::rules::{MAX_RACK, Placement, RuleSet};
use crate::tiles::{Face, Letter, MAX_LETTERS, Tile};
use crate::units::Points;
use smallvec::SmallVec;

/// Array length for the squares of a lane: the 21 squares of the largest board
/// and at least one empty square beyond the edge, rounded up to a multiple of 8.
pub(super) const LANE_CAPACITY: usize = 24;
/// Array length for the lanes of one direction: those of the largest board.
const MAX_LANES: usize = MAX_SIDE as usize;
/// The number of changed lanes for which a delta needs no heap memory. Chosen
/// by hand: a play changes about a third of the 30 lanes of a 15x15 board.
pub(super) const CHANGED_LANES_INLINE: usize = 18;
/// The largest product of premium factors for best-first search. Chosen by hand:
/// factors then fit in 16 bits, and no score comes near the limit of the rules,
/// so that upper bounds need not consider it.
const MAX_FACTOR: i64 = 500;
/// The bit that marks a blank in a cell.
pub(super) const BLANK_BIT: u8 = 0x80;

/// One row or column: the tiles on it and the cross-checks of its empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneState {
    /// The letter on each square, with [`BLANK_BIT`] for a blank; 0 for none.
    pub cells: [u8; LANE_CAPACITY],
    /// The squares with tiles, a bit each.
    pub occupied: u32,
    /// The empty squares with an adjacent tile across the lane, a bit each.
    pub crossed: u32,
    /// The letters that may be placed on each square, a bit each. All bits are
    /// set where no tile is adjacent; none is set on tiles and unusable squares.
    pub allowed: [u32; LANE_CAPACITY],
    /// The points of the tiles adjacent across each square.
    pub cross_points: [i16; LANE_CAPACITY],
}

/// The usable squares and the premiums of a lane. They never change.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePremiums {
    /// The usable squares, a bit each.
    pub usable: u32,
    pub letter_factor: [u8; LANE_CAPACITY],
    pub word_factor: [u8; LANE_CAPACITY],
}

/// All lanes of a board, with cross-checks for one word graph. It borrows the
/// graph, so the cross-checks cannot be used with another one.
#[derive(Clone)]
pub(super) struct CrossBoard<'graph> {
    pub(super) graph: &'graph Graph,
    pub(super) side: usize,
    pub(super) start: Square,
    /// Whether the premiums are symmetric about the main diagonal.
    pub(super) mirrored: bool,
    /// The fewest letters of a first word.
    pub(super) first_word_min: usize,
    /// Bonus points by the number of tiles placed.
    pub(super) bonus: [i32; MAX_RACK + 1],
    /// Points by letter number; 0 for the blank.
    pub(super) values: [i16; MAX_LETTERS + 1],
    pub(super) premiums: [[LanePremiums; MAX_LANES]; 2],
    pub(super) lanes: [[LaneState; MAX_LANES]; 2],
    /// The number of tiles on the board.
    pub(super) tiles: usize,
    /// Whether no product of premium factors exceeds [`MAX_FACTOR`].
    pub(super) factors_fit: bool,
}

/// The lanes that a play changes, in the state that is not on the board:
/// before the play while it lies there, after the play once it is taken back.
#[derive(Clone, Default)]
pub(super) struct BoardDelta {
    /// Axis, number and state of each lane.
    pub lanes: SmallVec<[(u8, u8, LaneState); CHANGED_LANES_INLINE]>,
    /// Those lanes, a bit each, by axis.
    pub changed: [u32; 2],
    /// The number of tiles on the board in that state.
    tiles: usize,
}

impl LaneState {
    /// A lane without usable squares.
    const EMPTY: LaneState = LaneState {
        cells: [0; LANE_CAPACITY],
        occupied: 0,
        crossed: 0,
        allowed: [0; LANE_CAPACITY],
        cross_points: [0; LANE_CAPACITY],
    };

    /// The first square of the run of tiles that ends just before `at`.
    fn run_start(&self, at: usize) -> usize {
        // The empty squares before `at`: the run begins after the last of them.
        let empty = !self.occupied & ((1 << at) - 1);
        32 - empty.leading_zeros() as usize
    }

    /// The square after the run of tiles that starts at `at`.
    pub fn run_end(&self, at: usize) -> usize {
        at + (self.occupied >> at).trailing_ones() as usize
    }

    pub fn is_occupied(&self, at: usize) -> bool {
        self.occupied >> at & 1 != 0
    }

    /// The squares just before and after the run through `at`, as if a tile lay
    /// on `at`. At the edge of the board they are out of range.
    pub fn ends(&self, at: usize) -> [usize; 2] {
        [self.run_start(at).wrapping_sub(1), self.run_end(at + 1)]
    }

    fn lay(&mut self, at: usize, cell: u8) {
        self.cells[at] = cell;
        self.occupied |= 1 << at;
        self.crossed &= !(1 << at);
        self.allowed[at] = 0;
        self.cross_points[at] = 0;
    }

    /// The allowed letters of each of these squares that does not allow every
    /// letter, and the number of such squares.
    #[inline]
    pub fn limits<const N: usize>(&self, squares: u32) -> ([u32; N], usize) {
        let (mut limits, mut count) = ([0; N], 0);
        for square in bits(squares) {
            let allowed = self.allowed[square];
            limits[count % N] = allowed;
            count += usize::from(allowed != u32::MAX);
        }
        (limits, count)
    }
}

impl<'graph> CrossBoard<'graph> {
    /// The board of a rule set with the tiles of `grid`, without cross-checks.
    pub fn with_tiles(rules: &RuleSet, graph: &'graph Graph, grid: &Grid) -> CrossBoard<'graph> {
        let layout = &rules.board;
        let side = usize::from(layout.side());
        let mut values = [0; MAX_LETTERS + 1];
        for letter in rules.tiles.letters() {
            values[letter.number()] = rules.tiles.value(Tile::from(letter)).0 as i16;
        }
        let empty = LanePremiums {
            usable: 0,
            letter_factor: [1; LANE_CAPACITY],
            word_factor: [1; LANE_CAPACITY],
        };
        let mut board = CrossBoard {
            graph,
            side,
            start: layout.start(),
            mirrored: layout.is_mirrored(),
            first_word_min: rules.first_word_min,
            bonus: rules.bonus.map(|points| points.0),
            values,
            premiums: [[empty; MAX_LANES]; 2],
            lanes: [[LaneState::EMPTY; MAX_LANES]; 2],
            tiles: 0,
            factors_fit: true,
        };
        for square in layout.squares().filter(|&square| layout.is_usable(square)) {
            let premium = layout.premium(square);
            for axis in Axis::BOTH {
                let (lane, at) = locate(square, axis, layout.side());
                let premiums = &mut board.premiums[axis as usize][lane];
                premiums.usable |= 1 << at;
                premiums.letter_factor[at] = premium.letter_factor() as u8;
                premiums.word_factor[at] = premium.word_factor() as u8;
                board.lanes[axis as usize][lane].allowed[at] = u32::MAX;
            }
        }
        board.factors_fit = board.premiums.iter().flatten().all(|premiums| {
            let mut words = premiums.word_factor;
            words.sort_unstable_by(|a, b| b.cmp(a));
            let words: i64 = words[..MAX_RACK]
                .iter()
                .map(|factor| i64::from(*factor))
                .product();
            let letter = premiums.letter_factor.iter().copied().max().unwrap_or(1);
            words * i64::from(letter) <= MAX_FACTOR
        });
        for square in rules.board.squares() {
            if let Some(face) = grid.get(square) {
                board.lay(square, face);
            }
        }
        board
    }

    /// The board of a rule set with the tiles of `grid` and all cross-checks.
    pub fn with_grid(rules: &RuleSet, graph: &'graph Graph, grid: &Grid) -> CrossBoard<'graph> {
        let mut board = CrossBoard::with_tiles(rules, graph, grid);
        for axis in 0..2 {
            for lane in 0..board.side {
                for at in 0..board.side {
                    board.update_cross(axis, lane, at);
                }
            }
        }
        board
    }

    /// Whether tiles and cross-checks are the same.
    pub fn is_same(&self, other: &CrossBoard) -> bool {
        self.lanes == other.lanes && self.tiles == other.tiles
    }

    /// Whether no tile lies on the board.
    pub fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    /// The fewest letters of a word: the rules may ask more of the first one.
    pub fn min_word_len(&self) -> usize {
        match self.is_empty() {
            true => self.first_word_min,
            false => 2,
        }
    }

    /// Lays other tiles, and returns all lanes as they were.
    pub fn replace(&mut self, rules: &RuleSet, grid: &Grid) -> BoardDelta {
        let mut delta = BoardDelta {
            tiles: self.tiles,
            ..BoardDelta::default()
        };
        for (axis, lane) in (0..2).flat_map(|axis| (0..self.side).map(move |lane| (axis, lane))) {
            self.remember(axis, lane, &mut delta);
        }
        *self = CrossBoard::with_grid(rules, self.graph, grid);
        delta
    }

    /// The tiles on the board.
    pub fn grid(&self) -> Grid {
        let side = self.side as u8;
        let mut grid = Grid::new(side);
        for (row, lane) in (0..side).zip(&self.lanes[Axis::Across as usize]) {
            for (column, cell) in (0..side).zip(lane.cells) {
                grid.set(Square::new(row, column, side), face_of(cell));
            }
        }
        grid
    }

    /// Lays the tiles of a legal placement and returns the lanes it changed.
    pub fn play(&mut self, placement: &Placement) -> BoardDelta {
        let mut delta = BoardDelta::default();
        let axis = placement.axis();
        let (lane, first) = locate(placement.start(), axis, self.side as u8);
        let cells = (first..).zip(placement.cells());
        let tiles = cells.filter_map(|(at, face)| Some((at, cell_of((*face)?))));
        self.play_tiles(axis, lane, tiles, &mut delta);
        delta
    }

    /// Lays tiles on empty squares of a lane and adds the lanes it changes to
    /// `delta`, which must be empty.
    pub fn play_tiles(
        &mut self,
        axis: Axis,
        lane: usize,
        tiles: impl Iterator<Item = (usize, u8)> + Clone,
        delta: &mut BoardDelta,
    ) {
        delta.tiles = self.tiles;
        if self.is_empty() {
            // The first play changes the anchors of every lane: on an empty board
            // only the start square is one.
            for (axis, lane) in (0..2).flat_map(|axis| (0..self.side).map(move |lane| (axis, lane)))
            {
                self.remember(axis, lane, delta);
            }
        }
        let (along, across) = (axis as usize, axis.other() as usize);
        self.remember(along, lane, delta);
        for (at, cell) in tiles.clone() {
            self.remember(across, at, delta);
            self.lanes[along][lane].lay(at, cell);
            self.lanes[across][at].lay(lane, cell);
            self.tiles += 1;
        }
        // A tile changes the cross-checks at both ends of its runs. Along the
        // play all tiles are in one run.
        if let Some((at, _)) = tiles.clone().next() {
            self.update_ends(along, lane, at, delta);
        }
        for (at, _) in tiles {
            self.update_ends(across, at, lane, delta);
        }
    }

    /// Saves a lane before its first change.
    fn remember(&self, axis: usize, lane: usize, delta: &mut BoardDelta) {
        if delta.changed[axis] >> lane & 1 == 0 {
            delta.changed[axis] |= 1 << lane;
            delta
                .lanes
                .push((axis as u8, lane as u8, self.lanes[axis][lane]));
        }
    }

    /// Takes a play back, or makes it again.
    pub fn swap(&mut self, delta: &mut BoardDelta) {
        for (axis, lane, state) in &mut delta.lanes {
            let own = &mut self.lanes[usize::from(*axis)][usize::from(*lane)];
            std::mem::swap(own, state);
        }
        std::mem::swap(&mut self.tiles, &mut delta.tiles);
    }

    fn lay(&mut self, square: Square, face: Face) {
        for axis in Axis::BOTH {
            let (lane, at) = locate(square, axis, self.side as u8);
            self.lanes[axis as usize][lane].lay(at, cell_of(face));
        }
        self.tiles += 1;
    }

    /// Updates the cross-checks, in both directions, of the squares at both ends
    /// of the run through square `at` of a lane.
    fn update_ends(&mut self, axis: usize, lane: usize, at: usize, delta: &mut BoardDelta) {
        let (across, [before, after]) = (1 - axis, self.lanes[axis][lane].ends(at));
        for at in [before, after] {
            if at < self.side && self.premiums[axis][lane].usable >> at & 1 != 0 {
                self.remember(across, at, delta);
                self.update_cross(across, at, lane);
                self.remember(axis, lane, delta);
                self.update_cross(axis, lane, at);
            }
        }
    }

    /// Computes the cross-check of square `at` of a lane.
    fn update_cross(&mut self, axis: usize, lane: usize, at: usize) {
        // In the lane across, the square has the number `lane`.
        let across = &self.lanes[1 - axis][at];
        if across.is_occupied(lane) || self.premiums[axis][lane].usable >> at & 1 == 0 {
            return;
        }
        let (first, end) = (across.run_start(lane), across.run_end(lane + 1));
        let (before, after) = (&across.cells[first..lane], &across.cells[lane + 1..end]);
        let crossed = !before.is_empty() || !after.is_empty();
        let points = before
            .iter()
            .chain(after)
            .map(|&cell| self.cell_points(cell))
            .sum();
        let allowed = if crossed {
            self.letters_between(before, after)
        } else {
            u32::MAX
        };
        let allowed = allowed & self.extending_letters(&self.lanes[axis][lane], at);
        let state = &mut self.lanes[axis][lane];
        state.crossed = state.crossed & !(1 << at) | u32::from(crossed) << at;
        state.allowed[at] = allowed;
        state.cross_points[at] = points;
    }

    /// The letters on square `at` that some word has next to the adjacent tiles
    /// of the same lane. Every play there forms one word with those tiles. Runs
    /// of a single tile are skipped: nearly every letter can follow one.
    fn extending_letters(&self, state: &LaneState, at: usize) -> u32 {
        if self.graph.is_alphagrams() {
            // Words in any order have no GADDAG, and most letters can extend a run.
            return u32::MAX;
        }
        let (before, after) = (
            &state.cells[state.run_start(at)..at],
            &state.cells[at + 1..state.run_end(at + 1)],
        );
        let mut letters = u32::MAX;
        if before.len() > 1 {
            letters &= self.graph.right_extensions(self.list_of(before));
        }
        if after.len() > 1 {
            letters &= self.graph.summary(self.list_of(after)).letters;
        }
        letters
    }

    /// The node list of the GADDAG after the reversed tiles of a run.
    fn list_of(&self, run: &[u8]) -> NodeList {
        follow(self.graph, self.graph.gaddag_root(), run.iter().rev())
    }

    /// The points of a tile: 0 for a blank.
    pub(super) fn cell_points(&self, cell: u8) -> i16 {
        if cell & BLANK_BIT != 0 {
            0
        } else {
            self.values[usize::from(cell)]
        }
    }

    /// The points of a placement. `cells` has the tile placed on each square of
    /// the word, or 0 where a tile lies on the board.
    #[inline]
    pub(super) fn points(&self, axis: Axis, lane: usize, first: usize, cells: &[u8]) -> i32 {
        let state = &self.lanes[axis as usize][lane];
        let premiums = &self.premiums[axis as usize][lane];
        let (mut main, mut factor, mut across, mut placed) = (0, 1, 0, 0);
        for (at, cell) in (first..).zip(cells) {
            if *cell == 0 {
                main += i32::from(self.cell_points(state.cells[at]));
                continue;
            }
            let value = i32::from(self.cell_points(*cell)) * i32::from(premiums.letter_factor[at]);
            let word_factor = i32::from(premiums.word_factor[at]);
            placed += 1;
            main += value;
            factor *= word_factor;
            let crossed = (state.crossed >> at & 1) as i32;
            across += crossed * (i32::from(state.cross_points[at]) + value) * word_factor;
        }
        let words = i64::from(main) * i64::from(factor) + i64::from(across);
        let points = words + i64::from(self.bonus[placed.min(MAX_RACK)]);
        // The rules cap scores; only boards full of premiums come near the cap.
        points.min(Points::LIMIT.into()) as i32
    }

    /// The letters that form a word between `before` and `after`, of which one may
    /// be empty.
    fn letters_between(&self, before: &[u8], after: &[u8]) -> u32 {
        let graph = self.graph;
        if graph.is_alphagrams() {
            let cells = before.iter().chain(after);
            let mut letters: SmallVec<[u8; LANE_CAPACITY]> =
                cells.map(|cell| cell & !BLANK_BIT).collect();
            letters.sort_unstable();
            return graph.completing_letters(&letters);
        }
        if before.is_empty() {
            // After the reversed tiles the GADDAG has the letters before them.
            return graph.summary(self.list_of(after)).final_letters;
        }
        let list = follow(graph, graph.dawg_root(), before.iter());
        let summary = graph.summary(list);
        let Some((last, middle)) = after.split_last() else {
            return summary.final_letters;
        };
        let last = letter_bit(last & !BLANK_BIT);
        let fits = |letter: &u32| {
            let list = follow(graph, graph.follow(list, summary, *letter), middle.iter());
            graph.summary(list).final_letters & last != 0
        };
        ones(summary.letters).filter(fits).sum()
    }
}

/// A tile as the cell of a lane: letter number and [`BLANK_BIT`].
pub(super) fn cell_of(face: Face) -> u8 {
    face.letter().number() as u8 | if face.is_blank() { BLANK_BIT } else { 0 }
}

/// The tile of a cell of a lane, if it has one.
fn face_of(cell: u8) -> Option<Face> {
    let letter = Letter::new(usize::from(cell & !BLANK_BIT))?;
    Some(match cell & BLANK_BIT {
        0 => Face::natural(letter),
        _ => Face::blank(letter),
    })
}

/// The bits of a set, lowest first, each as a set of its own.
#[inline]
pub(super) fn ones(mut set: u32) -> impl Iterator<Item = u32> + Clone {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The numbers of the bits of a set, lowest first.
#[inline]
pub(super) fn bits(set: u32) -> impl Iterator<Item = usize> + Clone {
    ones(set).map(|bit| bit.trailing_zeros() as usize)
}

/// The number of the lane along `axis` that a square is in, and its place there.
pub(super) fn locate(square: Square, axis: Axis, side: u8) -> (usize, usize) {
    let (row, column) = (
        usize::from(square.row(side)),
        usize::from(square.column(side)),
    );
    match axis {
        Axis::Across => (row, column),
        Axis::Down => (column, row),
    }
}

/// The square at a place of a lane: the inverse of [`locate`].
pub(super) fn square_at(axis: Axis, lane: usize, at: usize, side: u8) -> Square {
    match axis {
        Axis::Across => Square::new(lane as u8, at as u8, side),
        Axis::Down => Square::new(at as u8, lane as u8, side),
    }
}

/// Follows the letters of `cells` through the graph.
fn follow<'a>(graph: &Graph, from: NodeList, cells: impl Iterator<Item = &'a u8>) -> NodeList {
    let mut list = from;
    for cell in cells {
        let (summary, letter) = (graph.summary(list), letter_bit(cell & !BLANK_BIT));
        if summary.letters & letter == 0 {
            return NodeList::NONE;
        }
        list = graph.follow(list, summary, letter);
    }
    list
}
