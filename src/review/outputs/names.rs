//! The names of outputs: no two records of a review share one, on any file system.

use super::folder_of;
use crate::review::sources::RecordSource;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The longest name without ending, in bytes. File systems allow 255, and endings, numbers and
/// temporary names need some.
const MAX_STEM_BYTES: usize = 150;
/// The name of the index, which no game may have in the folder of the index.
pub(crate) const INDEX_STEM: &str = "index";
/// Names that some systems reserve for devices, whatever their ending; those with a number follow.
const DEVICE_NAMES: [&str; 4] = ["con", "prn", "aux", "nul"];
/// The same with a digit after them.
const NUMBERED_DEVICE_NAMES: [&str; 2] = ["com", "lpt"];

/// Where outputs go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPlace {
    /// Each beside its record.
    BesideRecords,
    /// Into one folder.
    Folder(PathBuf),
    /// Into one file, for one game.
    File(PathBuf),
    /// To standard output, for one game.
    StandardOutput,
    /// No file is written.
    Nowhere,
}

/// Gives each record a name for its outputs.
#[derive(Debug)]
pub struct OutputNames {
    /// What is taken, as the most forgiving file systems compare names.
    taken: BTreeSet<PathBuf>,
}

impl OutputNames {
    /// Names for outputs beside an index in this folder, if there is one.
    pub fn new(index_folder: Option<&Path>) -> OutputNames {
        let index = index_folder.map(|folder| forgiving(&folder.join(INDEX_STEM)));
        OutputNames {
            taken: index.into_iter().collect(),
        }
    }

    /// The path of the outputs of a record, without ending. `None`: it has no place beside it.
    pub fn stem(&mut self, source: &RecordSource, place: &OutputPlace) -> Option<PathBuf> {
        let wanted = match (place, &source.file) {
            (OutputPlace::Folder(folder), _) => folder.join(flat_name(&source.path_below)),
            (OutputPlace::BesideRecords, Some(file)) => {
                let name = file.file_name()?.to_string_lossy();
                let stem = without_ending(&name);
                folder_of(file).join(if stem.is_empty() { &name } else { stem })
            }
            _ => return None,
        };
        let name = wanted.file_name()?.to_string_lossy().into_owned();
        let numbered = (2_u32..).map(|number| wanted.with_file_name(format!("{name}-{number}")));
        let mut names = std::iter::once(wanted.clone()).chain(numbered);
        names.find(|stem| self.taken.insert(forgiving(stem)))
    }
}

/// A path as file systems compare it that ignore case. Their folders are compared as they are
/// written, which is enough: the same folder is never reached in two ways, because no record is
/// reviewed twice.
fn forgiving(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    folder_of(path).join(name.to_lowercase())
}

/// A name without the ending of records.
fn without_ending(name: &str) -> &str {
    let ending = super::super::sources::RECORD_ENDING;
    let at = name.len().saturating_sub(ending.len());
    match name.get(at..) {
        Some(end) if end.eq_ignore_ascii_case(ending) => &name[..at],
        _ => name,
    }
}

/// One name for a record in nested folders, made of letters, digits and a few signs, so that it is
/// valid everywhere and leads nowhere else.
fn flat_name(path_below: &[String]) -> String {
    let (own, folders) = match path_below.split_last() {
        Some((own, folders)) => (without_ending(own), folders),
        None => ("", path_below),
    };
    let parts = folders.iter().map(String::as_str).chain([own]);
    let parts: Vec<String> = parts.map(plain).filter(|part| !part.is_empty()).collect();
    let mut name = parts.join("-");
    while name.len() > MAX_STEM_BYTES {
        name.pop();
    }
    let first = name.split('.').next().unwrap_or("").to_lowercase();
    let has_number = |device: &&str| {
        let rest = first.strip_prefix(*device);
        rest.is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_device = DEVICE_NAMES.contains(&&*first) || NUMBERED_DEVICE_NAMES.iter().any(has_number);
    match (name.is_empty(), is_device) {
        (true, _) => "game".to_string(),
        (_, true) => format!("game-{name}"),
        _ => name,
    }
}

/// A part of a path with other signs replaced, and without dots or hyphens at its ends.
fn plain(part: &str) -> String {
    let sign = |c: char| match c.is_alphanumeric() || "-_.".contains(c) {
        true => c,
        false => '_',
    };
    let replaced: String = part.chars().map(sign).collect();
    replaced.trim_matches(['.', '-']).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: &str) {
        let parts: Vec<String> = path.split('/').map(String::from).collect();
        assert_eq!(flat_name(&parts), expected, "{path}");
    }

    #[test]
    fn a_name_is_valid_everywhere_and_leads_nowhere_else() {
        check("game.gcg", "game");
        check("game.GCG", "game");
        check("club/round 1/game.gcg", "club-round_1-game");
        check("../../etc/passwd.gcg", "etc-passwd");
        check("/etc/passwd.gcg", "etc-passwd");
        check("C:\\x.gcg", "C__x");
        check("Ñandú.gcg", "Ñandú");
        check(".gcg", "game");
        check("...gcg", "game");
        check("-rf.gcg", "rf");
        check("a\u{0}b\nc<d>|e.gcg", "a_b_c_d__e");
        check("con.gcg", "game-con");
        check("LPT1.x.gcg", "game-LPT1.x");
        check("console.gcg", "console");
        check("notes.txt", "notes.txt");
        check(&"é".repeat(200), &"é".repeat(MAX_STEM_BYTES / 2));
    }
}
