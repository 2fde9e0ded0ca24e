//! How a game ends, and who has won.

use super::{GoingOut, Position};
use crate::tiles::Bunch;
use crate::units::Points;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The player on this seat has no tiles left and the bag is empty.
    Out(usize),
    /// No more plays are made.
    ZeroTurns,
    /// The player on this seat has the points that win at once.
    Target(usize),
    /// The player on this seat has lost the game by a challenge.
    Forfeit(usize),
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why it is over.
    pub end: End,
    /// What the tiles left over change, by seat.
    pub adjustments: Vec<Points>,
    /// The final scores, by seat.
    pub scores: Vec<Points>,
    /// The seat that has won; `None` for a draw.
    pub winner: Option<usize>,
}

impl Position {
    /// Whether the game is over, and why.
    pub fn end(&self) -> Option<End> {
        let seats = 0..self.player_count();
        let reached = |&seat: &usize| {
            self.rules()
                .target(seat, self.player_count())
                .is_some_and(|target| self.score(seat) >= target)
        };
        if let Some(seat) = seats.clone().find(reached) {
            return Some(End::Target(seat));
        }
        if self.bag_len() == 0 {
            // Should more than one stand without tiles, the one who moved last went out.
            if let Some(seat) = self.seats().rfind(|&seat| self.hand(seat).is_empty()) {
                return Some(End::Out(seat));
            }
        }
        let over = self.zero_turns() >= self.rules().zero_turns.limit(self.player_count());
        over.then_some(End::ZeroTurns)
    }

    /// What each player is left with; `None` where it cannot be known because
    /// more than one hand has unknown tiles.
    pub fn left_over(&self) -> Option<Vec<Bunch>> {
        let unknown = (0..self.player_count())
            .filter(|&seat| self.hand(seat).unknown > 0)
            .count();
        let all_held = self.bag_len() == 0;
        (0..self.player_count())
            .map(|seat| {
                let hand = self.hand(seat);
                let mut tiles = hand.known;
                if hand.unknown > 0 {
                    if unknown > 1 || !all_held {
                        return None;
                    }
                    tiles.add_all(self.unseen());
                }
                Some(tiles)
            })
            .collect()
    }

    /// The result, if the game is over and the tiles left over are known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_of(self.end()?)
    }

    /// The result of a game that is over for this reason.
    pub(super) fn outcome_of(&self, end: End) -> Option<Outcome> {
        let players = self.player_count();
        let adjustments = match end {
            End::Target(_) | End::Forfeit(_) => vec![Points::ZERO; players],
            End::Out(seat) => self.paid_out(seat)?,
            End::ZeroTurns => self
                .left_values()?
                .into_iter()
                .map(|value| -value)
                .collect(),
        };
        let scores: Vec<Points> = (0..players)
            .map(|seat| self.score(seat) + adjustments[seat])
            .collect();
        let winner = match end {
            End::Target(seat) => Some(seat),
            End::Forfeit(loser) => best(players, |seat| (seat != loser).then(|| scores[seat])),
            // A tie goes to the one who led before the adjustment.
            End::Out(_) | End::ZeroTurns => best(players, |seat| (scores[seat], self.score(seat))),
        };
        Some(Outcome {
            end,
            adjustments,
            scores,
            winner,
        })
    }

    fn left_values(&self) -> Option<Vec<Points>> {
        let left = self.left_over()?;
        Some(
            left.iter()
                .map(|tiles| self.rules().tiles.total_value(tiles))
                .collect(),
        )
    }

    fn paid_out(&self, out: usize) -> Option<Vec<Points>> {
        let left = self.left_values()?;
        let all: Points = left.iter().copied().sum();
        let adjust = |(seat, value): (usize, Points)| match (self.rules().going_out, seat == out) {
            (GoingOut::Sum, true) => all,
            (GoingOut::Sum, false) => -value,
            (GoingOut::Twice, true) => all * 2,
            (GoingOut::Twice, false) => Points::ZERO,
        };
        Some(left.into_iter().enumerate().map(adjust).collect())
    }
}

/// The seat that is ahead of all others, if one is.
fn best<T: Ord>(players: usize, rank: impl Fn(usize) -> T) -> Option<usize> {
    let ahead = |&seat: &usize| (0..players).all(|other| other == seat || rank(other) < rank(seat));
    (0..players).find(ahead)
}
