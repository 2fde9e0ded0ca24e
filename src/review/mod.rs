//! Review of a finished game: every turn compared with the moves that the engine would have made.
//!
//! - `document`: the result as data, for all outputs
//! - `explain`, `facts`: why the best move is better, in words
//! - [`luck`]: what the tiles that a player drew were worth

mod document;
mod explain;
mod facts;
pub mod luck;

pub use document::*;
pub use explain::{ExplainedChoice, explain};
