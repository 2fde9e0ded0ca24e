//! Who wins from here: the win probability of a player where a rollout ends before the game does.
//!
//! - **Two players** have the [`WinModel`]: a lead, the tiles left, a win probability.
//! - **Three and four players.** What each player gains until the end is taken as normal, with the
//!   same variance for all and a mean that falls with each turn until the player moves. A player wins
//!   whose sum of score, leave value and gain is the highest: one integral over a normal density.
//!   Mean and variance follow from the model of two players, see [`GainModel`].
//! - **Target scores.** The points of each turn are drawn from a counted distribution, so that the
//!   turns a player needs have a known distribution too, and the first at the target wins. If the
//!   tiles run out before, the lead decides as above.
//!
//! Scores, leave values and the tiles left come in; the module knows neither board nor racks.

mod normal;
mod race;

use super::WinModel;
use crate::rules::{MAX_PLAYERS, RuleSet};
use crate::units::{Equity, Points, WinProb};
use normal::normal_distribution;
use race::TurnRace;

/// What is known of a player.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayerStanding {
    /// The score.
    pub score: Points,
    /// The value of the leave for the next turns.
    pub leave: Equity,
    /// The number of tiles on the rack.
    pub tiles: usize,
    /// Where a target score wins: the points that the player needs for it.
    pub points_to_win: Option<Points>,
}

impl PlayerStanding {
    fn leave_points(&self) -> f64 {
        f64::from(self.leave.millis()) / 1_000.0
    }
}

/// What is known of all players where a rollout ends.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// By turns until the player moves: the player to move first.
    players: [PlayerStanding; MAX_PLAYERS],
    count: usize,
    /// The number of tiles in the bag.
    bag: usize,
}

impl Standing {
    /// The players in the order in which they move, the player to move first.
    pub fn new(players: impl IntoIterator<Item = PlayerStanding>, bag: usize) -> Standing {
        let mut standing = Standing {
            players: [PlayerStanding::default(); MAX_PLAYERS],
            count: 0,
            bag,
        };
        for player in players.into_iter().take(MAX_PLAYERS) {
            standing.players[standing.count] = player;
            standing.count += 1;
        }
        standing
    }

    fn players(&self) -> &[PlayerStanding] {
        &self.players[..self.count]
    }

    /// The tiles in the bag and on all racks.
    fn tiles_left(&self) -> usize {
        let racks: usize = self.players().iter().map(|player| player.tiles).sum();
        self.bag + racks
    }
}

/// Estimates who wins.
#[derive(Clone)]
pub struct WinEstimator<'a> {
    win_model: WinModel<'a>,
    /// By tiles in the bag; only for three and four players.
    gains: Vec<GainModel>,
    /// Only where a target score wins.
    race: Option<TurnRace>,
}

impl<'a> WinEstimator<'a> {
    /// For games of `players` by these rules.
    pub fn new(win_model: WinModel<'a>, rules: &RuleSet, players: usize) -> WinEstimator<'a> {
        let rack = rules.rack_size;
        let model = |bag: usize| GainModel::of(win_model, bag, rack, players);
        let largest_bag = rules.tiles.all().len();
        WinEstimator {
            win_model,
            gains: match players {
                ..=2 => Vec::new(),
                _ => (0..=largest_bag).map(model).collect(),
            },
            race: rules
                .target(0, players)
                .map(|_| TurnRace::new(GainModel::of(win_model, largest_bag / 2, rack, 2))),
        }
    }

    /// The win probability of the player who is `me` turns after the player to move.
    pub fn win_prob(&self, standing: &Standing, me: usize) -> WinProb {
        let by_lead = || self.win_prob_by_lead(standing, me);
        match &self.race {
            None => by_lead(),
            Some(race) => {
                let (first, nobody) = race.chances(standing, me);
                match nobody > 0.0 {
                    true => WinProb::from_probability(first + nobody * by_lead().probability()),
                    false => WinProb::from_probability(first),
                }
            }
        }
    }

    /// The same if the game goes on until the tiles run out.
    fn win_prob_by_lead(&self, standing: &Standing, me: usize) -> WinProb {
        let players = standing.players();
        let Some(model) = self.gains.get(standing.bag) else {
            let [mover, other] = [players[0], players[1]];
            let lead = Equity::from_lead(mover.score - other.score) + mover.leave - other.leave;
            let win = self
                .win_model
                .win_prob(lead, standing.bag, mover.tiles, other.tiles);
            return match me {
                0 => win,
                _ => win.complement(),
            };
        };
        let mut means = [0.0; MAX_PLAYERS];
        for ((mean, player), turns) in means.iter_mut().zip(players).zip(0..) {
            let worth = f64::from(player.score.0) + player.leave_points();
            *mean = worth - model.turn * f64::from(turns);
        }
        let own = means[me];
        let others = (0..players.len()).filter(|&other| other != me);
        let leads = others.map(|other| (own - means[other]) / model.deviation);
        WinProb::from_probability(chance_of_highest(leads))
    }
}

/// How the points that players gain until the end of the game are distributed, in points.
#[derive(Clone, Copy, Debug)]
struct GainModel {
    /// What the gain falls by with each turn until the player moves.
    turn: f64,
    /// The standard deviation of the gain of one player, as if gains were independent.
    deviation: f64,
}

/// What each player beyond two adds to the variance of a gain, in square points. Measured in 6,000
/// static games a setting with `calibrate count`: 425 to 610 with three and 820 to 1,000 with four
/// players, on both boards, at any number of tiles in the bag.
const VARIANCE_OF_ANOTHER_PLAYER: f64 = 450.0;
/// The smallest standard deviation, in points. It matters with an empty bag only. Chosen by hand.
const MIN_DEVIATION_POINTS: f64 = 10.0;

impl GainModel {
    /// From the model of two players. In their difference the variance of one gain counts twice, and
    /// the lead that makes the game even is what one turn is worth. With more players each has fewer
    /// turns: the turn is worth, and the variance is, 2 / `players` of that. Measured as
    /// [`VARIANCE_OF_ANOTHER_PLAYER`]: a turn is worth 20.5, 13.5 and 10.3 points with two, three and
    /// four players on the board of 15x15, and 25, 17 and 13 on that of 21x21.
    fn of(win_model: WinModel, bag: usize, rack: usize, players: usize) -> GainModel {
        let lead_at = |probability: f64| lead_with(win_model, bag, rack, probability);
        let share = 2.0 / players as f64;
        // One standard deviation of a normal distribution on each side.
        let deviation = (lead_at(0.841_345) - lead_at(0.158_655)) / 2.0;
        let more_players = players.saturating_sub(2) as f64;
        let variance = deviation.powi(2) / 2.0 * share + VARIANCE_OF_ANOTHER_PLAYER * more_players;
        GainModel {
            turn: -lead_at(0.5) * share,
            deviation: variance.sqrt().max(MIN_DEVIATION_POINTS),
        }
    }
}

/// The lead with which the player to move wins with a probability, in points.
fn lead_with(win_model: WinModel, bag: usize, rack: usize, probability: f64) -> f64 {
    /// Larger leads decide any game.
    const MOST: i32 = 1_000;
    let wins = |lead: i32| {
        let win = win_model.win_prob(Equity::from(Points(lead)), bag, rack, rack);
        win.probability()
    };
    // The smallest lead that is enough, then linear interpolation.
    let (mut low, mut high) = (-MOST, MOST);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match wins(middle) < probability {
            true => low = middle,
            false => high = middle,
        }
    }
    let (below, above) = (wins(low), wins(high));
    let part = match above > below {
        true => (probability - below) / (above - below),
        false => 1.0,
    };
    f64::from(low) + part.clamp(0.0, 1.0)
}

