//! The search of two-player endgames: principal variation search with a transposition table.
//!
//! Principal variation search (Marsland and Campbell 1982) searches the first move with the full
//! window and the others with a null window, which only shows whether they are better. A value is
//! what the player to move gains from here on, so that positions that differ only in the scores
//! share one entry of the table.
//!
//! Three techniques make it fast:
//!
//! - Refutation by out-plays. If the opponent has an out-play and a move does not disturb it, the
//!   move is worth at most what remains after that out-play. Most moves are refuted in this way,
//!   without being made.
//! - Move ordering. The move stored in the table comes first; others follow by points, tiles
//!   placed, lanes in which the next play can go out, and the history heuristic.
//! - Plays are cached by lane ([`LaneGenerator`]), because a move changes only about a
//!   third of the lanes.
//!
//! The parts:
//!
//! - `moves`: moves, and how they are made and undone.
//! - `ordering`: the list of moves of a position and its order.
//! - `refutation`: refutation by out-plays.
//! - `search`: the recursion, playouts, and values from the table.
//!
//! A [`Solver`] belongs to one thread. It knows neither scores nor time: callers pass windows,
//! and a check that says when to stop.

mod moves;
mod ordering;
mod refutation;
mod search;

pub(crate) use moves::{EndgameMove, MoveUndo};
pub(super) use moves::{PASS_ID, play_id};

use super::transposition::TranspositionTable;
use super::tuning::{HISTORY_SLOTS, PLAYS_PER_NODE, PLAYS_PER_POLL_NODE, POLL_INTERVAL_NODES};
use crate::lexicon::Graph;
use crate::movegen::{ContinueCheck, LaneGenerator};
use crate::rules::flow::FlowRules;
use crate::rules::{Position, TieRule};
use crate::search::Goal;
use crate::tiles::TileCounts;
use moves::SolverState;
use ordering::OrderedMove;
use std::ops::AddAssign;

/// The work a solver has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolverWork {
    /// Positions searched.
    pub nodes: u64,
    /// Moves refuted by an out-play without a search.
    pub refuted_plays: u64,
    /// Plays generated.
    pub generated_plays: u64,
}

impl SolverWork {
    /// The number of positions that take the same time. Measured in this unit, 28 searches with
    /// one to seven tiles in the bag took 0.8 to 1.5 times their median time for a unit of work;
    /// in positions alone it was 0.45 to 5.7 times.
    pub fn equivalent_nodes(&self) -> u64 {
        self.nodes + self.generated_plays / PLAYS_PER_NODE
    }

    /// The work since it stood at `before`.
    #[must_use]
    pub fn since(&self, before: &SolverWork) -> SolverWork {
        SolverWork {
            nodes: self.nodes - before.nodes,
            refuted_plays: self.refuted_plays - before.refuted_plays,
            generated_plays: self.generated_plays - before.generated_plays,
        }
    }
}

impl AddAssign for SolverWork {
    fn add_assign(&mut self, more: SolverWork) {
        self.nodes += more.nodes;
        self.refuted_plays += more.refuted_plays;
        self.generated_plays += more.generated_plays;
    }
}

/// A value, and whether it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchValue {
    /// What the player to move gains, in units of the goal.
    pub value: i32,
    /// Whether every line on which it rests was played to the end of the game.
    pub solved: bool,
}

impl SearchValue {
    fn exact(value: i32) -> SearchValue {
        SearchValue {
            value,
            solved: true,
        }
    }

    /// What a stopped search returns. Callers do not use it.
    const NONE: SearchValue = SearchValue {
        value: 0,
        solved: false,
    };
}

/// More than any value; scores may be a million points apart.
pub(crate) const INFINITE_VALUE: i32 = 1 << 28;

/// A depth, in moves, that no endgame exceeds: four players have at most 36 plays, and at most
/// three passes come between two of them.
pub(crate) const FULL_DEPTH: u8 = 200;

