//! What a turn leads to in one world: a guess, or a proof.
//!
//! Once the bag is empty both players know everything, and an ending is
//! solved. Until then the player on turn goes by what he knows: of what he
//! has not seen, every part is as likely to be in the bag as any other. He
//! takes the turn with the largest share of wins, and of several such turns
//! the one that is worst for the other. After an exchange nobody exchanges
//! until tiles are placed: by some rules that could go on for ever.

use super::MAX_BAG;
use super::worlds::{self, World};
use crate::movegen::LanePlay;
use crate::rules::{ExchangeLimit, RuleSet, Turn};
use crate::search::endgame::WinDrawLoss;
use crate::search::endgame::quick_verdict::{
    Assessment, PlayoutUse, QuickVerdict, VerdictBudget, playout_win_probability,
};
use crate::search::endgame::solver::{EndgameMove, FULL_DEPTH, Solver};
use crate::search::ranking::Candidate;
use crate::seed::Seed;
use crate::tiles::TileCounts;
use crate::units::logistic;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A turn before the bag is empty.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// Tiles placed.
    Play(LanePlay),
    /// Tiles put back.
    Exchange(TileCounts),
    /// Nothing.
    Pass,
}

/// What a player on turn knows, and what the board does not tell.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Who is on turn.
    pub seat: usize,
    /// The tiles of this player.
    pub rack: TileCounts,
    /// All others that are not on the board.
    pub unseen: TileCounts,
    /// How many of those are in the bag.
    pub bag: usize,
    /// What this player leads by.
    pub lead: i32,
    /// Whether someone exchanged since tiles were placed.
    pub exchanged: bool,
}

/// A share of all worlds: won ones count whole and drawn ones half.
pub type Probability = f64;

/// Shares that differ by less are the same: they are sums of fractions.
const SAME: Probability = 1e-9;

/// Works out what turns lead to.
pub struct Judge<'a> {
    /// What solves endings.
    pub solver: Solver<'a>,
    rules: &'a RuleSet,
    /// The best turns of positions with tiles in the bag.
    chosen: HashMap<u64, Vec<Move>>,
    /// What looks best in such positions.
    favourites: HashMap<u64, Move>,
    /// So many nodes may be searched.
    end: u64,
}

/// What a look at a world shows, for the player who took the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    /// It is proved.
    Proof(Probability),
    /// An ending that was not proved.
    Ending(QuickVerdict),
    /// An ending that was only played out: how many points he is ahead then.
    Played(f64),
    /// There are tiles in the bag, and it was played on for what seems best.
    Seems(Probability),
}

impl Sight {
    /// Whether it decides the world, as far as can be seen.
    pub fn tells(self) -> bool {
        match self {
            Sight::Proof(_) | Sight::Seems(_) | Sight::Played(_) => true,
            Sight::Ending(glimpse) => glimpse.is_decisive(),
        }
    }

    /// What it says of the share of wins.
    pub fn share(self) -> Probability {
        match self {
            Sight::Proof(share) | Sight::Seems(share) => share,
            Sight::Ending(glimpse) => glimpse.win_probability(),
            Sight::Played(ahead) => playout_win_probability(ahead),
        }
    }
}

