//! The JSON protocol: one object per line in, one or more out, many queries in flight.
//!
//! `query` reads fields and their types, `answer` has the objects that are written, `schema` the
//! published JSON Schema, `backlog` keeps a flood of queries from filling the memory, and [`run`]
//! is the event loop and the only writer. No module that this one uses knows JSON.

mod answer;
mod backlog;
mod query;
mod schema;
mod session;

pub(crate) use answer::one_shot;
pub use schema::{answer_schema, query_schema};
pub use session::run;
