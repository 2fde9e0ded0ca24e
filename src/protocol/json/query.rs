//! Queries and actions as they are sent: fields and their types, nothing is
//! asked of the game.

use crate::engine::GoRequest;
use crate::notation::gcg::{self, GameRecord, MAX_EVENTS};
use crate::notation::moves::MoveText;
use crate::siu::{
    CommandError, FIRST_WIN, MAX_MILLIS, MODES, NUMBERS, mode_ignores, mode_name, set_number,
};
use serde_json::{Map, Value};
use std::time::Duration;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Request {
    /// To search, at one or more turns of a game.
    Query(Box<Query>),
    /// Something else, with the id of the line if it has one.
    Action(Option<String>, Action),
}

/// A search that is asked for, perhaps at several turns of a game.
#[derive(Debug)]
pub(super) struct Query {
    /// What the client calls it.
    pub id: String,
    /// The game.
    pub source: Source,
    /// The turns at which to search, in order, each once.
    pub turns: Vec<usize>,
    /// What the player on turn holds, if it is not told by the game.
    pub rack: Option<String>,
    /// How to search.
    pub request: GoRequest,
    /// How often to tell how it stands.
    pub report_every: Option<Duration>,
    /// What the client should know: fields that mean nothing.
    pub warnings: Vec<String>,
}

/// Where the game comes from.
#[derive(Debug)]
pub(super) enum Source {
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

/// What can be asked for besides a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Who are you?
    Version,
    /// Set an option, for all queries that follow.
    SetOption {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// End all queries with this id.
    Terminate(String),
}

/// What is wrong with a line or a query.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The code of the error.
    pub code: &'static str,
    /// The field in which it is, if it is in one.
    pub field: Option<&'static str>,
    /// The thing, the limit and the way out.
    pub text: String,
}

impl Fault {
    pub fn new(
        code: &'static str,
        field: impl Into<Option<&'static str>>,
        text: impl ToString,
    ) -> Fault {
        Fault {
            code,
            field: field.into(),
            text: text.to_string(),
        }
    }
}

/// The most characters of an id: it comes back in every answer.
const MAX_ID: usize = 200;
/// The most warnings that are given.
pub(super) const MAX_WARNINGS: usize = 20;

impl Request {
    /// Reads a line. An error comes with the id, if one could be read.
    pub fn parse(line: &str) -> Result<Request, (Option<String>, Fault)> {
        let value = serde_json::from_str(line).map_err(|error| {
            let text = format!("the line is no JSON: {error}");
            (None, Fault::new("bad-json", None, text))
        })?;
        let Value::Object(object) = value else {
            let text = "the line is JSON, but no object; queries are like {\"id\": \"a\", …}";
            return Err((None, Fault::new("bad-json", None, text)));
        };
        let mut fields = Fields(object);
        let id = fields.id().map_err(|fault| (None, fault))?;
        let request = match fields.text("action") {
            Ok(None) => fields.query(id.clone()).map(Box::new).map(Request::Query),
            Ok(Some(action)) => {
                let action = fields.action(&action);
                action.map(|action| Request::Action(id.clone(), action))
            }
            Err(fault) => Err(fault),
        };
        request.map_err(|fault| (id, fault))
    }
}

impl Source {
    /// How many turns there are before its end.
    fn turns(&self) -> usize {
        match self {
            Source::Record(record) => record.turns(),
            Source::Moves { moves, .. } => {
                let last = moves.last().map(|last| MoveText::parse(last));
                let is_rack = matches!(last, Some(Ok(MoveText::Rack(_))));
                moves.len() - usize::from(is_rack)
            }
        }
    }
}

/// The fields of an object that nobody has asked for yet.
struct Fields(Map<String, Value>);

impl Fields {
    fn id(&mut self) -> Result<Option<String>, Fault> {
        match self.text("id")? {
            Some(id) if id.chars().count() > MAX_ID => {
                let text = format!(
                    "the id has {} characters, the limit is {MAX_ID}",
                    id.chars().count()
                );
                Err(Fault::new("bad-field", "id", text))
            }
            id => Ok(id),
        }
    }

    fn action(&mut self, action: &str) -> Result<Action, Fault> {
        match action {
            "version" => Ok(Action::Version),
            "terminate" => Ok(Action::Terminate(self.needed("terminate")?)),
            "setoption" => {
                let name = self.needed("name")?;
                let value = match self.take("value") {
                    None => String::new(),
                    Some(Value::String(value)) => value,
                    Some(Value::Number(value)) => value.to_string(),
                    Some(other) => return Err(not("value", "a text or a number", &other)),
                };
                Ok(Action::SetOption { name, value })
            }
            other => {
                let text = format!(
                    "there is no action '{}'; the actions are version, setoption, terminate",
                    cut(other)
                );
                Err(Fault::new("unknown-command", "action", text))
            }
        }
    }

