//! Pre-endgames: one to seven tiles in the bag. Finds the move that wins most often.
//!
//! The technique is a best-first search for proofs over determinizations, directed by a
//! statistical model. [`solve`] takes a position, its candidates and their priors from a
//! simulation. It reports an ordered list of candidates with win probabilities, bounds and
//! labels. `search::solve` calls it; it knows no protocol and chooses no time limits.
//!
//! # One search, end to end
//!
//! 1. **Worlds** (`worlds`). The player to move does not know which unseen tiles are in
//!    the bag; tiles that are known to be on the opponent's rack are not. A world is one
//!    assignment: the tiles drawn after the move, and the tiles that stay in the bag. For
//!    each number of tiles drawn (the draw count), all worlds are listed with their
//!    weights. If there are too many they are sampled, and then nothing is labelled as
//!    proved.
//! 2. **Candidates** (`prior`). Each candidate has a prior: the win probability and gain in
//!    spread from a short simulation. The first 48 candidates (or all simulated ones, if
//!    they are more) are open: they are searched from the start. Others are opened when it
//!    pays.
//! 3. **Cells** (`ledger`). A cell is one candidate in one world. If the candidate empties
//!    the bag, both players know all tiles afterwards, and the cell is an endgame that can
//!    be proved won, drawn or lost. If tiles stay in the bag, the opponent chooses without
//!    knowing them.
//! 4. **Observations** (`world_solver`). A thread works on one cell at a time, with more
//!    nodes at each attempt level: first quick verdicts, later proofs. A proof settles the
//!    cell. A quick verdict is an observation with a known likelihood ratio of won against
//!    lost endgames.
//! 5. **Model** (`model`, `log_odds`). Cells without a proof are estimated. The log-odds of
//!    a win is the strength of the candidate plus the effect of the bag. A strength starts
//!    at the prior, corrected for the bias that simulation shows for this draw count, and
//!    moves with the results of the candidate. So each result also informs about other
//!    worlds and other candidates.
//! 6. **Scheduling** (`scheduler`, `value_of_information`). The next cell belongs to the
//!    candidate with the highest value of information (how likely and how far another
//!    result moves it past the leader) per expected work, which the search measures itself.
//! 7. **Stopping** (`candidate_table`). Each candidate has bounds: proved wins, and one
//!    minus proved losses. The choice is settled when no upper bound exceeds the leader's
//!    lower bound. Work then goes to candidates that win as often and gain more spread. The
//!    search also ends with the budget or the work limit.
//! 8. **Labels** (`report`). A win probability is exact if all worlds of the candidate are
//!    proved, otherwise it is an estimate. The result is solved if no other legal move can
//!    win more often.
//!
//! Estimates decide only the order of the work and of candidates without proofs; `plain`
//! holds the definition of the proved values, and tests compare both. All constants are in
//! `tuning`.

mod candidate_table;
mod ledger;
mod log_odds;
mod model;
#[doc(hidden)]
pub mod plain;
mod prior;
mod report;
mod scheduler;
mod tuning;
mod value_of_information;
mod world_solver;
mod worlds;

pub use prior::Prior;
pub use tuning::MAX_BAG;
pub use worlds::World;

use super::endgame;
use super::endgame::solver::Solver;
use super::endgame::transposition::TranspositionTable;
use super::{Goal, Solution, SolveContext, SolveProgress};
use crate::lexicon::Graph;
use crate::movegen::possible_words;
use crate::rules::Position;
use crate::tiles::TileCounts;
use scheduler::{NextAction, Scheduler};
use std::sync::{Mutex, PoisonError};
use tuning::{IDLE_WAIT, MAX_WORD_SEARCH_TIME, WORD_SEARCH_TIME_DIVISOR};
use world_solver::{PlayerView, WorldSolver};

/// A win probability from 0 to 1; a drawn game counts one half.
pub(crate) type Probability = f64;

