//! The worlds of a simulation: samples of the tiles that the player to move does not see.
//!
//! Ordinarily every world is equally likely. Where a target score wins, the next turn of an opponent
//! often decides the game, and then it matters that players keep good tiles: with worlds that are
//! equally likely, the player to move won 3.8 ± 0.6 percentage points less than predicted (4,000
//! static games to 120 points). So these worlds are chosen by sampling importance resampling (Rubin
//! 1987): a few are drawn, and one of them is taken with a weight that grows with the value of tiles
//! that opponents may have kept.

use crate::lexicon::LeaveValues;
use crate::rules::{Deal, Position};
use crate::seed::Seed;
use crate::tiles::{Tile, TileCounts};
use crate::units::{Equity, Points};
use rand::RngExt;
use rand::seq::SliceRandom;

/// The number of worlds of which one is taken. Chosen by hand.
const DRAWN_WORLDS: u64 = 8;
/// The number of tiles that a player keeps in a turn: seven less the 4.6 that a static player uses on
/// average, rounded.
const KEPT_TILES: usize = 2;
/// The value of kept tiles that makes a world e times as likely. Fitted to static games to 120 points
/// with `tools/calibrate/run`.
const VALUE_SCALE_POINTS: f64 = 8.0;
/// The largest value of kept tiles that counts. It bounds the weights. Chosen by hand: a blank and an
/// S are worth less.
const MAX_KEPT_VALUE: Points = Points(50);
/// The weight of a world in which kept tiles are worth nothing.
const WEIGHT_UNIT: f64 = 65_536.0;

/// The world of an iteration.
pub(super) fn sample(position: &Position, leaves: Option<&LeaveValues>, seed: Seed) -> Deal {
    match leaves.filter(|_| position.points_to_win(position.to_move()).is_some()) {
        None => Deal::sample(position, seed),
        Some(leaves) => resampled(position, leaves, seed),
    }
}

/// One of a few worlds, with a weight that grows with the value of tiles kept by opponents.
fn resampled(position: &Position, leaves: &LeaveValues, seed: Seed) -> Deal {
    // Who has no points yet has not kept anything by choice, and tiles that are known are no choice.
    let has_kept = |seat: &usize| {
        position.score(*seat) > Points::ZERO && position.rack(*seat).known.is_empty()
    };
    let opponents = position.turn_order().skip(1);
    let opponents: Vec<usize> = opponents.filter(has_kept).collect();
    let mut rng = seed.generator();
    let drawn = (0..DRAWN_WORLDS).map(|unit| {
        let world = Deal::sample(position, seed.for_unit(unit));
        let value: Equity = opponents
            .iter()
            .map(|&seat| {
                let mut tiles: Vec<Tile> = world.rack(seat).iter().collect();
                let (kept, _) = tiles.partial_shuffle(&mut rng, KEPT_TILES);
                let kept: TileCounts = kept.iter().copied().collect();
                leaves.value(&kept).min(MAX_KEPT_VALUE.into())
            })
            .fold(Equity::ZERO, |sum, value| sum + value);
        let exponent = f64::from(value.millis()) / 1_000.0 / VALUE_SCALE_POINTS;
        (world, (exponent.exp() * WEIGHT_UNIT) as u64)
    });
    let drawn: Vec<(Deal, u64)> = drawn.collect();
    let all: u64 = drawn.iter().map(|(_, weight)| weight).sum();
    let mut at = rng.random_range(0..all.max(1));
    for (world, weight) in &drawn {
        match at.checked_sub(*weight) {
            None => return world.clone(),
            Some(rest) => at = rest,
        }
    }
    Deal::sample(position, seed)
}
