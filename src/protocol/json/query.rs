//! Reads queries and actions: fields and their types. Whether a position or a move is legal is
//! found out later.
//!
//! Fields are read one by one and not by a derived `Deserialize`, because an error must name the
//! field, its value and its limits. `schema` has the same fields for the published JSON Schema;
//! a test compares the two.

use crate::engine::SearchRequest;
use crate::notation::gcg::{self, GameRecord, MAX_EVENTS};
use crate::notation::moves::MoveText;
use crate::siu::{
    CommandError, FIRST_WIN, MAX_ERROR_CHARS, MAX_MILLIS, MODES, NUMBERS, mode_ignores, mode_name,
    set_number,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Duration;

/// A line of a client.
#[derive(Debug)]
pub(super) enum JsonRequest {
    /// A search at one or more turns of a game.
    Query(Box<Query>),
    /// Anything else, with the id of the line if it has one.
    Action(Option<String>, JsonAction),
}

/// A search at one or more turns of a game.
#[derive(Debug)]
pub(super) struct Query {
    /// The name that the client gave it.
    pub id: String,
    /// The game.
    pub source: GameSource,
    /// The turns at which to search, in order, each once.
    pub turns: Vec<usize>,
    /// The rack of the player to move, if the game does not have it.
    pub rack: Option<String>,
    /// How to search.
    pub request: SearchRequest,
    /// The time between two answers that are not final.
    pub report_every: Option<Duration>,
    /// Fields that have no effect, for people.
    pub warnings: Vec<String>,
}

/// Where the game comes from.
#[derive(Debug)]
pub(super) enum GameSource {
    /// Moves from a position, or from the start.
    Moves {
        /// The position in CGP.
        cgp: Option<String>,
        /// The moves.
        moves: Vec<String>,
    },
    /// A game record.
    Record(GameRecord),
}

/// A request other than a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum JsonAction {
    /// Asks for name and version of the engine.
    Version,
    /// Sets an option for all queries that follow.
    SetOption {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// Ends all queries with this id.
    Terminate(String),
}

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ErrorObject")]
pub(super) struct QueryError {
    /// The code, for programs.
    code: &'static str,
    /// The field that is wrong.
    field: Option<&'static str>,
    /// What is wrong, for people.
    text: String,
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

/// The most characters of an id, which comes back in every answer. Chosen by hand.
pub(super) const MAX_ID_CHARS: usize = 200;
/// The most characters of a client's text that an error or a warning quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 40;
/// The most warnings in an answer. Chosen by hand.
pub(super) const MAX_WARNINGS: usize = 20;

impl JsonRequest {
    /// Reads a line. An error comes with the id, if one could be read.
    pub fn parse(line: &str) -> Result<JsonRequest, (Option<String>, QueryError)> {
        let value = serde_json::from_str(line).map_err(|error| {
            let text = format!("the line is not JSON: {error}");
            (None, QueryError::new("bad-json", None, text))
        })?;
        let Value::Object(object) = value else {
            let text = "the line is JSON but not an object; a query looks like {\"id\": \"a\", …}";
            return Err((None, QueryError::new("bad-json", None, text)));
        };
        let mut fields = FieldReader(object);
        let id = fields.id().map_err(|error| (None, error))?;
        let request = match fields.text("action") {
            Ok(None) => fields
                .query(id.clone())
                .map(Box::new)
                .map(JsonRequest::Query),
            Ok(Some(action)) => {
                let action = fields.action(&action);
                action.map(|action| JsonRequest::Action(id.clone(), action))
            }
            Err(error) => Err(error),
        };
        request.map_err(|error| (id, error))
    }
}

impl GameSource {
    /// The number of turns before its end.
    fn turns(&self) -> usize {
        match self {
            GameSource::Record(record) => record.turns(),
            GameSource::Moves { moves, .. } => {
                let last = moves.last().map(|last| MoveText::parse(last));
                let is_rack = matches!(last, Some(Ok(MoveText::Rack(_) | MoveText::Racks(_))));
                moves.len() - usize::from(is_rack)
            }
        }
    }
}

/// The fields of an object that have not been read yet. Fields left at the end are unknown; in a
/// query the first of them give warnings.
struct FieldReader(Map<String, Value>);

impl FieldReader {
    fn id(&mut self) -> Result<Option<String>, QueryError> {
        match self.text("id")? {
            Some(id) if id.chars().count() > MAX_ID_CHARS => {
                let text = format!(
                    "the id has {} characters, the limit is {MAX_ID_CHARS}",
                    id.chars().count()
                );
                Err(QueryError::new("bad-field", "id", text))
            }
            id => Ok(id),
        }
    }

    fn action(&mut self, action: &str) -> Result<JsonAction, QueryError> {
        match action {
            "version" => Ok(JsonAction::Version),
            "terminate" => Ok(JsonAction::Terminate(self.needed("terminate")?)),
            "setoption" => {
                let name = self.needed("name")?;
                let value = self.field("value", "a text or a number", |value| match value {
                    Value::String(value) => Some(value.clone()),
                    Value::Number(value) => Some(value.to_string()),
                    _ => None,
                })?;
                let value = value.unwrap_or_default();
                Ok(JsonAction::SetOption { name, value })
            }
            other => {
                let text = format!(
                    "there is no action '{}'; the actions are version, setoption, terminate",
                    cut(other)
                );
                Err(QueryError::new("unknown-command", "action", text))
            }
        }
    }

    fn query(&mut self, id: Option<String>) -> Result<Query, QueryError> {
        let id = id.ok_or_else(|| missing("id"))?;
        let source = self.source()?;
        let turns = self.turns(&source)?;
        let rack = self.text("rack")?;
        if rack.is_some() && turns.len() > 1 {
            let text = format!(
                "rack is for a single turn, and the query has {}; put racks into the moves or the record",
                turns.len()
            );
            return Err(QueryError::new("bad-field", "rack", text));
        }
        let mut warnings = Vec::new();
        let request = self.request(&mut warnings)?;
        let report_every = self.number("reportEvery", 1, MAX_MILLIS)?;
        let unknown = self.0.keys().take(MAX_WARNINGS);
        warnings.extend(unknown.map(|name| format!("there is no field '{}'", cut(name))));
        Ok(Query {
            id,
            source,
            turns,
            rack,
            request,
            report_every: report_every.map(Duration::from_millis),
            warnings,
        })
    }

    fn source(&mut self) -> Result<GameSource, QueryError> {
        let (cgp, moves, gcg) = (self.text("cgp")?, self.texts("moves")?, self.text("gcg")?);
        let Some(gcg) = gcg else {
            return Ok(GameSource::Moves {
                cgp,
                moves: moves.unwrap_or_default(),
            });
        };
        if cgp.is_some() || moves.is_some() {
            let text = "a record has the whole game; leave out cgp and moves";
            return Err(QueryError::new("bad-field", "gcg", text));
        }
        // A line that cannot be read may be a play: every later position would be wrong.
        match GameRecord::parse(gcg.as_bytes(), gcg::ReadMode::Strict) {
            Ok((record, _)) => Ok(GameSource::Record(record)),
            Err(problem) => Err(QueryError::new("bad-position", "gcg", problem)),
        }
    }

    /// The turns to search, in order; without the field the position after the last move.
    fn turns(&mut self, source: &GameSource) -> Result<Vec<usize>, QueryError> {
        let last = source.turns();
        let list = |value: &Value| value.as_array().filter(|list| !list.is_empty()).cloned();
        let Some(requested) = self.field("turns", "a list of at least one number", list)? else {
            return Ok(vec![last]);
        };
        let turn = |value: &Value| number("turns", value, 0, last as u64).map(|n| n as usize);
        let turns: Result<Vec<usize>, QueryError> = requested.iter().map(turn).collect();
        let mut turns = turns?;
        turns.sort_unstable();
        turns.dedup();
        Ok(turns)
    }

    /// The parameters of `go`.
    fn request(&mut self, warnings: &mut Vec<String>) -> Result<SearchRequest, QueryError> {
        let mut request = SearchRequest::default();
        if let Some(mode) = self.text("mode")? {
            let known = MODES.iter().find(|(name, _)| *name == mode);
            let (_, mode) = known.ok_or_else(|| {
                let error = CommandError::Mode(cut(&mode));
                QueryError::new("unsupported-mode", "mode", error)
            })?;
            request.mode = *mode;
        }
        let mut given = Vec::new();
        for (name, low, high) in NUMBERS {
            // The parameter `depth` of `go` has the clearer name `plies` in JSON.
            let field = if name == "depth" { "plies" } else { name };
            let Some(n) = self.number(field, low, high)? else {
                continue;
            };
            set_number(&mut request, name, n);
            given.push((name, field));
        }
        request.first_win = self
            .field(FIRST_WIN, "true or false", Value::as_bool)?
            .unwrap_or(false);
        given.extend(request.first_win.then_some((FIRST_WIN, FIRST_WIN)));
        let ineffective = given
            .into_iter()
            .filter(|(name, _)| mode_ignores(request.mode, name));
        let mode = mode_name(request.mode);
        warnings.extend(
            ineffective.map(|(_, field)| format!("{field} has no effect in the mode {mode}")),
        );
        request.only = self.texts("searchmoves")?.unwrap_or_default();
        request.also = self.texts("alsosearchmoves")?.unwrap_or_default();
        Ok(request)
    }

    /// Takes a field; one that is null counts as left out.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// Reads a field; an error says what is `expected`.
    fn field<T>(
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

    fn text(&mut self, name: &'static str) -> Result<Option<String>, QueryError> {
        self.field(name, "a text", |value| value.as_str().map(String::from))
    }

    fn needed(&mut self, name: &'static str) -> Result<String, QueryError> {
        self.text(name)?.ok_or_else(|| missing(name))
    }

    fn texts(&mut self, name: &'static str) -> Result<Option<Vec<String>>, QueryError> {
        let expected = "a list of moves";
        let Some(list) = self.field(name, expected, |value| value.as_array().cloned())? else {
            return Ok(None);
        };
        if list.len() > MAX_EVENTS {
            let text = format!("{name} has {} moves, the limit is {MAX_EVENTS}", list.len());
            return Err(QueryError::new("bad-field", name, text));
        }
        let text = |value: &Value| {
            let text = value.as_str().map(String::from);
            text.ok_or_else(|| wrong_type(name, expected, value))
        };
        list.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    fn number(
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

fn number(name: &'static str, value: &Value, low: u64, high: u64) -> Result<u64, QueryError> {
    let n = value.as_u64().filter(|n| (low..=high).contains(n));
    n.ok_or_else(|| {
        let error = CommandError::NotANumber {
            name: name.to_string(),
            got: cut(&value.to_string()),
            limits: (low.into(), high.into()),
        };
        QueryError::new("bad-number", name, error)
    })
}

fn missing(name: &'static str) -> QueryError {
    QueryError::new("bad-field", name, format!("{name} is missing"))
}

fn wrong_type(name: &'static str, expected: &str, got: &Value) -> QueryError {
    let text = format!("{name} is {}, it must be {expected}", cut(&got.to_string()));
    QueryError::new("bad-field", name, text)
}

/// The beginning of a client's text, short enough for an answer.
fn cut(text: &str) -> String {
    text.chars().take(MAX_QUOTED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks lines, each followed by ` => ` and what it is read as.
    fn check(cases: &[&str]) {
        for case in cases {
            let (line, expected) = case.split_once(" => ").unwrap();
            let got = match JsonRequest::parse(line) {
                Ok(JsonRequest::Query(query)) => {
                    format!("{} {:?} {:?}", query.id, query.turns, query.warnings)
                }
                Ok(JsonRequest::Action(id, action)) => format!("{id:?} {action:?}"),
                Err((id, error)) => {
                    let (id, field) = (id.as_deref().unwrap_or("-"), error.field.unwrap_or("-"));
                    format!("{id} {} {field}: {}", error.code, error.text)
                }
            };
            assert_eq!(got, expected, "{line}");
        }
    }

    #[test]
    fn a_query_reads_as_documented() {
        check(&[
            r#"{"id":"a"} => a [0] []"#,
            r#"{"id":"a","moves":["8D.AB","pass"]} => a [2] []"#,
            r#"{"id":"a","moves":["pass","rack.AB"]} => a [1] []"#,
            r#"{"id":"a","moves":["pass","pass"],"turns":[2,0,2],"cgp":null} => a [0, 2] []"#,
            r##"{"id":"a","gcg":"#player1 a\n#player2 b\n>a: AB 8G AB +8 8\n>a: AB -- -8 0\n>b: - +0 0\n"} => a [2] []"##,
            r#"{"action":"version"} => None Version"#,
            r#"{"id":"o","action":"setoption","name":"Threads","value":2} => Some("o") SetOption { name: "Threads", value: "2" }"#,
            r#"{"id":"t","action":"terminate","terminate":"a"} => Some("t") Terminate("a")"#,
        ]);
    }

    #[test]
    fn a_field_without_effect_is_a_warning() {
        check(&[
            r#"{"id":"a","mode":"gen","seed":7,"colour":"red"} => a [0] ["seed has no effect in the mode gen", "there is no field 'colour'"]"#,
            r#"{"id":"a","mode":"gen","firstwin":true} => a [0] ["firstwin has no effect in the mode gen"]"#,
            r#"{"id":"a","mode":"peg","plies":3,"seed":7} => a [0] ["plies has no effect in the mode peg"]"#,
        ]);
    }

    #[test]
    fn an_error_names_the_field() {
        check(&[
            r#"7 => - bad-json -: the line is JSON but not an object; a query looks like {"id": "a", …}"#,
            r#"{"rack":"A"} => - bad-field id: id is missing"#,
            r#"{"id":7} => - bad-field id: id is 7, it must be a text"#,
            r#"{"id":"a","moves":"pass"} => a bad-field moves: moves is "pass", it must be a list of moves"#,
            r#"{"id":"a","movetime":-1} => a bad-number movetime: movetime is '-1', it must be a number from 0 to 1000000000"#,
            r#"{"id":"a","turns":[1]} => a bad-number turns: turns is '1', it must be a number from 0 to 0"#,
            r#"{"id":"a","turns":[]} => a bad-field turns: turns is [], it must be a list of at least one number"#,
            r#"{"id":"a","moves":["pass"],"turns":[0,1],"rack":"A"} => a bad-field rack: rack is for a single turn, and the query has 2; put racks into the moves or the record"#,
            r#"{"id":"a","gcg":"","moves":[]} => a bad-field gcg: a record has the whole game; leave out cgp and moves"#,
            r#"{"id":"a","gcg":">a: what\n"} => a bad-position gcg: line 1: nothing after the rack"#,
            r#"{"id":"a","mode":"guess"} => a unsupported-mode mode: there is no mode 'guess'; the modes are gen, sim, endgame, peg, auto"#,
            r#"{"id":"a","action":"dance"} => a unknown-command action: there is no action 'dance'; the actions are version, setoption, terminate"#,
            r#"{"id":"a","action":"terminate"} => a bad-field terminate: terminate is missing"#,
        ]);
    }
}
