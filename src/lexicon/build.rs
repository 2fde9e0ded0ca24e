//! Builds the smallest graph of a list of words.
//!
//! Both halves are made by the incremental method for sorted words (Daciuk,
//! Mihov, Watson and Watson, "Incremental construction of minimal acyclic
//! finite-state automata", Computational Linguistics 26, 2000): only the lists
//! along the last word are open; once a list can no longer change it is frozen,
//! and if an equal list was frozen before, that one is used.
//!
//! The GADDAG is not made from its strings, of which a word of n letters has n.
//! What follows a separator is the DAWG's list for the letters before it, and
//! that list is known once the DAWG is built. So there is one string to insert
//! for each different beginning of a word: the beginning backwards, with what
//! follows it as a ready list. That is 0.4 million short strings instead of
//! 1.7 million long ones for the embedded words.

use super::error::GraphError;
use super::graph::{Graph, GraphNode, MAX_NODES, NodeList, SEPARATOR};
use super::word::{MAX_WORD_LETTERS, SymbolString, WordList};

/// Builds the graph of these words, both DAWG and GADDAG.
pub fn graph(words: &WordList) -> Result<Graph, GraphError> {
    let mut builder = GraphBuilder::new(2);
    let mut beginnings = Vec::new();
    let entries = words.iter().map(|word| InsertedString::word(word.0));
    let dawg = builder.insert(entries, |path, accepts, after| {
        beginnings.push(InsertedString::beginning(path, accepts, after));
    })?;
    beginnings.sort_unstable_by_key(|entry| entry.key);
    let gaddag = builder.insert(beginnings, |_, _, _| {})?;
    Ok(builder.finish(&[dawg, gaddag]).with_right_extensions())
}

/// Builds a graph that has only a DAWG, of these keys, which must ascend. Its
/// tiles are the symbols less one, so that tile 0 can be among them.
pub(super) fn dawg_from_zero(
    keys: impl IntoIterator<Item = SymbolString>,
) -> Result<Graph, GraphError> {
    let mut builder = GraphBuilder::new(1);
    builder.lowest = 1;
    let dawg = builder.insert(keys.into_iter().map(InsertedString::word), |_, _, _| {})?;
    Ok(builder.finish(&[dawg]))
}

/// A string to insert.
struct InsertedString {
    key: SymbolString,
    /// Whether a word ends with it.
    accepts: bool,
    /// What follows it after a separator.
    after: NodeList,
}

impl InsertedString {
    fn word(key: SymbolString) -> InsertedString {
        InsertedString {
            key,
            accepts: true,
            after: NodeList::NONE,
        }
    }

    /// A beginning of words, backwards.
    fn beginning(path: &[PathSymbol], accepts: bool, after: NodeList) -> InsertedString {
        let mut key = SymbolString::default();
        for (at, step) in path.iter().rev().enumerate() {
            key.set(at, step.symbol);
        }
        InsertedString {
            key,
            accepts,
            after,
        }
    }
}

/// A symbol on the way to an open list.
#[derive(Clone, Copy, Default)]
struct PathSymbol {
    symbol: u8,
    accepts: bool,
}

/// Frozen lists, and the open ones along the last string.
struct GraphBuilder {
    frozen: ListRegister,
    /// The symbol that becomes tile 0.
    lowest: u8,
    /// The nodes of all open lists, the deepest last.
    open: Vec<GraphNode>,
    /// Where each open list starts in `open`.
    starts: Vec<usize>,
}

