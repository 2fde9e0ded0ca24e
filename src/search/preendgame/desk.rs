//! What is known of each candidate in each world, and what to prove next.
//!
//! Before anything is proved there is a prior on each candidate. What is
//! seen or proved says three things: what the candidate has in that world,
//! whether priors are too good or too bad about it and those that draw as
//! many tiles, and whether that world is better than others for all. So what is
//! not looked at yet is estimated by the sum, in odds, of a prior, what the
//! candidate and its kind did better than that elsewhere, and what
//! others did better in this world. The work goes to the candidate of which to
//! know more can matter most for what it takes, and of its worlds to the one most in doubt.

use super::judge::{Info, Judge, Move, Probability, QUICK, Sight};
use super::odds::{Bag, Evidence, Odds, chance, odds, odds_of, unsure};
use super::worlds::{self, World};
use super::worth::{Belief, Prices};
use super::{DrawOutcome, Found, Line, POINT, Prior, Request};
use crate::search::endgame::quick_verdict::{PlayoutUse, VerdictBudget, playout_log_odds};
use crate::search::endgame::solver::SolverWork;
use crate::search::ranking::Candidate;
use crate::search::{Budget, TimeAdvice};
use crate::seed::Seed;
use crate::tiles::TileCounts;
use rand::seq::SliceRandom;
use std::cmp::Ordering;

/// With more ways to fill the bag, so many are taken by chance.
const MAX_BAGS: usize = 400;
/// With more ways to draw, one is taken by chance for each way to fill the bag.
const MAX_WORLDS: usize = 2_000;
/// How many candidates are looked at first; then twice as many, and so on.
const FIRST: usize = 48;
/// The nodes of a try to prove a world, the more the more tries there were
/// before. The first is as good as a look; the second is a longer look: what is not
/// proved at once mostly takes much longer.
const TRY: u64 = 100;
const MORE: u64 = 4;
const LOOK: VerdictBudget = VerdictBudget {
    proof_nodes: 0,
    playout: PlayoutUse::IfLost,
    one_ply_nodes: 1_500,
    two_ply_nodes: 1_500,
};
/// The longer look comes after so many tries.
const SECOND_LOOK: u32 = 1;
/// If tiles stay in the bag, the first look costs as much as a try after so many, and a proof as one after so many.
const FIRST_LOOK: u32 = 1;
const FIRST_PROOF: u32 = 5;
/// More tries are not made: nothing takes that long.
const MAX_TRIES: u32 = 12;
/// So many tries are made for a candidate that wins no more often than the leader but gains more points;
/// and so many when nothing else is left, for as long as everything before took.
const EASY: u32 = 3;
const HARD: u32 = 8;
/// How much more each further try takes, as long as it is not known.
const DEARER: f64 = 4.0;
/// How far ways to fill the bag are apart, in odds.
const BAGS_APART: Odds = 1.5;
/// That priors are as good about one kind of candidates as about all, and as good about those as they seem, counts as much as so many candidates.
/// With 4 the estimates of moves that leave tiles in the bag, of which simulation thinks too well, came down too slowly.
const KIND: f64 = 0.25;
/// How wrong looks are that agree in all worlds; and how wrong all of them can be together, in odds.
const MISLED: Probability = 0.06;
const ASTRAY: Odds = 0.5;
/// Candidates are no more than so far from what is expected of their kind.
const MOST_SURPRISE: Odds = 6.0;
/// So much of what was expected of an ending still counts when it is lost by playing out, which says
/// most of it. If it is won by that, the other may prevent it, and all of it counts.
const LOST_ANYHOW: f64 = 0.5;
/// Steps towards the odds of a candidate, each time it is estimated.
const STEPS: usize = 2;
/// Estimates are made anew for all candidates after so many proofs.
const STALE: u32 = 16;
/// One who has more than this seems to win always.
const SURE: Probability = 0.99;
/// Shares that differ by less are the same: they are sums of fractions.
const SAME: Probability = 1e-9;

