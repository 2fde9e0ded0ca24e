//! The one place of `lexicon` where files are opened.

use super::error::{LexiconError, MAX_FILE_BYTES, OpenError};
use crate::tiles::TileSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Reads a file for a tile set and converts its bytes with `make`. Every error names the file, and
/// one about a letter number names the tile set too.
pub(super) fn open<T>(
    path: &Path,
    tiles: &TileSet,
    make: impl FnOnce(&[u8]) -> Result<T, LexiconError>,
) -> Result<T, OpenError> {
    let made = read(path).and_then(|bytes| make(&bytes));
    made.map_err(|what| failure(path, what.naming(tiles)))
}

/// The bytes of a file of at most [`MAX_FILE_BYTES`] bytes.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, OpenError> {
    read(path).map_err(|what| failure(path, what))
}

fn failure(path: &Path, what: LexiconError) -> OpenError {
    OpenError {
        file: path.to_path_buf(),
        what,
    }
}

fn read(path: &Path) -> Result<Vec<u8>, LexiconError> {
    let unreadable = |error: io::Error| LexiconError::Unreadable(error.to_string());
    let metadata = fs::metadata(path).map_err(unreadable)?;
    // Reading a pipe or a device might never end.
    if !metadata.is_file() {
        return Err(LexiconError::NotAFile);
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(LexiconError::FileSize(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_FILE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

/// The extension of a file's name, in lower case.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}
