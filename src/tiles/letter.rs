//! Letters as small numbers, in the order of their tile set.

use std::fmt;
use std::num::NonZeroU8;

/// The most letters an alphabet can have.
pub const MAX_LETTERS: usize = 32;

/// A letter of the alphabet in use, numbered from 1 in the order of its tile
/// set. Zero is left free, so that files can use it for a separator or blank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(NonZeroU8);

impl Letter {
    /// Letter number `n`, if there can be one.
    pub fn new(n: usize) -> Option<Letter> {
        if n > MAX_LETTERS {
            return None;
        }
        NonZeroU8::new(n as u8).map(Letter)
    }

    /// Its number, from 1.
    pub fn number(self) -> usize {
        usize::from(self.0.get())
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Letter({})", self.0)
    }
}

/// A tile in hand or in the bag: a letter, or a blank that is none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The tile that may stand for any letter.
    pub const BLANK: Tile = Tile(0);

    /// The tile with this number: 0 for the blank, else its letter's.
    pub fn new(number: usize) -> Option<Tile> {
        (number <= MAX_LETTERS).then_some(Tile(number as u8))
    }

    /// 0 for the blank, else its letter's number.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The letter on it, unless it is a blank.
    pub fn letter(self) -> Option<Letter> {
        Letter::new(self.number())
    }
}

impl From<Letter> for Tile {
    fn from(letter: Letter) -> Tile {
        Tile(letter.0.get())
    }
}

/// What a square of the board shows: a letter, and whether a blank stands for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(NonZeroU8);

/// Set on a face that is a blank.
const BLANK_BIT: u8 = 0x80;

impl Face {
    /// A letter tile.
    pub fn natural(letter: Letter) -> Face {
        Face(letter.0)
    }

    /// A blank that stands for `letter`.
    pub fn blank(letter: Letter) -> Face {
        Face(letter.0 | BLANK_BIT)
    }

    /// The face that a byte stands for where boards are kept as bytes: the
    /// letter's number, with the highest bit for a blank; none for 0.
    #[inline]
    pub(crate) fn from_byte(cell: u8) -> Option<Face> {
        NonZeroU8::new(cell).map(Face)
    }

    /// The byte that [`Face::from_byte`] reads.
    pub(crate) fn to_byte(self) -> u8 {
        self.0.get()
    }

    /// The letter it stands for.
    pub fn letter(self) -> Letter {
        // The bits left are those of the letter it was made from.
        Letter(NonZeroU8::new(self.0.get() & !BLANK_BIT).unwrap_or(NonZeroU8::MIN))
    }

    /// Whether it is a blank.
    pub fn is_blank(self) -> bool {
        self.0.get() & BLANK_BIT != 0
    }

    /// The tile that lies there.
    pub fn tile(self) -> Tile {
        if self.is_blank() {
            Tile::BLANK
        } else {
            self.letter().into()
        }
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let blank = if self.is_blank() { ", blank" } else { "" };
        write!(f, "Face({}{blank})", self.letter().number())
    }
}

/// A set of letters, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LetterSet(u32);

impl LetterSet {
    /// No letter.
    pub const NONE: LetterSet = LetterSet(0);
    /// Every letter there can be.
    pub const ALL: LetterSet = LetterSet(u32::MAX);

    /// Adds a letter.
    pub fn insert(&mut self, letter: Letter) {
        self.0 |= 1 << (letter.number() - 1);
    }

    /// Whether it holds this letter.
    pub fn contains(self, letter: Letter) -> bool {
        self.0 & (1 << (letter.number() - 1)) != 0
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}
