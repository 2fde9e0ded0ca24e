//! Hostile lines: each gets the right number of answers, and none ends the session.

use super::{GAME, RECORD, Session};
use crate::fuzz::line_count;
use cazique::seed::Seed;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The number of lines, unless `CAZIQUE_FUZZ_LINES` says otherwise. Chosen for its time.
const DEFAULT_LINES: usize = 4_000;
/// The time limit of a mutated query, in milliseconds. Chosen for its time.
const MAX_MOVE_TIME_MS: u64 = 5;

#[test]
fn hostile_lines_are_each_answered_once() {
    let count = line_count(DEFAULT_LINES);
    let mut chance = Seed(28).generator();
    let corpus = corpus();
    let mut session = Session::start();
    let mut sent = BTreeMap::new();
    let mut anonymous = 0;
    for at in 0..count {
        let line = tamed(mutated(&corpus, &mut chance), &format!("n{at}"));
        match object(&line) {
            Some(object) if object["id"].is_string() => {
                sent.insert(format!("n{at}"), object);
            }
            _ if str::from_utf8(&line).is_ok_and(|text| text.trim().is_empty()) => {}
            _ => anonymous += 1,
        }
        session.0.send(&[line, b"\n".to_vec()].concat());
    }
    let known = json!({"id": "known", "rack": "AEINRST", "mode": "gen", "candidates": 1});
    for (name, value) in [("Players", 2), ("Candidates", 40)] {
        session.say(&json!({"id": "set", "action": "setoption", "name": name, "value": value}));
    }
    session.say(&known);
    let answers = session.close();
    let mut by_id: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for answer in &answers {
        let id = answer["id"].as_str().unwrap_or("nobody");
        by_id.entry(id).or_default().push(answer);
    }
    assert_eq!(by_id["known"][0]["best"], "8B.ANESTRI");
    let nobody = by_id.get("nobody").map_or(0, Vec::len);
    assert_eq!(nobody, anonymous, "answers without an id");
    for (id, object) in &sent {
        let answers = by_id
            .get(id.as_str())
            .unwrap_or_else(|| panic!("no answer to {object}"));
        check_answers(object, answers);
    }
    // The searches must not all have been refused.
    let searched = answers.iter().filter(|answer| answer["best"].is_string());
    assert!(searched.count() > count / 10);
}

/// Checks that there is one answer to the whole line, or one final answer for each turn.
fn check_answers(object: &Value, answers: &[&Value]) {
    let is_whole = |answer: &Value| answer["turn"].is_null() || answer["action"].is_string();
    let whole = answers.iter().filter(|answer| is_whole(answer));
    if whole.count() > 0 {
        assert_eq!(answers.len(), 1, "{object} {answers:?}");
        return;
    }
    let ends = answers.iter().filter(|answer| answer["final"] == true);
    let ends: Vec<u64> = ends
        .map(|answer| answer["turn"].as_u64().unwrap())
        .collect();
    let turns: BTreeSet<u64> = ends.iter().copied().collect();
    assert_eq!(turns.len(), ends.len(), "{object} {answers:?}");
    let asked: Option<BTreeSet<u64>> = object["turns"]
        .as_array()
        .map(|asked| asked.iter().filter_map(Value::as_u64).collect());
    match asked {
        None if object["turns"] == "all" => assert!(!turns.is_empty(), "{object}"),
        Some(asked) => assert_eq!(turns, asked, "{object}"),
        None => assert_eq!(turns.len(), 1, "{object}"),
    }
}

/// A late position with known racks.
const POSITION: &str =
    "15/15/15/15/15/15/15/3QUIZ8/15/15/15/15/15/15/15 AS/E 300/310 0 ld english;";

