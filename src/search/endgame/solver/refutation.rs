//! Refutation by out-plays: a bound on a move without making it.
//!
//! If the opponent has an out-play that a move does not disturb, the opponent can make it after
//! that move, and the game is over. So the move gains at most its own points, minus the points of
//! the out-play and twice the value of the tiles left on the rack. The bound is proved,
//! because nothing can follow.

use super::{EndgameMove, Solver};
use crate::movegen::OutPlays;

impl Solver<'_> {
    /// The plays of the opponent of the player to move that use the whole rack, most points first.
    pub(super) fn out_plays(&mut self, opponent: usize) -> OutPlays {
        self.update(opponent);
        self.lanes.out_plays(opponent, self.state.held[opponent])
    }

    /// An upper bound on the value of a move of `seat`, if one of the opponent's `out_plays` proves
    /// a bound that does not exceed `alpha`.
    pub(super) fn refutation(
        &self,
        out_plays: &OutPlays,
        seat: usize,
        chosen: &EndgameMove,
        alpha: i32,
    ) -> Option<i32> {
        let most = out_plays.first()?.points;
        let held = self.state.held[seat];
        let rest = match chosen {
            EndgameMove::Play(play) => self.lanes.remaining(seat, held, play.used),
            EndgameMove::Pass => held,
        };
        let left = self.settlement_value(2 * self.lanes.tile_points(seat, rest));
        let gain = |points: i32| self.point_value() * (chosen.points() - points) - left;
        if gain(most) > alpha || self.settlement_after(seat, chosen).is_some() {
            return None;
        }
        out_plays
            .iter()
            .take_while(|out_play| gain(out_play.points) <= alpha)
            .find(|out_play| !chosen.disturbs(&self.lanes, out_play))
            .map(|out_play| gain(out_play.points))
    }
}
