//! The answers, field by field. The types are also the source of the published JSON Schema.

use super::action_answer::ActionAnswer;
use super::challenge_answer::DecisionAnswer;
use super::fields::QueryError;
use super::query::Query;
use super::sampled_answer::SampledObject;
use super::table_answer::RackObject;
use crate::engine::{
    Analysis, AnalyzedMove, EngineError, Figure, Label, PlayedMove, Provenance, SampledAnalysis,
    SampledValue,
};
use crate::protocol::reply::{self, Certainty, DrawLists, PlyFigures};
use crate::rules::{Position, Turn};
use crate::search::sim::PlyStats;
use crate::units::Equity;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A line that `cazique --json` writes.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum AnswerMessage {
    /// About a turn of a query.
    Turn(Box<TurnAnswer>),
    /// About a turn of a query that asks whether to challenge.
    Decision(Box<DecisionAnswer>),
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
        /// Texts for people.
        warnings: Vec<String>,
    },
    /// The answer to a line that is refused as a whole.
    Refusal {
        /// The id of the line, if it has one.
        id: Option<String>,
        /// Why it is refused.
        error: QueryError,
        /// Texts for people.
        warnings: Vec<String>,
    },
    /// The answer to an action.
    Action(ActionAnswer),
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
    /// The seat to move, from 1; null if the search had not begun.
    player: Option<usize>,
    /// The rack of this player as far as it is known; null if the search had not begun.
    rack: Option<RackObject>,
    /// The score of this player before the turn; null if the search had not begun.
    score: Option<i32>,
    /// This score minus the highest of the opponents; null if the search had not begun.
    spread: Option<i32>,
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
    /// The move to make; null if the search had not begun, or if nothing is known of the rack and no
    /// move was named or played that can be searched.
    best: Option<String>,
    /// The move that was played; null if the game has no move at this turn.
    played: Option<String>,
    /// The value of the best move minus that of the move played; null if one of them is not known.
    loss: Option<ValueObject>,
    /// What was found if the rack is partly known; then there are no `candidates`.
    sampled: Option<SampledObject>,
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
pub(super) struct ProvenanceObject {
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
    /// Whether it is one of `alsosearchmoves` or `turnMoves`, or the move played.
    asked: bool,
    /// Whether it is the move played.
    played: bool,
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
    /// The correction for blanks that can be taken from the board; absent if it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    blanks: Option<f64>,
    /// The correction for the end of the game.
    ending: f64,
}

/// A value, or a difference of two.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ValueObject {
    /// Win probability in percent.
    win: Option<f64>,
    /// Its standard error.
    win_error: Option<f64>,
    /// Points gained on the best opponent; without search, the static equity.
    equity: Option<f64>,
    /// Its standard error.
    equity_error: Option<f64>,
    /// Whether the figures are proved.
    kind: Certainty,
}

/// The most frequent reply to a candidate.
#[derive(Serialize, JsonSchema)]
struct ReplyObject {
    /// The move.
    r#move: String,
    /// Its percentage of all replies.
    percent: f64,
}

/// An object with its fields in alphabetical order, as they have always been written.
pub(super) fn to_value(object: &impl Serialize) -> Value {
    // Maps with keys that are not text could fail; there are none.
    serde_json::to_value(object).unwrap_or_default()
}

