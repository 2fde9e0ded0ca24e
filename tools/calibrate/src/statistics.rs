//! Predictions in bins, and Pearson's chi-squared test of them.

use std::fmt;

/// The number of bins, each as wide as the others.
const BINS: usize = 10;
/// The fewest positions of a bin that is judged by its difference: with 600 the standard error is 2
/// percentage points at most.
const MIN_JUDGED_POSITIONS: usize = 600;

/// The largest difference of a judged bin, in percentage points: two standard errors of the smallest
/// judged bin.
const MAX_DIFFERENCE: f64 = 4.0;
/// The smallest p-value of all bins together. Chosen by hand: of 20 settings with true predictions
/// one in 50 runs has a smaller one.
const MIN_P_VALUE: f64 = 0.001;

/// A prediction, and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Prediction {
    /// The predicted win probability.
    pub predicted: f64,
    /// 1 for a win, 0 for a loss, a part of a win for a draw.
    pub observed: f64,
    /// The number of tiles in the bag.
    pub bag: usize,
}

/// Predictions by predicted win probability.
pub struct Bins {
    bins: Vec<Bin>,
    /// The same by tiles in the bag: none, 1 to 14, 15 to 49, more.
    phases: Vec<(&'static str, Bin)>,
}

#[derive(Clone, Copy, Default)]
struct Bin {
    positions: usize,
    predicted: f64,
    observed: f64,
    /// The variance of the number of wins if the predictions are true.
    variance: f64,
}

impl Bin {
    fn add(&mut self, prediction: &Prediction) {
        let p = prediction.predicted;
        self.positions += 1;
        self.predicted += p;
        self.observed += prediction.observed;
        self.variance += p * (1.0 - p);
    }

    /// The difference of results and predictions in standard deviations, squared. Where no result is
    /// open, one that differs is infinitely unlikely.
    fn chi_squared(&self) -> f64 {
        let difference = self.observed - self.predicted;
        match self.variance > 0.0 {
            true => difference.powi(2) / self.variance,
            false if difference.abs() < 1e-9 => 0.0,
            false => f64::INFINITY,
        }
    }

    /// The difference in percentage points, and its standard error if the predictions are true.
    fn difference(&self) -> (f64, f64) {
        let n = self.positions.max(1) as f64;
        let difference = (self.observed - self.predicted) / n;
        (difference * 100.0, self.variance.sqrt() / n * 100.0)
    }
}

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let n = self.positions.max(1) as f64;
        let (difference, error) = self.difference();
        write!(
            f,
            "{:>6} positions, predicted {:6.2} %, won {:6.2} %, difference {difference:+6.2} ± {error:.2}",
            self.positions,
            self.predicted / n * 100.0,
            self.observed / n * 100.0
        )
    }
}

impl Bins {
    /// Sorts predictions into bins.
    pub fn new(predictions: &[Prediction]) -> Bins {
        let mut bins = vec![Bin::default(); BINS];
        let mut phases =
            ["empty bag", "bag 1-14", "bag 15-49", "bag 50+"].map(|name| (name, Bin::default()));
        for prediction in predictions {
            let at = (prediction.predicted * BINS as f64) as usize;
            bins[at.min(BINS - 1)].add(prediction);
            let phase = match prediction.bag {
                0 => 0,
                1..=14 => 1,
                15..=49 => 2,
                _ => 3,
            };
            phases[phase].1.add(prediction);
        }
        Bins {
            bins,
            phases: phases.to_vec(),
        }
    }

    /// Whether predictions and results agree, as far as chance allows.
    pub fn is_calibrated(&self) -> bool {
        self.largest_difference() <= MAX_DIFFERENCE && self.p_value() >= MIN_P_VALUE
    }

    /// The largest difference of a judged bin, in percentage points.
    fn largest_difference(&self) -> f64 {
        let is_judged = |bin: &&Bin| bin.positions >= MIN_JUDGED_POSITIONS;
        let judged = self.bins.iter().filter(is_judged);
        judged
            .map(|bin| bin.difference().0.abs())
            .fold(0.0, f64::max)
    }