/// What is known, and what is to be done next.
pub(super) struct Desk<'a> {
    candidates: &'a [Candidate],
    entries: Vec<Entry>,
    /// By how many tiles are drawn: how they can lie.
    worlds: Vec<Option<Worlds>>,
    /// The ways to fill the bag.
    bags: Vec<Bag>,
    /// By how many tiles are drawn: how much better such candidates are than priors say.
    kinds: Vec<Odds>,
    /// What is gained with the candidate that gains most.
    most_gain: f64,
    /// Whether one tile is in the bag.
    is_last_tile: bool,
    /// How many candidates may be looked at.
    open: usize,
    /// Proofs since all estimates were made.
    stale: u32,
    limit: Option<u64>,
    /// How much work there may be when nothing is left but points, once that is so.
    end: Option<u64>,
    /// Whether it is a sure win that is to be proved next, if any seems to be one.
    is_sure_next: bool,
    /// What a try takes, as it was so far.
    prices: Prices<{ MAX_TRIES as usize }>,
    pub work: SolverWork,
}

/// The worlds of all turns that draw so many tiles.
struct Worlds {
    list: Vec<(World, usize)>,
    /// Whether these are all there are.
    is_whole: bool,
    weight: f64,
}

/// What is known of a candidate.
struct Entry {
    mover: Move,
    /// How many tiles it draws.
    draws: usize,
    /// Whether there are tiles in the bag after it.
    keeps_bag: bool,
    prior: Prior,
    /// Whether that is a prior on this one, or somebody has looked at it.
    is_known: bool,
    /// How far the truth may be from that, for the question whether to look.
    blind: Odds,
    /// None before it is looked at: there may be thousands of candidates.
    cells: Vec<Cell>,
    /// What it has in a world that is as good as most, by its prior alone, and by all that is known.
    expected: Odds,
    odds: Odds,
    /// How much better that is than what was expected of it and its kind.
    better: Odds,
    /// How much of the odds comes from what is known, and not from the prior.
    told: f64,
    belief: Belief,
    /// How wrong the estimate may be.
    error: Probability,
}

/// A candidate in a world.
#[derive(Clone, Copy, Default)]
struct Cell {
    proved: Option<Probability>,
    /// What was seen last, if somebody looked.
    seen: Option<Sight>,
    tries: u32,
    busy: bool,
}

/// A world to prove.
pub(super) struct Task {
    at: usize,
    cell: usize,
    mover: Move,
    world: World,
    tries: u32,
    keeps_bag: bool,
    /// How many nodes there are left.
    left: u64,
}

/// What a thread does next.
pub(super) enum Next {
    Prove(Task),
    /// Nothing until another thread has found out something.
    Wait,
    Done,
}

impl Task {
    pub fn run(&self, judge: &mut Judge, info: &Info) -> Option<Sight> {
        let effort = match (self.keeps_bag, self.tries) {
            (_, 0) | (true, FIRST_LOOK) => QUICK,
            (_, SECOND_LOOK) => LOOK,
            _ => {
                judge.start(self.left.min(TRY * MORE.pow(self.tries)));
                let proof = judge.prove(&self.mover, info, &self.world);
                return proof.map(Sight::Proof);
            }
        };
        judge.start(self.left);
        judge.look(&self.mover, info, &self.world, effort)
    }
}

