//! The census of a board: the value of every leave on it, from the best move of every rack.
//!
//! One move generation with all unseen tiles finds the best score of each multiset of tiles that
//! can be placed. This gives the best move of every rack that can be drawn. The value of a leave is
//! the mean of these best moves over all ways to draw the other tiles of the rack. Only the board is
//! sampled. The idea is the "census" of the wolges engine. Here each rack is weighted by the number
//! of ways to draw it from the leave, which needs one pass instead of one for each kind of tile.
//!
//! `train` supplies the boards and the leave values of the generation before, and
//! adds up the results in [`LeaveSums`].

use crate::lattice::{Counts, Lattice, counts};
use cazique::movegen::Generator;
use cazique::tiles::TileCounts;

/// Leave values in thousandths of a point, by the number of the leave in the lattice.
pub type LeaveMillis = Vec<i32>;

/// A value below every real one, in points or thousandths of a point. Half of the smallest integer,
/// so that sums do not overflow.
const NO_VALUE: i32 = i32::MIN / 2;

/// Leave values of the generation before, and what follows from them for every board.
pub struct PriorValues<'a> {
    lattice: &'a Lattice,
    table: &'a [i32],
    /// For each full rack: the value of the best leave that an exchange can keep.
    exchanges: Vec<i32>,
    /// For each size of a leave, and each kind: the smallest gain from one more tile of that kind.
    gains: Vec<Vec<i32>>,
}

/// The fixed-point unit of sums: units per thousandth of a point. Sums are integers, so that their
/// order does not matter. With 2^16 units, a million boards do not overflow 64 bits.
const UNITS_PER_MILLI: f64 = 65_536.0;

/// Sums over boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaveSums {
    /// For each leave: how much better it is than the mean of all racks.
    sums: Vec<i64>,
    /// For each leave: the number of boards on which a player could hold it.
    boards: Vec<u32>,
}

/// The buffers of the census of one board after the other.
pub struct Census<'a> {
    prior: &'a PriorValues<'a>,
    /// For each multiset: the best score of placing it.
    scores: Vec<i32>,
    /// For each full rack: the value of the best move.
    best: Vec<i32>,
    /// For each multiset: the sum over the ways to draw the rest of the rack.
    sums: Vec<f64>,
}

impl<'a> PriorValues<'a> {
    /// `all` has the counts of the whole tile set.
    pub fn new(lattice: &'a Lattice, table: &'a [i32], all: &Counts) -> PriorValues<'a> {
        let mut best = table.to_vec();
        best.resize(lattice.of_size(lattice.size()).end, NO_VALUE);
        for number in 0..table.len() {
            let value = best[number];
            for &more in lattice.row(number as u32) {
                let more = &mut best[more as usize];
                *more = value.max(*more);
            }
        }
        PriorValues {
            lattice,
            table,
            exchanges: best.split_off(table.len()),
            gains: least_gains(lattice, table, all),
        }
    }

    /// Whether a placement is dominated: another one with one tile less is at least as good,
    /// whatever else stays on the rack, because that tile is worth more there.
    fn is_dominated(&self, scores: &[i32], points: i32, placed: &Counts, left: usize) -> bool {
        let Some(gains) = self.gains.get(left) else {
            return false;
        };
        let mut fewer = *placed;
        (0..self.lattice.kinds()).any(|kind| {
            if placed[kind] == 0 {
                return false;
            }
            fewer[kind] -= 1;
            let without = scores[self.lattice.number_of(&fewer) as usize];
            fewer[kind] += 1;
            without > NO_VALUE && without * 1_000 + gains[kind] >= points * 1_000
        })
    }
}

/// For each size of a leave, and each kind: the smallest gain from one more tile of that kind.
fn least_gains(lattice: &Lattice, table: &[i32], all: &Counts) -> Vec<Vec<i32>> {
    let mut gains = Vec::new();
    for size in 0..lattice.size() - 1 {
        let mut least = vec![i32::MAX / 2; lattice.kinds()];
        lattice.visit(all, size, &mut |number, counts, _| {
            for (kind, &more) in lattice.row(number).iter().enumerate() {
                if counts[kind] < all[kind] {
                    let gain = table[more as usize] - table[number as usize];
                    least[kind] = gain.min(least[kind]);
                }
            }
        });
        gains.push(least);
    }
    gains
}

impl LeaveSums {
    /// Sums over no board.
    pub fn new(lattice: &Lattice) -> LeaveSums {
        let leaves = lattice.of_size(lattice.size()).start;
        LeaveSums {
            sums: vec![0; leaves],
            boards: vec![0; leaves],
        }
    }

    /// The sums over the boards of both.
    pub fn merge(mut self, other: &LeaveSums) -> LeaveSums {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (boards, more) in self.boards.iter_mut().zip(&other.boards) {
            *boards += more;
        }
        self
    }

    /// The mean of each leave; 0 for a leave that no board allowed.
    pub fn means(&self) -> LeaveMillis {
        let leaves = self.sums.iter().zip(&self.boards);
        leaves
            .map(|(&sum, &boards)| {
                (sum as f64 / (f64::from(boards.max(1)) * UNITS_PER_MILLI)).round() as i32
            })
            .collect()
    }
}

