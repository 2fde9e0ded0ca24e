//! The chance to win: by a table that was counted, or roughly by the lead and the tiles left.

use super::win_table::WinTable;
use crate::units::{Equity, Points, WinProb, logistic};

/// Where chances come from.
#[derive(Clone, Copy)]
pub enum WinModel<'a> {
    /// Counted in many games by the same rules.
    Table(&'a WinTable),
    /// A logistic curve, for rules without a table.
    Logistic,
}

impl WinModel<'_> {
    /// The chance of the player to move, who is `lead` ahead, with so many tiles in the bag and on both racks.
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

/// The width of the curve, in points by the root of the tiles left: it fits our own tables from a full bag to the last tiles.
const CURVE_WIDTH_POINTS: f64 = 6.0;
/// What it is worth to be on move, in points.
const MOVE_POINTS: f64 = 20.0;

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
    fn the_rough_chance_is_near_the_one_that_was_counted() {
        let rules = Embedded.rules("tournament").unwrap();
        let table = BuiltInTables::of(&rules).unwrap().win_table().unwrap();
        for bag in 5..80 {
            for lead in (-100..=100).step_by(10) {
                let lead = Equity::from(Points(lead));
                let chance = |model: WinModel| model.win_prob(lead, bag, 7, 7).probability();
                let (rough, counted) =
                    (chance(WinModel::Logistic), chance(WinModel::Table(&table)));
                assert!(
                    (rough - counted).abs() < 0.03,
                    "{bag} in the bag, lead {lead}: {rough} for {counted}"
                );
            }
        }
    }
}
