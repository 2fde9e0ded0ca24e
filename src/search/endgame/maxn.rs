//! Endings of three and four players, and of games with points that win at
//! once: every player for himself.
//!
//! The search is max^n (Luckhardt and Irani 1986): a value is the final
//! scores of all, and who is on turn takes what is best for him. The lead of
//! one player and the lead of another are never more than nothing together,
//! so that what the next player can have bounds what is left for the one
//! before. That is shallow pruning (Korf 1991), and the only one that is
//! sound with more than two players. What it finds is what [`super::plain`]
//! finds.
//!
//! The search goes deeper step by step, and beyond its depth everyone plays
//! what looks best. It is a search of one thread.

use super::plain::revealed;
use super::solver::{EndgameMove, PASS_ID, name};
use crate::lexicon::Graph;
use crate::movegen::{ContinueCheck, LaneGenerator, LanePlay, OutPlays, RackSubset};
use crate::rules::{GoingOut, MAX_PLAYERS, Position, RuleSet, ScorelessLimit, Turn};
use crate::search::Budget;
use crate::tiles::TileCounts;
use crate::units::Points;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::HashMap;

/// How far to search.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The bytes that positions already valued may take.
    pub memory: usize,
    /// The most turns after the first to search.
    pub depth: Option<u8>,
    /// The most nodes.
    pub nodes: Option<u64>,
}

/// How a game ends if everyone plays what is best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The final scores, by seat.
    pub scores: SmallVec<[Points; 4]>,
    /// The seat that wins; `None` for a draw. With points that win at once, the scores alone do not tell.
    pub winner: Option<usize>,
    /// Whether every line on which it rests was played to the end.
    pub solved: bool,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The turns, those that are best for the player on turn first, and equals in the order in which they were given.
    pub turns: Vec<(Turn, Valued)>,
    /// How many turns after each of them were searched.
    pub depth: u8,
    /// Positions looked at, those of play-outs included.
    pub nodes: u64,
    /// Whether all values are proved.
    pub solved: bool,
}

/// So many turns are more than any ending has: at most 36 plays, with at most three passes between two of them.
const FULL_DEPTH: u8 = 200;
/// The budget is asked once in so many nodes.
const NODES_BETWEEN_LOOKS: u64 = 16;

/// Values these turns of the player on turn, given with their points. What is
/// no turn that can be taken is left out, and so is everything where the game
/// is over, the bag is not empty or more than one rack is unknown.
///
/// After each depth that is complete `progress` is told what was found; a
/// search that is ended returns what the last of them found. Even one that is
/// ended at once has an answer: the scores after each turn, as if the game
/// ended there.
pub fn solve(
    position: &Position,
    graph: &Graph,
    turns: &[(Turn, Points)],
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Found),
) -> Found {
    let Some(position) = revealed(position).filter(|position| position.end().is_none()) else {
        return Found {
            turns: Vec::new(),
            depth: 0,
            nodes: 0,
            solved: true,
        };
    };
    let patience = || budget.may_continue();
    let mut search = MaxnSearch::new(&position, graph, request, &patience);
    let root = MaxnState::new(&position, &search.lanes);
    let roots = roots(&position, &search.lanes, turns);
    let first_look = |(turn, step): &(Turn, EndgameMove)| (*turn, search.settled(&root, step));
    let first_look = roots.iter().map(first_look).collect();
    let mut found = search.found(root.turn, first_look, 0);
    let most = request.depth.unwrap_or(FULL_DEPTH).min(FULL_DEPTH);
    for depth in 0..=most {
        search.memo.make_room();
        let mut values = Vec::with_capacity(roots.len());
        for (turn, step) in &roots {
            values.push((*turn, search.value_of(&root, step, depth, None)));
            if search.stopped {
                found.nodes = search.nodes;
                return found;
            }
        }
        found = search.found(root.turn, values, depth);
        progress(&found);
        if found.solved {
            break;
        }
    }
    found
}

