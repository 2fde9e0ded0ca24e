//! Greedy playouts: a rough estimate of a move where tiles stay in the bag.
//!
//! Both players make the play with the most points (with a little for the value of the
//! tiles placed) until the bag is empty; the endgame solver plays out the rest. Playouts are
//! used only to order the moves of a player who does not know the bag, and to judge the
//! moves that leave tiles in it.

use super::{BagMove, PlayerView, WorldSolver};
use crate::movegen::LanePlay;
use crate::search::preendgame::Probability;
use crate::search::preendgame::tuning::*;
use crate::search::preendgame::worlds::{World, without};
use crate::tiles::TileCounts;
use crate::units::logistic;

impl WorldSolver<'_> {
    /// Estimates a move by greedy playouts in a few of the worlds: the win probability, and
    /// for ties the mean spread in points plus [`SCREENING_TILE_BONUS`] for each tile
    /// placed, since such wins are easier to prove.
    pub(super) fn screen(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        worlds: &[World],
    ) -> (Probability, f64) {
        let step = worlds.len().div_ceil(SCREENING_WORLDS);
        let (mut wins, mut spreads, mut total) = (0.0, 0.0, 0.0);
        for world in worlds.iter().step_by(step) {
            let spread = self.greedy_spread(mv, view, world);
            let weight = world.weight as f64;
            wins += win_by_spread(spread) * weight;
            spreads += spread * weight;
            total += weight;
        }
        let tile_bonus = SCREENING_TILE_BONUS * mv.tiles_placed() as f64;
        (wins / total, spreads / total + tile_bonus)
    }

    /// The final spread of the player to move after a move in a world, by a greedy playout.
    pub(super) fn greedy_spread(&mut self, mv: &BagMove, view: &PlayerView, world: &World) -> f64 {
        self.after(mv, view, world, |solver, next, bag, is_over| {
            -solver.greedy_playout(next, bag, is_over, MAX_GREEDY_MOVES)
        })
    }

    /// The final spread of the player to move, with this content of the bag.
    fn greedy_playout(
        &mut self,
        view: &PlayerView,
        bag: &TileCounts,
        is_over: bool,
        moves_left: usize,
    ) -> f64 {
        let opponent = without(&view.unseen, bag);
        if is_over || moves_left == 0 {
            return f64::from(self.settled_value(view, &opponent)) / 2.0;
        }
        if bag.is_empty() {
            self.hold(view, &opponent);
            let value = self.solver.playout(view.seat).value;
            return f64::from(2 * view.lead + value) / 2.0;
        }
        let mv = self.greedy_move(view);
        let draw_count = self.draw_count(&mv, view);
        // The order in the bag is random, so any fixed order is as likely as another.
        let drawn: TileCounts = bag.iter().take(draw_count).collect();
        let world = World::new(bag, drawn, 1);
        self.after(&mv, view, &world, |solver, next, bag, is_over| {
            -solver.greedy_playout(next, bag, is_over, moves_left - 1)
        })
    }

    /// The play with the most points plus half the value of the tiles placed; a pass if
    /// there is none.
    fn greedy_move(&mut self, view: &PlayerView) -> BagMove {
        let lanes = &mut self.solver.lanes;
        lanes.set_rack(view.seat, &view.rack);
        let all = lanes.full_rack(view.seat);
        lanes.update(view.seat, all);
        let value = |play: &LanePlay| play.points + lanes.tile_points(view.seat, play.used) / 2;
        let best = lanes.best(view.seat, all, value);
        best.map_or(BagMove::Pass, BagMove::Play)
    }
}

/// The win probability after a greedy playout with this final spread, in points. Near 0 and
/// 1 it is rounded, so that moves which all win or all lose are compared by spread.
pub(super) fn win_by_spread(spread: f64) -> Probability {
    match logistic(spread / GREEDY_SPREAD_SCALE) {
        win if win < GREEDY_CERTAINTY_MARGIN => 0.0,
        win if win > 1.0 - GREEDY_CERTAINTY_MARGIN => 1.0,
        win => win,
    }
}
