//! Time management over a game: how much of its clock a player spends on one move.
//!
//! The time left, minus a reserve, is divided evenly among the moves that are still expected. A
//! close choice may take a multiple of that. [`Clock::allot`] computes both; a
//! [`Budget`](super::Budget) holds the search to them. Nothing here reads the time.

use crate::rules::Position;
use std::time::Duration;

/// A player's game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left, in milliseconds; negative in overtime.
    pub left_ms: i64,
    /// The time added after each move, in milliseconds.
    pub increment_ms: u64,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// The time to aim for. A settled choice takes less.
    pub target: Duration,
    /// The longest time, for a close choice.
    pub max: Duration,
}

/// The time reserved for each move to come, in milliseconds: to start the search, and to write and
/// read the answer on a busy machine. Chosen by hand.
const OVERHEAD_PER_MOVE_MS: i64 = 25;
/// The time never spent, in milliseconds. Chosen by hand.
const RESERVE_MS: i64 = 60;
/// The longest time of a move, in target times. Chosen by hand.
const CLOSE_CHOICE_FACTOR: i64 = 3;
/// The tiles that a player places in one move, in tenths of a tile. In static games with 100 tiles,
/// each player makes 11 to 12 moves.
const TENTHS_OF_TILES_PER_MOVE: i64 = 43;
/// The unit of overtime penalties, in milliseconds: tournament rules count each minute begun.
const PENALTY_UNIT_MS: i64 = 60_000;
/// The time that a move takes at least, while any is left, in milliseconds. Chosen by hand.
const MIN_MOVE_MS: i64 = 5;

impl Clock {
    /// The time for a move in this position. In overtime the minute that has begun is already paid
    /// for by a penalty, so the rest of it can be spent.
    pub fn allot(&self, position: &Position) -> MoveTime {
        let left = match self.left_ms {
            left if left >= 0 => left,
            // At a full minute the next one has not begun.
            overtime => overtime.rem_euclid(PENALTY_UNIT_MS),
        };
        let moves = expected_moves(position);
        let increment = i64::try_from(self.increment_ms).unwrap_or(i64::MAX / 4);
        let usable = (left - RESERVE_MS - OVERHEAD_PER_MOVE_MS * moves).max(0);
        // Save a quarter of the increment.
        let bonus = increment.saturating_sub(OVERHEAD_PER_MOVE_MS).max(0) * 3 / 4;
        let target = usable / moves + bonus;
        // However large the increment, never more than a quarter of the usable time while six moves
        // or more are to come; then 2/7 of it, 2/6 and so on up to 2/3 for the last.
        let max = target
            .saturating_mul(CLOSE_CHOICE_FACTOR)
            .min(usable * 2 / (moves + 2).min(8));
        let max = max.max(MIN_MOVE_MS.min(left / (4 * moves)));
        let millis = |n: i64| Duration::from_millis(n.max(0) as u64);
        MoveTime {
            target: millis(target.min(max)),
            max: millis(max),
        }
    }
}

/// The number of moves that the player to move still expects to make, including this one.
fn expected_moves(position: &Position) -> i64 {
    let hands: usize = position
        .turn_order()
        .map(|seat| position.rack(seat).len())
        .sum();
    let tiles = (position.bag_len() + hands) as i64;
    let players = position.player_count() as i64;
    (tiles * 10).div_euclid(players * TENTHS_OF_TILES_PER_MOVE) + 1
}
