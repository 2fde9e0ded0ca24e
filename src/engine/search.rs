//! Searches: started in a thread of their own, ended by a token.

use super::{Analysis, Data, EngineError, ErrorKind, Options};
use crate::rules::{Position, Turn};
use crate::search::clock::Clock;
use crate::search::preendgame::{self, Prior};
use crate::search::ranking::{self, Ranking, RankingRequest, RankingScope};
use crate::search::sim::{self, EliminationPolicy, SimRequest, SimResult, StopConfidence};
use crate::search::solve::{self, Phase, Solution};
use crate::search::{Budget, StopToken};
use crate::seed::Seed;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// As the position asks for.
    #[default]
    Auto,
    /// Rank all turns by what they are worth without search.
    Rank,
    /// Simulate.
    Simulate,
    /// Solve an ending.
    Endgame,
    /// Solve a position with few tiles in the bag.
    Preendgame,
}

/// What a search is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// How to search.
    pub mode: Mode,
    /// How many candidates; the option says it otherwise.
    pub candidates: Option<usize>,
    /// Only these moves.
    pub only: Vec<String>,
    /// These moves too.
    pub also: Vec<String>,
    /// The longest it may take.
    pub time: Option<Duration>,
    /// The clocks of all players, by seat, where they are known.
    pub clocks: [Option<Clock>; crate::rules::MAX_PLAYERS],
    /// The most iterations.
    pub iterations: Option<u64>,
    /// How many turns are played after a candidate; the option says it otherwise.
    pub plies: Option<usize>,
    /// End when the choice is as sure as this.
    pub confidence: Option<StopConfidence>,
    /// In an ending it counts only who wins.
    pub first_win: bool,
    /// The seed; the option says it otherwise.
    pub seed: Option<u64>,
    /// The threads; the option says it otherwise.
    pub threads: Option<usize>,
    /// Do not give a verdict before being told to stop.
    pub infinite: bool,
}

/// Without any limit a search ends when the choice is as sure as this, or after so many iterations:
/// a limit that does not depend on the machine.
const DEFAULT_CONFIDENCE: StopConfidence = StopConfidence {
    wrong_per_thousand: 10,
};
const DEFAULT_ITERATIONS: u64 = 1_000;
/// What an iteration is to a solver: so many positions take about as long.
const NODES: u64 = 1_000;
/// Before a position with few tiles in the bag is solved, candidates are
/// simulated for so small a part of the time, and no longer than this; or for so many iterations.
const SCOUTING: u32 = 3;
const LONGEST_SCOUTING: Duration = Duration::from_millis(500);
const SCOUTED: u64 = 200;
/// With so many tiles in the bag little can be proved, and a look at one world
/// takes as long as ten rollouts or more: then it is this.
const MANY: usize = 3;
const SCOUTING_MANY: u32 = 2;
const LONGEST_SCOUTING_MANY: Duration = Duration::from_secs(5);
/// How many candidates are.
const SCOUTS: usize = 60;
/// With so few tiles in the bag a position is solved if nothing else is asked for.
pub const FEW_IN_BAG: usize = 4;
/// The most threads that solve one position: more get in each other's way.
const MAX_SOLVERS: usize = 256;

impl GoRequest {
    /// The time it may take in a position, from now on.
    pub(super) fn budget(&self, position: &Position) -> Budget {
        let clock = self.clocks[position.to_move()];
        let allotted = clock.map(|clock| clock.allot(position));
        Budget::new(StopToken::default(), self.time, allotted)
    }

    /// Whether anything but its own end ends it.
    fn is_limited(&self, budget: &Budget) -> bool {
        self.infinite || self.iterations.is_some() || budget.is_timed()
    }

