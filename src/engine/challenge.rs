//! The challenge of the last play: the ruling, and the position after it.

use super::table::{Table, no_position};
use super::{Engine, EngineError, Eyes, JudgedWord, bad_move};
use crate::notation::moves::{self, ChallengeText};
use crate::rules::{ChallengeError, ChallengeScope, Ruling};

/// How a position was set, so that a challenge can be added to its moves.
pub(super) struct PositionSource {
    /// The table from which the moves start.
    pub start: Table,
    /// The moves, without the racks after the last one.
    pub moves: Vec<String>,
    pub eyes: Eyes,
}

/// The outcome of a challenge.
#[derive(Clone)]
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
    /// player to move. The position is then that after the ruling, and racks that were stated after
    /// the play are unknown again. On an error nothing changes.
    pub fn challenge_last(
        &mut self,
        seat: Option<usize>,
        words: &[String],
    ) -> Result<ChallengedPlay, EngineError> {
        let outcome = self.rule_on_last_play(seat, words)?;
        let table = self.table.as_ref().ok_or_else(no_position)?;
        let Some(source) = table.source.clone() else {
            return Err(bad_move(
                "the game is a record, which has its own challenges",
            ));
        };
        let moves = source.moves.iter().map(String::as_str);
        let moves: Vec<&str> = moves.chain([outcome.token.as_str()]).collect();
        let after = self.table_before(&source.start, &moves, moves.len(), source.eyes)?;
        self.table = Some(after);
        Ok(outcome)
    }

    /// The ruling on a challenge of the last play, which changes nothing; see
    /// [`Engine::challenge_last`].
    pub fn rule_on_last_play(
        &self,
        seat: Option<usize>,
        words: &[String],
    ) -> Result<ChallengedPlay, EngineError> {
        let text = ChallengeText {
            seat,
            words: words.to_vec(),
        };
        self.rule(&mut self.table.clone().ok_or_else(no_position)?, &text)
    }

    /// Carries a challenge of the last play out on a table.
    pub(super) fn rule(
        &self,
        table: &mut Table,
        text: &ChallengeText,
    ) -> Result<ChallengedPlay, EngineError> {
        let last = table.game.last_play();
        let (player, &turn) = last.ok_or_else(|| bad_move(ChallengeError::NoPlay))?;
        let position = table.game.position();
        let rules = position.rules().clone();
        let play = moves::write(&turn, position.grid(), &rules.tiles);
        let formed = table.game.last_words();
        let formed: Vec<String> = formed
            .iter()
            .map(|word| rules.tiles.word_text(word))
            .collect();
        let (by, ruling) = self.challenge(table, text)?;
        let judged = self.judge(match rules.challenge_scope {
            ChallengeScope::Play => &formed,
            ChallengeScope::Word => &text.words,
        })?;
        let named: String = text.words.iter().map(|word| format!(".{word}")).collect();
        Ok(ChallengedPlay {
            by,
            player,
            play,
            words: formed,
            judged,
            ruling,
            token: format!("challenge.{}{named}", by + 1),
        })
    }
}
