//! What every rack there is could make of one board, and what each leave is
//! worth there.
//!
//! One walk with all unseen tiles finds the best score for each bunch of tiles
//! that can be placed. From that follows the best turn of every rack that can
//! be drawn, and from those the mean for every leave, over all ways to fill it
//! up. Nothing is sampled but the board itself. The idea is the "census" of the
//! wolges engine; the mean over *draws* to a leave rather than over racks that
//! have it inside needs one pass instead of one for each kind of tile.

use crate::lattice::{Counts, Lattice, counts};
use cazique::movegen::Generator;
use cazique::tiles::TileCounts;

/// Leave values by the number of the leave, in thousandths of a point.
pub type Table = Vec<i32>;

/// Below every value.
const NOTHING: i32 = i32::MIN / 2;

/// Leave values, and what follows from them for every board.
pub struct Known<'a> {
    lattice: &'a Lattice,
    table: &'a [i32],
    /// By full rack: the best leave that an exchange keeps.
    exchanges: Vec<i32>,
    /// By the number of other tiles kept, and kind: what a tile of this kind is worth at least if it is kept too.
    gains: Vec<Vec<i32>>,
}

/// Deviations are added up in this part of a thousandth of a point, in whole
/// numbers: sums are the same in any order, and a million boards do not overflow.
const FRACTION: f64 = 65_536.0;

/// Sums over boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// By leave: how much better than the mean of all racks.
    sums: Vec<i64>,
    /// By leave: the boards on which it could be held.
    boards: Vec<u32>,
}

/// Room for the census of one board after the other.
pub struct Census<'a> {
    known: &'a Known<'a>,
    /// By bunch: the best score of placing it.
    sheet: Vec<i32>,
    /// By full rack: the best turn.
    best: Vec<i32>,
    /// By bunch: the sum over the ways to fill it up.
    sums: Vec<f64>,
}

impl<'a> Known<'a> {
    /// Works out what follows, for racks from `all` tiles.
    pub fn new(lattice: &'a Lattice, table: &'a [i32], all: &Counts) -> Known<'a> {
        let mut best = table.to_vec();
        best.resize(lattice.of_size(lattice.size()).end, NOTHING);
        for number in 0..table.len() {
            let value = best[number];
            for &more in lattice.row(number as u32) {
                let more = &mut best[more as usize];
                *more = value.max(*more);
            }
        }
        Known {
            lattice,
            table,
            exchanges: best.split_off(table.len()),
            gains: gains(lattice, table, all),
        }
    }

    /// Whether some placement with one tile less is at least as good whatever
    /// else is kept, because the tile is worth more on the rack.
    fn is_idle(&self, sheet: &[i32], points: i32, placed: &Counts, left: usize) -> bool {
        let Some(gains) = self.gains.get(left) else {
            return false;
        };
        let mut fewer = *placed;
        (0..self.lattice.kinds()).any(|kind| {
            if placed[kind] == 0 {
                return false;
            }
            fewer[kind] -= 1;
            let without = sheet[self.lattice.number_of(&fewer) as usize];
            fewer[kind] += 1;
            without > NOTHING && without * 1_000 + gains[kind] >= points * 1_000
        })
    }
}