impl CandidateObject {
    fn new(found: &AnalyzedMove, position: &Position, played: Option<Turn>) -> CandidateObject {
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
                blanks: (worth.blanks != Equity::ZERO).then(|| points(worth.blanks)),
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
            played: Some(candidate.turn) == played,
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

impl ProvenanceObject {
    /// What a search names as its engine and data.
    pub fn new(provenance: &Provenance) -> ProvenanceObject {
        ProvenanceObject {
            engine: provenance.engine.clone(),
            lexicon: provenance.lexicon.clone(),
            leaves: provenance.leaves.clone(),
            winpct: provenance.win_table.clone(),
            rules: provenance.rules.clone(),
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

/// The most warnings in an answer. Chosen by hand.
const MAX_WARNINGS: usize = 20;

/// The first warnings; the last one then says how many more there are.
pub(super) fn cut_warnings<'a>(warnings: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = warnings.cloned().collect();
    if all.len() > MAX_WARNINGS {
        let left_out = all.len() - (MAX_WARNINGS - 1);
        all.truncate(MAX_WARNINGS - 1);
        all.push(format!("{left_out} more warnings are left out"));
    }
    all
}

impl TurnAnswer {
    /// An answer about a search that has not begun.
    pub fn terminated(query: &Query, turn: usize) -> TurnAnswer {
        TurnAnswer {
            id: query.id.clone(),
            turn,
            r#final: true,
            terminated: true,
            warnings: cut_warnings(query.warnings.iter()),
            ..TurnAnswer::default()
        }
    }

    /// What a search has found; the final answer once it has ended.
    pub fn new(about: &TurnContext, analysis: &Analysis) -> TurnAnswer {
        let position = &analysis.position;
        let (simulation, solution) = (analysis.simulation(), analysis.solution());
        let candidates = analysis.candidates();
        let failure = analysis.failure.as_ref();
        let unfinished = analysis.ranking().and_then(|found| found.extent.notice());
        let turn = about.played.as_ref().and_then(|played| played.turn);
        TurnAnswer {
            r#final: analysis.verdict.is_some(),
            elapsed: analysis.elapsed.as_millis() as u64,
            iterations: simulation.map_or(0, |found| found.iterations),
            rollouts: simulation.map_or(0, |found| found.rollouts),
            plies: simulation.map_or(0, |found| found.plies),
            nodes: solution.map_or(0, |found| found.decided_positions()),
            solved: solution.is_some_and(|found| found.solved),
            best: analysis
                .best()
                .map(|turn| reply::turn_text(&turn, position)),
            loss: loss(&candidates, analysis.best(), turn),
            candidates: candidates
                .iter()
                .map(|found| CandidateObject::new(found, position, turn))
                .collect(),
            error: failure.map(|text| QueryError::new("internal", None, text)),
            ..TurnAnswer::begun(
                about,
                &analysis.provenance,
                position,
                unfinished.iter().chain(analysis.data_notes()),
            )
        }
    }

    /// What a search of sampled racks has found; the final answer once it has ended.
    pub fn sampled(about: &TurnContext, analysis: &SampledAnalysis) -> TurnAnswer {
        let failure = analysis.failure.as_ref();
        let turn = about.played.as_ref().and_then(|played| played.turn);
        let played = analysis.moves.iter().find(|found| Some(found.turn) == turn);
        let best = analysis.best_move();
        TurnAnswer {
            r#final: analysis.is_final,
            elapsed: analysis.elapsed.as_millis() as u64,
            iterations: analysis.iterations,
            rollouts: analysis.rollouts,
            plies: analysis.plies,
            nodes: analysis.nodes,
            best: best.map(|found| reply::turn_text(&found.turn, &analysis.position)),
            loss: played
                .filter(|_| analysis.racks > 0)
                .map(|found| ValueObject::sampled(&found.loss)),
            sampled: Some(SampledObject::new(analysis, turn)),
            error: failure.map(|text| QueryError::new("internal", None, text)),
            ..TurnAnswer::begun(
                about,
                &analysis.provenance,
                &analysis.position,
                analysis.data_notes.iter(),
            )
        }
    }

    /// An answer about a search that has begun, with warnings about it.
    fn begun<'a>(
        about: &'a TurnContext,
        provenance: &Provenance,
        position: &Position,
        warnings: impl Iterator<Item = &'a String>,
    ) -> TurnAnswer {
        let own = about.query.warnings.iter();
        let warnings = own.chain(warnings).chain(about.warnings);
        let score = position.score(position.to_move());
        let opponents = position
            .turn_order()
            .skip(1)
            .map(|seat| position.score(seat));
        let spread = score - opponents.max().unwrap_or_default();
        TurnAnswer {
            player: Some(position.to_move() + 1),
            rack: Some(RackObject::new(
                position.mover_rack(),
                &position.rules().tiles,
            )),
            score: Some(score.0),
            spread: Some(spread.0),
            id: about.query.id.clone(),
            turn: about.turn,
            terminated: about.terminated,
            provenance: Some(ProvenanceObject::new(provenance)),
            played: about.played.map(PlayedMove::full_text),
            warnings: cut_warnings(warnings),
            ..TurnAnswer::default()
        }
    }
}

/// What an answer about a turn has beside the findings of its search.
pub(super) struct TurnContext<'a> {
    /// The query.
    pub query: &'a Query,
    /// The turn.
    pub turn: usize,
    /// The move that was played, if the game has one.
    pub played: Option<&'a PlayedMove>,
    /// What is unusual about the position, for people.
    pub warnings: &'a [String],
    /// Whether the client ended the search.
    pub terminated: bool,
}

/// The loss of the move played against the best one. Without figures of a search, the static equity
/// counts.
fn loss(
    candidates: &[AnalyzedMove],
    best: Option<Turn>,
    played: Option<Turn>,
) -> Option<ValueObject> {
    let find = |turn: Option<Turn>| {
        let mut found = candidates.iter();
        found.find(|found| Some(found.candidate.turn) == turn)
    };
    let (best, played) = (find(best)?, find(played)?);
    // A move has no lead over itself, whatever its own figures may err.
    let is_best = best.candidate.turn == played.candidate.turn;
    let minus =
        |best: Option<Figure>, played: Option<Figure>| Some(rounded(best?.value - played?.value));
    let is_static = |found: &AnalyzedMove| found.win().is_none() && found.equity().is_none();
    let static_loss = points(best.candidate.worth.total() - played.candidate.worth.total());
    let is_proved = |found: &AnalyzedMove| found.label() == Label::Exact;
    let is_exact = is_proved(best) && is_proved(played);
    let (win_lead, equity_lead) = played.best_lead().unzip();
    let error = |lead: Option<Figure>, best: Option<Figure>, played: Option<Figure>| {
        let paired = || lead.and_then(|lead| lead.error);
        // Without paired samples the two errors are taken as independent.
        let independent = || Some(best?.error?.hypot(played?.error?));
        let own = is_best.then_some(0.0);
        own.or_else(paired).or_else(independent).map(rounded)
    };
    let win = minus(best.win(), played.win());
    let equity = match is_static(best) && is_static(played) {
        true => Some(static_loss),
        false => minus(best.equity(), played.equity()),
    };
    Some(ValueObject {
        win,
        win_error: match is_exact {
            true => win.and(Some(0.0)),
            false => win.and(error(win_lead, best.win(), played.win())),
        },
        equity,
        equity_error: equity.and(error(equity_lead, best.equity(), played.equity())),
        kind: match is_exact {
            true => Certainty::Exact,
            false => Certainty::Estimate,
        },
    })
}

impl ValueObject {
    /// A mean over sampled racks.
    pub fn sampled(found: &SampledValue) -> ValueObject {
        ValueObject {
            win: value(found.win()),
            win_error: error(found.win()),
            equity: value(found.equity()),
            equity_error: error(found.equity()),
            kind: Certainty::Estimate,
        }
    }
}

impl QueryError {
    /// An error of the engine about a field.
    pub fn of(error: &EngineError, field: impl Into<Option<&'static str>>) -> QueryError {
        let text = error.text_with("name the rack in the field rack");
        QueryError::new(reply::code(error.kind).text(), field, text)
    }
}

/// A figure as programs read it.
pub(super) fn value(figure: Option<Figure>) -> Option<f64> {
    figure.map(|figure| rounded(figure.value))
}

/// The standard error of a figure, if it is known.
pub(super) fn error(figure: Option<Figure>) -> Option<f64> {
    figure.and_then(|figure| figure.error).map(rounded)
}

pub(super) fn points(equity: Equity) -> f64 {
    f64::from(equity.millis()) / 1e3
}

/// With three decimals: more would be noise.
pub(super) fn rounded(x: f64) -> f64 {
    // Adding zero makes a negative zero a plain one.
    (x * 1e3).round() / 1e3 + 0.0
}
