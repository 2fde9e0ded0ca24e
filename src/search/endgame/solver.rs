//! The search itself: principal variation search in which every value is what
//! the player on turn gains from here on, so that positions that differ only
//! in the score are one.

use super::table::{Bound, Entry, Table};
use crate::movegen::{Held, LanePlay, LaneSet, Lanes};
use smallvec::SmallVec;

/// A value and whether it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    pub value: i32,
    /// Whether every line on which it rests was played to the end.
    pub solved: bool,
}

pub const INFINITE: i32 = 30_000;

#[derive(Clone, Copy)]
struct Move {
    order: i32,
    /// Where its play is, or a pass.
    at: u32,
}

const PASS: u32 = u32::MAX;

pub struct Solver<'a> {
    pub lanes: Lanes<'a>,
    table: &'a Table,
    side: usize,
    win: bool,
    held: [Held; 2],
    board: u64,
    zeros: u8,
    passes: u8,
    limit: u8,
    counts_zero_plays: bool,
    pub nodes: u64,
    pub stats: [u64; 8],
    moves: Vec<Move>,
    stop: &'a dyn Fn() -> bool,
    pub stopped: bool,
}

impl<'a> Solver<'a> {
    pub fn new(lanes: Lanes<'a>, table: &'a Table, side: usize, win: bool, stop: &'a dyn Fn() -> bool) -> Solver<'a> {
        let held = [lanes.all(0), lanes.all(1)];
        Solver {
            lanes, table, side, win, held, board: 0, zeros: 0, passes: 0, limit: 6, counts_zero_plays: true,
            nodes: 0, stats: [0; 8], moves: Vec::new(), stop, stopped: false,
        }
    }

    fn unit(&self) -> i32 { if self.win { 2 } else { 1 } }

    /// The worth of what the tiles left over change.
    fn end(&self, points: i32) -> i32 {
        if self.win { 2 * points - points.signum() } else { points }
    }

    fn key(&self, seat: usize) -> u64 {
        let racks = self.lanes.rack_key(0, self.held[0]) ^ self.lanes.rack_key(1, self.held[1]).rotate_left(32);
        let state = (u64::from(self.zeros) << 8 | u64::from(self.passes) << 4 | seat as u64) + 1;
        self.board ^ racks.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    pub fn search(&mut self, seat: usize, depth: u8, alpha: i32, beta: i32) -> Score {
        self.nodes += 1;
        if self.nodes & 255 == 0 && (self.stop)() { self.stopped = true; }
        if self.stopped { return Score { value: 0, solved: false }; }
        let key = self.key(seat);
        let mut known = None;
        if let Some(entry) = self.table.get(key) {
            known = Some(entry.turn);
            if entry.solved || entry.depth >= depth {
                let value = i32::from(entry.value);
                let enough = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => value >= beta,
                    Bound::Upper => value <= alpha,
                };
                if enough {
                    self.stats[0] += 1;
                    return Score { value, solved: entry.solved };
                }
            }
        }
        self.lanes.update(seat);
        if depth == 0 {
            let score = self.playout(seat);
            if !self.stopped {
                self.store(key, score, Bound::Exact, 0, 0);
            }
            return score;
        }
        let unit = self.unit();
        let (held, other) = (self.held[seat], self.held[1 - seat]);
        let first = self.moves.len();
        let mut out = None;
        {
            let Solver { lanes, moves, .. } = self;
            lanes.plays(seat, held, |at, play| {
                if play.used == held {
                    if out.is_none_or(|(points, _)| play.points > points) {
                        out = Some((play.points, play.key));
                    }
                } else {
                    let order = play.points + lanes.value(seat, play.used);
                    moves.push(Move { order, at });
                }
            });
        }
        let other_value = self.lanes.value(1 - seat, other);
        let mut best = Score { value: -INFINITE, solved: true };
        let mut all_solved = true;
        let mut best_turn = 0;
        if let Some((points, key_of)) = out {
            best.value = unit * points + self.end(2 * other_value);
            best_turn = turn_of(key_of);
            if best.value >= beta {
                self.moves.truncate(first);
                self.stats[1] += 1;
                self.store(key, best, Bound::Lower, depth, best_turn);
                return best;
            }
        }
        let forced = self.moves.len() == first && out.is_none();
        self.moves.push(Move { order: -1000, at: PASS });
        // What the other could go out with, best first.
        self.lanes.update(1 - seat);
        let mut outs: SmallVec<[(i32, LaneSet); 32]> = SmallVec::new();
        let side = self.side;
        self.lanes.plays(1 - seat, other, |_, play| {
            if play.used == other { outs.push((play.points, play.lane_set(side))); }
        });
        outs.sort_unstable_by_key(|out| -out.0);
        if let Some(turn) = known {
            for m in &mut self.moves[first..] {
                let own = if m.at == PASS { 0 } else { turn_of(self.lanes.get(m.at).key) };
                if own == turn { m.order = i32::MAX; break; }
            }
        }
        let last = self.moves.len();
        self.moves[first..last].sort_unstable_by_key(|m| std::cmp::Reverse(m.order));
        let mut a = alpha.max(best.value);
        let mut searched = out.is_some();
        for at in first..last {
            let m = self.moves[at];
            let (zeros, passes) = (self.zeros, self.passes);
            let score = if m.at == PASS {
                self.zeros += 1; self.passes += 1;
                let score = if self.passes >= 2 || self.zeros >= self.limit {
                    Score { value: self.end(other_value - self.lanes.value(seat, held)), solved: true }
                } else if let Some((points, _)) = outs.first().filter(|(points, _)| {
                    -(unit * points + self.end(2 * self.lanes.value(seat, held))) <= a
                }) {
                    Score { value: -(unit * points + self.end(2 * self.lanes.value(seat, held))), solved: true }
                } else {
                    let depth = if forced { depth } else { depth - 1 };
                    self.child(seat, depth, a, beta, 0, !searched)
                };
                (self.zeros, self.passes) = (zeros, passes);
                score
            } else {
                let play: LanePlay = *self.lanes.get(m.at);
                let rest = self.lanes.rest(seat, held, play.used);
                let mut refuted = None;
                if let Some((points, _)) = outs.first() {
                    let own = self.end(2 * self.lanes.value(seat, rest));
                    let after = |points: i32| unit * play.points - (unit * points + own);
                    if after(*points) <= a {
                        let touched = self.lanes.touched(&play);
                        for (points, lane) in &outs {
                            if after(*points) > a { break; }
                            if lane & touched == 0 { refuted = Some(after(*points)); break; }
                        }
                    }
                }
                if let Some(value) = refuted {
                    self.stats[2] += 1;
                    Score { value, solved: true }
                } else {
                    self.board ^= play.key;
                    self.held[seat] = rest;
                    self.passes = 0;
                    self.zeros = if play.points == 0 && self.counts_zero_plays { zeros + 1 } else { 0 };
                    let gain = unit * play.points;
                    let score = if self.zeros >= self.limit {
                        Score { value: gain + self.end(other_value - self.lanes.value(seat, rest)), solved: true }
                    } else {
                        self.lanes.play(&play);
                        let score = self.child(seat, depth - 1, a, beta, gain, !searched);
                        self.lanes.take_back();
                        score
                    };
                    self.held[seat] = held;
                    self.board ^= play.key;
                    (self.zeros, self.passes) = (zeros, passes);
                    score
                }
            };
            if self.stopped { self.moves.truncate(first); return Score { value: 0, solved: false }; }
            searched = true;
            all_solved &= score.solved;
            if score.value > best.value {
                best = score;
                if score.value > alpha || best_turn == 0 {
                    best_turn = if m.at == PASS { 0 } else { turn_of(self.lanes.get(m.at).key) };
                }
                a = a.max(score.value);
                if score.value >= beta { break; }
            }
        }
        self.moves.truncate(first);
        let bound = if best.value >= beta { Bound::Lower } else if best.value > alpha { Bound::Exact } else { Bound::Upper };
        if bound != Bound::Lower { best.solved = all_solved; }
        self.store(key, best, bound, depth, best_turn);
        best
    }

    fn child(&mut self, seat: usize, depth: u8, a: i32, beta: i32, gain: i32, full: bool) -> Score {
        let other = 1 - seat;
        if !full && beta - a > 1 {
            let score = self.search(other, depth, gain - a - 1, gain - a);
            let value = gain - score.value;
            if value <= a || value >= beta || self.stopped { return Score { value, ..score }; }
        }
        let score = self.search(other, depth, gain - beta, gain - a);
        Score { value: gain - score.value, ..score }
    }

    fn store(&self, key: u64, score: Score, bound: Bound, depth: u8, turn: u32) {
        self.table.put(key, Entry { value: score.value as i16, bound, solved: score.solved, depth, turn });
    }

    /// Both play what looks best, to the end.
    fn playout(&mut self, seat: usize) -> Score {
        let (held, zeros, passes, board) = (self.held, self.zeros, self.passes, self.board);
        let unit = self.unit();
        let mut value = 0;
        let (mut sign, mut seat) = (1, seat);
        let mut made = 0;
        loop {
            self.lanes.update(seat);
            let own = self.held[seat];
            let other_value = self.lanes.value(1 - seat, self.held[1 - seat]);
            let mut best: Option<(i32, LanePlay)> = None;
            self.lanes.plays(seat, own, |_, play| {
                let worth = play.points + if play.used == own { 2 * other_value } else { self.lanes.value(seat, play.used) };
                if best.as_ref().is_none_or(|(most, _)| worth > *most) { best = Some((worth, *play)); }
            });
            if let Some((_, play)) = best {
                self.stats[3] += 1;
                value += sign * unit * play.points;
                if play.used == own {
                    value += sign * self.end(2 * other_value);
                    break;
                }
                self.held[seat] = self.lanes.rest(seat, own, play.used);
                self.passes = 0;
                self.zeros = if play.points == 0 { self.zeros + 1 } else { 0 };
                self.lanes.play(&play);
                made += 1;
            } else {
                self.zeros += 1;
                self.passes += 1;
            }
            if self.passes >= 2 || self.zeros >= self.limit {
                let own = self.lanes.value(seat, self.held[seat]);
                value += sign * self.end(other_value - own);
                break;
            }
            sign = -sign;
            seat = 1 - seat;
        }
        for _ in 0..made { self.lanes.take_back(); }
        (self.held, self.zeros, self.passes, self.board) = (held, zeros, passes, board);
        Score { value, solved: false }
    }
}

fn turn_of(key: u64) -> u32 { (key >> 32) as u32 | 1 }