    fn query(&mut self, id: Option<String>) -> Result<Query, Fault> {
        let id = id.ok_or_else(|| missing("id"))?;
        let source = self.source()?;
        let turns = self.turns(&source)?;
        let rack = self.text("rack")?;
        if rack.is_some() && turns.len() > 1 {
            let text = format!(
                "a rack is for one turn, {} are asked for; write racks into the moves or the record",
                turns.len()
            );
            return Err(Fault::new("bad-field", "rack", text));
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

    fn source(&mut self) -> Result<Source, Fault> {
        let (cgp, moves, gcg) = (self.text("cgp")?, self.texts("moves")?, self.text("gcg")?);
        let Some(gcg) = gcg else {
            return Ok(Source::Moves {
                cgp,
                moves: moves.unwrap_or_default(),
            });
        };
        if cgp.is_some() || moves.is_some() {
            let text = "a record tells the whole game; leave cgp and moves out";
            return Err(Fault::new("bad-field", "gcg", text));
        }
        // What cannot be read could be a play: without it every later position would be wrong.
        match GameRecord::parse(gcg.as_bytes(), gcg::ReadMode::Strict) {
            Ok((record, _)) => Ok(Source::Record(record)),
            Err(problem) => Err(Fault::new("bad-position", "gcg", problem)),
        }
    }

    /// The turns that are asked for; the last position if none are.
    fn turns(&mut self, source: &Source) -> Result<Vec<usize>, Fault> {
        let last = source.turns();
        let asked = match self.take("turns") {
            None => return Ok(vec![last]),
            Some(Value::Array(asked)) if !asked.is_empty() => asked,
            Some(other) => return Err(not("turns", "a list of at least one number", &other)),
        };
        let turn = |value: &Value| number("turns", value, 0, last as u64).map(|n| n as usize);
        let turns: Result<Vec<usize>, Fault> = asked.iter().map(turn).collect();
        let mut turns = turns?;
        turns.sort_unstable();
        turns.dedup();
        Ok(turns)
    }

    /// How to search; the parameters of `go`.
    fn request(&mut self, warnings: &mut Vec<String>) -> Result<GoRequest, Fault> {
        let mut request = GoRequest::default();
        if let Some(mode) = self.text("mode")? {
            let known = MODES.iter().find(|(name, _)| *name == mode);
            let (_, mode) = known.ok_or_else(|| {
                let error = CommandError::Mode(cut(&mode));
                Fault::new("unsupported-mode", "mode", error)
            })?;
            request.mode = *mode;
        }
        let mut given = Vec::new();
        for (name, low, high) in NUMBERS {
            // What `go` calls depth has another name here: `depth` means too much in JSON.
            let field = if name == "depth" { "plies" } else { name };
            let Some(n) = self.number(field, low, high)? else {
                continue;
            };
            set_number(&mut request, name, n);
            given.push((name, field));
        }
        request.first_win = self.flag(FIRST_WIN)?;
        given.extend(request.first_win.then_some((FIRST_WIN, FIRST_WIN)));
        let useless = given
            .into_iter()
            .filter(|(name, _)| mode_ignores(request.mode, name));
        let mode = mode_name(request.mode);
        warnings
            .extend(useless.map(|(_, field)| format!("{field} means nothing to the mode {mode}")));
        request.only = self.texts("searchmoves")?.unwrap_or_default();
        request.also = self.texts("alsosearchmoves")?.unwrap_or_default();
        Ok(request)
    }

    /// A field; one that is null is none.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &'static str) -> Result<Option<String>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(not(name, "a text", &other)),
        }
    }

    fn flag(&mut self, name: &'static str) -> Result<bool, Fault> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(not(name, "true or false", &other)),
        }
    }

    fn needed(&mut self, name: &'static str) -> Result<String, Fault> {
        self.text(name)?.ok_or_else(|| missing(name))
    }

    fn texts(&mut self, name: &'static str) -> Result<Option<Vec<String>>, Fault> {
        let list = match self.take(name) {
            None => return Ok(None),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(not(name, "a list of moves", &other)),
        };
        if list.len() > MAX_EVENTS {
            let text = format!("{name} has {} moves, the limit is {MAX_EVENTS}", list.len());
            return Err(Fault::new("bad-field", name, text));
        }
        let text = |value| match value {
            Value::String(text) => Ok(text),
            other => Err(not(name, "a list of moves", &other)),
        };
        list.into_iter()
            .map(text)
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn number(&mut self, name: &'static str, low: u64, high: u64) -> Result<Option<u64>, Fault> {
        let value = self.take(name);
        value
            .map(|value| number(name, &value, low, high))
            .transpose()
    }
}

