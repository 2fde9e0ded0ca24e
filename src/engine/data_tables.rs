//! Tables that a search uses: leave values and win probabilities. Each is built in, from a file,
//! or absent.

use super::files::Files;
use super::options::Options;
use super::store::Shelves;
use super::{EngineError, bad_data, shortened};
use crate::eval::BuiltInTables;
use crate::eval::win_table::WinTable;
use crate::lexicon::{LeaveValues, Lexicon, read_file};
use crate::rules::{LetterOrder, RuleSet};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// The option value that means the built-in table that suits the rules.
pub(super) const AUTO: &str = "auto";
/// The option value that means no table.
const NONE: &str = "none";

/// A table and where it came from.
pub struct LoadedTable<T> {
    /// The table, if there is one.
    pub table: Option<T>,
    /// The name of the table or of its file with a checksum, or `none`.
    pub id: String,
    pub(super) source: TableSource,
}

/// A kind of table: how it is found and read.
pub(super) struct TableKind<T> {
    pub option: fn(&Options) -> &str,
    pub shelf: fn(&mut Shelves) -> &mut Vec<Arc<LoadedTable<T>>>,
    noun: &'static str,
    /// Its name in the provenance of a search.
    key: &'static str,
    /// The command that makes such a table.
    maker: &'static str,
    /// What to do about a built-in table where the letters of words may stand in any order.
    any_order_advice: &'static str,
    /// The hash of the lexicon that a table was made with, if that is known.
    lexicon_hash: fn(&T, &TableSource) -> Option<u64>,
    /// How the tiles or the board that a table was made for differ from those of the rules.
    misfit: fn(&T, &RuleSet) -> Option<String>,
    extensions: &'static [&'static str],
    built_in: fn(&BuiltInTables) -> Result<T, String>,
    open: fn(&Path, &RuleSet) -> Result<T, String>,
    hash: fn(&T) -> u64,
}

/// Leave values.
pub(super) const LEAVES: TableKind<LeaveValues> = TableKind {
    option: |options| &options.leaves,
    shelf: |shelves| &mut shelves.leaves,
    noun: "leave values",
    key: "leaves",
    maker: "leaves train --lexicon FILE --rules FILE -o NEW.klv2",
    // Measured: see `BuiltInTables::of`. `leaves train` cannot make such values.
    any_order_advice: "they are better than none",
    lexicon_hash: |_, source| match source {
        TableSource::BuiltIn(tables) => Some(tables.lexicon_hash()),
        _ => None,
    },
    misfit: |leaves, rules| {
        let (tile, copies, count) = leaves.foreign_tile(&rules.tiles.all())?;
        let (text, tiles) = (&rules.tiles.kind(tile).upper, rules.tiles.name());
        Some(format!(
            "made for other tiles: they have leaves of at most {copies} '{text}', and the tile set \
             '{tiles}' has {count}"
        ))
    },
    extensions: &["klv2", "klv", "csv"],
    built_in: |table| table.leaves().map_err(text),
    open: |path, rules| LeaveValues::open(path, &rules.tiles).map_err(text),
    hash: LeaveValues::hash,
};

/// Win probabilities by lead and tiles left.
pub(super) const WIN_TABLES: TableKind<WinTable> = TableKind {
    option: |options| &options.win_table,
    shelf: |shelves| &mut shelves.win_tables,
    noun: "win probabilities",
    key: "winpct",
    maker: "leaves win LEAVES --lexicon FILE --rules FILE -o NEW.win",
    // Measured in 3,000 static games: of positions with a win probability of 20 to 25 % by the table,
    // 33 % are won.
    any_order_advice: "make your own with 'leaves win LEAVES --rules wordsmog -o NEW.win'",
    lexicon_hash: |table, _| table.lexicon_hash(),
    misfit: WinTable::misfit,
    extensions: &["win"],
    built_in: |table| table.win_table().map_err(text),
    open: |path, _| {
        let named = |error: String| format!("{}: {error}", path.display());
        let bytes = read_file(path).map_err(text)?;
        WinTable::read(&bytes).map_err(text).map_err(named)
    },
    hash: WinTable::hash,
};

