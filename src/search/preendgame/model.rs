//! The statistical model: estimates of all cells that are not proved.
//!
//! A Rasch model with priors. The log-odds of a win in a cell is
//!
//! > strength of the candidate + effect of the bag
//!
//! and the strength has a normal prior whose mean is
//!
//! > log-odds of the simulated win probability + bias of the draw count
//!
//! - The *bias of the draw count* corrects simulation for all candidates that draw the same
//!   number of tiles: simulation overrates moves that leave tiles in the bag. It is shrunk
//!   towards the bias of all candidates.
//! - The *effect of the bag* says how much better one content of the bag is than another,
//!   for every candidate.
//! - A cell with a proof has its proved value. A cell with a quick verdict has the predicted
//!   log-odds plus the log-likelihood ratio of the verdict; after a lost greedy playout the
//!   prediction counts half. The result of a modelled opponent replaces the prediction.
//!
//! The model is fitted to the decided cells: those with a proof or a decisive verdict. Each
//! fit makes a few Newton steps from the previous values, so the model follows the ledger
//! closely at little cost. The model chooses no work.

use super::Probability;
use super::ledger::{CandidateRecord, Cell, Ledger};
use super::log_odds::{
    BagEffect, EvidenceSum, LogOdds, clamp_estimate, log_odds, probability_of, strength_for_mean,
};
use super::tuning::*;
use super::value_of_information::WinEstimate;
use super::world_solver::Observation;
use super::worlds::BagFills;
use crate::search::endgame::quick_verdict::playout_log_odds;

/// The parameters, and the estimates that follow from them and the ledger.
pub(super) struct Model {
    /// One effect for each bag fill.
    bags: Vec<BagEffect>,
    /// By the number of tiles drawn: how much better these candidates are than their
    /// priors say.
    draw_biases: [LogOdds; MAX_BAG + 1],
    /// One fit for each candidate.
    pub fits: Vec<CandidateFit>,
    /// Results since all candidates were fitted.
    results_since_refit: u32,
}

/// The fit of one candidate.
pub(super) struct CandidateFit {
    /// The strength that its prior alone implies.
    prior_strength: LogOdds,
    /// The fitted strength.
    strength: LogOdds,
    /// `strength` minus its prior mean, draw bias included.
    surprise: LogOdds,
    /// The fraction of what is known of `strength` that comes from results.
    data_fraction: f64,
    /// The prior standard deviation that counts for the value of information. It is larger
    /// than that of the estimate for candidates without a simulation.
    pub exploration_sd: LogOdds,
    /// The win probability over all worlds.
    pub estimate: WinEstimate,
    /// The standard error of its mean.
    pub error: Probability,
}

impl CandidateFit {
    fn new(record: &CandidateRecord) -> CandidateFit {
        let prior = &record.prior;
        CandidateFit {
            prior_strength: log_odds(prior.win),
            strength: log_odds(prior.win),
            surprise: 0.0,
            data_fraction: 0.0,
            exploration_sd: match record.is_informed {
                true => prior.log_odds_sd(),
                false => prior.unsimulated_log_odds_sd(),
            },
            estimate: WinEstimate::UNKNOWN,
            error: 0.0,
        }
    }
}

/// Sums over the worlds of a candidate; the weights of all worlds add up to 1.
#[derive(Default)]
struct WorldSums {
    /// Weight times p.
    mean: Probability,
    /// Weight times the proved p, where unproved cells count as lost.
    lower: Probability,
    /// The same where unproved cells count as won.
    upper: Probability,
    /// Squared weight times p (1 - p) of the unproved cells.
    variance: f64,
    /// Weight times p (1 - p) of the cells without a decisive result.
    undecided_slope: f64,
    /// Weight of the cells with a decisive observation but no proof.
    observed_weight: f64,
    /// Weight times p (1 - p) of those cells.
    observed_slope: f64,
}

