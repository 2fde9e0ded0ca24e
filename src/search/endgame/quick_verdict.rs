//! A look at an ending that is not worth a proof: who seems to win it.

use super::WinDrawLoss;
use super::solver::{FULL_DEPTH, Solver};
use crate::units::logistic;

/// How many nodes an ending is worth that does not have to be proved.
#[derive(Clone, Copy, Debug)]
pub struct VerdictBudget {
    /// To prove it.
    pub proof_nodes: u64,
    /// Whether it is enough to play it out then.
    pub playout: PlayoutUse,
    /// To look a turn ahead.
    pub one_ply_nodes: u64,
    /// To look two turns ahead, if one is not enough.
    pub two_ply_nodes: u64,
}

/// Whether it is enough to play an ending out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutUse {
    /// It is not even tried.
    Never,
    /// If the player who is not on turn clearly loses then; if he wins, the other may still prevent it.
    IfLost,
    /// If that is clear either way.
    IfClear,
}

/// What a look shows, for the player who is not on turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assessment {
    /// It is proved.
    Proved(WinDrawLoss),
    /// It was played out: how many points this player is ahead then.
    PlayedOut(f64),
    /// It was searched a little.
    Searched(QuickVerdict),
}

/// What is seen of an ending that is searched for a turn or two and then
/// played out, for the player who took the turn before it.
///
/// One turn gives the other more than is his, for nothing is done about it:
/// what is won then is won. Two turns give him less: what is lost then is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuickVerdict {
    /// Won after one turn.
    WonAtOnePly,
    /// No turn of the other was found that wins; if there is one, it is mostly found at once.
    NoWinFound,
    /// Lost after one turn, won after two.
    WonAtTwoPlies,
    /// Lost after one turn, drawn after two.
    DrawnAtTwoPlies,
    /// Lost after one turn; there was no time for two.
    LostAtOnePly,
    /// Lost after two turns.
    LostAtTwoPlies,
}

impl QuickVerdict {
    /// How much more often it is seen of endings that are won than of those that are lost, as a
    /// logarithm: roughly, by endings that were proved within half a minute, which are not a fair sample.
    pub fn log_odds(self) -> f64 {
        [4.6, 2.9, 1.4, -0.4, -0.3, -4.6][self as usize]
    }

    /// The same after a second, longer look, and so many tries to prove it. In some 70 positions with
    /// two tiles in the bag whose outcome was open, searched for 5 to 12 s, 70 endings that `Loses` stands for were proved won
    /// and 51 lost; of those that one try left open 60 and 20, of those that two left open 35 and 8. Most were
    /// never proved. What the first look said is left out, though it tells more: 28 and 6 if that was `Holds`, else 10 and 22.
    /// After seven moves that emptied a bag of four it was 89 and 8. `Holds` was 253 and 6,
    /// and what `Answered` gains by a try (23 and 4 then, 264 open) is a guess.
    pub fn log_odds_after_attempts(self, proofs: u32) -> f64 {
        match (self, proofs) {
            (QuickVerdict::LostAtOnePly, 1..) => 1.0,
            (QuickVerdict::WonAtTwoPlies, 1..) => 1.9,
            _ => [4.6, 3.3, 1.4, -0.4, 0.3, -4.6][self as usize],
        }
    }

    /// Whether it decides the ending, as far as can be seen.
    pub fn is_decisive(self) -> bool {
        matches!(
            self,
            QuickVerdict::WonAtOnePly | QuickVerdict::NoWinFound | QuickVerdict::LostAtTwoPlies
        )
    }

    /// The share of wins, where nothing else is known.
    pub fn win_probability(self) -> f64 {
        logistic(self.log_odds())
    }
}

/// Who is on turn mostly finds something better than what looks best at once:
/// so many points, more or less.
const BETTER: f64 = 15.0;
const MORE_OR_LESS: f64 = 5.0;
/// Where the share of wins by playing out is no farther from certain than this, that is enough.
const CLEAR: f64 = 0.04;

/// The share of wins of the player who is not on turn, in endings in which he
/// ends up so many points ahead if both take what looks best at once. Of
/// 5,400 endings after three tiles were drawn, all proved within seconds, those on turn won 2 % if they were 30 to 40 points
/// behind then, 5 % if 20 to 30, 52 % if 10 to 20, 79 % if 0 to 10, 97 % if
/// up to 10 ahead, 99 % if up to 20, and all if it was more.
pub fn playout_win_probability(ahead: f64) -> f64 {
    logistic((ahead - BETTER) / MORE_OR_LESS)
}

/// The same after a turn that seems to be one of the best, as a logarithm of odds. That is less certain: who is far ahead
/// may threaten to gain much at once, which the other can prevent, and turns that
/// seem good for this reason are taken for the best. Of 432 endings after the best two turns of some 80
/// positions with two tiles in the bag whose outcome was open, proved within 5 or 8 s, the player who is not on turn won
/// none of 70 if he was more than 20 points behind then, 3 of 24 if 10 to 20, 17 of 39 if up to 10;
/// 98 of 106 if he was 30 to 40 ahead, and 185 of 193 if it was more.
/// That tells little of leads beyond `THREAT`: what makes those can seldom all be prevented.
pub fn playout_log_odds(ahead: f64) -> f64 {
    let slope = 2.0 * MORE_OR_LESS;
    let safe = (ahead - THREAT).max(0.0);
    ((ahead - BETTER) / slope).clamp(-5.0, 2.0) + safe / slope
}

/// One turn seldom brings more points.
const THREAT: f64 = 60.0;

impl Assessment {
    /// The share of wins.
    pub fn win_probability(self) -> f64 {
        match self {
            Assessment::Proved(result) => result.win_probability(),
            Assessment::PlayedOut(ahead) => playout_win_probability(ahead),
            Assessment::Searched(verdict) => verdict.win_probability(),
        }
    }
}

impl Solver<'_> {
    /// Looks at an ending, for at most so many nodes: what is seen by the one
    /// who is not on turn, where the one on `seat` leads so much. `None` if there was no time.
    pub fn assess(
        &mut self,
        seat: usize,
        lead: i32,
        budget: VerdictBudget,
        nodes: u64,
    ) -> Option<Assessment> {
        let needed = -2 * lead;
        let end = self.work().nodes.saturating_add(nodes);
        let search = |solver: &mut Self, turns: u8, nodes: u64| {
            let left = end.saturating_sub(solver.work().nodes);
            solver.limit_nodes(Some(nodes.min(left)));
            let score = solver.search(seat, turns, needed - 1, needed + 1);
            (!solver.is_stopped()).then(|| WinDrawLoss::from_spread(needed - score.value))
        };
        if let Some(result) = search(self, FULL_DEPTH, budget.proof_nodes) {
            return Some(Assessment::Proved(result));
        }
        if budget.playout != PlayoutUse::Never {
            self.limit_nodes(Some(end.saturating_sub(self.work().nodes)));
            let ahead = f64::from(needed - self.playout(seat).value) / 2.0;
            let share = playout_win_probability(ahead);
            let is_lost = share < CLEAR;
            let is_won = share > 1.0 - CLEAR && budget.playout == PlayoutUse::IfClear;
            if is_lost || is_won {
                return self.may_continue(8).then_some(Assessment::PlayedOut(ahead));
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
        // A look that ended for want of time shows nothing.
        self.limit_nodes(None);
        self.may_continue(64)
            .then_some(Assessment::Searched(verdict))
    }
}
