//! Words and leave values: what is valid and what tiles in hand are worth.
//!
//! A [`Lexicon`] comes from the embedded words, from a list, or from a graph
//! file; it always has both a DAWG and a GADDAG. This module opens files but
//! prints nothing, and it knows neither boards nor rules.

pub mod build;
mod check;
pub mod embedded;
mod error;
mod file;
mod graph;
pub mod klv;
pub mod kwg;
mod leaves;
pub mod text;
pub mod tiers;
mod word;
mod wordmap;

pub use embedded::Tiers;
pub use error::{GraphError, LexiconError, MAX_FILE_BYTES, MAX_WORDS, OpenError};
pub use file::read_file;
pub(crate) use graph::letter_bit;
pub use graph::{Graph, GraphNode, ListSummary, NodeList, Siblings, WordIter};
pub use leaves::{LeaveValues, LeaveValuesError};
pub use text::{DroppedWords, MIN_WORD_LETTERS, TextEncoding};
pub use word::{MAX_WORD_LETTERS, Word, WordList};
pub use wordmap::{LetterCounts, WordMap};

use crate::fnv::Fnv;
use crate::tiles::{Letter, TileSet};
use kwg::NodeFormat;
use std::path::Path;

/// The valid words, for one alphabet.
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: String,
    /// The capitals of the alphabet that the letters' numbers refer to.
    alphabet: Vec<String>,
    graph: Graph,
    word_count: usize,
    hash: u64,
    tiers: Option<Tiers>,
}

impl Lexicon {
    /// The words that come with the library, as far as the tile set can write
    /// them, and how many it cannot.
    pub fn embedded(tiles: &TileSet) -> Result<(Lexicon, DroppedWords), LexiconError> {
        let tiers = Tiers::embedded();
        let (words, dropped) = tiers.words(tiles);
        let mut lexicon = Lexicon::from_list(embedded::NAME, tiles, &words, dropped)?;
        lexicon.tiers = Some(tiers);
        Ok((lexicon, dropped))
    }

    /// A lexicon of these words, whose letters must be those of the tile set.
    pub fn from_words(
        name: &str,
        tiles: &TileSet,
        words: &WordList,
    ) -> Result<Lexicon, GraphError> {
        let graph = build::graph(words)?;
        graph.check_tiles(tiles.letter_count())?;
        Ok(Lexicon::from_graph(name, tiles, graph))
    }

    /// Opens a file. Its extension tells the format: `.kwg` and `.kbwg` are
    /// graphs, a few others are known but not read, and the rest are lists of
    /// words, of which some may be dropped.
    pub fn open(
        path: &Path,
        tiles: &TileSet,
        encoding: TextEncoding,
    ) -> Result<(Lexicon, Option<DroppedWords>), OpenError> {
        let stem = path.file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().to_uppercase();
        file::open(path, |bytes| match file::extension(path).as_str() {
            "kwg" => Lexicon::from_file(&name, tiles, bytes, NodeFormat::Kwg),
            "kbwg" => Lexicon::from_file(&name, tiles, bytes, NodeFormat::Kbwg),
            "kad" => Err(LexiconError::Unsupported("a file of alphagrams")),
            "klv" | "klv2" => Err(LexiconError::Unsupported("a file of leave values")),
            "wmp" => Err(LexiconError::Unsupported("a word map")),
            "dawg" | "gaddag" => Err(LexiconError::Unsupported("a graph of another program")),
            _ => {
                let (words, dropped) = text::read(bytes, tiles, encoding)?;
                let lexicon = Lexicon::from_list(&name, tiles, &words, dropped)?;
                Ok((lexicon, Some(dropped)))
            }
        })
    }

    fn from_file(
        name: &str,
        tiles: &TileSet,
        bytes: &[u8],
        layout: NodeFormat,
    ) -> Result<(Lexicon, Option<DroppedWords>), LexiconError> {
        let graph = kwg::read(bytes, layout, tiles.letter_count())?;
        match graph.dawg_root().is_none() {
            true => Err(LexiconError::NoWords(DroppedWords::default())),
            false => Ok((Lexicon::from_graph(name, tiles, graph), None)),
        }
    }

    fn from_list(
        name: &str,
        tiles: &TileSet,
        words: &WordList,
        dropped: DroppedWords,
    ) -> Result<Lexicon, LexiconError> {
        match words.is_empty() {
            true => Err(LexiconError::NoWords(dropped)),
            false => Ok(Lexicon::from_words(name, tiles, words)?),
        }
    }

    fn from_graph(name: &str, tiles: &TileSet, graph: Graph) -> Lexicon {
        let alphabet: Vec<String> = tiles.capitals().map(str::to_string).collect();
        let (word_count, hash) = fingerprint(&graph, &alphabet);
        Lexicon {
            name: name.to_string(),
            alphabet,
            graph,
            word_count,
            hash,
            tiers: None,
        }
    }

    /// Its name: that of its file without extension, in capitals.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the letters of this tile set have the numbers that they have here.
    pub fn fits(&self, tiles: &TileSet) -> bool {
        tiles.capitals().eq(&self.alphabet)
    }

    /// The graph of its words.
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether this is a valid word.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.graph.contains(word)
    }

    /// The words in alphabetical order.
    pub fn words(&self) -> WordIter<'_> {
        self.graph.words()
    }

    /// How many words there are.
    pub fn word_count(&self) -> usize {
        self.word_count
    }

    /// A number that tells lists of words apart, whatever file they come from:
    /// FNV-1a over the words in order, each followed by a line feed.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// How common a word is, if the lexicon knows: 10 most, 99 least.
    pub fn tier(&self, word: &[Letter]) -> Option<u8> {
        let capital = |letter: &Letter| Some(self.alphabet.get(letter.number() - 1)?.as_str());
        let text: String = word.iter().map(capital).collect::<Option<_>>()?;
        self.tiers.as_ref()?.get(&text)
    }
}

impl LeaveValues {
    /// Opens a file of leave values: CSV if its extension says so, else `.klv2` or `.klv`.
    pub fn open(path: &Path, tiles: &TileSet) -> Result<LeaveValues, OpenError> {
        file::open(path, |bytes| match file::extension(path).as_str() {
            "csv" => Ok(klv::read_csv(
                &text::decode(bytes, TextEncoding::Auto)?,
                tiles,
            )?),
            _ => Ok(klv::read(bytes, tiles.letter_count())?),
        })
    }
}

/// How many words a graph has, and their hash.
fn fingerprint(graph: &Graph, alphabet: &[String]) -> (usize, u64) {
    let mut hash = Fnv::START;
    let mut count = 0;
    for word in graph.words() {
        let texts = word
            .letters()
            .map(|letter| alphabet[letter.number() - 1].as_bytes());
        hash = texts.fold(hash, Fnv::and).and(b"\n");
        count += 1;
    }
    (count, hash.sum())
}
