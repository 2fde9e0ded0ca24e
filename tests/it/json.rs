//! JSON lines: what is asked, what is answered, and that nothing else is.

mod fuzz;

use crate::sessions::{document, matches};
use crate::support::{Client, repository};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// A session in JSON.
struct Session(Client);

impl Session {
    fn start() -> Session {
        Session(Client::start_with(&["--json"]))
    }

    fn say(&mut self, object: &Value) {
        self.0.say(&object.to_string());
    }

    fn next(&mut self) -> Value {
        parse(&self.0.next_line())
    }

    /// The next answer with this id; others in between are lost.
    fn next_of(&mut self, id: &str) -> Value {
        loop {
            let answer = self.next();
            if answer["id"] == id {
                return answer;
            }
        }
    }

    fn ask(&mut self, object: &Value) -> Value {
        self.say(object);
        self.next()
    }

    /// Ends the input; all that is still answered.
    fn close(self) -> Vec<Value> {
        self.0.close().iter().map(|line| parse(line)).collect()
    }
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// The answers that end a query or a turn of one, with how often each came.
fn finals(answers: &[Value]) -> BTreeMap<(String, u64), usize> {
    let mut finals = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer["final"] == true) {
        let id = answer["id"].as_str().expect("an id").to_string();
        let turn = answer["turn"].as_u64().expect("a turn");
        *finals.entry((id, turn)).or_default() += 1;
    }
    finals
}

/// What does not depend on the machine.
fn timeless(mut answer: Value) -> Value {
    answer["elapsed"] = Value::Null;
    answer
}

// ---- the document -------------------------------------------------------

/// The blocks marked `json-session`: each message with its line and whether the client sends it.
fn sessions() -> Vec<Vec<(usize, bool, String)>> {
    let mut sessions: Vec<Vec<(usize, bool, String)>> = Vec::new();
    let mut open = false;
    for (at, line) in document().lines().enumerate() {
        match line.split_at_checked(2) {
            _ if line == "```json-session" => {
                open = true;
                sessions.push(Vec::new());
            }
            _ if line == "```" => open = false,
            Some((sign @ ("> " | "< "), text)) if open => {
                let message = (at + 1, sign == "> ", text.to_string());
                sessions.last_mut().unwrap().push(message);
            }
            // A message that is too long for a line goes on, indented.
            Some(("  ", more)) if open => {
                let message = sessions.last_mut().unwrap().last_mut().unwrap();
                message.2 += more.trim_start();
            }
            _ => assert!(!open, "protocol.md line {}: {line}", at + 1),
        }
    }
    sessions
}

/// Whether an answer is what the document says: all of its fields and no others. `"…"` is any value, `…` in a text any
/// text, and `"…"` at the end of a list any others.
fn agrees(said: &Value, got: &Value) -> bool {
    match (said, got) {
        (Value::String(said), _) if said == "…" => true,
        (Value::String(said), Value::String(got)) => matches(said, got),
        (Value::Array(said), Value::Array(got)) => match said.split_last() {
            Some((Value::String(last), first)) if last == "…" => {
                got.len() >= first.len() && first.iter().zip(got).all(|(s, g)| agrees(s, g))
            }
            _ => said.len() == got.len() && said.iter().zip(got).all(|(s, g)| agrees(s, g)),
        },
        (Value::Object(said), Value::Object(got)) => {
            said.len() == got.len()
                && said
                    .iter()
                    .all(|(key, said)| got.get(key).is_some_and(|got| agrees(said, got)))
        }
        _ => said == got,
    }
}

#[test]
fn every_json_session_of_the_document_is_true() {
    let sessions = sessions();
    assert!(sessions.len() >= 5);
    for messages in sessions {
        let mut session = Session::start();
        for (line, is_sent, text) in messages {
            if is_sent {
                session.0.say(&text);
                continue;
            }
            let (said, got) = (parse(&text), session.next());
            assert!(
                agrees(&said, &got),
                "protocol.md line {line}\n says {said}\n the engine {got}"
            );
        }
        assert_eq!(session.close(), [Value::Null; 0]);
    }
}

