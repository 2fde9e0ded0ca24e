//! The state of a game of any number of players, how moves change it, and what its end is worth.

use crate::movegen::{LaneGenerator, RackSubset};
use crate::rules::flow::{FlowRules, TurnKind, TurnState};
use crate::rules::{End, MAX_PLAYERS, Position, RuleSet};
use crate::search::endgame::solver::EndgameMove;
use crate::units::Points;

/// The state of the game without the tiles on the board.
#[derive(Clone, Copy)]
pub(super) struct MaxnState {
    /// Zobrist hash of the board: the exclusive or of the keys of all plays made.
    pub board: u64,
    /// The tiles held, by seat.
    pub held: [RackSubset; MAX_PLAYERS],
    /// By seat.
    pub scores: [i32; MAX_PLAYERS],
    /// The seat to move, scoreless turns and lost turns.
    pub turns: TurnState,
    /// Consecutive passes since the search began.
    pub passes: u8,
}

impl MaxnState {
    pub fn new(position: &Position, lanes: &LaneGenerator) -> MaxnState {
        let mut state = MaxnState {
            board: 0,
            held: [0; MAX_PLAYERS],
            scores: [0; MAX_PLAYERS],
            turns: position.turn_state(),
            passes: 0,
        };
        for seat in 0..position.player_count() {
            state.held[seat] = lanes.full_rack(seat);
            state.scores[seat] = position.score(seat).0;
        }
        state
    }
}

/// How a game ends.
#[derive(Clone, Copy)]
pub(super) struct FinalScores {
    /// By seat.
    pub scores: [i32; MAX_PLAYERS],
    /// The seat that wins, or [`NO_WINNER`].
    pub winner: u8,
}

/// Stands for the seat of the winner in a drawn game.
pub(super) const NO_WINNER: u8 = u8::MAX;

/// What counts most for a player: winning, if there are target scores, and then the lead over the
/// best opponent. If a player gets this much, no other player gets more than [`WinAndLead::left`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WinAndLead {
    /// 2 for a win, 0 for a loss, 1 for a draw or if there are no target scores.
    won: i32,
    lead: i32,
}

impl WinAndLead {
    /// The most that is left for any other player.
    pub fn left(self) -> WinAndLead {
        WinAndLead {
            won: 2 - self.won,
            lead: -self.lead,
        }
    }
}

/// The value of a position.
#[derive(Clone, Copy)]
pub(super) struct MaxnValue {
    pub end: FinalScores,
    /// Whether every line on which it rests was played to the end of the game.
    pub solved: bool,
    /// Whether it is only a refutation: the player to move gets this or better, which leaves the
    /// player before less than that player gets elsewhere.
    pub refutes: bool,
}

impl MaxnValue {
    pub fn exact(end: FinalScores, solved: bool) -> MaxnValue {
        MaxnValue {
            end,
            solved,
            refutes: false,
        }
    }
}

/// What follows a move.
pub(super) enum Successor {
    /// The game goes on.
    Ongoing(MaxnState),
    /// The game is over.
    Over(FinalScores),
}

/// The rules about turn order and the end of the game.
pub(super) struct EndRules {
    pub players: usize,
    flow: FlowRules,
    /// The scores that win at once, by seat.
    pub targets: Option<[i32; MAX_PLAYERS]>,
}

impl EndRules {
    pub fn new(rules: &RuleSet, players: usize) -> EndRules {
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
            flow: FlowRules::new(rules, players),
            targets,
        }
    }

    /// Makes a move, as [`crate::rules::Deal::play`] does. The game is also over when all players
    /// have passed one after the other.
    pub fn after(
        &self,
        lanes: &LaneGenerator,
        before: &MaxnState,
        chosen: &EndgameMove,
    ) -> Successor {
        let (seat, mut state) = (before.turns.to_move, *before);
        state.scores[seat] += chosen.points();
        let is_pass = match chosen {
            EndgameMove::Play(play) => {
                state.board ^= play.key;
                state.held[seat] = lanes.remaining(seat, before.held[seat], play.used);
                state.passes = 0;
                false
            }
            EndgameMove::Pass => {
                let is_lost = before.turns.scoreless.next_is_lost;
                state.passes = before.passes.saturating_add(u8::from(!is_lost));
                true
            }
        };
        let points = Points(chosen.points());
        let kind = TurnKind::new(points, is_pass, false);
        state.turns.count_turn(self.flow, kind);
        let wins_at_once = |targets: [i32; MAX_PLAYERS]| state.scores[seat] >= targets[seat];
        let target = self.targets.is_some_and(wins_at_once).then_some(seat);
        let out = (state.held[seat] == 0).then_some(seat);
        let all_passed = usize::from(state.passes) >= self.players;
        let end = self.flow.end(target, out, state.turns.scoreless);
        if let Some(end) = end.or(all_passed.then_some(End::Scoreless)) {
            return Successor::Over(self.settle(lanes, &state, end));
        }
        state.turns.advance(self.flow, false);
        if self.flow.is_scoreless_end(state.turns.scoreless) {
            return Successor::Over(self.settle(lanes, &state, End::Scoreless));
        }
        Successor::Ongoing(state)
    }

    /// The final scores of a game that ends now for the reason `end`. This is
    /// [`crate::rules::Outcome`] without allocation, because most searched positions are ends of the
    /// game.
    pub fn settle(&self, lanes: &LaneGenerator, state: &MaxnState, end: End) -> FinalScores {
        let (mut left, mut scores) = ([Points::ZERO; MAX_PLAYERS], state.scores);
        for (seat, left) in left.iter_mut().enumerate().take(self.players) {
            *left = Points(lanes.tile_points(seat, state.held[seat]));
        }
        let all: Points = left.iter().copied().sum();
        for (seat, score) in scores.iter_mut().enumerate().take(self.players) {
            *score += self.flow.settlement(end, seat, left[seat], all).0;
        }
        let rank = |seat: usize| (Points(scores[seat]), Points(state.scores[seat]));
        let winner = self.flow.winner(end, rank);
        FinalScores {
            scores,
            winner: winner.map_or(NO_WINNER, |seat| seat as u8),
        }
    }

    /// What an end of the game gives to a seat.
    pub fn win_and_lead(&self, end: &FinalScores, seat: usize) -> WinAndLead {
        let won = match self.targets {
            Some(_) if end.winner != NO_WINNER => 2 * i32::from(usize::from(end.winner) == seat),
            _ => 1,
        };
        WinAndLead {
            won,
            lead: self.lead(&end.scores, seat),
        }
    }

    /// The lead of a seat over its best opponent.
    pub fn lead(&self, scores: &[i32; MAX_PLAYERS], seat: usize) -> i32 {
        let others = (0..self.players).filter(|&other| other != seat);
        let best = others.map(|other| scores[other]).max();
        scores[seat] - best.unwrap_or(scores[seat])
    }

    /// The preference of a seat among ends of the game, in the order of
    /// [`preference`](crate::search::endgame::plain::preference).
    pub fn preference(
        &self,
        end: &FinalScores,
        seat: usize,
    ) -> (WinAndLead, i32, [i32; MAX_PLAYERS - 1], u8) {
        let mut others = [0; MAX_PLAYERS - 1];
        for (after, other) in (1..self.players).zip(&mut others) {
            *other = -end.scores[(seat + after) % self.players];
        }
        // A draw comes before all winners there: `NO_WINNER` wraps to 0.
        let winner = end.winner.wrapping_add(1);
        (
            self.win_and_lead(end, seat),
            end.scores[seat],
            others,
            winner,
        )
    }
}
