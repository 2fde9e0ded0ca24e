//! All constants of the pre-endgame solver: value, unit and evidence.
//!
//! "Regret" is the win probability given away by the chosen move, in percentage points,
//! judged by a much longer search of the same engine. Single runs are noisy: with 60
//! positions two settings that differ by less than 0.5 points cannot be told apart. "Guess"
//! means that the value was never compared with others.
//!
//! # Attempt levels
//! Each cell (one candidate in one world) has an attempt level that rises with each
//! attempt:
//!
//! | level | candidate empties the bag | candidate leaves tiles in the bag |
//! |---|---|---|
//! | 0 | quick verdict, [`FIRST_VERDICT_BUDGET`] | (starts at level 1) |
//! | 1 | quick verdict, [`SECOND_VERDICT_BUDGET`] | verdict by a model of the opponent |
//! | 2 to 4 | proof within 100 × 4^level nodes | (skipped) |
//! | 5 to 11 | proof within 100 × 4^level nodes | proof within 100 × 4^level nodes |

use super::Probability;
use super::log_odds::LogOdds;
use crate::search::endgame::quick_verdict::{PlayoutUse, VerdictBudget};
use crate::search::sim;
use crate::units::WinProb;
use std::time::Duration;

// Which positions and worlds

/// The most tiles in the bag for which a position counts as a pre-endgame. Guess; in games
/// with 5 to 7 tiles the solver was no better than simulation (50.30 % ± 0.57 of 500
/// pairs), so `auto` uses it for fewer.
pub const MAX_BAG: usize = 7;
/// If the bag can have at most this many contents, all are listed; otherwise this many are
/// sampled. Guess.
pub(super) const MAX_BAG_FILLS: usize = 400;
/// If a draw count has at most this many worlds, all are listed; otherwise one draw is
/// sampled from each content of the bag. Guess.
pub(super) const MAX_WORLDS_PER_DRAW_COUNT: usize = 2_000;

// Threads and time

/// How long a thread waits if all useful cells are in progress. Guess.
pub(super) const IDLE_WAIT: Duration = Duration::from_micros(50);
/// The search for the words that can still be formed may take 1 / this of the time. It
/// takes 1 to 45 ms and saves 13 % of the search (91.7 s -> 79.8 s for 16 positions with
/// one to four tiles in the bag).
pub(super) const WORD_SEARCH_TIME_DIVISOR: u32 = 20;
/// The most time for that search. Building the graph of the words takes as long again. See
/// [`WORD_SEARCH_TIME_DIVISOR`] for the measurement.
pub(super) const MAX_WORD_SEARCH_TIME: Duration = Duration::from_millis(50);

// Attempts

/// How many attempt levels there are; a cell that reaches this level is given up. Guess:
/// the last level allows 419 million nodes.
pub(super) const ATTEMPT_LEVELS: u32 = 12;
/// A proof at attempt level n may take this many nodes times [`PROOF_NODE_GROWTH`]^n.
/// Chosen by hand.
pub(super) const PROOF_BASE_NODES: u64 = 100;
/// See [`PROOF_BASE_NODES`]. Guess.
pub(super) const PROOF_NODE_GROWTH: u64 = 4;
/// The expected growth of the cost from one attempt level to the next, until the search has
/// measured it; equals [`PROOF_NODE_GROWTH`].
pub(super) const COST_GROWTH_PER_LEVEL: f64 = 4.0;
/// The level of the second, longer quick verdict of candidates that empty the bag. It comes
/// before the proofs because an endgame without a quick proof mostly takes much longer.
pub(super) const SECOND_VERDICT_LEVEL: u32 = 1;
/// The first level of candidates that leave tiles in the bag, because their first verdict
/// costs about four times that of the others. At level 2 (16 times) they were never
/// searched in lost positions.
pub(super) const LEAVING_FIRST_LEVEL: u32 = 1;
/// The level of the first proof of candidates that leave tiles in the bag. Such a proof
/// takes more than 100 ms, a verdict about 10 ms, and shorter proofs mostly failed.
pub(super) const LEAVING_PROOF_LEVEL: u32 = 5;
/// The first quick verdict, in nodes. Of endgames without a proof within 100 nodes, all 262
/// that one ply calls won were won and all 296 that two plies call lost were lost.
pub(super) const FIRST_VERDICT_BUDGET: VerdictBudget = VerdictBudget {
    proof_nodes: 100,
    playout: PlayoutUse::IfClear,
    one_ply_nodes: 100,
    two_ply_nodes: 500,
};
/// The second quick verdict, in nodes. It does not trust a greedy playout that wins,
/// because the opponent can often prevent the threat. Together with lower log-odds for such
/// playouts that lowered the total regret of 40 positions with one tile in the bag from
/// 12.5 to 0 points. The node counts are a guess.
pub(super) const SECOND_VERDICT_BUDGET: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::IfLost,
    one_ply_nodes: 1_500,
    two_ply_nodes: 1_500,
};

