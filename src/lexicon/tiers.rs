//! Compiles a list of words with tiers to a finite-state map, and back.
//!
//! A tier says how common a word is: 10 for the most common words, 99 for those that no list
//! of common words has. The source is text, `WORD<TAB>tier` in ascending order. The map, made
//! by the `fst` crate, has a third of the size.
//!
//! The build script compiles this file too, so it uses nothing of the rest of the library.

use fst::{Map, MapBuilder, Streamer};
use std::fmt::Write;

/// Compiles a text to a map.
pub fn compile(tsv: &str) -> Result<Vec<u8>, String> {
    let mut map = MapBuilder::memory();
    for (at, line) in tsv.lines().enumerate() {
        let error_at = |what: &str| format!("line {}: {what}", at + 1);
        let (word, tier) = line.split_once('\t').ok_or_else(|| error_at("no tab"))?;
        let tier: u8 = tier
            .parse()
            .map_err(|_| error_at("the tier is not a number from 0 to 255"))?;
        map.insert(word, tier.into())
            .map_err(|error| error_at(&error.to_string()))?;
    }
    map.into_inner().map_err(|error| error.to_string())
}

/// The text that a map was compiled from.
pub fn decompile(bytes: &[u8]) -> Result<String, String> {
    let map = Map::new(bytes).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let mut stream = map.stream();
    while let Some((word, tier)) = stream.next() {
        let word = str::from_utf8(word).map_err(|error| error.to_string())?;
        writeln!(text, "{word}\t{tier}").map_err(|error| error.to_string())?;
    }
    Ok(text)
}
