//! The nodes of the packed word graph. `graph` explains the graph.
//!
//! The build script compiles this file too, so it uses nothing of the rest of the library.

use bytemuck::{Pod, Zeroable};
use std::fmt;

/// The tile number of the GADDAG separator. In leave values the same number is the blank.
pub(super) const SEPARATOR: u8 = 0;

/// The most nodes of a graph: those that arcs of 24 bits can reach.
pub(super) const MAX_GRAPH_NODES: usize = 1 << 24;

/// A list of sibling nodes: the index of its first node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeList(u32);

impl NodeList {
    /// The empty list: nothing follows. Its index, 0, is that of the DAWG's root node.
    pub(crate) const NONE: NodeList = NodeList(0);

    /// The list that starts at node `index`; index 0 gives [`NodeList::NONE`].
    #[inline]
    pub(super) fn at(index: usize) -> NodeList {
        NodeList(index as u32)
    }

    /// Whether it is the empty list.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The index of its first node, 0 for the empty list. Tables can use it as a small key.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node, packed as in a `.kbwg` file: the tile in bits 0 to 5, then the flags "last
/// sibling" and "accepts" (a word ends here), then 24 bits for the list of its children.
#[derive(Clone, Copy, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct GraphNode(u32);

/// The flag of the last node of a list.
const LAST_SIBLING: u32 = 1 << 6;
/// The flag of a node with which a word ends.
const ACCEPTS: u32 = 1 << 7;

impl GraphNode {
    /// A node that is not the last of its siblings.
    #[inline]
    pub(super) fn new(tile: u8, accepts: bool, arc: NodeList) -> GraphNode {
        GraphNode(u32::from(tile & 63) | u32::from(accepts) << 7 | arc.0 << 8)
    }

    /// The same node as the last of its siblings.
    #[inline]
    pub(super) fn as_last(self) -> GraphNode {
        GraphNode(self.0 | LAST_SIBLING)
    }

    /// The node with the bits of a `.kbwg` file.
    #[inline]
    pub(super) fn from_bits(bits: u32) -> GraphNode {
        GraphNode(bits)
    }

    /// The bits of a `.kbwg` file.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// The tile number: a letter's number, or 0 for the separator.
    #[inline]
    pub(crate) fn tile(self) -> u8 {
        self.0 as u8 & 63
    }

    /// Whether it is the last of its siblings.
    #[inline]
    pub(crate) fn is_last(self) -> bool {
        self.0 & LAST_SIBLING != 0
    }

    /// Whether a word ends with it.
    #[inline]
    pub(crate) fn accepts(self) -> bool {
        self.0 & ACCEPTS != 0
    }

    /// The list of its children.
    #[inline]
    pub fn arc(self) -> NodeList {
        NodeList(self.0 >> 8)
    }
}

impl fmt::Debug for GraphNode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let last = if self.is_last() { ", last" } else { "" };
        let accepts = if self.accepts() { ", accepts" } else { "" };
        let (tile, arc) = (self.tile(), self.arc().0);
        write!(f, "GraphNode({tile}{accepts}{last} -> {arc})")
    }
}
