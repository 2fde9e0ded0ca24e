//! Confidence intervals for the win probability of a player, honest for few games too.

/// The 97.5 % quantile of the normal distribution: an interval has a confidence of 95 %.
const NORMAL_QUANTILE: f64 = 1.959_964;
/// The weight of the largest possible variance in the estimate of the variance, in units: a few
/// pairs that happen to be alike do not make a narrow interval. Chosen by hand.
const PRIOR_UNITS: f64 = 10.0;

/// The results of a player over units: games, or all games of a deal. A unit counts as one trial,
/// because the games of a deal are not independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WinSample {
    /// The number of units.
    pub units: f64,
    /// The mean share of wins, a draw counting as a part of a win: one half of two players.
    pub share: f64,
    /// The sum of the squared deviations of the units' shares from their mean.
    pub deviations: f64,
}

impl WinSample {
    /// The Wilson score interval (E. B. Wilson, "Probable inference, the law of succession, and
    /// statistical inference", JASA 22, 1927) with the effective number of trials in place of the
    /// number of units, as for other samples that are not simple (E. L. Korn and B. I. Graubard,
    /// "Confidence intervals for proportions with small expected number of positive counts
    /// estimated from survey data", Survey Methodology 24, 1998).
    ///
    /// Shares p between 0 and 1 have a variance of at most p (1 - p), which is that of wins and
    /// losses without draws or pairs (R. Bhatia and C. Davis, "A better bound on the variance",
    /// American Mathematical Monthly 107, 2000). The effective number of trials is the number of
    /// units times this bound divided by the variance. The variance is estimated from the units
    /// together with [`PRIOR_UNITS`] units at the bound, so that with few units the interval is
    /// nearly that of the bound. Without draws and pairs it is exactly Wilson's.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let WinSample {
            units,
            share,
            deviations,
        } = *self;
        if units == 0.0 {
            return None;
        }
        let bound = share * (1.0 - share);
        let variance = (deviations + PRIOR_UNITS * bound) / (units + PRIOR_UNITS);
        // If all units are won or all lost, the variance says nothing.
        let trials = if bound > 0.0 {
            units * bound / variance
        } else {
            units
        };
        let z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
        let middle = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
        let half = NORMAL_QUANTILE * (bound / trials + z2 / (4.0 * trials * trials)).sqrt()
            / (1.0 + z2 / trials);
        Some([(middle - half).max(0.0), (middle + half).min(1.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval of units with these shares, in percent.
    fn check(shares: &[f64], expected: &str) {
        let units = shares.len() as f64;
        let share = shares.iter().sum::<f64>() / units;
        let deviations = shares.iter().map(|unit| (unit - share).powi(2)).sum();
        let sample = WinSample {
            units,
            share,
            deviations,
        };
        let found = sample
            .interval()
            .map(|ends| ends.map(|end| format!("{:.1}", end * 100.0)));
        assert_eq!(
            found.map(|ends| ends.join(" to ")).unwrap_or_default(),
            expected
        );
    }

    #[test]
    fn games_without_draws_have_wilsons_interval() {
        // Ten trials, eight successes: 49.0 to 94.3 in every table.
        check(&[1., 1., 1., 1., 1., 1., 1., 1., 0., 0.], "49.0 to 94.3");
        check(&[1.0; 3], "43.9 to 100.0");
        check(&[0.0], "0.0 to 79.3");
        check(&[], "");
    }

    #[test]
    fn pairs_that_are_alike_narrow_the_interval_only_if_there_are_many() {
        check(&[0.5; 2], "10.8 to 89.2");
        check(&[0.5; 10], "29.9 to 70.1");
        check(&[0.5; 1_000], "49.7 to 50.3");
    }
}
