//! The recursion of the principal variation search.

use super::moves::{MoveUndo, PASS_ID, play_id};
use super::ordering::OrderedMove;
use super::{EndgameMove, INFINITE_VALUE, SearchValue, Solver};
use crate::movegen::LanePlay;
use crate::search::endgame::transposition::{BoundKind, StoredValue};
use smallvec::SmallVec;

/// A position whose moves are searched.
struct Node {
    seat: usize,
    /// The depth for the positions after its moves.
    next_depth: u8,
    alpha: i32,
    beta: i32,
    /// Where its moves begin in the list.
    first: usize,
}

/// The best of some moves: its value and its identifier, 0 if there is none.
type BestMove = (SearchValue, u32);

impl Solver<'_> {
    /// The value of a position for the player on `seat`, who is to move: exact if it lies between
    /// `alpha` and `beta`, else a bound on the side where it lies. After `depth` moves both
    /// players play greedily.
    pub fn search(&mut self, seat: usize, depth: u8, alpha: i32, beta: i32) -> SearchValue {
        self.nodes += 1;
        self.poll(1);
        if self.stopped || self.nodes > self.max_nodes {
            self.stopped = true;
            return SearchValue::NONE;
        }
        // 1. The transposition table.
        let key = self.key(seat);
        let stored = self.table.get(key);
        if let Some(value) = stored.and_then(|stored| stored.cutoff(depth, alpha, beta)) {
            return value;
        }
        // 2. The depth limit.
        self.update(seat);
        if depth == 0 {
            let value = self.playout(seat);
            self.store(key, value, BoundKind::Exact, 0, 0);
            return value;
        }
        // 3. The best out-play: it ends the game, so that its value is exact.
        let first = self.listed.len();
        let margin = -beta / self.point_value();
        let out_play = self.list_plays(seat, margin);
        let mut best: BestMove = (SearchValue::exact(-INFINITE_VALUE), 0);
        if let Some(play) = out_play {
            let other = self.lanes.tile_points(1 - seat, self.state.held[1 - seat]);
            let value = self.point_value() * play.points + self.settlement_value(2 * other);
            best = (SearchValue::exact(value), play_id(&play));
            if value >= beta {
                self.listed.truncate(first);
                self.store(key, best.0, BoundKind::Lower, depth, best.1);
                return best.0;
            }
        }
        // 4. All other moves. A forced pass costs no depth: two of them end the game.
        let is_forced = self.listed.len() == first && out_play.is_none();
        self.listed.push(OrderedMove::PASS);
        self.put_first(first, stored.map_or(0, |stored| stored.best_id));
        let node = Node {
            seat,
            next_depth: if is_forced { depth } else { depth - 1 },
            alpha,
            beta,
            first,
        };
        let found = self.search_moves(&node, best);
        self.listed.truncate(first);
        let Some(((value, id), bound)) = found else {
            return SearchValue::NONE;
        };
        self.store(key, value, bound, depth, id);
        value
    }

    /// The best of the listed moves and `best`, which is known already. `None` if stopped.
    fn search_moves(&mut self, node: &Node, best: BestMove) -> Option<(BestMove, BoundKind)> {
        let &Node {
            seat,
            alpha,
            beta,
            first,
            ..
        } = node;
        let (mut best, mut best_id) = best;
        let out_plays = self.out_plays(1 - seat);
        let (mut sorted, mut all_solved) = (first, true);
        for place in first..self.listed.len() {
            if place == sorted {
                sorted = self.sort(place, place == first);
            }
            let chosen = self.listed_move(place);
            let low = alpha.max(best.value);
            let value = match self.refutation(&out_plays, seat, &chosen, low) {
                Some(bound) => {
                    self.refuted_plays += 1;
                    SearchValue::exact(bound)
                }
                None => self.search_move(node, &chosen, best.value),
            };
            if self.stopped {
                return None;
            }
            all_solved &= value.solved;
            if value.value > best.value {
                best = value;
                if value.value > alpha {
                    best_id = chosen.id();
                }
                if value.value >= beta {
                    self.learn(seat, first, place);
                    break;
                }
            }
        }
        let bound = match best.value {
            value if value >= beta => BoundKind::Lower,
            value if value > alpha => BoundKind::Exact,
            _ => BoundKind::Upper,
        };
        // A cutoff needs the proof of one move; that no move is better needs all proofs.
        if bound != BoundKind::Lower {
            best.solved = all_solved;
        }
        Some(((best, best_id), bound))
    }

    /// The value of a move by principal variation search: every move but the first has to beat the
    /// `best` so far in a null window before it is searched with the full one.
    fn search_move(&mut self, node: &Node, chosen: &EndgameMove, best: i32) -> SearchValue {
        let (seat, depth, beta) = (node.seat, node.next_depth, node.beta);
        let alpha = node.alpha.max(best);
        if best > -INFINITE_VALUE && beta - alpha > 1 {
            let value = self.value_after(seat, chosen, depth, alpha, alpha + 1);
            if value.value <= alpha || value.value >= beta || self.stopped {
                return value;
            }
        }
        self.value_after(seat, chosen, depth, alpha, beta)
    }

    /// The value of a move of the player on `seat`, with depth and window as for
    /// [`Solver::search`].
    pub fn value_after(
        &mut self,
        seat: usize,
        chosen: &EndgameMove,
        depth: u8,
        alpha: i32,
        beta: i32,
    ) -> SearchValue {
        let gain = self.point_value() * chosen.points();
        if let Some(settlement) = self.settlement_after(seat, chosen) {
            return SearchValue::exact(gain + settlement);
        }
        let undo = self.make_move(seat, chosen);
        let reply = self.search(1 - seat, depth, gain - beta, gain - alpha);
        self.undo_move(undo);
        SearchValue {
            value: gain - reply.value,
            ..reply
        }
    }

    /// The best move of a position that was searched, if the table still holds it.
    pub fn stored_best(&mut self, seat: usize) -> Option<EndgameMove> {
        let id = self.table.get(self.key(seat))?.best_id;
        if id == PASS_ID {
            return Some(EndgameMove::Pass);
        }
        let mut best = None;
        let held = self.state.held[seat];
        self.lanes.update(seat, held);
        self.lanes.for_each_play(seat, held, |_, play| {
            if play_id(play) == id {
                best = Some(EndgameMove::Play(*play));
            }
        });
        best
    }

    fn store(&self, key: u64, value: SearchValue, bound: BoundKind, depth: u8, best_id: u32) {
        // Larger values occur only on boards full of premium squares. They are searched again.
        let Ok(short) = i16::try_from(value.value) else {
            return;
        };
        if self.stopped {
            return;
        }
        let stored = StoredValue {
            value: short,
            bound,
            solved: value.solved,
            depth,
            best_id,
        };
        self.table.put(key, stored);
    }

    /// What the player on `seat`, who is to move, gains if both play greedily to the end.
    pub fn playout(&mut self, seat: usize) -> SearchValue {
        let mut made: SmallVec<[MoveUndo; 16]> = SmallVec::new();
        let (mut value, mut sign, mut seat) = (0, 1, seat);
        // It ends even if the search is stopped: an endgame has few moves.
        loop {
            let chosen = self.greedy(seat);
            value += sign * self.point_value() * chosen.points();
            if let Some(settlement) = self.settlement_after(seat, &chosen) {
                value += sign * settlement;
                break;
            }
            made.push(self.make_move(seat, &chosen));
            (sign, seat) = (-sign, 1 - seat);
        }
        while let Some(undo) = made.pop() {
            self.undo_move(undo);
        }
        SearchValue {
            value,
            solved: false,
        }
    }

    /// The greedy move: most points, counting the tiles that it does not leave over.
    fn greedy(&mut self, seat: usize) -> EndgameMove {
        self.count_node();
        self.update(seat);
        let Solver { lanes, state, .. } = self;
        let (held, other) = (state.held[seat], state.held[1 - seat]);
        let other = lanes.tile_points(1 - seat, other);
        let worth = |play: &LanePlay| match play.used == held {
            true => play.points + 2 * other,
            false => play.points + lanes.tile_points(seat, play.used),
        };
        let best = lanes.best(seat, held, worth);
        best.map_or(EndgameMove::Pass, EndgameMove::Play)
    }
}

impl StoredValue {
    /// The value, if a search with this depth and window could find out no more.
    fn cutoff(&self, depth: u8, alpha: i32, beta: i32) -> Option<SearchValue> {
        let value = i32::from(self.value);
        let is_enough = match self.bound {
            BoundKind::Exact => true,
            BoundKind::Lower => value >= beta,
            BoundKind::Upper => value <= alpha,
        };
        let is_deep = self.solved || self.depth >= depth;
        (is_enough && is_deep).then_some(SearchValue {
            value,
            solved: self.solved,
        })
    }
}
