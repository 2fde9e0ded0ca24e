//! The move played: it is a candidate, it is marked, and the answer has its loss.

use super::schema::check_answer;
use super::{GAME, RECORD, Session, assert_has};
use serde_json::{Value, json};

/// The candidate that is marked as the move played.
fn played(answer: &Value) -> &Value {
    let mut candidates = answer["candidates"].as_array().unwrap().iter();
    let found = candidates.find(|candidate| candidate["played"] == true);
    found.unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn every_turn_with_a_move_has_the_move_played_and_its_loss() {
    let mut session = Session::start();
    for game in [json!({"moves": GAME}), json!({"gcg": RECORD})] {
        let mut query = json!({"id": "q", "turns": "all", "mode": "gen", "candidates": 1});
        query["moves"] = game["moves"].clone();
        query["gcg"] = game["gcg"].clone();
        session.say(&query);
        let turns = if game["gcg"].is_null() { GAME.len() } else { 4 };
        for turn in 0..turns {
            let answer = session.next();
            check_answer(&answer);
            assert_eq!(answer["turn"], turn);
            let (candidate, best) = (played(&answer), &answer["candidates"][0]);
            let text = answer["played"].as_str().unwrap();
            assert_eq!(candidate["move"], text.trim_start_matches("phony."));
            let equity = |candidate: &Value| candidate["static"]["equity"].as_f64().unwrap();
            let loss = answer["loss"]["equity"].as_f64().unwrap();
            let difference = equity(best) - equity(candidate);
            assert!((loss - difference).abs() < 1e-6, "{answer}");
        }
    }
    assert_eq!(session.close(), [Value::Null; 0]);
}

#[test]
fn the_loss_of_a_simulation_is_best_minus_played() {
    let answer = Session::start()
        .ask(&json!({"id": "q", "moves": GAME, "turns": [0], "iterations": 20, "candidates": 3}));
    check_answer(&answer);
    for figure in ["win", "equity"] {
        let of = |value: &Value| value[figure].as_f64().unwrap();
        let (best, played) = (&answer["candidates"][0], played(&answer));
        let difference = of(best) - of(played);
        assert!((of(&answer["loss"]) - difference).abs() < 0.002, "{answer}");
        // Both are played out in the same worlds, so that their difference varies less.
        let error = |value: &Value| value[format!("{figure}Error")].as_f64().unwrap();
        let apart = error(best).hypot(error(played));
        let loss = error(&answer["loss"]);
        assert!(0.0 < loss && loss < apart, "{loss} {apart} {answer}");
    }
}

#[test]
fn the_best_move_loses_nothing_for_certain() {
    let mut session = Session::start();
    for iterations in [2, 20] {
        let answer = session.ask(
            &json!({"id": "q", "moves": ["8D.KNAVE.AEKNRSV"], "turns": [0],
            "iterations": iterations, "searchmoves": ["8D.KNAVE"]}),
        );
        assert_eq!(answer["best"], answer["played"]);
        let none = json!({"win": 0.0, "winError": 0.0, "equity": 0.0, "equityError": 0.0});
        assert_has(&answer["loss"], &none);
    }
}

#[test]
fn a_proved_pre_endgame_proves_no_points() {
    let cgp = "7BOINK3/7OOF1AIM1/10VIDE1/10AMEN1/4R5I1AT1/1QuEAN4L1TOW/4NOY5E1A/4U1OUTRIGS1X/4lA1HAED2OY/4AD2OWE2U1/3REZ4EN1T1/3E9L1/3L8JIG/3I9E1/BUCCAL4SHERD EINPPRS/ 382/386 0";
    let answer = Session::start().ask(
        &json!({"id": "q", "cgp": cgp, "moves": ["3B.NIPPERS"], "turns": [0], "mode": "peg",
        "iterations": 400, "seed": 3, "candidates": 1}),
    );
    check_answer(&answer);
    let proved = json!({"win": 12.5, "winError": 0.0, "equityError": null, "kind": "exact"});
    assert_has(&answer["loss"], &proved);
    assert!(answer["loss"]["equity"].is_number(), "{answer}");
}

#[test]
fn a_phony_that_was_challenged_off_is_searched_as_invalid() {
    let moves = ["phony.8G.QZ.AEQZRST", "pass"];
    let query = json!({"id": "q", "moves": moves, "turns": [0], "mode": "gen"});
    let answer = Session::start().ask(&query);
    assert_eq!(answer["played"], "phony.8G.QZ");
    assert_has(played(&answer), &json!({"valid": false, "asked": true}));
}

#[test]
fn a_challenge_belongs_to_the_turn_before_it() {
    let moves = ["8G.QZ.AEQZRST", "challenge", "8F.HORN", "challenge.1"];
    let query = json!({"id": "q", "moves": moves, "turns": "all", "mode": "gen", "racks": 2});
    let mut session = Session::start();
    session.say(&query);
    let (phony, valid) = (session.next(), session.next());
    assert_has(&phony, &json!({"turn": 0, "played": "phony.8G.QZ"}));
    assert_has(&valid, &json!({"turn": 1, "played": "8F.HORN"}));
    // Player 1 challenged a valid play and lost a turn, so player 2 is to move again.
    let state = json!({"id": "s", "action": "state", "moves": moves});
    assert_has(&session.ask(&state), &json!({"state": {"toMove": 2}}));
}

#[test]
fn a_move_that_cannot_be_searched_is_a_warning() {
    let moves = ["ex.2", "pass"];
    let query = json!({"id": "q", "moves": moves, "turns": [0], "mode": "gen", "rack": "AEINRST"});
    let answer = Session::start().ask(&query);
    assert_has(&answer, &json!({"played": "ex.2", "loss": null}));
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("the move played, ex.2, cannot be searched: "));
    // Even if nothing is known of the rack, the turn has an answer: the mean of the best moves.
    let query = json!({"id": "q", "moves": moves, "turns": [0], "mode": "gen", "racks": 3});
    let answer = Session::start().ask(&query);
    assert_has(
        &answer,
        &json!({"best": null, "played": "ex.2", "loss": null}),
    );
    let best = &answer["sampled"]["best"];
    assert!(best["equity"].is_number(), "{answer}");
}

