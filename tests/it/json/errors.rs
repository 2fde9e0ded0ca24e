//! Lines and queries that are refused, each with the code and the field of its error.

use super::{Session, parse};
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
        let error = &answer["error"];
        assert_eq!(
            (&answer["id"], &error["code"]),
            (&Value::Null, &json!("bad-json"))
        );
        assert!(error["text"].as_str().unwrap().len() < 200, "{answer}");
    }
    check_known_query(&mut session);
}

/// Queries with the code and the field of their errors.
const REFUSED: [(&str, &str, &str); 29] = [
    (
        "bad-move",
        "moves",
        r#"{"id": "a", "moves": ["rack.AE", "pass"], "turns": [1]}"#,
    ),
    ("bad-position", "rack", r#"{"id": "a", "rack": ""}"#),
    (
        "bad-position",
        "cgp",
        r#"{"id": "a", "cgp": "15/15 A/ 0/0 0"}"#,
    ),
    ("bad-field", "cgp", r#"{"id": "a", "cgp": ["15"]}"#),
    ("bad-move", "moves", r#"{"id": "a", "moves": ["8D.QQQQ"]}"#),
    (
        "bad-field",
        "moves",
        r#"{"id": "a", "moves": ["8D.AB", 7]}"#,
    ),
    (
        "bad-field",
        "moves",
        r#"{"id": "a", "moves": {"8D": "AB"}}"#,
    ),
    (
        "bad-position",
        "gcg",
        r#"{"id": "a", "gcg": ">a: nothing"}"#,
    ),
    ("bad-field", "turns", r#"{"id": "a", "turns": 3}"#),
    ("bad-number", "turns", r#"{"id": "a", "turns": [-1]}"#),
    ("bad-number", "turns", r#"{"id": "a", "turns": [1e300]}"#),
    ("bad-position", "rack", r#"{"id": "a", "rack": "AEINRSTU"}"#),
    ("bad-position", "rack", r#"{"id": "a", "rack": "!"}"#),
    (
        "unsupported-mode",
        "mode",
        r#"{"id": "a", "mode": "infer"}"#,
    ),
    (
        "bad-number",
        "movetime",
        r#"{"id": "a", "movetime": "soon"}"#,
    ),
    ("bad-number", "movetime", r#"{"id": "a", "movetime": 1.5}"#),
    (
        "bad-number",
        "candidates",
        r#"{"id": "a", "candidates": 0}"#,
    ),
    ("bad-number", "plies", r#"{"id": "a", "plies": 61}"#),
    (
        "bad-number",
        "stopcondition",
        r#"{"id": "a", "stopcondition": true}"#,
    ),
    (
        "bad-number",
        "reportEvery",
        r#"{"id": "a", "reportEvery": 0}"#,
    ),
    (
        "bad-move",
        "searchmoves",
        r#"{"id": "a", "rack": "AEI", "searchmoves": ["8D.QI"]}"#,
    ),
    (
        "bad-move",
        "alsosearchmoves",
        r#"{"id": "a", "rack": "AEI", "searchmoves": ["8H.AI"], "alsosearchmoves": ["8H.AIX"]}"#,
    ),
    (
        "unknown-command",
        "action",
        r#"{"id": "a", "action": "dance"}"#,
    ),
    ("bad-field", "action", r#"{"id": "a", "action": 7}"#),
    (
        "bad-field",
        "name",
        r#"{"id": "a", "action": "setoption", "value": 7}"#,
    ),
    (
        "bad-field",
        "value",
        r#"{"id": "a", "action": "setoption", "name": "Seed", "value": []}"#,
    ),
    (
        "bad-option",
        "name",
        r#"{"id": "a", "action": "setoption", "name": "Speed"}"#,
    ),
    (
        "bad-option",
        "value",
        r#"{"id": "a", "action": "setoption", "name": "Log", "value": "."}"#,
    ),
    ("bad-field", "id", r#"{"id": ["a"]}"#),
];

#[test]
fn an_error_has_its_code_and_its_field() {
    let mut session = Session::start();
    let mut check = |query: &Value, code: &str, field: &str| {
        let answer = session.ask(query);
        let error = &answer["error"];
        let expected = (&json!(code), &json!(field));
        assert_eq!((&error["code"], &error["field"]), expected, "{query}");
        let id = if field == "id" {
            &Value::Null
        } else {
            &query["id"]
        };
        assert_eq!(&answer["id"], id, "{query}");
    };
    for (code, field, query) in REFUSED {
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
    check_known_query(&mut session);
}

fn check_known_query(session: &mut Session) {
    let query = json!({"id": "a", "rack": "AEINRST", "mode": "gen", "candidates": 1});
    assert_eq!(session.ask(&query)["best"], "8B.ANESTRI");
}