// Scheduling

/// How many candidates are open at first; the number doubles when they are exhausted.
/// Guess.
pub(super) const FIRST_CANDIDATES: usize = 48;
/// An estimate above this seems to be a sure win, whose proof is then preferred. With it
/// seven won positions, chosen because they were slow, took 0.6 to 1.1 s instead of 1.2 to
/// more than 20 s. The value is a guess.
pub(super) const SURE_WIN_THRESHOLD: Probability = 0.99;
/// The last attempt level at which candidates are proved that win no more often than the
/// leader but gain more spread, while more candidates may be opened. Guess.
pub(super) const SPREAD_MAX_LEVEL: u32 = 3;
/// The same when nothing else is left to do. In 13 positions won by far these attempts
/// lowered the spread given away from 2.1 to 1.2 points. The value is a guess.
pub(super) const LATE_SPREAD_MAX_LEVEL: u32 = 8;
/// Added to the probabilities of a win and of a loss when cells are compared, so that a
/// cell that seems decided keeps a small value. Guess.
pub(super) const CELL_CHOICE_FLOOR: Probability = 0.02;
/// The least standard error that the value of information assumes, against division by
/// zero.
pub(super) const MIN_STANDARD_ERROR: Probability = 1e-6;

// Priors

/// How many samples the static win probability counts in a prior. Two, as by Laplace's
/// rule; 30 made no difference in 800 pairs of games with 300 ms a move (50.06 % ± 0.29).
pub(super) const PRIOR_WIN_SAMPLES: f64 = 2.0;
/// How many samples the static gain in spread counts; it is better known than the winner.
/// Against no static gain, 700 pairs of games: 50.07 % ± 0.24 of games, spread +1.02 ± 0.35
/// points.
pub(super) const PRIOR_SPREAD_SAMPLES: f64 = 10.0;
/// The standard deviation of the error that simulation keeps after any number of samples,
/// because its players do not think ahead. 0.05, 0.06, 0.07 and others were tried on some
/// 50 positions with three and four tiles in the bag; the noise hid any difference.
pub(super) const SIMULATION_BIAS_SD: Probability = 0.06;
/// The least prior standard deviation of a candidate without simulation, for the value of
/// information only. In the estimates it raised the regret with two tiles in the bag from
/// 0.6 to 2.7: candidates led after one or two verdicts. The value is a guess.
pub(super) const UNSIMULATED_PRIOR_SD: Probability = 0.15;
/// What a point of spread counts in the order of candidates, as far as their win
/// probability is estimated: as much as in simulation.
pub(super) const WIN_PROBABILITY_PER_POINT: Probability =
    sim::UTILITY_PER_POINT as f64 / WinProb::SCALE as f64;

// Model

