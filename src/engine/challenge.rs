//! The challenge of the last play: the ruling, and the position after it.

use super::table::no_position;
use super::{Engine, EngineError, Eyes, JudgedWord, Start, bad_move};
use crate::notation::moves::{self, ChallengeText, MoveText};
use crate::rules::{ChallengeError, ChallengeScope, Ruling};

/// How a position was set, so that a challenge can be added to its moves.
#[derive(Clone)]
pub(super) struct PositionSource {
    /// The position in CGP from which the moves start; without it the start position.
    pub cgp: Option<String>,
    pub moves: Vec<String>,
    pub eyes: Eyes,
}

/// The outcome of a challenge.
pub struct ChallengedPlay {
    /// The seat that challenges.
    pub by: usize,
    /// The seat of the player who made the play.
    pub player: usize,
    /// The play in its notation.
    pub play: String,
    /// The words of the play in its notation.
    pub words: Vec<String>,
    /// The words that the challenge is about: all of them, or those named under
    /// [`ChallengeScope::Word`], so that nobody learns more than was asked.
    pub judged: Vec<JudgedWord>,
    /// What follows.
    pub ruling: Ruling,
    /// The word that a client adds to its list of moves, so that the challenge is part of them.
    pub token: String,
}

impl Engine {
    /// Challenges the last play of the position for the player on a seat, from 1; by default for the
    /// one after the player of the play. The position is then that after the ruling, and racks that
    /// were stated after the play are unknown again. On an error nothing changes.
    pub fn challenge_last(
        &mut self,
        seat: Option<usize>,
        words: &[String],
    ) -> Result<ChallengedPlay, EngineError> {
        let table = self.table.clone().ok_or_else(no_position)?;
        let last = table.game.last_play();
        let (player, &turn) = last.ok_or_else(|| bad_move(ChallengeError::NoPlay))?;
        let Some(source) = table.source.clone() else {
            return Err(bad_move(
                "the game is a record, which has its own challenges",
            ));
        };
        let position = table.game.position();
        let (tiles, players) = (&position.rules().tiles, position.player_count());
        let by = seat.map_or((player + 1) % players, |seat| seat.saturating_sub(1));
        let text = ChallengeText {
            seat,
            words: words.to_vec(),
        };
        let formed = table.game.last_words();
        let formed: Vec<String> = formed.iter().map(|word| tiles.word_text(word)).collect();
        let ruling = self.challenge(&mut table.clone(), &text)?;
        let judged = self.judge(match position.rules().challenge_scope {
            ChallengeScope::Play => &formed,
            ChallengeScope::Word => words,
        })?;
        let named: String = words.iter().map(|word| format!(".{word}")).collect();
        let token = format!("challenge.{}{named}", by + 1);
        let mut list: Vec<&str> = source.moves.iter().map(String::as_str).collect();
        // Racks after the play need not fit after the challenge.
        let is_rack = |text: &&&str| {
            let parsed = MoveText::parse(text);
            matches!(parsed, Ok(MoveText::Rack(_) | MoveText::Racks(_)))
        };
        if list.last().filter(is_rack).is_some() {
            list.pop();
        }
        list.push(&token);
        let start = source.cgp.as_deref().map_or(Start::Empty, Start::Cgp);
        if let Err(error) = self.set_position(start, &list, source.eyes) {
            self.table = Some(table);
            return Err(error);
        }
        Ok(ChallengedPlay {
            by,
            player,
            play: moves::write(&turn, position.grid(), tiles),
            words: formed,
            judged,
            ruling,
            token,
        })
    }
}
