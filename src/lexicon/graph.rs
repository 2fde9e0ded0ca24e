//! The packed word graph that word look-up and move generation traverse.
//!
//! The graph is one array of [`GraphNode`]s. A node holds a tile, whether a word ends with
//! it, whether it is the last of its siblings, and where the list of its children starts.
//! Siblings stand side by side in ascending order of tiles.
//!
//! The array holds two automata that share nodes. The DAWG has the words as they are written.
//! The GADDAG (S. Gordon, "A faster Scrabble move generation algorithm", Software: Practice
//! and Experience 24, 1994) has each word of n letters n times: for CARE they are ERAC,
//! RAC@E, AC@RE and C@ARE. The separator @ is tile 0, and the nodes after it are nodes of the
//! DAWG.
//!
//! `builder` and `kwg` make the nodes; this module only reads them. The nodes of the embedded
//! lexicon are part of the program file and are used in place.

use super::builder::{self, TooManyNodes};
use super::error::GraphError;
use super::node::{GraphNode, NodeList, SEPARATOR};
use super::symbols::{MAX_WORD_LETTERS, SymbolString};
use super::word::{Word, WordList};
use crate::tiles::Letter;
use std::borrow::Cow;

/// The bit of a letter in a set of letters. Number 0, the separator, has no bit.
#[inline]
pub(crate) fn letter_bit(number: u8) -> u32 {
    (1_u64 << number >> 1) as u32
}

/// A word graph. Its maker has checked it: every arc leads to a list that ends, and no path
/// is longer than a word and a separator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Node 0 points to the DAWG's first list and node 1 to the GADDAG's.
    nodes: Cow<'static, [GraphNode]>,
    /// By node: a summary of its list from this node on.
    summaries: Box<[ListSummary]>,
    /// By node: see [`Graph::right_extensions`]. Empty if the graph has no GADDAG.
    right_extensions: Box<[u32]>,
    /// See [`Graph::is_alphagrams`].
    pub(super) is_alphagrams: bool,
}

/// What a list holds. With it a walk goes straight to the node it needs instead of passing by
/// all siblings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListSummary {
    /// The letters of the list, one bit each.
    pub letters: u32,
    /// The letters with which a word ends.
    pub final_letters: u32,
    /// The list that follows the separator, if the list starts with a separator.
    pub after_separator: NodeList,
    /// The letters of the list that follows the separator.
    pub letters_after_separator: u32,
}

impl Graph {
    /// The graph of these words, with DAWG and GADDAG.
    pub fn from_words(words: &WordList) -> Result<Graph, GraphError> {
        let nodes = builder::word_graph(words.iter().map(|word| word.0))?;
        Ok(Graph::new(nodes).with_right_extensions())
    }

    /// A graph of nodes that have been checked or built.
    pub(super) fn new(nodes: impl Into<Cow<'static, [GraphNode]>>) -> Graph {
        let nodes = nodes.into();
        let mut summaries = vec![ListSummary::default(); nodes.len()].into_boxed_slice();
        let mut summary = ListSummary::default();
        for (at, node) in nodes.iter().enumerate().rev() {
            if node.is_last() {
                summary = ListSummary::default();
            }
            let letter = letter_bit(node.tile());
            summary.letters |= letter;
            summary.final_letters |= if node.accepts() { letter } else { 0 };
            summaries[at] = summary;
        }
        // Index 0 stands for the empty list.
        if let Some(none) = summaries.first_mut() {
            *none = ListSummary::default();
        }
        for (at, node) in nodes.iter().enumerate().skip(1) {
            if node.tile() == SEPARATOR {
                let after = summaries.get(node.arc().index());
                let letters = after.map_or(0, |after| after.letters);
                summaries[at].after_separator = node.arc();
                summaries[at].letters_after_separator = letters;
            }
        }
        Graph {
            nodes,
            summaries,
            right_extensions: Box::default(),
            is_alphagrams: false,
        }
    }

