//! The turns of a game as a table.

use super::csv::CsvTable;
use crate::review::{MistakeClass, MistakeKind, ReviewDocument, ReviewPhase};
use serde::Serialize;

/// The columns of the table.
pub(super) const TURNS_HEADER: [&str; 18] = [
    "turn",
    "player",
    "rack",
    "move",
    "points",
    "total",
    "phase",
    "bag",
    "graded",
    "best",
    "win best %",
    "win %",
    "loss pp",
    "loss error pp",
    "points lost",
    "class",
    "index",
    "kind",
];

/// The turns of a game as comma-separated values, with a header.
pub fn turns_csv(document: &ReviewDocument) -> String {
    let mut table = CsvTable::new(&TURNS_HEADER);
    for turn in &document.turns {
        let seat = turn.seat.wrapping_sub(1);
        let player = document.players.get(seat);
        table.figure(Some(turn.number));
        table.text(player.map_or("", |player| &player.name));
        table.text(&turn.rack.concat());
        table.text(&turn.played);
        table.figure(Some(turn.points));
        table.figure(turn.scores.get(seat));
        table.text(&name_of(&turn.phase));
        table.figure(Some(turn.bag));
        table.text(if turn.not_graded.is_none() {
            "yes"
        } else {
            "no"
        });
        table.text(turn.best.as_deref().unwrap_or(""));
        table.decimal(turn.win_best.map(|win| win.value));
        table.decimal(turn.win.map(|win| win.value));
        table.decimal(turn.loss.map(|loss| loss.value));
        table.decimal(turn.loss.and_then(|loss| loss.error));
        table.decimal(turn.points_lost.map(|points| points.value));
        table.text(&name_of(&turn.class));
        table.decimal(Some(turn.index));
        table.text(&turn.kind.map_or(String::new(), |kind| name_of(&kind)));
        table.end_row();
    }
    table.finish()
}

/// A phase, class or kind as JSON names it.
pub(in crate::review) trait NamedValue: Serialize {}

impl NamedValue for ReviewPhase {}
impl NamedValue for MistakeClass {}
impl NamedValue for MistakeKind {}

/// The name of a value in JSON.
pub(in crate::review) fn name_of(value: &impl NamedValue) -> String {
    let value = serde_json::to_value(value).ok();
    let name = value.as_ref().and_then(|value| value.as_str());
    name.unwrap_or("").to_string()
}
