//! Receivers of found placements: keep the best, or keep the best n.
//!
//! A search offers placements to a [`PlaySink`]. The sink raises its threshold
//! as it fills, and the search prunes everything below the threshold.

use super::gaddag::RawPlacement;
use super::penalties::Penalties;
use super::{Equity, Play};
use crate::units::Points;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Receives placements and states how good they must be.
pub(super) trait PlaySink {
    /// Placements with a lower equity, in thousandths of a point, need not be offered.
    fn threshold(&self) -> i32;
    /// Receives a placement and its equity in thousandths of a point.
    fn offer(&mut self, found: &RawPlacement, equity: i32);
    /// The play that a new one must exceed to be kept, if there is one.
    fn worst(&self) -> Option<&Play>;
    /// The penalties that the sink applies to the placements offered, if any.
    fn penalties(&self) -> Option<Penalties<'_>> {
        None
    }
}

/// Passes placements on, and notices whether there was one.
pub(super) struct NoticingSink<'a, S> {
    /// Whether a placement was offered.
    pub any: &'a Cell<bool>,
    pub sink: &'a mut S,
}

impl<S: PlaySink> PlaySink for NoticingSink<'_, S> {
    fn threshold(&self) -> i32 {
        self.sink.threshold()
    }

    fn offer(&mut self, found: &RawPlacement, equity: i32) {
        self.any.set(true);
        self.sink.offer(found, equity);
    }

    fn worst(&self) -> Option<&Play> {
        self.sink.worst()
    }

    fn penalties(&self) -> Option<Penalties<'_>> {
        self.sink.penalties()
    }
}

/// Less than every equity, in thousandths of a point. Half of the smallest
/// `i32`, so that adding a leave value does not overflow.
pub(super) const LOWEST_EQUITY: i32 = i32::MIN / 2;

impl RawPlacement<'_> {
    /// The play with this placement and this equity.
    fn play(&self, side: usize, equity: i32) -> Play {
        Play {
            placement: self.placement(side as u8),
            points: Points(self.points),
            equity: Equity::from_millis(equity),
        }
    }
}

/// Keeps the best play.
pub(super) struct BestPlaySink {
    side: usize,
    threshold: i32,
    pub play: Option<Play>,
}

impl BestPlaySink {
    pub fn new(side: usize) -> BestPlaySink {
        BestPlaySink::starting_with(side, None)
    }

    /// Keeps plays with at least this equity.
    pub fn from(side: usize, at_least: Equity) -> BestPlaySink {
        BestPlaySink {
            side,
            threshold: at_least.millis(),
            play: None,
        }
    }

    /// Starts with the best play of an earlier search.
    pub fn starting_with(side: usize, play: Option<Play>) -> BestPlaySink {
        BestPlaySink {
            side,
            threshold: play.map_or(LOWEST_EQUITY, |play| play.equity.millis()),
            play,
        }
    }
}

impl PlaySink for BestPlaySink {
    fn threshold(&self) -> i32 {
        self.threshold
    }

    fn offer(&mut self, found: &RawPlacement, equity: i32) {
        if equity >= self.threshold {
            self.play = self.play.max(Some(found.play(self.side, equity)));
            self.threshold = equity;
        }
    }

    fn worst(&self) -> Option<&Play> {
        self.play.as_ref()
    }
}

/// Keeps the best `count` plays.
pub(super) struct TopPlaysSink {
    side: usize,
    count: usize,
    plays: BinaryHeap<Reverse<Play>>,
}

impl TopPlaysSink {
    pub fn new(side: usize, count: usize) -> TopPlaysSink {
        TopPlaysSink {
            side,
            count,
            plays: BinaryHeap::new(),
        }
    }

    /// The plays, best first.
    pub fn into_plays(self) -> Vec<Play> {
        self.plays
            .into_sorted_vec()
            .into_iter()
            .map(|Reverse(play)| play)
            .collect()
    }
}

impl PlaySink for TopPlaysSink {
    fn threshold(&self) -> i32 {
        match self.plays.peek() {
            Some(Reverse(worst)) if self.plays.len() >= self.count => worst.equity.millis(),
            _ if self.count == 0 => i32::MAX,
            _ => LOWEST_EQUITY,
        }
    }

    fn offer(&mut self, found: &RawPlacement, equity: i32) {
        if equity >= self.threshold() {
            self.plays.push(Reverse(found.play(self.side, equity)));
            if self.plays.len() > self.count {
                self.plays.pop();
            }
        }
    }

    fn worst(&self) -> Option<&Play> {
        let worst = self.plays.peek().map(|Reverse(worst)| worst);
        worst.filter(|_| self.plays.len() >= self.count)
    }
}
