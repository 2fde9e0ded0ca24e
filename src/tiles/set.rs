//! A tile set: which tiles there are, how many, what they are worth and how
//! they are written.
//!
//! A tile may be written with several characters (`CH`, `L·L`). In notation
//! such a tile stands in brackets, `[CH]`; without brackets a run of letters
//! is read as single tiles wherever that is possible, so that what we write
//! always reads back as itself. Word lists have no brackets and are read the
//! other way round, longest tile first, as players of those languages do.

use super::{Face, Letter, MAX_LETTERS, Tile, TileCounts};
use crate::units::Points;
use std::collections::HashMap;
use std::fmt;

/// The most blanks a tile set can have.
pub const MAX_BLANKS: u8 = 4;

/// The most characters a tile can be written with. Segmentation a text takes time
/// in proportion to its own length and to that of the longest tile.
const MAX_LABEL: usize = 8;

/// The most points a tile can be worth.
const MAX_VALUE: i32 = 100;

/// One kind of tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileKind {
    /// How it is written on a letter tile.
    pub upper: String,
    /// How it is written when a blank stands for it.
    pub lower: String,
    /// How many are in the box. A letter with none can still be a blank's.
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
    /// By number: the blank, then the letters.
    kinds: Vec<TileKind>,
    symbols: HashMap<String, Symbol>,
    /// `symbols` once more for what is one ASCII character: nearly all that is ever looked up.
    ascii: [Option<Symbol>; 128],
    /// The most characters a tile is written with.
    longest: usize,
}

/// A piece of text that means a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// `?`: a blank that is no letter yet.
    Blank,
    /// A letter; lower case is a blank that stands for it.
    Face(Face),
}

/// How to cut a text without brackets where tiles of several characters allow more than one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segmentation {
    /// Positions and moves: single characters first.
    Notation,
    /// Word lists: the longest tile first.
    WordList,
}

