//! The tables that a search goes by, leave values and chances to win: built
//! in, from a file, or none.

use super::files::Files;
use super::{EngineError, ErrorKind, cut};
use crate::eval::BuiltInTables;
use crate::eval::win_table::WinTable;
use crate::lexicon::{LeaveValues, read_file};
use crate::rules::RuleSet;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// The value of an option for the table that suits the rules.
pub const AUTO: &str = "auto";
/// The value of an option for no table.
pub const NONE: &str = "none";

/// A table and how it came.
pub struct LoadedTable<T> {
    /// The table, if there is one.
    pub table: Option<T>,
    /// What tells it from others: its name or that of its file, and a part of its hash; `none` if there is none.
    pub id: String,
    /// Why there is none although none was not asked for.
    pub lack: Option<String>,
    source: Source,
}

/// A kind of table: how it is found and read.
pub(super) struct Kind<T> {
    noun: &'static str,
    extensions: &'static [&'static str],
    built_in: fn(&BuiltInTables) -> Result<T, String>,
    open: fn(&Path, &RuleSet) -> Result<T, String>,
    hash: fn(&T) -> u64,
}

/// Leave values.
pub(super) const LEAVES: Kind<LeaveValues> = Kind {
    noun: "leave values",
    extensions: &["klv2", "klv", "csv"],
    built_in: |table| table.leaves().map_err(text),
    open: |path, rules| LeaveValues::open(path, &rules.tiles).map_err(text),
    hash: LeaveValues::hash,
};

/// Chances to win.
pub(super) const CHANCES: Kind<WinTable> = Kind {
    noun: "chances to win",
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
enum Source {
    BuiltIn(&'static BuiltInTables),
    /// A file as it was asked for, and the letters whose numbers it has.
    File(String, Vec<String>),
    None,
}

impl Source {
    /// What the value of an option means under these rules.
    fn of(value: &str, rules: &RuleSet) -> Source {
        if value.eq_ignore_ascii_case(NONE) {
            return Source::None;
        }
        if value.eq_ignore_ascii_case(AUTO) {
            return BuiltInTables::of(rules).map_or(Source::None, Source::BuiltIn);
        }
        Source::File(
            value.to_string(),
            rules.tiles.capitals().map(str::to_string).collect(),
        )
    }
}

impl<T> LoadedTable<T> {
    /// Whether it is what the option asks for under these rules.
    pub(super) fn is(&self, value: &str, rules: &RuleSet) -> bool {
        self.source == Source::of(value, rules)
    }

    /// Whether it is from a file, which may change.
    pub(super) fn is_a_file(&self) -> bool {
        matches!(self.source, Source::File(..))
    }
}

impl<T> Kind<T> {
    /// What the option asks for under these rules: the one that was used last if it is that.
    pub(super) fn keep(
        &self,
        last: &mut Option<Arc<LoadedTable<T>>>,
        value: &str,
        rules: &RuleSet,
        files: &Files,
    ) -> Result<Arc<LoadedTable<T>>, EngineError> {
        match last {
            Some(loaded) if loaded.is(value, rules) => Ok(loaded.clone()),
            _ => {
                let loaded = Arc::new(self.load(value, rules, files)?);
                *last = Some(loaded.clone());
                Ok(loaded)
            }
        }
    }

    /// Reads what the option asks for under these rules.
    pub(super) fn load(
        &self,
        value: &str,
        rules: &RuleSet,
        files: &Files,
    ) -> Result<LoadedTable<T>, EngineError> {
        let source = Source::of(value, rules);
        let noun = self.noun;
        let (table, name) = match &source {
            Source::None => (None, NONE.to_string()),
            Source::BuiltIn(table) => {
                let read = (self.built_in)(table).map_err(data)?;
                (Some(read), table.name.to_string())
            }
            Source::File(asked, _) => {
                let path = files.find(asked, self.extensions);
                let path = path.ok_or_else(|| {
                    let places = "a file, a name on the DataPath, auto or none";
                    data(format!(
                        "there are no {noun} '{}'; they can be {places}",
                        cut(asked)
                    ))
                })?;
                let name = path.file_name().unwrap_or_default();
                let table = (self.open)(&path, rules).map_err(data)?;
                (Some(table), name.to_string_lossy().into_owned())
            }
        };
        let lacks = table.is_none() && !value.eq_ignore_ascii_case(NONE);
        let lack = lacks.then(|| {
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
            lack,
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
