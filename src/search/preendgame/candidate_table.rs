//! The candidates with all that is known of them, which one leads, and whether that is proved.
//!
//! It keeps the ledger (facts) and the model (estimates) in step, orders the candidates by
//! both, and tells the scheduler when to stop.

use super::Probability;
use super::ledger::Ledger;
use super::model::Model;
use super::prior::Prior;
use super::tuning::{PROBABILITY_TOLERANCE, SURE_WIN_THRESHOLD, WIN_PROBABILITY_PER_POINT};
use super::value_of_information::WinEstimate;
use super::world_solver::{Observation, PlayerView, WorldSolver};
use super::worlds::BagFills;
use crate::search::{SolveContext, SolveRequest};
use std::cmp::Ordering;

/// Facts and estimates of all candidates.
pub(super) struct CandidateTable<'a> {
    pub ledger: Ledger<'a>,
    pub model: Model,
    /// The largest expected gain in spread of any candidate, in points.
    best_prior_gain: f64,
}

impl<'a> CandidateTable<'a> {
    /// No candidate is open yet.
    pub fn new(
        context: &SolveContext<'a>,
        view: &PlayerView,
        solver: &WorldSolver,
    ) -> CandidateTable<'a> {
        let SolveRequest { priors, seed, .. } = context.request;
        let fills = BagFills::new(&view.maybe_in_bag(), view.bag_count, *seed);
        let ledger = Ledger::new(context, &fills, view, solver);
        let unsimulated = Prior::of_unsimulated(priors);
        let gains = priors.iter().map(|prior| prior.gain);
        CandidateTable {
            model: Model::new(&ledger, &fills),
            ledger,
            best_prior_gain: gains.fold(unsimulated.gain, f64::max),
        }
    }

    /// Opens candidates until `count` are open, and fits the model; returns whether that
    /// opened any.
    pub fn open_to(&mut self, count: usize) -> bool {
        let opens_any = self.ledger.open_to(count);
        self.model.refit(&self.ledger);
        opens_any
    }

    /// Enters the result of an attempt.
    pub fn enter(&mut self, candidate: usize, cell: usize, observation: Option<Observation>) {
        if self.ledger.enter(candidate, cell, observation) {
            self.model.update(&self.ledger, candidate);
        }
    }

    /// The estimated win probability of a candidate over all worlds.
    pub fn estimate(&self, candidate: usize) -> &WinEstimate {
        &self.model.fits[candidate].estimate
    }

    /// The best open candidate whose words are all valid.
    pub fn leader(&self) -> Option<usize> {
        self.ledger.valid().max_by(|&a, &b| self.compare(a, b))
    }

    /// Compares two candidates; the greater is better. In this order it goes by
    /// 1. whether it was simulated or observed,
    /// 2. win probability, where the estimated part also counts spread: near 0 and 1
    ///    estimates differ only by what happened to be searched,
    /// 3. proved win probability,
    /// 4. expected gain in spread,
    /// 5. the order of the candidates.
    pub fn compare(&self, a: usize, b: usize) -> Ordering {
        // Sums of fractions that are equal in theory become equal by rounding.
        let round = |win: Probability| (win / PROBABILITY_TOLERANCE).round();
        let key = |candidate: usize| {
            let record = &self.ledger.records[candidate];
            let estimate = self.estimate(candidate);
            let gain = record.prior.gain;
            let utility = estimate.mean - (self.best_prior_gain - gain) * WIN_PROBABILITY_PER_POINT;
            [
                f64::from(u8::from(record.is_informed)),
                round(utility.max(estimate.lower)),
                round(estimate.lower),
                gain,
            ]
        };
        let (ours, theirs) = (key(a), key(b));
        let differences = ours.iter().zip(&theirs).map(|(a, b)| a.total_cmp(b));
        differences
            .fold(Ordering::Equal, Ordering::then)
            .then(b.cmp(&a))
    }

    /// The other open candidates that could be played instead of the leader.
    pub fn rivals(&self, leader: usize) -> impl Iterator<Item = usize> {
        self.ledger.valid().filter(move |&rival| rival != leader)
    }

    /// Whether no other open candidate can win more often in the listed worlds.
    pub fn is_settled(&self, leader: usize) -> bool {
        let lower = self.estimate(leader).lower;
        let mut rivals = self.rivals(leader);
        rivals.all(|rival| self.estimate(rival).upper <= lower + PROBABILITY_TOLERANCE)
    }

    /// Whether no other candidate at all can win more often, in all worlds.
    pub fn is_proved(&self, leader: usize) -> bool {
        let is_complete = |candidate: usize| self.ledger.worlds(candidate).is_complete;
        let all_compared = || {
            let all_open = self.ledger.open == self.ledger.records.len();
            all_open && self.rivals(leader).all(is_complete)
        };
        is_complete(leader)
            && self.is_settled(leader)
            && (self.always_wins(leader) || all_compared())
    }

    /// Whether a candidate is proved to win in all listed worlds.
    pub fn always_wins(&self, candidate: usize) -> bool {
        self.estimate(candidate).lower > 1.0 - PROBABILITY_TOLERANCE
    }

    /// Whether a candidate is estimated to win in all worlds.
    pub fn seems_sure(&self, candidate: usize) -> bool {
        self.estimate(candidate).mean > SURE_WIN_THRESHOLD
    }

    /// Whether a rival is within one standard error of the leader.
    pub fn is_close(&self, leader: usize) -> bool {
        let best = &self.model.fits[leader];
        let mut rivals = self.rivals(leader);
        rivals.any(|rival| {
            let fit = &self.model.fits[rival];
            let error = fit.error.hypot(best.error);
            fit.estimate.upper > best.estimate.lower + PROBABILITY_TOLERANCE
                && fit.estimate.mean + error > best.estimate.mean
        })
    }
}
