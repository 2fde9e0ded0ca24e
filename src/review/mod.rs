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
//! - `task`: the search of one turn: what it needs, what names it, what it found
//! - `search`: how one turn is searched
//! - `figures`, `text`: candidates, moves and tiles as the document has them
//! - `command`: the command line that analyses a position
//! - `assemble`: puts the findings together, with sums for each player
//! - `grade`, `kind`, `turning_points`: classes of mistakes, what they were about, and the turns that
//!   changed the outcome
//! - `annotate`: the record with the findings as notes
//! - `time_bank`: the average time of a turn over all games of a review
//! - `explain`, `facts`: why the best move is better, in words
//! - [`luck`]: what the tiles that a player drew were worth
//! - [`page`]: a review as a web page

mod annotate;
mod assemble;
mod cache;
mod command;
mod document;
mod explain;
mod facts;
mod figures;
mod grade;
mod index;
mod kind;
mod outputs;
mod prepare;
mod repair;
mod search;
mod sources;
mod task;
mod text;
mod time_bank;
mod turning_points;

pub mod luck;
pub mod page;

pub use annotate::annotated_record;
pub use cache::{DEFAULT_CACHE_BYTES, ReviewCache};
pub use document::*;
pub use explain::{ExplainedChoice, explain};
pub use grade::level;
pub use index::{IndexBuilder, index_csv, is_named, loss_text, same_name};
pub(crate) use outputs::INDEX_STEM;
pub use outputs::{
    OutputNames, OutputPlace, OutputWriter, ReviewFormat, remove_abandoned_parts, turns_csv,
};
pub use prepare::{PreparedGame, TurnDone};
pub use repair::{CorrectedRecord, NotCorrectable, correct_record, corrected_text};
pub use search::TurnAnalysis;
pub use sources::{
    FIXED_COPY_ENDING, MAX_REVIEW_RECORD_BYTES, MAX_REVIEW_RECORDS, RecordSource, RecordSources,
};
pub use task::TurnFindings;
pub use time_bank::TimeBank;

use prepare::GamePlayer;

use crate::engine::Engine;
use crate::notation::gcg::{GameRecord, RecordProblem};
use schemars::Schema;
use schemars::generate::SchemaSettings;
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

/// The JSON Schema of [`ReviewDocument`].
pub fn review_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<ReviewDocument>()
}

/// The JSON Schema of [`ReviewIndex`].
pub fn index_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<ReviewIndex>()
}
