//! Quick verdicts: who wins a rollout that reached the endgame, if both players look ahead.
//!
//! The static players of a rollout take the move that looks best at once. They do not block, and
//! do not see what comes next. Judged by such rollouts alone, one comparison of two candidates in
//! ten comes out the wrong way. So a close endgame is decided by a short search instead, which
//! costs about as much as the rollout itself.
//!
//! A rollout records its moves here ([`EndgameVerdicts::record`]) up to the first position with an
//! empty bag. At its end, [`EndgameVerdicts::win`] replays them on a board of its own and asks the
//! endgame solver for a verdict. It proves nothing.

use super::rollout::SimContext;
use super::tuning::{CLOSE_ENDGAME_SPREAD, VERDICT_BUDGET, VERDICT_CACHED_PLAYS};
use crate::rules::{Deal, Turn};
use crate::search::Goal;
use crate::search::endgame::solver::{EndgameMove, MoveUndo, Solver};
use crate::search::endgame::transposition::TranspositionTable;
use crate::tiles::TileCounts;
use crate::units::{Points, WinProb};
use smallvec::SmallVec;

/// The moves of the current rollout, and a solver whose board can replay them.
pub(super) struct EndgameVerdicts<'a> {
    solver: Solver<'a>,
    /// The moves before the endgame: seat, move and points.
    turns: SmallVec<[(usize, Turn, Points); 8]>,
    endgame: Option<EndgameStart>,
}

/// The first position of a rollout with an empty bag.
struct EndgameStart {
    /// The player to move.
    seat: usize,
    racks: [TileCounts; 2],
    /// The lead of the player to move.
    lead: Points,
}

impl<'a> EndgameVerdicts<'a> {
    pub fn new(context: &SimContext<'a>, table: &'a TranspositionTable) -> EndgameVerdicts<'a> {
        // The solver has one set of words for both players.
        let SimContext {
            position,
            knowledge,
            may_continue,
            ..
        } = *context;
        let (graph, racks) = (knowledge.vocabulary.known.graph, [TileCounts::EMPTY; 2]);
        let mut solver = Solver::new(position, graph, &racks, Goal::Win, table, may_continue);
        solver.lanes.limit_cached_plays(VERDICT_CACHED_PLAYS);
        EndgameVerdicts {
            solver,
            turns: SmallVec::new(),
            endgame: None,
        }
    }

    /// Starts a new rollout.
    pub fn start(&mut self) {
        self.turns.clear();
        self.endgame = None;
    }

    /// Records a move, before `game` takes it.
    pub fn record(&mut self, game: &Deal, turn: &Turn, points: Points) {
        if self.endgame.is_some() {
            return;
        }
        let seat = game.to_move();
        if game.bag_len() > 0 || self.turns.is_empty() {
            self.turns.push((seat, *turn, points));
            return;
        }
        self.endgame = Some(EndgameStart {
            seat,
            racks: [*game.rack(0), *game.rack(1)],
            lead: game.score(seat) - game.score(1 - seat),
        });
    }

    /// The win probability of the player on `seat`, by a verdict on the endgame of this rollout.
    /// `spread` is that player's spread at the end of the rollout. `None` if the rollout reached no
    /// endgame, if the endgame was not close, or if time ran out.
    pub fn win(&mut self, seat: usize, spread: Points) -> Option<WinProb> {
        let endgame = self.endgame.as_ref()?;
        if spread.0.abs() >= CLOSE_ENDGAME_SPREAD.0 {
            return None;
        }
        // A verdict must not depend on the verdicts that this thread gave before.
        self.solver.clear();
        let taken: SmallVec<[MoveUndo; 8]> = self
            .turns
            .iter()
            .map(|(seat, turn, points)| replay(&mut self.solver, *seat, turn, *points))
            .collect();
        self.solver.set_racks(&endgame.racks);
        let verdict = self
            .solver
            .assess(endgame.seat, endgame.lead.0, VERDICT_BUDGET, u64::MAX);
        for taken in taken.into_iter().rev() {
            self.solver.undo_move(taken);
        }
        // The verdict is for the player who is not to move.
        let share = verdict?.win_probability();
        let share = if seat == endgame.seat {
            1.0 - share
        } else {
            share
        };
        Some(WinProb::from_probability(share))
    }
}

/// Makes a move of a rollout on the solver's board, with a rack that has just its tiles.
fn replay<'a>(solver: &mut Solver<'a>, seat: usize, turn: &Turn, points: Points) -> MoveUndo {
    match turn {
        Turn::Place(placement) => {
            let mut racks = [TileCounts::EMPTY; 2];
            racks[seat] = placement.tiles();
            solver.set_racks(&racks);
            let play = solver.lanes.lane_play(seat, placement, points);
            solver.make_move(seat, &EndgameMove::Play(play))
        }
        // Games with other kinds of turns have no verdicts.
        Turn::Pass | Turn::Rearrange(_) | Turn::Edited(_) => {
            solver.make_move(seat, &EndgameMove::Pass)
        }
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => solver.make_exchange(seat),
    }
}
