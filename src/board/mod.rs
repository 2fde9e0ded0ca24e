//! The board: squares, lanes, the printed layout with its premium squares, and the grid of tiles.
//!
//! Nothing here knows which plays are legal.

mod grid;
mod layout;
mod square;

pub use grid::Grid;
pub use layout::{Layout, LayoutError, MAX_SIDE, MIN_SIDE, Premium};
pub use square::{Axis, Lane, Square};
