//! The JSON protocol: one object per line in, one or more out, many queries in flight.
//!
//! `query` reads queries and actions, with the game of `game` and the `fields` of an object;
//! `answer`, `action_answer`, `sampled_answer` and `table_answer` have the objects that are written,
//! `schema` the published JSON Schema. `inspect` answers what needs no search. `backlog` keeps a
//! flood of queries from filling the memory, and [`run`] is the event loop and the only writer. No module that this one uses knows JSON.

mod action_answer;
mod answer;
mod backlog;
mod fields;
mod game;
mod inspect;
mod query;
mod sampled_answer;
mod schema;
mod session;
mod table_answer;

pub(crate) use answer::{one_shot, one_shot_sampled};
pub use schema::{answer_schema, query_schema};
pub use session::{run, serve};
