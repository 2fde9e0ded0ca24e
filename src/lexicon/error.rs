//! What can be wrong with words and leave values that come from outside.

use super::graph::MAX_NODES;
use super::leaves::LeaveValuesError;
use super::text::{DecodeError, DroppedWords};
use super::word::MAX_WORD_LETTERS;
use std::fmt;
use std::path::PathBuf;

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// The most words a file can have. A few dozen nodes can stand for more words
/// than anyone could ever list, so there has to be a limit. The largest real
/// list we know of has 3.3 million.
pub const MAX_WORDS: u64 = 1 << 22;

/// The most nodes that the arcs of a `.kwg` file can reach.
pub(super) const MAX_KWG_NODES: usize = 1 << 22;

/// A file that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: LexiconError,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.what)
    }
}

impl std::error::Error for OpenError {}

/// Why there is no lexicon, or no leave values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexiconError {
    /// The system cannot read the file; what it says.
    Unreadable(String),
    /// A directory, a device or a pipe.
    NotAFile,
    /// A file that is too large, with its size.
    FileSize(u64),
    /// A format that is known but not read, and what it is.
    Unsupported(&'static str),
    /// No word is left; what was dropped.
    NoWords(DroppedWords),
    /// A graph that is none.
    Graph(GraphError),
    /// A text that is none.
    Text(DecodeError),
    /// Leave values that are none.
    LeaveValues(LeaveValuesError),
}

impl fmt::Display for LexiconError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LexiconError::Unreadable(what) => f.write_str(what),
            LexiconError::NotAFile => write!(f, "not a regular file"),
            LexiconError::FileSize(size) => {
                write!(f, "{size} bytes, the limit is {MAX_FILE_BYTES}")
            }
            LexiconError::Unsupported(what) => write!(
                f,
                "{what}, which cannot be read; use a .kwg or .kbwg file or a list of words"
            ),
            LexiconError::NoWords(dropped) => {
                write!(f, "no words for this tile set ({dropped})")
            }
            LexiconError::Graph(error) => error.fmt(f),
            LexiconError::Text(error) => error.fmt(f),
            LexiconError::LeaveValues(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LexiconError {}

impl From<GraphError> for LexiconError {
    fn from(error: GraphError) -> LexiconError {
        LexiconError::Graph(error)
    }
}

impl From<DecodeError> for LexiconError {
    fn from(error: DecodeError) -> LexiconError {
        LexiconError::Text(error)
    }
}

impl From<LeaveValuesError> for LexiconError {
    fn from(error: LeaveValuesError) -> LexiconError {
        LexiconError::LeaveValues(error)
    }
}

/// What is wrong with the nodes of a graph. Places are node numbers, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// A number of bytes that is not a number of nodes.
    Length(usize),
    /// More nodes than arcs can reach.
    Nodes(usize),
    /// A root that is not one.
    Root(usize),
    /// An arc to a node that is not there; then how many there are.
    Arc(usize, usize),
    /// A list of siblings that does not end.
    OpenList(usize),
    /// A tile that the tile set does not have; its number, then how many letters there are.
    Tile(usize, u8, usize),
    /// Two siblings with the same tile.
    Twice(usize),
    /// A node with which no word ends and after which nothing comes.
    DeadEnd(usize),
    /// Tiles of a leave out of order.
    Descent(usize),
    /// A path that leads back to where it came from.
    Cycle(usize),
    /// A word that is too long, with its length.
    Depth(usize),
    /// More than [`MAX_WORDS`] words.
    Words,
    /// DAWG and GADDAG with different words.
    Halves,
    /// More nodes than the arcs of a `.kwg` file can reach.
    SmallNodes(usize),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GraphError::Length(bytes) => {
                write!(
                    f,
                    "{bytes} bytes are not a number of 4-byte nodes; the file is cut short or of another format"
                )
            }
            GraphError::Nodes(nodes) => {
                write!(
                    f,
                    "{nodes} nodes, the limit is {MAX_NODES}; use fewer words"
                )
            }
            GraphError::SmallNodes(nodes) => {
                write!(
                    f,
                    "{nodes} nodes, the limit of .kwg is {MAX_KWG_NODES}; write .kbwg"
                )
            }
            GraphError::Root(at) => {
                write!(
                    f,
                    "node {at} is not a root; the file is damaged or of another format"
                )
            }
            GraphError::Arc(to, nodes) => {
                write!(f, "an arc leads to node {to}, but there are {nodes} nodes")
            }
            GraphError::OpenList(at) => write!(f, "the list at node {at} has no end"),
            GraphError::Tile(at, tile, letters) => write!(
                f,
                "node {at} has tile {tile}, but the tile set has letters 1 to {letters}; the words may be for another tile set"
            ),
            GraphError::Twice(at) => write!(f, "node {at} has the same tile as a sibling"),
            GraphError::DeadEnd(at) => write!(f, "node {at} leads to no word"),
            GraphError::Descent(at) => write!(f, "a tile after node {at} is out of order"),
            GraphError::Cycle(at) => write!(f, "a path leads from node {at} back to it"),
            GraphError::Depth(len) => {
                write!(
                    f,
                    "a word has {len} letters, the limit is {MAX_WORD_LETTERS}"
                )
            }
            GraphError::Words => write!(f, "more than {MAX_WORDS} words, which is the limit"),
            GraphError::Halves => write!(
                f,
                "the DAWG and the GADDAG do not have the same words; the file is damaged"
            ),
        }
    }
}

impl std::error::Error for GraphError {}
