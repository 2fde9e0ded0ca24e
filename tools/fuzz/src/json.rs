//! The JSON protocol: every line is answered, each query by one final answer for every turn.

use crate::{is_harmless_option, quick_engine};
use cazique::protocol::json;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// The most lines of a session that are sent. Chosen by hand.
const MAX_LINES: usize = 8;
/// The most iterations of a search. Chosen for its time.
const MAX_ITERATIONS: u64 = 2;
/// The time limit of a search, in milliseconds: enough for [`MAX_ITERATIONS`] of most searches.
const MAX_MOVE_TIME_MS: u64 = 50;

pub fn law(bytes: &[u8]) -> bool {
    // A byte order mark before the first line is skipped, and the line might then do harm: so the
    // first line is blank.
    let mut input = b"\n".to_vec();
    let (mut queries, mut anonymous) = (BTreeMap::new(), 0);
    let lines = bytes.split(|&byte| byte == b'\n').take(MAX_LINES);
    for (at, line) in lines.enumerate() {
        let line = match object(line) {
            None => line.to_vec(),
            Some(object) => match tamed(object, &format!("n{at}")) {
                None => continue,
                Some(object) => {
                    let line = Value::from(object.clone()).to_string();
                    if object["id"].is_string() {
                        queries.insert(format!("n{at}"), object);
                    } else {
                        anonymous += 1;
                    }
                    line.into_bytes()
                }
            },
        };
        let is_blank = str::from_utf8(&line).is_ok_and(|text| text.trim().is_empty());
        anonymous += usize::from(object(&line).is_none() && !is_blank);
        input.extend(line);
        input.push(b'\n');
    }
    let mut output = Vec::new();
    json::serve(quick_engine(), Cursor::new(input), &mut output).expect("the output takes all");
    let answers: Vec<Value> = String::from_utf8(output)
        .expect("answers are text")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    let mut by_id: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for answer in &answers {
        assert_ne!(answer["error"]["code"], "internal", "{answer}");
        let id = answer["id"].as_str().unwrap_or("nobody");
        by_id.entry(id).or_default().push(answer);
    }
    let nobody = by_id.remove("nobody").map_or(0, |answers| answers.len());
    assert_eq!(nobody, anonymous, "answers without an id");
    assert_eq!(by_id.len(), queries.len(), "{answers:?}");
    for (id, object) in queries {
        check_answers(&object, &by_id[id.as_str()]);
    }
    answers.iter().any(|answer| answer["best"].is_string())
}

/// Checks that there is one answer to an action and to a line that is refused, and one final answer
/// for each turn of a query.
fn check_answers(query: &Map<String, Value>, answers: &[&Value]) {
    let is_action = query.get("action").is_some_and(|action| !action.is_null());
    if is_action || answers.iter().any(|answer| answer["turn"].is_null()) {
        assert_eq!(answers.len(), 1, "{query:?} {answers:?}");
        return;
    }
    let ends = answers.iter().filter(|answer| answer["final"] == true);
    let ends: Vec<u64> = ends.filter_map(|answer| answer["turn"].as_u64()).collect();
    let turns: BTreeSet<u64> = ends.iter().copied().collect();
    assert_eq!(turns.len(), ends.len(), "{query:?} {answers:?}");
    match query.get("turns").filter(|turns| !turns.is_null()) {
        Some(Value::Array(asked)) => {
            let asked = asked
                .iter()
                .filter_map(Value::as_f64)
                .map(|turn| turn as u64);
            assert_eq!(turns, asked.collect(), "{query:?}");
        }
        // All turns of the game.
        Some(_) => assert!(!turns.is_empty(), "{query:?}"),
        None => assert_eq!(turns.len(), 1, "{query:?}"),
    }
}

/// The object with a unique id and small limits; `None` for an option that may not be set.
fn tamed(mut object: Map<String, Value>, id: &str) -> Option<Map<String, Value>> {
    if object
        .get("name")
        .and_then(Value::as_str)
        .is_some_and(|name| !is_harmless_option(name))
    {
        return None;
    }
    let id = match object.remove("id") {
        Some(Value::String(_)) => json!(id),
        other => other.unwrap_or(Value::Null),
    };
    object.insert("id".to_string(), id);
    for (name, limit) in [
        ("iterations", MAX_ITERATIONS),
        ("movetime", MAX_MOVE_TIME_MS),
        ("threads", 1),
    ] {
        let value = object.entry(name).or_insert(Value::Null);
        // A value of a wrong type stays as it is.
        if value.is_null() || value.as_f64().is_some_and(|n| n > limit as f64) {
            *value = json!(limit);
        }
    }
    Some(object)
}

/// The object of a line, if it is one.
fn object(line: &[u8]) -> Option<Map<String, Value>> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}
