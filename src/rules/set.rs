//! A rule set: the values in which the rule books differ.

use super::{ChallengeRule, ChallengeScope, MAX_EDITS, RearrangeRule};
use crate::board::Layout;
use crate::tiles::TileSet;
use crate::units::Points;
use std::ops::Deref;
use std::sync::Arc;

/// The fewest players of any built-in rule set.
pub const MIN_PLAYERS: usize = 2;
/// The most players of any built-in rule set.
pub const MAX_PLAYERS: usize = 4;
/// The fewest tiles of a full rack: two letters make the shortest word.
pub const MIN_RACK: usize = 2;
/// The most tiles of a full rack. Chosen by hand: two more than usual.
pub const MAX_RACK: usize = 9;
/// The fewest letters of a word.
pub(crate) const MIN_FIRST_WORD: usize = 2;
/// The most rounds without a score that a rule set can allow. Chosen by hand: with four players the
/// turns can still be counted in a byte.
const MAX_SCORELESS_ROUNDS: usize = 50;

/// The values of a rule set, not checked yet: [`RuleSet::new`] does that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleValues {
    /// The name of the rule set.
    pub name: String,
    /// The printed board.
    pub board: Arc<Layout>,
    /// The tile set.
    pub tiles: Arc<TileSet>,
    /// The fewest and the most players.
    pub players: (usize, usize),
    /// The number of tiles of a full rack.
    pub rack_size: usize,
    /// The bonus of a play, by the number of tiles placed.
    pub bonus: [Points; MAX_RACK + 1],
    /// The fewest letters of the first word on the board.
    pub first_word_min: usize,
    /// When tiles can be exchanged.
    pub exchange: ExchangeLimit,
    /// The penalty for a wrong challenge.
    pub challenge: ChallengeRule,
    /// Which words a challenge is about.
    pub challenge_scope: ChallengeScope,
    /// The scores that win at once: one for all players, one for each seat, or none.
    pub targets: Vec<TargetScore>,
    /// Which scoreless turns end the game.
    pub scoreless_limit: ScorelessLimit,
    /// Where passes of all players end the game: it also ends after this many rounds in which nobody
    /// scored, so that players who only exchange cannot go on for ever. 0 is no limit.
    pub max_scoreless_rounds: usize,
    /// What going out earns.
    pub going_out: GoingOut,
    /// Who wins when the final scores are equal.
    pub tie: TieRule,
    /// Whether a player may replace a blank on the board by the letter that it stands for, before the
    /// main action of a turn.
    pub recycles_blanks: bool,
    /// Whether a player may replace single tiles on the board by others, before the main action of a
    /// turn.
    pub recycles_letters: bool,
    /// The most edits of a turn that the engine proposes where letters are recycled. Longer ones are
    /// legal.
    pub max_generated_edits: usize,
    /// Whether words on the board can be rearranged.
    pub rearrange: RearrangeRule,
    /// In which order the letters of a word may stand.
    pub letter_order: LetterOrder,
}

/// When tiles can be exchanged. The bag must always hold as many tiles as are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeLimit {
    /// While the bag holds at least this many tiles.
    BagHolds(usize),
    /// While the bag holds as many tiles as are exchanged.
    BagCovers,
}

/// Which scoreless turns end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScorelessLimit {
    /// This many scoreless turns in a row: passes, exchanges, plays for 0 points and lost turns.
    Turns(u8),
    /// A pass by every player in a row.
    RoundOfPasses,
}

impl ScorelessLimit {
    /// The number of counted turns in a row that end a game of `players`.
    pub fn limit(self, players: usize) -> u8 {
        match self {
            ScorelessLimit::Turns(n) => n,
            ScorelessLimit::RoundOfPasses => players as u8,
        }
    }
}

/// What the player who goes out gets for the tiles left on the other racks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoingOut {
    /// The others lose the value of their tiles, and the player who goes out gets the sum.
    Sum,
    /// The player who goes out gets twice the value of the tiles of the others, who lose nothing.
    /// With two players the spread is the same as under [`GoingOut::Sum`].
    Twice,
}

/// Who wins when the highest final scores are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieRule {
    /// The player whose score was higher before the tiles left on the racks were counted; a draw if
    /// these scores are equal too.
    BeforeAdjustment,
    /// Nobody: the game is a draw.
    Draw,
}

/// In which order the letters of a word may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LetterOrder {
    /// As the lexicon writes the word.
    #[default]
    Fixed,
    /// Any: letters are valid if some order of them is a word of the lexicon (WordSmog).
    Any,
}