#[test]
fn the_document_names_every_field_and_code() {
    let document = document();
    let section = document
        .split("\n## ")
        .find(|part| part.starts_with("JSON lines"));
    let section = section.expect("a section on JSON lines");
    let row = |name: &str| {
        let row = format!("| `{name}` |");
        assert!(section.contains(&row), "the section lacks {row}");
    };
    for field in QUERY.iter().chain(&ANSWER).chain(&CANDIDATE) {
        row(field);
    }
    for code in ["bad-json", "bad-field"] {
        row(code);
    }
}

// ---- the schema ---------------------------------------------------------

const QUERY: [&str; 19] = [
    "id",
    "cgp",
    "moves",
    "gcg",
    "turns",
    "rack",
    "mode",
    "movetime",
    "iterations",
    "candidates",
    "plies",
    "stopcondition",
    "seed",
    "threads",
    "searchmoves",
    "alsosearchmoves",
    "firstwin",
    "reportEvery",
    "action",
];
const ANSWER: [&str; 14] = [
    "best",
    "candidates",
    "elapsed",
    "final",
    "id",
    "iterations",
    "nodes",
    "plies",
    "provenance",
    "rollouts",
    "solved",
    "terminated",
    "turn",
    "warnings",
];
const CANDIDATE: [&str; 18] = [
    "asked",
    "draws",
    "dropped",
    "equity",
    "equityError",
    "iterations",
    "kind",
    "leave",
    "line",
    "move",
    "plies",
    "rank",
    "reply",
    "score",
    "static",
    "valid",
    "win",
    "winError",
];

