//! Text to values and back, without files: coordinates, moves, positions (CGP), game records
//! (GCG).
//!
//! Text first becomes a syntax type that promises nothing, then a legal value or an error.

pub mod cgp;
pub mod coordinate;
pub mod gcg;
pub mod moves;