    /// The phase of a position that is to be solved instead of simulated, or why what was asked for cannot be done.
    pub(super) fn solves(
        &self,
        position: &Position,
        options: &Options,
    ) -> Result<Option<Phase>, String> {
        let (phase, bag) = (Phase::of(position), position.bag_len());
        let refuse = |mode: &str, why: String| Err(format!("{mode} cannot solve this: {why}"));
        match (self.mode, phase) {
            (Mode::Rank | Mode::Simulate, _) | (Mode::Auto, Phase::Open) => Ok(None),
            (Mode::Auto, Phase::Preendgame) => {
                let solves = bag <= FEW_IN_BAG && options.solves_few();
                Ok(solves.then_some(phase))
            }
            (Mode::Auto, Phase::TwoPlayerEndgame | Phase::GeneralEndgame) => {
                Ok(options.solves_endings().then_some(phase))
            }
            (Mode::Endgame, Phase::TwoPlayerEndgame | Phase::GeneralEndgame) => Ok(Some(phase)),
            (Mode::Preendgame, Phase::Preendgame) => Ok(Some(phase)),
            // A game that is over has nothing to solve, whatever was asked for.
            _ if position.end().is_some() => Ok(None),
            (Mode::Endgame, _) if bag > 0 => refuse(
                "endgame",
                format!("{bag} tiles are in the bag; say 'go auto'"),
            ),
            (Mode::Endgame, _) => {
                let why = "more than one rack is unknown; say 'go auto'";
                refuse("endgame", why.to_string())
            }
            (Mode::Preendgame, _) if bag == 0 => {
                refuse("peg", "the bag is empty; say 'go endgame'".to_string())
            }
            (Mode::Preendgame, _) if bag > preendgame::MAX_BAG => {
                let limit = preendgame::MAX_BAG;
                refuse(
                    "peg",
                    format!("{bag} tiles are in the bag, the limit is {limit}"),
                )
            }
            (Mode::Preendgame, _) => {
                let why = "it takes two players, no target, nobody who misses a turn, and nothing told of the other rack";
                refuse("peg", why.to_string())
            }
        }
    }

    /// How to solve, with what the options say where the request does not.
    fn solution(&self, options: &Options, budget: &Budget) -> solve::Request {
        let by_itself = self.mode == Mode::Auto && !self.is_limited(budget);
        let iterations = self.iterations.or(by_itself.then_some(DEFAULT_ITERATIONS));
        // Threads share what they find as they find it: where the answer has
        // to be the same each time, one works alone.
        let threads = match self.infinite || budget.is_timed() {
            true => self.threads.unwrap_or(options.threads()),
            false => 1,
        };
        solve::Request {
            lines: self.candidates.unwrap_or(1),
            told: self.candidates.unwrap_or(options.candidates()),
            first_win: self.first_win,
            depth: self.plies.map(|plies| plies.clamp(1, 200) as u8),
            nodes: iterations.map(|iterations| iterations.saturating_mul(NODES)),
            threads: threads.min(MAX_SOLVERS),
            memory: options.table_memory(),
            seed: Seed(self.seed.unwrap_or(options.seed())),
            priors: Vec::new(),
        }
    }

    /// How to simulate before a position with few tiles in the bag is solved.
    fn scouting(solution: &solve::Request, options: &Options, budget: &Budget) -> SimRequest {
        SimRequest {
            plies: None,
            iterations: match solution.nodes {
                Some(nodes) => Some(nodes / NODES / u64::from(SCOUTING)),
                None if budget.is_timed() => None,
                None => Some(SCOUTED),
            },
            confidence: None,
            elimination: EliminationPolicy::Early,
            endgame_verdicts: true,
            seed: solution.seed,
            threads: solution.threads,
            memory: options.memory(),
        }
    }

    /// How to simulate, with what the options say where the request does not.
    pub(super) fn simulation(&self, options: &Options, budget: &Budget) -> SimRequest {
        let unlimited = !self.is_limited(budget) && self.confidence.is_none();
        SimRequest {
            plies: self.plies.or(options.plies()),
            iterations: self.iterations.or(unlimited.then_some(DEFAULT_ITERATIONS)),
            confidence: self.confidence.or(unlimited.then_some(DEFAULT_CONFIDENCE)),
            elimination: EliminationPolicy::Cautious,
            endgame_verdicts: options.solves_endings(),
            seed: Seed(self.seed.unwrap_or(options.seed())),
            threads: self.threads.unwrap_or(options.threads()),
            memory: options.memory(),
        }
    }
}

