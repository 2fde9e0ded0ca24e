//! Analysis of a position in which the rack of the player to move is partly known.
//!
//! Complete racks are sampled around the known tiles: the others are drawn from the unseen tiles,
//! each equally likely, as they were dealt from the bag. Each complete rack is searched with its
//! share of the limits. [`SampledAnalysis`] has the mean value of the best move over the racks, and
//! the mean value and loss of every move that the known tiles allow and that was looked at.
//!
//! The best of many noisy values is too high on average. So one half of a rack's share chooses its
//! best move by simulation, and the other half values that move and those it is compared with in
//! worlds of their own. Solvers need no second half.

use super::go::{SearchControl, plan, refuse_unknown_rack, run, spawn};
use super::history::add_known_tiles;
use super::table::no_position;
use super::{
    Analysis, AnalyzedMove, Engine, EngineError, Figure, Mode, Provenance, SearchData,
    SearchDefaults, SearchRequest, bad_position, referee,
};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::Budget;
use crate::search::ranking::{self, RankingRequest, RankingScope};
use crate::search::sim::{SampleStats, UTILITY_PER_POINT};
use crate::search::think::{DEFAULT_ITERATIONS, Plan};
use crate::seed::Seed;
use crate::units::{Points, WinProb};
use std::time::Duration;

/// The number of racks that are sampled if the limits allow it. Chosen by hand: the standard error
/// of a mean over 20 racks is 22 % of the standard deviation between racks.
pub const DEFAULT_RACKS: usize = 20;
/// The most racks that a request may ask for. Chosen by hand.
pub const MAX_RACKS: usize = 1_000;
/// The fewest racks, unless a request asks for fewer. Chosen by hand.
const MIN_RACKS: usize = 5;
/// With less time than this for a rack, fewer racks are sampled. Chosen by hand.
const MIN_RACK_TIME: Duration = Duration::from_millis(100);
/// The same in iterations: with fewer, noise would often choose the best move. Chosen by hand.
const MIN_RACK_ITERATIONS: u64 = 40;
/// The number of best moves of the known tiles alone that are valued on every rack. Chosen by hand.
const KNOWN_TILE_MOVES: usize = 10;
/// Win probabilities and points are added up as integers, in this part of a percent or point.
const STEPS_PER_UNIT: f64 = 1e6;

/// What a sampled search has found so far.
#[derive(Clone)]
pub struct SampledAnalysis {
    /// The position. The known tiles of its rack include those of the move played.
    pub position: Position,
    /// The engine and the data that the search uses.
    pub provenance: Provenance,
    /// What is unusual about the data, for people.
    pub data_notes: Vec<String>,
    /// The time since the search began.
    pub elapsed: Duration,
    /// Our own fault, if the search failed.
    pub failure: Option<String>,
    /// Whether the search has ended.
    pub is_final: bool,
    /// The number of racks that were sampled and searched.
    pub racks: u64,
    /// The value of the best move of each rack.
    pub best: SampledValue,
    /// The moves that were valued on every rack, the best first.
    pub moves: Vec<SampledMove>,
    /// Worlds that simulations sampled.
    pub iterations: u64,
    /// Rollouts that simulations made.
    pub rollouts: u64,
    /// The most turns of a rollout.
    pub plies: usize,
    /// Positions that solvers searched.
    pub nodes: u64,
}

/// A move over all racks.
#[derive(Clone)]
pub struct SampledMove {
    /// The move.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
    /// Whether it forms only valid words.
    pub valid: bool,
    /// Whether the request names it, or it was played.
    pub requested: bool,
    /// Its value.
    pub value: SampledValue,
    /// The value of the best move of each rack minus its own.
    pub loss: SampledValue,
    /// The number of racks on which it is the best move.
    pub times_best: u64,
}

/// A value over the racks on which it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampledValue {
    win: SampleStats,
    equity: SampleStats,
}

/// A sampled search in progress.
pub struct SampledSearch {
    /// What it has found so far; whoever receives the reports puts the last one here.
    pub analysis: SampledAnalysis,
    /// The way to end it.
    pub control: SearchControl,
}

/// What a sampled search is about, beside the position.
pub struct SampledRequest<'a> {
    /// The search of each rack; its limits are those of all racks together.
    pub search: &'a SearchRequest,
    /// The move that was played; its tiles were on the rack.
    pub played: Option<Turn>,
    /// The number of racks; by default as many as suit the limits, up to [`DEFAULT_RACKS`].
    pub racks: Option<usize>,
}