fn number(name: &'static str, value: &Value, low: u64, high: u64) -> Result<u64, Fault> {
    let n = value.as_u64().filter(|n| (low..=high).contains(n));
    n.ok_or_else(|| {
        let error = CommandError::NotANumber {
            name: name.to_string(),
            got: cut(&value.to_string()),
            limits: (low.into(), high.into()),
        };
        Fault::new("bad-number", name, error)
    })
}

fn missing(name: &'static str) -> Fault {
    Fault::new("bad-field", name, format!("{name} is missing"))
}

fn not(name: &'static str, wanted: &str, got: &Value) -> Fault {
    let text = format!("{name} is {}, it must be {wanted}", cut(&got.to_string()));
    Fault::new("bad-field", name, text)
}

/// Keeps what a client sent from filling an answer.
fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let got = match Request::parse(line) {
            Ok(Request::Query(query)) => {
                let Query {
                    id,
                    turns,
                    warnings,
                    ..
                } = *query;
                format!("{id} {turns:?} {warnings:?}")
            }
            Ok(Request::Action(id, action)) => format!("{id:?} {action:?}"),
            Err((id, fault)) => {
                let (id, field) = (id.as_deref().unwrap_or("-"), fault.field.unwrap_or("-"));
                format!("{id} {} {field}: {}", fault.code, fault.text)
            }
        };
        assert_eq!(got, expected, "{line}");
    }

    #[test]
    fn a_query_reads_like_its_documentation() {
        check(r#"{"id":"a"}"#, "a [0] []");
        check(r#"{"id":"a","moves":["8D.AB","pass"]}"#, "a [2] []");
        check(r#"{"id":"a","moves":["pass","rack.AB"]}"#, "a [1] []");
        check(
            r#"{"id":"a","moves":["pass","pass"],"turns":[2,0,2],"cgp":null}"#,
            "a [0, 2] []",
        );
        check(
            r##"{"id":"a","gcg":"#player1 a\n#player2 b\n>a: AB 8G AB +8 8\n>a: AB -- -8 0\n>b: - +0 0\n"}"##,
            "a [2] []",
        );
        check(r#"{"action":"version"}"#, "None Version");
        check(
            r#"{"id":"o","action":"setoption","name":"Threads","value":2}"#,
            r#"Some("o") SetOption { name: "Threads", value: "2" }"#,
        );
        check(
            r#"{"id":"t","action":"terminate","terminate":"a"}"#,
            r#"Some("t") Terminate("a")"#,
        );
    }

    #[test]
    fn what_means_nothing_is_told() {
        check(
            r#"{"id":"a","mode":"gen","seed":7,"colour":"red"}"#,
            r#"a [0] ["seed means nothing to the mode gen", "there is no field 'colour'"]"#,
        );
        check(
            r#"{"id":"a","mode":"gen","firstwin":true}"#,
            r#"a [0] ["firstwin means nothing to the mode gen"]"#,
        );
        check(
            r#"{"id":"a","mode":"peg","plies":3,"seed":7}"#,
            r#"a [0] ["plies means nothing to the mode peg"]"#,
        );
    }

    #[test]
    fn an_error_names_the_field() {
        check(
            "7",
            "- bad-json -: the line is JSON, but no object; queries are like {\"id\": \"a\", …}",
        );
        check(r#"{"rack":"A"}"#, "- bad-field id: id is missing");
        check(r#"{"id":7}"#, "- bad-field id: id is 7, it must be a text");
        check(
            r#"{"id":"a","moves":"pass"}"#,
            r#"a bad-field moves: moves is "pass", it must be a list of moves"#,
        );
        check(
            r#"{"id":"a","movetime":-1}"#,
            "a bad-number movetime: movetime is '-1', it must be a number from 0 to 1000000000",
        );
        check(
            r#"{"id":"a","turns":[1]}"#,
            "a bad-number turns: turns is '1', it must be a number from 0 to 0",
        );
        check(
            r#"{"id":"a","turns":[]}"#,
            "a bad-field turns: turns is [], it must be a list of at least one number",
        );
        check(
            r#"{"id":"a","moves":["pass"],"turns":[0,1],"rack":"A"}"#,
            "a bad-field rack: a rack is for one turn, 2 are asked for; write racks into the moves or the record",
        );
        check(
            r#"{"id":"a","gcg":"","moves":[]}"#,
            "a bad-field gcg: a record tells the whole game; leave cgp and moves out",
        );
        check(
            r#"{"id":"a","gcg":">a: what\n"}"#,
            "a bad-position gcg: line 1: nothing after the rack",
        );
        check(
            r#"{"id":"a","mode":"guess"}"#,
            "a unsupported-mode mode: there is no mode 'guess'; the modes are gen, sim, endgame, peg, auto",
        );
        check(
            r#"{"id":"a","action":"dance"}"#,
            "a unknown-command action: there is no action 'dance'; the actions are version, setoption, terminate",
        );
        check(
            r#"{"id":"a","action":"terminate"}"#,
            "a bad-field terminate: terminate is missing",
        );
    }
}
