//! Pre-endgames: few tiles in the bag, so that all ways to draw can be looked at.
//!
//! A turn that empties the bag leads, for each draw, to an ending of which
//! everything is known: it is proved won, drawn or lost. Each candidate has
//! bounds on its share of wins, and the work goes where it can still change
//! the answer: to the leader, and to those that could be better than it.
//! What is not proved yet is estimated: by simulation at first, then by looks
//! at what endings lead to.

mod desk;
pub mod judge;
mod odds;
pub mod plain;
pub mod worlds;
mod worth;

use super::Budget;
use super::endgame;
use super::endgame::solver::{Goal, Solver};
use super::endgame::transposition::TranspositionTable;
use super::ranking::Candidate;
use super::sim::{self, SimulatedCandidate};
use crate::lexicon::Graph;
use crate::movegen::possible_words;
use crate::rules::Position;
use crate::seed::Seed;
use crate::units::WinProb;
use desk::{Desk, Next};
use judge::{Info, Judge, Probability};
use odds::{Odds, odds};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use worlds::World;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Request {
    /// Of so many of the best turns every draw is told.
    pub told: usize,
    /// The most work, in positions that take as long.
    pub effort: Option<u64>,
    /// How many threads to use.
    pub threads: usize,
    /// How many bytes the table takes.
    pub memory: usize,
    /// Where chance comes from, if there are too many ways to draw to look at all.
    pub seed: Seed,
    /// What there is to say of the first candidates beforehand.
    pub priors: Vec<Prior>,
}

/// A candidate and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The turn.
    pub candidate: Candidate,
    /// What it leads to for each draw, if that is told.
    pub draws: Vec<DrawOutcome>,
    /// The share of wins: drawn games count half.
    pub win: Probability,
    /// What is certain of it.
    pub least: Probability,
    /// What it can be at most.
    pub most: Probability,
    /// What is gained on the other by the end, by simulation.
    pub gain: f64,
    /// Whether the share of wins is proved, for all ways to draw.
    pub exact: bool,
}

/// One draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOutcome {
    /// What is drawn after the turn, and what stays in the bag.
    pub world: World,
    /// The share of wins.
    pub win: Probability,
    /// Whether it is proved.
    pub exact: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The candidates that were looked at, the best first.
    pub lines: Vec<Line>,
    /// How many candidates there are.
    pub candidates: usize,
    /// Positions searched.
    pub nodes: u64,
    /// Positions decided by a look at how a player goes out.
    pub looks: u64,
    /// How many of a thousand slots of the table are in use.
    pub per_mille_full: usize,
    /// Draws that are proved.
    pub proved: u64,
    /// Whether no other candidate can have a larger share of wins than the best.
    pub solved: bool,
}

/// How long a thread waits that has nothing to do.
const WAIT: Duration = Duration::from_micros(50);
/// The words that can still be formed are found in so small a part of the
/// time, and no longer than this; to make a graph of them takes as long again.
const FINDING_WORDS: u32 = 20;
const LONGEST_FINDING: Duration = Duration::from_millis(50);
/// The most tiles in the bag.
pub const MAX_BAG: usize = 7;

/// Whether it can be solved: two players, no targets, few tiles in the bag, of the other player nothing but the number of tiles is known.
pub fn is_plain(position: &Position) -> bool {
    let other = position.rack(1 - position.to_move().min(1));
    endgame::is_plain(position)
        && (1..=MAX_BAG).contains(&position.bag_len())
        && position.mover_rack().unknown == 0
        && !position.mover_rack().is_empty()
        && other.known.is_empty()
}

/// What there is to say of a candidate before anything is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The share of wins.
    pub win: Probability,
    /// How wrong that may be.
    pub error: Probability,
    /// What is gained on the other by the end, in points.
    pub gain: f64,
}

/// What a point more or less counts where the share of wins is an estimate.
const POINT: Probability = sim::UTILITY_PER_POINT as f64 / WinProb::SCALE as f64;
/// How wrong a simulation is that has gone on for ever: players in it do not think ahead.
const WRONG: Probability = 0.06;
/// How wrong a prior on a candidate may be that was not simulated. It only says what to look at: if estimates
/// had it, a candidate would seem to be the best after a look or two.
const BLIND: Probability = 0.15;
/// The chance to win without search counts as much as so many samples, as even chances do by Laplace's rule.
/// Fifteen times as many made no difference in 800 pairs of games with 300 ms a turn.
const BEFORE: f64 = 2.0;
/// What is gained is better known without search than who wins: it counts as much as so many samples.
const GAIN_BEFORE: f64 = 10.0;

impl Prior {
    /// None.
    const NONE: Prior = Prior {
        win: 0.5,
        error: WRONG,
        gain: 0.0,
    };

