//! All plays of known racks, lane by lane, on a board on which plays are made
//! and taken back.
//!
//! Endgame and pre-endgame search need all plays at every node, but a play
//! changes only about a third of the lanes. The plays of a lane depend only on its
//! tiles, its cross-checks and the rack. So [`LaneGenerator`] caches them by a
//! hash of these (`cache`) and traverses the GADDAG only for lanes it has not
//! seen.
//!
//! A rule set, a word graph, a grid and the racks by seat come in; [`LanePlay`]s
//! go out. A list holds the plays of the tiles held when it was generated. A
//! player who holds fewer tiles later reads the same list and skips plays that
//! need other tiles, which takes one comparison of bit masks.
//!
//! `interaction` tells which plays affect each other. The generator does not
//! know whose turn it is, and it does not score the end of a game.

mod cache;
mod interaction;
mod play;

pub use play::LanePlay;

use crate::board::{Grid, MAX_SIDE};
use crate::lexicon::Graph;
use crate::movegen::ContinueCheck;
use crate::movegen::cross_board::{
    BoardDelta, CHANGED_LANES_INLINE, CrossBoard, LANE_CAPACITY, cell_of, locate, square_at,
};
use crate::movegen::gaddag::RawPlacement;
use crate::movegen::rack_bits::RackSource;
use crate::rules::{MAX_PLAYERS, Placement, RuleSet};
use crate::tiles::{Tile, TileCounts, TileSet};
use crate::units::Points;
use cache::{PlayCache, PlayRange};
use play::hash_of_number;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// A subset of the tiles of a rack, a bit for each tile. Equal tiles have
/// adjacent bits and the lowest are used, so equal subsets are equal numbers.
pub type RackSubset = u16;

/// A set of lanes, a bit for each. Lanes are numbered: rows, then columns.
pub(crate) type LaneSet = u64;

/// Plays that use a whole rack. Most positions have few of them.
pub(crate) type OutPlays = SmallVec<[LanePlay; 16]>;

/// Array length for the lanes of both directions on the largest board.
const MAX_LANES: usize = 2 * MAX_SIDE as usize;
/// The plays that the cache keeps, unless [`LaneGenerator::limit_cached_plays`]
/// sets fewer: 2 million of 32 bytes each. Chosen by hand; not tuned.
const DEFAULT_CACHED_PLAYS: usize = 2 << 20;
/// The racks whose subsets are kept. Chosen by hand; not tuned.
const MAX_CACHED_RACKS: usize = 1 << 12;

/// A board, the racks of all players and their plays.
pub struct LaneGenerator<'lex> {
    tiles: Arc<TileSet>,
    board: CrossBoard<'lex>,
    /// By seat.
    racks: SmallVec<[Arc<RackSubsets>; 2]>,
    /// All racks set so far. Pre-endgame search sets the same ones repeatedly.
    known_racks: HashMap<TileCounts, Arc<RackSubsets>>,
    /// By lane and seat.
    lists: [[PlayRange; MAX_PLAYERS]; MAX_LANES],
    /// By seat: the lanes whose list is out of date.
    stale: [LaneSet; MAX_PLAYERS],
    /// By seat: how often the rack was replaced.
    rack_changes: [u32; MAX_PLAYERS],
    cache: PlayCache,
    /// One entry for each play on the board, the latest last, then unused ones
    /// that keep their memory.
    undo: Vec<PlayUndo>,
    /// The number of plays on the board.
    depth: usize,
    continue_check: Option<ContinueCheck<'lex>>,
    /// Whether `continue_check` ended the generation of a list.
    is_incomplete: bool,
    /// The number of plays generated so far.
    generated: u64,
}

/// The subsets of a rack with their points and hashes.
struct RackSubsets {
    source: RackSource,
    /// The hash of the whole rack.
    key: u64,
    /// The masks of the tiles that the rack has more than once.
    repeated: SmallVec<[RackSubset; 4]>,
    /// Points and hash by subset.
    subsets: Box<[(i32, u64)]>,
}

