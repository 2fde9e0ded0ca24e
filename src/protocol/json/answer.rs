//! What is answered, field for field.

use super::query::{Fault, MAX_WARNINGS, Query};
use crate::engine::{Data, EngineError, NAME, Report, VERSION};
use crate::notation::gcg::RecordProblem;
use crate::notation::moves;
use crate::protocol::reply::{self, MAX_ERROR, Outcomes, percent};
use crate::rules::{Position, Turn};
use crate::search::ranking::{Candidate, Ranking};
use crate::search::sim::{PlyStats, SampleStats, SimResult, SimulatedCandidate};
use crate::search::solve::{Line, Solution};
use crate::units::Equity;
use serde_json::{Value, json};
use std::time::Duration;

/// What the reports of a search have told so far.
#[derive(Default)]
pub struct Found {
    ranking: Option<Ranking>,
    standing: Option<Box<SimResult>>,
    solution: Option<Box<Solution>>,
    /// How long it took up to the last report.
    pub elapsed: Duration,
    /// What went wrong, if anything did.
    pub failure: Option<String>,
}

impl Found {
    /// Takes in a report; the turn to take, if it is the last one.
    pub fn hear(&mut self, report: Report) -> Option<Turn> {
        match report {
            Report::Ranking(ranking, took) => {
                (self.ranking, self.elapsed) = (Some(ranking), took);
            }
            Report::Progress(standing, took) | Report::Standing(standing, took) => {
                (self.standing, self.elapsed) = (Some(standing), took);
            }
            Report::Solving(solution, took) | Report::Solution(solution, took) => {
                (self.solution, self.elapsed) = (Some(solution), took);
            }
            Report::Failed(text) => self.failure = Some(text),
            Report::Verdict(turn) => return Some(turn),
        }
        None
    }

    /// The answer for programs that ask for one move and no more.
    pub fn chosen(&self, turn: &Turn, position: &Position) -> Value {
        let token = reply::turn_text(turn, position);
        // The whole word, or the tiles exchanged.
        let (before, tiles) = token.split_once('.').unwrap_or((&token, ""));
        let (action, place) = match turn {
            Turn::Place(_) => ("place", Some(before)),
            Turn::Exchange(_) | Turn::ExchangeUnseen(_) => ("exchange", None),
            Turn::Pass => ("pass", None),
        };
        let candidates = self.candidates();
        let found = candidates.iter().find(|shown| shown.found.turn == *turn);
        let worth = found.map(|shown| shown.found.worth).unwrap_or_default();
        let equity = found.and_then(Shown::equity);
        json!({
            "action": action,
            "position": place,
            "tiles": tiles,
            "score": worth.points.0,
            "equity": equity.unwrap_or(points(worth.total())),
            "win": found.and_then(Shown::win),
            "move": token,
        })
    }

    /// The turn that would be taken now.
    fn best(&self) -> Option<Turn> {
        let simulated = self.standing.as_ref().map(|standing| standing.best());
        let solved = self.solution.as_ref().and_then(|solution| solution.best());
        solved
            .or(simulated)
            .or(self.ranking.as_ref().map(Ranking::best))
    }

    /// The candidates, the best first.
    fn candidates(&self) -> Vec<Shown<'_>> {
        let solved = self
            .solution
            .as_ref()
            .filter(|found| !found.lines.is_empty());
        if let Some(solution) = solved {
            let shown = solution.lines.iter().map(|line| Shown {
                rank: line.rank,
                found: &line.candidate,
                simulated: None,
                solved: Some(line),
            });
            return shown.collect();
        }
        if let Some(standing) = &self.standing {
            let ranked = standing.candidates.iter().zip(1..);
            let shown = ranked.map(|(simulated, rank)| Shown {
                rank,
                found: &simulated.candidate,
                simulated: Some(simulated),
                solved: None,
            });
            return shown.collect();
        }
        let ranked = self.ranking.iter().flat_map(|found| &found.candidates);
        let shown = ranked.map(|found| Shown {
            rank: found.rank,
            found,
            simulated: None,
            solved: None,
        });
        shown.collect()
    }
}

