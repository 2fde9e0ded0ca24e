//! The review of finished games: laws that hold for the review of any record, records with every
//! trap, and the schemas that are published.
//!
//! Searches are as short as possible: what is tested is not the quality of play.

mod laws;
mod traps;

use crate::support::repository;
use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::review::{
    MistakeClass, MistakeKind, NotGraded, PreparedGame, ReviewDocument, ReviewRequest,
    annotated_record, index_schema, level, review_record, review_schema,
};
use std::fs;

/// The iterations of most searches here: two or three in each stage.
const FEW_ITERATIONS: u64 = 5;

/// A record of the golden files.
fn golden(name: &str) -> GameRecord {
    let path = repository(&format!("tests/golden/{name}.gcg"));
    let (record, _) = GameRecord::parse(&fs::read(path).unwrap(), ReadMode::Strict).unwrap();
    record
}

fn read(text: &str) -> GameRecord {
    GameRecord::parse(text.as_bytes(), ReadMode::Strict)
        .unwrap()
        .0
}

fn request(iterations: u64) -> ReviewRequest {
    ReviewRequest {
        iterations: Some(iterations),
        candidates: 6,
        ..ReviewRequest::default()
    }
}

/// The review of a record with few iterations.
fn reviewed(record: &GameRecord) -> ReviewDocument {
    let mut engine = Engine::new().unwrap();
    review_record(&mut engine, record, "a game", &request(FEW_ITERATIONS), 2).unwrap()
}

fn prepared(record: &GameRecord) -> PreparedGame {
    PreparedGame::new(&mut Engine::new().unwrap(), record, "a game").unwrap()
}

#[test]
fn a_planted_mistake_is_found_and_named() {
    let game = prepared(&golden("gcg/open"));
    // The rack AEILRTY, and a pass.
    let request = request(60);
    let mut findings: Vec<_> = (0..game.turns())
        .map(|_| cazique::review::TurnFindings::default())
        .collect();
    findings[7] = game.review_turn(7, &request, None);
    let document = game.assemble(findings, &request);
    let turn = &document.turns[7];
    assert_eq!(turn.class, MistakeClass::Large, "{turn:?}");
    assert_eq!(turn.kind, Some(MistakeKind::MissedBonus));
    assert!(
        turn.missed_bonus
            .as_ref()
            .is_some_and(|play| play.contains("REALITY"))
    );
    let loss = turn.loss.unwrap();
    assert!(
        loss.value > 10.0 && loss.error.unwrap() < loss.value / 2.0,
        "{loss:?}"
    );
    assert!(!turn.explanation.is_empty());
    let point = &document.turning_points[0];
    assert_eq!(point.turn, 8);
    assert!(
        point.text.starts_with("Bob Ray's pass instead of "),
        "{}",
        point.text
    );
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let record = golden("review/challenges");
    let review = |threads| {
        let request = ReviewRequest {
            luck: true,
            ..request(FEW_ITERATIONS)
        };
        review_record(
            &mut Engine::new().unwrap(),
            &record,
            "a game",
            &request,
            threads,
        )
        .unwrap()
    };
    assert_eq!(review(1), review(3));
}

#[test]
fn an_average_time_ends_the_searches() {
    let start = std::time::Instant::now();
    let request = ReviewRequest {
        time: Some(std::time::Duration::from_millis(20)),
        ..ReviewRequest::default()
    };
    let record = golden("review/challenges");
    let mut engine = Engine::new().unwrap();
    let document = review_record(&mut engine, &record, "a game", &request, 1).unwrap();
    assert_eq!(document.settings.time, Some(20));
    assert_eq!(document.settings.iterations, None);
    assert!(
        document
            .turns
            .iter()
            .all(|turn| !turn.candidates.is_empty())
    );
    // Loading the lexicon takes part of that, and the machine may be busy.
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn a_key_changes_with_what_the_findings_depend_on_and_nothing_else() {
    let record = golden("gcg/finished");
    let (game, request) = (prepared(&record), request(FEW_ITERATIONS));
    let keys: Vec<String> = (0..game.turns())
        .map(|turn| game.key(turn, &request))
        .collect();
    let mut unique = keys.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), keys.len());
    assert!(
        keys.iter()
            .all(|key| key.len() == 32 && key.chars().all(|c| c.is_ascii_hexdigit()))
    );
    // Names, later turns and the place of lines do not matter.
    let mut shorter = record.clone();
    shorter.events.truncate(6);
    shorter.players[0].name = "Somebody".to_string();
    let shorter = prepared(&read(&format!("{}#note the end\n", shorter.to_text())));
    for (turn, key) in keys.iter().enumerate().take(shorter.turns()) {
        assert_eq!(shorter.key(turn, &request), *key, "{turn}");
    }
    let other_seed = ReviewRequest {
        seed: 1,
        ..request.clone()
    };
    assert_ne!(game.key(0, &other_seed), keys[0]);
    let other_limit = ReviewRequest {
        iterations: Some(FEW_ITERATIONS + 1),
        ..request
    };
    assert_ne!(game.key(0, &other_limit), keys[0]);
}

#[test]
fn a_wrong_record_is_named_with_its_line() {
    let mut record = golden("gcg/finished");
    let line = record.events[3].line;
    let text = record.to_text();
    record.events[3].nick = "nobody".to_string();
    let refused = |record: &GameRecord| {
        let game = PreparedGame::new(&mut Engine::new().unwrap(), record, "a game");
        game.err().map(|problem| problem.to_string())
    };
    let problem = refused(&record).unwrap();
    assert!(problem.starts_with(&format!("line {line}: ")), "{problem}");
    assert_eq!(refused(&read(&text)), None);
}

#[test]
fn levels_fall_with_the_index() {
    assert_eq!([0.0, 1.2, 4.2].map(level), [2300, 2100, 1650]);
    assert!(level(3.0) > level(3.1));
}

/// To write the files anew: `UPDATE_SCHEMAS=1 cargo test --test it published_review_schemas`.
#[test]
fn the_published_review_schemas_are_those_of_the_code() {
    for (name, schema) in [
        ("review", review_schema()),
        ("review-index", index_schema()),
    ] {
        let path = repository(&format!("docs/{name}.schema.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var("UPDATE_SCHEMAS").is_ok() {
            fs::write(&path, &text).unwrap();
        }
        let published = fs::read_to_string(path).unwrap_or_default();
        assert!(
            published == text,
            "docs/{name}.schema.json is not that of the code"
        );
    }
}