/// The turns that can be taken.
fn roots(
    position: &Position,
    lanes: &LaneGenerator,
    turns: &[(Turn, Points)],
) -> Vec<(Turn, EndgameMove)> {
    let step = |(turn, points): &(Turn, Points)| match turn {
        Turn::Pass => Some((*turn, EndgameMove::Pass)),
        Turn::Place(placement) => {
            position.examine(placement).ok()?;
            let play = lanes.lane_play(position.to_move(), placement, *points);
            Some((*turn, EndgameMove::Play(play)))
        }
        // With an empty bag there is nothing to draw.
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => None,
    };
    turns.iter().filter_map(step).collect()
}

/// Where the game stands, but for the tiles on the board.
#[derive(Clone, Copy)]
struct MaxnState {
    /// Exclusive or of the keys of all plays made.
    board: u64,
    /// All by seat.
    held: [RackSubset; MAX_PLAYERS],
    scores: [i32; MAX_PLAYERS],
    /// Turns still to be missed.
    lost: [u8; MAX_PLAYERS],
    turn: usize,
    /// The turns without points in a row, as the rules count them.
    zeros: u8,
    /// The passes in a row since the search began.
    passes: u8,
}

impl MaxnState {
    fn new(position: &Position, lanes: &LaneGenerator) -> MaxnState {
        let mut state = MaxnState {
            board: 0,
            held: [0; MAX_PLAYERS],
            scores: [0; MAX_PLAYERS],
            lost: [0; MAX_PLAYERS],
            turn: position.to_move(),
            zeros: position.scoreless_turns(),
            passes: 0,
        };
        for seat in 0..position.player_count() {
            state.held[seat] = lanes.full_rack(seat);
            state.scores[seat] = position.score(seat).0;
            state.lost[seat] = position.lost_turns(seat);
        }
        state
    }
}

/// How a game ends.
#[derive(Clone, Copy)]
struct FinalScores {
    /// By seat.
    scores: [i32; MAX_PLAYERS],
    /// The seat that wins, or [`NOBODY`].
    winner: u8,
}

const NOBODY: u8 = u8::MAX;

/// What counts most for a player: who wins, where that is asked, and then the
/// lead. If someone can have this much, nobody else can have more than
/// [`WinAndLead::left`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WinAndLead {
    /// 2 if the game is won, 1 if it is drawn or winning is not asked for, 0 if it is lost.
    won: i32,
    lead: i32,
}

impl WinAndLead {
    /// The most that is left for anyone else.
    fn left(self) -> WinAndLead {
        WinAndLead {
            won: 2 - self.won,
            lead: -self.lead,
        }
    }
}

/// A value and what it is worth.
#[derive(Clone, Copy)]
struct MaxnValue {
    end: FinalScores,
    /// Whether every line on which it rests was played to the end.
    solved: bool,
    /// Whether it is no value but a refutation: the player on turn can have
    /// this or better, which is more than the one before would grant.
    refutes: bool,
}

impl MaxnValue {
    fn exact(end: FinalScores, solved: bool) -> MaxnValue {
        MaxnValue {
            end,
            solved,
            refutes: false,
        }
    }
}

/// What comes of a turn.
enum Successor {
    /// The game goes on.
    Ongoing(MaxnState),
    /// The game is over.
    Over(FinalScores),
}

/// What the rules say about the end of a game.
struct EndRules {
    players: usize,
    going_out: GoingOut,
    /// Whether plays without points count among the turns without points.
    scoreless: bool,
    /// So many turns without points end the game.
    limit: u8,
    /// The points that win at once, by seat.
    targets: Option<[i32; MAX_PLAYERS]>,
}

