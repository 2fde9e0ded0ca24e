//! The leave values and chances to win that come with the library.

use super::win_table::{WinTable, WinTableError};
use crate::lexicon::{LeaveValues, LeaveValuesError, klv};
use crate::rules::{Embedded, Library, RuleSet};
use crate::tiles::TileSet;

/// Leave values and chances to win that are built in.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInTables {
    /// Their name.
    pub name: &'static str,
    /// The tile set that they were made for.
    tiles: &'static str,
    leaves: &'static [u8],
    chances: &'static [u8],
}

/// The first is taken for tile sets that have the same letters in other numbers.
static BUILT_IN_TABLES: &[BuiltInTables] = &[
    BuiltInTables {
        name: "OEL26",
        tiles: "english",
        leaves: include_bytes!("../../lexica/oel26.klv2"),
        chances: include_bytes!("../../lexica/oel26.win"),
    },
    BuiltInTables {
        name: "OEL26-super",
        tiles: "english_super",
        leaves: include_bytes!("../../lexica/oel26_super.klv2"),
        chances: include_bytes!("../../lexica/oel26_super.win"),
    },
];

/// The largest rack that the tables are for: they have leaves of one tile less.
const MAX_TABLE_RACK: usize = 7;

impl BuiltInTables {
    /// The table that suits these rules best, if one does. Which words are
    /// played does not matter: values trained for other words of the same
    /// language are far better than none.
    pub fn of(rules: &RuleSet) -> Option<&'static BuiltInTables> {
        if rules.rack_size > MAX_TABLE_RACK {
            return None;
        }
        let same = |table: &&BuiltInTables, same: fn(&TileSet, &TileSet) -> bool| {
            Embedded
                .tiles(table.tiles)
                .is_ok_and(|tiles| same(&tiles, &rules.tiles))
        };
        let exact = BUILT_IN_TABLES.iter().find(|table| same(table, same_tiles));
        exact.or_else(|| {
            BUILT_IN_TABLES
                .iter()
                .find(|table| same(table, same_letters))
        })
    }

    /// The leave values, read anew.
    pub fn leaves(&self) -> Result<LeaveValues, LeaveValuesError> {
        let letters = Embedded
            .tiles(self.tiles)
            .map_or(0, |tiles| tiles.letter_count());
        klv::read(self.leaves, letters)
    }

    /// The chances to win, read anew.
    pub fn win_table(&self) -> Result<WinTable, WinTableError> {
        WinTable::read(self.chances)
    }
}

fn same_tiles(a: &TileSet, b: &TileSet) -> bool {
    same_letters(a, b) && a.all() == b.all()
}

fn same_letters(a: &TileSet, b: &TileSet) -> bool {
    a.capitals().eq(b.capitals())
}
