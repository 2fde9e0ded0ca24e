//! The document as JSON for the page: without what is empty, and small enough.

use super::super::document::{ReviewDocument, ReviewIndex, ReviewedMove, ReviewedTurn};
use super::text::escape_json;
use serde::Serialize;
use serde_json::{Number, Value};

/// The size of a page in bytes that must not be exceeded.
const MAX_PAGE_BYTES: usize = 1_000_000;

/// The factor that figures are rounded by: three decimals, more than any output shows.
const FIGURE_STEPS: f64 = 1000.0;

/// The fields that hold changes of squares, which are written as lists.
const SQUARE_FIELDS: [&str; 2] = ["changes", "tiles"];

/// The field that may be absent, which is not the same as `false`.
const OUTCOME_FIELD: &str = "won";

/// What a page leaves out, step by step, until it is small enough.
const REDUCTIONS: [(&str, Reduction); 5] = [
    (
        "replies and draws of all candidates but the best and the one played",
        |turn| only_main(turn, |it| (it.replies, it.draws) = (Vec::new(), None)),
    ),
    (
        "all candidates after the tenth but the one played",
        |turn| {
            keep_first(turn, 10);
        },
    ),
    (
        "all candidates after the fifth but the one played",
        |turn| {
            keep_first(turn, 5);
        },
    ),
    ("all replies, draws and proved lines", |turn| {
        for candidate in &mut turn.candidates {
            (candidate.replies, candidate.line) = (Vec::new(), Vec::new());
            candidate.draws = None;
        }
    }),
    ("all candidates", |turn| turn.candidates.clear()),
];

/// Takes something off a turn.
type Reduction = fn(&mut ReviewedTurn);

/// The data of a game for a page that has this many bytes without it.
pub(super) fn game(document: &ReviewDocument, frame: usize) -> String {
    let room = MAX_PAGE_BYTES.saturating_sub(frame);
    let mut data = packed(document);
    let mut document = document.clone();
    for (what, reduce) in REDUCTIONS {
        if data.len() < room {
            break;
        }
        document.turns.iter_mut().for_each(reduce);
        let note = format!("the page would be too large, so it leaves out {what}");
        document.findings.push(note);
        data = packed(&document);
    }
    data
}

/// The data of an index.
pub(super) fn index(index: &ReviewIndex) -> String {
    packed(index)
}

/// Changes all candidates of a turn but the best and the one that was played.
fn only_main(turn: &mut ReviewedTurn, change: fn(&mut ReviewedMove)) {
    let others = turn.candidates.iter_mut().skip(1);
    others.filter(|it| !it.played).for_each(change);
}

/// Leaves only the first candidates of a turn, and the one that was played.
fn keep_first(turn: &mut ReviewedTurn, count: usize) {
    let mut place = 0;
    turn.candidates.retain(|candidate| {
        place += 1;
        place <= count || candidate.played
    });
}

/// Any data as JSON for a script element.
fn packed(data: &impl Serialize) -> String {
    // A document has texts as keys and nothing that JSON lacks; figures that are no numbers
    // become null.
    let value = serde_json::to_value(data).unwrap_or(Value::Null);
    escape_json(&pack(value).to_string())
}

/// A value without empty fields, with rounded figures and short squares.
fn pack(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| match value {
                Value::Array(squares) if SQUARE_FIELDS.contains(&name.as_str()) => {
                    (name, squares.into_iter().map(pack_square).collect())
                }
                value => (name, pack(value)),
            });
            let says = |(name, value): &(String, Value)| {
                !is_empty(value) || (name == OUTCOME_FIELD && value.is_boolean())
            };
            Value::Object(fields.filter(says).collect())
        }
        Value::Array(values) => values.into_iter().map(pack).collect(),
        Value::Number(number) => Value::Number(rounded(number)),
        value => value,
    }
}

/// A change of a square as a list: square, letter, value, and 1 for a blank.
fn pack_square(square: Value) -> Value {
    let field = |name: &str| square.get(name).cloned().unwrap_or(Value::Null);
    let mut list = vec![field("square"), field("face"), field("value")];
    if field("blank") == Value::Bool(true) {
        list.push(Value::from(1));
    }
    Value::Array(list)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

fn rounded(number: Number) -> Number {
    let float = number.as_f64().filter(|_| number.is_f64());
    let rounded = float.map(|value| (value * FIGURE_STEPS).round() / FIGURE_STEPS);
    rounded.and_then(Number::from_f64).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{ReviewFigure, SquareTile, page::game_page};

    #[test]
    fn empty_fields_are_left_out_and_squares_are_lists() {
        let turn = ReviewedTurn {
            number: 3,
            win: Some(ReviewFigure {
                value: 54.199_999_9,
                error: None,
            }),
            changes: vec![SquareTile {
                square: 7,
                face: Some("Q".to_string()),
                value: 0,
                blank: true,
            }],
            ..ReviewedTurn::default()
        };
        let packed: Value = serde_json::from_str(&packed(&turn)).unwrap();
        assert_eq!(packed["win"], serde_json::json!({"value": 54.2}));
        assert_eq!(packed["changes"], serde_json::json!([[7, "Q", 0, 1]]));
        assert!(packed.get("notes").is_none() && packed.get("unknown").is_some());
    }

    #[test]
    fn a_page_stays_below_its_limit() {
        let candidate = ReviewedMove {
            line: vec!["8D FLYING".to_string(); 40],
            ..ReviewedMove::default()
        };
        let turn = ReviewedTurn {
            candidates: vec![candidate; 60],
            ..ReviewedTurn::default()
        };
        let document = ReviewDocument {
            turns: vec![turn; 40],
            ..ReviewDocument::default()
        };
        let page = game_page(&document);
        assert!(page.len() < MAX_PAGE_BYTES, "{} bytes", page.len());
        assert!(page.contains("after the tenth"));
        assert!(!page.contains("after the fifth"));
    }
}
