//! A turn of a query while it is searched, and the answer with what is known so far.

use super::answer::{AnswerMessage, TurnAnswer, TurnContext};
use super::backlog::BacklogShare;
use super::challenge_answer::DecisionAnswer;
use super::query::Query;
use crate::engine::{ChallengeSearch, EngineError, ErrorKind, PlayedMove, SampledSearch, Search};
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
            id: &self.queued.0.id,
            query_warnings: &self.queued.0.warnings,
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
        false => {
            let answer = TurnAnswer::terminated(&query.id, turn, &query.warnings);
            AnswerMessage::Turn(Box::new(answer))
        }
    }
}

/// The field because of which the engine refused the search of a turn.
pub(super) fn field_of_go(error: &EngineError, query: &Query, turn: usize) -> Option<&'static str> {
    let (only, also) = (&query.request.only, &query.request.also);
    let at_turn = query.turn_moves.get(&turn).map_or(&[][..], Vec::as_slice);
    // The text of an error about a move begins with the move.
    let named = |text: &String| error.text.starts_with(&format!("{text}: "));
    match error.kind {
        ErrorKind::Move if only.iter().any(named) => Some("searchmoves"),
        ErrorKind::Move if also.iter().any(named) => Some("alsosearchmoves"),
        ErrorKind::Move if at_turn.iter().any(named) => Some("turnMoves"),
        ErrorKind::Move if only.len() > also.len() => Some("searchmoves"),
        ErrorKind::Move => Some("alsosearchmoves"),
        ErrorKind::Position | ErrorKind::UnknownRack => Some("rack"),
        ErrorKind::Mode => Some("mode"),
        _ => None,
    }
}
