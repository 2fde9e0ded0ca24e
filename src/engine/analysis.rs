//! Everything a search has found about one position, in one value.
//!
//! A search sends [`Report`]s while it runs. [`Analysis::apply`] folds each of
//! them into the analysis, which is a complete picture at any moment. Every
//! output (protocol lines, JSON, the one-shot object) formats an `Analysis` and
//! never folds reports itself.

use super::{NAME, Report, SearchData, VERSION};
use crate::rules::{Position, Turn};
use crate::search::preendgame::DrawOutcome;
use crate::search::ranking::{Candidate, Ranking};
use crate::search::sim::{CountedReply, PlyStats, SampleStats, SimResult, SimulatedCandidate};
use crate::search::{Solution, SolvedLine};
use crate::units::WinProb;
use std::time::Duration;

/// What a search has found so far about one position.
pub struct Analysis {
    /// The position, as the player to move sees it.
    pub position: Position,
    /// The engine and the data that the search uses.
    pub provenance: Provenance,
    /// Which tables are missing although the options did not rule them out, and why.
    pub missing_tables: Vec<String>,
    /// What may be wrong with the data: it was made for other words, tiles or boards.
    pub data_warnings: Vec<String>,
    /// The time from the start of the search to its last report.
    pub elapsed: Duration,
    /// Our own fault, if the search failed.
    pub failure: Option<String>,
    /// The move to make, once the search has ended.
    pub verdict: Option<Turn>,
    ranking: Option<Ranking>,
    simulation: Option<Box<SimResult>>,
    solution: Option<Box<Solution>>,
}

/// What makes an analysis reproducible: the engine and its data, by name and checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// Name and version of the engine, such as `Cazique/0.1.0`.
    pub engine: String,
    /// The name of the lexicon.
    pub lexicon: String,
    /// The leave values, by name and checksum, or `none`.
    pub leaves: String,
    /// The table of win probabilities, by name and checksum, or `none`.
    pub win_table: String,
    /// The name of the rule set.
    pub rules: String,
}

/// What a report has changed in an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The moves are ranked by static evaluation.
    Ranked,
    /// A simulation or a solver has intermediate figures.
    Progress,
    /// A simulation or a solver has its final figures.
    Result,
    /// The search failed; the verdict is still to come.
    Failed,
    /// The move to make is known, and the search is over.
    Verdict,
}

impl Analysis {
    /// What is unusual about the data, for people.
    pub fn data_notes(&self) -> impl Iterator<Item = &String> {
        self.missing_tables.iter().chain(&self.data_warnings)
    }

    /// An analysis that has not begun.
    pub fn new(position: Position, data: &SearchData) -> Analysis {
        Analysis {
            missing_tables: data.missing_tables(position.rules()),
            data_warnings: data.warnings(position.rules()),
            provenance: Provenance {
                engine: format!("{NAME}/{VERSION}"),
                lexicon: data.words.lexicon.name().to_string(),
                leaves: data.leaves.id.clone(),
                win_table: data.win_table.id.clone(),
                rules: position.rules().name.clone(),
            },
            position,
            elapsed: Duration::ZERO,
            failure: None,
            verdict: None,
            ranking: None,
            simulation: None,
            solution: None,
        }
    }

    /// Folds a report in.
    pub fn apply(&mut self, report: Report) -> Update {
        let figures = |is_final| match is_final {
            true => Update::Result,
            false => Update::Progress,
        };
        match report {
            Report::Ranking(ranking, elapsed) => {
                (self.ranking, self.elapsed) = (Some(ranking), elapsed);
                Update::Ranked
            }
            Report::Simulation(simulation, elapsed, is_final) => {
                (self.simulation, self.elapsed) = (Some(simulation), elapsed);
                figures(is_final)
            }
            Report::Solution(solution, elapsed, is_final) => {
                (self.solution, self.elapsed) = (Some(solution), elapsed);
                figures(is_final)
            }
            Report::Failed(text) => {
                self.failure = Some(text);
                Update::Failed
            }
            Report::Verdict(turn) => {
                self.verdict = Some(turn);
                Update::Verdict
            }
        }
    }

