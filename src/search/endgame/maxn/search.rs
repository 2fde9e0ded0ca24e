//! The recursion of the max^n search with shallow pruning.

use super::cache::{CachedValue, ValueCache};
use super::state::{EndRules, FinalScores, MaxnState, MaxnValue, NO_WINNER, Successor, WinAndLead};
use crate::lexicon::Graph;
use crate::movegen::{ContinueCheck, LaneGenerator, LanePlay, OutPlays};
use crate::rules::{End, MAX_PLAYERS, Position};
use crate::search::endgame::solver::{EndgameMove, PASS_ID, play_id};
use crate::search::endgame::tuning::MAXN_POLL_INTERVAL_NODES;
use crate::search::ranking::Candidate;
use crate::search::solve::Phase;
use crate::search::{Solution, SolveRequest, SolvedLine};
use crate::tiles::TileCounts;
use crate::units::Points;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// In [`MaxnSearch::listed`]: the move is a pass, not a stored play.
const PASS: u32 = u32::MAX;

/// A board, the racks, and the state of a search.
pub(super) struct MaxnSearch<'a> {
    pub lanes: LaneGenerator<'a>,
    rules: EndRules,
    pub cache: ValueCache,
    continue_check: ContinueCheck<'a>,
    /// A stack: the lists of moves of all positions on the current line. The higher the first number
    /// of a move, the earlier it is searched. The second is where the generator stores the play, or
    /// [`PASS`].
    listed: Vec<(i32, u32)>,
    pub nodes: u64,
    max_nodes: u64,
    /// Whether the search was stopped. What it returns then means nothing.
    pub stopped: bool,
}