/// The result of a candidate in one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOutcome {
    /// The tiles drawn after the move, and those that stay in the bag.
    pub world: World,
    /// The win probability, proved or estimated.
    pub win: Probability,
    /// Whether it is proved.
    pub exact: bool,
}

/// Whether [`solve`] handles the position: rules that the endgame solver supports, 1 to
/// [`MAX_BAG`] tiles in the bag, and the rack of the player to move known. The opponent's rack
/// may be unknown, partly known or known.
pub(crate) fn is_supported(position: &Position) -> bool {
    endgame::is_supported(position)
        && (1..=MAX_BAG).contains(&position.bag_len())
        && position.mover_rack().unknown == 0
        && !position.mover_rack().is_empty()
}

/// Orders the candidates of a position by their win probability. The candidates come in the
/// order of their static equity, the simulated ones first. `progress` may ask for the state
/// after each attempt. Returns `None` if `is_supported` does not hold or there are no
/// candidates.
pub fn solve(context: SolveContext, progress: &mut SolveProgress) -> Option<Solution> {
    let SolveContext {
        position,
        request,
        budget,
        ..
    } = context;
    if !is_supported(position) || context.candidates.is_empty() {
        return None;
    }
    let table = TranspositionTable::new(request.table_bytes);
    let patience = || budget.may_continue();
    let seat = position.to_move();
    let mut shown = [TileCounts::EMPTY; 2];
    shown[1 - seat] = position.rack(1 - seat).known;
    let view = PlayerView {
        seat,
        rack: position.mover_rack().known,
        unseen: tiles_of_others(position),
        shown,
        bag_count: position.bag_len(),
        lead: (position.score(seat) - position.score(1 - seat)).0,
        exchanged: false,
    };
    let racks = [view.rack, view.rack];
    let pruned = pruned_graph(&context);
    let graph = pruned.as_ref().unwrap_or(context.graph);
    let new_solver = || {
        let solver = Solver::new(position, graph, &racks, Goal::Win, &table, &patience);
        WorldSolver::new(solver, position.rules())
    };
    let scheduler = Scheduler::new(&context, &view, &new_solver());
    let scheduler = Mutex::new(scheduler);
    let work = |progress: &mut SolveProgress| {
        let mut solver = new_solver();
        loop {
            let next = lock(&scheduler).next(budget);
            let task = match next {
                NextAction::Solve(task) => task,
                NextAction::Wait => {
                    std::thread::sleep(IDLE_WAIT);
                    continue;
                }
                NextAction::Stop => break,
            };
            let before = solver.solver.work();
            let observation = task.run(&mut solver, &view);
            let after = solver.solver.work();
            let mut scheduler = lock(&scheduler);
            scheduler.enter(&task, observation, after.since(&before));
            progress(&|| scheduler.solution(request.lines_with_draws));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..request.threads.max(1) {
            scope.spawn(|| work(&mut |_| {}));
        }
        work(progress);
    });
    let solution = lock(&scheduler).solution(request.lines_with_draws);
    Some(Solution {
        per_mille_full: table.per_mille_full(),
        ..solution
    })
}

/// The graph of the words that can still be formed, if it is found within a small part of
/// the time.
fn pruned_graph(context: &SolveContext) -> Option<Graph> {
    let SolveContext {
        position, graph, ..
    } = context;
    let mut pool = tiles_of_others(position);
    pool.add_all(&position.mover_rack().known);
    let budget = context
        .budget
        .fraction(WORD_SEARCH_TIME_DIVISOR, MAX_WORD_SEARCH_TIME);
    let may_continue = || budget.may_continue();
    possible_words(
        position.rules(),
        graph,
        position.grid(),
        &pool,
        &may_continue,
    )
}

/// The tiles in the bag and on the opponent's rack.
fn tiles_of_others(position: &Position) -> TileCounts {
    let mut tiles = *position.unseen();
    tiles.add_all(&position.rack(1 - position.to_move()).known);
    tiles
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
