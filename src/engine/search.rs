//! Searches: started in a thread of their own, ended by a token.

use super::{Data, EngineError, ErrorKind};
use crate::rules::{Position, Turn};
use crate::search::ranking::{self, Ranking, Request};
use crate::search::{Budget, StopToken};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

/// What a search is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    /// How many candidates to show; the option says it otherwise.
    pub candidates: Option<usize>,
    /// Only these moves.
    pub only: Vec<String>,
    /// These moves too.
    pub also: Vec<String>,
    /// The longest it may take.
    pub time: Option<Duration>,
    /// Do not give a verdict before being told to stop.
    pub infinite: bool,
}

/// What a search has to say. The last report is a verdict, and there is exactly one.
pub enum Report {
    /// The candidates, and how long it took to find them.
    Ranking(Ranking, Duration),
    /// Our own mistake: the verdict will be the best that is known.
    Failed(String),
    /// The move to make.
    Verdict(Turn),
}

/// A search that goes on.
pub struct Search {
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

/// Starts a search; `report` is called from its thread.
pub(super) fn start(
    position: Position,
    data: Data,
    request: Request,
    limits: &GoRequest,
    report: impl Fn(Report) + Send + 'static,
) -> Result<Search, EngineError> {
    let stop = StopToken::default();
    let budget = Budget::new(stop.clone(), limits.time);
    let search = Search {
        stop: stop.clone(),
        infinite: limits.infinite,
    };
    let infinite = limits.infinite;
    let run = move || {
        let verdict = match position.end() {
            Some(_) => Turn::Pass,
            None => rank(&position, &data, &request, &budget, &report),
        };
        if infinite {
            stop.wait();
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

/// Ranks the turns and reports them. A panic would be our mistake: the client
/// still gets an answer.
fn rank(
    position: &Position,
    data: &Data,
    request: &Request,
    budget: &Budget,
    report: &impl Fn(Report),
) -> Turn {
    let ranking = || ranking::rank(position, data.knowledge(), request, budget);
    match catch_unwind(AssertUnwindSafe(ranking)) {
        Ok(ranking) => {
            let best = ranking.best();
            report(Report::Ranking(ranking, budget.elapsed()));
            best
        }
        Err(_) => {
            report(Report::Failed(
                "the search failed; please report the position".to_string(),
            ));
            Turn::Pass
        }
    }
}
