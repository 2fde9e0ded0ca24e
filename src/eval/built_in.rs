//! The leave values that come with the library.

use crate::lexicon::{Leaves, LeavesError, klv};
use crate::rules::{Embedded, Library, RuleSet};
use crate::tiles::TileSet;

/// A table of leave values that is built in.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// The tile set that it was trained for.
    tiles: &'static str,
    bytes: &'static [u8],
}

/// A line for each table. The first is taken for tile sets that have the same letters in other numbers.
static BUILT_IN: &[BuiltIn] = &[BuiltIn {
    name: "OEL26",
    tiles: "english",
    bytes: include_bytes!("../../lexica/oel26.klv2"),
}];

/// The largest rack that the tables are for: they have leaves of one tile less.
const RACK: usize = 7;

impl BuiltIn {
    /// The table that suits these rules best, if one does. Which words are
    /// played does not matter: values trained for other words of the same
    /// language are far better than none.
    pub fn of(rules: &RuleSet) -> Option<&'static BuiltIn> {
        if rules.rack_size > RACK {
            return None;
        }
        let same = |table: &&BuiltIn, same: fn(&TileSet, &TileSet) -> bool| {
            Embedded
                .tiles(table.tiles)
                .is_ok_and(|tiles| same(&tiles, &rules.tiles))
        };
        let exact = BUILT_IN.iter().find(|table| same(table, same_tiles));
        exact.or_else(|| BUILT_IN.iter().find(|table| same(table, same_letters)))
    }

    /// The values, read anew.
    pub fn leaves(&self) -> Result<Leaves, LeavesError> {
        let letters = Embedded
            .tiles(self.tiles)
            .map_or(0, |tiles| tiles.letter_count());
        klv::read(self.bytes, letters)
    }
}

fn same_tiles(a: &TileSet, b: &TileSet) -> bool {
    same_letters(a, b) && a.all() == b.all()
}

fn same_letters(a: &TileSet, b: &TileSet) -> bool {
    a.capitals().eq(b.capitals())
}
