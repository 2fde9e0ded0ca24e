//! Squares, and the rows and columns they form.

/// A direction of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Left to right, along a row.
    Across,
    /// Top to bottom, along a column.
    Down,
}

impl Axis {
    /// Both directions.
    pub const BOTH: [Axis; 2] = [Axis::Across, Axis::Down];

    /// The other direction.
    pub fn other(self) -> Axis {
        match self {
            Axis::Across => Axis::Down,
            Axis::Down => Axis::Across,
        }
    }
}

/// A square of the board, counted row by row from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u16);

impl Square {
    /// The square in this row and column, both from 0, of a board `side` squares wide.
    pub fn new(row: u8, column: u8, side: u8) -> Square {
        Square(u16::from(row) * u16::from(side) + u16::from(column))
    }

    /// Its number, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its row, from 0 at the top.
    pub fn row(self, side: u8) -> u8 {
        (self.0 / u16::from(side)) as u8
    }

    /// Its column, from 0 on the left.
    pub fn column(self, side: u8) -> u8 {
        (self.0 % u16::from(side)) as u8
    }

    /// Its name, row first: `8D`.
    pub fn name(self, side: u8) -> String {
        let column = char::from(b'A' + self.column(side));
        format!("{}{column}", self.row(side) + 1)
    }

    /// The lane through this square, and the number of the square in that lane.
    pub fn lane(self, axis: Axis, side: u8) -> (Lane, u8) {
        let (row, column) = (self.row(side), self.column(side));
        match axis {
            Axis::Across => (Lane::new(axis, row, side), column),
            Axis::Down => (Lane::new(axis, column, side), row),
        }
    }
}

/// One row or column, read in the direction of play. Code that works on lanes is written once for
/// both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    start: u16,
    stride: u16,
    len: u8,
}

impl Lane {
    /// Row or column number `index`, from 0.
    pub fn new(axis: Axis, index: u8, side: u8) -> Lane {
        let (index, wide) = (u16::from(index), u16::from(side));
        match axis {
            Axis::Across => Lane {
                start: index * wide,
                stride: 1,
                len: side,
            },
            Axis::Down => Lane {
                start: index,
                stride: wide,
                len: side,
            },
        }
    }

    /// The number of squares.
    pub fn len(self) -> u8 {
        self.len
    }

    /// Always `false`: every board has squares.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Square number `at` of the lane, from 0; `None` beyond its end.
    pub fn get(self, at: u8) -> Option<Square> {
        (at < self.len).then(|| Square(self.start + u16::from(at) * self.stride))
    }

    /// The squares from number `from` to the end, in the direction of play.
    pub fn onwards(self, from: u8) -> impl DoubleEndedIterator<Item = Square> {
        (from..self.len).filter_map(move |at| self.get(at))
    }

    /// The squares before number `from`, nearest first.
    pub fn backwards(self, from: u8) -> impl Iterator<Item = Square> {
        (0..from.min(self.len))
            .rev()
            .filter_map(move |at| self.get(at))
    }
}
