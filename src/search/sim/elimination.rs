//! Sequential elimination: which candidates the next round plays, and when the simulation ends.
//!
//! The result of each candidate is its mean utility over all worlds, combined with its static
//! value as a prior. After each round the leader is compared with every other live candidate by
//! their paired differences. A candidate drops out when the evidence against it exceeds the
//! threshold of the [`EliminationPolicy`](super::EliminationPolicy).

use super::rollout::{self, SimContext};
use super::statistics::{CandidateStats, OutcomeStats, PairedDifference, PairedSums};
use super::tuning::*;
use super::workers::{RoundSample, SimRound};
use super::{EliminationPolicy, Lead, SimRequest, SimResult, SimulatedCandidate, StopConfidence};
use crate::rules::Position;
use crate::search::{Budget, TimeAdvice};
use std::cmp::Reverse;

/// All samples so far, and the candidates that are still live. A candidate is known by its index.
pub(super) struct SequentialElimination<'a> {
    context: &'a SimContext<'a>,
    request: &'a SimRequest,
    stats: Vec<CandidateStats>,
    live: Vec<usize>,
    pairs: PairedSums,
    /// For each requested candidate, the leads of all candidates over it.
    leads_over: Vec<(usize, Vec<OutcomeStats>)>,
    /// The prior of each candidate: its utility without search, times the weight in samples.
    priors: Vec<i64>,
    /// Iterations that rounds were started for. The budget may have cut some of them short.
    started: u64,
    rollouts: u64,
    /// Whether there is only one world, because all tiles are known.
    one_world: bool,
    /// Whether rollouts reach endgames that can have verdicts, and whether they ask for them yet.
    may_use_verdicts: bool,
    uses_verdicts: bool,
    /// The number of worlds without verdicts, after rollouts began to ask for them.
    worlds_without_verdicts: u64,
    /// The number of iterations after which each candidate dropped out.
    dropped: Vec<Option<u64>>,
}

