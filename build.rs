//! Makes the compact form of the word list that is embedded in the library.

#[allow(dead_code, reason = "the library uses the way back")]
#[path = "src/lexicon/tiers.rs"]
mod tiers;

use std::path::PathBuf;
use std::{env, fs};

/// The list, which is the source of truth.
const SOURCE: &str = "lexica/oel26.tsv";

fn main() -> Result<(), String> {
    for file in [SOURCE, "build.rs", "src/lexicon/tiers.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    let text = fs::read_to_string(SOURCE).map_err(|error| format!("{SOURCE}: {error}"))?;
    let bytes = tiers::compile(&text).map_err(|error| format!("{SOURCE}: {error}"))?;
    let out = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?;
    let file = PathBuf::from(out).join("oel26.fst");
    fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
