//! The result of a finished game.

use super::flow::FlowRules;
use super::{Position, RuleSet};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::fmt;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This seat has no tiles left and the bag is empty.
    Out(usize),
    /// Too many scoreless turns in a row.
    Scoreless,
    /// This seat has reached its target score.
    Target(usize),
    /// This seat has lost the game by a challenge.
    Forfeit(usize),
}

impl End {
    /// The reason in one word, as positions and the protocol name it.
    pub fn name(self) -> &'static str {
        match self {
            End::Out(_) => "out",
            End::Scoreless => "scoreless",
            End::Target(_) => "target",
            End::Forfeit(_) => "forfeit",
        }
    }

    /// The seat that went out, reached its target or lost by a challenge.
    pub fn seat(self) -> Option<usize> {
        match self {
            End::Out(seat) | End::Target(seat) | End::Forfeit(seat) => Some(seat),
            End::Scoreless => None,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            End::Out(seat) => write!(f, "player {} went out", seat + 1),
            End::Scoreless => write!(f, "too many turns in a row had no points"),
            End::Target(seat) => write!(f, "player {} reached the target", seat + 1),
            End::Forfeit(seat) => write!(f, "player {} lost it by a challenge", seat + 1),
        }
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why it is over.
    pub end: End,
    /// By seat: the change to the score for the tiles left on the racks.
    pub adjustments: Vec<Points>,
    /// By seat: the final scores.
    pub scores: Vec<Points>,
    /// The seat that wins; `None` for a draw.
    pub winner: Option<usize>,
}

impl Position {
    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<End> {
        let reached = |&seat: &usize| {
            self.points_to_win(seat)
                .is_some_and(|needed| needed <= Points::ZERO)
        };
        // If several players have no tiles, the player who moved last went out.
        let is_out = |&seat: &usize| self.rack(seat).is_empty();
        let out = match self.bag_len() {
            0 => self.turn_order().rfind(is_out),
            _ => None,
        };
        let target = (0..self.player_count()).find(reached);
        self.flow_rules()
            .end(target, out, self.turn_state().scoreless)
    }

    /// Where a target score wins at once: the points that a seat needs for it.
    pub fn points_to_win(&self, seat: usize) -> Option<Points> {
        let target = self.rules().target(seat, self.player_count())?;
        Some(target - self.score(seat))
    }

    /// The tiles on each rack, if they follow from what is known: at most one rack has unknown
    /// tiles, and then all unseen tiles are on it.
    pub fn leftover_racks(&self) -> Option<Vec<TileCounts>> {
        let partly_unknown = (0..self.player_count())
            .filter(|&seat| self.rack(seat).unknown > 0)
            .count();
        let bag_is_empty = self.bag_len() == 0;
        (0..self.player_count())
            .map(|seat| {
                let rack = self.rack(seat);
                let mut tiles = rack.known;
                if rack.unknown > 0 {
                    if partly_unknown > 1 || !bag_is_empty {
                        return None;
                    }
                    tiles.add_all(self.unseen());
                }
                Some(tiles)
            })
            .collect()
    }

    /// The result, if the game is over and the tiles left on the racks are known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_of(self.end()?)
    }

    /// The result of a game that ends now for the reason `end`.
    pub(crate) fn outcome_of(&self, end: End) -> Option<Outcome> {
        let seats = 0..self.player_count();
        let scores: Vec<Points> = seats.clone().map(|seat| self.score(seat)).collect();
        let left = match end {
            End::Target(_) | End::Forfeit(_) => vec![Points::ZERO; scores.len()],
            End::Out(_) | End::Scoreless => {
                let value = |tiles: &TileCounts| self.rules().tiles.total_value(tiles);
                self.leftover_racks()?.iter().map(value).collect()
            }
        };
        Some(Outcome::new(self.rules(), end, &scores, &left))
    }
}

impl Outcome {
    /// The seats that win: the winner, or in a draw those that share the win.
    pub fn winners(&self, rules: &RuleSet) -> impl Iterator<Item = usize> {
        let flow = FlowRules::new(rules, self.scores.len());
        let before = |seat: usize| self.scores[seat] - self.adjustments[seat];
        flow.winners(self.end, move |seat| (self.scores[seat], before(seat)))
    }

    /// The result of a game from the scores before the settlement and the value of the tiles left
    /// on each rack, both by seat.
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
