//! Cazique, a crossword board game engine.
//!
//! Most programs need two modules. [`engine`] is the engine in this process: a game, options,
//! searches. [`client`] talks to an engine in another process. The modules above them hold the
//! parts: rules, notations, words, move generation, evaluation and search.
//!
//! ```
//! use cazique::engine::{Engine, Eyes, SearchRequest, Start};
//! use cazique::notation::moves;
//!
//! let mut engine = Engine::new()?;
//! engine.set_position(Start::Empty, &["8D.GAZER", "rack.AEINRST"], Eyes::Mover)?;
//!
//! // Simulate a little. Without a limit, the engine stops when the choice is certain enough.
//! let request = SearchRequest {
//!     iterations: Some(20),
//!     ..SearchRequest::default()
//! };
//! let analysis = engine.analyze(&request)?;
//! for found in analysis.candidates().iter().take(3) {
//!     let position = &analysis.position;
//!     let text = moves::write(&found.candidate.turn, position.grid(), &position.rules().tiles);
//!     let win = found.win().expect("every candidate was simulated");
//!     println!("{text} wins {:.1} % ({:?})", 100.0 * win.value, found.label());
//! }
//! assert!(analysis.best().is_some());
//! # Ok::<(), cazique::engine::EngineError>(())
//! ```
//!
//! The modules stand in dependency order: each names only itself and those
//! above it. ARCHITECTURE.md has the map and the promises.

pub mod units;

pub mod seed;

#[doc(hidden)]
pub mod fnv;

pub mod tiles;

pub mod board;

pub mod rules;

pub mod notation;

pub mod lexicon;

pub mod movegen;

pub mod eval;

pub mod search;

pub mod engine;

pub mod siu;

pub mod client;

pub mod contender;

pub mod autoplay;

pub mod review;

#[doc(hidden)]
pub mod protocol;

#[doc(hidden)]
pub mod cli;