impl TileSet {
    /// Makes a tile set from its kinds of letters, in alphabetical order, and a number of blanks.
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
            if !(0..=MAX_VALUE).contains(&kind.value.0) {
                return Err(TileSetError::Value {
                    letter: kind.upper,
                    value: kind.value,
                });
            }
            set.name_symbol(&kind.upper, Symbol::Face(Face::natural(letter)))?;
            set.name_symbol(&kind.lower, Symbol::Face(Face::blank(letter)))?;
            set.kinds.push(kind);
        }
        Ok(set)
    }

    fn name_symbol(&mut self, text: &str, symbol: Symbol) -> Result<(), TileSetError> {
        // What our notations use for something else cannot be part of a tile.
        let taken = |c: char| {
            c.is_whitespace() || c.is_control() || (c.is_ascii() && !c.is_ascii_alphabetic())
        };
        if text.is_empty() || text.chars().any(taken) {
            return Err(TileSetError::Unwritable(text.to_string()));
        }
        if text.chars().count() > MAX_LABEL {
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

    /// Reads the CSV form: a row `letter,lower,count,value,vowel` for each
    /// kind, `?` for the blank. More columns are ignored, as are blank lines,
    /// lines that start with `#`, and a first row of headings.
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

    /// The CSV form, as [`TileSet::parse`] reads it.
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

    /// Its name, as `ld` in a position names it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many letters the alphabet has.
    pub fn letter_count(&self) -> usize {
        self.kinds.len() - 1
    }

    /// The letters in alphabetical order.
    pub fn letters(&self) -> impl Iterator<Item = Letter> + use<> {
        (1..=self.letter_count()).filter_map(Letter::new)
    }

    /// How the letters are written, in alphabetical order: what the numbers of a graph file refer to.
    pub fn capitals(&self) -> impl Iterator<Item = &str> {
        self.kinds[1..].iter().map(|kind| kind.upper.as_str())
    }

    /// What is known of a kind of tile.
    pub fn kind(&self, tile: Tile) -> &TileKind {
        &self.kinds[tile.number()]
    }

    /// The face value of a tile.
    pub fn value(&self, tile: Tile) -> Points {
        self.kinds[tile.number()].value
    }

    /// The face value of a bunch of tiles.
    pub fn total_value(&self, tiles: &TileCounts) -> Points {
        tiles.iter().map(|tile| self.value(tile)).sum()
    }

    /// All tiles in the box.
    pub fn all(&self) -> TileCounts {
        let tiles = (0..self.kinds.len()).filter_map(Tile::new);
        tiles
            .flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.kind(tile).count)))
            .collect()
    }

    /// Cuts a text into the tiles it means.
    pub fn read(&self, text: &str, reading: Segmentation) -> Result<Vec<Symbol>, TileTextError> {
        let mut symbols = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(open) = rest.strip_prefix('[') {
                let (label, after) = open
                    .split_once(']')
                    .ok_or_else(|| TileTextError::OpenBracket(text.to_string()))?;
                let symbol = self
                    .symbols
                    .get(label)
                    .ok_or_else(|| self.unknown(text, label))?;
                symbols.push(*symbol);
                rest = after;
            } else {
                let (run, after) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
                self.read_run(run, reading, &mut symbols).map_err(|at| {
                    let found: String = run[at..].chars().take(1).collect();
                    self.unknown(text, &found)
                })?;
                rest = after;
            }
        }
        Ok(symbols)
    }

    /// Reads a text without brackets; fails with the place that cannot be read.
    fn read_run(
        &self,
        run: &str,
        reading: Segmentation,
        symbols: &mut Vec<Symbol>,
    ) -> Result<(), usize> {
        if self.longest == 1 {
            return self.read_single(run, symbols);
        }
        // From the end backwards: the symbol to take at each place such that the rest can be read too.
        let mut choice: Vec<Option<(Symbol, usize)>> = vec![None; run.len() + 1];
        for (at, _) in run.char_indices().rev() {
            let ends = run[at..]
                .char_indices()
                .map(|(offset, c)| at + offset + c.len_utf8())
                .take(self.longest);
            let fits = |&end: &usize| end == run.len() || choice[end].is_some();
            let mut found = ends
                .filter(fits)
                .filter_map(|end| Some((*self.symbols.get(&run[at..end])?, end)));
            choice[at] = match reading {
                Segmentation::Notation => found.next(),
                Segmentation::WordList => found.last(),
            };
        }
        if choice[0].is_none() && !run.is_empty() {
            let known = |at: usize| {
                self.symbols
                    .keys()
                    .any(|label| run[at..].starts_with(label.as_str()))
            };
            let bad = run.char_indices().map(|(at, _)| at).find(|&at| !known(at));
            return Err(bad.unwrap_or(0));
        }
        let mut at = 0;
        while let Some((symbol, end)) = choice[at] {
            symbols.push(symbol);
            at = end;
        }
        Ok(())
    }

    /// [`TileSet::read_run`] where every tile is one character.
    fn read_single(&self, run: &str, symbols: &mut Vec<Symbol>) -> Result<(), usize> {
        for (at, c) in run.char_indices() {
            let symbol = match self.ascii.get(c as usize) {
                Some(symbol) => *symbol,
                None => self.symbols.get(&run[at..at + c.len_utf8()]).copied(),
            };
            symbols.push(symbol.ok_or(at)?);
        }
        Ok(())
    }

    fn unknown(&self, text: &str, tile: &str) -> TileTextError {
        TileTextError::Unknown {
            text: text.to_string(),
            tile: tile.to_string(),
            set: self.name.clone(),
        }
    }

    /// Reads tiles in hand: capitals, and `?` for a blank.
    pub fn read_tiles(&self, text: &str) -> Result<TileCounts, TileTextError> {
        let tile = |symbol| match symbol {
            Symbol::Blank => Ok(Tile::BLANK),
            Symbol::Face(face) if !face.is_blank() => Ok(face.tile()),
            Symbol::Face(face) => Err(TileTextError::SmallInHand(self.face_text(face))),
        };
        let tiles: TileCounts = {
            let symbols = self.read(text, Segmentation::Notation)?;
            if symbols.len() > usize::from(u8::MAX) {
                return Err(TileTextError::TooLong(symbols.len()));
            }
            symbols.into_iter().map(tile).collect::<Result<_, _>>()?
        };
        Ok(tiles)
    }

    /// Reads tiles on the board: capitals, and lower case for blanks.
    pub fn read_faces(&self, text: &str) -> Result<Vec<Face>, TileTextError> {
        let face = |symbol| match symbol {
            Symbol::Face(face) => Ok(face),
            Symbol::Blank => Err(TileTextError::NamelessBlank),
        };
        self.read(text, Segmentation::Notation)?
            .into_iter()
            .map(face)
            .collect()
    }

    /// Writes a face, in brackets if it takes more than one character.
    pub fn face_text(&self, face: Face) -> String {
        let kind = self.kind(face.letter().into());
        bracketed(if face.is_blank() {
            &kind.lower
        } else {
            &kind.upper
        })
    }

    /// Writes a letter of a word, in brackets if it takes more than one character.
    pub fn letter_text(&self, letter: Letter) -> String {
        self.face_text(Face::natural(letter))
    }

    /// Writes tiles in hand, letters in alphabetical order, blanks last.
    pub fn tiles_text(&self, tiles: &TileCounts) -> String {
        let letters = tiles
            .iter()
            .filter_map(Tile::letter)
            .map(|letter| self.letter_text(letter));
        letters
            .chain(std::iter::repeat_n(
                "?".to_string(),
                usize::from(tiles.count(Tile::BLANK)),
            ))
            .collect()
    }

    /// Writes a word in capitals.
    pub fn word_text(&self, word: &[Letter]) -> String {
        word.iter()
            .map(|&letter| self.letter_text(letter))
            .collect()
    }
}

