//! The packed word graph that look-up and move generation walk on.
//!
//! A node is one `u32`: a tile, whether a word ends with it, whether it is the
//! last of its siblings, and where the list of its children starts. Siblings
//! stand side by side in ascending order of tiles. The bits are those of a
//! `.kbwg` file, whatever file the graph was read from.
//!
//! The graph holds two automata that share nodes. The DAWG has the words as
//! they are written. The GADDAG (S. Gordon, "A faster Scrabble move generation
//! algorithm", Software: Practice and Experience 24, 1994) has each word of n
//! letters n times: for CARE they are ERAC, RAC@E, AC@RE and C@ARE. The
//! separator @ is tile 0, and what follows it are nodes of the DAWG.
//!
//! Graphs are made by `build` and by `kwg`; here they are only read.

use super::error::GraphError;
use super::word::{MAX_WORD_LETTERS, SymbolString, Word};
use crate::tiles::Letter;
use std::fmt;

/// The tile of a separator, and in leave values that of the blank.
pub(super) const SEPARATOR: u8 = 0;

/// The most nodes that arcs of 24 bits can reach.
pub(super) const MAX_NODES: usize = 1 << 24;

/// Where a list of siblings starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeList(u32);

impl NodeList {
    /// No list: nothing follows.
    pub const NONE: NodeList = NodeList(0);

    /// The list that starts at node `index`; 0 is none.
    #[inline]
    pub(super) fn at(index: usize) -> NodeList {
        NodeList(index as u32)
    }

    /// Whether it is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The place of its first node, or 0 for none: a small number that can stand
    /// for the list in tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step in the graph, packed: tile in bits 0 to 5, then "last sibling", then
/// "a word ends here", then 24 bits for the list of children.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct GraphNode(u32);

const IS_END: u32 = 1 << 6;
const ACCEPTS: u32 = 1 << 7;

impl GraphNode {
    /// A node that is not the last of its siblings.
    #[inline]
    pub(super) fn new(tile: u8, accepts: bool, arc: NodeList) -> GraphNode {
        GraphNode(u32::from(tile & 63) | u32::from(accepts) << 7 | arc.0 << 8)
    }

    /// The same node as the last of its siblings.
    #[inline]
    pub(super) fn ending(self) -> GraphNode {
        GraphNode(self.0 | IS_END)
    }

    /// From the bits of a `.kbwg` file.
    #[inline]
    pub(super) fn from_bits(bits: u32) -> GraphNode {
        GraphNode(bits)
    }

    /// The bits of a `.kbwg` file.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// The number of its tile: a letter's number, or 0 for the separator.
    #[inline]
    pub fn tile(self) -> u8 {
        self.0 as u8 & 63
    }

    /// The letter of its tile, unless it is the separator.
    #[inline]
    pub fn letter(self) -> Option<Letter> {
        Letter::new(self.tile().into())
    }

    /// Whether it is the last of its siblings.
    #[inline]
    pub fn is_end(self) -> bool {
        self.0 & IS_END != 0
    }

    /// Whether a word ends with it.
    #[inline]
    pub fn accepts(self) -> bool {
        self.0 & ACCEPTS != 0
    }

    /// What can follow it.
    #[inline]
    pub fn arc(self) -> NodeList {
        NodeList(self.0 >> 8)
    }
}

impl fmt::Debug for GraphNode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let end = if self.is_end() { ", end" } else { "" };
        let accepts = if self.accepts() { ", accepts" } else { "" };
        write!(
            f,
            "GraphNode({}{accepts}{end} -> {})",
            self.tile(),
            self.arc().0
        )
    }
}

/// The bit of a letter in a set, by its number; 0, which is no letter, has none.
#[inline]
pub(crate) fn letter_bit(number: u8) -> u32 {
    (1_u64 << number >> 1) as u32
}

/// A word graph. Whoever made it has checked it: every arc leads to a list that
/// ends, and no path is longer than a word and a separator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Node 0 points to the DAWG's first list and node 1 to the GADDAG's.
    nodes: Box<[GraphNode]>,
    /// By node: what its list has from it on.
    heads: Box<[ListSummary]>,
    /// By node of the GADDAG before the separator: the letters that can come
    /// after the separator, however many letters come before it; from the node
    /// to the end of its list. Empty if they have not been asked for.
    right_extensions: Box<[u32]>,
}