impl<'a> Desk<'a> {
    /// For candidates, with a prior on the first few of them.
    pub fn new(
        candidates: &'a [Candidate],
        request: &Request,
        info: &Info,
        judge: &Judge,
    ) -> Desk<'a> {
        let (bags, is_whole) = bags_of(&info.unseen, info.bag, request.seed);
        let mut worlds: Vec<Option<Worlds>> = (0..=info.bag).map(|_| None).collect();
        let others = Prior::of_unsimulated(&request.priors);
        let entry = |(at, candidate): (usize, &Candidate)| {
            let mover = judge.mover(candidate, info.seat);
            let draws = judge.draws(&mover, info);
            worlds[draws].get_or_insert_with(|| Worlds::new(&bags, is_whole, draws, request.seed));
            let prior = request.priors.get(at);
            let blind = prior.map_or_else(|| others.blind(), Prior::apart);
            let entry = Entry::new(mover, draws, info.bag, *prior.unwrap_or(&others), blind);
            Entry {
                is_known: prior.is_some(),
                ..entry
            }
        };
        let entries = candidates.iter().enumerate().map(entry).collect();
        let gains = request.priors.iter().map(|prior| prior.gain);
        let mut desk = Desk {
            candidates,
            entries,
            worlds,
            kinds: vec![0.0; info.bag + 1],
            bags: Bag::all(&bags),
            most_gain: gains.fold(others.gain, f64::max),
            is_last_tile: info.bag == 1,
            open: 0,
            stale: 0,
            limit: request.effort,
            end: None,
            is_sure_next: false,
            prices: Prices::new(|tries| TRY as f64 * DEARER.powi(tries as i32)),
            work: SolverWork::default(),
        };
        desk.open_to(FIRST.max(request.priors.len()));
        desk
    }

    /// What to do next.
    pub fn next(&mut self, budget: &Budget) -> Next {
        if self
            .limit
            .is_some_and(|limit| self.work.equivalent_nodes() >= limit)
        {
            return Next::Done;
        }
        loop {
            let leader = self.leader();
            // None of those looked at forms only words.
            if leader.is_none() && self.open_to(2 * self.open) {
                continue;
            }
            let goes_on = match budget.advice() {
                TimeAdvice::Continue => true,
                TimeAdvice::ContinueUnlessSettled => {
                    leader.is_none_or(|leader| !self.is_settled(leader))
                }
                TimeAdvice::ContinueIfClose => leader.is_some_and(|leader| self.is_close(leader)),
                TimeAdvice::Stop => false,
            };
            if !goes_on {
                return Next::Done;
            }
            // Whatever is still open of a leader who cannot be beaten matters least.
            let settled = leader.filter(|&leader| self.is_settled(leader));
            let task = match settled {
                Some(leader) => self.task_for_points(leader, EASY),
                None => {
                    let sure = leader.and_then(|leader| self.task_for_sure_win(leader));
                    sure.or_else(|| self.task(leader))
                }
            };
            if let Some(task) = task {
                return Next::Prove(task);
            }
            if settled.is_none() && self.is_busy() {
                return Next::Wait;
            }
            let always_wins = settled.is_some_and(|leader| self.always_wins(leader));
            if !always_wins && self.open_to(2 * self.open) {
                continue;
            }
            // Nothing is better; what is left is to know how good it is, and points.
            let task = settled.and_then(|leader| {
                let own = self.task_of(leader);
                own.or_else(|| self.last_task(leader))
            });
            return match task {
                Some(task) => Next::Prove(task),
                None if !always_wins && self.is_busy() => Next::Wait,
                None => Next::Done,
            };
        }
    }

    /// Notes what came of a task, and what it took.
    pub fn enter(&mut self, task: &Task, sight: Option<Sight>, work: SolverWork) {
        let told = sight.is_some_and(Sight::tells);
        let effort = work.equivalent_nodes();
        self.prices.enter(task.keeps_bag, task.tries, effort, told);
        self.work += work;
        let cell = &mut self.entries[task.at].cells[task.cell];
        cell.busy = false;
        cell.tries = match cell.tries {
            FIRST_LOOK if task.keeps_bag => FIRST_PROOF,
            tries => tries + 1,
        };
        match sight {
            Some(Sight::Proof(share)) => cell.proved = Some(share),
            Some(sight) => cell.seen = Some(sight),
            None => return,
        }
        self.entries[task.at].is_known = true;
        self.stale += 1;
        if self.stale >= STALE {
            self.estimate();
        } else {
            self.estimate_one(task.at);
        }
    }

    /// What is known, with every draw of so many of the best.
    pub fn found(&self, told: usize) -> Found {
        let mut order: Vec<usize> = (0..self.open).collect();
        order.sort_by(|&a, &b| self.compare(b, a));
        let cells = self.entries.iter().flat_map(|entry| &entry.cells);
        let lines = order.iter().enumerate();
        Found {
            lines: lines
                .map(|(place, &at)| self.line(at, place < told || self.candidates[at].requested))
                .collect(),
            candidates: self.candidates.len(),
            nodes: self.work.nodes,
            looks: self.work.refuted_plays,
            per_mille_full: 0,
            proved: cells.filter(|cell| cell.proved.is_some()).count() as u64,
            solved: self.leader().is_some_and(|leader| self.is_proved(leader)),
        }
    }

    /// Looks at so many candidates; whether these are more than before.
    fn open_to(&mut self, open: usize) -> bool {
        let open = open.min(self.entries.len());
        let is_more = open > self.open;
        for at in self.open..open {
            let worlds = self.worlds(at).list.len();
            let entry = &mut self.entries[at];
            let cell = Cell {
                tries: if entry.keeps_bag { FIRST_LOOK } else { 0 },
                ..Cell::default()
            };
            entry.cells = vec![cell; worlds];
        }
        self.open = open;
        self.estimate();
        is_more
    }

    fn worlds(&self, at: usize) -> &Worlds {
        let worlds = self.worlds[self.entries[at].draws].as_ref();
        worlds.expect("made with the entry")
    }

    /// Estimates all candidates by all that is known.
    fn estimate(&mut self) {
        self.stale = 0;
        self.estimate_bags();
        self.estimate_kinds();
        (0..self.open).for_each(|at| self.estimate_one(at));
    }

    /// Estimates how good each way to fill the bag is for all candidates, compared with the others.
    fn estimate_bags(&mut self) {
        let mut sums = vec![Evidence::default(); self.bags.len()];
        for (at, entry) in self.entries[..self.open].iter().enumerate() {
            for (cell, (_, bag)) in entry.cells.iter().zip(&self.worlds(at).list) {
                let odds = entry.odds + self.bags[*bag].odds;
                if cell.tells() {
                    sums[*bag].add(cell.share(odds), odds);
                }
            }
        }
        for (bag, sum) in self.bags.iter_mut().zip(sums) {
            bag.odds = sum.improve(bag.odds, 0.0, BAGS_APART);
        }
        let mean: f64 = self.bags.iter().map(|bag| bag.odds * bag.weight).sum();
        self.bags.iter_mut().for_each(|bag| bag.odds -= mean);
    }

    /// Estimates by how much priors are wrong about all candidates that draw as many tiles.
    fn estimate_kinds(&mut self) {
        let mut sums = vec![(0.0, 0.0); self.kinds.len()];
        for at in 0..self.open {
            let entry = &mut self.entries[at];
            entry.expected = odds_of(entry.prior.win, &self.bags, entry.expected);
            // What it did better or worse than expected of its kind counts as
            // much as it tells: the odds of many come only slowly to where they belong.
            let most = MOST_SURPRISE * entry.told;
            let better = entry.better.clamp(-most, most);
            let (sum, weight) = &mut sums[entry.draws];
            *sum += better + entry.told * self.kinds[entry.draws];
            *weight += entry.told;
        }
        // Where priors are wrong about all that was looked at, they are wrong about the other kinds too: else
        // a pass, which is alone in its kind, would lead in lost games because nobody looked at it.
        let (sum, weight) = sums.iter().fold((0.0, KIND), |(sum, weight), one| {
            (sum + one.0, weight + one.1)
        });
        let of_all = sum / weight;
        for (kind, (sum, weight)) in self.kinds.iter_mut().zip(sums) {
            *kind = (sum + KIND * of_all) / (weight + KIND);
        }
    }

    /// Estimates a candidate by what is known of it, and of the worlds.
    fn estimate_one(&mut self, at: usize) {
        let Desk {
            entries,
            worlds,
            bags,
            kinds,
            ..
        } = self;
        let entry = &mut entries[at];
        let Some(worlds) = &worlds[entry.draws] else {
            return;
        };
        let cells = || entry.cells.iter().zip(&worlds.list);
        let expected = entry.expected + kinds[entry.draws];
        let apart = entry.prior.apart();
        let (mut odds, mut sum) = (entry.odds, Evidence::default());
        for _ in 0..STEPS {
            sum = Evidence::default();
            for (cell, (_, bag)) in cells() {
                let odds = odds + bags[*bag].odds;
                if cell.tells() {
                    sum.add(cell.share(odds), odds);
                }
            }
            odds = sum.improve(odds, expected, apart);
        }
        let in_bags: Vec<Odds> = bags.iter().map(|bag| odds + bag.odds).collect();
        let (mut sure, mut possible, mut estimate) = (0.0, 0.0, 0.0);
        let (mut slope, mut seen, mut seen_slope, mut variance) = (0.0, 0.0, 0.0, 0.0);
        for (cell, (world, bag)) in cells() {
            let weight = world.weight as f64 / worlds.weight;
            let share = cell.share(in_bags[*bag]);
            if cell.proved.is_none() {
                let doubt = share * (1.0 - share);
                variance += doubt * weight * weight;
                match cell.tells() {
                    true => {
                        seen += weight;
                        seen_slope += weight * doubt;
                    }
                    false => slope += weight * doubt,
                }
            }
            estimate += share * weight;
            sure += cell.proved.unwrap_or(0.0) * weight;
            possible += cell.proved.unwrap_or(1.0) * weight;
        }
        let wrong = slope * sum.error(apart);
        let misled = seen * MISLED;
        entry.odds = odds;
        entry.better = odds - expected;
        entry.told = sum.part(apart);
        let slip = slope * sum.error(entry.blind) + seen_slope * ASTRAY;
        entry.belief = Belief {
            estimate,
            least: sure,
            most: possible,
            variance,
            slip: slip / (slope + seen_slope).max(SAME),
        };
        entry.error = (wrong * wrong + misled * misled + variance).sqrt();
    }

    /// What a candidate has in a world, by what is known or else by what is expected.
    fn share(&self, entry: &Entry, cell: &Cell, bag: usize) -> Probability {
        cell.share(entry.odds + self.bags[bag].odds)
    }

    /// Whether other threads are at work.
    fn is_busy(&self) -> bool {
        let mut cells = self.entries[..self.open]
            .iter()
            .flat_map(|entry| &entry.cells);
        cells.any(|cell| cell.busy)
    }

    /// The best by what is known.
    fn leader(&self) -> Option<usize> {
        let valid = (0..self.open).filter(|&at| self.candidates[at].valid);
        valid.max_by(|&a, &b| self.compare(a, b))
    }

    /// Which of two is better: one of which something is known, then by the share of wins, with a little for points as far as it is an estimate, then by what of it is proved, then by what is gained, then by what they are worth without search.
    fn compare(&self, a: usize, b: usize) -> Ordering {
        // Sums of fractions that are meant to be equal are, when rounded.
        let round = |share: Probability| (share / SAME).round();
        let key = |at: usize| {
            let entry = &self.entries[at];
            let gain = entry.prior.gain;
            // Where nothing is left to win or to lose, estimates differ by
            // what was looked at; then what is gained says more.
            let worth = entry.belief.estimate - (self.most_gain - gain) * POINT;
            [
                f64::from(u8::from(entry.is_known)),
                round(worth.max(entry.belief.least)),
                round(entry.belief.least),
                gain,
            ]
        };
        let (ours, theirs) = (key(a), key(b));
        let differences = ours.iter().zip(&theirs).map(|(a, b)| a.total_cmp(b));
        differences
            .fold(Ordering::Equal, Ordering::then)
            .then(b.cmp(&a))
    }

    /// Those that were looked at and could be taken instead of this one.
    fn rivals(&self, leader: usize) -> impl Iterator<Item = usize> {
        let valid = (0..self.open).filter(|&at| self.candidates[at].valid);
        valid.filter(move |&at| at != leader)
    }

    /// Whether no other candidate that was looked at can be better than this one, by the worlds that were looked at.
    fn is_settled(&self, leader: usize) -> bool {
        let least = self.entries[leader].belief.least;
        let mut rivals = self.rivals(leader);
        rivals.all(|at| self.entries[at].belief.most <= least + SAME)
    }

    /// Whether no other candidate at all can be better than this one.
    fn is_proved(&self, leader: usize) -> bool {
        let is_whole = |at: usize| self.worlds(at).is_whole;
        let rest_is_worse = || {
            let all = self.open == self.entries.len();
            all && self.rivals(leader).all(is_whole)
        };
        is_whole(leader) && self.is_settled(leader) && (self.always_wins(leader) || rest_is_worse())
    }

    /// Whether nothing can be better, whatever there is.
    fn always_wins(&self, at: usize) -> bool {
        self.entries[at].belief.least > 1.0 - SAME
    }

    /// Whether some other may well be better than this one.
    fn is_close(&self, leader: usize) -> bool {
        let best = &self.entries[leader];
        let mut rivals = self.rivals(leader);
        rivals.any(|at| {
            let entry = &self.entries[at];
            let error = entry.error.hypot(best.error);
            entry.belief.most > best.belief.least + SAME
                && entry.belief.estimate + error > best.belief.estimate
        })
    }

    /// The world to prove next: of the candidate of which to know more matters most for what it takes.
    fn task(&mut self, leader: Option<usize>) -> Option<Task> {
        let (least, estimate) = leader.map_or((0.0, 0.0), |leader| {
            let belief = &self.entries[leader].belief;
            (belief.least, belief.estimate)
        });
        let can_be = |at: &usize| self.entries[*at].belief.most > least + SAME;
        let rivals = (0..self.open)
            .filter(|&at| Some(at) != leader)
            .filter(can_be);
        let mut second: Probability = 0.0;
        let mut promises: Vec<(f64, usize)> = Vec::with_capacity(self.open);
        for at in rivals {
            second = second.max(self.entries[at].belief.estimate);
            promises.push((self.promise(at, estimate, false), at));
        }
        if let Some(leader) = leader {
            promises.push((self.promise(leader, second, true), leader));
        }
        promises.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let cheapest = self.prices.least();
        let mut best: Option<(f64, usize, usize)> = None;
        for (promise, at) in promises {
            if best.is_some_and(|(most, ..)| promise / cheapest <= most) {
                break;
            }
            let Some((cell, tries)) = self.cell(at, estimate) else {
                continue;
            };
            let worth = promise / self.prices.of(self.entries[at].keeps_bag, tries);
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, at, cell));
            }
        }
        let (worth, at, cell) = best?;
        if self.promise_of_others(estimate) > worth && self.open_to(self.open + self.open / 2) {
            return self.task(leader);
        }
        Some(self.assign(at, cell))
    }

    /// Every other time where the leader seems to win always: a world of the
    /// candidate of which that takes least to prove, for then nothing can be better.
    /// It must take no more than everything so far.
    fn task_for_sure_win(&mut self, leader: usize) -> Option<Task> {
        let seems_sure = |at: usize| self.entries[at].belief.estimate > SURE;
        if !seems_sure(leader) {
            return None;
        }
        self.is_sure_next = !self.is_sure_next;
        if self.is_sure_next {
            return None;
        }
        let may_be = |at: &usize| {
            let belief = &self.entries[*at].belief;
            self.candidates[*at].valid && seems_sure(*at) && belief.most > 1.0 - SAME
        };
        let cost = |at: usize| {
            let entry = &self.entries[at];
            let open = entry.cells.iter().filter(|cell| cell.proved.is_none());
            let costs = open.map(|cell| match cell.tries < MAX_TRIES {
                true => self.prices.of(entry.keeps_bag, cell.tries),
                // It was given up, so this one is never proved.
                false => f64::INFINITY,
            });
            costs.sum::<f64>()
        };
        let rivals = (0..self.open).filter(may_be).map(|at| (cost(at), at));
        let (cost, at) = rivals.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        // A proof that is far off would take the time to find out which is best.
        (cost <= self.work.equivalent_nodes() as f64).then(|| self.task_of(at))?
    }

    /// How much it can matter to know more of a candidate that leads one with this share of wins, or is behind it.
    fn promise(&self, at: usize, other: Probability, leads: bool) -> f64 {
        let Entry { belief, error, .. } = &self.entries[at];
        match self.is_last_tile {
            true => belief.promise(other, leads),
            false => belief.promise_by_error(*error, other, leads),
        }
    }

    /// What a first look at one of the others promises for what it takes. With
    /// one tile in the bag few looks tell whether any is good; with more they
    /// take more time than they bring, and nothing is promised.
    fn promise_of_others(&self, leaders: Probability) -> f64 {
        let Some(entry) = self.entries.get(self.open).filter(|_| self.is_last_tile) else {
            return 0.0;
        };
        let win = unsure(entry.prior.win);
        let belief = Belief {
            estimate: win,
            least: 0.0,
            most: 1.0,
            variance: win * (1.0 - win) / self.worlds(self.open).list.len() as f64,
            slip: entry.blind,
        };
        belief.promise(leaders, false) / self.prices.of(false, 0)
    }

    /// The world to prove next if this leader wins as often as any other can:
    /// of the one that gains most for what it takes, of those that may well win as often, unless that was tried too often.
    fn task_for_points(&mut self, leader: usize, most_tries: u32) -> Option<Task> {
        let best = &self.entries[leader];
        let may_be_better = |at: &usize| {
            let entry = &self.entries[*at];
            !entry.keeps_bag
                && entry.prior.gain > best.prior.gain
                && entry.belief.most >= best.belief.least - SAME
                && entry.belief.estimate + entry.error >= best.belief.estimate
        };
        let promise = |at: usize| {
            let entry = &self.entries[at];
            let open = entry.cells.iter().filter(|cell| cell.proved.is_none());
            let cost: Probability = open.map(|cell| DEARER.powi(cell.tries as i32)).sum();
            (entry.prior.gain - best.prior.gain) / cost.max(1.0)
        };
        let mut rivals: Vec<(f64, usize)> = self
            .rivals(leader)
            .filter(may_be_better)
            .map(|at| (promise(at), at))
            .collect();
        rivals.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let easy = |(_, at): (f64, usize)| {
            let (cell, tries) = self.cell(at, best.belief.estimate)?;
            (tries <= most_tries).then_some((at, cell))
        };
        let (at, cell) = rivals.into_iter().find_map(easy)?;
        Some(self.assign(at, cell))
    }

    /// The world to prove next where nothing is left but points, as long as that took no longer than everything before.
    fn last_task(&mut self, leader: usize) -> Option<Task> {
        let effort = self.work.equivalent_nodes();
        let end = *self.end.get_or_insert(2 * effort);
        match effort < end {
            true => self.task_for_points(leader, HARD),
            false => None,
        }
    }

    /// The world of a candidate to prove next.
    fn task_of(&mut self, at: usize) -> Option<Task> {
        let (cell, _) = self.cell(at, self.entries[at].belief.estimate)?;
        Some(self.assign(at, cell))
    }

    /// Gives a world of a candidate to somebody to prove.
    fn assign(&mut self, at: usize, cell: usize) -> Task {
        let world = self.worlds(at).list[cell].0;
        let limit = self.limit.unwrap_or(u64::MAX);
        let entry = &mut self.entries[at];
        entry.cells[cell].busy = true;
        Task {
            at,
            cell,
            mover: entry.mover,
            world,
            tries: entry.cells[cell].tries,
            keeps_bag: entry.keeps_bag,
            left: limit.saturating_sub(self.work.equivalent_nodes()),
        }
    }

    /// The world of a candidate to prove next, and how often that was tried: what tells most for the time it
    /// takes. Of one that is hardly better than the leader, what it probably loses; else what is most in doubt.
    fn cell(&self, at: usize, leaders: Probability) -> Option<(usize, u32)> {
        let entry = &self.entries[at];
        let may_be_best = entry.belief.estimate + entry.error >= leaders;
        let mut best: Option<(f64, usize, u32)> = None;
        let worlds = self.worlds(at).list.iter();
        for (place, (cell, (world, bag))) in entry.cells.iter().zip(worlds).enumerate() {
            if !cell.is_open() {
                continue;
            }
            let win = self.share(entry, cell, *bag);
            let doubt = if may_be_best { win + 0.02 } else { 1.0 };
            let cost = self.prices.of(entry.keeps_bag, cell.tries);
            let worth = (1.02 - win) * doubt * world.weight as f64 / cost;
            if best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, place, cell.tries));
            }
        }
        best.map(|(_, cell, tries)| (cell, tries))
    }

    /// A candidate and, if they are told, its draws: of all candidates together there may be a million.
    fn line(&self, at: usize, draws: bool) -> Line {
        let (entry, worlds) = (&self.entries[at], self.worlds(at));
        let draw = |(cell, (world, bag)): (&Cell, &(World, usize))| DrawOutcome {
            world: *world,
            win: self.share(entry, cell, *bag),
            exact: cell.proved.is_some(),
        };
        let cells = entry.cells.iter().zip(&worlds.list);
        // Of some worlds only nothing is certain about all.
        let (least, most) = match worlds.is_whole {
            true => (entry.belief.least, entry.belief.most),
            false => (0.0, 1.0),
        };
        Line {
            candidate: self.candidates[at],
            draws: if draws {
                cells.map(draw).collect()
            } else {
                Vec::new()
            },
            win: entry.belief.estimate,
            least,
            most,
            gain: entry.prior.gain,
            exact: worlds.is_whole && entry.cells.iter().all(|cell| cell.proved.is_some()),
        }
    }
}

