//! The win probability table: counts how static games continue, and checks a table against other
//! games.
//!
//! `leaves win` plays games and counts, for each stage of the game, by how much the lead of the
//! player to move changes until the end. `leaves calibrate` plays other games and compares the
//! predictions of a table with their results.

use cazique::autoplay::{Players, SelfPlayGame};
use cazique::cli::progress::Progress;
use cazique::eval::win_table::{SwingCounts, WinTable};
use cazique::seed::Seed;
use cazique::units::{Points, WinProb};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// A position of a game, for the player to move, and how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnRecord {
    /// The number of tiles in the bag.
    pub bag: usize,
    /// The number of tiles on the rack of the player to move.
    pub mine: usize,
    /// The number of tiles on the opponent's rack.
    pub theirs: usize,
    /// The lead of the player to move.
    pub lead: Points,
    /// The change of that lead until the end of the game.
    pub swing: Points,
}

/// Plays a game, and records each of its positions.
pub fn turn_records(players: &Players, seed: Seed) -> Vec<TurnRecord> {
    let mut table = SelfPlayGame::new(players, 0, seed);
    let mut seen = Vec::new();
    while !table.is_over() {
        let seat = table.to_move();
        let record = TurnRecord {
            bag: table.bag_len(),
            mine: table.rack(seat).len(),
            theirs: table.rack(1 - seat).len(),
            lead: table.spread(seat),
            swing: Points::ZERO,
        };
        seen.push((seat, record));
        table.play_turn();
    }
    let result = table.finish();
    let ended = |(seat, record): (usize, TurnRecord)| TurnRecord {
        swing: result.spread(seat) - record.lead,
        ..record
    };
    seen.into_iter().map(ended).collect()
}

/// Plays `games` games on the threads of the pool it is called in, and adds up their records.
fn add_up<T: Default + Send>(
    players: &Players,
    games: u64,
    seed: Seed,
    add: impl Fn(&mut T, &TurnRecord) + Sync,
    merge: fn(T, T) -> T,
) -> T {
    let progress = Progress::new("games", games);
    let count = |mut sum: T, unit| {
        for record in turn_records(players, seed.for_unit(unit)) {
            add(&mut sum, &record);
        }
        progress.step();
        sum
    };
    let sums = (0..games).into_par_iter().fold(T::default, count);
    sums.reduce(T::default, merge)
}

/// Counts the swings of `games` games.
pub fn swings(players: &Players, games: u64, seed: Seed) -> SwingCounts {
    let add = |swings: &mut SwingCounts, record: &TurnRecord| {
        swings.add(record.bag, record.mine, record.theirs, record.swing);
    };
    add_up(players, games, seed, add, SwingCounts::merge)
}

/// Predictions of a table for some positions, and the results of their games, both in parts of
/// [`WinProb::SCALE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CalibrationBin {
    positions: u64,
    /// The sum of the predicted win probabilities.
    predicted: u64,
    /// The sum of the results: a win counts one, a draw one half.
    observed: u64,
    /// The sum of the squared differences.
    squares: u64,
}

impl CalibrationBin {
    fn merge(&mut self, other: CalibrationBin) {
        self.positions += other.positions;
        self.predicted += other.predicted;
        self.observed += other.observed;
        self.squares += other.squares;
    }
}

impl fmt::Display for CalibrationBin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (positions, one) = (self.positions as f64, f64::from(WinProb::SCALE));
        let share = |parts: u64| parts as f64 / one / positions;
        let brier = self.squares as f64 / one / one / positions;
        let (predicted, observed) = (share(self.predicted), share(self.observed));
        write!(
            f,
            "{:>9} positions, predicted {predicted:.4}, observed {observed:.4}, Brier score {brier:.4}",
            self.positions
        )
    }
}

/// The calibration of a table: predictions against results, in bins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    all: CalibrationBin,
    /// By predicted win probability, in twentieths.
    by_chance: BTreeMap<u16, CalibrationBin>,
    /// By the number of tiles in the bag, in tens rounded up.
    by_bag: BTreeMap<usize, CalibrationBin>,
}

impl Calibration {
    /// Compares a table with the results of `games` games.
    pub fn of(table: &WinTable, players: &Players, games: u64, seed: Seed) -> Calibration {
        let add = |sum: &mut Calibration, record: &TurnRecord| sum.add(table, record);
        add_up(players, games, seed, add, Calibration::merge)
    }

    fn add(&mut self, table: &WinTable, record: &TurnRecord) {
        let TurnRecord {
            bag, mine, theirs, ..
        } = *record;
        let predicted = table.win_prob(record.lead, bag, mine, theirs).parts();
        let end = record.lead + record.swing;
        let observed = match end.cmp(&Points::ZERO) {
            Ordering::Less => 0,
            Ordering::Equal => WinProb::SCALE / 2,
            Ordering::Greater => WinProb::SCALE,
        };
        let bin = CalibrationBin {
            positions: 1,
            predicted: predicted.into(),
            observed: observed.into(),
            squares: u64::from(predicted.abs_diff(observed)).pow(2),
        };
        let twentieth = (predicted / (WinProb::SCALE / 20)).min(19);
        self.all.merge(bin);
        self.by_chance.entry(twentieth).or_default().merge(bin);
        self.by_bag.entry(bag.div_ceil(10)).or_default().merge(bin);
    }

    fn merge(mut self, other: Calibration) -> Calibration {
        self.all.merge(other.all);
        for (twentieth, bin) in other.by_chance {
            self.by_chance.entry(twentieth).or_default().merge(bin);
        }
        for (tens, bin) in other.by_bag {
            self.by_bag.entry(tens).or_default().merge(bin);
        }
        self
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (twentieth, bin) in &self.by_chance {
            writeln!(f, "predicted {:>3} % and more: {bin}", 5 * twentieth)?;
        }
        for (tens, bin) in &self.by_bag {
            writeln!(f, "bag up to {:>13}: {bin}", 10 * tens)?;
        }
        write!(f, "all {:>19}: {}", "", self.all)
    }
}