/// A candidate in its place.
struct Shown<'a> {
    rank: usize,
    found: &'a Candidate,
    /// What simulation says of it, if there was one.
    simulated: Option<&'a SimulatedCandidate>,
    /// What a solver says of it, if there was one.
    solved: Option<&'a Line>,
}

impl Shown<'_> {
    /// What simulation says, if it has played the candidate out at all.
    fn played(&self) -> Option<&SimulatedCandidate> {
        self.simulated.filter(|simulated| simulated.win.count > 0)
    }

    /// The chance to win in percent.
    fn win(&self) -> Option<f64> {
        if let Some(line) = self.solved {
            return line.win.map(|share| rounded(share * 100.0));
        }
        let played = self.played()?;
        Some(rounded(percent(played.win.mean())))
    }

    /// What is gained by the end, or as far as it was simulated, in points.
    fn equity(&self) -> Option<f64> {
        if let Some(line) = self.solved {
            // Where only the winner counts, the gain is no more than a bound.
            return line.result.is_none().then(|| rounded(line.gain));
        }
        let played = self.played()?;
        Some(rounded(played.gain.mean() / 1e3))
    }

    fn json(&self, position: &Position) -> Value {
        let Candidate {
            turn,
            worth,
            leave,
            rank,
            requested: asked,
            valid,
        } = self.found;
        let simulated = self.simulated;
        // One sample says nothing of how far it may be off, unless there is only one way to go on.
        let error = |sum: fn(&SimulatedCandidate) -> SampleStats, scale: f64| {
            let played = self.played()?;
            let known = played.exact || sum(played).count > 1;
            known.then(|| rounded(sum(played).error() * scale))
        };
        let exact = simulated.is_some_and(|simulated| simulated.exact)
            || self.solved.is_some_and(|line| line.exact);
        // A proof is never off; in a pre-endgame it is about the share of wins alone.
        let proved = |about_points: bool| {
            let line = self.solved.filter(|line| line.exact)?;
            let counts = !about_points || line.draws.is_empty() && line.result.is_none();
            counts.then_some(0.0)
        };
        json!({
            "move": reply::turn_text(turn, position),
            "rank": self.rank,
            "score": worth.points.0,
            "leave": position.rules().tiles.tiles_text(leave),
            "static": {
                "rank": rank,
                "equity": points(worth.total()),
                "kept": points(worth.leave),
                "opening": points(worth.opening),
                "ending": points(worth.endgame),
            },
            "win": self.win(),
            "winError": error(|simulated| simulated.win, percent(1.0)).or(proved(false)),
            "equity": self.equity(),
            "equityError": error(|simulated| simulated.gain, 1e-3).or(proved(true)),
            "iterations": simulated.map_or(0, |simulated| simulated.win.count),
            "kind": if exact { "exact" } else { "estimate" },
            "dropped": simulated.is_some_and(|simulated| !simulated.live),
            "asked": asked,
            "valid": valid,
            "reply": simulated.and_then(|simulated| answered(simulated, position)),
            "plies": simulated.map_or(Vec::new(), |found| found.plies.iter().map(ply).collect()),
            "line": self.solved.map_or(Vec::new(), |line| reply::variation(line, position)),
            "draws": self.solved.and_then(|line| draws(line, position)),
        })
    }
}

/// What each draw of a pre-endgame leads to.
fn draws(line: &Line, position: &Position) -> Option<Value> {
    let outcomes = (!line.draws.is_empty()).then(|| Outcomes::of(line, position))?;
    Some(json!({
        "won": outcomes.won,
        "drawn": outcomes.drawn,
        "lost": outcomes.lost,
        "mixed": outcomes.mixed,
        "open": outcomes.open,
    }))
}

/// The most frequent turn after a candidate.
fn answered(simulated: &SimulatedCandidate, position: &Position) -> Option<Value> {
    let (turn, share) = simulated.reply.as_ref()?;
    let grid = reply::after(position, &simulated.candidate.turn);
    let text = moves::write(turn, &grid, &position.rules().tiles);
    Some(json!({"move": text, "percent": rounded(share * 100.0)}))
}

