//! The win probability of a lead: from a counted table, or from a logistic curve
//! for rules without a table.
//!
//! A lead, the number of tiles in the bag and on both racks come in; a win
//! probability goes out. Simulation uses it where a rollout ends before the game
//! does. It knows neither board nor racks.

use super::win_table::WinTable;
use crate::units::{Equity, Points, WinProb, logistic};

/// A model of the win probability.
#[derive(Clone, Copy)]
pub enum WinModel<'a> {
    /// Counted in many games by the same rules, see [`super::win_table`].
    Table(&'a WinTable),
    /// A logistic curve, for rules without a table.
    Logistic,
}

impl WinModel<'_> {
    /// The win probability of the player to move, who is `lead` ahead and holds
    /// `mine` tiles against `theirs`, with `bag` tiles in the bag.
    pub fn win_prob(&self, lead: Equity, bag: usize, mine: usize, theirs: usize) -> WinProb {
        match self {
            WinModel::Table(table) => {
                let points = (lead.millis() + lead.millis().signum() * 500) / 1_000;
                table.win_prob(Points(points), bag, mine, theirs)
            }
            WinModel::Logistic => logistic_win_prob(lead, bag + mine + theirs),
        }
    }
}

/// The width of the logistic curve, in points per square root of the tiles left.
/// Fitted to our own tables. From 5 to 79 tiles in the bag the curve is within
/// 0.03 of the table (see the test).
const CURVE_WIDTH_POINTS: f64 = 6.0;
/// The advantage of the player to move, in points. Fitted with the width.
const MOVE_POINTS: f64 = 20.0;

/// The logistic curve, for a number of tiles in the bag and on the racks.
fn logistic_win_prob(lead: Equity, tiles: usize) -> WinProb {
    let scale = CURVE_WIDTH_POINTS * (tiles.max(1) as f64).sqrt();
    let points = f64::from(lead.millis()) / 1_000.0 + MOVE_POINTS;
    WinProb::from_probability(logistic(points / scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::BuiltInTables;
    use crate::rules::{Embedded, Library};

    #[test]
    fn the_logistic_curve_is_near_the_counted_table() {
        let rules = Embedded.rules("tournament").unwrap();
        let table = BuiltInTables::of(&rules).unwrap().win_table().unwrap();
        for bag in 5..80 {
            for lead in (-100..=100).step_by(10) {
                let lead = Equity::from(Points(lead));
                let probability = |model: WinModel| model.win_prob(lead, bag, 7, 7).probability();
                let (curve, counted) = (
                    probability(WinModel::Logistic),
                    probability(WinModel::Table(&table)),
                );
                assert!(
                    (curve - counted).abs() < 0.03,
                    "{bag} in the bag, lead {lead}: {curve} for {counted}"
                );
            }
        }
    }
}
