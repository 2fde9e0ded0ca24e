//! Search strategy: which search a position gets, with which limits, and in which order.
//!
//! The input is a [`SearchRequest`], the defaults for what it leaves open, and the position.
//! [`Plan::new`] chooses the search by mode and [`Phase`] and fills in the limits. [`Plan::run`]
//! carries the plan out and sends [`Report`]s:
//!
//! 1. Rank the moves by static evaluation ([`ranking`]).
//! 2. By phase: nothing more, simulate ([`sim`]), or solve ([`solve`]). Before a pre-endgame is
//!    solved, its candidates are simulated briefly; the results are the priors of the solver.
//!
//! This module knows neither threads of the caller nor files. The engine loads the data, starts the
//! thread and folds the reports.

use super::clock::Clock;
use super::preendgame::{self, Prior};
use super::ranking::{
    self, Candidate, Ranking, RankingExtent, RankingRequest, RankingScope, SearchKnowledge,
};
use super::sim::{self, EliminationPolicy, SimRequest, SimResult, StopConfidence};
use super::solve::{self, Phase};
use super::{Budget, Goal, Solution, SolveContext, SolveRequest, StopToken};
use crate::eval::WinModel;
use crate::rules::{MAX_PLAYERS, Position, Turn};
use crate::seed::Seed;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Which search to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The search that suits the phase of the game.
    #[default]
    Auto,
    /// Rank all moves by static evaluation; no search.
    Rank,
    /// Monte Carlo simulation.
    Simulate,
    /// Solve the endgame.
    Endgame,
    /// Solve the pre-endgame.
    Preendgame,
}

/// What a caller wants from a search. `None` leaves a limit to [`SearchDefaults`] or to the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Which search to use.
    pub mode: Mode,
    /// The number of candidates.
    pub candidates: Option<usize>,
    /// Consider only these moves, given in their notation; all if it is empty.
    pub only: Vec<String>,
    /// Report on these moves too, whatever their rank.
    pub also: Vec<String>,
    /// The time limit.
    pub time: Option<Duration>,
    /// The clocks by seat, where they are known.
    pub clocks: [Option<Clock>; MAX_PLAYERS],
    /// The limit of iterations; for a solver, one iteration is `NODES_PER_ITERATION` nodes.
    pub iterations: Option<u64>,
    /// The number of plies after a candidate, or the depth of an endgame search.
    pub plies: Option<usize>,
    /// End as soon as the choice is this certain.
    pub confidence: Option<StopConfidence>,
    /// In an endgame or a pre-endgame, search only for the winner and not for the spread.
    pub first_win: bool,
    /// The seed of all random choices.
    pub seed: Option<u64>,
    /// The number of threads.
    pub threads: Option<usize>,
    /// Give no verdict before the stop token says so.
    pub infinite: bool,
}

impl SearchRequest {
    /// The time that a search of this position may take, from now on.
    pub fn budget(&self, position: &Position) -> Budget {
        let clock = self.clocks[position.to_move()].or(self.smallest_clock(position));
        let allotted = clock.map(|clock| clock.allot(position));
        Budget::new(StopToken::default(), self.time, allotted)
    }

    fn smallest_clock(&self, position: &Position) -> Option<Clock> {
        let given = self.clocks[..position.player_count()].iter().flatten();
        given
            .min_by_key(|clock| (clock.left_ms, clock.increment_ms))
            .copied()
    }

    /// The warning that the player to move has no clock although other players have one.
    pub fn clock_warning(&self, position: &Position) -> Option<String> {
        let seat = position.to_move();
        let smallest = self
            .smallest_clock(position)
            .filter(|_| self.clocks[seat].is_none())?;
        let (player, millis) = (seat + 1, smallest.left_ms);
        Some(format!(
            "player {player} is to move and has no clock; the smallest clock given, {millis} ms, counts"
        ))
    }

    /// Whether the request says when the search ends, in a game of this number of players.
    pub fn has_limit(&self, players: usize) -> bool {
        self.infinite
            || self.time.is_some()
            || self.iterations.is_some()
            || self.confidence.is_some()
            || self.clocks.iter().take(players).any(Option::is_some)
    }

    /// Whether anything outside the search limits it.
    fn is_limited(&self, budget: &Budget) -> bool {
        self.infinite || self.iterations.is_some() || budget.is_timed()
    }
}

