//! The board: squares, lanes, the printed layout with its premium squares, and the grid of tiles.
//!
//! Nothing here knows which plays are legal.
//!
//! ```
//! use cazique::board::{Layout, Premium, Square};
//!
//! let layout = Layout::parse("tiny", "=....\n.-...\n..'..\n...-.\n....=\n")?;
//! assert_eq!(layout.start().name(layout.side()), "3C");
//! assert_eq!(layout.premium(Square::new(0, 0, 5)), Premium::Word(3));
//! # Ok::<(), cazique::board::LayoutError>(())
//! ```

mod grid;
mod layout;
mod square;

pub use grid::Grid;
pub use layout::{Layout, LayoutError, MAX_SIDE, MIN_SIDE, Premium};
pub use square::{Axis, Lane, Square};
