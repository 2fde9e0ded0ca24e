//! Endings: the bag is empty, so that all is known and values can be proved.
//!
//! [`solver`] searches, [`transposition`] remembers, [`maxn`] is for three and four
//! players and for games with targets, [`plain`] is the definition of correct.
//! Here the turns at the root are valued, one after the other: first to small
//! depths, which takes a moment and gives a good order, then to the end.

pub mod maxn;
pub mod plain;
pub mod quick_verdict;
pub mod solver;
pub mod transposition;

use super::ranking::Candidate;
use super::{Budget, TimeAdvice};
use crate::lexicon::Graph;
use crate::rules::{Position, Turn};
use crate::tiles::TileCounts;
use crate::units::Points;
use solver::{EndgameMove, FULL_DEPTH, Goal, INFINITE_VALUE, SearchValue, Solver, SolverWork};
use std::sync::atomic::{AtomicBool, Ordering};
use transposition::TranspositionTable;

/// What to find out, and with what.
#[derive(Clone, Debug)]
pub struct Request {
    /// How many of the best turns get an exact value, besides those asked for.
    pub lines: usize,
    /// What counts.
    pub goal: Goal,
    /// The most turns that are searched; after them both go on without search.
    pub depth: Option<u8>,
    /// The most positions searched.
    pub nodes: Option<u64>,
    /// How many threads to use.
    pub threads: usize,
    /// How many bytes the table takes.
    pub memory: usize,
}

/// A turn at the root and what it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The turn.
    pub candidate: Candidate,
    /// The final spread less the spread now, for the player on turn; with [`Goal::Win`] no more than a bound.
    pub value: Points,
    /// Whether that is proved.
    pub exact: bool,
    /// With [`Goal::Win`]: who wins.
    pub result: Option<WinDrawLoss>,
    /// How it goes on, from the turn itself on, as far as it is known.
    pub variation: Vec<Turn>,
}

/// How a game ends for the player on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WinDrawLoss {
    /// Another wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// This one wins.
    Win,
}

impl WinDrawLoss {
    /// For one who is so much ahead at the end.
    pub fn from_spread(spread: i32) -> WinDrawLoss {
        match spread.signum() {
            1 => WinDrawLoss::Win,
            0 => WinDrawLoss::Draw,
            _ => WinDrawLoss::Loss,
        }
    }

    /// What it counts: a draw is half a win.
    pub fn win_probability(self) -> f64 {
        match self {
            WinDrawLoss::Win => 1.0,
            WinDrawLoss::Draw => 0.5,
            WinDrawLoss::Loss => 0.0,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The best turns, the best first, and those asked for.
    pub lines: Vec<Line>,
    /// How deep all turns were searched.
    pub depth: u8,
    /// Positions searched.
    pub nodes: u64,
    /// Positions decided by a look at how the other player goes out.
    pub looks: u64,
    /// How many of a thousand slots of the table are in use.
    pub per_mille_full: usize,
    /// Whether all that was asked for is proved.
    pub solved: bool,
}

/// The racks of two players by seat, if the bag is empty and both are known: what is unseen, one of them has.
pub fn racks(position: &Position) -> Option<[TileCounts; 2]> {
    let all_held = position.player_count() == 2 && position.bag_len() == 0;
    let racks = position.leftover_racks().filter(|_| all_held)?;
    racks.try_into().ok()
}

/// Whether [`solve`] can do it: two players, no targets, and nobody has to miss a turn.
pub fn is_plain(position: &Position) -> bool {
    let rules = position.rules();
    position.player_count() == 2
        && rules.targets.is_empty()
        && position
            .turn_order()
            .all(|seat| position.lost_turns(seat) == 0)
}

/// Depths searched before the end of the game: they take a moment, and what
/// they find first is mostly right. Deeper ones would only be searched again.
const FIRST: [u8; 3] = [1, 2, 4];

/// Values the candidates, which are all turns of an ending that count, in the
/// order of what they are worth without search. `progress` is shown what is
/// known after each depth.
pub fn solve(
    position: &Position,
    graph: &Graph,
    candidates: &[Candidate],
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&Found),
) -> Option<Found> {
    let racks = racks(position).filter(|_| is_plain(position))?;
    let table = TranspositionTable::new(request.memory);
    // What is left of a clock is better kept for later: here more time changes little.
    let patience = || {
        !matches!(
            budget.advice(),
            TimeAdvice::ContinueIfClose | TimeAdvice::Stop
        )
    };
    let done = AtomicBool::new(false);
    let goes_on = || !done.load(Ordering::Relaxed) && patience();
    let make = |patience| Solver::new(position, graph, &racks, request.goal, &table, patience);
    let mut root = RootSearch::new(position, candidates, request, make(&patience));
    let depths = FIRST.into_iter().chain([FULL_DEPTH]);
    let depths = depths.map(|depth| depth.min(request.depth.unwrap_or(FULL_DEPTH)));
    for depth in depths {
        let is_last = depth == FULL_DEPTH;
        let helpers = if is_last {
            request.threads.max(1) - 1
        } else {
            0
        };
        std::thread::scope(|scope| {
            for helper in 0..helpers {
                let (order, make, goes_on) = (root.steps(helper), &make, &goes_on);
                let window = root.window();
                scope.spawn(move || help(make(goes_on), position.to_move(), order, window, helper));
            }
            root.iterate(depth);
            done.store(true, Ordering::Relaxed);
        });
        progress(&root.found(&table));
        if root.is_proved() || root.solver.is_stopped() || root.depth == request.depth {
            break;
        }
    }
    Some(root.found(&table))
}

/// Searches the same turns in another order, for what that leaves in the table.
fn help(
    mut solver: Solver,
    seat: usize,
    order: Vec<EndgameMove>,
    (mut low, high): (i32, i32),
    helper: usize,
) {
    solver.perturb_ordering(helper as u64 + 1);
    for step in order {
        let score = solver.value_after(seat, &step, FULL_DEPTH - 1, low, high);
        low = low.max(score.value);
        if solver.is_stopped() || low >= high {
            return;
        }
    }
}

/// The turns at the root.
struct RootSearch<'a> {
    position: &'a Position,
    candidates: &'a [Candidate],
    request: &'a Request,
    solver: Solver<'a>,
    /// In the order in which they are searched.
    turns: Vec<RootMove>,
    /// How deep all of them were searched.
    depth: Option<u8>,
}

