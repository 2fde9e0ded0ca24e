//! One game of a run: made ready, corrected if that is asked for, and written.

use super::Arguments;
use super::plan::{ReviewJob, ReviewPlan, read_record};
use crate::engine::Engine;
use crate::fnv::Fnv;
use crate::notation::gcg::{GameRecord, ReadMode};
use crate::review::{
    IndexBuilder, OutputPlace, PreparedGame, ReviewDocument, ReviewFormat, ReviewIndex,
    annotated_record, correct_record, corrected_text, page, turns_csv,
};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::OnceLock;

/// A game that is ready for review.
pub(super) struct ReadyGame {
    /// The turns.
    pub prepared: PreparedGame,
    /// The record, corrected if it was.
    pub record: GameRecord,
    /// What went wrong although the game can be reviewed.
    pub problems: Vec<String>,
}

/// What is kept of a game.
pub(super) struct ReviewedGame {
    /// The place of its job.
    pub job: usize,
    /// What went wrong; empty if all is well.
    pub problems: Vec<String>,
    /// Its part of the index.
    pub index: IndexBuilder,
    /// The whole review, if it is the only one.
    pub document: Option<ReviewDocument>,
}

impl ReadyGame {
    /// Reads and replays the record of a job.
    pub fn new(
        plan: &ReviewPlan,
        job: &ReviewJob,
        arguments: &Arguments,
        engine: &mut Engine,
    ) -> Result<ReadyGame, String> {
        let source = plan.source(job);
        let mut record = read_record(source)?;
        let mut problems = Vec::new();
        if arguments.fix {
            match fixed(plan, job, engine, &record) {
                Ok(Some(fixed)) => record = fixed,
                Ok(None) => {}
                Err(problem) => problems.push(problem),
            }
        }
        let name = source.path_below.last().map_or("", |name| name.as_str());
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let prepared = PreparedGame::new(engine, &record, stem);
        Ok(ReadyGame {
            prepared: prepared.map_err(|problem| problem.to_string())?,
            record,
            problems,
        })
    }
}

/// The record with its only mistake corrected, after a copy was written. `None`: nothing is wrong.
fn fixed(
    plan: &ReviewPlan,
    job: &ReviewJob,
    engine: &Engine,
    record: &GameRecord,
) -> Result<Option<GameRecord>, String> {
    let start = GameRecord {
        events: Vec::new(),
        racks: Vec::new(),
        ..record.clone()
    };
    let replayed = engine.replay_record(&start);
    let replayed = replayed.map_err(|problem| problem.to_string())?;
    let rules = replayed.replay.game.position().rules();
    let corrected = correct_record(record, rules).map_err(|error| format!("not fixed: {error}"))?;
    let Some(corrected) = corrected else {
        return Ok(None);
    };
    let text = corrected_text(&corrected);
    if let Some((format, path)) = plan.fixed_copy(job) {
        let written = plan.writer.write(&path, format, text.clone(), 0);
        written.map_err(|error| format!("not fixed: {error}"))?;
    }
    let read = GameRecord::parse(text.as_bytes(), ReadMode::Strict);
    let (record, _) = read.map_err(|problem| format!("not fixed: {problem}"))?;
    Ok(Some(record))
}

/// The texts of outputs.
pub(super) struct GameOutputs;

impl GameOutputs {
    /// A document or an index as JSON.
    pub fn json(value: &impl Serialize) -> String {
        // A document has no maps with keys other than text, so this cannot fail.
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        text + "\n"
    }

    /// The page of an index.
    pub fn index_page(index: &ReviewIndex) -> String {
        page::index_page(index)
    }

    fn text(format: ReviewFormat, record: &GameRecord, document: &ReviewDocument) -> String {
        match format {
            ReviewFormat::Html => page::game_page(document),
            ReviewFormat::Json => GameOutputs::json(document),
            ReviewFormat::Gcg => annotated_record(record, document).to_text(),
            ReviewFormat::Csv => turns_csv(document),
        }
    }

    /// Writes all outputs of a game. Returns what could not be written.
    pub fn write(
        plan: &ReviewPlan,
        job: &ReviewJob,
        record: &GameRecord,
        document: &ReviewDocument,
    ) -> Vec<String> {
        if plan.place == OutputPlace::StandardOutput {
            let format = plan.formats.first().copied().unwrap_or(ReviewFormat::Html);
            let text = GameOutputs::text(format, record, document);
            return standard_output(&format.marked(text, page_source(document)))
                .err()
                .into_iter()
                .collect();
        }
        let source = page_source(document);
        let outputs = plan.outputs(job).into_iter();
        let problems = outputs.filter_map(|(format, path)| {
            let is_page = format == ReviewFormat::Html;
            if is_page && plan.writer.is_current(&path, format, source) {
                return None;
            }
            let text = GameOutputs::text(format, record, document);
            plan.writer.write(&path, format, text, source).err()
        });
        problems.collect()
    }
}

/// The checksum of what the page of a game is made from: the document, and how this build of the
/// program makes pages, which the page of an empty document shows.
fn page_source(document: &ReviewDocument) -> u64 {
    /// The checksum of the page of an empty document.
    static EMPTY_PAGE: OnceLock<u64> = OnceLock::new();
    let empty = EMPTY_PAGE.get_or_init(|| {
        let page = page::game_page(&ReviewDocument::default());
        Fnv::of(page.as_bytes())
    });
    let json = serde_json::to_string(document).unwrap_or_default();
    Fnv::START
        .and(&empty.to_le_bytes())
        .and(json.as_bytes())
        .sum()
}

/// Writes to standard output. A reader that has seen enough is no problem.
fn standard_output(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
