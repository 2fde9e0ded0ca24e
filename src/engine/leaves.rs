//! The leave values that a search goes by: built in, from a file, or none.

use super::files::Files;
use super::options::{AUTO_LEAVES, NO_LEAVES};
use super::{EngineError, ErrorKind, cut};
use crate::eval::BuiltIn;
use crate::lexicon::Leaves;
use crate::rules::RuleSet;

/// Leave values and how they came.
pub struct LoadedLeaves {
    /// The values, if there are any.
    pub leaves: Option<Leaves>,
    /// What tells them from others: their name or that of their file, and a part of their hash; `none` if there are none.
    pub id: String,
    /// Why there are none although none were not asked for.
    pub lack: Option<String>,
    source: Source,
}

/// Where leave values come from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    BuiltIn(&'static BuiltIn),
    /// A file as it was asked for, and the letters whose numbers it has.
    File(String, Vec<String>),
    None,
}

impl Source {
    /// What the value of the option means under these rules.
    fn of(value: &str, rules: &RuleSet) -> Source {
        if value.eq_ignore_ascii_case(NO_LEAVES) {
            return Source::None;
        }
        if value.eq_ignore_ascii_case(AUTO_LEAVES) {
            return BuiltIn::of(rules).map_or(Source::None, Source::BuiltIn);
        }
        Source::File(
            value.to_string(),
            rules.tiles.capitals().map(str::to_string).collect(),
        )
    }
}

impl LoadedLeaves {
    /// Whether they are what the option asks for under these rules.
    pub(super) fn are(&self, value: &str, rules: &RuleSet) -> bool {
        self.source == Source::of(value, rules)
    }

    /// Whether they are from a file, which may change.
    pub(super) fn are_a_file(&self) -> bool {
        matches!(self.source, Source::File(..))
    }

    /// Reads what the option asks for under these rules.
    pub(super) fn load(
        value: &str,
        rules: &RuleSet,
        files: &Files,
    ) -> Result<LoadedLeaves, EngineError> {
        let source = Source::of(value, rules);
        let (leaves, name) = match &source {
            Source::None => (None, NO_LEAVES.to_string()),
            Source::BuiltIn(table) => {
                let leaves = table.leaves().map_err(data)?;
                (Some(leaves), table.name.to_string())
            }
            Source::File(asked, _) => {
                let path = files.find(asked, &["klv2", "klv", "csv"]);
                let path = path.ok_or_else(|| {
                    let places = "a file, a name on the DataPath, auto or none";
                    data(format!(
                        "there are no leave values '{}'; they can be {places}",
                        cut(asked)
                    ))
                })?;
                let name = path.file_name().unwrap_or_default();
                let leaves = Leaves::open(&path, &rules.tiles).map_err(data)?;
                (Some(leaves), name.to_string_lossy().into_owned())
            }
        };
        let lacks = leaves.is_none() && !value.eq_ignore_ascii_case(NO_LEAVES);
        let lack = lacks.then(|| {
            let (rack, tiles) = (rules.rack_size, rules.tiles.name());
            format!("no built-in values suit racks of {rack} of the tiles '{tiles}'")
        });
        let id = match &leaves {
            Some(leaves) => format!("{name}:{:08x}", leaves.hash() as u32),
            None => name,
        };
        Ok(LoadedLeaves {
            leaves,
            id,
            lack,
            source,
        })
    }
}

fn data(error: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Data, error)
}
