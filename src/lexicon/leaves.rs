//! Leave values: what the tiles kept on a rack are worth.
//!
//! A leave is a string of tiles in ascending order, blanks first. A DAWG holds all leaves that
//! have a value, and the DAWG is a minimal perfect hash: the rank of a leave among all strings
//! of the DAWG is the index of its value. A walk computes the rank from the number of strings
//! below each node. `klv` has the file formats.
//!
//! A trained table may stop at leaves of n tiles although racks hold more, because a table for
//! racks of nine would have millions of leaves. A larger leave L then gets its value by
//! extrapolation. Let F(j) be the mean value over all ways to choose j of its tiles. The parabola
//! through F(0) = 0, F(n - 1) and F(n) gives F(k) for the k tiles of L. That is exact where a leave
//! is worth the sum of a value of each tile and of each pair of tiles. Checked against trained
//! values, in points:
//!
//! | table for racks of | cut off at | leaves of | standard deviation | error (root mean square) |
//! |---|---|---|---|---|
//! | nine | 4 tiles | 5 tiles | 16.2 | 0.74 |
//! | nine | 3 tiles | 5 tiles | 16.1 | 1.33 |
//! | seven | 4 tiles | 6 tiles | 15.0 | 2.49 |

use super::builder;
use super::check::{self, Automaton, PostOrder};
use super::error::GraphError;
use super::graph::Graph;
use super::node::{GraphNode, NodeList};
use super::symbols::{MAX_WORD_LETTERS, SymbolString};
use crate::fnv::Fnv;
use crate::tiles::{MAX_LETTERS, Tile, TileCounts};
use crate::units::Equity;
use smallvec::SmallVec;
use thiserror::Error;

/// The values of leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveValues {
    graph: Graph,
    /// By node: the number of leaves from it to the end of its list.
    counts: Box<[u32]>,
    values: Box<[Equity]>,
    /// The number of tiles of the largest leaves.
    max_tiles: usize,
}

/// The fewest leaves of a table that is taken as trained, and therefore as complete for its tiles.
/// The built-in ones have 914,624 and more; nobody writes this many by hand. Chosen by hand.
const MIN_TRAINED_LEAVES: usize = 10_000;

/// The largest leave value in points, up or down. Chosen by hand, far above any real one: a number of
/// a `.klv2` file holds thousandths of a point up to 16,777 points.
pub const MAX_LEAVE_POINTS: i32 = 10_000;

/// A leave value from a number of points, if it is within the limit.
pub(super) fn leave_value(points: f64) -> Option<Equity> {
    Equity::from_points(points).filter(|value| is_within_limit(*value))
}

fn is_within_limit(value: Equity) -> bool {
    value.millis().abs() <= MAX_LEAVE_POINTS * 1_000
}

