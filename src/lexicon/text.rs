//! Plain lists of words, and which of their lines are words for the game.
//!
//! One word a line; whatever stands behind a space, a tab or a comma is ignored,
//! and so are blank lines and lines that start with `#`. Lists are written for
//! many purposes, so what the rulebooks do not allow is dropped: names, which
//! are capitalised, and words with a hyphen or an apostrophe. Every dropped
//! line is counted, so that nobody has to wonder where a word went.

use super::word::{Word, WordList};
use crate::tiles::{Letter, Segmentation, Symbol, Tile, TileSet};
use std::borrow::Cow;
use std::fmt;

/// The fewest letters a word can have.
pub const MIN_WORD_LETTERS: usize = 2;

/// How the bytes of a list stand for characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, or UTF-16 if the list starts with a byte order mark.
    #[default]
    Auto,
    /// Latin-1, which nothing in the list can tell, unless there is a byte order mark.
    Latin1,
}

/// Reads a list of words for a tile set.
pub fn read(
    bytes: &[u8],
    tiles: &TileSet,
    encoding: TextEncoding,
) -> Result<(WordList, DroppedWords), DecodeError> {
    let text = decode(bytes, encoding)?;
    let mut words = WordCollector::new(tiles, has_names(&text));
    for word in first_columns(&text) {
        words.add(word);
    }
    Ok(words.finish())
}

/// Writes a word so that a list with it reads back as it: plainly if that is
/// enough, else with each tile in brackets.
pub fn word_text(tiles: &TileSet, word: &[Letter]) -> String {
    let labels = || {
        word.iter()
            .map(|&letter| tiles.kind(letter.into()).upper.as_str())
    };
    let plain: String = labels().collect();
    match letters(tiles, &plain) {
        Some(read) if read == word => plain,
        _ => labels().map(|label| format!("[{label}]")).collect(),
    }
}

/// Turns bytes into text.
pub(super) fn decode(bytes: &[u8], encoding: TextEncoding) -> Result<Cow<'_, str>, DecodeError> {
    match (bytes, encoding) {
        ([0xFF, 0xFE, rest @ ..], _) => decode_utf16(rest, u16::from_le_bytes),
        ([0xFE, 0xFF, rest @ ..], _) => decode_utf16(rest, u16::from_be_bytes),
        ([0xEF, 0xBB, 0xBF, rest @ ..], _) | (rest, TextEncoding::Auto) => decode_utf8(rest),
        (bytes, TextEncoding::Latin1) => Ok(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

fn decode_utf8(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    match str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            Err(DecodeError::NotUtf8(line))
        }
    }
}

fn decode_utf16<'a>(
    bytes: &[u8],
    unit: impl Fn([u8; 2]) -> u16,
) -> Result<Cow<'a, str>, DecodeError> {
    let (pairs, rest) = bytes.as_chunks();
    let mut text = String::with_capacity(bytes.len());
    for c in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        match c {
            Ok(c) => text.push(c),
            Err(_) => return Err(DecodeError::NotUtf16(line_after(&text))),
        }
    }
    match rest {
        [] => Ok(Cow::Owned(text)),
        _ => Err(DecodeError::NotUtf16(line_after(&text))),
    }
}

/// The number of the line that comes after a text.
fn line_after(text: &str) -> usize {
    1 + text.bytes().filter(|&byte| byte == b'\n').count()
}

/// What stands first on each line that is not blank or a comment.
fn first_columns(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split(['\n', '\r']).map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()).next())
}

/// Whether capitals mark names: the list has lower-case words. One in a hundred
/// must be, so that a heading does not turn a list of capitals into names.
fn has_names(text: &str) -> bool {
    let (mut small, mut all) = (0, 0);
    for word in first_columns(text) {
        all += 1;
        small += usize::from(!has_capital(word));
    }
    small * 100 >= all
}

fn has_capital(word: &str) -> bool {
    match word.is_ascii() {
        true => word.bytes().any(|byte| byte.is_ascii_uppercase()),
        false => word.chars().any(char::is_uppercase),
    }
}

/// The letters of a word, if the tile set has them all.
fn letters(tiles: &TileSet, word: &str) -> Option<Vec<Letter>> {
    let symbols = tiles.read(word, Segmentation::WordList).ok()?;
    let letter = |symbol| match symbol {
        Symbol::Face(face) => Some(face.letter()),
        Symbol::Blank => None,
    };
    symbols.into_iter().map(letter).collect()
}

/// Gathers words and counts what it does not take.
pub(super) struct WordCollector<'tiles> {
    tiles: &'tiles TileSet,
    /// Whether capitals mark names, which are dropped.
    names: bool,
    /// The letters of single ASCII characters, if all tiles are written with
    /// one character: nearly all words can then be read without the tile set.
    ascii: Option<[Option<Letter>; 128]>,
    words: Vec<Word>,
    dropped: DroppedWords,
}

