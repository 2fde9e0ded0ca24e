//! The constants of the simulation, each with its unit and the origin of its value.
//!
//! Utilities are in parts of [`WinProb::SCALE`], as in [`super::statistics`].

use crate::search::endgame::quick_verdict::{PlayoutUse, VerdictBudget};
use crate::units::{Points, WinProb};

/// The largest limit of iterations, in iterations. With it, all sums fit their integers.
pub(crate) const MAX_ITERATIONS: u64 = 1_000_000_000;

/// The longest rollout, in moves after the candidate. Most games have fewer moves left. The limit
/// exists because players who may exchange without end could go on without end.
pub(crate) const MAX_PLIES: usize = 60;

/// With at most this many racks of tiles in the bag, rollouts continue to the end of the game.
/// Chosen by hand.
pub(super) const LATE_BAG_RACKS: usize = 2;
/// With at most this many racks of tiles in the bag, rollouts have [`MIDDLE_PLIES`]. Chosen by hand.
pub(super) const MIDDLE_BAG_RACKS: usize = 4;
/// The length of a rollout in the middle of a game, in moves for each opponent. Chosen by hand.
pub(super) const MIDDLE_PLIES: usize = 3;
/// The length of a rollout early in a game, in moves for each opponent. Chosen by hand.
pub(super) const EARLY_PLIES: usize = 2;

/// The largest number of candidates that a simulation takes from a ranking. Requested moves and
/// the best exchanges come on top. Chosen by hand: the paired sums of 1,000 candidates take 4 MB.
pub(crate) const MAX_SIMULATED: usize = 1_000;

/// The largest number of threads for each core of the machine. More would only compete with each
/// other. Chosen by hand.
pub(super) const MAX_THREADS_PER_CORE: usize = 8;

/// The memory of one board that a worker keeps, in bytes. A rough estimate.
pub(super) const KEPT_BOARD_BYTES: usize = 30_000;

/// The largest number of iterations between two checks of elimination, time and confidence.
/// Chosen by hand.
pub(super) const MAX_ROUND_ITERATIONS: u64 = 256;

/// The smallest number of candidates in a work item. Fewer are not worth splitting, because the
/// candidates of a work item share the search for replies. Chosen by hand.
pub(super) const MIN_CANDIDATES_PER_WORK_ITEM: usize = 4;

/// The smallest number of candidates for which a worker prepares shared replies. With fewer, the
/// preparation takes longer than it saves. Chosen by hand.
pub(super) const MIN_CANDIDATES_FOR_SHARED_REPLIES: usize = 4;

/// Iterations before the first candidate may drop out. Chosen by hand.
pub(super) const MIN_ITERATIONS_BEFORE_ELIMINATION: u64 = 6;

/// Evidence for [`EliminationPolicy::Cautious`](super::EliminationPolicy::Cautious), in log-odds:
/// ln 100, rounded.
pub(super) const CAUTIOUS_LOG_ODDS: f64 = 4.6;

/// Evidence for [`EliminationPolicy::Cautious`](super::EliminationPolicy::Cautious) in a race of two
/// players to a target score, in log-odds: ln 10, rounded. Such games have some three turns for each
/// player, results vary more from world to world, and few candidates would ever drop out. Measured
/// as [`REPLY_ESTIMATE_PERCENT`].
pub(super) const RACE_LOG_ODDS: f64 = 2.3;

/// The weight, in percent, of the estimate after the first reply in the utility of a rollout in a race
/// of two players to a target score; the rest is that of its end. The early estimate is less true and
/// varies less. Measured in 580 positions of static games to 120 points: by how many percentage points
/// of win probability the choice of 2,500 rollouts is behind the best choice of all variants, by 1,000
/// rollouts to the end of the game. 0.48 without this weight and with [`CAUTIOUS_LOG_ODDS`], 0.35 with
/// [`RACE_LOG_ODDS`] alone, 0.36 with a weight of 40 alone, 0.25 with both; errors 0.03 to 0.06. A
/// simulation that ignores the target has 0.86 ± 0.11.
pub(super) const REPLY_ESTIMATE_PERCENT: i64 = 30;

