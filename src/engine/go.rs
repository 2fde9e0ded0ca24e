//! Searches of the engine: a request becomes a plan, and the plan runs in a thread of its own or in
//! the caller's.

use super::table::no_position;
use super::{Analysis, Engine, EngineError, ErrorKind, SearchData, bad_move, referee};
use crate::rules::{Game, Position};
use crate::search::think::{Mode, Plan, Report, SearchDefaults, SearchRequest};
use crate::search::{Budget, StopToken, sim};
use std::cell::RefCell;
use std::thread;

/// A search in progress.
pub struct Search {
    /// What it has found so far; whoever receives the reports folds them in.
    pub analysis: Analysis,
    /// The search that the position gets: never [`Mode::Auto`].
    pub method: Mode,
    /// Whether this search has no use for [`SearchRequest::first_win`] although its method has.
    pub ignores_first_win: bool,
    /// What is unusual about the request, for people.
    pub warnings: Vec<String>,
    /// The way to end it.
    pub control: SearchControl,
}

/// The way to end a search that runs in a thread of its own.
pub struct SearchControl {
    pub(super) stop: StopToken,
    /// Whether the search has no end of its own.
    pub(super) infinite: bool,
}

impl SearchControl {
    /// Asks for the result now.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Asks for the result now if the search has no end of its own.
    pub fn finish(&self) {
        if self.infinite {
            self.stop();
        }
    }
}

impl Engine {
    /// Searches in the calling thread and returns the finished analysis.
    pub fn analyze(&mut self, request: &SearchRequest) -> Result<Analysis, EngineError> {
        let (position, data, plan) = self.prepare_search(request)?;
        Ok(run(&position, &data, &plan))
    }

    /// Starts a search in a thread of its own. `report` is called from that thread; the last
    /// report is the verdict. The caller folds the reports into the analysis of the search.
    pub fn go(
        &mut self,
        request: &SearchRequest,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<Search, EngineError> {
        let (position, data, plan) = self.prepare_search(request)?;
        let search = Search {
            analysis: Analysis::new(position.clone(), &data),
            method: plan.method(),
            ignores_first_win: plan.ignores_first_win(),
            warnings: request
                .clock_warning(&position)
                .into_iter()
                .chain(self.search_warnings())
                .collect(),
            control: SearchControl {
                stop: plan.budget.stop_token(),
                infinite: plan.infinite,
            },
        };
        let run = move || {
            let verdict = plan.run(&position, &|| data.knowledge(), data.win_model(), &report);
            if plan.infinite {
                plan.budget.stop_token().wait();
            }
            report(Report::Verdict(verdict));
        };
        spawn(run).map(|()| search)
    }

    /// What is unusual about a search of the position, for people: that there is nothing to search,
    /// or that racks are known which the player to move does not see.
    pub fn search_warnings(&self) -> Vec<String> {
        let end = self.game().and_then(Game::end);
        let over = end.map(|end| format!("the game is over: {end}"));
        over.into_iter().chain(self.open_racks_warning()).collect()
    }

    /// Resolves a request against the position, starts the clock and loads the data: loading is
    /// part of the time.
    fn prepare_search(
        &mut self,
        request: &SearchRequest,
    ) -> Result<(Position, SearchData, Plan), EngineError> {
        let table = self.table.clone().ok_or_else(no_position)?;
        let position = table.game.position().clone();
        let is_over = table.game.end().is_some();
        refuse_unknown_rack(&position, is_over)?;
        refuse_clocks_of_nobody(request, position.player_count())?;
        let budget = request.budget(&position);
        let data = self.prepare(request.mode)?;
        let defaults = &self.options.search;
        let plan = match is_over {
            true => Plan::of_finished_game(request, budget),
            false => plan(&position, &data, defaults, request, budget)?,
        };
        Ok((position, data, plan))
    }
}

/// Starts a thread that searches.
pub(super) fn spawn(run: impl FnOnce() + Send + 'static) -> Result<(), EngineError> {
    let thread = thread::Builder::new().name("search".to_string());
    thread.spawn(run).map(|_| ()).map_err(|error| {
        let text = format!("no thread for the search: {error}");
        EngineError::new(ErrorKind::Internal, text)
    })
}

/// A search needs to know the rack of the player to move, unless the game is over.
pub(super) fn refuse_unknown_rack(position: &Position, is_over: bool) -> Result<(), EngineError> {
    let rack = position.mover_rack();
    let text = match (rack.unknown, position.bag_len()) {
        _ if is_over => return Ok(()),
        (1.., _) => format!(
            "{} of the {} tiles of the player to move are unknown",
            rack.unknown,
            rack.len()
        ),
        (0, 1..) if rack.is_empty() => {
            "the player to move has no tiles although the bag is not empty".to_string()
        }
        _ => return Ok(()),
    };
    Err(EngineError::new(ErrorKind::UnknownRack, text))
}

/// A request whose only limit is a clock of a seat without a player would search without a limit.
fn refuse_clocks_of_nobody(request: &SearchRequest, players: usize) -> Result<(), EngineError> {
    let has_clock = request.clocks.iter().any(Option::is_some);
    if request.mode == Mode::Rank || !has_clock || request.has_limit(players) {
        return Ok(());
    }
    let text =
        format!("the only clocks are of players who do not exist; the game has {players} players");
    Err(EngineError::new(ErrorKind::Clock, text))
}

/// Searches a position in the calling thread, without an [`Engine`], for programs that play many
/// games at once. The error says why the mode does not suit the position.
pub fn think(
    position: &Position,
    data: &SearchData,
    defaults: &SearchDefaults,
    request: &SearchRequest,
) -> Result<Analysis, String> {
    let budget = request.budget(position);
    let plan = plan(position, data, defaults, request, budget).map_err(|error| error.text)?;
    Ok(run(position, data, &plan))
}

/// Resolves the moves that a request names, and plans the search.
pub(super) fn plan(
    position: &Position,
    data: &SearchData,
    defaults: &SearchDefaults,
    request: &SearchRequest,
    budget: Budget,
) -> Result<Plan, EngineError> {
    let only = referee::resolve(position, &request.only, Some(&data.words.lexicon))?;
    let also = referee::resolve(position, &request.also, None)?;
    let (named, limit) = (only.len().max(also.len()), sim::MAX_SIMULATED / 2);
    if request.mode != Mode::Rank && named > limit {
        return Err(bad_move(format!(
            "{named} moves are named, the limit with simulation is {limit}; the mode gen takes more"
        )));
    }
    Plan::new(request, [only, also], defaults, position, budget)
        .map_err(|text| EngineError::new(ErrorKind::Mode, text))
}

/// Carries out a plan in the calling thread.
pub(super) fn run(position: &Position, data: &SearchData, plan: &Plan) -> Analysis {
    let analysis = RefCell::new(Analysis::new(position.clone(), data));
    let fold = |report| _ = analysis.borrow_mut().apply(report);
    let verdict = plan.run(position, &|| data.knowledge(), data.win_model(), &fold);
    fold(Report::Verdict(verdict));
    analysis.into_inner()
}
