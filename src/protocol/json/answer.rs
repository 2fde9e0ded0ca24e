//! The answers, field by field. The types are also the source of the published JSON Schema.

use super::query::{MAX_WARNINGS, Query, QueryError};
use crate::engine::{Analysis, AnalyzedMove, EngineError, Figure};
use crate::notation::gcg::RecordProblem;
use crate::protocol::reply::{self, Certainty, DrawLists, PlyFigures};
use crate::rules::{Position, Turn};
use crate::search::sim::PlyStats;
use crate::units::Equity;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// A line that `cazique --json` writes.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum AnswerMessage {
    /// About a turn of a query.
    Turn(Box<TurnAnswer>),
    /// The only answer about a turn that cannot be searched.
    Failure {
        /// The id of the query.
        id: String,
        /// The turn.
        turn: usize,
        /// Always true.
        r#final: bool,
        /// Why it cannot be searched.
        error: QueryError,
    },
    /// The answer to a line that is refused as a whole.
    Refusal {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// Why it is refused.
        error: QueryError,
    },
    /// The answer to an action.
    Action(ActionAnswer),
}

/// The answer to an action.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub(super) enum ActionAnswer {
    /// The engine's name and version.
    Version {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The name of the engine.
        engine: &'static str,
        /// Its version.
        version: &'static str,
    },
    /// An option as it is set now.
    SetOption {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// Queries were ended.
    Terminate {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// The id of the queries.
        terminate: String,
        /// The number of turns that had no final answer yet.
        turns: usize,
    },
}

/// An answer about a turn of a query.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct TurnAnswer {
    /// The id of the query.
    id: String,
    /// The turn.
    turn: usize,
    /// Whether it is the last answer about this turn.
    r#final: bool,
    /// Whether the action `terminate` ended the search.
    terminated: bool,
    /// Milliseconds since the search began.
    elapsed: u64,
    /// Worlds that a simulation sampled.
    iterations: u64,
    /// Rollouts that a simulation made.
    rollouts: u64,
    /// The most turns of a rollout.
    plies: usize,
    /// Positions that a solver searched.
    nodes: u64,
    /// Whether it is proved that no move is better.
    solved: bool,
    /// The engine and its data; null if the search had not begun.
    provenance: Option<ProvenanceObject>,
    /// The move to make; null if the search had not begun.
    best: Option<String>,
    /// The candidates, best first.
    candidates: Vec<CandidateObject>,
    /// Texts for people.
    warnings: Vec<String>,
    /// A mistake of the engine; usually left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<QueryError>,
}

/// The engine and the data that a search used.
#[derive(Serialize, JsonSchema)]
struct ProvenanceObject {
    /// Name and version of the engine.
    engine: String,
    /// The lexicon.
    lexicon: String,
    /// The leave values.
    leaves: String,
    /// The win probability table.
    winpct: String,
    /// The rule set.
    rules: String,
}

/// A candidate with all that was found about it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CandidateObject {
    /// The move.
    r#move: String,
    /// Its place; without search among all moves.
    rank: usize,
    /// Its points.
    score: i32,
    /// The tiles that stay on the rack.
    leave: String,
    /// Its value without search.
    r#static: StaticObject,
    /// Win probability in percent.
    win: Option<f64>,
    /// Its standard error.
    win_error: Option<f64>,
    /// Points gained on the best opponent.
    equity: Option<f64>,
    /// Its standard error.
    equity_error: Option<f64>,
    /// Rollouts of this candidate.
    iterations: u64,
    /// Whether the figures are proved.
    kind: Certainty,
    /// Whether it was clearly behind and got no more samples.
    dropped: bool,
    /// Whether it is one of `alsosearchmoves`.
    asked: bool,
    /// Whether all its words are in the lexicon.
    valid: bool,
    /// The most frequent reply.
    reply: Option<ReplyObject>,
    /// The turns after it.
    plies: Vec<PlyFigures>,
    /// The principal variation of a solver.
    line: Vec<String>,
    /// What each draw of a pre-endgame leads to.
    draws: Option<DrawLists>,
}

/// The value of a move without search: `equity` is the sum of the score and the other parts.
#[derive(Serialize, JsonSchema)]
struct StaticObject {
    /// Its place among all moves.
    rank: usize,
    /// The sum of all parts.
    equity: f64,
    /// The leave value.
    kept: f64,
    /// The correction on an empty board.
    opening: f64,
    /// The correction for the end of the game.
    ending: f64,
}

/// The most frequent reply to a candidate.
#[derive(Serialize, JsonSchema)]
struct ReplyObject {
    /// The move.
    r#move: String,
    /// Its percentage of all replies.
    percent: f64,
}

/// The answer for programs that want one move and no more.
pub(crate) fn one_shot(analysis: &Analysis) -> Value {
    let turn = analysis.best().unwrap_or(Turn::Pass);
    let token = reply::turn_text(&turn, &analysis.position);
    // After the dot: the whole word, or the tiles exchanged.
    let (before, tiles) = token.split_once('.').unwrap_or((&token, ""));
    let (action, position) = match turn {
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
        "position": position,
        "tiles": tiles,
        "score": worth.points.0,
        "equity": equity.unwrap_or(points(worth.total())),
        "win": found.and_then(|found| value(found.win())),
        "move": token,
    })
}