/// The standard deviation of bag effects. Guess.
pub(super) const BAG_EFFECT_SD: LogOdds = 1.5;
/// Shrinkage: the weight, in candidates, that pulls the bias of one draw count towards the
/// overall bias, and that towards 0. With 4 and 1 candidates the mean regret was 0.205 and
/// 0.155 with four tiles in the bag (40 positions), with 1 and 0.25 it was 0.39 and 0.07 on
/// 20 others: simulation overrates moves that leave tiles, and large weights corrected that
/// too slowly.
pub(super) const DRAW_BIAS_SHRINKAGE: f64 = 0.25;
/// The standard deviation of an error that the verdicts on all worlds of a candidate share.
/// The regret was 1.28 and 1.25 points without such an error and 1.13 with it (three tiles
/// in the bag), 1.44 and 1.35 without and 1.41 with it (four tiles): within the noise. 0.03
/// was no better.
pub(super) const VERDICT_BIAS_SD: Probability = 0.06;
/// The same in log-odds, for the value of information. Guess.
pub(super) const VERDICT_BIAS_LOG_ODDS_SD: LogOdds = 0.5;
/// The largest surprise of one candidate that counts for the bias of its draw count.
/// Without a limit the biases diverged with thousands of candidates. The value is a guess.
pub(super) const MAX_SURPRISE: LogOdds = 6.0;
/// The factor of the predicted log-odds after a greedy playout of the endgame that is lost,
/// because such a playout says most of it. After a playout that is won the factor is 1,
/// because the opponent may prevent the win. Guess.
pub(super) const LOST_PLAYOUT_PRIOR_WEIGHT: f64 = 0.5;
/// Newton steps each time a candidate's strength is fitted. Guess; the fit goes on from the
/// last value.
pub(super) const STRENGTH_NEWTON_STEPS: usize = 2;
/// Newton steps each time the strength is found that a prior implies. Guess; likewise.
pub(super) const MIXTURE_NEWTON_STEPS: usize = 3;
/// The longest Newton step, so that flat regions do not throw the fit far away. Guess.
pub(super) const MAX_NEWTON_STEP: LogOdds = 1.0;
/// Added to the slope of a Newton step, against division by zero.
pub(super) const MIN_NEWTON_SLOPE: f64 = 1e-6;
/// The whole model is fitted after this many results; between, only the candidate with a
/// new result. Guess.
pub(super) const REFIT_INTERVAL: u32 = 16;
/// The highest win probability of an estimate; the lowest is 1 minus this. Priors and
/// observations share it: with 0.995 for priors alone, moves that gained 20 points less
/// were played in won games (one limit: 50.50 % ± 0.37 of 300 pairs, spread +0.73 ± 0.54;
/// both at 0.995: 50.00 % ± 0.33).
pub(super) const MAX_ESTIMATE: Probability = 0.999;
/// Sums of fractions that differ by less are equal: the difference comes from rounding.
pub(super) const PROBABILITY_TOLERANCE: Probability = 1e-9;

// The opponent who does not know the bag

/// How many positions have their best moves cached; beyond it the caches are cleared. It
/// bounds memory. Guess.
pub(super) const MAX_CACHED_CHOICES: usize = 10_000;
/// How many moves, by points and value of the tiles placed, are screened by greedy
/// playouts. Guess.
pub(super) const SCREENED_MOVES: usize = 12;
/// In how many worlds each of them is played out. Guess.
pub(super) const SCREENING_WORLDS: usize = 4;
/// How many of them quick verdicts compare. Other widths were tried among 15 settings on 51
/// positions; the noise hid any difference.
pub(super) const COMPARED_MOVES: usize = 5;
/// In how many worlds quick verdicts compare them. Evidence as for [`COMPARED_MOVES`].
pub(super) const COMPARED_WORLDS: usize = 9;
/// With more contents of the bag, worlds are sampled: a list of all takes longer than the
/// verdicts. Guess.
pub(super) const MAX_LISTED_BAG_FILLS: usize = 400;
/// The budget of the quick verdicts with which the modelled opponent compares its moves;
/// smaller than [`FIRST_VERDICT_BUDGET`] because there are many. A clear playout decides:
/// without that, moves that win 95 to 97 % were estimated at 54 to 62 %.
pub(super) const IMAGINED_VERDICT_BUDGET: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::IfClear,
    one_ply_nodes: 100,
    two_ply_nodes: 100,
};

// Greedy playouts

/// The most moves of a greedy playout while tiles are in the bag. Guess.
pub(super) const MAX_GREEDY_MOVES: usize = 12;
/// The work of one greedy playout, in nodes, for the check of time. Guess.
pub(super) const GREEDY_PLAYOUT_NODES: usize = 8;
/// Points of spread per unit of log-odds after a greedy playout. Guess.
pub(super) const GREEDY_SPREAD_SCALE: f64 = 10.0;
/// A win probability this close to 0 or 1 after a greedy playout counts as 0 or 1. Guess.
pub(super) const GREEDY_CERTAINTY_MARGIN: Probability = 0.01;
/// What each tile placed counts in points when screened moves are tied: fewer tiles left
/// make a win easier to prove. Guess.
pub(super) const SCREENING_TILE_BONUS: f64 = 15.0;
