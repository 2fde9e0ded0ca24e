//! Leave values: what the tiles kept on a rack are worth.
//!
//! Leaves are strings of tiles in ascending order, blanks first, in a DAWG. The
//! value of a leave stands in an array at the leave's rank among all strings of
//! the DAWG, which a walk finds with the number of strings below each node.
//! `klv` has the file formats.

use super::build;
use super::check::{self, Automaton, PostOrder};
use super::error::GraphError;
use super::graph::{Graph, GraphNode, NodeList};
use super::word::{MAX_WORD_LETTERS, SymbolString};
use crate::fnv::Fnv;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};
use crate::units::Equity;
use smallvec::SmallVec;
use std::fmt;

/// A value for each of a number of leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveValues {
    graph: Graph,
    /// By node: how many leaves there are from it to the end of its list.
    counts: Box<[u32]>,
    values: Box<[Equity]>,
}

impl LeaveValues {
    /// Collects leaves with their values; each leave can be there only once.
    pub fn new(
        pairs: impl IntoIterator<Item = (TileCounts, Equity)>,
    ) -> Result<LeaveValues, LeaveValuesError> {
        let numbered = pairs.into_iter().enumerate();
        let entries = numbered.map(|(at, (leave, value))| Ok((key(&leave)?, at, value)));
        let mut entries = entries.collect::<Result<Vec<_>, LeaveValuesError>>()?;
        entries.sort_unstable_by_key(|&(key, at, _)| (key, at));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(LeaveValuesError::Twice(pair[0].1, pair[1].1));
        }
        let graph = build::dawg_from_zero(entries.iter().map(|&(key, _, _)| key))?;
        LeaveValues::from_parts(
            graph,
            entries.into_iter().map(|(_, _, value)| value).collect(),
        )
    }

    /// Puts a graph and the values of its leaves together, if they fit.
    pub(super) fn from_parts(
        graph: Graph,
        values: Vec<Equity>,
    ) -> Result<LeaveValues, LeaveValuesError> {
        let root = graph.dawg_root();
        let order = PostOrder::new(graph.nodes(), &[root], Automaton::Leaves, MAX_LETTERS)?;
        let leaves = check::count_words(graph.nodes(), &order, root)? as usize;
        if leaves != values.len() {
            return Err(LeaveValuesError::Count(leaves, values.len()));
        }
        let ascends = check::ascends(graph.nodes(), &order);
        let leaves = LeaveValues {
            counts: counts(graph.nodes(), &order),
            graph,
            values: values.into_boxed_slice(),
        };
        // Look-up counts on the order of siblings, which files need not keep.
        match ascends {
            true => Ok(leaves),
            false => LeaveValues::new(leaves.iter()),
        }
    }

    /// What a leave is worth; nothing if there is no value for it.
    pub fn value(&self, leave: &TileCounts) -> Equity {
        self.rank(leave).map_or(Equity::ZERO, |at| self.values[at])
    }

    /// The place of a leave among all.
    fn rank(&self, leave: &TileCounts) -> Option<usize> {
        let nodes = self.graph.nodes();
        let mut list = self.graph.dawg_root();
        let mut rank = 0;
        let mut left = leave.len();
        for tile in leave.iter() {
            let at = self.graph.child_index(list, tile.number() as u8)?;
            left -= 1;
            rank += self.counts[list.index()] - self.counts[at];
            if left == 0 {
                return nodes[at].accepts().then_some(rank as usize);
            }
            rank += u32::from(nodes[at].accepts());
            list = nodes[at].arc();
        }
        None
    }

    /// Shows `see` every part of a rack that has a value, in one walk. A part
    /// is told as the sum of what `bit` gives for each copy of each tile in it.
    pub fn parts(
        &self,
        rack: &TileCounts,
        bit: impl Fn(Tile, u8) -> u16,
        mut see: impl FnMut(u16, Equity),
    ) {
        let kinds: SmallVec<[(Tile, u8); 16]> = rack.kinds().collect();
        self.parts_from(self.graph.dawg_root(), 0, 0, &kinds, &bit, &mut see);
    }

    /// The parts that go on from a list of the graph with these kinds of tiles.
    fn parts_from(
        &self,
        list: NodeList,
        rank: u32,
        bits: u16,
        kinds: &[(Tile, u8)],
        bit: &impl Fn(Tile, u8) -> u16,
        see: &mut impl FnMut(u16, Equity),
    ) {
        for (at, &(tile, count)) in kinds.iter().enumerate() {
            let (mut list, mut rank, mut bits) = (list, rank, bits);
            for copy in 0..count {
                let Some(node) = self.graph.child_index(list, tile.number() as u8) else {
                    break;
                };
                rank += self.counts[list.index()] - self.counts[node];
                bits |= bit(tile, copy);
                let node = self.graph.nodes()[node];
                if node.accepts() {
                    see(bits, self.values[rank as usize]);
                    rank += 1;
                }
                list = node.arc();
                if list.is_none() {
                    break;
                }
                self.parts_from(list, rank, bits, &kinds[at + 1..], bit, see);
            }
        }
    }

    /// How many leaves have a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// A number that tells tables apart, whatever file they come from: FNV-1a
    /// over how many leaves begin with which one or two tiles, and then the
    /// values in thousandths of a point, four bytes each, the lowest first, in
    /// the order of the leaves.
    pub fn hash(&self) -> u64 {
        let mut sum = Fnv::START;
        for (tile, count, arc) in self.beginnings(self.graph.dawg_root()) {
            sum = sum.and(&[tile]).and(&count.to_le_bytes());
            for (tile, count, _) in self.beginnings(arc) {
                sum = sum.and(&[tile]).and(&count.to_le_bytes());
            }
        }
        let values = self.values.iter().map(|value| value.millis().to_le_bytes());
        values.fold(sum, |sum, bytes| sum.and(&bytes)).sum()
    }

    /// Each tile of a list, how many leaves there are from it to the end of the list, and what follows it.
    fn beginnings(&self, list: NodeList) -> impl Iterator<Item = (u8, u32, NodeList)> + '_ {
        let nodes = self.graph.siblings(list).zip(list.index()..);
        nodes.map(|(node, at)| (node.tile(), self.counts[at], node.arc()))
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Every leave with its value.
    pub fn iter(&self) -> impl Iterator<Item = (TileCounts, Equity)> + '_ {
        let leaves = self.graph.words_from(1).map(|word| {
            let numbers = word.0.symbols().map(|symbol| usize::from(symbol) - 1);
            numbers.filter_map(Tile::new).collect()
        });
        leaves.zip(self.values.iter().copied())
    }

    /// The graph of the leaves, for those who write files.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// A leave as symbols: tiles in ascending order, each number plus one.