/// A board, two racks, and the state of a search.
pub(crate) struct Solver<'a> {
    /// The board and the racks.
    pub lanes: LaneGenerator<'a>,
    table: &'a TranspositionTable,
    goal: Goal,
    state: SolverState,
    flow: FlowRules,
    tie: TieRule,
    /// A stack: the lists of moves of all positions on the current line.
    listed: Vec<OrderedMove>,
    /// Scores of the history heuristic, by seat and key of the play.
    history: Box<[i32]>,
    nodes: u64,
    refuted_plays: u64,
    /// The search stops when `nodes` exceeds this.
    max_nodes: u64,
    /// Changes the order of moves if it is not 0, so that helper threads search other lines.
    order_seed: u64,
    continue_check: ContinueCheck<'a>,
    /// Work since the last poll of `continue_check`, in nodes.
    unpolled_nodes: usize,
    stopped: bool,
}

impl<'a> Solver<'a> {
    /// For a position of two players. The search polls `continue_check` and stops if it says so.
    pub fn new(
        position: &Position,
        graph: &'a Graph,
        racks: &[TileCounts; 2],
        goal: Goal,
        table: &'a TranspositionTable,
        continue_check: ContinueCheck<'a>,
    ) -> Solver<'a> {
        let rules = position.rules();
        let lanes = LaneGenerator::new(rules, graph, position.grid(), racks)
            .with_continue_check(continue_check);
        let held = [lanes.full_rack(0), lanes.full_rack(1)];
        Solver {
            lanes,
            table,
            goal,
            state: SolverState {
                board: 0,
                held,
                scoreless: position.turn_state().scoreless,
                passes: 0,
            },
            flow: FlowRules::new(rules, 2),
            tie: rules.tie,
            listed: Vec::new(),
            history: vec![0; HISTORY_SLOTS].into_boxed_slice(),
            nodes: 0,
            refuted_plays: 0,
            max_nodes: u64::MAX,
            order_seed: 0,
            continue_check,
            unpolled_nodes: 0,
            stopped: false,
        }
    }

    /// Clears the table and the history, and trims the cache of plays if it is large.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.fill(0);
        self.lanes.trim_cache();
    }

    /// Gives both players other racks.
    pub fn set_racks(&mut self, racks: &[TileCounts; 2]) {
        for (seat, rack) in racks.iter().enumerate() {
            self.lanes.set_rack(seat, rack);
            self.state.held[seat] = self.lanes.full_rack(seat);
        }
    }

    /// Changes the order of moves a little, depending on the seed.
    pub fn perturb_ordering(&mut self, seed: u64) {
        self.order_seed = seed;
    }

    /// The work done so far.
    pub fn work(&self) -> SolverWork {
        SolverWork {
            nodes: self.nodes,
            refuted_plays: self.refuted_plays,
            generated_plays: self.lanes.generated_plays(),
        }
    }

    /// Allows this many nodes from now on, and clears the mark that the search was stopped.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.stopped = false;
        self.max_nodes = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
    }

    /// Whether the search was stopped. What it returned then means nothing.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether to go on after work elsewhere that took as long as `nodes` nodes.
    pub fn may_continue(&mut self, nodes: usize) -> bool {
        self.poll(nodes);
        !self.stopped
    }

    /// Counts a position that is searched elsewhere. Returns whether to go on.
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.max_nodes;
        self.may_continue(1)
    }

    /// Brings the list of plays of a seat up to date.
    fn update(&mut self, seat: usize) {
        let generated = self.lanes.update(seat, self.state.held[seat]);
        self.poll(generated / PLAYS_PER_POLL_NODE);
    }

    /// Adds work, and polls the stop condition if the last poll was long enough ago.
    fn poll(&mut self, nodes: usize) {
        self.stopped |= self.lanes.is_incomplete();
        self.unpolled_nodes += nodes;
        if self.unpolled_nodes >= POLL_INTERVAL_NODES {
            self.unpolled_nodes = 0;
            self.stopped |= !(self.continue_check)();
        }
    }
}
