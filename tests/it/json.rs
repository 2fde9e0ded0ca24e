//! The JSON protocol: protocol.md is true, each turn of a query has exactly one final answer, and
//! answers do not depend on each other.

mod challenges;
mod errors;
mod fuzz;
mod games;
mod played;
mod review;
mod sampled;
mod schema;
mod table;

use crate::sessions::{assert_table_rows, document, matches};
use crate::support::{Client, code_blocks};
use schema::{check_answer, check_published, fields};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A session in JSON.
struct Session(Client);

impl Session {
    fn start() -> Session {
        Session(Client::start_with(&["--json"]))
    }

    fn say(&mut self, object: &Value) {
        self.0.say(&object.to_string());
    }

    /// The next answer; every one must be as the published schema says.
    fn next(&mut self) -> Value {
        let answer = parse(&self.0.next_line());
        check_published(&answer);
        answer
    }

    /// The next answer with this id; it skips others.
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

    /// Ends the input, and returns all remaining answers.
    fn close(self) -> Vec<Value> {
        let answers: Vec<Value> = self.0.close().iter().map(|line| parse(line)).collect();
        answers.iter().for_each(check_published);
        answers
    }
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// Fails unless an answer has these fields, among others.
fn assert_has(answer: &Value, fields: &Value) {
    match fields.as_object() {
        Some(fields) => fields
            .iter()
            .for_each(|(name, value)| assert_has(&answer[name], value)),
        None => assert_eq!(answer, fields),
    }
}

/// How often each turn of each query has a final answer.
fn finals(answers: &[Value]) -> BTreeMap<(String, u64), usize> {
    let mut finals = BTreeMap::new();
    for answer in answers.iter().filter(|answer| answer["final"] == true) {
        let id = answer["id"].as_str().expect("an id").to_string();
        let turn = answer["turn"].as_u64().expect("a turn");
        *finals.entry((id, turn)).or_default() += 1;
    }
    finals
}

/// An answer without its time, which depends on the machine.
fn timeless(mut answer: Value) -> Value {
    answer["elapsed"] = Value::Null;
    answer
}

// ---- the document -------------------------------------------------------

/// The blocks marked `json-session`: each message with its line number and whether the client sends
/// it.
fn sessions() -> Vec<Vec<(usize, bool, String)>> {
    let messages = |block: Vec<(usize, String)>| {
        let mut messages: Vec<(usize, bool, String)> = Vec::new();
        for (at, line) in block {
            match line.split_at_checked(2) {
                Some((sign @ ("> " | "< "), text)) => {
                    messages.push((at, sign == "> ", text.to_string()));
                }
                // A message that is too long for a line goes on, indented.
                Some(("  ", more)) => messages.last_mut().unwrap().2 += more.trim_start(),
                _ => panic!("protocol.md line {at}: {line}"),
            }
        }
        messages
    };
    let blocks = code_blocks(&document(), "json-session");
    blocks.into_iter().map(messages).collect()
}

/// Whether an answer has exactly the fields and values that the document says. `"…"` stands for any
/// value, `…` within a text for any text, and `"…"` at the end of a list for any more elements.
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
    assert_table_rows(section, &["action", "bad-json", "bad-field"]);
    for (kind, definition) in [
        ("query", "QueryFields"),
        ("answer", "TurnAnswer"),
        ("answer", "CandidateObject"),
        ("answer", "ValueObject"),
        ("answer", "SampledObject"),
        ("answer", "CheckObject"),
    ] {
        assert_table_rows(section, &fields(kind, definition));
    }
}

/// The first moves of a game, with their racks.
const GAME: [&str; 4] = [
    "8F.HORN.AEHNORT",
    "H6.FARM.AFMRTUW",
    "10F.PASTE.AEPSTTB",
    "9H.MOB.BMORTUW",
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
    // The same query has the same answer, whatever other queries come in between.
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
        let best = &answer["candidates"][0];
        let equity = if first_win { Value::Null } else { json!(22.0) };
        assert_eq!(answer["solved"], true, "{answer}");
        assert_has(
            best,
            &json!({"kind": "exact", "win": 100.0, "equity": equity}),
        );
    }
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
        check_answer(&standing);
        assert_has(&standing, &json!({"id": "long", "final": false}));
        assert!(standing["iterations"].as_u64() > Some(iterations));
        iterations = standing["iterations"].as_u64().unwrap();
    }
    // What has not begun ends at once, with nothing found.
    session.say(&json!({"id": "t", "action": "terminate", "terminate": "next"}));
    let ended = json!({"id": "t", "action": "terminate", "terminate": "next", "turns": 3});
    assert_eq!(session.next_of("t"), ended);
    for turn in [0, 2, 3] {
        let answer = session.next_of("next");
        check_answer(&answer);
        assert_has(
            &answer,
            &json!({"turn": turn, "terminated": true, "best": null}),
        );
    }
    // What goes on ends with what it has.
    session.say(&json!({"id": "u", "action": "terminate", "terminate": "long"}));
    assert_eq!(session.next_of("u")["turns"], 1);
    let last = loop {
        let answer = session.next();
        check_answer(&answer);
        assert_eq!(answer["id"], "long");
        if answer["final"] == true {
            break answer;
        }
    };
    assert_eq!(last["terminated"], true);
    assert!(last["iterations"].as_u64() >= Some(iterations));
    assert_eq!(last["best"], last["candidates"][0]["move"]);
    assert_has(&session.next(), &json!({"id": "last", "terminated": false}));
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
    let mut ends = answers.iter().filter(|answer| answer["final"] == true);
    assert!(ends.all(|answer| answer["terminated"] == true));
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
    let leaves_none = json!({"leaves": "none"});
    let wrong = "Players is '9', it must be a whole number from 2 to 4";
    let expected = [
        json!({"id": "before", "best": "8D.KNAVE"}),
        json!({"id": "o", "action": "setoption", "name": "Leaves", "value": "none"}),
        json!({"id": "after", "best": "8D.KNAVES", "provenance": leaves_none}),
        json!({"id": null, "error": {"code": "data"}}),
        json!({"id": "p", "error": {"field": "value", "text": wrong}}),
    ];
    assert_eq!(answers.len(), expected.len());
    for (answer, fields) in answers.iter().zip(&expected) {
        assert_has(answer, fields);
    }
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

/// A record with a challenge and an exchange.
const RECORD: &str = "#player1 ann Ann\n#player2 bob Bob\n\
    >bob: AEHNORT 8F HORN +14 14\n\
    >ann: AFMRTUW H6 FA.M +9 9\n\
    >bob: AEPSTTX 10F PTSAE +25 39\n\
    >bob: AEPSTTX -- -25 14\n\
    >ann: BMRTUUW -UU +0 9\n";