impl Engine {
    /// Makes the tiles of a move that was played known to have been on the rack.
    pub fn add_played_tiles(&mut self, played: &Turn) -> Result<(), EngineError> {
        let table = self.table.as_mut().ok_or_else(no_position)?;
        add_known_tiles(&mut table.game, &played.tiles_from_rack()).map_err(bad_position)
    }

    /// Whether racks have to be sampled: some tiles of the player to move are unknown, and some are
    /// known or the turn `has_move`. Without either nothing can be said about a single move.
    pub fn needs_sampling(&self, has_move: bool) -> bool {
        let game = self.game().filter(|game| game.end().is_none());
        let rack = game.map(|game| game.position().mover_rack());
        rack.is_some_and(|rack| rack.unknown > 0 && (!rack.known.is_empty() || has_move))
    }

    /// Samples racks and searches them in the calling thread.
    pub fn analyze_sampled(
        &mut self,
        request: &SampledRequest,
    ) -> Result<SampledAnalysis, EngineError> {
        Ok(self.sampled_plan(request)?.run(&|_| {}))
    }

    /// Samples racks and searches them in a thread of its own. `report` is called from that thread
    /// after each rack; the last report is final.
    pub fn go_sampled(
        &mut self,
        request: &SampledRequest,
        report: impl Fn(SampledAnalysis) + Send + 'static,
    ) -> Result<SampledSearch, EngineError> {
        let plan = self.sampled_plan(request)?;
        let search = SampledSearch {
            analysis: plan.nothing_found(),
            control: SearchControl {
                stop: plan.budget.stop_token(),
                infinite: false,
            },
        };
        spawn(move || report(plan.run(&report))).map(|()| search)
    }

    /// Resolves a request against the position, starts the clock and loads the data.
    fn sampled_plan(&mut self, request: &SampledRequest) -> Result<SampledPlan, EngineError> {
        let table = self.table.clone().ok_or_else(no_position)?;
        let position = table.game.position().clone();
        if !self.needs_sampling(true) {
            refuse_unknown_rack(&position, table.game.end().is_some())?;
        }
        let budget = request.search.budget(&position);
        let data = self.prepare(request.search.mode)?;
        SampledPlan::new(position, data, &self.options.search, request, budget)
    }
}

/// A sampled search that is ready to run.
pub(super) struct SampledPlan {
    position: Position,
    data: SearchData,
    defaults: SearchDefaults,
    /// The search of each rack, with its share of the iterations.
    search: SearchRequest,
    /// The moves that are valued on every rack.
    named: Vec<Turn>,
    /// How many of them, from the first, the request names.
    requested: usize,
    racks: usize,
    /// Whether the request names their number.
    is_chosen: bool,
    seed: Seed,
    budget: Budget,
}

impl SampledPlan {
    /// Resolves a request against a position.
    pub fn new(
        position: Position,
        data: SearchData,
        defaults: &SearchDefaults,
        request: &SampledRequest,
        budget: Budget,
    ) -> Result<SampledPlan, EngineError> {
        let mut search = with_limit(request.search, &budget);
        let racks = rack_count(request.racks, &search);
        let share = |iterations: u64| (iterations / racks as u64).max(1);
        search.iterations = search.iterations.map(share);
        let mut sampled = SampledPlan {
            named: Vec::new(),
            requested: 0,
            racks,
            is_chosen: request.racks.is_some(),
            seed: Seed(search.seed.unwrap_or(defaults.seed)),
            position,
            data,
            defaults: defaults.clone(),
            search,
            budget,
        };
        sampled.name_moves(request.played)?;
        // A mode that does not suit the position is refused before the search begins.
        let (rack, seed) = sampled.sample(0);
        let (only, share) = (&sampled.search.only, sampled.search.iterations);
        sampled.plan(&rack, only, share, seed, &sampled.budget)?;
        Ok(sampled)
    }

