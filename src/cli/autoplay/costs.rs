//! The time and the iterations that players who search have used, over many games.

use crate::contender::{ClockUse, SearchEffort};
use serde_json::{Value, json};
use std::fmt;

/// Sums over the games of a player who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchCosts {
    turns: i64,
    iterations: i64,
    micros: i64,
    clocks: Option<ClockCosts>,
}

/// Sums over the games of a player with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClockCosts {
    games: i64,
    /// Millionths of the clock that were used, summed over games.
    used: i64,
    /// Games in which the clock ran out.
    oversteps: i64,
    /// The least time left in any game, in milliseconds.
    least: i64,
}

impl SearchCosts {
    /// The sums of one game.
    pub fn of(effort: SearchEffort, clock: Option<ClockUse>) -> SearchCosts {
        let micros = effort.time.as_micros() as i64;
        let clocks = clock.map(|clock| ClockCosts {
            games: 1,
            used: micros.saturating_mul(1_000_000) / (clock.given.as_micros() as i64).max(1),
            oversteps: i64::from(clock.least_ms < 0),
            least: clock.least_ms,
        });
        SearchCosts {
            turns: effort.searches.into(),
            iterations: effort.iterations as i64,
            micros,
            clocks,
        }
    }

    /// The sums of two sets of games.
    pub fn merge(self, other: SearchCosts) -> SearchCosts {
        SearchCosts {
            turns: self.turns + other.turns,
            iterations: self.iterations + other.iterations,
            micros: self.micros + other.micros,
            clocks: merge_options(self.clocks, other.clocks, ClockCosts::merge),
        }
    }

    fn millis_per_turn(&self) -> f64 {
        self.micros as f64 / 1_000.0 / self.turns.max(1) as f64
    }

    fn iterations_per_turn(&self) -> f64 {
        self.iterations as f64 / self.turns.max(1) as f64
    }

    /// Writes a line, or two with a clock.
    pub fn write(&self, player: &str, f: &mut fmt::Formatter) -> fmt::Result {
        let (millis, iterations) = (self.millis_per_turn(), self.iterations_per_turn());
        writeln!(
            f,
            "{player} takes {millis:.1} ms and {iterations:.0} iterations a turn"
        )?;
        let Some(clocks) = self.clocks else {
            return Ok(());
        };
        let (used, oversteps) = (clocks.mean_used() * 100.0, clocks.oversteps);
        write!(
            f,
            "{player} uses {used:.1} % of the clock, {oversteps} oversteps, "
        )?;
        match clocks.least {
            overstep if overstep < 0 => writeln!(f, "the worst by {} ms", -overstep),
            least => writeln!(f, "least left {least} ms"),
        }
    }

    pub fn json(&self) -> Value {
        let clock = |clocks: ClockCosts| {
            json!({
                "used": clocks.mean_used(), "oversteps": clocks.oversteps,
                "worst_overstep_ms": (-clocks.least).max(0), "least_left_ms": clocks.least,
            })
        };
        json!({
            "turns": self.turns,
            "ms_per_turn": self.millis_per_turn(),
            "iterations_per_turn": self.iterations_per_turn(),
            "clock": self.clocks.map(clock),
        })
    }
}

impl ClockCosts {
    fn merge(self, other: ClockCosts) -> ClockCosts {
        ClockCosts {
            games: self.games + other.games,
            used: self.used + other.used,
            oversteps: self.oversteps + other.oversteps,
            least: self.least.min(other.least),
        }
    }

    /// The share of the clock that was used, mean over games.
    fn mean_used(&self) -> f64 {
        self.used as f64 / 1e6 / self.games as f64
    }
}

/// Merges two values if both are there, else returns the one that is.
pub(super) fn merge_options<T>(a: Option<T>, b: Option<T>, merge: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(merge(a, b)),
        (a, b) => a.or(b),
    }
}
