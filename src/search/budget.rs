//! How long a search may go on: until a deadline, or until it is told to stop.
//!
//! This is the only place in search that reads the clock.

use super::clock::Allotted;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Ends a search from another thread. Clones are the same token.
#[derive(Clone, Default)]
pub struct StopToken(Arc<Shared>);

#[derive(Default)]
struct Shared {
    stopped: AtomicBool,
    sleepers: Mutex<()>,
    wake: Condvar,
}

impl StopToken {
    /// Ends the search, now or when it looks next.
    pub fn stop(&self) {
        // Taking the lock keeps the signal from falling between a sleeper's look and its sleep.
        let guard = self
            .0
            .sleepers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.0.stopped.store(true, Ordering::Release);
        drop(guard);
        self.0.wake.notify_all();
    }

    /// Whether the search should end.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Sleeps until the search should end.
    pub fn wait(&self) {
        let mut guard = self
            .0
            .sleepers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() {
            guard = self
                .0
                .wake
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// How long a search may go on.
#[derive(Clone)]
pub struct Budget {
    stop: StopToken,
    start: Instant,
    deadline: Option<Instant>,
    /// With a clock: the time that is meant for the move.
    share: Option<Duration>,
}

/// How a search should go on with the time it has had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// In any case.
    On,
    /// Unless the choice is clear: time saved is time for later.
    IfOpen,
    /// Only if the choice is a close one.
    IfClose,
    /// No more.
    Stop,
}

impl Budget {
    /// From now on, for at most `time` if that is given, and as a clock allows if there is one.
    pub fn new(stop: StopToken, time: Option<Duration>, clock: Option<Allotted>) -> Budget {
        let start = Instant::now();
        let most = clock.map(|clock| clock.most);
        let time = time.into_iter().chain(most).min();
        // A time so long that the clock cannot say it is no limit.
        Budget {
            stop,
            start,
            deadline: time.and_then(|time| start.checked_add(time)),
            share: clock.map(|clock| clock.share),
        }
    }

    /// The same for a part of the time that is left, and no longer than `most`.
    /// Where no clock counts, none counts for the part: answers must not depend on it.
    #[must_use]
    pub fn part(&self, part: u32, most: Duration) -> Budget {
        let now = Instant::now();
        let share = self
            .share
            .map_or(most, |share| share.saturating_sub(self.elapsed()) / part);
        let end = |deadline: Instant| {
            let left = deadline.saturating_duration_since(now) / part;
            now + left.min(share).min(most)
        };
        Budget {
            deadline: self.deadline.map(end),
            share: None,
            ..self.clone()
        }
    }

    /// Whether it ends by the clock.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// What ends it from another thread.
    pub fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }

    /// How to go on.
    pub fn pace(&self) -> Pace {
        match self.share {
            _ if !self.go_on() => Pace::Stop,
            None => Pace::On,
            Some(share) if self.elapsed() < share => Pace::IfOpen,
            Some(_) => Pace::IfClose,
        }
    }

    /// Whether to go on.
    pub fn go_on(&self) -> bool {
        !self.stop.is_stopped()
            && self
                .deadline
                .is_none_or(|deadline| Instant::now() < deadline)
    }

    /// The time since it started.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The simulation before a pre-endgame once ended by the clock although only iterations were limited.
    #[test]
    fn a_part_of_no_limit_is_no_limit() {
        let budget = |time| Budget::new(StopToken::default(), time, None);
        let most = Duration::from_secs(1);
        assert!(!budget(None).part(3, most).is_timed());
        assert!(budget(Some(most)).part(3, most).is_timed());
        assert!(!budget(Some(Duration::ZERO)).part(3, most).go_on());
    }
}
