//! Monte Carlo simulation: what a turn is worth when the game is played on.
//!
//! Each iteration deals one world, the same for every candidate that is still
//! in the race, and plays each of them out in it. What counts is the
//! difference of two candidates *in the same world*: luck that both have
//! cancels out. Candidates that are surely behind the leader drop out, so
//! that the time goes to those between which the choice lies.
//!
//! Rounds end after a number of iterations, never by the clock; chance belongs
//! to the iteration and sums are integers: so the same iterations give the
//! same result for any number of threads.

mod endings;
mod rollout;
mod tally;

pub use tally::{PlyStats, SampleStats, UTILITY_PER_POINT};

use super::endgame::{self, transposition::TranspositionTable};
use super::ranking::{Candidate, SearchKnowledge};
use super::{Budget, TimeAdvice};
use crate::eval::WinModel;
use crate::movegen::ContinueCheck;
use crate::rules::{Position, Turn};
use crate::seed::Seed;
use crate::units::WinProb;
use rayon::prelude::*;
use rollout::{Roller, Scene};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use tally::{Difference, Pairs, Sample, Tally};

/// What to simulate, and how far.
#[derive(Clone, Debug)]
pub struct SimRequest {
    /// How many turns are played after the candidate; by what is left to play if it is not given.
    pub plies: Option<usize>,
    /// The most iterations.
    pub iterations: Option<u64>,
    /// End when the choice is as sure as this.
    pub confidence: Option<StopConfidence>,
    /// How soon candidates that seem to be behind drop out.
    pub elimination: EliminationPolicy,
    /// Whether rollouts that come to an ending of two players look at who wins it.
    pub endgame_verdicts: bool,
    /// Where all chance comes from.
    pub seed: Seed,
    /// How many threads to use; no answer depends on it.
    pub threads: usize,
    /// How many bytes it may take to be faster.
    pub memory: usize,
}

/// With which evidence that it is behind the leader a candidate drops out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EliminationPolicy {
    /// None does.
    Never,
    /// 100 to 1: what drops out is hardly ever the best.
    Cautious,
    /// 10 to 1: for a first look at many, which others follow.
    Early,
}

impl EliminationPolicy {
    /// The evidence, as the logarithm of odds.
    fn evidence(self) -> Option<f64> {
        match self {
            EliminationPolicy::Never => None,
            EliminationPolicy::Cautious => Some(SURELY),
            EliminationPolicy::Early => Some(SOON),
        }
    }
}

/// How sure a choice is: wrong in fewer than so many of a thousand cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopConfidence {
    /// Wrong choices in a thousand.
    pub wrong_per_thousand: u32,
}

/// The most iterations that can be asked for: sums stay within their integers.
pub const MAX_ITERATIONS: u64 = 1_000_000_000;
/// The most turns after a candidate: more than most games have left. Without
/// a limit, players who may exchange for ever could go on for ever.
pub const MAX_PLIES: usize = 60;
/// The most threads for each core of the machine.
const THREADS_A_CORE: usize = 8;
/// The most candidates that are simulated, but for those that are asked for and the best exchanges.
pub const MAX_CANDIDATES: usize = 1_000;
/// Before so many samples of each, no candidate drops out.
const FEWEST: u64 = 6;
/// The most iterations between two looks at who is still in the race.
const MAX_ROUND: u64 = 256;
/// The logarithms of 100 and of 10.
const SURELY: f64 = 4.6;
const SOON: f64 = 2.3;
/// Differences of less than this do not matter, in parts of a chance: 0.1 %.
const EQUAL: f64 = 0.001 * WinProb::SCALE as f64;
/// What a candidate is worth without search counts as much as so many samples:
/// the luck of one sample is some six times as large as the error of that.
const PRIOR: i64 = 30;
/// Endings are looked at after so many iterations: before that luck is larger
/// than the error of those who do not look.
const SKETCHED: u64 = 40;
/// However many iterations are made without looking, they count no more than
/// so many with it: the luck of one sample is some six times as large as their error.
const SKETCH: i64 = 40;
/// What a board that is kept takes in memory, roughly.
const BOARD: usize = 30_000;

