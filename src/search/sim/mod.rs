//! Monte Carlo simulation: estimates the win probability of candidates by playing the game on.
//!
//! The technique is simulation by determinization. Each iteration deals one *world*: a random
//! assignment of the unseen tiles to racks and bag. Every candidate is then played in this world,
//! and static players continue the game for some moves (a *rollout*).
//!
//! - **Common random numbers.** All candidates of an iteration share its world. Candidates are
//!   compared by their *paired differences*, world by world, so that luck common to both cancels.
//! - **Sequential elimination.** After each round of iterations, candidates that are behind the
//!   leader with enough evidence drop out, so that the remaining time goes to the close ones.
//!   The test stays valid although it is repeated after every round (`statistics`).
//! - **Results independent of threads.** Each world is seeded by its iteration, rounds end after a
//!   fixed number of iterations and never by the clock, and all sums are integers.
//!
//! Data flow: [`simulate`] takes a position, what the players know, and candidates that
//! [`ranking`](super::ranking) has sorted by static value. `elimination` decides which candidates
//! the next round plays, `workers` runs its rollouts on all threads, `rollout` plays one
//! candidate in one world, `verdicts` corrects the result of close endgames, and `statistics`
//! adds up the samples. A [`SimResult`] comes out. `static_play` compares worlds instead of
//! candidates: what the tiles are worth that a player gets. The module does not generate candidates, and
//! does not choose how much time to spend ([`Budget`] does).

mod board;
mod elimination;
mod rollout;
mod static_play;
mod statistics;
mod tuning;
mod verdicts;
mod workers;

pub use static_play::{RolloutFigures, StaticPlay};
pub use statistics::{CountedReply, PlyStats, SampleStats};
pub use tuning::MAX_REPORTED_REPLIES;
pub(crate) use tuning::{MAX_ITERATIONS, MAX_PLIES, MAX_SIMULATED, UTILITY_PER_POINT};

use super::Budget;
use super::endgame::{self, transposition::TranspositionTable};
use super::ranking::{Candidate, SearchKnowledge};
use crate::eval::{WinEstimator, WinModel};
use crate::rules::{Position, Turn};
use crate::seed::Seed;
use crate::units::WinProb;
use elimination::SequentialElimination;
use rollout::SimContext;
use tuning::*;
use workers::WorkerPool;

/// What to simulate, and how far.
#[derive(Clone, Debug)]
pub struct SimRequest {
    /// The number of moves after the candidate; `plies_for` the position if it is `None`.
    pub plies: Option<usize>,
    /// The largest number of iterations.
    pub iterations: Option<u64>,
    /// Stop when the choice is this certain.
    pub confidence: Option<StopConfidence>,
    /// How soon candidates drop out.
    pub elimination: EliminationPolicy,
    /// Whether a quick verdict decides rollouts of two players that reach a close endgame.
    pub endgame_verdicts: bool,
    /// The seed of all worlds.
    pub seed: Seed,
    /// The number of threads. The result does not depend on it.
    pub threads: usize,
    /// The memory for the boards that workers keep, in bytes. The result does not depend on it.
    pub memory: usize,
}

/// The evidence with which a candidate drops out because it is behind the leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EliminationPolicy {
    /// No candidate drops out.
    Never,
    /// Odds of 100 to 1: a dropped candidate is hardly ever the best. In a race of two players to a
    /// target score, 10 to 1.
    Cautious,
    /// Odds of 10 to 1: for a short simulation of many candidates before another search.
    Early,
}

impl EliminationPolicy {
    /// The evidence in log-odds.
    fn log_odds(self) -> Option<f64> {
        match self {
            EliminationPolicy::Never => None,
            EliminationPolicy::Cautious => Some(CAUTIOUS_LOG_ODDS),
            EliminationPolicy::Early => Some(EARLY_LOG_ODDS),
        }
    }
}

/// How certain a choice has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopConfidence {
    /// The accepted number of wrong choices in a thousand.
    pub wrong_per_thousand: u32,
}

/// The lead of one candidate over another, from their differences world by world. They vary less
/// than the figures of either, because both are played out in the same worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// The differences of win probabilities, in parts of [`WinProb::SCALE`].
    pub win: SampleStats,
    /// The differences of spread gained, in thousandths of a point.
    pub gain: SampleStats,
}

