//! Tiles as text: racks, words and tiles on the board.
//!
//! A tile can have a label of several characters (`CH`, `L·L`). Notation writes such a tile in
//! brackets, `[CH]`. A run of letters without brackets is read as single tiles wherever that is
//! possible, so that everything we write reads back as itself. Word lists have no brackets and are
//! read the other way round, longest label first, as players of those languages read words.

use super::{Face, Letter, Tile, TileCounts, TileSet};

/// The meaning of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// `?`: a blank that does not stand for a letter yet.
    Blank,
    /// A letter; lower case is a blank that stands for the letter.
    Face(Face),
}

/// How to cut a text without brackets into labels where more than one way is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segmentation {
    /// Positions and moves: shortest label first.
    Notation,
    /// Word lists: longest label first.
    WordList,
}

impl TileSet {
    /// Reads a text as a sequence of tiles.
    pub fn read(
        &self,
        text: &str,
        segmentation: Segmentation,
    ) -> Result<Vec<Symbol>, TileTextError> {
        let mut symbols = Vec::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(open) = rest.strip_prefix('[') {
                let Some((label, after)) = open.split_once(']') else {
                    return Err(TileTextError::OpenBracket(text.to_string()));
                };
                let symbol = self.symbols.get(label);
                symbols.push(*symbol.ok_or_else(|| self.unknown(text, label))?);
                rest = after;
            } else {
                let (run, after) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
                if let Err(at) = self.read_run(run, segmentation, &mut symbols) {
                    let found: String = run[at..].chars().take(1).collect();
                    return Err(self.unknown(text, &found));
                }
                rest = after;
            }
        }
        Ok(symbols)
    }

    /// Reads a text without brackets. An error is the byte offset of the first character that no
    /// label starts with, or 0 if there is none.
    fn read_run(
        &self,
        run: &str,
        segmentation: Segmentation,
        symbols: &mut Vec<Symbol>,
    ) -> Result<(), usize> {
        if self.longest == 1 {
            return self.read_single_characters(run, symbols);
        }
        // Dynamic programming from the end: the label to take at each offset so that the rest can
        // be read too.
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
            choice[at] = match segmentation {
                Segmentation::Notation => found.next(),
                Segmentation::WordList => found.last(),
            };
        }
        if choice[0].is_none() && !run.is_empty() {
            let is_bad = |(at, _): &(usize, char)| {
                let mut labels = self.symbols.keys();
                !labels.any(|label| run[*at..].starts_with(label.as_str()))
            };
            return Err(run.char_indices().find(is_bad).map_or(0, |(at, _)| at));
        }
        let mut at = 0;
        while let Some((symbol, end)) = choice[at] {
            symbols.push(symbol);
            at = end;
        }
        Ok(())
    }

    /// [`TileSet::read_run`] for tile sets in which every label is one character.
    fn read_single_characters(&self, run: &str, symbols: &mut Vec<Symbol>) -> Result<(), usize> {
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
            set: self.name().to_string(),
        }
    }

    /// Reads the tiles of a rack: capitals, and `?` for a blank.
    pub fn read_tiles(&self, text: &str) -> Result<TileCounts, TileTextError> {
        let tile = |symbol| match symbol {
            Symbol::Blank => Ok(Tile::BLANK),
            Symbol::Face(face) if !face.is_blank() => Ok(face.tile()),
            Symbol::Face(face) => Err(TileTextError::LowerCaseOnRack(self.face_text(face))),
        };
        let symbols = self.read(text, Segmentation::Notation)?;
        if symbols.len() > usize::from(u8::MAX) {
            return Err(TileTextError::TooLong(symbols.len()));
        }
        symbols.into_iter().map(tile).collect()
    }

    /// Reads tiles on the board: capitals, and lower case for blanks.
    pub fn read_faces(&self, text: &str) -> Result<Vec<Face>, TileTextError> {
        let face = |symbol| match symbol {
            Symbol::Face(face) => Ok(face),
            Symbol::Blank => Err(TileTextError::UnassignedBlank),
        };
        let symbols = self.read(text, Segmentation::Notation)?;
        symbols.into_iter().map(face).collect()
    }

    /// The text of a tile on the board, in brackets if its label has several characters.
    pub fn face_text(&self, face: Face) -> String {
        let kind = self.kind(face.letter().into());
        let label = match face.is_blank() {
            true => &kind.lower,
            false => &kind.upper,
        };
        match label.chars().count() {
            1 => label.clone(),
            _ => format!("[{label}]"),
        }
    }

    /// The text of a letter of a word, in brackets if its label has several characters.
    pub fn letter_text(&self, letter: Letter) -> String {
        self.face_text(Face::natural(letter))
    }

    /// The text of a rack: letters in alphabetical order, blanks last.
    pub fn tiles_text(&self, tiles: &TileCounts) -> String {
        let letters = tiles.iter().filter_map(Tile::letter);
        let text: String = letters.map(|letter| self.letter_text(letter)).collect();
        text + &"?".repeat(tiles.count(Tile::BLANK).into())
    }

    /// The text of a word in capitals.
    pub fn word_text(&self, word: &[Letter]) -> String {
        let labels = word.iter().map(|&letter| self.letter_text(letter));
        labels.collect()
    }
}

