//! Statistics of rollouts: integer sums, paired differences, and the evidence they give.
//!
//! Each rollout gives a [`RolloutSample`]. [`CandidateStats`] adds up the samples of one candidate
//! for the report. [`PairedSums`] adds up utilities and products of utilities of all candidates,
//! from which the [`PairedDifference`] of any two follows. All sums are integers, so that the order
//! of samples, and with it the number of threads, does not change a result.

use super::tuning::*;
use crate::rules::{Edits, Placement, Turn};
use crate::tiles::Tile;
use crate::units::{Equity, Points, WinProb};
use smallvec::SmallVec;
use std::collections::HashMap;

/// The outcome of one rollout of a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct RolloutSample {
    /// The win probability at the end of the rollout.
    pub win: WinProb,
    /// In a race of two players to a target score: the win probability after the first reply, if the
    /// rollout went on from there.
    pub win_after_reply: Option<WinProb>,
    /// The spread gained since before the candidate.
    pub gain: Equity,
    /// For each move after the candidate: its points, and whether it was a bingo.
    pub plies: SmallVec<[(Points, bool); 6]>,
    /// The first of these moves.
    pub reply: Option<Turn>,
    /// Whether the candidate itself ended the game.
    pub ends_game: bool,
}

impl RolloutSample {
    /// What candidates are compared by, in parts of [`WinProb::SCALE`]: the win probability, plus a
    /// small part of the gain.
    pub fn utility(&self) -> i64 {
        let limit = MAX_UTILITY_GAIN_POINTS * 1_000;
        let gain = i64::from(self.gain.millis()).clamp(-limit, limit);
        let parts = |win: WinProb| i64::from(win.parts());
        let win = self.win_after_reply.map_or(parts(self.win), |early| {
            let weight = REPLY_ESTIMATE_PERCENT;
            (parts(self.win) * (100 - weight) + parts(early) * weight) / 100
        });
        win + gain * UTILITY_PER_POINT / 1_000
    }
}

/// Count, sum and sum of squares of a quantity, for its mean and standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampleStats {
    /// The number of samples.
    pub count: u64,
    sum: i64,
    squares: i128,
}

impl SampleStats {
    /// Adds a sample.
    pub(crate) fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += value;
        self.squares += i128::from(value) * i128::from(value);
    }

    /// The mean; 0 without samples.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard deviation; 0 with fewer than two samples.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = i128::from(self.count);
        // Subtract integers, so that nearly equal numbers cancel without loss of precision.
        let spread = n * self.squares - i128::from(self.sum) * i128::from(self.sum);
        (spread as f64 / (n * (n - 1)) as f64).sqrt()
    }

    /// The statistics of the samples of both.
    #[must_use]
    pub(crate) fn merged(&self, other: &SampleStats) -> SampleStats {
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

/// Statistics of one of the moves after a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyStats {
    /// The points of the move.
    pub points: SampleStats,
    /// The number of bingos.
    pub bonuses: u64,
}

/// Statistics of how rollouts ended: those of one candidate, or the leads of one over another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OutcomeStats {
    /// The win probabilities, in parts of [`WinProb::SCALE`].
    win: SampleStats,
    /// The win probabilities from before rollouts used verdicts.
    win_without_verdicts: SampleStats,
    /// The spread gained, in thousandths of a point.
    pub gain: SampleStats,
}

impl OutcomeStats {
    /// Sets the samples so far apart: rollouts use verdicts from now on.
    pub fn start_verdicts(&mut self) {
        self.win_without_verdicts = std::mem::take(&mut self.win);
    }

    /// The win probabilities: only those with verdicts, once they are at least half of all.
    pub fn win(&self) -> SampleStats {
        match self.win.count >= self.win_without_verdicts.count {
            true => self.win,
            false => self.win.merged(&self.win_without_verdicts),
        }
    }

    /// Adds the outcome of a sample.
    pub fn add(&mut self, sample: &RolloutSample) {
        self.win.add(sample.win.parts().into());
        self.gain.add(sample.gain.millis().into());
    }

    /// Adds the lead of one sample over another in the same world.
    pub fn add_lead(&mut self, sample: &RolloutSample, other: &RolloutSample) {
        self.win
            .add(i64::from(sample.win.parts()) - i64::from(other.win.parts()));
        self.gain
            .add(i64::from(sample.gain.millis()) - i64::from(other.gain.millis()));
    }
}

/// Statistics of all samples of a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CandidateStats {
    /// How the rollouts ended.
    pub outcome: OutcomeStats,
    /// The moves after the candidate.
    pub plies: Vec<PlyStats>,
    /// Whether the candidate itself ends the game.
    pub ends_game: bool,
    /// How often each reply was made, and its points.
    replies: HashMap<Turn, (u64, Points)>,
    counted_replies: u64,
}