/// Checks names and types of everything in an answer.
fn check_schema(answer: &Value) {
    assert_eq!(keys(answer), ANSWER, "{answer}");
    assert!(answer["id"].is_string() && answer["turn"].is_u64());
    assert!(answer["final"].is_boolean() && answer["terminated"].is_boolean());
    for count in ["elapsed", "iterations", "rollouts", "plies", "nodes"] {
        assert!(answer[count].is_u64(), "{count} in {answer}");
    }
    if !answer["provenance"].is_null() {
        let provenance = &answer["provenance"];
        assert_eq!(keys(provenance), ["engine", "leaves", "lexicon", "winpct"]);
        assert!(answer["best"].is_string());
    }
    assert!(
        answer["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .all(Value::is_string)
    );
    for candidate in answer["candidates"].as_array().unwrap() {
        check_candidate(candidate);
    }
}

fn check_candidate(candidate: &Value) {
    assert_eq!(keys(candidate), CANDIDATE);
    assert!(candidate["move"].is_string() && candidate["leave"].is_string());
    assert!(candidate["rank"].is_u64() && candidate["score"].is_i64());
    assert!(candidate["iterations"].is_u64());
    for flag in ["dropped", "asked", "valid"] {
        assert!(candidate[flag].is_boolean());
    }
    assert!(
        ["estimate", "exact"]
            .map(Value::from)
            .contains(&candidate["kind"])
    );
    let line = candidate["line"].as_array().unwrap();
    assert!(line.iter().all(Value::is_string));
    let played = candidate["iterations"] != 0 || !line.is_empty();
    assert_eq!(candidate["equity"].is_f64(), played, "{candidate}");
    // Who wins is not known of every line of an ending.
    assert!(
        candidate["win"].is_f64() == played || !line.is_empty(),
        "{candidate}"
    );
    if !candidate["draws"].is_null() {
        let lists = ["drawn", "lost", "mixed", "open", "won"];
        assert_eq!(keys(&candidate["draws"]), lists);
        assert!(candidate["draws"]["open"].is_u64());
    }
    for error in ["winError", "equityError"] {
        assert!(candidate[error].is_f64() || candidate[error].is_null());
    }
    let parts = &candidate["static"];
    assert_eq!(keys(parts), ["ending", "equity", "kept", "opening", "rank"]);
    let part = |name: &str| parts[name].as_f64().unwrap();
    let sum =
        candidate["score"].as_f64().unwrap() + part("kept") + part("opening") + part("ending");
    assert!((part("equity") - sum).abs() < 1e-6, "{candidate}");
    if !candidate["reply"].is_null() {
        assert_eq!(keys(&candidate["reply"]), ["move", "percent"]);
    }
    for ply in candidate["plies"].as_array().unwrap() {
        assert_eq!(keys(ply), ["bonus", "deviation", "mean"]);
        assert!(
            ["bonus", "deviation", "mean"]
                .iter()
                .all(|key| ply[key].is_f64())
        );
    }
}

#[test]
fn answers_have_these_fields_and_no_others() {
    let mut session = Session::start();
    let ranked = session.ask(&json!({"id": "r", "rack": "AEINRST", "mode": "gen"}));
    check_schema(&ranked);
    assert_eq!(ranked["final"], true);
    assert_eq!(ranked["candidates"].as_array().unwrap().len(), 40);
    let simulated = session.ask(&json!({
        "id": "s", "rack": "AEINRST", "candidates": 3, "iterations": 30,
        "alsosearchmoves": ["8H.TIRNA"],
    }));
    check_schema(&simulated);
    assert!(simulated["rollouts"].as_u64() > simulated["iterations"].as_u64());
    let candidates = simulated["candidates"].as_array().unwrap();
    let asked = candidates
        .iter()
        .find(|candidate| candidate["asked"] == true);
    assert_eq!(asked.unwrap()["valid"], false);
    assert!(
        candidates
            .iter()
            .all(|candidate| !candidate["reply"].is_null())
    );
    // Stopped before anything was played out.
    let cut = session.ask(&json!({"id": "c", "rack": "AEINRST", "movetime": 0}));
    check_schema(&cut);
    assert_eq!(cut["iterations"], 0);
    // The game is over.
    let over =
        session.ask(&json!({"id": "o", "moves": ["pass", "pass", "pass", "pass", "pass", "pass"]}));
    check_schema(&over);
    assert_eq!(
        (&over["best"], &over["candidates"]),
        (&json!("pass"), &json!([]))
    );
    // All tiles are known, and a move goes out.
    let path = repository("tests/golden/gcg/out_twice.gcg");
    let record = std::fs::read_to_string(path).unwrap();
    let exact = session.ask(&json!({
        "id": "e", "gcg": record, "turns": [21], "alsosearchmoves": ["J3.ANCTKOAR"],
    }));
    check_schema(&exact);
    let candidates = exact["candidates"].as_array().unwrap().iter();
    let mut candidates = candidates.filter(|candidate| candidate["asked"] == true);
    let out = candidates.next().unwrap();
    assert_eq!(
        (&out["kind"], &out["winError"]),
        (&json!("exact"), &json!(0.0))
    );
    assert_eq!((&out["score"], &out["plies"]), (&json!(93), &json!([])));
    let refused = session.ask(&json!({"id": "x", "moves": 7}));
    assert_eq!(keys(&refused), ["error", "id"]);
    assert_eq!(keys(&refused["error"]), ["code", "field", "text"]);
    let failed = session.ask(&json!({"id": "y"}));
    assert_eq!(keys(&failed), ["error", "final", "id", "turn"]);
    assert_eq!(failed["error"]["field"], "rack");
    assert_eq!(session.close(), [Value::Null; 0]);
}

// ---- what is promised ---------------------------------------------------

const GAME: [&str; 4] = [
    "8F.HORN.AEHNORT",
    "H6.FARM.AFMRTUW",
    "10F.PASTE.AEPSTTB",
    "9H.MOB.BMOEEIL",
];

#[test]
fn many_queries_are_in_flight_and_each_turn_is_answered_once() {
    let mut session = Session::start();
    let mut expected = BTreeMap::new();
    for n in 0..40 {
        let id = format!("query {n}");
        let turns: Vec<u64> = (0..4).filter(|turn| (n >> turn) & 1 == 1).collect();
        for turn in &turns {
            expected.insert((id.clone(), *turn), 1);
        }
        if turns.is_empty() {
            expected.insert((id.clone(), 3), 1);
        }
        let turns = if turns.is_empty() { vec![3, 3] } else { turns };
        let mode = if n % 3 == 0 { "gen" } else { "sim" };
        session.say(&json!({
            "id": id, "moves": GAME, "turns": turns, "mode": mode, "candidates": 3, "iterations": 4,
        }));
    }
    let answers = session.close();
    assert!(answers.iter().all(|answer| answer["error"].is_null()));
    assert_eq!(finals(&answers), expected);
    assert_eq!(answers.len(), expected.len());
    // The same question has the same answer, whatever was asked in between.
    let mut by_turn: BTreeMap<(bool, u64), Value> = BTreeMap::new();
    for mut answer in answers {
        let n: u64 = answer["id"].as_str().unwrap()[6..].parse().unwrap();
        answer["id"] = Value::Null;
        let key = (n.is_multiple_of(3), answer["turn"].as_u64().unwrap());
        let answer = timeless(answer);
        let first = by_turn.entry(key).or_insert_with(|| answer.clone());
        assert_eq!(*first, answer);
    }
    assert_eq!(by_turn.len(), 8);
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    let query = |threads: u64| json!({"id": "q", "moves": GAME, "turns": [2], "iterations": 40, "candidates": 8, "seed": 5, "threads": threads});
    let mut session = Session::start();
    let one = timeless(session.ask(&query(1)));
    assert_eq!(timeless(session.ask(&query(3))), one);
}

#[test]
fn who_wins_an_ending_is_told_without_points_if_that_is_asked_for() {
    let ending = "15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0";
    let mut session = Session::start();
    for first_win in [false, true] {
        let query = json!({"id": "w", "cgp": ending, "mode": "endgame", "firstwin": first_win});
        let answer = session.ask(&query);
        check_ending(&answer, first_win);
    }
}

fn check_ending(answer: &Value, first_win: bool) {
    let best = &answer["candidates"][0];
    assert_eq!(
        (&answer["solved"], &best["kind"], &best["win"]),
        (&json!(true), &json!("exact"), &json!(100.0)),
        "{answer}"
    );
    let equity = if first_win { Value::Null } else { json!(22.0) };
    assert_eq!(best["equity"], equity);
}

/// A query that would go on for days.
fn endless(id: &str) -> Value {
    json!({"id": id, "rack": "AEINRSV", "iterations": 1_000_000_000, "reportEvery": 100, "alsosearchmoves": ["pass"]})
}

#[test]
fn a_query_tells_how_it_stands_and_ends_when_it_is_terminated() {
    let mut session = Session::start();
    session.say(&endless("long"));
    session.say(&json!({"id": "next", "moves": GAME, "turns": [0, 2, 3]}));
    session.say(&json!({"id": "last", "rack": "AEINRST", "mode": "gen"}));
    let mut iterations = 0;
    for _ in 0..2 {
        let standing = session.next();
        check_schema(&standing);
        assert_eq!(
            (&standing["id"], &standing["final"]),
            (&json!("long"), &json!(false))
        );
        assert!(standing["iterations"].as_u64() > Some(iterations));
        iterations = standing["iterations"].as_u64().unwrap();
    }
    // What has not begun ends at once, with nothing found.
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "next"}));
    let ended = session.next_of("t");
    assert_eq!(
        ended,
        json!({"id": "t", "action": "terminate", "terminate": "next", "turns": 3})
    );
    for turn in [0, 2, 3] {
        let answer = session.next_of("next");
        check_schema(&answer);
        assert_eq!(answer["turn"], turn);
        assert_eq!(answer["terminated"], true);
        assert_eq!(answer["best"], Value::Null);
    }
    // What goes on ends with what it has.
    session.say(&json!({"id": "u", "action": "terminate", "terminate": "long"}));
    assert_eq!(session.next_of("u")["turns"], 1);
    let last = loop {
        let answer = session.next();
        check_schema(&answer);
        assert_eq!(answer["id"], "long");
        if answer["final"] == true {
            break answer;
        }
    };
    assert_eq!(last["terminated"], true);
    assert!(last["iterations"].as_u64() >= Some(iterations));
    assert_eq!(last["best"], last["candidates"][0]["move"]);
    let next = session.next();
    assert_eq!(
        (&next["id"], &next["terminated"]),
        (&json!("last"), &json!(false))
    );
    let nobody = session.ask(&json!({"action": "terminate", "terminate": "long"}));
    assert_eq!(nobody["turns"], 0);
    assert_eq!(session.close(), [Value::Null; 0]);
}

