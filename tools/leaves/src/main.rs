//! The leave trainer: values for what is kept on a rack, from nothing, for any
//! lexicon, tile set and board; then, with these values, chances to win.

mod census;
mod checkpoint;
mod lattice;
#[cfg(test)]
mod tests;
mod train;
mod win;

use anyhow::{Context, Result, anyhow, bail};
use cazique::autoplay::{PlayerKind, Players};
use cazique::cli::progress::Progress;
use cazique::cli::say;
use cazique::engine::{Files, MAX_THREADS};
use cazique::eval::win_table::WinTable;
use cazique::fnv::Fnv;
use cazique::lexicon::{LeaveValues, Lexicon, TextEncoding, WordMap, klv};
use cazique::movegen::Words;
use cazique::rules::{Library, RuleSet};
use cazique::seed::Seed;
use cazique::tiles::TileSet;
use checkpoint::Checkpoint;
use clap::{Args, Parser, Subcommand, value_parser};
use lattice::Lattice;
use rayon::ThreadPoolBuilder;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::{Trainer, to_leaves};
use win::Calibration;

/// Trains leave values, and counts chances to win.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    game: GameArgs,
}

/// What is played.
#[derive(Args)]
struct GameArgs {
    /// A rule set that is built in, or a file of rules.
    #[arg(long, global = true, default_value = "tournament")]
    rules: String,
    /// A word list or graph file; the words that come with the library if none is given.
    #[arg(long, global = true, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// A tile set that is built in, or a CSV file, instead of that of the rules.
    #[arg(long, global = true)]
    tiles: Option<String>,
    /// A board that is built in, or a file, instead of that of the rules.
    #[arg(long, global = true)]
    board: Option<String>,
    /// Where all chance comes from.
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    /// How many threads; one for each processor if 0. The result is the same.
    #[arg(long, global = true, default_value_t = 0, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
}

#[derive(Subcommand)]
enum Command {
    /// Trains a table from nothing.
    Train {
        /// The number of boards of each generation.
        #[arg(long, value_delimiter = ',', default_values_t = [256, 256, 1024])]
        generations: Vec<usize>,
        /// The file to write: .klv2
        #[arg(short, long)]
        output: PathBuf,
        /// A folder where finished generations are kept, to go on after a break.
        #[arg(long, value_name = "DIR")]
        resume: Option<PathBuf>,
    },
    /// Counts the chance to win by lead and tiles left.
    Win {
        /// The leave values to play with.
        leaves: PathBuf,
        /// How many games.
        #[arg(long, default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
        games: u64,
        /// The file to write: .win
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Asks games whether a table of chances is right; take another seed than the table's.
    Calibrate {
        /// The leave values to play with.
        leaves: PathBuf,
        /// The table.
        table: PathBuf,
        /// How many games.
        #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
        games: u64,
    },
}

/// Moments of a stage with which its chances are known to some 0.4 %; with fewer it borrows from others.
const ENOUGH: u64 = 20_000;

fn main() -> Result<()> {
    let Cli { command, game } = Cli::parse();
    let threads = ThreadPoolBuilder::new()
        .num_threads(game.threads.into())
        .build()?;
    let rules = game.rule_set()?;
    let lexicon = game.lexicon(&rules.tiles)?;
    let map = WordMap::new(lexicon.graph(), rules.board.side().into());
    let words = Words {
        graph: lexicon.graph(),
        map: map.as_ref(),
    };
    match command {
        Command::Train {
            generations,
            output,
            resume,
        } => {
            if let Some(at) = generations.iter().position(|&boards| boards == 0) {
                bail!("generation {} has no boards; it needs 1 at least", at + 1);
            }
            check_output(&output)?;
            let trainer = Trainer {
                rules: &rules,
                words,
                seed: Seed(game.seed),
                threads: &threads,
            };
            let identity = Checkpoint::identity(&rules, lexicon.hash(), game.seed);
            train(&trainer, &generations, &output, resume.as_deref(), identity)
        }
        Command::Win {
            leaves,
            games,
            output,
        } => {
            check_output(&output)?;
            let values = LeaveValues::open(&leaves, &rules.tiles)?;
            let players = players(&rules, words, &values);
            let swings = threads.install(|| win::swings(&players, games, Seed(game.seed)));
            let about = format!(
                "rules {}\nlexicon {} {:016x}\nleaves {} {:016x}\ngames {games}\nseed {}\n",
                rules.name,
                lexicon.name(),
                lexicon.hash(),
                leaves.file_name().unwrap_or_default().display(),
                Fnv::of(&klv::write(&values)?),
                game.seed
            );
            let bytes = swings.table(&rules, &about, ENOUGH)?.write();
            fs::write(&output, &bytes).with_context(|| output.display().to_string())?;
            say(format_args!(
                "{}: {} bytes\n{about}",
                output.display(),
                bytes.len()
            ))?;
            Ok(())
        }
        Command::Calibrate {
            leaves,
            table,
            games,
        } => {
            let values = LeaveValues::open(&leaves, &rules.tiles)?;
            let name = || table.display().to_string();
            let bytes = fs::read(&table).with_context(name)?;
            let table = WinTable::read(&bytes).with_context(name)?;
            let players = players(&rules, words, &values);
            let seed = Seed(game.seed);
            let told = threads.install(|| Calibration::of(&table, &players, games, seed));
            say(format_args!("{told}"))?;
            Ok(())
        }
    }
}

/// Whether a file can be written, before hours of work go into it. What it has stays.
fn check_output(path: &Path) -> Result<()> {
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.map(drop).with_context(|| path.display().to_string())
}

/// Two who play alike.
fn players<'a>(rules: &'a RuleSet, words: Words<'a>, leaves: &'a LeaveValues) -> Players<'a> {
    Players {
        rules,
        words,
        each: [PlayerKind::Static(Some(leaves)); 2],
    }
}

