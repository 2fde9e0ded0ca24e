//! The published JSON Schema of queries and answers (`docs/json-*.schema.json`).
//!
//! The schema of answers is derived from the types that are written. Queries are read field by
//! field (see `query`); the types here have the same fields and are never instantiated. The test
//! `json` keeps the files equal to this code, and the code to what a session reads and writes.
#![allow(dead_code, reason = "only the schema of these types is used")]

use super::answer::AnswerMessage;
use super::query::MAX_ID_CHARS;
use crate::engine::{MAX_CANDIDATES, MAX_RACKS, MAX_THREADS};
use crate::notation::gcg::MAX_EVENTS;
use crate::rules::{MAX_PLAYERS, MIN_PLAYERS};
use crate::search::sim::{MAX_ITERATIONS, MAX_PLIES};
use crate::siu::MAX_MILLIS;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use std::collections::BTreeMap;

/// The schema of a line that a client sends.
pub fn query_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12();
    settings
        .into_generator()
        .into_root_schema_for::<QueryMessage>()
}

/// The schema of a line that the engine writes.
pub fn answer_schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<AnswerMessage>()
}

/// A line that a client sends to `cazique --json`.
#[derive(JsonSchema)]
#[serde(untagged)]
enum QueryMessage {
    Action(ActionFields),
    Query(Box<QueryFields>),
}

/// A search at one or more turns of a game. Unknown fields are ignored and named in `warnings`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct QueryFields {
    /// The client's name for the query, which comes back in every answer.
    #[schemars(length(max = MAX_ID_CHARS))]
    id: String,
    /// A position in CGP; without it and without `gcg`, the start position.
    cgp: Option<String>,
    /// Moves from that position.
    #[schemars(length(max = MAX_EVENTS))]
    moves: Option<Vec<String>>,
    /// A game record in GCG instead of `cgp` and `moves`.
    gcg: Option<String>,
    /// The turns to search: 0 is before the first move. Without it, after the last move.
    turns: Option<TurnList>,
    /// Moves to consider at single turns: the number of a turn, and a list of moves.
    turn_moves: Option<BTreeMap<String, Vec<String>>>,
    /// The rack of the player to move, `?` for a blank; only for a single turn. With fewer tiles
    /// than the player holds it is partly known.
    rack: Option<String>,
    /// Whose racks count, of those that `moves` state; `mover` by default.
    eyes: Option<EyesName>,
    /// The number of racks to sample where the rack is partly known.
    #[schemars(range(min = 1, max = MAX_RACKS))]
    racks: Option<u64>,
    /// Whether to decide about a challenge of the last play instead of searching for a move.
    challenge: Option<bool>,
    /// How to search; `auto` by default.
    mode: Option<ModeName>,
    /// The longest time for a turn, in milliseconds.
    #[schemars(range(max = MAX_MILLIS))]
    movetime: Option<u64>,
    /// The most iterations of a simulation.
    #[schemars(range(min = 1, max = MAX_ITERATIONS))]
    iterations: Option<u64>,
    /// The number of candidates; the option `Candidates` by default.
    #[schemars(range(min = 1, max = MAX_CANDIDATES))]
    candidates: Option<u64>,
    /// The number of turns after each candidate; the option `Plies` by default.
    #[schemars(range(max = MAX_PLIES))]
    plies: Option<u64>,
    /// The confidence at which a simulation stops, in percent.
    #[schemars(range(min = 50, max = 99))]
    stopcondition: Option<u64>,
    /// In an endgame of two players or a pre-endgame, find only who wins.
    firstwin: Option<bool>,
    /// In the mode `review`, whether to compute the luck of the draws.
    luck: Option<bool>,
    /// The seed of all random choices; the option `Seed` by default.
    seed: Option<u64>,
    /// The number of threads; the option `Threads` by default.
    #[schemars(range(min = 1, max = MAX_THREADS))]
    threads: Option<u64>,
    /// Consider only these moves.
    #[schemars(length(max = MAX_EVENTS))]
    searchmoves: Option<Vec<String>>,
    /// Consider these moves too.
    #[schemars(length(max = MAX_EVENTS))]
    alsosearchmoves: Option<Vec<String>>,
    /// The time between two answers that are not final, in milliseconds.
    #[schemars(range(min = 1, max = MAX_MILLIS))]
    report_every: Option<u64>,
}

/// Turns of a game.
#[derive(JsonSchema)]
#[serde(untagged)]
enum TurnList {
    /// Every turn that has a move.
    All(AllTurns),
    /// These turns.
    Some(#[schemars(length(min = 1))] Vec<u64>),
}

/// Every turn that has a move.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AllTurns {
    All,
}

/// Whose racks count.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EyesName {
    Mover,
    All,
}

/// The modes of a search.
#[derive(JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ModeName {
    Gen,
    Sim,
    Endgame,
    Peg,
    Auto,
    /// Every turn of a record, with grades and a summary.
    Review,
}

/// A request other than a search. The field `id` may be left out.
#[derive(JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
enum ActionFields {
    /// Asks for name and version of the engine.
    Version { id: Option<String> },
    /// Sets an option for all queries that follow. Without a value it goes back to its default.
    SetOption {
        id: Option<String>,
        name: String,
        value: Option<OptionValue>,
    },
    /// Ends all queries with this id.
    Terminate {
        id: Option<String>,
        terminate: String,
    },
    /// Draws tiles for the first move.
    Draw {
        id: Option<String>,
        /// The number of players; the option `Players` by default.
        #[schemars(range(min = MIN_PLAYERS, max = MAX_PLAYERS))]
        players: Option<u64>,
        /// The seed; the option `Seed` by default.
        seed: Option<u64>,
    },
    /// Asks for the state of a game.
    State {
        id: Option<String>,
        #[serde(flatten)]
        position: PositionFields,
    },
    /// Asks whether a move can be made and what it scores, or whether words are valid. It has either
    /// `move` or `words`.
    Check {
        id: Option<String>,
        r#move: Option<String>,
        #[schemars(length(min = 1, max = MAX_EVENTS))]
        words: Option<Vec<String>>,
        #[serde(flatten)]
        position: PositionFields,
    },
    /// Asks for the ruling on a challenge of the last play.
    Challenge {
        id: Option<String>,
        /// The seat that challenges; by default the player to move.
        #[schemars(range(min = 1, max = MAX_PLAYERS))]
        by: Option<u64>,
        /// The words that are challenged, where the rules have single words challenged.
        #[schemars(length(max = MAX_EVENTS))]
        words: Option<Vec<String>>,
        #[serde(flatten)]
        position: PositionFields,
    },
}

/// A position of a game; the fields are those of a query.
#[derive(JsonSchema)]
struct PositionFields {
    cgp: Option<String>,
    #[schemars(length(max = MAX_EVENTS))]
    moves: Option<Vec<String>>,
    gcg: Option<String>,
    /// The turn; without it, after the last move.
    turn: Option<u64>,
    rack: Option<String>,
    eyes: Option<EyesName>,
}

/// The value of an option.
#[derive(JsonSchema)]
#[serde(untagged)]
enum OptionValue {
    Text(String),
    Number(i64),
}