#[test]
fn a_query_that_is_terminated_between_its_turns_answers_them_all() {
    let mut session = Session::start();
    let mut query = endless("q");
    query["rack"] = Value::Null;
    query["moves"] = json!(GAME);
    query["turns"] = json!([0, 1, 2]);
    session.say(&query);
    session.next();
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "q"}));
    let answers = session.close();
    let expected: BTreeMap<_, _> = (0..3).map(|turn| (("q".to_string(), turn), 1)).collect();
    assert_eq!(finals(&answers), expected);
    assert!(
        answers
            .iter()
            .filter(|answer| answer["final"] == true)
            .all(|answer| answer["terminated"] == true)
    );
}

#[test]
fn an_option_holds_for_what_comes_after_it() {
    let mut session = Session::start();
    let query = |id: &str| json!({"id": id, "rack": "AEKNRSV", "mode": "gen", "candidates": 1});
    session.say(&query("before"));
    session.say(&json!({"id": "o", "action": "setoption", "name": "leaves", "value": "none"}));
    session.say(&query("after"));
    session.say(&json!({"action": "setoption", "name": "Leaves", "value": "nowhere.csv"}));
    session.say(&json!({"id": "p", "action": "setoption", "name": "Players", "value": 9}));
    let answers = session.close();
    assert_eq!(answers[0]["best"], "8D.KNAVE");
    assert_eq!(
        answers[1],
        json!({"id": "o", "action": "setoption", "name": "Leaves", "value": "none"})
    );
    assert_eq!(answers[2]["best"], "8D.KNAVES");
    assert_eq!(answers[2]["provenance"]["leaves"], "none");
    assert_eq!(
        (&answers[3]["id"], &answers[3]["error"]["code"]),
        (&Value::Null, &json!("data"))
    );
    assert_eq!(answers[4]["error"]["field"], "value");
    assert_eq!(
        answers[4]["error"]["text"],
        "Players is '9', it must be a number from 2 to 4"
    );
}

