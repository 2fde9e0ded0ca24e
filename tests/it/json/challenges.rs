//! The action `challenge`, and queries that ask whether to challenge.

use super::{Session, assert_has, timeless};
use serde_json::{Value, json};

#[test]
fn a_challenge_is_ruled_on_under_every_rule() {
    let mut session = Session::start();
    for (rule, penalty, points) in [
        ("single", "none", 0),
        ("double", "turn", 0),
        ("triple", "game", 0),
        ("5pt", "points", 5),
        ("ten_point", "points", 10),
    ] {
        let option = json!({"action": "setoption", "name": "ChallengeRule", "value": rule});
        session.ask(&option);
        let mut check = |moves: Value, expected: &Value| {
            let answer = session.ask(&json!({"action": "challenge", "moves": moves}));
            assert_has(&answer["challenge"], expected);
        };
        let valid = json!({"token": "challenge.2", "by": 2, "player": 1, "play": "8F.HORN",
            "ruling": "stands", "penalty": penalty, "points": points, "phony": []});
        check(json!(["8F.HORN", "rack.AEINRST"]), &valid);
        let lost = if rule == "triple" { "game" } else { "none" };
        let phony = json!({"ruling": "off", "penalty": lost, "points": 0, "phony": ["HORX"]});
        check(json!(["8F.HORX"]), &phony);
    }
}

#[test]
fn a_single_word_can_be_challenged_by_any_opponent() {
    let mut session = Session::start();
    let mut check = |action: Value, expected: Value| {
        let answer = session.ask(&action);
        assert_has(&answer, &expected);
    };
    let set =
        |name: &str, value: Value| json!({"action": "setoption", "name": name, "value": value});
    let moves = json!(["8F.HORN", "9G.OX"]);
    check(set("Rules", json!("school")), json!({}));
    let off = json!({"challenge": {"token": "challenge.1.RX", "ruling": "off"}, "turn": 2});
    check(
        json!({"action": "challenge", "moves": moves, "words": ["RX"]}),
        off,
    );
    let none = json!({"error": {"code": "bad-move", "field": "moves"}});
    check(json!({"action": "challenge", "moves": moves}), none.clone());
    let words = json!({"error": {"code": "bad-move", "field": "words"}});
    check(
        json!({"action": "challenge", "moves": moves, "words": ["CORN"]}),
        words,
    );
    check(set("Rules", json!("deluxe")), json!({}));
    check(set("Players", json!(3)), json!({}));
    let first =
        json!({"challenge": {"token": "challenge.3", "by": 3, "penalty": "turn"}, "turn": 1});
    check(
        json!({"action": "challenge", "moves": moves, "turn": 1, "by": 3}),
        first,
    );
    check(json!({"action": "challenge", "moves": []}), none);
}

#[test]
fn a_query_can_ask_whether_to_challenge() {
    let mut session = Session::start();
    let query = |id: &str, fields: Value| {
        let mut query = json!({"id": id, "challenge": true, "iterations": 20, "candidates": 2});
        let fields = fields.as_object().unwrap().clone();
        query.as_object_mut().unwrap().extend(fields);
        query
    };
    let phony = json!({"moves": ["8F.HORX", "rack.AEINRST"], "stopcondition": 90, "racks": 3});
    let answer = session.ask(&query("p", phony.clone()));
    let choice = json!({"kind": "estimate", "iterations": 10});
    let expected = json!({"id": "p", "turn": 1, "final": true, "player": 2, "best": "challenge",
        "challenge": {"token": "challenge.2", "ruling": "off"},
        "challenged": choice, "accepted": choice,
        "warnings": ["stopcondition has no effect on a decision about a challenge",
            "racks has no effect on a decision about a challenge"]});
    assert_has(&answer, &expected);
    assert_eq!(timeless(session.ask(&query("p", phony))), timeless(answer));
    // At an earlier turn, with the rack of the move that was played there.
    let turn = json!({"moves": ["8F.HORN", "9G.OX.AEINOSX", "pass"], "turns": [1]});
    let answer = session.ask(&query("t", turn));
    let expected =
        json!({"turn": 1, "player": 2, "best": "accept", "challenge": {"play": "8F.HORN"}});
    assert_has(&answer, &expected);
    // In a record the play before the turn is the one to challenge.
    let gcg =
        "#player1 ann Ann\n#player2 bob Bob\n>ann: HORX 8F HORX +28 28\n>bob: AEINRST - +0 0\n";
    let answer = session.ask(&query("g", json!({"gcg": gcg, "turns": [1]})));
    assert_has(
        &answer,
        &json!({"best": "challenge", "challenge": {"play": "8F.HORX"}}),
    );
    // Nothing to challenge, and an unknown rack.
    let answer = session.ask(&query("n", json!({"gcg": gcg})));
    assert_has(
        &answer,
        &json!({"error": {"code": "bad-move", "field": "gcg"}}),
    );
    let answer = session.ask(&query("u", json!({"moves": ["8F.HORX"]})));
    assert_has(
        &answer,
        &json!({"error": {"code": "bad-position", "field": "rack"}}),
    );
    assert_eq!(session.close(), [Value::Null; 0]);
}

#[test]
fn a_challenge_without_a_seat_is_that_of_the_player_to_move() {
    let mut session = Session::start();
    for (name, value) in [("Rules", json!("deluxe")), ("Players", json!(4))] {
        session.ask(&json!({"action": "setoption", "name": name, "value": value}));
    }
    let moves = json!(["8F.HORN", "challenge.3", "H6.FARM"]);
    let answer = session.ask(&json!({"action": "challenge", "moves": moves}));
    let expected = json!({"challenge": {"token": "challenge.4", "by": 4, "player": 2}});
    assert_has(&answer, &expected);
}

/// Once the error began with a finding that has nothing to do with it.
#[test]
fn an_error_about_a_challenge_begins_with_its_reason() {
    let gcg = "#player1 ann\n#player2 bob\n>ann: HORN 8F HORN +15 15\n>bob: AEINRST - +0 0\n";
    let query = json!({"id": "q", "gcg": gcg, "turns": [2], "challenge": true});
    let answer = Session::start().ask(&query);
    let finding = "gcg line 3: HORN scores 14, the record says 15";
    let error =
        json!({"code": "bad-move", "field": "gcg", "text": "there is no play to challenge"});
    assert_has(&answer, &json!({"error": error, "warnings": [finding]}));
}

#[test]
fn a_decision_can_be_terminated() {
    let mut session = Session::start();
    for id in ["a", "b"] {
        session.say(
            &json!({"id": id, "challenge": true, "iterations": 1000000000,
            "moves": ["8F.HORX", "rack.AEINRST"]}),
        );
    }
    session.say(&json!({"action": "terminate", "terminate": "b"}));
    let waiting = session.next_of("b");
    assert_has(
        &waiting,
        &json!({"terminated": true, "best": null, "accepted": null}),
    );
    session.say(&json!({"action": "terminate", "terminate": "a"}));
    let running = session.next_of("a");
    assert_has(&running, &json!({"terminated": true, "best": "challenge"}));
}
