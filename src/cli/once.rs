//! `cazique --gcg`: one move for a game record, for programs that start a process for each move.

use super::{Failure, say};
use crate::engine::{Engine, EngineError, MAX_THREADS, SampledRequest, SearchRequest};
use crate::notation::gcg::{GameRecord, ReadMode};
use crate::protocol::json::{one_shot, one_shot_sampled};
use crate::search::sim::MAX_ITERATIONS;
use crate::siu::MAX_MILLIS;
use clap::{Args, value_parser};
use serde_json::Value;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Finds one move; the last line of output is a JSON object
#[derive(Args)]
#[command(next_help_heading = "One move for a game record")]
#[group(id = "once")]
pub struct Arguments {
    /// Find the next move of the game in this GCG file; - is standard input
    #[arg(long, value_name = "FILE", required = false)]
    gcg: PathBuf,
    /// The rack of the player to move, ? for a blank; with fewer tiles it is partly known
    #[arg(long, value_name = "TILES", requires = "gcg")]
    rack: Option<String>,
    /// The lexicon: a name or a file
    #[arg(long, value_name = "NAME", requires = "gcg")]
    lexicon: Option<String>,
    /// The rule set: a name or a file
    #[arg(long, value_name = "NAME", requires = "gcg")]
    rules: Option<String>,
    /// The folders with the files that the record names, separated by semicolons
    #[arg(long, value_name = "FOLDERS", requires = "gcg")]
    data_path: Option<String>,
    /// The time limit in milliseconds, with loading [default: 1000 without --iterations]
    #[arg(long, value_name = "MS", requires = "gcg", value_parser = value_parser!(u64).range(..=MAX_MILLIS))]
    movetime: Option<u64>,
    /// The most iterations of a simulation
    #[arg(long, value_name = "N", requires = "gcg", value_parser = value_parser!(u64).range(1..=MAX_ITERATIONS))]
    iterations: Option<u64>,
    /// The number of threads
    #[arg(long, value_name = "N", requires = "gcg", value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// The seed of all random choices
    #[arg(long, value_name = "N", requires = "gcg")]
    seed: Option<u64>,
}

/// The time limit without `--movetime` and `--iterations`. Chosen by hand; protocol.md promises it.
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(1_000);
/// The longest record that is read, in bytes: far more than any game needs. Chosen by hand.
const MAX_RECORD_BYTES: u64 = 16 << 20;

/// Finds a move and prints it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let start = Instant::now();
    let mut engine = Engine::new()?;
    let options = [
        ("DataPath", &arguments.data_path),
        ("Rules", &arguments.rules),
        ("Lexicon", &arguments.lexicon),
    ];
    for (name, value) in options {
        if let Some(value) = value {
            engine.set_option(name, value)?;
        }
    }
    let bytes = read(&arguments.gcg)?;
    let (record, _) = GameRecord::parse(&bytes, ReadMode::Strict)?;
    let problems = engine.set_record(&record, record.turns())?;
    for problem in problems {
        // A wrong score in the record must not end a match.
        eprintln!("cazique: {problem}");
    }
    if let Some(rack) = &arguments.rack {
        engine.set_known_tiles(rack)?;
    }
    for warning in engine
        .position_warnings()
        .iter()
        .chain(&engine.search_warnings())
    {
        eprintln!("cazique: {warning}");
    }
    let default = arguments.iterations.is_none().then_some(DEFAULT_MOVE_TIME);
    let time = arguments.movetime.map(Duration::from_millis).or(default);
    let request = SearchRequest {
        // Reading and loading count in the time limit.
        time: time.map(|time| time.saturating_sub(start.elapsed())),
        iterations: arguments.iterations,
        threads: arguments.threads.map(usize::from),
        seed: arguments.seed,
        ..SearchRequest::default()
    };
    let found = search(&mut engine, &request);
    let (answer, problems) = found.map_err(|error| error.text_with("name the rack with --rack"))?;
    for problem in problems {
        eprintln!("cazique: {problem}");
    }
    Ok(say(answer)?)
}

/// The answer, and for people what is unusual about the data and what failed. A partly known rack
/// is completed in several ways, and each is searched.
fn search(
    engine: &mut Engine,
    request: &SearchRequest,
) -> Result<(Value, Vec<String>), EngineError> {
    if !engine.needs_sampling(false) {
        let analysis = engine.analyze(request)?;
        let problems = analysis.data_notes().chain(&analysis.failure);
        return Ok((one_shot(&analysis), problems.cloned().collect()));
    }
    let analysis = engine.analyze_sampled(&SampledRequest {
        search: request,
        played: None,
        racks: None,
    })?;
    let problems = analysis.data_notes.iter().chain(&analysis.failure);
    Ok((one_shot_sampled(&analysis), problems.cloned().collect()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().take(MAX_RECORD_BYTES).read_to_end(&mut bytes),
        _ => fs::File::open(path)
            .and_then(|file| file.take(MAX_RECORD_BYTES).read_to_end(&mut bytes)),
    };
    read.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes)
}
