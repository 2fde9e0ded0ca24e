//! What many samples say together. Sums are integers, so that they do not
//! depend on the order in which samples come.

use crate::rules::{Placement, Turn};
use crate::tiles::Tile;
use crate::units::{Equity, Points, WinProb};
use smallvec::SmallVec;
use std::collections::HashMap;

/// What one rollout of a candidate gave.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The chance to win where it ended.
    pub win: WinProb,
    /// What was gained on the others.
    pub gain: Equity,
    /// The points of each turn after the candidate, and whether they had a bonus for many tiles.
    pub plies: SmallVec<[(Points, bool); 6]>,
    /// The first of these turns.
    pub reply: Option<Turn>,
    /// Whether the candidate itself ended the game.
    pub ends_game: bool,
}

impl Default for Sample {
    fn default() -> Sample {
        Sample {
            win: WinProb::LOST,
            gain: Equity::ZERO,
            plies: SmallVec::new(),
            reply: None,
            ends_game: false,
        }
    }
}

/// What a point more or less counts, in parts of [`WinProb::SCALE`] (1 in 5,000):
/// little against the chance to win, which changes by some 1 in 300 for a
/// point in mid-game; but it tells what to do when the game is as good as won.
pub const UTILITY_PER_POINT: i64 = 10;
/// A gain beyond so many points counts no more.
const MOST: i64 = 500;

impl Sample {
    /// What candidates are compared by, in parts of [`WinProb::SCALE`]: the chance to win, and a little of the gain.
    pub fn utility(&self) -> i64 {
        let gain = i64::from(self.gain.millis()).clamp(-MOST * 1_000, MOST * 1_000);
        i64::from(self.win.parts()) + gain * UTILITY_PER_POINT / 1_000
    }
}

/// A number of equal kind of which mean and deviation are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleStats {
    /// How many.
    pub count: u64,
    sum: i64,
    squares: i128,
}

impl SampleStats {
    /// One more.
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += i128::from(value) * i128::from(value);
    }

    /// The mean; nothing for none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard deviation; nothing for fewer than two.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = i128::from(self.count);
        // Exact up to here, so that nearly equal numbers cancel without loss.
        let spread = n * self.squares - i128::from(self.sum) * i128::from(self.sum);
        (spread as f64 / (n * (n - 1)) as f64).sqrt()
    }

    /// Those of both.
    #[must_use]
    pub fn with(&self, other: &SampleStats) -> SampleStats {
        SampleStats {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation() / (self.count.max(1) as f64).sqrt()
    }
}

/// What happened in one of the turns after a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyStats {
    /// The points.
    pub points: SampleStats,
    /// How often there was a bonus for many tiles.
    pub bonuses: u64,
}

/// All samples of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The chances to win, in parts of [`WinProb::SCALE`].
    win: SampleStats,
    /// The same before endings were looked at.
    sketch: SampleStats,
    /// The gains, in thousandths of a point.
    pub gain: SampleStats,
    /// Turn by turn after the candidate.
    pub plies: Vec<PlyStats>,
    /// Whether the candidate itself ends the game.
    pub ends_game: bool,
    replies: HashMap<Turn, u64>,
    replied: u64,
}

/// Of so many samples the answers are counted: enough to tell the most
/// frequent ones, and no more memory for a search that goes on for hours.
const MOST_REPLIES: u64 = 2_000;

impl Tally {
    /// From now on samples tell better who wins.
    pub fn look(&mut self) {
        self.sketch = std::mem::take(&mut self.win);
    }

    /// The chances to win: by better samples alone, once there are as many of them.
    pub fn win(&self) -> SampleStats {
        match self.win.count >= self.sketch.count {
            true => self.win,
            false => self.win.with(&self.sketch),
        }
    }

    /// One more sample.
    pub fn add(&mut self, sample: &Sample) {
        self.win.add(sample.win.parts().into());
        self.gain.add(sample.gain.millis().into());
        self.ends_game |= sample.ends_game;
        if self.plies.len() < sample.plies.len() {
            self.plies.resize(sample.plies.len(), PlyStats::default());
        }
        for (ply, (points, bonus)) in self.plies.iter_mut().zip(&sample.plies) {
            ply.points.add(points.0.into());
            ply.bonuses += u64::from(*bonus);
        }
        if let Some(reply) = sample.reply.filter(|_| self.replied < MOST_REPLIES) {
            *self.replies.entry(reply).or_default() += 1;
            self.replied += 1;
        }
    }

    /// The most frequent answer and its share; of equals the first in an order without chance.
    pub fn reply(&self) -> Option<(Turn, f64)> {
        let most = self.replies.values().max()?;
        let equals = self.replies.iter().filter(|(_, count)| *count == most);
        let (turn, _) = equals.min_by_key(|(turn, _)| order(turn))?;
        Some((*turn, *most as f64 / self.replied as f64))
    }
}

fn order(turn: &Turn) -> (Option<Placement>, Vec<usize>) {
    match turn {
        Turn::Place(placement) => (Some(*placement), Vec::new()),
        Turn::Exchange(tiles) => (None, tiles.iter().map(Tile::number).collect()),
        Turn::ExchangeUnseen(_) | Turn::Pass => (None, Vec::new()),
    }
}

/// Sums and products of the utilities of several arms that were sampled in the same worlds.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    count: u64,
    sums: Vec<i64>,
    /// Of arm a and each arm b up to a, row by row.
    products: Vec<i64>,
}