    /// Collects the moves that are valued on every rack: the one played, those that the request
    /// names, and the best ones of the known tiles alone.
    fn name_moves(&mut self, played: Option<Turn>) -> Result<(), EngineError> {
        let mut known = self.position.clone();
        let tiles = known.mover_rack().known;
        known
            .set_rack(known.to_move(), tiles)
            .map_err(bad_position)?;
        let lexicon = &self.data.words.lexicon;
        let only = referee::resolve(&known, &self.search.only, Some(lexicon))?;
        let also = referee::resolve(&known, &self.search.also, None)?;
        // With fewer tiles on the rack the bag is larger, which may allow an exchange by mistake.
        for named in [&self.search.only, &self.search.also] {
            referee::resolve(&self.position, named, None)?;
        }
        let is_legal = |turn: &Turn| self.position.clone().play(turn).is_ok();
        let requested = played.into_iter().chain(also);
        requested.for_each(|turn| add_new(&mut self.named, turn));
        self.requested = self.named.len();
        let request = RankingRequest {
            count: KNOWN_TILE_MOVES,
            scope: RankingScope::Best,
            only,
            also: Vec::new(),
        };
        let ranking = ranking::rank(&known, self.data.knowledge(), &request, &self.budget);
        let best = ranking.candidates.iter().map(|candidate| candidate.turn);
        let best: Vec<Turn> = best.filter(is_legal).take(KNOWN_TILE_MOVES).collect();
        best.into_iter()
            .for_each(|turn| add_new(&mut self.named, turn));
        let (grid, tiles) = (known.grid(), &known.rules().tiles);
        let texts = self
            .named
            .iter()
            .map(|turn| moves::write(turn, grid, tiles));
        self.search.also = texts.collect();
        Ok(())
    }

    /// Searches the racks one after the other and reports after each.
    pub fn run(&self, report: &dyn Fn(SampledAnalysis)) -> SampledAnalysis {
        let mut found = self.nothing_found();
        for at in 0..self.racks {
            if !self.budget.may_continue() {
                break;
            }
            let share = (self.racks - at) as u32;
            let budget = self.budget.fraction(share, Duration::MAX);
            let (position, seed) = self.sample(at as u64);
            let searched = self.search_rack(&position, seed, &budget);
            found.elapsed = self.budget.elapsed();
            match searched {
                // A search that was stopped half-way does not count.
                Ok(_) if self.budget.stop_token().is_stopped() => break,
                Ok(searched) => found.add(&searched, self.search.mode),
                Err(error) => found.failure = Some(error.text),
            }
            if found.failure.is_some() {
                break;
            }
            report(found.clone());
        }
        found.is_final = true;
        let few = self.too_few_racks(found.racks);
        found
            .data_notes
            .extend(few.filter(|_| found.failure.is_none()));
        found
    }

    /// A warning if the limits allowed for fewer racks than the request names, or without a number
    /// for fewer than usual. Whoever stops the search knows it.
    fn too_few_racks(&self, racks: u64) -> Option<String> {
        let wanted = match self.is_chosen {
            true => self.racks as u64,
            false => DEFAULT_RACKS as u64,
        };
        if self.budget.stop_token().is_stopped() || racks >= wanted {
            return None;
        }
        let all = DEFAULT_RACKS as u64;
        let (time, iterations) = (
            MIN_RACK_TIME.as_millis() as u64 * all,
            MIN_RACK_ITERATIONS * all,
        );
        let sampled = match racks {
            0 => "no rack was".to_string(),
            1 => "only 1 rack was".to_string(),
            racks => format!("only {racks} racks were"),
        };
        let rough = format!("{sampled} sampled within the limits, so that the figures are rough");
        Some(match self.is_chosen {
            true => format!("{rough}; the request asks for {wanted}, which need more time"),
            false => format!(
                "{rough}; {all} racks are sampled with a limit of {time} ms or {iterations} iterations"
            ),
        })
    }

    fn nothing_found(&self) -> SampledAnalysis {
        let named = self.named.iter().enumerate();
        let named = named.map(|(at, turn)| SampledMove {
            turn: *turn,
            points: Points::ZERO,
            valid: self.is_valid(turn),
            requested: at < self.requested,
            value: SampledValue::default(),
            loss: SampledValue::default(),
            times_best: 0,
        });
        let one = Analysis::new(self.position.clone(), &self.data);
        SampledAnalysis {
            data_notes: one.data_notes().cloned().collect(),
            position: one.position,
            provenance: one.provenance,
            elapsed: Duration::ZERO,
            failure: None,
            is_final: false,
            racks: 0,
            best: SampledValue::default(),
            moves: named.collect(),
            iterations: 0,
            rollouts: 0,
            plies: 0,
            nodes: 0,
        }
    }

    /// Whether a move forms only valid words.
    fn is_valid(&self, turn: &Turn) -> bool {
        let lexicon = &self.data.words.lexicon;
        !turn.changes_board() || referee::refuse_phonies(&self.position, turn, lexicon).is_ok()
    }

