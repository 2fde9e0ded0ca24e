//! The text protocols of protocol.md: commands in, lines out; and the same in JSON.
//!
//! [`command`] reads syntax only, `reply` chooses words, [`session`] is the
//! event loop and the only writer. [`json`] has the same parts in JSON.

pub mod command;
mod input;
pub mod json;
mod log;
mod reply;
pub mod session;
mod show;