#[test]
fn a_bad_line_is_an_error_and_the_session_goes_on() {
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
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&Value::Null, &json!("bad-json"))
        );
        assert!(
            answer["error"]["text"].as_str().unwrap().len() < 200,
            "{answer}"
        );
    }
    let id = "x".repeat(201);
    assert_eq!(
        session.ask(&json!({"id": id}))["error"]["text"],
        "the id has 201 characters, the limit is 200"
    );
    let check = |session: &mut Session, query: Value, code: &str, field: &str| {
        let answer = session.ask(&query);
        assert_eq!(answer["id"], "a", "{query}");
        let error = &answer["error"];
        assert_eq!(
            (&error["code"], &error["field"]),
            (&json!(code), &json!(field)),
            "{query}"
        );
    };
    let moves = vec!["pass"; 5_001];
    for (query, code, field) in [
        (
            json!({"id": "a", "moves": ["rack.AE", "pass"], "turns": [1]}),
            "bad-move",
            "moves",
        ),
        (json!({"id": "a", "rack": ""}), "bad-position", "rack"),
        (
            json!({"id": "a", "cgp": "15/15 A/ 0/0 0"}),
            "bad-position",
            "cgp",
        ),
        (json!({"id": "a", "cgp": ["15"]}), "bad-field", "cgp"),
        (
            json!({"id": "a", "moves": ["8D.QQQQ"]}),
            "bad-move",
            "moves",
        ),
        (
            json!({"id": "a", "moves": ["8D.AB", 7]}),
            "bad-field",
            "moves",
        ),
        (json!({"id": "a", "moves": moves}), "bad-field", "moves"),
        (
            json!({"id": "a", "moves": {"8D": "AB"}}),
            "bad-field",
            "moves",
        ),
        (
            json!({"id": "a", "gcg": ">a: nothing"}),
            "bad-position",
            "gcg",
        ),
        (json!({"id": "a", "turns": 3}), "bad-field", "turns"),
        (json!({"id": "a", "turns": [-1]}), "bad-number", "turns"),
        (json!({"id": "a", "turns": [1e300]}), "bad-number", "turns"),
        (
            json!({"id": "a", "rack": "AEINRSTU"}),
            "bad-position",
            "rack",
        ),
        (json!({"id": "a", "rack": "!"}), "bad-position", "rack"),
        (
            json!({"id": "a", "mode": "infer"}),
            "unsupported-mode",
            "mode",
        ),
        (
            json!({"id": "a", "movetime": "soon"}),
            "bad-number",
            "movetime",
        ),
        (
            json!({"id": "a", "movetime": 1.5}),
            "bad-number",
            "movetime",
        ),
        (
            json!({"id": "a", "candidates": 0}),
            "bad-number",
            "candidates",
        ),
        (json!({"id": "a", "plies": 61}), "bad-number", "plies"),
        (
            json!({"id": "a", "stopcondition": true}),
            "bad-number",
            "stopcondition",
        ),
        (
            json!({"id": "a", "reportEvery": 0}),
            "bad-number",
            "reportEvery",
        ),
        (
            json!({"id": "a", "rack": "AEI", "searchmoves": ["8D.QI"]}),
            "bad-move",
            "searchmoves",
        ),
        (
            json!({"id": "a", "rack": "AEI", "searchmoves": ["8H.AI"], "alsosearchmoves": ["8H.AIX"]}),
            "bad-move",
            "alsosearchmoves",
        ),
        (
            json!({"id": "a", "action": "dance"}),
            "unknown-command",
            "action",
        ),
        (json!({"id": "a", "action": 7}), "bad-field", "action"),
        (
            json!({"id": "a", "action": "setoption", "value": 7}),
            "bad-field",
            "name",
        ),
        (
            json!({"id": "a", "action": "setoption", "name": "Seed", "value": []}),
            "bad-field",
            "value",
        ),
        (
            json!({"id": "a", "action": "setoption", "name": "Speed"}),
            "bad-option",
            "name",
        ),
        (
            json!({"id": "a", "action": "setoption", "name": "Log", "value": "."}),
            "bad-option",
            "value",
        ),
    ] {
        check(&mut session, query, code, field);
    }
    let answer =
        session.ask(&json!({"id": "a", "rack": "AEINRST", "mode": "gen", "candidates": 1}));
    assert_eq!(answer["best"], "8B.ANESTRI");
}

