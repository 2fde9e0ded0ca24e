//! The draw for the first move, for the command `draw` and for games that are not mirrored.

use super::RuleSet;
use crate::tiles::Tile;
use rand::{Rng, RngExt};

/// The result of the draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The seat that moves first.
    pub seat: usize,
    /// Each round of the draw as seat and tile. Only the seats that tied draw again.
    pub rounds: Vec<Vec<(usize, Tile)>>,
}

/// Each player draws a tile. The blank moves first, otherwise the letter closest to the start of
/// the alphabet. Players who tie draw again. All tiles go back into the bag.
pub fn draw_for_first_move(rules: &RuleSet, players: usize, rng: &mut impl Rng) -> FirstMove {
    let bag: Vec<Tile> = rules.tiles.all().iter().collect();
    let mut rounds = Vec::new();
    let mut drawing: Vec<usize> = (0..players).collect();
    while drawing.len() > 1 {
        let mut bag = bag.clone();
        let mut round: Vec<(usize, Tile)> = Vec::new();
        for &seat in &drawing {
            round.push((seat, bag.swap_remove(rng.random_range(0..bag.len()))));
        }
        // The blank has number 0 and so comes before the letters.
        let first = round.iter().map(|(_, tile)| *tile).min();
        drawing = round
            .iter()
            .filter(|(_, tile)| Some(*tile) == first)
            .map(|(seat, _)| *seat)
            .collect();
        rounds.push(round);
    }
    FirstMove {
        seat: drawing.first().copied().unwrap_or(0),
        rounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};
    use crate::seed::Seed;

    #[test]
    fn the_lowest_tile_moves_first_and_ties_draw_again() {
        let rules = Embedded.rules("deluxe").unwrap();
        let mut redrawn = 0;
        for unit in 0..2_000 {
            let draw = draw_for_first_move(&rules, 4, &mut Seed(3).for_unit(unit).generator());
            let last = draw.rounds.last().unwrap();
            let lowest = last.iter().map(|(_, tile)| *tile).min().unwrap();
            assert!(last.contains(&(draw.seat, lowest)));
            assert_eq!(last.iter().filter(|(_, tile)| *tile == lowest).count(), 1);
            for (before, after) in draw.rounds.iter().zip(&draw.rounds[1..]) {
                let lowest = before.iter().map(|(_, tile)| *tile).min();
                let tied: Vec<usize> = before
                    .iter()
                    .filter(|(_, tile)| Some(*tile) == lowest)
                    .map(|(seat, _)| *seat)
                    .collect();
                assert_eq!(
                    after.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(),
                    tied
                );
                redrawn += 1;
            }
        }
        assert!(redrawn > 20);
    }
}
