//! Which solver a position near its end calls for, and what that found, in one form.

use super::Budget;
use super::endgame::solver::Goal;
use super::endgame::{self, WinDrawLoss, maxn};
use super::preendgame::{self, DrawOutcome, Prior};
use super::ranking::Candidate;
use crate::lexicon::Graph;
use crate::rules::{Position, Turn};
use crate::seed::Seed;
use crate::units::Points;

/// What a position calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Too much is unknown to solve anything.
    Open,
    /// Few tiles are in the bag: all ways to draw can be looked at.
    Preendgame,
    /// The bag is empty, and two play.
    TwoPlayerEndgame,
    /// The bag is empty, and more than two play, or points win at once: each for himself.
    GeneralEndgame,
}

impl Phase {
    /// The phase of a position.
    pub fn of(position: &Position) -> Phase {
        match position.bag_len() {
            0 if endgame::racks(position).is_some() && endgame::is_plain(position) => {
                Phase::TwoPlayerEndgame
            }
            0 if position.leftover_racks().is_some() => Phase::GeneralEndgame,
            _ if preendgame::is_plain(position) => Phase::Preendgame,
            _ => Phase::Open,
        }
    }
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct Request {
    /// How many of the best turns of an ending get an exact value.
    pub lines: usize,
    /// Of how many of the best turns every draw is told, with tiles in the bag.
    pub told: usize,
    /// Whether it counts only who wins.
    pub first_win: bool,
    /// The most turns that are searched in an ending.
    pub depth: Option<u8>,
    /// The most positions searched; with tiles in the bag, work that takes as long.
    pub nodes: Option<u64>,
    /// How many threads to use.
    pub threads: usize,
    /// How many bytes the table takes.
    pub memory: usize,
    /// Where chance comes from, if there are too many ways to draw to look at all.
    pub seed: Seed,
    /// What there is to say of the first candidates beforehand, with tiles in the bag.
    pub priors: Vec<Prior>,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Which solver it was.
    pub phase: Phase,
    /// The turns, the best first.
    pub lines: Vec<Line>,
    /// How many turns there are.
    pub turns: usize,
    /// Positions searched, those included that were decided by a look at how a player goes out.
    pub nodes: u64,
    /// How many of a thousand slots of the table are in use.
    pub per_mille_full: usize,
    /// Whether it is proved that nothing is better than the first line.
    pub solved: bool,
}

/// A turn and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The turn.
    pub candidate: Candidate,
    /// Its place among those that were valued, from 1.
    pub rank: usize,
    /// What is gained on the best of the others by the end, in points.
    pub gain: f64,
    /// The share of wins, if it is known; a drawn game is half of one.
    pub win: Option<f64>,
    /// Whether nothing about it is estimated: in a pre-endgame the share of wins, else what is gained.
    pub exact: bool,
    /// How many turns were searched.
    pub depth: u8,
    /// Who wins, if that was all that counted.
    pub result: Option<WinDrawLoss>,
    /// How it goes on, from the turn itself on, as far as it is known.
    pub variation: Vec<Turn>,
    /// What it leads to for each draw.
    pub draws: Vec<DrawOutcome>,
    /// The final scores by seat, where more than two play.
    pub scores: Vec<Points>,
}

impl Solution {
    /// The turn to take: of those that form only words, the best; `None` if there was no time for any.
    pub fn best(&self) -> Option<Turn> {
        let mut lines = self.lines.iter();
        lines
            .find(|line| line.candidate.valid)
            .map(|line| line.candidate.turn)
    }

    /// Leaves out all lines but so many, and those that were asked for.
    pub fn tell_first(&mut self, count: usize) {
        let lines = &mut self.lines;
        lines.retain(|line| line.rank <= count || line.candidate.requested);
    }
}

