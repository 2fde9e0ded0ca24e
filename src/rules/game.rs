//! A game: a position, the events that led to it, and challenges.

use super::placement::{PlayError, Turn};
use super::{
    ChallengeRule, ChallengeScope, DetailError, End, Outcome, Position, RuleSet, Ruling, SetupError,
};
use crate::tiles::{Letter, TileCounts};
use crate::units::Points;
use rand::Rng;
use std::sync::Arc;

/// A game with its history, as it is played or read from a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    position: Position,
    events: Vec<GameEvent>,
    /// The position before the last play, while that play can be challenged.
    before_play: Option<Box<Position>>,
    /// Why the game is over, where the position does not say so: a seat has lost by a challenge, or a
    /// penalty came after the end.
    decided: Option<End>,
}

/// One event of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEvent {
    /// The seat it concerns.
    pub seat: usize,
    /// The tiles known to have been on that rack before the event: those known then, and those that
    /// a turn has shown since.
    pub rack: TileCounts,
    /// What happened.
    pub kind: EventKind,
    /// What it adds to the score of that seat.
    pub points: Points,
    /// The score of that seat after it.
    pub total: Points,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A turn.
    Turn(Turn),
    /// The last play is challenged and comes off; its points are subtracted.
    TakenOff,
    /// The last play is challenged and stands; its player gets bonus points.
    ChallengeBonus,
    /// A turn is missed after a wrong challenge.
    LostTurn,
    /// Points are subtracted for overtime.
    TimePenalty,
}

impl Game {
    /// A new game with unknown racks.
    pub fn new(rules: Arc<RuleSet>, players: usize) -> Result<Game, SetupError> {
        Position::start(rules, players).map(Game::from_position)
    }

    /// A game that starts from a position.
    pub fn from_position(position: Position) -> Game {
        Game {
            position,
            events: Vec::new(),
            before_play: None,
            decided: None,
        }
    }

    /// A game that starts from a position in which it is over for a reason that the position need not
    /// show, such as a lost challenge.
    pub fn from_end(position: Position, end: End) -> Result<Game, DetailError> {
        position.check_end(end)?;
        Ok(Game {
            decided: Some(end),
            ..Game::from_position(position)
        })
    }

