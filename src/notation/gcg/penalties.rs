//! Penalties for failed challenges in a replay: whether they are those of the challenge rule, if it
//! is known, or of one rule; and who can have lost a turn.

use super::replay::Replayer;
use super::{FORFEIT, GcgEvent, LOST_TURN, RecordProblem};
use crate::rules::{ChallengeRule, EventKind, Game, Ruling};
use crate::units::Points;
use std::fmt;

/// What is wrong with a challenge under the rule that has none.
pub(super) const VOID_HAS_NONE: &str =
    "the challenge rule void has no challenges, the record has one here";

/// What a failed challenge costs, according to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Penalty {
    /// Points for the player of the challenged play. Also other penalties may be recorded as 0
    /// points.
    Points(Points),
    /// A turn of the challenger.
    LostTurn,
}

impl Penalty {
    fn is_of(self, rule: ChallengeRule) -> bool {
        match (self, rule.ruling(true)) {
            (Penalty::Points(points), Ruling::BonusPoints(bonus)) => points == bonus,
            (Penalty::Points(points), _) => points == Points::ZERO,
            (Penalty::LostTurn, ruling) => ruling == Ruling::ChallengerLosesTurn,
        }
    }
}

impl fmt::Display for Penalty {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Penalty::Points(points) => write!(f, "{points} points for a failed challenge"),
            Penalty::LostTurn => write!(f, "a turn lost by a challenge"),
        }
    }
}

impl Replayer<'_> {
    /// Whether the challenge rule has a penalty on a line; reports one that it does not have. If the
    /// record's rule is not known, the penalty may be that of any rule, but all of one record are
    /// those of one rule.
    pub(super) fn check_penalty(
        &mut self,
        line: usize,
        penalty: Penalty,
    ) -> Result<bool, RecordProblem> {
        let wrong = self.wrong_penalty(line, penalty);
        let is_right = wrong.is_none();
        if let Some(what) = wrong {
            self.problems.report(line, what)?;
        }
        Ok(is_right)
    }

    fn wrong_penalty(&mut self, line: usize, penalty: Penalty) -> Option<String> {
        if let Some(rule) = self.record.challenge_rule {
            if rule == ChallengeRule::Void {
                return Some(VOID_HAS_NONE.to_string());
            }
            return (!penalty.is_of(rule)).then(|| {
                let rule_has = match (penalty, rule.ruling(true)) {
                    (Penalty::LostTurn, _) => "takes none".to_string(),
                    (_, Ruling::BonusPoints(points)) => format!("gives {points}"),
                    _ => format!("gives {}", Points::ZERO),
                };
                format!("{penalty}, the challenge rule {} {rule_has}", rule.name())
            });
        }
        let is_of_one_rule = |other: Penalty| {
            let mut rules = ChallengeRule::NAMES.iter().map(|(rule, ..)| *rule);
            rules.any(|rule| penalty.is_of(rule) && other.is_of(rule))
        };
        if !is_of_one_rule(penalty) {
            return Some(format!("no challenge rule has {penalty}"));
        }
        let mut earlier = self.penalties.iter();
        if let Some((at, other)) = earlier.find(|(_, other)| !is_of_one_rule(*other)) {
            return Some(format!(
                "{penalty} and {other} on line {at}: no challenge rule has both"
            ));
        }
        if self.penalties.iter().all(|(_, other)| *other != penalty) {
            self.penalties.push((line, penalty));
        }
        None
    }

    /// Reports a failed challenge of a play by `seat` whose penalty is missing, if the known
    /// challenge rule takes a turn or the game for it.
    pub(super) fn check_penalty_follows(
        &mut self,
        seat: usize,
        line: &GcgEvent,
    ) -> Result<(), RecordProblem> {
        if self.game.end().is_some() {
            return Ok(());
        }
        match self.record.challenge_rule {
            Some(ChallengeRule::Double) if !self.is_turn_lost_after(seat, line) => {
                let what = format!(
                    "the challenge rule double takes a turn for a failed challenge, and none is lost \
                     after it: a lost turn is a pass with the note '{LOST_TURN}', after the last \
                     event of the record the note '{LOST_TURN} NICK'"
                );
                self.report(line, what)
            }
            Some(ChallengeRule::Triple) => {
                let what = format!(
                    "the challenge rule triple ends the game with a failed challenge: the note \
                     '{FORFEIT} NICK' after the play names the challenger"
                );
                self.report(line, what)
            }
            _ => Ok(()),
        }
    }

    /// Whether an opponent of `seat` loses a turn after this line, before `seat` moves again. It may
    /// still be to come if the record ends before each opponent has moved.
    fn is_turn_lost_after(&self, seat: usize, line: &GcgEvent) -> bool {
        let events = &self.record.events;
        let at = events.iter().position(|event| std::ptr::eq(event, line));
        let following = &events[at.map_or(events.len(), |at| at + 1)..];
        let turns = || {
            let turns = following.iter().filter(|event| event.action.is_turn());
            turns.filter_map(|event| Some((self.seat(&event.nick)?, event.is_lost_turn())))
        };
        let is_opponent = |other: usize| other != seat;
        let mut round = turns().take_while(|&(other, _)| is_opponent(other));
        if round.any(|(_, is_lost)| is_lost) || self.names_lost_turn(is_opponent) {
            return true;
        }
        let has_moved = |other| turns().any(|(mover, _)| mover == other);
        let all_moved = (0..self.players.len()).all(|other| other == seat || has_moved(other));
        !following.is_empty() && !has_moved(seat) && !all_moved
    }
}

