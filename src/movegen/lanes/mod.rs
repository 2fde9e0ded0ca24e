//! All plays of known racks on a board that goes to and fro, lane by lane.
//!
//! Searches of endings ask for all plays at every step, and a play changes a
//! third of the lanes. The plays of a lane depend on nothing but what lies in
//! it, what may be placed across it and the rack: so they are looked up by
//! that, and only a lane never seen before is walked through the graph.
//!
//! A list is for the tiles held when it was found. Whoever reads it later
//! leaves out the plays for which tiles are no longer held, which is one
//! comparison of bits.

use crate::board::{Axis, Grid, MAX_SIDE, Square};
use crate::lexicon::Graph;
use crate::movegen::cross_board::{
    BoardDelta, CrossBoard, LANE_CAPACITY, LaneState, cell_of, place,
};
use crate::movegen::rack_bits::{RackBits, RackSource};
use crate::movegen::{ContinueCheck, gaddag};
use crate::rules::{MAX_PLAYERS, MAX_RACK, Placement, RuleSet};
use crate::seed;
use crate::tiles::{TileCounts, TileSet};
use crate::units::Points;
use smallvec::SmallVec;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// A set of tiles of a rack: a bit for each, those of one kind side by side
/// and taken from the lowest, so that one set is always one number.
pub type RackSubset = u16;

/// A play in a lane.
#[derive(Clone, Copy, Debug)]
pub struct LanePlay {
    /// What it is known by: equal for the same tiles on the same squares.
    pub key: u64,
    /// The squares of its lane on which tiles are placed.
    squares: u32,
    /// Its points.
    pub points: i32,
    /// The tiles it takes from the rack.
    pub used: RackSubset,
    /// The number of its lane.
    lane: u8,
    /// What is placed, in order.
    cells: [u8; MAX_RACK],
}

/// LaneGenerator have numbers: rows first, then columns.
const MAX_LANES: usize = 2 * MAX_SIDE as usize;

/// A set of lanes, a bit for each.
pub type LaneSet = u64;

/// Plays that take a whole rack: mostly few.
pub type OutPlays = SmallVec<[LanePlay; 16]>;

/// The board, the racks and the plays.
pub struct LaneGenerator<'lex> {
    tiles: Arc<TileSet>,
    field: CrossBoard<'lex>,
    /// By seat.
    racks: SmallVec<[Arc<RackKeys>; 2]>,
    /// All racks there were: with few tiles in the bag the same ones come again and again.
    known: HashMap<TileCounts, Arc<RackKeys>>,
    /// By lane and seat.
    lists: [[PlayRange; MAX_PLAYERS]; MAX_LANES],
    /// The lanes of which a seat's list is missing.
    stale: [LaneSet; MAX_PLAYERS],
    /// How often a seat was given another rack.
    changes: [u32; MAX_PLAYERS],
    store: PlayCache,
    /// What takes plays back, the last one last, and how many there are; the rest is kept for its memory.
    undo: Vec<PlayUndo>,
    depth: usize,
    continue_check: Option<ContinueCheck<'lex>>,
    /// Whether a list was cut short because there was no time.
    cut: bool,
    /// How many plays were found for lists so far.
    found: u64,
}

/// What a rack's parts are known by, and what they are worth.
struct RackKeys {
    holding: RackSource,
    hand: RackBits,
    /// Tells lists of different racks apart.
    key: u64,
    /// The bits of kinds of which there is more than one tile.
    pairs: SmallVec<[RackSubset; 4]>,
    /// By set of tiles: their points, and what they are known by.
    parts: Box<[(i32, u64)]>,
}

/// Where the plays of a lane are.
#[derive(Clone, Copy, Default)]
struct PlayRange {
    start: u32,
    end: u32,
}

#[derive(Default)]
struct PlayUndo {
    undo: BoardDelta,
    lists: SmallVec<[(u8, [PlayRange; MAX_PLAYERS]); 18]>,
    stale: [LaneSet; MAX_PLAYERS],
    /// How often racks had been changed before.
    changes: [u32; MAX_PLAYERS],
    /// How many plays for once there were before.
    once: usize,
}

