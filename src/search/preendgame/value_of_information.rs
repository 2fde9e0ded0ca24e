//! Value of information: what one more result about a candidate may gain, and its cost.
//!
//! A result matters if it can change which candidate is chosen. So the value is the standard
//! error of the estimate, discounted the further away (in standard errors) the rival is that
//! the candidate would have to pass (or, for the leader, to fall behind). [`AttemptCosts`]
//! measures during the search how much work a useful result takes. The scheduler divides
//! one by the other.

use super::Probability;
use super::log_odds::{LogOdds, clamp_estimate, log_odds};
use super::tuning::{ATTEMPT_LEVELS, MIN_STANDARD_ERROR, PROBABILITY_TOLERANCE};

/// A candidate's win probability over all worlds, with bounds and uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WinEstimate {
    /// The expected win probability.
    pub mean: Probability,
    /// Proved lower bound: unproved worlds count as lost.
    pub lower: Probability,
    /// Proved upper bound: unproved worlds count as won.
    pub upper: Probability,
    /// Variance of the mean from the unproved worlds, if they are independent.
    pub variance: f64,
    /// Standard deviation of an error that all unproved worlds share.
    pub shared_log_odds_sd: LogOdds,
}

/// The role of a candidate in a comparison with one rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CandidateRole {
    /// The candidate leads; the rival is the best of the others.
    Leader,
    /// The rival leads.
    Challenger,
}

impl WinEstimate {
    /// Nothing is known: bounds 0 and 1.
    pub const UNKNOWN: WinEstimate = WinEstimate {
        mean: 0.0,
        lower: 0.0,
        upper: 1.0,
        variance: 0.0,
        shared_log_odds_sd: 0.0,
    };

    /// The value of another result, for comparison with a rival of win probability `rival`.
    /// It measures the distance in log-odds of the unproved worlds: a candidate with a
    /// small mean can still gain much if few worlds are proved lost.
    pub fn value_in_log_odds(&self, rival: Probability, role: CandidateRole) -> f64 {
        let unproved = self.upper - self.lower;
        if unproved < PROBABILITY_TOLERANCE {
            return 0.0;
        }
        // Win probability in the unproved worlds: expected, and needed to equal the rival.
        let in_unproved = |total: Probability| clamp_estimate((total - self.lower) / unproved);
        let (expected, needed) = (in_unproved(self.mean), in_unproved(rival));
        let gap = self.gap(rival, role);
        let distance = if gap > 0.0 {
            let in_log_odds = (log_odds(needed) - log_odds(expected)).abs();
            let in_log_odds = in_log_odds.max(PROBABILITY_TOLERANCE);
            let likely =
                self.variance / (gap * gap) + (self.shared_log_odds_sd / in_log_odds).powi(2);
            likely.recip()
        } else {
            0.0
        };
        let slope = f64::max(expected * (1.0 - expected), needed * (1.0 - needed));
        let shared_error = unproved * self.shared_log_odds_sd * slope;
        let error = self.variance.sqrt().hypot(shared_error);
        discounted(error, distance)
    }

    /// The value of another result if the estimate has this standard error. It measures the
    /// distance in probability: with many worlds, log-odds would send all the work to
    /// candidates that hardly ever win.
    pub fn value_in_probability(
        &self,
        standard_error: Probability,
        rival: Probability,
        role: CandidateRole,
    ) -> f64 {
        let error = standard_error.max(MIN_STANDARD_ERROR);
        let gap = self.gap(rival, role).max(0.0);
        discounted(error, (gap / error).powi(2))
    }

    /// How far the mean must move to pass the rival.
    fn gap(&self, rival: Probability, role: CandidateRole) -> Probability {
        match role {
            CandidateRole::Leader => self.mean - rival,
            CandidateRole::Challenger => rival - self.mean,
        }
    }
}

/// Reduces a possible gain by the squared distance to the rival, in standard errors. It
/// falls with the fourth power of the distance, slower than a normal tail, because real
/// errors exceed the estimated ones. Exponential, Gaussian and inverse-square tails were
/// tried and did no better.
fn discounted(error: f64, squared_distance: f64) -> f64 {
    error / (1.0 + squared_distance).powi(2)
}

/// The cost of a decisive result by attempt level, separately for candidates that empty the
/// bag and those that leave tiles in it; measured in the running search.
#[derive(Clone, Debug)]
pub(crate) struct AttemptCosts([[CostSum; ATTEMPT_LEVELS as usize]; 2]);

