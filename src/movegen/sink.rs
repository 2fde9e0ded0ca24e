//! What becomes of the placements that are found: the best, the best few, or
//! only whether there is one.

use super::best::{NOTHING, Sink};
use super::walk::Found;
use super::{Equity, Play};
use crate::units::Points;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Found<'_> {
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
pub(super) struct Best {
    side: usize,
    threshold: i32,
    pub play: Option<Play>,
}

impl Best {
    pub fn new(side: usize) -> Best {
        Best::from(side, None)
    }

    /// Goes on from the best so far.
    pub fn from(side: usize, play: Option<Play>) -> Best {
        Best {
            side,
            threshold: play.map_or(NOTHING, |play| play.equity.millis()),
            play,
        }
    }
}

impl Sink for Best {
    fn threshold(&self) -> i32 {
        self.threshold
    }

    fn offer(&mut self, found: &Found, equity: i32) {
        if equity >= self.threshold {
            self.play = self.play.max(Some(found.play(self.side, equity)));
            self.threshold = equity;
        }
    }
}

/// Keeps the best few.
pub(super) struct Top {
    side: usize,
    count: usize,
    plays: BinaryHeap<Reverse<Play>>,
}

impl Top {
    pub fn new(side: usize, count: usize) -> Top {
        Top {
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

impl Sink for Top {
    fn threshold(&self) -> i32 {
        match self.plays.peek() {
            Some(Reverse(worst)) if self.plays.len() >= self.count => worst.equity.millis(),
            _ if self.count == 0 => i32::MAX,
            _ => NOTHING,
        }
    }

    fn offer(&mut self, found: &Found, equity: i32) {
        if equity >= self.threshold() {
            self.plays.push(Reverse(found.play(self.side, equity)));
            if self.plays.len() > self.count {
                self.plays.pop();
            }
        }
    }
}

/// Asks whether there is anything better than a bound, and no more.
pub(super) struct Above {
    above: i32,
    pub found: bool,
}

impl Above {
    pub fn new(equity: Equity) -> Above {
        Above {
            above: equity.millis(),
            found: false,
        }
    }
}

impl Sink for Above {
    fn threshold(&self) -> i32 {
        if self.found {
            i32::MAX
        } else {
            self.above.saturating_add(1)
        }
    }

    fn offer(&mut self, _: &Found, equity: i32) {
        self.found |= equity > self.above;
    }
}