impl GameArgs {
    fn rule_set(&self) -> Result<RuleSet> {
        let files = Files::default();
        let rules = files.rules(&self.rules).map_err(|what| anyhow!(what))?;
        let mut values = rules.into_values();
        if let Some(name) = &self.tiles {
            values.tiles = files.tiles(name).map_err(|what| anyhow!(what))?;
        }
        if let Some(name) = &self.board {
            values.board = files.board(name).map_err(|what| anyhow!(what))?;
        }
        Ok(RuleSet::new(values)?)
    }

    fn lexicon(&self, tiles: &TileSet) -> Result<Lexicon> {
        Ok(match &self.lexicon {
            Some(path) => Lexicon::open(path, tiles, TextEncoding::Auto)?.0,
            None => Lexicon::embedded(tiles)?.0,
        })
    }
}

fn train(
    trainer: &Trainer,
    generations: &[usize],
    output: &Path,
    resume: Option<&Path>,
    identity: u64,
) -> Result<()> {
    if output.extension().is_none_or(|ending| ending != "klv2") {
        bail!("{}: write .klv2", output.display());
    }
    let rules = trainer.rules;
    let lattice = Lattice::new(&rules.tiles, rules.rack_size)?;
    let nothing = vec![0; lattice.of_size(rules.rack_size).start];
    let kept = match resume {
        Some(folder) => Checkpoint::load(folder, identity, generations, nothing.len())?,
        None => None,
    };
    let mut state = kept.unwrap_or(Checkpoint {
        identity,
        finished: Vec::new(),
        values: nothing,
    });
    for (at, &boards) in generations.iter().enumerate().skip(state.finished.len()) {
        let start = Instant::now();
        let what = format!("generation {}/{}, board", at + 1, generations.len());
        let progress = Progress::new(what, boards as u64);
        let step = || progress.step();
        state.values = trainer.generation(&lattice, &state.values, at, boards, step)?;
        state.finished.push(boards);
        if let Some(folder) = resume {
            state.save(folder)?;
        }
        let samples = samples(&lattice, rules, &state.values);
        let seconds = start.elapsed().as_secs_f64();
        say(format_args!(
            "generation {} of {boards} boards, {seconds:.1} s: {samples}",
            at + 1
        ))?;
    }
    let leaves = to_leaves(&lattice, rules, &state.values)?;
    fs::write(output, klv::write(&leaves)?).with_context(|| output.display().to_string())?;
    say(format_args!(
        "{}: {} leaves",
        output.display(),
        leaves.len()
    ))?;
    Ok(())
}

/// Leaves that show whether values make sense, as far as the tile set has them.
const SAMPLES: [&str; 6] = ["?", "S", "Q", "ERS", "AEINST", "VVWW"];

fn samples(lattice: &Lattice, rules: &RuleSet, values: &[i32]) -> String {
    let known = SAMPLES.iter().filter_map(|text| {
        let leave = rules.tiles.read_tiles(text).ok()?;
        let held = leave.len() < rules.rack_size && rules.tiles.all().contains_all(&leave);
        let points = f64::from(values[held.then(|| lattice.number(&leave))? as usize]) / 1_000.0;
        Some(format!("{text} {points:.2}"))
    });
    known.collect::<Vec<_>>().join(", ")
}
