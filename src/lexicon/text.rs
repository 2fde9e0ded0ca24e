//! Word lists in plain text, and which of their lines are words for the game.
//!
//! A line holds one word. Whatever follows a space, a tab or a comma is ignored, and so are
//! blank lines and lines that start with `#`. Lists are written for many purposes, so words
//! that the rules of the game do not allow are dropped: names, which are capitalised, and
//! words with a hyphen or an apostrophe. Every dropped word is counted with its reason, so
//! that no word disappears silently. Lines with text after the word are counted too: it may be
//! an explanation of the word, but the file may also be prose or hold something else, such as
//! leave values.

use super::word::{Word, WordList};
use crate::tiles::{Letter, Segmentation, Symbol, Tile, TileSet};
use std::borrow::Cow;
use std::fmt;
use thiserror::Error;

/// The fewest letters of a word: a rule of the game.
pub const MIN_WORD_LETTERS: usize = 2;

/// The character encoding of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, or UTF-16 if the text starts with its byte order mark.
    #[default]
    Auto,
    /// Latin-1, unless the text starts with a byte order mark. It has to be declared, because
    /// Latin-1 text cannot be recognised.
    Latin1,
}

/// Reads a word list for a tile set.
pub fn read(
    bytes: &[u8],
    tiles: &TileSet,
    encoding: TextEncoding,
) -> Result<(WordList, DroppedWords), DecodeError> {
    let text = decode(bytes, encoding)?;
    let mut words = WordCollector::new(tiles, marks_names(&text));
    for word in first_columns(&text) {
        words.add(word);
    }
    let (words, mut dropped) = words.finish();
    dropped.lines_cut = lines(&text)
        .filter(|line| has_text_after_word(line))
        .count();
    Ok((words, dropped))
}

/// Writes a word so that a word list reads it back as the same word: plainly if that is
/// unambiguous, else with each tile in brackets.
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

/// Decodes bytes to text.
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

/// The number of the line on which a text ends, from 1.
fn line_after(text: &str) -> usize {
    1 + text.bytes().filter(|&byte| byte == b'\n').count()
}

/// The lines that are not blank or a comment.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Whether a character ends the first column of a line.
fn ends_column(c: char) -> bool {
    c == ',' || c.is_whitespace()
}

/// The first column of each line that is not blank or a comment.
fn first_columns(text: &str) -> impl Iterator<Item = &str> {
    lines(text).filter_map(|line| line.split(ends_column).next())
}

/// Whether text that is not a comment follows the word of a line.
fn has_text_after_word(line: &str) -> bool {
    let rest = line.find(ends_column).map_or("", |at| &line[at..]);
    let text = rest.trim_start_matches(ends_column);
    !text.is_empty() && !text.starts_with('#')
}

/// Whether capitals mark names, because the list also has lower-case words. At least one word
/// in a hundred must be lower-case, so that a heading in a list of capitals is no evidence.
fn marks_names(text: &str) -> bool {
    let (mut lower_case, mut all) = (0, 0);
    for word in first_columns(text) {
        all += 1;
        lower_case += usize::from(!has_capital(word));
    }
    lower_case * 100 >= all
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

/// Collects words and counts those that it drops.
pub(super) struct WordCollector<'tiles> {
    tiles: &'tiles TileSet,
    /// Whether capitalised words are names and dropped.
    drops_capitalised: bool,
    /// The letter of each ASCII character, if all tiles are written with one character. It is
    /// a fast path: nearly all words are then read without a search in the tile set.
    ascii: Option<[Option<Letter>; 128]>,
    words: Vec<Word>,
    dropped: DroppedWords,
}

impl<'tiles> WordCollector<'tiles> {
    pub(super) fn new(tiles: &'tiles TileSet, drops_capitalised: bool) -> WordCollector<'tiles> {
        WordCollector {
            tiles,
            drops_capitalised,
            ascii: ascii_letters(tiles),
            words: Vec::new(),
            dropped: DroppedWords::default(),
        }
    }

    /// Adds a word, or counts the reason to drop it.
    pub(super) fn add(&mut self, word: &str) {
        match self.read(word) {
            Ok(word) => self.words.push(word),
            Err(reason) => self.dropped.counts[reason as usize] += 1,
        }
    }

    fn read(&self, text: &str) -> Result<Word, DropReason> {
        if self.drops_capitalised && has_capital(text) {
            return Err(DropReason::Capitalised);
        }
        let ascii = self.read_ascii(text);
        let letters = match ascii.as_deref() {
            Some(letters) => Cow::Borrowed(letters),
            None => Cow::Owned(self.read_any(text).ok_or_else(|| unreadable_reason(text))?),
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

    /// Reads a word in capitals, in lower case, or in both.
    fn read_any(&self, text: &str) -> Option<Vec<Letter>> {
        let mixed = has_capital(text) && text.chars().any(char::is_lowercase);
        let as_is = || letters(self.tiles, text).filter(|_| !mixed);
        as_is().or_else(|| letters(self.tiles, &text.to_uppercase()))
    }

    /// The words and the dropped words, duplicates included.
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

/// Why a word is dropped, in the order of [`DROP_REASONS`].
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

/// The texts of the reasons, as messages show them.
const DROP_REASONS: [&str; 7] = [
    "capitalised",
    "hyphen",
    "apostrophe",
    "not in the tile set",
    "too short",
    "too long",
    "duplicate",
];

fn unreadable_reason(text: &str) -> DropReason {
    match text {
        text if text.contains(['-', '\u{2010}', '\u{2011}', '\u{2013}']) => DropReason::Hyphen,
        text if text.contains(['\'', '`', '\u{2018}', '\u{2019}']) => DropReason::Apostrophe,
        _ => DropReason::Unwritable,
    }
}

/// How many words of a list were dropped, by reason, and how many of its lines were cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DroppedWords {
    counts: [usize; DROP_REASONS.len()],
    lines_cut: usize,
}

impl DroppedWords {
    /// The number of all dropped words.
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The number of lines with text after the word, of which only the word was read.
    pub fn lines_cut(&self) -> usize {
        self.lines_cut
    }

    /// What someone should know who takes the list for a list of words: words were dropped, or lines
    /// were cut.
    pub fn notice(&self) -> Option<String> {
        let dropped = (self.total() > 0).then(|| self.to_string());
        let cut = (self.lines_cut > 0).then(|| {
            let lines = match self.lines_cut {
                1 => "1 line".to_string(),
                lines => format!("{lines} lines"),
            };
            format!("of {lines} with text after the word only the word was read")
        });
        let notices: Vec<String> = dropped.into_iter().chain(cut).collect();
        (!notices.is_empty()).then(|| notices.join("; "))
    }

    /// The reasons that occurred, each with its number of words.
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

/// Why bytes are not text. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// This line is not UTF-8.
    #[error(
        "line {0} is not UTF-8; a list in Latin-1 must be declared (LexiconEncoding latin1, lexc --latin1)"
    )]
    NotUtf8(usize),
    /// This line is not UTF-16, although the text starts with the byte order mark of UTF-16.
    #[error("line {0} is not UTF-16, which the byte order mark announces")]
    NotUtf16(usize),
}