impl<'tiles> WordCollector<'tiles> {
    pub(super) fn new(tiles: &'tiles TileSet, names: bool) -> WordCollector<'tiles> {
        WordCollector {
            tiles,
            names,
            ascii: ascii_letters(tiles),
            words: Vec::new(),
            dropped: DroppedWords::default(),
        }
    }

    /// Takes a word or counts why not.
    pub(super) fn add(&mut self, word: &str) {
        match self.judge(word) {
            Ok(word) => self.words.push(word),
            Err(reason) => self.dropped.counts[reason as usize] += 1,
        }
    }

    fn judge(&self, text: &str) -> Result<Word, DropReason> {
        if self.names && has_capital(text) {
            return Err(DropReason::Capitalised);
        }
        let short = self.read_ascii(text);
        let letters = match short.as_deref() {
            Some(letters) => Cow::Borrowed(letters),
            None => Cow::Owned(self.read_any(text).ok_or_else(|| why_unreadable(text))?),
        };
        match Word::new(&letters) {
            _ if letters.len() < MIN_WORD_LETTERS => Err(DropReason::Short),
            None => Err(DropReason::Long),
            Some(word) => Ok(word),
        }
    }

    /// Reads a word of ASCII characters that are tiles.
    fn read_ascii(&self, text: &str) -> Option<smallvec::SmallVec<[Letter; 32]>> {
        let letters = self.ascii.as_ref()?;
        text.bytes()
            .map(|byte| *letters.get(usize::from(byte))?)
            .collect()
    }

    /// Reads a word in capitals, in small letters, or in both.
    fn read_any(&self, text: &str) -> Option<Vec<Letter>> {
        let mixed = has_capital(text) && text.chars().any(char::is_lowercase);
        let as_is = || letters(self.tiles, text).filter(|_| !mixed);
        as_is().or_else(|| letters(self.tiles, &text.to_uppercase()))
    }

    /// The words, and what was dropped, equal words among it.
    pub(super) fn finish(mut self) -> (WordList, DroppedWords) {
        let all = self.words.len();
        let words = WordList::new(self.words);
        self.dropped.counts[DropReason::Duplicate as usize] += all - words.len();
        (words, self.dropped)
    }
}

/// The letters that are written with one ASCII character; `None` if any tile is
/// written with more than one character.
fn ascii_letters(tiles: &TileSet) -> Option<[Option<Letter>; 128]> {
    let mut ascii = [None; 128];
    for letter in tiles.letters() {
        let kind = tiles.kind(Tile::from(letter));
        for label in [&kind.upper, &kind.lower] {
            match label.as_bytes() {
                [byte @ 0..=127] => ascii[usize::from(*byte)] = Some(letter),
                _ if label.chars().count() == 1 => {}
                _ => return None,
            }
        }
    }
    Some(ascii)
}

/// Why a word is dropped, in the order in which reasons are told.
#[derive(Clone, Copy)]
enum DropReason {
    Capitalised,
    Hyphen,
    Apostrophe,
    Unwritable,
    Short,
    Long,
    Duplicate,
}

/// How each reason is told.
const DROP_REASONS: [&str; 7] = [
    "capitalised",
    "hyphen",
    "apostrophe",
    "not in the tile set",
    "too short",
    "too long",
    "duplicate",
];

fn why_unreadable(text: &str) -> DropReason {
    match text {
        text if text.contains(['-', '\u{2010}', '\u{2011}', '\u{2013}']) => DropReason::Hyphen,
        text if text.contains(['\'', '`', '\u{2018}', '\u{2019}']) => DropReason::Apostrophe,
        _ => DropReason::Unwritable,
    }
}

/// How many words of a list were dropped, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DroppedWords {
    counts: [usize; DROP_REASONS.len()],
}

impl DroppedWords {
    /// Dropped words altogether.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The reasons there were, in words, and how many words each cost.
    pub fn reasons(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let all = DROP_REASONS.into_iter().zip(self.counts);
        all.filter(|&(_, count)| count > 0)
    }
}

/// Written as `dropped 12: 5 capitalised, 4 hyphen, 3 not in the tile set`.
impl fmt::Display for DroppedWords {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "dropped {}", self.total())?;
        for (at, (reason, count)) in self.reasons().enumerate() {
            let before = if at == 0 { ": " } else { ", " };
            write!(f, "{before}{count} {reason}")?;
        }
        Ok(())
    }
}

/// Why bytes are not a text. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// Bytes that are not UTF-8 on this line.
    NotUtf8(usize),
    /// Bytes that are not UTF-16 on this line, although there is a byte order mark.
    NotUtf16(usize),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            DecodeError::NotUtf8(line) => {
                write!(
                    f,
                    "line {line} is not UTF-8; a list in Latin-1 must be declared (LexiconEncoding latin1, lexc --latin1)"
                )
            }
            DecodeError::NotUtf16(line) => write!(
                f,
                "line {line} is not UTF-16, which the byte order mark announces"
            ),
        }
    }
}

impl std::error::Error for DecodeError {}