impl<'a> MaxnSearch<'a> {
    /// For a position in which every rack is known.
    pub fn new(
        position: &Position,
        graph: &'a Graph,
        request: &SolveRequest,
        continue_check: ContinueCheck<'a>,
    ) -> MaxnSearch<'a> {
        let (rules, players) = (position.rules(), position.player_count());
        let racks: SmallVec<[TileCounts; 4]> =
            (0..players).map(|seat| position.rack(seat).known).collect();
        let mut lanes = LaneGenerator::new(rules, graph, position.grid(), &racks)
            .with_continue_check(continue_check);
        // A list that is not up to date here would be generated again after each root move.
        for seat in 0..players {
            lanes.update(seat, lanes.full_rack(seat));
        }
        MaxnSearch {
            lanes,
            rules: EndRules::new(rules, players),
            cache: ValueCache::new(request.table_bytes),
            continue_check,
            listed: Vec::new(),
            nodes: 0,
            max_nodes: request.nodes.unwrap_or(u64::MAX),
            stopped: false,
        }
    }

    /// The solution with these values of the root moves, the best first; equals keep their order.
    pub fn solution(
        &self,
        start: &MaxnState,
        mut values: Vec<(Candidate, MaxnValue)>,
        depth: u8,
    ) -> Solution {
        let (rules, seat) = (&self.rules, start.turns.to_move);
        values.sort_by_key(|(_, value)| Reverse(rules.preference(&value.end, seat)));
        let lead_before = rules.lead(&start.scores, seat);
        let line = |((candidate, value), rank): (&(Candidate, MaxnValue), usize)| {
            let win = match value.end.winner {
                NO_WINNER => 0.5,
                winner => f64::from(u8::from(usize::from(winner) == seat)),
            };
            let win = value.solved.then_some(win);
            let scores = &value.end.scores[..rules.players];
            SolvedLine {
                gain: f64::from(rules.lead(&value.end.scores, seat) - lead_before),
                win,
                win_bounds: win.map_or((0.0, 1.0), |win| (win, win)),
                exact: value.solved,
                depth,
                scores: scores.iter().map(|points| Points(*points)).collect(),
                ..SolvedLine::unknown(*candidate, rank)
            }
        };
        Solution {
            phase: Phase::GeneralEndgame,
            lines: values.iter().zip(1..).map(line).collect(),
            candidates: values.len(),
            nodes: self.nodes,
            refuted_plays: 0,
            per_mille_full: 0,
            solved: values.iter().all(|(_, value)| value.solved),
        }
    }

    /// The value of a move if the game ended after it.
    pub fn settled_after(&self, state: &MaxnState, chosen: &EndgameMove) -> MaxnValue {
        match self.rules.after(&self.lanes, state, chosen) {
            Successor::Over(end) => MaxnValue::exact(end, true),
            Successor::Ongoing(next) => self.unsearched(&next),
        }
    }

    /// The value of a position as if the game ended there.
    fn unsearched(&self, state: &MaxnState) -> MaxnValue {
        MaxnValue::exact(self.rules.settle(&self.lanes, state, End::Scoreless), false)
    }

    /// Brings the list of plays of a seat up to date.
    fn update(&mut self, seat: usize, state: &MaxnState) {
        self.lanes.update(seat, state.held[seat]);
        self.stopped |= self.lanes.is_incomplete();
    }

    /// Counts a position. Returns whether to go on.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        let is_due = self.nodes.is_multiple_of(MAXN_POLL_INTERVAL_NODES);
        if self.nodes > self.max_nodes || is_due && !(self.continue_check)() {
            self.stopped = true;
        }
        !self.stopped
    }

    /// The value of a move, with `depth` more moves searched after it. The player to move already
    /// has `floor` from another move: a value that is worth less need not be exact.
    pub fn value_after(
        &mut self,
        state: &MaxnState,
        chosen: &EndgameMove,
        depth: u8,
        floor: Option<WinAndLead>,
    ) -> MaxnValue {
        let next = match self.rules.after(&self.lanes, state, chosen) {
            Successor::Over(end) => return MaxnValue::exact(end, true),
            Successor::Ongoing(next) => next,
        };
        // If all other players miss their turns the same player moves again, and refutes nothing.
        let floor = floor.filter(|_| next.turns.to_move != state.turns.to_move);
        if let EndgameMove::Play(play) = chosen {
            self.lanes.play(play);
        }
        let value = self.search(&next, depth, floor);
        if let EndgameMove::Play(_) = chosen {
            self.lanes.take_back();
        }
        value
    }

    /// The value of a position, searched for `depth` moves. The player before already has
    /// `floor` from another move: as soon as less is left for that player, the search returns a
    /// refutation.
    fn search(&mut self, state: &MaxnState, depth: u8, floor: Option<WinAndLead>) -> MaxnValue {
        if !self.count_node() {
            return self.unsearched(state);
        }
        // 1. The cache.
        let key = self.key(state);
        let cached = self.cache.get(key, self.base(state));
        let cutoff = |cached| self.cutoff(&cached, state, depth, floor);
        if let Some(value) = cached.and_then(cutoff) {
            return value;
        }
        // 2. The depth limit.
        if depth == 0 {
            let value = self.playout(state);
            self.store(key, state, &value, 0, 0);
            return value;
        }
        // 3. All moves. A forced pass costs no depth: where all have to pass the game is over.
        let first = self.listed.len();
        self.update(state.turns.to_move, state);
        let depth_after = match self.list(state, cached.map_or(0, |cached| cached.best_id)) {
            0 => depth,
            _ => depth - 1,
        };
        let found = self.search_moves(state, first, depth_after, floor);
        self.listed.truncate(first);
        if self.stopped {
            return self.unsearched(state);
        }
        let Some((value, best_id)) = found else {
            return self.unsearched(state);
        };
        self.store(key, state, &value, depth, best_id);
        value
    }

    /// The best of the moves listed from `first` on, with its identifier. `None` if there is none
    /// or the search was stopped.
    fn search_moves(
        &mut self,
        state: &MaxnState,
        first: usize,
        depth: u8,
        floor: Option<WinAndLead>,
    ) -> Option<(MaxnValue, u32)> {
        let out_plays = self.out_plays(state);
        let mut best: Option<(MaxnValue, u32)> = None;
        let mut all_solved = true;
        for place in first..self.listed.len() {
            let chosen = self.listed_move(place);
            let best_so_far =
                best.map(|(best, _)| self.rules.win_and_lead(&best.end, state.turns.to_move));
            let value = match best_so_far {
                Some(floor) if self.allows_out_play(&out_plays, state, &chosen, floor) => continue,
                _ => self.value_after(state, &chosen, depth, best_so_far),
            };
            if self.stopped {
                return None;
            }
            all_solved &= value.solved;
            let preference =
                |value: &MaxnValue| self.rules.preference(&value.end, state.turns.to_move);
            let is_better = !value.refutes
                && best.is_none_or(|(best, _)| preference(&value) > preference(&best));
            if is_better {
                best = Some((value, chosen.id()));
                if self.refutes(&value.end, state, floor) {
                    break;
                }
            }
        }
        let (mut value, best_id) = best?;
        // A refutation needs the proof of one move; that no move is better needs all proofs.
        value.refutes = self.refutes(&value.end, state, floor);
        if !value.refutes {
            value.solved = all_solved;
        }
        Some((value, best_id))
    }

    /// Whether an end that the player to move can get leaves less than `floor` for the player
    /// before.
    fn refutes(&self, end: &FinalScores, state: &MaxnState, floor: Option<WinAndLead>) -> bool {
        floor.is_some_and(|floor| self.rules.win_and_lead(end, state.turns.to_move).left() < floor)
    }

    /// The out-plays of the next player, most points first.
    fn out_plays(&mut self, state: &MaxnState) -> OutPlays {
        // Missed turns are too rare to work out who comes next.
        if state.turns.lost_turns != [0; MAX_PLAYERS] {
            return OutPlays::new();
        }
        let seat = (state.turns.to_move + 1) % self.rules.players;
        self.update(seat, state);
        self.lanes.out_plays(seat, state.held[seat])
    }

    /// Whether a move leaves less than `floor` for the player who makes it, because the next player
    /// can still make one of `out_plays` after it. That is a proof, because it ends the game.
    fn allows_out_play(
        &self,
        out_plays: &OutPlays,
        state: &MaxnState,
        chosen: &EndgameMove,
        floor: WinAndLead,
    ) -> bool {
        if out_plays.is_empty() {
            return false;
        }
        let Successor::Ongoing(next) = self.rules.after(&self.lanes, state, chosen) else {
            return false;
        };
        let mut refuting = out_plays.iter().take_while(|out_play| {
            let after = self
                .rules
                .after(&self.lanes, &next, &EndgameMove::Play(**out_play));
            matches!(after, Successor::Over(end) if self.refutes(&end, &next, Some(floor)))
        });
        refuting.any(|out_play| !chosen.disturbs(&self.lanes, out_play))
    }

    /// The cached value, if a search could find out no more.
    fn cutoff(
        &self,
        cached: &CachedValue,
        state: &MaxnState,
        depth: u8,
        floor: Option<WinAndLead>,
    ) -> Option<MaxnValue> {
        let refutes = self.refutes(&cached.value.end, state, floor);
        let is_deep = cached.value.solved || cached.depth >= depth;
        (is_deep && (refutes || !cached.value.refutes)).then_some(MaxnValue {
            refutes,
            ..cached.value
        })
    }

    fn listed_move(&self, place: usize) -> EndgameMove {
        match self.listed[place].1 {
            PASS => EndgameMove::Pass,
            at => EndgameMove::Play(*self.lanes.get(at)),
        }
    }

    /// Lists all moves, the most promising first and the one with `best_id` before all. Returns the
    /// number of plays.
    fn list(&mut self, state: &MaxnState, best_id: u32) -> usize {
        let MaxnSearch { lanes, listed, .. } = self;
        let (seat, first) = (state.turns.to_move, listed.len());
        let others = opponents_tile_points(lanes, state, self.rules.players);
        lanes.for_each_play(seat, state.held[seat], |at, play| {
            let order = match best_id == play_id(play) {
                true => i32::MAX,
                false => greedy_worth(lanes, state, play, others),
            };
            listed.push((order, at));
        });
        let plays = listed.len() - first;
        let pass_order = match best_id == PASS_ID {
            true => i32::MAX,
            false => i32::MIN,
        };
        listed.push((pass_order, PASS));
        listed[first..].sort_unstable_by_key(|listed| Reverse(*listed));
        plays
    }

    /// How the game ends if everyone plays greedily.
    fn playout(&mut self, state: &MaxnState) -> MaxnValue {
        let (mut state, mut plays) = (*state, 0);
        let end = loop {
            let chosen = self.greedy(&state);
            match self.rules.after(&self.lanes, &state, &chosen) {
                Successor::Ongoing(next) if self.count_node() => state = next,
                Successor::Ongoing(next) => {
                    break self.rules.settle(&self.lanes, &next, End::Scoreless);
                }
                Successor::Over(end) => break end,
            }
            if let EndgameMove::Play(play) = chosen {
                self.lanes.play(&play);
                plays += 1;
            }
        };
        (0..plays).for_each(|_| self.lanes.take_back());
        MaxnValue::exact(end, false)
    }

    /// The play with the highest [`greedy_worth`]; a pass if there is none.
    fn greedy(&mut self, state: &MaxnState) -> EndgameMove {
        let seat = state.turns.to_move;
        self.update(seat, state);
        let lanes = &self.lanes;
        let others = opponents_tile_points(lanes, state, self.rules.players);
        let worth = |play: &LanePlay| greedy_worth(lanes, state, play, others);
        let best = lanes.best(seat, state.held[seat], worth);
        best.map_or(EndgameMove::Pass, EndgameMove::Play)
    }

    /// The score to which those in the cache are relative: without targets only differences count.
    fn base(&self, state: &MaxnState) -> i32 {
        match self.rules.targets {
            Some(_) => 0,
            None => state.scores[0],
        }
    }

    /// A hash of everything on which a value depends.
    fn key(&self, state: &MaxnState) -> u64 {
        let mut key = state.board;
        let mut add = |word: u64| {
            key = (key.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            key ^= key >> 31;
        };
        let base = self.base(state);
        for seat in 0..self.rules.players {
            add(self.lanes.rack_key(seat, state.held[seat]));
            let score = (state.scores[seat] - base) as u32;
            add(u64::from(score) << 8 | u64::from(state.turns.lost_turns[seat]));
        }
        let counts = state.turns.scoreless.key() << 16 | u64::from(state.passes) << 8;
        add(counts | state.turns.to_move as u64);
        key
    }

    fn store(&mut self, key: u64, state: &MaxnState, value: &MaxnValue, depth: u8, best_id: u32) {
        if !self.stopped {
            let cached = CachedValue {
                value: *value,
                depth,
                best_id,
            };
            self.cache.put(key, cached, self.base(state));
        }
    }
}

/// What a play seems to be worth: its points, the tiles it does not leave over, and if it goes out
/// the tiles of the opponents.
fn greedy_worth(lanes: &LaneGenerator, state: &MaxnState, play: &LanePlay, others: i32) -> i32 {
    let goes_out = play.used == state.held[state.turns.to_move];
    let placed = lanes.tile_points(state.turns.to_move, play.used);
    play.points + placed + if goes_out { others } else { 0 }
}

/// The value of the tiles that the opponents of the player to move hold.
fn opponents_tile_points(lanes: &LaneGenerator, state: &MaxnState, players: usize) -> i32 {
    let others = (0..players).filter(|&seat| seat != state.turns.to_move);
    others
        .map(|seat| lanes.tile_points(seat, state.held[seat]))
        .sum()
}
