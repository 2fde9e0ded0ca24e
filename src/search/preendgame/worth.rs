//! What may be gained by finding out more about a candidate, and what that takes.

use super::judge::Probability;
use super::odds::{Odds, odds, unsure};

/// What is known of a candidate's share of wins, and how wrong that may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// What it seems to be.
    pub estimate: Probability,
    /// What is certain of it.
    pub least: Probability,
    /// What it can be at most.
    pub most: Probability,
    /// By how much the worlds in doubt can come out otherwise, each for itself: as a variance.
    pub variance: f64,
    /// How wrong the odds of all of them can be together.
    pub slip: Odds,
}

/// No estimate is less wrong.
const LEAST_ERROR: Probability = 1e-6;
/// Shares of worlds that are smaller are none: they come from rounding.
const NONE: Probability = 1e-9;

impl Belief {
    /// How much it can matter to know more, if it `leads` one who has that
    /// share of wins, or else is behind it. One who has little can still have
    /// much: that is measured in odds, and by what is left to win.
    pub fn promise(&self, other: Probability, leads: bool) -> f64 {
        let open = self.most - self.least;
        if open < NONE {
            return 0.0;
        }
        // What the open worlds bring now, and what they would have to bring.
        let mean = |share: Probability| unsure((share - self.least) / open);
        let (now, then) = (mean(self.estimate), mean(other));
        let way = self.way(other, leads);
        let distance = if way > 0.0 {
            let in_odds = (odds(then) - odds(now)).abs().max(NONE);
            let likely = self.variance / (way * way) + (self.slip / in_odds).powi(2);
            likely.recip()
        } else {
            0.0
        };
        let slope = f64::max(now * (1.0 - now), then * (1.0 - then));
        let beyond = self.variance.sqrt().hypot(open * self.slip * slope);
        faded(beyond, distance)
    }

    /// The same where estimates are this wrong, measured in shares: with many
    /// worlds, odds would send all the work to candidates that have next to nothing.
    pub fn promise_by_error(&self, error: Probability, other: Probability, leads: bool) -> f64 {
        let error = error.max(LEAST_ERROR);
        let way = self.way(other, leads).max(0.0);
        faded(error, (way / error).powi(2))
    }

    /// How far it is from one who has that share of wins.
    fn way(&self, other: Probability, leads: bool) -> Probability {
        match leads {
            true => self.estimate - other,
            false => other - self.estimate,
        }
    }
}

/// What may be gained beyond the other, as likely as it is to come so far: at
/// a distance of so many errors, squared. It falls with the fourth power, not as fast as by
/// chance alone: estimates can be worse than they know.
fn faded(beyond: f64, distance: f64) -> f64 {
    beyond / (1.0 + distance).powi(2)
}

/// What it takes to learn something of a world, by how often that was tried
/// and whether tiles stay in the bag: as it was in this search so far.
#[derive(Clone, Debug)]
pub struct Prices<const TRIES: usize>([[Spent; TRIES]; 2]);

#[derive(Clone, Copy, Debug)]
struct Spent {
    effort: f64,
    /// How often that told something.
    told: f64,
}

impl<const TRIES: usize> Prices<TRIES> {
    /// Before anything is known, a try takes so much.
    pub fn new(expected: impl Fn(u32) -> f64) -> Prices<TRIES> {
        let spent = |tries: usize| Spent {
            effort: expected(tries as u32),
            told: 1.0,
        };
        Prices([std::array::from_fn(spent); 2])
    }

    /// Notes what a try took, and whether it told something.
    pub fn enter(&mut self, keeps_bag: bool, tries: u32, effort: u64, told: bool) {
        let spent = &mut self.0[usize::from(keeps_bag)][tries as usize];
        spent.effort += effort as f64;
        spent.told += f64::from(u8::from(told));
    }

    /// What one takes that tells something.
    pub fn of(&self, keeps_bag: bool, tries: u32) -> f64 {
        let spent = &self.0[usize::from(keeps_bag)][tries as usize];
        spent.effort / spent.told
    }

    /// What the cheapest takes.
    pub fn least(&self) -> f64 {
        let all = self.0.iter().flatten();
        all.map(|spent| spent.effort / spent.told)
            .fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: Belief = Belief {
        estimate: 0.5,
        least: 0.0,
        most: 1.0,
        variance: 0.01,
        slip: 0.5,
    };

    #[test]
    fn who_is_farther_behind_promises_less() {
        let promises = [0.4, 0.5, 0.6, 0.8, 0.99].map(|leader| EVEN.promise(leader, false));
        assert!(promises[0] == promises[1], "{promises:?}");
        assert!(promises[1..].is_sorted_by(|a, b| a > b), "{promises:?}");
    }

    #[test]
    fn by_error_who_is_farther_behind_promises_less() {
        let promise = |leader| EVEN.promise_by_error(0.1, leader, false);
        let promises = [0.4, 0.5, 0.6, 0.8, 0.99].map(promise);
        assert!(promises[0] == promises[1], "{promises:?}");
        assert!(promises[1..].is_sorted_by(|a, b| a > b), "{promises:?}");
    }

    #[test]
    fn a_leader_far_ahead_promises_less() {
        let promises = [0.6, 0.5, 0.4, 0.2, 0.01].map(|second| EVEN.promise(second, true));
        assert!(promises[0] >= promises[1], "{promises:?}");
        assert!(promises[1..].is_sorted_by(|a, b| a > b), "{promises:?}");
    }

    #[test]
    fn where_nothing_is_open_nothing_is_promised() {
        let known = Belief {
            least: 0.5,
            most: 0.5,
            ..EVEN
        };
        assert_eq!(known.promise(0.4, false), 0.0);
    }

    /// Half of the worlds are lost: what is left would have to be won almost always.
    #[test]
    fn what_is_proved_lost_makes_the_way_longer() {
        let half = Belief { most: 0.75, ..EVEN };
        assert!(half.promise(0.74, false) < EVEN.promise(0.74, false));
    }

    #[test]
    fn tries_that_tell_nothing_make_the_next_dearer() {
        let mut prices = Prices::<3>::new(|tries| 100.0 * f64::from(tries + 1));
        assert_eq!(prices.of(false, 1), 200.0);
        prices.enter(false, 1, 200, true);
        assert_eq!(prices.of(false, 1), 200.0);
        prices.enter(false, 1, 200, false);
        assert_eq!(prices.of(false, 1), 300.0);
        assert_eq!(prices.of(true, 1), 200.0);
        assert_eq!(prices.least(), 100.0);
    }
}
