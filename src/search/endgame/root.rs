//! The root of a two-player endgame: all candidates, searched depth by depth.
//!
//! Each root move is first searched with a null window against the value that it needs to be among
//! the requested lines, and with an open window only if it exceeds that value. After each depth the
//! moves are sorted for the next one. The tree below the root belongs to [`super::solver`].

use super::solver::{EndgameMove, INFINITE_VALUE, SearchValue, Solver, SolverWork};
use super::transposition::TranspositionTable;
use super::tuning::MAX_VARIATION_MOVES;
use crate::rules::{TieRule, Turn};
use crate::search::ranking::Candidate;
use crate::search::solve::Phase;
use crate::search::{Goal, Solution, SolveContext, SolvedLine, WinDrawLoss};

/// The root moves and their values so far.
pub(super) struct RootSearch<'a> {
    context: SolveContext<'a>,
    solver: Solver<'a>,
    /// In the order in which they are searched.
    moves: Vec<RootMove>,
    /// The last depth that was completed.
    depth: Option<u8>,
}

#[derive(Clone, Copy)]
struct RootMove {
    /// Its index among the candidates.
    candidate: usize,
    chosen: EndgameMove,
    value: SearchValue,
    /// Whether `value` is the value; else it is an upper bound of a move that is not among the
    /// best.
    is_value: bool,
}

