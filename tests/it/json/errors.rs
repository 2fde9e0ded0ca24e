//! Lines and queries that are refused, each with the code and the field of its error.

use super::{RECORD, Session, assert_has, parse};
use serde_json::{Value, json};

#[test]
fn a_line_that_is_not_an_object_is_an_error_and_the_session_goes_on() {
    let mut session = Session::start();
    let deep = format!("{{\"id\":\"a\",\"x\":{}", "[".repeat(100_000));
    let huge = format!("{{\"id\":\"a\",\"seed\":{}}}", "9".repeat(400));
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(1 << 20));
    let bad: [&[u8]; 12] = [
        b"{",
        b"nonsense",
        b"[]",
        b"null",
        b"\"id\"",
        b"{\"id\":\"a\xff\"}",
        b"{\"id\":\"a\0\"}",
        b"{\"id\":\"a\"} {\"id\":\"b\"}",
        b"{\"id\":\"\\ud800\"}",
        deep.as_bytes(),
        huge.as_bytes(),
        long.as_bytes(),
    ];
    for line in bad {
        session.0.send(&[line, b"\r\n\n  \n"].concat());
        let answer = session.next();
        assert_has(&answer, &json!({"id": null, "error": {"code": "bad-json"}}));
        let text = answer["error"]["text"].as_str().unwrap();
        assert!(text.len() < 200, "{answer}");
    }
    check_known_query(&mut session);
}

/// Queries that are refused: the code of the error, its field, and the query.
const REFUSED: [&str; 43] = [
    r#"bad-field words {"id": "a", "action": "check", "words": [""]}"#,
    r#"bad-move moves {"id": "a", "moves": ["rack.AE", "pass"], "turns": [1]}"#,
    r#"bad-position rack {"id": "a", "rack": ""}"#,
    r#"bad-position cgp {"id": "a", "cgp": "15/15 A/ 0/0 0"}"#,
    r#"bad-field cgp {"id": "a", "cgp": ["15"]}"#,
    r#"bad-move moves {"id": "a", "moves": ["8D.QQQQ"]}"#,
    r#"bad-field moves {"id": "a", "moves": ["8D.AB", 7]}"#,
    r#"bad-field moves {"id": "a", "moves": {"8D": "AB"}}"#,
    r#"bad-position gcg {"id": "a", "gcg": ">a: nothing"}"#,
    r#"bad-field turns {"id": "a", "turns": 3}"#,
    r#"bad-number turns {"id": "a", "turns": [-1]}"#,
    r#"bad-number turns {"id": "a", "turns": [1e300]}"#,
    r#"bad-position rack {"id": "a", "rack": "AEINRSTU"}"#,
    r#"bad-position rack {"id": "a", "rack": "!"}"#,
    r#"unsupported-mode mode {"id": "a", "mode": "infer"}"#,
    r#"bad-number movetime {"id": "a", "movetime": "soon"}"#,
    r#"bad-number movetime {"id": "a", "movetime": 1.5}"#,
    r#"bad-number candidates {"id": "a", "candidates": 0}"#,
    r#"bad-number plies {"id": "a", "plies": 61}"#,
    r#"bad-number stopcondition {"id": "a", "stopcondition": true}"#,
    r#"bad-number reportEvery {"id": "a", "reportEvery": 0}"#,
    r#"bad-move searchmoves {"id": "a", "rack": "AEI", "searchmoves": ["8D.QI"]}"#,
    r#"bad-move alsosearchmoves {"id": "a", "rack": "AEI", "searchmoves": ["8H.AI"], "alsosearchmoves": ["8H.AIX"]}"#,
    r#"unknown-command action {"id": "a", "action": "dance"}"#,
    r#"bad-field action {"id": "a", "action": 7}"#,
    r#"bad-field name {"id": "a", "action": "setoption", "value": 7}"#,
    r#"bad-field value {"id": "a", "action": "setoption", "name": "Seed", "value": []}"#,
    r#"bad-option name {"id": "a", "action": "setoption", "name": "Speed"}"#,
    r#"bad-option value {"id": "a", "action": "setoption", "name": "Log", "value": "."}"#,
    r#"bad-field id {"id": ["a"]}"#,
    r#"bad-field turns {"id": "a", "turns": "all"}"#,
    r#"bad-field turns {"id": "a", "moves": ["pass"], "turns": "some"}"#,
    r#"bad-field turnMoves {"id": "a", "turnMoves": ["pass"]}"#,
    r#"bad-field turnMoves {"id": "a", "turnMoves": {"last": ["pass"]}}"#,
    r#"bad-field turnMoves {"id": "a", "turnMoves": {"0": "pass"}}"#,
    r#"bad-move turnMoves {"id": "a", "rack": "AEINRST", "turnMoves": {"0": ["8D.QI"]}}"#,
    r#"bad-move alsosearchmoves {"id": "a", "rack": "AEI", "alsosearchmoves": ["8H.AX"]}"#,
    r#"bad-field eyes {"id": "a", "eyes": "both"}"#,
    r#"bad-number racks {"id": "a", "racks": 0}"#,
    r#"bad-field move {"id": "a", "action": "check"}"#,
    r#"bad-field words {"id": "a", "action": "check", "words": []}"#,
    r#"bad-move move {"id": "a", "action": "check", "move": "9A.FAR"}"#,
    r#"bad-number turn {"id": "a", "action": "state", "turn": 1}"#,
];