    /// The probability of differences as large as these if the predictions are true.
    fn p_value(&self) -> f64 {
        let used = self.bins.iter().filter(|bin| bin.positions > 0);
        let (count, sum) = used.fold((0, 0.0), |(count, sum), bin| {
            (count + 1, sum + bin.chi_squared())
        });
        chi_squared_tail(sum, count)
    }
}

impl fmt::Display for Bins {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut all = Bin::default();
        for (at, bin) in self.bins.iter().enumerate() {
            let (from, to) = (at * 100 / BINS, (at + 1) * 100 / BINS);
            writeln!(f, "{from:>3} to {to:>3} %: {bin}")?;
            all.positions += bin.positions;
            all.predicted += bin.predicted;
            all.observed += bin.observed;
            all.variance += bin.variance;
        }
        for (name, bin) in &self.phases {
            writeln!(f, "{name:>12}: {bin}")?;
        }
        writeln!(f, "{:>12}: {all}", "all")?;
        let largest = self.largest_difference();
        let sum: f64 = self.bins.iter().map(Bin::chi_squared).sum();
        write!(
            f,
            "largest difference of a bin with {MIN_JUDGED_POSITIONS} positions {largest:.2}, \
             chi-squared {sum:.1}, p {:.4}",
            self.p_value()
        )
    }
}

/// The probability that a sum of `count` squared standard normal variables exceeds `value`: the upper
/// regularized gamma function Q(count / 2, value / 2), by its recurrence in steps of 1.
fn chi_squared_tail(value: f64, count: usize) -> f64 {
    if value.is_infinite() {
        return 0.0;
    }
    let x = value / 2.0;
    // Q(1/2, x) and Q(1, x), then Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1).
    let (mut a, mut tail, mut term) = match count % 2 {
        1 => {
            let density = (x / std::f64::consts::PI).sqrt() * (-x).exp();
            (0.5, 2.0 * normal_tail(value.sqrt()), 2.0 * density)
        }
        _ => (1.0, (-x).exp(), x * (-x).exp()),
    };
    while a < count as f64 / 2.0 {
        tail += term;
        a += 1.0;
        term *= x / a;
    }
    tail
}

/// The probability that a standard normal variable exceeds `z`, which is not negative. Formula 26.2.17
/// of Abramowitz and Stegun (1964), with an error below 7.5e-8.
fn normal_tail(z: f64) -> f64 {
    /// The coefficients b1 to b5 of the formula.
    const COEFFICIENTS: [f64; 5] = [
        0.319381530,
        -0.356563782,
        1.781477937,
        -1.821255978,
        1.330274429,
    ];
    let t = 1.0 / (1.0 + 0.2316419 * z);
    let sum = COEFFICIENTS.iter().rev().fold(0.0, |sum, c| (sum + c) * t);
    sum * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of printed tables.
    #[test]
    fn the_tail_of_chi_squared_is_that_of_the_tables() {
        for (value, count, expected) in [
            (3.841, 1, 0.05),
            (5.991, 2, 0.05),
            (7.815, 3, 0.05),
            (18.307, 10, 0.05),
            (29.588, 10, 0.001),
            (27.877, 9, 0.001),
            (0.0, 10, 1.0),
        ] {
            let tail = chi_squared_tail(value, count);
            assert!((tail - expected).abs() < 2e-4, "{value} {count}: {tail}");
        }
    }

    #[test]
    fn a_bin_that_is_off_by_four_standard_errors_is_found() {
        let prediction = |at: usize, rate: usize| Prediction {
            predicted: 0.55,
            observed: if at % 100 < rate { 1.0 } else { 0.0 },
            bag: 20,
        };
        let bins = |rate| {
            let all: Vec<Prediction> = (0..1_000).map(|at| prediction(at, rate)).collect();
            Bins::new(&all)
        };
        assert!(bins(55).p_value() > 0.9 && bins(55).is_calibrated());
        assert!(bins(62).p_value() < 0.001 && !bins(62).is_calibrated());
    }
}