/// A simulated candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedCandidate {
    /// The candidate, with its place before simulation.
    pub candidate: Candidate,
    /// The chance to win by what the candidate is worth without search.
    pub static_win: WinProb,
    /// The chances to win, in parts of [`WinProb::SCALE`].
    pub win: SampleStats,
    /// What was gained on the others, in thousandths of a point.
    pub gain: SampleStats,
    /// Turn by turn after the candidate.
    pub plies: Vec<PlyStats>,
    /// The most frequent answer, and its share.
    pub reply: Option<(Turn, f64)>,
    /// Whether nothing was estimated: the candidate ends the game, and all tiles are known.
    pub exact: bool,
    /// Whether it was still in the race.
    pub live: bool,
}

/// What a simulation has found.
#[derive(Clone, Debug, PartialEq)]
pub struct SimResult {
    /// All candidates, the best first.
    pub candidates: Vec<SimulatedCandidate>,
    /// How many worlds were sampled.
    pub iterations: u64,
    /// How often a candidate was played out.
    pub rollouts: u64,
    /// How many turns were played at most after a candidate.
    pub plies: usize,
    /// How many candidates have dropped out.
    pub dropped: usize,
}

impl SimResult {
    /// The turn to take: of those that form only words, the best; a pass if there is none.
    pub fn best(&self) -> Turn {
        let valid = |simulated: &&SimulatedCandidate| simulated.candidate.valid;
        let best = self.candidates.iter().find(valid);
        best.map_or(Turn::Pass, |best| best.candidate.turn)
    }
}

/// Simulates candidates, in the order of what they are worth without search,
/// within a budget. `progress` is shown how it stands after each round, and
/// asks for the standing if it wants to tell it.
pub fn simulate(
    position: &Position,
    knowledge: SearchKnowledge,
    chances: WinModel,
    candidates: &[Candidate],
    request: &SimRequest,
    budget: &Budget,
    progress: &mut dyn FnMut(&dyn Fn() -> SimResult),
) -> SimResult {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // More would only get in each other's way.
    let threads = request.threads.clamp(1, THREADS_A_CORE * cores);
    let plies = request.plies.unwrap_or_else(|| plies_for(position));
    let scene = Scene {
        position,
        knowledge,
        chances,
        candidates,
        seed: request.seed,
        plies: plies.min(MAX_PLIES),
        keeps_boards: candidates.len() * threads * BOARD <= request.memory,
    };
    let patience = || budget.may_continue();
    // Rollouts that end before the game does come to no ending.
    let ends = is_late(position) && scene.plies == MAX_PLIES;
    let ends = ends && request.endgame_verdicts && endgame::is_plain(position);
    let tables = if ends { threads } else { 0 };
    let tables: Vec<TranspositionTable> = (0..tables)
        .map(|_| TranspositionTable::new(endings::TABLE))
        .collect();
    let mut race = Race::new(&scene, request, ends);
    let mut crew = Crew::new(&scene, threads, &tables, &patience);
    while race.goes_on(budget) {
        let round = race.next_round();
        let units = crew.run(&round, budget);
        race.add(&round, &units);
        progress(&|| race.standing());
    }
    race.standing()
}

/// How many turns to play after a candidate. Towards the end of the game the
/// way to it matters more than any estimate, and it is short.
pub fn plies_for(position: &Position) -> usize {
    let (rack, others) = (position.rules().rack_size, position.player_count() - 1);
    // By targets, a game is won long before the tables of chances would say so.
    let has_target = (0..=others).any(|seat| position.rules().target(seat, others + 1).is_some());
    match position.bag_len() {
        _ if has_target => MAX_PLIES,
        _ if is_late(position) => MAX_PLIES,
        bag if bag <= 4 * rack => 3 * others,
        _ => 2 * others,
    }
}

/// Whether rollouts come to the end of the game.
fn is_late(position: &Position) -> bool {
    position.bag_len() <= 2 * position.rules().rack_size
}