/// A simulated candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedCandidate {
    /// The candidate, with its rank before the simulation.
    pub candidate: Candidate,
    /// The win probability by its static value.
    pub static_win: WinProb,
    /// The win probabilities at the end of its rollouts, in parts of [`WinProb::SCALE`].
    pub win: SampleStats,
    /// The spread it gained, in thousandths of a point.
    pub gain: SampleStats,
    /// The lead of the best candidate over this one, if it was requested.
    pub best_lead: Option<Lead>,
    /// The moves after the candidate, one entry for each ply.
    pub plies: Vec<PlyStats>,
    /// The most frequent replies, the most frequent first; at most [`MAX_REPORTED_REPLIES`].
    pub replies: Vec<CountedReply>,
    /// Whether nothing is estimated: the candidate ends the game, and all tiles are known or do not
    /// count because it reaches the target score.
    pub exact: bool,
    /// Whether it has not dropped out.
    pub live: bool,
}

/// What a simulation has found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct SimResult {
    /// All candidates, the best first.
    pub candidates: Vec<SimulatedCandidate>,
    /// The number of worlds.
    pub iterations: u64,
    /// The number of rollouts: candidates times worlds, without what elimination saved.
    pub rollouts: u64,
    /// The largest number of moves after a candidate.
    pub plies: usize,
    /// The number of candidates that have dropped out.
    pub dropped: usize,
}

impl SimResult {
    /// The best move without a phony; a pass if there is none.
    pub fn best(&self) -> Turn {
        let valid = |simulated: &&SimulatedCandidate| simulated.candidate.valid;
        let best = self.candidates.iter().find(valid);
        best.map_or(Turn::Pass, |best| best.candidate.turn)
    }
}

/// Simulates `candidates`, which are sorted by static value, within a budget. Calls `progress`
/// after each round with a function that computes the result so far.
pub fn simulate(
    position: &Position,
    knowledge: SearchKnowledge,
    win_model: WinModel,
    candidates: &[Candidate],
    request: &SimRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(&dyn Fn() -> SimResult),
) -> SimResult {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = request.threads.clamp(1, MAX_THREADS_PER_CORE * cores);
    let plies = request.plies.unwrap_or_else(|| plies_for(position));
    let boards = match knowledge.vocabulary.is_common() {
        true => threads,
        false => 2 * threads,
    };
    let may_continue = || budget.may_continue();
    let context = SimContext {
        position,
        knowledge,
        win_estimator: WinEstimator::new(win_model, position.rules(), position.player_count()),
        candidates,
        seed: request.seed,
        plies: plies.min(MAX_PLIES),
        keeps_boards: candidates.len() * boards * KEPT_BOARD_BYTES <= request.memory,
        is_race: position.player_count() == 2 && !position.rules().targets.is_empty(),
        may_continue: &may_continue,
    };
    // Shorter rollouts end before the endgame does.
    let reaches_end = is_late(position) && context.plies == MAX_PLIES;
    let verdicts = reaches_end && request.endgame_verdicts && endgame::is_supported(position);
    let tables = if verdicts { threads } else { 0 };
    let tables: Vec<TranspositionTable> = (0..tables)
        .map(|_| TranspositionTable::new(VERDICT_TABLE_BYTES))
        .collect();
    let mut elimination = SequentialElimination::new(&context, request, verdicts);
    let mut workers = WorkerPool::new(&context, threads, &tables);
    while elimination.continues(budget) {
        let round = elimination.next_round();
        let samples = workers.run(&round, budget);
        elimination.add(&round, &samples);
        progress(&|| elimination.result());
    }
    elimination.result()
}

/// The number of moves to play after a candidate. Late in the game a rollout continues to the end
/// of the game, because the real result is better than any estimate and the way to it is short.
pub(crate) fn plies_for(position: &Position) -> usize {
    let (rack, opponents) = (position.rules().rack_size, position.player_count() - 1);
    match position.bag_len() {
        _ if is_late(position) => MAX_PLIES,
        bag if bag <= MIDDLE_BAG_RACKS * rack => MIDDLE_PLIES * opponents,
        _ => EARLY_PLIES * opponents,
    }
}

/// Whether rollouts continue to the end of the game.
fn is_late(position: &Position) -> bool {
    position.bag_len() <= LATE_BAG_RACKS * position.rules().rack_size
}
