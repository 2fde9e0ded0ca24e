//! The actions `state` and `check`.

use super::{Session, assert_has};
use crate::support::repository;
use serde_json::{Value, json};

#[test]
fn the_state_of_a_finished_game_has_its_final_scores() {
    let path = repository("tests/golden/gcg/out_twice.gcg");
    let record = std::fs::read_to_string(path).unwrap();
    let mut session = Session::start();
    let answer = session.ask(&json!({"id": "s", "action": "state", "gcg": record}));
    let over = &answer["state"]["over"];
    assert_eq!(over["reason"], "out", "{answer}");
    let list = |value: &Value| -> Vec<i64> {
        let numbers = value.as_array().unwrap().iter();
        numbers.map(|number| number.as_i64().unwrap()).collect()
    };
    let scores = list(&answer["state"]["scores"]);
    let settled = scores.iter().zip(list(&over["adjustments"]));
    let settled: Vec<i64> = settled.map(|(score, change)| score + change).collect();
    assert_eq!(settled, list(&over["final"]));
    assert!(over["winner"].is_u64());
    // The CGP of a state sets the same state.
    let cgp = &session.ask(&json!({"action": "state", "gcg": record, "turn": 3}))["state"]["cgp"];
    let again = session.ask(&json!({"action": "state", "cgp": cgp}));
    assert_eq!(again["state"]["cgp"], *cgp);
    assert_eq!(again["state"]["lastMove"], Value::Null);
}

/// Once the racks of opponents were left out although the game was over.
#[test]
fn a_finished_game_of_a_record_is_settled_by_all_racks_that_it_states() {
    let record = "#player1 a\n#player2 b\n#game-type deluxe\n\
                  >a: AEHNROT 8F HORN +14 14\n>b: XTAEEEE - +0 0\n>a: AETIIUU - +0 14\n";
    let answer = Session::start().ask(&json!({"action": "state", "gcg": record}));
    let over = &answer["state"]["over"];
    assert_has(
        over,
        &json!({"reason": "scoreless", "adjustments": [-7, -14], "final": [7, -14], "winner": 1}),
    );
    assert_eq!(answer["warnings"], json!([]));
}

#[test]
fn a_move_and_words_can_be_checked() {
    let mut session = Session::start();
    let moves = json!(["8F.HORN", "H6.FARM", "rack.PASTEXY"]);
    let mut check = |text: &str| {
        let query = json!({"id": "c", "action": "check", "moves": moves, "move": text});
        session.ask(&query)["check"].clone()
    };
    let valid = json!({"move": "10F.PASTE", "score": 25, "valid": true, "missing": ""});
    assert_has(&check("10F.PASTE"), &valid);
    let lacking = json!({"score": 29, "valid": false, "missing": "R"});
    assert_has(&check("10F.PASTRY"), &lacking);
    let exchange = json!({"move": "ex.APY", "score": 0, "valid": true, "words": []});
    assert_has(&check("ex.PAY"), &exchange);
    // The words of edits are apart, because they score nothing.
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("letters.txt");
    std::fs::write(&rules, "base = deluxe\nrecycle_letters = on\n").unwrap();
    session.ask(&json!({"action": "setoption", "name": "Rules", "value": rules}));
    let query = json!({"action": "check", "moves": ["8F.HORN", "pass"], "move": "8F=C+8F.CORNET"});
    let ruling = session.ask(&query)["check"].clone();
    assert_eq!(ruling["words"].as_array().unwrap().len(), 1, "{ruling}");
    assert_has(&ruling["words"][0], &json!({"word": "CORNET", "score": 8}));
    assert_eq!(ruling["editWords"].as_array().unwrap().len(), 1);
    assert_has(
        &ruling["editWords"][0],
        &json!({"word": "CORN", "valid": true, "score": null}),
    );
    session.ask(&json!({"action": "setoption", "name": "Rules"}));
    let words = json!({"id": "w", "action": "check", "words": ["HELLO", "QQQ"]});
    let ruling = &session.ask(&words)["check"];
    assert_has(
        ruling,
        &json!({"move": null, "score": null, "valid": false}),
    );
    let valid = |at: usize| ruling["words"][at]["valid"].as_bool().unwrap();
    assert!(valid(0) && !valid(1), "{ruling}");
}
