//! What a record names about its game: rule set, board, tile set and lexicon. Whoever can open
//! files decides what the names mean.

use super::{FIRST_MOVE, GameRecord, Pragma};

/// The pragmas of the format that are kept and have no effect.
const PRAGMAS_WITHOUT_EFFECT: [&str; 6] = [
    "title",
    "description",
    "id",
    "style",
    "orientation",
    "tile-declaration",
];

/// Whether there is a pragma of this name, without `#` and ignoring case, beside those that the
/// reader takes out of the list: players, racks, notes and the encoding.
pub(super) fn is_pragma(name: &str) -> bool {
    let parts = SettingPart::ALL.iter().flat_map(|part| part.pragmas());
    let mut known = parts.chain(&PRAGMAS_WITHOUT_EFFECT).chain([&FIRST_MOVE]);
    known.any(|known| known.eq_ignore_ascii_case(name))
}

/// A part of a game that a record can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingPart {
    /// The rule set.
    Rules,
    /// The board.
    Board,
    /// The tile set.
    Tiles,
    /// The lexicon.
    Lexicon,
}

impl SettingPart {
    /// Every part.
    const ALL: [SettingPart; 4] = [
        SettingPart::Rules,
        SettingPart::Board,
        SettingPart::Tiles,
        SettingPart::Lexicon,
    ];

    /// The names of its pragmas without `#`. We write the first.
    fn pragmas(self) -> &'static [&'static str] {
        match self {
            SettingPart::Rules => &["game-type", "rules", "variant"],
            SettingPart::Board => &["board-layout", "game-board"],
            SettingPart::Tiles => &["tile-distribution", "tile-set"],
            SettingPart::Lexicon => &["lexicon"],
        }
    }

    /// The pragma that names it.
    pub fn pragma(self, name: &str) -> Pragma {
        Pragma::new(self.pragmas()[0], name)
    }
}

impl GameRecord {
    /// The pragmas that name a part of the game, in order. One without text names nothing.
    pub fn named(&self, part: SettingPart) -> impl Iterator<Item = &Pragma> {
        let is_part = move |pragma: &&Pragma| part.pragmas().iter().any(|name| pragma.is(name));
        let pragmas = self.pragmas.iter().filter(is_part);
        pragmas.filter(|pragma| !pragma.text.is_empty())
    }
}