/// An object with its fields in alphabetical order, as they have always been written.
pub(super) fn to_value(object: &impl Serialize) -> Value {
    // Maps with keys that are not text could fail; there are none.
    serde_json::to_value(object).unwrap_or_default()
}

impl CandidateObject {
    fn new(found: &AnalyzedMove, position: &Position) -> CandidateObject {
        let candidate = found.candidate;
        let worth = &candidate.worth;
        // A proof has no error, also where only the winner is proved and not by how much.
        let is_proved = found.solution.is_some_and(|line| line.exact);
        let reply = reply::most_frequent_reply(found, position);
        CandidateObject {
            r#move: reply::turn_text(&candidate.turn, position),
            rank: found.rank,
            score: worth.points.0,
            leave: position.rules().tiles.tiles_text(&candidate.leave),
            r#static: StaticObject {
                rank: candidate.rank,
                equity: points(worth.total()),
                kept: points(worth.leave),
                opening: points(worth.opening),
                ending: points(worth.late_game),
            },
            win: value(found.win()),
            win_error: error(found.win()).or(is_proved.then_some(0.0)),
            equity: value(found.equity()),
            equity_error: error(found.equity()),
            iterations: found.iterations(),
            kind: reply::certainty(found),
            dropped: found.is_dropped(),
            asked: candidate.requested,
            valid: candidate.valid,
            reply: reply.map(|(text, percent)| ReplyObject {
                r#move: text,
                percent: rounded(percent),
            }),
            plies: found.plies().iter().map(rounded_ply).collect(),
            line: reply::variation(found.variation(), position),
            draws: found
                .draws()
                .map(|draws| reply::draw_lists(&draws, position)),
        }
    }
}

fn rounded_ply(stats: &PlyStats) -> PlyFigures {
    let ply = reply::ply(stats);
    PlyFigures {
        mean: rounded(ply.mean),
        deviation: rounded(ply.deviation),
        bonus: rounded(ply.bonus),
    }
}

impl TurnAnswer {
    /// An answer about a search that has not begun.
    pub fn terminated(query: &Query, turn: usize) -> TurnAnswer {
        TurnAnswer {
            id: query.id.clone(),
            turn,
            r#final: true,
            terminated: true,
            warnings: query.warnings.iter().take(MAX_WARNINGS).cloned().collect(),
            ..TurnAnswer::default()
        }
    }

    /// What a search has found; the final answer once it has ended.
    pub fn new(
        query: &Query,
        turn: usize,
        analysis: &Analysis,
        problems: &[RecordProblem],
        terminated: bool,
    ) -> TurnAnswer {
        let (position, provenance) = (&analysis.position, &analysis.provenance);
        let (simulation, solution) = (analysis.simulation(), analysis.solution());
        let candidates = analysis.candidates();
        let failure = analysis.failure.as_ref();
        TurnAnswer {
            id: query.id.clone(),
            turn,
            r#final: analysis.verdict.is_some(),
            terminated,
            elapsed: analysis.elapsed.as_millis() as u64,
            iterations: simulation.map_or(0, |found| found.iterations),
            rollouts: simulation.map_or(0, |found| found.rollouts),
            plies: simulation.map_or(0, |found| found.plies),
            nodes: solution.map_or(0, |found| found.decided_positions()),
            solved: solution.is_some_and(|found| found.solved),
            provenance: Some(ProvenanceObject {
                engine: provenance.engine.clone(),
                lexicon: provenance.lexicon.clone(),
                leaves: provenance.leaves.clone(),
                winpct: provenance.win_table.clone(),
                rules: provenance.rules.clone(),
            }),
            best: analysis
                .best()
                .map(|turn| reply::turn_text(&turn, position)),
            candidates: candidates
                .iter()
                .map(|found| CandidateObject::new(found, position))
                .collect(),
            warnings: warnings(query, analysis, problems),
            error: failure.map(|text| QueryError::new("internal", None, text)),
        }
    }
}

fn warnings(query: &Query, analysis: &Analysis, problems: &[RecordProblem]) -> Vec<String> {
    let unfinished = analysis.ranking().filter(|ranking| !ranking.complete);
    let unfinished = unfinished.map(|_| "stopped before all moves were found".to_string());
    let missing = analysis.provenance.missing_leaves.as_ref();
    let missing = missing.map(|reason| format!("leaves none: {reason}"));
    let problems = problems.iter().map(|problem| format!("gcg {problem}"));
    let own = query.warnings.iter().cloned();
    let all = own.chain(unfinished).chain(missing).chain(problems);
    all.take(MAX_WARNINGS).collect()
}

impl QueryError {
    /// An error of the engine about a field.
    pub fn of(error: &EngineError, field: impl Into<Option<&'static str>>) -> QueryError {
        QueryError::new(reply::code(error.kind).text(), field, &error.text)
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