/// Where a table comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TableSource {
    BuiltIn(&'static BuiltInTables),
    File {
        name: String,
        files: Files,
        /// The letters of the tile set, which give the numbers in the file their meaning.
        letters: Vec<String>,
    },
    /// No table: the option rules it out, or none is built in that suits the rules.
    None {
        is_ruled_out: bool,
    },
}

impl TableSource {
    /// What the value of an option means under these rules.
    pub fn new(value: &str, rules: &RuleSet, files: &Files) -> TableSource {
        let is_ruled_out = value.eq_ignore_ascii_case(NONE);
        if is_ruled_out || value.eq_ignore_ascii_case(AUTO) {
            let built_in = BuiltInTables::of(rules).filter(|_| !is_ruled_out);
            return built_in.map_or(TableSource::None { is_ruled_out }, TableSource::BuiltIn);
        }
        TableSource::File {
            name: value.to_string(),
            files: files.clone(),
            letters: rules.tiles.capitals().map(str::to_string).collect(),
        }
    }
}

impl<T> TableKind<T> {
    /// Reads the table of a source.
    pub fn load(
        &self,
        source: TableSource,
        rules: &RuleSet,
    ) -> Result<LoadedTable<T>, EngineError> {
        let noun = self.noun;
        let (table, name) = match &source {
            TableSource::None { .. } => (None, NONE.to_string()),
            TableSource::BuiltIn(table) => {
                let read = (self.built_in)(table).map_err(bad_data)?;
                (Some(read), table.name.to_string())
            }
            TableSource::File { name, files, .. } => {
                let path = files.find(name, self.extensions);
                let path = path.ok_or_else(|| {
                    let places = "a file, a name on the DataPath, auto or none";
                    bad_data(format!(
                        "there are no {noun} '{}'; they can be {places}",
                        shortened(name)
                    ))
                })?;
                let name = path.file_name().unwrap_or_default();
                let table = (self.open)(&path, rules).map_err(bad_data)?;
                (Some(table), name.to_string_lossy().into_owned())
            }
        };
        let id = match &table {
            Some(table) => format!("{name}:{:08x}", (self.hash)(table) as u32),
            None => name,
        };
        Ok(LoadedTable { table, id, source })
    }

    /// Why there is no table under these rules although the option did not rule it out.
    pub fn missing_reason(&self, loaded: &LoadedTable<T>, rules: &RuleSet) -> Option<String> {
        let is_ruled_out = false;
        let is_missing = loaded.source == TableSource::None { is_ruled_out };
        let (rack, tiles, side) = (rules.rack_size, rules.tiles.name(), rules.board.side());
        let (key, noun, maker) = (self.key, self.noun, self.maker);
        is_missing.then(|| {
            format!(
                "{key} none: no built-in {noun} suit racks of {rack} of the tiles '{tiles}' on a \
                 board of {side}x{side}; make your own with '{maker}'"
            )
        })
    }

    /// A warning if a table was not made for the tiles and the board of the rules or, if they are
    /// given, for these words.
    pub fn warning(
        &self,
        loaded: &LoadedTable<T>,
        rules: &RuleSet,
        words: Option<&Lexicon>,
    ) -> Option<String> {
        let table = loaded.table.as_ref()?;
        let other_words = || {
            let hash = (self.lexicon_hash)(table, &loaded.source)?;
            let lexicon = words.filter(|lexicon| lexicon.hash() != hash)?.name();
            Some(format!("made with other words than those of {lexicon}"))
        };
        let (noun, id, maker) = (self.noun, &loaded.id, self.maker);
        if let (TableSource::BuiltIn(_), LetterOrder::Any) = (&loaded.source, rules.letter_order) {
            let advice = self.any_order_advice;
            return Some(format!(
                "the {noun} {id} were made for words in a fixed letter order; {advice}"
            ));
        }
        let reason = (self.misfit)(table, rules).or_else(other_words)?;
        Some(format!(
            "the {noun} {id} were {reason}; make your own with '{maker}'"
        ))
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}
