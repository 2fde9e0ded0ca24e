//! The engine's side of the text protocols of protocol.md.
//!
//! [`session`] is the event loop of the line protocol. `reply` turns results into lines of
//! [`siu`](crate::siu), `decision_reply` those of `go challenge`; for a person at a terminal
//! `person` makes tables, `show` draws the board and `terminal` edits lines. `input` reads lines
//! and `log` writes them to a file. [`json`] serves the JSON protocol.

mod decision_reply;
mod input;
pub mod json;
mod log;
mod person;
mod reply;
pub mod session;
mod show;
mod table_reply;
mod terminal;

pub(crate) use show::painted;

/// A text without control characters. Words of a client or a file may come back in any line; they
/// must not break it or drive a terminal.
pub(crate) fn printable(text: &str) -> String {
    let replace = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(replace).collect()
}
