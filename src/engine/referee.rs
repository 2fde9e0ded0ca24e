//! The referee: whether a move can be made, what it scores, and which of its words are phonies.

use super::table::no_position;
use super::{Engine, EngineError, bad_move, shortened};
use crate::lexicon::Lexicon;
use crate::notation::moves::MoveText;
use crate::rules::{Game, Placement, PlayError, Position, Score, Turn};
use crate::tiles::{Letter, TileCounts};

/// The ruling on a move.
pub struct CheckedMove {
    /// The move.
    pub turn: Turn,
    /// The words and the score, if it is a play.
    pub score: Option<Score>,
    /// The words that the lexicon does not have.
    pub phonies: Vec<Vec<Letter>>,
    /// The tiles that the player does not hold.
    pub missing: TileCounts,
}

impl Engine {
    /// Checks a move of the player to move.
    pub fn check(&mut self, text: &str) -> Result<CheckedMove, EngineError> {
        let mut table = self.table.clone().ok_or_else(no_position)?;
        let text = MoveText::parse(text).map_err(bad_move)?;
        if matches!(text, MoveText::Phony(_)) {
            return Err(bad_move("a phony is no move to check; leave 'phony.' out"));
        }
        let rules = table.game.position().rules().clone();
        if let Some(rack) = text.rack(&rules.tiles).map_err(bad_move)? {
            let seat = table.game.position().to_move();
            table.game.set_rack(seat, rack).map_err(bad_move)?;
        }
        let position = table.game.position();
        let turn = text.turn(position).map_err(bad_move)?;
        let Turn::Place(placement) = &turn else {
            table.game.play(&turn).map_err(bad_move)?;
            return Ok(CheckedMove {
                turn,
                score: None,
                phonies: Vec::new(),
                missing: TileCounts::EMPTY,
            });
        };
        if table.game.end().is_some() {
            return Err(bad_move(PlayError::GameOver));
        }
        let score = position.examine_without_rack(placement).map_err(bad_move)?;
        Ok(CheckedMove {
            phonies: phonies(&score, &self.lexicon_of(&table)?.lexicon),
            missing: position.missing_tiles(placement),
            score: Some(score),
            turn,
        })
    }
}

/// Turns the moves of a list into turns that can be made. If a lexicon is given, all their words
/// must be in it.
pub(super) fn resolve(
    position: &Position,
    moves: &[String],
    lexicon: Option<&Lexicon>,
) -> Result<Vec<Turn>, EngineError> {
    let resolve = |text: &String| {
        resolve_one(position, text, lexicon).map_err(|error| EngineError {
            text: format!("{}: {}", shortened(text), error.text),
            ..error
        })
    };
    moves.iter().map(resolve).collect()
}

fn resolve_one(
    position: &Position,
    text: &str,
    lexicon: Option<&Lexicon>,
) -> Result<Turn, EngineError> {
    let text = MoveText::parse(text).map_err(bad_move)?;
    match text.turn(position).map_err(bad_move)? {
        Turn::Place(placement) => {
            let placement = placement.canonical(position.grid());
            position.examine(&placement).map_err(bad_move)?;
            if let Some(lexicon) = lexicon {
                refuse_phonies(position, &placement, lexicon)?;
            }
            Ok(Turn::Place(placement))
        }
        Turn::ExchangeUnseen(_) => Err(bad_move(
            "the rack is known; name the tiles to exchange, such as ex.ABC",
        )),
        other => {
            let mut game = Game::from_position(position.clone());
            game.play(&other).map_err(bad_move)?;
            Ok(other)
        }
    }
}

fn phonies(score: &Score, lexicon: &Lexicon) -> Vec<Vec<Letter>> {
    let words = score.words.iter().map(|word| word.word());
    words.filter(|word| !lexicon.contains(word)).collect()
}

pub(super) fn refuse_phonies(
    position: &Position,
    placement: &Placement,
    lexicon: &Lexicon,
) -> Result<(), EngineError> {
    let score = position.examine(placement).map_err(bad_move)?;
    match phonies(&score, lexicon).first() {
        None => Ok(()),
        Some(word) => {
            let word = position.rules().tiles.word_text(word);
            Err(bad_move(format!("{word} is not in {}", lexicon.name())))
        }
    }
}
