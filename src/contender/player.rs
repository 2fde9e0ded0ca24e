//! A player that runs in this process: makes the best move by static evaluation, or searches as the
//! engine does on `go`.

use super::{Choice, Contender, Forfeit, SeatView};
use crate::engine::{SearchData, SearchDefaults, SearchRequest, think};
use crate::eval::Evaluator;
use crate::notation::cgp::Cgp;
use crate::rules::{Position, Turn};
use crate::search::clock::Clock;
use std::thread;
use std::time::{Duration, Instant};

/// How a player searches.
#[derive(Clone)]
pub struct SearchSettings {
    /// Its lexicon and tables.
    pub data: SearchData,
    /// The values that the request leaves open.
    pub defaults: SearchDefaults,
    /// The request of each turn; seed and clock are set for it.
    pub request: SearchRequest,
    /// The time for the whole game, if it is limited.
    pub clock: Option<Clock>,
    /// The player searches when at most this many tiles are in the bag. Before that it makes the
    /// best move by static evaluation.
    pub max_bag: usize,
    /// The player searches as if there were no target score.
    pub ignores_target: bool,
}

/// The work that a player has put into the searches of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEffort {
    /// The number of searches.
    pub searches: u32,
    /// Their iterations.
    pub iterations: u64,
    /// Their time.
    pub time: Duration,
}

/// A player of this process in a game.
#[derive(Clone)]
pub struct LocalPlayer<'a> {
    /// The static evaluation, for the turns in which it does not search.
    pub evaluator: Evaluator<'a>,
    /// How it searches; without it, static evaluation chooses every move.
    pub search: Option<&'a SearchSettings>,
    /// The work so far.
    pub effort: SearchEffort,
}

impl<'a> Contender<'a> for LocalPlayer<'a> {
    fn needs_position(&self) -> bool {
        self.search.is_some()
    }

    fn choose(&mut self, view: &mut SeatView<'_, 'a>) -> Result<Choice, Forfeit> {
        let settings = self.search.filter(|it| view.bag_len() <= it.max_bag);
        let search_here = settings.and_then(|settings| Some((settings, view.position()?)));
        let Some((settings, position)) = search_here else {
            return Ok(Choice::Static(view.best_static(&mut self.evaluator)));
        };
        let position = match settings.ignores_target {
            true => position.without_targets(),
            false => position,
        };
        let start = Instant::now();
        let mut request = settings.request.clone();
        request.seed = Some(view.seed.0);
        request.clocks[position.to_move()] = view.clock;
        // The search gets a thread of its own, for which this one really waits. If games are played
        // by a thread pool, a pool thread that waits for the threads of a search would start another
        // game, and the clock of this one would run on.
        let found = thread::scope(|scope| {
            let search = scope.spawn(|| search(settings, &position, request));
            search
                .join()
                .unwrap_or_else(|_| Err("the search panicked".to_string()))
        });
        let (turn, iterations) = found.map_err(|reason| Forfeit {
            reason: format!("{reason}: {}", Cgp::of(&position)),
        })?;
        self.effort.searches += 1;
        self.effort.iterations += iterations;
        self.effort.time += start.elapsed();
        Ok(Choice::Other(turn))
    }
}

/// The best move and the number of iterations.
fn search(
    settings: &SearchSettings,
    position: &Position,
    request: SearchRequest,
) -> Result<(Turn, u64), String> {
    let analysis = think(position, &settings.data, &settings.defaults, &request)?;
    if let Some(failure) = analysis.failure {
        return Err(failure);
    }
    let iterations = analysis.simulation().map_or(0, |found| found.iterations);
    Ok((analysis.verdict.unwrap_or(Turn::Pass), iterations))
}
