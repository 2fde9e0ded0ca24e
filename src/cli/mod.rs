//! The subcommands: arguments, calls to what stands above, text or JSON.
#![allow(clippy::print_stderr, reason = "progress and errors are for people")]

pub mod autoplay;
pub mod bench;
pub mod once;
pub mod progress;

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Prints a result. A reader that has closed its end, as `head` does, has seen what it wanted.
pub fn say(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        said => said,
    }
}
