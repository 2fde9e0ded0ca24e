//! A turn of a query while it is searched, and the answer with what is known so far.

use super::answer::{AnswerMessage, TurnAnswer, TurnContext};
use super::backlog::BacklogShare;
use super::challenge_answer::DecisionAnswer;
use super::query::Query;
use crate::engine::{ChallengeSearch, PlayedMove, SampledSearch, Search};
use std::sync::Arc;
use std::time::Duration;

/// A query. Its line counts in the backlog until the last of its turns is answered.
pub(super) type QueuedQuery = (Query, BacklogShare);

/// The search of one turn.
pub(super) struct RunningTurn {
    pub queued: Arc<QueuedQuery>,
    pub turn: usize,
    pub work: RunningWork,
    pub played: Option<PlayedMove>,
    /// What is unusual about the position, for people.
    pub warnings: Vec<String>,
    /// The time of the last answer, since the search began.
    pub answered: Duration,
    pub terminated: bool,
}

/// What searches a turn.
pub(super) enum RunningWork {
    /// A search of the position.
    Search(Box<Search>),
    /// A search of racks sampled around a partly known one.
    Sampled(Box<SampledSearch>),
    /// The decision about a challenge.
    Decision(Box<ChallengeSearch>),
}

impl RunningTurn {
    /// The answer with what is known now.
    pub fn answer(&self) -> AnswerMessage {
        let context = TurnContext {
            query: &self.queued.0,
            turn: self.turn,
            played: self.played.as_ref(),
            warnings: &self.warnings,
            terminated: self.terminated,
        };
        let answer = match &self.work {
            RunningWork::Search(search) => TurnAnswer::new(&context, &search.analysis),
            RunningWork::Sampled(search) => TurnAnswer::sampled(&context, &search.analysis),
            RunningWork::Decision(search) => {
                let answer = DecisionAnswer::new(&context, &search.decision);
                return AnswerMessage::Decision(Box::new(answer));
            }
        };
        AnswerMessage::Turn(Box::new(answer))
    }

    /// Asks for the result now.
    pub fn stop(&self) {
        match &self.work {
            RunningWork::Search(search) => search.control.stop(),
            RunningWork::Sampled(search) => search.control.stop(),
            RunningWork::Decision(search) => search.control.stop(),
        }
    }
}

/// The answer about a turn whose search has not begun.
pub(super) fn terminated(query: &Query, turn: usize) -> AnswerMessage {
    match query.challenge {
        true => AnswerMessage::Decision(Box::new(DecisionAnswer::terminated(query, turn))),
        false => AnswerMessage::Turn(Box::new(TurnAnswer::terminated(query, turn))),
    }
}
