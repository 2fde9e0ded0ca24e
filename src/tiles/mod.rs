//! What lies in the box: letters, tiles, tile sets and bunches of tiles.
//!
//! Nothing here knows a board, a rule or a word.

mod counts;
mod letter;
mod set;

pub use counts::TileCounts;
pub use letter::{Face, Letter, LetterSet, MAX_LETTERS, Tile};
pub use set::{MAX_BLANKS, Segmentation, Symbol, TileKind, TileSet, TileSetError, TileTextError};
