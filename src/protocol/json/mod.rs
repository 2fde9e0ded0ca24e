//! JSON lines: one object a line in, one or more out, many queries in flight.
//!
//! `query` reads fields and their types, `answer` makes objects, `room` keeps
//! a flood of lines from filling memory, and [`run`] is the event loop and the
//! only writer. Nothing below this module knows JSON.

mod answer;
mod query;
mod room;
mod session;

pub use answer::one_shot;
pub use session::run;
