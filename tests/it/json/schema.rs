//! The fields of answers, and the published JSON Schema.

use super::{Session, assert_has, keys};
use crate::support::repository;
use serde_json::{Value, json};

/// The published fields of a type of the schema.
pub fn fields(kind: &str, definition: &str) -> Vec<String> {
    let properties = &schema(kind)["$defs"][definition]["properties"];
    keys(properties).into_iter().map(String::from).collect()
}

/// Checks an answer with candidates: its figures agree with each other. [`check_published`] has
/// checked its fields and their types.
pub fn check_answer(answer: &Value) {
    check_published(answer);
    assert!(answer.get("error").is_none(), "{answer}");
    assert!(answer["provenance"].is_null() || answer["best"].is_string());
    for candidate in answer["candidates"].as_array().unwrap() {
        check_candidate(candidate);
    }
}

fn check_candidate(candidate: &Value) {
    let kinds = ["estimate", "exact"].map(Value::from);
    assert!(kinds.contains(&candidate["kind"]), "{candidate}");
    let is_solved = candidate["line"] != json!([]);
    let played = candidate["iterations"] != 0 || is_solved;
    assert_eq!(candidate["equity"].is_f64(), played, "{candidate}");
    // Who wins is not known of every line of an ending.
    assert!(
        candidate["win"].is_f64() == played || is_solved,
        "{candidate}"
    );
    let part = |name: &str| candidate["static"][name].as_f64().unwrap();
    let blanks = candidate["static"]
        .get("blanks")
        .map_or(0.0, |part| part.as_f64().unwrap());
    let parts = part("kept") + part("opening") + blanks + part("ending");
    let sum = candidate["score"].as_f64().unwrap() + parts;
    assert!((part("equity") - sum).abs() < 1e-6, "{candidate}");
}

#[test]
fn answers_have_exactly_these_fields() {
    let mut session = Session::start();
    let ranked = session.ask(&json!({"id": "r", "rack": "AEINRST", "mode": "gen"}));
    check_answer(&ranked);
    assert_eq!(ranked["final"], true);
    assert_eq!(ranked["candidates"].as_array().unwrap().len(), 40);
    let simulated = session.ask(&json!({
        "id": "s", "rack": "AEINRST", "candidates": 3, "iterations": 30,
        "alsosearchmoves": ["8H.TIRNA"],
    }));
    check_answer(&simulated);
    assert!(simulated["rollouts"].as_u64() > simulated["iterations"].as_u64());
    let candidates = simulated["candidates"].as_array().unwrap();
    let asked = candidates.iter().find(|found| found["asked"] == true);
    assert_eq!(asked.unwrap()["valid"], false);
    assert!(candidates.iter().all(|found| !found["reply"].is_null()));
    // Stopped before anything was played out.
    let cut = session.ask(&json!({"id": "c", "rack": "AEINRST", "movetime": 0}));
    check_answer(&cut);
    assert_eq!(cut["iterations"], 0);
    // The game is over.
    let over =
        session.ask(&json!({"id": "o", "moves": ["pass", "pass", "pass", "pass", "pass", "pass"]}));
    check_answer(&over);
    assert_has(&over, &json!({"best": "pass", "candidates": []}));
    // All tiles are known, and a move goes out.
    let path = repository("tests/golden/gcg/out_twice.gcg");
    let record = std::fs::read_to_string(path).unwrap();
    let exact = session.ask(&json!({
        "id": "e", "gcg": record, "turns": [21], "alsosearchmoves": ["J3.ANCTKOAR"],
    }));
    check_answer(&exact);
    let mut candidates = exact["candidates"].as_array().unwrap().iter();
    let out = candidates.find(|found| found["asked"] == true).unwrap();
    let fields = json!({"kind": "exact", "winError": 0.0, "score": 93, "plies": []});
    assert_has(out, &fields);
    let refused = session.ask(&json!({"id": "x", "moves": 7}));
    assert_eq!(keys(&refused), ["error", "id", "warnings"]);
    let failed = session.ask(&json!({"id": "y"}));
    assert_eq!(keys(&failed), ["error", "final", "id", "turn", "warnings"]);
    assert_eq!(failed["error"]["field"], "rack");
    assert_eq!(session.close(), [Value::Null; 0]);
}

// ---- the published schema -----------------------------------------------