    /// What a simulation says of its candidates.
    pub fn from_simulation(simulated: &[SimulatedCandidate]) -> Vec<Prior> {
        let worth = |one: &SimulatedCandidate| f64::from(one.candidate.worth.total().millis());
        // What comes after a turn is much the same for all of them.
        let (mut count, mut more) = (0.0, 0.0);
        for one in simulated {
            count += one.gain.count as f64;
            more += (one.gain.mean() - worth(one)) * one.gain.count as f64;
        }
        let more = if count > 0.0 { more / count } else { 0.0 };
        let prior = |one: &SimulatedCandidate| Prior::of(one, worth(one) + more);
        simulated.iter().map(prior).collect()
    }

    /// What a simulation says of a candidate, and what it gains by what is known of it without search.
    fn of(simulated: &SimulatedCandidate, gain: f64) -> Prior {
        let SimulatedCandidate {
            win: wins,
            gain: gains,
            ..
        } = simulated;
        let (count, before) = (wins.count as f64, simulated.static_win.probability());
        // A few samples that are all won or lost do not make it sure.
        let win = wins.mean() / f64::from(WinProb::SCALE);
        let win = (win * count + before * BEFORE) / (count + BEFORE);
        let chance = win * (1.0 - win) / (count + BEFORE);
        let count = gains.count as f64;
        let gain = (gains.mean() * count + gain * GAIN_BEFORE) / (count + GAIN_BEFORE);
        Prior {
            win,
            error: (WRONG * WRONG + chance).sqrt(),
            gain: gain / 1_000.0,
        }
    }

    /// How far odds by it are apart from the truth, if that is nearer to even.
    fn apart(&self) -> Odds {
        // However wrong a prior is, no share is more than all.
        let farther = self.win.max(1.0 - self.win).min(1.0);
        odds(farther) - odds(farther - self.error)
    }

    /// How far odds by it may be apart from the truth if nothing was seen of the candidate.
    fn blind(&self) -> Odds {
        let error = self.error.max(BLIND);
        Prior { error, ..*self }.apart()
    }

    /// On candidates that come after those on which there are priors: they
    /// win no more often than any of those, and gain no more.
    fn of_unsimulated(priors: &[Prior]) -> Prior {
        let worst = priors.iter().min_by(|a, b| a.win.total_cmp(&b.win));
        let gains = priors.iter().map(|prior| prior.gain);
        worst.map_or(Prior::NONE, |worst| Prior {
            gain: gains.fold(worst.gain, f64::min),
            ..*worst
        })
    }
}

/// Values the candidates, which come in the order of what they seem to be
/// worth: the first few are those on which there are priors.
pub fn solve(
    position: &Position,
    graph: &Graph,
    candidates: &[Candidate],
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&dyn Fn() -> Found),
) -> Option<Found> {
    if !is_plain(position) || candidates.is_empty() {
        return None;
    }
    let table = TranspositionTable::new(request.memory);
    let patience = || budget.may_continue();
    let seat = position.to_move();
    let info = Info {
        seat,
        rack: position.mover_rack().known,
        unseen: *position.unseen(),
        bag: position.bag_len(),
        lead: (position.score(seat) - position.score(1 - seat)).0,
        exchanged: false,
    };
    let racks = [info.rack, info.rack];
    let fewer = fewer_words(position, graph, budget);
    let graph = fewer.as_ref().unwrap_or(graph);
    let make = || {
        let solver = Solver::new(position, graph, &racks, Goal::Win, &table, &patience);
        Judge::new(solver, position.rules())
    };
    let desk = Desk::new(candidates, request, &info, &make());
    let desk = Mutex::new(desk);
    let work = |progress: &mut dyn FnMut(&dyn Fn() -> Found)| {
        let mut judge = make();
        loop {
            let next = lock(&desk).next(budget);
            let task = match next {
                Next::Prove(task) => task,
                Next::Wait => {
                    std::thread::sleep(WAIT);
                    continue;
                }
                Next::Done => break,
            };
            let before = judge.solver.work();
            let sight = task.run(&mut judge, &info);
            let after = judge.solver.work();
            let mut desk = lock(&desk);
            desk.enter(&task, sight, after.since(&before));
            progress(&|| desk.found(request.told));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..request.threads.max(1) {
            scope.spawn(|| work(&mut |_| {}));
        }
        work(progress);
    });
    let found = lock(&desk).found(request.told);
    Some(Found {
        per_mille_full: table.per_mille_full(),
        ..found
    })
}

/// The words that can still be formed, if they are found in a small part of
/// the time: with them everything takes an eighth less.
fn fewer_words(position: &Position, graph: &Graph, budget: &Budget) -> Option<Graph> {
    let mut pool = *position.unseen();
    pool.add_all(&position.mover_rack().known);
    let budget = budget.fraction(FINDING_WORDS, LONGEST_FINDING);
    let go_on = || budget.may_continue();
    possible_words(position.rules(), graph, position.grid(), &pool, &go_on)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
