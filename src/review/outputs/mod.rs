//! Where the outputs of a review go: their names, and when a file may be replaced.
//!
//! A file is written under a temporary name and renamed, so that none is ever half. It replaces
//! another only if this program wrote that one, or by request; a record is never replaced. Outputs
//! are recognised by their end or their form: pages and records have a last line with a checksum,
//! so that a page that somebody has changed since is not ours any more. The line also names what the
//! page was made from, so that a page that would come out the same is not made again.

pub(super) mod csv;
mod names;
mod turns;

pub(crate) use names::INDEX_STEM;
pub use names::{OutputNames, OutputPlace};
pub use turns::turns_csv;

use super::index::INDEX_HEADER;
use super::{FORMAT_VERSION, ReviewDocument, ReviewIndex};
use crate::fnv::Fnv;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use turns::TURNS_HEADER;

/// The largest file that can be one of ours, in bytes. Chosen by hand: an index of a thousand games
/// has a few megabytes.
const MAX_OUTPUT_BYTES: u64 = 256 << 20;
/// What begins and ends the last line of a page. Between them stand two checksums in hexadecimal
/// digits: of what the page was made from, and of the text before the line.
const PAGE_MARK: [&str; 2] = ["<!-- cazique review ", " -->\n"];
/// The same of a record.
const RECORD_MARK: [&str; 2] = ["#note Written by cazique review, checksum ", "\n"];
/// How the temporary name of a file ends, after the number of the process.
const PART_ENDING: &str = ".cazique-part";

/// A format of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewFormat {
    /// A page to look at.
    Html,
    /// All figures.
    Json,
    /// The record with the findings as notes.
    Gcg,
    /// A table of the turns.
    Csv,
}

impl ReviewFormat {
    /// All formats.
    pub const ALL: [ReviewFormat; 4] = [
        ReviewFormat::Html,
        ReviewFormat::Json,
        ReviewFormat::Gcg,
        ReviewFormat::Csv,
    ];

    /// Its name in arguments.
    pub fn name(self) -> &'static str {
        match self {
            ReviewFormat::Html => "html",
            ReviewFormat::Json => "json",
            ReviewFormat::Gcg => "gcg",
            ReviewFormat::Csv => "csv",
        }
    }

    /// The ending of its files. A record with notes never has the name of the record.
    pub fn ending(self) -> &'static str {
        match self {
            ReviewFormat::Html => ".html",
            ReviewFormat::Json => ".json",
            ReviewFormat::Gcg => super::sources::REVIEWED_COPY_ENDING,
            ReviewFormat::Csv => ".csv",
        }
    }

    /// How the last line with the checksum begins and ends, in formats that have one.
    fn mark(self) -> Option<[&'static str; 2]> {
        match self {
            ReviewFormat::Html => Some(PAGE_MARK),
            ReviewFormat::Gcg => Some(RECORD_MARK),
            ReviewFormat::Json | ReviewFormat::Csv => None,
        }
    }

    /// The text as it is written. `source` is a checksum of what it was made from.
    pub fn marked(self, mut text: String, source: u64) -> String {
        let Some([before, after]) = self.mark() else {
            return text;
        };
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let sum = Fnv::of(text.as_bytes());
        text + &format!("{before}{source:016x} {sum:016x}{after}")
    }

    /// The checksum of what a text was made from, if this program wrote it, it has one, and nobody
    /// changed it.
    fn source(self, text: &str) -> Option<u64> {
        let [before, after] = self.mark()?;
        let sums = text.strip_suffix(after)?;
        let start = sums.rfind('\n')? + 1;
        let (body, sums) = sums.split_at(start);
        let (source, sum) = sums.strip_prefix(before)?.split_once(' ')?;
        let number = |digits: &str| u64::from_str_radix(digits, 16).ok();
        (number(sum)? == Fnv::of(body.as_bytes())).then_some(number(source)?)
    }

    /// Whether this program wrote a text, and nobody changed it.
    fn is_ours(self, text: &str) -> bool {
        match self {
            ReviewFormat::Html | ReviewFormat::Gcg => self.source(text).is_some(),
            ReviewFormat::Json => {
                let document = serde_json::from_str::<ReviewDocument>(text);
                let index = || serde_json::from_str::<ReviewIndex>(text);
                document.is_ok_and(|it| it.format <= FORMAT_VERSION)
                    || index().is_ok_and(|it| it.format <= FORMAT_VERSION)
            }
            ReviewFormat::Csv => {
                let header = text.lines().next().unwrap_or("");
                header == TURNS_HEADER.join(",") || header == INDEX_HEADER.join(",")
            }
        }
    }
}

