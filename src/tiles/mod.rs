//! What lies in the box: letters, tiles, tile sets and bunches of tiles.
//!
//! Nothing here knows a board, a rule or a word.

mod bunch;
mod letter;
mod set;

pub use bunch::Bunch;
pub use letter::{Face, Letter, LetterSet, MAX_LETTERS, Tile};
pub use set::{Kind, MAX_BLANKS, Reading, Symbol, TextError, TileSet, TileSetError};