/// Lists of plays by what they depend on.
struct PlayCache {
    /// How many plays are kept.
    room: usize,
    by_key: HashMap<u64, PlayRange, BuildHasherDefault<IdentityHasher>>,
    plays: Vec<LanePlay>,
    /// Plays of lists that found no room: for as long as their play lies on the board.
    once: Vec<LanePlay>,
}

/// So many plays are kept unless fewer are asked for, half as many lists, and so many racks.
const DEFAULT_CACHED_PLAYS: usize = 2 << 20;
const MAX_CACHED_RACKS: usize = 1 << 12;
/// A walk asks often whether to go on; one in so many times that is asked in turn, so that short ones never do.
const FORWARDED_CHECK_INTERVAL: u32 = 16;
/// Marks places in [`PlayCache::once`].
const OVERFLOW_BIT: u32 = 1 << 31;

impl<'lex> LaneGenerator<'lex> {
    /// A board with the tiles of each player, by seat.
    pub fn new(
        rules: &RuleSet,
        graph: &'lex Graph,
        grid: &Grid,
        racks: &[TileCounts],
    ) -> LaneGenerator<'lex> {
        let field = CrossBoard::with_grid(rules, graph, grid);
        let mut lanes = LaneGenerator {
            tiles: rules.tiles.clone(),
            racks: SmallVec::new(),
            known: HashMap::new(),
            field,
            lists: [[PlayRange::default(); MAX_PLAYERS]; MAX_LANES],
            stale: [0; MAX_PLAYERS],
            changes: [0; MAX_PLAYERS],
            store: PlayCache::new(DEFAULT_CACHED_PLAYS),
            undo: Vec::new(),
            depth: 0,
            continue_check: None,
            cut: false,
            found: 0,
        };
        for (seat, rack) in racks.iter().enumerate() {
            lanes.set_rack(seat, rack);
        }
        lanes
    }

    /// Asks on the way whether to go on: with many blanks a list can take seconds.
    #[must_use]
    pub fn with_continue_check(
        mut self,
        continue_check: ContinueCheck<'lex>,
    ) -> LaneGenerator<'lex> {
        self.continue_check = Some(continue_check);
        self
    }

    /// Whether a list was cut short for want of time: then all that was found since is worth nothing.
    pub fn is_incomplete(&self) -> bool {
        self.cut
    }

    /// Gives a seat another rack.
    pub fn set_rack(&mut self, seat: usize, rack: &TileCounts) {
        let tiles = &self.tiles;
        let keys = self
            .known
            .entry(*rack)
            .or_insert_with(|| Arc::new(RackKeys::new(rack, tiles)));
        match self.racks.get_mut(seat) {
            Some(own) if Arc::ptr_eq(own, keys) => return,
            Some(own) => *own = keys.clone(),
            None => self.racks.push(keys.clone()),
        }
        self.stale[seat] = self.all_lanes();
        self.changes[seat] = self.changes[seat].wrapping_add(1);
    }

    /// The whole rack of a seat.
    pub fn full_rack(&self, seat: usize) -> RackSubset {
        self.racks[seat].holding.all()
    }

    /// The tiles that these are.
    pub fn tiles(&self, seat: usize, held: RackSubset) -> TileCounts {
        self.racks[seat].hand.bunch(held)
    }

    /// The points of some tiles of a seat.
    #[inline]
    pub fn tile_points(&self, seat: usize, held: RackSubset) -> i32 {
        self.racks[seat].parts[usize::from(held)].0
    }

    /// What some tiles of a seat are known by.
    #[inline]
    pub fn rack_key(&self, seat: usize, held: RackSubset) -> u64 {
        self.racks[seat].parts[usize::from(held)].1
    }

    /// What is left of some tiles without others of them.
    #[inline]
    pub fn remaining(&self, seat: usize, held: RackSubset, used: RackSubset) -> RackSubset {
        self.racks[seat].rest(held, used)
    }

    /// Brings the lists of a seat up to date; how many plays had to be found for that.
    pub fn update(&mut self, seat: usize, held: RackSubset) -> usize {
        let before = self.store.plays.len() + self.store.once.len();
        let mut stale = std::mem::take(&mut self.stale[seat]);
        while stale != 0 {
            let lane = stale.trailing_zeros() as usize;
            stale &= stale - 1;
            let (rack, keep_going) = (&self.racks[seat], || {
                self.continue_check.is_none_or(|keep_going| keep_going())
            });
            let (list, is_whole) = self.store.list(&self.field, rack, held, lane, &keep_going);
            self.lists[lane][seat] = list;
            self.cut |= !is_whole;
        }
        let found = self.store.plays.len() + self.store.once.len() - before;
        self.found += found as u64;
        found
    }

    /// How many plays were found for lists so far: that takes most of the time where racks are new.
    pub fn generated_plays(&self) -> u64 {
        self.found
    }

    /// Shows all plays of a seat with these tiles on the board as it is, each
    /// with where it is found again by [`LaneGenerator::get`] until its lane changes.
    #[inline]
    pub fn for_each_play(
        &self,
        seat: usize,
        held: RackSubset,
        mut sink: impl FnMut(u32, &LanePlay),
    ) {
        for lane in &self.lists[..2 * self.field.side] {
            let list = lane[seat];
            for (at, play) in (list.start..).zip(self.store.get(list)) {
                if play.used & !held == 0 {
                    sink(at, play);
                }
            }
        }
    }

    /// The plays of a seat that take all of these tiles, most points first.
    pub fn out_plays(&self, seat: usize, held: RackSubset) -> OutPlays {
        let mut outs = OutPlays::new();
        self.for_each_play(seat, held, |_, play| {
            if play.used == held {
                outs.push(*play);
            }
        });
        outs.sort_by_key(|play| Reverse(play.points));
        outs
    }

    /// Of the plays of a seat with these tiles the one that is worth most, and of equals always the same.
    #[inline]
    pub fn best(
        &self,
        seat: usize,
        held: RackSubset,
        worth: impl Fn(&LanePlay) -> i32,
    ) -> Option<LanePlay> {
        let mut best: Option<(i32, LanePlay)> = None;
        self.for_each_play(seat, held, |_, play| {
            let worth = worth(play);
            let is_better = best
                .as_ref()
                .is_none_or(|(most, best)| (worth, play.key) > (*most, best.key));
            if is_better {
                best = Some((worth, *play));
            }
        });
        best.map(|(_, play)| play)
    }

    /// The play at a place.
    #[inline]
    pub fn get(&self, at: u32) -> &LanePlay {
        self.store.play(at)
    }

    /// Keeps only so many plays from now on.
    pub fn limit_cached_plays(&mut self, plays: usize) {
        self.store.room = plays;
    }

    /// Forgets all lists if there is no room for more. Places of plays are worth nothing after that.
    pub fn trim_cache(&mut self) {
        if self.depth > 0 {
            return;
        }
        if self.store.is_full() {
            self.store = PlayCache::new(self.store.room);
            self.stale = [self.all_lanes(); MAX_PLAYERS];
        }
        if self.known.len() > MAX_CACHED_RACKS {
            self.known.clear();
        }
    }

    fn all_lanes(&self) -> LaneSet {
        (0..2 * self.field.side).fold(0, |set, lane| set | 1 << lane)
    }

    /// Lays the tiles of a play.
    pub fn play(&mut self, play: &LanePlay) {
        if self.depth == self.undo.len() {
            self.undo.push(PlayUndo::default());
        }
        let step = &mut self.undo[self.depth];
        self.depth += 1;
        step.undo.strips.clear();
        step.undo.seen = [0; 2];
        step.lists.clear();
        (step.stale, step.changes) = (self.stale, self.changes);
        step.once = self.store.once.len();
        let (axis, lane) = (play.axis(), usize::from(play.lane & 31));
        self.field
            .play_tiles(axis, lane, play.tiles(), &mut step.undo);
        for (axis, lane, _) in &step.undo.strips {
            let number = number(*axis, *lane, self.field.side);
            step.lists.push((number as u8, self.lists[number]));
            for stale in &mut self.stale {
                *stale |= 1 << number;
            }
        }
    }

    /// Takes back the play made last.
    pub fn take_back(&mut self) {
        self.depth -= 1;
        let step = &mut self.undo[self.depth];
        self.field.swap(&mut step.undo);
        for (lane, lists) in &step.lists {
            self.lists[usize::from(*lane)] = *lists;
        }
        self.stale = step.stale;
        self.store.once.truncate(step.once);
        for (seat, before) in step.changes.into_iter().enumerate() {
            // Lists from before the play are of the rack from before it.
            if self.changes[seat] != before {
                self.stale[seat] = self.all_lanes();
            }
        }
    }

    /// The lanes in which a play changes what can be placed, if it is made on the board as it is.
    pub fn touched_lanes(&self, play: &LanePlay) -> LaneSet {
        let side = self.field.side;
        let (axis, lane) = (play.axis() as usize, usize::from(play.lane & 31));
        let across = 1 - axis;
        let bit = |axis: usize, lane: usize| match lane < side {
            true => 1 << (axis * side + lane),
            false => 0,
        };
        let mut touched = bit(axis, lane);
        let mut squares = play.squares;
        let strip = &self.field.strips[axis][lane];
        let (first, last) = (squares.trailing_zeros(), squares.ilog2());
        touched |= bit(across, strip.ends(first as usize)[0]);
        touched |= bit(across, strip.ends(last as usize)[1]);
        while squares != 0 {
            let at = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            touched |= bit(across, at);
            for end in self.field.strips[across][at].ends(lane) {
                touched |= bit(axis, end);
            }
        }
        touched
    }

    /// Whether a play can no longer be made, or not for the same points, once
    /// another is made on the board as it is. It needs its squares, and those
    /// at the ends of all words that it forms have to stay empty.
    pub fn disturbs(&self, made: &LanePlay, play: &LanePlay) -> bool {
        let side = self.field.side;
        let (axis, lane) = (play.axis() as usize, usize::from(play.lane & 31));
        let made_in = usize::from(made.lane & 31);
        let is_parallel = made.axis() == play.axis();
        // Where tiles come to lie in a lane of the same direction as the play's.
        let taken = |lane: usize| match is_parallel {
            true if lane == made_in => made.squares,
            false if lane < side => (made.squares >> lane & 1) << made_in,
            _ => 0,
        };
        let bit = |at: usize| if at < side { 1 << at } else { 0 };
        let mut squares = play.squares;
        let strip = &self.field.strips[axis][lane];
        let (first, last) = (squares.trailing_zeros(), squares.ilog2());
        let ends = bit(strip.ends(first as usize)[0]) | bit(strip.ends(last as usize)[1]);
        if taken(lane) & (squares | ends) != 0 {
            return true;
        }
        while squares != 0 {
            let at = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let ends = self.field.strips[1 - axis][at].ends(lane);
            if ends.into_iter().any(|end| taken(end) >> at & 1 != 0) {
                return true;
            }
        }
        false
    }

    /// The lane in which a play is made.
    pub fn lane_bit(&self, play: &LanePlay) -> LaneSet {
        1 << number(play.lane >> 5, play.lane & 31, self.field.side)
    }

    /// A placement that fits, of tiles of a seat, as a play with these points.
    pub fn lane_play(&self, seat: usize, placement: &Placement, points: Points) -> LanePlay {
        let (lane, first) = place(placement.start(), placement.axis(), self.field.side as u8);
        let cells: SmallVec<[u8; LANE_CAPACITY]> = placement
            .cells()
            .iter()
            .map(|cell| cell.map_or(0, cell_of))
            .collect();
        let found = gaddag::RawPlacement {
            axis: placement.axis(),
            lane,
            first,
            cells: &cells,
            points: points.0,
            kept: 0,
        };
        LanePlay::new(
            &found,
            self.racks[seat].hand.bits(&placement.tiles()),
            self.field.side,
        )
    }

    /// The play in everyone's terms, on the board as it is.
    pub fn placement(&self, play: &LanePlay) -> Placement {
        let (axis, lane) = (play.axis(), usize::from(play.lane & 31));
        let strip = &self.field.strips[axis as usize][lane];
        let first = strip.ends(play.squares.trailing_zeros() as usize)[0].wrapping_add(1);
        let end = strip.ends(play.squares.ilog2() as usize)[1];
        let mut cells = [0; LANE_CAPACITY];
        for (at, cell) in play.tiles() {
            cells[at] = cell;
        }
        let side = self.field.side as u8;
        let start = match axis {
            Axis::Across => Square::new(lane as u8, first as u8, side),
            Axis::Down => Square::new(first as u8, lane as u8, side),
        };
        Placement::from_bytes(start, axis, &cells[first..end])
    }
}