/// Finds where a value violates a JSON Schema. It knows the keywords that our schemas use and
/// panics at any other, so that it never accepts a value by mistake. An object may have no other
/// fields than those of its schema.
fn violation(schema: &Value, value: &Value, root: &Value) -> Option<String> {
    let keywords = schema.as_object().into_iter().flatten();
    keywords
        .into_iter()
        .find_map(|(keyword, limit)| match keyword.as_str() {
            "$ref" => {
                let path = limit.as_str().unwrap().trim_start_matches('#');
                violation(root.pointer(path).expect("a definition"), value, root)
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                items.find_map(|item| violation(limit, item, root))
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                let mut pairs = limit.as_array().into_iter().flatten().zip(items);
                pairs.find_map(|(limit, item)| violation(limit, item, root))
            }
            "properties" => {
                let mut fields = value.as_object().into_iter().flatten();
                fields.find_map(|(name, value)| match limit.get(name) {
                    Some(schema) => violation(schema, value, root),
                    None => Some(format!("unknown field {name}")),
                })
            }
            "additionalProperties" => {
                let mut values = value.as_object().into_iter().flatten();
                values.find_map(|(_, value)| violation(limit, value, root))
            }
            "anyOf" | "oneOf" => {
                let choices = limit.as_array().unwrap().iter();
                let fitting = choices.filter(|choice| violation(choice, value, root).is_none());
                let count = fitting.count();
                let fits = count == 1 || count > 1 && keyword == "anyOf";
                (!fits).then(|| format!("{count} of {keyword} fit {value}"))
            }
            _ => is_broken(keyword, limit, value).then(|| format!("{keyword} {limit} at {value}")),
        })
}

/// Whether a value breaks a keyword that needs no other schema.
fn is_broken(keyword: &str, limit: &Value, value: &Value) -> bool {
    let limit_number = || limit.as_f64().expect("a number");
    let list = limit.as_array().into_iter().flatten();
    let mut names = list.map(|name| name.as_str().unwrap());
    let items = || value.as_array().map(|list| list.len() as f64);
    match keyword {
        "$schema" | "$defs" | "title" | "description" | "default" | "format" => false,
        "type" if limit.is_string() => !has_type(value, limit.as_str().unwrap()),
        "type" => !names.any(|name| has_type(value, name)),
        "const" => limit != value,
        "enum" => !limit.as_array().unwrap().contains(value),
        "minimum" => value.as_f64().is_some_and(|n| n < limit_number()),
        "maximum" => value.as_f64().is_some_and(|n| n > limit_number()),
        "minItems" => items().is_some_and(|n| n < limit_number()),
        "maxItems" => items().is_some_and(|n| n > limit_number()),
        "maxLength" => value
            .as_str()
            .is_some_and(|text| text.chars().count() as f64 > limit_number()),
        "required" => value.is_object() && names.any(|name| value.get(name).is_none()),
        other => panic!("the validator does not know the keyword {other}"),
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}

fn schema(kind: &str) -> Value {
    let schema = match kind {
        "query" => cazique::protocol::json::query_schema(),
        _ => cazique::protocol::json::answer_schema(),
    };
    serde_json::to_value(schema).unwrap()
}

/// Fields may be added, but a client must be able to rely on those that are published.
#[test]
fn the_published_schemas_are_those_of_the_program() {
    for kind in ["query", "answer"] {
        let path = repository(&format!("docs/json-{kind}.schema.json"));
        let published = std::fs::read_to_string(path).unwrap_or_default();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_cazique"))
            .arg(format!("--json-schema={kind}"))
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            printed, published,
            "run: cazique --json-schema={kind} > docs/json-{kind}.schema.json"
        );
    }
}

#[test]
fn the_schema_of_queries_has_the_fields_that_are_read() {
    let schema = schema("query");
    // A field that the reader does not know would be named in the warnings.
    let mut query = json!({"id": "a", "rack": "AEINRS", "challenge": false, "mode": "auto", "movetime": 1000, "iterations": 1,
        "candidates": 1, "plies": 1, "stopcondition": 99, "firstwin": false, "seed": 1, "threads": 1, "turns": [0],
        "turnMoves": {"0": ["pass"]}, "eyes": "mover", "racks": 1, "moves": [], "searchmoves": [], "alsosearchmoves": [], "reportEvery": 1000, "cgp": null, "gcg": null, "luck": null});
    assert_eq!(keys(&query), fields("query", "QueryFields"));
    assert_eq!(violation(&schema, &query, &schema), None);
    assert_eq!(Session::start().ask(&query)["warnings"], json!([]));
    query["turns"] = json!("all");
    assert_eq!(violation(&schema, &query, &schema), None);
    query["movetime"] = json!("soon");
    assert!(violation(&schema, &query, &schema).is_some());
    for action in [
        json!({"action": "version"}),
        json!({"id": "o", "action": "setoption", "name": "Threads", "value": 2}),
        json!({"id": "t", "action": "terminate", "terminate": "a"}),
        json!({"action": "state", "moves": ["pass"], "turn": 0, "eyes": "all"}),
        json!({"action": "check", "words": ["HELLO"], "gcg": null}),
        json!({"action": "challenge", "moves": ["8F.HORX"], "by": 2, "words": ["HORX"]}),
    ] {
        assert_eq!(violation(&schema, &action, &schema), None);
    }
}

/// Fails unless an answer is as the published schema says.
pub fn check_published(answer: &Value) {
    static SCHEMA: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| schema("answer"));
    assert_eq!(violation(&SCHEMA, answer, &SCHEMA), None, "{answer}");
}
