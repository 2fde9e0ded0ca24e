//! The tuning constants of the endgame solvers: value, unit and evidence.
//!
//! "Hard endgames" are the 12 positions of `tests/golden/endgame-hard.cgp`, proved by one thread.
//! None of these values changes a proved value; they change how long a proof takes, and what is
//! guessed without one.

// Principal variation search: depths and lines.

/// Depths, in moves, that are searched before the full depth. They take little time and give the
/// full search a good order of the root moves. Measured: depths 1, 2, 4 and then the full depth
/// instead of one depth after another took the hard endgames from 15.0 s to 6.8 s.
pub(super) const SHALLOW_DEPTHS: [u8; 3] = [1, 2, 4];

/// The maximum length of a reported principal variation, in moves. The table can be wrong about
/// what follows, and can even lead around in a circle. Chosen by hand; not tuned.
pub(super) const MAX_VARIATION_MOVES: usize = 40;

// Move ordering.

/// Number of moves that are sorted before any is searched; the others follow only if none of
/// these causes a cutoff. Introduced together with cheaper lists of worlds; both took six
/// pre-endgames from 54.2 s to 47.1 s. The value itself was not tuned.
pub(super) const FIRST_SORTED_MOVES: usize = 16;

/// Units of the ordering score for one point. The history heuristic uses the finer units.
pub(super) const ORDER_UNITS_PER_POINT: i32 = 16;

/// Ordering bonus, in points, for each lane in which another play could take the rest of the
/// rack: an opponent can seldom block two lanes. Measured: without it the hard endgames took 1.7 s
/// instead of 0.74 s. Ten other weights on 240 endgames were within noise.
pub(super) const OUT_LANE_BONUS: i32 = 10;

/// The maximum number of lanes that earn [`OUT_LANE_BONUS`]. Tested with it.
pub(super) const MAX_OUT_LANES: u32 = 3;

/// A player who can give away more than this many points and still reach the goal is in a hurry
/// to end the game. Chosen by hand; not tuned.
pub(super) const HURRY_MARGIN: i32 = 15;

/// [`OUT_LANE_BONUS`] of a player in a hurry, in points. Chosen by hand; not tuned.
pub(super) const HURRY_OUT_LANE_BONUS: i32 = 110;

/// Ordering bonus for each placed tile of a player in a hurry, in points. Chosen by hand; not
/// tuned.
pub(super) const HURRY_TILE_BONUS: i32 = 30;

/// Slots of the history table, indexed by seat and the low bits of the play's key. Guess. Without
/// the history heuristic the hard endgames took 0.7 s instead of 0.74 s: no gain was measured.
pub(super) const HISTORY_SLOTS: usize = 1 << 14;

/// The bound of a history score, in ordering units: 1,000 points. Guess.
pub(super) const HISTORY_LIMIT: i32 = 16_000;

/// What a play gains when it causes a cutoff, in ordering units. Guess.
pub(super) const HISTORY_REWARD: i32 = 64;

/// What a play loses when a later play causes the cutoff, in ordering units. Guess.
pub(super) const HISTORY_PENALTY: i32 = 8;

// Work and stopping.

/// Plays generated in the time of one searched position. Measured in 28 searches with one to seven
/// tiles in the bag: 4.4 microseconds for a position, 0.125 for a play.
pub(super) const PLAYS_PER_NODE: u64 = 32;

/// The stop condition is polled after this much work, in nodes. Chosen by hand; not tuned. Of 500
/// searches that were stopped, the slowest ended 16 ms after the command.
pub(super) const POLL_INTERVAL_NODES: usize = 64;

/// Plays generated that count as one node until the next poll. It is less than [`PLAYS_PER_NODE`],
/// so that polls come too often rather than too late. Chosen by hand; not tuned.
pub(super) const PLAYS_PER_POLL_NODE: usize = 8;

/// The max^n search polls the stop condition once in this many nodes. They take longer than those
/// of two players. Chosen by hand; not tuned.
pub(super) const MAXN_POLL_INTERVAL_NODES: u64 = 16;

// Quick verdicts.

/// Log-likelihood ratio of each [`QuickVerdict`](super::quick_verdict::QuickVerdict), in the order
/// of its variants: won against lost endgames. Rough values from endgames that were proved within
/// half a minute, which are not a fair sample.
pub(super) const VERDICT_LOG_ODDS: [f64; 6] = [4.6, 2.9, 1.4, -0.4, -0.3, -4.6];

/// The same after a second, longer verdict. Counted in about 70 open positions with two tiles in
/// the bag that were searched for 5 to 12 s. Endgames of `LostAtOnePly`: 70 proved won, 51 proved
/// lost, most never proved. The first verdict is ignored although it matters: 28 won and 6 lost
/// after `NoWinFound`, 10 and 22 otherwise. Endgames of `NoWinFound`: 253 won, 6 lost.
pub(super) const SECOND_VERDICT_LOG_ODDS: [f64; 6] = [4.6, 3.3, 1.4, -0.4, 0.3, -4.6];

/// Log-likelihood ratio of `LostAtOnePly` if an attempt to prove the endgame has failed since.
/// Counted in the same positions: 60 won and 20 lost after one attempt, 35 and 8 after two; 89 won
/// and 8 lost in the endgames after seven candidates that emptied a bag of four tiles.
pub(super) const UNPROVED_LOSS_LOG_ODDS: f64 = 1.0;

/// Log-likelihood ratio of `WonAtTwoPlies` after a failed attempt to prove it. A guess: 23 were
/// proved won and 4 lost, 264 stayed open.
pub(super) const UNPROVED_WIN_LOG_ODDS: f64 = 1.9;

/// What the player to move gains by thinking instead of playing greedily, in points. Counted in
/// 5,400 proved endgames after three tiles were drawn. By the greedy spread of the player to move
/// this player won 2 % at 30 to 40 points behind, 5 % at 20 to 30, 52 % at 10 to 20, 79 % at 0 to
/// 10, 97 % at up to 10 points ahead, 99 % at up to 20, and all beyond.
pub(super) const MOVER_ADVANTAGE: f64 = 15.0;

/// The scale of the logistic curve around [`MOVER_ADVANTAGE`], in points. From the same counts.
pub(super) const MOVER_ADVANTAGE_SCALE: f64 = 5.0;

/// How many times wider the logistic curve is after a move chosen because it seems good. Counted
/// in 432 proved endgames after the best two moves of about 80 open positions with two tiles in the
/// bag. By the greedy spread of the player who made that move this player won none of 70 at more
/// than 20 points behind, 3 of 24 at 10 to 20, 17 of 39 at up to 10; 98 of 106 at 30 to 40 points
/// ahead and 185 of 193 beyond.
pub(super) const CHOSEN_MOVE_SCALE_FACTOR: f64 = 2.0;

/// The bounds of the log-odds after a move chosen because it seems good, without the part of a
/// lead that no move can make up. From the same counts: 185 of 193 is not certain.
pub(super) const CHOSEN_MOVE_LOG_ODDS: (f64, f64) = (-5.0, 2.0);

/// One move seldom brings more points than this. A greedy lead beyond it is safe, because the
/// opponent can seldom prevent everything that makes it. Regression-tested; the value is a guess.
pub(super) const LARGEST_USUAL_THREAT: f64 = 60.0;

/// A greedy playout decides an endgame if its win probability is this close to 0 or 1. Guess.
pub(super) const PLAYOUT_DOUBT: f64 = 0.04;

/// The work of a greedy playout until the next poll of the stop condition, in nodes. Guess.
pub(super) const PLAYOUT_POLL_NODES: usize = 8;
