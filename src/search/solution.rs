//! What all solvers take and return: a request, and a solution made of lines.
//!
//! [`super::solve`] passes one [`SolveRequest`] to the solver that the phase of the game calls for.
//! Each solver returns a [`Solution`]. These types hold results only; they choose no time and no
//! output format.

use super::Budget;
use super::preendgame::{DrawOutcome, Prior};
use super::ranking::Candidate;
use super::solve::Phase;
use crate::lexicon::Graph;
use crate::rules::{Position, Turn};
use crate::seed::Seed;
use crate::units::Points;

/// What an endgame solver maximises. Values of different goals cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The final spread, in points.
    Spread,
    /// Only who wins. Values are twice the spread, which leaves room for the tie-break of the rules.
    Win,
}

/// What to solve, and how. The [`Budget`] of the search limits its time.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// Endgames: the maximum number of moves in a line that is searched. Beyond it both players
    /// play greedily. `None` searches to the end of the game.
    pub depth: Option<u8>,
    /// The maximum number of positions to search. The pre-endgame solver counts its other work
    /// as the number of positions that take the same time.
    pub nodes: Option<u64>,
    /// Worker threads. The max^n solver always uses one.
    pub threads: usize,
    /// Bytes for the table of searched positions.
    pub table_bytes: usize,
    /// Two-player endgames: what counts. Pre-endgames: with [`Goal::Win`] candidates that win as
    /// often as the best one get no work for their spread.
    pub goal: Goal,
    /// Two-player endgames: the number of best moves that get an exact value.
    pub lines: usize,
    /// Pre-endgames: the number of best moves for which every draw is listed.
    pub lines_with_draws: usize,
    /// Pre-endgames: the seed for sampling draws if there are too many to list.
    pub seed: Seed,
    /// Pre-endgames: the priors of the first candidates, in their order.
    pub priors: Vec<Prior>,
}

impl SolveRequest {
    /// The best move by spread: one thread with a table of 1 MiB and no other limit, no priors and
    /// no listed draws.
    pub const UNLIMITED: SolveRequest = SolveRequest {
        depth: None,
        nodes: None,
        threads: 1,
        table_bytes: 1 << 20,
        goal: Goal::Spread,
        lines: 1,
        lines_with_draws: 0,
        seed: Seed(0),
        priors: Vec::new(),
    };
}

/// What a solver works on.
#[derive(Clone, Copy)]
pub struct SolveContext<'a> {
    /// The position.
    pub position: &'a Position,
    /// The words.
    pub graph: &'a Graph,
    /// All legal moves, the best by static evaluation first.
    pub candidates: &'a [Candidate],
    /// What to find out about them.
    pub request: &'a SolveRequest,
    /// The time that it may take.
    pub budget: &'a Budget,
}

/// How a game ends for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WinDrawLoss {
    /// Another player wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// This player wins.
    Win,
}

impl WinDrawLoss {
    /// The result of a player whose final score exceeds the opponent's by `spread`.
    pub fn from_spread(spread: i32) -> WinDrawLoss {
        match spread.signum() {
            1 => WinDrawLoss::Win,
            0 => WinDrawLoss::Draw,
            _ => WinDrawLoss::Loss,
        }
    }

    /// 1 for a win, 0 for a loss; a draw counts one half.
    pub fn win_probability(self) -> f64 {
        match self {
            WinDrawLoss::Win => 1.0,
            WinDrawLoss::Draw => 0.5,
            WinDrawLoss::Loss => 0.0,
        }
    }
}

/// A callback for intermediate results. It gets a closure that builds the solution as it stands.
pub(crate) type SolveProgress<'a> = dyn FnMut(&dyn Fn() -> Solution) + 'a;

/// What a solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The phase of the game, which says which solver it was.
    pub phase: Phase,
    /// The moves, the best first.
    pub lines: Vec<SolvedLine>,
    /// The number of moves that were considered.
    pub candidates: usize,
    /// Positions searched.
    pub nodes: u64,
    /// Moves refuted by an out-play of the opponent without a search.
    pub refuted_plays: u64,
    /// The part of the transposition table that is in use, in thousandths.
    pub per_mille_full: usize,
    /// Whether it is proved that no move is better than the first line. In an endgame all lines
    /// are proved then.
    pub solved: bool,
}

/// A move and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedLine {
    /// The move.
    pub candidate: Candidate,
    /// Its place among the lines, from 1.
    pub rank: usize,
    /// The change of the spread from now to the end of the game, in points. With more than two
    /// players the spread is the distance to the best opponent. With [`Goal::Win`] it is a bound.
    pub gain: f64,
    /// The win probability, if it is known or estimated.
    pub win: Option<f64>,
    /// The standard error of the win probability, if it is estimated.
    pub win_error: Option<f64>,
    /// What is proved about the win probability: it lies between these.
    pub win_bounds: (f64, f64),
    /// Whether the line is proved: in a pre-endgame its win probability, else its gain.
    pub exact: bool,
    /// The number of moves that were searched; 0 in a pre-endgame.
    pub depth: u8,
    /// Who wins, with [`Goal::Win`].
    pub result: Option<WinDrawLoss>,
    /// The principal variation as far as it is known, starting with the move itself.
    pub variation: Vec<Turn>,
    /// Pre-endgames: the outcome of each draw, if they are listed.
    pub draws: Vec<DrawOutcome>,
    /// The final scores by seat, if more than two play or points win at once.
    pub scores: Vec<Points>,
}

impl SolvedLine {
    /// A line before anything but the move and its place is known.
    pub(crate) fn unknown(candidate: Candidate, rank: usize) -> SolvedLine {
        SolvedLine {
            candidate,
            rank,
            gain: 0.0,
            win: None,
            win_error: None,
            win_bounds: (0.0, 1.0),
            exact: false,
            depth: 0,
            result: None,
            variation: vec![candidate.turn],
            draws: Vec::new(),
            scores: Vec::new(),
        }
    }
}

impl Solution {
    /// The best move that forms only valid words; `None` if there was no time to search any.
    pub fn best(&self) -> Option<Turn> {
        let mut lines = self.lines.iter();
        lines
            .find(|line| line.candidate.valid)
            .map(|line| line.candidate.turn)
    }

    /// Positions decided, by search or by an out-play of the opponent.
    pub(crate) fn decided_positions(&self) -> u64 {
        self.nodes + self.refuted_plays
    }

    /// Keeps the first `count` lines and those of moves that the request names.
    pub(crate) fn keep_lines(&mut self, count: usize) {
        let lines = &mut self.lines;
        lines.retain(|line| line.rank <= count || line.candidate.requested);
    }
}
