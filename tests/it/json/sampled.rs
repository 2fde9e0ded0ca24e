//! Turns with partly known racks: complete racks are sampled, and the figures are means over them.

use super::schema::check_published;
use super::{Session, assert_has, finals, timeless};
use crate::support::repository;
use serde_json::{Value, json};

/// A query about one turn whose rack is known but for three tiles.
fn query(more: &Value) -> Value {
    let mut query = json!({"id": "q", "moves": ["8F.HORN.HORN", "H6.FARM"], "turns": [0]});
    for (name, value) in more.as_object().unwrap() {
        query[name] = value.clone();
    }
    query
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_partly_known_rack_has_means_over_sampled_racks() {
    let mut session = Session::start();
    for search in [
        json!({"mode": "gen", "racks": 10}),
        json!({"iterations": 20, "racks": 4, "candidates": 3}),
    ] {
        let answer = session.ask(&query(&search));
        let sampled = &answer["sampled"];
        let expected = json!({"racks": search["racks"], "known": "HNOR", "unknown": 3});
        assert_has(sampled, &expected);
        assert_has(&answer, &json!({"played": "8F.HORN", "candidates": []}));
        let loss = number(&sampled["best"]["equity"]) - number(&sampled["played"]["equity"]);
        assert!((number(&answer["loss"]["equity"]) - loss).abs() < 0.002);
        assert!(number(&answer["loss"]["equityError"]) > 0.0);
        assert_eq!(answer["loss"]["win"].is_null(), search["mode"] == "gen");
        let moves = sampled["moves"].as_array().unwrap();
        assert_eq!(answer["best"], moves[0]["move"]);
        let played = moves.iter().find(|found| found["played"] == true).unwrap();
        assert_eq!(played["value"], sampled["played"]);
        assert_eq!(played["loss"], answer["loss"]);
    }
}

#[test]
fn the_number_of_threads_changes_no_sampled_answer() {
    let query = |threads: u64| {
        query(&json!({"iterations": 20, "racks": 3, "candidates": 3, "threads": threads}))
    };
    let mut session = Session::start();
    let one = timeless(session.ask(&query(1)));
    assert_eq!(timeless(session.ask(&query(3))), one);
}

/// The plain twin: every tile that can be the unknown one, weighted by how many of it are unseen.
#[test]
fn sampled_means_agree_with_all_racks_weighted_by_their_chances() {
    let mut session = Session::start();
    let rack = "AEHNOR";
    let query = |rack: &str| {
        json!({"id": "q", "moves": ["8F.HORN"], "turns": [0], "rack": rack,
        "mode": "gen", "candidates": 1, "racks": 1000})
    };
    let answer = session.ask(&query(rack));
    let state = session.ask(&json!({"action": "state", "rack": rack}));
    let unseen = state["state"]["unseen"].as_str().unwrap().to_string();
    let (mut best, mut loss, mut known) = (0.0, 0.0, String::new());
    let (mut best_of_tile, mut loss_of_tile) = (0.0, 0.0);
    for tile in unseen.chars() {
        let full = format!("{rack}{tile}");
        if full != known {
            let answer = session.ask(&query(&full));
            best_of_tile = number(&answer["candidates"][0]["static"]["equity"]);
            loss_of_tile = number(&answer["loss"]["equity"]);
            known = full;
        }
        best += best_of_tile / unseen.len() as f64;
        loss += loss_of_tile / unseen.len() as f64;
    }
    for (sampled, exact) in [(&answer["sampled"]["best"], best), (&answer["loss"], loss)] {
        let (mean, error) = (number(&sampled["equity"]), number(&sampled["equityError"]));
        assert!((mean - exact).abs() < 4.0 * error, "{mean} {error} {exact}");
    }
}

#[test]
fn the_tiles_of_the_move_played_were_on_the_rack() {
    let mut session = Session::start();
    let mut known = |moves: Value| {
        let query = json!({"id": "q", "moves": moves, "turns": [0], "mode": "gen", "racks": 2});
        session.ask(&query)["sampled"]["known"].clone()
    };
    assert_eq!(known(json!(["8F.HORN"])), "HNOR");
    assert_eq!(known(json!(["8F.HORN.NT"])), "HNORT");
    assert_eq!(known(json!(["8F.HOrN"])), "HNO?");
    assert_eq!(known(json!(["ex.QV.AQ"])), "AQV");
    assert_eq!(known(json!(["pass"])), "");
    // A play of all tiles makes the rack known.
    assert_eq!(known(json!(["8H.ANOTHER"])), Value::Null);
}

#[test]
fn fewer_racks_than_usual_are_a_warning_unless_they_are_asked_for() {
    let mut session = Session::start();
    let mut check = |search: Value, racks: u64, warnings: Value| {
        let answer = session.ask(&query(&search));
        assert_eq!(answer["sampled"]["racks"], racks, "{search}");
        assert_eq!(answer["warnings"], warnings, "{search}");
    };
    let few = "only 5 racks were sampled within the limits, so that the figures are rough; 20 racks \
               are sampled with a limit of 2000 ms or 800 iterations";
    check(json!({"iterations": 20, "candidates": 2}), 5, json!([few]));
    check(
        json!({"iterations": 20, "candidates": 2, "racks": 5}),
        5,
        json!([]),
    );
    check(json!({"mode": "gen"}), 20, json!([]));
}

#[test]
fn a_sampled_search_can_be_terminated() {
    let mut session = Session::start();
    session.say(&query(&json!({"iterations": 1_000_000_000, "racks": 1000})));
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "q"}));
    session.next_of("t");
    let answer = session.next_of("q");
    assert_has(&answer, &json!({"final": true, "terminated": true}));
    assert_eq!(session.close(), [Value::Null; 0]);
}

/// As a club player would: a record with full, partial and empty racks, graded through JSON alone.
#[test]
fn all_moves_of_a_partly_known_record_are_graded() {
    let path = repository("tests/golden/gcg/partly_known.gcg");
    let record = std::fs::read_to_string(path).unwrap();
    let mut session = Session::start();
    session.say(&json!({"id": "g", "gcg": record, "turns": "all", "mode": "gen", "racks": 3}));
    let answers = session.close();
    answers.iter().for_each(check_published);
    assert_eq!(finals(&answers).len(), 20);
    let mut sampled = 0;
    for answer in &answers {
        assert!(answer.get("error").is_none(), "{answer}");
        assert!(number(&answer["loss"]["equity"]) >= 0.0, "{answer}");
        sampled += usize::from(answer["sampled"].is_object());
    }
    assert_eq!(sampled, 8);
}
