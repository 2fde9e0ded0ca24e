//! What a player who does not know the bag plays.
//!
//! [`WorldSolver::best_moves`] proves which moves have the highest win probability, by
//! branch and bound over all moves and worlds. [`WorldSolver::favourite`] estimates one
//! such move in two stages: greedy playouts screen the moves that look best, then quick
//! verdicts compare the survivors.

use super::greedy::win_by_spread;
use super::{BagMove, PlayerView, WorldSolver};
use crate::search::preendgame::Probability;
use crate::search::preendgame::tuning::*;
use crate::search::preendgame::worlds::{self, World};
use crate::seed::Seed;
use crate::tiles::TileCounts;
use std::cmp::Reverse;
use std::collections::HashMap;

impl WorldSolver<'_> {
    /// The moves with the highest win probability for a player who does not know the bag.
    pub(super) fn best_moves(&mut self, view: &PlayerView) -> Option<Vec<BagMove>> {
        let key = self.key(view);
        if let Some(best_moves) = self.best_moves.get(&key) {
            return Some(best_moves.clone());
        }
        let mut moves = self.ordered_moves(view, usize::MAX);
        // A good first move raises the bound, so the others are cut off early.
        let favourite = self.favourite(view)?;
        moves.insert(0, favourite);
        let mut best = -1.0;
        let mut best_moves: Vec<BagMove> = Vec::new();
        let mut losses = HashMap::new();
        for (index, mv) in moves.iter().enumerate() {
            if index > 0 && mv.is_same(&favourite) {
                continue;
            }
            let win = self.win_above(mv, view, best - PROBABILITY_TOLERANCE, &mut losses)?;
            let Some(win) = win else {
                continue;
            };
            if win > best + PROBABILITY_TOLERANCE {
                best_moves.clear();
                best = win;
            }
            best_moves.push(*mv);
            // Another move as good would win in every world too, with the same result.
            if best > 1.0 - PROBABILITY_TOLERANCE {
                break;
            }
        }
        self.best_moves.insert(key, best_moves.clone());
        Some(best_moves)
    }

    /// The win probability of a move over all worlds, or `Some(None)` if it is below
    /// `bound`. The worlds in which earlier moves lost most come first, because they cut off
    /// soonest; `losses` has the sums of these losses by content of the bag. `None` if nodes
    /// or time ran out.
    fn win_above(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        bound: Probability,
        losses: &mut HashMap<TileCounts, Probability>,
    ) -> Option<Option<Probability>> {
        let in_bag = |world: &World| {
            let mut bag = world.bag;
            bag.add_all(&world.drawn);
            bag
        };
        let draw_count = self.draw_count(mv, view);
        let mut worlds = worlds::all_worlds(&view.maybe_in_bag(), view.bag_count, draw_count);
        let lost_in = |world: &World| losses.get(&in_bag(world)).copied().unwrap_or(0.0);
        worlds.sort_by(|a, b| lost_in(b).total_cmp(&lost_in(a)));
        let total: f64 = worlds.iter().map(|world| world.weight as f64).sum();
        let mut lost = 0.0;
        for world in &worlds {
            let win = self.prove(mv, view, world)?;
            *losses.entry(in_bag(world)).or_default() += 1.0 - win;
            lost += (1.0 - win) * world.weight as f64;
            if 1.0 - lost / total < bound {
                return Some(None);
            }
        }
        Some(Some(1.0 - lost / total))
    }

    /// The move that seems to have the highest win probability for a player who does not
    /// know the bag.
    pub(super) fn favourite(&mut self, view: &PlayerView) -> Option<BagMove> {
        let key = self.key(view);
        if let Some(favourite) = self.favourites.get(&key) {
            return Some(*favourite);
        }
        let mut moves = self.ordered_moves(view, SCREENED_MOVES);
        moves.push(BagMove::Pass);
        let worlds = self.imagined_worlds(&moves, view, Seed(key));
        let mut screened: Vec<((Probability, f64), BagMove)> = Vec::with_capacity(moves.len());
        for mv in moves {
            let worlds = &worlds[self.draw_count(&mv, view)];
            screened.push((self.screen(&mv, view, worlds), mv));
            if !self
                .solver
                .may_continue(GREEDY_PLAYOUT_NODES * SCREENING_WORLDS)
            {
                return None;
            }
        }
        screened.sort_by(|((a, ease_a), _), ((b, ease_b), _)| {
            b.total_cmp(a).then(ease_b.total_cmp(ease_a))
        });
        let mut best: Option<(Probability, BagMove)> = None;
        for (_, mv) in screened.into_iter().take(COMPARED_MOVES) {
            let worlds = &worlds[self.draw_count(&mv, view)];
            let step = worlds.len().div_ceil(COMPARED_WORLDS);
            let (mut sum, mut total) = (0.0, 0.0);
            for world in worlds.iter().step_by(step) {
                sum += self.imagine(&mv, view, world)? * world.weight as f64;
                total += world.weight as f64;
            }
            if best.is_none_or(|(most, _)| sum / total > most) {
                best = Some((sum / total, mv));
            }
        }
        let (_, favourite) = best?;
        self.favourites.insert(key, favourite);
        Some(favourite)
    }

    /// The worlds in which the player compares moves, by draw count: all, or a sample if
    /// the bag can have more than [`MAX_LISTED_BAG_FILLS`] contents.
    fn imagined_worlds(
        &self,
        moves: &[BagMove],
        view: &PlayerView,
        seed: Seed,
    ) -> [Vec<World>; MAX_BAG + 1] {
        let (hidden, bag_count) = (&view.maybe_in_bag(), view.bag_count);
        let is_listed = worlds::count_subsets(hidden, bag_count) <= MAX_LISTED_BAG_FILLS;
        let mut worlds: [Vec<World>; MAX_BAG + 1] = Default::default();
        for draws in moves.iter().map(|mv| self.draw_count(mv, view)) {
            if worlds[draws].is_empty() {
                worlds[draws] = match is_listed {
                    true => worlds::all_worlds(hidden, bag_count, draws),
                    false => worlds::sample_worlds(hidden, bag_count, draws, COMPARED_WORLDS, seed),
                };
            }
        }
        worlds
    }

    /// The win probability that a player who does not know the bag expects of a move in a
    /// world: by a quick verdict if the move empties the bag, else by a greedy playout.
    pub(super) fn imagine(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        world: &World,
    ) -> Option<Probability> {
        if world.bag.is_empty() && !matches!(mv, BagMove::Exchange(_)) {
            let observation = self.observe(mv, view, world, IMAGINED_VERDICT_BUDGET);
            return observation.map(|observation| observation.probability());
        }
        let win = win_by_spread(self.greedy_spread(mv, view, world));
        self.solver
            .may_continue(GREEDY_PLAYOUT_NODES)
            .then_some(win)
    }

    /// The first `count` moves of a player by points and by the value of the tiles placed,
    /// the best first.
    fn ordered_moves(&mut self, view: &PlayerView, count: usize) -> Vec<BagMove> {
        let moves = self.all_moves(view);
        let lanes = &self.solver.lanes;
        let static_value = |mv: &BagMove| match mv {
            BagMove::Play(play) => play.points + lanes.tile_points(view.seat, play.used),
            _ => 0,
        };
        let ranked = moves.iter().enumerate();
        let mut order: Vec<(Reverse<i32>, usize)> = ranked
            .map(|(index, mv)| (Reverse(static_value(mv)), index))
            .collect();
        if count < order.len() {
            order.select_nth_unstable(count);
            order.truncate(count);
        }
        order.sort_unstable();
        order.into_iter().map(|(_, index)| moves[index]).collect()
    }

    /// All legal moves of a player.
    fn all_moves(&mut self, view: &PlayerView) -> Vec<BagMove> {
        let lanes = &mut self.solver.lanes;
        lanes.set_rack(view.seat, &view.rack);
        let all = lanes.full_rack(view.seat);
        lanes.update(view.seat, all);
        let mut moves = Vec::new();
        lanes.for_each_play(view.seat, all, |_, play| moves.push(BagMove::Play(*play)));
        let max_exchanged = match view.exchanged {
            true => 0,
            false => self.rules.exchange.max_tiles(view.bag_count),
        };
        let parts = view.rack.nonempty_subsets().into_iter();
        let exchanged = parts.filter(|part| part.len() <= max_exchanged);
        moves.extend(exchanged.map(BagMove::Exchange));
        moves.push(BagMove::Pass);
        moves
    }
}