impl LanePlay {
    /// How many tiles it takes.
    pub fn tiles_used(&self) -> usize {
        self.used.count_ones() as usize
    }

    fn axis(&self) -> Axis {
        Axis::BOTH[usize::from(self.lane >> 5)]
    }

    fn tiles(&self) -> impl Iterator<Item = (usize, u8)> + Clone {
        let (mut squares, cells) = (self.squares, self.cells);
        (0..self.squares.count_ones() as usize).map(move |tile| {
            let at = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            (at, cells[tile])
        })
    }
}

impl LaneState {
    /// What the plays in it depend on, for a rack with these letters.
    fn key(&self, side: usize, letters: u32) -> u64 {
        // Both halves of a product, so that every bit of a word moves all of the key.
        let mut key = 0;
        let mut add = |word: u64| {
            let product = u128::from(key ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
            key = product as u64 ^ (product >> 64) as u64;
        };
        add(u64::from(self.crossed) << 32 | u64::from(self.occupied));
        for cells in self.cells.chunks_exact(8).take(side.div_ceil(8)) {
            add(cells
                .iter()
                .fold(0, |word, cell| word << 8 | u64::from(*cell)));
        }
        let mut crossed = self.crossed;
        while crossed != 0 {
            let at = crossed.trailing_zeros() as usize;
            crossed &= crossed - 1;
            add(u64::from(self.allowed[at] & letters) << 16 ^ self.cross_points[at] as u64);
        }
        key
    }
}

impl RackKeys {
    fn new(rack: &TileCounts, tiles: &TileSet) -> RackKeys {
        let (holding, hand) = (RackSource::new(rack), RackBits::new(rack));
        let all = holding.all();
        let part = |held: usize| {
            let bunch = hand.bunch(held as RackSubset);
            let tile_key = |(tile, count): (crate::tiles::Tile, u8)| {
                mix(tile.number() as u64 + 0x1000).wrapping_mul(count.into())
            };
            let key: u64 = bunch.kinds().map(tile_key).fold(0, u64::wrapping_add);
            (tiles.total_value(&bunch).0, key)
        };
        let parts: Box<[(i32, u64)]> = (0..=usize::from(all)).map(part).collect();
        RackKeys {
            key: mix(parts[usize::from(all)].1),
            pairs: holding.pairs().collect(),
            parts,
            holding,
            hand,
        }
    }