/// A reply to a candidate, and how often it was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountedReply {
    /// The move.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
    /// Its share of all replies, from 0 to 1.
    pub share: f64,
}

impl CandidateStats {
    /// Adds a sample.
    pub fn add(&mut self, sample: &RolloutSample) {
        self.outcome.add(sample);
        self.ends_game |= sample.ends_game;
        if self.plies.len() < sample.plies.len() {
            self.plies.resize(sample.plies.len(), PlyStats::default());
        }
        for (ply, (points, bingo)) in self.plies.iter_mut().zip(&sample.plies) {
            ply.points.add(points.0.into());
            ply.bonuses += u64::from(*bingo);
        }
        if self.counted_replies < MAX_COUNTED_REPLIES
            && let Some(reply) = sample.reply
        {
            let points = sample.plies.first().map_or(Points::ZERO, |first| first.0);
            self.replies.entry(reply).or_insert((0, points)).0 += 1;
            self.counted_replies += 1;
        }
    }

    /// The most frequent replies, the most frequent first; equals are in [`fixed_order`].
    pub fn replies(&self) -> Vec<CountedReply> {
        type Counted<'a> = (&'a Turn, &'a (u64, Points));
        let order = |(turn, (count, _)): &Counted, (other, (other_count, _)): &Counted| {
            let by_count = other_count.cmp(count);
            by_count.then_with(|| fixed_order(turn).cmp(&fixed_order(other)))
        };
        let mut most: Vec<Counted> = self.replies.iter().collect();
        // Most replies occur once, so sorting all of them would take longer.
        if most.len() > MAX_REPORTED_REPLIES {
            most.select_nth_unstable_by(MAX_REPORTED_REPLIES, order);
            most.truncate(MAX_REPORTED_REPLIES);
        }
        most.sort_unstable_by(order);
        let reply = |(turn, (count, points)): Counted| CountedReply {
            turn: *turn,
            points: *points,
            share: *count as f64 / self.counted_replies as f64,
        };
        most.into_iter().map(reply).collect()
    }
}

/// A sort key that does not depend on the order of a hash map.
fn fixed_order(turn: &Turn) -> (Edits, Option<Placement>, Vec<usize>) {
    let (edits, main) = turn.parts();
    let (word, tiles) = match main {
        Turn::Place(placement) => (Some(placement), Vec::new()),
        Turn::Rearrange(rearrangement) => (Some(*rearrangement.word()), Vec::new()),
        Turn::Exchange(tiles) => (None, tiles.iter().map(Tile::number).collect()),
        Turn::ExchangeUnseen(_) | Turn::Pass | Turn::Edited(_) => (None, Vec::new()),
    };
    (edits, word, tiles)
}

/// Sums of utilities, and of products of two utilities in the same world, for all candidates.
#[derive(Clone, Debug)]
pub(super) struct PairedSums {
    count: u64,
    sums: Vec<i64>,
    /// A triangular matrix, row by row: row `a` has the products with candidates 0 to `a`.
    products: Vec<i64>,
}

impl PairedSums {
    pub fn new(candidates: usize) -> PairedSums {
        PairedSums {
            count: 0,
            sums: vec![0; candidates],
            products: vec![0; candidates * (candidates + 1) / 2],
        }
    }

    /// Adds one world: the utilities of the `live` candidates, in the same order.
    pub fn add(&mut self, live: &[usize], utilities: &[i64]) {
        self.count += 1;
        for (at, (&candidate, &utility)) in live.iter().zip(utilities).enumerate() {
            self.sums[candidate] += utility;
            let row = candidate * (candidate + 1) / 2;
            for (&earlier, &earlier_utility) in live.iter().zip(&utilities[..=at]) {
                self.products[row + earlier] += utility * earlier_utility;
            }
        }
    }

    /// The number of worlds.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of a candidate's utilities.
    pub fn sum(&self, candidate: usize) -> i64 {
        self.sums[candidate]
    }

    /// The lead of candidate `a` over candidate `b`, from their differences world by world.
    pub fn difference(&self, a: usize, b: usize) -> PairedDifference {
        let product = |a: usize, b: usize| {
            let (high, low) = (a.max(b), a.min(b));
            i128::from(self.products[high * (high + 1) / 2 + low])
        };
        let n = i128::from(self.count);
        let sum = i128::from(self.sums[a]) - i128::from(self.sums[b]);
        let squares = product(a, a) + product(b, b) - 2 * product(a, b);
        // Subtract integers, so that nearly equal numbers cancel without loss of precision.
        let observed = (n * squares - sum * sum) as f64 / n.max(1) as f64;
        let prior =
            PRIOR_DIFFERENCE_WORLDS * PRIOR_DIFFERENCE_DEVIATION * PRIOR_DIFFERENCE_DEVIATION;
        PairedDifference {
            count: self.count,
            mean: sum as f64 / n.max(1) as f64,
            variance: (observed + prior) / (n as f64 + PRIOR_DIFFERENCE_WORLDS),
        }
    }
}

