//! Reads queries and actions: fields and their types. Whether a position or a move is legal is
//! found out later.
//!
//! Fields are read one by one and not by a derived `Deserialize`, because an error must name the
//! field, its value and its limits. `schema` has the same fields for the published JSON Schema;
//! a test compares the two.

use super::fields::{
    FieldReader, QueryError, cut, missing, texts, whole_number, wrong_item, wrong_type,
};
use super::game::GameQuery;
use super::ineffective::{GivenParameter, ineffective};
use super::review::{LUCK, REVIEW, ReviewQuery};
use crate::engine::{MAX_RACKS, SearchRequest};
use crate::rules::{MAX_PLAYERS, MIN_PLAYERS};
use crate::siu::{CHALLENGE, CommandError, FIRST_WIN, MAX_MILLIS, MODES, NUMBERS, set_number};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// A line of a client.
#[derive(Debug)]
pub(super) enum JsonRequest {
    /// A search at one or more turns of a game.
    Query(Box<Query>),
    /// A search and a grade for each turn of a record.
    Review(Box<ReviewQuery>),
    /// Anything else, with the id of the line if it has one.
    Action(Option<String>, JsonAction),
}

/// A search at one or more turns of a game.
#[derive(Debug)]
pub(super) struct Query {
    /// The name that the client gave it.
    pub id: String,
    /// The game.
    pub game: GameQuery,
    /// The turns at which to search, in order, each once.
    pub turns: Vec<usize>,
    /// Moves to report on at single turns.
    pub turn_moves: BTreeMap<usize, Vec<String>>,
    /// How to search.
    pub request: SearchRequest,
    /// Whether to decide about a challenge of the last play instead of searching for a move.
    pub challenge: bool,
    /// The parameters of the search that are given: the name in `go`, and the field.
    pub given: Vec<GivenParameter>,
    /// The number of racks to sample where the rack is partly known.
    pub racks: Option<usize>,
    /// The time between two answers that are not final.
    pub report_every: Option<Duration>,
    /// Fields that have no effect, for people.
    pub warnings: Vec<String>,
}

/// A request other than a search.
#[derive(Debug)]
pub(super) enum JsonAction {
    /// Asks for name and version of the engine.
    Version,
    /// Sets an option for all queries that follow.
    SetOption {
        /// The option.
        name: String,
        /// Its value.
        value: String,
        /// Fields that have no effect, for people.
        warnings: Vec<String>,
    },
    /// Ends all queries with this id.
    Terminate(String),
    /// Draws tiles for the first move.
    Draw {
        /// The number of players, if it is given.
        players: Option<usize>,
        /// The seed, if it is given.
        seed: Option<u64>,
        /// Fields that have no effect, for people.
        warnings: Vec<String>,
    },
    /// Asks about a position without a search.
    Inspect(Box<Inspection>),
}

/// A question about a position that needs no search.
#[derive(Debug)]
pub(super) struct Inspection {
    /// The game.
    pub game: GameQuery,
    /// The turn; the position before its move.
    pub turn: usize,
    /// What to find out.
    pub subject: InspectionSubject,
    /// Fields that have no effect, for people.
    pub warnings: Vec<String>,
}

/// What to find out about a position.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InspectionSubject {
    /// The state of the game.
    State,
    /// Whether a move can be made, and what it scores.
    Move(String),
    /// Whether words are valid.
    Words(Vec<String>),
    /// The ruling on a challenge of the last play: the seat that challenges, and the words that are
    /// named.
    Challenge(Option<usize>, Vec<String>),
}

/// A line that cannot be carried out.
#[derive(Debug)]
pub(super) struct RefusedLine {
    /// The id of the line, if one could be read.
    pub id: Option<String>,
    /// Why it is refused.
    pub error: QueryError,
    /// Fields that have no effect, for people.
    pub warnings: Vec<String>,
}

impl RefusedLine {
    /// A line that is not an object.
    pub fn bad_json(text: impl ToString) -> RefusedLine {
        RefusedLine {
            id: None,
            error: QueryError::new("bad-json", None, text),
            warnings: Vec::new(),
        }
    }
}