/// All ways to fill the bag, or some by chance, in an order by chance; and whether they are all.
fn bags_of(unseen: &TileCounts, bag: usize, seed: Seed) -> (Vec<(TileCounts, u64)>, bool) {
    if worlds::count(unseen, bag) > MAX_BAGS {
        return (worlds::some(unseen, bag, MAX_BAGS, seed), false);
    }
    let mut bags = worlds::parts(unseen, bag);
    bags.shuffle(&mut seed.generator());
    (bags, true)
}

impl Worlds {
    /// All ways to draw so many tiles from bags, or one by chance for each.
    fn new(bags: &[(TileCounts, u64)], is_whole: bool, draws: usize, seed: Seed) -> Worlds {
        let mut list = Vec::new();
        for (at, (bag, weight)) in bags.iter().enumerate() {
            for (drawn, ways) in worlds::parts(bag, draws) {
                list.push((World::new(bag, drawn, weight * ways), at));
            }
        }
        let is_few = list.len() <= MAX_WORLDS;
        if !is_few {
            let one = |(at, (bag, weight)): (usize, &(TileCounts, u64))| {
                let mut chance = seed.for_unit(at as u64).generator();
                let drawn = bag.clone().draw(draws, &mut chance);
                (World::new(bag, drawn, *weight), at)
            };
            list = bags.iter().enumerate().map(one).collect();
        }
        Worlds {
            weight: list.iter().map(|(world, _)| world.weight as f64).sum(),
            list,
            is_whole: is_whole && is_few,
        }
    }
}