    /// The verdict, or before it the move that would be made now.
    pub fn best(&self) -> Option<Turn> {
        let solved = || self.solution.as_ref().and_then(|found| found.best());
        let simulated = || self.simulation.as_ref().map(|found| found.best());
        let ranked = || self.ranking.as_ref().map(Ranking::best);
        self.verdict
            .or_else(solved)
            .or_else(simulated)
            .or_else(ranked)
    }

    /// The static ranking, once there is one.
    pub fn ranking(&self) -> Option<&Ranking> {
        self.ranking.as_ref()
    }

    /// The simulation, if there is one.
    pub fn simulation(&self) -> Option<&SimResult> {
        self.simulation.as_deref()
    }

    /// What the endgame or pre-endgame solver found, if one was at work.
    pub fn solution(&self) -> Option<&Solution> {
        self.solution.as_deref()
    }

    /// The candidates, best first, by the strongest method that has figures:
    /// a solver, else simulation, else static evaluation.
    pub fn candidates(&self) -> Vec<AnalyzedMove<'_>> {
        match (&self.solution, &self.simulation, &self.ranking) {
            (Some(found), ..) if !found.lines.is_empty() => {
                let solved = found.lines.iter().map(|line| AnalyzedMove {
                    rank: line.rank,
                    solution: Some(line),
                    ..AnalyzedMove::ranked(&line.candidate)
                });
                solved.collect()
            }
            (_, Some(found), _) => {
                let simulated = found.candidates.iter().zip(1..);
                let simulated = simulated.map(|(simulated, rank)| AnalyzedMove {
                    rank,
                    simulation: Some(simulated),
                    ..AnalyzedMove::ranked(&simulated.candidate)
                });
                simulated.collect()
            }
            (_, None, Some(found)) => found.candidates.iter().map(AnalyzedMove::ranked).collect(),
            (_, None, None) => Vec::new(),
        }
    }
}

/// A candidate with every figure that an analysis has about it.
#[derive(Clone, Copy)]
pub struct AnalyzedMove<'a> {
    /// Its rank by the strongest method, from 1.
    pub rank: usize,
    /// The move and its static evaluation.
    pub candidate: &'a Candidate,
    /// What simulation found about it, if that is the strongest method.
    pub simulation: Option<&'a SimulatedCandidate>,
    /// What a solver found about it, if one was at work.
    pub solution: Option<&'a SolvedLine>,
}

/// A figure and its standard error, if that is known. A proved figure has the error 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// Its standard error.
    pub error: Option<f64>,
}

/// Whether a result is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It is proved.
    Exact,
    /// It is estimated.
    Estimate,
}

/// The draws of a pre-endgame move by the result they lead to.
#[derive(Default)]
pub struct DrawsByResult<'a> {
    /// The mover wins.
    pub won: Vec<&'a DrawOutcome>,
    /// The game is drawn.
    pub drawn: Vec<&'a DrawOutcome>,
    /// The mover loses.
    pub lost: Vec<&'a DrawOutcome>,
    /// The result depends on a choice the opponent makes without knowing the draw.
    pub mixed: Vec<&'a DrawOutcome>,
    /// The number of draws that are not proved.
    pub open: usize,
}