/// What it takes to take a play back.
#[derive(Default)]
struct PlayUndo {
    delta: BoardDelta,
    /// The lists of the lanes that the play changed.
    lists: SmallVec<[(u8, [PlayRange; MAX_PLAYERS]); CHANGED_LANES_INLINE]>,
    stale: [LaneSet; MAX_PLAYERS],
    rack_changes: [u32; MAX_PLAYERS],
    /// The length of [`PlayCache::overflow`] before the play.
    overflow: usize,
}

impl<'lex> LaneGenerator<'lex> {
    /// A board with the tiles of `grid` and the rack of each player, by seat.
    pub fn new(
        rules: &RuleSet,
        graph: &'lex Graph,
        grid: &Grid,
        racks: &[TileCounts],
    ) -> LaneGenerator<'lex> {
        let mut lanes = LaneGenerator {
            tiles: rules.tiles.clone(),
            racks: SmallVec::new(),
            known_racks: HashMap::new(),
            board: CrossBoard::with_grid(rules, graph, grid),
            lists: [[PlayRange::default(); MAX_PLAYERS]; MAX_LANES],
            stale: [0; MAX_PLAYERS],
            rack_changes: [0; MAX_PLAYERS],
            cache: PlayCache::new(DEFAULT_CACHED_PLAYS),
            undo: Vec::new(),
            depth: 0,
            continue_check: None,
            is_incomplete: false,
            generated: 0,
        };
        for (seat, rack) in racks.iter().enumerate() {
            lanes.set_rack(seat, rack);
        }
        lanes
    }

    /// Lets the generation of a list end early: with many blanks one can take
    /// seconds.
    #[must_use]
    pub(crate) fn with_continue_check(
        mut self,
        continue_check: ContinueCheck<'lex>,
    ) -> LaneGenerator<'lex> {
        self.continue_check = Some(continue_check);
        self
    }

    /// Whether the generation of a list ended early. Results since then are
    /// unusable.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// Gives a seat another rack.
    pub fn set_rack(&mut self, seat: usize, rack: &TileCounts) {
        let tiles = &self.tiles;
        let subsets = self
            .known_racks
            .entry(*rack)
            .or_insert_with(|| Arc::new(RackSubsets::new(rack, tiles)));
        match self.racks.get_mut(seat) {
            Some(own) if Arc::ptr_eq(own, subsets) => return,
            Some(own) => *own = subsets.clone(),
            None => self.racks.push(subsets.clone()),
        }
        self.stale[seat] = self.all_lanes();
        self.rack_changes[seat] = self.rack_changes[seat].wrapping_add(1);
    }

    /// The whole rack of a seat.
    pub fn full_rack(&self, seat: usize) -> RackSubset {
        self.racks[seat].source.rack_bits.all
    }

    /// The tiles of a subset of the rack of a seat.
    pub fn tiles(&self, seat: usize, held: RackSubset) -> TileCounts {
        self.racks[seat].source.rack_bits.tiles(held)
    }

    /// The points of the tiles of a subset of the rack of a seat.
    #[inline]
    pub(crate) fn tile_points(&self, seat: usize, held: RackSubset) -> i32 {
        self.racks[seat].subsets[usize::from(held)].0
    }

    /// The hash of the tiles of a subset of the rack of a seat.
    #[inline]
    pub(crate) fn rack_key(&self, seat: usize, held: RackSubset) -> u64 {
        self.racks[seat].subsets[usize::from(held)].1
    }

    /// The tiles of `held` without those of `used`.
    #[inline]
    pub fn remaining(&self, seat: usize, held: RackSubset, used: RackSubset) -> RackSubset {
        self.racks[seat].remaining(held, used)
    }

    /// Brings the lists of a seat that holds `held` up to date. Returns the number
    /// of plays generated.
    pub fn update(&mut self, seat: usize, held: RackSubset) -> usize {
        let before = self.cache.len();
        let mut stale = std::mem::take(&mut self.stale[seat]);
        while stale != 0 {
            let lane = stale.trailing_zeros() as usize;
            stale &= stale - 1;
            let rack = &self.racks[seat];
            let keep_going = || self.continue_check.is_none_or(|check| check());
            let (list, is_complete) =
                self.cache
                    .find_or_generate(&self.board, rack, held, lane, &keep_going);
            self.lists[lane][seat] = list;
            self.is_incomplete |= !is_complete;
        }
        let generated = self.cache.len() - before;
        self.generated += generated as u64;
        generated
    }

    /// The number of plays generated so far: where racks are new, that takes
    /// most of the time.
    pub(crate) fn generated_plays(&self) -> u64 {
        self.generated
    }

    /// Calls `sink` for all plays of a seat who holds `held`, each with the
    /// position by which [`LaneGenerator::get`] returns it until its lane changes.
    #[inline]
    pub fn for_each_play(
        &self,
        seat: usize,
        held: RackSubset,
        mut sink: impl FnMut(u32, &LanePlay),
    ) {
        for lane in &self.lists[..2 * self.board.side] {
            let list = lane[seat];
            for (at, play) in (list.start..).zip(self.cache.plays(list)) {
                if play.used & !held == 0 {
                    sink(at, play);
                }
            }
        }
    }

    /// The plays of a seat that use all of `held`, most points first.
    pub(crate) fn out_plays(&self, seat: usize, held: RackSubset) -> OutPlays {
        let mut outs = OutPlays::new();
        self.for_each_play(seat, held, |_, play| {
            if play.used == held {
                outs.push(*play);
            }
        });
        outs.sort_by_key(|play| Reverse(play.points));
        outs
    }

    /// The play of a seat who holds `held` with the highest `value`. Of equal
    /// plays it is the one with the largest hash.
    #[inline]
    pub(crate) fn best(
        &self,
        seat: usize,
        held: RackSubset,
        value: impl Fn(&LanePlay) -> i32,
    ) -> Option<LanePlay> {
        let mut best: Option<(i32, LanePlay)> = None;
        self.for_each_play(seat, held, |_, play| {
            let value = value(play);
            let is_better = best
                .as_ref()
                .is_none_or(|(most, best)| (value, play.key) > (*most, best.key));
            if is_better {
                best = Some((value, *play));
            }
        });
        best.map(|(_, play)| play)
    }

    /// The play at a position.
    #[inline]
    pub(crate) fn get(&self, at: u32) -> &LanePlay {
        self.cache.play(at)
    }

    /// Limits the number of plays that the cache keeps from now on.
    pub(crate) fn limit_cached_plays(&mut self, plays: usize) {
        self.cache.capacity = plays;
    }

    /// Empties the cache if it is full, unless plays lie on the board that can be
    /// taken back. Positions of plays are invalid afterwards.
    pub(crate) fn trim_cache(&mut self) {
        if self.depth > 0 {
            return;
        }
        if self.cache.is_full() {
            self.cache = PlayCache::new(self.cache.capacity);
            self.stale = [self.all_lanes(); MAX_PLAYERS];
        }
        if self.known_racks.len() > MAX_CACHED_RACKS {
            self.known_racks.clear();
        }
    }

    fn all_lanes(&self) -> LaneSet {
        (0..2 * self.board.side).fold(0, |set, lane| set | 1 << lane)
    }

    /// Lays the tiles of a play.
    pub fn play(&mut self, play: &LanePlay) {
        if self.depth == self.undo.len() {
            self.undo.push(PlayUndo::default());
        }
        let undo = &mut self.undo[self.depth];
        self.depth += 1;
        undo.delta.lanes.clear();
        undo.delta.changed = [0; 2];
        undo.lists.clear();
        (undo.stale, undo.rack_changes) = (self.stale, self.rack_changes);
        undo.overflow = self.cache.overflow.len();
        self.board
            .play_tiles(play.axis(), play.lane(), play.tiles(), &mut undo.delta);
        for (axis, lane, _) in &undo.delta.lanes {
            let number = lane_number((*axis).into(), (*lane).into(), self.board.side);
            undo.lists.push((number as u8, self.lists[number]));
            for stale in &mut self.stale {
                *stale |= 1 << number;
            }
        }
    }

    /// Takes back the latest play.
    pub fn take_back(&mut self) {
        self.depth -= 1;
        let undo = &mut self.undo[self.depth];
        self.board.swap(&mut undo.delta);
        for (lane, lists) in &undo.lists {
            self.lists[usize::from(*lane)] = *lists;
        }
        self.stale = undo.stale;
        self.cache.overflow.truncate(undo.overflow);
        for (seat, before) in undo.rack_changes.into_iter().enumerate() {
            // The restored lists belong to the rack before the play.
            if self.rack_changes[seat] != before {
                self.stale[seat] = self.all_lanes();
            }
        }
    }

    /// A legal placement by a seat as a lane play with these points.
    pub fn lane_play(&self, seat: usize, placement: &Placement, points: Points) -> LanePlay {
        let side = self.board.side;
        let (lane, first) = locate(placement.start(), placement.axis(), side as u8);
        let cells: SmallVec<[u8; LANE_CAPACITY]> = placement
            .cells()
            .iter()
            .map(|cell| cell.map_or(0, cell_of))
            .collect();
        let found = RawPlacement {
            axis: placement.axis(),
            lane,
            first,
            cells: &cells,
            points: points.0,
            leave: 0,
        };
        let used = self.racks[seat].source.rack_bits.mask(&placement.tiles());
        LanePlay::new(&found, used, side)
    }

    /// A lane play as a placement on the board as it is.
    pub fn placement(&self, play: &LanePlay) -> Placement {
        let (axis, lane) = (play.axis(), play.lane());
        let state = &self.board.lanes[axis as usize][lane];
        let first = state.ends(play.squares.trailing_zeros() as usize)[0].wrapping_add(1);
        let end = state.ends(play.squares.ilog2() as usize)[1];
        let mut cells = [0; LANE_CAPACITY];
        for (at, cell) in play.tiles() {
            cells[at] = cell;
        }
        let start = square_at(axis, lane, first, self.board.side as u8);
        Placement::from_bytes(start, axis, &cells[first..end])
    }
}

