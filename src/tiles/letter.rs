//! Letters as small numbers, in the order of their tile set.

use std::fmt;
use std::num::NonZeroU8;

/// The most letters an alphabet can have: one bit each in a `u32`.
pub const MAX_LETTERS: usize = 32;

/// A letter of the alphabet, numbered from 1 in the order of the tile set. Files use 0 for a
/// separator or a blank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(NonZeroU8);

impl Letter {
    /// Letter number `n`; `None` unless `n` is between 1 and [`MAX_LETTERS`].
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

/// A tile on a rack or in the bag: a letter, or a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The blank, which can stand for any letter.
    pub const BLANK: Tile = Tile(0);

    /// The tile with this number: 0 for the blank, otherwise the number of its letter.
    pub fn new(number: usize) -> Option<Tile> {
        (number <= MAX_LETTERS).then_some(Tile(number as u8))
    }

    /// 0 for the blank, otherwise the number of its letter.
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

/// A tile on the board: a letter, and whether a blank stands for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(NonZeroU8);

/// The bit of a [`Face`] that marks a blank.
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

    /// The face for a byte of a board that is kept as bytes: the number of the letter, plus 128 for
    /// a blank; `None` for 0, an empty square.
    #[inline]
    pub(crate) fn from_byte(byte: u8) -> Option<Face> {
        NonZeroU8::new(byte).map(Face)
    }

    /// The byte that [`Face::from_byte`] reads.
    pub(crate) fn to_byte(self) -> u8 {
        self.0.get()
    }

    /// The letter it stands for.
    pub fn letter(self) -> Letter {
        // Never zero: a face is made from a letter.
        Letter(NonZeroU8::new(self.0.get() & !BLANK_BIT).unwrap_or(NonZeroU8::MIN))
    }

    /// Whether it is a blank.
    pub fn is_blank(self) -> bool {
        self.0.get() & BLANK_BIT != 0
    }

    /// The tile, without the letter that a blank stands for.
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
