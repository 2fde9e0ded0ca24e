//! Counts in static games what the models of the end of a rollout are fitted to.

use super::Games;
use cazique::cli::progress::Progress;
use cazique::movegen::{Generator, RackLeaves};
use cazique::rules::Position;
use cazique::units::{Equity, Points};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Sums of numbers and of their squares and products.
#[derive(Clone, Default)]
struct Moments {
    count: f64,
    /// By turns until the seat moves.
    sum: [f64; 4],
    product: [[f64; 4]; 4],
}

impl Moments {
    fn add(&mut self, gains: &[f64]) {
        self.count += 1.0;
        for (i, a) in gains.iter().enumerate() {
            self.sum[i] += a;
            for (j, b) in gains.iter().enumerate() {
                self.product[i][j] += a * b;
            }
        }
    }

    fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        for i in 0..4 {
            self.sum[i] += other.sum[i];
            for j in 0..4 {
                self.product[i][j] += other.product[i][j];
            }
        }
    }

    fn mean(&self, i: usize) -> f64 {
        self.sum[i] / self.count
    }

    fn covariance(&self, i: usize, j: usize) -> f64 {
        self.product[i][j] / self.count - self.mean(i) * self.mean(j)
    }
}

/// How often there were points, in fives, in a turn of a seat.
type PointCounts = BTreeMap<(usize, i32), u64>;

/// What was counted in some games.
#[derive(Clone, Default)]
struct Counts {
    /// By tiles in the bag.
    gains: BTreeMap<usize, Moments>,
    /// By turn of a seat, up to the tenth: the number of turns by points in fives.
    turns: PointCounts,
    /// The same of the plays with the most points that could have been made.
    most: PointCounts,
}

impl Counts {
    fn merge(mut self, other: Counts) -> Counts {
        for (bag, moments) in other.gains {
            self.gains.entry(bag).or_default().merge(&moments);
        }
        for (own, other) in [(&mut self.turns, other.turns), (&mut self.most, other.most)] {
            for (key, count) in other {
                *own.entry(key).or_default() += count;
            }
        }
        self
    }
}

/// Plays the games and prints the figures.
pub fn report(games: &Games) -> String {
    let progress = Progress::new("games", games.count);
    let count = |unit: u64| {
        let game = games.play(games.seed, unit);
        let mut counts = Counts::default();
        let Ok(mut position) = Position::start(games.rules.clone(), games.players) else {
            return counts;
        };
        for (at, turn) in game.turns.iter().enumerate() {
            let seat = position.to_move();
            let gains: Vec<f64> = (0..games.players)
                .map(|after| (seat + after) % games.players)
                .map(|other| f64::from((game.scores[other] - position.score(other)).0))
                .collect();
            counts
                .gains
                .entry(position.bag_len())
                .or_default()
                .add(&gains);
            let add = |counts: &mut PointCounts, points: Points| {
                let turn = (at / games.players).min(9);
                *counts.entry((turn, points.0 / 5)).or_default() += 1;
            };
            let words = games.data.knowledge().vocabulary.known;
            let mut generator = Generator::new(&games.rules, words, position.grid());
            let by_points = RackLeaves::new(&game.racks[at], |_| Equity::ZERO);
            let most = generator.best(&by_points);
            add(
                &mut counts.most,
                most.map_or(Points::ZERO, |play| play.points),
            );
            let set = position.set_rack(seat, game.racks[at]);
            let points = set.ok().and_then(|()| position.play(turn).ok());
            position.forget_rack(seat);
            add(&mut counts.turns, points.unwrap_or(Points::ZERO));
        }
        progress.step();
        counts
    };
    let counts = (0..games.count).into_par_iter().map(count);
    written(
        &counts.reduce(Counts::default, Counts::merge),
        games.players,
    )
}

fn written(counts: &Counts, players: usize) -> String {
    let mut text = String::new();
    for (bag, moments) in &counts.gains {
        let _ = write!(text, "bag {bag:3} count {:6}", moments.count);
        for i in 0..players {
            let _ = write!(
                text,
                " {:7.2} ± {:5.2}",
                moments.mean(i),
                moments.covariance(i, i).sqrt()
            );
        }
        for i in 0..players {
            for j in 0..i {
                let scale = (moments.covariance(i, i) * moments.covariance(j, j)).sqrt();
                let _ = write!(text, " r{j}{i} {:+.2}", moments.covariance(i, j) / scale);
            }
        }
        text.push('\n');
    }
    for (name, counts) in [("points", &counts.turns), ("most points", &counts.most)] {
        for turn in 0..10 {
            let of_turn = counts.range((turn, i32::MIN)..=(turn, i32::MAX));
            let of_turn: Vec<(i32, u64)> = of_turn
                .map(|((_, fives), count)| (*fives, *count))
                .collect();
            let all: u64 = of_turn.iter().map(|(_, count)| count).sum();
            let _ = write!(text, "{name} of turn {turn}:");
            for (fives, count) in of_turn {
                let _ = write!(text, " {}:{:.4}", fives * 5, count as f64 / all as f64);
            }
            text.push('\n');
        }
    }
    text
}