impl RackSubsets {
    fn new(rack: &TileCounts, tiles: &TileSet) -> RackSubsets {
        let source = RackSource::new(rack);
        let all = source.rack_bits.all;
        let subset = |mask: usize| {
            let bunch = source.rack_bits.tiles(mask as RackSubset);
            let tile_key = |(tile, count): (Tile, u8)| {
                hash_of_number(tile.number() as u64 + 0x1000).wrapping_mul(count.into())
            };
            let key: u64 = bunch.kinds().map(tile_key).fold(0, u64::wrapping_add);
            (tiles.total_value(&bunch).0, key)
        };
        let subsets: Box<[(i32, u64)]> = (0..=usize::from(all)).map(subset).collect();
        RackSubsets {
            key: hash_of_number(subsets[usize::from(all)].1),
            repeated: source.repeated().collect(),
            subsets,
            source,
        }
    }

    /// The tiles of `held` without those of `used`, as the lowest bits of each tile.
    #[inline]
    fn remaining(&self, held: RackSubset, used: RackSubset) -> RackSubset {
        let mut remaining = held & !used;
        for copies in &self.repeated {
            let left = (remaining & copies) >> (used & copies).count_ones();
            remaining = remaining & !copies | left;
        }
        remaining
    }
}

/// The number of a lane of an axis in a [`LaneSet`].
fn lane_number(axis: usize, lane: usize, side: usize) -> usize {
    axis * side + lane
}