    #[inline]
    fn rest(&self, held: RackSubset, used: RackSubset) -> RackSubset {
        let mut rest = held & !used;
        for pair in &self.pairs {
            let own = (rest & pair) >> (used & pair).count_ones();
            rest = rest & !pair | own;
        }
        rest
    }
}

impl PlayCache {
    fn new(room: usize) -> PlayCache {
        PlayCache {
            room,
            by_key: HashMap::default(),
            plays: Vec::new(),
            once: Vec::new(),
        }
    }

    fn is_full(&self) -> bool {
        self.plays.len() >= self.room || self.by_key.len() >= self.room / 2
    }

    /// The plays of a rack in a lane, as they were found before, or found now;
    /// and whether these are all, because `keep_going` did not end that.
    fn list(
        &mut self,
        field: &CrossBoard,
        rack: &RackKeys,
        held: RackSubset,
        lane: usize,
        keep_going: &dyn Fn() -> bool,
    ) -> (PlayRange, bool) {
        let side = field.side;
        let (axis, at) = (lane / side, lane % side);
        if field.anchors(Axis::BOTH[axis], at) == 0 {
            return (PlayRange::default(), true);
        }
        let strip = &field.strips[axis][at];
        let key = strip.key(side, rack.holding.letters_of(held))
            ^ rack
                .key
                .wrapping_add(held.into())
                .wrapping_mul(0xD6E8_FEB8_6659_FD93)
            ^ mix(lane as u64 * 2 + u64::from(field.is_empty()));
        if let Some(list) = self.by_key.get(&key) {
            return (*list, true);
        }
        let full = self.is_full();
        let plays = if full {
            &mut self.once
        } else {
            &mut self.plays
        };
        let start = plays.len() as u32;
        let (asked, is_whole) = (Cell::new(0_u32), Cell::new(true));
        gaddag::lane_placements(
            field,
            Axis::BOTH[axis],
            at,
            &rack.holding,
            held,
            &|| {
                asked.set(asked.get() + 1);
                is_whole.set(!asked.get().is_multiple_of(FORWARDED_CHECK_INTERVAL) || keep_going());
                is_whole.get()
            },
            &mut |found, kept| {
                plays.push(LanePlay::new(&found, rack.rest(held, kept), side));
            },
        );
        let end = plays.len() as u32;
        let list = match full {
            true => PlayRange {
                start: start | OVERFLOW_BIT,
                end: end | OVERFLOW_BIT,
            },
            false => PlayRange { start, end },
        };
        if is_whole.get() && !full {
            self.by_key.insert(key, list);
        }
        (list, is_whole.get())
    }

