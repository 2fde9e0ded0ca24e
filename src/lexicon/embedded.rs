//! The words that come with the library: the Open English Lexicon 2026.
//!
//! `lexica/oel26.tsv` is the source. The build script makes two forms of it: a map from words
//! to tiers, and the nodes of the packed graph for alphabets of the letters A to Z. Both are
//! part of the program file and are used in place. For other alphabets the graph is built
//! from the map.

use super::graph::Graph;
use super::node::GraphNode;
use super::text::{DroppedWords, WordCollector};
use super::word::WordList;
use crate::tiles::TileSet;
use fst::{Map, Streamer};

/// The name of the embedded lexicon.
pub(crate) const NAME: &str = "OEL26";

/// The map from words to tiers, an `fst` map.
pub const TIER_MAP: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/oel26.fst"));

include!(concat!(env!("OUT_DIR"), "/oel26.rs"));

/// Aligns bytes as the nodes of a graph are.
#[repr(C, align(4))]
struct Aligned<T: ?Sized>(T);

/// The nodes of the packed graph, in the byte order of the target.
static NODES: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/oel26.nodes")));

/// The packed graph for tile sets of the letters A to Z; `None` for others. The nodes are not
/// checked, because our own builder made them when the library was compiled.
pub(super) fn graph(tiles: &TileSet) -> Option<Graph> {
    let is_latin = tiles
        .capitals()
        .eq((b'A'..=b'Z').map(|byte| char::from(byte).to_string()));
    let nodes: &'static [GraphNode] = bytemuck::cast_slice(&NODES.0);
    is_latin.then(|| Graph::new(nodes).with_right_extensions())
}

/// How common words are: a tier from 10 for the most common words to 99 for the rarest.
#[derive(Clone, Debug)]
pub struct Tiers {
    map: Map<&'static [u8]>,
}

impl Tiers {
    /// The tiers of the embedded words. Nothing is read yet.
    pub fn embedded() -> Tiers {
        let map = Map::new(TIER_MAP).expect("the build script wrote a map");
        Tiers { map }
    }

    /// The tier of a word in capitals.
    pub fn get(&self, word: &str) -> Option<u8> {
        self.map.get(word).map(|tier| tier as u8)
    }

    /// The words that the tile set can write, and how many it cannot.
    pub fn words(&self, tiles: &TileSet) -> (WordList, DroppedWords) {
        let mut words = WordCollector::new(tiles, false);
        let mut stream = self.map.stream();
        while let Some((word, _)) = stream.next() {
            words.add(str::from_utf8(word).unwrap_or_default());
        }
        words.finish()
    }
}
