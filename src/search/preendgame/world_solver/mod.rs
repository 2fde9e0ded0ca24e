//! The world solver: one candidate in one world, as a quick verdict or as a proof.
//!
//! Once the bag is empty both players know all tiles, and the endgame solver decides. Until
//! then a player chooses by what that player knows: every subset of the unseen tiles that
//! has the size of the bag, without the tiles that the opponent is known to hold, is equally
//! likely to be the bag. At each position, a proof assumes
//! that whoever is to move there chooses a move with the highest win probability by that
//! player's knowledge, and among equal ones the move that does best with the real bag
//! ([`opponent`]). A quick verdict replaces that choice by a comparison of a few moves in a
//! few worlds. After an exchange nobody exchanges until tiles are placed, because some rules
//! would allow exchanges for ever.
//!
//! The solver knows nothing of other candidates, priors or scheduling.

mod greedy;
mod opponent;

use super::Probability;
use super::tuning::MAX_CACHED_CHOICES;
use super::worlds::{self, World, without};
use crate::movegen::LanePlay;
use crate::rules::{End, RuleSet, Turn, flow};
use crate::search::WinDrawLoss;
use crate::search::endgame::quick_verdict::{
    Assessment, QuickVerdict, VerdictBudget, playout_win_probability,
};
use crate::search::endgame::solver::{EndgameMove, FULL_DEPTH, Solver};
use crate::search::ranking::Candidate;
use crate::tiles::{Tile, TileCounts};
use std::collections::HashMap;

/// A move while tiles are in the bag.
#[derive(Clone, Copy, Debug)]
pub(super) enum BagMove {
    /// Tiles placed.
    Play(LanePlay),
    /// Tiles returned to the bag.
    Exchange(TileCounts),
    /// Nothing.
    Pass,
}

impl BagMove {
    fn is_same(&self, other: &BagMove) -> bool {
        match (self, other) {
            (BagMove::Play(a), BagMove::Play(b)) => a.key == b.key,
            (BagMove::Exchange(a), BagMove::Exchange(b)) => a == b,
            (BagMove::Pass, BagMove::Pass) => true,
            _ => false,
        }
    }

    fn points(&self) -> i32 {
        match self {
            BagMove::Play(play) => play.points,
            _ => 0,
        }
    }

    fn tiles_placed(&self) -> usize {
        match self {
            BagMove::Play(play) => play.tiles_used(),
            _ => 0,
        }
    }
}

/// What the player to move knows beyond the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayerView {
    /// The seat of the player to move.
    pub seat: usize,
    /// The rack of this player.
    pub rack: TileCounts,
    /// The tiles in the bag and on the opponent's rack.
    pub unseen: TileCounts,
    /// By seat: tiles on the rack that the opponent knows.
    pub shown: [TileCounts; 2],
    /// How many of them are in the bag.
    pub bag_count: usize,
    /// The lead of this player, in points.
    pub lead: i32,
    /// Whether a player exchanged since tiles were last placed.
    pub exchanged: bool,
}

impl PlayerView {
    /// The tiles that may be in the bag: all but those that the opponent is known to hold.
    pub fn maybe_in_bag(&self) -> TileCounts {
        without(&self.unseen, &self.shown[1 - self.seat])
    }
}

/// What the search of one cell showed, for the player who made the move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Observation {
    /// The win probability is proved.
    Proof(Probability),
    /// The quick verdict of an endgame that was not proved.
    Verdict(QuickVerdict),
    /// The final spread if both play greedily from the endgame on, in points.
    GreedyPlayout(f64),
    /// Tiles stay in the bag: the win probability if the opponent plays the move that looks
    /// best.
    Modelled(Probability),
}

impl Observation {
    /// Whether it decides the world, as far as quick search can tell.
    pub fn is_decisive(self) -> bool {
        match self {
            Observation::Verdict(verdict) => verdict.is_decisive(),
            _ => true,
        }
    }

