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
    let (main, edits) = match turn {
        Turn::Edited(edited) => (edited.main(), token.rsplit_once('+')),
        turn => (*turn, None),
    };
    let (edits, text) = edits.unwrap_or(("", &token));
    let (action, has_start) = match main {
        Turn::Place(_) => ("place", true),
        Turn::Rearrange(_) => ("rearrange", true),
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => ("exchange", false),
        Turn::Pass | Turn::Edited(_) => ("pass", false),
    };
    // The last two words: the square and the whole word; only the tiles of an exchange; nothing.
    let (before, tiles) = text.rsplit_once('.').unwrap_or((text, ""));
    let start = before.rsplit('.').next().filter(|_| has_start);
    if !edits.is_empty() {
        figures["edits"] = edits.split('+').collect();
    }
    figures["action"] = json!(action);
    figures["position"] = json!(start);
    figures["tiles"] = json!(tiles);
    figures["move"] = json!(token);
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::MoveText;
    use crate::rules::{Embedded, RuleSet};
    use std::sync::Arc;

    /// Once the position of `re.8E.THRONE` was `re`, and that of `8H=O+9D.OX` was `8H=O+9D`.
    #[test]
    fn edits_and_rearrangements_are_told_apart_from_the_square_and_the_word() {
        let rules = "base = deluxe\nrecycle_blanks = on\nrecycle_letters = on\nrearrange = free\n";
        let rules = Arc::new(RuleSet::parse("club", rules, &Embedded).unwrap());
        let check = |token: &str, expected: Value| {
            let mut position = Position::start(rules.clone(), 2).unwrap();
            let turn = |position: &Position, token: &str| {
                let text = MoveText::parse(token).unwrap();
                text.turn(position).unwrap()
            };
            let horn = turn(&position, "8F.HoRN");
            position.play(&horn).unwrap();
            let turn = turn(&position, token);
            assert_eq!(one_move(&turn, &position, json!({})), expected);
        };
        check(
            "re.8E.THRoNE",
            json!({"action": "rearrange", "position": "8E", "tiles": "THRoNE", "move": "re.8E.THRoNE"}),
        );
        check(
            "8G=O+8F=C+H8.RAT",
            json!({"action": "place", "edits": ["8G=O", "8F=C"], "position": "H8", "tiles": "RAT",
                "move": "8G=O+8F=C+H8.RAT"}),
        );
        check(
            "8G=O+ex.QV",
            json!({"action": "exchange", "edits": ["8G=O"], "position": null, "tiles": "QV",
                "move": "8G=O+ex.QV"}),
        );
        check(
            "8G=O+pass",
            json!({"action": "pass", "edits": ["8G=O"], "position": null, "tiles": "",
                "move": "8G=O+pass"}),
        );
        check(
            "pass",
            json!({"action": "pass", "position": null, "tiles": "", "move": "pass"}),
        );
    }
}
