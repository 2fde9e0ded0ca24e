//! Refutation by out-plays: a bound on a move without making it.
//!
//! If the opponent has an out-play that a move does not disturb, the opponent can make it after
//! that move, and the game is over. So the move gains at most its own points, minus the points of
//! the out-play and twice the value of the tiles left on the rack. The bound is proved,
//! because nothing can follow.

use super::{EndgameMove, Solver};
use crate::movegen::OutPlays;

/// The out-plays of the opponent of the player to move.
pub(super) struct OutPlayRefuter {
    /// The plays that use the whole rack, most points first.
    out_plays: OutPlays,
}

impl OutPlayRefuter {
    pub fn new(solver: &mut Solver, opponent: usize) -> OutPlayRefuter {
        solver.update(opponent);
        OutPlayRefuter {
            out_plays: solver
                .lanes
                .out_plays(opponent, solver.state.held[opponent]),
        }
    }

    /// An upper bound on the value of a move of `seat`, if an out-play proves a bound that does not
    /// exceed `alpha`.
    pub fn bound(
        &self,
        solver: &Solver,
        seat: usize,
        chosen: &EndgameMove,
        alpha: i32,
    ) -> Option<i32> {
        let most = self.out_plays.first()?.points;
        let held = solver.state.held[seat];
        let rest = match chosen {
            EndgameMove::Play(play) => solver.lanes.remaining(seat, held, play.used),
            EndgameMove::Pass => held,
        };
        let left = solver.settlement_value(2 * solver.lanes.tile_points(seat, rest));
        let gain = |points: i32| solver.point_value() * (chosen.points() - points) - left;
        if gain(most) > alpha || solver.settlement_after(seat, chosen).is_some() {
            return None;
        }
        let out_plays = self.out_plays.iter();
        let mut refuting = out_plays.take_while(|out_play| gain(out_play.points) <= alpha);
        refuting
            .find(|out_play| !chosen.disturbs(&solver.lanes, out_play))
            .map(|out_play| gain(out_play.points))
    }
}
