//! Endgames: the bag is empty, so that every rack is known and values can be proved.
//!
//! [`solve`] is for two players. It searches the root moves by principal variation search with
//! iterative deepening: depths 1, 2 and 4 give an order of the moves, then one search goes to the
//! end of the game. `search::solve` calls it with all legal moves and gets the value, a proof
//! label and the principal variation of the best ones. It generates no root moves and chooses no
//! time request.
//!
//! - `solver`: the search of one position (principal variation search, transposition table,
//!   history heuristic, refutation by out-plays).
//! - `transposition`: the table, which any number of threads share.
//! - `quick_verdict`: who seems to win, at a cost of a few hundred nodes; used by simulations
//!   and pre-endgames.
//! - [`maxn`]: three and four players, target scores and missed turns.
//! - [`plain`]: the plain twin, which defines correct values.
//! - `tuning`: all tuning constants.

#[doc(hidden)]
pub mod maxn;
#[doc(hidden)]
pub mod plain;
pub(crate) mod quick_verdict;
mod root;
pub(crate) mod solver;
pub(crate) mod transposition;
mod tuning;

use super::{Solution, SolveContext, SolveProgress, TimeAdvice};
use crate::rules::{Feature, Position};
use crate::tiles::TileCounts;
use root::RootSearch;
use solver::{EndgameMove, FULL_DEPTH, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use transposition::TranspositionTable;
use tuning::SHALLOW_DEPTHS;

/// The racks of two players by seat, if the bag is empty. The unseen tiles are then one rack.
pub(crate) fn racks(position: &Position) -> Option<[TileCounts; 2]> {
    let is_endgame = position.player_count() == 2 && position.bag_len() == 0;
    let racks = position.leftover_racks().filter(|_| is_endgame)?;
    racks.try_into().ok()
}

/// The features of a game that the two-player solvers do not support.
const UNSUPPORTED: [Feature; 3] = [
    Feature::TargetScores,
    Feature::ManyPlayers,
    Feature::TurnsToMiss,
];

/// The features of a game that no solver supports. All solvers generate plays lane by lane from the
/// GADDAG, and words in any letter order have none.
const UNSUPPORTED_BY_ALL: [Feature; 1] = [Feature::AnyLetterOrder];

/// Whether some solver supports the rules in force.
pub(crate) fn is_solvable(position: &Position) -> bool {
    let features = position.rules().features();
    !features
        .iter()
        .any(|feature| UNSUPPORTED_BY_ALL.contains(feature))
}

/// Whether the two-player solvers support the rules in force.
pub(crate) fn is_supported(position: &Position) -> bool {
    let features = position.features();
    is_solvable(position) && !features.iter().any(|feature| UNSUPPORTED.contains(feature))
}

/// Solves a two-player endgame. `progress` is called after each depth. `None` if the position is not
/// a two-player endgame.
///
/// Other threads search the same root moves in other orders. They share nothing but the
/// transposition table (a lazy SMP search), so that only the first thread reports.
pub fn solve(context: SolveContext, progress: &mut SolveProgress) -> Option<Solution> {
    let SolveContext {
        position,
        graph,
        request,
        budget,
        ..
    } = context;
    let racks = racks(position).filter(|_| is_supported(position))?;
    let table = TranspositionTable::new(request.table_bytes);
    // More time changes little here, so the rest of a clock is kept for later moves.
    let may_continue = || {
        !matches!(
            budget.advice(),
            TimeAdvice::ContinueIfClose | TimeAdvice::Stop
        )
    };
    let is_done = AtomicBool::new(false);
    let helper_may_continue = || !is_done.load(Ordering::Relaxed) && may_continue();
    let new_solver = |check| Solver::new(position, graph, &racks, request.goal, &table, check);
    let mut root = RootSearch::new(context, new_solver(&may_continue));
    let depths = SHALLOW_DEPTHS.into_iter().chain([FULL_DEPTH]);
    let depths = depths.map(|depth| depth.min(request.depth.unwrap_or(FULL_DEPTH)));
    for depth in depths {
        let helpers = match depth == FULL_DEPTH {
            true => request.threads.max(1) - 1,
            false => 0,
        };
        std::thread::scope(|scope| {
            for helper in 0..helpers {
                let (moves, window) = (root.helper_moves(helper), root.window());
                let (new_solver, check) = (&new_solver, &helper_may_continue);
                let seat = position.to_move();
                scope.spawn(move || help(new_solver(check), seat, moves, window, helper));
            }
            root.search_depth(depth);
            is_done.store(true, Ordering::Relaxed);
        });
        let solution = root.solution(&table);
        progress(&|| solution.clone());
        if root.is_done() {
            break;
        }
    }
    Some(root.solution(&table))
}

/// Searches the root moves in another order, to fill the table for the first thread.
fn help(
    mut solver: Solver,
    seat: usize,
    moves: Vec<EndgameMove>,
    (mut alpha, beta): (i32, i32),
    helper: usize,
) {
    solver.perturb_ordering(helper as u64 + 1);
    for chosen in moves {
        let value = solver.value_after(seat, &chosen, FULL_DEPTH - 1, alpha, beta);
        alpha = alpha.max(value.value);
        if solver.is_stopped() || alpha >= beta {
            return;
        }
    }
}