#[derive(Clone, Copy, Debug)]
struct CostSum {
    /// Work in node equivalents.
    work: f64,
    /// Number of decisive results.
    results: f64,
}

impl CostSum {
    fn per_result(&self) -> f64 {
        self.work / self.results
    }
}

impl AttemptCosts {
    /// Starts as if each level had one decisive result at its expected cost.
    pub fn new(expected: impl Fn(u32) -> f64) -> AttemptCosts {
        let sum = |level: usize| CostSum {
            work: expected(level as u32),
            results: 1.0,
        };
        AttemptCosts([std::array::from_fn(sum); 2])
    }

    /// Adds an attempt: the work it took and whether its result was decisive.
    pub fn add(&mut self, leaves_bag_tiles: bool, level: u32, work: u64, is_decisive: bool) {
        let sum = &mut self.0[usize::from(leaves_bag_tiles)][level as usize];
        sum.work += work as f64;
        sum.results += f64::from(u8::from(is_decisive));
    }

    /// The mean work per decisive result at a level.
    pub fn expected(&self, leaves_bag_tiles: bool, level: u32) -> f64 {
        self.0[usize::from(leaves_bag_tiles)][level as usize].per_result()
    }

    /// The lowest cost of a decisive result, over all levels and both kinds of candidates.
    pub fn cheapest(&self) -> f64 {
        let all = self.0.iter().flatten();
        all.map(CostSum::per_result).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A candidate that wins half of the time, with some doubt.
    const EVEN: WinEstimate = WinEstimate {
        mean: 0.5,
        lower: 0.0,
        upper: 1.0,
        variance: 0.01,
        shared_log_odds_sd: 0.5,
    };

    #[test]
    fn in_log_odds_the_value_falls_with_the_distance_to_the_leader() {
        let value = |leader| EVEN.value_in_log_odds(leader, CandidateRole::Challenger);
        let values = [0.4, 0.5, 0.6, 0.8, 0.99].map(value);
        assert!(values[0] == values[1], "{values:?}");
        assert!(values[1..].is_sorted_by(|a, b| a > b), "{values:?}");
    }

    #[test]
    fn in_probability_the_value_falls_with_the_distance_to_the_leader() {
        let value = |leader| EVEN.value_in_probability(0.1, leader, CandidateRole::Challenger);
        let values = [0.4, 0.5, 0.6, 0.8, 0.99].map(value);
        assert!(values[0] == values[1], "{values:?}");
        assert!(values[1..].is_sorted_by(|a, b| a > b), "{values:?}");
    }

    #[test]
    fn the_value_for_the_leader_falls_with_its_lead() {
        let value = |second| EVEN.value_in_log_odds(second, CandidateRole::Leader);
        let values = [0.6, 0.5, 0.4, 0.2, 0.01].map(value);
        assert!(values[0] >= values[1], "{values:?}");
        assert!(values[1..].is_sorted_by(|a, b| a > b), "{values:?}");
    }

    #[test]
    fn a_candidate_that_is_proved_in_all_worlds_has_no_value() {
        let proved = WinEstimate {
            lower: 0.5,
            upper: 0.5,
            ..EVEN
        };
        assert_eq!(
            proved.value_in_log_odds(0.4, CandidateRole::Challenger),
            0.0
        );
    }

    /// A quarter of the worlds is proved lost, so the others would have to be won almost
    /// always.
    #[test]
    fn proved_losses_lower_the_value() {
        let limited = WinEstimate {
            upper: 0.75,
            ..EVEN
        };
        let value =
            |estimate: WinEstimate| estimate.value_in_log_odds(0.74, CandidateRole::Challenger);
        assert!(value(limited) < value(EVEN));
    }

    #[test]
    fn attempts_without_a_decisive_result_raise_the_expected_cost() {
        let mut costs = AttemptCosts::new(|level| 100.0 * f64::from(level + 1));
        assert_eq!(costs.expected(false, 1), 200.0);
        costs.add(false, 1, 200, true);
        assert_eq!(costs.expected(false, 1), 200.0);
        costs.add(false, 1, 200, false);
        assert_eq!(costs.expected(false, 1), 300.0);
        assert_eq!(costs.expected(true, 1), 200.0);
        assert_eq!(costs.cheapest(), 100.0);
    }
}