/// A score that wins the game at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetScore {
    /// This score.
    Points(Points),
    /// The score that the rule books name for this grade of player.
    Grade(TargetGrade),
}

/// The grade of a player, which sets the target score.
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
    /// The score to reach in a game of `players`.
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

/// Rule values that fit together. Only [`RuleSet::new`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet(RuleValues);

impl RuleSet {
    /// Checks the values against each other and against the limits of the engine.
    pub fn new(values: RuleValues) -> Result<RuleSet, RuleError> {
        within("rack", values.rack_size, MIN_RACK, MAX_RACK)?;
        let (fewest, most) = values.players;
        within("fewest players", fewest, MIN_PLAYERS, MAX_PLAYERS)?;
        within("most players", most, fewest, MAX_PLAYERS)?;
        within(
            "first_word",
            values.first_word_min,
            MIN_FIRST_WORD,
            values.rack_size,
        )?;
        let rounds = values.max_scoreless_rounds;
        within("max_scoreless_rounds", rounds, 0, MAX_SCORELESS_ROUNDS)?;
        if let ExchangeLimit::BagHolds(n) = values.exchange {
            within("exchange", n, 0, 255)?;
        }
        if let ScorelessLimit::Turns(n) = values.scoreless_limit {
            within("zero_turns", n, 1, 255)?;
        }
        for points in values.bonus {
            within("bonus", points.0, 0, MAX_BONUS_POINTS)?;
        }
        let edits = values.max_generated_edits;
        within("max_generated_edits", edits, 0, MAX_EDITS)?;
        let is_any = values.letter_order == LetterOrder::Any;
        if is_any && (values.recycles_letters || values.rearrange != RearrangeRule::Off) {
            return Err(RuleError::Combination);
        }
        let targets = values.targets.len();
        if targets > 1 {
            within("number of targets, one for each seat,", targets, most, most)?;
        }
        for target in &values.targets {
            let most = Points::LIMIT as usize;
            within("target", target.points(fewest).0, 1, most)?;
        }
        let what = "number of tiles, which must fill the rack of every player,";
        let (tiles, racks) = (values.tiles.all().len(), most * values.rack_size);
        within(what, tiles, racks, MAX_TILES)?;
        Ok(RuleSet(values))
    }

    /// The target score of `seat` in a game of `players`, if there is one.
    pub fn target(&self, seat: usize, players: usize) -> Option<Points> {
        let target = self.targets.get(seat).or(self.targets.first())?;
        Some(target.points(players))
    }

    /// The same rules without target scores.
    #[must_use]
    pub fn without_targets(&self) -> RuleSet {
        let mut values = self.0.clone();
        values.targets.clear();
        // Values that fit together still do with fewer targets.
        RuleSet(values)
    }

    /// The number of scoreless turns in a row, of whatever kind, that ends a game of `players`.
    pub(crate) fn scoreless_turn_limit(&self, players: usize) -> u16 {
        match (self.scoreless_limit, self.max_scoreless_rounds) {
            (ScorelessLimit::Turns(n), _) => n.into(),
            // No count of turns reaches it, because a count is a `u8`.
            (ScorelessLimit::RoundOfPasses, 0) => u16::MAX,
            (ScorelessLimit::RoundOfPasses, rounds) => (rounds * players) as u16,
        }
    }

    /// The values, for a rule set that differs in some of them.
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

/// The largest bonus of a play, in points. Chosen by hand, 20 times the usual bonus.
const MAX_BONUS_POINTS: usize = 1_000;
/// The most tiles of a tile set: more than twice the 441 squares of the largest board.
const MAX_TILES: usize = 1_000;

fn within(
    what: &'static str,
    got: impl TryInto<i64>,
    low: usize,
    high: usize,
) -> Result<(), RuleError> {
    let got = got.try_into().unwrap_or(i64::MAX);
    if (low as i64..=high as i64).contains(&got) {
        Ok(())
    } else {
        Err(RuleError::OutOfRange {
            what,
            got,
            limits: (low, high),
        })
    }
}

/// Why rule values make no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A value is out of range.
    #[error("{what} is {got}, the limits are {} and {}", .limits.0, .limits.1)]
    OutOfRange {
        /// The name of the value.
        what: &'static str,
        /// The value.
        got: i64,
        /// The lowest and the highest value allowed.
        limits: (usize, usize),
    },
    /// Words in any letter order, with letters that are recycled or words that are rearranged.
    #[error(
        "letter_order = any cannot be combined with recycle_letters or rearrange, which need words with a fixed order of letters"
    )]
    Combination,
}
