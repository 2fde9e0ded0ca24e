//! Matches of one table of leave values against another.

use crate::player::Table;
use anyhow::{Context, Result};
use cazique::lexicon::Leaves;
use cazique::movegen::Words;
use cazique::rules::RuleSet;
use cazique::seed::Seed;
use rayon::prelude::*;
use std::sync::Arc;

/// Two players who differ only by their leave values.
pub struct Duel<'a> {
    /// The rules.
    pub rules: &'a Arc<RuleSet>,
    /// The words.
    pub words: Words<'a>,
    /// The values of the first and the second; `None` for none.
    pub leaves: [Option<&'a Leaves>; 2],
}

/// Sums over pairs of games, from the first player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// How many pairs.
    pub pairs: u64,
    /// Half points: two for a win, one for a draw.
    halves: i64,
    /// The squares of the half points of a pair.
    halves_squared: i64,
    /// The spreads of both games.
    spread: i64,
    spread_squared: i64,
}

impl Duel<'_> {
    /// Plays pairs of games: the same bag, once with each player first.
    pub fn pairs(&self, pairs: u64, seed: Seed) -> Result<Score> {
        (0..pairs)
            .into_par_iter()
            .map(|unit| self.pair(seed.for_unit(unit)))
            .try_reduce(Score::default, |a, b| Ok(a.merge(b)))
    }

    fn pair(&self, seed: Seed) -> Result<Score> {
        let spreads = [self.game(seed, 0)?, self.game(seed, 1)?];
        let halves: i64 = spreads.iter().map(|spread| spread.signum() + 1).sum();
        let spread: i64 = spreads.iter().sum();
        Ok(Score {
            pairs: 1,
            halves,
            halves_squared: halves * halves,
            spread,
            spread_squared: spread * spread,
        })
    }

    /// The first player's spread in a game in which `seat` is that player's.
    fn game(&self, seed: Seed, seat: usize) -> Result<i64> {
        let mut table = Table::new(self.rules, self.words, seed)?;
        while table.position.end().is_none() {
            table.turn(self.leaves[table.position.turn() ^ seat])?;
        }
        let outcome = table
            .position
            .outcome()
            .context("a game without a result")?;
        let score = |seat: usize| i64::from(outcome.scores[seat].0);
        Ok(score(seat) - score(1 - seat))
    }
}

impl Score {
    fn merge(self, other: Score) -> Score {
        Score {
            pairs: self.pairs + other.pairs,
            halves: self.halves + other.halves,
            halves_squared: self.halves_squared + other.halves_squared,
            spread: self.spread + other.spread,
            spread_squared: self.spread_squared + other.spread_squared,
        }
    }

    /// The first player's wins in per cent, draws half, and the standard error.
    pub fn wins(&self) -> (f64, f64) {
        let (mean, error) = mean_and_error(self.pairs, self.halves, self.halves_squared);
        (25.0 * mean, 25.0 * error)
    }

    /// The first player's mean spread of a game, and the standard error.
    pub fn spread(&self) -> (f64, f64) {
        let (mean, error) = mean_and_error(self.pairs, self.spread, self.spread_squared);
        (mean / 2.0, error / 2.0)
    }
}

/// Pairs are independent of each other; the two games of a pair are not.
fn mean_and_error(n: u64, sum: i64, squares: i64) -> (f64, f64) {
    let count = n.max(1) as f64;
    let mean = sum as f64 / count;
    let variance = (squares as f64 / count - mean * mean).max(0.0);
    (mean, (variance / (count - 1.0).max(1.0)).sqrt())
}