/// The values of a search where its request leaves them open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchDefaults {
    /// The number of candidates.
    pub candidates: usize,
    /// The number of threads.
    pub threads: usize,
    /// The number of plies after a simulated move; `None` leaves it to the engine.
    pub plies: Option<usize>,
    /// The seed of all random choices.
    pub seed: u64,
    /// The memory that a simulation may use to be faster, in bytes.
    pub memory_bytes: usize,
    /// The size of a solver's transposition table, in bytes.
    pub table_bytes: usize,
    /// Whether [`Mode::Auto`] solves endgames, and simulations use quick verdicts of them.
    pub solves_endgames: bool,
    /// Whether [`Mode::Auto`] solves pre-endgames with at most `AUTO_PREENDGAME_TILES` in the bag.
    pub solves_preendgames: bool,
}

/// A simulation without any limit ends at this confidence, or after [`DEFAULT_ITERATIONS`]: limits
/// that do not depend on the speed of the machine. In wrong choices per thousand. Chosen by hand.
const DEFAULT_CONFIDENCE: StopConfidence = StopConfidence {
    wrong_per_thousand: 10,
};
/// The iterations of a search without any limit: some ten seconds. Chosen by hand.
pub(crate) const DEFAULT_ITERATIONS: u64 = 1_000;
/// The nodes of a solver that count as one iteration, because they take about as long as one
/// iteration of a simulation.
pub const NODES_PER_ITERATION: u64 = 1_000;
/// [`Mode::Auto`] solves pre-endgames with at most this many tiles in the bag. With more, short
/// searches prove too little. Chosen by hand.
pub const AUTO_PREENDGAME_TILES: usize = 4;
/// The largest number of threads that solve one position. With more, contention for the shared
/// table outweighs the gain. Guess.
const MAX_SOLVER_THREADS: usize = 256;
/// The greatest depth of an endgame search in plies: deeper than any endgame.
const MAX_DEPTH_PLIES: usize = 200;
/// The shortest time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The simulation that gives a pre-endgame solver its priors gets one part of this many of the time
/// or of the iterations, and at most this long. With one or two tiles in the bag, proofs come fast,
/// and the priors need little. Chosen by hand.
const PRIOR_TIME: (u32, Duration) = (3, Duration::from_millis(500));
/// From this number of tiles in the bag little can be proved, and a quick verdict of one world
/// takes as long as ten rollouts or more, so that simulation gets more of the time.
const LONG_PRIOR_BAG_TILES: usize = 3;
/// [`PRIOR_TIME`] with [`LONG_PRIOR_BAG_TILES`] or more in the bag. Half of the time was measured to
/// be better than a third.
const LONG_PRIOR_TIME: (u32, Duration) = (2, Duration::from_secs(5));
/// The iterations of that simulation if the search has no limit. Chosen by hand.
const PRIOR_ITERATIONS: u64 = 200;
/// The number of candidates that are simulated for their priors. Chosen by hand.
const PRIOR_CANDIDATES: usize = 60;

/// What a running search reports. The last report is the verdict, and there is exactly one.
pub enum Report {
    /// The candidates by static evaluation, and the time so far.
    Ranking(Ranking, Duration),
    /// The figures of a simulation, the time so far, and whether they are final.
    Simulation(Box<SimResult>, Duration, bool),
    /// The figures of a solver, the time so far, and whether they are final.
    Solution(Box<Solution>, Duration, bool),
    /// Our own fault. The verdict will be the best move known.
    Failed(String),
    /// The move to make.
    Verdict(Turn),
}

/// A search that is ready to run: every choice is made, every limit is known.
pub(crate) struct Plan {
    ranking: RankingRequest,
    /// The number of candidates to report.
    reported: usize,
    work: Work,
    /// The time that it may take.
    pub budget: Budget,
    /// Whether the verdict waits for the stop token.
    pub infinite: bool,
}

/// What follows the static ranking.
enum Work {
    /// The game is over: not even a ranking.
    GameOver,
    Nothing,
    Simulate(SimRequest),
    /// The second request is the simulation that gives a pre-endgame its priors.
    Solve(Phase, SolveRequest, Option<SimRequest>),
}