    /// The win probability where nothing else is known.
    fn probability(self) -> Probability {
        match self {
            Observation::Proof(win) | Observation::Modelled(win) => win,
            Observation::Verdict(verdict) => verdict.win_probability(),
            Observation::GreedyPlayout(spread) => playout_win_probability(spread),
        }
    }
}

/// Works out what moves lead to.
pub(super) struct WorldSolver<'a> {
    /// The endgame solver, which also holds the board.
    pub solver: Solver<'a>,
    rules: &'a RuleSet,
    /// The best moves of positions with tiles in the bag, by [`WorldSolver::key`].
    best_moves: HashMap<u64, Vec<BagMove>>,
    /// The moves that look best in these positions.
    favourites: HashMap<u64, BagMove>,
    /// The node count at which the attempt ends.
    end_node: u64,
}

impl<'a> WorldSolver<'a> {
    /// `solver` must have the goal to win.
    pub fn new(solver: Solver<'a>, rules: &'a RuleSet) -> WorldSolver<'a> {
        WorldSolver {
            solver,
            rules,
            best_moves: HashMap::new(),
            favourites: HashMap::new(),
            end_node: u64::MAX,
        }
    }

    /// The move of a candidate; the player at `seat` holds the rack of the root.
    pub fn candidate_move(&self, candidate: &Candidate, seat: usize) -> BagMove {
        match &candidate.turn {
            Turn::Place(placement) => {
                let points = candidate.worth.points;
                BagMove::Play(self.solver.lanes.lane_play(seat, placement, points))
            }
            Turn::Exchange(tiles) => BagMove::Exchange(*tiles),
            // The rules of a pre-endgame have no other turns.
            _ => BagMove::Pass,
        }
    }

    /// Begins an attempt that may search `nodes` nodes.
    pub fn start(&mut self, nodes: u64) {
        self.solver.lanes.trim_cache();
        self.solver.limit_nodes(Some(nodes));
        self.end_node = self.solver.work().nodes.saturating_add(nodes);
        if self.best_moves.len() + self.favourites.len() > MAX_CACHED_CHOICES {
            self.best_moves.clear();
            self.favourites.clear();
        }
    }

    /// How many tiles a player draws after a move.
    pub fn draw_count(&self, mv: &BagMove, view: &PlayerView) -> usize {
        match mv {
            BagMove::Play(play) => {
                let kept = view.rack.len() - play.tiles_used();
                (self.rules.rack_size - kept).min(view.bag_count)
            }
            BagMove::Exchange(tiles) => tiles.len(),
            BagMove::Pass => 0,
        }
    }

    /// Proves the win probability of a move in a world. `None` if nodes or time ran out.
    pub fn prove(&mut self, mv: &BagMove, view: &PlayerView, world: &World) -> Option<Probability> {
        let win = self.after(mv, view, world, WorldSolver::prove_position);
        win.map(|win| 1.0 - win)
    }

    /// Gives a quick verdict on a move in a world. While tiles are in the bag the opponent
    /// considers only a few moves. `None` if nodes or time ran out.
    pub fn observe(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        world: &World,
        budget: VerdictBudget,
    ) -> Option<Observation> {
        self.after(mv, view, world, |solver, next, bag, is_over| {
            solver.observe_position(next, bag, is_over, budget)
        })
    }

    /// Makes a move in a world, calls `then` and takes the move back. `then` gets the view
    /// of the next player, the real content of the bag, and whether the move ended the
    /// game.
    fn after<T>(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        world: &World,
        then: impl FnOnce(&mut WorldSolver<'a>, &PlayerView, &TileCounts, bool) -> T,
    ) -> T {
        let (next, bag) = self.next_view(mv, view, world);
        let is_pass = matches!(mv, BagMove::Pass);
        let is_over = self.solver.ends_game(view.seat, mv.points(), is_pass);
        let taken = match mv {
            BagMove::Play(play) => self.solver.make_move(view.seat, &EndgameMove::Play(*play)),
            BagMove::Pass => self.solver.make_move(view.seat, &EndgameMove::Pass),
            BagMove::Exchange(_) => self.solver.make_exchange(view.seat),
        };
        let found = then(self, &next, &bag, is_over);
        self.solver.undo_move(taken);
        found
    }

    /// What the next player knows after a move in a world, and what is really in the bag.
    fn next_view(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        world: &World,
    ) -> (PlayerView, TileCounts) {
        let (mut own, returned) = self.split_rack(mv, view);
        let mut shown = view.shown;
        let own_shown = &mut shown[view.seat];
        match mv {
            BagMove::Pass => {}
            // Nobody sees which tiles return to the bag.
            BagMove::Exchange(_) => *own_shown = TileCounts::EMPTY,
            BagMove::Play(_) if own_shown.is_empty() => {}
            BagMove::Play(_) => *own_shown = own_shown.lacking_in(&without(&view.rack, &own)),
        }
        own.add_all(&world.drawn);
        let mut bag = world.bag;
        bag.add_all(&returned);
        let rack = without(&without(&view.unseen, &world.drawn), &world.bag);
        let mut unseen = own;
        unseen.add_all(&bag);
        let next = PlayerView {
            seat: 1 - view.seat,
            rack,
            unseen,
            shown,
            bag_count: bag.len(),
            lead: -(view.lead + mv.points()),
            exchanged: match mv {
                BagMove::Play(_) => false,
                BagMove::Exchange(_) => true,
                BagMove::Pass => view.exchanged,
            },
        };
        (next, bag)
    }

    /// The tiles that stay on the rack, and those that return to the bag.
    fn split_rack(&mut self, mv: &BagMove, view: &PlayerView) -> (TileCounts, TileCounts) {
        match mv {
            BagMove::Play(play) => {
                let lanes = &mut self.solver.lanes;
                lanes.set_rack(view.seat, &view.rack);
                let used = lanes.tiles(view.seat, play.used);
                (without(&view.rack, &used), TileCounts::EMPTY)
            }
            BagMove::Exchange(tiles) => (without(&view.rack, tiles), *tiles),
            BagMove::Pass => (view.rack, TileCounts::EMPTY),
        }
    }

    /// Proves the win probability of the player to move, with this content of the bag.
    fn prove_position(
        &mut self,
        view: &PlayerView,
        bag: &TileCounts,
        is_over: bool,
    ) -> Option<Probability> {
        let opponent = without(&view.unseen, bag);
        if is_over {
            return Some(self.settled_result(view, &opponent).win_probability());
        }
        if bag.is_empty() {
            return self
                .prove_endgame(view, &opponent)
                .map(WinDrawLoss::win_probability);
        }
        if !self.solver.count_node() {
            return None;
        }
        // The player chooses without knowing the bag; the result is that of the real bag.
        let mut best: Option<Probability> = None;
        for mv in self.best_moves(view)? {
            let win = self.mean_over_draws(&mv, view, bag, WorldSolver::prove)?;
            best = Some(best.map_or(win, |best| best.max(win)));
        }
        best
    }

    /// Gives a quick verdict for the player who is not to move, with this content of the
    /// bag.
    fn observe_position(
        &mut self,
        view: &PlayerView,
        bag: &TileCounts,
        is_over: bool,
        budget: VerdictBudget,
    ) -> Option<Observation> {
        let opponent = without(&view.unseen, bag);
        if is_over || view.rack.is_empty() || opponent.is_empty() {
            let result = self.settled_result(view, &opponent);
            return Some(Observation::Proof(1.0 - result.win_probability()));
        }
        if bag.is_empty() {
            return self.observe_endgame(view, &opponent, budget);
        }
        let mv = self.favourite(view)?;
        let win = self.mean_over_draws(&mv, view, bag, WorldSolver::imagine)?;
        Some(Observation::Modelled(1.0 - win))
    }

    /// Averages `probability` of a move over all draws from a known bag.
    fn mean_over_draws(
        &mut self,
        mv: &BagMove,
        view: &PlayerView,
        bag: &TileCounts,
        probability: impl Fn(&mut WorldSolver<'a>, &BagMove, &PlayerView, &World) -> Option<Probability>,
    ) -> Option<Probability> {
        let (mut sum, mut total) = (0.0, 0.0);
        for (drawn, ways) in worlds::subsets(bag, self.draw_count(mv, view)) {
            let world = World::new(bag, drawn, ways);
            sum += probability(self, mv, view, &world)? * ways as f64;
            total += ways as f64;
        }
        Some(sum / total)
    }

    /// Proves who wins an endgame. `None` if nodes or time ran out.
    fn prove_endgame(&mut self, view: &PlayerView, opponent: &TileCounts) -> Option<WinDrawLoss> {
        if view.rack.is_empty() || opponent.is_empty() {
            return Some(self.settled_result(view, opponent));
        }
        self.hold(view, opponent);
        let needed = -2 * view.lead;
        let score = self
            .solver
            .search(view.seat, FULL_DEPTH, needed - 1, needed + 1);
        (!self.solver.is_stopped()).then(|| WinDrawLoss::from_spread(score.value - needed))
    }

    /// Gives a quick verdict on an endgame for the player who is not to move.
    fn observe_endgame(
        &mut self,
        view: &PlayerView,
        opponent: &TileCounts,
        budget: VerdictBudget,
    ) -> Option<Observation> {
        self.hold(view, opponent);
        let left = self.end_node.saturating_sub(self.solver.work().nodes);
        let seen = self.solver.assess(view.seat, view.lead, budget, left);
        // The verdict sets limits of its own. What follows may use all nodes that are left.
        let left = self.end_node.saturating_sub(self.solver.work().nodes);
        self.solver.limit_nodes(Some(left));
        match seen? {
            Assessment::Proved(result) => Some(Observation::Proof(result.win_probability())),
            Assessment::PlayedOut(spread) => Some(Observation::GreedyPlayout(spread)),
            Assessment::Searched(verdict) => (left > 0).then_some(Observation::Verdict(verdict)),
        }
    }

    /// Who wins if the game ends now.
    fn settled_result(&mut self, view: &PlayerView, opponent: &TileCounts) -> WinDrawLoss {
        WinDrawLoss::from_spread(self.settled_value(view, opponent))
    }

    /// The final spread if the game ends now, as a value of `Goal::Win`.
    fn settled_value(&mut self, view: &PlayerView, opponent: &TileCounts) -> i32 {
        let value = |tiles: &TileCounts| self.rules.tiles.total_value(tiles).0;
        let (own, others) = (value(&view.rack), value(opponent));
        let end = match (view.rack.is_empty(), opponent.is_empty()) {
            (true, _) => End::Out(view.seat),
            (_, true) => End::Out(1 - view.seat),
            _ => End::Scoreless,
        };
        let change = flow::settlement_spread(end, view.seat, own, others);
        2 * view.lead + self.rules.tie.doubled_settlement(change)
    }

    /// Gives both players their racks in the endgame solver.
    fn hold(&mut self, view: &PlayerView, opponent: &TileCounts) {
        let mut racks = [*opponent; 2];
        racks[view.seat] = view.rack;
        self.solver.set_racks(&racks);
    }

    /// A hash of all that the player to move knows.
    fn key(&mut self, view: &PlayerView) -> u64 {
        let lanes = &mut self.solver.lanes;
        lanes.set_rack(view.seat, &view.rack);
        let all = lanes.full_rack(view.seat);
        let rack = lanes.rack_key(view.seat, all);
        let rest = u64::from(view.exchanged) << 1 | view.seat as u64;
        let rest = u64::from(view.lead as u32) << 2 | rest;
        let [first, second] = view.shown.map(|shown| hash(&shown));
        let shown = first ^ second.rotate_left(32);
        self.solver.board_key() ^ rack.rotate_left(17) ^ rest.wrapping_mul(GOLDEN) ^ shown
    }
}

/// 2^64 divided by the golden ratio: the multiplier of Fibonacci hashing.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash of tiles; 0 for none.
fn hash(tiles: &TileCounts) -> u64 {
    let add =
        |hash: u64, tile: Tile| (hash.wrapping_add(tile.number() as u64 + 1)).wrapping_mul(GOLDEN);
    tiles.iter().fold(0, add)
}
