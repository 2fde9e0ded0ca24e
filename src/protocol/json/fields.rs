//! The fields of an object that a client sends: each is taken once and checked for its type.

use crate::notation::gcg::MAX_EVENTS;
use crate::siu::{CommandError, MAX_ERROR_CHARS};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ErrorObject")]
pub(super) struct QueryError {
    /// The code, for programs.
    pub code: &'static str,
    /// The field that is wrong.
    pub field: Option<&'static str>,
    /// What is wrong, for people.
    pub text: String,
}

impl QueryError {
    /// An error, its text cut to a length that a client can expect.
    pub fn new(
        code: &'static str,
        field: impl Into<Option<&'static str>>,
        text: impl ToString,
    ) -> QueryError {
        QueryError {
            code,
            field: field.into(),
            text: text.to_string().chars().take(MAX_ERROR_CHARS).collect(),
        }
    }
}

/// The most characters of a client's text that an error or a warning quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 40;
/// The largest whole number up to which every whole number has a floating-point value of its own:
/// 2^53.
const MAX_EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// The fields of an object that have not been read yet. Fields left at the end are unknown; in a
/// query the first of them give warnings.
pub(super) struct FieldReader(pub Map<String, Value>);

impl FieldReader {
    /// Takes a field; one that is null counts as left out.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// Reads a field; an error says what is `expected`.
    pub fn field<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, QueryError> {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        let read = read(&value).ok_or_else(|| wrong_type(name, expected, &value));
        read.map(Some)
    }

    pub fn text(&mut self, name: &'static str) -> Result<Option<String>, QueryError> {
        self.field(name, "a text", |value| value.as_str().map(String::from))
    }

    pub fn needed(&mut self, name: &'static str) -> Result<String, QueryError> {
        self.text(name)?.ok_or_else(|| missing(name))
    }

    pub fn texts(&mut self, name: &'static str) -> Result<Option<Vec<String>>, QueryError> {
        let value = self.take(name);
        value.map(|value| texts(name, &value)).transpose()
    }

    pub fn number(
        &mut self,
        name: &'static str,
        low: u64,
        high: u64,
    ) -> Result<Option<u64>, QueryError> {
        let value = self.take(name);
        value
            .map(|value| number(name, &value, low, high))
            .transpose()
    }
}

/// A list of moves or words.
pub(super) fn texts(name: &'static str, value: &Value) -> Result<Vec<String>, QueryError> {
    let expected = "a list of texts";
    let list = value.as_array();
    let list = list.ok_or_else(|| wrong_type(name, expected, value))?;
    if list.len() > MAX_EVENTS {
        let text = format!("{name} has {} items, the limit is {MAX_EVENTS}", list.len());
        return Err(QueryError::new("bad-field", name, text));
    }
    let text = |value: &Value| {
        let text = value.as_str().map(String::from);
        text.ok_or_else(|| wrong_type(name, expected, value))
    };
    list.iter().map(text).collect()
}

/// A whole number within limits, however it is written: 1000, 1000.0 or 1e3.
fn number(name: &'static str, value: &Value, low: u64, high: u64) -> Result<u64, QueryError> {
    let n = whole_number(value).filter(|n| (low..=high).contains(n));
    n.ok_or_else(|| {
        let error = CommandError::NotANumber {
            name: name.to_string(),
            got: cut(&value.to_string()),
            limits: (low.into(), high.into()),
        };
        QueryError::new("bad-number", name, error)
    })
}

/// The error about a field that must be there.
pub(super) fn missing(name: &'static str) -> QueryError {
    QueryError::new("bad-field", name, format!("{name} is missing"))
}

/// The error about a field of the wrong type.
pub(super) fn wrong_type(name: &'static str, expected: &str, got: &Value) -> QueryError {
    let text = format!("{name} is {}, it must be {expected}", cut(&got.to_string()));
    QueryError::new("bad-field", name, text)
}

/// The error about a part of a field, such as an item of a list.
pub(super) fn wrong_item(name: &'static str, item: &str, expected: &str) -> QueryError {
    let text = format!("{name} has {}, it must be {expected}", cut(item));
    QueryError::new("bad-field", name, text)
}

/// The beginning of a client's text, short enough for an answer.
pub(super) fn cut(text: &str) -> String {
    text.chars().take(MAX_QUOTED_CHARS).collect()
}

/// A number that is whole and not negative, however it is written.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let is_whole = |float: &f64| float.fract() == 0.0 && (0.0..=MAX_EXACT_FLOAT).contains(float);
    let from_float = || value.as_f64().filter(is_whole).map(|float| float as u64);
    value.as_u64().or_else(from_float)
}