    #[inline]
    fn get(&self, list: PlayRange) -> &[LanePlay] {
        match list.start & OVERFLOW_BIT {
            0 => &self.plays[list.start as usize..list.end as usize],
            _ => {
                &self.once
                    [(list.start & !OVERFLOW_BIT) as usize..(list.end & !OVERFLOW_BIT) as usize]
            }
        }
    }

    #[inline]
    fn play(&self, at: u32) -> &LanePlay {
        match at & OVERFLOW_BIT {
            0 => &self.plays[at as usize],
            _ => &self.once[(at & !OVERFLOW_BIT) as usize],
        }
    }
}

impl LanePlay {
    fn new(found: &gaddag::RawPlacement, used: RackSubset, side: usize) -> LanePlay {
        let (mut squares, mut key, mut cells, mut count) = (0, 0, [0; MAX_RACK], 0);
        for (at, cell) in (found.first..).zip(found.cells) {
            if *cell != 0 {
                squares |= 1 << at;
                cells[count] = *cell;
                count += 1;
                let square = match found.axis {
                    Axis::Across => found.lane * side + at,
                    Axis::Down => at * side + found.lane,
                };
                key ^= mix((square << 8 | usize::from(*cell)) as u64);
            }
        }
        LanePlay {
            key,
            squares,
            points: found.points,
            used,
            lane: (found.axis as u8) << 5 | found.lane as u8,
            cells,
        }
    }
}

fn number(axis: u8, lane: u8, side: usize) -> usize {
    usize::from(axis) * side + usize::from(lane)
}

/// A key for a small number.
fn mix(n: u64) -> u64 {
    // Nothing would be the key of nothing.
    seed::mix(n.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

/// Keys that are mixed already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