impl<'a> SequentialElimination<'a> {
    pub fn new(
        context: &'a SimContext<'a>,
        request: &'a SimRequest,
        may_use_verdicts: bool,
    ) -> SequentialElimination<'a> {
        let count = context.candidates.len();
        let one_world = is_certain(context.position);
        // If there is only one world, its sample says everything and a prior would only blur it.
        let weight = if one_world { 0 } else { STATIC_PRIOR_SAMPLES };
        SequentialElimination {
            context,
            request,
            stats: vec![CandidateStats::default(); count],
            live: (0..count).collect(),
            pairs: PairedSums::new(count),
            leads_over: (0..count)
                .filter(|&at| context.candidates[at].requested)
                .map(|at| (at, vec![OutcomeStats::default(); count]))
                .collect(),
            priors: (0..count)
                .map(|at| rollout::static_sample(context, at).utility() * weight)
                .collect(),
            started: 0,
            rollouts: 0,
            one_world,
            may_use_verdicts,
            // One world gives one sample, so that sample needs a verdict at once.
            uses_verdicts: may_use_verdicts && one_world,
            worlds_without_verdicts: 0,
            dropped: vec![None; count],
        }
    }

    fn max_iterations(&self) -> u64 {
        match self.one_world {
            true => 1,
            false => self.request.iterations.unwrap_or(MAX_ITERATIONS),
        }
    }

    /// Whether to run another round.
    pub fn continues(&self, budget: &Budget) -> bool {
        if self.live.is_empty() || self.started >= self.max_iterations() {
            return false;
        }
        let is_confident = |confidence: StopConfidence| {
            let count = self.context.candidates.len() as f64;
            // Bonferroni correction: each comparison with the leader may be wrong.
            self.is_settled((count * 1_000.0 / f64::from(confidence.wrong_per_thousand)).ln())
        };
        if self.request.confidence.is_some_and(is_confident) {
            return false;
        }
        // Nothing is better than a move that wins at once.
        let leader_wins = || self.context.wins_at_once(self.leader());
        if self.request.iterations.is_none() && self.pairs.count() > 0 && leader_wins() {
            return false;
        }
        match budget.advice() {
            TimeAdvice::Continue => true,
            TimeAdvice::ContinueUnlessSettled => !self.is_settled(CAUTIOUS_LOG_ODDS),
            TimeAdvice::ContinueIfClose => self.is_close(),
            TimeAdvice::Stop => false,
        }
    }

    /// Whether each rival is behind the leader with this evidence, or is better by a negligible
    /// difference at most.
    fn is_settled(&self, log_odds: f64) -> bool {
        let is_beaten = |lead: PairedDifference| {
            let rival_lead_at_most = 3.0 * lead.error() - lead.mean;
            lead.log_odds() >= log_odds || rival_lead_at_most < NEGLIGIBLE_UTILITY
        };
        self.pairs.count() >= MIN_ITERATIONS_BEFORE_ELIMINATION && self.leads().all(is_beaten)
    }

    /// Whether some rival may well be better than the leader by a difference that matters.
    fn is_close(&self) -> bool {
        let may_be_better =
            |lead: PairedDifference| lead.mean - lead.error() < -2.0 * NEGLIGIBLE_UTILITY;
        self.leads().any(may_be_better)
    }

    /// The leader's lead over each other live candidate that is not a phony.
    fn leads(&self) -> impl Iterator<Item = PairedDifference> {
        let leader = self.leader();
        let rivals = self.live.iter().filter(move |&&at| at != leader);
        let rivals = rivals.filter(|&&at| self.context.candidates[at].valid);
        rivals.map(move |&at| self.pairs.difference(leader, at))
    }

    /// The best live candidate; among equals the one with the better static rank.
    fn leader(&self) -> usize {
        let valid = |&&at: &&usize| self.context.candidates[at].valid;
        let live = self.live.iter().filter(valid);
        let best = live.max_by_key(|&&at| (self.total(at), Reverse(at)));
        best.or(self.live.first()).copied().unwrap_or(0)
    }

    /// The number of worlds sampled.
    fn iterations(&self) -> u64 {
        self.worlds_without_verdicts + self.pairs.count()
    }

    /// What live candidates are sorted by: the sum of all utilities and of the prior.
    fn total(&self, at: usize) -> i64 {
        self.pairs.sum(at) + self.priors[at]
    }

    /// The next round: a quarter of the iterations so far, within limits.
    pub fn next_round(&mut self) -> SimRound {
        let verdicts_pay = self.pairs.count() >= ITERATIONS_BEFORE_VERDICTS;
        if self.may_use_verdicts && !self.uses_verdicts && verdicts_pay {
            self.start_verdicts();
        }
        let size = (self.started / 4).clamp(2, MAX_ROUND_ITERATIONS);
        let first = self.started;
        self.started = (first + size).min(self.max_iterations());
        SimRound {
            iterations: first..self.started,
            live: self.live.clone(),
            verdicts: self.uses_verdicts,
        }
    }

    /// Uses verdicts from now on. The samples so far, which have a bias, become the new prior.
    fn start_verdicts(&mut self) {
        let worlds = self.pairs.count() as i64;
        // Few samples weigh less because of their noise, many because of their bias.
        let weight = worlds * MAX_WEIGHT_WITHOUT_VERDICTS / (worlds + MAX_WEIGHT_WITHOUT_VERDICTS);
        for at in 0..self.priors.len() {
            self.priors[at] = match self.dropped[at] {
                Some(_) => self.total(at),
                None => self.total(at) * weight / (worlds + STATIC_PRIOR_SAMPLES),
            };
        }
        self.pairs = PairedSums::new(self.stats.len());
        let leads = self.leads_over.iter_mut().flat_map(|(_, leads)| leads);
        let outcomes = self.stats.iter_mut().map(|stats| &mut stats.outcome);
        outcomes.chain(leads).for_each(OutcomeStats::start_verdicts);
        self.worlds_without_verdicts = worlds as u64;
        self.uses_verdicts = true;
    }

    /// Adds the samples of a round, then eliminates candidates. An iteration that was cut short
    /// does not count, because candidates are compared in the same worlds.
    pub fn add(&mut self, round: &SimRound, samples: &[RoundSample]) {
        let iterations = samples.chunk_by(|a, b| a.0 == b.0);
        for samples in iterations.filter(|samples| samples.len() == round.live.len()) {
            let utilities: Vec<i64> = samples.iter().map(|sample| sample.2.utility()).collect();
            self.pairs.add(&round.live, &utilities);
            for ((_, _, sample), &at) in samples.iter().zip(&round.live) {
                self.stats[at].add(sample);
            }
            self.add_leads(&round.live, samples);
            self.rollouts += samples.len() as u64;
        }
        if self.pairs.count() >= MIN_ITERATIONS_BEFORE_ELIMINATION
            && let Some(log_odds) = self.elimination_log_odds()
        {
            self.eliminate(log_odds);
        }
    }

    /// The evidence with which a candidate drops out, in log-odds.
    fn elimination_log_odds(&self) -> Option<f64> {
        match self.request.elimination {
            EliminationPolicy::Cautious if self.context.is_race => Some(RACE_LOG_ODDS),
            policy => policy.log_odds(),
        }
    }

    /// Adds the leads of all candidates in one world over each requested one.
    fn add_leads(&mut self, live: &[usize], samples: &[RoundSample]) {
        for (requested, leads) in &mut self.leads_over {
            let Some(place) = live.iter().position(|at| at == requested) else {
                continue;
            };
            for ((_, _, sample), &at) in samples.iter().zip(live) {
                leads[at].add_lead(sample, &samples[place].2);
            }
        }
    }

    /// Drops the candidates that are behind the leader with this evidence. The best two always
    /// stay, because the rest of the time is best spent on them. Requested moves stay too, because
    /// the client wants to know about them.
    fn eliminate(&mut self, log_odds: f64) {
        let leader = self.leader();
        let rivals = self.live.iter().filter(|&&at| at != leader);
        let rival = rivals.max_by_key(|&&at| (self.total(at), Reverse(at)));
        let rival = rival.copied();
        let pairs = &self.pairs;
        let stays = |&at: &usize| {
            at == leader
                || Some(at) == rival
                || self.context.candidates[at].requested
                || pairs.difference(leader, at).log_odds() < log_odds
        };
        let (live, dropped): (Vec<usize>, Vec<usize>) = self.live.iter().partition(|at| stays(at));
        let iterations = self.iterations();
        for at in dropped {
            self.dropped[at] = Some(iterations);
        }
        self.live = live;
    }

    /// The lead of the best candidate over a requested one.
    fn lead_over(&self, requested: usize, best: usize) -> Option<Lead> {
        let found = self.leads_over.iter().find(|(at, _)| *at == requested)?;
        let lead = &found.1[best];
        Some(Lead {
            win: lead.win(),
            gain: lead.gain,
        })
    }

    /// The result so far.
    pub fn result(&self) -> SimResult {
        let mut order: Vec<usize> = (0..self.stats.len()).collect();
        // Of dropped candidates the one that stayed longer ranks higher: with few samples, a mean
        // is mostly luck.
        order.sort_by_key(|&at| {
            let iterations = self.dropped[at].unwrap_or(u64::MAX);
            (Reverse(iterations), Reverse(self.total(at)), at)
        });
        let is_valid = |&&at: &&usize| self.context.candidates[at].valid;
        let best = order.iter().find(is_valid).copied();
        let simulated = |at: usize| {
            let stats = &self.stats[at];
            SimulatedCandidate {
                candidate: self.context.candidates[at],
                static_win: rollout::static_sample(self.context, at).win,
                win: stats.outcome.win(),
                gain: stats.outcome.gain,
                best_lead: best.and_then(|best| self.lead_over(at, best)),
                plies: stats.plies.clone(),
                replies: stats.replies(),
                exact: stats.ends_game && (self.one_world || self.context.wins_at_once(at)),
                live: self.dropped[at].is_none(),
            }
        };
        SimResult {
            candidates: order.into_iter().map(simulated).collect(),
            iterations: self.iterations(),
            rollouts: self.rollouts,
            plies: self.context.plies,
            dropped: self.stats.len() - self.live.len(),
        }
    }
}

/// Whether there is only one world: the bag is empty, and one rack at most is unknown.
fn is_certain(position: &Position) -> bool {
    let is_unknown = |seat: &usize| position.rack(*seat).unknown > 0;
    position.bag_len() == 0 && position.turn_order().filter(is_unknown).count() <= 1
}