impl EndRules {
    fn new(rules: &RuleSet, players: usize) -> EndRules {
        let target = |seat| Some(rules.target(seat, players)?.0);
        let targets = target(0).map(|first| {
            let mut targets = [first; MAX_PLAYERS];
            for (seat, own) in targets.iter_mut().enumerate().take(players) {
                *own = target(seat).unwrap_or(first);
            }
            targets
        });
        EndRules {
            players,
            going_out: rules.going_out,
            scoreless: matches!(rules.scoreless_limit, ScorelessLimit::Turns(_)),
            limit: rules.scoreless_limit.limit(players),
            targets,
        }
    }

    /// Takes a turn, as [`crate::rules::Deal::play`] does.
    fn take(&self, lanes: &LaneGenerator, before: &MaxnState, step: &EndgameMove) -> Successor {
        let (seat, mut state) = (before.turn, *before);
        state.scores[seat] += step.points();
        let counts = match step {
            EndgameMove::Play(play) => {
                state.board ^= play.key;
                state.held[seat] = lanes.remaining(seat, before.held[seat], play.used);
                state.passes = 0;
                self.scoreless && play.points == 0
            }
            EndgameMove::Pass => {
                state.passes = before.passes.saturating_add(1);
                true
            }
        };
        state.zeros = match counts {
            true => before.zeros.saturating_add(1),
            false => 0,
        };
        let wins_at_once = |targets: [i32; MAX_PLAYERS]| state.scores[seat] >= targets[seat];
        if self.targets.is_some_and(wins_at_once) {
            return Successor::Over(FinalScores {
                scores: state.scores,
                winner: seat as u8,
            });
        }
        if state.held[seat] == 0 {
            return Successor::Over(self.settle(lanes, &state, Some(seat)));
        }
        let all_passed = usize::from(state.passes) >= self.players;
        if state.zeros >= self.limit || all_passed {
            return Successor::Over(self.settle(lanes, &state, None));
        }
        state.turn = (seat + 1) % self.players;
        while state.lost[state.turn] > 0 {
            state.lost[state.turn] -= 1;
            state.turn = (state.turn + 1) % self.players;
            state.zeros = state.zeros.saturating_add(self.scoreless.into());
            if state.zeros >= self.limit {
                return Successor::Over(self.settle(lanes, &state, None));
            }
        }
        Successor::Ongoing(state)
    }

    /// The tiles left over change the scores. That is [`crate::rules::Outcome`] without
    /// its lists, since most positions that are looked at are ends.
    fn settle(&self, lanes: &LaneGenerator, state: &MaxnState, out: Option<usize>) -> FinalScores {
        let (mut left, mut scores) = ([0; MAX_PLAYERS], state.scores);
        for (seat, left) in left.iter_mut().enumerate().take(self.players) {
            *left = lanes.tile_points(seat, state.held[seat]);
        }
        let all: i32 = left.iter().sum();
        let twice = out.is_some() && self.going_out == GoingOut::Twice;
        for (score, left) in scores.iter_mut().zip(left) {
            *score -= if twice { 0 } else { left };
        }
        if let Some(seat) = out {
            scores[seat] += if twice { 2 * all } else { all };
        }
        // A tie goes to the one who led before.
        let rank = |seat: usize| (scores[seat], state.scores[seat]);
        let mut seats = 0..self.players;
        let is_ahead = |&seat: &usize| {
            (0..self.players).all(|other| other == seat || rank(other) < rank(seat))
        };
        let winner = seats.find(is_ahead).map_or(NOBODY, |seat| seat as u8);
        FinalScores { scores, winner }
    }

    fn stake(&self, end: &FinalScores, seat: usize) -> WinAndLead {
        let others = (0..self.players).filter(|&other| other != seat);
        let best = others.map(|other| end.scores[other]).max();
        let won = match self.targets {
            Some(_) if end.winner != NOBODY => 2 * i32::from(usize::from(end.winner) == seat),
            _ => 1,
        };
        let own = end.scores[seat];
        WinAndLead {
            won,
            lead: own - best.unwrap_or(own),
        }
    }

