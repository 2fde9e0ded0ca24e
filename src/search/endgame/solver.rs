//! The search itself: principal variation search (Marsland and Campbell 1982)
//! in which every value is what the player on turn gains from here on, so that
//! positions that differ only in the score are one.
//!
//! What makes it fast is a look that costs next to nothing: if the other
//! player can go out where a play does not disturb him, he can do so after
//! it, which refutes most plays without making them.

use super::transposition::{BoundKind, StoredValue, TranspositionTable};
use crate::movegen::{ContinueCheck, LaneGenerator, LanePlay, LaneSet, OutPlays, RackSubset};
use crate::rules::{Position, ScorelessLimit};
use crate::tiles::TileCounts;
use smallvec::SmallVec;
use std::ops::AddAssign;

/// What is to be found out. Values of different goals do not compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The points gained.
    Spread,
    /// Who wins. Values are twice the points, and one less for the one to
    /// whom the tiles left over give points: a tie goes to the other.
    Win,
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolverWork {
    /// Positions searched.
    pub nodes: u64,
    /// Plays refuted without a search.
    pub refuted_plays: u64,
    /// Plays found for lists.
    pub generated_plays: u64,
}

/// So many plays are found in the time in which a position is searched.
const FOUND_A_NODE: u64 = 32;

impl SolverWork {
    /// As many positions as take as long. By this, 28 searches with 1 to 7 tiles in the bag
    /// took 0.8 to 1.5 times as long as by their median; by positions alone 0.45 to 5.7 times.
    pub fn equivalent_nodes(&self) -> u64 {
        self.nodes + self.generated_plays / FOUND_A_NODE
    }

    /// What was done since there was so much.
    #[must_use]
    pub fn since(&self, before: &SolverWork) -> SolverWork {
        SolverWork {
            nodes: self.nodes - before.nodes,
            refuted_plays: self.refuted_plays - before.refuted_plays,
            generated_plays: self.generated_plays - before.generated_plays,
        }
    }
}

impl AddAssign for SolverWork {
    fn add_assign(&mut self, more: SolverWork) {
        self.nodes += more.nodes;
        self.refuted_plays += more.refuted_plays;
        self.generated_plays += more.generated_plays;
    }
}

/// A value and whether it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// What the player on turn gains, by the goal.
    pub value: i32,
    /// Whether every line on which it rests was played to the end.
    pub solved: bool,
}

impl SearchValue {
    fn exact(value: i32) -> SearchValue {
        SearchValue {
            value,
            solved: true,
        }
    }

    /// What a search that was told to stop returns: nobody looks at it.
    const NONE: SearchValue = SearchValue {
        value: 0,
        solved: false,
    };
}

/// More than any value: scores may be a million apart.
pub const INFINITE_VALUE: i32 = 1 << 28;
/// So many turns are more than any ending has.
pub const FULL_DEPTH: u8 = 200;

/// A turn that can be taken.
#[derive(Clone, Copy, Debug)]
pub enum EndgameMove {
    /// Tiles placed.
    Play(LanePlay),
    /// Nothing.
    Pass,
}

impl EndgameMove {
    /// What a table knows it by.
    pub(super) fn name(&self) -> u32 {
        match self {
            EndgameMove::Play(play) => name(play),
            EndgameMove::Pass => PASS_ID,
        }
    }

    /// Whether it changes what a play of another player is, or whether it can be made at all.
    pub(super) fn disturbs(&self, lanes: &LaneGenerator, play: &LanePlay) -> bool {
        match self {
            EndgameMove::Play(made) => lanes.disturbs(made, play),
            EndgameMove::Pass => false,
        }
    }

    /// Its points.
    pub(super) fn points(&self) -> i32 {
        match self {
            EndgameMove::Play(play) => play.points,
            EndgameMove::Pass => 0,
        }
    }
}

/// The name of a pass.
pub(super) const PASS_ID: u32 = 2;

/// The name of a play.
pub(super) fn name(play: &LanePlay) -> u32 {
    // Never the name of a pass, nor of no turn.
    (play.key >> 32) as u32 | 1
}

/// Where the game stands, but for the board.
#[derive(Clone, Copy)]
struct SolverState {
    /// Exclusive or of the keys of all plays made.
    board: u64,
    held: [RackSubset; 2],
    /// The turns without points in a row, as the rules count them.
    zeros: u8,
    passes: u8,
}

