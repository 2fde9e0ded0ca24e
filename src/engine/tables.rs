//! Tables that a search uses: leave values and win probabilities. Each is built in, from a file,
//! or absent.

use super::files::Files;
use super::{EngineError, ErrorKind, shortened};
use crate::eval::BuiltInTables;
use crate::eval::win_table::WinTable;
use crate::lexicon::{LeaveValues, read_file};
use crate::rules::RuleSet;
use std::fmt::Display;
use std::path::Path;

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
    /// Why there is no table although the option did not rule it out.
    pub missing_reason: Option<String>,
    source: TableSource,
}

/// A kind of table: how it is found and read.
pub(super) struct TableKind<T> {
    noun: &'static str,
    extensions: &'static [&'static str],
    built_in: fn(&BuiltInTables) -> Result<T, String>,
    open: fn(&Path, &RuleSet) -> Result<T, String>,
    hash: fn(&T) -> u64,
}

/// Leave values.
pub(super) const LEAVES: TableKind<LeaveValues> = TableKind {
    noun: "leave values",
    extensions: &["klv2", "klv", "csv"],
    built_in: |table| table.leaves().map_err(text),
    open: |path, rules| LeaveValues::open(path, &rules.tiles).map_err(text),
    hash: LeaveValues::hash,
};

/// Win probabilities by lead and tiles left.
pub(super) const WIN_TABLES: TableKind<WinTable> = TableKind {
    noun: "win probabilities",
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
enum TableSource {
    BuiltIn(&'static BuiltInTables),
    File {
        name: String,
        files: Files,
        /// The letters of the tile set, which give the numbers in the file their meaning.
        letters: Vec<String>,
    },
    None,
}

impl TableSource {
    /// What the value of an option means under these rules.
    fn new(value: &str, rules: &RuleSet, files: &Files) -> TableSource {
        if value.eq_ignore_ascii_case(NONE) {
            return TableSource::None;
        }
        if value.eq_ignore_ascii_case(AUTO) {
            return BuiltInTables::of(rules).map_or(TableSource::None, TableSource::BuiltIn);
        }
        TableSource::File {
            name: value.to_string(),
            files: files.clone(),
            letters: rules.tiles.capitals().map(str::to_string).collect(),
        }
    }
}

impl<T> LoadedTable<T> {
    /// Whether it is what the option asks for under these rules.
    pub(super) fn is_for(&self, value: &str, rules: &RuleSet, files: &Files) -> bool {
        self.source == TableSource::new(value, rules, files)
    }
}

impl<T> TableKind<T> {
    /// Reads what the option asks for under these rules.
    pub(super) fn load(
        &self,
        value: &str,
        rules: &RuleSet,
        files: &Files,
    ) -> Result<LoadedTable<T>, EngineError> {
        let source = TableSource::new(value, rules, files);
        let noun = self.noun;
        let (table, name) = match &source {
            TableSource::None => (None, NONE.to_string()),
            TableSource::BuiltIn(table) => {
                let read = (self.built_in)(table).map_err(data)?;
                (Some(read), table.name.to_string())
            }
            TableSource::File { name, .. } => {
                let path = files.find(name, self.extensions);
                let path = path.ok_or_else(|| {
                    let places = "a file, a name on the DataPath, auto or none";
                    data(format!(
                        "there are no {noun} '{}'; they can be {places}",
                        shortened(name)
                    ))
                })?;
                let name = path.file_name().unwrap_or_default();
                let table = (self.open)(&path, rules).map_err(data)?;
                (Some(table), name.to_string_lossy().into_owned())
            }
        };
        let is_missing = table.is_none() && !value.eq_ignore_ascii_case(NONE);
        let missing_reason = is_missing.then(|| {
            let (rack, tiles) = (rules.rack_size, rules.tiles.name());
            format!("no built-in {noun} suit racks of {rack} of the tiles '{tiles}'")
        });
        let id = match &table {
            Some(table) => format!("{name}:{:08x}", (self.hash)(table) as u32),
            None => name,
        };
        Ok(LoadedTable {
            table,
            id,
            missing_reason,
            source,
        })
    }
}

fn text(error: impl Display) -> String {
    error.to_string()
}

fn data(error: impl Display) -> EngineError {
    EngineError::new(ErrorKind::Data, error)
}
