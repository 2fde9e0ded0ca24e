//! Chooses the solver that the phase of the game calls for.
//!
//! The caller computes the [`Phase`] of a position once, ranks all its legal moves and passes both
//! to [`solve`]. Each solver returns its result in the same form, a [`Solution`]. Nothing is
//! searched here.

use super::endgame::{self, maxn};
use super::{Solution, SolveContext, SolveProgress, preendgame};
use crate::rules::Position;

/// What is known about the tiles, and so which solver applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Too many tiles are unknown for any solver, or the rules have a feature that none supports.
    Open,
    /// Few tiles are in the bag: the pre-endgame solver considers every draw.
    Preendgame,
    /// The bag is empty and two play by common rules: principal variation search.
    TwoPlayerEndgame,
    /// The bag is empty, and more than two play, a target score wins at once, or a player has to
    /// miss a turn: max^n search.
    GeneralEndgame,
}

impl Phase {
    /// The phase of a position.
    pub(crate) fn of(position: &Position) -> Phase {
        match position.bag_len() {
            _ if position.rules().unsolved_feature().is_some() => Phase::Open,
            0 if endgame::racks(position).is_some() && endgame::is_supported(position) => {
                Phase::TwoPlayerEndgame
            }
            0 if position.leftover_racks().is_some() => Phase::GeneralEndgame,
            _ if preendgame::is_supported(position) => Phase::Preendgame,
            _ => Phase::Open,
        }
    }
}

/// Solves a position whose phase is `phase`. `progress` is called with intermediate results. There
/// is no solution if the phase is open, or if the position does not suit its solver.
pub fn solve(
    phase: Phase,
    context: SolveContext,
    progress: &mut SolveProgress,
) -> Option<Solution> {
    match phase {
        Phase::Open => None,
        Phase::Preendgame => preendgame::solve(context, progress),
        Phase::TwoPlayerEndgame => endgame::solve(context, progress),
        Phase::GeneralEndgame => maxn::solve(context, progress),
    }
}