#[test]
fn a_move_that_cannot_be_searched_has_the_usual_notation() {
    let mut session = Session::start();
    let mut check = |first: &str, played: &str| {
        let moves = ["8F.HORN", first, "pass"];
        let query =
            json!({"id": "q", "moves": moves, "turns": [1], "rack": "AEINRST", "mode": "gen"});
        let answer = session.ask(&query);
        assert_has(&answer, &json!({"played": played, "loss": null}));
        let warning = answer["warnings"][0].as_str().unwrap();
        let start = format!("the move played, {played}, cannot be searched: ");
        assert!(warning.starts_with(&start), "{warning}");
    };
    check("H6.FA.M", "H6.FARM");
    check("h6.FA.M", "H6.FARM");
    check("phony.H6.FA.M", "phony.H6.FARM");
    check("H6.FARM.AFMQ", "H6.FARM");
}

#[test]
fn moves_can_be_named_for_a_single_turn() {
    let mut session = Session::start();
    session.say(
        &json!({"id": "q", "moves": GAME, "turns": [0, 1], "mode": "gen", "candidates": 1,
        "turnMoves": {"0": ["8D.NOTHER", "ex.AE"]}}),
    );
    let asked = |answer: &Value| -> Vec<String> {
        let candidates = answer["candidates"].as_array().unwrap().iter();
        let asked = candidates.filter(|candidate| candidate["asked"] == true);
        let mut moves: Vec<String> = asked
            .map(|candidate| candidate["move"].as_str().unwrap().to_string())
            .collect();
        moves.sort();
        moves
    };
    assert_eq!(asked(&session.next()), ["8D.NOTHER", "8F.HORN", "ex.AE"]);
    assert_eq!(asked(&session.next()), ["H6.FARM"]);
}

/// The eyes of the mover see no racks of opponents; all eyes see them.
#[test]
fn eyes_say_whose_racks_of_the_moves_count() {
    let mut session = Session::start();
    let mut racks = |eyes: Value| {
        let moves = ["8F.HORN.AEHNORT", "rack.PASTEXY"];
        let state = session.ask(&json!({"action": "state", "moves": moves, "eyes": eyes}));
        state["state"]["racks"].clone()
    };
    let mover = json!([{"known": "", "unknown": 7}, {"known": "AEPSTXY", "unknown": 0}]);
    assert_eq!(racks(Value::Null), mover);
    assert_eq!(racks(json!("mover")), mover);
    assert_eq!(
        racks(json!("all"))[0],
        json!({"known": "AET", "unknown": 4})
    );
}
