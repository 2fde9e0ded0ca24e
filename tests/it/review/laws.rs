//! What holds for the review of any record.

use super::*;
use cazique::review::{ReviewPhase, ReviewedPlayer, ReviewedTurn};

/// Checks all laws.
pub fn check(name: &str, record: &GameRecord, document: &ReviewDocument) {
    let turns = &document.turns;
    for (at, turn) in turns.iter().enumerate() {
        assert_eq!(turn.number, at + 1, "{name}");
        check_turn(&format!("{name}, turn {}", at + 1), turn, document);
    }
    for player in &document.players {
        check_player(&format!("{name}, {}", player.nick), player, turns);
    }
    if let Some(last) = turns.last() {
        let scores: Vec<i32> = document.players.iter().map(|player| player.score).collect();
        assert_eq!(last.scores, scores, "{name}");
    }
    assert!(document.turning_points.len() <= 3, "{name}");
    assert!(!document.result.is_empty(), "{name}");
    let text = serde_json::to_string(document).unwrap();
    let again: ReviewDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text, "{name}");
    check_annotated(name, record, document);
}

fn check_turn(name: &str, turn: &ReviewedTurn, document: &ReviewDocument) {
    let played = turn.candidates.iter().filter(|found| found.played).count();
    let is_readable = !turn
        .notes
        .iter()
        .any(|note| note.contains("cannot be searched"));
    assert_eq!(
        played,
        usize::from(is_readable),
        "{name}: {:?}",
        turn.candidates
    );
    assert_eq!(turn.scores.len(), document.players.len(), "{name}");
    assert!((1..=document.players.len()).contains(&turn.seat), "{name}");
    let squares = document.board.side * document.board.side;
    assert_eq!(document.board.premiums.len(), squares);
    assert!(
        turn.changes.iter().all(|change| change.square < squares),
        "{name}"
    );
    assert!(turn.command.ends_with("| cazique") || turn.command.ends_with("| cazique --json"));
    if let (Some(best), Some(first)) = (&turn.best, turn.candidates.first()) {
        assert_eq!(*best, first.text, "{name}");
        assert!(first.valid && !first.dropped, "{name}");
    }
    let dropped = turn.candidates.iter().map(|found| found.dropped);
    assert!(dropped.is_sorted(), "{name}: dropped candidates come last");
    let losses = turn.candidates.iter().filter_map(|found| found.loss);
    for loss in losses.chain(turn.loss).chain(turn.points_lost) {
        assert!(loss.value >= -loss.error.unwrap_or(0.0), "{name}: {loss:?}");
    }
    let graded = turn.not_graded.is_none();
    assert!(graded || turn.class == MistakeClass::None, "{name}");
    assert_eq!(turn.index > 0.0, turn.class != MistakeClass::None, "{name}");
    assert_eq!(
        turn.kind.is_some(),
        turn.class != MistakeClass::None,
        "{name}"
    );
    assert!(
        graded || turn.unknown > 0 || !is_readable,
        "{name}: {:?}",
        turn.not_graded
    );
    if graded && turn.phase != ReviewPhase::Endgame {
        assert!(turn.win.is_some() && turn.win_best.is_some(), "{name}");
    }
    if let Some(played) = turn.candidates.iter().find(|found| found.played) {
        assert_eq!(played.win, turn.win, "{name}");
        assert_eq!(
            (&played.text, &played.code),
            (&turn.played, &turn.code),
            "{name}"
        );
        assert_eq!(played.changes, turn.changes, "{name}");
    }
}

fn check_player(name: &str, player: &ReviewedPlayer, turns: &[ReviewedTurn]) {
    let own = || turns.iter().filter(|turn| turn.seat == player.seat);
    assert_eq!(player.graded + player.not_graded, own().count(), "{name}");
    let index: f64 = own().map(|turn| turn.index).sum();
    assert!((player.mistake_index - index).abs() < 1e-6, "{name}");
    let mistakes = own().filter(|turn| turn.class != MistakeClass::None);
    assert_eq!(
        player.mistakes.iter().sum::<usize>(),
        mistakes.count(),
        "{name}"
    );
    let phases = || player.phases.iter();
    assert_eq!(
        phases().map(|phase| phase.turns).sum::<usize>(),
        player.graded,
        "{name}"
    );
    let close = |a: f64, b: f64| (a - b).abs() < 0.01;
    let points = phases().map(|phase| phase.points).sum();
    assert!(close(points, player.points_lost.value), "{name}");
    assert!(
        close(phases().map(|phase| phase.index).sum(), index),
        "{name}"
    );
    if let Some(mean) = player.mean_loss {
        let win: f64 = phases().map(|phase| phase.win).sum();
        assert!(close(win / player.graded as f64, mean.value), "{name}");
    }
    assert_eq!(player.mean_loss.is_some(), player.graded > 0, "{name}");
    assert_eq!(player.level.is_some(), player.graded > 0, "{name}");
    assert!(player.bonus_found <= player.bonus_available, "{name}");
}

/// The record with notes is read back, leads to the same game, and gets the same notes again.
fn check_annotated(name: &str, record: &GameRecord, document: &ReviewDocument) {
    let annotated = annotated_record(record, document);
    let text = annotated.to_text();
    let again = read(&text);
    let engine = Engine::new().unwrap();
    let replay = |record: &GameRecord| {
        let replayed = engine.replay_record(record).unwrap().replay;
        (replayed.game, replayed.problems.len())
    };
    assert_eq!(replay(&again), replay(record), "{name}");
    let notes = |record: &GameRecord| {
        let events = record.events.iter().flat_map(|event| &event.notes);
        let all = record.notes.iter().chain(events);
        all.filter(|note| note.text.starts_with("Review: ")).count()
    };
    let players = document.players.len();
    assert_eq!(notes(&again), players + document.turns.len(), "{name}");
    assert_eq!(
        annotated_record(&annotated, document).to_text(),
        text,
        "{name}"
    );
}