impl LeaveValues {
    /// Collects leaves with their values. The same leave twice is an error.
    pub fn new(
        pairs: impl IntoIterator<Item = (TileCounts, Equity)>,
    ) -> Result<LeaveValues, LeaveValuesError> {
        let numbered = pairs.into_iter().enumerate();
        let entries = numbered.map(|(at, (leave, value))| Ok((symbols_of(&leave)?, at, value)));
        let mut entries = entries.collect::<Result<Vec<_>, LeaveValuesError>>()?;
        entries.sort_unstable_by_key(|&(key, at, _)| (key, at));
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(LeaveValuesError::Twice(pair[0].1, pair[1].1));
        }
        let graph = Graph::new(
            builder::leave_graph(entries.iter().map(|&(key, _, _)| key))
                .map_err(GraphError::from)?,
        );
        LeaveValues::from_parts(
            graph,
            entries.into_iter().map(|(_, _, value)| value).collect(),
        )
    }

    /// Combines a graph of leaves with their values in the order of the graph, and checks both.
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
        if let Some(at) = values.iter().position(|value| !is_within_limit(*value)) {
            return Err(LeaveValuesError::Value(at));
        }
        let ascends = check::ascends(graph.nodes(), &order);
        let leaves = LeaveValues {
            counts: counts(graph.nodes(), &order),
            max_tiles: longest(graph.nodes(), &order, root),
            graph,
            values: values.into_boxed_slice(),
        };
        // Look-up needs siblings that ascend, but files need not have them in order.
        match ascends {
            true => Ok(leaves),
            false => LeaveValues::new(leaves.iter()),
        }
    }

    /// The value of a leave; zero if it has none. A leave with more tiles than those of a trained
    /// table has the value that [`LeaveExtension`] says.
    pub fn value(&self, leave: &TileCounts) -> Equity {
        match self.extension() {
            Some(extension) if leave.len() > extension.from => {
                let sum = |size| -> i64 {
                    let parts = leave.nonempty_subsets().into_iter();
                    parts
                        .filter(|part| part.len() == size)
                        .map(|part| ways(leave, &part) * i64::from(self.listed(&part).millis()))
                        .sum()
                };
                extension.value(leave.len(), sum(extension.from), sum(extension.from - 1))
            }
            _ => self.listed(leave),
        }
    }

    /// The value that the table itself has for a leave; zero if it has none.
    pub(crate) fn listed(&self, leave: &TileCounts) -> Equity {
        self.rank(leave).map_or(Equity::ZERO, |at| self.values[at])
    }

    /// How the table goes on with larger leaves. `None` if it has few leaves: then somebody wrote
    /// them down, and all others are worth nothing.
    pub(crate) fn extension(&self) -> Option<LeaveExtension> {
        let is_trained = self.len() >= MIN_TRAINED_LEAVES && self.max_tiles >= 2;
        is_trained.then_some(LeaveExtension {
            from: self.max_tiles,
        })
    }

    /// The rank of a leave among all leaves.
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

    /// Calls `visit` with every leave of a rack that has a value, in one walk of the graph. A
    /// leave is passed as a mask: the union of `bit(tile, copy)` over its tiles.
    pub(crate) fn for_each_leave(
        &self,
        rack: &TileCounts,
        bit: impl Fn(Tile, u8) -> u16,
        mut visit: impl FnMut(u16, Equity),
    ) {
        let kinds: SmallVec<[(Tile, u8); 16]> = rack.kinds().collect();
        self.leaves_from(self.graph.dawg_root(), 0, 0, &kinds, &bit, &mut visit);
    }

    /// Visits the leaves that continue from a list of the graph with tiles of these kinds.
    fn leaves_from(
        &self,
        list: NodeList,
        rank: u32,
        bits: u16,
        kinds: &[(Tile, u8)],
        bit: &impl Fn(Tile, u8) -> u16,
        visit: &mut impl FnMut(u16, Equity),
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
                    visit(bits, self.values[rank as usize]);
                    rank += 1;
                }
                list = node.arc();
                if list.is_none() {
                    break;
                }
                self.leaves_from(list, rank, bits, &kinds[at + 1..], bit, visit);
            }
        }
    }

    /// The number of leaves that have a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Identifies the leave values, whatever file they come from: FNV-1a over the number of
    /// leaves from each first and each second tile on, then over the values in the order of
    /// the leaves, each in thousandths of a point as four bytes, little-endian.
    pub fn hash(&self) -> u64 {
        let mut sum = Fnv::START;
        for (tile, count, arc) in self.list_counts(self.graph.dawg_root()) {
            sum = sum.and(&[tile]).and(&count.to_le_bytes());
            for (tile, count, _) in self.list_counts(arc) {
                sum = sum.and(&[tile]).and(&count.to_le_bytes());
            }
        }
        let values = self.values.iter().map(|value| value.millis().to_le_bytes());
        values.fold(sum, |sum, bytes| sum.and(&bytes)).sum()
    }

    /// For each node of a list: its tile, the number of leaves from it to the end of the list,
    /// and the list of its children.
    fn list_counts(&self, list: NodeList) -> impl Iterator<Item = (u8, u32, NodeList)> + '_ {
        let nodes = self.graph.siblings(list).zip(list.index()..);
        nodes.map(|(node, at)| (node.tile(), self.counts[at], node.arc()))
    }

    /// The first tile of which the leaves have another number of copies than leaves of these tiles
    /// have, with both numbers: that in the leaves, and that of the tiles. A short table may be
    /// made by hand and incomplete on purpose, so that only additional copies count.
    pub(crate) fn foreign_tile(&self, tiles: &TileCounts) -> Option<(Tile, u8, u8)> {
        let all = (0..=MAX_LETTERS).filter_map(Tile::new);
        let copies: Vec<(Tile, u8)> = all.map(|tile| (tile, self.copies(tile))).collect();
        let most = copies.iter().map(|&(_, copies)| copies).max().unwrap_or(0);
        let is_trained = self.len() >= MIN_TRAINED_LEAVES;
        let differs =
            |copies: u8, count: u8| copies > count || is_trained && copies < count.min(most);
        let numbers = copies
            .into_iter()
            .map(|(tile, copies)| (tile, copies, tiles.count(tile)));
        numbers
            .into_iter()
            .find(|&(_, copies, count)| differs(copies, count))
    }

    /// The most copies of a tile in a leave that has no other tile.
    fn copies(&self, tile: Tile) -> u8 {
        let mut list = self.graph.dawg_root();
        let mut copies = 0;
        while let Some(at) = self.graph.child_index(list, tile.number() as u8) {
            copies += 1;
            list = self.graph.nodes()[at].arc();
        }
        copies
    }

    /// Whether no leave has a value.
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

    /// The graph of the leaves, as files hold it.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// How a table of leaves of up to `from` tiles goes on: see the top of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveExtension {
    /// The number of tiles of the largest leaves of the table, at least 2.
    pub from: usize,
}

