//! `.kwg` and `.kbwg` files: graph files that other programs use too.
//!
//! Both are arrays of little-endian `u32` nodes without a header. They differ only in the
//! position of the bits: `.kwg` has arcs of 22 bits, `.kbwg` of 24. Nothing in the file says
//! which it is, so the caller has to know. A file without a GADDAG gets one built from its
//! words.

use super::check::{self, Automaton, PostOrder};
use super::error::{GraphError, MAX_KWG_NODES};
use super::graph::Graph;
use super::node::{GraphNode, MAX_GRAPH_NODES, NodeList, SEPARATOR};
use super::word::WordList;

/// The bit layout of a node in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeFormat {
    /// `.kwg`, from bit 0: arc, "last sibling", "accepts", tile.
    Kwg,
    /// `.kbwg`, from bit 0: tile, "last sibling", "accepts", arc.
    Kbwg,
}

impl NodeFormat {
    fn decode(self, bits: u32) -> GraphNode {
        match self {
            NodeFormat::Kbwg => GraphNode::from_bits(bits),
            NodeFormat::Kwg => {
                let (flags, arc) = (bits >> 22 & 3, bits & ((1 << 22) - 1));
                GraphNode::from_bits(bits >> 24 & 63 | flags << 6 | arc << 8)
            }
        }
    }

    fn encode(self, node: GraphNode) -> u32 {
        let bits = node.bits();
        match self {
            NodeFormat::Kbwg => bits,
            NodeFormat::Kwg => (bits & 63) << 24 | (bits >> 6 & 3) << 22 | bits >> 8,
        }
    }

    /// Decodes the nodes of a file. They are not checked.
    pub(super) fn decode_all(
        self,
        bytes: &[u8],
        letters: usize,
    ) -> Result<Vec<GraphNode>, GraphError> {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || words.is_empty() {
            return Err(GraphError::Length(bytes.len()));
        }
        if words.len() > MAX_GRAPH_NODES {
            return Err(GraphError::Nodes(words.len()));
        }
        let mut nodes = Vec::with_capacity(words.len());
        for (at, word) in words.iter().enumerate() {
            let bits = u32::from_le_bytes(*word);
            if self == NodeFormat::Kwg && bits >> 30 != 0 {
                return Err(GraphError::Tile(at, (bits >> 24) as u8, letters));
            }
            nodes.push(self.decode(bits));
        }
        Ok(nodes)
    }

    /// Encodes nodes for a file.
    pub(super) fn encode_all(self, nodes: &[GraphNode]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(nodes.len() * 4);
        for &node in nodes {
            bytes.extend_from_slice(&self.encode(node).to_le_bytes());
        }
        bytes
    }
}

/// Reads and checks a graph for a tile set with this number of letters.
pub fn read(bytes: &[u8], format: NodeFormat, letters: usize) -> Result<Graph, GraphError> {
    let nodes = format.decode_all(bytes, letters)?;
    let dawg_root = root(&nodes, 0)?;
    let dawg = PostOrder::new(&nodes, &[dawg_root], Automaton::Dawg, letters)?;
    check::count_words(&nodes, &dawg, dawg_root)?;
    // In a file with only a DAWG, node 1 may belong to a list instead of being a root.
    let gaddag_root = match nodes.len() == 1 || dawg.has(NodeList::at(1)) {
        true => NodeList::NONE,
        false => root(&nodes, 1)?,
    };
    let ready = !gaddag_root.is_none() && check_gaddag(&nodes, (dawg_root, gaddag_root), letters)?;
    let graph = Graph::new(nodes);
    match ready {
        true => Ok(graph.with_right_extensions()),
        false => Graph::from_words(&graph.words().collect::<WordList>()),
    }
}

/// Checks the GADDAG against the DAWG. Returns `false` if both are good but some siblings do
/// not ascend, so that the graph has to be built again.
fn check_gaddag(
    nodes: &[GraphNode],
    roots: (NodeList, NodeList),
    letters: usize,
) -> Result<bool, GraphError> {
    let gaddag = PostOrder::new(nodes, &[roots.1], Automaton::Gaddag, letters)?;
    let separators = gaddag
        .lists
        .iter()
        .flat_map(|&list| check::siblings(nodes, list).filter(|node| node.tile() == SEPARATOR));
    let mut lists: Vec<NodeList> = separators.map(GraphNode::arc).collect();
    lists.push(roots.0);
    let dawg = PostOrder::new(nodes, &lists, Automaton::Dawg, letters)?;
    check::check_same_words(nodes, (&dawg, &gaddag), roots)?;
    Ok(check::ascends(nodes, &dawg) && check::ascends(nodes, &gaddag))
}

/// The list that a root node points to.
pub(super) fn root(nodes: &[GraphNode], at: usize) -> Result<NodeList, GraphError> {
    let node = nodes.get(at).copied().unwrap_or_default();
    match node == GraphNode::new(SEPARATOR, false, node.arc()).as_last() {
        true => Ok(node.arc()),
        false => Err(GraphError::Root(at)),
    }
}

/// The bytes of a graph file.
pub fn write(graph: &Graph, format: NodeFormat) -> Result<Vec<u8>, GraphError> {
    let nodes = graph.nodes();
    if format == NodeFormat::Kwg && nodes.len() > MAX_KWG_NODES {
        return Err(GraphError::KwgNodes(nodes.len()));
    }
    Ok(format.encode_all(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_too_large_for_kwg_is_refused_with_the_way_out() {
        let graph = Graph::new(vec![GraphNode::default(); MAX_KWG_NODES + 1]);
        let error = write(&graph, NodeFormat::Kwg).map_err(|error| error.to_string());
        let expected = "4194305 nodes, the limit of .kwg is 4194304; write .kbwg";
        assert_eq!(error, Err(expected.to_string()));
        assert!(write(&graph, NodeFormat::Kbwg).is_ok());
    }

    #[test]
    fn both_formats_give_every_bit_back() {
        for bits in (0..32).map(|bit| 1 << bit).filter(|bit| bit >> 30 == 0) {
            let node = NodeFormat::Kwg.decode(bits);
            assert_eq!(NodeFormat::Kwg.encode(node), bits);
            assert_eq!(NodeFormat::Kbwg.encode(NodeFormat::Kbwg.decode(bits)), bits);
        }
    }
}
