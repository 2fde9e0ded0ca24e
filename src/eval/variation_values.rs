//! What unusual rules change in the value of a turn.
//!
//! - Blank recycling: an opponent who holds the letter can take a blank from the board. So a blank
//!   that a turn puts there has a penalty, and one that it takes has a reward of the same size.
//! - A minimum first word: a turn that leaves the board empty has a bonus, because the opponent
//!   must open under the same restriction.
//! - Words in any letter order: leave values that were trained for a fixed order are corrected.
//!
//! Each amount was fitted to static games: the gain from a turn until the end of the game, by
//! linear regression. Then it was measured in mirrored pairs of static games against an evaluation
//! without it, `--p2 variations=off` of `cazique autoplay`. Letter recycling and rearranging have
//! no amount, because none that was tried helped; docs/thinking.md has the figures.

use super::{BuiltInTables, EvalContext};
use crate::movegen::BlankPenalty;
use crate::rules::{LetterOrder, RuleSet};
use crate::tiles::{Letter, Tile, TileCounts};
use crate::units::Equity;

/// What it costs if an opponent takes a blank from the board. Measured with the rules `deluxe` and
/// `recycle_blanks = on`: the gain of a turn falls by 14.5 +- 1.2 points per blank and probability
/// (20,000 static games). It wins 51.11 +- 0.21 % of 10,000 mirrored pairs of static games against
/// no cost, with a spread of +2.4 +- 0.4 points; costs of 10 and 22 points do as well.
const TAKEN_BLANK_COST: Equity = Equity::from_millis(15_000);

/// The bonus of a turn that leaves the board empty, by the minimum of the first word from 3 letters
/// on; the last entry is for longer ones too, which were not measured. Measured: after an exchange
/// on the empty board the gain, minus the leave value, is 9.7 +- 1.9 points higher than after a play
/// (a minimum of 5 letters, 12,000 static games). Mirrored pairs of static games against no bonus:
/// with 5 letters 50.38 +- 0.10 % of 15,000 and a spread of +0.7 +- 0.2 points; with 4 letters 50.21
/// +- 0.13 % of 10,000 and +0.5 +- 0.2 points. With 3 letters the same bonus brings nothing: 50.04
/// +- 0.09 % of 20,000.
const UNOPENED_BOARD_BONUS_MILLIS: [i32; 3] = [0, 8_000, 8_000];

/// The percentage of a leave value that counts where letters may stand in any order. Measured with
/// [`ANY_ORDER_TILE_MILLIS`].
const ANY_ORDER_LEAVE_PERCENT: i32 = 125;

/// What each tile of a leave adds to its value where letters may stand in any order, in thousandths
/// of a point: the blank, then A to Z. Measured: the slopes of the gain in 40,000 static games with
/// leave values for a fixed order, by the leave value and the tiles. Together they win 51.12 +-
/// 0.25 % of 12,000 mirrored pairs of static games against no correction, with a spread of +3.6 +-
/// 0.5 points.
const ANY_ORDER_TILE_MILLIS: [i32; 27] = [
    1_900, -700, 2_500, 3_700, 2_100, -800, -500, 0, 800, -300, -4_000, 1_000, 2_700, 2_600, 1_900,
    -700, 1_300, -3_700, 2_300, 3_400, 2_400, -300, -500, -1_400, 0, -1_400, 4_300,
];

/// The amounts for the rules in force; zero where a rule is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariationValues {
    /// What it costs if an opponent takes a blank from the board.
    pub taken_blank: Equity,
    /// The bonus of a turn that leaves the board empty.
    pub unopened_board: Equity,
    /// Whether leave values are corrected for any letter order.
    pub corrects_leaves: bool,
}

impl VariationValues {
    /// Nothing changes.
    pub const NONE: VariationValues = VariationValues {
        taken_blank: Equity::ZERO,
        unopened_board: Equity::ZERO,
        corrects_leaves: false,
    };

    /// The amounts for these rules.
    pub fn of(rules: &RuleSet) -> VariationValues {
        let last = UNOPENED_BOARD_BONUS_MILLIS.len() - 1;
        let bonus = (rules.first_word_min.checked_sub(3))
            .map_or(0, |at| UNOPENED_BOARD_BONUS_MILLIS[at.min(last)]);
        // The correction is for tiles that have a built-in table.
        let is_any_order = rules.letter_order == LetterOrder::Any;
        VariationValues {
            taken_blank: match rules.recycles_blanks {
                true => TAKEN_BLANK_COST,
                false => Equity::ZERO,
            },
            unopened_board: Equity::from_millis(bonus),
            corrects_leaves: is_any_order && BuiltInTables::of(rules).is_some(),
        }
    }

    /// The value of a leave, given that of the table.
    pub fn leave_value(&self, leave: &TileCounts, of_table: Equity) -> Equity {
        if !self.corrects_leaves {
            return of_table;
        }
        let parts = leave.iter().map(any_order_part);
        any_order_value(of_table, parts.fold(Equity::ZERO, |sum, part| sum + part))
    }

    /// The penalty for a blank on the board, by its letter; `None` if there is none. With an empty
    /// bag, leave values no longer count, and neither does the penalty.
    pub fn blank_penalty(&self, context: &EvalContext, rules: &RuleSet) -> Option<BlankPenalty> {
        if self.taken_blank == Equity::ZERO || context.bag == 0 {
            return None;
        }
        let penalty = |letter: Letter| {
            let held = held_probability(&context.unseen, context.bag, letter.into());
            Equity::from_millis((f64::from(self.taken_blank.millis()) * held).round() as i32)
        };
        Some(BlankPenalty::new(rules.tiles.letters(), penalty))
    }
}

/// The value of a leave where letters may stand in any order. `parts` is the sum of
/// [`any_order_part`] over its tiles.
pub(super) fn any_order_value(of_table: Equity, parts: Equity) -> Equity {
    let scaled = i64::from(of_table.millis()) * i64::from(ANY_ORDER_LEAVE_PERCENT) / 100;
    Equity::from_millis(scaled as i32) + parts
}

/// What a tile adds to the value of a leave where letters may stand in any order.
pub(super) fn any_order_part(tile: Tile) -> Equity {
    let part = ANY_ORDER_TILE_MILLIS.get(tile.number());
    Equity::from_millis(part.copied().unwrap_or(0))
}

/// The probability that the opponents hold a tile, if `bag` of the unseen tiles are in the bag.
fn held_probability(unseen: &TileCounts, bag: usize, tile: Tile) -> f64 {
    let copies = 0..usize::from(unseen.count(tile));
    // The probability that a copy is in the bag, given that those before it are.
    let in_bag = |copy: usize| bag.saturating_sub(copy) as f64 / (unseen.len() - copy) as f64;
    1.0 - copies.map(in_bag).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};

    #[test]
    fn the_probability_that_a_tile_is_held_is_that_of_a_draw_without_replacement() {
        let tiles = Embedded.tiles("english").unwrap();
        let unseen = tiles.read_tiles("EEAB").unwrap();
        let letter = |text: &str| tiles.read_tiles(text).unwrap().iter().next().unwrap();
        // Two of the four tiles are in the bag: one of six pairs is EE, three have no A.
        for (text, bag, expected) in [
            ("E", 2, 5.0 / 6.0),
            ("A", 2, 0.5),
            ("Z", 2, 0.0),
            ("E", 1, 1.0),
            ("A", 4, 0.0),
        ] {
            let found = held_probability(&unseen, bag, letter(text));
            assert!((found - expected).abs() < 1e-9, "{text} {bag}: {found}");
        }
    }
}
