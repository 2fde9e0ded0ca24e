//! Priors: what is believed about a candidate before any world is searched.
//!
//! They come from the simulation that runs before the solver. The solver only uses them to
//! estimate worlds without a proof and to order its work; proofs do not depend on them.

use super::Probability;
use super::log_odds::{LogOdds, log_odds};
use super::tuning::*;
use crate::search::sim::SimulatedCandidate;
use crate::units::WinProb;

/// What is believed about a candidate before any world is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The win probability.
    pub win: Probability,
    /// The standard deviation of `win`.
    pub error: Probability,
    /// The expected gain in spread until the end of the game, in points.
    pub gain: f64,
}

impl Prior {
    /// The prior of all candidates if none was simulated.
    const UNINFORMED: Prior = Prior {
        win: 0.5,
        error: SIMULATION_BIAS_SD,
        gain: 0.0,
    };

    /// The priors of simulated candidates, in the same order.
    pub(crate) fn from_simulation(simulated: &[SimulatedCandidate]) -> Vec<Prior> {
        let equity =
            |candidate: &SimulatedCandidate| f64::from(candidate.candidate.worth.total().millis());
        // The gain after the candidate itself hardly depends on it. So the mean difference
        // between simulated gain and static equity predicts the gain of candidates with few
        // samples.
        let (mut count, mut later) = (0.0, 0.0);
        for candidate in simulated {
            count += candidate.gain.count as f64;
            later += (candidate.gain.mean() - equity(candidate)) * candidate.gain.count as f64;
        }
        let later = if count > 0.0 { later / count } else { 0.0 };
        let prior =
            |candidate: &SimulatedCandidate| Prior::of(candidate, equity(candidate) + later);
        simulated.iter().map(prior).collect()
    }

    /// Combines samples with what is expected without search: the static win probability
    /// and `static_gain`, in thousandths of a point. Shrinkage keeps a few samples that are
    /// all won or all lost from looking certain.
    fn of(simulated: &SimulatedCandidate, static_gain: f64) -> Prior {
        let SimulatedCandidate {
            win: wins,
            gain: gains,
            ..
        } = simulated;
        let (count, static_win) = (wins.count as f64, simulated.static_win.probability());
        let win = wins.mean() / f64::from(WinProb::SCALE);
        let win = (win * count + static_win * PRIOR_WIN_SAMPLES) / (count + PRIOR_WIN_SAMPLES);
        let sampling_variance = win * (1.0 - win) / (count + PRIOR_WIN_SAMPLES);
        let count = gains.count as f64;
        let gain = (gains.mean() * count + static_gain * PRIOR_SPREAD_SAMPLES)
            / (count + PRIOR_SPREAD_SAMPLES);
        Prior {
            win,
            error: (SIMULATION_BIAS_SD * SIMULATION_BIAS_SD + sampling_variance).sqrt(),
            gain: gain / 1_000.0,
        }
    }

    /// The prior of candidates that were not simulated. They come after the simulated ones,
    /// so they are taken to win no more often than the worst of those, and to gain no more.
    pub(super) fn of_unsimulated(priors: &[Prior]) -> Prior {
        let worst = priors.iter().min_by(|a, b| a.win.total_cmp(&b.win));
        let gains = priors.iter().map(|prior| prior.gain);
        worst.map_or(Prior::UNINFORMED, |worst| Prior {
            gain: gains.fold(worst.gain, f64::min),
            ..*worst
        })
    }

    /// The standard deviation in log-odds: the distance of one `error` towards one half.
    pub(super) fn log_odds_sd(&self) -> LogOdds {
        // Callers may pass any number as `win`.
        let farther = self.win.max(1.0 - self.win).min(1.0);
        log_odds(farther) - log_odds(farther - self.error)
    }

    /// [`Prior::log_odds_sd`] of a candidate that was neither simulated nor searched.
    pub(super) fn unsimulated_log_odds_sd(&self) -> LogOdds {
        let error = self.error.max(UNSIMULATED_PRIOR_SD);
        Prior { error, ..*self }.log_odds_sd()
    }
}