impl GraphBuilder {
    /// Starts a graph with this many roots.
    fn new(roots: usize) -> GraphBuilder {
        GraphBuilder {
            frozen: ListRegister::new(roots),
            lowest: 0,
            open: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Inserts ascending strings into an automaton of their own and returns its
    /// first list. `closed` hears of every beginning of a string, once what
    /// follows it is known.
    fn insert(
        &mut self,
        entries: impl IntoIterator<Item = InsertedString>,
        mut closed: impl FnMut(&[PathSymbol], bool, NodeList),
    ) -> Result<NodeList, GraphError> {
        let mut path = [PathSymbol::default(); MAX_WORD_LETTERS];
        let mut last = SymbolString::default();
        let mut depth = 0;
        self.starts.push(self.open.len());
        for entry in entries {
            let common = entry.key.common(last).min(depth);
            self.close(&path[..depth], common, &mut closed);
            self.frozen.check_size()?;
            (last, depth) = (entry.key, entry.key.len());
            self.open_lists(&mut path[..depth], common, &entry);
        }
        self.close(&path[..depth], 0, &mut closed);
        let list = self.freeze();
        self.frozen.check_size()?;
        Ok(list)
    }

    /// Writes those steps of an entry on `path` that are not there yet, and
    /// opens a list after each.
    fn open_lists(&mut self, path: &mut [PathSymbol], common: usize, entry: &InsertedString) {
        for (at, step) in path.iter_mut().enumerate().skip(common) {
            let symbol = entry.key.symbol(at);
            *step = PathSymbol {
                symbol,
                accepts: false,
            };
            self.starts.push(self.open.len());
        }
        if let Some(step) = path.last_mut() {
            step.accepts = entry.accepts;
        }
        if !entry.after.is_none() {
            self.open
                .push(GraphNode::new(SEPARATOR, false, entry.after));
        }
    }

    /// Freezes the open lists along `path` that lie deeper than `keep` steps.
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
            self.open
                .push(GraphNode::new(symbol - self.lowest, accepts, list));
        }
    }

    /// Freezes the deepest open list.
    fn freeze(&mut self) -> NodeList {
        let start = self.starts.pop().unwrap_or_default();
        let nodes = &mut self.open[start..];
        if let Some(last) = nodes.last_mut() {
            *last = last.ending();
        }
        let list = self.frozen.list(nodes);
        self.open.truncate(start);
        list
    }

    /// Points the roots to their lists.
    fn finish(self, roots: &[NodeList]) -> Graph {
        let mut nodes = self.frozen.nodes;
        for (node, &list) in nodes.iter_mut().zip(roots) {
            *node = GraphNode::new(SEPARATOR, false, list).ending();
        }
        Graph::new(nodes)
    }
}

/// The nodes of the graph so far, and a hash table to find equal lists in it.
struct ListRegister {
    nodes: Vec<GraphNode>,
    /// Open addressing: a hash in the high half of a slot and the start of the
    /// list in the low half; 0 is a free slot. The hash keeps most comparisons
    /// out of the nodes, and growing needs only the slots.
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

    /// The list with these nodes: an equal one if there is one, else a new one.
    fn list(&mut self, nodes: &[GraphNode]) -> NodeList {
        if nodes.is_empty() {
            return NodeList::NONE;
        }
        let hash = hash(nodes);
        let mut at = self.place(hash);
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

    /// Whether arcs can still reach every node.
    fn check_size(&self) -> Result<(), GraphError> {
        match self.nodes.len() {
            nodes if nodes > MAX_NODES => Err(GraphError::Nodes(nodes)),
            _ => Ok(()),
        }
    }

    /// Where a search for this hash begins: its highest bits.
    fn place(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn grow_if_crowded(&mut self) {
        if self.used * 2 < self.slots.len() {
            return;
        }
        let size = self.slots.len() * 2;
        let slots = std::mem::replace(&mut self.slots, vec![0; size]);
        for slot in slots.into_iter().filter(|&slot| slot != 0) {
            let mut at = self.place(slot);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

/// A fast hash whose high bits are good: multiply and fold.
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
    use crate::lexicon::Word;
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
        let graph = graph(words).expect("few words");
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
        for list in graph.nodes()[2..].split_inclusive(|node| node.is_end()) {
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
        let after = graph.after_separator(c.arc());
        let dawg = graph.child(graph.dawg_root(), 3).expect("CARE").arc();
        assert_eq!(after, dawg);
    }
}