fn ply(ply: &PlyStats) -> Value {
    let bonuses = ply.bonuses as f64 * 100.0 / ply.points.count.max(1) as f64;
    json!({
        "mean": rounded(ply.points.mean()),
        "deviation": rounded(ply.points.deviation()),
        "bonus": rounded(bonuses),
    })
}

/// An answer about a turn of a query.
pub(super) struct Answer<'a> {
    /// The query.
    pub query: &'a Query,
    /// The turn.
    pub turn: usize,
    /// What was found.
    pub found: &'a Found,
    /// What it was found with and where; nothing if the search has not begun.
    pub scene: Option<(&'a Data, &'a Position)>,
    /// What contradicts the rules in the record.
    pub problems: &'a [RecordProblem],
    /// The turn to take, if the search is over.
    pub verdict: Option<Turn>,
    /// Whether the client has ended it.
    pub terminated: bool,
}

impl Answer<'_> {
    /// On the way, or the last one.
    pub fn json(&self, is_final: bool) -> Value {
        let Answer { query, found, .. } = self;
        let (data, position) = self.scene.unzip();
        let best = self.verdict.or(found.best()).zip(position);
        let best = best.map(|(turn, position)| reply::turn_text(&turn, position));
        let (standing, solution) = (found.standing.as_ref(), found.solution.as_ref());
        let candidates = position.map_or(Vec::new(), |position| {
            let shown = found.candidates();
            shown.iter().map(|shown| shown.json(position)).collect()
        });
        let mut answer = json!({
            "id": query.id,
            "turn": self.turn,
            "final": is_final,
            "terminated": self.terminated,
            "elapsed": found.elapsed.as_millis() as u64,
            "iterations": standing.map_or(0, |standing| standing.iterations),
            "rollouts": standing.map_or(0, |standing| standing.rollouts),
            "plies": standing.map_or(0, |standing| standing.plies),
            "nodes": solution.map_or(0, |solution| solution.nodes),
            "solved": solution.is_some_and(|solution| solution.solved),
            "provenance": data.map(provenance),
            "best": best,
            "candidates": candidates,
            "warnings": self.warnings(),
        });
        if let Some(text) = &found.failure {
            answer["error"] = fault(&Fault::new("internal", None, text));
        }
        answer
    }

    fn warnings(&self) -> Vec<String> {
        let unfinished = self.found.ranking.as_ref().filter(|found| !found.complete);
        let unfinished = unfinished.map(|_| "stopped before all moves were found".to_string());
        let lack = self.scene.and_then(|(data, _)| data.leaves.lack.as_ref());
        let lack = lack.map(|lack| format!("leaves none: {lack}"));
        let problems = self.problems.iter().map(|problem| format!("gcg {problem}"));
        let own = self.query.warnings.iter().cloned();
        let all = own.chain(unfinished).chain(lack).chain(problems);
        all.take(MAX_WARNINGS).collect()
    }
}

fn provenance(data: &Data) -> Value {
    json!({
        "engine": format!("{NAME}/{VERSION}"),
        "lexicon": data.words.lexicon.name(),
        "leaves": data.leaves.id,
        "winpct": data.chances.id,
    })
}

/// The answer to a line that is refused as a whole.
pub(super) fn refusal(id: Option<&str>, refused: &Fault) -> Value {
    json!({"id": id, "error": fault(refused)})
}

/// The last answer about a turn that cannot be searched.
pub(super) fn failure(query: &Query, turn: usize, failed: &Fault) -> Value {
    json!({"id": query.id, "turn": turn, "final": true, "error": fault(failed)})
}

fn fault(fault: &Fault) -> Value {
    let Fault { code, field, text } = fault;
    let text: String = text.chars().take(MAX_ERROR).collect();
    json!({"code": code, "field": field, "text": text})
}

impl Fault {
    /// An error of the engine about a field.
    pub fn of(error: &EngineError, field: impl Into<Option<&'static str>>) -> Fault {
        Fault::new(reply::code(error.kind), field, &error.text)
    }
}

fn points(equity: Equity) -> f64 {
    f64::from(equity.millis()) / 1e3
}

/// With three decimals: more would be noise.
fn rounded(x: f64) -> f64 {
    // Adding zero makes a negative zero a plain one.
    (x * 1e3).round() / 1e3 + 0.0
}
