//! The board as the fast generators see it: each lane with its tiles and its
//! cross-checks, kept up to date play by play.
//!
//! A [`LaneState`] is a row or a column. Everything is there twice, once for each
//! direction of play, so that a walk along a strip reads neighbouring memory
//! and the code above is written once. Squares of a strip are bits of a `u32`,
//! which makes "the next tile", "the end of the run" single instructions.

use crate::board::{Axis, Grid, MAX_SIDE, Square};
use crate::lexicon::{Graph, NodeList, letter_bit};
use crate::rules::{MAX_RACK, Placement, RuleSet};
use crate::tiles::{Face, MAX_LETTERS, Tile};
use crate::units::Points;
use smallvec::SmallVec;

/// Room for the squares of a lane, and a little to make the sizes round.
pub(super) const LANE_CAPACITY: usize = 24;
const MAX_LANES: usize = MAX_SIDE as usize;
/// The largest product of premiums with which a play stays far below the
/// points at which scores are cut off, so that bounds need not know of that.
const MAX_FACTOR: i64 = 500;
/// Set in a cell whose tile is a blank.
pub(super) const BLANK_BIT: u8 = 0x80;

/// One row or column: what lies there and what may be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneState {
    /// The letter on each square, with [`BLANK_BIT`] for a blank; 0 for none.
    pub cells: [u8; LANE_CAPACITY],
    /// The squares with tiles.
    pub occupied: u32,
    /// The empty squares with a tile beside them across the strip.
    pub crossed: u32,
    /// The letters that may be placed on each square: all where nothing lies across, none where nothing can lie.
    pub allowed: [u32; LANE_CAPACITY],
    /// The points of the tiles across each square.
    pub cross_points: [i16; LANE_CAPACITY],
}

/// What never changes about a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePremiums {
    /// The squares that can be used.
    pub usable: u32,
    pub letter_factor: [u8; LANE_CAPACITY],
    pub word_factor: [u8; LANE_CAPACITY],
}

/// The whole board, for one word graph. Borrowing the graph is what makes the
/// cross-checks safe to keep: they cannot be used with other words.
#[derive(Clone)]
pub(super) struct CrossBoard<'graph> {
    pub(super) graph: &'graph Graph,
    pub(super) side: usize,
    pub(super) start: (usize, usize),
    pub(super) mirrored: bool,
    pub(super) first_word_min: usize,
    /// Points by the number of tiles placed.
    pub(super) bonus: [i32; MAX_RACK + 1],
    /// Points by letter number.
    pub(super) values: [i16; MAX_LETTERS + 1],
    pub(super) ground: [[LanePremiums; MAX_LANES]; 2],
    pub(super) strips: [[LaneState; MAX_LANES]; 2],
    pub(super) tiles: usize,
    /// Whether factors are small enough for the bounds of `spots`.
    pub(super) factors_fit: bool,
}

/// The strips that a play changed, as they are on the other side of it:
/// before it while it lies on the board, after it when it was taken back.
#[derive(Clone, Default)]
pub(super) struct BoardDelta {
    pub strips: SmallVec<[(u8, u8, LaneState); 18]>,
    /// Those strips, a bit each, by axis.
    pub seen: [u32; 2],
    /// How many tiles lie on the board on that side.
    tiles: usize,
}

impl LaneState {
    const EMPTY: LaneState = LaneState {
        cells: [0; LANE_CAPACITY],
        occupied: 0,
        crossed: 0,
        allowed: [0; LANE_CAPACITY],
        cross_points: [0; LANE_CAPACITY],
    };

    /// The first square of the run that ends just before `at`.
    fn run_start(&self, at: usize) -> usize {
        // The empty squares below `at`: the run begins after the highest of them.
        let empty = !self.occupied & ((1 << at) - 1);
        32 - empty.leading_zeros() as usize
    }

    /// The square after the run that starts at `at`.
    pub fn run_end(&self, at: usize) -> usize {
        at + (self.occupied >> at).trailing_ones() as usize
    }

