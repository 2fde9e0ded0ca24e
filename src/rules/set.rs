//! A rule set: every difference between the rulebooks as a value.

use super::{ChallengeRule, ChallengeScope};
use crate::board::Layout;
use crate::tiles::TileSet;
use crate::units::Points;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The fewest players of a game.
pub const MIN_PLAYERS: usize = 2;
/// The most players of a game.
pub const MAX_PLAYERS: usize = 4;
/// The smallest rack.
pub const MIN_RACK: usize = 2;
/// The largest rack.
pub const MAX_RACK: usize = 9;

/// The values that make a game. Nothing about them is promised: see [`RuleSet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleValues {
    /// What the rule set is called.
    pub name: String,
    /// The printed board.
    pub board: Arc<Layout>,
    /// What is in the box.
    pub tiles: Arc<TileSet>,
    /// The fewest and the most players.
    pub players: (usize, usize),
    /// How many tiles a player holds.
    pub rack_size: usize,
    /// What is added to a play, by the number of tiles placed.
    pub bonus: [Points; MAX_RACK + 1],
    /// The fewest letters of the first word on the board.
    pub first_word_min: usize,
    /// When tiles can be exchanged.
    pub exchange: ExchangeLimit,
    /// What a challenge costs the one who was wrong.
    pub challenge: ChallengeRule,
    /// What is challenged.
    pub challenge_scope: ChallengeScope,
    /// The points that win at once; one for all players or one for each seat, none for an open end.
    pub targets: Vec<TargetScore>,
    /// How a game ends in which nobody goes out.
    pub scoreless_limit: ScorelessLimit,
    /// How the one who goes out is paid.
    pub going_out: GoingOut,
}

/// When tiles can be exchanged. The bag must hold as many as are exchanged in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeLimit {
    /// While the bag holds at least so many.
    BagHolds(usize),
    /// While the bag holds as many as are exchanged.
    BagCovers,
}

/// How a game ends in which nobody goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScorelessLimit {
    /// After so many turns in a row without points, whatever they were.
    Turns(u8),
    /// After every player has passed in turn.
    RoundOfPasses,
}

impl ScorelessLimit {
    /// How many such turns in a row end a game of `players`.
    pub fn limit(self, players: usize) -> u8 {
        match self {
            ScorelessLimit::Turns(n) => n,
            ScorelessLimit::RoundOfPasses => players as u8,
        }
    }
}

/// How the one who goes out is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoingOut {
    /// All lose the value of their tiles, and the one who went out gets the sum.
    Sum,
    /// The one who went out gets twice the others' tiles; nobody loses. For two players it leaves the same spread.
    Twice,
}

/// The points that win a game at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetScore {
    /// So many.
    Points(Points),
    /// The books' number for a player of this level.
    Grade(TargetGrade),
}

/// How well a player plays, for the finish-line game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetGrade {
    /// 70, 60 or 50 points with two, three or four players.
    Beginner,
    /// 120, 100 or 90 points.
    Intermediate,
    /// 200, 180 or 160 points.
    Expert,
}

impl TargetScore {
    /// The points to reach in a game of `players`.
    pub fn points(self, players: usize) -> Points {
        let by_players = match self {
            TargetScore::Points(points) => return points,
            TargetScore::Grade(TargetGrade::Beginner) => [70, 60, 50],
            TargetScore::Grade(TargetGrade::Intermediate) => [120, 100, 90],
            TargetScore::Grade(TargetGrade::Expert) => [200, 180, 160],
        };
        Points(by_players[players.clamp(MIN_PLAYERS, MAX_PLAYERS) - MIN_PLAYERS])
    }
}

/// Rule values that make a game one can play. Only [`RuleSet::new`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(RuleValues);

impl RuleSet {
    /// Checks the values against each other and against what the engine can do.
    pub fn new(values: RuleValues) -> Result<RuleSet, RuleError> {
        within("rack", values.rack_size, MIN_RACK, MAX_RACK)?;
        let (fewest, most) = values.players;
        within("fewest players", fewest, MIN_PLAYERS, MAX_PLAYERS)?;
        within("most players", most, fewest, MAX_PLAYERS)?;
        within("first_word", values.first_word_min, 2, values.rack_size)?;
        if let ExchangeLimit::BagHolds(n) = values.exchange {
            within("exchange", n, 0, 255)?;
        }
        if values.scoreless_limit == ScorelessLimit::Turns(0) {
            return Err(RuleError {
                what: "zero_turns",
                got: 0,
                limits: (1, 255),
            });
        }
        for points in values.bonus {
            within(
                "bonus",
                points.0.try_into().unwrap_or(usize::MAX),
                0,
                MAX_BONUS,
            )?;
        }
        if values.targets.len() > 1 {
            within(
                "number of targets, one for each seat,",
                values.targets.len(),
                most,
                most,
            )?;
        }
        for target in &values.targets {
            within(
                "target",
                target.points(fewest).0.try_into().unwrap_or(0),
                1,
                Points::LIMIT as usize,
            )?;
        }
        within(
            "number of tiles, of which each player needs a rack full,",
            values.tiles.all().len(),
            most * values.rack_size,
            MAX_TILES,
        )?;
        Ok(RuleSet(values))
    }

    /// The points that win at once for the player on `seat` of `players`, if any do.
    pub fn target(&self, seat: usize, players: usize) -> Option<Points> {
        let target = self.targets.get(seat).or(self.targets.first())?;
        Some(target.points(players))
    }

    /// The values, to change some and make another rule set.
    pub fn into_values(self) -> RuleValues {
        self.0
    }
}

impl Deref for RuleSet {
    type Target = RuleValues;

    fn deref(&self) -> &RuleValues {
        &self.0
    }
}

/// The largest bonus for the tiles placed in a play.
const MAX_BONUS: usize = 1_000;
/// The most tiles in a box: more than twice the squares of the largest board.
const MAX_TILES: usize = 1_000;

fn within(what: &'static str, got: usize, low: usize, high: usize) -> Result<(), RuleError> {
    if (low..=high).contains(&got) {
        Ok(())
    } else {
        Err(RuleError {
            what,
            got,
            limits: (low, high),
        })
    }
}

/// A rule value out of range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// Which value.
    pub what: &'static str,
    /// What it is.
    pub got: usize,
    /// The lowest and the highest it could be.
    pub limits: (usize, usize),
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (low, high) = self.limits;
        write!(
            f,
            "{} is {}, the limits are {low} and {high}",
            self.what, self.got
        )
    }
}

impl std::error::Error for RuleError {}
