//! Search: the value of moves, found within a budget of time.
//!
//! [`ranking`] lists candidates by static value. Then one search takes over, by phase of the game:
//! [`sim`] (Monte Carlo simulation), [`preendgame`] (few tiles in the bag) or [`endgame`] (the bag
//! is empty). [`Budget`] and [`clock`] manage time.
//!
//! Search knows no text. It fills plain values, and the layers below it format them.

mod budget;
pub mod clock;
pub mod endgame;
pub mod preendgame;
pub mod ranking;
pub mod sim;
mod solution;
pub mod solve;
pub mod think;
mod vocabulary;

pub use budget::{Budget, StopToken, TimeAdvice};
pub use solution::{Goal, Limits, Solution, SolveRequest, SolvedLine, WinDrawLoss};
pub use vocabulary::Vocabulary;
