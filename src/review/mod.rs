//! Review of a finished game: every turn compared with the moves that the engine would have made.
//!
//! - `document`: the result as data, for all outputs
//! - `page`: a review as a web page

mod document;
pub mod page;

pub use document::*;
