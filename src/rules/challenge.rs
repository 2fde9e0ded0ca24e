//! Challenges: what is challenged, and what being wrong costs.

use crate::units::Points;

/// What a challenge costs. A play with a word that does not exist always
/// comes off and its player has lost the turn; the rules differ in what
/// happens to a challenger who was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeRule {
    /// Nobody needs to challenge: a play with such a word is refused.
    Void,
    /// Nothing.
    Single,
    /// The challenger's next turn.
    Double,
    /// The game, and the same for a player whose play comes off.
    Triple,
    /// Five points, which the other player gets.
    FivePoint,
    /// Ten points, which the other player gets.
    TenPoint,
}

impl ChallengeRule {
    /// Every rule with its name in options and rule files, and its name in CGP.
    pub const NAMES: [(ChallengeRule, &'static str, &'static str); 6] = [
        (ChallengeRule::Void, "void", "void"),
        (ChallengeRule::Single, "single", "single"),
        (ChallengeRule::Double, "double", "double"),
        (ChallengeRule::Triple, "triple", "triple"),
        (ChallengeRule::FivePoint, "five_point", "5pt"),
        (ChallengeRule::TenPoint, "ten_point", "10pt"),
    ];

    /// The rule with this name, either form, in any case.
    pub fn named(name: &str) -> Option<ChallengeRule> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        ChallengeRule::NAMES
            .iter()
            .find(|(_, long, short)| is(long) || is(short))
            .map(|(rule, ..)| *rule)
    }

    /// Its name in options and rule files.
    pub fn name(self) -> &'static str {
        ChallengeRule::NAMES
            .iter()
            .find(|(rule, ..)| *rule == self)
            .map_or("", |(_, long, _)| long)
    }

    /// Its name in CGP.
    pub fn cgp_name(self) -> &'static str {
        ChallengeRule::NAMES
            .iter()
            .find(|(rule, ..)| *rule == self)
            .map_or("", |(.., short)| short)
    }

    /// What follows from a challenge to something that is a word, or is none.
    pub fn ruling(self, is_word: bool) -> Ruling {
        match (self, is_word) {
            (ChallengeRule::Triple, false) => Ruling::TakenOffAndGameLost,
            (_, false) => Ruling::TakenOff,
            (ChallengeRule::Void | ChallengeRule::Single, true) => Ruling::Stands,
            (ChallengeRule::Double, true) => Ruling::ChallengerLosesTurn,
            (ChallengeRule::Triple, true) => Ruling::ChallengerLosesGame,
            (ChallengeRule::FivePoint, true) => Ruling::BonusPoints(Points(5)),
            (ChallengeRule::TenPoint, true) => Ruling::BonusPoints(Points(10)),
        }
    }
}

/// What a challenge is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeScope {
    /// All words of a play at once.
    Play,
    /// The one word that the challenger names.
    Word,
}

/// What follows from a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The play comes off and the turn is lost.
    TakenOff,
    /// The play comes off and its player has lost the game.
    TakenOffAndGameLost,
    /// The play stands, and that is all.
    Stands,
    /// The play stands and the challenger loses the next turn.
    ChallengerLosesTurn,
    /// The play stands and the challenger has lost the game.
    ChallengerLosesGame,
    /// The play stands and its player gets so many points more.
    BonusPoints(Points),
}
