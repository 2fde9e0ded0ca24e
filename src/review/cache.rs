//! Keeps the findings of turns in a folder, so that an interrupted review resumes and a repeated one
//! is instant.
//!
//! The key of an entry names everything that its content depends on, so entries are never wrong,
//! only unused. Several processes may use one folder: an entry is written under a temporary name and
//! renamed, and one that is missing or damaged is as good as none.

use crate::fnv::Fnv;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The size of the cache without another request, in bytes. Chosen by hand: about a thousand games.
pub const DEFAULT_CACHE_BYTES: u64 = 1 << 30;
/// The format of entries. It changes when entries of earlier versions cannot be read any more.
const ENTRY_FORMAT: &str = "cazique-review-1";
/// The folder in the cache folder of the user.
const CACHE_FOLDER: &str = "cazique/review";
/// The ending of entries.
const ENTRY_ENDING: &str = "turn";
/// The ending of entries that are being written.
const PART_ENDING: &str = "part";
/// The age at which an entry that was never finished is removed. Chosen by hand: writing one takes
/// milliseconds.
const ABANDONED_AFTER: Duration = Duration::from_secs(3_600);
/// The time of use of an entry is noted if the last note is older. Chosen by hand.
const USE_RESOLUTION: Duration = Duration::from_secs(60);
/// How much of the limit may be written before sizes are counted again, as one part of this many.
/// Chosen by hand.
const GROWTH_DIVISOR: u64 = 8;
/// How much of the limit is kept when entries are removed, in percent. Chosen by hand.
const KEPT_PERCENT: u64 = 80;

/// A folder of findings.
#[derive(Debug)]
pub struct ReviewCache {
    folder: PathBuf,
    limit: u64,
    /// The bytes written since sizes were counted.
    written: AtomicU64,
}

/// The number of the next temporary file of this process.
static NEXT_PART: AtomicU64 = AtomicU64::new(0);

/// An entry on disk.
struct CacheEntry {
    used: SystemTime,
    size: u64,
    path: PathBuf,
}

impl ReviewCache {
    /// Opens the cache in the cache folder of the user.
    pub fn of_user(limit: u64) -> Result<ReviewCache, String> {
        let base = user_cache_folder(|name| env::var_os(name).map(PathBuf::from));
        let base =
            base.ok_or("there is no cache folder: neither XDG_CACHE_HOME nor HOME is set")?;
        ReviewCache::open(&base.join(CACHE_FOLDER), limit)
    }

    /// Opens a folder, which is made if it does not exist, with a limit of its size in bytes. The
    /// error is that nothing can be written into it.
    pub fn open(folder: &Path, limit: u64) -> Result<ReviewCache, String> {
        let cache = ReviewCache {
            folder: folder.to_path_buf(),
            limit,
            written: AtomicU64::new(0),
        };
        let fail = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(fail)?;
        let probe = part_path(folder);
        fs::write(&probe, "").map_err(fail)?;
        fs::remove_file(&probe).map_err(fail)?;
        Ok(cache)
    }

