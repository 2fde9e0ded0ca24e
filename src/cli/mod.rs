//! The subcommands: arguments, calls to what stands above, text or JSON.
#![allow(
    clippy::print_stdout,
    reason = "this is the edge: results are printed here"
)]
#![allow(clippy::print_stderr, reason = "progress and errors are for people")]

pub mod autoplay;
pub mod bench;
pub mod progress;