#[test]
fn a_flood_of_queries_waits_and_is_answered() {
    let mut session = Session::start();
    let count = 20_000;
    session.say(
        &json!({"id": "first", "rack": "AEINRST", "movetime": 500, "iterations": 1_000_000_000}),
    );
    let lines: String = (0..count)
        .map(|n| format!("{{\"id\":\"{n}\"}}\n"))
        .collect();
    session.0.send(lines.as_bytes());
    if let Some([now, _]) = session.0.memory() {
        assert!(now < 200_000, "{now} kB");
    }
    let answers = session.close();
    assert_eq!(answers.len(), count + 1);
    assert_eq!(finals(&answers).len(), count + 1);
}

#[test]
fn who_closes_the_output_ends_the_session_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cazique"))
        .arg("--json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let query = endless("q");
    // It may be gone before all is written.
    let _ = input.write_all(format!("{query}\n{query}\n").as_bytes());
    // The input stays open: only the output tells that nobody listens any more.
    let status = child.wait().unwrap();
    drop(input);
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert!(status.success());
    assert_eq!(said, "");
}

// ---- games --------------------------------------------------------------

const RECORD: &str = "#player1 ann Ann\n#player2 bob Bob\n\
    >bob: AEHNORT 8F HORN +14 14\n\
    >ann: AFMRTUW H6 FA.M +9 9\n\
    >bob: AEPSTTX 10F PASTE +25 39\n\
    >bob: AEPSTTX -- -25 14\n\
    >ann: BMOTUUW -UU +0 9\n";

