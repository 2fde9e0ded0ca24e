//! Whether nodes that came from a file are a graph that can be walked on.
//!
//! Nothing about the nodes is promised: arcs may lead anywhere, lists may not
//! end, and paths may run in circles or multiply without bounds. All work here
//! is linear in the number of nodes, and no function calls itself. Files of
//! other programs may share the tails of sibling lists; that is allowed.

use super::error::{GraphError, MAX_WORDS};
use super::graph::{GraphNode, NodeList, SEPARATOR};
use super::word::MAX_WORD_LETTERS;
use crate::seed::Seed;

/// What a walk may find and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Automaton {
    /// Words: tile 0 is an error.
    Dawg,
    /// Words backwards: tile 0 is the separator, and the walk stops there.
    Gaddag,
    /// Leaves: tile 0 is the blank, and tiles never descend along a path.
    Leaves,
}

/// The lists that can be reached, each after all lists that it leads to.
pub(super) struct PostOrder {
    pub(super) lists: Vec<NodeList>,
    /// By node: the place in `lists` of the list that starts there.
    places: Vec<u32>,
}

/// In place of a place: no list found here yet.
const UNSEEN: u32 = u32::MAX;
/// In place of a place: the walk is below this list.
const OPEN: u32 = u32::MAX - 1;

impl PostOrder {
    /// Visits what can be reached from `roots` and checks each list.
    pub(super) fn new(
        nodes: &[GraphNode],
        roots: &[NodeList],
        part: Automaton,
        letters: usize,
    ) -> Result<PostOrder, GraphError> {
        let mut walk = DepthFirstSearch {
            nodes,
            part,
            letters,
            order: PostOrder {
                lists: Vec::new(),
                places: vec![UNSEEN; nodes.len()],
            },
            path: Vec::new(),
        };
        for &root in roots {
            walk.enter(root)?;
            walk.run()?;
        }
        Ok(walk.order)
    }

    /// Whether a list with this start was reached.
    pub(super) fn has(&self, list: NodeList) -> bool {
        self.places
            .get(list.index())
            .is_some_and(|&place| place != UNSEEN)
    }

    /// Computes a value for every list from those of the lists that it leads
    /// to. No list has the default value.
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

/// A value for each list.
pub(super) struct ListValues<'order, T> {
    order: &'order PostOrder,
    values: Vec<T>,
}

impl<T: Copy + Default> ListValues<'_, T> {
    /// The value of a list, the default for none.
    pub(super) fn get(&self, list: NodeList) -> T {
        let place = self.order.places.get(list.index());
        let value = place.and_then(|&place| self.values.get(place as usize));
        value.copied().unwrap_or_default()
    }
}

/// A depth-first search with its own stack.
struct DepthFirstSearch<'nodes> {
    nodes: &'nodes [GraphNode],
    part: Automaton,
    letters: usize,
    order: PostOrder,
    /// The lists above the present one, each with the node to visit next.
    path: Vec<(NodeList, usize)>,
}

impl DepthFirstSearch<'_> {
    fn run(&mut self) -> Result<(), GraphError> {
        while let Some((list, at)) = self.path.last_mut() {
            let (list, node) = (*list, self.nodes[*at]);
            // The list that starts at node 0 is none, so 0 can say "done".
            if *at == 0 {
                self.order.places[list.index()] = self.order.lists.len() as u32;
                self.order.lists.push(list);
                self.path.pop();
                continue;
            }
            *at = if node.is_end() { 0 } else { *at + 1 };
            if node.tile() != SEPARATOR || self.part != Automaton::Gaddag {
                self.enter(node.arc())?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, list: NodeList) -> Result<(), GraphError> {
        if list.is_none() {
            return Ok(());
        }
        match self.order.places.get(list.index()) {
            None => return Err(GraphError::Arc(list.index(), self.nodes.len())),
            Some(&OPEN) => return Err(GraphError::Cycle(list.index())),
            Some(&UNSEEN) => {}
            Some(_) => return Ok(()),
        }
        self.check_list(list)?;
        self.order.places[list.index()] = OPEN;
        self.path.push((list, list.index()));
        Ok(())
    }

    /// Whether a list ends and its tiles are different ones that may stand there.
    fn check_list(&self, list: NodeList) -> Result<(), GraphError> {
        let mut seen = 0u64;
        for (at, node) in self.nodes.iter().enumerate().skip(list.index()) {
            self.check_node(at, *node)?;
            if seen & 1 << node.tile() != 0 {
                return Err(GraphError::Twice(at));
            }
            seen |= 1 << node.tile();
            if node.is_end() {
                return Ok(());
            }
        }
        Err(GraphError::OpenList(list.index()))
    }

    fn check_node(&self, at: usize, node: GraphNode) -> Result<(), GraphError> {
        let separator = node.tile() == SEPARATOR && self.part == Automaton::Gaddag;
        let misplaced = node.tile() == SEPARATOR && self.part == Automaton::Dawg;
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
        if self.part == Automaton::Leaves {
            self.check_ascent(at, node)?;
        }
        Ok(())
    }

    /// Whether the tiles that follow a node come later than its own, or are equal.
    fn check_ascent(&self, at: usize, node: GraphNode) -> Result<(), GraphError> {
        let lowest = siblings(self.nodes, node.arc()).map(GraphNode::tile).min();
        match lowest {
            Some(lowest) if lowest < node.tile() => Err(GraphError::Descent(at)),
            _ => Ok(()),
        }
    }
}

/// The nodes of a list, as far as there are any: at most one for each tile.
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
    let len = nodes.iter().take(64).position(|node| node.is_end());
    nodes[..len.map_or(0, |end| end + 1)].iter().copied()
}

