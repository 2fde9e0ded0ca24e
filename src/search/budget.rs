//! Time management within one search: a deadline, a target time, and a stop signal.
//!
//! Whoever starts a search makes a [`Budget`], and the search asks it whether to continue. With a
//! game clock, the advice depends on how close the choice is. This is the only place in `search`
//! that reads the time; [`clock`](super::clock) divides the time of a game among its moves.

use super::clock::MoveTime;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Stops a search from another thread. Clones share their state.
#[derive(Clone, Default)]
pub struct StopToken(Arc<StopState>);

/// The state that clones of a token share.
#[derive(Default)]
struct StopState {
    stopped: AtomicBool,
    sleepers: Mutex<()>,
    wake: Condvar,
}

impl StopToken {
    /// Stops the search at its next check, and wakes threads that [`Self::wait`].
    pub fn stop(&self) {
        // The lock keeps the signal from falling between a thread's check and its sleep.
        let guard = self.0.sleepers.lock();
        self.0.stopped.store(true, Ordering::Release);
        drop(guard);
        self.0.wake.notify_all();
    }

    /// Whether the search should stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Acquire)
    }

    /// Sleeps until the search should stop.
    pub fn wait(&self) {
        let guard = self.0.sleepers.lock();
        let guard = guard.unwrap_or_else(PoisonError::into_inner);
        // Nothing is locked but a place to sleep, so that a panic elsewhere does not matter.
        drop(self.0.wake.wait_while(guard, |()| !self.is_stopped()));
    }
}

/// The time that a search may take.
#[derive(Clone)]
pub struct Budget {
    stop: StopToken,
    start: Instant,
    deadline: Option<Instant>,
    /// With a game clock: the target time of the move.
    target: Option<Duration>,
}

/// Whether a search should continue after the time it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeAdvice {
    /// Continue in any case.
    Continue,
    /// Continue unless the choice is settled, to save time for later moves.
    ContinueUnlessSettled,
    /// The target time has passed: continue only if the choice is close.
    ContinueIfClose,
    /// Stop now.
    Stop,
}

impl Budget {
    /// Starts now. `time` is a fixed limit, `clock` the time by the game clock; the shorter counts.
    pub fn new(stop: StopToken, time: Option<Duration>, clock: Option<MoveTime>) -> Budget {
        let start = Instant::now();
        let max = clock.map(|clock| clock.max);
        let time = time.into_iter().chain(max).min();
        Budget {
            stop,
            start,
            // A deadline too far in the future for `Instant` is no deadline.
            deadline: time.and_then(|time| start.checked_add(time)),
            target: clock.map(|clock| clock.target),
        }
    }

    /// A budget for a part of the search: the time left divided by `divisor`, and at most `max`.
    /// Without a deadline the part has none either, because results must not depend on time then.
    #[must_use]
    pub(crate) fn fraction(&self, divisor: u32, max: Duration) -> Budget {
        let now = Instant::now();
        let target = self.target.map_or(max, |target| {
            target.saturating_sub(self.elapsed()) / divisor
        });
        let end = |deadline: Instant| {
            let left = deadline.saturating_duration_since(now) / divisor;
            now + left.min(target).min(max)
        };
        Budget {
            deadline: self.deadline.map(end),
            target: None,
            ..self.clone()
        }
    }

    /// Whether there is a deadline.
    pub fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// The token that stops this search.
    pub fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }

    /// Whether to continue, for a search that knows how close its choice is.
    pub(crate) fn advice(&self) -> TimeAdvice {
        match self.target {
            _ if !self.may_continue() => TimeAdvice::Stop,
            None => TimeAdvice::Continue,
            Some(target) if self.elapsed() < target => TimeAdvice::ContinueUnlessSettled,
            Some(_) => TimeAdvice::ContinueIfClose,
        }
    }

    /// Whether neither the stop signal nor the deadline has come.
    pub fn may_continue(&self) -> bool {
        !self.stop.is_stopped()
            && self
                .deadline
                .is_none_or(|deadline| Instant::now() < deadline)
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once the simulation before a pre-endgame had a deadline although only iterations were limited.
    #[test]
    fn a_fraction_of_no_limit_has_no_limit() {
        let budget = |time| Budget::new(StopToken::default(), time, None);
        let max = Duration::from_secs(1);
        assert!(!budget(None).fraction(3, max).is_timed());
        assert!(budget(Some(max)).fraction(3, max).is_timed());
        assert!(!budget(Some(Duration::ZERO)).fraction(3, max).may_continue());
    }
}
