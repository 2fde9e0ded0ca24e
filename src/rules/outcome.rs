//! How a game ends, and who has won.

use super::flow::FlowRules;
use super::{Position, RuleSet};
use crate::tiles::TileCounts;
use crate::units::Points;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The player on this seat has no tiles left and the bag is empty.
    Out(usize),
    /// No more plays are made.
    Scoreless,
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
        let reached = |&seat: &usize| {
            self.rules()
                .target(seat, self.player_count())
                .is_some_and(|target| self.score(seat) >= target)
        };
        // If several players have no tiles, the one who moved last went out.
        let is_out = |&seat: &usize| self.rack(seat).is_empty();
        let out = match self.bag_len() {
            0 => self.turn_order().rfind(is_out),
            _ => None,
        };
        let target = (0..self.player_count()).find(reached);
        self.flow_rules().end(target, out, self.scoreless_turns())
    }

    /// What each player is left with; `None` where it cannot be known because
    /// more than one hand has unknown tiles.
    pub fn leftover_racks(&self) -> Option<Vec<TileCounts>> {
        let unknown = (0..self.player_count())
            .filter(|&seat| self.rack(seat).unknown > 0)
            .count();
        let all_held = self.bag_len() == 0;
        (0..self.player_count())
            .map(|seat| {
                let hand = self.rack(seat);
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
    pub(crate) fn outcome_of(&self, end: End) -> Option<Outcome> {
        let seats = 0..self.player_count();
        let scores: Vec<Points> = seats.clone().map(|seat| self.score(seat)).collect();
        let left = match end {
            End::Target(_) | End::Forfeit(_) => vec![Points::ZERO; scores.len()],
            End::Out(_) | End::Scoreless => self.left_values()?,
        };
        Some(Outcome::new(self.rules(), end, &scores, &left))
    }

    fn left_values(&self) -> Option<Vec<Points>> {
        let left = self.leftover_racks()?;
        Some(
            left.iter()
                .map(|tiles| self.rules().tiles.total_value(tiles))
                .collect(),
        )
    }
}

impl Outcome {
    /// The result of a game that ended with these scores and these values of tiles left over, by seat.
    pub(super) fn new(rules: &RuleSet, end: End, before: &[Points], left: &[Points]) -> Outcome {
        let flow = FlowRules::new(rules, before.len());
        let all: Points = left.iter().copied().sum();
        let adjustments: Vec<Points> = (0..before.len())
            .map(|seat| flow.settlement(end, seat, left[seat], all))
            .collect();
        let add = |(score, more): (&Points, &Points)| *score + *more;
        let scores: Vec<Points> = before.iter().zip(&adjustments).map(add).collect();
        let winner = flow.winner(end, |seat| (scores[seat], before[seat]));
        Outcome {
            end,
            adjustments,
            scores,
            winner,
        }
    }
}
