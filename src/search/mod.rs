//! What a turn is worth, found within a budget of time and until told to stop.
//!
//! Search knows no text: it fills plain values, and whoever asked says them.

mod budget;
pub mod clock;
pub mod endgame;
pub mod preendgame;
pub mod ranking;
pub mod sim;
pub mod solve;

pub use budget::{Budget, StopToken, TimeAdvice};
