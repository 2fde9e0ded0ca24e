//! The time of a review: an average for each turn, which clear turns save and close turns spend.

use crate::search::clock::MoveTime;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The longest time of a turn, in averages: what a close choice may take.
const CLOSE_CHOICE_FACTOR: u32 = 3;
/// A turn gets at most this part of what earlier turns have saved, in addition to its own average,
/// as one part of this many. Chosen by hand: one close turn must not take all.
const SAVINGS_DIVISOR: u32 = 4;
/// The shortest time of a turn, as one part of this many of the average. Chosen by hand.
const SHORTEST_DIVISOR: u32 = 4;

/// Keeps the average time of a turn. Threads share it.
pub struct TimeBank {
    average: Duration,
    /// What the turns so far should have taken, and what they took.
    account: Mutex<TimeAccount>,
}

#[derive(Default)]
struct TimeAccount {
    due: Duration,
    spent: Duration,
}

impl TimeBank {
    /// A bank for turns that take `average` each.
    pub fn new(average: Duration) -> TimeBank {
        TimeBank {
            average,
            account: Mutex::default(),
        }
    }

    /// The time for the next turn.
    pub fn allot(&self) -> MoveTime {
        let account = self.account.lock();
        let account = account.unwrap_or_else(PoisonError::into_inner);
        let saved = account.due.saturating_sub(account.spent) / SAVINGS_DIVISOR;
        let overdrawn = account.spent.saturating_sub(account.due) / SAVINGS_DIVISOR;
        let shortest = self.average / SHORTEST_DIVISOR;
        let target = (self.average + saved).saturating_sub(overdrawn);
        let target = target.max(shortest);
        let max = self.average.saturating_mul(CLOSE_CHOICE_FACTOR);
        MoveTime {
            target: target.min(max),
            max: max.saturating_sub(overdrawn).max(target.min(max)),
        }
    }

    /// Books the time that a turn took.
    pub fn book(&self, taken: Duration) {
        let account = self.account.lock();
        let mut account = account.unwrap_or_else(PoisonError::into_inner);
        account.due = account.due.saturating_add(self.average);
        account.spent = account.spent.saturating_add(taken);
    }
}