/// What a list has, so that a walk can go straight to what it wants instead of
/// passing by all nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListSummary {
    /// Its letters, a bit each.
    pub letters: u32,
    /// The letters with which a word ends.
    pub final_letters: u32,
    /// What follows its separator, which would stand first.
    pub after_separator: NodeList,
    /// The letters of what follows its separator.
    pub letters_after_separator: u32,
}

impl Graph {
    /// Takes nodes that have been checked or built.
    pub(super) fn new(nodes: Vec<GraphNode>) -> Graph {
        let mut heads = vec![ListSummary::default(); nodes.len()].into_boxed_slice();
        let mut head = ListSummary::default();
        for (at, node) in nodes.iter().enumerate().rev() {
            if node.is_end() {
                head = ListSummary::default();
            }
            let letter = letter_bit(node.tile());
            head.letters |= letter;
            head.final_letters |= if node.accepts() { letter } else { 0 };
            heads[at] = head;
        }
        // The list that is none has nothing.
        if let Some(none) = heads.first_mut() {
            *none = ListSummary::default();
        }
        for (at, node) in nodes.iter().enumerate().skip(1) {
            if node.tile() == SEPARATOR {
                heads[at].after_separator = node.arc();
                heads[at].letters_after_separator =
                    heads.get(node.arc().index()).map_or(0, |head| head.letters);
            }
        }
        Graph {
            nodes: nodes.into_boxed_slice(),
            heads,
            right_extensions: Box::default(),
        }
    }

    /// The same graph with what [`Graph::later`] tells. It has been checked.
    pub(super) fn with_right_extensions(mut self) -> Graph {
        let mut right_extensions = vec![None; self.nodes.len()];
        self.fill_right_extensions(self.gaddag_root().index(), &mut right_extensions);
        self.right_extensions = right_extensions
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        self
    }

    /// No deeper than words are long, and lists.
    fn fill_right_extensions(&self, at: usize, right_extensions: &mut [Option<u32>]) -> u32 {
        if let Some(letters) = right_extensions[at] {
            return letters;
        }
        let node = self.nodes[at];
        let mut letters = match (node.tile(), node.arc()) {
            (SEPARATOR, arc) => self.summary(arc).letters,
            (_, NodeList::NONE) => 0,
            (_, arc) => self.fill_right_extensions(arc.index(), right_extensions),
        };
        if !node.is_end() {
            letters |= self.fill_right_extensions(at + 1, right_extensions);
        }
        right_extensions[at] = Some(letters);
        letters
    }

    /// Of a list of the GADDAG before the separator: the letters that can come
    /// right after the separator, with any number of letters before it.
    #[inline]
    pub fn right_extensions(&self, list: NodeList) -> u32 {
        self.right_extensions[list.index()]
    }

    /// The first letters of the words as they are written.
    #[inline]
    pub fn dawg_root(&self) -> NodeList {
        self.root(0)
    }

    /// The first letters of the words as the GADDAG has them.
    #[inline]
    pub fn gaddag_root(&self) -> NodeList {
        self.root(1)
    }

    fn root(&self, at: usize) -> NodeList {
        self.nodes.get(at).map_or(NodeList::NONE, |node| node.arc())
    }

    /// How many nodes it has; each takes four bytes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, for those who write files.
    pub(super) fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// Whether all tiles are those of a tile set with this many letters.
    pub(super) fn check_tiles(&self, letters: usize) -> Result<(), GraphError> {
        let foreign = |node: &GraphNode| usize::from(node.tile()) > letters;
        match self.nodes.iter().position(foreign) {
            Some(at) => Err(GraphError::Tile(at, self.nodes[at].tile(), letters)),
            None => Ok(()),
        }
    }