/// The plays of a game that stand and that nobody has challenged so far: each can cost one
/// challenger a turn.
pub(super) struct UnchallengedPlays {
    /// By play: the seat and the index of the event, in order.
    plays: Vec<(usize, usize)>,
    /// By seat: the index of its last turn.
    last_turns: Vec<Option<usize>>,
    /// Whether the game has no turn yet, so that turns lost are owed from its start.
    is_start: bool,
}

impl UnchallengedPlays {
    /// The plays of a game, without those for which somebody has lost or owes a turn.
    pub fn of(game: &Game) -> UnchallengedPlays {
        let seats = game.position().player_count();
        let mut found = UnchallengedPlays {
            plays: Vec::new(),
            last_turns: vec![None; seats],
            is_start: true,
        };
        for (at, event) in game.events().iter().enumerate() {
            match &event.kind {
                EventKind::Turn(turn) => {
                    found.is_start = false;
                    found.last_turns[event.seat] = Some(at);
                    if turn.changes_board() {
                        found.plays.push((event.seat, at));
                    }
                }
                EventKind::TakenOff => found.settle_last(event.seat),
                // A challenge that costs a turn may be recorded with 0 points too.
                EventKind::ChallengeBonus if event.points != Points::ZERO => {
                    found.settle_last(event.seat);
                }
                EventKind::LostTurn => {
                    found.lose_turn(event.seat);
                }
                EventKind::ChallengeBonus | EventKind::TimePenalty => {}
            }
        }
        for seat in 0..seats {
            for _ in 0..game.position().lost_turns(seat) {
                found.lose_turn(seat);
            }
        }
        found
    }

    /// Whether `seat` can lose a turn for a play of an opponent since its own last turn, which then
    /// counts as challenged. Of several it is the oldest, because others may lose turns for the
    /// later ones.
    pub fn lose_turn(&mut self, seat: usize) -> bool {
        let last_turn = self.last_turns[seat];
        let is_meant = |&(player, at): &(usize, usize)| player != seat && Some(at) > last_turn;
        match self.plays.iter().position(is_meant) {
            Some(at) => {
                self.plays.remove(at);
                true
            }
            None => self.is_start,
        }
    }

    /// The last play of a seat has been challenged with another result than a lost turn.
    fn settle_last(&mut self, seat: usize) {
        let last = self.last_turns[seat];
        self.plays.retain(|&(_, at)| Some(at) != last);
    }
}
