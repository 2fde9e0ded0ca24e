//! Chances as odds, in which what is good about a turn and what is good about
//! a world add up: a turn that mostly wins loses in some of the worst worlds,
//! and one that mostly loses wins in some of the best.

use super::judge::Probability;
use crate::tiles::TileCounts;
pub use crate::units::logistic as chance;

/// The logarithm of wins for each loss.
pub type Odds = f64;

/// No estimate is more certain than this, whether it is a prior or comes from a look: if one
/// kind could be, moves of that kind would be taken in games that are won, whatever they gain.
const CERTAIN: Probability = 0.999;

/// An estimate is never as good as a proof: so one who can be no better than
/// what is proved of the leader never seems to be as good.
pub fn unsure(share: Probability) -> Probability {
    share.clamp(1.0 - CERTAIN, CERTAIN)
}

/// The odds of a chance, which is taken to be uncertain.
pub fn odds(share: Probability) -> Odds {
    let share = unsure(share);
    (share / (1.0 - share)).ln()
}

/// A way to fill the bag.
#[derive(Clone, Copy, Debug)]
pub struct Bag {
    /// How often it comes, of all.
    pub weight: f64,
    /// How much better it is than most for the one on turn.
    pub odds: Odds,
}

impl Bag {
    /// All of them, each with the number of its ways; nothing is known of them.
    pub fn all(bags: &[(TileCounts, u64)]) -> Vec<Bag> {
        let all: u64 = bags.iter().map(|(_, ways)| ways).sum();
        let bag = |(_, ways): &(TileCounts, u64)| Bag {
            weight: *ways as f64 / all as f64,
            odds: 0.0,
        };
        bags.iter().map(bag).collect()
    }
}

/// Steps that bring odds near enough to what is asked for.
const STEPS: usize = 3;
/// No step is larger.
const LONGEST: Odds = 1.0;

/// The odds with which the mean over all bags is a share, looked for from `start` on.
pub fn odds_of(share: Probability, bags: &[Bag], start: Odds) -> Odds {
    let share = unsure(share);
    let mut odds = start;
    for _ in 0..STEPS {
        let (mut mean, mut slope) = (0.0, 1e-6);
        for bag in bags {
            let chance = chance(odds + bag.odds);
            mean += bag.weight * chance;
            slope += bag.weight * chance * (1.0 - chance);
        }
        odds += ((share - mean) / slope).clamp(-LONGEST, LONGEST);
    }
    odds
}

/// What results say about odds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    /// By how much results are better than odds say.
    better: f64,
    /// How much they would tell about a change of the odds.
    tells: f64,
}

impl Evidence {
    /// A result where the odds were these.
    pub fn add(&mut self, share: Probability, odds: Odds) {
        let chance = chance(odds);
        self.better += share - chance;
        self.tells += chance * (1.0 - chance);
    }

    /// Better odds than those results were compared with, if beforehand others were expected, so far apart from the truth.
    pub fn improve(&self, odds: Odds, expected: Odds, apart: Odds) -> Odds {
        let sure = 1.0 / (apart * apart);
        let step = (self.better - (odds - expected) * sure) / (self.tells + sure);
        odds + step.clamp(-LONGEST, LONGEST)
    }

    /// How wrong odds still are that were so far apart from the truth beforehand.
    pub fn error(&self, apart: Odds) -> Odds {
        (self.tells + 1.0 / (apart * apart)).sqrt().recip()
    }

    /// How much of what is known comes from results, if odds were so far apart from the truth beforehand.
    pub fn part(&self, apart: Odds) -> f64 {
        self.tells / (self.tells + 1.0 / (apart * apart))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bags(odds: &[Odds]) -> Vec<Bag> {
        let weight = 1.0 / odds.len() as f64;
        odds.iter().map(|&odds| Bag { weight, odds }).collect()
    }

    #[test]
    fn the_mean_over_bags_is_what_was_asked_for() {
        let bags = bags(&[-3.0, -1.0, 0.0, 0.5, 3.5]);
        for share in [0.02, 0.3, 0.5, 0.77, 0.98] {
            let mut found = odds(share);
            (0..4).for_each(|_| found = odds_of(share, &bags, found));
            let chances = bags.iter().map(|bag| chance(found + bag.odds) * bag.weight);
            let mean: f64 = chances.sum();
            assert!((mean - share).abs() < 1e-3, "{share}: {mean}");
        }
    }

    #[test]
    fn an_opinion_can_be_as_certain_as_a_look() {
        for share in [0.0, 0.0005, 0.4, 0.9995, 1.0] {
            let of_opinion = chance(odds(share));
            assert!((of_opinion - unsure(share)).abs() < 1e-9, "{share}");
        }
    }

    /// Many results count more than what was expected, few less.
    #[test]
    fn results_move_odds() {
        let after = |results: usize| {
            let mut found = 0.0;
            for _ in 0..20 {
                let mut sum = Evidence::default();
                (0..results).for_each(|_| sum.add(0.9, found));
                found = sum.improve(found, 0.0, 0.5);
            }
            chance(found)
        };
        assert!(after(0) == 0.5);
        assert!(after(1) > 0.52 && after(1) < 0.6, "{}", after(1));
        assert!((after(1_000) - 0.9).abs() < 0.01, "{}", after(1_000));
    }
}
