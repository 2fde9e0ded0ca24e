//! `cazique review`: reviews finished games and writes pages, data and tables.

mod game;
mod plan;
mod pool;
mod summary;

use super::interrupt::{self, Interrupt};
use super::progress::Progress;
use super::{Failure, say};
use crate::engine::{Engine, MAX_CANDIDATES, MAX_THREADS, Store};
use crate::protocol::printable;
use crate::protocol::session::wants_colour;
use crate::review::{
    DEFAULT_CACHE_BYTES, DEFAULT_REVIEW_CANDIDATES, FailedRecord, IndexBuilder, OutputPlace,
    RecordSources, ReviewCache, ReviewFormat, ReviewRequest, index_csv,
};
use crate::search::sim::MAX_ITERATIONS;
use crate::siu::MAX_MILLIS;
use clap::{Args, ValueEnum, value_parser};
use game::{GameOutputs, ReviewedGame};
use plan::ReviewPlan;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

/// Reviews finished games: where each was won and lost, with the truth about every move.
///
/// PATHS are GCG records, folders, zip archives, or - for standard input. A summary is printed, and
/// a page (game.html) is written beside each record, or where --output says. Of several games there
/// is also an index: index.html, index.json and index.csv.
///
/// A file is replaced only if this program wrote it, and records never are. Searches are kept in the
/// cache folder of the user (XDG_CACHE_HOME), so that an interrupted review resumes and a repeated
/// one is instant. Results with --iterations depend neither on the machine nor on --threads.
///
/// The exit code is 0 if all records were reviewed, 1 if some were not, 2 if the arguments are
/// wrong, and 130 after Ctrl-C.
#[derive(Args)]
pub struct Arguments {
    /// Records, folders, zip archives; - is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Review only the games of this player, by name or nickname
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The average time of a turn in milliseconds [default: 1000 without --iterations]
    #[arg(long, value_name = "MS", conflicts_with = "iterations", value_parser = value_parser!(u64).range(1..=MAX_MILLIS))]
    time: Option<u64>,
    /// The iterations of a turn, instead of a time
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=MAX_ITERATIONS))]
    iterations: Option<u64>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The number of threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// The number of candidates of a turn
    #[arg(long, value_name = "N", default_value_t = DEFAULT_REVIEW_CANDIDATES as u32, value_parser = value_parser!(u32).range(1..=MAX_CANDIDATES as i64))]
    candidates: u32,
    /// What to write: html, json, gcg, csv, or several [default: html]
    #[arg(long, value_name = "FORMAT", value_enum, value_delimiter = ',')]
    format: Vec<ReviewFormat>,
    /// The file for one game, else the folder for outputs; - is standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace files that this program did not write; never records
    #[arg(long)]
    force: bool,
    /// Correct records in which exactly one thing is wrong, in a copy (game.fixed.gcg)
    #[arg(long)]
    fix: bool,
    /// Do not keep or use the results of searches
    #[arg(long)]
    no_cache: bool,
    /// The size limit of the cache in MiB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_CACHE_BYTES >> 20, value_parser = value_parser!(u64).range(1..=MAX_CACHE_MIB))]
    cache_size: u64,
    /// Do not compute the luck of the draws
    #[arg(long)]
    no_luck: bool,
    /// The rule set: a name or a file
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// The lexicon: a name or a file
    #[arg(long, value_name = "NAME")]
    lexicon: Option<String>,
    /// The folders with the files that records name, separated by semicolons
    #[arg(long, value_name = "FOLDERS")]
    data_path: Option<String>,
}

/// The time of a turn without `--time` and `--iterations`. Chosen by hand: a game of 25 turns takes
/// a quarter of a minute on two cores.
const DEFAULT_TURN_TIME: Duration = Duration::from_millis(1_000);
/// The largest cache, in MiB. Chosen by hand.
const MAX_CACHE_MIB: u64 = 1 << 30;
/// The exit code if some records were not reviewed.
const SOME_FAILED: u8 = 1;
/// The exit code of wrong arguments, as the parser of arguments has it.
const WRONG_ARGUMENTS: u8 = 2;

impl ValueEnum for ReviewFormat {
    fn value_variants<'a>() -> &'a [ReviewFormat] {
        &ReviewFormat::ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.name().into())
    }
}

impl Arguments {
    fn request(&self) -> ReviewRequest {
        let default = self.iterations.is_none().then_some(DEFAULT_TURN_TIME);
        ReviewRequest {
            time: self.time.map(Duration::from_millis).or(default),
            iterations: self.iterations,
            seed: self.seed,
            candidates: self.candidates as usize,
            luck: !self.no_luck,
        }
    }

