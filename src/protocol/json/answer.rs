//! What is answered, field for field.

use super::query::{Fault, MAX_WARNINGS, Query};
use crate::engine::{Analysis, AnalyzedMove, DrawsByResult, EngineError, Figure, Provenance};
use crate::notation::gcg::RecordProblem;
use crate::protocol::reply::{self, MAX_ERROR};
use crate::rules::{Position, Turn};
use crate::search::ranking::Candidate;
use crate::search::sim::PlyStats;
use crate::units::Equity;
use serde_json::{Value, json};

/// The answer for programs that want one move and no more.
pub fn one_shot(analysis: &Analysis) -> Value {
    let turn = analysis.best().unwrap_or(Turn::Pass);
    let token = reply::turn_text(&turn, &analysis.position);
    // After the dot: the whole word, or the tiles exchanged.
    let (before, tiles) = token.split_once('.').unwrap_or((&token, ""));
    let (action, place) = match turn {
        Turn::Place(_) => ("place", Some(before)),
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) => ("exchange", None),
        Turn::Pass => ("pass", None),
    };
    let candidates = analysis.candidates();
    let found = candidates.iter().find(|found| found.candidate.turn == turn);
    let worth = found.map(|found| found.candidate.worth).unwrap_or_default();
    let equity = found.and_then(|found| value(found.equity()));
    json!({
        "action": action,
        "position": place,
        "tiles": tiles,
        "score": worth.points.0,
        "equity": equity.unwrap_or(points(worth.total())),
        "win": found.and_then(|found| value(found.win())),
        "move": token,
    })
}

fn candidate(found: &AnalyzedMove, position: &Position) -> Value {
    let Candidate {
        turn,
        worth,
        leave,
        rank,
        requested,
        valid,
    } = found.candidate;
    // A proof has no error, also where only the winner is proved and not by how much.
    let is_proved = found.solution().is_some_and(|line| line.exact);
    let reply = reply::reply(found, position);
    json!({
        "move": reply::turn_text(turn, position),
        "rank": found.rank,
        "score": worth.points.0,
        "leave": position.rules().tiles.tiles_text(leave),
        "static": {
            "rank": rank,
            "equity": points(worth.total()),
            "kept": points(worth.leave),
            "opening": points(worth.opening),
            "ending": points(worth.late_game),
        },
        "win": value(found.win()),
        "winError": error(found.win()).or(is_proved.then_some(0.0)),
        "equity": value(found.equity()),
        "equityError": error(found.equity()),
        "iterations": found.iterations(),
        "kind": reply::kind(found),
        "dropped": found.is_dropped(),
        "asked": requested,
        "valid": valid,
        "reply": reply.map(|(text, share)| json!({"move": text, "percent": rounded(share * 100.0)})),
        "plies": found.plies().iter().map(ply).collect::<Vec<_>>(),
        "line": reply::variation(found.variation(), position),
        "draws": found.draws().map(|draws| draws_by_result(&draws, position)),
    })
}

/// The results of the draws of a pre-endgame.
fn draws_by_result(draws: &DrawsByResult, position: &Position) -> Value {
    json!({
        "won": reply::draw_texts(&draws.won, position),
        "drawn": reply::draw_texts(&draws.drawn, position),
        "lost": reply::draw_texts(&draws.lost, position),
        "mixed": reply::mixed_draw_texts(&draws.mixed, position),
        "open": draws.open,
    })
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
    /// What the search has found; nothing if it has not begun.
    pub analysis: Option<&'a Analysis>,
    /// What contradicts the rules in the record.
    pub problems: &'a [RecordProblem],
    /// Whether the client has ended it.
    pub terminated: bool,
}

impl Answer<'_> {
    /// An intermediate answer, or the final one.
    pub fn json(&self, is_final: bool) -> Value {
        let analysis = self.analysis;
        let simulation = analysis.and_then(Analysis::simulation);
        let solution = analysis.and_then(Analysis::solution);
        let best = analysis.and_then(|analysis| {
            let turn = analysis.best()?;
            Some(reply::turn_text(&turn, &analysis.position))
        });
        let candidates = analysis.map_or(Vec::new(), |analysis| {
            let found = analysis.candidates().into_iter();
            found
                .map(|found| candidate(&found, &analysis.position))
                .collect()
        });
        let mut answer = json!({
            "id": self.query.id,
            "turn": self.turn,
            "final": is_final,
            "terminated": self.terminated,
            "elapsed": analysis.map_or(0, |analysis| analysis.elapsed.as_millis() as u64),
            "iterations": simulation.map_or(0, |found| found.iterations),
            "rollouts": simulation.map_or(0, |found| found.rollouts),
            "plies": simulation.map_or(0, |found| found.plies),
            "nodes": solution.map_or(0, |found| found.decided_positions()),
            "solved": solution.is_some_and(|found| found.solved),
            "provenance": analysis.map(|analysis| provenance(&analysis.provenance)),
            "best": best,
            "candidates": candidates,
            "warnings": self.warnings(),
        });
        if let Some(text) = analysis.and_then(|analysis| analysis.failure.as_ref()) {
            answer["error"] = fault(&Fault::new("internal", None, text));
        }
        answer
    }

    fn warnings(&self) -> Vec<String> {
        let ranking = self.analysis.and_then(Analysis::ranking);
        let unfinished = ranking.filter(|ranking| !ranking.complete);
        let unfinished = unfinished.map(|_| "stopped before all moves were found".to_string());
        let missing = self
            .analysis
            .and_then(|analysis| analysis.provenance.missing_leaves.as_ref());
        let missing = missing.map(|reason| format!("leaves none: {reason}"));
        let problems = self.problems.iter().map(|problem| format!("gcg {problem}"));
        let own = self.query.warnings.iter().cloned();
        let all = own.chain(unfinished).chain(missing).chain(problems);
        all.take(MAX_WARNINGS).collect()
    }
}

fn provenance(provenance: &Provenance) -> Value {
    json!({
        "engine": provenance.engine,
        "lexicon": provenance.lexicon,
        "leaves": provenance.leaves,
        "winpct": provenance.win_table,
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

/// A figure as programs read it.
fn value(figure: Option<Figure>) -> Option<f64> {
    figure.map(|figure| rounded(figure.value))
}

/// The standard error of a figure, if it is known.
fn error(figure: Option<Figure>) -> Option<f64> {
    figure.and_then(|figure| figure.error).map(rounded)
}

fn points(equity: Equity) -> f64 {
    f64::from(equity.millis()) / 1e3
}

/// With three decimals: more would be noise.
fn rounded(x: f64) -> f64 {
    // Adding zero makes a negative zero a plain one.
    (x * 1e3).round() / 1e3 + 0.0
}