/// Evidence for [`EliminationPolicy::Early`](super::EliminationPolicy::Early), in log-odds:
/// ln 10, rounded.
pub(super) const EARLY_LOG_ODDS: f64 = 2.3;

/// A difference of utility that does not matter: 0.1 % of a win. Chosen by hand.
pub(super) const NEGLIGIBLE_UTILITY: f64 = 0.001 * WinProb::SCALE as f64;

/// The weight of the static evaluation as a prior, in samples. The standard deviation of one
/// sample is about six times the error of the static evaluation, which makes 6² samples; rounded.
pub(super) const STATIC_PRIOR_SAMPLES: i64 = 30;

/// Iterations before rollouts ask for quick verdicts. During these, sampling noise exceeds the
/// correction that a verdict makes. Used in the measurements of [`VERDICT_BUDGET`]; no other value
/// was compared.
pub(super) const ITERATIONS_BEFORE_VERDICTS: u64 = 40;

/// The largest weight, in samples, of all iterations without verdicts together. The standard
/// deviation of one sample is about six times their error, which makes 6² samples; rounded.
pub(super) const MAX_WEIGHT_WITHOUT_VERDICTS: i64 = 40;

/// A rollout asks for a verdict if its final spread is below this. Looking ahead seldom changes
/// more. Used in the measurements of [`VERDICT_BUDGET`].
pub(super) const CLOSE_ENDGAME_SPREAD: Points = Points(20);

/// The search effort of one verdict, in nodes: look one and then two moves ahead. Against proofs
/// of 20,000 nodes, the root mean square error of a win probability falls from 9.5 to 2.7
/// percentage points, for 2.9 times the time of a rollout. With 5 to 7 tiles in the bag and 2 s a
/// move this wins 1.5 ± 0.5 and 0.9 ± 0.5 percentage points (100 and 70 close positions).
pub(super) const VERDICT_BUDGET: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::Never,
    one_ply_nodes: 100,
    two_ply_nodes: 100,
};

/// The transposition table of a worker's verdicts, in bytes. Small, because a verdict searches a
/// few hundred nodes at most and then clears it.
pub(super) const VERDICT_TABLE_BYTES: usize = 1 << 14;

/// The largest number of plays that a worker caches for verdicts. Few of them occur again in other
/// rollouts. Chosen by hand.
pub(super) const VERDICT_CACHED_PLAYS: usize = 1 << 15;

/// The utility of one point of spread: 1/5,000 of a win. In mid-game a point is worth about 1/300
/// of a win anyway. The small extra decides where the game is practically won or lost.
/// Chosen by hand.
pub(crate) const UTILITY_PER_POINT: i64 = 10;

/// The largest gain or loss that counts towards the utility, in points. Chosen by hand.
pub(super) const MAX_UTILITY_GAIN_POINTS: i64 = 500;

/// The number of samples of a candidate whose replies are counted. It is enough to find the most
/// frequent ones, and bounds the memory of a simulation that runs for hours. Chosen by hand.
pub(super) const MAX_COUNTED_REPLIES: u64 = 2_000;

/// The largest number of replies that the result of a candidate has. Chosen by hand: less frequent
/// replies are seldom worth a line.
pub const MAX_REPORTED_REPLIES: usize = 5;

/// The prior standard deviation of the difference between two candidates in one world: a tenth of
/// a win. Chosen by hand, after simulations eliminated candidates with rare wins: without it, few
/// worlds in which both candidates lose by the same spread would count as strong evidence.
pub(super) const PRIOR_DIFFERENCE_DEVIATION: f64 = 0.1 * WinProb::SCALE as f64;

/// The weight of [`PRIOR_DIFFERENCE_DEVIATION`], in worlds. Chosen by hand.
pub(super) const PRIOR_DIFFERENCE_WORLDS: f64 = 4.0;

/// The weight, in worlds, of the prior that two candidates are equal: the precision of the normal
/// prior of their standardized difference. 1 is the unit information prior; not tuned.
pub(super) const EQUALITY_PRIOR_WORLDS: f64 = 1.0;
