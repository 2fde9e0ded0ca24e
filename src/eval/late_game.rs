//! What a turn means for the end of the game: how many tiles it leaves in the
//! bag, and what may be left over once that is empty.

use super::EvalContext;
use crate::rules::{GoingOut, RuleSet};
use crate::tiles::TileCounts;
use crate::units::{Equity, Points};

/// Thrown in for not going out when the bag is empty: somebody else may.
const NOT_OUT_PENALTY: Points = Points(10);

/// The rules that [`BAG_TILES_VALUE_MILLIS`] was measured under: players, and tiles on a rack.
const MEASURED_RULES: (usize, usize) = (2, 7);

/// How many tiles a play can want to draw that are not there, of those measured.
const MAX_SHORTFALL_TILES: usize = MEASURED_RULES.1 - 1;

/// What leaving so many tiles in the bag is worth in thousandths of a point,
/// besides the tiles kept: from -6, for a play that draws six tiles too few,
/// to 3; beyond that it is nothing. Measured in 80,000 static games: what a
/// player gained from such a play to the end of the game, less the leave,
/// compared with plays that leave 12 to 30.
const BAG_TILES_VALUE_MILLIS: [i32; 10] = [
    100, 900, -300, -2_600, -4_000, -3_400, -2_400, 4_200, 2_900, 800,
];

/// What a leave still counts, in hundredths, if the bag has fewer tiles than
/// should be drawn to it: how the gain in the same games goes with the leave.
const SHORT_DRAW_LEAVE_PERCENT: i32 = 55;

impl EvalContext<'_> {
    /// Whether the number of tiles that a turn leaves in the bag counts.
    pub(super) fn is_late(&self, rules: &RuleSet) -> bool {
        (self.players, rules.rack_size) == MEASURED_RULES
            && self.bag > 0
            && self.bag + MAX_SHORTFALL_TILES < BAG_TILES_VALUE_MILLIS.len() + MEASURED_RULES.1
    }

    /// Late in the game: what it is worth to leave so many tiles in the bag as a turn does that wants to draw `drawn`.
    pub(super) fn left_in_bag(&self, drawn: usize) -> Equity {
        let left = (self.bag + MAX_SHORTFALL_TILES).checked_sub(drawn);
        let worth = left.and_then(|left| BAG_TILES_VALUE_MILLIS.get(left));
        Equity::from_millis(worth.copied().unwrap_or(0))
    }

    /// Late in the game: what a leave is worth to which `drawn` tiles should be drawn.
    pub(super) fn weigh(&self, leave: Equity, drawn: usize) -> Equity {
        let share = if drawn > self.bag {
            SHORT_DRAW_LEAVE_PERCENT
        } else {
            100
        };
        Equity::from_millis((i64::from(leave.millis()) * i64::from(share) / 100) as i32)
    }

    /// With an empty bag, tiles kept are tiles that may be left over. What
    /// counts is how far one comes ahead of the others, in their mean: of two
    /// players the one who goes out gains twice the tiles of the other,
    /// however the rules pay for them.
    pub(super) fn left_over(&self, kept: &TileCounts, rules: &RuleSet) -> Equity {
        let others = self.players.max(2) as i32 - 1;
        let share = |points: Points| Equity::from_millis(Equity::from(points).millis() / others);
        let value = rules.tiles.total_value(kept);
        match (kept.is_empty(), rules.going_out) {
            (true, GoingOut::Twice) => Equity::from(self.opponent_points * 2),
            (true, GoingOut::Sum) => {
                Equity::from(self.opponent_points) + share(self.opponent_points)
            }
            (false, GoingOut::Twice) => share(-(value * 2)) - Equity::from(NOT_OUT_PENALTY),
            (false, GoingOut::Sum) => share(-value) - Equity::from(value + NOT_OUT_PENALTY),
        }
    }
}