impl Plan {
    /// Plans a search, or says why this position cannot be searched in the mode of the request.
    /// `only` and `also` are the moves that the request names.
    pub fn new(
        request: &SearchRequest,
        [only, also]: [Vec<Turn>; 2],
        defaults: &SearchDefaults,
        position: &Position,
        budget: Budget,
    ) -> Result<Plan, String> {
        let solved_phase = solved_phase(request.mode, defaults, position)?;
        let reported = request.candidates.unwrap_or(defaults.candidates);
        let (count, scope) = match request.mode {
            Mode::Rank => (reported, RankingScope::All),
            _ if solved_phase.is_some() => (usize::MAX, RankingScope::All),
            _ => (reported.min(sim::MAX_SIMULATED), RankingScope::Best),
        };
        let work = match (request.mode, solved_phase) {
            (Mode::Rank, _) => Work::Nothing,
            (_, None) => Work::Simulate(simulation(request, defaults, &budget)),
            (_, Some(phase)) => {
                let solution = solution(request, defaults, &budget);
                let priors = (phase == Phase::Preendgame)
                    .then(|| prior_simulation(&solution, defaults, &budget));
                Work::Solve(phase, solution, priors)
            }
        };
        Ok(Plan {
            ranking: RankingRequest {
                count,
                scope,
                only,
                also,
            },
            reported,
            work,
            budget,
            infinite: request.infinite,
        })
    }

    /// The plan for a game that is over: its verdict is a pass.
    pub fn of_finished_game(request: &SearchRequest, budget: Budget) -> Plan {
        Plan {
            ranking: RankingRequest {
                count: 0,
                scope: RankingScope::Best,
                only: Vec::new(),
                also: Vec::new(),
            },
            reported: 0,
            work: Work::GameOver,
            budget,
            infinite: request.infinite,
        }
    }

    /// Whether the search cannot ask only who wins, although it is an endgame: more than two play,
    /// or points win at once.
    pub fn ignores_first_win(&self) -> bool {
        matches!(&self.work, Work::Solve(Phase::GeneralEndgame, ..))
    }

    /// The search that follows the static ranking, as a mode; [`Mode::Auto`] only if the game is over.
    pub fn method(&self) -> Mode {
        match &self.work {
            Work::GameOver => Mode::Auto,
            Work::Nothing => Mode::Rank,
            Work::Simulate(_) => Mode::Simulate,
            Work::Solve(Phase::Preendgame, ..) => Mode::Preendgame,
            Work::Solve(..) => Mode::Endgame,
        }
    }

    /// Searches, reports on the way and returns the move to make. `knowledge` is asked again for each
    /// step, because a word map may be ready by then. A panic would be our own fault; the caller
    /// still gets the best move known by then.
    pub fn run<'a>(
        &'a self,
        position: &'a Position,
        knowledge: &'a dyn Fn() -> SearchKnowledge<'a>,
        win_model: WinModel<'a>,
        report: &'a dyn Fn(Report),
    ) -> Turn {
        let mut best = Turn::Pass;
        if position.end().is_some() || matches!(self.work, Work::GameOver) {
            return best;
        }
        let search = PlanRun {
            position,
            knowledge,
            win_model,
            plan: self,
            report,
        };
        if catch_unwind(AssertUnwindSafe(|| search.run(&mut best))).is_err() {
            let text = "the search failed; please report the position";
            report(Report::Failed(text.to_string()));
        }
        best
    }
}

