//! What can be wrong with words and leave values that come from outside.

use super::leaves::LeaveValuesError;
use super::node::MAX_GRAPH_NODES;
use super::symbols::MAX_WORD_LETTERS;
use super::text::{DecodeError, DroppedWords};
use crate::tiles::TileSet;
use std::path::PathBuf;
use thiserror::Error;

/// The largest file that is read, in bytes: 1 GiB. Chosen by hand, far above any word list.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// The most words of a file: 4.2 million. A graph of a few dozen nodes can stand for more
/// words than anyone could list, so there has to be a limit. The largest real list we know of
/// has 3.3 million words.
pub const MAX_WORDS: u64 = 1 << 22;

/// The most nodes of a `.kwg` file: those that its arcs of 22 bits can reach.
pub(super) const MAX_KWG_NODES: usize = 1 << 22;

/// A file that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {what}", file.display())]
pub struct OpenError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: LexiconError,
}

/// Why a file gives no lexicon or no leave values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LexiconError {
    /// The operating system cannot read the file; its message.
    #[error("{0}")]
    Unreadable(String),
    /// A directory, a device or a pipe.
    #[error("not a regular file")]
    NotAFile,
    /// A file larger than [`MAX_FILE_BYTES`]; its size in bytes.
    #[error("{0} bytes, the limit is {MAX_FILE_BYTES}")]
    FileSize(u64),
    /// A known format that we do not read; what the file is.
    #[error("{0}, which cannot be read; use a .kwg or .kbwg file or a list of words")]
    Unsupported(&'static str),
    /// No word is left; how many were dropped.
    #[error("no words for this tile set ({0})")]
    NoWords(DroppedWords),
    /// The nodes are not a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A letter number that the tile set does not have.
    #[error(
        "it has the letter number {number}, but the tile set '{tiles}' has the letters 1 to {letters}; \
         set LetterDistribution to the tile set that the file was made for"
    )]
    ForeignLetter {
        /// The letter number.
        number: u8,
        /// The name of the tile set.
        tiles: String,
        /// The number of letters of the tile set.
        letters: usize,
    },
    /// The bytes are not text.
    #[error(transparent)]
    Text(#[from] DecodeError),
    /// The file does not hold leave values.
    #[error(transparent)]
    LeaveValues(#[from] LeaveValuesError),
}

impl LexiconError {
    /// The same error, or if it is about a letter number, one that names the tile set.
    pub(super) fn naming(self, tiles: &TileSet) -> LexiconError {
        match self {
            LexiconError::Graph(GraphError::Tile(_, number, letters))
            | LexiconError::LeaveValues(LeaveValuesError::Graph(GraphError::Tile(
                _,
                number,
                letters,
            ))) if usize::from(number) > letters => LexiconError::ForeignLetter {
                number,
                tiles: tiles.name().to_string(),
                letters,
            },
            other => other,
        }
    }
}

/// What is wrong with the nodes of a graph. Nodes are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// The number of bytes is not a multiple of four, or zero.
    #[error(
        "{0} bytes are not a number of 4-byte nodes; the file is cut short or of another format"
    )]
    Length(usize),
    /// More nodes than arcs can reach.
    #[error("{0} nodes, the limit is {MAX_GRAPH_NODES}; use fewer words")]
    Nodes(usize),
    /// This node should be a root and is not.
    #[error("node {0} is not a root; the file is damaged or of another format")]
    Root(usize),
    /// An arc leads to this node, but there are only this many.
    #[error("an arc leads to node {0}, but there are {1} nodes")]
    Arc(usize, usize),
    /// The list that starts at this node has no last sibling.
    #[error("the list at node {0} has no end")]
    OpenList(usize),
    /// A node, its tile, and the number of letters in the tile set, which is lower.
    #[error(
        "node {0} has tile {1}, but the tile set has letters 1 to {2}; the words may be for another tile set"
    )]
    Tile(usize, u8, usize),
    /// This node has the same tile as a sibling.
    #[error("node {0} has the same tile as a sibling")]
    Twice(usize),
    /// No word ends with this node, and nothing follows it.
    #[error("node {0} leads to no word")]
    DeadEnd(usize),
    /// The tiles of a leave descend after this node.
    #[error("a tile after node {0} is out of order")]
    Descent(usize),
    /// A path leads from this node back to it.
    #[error("a path leads from node {0} back to it")]
    Cycle(usize),
    /// A word has this many letters.
    #[error("a word has {0} letters, the limit is {MAX_WORD_LETTERS}")]
    Depth(usize),
    /// More than [`MAX_WORDS`] words.
    #[error("more than {MAX_WORDS} words, which is the limit")]
    Words,
    /// DAWG and GADDAG have different words.
    #[error("the DAWG and the GADDAG do not have the same words; the file is damaged")]
    DifferentWords,
    /// More nodes than the arcs of a `.kwg` file can reach.
    #[error("{0} nodes, the limit of .kwg is {MAX_KWG_NODES}; write .kbwg")]
    KwgNodes(usize),
}
