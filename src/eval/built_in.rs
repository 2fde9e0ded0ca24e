//! The leave values and win probabilities that come with the library, and which
//! of them suit which rules.

use super::win_table::{WinTable, WinTableError};
use crate::lexicon::{LeaveValues, LeaveValuesError, embedded, klv};
use crate::rules::{Embedded, Library, MAX_RACK, MIN_RACK, RuleSet};
use crate::tiles::TileSet;
use std::ops::RangeInclusive;

/// Built-in leave values and win probabilities for one tile set, board size and
/// some sizes of racks.
#[derive(Debug, Eq)]
pub struct BuiltInTables {
    /// The name of the tables.
    pub name: &'static str,
    /// The name of the tile set that they were made for.
    tiles: &'static str,
    /// The number of rows of the board that they were made for.
    board_side: u8,
    /// The sizes of the racks that they serve.
    rack_sizes: RangeInclusive<usize>,
    /// A file of leave values.
    leaves: &'static [u8],
    /// A file of win probabilities.
    win_table: &'static [u8],
}

/// The names are unique, and comparing the tables themselves took a tenth of a millisecond
/// for each position that a review makes ready.
impl PartialEq for BuiltInTables {
    fn eq(&self, other: &BuiltInTables) -> bool {
        self.name == other.name
    }
}

/// All built-in tables.
static BUILT_IN_TABLES: &[BuiltInTables] = &[
    BuiltInTables {
        name: "OEL26",
        tiles: "english",
        board_side: 15,
        rack_sizes: MIN_RACK..=7,
        leaves: include_bytes!("../../lexica/oel26.klv2"),
        win_table: include_bytes!("../../lexica/oel26.win"),
    },
    BuiltInTables {
        name: "OEL26-eight",
        tiles: "english",
        board_side: 15,
        rack_sizes: 8..=8,
        leaves: include_bytes!("../../lexica/oel26_nine.klv2"),
        win_table: include_bytes!("../../lexica/oel26_eight.win"),
    },
    BuiltInTables {
        name: "OEL26-nine",
        tiles: "english",
        board_side: 15,
        rack_sizes: 9..=MAX_RACK,
        leaves: include_bytes!("../../lexica/oel26_nine.klv2"),
        win_table: include_bytes!("../../lexica/oel26_nine.win"),
    },
    BuiltInTables {
        name: "OEL26-super",
        tiles: "english_super",
        board_side: 21,
        rack_sizes: MIN_RACK..=7,
        leaves: include_bytes!("../../lexica/oel26_super.klv2"),
        win_table: include_bytes!("../../lexica/oel26_super.win"),
    },
    BuiltInTables {
        name: "OEL26-super-nine",
        tiles: "english_super",
        board_side: 21,
        rack_sizes: 8..=MAX_RACK,
        leaves: include_bytes!("../../lexica/oel26_super.klv2"),
        win_table: include_bytes!("../../lexica/oel26_super_nine.win"),
    },
];

impl BuiltInTables {
    /// The tables for the tiles and the board size of these rules, if there are any. On a board of
    /// another size they do harm: on one of 9x9 a player with the values for 15x15 won 30 % of the
    /// games against one without any. The lexicon does not matter: values trained with other words
    /// of the same language are far better than none. So are leave values for a fixed letter order
    /// where letters may stand in any order: a static player with them won 58.6 ± 0.9 % of 2,000
    /// games against one without on 15x15, and 62.0 ± 1.7 % of 600 games on 21x21.
    ///
    /// On 15x15, racks of eight and nine have leave values of their own, trained with nine tiles: with
    /// eight a static player with them won 51.6 ± 0.7 % of 3,000 games against one with the values for
    /// seven. Each has its own win probabilities, because a move counts more with more tiles.
    /// The leave values for 21x21 serve racks of any size, and [`LeaveValues`] extrapolates those of
    /// large leaves: with nine tiles a static player with them won 67.3 ± 2.2 % of 300 games against
    /// one without any. The win probabilities for seven tiles were too high by 2.3 ± 0.8 percentage
    /// points there, with 50 or more tiles in the bag.
    pub fn of(rules: &RuleSet) -> Option<&'static BuiltInTables> {
        let suits = |table: &&BuiltInTables| {
            let tiles = Embedded.tiles(table.tiles);
            table.rack_sizes.contains(&rules.rack_size)
                && rules.board.side() == table.board_side
                && tiles.is_ok_and(|tiles| same_tiles(&tiles, &rules.tiles))
        };
        BUILT_IN_TABLES.iter().find(suits)
    }

    /// The hash of the lexicon that they were made with.
    pub fn lexicon_hash(&self) -> u64 {
        embedded::HASH
    }

    /// Reads the leave values.
    pub fn leaves(&self) -> Result<LeaveValues, LeaveValuesError> {
        let letters = Embedded
            .tiles(self.tiles)
            .map_or(0, |tiles| tiles.letter_count());
        klv::read(self.leaves, letters)
    }

    /// Reads the win probabilities.
    pub fn win_table(&self) -> Result<WinTable, WinTableError> {
        WinTable::read(self.win_table)
    }
}

/// Whether two tile sets have the same letters and the same number of each tile.
fn same_tiles(a: &TileSet, b: &TileSet) -> bool {
    a.capitals().eq(b.capitals()) && a.all() == b.all()
}
