//! The moves of a two-player endgame: made, undone, and settled if they end the game.

use super::Solver;
use crate::movegen::{LaneGenerator, LanePlay, RackSubset};
use crate::rules::End;
use crate::rules::flow::{ScorelessRun, TurnKind, settlement_spread};
use crate::search::Goal;
use crate::units::Points;

/// A move of an endgame. The bag is empty, so nothing can be exchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EndgameMove {
    /// A play.
    Play(LanePlay),
    /// A pass.
    Pass,
}

impl EndgameMove {
    /// The identifier of the move in a table; never 0.
    pub(in crate::search::endgame) fn id(&self) -> u32 {
        match self {
            EndgameMove::Play(play) => play_id(play),
            EndgameMove::Pass => PASS_ID,
        }
    }

    /// Whether a play of another player cannot be made after this move, or not for the same points.
    pub(in crate::search::endgame) fn disturbs(
        &self,
        lanes: &LaneGenerator,
        play: &LanePlay,
    ) -> bool {
        match self {
            EndgameMove::Play(made) => lanes.disturbs(made, play),
            EndgameMove::Pass => false,
        }
    }

    /// Its points.
    pub(in crate::search::endgame) fn points(&self) -> i32 {
        match self {
            EndgameMove::Play(play) => play.points,
            EndgameMove::Pass => 0,
        }
    }
}

/// The identifier of a pass. It is even, and those of plays are odd.
pub(in crate::search::endgame) const PASS_ID: u32 = 2;

/// The identifier of a play: the upper half of its Zobrist key, made odd.
pub(in crate::search::endgame) fn play_id(play: &LanePlay) -> u32 {
    (play.key >> 32) as u32 | 1
}

/// The state of the game without the tiles on the board.
#[derive(Clone, Copy)]
pub(super) struct SolverState {
    /// Zobrist hash of the board: the exclusive or of the keys of all plays made.
    pub board: u64,
    /// The tiles held, by seat.
    pub held: [RackSubset; 2],
    /// The scoreless turns in a row.
    pub scoreless: ScorelessRun,
    /// Consecutive passes since the search began.
    pub passes: u8,
}

/// What undoes a move that was made.
pub(crate) struct MoveUndo {
    before: SolverState,
    is_play: bool,
}

impl Solver<'_> {
    /// Makes a move after which the game goes on.
    pub fn make_move(&mut self, seat: usize, chosen: &EndgameMove) -> MoveUndo {
        let before = self.state;
        match chosen {
            EndgameMove::Pass => {
                self.state.scoreless = self.scoreless_after(seat, 0, true);
                self.state.passes += u8::from(!before.scoreless.next_is_lost);
            }
            EndgameMove::Play(play) => {
                self.state.board ^= play.key;
                self.state.held[seat] = self.lanes.remaining(seat, before.held[seat], play.used);
                self.state.passes = 0;
                self.state.scoreless = self.scoreless_after(seat, play.points, false);
                self.lanes.play(play);
            }
        }
        let is_play = matches!(chosen, EndgameMove::Play(_));
        MoveUndo { before, is_play }
    }

    /// Makes an exchange. The caller changes the racks with [`Solver::set_racks`].
    pub fn make_exchange(&mut self, seat: usize) -> MoveUndo {
        let (before, is_play) = (self.state, false);
        self.state.passes = 0;
        self.state.scoreless = self.scoreless_after(seat, 0, false);
        MoveUndo { before, is_play }
    }

    /// Undoes the last move made.
    pub fn undo_move(&mut self, undo: MoveUndo) {
        if undo.is_play {
            self.lanes.take_back();
        }
        self.state = undo.before;
    }

    /// Whether a move that leaves tiles on the rack ends the game: by two passes in a row, or by
    /// the limit of scoreless turns.
    pub fn ends_game(&self, seat: usize, points: i32, is_pass: bool) -> bool {
        let scoreless = self.scoreless_after(seat, points, is_pass);
        is_pass && self.state.passes > 0 || self.flow.is_scoreless_end(scoreless)
    }

    fn scoreless_after(&self, seat: usize, points: i32, is_pass: bool) -> ScorelessRun {
        let kind = TurnKind::new(Points(points), is_pass, false);
        self.flow.after_turn(self.state.scoreless, seat, kind)
    }

    /// If a move ends the game: what the tiles left over are worth to the player who makes it.
    pub fn settlement_after(&self, seat: usize, chosen: &EndgameMove) -> Option<i32> {
        let (own, other) = (self.state.held[seat], self.state.held[1 - seat]);
        let other = self.lanes.tile_points(1 - seat, other);
        let (rest, is_pass) = match chosen {
            EndgameMove::Play(play) if play.used == own => {
                let spread = settlement_spread(End::Out(seat), seat, 0, other);
                return Some(self.settlement_value(spread));
            }
            EndgameMove::Play(play) => (self.lanes.remaining(seat, own, play.used), false),
            EndgameMove::Pass => (own, true),
        };
        let ends = self.ends_game(seat, chosen.points(), is_pass);
        ends.then(|| {
            let own = self.lanes.tile_points(seat, rest);
            self.settlement_value(settlement_spread(End::Scoreless, seat, own, other))
        })
    }

    /// The value of one point.
    pub(super) fn point_value(&self) -> i32 {
        match self.goal {
            Goal::Spread => 1,
            Goal::Win => 2,
        }
    }

    /// The value of a settlement that changes the spread by `points`.
    pub(super) fn settlement_value(&self, points: i32) -> i32 {
        match self.goal {
            Goal::Spread => points,
            Goal::Win => self.tie.doubled_settlement(points),
        }
    }

    /// A hash of the board and the count of scoreless turns.
    pub fn board_key(&self) -> u64 {
        let SolverState {
            scoreless, passes, ..
        } = self.state;
        let rest = scoreless.key() << 8 | u64::from(passes);
        self.state.board ^ rest.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    /// A hash of everything on which a value depends.
    pub(super) fn key(&self, seat: usize) -> u64 {
        let SolverState {
            board,
            held,
            scoreless,
            passes,
        } = self.state;
        let rack = |seat: usize| self.lanes.rack_key(seat, held[seat]);
        let racks = rack(0) ^ rack(1).rotate_left(32);
        let rest = scoreless.key() << 16 | u64::from(passes) << 8 | (seat as u64 + 1);
        let rest = rest << 1 | u64::from(self.goal == Goal::Win);
        board ^ racks.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ rest.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}
