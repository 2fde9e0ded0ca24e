//! The moves of a record in the notation of [`moves`](crate::notation::moves).

use super::{GameRecord, GcgAction};

impl GameRecord {
    /// The move of a turn, counted from 0, as a move of one word; `None` after the last turn.
    /// Whether it is legal is not checked.
    pub fn move_text(&self, turn: usize) -> Option<String> {
        let line = &self.events[self.turn_lines().nth(turn)?];
        Some(match &line.action {
            // Letters in parentheses lie on the board; a move names them like all others.
            GcgAction::Play { at, word } => format!("{at}.{}", word.replace(['(', ')'], "")),
            GcgAction::Exchange(tiles) => format!("ex.{tiles}"),
            GcgAction::ExchangeCount(count) => format!("ex.{count}"),
            _ => "pass".to_string(),
        })
    }
}