    pub fn is_occupied(&self, at: usize) -> bool {
        self.occupied >> at & 1 != 0
    }

    /// The squares before and after the run through `at`, as if a tile lay there; beyond the edge they are no squares of the board.
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

    /// The letters that may be placed on each of these squares that does not take all; how many such squares there are.
    #[inline]
    pub fn limits<const N: usize>(&self, squares: u32) -> ([u32; N], usize) {
        let (mut limits, mut count) = ([0; N], 0);
        for square in ones(squares) {
            let allowed = self.allowed[square.trailing_zeros() as usize];
            limits[count % N] = allowed;
            count += usize::from(allowed != u32::MAX);
        }
        (limits, count)
    }
}

impl<'graph> CrossBoard<'graph> {
    /// The board of a rule set without tiles.
    pub fn new(rules: &RuleSet, graph: &'graph Graph) -> CrossBoard<'graph> {
        let board = &rules.board;
        let side = usize::from(board.side());
        let mut values = [0; MAX_LETTERS + 1];
        for letter in rules.tiles.letters() {
            values[letter.number()] = rules.tiles.value(Tile::from(letter)).0 as i16;
        }
        let empty = LanePremiums {
            usable: 0,
            letter_factor: [1; LANE_CAPACITY],
            word_factor: [1; LANE_CAPACITY],
        };
        let mut field = CrossBoard {
            graph,
            side,
            start: (
                usize::from(board.start().row(board.side())),
                usize::from(board.start().column(board.side())),
            ),
            mirrored: board.is_mirrored(),
            first_word_min: rules.first_word_min,
            bonus: rules.bonus.map(|points| points.0),
            values,
            ground: [[empty; MAX_LANES]; 2],
            strips: [[LaneState::EMPTY; MAX_LANES]; 2],
            tiles: 0,
            factors_fit: true,
        };
        for square in board.squares().filter(|&square| board.is_usable(square)) {
            let premium = board.premium(square);
            for axis in Axis::BOTH {
                let (lane, at) = place(square, axis, board.side());
                let ground = &mut field.ground[axis as usize][lane];
                ground.usable |= 1 << at;
                ground.letter_factor[at] = premium.letter_factor() as u8;
                ground.word_factor[at] = premium.word_factor() as u8;
                field.strips[axis as usize][lane].allowed[at] = u32::MAX;
            }
        }
        field.factors_fit = field.ground.iter().flatten().all(|ground| {
            let mut words = ground.word_factor;
            words.sort_unstable_by(|a, b| b.cmp(a));
            let words: i64 = words[..MAX_RACK]
                .iter()
                .map(|factor| i64::from(*factor))
                .product();
            let letter = ground.letter_factor.iter().copied().max().unwrap_or(1);
            words * i64::from(letter) <= MAX_FACTOR
        });
        field
    }

    /// The board of a rule set with these tiles, as if nothing mattered across a strip.
    pub fn with_tiles(rules: &RuleSet, graph: &'graph Graph, grid: &Grid) -> CrossBoard<'graph> {
        let mut field = CrossBoard::new(rules, graph);
        for square in rules.board.squares() {
            if let Some(face) = grid.get(square) {
                field.lay(square, face);
            }
        }
        field
    }

    /// The board of a rule set with these tiles.
    pub fn with_grid(rules: &RuleSet, graph: &'graph Graph, grid: &Grid) -> CrossBoard<'graph> {
        let mut field = CrossBoard::with_tiles(rules, graph, grid);
        for axis in 0..2 {
            for lane in 0..field.side {
                for at in 0..field.side {
                    field.update_cross(axis, lane, at);
                }
            }
        }
        field
    }

    /// Whether it is the same board with the same tiles and cross-checks.
    pub fn is_same(&self, other: &CrossBoard) -> bool {
        self.strips == other.strips && self.tiles == other.tiles
    }

    /// Whether no tile lies on it.
    pub fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    /// Lays the tiles of a placement that fits, and remembers what that changed.
    pub fn play(&mut self, placement: &Placement) -> BoardDelta {
        let mut undo = BoardDelta::default();
        let axis = placement.axis();
        let (lane, first) = place(placement.start(), axis, self.side as u8);
        let cells = (first..).zip(placement.cells());
        let tiles = cells.filter_map(|(at, face)| Some((at, cell_of((*face)?))));
        self.play_tiles(axis, lane, tiles, &mut undo);
        undo
    }

    /// Lays tiles on empty squares of a lane, and remembers what that changed in `undo`, which is empty.
    pub fn play_tiles(
        &mut self,
        axis: Axis,
        lane: usize,
        tiles: impl Iterator<Item = (usize, u8)> + Clone,
        undo: &mut BoardDelta,
    ) {
        undo.tiles = self.tiles;
        if self.is_empty() {
            // The first play changes all that can be placed: until then only the start square counts.
            for (axis, lane) in (0..2).flat_map(|axis| (0..self.side).map(move |lane| (axis, lane)))
            {
                self.remember(axis, lane, undo);
            }
        }
        let (along, across) = (axis as usize, axis.other() as usize);
        self.remember(along, lane, undo);
        for (at, cell) in tiles.clone() {
            self.remember(across, at, undo);
            self.strips[along][lane].lay(at, cell);
            self.strips[across][at].lay(lane, cell);
            self.tiles += 1;
        }
        // A tile changes what may be placed at both ends of its runs; along the play they share one run.
        if let Some((at, _)) = tiles.clone().next() {
            self.update_ends(along, lane, at, undo);
        }
        for (at, _) in tiles {
            self.update_ends(across, at, lane, undo);
        }
    }

    /// Keeps a strip as it was before the first change.
    fn remember(&self, axis: usize, lane: usize, undo: &mut BoardDelta) {
        if undo.seen[axis] >> lane & 1 == 0 {
            undo.seen[axis] |= 1 << lane;
            undo.strips
                .push((axis as u8, lane as u8, self.strips[axis][lane]));
        }
    }

    /// Takes a play back, or makes it again.
    pub fn swap(&mut self, undo: &mut BoardDelta) {
        for (axis, lane, strip) in &mut undo.strips {
            let own = &mut self.strips[usize::from(*axis)][usize::from(*lane)];
            std::mem::swap(own, strip);
        }
        std::mem::swap(&mut self.tiles, &mut undo.tiles);
    }

    fn lay(&mut self, square: Square, face: Face) {
        for axis in Axis::BOTH {
            let (lane, at) = place(square, axis, self.side as u8);
            self.strips[axis as usize][lane].lay(at, cell_of(face));
        }
        self.tiles += 1;
    }

    /// Updates the squares at both ends of the run through square `at` of a strip, for plays both ways.
    fn update_ends(&mut self, axis: usize, lane: usize, at: usize, undo: &mut BoardDelta) {
        let (across, [before, after]) = (1 - axis, self.strips[axis][lane].ends(at));
        for at in [before, after] {
            if at < self.side && self.ground[axis][lane].usable >> at & 1 != 0 {
                self.remember(across, at, undo);
                self.update_cross(across, at, lane);
                self.remember(axis, lane, undo);
                self.update_cross(axis, lane, at);
            }
        }
    }

    /// Works out what may be placed on a square of strip `lane` along `axis`, from what lies across it.
    fn update_cross(&mut self, axis: usize, lane: usize, at: usize) {
        // The strip across has our square at `lane`.
        let across = &self.strips[1 - axis][at];
        if across.is_occupied(lane) || self.ground[axis][lane].usable >> at & 1 == 0 {
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
            self.fitting(before, after)
        } else {
            u32::MAX
        };
        let allowed = allowed & self.continuing(&self.strips[axis][lane], at);
        let strip = &mut self.strips[axis][lane];
        strip.crossed = strip.crossed & !(1 << at) | u32::from(crossed) << at;
        strip.allowed[at] = allowed;
        strip.cross_points[at] = points;
    }

    /// The letters that can stand on a square of a strip between the tiles
    /// beside it in some word: what is placed there is always in one word with
    /// them. Nearly every letter can stand beside a single tile, so that only
    /// longer runs tell something.
    fn continuing(&self, strip: &LaneState, at: usize) -> u32 {
        let (before, after) = (
            &strip.cells[strip.run_start(at)..at],
            &strip.cells[at + 1..strip.run_end(at + 1)],
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

    /// The list of the GADDAG after the tiles of a run, which it has backwards.
    fn list_of(&self, run: &[u8]) -> NodeList {
        follow(self.graph, self.graph.gaddag_root(), run.iter().rev())
    }

    /// The points of a tile on the board.
    pub(super) fn cell_points(&self, cell: u8) -> i16 {
        if cell & BLANK_BIT != 0 {
            0
        } else {
            self.values[usize::from(cell)]
        }
    }

    /// The points of a placement: on each square of its word, what is placed, or 0 where the board's tile shows.
    #[inline]
    pub(super) fn points(&self, axis: Axis, lane: usize, first: usize, cells: &[u8]) -> i32 {
        let strip = &self.strips[axis as usize][lane];
        let ground = &self.ground[axis as usize][lane];
        let (mut main, mut factor, mut across, mut placed) = (0, 1, 0, 0);
        for (at, cell) in (first..).zip(cells) {
            if *cell == 0 {
                main += i32::from(self.cell_points(strip.cells[at]));
                continue;
            }
            let value = i32::from(self.cell_points(*cell)) * i32::from(ground.letter_factor[at]);
            let word_factor = i32::from(ground.word_factor[at]);
            placed += 1;
            main += value;
            factor *= word_factor;
            let crossed = (strip.crossed >> at & 1) as i32;
            across += crossed * (i32::from(strip.cross_points[at]) + value) * word_factor;
        }
        let words = i64::from(main) * i64::from(factor) + i64::from(across);
        let points = words + i64::from(self.bonus[placed.min(MAX_RACK)]);
        // The rules cut scores off there, which only boards full of premiums come near.
        points.min(Points::LIMIT.into()) as i32
    }

    /// The letters that make a word between `before` and `after`, one of which may be empty.
    fn fitting(&self, before: &[u8], after: &[u8]) -> u32 {
        let graph = self.graph;
        if before.is_empty() {
            // The GADDAG has words backwards: after the reversed tiles come the letters before them.
            return graph.summary(self.list_of(after)).final_letters;
        }
        let list = follow(graph, graph.dawg_root(), before.iter());
        let head = graph.summary(list);
        let Some((last, middle)) = after.split_last() else {
            return head.final_letters;
        };
        let last = letter_bit(last & !BLANK_BIT);
        let fits = |letter: &u32| {
            let list = follow(graph, graph.follow(list, head, *letter), middle.iter());
            graph.summary(list).final_letters & last != 0
        };
        ones(head.letters).filter(fits).sum()
    }
}

/// A tile as it lies in a strip.
pub(super) fn cell_of(face: Face) -> u8 {
    face.letter().number() as u8 | if face.is_blank() { BLANK_BIT } else { 0 }
}

/// The bits of a set, each alone.
#[inline]
pub(super) fn ones(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Where a square lies: its lane along `axis` and its place in that lane.
pub(super) fn place(square: Square, axis: Axis, side: u8) -> (usize, usize) {
    let (row, column) = (
        usize::from(square.row(side)),
        usize::from(square.column(side)),
    );
    match axis {
        Axis::Across => (row, column),
        Axis::Down => (column, row),
    }
}

fn follow<'a>(graph: &Graph, from: NodeList, cells: impl Iterator<Item = &'a u8>) -> NodeList {
    let mut list = from;
    for cell in cells {
        let (head, letter) = (graph.summary(list), letter_bit(cell & !BLANK_BIT));
        if head.letters & letter == 0 {
            return NodeList::NONE;
        }
        list = graph.follow(list, head, letter);
    }
    list
}