fn corpus() -> Vec<String> {
    let queries = [
        json!({"id": "a", "rack": "AEINRST", "mode": "gen", "candidates": 2}),
        json!({"id": "b", "rack": "AEINR??", "candidates": 2, "iterations": 3, "plies": 2, "seed": 9}),
        json!({"id": "c", "moves": GAME, "turns": [0, 2, 3], "mode": "gen", "candidates": 1}),
        json!({"id": "d", "moves": GAME, "rack": "AEINRST", "mode": "auto", "reportEvery": 1}),
        json!({"id": "e", "gcg": RECORD, "turns": [0, 1, 3], "mode": "gen", "candidates": 1}),
        json!({"id": "f", "gcg": RECORD, "rack": "AEINRST", "mode": "sim", "stopcondition": 95}),
        json!({"id": "g", "cgp": POSITION, "threads": 2}),
        json!({"id": "h", "cgp": POSITION, "moves": ["pass", "rack.E"], "turns": [0, 1], "mode": "gen"}),
        json!({"id": "i", "rack": "AEINRST", "mode": "gen", "searchmoves": ["8H.TRAIN", "pass"]}),
        json!({"id": "j", "rack": "AEINRST", "mode": "gen", "alsosearchmoves": ["8H.TIRNA", "ex.AE"]}),
        json!({"id": "k", "action": "version"}),
        json!({"id": "p", "moves": GAME, "turns": "all", "mode": "gen", "candidates": 1}),
        json!({"id": "q", "moves": ["8F.HORN.HORN", "H6.FARM"], "turns": "all", "mode": "gen",
            "racks": 2, "turnMoves": {"0": ["8G.HORN"]}, "eyes": "all"}),
        json!({"id": "r", "action": "state", "gcg": RECORD, "turn": 2}),
        json!({"id": "s", "action": "check", "moves": GAME, "rack": "AEINRST", "move": "ex.AE"}),
        json!({"id": "t", "action": "check", "words": ["HELLO", "ZZZ"]}),
        json!({"id": "l", "action": "terminate", "terminate": "n17"}),
        json!({"id": "m", "action": "setoption", "name": "Candidates", "value": 3}),
        json!({"id": "n", "action": "setoption", "name": "Players", "value": "3"}),
        json!({"action": "version", "colour": {"of": ["the", "moon"]}}),
    ];
    queries.iter().map(Value::to_string).collect()
}

fn mutated(corpus: &[String], chance: &mut Pcg64Mcg) -> Vec<u8> {
    let any = |chance: &mut Pcg64Mcg| &corpus[chance.random_range(0..corpus.len())];
    let mut line = any(chance).clone().into_bytes();
    for _ in 0..chance.random_range(0..4) {
        let at = chance.random_range(0..=line.len());
        match chance.random_range(0..7) {
            0 => line.truncate(at),
            1 if at < line.len() => line[at] ^= 1 << chance.random_range(0..8),
            2 => {
                let end = (at + chance.random_range(0..12)).min(line.len());
                line.drain(at..end);
            }
            3 => {
                let odd = ODD[chance.random_range(0..ODD.len())];
                line.splice(at..at, odd.bytes());
            }
            4 => {
                let other = any(chance).as_bytes();
                let from = chance.random_range(0..other.len());
                let end = (from + chance.random_range(0..30)).min(other.len());
                line.splice(at..at, other[from..end].iter().copied());
            }
            _ => line = with_changed_field(line, chance),
        }
    }
    line.retain(|byte| *byte != b'\n');
    line
}

/// Gives a field a random value, mostly of the wrong type.
fn with_changed_field(line: Vec<u8>, chance: &mut Pcg64Mcg) -> Vec<u8> {
    let Some(mut object) = object(&line) else {
        return line;
    };
    let fields = object.as_object_mut().expect("an object");
    let names: Vec<String> = fields.keys().cloned().collect();
    if !names.is_empty() {
        let name = &names[chance.random_range(0..names.len())];
        let odd = json!([null, true, -1, 0, 1.5, u64::MAX, 1e300, "", "pass", [], [0, 1],
            ["pass", "pass"], {"a": {"b": []}}]);
        let odd = odd.as_array().unwrap();
        fields[name] = odd[chance.random_range(0..odd.len())].clone();
    }
    object.to_string().into_bytes()
}

/// Text that breaks JSON in most places.
const ODD: [&str; 14] = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "1e999", "-0", "\\u0000", "é", "\r",
];

/// Gives a line a unique id, and a time limit to its search.
fn tamed(line: Vec<u8>, id: &str) -> Vec<u8> {
    let Some(mut object) = object(&line) else {
        return line;
    };
    if object["id"].is_string() {
        object["id"] = json!(id);
    }
    let time = &object["movetime"];
    if time.is_null() || time.as_u64().is_some_and(|time| time > MAX_MOVE_TIME_MS) {
        object["movetime"] = json!(MAX_MOVE_TIME_MS);
    }
    object.to_string().into_bytes()
}

/// The object of a line, if it is one.
fn object(line: &[u8]) -> Option<Value> {
    let text = str::from_utf8(line).ok()?;
    let value: Value = serde_json::from_str(text).ok()?;
    value.is_object().then_some(value)
}