/// Solves a position of a phase that is not open, for candidates that are all
/// turns that count. `progress` may ask how it stands.
pub fn solve(
    position: &Position,
    phase: Phase,
    graph: &Graph,
    candidates: &[Candidate],
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&dyn Fn() -> Solution),
) -> Option<Solution> {
    match phase {
        Phase::Open => None,
        Phase::TwoPlayerEndgame => {
            let wanted = endgame::Request {
                lines: request.lines,
                goal: if request.first_win {
                    Goal::Win
                } else {
                    Goal::Spread
                },
                depth: request.depth,
                nodes: request.nodes,
                threads: request.threads,
                memory: request.memory,
            };
            let told = |found: &endgame::Found| of_endgame(position, found, candidates.len());
            let mut progress = |found: &endgame::Found| progress(&|| told(found));
            let found =
                endgame::solve(position, graph, candidates, &wanted, budget, &mut progress)?;
            Some(told(&found))
        }
        Phase::GeneralEndgame => {
            let wanted = maxn::Request {
                memory: request.memory,
                depth: request.depth,
                nodes: request.nodes,
            };
            let turns = candidates.iter();
            let turns: Vec<(Turn, Points)> = turns
                .map(|candidate| (candidate.turn, candidate.worth.points))
                .collect();
            let told = |found: &maxn::Found| of_free(position, found, candidates);
            let mut progress = |found: &maxn::Found| progress(&|| told(found));
            let found = maxn::solve(position, graph, &turns, &wanted, budget, &mut progress);
            Some(told(&found))
        }
        Phase::Preendgame => {
            let wanted = preendgame::Request {
                told: request.told,
                effort: request.nodes,
                threads: request.threads,
                memory: request.memory,
                seed: request.seed,
                priors: request.priors.clone(),
            };
            let mut progress =
                |found: &dyn Fn() -> preendgame::Found| progress(&|| of_preendgame(found()));
            let found =
                preendgame::solve(position, graph, candidates, &wanted, budget, &mut progress)?;
            Some(of_preendgame(found))
        }
    }
}

fn of_endgame(position: &Position, found: &endgame::Found, turns: usize) -> Solution {
    let seat = position.to_move();
    let lead = position.score(seat) - position.score(1 - seat);
    let line = |(line, rank): (&endgame::Line, usize)| {
        let win = match (line.result, line.exact) {
            (Some(result), true) => Some(result.win_probability()),
            // Who wins a tie is another question.
            (None, true) if line.value + lead != Points::ZERO => {
                Some(f64::from(u8::from(line.value + lead > Points::ZERO)))
            }
            _ => None,
        };
        Line {
            candidate: line.candidate,
            rank,
            gain: f64::from(line.value.0),
            win,
            exact: line.exact,
            depth: match line.exact {
                true => line.variation.len() as u8,
                false => found.depth,
            },
            result: line.result,
            variation: line.variation.clone(),
            draws: Vec::new(),
            scores: Vec::new(),
        }
    };
    Solution {
        phase: Phase::TwoPlayerEndgame,
        lines: found.lines.iter().zip(1..).map(line).collect(),
        turns,
        nodes: found.nodes + found.looks,
        per_mille_full: found.per_mille_full,
        solved: found.solved,
    }
}

fn of_free(position: &Position, found: &maxn::Found, candidates: &[Candidate]) -> Solution {
    let seat = position.to_move();
    let others = || position.turn_order().skip(1);
    let lead = |score: &dyn Fn(usize) -> Points| {
        let leads = others().map(|other| score(seat) - score(other));
        leads.min().unwrap_or(Points::ZERO)
    };
    let before = lead(&|seat| position.score(seat));
    let line = |((turn, valued), rank): (&(Turn, maxn::Valued), usize)| {
        let candidate = candidates
            .iter()
            .find(|candidate| candidate.turn == *turn)?;
        let win = match valued.winner {
            Some(winner) => f64::from(u8::from(winner == seat)),
            None => 0.5,
        };
        Some(Line {
            candidate: *candidate,
            rank,
            gain: f64::from((lead(&|seat| valued.scores[seat]) - before).0),
            win: valued.solved.then_some(win),
            exact: valued.solved,
            depth: found.depth,
            result: None,
            variation: vec![*turn],
            draws: Vec::new(),
            scores: valued.scores.to_vec(),
        })
    };
    Solution {
        phase: Phase::GeneralEndgame,
        lines: found.turns.iter().zip(1..).filter_map(line).collect(),
        turns: candidates.len(),
        nodes: found.nodes,
        per_mille_full: 0,
        solved: found.solved,
    }
}

fn of_preendgame(found: preendgame::Found) -> Solution {
    let line = |(line, rank): (preendgame::Line, usize)| Line {
        candidate: line.candidate,
        rank,
        gain: line.gain,
        win: Some(line.win),
        exact: line.exact,
        depth: 0,
        result: None,
        variation: vec![line.candidate.turn],
        draws: line.draws,
        scores: Vec::new(),
    };
    Solution {
        phase: Phase::Preendgame,
        turns: found.candidates,
        nodes: found.nodes + found.looks,
        per_mille_full: found.per_mille_full,
        solved: found.solved,
        lines: found.lines.into_iter().zip(1..).map(line).collect(),
    }
}