/// The number of points of the integral on each side of the middle. Chosen by hand: twice as many
/// change no probability by 0.0001.
const HALF_STEPS: i32 = 12;
/// The distance of two points of the integral, in standard deviations.
const STEP: f64 = 0.35;

/// The chance that a standard normal variable plus each of the `leads` exceeds another standard
/// normal variable: the chance of the highest sum. By the trapezoidal rule.
fn chance_of_highest(leads: impl Iterator<Item = f64> + Clone) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -HALF_STEPS..=HALF_STEPS {
        let z = f64::from(step) * STEP;
        let weight = (-z * z / 2.0).exp();
        let beats = leads.clone().map(|lead| normal_distribution(z + lead));
        sum += weight * beats.product::<f64>();
        weights += weight;
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::BuiltInTables;
    use crate::rules::{Embedded, Library};

    fn standing(worth: &[i32], targets: Option<&[i32]>, bag: usize) -> Standing {
        let player = |at: usize| PlayerStanding {
            score: Points(worth[at]),
            leave: Equity::ZERO,
            tiles: 7,
            points_to_win: targets.map(|targets| Points(targets[at])),
        };
        Standing::new((0..worth.len()).map(player), bag)
    }

    fn chances(worth: &[i32], targets: Option<&[i32]>, bag: usize) -> Vec<f64> {
        let mut values = Embedded.rules("deluxe").unwrap().into_values();
        if targets.is_some() {
            values.targets = vec![crate::rules::TargetScore::Points(Points(200))];
        }
        let rules = RuleSet::new(values).unwrap();
        let table = BuiltInTables::of(&rules).unwrap().win_table().unwrap();
        let estimator = WinEstimator::new(WinModel::Table(&table), &rules, worth.len());
        let standing = standing(worth, targets, bag);
        let win = |me: usize| estimator.win_prob(&standing, me).probability();
        (0..worth.len()).map(win).collect()
    }

    #[test]
    fn the_chances_of_all_players_add_up_to_one() {
        for worth in [
            &[0, 0, 0][..],
            &[30, -20, 10],
            &[0, 0, 0, 0],
            &[100, 50, 20, 60],
        ] {
            for bag in [0, 1, 20, 70] {
                let all = chances(worth, None, bag);
                let sum: f64 = all.iter().sum();
                assert!((sum - 1.0).abs() < 2e-3, "{worth:?} {bag}: {all:?}");
                // Who moves earlier, or leads, is ahead.
                let equal = worth.iter().all(|own| own == &worth[0]);
                assert!(!equal || all.is_sorted_by(|a, b| a >= b), "{all:?}");
            }
            let needed: Vec<i32> = worth.iter().map(|own| 150 - own).collect();
            let all = chances(worth, Some(&needed), 60);
            let sum: f64 = all.iter().sum();
            assert!((sum - 1.0).abs() < 2e-3, "{worth:?} to the target: {all:?}");
        }
    }

    #[test]
    fn a_large_lead_wins_and_the_nearest_to_the_target_too() {
        assert!(chances(&[300, 0, 0], None, 20)[0] > 0.999);
        assert!(chances(&[0, 0, 0, 300], None, 20)[3] > 0.999);
        let near = chances(&[190, 100], Some(&[10, 100]), 60);
        assert!(near[0] > 0.95, "{near:?}");
        // Nobody can reach the target any more: the lead decides.
        let far = chances(&[150, 50], Some(&[5_000, 5_100]), 10);
        assert!(far[0] > 0.99, "{far:?}");
    }
}
