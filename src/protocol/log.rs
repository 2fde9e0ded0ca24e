//! The file of the option `Log`: what came in and what went out.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};

/// A log, or none.
#[derive(Default)]
pub(super) struct Log(Option<File>);

impl Log {
    /// What a value of the option asks for.
    pub fn open(path: &str) -> io::Result<Log> {
        match path {
            "" | "<empty>" => Ok(Log(None)),
            // To open a pipe would be to wait for its reader.
            path if fs::metadata(path).is_ok_and(|there| !there.is_file()) => {
                Err(io::Error::other("not a regular file"))
            }
            path => {
                let file = OpenOptions::new().create(true).append(true).open(path)?;
                Ok(Log(Some(file)))
            }
        }
    }

    /// Adds a line; the direction is `>` for what came in and `<` for what went out.
    pub fn note(&mut self, direction: char, line: &str) {
        if let Some(log) = &mut self.0 {
            // A log that cannot be written must not end a game.
            let _ = writeln!(log, "{direction} {line}");
        }
    }
}
