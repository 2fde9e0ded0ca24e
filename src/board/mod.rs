//! Where tiles lie: squares, lanes, the printed layout and the grid of tiles on it.
//!
//! Nothing here knows which plays are allowed.

mod grid;
mod layout;
mod square;

pub use grid::Grid;
pub use layout::{Layout, LayoutError, MAX_SIDE, MIN_SIDE, Premium};
pub use square::{Axis, Lane, Square};
