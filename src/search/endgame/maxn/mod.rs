//! Endgames of three and four players, of games with target scores, and with missed turns.
//!
//! The search is max^n (Luckhardt and Irani 1986): a value is the final scores of all players,
//! and each player chooses what is best for that player. The leads of two players over
//! their best opponents never add up to more than 0. So what the next player can get bounds what
//! is left for the player before: shallow pruning (Korf 1991), the only pruning that is sound
//! with more than two players. Moves are also refuted by out-plays of the next player, as in
//! `super::solver`. Values equal those of [`super::plain`].
//!
//! [`solve`] deepens iteratively, one move at a time, with greedy play beyond the depth. It uses
//! one thread. `search::solve` calls it with all legal moves; it generates no root moves.
//!
//! - `state`: the state of the game, and how the rules change and settle it.
//! - `search`: the recursion.
//! - `cache`: values of positions that were searched before.

mod cache;
mod search;
mod state;

use super::plain::revealed;
use super::solver::{EndgameMove, FULL_DEPTH};
use crate::movegen::LaneGenerator;
use crate::rules::{Position, Turn};
use crate::search::ranking::Candidate;
use crate::search::{Solution, SolveContext, SolveProgress};
use search::MaxnSearch;
use state::MaxnState;

/// Solves an endgame of any number of players. Candidates that are not legal are left out. `None`
/// if the game is over, the bag is not empty or more than one rack is unknown.
///
/// `progress` is called after each completed depth. A search that is stopped returns the result
/// of the last one. Even if it is stopped at once it has an answer: the scores after each move,
/// as if the game ended there.
pub fn solve(context: SolveContext, progress: &mut SolveProgress) -> Option<Solution> {
    let position = revealed(context.position).filter(|position| position.end().is_none())?;
    let request = context.request;
    let may_continue = || context.budget.may_continue();
    let mut search = MaxnSearch::new(&position, context.graph, request, &may_continue);
    let start = MaxnState::new(&position, &search.lanes);
    let roots = root_moves(&position, &search.lanes, context.candidates);
    let settle = |(candidate, chosen): &(Candidate, EndgameMove)| {
        (*candidate, search.settled_after(&start, chosen))
    };
    let settled = roots.iter().map(settle).collect();
    let mut solution = search.solution(&start, settled, 0);
    for depth in 0..=request.depth.unwrap_or(FULL_DEPTH).min(FULL_DEPTH) {
        search.cache.make_room();
        let mut values = Vec::with_capacity(roots.len());
        for (candidate, chosen) in &roots {
            values.push((*candidate, search.value_after(&start, chosen, depth, None)));
            if search.stopped {
                solution.nodes = search.nodes;
                return Some(solution);
            }
        }
        solution = search.solution(&start, values, depth);
        progress(&|| solution.clone());
        if solution.solved {
            break;
        }
    }
    Some(solution)
}

/// The legal candidates as moves of the search.
fn root_moves(
    position: &Position,
    lanes: &LaneGenerator,
    candidates: &[Candidate],
) -> Vec<(Candidate, EndgameMove)> {
    let root_move = |candidate: &Candidate| match &candidate.turn {
        Turn::Pass => Some((*candidate, EndgameMove::Pass)),
        Turn::Place(placement) => {
            position.examine(placement).ok()?;
            let play = lanes.lane_play(position.to_move(), placement, candidate.worth.points);
            Some((*candidate, EndgameMove::Play(play)))
        }
        // With an empty bag nothing can be exchanged, and the rules have no other turns.
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => None,
        Turn::Rearrange(_) | Turn::Edited(_) => None,
    };
    candidates.iter().filter_map(root_move).collect()
}
