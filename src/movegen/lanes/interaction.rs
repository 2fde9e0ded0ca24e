//! Which plays affect each other: endgame search asks whether a play of one
//! player blocks or changes a play of the other.

use super::{LaneGenerator, LanePlay, LaneSet, lane_number};
use crate::movegen::cross_board::bits;

impl LaneGenerator<'_> {
    /// The lanes in which a play changes tiles or cross-checks, if it is made on
    /// the board as it is.
    pub(crate) fn touched_lanes(&self, play: &LanePlay) -> LaneSet {
        let side = self.board.side;
        let (axis, lane) = (play.axis() as usize, play.lane());
        let across = 1 - axis;
        let bit = |axis: usize, lane: usize| match lane < side {
            true => 1 << lane_number(axis, lane, side),
            false => 0,
        };
        let mut touched = bit(axis, lane);
        let squares = play.squares;
        let state = &self.board.lanes[axis][lane];
        let (first, last) = (squares.trailing_zeros(), squares.ilog2());
        touched |= bit(across, state.ends(first as usize)[0]);
        touched |= bit(across, state.ends(last as usize)[1]);
        for at in bits(squares) {
            touched |= bit(across, at);
            for end in self.board.lanes[across][at].ends(lane) {
                touched |= bit(axis, end);
            }
        }
        touched
    }

    /// Whether the play `made`, on the board as it is, makes `play` impossible or
    /// changes its points. `play` needs its own squares, and the squares at the
    /// ends of all words that it forms must stay empty.
    pub fn disturbs(&self, made: &LanePlay, play: &LanePlay) -> bool {
        let side = self.board.side;
        let (axis, lane) = (play.axis() as usize, play.lane());
        let is_parallel = made.axis() == play.axis();
        // The squares that `made` takes in a lane parallel to `play`.
        let taken = |lane: usize| match is_parallel {
            true if lane == made.lane() => made.squares,
            false if lane < side => (made.squares >> lane & 1) << made.lane(),
            _ => 0,
        };
        let bit = |at: usize| if at < side { 1 << at } else { 0 };
        let squares = play.squares;
        let state = &self.board.lanes[axis][lane];
        let (first, last) = (squares.trailing_zeros(), squares.ilog2());
        let ends = bit(state.ends(first as usize)[0]) | bit(state.ends(last as usize)[1]);
        if taken(lane) & (squares | ends) != 0 {
            return true;
        }
        for at in bits(squares) {
            let ends = self.board.lanes[1 - axis][at].ends(lane);
            if ends.into_iter().any(|end| taken(end) >> at & 1 != 0) {
                return true;
            }
        }
        false
    }

    /// The lane of a play, as a set of one.
    pub(crate) fn lane_bit(&self, play: &LanePlay) -> LaneSet {
        1 << lane_number(play.axis() as usize, play.lane(), self.board.side)
    }
}
