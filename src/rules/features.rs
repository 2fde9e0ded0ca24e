//! The unusual features of a game. An algorithm lists those that it cannot handle, and refuses a
//! position that has one of them.

use super::{ChallengeRule, LetterOrder, Position, RearrangeRule, RuleSet};

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
    /// A turn may replace tiles on the board before its main action.
    Edits,
    /// Words on the board can be rearranged.
    Rearranging,
    /// The letters of a word may stand in any order.
    AnyLetterOrder,
    /// Three or four players take part. A property of a position, not of its rules.
    ManyPlayers,
    /// A player has a turn to miss. A property of a position, not of its rules.
    TurnsToMiss,
}

impl Feature {
    /// The name of a feature that no solver supports, for people. Such games are simulated. Solvers
    /// generate plays lane by lane from the GADDAG: other turns are not among them, and words in any
    /// letter order have no GADDAG.
    pub fn unsolved_name(self) -> Option<&'static str> {
        match self {
            Feature::Edits => Some("recycling"),
            Feature::Rearranging => Some("rearranging"),
            Feature::AnyLetterOrder => Some("words in any letter order"),
            _ => None,
        }
    }
}

impl RuleSet {
    /// Whether there are other turns than plays, exchanges and passes.
    pub fn has_other_turns(&self) -> bool {
        self.recycles_blanks || self.recycles_letters || self.rearrange != RearrangeRule::Off
    }

    /// Whether a position can have millions of moves. To find all of them can take hours.
    pub fn has_vast_rankings(&self) -> bool {
        self.has_other_turns() || self.letter_order == LetterOrder::Any
    }

    /// The name of a rule in force that no solver supports.
    pub fn unsolved_feature(&self) -> Option<&'static str> {
        self.features().into_iter().find_map(Feature::unsolved_name)
    }

    /// The unusual rules in force.
    pub fn features(&self) -> Vec<Feature> {
        let rules = [
            (!self.targets.is_empty(), Feature::TargetScores),
            (
                self.challenge == ChallengeRule::Double,
                Feature::LostTurnChallenges,
            ),
            (
                self.challenge == ChallengeRule::Triple,
                Feature::LostGameChallenges,
            ),
            (self.rack_size > 7, Feature::LargeRacks),
            (self.first_word_min > 2, Feature::LongFirstWord),
            (
                self.recycles_blanks || self.recycles_letters,
                Feature::Edits,
            ),
            (self.rearrange != RearrangeRule::Off, Feature::Rearranging),
            (
                self.letter_order == LetterOrder::Any,
                Feature::AnyLetterOrder,
            ),
        ];
        in_force(&rules).collect()
    }
}

impl Position {
    /// The unusual rules in force, and what is unusual about the position itself.
    pub fn features(&self) -> Vec<Feature> {
        let seats = 0..self.player_count();
        let state = [
            (seats.len() > 2, Feature::ManyPlayers),
            (
                seats.into_iter().any(|seat| self.lost_turns(seat) > 0),
                Feature::TurnsToMiss,
            ),
        ];
        let mut features = self.rules().features();
        features.extend(in_force(&state));
        features
    }
}

fn in_force(features: &[(bool, Feature)]) -> impl Iterator<Item = Feature> {
    features
        .iter()
        .filter_map(|&(is_in_force, feature)| is_in_force.then_some(feature))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Embedded;
    use std::sync::Arc;

    #[test]
    fn features_list_what_differs_from_a_plain_game_of_two() {
        use Feature::*;
        let check = |changes: &str, players, expected: &[Feature]| {
            let file = format!("base = deluxe\n{changes}");
            let rules = RuleSet::parse("x", &file, &Embedded).unwrap();
            let position = Position::start(Arc::new(rules), players).unwrap();
            assert_eq!(position.features(), expected, "{changes}");
        };
        check("challenge = single", 2, &[]);
        check("challenge = single\ntarget = 200", 2, &[TargetScores]);
        check("challenge = double", 2, &[LostTurnChallenges]);
        check("challenge = triple", 2, &[LostGameChallenges]);
        let changes = "challenge = single\nrack = 8\nfirst_word = 3";
        check(changes, 3, &[LargeRacks, LongFirstWord, ManyPlayers]);
        let changes = "challenge = single\nrecycle_blanks = on\nrearrange = free";
        check(changes, 2, &[Edits, Rearranging]);
        let changes = "challenge = single\nletter_order = any";
        check(changes, 2, &[AnyLetterOrder]);
    }
}