/// The actions that there are, each with its fields beside `id` and those of a position.
const ACTIONS: [(&str, &[&str]); 7] = [
    ("version", &[]),
    ("setoption", &["name", "value"]),
    ("terminate", &["terminate"]),
    ("draw", &["players", "seed"]),
    ("state", &["turn"]),
    ("check", &["turn", "move", "words"]),
    ("challenge", &["turn", "by", "words"]),
];
/// The fields of a game, in queries and in the actions about a position.
const GAME_FIELDS: [&str; 5] = ["cgp", "moves", "gcg", "rack", "eyes"];
/// The fields of a query beside `id`, those of a game, and the numbers of `go`.
const QUERY_FIELDS: [&str; 10] = [
    LUCK,
    "turns",
    "turnMoves",
    "racks",
    "mode",
    CHALLENGE,
    FIRST_WIN,
    "searchmoves",
    "alsosearchmoves",
    "reportEvery",
];

/// The most characters of an id, which comes back in every answer. Chosen by hand.
pub(super) const MAX_ID_CHARS: usize = 200;

impl JsonRequest {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<JsonRequest, RefusedLine> {
        let value = serde_json::from_str(line)
            .map_err(|error| RefusedLine::bad_json(format!("the line is not JSON: {error}")))?;
        let Value::Object(object) = value else {
            let text = "the line is JSON but not an object; a query looks like {\"id\": \"a\", …}";
            return Err(RefusedLine::bad_json(text));
        };
        let kind = object.get("action").cloned().unwrap_or_default();
        let mut fields = FieldReader(object);
        let (id, request) = match fields.id() {
            Ok(id) => (id.clone(), fields.request_of(id)),
            Err(error) => (None, Err(error)),
        };
        request.map_err(|error| RefusedLine {
            id,
            error,
            warnings: fields.unknown_fields(&kind),
        })
    }
}

/// Whether an object with this `action`, which is null in a query, has a field of this name. An
/// action that is not known may have any field.
fn is_field(action: &Value, name: &str) -> bool {
    let is_game = || GAME_FIELDS.contains(&name);
    let own = match action.as_str() {
        None => {
            let mut numbers = NUMBERS.iter();
            QUERY_FIELDS.contains(&name)
                || is_game()
                || numbers.any(|(number, ..)| number_field(number) == name)
        }
        Some(action) => match ACTIONS.iter().find(|(known, _)| *known == action) {
            Some((_, own)) => own.contains(&name) || own.contains(&"turn") && is_game(),
            None => true,
        },
    };
    own || ["id", "action"].contains(&name)
}

