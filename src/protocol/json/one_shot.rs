//! The object of the one-shot program: one move and no more.

use super::answer::{points, value};
use crate::engine::{Analysis, SampledAnalysis};
use crate::protocol::reply;
use crate::rules::{Position, Turn};
use serde_json::{Value, json};

/// The answer for programs that want one move and no more.
pub(crate) fn one_shot(analysis: &Analysis) -> Value {
    let turn = analysis.best().unwrap_or(Turn::Pass);
    let candidates = analysis.candidates();
    let found = candidates.iter().find(|found| found.candidate.turn == turn);
    let worth = found.map(|found| found.candidate.worth).unwrap_or_default();
    let equity = found.and_then(|found| value(found.equity()));
    one_move(
        &turn,
        &analysis.position,
        json!({
            "score": worth.points.0,
            "equity": equity.unwrap_or(points(worth.total())),
            "win": found.and_then(|found| value(found.win())),
            "racks": 0,
        }),
    )
}

/// The answer for programs that want one move and no more, if the rack is partly known.
pub(crate) fn one_shot_sampled(analysis: &SampledAnalysis) -> Value {
    let found = analysis.best_move();
    let figures = json!({
        "score": found.map_or(0, |found| found.points.0),
        "equity": found.and_then(|found| value(found.value.equity())).unwrap_or(0.0),
        "win": found.and_then(|found| value(found.value.win())),
        "racks": analysis.racks,
    });
    let turn = found.map_or(Turn::Pass, |found| found.turn);
    one_move(&turn, &analysis.position, figures)
}

/// Adds the move to the figures about it.
fn one_move(turn: &Turn, position: &Position, mut figures: Value) -> Value {
    let token = reply::turn_text(turn, position);
    // After the dot: the whole word, or the tiles exchanged.
    let (before, tiles) = token.split_once('.').unwrap_or((&token, ""));
    let (action, start) = match turn {
        Turn::Place(_) => ("place", Some(before)),
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => ("exchange", None),
        Turn::Pass => ("pass", None),
        Turn::Rearrange(_) => ("rearrange", Some(before)),
        Turn::Edited(_) => ("edit", Some(before)),
    };
    figures["action"] = json!(action);
    figures["position"] = json!(start);
    figures["tiles"] = json!(tiles);
    figures["move"] = json!(token);
    figures
}