/// What a search has to say. The last report is a verdict, and there is exactly one.
pub enum Report {
    /// The candidates before simulation, or without one; and how long it took to find them.
    Ranking(Ranking, Duration),
    /// How a simulation stands on the way, and how long it took so far.
    Progress(Box<SimResult>, Duration),
    /// What it has found, and how long it took.
    Standing(Box<SimResult>, Duration),
    /// How a solver stands on the way, and how long it took so far.
    Solving(Box<Solution>, Duration),
    /// What it has found, and how long it took.
    Solution(Box<Solution>, Duration),
    /// Our own mistake: the verdict will be the best that is known.
    Failed(String),
    /// The move to make.
    Verdict(Turn),
}

/// A search in progress.
pub struct Search {
    /// What it has found so far; whoever receives the reports folds them in.
    pub analysis: Analysis,
    stop: StopToken,
    infinite: bool,
}

impl Search {
    /// Asks for the verdict now.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Asks for the verdict now if it would not come of itself.
    pub fn finish(&self) {
        if self.infinite {
            self.stop();
        }
    }
}

/// How to search a position: all that a search needs to know but for the position and the data.
pub(super) struct Plan {
    pub ranking: RankingRequest,
    /// How many of the best turns are told.
    pub told: usize,
    /// What comes after the turns are ranked.
    pub work: Work,
    pub budget: Budget,
    pub infinite: bool,
}

/// What there is to do about ranked turns.
pub(super) enum Work {
    /// Nothing.
    Rank,
    Simulate(SimRequest),
    /// With tiles in the bag, candidates are simulated beforehand.
    Solve(solve::Request, Option<SimRequest>),
}

impl Plan {
    /// From what was asked for, with what the options say where the request does not.
    pub(super) fn new(
        request: &GoRequest,
        options: &Options,
        solves: Option<Phase>,
        only: Vec<Turn>,
        also: Vec<Turn>,
        budget: Budget,
    ) -> Plan {
        let told = request.candidates.unwrap_or(options.candidates());
        let (count, breadth) = match request.mode {
            Mode::Rank => (told, RankingScope::All),
            _ if solves.is_some() => (usize::MAX, RankingScope::All),
            _ => (told.min(sim::MAX_CANDIDATES), RankingScope::Best),
        };
        let work = match (request.mode, solves) {
            (Mode::Rank, _) => Work::Rank,
            (_, None) => Work::Simulate(request.simulation(options, &budget)),
            (_, Some(phase)) => {
                let solution = request.solution(options, &budget);
                let scouting = GoRequest::scouting(&solution, options, &budget);
                Work::Solve(solution, (phase == Phase::Preendgame).then_some(scouting))
            }
        };
        Plan {
            ranking: RankingRequest {
                count,
                scope: breadth,
                only,
                also,
            },
            told,
            work,
            budget,
            infinite: request.infinite,
        }
    }
}

/// Searches in the calling thread, without an [`Engine`](super::Engine), for programs that play
/// many games at once. It finds what `Engine::analyze` finds, except that moves named in the
/// request are ignored.
pub fn think(position: &Position, data: &Data, options: &Options, request: &GoRequest) -> Analysis {
    let budget = request.budget(position);
    let solves = request.solves(position, options).unwrap_or(None);
    let plan = Plan::new(request, options, solves, Vec::new(), Vec::new(), budget);
    run(position, data, &plan)
}

/// Carries out a plan in the calling thread.
pub(super) fn run(position: &Position, data: &Data, plan: &Plan) -> Analysis {
    let analysis = RefCell::new(Analysis::new(position.clone(), data));
    let fold = |report| _ = analysis.borrow_mut().apply(report);
    let verdict = find(position, data, plan, &fold);
    fold(Report::Verdict(verdict));
    analysis.into_inner()
}

/// How often a simulation tells how it stands, at most.
const PROGRESS: Duration = Duration::from_millis(100);

/// Starts a search; `report` is called from its thread.
pub(super) fn start(
    position: Position,
    data: Data,
    plan: Plan,
    report: impl Fn(Report) + Send + 'static,
) -> Result<Search, EngineError> {
    let search = Search {
        analysis: Analysis::new(position.clone(), &data),
        stop: plan.budget.stop_token(),
        infinite: plan.infinite,
    };
    let run = move || {
        let verdict = find(&position, &data, &plan, &report);
        if plan.infinite {
            plan.budget.stop_token().wait();
        }
        report(Report::Verdict(verdict));
    };
    match thread::Builder::new().name("search".to_string()).spawn(run) {
        Ok(_) => Ok(search),
        Err(error) => Err(EngineError::new(
            ErrorKind::Internal,
            format!("no thread for the search: {error}"),
        )),
    }
}

