//! What becomes of the placements that are found: the best, the best few, or
//! only whether there is one.

use super::best_first::{LOWEST_EQUITY, PlaySink};
use super::gaddag::RawPlacement;
use super::{Equity, Play};
use crate::units::Points;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl RawPlacement<'_> {
    /// The play it is, worth `equity`.
    fn play(&self, side: usize, equity: i32) -> Play {
        Play {
            placement: self.placement(side as u8),
            points: Points(self.points),
            equity: Equity::from_millis(equity),
        }
    }
}

/// Keeps the best.
pub(super) struct BestPlaySink {
    side: usize,
    threshold: i32,
    pub play: Option<Play>,
}

impl BestPlaySink {
    pub fn new(side: usize) -> BestPlaySink {
        BestPlaySink::from(side, None)
    }

    /// Goes on from the best so far.
    pub fn from(side: usize, play: Option<Play>) -> BestPlaySink {
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
}

/// Keeps the best few.
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

    /// The best first.
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
}

/// Asks whether there is anything better than a bound, and no more.
pub(super) struct AnyAboveSink {
    above: i32,
    pub found: bool,
}

impl AnyAboveSink {
    pub fn new(equity: Equity) -> AnyAboveSink {
        AnyAboveSink {
            above: equity.millis(),
            found: false,
        }
    }
}

impl PlaySink for AnyAboveSink {
    fn threshold(&self) -> i32 {
        if self.found {
            i32::MAX
        } else {
            self.above.saturating_add(1)
        }
    }

    fn offer(&mut self, _: &RawPlacement, equity: i32) {
        self.found |= equity > self.above;
    }
}
