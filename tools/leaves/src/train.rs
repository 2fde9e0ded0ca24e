//! Training in generations: the leave values of one generation play the games for the next.
//!
//! A generation draws one board from each of many static games, takes its [`Census`], and averages
//! the results. Where a census is too large, it samples racks on each board ([`RackSampler`]). The
//! first generation plays without leave values. Boards are distributed over threads; each is seeded
//! by its number and sums are integers, so that the number of threads does not change the result.

use crate::census::{Census, LeaveMillis, LeaveSums, PriorValues};
use crate::lattice::{Lattice, counts, multiset};
use crate::sample::{RackSampler, SampleSums};
use anyhow::{Context, Result, bail};
use cazique::autoplay::{PlayerKind, Players, SelfPlayGame};
use cazique::lexicon::LeaveValues;
use cazique::movegen::{Generator, Words};
use cazique::rules::RuleSet;
use cazique::seed::Seed;
use cazique::tiles::TileCounts;
use cazique::units::Equity;
use rand::RngExt;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What all generations have in common.
pub struct Trainer<'a> {
    /// The rules, with board and tile set.
    pub rules: &'a RuleSet,
    /// The words.
    pub words: Words<'a>,
    /// The seed of all games.
    pub seed: Seed,
    /// The threads. The result does not depend on their number.
    pub threads: &'a ThreadPool,
    /// The number of racks to sample on each board, where a census is too large.
    pub racks: usize,
}

/// The number of the random generator of sampled racks among those of a game: 0 chooses the board, 1
/// deals the game.
const RACKS_UNIT: u64 = 2;

impl Trainer<'_> {
    /// The number of racks to sample on each board; 0 for a census, which a lattice of whole racks
    /// allows.
    pub fn sampled_racks(&self, lattice: &Lattice) -> usize {
        match lattice.size() == self.rules.rack_size {
            true => 0,
            false => self.racks,
        }
    }

    /// Computes the leave values of a generation, counted from 0, from those of the one before.
    /// Calls `progress` after each board. With a lattice of whole racks it takes a census. A smaller
    /// lattice has the leaves to sample, and one tile more.
    pub fn generation(
        &self,
        lattice: &Lattice,
        before: &[i32],
        generation: usize,
        boards: usize,
        progress: impl Fn() + Sync,
    ) -> Result<LeaveMillis> {
        let all = counts(&self.rules.tiles.all());
        let leaves = match before.iter().all(|&value| value == 0) {
            true => None,
            false => Some(to_leaves(lattice, self.rules, before)?),
        };
        let leaves = leaves.as_ref();
        let seed = self.seed.for_unit(generation as u64);
        if self.sampled_racks(lattice) == 0 {
            let prior = PriorValues::new(lattice, before, &all);
            let start = || (Census::new(&prior), LeaveSums::new(lattice));
            let count = |(census, sums): &mut (Census, LeaveSums), unit| {
                let (generator, pool) = self.board(leaves, seed, unit)?;
                census.count(&generator, &pool, sums);
                progress();
                Ok(())
            };
            let parts = self.on_all_boards(boards, start, count)?;
            let sums = parts.iter().map(|(_, sums)| sums);
            return Ok(sums.fold(LeaveSums::new(lattice), LeaveSums::merge).means());
        }
        let sampler = || RackSampler::new(lattice, self.rules, leaves, self.racks);
        let start = || (sampler(), SampleSums::new(lattice));
        let count = |(sampler, sums): &mut (RackSampler, SampleSums), unit| {
            let (mut generator, pool) = self.board(leaves, seed, unit)?;
            let racks_seed = seed.for_unit(unit as u64).for_unit(RACKS_UNIT);
            sampler.count(&mut generator, &pool, racks_seed, sums);
            progress();
            Ok(())
        };
        let parts = self.on_all_boards(boards, start, count)?;
        let sums = parts.iter().map(|(_, sums)| sums);
        let sums = sums.fold(SampleSums::new(lattice), SampleSums::merge);
        Ok(sums.values(lattice, &all))
    }

    /// Passes the number of each board to `count` on one of the threads, each with what `start` makes
    /// for it. Returns what all threads have made.
    fn on_all_boards<T: Send>(
        &self,
        boards: usize,
        start: impl Fn() -> T + Sync,
        count: impl Fn(&mut T, usize) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        let next = AtomicUsize::new(0);
        let parts = self.threads.broadcast(|_| {
            let mut part = start();
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= boards {
                    return Ok(part);
                }
                count(&mut part, unit)?;
            }
        });
        parts.into_iter().collect()
    }

    /// A random board of game `unit`, and the tiles that are not on it. Every position with at
    /// least a rack of tiles in the bag is equally likely (reservoir sampling). Unit 0 always gives
    /// the empty board, so that at least one board of a generation allows every leave.
    pub fn board<'b>(
        &'b self,
        leaves: Option<&'b LeaveValues>,
        seed: Seed,
        unit: usize,
    ) -> Result<(Generator<'b>, TileCounts)> {
        let seed = seed.for_unit(unit as u64);
        let mut chance = seed.for_unit(0).generator();
        let players = Players {
            rules: self.rules,
            words: self.words,
            each: vec![PlayerKind::ByLeavesAlone(leaves); 2],
        };
        let mut table = SelfPlayGame::new(&players, 0, seed.for_unit(1));
        let mut board = None;
        let mut turns = 0;
        while table.bag_len() >= self.rules.rack_size && !table.is_over() {
            turns += 1;
            if chance.random_range(0..turns) == 0 {
                board = Some((table.generator().clone(), table.tiles_off_board()));
            }
            if unit == 0 {
                break;
            }
            table.play_turn();
        }
        let size = self.rules.rack_size;
        board.with_context(|| format!("the tile set is too small: training needs {size} tiles in the bag after the racks are full"))
    }
}

/// The leave values in the form that the engine reads: leaves of one tile to a rack less one.
pub fn to_leaves(lattice: &Lattice, rules: &RuleSet, values: &[i32]) -> Result<LeaveValues> {
    let mut pairs = Vec::new();
    for size in 1..lattice.size() {
        lattice.visit(
            &counts(&rules.tiles.all()),
            size,
            &mut |number, counts, _| {
                let value = Equity::from_millis(values[number as usize]);
                pairs.push((multiset(counts), value));
            },
        );
    }
    if pairs.is_empty() {
        bail!(
            "racks of {} tiles have no leaves; the smallest rack has 2",
            rules.rack_size
        );
    }
    Ok(LeaveValues::new(pairs)?)
}
