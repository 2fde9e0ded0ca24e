//! Quick verdicts: who seems to win a two-player endgame, at a cost of a few hundred nodes.
//!
//! Simulations and the pre-endgame solver meet far more endgames than they can prove. For each of
//! them [`Solver::assess`] spends a few hundred nodes, in this order: a proof, a greedy playout, a
//! search one move deep, and a search two moves deep. What it returns is a proof or an observation
//! with a measured likelihood ratio of won against lost endgames. All results are from the point of
//! view of the player who is not to move, who made the move that led to the endgame. What a verdict
//! means for a candidate is decided by the callers.

use super::solver::{FULL_DEPTH, Solver};
use super::tuning::*;
use crate::search::WinDrawLoss;
use crate::units::logistic;

/// How much work an endgame is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerdictBudget {
    /// Nodes for a proof.
    pub proof_nodes: u64,
    /// Whether a greedy playout may decide if there is no proof.
    pub playout: PlayoutUse,
    /// Nodes for the search one move deep.
    pub one_ply_nodes: u64,
    /// Nodes for the search two moves deep, if one move is not enough.
    pub two_ply_nodes: u64,
}

/// When a greedy playout decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayoutUse {
    /// Never: it is not played.
    Never,
    /// If it is clearly lost for the player who is not to move. If it is clearly won, the player to
    /// move may still prevent that.
    IfLost,
    /// If it is clear either way.
    IfClear,
}

/// What is known about an endgame, for the player who is not to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Assessment {
    /// The result is proved.
    Proved(WinDrawLoss),
    /// A greedy playout decided: the final spread of this player, in points.
    PlayedOut(f64),
    /// Shallow searches decided.
    Searched(QuickVerdict),
}

/// The result of a search one or two moves deep with greedy playouts at the leaves.
///
/// Won and lost are from the point of view of the player who is not to move. A search one move deep
/// is too kind to the player to move, whose move is not answered: a win even so is almost certain.
/// A search two moves deep is too kind to the other player: a loss even so is almost certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuickVerdict {
    /// Won one move deep.
    WonAtOnePly,
    /// The nodes for one move deep were used up without a win for the player to move. Most wins are
    /// found at once.
    NoWinFound,
    /// Lost one move deep, won two moves deep.
    WonAtTwoPlies,
    /// Lost one move deep, drawn two moves deep.
    DrawnAtTwoPlies,
    /// Lost one move deep; the nodes for two moves deep were used up.
    LostAtOnePly,
    /// Lost two moves deep.
    LostAtTwoPlies,
}

impl QuickVerdict {
    /// Log-likelihood ratio of a first verdict: won against lost endgames.
    pub fn log_odds(self) -> f64 {
        VERDICT_LOG_ODDS[self as usize]
    }

    /// Log-likelihood ratio after a second, longer verdict and `attempts` failed attempts to prove
    /// the endgame.
    pub fn log_odds_after_attempts(self, attempts: u32) -> f64 {
        match (self, attempts) {
            (QuickVerdict::LostAtOnePly, 1..) => UNPROVED_LOSS_LOG_ODDS,
            (QuickVerdict::WonAtTwoPlies, 1..) => UNPROVED_WIN_LOG_ODDS,
            _ => SECOND_VERDICT_LOG_ODDS[self as usize],
        }
    }

    /// Whether the winner is hardly in doubt.
    pub fn is_decisive(self) -> bool {
        matches!(
            self,
            QuickVerdict::WonAtOnePly | QuickVerdict::NoWinFound | QuickVerdict::LostAtTwoPlies
        )
    }

    /// The win probability if nothing else is known.
    pub fn win_probability(self) -> f64 {
        logistic(self.log_odds())
    }
}

/// The win probability of the player who is not to move, by the final spread of this player after a
/// greedy playout.
pub(crate) fn playout_win_probability(spread: f64) -> f64 {
    logistic((spread - MOVER_ADVANTAGE) / MOVER_ADVANTAGE_SCALE)
}

/// The log-odds of the same player if the move before the endgame was chosen because it seems to be
/// one of the best. That is less certain: such a move often owes its value to a threat that the
/// opponent can prevent.
pub(crate) fn playout_log_odds(spread: f64) -> f64 {
    let scale = CHOSEN_MOVE_SCALE_FACTOR * MOVER_ADVANTAGE_SCALE;
    let safe = (spread - LARGEST_USUAL_THREAT).max(0.0);
    let (least, most) = CHOSEN_MOVE_LOG_ODDS;
    ((spread - MOVER_ADVANTAGE) / scale).clamp(least, most) + safe / scale
}

impl Assessment {
    /// The win probability of the player who is not to move.
    pub fn win_probability(self) -> f64 {
        match self {
            Assessment::Proved(result) => result.win_probability(),
            Assessment::PlayedOut(spread) => playout_win_probability(spread),
            Assessment::Searched(verdict) => verdict.win_probability(),
        }
    }
}

impl Solver<'_> {
    /// Assesses an endgame in which the player on `seat` is to move and leads by `lead` points. It
    /// takes at most `max_nodes` nodes, whatever the budget says. `None` if the search was stopped.
    pub fn assess(
        &mut self,
        seat: usize,
        lead: i32,
        budget: VerdictBudget,
        max_nodes: u64,
    ) -> Option<Assessment> {
        // The player to move draws with this value, and wins with more.
        let needed = -2 * lead;
        let end = self.work().nodes.saturating_add(max_nodes);
        let search = |solver: &mut Self, depth: u8, nodes: u64| {
            let left = end.saturating_sub(solver.work().nodes);
            solver.limit_nodes(Some(nodes.min(left)));
            let value = solver.search(seat, depth, needed - 1, needed + 1).value;
            (!solver.is_stopped()).then(|| WinDrawLoss::from_spread(needed - value))
        };
        if let Some(result) = search(self, FULL_DEPTH, budget.proof_nodes) {
            return Some(Assessment::Proved(result));
        }
        if budget.playout != PlayoutUse::Never {
            self.limit_nodes(Some(end.saturating_sub(self.work().nodes)));
            let spread = f64::from(needed - self.playout(seat).value) / 2.0;
            let win = playout_win_probability(spread);
            let is_lost = win < PLAYOUT_DOUBT;
            let is_won = win > 1.0 - PLAYOUT_DOUBT && budget.playout == PlayoutUse::IfClear;
            if is_lost || is_won {
                let goes_on = self.may_continue(PLAYOUT_POLL_NODES);
                return goes_on.then_some(Assessment::PlayedOut(spread));
            }
        }
        let verdict = match search(self, 1, budget.one_ply_nodes) {
            Some(WinDrawLoss::Win) => QuickVerdict::WonAtOnePly,
            None => QuickVerdict::NoWinFound,
            Some(WinDrawLoss::Draw | WinDrawLoss::Loss) => {
                match search(self, 2, budget.two_ply_nodes) {
                    Some(WinDrawLoss::Win) => QuickVerdict::WonAtTwoPlies,
                    Some(WinDrawLoss::Draw) => QuickVerdict::DrawnAtTwoPlies,
                    None => QuickVerdict::LostAtOnePly,
                    Some(WinDrawLoss::Loss) => QuickVerdict::LostAtTwoPlies,
                }
            }
        };
        // A search ends without a result by its nodes or by the stop condition. Only the former
        // says anything, so poll now.
        self.limit_nodes(None);
        self.may_continue(POLL_INTERVAL_NODES)
            .then_some(Assessment::Searched(verdict))
    }
}
