//! Counting how static games go on, for the table of chances to win, and
//! asking other games whether a table is right.

use cazique::autoplay::{Players, SelfPlayGame};
use cazique::cli::progress::Progress;
use cazique::eval::win_table::{SwingCounts, WinTable};
use cazique::seed::Seed;
use cazique::units::{Points, WinProb};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// What the player to move had, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The tiles in the bag.
    pub bag: usize,
    /// The tiles on the own rack.
    pub mine: usize,
    /// The tiles on the other rack.
    pub theirs: usize,
    /// How far ahead the player was.
    pub lead: Points,
    /// What the rest of the game added to that.
    pub swing: Points,
}

/// Every turn of a game, from the side of the player to move.
pub fn moments(players: &Players, seed: Seed) -> Vec<Moment> {
    let mut table = SelfPlayGame::new(players, [0, 1], seed);
    let mut seen = Vec::new();
    while !table.is_over() {
        let seat = table.to_move();
        let moment = Moment {
            bag: table.bag_len(),
            mine: table.rack(seat).len(),
            theirs: table.rack(1 - seat).len(),
            lead: table.spread(seat),
            swing: Points::ZERO,
        };
        seen.push((seat, moment));
        table.play_turn();
    }
    let result = table.finish();
    let ended = |(seat, moment): (usize, Moment)| Moment {
        swing: result.spread(seat) - moment.lead,
        ..moment
    };
    seen.into_iter().map(ended).collect()
}

/// Counts the swings of so many games, on the threads of the pool it is called in.
pub fn swings(players: &Players, games: u64, seed: Seed) -> SwingCounts {
    let progress = Progress::new("games", games);
    let count = |mut swings: SwingCounts, unit| {
        for moment in moments(players, seed.for_unit(unit)) {
            swings.add(moment.bag, moment.mine, moment.theirs, moment.swing);
        }
        progress.step();
        swings
    };
    (0..games)
        .into_par_iter()
        .fold(SwingCounts::default, count)
        .reduce(SwingCounts::default, SwingCounts::merge)
}

/// What a table said over some moments, and what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bin {
    moments: u64,
    /// The chances, in parts.
    said: u64,
    /// Wins, draws half, in parts.
    came: u64,
    /// Squares of the differences.
    squares: u64,
}

impl Bin {
    fn merge(&mut self, other: Bin) {
        self.moments += other.moments;
        self.said += other.said;
        self.came += other.came;
        self.squares += other.squares;
    }
}

impl fmt::Display for Bin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (moments, one) = (self.moments as f64, f64::from(WinProb::SCALE));
        let share = |parts: u64| parts as f64 / one / moments;
        let brier = self.squares as f64 / one / one / moments;
        let (said, came) = (share(self.said), share(self.came));
        write!(
            f,
            "{:>9} moments, said {said:.4}, came {came:.4}, Brier {brier:.4}",
            self.moments
        )
    }
}

/// How true a table is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    all: Bin,
    /// By chance in twentieths.
    by_chance: BTreeMap<u16, Bin>,
    /// By tiles in the bag: none, up to 10, up to 20 and so on.
    by_bag: BTreeMap<usize, Bin>,
}

impl Calibration {
    /// Asks so many games, on the threads of the pool it is called in.
    pub fn of(table: &WinTable, players: &Players, games: u64, seed: Seed) -> Calibration {
        let progress = Progress::new("games", games);
        let ask = |mut calibration: Calibration, unit| {
            for moment in moments(players, seed.for_unit(unit)) {
                calibration.add(table, &moment);
            }
            progress.step();
            calibration
        };
        (0..games)
            .into_par_iter()
            .fold(Calibration::default, ask)
            .reduce(Calibration::default, Calibration::merge)
    }

    fn add(&mut self, table: &WinTable, moment: &Moment) {
        let Moment {
            bag, mine, theirs, ..
        } = *moment;
        let said = table.win_prob(moment.lead, bag, mine, theirs).parts();
        let end = moment.lead + moment.swing;
        let came = match end.cmp(&Points::ZERO) {
            Ordering::Less => 0,
            Ordering::Equal => WinProb::SCALE / 2,
            Ordering::Greater => WinProb::SCALE,
        };
        let bin = Bin {
            moments: 1,
            said: said.into(),
            came: came.into(),
            squares: u64::from(said.abs_diff(came)).pow(2),
        };
        let twentieth = (said / (WinProb::SCALE / 20)).min(19);
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
            writeln!(f, "chance {:>3} % and more: {bin}", 5 * twentieth)?;
        }
        for (tens, bin) in &self.by_bag {
            writeln!(f, "bag up to {:>10}: {bin}", 10 * tens)?;
        }
        write!(f, "all {:>16}: {}", "", self.all)
    }
}