/// Writes outputs.
#[derive(Debug, Default)]
pub struct OutputWriter {
    /// The records of the review, which are never replaced, with all links resolved.
    records: BTreeSet<PathBuf>,
    /// Whether files of others may be replaced.
    force: bool,
}

impl OutputWriter {
    /// A writer that replaces none of these records. With `force` it replaces any other file.
    pub fn new<'a>(records: impl Iterator<Item = &'a Path>, force: bool) -> OutputWriter {
        OutputWriter {
            records: records
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            force,
        }
    }

    /// Why a file must not be written, if it must not.
    pub fn check(&self, path: &Path, format: ReviewFormat) -> Result<(), String> {
        let shown = path.display();
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("{shown}: {error}")),
        };
        if metadata.is_dir() {
            return Err(format!("{shown} is a folder"));
        }
        let real = path.canonicalize();
        if real.is_ok_and(|real| self.records.contains(&real)) {
            return Err(format!("{shown} is a record, which is never replaced"));
        }
        if self.force || is_ours(path, &metadata, format) {
            return Ok(());
        }
        Err(format!(
            "{shown} exists, and this program did not write it as it is now; --force replaces it"
        ))
    }

    /// Whether a file is there already, as this program would write it again from this source.
    pub fn is_current(&self, path: &Path, format: ReviewFormat, source: u64) -> bool {
        let text = fs::metadata(path).ok().and_then(|it| text_of(path, &it));
        text.is_some_and(|text| format.source(&text) == Some(source))
    }

    /// Writes a file, all of it or nothing. It gets its mark here, with the checksum of its source.
    pub fn write(
        &self,
        path: &Path,
        format: ReviewFormat,
        text: String,
        source: u64,
    ) -> Result<(), String> {
        self.check(path, format)?;
        let fail = |error: io::Error| format!("{}: {error}", path.display());
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(fail)?;
        let part = part_path(path);
        let written = File::create(&part)
            .and_then(|mut file| file.write_all(format.marked(text, source).as_bytes()))
            .and_then(|()| fs::rename(&part, path));
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            fail(error)
        })
    }
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The name of a file while this process writes it.
fn part_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hidden = format!(".{name}.{}{PART_ENDING}", process::id());
    folder_of(path).join(hidden)
}

/// Removes what processes that do not run any more have left half-written in a folder. Without a
/// list of processes to ask, as Linux has it, nothing is removed.
pub fn remove_abandoned_parts(folder: &Path) {
    let processes = Path::new("/proc");
    if !processes.join("self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let stem = name
            .to_str()
            .and_then(|name| name.strip_suffix(PART_ENDING));
        let Some((_, process)) = stem.and_then(|stem| stem.rsplit_once('.')) else {
            continue;
        };
        let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && !processes.join(process).exists() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether this program wrote a file.
fn is_ours(path: &Path, metadata: &fs::Metadata, format: ReviewFormat) -> bool {
    text_of(path, metadata).is_some_and(|text| format.is_ours(&text))
}

/// The text of a file that can be an output: a regular one that is not too large.
fn text_of(path: &Path, metadata: &fs::Metadata) -> Option<String> {
    if !metadata.is_file() || metadata.len() > MAX_OUTPUT_BYTES {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(MAX_OUTPUT_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_text_is_ours_until_somebody_changes_it() {
        for format in [ReviewFormat::Html, ReviewFormat::Gcg] {
            let text = format.marked("<p>one</p>\n<p>two</p>".to_string(), 7);
            assert!(format.is_ours(&text), "{text}");
            assert_eq!(format.source(&text), Some(7));
            let changed = text.replace("two", "three");
            assert!(!format.is_ours(&changed), "{changed}");
            assert!(!format.is_ours("<p>one</p>\n"));
            assert!(!format.is_ours(""));
            assert!(!format.is_ours("\n"));
        }
    }

    #[test]
    fn tables_and_data_are_ours_by_their_form() {
        let json = serde_json::to_string(&ReviewDocument::default()).unwrap();
        assert!(ReviewFormat::Json.is_ours(&json));
        assert!(!ReviewFormat::Json.is_ours("{}"));
        assert!(!ReviewFormat::Json.is_ours("{\"format\": 1}"));
        assert!(ReviewFormat::Csv.is_ours(&(TURNS_HEADER.join(",") + "\r\n")));
        assert!(!ReviewFormat::Csv.is_ours("name,points\r\n"));
    }
}
