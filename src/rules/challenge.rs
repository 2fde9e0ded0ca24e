//! Challenges: what is challenged, and what a wrong challenge costs.

use crate::units::Points;

/// The penalty for a wrong challenge. Under every rule a play with an invalid word comes off and
/// its player loses the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeRule {
    /// No challenges: the engine refuses plays with invalid words.
    Void,
    /// No penalty.
    Single,
    /// The challenger loses the next turn.
    Double,
    /// The challenger loses the game; so does a player whose play comes off.
    Triple,
    /// The challenged player gets five points.
    FivePoint,
    /// The challenged player gets ten points.
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

    /// The rule with this name in options, rule files or CGP; upper and lower case are equal.
    pub fn named(name: &str) -> Option<ChallengeRule> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        ChallengeRule::NAMES
            .iter()
            .find(|(_, long, short)| is(long) || is(short))
            .map(|(rule, ..)| *rule)
    }

    /// Its name in options and rule files.
    pub fn name(self) -> &'static str {
        self.names().1
    }

    /// Its name in CGP.
    pub(crate) fn cgp_name(self) -> &'static str {
        self.names().2
    }

    fn names(self) -> (ChallengeRule, &'static str, &'static str) {
        // NAMES lists the variants in the order of their declaration.
        ChallengeRule::NAMES[self as usize]
    }

    /// What follows from a challenge, by whether all challenged words are valid.
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

/// Which words a challenge is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeScope {
    /// All words of a play at once.
    Play,
    /// The one word that the challenger names.
    Word,
}

impl ChallengeScope {
    /// Its name in rule files and replies.
    pub fn name(self) -> &'static str {
        match self {
            ChallengeScope::Play => "play",
            ChallengeScope::Word => "word",
        }
    }
}

/// What follows from a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The play comes off and its player loses the turn.
    TakenOff,
    /// The play comes off and its player loses the game.
    TakenOffAndGameLost,
    /// The play stands, without penalty.
    Stands,
    /// The play stands and the challenger loses the next turn.
    ChallengerLosesTurn,
    /// The play stands and the challenger loses the game.
    ChallengerLosesGame,
    /// The play stands and its player gets these points.
    BonusPoints(Points),
}

impl Ruling {
    /// Whether the play comes off.
    pub fn takes_off(self) -> bool {
        matches!(self, Ruling::TakenOff | Ruling::TakenOffAndGameLost)
    }

    /// What becomes of the play, as the protocols name it.
    pub fn name(self) -> &'static str {
        match self.takes_off() {
            true => "off",
            false => "stands",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_challenge_rule_has_its_own_names() {
        for (rule, name, cgp_name) in ChallengeRule::NAMES {
            assert_eq!((rule.name(), rule.cgp_name()), (name, cgp_name));
            assert_eq!(ChallengeRule::named(cgp_name), Some(rule));
        }
    }
}
