//! The rule sets, boards and tile sets that are built in.

use super::RuleSet;
use crate::board::Layout;
use crate::tiles::TileSet;
use std::fmt::Display;
use std::sync::{Arc, OnceLock};

/// Finds boards, tile sets and rule sets by name, for rule files. The engine has an implementation
/// that also looks for files; [`Embedded`] knows only the built-in ones.
pub trait Library {
    /// The board with this name, or why there is none.
    fn board(&self, name: &str) -> Result<Arc<Layout>, String>;
    /// The tile set with this name, or why there is none.
    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String>;
    /// The rule set with this name, or why there is none: a built-in one by default.
    fn rules(&self, name: &str) -> Result<RuleSet, String> {
        let is = |own: &&str| own.eq_ignore_ascii_case(name);
        let at = PRESETS.iter().position(is);
        let at = at.ok_or_else(|| unknown("rule set", name, PRESETS))?;
        RuleSet::parse(PRESETS[at], RULES[at], &Embedded).map_err(|error| error.to_string())
    }
}

/// The built-in boards, tile sets and rule sets.
pub struct Embedded;

/// The names of the built-in rule sets, the default first.
pub const PRESETS: [&str; 7] = [
    "tournament",
    "deluxe",
    "indigo",
    "school",
    "travel",
    "super",
    "wordsmog",
];

/// The rule files of [`PRESETS`], in the same order.
const RULES: [&str; 7] = [
    include_str!("../../lexica/rules/tournament.txt"),
    include_str!("../../lexica/rules/deluxe.txt"),
    include_str!("../../lexica/rules/indigo.txt"),
    include_str!("../../lexica/rules/school.txt"),
    include_str!("../../lexica/rules/travel.txt"),
    include_str!("../../lexica/rules/super.txt"),
    include_str!("../../lexica/rules/wordsmog.txt"),
];

/// The built-in boards: name, name in other programs, name of the tile set, file.
const BOARDS: [(&str, &str, &str, &str); 2] = [
    (
        "standard15",
        "CrosswordGame",
        "english",
        include_str!("../../lexica/boards/standard15.txt"),
    ),
    (
        "standard21",
        "SuperCrosswordGame",
        "english_super",
        include_str!("../../lexica/boards/standard21.txt"),
    ),
];

/// The built-in tile sets: name, file.
const TILES: [(&str, &str); 2] = [
    ("english", include_str!("../../lexica/tiles/english.csv")),
    (
        "english_super",
        include_str!("../../lexica/tiles/english_super.csv"),
    ),
];

/// The name of the tile set that is played on the built-in board `board`.
pub(crate) fn standard_tiles(board: &str) -> Option<&'static str> {
    BOARDS
        .iter()
        .find(|(name, ..)| *name == board)
        .map(|(_, _, tiles, _)| *tiles)
}

/// A built-in file that was read: positions are written as text by comparing their rules with the
/// built-in ones, and reading those every time took most of that time.
type ReadOnce<T> = OnceLock<Result<Arc<T>, String>>;

impl Library for Embedded {
    fn board(&self, name: &str) -> Result<Arc<Layout>, String> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let found = BOARDS
            .iter()
            .position(|(own, other, ..)| is(own) || is(other));
        let at = found.ok_or_else(|| unknown("board", name, BOARDS.map(|(own, ..)| own)))?;
        /// Each board, once it was asked for.
        static READ: [ReadOnce<Layout>; BOARDS.len()] = [const { OnceLock::new() }; BOARDS.len()];
        let (own, _, _, text) = BOARDS[at];
        READ[at]
            .get_or_init(|| shared(Layout::parse(own, text)))
            .clone()
    }

    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String> {
        let found = TILES
            .iter()
            .position(|(own, _)| own.eq_ignore_ascii_case(name));
        let at = found.ok_or_else(|| unknown("tile set", name, TILES.map(|(own, _)| own)))?;
        /// Each tile set, once it was asked for.
        static READ: [ReadOnce<TileSet>; TILES.len()] = [const { OnceLock::new() }; TILES.len()];
        let (own, text) = TILES[at];
        READ[at]
            .get_or_init(|| shared(TileSet::parse(own, text)))
            .clone()
    }
}

/// What a file holds, or the text of the error.
pub(crate) fn shared<T>(parsed: Result<T, impl Display>) -> Result<Arc<T>, String> {
    parsed.map(Arc::new).map_err(|error| error.to_string())
}

/// The error for an unknown name, with the known names.
fn unknown<const N: usize>(what: &str, name: &str, known: [&str; N]) -> String {
    let name: String = name.chars().take(60).collect();
    format!(
        "there is no {what} '{name}'; built in are {}",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ChallengeScope, ExchangeLimit, GoingOut, ScorelessLimit, TieRule};

    #[test]
    fn every_preset_has_the_values_of_its_book() {
        let (holds, covers) = (ExchangeLimit::BagHolds(7), ExchangeLimit::BagCovers);
        let (six, round) = (ScorelessLimit::Turns(6), ScorelessLimit::RoundOfPasses);
        let (sum, twice) = (GoingOut::Sum, GoingOut::Twice);
        let (play, word) = (ChallengeScope::Play, ChallengeScope::Word);
        let (standard, large) = ((15, 100), (21, 200));
        for (name, board, players, exchange, scoreless, out, scope) in [
            ("tournament", standard, (2, 2), holds, six, twice, play),
            ("deluxe", standard, (2, 4), holds, round, sum, play),
            ("indigo", standard, (2, 4), covers, round, sum, play),
            ("school", standard, (2, 2), covers, round, sum, word),
            ("travel", standard, (2, 4), covers, round, sum, play),
            ("super", large, (2, 4), holds, round, sum, play),
        ] {
            let rules = Embedded.rules(name).unwrap();
            let size = (rules.board.side(), rules.tiles.all().len());
            assert_eq!((size, rules.players), (board, players), "{name}");
            let limits = (rules.exchange, rules.scoreless_limit);
            assert_eq!(limits, (exchange, scoreless), "{name}");
            let rest = (rules.going_out, rules.challenge_scope);
            assert_eq!(rest, (out, scope), "{name}");
            let tie = match name {
                "tournament" => TieRule::Draw,
                _ => TieRule::BeforeAdjustment,
            };
            assert_eq!(rules.tie, tie, "{name}");
            let bonus = (rules.rack_size, rules.bonus[7].0, rules.bonus[6].0);
            assert_eq!(bonus, (7, 50, 0), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Embedded.board("standard17").unwrap_err();
        assert_eq!(
            error,
            "there is no board 'standard17'; built in are standard15, standard21"
        );
    }
}
