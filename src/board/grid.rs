//! The tiles on a board.

use super::{Axis, MAX_SIDE, Square};
use crate::tiles::Face;

/// The number of squares of the largest board. A fixed size makes a grid cheap to copy.
const MAX_SQUARES: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// The tiles on a board, square by square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    side: u8,
    cells: [Option<Face>; MAX_SQUARES],
}

impl Grid {
    /// An empty board.
    pub fn new(side: u8) -> Grid {
        debug_assert!(side <= MAX_SIDE);
        Grid {
            side,
            cells: [None; MAX_SQUARES],
        }
    }

    /// The number of rows, which is also the number of columns.
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The tile on a square, if there is one.
    pub fn get(&self, square: Square) -> Option<Face> {
        self.cells[square.index()]
    }

    /// Places a tile on a square, or removes it.
    pub fn set(&mut self, square: Square, face: Option<Face>) {
        self.cells[square.index()] = face;
    }

    /// Whether the board has no tiles.
    pub fn is_empty(&self) -> bool {
        self.faces().next().is_none()
    }

    /// All tiles on the board.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        self.cells.iter().filter_map(|cell| *cell)
    }

    /// The longest run of adjacent tiles along `axis` that contains `square`, as if a tile were on
    /// `square`: each square of the run with its tile.
    pub(crate) fn run(&self, square: Square, axis: Axis) -> Vec<(Square, Option<Face>)> {
        let (lane, at) = square.lane(axis, self.side);
        let occupied = |square: &Square| self.get(*square).is_some();
        let mut squares: Vec<Square> = lane.backwards(at).take_while(occupied).collect();
        squares.reverse();
        squares.push(square);
        squares.extend(lane.onwards(at + 1).take_while(occupied));
        squares
            .into_iter()
            .map(|square| (square, self.get(square)))
            .collect()
    }

    /// Whether a tile is next to `square`, in its row or column.
    pub(crate) fn has_neighbour(&self, square: Square) -> bool {
        Axis::BOTH.iter().any(|&axis| {
            let (lane, at) = square.lane(axis, self.side);
            let beside = [
                lane.get(at + 1),
                at.checked_sub(1).and_then(|before| lane.get(before)),
            ];
            beside
                .into_iter()
                .flatten()
                .any(|square| self.get(square).is_some())
        })
    }
}
