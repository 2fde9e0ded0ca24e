//! Who wins a rollout whose bag is empty, if both players look ahead.
//!
//! Players who take what looks best at once do not block, and do not see what
//! is coming: by them alone one candidate in ten seems better than another
//! though it is not. A look at the ending costs about as much as the rollout itself.

use super::rollout::Scene;
use crate::movegen::ContinueCheck;
use crate::rules::{Deal, Turn};
use crate::search::endgame::quick_verdict::{PlayoutUse, VerdictBudget};
use crate::search::endgame::solver::{EndgameMove, Goal, MoveUndo, Solver};
use crate::search::endgame::transposition::TranspositionTable;
use crate::tiles::TileCounts;
use crate::units::{Points, WinProb};
use smallvec::SmallVec;

/// An ending is looked at if less than so many points decided it when it was
/// played out: looking ahead seldom brings more.
const CLOSE: Points = Points(20);
/// How long it is looked at.
const EFFORT: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::Never,
    one_ply_nodes: 100,
    two_ply_nodes: 100,
};
/// What a table takes: looks are short.
pub(super) const TABLE: usize = 1 << 14;
/// So many plays are kept: few come again in other rollouts.
const ROOM: usize = 1 << 15;

/// A second board, on which a rollout is played again up to its ending.
pub(super) struct Endings<'a> {
    solver: Solver<'a>,
    /// The turns before the ending, by whom, and what they brought.
    turns: SmallVec<[(usize, Turn, Points); 8]>,
    ending: Option<Ending>,
}

/// Where the bag is empty for the first time.
struct Ending {
    seat: usize,
    racks: [TileCounts; 2],
    /// What the player on turn leads by.
    lead: Points,
}

impl<'a> Endings<'a> {
    pub fn new(
        scene: &Scene<'a>,
        table: &'a TranspositionTable,
        patience: ContinueCheck<'a>,
    ) -> Endings<'a> {
        let graph = scene.knowledge.words.graph;
        let racks = [TileCounts::EMPTY; 2];
        let mut solver = Solver::new(scene.position, graph, &racks, Goal::Win, table, patience);
        solver.lanes_mut().limit_cached_plays(ROOM);
        Endings {
            solver,
            turns: SmallVec::new(),
            ending: None,
        }
    }

    /// Starts on another rollout.
    pub fn start(&mut self) {
        self.turns.clear();
        self.ending = None;
    }

    /// Notes a turn, before it is taken.
    pub fn note(&mut self, game: &Deal, turn: &Turn, points: Points) {
        if self.ending.is_some() {
            return;
        }
        let seat = game.to_move();
        if game.bag_len() > 0 || self.turns.is_empty() {
            self.turns.push((seat, *turn, points));
            return;
        }
        self.ending = Some(Ending {
            seat,
            racks: [*game.rack(0), *game.rack(1)],
            lead: game.score(seat) - game.score(1 - seat),
        });
    }

    /// What the player on a seat, who ended up so far ahead, has of the
    /// ending. `None` if there was none, or it is clear enough, or there was no time.
    pub fn win(&mut self, seat: usize, ahead: Points) -> Option<WinProb> {
        let ending = self.ending.as_ref()?;
        if ahead.0.abs() >= CLOSE.0 {
            return None;
        }
        // What is found must not depend on what was looked at before.
        self.solver.clear();
        let taken: SmallVec<[MoveUndo; 8]> = self
            .turns
            .iter()
            .map(|(seat, turn, points)| take(&mut self.solver, *seat, turn, *points))
            .collect();
        self.solver.set_racks(&ending.racks);
        let assessment = self
            .solver
            .assess(ending.seat, ending.lead.0, EFFORT, u64::MAX);
        for taken in taken.into_iter().rev() {
            self.solver.undo_move(taken);
        }
        let share = assessment?.win_probability();
        let share = if seat == ending.seat {
            1.0 - share
        } else {
            share
        };
        Some(WinProb::from_probability(share))
    }
}

/// Takes a turn of a rollout, whatever the player holds.
fn take<'a>(solver: &mut Solver<'a>, seat: usize, turn: &Turn, points: Points) -> MoveUndo {
    match turn {
        Turn::Place(placement) => {
            let mut racks = [TileCounts::EMPTY; 2];
            racks[seat] = placement.tiles();
            solver.set_racks(&racks);
            let play = solver.lanes().lane_play(seat, placement, points);
            solver.make_move(seat, &EndgameMove::Play(play))
        }
        Turn::Pass => solver.make_move(seat, &EndgameMove::Pass),
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => solver.make_exchange(),
    }
}
