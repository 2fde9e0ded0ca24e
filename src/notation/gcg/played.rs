//! The moves of a record in the notation of [`moves`](crate::notation::moves), and the words of its
//! plays with what became of them. Which words are valid is decided elsewhere.

use super::{GameRecord, GcgAction, GcgEvent, ReadMode, Replay, ReplayStep};
use crate::rules::{EventKind, GameEvent, RuleSet};
use crate::tiles::Letter;
use std::sync::Arc;

/// A play of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPlay {
    /// The number of its line.
    pub line: usize,
    /// The words that it forms.
    pub words: Vec<Vec<Letter>>,
    /// What became of it.
    pub fate: PlayFate,
}

/// What became of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayFate {
    /// It was not challenged, as far as the record says.
    Stands,
    /// The line on which it came off.
    CameOff(usize),
    /// The line with points for a failed challenge.
    ChallengedInVain(usize),
}

impl GameRecord {
    /// The plays up to a turn, counted from 0, and including it; all plays if the record has no such
    /// turn. Plays after a line that the rules cannot follow are left out.
    pub fn plays(&self, turn: usize, rules: &Arc<RuleSet>) -> Vec<RecordedPlay> {
        let events = match self.turn_lines().nth(turn) {
            Some(at) => {
                let is_about_play = |line: &&GcgEvent| {
                    matches!(line.action, GcgAction::Withdrawn | GcgAction::Challenge)
                };
                let after = self.events[at + 1..].iter();
                at + 1 + after.take_while(is_about_play).count()
            }
            None => self.events.len(),
        };
        let replay = self.first_events(events).replay(rules, ReadMode::Lenient);
        replay.map_or(Vec::new(), |replay| replay.plays())
    }

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

impl Replay {
    /// The plays in order.
    fn plays(&self) -> Vec<RecordedPlay> {
        let events: Vec<_> = self.steps.iter().zip(self.game.events()).collect();
        let play = |(at, (step, event)): (usize, &(&ReplayStep, &GameEvent))| {
            let EventKind::Turn(turn) = &event.kind else {
                return None;
            };
            let score = step.before.examine_turn(turn).ok()?;
            let mut later = events[at + 1..].iter();
            let fate = later.find_map(|(step, event)| match event.kind {
                EventKind::TakenOff => Some(PlayFate::CameOff(step.line)),
                EventKind::ChallengeBonus => Some(PlayFate::ChallengedInVain(step.line)),
                EventKind::Turn(_) => Some(PlayFate::Stands),
                EventKind::LostTurn | EventKind::TimePenalty => None,
            });
            turn.changes_board().then(|| RecordedPlay {
                line: step.line,
                words: score.formed().collect(),
                fate: fate.unwrap_or(PlayFate::Stands),
            })
        };
        events.iter().enumerate().filter_map(play).collect()
    }
}

/// A move, marked if it came off the board.
fn with_fate(text: String, came_off: bool) -> String {
    match came_off {
        true => format!("phony.{text}"),
        false => text,
    }
}