/// Iterations to be made, and the candidates to be played out in each.
struct Round {
    iterations: Range<u64>,
    live: Vec<usize>,
    /// Whether endings are looked at.
    looks: bool,
}

/// A part of a round for one worker: some of the candidates, in one world.
struct Piece {
    iteration: u64,
    live: Range<usize>,
}

/// Fewer candidates than this are not shared out: they have their answers in common.
const PIECE: usize = 4;

impl Round {
    /// The parts of a round for so many workers. The last few iterations are
    /// cut into pieces, so that nobody waits long for the others.
    fn pieces(&self, workers: usize) -> Vec<Piece> {
        let (live, count) = (self.live.len(), self.iterations.end - self.iterations.start);
        let cut = self.iterations.end - count.min(2 * (workers as u64 - 1));
        let most = (live / PIECE).clamp(1, 4 * workers);
        let pieces = |iteration: u64| {
            let pieces = if iteration < cut { 1 } else { most };
            (0..pieces).map(move |piece| Piece {
                iteration,
                live: live * piece / pieces..live * (piece + 1) / pieces,
            })
        };
        self.iterations.clone().flat_map(pieces).collect()
    }
}

/// A sample of the candidate on a place of the round's live ones.
type Unit = (u64, usize, Sample);

/// Who is still in the race, and how it stands.
struct Race<'a> {
    scene: &'a Scene<'a>,
    request: &'a SimRequest,
    tallies: Vec<Tally>,
    live: Vec<usize>,
    pairs: Pairs,
    /// What each candidate's utility is without search, times [`PRIOR`].
    priors: Vec<i64>,
    /// Iterations that were asked for; some may have been cut short.
    begun: u64,
    rollouts: u64,
    certain_tiles: bool,
    /// Whether rollouts come to endings that can be looked at, and whether that is done yet.
    ends: bool,
    looks: bool,
    /// Iterations made before that.
    sketched: u64,
    /// When each candidate dropped out: after so many iterations.
    dropped: Vec<Option<u64>>,
}

