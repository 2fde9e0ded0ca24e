//! The moves of a record in the notation of [`moves`](crate::notation::moves).

use super::{GameRecord, GcgAction};

impl GameRecord {
    /// The move of a turn, counted from 0, as a move of one word; `None` after the last turn.
    /// Whether it is legal is not checked.
    pub fn move_text(&self, turn: usize) -> Option<String> {
        let at = self.turn_lines().nth(turn)?;
        let line = &self.events[at];
        let next = self.events.get(at + 1);
        let came_off =
            next.is_some_and(|next| next.action == GcgAction::Withdrawn && next.nick == line.nick);
        Some(match &line.action {
            GcgAction::Play { at, word } => {
                // Letters in parentheses lie on the board; a move names them like all others.
                let play = format!("{at}.{}", word.replace(['(', ')'], ""));
                with_fate(play, came_off)
            }
            GcgAction::Token(text) => with_fate(text.clone(), came_off),
            GcgAction::Exchange(tiles) => format!("ex.{tiles}"),
            GcgAction::ExchangeCount(count) => format!("ex.{count}"),
            _ => "pass".to_string(),
        })
    }
}

/// A move, marked if it came off the board.
fn with_fate(text: String, came_off: bool) -> String {
    match came_off {
        true => format!("phony.{text}"),
        false => text,
    }
}
