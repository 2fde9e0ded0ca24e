//! How long a search may go on: until a deadline, or until it is told to stop.
//!
//! This is the only place in search that reads the clock.

use super::clock::MoveTime;
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
pub enum TimeAdvice {
    /// In any case.
    Continue,
    /// Unless the choice is clear: time saved is time for later.
    ContinueUnlessSettled,
    /// Only if the choice is a close one.
    ContinueIfClose,
    /// No more.
    Stop,
}

impl Budget {
    /// From now on, for at most `time` if that is given, and as a clock allows if there is one.
    pub fn new(stop: StopToken, time: Option<Duration>, clock: Option<MoveTime>) -> Budget {
        let start = Instant::now();
        let most = clock.map(|clock| clock.max);
        let time = time.into_iter().chain(most).min();
        // A time so long that the clock cannot say it is no limit.
        Budget {
            stop,
            start,
            deadline: time.and_then(|time| start.checked_add(time)),
            share: clock.map(|clock| clock.target),
        }
    }

    /// The same for a part of the time that is left, and no longer than `most`.
    /// Where no clock counts, none counts for the part: answers must not depend on it.
    #[must_use]
    pub fn fraction(&self, part: u32, most: Duration) -> Budget {
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
    pub fn advice(&self) -> TimeAdvice {
        match self.share {
            _ if !self.may_continue() => TimeAdvice::Stop,
            None => TimeAdvice::Continue,
            Some(share) if self.elapsed() < share => TimeAdvice::ContinueUnlessSettled,
            Some(_) => TimeAdvice::ContinueIfClose,
        }
    }

    /// Whether to go on.
    pub fn may_continue(&self) -> bool {
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
        assert!(!budget(None).fraction(3, most).is_timed());
        assert!(budget(Some(most)).fraction(3, most).is_timed());
        assert!(
            !budget(Some(Duration::ZERO))
                .fraction(3, most)
                .may_continue()
        );
    }
}
