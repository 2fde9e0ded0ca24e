//! The program: speaks the protocol on standard input and output, or runs a subcommand.

use cazique::cli::{autoplay, bench, once};
use cazique::protocol::json;
use cazique::protocol::session::{self, Peer};
use clap::{Parser, Subcommand};
use std::io::{self, BufReader, ErrorKind, IsTerminal, Write, stdin, stdout};
use std::process::ExitCode;

/// A crossword board game engine. Without arguments it reads commands from
/// standard input; `help` lists them, protocol.md explains them.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Answer queries in JSON, one a line, instead of commands
    #[arg(long, conflicts_with = "gcg")]
    json: bool,
    #[command(flatten)]
    once: Option<once::Arguments>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Autoplay(autoplay::Arguments),
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match (arguments.command, arguments.once) {
        (Some(Command::Autoplay(arguments)), _) => report(autoplay::run(&arguments)),
        (Some(Command::Bench(arguments)), _) => report(bench::run(&arguments)),
        (None, Some(once)) => report(once::run(&once)),
        (None, None) if arguments.json => serve(json::run(BufReader::new(stdin()), stdout())),
        (None, None) => {
            let peer = Peer::at(stdin().is_terminal(), stdout().is_terminal());
            serve(session::run(BufReader::new(stdin()), stdout(), peer))
        }
    }
}

fn serve(served: io::Result<()>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // A client that has closed its end is done with us.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn report(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "cazique: {error}");
            ExitCode::FAILURE
        }
    }
}
