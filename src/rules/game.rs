//! A game: a position and how it came about, with challenges.

use super::placement::{PlayError, Turn};
use super::{
    ChallengeRule, ChallengeScope, End, Outcome, Placement, Position, RuleSet, Ruling, SetupError,
};
use crate::tiles::{Letter, TileCounts};
use crate::units::Points;
use rand::Rng;
use std::fmt;
use std::sync::Arc;

/// A game as it is played or told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    position: Position,
    events: Vec<GameEvent>,
    /// The position before the last event, while that is a play that can be challenged.
    before_play: Option<Box<Position>>,
    /// The seat that has lost the game by a challenge.
    forfeited: Option<usize>,
}

/// Something that happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEvent {
    /// To whom.
    pub seat: usize,
    /// What was known of that player's rack before.
    pub rack: TileCounts,
    /// What happened.
    pub kind: EventKind,
    /// What it added to that player's score.
    pub points: Points,
    /// The score after it.
    pub total: Points,
}

/// What can happen in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A turn was taken.
    Turn(Turn),
    /// The play just made was challenged and came off; its points go.
    TakenOff,
    /// The play just made was challenged and stands; points were added for it.
    ChallengeBonus,
    /// A turn was missed after a wrong challenge.
    LostTurn,
    /// Too much time was used.
    TimePenalty,
}

impl Game {
    /// A new game, with nothing known of the racks.
    pub fn new(rules: Arc<RuleSet>, players: usize) -> Result<Game, SetupError> {
        Position::start(rules, players).map(Game::from_position)
    }

