//! Checks that nodes from a file are a graph that is safe to traverse.
//!
//! Nothing about the nodes is promised: arcs may lead anywhere, lists may have no end, and
//! paths may be cyclic or exponentially many. Therefore all work here is linear in the number
//! of nodes, and no function calls itself: [`PostOrder`] visits the lists with a stack of its
//! own, and every later check folds values over that order. Files of other programs may share
//! the tails of sibling lists; that is allowed.
//!
//! [`check_same_words`] compares DAWG and GADDAG by random fingerprints, without listing words.

use super::error::{GraphError, MAX_WORDS};
use super::node::{GraphNode, NodeList, SEPARATOR};
use super::symbols::MAX_WORD_LETTERS;
use crate::seed::Seed;

/// The kind of automaton: which tiles it may have and where its arcs may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Automaton {
    /// Words: tile 0 is an error.
    Dawg,
    /// Reversed prefixes: tile 0 is the separator, and the search does not go beyond it.
    Gaddag,
    /// Leaves: tile 0 is the blank, and tiles do not descend along a path.
    Leaves,
}

/// The reachable lists in post-order: each comes after all lists that it leads to.
pub(super) struct PostOrder {
    pub(super) lists: Vec<NodeList>,
    /// By node: the rank in `lists` of the list that starts there, or [`UNSEEN`] or [`OPEN`].
    ranks: Vec<u32>,
}

/// In place of a rank: the search has not reached a list that starts here.
const UNSEEN: u32 = u32::MAX;
/// In place of a rank: the search is below this list, so an arc to it closes a cycle.
const OPEN: u32 = u32::MAX - 1;

impl PostOrder {
    /// Visits the lists that can be reached from `roots` and checks each.
    pub(super) fn new(
        nodes: &[GraphNode],
        roots: &[NodeList],
        kind: Automaton,
        letters: usize,
    ) -> Result<PostOrder, GraphError> {
        let mut search = DepthFirstSearch {
            nodes,
            kind,
            letters,
            order: PostOrder {
                lists: Vec::new(),
                ranks: vec![UNSEEN; nodes.len()],
            },
            path: Vec::new(),
        };
        for &root in roots {
            search.enter(root)?;
            search.run()?;
        }
        Ok(search.order)
    }

    /// Whether this list was reached.
    pub(super) fn has(&self, list: NodeList) -> bool {
        self.ranks
            .get(list.index())
            .is_some_and(|&rank| rank != UNSEEN)
    }

    /// Computes a value for every list from the values of the lists that it leads to. The
    /// empty list has the default value.
    pub(super) fn fold<T: Copy + Default>(
        &self,
        mut value: impl FnMut(NodeList, &dyn Fn(NodeList) -> T) -> T,
    ) -> ListValues<'_, T> {
        let mut folded = ListValues {
            order: self,
            values: Vec::with_capacity(self.lists.len()),
        };
        for &list in &self.lists {
            let new = value(list, &|list| folded.get(list));
            folded.values.push(new);
        }
        folded
    }
}

/// A value for each list, from [`PostOrder::fold`].
pub(super) struct ListValues<'order, T> {
    order: &'order PostOrder,
    values: Vec<T>,
}

impl<T: Copy + Default> ListValues<'_, T> {
    /// The value of a list; the default for the empty list.
    pub(super) fn get(&self, list: NodeList) -> T {
        let rank = self.order.ranks.get(list.index());
        let value = rank.and_then(|&rank| self.values.get(rank as usize));
        value.copied().unwrap_or_default()
    }
}

/// A depth-first search with its own stack.
struct DepthFirstSearch<'nodes> {
    nodes: &'nodes [GraphNode],
    kind: Automaton,
    letters: usize,
    order: PostOrder,
    /// The lists from the root to the current one, each with the node to visit next.
    path: Vec<(NodeList, usize)>,
}

