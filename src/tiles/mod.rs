//! The tiles of the game: letters, tiles, tile sets and multisets of tiles.
//!
//! Nothing here knows a board, a rule or a word.
//!
//! ```
//! use cazique::rules::{Embedded, Library};
//!
//! let tiles = Embedded.tiles("english")?;
//! let rack = tiles.read_tiles("?QUAILS").expect("these are tiles");
//! assert_eq!(tiles.tiles_text(&rack), "AILQSU?");
//! assert_eq!(tiles.total_value(&rack).0, 15);
//! # Ok::<(), String>(())
//! ```

mod counts;
mod letter;
mod set;
mod text;

pub use counts::TileCounts;
pub use letter::{Face, Letter, MAX_LETTERS, Tile};
pub use set::{MAX_BLANKS, TileKind, TileSet, TileSetError};
pub use text::{Segmentation, Symbol, TileTextError};