    /// The order of [`super::plain::rank`].
    fn rank(
        &self,
        end: &FinalScores,
        seat: usize,
    ) -> (WinAndLead, i32, [i32; MAX_PLAYERS - 1], u8) {
        let mut others = [0; MAX_PLAYERS - 1];
        for (after, other) in (1..self.players).zip(&mut others) {
            *other = -end.scores[(seat + after) % self.players];
        }
        // No winner comes before all others there.
        let winner = end.winner.wrapping_add(1);
        (self.stake(end, seat), end.scores[seat], others, winner)
    }
}

/// An entry of the list of turns.
#[derive(Clone, Copy)]
struct ListedMove {
    order: i32,
    /// Where its play is, or [`PASS`].
    at: u32,
}

const PASS: u32 = u32::MAX;

/// A board, the racks and a search.
struct MaxnSearch<'a> {
    lanes: LaneGenerator<'a>,
    ends: EndRules,
    memo: ValueCache,
    patience: ContinueCheck<'a>,
    /// The turns of all positions on the way, one after the other.
    listed: Vec<ListedMove>,
    nodes: u64,
    /// The most nodes.
    most: u64,
    /// Whether the search was told to stop: then what it returns is worth nothing.
    stopped: bool,
}

impl<'a> MaxnSearch<'a> {
    /// For a position of which every rack is known.
    fn new(
        position: &Position,
        graph: &'a Graph,
        request: &Request,
        patience: ContinueCheck<'a>,
    ) -> MaxnSearch<'a> {
        let (rules, players) = (position.rules(), position.player_count());
        let racks: SmallVec<[TileCounts; 4]> =
            (0..players).map(|seat| position.rack(seat).known).collect();
        let mut lanes =
            LaneGenerator::new(rules, graph, position.grid(), &racks).with_continue_check(patience);
        // Whatever is not up to date here would be looked up anew after each of the first turns.
        for seat in 0..players {
            lanes.update(seat, lanes.full_rack(seat));
        }
        MaxnSearch {
            lanes,
            ends: EndRules::new(rules, players),
            memo: ValueCache::new(request.memory),
            patience,
            listed: Vec::new(),
            nodes: 0,
            most: request.nodes.unwrap_or(u64::MAX),
            stopped: false,
        }
    }

    /// What was found, in order.
    fn found(&self, seat: usize, mut values: Vec<(Turn, MaxnValue)>, depth: u8) -> Found {
        values.sort_by_key(|(_, value)| Reverse(self.ends.rank(&value.end, seat)));
        let valued = |(turn, value): (Turn, MaxnValue)| {
            let scores = &value.end.scores[..self.ends.players];
            let winner = usize::from(value.end.winner);
            let valued = Valued {
                scores: scores.iter().map(|points| Points(*points)).collect(),
                winner: (winner < self.ends.players).then_some(winner),
                solved: value.solved,
            };
            (turn, valued)
        };
        Found {
            solved: values.iter().all(|(_, value)| value.solved),
            turns: values.into_iter().map(valued).collect(),
            depth,
            nodes: self.nodes,
        }
    }

    /// The scores after a turn, as if nobody played on.
    fn settled(&self, state: &MaxnState, step: &EndgameMove) -> MaxnValue {
        match self.ends.take(&self.lanes, state, step) {
            Successor::Over(end) => MaxnValue::exact(end, true),
            Successor::Ongoing(next) => {
                MaxnValue::exact(self.ends.settle(&self.lanes, &next, None), false)
            }
        }
    }

    /// Brings the list of plays of a seat up to date.
    fn update(&mut self, seat: usize, state: &MaxnState) {
        self.lanes.update(seat, state.held[seat]);
        self.stopped |= self.lanes.is_incomplete();
    }

    /// Counts a position; whether to go on.
    fn go_on(&mut self) -> bool {
        self.nodes += 1;
        let is_due = self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS);
        if self.nodes > self.most || is_due && !(self.patience)() {
            self.stopped = true;
        }
        !self.stopped
    }

    /// What comes of a turn if so many more are searched, for a player who
    /// can have `floor` elsewhere: what is worth less to him need not be exact.
    fn value_of(
        &mut self,
        state: &MaxnState,
        step: &EndgameMove,
        depth: u8,
        floor: Option<WinAndLead>,
    ) -> MaxnValue {
        let next = match self.ends.take(&self.lanes, state, step) {
            Successor::Over(end) => return MaxnValue::exact(end, true),
            Successor::Ongoing(next) => next,
        };
        // Who is on turn again, since all others miss theirs, does not refute himself.
        let floor = floor.filter(|_| next.turn != state.turn);
        self.laid(step, |search| search.search(&next, depth, floor))
    }

    /// Does something with the tiles of a turn on the board.
    fn laid<T>(&mut self, step: &EndgameMove, then: impl FnOnce(&mut Self) -> T) -> T {
        if let EndgameMove::Play(play) = step {
            self.lanes.play(play);
        }
        let result = then(self);
        if let EndgameMove::Play(_) = step {
            self.lanes.take_back();
        }
        result
    }

    /// How the game ends from here, searched for `depth` turns. The player
    /// before can have `floor` elsewhere: as soon as less is left for him, it
    /// is enough to say so.
    fn search(&mut self, state: &MaxnState, depth: u8, floor: Option<WinAndLead>) -> MaxnValue {
        if !self.go_on() {
            return MaxnValue::exact(self.ends.settle(&self.lanes, state, None), false);
        }
        // 1. What is known from elsewhere.
        let key = self.key(state);
        let known = self.memo.get(key, self.base(state));
        if let Some(value) = known.and_then(|known| self.decides(&known, state, depth, floor)) {
            return value;
        }
        if depth == 0 {
            let value = self.play_out(state);
            self.store(key, state, &value, 0, 0);
            return value;
        }
        // 2. All turns, those first that end the game or look best.
        let first = self.listed.len();
        self.update(state.turn, state);
        let depth_after = match self.list(state, known.map_or(0, |known| known.turn)) {
            // A pass that is forced costs no depth: where all must pass the game is over.
            0 => depth,
            _ => depth - 1,
        };
        let outs = OutPlayThreats::new(self, state);
        let mut best: Option<(MaxnValue, u32)> = None;
        let mut all_solved = true;
        for at in first..self.listed.len() {
            let step = self.step(at);
            let floor_after = best.map(|(best, _)| self.ends.stake(&best.end, state.turn));
            let value = match floor_after {
                Some(floor) if outs.refute(self, state, &step, floor) => continue,
                _ => self.value_of(state, &step, depth_after, floor_after),
            };
            if self.stopped {
                self.listed.truncate(first);
                return value;
            }
            all_solved &= value.solved;
            let is_better = !value.refutes
                && best.is_none_or(|(best, _)| {
                    self.ends.rank(&value.end, state.turn) > self.ends.rank(&best.end, state.turn)
                });
            if is_better {
                best = Some((value, step.name()));
                if self.refutes(&value.end, state, floor) {
                    break;
                }
            }
        }
        self.listed.truncate(first);
        let Some((mut value, turn)) = best else {
            return MaxnValue::exact(self.ends.settle(&self.lanes, state, None), false);
        };
        // A refutation needs one proof; that nothing is better needs all.
        value.refutes = self.refutes(&value.end, state, floor);
        value.solved = match value.refutes {
            true => value.solved,
            false => all_solved,
        };
        self.store(key, state, &value, depth, turn);
        value
    }

    /// Whether an end that the player on turn can have leaves less than `floor` for the one before.
    fn refutes(&self, end: &FinalScores, state: &MaxnState, floor: Option<WinAndLead>) -> bool {
        floor.is_some_and(|floor| self.ends.stake(end, state.turn).left() < floor)
    }

    /// What is known, if that is all a search could find out.
    fn decides(
        &self,
        known: &CachedValue,
        state: &MaxnState,
        depth: u8,
        floor: Option<WinAndLead>,
    ) -> Option<MaxnValue> {
        let refutes = self.refutes(&known.value.end, state, floor);
        let is_deep = known.value.solved || known.depth >= depth;
        (is_deep && (refutes || !known.value.refutes)).then_some(MaxnValue {
            refutes,
            ..known.value
        })
    }

    fn step(&self, at: usize) -> EndgameMove {
        match self.listed[at].at {
            PASS => EndgameMove::Pass,
            place => EndgameMove::Play(*self.lanes.get(place)),
        }
    }

    /// Lists all turns, best first as far as can be seen, the one with this name before all; how many plays there are.
    fn list(&mut self, state: &MaxnState, known: u32) -> usize {
        let MaxnSearch { lanes, listed, .. } = self;
        let (seat, first) = (state.turn, listed.len());
        let others = others_value(lanes, state, self.ends.players);
        lanes.for_each_play(seat, state.held[seat], |at, play| {
            let order = match known == name(play) {
                true => i32::MAX,
                false => worth(lanes, state, play, others),
            };
            listed.push(ListedMove { order, at });
        });
        let plays = listed.len() - first;
        listed.push(ListedMove {
            order: if known == PASS_ID { i32::MAX } else { i32::MIN },
            at: PASS,
        });
        listed[first..].sort_unstable_by_key(|listed| Reverse((listed.order, listed.at)));
        plays
    }

    /// How the game ends if everyone plays what looks best.
    fn play_out(&mut self, state: &MaxnState) -> MaxnValue {
        let (mut state, mut plays) = (*state, 0);
        let end = loop {
            let step = self.greedy(&state);
            match self.ends.take(&self.lanes, &state, &step) {
                Successor::Ongoing(next) if self.go_on() => state = next,
                Successor::Ongoing(next) => break self.ends.settle(&self.lanes, &next, None),
                Successor::Over(end) => break end,
            }
            if let EndgameMove::Play(play) = step {
                self.lanes.play(&play);
                plays += 1;
            }
        };
        (0..plays).for_each(|_| self.lanes.take_back());
        MaxnValue::exact(end, false)
    }

    /// What looks best.
    fn greedy(&mut self, state: &MaxnState) -> EndgameMove {
        let seat = state.turn;
        self.update(seat, state);
        let lanes = &self.lanes;
        let others = others_value(lanes, state, self.ends.players);
        let worth = |play: &LanePlay| worth(lanes, state, play, others);
        let best = lanes.best(seat, state.held[seat], worth);
        best.map_or(EndgameMove::Pass, EndgameMove::Play)
    }

    /// What scores are told apart from: with points that win at once from
    /// nothing, else from those of one player, since only differences count.
    fn base(&self, state: &MaxnState) -> i32 {
        match self.ends.targets {
            Some(_) => 0,
            None => state.scores[0],
        }
    }

    /// What a state is known by: all that its value depends on.
    fn key(&self, state: &MaxnState) -> u64 {
        let mut key = state.board;
        let mut add = |word: u64| {
            key = (key.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            key ^= key >> 31;
        };
        let base = self.base(state);
        for seat in 0..self.ends.players {
            add(self.lanes.rack_key(seat, state.held[seat]));
            let score = (state.scores[seat] - base) as u32;
            add(u64::from(score) << 8 | u64::from(state.lost[seat]));
        }
        add(u64::from(state.zeros) << 16 | u64::from(state.passes) << 8 | state.turn as u64);
        key
    }

    fn store(&mut self, key: u64, state: &MaxnState, value: &MaxnValue, depth: u8, turn: u32) {
        if !self.stopped {
            let known = CachedValue {
                value: *value,
                depth,
                turn,
            };
            self.memo.put(key, known, self.base(state));
        }
    }
}

