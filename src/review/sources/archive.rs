//! A zip archive with records. Entries are only read, never written by their names, so that a name
//! such as `../x` does no harm.

use super::{MAX_REVIEW_RECORD_BYTES, MAX_REVIEW_RECORDS, is_record_name, read_at_most};
use std::fmt;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};
use zip::ZipArchive;

/// The largest archive, in bytes. Chosen by hand: tens of thousands of games.
pub(super) const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// The largest sum of the sizes of all records in an archive, in bytes. Chosen by hand.
const MAX_UNPACKED_BYTES: u64 = 512 << 20;
/// The number of bytes that show whether a file is an archive.
pub(super) const SIGNATURE_BYTES: u64 = 4;
/// How an archive begins: with its first entry or, without any, with its end.
const SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", END_SIGNATURE];
/// How the end of the list of entries begins.
const END_SIGNATURE: &[u8] = b"PK\x05\x06";
/// The longest end of the list of entries, in bytes: 22 and a comment of 65,535, by the format.
const MAX_END_BYTES: i64 = 22 + 65_535;
/// Where the end of the list has the number of entries, in two bytes.
const COUNT_OFFSET: usize = 10;

/// What an archive is read from: a file, or bytes in memory.
pub(super) trait ArchiveBytes: Read + Seek + Send {}

impl<T: Read + Seek + Send> ArchiveBytes for T {}

/// An open archive. Threads share it.
pub(super) struct RecordArchive(Mutex<ZipArchive<Box<dyn ArchiveBytes>>>);

impl fmt::Debug for RecordArchive {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "RecordArchive({} entries)", self.lock().len())
    }
}

impl RecordArchive {
    /// Whether bytes begin as an archive does.
    pub fn is_one(bytes: &[u8]) -> bool {
        SIGNATURES.iter().any(|start| bytes.starts_with(start))
    }

    /// Reads the list of entries.
    pub fn open(bytes: impl ArchiveBytes + 'static) -> Result<RecordArchive, String> {
        let mut bytes: Box<dyn ArchiveBytes> = Box::new(bytes);
        let size = bytes.seek(SeekFrom::End(0));
        let size = size.map_err(|error| error.to_string())?;
        if size > MAX_ARCHIVE_BYTES {
            let (size, limit) = (size >> 20, MAX_ARCHIVE_BYTES >> 20);
            return Err(format!("the archive has {size} MiB, the limit is {limit}"));
        }
        if let Some(count) = entry_count(&mut bytes, size)?
            && usize::from(count) == usize::from(u16::MAX)
        {
            // The format then has the number elsewhere.
            return Err(format!(
                "the archive has {count} entries or more, which is too many"
            ));
        }
        let archive = ZipArchive::new(bytes);
        let archive = archive.map_err(|error| format!("the archive is damaged: {error}"))?;
        Ok(RecordArchive(Mutex::new(archive)))
    }

    fn lock(&self) -> MutexGuard<'_, ZipArchive<Box<dyn ArchiveBytes>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether entries have the same name.
    pub fn has_duplicates(&self) -> bool {
        self.lock().has_duplicate_names()
    }

    /// The places and names of all records, by name.
    pub fn records(&self) -> Result<Vec<(usize, String)>, String> {
        let archive = self.lock();
        let (mut records, mut size) = (Vec::new(), 0_u64);
        for at in 0..archive.len() {
            let entry = archive
                .by_index_data(at)
                .map_err(|error| error.to_string())?;
            let name = match entry.name() {
                Ok(name) => name.into_owned(),
                Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
            };
            let own_name = name.rsplit(['/', '\\']).next().unwrap_or(&name);
            if entry.is_dir() || !is_record_name(own_name) {
                continue;
            }
            size = size.saturating_add(entry.size().min(MAX_REVIEW_RECORD_BYTES));
            records.push((at, name));
        }
        if size > MAX_UNPACKED_BYTES {
            let (size, limit) = (size >> 20, MAX_UNPACKED_BYTES >> 20);
            return Err(format!(
                "the records of the archive have {size} MiB, the limit is {limit}"
            ));
        }
        records.sort_by(|a, b| (&a.1, a.0).cmp(&(&b.1, b.0)));
        records.truncate(MAX_REVIEW_RECORDS + 1);
        Ok(records)
    }

    /// The content of an entry. One that is larger than it says is refused, and so is a link.
    pub fn read(&self, at: usize) -> Result<Vec<u8>, String> {
        let mut archive = self.lock();
        let listed = archive.by_index_data(at);
        if listed.is_ok_and(|entry| entry.encrypted()) {
            return Err("the entry is encrypted".to_string());
        }
        let mut entry = archive.by_index(at).map_err(|error| error.to_string())?;
        if entry.is_symlink() {
            return Err("the entry is a symbolic link".to_string());
        }
        let size = entry.size();
        if size > MAX_REVIEW_RECORD_BYTES {
            let limit = MAX_REVIEW_RECORD_BYTES >> 20;
            return Err(format!(
                "the record has {} MiB, the limit is {limit}",
                size >> 20
            ));
        }
        let bytes = read_at_most(&mut entry, size + 1)?;
        match bytes.len() as u64 == size {
            true => Ok(bytes),
            false => Err(format!(
                "the entry does not have the {size} bytes that it says"
            )),
        }
    }
}

/// The number of entries that the end of the list states. `None`: there is no such end.
fn entry_count(bytes: &mut Box<dyn ArchiveBytes>, size: u64) -> Result<Option<u16>, String> {
    let tail = MAX_END_BYTES.min(size.try_into().unwrap_or(i64::MAX));
    let sought = bytes.seek(SeekFrom::End(-tail));
    sought.map_err(|error| error.to_string())?;
    let end = read_at_most(bytes, tail.unsigned_abs())?;
    bytes.rewind().map_err(|error| error.to_string())?;
    let mut starts = end.windows(END_SIGNATURE.len());
    let at = starts.rposition(|window| window == END_SIGNATURE);
    let count = at.and_then(|at| end.get(at + COUNT_OFFSET..at + COUNT_OFFSET + 2));
    Ok(count.map(|count| u16::from_le_bytes([count[0], count[1]])))
}
