//! The program: speaks the protocol on standard input and output.

use clap::Parser;
use std::io::{BufReader, ErrorKind, stdin, stdout};
use std::process::ExitCode;

/// A crossword board game engine. Without arguments it reads commands from
/// standard input; `help` lists them, protocol.md explains them.
#[derive(Parser)]
#[command(version)]
struct Arguments {}

fn main() -> ExitCode {
    Arguments::parse();
    match cazique::protocol::session::run(BufReader::new(stdin()), stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // A client that has closed its end is done with us.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