/// What a play looks worth: points, tiles that are not left over, and those that are left to the others.
fn worth(lanes: &LaneGenerator, state: &MaxnState, play: &LanePlay, others: i32) -> i32 {
    let goes_out = play.used == state.held[state.turn];
    let placed = lanes.tile_points(state.turn, play.used);
    play.points + placed + if goes_out { others } else { 0 }
}

/// The value of the tiles that all but the player on turn hold.
fn others_value(lanes: &LaneGenerator, state: &MaxnState, players: usize) -> i32 {
    let others = (0..players).filter(|&seat| seat != state.turn);
    others
        .map(|seat| lanes.tile_points(seat, state.held[seat]))
        .sum()
}

/// How the next player could go out: what refutes turns without making them.
struct OutPlayThreats {
    /// The plays that take his whole rack, most points first.
    plays: OutPlays,
}

impl OutPlayThreats {
    fn new(search: &mut MaxnSearch, state: &MaxnState) -> OutPlayThreats {
        // Who misses turns makes it a long story, and does so too seldom to tell it.
        if state.lost != [0; MAX_PLAYERS] {
            return OutPlayThreats {
                plays: OutPlays::new(),
            };
        }
        let seat = (state.turn + 1) % search.ends.players;
        search.update(seat, state);
        OutPlayThreats {
            plays: search.lanes.out_plays(seat, state.held[seat]),
        }
    }