fn bracketed(label: &str) -> String {
    match label.chars().count() {
        1 => label.to_string(),
        _ => format!("[{label}]"),
    }
}

/// Why a text does not say tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileTextError {
    /// A character that is no tile.
    Unknown {
        /// What was read.
        text: String,
        /// The part that is no tile.
        tile: String,
        /// The tile set's name.
        set: String,
    },
    /// `[` without `]`.
    OpenBracket(String),
    /// Lower case in hand.
    SmallInHand(String),
    /// `?` on the board.
    NamelessBlank,
    /// More tiles than any box holds of a kind.
    TooLong(usize),
}

impl fmt::Display for TileTextError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TileTextError::Unknown { text, tile, set } => {
                let (text, tile) = (shortened(text), shortened(tile));
                write!(f, "'{tile}' in '{text}' is not a tile of {set}")
            }
            TileTextError::OpenBracket(text) => {
                write!(f, "'{}' has a '[' without a ']'", shortened(text))
            }
            TileTextError::SmallInHand(text) => {
                write!(
                    f,
                    "'{text}' is a blank on the board; tiles in hand are capitals, and ? for a blank"
                )
            }
            TileTextError::NamelessBlank => write!(
                f,
                "a blank on the board is the small letter it stands for, not ?"
            ),
            TileTextError::TooLong(len) => {
                write!(f, "{len} tiles in hand, the limit is {}", u8::MAX)
            }
        }
    }
}

impl std::error::Error for TileTextError {}

/// Keeps what a client sent from filling an error line.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Why a tile set cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileSetError {
    /// A row of the file that cannot be read.
    Row {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Too many blanks.
    TooManyBlanks(u8),
    /// No letters, or too many.
    LetterCount(usize),
    /// A value out of range.
    Value {
        /// Whose value.
        letter: String,
        /// What was given.
        value: Points,
    },
    /// A tile that notation could not show.
    Unwritable(String),
    /// A tile that takes too many characters.
    LongLabel(String),
    /// Two tiles that are written alike.
    Twice(String),
}

impl fmt::Display for TileSetError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TileSetError::Row { line, what } => write!(f, "line {line}: {what}"),
            TileSetError::TooManyBlanks(n) => write!(f, "{n} blanks, the limit is {MAX_BLANKS}"),
            TileSetError::LetterCount(n) => {
                write!(f, "{n} letters, the limits are 1 and {MAX_LETTERS}")
            }
            TileSetError::Value { letter, value } => {
                write!(
                    f,
                    "{letter} is worth {value}, the limits are 0 and {MAX_VALUE}"
                )
            }
            TileSetError::Unwritable(text) => write!(
                f,
                "'{}' cannot be a tile: tiles are letters, without spaces, digits or ASCII signs",
                shortened(text)
            ),
            TileSetError::LongLabel(text) => write!(
                f,
                "the tile '{}' has {} characters, the limit is {MAX_LABEL}",
                shortened(text),
                text.chars().count()
            ),
            TileSetError::Twice(text) => write!(f, "'{}' stands for two tiles", shortened(text)),
        }
    }
}

