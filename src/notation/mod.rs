//! Text to values and back, without files: coordinates, moves, positions (CGP), game records
//! (GCG).
//!
//! Text first becomes a syntax type that promises nothing, then a legal value or an error.
//!
//! ```
//! use cazique::notation::{cgp::Cgp, moves::MoveText};
//! use cazique::rules::{Embedded, Library, Position};
//! use std::sync::Arc;
//!
//! let rules = Arc::new(Embedded.rules("tournament")?);
//! let mut position = Position::start(rules, 2)?;
//! let turn = MoveText::parse("8D.GAZER")?.turn(&position)?;
//! assert_eq!(position.play(&turn)?.0, 34);
//! assert!(Cgp::of(&position).to_string().contains("/3GAZER7/"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cgp;
pub mod coordinate;
pub mod gcg;
pub mod moves;