    /// Whether a turn leaves less than `floor` for the player who takes it,
    /// since the next one can still go out after it. Nothing can happen after
    /// that, so that it is proved.
    fn refute(
        &self,
        search: &MaxnSearch,
        state: &MaxnState,
        step: &EndgameMove,
        floor: WinAndLead,
    ) -> bool {
        if self.plays.is_empty() {
            return false;
        }
        let Successor::Ongoing(next) = search.ends.take(&search.lanes, state, step) else {
            return false;
        };
        let mut enough = self.plays.iter().take_while(|out| {
            let after = search
                .ends
                .take(&search.lanes, &next, &EndgameMove::Play(**out));
            matches!(after, Successor::Over(end) if search.refutes(&end, &next, Some(floor)))
        });
        enough.any(|out| !step.disturbs(&search.lanes, out))
    }
}

/// Values of positions, as far as there is room.
struct ValueCache {
    entries: HashMap<u64, CachedValue>,
    /// The most entries.
    most: usize,
}

/// What is known of a position. In the memo its scores are differences from the base.
#[derive(Clone, Copy)]
struct CachedValue {
    value: MaxnValue,
    depth: u8,
    /// The name of the turn that was best, or 0.
    turn: u32,
}

impl ValueCache {
    fn new(memory: usize) -> ValueCache {
        // While a hash table grows, the old half is there too; it is full at seven eighths.
        let bytes = size_of::<(u64, CachedValue)>() + 1;
        let places = (memory / (bytes + bytes.div_ceil(2))).checked_ilog2();
        ValueCache {
            entries: HashMap::new(),
            most: places.map_or(0, |places| (1 << places) / 8 * 7),
        }
    }

    /// Forgets what a deeper search has to find out anew, if there is no more room.
    fn make_room(&mut self) {
        if self.entries.len() >= self.most {
            self.entries.retain(|_, known| known.value.solved);
        }
    }

    fn get(&self, key: u64, base: i32) -> Option<CachedValue> {
        let mut known = *self.entries.get(&key)?;
        for score in &mut known.value.end.scores {
            *score += base;
        }
        Some(known)
    }

    fn put(&mut self, key: u64, mut known: CachedValue, base: i32) {
        for score in &mut known.value.end.scores {
            *score -= base;
        }
        let has_room = self.entries.len() < self.most;
        if let Some(entry) = self.entries.get_mut(&key) {
            *entry = known;
        } else if has_room {
            self.entries.insert(key, known);
        }
    }
}
