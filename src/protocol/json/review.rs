//! The mode `review`: every turn of a record, each in its own answer, and then a summary of the game.
//!
//! The turns are searched in parallel and answered in the order in which they are done.

use super::answer::{AnswerMessage, TurnAnswer, TurnContext, cut_warnings};
use super::backlog::BacklogShare;
use super::fields::{FieldReader, QueryError, missing};
use super::query::number_field;
use crate::engine::Engine;
use crate::notation::gcg::{GameRecord, ReadMode};
use crate::review::{
    DEFAULT_REVIEW_CANDIDATES, PreparedGame, ReviewDocument, ReviewRequest, TurnAnalysis,
    TurnFindings,
};
use crate::siu::NUMBERS;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

/// The name of the mode.
pub(super) const REVIEW: &str = "review";
/// The field that asks for the luck of the draws.
pub(super) const LUCK: &str = "luck";
/// The numbers of `go` that a review uses.
const USED_NUMBERS: [&str; 5] = ["movetime", "candidates", "iterations", "seed", "threads"];

/// A query in the mode `review`.
#[derive(Debug)]
pub(super) struct ReviewQuery {
    /// The name that the client gave it.
    pub id: String,
    record: GameRecord,
    request: ReviewRequest,
    /// The number of turns that are searched at once.
    threads: Option<usize>,
    /// The seed, if it is given.
    seed: Option<u64>,
    warnings: Vec<String>,
}

impl ReviewQuery {
    /// Reads a query whose field `mode` is `review`.
    pub fn read(id: Option<String>, fields: &mut FieldReader) -> Result<ReviewQuery, QueryError> {
        let id = id.ok_or_else(|| missing("id"))?;
        fields.take("mode");
        let gcg = fields.text("gcg")?.ok_or_else(|| {
            let text = "gcg is missing: the mode review needs a game record";
            QueryError::new("bad-field", "gcg", text)
        })?;
        let record = GameRecord::parse(gcg.as_bytes(), ReadMode::Strict);
        let (record, _) =
            record.map_err(|problem| QueryError::new("bad-position", "gcg", problem))?;
        let mut numbers = [None; USED_NUMBERS.len()];
        for (number, name) in numbers.iter_mut().zip(USED_NUMBERS) {
            let limits = NUMBERS.iter().find(|(known, ..)| *known == name);
            if let Some((name, low, high)) = limits {
                *number = fields.number(number_field(name), *low, *high)?;
            }
        }
        let [time, candidates, iterations, seed, threads] = numbers;
        let luck = fields.field(LUCK, "true or false", Value::as_bool)?;
        let rest = fields.0.keys().filter(|name| *name != "action");
        let warnings = rest.map(|name| format!("{name} has no effect in the mode {REVIEW}"));
        let candidates = candidates.map(|candidates| candidates as usize);
        Ok(ReviewQuery {
            id,
            record,
            request: ReviewRequest {
                time: time.map(Duration::from_millis),
                iterations,
                candidates: candidates.unwrap_or(DEFAULT_REVIEW_CANDIDATES),
                luck: luck.unwrap_or(false),
                ..ReviewRequest::default()
            },
            threads: threads.map(|threads| threads as usize),
            seed,
            warnings: warnings.collect(),
        })
    }
}

/// A query in the mode `review`, which counts in the backlog until it is answered.
pub(super) type QueuedReview = (ReviewQuery, BacklogShare);

/// What the threads of a review send.
pub(super) enum ReviewEvent {
    /// A turn is done.
    Turn(usize, Box<TurnFindings>, Option<TurnAnalysis>),
    /// All turns are done; `None` if the review was stopped or failed.
    End(Option<Box<ReviewDocument>>),
}

/// A review in progress.
pub(super) struct RunningReview {
    queued: Arc<QueuedReview>,
    game: Arc<PreparedGame>,
    /// By turn, whether it has been answered.
    answered: Vec<bool>,
    terminated: bool,
}

/// The last answer of a review.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReviewAnswer {
    /// The id of the query.
    id: String,
    /// Always true.
    r#final: bool,
    /// Whether the action `terminate` ended the review.
    terminated: bool,
    /// The review of the game; null if it was terminated or failed.
    summary: Option<Box<ReviewDocument>>,
    /// Texts for people.
    warnings: Vec<String>,
}

