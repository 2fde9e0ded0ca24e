//! `leaves`: trains leave values from nothing, for any lexicon, tile set and board, and then counts
//! win probabilities with these values.
//!
//! `leaves train` alternates static games and a census of their boards (`train`, [`census`]).
//! `leaves win` and `leaves calibrate` make and check the table of win probabilities ([`win`]).

mod census;
mod checkpoint;
mod lattice;
mod sample;
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
use cazique::rules::{LetterOrder, Library, RuleSet};
use cazique::seed::Seed;
use checkpoint::Checkpoint;
use clap::{Args, Parser, Subcommand, value_parser};
use lattice::Lattice;
use rayon::ThreadPoolBuilder;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::{Trainer, to_leaves};
use win::Calibration;

/// Trains leave values, and counts win probabilities.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    game: GameArgs,
    #[command(subcommand)]
    command: Command,
}

/// The game that is played.
#[derive(Args)]
struct GameArgs {
    /// A built-in rule set, or a rule file.
    #[arg(long, global = true, default_value = "tournament")]
    rules: String,
    /// A word list or graph file [default: the built-in words].
    #[arg(long, global = true, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// A built-in tile set, or a CSV file [default: the tile set of the rules].
    #[arg(long, global = true)]
    tiles: Option<String>,
    /// A built-in board, or a board file [default: the board of the rules].
    #[arg(long, global = true)]
    board: Option<String>,
    /// The seed of all games.
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 for one per core. The result does not depend on it.
    #[arg(long, global = true, default_value_t = 0, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
}

#[derive(Subcommand)]
enum Command {
    /// Trains leave values from nothing.
    Train {
        /// The number of boards of each generation.
        #[arg(long, value_delimiter = ',', default_values_t = [256, 256, 1024])]
        generations: Vec<usize>,
        /// The number of tiles of the largest leaves; the engine extrapolates the values of larger
        /// ones. By default a rack less one tile, and 5 for racks of more than seven.
        #[arg(long, value_name = "TILES", value_parser = value_parser!(u8).range(1..))]
        leave_tiles: Option<u8>,
        /// The number of racks to sample on each board, where leaves are smaller than a rack less one
        /// tile.
        #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u32).range(1..))]
        racks: u32,
        /// The .klv2 file to write.
        #[arg(short, long)]
        output: PathBuf,
        /// A folder for a checkpoint after each generation; continues from it if there is one.
        #[arg(long, value_name = "DIR")]
        resume: Option<PathBuf>,
    },
    /// Counts win probabilities by lead and tiles left.
    Win {
        /// The leave values to play with.
        leaves: PathBuf,
        /// The number of games.
        #[arg(long, default_value_t = 200_000, value_parser = value_parser!(u64).range(1..))]
        games: u64,
        /// The .win file to write.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Compares a table of win probabilities with the results of games. Use another seed than for
    /// the table.
    Calibrate {
        /// The leave values to play with.
        leaves: PathBuf,
        /// The .win file to check.
        table: PathBuf,
        /// The number of games.
        #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
        games: u64,
    },
}

/// The number of positions from which a stage of the game is counted alone. The standard error of a
/// win probability is about 0.4 % then. A stage with fewer also uses the counts of its neighbours.
const MIN_STAGE_POSITIONS: u64 = 20_000;

fn main() -> Result<()> {
    let Cli { command, game } = Cli::parse();
    let threads = ThreadPoolBuilder::new()
        .num_threads(game.threads.into())
        .build()?;
    let rules = game.rule_set()?;
    let lexicon = game.lexicon(&rules)?;
    let map = WordMap::new(lexicon.graph(), rules.board.side().into());
    let words = Words::new(lexicon.graph(), map.as_ref());
    match command {
        Command::Train {
            generations,
            leave_tiles,
            racks,
            output,
            resume,
        } => {
            check_training(&rules, &generations)?;
            check_output(&output)?;
            let trainer = Trainer {
                rules: &rules,
                words,
                seed: Seed(game.seed),
                threads: &threads,
                racks: racks as usize,
            };
            let lattice = lattice(&rules, leave_tiles.map(usize::from))?;
            let racks = trainer.sampled_racks(&lattice);
            let identity = Checkpoint::identity(&rules, lexicon.hash(), game.seed, racks);
            let resume = resume.as_deref();
            train(&trainer, &lattice, &generations, &output, resume, identity)
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
            let table = swings.table(&rules, &about, MIN_STAGE_POSITIONS)?;
            write_file(&output, &table.write())?;
            Ok(say(about)?)
        }
        Command::Calibrate {
            leaves,
            table,
            games,
        } => {
            let values = LeaveValues::open(&leaves, &rules.tiles)?;
            let table = read_table(&table)?;
            let players = players(&rules, words, &values);
            let seed = Seed(game.seed);
            let calibration = threads.install(|| Calibration::of(&table, &players, games, seed));
            Ok(say(calibration)?)
        }
    }
}

/// Writes a file, and says so.
fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.display();
    fs::write(path, bytes).with_context(|| name.to_string())?;
    Ok(say(format_args!("{name}: {} bytes", bytes.len()))?)
}