impl<'a> Judge<'a> {
    /// By a solver that asks who wins.
    pub fn new(solver: Solver<'a>, rules: &'a RuleSet) -> Judge<'a> {
        Judge {
            solver,
            rules,
            chosen: HashMap::new(),
            favourites: HashMap::new(),
            end: u64::MAX,
        }
    }

    /// A candidate as a turn before the bag is empty; the player holds the root's rack.
    pub fn mover(&self, candidate: &Candidate, seat: usize) -> Move {
        match &candidate.turn {
            Turn::Place(placement) => {
                let points = candidate.worth.points;
                Move::Play(self.solver.lanes().lane_play(seat, placement, points))
            }
            Turn::Exchange(tiles) => Move::Exchange(*tiles),
            Turn::ExchangeUnseen(_) | Turn::Pass => Move::Pass,
        }
    }

    /// Starts on something else, with so many nodes for it.
    pub fn start(&mut self, nodes: u64) {
        self.solver.lanes_mut().trim_cache();
        self.solver.limit_nodes(Some(nodes));
        self.end = self.solver.work().nodes.saturating_add(nodes);
        if self.chosen.len() + self.favourites.len() > MOST_CHOSEN {
            self.chosen.clear();
            self.favourites.clear();
        }
    }

    /// All turns of a player on turn.
    fn moves(&mut self, info: &Info) -> Vec<Move> {
        let lanes = self.solver.lanes_mut();
        lanes.set_rack(info.seat, &info.rack);
        let all = lanes.full_rack(info.seat);
        lanes.update(info.seat, all);
        let mut moves = Vec::new();
        lanes.for_each_play(info.seat, all, |_, play| moves.push(Move::Play(*play)));
        let most = match self.rules.exchange {
            _ if info.exchanged => 0,
            ExchangeLimit::BagHolds(least) if info.bag < least => 0,
            _ => info.bag.min(info.rack.len()),
        };
        let parts = info.rack.nonempty_subsets().into_iter();
        let exchanged = parts.filter(|part| !part.is_empty() && part.len() <= most);
        moves.extend(exchanged.map(Move::Exchange));
        moves.push(Move::Pass);
        moves
    }

    /// How many tiles a turn draws.
    pub fn draws(&self, mover: &Move, info: &Info) -> usize {
        match mover {
            Move::Play(play) => {
                let left = info.rack.len() - play.tiles_used();
                (self.rules.rack_size - left).min(info.bag)
            }
            Move::Exchange(tiles) => tiles.len(),
            Move::Pass => 0,
        }
    }

    /// The tiles kept, and those that go back to the bag.
    fn kept(&mut self, mover: &Move, info: &Info) -> (TileCounts, TileCounts) {
        let mut kept = info.rack;
        match mover {
            Move::Play(play) => {
                let lanes = self.solver.lanes_mut();
                lanes.set_rack(info.seat, &info.rack);
                let used = lanes.tiles(info.seat, play.used);
                let taken = kept.take_all(&used);
                debug_assert!(taken.is_ok());
                (kept, TileCounts::EMPTY)
            }
            Move::Exchange(tiles) => {
                let taken = kept.take_all(tiles);
                debug_assert!(taken.is_ok());
                (kept, *tiles)
            }
            Move::Pass => (kept, TileCounts::EMPTY),
        }
    }

    /// What the next player knows after a turn in a world, and what is really in the bag.
    fn next(&mut self, mover: &Move, info: &Info, world: &World) -> (Info, TileCounts) {
        let (mut own, back) = self.kept(mover, info);
        own.add_all(&world.drawn);
        let mut bag = world.bag;
        bag.add_all(&back);
        let mut rack = info.unseen;
        let drawn = rack.take_all(&world.drawn).and(rack.take_all(&world.bag));
        debug_assert!(drawn.is_ok());
        let mut unseen = own;
        unseen.add_all(&bag);
        let next = Info {
            seat: 1 - info.seat,
            rack,
            unseen,
            bag: bag.len(),
            lead: -(info.lead + mover.points()),
            exchanged: match mover {
                Move::Play(_) => false,
                Move::Exchange(_) => true,
                Move::Pass => info.exchanged,
            },
        };
        (next, bag)
    }

    /// What holds after a turn in a world, for the next player: by what he
    /// knows, what is really in the bag, and whether the turn was the last.
    fn after<T>(
        &mut self,
        mover: &Move,
        info: &Info,
        world: &World,
        what: impl FnOnce(&mut Judge<'a>, &Info, &TileCounts, bool) -> T,
    ) -> T {
        let (next, bag) = self.next(mover, info, world);
        let is_last = self.is_last(mover);
        let taken = match mover {
            Move::Play(play) => self.solver.make_move(info.seat, &EndgameMove::Play(*play)),
            Move::Pass => self.solver.make_move(info.seat, &EndgameMove::Pass),
            Move::Exchange(_) => self.solver.make_exchange(),
        };
        let found = what(self, &next, &bag, is_last);
        self.solver.undo_move(taken);
        found
    }

    /// What the player on turn has of a turn in a world. `None` if there was no time to prove it.
    pub fn prove(&mut self, mover: &Move, info: &Info, world: &World) -> Option<Probability> {
        let share = self.after(mover, info, world, Judge::share);
        share.map(|share| 1.0 - share)
    }

    /// Looks at what a turn leads to in a world. As long as there are tiles in
    /// the bag the other considers only what looks best. `None` if there was no time.
    pub fn look(
        &mut self,
        mover: &Move,
        info: &Info,
        world: &World,
        effort: VerdictBudget,
    ) -> Option<Sight> {
        self.after(mover, info, world, |judge, next, bag, is_over| {
            judge.sight(next, bag, is_over, effort)
        })
    }

    /// What is seen by the one who has taken a turn, where the other is on turn and this is in the bag.
    fn sight(
        &mut self,
        info: &Info,
        bag: &TileCounts,
        is_over: bool,
        effort: VerdictBudget,
    ) -> Option<Sight> {
        let other = without(&info.unseen, bag);
        if is_over || info.rack.is_empty() || other.is_empty() {
            return Some(Sight::Proof(
                1.0 - self.left_over(info, &other).win_probability(),
            ));
        }
        if bag.is_empty() {
            return self.glimpse(info, &other, effort);
        }
        let mover = self.favourite(info)?;
        let seems = self.average(&mover, info, bag, Judge::seems)?;
        Some(Sight::Seems(1.0 - seems))
    }

    /// What is seen of an ending by the one who is not on turn.
    fn glimpse(&mut self, info: &Info, other: &TileCounts, effort: VerdictBudget) -> Option<Sight> {
        self.hold(info, other);
        let left = self.end.saturating_sub(self.solver.work().nodes);
        let seen = self.solver.assess(info.seat, info.lead, effort, left);
        // What comes next has all that is left.
        let left = self.end.saturating_sub(self.solver.work().nodes);
        self.solver.limit_nodes(Some(left));
        match seen? {
            Assessment::Proved(result) => Some(Sight::Proof(result.win_probability())),
            Assessment::PlayedOut(ahead) => Some(Sight::Played(ahead)),
            Assessment::Searched(glimpse) => (left > 0).then_some(Sight::Ending(glimpse)),
        }
    }

    /// What the player on turn seems to have of a turn in a world.
    fn seems(&mut self, mover: &Move, info: &Info, world: &World) -> Option<Probability> {
        if world.bag.is_empty() && !matches!(mover, Move::Exchange(_)) {
            return self.look(mover, info, world, IMAGINARY).map(Sight::share);
        }
        let guess = self.guess(mover, info, world);
        self.solver.may_continue(8).then(|| chance(guess))
    }

    /// The turn that seems to have the largest share of wins, for one who does not know the bag.
    fn favourite(&mut self, info: &Info) -> Option<Move> {
        let key = self.key(info);
        if let Some(favourite) = self.favourites.get(&key) {
            return Some(*favourite);
        }
        let mut moves = self.ordered(info, SIFTED);
        moves.push(Move::Pass);
        let is_few = worlds::count(&info.unseen, info.bag) <= MOST_LISTED;
        let list = |draws: usize| match is_few {
            true => worlds::all(&info.unseen, info.bag, draws),
            false => worlds::any(&info.unseen, info.bag, draws, IMAGINED, Seed(key)),
        };
        // By how many tiles are drawn.
        let mut worlds: [Option<Vec<World>>; MAX_BAG + 1] = Default::default();
        for draws in moves.iter().map(|mover| self.draws(mover, info)) {
            worlds[draws].get_or_insert_with(|| list(draws));
        }
        let worlds = |draws: usize| worlds[draws].as_deref().unwrap_or_default();
        let mut sifted: Vec<((Probability, f64), Move)> = Vec::with_capacity(moves.len());
        for mover in moves {
            let draws = self.draws(&mover, info);
            sifted.push((self.guess_all(&mover, info, worlds(draws)), mover));
            if !self.solver.may_continue(8 * GUESSED) {
                return None;
            }
        }
        sifted.sort_by(|((a, more), _), ((b, less), _)| b.total_cmp(a).then(less.total_cmp(more)));
        let mut best: Option<(Probability, Move)> = None;
        for (_, mover) in sifted.into_iter().take(CONSIDERED) {
            let worlds = worlds(self.draws(&mover, info));
            let step = worlds.len().div_ceil(IMAGINED);
            let (mut sum, mut all) = (0.0, 0.0);
            for world in worlds.iter().step_by(step) {
                sum += self.seems(&mover, info, world)? * world.weight as f64;
                all += world.weight as f64;
            }
            if best.is_none_or(|(most, _)| sum / all > most) {
                best = Some((sum / all, mover));
            }
        }
        let (_, favourite) = best?;
        self.favourites.insert(key, favourite);
        Some(favourite)
    }

    /// What the player on turn has of a world, where this is in the bag.
    fn share(&mut self, info: &Info, bag: &TileCounts, is_over: bool) -> Option<Probability> {
        let other = without(&info.unseen, bag);
        if is_over {
            return Some(self.left_over(info, &other).win_probability());
        }
        if bag.is_empty() {
            return self.ending(info, &other).map(WinDrawLoss::win_probability);
        }
        if !self.solver.count_node() {
            return None;
        }
        // He cannot know what is in the bag; but we want to know what comes of what he does.
        let mut worst: Option<Probability> = None;
        for mover in self.choices(info)? {
            let share = self.average(&mover, info, bag, Judge::prove)?;
            worst = Some(worst.map_or(share, |worst| worst.max(share)));
        }
        worst
    }

    /// What a turn is worth if the bag is known, over all ways to draw from it, of which `of` tells the share.
    fn average(
        &mut self,
        mover: &Move,
        info: &Info,
        bag: &TileCounts,
        of: impl Fn(&mut Judge<'a>, &Move, &Info, &World) -> Option<Probability>,
    ) -> Option<Probability> {
        let (mut sum, mut all) = (0.0, 0.0);
        for (drawn, ways) in worlds::parts(bag, self.draws(mover, info)) {
            let world = World::new(bag, drawn, ways);
            sum += of(self, mover, info, &world)? * ways as f64;
            all += ways as f64;
        }
        Some(sum / all)
    }

    /// The turns with the largest share of wins, for one who does not know the bag.
    fn choices(&mut self, info: &Info) -> Option<Vec<Move>> {
        let key = self.key(info);
        if let Some(chosen) = self.chosen.get(&key) {
            return Some(chosen.clone());
        }
        let mut moves = self.ordered(info, usize::MAX);
        // With a good one first, the others are soon seen to be worse.
        let favourite = self.favourite(info)?;
        moves.insert(0, favourite);
        let mut best = -1.0;
        let mut chosen: Vec<Move> = Vec::new();
        let mut losses = HashMap::new();
        for (at, mover) in moves.iter().enumerate() {
            if at > 0 && mover.is(&favourite) {
                continue;
            }
            let share = self.share_above(mover, info, best - SAME, &mut losses)?;
            let Some(share) = share else {
                continue;
            };
            if share > best + SAME {
                chosen.clear();
                best = share;
            }
            chosen.push(*mover);
            // Whatever is as good wins in every world too: there is nothing to choose.
            if best > 1.0 - SAME {
                break;
            }
        }
        self.chosen.insert(key, chosen.clone());
        Some(chosen)
    }

    /// So many turns of a player on turn, those that look best at first sight, the best first.
    fn ordered(&mut self, info: &Info, most: usize) -> Vec<Move> {
        let moves = self.moves(info);
        let lanes = self.solver.lanes();
        let worth = |mover: &Move| match mover {
            Move::Play(play) => play.points + lanes.tile_points(info.seat, play.used),
            _ => 0,
        };
        let ranked = moves.iter().enumerate();
        let mut order: Vec<(Reverse<i32>, usize)> = ranked
            .map(|(at, mover)| (Reverse(worth(mover)), at))
            .collect();
        if most < order.len() {
            order.select_nth_unstable(most);
            order.truncate(most);
        }
        order.sort_unstable();
        order.into_iter().map(|(_, at)| moves[at]).collect()
    }

    /// The share of wins of a turn over all worlds, unless it is below `least`.
    /// Worlds come first in which most of what was tried before is lost, which is counted.
    fn share_above(
        &mut self,
        mover: &Move,
        info: &Info,
        least: Probability,
        losses: &mut HashMap<TileCounts, Probability>,
    ) -> Option<Option<Probability>> {
        let draws = self.draws(mover, info);
        let in_bag = |world: &World| {
            let mut bag = world.bag;
            bag.add_all(&world.drawn);
            bag
        };
        let mut worlds = worlds::all(&info.unseen, info.bag, draws);
        let lost_in = |world: &World| losses.get(&in_bag(world)).copied().unwrap_or(0.0);
        worlds.sort_by(|a, b| lost_in(b).total_cmp(&lost_in(a)));
        let all: f64 = worlds.iter().map(|world| world.weight as f64).sum();
        let mut lost = 0.0;
        for world in &worlds {
            let share = self.prove(mover, info, world)?;
            *losses.entry(in_bag(world)).or_default() += 1.0 - share;
            lost += (1.0 - share) * world.weight as f64;
            if 1.0 - lost / all < least {
                return Some(None);
            }
        }
        Some(Some(1.0 - lost / all))
    }

    /// What a turn seems to be worth, by playing a few of all worlds out: the share
    /// of wins, and how easy that will be to prove, by points and by tiles placed.
    fn guess_all(&mut self, mover: &Move, info: &Info, worlds: &[World]) -> (Probability, f64) {
        let step = worlds.len().div_ceil(GUESSED);
        let (mut sum, mut points, mut all) = (0.0, 0.0, 0.0);
        for world in worlds.iter().step_by(step) {
            let (guess, weight) = (self.guess(mover, info, world), world.weight as f64);
            sum += chance(guess) * weight;
            points += guess * weight;
            all += weight;
        }
        let tiles = match mover {
            Move::Play(play) => play.tiles_used(),
            _ => 0,
        };
        (sum / all, points / all + 15.0 * tiles as f64)
    }

    /// By how much the player on turn seems to win after a turn in a world, in
    /// points: both go on with what looks best.
    fn guess(&mut self, mover: &Move, info: &Info, world: &World) -> f64 {
        self.after(mover, info, world, |judge, next, bag, is_over| {
            -judge.playout(next, bag, is_over, GUESSED_TURNS)
        })
    }

    /// By how much the player on turn seems to win, where this is in the bag.
    fn playout(&mut self, info: &Info, bag: &TileCounts, is_over: bool, turns: usize) -> f64 {
        let other = without(&info.unseen, bag);
        if is_over || turns == 0 {
            return f64::from(self.left_over_value(info, &other)) / 2.0;
        }
        if bag.is_empty() {
            self.hold(info, &other);
            let value = self.solver.playout(info.seat).value;
            return f64::from(2 * info.lead + value) / 2.0;
        }
        let mover = self.looks_best(info);
        let draws = self.draws(&mover, info);
        // Which tile comes first is chance; one order is as good as another.
        let drawn: TileCounts = bag.iter().take(draws).collect();
        let world = World::new(bag, drawn, 1);
        self.after(&mover, info, &world, |judge, next, bag, is_over| {
            -judge.playout(next, bag, is_over, turns - 1)
        })
    }

    /// The play with the most points, with a little for tiles placed.
    fn looks_best(&mut self, info: &Info) -> Move {
        let lanes = self.solver.lanes_mut();
        lanes.set_rack(info.seat, &info.rack);
        let all = lanes.full_rack(info.seat);
        lanes.update(info.seat, all);
        let worth = |play: &LanePlay| play.points + lanes.tile_points(info.seat, play.used) / 2;
        let best = lanes.best(info.seat, all, worth);
        best.map_or(Move::Pass, Move::Play)
    }

    /// How an ending is won: the bag is empty, and this is what the other has.
    fn ending(&mut self, info: &Info, other: &TileCounts) -> Option<WinDrawLoss> {
        if info.rack.is_empty() || other.is_empty() {
            return Some(self.left_over(info, other));
        }
        self.hold(info, other);
        let needed = -2 * info.lead;
        let score = self
            .solver
            .search(info.seat, FULL_DEPTH, needed - 1, needed + 1);
        (!self.solver.is_stopped()).then(|| WinDrawLoss::from_spread(score.value - needed))
    }

    /// Who wins if the game is over now.
    fn left_over(&mut self, info: &Info, other: &TileCounts) -> WinDrawLoss {
        WinDrawLoss::from_spread(self.left_over_value(info, other))
    }

    fn left_over_value(&mut self, info: &Info, other: &TileCounts) -> i32 {
        let value = |tiles: &TileCounts| self.rules.tiles.total_value(tiles).0;
        let (own, others) = (value(&info.rack), value(other));
        // Who goes out gets what the other has twice; if nobody does, each loses his own.
        let change = match (info.rack.is_empty(), other.is_empty()) {
            (true, _) => 2 * others,
            (_, true) => -2 * own,
            _ => others - own,
        };
        2 * (info.lead + change) - change.signum()
    }

    fn hold(&mut self, info: &Info, other: &TileCounts) {
        let mut racks = [*other; 2];
        racks[info.seat] = info.rack;
        self.solver.set_racks(&racks);
    }

    fn is_last(&self, mover: &Move) -> bool {
        let is_pass = matches!(mover, Move::Pass);
        self.solver.ends_game(mover.points(), is_pass)
    }

    fn key(&mut self, info: &Info) -> u64 {
        let lanes = self.solver.lanes_mut();
        lanes.set_rack(info.seat, &info.rack);
        let all = lanes.full_rack(info.seat);
        let rack = lanes.rack_key(info.seat, all);
        let rest = u64::from(info.exchanged) << 1 | info.seat as u64;
        let rest = u64::from(info.lead as u32) << 2 | rest;
        self.solver.board_key() ^ rack.rotate_left(17) ^ rest.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// The most positions of which the best turns are kept.
const MOST_CHOSEN: usize = 10_000;
/// What an ending is worth that is looked at in passing.
pub const QUICK: VerdictBudget = VerdictBudget {
    proof_nodes: 100,
    playout: PlayoutUse::IfClear,
    one_ply_nodes: 100,
    two_ply_nodes: 500,
};
/// The same in the mind of one who does not know the bag: there are many of them.
const IMAGINARY: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::IfClear,
    one_ply_nodes: 100,
    two_ply_nodes: 100,
};
/// One who does not know the bag guesses what so many turns lead to that look best,
/// considers so many of them, and imagines so many worlds.
const SIFTED: usize = 12;
const CONSIDERED: usize = 5;
const IMAGINED: usize = 9;
/// With more ways to fill the bag these are taken by chance: a list of all takes longer than the guesses.
const MOST_LISTED: usize = 400;
/// Guesses about an unknown bag look at so many worlds.
const GUESSED: usize = 4;
/// Guesses go on for so many turns at most while there is something in the bag.
const GUESSED_TURNS: usize = 12;

impl Move {
    /// Whether it is the same turn.
    fn is(&self, other: &Move) -> bool {
        match (self, other) {
            (Move::Play(a), Move::Play(b)) => a.key == b.key,
            (Move::Exchange(a), Move::Exchange(b)) => a == b,
            (Move::Pass, Move::Pass) => true,
            _ => false,
        }
    }

    /// Its points.
    fn points(&self) -> i32 {
        match self {
            Move::Play(play) => play.points,
            _ => 0,
        }
    }
}

fn without(tiles: &TileCounts, part: &TileCounts) -> TileCounts {
    let mut rest = *tiles;
    let taken = rest.take_all(part);
    debug_assert!(taken.is_ok());
    rest
}

/// The chance that a guess of so many points is a win.
fn chance(points: f64) -> Probability {
    match logistic(points / 10.0) {
        // So far off, it is better to look at what is gained.
        chance if chance < 0.01 => 0.0,
        chance if chance > 0.99 => 1.0,
        chance => chance,
    }
}
