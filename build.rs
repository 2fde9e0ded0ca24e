//! Makes the embedded forms of the word list, so that the program starts without building them.
//!
//! From `lexica/oel26.tsv`, which is the source of truth, it writes to `OUT_DIR`:
//!
//! * `oel26.fst`: a finite-state map from each word to its tier;
//! * `oel26.nodes`: the nodes of the packed word graph (DAWG and GADDAG) for an alphabet of the
//!   letters A to Z, as `u32` in the byte order of the target, so that it is used in place;
//! * `oel26.rs`: how many words there are, and their hash.
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
use std::path::PathBuf;
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

fn main() -> Result<(), String> {
    for file in INPUTS {
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
    write("oel26.rs", facts(&words).as_bytes())
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
