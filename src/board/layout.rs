//! The printed board: its size, its start square and its premium squares.

use super::Square;

/// The smallest number of rows. Chosen by hand.
pub const MIN_SIDE: u8 = 5;
/// The largest number of rows: that of the preset `super`.
pub const MAX_SIDE: u8 = 21;

/// The effect of a square on the play that first covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Premium {
    /// No effect.
    None,
    /// Multiplies the value of the letter.
    Letter(u8),
    /// Multiplies the value of the word.
    Word(u8),
    /// No tile can be placed here; words end at it as at the edge of the board.
    Unusable,
}

/// The sign of each premium in a board file.
const SIGNS: [(char, Premium); 8] = [
    (' ', Premium::None),
    ('\'', Premium::Letter(2)),
    ('"', Premium::Letter(3)),
    ('^', Premium::Letter(4)),
    ('-', Premium::Word(2)),
    ('=', Premium::Word(3)),
    ('~', Premium::Word(4)),
    ('#', Premium::Unusable),
];

impl Premium {
    /// The factor for a letter placed here.
    pub fn letter_factor(self) -> i32 {
        match self {
            Premium::Letter(factor) => factor.into(),
            _ => 1,
        }
    }

    /// The factor for a word with a letter placed here.
    pub fn word_factor(self) -> i32 {
        match self {
            Premium::Word(factor) => factor.into(),
            _ => 1,
        }
    }

    /// Its sign in a board file.
    pub(crate) fn sign(self) -> char {
        let known = SIGNS.iter().find(|(_, premium)| *premium == self);
        known.map_or(' ', |(sign, _)| *sign)
    }
}

/// The printed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    name: String,
    side: u8,
    start: Square,
    premiums: Vec<Premium>,
    mirrored: bool,
}

impl Layout {
    /// Reads a board file: a first line `row, column` with the start square, counted from 0, then a
    /// line for each row, as long as there are rows. Without the first line play starts in the
    /// centre. A plain square is a space or a `.`, which editors do not remove at the end of a line.
    pub fn parse(name: &str, text: &str) -> Result<Layout, LayoutError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows: Vec<&str> = text.trim_end_matches(['\r', '\n']).lines().collect();
        let start = match rows.first().and_then(|line| line.split_once(',')) {
            Some((row, column)) => {
                let number = |text: &str| text.trim().parse().map_err(|_| LayoutError::StartLine);
                rows.remove(0);
                Some((number(row)?, number(column)?))
            }
            None => None,
        };
        let side = rows.len();
        if side < MIN_SIDE.into() || side > MAX_SIDE.into() {
            return Err(LayoutError::Side(side));
        }
        let mut premiums = Vec::with_capacity(side * side);
        for (at, row) in rows.iter().enumerate() {
            // Spaces after the last square are harmless.
            let [full, trimmed] = [*row, row.trim_end()].map(|row| row.chars().count());
            let width = trimmed.max(full.min(side));
            if width != side {
                return Err(LayoutError::Width {
                    row: at + 1,
                    width,
                    side,
                });
            }
            for sign in row.chars().take(side) {
                let sign = if sign == '.' { ' ' } else { sign };
                let known = SIGNS.iter().find(|(known, _)| *known == sign);
                premiums.push(known.ok_or(LayoutError::Sign { row: at + 1, sign })?.1);
            }
        }
        let side = side as u8;
        let (row, column) = start.unwrap_or((side / 2, side / 2));
        if row >= side || column >= side {
            return Err(LayoutError::StartLine);
        }
        let start = Square::new(row, column, side);
        if premiums[start.index()] == Premium::Unusable {
            return Err(LayoutError::StartUnusable);
        }
        let mut layout = Layout {
            name: name.to_string(),
            side,
            start,
            premiums,
            mirrored: false,
        };
        let flipped = |square: Square| Square::new(square.column(side), square.row(side), side);
        let same = |square| layout.premium(square) == layout.premium(flipped(square));
        layout.mirrored = flipped(start) == start && layout.squares().all(same);
        Ok(layout)
    }

    /// The text of a board file, as [`Layout::parse`] reads it.
    pub fn to_text(&self) -> String {
        let (row, column) = (self.start.row(self.side), self.start.column(self.side));
        let mut text = format!("{row}, {column}\n");
        for row in self.premiums.chunks(self.side.into()) {
            text.extend(row.iter().map(|premium| premium.sign()));
            text.push('\n');
        }
        text
    }

    /// Its name, which the CGP opcode `bdn` uses.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of rows, which is also the number of columns.
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The square that the first play must cover.
    pub fn start(&self) -> Square {
        self.start
    }

    /// The premium of a square.
    pub fn premium(&self, square: Square) -> Premium {
        self.premiums[square.index()]
    }

    /// Whether a tile can be placed on a square.
    pub fn is_usable(&self, square: Square) -> bool {
        self.premium(square) != Premium::Unusable
    }

    /// Whether swapping rows and columns leaves the board as it is. Then each first play across has
    /// a mirror image down with the same score.
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// All squares, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let side = self.side;
        (0..side).flat_map(move |row| (0..side).map(move |column| Square::new(row, column, side)))
    }
}

