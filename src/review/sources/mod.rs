//! Where records come from: files, folders, zip archives and standard input.
//!
//! [`RecordSources::find`] lists the records without reading them, so that memory does not grow with
//! their number; [`RecordSource::read`] reads one. What cannot be used is listed as a failure: no
//! file silently yields nothing.

mod archive;

use super::FailedRecord;
use archive::RecordArchive;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest record, in bytes: far more than any game needs. Chosen by hand.
pub const MAX_REVIEW_RECORD_BYTES: u64 = 16 << 20;
/// The most records of one review. Chosen by hand.
pub const MAX_REVIEW_RECORDS: usize = 100_000;
/// The deepest folder below one that is named. Chosen by hand; symbolic links could nest for ever.
const MAX_FOLDER_DEPTH: usize = 64;
/// The ending of records.
pub(super) const RECORD_ENDING: &str = ".gcg";
/// The endings of the copies that this program writes beside a record.
const COPY_ENDINGS: [&str; 2] = [REVIEWED_COPY_ENDING, FIXED_COPY_ENDING];
/// The ending of a record with the findings as notes.
pub const REVIEWED_COPY_ENDING: &str = ".review.gcg";
/// The ending of a corrected record.
pub const FIXED_COPY_ENDING: &str = ".fixed.gcg";
/// The argument that names standard input, and its name in messages.
const STANDARD_INPUT: [&str; 2] = ["-", "standard input"];

/// The records of a review, in the order of the arguments and, below a folder, by name.
#[derive(Debug, Default)]
pub struct RecordSources {
    /// The records.
    pub records: Vec<RecordSource>,
    /// What could not be used, with the reason.
    pub failures: Vec<FailedRecord>,
    /// Whether a folder or an archive was named, so that there may be many games.
    pub is_collection: bool,
    /// Whether records were left out.
    is_full: bool,
    /// Files and folders that were seen, so that none is reviewed twice.
    seen: BTreeSet<PathBuf>,
}

/// A record that can be read.
#[derive(Debug)]
pub struct RecordSource {
    /// Its name for people: the path or, in an archive, the path of the archive and the entry.
    pub name: String,
    /// The names of the folders between what was named and the record, and its own name.
    pub path_below: Vec<String>,
    /// The file, if it is one of its own: outputs can stand beside it.
    pub file: Option<PathBuf>,
    content: RecordContent,
}

#[derive(Debug)]
enum RecordContent {
    /// The file of the source.
    File(PathBuf),
    /// An entry of an archive, by its place.
    Entry(Arc<RecordArchive>, usize),
    /// Something that can be read only once was read at once.
    Bytes(Vec<u8>),
}

impl RecordSource {
    /// The content. An error does not repeat the name.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        match &self.content {
            RecordContent::File(path) => {
                let file = File::open(path).map_err(|error| error.to_string())?;
                read_within(file, MAX_REVIEW_RECORD_BYTES)
            }
            RecordContent::Entry(archive, at) => archive.read(*at),
            RecordContent::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

impl RecordSources {
    /// Finds the records that some paths name; `-` is `input`.
    pub fn find(paths: &[PathBuf], input: &mut dyn Read) -> RecordSources {
        let mut sources = RecordSources::default();
        for path in paths {
            if let Err(reason) = sources.add(path, input) {
                sources.fail(path.display().to_string(), reason);
            }
        }
        sources
    }

    fn fail(&mut self, record: String, reason: impl ToString) {
        let reason = reason.to_string();
        self.failures.push(FailedRecord { record, reason });
    }

    /// Adds a record. The first above the limit is a failure, and the others are left out with it.
    fn push(&mut self, source: RecordSource) {
        if self.records.len() < MAX_REVIEW_RECORDS {
            self.records.push(source);
        } else if !self.is_full {
            self.is_full = true;
            let reason = format!("this and what follows exceed {MAX_REVIEW_RECORDS} records");
            self.fail(source.name, reason);
        }
    }

    /// Adds what an argument names.
    fn add(&mut self, path: &Path, input: &mut dyn Read) -> Result<(), String> {
        let [dash, input_name] = STANDARD_INPUT;
        if path.as_os_str() == dash {
            return self.add_stream(input, input_name.to_string());
        }
        let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
        if metadata.is_dir() {
            return self.add_named_folder(path);
        }
        let name = path.display().to_string();
        if !metadata.is_file() {
            // A pipe, such as a shell makes of a command, can be read only once.
            let mut file = File::open(path).map_err(|error| error.to_string())?;
            return self.add_stream(&mut file, name);
        }
        if !self.is_new(path)? {
            return Ok(());
        }
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        if RecordArchive::is_one(&first_bytes(&mut file)?) {
            return self.add_archive(RecordArchive::open(file), &name);
        }
        let own_name = path.file_name().unwrap_or_default();
        self.push(RecordSource {
            name,
            path_below: vec![own_name.to_string_lossy().into_owned()],
            file: Some(path.to_path_buf()),
            content: RecordContent::File(path.to_path_buf()),
        });
        Ok(())
    }

    /// Whether a file or folder has not been seen. Links to one that was seen are not new.
    fn is_new(&mut self, path: &Path) -> Result<bool, String> {
        let real = fs::canonicalize(path).map_err(|error| error.to_string())?;
        Ok(self.seen.insert(real))
    }

    /// Adds what can be read only once: a record or an archive.
    fn add_stream(&mut self, input: &mut dyn Read, name: String) -> Result<(), String> {
        let mut bytes = first_bytes(input)?;
        if RecordArchive::is_one(&bytes) {
            bytes.extend(read_within(input, archive::MAX_ARCHIVE_BYTES)?);
            return self.add_archive(RecordArchive::open(io::Cursor::new(bytes)), &name);
        }
        bytes.extend(read_within(input, MAX_REVIEW_RECORD_BYTES)?);
        self.push(RecordSource {
            name: name.clone(),
            path_below: vec![name],
            file: None,
            content: RecordContent::Bytes(bytes),
        });
        Ok(())
    }