impl<'a> Race<'a> {
    fn new(scene: &'a Scene<'a>, request: &'a SimRequest, ends: bool) -> Race<'a> {
        let arms = scene.candidates.len();
        let certain_tiles = is_certain(scene.position);
        // Where there is no luck, a sample says all that can be said.
        let weight = if certain_tiles { 0 } else { PRIOR };
        Race {
            scene,
            request,
            tallies: vec![Tally::default(); arms],
            live: (0..arms).collect(),
            pairs: Pairs::new(arms),
            priors: (0..arms)
                .map(|arm| rollout::without_search(scene, arm).utility() * weight)
                .collect(),
            begun: 0,
            rollouts: 0,
            certain_tiles,
            ends,
            // Where there is only one world, there is only one sample.
            looks: ends && certain_tiles,
            sketched: 0,
            dropped: vec![None; arms],
        }
    }

    /// The most iterations there are to make.
    fn limit(&self) -> u64 {
        match self.certain_tiles {
            true => 1,
            false => self.request.iterations.unwrap_or(MAX_ITERATIONS),
        }
    }

    fn goes_on(&self, budget: &Budget) -> bool {
        if self.live.is_empty() || self.begun >= self.limit() {
            return false;
        }
        let settled = |confidence: StopConfidence| {
            let arms = self.scene.candidates.len() as f64;
            // As many comparisons may each go wrong.
            self.is_settled((arms * 1_000.0 / f64::from(confidence.wrong_per_thousand)).ln())
        };
        if self.request.confidence.is_some_and(settled) {
            return false;
        }
        match budget.advice() {
            TimeAdvice::Continue => true,
            TimeAdvice::ContinueUnlessSettled => !self.is_settled(SURELY),
            TimeAdvice::ContinueIfClose => self.is_close(),
            TimeAdvice::Stop => false,
        }
    }

    /// Whether all others are behind the leader with such evidence, or cannot be better by what matters.
    fn is_settled(&self, evidence: f64) -> bool {
        let is_beaten = |ahead: Difference| {
            let most = 3.0 * ahead.error() - ahead.mean;
            ahead.evidence() >= evidence || most < EQUAL
        };
        self.pairs.count() >= FEWEST && self.leads().all(is_beaten)
    }

    /// Whether some other may well be better than the leader by what matters.
    fn is_close(&self) -> bool {
        let may_be_better = |ahead: Difference| ahead.mean - ahead.error() < -2.0 * EQUAL;
        self.leads().any(may_be_better)
    }

    /// How far the leader is ahead of each other that could be chosen.
    fn leads(&self) -> impl Iterator<Item = Difference> {
        let leader = self.leader();
        let rivals = self.live.iter().filter(move |&&arm| arm != leader);
        let rivals = rivals.filter(|&&arm| self.scene.candidates[arm].valid);
        rivals.map(move |&arm| self.pairs.difference(leader, arm))
    }

    /// The best live candidate; of equals the one that was better before.
    fn leader(&self) -> usize {
        let valid = |&&arm: &&usize| self.scene.candidates[arm].valid;
        let live = self.live.iter().filter(valid);
        let best = live.max_by_key(|&&arm| (self.total(arm), Reverse(arm)));
        best.or(self.live.first()).copied().unwrap_or(0)
    }

    /// How many worlds were sampled.
    fn iterations(&self) -> u64 {
        self.sketched + self.pairs.count()
    }

    /// What live candidates are ordered by: the sum of all utilities, with that without search.
    fn total(&self, arm: usize) -> i64 {
        self.pairs.sum(arm) + self.priors[arm]
    }

    fn next_round(&mut self) -> Round {
        if self.ends && !self.looks && self.pairs.count() >= SKETCHED {
            self.look();
        }
        let size = (self.begun / 4).clamp(2, MAX_ROUND);
        let first = self.begun;
        self.begun = (first + size).min(self.limit());
        Round {
            iterations: first..self.begun,
            live: self.live.clone(),
            looks: self.looks,
        }
    }

    /// Looks at endings from now on. What was found before is an opinion on what will be found.
    fn look(&mut self) {
        let made = self.pairs.count() as i64;
        // Both the luck of few samples and the error that stays with many make it count less.
        let counts = made * SKETCH / (made + SKETCH);
        for arm in 0..self.priors.len() {
            self.priors[arm] = match self.dropped[arm] {
                Some(_) => self.total(arm),
                None => self.total(arm) * counts / (made + PRIOR),
            };
        }
        self.pairs = Pairs::new(self.tallies.len());
        self.tallies.iter_mut().for_each(Tally::look);
        self.sketched = made as u64;
        self.looks = true;
    }

    /// Adds the samples of a round, and drops who is surely behind. Iterations
    /// that were cut short do not count: candidates are compared in the same worlds.
    fn add(&mut self, round: &Round, units: &[Unit]) {
        let whole = units.chunk_by(|a, b| a.0 == b.0);
        for iteration in whole.filter(|units| units.len() == round.live.len()) {
            let utilities: Vec<i64> = iteration.iter().map(|unit| unit.2.utility()).collect();
            self.pairs.add(&round.live, &utilities);
            for ((_, _, sample), &arm) in iteration.iter().zip(&round.live) {
                self.tallies[arm].add(sample);
            }
            self.rollouts += iteration.len() as u64;
        }
        if self.pairs.count() >= FEWEST
            && let Some(evidence) = self.request.elimination.evidence()
        {
            self.drop_behind(evidence);
        }
    }

    /// Drops those that are behind the leader with such evidence. Two always
    /// stay, and those that were asked for: a client wants to know about
    /// these, and time that is left is best spent on the closest rival.
    fn drop_behind(&mut self, evidence: f64) {
        let leader = self.leader();
        let rivals = self.live.iter().filter(|&&arm| arm != leader);
        let rival = rivals.max_by_key(|&&arm| (self.total(arm), Reverse(arm)));
        let rival = rival.copied();
        let pairs = &self.pairs;
        let stays = |&arm: &usize| {
            arm == leader
                || Some(arm) == rival
                || self.scene.candidates[arm].requested
                || pairs.difference(leader, arm).evidence() < evidence
        };
        let (staying, dropped): (Vec<usize>, Vec<usize>) =
            self.live.iter().partition(|arm| stays(arm));
        let iterations = self.iterations();
        for arm in dropped {
            self.dropped[arm] = Some(iterations);
        }
        self.live = staying;
    }

    fn standing(&self) -> SimResult {
        let simulated = |arm: usize| {
            let tally = &self.tallies[arm];
            SimulatedCandidate {
                candidate: self.scene.candidates[arm],
                static_win: rollout::without_search(self.scene, arm).win,
                win: tally.win(),
                gain: tally.gain,
                plies: tally.plies.clone(),
                reply: tally.reply(),
                exact: self.certain_tiles && tally.ends_game,
                live: self.dropped[arm].is_none(),
            }
        };
        let mut order: Vec<usize> = (0..self.tallies.len()).collect();
        // Who dropped out late was better than who dropped out early; means of few samples are luck.
        order.sort_by_key(|&arm| {
            let iterations = self.dropped[arm].unwrap_or(u64::MAX);
            (Reverse(iterations), Reverse(self.total(arm)), arm)
        });
        SimResult {
            candidates: order.into_iter().map(simulated).collect(),
            iterations: self.iterations(),
            rollouts: self.rollouts,
            plies: self.scene.plies,
            dropped: self.tallies.len() - self.live.len(),
        }
    }
}

/// Whether there is only one way to deal what is unknown.
fn is_certain(position: &Position) -> bool {
    let unknown = |seat: &usize| position.rack(*seat).unknown > 0;
    position.bag_len() == 0 && position.turn_order().filter(unknown).count() <= 1
}

/// A worker, made by its own thread when it is needed first, and the table it has for endings.
type Worker<'a> = (Option<&'a TranspositionTable>, Option<Roller<'a>>);

/// The workers.
struct Crew<'a> {
    scene: &'a Scene<'a>,
    patience: ContinueCheck<'a>,
    workers: Vec<Worker<'a>>,
    /// None for one thread, which works at once where it is.
    pool: Option<rayon::ThreadPool>,
}

