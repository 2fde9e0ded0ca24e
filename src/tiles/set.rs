//! A tile set: which tiles there are, how many of each, what they are worth, and its CSV file.
//! How tiles are written in positions, moves and word lists is in [`super::text`].

use super::text::{Symbol, shortened};
use super::{Face, Letter, MAX_LETTERS, Tile, TileCounts};
use crate::units::Points;
use std::collections::HashMap;

/// The most blanks a tile set can have: twice as many as the usual two. Chosen by hand.
pub const MAX_BLANKS: u8 = 4;

/// The most characters of the label of one tile. The time to read a text grows with the length of
/// the longest label. Chosen by hand.
const MAX_LABEL_CHARS: usize = 8;

/// The most points a tile can be worth. Chosen by hand, ten times the usual maximum.
const MAX_TILE_POINTS: i32 = 100;

/// One kind of tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileKind {
    /// Its label in capitals: a letter tile.
    pub upper: String,
    /// Its label in lower case: a blank that stands for the letter.
    pub lower: String,
    /// The number of these tiles in the box. A blank can stand for a letter that has none.
    pub count: u8,
    /// Its face value.
    pub value: Points,
    /// Whether it is a vowel.
    pub vowel: bool,
}

/// The tiles of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    name: String,
    /// By tile number: the blank, then the letters.
    kinds: Vec<TileKind>,
    /// The meaning of each label.
    pub(super) symbols: HashMap<String, Symbol>,
    /// The entries of `symbols` that are one ASCII character, by character code: nearly all
    /// look-ups.
    pub(super) ascii: [Option<Symbol>; 128],
    /// The number of characters of the longest label.
    pub(super) longest: usize,
}

impl TileSet {
    /// Makes a tile set from its letters, in alphabetical order, and the number of blanks.
    pub fn new(name: &str, blanks: u8, letters: Vec<TileKind>) -> Result<TileSet, TileSetError> {
        if blanks > MAX_BLANKS {
            return Err(TileSetError::TooManyBlanks(blanks));
        }
        if letters.is_empty() || letters.len() > MAX_LETTERS {
            return Err(TileSetError::LetterCount(letters.len()));
        }
        let blank = TileKind {
            upper: "?".into(),
            lower: "?".into(),
            count: blanks,
            value: Points::ZERO,
            vowel: false,
        };
        let mut set = TileSet {
            name: name.to_string(),
            kinds: vec![blank],
            symbols: HashMap::from([("?".to_string(), Symbol::Blank)]),
            ascii: [None; 128],
            longest: 1,
        };
        set.ascii[usize::from(b'?')] = Some(Symbol::Blank);
        for (letter, kind) in (1..=MAX_LETTERS).filter_map(Letter::new).zip(letters) {
            if !(0..=MAX_TILE_POINTS).contains(&kind.value.0) {
                return Err(TileSetError::Value {
                    letter: kind.upper,
                    value: kind.value,
                });
            }
            set.add_label(&kind.upper, Symbol::Face(Face::natural(letter)))?;
            set.add_label(&kind.lower, Symbol::Face(Face::blank(letter)))?;
            set.kinds.push(kind);
        }
        Ok(set)
    }

    /// Gives `symbol` a label.
    fn add_label(&mut self, text: &str, symbol: Symbol) -> Result<(), TileSetError> {
        // Notation uses spaces, digits and ASCII signs for other purposes.
        let reserved = |c: char| {
            c.is_whitespace() || c.is_control() || (c.is_ascii() && !c.is_ascii_alphabetic())
        };
        if text.is_empty() || text.chars().any(reserved) {
            return Err(TileSetError::Unwritable(text.to_string()));
        }
        if text.chars().count() > MAX_LABEL_CHARS {
            return Err(TileSetError::LongLabel(text.to_string()));
        }
        if self.symbols.insert(text.to_string(), symbol).is_some() {
            return Err(TileSetError::Twice(text.to_string()));
        }
        if let [byte] = text.as_bytes() {
            self.ascii[usize::from(*byte)] = Some(symbol);
        }
        self.longest = self.longest.max(text.chars().count());
        Ok(())
    }

    /// Reads a CSV file: a row `letter,lower,count,value,vowel` for each kind of tile, with the
    /// letter `?` for the blank. Further columns, empty lines, lines that start with `#` and a row
    /// of headings are ignored.
    pub fn parse(name: &str, csv: &str) -> Result<TileSet, TileSetError> {
        let mut blanks = 0;
        let mut letters = Vec::new();
        let csv = csv.strip_prefix('\u{feff}').unwrap_or(csv);
        for (at, line) in csv.lines().enumerate() {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let row = |what: &str| TileSetError::Row {
                line: at + 1,
                what: what.to_string(),
            };
            match fields.as_slice() {
                [""] => {}
                [first, ..] if first.starts_with('#') => {}
                ["letter", "lower", "count", "value", "vowel", ..] => {}
                [upper, lower, count, value, vowel, ..] => {
                    let kind = TileKind {
                        upper: upper.to_string(),
                        lower: lower.to_string(),
                        count: count
                            .parse()
                            .map_err(|_| row("the count is not a number from 0 to 255"))?,
                        value: value
                            .parse()
                            .map_err(|_| row("the value is not a number"))?,
                        vowel: match *vowel {
                            "0" => false,
                            "1" => true,
                            _ => return Err(row("the vowel column is neither 0 nor 1")),
                        },
                    };
                    match *upper {
                        "?" if kind.value != Points::ZERO => {
                            return Err(row("a blank is worth nothing"));
                        }
                        "?" if blanks != 0 => return Err(TileSetError::Twice("?".into())),
                        "?" => blanks = kind.count,
                        _ => letters.push(kind),
                    }
                }
                _ => return Err(row("a row is letter,lower,count,value,vowel")),
            }
        }
        TileSet::new(name, blanks, letters)
    }

