//! Generations of leave values, each from boards of games that were played
//! with the one before.

use crate::census::{Census, Known, Table as Values, Tally};
use crate::lattice::{Lattice, bunch, counts};
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

/// What is trained, for which game.
pub struct Trainer<'a> {
    /// The rules, which have the board and the tiles.
    pub rules: &'a RuleSet,
    /// The words.
    pub words: Words<'a>,
    /// Where all chance comes from.
    pub seed: Seed,
    /// Who does the work. The result does not depend on their number.
    pub threads: &'a ThreadPool,
}

impl Trainer<'_> {
    /// The values of generation `generation`, counted from 0, from those of
    /// the one before. `progress` is told of each board.
    pub fn generation(
        &self,
        lattice: &Lattice,
        before: &[i32],
        generation: usize,
        boards: usize,
        progress: impl Fn() + Sync,
    ) -> Result<Values> {
        let known = Known::new(lattice, before, &counts(&self.rules.tiles.all()));
        let leaves = match before.iter().all(|&value| value == 0) {
            true => None,
            false => Some(to_leaves(lattice, self.rules, before)?),
        };
        let seed = self.seed.for_unit(generation as u64);
        let next = AtomicUsize::new(0);
        let tallies = self.threads.broadcast(|_| -> Result<Tally> {
            let mut census = Census::new(&known);
            let mut tally = Tally::new(lattice);
            loop {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= boards {
                    return Ok(tally);
                }
                let (generator, pool) = self.board(leaves.as_ref(), seed, unit)?;
                census.count(&generator, &pool, &mut tally);
                progress();
            }
        });
        let mut all = Tally::new(lattice);
        for tally in tallies {
            all = all.merge(&tally?);
        }
        Ok(all.table())
    }

    /// A board from a game, with all that does not lie on it: any turn of the
    /// game before which the bag could fill a whole rack. The first board of a
    /// generation is the empty one, so that every leave can be held on some board.
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
            each: [PlayerKind::ByLeavesAlone(leaves); 2],
        };
        let mut table = SelfPlayGame::new(&players, [0, 1], seed.for_unit(1));
        let mut board = None;
        let mut turns = 0;
        while table.bag_len() >= self.rules.rack_size && !table.is_over() {
            turns += 1;
            // Each of the turns so far stands the same chance.
            if chance.random_range(0..turns) == 0 {
                board = Some((table.generator().clone(), table.tiles_off_board()));
            }
            if unit == 0 {
                break;
            }
            table.play_turn();
        }
        let size = self.rules.rack_size;
        board.with_context(|| format!("leaves need a bag of {size} tiles after the racks are full"))
    }
}

/// Values for every leave that the tile set has, from one tile to a rack less one.
pub fn to_leaves(lattice: &Lattice, rules: &RuleSet, values: &[i32]) -> Result<LeaveValues> {
    let mut pairs = Vec::new();
    for size in 1..lattice.size() {
        lattice.visit(
            &counts(&rules.tiles.all()),
            size,
            &mut |number, counts, _| {
                let value = Equity::from_millis(values[number as usize]);
                pairs.push((bunch(counts), value));
            },
        );
    }
    if pairs.is_empty() {
        bail!("racks of {} tiles leave nothing to value", rules.rack_size);
    }
    Ok(LeaveValues::new(pairs)?)
}