impl<'a> Crew<'a> {
    /// With a table for each, if rollouts end in endings that are looked at.
    fn new(
        scene: &'a Scene<'a>,
        threads: usize,
        tables: &'a [TranspositionTable],
        patience: ContinueCheck<'a>,
    ) -> Crew<'a> {
        let pool = (threads > 1).then(|| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // Without threads it goes on with one, which is slower but no other answer.
            pool.build().ok()
        });
        let pool = pool.flatten();
        let workers = if pool.is_some() { threads } else { 1 };
        Crew {
            scene,
            patience,
            workers: (0..workers).map(|at| (tables.get(at), None)).collect(),
            pool,
        }
    }

    /// Makes a round, or as much of it as the budget allows; samples in the order of iterations and candidates.
    fn run(&mut self, round: &Round, budget: &Budget) -> Vec<Unit> {
        let pieces = round.pieces(self.workers.len());
        let next = AtomicUsize::new(0);
        let (scene, patience) = (self.scene, self.patience);
        let work = |(table, roller): &mut Worker<'a>| {
            let mut units = Vec::new();
            let roller = roller.get_or_insert_with(|| Roller::new(scene, *table, patience));
            while let Some(piece) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
                roller.deal(piece.iteration, piece.live.len());
                for at in piece.live.clone() {
                    let sample = roller.run(piece.iteration, round.live[at], round.looks);
                    // A rollout may have been cut short.
                    if !budget.may_continue() {
                        return units;
                    }
                    units.push((piece.iteration, at, sample));
                }
            }
            units
        };
        let mut units: Vec<Unit> = match &self.pool {
            None => self.workers.iter_mut().flat_map(work).collect(),
            Some(pool) => {
                let workers = &mut self.workers;
                pool.install(|| workers.par_iter_mut().flat_map_iter(work).collect())
            }
        };
        units.sort_unstable_by_key(|(iteration, at, _)| (*iteration, *at));
        units
    }
}