impl DepthFirstSearch<'_> {
    fn run(&mut self) -> Result<(), GraphError> {
        while let Some((list, at)) = self.path.last_mut() {
            let (list, node) = (*list, self.nodes[*at]);
            // No list starts at node 0, so index 0 marks a list that is done.
            if *at == 0 {
                self.order.ranks[list.index()] = self.order.lists.len() as u32;
                self.order.lists.push(list);
                self.path.pop();
                continue;
            }
            *at = if node.is_last() { 0 } else { *at + 1 };
            if node.tile() != SEPARATOR || self.kind != Automaton::Gaddag {
                self.enter(node.arc())?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, list: NodeList) -> Result<(), GraphError> {
        if list.is_none() {
            return Ok(());
        }
        match self.order.ranks.get(list.index()) {
            None => return Err(GraphError::Arc(list.index(), self.nodes.len())),
            Some(&OPEN) => return Err(GraphError::Cycle(list.index())),
            Some(&UNSEEN) => {}
            Some(_) => return Ok(()),
        }
        self.check_list(list)?;
        self.order.ranks[list.index()] = OPEN;
        self.path.push((list, list.index()));
        Ok(())
    }

    /// Checks that a list has an end and that its tiles are allowed and different.
    fn check_list(&self, list: NodeList) -> Result<(), GraphError> {
        let mut seen = 0u64;
        for (at, node) in self.nodes.iter().enumerate().skip(list.index()) {
            self.check_node(at, *node)?;
            if seen & 1 << node.tile() != 0 {
                return Err(GraphError::Twice(at));
            }
            seen |= 1 << node.tile();
            if node.is_last() {
                return Ok(());
            }
        }
        Err(GraphError::OpenList(list.index()))
    }

    fn check_node(&self, at: usize, node: GraphNode) -> Result<(), GraphError> {
        let separator = node.tile() == SEPARATOR && self.kind == Automaton::Gaddag;
        let misplaced = node.tile() == SEPARATOR && self.kind == Automaton::Dawg;
        if misplaced || usize::from(node.tile()) > self.letters {
            return Err(GraphError::Tile(at, node.tile(), self.letters));
        }
        let dead = match separator {
            true => node.accepts() || node.arc().is_none(),
            false => !node.accepts() && node.arc().is_none(),
        };
        if dead {
            return Err(GraphError::DeadEnd(at));
        }
        if self.kind == Automaton::Leaves {
            self.check_ascent(at, node)?;
        }
        Ok(())
    }

    /// Checks that the tiles of the children are not lower than the node's own.
    fn check_ascent(&self, at: usize, node: GraphNode) -> Result<(), GraphError> {
        let lowest = siblings(self.nodes, node.arc()).map(GraphNode::tile).min();
        match lowest {
            Some(lowest) if lowest < node.tile() => Err(GraphError::Descent(at)),
            _ => Ok(()),
        }
    }
}

/// The nodes of a list; none if it has no end within 64 nodes, one for each tile.
pub(super) fn siblings(
    nodes: &[GraphNode],
    list: NodeList,
) -> impl Iterator<Item = GraphNode> + '_ {
    let from = if list.is_none() {
        nodes.len()
    } else {
        list.index()
    };
    let nodes = nodes.get(from..).unwrap_or_default();
    let len = nodes.iter().take(64).position(|node| node.is_last());
    nodes[..len.map_or(0, |end| end + 1)].iter().copied()
}

/// Whether the siblings of every list strictly ascend by tile.
pub(super) fn ascends(nodes: &[GraphNode], order: &PostOrder) -> bool {
    order.lists.iter().all(|&list| {
        siblings(nodes, list)
            .map(GraphNode::tile)
            .is_sorted_by(|a, b| a < b)
    })
}

/// Counts the strings that can be read from `root`. Too many strings, or a string that is too
/// long, are an error.
pub(super) fn count_words(
    nodes: &[GraphNode],
    order: &PostOrder,
    root: NodeList,
) -> Result<u64, GraphError> {
    let measures = order.fold::<(u64, usize)>(|list, below| {
        let mut sum = (0, 0);
        for node in siblings(nodes, list) {
            let (words, depth) = below(node.arc());
            // The count is capped just above the limit, so that no sum overflows.
            sum.0 = (sum.0 + words + u64::from(node.accepts())).min(MAX_WORDS + 1);
            sum.1 = sum.1.max(depth + 1);
        }
        sum
    });
    let depth = measures.values.iter().map(|&(_, depth)| depth).max();
    match (measures.get(root).0, depth.unwrap_or(0)) {
        (_, depth) if depth > MAX_WORD_LETTERS => Err(GraphError::Depth(depth)),
        (words, _) if words > MAX_WORDS => Err(GraphError::Words),
        (words, _) => Ok(words),
    }
}

