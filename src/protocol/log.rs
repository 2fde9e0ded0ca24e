//! The log file (option `Log`): every line that came in and went out.

use crate::engine::{EngineError, ErrorKind, shortened};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};

/// A log file, or none.
#[derive(Default)]
pub(super) struct Log(Option<File>);

impl Log {
    /// Opens the file that a value of the option names.
    pub fn open(path: &str) -> Result<Log, EngineError> {
        let opened = match path {
            "" | "<empty>" => return Ok(Log(None)),
            // To open a named pipe would wait for its reader.
            path if fs::metadata(path).is_ok_and(|there| !there.is_file()) => {
                Err(io::Error::other("not a regular file"))
            }
            path => OpenOptions::new().create(true).append(true).open(path),
        };
        opened.map(|file| Log(Some(file))).map_err(|error| {
            let path = shortened(path);
            let (kind, text) = (ErrorKind::Option, format!("Log is '{path}': {error}"));
            EngineError { kind, text }
        })
    }

    /// Adds a line; the direction is `>` for what came in and `<` for what went out.
    pub fn note(&mut self, direction: char, line: &str) {
        if let Some(log) = &mut self.0 {
            // A log that cannot be written must not end a game.
            let _ = writeln!(log, "{direction} {line}");
        }
    }
}
