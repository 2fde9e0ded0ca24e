//! What can go wrong with a request, by kind.

use std::fmt::Display;

/// A request that could not be met, and why. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct EngineError {
    /// What kind of thing is wrong.
    pub kind: ErrorKind,
    /// The thing, the limit and the way out.
    pub text: String,
}

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A position that cannot be, or that lacks what was needed.
    Position,
    /// The rack of the player to move is unknown or partly known. The text does not say how to name
    /// it, because each interface has its own way: whoever tells the error adds it.
    UnknownRack,
    /// A move that cannot be made.
    Move,
    /// A mode that the position does not allow.
    Mode,
    /// Clocks that limit nothing.
    Clock,
    /// An option, or its value.
    Option,
    /// No position has been set.
    NoPosition,
    /// A file that cannot be found or used.
    Data,
    /// The system refused something, or we made a mistake.
    Internal,
}

impl EngineError {
    /// The text, and for an unknown rack how this interface names one.
    pub(crate) fn text_with(&self, how_to_name_rack: &str) -> String {
        match self.kind {
            ErrorKind::UnknownRack => format!("{}; {how_to_name_rack}", self.text),
            _ => self.text.clone(),
        }
    }

    pub(super) fn new(kind: ErrorKind, text: impl Display) -> EngineError {
        EngineError {
            kind,
            text: text.to_string(),
        }
    }
}