    /// The game before one of its events. `before` gives the position before an event. A play just
    /// before it can be challenged; not so after a lost turn, which may come from a challenge.
    pub(crate) fn rewound(mut self, event: usize, before: impl Fn(usize) -> Position) -> Game {
        self.events.truncate(event);
        let is_play = |event: &GameEvent| match &event.kind {
            EventKind::Turn(turn) => turn.changes_board(),
            _ => false,
        };
        let is_challengeable = self.events.last().is_some_and(is_play);
        Game {
            before_play: is_challengeable.then(|| Box::new(before(event - 1))),
            events: self.events,
            ..Game::from_position(before(event))
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The events in order.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<End> {
        self.decided.or_else(|| self.position.end())
    }

    /// The result, if the game is over and the tiles left on the racks are known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome_of(self.end()?)
    }

    /// Sets the whole rack of `seat`.
    pub fn set_rack(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.position.set_rack(seat, tiles)
    }

    /// Makes the rack of `seat` unknown; its size stays.
    pub fn forget_rack(&mut self, seat: usize) {
        self.position.forget_rack(seat);
    }

    /// Sets the known tiles of the rack of `seat`; its size stays.
    pub fn set_known_tiles(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.position.set_known_tiles(seat, tiles)
    }

    /// Draws the unknown tiles of every rack at random.
    pub fn deal_unknown(&mut self, rng: &mut impl Rng) {
        self.position.deal_unknown(rng);
    }

    /// Takes a turn for the player to move and returns its points. On an error nothing changes.
    pub fn play(&mut self, turn: &Turn) -> Result<Points, PlayError> {
        if self.decided.is_some() {
            return Err(PlayError::GameOver);
        }
        let before = self.position.clone();
        let points = self.position.play(turn)?;
        self.before_play = None;
        let shown = turn.tiles_from_rack();
        let seat = before.to_move();
        self.record(&before, seat, EventKind::Turn(*turn), points, &shown);
        self.record_lost_turns(&before);
        if turn.changes_board() {
            self.before_play = Some(Box::new(before));
        }
        Ok(points)
    }

    /// The seat and turn of the play that can be challenged now.
    pub fn last_play(&self) -> Option<(usize, &Turn)> {
        self.before_play.as_ref()?;
        self.newest_play()
    }

    /// The seat and turn of the newest play, whether it can be challenged or not.
    fn newest_play(&self) -> Option<(usize, &Turn)> {
        self.events
            .iter()
            .rev()
            .find_map(|event| match &event.kind {
                EventKind::Turn(turn) if turn.changes_board() => Some((event.seat, turn)),
                _ => None,
            })
    }

    /// The seat that challenges the last play if nobody is named: the player to move, who is the
    /// next with a turn, or the next seat if the player of the play moves again. `None` if no play
    /// can be challenged.
    pub fn next_challenger(&self) -> Option<usize> {
        let (player, _) = self.last_play()?;
        let mover = self.position.to_move();
        Some(match mover == player {
            true => self.position.flow_rules().next_seat(player),
            false => mover,
        })
    }

    /// The words of the play that can be challenged now; empty if there is none.
    pub fn last_words(&self) -> Vec<Vec<Letter>> {
        let score = match (&self.before_play, self.last_play()) {
            (Some(before), Some((_, turn))) => before.examine_turn(turn),
            _ => return Vec::new(),
        };
        score.map_or(Vec::new(), |score| score.formed().collect())
    }

    /// Says why the player on seat `by` cannot challenge the last play, whatever words are named.
    pub fn check_challenge(&self, by: usize) -> Result<(), ChallengeError> {
        let (seat, _) = self.last_play().ok_or(ChallengeError::NoPlay)?;
        if by == seat {
            return Err(ChallengeError::OwnPlay);
        }
        if self.position.rules().challenge == ChallengeRule::Void {
            return Err(ChallengeError::Void);
        }
        match self.last_words().is_empty() {
            true => Err(ChallengeError::NoWords),
            false => Ok(()),
        }
    }

    /// Challenges the last play for the player on seat `by`: the named words where the rules have
    /// [`ChallengeScope::Word`], otherwise all its words. `is_word` is the dictionary.
    pub fn challenge(
        &mut self,
        by: usize,
        named: &[Vec<Letter>],
        is_word: impl Fn(&[Letter]) -> bool,
    ) -> Result<Ruling, ChallengeError> {
        self.check_challenge(by)?;
        let rules = self.position.rules().clone();
        let (seat, &turn) = self.last_play().ok_or(ChallengeError::NoPlay)?;
        let formed = self.last_words();
        if named.iter().any(|word| !formed.contains(word)) {
            return Err(ChallengeError::NotInPlay);
        }
        let challenged = match rules.challenge_scope {
            ChallengeScope::Play => &formed,
            ChallengeScope::Word if named.is_empty() => return Err(ChallengeError::NoWordNamed),
            ChallengeScope::Word => named,
        };
        let ruling = rules
            .challenge
            .ruling(challenged.iter().all(|word| is_word(word)));
        match ruling {
            Ruling::TakenOff => self.take_off(&turn),
            Ruling::TakenOffAndGameLost => {
                self.take_off(&turn);
                self.decided = Some(End::Forfeit(seat));
            }
            Ruling::Stands => {}
            Ruling::ChallengerLosesTurn => self.miss_turns(by, 1),
            Ruling::ChallengerLosesGame => {
                // The first player to reach the target has won, whatever the challenger loses.
                let is_won = matches!(self.end(), Some(End::Target(_)));
                self.decided = (!is_won).then_some(End::Forfeit(by));
            }
            Ruling::BonusPoints(points) => self.award(points),
        }
        self.before_play = None;
        Ok(ruling)
    }

    /// Takes the last play off the board, if there is one.
    fn take_off(&mut self, turn: &Turn) {
        let Some(before) = self.before_play.take() else {
            return;
        };
        let played = self.position.clone();
        let seat = before.to_move();
        self.position = *before;
        let scored = self.position.score(seat) - played.score(seat);
        let start = self.position.clone();
        if self.position.lose_play(turn).is_ok() {
            // Turns missed after the play are missed after it comes off instead.
            while matches!(self.events.last(), Some(event) if event.kind == EventKind::LostTurn) {
                self.events.pop();
            }
            let shown = turn.tiles_shown();
            self.record(&start, seat, EventKind::TakenOff, scored, &shown);
            self.record_lost_turns(&start);
        }
    }

    /// Takes the last play off without asking a dictionary: for records that contain this event.
    pub fn withdraw(&mut self) -> Result<(), ChallengeError> {
        let (_, &turn) = self.last_play().ok_or(ChallengeError::NoPlay)?;
        self.take_off(&turn);
        Ok(())
    }

    /// A play that is challenged off at once: for records that contain it as one event.
    pub fn play_phony(&mut self, turn: &Turn) -> Result<(), PlayError> {
        let seat = self.position.to_move();
        self.play(turn)?;
        self.take_off(turn);
        if self.position.rules().challenge.ruling(false) == Ruling::TakenOffAndGameLost {
            self.decided = Some(End::Forfeit(seat));
        }
        Ok(())
    }

    /// Adds challenge points to the score of the player who made the newest play, also if its
    /// challenge has ended the game.
    pub fn award(&mut self, points: Points) {
        let Some((seat, _)) = self.newest_play() else {
            return;
        };
        self.before_play = None;
        self.add(seat, EventKind::ChallengeBonus, points);
    }

    /// Sets points and total of the last event to what a record says, even where the rules say
    /// otherwise. Does nothing if there is no event.
    pub fn correct(&mut self, points: Points, total: Points) {
        let Some(event) = self.events.last_mut() else {
            return;
        };
        (event.points, event.total) = (points, total);
        let seat = event.seat;
        let change = total - self.position.score(seat);
        self.position.adjust_score(seat, change);
    }

    /// Subtracts points for overtime from the score of `seat`, also after the end of the game.
    pub fn penalise_time(&mut self, seat: usize, points: Points) {
        self.before_play = None;
        // A player whose score falls below the target again has won all the same.
        self.decided = self.end();
        self.add(seat, EventKind::TimePenalty, -points);
    }

    fn add(&mut self, seat: usize, kind: EventKind, points: Points) {
        let before = self.position.clone();
        self.position.adjust_score(seat, points);
        self.record(&before, seat, kind, points, &TileCounts::EMPTY);
    }

    /// Makes the player on `seat` miss the next `turns` turns, for a challenge of the last play that
    /// failed: it cannot be challenged again.
    pub fn lose_turns(&mut self, seat: usize, turns: u8) {
        if turns > 0 {
            self.before_play = None;
        }
        self.miss_turns(seat, turns);
    }

    fn miss_turns(&mut self, seat: usize, turns: u8) {
        let mut before = self.position.clone();
        self.position.lose_turns(seat, turns);
        before.add_lost_turns(seat, turns);
        self.record_lost_turns(&before);
    }

    /// Records an event that has shown some tiles of the rack.
    fn record(
        &mut self,
        before: &Position,
        seat: usize,
        kind: EventKind,
        points: Points,
        shown: &TileCounts,
    ) {
        let mut rack = before.rack(seat).known;
        rack.add_all(&shown.lacking_in(&rack));
        self.events.push(GameEvent {
            seat,
            rack,
            kind,
            points,
            total: self.position.score(seat),
        });
    }

    /// Records the turns missed since `before`.
    fn record_lost_turns(&mut self, before: &Position) {
        for seat in before.turn_order() {
            for _ in self.position.lost_turns(seat)..before.lost_turns(seat) {
                let (kind, points) = (EventKind::LostTurn, Points::ZERO);
                self.record(before, seat, kind, points, &TileCounts::EMPTY);
            }
        }
    }
}

/// Why a challenge cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChallengeError {
    /// There is no play, or the next turn has begun.
    #[error("there is no play to challenge")]
    NoPlay,
    /// The last play changes the board, but no word.
    #[error("the last play forms no word that could be challenged")]
    NoWords,
    /// The rules have no challenges.
    #[error("the rule 'void' has no challenges: plays with invalid words are refused")]
    Void,
    /// The challenger made the play.
    #[error("players cannot challenge their own play")]
    OwnPlay,
    /// The rules have single words challenged, and none is named.
    #[error("under these rules a challenge is about single words; name them")]
    NoWordNamed,
    /// The play does not form a named word.
    #[error("the play does not form all of the named words")]
    NotInPlay,
}