    /// The nodes of a list, in ascending order of tiles.
    #[inline]
    pub fn siblings(&self, list: NodeList) -> Siblings<'_> {
        let from = match list {
            NodeList::NONE => self.nodes.len(),
            list => list.index(),
        };
        Siblings {
            nodes: self.nodes.get(from..).unwrap_or_default().iter(),
        }
    }

    /// What a list has.
    #[inline]
    pub fn summary(&self, list: NodeList) -> &ListSummary {
        &self.heads[list.index()]
    }

    /// The node with this letter in a list.
    #[inline]
    pub fn child(&self, list: NodeList, tile: u8) -> Option<GraphNode> {
        let (head, letter) = (self.summary(list), letter_bit(tile));
        (head.letters & letter != 0).then(|| self.node(list, head, letter))
    }

    /// Where the node of a tile stands that may be tile 0, as in leave values.
    #[inline]
    pub(super) fn child_index(&self, list: NodeList, tile: u8) -> Option<usize> {
        let (first, letter) = (list.index(), letter_bit(tile));
        let zero = usize::from(!list.is_none() && self.nodes[first].tile() == SEPARATOR);
        let letters = self.summary(list).letters;
        if tile == SEPARATOR {
            return (zero == 1).then_some(first);
        }
        let below = (letters & (letter - 1)).count_ones() as usize;
        (letters & letter != 0).then_some(first + zero + below)
    }

    /// What follows a letter in a list; the letter is one of those of the list's head.
    #[inline]
    pub fn follow(&self, list: NodeList, head: &ListSummary, letter: u32) -> NodeList {
        self.node(list, head, letter).arc()
    }

    #[inline]
    fn node(&self, list: NodeList, head: &ListSummary, letter: u32) -> GraphNode {
        // Siblings ascend, so that the letters below tell the place.
        let below = (head.letters & (letter - 1)).count_ones() as usize;
        self.nodes[list.index() + usize::from(!head.after_separator.is_none()) + below]
    }

    /// What follows a separator in a list of the GADDAG.
    #[inline]
    pub fn after_separator(&self, list: NodeList) -> NodeList {
        self.summary(list).after_separator
    }

    /// Whether the DAWG has this word.
    pub fn contains(&self, word: &[Letter]) -> bool {
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

    /// The strings of the DAWG with `lowest` as the symbol for tile 0.
    pub(super) fn words_from(&self, lowest: u8) -> WordIter<'_> {
        let mut words = WordIter {
            nodes: &self.nodes,
            lowest,
            path: [0; MAX_WORD_LETTERS],
            depth: 0,
            key: SymbolString::default(),
        };
        words.enter(self.dawg_root());
        words
    }
}

/// The nodes of one list, from [`Graph::siblings`].
#[derive(Clone, Debug)]
pub struct Siblings<'graph> {
    /// What is left to visit, and whatever stands behind it.
    nodes: std::slice::Iter<'graph, GraphNode>,
}

impl Iterator for Siblings<'_> {
    type Item = GraphNode;

    #[inline]
    fn next(&mut self) -> Option<GraphNode> {
        let node = *self.nodes.next()?;
        if node.is_end() {
            self.nodes = Default::default();
        }
        Some(node)
    }
}

/// The words of a graph, from [`Graph::words`].
#[derive(Clone, Debug)]
pub struct WordIter<'graph> {
    nodes: &'graph [GraphNode],
    lowest: u8,
    /// The node to visit next at each depth, 0 if the list there is done.
    path: [u32; MAX_WORD_LETTERS],
    depth: usize,
    key: SymbolString,
}

impl WordIter<'_> {
    fn enter(&mut self, list: NodeList) {
        if !list.is_none() && self.depth < MAX_WORD_LETTERS {
            self.path[self.depth] = list.0;
            self.depth += 1;
        }
    }
}

impl Iterator for WordIter<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        while self.depth > 0 {
            let at = self.depth - 1;
            let next = self.path[at];
            if next == 0 {
                self.depth -= 1;
                continue;
            }
            let node = *self.nodes.get(next as usize)?;
            self.path[at] = if node.is_end() { 0 } else { next + 1 };
            self.key = self.key.truncated(at);
            self.key.set(at, node.tile() + self.lowest);
            self.enter(node.arc());
            if node.accepts() {
                return Some(Word(self.key));
            }
        }
        None
    }
}