/// Why a board file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Too few or too many rows.
    #[error("{0} rows, the limits are {MIN_SIDE} and {MAX_SIDE}")]
    Side(usize),
    /// A row with more or fewer squares than the board has rows.
    #[error(
        "row {row} has {width} squares, but the board has {side} rows; write a plain square as '.'"
    )]
    Width {
        /// Counted from 1.
        row: usize,
        /// The squares of the row.
        width: usize,
        /// The number of rows.
        side: usize,
    },
    /// A character that is not a sign of [`Premium`].
    #[error(
        "row {row} has the sign '{}', the signs are '{}'",
        .sign.escape_default(),
        SIGNS.map(|(sign, _)| sign).iter().collect::<String>()
    )]
    Sign {
        /// Counted from 1.
        row: usize,
        /// The character in the file.
        sign: char,
    },
    /// A start square that is not on the board.
    #[error("the first line does not name a square of the board as 'row, column' from 0")]
    StartLine,
    /// An unusable start square.
    #[error("the start square is unusable")]
    StartUnusable,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_squares_have_two_signs_and_the_centre_is_the_default_start() {
        let layout = Layout::parse("tiny", "=....\n -   \n  '..  \n...#.\n.....\n\n").unwrap();
        assert_eq!((layout.side(), layout.start()), (5, Square::new(2, 2, 5)));
        assert_eq!(layout.premium(Square::new(3, 3, 5)), Premium::Unusable);
        let text = "2, 2\n=    \n -   \n  '  \n   # \n     \n";
        assert_eq!(layout.to_text(), text);
        assert_eq!(Layout::parse("tiny", &layout.to_text()), Ok(layout));
    }

    #[test]
    fn a_board_is_mirrored_only_if_rows_and_columns_can_be_swapped() {
        let check = |text: &str, mirrored| {
            assert_eq!(Layout::parse("x", text).unwrap().is_mirrored(), mirrored)
        };
        check("=..'.\n.-...\n.....\n'....\n.....\n", true);
        check("=..'.\n.-...\n.....\n.....\n.....\n", false);
        check("2, 1\n.....\n.....\n.....\n.....\n.....\n", false);
    }

    #[test]
    fn a_bad_board_is_refused_with_the_reason() {
        let check = |text: &str, error: &str| {
            assert_eq!(Layout::parse("x", text).unwrap_err().to_string(), error)
        };
        check("", "0 rows, the limits are 5 and 21");
        check(&".\n".repeat(22), "22 rows, the limits are 5 and 21");
        let way_out = "but the board has 5 rows; write a plain square as '.'";
        let rows = |first: &str| first.to_string() + &".....\n".repeat(4);
        check(
            &rows("......\n"),
            &format!("row 1 has 6 squares, {way_out}"),
        );
        check(&rows("=...\n"), &format!("row 1 has 4 squares, {way_out}"));
        check(&rows("\n"), &format!("row 1 has 0 squares, {way_out}"));
        let sign = "row 1 has the sign 'x', the signs are ' '\"^-=~#'";
        check(&rows("..x..\n"), sign);
        let start = "the first line does not name a square of the board as 'row, column' from 0";
        check(&format!("7, 7\n{}", rows(".....\n")), start);
        check(&"..#..\n".repeat(5), "the start square is unusable");
    }
}
