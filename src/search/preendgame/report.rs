//! The report: what the solver tells of its candidates, and with which labels.
//!
//! A win probability is `exact` if every world of the candidate is listed and proved;
//! otherwise it is an estimate of the model. The result is solved if no other move can win
//! more often.

use super::candidate_table::CandidateTable;
use super::ledger::Cell;
use super::scheduler::Scheduler;
use super::worlds::World;
use super::{DrawOutcome, Found, Line};
use crate::search::endgame::solver::SolverWork;

impl Scheduler<'_> {
    /// The state of the search; `detailed` as for [`CandidateTable::found`].
    pub fn found(&self, detailed: usize) -> Found {
        self.table.found(detailed, &self.work)
    }
}

impl CandidateTable<'_> {
    /// The open candidates in order, the best first. The first `detailed` and those that
    /// were requested by name list all their draws; for all candidates together there may
    /// be a million.
    fn found(&self, detailed: usize, work: &SolverWork) -> Found {
        let ledger = &self.ledger;
        let mut order: Vec<usize> = (0..ledger.open).collect();
        order.sort_by(|&a, &b| self.compare(b, a));
        let lines = order.iter().enumerate().map(|(place, &candidate)| {
            let is_detailed = place < detailed || ledger.candidates[candidate].requested;
            self.line(candidate, is_detailed)
        });
        Found {
            lines: lines.collect(),
            candidates: ledger.candidates.len(),
            nodes: work.nodes,
            looks: work.refuted_plays,
            per_mille_full: 0,
            proved: ledger.proved_cells(),
            solved: self.leader().is_some_and(|leader| self.is_proved(leader)),
        }
    }

    fn line(&self, candidate: usize, is_detailed: bool) -> Line {
        let record = &self.ledger.records[candidate];
        let estimate = self.estimate(candidate);
        let is_complete = self.ledger.worlds(candidate).is_complete;
        let draw = |(cell, world, bag): (&Cell, &World, usize)| DrawOutcome {
            world: *world,
            win: self.model.cell_probability(candidate, cell, bag),
            exact: cell.proof.is_some(),
        };
        // Proofs in a sample of worlds prove nothing about all worlds.
        let (least, most) = match is_complete {
            true => (estimate.lower, estimate.upper),
            false => (0.0, 1.0),
        };
        Line {
            candidate: self.ledger.candidates[candidate],
            draws: match is_detailed {
                true => self.ledger.cells(candidate).map(draw).collect(),
                false => Vec::new(),
            },
            win: estimate.mean,
            least,
            most,
            gain: record.prior.gain,
            exact: is_complete && record.cells.iter().all(|cell| cell.proof.is_some()),
        }
    }
}
