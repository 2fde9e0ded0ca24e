//! Every legal turn of a position.

pub mod plain;

use crate::rules::Turn;
use crate::units::Points;

/// A turn that can be taken, and what it scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
}