/// An entry of the list of turns.
#[derive(Clone, Copy)]
struct OrderedMove {
    order: i32,
    /// Its place in the list: of equals the later comes first, wherever they are kept.
    nth: u16,
    /// Where its play is, or [`PASS`].
    at: u32,
}

const PASS: u32 = u32::MAX;

/// A board, two racks and a search.
pub struct Solver<'a> {
    lanes: LaneGenerator<'a>,
    table: &'a TranspositionTable,
    goal: Goal,
    state: SolverState,
    /// So many turns without points end the game.
    limit: u8,
    /// Whether plays without points count among them.
    scoreless: bool,
    /// The turns of all positions on the way, one after the other.
    listed: Vec<OrderedMove>,
    /// How well each play did elsewhere, by seat and key.
    history: Box<[i32]>,
    /// Positions searched.
    nodes: u64,
    /// Plays refuted without a search.
    looks: u64,
    /// The most nodes.
    most: u64,
    /// Makes the order of turns another one, for threads that help.
    stirred: u64,
    patience: ContinueCheck<'a>,
    /// SolverWork done since it was asked.
    unasked: usize,
    stopped: bool,
}

/// So many turns are brought in order before any is tried.
const FEW: usize = 16;
/// Slots of the history.
const HISTORY: usize = 1 << 14;
/// Points that a play is worth more in the order for each lane, of at most so many, in which
/// another play takes the rest of the rack: the other player can seldom stand in the way of two.
const OUT_IN_TWO: i32 = 10;
const MOST_OUTS: u32 = 3;
/// One who can give away more points than this, and still has what is asked
/// for, does best to end the game: then the same is worth so much, and so
/// much each tile placed.
const AHEAD: i32 = 15;
const HURRY: (i32, i32) = (110, 30);

