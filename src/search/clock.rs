//! How much of a clock a move may take.

use crate::rules::Position;
use std::time::Duration;

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left in milliseconds; less than nothing in overtime.
    pub left_ms: i64,
    /// What is added after each move, in milliseconds.
    pub increment_ms: u64,
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// What is meant for it; with a clear choice less is taken.
    pub target: Duration,
    /// What it may take in a close choice.
    pub max: Duration,
}

/// Kept back for each move still to come, in milliseconds: what it takes to
/// start, to write and to be read, on a machine that has other things to do.
const OVERHEAD: i64 = 25;
/// Kept back in any case, in milliseconds.
const RESERVE: i64 = 60;
/// A close choice may take so many shares.
const CLOSE: i64 = 3;
/// Tiles placed in a turn, in tenths: static games take 11 to 12 turns of each player for 100 tiles.
const TILES_A_TURN: i64 = 43;
/// Penalties are for each minute begun.
const MINUTE: i64 = 60_000;
/// Time that is taken in any case, while there is some.
const LEAST: i64 = 5;

impl Clock {
    /// The time for a move in a position. In overtime the minute that was
    /// begun is paid for: what is left of it can be used.
    pub fn allot(&self, position: &Position) -> MoveTime {
        let left = match self.left_ms {
            left if left >= 0 => left,
            overtime => MINUTE + overtime % MINUTE,
        };
        let turns = turns_left(position);
        let increment = i64::try_from(self.increment_ms).unwrap_or(i64::MAX / 4);
        let usable = (left - RESERVE - OVERHEAD * turns).max(0);
        let share = usable / turns + increment.saturating_sub(OVERHEAD).max(0) * 3 / 4;
        // Never more than two parts of five of what there is, or of fewer near the end, whatever the increment promises.
        let most = share
            .saturating_mul(CLOSE)
            .min(usable * 2 / (turns + 2).min(5));
        let most = most.max(LEAST.min(left / (4 * turns)));
        let millis = |n: i64| Duration::from_millis(n.max(0) as u64);
        MoveTime {
            target: millis(share.min(most)),
            max: millis(most),
        }
    }
}

/// How many turns the player on turn will still have, by expectation.
fn turns_left(position: &Position) -> i64 {
    let hands: usize = position
        .turn_order()
        .map(|seat| position.rack(seat).len())
        .sum();
    let tiles = (position.bag_len() + hands) as i64;
    let players = position.player_count() as i64;
    (tiles * 10).div_euclid(players * TILES_A_TURN) + 1
}