    /// The position with the sampled rack of this number, and the seed of its search.
    fn sample(&self, rack: u64) -> (Position, Seed) {
        let seed = self.seed.for_unit(rack);
        let mut position = self.position.clone();
        let held = *position.mover_rack();
        let mut unseen = *position.unseen();
        let mut tiles = unseen.draw(held.unknown.into(), &mut seed.for_unit(0).generator());
        tiles.add_all(&held.known);
        // The tiles come from the unseen ones, so that they cannot be too many.
        let _ = position.set_rack(position.to_move(), tiles);
        (position, seed)
    }

    /// Finds the best move of a complete rack, and values it and the named moves.
    fn search_rack(
        &self,
        position: &Position,
        seed: Seed,
        budget: &Budget,
    ) -> Result<SearchedRack, EngineError> {
        let (only, share) = (&self.search.only, self.search.iterations);
        let half = share.map(|iterations| iterations.div_ceil(2));
        let chooser = seed.for_unit(1);
        let part = budget.fraction(2, Duration::MAX);
        let mut choice = self.plan(position, only, half, chooser, &part)?;
        let is_simulated = choice.method() == Mode::Simulate;
        if !is_simulated {
            choice = self.plan(position, only, share, chooser, budget)?;
        }
        let choice = run(position, &self.data, &choice);
        let best = choice.best().unwrap_or(Turn::Pass);
        let mut searched = SearchedRack {
            best,
            choice,
            valuation: None,
        };
        // If the choice took all the time, its own figures have to do.
        if is_simulated && budget.may_continue() {
            let text = moves::write(&best, position.grid(), &position.rules().tiles);
            let valuation = self.plan(position, &[text], half, seed.for_unit(2), budget)?;
            searched.valuation = Some(run(position, &self.data, &valuation));
        }
        Ok(searched)
    }

    /// The search of one complete rack.
    fn plan(
        &self,
        position: &Position,
        only: &[String],
        iterations: Option<u64>,
        seed: Seed,
        budget: &Budget,
    ) -> Result<Plan, EngineError> {
        let request = SearchRequest {
            only: only.to_vec(),
            iterations,
            seed: Some(seed.0),
            ..self.search.clone()
        };
        let budget = budget.clone();
        plan(position, &self.data, &self.defaults, &request, budget)
    }
}

impl SampledAnalysis {
    /// The move to make: the best one by mean value that forms only valid words. There is none if
    /// nothing is known of the rack and the request names no move: then no play was looked at.
    pub fn best_move(&self) -> Option<&SampledMove> {
        let is_blind = self.position.mover_rack().known.is_empty();
        let is_requested = self.moves.iter().any(|found| found.requested);
        let mut valid = self.moves.iter().filter(|found| found.valid);
        valid.next().filter(|_| !is_blind || is_requested)
    }

    /// Adds what was found about one rack.
    fn add(&mut self, searched: &SearchedRack, mode: Mode) {
        let (best, valuation) = (searched.best, searched.valuation.as_ref());
        for analysis in [&searched.choice].into_iter().chain(valuation) {
            self.add_work(analysis);
        }
        let candidates = valuation.unwrap_or(&searched.choice).candidates();
        let find = |turn: &Turn| {
            let mut found = candidates.iter();
            found.find(|found| found.candidate.turn == *turn)
        };
        let Some(best_figures) = find(&best).map(|found| RackFigures::new(found, mode)) else {
            return;
        };
        if best_figures == RackFigures::default() {
            return;
        }
        self.racks += 1;
        self.best.add(best_figures);
        for found in &mut self.moves {
            let Some(candidate) = find(&found.turn) else {
                continue;
            };
            let figures = RackFigures::new(candidate, mode);
            found.points = candidate.candidate.worth.points;
            found.value.add(figures);
            found.loss.add(best_figures.minus(figures));
            found.times_best += u64::from(found.turn == best);
        }
        // A stable sort: equal moves stay in the order in which they were named.
        self.moves
            .sort_by(|a, b| b.value.utility().total_cmp(&a.value.utility()));
    }

    fn add_work(&mut self, analysis: &Analysis) {
        if let Some(found) = analysis.simulation() {
            self.iterations += found.iterations;
            self.rollouts += found.rollouts;
            self.plies = self.plies.max(found.plies);
        }
        let solution = analysis.solution();
        self.nodes += solution.map_or(0, |found| found.decided_positions());
        self.failure = self.failure.take().or(analysis.failure.clone());
    }
}