    /// The same graph with the values of [`Graph::right_extensions`]. It has been checked.
    pub(super) fn with_right_extensions(mut self) -> Graph {
        let mut values = vec![0; self.nodes.len()].into_boxed_slice();
        // One pass is enough where children stand before their parents, as in graphs that
        // `builder` made. In other files each pass settles at least one more level.
        for _ in 0..=MAX_WORD_LETTERS {
            if self.spread_right_extensions(&mut values) {
                break;
            }
        }
        self.right_extensions = values;
        self
    }

    /// Computes each value from those of the children, list by list and each list from its
    /// end. Returns whether no child stands behind its parent, so that all values are final.
    fn spread_right_extensions(&self, values: &mut [u32]) -> bool {
        let mut is_final = true;
        let mut start = 2.min(self.nodes.len());
        while start < self.nodes.len() {
            let len = self.nodes[start..].iter().position(|node| node.is_last());
            let end = len.map_or(self.nodes.len(), |len| start + len + 1);
            let mut letters = 0;
            for at in (start..end).rev() {
                let (tile, arc) = (self.nodes[at].tile(), self.nodes[at].arc().index());
                if tile == SEPARATOR {
                    letters |= self.summaries[at].letters_after_separator;
                } else {
                    letters |= values.get(arc).copied().unwrap_or(0);
                    is_final &= arc < start;
                }
                values[at] = letters;
            }
            start = end;
        }
        is_final
    }

    /// For a list of the GADDAG before the separator: the letters that can come right after
    /// the separator on any path from this list. The path may have any number of letters
    /// before the separator.
    #[inline]
    pub(crate) fn right_extensions(&self, list: NodeList) -> u32 {
        self.right_extensions[list.index()]
    }

    /// The first letters of the words.
    #[inline]
    #[doc(hidden)]
    pub fn dawg_root(&self) -> NodeList {
        self.root(0)
    }

    /// The first letters of the strings of the GADDAG.
    #[inline]
    #[doc(hidden)]
    pub fn gaddag_root(&self) -> NodeList {
        self.root(1)
    }

    fn root(&self, at: usize) -> NodeList {
        self.nodes.get(at).map_or(NodeList::NONE, |node| node.arc())
    }

    /// The number of nodes, of four bytes each.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, as files hold them.
    pub(super) fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// Checks that all tiles are those of a tile set with this number of letters.
    pub(super) fn check_tiles(&self, letters: usize) -> Result<(), GraphError> {
        let foreign = |node: &GraphNode| usize::from(node.tile()) > letters;
        match self.nodes.iter().position(foreign) {
            Some(at) => Err(GraphError::Tile(at, self.nodes[at].tile(), letters)),
            None => Ok(()),
        }
    }

