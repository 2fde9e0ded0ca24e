//! Words and leave values: which words are valid and what the tiles kept are worth.
//!
//! A [`Lexicon`] comes from the embedded words, from a word list or from a graph file, and
//! has both a DAWG and a GADDAG (`graph`), or a DAWG of
//! alphagrams where the letters of a word may stand in any order (`alphagrams`). `builder` makes the graph of a word list and
//! `check` examines graphs from files. [`WordMap`] finds words by their letters,
//! [`LeaveValues`] holds the values of leaves. `kwg`, `klv` and `text` are the file formats.
//!
//! This module opens files but prints nothing. It knows neither boards nor rules.
//!
//! ```
//! use cazique::lexicon::Lexicon;
//! use cazique::rules::{Embedded, Library};
//!
//! let tiles = Embedded.tiles("english")?;
//! let (lexicon, _) = Lexicon::embedded(&tiles).expect("the embedded words fit these tiles");
//! let is_gazer = |letters: Vec<_>| tiles.word_text(&letters) == "GAZER";
//! assert!(lexicon.words().any(|word| is_gazer(word.letters().collect())));
//! # Ok::<(), String>(())
//! ```

mod alphagrams;
mod builder;
mod check;
pub mod embedded;
mod error;
mod file;
mod graph;
pub mod klv;
pub mod kwg;
mod leaves;
mod node;
mod symbols;
pub mod text;
#[doc(hidden)]
pub mod tiers;
mod word;
mod wordmap;

pub use embedded::Tiers;
pub use error::{GraphError, LexiconError, MAX_FILE_BYTES, MAX_WORDS, OpenError};
pub(crate) use file::read_file;
pub(crate) use graph::letter_bit;
pub use graph::{Graph, WordIter};
#[doc(hidden)]
pub use leaves::LeaveExtension;
pub use leaves::{LeaveValues, LeaveValuesError, MAX_LEAVE_POINTS};
#[doc(hidden)]
pub use node::NodeList;
pub use symbols::MAX_WORD_LETTERS;
pub use text::{DroppedWords, MIN_WORD_LETTERS, TextEncoding};
pub use word::{Word, WordList};
#[doc(hidden)]
pub use wordmap::LetterCounts;
pub use wordmap::WordMap;

use crate::fnv::Fnv;
use crate::tiles::{Letter, TileSet};
use kwg::NodeFormat;
use std::path::Path;

/// The valid words, for one alphabet.
#[derive(Clone, Debug)]
pub struct Lexicon {
    name: String,
    /// The capitals of the alphabet that the letter numbers of the graph refer to.
    alphabet: Vec<String>,
    graph: Graph,
    facts: WordFacts,
    tiers: Option<Tiers>,
}

/// What is known about all words together.
#[derive(Clone, Copy, Debug)]
struct WordFacts {
    count: usize,
    hash: u64,
    /// The number of words without a vowel of the tile set. `None` if they were not counted, or if
    /// the tile set has no vowels.
    vowelless: Option<usize>,
}

/// The largest share of words without a vowel in a lexicon whose letters have the right numbers.
/// In OEL26 it is 0.08 %, among its words of at most 5 letters 0.74 %; Y is no vowel here. If the
/// alphabet of OEL26 has one letter more, so that all letters after the new one have wrong numbers,
/// it is 7.6 % for a letter after C, 2.1 % after L and 0.7 % after S. Of 200 random orders of the
/// alphabet, the least share is 1.8 % and the median 17 %.
const MAX_VOWELLESS_SHARE: f64 = 0.01;
/// The fewest words of which a share is taken: a list of two-letter words has some without a
/// vowel. Chosen by hand.
const MIN_WORDS_FOR_SHARE: usize = 1_000;

impl Lexicon {
    /// The words that come with the library, as far as the tile set can write them, and how
    /// many it cannot. For the letters A to Z the graph is ready; otherwise it is built here.
    pub fn embedded(tiles: &TileSet) -> Result<(Lexicon, DroppedWords), LexiconError> {
        let tiers = Tiers::embedded();
        let (mut lexicon, dropped) = match embedded::graph(tiles) {
            Some(graph) => {
                let lexicon = Lexicon {
                    name: embedded::NAME.to_string(),
                    alphabet: alphabet(tiles),
                    graph,
                    facts: WordFacts {
                        count: embedded::WORD_COUNT,
                        hash: embedded::HASH,
                        vowelless: None,
                    },
                    tiers: None,
                };
                (lexicon, DroppedWords::default())
            }
            None => {
                let (words, dropped) = tiers.words(tiles);
                let lexicon = Lexicon::from_list(embedded::NAME, tiles, &words, dropped)?;
                (lexicon, dropped)
            }
        };
        lexicon.tiers = Some(tiers);
        Ok((lexicon, dropped))
    }

