//! SIU, the line protocol of protocol.md, as values: what a client sends
//! ([`Command`]) and what an engine answers ([`Reply`]).
//!
//! Each line is read by `parse` and written by `Display`, in one place, so that the engine's
//! session, the [`client`](crate::client), examples and tests agree about its words. The
//! module knows syntax only: it holds moves and positions as text and never asks the rules.
//!
//! ```
//! use cazique::siu::{Command, CommandError};
//!
//! let line = "setoption name Threads value 2";
//! let command = Command::parse(line)?.expect("the line is not blank");
//! assert_eq!(command.to_string(), line);
//! assert!(Command::parse("setoption Threads 2").is_err());
//! # Ok::<(), CommandError>(())
//! ```

mod command;
mod go;
mod reply;

pub use command::{Command, CommandError, Dialect, ShowTopic};
pub(crate) use go::{
    CHALLENGE, FIRST_WIN, MODES, NUMBERS, challenge_ignores, mode_ignores, mode_name, set_number,
};
pub use go::{Go, MAX_MILLIS};
pub(crate) use reply::MAX_ERROR_CHARS;
pub use reply::{ErrorCode, InfoLine, Reply};