    /// The CSV file that [`TileSet::parse`] reads.
    pub fn to_csv(&self) -> String {
        let row = |kind: &TileKind| {
            let TileKind {
                upper,
                lower,
                count,
                value,
                vowel,
            } = kind;
            format!("{upper},{lower},{count},{value},{}\n", u8::from(*vowel))
        };
        self.kinds.iter().map(row).collect()
    }

    /// Its name, which the CGP opcode `ld` uses.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of letters of the alphabet.
    pub fn letter_count(&self) -> usize {
        self.kinds.len() - 1
    }

    /// The letters in alphabetical order.
    pub fn letters(&self) -> impl Iterator<Item = Letter> + use<> {
        (1..=self.letter_count()).filter_map(Letter::new)
    }

    /// The labels of the letters in alphabetical order. Graph files number letters in this order.
    pub fn capitals(&self) -> impl Iterator<Item = &str> {
        self.kinds[1..].iter().map(|kind| kind.upper.as_str())
    }

    /// The kind of a tile: labels, count, value.
    pub fn kind(&self, tile: Tile) -> &TileKind {
        &self.kinds[tile.number()]
    }

    /// The face value of a tile.
    pub fn value(&self, tile: Tile) -> Points {
        self.kinds[tile.number()].value
    }

    /// The sum of the face values of `tiles`.
    pub fn total_value(&self, tiles: &TileCounts) -> Points {
        tiles.iter().map(|tile| self.value(tile)).sum()
    }

    /// All tiles in the box.
    pub fn all(&self) -> TileCounts {
        let tiles = (0..self.kinds.len()).filter_map(Tile::new);
        let copies = |tile| std::iter::repeat_n(tile, self.kind(tile).count.into());
        tiles.flat_map(copies).collect()
    }
}

/// Why a tile set cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileSetError {
    /// A row of the file cannot be read.
    #[error("line {line}: {what}")]
    Row {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Too many blanks.
    #[error("{0} blanks, the limit is {MAX_BLANKS}")]
    TooManyBlanks(u8),
    /// No letters, or too many.
    #[error("{0} letters, the limits are 1 and {MAX_LETTERS}")]
    LetterCount(usize),
    /// A face value out of range.
    #[error("{letter} is worth {value}, the limits are 0 and {MAX_TILE_POINTS}")]
    Value {
        /// Whose value.
        letter: String,
        /// The value in the file.
        value: Points,
    },
    /// A label with characters that notation uses for other purposes.
    #[error(
        "'{}' cannot be a tile: tiles are letters, without spaces, digits or ASCII signs",
        shortened(.0)
    )]
    Unwritable(String),
    /// A label with too many characters.
    #[error(
        "the tile '{}' has {} characters, the limit is {MAX_LABEL_CHARS}",
        shortened(.0),
        .0.chars().count()
    )]
    LongLabel(String),
    /// Two tiles with the same label.
    #[error("'{}' stands for two tiles", shortened(.0))]
    Twice(String),
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A made-up language: C, H, CH, L and L·L are tiles, Q exists only as QU, and no tile shows W,
    /// so that only a blank can stand for it.
    pub(in crate::tiles) fn digraphs() -> TileSet {
        let csv = "?,?,2,0,0\nA,a,9,1,1\nC,c,2,3,0\nCH,ch,1,5,0\nH,h,2,4,0\nL,l,4,1,0\nL·L,l·l,1,10,0\nQU,qu,1,8,0\nW,w,0,8,0\n";
        TileSet::parse("digraphs", csv).unwrap()
    }

    /// With 32 letters the loop over letters once never ended.
    #[test]
    fn an_alphabet_can_have_the_maximum_of_letters() {
        let rows = ('А'..='Я').zip('а'..='я');
        let rows = rows.map(|(upper, lower)| format!("{upper},{lower},1,1,0\n"));
        let rows: String = rows.collect();
        let set = TileSet::parse("many", &format!("?,?,2,0,0\n{rows}")).unwrap();
        assert_eq!(set.letter_count(), MAX_LETTERS);
    }

    #[test]
    fn a_tile_set_reads_back_from_its_own_csv() {
        let set = digraphs();
        assert_eq!(TileSet::parse("digraphs", &set.to_csv()), Ok(set));
    }

    #[test]
    fn a_tile_set_with_ambiguous_or_wrong_rows_is_refused() {
        let check = |csv: &str, error: &str| {
            assert_eq!(TileSet::parse("x", csv).unwrap_err().to_string(), error)
        };
        check("?,?,5,0,0\nA,a,1,1,1", "5 blanks, the limit is 4");
        check("A,a,1,1,1\nB,a,1,1,0", "'a' stands for two tiles");
        check("A,A,1,1,1", "'A' stands for two tiles");
        let sign =
            "'A.' cannot be a tile: tiles are letters, without spaces, digits or ASCII signs";
        check("A.,a,1,1,1", sign);
        check("A,a,1", "line 1: a row is letter,lower,count,value,vowel");
        let count = "line 1: the count is not a number from 0 to 255";
        check("A,a,300,1,1", count);
        let long = "the tile 'ABCDEFGHI' has 9 characters, the limit is 8";
        check("ABCDEFGHI,a,1,1,1", long);
        check("A,a,1,101,1", "A is worth 101, the limits are 0 and 100");
        check("", "0 letters, the limits are 1 and 32");
    }
}
