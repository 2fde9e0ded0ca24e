//! The words that come with the library: the Open English Lexicon 2026.
//!
//! `lexica/oel26.tsv` is the source; the build script makes the compact form.

use super::text::{DroppedWords, WordCollector};
use super::word::WordList;
use crate::tiles::TileSet;
use fst::{Map, Streamer};

/// The compact form of `lexica/oel26.tsv`.
pub const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/oel26.fst"));

/// Its name.
pub const NAME: &str = "OEL26";

/// How common words are: a tier from 10 for the most common ones to 99.
#[derive(Clone, Debug)]
pub struct Tiers {
    map: Map<&'static [u8]>,
}

impl Tiers {
    /// The tiers of the embedded words.
    pub fn embedded() -> Tiers {
        let map = Map::new(BYTES).expect("the build script wrote a map");
        Tiers { map }
    }

    /// The tier of a word in capitals.
    pub fn get(&self, word: &str) -> Option<u8> {
        self.map.get(word).map(|tier| tier as u8)
    }

    /// Those words that the tile set can write, and how many it cannot.
    pub(super) fn words(&self, tiles: &TileSet) -> (WordList, DroppedWords) {
        let mut words = WordCollector::new(tiles, false);
        let mut stream = self.map.stream();
        while let Some((word, _)) = stream.next() {
            words.add(str::from_utf8(word).unwrap_or_default());
        }
        words.finish()
    }
}
