//! Training in generations: the leave values of one generation play the games for the next.
//!
//! A generation draws one board from each of many static games, takes its [`Census`], and averages
//! the results. The first generation plays without leave values. Boards are distributed over
//! threads; each is seeded by its number and sums are integers, so that the number of threads does
//! not change the result.

use crate::census::{Census, LeaveMillis, LeaveSums, PriorValues};
use crate::lattice::{Lattice, counts, multiset};
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
}

impl Trainer<'_> {
    /// Computes the leave values of a generation, counted from 0, from those of the one before.
    /// Calls `progress` after each board.
    pub fn generation(
        &self,
        lattice: &Lattice,
        before: &[i32],
        generation: usize,
        boards: usize,
        progress: impl Fn() + Sync,
    ) -> Result<LeaveMillis> {
        let prior = PriorValues::new(lattice, before, &counts(&self.rules.tiles.all()));
        let leaves = match before.iter().all(|&value| value == 0) {
            true => None,
            false => Some(to_leaves(lattice, self.rules, before)?),
        };
        let seed = self.seed.for_unit(generation as u64);
        let next = AtomicUsize::new(0);
        let parts = self.threads.broadcast(|_| -> Result<LeaveSums> {
            let mut census = Census::new(&prior);
            let mut sums = LeaveSums::new(lattice);
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= boards {
                    return Ok(sums);
                }
                let (generator, pool) = self.board(leaves.as_ref(), seed, unit)?;
                census.count(&generator, &pool, &mut sums);
                progress();
            }
        });
        let mut all = LeaveSums::new(lattice);
        for part in parts {
            all = all.merge(&part?);
        }
        Ok(all.means())
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