impl Pairs {
    pub fn new(arms: usize) -> Pairs {
        Pairs {
            count: 0,
            sums: vec![0; arms],
            products: vec![0; arms * (arms + 1) / 2],
        }
    }

    /// Adds one world: the utilities of `live` arms, in order.
    pub fn add(&mut self, live: &[usize], utilities: &[i64]) {
        self.count += 1;
        for (at, (&arm, &utility)) in live.iter().zip(utilities).enumerate() {
            self.sums[arm] += utility;
            let row = arm * (arm + 1) / 2;
            for (&other, &others) in live.iter().zip(&utilities[..=at]) {
                self.products[row + other] += utility * others;
            }
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of an arm's utilities.
    pub fn sum(&self, arm: usize) -> i64 {
        self.sums[arm]
    }

    /// How far arm a is ahead of arm b: the differences world by world.
    pub fn difference(&self, a: usize, b: usize) -> Difference {
        let product = |a: usize, b: usize| {
            let (high, low) = (a.max(b), a.min(b));
            i128::from(self.products[high * (high + 1) / 2 + low])
        };
        let n = i128::from(self.count);
        let sum = i128::from(self.sums[a]) - i128::from(self.sums[b]);
        let squares = product(a, a) + product(b, b) - 2 * product(a, b);
        Difference {
            count: self.count,
            mean: sum as f64 / n.max(1) as f64,
            spread: {
                // Exact up to here, so that nearly equal numbers cancel without loss.
                let seen = (n * squares - sum * sum) as f64 / n.max(1) as f64;
                (seen + USUAL_WORLDS * USUAL * USUAL) / (n as f64 + USUAL_WORLDS)
            },
        }
    }
}

/// How far one arm is ahead of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    count: u64,
    /// The mean of the differences.
    pub mean: f64,
    /// Their mean square distance from it, with what is usual.
    spread: f64,
}

/// How much of a standard deviation differences have by expectation before
/// anything is known: that many worlds' worth of doubt.
const DOUBT: f64 = 1.0;
/// Before anything is known, differences are thought to be as large as a
/// tenth of a win, and that counts as much as so many worlds. Else a few
/// worlds in which both lose by the same would tell as much as many: wins can
/// be rare and decide all the same.
const USUAL: f64 = 0.1 * WinProb::SCALE as f64;
const USUAL_WORLDS: f64 = 4.0;

impl Difference {
    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        match self.count {
            0 | 1 => f64::INFINITY,
            n => (self.spread / (n - 1) as f64).sqrt(),
        }
    }

    /// The evidence that the one is ahead, as the logarithm of odds; none if its mean is not.
    ///
    /// It is the Bayes factor of the t-test with a normal prior of the effect
    /// in standard deviations and Jeffreys' prior of those (Gönen and others
    /// 2005). Under equality it is a martingale in the number of samples that
    /// starts at 1 and is never negative, so that by Ville's inequality it
    /// exceeds 1/δ *ever* with a chance of at most δ (Robbins 1970; Wang and
    /// Ramdas 2024): one may look at it after each round and stop when one
    /// likes. Nothing has to be known about the variance, and few samples
    /// count as few. What is usual, added to the variance, makes it smaller.
    pub fn evidence(&self) -> f64 {
        let n = self.count as f64;
        if self.count < 2 || self.mean <= 0.0 {
            return 0.0;
        }
        let shrink = DOUBT / (n + DOUBT);
        // The squared t-value by its degrees of freedom.
        let ratio = self.mean * self.mean / self.spread;
        0.5 * shrink.ln() + 0.5 * n * ((1.0 + ratio).ln() - (1.0 + shrink * ratio).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::RngExt;

    /// In how many of a thousand races the second of two arms is ever told to be behind the first, with such odds.
    fn told(odds: f64, win: impl Fn(&mut rand_pcg::Pcg64Mcg) -> [i64; 2]) -> usize {
        let race = |race: &u64| {
            let mut chance = Seed(8).for_unit(*race).generator();
            let mut pairs = Pairs::new(2);
            (0..400).any(|_| {
                pairs.add(&[0, 1], &win(&mut chance));
                pairs.count() >= 6 && pairs.difference(0, 1).evidence() > odds.ln()
            })
        };
        (0..1_000).filter(race).count()
    }

    #[test]
    fn one_of_two_equals_is_seldom_told_to_be_behind() {
        let one = i64::from(WinProb::SCALE);
        let equal =
            |chance: &mut rand_pcg::Pcg64Mcg| [(); 2].map(|()| chance.random_range(0..=one));
        let wrong = told(20.0, equal);
        assert!(wrong <= 50, "{wrong} of 1000");
        // A difference of a quarter is found.
        let better = |chance: &mut rand_pcg::Pcg64Mcg| {
            let [a, b] = equal(chance);
            [a + one / 4, b]
        };
        assert!(told(100.0, better) > 990);
    }

    #[test]
    fn rare_wins_are_waited_for() {
        let one = i64::from(WinProb::SCALE);
        // The second wins more often, but loses by a little more.
        let rare = |chance: &mut rand_pcg::Pcg64Mcg| {
            let wins = |chance: &mut rand_pcg::Pcg64Mcg, percent: u32| {
                i64::from(chance.random_range(0..100) < percent) * one
            };
            [wins(chance, 13) + 150, wins(chance, 19)]
        };
        let wrong = told(100.0, rare);
        assert!(wrong <= 10, "{wrong} of 1000");
    }
}