#[test]
fn a_record_can_be_asked_at_any_of_its_turns() {
    let mut session = Session::start();
    session.say(
        &json!({"id": "r", "gcg": RECORD, "turns": [0, 1, 2, 3], "mode": "gen", "candidates": 1}),
    );
    session.say(&json!({"id": "e", "gcg": RECORD, "mode": "gen", "candidates": 1}));
    session.say(&json!({"id": "f", "gcg": RECORD, "rack": "QIZZEST", "mode": "gen"}));
    session
        .say(&json!({"id": "g", "gcg": RECORD, "rack": "AEINRSV", "mode": "gen", "candidates": 1}));
    let answers = session.close();
    for (turn, answer) in answers[..4].iter().enumerate() {
        check_schema(answer);
        assert_eq!(answer["turn"], turn);
    }
    assert_eq!(answers[0]["best"], "8H.ANOTHER");
    // The rack at the end is not told, but for the tiles that came off.
    assert_eq!(answers[4]["error"]["code"], "bad-position");
    assert_eq!(answers[5]["error"]["field"], "rack");
    assert_eq!(answers[6]["turn"], 4);
    check_schema(&answers[6]);
}

#[test]
fn what_a_record_contradicts_is_a_warning_until_it_cannot_be_followed() {
    let mut session = Session::start();
    let record = RECORD
        .replace("FA.M +9 9", "FA.M +10 10")
        .replace("-UU +0 9", "-UU +0 10");
    let answer = session.ask(&json!({"id": "r", "gcg": record, "turns": [2], "mode": "gen"}));
    check_schema(&answer);
    assert_eq!(
        answer["warnings"],
        json!(["gcg line 4: FA.M scores 9, the record says 10"])
    );
    let record = RECORD.replace("H6 FA.M", "A1 FAXM");
    session.say(&json!({"id": "s", "gcg": record, "turns": [1, 2], "mode": "gen"}));
    check_schema(&session.next());
    let answer = session.next();
    assert_eq!(
        (&answer["turn"], &answer["error"]["field"]),
        (&json!(2), &json!("gcg"))
    );
    assert!(
        answer["error"]["text"]
            .as_str()
            .unwrap()
            .starts_with("line 4: "),
        "{answer}"
    );
}

/// In a game that is told with all racks the player on turn must not know those of others.
#[test]
fn racks_of_others_are_not_used() {
    let mut session = Session::start();
    let hidden = ["8F.HORN", "H6.FARM.AFMRTUW", "pass"];
    let moves = json!(["8F.HORN.AEHNORT", "H6.FARM.AFMRTUW", "pass"]);
    let query = |moves: &Value| json!({"id": "q", "moves": moves, "turns": [1], "iterations": 20, "candidates": 5});
    let told = session.ask(&query(&moves));
    check_schema(&told);
    let told = timeless(told);
    assert_eq!(timeless(session.ask(&query(&json!(hidden)))), told);
    let record = json!({"id": "q", "gcg": RECORD, "turns": [1], "iterations": 20, "candidates": 5});
    let replayed = timeless(session.ask(&record));
    // The record has other scores, since its scorekeeper may have erred, but the racks are the same.
    assert_eq!(replayed["candidates"], told["candidates"]);
}