/// The lead of one candidate over another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairedDifference {
    /// The number of worlds.
    count: u64,
    /// The mean difference of utilities.
    pub mean: f64,
    /// The variance of the differences, with a prior.
    variance: f64,
}

impl PairedDifference {
    /// The standard error of the mean; infinite with fewer than two worlds.
    pub fn error(&self) -> f64 {
        match self.count {
            0 | 1 => f64::INFINITY,
            n => (self.variance / (n - 1) as f64).sqrt(),
        }
    }

    /// The evidence that the lead is real, in log-odds; 0 if the mean difference is not positive.
    ///
    /// It is the logarithm of the Bayes factor of the t-test with a normal prior of the
    /// standardized difference and Jeffreys' prior of the variance (Gönen and others 2005). If the
    /// candidates are equal, the Bayes factor is a martingale in the number of samples that starts
    /// at 1 and is never negative. By Ville's inequality the chance that it *ever* exceeds 1/δ is
    /// at most δ (Robbins 1970; Wang and Ramdas 2024). So the simulation may check it after each
    /// round and stop at any time. The variance need not be known, and few samples count as few.
    /// The prior of the variance only makes the evidence smaller.
    pub fn log_odds(&self) -> f64 {
        let n = self.count as f64;
        if self.count < 2 || self.mean <= 0.0 {
            return 0.0;
        }
        let shrinkage = EQUALITY_PRIOR_WORLDS / (n + EQUALITY_PRIOR_WORLDS);
        // The squared t statistic, divided by its degrees of freedom.
        let ratio = self.mean * self.mean / self.variance;
        0.5 * shrinkage.ln() + 0.5 * n * ((1.0 + ratio).ln() - (1.0 + shrinkage * ratio).ln())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::RngExt;

    /// In how many of 1,000 simulations of 400 worlds the first of two candidates ever leads with
    /// evidence above `odds`.
    fn leads(odds: f64, utilities: impl Fn(&mut rand_pcg::Pcg64Mcg) -> [i64; 2]) -> usize {
        let ever_leads = |unit: &u64| {
            let mut random = Seed(8).for_unit(*unit).generator();
            let mut pairs = PairedSums::new(2);
            (0..400).any(|_| {
                pairs.add(&[0, 1], &utilities(&mut random));
                pairs.count() >= 6 && pairs.difference(0, 1).log_odds() > odds.ln()
            })
        };
        (0..1_000).filter(ever_leads).count()
    }

    #[test]
    fn the_most_frequent_replies_come_first_with_their_shares() {
        let exchange = |count: u8| Turn::ExchangeUnseen(count);
        let sample = |turn: Turn, points: i32| RolloutSample {
            plies: SmallVec::from_slice(&[(Points(points), false)]),
            reply: Some(turn),
            ..RolloutSample::default()
        };
        let mut stats = CandidateStats::default();
        // The reply with the number n has 3n points and is made n times; 28 replies in all.
        for number in 1..=7 {
            for _ in 0..number {
                stats.add(&sample(exchange(number), 3 * i32::from(number)));
            }
        }
        let replies = stats.replies();
        assert_eq!(replies.len(), MAX_REPORTED_REPLIES);
        for (reply, number) in replies.iter().zip([7, 6, 5, 4, 3]) {
            let expected = CountedReply {
                turn: exchange(number),
                points: Points(3 * i32::from(number)),
                share: f64::from(number) / 28.0,
            };
            assert_eq!(*reply, expected);
        }
    }

    #[test]
    fn equal_candidates_are_seldom_told_apart() {
        let one = i64::from(WinProb::SCALE);
        let equal =
            |random: &mut rand_pcg::Pcg64Mcg| [(); 2].map(|()| random.random_range(0..=one));
        let wrong = leads(20.0, equal);
        assert!(wrong <= 50, "{wrong} of 1000");
        // A difference of a quarter of a win is found.
        let better = |random: &mut rand_pcg::Pcg64Mcg| {
            let [a, b] = equal(random);
            [a + one / 4, b]
        };
        assert!(leads(100.0, better) > 990);
    }

    #[test]
    fn a_candidate_with_rare_wins_does_not_drop_out_early() {
        let one = i64::from(WinProb::SCALE);
        // The second candidate wins more often, but loses by a larger spread.
        let rare = |random: &mut rand_pcg::Pcg64Mcg| {
            let wins = |random: &mut rand_pcg::Pcg64Mcg, percent: u32| {
                i64::from(random.random_range(0..100) < percent) * one
            };
            [wins(random, 13) + 150, wins(random, 19)]
        };
        let wrong = leads(100.0, rare);
        assert!(wrong <= 10, "{wrong} of 1000");
    }
}