/// Whether the siblings of every list ascend by tile, each more than the one before.
pub(super) fn ascends(nodes: &[GraphNode], order: &PostOrder) -> bool {
    order.lists.iter().all(|&list| {
        siblings(nodes, list)
            .map(GraphNode::tile)
            .is_sorted_by(|a, b| a < b)
    })
}

/// Counts the strings that can be read from `root` on; too many, or too long
/// ones, are an error.
pub(super) fn count_words(
    nodes: &[GraphNode],
    order: &PostOrder,
    root: NodeList,
) -> Result<u64, GraphError> {
    let measures = order.fold::<(u64, usize)>(|list, below| {
        let mut sum = (0, 0);
        for node in siblings(nodes, list) {
            let (words, depth) = below(node.arc());
            // More than too many is too many, and no sum overflows.
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

/// Whether the GADDAG has exactly the strings that the DAWG's words ask for.
///
/// Each tile gets a random matrix, a word the product of its letters'
/// matrices, taken between two vectors to be a number. The DAWG gives the sum
/// over all words of that number times the word's length, and the GADDAG gives
/// it with each string put back into the order of its word. Both sums are
/// exact modulo 2^64, so a string too many, too few or in the wrong order
/// changes one of them, all but certainly.
pub(super) fn check_halves(
    nodes: &[GraphNode],
    (dawg, gaddag): (&PostOrder, &PostOrder),
    roots: (NodeList, NodeList),
) -> Result<(), GraphError> {
    let signs: Vec<Matrix> = (0..64).map(sign).collect();
    let ends = dawg.fold(|list, below| {
        let mut sum = SuffixSums::default();
        for node in siblings(nodes, list) {
            sum.add(
                &signs[usize::from(node.tile())],
                node.accepts(),
                below(node.arc()),
            );
        }
        sum
    });
    let mut deepest = 0;
    let starts = gaddag.fold(|list, below| {
        let mut sum = GaddagSums::default();
        for node in siblings(nodes, list) {
            match node.tile() {
                SEPARATOR => sum.add_ends(ends.get(node.arc())),
                tile => sum.add(&signs[usize::from(tile)], node.accepts(), below(node.arc())),
            }
        }
        deepest = deepest.max(sum.depth);
        sum
    });
    if deepest > MAX_WORD_LETTERS + 1 {
        return Err(GraphError::Depth(deepest - 1));
    }
    let [a, b] = ends.get(roots.0).weighted;
    let [[c, _], [_, d]] = starts.get(roots.1).sum;
    let asked = dot(LEFT, [a, b]);
    match asked == c.wrapping_add(d) {
        true => Ok(()),
        false => Err(GraphError::Halves),
    }
}

type Vector = [u64; 2];
type Matrix = [Vector; 2];

/// What stands left of a word's first letter.
const LEFT: Vector = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9];
/// What stands right of a word's last letter.
const RIGHT: Vector = [0x94D0_49BB_1331_11EB, 0xD6E8_FEB8_6659_FD93];

/// The matrix of a tile. Its determinant is odd, so no product vanishes.
fn sign(tile: u64) -> Matrix {
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

/// The strings that follow a place in the DAWG.
#[derive(Clone, Copy, Default)]
struct SuffixSums {
    depth: usize,
    /// Their products, summed up.
    plain: Vector,
    /// The same, each times the length of its string.
    weighted: Vector,
}

impl SuffixSums {
    /// Adds what starts with a tile.
    fn add(&mut self, sign: &Matrix, accepts: bool, below: SuffixSums) {
        let plain = match accepts {
            true => sum(below.plain, RIGHT),
            false => below.plain,
        };
        let weighted = sum(plain, below.weighted);
        self.depth = self.depth.max(below.depth + 1);
        self.plain = sum(self.plain, sign.map(|row| dot(row, plain)));
        self.weighted = sum(self.weighted, sign.map(|row| dot(row, weighted)));
    }
}

/// The strings that follow a place in the GADDAG before the separator. What
/// comes before that place belongs in the middle of the word, so the left and
/// the right part are kept apart: the sum is over their outer products.
#[derive(Clone, Copy, Default)]
struct GaddagSums {
    depth: usize,
    sum: Matrix,
}

impl GaddagSums {
    /// Adds what starts with a letter.
    fn add(&mut self, sign: &Matrix, accepts: bool, below: GaddagSums) {
        let mut inner = below.sum;
        if accepts {
            inner = plus(inner, outer(LEFT, RIGHT));
        }
        let column = |at: usize| [sign[0][at], sign[1][at]];
        let across = |at: usize| [inner[0][at], inner[1][at]];
        let product = [0, 1].map(|row| [0, 1].map(|at| dot(column(row), across(at))));
        self.depth = self.depth.max(below.depth + 1);
        self.sum = plus(self.sum, product);
    }

    /// Adds what follows a separator.
    fn add_ends(&mut self, ends: SuffixSums) {
        self.depth = self.depth.max(ends.depth + 1);
        self.sum = plus(self.sum, outer(LEFT, ends.plain));
    }
}

fn outer(a: Vector, b: Vector) -> Matrix {
    a.map(|a| b.map(|b| a.wrapping_mul(b)))
}

fn plus(a: Matrix, b: Matrix) -> Matrix {
    [sum(a[0], b[0]), sum(a[1], b[1])]
}