impl<'a> AnalyzedMove<'a> {
    fn ranked(candidate: &'a Candidate) -> AnalyzedMove<'a> {
        AnalyzedMove {
            rank: candidate.rank,
            candidate,
            simulation: None,
            solution: None,
        }
    }

    /// The win probability in percent, a draw counting one half.
    pub fn win(&self) -> Option<Figure> {
        let Some(line) = self.solution else {
            let simulated = self.simulation?;
            return win_figure(simulated, simulated.win);
        };
        line.win.map(|win| Figure {
            value: win * 100.0,
            error: match line.exact {
                true => Some(0.0),
                false => line.win_error.map(|error| error * 100.0),
            },
        })
    }

    /// The lead of the best move over this one in a simulation, in percent and in points, if this
    /// one was requested.
    pub fn best_lead(&self) -> Option<(Figure, Figure)> {
        let simulated = self.simulation.filter(|_| self.solution.is_none())?;
        let lead = simulated.best_lead?;
        let win = win_figure(simulated, lead.win)?;
        Some((win, mean(simulated, lead.gain, |gain| gain / 1e3)?))
    }

    /// The change of spread in points: to the end of the game if it is solved,
    /// to the end of the rollouts if it is simulated.
    pub fn equity(&self) -> Option<Figure> {
        let Some(line) = self.solution else {
            let simulated = self.simulation?;
            return mean(simulated, simulated.gain, |gain| gain / 1e3);
        };
        // If only the winner was searched, the gain is just a bound.
        line.result.is_none().then_some(Figure {
            value: line.gain,
            // In a pre-endgame only the win probability is proved.
            error: (line.exact && line.draws.is_empty()).then_some(0.0),
        })
    }

    /// Whether the result is proved: in a pre-endgame the win probability, in
    /// an endgame the spread or the winner.
    pub fn label(&self) -> Label {
        let exact = self.solution.is_some_and(|line| line.exact)
            || self.simulation.is_some_and(|simulated| simulated.exact);
        if exact { Label::Exact } else { Label::Estimate }
    }

    /// The worlds it was played out in.
    pub fn iterations(&self) -> u64 {
        self.simulation.map_or(0, |simulated| simulated.win.count)
    }

    /// Whether simulation has given it up.
    pub fn is_dropped(&self) -> bool {
        self.simulation.is_some_and(|simulated| !simulated.live)
    }

    /// Statistics of each simulated ply after the move.
    pub fn plies(&self) -> &'a [PlyStats] {
        self.simulation.map_or(&[], |simulated| &simulated.plies)
    }

    /// The most frequent replies in the simulation, the most frequent first.
    pub fn replies(&self) -> &'a [CountedReply] {
        self.simulation.map_or(&[], |simulated| &simulated.replies)
    }

    /// The principal variation of a solver, beginning with the move itself.
    pub fn variation(&self) -> &'a [Turn] {
        self.solution.map_or(&[], |line| &line.variation)
    }

    /// The draws of a pre-endgame move by result; `None` if there are none.
    pub fn draws(&self) -> Option<DrawsByResult<'a>> {
        let draws = &self.solution?.draws;
        let mut results = DrawsByResult::default();
        for draw in draws {
            match (draw.exact, draw.win) {
                (false, _) => results.open += 1,
                (true, 1.0) => results.won.push(draw),
                (true, 0.5) => results.drawn.push(draw),
                (true, 0.0) => results.lost.push(draw),
                (true, _) => results.mixed.push(draw),
            }
        }
        (!draws.is_empty()).then_some(results)
    }
}

/// A win probability, or the lead of one over another, in percent.
fn win_figure(simulated: &SimulatedCandidate, sum: SampleStats) -> Option<Figure> {
    let figure = mean(simulated, sum, percent)?;
    Some(match simulated.exact {
        true => figure,
        false => figure.with_open_error(&sum),
    })
}

impl Figure {
    /// The mean of sampled win probabilities, in percent, with a standard error that is at least what
    /// samples with equal results leave open.
    pub(super) fn with_open_error(self, samples: &SampleStats) -> Figure {
        let open = error_of_equal_results(samples.count) * 100.0;
        Figure {
            error: self.error.map(|error| error.max(open)),
            ..self
        }
    }
}

/// The standard error of a probability after `count` trials with the same result: the standard
/// deviation of its posterior distribution if all probabilities were equally likely before
/// (Laplace's rule of succession). It is about 1 / `count`.
fn error_of_equal_results(count: u64) -> f64 {
    let n = count as f64;
    ((n + 1.0) / (n + 3.0)).sqrt() / (n + 2.0)
}

/// The mean of a simulated sum and its standard error; `None` without samples.
fn mean(simulated: &SimulatedCandidate, sum: SampleStats, unit: fn(f64) -> f64) -> Option<Figure> {
    // A single sample has no error that could be known, unless it is exact.
    let has_error = simulated.exact || sum.count > 1;
    (simulated.win.count > 0).then(|| Figure {
        value: unit(sum.mean()),
        error: has_error.then(|| unit(sum.error())),
    })
}

/// Percent, from parts of [`WinProb::SCALE`].
fn percent(parts: f64) -> f64 {
    parts * 100.0 / f64::from(WinProb::SCALE)
}