impl Model {
    /// The model before any result.
    pub fn new(ledger: &Ledger, fills: &BagFills) -> Model {
        Model {
            bags: BagEffect::neutral(fills.list.iter().map(|(_, ways)| *ways)),
            draw_biases: [0.0; MAX_BAG + 1],
            fits: ledger.records.iter().map(CandidateFit::new).collect(),
            results_since_refit: 0,
        }
    }

    /// The win probability of a candidate in the cell of a bag fill.
    pub fn cell_probability(&self, candidate: usize, cell: &Cell, bag: usize) -> Probability {
        cell_probability(cell, self.fits[candidate].strength + self.bags[bag].effect)
    }

    /// Takes in a new result of a candidate. Every [`REFIT_INTERVAL`] results it fits
    /// everything.
    pub fn update(&mut self, ledger: &Ledger, candidate: usize) {
        self.results_since_refit += 1;
        if self.results_since_refit >= REFIT_INTERVAL {
            self.refit(ledger);
        } else {
            self.fit_candidate(ledger, candidate);
        }
    }

    /// Fits bag effects, draw biases and all open candidates.
    pub fn refit(&mut self, ledger: &Ledger) {
        self.results_since_refit = 0;
        self.fit_bags(ledger);
        self.fit_draw_biases(ledger);
        (0..ledger.open).for_each(|candidate| self.fit_candidate(ledger, candidate));
    }

    /// Fits the bag effects; their weighted mean is 0.
    fn fit_bags(&mut self, ledger: &Ledger) {
        let mut sums = vec![EvidenceSum::default(); self.bags.len()];
        for candidate in 0..ledger.open {
            let strength = self.fits[candidate].strength;
            for (cell, _, bag) in ledger.cells(candidate) {
                add_evidence(&mut sums[bag], cell, strength + self.bags[bag].effect);
            }
        }
        for (bag, sum) in self.bags.iter_mut().zip(sums) {
            bag.effect = sum.map_step(bag.effect, 0.0, BAG_EFFECT_SD);
        }
        let mean: f64 = self.bags.iter().map(|bag| bag.effect * bag.weight).sum();
        self.bags.iter_mut().for_each(|bag| bag.effect -= mean);
    }

    /// Fits the bias of each draw count: the mean surprise of its candidates, each weighted
    /// by the fraction that comes from results, because the strengths of many candidates
    /// converge slowly.
    fn fit_draw_biases(&mut self, ledger: &Ledger) {
        let mut sums = [(0.0, 0.0); MAX_BAG + 1];
        for candidate in 0..ledger.open {
            let record = &ledger.records[candidate];
            let fit = &mut self.fits[candidate];
            fit.prior_strength =
                strength_for_mean(record.prior.win, &self.bags, fit.prior_strength);
            let limit = MAX_SURPRISE * fit.data_fraction;
            let surprise = fit.surprise.clamp(-limit, limit);
            let (sum, weight) = &mut sums[record.draw_count];
            *sum += surprise + fit.data_fraction * self.draw_biases[record.draw_count];
            *weight += fit.data_fraction;
        }
        // Where the priors of all searched candidates are wrong, those of the other draw
        // counts are wrong too. Otherwise a pass, the only candidate that draws nothing,
        // would lead in lost games because it was never searched.
        let (sum, weight) = sums.iter().fold((0.0, DRAW_BIAS_SHRINKAGE), |total, part| {
            (total.0 + part.0, total.1 + part.1)
        });
        let overall = sum / weight;
        for (bias, (sum, weight)) in self.draw_biases.iter_mut().zip(sums) {
            *bias = (sum + DRAW_BIAS_SHRINKAGE * overall) / (weight + DRAW_BIAS_SHRINKAGE);
        }
    }