impl Entry {
    fn new(mover: Move, draws: usize, bag: usize, prior: Prior, blind: Odds) -> Entry {
        Entry {
            mover,
            draws,
            keeps_bag: draws < bag || matches!(mover, Move::Exchange(_)),
            prior,
            is_known: false,
            blind,
            cells: Vec::new(),
            expected: odds(prior.win),
            odds: odds(prior.win),
            better: 0.0,
            told: 0.0,
            belief: Belief {
                estimate: 0.0,
                least: 0.0,
                most: 1.0,
                variance: 0.0,
                slip: 0.0,
            },
            error: 0.0,
        }
    }
}

impl Cell {
    /// What it has where the odds were these before anybody looked.
    fn share(&self, expected: Odds) -> Probability {
        let by_now = |sight: Sight| match sight {
            Sight::Ending(glimpse) if self.tries > SECOND_LOOK => {
                chance(expected + glimpse.log_odds_after_attempts(self.tries - SECOND_LOOK - 1))
            }
            Sight::Ending(glimpse) => chance(expected + glimpse.log_odds()),
            Sight::Played(ahead) => match playout_log_odds(ahead) {
                won if won > 0.0 => chance(expected + won),
                lost => chance(LOST_ANYHOW * expected + lost),
            },
            Sight::Seems(share) | Sight::Proof(share) => share,
        };
        let seen = || unsure(self.seen.map_or(chance(expected), by_now));
        self.proved.unwrap_or_else(seen)
    }

    /// Whether it tells something about odds. Looks that leave an ending open
    /// do not: how often such endings are won is much the same in one
    /// position, and many of them together would seem to be certain.
    fn tells(&self) -> bool {
        self.proved.is_some() || self.seen.is_some_and(Sight::tells)
    }

    /// Whether there is something to prove.
    fn is_open(&self) -> bool {
        self.proved.is_none() && !self.busy && self.tries < MAX_TRIES
    }
}