    /// A lexicon of these words, whose letters must be those of the tile set.
    pub fn from_words(
        name: &str,
        tiles: &TileSet,
        words: &WordList,
    ) -> Result<Lexicon, GraphError> {
        let graph = Graph::from_words(words)?;
        graph.check_tiles(tiles.letter_count())?;
        Ok(Lexicon::from_graph(name, tiles, graph))
    }

    /// Opens a file. The extension decides the format: `.kwg` and `.kbwg` are graphs, the
    /// extensions of a few other formats are refused, and everything else is read as a word
    /// list. Only a word list can have dropped words.
    pub fn open(
        path: &Path,
        tiles: &TileSet,
        encoding: TextEncoding,
    ) -> Result<(Lexicon, Option<DroppedWords>), OpenError> {
        let stem = path.file_stem().unwrap_or_default();
        let name = stem.to_string_lossy().to_uppercase();
        file::open(path, tiles, |bytes| match file::extension(path).as_str() {
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
        format: NodeFormat,
    ) -> Result<(Lexicon, Option<DroppedWords>), LexiconError> {
        let graph = kwg::read(bytes, format, tiles.letter_count())?;
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
        Lexicon {
            name: name.to_string(),
            alphabet: alphabet(tiles),
            facts: WordFacts::new(&graph, tiles),
            graph,
            tiers: None,
        }
    }

    /// The same lexicon for games in which the letters of a word may stand in any order: it
    /// contains every order of the letters of its words, and its graph has their alphagrams. Number
    /// of words and hash stay those of the words.
    pub fn in_any_order(self) -> Result<Lexicon, GraphError> {
        let graph = self.graph.alphagrams()?;
        Ok(Lexicon { graph, ..self })
    }

    /// The name: that of the file without extension, in capitals.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the letters of this tile set have the same numbers as here.
    pub fn fits(&self, tiles: &TileSet) -> bool {
        tiles.capitals().eq(&self.alphabet)
    }

    /// The graph of the words.
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether this is a valid word. All rulings ask this function; a lexicon that is
    /// [in any order](Lexicon::in_any_order) answers for games with such rules.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.graph.contains(word)
    }

    /// The words in alphabetical order, or their alphagrams.
    pub fn words(&self) -> WordIter<'_> {
        self.graph.words()
    }

    /// The number of words.
    pub fn word_count(&self) -> usize {
        self.facts.count
    }

    /// Identifies the list of words, whatever file it comes from: FNV-1a over the words in
    /// order, each followed by a line feed.
    pub fn hash(&self) -> u64 {
        self.facts.hash
    }

    /// The share of words without a vowel of the tile set, if it is so large that the letter
    /// numbers of the graph seem to be those of another tile set.
    pub fn suspicious_share(&self) -> Option<f64> {
        let (count, vowelless) = (self.facts.count, self.facts.vowelless?);
        let share = vowelless as f64 / count as f64;
        (count >= MIN_WORDS_FOR_SHARE && share > MAX_VOWELLESS_SHARE).then_some(share)
    }

    /// How common a word is, if the lexicon has tiers: from 10, most common, to 99.
    pub fn tier(&self, word: &[Letter]) -> Option<u8> {
        let capital = |letter: &Letter| Some(self.alphabet.get(letter.number() - 1)?.as_str());
        let text: String = word.iter().map(capital).collect::<Option<_>>()?;
        self.tiers.as_ref()?.get(&text)
    }
}

impl LeaveValues {
    /// Opens a file of leave values: CSV if its extension is `.csv`, else `.klv2` or `.klv`.
    pub fn open(path: &Path, tiles: &TileSet) -> Result<LeaveValues, OpenError> {
        file::open(path, tiles, |bytes| match file::extension(path).as_str() {
            "csv" => Ok(klv::read_csv(
                &text::decode(bytes, TextEncoding::Auto)?,
                tiles,
            )?),
            _ => Ok(klv::read(bytes, tiles.letter_count())?),
        })
    }
}

/// The capitals of a tile set, by letter number.
fn alphabet(tiles: &TileSet) -> Vec<String> {
    tiles.capitals().map(str::to_string).collect()
}

impl WordFacts {
    /// Counts and hashes the words of a graph.
    fn new(graph: &Graph, tiles: &TileSet) -> WordFacts {
        let alphabet = alphabet(tiles);
        let vowels = tiles
            .letters()
            .map(|letter| tiles.kind(letter.into()).vowel);
        let vowels: Vec<bool> = vowels.collect();
        let (mut hash, mut count, mut vowelless) = (Fnv::START, 0, 0);
        for word in graph.words() {
            let mut has_vowel = false;
            for letter in word.letters() {
                let at = letter.number() - 1;
                has_vowel |= vowels[at];
                hash = hash.and(alphabet[at].as_bytes());
            }
            hash = hash.and(b"\n");
            count += 1;
            vowelless += usize::from(!has_vowel);
        }
        WordFacts {
            count,
            hash: hash.sum(),
            vowelless: vowels.contains(&true).then_some(vowelless),
        }
    }
}
