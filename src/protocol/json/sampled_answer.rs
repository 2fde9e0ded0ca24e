//! The object of an answer about a turn with a partly known rack.

use super::answer::{ValueObject, rounded};
use crate::engine::{SampledAnalysis, SampledMove};
use crate::protocol::reply;
use crate::rules::Turn;
use schemars::JsonSchema;
use serde::Serialize;

/// Means over complete racks that were sampled around the known tiles.
#[derive(Serialize, JsonSchema)]
pub(super) struct SampledObject {
    /// The number of racks that were sampled and searched.
    racks: u64,
    /// The tiles that were on the rack: those that the game states, and those of the move played.
    known: String,
    /// The number of further tiles on the rack.
    unknown: u8,
    /// The move played, over all racks; null if there is none or it cannot be searched.
    played: Option<ValueObject>,
    /// The best move of each rack, over all racks.
    best: ValueObject,
    /// Moves of the known tiles, the best first by their means.
    moves: Vec<SampledMoveObject>,
}

/// A move of the known tiles.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SampledMoveObject {
    /// The move.
    r#move: String,
    /// Its points.
    score: i32,
    /// On how many racks in a hundred it is the best of all moves.
    best_percent: f64,
    /// Its value.
    value: ValueObject,
    /// The value of the best move of each rack minus its own.
    loss: ValueObject,
    /// Whether it is one of `alsosearchmoves` or `turnMoves`, or the move played.
    asked: bool,
    /// Whether it is the move played.
    played: bool,
    /// Whether all its words are in the lexicon.
    valid: bool,
}

impl SampledObject {
    /// What was found, and which of the moves was played.
    pub fn new(analysis: &SampledAnalysis, played: Option<Turn>) -> SampledObject {
        let (position, racks) = (&analysis.position, analysis.racks);
        let rack = position.mover_rack();
        let is_played = |found: &SampledMove| Some(found.turn) == played;
        let object = |found: &SampledMove| SampledMoveObject {
            r#move: reply::turn_text(&found.turn, position),
            score: found.points.0,
            best_percent: rounded(found.times_best as f64 * 100.0 / racks.max(1) as f64),
            value: ValueObject::sampled(&found.value),
            loss: ValueObject::sampled(&found.loss),
            asked: found.requested,
            played: is_played(found),
            valid: found.valid,
        };
        let played = analysis.moves.iter().find(|found| is_played(found));
        SampledObject {
            racks,
            known: position.rules().tiles.tiles_text(&rack.known),
            unknown: rack.unknown,
            played: played.map(|found| ValueObject::sampled(&found.value)),
            best: ValueObject::sampled(&analysis.best),
            moves: analysis.moves.iter().map(object).collect(),
        }
    }
}
