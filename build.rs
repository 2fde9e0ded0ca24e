//! Makes the embedded forms of the word list, so that the program starts without building them.
//!
//! From `lexica/oel26.tsv`, which is the source of truth, it writes to `OUT_DIR`:
//!
//! * `oel26.fst`: a finite-state map from each word to its tier;
//! * `oel26.nodes`: the nodes of the packed word graph (DAWG and GADDAG) for an alphabet of the
//!   letters A to Z, as `u32` in the byte order of the target, so that it is used in place;
//! * `oel26.rs`: how many words there are, and their hash;
//! * `sources.rs`: a checksum of the sources that decide what a search finds.
//!
//! The script compiles the library's own builder. A test rebuilds everything at run time and
//! compares.

#[allow(dead_code, reason = "the library uses more of it")]
#[path = "src/lexicon/builder.rs"]
mod builder;
#[allow(dead_code, reason = "the library uses more of it")]
#[path = "src/fnv.rs"]
mod fnv;
#[allow(dead_code, reason = "the library uses more of it")]
#[path = "src/lexicon/node.rs"]
mod node;
#[allow(dead_code, reason = "the library uses more of it")]
#[path = "src/lexicon/symbols.rs"]
mod symbols;
#[allow(dead_code, reason = "the library uses the way back")]
#[path = "src/lexicon/tiers.rs"]
mod tiers;

use fnv::Fnv;
use std::path::{Path, PathBuf};
use std::{env, fs};
use symbols::SymbolString;

/// The word list with tiers.
const SOURCE: &str = "lexica/oel26.tsv";

/// The files that the output depends on.
const INPUTS: [&str; 7] = [
    SOURCE,
    "build.rs",
    "src/fnv.rs",
    "src/lexicon/builder.rs",
    "src/lexicon/node.rs",
    "src/lexicon/symbols.rs",
    "src/lexicon/tiers.rs",
];

/// The sources that decide what a search and the review of a turn find: caches of findings name their
/// checksum.
const SEARCH_SOURCES: [&str; 17] = [
    "src/units.rs",
    "src/seed.rs",
    "src/fnv.rs",
    "src/tiles",
    "src/board",
    "src/rules",
    "src/notation",
    "src/lexicon",
    "src/movegen",
    "src/eval",
    "src/search",
    "src/engine",
    "src/review/figures.rs",
    "src/review/luck.rs",
    "src/review/search.rs",
    "src/review/task.rs",
    "src/review/text.rs",
];

fn main() -> Result<(), String> {
    for file in INPUTS.iter().chain(&SEARCH_SOURCES) {
        println!("cargo:rerun-if-changed={file}");
    }
    let tsv = fs::read_to_string(SOURCE).map_err(|error| format!("{SOURCE}: {error}"))?;
    let map = tiers::compile(&tsv).map_err(|error| format!("{SOURCE}: {error}"))?;
    let words: Vec<&str> = tsv
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    write("oel26.fst", &map)?;
    write("oel26.nodes", &graph(&words)?)?;
    write("oel26.rs", facts(&words).as_bytes())?;
    let mut checksum = Fnv::START;
    for path in SEARCH_SOURCES {
        checksum =
            add_sources(checksum, Path::new(path)).map_err(|error| format!("{path}: {error}"))?;
    }
    let checksum = checksum.sum();
    let text = format!(
        "/// The checksum of the sources that decide what a search finds.\n\
         pub const SOURCES_CHECKSUM: u64 = {checksum:#x};\n"
    );
    write("sources.rs", text.as_bytes())
}

/// Adds a file, or all files of a folder by their names, to a checksum.
fn add_sources(checksum: Fnv, path: &Path) -> std::io::Result<Fnv> {
    if path.is_file() {
        let text = fs::read_to_string(path)?;
        // Line ends depend on the system.
        let lines = text.lines();
        return Ok(lines.fold(checksum, |sum, line| sum.and(line.as_bytes()).and(b"\n")));
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<PathBuf>, _>>()?;
    paths.sort();
    let mut paths = paths.iter();
    paths.try_fold(checksum, |sum, path| add_sources(sum, path))
}

/// The nodes of the graph of these words. They are in ascending order: `tiers::compile` has checked
/// that.
fn graph(words: &[&str]) -> Result<Vec<u8>, String> {
    let strings: Option<Vec<SymbolString>> = words.iter().map(|word| symbols_of(word)).collect();
    let strings = strings.ok_or("a word is not 2 to 21 letters from A to Z")?;
    let nodes = builder::word_graph(strings).map_err(|error| format!("{error:?}"))?;
    let is_big = env::var("CARGO_CFG_TARGET_ENDIAN").is_ok_and(|endian| endian == "big");
    let bytes = |node: node::GraphNode| match is_big {
        true => node.bits().to_be_bytes(),
        false => node.bits().to_le_bytes(),
    };
    Ok(nodes.into_iter().flat_map(bytes).collect())
}

fn symbols_of(word: &str) -> Option<SymbolString> {
    let is_word = word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let symbols = SymbolString::new(word.bytes().map(|byte| byte - b'A' + 1));
    symbols.filter(|_| is_word)
}

/// The constants that `Lexicon` would otherwise compute at every start.
fn facts(words: &[&str]) -> String {
    let hash = |hash: Fnv, word: &&str| hash.and(word.as_bytes()).and(b"\n");
    let hash = words.iter().fold(Fnv::START, hash).sum();
    let count = words.len();
    format!(
        "/// The number of words.\npub const WORD_COUNT: usize = {count};\n\
         /// The hash of the words, as `Lexicon::hash` defines it.\npub const HASH: u64 = {hash:#x};\n"
    )
}

fn write(name: &str, bytes: &[u8]) -> Result<(), String> {
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    let file = PathBuf::from(folder).join(name);
    fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
