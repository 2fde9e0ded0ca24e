//! The ledger: the facts about each candidate in each world.
//!
//! It holds proofs, observations and how far each attempt to prove has gone. It makes no
//! estimates (`model` does) and chooses no work (`scheduler` does).

use super::Probability;
use super::prior::Prior;
use super::tuning::{ATTEMPT_LEVELS, LEAVING_FIRST_LEVEL, LEAVING_PROOF_LEVEL};
use super::world_solver::{BagMove, Observation, PlayerView, WorldSolver};
use super::worlds::{BagFills, World, WorldSet};
use crate::search::ranking::Candidate;
use crate::search::{SolveContext, SolveRequest};

/// What is known of every candidate in every world.
pub(super) struct Ledger<'a> {
    /// All candidates: the simulated ones, then the others by static equity.
    pub candidates: &'a [Candidate],
    /// One record for each candidate.
    pub records: Vec<CandidateRecord>,
    /// The worlds by the number of tiles drawn.
    worlds: Vec<Option<WorldSet>>,
    /// Only the first `open` candidates have cells and are searched.
    pub open: usize,
}

/// What is known of one candidate.
pub(super) struct CandidateRecord {
    /// The move that the candidate stands for.
    pub mv: BagMove,
    /// How many tiles the player draws after the move.
    pub draw_count: usize,
    /// Whether tiles are in the bag after the move and the draw.
    pub leaves_bag_tiles: bool,
    /// What is believed before any world is searched.
    pub prior: Prior,
    /// Whether it was simulated or has an observation.
    pub is_informed: bool,
    /// One cell for each world of its draw count; empty until the candidate is opened,
    /// because there may be thousands of candidates.
    pub cells: Vec<Cell>,
}

/// What is known of one candidate in one world.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    /// The proved win probability.
    pub proof: Option<Probability>,
    /// The last observation that is not a proof.
    pub observation: Option<Observation>,
    /// The attempt level of the next task (see `tuning`).
    pub level: u32,
    /// Whether a thread works on it now.
    pub in_progress: bool,
}

impl Cell {
    /// Whether its result is evidence about the candidate and the bag. A verdict that
    /// leaves the endgame open is not. The outcomes of such endgames in one position are
    /// correlated; counted as independent evidence they once raised a game lost by 188
    /// points to 97 %.
    pub fn is_decided(&self) -> bool {
        self.proof.is_some() || self.observation.is_some_and(Observation::is_decisive)
    }

    /// Whether the scheduler may assign it.
    pub fn is_available(&self) -> bool {
        self.proof.is_none() && !self.in_progress && self.level < ATTEMPT_LEVELS
    }
}

impl<'a> Ledger<'a> {
    /// No candidate is open yet.
    pub fn new(
        context: &SolveContext<'a>,
        fills: &BagFills,
        view: &PlayerView,
        solver: &WorldSolver,
    ) -> Ledger<'a> {
        let SolveRequest { priors, seed, .. } = context.request;
        let mut worlds: Vec<Option<WorldSet>> = (0..=view.bag_count).map(|_| None).collect();
        let unsimulated = Prior::of_unsimulated(priors);
        let record = |(index, candidate): (usize, &Candidate)| {
            let mv = solver.candidate_move(candidate, view.seat);
            let draw_count = solver.draw_count(&mv, view);
            worlds[draw_count].get_or_insert_with(|| WorldSet::new(fills, draw_count, *seed));
            let prior = priors.get(index);
            CandidateRecord {
                mv,
                draw_count,
                leaves_bag_tiles: draw_count < view.bag_count || matches!(mv, BagMove::Exchange(_)),
                prior: *prior.unwrap_or(&unsimulated),
                is_informed: prior.is_some(),
                cells: Vec::new(),
            }
        };
        let candidates = context.candidates;
        Ledger {
            candidates,
            records: candidates.iter().enumerate().map(record).collect(),
            worlds,
            open: 0,
        }
    }

    /// Opens candidates until `count` are open; returns whether that opened any.
    pub fn open_to(&mut self, count: usize) -> bool {
        let count = count.min(self.records.len());
        let opens_any = count > self.open;
        for index in self.open..count {
            let worlds = self.worlds(index).list.len();
            let record = &mut self.records[index];
            let cell = Cell {
                level: if record.leaves_bag_tiles {
                    LEAVING_FIRST_LEVEL
                } else {
                    0
                },
                ..Cell::default()
            };
            record.cells = vec![cell; worlds];
        }
        self.open = count;
        opens_any
    }

    /// Enters the result of an attempt and moves the cell to its next attempt level.
    /// Returns whether there was a result; `None` means that the attempt ran out of nodes
    /// or time.
    pub fn enter(
        &mut self,
        candidate: usize,
        cell: usize,
        observation: Option<Observation>,
    ) -> bool {
        let record = &mut self.records[candidate];
        let cell = &mut record.cells[cell];
        cell.in_progress = false;
        cell.level = match cell.level {
            LEAVING_FIRST_LEVEL if record.leaves_bag_tiles => LEAVING_PROOF_LEVEL,
            level => level + 1,
        };
        match observation {
            Some(Observation::Proof(probability)) => cell.proof = Some(probability),
            Some(observation) => cell.observation = Some(observation),
            None => return false,
        }
        record.is_informed = true;
        true
    }

    /// The worlds of a candidate.
    pub fn worlds(&self, candidate: usize) -> &WorldSet {
        let worlds = self.worlds[self.records[candidate].draw_count].as_ref();
        worlds.expect("made with the record")
    }

    /// The cells of an open candidate, each with its world and the index of its bag fill.
    pub fn cells(&self, candidate: usize) -> impl Iterator<Item = (&Cell, &World, usize)> {
        let cells = self.records[candidate].cells.iter();
        let worlds = self.worlds(candidate).list.iter();
        cells
            .zip(worlds)
            .map(|(cell, (world, bag))| (cell, world, *bag))
    }

    /// The open candidates whose words are all valid.
    pub fn valid(&self) -> impl Iterator<Item = usize> {
        (0..self.open).filter(|&index| self.candidates[index].valid)
    }

    /// Whether any thread works on a cell.
    pub fn is_in_progress(&self) -> bool {
        let records = self.records[..self.open].iter();
        records
            .flat_map(|record| &record.cells)
            .any(|cell| cell.in_progress)
    }
}
