//! Log-odds, and how results move them: the arithmetic of a Rasch model.
//!
//! The statistical model says that the log-odds of a win is a sum: the strength of the
//! candidate plus the effect of the bag (Rasch 1960, item response theory). On this scale a
//! strong candidate still loses with the worst bags, and a weak one still wins with the
//! best. [`EvidenceSum`] accumulates the gradient and the Fisher information of the
//! log-likelihood, from which one Newton step moves a parameter towards its maximum a
//! posteriori estimate under a normal prior. The module knows nothing about candidates or
//! scheduling; `model` uses it.

use super::Probability;
use super::tuning::{MAX_ESTIMATE, MAX_NEWTON_STEP, MIN_NEWTON_SLOPE, MIXTURE_NEWTON_STEPS};
pub(crate) use crate::units::logistic as probability_of;

/// ln(p / (1 - p)) of a win probability p.
pub(crate) type LogOdds = f64;

/// Limits an estimate to 1 - [`MAX_ESTIMATE`] ..= [`MAX_ESTIMATE`], so that an estimate never
/// ties with a proved win or loss.
pub(crate) fn clamp_estimate(probability: Probability) -> Probability {
    probability.clamp(1.0 - MAX_ESTIMATE, MAX_ESTIMATE)
}

/// The log-odds of an estimated probability, which is limited first.
pub(crate) fn log_odds(probability: Probability) -> LogOdds {
    let probability = clamp_estimate(probability);
    (probability / (1.0 - probability)).ln()
}

/// What one content of the bag contributes to the log-odds of every candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BagEffect {
    /// The probability of this content.
    pub weight: f64,
    /// How much better it is for the player to move than the average content.
    pub effect: LogOdds,
}

impl BagEffect {
    /// Starts with no effect; `ways` are the weights of the contents.
    pub fn neutral(ways: impl Iterator<Item = u64> + Clone) -> Vec<BagEffect> {
        let total: u64 = ways.clone().sum();
        let bag = |ways: u64| BagEffect {
            weight: ways as f64 / total as f64,
            effect: 0.0,
        };
        ways.map(bag).collect()
    }
}

/// The strength with which the mean win probability over all bags is `probability`, found
/// by Newton's method from `start`.
pub(crate) fn strength_for_mean(
    probability: Probability,
    bags: &[BagEffect],
    start: LogOdds,
) -> LogOdds {
    let probability = clamp_estimate(probability);
    let mut strength = start;
    for _ in 0..MIXTURE_NEWTON_STEPS {
        let (mut mean, mut slope) = (0.0, MIN_NEWTON_SLOPE);
        for bag in bags {
            let win = probability_of(strength + bag.effect);
            mean += bag.weight * win;
            slope += bag.weight * win * (1.0 - win);
        }
        strength += ((probability - mean) / slope).clamp(-MAX_NEWTON_STEP, MAX_NEWTON_STEP);
    }
    strength
}

/// What results say about one parameter on the log-odds scale.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EvidenceSum {
    /// Gradient of the log-likelihood: results minus predictions.
    gradient: f64,
    /// Fisher information of the results.
    information: f64,
}

impl EvidenceSum {
    /// Adds a result where the model predicted `predicted`.
    pub fn add(&mut self, result: Probability, predicted: LogOdds) {
        let win = probability_of(predicted);
        self.gradient += result - win;
        self.information += win * (1.0 - win);
    }

    /// One Newton step from `current` towards the maximum a posteriori estimate, for a
    /// normal prior with mean `prior` and standard deviation `prior_sd`. The predictions of
    /// the results must include `current`.
    pub fn map_step(&self, current: LogOdds, prior: LogOdds, prior_sd: LogOdds) -> LogOdds {
        let precision = 1.0 / (prior_sd * prior_sd);
        let step = (self.gradient - (current - prior) * precision) / (self.information + precision);
        current + step.clamp(-MAX_NEWTON_STEP, MAX_NEWTON_STEP)
    }

    /// The posterior standard deviation, for a prior with this standard deviation.
    pub fn posterior_sd(&self, prior_sd: LogOdds) -> LogOdds {
        (self.information + 1.0 / (prior_sd * prior_sd))
            .sqrt()
            .recip()
    }

    /// The fraction of the posterior precision that comes from results, not from the prior.
    pub fn data_fraction(&self, prior_sd: LogOdds) -> f64 {
        self.information / (self.information + 1.0 / (prior_sd * prior_sd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_over_bags_is_the_requested_probability() {
        let effects = [-3.0, -1.0, 0.0, 0.5, 3.5];
        let weight = 1.0 / effects.len() as f64;
        let bags = effects.map(|effect| BagEffect { weight, effect });
        for probability in [0.02, 0.3, 0.5, 0.77, 0.98] {
            let mut found = log_odds(probability);
            (0..4).for_each(|_| found = strength_for_mean(probability, &bags, found));
            let wins = bags
                .iter()
                .map(|bag| probability_of(found + bag.effect) * bag.weight);
            let mean: f64 = wins.sum();
            assert!((mean - probability).abs() < 1e-3, "{probability}: {mean}");
        }
    }

    #[test]
    fn a_prior_can_be_as_certain_as_an_observation() {
        for probability in [0.0, 0.0005, 0.4, 0.9995, 1.0] {
            let of_prior = probability_of(log_odds(probability));
            let of_observation = clamp_estimate(probability);
            assert!((of_prior - of_observation).abs() < 1e-9, "{probability}");
        }
    }

    #[test]
    fn many_results_outweigh_the_prior_and_few_do_not() {
        let after = |results: usize| {
            let mut found = 0.0;
            for _ in 0..20 {
                let mut sum = EvidenceSum::default();
                (0..results).for_each(|_| sum.add(0.9, found));
                found = sum.map_step(found, 0.0, 0.5);
            }
            probability_of(found)
        };
        assert!(after(0) == 0.5);
        assert!(after(1) > 0.52 && after(1) < 0.6, "{}", after(1));
        assert!((after(1_000) - 0.9).abs() < 0.01, "{}", after(1_000));
    }
}
