//! The tiles of the game: letters, tiles, tile sets and multisets of tiles.
//!
//! Nothing here knows a board, a rule or a word.

mod counts;
mod letter;
mod set;
mod text;

pub use counts::TileCounts;
pub use letter::{Face, Letter, LetterSet, MAX_LETTERS, Tile};
pub use set::{MAX_BLANKS, TileKind, TileSet, TileSetError};
pub use text::{Segmentation, Symbol, TileTextError};