/// Searches, reports on the way and returns the move to make. A panic would be our own fault; the
/// client still gets the best move known by then.
fn find(position: &Position, data: &Data, plan: &Plan, report: &impl Fn(Report)) -> Turn {
    let mut best = Turn::Pass;
    if position.end().is_some() {
        return best;
    }
    let searching = || {
        let budget = &plan.budget;
        let ranking = ranking::rank(position, data.knowledge(), &plan.ranking, budget);
        best = ranking.best();
        let (candidates, complete) = (ranking.candidates.clone(), ranking.complete);
        let told = match plan.work {
            Work::Solve(..) => ranking.first(plan.told),
            _ => ranking,
        };
        report(Report::Ranking(told, budget.elapsed()));
        match &plan.work {
            Work::Rank => {}
            Work::Simulate(request) => {
                let standing = simulate(position, data, &candidates, request, budget, report);
                best = standing.best();
                report(Report::Standing(Box::new(standing), budget.elapsed()));
            }
            Work::Solve(request, scouting) => {
                let (mut candidates, mut request) = (candidates, request.clone());
                if let Some(scouting) = scouting {
                    request.priors = scout(position, data, &mut candidates, scouting, budget);
                }
                let found = solve(position, data, &candidates, &request, budget, report);
                if let Some(mut solution) = found {
                    best = solution.best().unwrap_or(best);
                    solution.solved &= complete;
                    solution.tell_first(plan.told);
                    report(Report::Solution(Box::new(solution), budget.elapsed()));
                }
            }
        }
    };
    if catch_unwind(AssertUnwindSafe(searching)).is_err() {
        let text = "the search failed; please report the position";
        report(Report::Failed(text.to_string()));
    }
    best
}

fn simulate(
    position: &Position,
    data: &Data,
    candidates: &[ranking::Candidate],
    request: &SimRequest,
    budget: &Budget,
    report: &impl Fn(Report),
) -> SimResult {
    let mut told = Duration::ZERO;
    let mut progress = |standing: &dyn Fn() -> SimResult| {
        let now = budget.elapsed();
        if now >= told + PROGRESS {
            told = now;
            report(Report::Progress(Box::new(standing()), now));
        }
    };
    let (knowledge, chances) = (data.knowledge(), data.chances());
    sim::simulate(
        position,
        knowledge,
        chances,
        candidates,
        request,
        budget,
        &mut progress,
    )
}

/// Simulates the best candidates for a short time, and puts those that did best first; what there is to say of them.
fn scout(
    position: &Position,
    data: &Data,
    candidates: &mut Vec<ranking::Candidate>,
    request: &SimRequest,
    budget: &Budget,
) -> Vec<Prior> {
    let mut others = 0;
    let is_scout = |candidate: &ranking::Candidate| {
        others += usize::from(!candidate.requested);
        candidate.requested || others <= SCOUTS
    };
    let (scouts, rest): (Vec<_>, Vec<_>) = candidates.drain(..).partition(is_scout);
    let (part, longest) = match position.bag_len() {
        MANY.. => (SCOUTING_MANY, LONGEST_SCOUTING_MANY),
        _ => (SCOUTING, LONGEST_SCOUTING),
    };
    let standing = sim::simulate(
        position,
        data.knowledge(),
        data.chances(),
        &scouts,
        request,
        &budget.fraction(part, longest),
        &mut |_| {},
    );
    let simulated = &standing.candidates;
    *candidates = simulated.iter().map(|one| one.candidate).collect();
    candidates.extend(rest);
    Prior::from_simulation(simulated)
}

fn solve(
    position: &Position,
    data: &Data,
    candidates: &[ranking::Candidate],
    request: &solve::Request,
    budget: &Budget,
    report: &impl Fn(Report),
) -> Option<Solution> {
    let mut told = Duration::ZERO;
    let graph = data.knowledge().words.graph;
    let mut progress = |solution: &dyn Fn() -> Solution| {
        let now = budget.elapsed();
        if now >= told + PROGRESS {
            told = now;
            report(Report::Solving(Box::new(solution()), now));
        }
    };
    solve::solve(position, graph, candidates, request, budget, &mut progress)
}
