//! Review of a finished game: every turn compared with the moves that the engine would have made.
//!
//! - `document`: the result as data, for all outputs
//! - [`luck`]: what the tiles that a player drew were worth

mod document;
pub mod luck;

pub use document::*;