fn key(leave: &TileCounts) -> Result<SymbolString, LeaveValuesError> {
    let symbols = leave.iter().map(|tile| tile.number() as u8 + 1);
    match SymbolString::new(symbols) {
        Some(key) if !leave.is_empty() => Ok(key),
        _ => Err(LeaveValuesError::Size(leave.len())),
    }
}

/// For each node: how many strings there are from it to the end of its list.
fn counts(nodes: &[GraphNode], order: &PostOrder) -> Box<[u32]> {
    let mut counts = vec![0u32; nodes.len()].into_boxed_slice();
    for list in &order.lists {
        let len = check::siblings(nodes, *list).count();
        let mut count = 0;
        for at in (list.index()..list.index() + len).rev() {
            let below = match nodes[at].arc() {
                arc if arc.is_none() => 0,
                arc => counts[arc.index()],
            };
            count += below + u32::from(nodes[at].accepts());
            counts[at] = count;
        }
    }
    counts
}

/// Why there are no leave values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaveValuesError {
    /// The graph of leaves is none.
    Graph(GraphError),
    /// A file that ends too soon or too late: its bytes, and what its numbers ask for.
    Length(usize, u64),
    /// A graph of so many leaves with so many values.
    Count(usize, usize),
    /// The value at this place is not a number of points.
    Value(usize),
    /// A leave of so many tiles.
    Size(usize),
    /// The same leave at two places, counted from 0.
    Twice(usize, usize),
    /// A line of a text, counted from 1, and what is wrong with it.
    Row(usize, String),
}

impl From<GraphError> for LeaveValuesError {
    fn from(error: GraphError) -> LeaveValuesError {
        LeaveValuesError::Graph(error)
    }
}

impl fmt::Display for LeaveValuesError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LeaveValuesError::Graph(error) => error.fmt(f),
            LeaveValuesError::Length(bytes, asked) => write!(
                f,
                "{bytes} bytes where the numbers in the file ask for {asked}; it is cut short or of another format"
            ),
            LeaveValuesError::Count(leaves, values) => {
                write!(f, "{leaves} leaves, but {values} values")
            }
            LeaveValuesError::Value(at) => write!(f, "value {at} is not a number of points"),
            LeaveValuesError::Size(tiles) => {
                write!(
                    f,
                    "a leave has {tiles} tiles, the limits are 1 and {MAX_WORD_LETTERS}"
                )
            }
            LeaveValuesError::Twice(first, second) => {
                write!(f, "leaves {first} and {second} are the same")
            }
            LeaveValuesError::Row(line, what) => write!(f, "line {line}: {what}"),
        }
    }
}

impl std::error::Error for LeaveValuesError {}
