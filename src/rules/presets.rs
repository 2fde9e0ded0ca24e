//! The rule sets, boards and tile sets that come with the engine.

use super::{RuleSet, text};
use crate::board::Layout;
use crate::tiles::TileSet;
use std::sync::Arc;

/// Where rule files find the boards and tile sets they name. The engine has
/// one that looks for files too; [`Embedded`] knows only what is built in.
pub trait Library {
    /// The board with this name, or why there is none.
    fn board(&self, name: &str) -> Result<Arc<Layout>, String>;
    /// The tile set with this name, or why there is none.
    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String>;
    /// The rule set with this name, or why there is none.
    fn rules(&self, name: &str) -> Result<RuleSet, String>;
}

/// What is built in.
pub struct Embedded;

/// The names of the rule sets that are built in, the default first.
pub const PRESETS: [&str; 6] = [
    "tournament",
    "deluxe",
    "indigo",
    "school",
    "travel",
    "super",
];

const RULES: [&str; 6] = [
    include_str!("../../lexica/rules/tournament.txt"),
    include_str!("../../lexica/rules/deluxe.txt"),
    include_str!("../../lexica/rules/indigo.txt"),
    include_str!("../../lexica/rules/school.txt"),
    include_str!("../../lexica/rules/travel.txt"),
    include_str!("../../lexica/rules/super.txt"),
];

/// A board, what else it is called, the tile set that is played on it, and its file.
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

const TILES: [(&str, &str); 2] = [
    ("english", include_str!("../../lexica/tiles/english.csv")),
    (
        "english_super",
        include_str!("../../lexica/tiles/english_super.csv"),
    ),
];

/// The built-in board of this size or name and the tile set that belongs to it, by name.
pub fn standard_tiles(board: &str) -> Option<&'static str> {
    BOARDS
        .iter()
        .find(|(name, ..)| *name == board)
        .map(|(_, _, tiles, _)| *tiles)
}

impl Library for Embedded {
    fn board(&self, name: &str) -> Result<Arc<Layout>, String> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let found = BOARDS.iter().find(|(own, other, ..)| is(own) || is(other));
        let (own, _, _, text) =
            found.ok_or_else(|| unknown("board", name, BOARDS.map(|(own, ..)| own)))?;
        Layout::parse(own, text)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }

    fn tiles(&self, name: &str) -> Result<Arc<TileSet>, String> {
        let found = TILES.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let (own, text) =
            found.ok_or_else(|| unknown("tile set", name, TILES.map(|(own, _)| own)))?;
        TileSet::parse(own, text)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }

    fn rules(&self, name: &str) -> Result<RuleSet, String> {
        let at = PRESETS
            .iter()
            .position(|own| own.eq_ignore_ascii_case(name));
        let at = at.ok_or_else(|| unknown("rule set", name, PRESETS))?;
        text::parse(PRESETS[at], RULES[at], self).map_err(|error| error.to_string())
    }
}

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
    use crate::rules::{ChallengeScope, ExchangeLimit, GoingOut, ScorelessLimit};

    #[test]
    fn every_preset_has_the_values_of_its_book() {
        let check = |name, side, tiles, players, exchange, zero_turns, going_out, scope| {
            let rules = Embedded.rules(name).unwrap();
            assert_eq!(
                (rules.board.side(), rules.tiles.all().len()),
                (side, tiles),
                "{name}"
            );
            assert_eq!(
                (rules.players, rules.exchange),
                (players, exchange),
                "{name}"
            );
            assert_eq!(
                (rules.scoreless_limit, rules.going_out),
                (zero_turns, going_out),
                "{name}"
            );
            assert_eq!(rules.challenge_scope, scope, "{name}");
            assert_eq!(
                (rules.rack_size, rules.bonus[7].0, rules.bonus[6].0),
                (7, 50, 0),
                "{name}"
            );
        };
        let (holds, covers) = (ExchangeLimit::BagHolds(7), ExchangeLimit::BagCovers);
        let (six, round) = (ScorelessLimit::Turns(6), ScorelessLimit::RoundOfPasses);
        let (play, word) = (ChallengeScope::Play, ChallengeScope::Word);
        check(
            "tournament",
            15,
            100,
            (2, 2),
            holds,
            six,
            GoingOut::Twice,
            play,
        );
        check("deluxe", 15, 100, (2, 4), holds, round, GoingOut::Sum, play);
        check(
            "indigo",
            15,
            100,
            (2, 4),
            covers,
            round,
            GoingOut::Sum,
            play,
        );
        check(
            "school",
            15,
            100,
            (2, 2),
            covers,
            round,
            GoingOut::Sum,
            word,
        );
        check(
            "travel",
            15,
            100,
            (2, 4),
            covers,
            round,
            GoingOut::Sum,
            play,
        );
        check("super", 21, 200, (2, 4), holds, round, GoingOut::Sum, play);
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
