//! The clock of one seat: what it was given, what it has used, and how low it ran.

use crate::search::clock::Clock;
use std::time::Duration;

/// The clock of one seat in a game.
#[derive(Clone, Copy, Debug)]
pub struct SeatClock {
    increment_ms: u64,
    used: Duration,
    usage: ClockUse,
}

/// How a clock was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockUse {
    /// All the time that the seat had so far, increments included.
    pub given: Duration,
    /// The least time left after a move, in milliseconds; negative in overtime.
    pub least_ms: i64,
}

impl SeatClock {
    /// The clock at the start of a game.
    pub fn new(clock: Clock) -> SeatClock {
        SeatClock {
            increment_ms: clock.increment_ms,
            used: Duration::ZERO,
            usage: ClockUse {
                given: Duration::from_millis(clock.left_ms.max(0) as u64),
                least_ms: clock.left_ms,
            },
        }
    }

    /// The clock as it stands before a move. A part of a millisecond does not count; in overtime it
    /// counts in full.
    pub fn read(&self) -> Clock {
        let micros = |time: Duration| time.as_micros() as i64;
        Clock {
            left_ms: (micros(self.usage.given) - micros(self.used)).div_euclid(1_000),
            increment_ms: self.increment_ms,
        }
    }

    /// Charges the time of a move; then adds the increment.
    pub fn charge(&mut self, time: Duration) {
        self.used += time;
        self.usage.least_ms = self.usage.least_ms.min(self.read().left_ms);
        self.usage.given += Duration::from_millis(self.increment_ms);
    }

    /// How it was used so far.
    pub fn usage(&self) -> ClockUse {
        self.usage
    }
}