impl<'a> Census<'a> {
    pub fn new(prior: &'a PriorValues<'a>) -> Census<'a> {
        let multisets = prior.lattice.of_size(prior.lattice.size()).end;
        Census {
            prior,
            scores: vec![NO_VALUE; multisets],
            best: vec![NO_VALUE; prior.exchanges.len()],
            sums: vec![0.0; multisets],
        }
    }

    /// Adds the census of one board. `pool` has its unseen tiles, more than a full rack.
    pub fn count(&mut self, generator: &Generator, pool: &TileCounts, totals: &mut LeaveSums) {
        let scores = &mut self.scores;
        generator.pool_placements(pool, self.prior.lattice, |number, points| {
            let best = &mut scores[number as usize];
            *best = points.0.max(*best);
        });
        let pool_counts = counts(pool);
        self.find_best(&pool_counts);
        self.add_up(&pool_counts, pool.len(), totals);
    }

    /// Finds the best move of each rack: an exchange, or a placement that keeps the other tiles.
    fn find_best(&mut self, pool: &Counts) {
        let lattice = self.prior.lattice;
        self.best.copy_from_slice(&self.prior.exchanges);
        let mut filler = RackFiller {
            lattice,
            table: self.prior.table,
            first: lattice.of_size(lattice.size()).start,
            best: &mut self.best,
            points: 0,
            room: *pool,
        };
        // Larger placements first: the test for domination needs the scores of smaller ones.
        for size in (1..=lattice.size()).rev() {
            let left = lattice.size() - size;
            lattice.visit(pool, size, &mut |number, placed, _| {
                let points = std::mem::replace(&mut self.scores[number as usize], NO_VALUE);
                if points > NO_VALUE && !self.prior.is_dominated(&self.scores, points, placed, left)
                {
                    for (room, (all, placed)) in filler.room.iter_mut().zip(pool.iter().zip(placed))
                    {
                        *room = all - placed;
                    }
                    filler.points = points * 1_000;
                    filler.fill(number, 0, left, 0);
                }
            });
        }
    }

    /// Adds the mean of every leave, by dynamic programming from full racks down. From a rack of r
    /// tiles, a leave of s tiles is reached in (r - s)! orders, once for each way to choose its
    /// tiles among equal ones. So the sum over all racks that contain the leave, each weighted by
    /// the number of ways to draw it, is the sum over one more tile, divided by r - s at each step.
    fn add_up(&mut self, pool: &Counts, unseen: usize, totals: &mut LeaveSums) {
        let lattice = self.prior.lattice;
        let size = lattice.size();
        let first = lattice.of_size(size).start;
        lattice.visit(pool, size, &mut |number, _, ways| {
            let best = f64::from(self.best[number as usize - first]);
            self.sums[number as usize] = ways * best;
        });
        for held in (0..size).rev() {
            lattice.visit(pool, held, &mut |number, counts, _| {
                let mut sum = 0.0;
                for (kind, &more) in lattice.row(number).iter().enumerate() {
                    if counts[kind] < pool[kind] {
                        sum += f64::from(counts[kind] + 1) * self.sums[more as usize];
                    }
                }
                self.sums[number as usize] = sum / (size - held) as f64;
            });
        }
        let mean = self.sums[0] / choose(unseen, size);
        for held in 1..size {
            let draws = choose(unseen - held, size - held);
            lattice.visit(pool, held, &mut |number, _, ways| {
                let number = number as usize;
                let deviation = self.sums[number] / (ways * draws) - mean;
                totals.sums[number] += (deviation * UNITS_PER_MILLI).round() as i64;
                totals.boards[number] += 1;
            });
        }
    }
}

/// Combines a placement with every leave, and updates the best move of the racks they make.
struct RackFiller<'a> {
    lattice: &'a Lattice,
    table: &'a [i32],
    /// The number of the first full rack.
    first: usize,
    best: &'a mut [i32],
    /// The score of the placement, in thousandths of a point.
    points: i32,
    /// The tiles of the pool that are left, by kind.
    room: Counts,
}

impl RackFiller<'_> {
    /// Adds `left` tiles of kinds not lower than `from` to a rack and to its leave.
    fn fill(&mut self, rack: u32, leave: u32, left: usize, from: usize) {
        match left {
            0 => self.offer(rack, leave),
            1 => self.fill_last(rack, leave, from),
            _ => {
                let (racks, leaves) = (self.lattice.row(rack), self.lattice.row(leave));
                for kind in from..racks.len() {
                    if self.room[kind] > 0 {
                        self.room[kind] -= 1;
                        self.fill(racks[kind], leaves[kind], left - 1, kind);
                        self.room[kind] += 1;
                    }
                }
            }
        }
    }

    /// Adds the last tile. This is the hot loop of the trainer, so it makes no calls.
    #[inline]
    fn fill_last(&mut self, rack: u32, leave: u32, from: usize) {
        let (racks, leaves) = (self.lattice.row(rack), self.lattice.row(leave));
        for kind in from..racks.len() {
            if self.room[kind] > 0 {
                self.offer(racks[kind], leaves[kind]);
            }
        }
    }

    #[inline]
    fn offer(&mut self, rack: u32, leave: u32) {
        let best = &mut self.best[rack as usize - self.first];
        *best = (self.points + self.table[leave as usize]).max(*best);
    }
}

/// The binomial coefficient: the ways to choose `k` of `n`.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |ways, at| ways * (n - at) as f64 / (at + 1) as f64)
}