#[derive(Clone, Copy)]
struct RootMove {
    /// Its place among the candidates.
    at: usize,
    step: EndgameMove,
    score: SearchValue,
    /// Whether the score is the value and not just a bound for one that is not among the best.
    is_value: bool,
}

impl<'a> RootSearch<'a> {
    fn new(
        position: &'a Position,
        candidates: &'a [Candidate],
        request: &'a Request,
        mut solver: Solver<'a>,
    ) -> RootSearch<'a> {
        let seat = position.to_move();
        solver.limit_nodes(request.nodes);
        let turn = |(at, candidate): (usize, &Candidate)| {
            let step = match &candidate.turn {
                Turn::Place(placement) => {
                    let points = candidate.worth.points;
                    EndgameMove::Play(solver.lanes_mut().lane_play(seat, placement, points))
                }
                _ => EndgameMove::Pass,
            };
            RootMove {
                at,
                step,
                score: SearchValue {
                    value: -INFINITE_VALUE,
                    solved: false,
                },
                is_value: false,
            }
        };
        let turns = candidates.iter().enumerate().map(turn).collect();
        RootSearch {
            position,
            candidates,
            request,
            solver,
            turns,
            depth: None,
        }
    }

    /// The turns in order, but for a few that a helper starts with.
    fn steps(&self, helper: usize) -> Vec<EndgameMove> {
        let mut steps: Vec<EndgameMove> = self.turns.iter().map(|turn| turn.step).collect();
        let few = steps.len().min(1 + helper);
        steps.rotate_left(few % self.turns.len().max(1));
        steps
    }

    /// Searches all turns to a depth. If there is no time for that, what was found counts where it is better.
    fn iterate(&mut self, depth: u8) {
        let seat = self.position.to_move();
        let mut searched: Vec<RootMove> = Vec::with_capacity(self.turns.len());
        for at in 0..self.turns.len() {
            let turn = self.turns[at];
            let low = self.lowest(&searched, &turn);
            self.solver.lanes_mut().trim_cache();
            let score = self.value(seat, &turn.step, depth - 1, low);
            if self.solver.is_stopped() {
                break;
            }
            searched.push(RootMove {
                score,
                is_value: score.value > low,
                ..turn
            });
        }
        let complete = searched.len() == self.turns.len();
        // Without the first, which was the best so far, nothing can be said.
        if searched.is_empty() {
            return;
        }
        let rest = self.turns[searched.len()..].to_vec();
        let key = |turn: &RootMove| (!turn.is_value, -turn.score.value);
        searched.sort_by_key(key);
        searched.extend(rest);
        self.turns = searched;
        if complete {
            self.depth = Some(depth);
        }
    }

    /// What a turn must be worth more than to be among the lines.
    fn lowest(&self, searched: &[RootMove], turn: &RootMove) -> i32 {
        let lines = self.request.lines.max(1);
        let asked = |turn: &RootMove| self.candidates[turn.at].requested;
        let valid = |turn: &RootMove| self.candidates[turn.at].valid;
        if asked(turn) || !valid(turn) {
            return -INFINITE_VALUE;
        }
        let values = searched.iter().filter(|turn| turn.is_value && valid(turn));
        let mut values: Vec<i32> = values.map(|turn| turn.score.value).collect();
        values.sort_unstable_by_key(|value| -value);
        values.get(lines - 1).copied().unwrap_or(-INFINITE_VALUE)
    }

    /// What a turn is worth, as far as it is more than `low`.
    fn value(&mut self, seat: usize, step: &EndgameMove, depth: u8, low: i32) -> SearchValue {
        let (lowest, high) = self.window();
        if self.request.goal == Goal::Win {
            let low = low.max(lowest);
            return match low < high {
                true => self.solver.value_after(seat, step, depth, low, high),
                // One that wins is enough.
                false => SearchValue {
                    value: low,
                    solved: true,
                },
            };
        }
        if low > -INFINITE_VALUE {
            let score = self.solver.value_after(seat, step, depth, low, low + 1);
            if score.value <= low || self.solver.is_stopped() {
                return score;
            }
        }
        self.solver.value_after(seat, step, depth, low, high)
    }

    /// Values that matter lie between these.
    fn window(&self) -> (i32, i32) {
        let needed = -2 * self.spread();
        match self.request.goal {
            Goal::Spread => (-INFINITE_VALUE, INFINITE_VALUE),
            Goal::Win => (needed - 1, needed + 1),
        }
    }

    /// What the player on turn leads by.
    fn spread(&self) -> i32 {
        let seat = self.position.to_move();
        (self.position.score(seat) - self.position.score(1 - seat)).0
    }

    /// Whether every line is proved: then no depth can change anything.
    fn is_proved(&self) -> bool {
        self.depth.is_some() && self.turns.iter().all(|turn| turn.score.solved)
    }

    fn found(&mut self, table: &TranspositionTable) -> Found {
        let SolverWork {
            nodes,
            refuted_plays: looks,
            ..
        } = self.solver.work();
        let mut left = self.request.lines.max(1);
        let shown = |turn: &RootMove| {
            let candidate = &self.candidates[turn.at];
            // One that was asked for takes no other's place if it is not valid.
            let is_among_best = candidate.valid && left > 0;
            left -= usize::from(is_among_best);
            // Where there was no time to search a turn there is nothing to tell.
            (is_among_best || candidate.requested) && turn.score.value > -INFINITE_VALUE
        };
        let turns = self.turns.iter().copied();
        let shown: Vec<RootMove> = turns.filter(shown).collect();
        let solved = self.is_proved();
        let lines = shown.iter().map(|turn| self.line(turn, solved)).collect();
        Found {
            lines,
            depth: self.depth.unwrap_or(0),
            nodes,
            looks,
            per_mille_full: table.per_mille_full(),
            solved,
        }
    }

    fn line(&mut self, turn: &RootMove, solved: bool) -> Line {
        let spread = self.spread();
        let value = turn.score.value;
        let (value, result) = match self.request.goal {
            Goal::Spread => (value, None),
            Goal::Win => {
                let result = WinDrawLoss::from_spread(value + 2 * spread);
                (value.div_euclid(2), Some(result))
            }
        };
        Line {
            candidate: self.candidates[turn.at],
            value: Points(value),
            exact: turn.score.solved
                && turn.is_value
                && (solved || self.request.goal == Goal::Spread),
            result,
            variation: self.variation(&turn.step),
        }
    }

    /// How it goes on after a turn, as far as the table knows.
    fn variation(&mut self, first: &EndgameMove) -> Vec<Turn> {
        let mut seat = self.position.to_move();
        let mut next = Some(*first);
        let (mut turns, mut taken) = (Vec::new(), Vec::new());
        while let Some(step) = next {
            turns.push(match &step {
                EndgameMove::Play(play) => Turn::Place(self.solver.lanes_mut().placement(play)),
                EndgameMove::Pass => Turn::Pass,
            });
            if self.solver.settlement_after(seat, &step).is_some() || turns.len() >= LONGEST {
                break;
            }
            taken.push(self.solver.make_move(seat, &step));
            seat = 1 - seat;
            next = self.solver.stored_best(seat);
        }
        while let Some(taken) = taken.pop() {
            self.solver.undo_move(taken);
        }
        turns
    }
}

/// No variation is told further: a table can be wrong about what follows, and even go round.
const LONGEST: usize = 40;