impl std::error::Error for TileSetError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up language in which C, H, CH, L and L·L are tiles, Q comes only with U, and W is only ever a blank.
    fn digraphs() -> TileSet {
        let csv = "?,?,2,0,0\nA,a,9,1,1\nC,c,2,3,0\nCH,ch,1,5,0\nH,h,2,4,0\nL,l,4,1,0\nL·L,l·l,1,10,0\nQU,qu,1,8,0\nW,w,0,8,0\n";
        TileSet::parse("digraphs", csv).unwrap()
    }

    /// The 32nd letter once had the loop over letters look for a 33rd for ever.
    #[test]
    fn there_can_be_as_many_letters_as_the_limit_says() {
        let rows = ('А'..='Я').zip('а'..='я');
        let rows: String = rows
            .map(|(upper, lower)| format!("{upper},{lower},1,1,0\n"))
            .collect();
        let set = TileSet::parse("many", &format!("?,?,2,0,0\n{rows}")).unwrap();
        assert_eq!(set.letter_count(), MAX_LETTERS);
    }

    fn check(text: &str, reading: Segmentation, expected: &str) {
        let set = digraphs();
        let written = match set.read(text, reading) {
            Ok(symbols) => symbols
                .iter()
                .map(|symbol| match symbol {
                    Symbol::Blank => "?".to_string(),
                    Symbol::Face(face) => set.face_text(*face),
                })
                .collect(),
            Err(error) => error.to_string(),
        };
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn notation_prefers_single_tiles_and_word_lists_long_ones() {
        check("CHA", Segmentation::Notation, "CHA");
        check("CHA", Segmentation::WordList, "[CH]A");
        check("[CH]A[c][l·l]?", Segmentation::Notation, "[CH]Ac[l·l]?");
        check("L·LALLA", Segmentation::Notation, "[L·L]ALLA");
        check("quAL·L", Segmentation::Notation, "[qu]A[L·L]");
    }

    #[test]
    fn what_is_no_tile_is_named() {
        check(
            "AXA",
            Segmentation::Notation,
            "'X' in 'AXA' is not a tile of digraphs",
        );
        check(
            "A[CH",
            Segmentation::Notation,
            "'A[CH' has a '[' without a ']'",
        );
        check(
            "[AA]",
            Segmentation::Notation,
            "'AA' in '[AA]' is not a tile of digraphs",
        );
        check(
            "QA",
            Segmentation::Notation,
            "'Q' in 'QA' is not a tile of digraphs",
        );
    }

    #[test]
    fn a_set_reads_back_what_it_writes() {
        let set = digraphs();
        assert_eq!(TileSet::parse("digraphs", &set.to_csv()), Ok(set));
    }

    #[test]
    fn a_set_that_could_be_misread_is_refused() {
        let check = |csv: &str, error: &str| {
            assert_eq!(TileSet::parse("x", csv).unwrap_err().to_string(), error)
        };
        check("?,?,5,0,0\nA,a,1,1,1", "5 blanks, the limit is 4");
        check("A,a,1,1,1\nB,a,1,1,0", "'a' stands for two tiles");
        check("A,A,1,1,1", "'A' stands for two tiles");
        check(
            "A.,a,1,1,1",
            "'A.' cannot be a tile: tiles are letters, without spaces, digits or ASCII signs",
        );
        check("A,a,1", "line 1: a row is letter,lower,count,value,vowel");
        check(
            "A,a,300,1,1",
            "line 1: the count is not a number from 0 to 255",
        );
        check(
            "ABCDEFGHI,a,1,1,1",
            "the tile 'ABCDEFGHI' has 9 characters, the limit is 8",
        );
        check("A,a,1,101,1", "A is worth 101, the limits are 0 and 100");
        check("", "0 letters, the limits are 1 and 32");
    }

    #[test]
    fn tiles_in_hand_are_capitals() {
        let set = digraphs();
        assert_eq!(
            set.read_tiles("?CAC").map(|tiles| set.tiles_text(&tiles)),
            Ok("ACC?".to_string())
        );
        assert_eq!(
            set.read_tiles("Ac"),
            Err(TileTextError::SmallInHand("c".into()))
        );
        assert_eq!(set.read_faces("A?"), Err(TileTextError::NamelessBlank));
    }
}