/// The least difference that one more tile of each kind makes to a leave of each size.
fn gains(lattice: &Lattice, table: &[i32], all: &Counts) -> Vec<Vec<i32>> {
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

impl Tally {
    /// Of no board.
    pub fn new(lattice: &Lattice) -> Tally {
        let leaves = lattice.of_size(lattice.size()).start;
        Tally {
            sums: vec![0; leaves],
            boards: vec![0; leaves],
        }
    }

    /// Adds what others have counted.
    pub fn merge(mut self, other: &Tally) -> Tally {
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
        for (boards, more) in self.boards.iter_mut().zip(&other.boards) {
            *boards += more;
        }
        self
    }

    /// The mean of each leave; nothing for those that were never there.
    pub fn table(&self) -> Table {
        let leaves = self.sums.iter().zip(&self.boards);
        leaves
            .map(|(&sum, &boards)| {
                (sum as f64 / (f64::from(boards.max(1)) * FRACTION)).round() as i32
            })
            .collect()
    }
}

impl<'a> Census<'a> {
    /// With leave values that are known.
    pub fn new(known: &'a Known<'a>) -> Census<'a> {
        let bunches = known.lattice.of_size(known.lattice.size()).end;
        Census {
            known,
            sheet: vec![NOTHING; bunches],
            best: vec![NOTHING; known.exchanges.len()],
            sums: vec![0.0; bunches],
        }
    }

    /// Counts a board with these tiles unseen: more than a rack full.
    pub fn count(&mut self, generator: &Generator, pool: &TileCounts, tally: &mut Tally) {
        let sheet = &mut self.sheet;
        generator.pool_placements(pool, self.known.lattice, |number, points| {
            let best = &mut sheet[number as usize];
            *best = points.0.max(*best);
        });
        let pool_counts = counts(pool);
        self.find_best(&pool_counts);
        self.add_up(&pool_counts, pool.len(), tally);
    }

    /// The best turn of each rack: to exchange, or to place some tiles and keep the others.
    fn find_best(&mut self, pool: &Counts) {
        let lattice = self.known.lattice;
        self.best.copy_from_slice(&self.known.exchanges);
        let mut fill = Fill {
            lattice,
            table: self.known.table,
            first: lattice.of_size(lattice.size()).start,
            best: &mut self.best,
            points: 0,
            room: *pool,
        };
        // From the largest down: those with fewer tiles must still be on the sheet.
        for size in (1..=lattice.size()).rev() {
            let left = lattice.size() - size;
            lattice.visit(pool, size, &mut |number, placed, _| {
                let points = std::mem::replace(&mut self.sheet[number as usize], NOTHING);
                if points > NOTHING && !self.known.is_idle(&self.sheet, points, placed, left) {
                    for (room, (all, placed)) in fill.room.iter_mut().zip(pool.iter().zip(placed)) {
                        *room = all - placed;
                    }
                    fill.points = points * 1_000;
                    fill.with(number, 0, left, 0);
                }
            });
        }
    }

    /// The mean of every leave, from full racks down. A bunch of s tiles is
    /// reached from racks of r tiles in (r - s)! orders, once for each way to
    /// choose its tiles among equal ones in the rack; so the sum over racks,
    /// each as often as it can be drawn with the leave already held, is the sum
    /// of what one more tile gives, divided by r - s step by step.
    fn add_up(&mut self, pool: &Counts, unseen: usize, tally: &mut Tally) {
        let lattice = self.known.lattice;
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
                tally.sums[number] += (deviation * FRACTION).round() as i64;
                tally.boards[number] += 1;
            });
        }
    }
}

/// Tries a placement with all that could be kept.
struct Fill<'a> {
    lattice: &'a Lattice,
    table: &'a [i32],
    /// The number of the first full rack.
    first: usize,
    best: &'a mut [i32],
    /// What the placement scores, in thousandths.
    points: i32,
    /// What the pool still has of each kind.
    room: Counts,
}

impl Fill<'_> {
    /// Adds `left` tiles not lower than `from` to a rack and to what it keeps.
    fn with(&mut self, rack: u32, kept: u32, left: usize, from: usize) {
        match left {
            0 => self.offer(rack, kept),
            1 => self.with_last(rack, kept, from),
            _ => {
                let (racks, keeps) = (self.lattice.row(rack), self.lattice.row(kept));
                for kind in from..racks.len() {
                    if self.room[kind] > 0 {
                        self.room[kind] -= 1;
                        self.with(racks[kind], keeps[kind], left - 1, kind);
                        self.room[kind] += 1;
                    }
                }
            }
        }
    }

    /// This is where the time goes, so without calls.
    #[inline]
    fn with_last(&mut self, rack: u32, kept: u32, from: usize) {
        let (racks, keeps) = (self.lattice.row(rack), self.lattice.row(kept));
        for kind in from..racks.len() {
            if self.room[kind] > 0 {
                self.offer(racks[kind], keeps[kind]);
            }
        }
    }

    #[inline]
    fn offer(&mut self, rack: u32, kept: u32) {
        let best = &mut self.best[rack as usize - self.first];
        *best = (self.points + self.table[kept as usize]).max(*best);
    }
}

/// The ways to choose `k` of `n`.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |ways, at| ways * (n - at) as f64 / (at + 1) as f64)
}