impl<'a> RootSearch<'a> {
    pub fn new(context: SolveContext<'a>, mut solver: Solver<'a>) -> RootSearch<'a> {
        let seat = context.position.to_move();
        solver.limit_nodes(context.request.nodes);
        let root_move = |(index, candidate): (usize, &Candidate)| RootMove {
            candidate: index,
            chosen: match &candidate.turn {
                Turn::Place(placement) => {
                    let points = candidate.worth.points;
                    EndgameMove::Play(solver.lanes.lane_play(seat, placement, points))
                }
                _ => EndgameMove::Pass,
            },
            value: SearchValue {
                value: -INFINITE_VALUE,
                solved: false,
            },
            is_value: false,
        };
        let candidates = context.candidates.iter().enumerate();
        let moves = candidates.map(root_move).collect();
        RootSearch {
            context,
            solver,
            moves,
            depth: None,
        }
    }

    /// The root moves for a helper thread: each helper starts at another move.
    pub fn helper_moves(&self, helper: usize) -> Vec<EndgameMove> {
        let mut moves: Vec<EndgameMove> = self.moves.iter().map(|root| root.chosen).collect();
        let skipped = moves.len().min(1 + helper);
        moves.rotate_left(skipped % self.moves.len().max(1));
        moves
    }

    /// Searches all root moves to a depth. If the search is stopped, the moves searched by then
    /// keep their new values and the others their old ones.
    pub fn search_depth(&mut self, depth: u8) {
        let mut searched: Vec<RootMove> = Vec::with_capacity(self.moves.len());
        for at in 0..self.moves.len() {
            let root = self.moves[at];
            let alpha = self.value_to_exceed(&searched, &root);
            self.solver.lanes.trim_cache();
            let value = self.value(&root.chosen, depth - 1, alpha);
            if self.solver.is_stopped() {
                break;
            }
            searched.push(RootMove {
                value,
                is_value: value.value > alpha,
                ..root
            });
        }
        let is_complete = searched.len() == self.moves.len();
        // Without a new value for the first move, the best so far, no order can be given.
        if searched.is_empty() {
            return;
        }
        let unsearched = self.moves[searched.len()..].to_vec();
        searched.sort_by_key(|root| (!root.is_value, -root.value.value));
        searched.extend(unsearched);
        self.moves = searched;
        if is_complete {
            self.depth = Some(depth);
        }
    }

    /// The value that a move must exceed to be among the requested lines. A move that was requested
    /// by name, or forms an invalid word, always gets its own value.
    fn value_to_exceed(&self, searched: &[RootMove], root: &RootMove) -> i32 {
        let lines = self.context.request.lines.max(1);
        let candidate = |root: &RootMove| &self.context.candidates[root.candidate];
        if candidate(root).requested || !candidate(root).valid {
            return -INFINITE_VALUE;
        }
        let is_line = |root: &&RootMove| root.is_value && candidate(root).valid;
        let values = searched.iter().filter(is_line);
        let mut values: Vec<i32> = values.map(|root| root.value.value).collect();
        values.sort_unstable_by_key(|value| -value);
        values.get(lines - 1).copied().unwrap_or(-INFINITE_VALUE)
    }

    /// The value of a root move, exact if it exceeds `alpha`.
    fn value(&mut self, chosen: &EndgameMove, depth: u8, alpha: i32) -> SearchValue {
        let seat = self.context.position.to_move();
        let (lowest, beta) = self.window();
        if self.context.request.goal == Goal::Win {
            let alpha = alpha.max(lowest);
            return match alpha < beta {
                true => self.solver.value_after(seat, chosen, depth, alpha, beta),
                // Enough winning moves are known.
                false => SearchValue {
                    value: alpha,
                    solved: true,
                },
            };
        }
        if alpha > -INFINITE_VALUE {
            let value = self
                .solver
                .value_after(seat, chosen, depth, alpha, alpha + 1);
            if value.value <= alpha || self.solver.is_stopped() {
                return value;
            }
        }
        self.solver.value_after(seat, chosen, depth, alpha, beta)
    }

    /// The window of values that matter.
    pub fn window(&self) -> (i32, i32) {
        let needed = -2 * self.spread();
        match self.context.request.goal {
            Goal::Spread => (-INFINITE_VALUE, INFINITE_VALUE),
            Goal::Win => (needed - 1, needed + 1),
        }
    }

    /// The lead of the player to move, in points.
    fn spread(&self) -> i32 {
        let seat = self.context.position.to_move();
        (self.context.position.score(seat) - self.context.position.score(1 - seat)).0
    }

    /// Whether every root move is proved, so that a deeper search cannot change anything.
    fn is_proved(&self) -> bool {
        self.depth.is_some() && self.moves.iter().all(|root| root.value.solved)
    }

    /// Whether nothing is left to search: every move is proved, the search was stopped, or the
    /// depth limit is reached.
    pub fn is_done(&self) -> bool {
        let limit = self.context.request.depth;
        self.is_proved() || self.solver.is_stopped() || self.depth == limit
    }

    /// What is known now.
    pub fn solution(&mut self, table: &TranspositionTable) -> Solution {
        let mut left = self.context.request.lines.max(1);
        let is_shown = |root: &RootMove| {
            let candidate = &self.context.candidates[root.candidate];
            // A requested move with an invalid word takes no place among the best.
            let is_among_best = candidate.valid && left > 0;
            left -= usize::from(is_among_best);
            let is_searched = root.value.value > -INFINITE_VALUE;
            (is_among_best || candidate.requested) && is_searched
        };
        let moves = self.moves.iter().copied();
        let shown: Vec<RootMove> = moves.filter(is_shown).collect();
        let lines = shown.iter().zip(1..);
        let lines = lines.map(|(root, rank)| self.line(root, rank)).collect();
        let SolverWork {
            nodes,
            refuted_plays,
            ..
        } = self.solver.work();
        Solution {
            phase: Phase::TwoPlayerEndgame,
            lines,
            candidates: self.context.candidates.len(),
            nodes,
            refuted_plays,
            per_mille_full: table.per_mille_full(),
            solved: self.is_proved(),
        }
    }

    fn line(&mut self, root: &RootMove, rank: usize) -> SolvedLine {
        let (spread, goal) = (self.spread(), self.context.request.goal);
        let value = root.value.value;
        let (gain, result) = match goal {
            Goal::Spread => (value, None),
            Goal::Win => {
                let result = WinDrawLoss::from_spread(value + 2 * spread);
                (value.div_euclid(2), Some(result))
            }
        };
        let is_settled = self.is_proved() || goal == Goal::Spread;
        let exact = root.value.solved && root.is_value && is_settled;
        let tie = self.context.position.rules().tie;
        let win = match (result, WinDrawLoss::from_spread(gain + spread)) {
            _ if !exact => None,
            (Some(result), _) => Some(result.win_probability()),
            // The winner of equal scores depends on the scores before the settlement.
            (None, WinDrawLoss::Draw) if tie == TieRule::BeforeAdjustment => None,
            (None, result) => Some(result.win_probability()),
        };
        let variation = self.variation(&root.chosen);
        SolvedLine {
            gain: f64::from(gain),
            win,
            win_bounds: win.map_or((0.0, 1.0), |win| (win, win)),
            exact,
            depth: match exact {
                true => variation.len() as u8,
                false => self.depth.unwrap_or(0),
            },
            result,
            variation,
            ..SolvedLine::unknown(self.context.candidates[root.candidate], rank)
        }
    }

    /// The principal variation after a root move, as far as the table still holds it.
    fn variation(&mut self, first: &EndgameMove) -> Vec<Turn> {
        let mut seat = self.context.position.to_move();
        let mut next = Some(*first);
        let (mut turns, mut made) = (Vec::new(), Vec::new());
        while let Some(chosen) = next {
            turns.push(match &chosen {
                EndgameMove::Play(play) => Turn::Place(self.solver.lanes.placement(play)),
                EndgameMove::Pass => Turn::Pass,
            });
            let is_over = self.solver.settlement_after(seat, &chosen).is_some();
            if is_over || turns.len() >= MAX_VARIATION_MOVES {
                break;
            }
            made.push(self.solver.make_move(seat, &chosen));
            seat = 1 - seat;
            next = self.solver.stored_best(seat);
        }
        while let Some(undo) = made.pop() {
            self.solver.undo_move(undo);
        }
        turns
    }
}
