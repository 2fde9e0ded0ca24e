//! The text protocol of protocol.md: commands in, lines out.
//!
//! [`command`] reads syntax only, `reply` chooses words, [`session`] is the
//! event loop and the only writer.

pub mod command;
mod input;
mod log;
mod reply;
pub mod session;
mod show;
