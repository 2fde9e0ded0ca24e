//! The unusual features of a game, as a set that an algorithm compares with what it supports.

use super::{ChallengeRule, Position, RuleSet};

/// Something that not every game has and that an algorithm may not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A target score wins at once.
    TargetScores,
    /// A wrong challenge costs the challenger's next turn.
    LostTurnChallenges,
    /// A challenge can cost the game.
    LostGameChallenges,
    /// Racks hold more than seven tiles.
    LargeRacks,
    /// The first word needs more than two letters.
    LongFirstWord,
    /// Three or four players take part. A property of a position, not of its rules.
    ManyPlayers,
    /// A player has a turn to miss. A property of a position, not of its rules.
    TurnsToMiss,
}

impl Feature {
    /// Every feature, in the order in which messages list them.
    pub const ALL: [Feature; 7] = [
        Feature::TargetScores,
        Feature::LostTurnChallenges,
        Feature::LostGameChallenges,
        Feature::LargeRacks,
        Feature::LongFirstWord,
        Feature::ManyPlayers,
        Feature::TurnsToMiss,
    ];

    /// How messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Feature::TargetScores => "a target score",
            Feature::LostTurnChallenges => "challenges that cost a turn",
            Feature::LostGameChallenges => "challenges that cost the game",
            Feature::LargeRacks => "racks of more than 7 tiles",
            Feature::LongFirstWord => "a first word of more than 2 letters",
            Feature::ManyPlayers => "more than two players",
            Feature::TurnsToMiss => "a turn to miss",
        }
    }
}

/// A set of [`Feature`]s, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u8);

impl Features {
    /// The set of these features.
    pub const fn of(features: &[Feature]) -> Features {
        let (mut bits, mut at) = (0, 0);
        while at < features.len() {
            bits |= 1 << features[at] as u8;
            at += 1;
        }
        Features(bits)
    }

    /// The features that are in both sets.
    #[must_use]
    pub fn common(self, other: Features) -> Features {
        Features(self.0 & other.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The features in the set.
    pub fn iter(self) -> impl Iterator<Item = Feature> {
        let contains = move |feature: &Feature| self.0 & (1 << *feature as u8) != 0;
        Feature::ALL.into_iter().filter(contains)
    }

    fn insert_if(&mut self, feature: Feature, condition: bool) {
        self.0 |= u8::from(condition) << feature as u8;
    }
}

impl RuleSet {
    /// The unusual rules in force.
    pub fn features(&self) -> Features {
        let mut features = Features::default();
        features.insert_if(Feature::TargetScores, !self.targets.is_empty());
        let challenge = self.challenge;
        features.insert_if(
            Feature::LostTurnChallenges,
            challenge == ChallengeRule::Double,
        );
        features.insert_if(
            Feature::LostGameChallenges,
            challenge == ChallengeRule::Triple,
        );
        features.insert_if(Feature::LargeRacks, self.rack_size > 7);
        features.insert_if(Feature::LongFirstWord, self.first_word_min > 2);
        features
    }
}

impl Position {
    /// The unusual rules in force, and what is unusual about the position itself.
    pub fn features(&self) -> Features {
        let mut features = self.rules().features();
        features.insert_if(Feature::ManyPlayers, self.player_count() > 2);
        let misses_turns = |seat| self.lost_turns(seat) > 0;
        features.insert_if(
            Feature::TurnsToMiss,
            (0..self.player_count()).any(misses_turns),
        );
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};
    use std::sync::Arc;

    #[test]
    fn features_list_what_differs_from_a_plain_game_of_two() {
        let check = |changes: &str, players, expected: &[Feature]| {
            let file = format!("base = deluxe\n{changes}");
            let mut values = RuleSet::parse("x", &file, &Embedded).unwrap().into_values();
            if !changes.contains("challenge") {
                values.challenge = ChallengeRule::Single;
            }
            let rules = RuleSet::new(values).unwrap();
            let position = Position::start(Arc::new(rules), players).unwrap();
            let found: Vec<Feature> = position.features().iter().collect();
            assert_eq!(found, expected, "{changes}");
        };
        check("", 2, &[]);
        check("target = 200", 2, &[Feature::TargetScores]);
        check("challenge = double", 2, &[Feature::LostTurnChallenges]);
        check("challenge = triple", 2, &[Feature::LostGameChallenges]);
        check(
            "rack = 8\nfirst_word = 3",
            3,
            &[
                Feature::LargeRacks,
                Feature::LongFirstWord,
                Feature::ManyPlayers,
            ],
        );
    }

    #[test]
    fn a_refusal_compares_sets_and_names_the_features() {
        let rules = Embedded.rules("tournament").unwrap();
        let unsupported = Features::of(&[Feature::TargetScores, Feature::ManyPlayers]);
        assert!(rules.features().common(unsupported).is_empty());
        let names: Vec<&str> = unsupported.iter().map(Feature::name).collect();
        assert_eq!(names, ["a target score", "more than two players"]);
    }
}
