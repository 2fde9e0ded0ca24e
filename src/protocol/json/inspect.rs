//! Answers the actions `state`, `check`, `challenge` and `draw`, which need no search.

use super::action_answer::ActionAnswer;
use super::challenge_answer::ChallengeObject;
use super::fields::QueryError;
use super::query::{Inspection, InspectionSubject};
use super::table_answer::{CheckObject, DrawObject, StateObject};
use crate::engine::{Engine, EngineError};

/// Answers about a position, and adds what is unusual about it to the warnings.
pub(super) fn inspect(
    engine: &mut Engine,
    id: Option<String>,
    inspection: &Inspection,
    warnings: &mut Vec<String>,
) -> Result<ActionAnswer, QueryError> {
    let turn = inspection.turn;
    inspection.game.set_up(turn, engine, warnings)?;
    let check = match &inspection.subject {
        InspectionSubject::State => {
            let state = engine.state();
            let state = state.map_err(|error| QueryError::of(&error, None))?;
            return Ok(ActionAnswer::State {
                id,
                turn,
                state: Box::new(StateObject::new(&state)),
                warnings: warnings.clone(),
            });
        }
        InspectionSubject::Challenge(seat, words) => {
            let outcome = engine.rule_on_last_play(*seat, words);
            let outcome = outcome.map_err(|error| {
                let field = match words.is_empty() {
                    true => inspection.game.field(),
                    false => Some("words"),
                };
                QueryError::of(&error, field)
            })?;
            return Ok(ActionAnswer::Challenge {
                id,
                turn,
                challenge: Box::new(ChallengeObject::new(&outcome)),
                warnings: warnings.clone(),
            });
        }
        InspectionSubject::Words(words) => {
            let judged = engine.judge(words);
            let judged = judged.map_err(|error| QueryError::of(&error, "words"))?;
            CheckObject::of_words(&judged)
        }
        InspectionSubject::Move(text) => {
            let check = check_move(engine, text);
            check.map_err(|error| QueryError::of(&error, "move"))?
        }
    };
    Ok(ActionAnswer::Check {
        id,
        turn,
        check: Box::new(check),
        warnings: warnings.clone(),
    })
}

/// Draws tiles for the first move.
pub(super) fn draw(
    engine: &Engine,
    id: Option<String>,
    players: Option<usize>,
    seed: Option<u64>,
    warnings: &[String],
) -> Result<ActionAnswer, QueryError> {
    let drawn = engine.draw_for_first_move(players, seed);
    let drawn = drawn.map_err(|error| QueryError::of(&error, "players"))?;
    Ok(ActionAnswer::Draw {
        id,
        draw: DrawObject::new(&drawn, &engine.rules().tiles),
        warnings: warnings.to_vec(),
    })
}

/// The ruling on a move of the player to move.
fn check_move(engine: &mut Engine, text: &str) -> Result<CheckObject, EngineError> {
    let checked = engine.check(text)?;
    let Some(game) = engine.game() else {
        return Ok(CheckObject::of_words(&[]));
    };
    let position = game.position();
    let words = checked.score.iter().flat_map(|score| score.formed());
    let words = words.map(|word| position.rules().tiles.word_text(&word));
    let words = engine.judge(&words.collect::<Vec<_>>())?;
    Ok(CheckObject::of_move(&checked, &words, position))
}
