//! Search: the value of moves, found within a budget of time.
//!
//! [`ranking`] lists candidates by static value. Then one search takes over, by phase of the game:
//! [`sim`] (Monte Carlo simulation), [`preendgame`] (few tiles in the bag) or [`endgame`] (the bag
//! is empty). [`Budget`] and [`clock`] manage time.
//!
//! Search reads no text: the engine resolves the moves that a request names. It fills plain values,
//! and the modules that use it format them.
//!
//! ```
//! use cazique::lexicon::Lexicon;
//! use cazique::movegen::{WordMapRef, Words};
//! use cazique::rules::{Embedded, Library, Position};
//! use cazique::search::ranking::{RankingExtent, RankingRequest, SearchKnowledge, rank};
//! use cazique::search::{Budget, StopToken};
//! use std::sync::Arc;
//!
//! let rules = Arc::new(Embedded.rules("tournament")?);
//! let (lexicon, _) = Lexicon::embedded(&rules.tiles)?;
//! let mut position = Position::start(rules.clone(), 2)?;
//! position.set_rack(0, rules.tiles.read_tiles("QUVWIII")?)?;
//!
//! let words = Words { graph: lexicon.graph(), map: WordMapRef::Absent };
//! let knowledge = SearchKnowledge::new(words, None);
//! let request = RankingRequest { count: 3, ..RankingRequest::default() };
//! let no_limit = Budget::new(StopToken::default(), None, None);
//! let ranking = rank(&position, knowledge, &request, &no_limit);
//! assert_eq!(ranking.candidates.len(), 3);
//! assert_eq!(ranking.extent, RankingExtent::Complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
pub mod clock;
pub mod endgame;
pub mod preendgame;
pub mod ranking;
pub mod sim;
mod solution;
pub(crate) mod solve;
pub(crate) mod think;
mod vocabulary;

pub(crate) use budget::TimeAdvice;
pub use budget::{Budget, StopToken};
pub(crate) use solution::SolveProgress;
pub use solution::{Goal, Solution, SolveContext, SolveRequest, SolvedLine, WinDrawLoss};
pub use vocabulary::Vocabulary;
