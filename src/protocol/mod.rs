//! The text protocols of protocol.md: commands in, lines out; and the same in JSON.
//!
//! `reply` turns results into lines of [`siu`](crate::siu), [`session`] is the
//! event loop and the only writer. [`json`] has the same parts in JSON.

mod input;
pub mod json;
mod log;
mod reply;
pub mod session;
mod show;