impl<'a> Solver<'a> {
    /// For a position of two players. `patience` is asked now and then.
    pub fn new(
        position: &Position,
        graph: &'a crate::lexicon::Graph,
        racks: &[TileCounts; 2],
        goal: Goal,
        table: &'a TranspositionTable,
        patience: ContinueCheck<'a>,
    ) -> Solver<'a> {
        let rules = position.rules();
        let lanes =
            LaneGenerator::new(rules, graph, position.grid(), racks).with_continue_check(patience);
        let held = [lanes.full_rack(0), lanes.full_rack(1)];
        Solver {
            lanes,
            table,
            goal,
            state: SolverState {
                board: 0,
                held,
                zeros: position.scoreless_turns(),
                passes: 0,
            },
            limit: rules.scoreless_limit.limit(2),
            scoreless: matches!(rules.scoreless_limit, ScorelessLimit::Turns(_)),
            listed: Vec::new(),
            history: vec![0; HISTORY].into_boxed_slice(),
            nodes: 0,
            looks: 0,
            most: u64::MAX,
            stirred: 0,
            patience,
            unasked: 0,
            stopped: false,
        }
    }

    /// Forgets what was found, and what is kept of other boards and racks if that is much.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.fill(0);
        self.lanes.trim_cache();
    }

    /// The board and the racks, to look at.
    pub fn lanes(&self) -> &LaneGenerator<'a> {
        &self.lanes
    }

    /// The board and the racks.
    pub fn lanes_mut(&mut self) -> &mut LaneGenerator<'a> {
        &mut self.lanes
    }

    /// Gives both players other racks.
    pub fn set_racks(&mut self, racks: &[TileCounts; 2]) {
        for (seat, rack) in racks.iter().enumerate() {
            self.lanes.set_rack(seat, rack);
            self.state.held[seat] = self.lanes.full_rack(seat);
        }
    }

    /// Whether a turn without an effect on the racks is the last: a play with
    /// so many points, or a pass or an exchange, which have none.
    pub fn ends_game(&self, points: i32, is_pass: bool) -> bool {
        let counts = is_pass || self.scoreless && points == 0;
        is_pass && self.state.passes > 0 || counts && self.state.zeros + 1 >= self.limit
    }

    /// Takes a turn that changes only the racks, which are changed by [`Solver::set_racks`].
    pub fn make_exchange(&mut self) -> MoveUndo {
        let before = self.state;
        self.state.passes = 0;
        self.state.zeros = if self.scoreless { before.zeros + 1 } else { 0 };
        MoveUndo {
            before,
            step: EndgameMove::Pass,
        }
    }

    /// What the board and the turns without points are known by.
    pub fn board_key(&self) -> u64 {
        let rest = u64::from(self.state.zeros) << 8 | u64::from(self.state.passes);
        self.state.board ^ rest.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// Makes the order of turns a little different, by a number.
    pub fn perturb_ordering(&mut self, by: u64) {
        self.stirred = by;
    }

    /// What was done so far.
    pub fn work(&self) -> SolverWork {
        SolverWork {
            nodes: self.nodes,
            refuted_plays: self.looks,
            generated_plays: self.lanes.generated_plays(),
        }
    }

    /// Searches from now on for at most so many nodes.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.stopped = false;
        self.most = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
    }

    /// Whether the search was told to stop: then what it found is worth nothing.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether to go on after work elsewhere that took as long as so many nodes.
    pub fn may_continue(&mut self, work: usize) -> bool {
        self.ask(work);
        !self.stopped
    }

    /// Counts a position that is searched elsewhere; whether to go on.
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.most;
        self.may_continue(1)
    }

    /// What the player on `seat` gains with a turn, searched to a depth and
    /// within a window, as by [`Solver::search`].
    pub fn value_after(
        &mut self,
        seat: usize,
        step: &EndgameMove,
        depth: u8,
        alpha: i32,
        beta: i32,
    ) -> SearchValue {
        let gain = self.unit() * step.points();
        if let Some(over) = self.settlement_after(seat, step) {
            return SearchValue::exact(gain + over);
        }
        let before = self.make(seat, step);
        let score = self.search(1 - seat, depth, gain - beta, gain - alpha);
        self.unmake(step, before);
        SearchValue {
            value: gain - score.value,
            ..score
        }
    }

    /// The turn that was found best when the position was searched, if it is still known.
    pub fn stored_best(&mut self, seat: usize) -> Option<EndgameMove> {
        let name = self.table.get(self.key(seat))?.turn;
        if name == PASS_ID {
            return Some(EndgameMove::Pass);
        }
        let mut found = None;
        let held = self.state.held[seat];
        self.lanes.update(seat, held);
        self.lanes.for_each_play(seat, held, |_, play| {
            if self::name(play) == name {
                found = Some(EndgameMove::Play(*play));
            }
        });
        found
    }

    /// Whether the game is over after a turn: what the tiles left over are worth to the player who took it.
    pub fn settlement_after(&self, seat: usize, step: &EndgameMove) -> Option<i32> {
        let (own, other) = (self.state.held[seat], self.state.held[1 - seat]);
        let other = self.lanes.tile_points(1 - seat, other);
        let (rest, is_pass) = match step {
            EndgameMove::Play(play) if play.used == own => return Some(self.end(2 * other)),
            EndgameMove::Play(play) => (self.lanes.remaining(seat, own, play.used), false),
            EndgameMove::Pass => (own, true),
        };
        let ends = self.ends_game(step.points(), is_pass);
        ends.then(|| self.end(other - self.lanes.tile_points(seat, rest)))
    }

    /// Takes a turn after which the game goes on; what takes it back.
    fn make(&mut self, seat: usize, step: &EndgameMove) -> SolverState {
        let before = self.state;
        match step {
            EndgameMove::Pass => {
                self.state.zeros += 1;
                self.state.passes += 1;
            }
            EndgameMove::Play(play) => {
                self.state.board ^= play.key;
                self.state.held[seat] = self.lanes.remaining(seat, before.held[seat], play.used);
                self.state.passes = 0;
                self.state.zeros = match self.scoreless && play.points == 0 {
                    true => before.zeros + 1,
                    false => 0,
                };
                self.lanes.play(play);
            }
        }
        before
    }

    fn unmake(&mut self, step: &EndgameMove, before: SolverState) {
        if let EndgameMove::Play(_) = step {
            self.lanes.take_back();
        }
        self.state = before;
    }

    /// Takes a turn for good, as far as [`Solver::undo_move`] does not undo it.
    pub fn make_move(&mut self, seat: usize, step: &EndgameMove) -> MoveUndo {
        MoveUndo {
            before: self.make(seat, step),
            step: *step,
        }
    }

    /// Takes back the turn taken last.
    pub fn undo_move(&mut self, taken: MoveUndo) {
        self.unmake(&taken.step, taken.before);
    }

    /// How much a point is.
    fn unit(&self) -> i32 {
        match self.goal {
            Goal::Spread => 1,
            Goal::Win => 2,
        }
    }

    /// How much it is that the tiles left over change the spread by so many points.
    fn end(&self, points: i32) -> i32 {
        match self.goal {
            Goal::Spread => points,
            Goal::Win => 2 * points - points.signum(),
        }
    }

    fn key(&self, seat: usize) -> u64 {
        let SolverState {
            board,
            held,
            zeros,
            passes,
        } = self.state;
        let rack = |seat: usize| self.lanes.rack_key(seat, held[seat]);
        let racks = rack(0) ^ rack(1).rotate_left(32);
        let rest = u64::from(zeros) << 16 | u64::from(passes) << 8 | (seat as u64 + 1);
        let rest = rest << 1 | u64::from(self.goal == Goal::Win);
        board ^ racks.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ rest.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// What the player on `seat`, who is on turn, gains: exactly if that lies
    /// between `alpha` and `beta`, else a bound beyond the one it is not
    /// between. After `depth` turns both go on without search.
    pub fn search(&mut self, seat: usize, depth: u8, alpha: i32, beta: i32) -> SearchValue {
        self.nodes += 1;
        self.ask(1);
        if self.stopped || self.nodes > self.most {
            self.stopped = true;
            return SearchValue::NONE;
        }
        // 1. What is known from elsewhere.
        let key = self.key(seat);
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|entry| entry.decides(depth, alpha, beta)) {
            return score;
        }
        self.update(seat);
        if depth == 0 {
            let score = self.playout(seat);
            self.store(key, score, BoundKind::Exact, 0, 0);
            return score;
        }
        // 2. Go out: nothing can happen after that.
        let first = self.listed.len();
        let ahead = -beta / self.unit();
        let out = self.list(seat, ahead);
        let mut best = SearchValue::exact(-INFINITE_VALUE);
        let mut best_name = 0;
        if let Some(play) = out {
            let other = self.lanes.tile_points(1 - seat, self.state.held[1 - seat]);
            best.value = self.unit() * play.points + self.end(2 * other);
            best_name = name(&play);
            if best.value >= beta {
                self.listed.truncate(first);
                self.store(key, best, BoundKind::Lower, depth, best_name);
                return best;
            }
        }
        // A pass that is forced costs no depth: two of them end the game.
        let is_forced = self.listed.len() == first && out.is_none();
        self.listed.push(OrderedMove {
            order: i32::MIN,
            nth: 0,
            at: PASS,
        });
        self.put_first(first, known.map_or(0, |entry| entry.turn));
        let mut sorted = first;
        let refuter = OutPlayRefuter::new(self, 1 - seat);
        // 3. All other turns.
        let (mut low, mut all_solved) = (alpha.max(best.value), true);
        for at in first..self.listed.len() {
            if at == sorted {
                sorted = self.sort(at, at == first);
            }
            let step = match self.listed[at].at {
                PASS => EndgameMove::Pass,
                place => EndgameMove::Play(*self.lanes.get(place)),
            };
            let score = match refuter.look(self, seat, &step, low) {
                Some(value) => {
                    self.looks += 1;
                    SearchValue::exact(value)
                }
                None => {
                    let depth = if is_forced { depth } else { depth - 1 };
                    // A full window only where nothing is known yet.
                    let is_first = best.value == -INFINITE_VALUE;
                    self.try_step(seat, &step, depth, low, beta, is_first)
                }
            };
            if self.stopped {
                self.listed.truncate(first);
                return SearchValue::NONE;
            }
            all_solved &= score.solved;
            if score.value > best.value {
                best = score;
                if score.value > alpha {
                    best_name = step.name();
                }
                low = low.max(score.value);
                if score.value >= beta {
                    self.learn(seat, first, at);
                    break;
                }
            }
        }
        self.listed.truncate(first);
        let bound = match best.value {
            value if value >= beta => BoundKind::Lower,
            value if value > alpha => BoundKind::Exact,
            _ => BoundKind::Upper,
        };
        // A refutation needs one proof; that nothing is better needs all.
        best.solved = match bound {
            BoundKind::Lower => best.solved,
            _ => all_solved,
        };
        self.store(key, best, bound, depth, best_name);
        best
    }

    /// Brings the list of plays of a seat up to date.
    fn update(&mut self, seat: usize) {
        let found = self.lanes.update(seat, self.state.held[seat]);
        self.ask(found / 8);
    }

    /// After so much more work, asks whether to go on if it was long enough ago.
    fn ask(&mut self, work: usize) {
        self.stopped |= self.lanes.is_incomplete();
        self.unasked += work;
        if self.unasked >= 64 {
            self.unasked = 0;
            self.stopped |= !(self.patience)();
        }
    }

    /// [`Solver::value_after`]; but the first looks whether the turn is better than `low` at all.
    fn try_step(
        &mut self,
        seat: usize,
        step: &EndgameMove,
        depth: u8,
        low: i32,
        beta: i32,
        is_first: bool,
    ) -> SearchValue {
        if !is_first && beta - low > 1 {
            let score = self.value_after(seat, step, depth, low, low + 1);
            if score.value <= low || score.value >= beta || self.stopped {
                return score;
            }
        }
        self.value_after(seat, step, depth, low, beta)
    }

    /// Lists all plays but those that take the whole rack, of which only the best counts: that one is returned.
    /// The order of the list is best for one who is so many points ahead of what is asked for.
    fn list(&mut self, seat: usize, ahead: i32) -> Option<LanePlay> {
        let (out_in_two, tile) = if ahead > AHEAD {
            HURRY
        } else {
            (OUT_IN_TWO, 0)
        };
        let Solver {
            lanes,
            listed,
            history,
            state,
            stirred,
            ..
        } = self;
        let held = state.held[seat];
        let first = listed.len();
        let mut out: Option<LanePlay> = None;
        // By the tiles they take: the lanes of all plays.
        let mut parts = [0 as LaneSet; 1 << crate::rules::MAX_RACK];
        lanes.for_each_play(seat, held, |at, play| {
            parts[usize::from(play.used)] |= lanes.lane_bit(play);
            if play.used != held {
                let nth = (listed.len() - first) as u16;
                listed.push(OrderedMove { order: 0, nth, at });
            } else if out.is_none_or(|out| play.points > out.points) {
                out = Some(*play);
            }
        });
        for listed in &mut listed[first..] {
            let play = lanes.get(listed.at);
            let rest = lanes.remaining(seat, held, play.used);
            let outs = match parts[usize::from(rest)] {
                0 => 0,
                outs => (outs & !lanes.touched_lanes(play))
                    .count_ones()
                    .min(MOST_OUTS),
            };
            // Tiles that are placed cannot be left over, which would cost twice their value.
            let points = play.points + 2 * lanes.tile_points(seat, play.used);
            let haste = out_in_two * outs as i32 + tile * play.tiles_used() as i32;
            listed.order = 16 * (points + haste) + history[slot(seat, play)];
            if *stirred > 0 {
                listed.order += (play.key.wrapping_mul(*stirred) >> 57) as i32;
            }
        }
        out
    }

    /// Makes the turn with this name the first of those listed from `first` on.
    fn put_first(&mut self, first: usize, known: u32) {
        let Solver { listed, lanes, .. } = self;
        let turns = &mut listed[first..];
        let is_known = |listed: &OrderedMove| match listed.at {
            PASS => known == PASS_ID,
            at => known == name(lanes.get(at)),
        };
        let mut turn = turns.iter_mut().filter(|_| known != 0);
        if let Some(listed) = turn.find(|listed| is_known(listed)) {
            listed.order = i32::MAX;
        }
    }

    /// Brings the turns listed from a place on in order, or the first few of
    /// them, which is mostly enough; up to where they are.
    fn sort(&mut self, from: usize, only_few: bool) -> usize {
        let turns = &mut self.listed[from..];
        let key = |listed: &OrderedMove| std::cmp::Reverse((listed.order, listed.nth));
        let sorted = match only_few && turns.len() > FEW {
            true => turns.select_nth_unstable_by_key(FEW, key).0,
            false => turns,
        };
        sorted.sort_unstable_by_key(key);
        from + sorted.len()
    }

    /// Remembers that the turn at one place of the list refuted, and those before it did not.
    fn learn(&mut self, seat: usize, first: usize, refuted: usize) {
        for at in first..=refuted {
            let place = self.listed[at].at;
            if place == PASS {
                continue;
            }
            let history = &mut self.history[slot(seat, self.lanes.get(place))];
            // The more is known, the less is learned, which keeps it within 1,000 points.
            *history += match at == refuted {
                true => 64 * (16_000 - *history) / 16_000,
                false => -8 * (16_000 + *history) / 16_000,
            };
        }
    }

    fn store(&self, key: u64, score: SearchValue, bound: BoundKind, depth: u8, turn: u32) {
        // Values beyond come only of boards full of premiums; they are found again.
        let Ok(value) = i16::try_from(score.value) else {
            return;
        };
        if self.stopped {
            return;
        }
        let entry = StoredValue {
            value,
            bound,
            solved: score.solved,
            depth,
            turn,
        };
        self.table.put(key, entry);
    }

    /// What the player on turn gains if both play what looks best, to the end.
    pub fn playout(&mut self, seat: usize) -> SearchValue {
        let mut taken: SmallVec<[MoveUndo; 16]> = SmallVec::new();
        let (mut value, mut sign, mut seat) = (0, 1, seat);
        // However short the time, it is played to the end: an ending has few turns.
        loop {
            let step = self.greedy(seat);
            value += sign * self.unit() * step.points();
            if let Some(over) = self.settlement_after(seat, &step) {
                value += sign * over;
                break;
            }
            taken.push(self.make_move(seat, &step));
            (sign, seat) = (-sign, 1 - seat);
        }
        while let Some(taken) = taken.pop() {
            self.undo_move(taken);
        }
        SearchValue {
            value,
            solved: false,
        }
    }

    /// What looks best: points, and tiles not left over.
    fn greedy(&mut self, seat: usize) -> EndgameMove {
        self.count_node();
        self.update(seat);
        let Solver { lanes, state, .. } = self;
        let (held, other) = (state.held[seat], state.held[1 - seat]);
        let other = lanes.tile_points(1 - seat, other);
        let worth = |play: &LanePlay| match play.used == held {
            true => play.points + 2 * other,
            false => play.points + lanes.tile_points(seat, play.used),
        };
        let best = lanes.best(seat, held, worth);
        best.map_or(EndgameMove::Pass, EndgameMove::Play)
    }
}