    /// Fits the strength of a candidate and estimates its win probability over all worlds.
    fn fit_candidate(&mut self, ledger: &Ledger, candidate: usize) {
        let record = &ledger.records[candidate];
        let fit = &self.fits[candidate];
        let prior_mean = fit.prior_strength + self.draw_biases[record.draw_count];
        let prior_sd = record.prior.log_odds_sd();
        let (mut strength, mut evidence) = (fit.strength, EvidenceSum::default());
        for _ in 0..STRENGTH_NEWTON_STEPS {
            evidence = EvidenceSum::default();
            for (cell, _, bag) in ledger.cells(candidate) {
                add_evidence(&mut evidence, cell, strength + self.bags[bag].effect);
            }
            strength = evidence.map_step(strength, prior_mean, prior_sd);
        }
        let sums = self.sum_worlds(ledger, candidate, strength);
        let strength_error = sums.undecided_slope * evidence.posterior_sd(prior_sd);
        let verdict_error = sums.observed_weight * VERDICT_BIAS_SD;
        let fit = &mut self.fits[candidate];
        fit.strength = strength;
        fit.surprise = strength - prior_mean;
        fit.data_fraction = evidence.data_fraction(prior_sd);
        let shared = sums.undecided_slope * evidence.posterior_sd(fit.exploration_sd)
            + sums.observed_slope * VERDICT_BIAS_LOG_ODDS_SD;
        let slope = sums.undecided_slope + sums.observed_slope;
        fit.estimate = WinEstimate {
            mean: sums.mean,
            lower: sums.lower,
            upper: sums.upper,
            variance: sums.variance,
            shared_log_odds_sd: shared / slope.max(PROBABILITY_TOLERANCE),
        };
        fit.error =
            (strength_error * strength_error + verdict_error * verdict_error + sums.variance)
                .sqrt();
    }

    /// Adds up the worlds of a candidate of this strength.
    fn sum_worlds(&self, ledger: &Ledger, candidate: usize, strength: LogOdds) -> WorldSums {
        let total_weight = ledger.worlds(candidate).total_weight;
        let bags = self.bags.iter();
        let predicted: Vec<LogOdds> = bags.map(|bag| strength + bag.effect).collect();
        let mut sums = WorldSums::default();
        for (cell, world, bag) in ledger.cells(candidate) {
            let weight = world.weight as f64 / total_weight;
            let win = cell_probability(cell, predicted[bag]);
            if cell.proof.is_none() {
                let variance = win * (1.0 - win);
                sums.variance += variance * weight * weight;
                match cell.is_decided() {
                    true => {
                        sums.observed_weight += weight;
                        sums.observed_slope += weight * variance;
                    }
                    false => sums.undecided_slope += weight * variance,
                }
            }
            sums.mean += win * weight;
            sums.lower += cell.proof.unwrap_or(0.0) * weight;
            sums.upper += cell.proof.unwrap_or(1.0) * weight;
        }
        sums
    }
}

/// Adds the result of a cell, if it is decided, where the model predicted these log-odds.
fn add_evidence(sum: &mut EvidenceSum, cell: &Cell, predicted: LogOdds) {
    if cell.is_decided() {
        sum.add(cell_probability(cell, predicted), predicted);
    }
}

/// The win probability in a cell whose log-odds were `predicted` before any observation.
fn cell_probability(cell: &Cell, predicted: LogOdds) -> Probability {
    if let Some(proof) = cell.proof {
        return proof;
    }
    clamp_estimate(match cell.observation {
        None => probability_of(predicted),
        Some(Observation::Verdict(verdict)) if cell.level > SECOND_VERDICT_LEVEL => {
            let failed_proofs = cell.level - SECOND_VERDICT_LEVEL - 1;
            probability_of(predicted + verdict.log_odds_after_attempts(failed_proofs))
        }
        Some(Observation::Verdict(verdict)) => probability_of(predicted + verdict.log_odds()),
        Some(Observation::GreedyPlayout(spread)) => match playout_log_odds(spread) {
            won if won > 0.0 => probability_of(predicted + won),
            lost => probability_of(LOST_PLAYOUT_PRIOR_WEIGHT * predicted + lost),
        },
        Some(Observation::Modelled(win) | Observation::Proof(win)) => win,
    })
}