fn read_table(path: &Path) -> Result<WinTable> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
    WinTable::read(&bytes).with_context(name)
}

/// Checks that leave values can be trained in these generations.
fn check_training(rules: &RuleSet, generations: &[usize]) -> Result<()> {
    if let Some(at) = generations.iter().position(|&boards| boards == 0) {
        bail!("generation {} has 0 boards; the least is 1", at + 1);
    }
    if rules.letter_order == LetterOrder::Any {
        bail!("leave values can only be trained for words in a fixed letter order");
    }
    Ok(())
}

/// Checks that a file can be written, before hours of work. Leaves its content as it is.
fn check_output(path: &Path) -> Result<()> {
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    file.map(drop).with_context(|| path.display().to_string())
}

/// Two static players with the same leave values.
fn players<'a>(rules: &'a RuleSet, words: Words<'a>, leaves: &'a LeaveValues) -> Players<'a> {
    Players {
        rules,
        words,
        each: vec![PlayerKind::Static(Some(leaves)); 2],
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

    fn lexicon(&self, rules: &RuleSet) -> Result<Lexicon> {
        let lexicon = match &self.lexicon {
            Some(path) => Lexicon::open(path, &rules.tiles, TextEncoding::Auto)?.0,
            None => Lexicon::embedded(&rules.tiles)?.0,
        };
        Ok(match rules.letter_order {
            LetterOrder::Fixed => lexicon,
            LetterOrder::Any => lexicon.in_any_order()?,
        })
    }
}

/// The largest rack whose leaves are all trained by default. The tables for more would have millions
/// of leaves.
const MAX_COMPLETE_RACK: usize = 7;
/// The number of tiles of the largest leaves of larger racks, by default. Chosen by hand: a static
/// player with leaves of up to four tiles wins 50.25 ± 0.27 % of 4,000 games with racks of nine against
/// one with leaves of up to five, so extrapolating from five costs nothing that can be measured.
const SAMPLED_LEAVE_TILES: usize = 5;

/// The multisets for a training: whole racks for a census; for a sample, leaves and one tile more.
fn lattice(rules: &RuleSet, leave_tiles: Option<usize>) -> Result<Lattice> {
    let most = rules.rack_size - 1;
    let default = match rules.rack_size {
        ..=MAX_COMPLETE_RACK => most,
        _ => SAMPLED_LEAVE_TILES,
    };
    let leave_tiles = leave_tiles.unwrap_or(default);
    if leave_tiles > most {
        bail!(
            "leaves of {leave_tiles} tiles are too large for racks of {}",
            most + 1
        );
    }
    Lattice::new(&rules.tiles, leave_tiles + 1)
}

fn train(
    trainer: &Trainer,
    lattice: &Lattice,
    generations: &[usize],
    output: &Path,
    resume: Option<&Path>,
    identity: u64,
) -> Result<()> {
    if output.extension().is_none_or(|ending| ending != "klv2") {
        bail!("{}: the output file must end in .klv2", output.display());
    }
    let rules = trainer.rules;
    let nothing = vec![0; lattice.of_size(lattice.size()).start];
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
        state.values = trainer.generation(lattice, &state.values, at, boards, step)?;
        state.finished.push(boards);
        if let Some(folder) = resume {
            state.save(folder)?;
        }
        let samples = sample_values(lattice, rules, &state.values);
        let seconds = start.elapsed().as_secs_f64();
        say(format_args!(
            "generation {} of {boards} boards, {seconds:.1} s: {samples}",
            at + 1
        ))?;
    }
    let leaves = to_leaves(lattice, rules, &state.values)?;
    write_file(output, &klv::write(&leaves)?)?;
    Ok(say(format_args!("{} leave values", leaves.len()))?)
}

/// Leaves to print after each generation, as a check by eye: with known strong and weak ones.
const SAMPLE_LEAVES: [&str; 6] = ["?", "S", "Q", "ERS", "AEINST", "VVWW"];

/// The values of the sample leaves that the tile set has.
fn sample_values(lattice: &Lattice, rules: &RuleSet, values: &[i32]) -> String {
    let known = SAMPLE_LEAVES.iter().filter_map(|text| {
        let leave = rules.tiles.read_tiles(text).ok()?;
        let held = leave.len() < lattice.size() && rules.tiles.all().contains_all(&leave);
        let points = f64::from(values[held.then(|| lattice.number(&leave))? as usize]) / 1_000.0;
        Some(format!("{text} {points:.2}"))
    });
    known.collect::<Vec<_>>().join(", ")
}