/// The field of a number of `go`: the parameter `depth` has the clearer name `plies` in JSON.
pub(super) fn number_field(name: &'static str) -> &'static str {
    match name {
        "depth" => "plies",
        name => name,
    }
}

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

    fn request_of(&mut self, id: Option<String>) -> Result<JsonRequest, QueryError> {
        match self.text("action")? {
            None if self.0.get("mode").is_some_and(|mode| mode == REVIEW) => {
                let query = ReviewQuery::read(id, self)?;
                Ok(JsonRequest::Review(Box::new(query)))
            }
            None => {
                let query = self.query(id)?;
                Ok(JsonRequest::Query(Box::new(query)))
            }
            Some(action) => {
                let action = self.action(&action)?;
                Ok(JsonRequest::Action(id, action))
            }
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
                    Value::Number(n) => {
                        let whole = whole_number(value).map(|n| n.to_string());
                        whole.or_else(|| Some(n.to_string()))
                    }
                    _ => None,
                })?;
                Ok(JsonAction::SetOption {
                    name,
                    value: value.unwrap_or_default(),
                    warnings: self.unknown_fields(&action.into()),
                })
            }
            "draw" => {
                let players = self.number("players", MIN_PLAYERS as u64, MAX_PLAYERS as u64)?;
                Ok(JsonAction::Draw {
                    players: players.map(|players| players as usize),
                    seed: self.number("seed", 0, u64::MAX)?,
                    warnings: self.unknown_fields(&action.into()),
                })
            }
            "state" => self.inspection(action, InspectionSubject::State),
            "check" => {
                let subject = match (self.text("move")?, self.texts("words")?) {
                    (Some(text), None) => InspectionSubject::Move(text),
                    (None, Some(words)) if words.is_empty() => {
                        let text = "words is [], it must be a list of at least one word";
                        return Err(QueryError::new("bad-field", "words", text));
                    }
                    (None, Some(words)) if words.iter().any(|word| word.trim().is_empty()) => {
                        return Err(wrong_item("words", "an empty text", "a list of words"));
                    }
                    (None, Some(words)) => InspectionSubject::Words(words),
                    _ => {
                        let text = "check takes either move or words";
                        return Err(QueryError::new("bad-field", "move", text));
                    }
                };
                self.inspection(action, subject)
            }
            "challenge" => {
                let by = self.number("by", 1, MAX_PLAYERS as u64)?;
                let words = self.texts("words")?.unwrap_or_default();
                let seat = by.map(|seat| seat as usize);
                self.inspection(action, InspectionSubject::Challenge(seat, words))
            }
            other => {
                let actions = ACTIONS.map(|(name, _)| name).join(", ");
                let text = format!(
                    "there is no action '{}'; the actions are {actions}",
                    cut(other)
                );
                Err(QueryError::new("unknown-command", "action", text))
            }
        }
    }

    fn inspection(
        &mut self,
        action: &str,
        subject: InspectionSubject,
    ) -> Result<JsonAction, QueryError> {
        let game = GameQuery::read(self)?;
        let last = game.turns();
        let turn = self.number("turn", 0, last as u64)?;
        Ok(JsonAction::Inspect(Box::new(Inspection {
            turn: turn.map_or(last, |turn| turn as usize),
            game,
            subject,
            warnings: self.unknown_fields(&action.into()),
        })))
    }

    /// A warning for each field that has not been read and that an object with this `action` does
    /// not have.
    fn unknown_fields(&self, action: &Value) -> Vec<String> {
        let unknown = self.0.keys().filter(|name| !is_field(action, name));
        let warning = |name: &String| format!("there is no field '{}'", cut(name));
        unknown.map(warning).collect()
    }

    fn query(&mut self, id: Option<String>) -> Result<Query, QueryError> {
        let id = id.ok_or_else(|| missing("id"))?;
        let game = GameQuery::read(self)?;
        let turns = self.turns(game.turns())?;
        if game.rack.is_some() && turns.len() > 1 {
            let text = format!(
                "rack is for a single turn, and the query has {}; put racks into the moves or the record",
                turns.len()
            );
            return Err(QueryError::new("bad-field", "rack", text));
        }
        let mut warnings = Vec::new();
        let turn_moves = self.turn_moves(&turns, &mut warnings)?;
        let challenge = self.field(CHALLENGE, "true or false", Value::as_bool)?;
        let (request, given) = self.request(&mut warnings)?;
        let racks = self.number("racks", 1, MAX_RACKS as u64)?;
        let report_every = self.number("reportEvery", 1, MAX_MILLIS)?;
        if self.take(LUCK).is_some() {
            warnings.push(format!("{LUCK} has an effect in the mode {REVIEW} only"));
        }
        warnings.extend(self.unknown_fields(&Value::Null));
        Ok(Query {
            id,
            game,
            turns,
            turn_moves,
            request,
            challenge: challenge.unwrap_or(false),
            given,
            racks: racks.map(|racks| racks as usize),
            report_every: report_every.map(Duration::from_millis),
            warnings,
        })
    }

    /// The turns to search, in order; without the field the position after the last move. `last` is
    /// the number of moves.
    fn turns(&mut self, last: usize) -> Result<Vec<usize>, QueryError> {
        let expected = format!(
            "a list of turns, whole numbers from 0 (before the first move) to {last} (after the \
             last), or the text \"all\""
        );
        let Some(value) = self.take("turns") else {
            return Ok(vec![last]);
        };
        if value == "all" && last > 0 {
            return Ok((0..last).collect());
        }
        if value == "all" {
            let text =
                "turns is all, but the game has no moves; leave it out to search the position";
            return Err(QueryError::new("bad-field", "turns", text));
        }
        let list = value.as_array().filter(|list| !list.is_empty());
        let requested = list.ok_or_else(|| wrong_type("turns", &expected, &value))?;
        let turn = |value: &Value| {
            let turn = whole_number(value).map(|turn| turn as usize);
            turn.filter(|turn| *turn <= last).ok_or_else(|| QueryError {
                code: "bad-number",
                ..wrong_item("turns", &value.to_string(), &expected)
            })
        };
        let turns: Result<Vec<usize>, QueryError> = requested.iter().map(turn).collect();
        let mut turns = turns?;
        turns.sort_unstable();
        turns.dedup();
        Ok(turns)
    }

    /// The moves to report on at single turns: an object from the number of a turn to moves.
    fn turn_moves(
        &mut self,
        turns: &[usize],
        warnings: &mut Vec<String>,
    ) -> Result<BTreeMap<usize, Vec<String>>, QueryError> {
        let name = "turnMoves";
        let expected = "an object with numbers of turns as keys and lists of moves, such as \
            {\"3\": [\"pass\"]}";
        let object = self.field(name, expected, |value| value.as_object().cloned())?;
        let mut turn_moves = BTreeMap::new();
        for (key, moves) in object.unwrap_or_default() {
            let turn = key.parse();
            let turn: usize =
                turn.map_err(|_| wrong_item(name, &format!("the key \"{key}\""), expected))?;
            if !turns.contains(&turn) {
                warnings.push(format!("{name} names turn {turn}, which is not searched"));
            }
            if !moves.is_array() {
                return Err(wrong_item(name, &format!("\"{key}\": {moves}"), expected));
            }
            turn_moves.insert(turn, texts(name, &moves)?);
        }
        Ok(turn_moves)
    }

    /// The parameters of `go`, and which of them are given.
    fn request(
        &mut self,
        warnings: &mut Vec<String>,
    ) -> Result<(SearchRequest, Vec<GivenParameter>), QueryError> {
        let mut request = SearchRequest::default();
        if let Some(mode) = self.text("mode")? {
            let known = MODES.iter().find(|(name, _)| *name == mode);
            let (_, mode) = known.ok_or_else(|| {
                let error = CommandError::Mode(cut(&mode));
                QueryError::new("unsupported-mode", "mode", format!("{error}, {REVIEW}"))
            })?;
            request.mode = *mode;
        }
        let mut given = Vec::new();
        for (name, low, high) in NUMBERS {
            let field = number_field(name);
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
        warnings.extend(ineffective(&given, request.mode, false));
        request.only = self.texts("searchmoves")?.unwrap_or_default();
        request.also = self.texts("alsosearchmoves")?.unwrap_or_default();
        Ok((request, given))
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::query_schema;
    use super::*;

    /// Checks lines, each followed by ` => ` and what it is read as.
    fn check(cases: &[&str]) {
        for case in cases {
            let (line, expected) = case.split_once(" => ").unwrap();
            let got = match JsonRequest::parse(line) {
                Ok(JsonRequest::Query(query)) => {
                    format!("{} {:?} {:?}", query.id, query.turns, query.warnings)
                }
                Ok(JsonRequest::Review(query)) => format!("review {query:?}"),
                Ok(JsonRequest::Action(id, action)) => format!("{id:?} {action:?}"),
                Err(RefusedLine {
                    id,
                    error,
                    warnings,
                }) => {
                    let (id, field) = (id.as_deref().unwrap_or("-"), error.field.unwrap_or("-"));
                    let warnings = warnings.iter().map(|warning| format!("; {warning}"));
                    let warnings = warnings.collect::<String>();
                    format!("{id} {} {field}: {}{warnings}", error.code, error.text)
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
            r#"{"id":"a","moves":["pass","pass","rack.AB"],"turns":"all"} => a [0, 1] []"#,
            r#"{"action":"version"} => None Version"#,
            r#"{"id":"o","action":"setoption","name":"Threads","value":2} => Some("o") SetOption { name: "Threads", value: "2", warnings: [] }"#,
            r#"{"id":"t","action":"terminate","terminate":"a"} => Some("t") Terminate("a")"#,
            r#"{"action":"draw","players":3,"rack":"A"} => None Draw { players: Some(3), seed: None, warnings: ["there is no field 'rack'"] }"#,
        ]);
    }

    #[test]
    fn a_number_that_is_whole_may_be_written_as_a_fraction() {
        check(&[
            r#"{"id":"a","moves":["pass","pass"],"turns":[1.0,0.0],"iterations":1e3} => a [0, 1] []"#,
            r#"{"action":"setoption","name":"Threads","value":2.0} => None SetOption { name: "Threads", value: "2", warnings: [] }"#,
            r#"{"id":"a","seed":1e16} => a bad-number seed: seed is '1e+16', it must be a whole number from 0 to 18446744073709551615"#,
        ]);
    }

    #[test]
    fn a_field_without_effect_is_a_warning() {
        check(&[
            r#"{"id":"a","mode":"gen","seed":7,"colour":"red"} => a [0] ["seed has no effect in the mode gen", "there is no field 'colour'"]"#,
            r#"{"id":"a","turnMoves":{"3":["pass"]}} => a [0] ["turnMoves names turn 3, which is not searched"]"#,
            r#"{"id":"a","mode":"gen","firstwin":true} => a [0] ["firstwin has no effect in the mode gen"]"#,
            r#"{"id":"a","mode":"peg","plies":3,"seed":7} => a [0] ["plies has no effect in the mode peg"]"#,
        ]);
    }

    #[test]
    fn a_refused_line_names_the_fields_that_there_are_not() {
        check(&[
            r#"{"id":"a","movetme":1,"mode":"guess","plies":3} => a unsupported-mode mode: there is no mode 'guess'; the modes are gen, sim, endgame, peg, auto, review; there is no field 'movetme'"#,
            r#"{"rak":"A","rack":"A"} => - bad-field id: id is missing; there is no field 'rak'"#,
            r#"{"id":7,"turn":0} => - bad-field id: id is 7, it must be a text; there is no field 'turn'"#,
            r#"{"action":"state","turns":[0],"eyes":7,"turn":0} => - bad-field eyes: eyes is 7, it must be a text: mover or all; there is no field 'turns'"#,
            r#"{"action":"dance","with":"me"} => - unknown-command action: there is no action 'dance'; the actions are version, setoption, terminate, draw, state, check, challenge"#,
        ]);
    }

    #[test]
    fn the_fields_are_those_of_the_published_schema() {
        let schema = query_schema().to_value();
        let names = |object: &Value| {
            let properties = object["properties"].as_object().unwrap();
            properties.keys().cloned().collect::<Vec<_>>()
        };
        let definitions = &schema["$defs"];
        let query = names(&definitions["QueryFields"]);
        let mut all = query.clone();
        let mut kinds = vec![(Value::Null, query)];
        for action in definitions["ActionFields"]["oneOf"].as_array().unwrap() {
            let mut fields = names(action);
            if action.get("$ref").is_some() {
                fields.extend(names(&definitions["PositionFields"]));
            }
            all.extend(fields.clone());
            kinds.push((action["properties"]["action"]["const"].clone(), fields));
        }
        assert_eq!(kinds.len(), 1 + ACTIONS.len());
        for (action, fields) in kinds {
            for name in &all {
                let expected = fields.contains(name) || name == "action";
                assert_eq!(is_field(&action, name), expected, "{action} {name}");
            }
        }
    }

    #[test]
    fn an_error_names_the_field() {
        check(&[
            r#"7 => - bad-json -: the line is JSON but not an object; a query looks like {"id": "a", …}"#,
            r#"{"rack":"A"} => - bad-field id: id is missing"#,
            r#"{"id":7} => - bad-field id: id is 7, it must be a text"#,
            r#"{"id":"a","moves":"pass"} => a bad-field moves: moves is "pass", it must be a list of texts"#,
            r#"{"id":"a","movetime":-1} => a bad-number movetime: movetime is '-1', it must be a whole number from 0 to 1000000000"#,
            r#"{"id":"a","turns":[1]} => a bad-number turns: turns has 1, it must be a list of turns, whole numbers from 0 (before the first move) to 0 (after the last), or the text "all""#,
            r#"{"id":"a","turns":[]} => a bad-field turns: turns is [], it must be a list of turns, whole numbers from 0 (before the first move) to 0 (after the last), or the text "all""#,
            r#"{"id":"a","moves":["pass"],"turns":[0,1],"rack":"A"} => a bad-field rack: rack is for a single turn, and the query has 2; put racks into the moves or the record"#,
            r#"{"id":"a","gcg":"","moves":[]} => a bad-field gcg: a record has the whole game; leave out cgp and moves"#,
            r#"{"id":"a","gcg":">a: what\n"} => a bad-position gcg: line 1: nothing after the rack"#,
            r#"{"id":"a","mode":"guess"} => a unsupported-mode mode: there is no mode 'guess'; the modes are gen, sim, endgame, peg, auto, review"#,
            r#"{"id":"a","action":"dance"} => a unknown-command action: there is no action 'dance'; the actions are version, setoption, terminate, draw, state, check, challenge"#,
            r#"{"id":"a","turnMoves":{"last":["pass"]}} => a bad-field turnMoves: turnMoves has the key "last", it must be an object with numbers of turns as keys and lists of moves, such as {"3": ["pass"]}"#,
            r#"{"id":"a","turnMoves":{"0":"pass"}} => a bad-field turnMoves: turnMoves has "0": "pass", it must be an object with numbers of turns as keys and lists of moves, such as {"3": ["pass"]}"#,
            r#"{"action":"check","words":[]} => - bad-field words: words is [], it must be a list of at least one word"#,
            r#"{"action":"check","words":["HORN",""]} => - bad-field words: words has an empty text, it must be a list of words"#,
            r#"{"id":"a","action":"terminate"} => a bad-field terminate: terminate is missing"#,
        ]);
    }
}