    /// The nodes of a list, in ascending order of tiles.
    #[inline]
    #[doc(hidden)]
    pub fn siblings(&self, list: NodeList) -> Siblings<'_> {
        let from = match list {
            NodeList::NONE => self.nodes.len(),
            list => list.index(),
        };
        Siblings {
            nodes: self.nodes.get(from..).unwrap_or_default().iter(),
        }
    }

    /// The summary of a list.
    #[inline]
    pub(crate) fn summary(&self, list: NodeList) -> &ListSummary {
        &self.summaries[list.index()]
    }

    /// The node with this letter in a list.
    #[inline]
    pub(crate) fn child(&self, list: NodeList, tile: u8) -> Option<GraphNode> {
        let (summary, letter) = (self.summary(list), letter_bit(tile));
        (summary.letters & letter != 0).then(|| self.node(list, summary, letter))
    }

    /// The index of the node with this tile in a list of leaves, where tile 0 is the blank.
    #[inline]
    pub(super) fn child_index(&self, list: NodeList, tile: u8) -> Option<usize> {
        let (first, letter) = (list.index(), letter_bit(tile));
        let blanks = usize::from(!list.is_none() && self.nodes[first].tile() == SEPARATOR);
        let letters = self.summary(list).letters;
        if tile == SEPARATOR {
            return (blanks == 1).then_some(first);
        }
        let below = (letters & (letter - 1)).count_ones() as usize;
        (letters & letter != 0).then_some(first + blanks + below)
    }

    /// The list that follows a letter of a list. `summary` is that list's summary, and
    /// `letter` one of the bits in its letters.
    #[inline]
    pub(crate) fn follow(&self, list: NodeList, summary: &ListSummary, letter: u32) -> NodeList {
        self.node(list, summary, letter).arc()
    }

    #[inline]
    fn node(&self, list: NodeList, summary: &ListSummary, letter: u32) -> GraphNode {
        // Siblings ascend, so the number of lower letters is the offset in the list.
        let below = (summary.letters & (letter - 1)).count_ones() as usize;
        self.nodes[list.index() + usize::from(!summary.after_separator.is_none()) + below]
    }

    /// Whether this is a word: the DAWG has it or, in a graph of alphagrams, some order of its
    /// letters.
    pub fn contains(&self, word: &[Letter]) -> bool {
        if self.is_alphagrams {
            return self.has_alphagram_of(word);
        }
        let mut list = self.dawg_root();
        let mut accepts = false;
        for letter in word {
            let Some(node) = self.child(list, letter.number() as u8) else {
                return false;
            };
            (list, accepts) = (node.arc(), node.accepts());
        }
        accepts
    }

    /// The words of the DAWG, in alphabetical order.
    pub fn words(&self) -> WordIter<'_> {
        self.words_from(0)
    }

    /// The strings of the DAWG, with `lowest_symbol` as the symbol for tile 0.
    pub(super) fn words_from(&self, lowest_symbol: u8) -> WordIter<'_> {
        let mut words = WordIter {
            nodes: &self.nodes,
            lowest_symbol,
            path: [NodeList::NONE; MAX_WORD_LETTERS],
            depth: 0,
            symbols: SymbolString::default(),
        };
        words.enter(self.dawg_root());
        words
    }
}

impl From<TooManyNodes> for GraphError {
    fn from(TooManyNodes(nodes): TooManyNodes) -> GraphError {
        GraphError::Nodes(nodes)
    }
}

impl GraphNode {
    /// The letter of its tile, unless it is the separator.
    #[inline]
    pub(crate) fn letter(self) -> Option<Letter> {
        Letter::new(self.tile().into())
    }
}

/// The nodes of one list, from [`Graph::siblings`].
#[derive(Clone, Debug)]
pub struct Siblings<'graph> {
    /// The nodes still to visit, followed by those of other lists.
    nodes: std::slice::Iter<'graph, GraphNode>,
}

impl Iterator for Siblings<'_> {
    type Item = GraphNode;

    #[inline]
    fn next(&mut self) -> Option<GraphNode> {
        let node = *self.nodes.next()?;
        if node.is_last() {
            self.nodes = Default::default();
        }
        Some(node)
    }
}

/// The words of a graph, from [`Graph::words`]: a depth-first walk of the DAWG.
#[derive(Clone, Debug)]
pub struct WordIter<'graph> {
    nodes: &'graph [GraphNode],
    lowest_symbol: u8,
    /// By depth: the rest of the list, still to visit.
    path: [NodeList; MAX_WORD_LETTERS],
    depth: usize,
    symbols: SymbolString,
}

impl WordIter<'_> {
    fn enter(&mut self, list: NodeList) {
        if !list.is_none() && self.depth < MAX_WORD_LETTERS {
            self.path[self.depth] = list;
            self.depth += 1;
        }
    }
}

impl Iterator for WordIter<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        while self.depth > 0 {
            let at = self.depth - 1;
            let next = self.path[at].index();
            if next == 0 {
                self.depth -= 1;
                continue;
            }
            let node = *self.nodes.get(next)?;
            self.path[at] = NodeList::at(if node.is_last() { 0 } else { next + 1 });
            self.symbols = self.symbols.truncated(at);
            self.symbols.set(at, node.tile() + self.lowest_symbol);
            self.enter(node.arc());
            if node.accepts() {
                return Some(Word(self.symbols));
            }
        }
        None
    }
}
