//! Where a play starts and which way it runs: `8D` across, `D8` down.

use crate::board::{Axis, Square};
use std::fmt;

/// A coordinate as it was written. It may lie outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// The row, from 1 at the top.
    pub row: u32,
    /// The column, from 1 on the left.
    pub column: u32,
    /// The direction: row first means across, column first down.
    pub axis: Axis,
}

impl Coordinate {
    /// Reads a coordinate. Letters may have either case; columns after Z are AA, AB and so on.
    pub fn parse(text: &str) -> Option<Coordinate> {
        let letters_first = text.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let is_digit = |c: char| c.is_ascii_digit();
        let (axis, row, column) = if letters_first {
            let (column, row) = text.split_at(text.find(is_digit)?);
            (Axis::Down, row, column)
        } else {
            let (row, column) = text.split_at(text.find(is_letter)?);
            (Axis::Across, row, column)
        };
        // No board needs more than three letters or digits.
        let is_short = |part: &str| !part.is_empty() && part.len() <= 3;
        if !is_short(row)
            || !is_short(column)
            || !row.chars().all(is_digit)
            || !column.chars().all(is_letter)
        {
            return None;
        }
        let row = row.parse().ok()?;
        let column = column.bytes().fold(0, |n, byte| {
            n * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1
        });
        Some(Coordinate { row, column, axis })
    }

    /// The square on a board of `side` rows and columns, if it lies there.
    pub fn square(self, side: u8) -> Option<Square> {
        let on_board = |n: u32| (1..=u32::from(side)).contains(&n).then(|| (n - 1) as u8);
        Some(Square::new(
            on_board(self.row)?,
            on_board(self.column)?,
            side,
        ))
    }

    /// The coordinate of a play that starts on `square`.
    pub fn of(square: Square, axis: Axis, side: u8) -> Coordinate {
        Coordinate {
            row: u32::from(square.row(side)) + 1,
            column: u32::from(square.column(side)) + 1,
            axis,
        }
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut letters = Vec::new();
        let mut column = self.column;
        while column > 0 {
            letters.push(char::from(b'A' + ((column - 1) % 26) as u8));
            column = (column - 1) / 26;
        }
        let column: String = letters.iter().rev().collect();
        match self.axis {
            Axis::Across => write!(f, "{}{column}", self.row),
            Axis::Down => write!(f, "{column}{}", self.row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_reads_back_what_it_writes() {
        for axis in Axis::BOTH {
            for (row, column) in (1..=999).step_by(7).zip((1..=18_278).step_by(97)) {
                let coordinate = Coordinate { row, column, axis };
                assert_eq!(Coordinate::parse(&coordinate.to_string()), Some(coordinate));
            }
        }
    }

    #[test]
    fn row_first_is_across_in_either_case() {
        let check = |text: &str, expected: Option<(u32, u32, Axis)>| {
            assert_eq!(
                Coordinate::parse(text).map(|c| (c.row, c.column, c.axis)),
                expected,
                "{text}"
            );
        };
        check("8D", Some((8, 4, Axis::Across)));
        check("h11", Some((11, 8, Axis::Down)));
        check("AA15", Some((15, 27, Axis::Down)));
        for bad in [
            "", "8", "D", "8D8", "D8D", "-8D", "8 D", "8é", "1000A", "AAAA1", "八D",
        ] {
            check(bad, None);
        }
    }

    #[test]
    fn only_squares_of_the_board_are_found() {
        let square = |text: &str| Coordinate::parse(text).and_then(|c| c.square(15));
        assert_eq!(square("8D"), Some(Square::new(7, 3, 15)));
        for off in ["16A", "0A", "1P", "AA1"] {
            assert_eq!(square(off), None, "{off}");
        }
    }
}