    /// An engine with the options of the arguments.
    fn engine(&self, store: &Store) -> Result<Engine, String> {
        let mut engine = Engine::with_store(store.clone()).map_err(|error| error.to_string())?;
        let options = [
            ("DataPath", "--data-path", &self.data_path),
            ("Rules", "--rules", &self.rules),
            ("Lexicon", "--lexicon", &self.lexicon),
        ];
        for (name, argument, value) in options {
            if let Some(value) = value {
                let set = engine.set_option(name, value);
                set.map_err(|error| format!("{argument}: {error}"))?;
            }
        }
        Ok(engine)
    }

    fn threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        }
    }

    /// The cache. Without one that can be written, the review goes on with a warning.
    fn cache(&self) -> Option<ReviewCache> {
        if self.no_cache {
            return None;
        }
        match ReviewCache::of_user(self.cache_size << 20) {
            Ok(cache) => Some(cache),
            Err(error) => {
                warn(format!("warning: the results are not kept: {error}"));
                None
            }
        }
    }
}

/// Writes a line for people. Names of files and players come from outside.
fn warn(text: impl AsRef<str>) {
    for line in text.as_ref().lines() {
        eprintln!("cazique: {}", printable(line));
    }
}

/// Reviews the games.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let store = Store::default();
    let wrong = |error: String| {
        warn(error);
        Ok(ExitCode::from(WRONG_ARGUMENTS))
    };
    if let Err(error) = arguments.engine(&store) {
        return wrong(error);
    }
    let sources = RecordSources::find(&arguments.paths, &mut io::stdin());
    let plan = match ReviewPlan::new(arguments, sources) {
        Ok(plan) => plan,
        Err(error) => return wrong(error),
    };
    plan.prepare_folders();
    let interrupt = Interrupt::watch()?;
    let cache = arguments.cache();
    let progress = Progress::for_terminal("turns", plan.turns());
    let pool = pool::GamePool::new(&plan, arguments, cache.as_ref(), &interrupt, &progress);
    let reviewed = pool.run(&store);
    progress.clear();
    if let Some(cache) = &cache {
        cache.trim();
    }
    let reviewed = reviewed?;
    if interrupt.is_pressed() {
        let (done, all) = (reviewed.len(), plan.jobs.len());
        let resume = match cache {
            Some(_) => "run the same command again to go on",
            None => "without the cache, the other games will start again",
        };
        warn(format!(
            "interrupted: {done} of {all} games were reviewed; {resume}"
        ));
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    finish(arguments, &plan, reviewed)
}

/// Writes the index, prints the summary, and names what failed.
fn finish(
    arguments: &Arguments,
    plan: &ReviewPlan,
    reviewed: Vec<ReviewedGame>,
) -> Result<ExitCode, Failure> {
    let mut index = IndexBuilder::new(arguments.player.as_deref().unwrap_or(""));
    let mut failures: Vec<FailedRecord> = plan.failures.clone();
    let mut single = None;
    for game in reviewed {
        let name = plan.name(game.job);
        let fail = |reason| FailedRecord {
            record: name.to_string(),
            reason,
        };
        failures.extend(game.problems.into_iter().map(fail));
        index.merge(game.index);
        single = game.document;
    }
    let mut index = index.finish();
    index.failures.clone_from(&failures);
    if let Some(folder) = &plan.index_folder
        && !(index.games.is_empty() && plan.jobs.is_empty())
        && let Err(problems) = write_index(folder, &index, plan)
    {
        let record = folder.display().to_string();
        let fail = |reason| FailedRecord {
            record: record.clone(),
            reason,
        };
        failures.extend(problems.into_iter().map(fail));
    }
    for failure in &failures {
        warn(format!("{}: {}", failure.record, failure.reason));
    }
    let is_terminal = io::stdout().is_terminal();
    let style = summary::Style {
        colour: is_terminal && wants_colour(),
    };
    match (&single, plan.index_folder.is_some() || plan.is_many) {
        _ if plan.place == OutputPlace::StandardOutput => {}
        (Some(document), false) => say(summary::game(document, style))?,
        (None, false) => {}
        (_, true) => say(summary::games(&index, style))?,
    }
    Ok(match failures.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(SOME_FAILED),
    })
}

/// Writes the index in all its forms; the page only if pages are wanted.
fn write_index(
    folder: &Path,
    index: &crate::review::ReviewIndex,
    plan: &ReviewPlan,
) -> Result<(), Vec<String>> {
    let mut outputs = vec![
        (ReviewFormat::Json, GameOutputs::json(index)),
        (ReviewFormat::Csv, index_csv(index)),
    ];
    if plan.formats.contains(&ReviewFormat::Html) {
        outputs.push((ReviewFormat::Html, GameOutputs::index_page(index)));
    }
    let mut problems = Vec::new();
    for (format, text) in outputs {
        let path = plan.index_path(folder, format);
        problems.extend(plan.writer.write(&path, format, text, 0).err());
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems),
    }
}
