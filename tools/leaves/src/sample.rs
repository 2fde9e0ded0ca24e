//! Leave values from sampled racks, where a census of all racks is too large: racks of eight and
//! nine.
//!
//! On each board many racks are drawn at random from the unseen tiles. The best move of a rack, less
//! the mean of all racks of that board, is one observation of every leave that the rack holds. A leave
//! of which the rack holds several choices of equal tiles is observed as often, which weights racks as
//! drawing the rest of the rack from the unseen tiles does.
//!
//! Leaves have at most five tiles, or `--leave-tiles`; the engine extrapolates the values of larger
//! ones. Large leaves are observed rarely. So each mean is pulled towards the value that the same
//! extrapolation gives from smaller leaves. `train` supplies the boards and plays with the values.

use crate::census::LeaveMillis;
use crate::lattice::{Counts, Lattice};
use cazique::eval::{EvalContext, Evaluator};
use cazique::lexicon::{LeaveExtension, LeaveValues};
use cazique::movegen::Generator;
use cazique::rules::RuleSet;
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};
use cazique::units::Points;
use rand::RngExt;

/// The weight of the extrapolated value of a leave, in observations. Chosen by hand: if the best moves
/// of racks with the same leave have a standard deviation of 25 points and the extrapolation an error
/// of 2.5 points, the best weight is (25 / 2.5)² observations.
const EXTRAPOLATION_WEIGHT: f64 = 100.0;

/// Sums over sampled racks, by the number of the leave in the lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleSums {
    /// How much better the best moves were than the mean, in thousandths of a point.
    sums: Vec<i64>,
    /// The number of observations.
    observations: Vec<u32>,
}

impl SampleSums {
    /// Sums over no rack.
    pub fn new(lattice: &Lattice) -> SampleSums {
        let leaves = lattice.of_size(lattice.size()).start;
        SampleSums {
            sums: vec![0; leaves],
            observations: vec![0; leaves],
        }
    }

    /// The sums over the racks of both.
    pub fn merge(mut self, other: &SampleSums) -> SampleSums {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (observations, more) in self.observations.iter_mut().zip(&other.observations) {
            *observations += more;
        }
        self
    }

    /// The value of each leave of the tiles `all`: the mean of its observations and, with
    /// [`EXTRAPOLATION_WEIGHT`], of its extrapolated value.
    pub fn values(&self, lattice: &Lattice, all: &Counts) -> LeaveMillis {
        let mut values = vec![0; self.sums.len()];
        for size in 1..lattice.size() {
            lattice.visit(all, size, &mut |number, counts, _| {
                let number = number as usize;
                let extrapolated = f64::from(extrapolated(lattice, &values, counts, size));
                let sum = self.sums[number] as f64 + EXTRAPOLATION_WEIGHT * extrapolated;
                let weight = f64::from(self.observations[number]) + EXTRAPOLATION_WEIGHT;
                values[number] = (sum / weight).round() as i32;
            });
        }
        values
    }
}

/// The value of a leave of `size` tiles by the values of smaller leaves: zero for one tile, the sum
/// of both for two tiles, and what [`LeaveExtension`] says for more.
fn extrapolated(lattice: &Lattice, values: &[i32], counts: &Counts, size: usize) -> i32 {
    let mut counts = *counts;
    let mut without = |taken| sum_without(lattice, values, &mut counts, taken);
    match size {
        1 => 0,
        2 => without(1) as i32,
        _ => {
            let extension = LeaveExtension { from: size - 1 };
            extension.value(size, without(1), without(2)).millis()
        }
    }
}

/// The sum of the values of all ways to take `taken` tiles out of a leave, one or two.
fn sum_without(lattice: &Lattice, values: &[i32], counts: &mut Counts, taken: usize) -> i64 {
    if taken == 0 {
        return i64::from(values[lattice.number_of(counts) as usize]);
    }
    let mut sum = 0;
    for kind in 0..lattice.kinds() {
        let ways = i64::from(counts[kind]);
        if ways > 0 {
            counts[kind] -= 1;
            sum += ways * sum_without(lattice, values, counts, taken - 1);
            counts[kind] += 1;
        }
    }
    // Two tiles are taken in either order.
    sum / taken as i64
}

/// Draws racks on one board after the other.
pub struct RackSampler<'a> {
    lattice: &'a Lattice,
    rules: &'a RuleSet,
    evaluator: Evaluator<'a>,
    /// The number of racks on each board.
    racks: usize,
}

impl<'a> RackSampler<'a> {
    /// Moves are chosen with these leave values; without any, by points alone.
    pub fn new(
        lattice: &'a Lattice,
        rules: &'a RuleSet,
        leaves: Option<&'a LeaveValues>,
        racks: usize,
    ) -> RackSampler<'a> {
        let evaluator = Evaluator::by_leaves_alone(rules, leaves);
        RackSampler {
            lattice,
            rules,
            evaluator,
            racks,
        }
    }

    /// Adds the racks of one board. `pool` has its unseen tiles, more than two full racks.
    pub fn count(
        &mut self,
        generator: &mut Generator,
        pool: &TileCounts,
        seed: Seed,
        totals: &mut SampleSums,
    ) {
        let mut chance = seed.generator();
        let mut tiles: Vec<Tile> = pool.iter().collect();
        let size = self.rules.rack_size;
        let mut drawn = Vec::with_capacity(self.racks);
        for _ in 0..self.racks {
            for at in 0..size {
                let other = chance.random_range(at..tiles.len());
                tiles.swap(at, other);
            }
            let rack: TileCounts = tiles[..size].iter().copied().collect();
            let context = EvalContext {
                rack: &rack,
                bag: pool.len() - 2 * size,
                opponent_points: Points::ZERO,
                players: 2,
                is_first_play: generator.is_empty(),
                points_to_win: None,
                unseen: TileCounts::EMPTY,
            };
            let best = self.evaluator.best(generator, &context).equity.millis();
            drawn.push((rack, i64::from(best)));
        }
        let mean = drawn.iter().map(|(_, best)| best).sum::<i64>() / self.racks.max(1) as i64;
        for (rack, best) in &drawn {
            let tiles: Vec<Tile> = rack.iter().collect();
            self.add(&tiles, 0, 0, best - mean, totals);
        }
    }

    /// Adds one observation of each leave that continues the leave `number` of `held` tiles.
    fn add(&self, tiles: &[Tile], number: u32, held: usize, value: i64, totals: &mut SampleSums) {
        if held + 1 >= self.lattice.size() {
            return;
        }
        let row = self.lattice.row(number);
        for (at, tile) in tiles.iter().enumerate() {
            let number = row[tile.number()];
            totals.sums[number as usize] += value;
            totals.observations[number as usize] += 1;
            self.add(&tiles[at + 1..], number, held + 1, value, totals);
        }
    }
}
