//! Searches: started in a thread of their own, ended by a token.

use super::{Data, EngineError, ErrorKind, Options};
use crate::rules::{Position, Turn};
use crate::search::clock::Clock;
use crate::search::ranking::{self, Breadth, Ranking};
use crate::search::sim::{self, Confidence, Standing};
use crate::search::{Budget, StopToken};
use crate::seed::Seed;
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
    pub confidence: Option<Confidence>,
    /// The seed; the option says it otherwise.
    pub seed: Option<u64>,
    /// The threads; the option says it otherwise.
    pub threads: Option<usize>,
    /// Do not give a verdict before being told to stop.
    pub infinite: bool,
}

/// Without any limit a search ends when the choice is as sure as this, or after so many iterations:
/// a limit that does not depend on the machine.
const DEFAULT_CONFIDENCE: Confidence = Confidence { wrong: 10 };
const DEFAULT_ITERATIONS: u64 = 1_000;

impl GoRequest {
    /// The time it may take in a position, from now on.
    pub(super) fn budget(&self, position: &Position) -> Budget {
        let clock = self.clocks[position.turn()];
        let allotted = clock.map(|clock| clock.allot(position));
        Budget::new(StopToken::default(), self.time, allotted)
    }

    /// How to simulate, with what the options say where the request does not.
    pub(super) fn simulation(&self, options: &Options, budget: &Budget) -> sim::Request {
        let limited = self.infinite || self.iterations.is_some() || budget.is_timed();
        let unlimited = !limited && self.confidence.is_none();
        sim::Request {
            plies: self.plies.or(options.plies()),
            iterations: self.iterations.or(unlimited.then_some(DEFAULT_ITERATIONS)),
            confidence: self.confidence.or(unlimited.then_some(DEFAULT_CONFIDENCE)),
            drops: true,
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
    Progress(Box<Standing>, Duration),
    /// What it has found, and how long it took.
    Standing(Box<Standing>, Duration),
    /// Our own mistake: the verdict will be the best that is known.
    Failed(String),
    /// The move to make.
    Verdict(Turn),
}

/// A search that goes on.
pub struct Search {
    /// What it goes by.
    pub data: Data,
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
    pub ranking: ranking::Request,
    /// None if the turns are only ranked.
    pub simulation: Option<sim::Request>,
    pub budget: Budget,
    pub infinite: bool,
}

impl Plan {
    /// From what was asked for, with what the options say where the request does not.
    pub(super) fn new(
        request: &GoRequest,
        options: &Options,
        only: Vec<Turn>,
        also: Vec<Turn>,
        budget: Budget,
    ) -> Plan {
        let count = request.candidates.unwrap_or(options.candidates());
        let (count, breadth) = match request.mode {
            Mode::Rank => (count, Breadth::All),
            _ => (count.min(sim::MAX_CANDIDATES), Breadth::Best),
        };
        let simulates = request.mode != Mode::Rank;
        Plan {
            ranking: ranking::Request {
                count,
                breadth,
                only,
                also,
            },
            simulation: simulates.then(|| request.simulation(options, &budget)),
            budget,
            infinite: request.infinite,
        }
    }
}

/// Searches in this thread, for programs that have one for each game: the turn to take. It is what
/// [`Engine::go`](super::Engine::go) would find, but for moves that the request names, which do not count.
pub fn think(
    position: &Position,
    data: &Data,
    options: &Options,
    request: &GoRequest,
    report: impl Fn(Report),
) -> Turn {
    let budget = request.budget(position);
    let plan = Plan::new(request, options, Vec::new(), Vec::new(), budget);
    find(position, data, &plan, &report)
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
        data: data.clone(),
        stop: plan.budget.stop_token(),
        infinite: plan.infinite,
    };
    let run = move || {
        let verdict = match position.end() {
            Some(_) => Turn::Pass,
            None => find(&position, &data, &plan, &report),
        };
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

/// Finds the turn to take and reports on the way. A panic would be our
/// mistake: the client still gets the best answer known by then.
fn find(position: &Position, data: &Data, plan: &Plan, report: &impl Fn(Report)) -> Turn {
    let mut best = Turn::Pass;
    let searching = || {
        let budget = &plan.budget;
        let ranking = ranking::rank(position, data.knowledge(), &plan.ranking, budget);
        best = ranking.best();
        let candidates = ranking.candidates.clone();
        report(Report::Ranking(ranking, budget.elapsed()));
        if let Some(request) = &plan.simulation {
            let standing = simulate(position, data, &candidates, request, budget, report);
            best = standing.best();
            report(Report::Standing(Box::new(standing), budget.elapsed()));
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
    request: &sim::Request,
    budget: &Budget,
    report: &impl Fn(Report),
) -> Standing {
    let mut told = Duration::ZERO;
    let mut progress = |standing: &dyn Fn() -> Standing| {
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
