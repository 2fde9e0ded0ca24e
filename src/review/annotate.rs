//! The record with the findings as notes, which other programs display.

use super::{MistakeClass, NotGraded, ReviewDocument, ReviewFigure, ReviewedTurn};
use crate::notation::gcg::{GameRecord, Note};

/// What every note of a review begins with.
const MARK: &str = "Review:";

/// The record with the findings as notes: the sums of each player before the first event, and the
/// figures of each turn after its line. Notes of earlier reviews are replaced.
pub fn annotated_record(record: &GameRecord, document: &ReviewDocument) -> GameRecord {
    let mut annotated = record.clone();
    let is_own = |note: &Note| note.text.starts_with(MARK);
    annotated.notes.retain(|note| !is_own(note));
    let players = document.players.iter().map(|player| {
        let graded = player.graded;
        let index = player.mistake_index;
        let level = player
            .level
            .map_or(String::new(), |level| format!(", like a rating of {level}"));
        let loss = player.mean_loss.map_or(String::new(), |loss| {
            format!(", mean loss {} percentage points", text(loss))
        });
        let [small, medium, large] = player.mistakes;
        note(format!(
            "{}: mistake index {index:.1}{level}{loss}; {graded} turns graded, mistakes: {large} \
             large, {medium} medium, {small} small",
            player.name
        ))
    });
    annotated.notes.extend(players);
    for event in &mut annotated.events {
        event.notes.retain(|note| !is_own(note));
    }
    // A record that was not read from a text has no lines; its turns come in order.
    let lines: Vec<usize> = annotated.turn_lines().collect();
    let by_order = lines.iter().any(|&at| annotated.events[at].line == 0);
    for (number, turn) in document.turns.iter().enumerate() {
        let at = match by_order {
            true => lines.get(number).copied(),
            false => lines
                .iter()
                .copied()
                .find(|&at| annotated.events[at].line == turn.line),
        };
        if let Some(at) = at {
            annotated.events[at].notes.push(note(of_turn(turn)));
        }
    }
    annotated
}

/// A note of one line: what a record contains may have more.
fn note(text: String) -> Note {
    let words: Vec<&str> = text.split_whitespace().collect();
    Note {
        line: 0,
        text: format!("{MARK} {}", words.join(" ")),
    }
}

/// The figures of a turn.
fn of_turn(turn: &ReviewedTurn) -> String {
    let mut parts = Vec::new();
    if let Some(win) = turn.win {
        parts.push(format!("win probability {} %", text(win)));
    }
    let is_other = |best: &&String| **best != turn.played;
    if let Some(best) = turn.best.as_ref().filter(is_other) {
        let win = turn
            .win_best
            .map_or(String::new(), |win| format!(" ({} %)", text(win)));
        parts.push(format!("best {best}{win}"));
    }
    if let Some(loss) = turn.loss.filter(|_| !turn.by_points) {
        parts.push(format!("loss {} percentage points", text(loss)));
    }
    if let Some(lost) = turn.points_lost.filter(|_| turn.by_points) {
        parts.push(format!("loss {} points", text(lost)));
    }
    parts.push(
        match (turn.not_graded, turn.class) {
            (Some(NotGraded::SampledRack), _) => "not graded: the rack is partly known",
            (Some(NotGraded::UnknownRack), _) => "not graded: the rack is not known",
            (Some(NotGraded::NotLegal), _) => "not graded: the move cannot be searched",
            (Some(NotGraded::Failed), _) => "not graded: the search failed",
            (None, MistakeClass::None) => "no mistake",
            (None, MistakeClass::Small) => "small mistake",
            (None, MistakeClass::Medium) => "medium mistake",
            (None, MistakeClass::Large) => "large mistake",
        }
        .to_string(),
    );
    if !turn.missed_challenge.is_empty() {
        let words = turn.missed_challenge.join(", ");
        parts.push(format!("could have challenged {words}"));
    }
    parts.join("; ")
}

/// A figure with its standard error.
fn text(figure: ReviewFigure) -> String {
    match figure.error {
        Some(error) if error > 0.0 => format!("{:.1} ± {error:.1}", figure.value),
        _ => format!("{:.1}", figure.value),
    }
}