    fn add_archive(
        &mut self,
        opened: Result<RecordArchive, String>,
        name: &str,
    ) -> Result<(), String> {
        self.is_collection = true;
        let archive = Arc::new(opened?);
        let entries = archive.records()?;
        let names: Vec<&str> = entries.iter().map(|(_, name)| name.as_str()).collect();
        let is_copy = copies(&names);
        let (records, failures) = (self.records.len(), self.failures.len());
        if archive.has_duplicates() {
            let reason = "several entries have the same name; only the last of them can be read";
            self.fail(name.to_string(), reason);
        }
        for ((at, entry), is_copy) in entries.iter().zip(is_copy) {
            if is_copy {
                continue;
            }
            self.push(RecordSource {
                name: format!("{name}: {entry}"),
                path_below: entry.split(['/', '\\']).map(String::from).collect(),
                file: None,
                content: RecordContent::Entry(archive.clone(), *at),
            });
        }
        match (records, failures) == (self.records.len(), self.failures.len()) {
            true => Err(format!("the archive has no record (*{RECORD_ENDING})")),
            false => Ok(()),
        }
    }

    fn add_named_folder(&mut self, path: &Path) -> Result<(), String> {
        self.is_collection = true;
        let before = (self.records.len(), self.failures.len(), self.seen.len());
        let mut archives = 0;
        self.add_folder(path, &[], &mut archives)?;
        if (self.records.len(), self.failures.len()) != (before.0, before.1) {
            return Ok(());
        }
        if self.seen.len() == before.2 || self.has_seen_below(path) {
            // All its records were named before.
            return Ok(());
        }
        let hint = match archives {
            0 => String::new(),
            _ => format!("; it has {archives} zip archives, which have to be named themselves"),
        };
        Err(format!("the folder has no record (*{RECORD_ENDING}){hint}"))
    }

    /// Whether a record below a folder was seen.
    fn has_seen_below(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else {
            return false;
        };
        let mut files = self
            .records
            .iter()
            .filter_map(|source| source.file.as_ref());
        files.any(|file| fs::canonicalize(file).is_ok_and(|file| file.starts_with(&real)))
    }

    /// Adds the records of a folder and of those below it. Names beginning with `._` are not
    /// records: some systems keep attributes of files in them.
    fn add_folder(
        &mut self,
        path: &Path,
        above: &[String],
        archives: &mut usize,
    ) -> Result<(), String> {
        if !self.is_new(path)? {
            return Ok(());
        }
        if above.len() == MAX_FOLDER_DEPTH {
            return Err(format!("more than {MAX_FOLDER_DEPTH} folders deep"));
        }
        let entries = fs::read_dir(path).map_err(|error| error.to_string())?;
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(|error| error.to_string())?.path());
        }
        paths.sort();
        let file_name = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        let names: Vec<String> = paths.iter().map(file_name).collect();
        let is_copy = copies(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for ((path, name), is_copy) in paths.iter().zip(&names).zip(is_copy) {
            let below = || [above, std::slice::from_ref(name)].concat();
            let added = match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => self.add_folder(path, &below(), archives),
                found if is_record_name(name) && !is_copy => found
                    .map_err(|error| error.to_string())
                    .and_then(|metadata| self.add_file(path, metadata.is_file(), below())),
                _ => {
                    *archives += usize::from(name.to_ascii_lowercase().ends_with(".zip"));
                    Ok(())
                }
            };
            if let Err(reason) = added {
                self.fail(path.display().to_string(), reason);
            }
        }
        Ok(())
    }

    /// Adds a file of a folder.
    fn add_file(
        &mut self,
        path: &Path,
        is_file: bool,
        path_below: Vec<String>,
    ) -> Result<(), String> {
        if !is_file {
            return Err("this is not a file".to_string());
        }
        if !self.is_new(path)? {
            return Ok(());
        }
        self.push(RecordSource {
            name: path.display().to_string(),
            path_below,
            file: Some(path.to_path_buf()),
            content: RecordContent::File(path.to_path_buf()),
        });
        Ok(())
    }
}

/// Whether a file of this name in a folder or an archive is a record.
fn is_record_name(name: &str) -> bool {
    name.to_lowercase().ends_with(RECORD_ENDING) && !name.starts_with("._")
}

/// Which of some names are copies that this program wrote beside a record among them.
fn copies(names: &[&str]) -> Vec<bool> {
    let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let records: BTreeSet<&str> = lower.iter().map(String::as_str).collect();
    let is_copy = |name: &String| {
        let stem = COPY_ENDINGS
            .iter()
            .find_map(|ending| name.strip_suffix(ending));
        stem.is_some_and(|stem| records.contains(&*format!("{stem}{RECORD_ENDING}")))
    };
    lower.iter().map(is_copy).collect()
}

/// The first bytes of something, which show whether it is an archive.
fn first_bytes(input: &mut (impl Read + ?Sized)) -> Result<Vec<u8>, String> {
    read_at_most(input, archive::SIGNATURE_BYTES)
}

/// Reads at most this number of bytes.
fn read_at_most(input: &mut (impl Read + ?Sized), limit: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = input.take(limit).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| error.to_string())
}

/// Reads everything up to a limit; more is an error.
fn read_within(mut input: impl Read, limit: u64) -> Result<Vec<u8>, String> {
    let bytes = read_at_most(&mut input, limit + 1)?;
    match bytes.len() as u64 > limit {
        true => Err(format!("more than {} MiB, which is the limit", limit >> 20)),
        false => Ok(bytes),
    }
}
