//! The answers to actions, field by field.

use super::challenge_answer::ChallengeObject;
use super::table_answer::{CheckObject, DrawObject, StateObject};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer to an action.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub(super) enum ActionAnswer {
    /// The engine's name and version.
    Version {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The name of the engine.
        engine: &'static str,
        /// Its version.
        version: &'static str,
    },
    /// An option as it is set now.
    SetOption {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What else changed because of it, and what may be wrong with a file that it names.
        warnings: Vec<String>,
    },
    /// Queries were ended.
    Terminate {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The id of the queries.
        terminate: String,
        /// The number of turns that had no final answer yet.
        turns: usize,
    },
    /// The state of a game.
    State {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The turn that it is about.
        turn: usize,
        /// The state before the move of this turn.
        state: Box<StateObject>,
        /// Texts for people.
        warnings: Vec<String>,
    },
    /// The draw for the first move.
    Draw {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The tiles drawn, and who moves first.
        draw: DrawObject,
        /// Texts for people.
        warnings: Vec<String>,
    },
    /// The ruling on a challenge of the last play.
    Challenge {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The turn that it is about.
        turn: usize,
        /// The ruling.
        challenge: Box<ChallengeObject>,
        /// Texts for people.
        warnings: Vec<String>,
    },
    /// The ruling on a move or on words.
    Check {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The turn that it is about.
        turn: usize,
        /// The ruling.
        check: Box<CheckObject>,
        /// Texts for people.
        warnings: Vec<String>,
    },
}