/// What was found about one complete rack.
struct SearchedRack {
    best: Turn,
    /// The search that chose the best move.
    choice: Analysis,
    /// The simulation that values it and the named moves; without one, the choice does.
    valuation: Option<Analysis>,
}

/// The figures of a move on one rack, in steps, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RackFigures {
    win: Option<i64>,
    equity: Option<i64>,
}

impl RackFigures {
    /// The figures of a search; without search, the static equity.
    fn new(found: &AnalyzedMove, mode: Mode) -> RackFigures {
        let steps = |value: f64| (value * STEPS_PER_UNIT).round() as i64;
        if mode == Mode::Rank {
            let equity = f64::from(found.candidate.worth.total().millis()) / 1e3;
            return RackFigures {
                win: None,
                equity: Some(steps(equity)),
            };
        }
        RackFigures {
            win: found.win().map(|figure| steps(figure.value)),
            equity: found.equity().map(|figure| steps(figure.value)),
        }
    }

    fn minus(self, other: RackFigures) -> RackFigures {
        let minus = |a: Option<i64>, b: Option<i64>| Some(a? - b?);
        RackFigures {
            win: minus(self.win, other.win),
            equity: minus(self.equity, other.equity),
        }
    }
}

impl SampledValue {
    /// The mean win probability in percent, or the mean loss of it, with its standard error over
    /// the racks.
    pub fn win(&self) -> Option<Figure> {
        mean(&self.win)
    }

    /// The mean equity in points, or the mean loss of it, with its standard error over the racks.
    pub fn equity(&self) -> Option<Figure> {
        mean(&self.equity)
    }

    fn add(&mut self, figures: RackFigures) {
        if let Some(win) = figures.win {
            self.win.add(win);
        }
        if let Some(equity) = figures.equity {
            self.equity.add(equity);
        }
    }

    /// What moves are compared by, in percent: the win probability, and as small a part of the
    /// points as in a simulation. Moves without figures come last.
    fn utility(&self) -> f64 {
        let per_point = percent_per_point();
        let value = |figure: Option<Figure>| figure.map(|figure| figure.value);
        match (value(self.win()), value(self.equity())) {
            (None, None) => f64::NEG_INFINITY,
            (win, equity) => win.unwrap_or(0.0) + equity.unwrap_or(0.0) * per_point,
        }
    }
}

/// What a point is worth beside the win probability, in percent.
pub(super) fn percent_per_point() -> f64 {
    UTILITY_PER_POINT as f64 * 100.0 / f64::from(WinProb::SCALE)
}

fn mean(stats: &SampleStats) -> Option<Figure> {
    (stats.count > 0).then(|| Figure {
        value: stats.mean() / STEPS_PER_UNIT,
        error: (stats.count > 1).then(|| stats.error() / STEPS_PER_UNIT),
    })
}

/// The request with a limit that does not depend on the speed of the machine, if it has none.
pub(super) fn with_limit(request: &SearchRequest, budget: &Budget) -> SearchRequest {
    let is_limited = budget.is_timed() || request.confidence.is_some();
    let default = (!is_limited).then_some(DEFAULT_ITERATIONS);
    SearchRequest {
        iterations: request.iterations.or(default),
        ..request.clone()
    }
}

/// The number of racks to sample within the limits of a request.
fn rack_count(requested: Option<usize>, request: &SearchRequest) -> usize {
    let by_time = request
        .time
        .map(|time| time.as_millis() / MIN_RACK_TIME.as_millis());
    let by_iterations = request
        .iterations
        .map(|iterations| iterations / MIN_RACK_ITERATIONS);
    let fewer = |racks: u128| racks.clamp(MIN_RACKS as u128, DEFAULT_RACKS as u128) as usize;
    let limits = by_time.into_iter().chain(by_iterations.map(u128::from));
    let suitable = limits.min().map_or(DEFAULT_RACKS, fewer);
    match (requested, request.mode) {
        (Some(racks), _) => racks,
        // Without search a rack takes no more than some milliseconds.
        (None, Mode::Rank) => DEFAULT_RACKS,
        (None, _) => suitable,
    }
}

fn add_new(turns: &mut Vec<Turn>, turn: Turn) {
    if !turns.contains(&turn) {
        turns.push(turn);
    }
}
