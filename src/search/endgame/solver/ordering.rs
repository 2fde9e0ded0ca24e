//! Move ordering: the list of moves of a position, the most promising first.
//!
//! The move that the transposition table holds comes first. Others follow by their points, the
//! tiles they place, the lanes in which another play would then go out, and the history
//! heuristic: plays that caused cutoffs elsewhere come earlier (Schaeffer 1983).

use super::moves::{PASS_ID, play_id};
use super::{EndgameMove, Solver};
use crate::movegen::{LanePlay, LaneSet};
use crate::rules::MAX_RACK;
use crate::search::endgame::tuning::*;
use std::cmp::Reverse;

/// A move in the list of a position.
#[derive(Clone, Copy)]
pub(super) struct OrderedMove {
    /// The higher, the earlier.
    order: i32,
    /// Its number in the order of generation. Of equals the later one comes first, so that the
    /// order does not depend on where plays are stored.
    generated: u16,
    /// Where the generator stores the play, or [`PASS`].
    at: u32,
}

impl OrderedMove {
    /// A pass, which comes last.
    pub const PASS: OrderedMove = OrderedMove {
        order: i32::MIN,
        generated: 0,
        at: PASS,
    };
}

/// In `at`: the move is a pass, not a stored play.
const PASS: u32 = u32::MAX;

impl Solver<'_> {
    /// Lists all plays but out-plays, of which only the best matters: it is returned. `margin` is
    /// what the player to move can give away and still cause a cutoff, in points.
    pub(super) fn list_plays(&mut self, seat: usize, margin: i32) -> Option<LanePlay> {
        let (lane_bonus, tile_bonus) = match margin > HURRY_MARGIN {
            true => (HURRY_OUT_LANE_BONUS, HURRY_TILE_BONUS),
            false => (OUT_LANE_BONUS, 0),
        };
        let Solver {
            lanes,
            listed,
            history,
            state,
            order_seed,
            ..
        } = self;
        let held = state.held[seat];
        let first = listed.len();
        let mut out_play: Option<LanePlay> = None;
        // By the tiles used: the lanes of all plays that use them.
        let mut lanes_by_tiles = [0 as LaneSet; 1 << MAX_RACK];
        lanes.for_each_play(seat, held, |at, play| {
            lanes_by_tiles[usize::from(play.used)] |= lanes.lane_bit(play);
            if play.used != held {
                let generated = (listed.len() - first) as u16;
                listed.push(OrderedMove {
                    order: 0,
                    generated,
                    at,
                });
            } else if out_play.is_none_or(|best| play.points > best.points) {
                out_play = Some(*play);
            }
        });
        for listed in &mut listed[first..] {
            let play = lanes.get(listed.at);
            let rest = lanes.remaining(seat, held, play.used);
            let out_lanes = match lanes_by_tiles[usize::from(rest)] {
                0 => 0,
                out_lanes => {
                    let untouched = out_lanes & !lanes.touched_lanes(play);
                    untouched.count_ones().min(MAX_OUT_LANES)
                }
            };
            // A tile on the rack at the end costs twice its value.
            let points = play.points + 2 * lanes.tile_points(seat, play.used);
            let bonus = lane_bonus * out_lanes as i32 + tile_bonus * play.tiles_used() as i32;
            listed.order =
                ORDER_UNITS_PER_POINT * (points + bonus) + history[history_slot(seat, play)];
            if *order_seed > 0 {
                listed.order += (play.key.wrapping_mul(*order_seed) >> 57) as i32;
            }
        }
        out_play
    }

    /// The move at a place of the list.
    pub(super) fn listed_move(&self, place: usize) -> EndgameMove {
        match self.listed[place].at {
            PASS => EndgameMove::Pass,
            at => EndgameMove::Play(*self.lanes.get(at)),
        }
    }

    /// Makes the move with this identifier the first of those listed from `first` on.
    pub(super) fn put_first(&mut self, first: usize, id: u32) {
        let Solver { listed, lanes, .. } = self;
        let is_wanted = |listed: &OrderedMove| match listed.at {
            PASS => id == PASS_ID,
            at => id == play_id(lanes.get(at)),
        };
        let mut moves = listed[first..].iter_mut().filter(|_| id != 0);
        if let Some(listed) = moves.find(|listed| is_wanted(listed)) {
            listed.order = i32::MAX;
        }
    }

    /// Sorts the moves listed from `from` on, or only the first [`FIRST_SORTED_MOVES`], since a
    /// cutoff mostly comes early. Returns the end of the sorted part.
    pub(super) fn sort(&mut self, from: usize, only_first: bool) -> usize {
        let moves = &mut self.listed[from..];
        let key = |listed: &OrderedMove| Reverse((listed.order, listed.generated));
        let sorted = match only_first && moves.len() > FIRST_SORTED_MOVES {
            true => moves.select_nth_unstable_by_key(FIRST_SORTED_MOVES, key).0,
            false => moves,
        };
        sorted.sort_unstable_by_key(key);
        from + sorted.len()
    }

    /// Updates the history: the move at `cutoff` caused a cutoff, those listed before it did not.
    pub(super) fn learn(&mut self, seat: usize, first: usize, cutoff: usize) {
        for place in first..=cutoff {
            let at = self.listed[place].at;
            if at == PASS {
                continue;
            }
            let history = &mut self.history[history_slot(seat, self.lanes.get(at))];
            // The change shrinks as the score approaches its limit.
            *history += match place == cutoff {
                true => HISTORY_REWARD * (HISTORY_LIMIT - *history) / HISTORY_LIMIT,
                false => -HISTORY_PENALTY * (HISTORY_LIMIT + *history) / HISTORY_LIMIT,
            };
        }
    }
}

fn history_slot(seat: usize, play: &LanePlay) -> usize {
    ((play.key << 1) as usize | seat) % HISTORY_SLOTS
}