impl RunningReview {
    /// Replays the record and starts the searches. `send` is called from their threads.
    pub fn start(
        queued: &Arc<QueuedReview>,
        engine: &mut Engine,
        send: impl Fn(ReviewEvent) + Send + Sync + 'static,
    ) -> Result<RunningReview, QueryError> {
        let query = &queued.0;
        let defaults = &engine.options().search;
        let threads = query.threads.unwrap_or(defaults.threads);
        let request = ReviewRequest {
            seed: query.seed.unwrap_or(defaults.seed),
            ..query.request.clone()
        };
        let game = PreparedGame::new(engine, &query.record, &query.id);
        let game = game.map_err(|problem| QueryError::new("bad-position", "gcg", problem))?;
        let game = Arc::new(game);
        let reviewed = game.clone();
        let review = move || {
            let done = |turn, findings: &TurnFindings, analysis| {
                send(ReviewEvent::Turn(
                    turn,
                    Box::new(findings.clone()),
                    analysis,
                ));
            };
            // Our own fault must not leave the session waiting for the end.
            let review = || reviewed.review_reporting(&request, threads, &done);
            let document = catch_unwind(AssertUnwindSafe(review)).ok().flatten();
            send(ReviewEvent::End(document.map(Box::new)));
        };
        let spawned = thread::Builder::new()
            .name(REVIEW.to_string())
            .spawn(review);
        spawned.map_err(|error: io::Error| {
            let text = format!("no thread for the review: {error}");
            QueryError::new("internal", None, text)
        })?;
        Ok(RunningReview {
            queued: queued.clone(),
            answered: vec![false; game.turns()],
            game,
            terminated: false,
        })
    }

    /// The id of the query.
    pub fn id(&self) -> &str {
        &self.queued.0.id
    }

    /// Ends the searches. Returns how many turns have not been answered.
    pub fn terminate(&mut self) -> usize {
        self.terminated = true;
        self.game.stop_token().stop();
        self.answered.iter().filter(|answered| !**answered).count()
    }

    /// The answers to an event, and whether the review is over.
    pub fn answers(&mut self, event: ReviewEvent) -> (Vec<AnswerMessage>, bool) {
        match event {
            // What a search finds after it was stopped is worth nothing.
            ReviewEvent::Turn(..) if self.terminated => (Vec::new(), false),
            ReviewEvent::Turn(turn, findings, analysis) => {
                self.answered[turn] = true;
                (vec![self.turn_answer(turn, *findings, analysis)], false)
            }
            ReviewEvent::End(summary) => (self.last_answers(summary), true),
        }
    }

    fn turn_answer(
        &self,
        turn: usize,
        findings: TurnFindings,
        analysis: Option<TurnAnalysis>,
    ) -> AnswerMessage {
        let query = &self.queued.0;
        let played = self.game.played(turn);
        let context = TurnContext {
            id: &query.id,
            query_warnings: &query.warnings,
            turn,
            played: Some(&played),
            warnings: &findings.notes,
            terminated: false,
        };
        let mut answer = match &analysis {
            Some(TurnAnalysis::Complete(analysis)) => TurnAnswer::new(&context, analysis),
            Some(TurnAnalysis::Sampled(analysis)) => TurnAnswer::sampled(&context, analysis),
            None => TurnAnswer::failed(&context),
        };
        answer.add_review(self.game.graded_turn(turn, findings));
        AnswerMessage::Turn(Box::new(answer))
    }

    /// The summary. If the review was terminated, the turns that are left are answered before it.
    fn last_answers(&self, summary: Option<Box<ReviewDocument>>) -> Vec<AnswerMessage> {
        let query = &self.queued.0;
        let left = self.answered.iter().enumerate();
        let left = left.filter(|(_, answered)| !**answered);
        let left = left.map(|(turn, _)| {
            let answer = TurnAnswer::terminated(&query.id, turn, &query.warnings);
            AnswerMessage::Turn(Box::new(answer))
        });
        left.chain([summary_message(query, self.terminated, summary)])
            .collect()
    }
}

/// The only answer to a review that was terminated before it began.
pub(super) fn terminated_review(query: &ReviewQuery) -> AnswerMessage {
    summary_message(query, true, None)
}

fn summary_message(
    query: &ReviewQuery,
    terminated: bool,
    summary: Option<Box<ReviewDocument>>,
) -> AnswerMessage {
    AnswerMessage::Review(ReviewAnswer {
        id: query.id.clone(),
        r#final: true,
        terminated,
        summary: summary.filter(|_| !terminated),
        warnings: cut_warnings(query.warnings.iter()),
    })
}