/// The number of characters of foreign text that an error message quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 40;

/// The beginning of a text, short enough for an error message.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Why a text cannot be read as tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileTextError {
    /// A label that the tile set does not have.
    #[error(
        "'{}' in '{}' is not a tile of {set}",
        shortened(.tile),
        shortened(.text)
    )]
    Unknown {
        /// The whole text.
        text: String,
        /// The part that is not a tile.
        tile: String,
        /// The name of the tile set.
        set: String,
    },
    /// `[` without `]`.
    #[error("'{}' has a '[' without a ']'", shortened(.0))]
    OpenBracket(String),
    /// A lower-case letter on a rack.
    #[error("'{0}' is a blank on the board; tiles on a rack are capitals, and ? for a blank")]
    LowerCaseOnRack(String),
    /// `?` on the board.
    #[error("a blank on the board is the lower-case letter it stands for, not ?")]
    UnassignedBlank,
    /// More tiles than [`TileCounts`] can count.
    #[error("{0} tiles on a rack, the limit is {max}", max = u8::MAX)]
    TooLong(usize),
}

#[cfg(test)]
mod tests {
    use super::super::set::tests::digraphs;
    use super::*;

    fn check(text: &str, segmentation: Segmentation, expected: &str) {
        let set = digraphs();
        let symbol_text = |symbol| match symbol {
            Symbol::Blank => "?".to_string(),
            Symbol::Face(face) => set.face_text(face),
        };
        let written = match set.read(text, segmentation) {
            Ok(symbols) => symbols.into_iter().map(symbol_text).collect(),
            Err(error) => error.to_string(),
        };
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn notation_prefers_short_labels_and_word_lists_long_ones() {
        check("CHA", Segmentation::Notation, "CHA");
        check("CHA", Segmentation::WordList, "[CH]A");
        check("[CH]A[c][l·l]?", Segmentation::Notation, "[CH]Ac[l·l]?");
        check("L·LALLA", Segmentation::Notation, "[L·L]ALLA");
        check("quAL·L", Segmentation::Notation, "[qu]A[L·L]");
    }

    #[test]
    fn a_text_that_is_not_a_tile_is_quoted() {
        let check = |text, error| check(text, Segmentation::Notation, error);
        check("AXA", "'X' in 'AXA' is not a tile of digraphs");
        check("A[CH", "'A[CH' has a '[' without a ']'");
        check("[AA]", "'AA' in '[AA]' is not a tile of digraphs");
        check("QA", "'Q' in 'QA' is not a tile of digraphs");
    }

    #[test]
    fn tiles_on_a_rack_are_capitals() {
        let set = digraphs();
        let tiles = set.read_tiles("?CAC").unwrap();
        assert_eq!(set.tiles_text(&tiles), "ACC?");
        let lower_case = TileTextError::LowerCaseOnRack("c".into());
        assert_eq!(set.read_tiles("Ac"), Err(lower_case));
        assert_eq!(set.read_faces("A?"), Err(TileTextError::UnassignedBlank));
    }
}