    /// What is kept for a key.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let path = self.path(key)?;
        let text = fs::read_to_string(&path).ok()?;
        let content = content_of(&text, key);
        let value = content.and_then(|content| serde_json::from_str(content).ok());
        match value {
            Some(_) => note_use(&path),
            // A damaged entry would be read again and again.
            None => drop(fs::remove_file(&path)),
        }
        value
    }

    /// Keeps a value for a key.
    pub fn put(&self, key: &str, value: &impl Serialize) -> io::Result<()> {
        let Some(path) = self.path(key) else {
            return Ok(());
        };
        let content = serde_json::to_string(value)?;
        let text = format!("{}\n{content}", header(key, &content));
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let part = part_path(folder);
        let written = File::create(&part).and_then(|mut file| file.write_all(text.as_bytes()));
        if let Err(error) = written.and_then(|()| fs::rename(&part, &path)) {
            let _ = fs::remove_file(&part);
            return Err(error);
        }
        let size = text.len() as u64;
        let written = self.written.fetch_add(size, Ordering::Relaxed) + size;
        if written > self.limit / GROWTH_DIVISOR {
            self.written.store(0, Ordering::Relaxed);
            self.trim();
        }
        Ok(())
    }

    /// Removes the entries that were not used for the longest time if there are too many, and what
    /// interrupted processes have left. Other processes may do so at the same time.
    pub fn trim(&self) {
        let mut entries = Vec::new();
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in folders
            .map(|entry| entry.path())
            .chain([self.folder.clone()])
        {
            let files = fs::read_dir(path).into_iter().flatten().flatten();
            for file in files {
                let Ok(metadata) = file.metadata() else {
                    continue;
                };
                let path = file.path();
                let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                match path.extension().and_then(|ending| ending.to_str()) {
                    Some(ENTRY_ENDING) => entries.push(CacheEntry {
                        used,
                        size: metadata.len(),
                        path,
                    }),
                    Some(PART_ENDING) if is_older(used, ABANDONED_AFTER) => {
                        let _ = fs::remove_file(path);
                    }
                    _ => {}
                }
            }
        }
        let mut size: u64 = entries.iter().map(|entry| entry.size).sum();
        if size <= self.limit {
            return;
        }
        entries.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        for entry in entries {
            if size <= self.limit / 100 * KEPT_PERCENT {
                break;
            }
            let _ = fs::remove_file(&entry.path);
            size -= entry.size;
        }
    }

    /// The file of a key; `None` for a key that is no checksum.
    fn path(&self, key: &str) -> Option<PathBuf> {
        let is_checksum = key.len() > 2 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (folder, name) = is_checksum.then(|| key.split_at(2))?;
        Some(
            self.folder
                .join(folder)
                .join(format!("{name}.{ENTRY_ENDING}")),
        )
    }
}

/// A name that no other thread and no other process uses.
fn part_path(folder: &Path) -> PathBuf {
    let number = NEXT_PART.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{}-{number}.{PART_ENDING}", process::id()))
}

/// The first line of an entry.
fn header(key: &str, content: &str) -> String {
    let sum = Fnv::of(content.as_bytes());
    format!("{ENTRY_FORMAT} {key} {sum:016x}")
}

/// The content of an entry, if it is whole and for this key.
fn content_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (first, content) = text.split_once('\n')?;
    (first == header(key, content)).then_some(content)
}

/// Notes that an entry was used. It does not matter if that fails.
fn note_use(path: &Path) {
    let Ok(file) = File::options().append(true).open(path) else {
        return;
    };
    let used = file.metadata().and_then(|metadata| metadata.modified());
    if used.is_ok_and(|used| is_older(used, USE_RESOLUTION)) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Whether a time is longer ago.
fn is_older(time: SystemTime, age: Duration) -> bool {
    time.elapsed().is_ok_and(|elapsed| elapsed > age)
}

/// The cache folder of the user by the environment: XDG_CACHE_HOME as the XDG Base Directory
/// Specification has it, which ignores relative paths, else the usual folder of the system.
fn user_cache_folder(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    let home = |below: &str| absolute("HOME").map(|home| home.join(below));
    absolute("XDG_CACHE_HOME").or_else(|| match () {
        _ if cfg!(windows) => absolute("LOCALAPPDATA"),
        _ if cfg!(target_os = "macos") => home("Library/Caches"),
        _ => home(".cache"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_folder(variables: &[(&str, &str)], expected: Option<&str>) {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| PathBuf::from(value))
        };
        let expected = expected.map(PathBuf::from);
        assert_eq!(user_cache_folder(variable), expected, "{variables:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_cache_folder_follows_the_xdg_specification() {
        check_folder(&[], None);
        check_folder(&[("HOME", "/home/ann")], Some("/home/ann/.cache"));
        let both = [("HOME", "/home/ann"), ("XDG_CACHE_HOME", "/var/cache/ann")];
        check_folder(&both, Some("/var/cache/ann"));
        let relative = [("HOME", "/home/ann"), ("XDG_CACHE_HOME", "cache")];
        check_folder(&relative, Some("/home/ann/.cache"));
    }
}