/// Checks that the GADDAG has exactly the strings that belong to the words of the DAWG.
///
/// Each tile has a random 2 by 2 matrix. The fingerprint of a word is `LEFT` times the product
/// of its letters' matrices times `RIGHT`, a number modulo 2^64. A word of n letters has n
/// strings in the GADDAG. So the sum over the DAWG of n times the word's fingerprint must equal
/// the sum over the GADDAG of the fingerprints of all its strings, each put back into the order
/// of its word. A missing, additional or wrong string changes one of the sums, except with
/// negligible probability. Matrix products tell the order of letters, and both sums are
/// computed list by list, so the check is linear in the number of nodes.
pub(super) fn check_same_words(
    nodes: &[GraphNode],
    (dawg, gaddag): (&PostOrder, &PostOrder),
    roots: (NodeList, NodeList),
) -> Result<(), GraphError> {
    let matrices: Vec<Matrix> = (0..64).map(tile_matrix).collect();
    let suffixes = dawg.fold(|list, below| {
        let mut sum = SuffixSums::default();
        for node in siblings(nodes, list) {
            sum.add(
                &matrices[usize::from(node.tile())],
                node.accepts(),
                below(node.arc()),
            );
        }
        sum
    });
    let mut deepest = 0;
    let strings = gaddag.fold(|list, below| {
        let mut sum = GaddagSums::default();
        for node in siblings(nodes, list) {
            match node.tile() {
                SEPARATOR => sum.add_suffixes(suffixes.get(node.arc())),
                tile => sum.add(
                    &matrices[usize::from(tile)],
                    node.accepts(),
                    below(node.arc()),
                ),
            }
        }
        deepest = deepest.max(sum.depth);
        sum
    });
    if deepest > MAX_WORD_LETTERS + 1 {
        return Err(GraphError::Depth(deepest - 1));
    }
    let [a, b] = suffixes.get(roots.0).weighted;
    let [[c, _], [_, d]] = strings.get(roots.1).sum;
    // The trace of a sum of outer products is the sum of the dot products.
    match dot(LEFT, [a, b]) == c.wrapping_add(d) {
        true => Ok(()),
        false => Err(GraphError::DifferentWords),
    }
}

type Vector = [u64; 2];
type Matrix = [Vector; 2];

/// The row vector before the first letter of a word: arbitrary odd constants.
const LEFT: Vector = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];
/// The column vector after the last letter of a word: arbitrary odd constants.
const RIGHT: Vector = [0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93];

/// The matrix of a tile. Its determinant is odd, so it is invertible and no product vanishes.
fn tile_matrix(tile: u64) -> Matrix {
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| Seed(tile).for_unit(at).0);
    [[a | 1, b & !1], [c, d | 1]]
}

fn dot(a: Vector, b: Vector) -> u64 {
    a[0].wrapping_mul(b[0])
        .wrapping_add(a[1].wrapping_mul(b[1]))
}

fn sum(a: Vector, b: Vector) -> Vector {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
}

/// The fingerprints of the strings that follow a list of the DAWG.
#[derive(Clone, Copy, Default)]
struct SuffixSums {
    depth: usize,
    /// The sum of the matrix products, each times `RIGHT`.
    plain: Vector,
    /// The same sum, each summand times the length of its string.
    weighted: Vector,
}

impl SuffixSums {
    /// Adds the strings that start with the letter of `matrix`.
    fn add(&mut self, matrix: &Matrix, accepts: bool, below: SuffixSums) {
        let plain = match accepts {
            true => sum(below.plain, RIGHT),
            false => below.plain,
        };
        let weighted = sum(plain, below.weighted);
        self.depth = self.depth.max(below.depth + 1);
        self.plain = sum(self.plain, matrix.map(|row| dot(row, plain)));
        self.weighted = sum(self.weighted, matrix.map(|row| dot(row, weighted)));
    }
}

/// The fingerprints of the strings that follow a list of the GADDAG before the separator. The
/// letters already read belong in the middle of the word: what follows is written partly to
/// their left, partly to their right. So the left part, a vector, and the right part, a vector,
/// are kept apart, and the sum is over their outer products.
#[derive(Clone, Copy, Default)]
struct GaddagSums {
    depth: usize,
    sum: Matrix,
}

impl GaddagSums {
    /// Adds the strings that start with the letter of `matrix`.
    fn add(&mut self, matrix: &Matrix, accepts: bool, below: GaddagSums) {
        let mut inner = below.sum;
        if accepts {
            inner = plus(inner, outer(LEFT, RIGHT));
        }
        let column = |at: usize| [matrix[0][at], matrix[1][at]];
        let across = |at: usize| [inner[0][at], inner[1][at]];
        let product = [0, 1].map(|row| [0, 1].map(|at| dot(column(row), across(at))));
        self.depth = self.depth.max(below.depth + 1);
        self.sum = plus(self.sum, product);
    }

    /// Adds the strings that start with a separator.
    fn add_suffixes(&mut self, suffixes: SuffixSums) {
        self.depth = self.depth.max(suffixes.depth + 1);
        self.sum = plus(self.sum, outer(LEFT, suffixes.plain));
    }
}

fn outer(a: Vector, b: Vector) -> Matrix {
    a.map(|a| b.map(|b| a.wrapping_mul(b)))
}

fn plus(a: Matrix, b: Matrix) -> Matrix {
    [sum(a[0], b[0]), sum(a[1], b[1])]
}
