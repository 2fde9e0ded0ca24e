//! The objects about a challenge of the last play: the ruling, and the decision whether to
//! challenge.

use super::answer::{ProvenanceObject, TurnContext, cut_warnings, error, value};
use super::fields::QueryError;
use super::query::Query;
use super::table_answer::WordObject;
use crate::engine::{ChallengeDecision, ChallengedPlay, ChoiceValue};
use crate::protocol::reply::Certainty;
use crate::protocol::table_reply::{bonus_points, penalty_name};
use schemars::JsonSchema;
use serde::Serialize;

/// The ruling on a challenge.
#[derive(Serialize, JsonSchema)]
pub(super) struct ChallengeObject {
    /// The word to add to the list of moves, so that the challenge is part of it.
    token: String,
    /// The seat that challenges.
    by: usize,
    /// The seat of the player who made the play.
    player: usize,
    /// The play.
    play: String,
    /// `off` if the play comes off the board, `stands` if it stays.
    ruling: &'static str,
    /// What the loser of the challenge loses beside the play: `none`, `turn`, `game`, or `points`.
    penalty: &'static str,
    /// The points that the challenged player gains.
    points: i32,
    /// The words of the play.
    words: Vec<String>,
    /// The words that are challenged: all, or those named where the rules are about single words.
    judged: Vec<WordObject>,
    /// Those of them that are not in the lexicon.
    phony: Vec<String>,
}

impl ChallengeObject {
    /// The outcome of a challenge.
    pub fn new(outcome: &ChallengedPlay) -> ChallengeObject {
        let judged = || outcome.judged.iter();
        ChallengeObject {
            token: outcome.token.clone(),
            by: outcome.by + 1,
            player: outcome.player + 1,
            play: outcome.play.clone(),
            ruling: outcome.ruling.name(),
            penalty: penalty_name(outcome.ruling),
            points: bonus_points(outcome.ruling).map_or(0, |points| points.0),
            words: outcome.words.clone(),
            judged: WordObject::without_scores(&outcome.judged),
            phony: judged()
                .filter(|word| !word.is_valid)
                .map(|word| word.text.clone())
                .collect(),
        }
    }
}

/// An answer about a turn of a query that asks whether to challenge the last play.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct DecisionAnswer {
    /// The id of the query.
    id: String,
    /// The turn.
    turn: usize,
    /// Always true: there are no answers before the decision.
    r#final: bool,
    /// Whether the action `terminate` ended the search.
    terminated: bool,
    /// The seat to move, from 1; null if the search had not begun.
    player: Option<usize>,
    /// Milliseconds since the search began.
    elapsed: u64,
    /// The engine and its data; null if the search had not begun.
    provenance: Option<ProvenanceObject>,
    /// `challenge` or `accept`; null if the search had not begun.
    best: Option<&'static str>,
    /// What a challenge leads to; null under the rule `void` and if the search had not begun.
    challenge: Option<ChallengeObject>,
    /// The value of a challenge; null where `challenge` is.
    challenged: Option<ChoiceObject>,
    /// The value of accepting the play; null if the search had not begun.
    accepted: Option<ChoiceObject>,
    /// Texts for people.
    warnings: Vec<String>,
    /// A mistake of the engine; usually left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<QueryError>,
}

/// The value of a choice for the player to move.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChoiceObject {
    /// Win probability in percent.
    win: Option<f64>,
    /// Its standard error.
    win_error: Option<f64>,
    /// Points gained on the best opponent, from the position with the play on the board.
    equity: Option<f64>,
    /// Its standard error.
    equity_error: Option<f64>,
    /// Whether the figures are proved.
    kind: Certainty,
    /// The best move after it; null if none was searched.
    next: Option<String>,
    /// Worlds that a simulation sampled.
    iterations: u64,
    /// Rollouts of a simulation, or positions that a solver searched.
    nodes: u64,
}

impl ChoiceObject {
    fn new(choice: &ChoiceValue) -> ChoiceObject {
        ChoiceObject {
            win: value(choice.win),
            win_error: error(choice.win),
            equity: value(choice.equity),
            equity_error: error(choice.equity),
            kind: Certainty::of(choice.label),
            next: choice.next.clone(),
            iterations: choice.iterations,
            nodes: choice.nodes,
        }
    }
}

impl DecisionAnswer {
    /// An answer about a decision that has not begun.
    pub fn terminated(query: &Query, turn: usize) -> DecisionAnswer {
        DecisionAnswer {
            id: query.id.clone(),
            turn,
            r#final: true,
            terminated: true,
            warnings: cut_warnings(query.warnings.iter()),
            ..DecisionAnswer::default()
        }
    }

    /// What is known about both choices.
    pub fn new(about: &TurnContext, decision: &ChallengeDecision) -> DecisionAnswer {
        let data_notes = decision
            .missing_tables
            .iter()
            .chain(&decision.data_warnings);
        let own = about.query_warnings.iter();
        let warnings = own.chain(data_notes).chain(about.warnings);
        let outcome = decision.outcome.as_ref();
        let failure = decision.failure.as_ref();
        DecisionAnswer {
            id: about.id.to_string(),
            turn: about.turn,
            r#final: decision.is_final,
            terminated: about.terminated,
            player: Some(decision.position.to_move() + 1),
            elapsed: decision.elapsed.as_millis() as u64,
            provenance: Some(ProvenanceObject::new(&decision.provenance)),
            best: Some(decision.best()),
            challenge: outcome.map(ChallengeObject::new),
            challenged: outcome.map(|_| ChoiceObject::new(&decision.challenged)),
            accepted: Some(ChoiceObject::new(&decision.accepted)),
            warnings: cut_warnings(warnings),
            error: failure.map(|text| QueryError::new("internal", None, text)),
        }
    }
}
