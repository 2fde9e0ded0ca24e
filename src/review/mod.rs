//! Review of a finished game: every turn compared with the moves that the engine would have made.
//!
//! - `document`: the result as data, for all outputs

mod document;

pub use document::*;
