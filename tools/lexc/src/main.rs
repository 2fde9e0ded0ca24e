//! The lexicon compiler: converts word lists to graph files and back, converts leave values
//! between formats, and describes such files.

use anyhow::{Context, Result, bail};
use cazique::cli::say;
use cazique::lexicon::kwg::{self, NodeFormat};
use cazique::lexicon::{LeaveValues, Lexicon, TextEncoding, klv, text};
use cazique::tiles::{Letter, TileSet};
use clap::{Args, Parser, Subcommand};
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Compiles word lists and leave values, and describes such files.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// How to read the input.
#[derive(Args)]
struct ReadingArgs {
    /// The tile set as a CSV file; without it, English.
    #[arg(long, global = true, value_name = "FILE.csv")]
    tiles: Option<PathBuf>,
    /// Read the word list as Latin-1.
    #[arg(long, global = true)]
    latin1: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Describe a word list, a graph or a file of leave values.
    Info {
        /// The file; its extension decides the format.
        file: PathBuf,
    },
    /// Make a graph file from a word list or from another graph file.
    Build {
        /// The word list or graph file; `embedded` for the words that come with the library.
        words: PathBuf,
        /// The graph file to write: .kwg, or .kbwg for more than four million nodes.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Print the words of a list or of a graph, sorted.
    Words {
        /// The file; `embedded` for the words that come with the library.
        file: PathBuf,
    },
    /// Convert leave values to another format.
    Leaves {
        /// The leave values: a .klv2, .klv or .csv file.
        file: PathBuf,
        /// The file to write: .klv2 or .csv.
        #[arg(short, long)]
        output: PathBuf,
    },
}

fn main() -> Result<()> {
    let Cli { command, reading } = Cli::parse();
    match command {
        Command::Info { file } if is_leave_values(&reading, &file) => {
            leave_values_info(&reading, &file)
        }
        Command::Info { file } => info(&reading, &file),
        Command::Build { words, output } => build(&reading, &words, &output),
        Command::Words { file } => print_words(&reading, &file),
        Command::Leaves { file, output } => convert_leaves(&reading, &file, &output),
    }
}

impl ReadingArgs {
    fn tile_set(&self) -> Result<TileSet> {
        let Some(path) = &self.tiles else {
            let csv = include_str!("../../../lexica/tiles/english.csv");
            return Ok(TileSet::parse("english", csv)?);
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let csv = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        TileSet::parse(&name, &csv).with_context(|| path.display().to_string())
    }

    fn lexicon(&self, tiles: &TileSet, file: &Path) -> Result<Lexicon> {
        let (lexicon, dropped) = if file.as_os_str() == "embedded" {
            let (lexicon, dropped) = Lexicon::embedded(tiles)?;
            (lexicon, Some(dropped))
        } else if self.latin1 {
            Lexicon::open(file, tiles, TextEncoding::Latin1)?
        } else {
            Lexicon::open(file, tiles, TextEncoding::Auto)?
        };
        // To standard error, so that standard output has nothing but words.
        if let Some(notice) = dropped.and_then(|dropped| dropped.notice()) {
            writeln!(io::stderr(), "{notice}")?;
        }
        Ok(lexicon)
    }
}

fn extension(file: &Path) -> &str {
    let extension = file.extension().and_then(|text| text.to_str());
    extension.unwrap_or_default()
}

/// Writes a file, and says what it holds.
fn write_file(file: &Path, bytes: &[u8], content: &str) -> Result<()> {
    let name = file.display();
    fs::write(file, bytes).with_context(|| name.to_string())?;
    Ok(say(format_args!("{name}: {content}"))?)
}

/// Whether a file holds leave values. A CSV file is a word list unless it reads as leave values.
fn is_leave_values(reading: &ReadingArgs, file: &Path) -> bool {
    let can_open = |tiles: TileSet| LeaveValues::open(file, &tiles).is_ok();
    match extension(file) {
        "klv" | "klv2" => true,
        "csv" => reading.tile_set().is_ok_and(can_open),
        _ => false,
    }
}

fn info(reading: &ReadingArgs, file: &Path) -> Result<()> {
    let tiles = reading.tile_set()?;
    let lexicon = reading.lexicon(&tiles, file)?;
    let mut lengths = [0usize; cazique::lexicon::MAX_WORD_LETTERS + 1];
    for word in lexicon.words() {
        lengths[word.len()] += 1;
    }
    say(format_args!("name   {}", lexicon.name()))?;
    say(format_args!("tiles  {}", tiles.name()))?;
    say(format_args!("words  {}", lexicon.word_count()))?;
    say(format_args!("nodes  {}", lexicon.graph().node_count()))?;
    say(format_args!("hash   {:016x}", lexicon.hash()))?;
    for (length, count) in lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
        say(format_args!("length {length:2} {count:7}"))?;
    }
    Ok(())
}

fn leave_values_info(reading: &ReadingArgs, file: &Path) -> Result<()> {
    let tiles = reading.tile_set()?;
    let leaves = LeaveValues::open(file, &tiles)?;
    say(format_args!("tiles  {}", tiles.name()))?;
    say(format_args!("leaves {}", leaves.len()))?;
    for (label, leave) in [
        ("best", leaves.iter().max_by_key(|(_, value)| *value)),
        ("worst", leaves.iter().min_by_key(|(_, value)| *value)),
    ] {
        if let Some((leave, value)) = leave {
            let leave = tiles.tiles_text(&leave);
            say(format_args!("{label:6} {leave} {value}"))?;
        }
    }
    Ok(())
}

fn build(reading: &ReadingArgs, words: &Path, output: &Path) -> Result<()> {
    let format = match extension(output) {
        "kwg" => NodeFormat::Kwg,
        "kbwg" => NodeFormat::Kbwg,
        other => bail!("'.{other}' is not the extension of a graph file; write .kwg or .kbwg"),
    };
    let lexicon = reading.lexicon(&reading.tile_set()?, words)?;
    let (words, nodes) = (lexicon.word_count(), lexicon.graph().node_count());
    let content = format!("{words} words, {nodes} nodes");
    write_file(output, &kwg::write(lexicon.graph(), format)?, &content)
}

fn print_words(reading: &ReadingArgs, file: &Path) -> Result<()> {
    let tiles = reading.tile_set()?;
    let lexicon = reading.lexicon(&tiles, file)?;
    match write_words(&lexicon, &tiles) {
        // The reader of the pipe, such as `head`, may close it early.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn write_words(lexicon: &Lexicon, tiles: &TileSet) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for word in lexicon.words() {
        let letters: Vec<Letter> = word.letters().collect();
        writeln!(out, "{}", text::word_text(tiles, &letters))?;
    }
    out.flush()
}

fn convert_leaves(reading: &ReadingArgs, file: &Path, output: &Path) -> Result<()> {
    let tiles = reading.tile_set()?;
    let leaves = LeaveValues::open(file, &tiles)?;
    let bytes = match extension(output) {
        "klv2" => klv::write(&leaves)?,
        "csv" => klv::write_csv(&leaves, &tiles).into_bytes(),
        other => {
            bail!("'.{other}' is not the extension of a file of leave values; write .klv2 or .csv")
        }
    };
    write_file(output, &bytes, &format!("{} leaves", leaves.len()))
}
