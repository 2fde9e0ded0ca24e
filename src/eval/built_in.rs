//! The leave values and win probabilities that come with the library, and which
//! of them suit which rules.

use super::win_table::{WinTable, WinTableError};
use crate::lexicon::{LeaveValues, LeaveValuesError, klv};
use crate::rules::{Embedded, Library, RuleSet};
use crate::tiles::TileSet;

/// Built-in leave values and win probabilities for one tile set.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInTables {
    /// The name of the tables.
    pub name: &'static str,
    /// The name of the tile set that they were made for.
    tiles: &'static str,
    /// A file of leave values.
    leaves: &'static [u8],
    /// A file of win probabilities.
    win_table: &'static [u8],
}

/// All built-in tables. Of tables with the letters of a tile set, but other
/// counts, the first is used.
static BUILT_IN_TABLES: &[BuiltInTables] = &[
    BuiltInTables {
        name: "OEL26",
        tiles: "english",
        leaves: include_bytes!("../../lexica/oel26.klv2"),
        win_table: include_bytes!("../../lexica/oel26.win"),
    },
    BuiltInTables {
        name: "OEL26-super",
        tiles: "english_super",
        leaves: include_bytes!("../../lexica/oel26_super.klv2"),
        win_table: include_bytes!("../../lexica/oel26_super.win"),
    },
];

/// The largest rack for which the tables suffice: they have leaves of up to six
/// tiles.
const MAX_TABLE_RACK: usize = 7;

impl BuiltInTables {
    /// The tables that suit these rules best, if any do. The lexicon does not
    /// matter: values trained with other words of the same language are far
    /// better than none.
    pub fn of(rules: &RuleSet) -> Option<&'static BuiltInTables> {
        if rules.rack_size > MAX_TABLE_RACK {
            return None;
        }
        let suits = |table: &&BuiltInTables, same: fn(&TileSet, &TileSet) -> bool| {
            Embedded
                .tiles(table.tiles)
                .is_ok_and(|tiles| same(&tiles, &rules.tiles))
        };
        let exact = BUILT_IN_TABLES
            .iter()
            .find(|table| suits(table, same_tiles));
        exact.or_else(|| {
            BUILT_IN_TABLES
                .iter()
                .find(|table| suits(table, same_letters))
        })
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
    same_letters(a, b) && a.all() == b.all()
}

/// Whether two tile sets have the same letters.
fn same_letters(a: &TileSet, b: &TileSet) -> bool {
    a.capitals().eq(b.capitals())
}
