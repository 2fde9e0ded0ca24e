//! The report: what the solver tells of its candidates, and with which labels.
//!
//! A win probability is `exact` if every world of the candidate is listed and proved;
//! otherwise it is an estimate of the model. The result is solved if no other move can win
//! more often.

use super::DrawOutcome;
use super::candidate_table::CandidateTable;
use super::ledger::Cell;
use super::scheduler::Scheduler;
use super::worlds::World;
use crate::search::solve::Phase;
use crate::search::{Solution, SolvedLine};

impl Scheduler<'_> {
    /// The open candidates in order, the best first. The first `detailed` and those that
    /// were requested by name list all their draws; for all candidates together there may
    /// be a million.
    pub fn solution(&self, detailed: usize) -> Solution {
        let (table, work) = (&self.table, &self.work);
        let ledger = &table.ledger;
        let mut order: Vec<usize> = (0..ledger.open).collect();
        order.sort_by(|&a, &b| table.compare(b, a));
        let lines = order.iter().enumerate().map(|(place, &candidate)| {
            let is_detailed = place < detailed || ledger.candidates[candidate].requested;
            table.line(candidate, place + 1, is_detailed)
        });
        Solution {
            phase: Phase::Preendgame,
            lines: lines.collect(),
            candidates: ledger.candidates.len(),
            nodes: work.nodes,
            refuted_plays: work.refuted_plays,
            per_mille_full: 0,
            solved: table.leader().is_some_and(|leader| table.is_proved(leader)),
        }
    }
}

impl CandidateTable<'_> {
    fn line(&self, candidate: usize, rank: usize, is_detailed: bool) -> SolvedLine {
        let record = &self.ledger.records[candidate];
        let estimate = self.estimate(candidate);
        let is_complete = self.ledger.worlds(candidate).is_complete;
        let draw = |(cell, world, bag): (&Cell, &World, usize)| DrawOutcome {
            world: *world,
            win: self.model.cell_probability(candidate, cell, bag),
            exact: cell.proof.is_some(),
        };
        // Proofs in a sample of worlds prove nothing about all worlds.
        let win_bounds = match is_complete {
            true => (estimate.lower, estimate.upper),
            false => (0.0, 1.0),
        };
        let exact = is_complete && record.cells.iter().all(|cell| cell.proof.is_some());
        SolvedLine {
            draws: match is_detailed {
                true => self.ledger.cells(candidate).map(draw).collect(),
                false => Vec::new(),
            },
            win: Some(estimate.mean),
            win_error: (!exact).then_some(self.model.fits[candidate].error),
            win_bounds,
            gain: record.prior.gain,
            exact,
            ..SolvedLine::unknown(self.ledger.candidates[candidate], rank)
        }
    }
}
