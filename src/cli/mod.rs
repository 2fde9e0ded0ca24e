//! The subcommands: each reads its arguments, calls the layers above, and prints text or JSON.
#![allow(clippy::print_stderr, reason = "progress and errors are for people")]

pub mod autoplay;
pub mod bench;
mod interrupt;
pub mod once;
pub mod progress;
pub mod review;

use serde_json::Value;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// Why a subcommand ends without its result. It is printed as it is.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Prints a result. It is no error if the reader, such as `head`, has closed its end of the pipe.
pub fn say(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        said => said,
    }
}

/// Prints figures as one JSON object or as text.
fn say_figures(as_json: bool, json: Value, text: impl Display) -> Result<(), Failure> {
    match as_json {
        true => say(json)?,
        false => say(text)?,
    }
    Ok(())
}
