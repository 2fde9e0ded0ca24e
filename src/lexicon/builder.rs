//! Builds the nodes of the smallest graph of a list of words: DAWG and GADDAG.
//!
//! Both automata are built by the incremental algorithm for sorted strings (Daciuk, Mihov,
//! Watson and Watson, "Incremental construction of minimal acyclic finite-state automata",
//! Computational Linguistics 26, 2000). Only the lists on the path of the most
//! recently added string can still change. A list that can no longer change is frozen: it goes
//! into the *register* of finished lists, and if the register already has an equal list, that one
//! is used instead.
//!
//! A word of n letters has n strings in the GADDAG, but most need no work. What follows the
//! separator is the DAWG's list for the letters before it, and that list is known once the
//! DAWG is built. So the builder inserts one string for each different prefix of the words:
//! the reversed prefix, followed by a separator node that points to the finished DAWG list.
//! For the embedded words these are 0.4 million short strings instead of 1.7 million long ones.
//!
//! The build script compiles this file too, to make the embedded graph. So it uses only
//! `node` and `symbols`; [`Graph`](super::Graph) is made from the nodes elsewhere.

use super::node::{GraphNode, MAX_GRAPH_NODES, NodeList, SEPARATOR};
use super::symbols::{MAX_WORD_LETTERS, SymbolString};

/// The graph needs more than [`MAX_GRAPH_NODES`] nodes. The field is the number so far.
#[derive(Debug)]
pub(super) struct TooManyNodes(pub(super) usize);

/// Builds DAWG and GADDAG of these words, which must ascend. Node 0 points to the first list
/// of the DAWG and node 1 to that of the GADDAG. Children stand before their parents.
pub(super) fn word_graph(
    words: impl IntoIterator<Item = SymbolString>,
) -> Result<Vec<GraphNode>, TooManyNodes> {
    let mut builder = GraphBuilder::new(2);
    let mut prefixes = Vec::new();
    let words = words.into_iter().map(InsertedString::word);
    let dawg = builder.insert(words, |path, accepts, after| {
        prefixes.push(InsertedString::reversed_prefix(path, accepts, after));
    })?;
    prefixes.sort_unstable_by_key(|prefix| prefix.symbols);
    let gaddag = builder.insert(prefixes, |_, _, _| {})?;
    Ok(builder.finish(&[dawg, gaddag]))
}

/// Builds only a DAWG, of these words, which must ascend. Node 0 points to its first list, and node
/// 1, the root of the GADDAG, to the empty list.
pub(super) fn dawg(
    words: impl IntoIterator<Item = SymbolString>,
) -> Result<Vec<GraphNode>, TooManyNodes> {
    let mut builder = GraphBuilder::new(2);
    let words = words.into_iter().map(InsertedString::word);
    let dawg = builder.insert(words, |_, _, _| {})?;
    Ok(builder.finish(&[dawg, NodeList::NONE]))
}

/// Builds only a DAWG, of these strings, which must ascend. A node's tile is its symbol less
/// one, so that tile 0, the blank of a leave, can be among them.
pub(super) fn leave_graph(
    leaves: impl IntoIterator<Item = SymbolString>,
) -> Result<Vec<GraphNode>, TooManyNodes> {
    let mut builder = GraphBuilder::new(1);
    builder.lowest_symbol = 1;
    let leaves = leaves.into_iter().map(InsertedString::word);
    let dawg = builder.insert(leaves, |_, _, _| {})?;
    Ok(builder.finish(&[dawg]))
}

/// A string to insert into an automaton.
struct InsertedString {
    symbols: SymbolString,
    /// Whether a word ends with it.
    accepts: bool,
    /// The list that follows it after a separator.
    after_separator: NodeList,
}

impl InsertedString {
    fn word(symbols: SymbolString) -> InsertedString {
        InsertedString {
            symbols,
            accepts: true,
            after_separator: NodeList::NONE,
        }
    }

    /// The string of the GADDAG for one prefix of the words.
    fn reversed_prefix(path: &[PathSymbol], accepts: bool, after: NodeList) -> InsertedString {
        let mut symbols = SymbolString::default();
        for (at, step) in path.iter().rev().enumerate() {
            symbols.set(at, step.symbol);
        }
        InsertedString {
            symbols,
            accepts,
            after_separator: after,
        }
    }
}

/// A symbol on the path to an open list.
#[derive(Clone, Copy, Default)]
struct PathSymbol {
    symbol: u8,
    accepts: bool,
}

/// The frozen lists, and the open lists along the last inserted string.
struct GraphBuilder {
    register: ListRegister,
    /// The symbol that becomes tile 0.
    lowest_symbol: u8,
    /// The nodes of all open lists, the deepest list last.
    open: Vec<GraphNode>,
    /// Where each open list starts in `open`.
    starts: Vec<usize>,
}

