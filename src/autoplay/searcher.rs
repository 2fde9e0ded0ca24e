//! A player who searches as the engine does on `go`, with a clock if it likes.

use crate::engine::{SearchData, SearchDefaults, SearchRequest, think};
use crate::notation::cgp::Cgp;
use crate::rules::{Position, Turn};
use crate::search::clock::Clock;
use crate::seed::Seed;
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

/// A player who searches.
#[derive(Clone)]
pub struct Searcher {
    /// What it goes by.
    pub data: SearchData,
    /// What holds where the request says nothing.
    pub defaults: SearchDefaults,
    /// What is asked for at each turn; seed and clock are set for it.
    pub request: SearchRequest<Turn>,
    /// What there is for the whole game, if that is limited.
    pub clock: Option<Clock>,
    /// While there are more tiles in the bag, it takes what is worth most without search.
    pub from: usize,
}

impl Searcher {
    /// The turn to take, and how many iterations it was found by.
    fn find(&self, position: &Position, request: &SearchRequest<Turn>) -> (Turn, u64) {
        let analysis = think(position, &self.data, &self.defaults, request.clone());
        let analysis = analysis.unwrap_or_else(|text| panic!("{text}: {}", Cgp::of(position)));
        if let Some(text) = analysis.failure {
            panic!("{text}: {}", Cgp::of(position));
        }
        let iterations = analysis.simulation().map_or(0, |found| found.iterations);
        (analysis.best().unwrap_or(Turn::Pass), iterations)
    }
}

/// What a searching player has spent on a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The turns taken.
    pub turns: u32,
    /// The iterations made for all of them.
    pub iterations: u64,
    /// The time that they took.
    pub time: Duration,
    /// What that means for the clock, if there is one.
    pub clock: Option<ClockUse>,
}

/// How a clock was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockUse {
    /// All the time that there was so far, with what was added after each turn.
    pub given: Duration,
    /// The least that was left after a turn, in milliseconds; less than nothing in overtime.
    pub least: i64,
}

/// A searching player in a game.
#[derive(Clone)]
pub(super) struct Seated<'a> {
    searcher: &'a Searcher,
    pub effort: Effort,
}

impl<'a> Seated<'a> {
    /// At the start of a game.
    pub fn new(searcher: &'a Searcher) -> Seated<'a> {
        let clock = searcher.clock.map(|clock| ClockUse {
            given: Duration::from_millis(clock.left_ms.max(0) as u64),
            least: clock.left_ms,
        });
        let effort = Effort {
            clock,
            ..Effort::default()
        };
        Seated { searcher, effort }
    }

    /// Whether it searches with so many tiles in the bag.
    pub fn searches(&self, bag: usize) -> bool {
        bag <= self.searcher.from
    }

    /// The turn to take in a position, in which the player is on turn and knows the own rack.
    /// The clock runs as long as it takes.
    pub fn think(&mut self, position: &Position, seed: Seed) -> Turn {
        let start = Instant::now();
        let mut request = self.searcher.request.clone();
        request.seed = Some(seed.0);
        request.clocks[position.to_move()] = self.clock();
        let searcher = self.searcher;
        // In a thread of its own, for which this one really waits. Where games are played by a pool of
        // threads, one that waits for the threads of a search would take up another game, and the clock run on.
        let (turn, iterations) = thread::scope(|scope| {
            let search = scope.spawn(|| searcher.find(position, &request));
            search.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        self.effort.turns += 1;
        self.effort.iterations += iterations;
        self.effort.time += start.elapsed();
        self.stop_clock();
        turn
    }

    /// The clock as it stands.
    fn clock(&self) -> Option<Clock> {
        let increment = self.searcher.clock?.increment_ms;
        let left = self.left()?;
        Some(Clock {
            left_ms: left,
            increment_ms: increment,
        })
    }

    /// What is left in milliseconds. A part of one does not count, in overtime it counts as a whole.
    fn left(&self) -> Option<i64> {
        let micros = |time: Duration| time.as_micros() as i64;
        let given = self.effort.clock?.given;
        Some((micros(given) - micros(self.effort.time)).div_euclid(1_000))
    }

    /// A turn has been taken: what is left is noted before time is added.
    fn stop_clock(&mut self) {
        let left = self.left();
        let clocks = (self.searcher.clock, &mut self.effort.clock, left);
        if let (Some(clock), Some(used), Some(left)) = clocks {
            used.least = used.least.min(left);
            used.given += Duration::from_millis(clock.increment_ms);
        }
    }
}