/// The phase of a position that is solved instead of simulated, or why the mode does not suit it.
fn solved_phase(
    mode: Mode,
    defaults: &SearchDefaults,
    position: &Position,
) -> Result<Option<Phase>, String> {
    let (phase, bag) = (Phase::of(position), position.bag_len());
    let refuse = |mode: &str, reason: &str| Err(format!("{mode} cannot solve this: {reason}"));
    match (mode, phase) {
        (Mode::Rank | Mode::Simulate, _) | (Mode::Auto, Phase::Open) => Ok(None),
        (Mode::Auto, Phase::Preendgame) => {
            let solves = bag <= AUTO_PREENDGAME_TILES && defaults.solves_preendgames;
            Ok(solves.then_some(phase))
        }
        (Mode::Auto, Phase::TwoPlayerEndgame | Phase::GeneralEndgame) => {
            Ok(defaults.solves_endgames.then_some(phase))
        }
        (Mode::Endgame, Phase::TwoPlayerEndgame | Phase::GeneralEndgame) => Ok(Some(phase)),
        (Mode::Preendgame, Phase::Preendgame) => Ok(Some(phase)),
        // A game that is over has nothing to solve in any mode.
        _ if position.end().is_some() => Ok(None),
        (Mode::Endgame | Mode::Preendgame, _) if position.rules().unsolved_feature().is_some() => {
            let name = position.rules().unsolved_feature().unwrap_or_default();
            let mode = match mode {
                Mode::Endgame => "endgame",
                _ => "peg",
            };
            refuse(mode, &format!("the rules have {name}; use the mode auto"))
        }
        (Mode::Endgame, _) if bag > 0 => {
            let reason = format!("{bag} tiles are in the bag; use the mode auto");
            refuse("endgame", &reason)
        }
        (Mode::Endgame, _) => refuse(
            "endgame",
            "more than one rack is unknown; use the mode auto",
        ),
        (Mode::Preendgame, _) if bag == 0 => {
            refuse("peg", "the bag is empty; use the mode endgame")
        }
        (Mode::Preendgame, _) if bag > preendgame::MAX_BAG => {
            let limit = preendgame::MAX_BAG;
            let reason = format!("{bag} tiles are in the bag, the limit is {limit}");
            refuse("peg", &reason)
        }
        (Mode::Preendgame, _) => refuse(
            "peg",
            "it needs two players, no target score and no lost turn",
        ),
    }
}

fn solution(request: &SearchRequest, defaults: &SearchDefaults, budget: &Budget) -> SolveRequest {
    let is_unlimited = request.mode == Mode::Auto && !request.is_limited(budget);
    let iterations = request
        .iterations
        .or(is_unlimited.then_some(DEFAULT_ITERATIONS));
    // Solver threads share a table while they search, so that their order matters. Without a time
    // limit the answer has to be the same each time: then a single thread solves.
    let threads = match request.infinite || budget.is_timed() {
        true => request.threads.unwrap_or(defaults.threads),
        false => 1,
    };
    SolveRequest {
        depth: request
            .plies
            .map(|plies| plies.clamp(1, MAX_DEPTH_PLIES) as u8),
        nodes: iterations.map(|iterations| iterations.saturating_mul(NODES_PER_ITERATION)),
        threads: threads.min(MAX_SOLVER_THREADS),
        table_bytes: defaults.table_bytes,
        goal: match request.first_win {
            true => Goal::Win,
            false => Goal::Spread,
        },
        lines: request.candidates.unwrap_or(1),
        lines_with_draws: request.candidates.unwrap_or(defaults.candidates),
        seed: Seed(request.seed.unwrap_or(defaults.seed)),
        priors: Vec::new(),
    }
}

/// The simulation that gives a pre-endgame its priors.
fn prior_simulation(
    solution: &SolveRequest,
    defaults: &SearchDefaults,
    budget: &Budget,
) -> SimRequest {
    SimRequest {
        plies: None,
        iterations: match solution.nodes {
            Some(nodes) => Some(nodes / NODES_PER_ITERATION / u64::from(PRIOR_TIME.0)),
            None if budget.is_timed() => None,
            None => Some(PRIOR_ITERATIONS),
        },
        confidence: None,
        elimination: EliminationPolicy::Early,
        endgame_verdicts: true,
        seed: solution.seed,
        threads: solution.threads,
        memory: defaults.memory_bytes,
    }
}

fn simulation(request: &SearchRequest, defaults: &SearchDefaults, budget: &Budget) -> SimRequest {
    let is_unlimited = !request.is_limited(budget) && request.confidence.is_none();
    SimRequest {
        plies: request.plies.or(defaults.plies),
        iterations: request
            .iterations
            .or(is_unlimited.then_some(DEFAULT_ITERATIONS)),
        confidence: request
            .confidence
            .or(is_unlimited.then_some(DEFAULT_CONFIDENCE)),
        elimination: EliminationPolicy::Cautious,
        endgame_verdicts: defaults.solves_endgames,
        seed: Seed(request.seed.unwrap_or(defaults.seed)),
        threads: request.threads.unwrap_or(defaults.threads),
        memory: defaults.memory_bytes,
    }
}

