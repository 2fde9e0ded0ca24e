//! The JSON protocol: one object per line in, one or more out, many queries in flight.
//!
//! `query` reads queries and actions, with the game of `game` and the `fields` of an object, and
//! `ineffective` names fields without effect; `answer`, `action_answer`, `sampled_answer`,
//! `table_answer`, `challenge_answer` and `one_shot` have the objects that are written, `schema` the published JSON
//! Schema. `inspect` answers what needs no search.
//! `queue` is what waits, `running` is a turn that is searched, `review` a game whose turns are all
//! searched and graded. `backlog` keeps a flood of queries from filling the
//! memory, and [`run`] is the event loop and the only writer. No module that this one uses knows
//! JSON.

mod action_answer;
mod answer;
mod backlog;
mod challenge_answer;
mod fields;
mod game;
mod ineffective;
mod inspect;
mod one_shot;
mod query;
mod queue;
mod review;
mod running;
mod sampled_answer;
mod schema;
mod session;
mod table_answer;

pub(crate) use one_shot::{one_shot, one_shot_sampled};
pub use schema::{answer_schema, query_schema};
pub use session::{run, serve};
