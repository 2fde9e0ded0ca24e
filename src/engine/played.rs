//! The move of a game's history at the position on the table, for analysis.

use super::{Engine, shortened};
use crate::notation::moves::{self, MoveText};
use crate::rules::Turn;

/// A move of the game that is analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move as the engine writes it; as it was written, if it cannot be read.
    pub text: String,
    /// The move, if it can be searched.
    pub turn: Option<Turn>,
    /// Whether it was challenged off the board.
    pub came_off: bool,
    /// Why it cannot be searched, for people.
    pub problem: Option<String>,
}

impl PlayedMove {
    /// The move as an answer names it: a play that came off begins with `phony.`.
    pub fn full_text(&self) -> String {
        match self.came_off {
            true => format!("phony.{}", self.text),
            false => self.text.clone(),
        }
    }
}

impl Engine {
    /// Reads the move of the history that was played in the position on the table, with the
    /// challenge that follows it, if there is one. `None` without a position.
    pub fn played_move(&self, text: &str, challenge: Option<&str>) -> Option<PlayedMove> {
        let position = self.game()?.position();
        let parsed = MoveText::parse(text).ok();
        let read = self.read_played(text);
        // What cannot be made can often be read.
        let readable = || parsed.as_ref()?.turn(position).ok();
        let written = read.as_ref().ok().copied().or_else(readable);
        let (grid, tiles) = (position.grid(), &position.rules().tiles);
        let mut played = PlayedMove {
            came_off: written.is_some_and(|made| {
                let is_phony = matches!(parsed, Some(MoveText::Phony(_)));
                is_phony || challenge.is_some_and(|text| self.comes_off(&made, text))
            }),
            text: written.map_or_else(|| shortened(text), |turn| moves::write(&turn, grid, tiles)),
            turn: read.as_ref().ok().copied(),
            problem: None,
        };
        let problem = read.err().map(|error| {
            let (text, reason) = (played.full_text(), error.text);
            format!("the move played, {text}, cannot be searched: {reason}")
        });
        played.problem = problem;
        Some(played)
    }
}