#[test]
fn an_error_has_its_code_and_its_field() {
    let mut session = Session::start();
    let mut check = |query: &Value, code: &str, field: &str| {
        // An id that is refused is not repeated.
        let id = query["id"].as_str().filter(|_| field != "id");
        let expected = json!({"id": id, "error": {"code": code, "field": field}});
        assert_has(&session.ask(query), &expected);
    };
    for refused in REFUSED {
        let mut parts = refused.splitn(3, ' ');
        let [code, field, query] = [(); 3].map(|_| parts.next().unwrap());
        check(&parse(query), code, field);
    }
    check(
        &json!({"id": "a", "moves": vec!["pass"; 5_001]}),
        "bad-field",
        "moves",
    );
    check(&json!({"id": "x".repeat(201)}), "bad-field", "id");
    let long_id = session.ask(&json!({"id": "x".repeat(201)}));
    let text = "the id has 201 characters, the limit is 200";
    assert_eq!(long_id["error"]["text"], text);
    // The way out is that of this interface.
    let unknown = session.ask(&json!({"id": "u"}));
    let text =
        "7 of the 7 tiles of the player to move are unknown; name the rack in the field rack";
    assert_eq!(unknown["error"]["text"], text);
    check_known_query(&mut session);
}

fn check_known_query(session: &mut Session) {
    let query = json!({"id": "a", "rack": "AEINRST", "mode": "gen", "candidates": 1});
    assert_eq!(session.ask(&query)["best"], "8B.ANESTRI");
}

#[test]
fn a_rack_with_tiles_that_an_opponent_kept_is_refused() {
    let query = json!({"id": "q", "moves": ["8F.HORN.HORNQZX"], "rack": "QAEIOUR", "mode": "gen"});
    let answer = Session::start().ask(&query);
    assert_has(&answer, &json!({"error": {"field": "rack"}}));
}

#[test]
fn an_error_comes_with_the_warnings() {
    let mut session = Session::start();
    let record = RECORD.replace("FA.M +9 9", "FA.M +10 10");
    let unknown = "there is no field 'movetme'";
    let finding = "gcg line 4: FA.M scores 9, the record says 10";
    let queries = [
        // The line is refused.
        (
            json!({"id": "a", "movetme": 1, "turns": [7]}),
            json!([unknown]),
        ),
        (json!({"movetme": 1, "action": "check"}), json!([unknown])),
        // A turn cannot be searched, or a position cannot be set.
        (
            json!({"id": "a", "movetme": 1, "rack": "!"}),
            json!([unknown]),
        ),
        (
            json!({"id": "a", "gcg": record, "turns": [2], "rack": "!", "movetme": 1, "mode": "gen", "seed": 1}),
            json!(["seed has no effect in the mode gen", unknown, finding]),
        ),
        (
            json!({"action": "state", "gcg": record, "turn": 2, "rack": "!", "movetme": 1}),
            json!([unknown, finding]),
        ),
        (
            json!({"action": "setoption", "name": "Speed", "movetme": 1}),
            json!([unknown]),
        ),
    ];
    for (query, warnings) in queries {
        let answer = session.ask(&query);
        assert!(answer["error"].is_object(), "{answer}");
        // A finding about scores can be followed by others.
        let got = answer["warnings"].as_array().unwrap();
        let expected = warnings.as_array().unwrap();
        assert!(got.starts_with(expected), "{query}\n{answer}");
    }
}

#[test]
fn an_error_names_all_tiles_that_the_rack_lacks() {
    let mut session = Session::start();
    let mut check = |query: Value, expected: &str| {
        assert_eq!(session.ask(&query)["error"]["text"], expected);
    };
    check(
        json!({"id": "a", "rack": "AEINRST", "alsosearchmoves": ["8H.QUIZ"]}),
        "8H.QUIZ: the rack AEINRST lacks QUZ",
    );
    check(
        json!({"id": "a", "moves": ["8H.QuIZ.AEINRST"]}),
        "move 1, 8H.QuIZ.AEINRST: the rack AEINRST lacks QZ? (? is a blank, in a play a lower-case letter)",
    );
    check(
        json!({"id": "a", "moves": ["8H.ZIZZ"]}),
        "move 1, 8H.ZIZZ: the player cannot hold ZZ: too few are left",
    );
}
