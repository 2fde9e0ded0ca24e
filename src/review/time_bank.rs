//! The time of a review: an average for each turn, which clear turns save and close turns spend.

use crate::search::clock::MoveTime;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The longest time of a turn, in averages: what a close choice may take.
const CLOSE_CHOICE_FACTOR: u32 = 3;
/// A turn gets at most this part of what earlier turns have saved, in addition to its own average,
/// as one part of this many. Chosen by hand: one close turn must not take all.
const SAVINGS_DIVISOR: u32 = 4;
/// What earlier turns have taken too much is taken back by this part at each turn, as one part of this
/// many. Chosen by hand: if all turns are close, the bank is overdrawn by four averages at most.
const OVERDRAFT_DIVISOR: u32 = 2;
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
        let overdrawn = account.spent.saturating_sub(account.due) / OVERDRAFT_DIVISOR;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The average of many turns that each take the longest or the target time that they may.
    fn average(of: fn(MoveTime) -> Duration) -> f64 {
        let (bank, turns) = (TimeBank::new(Duration::from_secs(1)), 100);
        let mut all = Duration::ZERO;
        for _ in 0..turns {
            let taken = of(bank.allot());
            bank.book(taken);
            all += taken;
        }
        all.as_secs_f64() / f64::from(turns)
    }

    #[test]
    fn the_average_is_kept_whatever_turns_take() {
        assert!((average(|time| time.target) - 1.0).abs() < 0.01);
        let longest = average(|time| time.max);
        assert!((0.95..1.06).contains(&longest), "{longest}");
        assert!(average(|time| time.target / 4) < 1.0);
    }

    #[test]
    fn clear_turns_save_for_close_ones() {
        let bank = TimeBank::new(Duration::from_secs(1));
        let first = bank.allot();
        assert_eq!(first.target, Duration::from_secs(1));
        assert_eq!(first.max, Duration::from_secs(3));
        bank.book(Duration::from_millis(200));
        let saved = bank.allot();
        assert_eq!(saved.target, Duration::from_millis(1_200));
        bank.book(Duration::from_secs(3));
        assert!(bank.allot().target < Duration::from_secs(1));
        assert!(bank.allot().max >= bank.allot().target);
    }
}
