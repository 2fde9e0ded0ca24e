//! The program: speaks the protocol on standard input and output, or runs a subcommand.

use cazique::cli::{Failure, autoplay, bench, once, review, say};
use cazique::protocol::{json, session};
use clap::{Parser, Subcommand, ValueEnum};
use std::io::{self, BufReader, ErrorKind, Write, stdin, stdout};
use std::process::{ExitCode, Termination};

/// A crossword board game engine. Without arguments it reads commands from
/// standard input; `help` lists them, protocol.md explains them.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Answer queries in JSON, one per line, instead of commands
    #[arg(long, conflicts_with = "gcg")]
    json: bool,
    /// Print the JSON Schema of queries or of answers
    #[arg(long, value_name = "MESSAGE", conflicts_with_all = ["json", "gcg"])]
    json_schema: Option<Message>,
    #[command(flatten)]
    once: Option<once::Arguments>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

/// The two kinds of JSON messages.
#[derive(Clone, Copy, ValueEnum)]
enum Message {
    Query,
    Answer,
}

#[derive(Subcommand)]
enum Subcommands {
    Autoplay(Box<autoplay::Arguments>),
    Bench(bench::Arguments),
    Review(Box<review::Arguments>),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match (arguments.command, arguments.once) {
        (Some(Subcommands::Autoplay(arguments)), _) => report(autoplay::run(&arguments)),
        (Some(Subcommands::Bench(arguments)), _) => report(bench::run(&arguments)),
        (Some(Subcommands::Review(arguments)), _) => report(review::run(&arguments)),
        (None, Some(once)) => report(once::run(&once)),
        (None, None) => match arguments.json_schema {
            Some(message) => report(print_schema(message)),
            None if arguments.json => exit_code(json::run(BufReader::new(stdin()), stdout())),
            None => exit_code(session::run()),
        },
    }
}

fn print_schema(message: Message) -> Result<(), Failure> {
    let schema = match message {
        Message::Query => json::query_schema(),
        Message::Answer => json::answer_schema(),
    };
    Ok(say(serde_json::to_string_pretty(&schema)?)?)
}

fn exit_code(served: io::Result<()>) -> ExitCode {
    match served {
        Ok(()) => ExitCode::SUCCESS,
        // A client that has closed its end of the pipe is done.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn report(result: Result<impl Termination, Failure>) -> ExitCode {
    match result {
        Ok(done) => done.report(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "cazique: {error}");
            ExitCode::FAILURE
        }
    }
}