impl GraphBuilder {
    /// Starts a graph with this number of root nodes.
    fn new(roots: usize) -> GraphBuilder {
        GraphBuilder {
            register: ListRegister::new(roots),
            lowest_symbol: 0,
            open: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Inserts ascending strings into a new automaton and returns its first list. Calls
    /// `closed` once for every prefix of a string, when the list that follows it is frozen.
    fn insert(
        &mut self,
        strings: impl IntoIterator<Item = InsertedString>,
        mut closed: impl FnMut(&[PathSymbol], bool, NodeList),
    ) -> Result<NodeList, TooManyNodes> {
        let mut path = [PathSymbol::default(); MAX_WORD_LETTERS];
        let mut last = SymbolString::default();
        let mut depth = 0;
        self.starts.push(self.open.len());
        for string in strings {
            let common = string.symbols.common_prefix(last).min(depth);
            self.close(&path[..depth], common, &mut closed);
            self.register.check_size()?;
            (last, depth) = (string.symbols, string.symbols.len());
            self.open_lists(&mut path[..depth], common, &string);
        }
        self.close(&path[..depth], 0, &mut closed);
        let list = self.freeze();
        self.register.check_size()?;
        Ok(list)
    }

    /// Extends `path` from its first `common` symbols to the whole string, and opens a list
    /// after each new symbol.
    fn open_lists(&mut self, path: &mut [PathSymbol], common: usize, string: &InsertedString) {
        for (at, step) in path.iter_mut().enumerate().skip(common) {
            let symbol = string.symbols.symbol(at);
            *step = PathSymbol {
                symbol,
                accepts: false,
            };
            self.starts.push(self.open.len());
        }
        if let Some(step) = path.last_mut() {
            step.accepts = string.accepts;
        }
        if !string.after_separator.is_none() {
            let separator = GraphNode::new(SEPARATOR, false, string.after_separator);
            self.open.push(separator);
        }
    }

    /// Freezes the open lists along `path` that lie deeper than `keep` symbols.
    fn close(
        &mut self,
        path: &[PathSymbol],
        keep: usize,
        closed: &mut impl FnMut(&[PathSymbol], bool, NodeList),
    ) {
        for depth in (keep..path.len()).rev() {
            let PathSymbol { symbol, accepts } = path[depth];
            let list = self.freeze();
            closed(&path[..=depth], accepts, list);
            let tile = symbol - self.lowest_symbol;
            self.open.push(GraphNode::new(tile, accepts, list));
        }
    }

    /// Freezes the deepest open list.
    fn freeze(&mut self) -> NodeList {
        let start = self.starts.pop().unwrap_or_default();
        let nodes = &mut self.open[start..];
        if let Some(last) = nodes.last_mut() {
            *last = last.as_last();
        }
        let list = self.register.list(nodes);
        self.open.truncate(start);
        list
    }

    /// Points the root nodes to their lists and returns all nodes.
    fn finish(self, roots: &[NodeList]) -> Vec<GraphNode> {
        let mut nodes = self.register.nodes;
        for (node, &list) in nodes.iter_mut().zip(roots) {
            *node = GraphNode::new(SEPARATOR, false, list).as_last();
        }
        nodes
    }
}

/// The frozen lists, and a hash table that finds the list equal to a new one.
struct ListRegister {
    nodes: Vec<GraphNode>,
    /// Open addressing: the upper half of a hash in the upper half of a slot, the start of
    /// the list in the lower half; 0 is a free slot. The stored hash avoids most comparisons
    /// of nodes, and the table grows without looking at them.
    slots: Vec<u64>,
    used: usize,
}

impl ListRegister {
    fn new(roots: usize) -> ListRegister {
        ListRegister {
            nodes: vec![GraphNode::default(); roots],
            slots: vec![0; 1 << 10],
            used: 0,
        }
    }

    /// The list with these nodes: an equal one if the register has one, else a new one.
    fn list(&mut self, nodes: &[GraphNode]) -> NodeList {
        if nodes.is_empty() {
            return NodeList::NONE;
        }
        let hash = hash(nodes);
        let mut at = self.home_slot(hash);
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            let start = slot as u32 as usize;
            if slot >> 32 == hash >> 32 && self.nodes[start..].starts_with(nodes) {
                return NodeList::at(start);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let start = self.nodes.len();
        self.nodes.extend_from_slice(nodes);
        self.slots[at] = hash >> 32 << 32 | start as u64;
        self.used += 1;
        self.grow_if_crowded();
        NodeList::at(start)
    }

    /// Refuses more nodes than arcs can reach.
    fn check_size(&self) -> Result<(), TooManyNodes> {
        match self.nodes.len() {
            nodes if nodes > MAX_GRAPH_NODES => Err(TooManyNodes(nodes)),
            _ => Ok(()),
        }
    }

    /// The slot where the search for a hash begins: its highest bits.
    fn home_slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Doubles the table when half of its slots are used.
    fn grow_if_crowded(&mut self) {
        if self.used * 2 < self.slots.len() {
            return;
        }
        let size = self.slots.len() * 2;
        let slots = std::mem::replace(&mut self.slots, vec![0; size]);
        for slot in slots.into_iter().filter(|&slot| slot != 0) {
            let mut at = self.home_slot(slot);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// A fast hash whose high bits are well mixed: multiply and fold.
fn hash(nodes: &[GraphNode]) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for node in nodes {
        state =
            (state.rotate_left(23) ^ u64::from(node.bits())).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }
    (state ^ state >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Graph, Word, WordList};
    use crate::seed::Seed;
    use crate::tiles::Letter;
    use rand::RngExt;
    use std::collections::BTreeSet;

    /// Strings of tiles, 0 for the separator.
    type Strings = BTreeSet<Vec<u8>>;

    /// The plain twin: the strings of the GADDAG as its definition has them.
    fn gaddag_strings(words: &WordList) -> Strings {
        let words = words
            .iter()
            .map(|word| word.0.symbols().collect::<Vec<u8>>());
        words
            .flat_map(|word| (1..=word.len()).map(move |cut| (word.clone(), cut)))
            .map(|(word, cut)| {
                let mut string: Vec<u8> = word[..cut].iter().rev().copied().collect();
                if cut < word.len() {
                    string.push(SEPARATOR);
                    string.extend(&word[cut..]);
                }
                string
            })
            .collect()
    }

    /// The strings that can be read from a list on.
    fn strings(graph: &Graph, list: NodeList, before: &mut Vec<u8>, found: &mut Strings) {
        for node in graph.siblings(list) {
            before.push(node.tile());
            if node.accepts() {
                assert!(found.insert(before.clone()), "{before:?} twice");
            }
            strings(graph, node.arc(), before, found);
            before.pop();
        }
    }

    fn check(words: &WordList) -> Graph {
        let graph = Graph::from_words(words).expect("few words");
        assert!(graph.words().eq(words.iter()));
        let mut found = Strings::new();
        strings(&graph, graph.gaddag_root(), &mut Vec::new(), &mut found);
        assert_eq!(found, gaddag_strings(words));
        check_minimal(&graph);
        graph
    }

    /// No two lists are equal, and siblings ascend.
    fn check_minimal(graph: &Graph) {
        let mut seen = BTreeSet::new();
        for list in graph.nodes()[2..].split_inclusive(|node| node.is_last()) {
            assert!(list.is_sorted_by_key(|node| node.tile()));
            let bits: Vec<u32> = list.iter().map(|node| node.bits()).collect();
            assert!(seen.insert(bits), "{list:?} twice");
        }
    }

    /// Random words of few different letters, so that much can be shared.
    fn random_words(seed: Seed, words: usize, letters: usize, longest: usize) -> WordList {
        let mut chance = seed.generator();
        let mut word = |_| {
            let len = chance.random_range(1..=longest);
            let letters: Vec<Letter> = (0..len)
                .filter_map(|_| Letter::new(chance.random_range(1..=letters)))
                .collect();
            Word::new(&letters)
        };
        (0..words).filter_map(&mut word).collect()
    }

    #[test]
    fn a_graph_has_the_words_and_strings_that_the_definition_asks_for() {
        for (unit, (words, letters, longest)) in [
            (1, 1, 1),
            (5, 2, 3),
            (60, 2, 8),
            (300, 3, 6),
            (200, 32, 5),
            (400, 5, MAX_WORD_LETTERS),
            (2_000, 26, 9),
        ]
        .into_iter()
        .enumerate()
        {
            for run in 0..10 {
                let seed = Seed(run).for_unit(unit as u64);
                check(&random_words(seed, words, letters, longest));
            }
        }
    }

    #[test]
    fn no_words_are_two_empty_roots() {
        let graph = check(&WordList::default());
        assert_eq!(graph.node_count(), 2);
        assert!(graph.dawg_root().is_none() && graph.gaddag_root().is_none());
    }

    #[test]
    fn the_separator_leads_to_nodes_of_the_dawg() {
        let care = [3, 1, 18, 5].map(|n| Letter::new(n).expect("a letter"));
        let graph = check(&Word::new(&care).into_iter().collect());
        let c = graph.child(graph.gaddag_root(), 3).expect("C@ARE");
        let after = graph.summary(c.arc()).after_separator;
        let dawg = graph.child(graph.dawg_root(), 3).expect("CARE").arc();
        assert_eq!(after, dawg);
    }
}
