//! The late-game adjustment of static evaluation.
//!
//! With few tiles in the bag, the number of tiles that a turn leaves there
//! counts, because it decides who draws the last ones. With an empty bag, the
//! tiles left on the racks count. `eval` adds the result to the equity of a turn.
//! The module does not search; endgames are solved in `search`.

use super::EvalContext;
use crate::rules::{GoingOut, RuleSet};
use crate::tiles::TileCounts;
use crate::units::{Equity, Points};

/// The penalty, with an empty bag, for a turn that does not go out: an opponent
/// may go out first. Chosen by hand; not tuned.
const NOT_OUT_PENALTY: Points = Points(10);

/// The number of players and the rack size under which
/// [`BAG_TILES_VALUE_MILLIS`] was measured.
const MEASURED_RULES: (usize, usize) = (2, 7);

/// The largest shortfall in that table: the tiles that the bag lacks when a play
/// of a whole rack draws from a bag of one.
const MAX_SHORTFALL_TILES: usize = MEASURED_RULES.1 - 1;

/// The value, in thousandths of a point, of the number of tiles that a turn
/// leaves in the bag. The first entry is for a draw that is six tiles short, the
/// last for three tiles left; with more left the value is zero. Measured in
/// 80,000 static games: the gain of such a play until the end of the game, minus
/// its leave value, compared with plays that leave 12 to 30 tiles. With
/// [`SHORT_DRAW_LEAVE_PERCENT`] it wins 50.35 % +- 0.06 of 30,000 mirrored pairs
/// of static games against no adjustment.
const BAG_TILES_VALUE_MILLIS: [i32; 10] = [
    100, 900, -300, -2_600, -4_000, -3_400, -2_400, 4_200, 2_900, 800,
];

/// The percentage of the leave value that counts if the bag has fewer tiles than
/// the turn draws. Measured: the slope of the gain by leave in the same games.
const SHORT_DRAW_LEAVE_PERCENT: i32 = 55;

impl EvalContext<'_> {
    /// Whether the bag is so small that the number of tiles left in it affects
    /// equity, under the rules that were measured.
    pub(super) fn is_late(&self, rules: &RuleSet) -> bool {
        (self.players, rules.rack_size) == MEASURED_RULES
            && self.bag > 0
            && self.bag + MAX_SHORTFALL_TILES < BAG_TILES_VALUE_MILLIS.len() + MEASURED_RULES.1
    }

    /// The adjustment for the tiles left in the bag by a turn that draws `drawn`,
    /// if [`EvalContext::is_late`].
    pub(super) fn bag_adjustment(&self, drawn: usize) -> Equity {
        let left = (self.bag + MAX_SHORTFALL_TILES).checked_sub(drawn);
        let value = left.and_then(|left| BAG_TILES_VALUE_MILLIS.get(left));
        Equity::from_millis(value.copied().unwrap_or(0))
    }

    /// The value of a leave after a turn that draws `drawn` tiles, if
    /// [`EvalContext::is_late`].
    pub(super) fn leave_value(&self, leave: Equity, drawn: usize) -> Equity {
        let percent = match drawn > self.bag {
            true => SHORT_DRAW_LEAVE_PERCENT,
            false => 100,
        };
        Equity::from_millis((i64::from(leave.millis()) * i64::from(percent) / 100) as i32)
    }

    /// With an empty bag: the adjustment for the tiles left on the racks. It is
    /// the change of the spread against the mean of the opponents. Of two players
    /// the one who goes out gains twice the value of the opponent's tiles under
    /// either rule. A turn that does not go out is charged as if an opponent went
    /// out next, plus [`NOT_OUT_PENALTY`].
    pub(super) fn left_over_adjustment(&self, leave: &TileCounts, rules: &RuleSet) -> Equity {
        let opponents = self.players.max(2) as i32 - 1;
        let share = |points: Points| Equity::from_millis(Equity::from(points).millis() / opponents);
        let value = rules.tiles.total_value(leave);
        match (leave.is_empty(), rules.going_out) {
            (true, GoingOut::Twice) => Equity::from(self.opponent_points * 2),
            (true, GoingOut::Sum) => {
                Equity::from(self.opponent_points) + share(self.opponent_points)
            }
            (false, GoingOut::Twice) => share(-(value * 2)) - Equity::from(NOT_OUT_PENALTY),
            (false, GoingOut::Sum) => share(-value) - Equity::from(value + NOT_OUT_PENALTY),
        }
    }
}