impl LeaveExtension {
    /// The value of a leave of `size` tiles, more than `from`. `top` is the sum of the values of all
    /// ways to choose `from` of its tiles, in thousandths of a point; `below` that of one tile less.
    #[inline]
    pub fn value(self, size: usize, top: i64, below: i64) -> Equity {
        let (k, n) = (size as i64, self.from as i64);
        // Lagrange's form of the parabola, with both means over one denominator.
        let (ways_top, ways_below) = (choose(size, self.from), choose(size, self.from - 1));
        let top = top * k * (k - n + 1) * (n - 1) * ways_below;
        let below = below * k * (k - n) * n * ways_top;
        Equity::from_millis(((top - below) / (n * (n - 1) * ways_top * ways_below)) as i32)
    }
}

/// The number of ways to choose the tiles of `part` from those of `whole`.
fn ways(whole: &TileCounts, part: &TileCounts) -> i64 {
    let kinds = part.kinds();
    kinds
        .map(|(tile, count)| choose(whole.count(tile).into(), count.into()))
        .product()
}

/// The binomial coefficient: the ways to choose `k` of `n`.
fn choose(n: usize, k: usize) -> i64 {
    (0..k).fold(1, |ways, at| ways * (n - at) as i64 / (at + 1) as i64)
}

/// The length of the longest string from a list on.
fn longest(nodes: &[GraphNode], order: &PostOrder, root: NodeList) -> usize {
    let mut longest = vec![0; nodes.len()];
    for list in &order.lists {
        let below = check::siblings(nodes, *list).map(|node| match node.arc() {
            arc if arc.is_none() => 1,
            arc => longest[arc.index()] + 1,
        });
        longest[list.index()] = below.max().unwrap_or(0);
    }
    match root.is_none() {
        true => 0,
        false => longest[root.index()],
    }
}

/// A leave as symbols: tile numbers in ascending order, each plus one.
fn symbols_of(leave: &TileCounts) -> Result<SymbolString, LeaveValuesError> {
    let symbols = leave.iter().map(|tile| tile.number() as u8 + 1);
    match SymbolString::new(symbols) {
        Some(key) if !leave.is_empty() => Ok(key),
        _ => Err(LeaveValuesError::Size(leave.len())),
    }
}

/// By node: the number of strings from it to the end of its list.
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

/// What is wrong with leave values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LeaveValuesError {
    /// The nodes are not a graph of leaves.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The size of the file, and the size that its counts of nodes and leaves need.
    #[error("{0} bytes, but the counts in the file need {1}; it is cut short or of another format")]
    Length(usize, u64),
    /// The graph has this many leaves, the file this many values.
    #[error("{0} leaves, but {1} values")]
    Count(usize, usize),
    /// The value at this index is not a number of points within [`MAX_LEAVE_POINTS`].
    #[error("value {0} is not a number of points; the limit is {MAX_LEAVE_POINTS}")]
    Value(usize),
    /// A leave has this many tiles.
    #[error("a leave has {0} tiles, the limits are 1 and {MAX_WORD_LETTERS}")]
    Size(usize),
    /// Two entries, counted from 0, have the same leave.
    #[error("leaves {0} and {1} are the same")]
    Twice(usize, usize),
    /// A line of a text, counted from 1, and what is wrong with it.
    #[error("line {0}: {1}")]
    Row(usize, String),
}