/// A turn taken, and what takes it back.
pub struct MoveUndo {
    before: SolverState,
    step: EndgameMove,
}

fn slot(seat: usize, play: &LanePlay) -> usize {
    ((play.key << 1) as usize | seat) % HISTORY
}

impl StoredValue {
    /// The score, if that is all a search of this depth and window could find out.
    fn decides(&self, depth: u8, alpha: i32, beta: i32) -> Option<SearchValue> {
        let value = i32::from(self.value);
        let is_enough = match self.bound {
            BoundKind::Exact => true,
            BoundKind::Lower => value >= beta,
            BoundKind::Upper => value <= alpha,
        };
        let counts = is_enough && (self.solved || self.depth >= depth);
        counts.then_some(SearchValue {
            value,
            solved: self.solved,
        })
    }
}

/// How a player could go out: what refutes turns of the other without a search.
struct OutPlayRefuter {
    /// The plays that take the whole rack, most points first.
    outs: OutPlays,
}

impl OutPlayRefuter {
    fn new(solver: &mut Solver, seat: usize) -> OutPlayRefuter {
        solver.update(seat);
        OutPlayRefuter {
            outs: solver.lanes.out_plays(seat, solver.state.held[seat]),
        }
    }

    /// The most that a turn of the other player can gain, if that is no more than `low` because this one can go out after it.
    fn look(&self, solver: &Solver, seat: usize, step: &EndgameMove, low: i32) -> Option<i32> {
        let most = self.outs.first()?.points;
        let held = solver.state.held[seat];
        let rest = match step {
            EndgameMove::Play(play) => solver.lanes.remaining(seat, held, play.used),
            EndgameMove::Pass => held,
        };
        let left = solver.end(2 * solver.lanes.tile_points(seat, rest));
        let gain = |points: i32| solver.unit() * (step.points() - points) - left;
        if gain(most) > low || solver.settlement_after(seat, step).is_some() {
            return None;
        }
        let mut enough = self.outs.iter().take_while(|out| gain(out.points) <= low);
        enough
            .find(|out| !step.disturbs(&solver.lanes, out))
            .map(|out| gain(out.points))
    }
}