/// A plan that is being carried out.
struct PlanRun<'a> {
    position: &'a Position,
    knowledge: &'a dyn Fn() -> SearchKnowledge<'a>,
    win_model: WinModel<'a>,
    plan: &'a Plan,
    report: &'a dyn Fn(Report),
}

impl PlanRun<'_> {
    /// Carries the plan out; `best` is always the best move known so far.
    fn run(&self, best: &mut Turn) {
        let Plan {
            ranking,
            reported,
            work,
            budget,
            ..
        } = self.plan;
        let ranking = ranking::rank(self.position, (self.knowledge)(), ranking, budget);
        *best = ranking.best();
        let is_complete = ranking.extent == RankingExtent::Complete;
        let mut candidates = ranking.candidates.clone();
        let shown = match work {
            Work::Solve(..) => ranking.first(*reported),
            _ => ranking,
        };
        (self.report)(Report::Ranking(shown, budget.elapsed()));
        match work {
            Work::GameOver | Work::Nothing => {}
            Work::Simulate(request) => {
                let result = self.simulate(&candidates, request);
                *best = result.best();
                (self.report)(Report::Simulation(Box::new(result), budget.elapsed(), true));
            }
            Work::Solve(phase, request, prior_simulation) => {
                let mut request = request.clone();
                if let Some(simulation) = prior_simulation {
                    request.priors = self.priors(&mut candidates, simulation);
                }
                if let Some(mut solution) = self.solve(*phase, &candidates, &request) {
                    *best = solution.best().unwrap_or(*best);
                    solution.solved &= is_complete;
                    solution.keep_lines(*reported);
                    (self.report)(Report::Solution(Box::new(solution), budget.elapsed(), true));
                }
            }
        }
    }

    fn simulate(&self, candidates: &[Candidate], request: &SimRequest) -> SimResult {
        let is_due = self.progress_timer();
        let mut progress = |result: &dyn Fn() -> SimResult| {
            if let Some(now) = is_due() {
                (self.report)(Report::Simulation(Box::new(result()), now, false));
            }
        };
        sim::simulate(
            self.position,
            (self.knowledge)(),
            self.win_model,
            candidates,
            request,
            &self.plan.budget,
            &mut progress,
        )
    }

    /// Simulates the best candidates briefly, sorts them by the result, and returns their priors.
    fn priors(&self, candidates: &mut Vec<Candidate>, request: &SimRequest) -> Vec<Prior> {
        let mut count = 0;
        let is_simulated = |candidate: &Candidate| {
            count += usize::from(!candidate.requested);
            candidate.requested || count <= PRIOR_CANDIDATES
        };
        let (simulated, rest): (Vec<_>, Vec<_>) = candidates.drain(..).partition(is_simulated);
        let (divisor, longest) = match self.position.bag_len() {
            LONG_PRIOR_BAG_TILES.. => LONG_PRIOR_TIME,
            _ => PRIOR_TIME,
        };
        let result = sim::simulate(
            self.position,
            (self.knowledge)(),
            self.win_model,
            &simulated,
            request,
            &self.plan.budget.fraction(divisor, longest),
            &mut |_| {},
        );
        let simulated = result.candidates.iter();
        candidates.extend(simulated.map(|simulated| simulated.candidate));
        candidates.extend(rest);
        Prior::from_simulation(&result.candidates)
    }

    fn solve(
        &self,
        phase: Phase,
        candidates: &[Candidate],
        request: &SolveRequest,
    ) -> Option<Solution> {
        let is_due = self.progress_timer();
        let mut progress = |solution: &dyn Fn() -> Solution| {
            if let Some(now) = is_due() {
                (self.report)(Report::Solution(Box::new(solution()), now, false));
            }
        };
        let context = SolveContext {
            position: self.position,
            graph: (self.knowledge)().vocabulary.known.graph,
            candidates,
            request,
            budget: &self.plan.budget,
        };
        solve::solve(phase, context, &mut progress)
    }

    /// Returns the time so far if a progress report is due, at most once per interval.
    fn progress_timer(&self) -> impl Fn() -> Option<Duration> {
        let last = Cell::new(Duration::ZERO);
        move || {
            let now = self.plan.budget.elapsed();
            let is_due = now >= last.get() + PROGRESS_INTERVAL;
            is_due.then(|| {
                last.set(now);
                now
            })
        }
    }
}