    /// A game that goes on from a position.
    pub fn from_position(position: Position) -> Game {
        Game {
            position,
            events: Vec::new(),
            before_play: None,
            forfeited: None,
        }
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What has happened, in order.
    pub fn events(&self) -> &[GameEvent] {
        &self.events
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<End> {
        self.forfeited
            .map(End::Forfeit)
            .or_else(|| self.position.end())
    }

    /// The result, if the game is over and the tiles left over are known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome_of(self.end()?)
    }

    /// Says what the player on `seat` holds: these tiles and no others.
    pub fn set_rack(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.position.set_rack(seat, tiles)
    }

    /// Says some of what the player on `seat` holds.
    pub fn set_known_tiles(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.position.set_known_tiles(seat, tiles)
    }

    /// Draws for every player what is unknown of the hand.
    pub fn deal_unknown(&mut self, chance: &mut impl Rng) {
        self.position.deal_unknown(chance);
    }

    /// Takes a turn for the player on turn; the points it scored. On an error nothing changes.
    pub fn play(&mut self, turn: &Turn) -> Result<Points, PlayError> {
        if self.forfeited.is_some() {
            return Err(PlayError::GameOver);
        }
        let before = self.position.clone();
        let points = self.position.play(turn)?;
        self.before_play = None;
        self.record(&before, before.to_move(), EventKind::Turn(*turn), points);
        self.record_lost_turns(&before);
        if matches!(turn, Turn::Place(_)) {
            self.before_play = Some(Box::new(before));
        }
        Ok(points)
    }

    /// The play that can be challenged now, and who made it.
    pub fn last_play(&self) -> Option<(usize, &Placement)> {
        self.before_play.as_ref()?;
        self.events
            .iter()
            .rev()
            .find_map(|event| match &event.kind {
                EventKind::Turn(Turn::Place(placement)) => Some((event.seat, placement)),
                _ => None,
            })
    }

    /// The words of the play that can be challenged now.
    pub fn last_words(&self) -> Vec<Vec<Letter>> {
        let score = match (&self.before_play, self.last_play()) {
            (Some(before), Some((_, placement))) => before.examine(placement),
            _ => return Vec::new(),
        };
        score.map_or(Vec::new(), |score| {
            score.words.iter().map(|word| word.word()).collect()
        })
    }

    /// Challenges the last play for the player on seat `by`: one word of it
    /// where the rules say so, else all at once. `is_word` is the dictionary.
    pub fn challenge(
        &mut self,
        by: usize,
        word: Option<&[Letter]>,
        is_word: impl Fn(&[Letter]) -> bool,
    ) -> Result<Ruling, ChallengeError> {
        let rules = self.position.rules().clone();
        let (seat, placement) = self.last_play().ok_or(ChallengeError::NoPlay)?;
        let (seat, placement) = (seat, *placement);
        if rules.challenge == ChallengeRule::Void {
            return Err(ChallengeError::Void);
        }
        if by == seat {
            return Err(ChallengeError::OwnPlay);
        }
        let words = self.last_words();
        let good = match (rules.challenge_scope, word) {
            (ChallengeScope::Play, _) => words.iter().all(|word| is_word(word)),
            (ChallengeScope::Word, None) => return Err(ChallengeError::NoWordNamed),
            (ChallengeScope::Word, Some(word)) if !words.iter().any(|made| made == word) => {
                return Err(ChallengeError::NotInPlay);
            }
            (ChallengeScope::Word, Some(word)) => is_word(word),
        };
        let ruling = rules.challenge.ruling(good);
        match ruling {
            Ruling::TakenOff => self.take_off(&placement),
            Ruling::TakenOffAndGameLost => {
                self.take_off(&placement);
                self.forfeited = Some(seat);
            }
            Ruling::Stands => {}
            Ruling::ChallengerLosesTurn => self.lose_turns(by, 1),
            Ruling::ChallengerLosesGame => self.forfeited = Some(by),
            Ruling::BonusPoints(points) => self.award(points),
        }
        self.before_play = None;
        Ok(ruling)
    }

    /// Takes the last play off the board; nothing if there is none.
    fn take_off(&mut self, placement: &Placement) {
        let Some(before) = self.before_play.take() else {
            return;
        };
        let played = self.position.clone();
        let seat = before.to_move();
        self.position = *before;
        let scored = self.position.score(seat) - played.score(seat);
        let start = self.position.clone();
        if self.position.lose_play(placement).is_ok() {
            // Turns missed after the play are missed again after it came off.
            while matches!(self.events.last(), Some(event) if event.kind == EventKind::LostTurn) {
                self.events.pop();
            }
            self.record(&start, seat, EventKind::TakenOff, scored);
            self.record_lost_turns(&start);
        }
    }

    /// Takes off the play just made, whatever a dictionary says of it: for records that tell so.
    pub fn withdraw(&mut self) -> Result<(), ChallengeError> {
        let (_, placement) = self.last_play().ok_or(ChallengeError::NoPlay)?;
        let placement = *placement;
        self.take_off(&placement);
        Ok(())
    }

    /// A turn in which this was placed and came off again: for records that tell so at once.
    pub fn play_phony(&mut self, placement: &Placement) -> Result<(), PlayError> {
        self.play(&Turn::Place(*placement))?;
        self.take_off(placement);
        Ok(())
    }

    /// Adds challenge points to the player who made the last play.
    pub fn award(&mut self, points: Points) {
        let Some((seat, _)) = self.last_play() else {
            return;
        };
        self.before_play = None;
        self.add(seat, EventKind::ChallengeBonus, points);
    }

    /// Follows a scorekeeper who wrote these numbers for the last event,
    /// whatever the rules say it was worth; nothing if there is no event.
    pub fn correct(&mut self, points: Points, total: Points) {
        let Some(event) = self.events.last_mut() else {
            return;
        };
        (event.points, event.total) = (points, total);
        let seat = event.seat;
        let change = total - self.position.score(seat);
        self.position.adjust_score(seat, change);
    }

    /// Takes points for time from the player on `seat`; it can be done after the end.
    pub fn penalise_time(&mut self, seat: usize, points: Points) {
        self.before_play = None;
        self.add(seat, EventKind::TimePenalty, -points);
    }

    fn add(&mut self, seat: usize, kind: EventKind, points: Points) {
        let before = self.position.clone();
        self.position.adjust_score(seat, points);
        self.record(&before, seat, kind, points);
    }

    /// Takes the next turns from the player on `seat`.
    pub fn lose_turns(&mut self, seat: usize, turns: u8) {
        let mut before = self.position.clone();
        self.position.lose_turns(seat, turns);
        before.owe_turns(seat, turns);
        self.record_lost_turns(&before);
    }

    fn record(&mut self, before: &Position, seat: usize, kind: EventKind, points: Points) {
        let rack = before.rack(seat).known;
        self.events.push(GameEvent {
            seat,
            rack,
            kind,
            points,
            total: self.position.score(seat),
        });
    }

    /// Records the turns that were missed since `before`.
    fn record_lost_turns(&mut self, before: &Position) {
        for seat in before.turn_order() {
            for _ in self.position.lost_turns(seat)..before.lost_turns(seat) {
                self.record(before, seat, EventKind::LostTurn, Points::ZERO);
            }
        }
    }
}

/// Why a challenge cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeError {
    /// There is no play, or the next turn has begun.
    NoPlay,
    /// The rules refuse such plays beforehand.
    Void,
    /// One's own play.
    OwnPlay,
    /// The rules have one word challenged, and none was named.
    NoWordNamed,
    /// The word named is none of the play's.
    NotInPlay,
}

impl fmt::Display for ChallengeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ChallengeError::NoPlay => "there is no play to challenge",
            ChallengeError::Void => {
                "the rule 'void' has no challenges: plays with other words are refused"
            }
            ChallengeError::OwnPlay => "a player cannot challenge the own play",
            ChallengeError::NoWordNamed => {
                "these rules have one word challenged at a time; name it"
            }
            ChallengeError::NotInPlay => "the word named is none of the play's",
        })
    }
}

impl std::error::Error for ChallengeError {}
