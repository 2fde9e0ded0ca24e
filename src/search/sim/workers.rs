//! The threads of a simulation: they run the rollouts of one round after the other.
//!
//! A round is cut into work items, which threads take from a shared counter. Every rollout depends
//! only on its iteration and its candidate, and samples are sorted afterwards, so that neither the
//! number of threads nor their timing changes a result.

use super::rollout::{RolloutRunner, SimContext};
use super::statistics::RolloutSample;
use super::tuning::MIN_CANDIDATES_PER_WORK_ITEM;
use crate::search::Budget;
use crate::search::endgame::transposition::TranspositionTable;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The iterations of a round, and the candidates that each of them plays.
pub(super) struct SimRound {
    pub iterations: Range<u64>,
    /// The indices of the live candidates.
    pub live: Vec<usize>,
    /// Whether rollouts ask for verdicts on close endgames.
    pub verdicts: bool,
}

/// A part of a round for one worker: some of its live candidates in one world.
struct WorkItem {
    iteration: u64,
    /// Indices into [`SimRound::live`].
    live: Range<usize>,
}

impl SimRound {
    /// Cuts the round into work items. Most are whole iterations. The last iterations are cut
    /// finer, so that no worker waits long for the others.
    fn work_items(&self, workers: usize) -> Vec<WorkItem> {
        let (live, count) = (self.live.len(), self.iterations.end - self.iterations.start);
        let first_cut = self.iterations.end - count.min(2 * (workers as u64 - 1));
        let max_parts = (live / MIN_CANDIDATES_PER_WORK_ITEM).clamp(1, 4 * workers);
        let items = |iteration: u64| {
            let parts = if iteration < first_cut { 1 } else { max_parts };
            (0..parts).map(move |part| WorkItem {
                iteration,
                live: live * part / parts..live * (part + 1) / parts,
            })
        };
        self.iterations.clone().flat_map(items).collect()
    }
}

/// One rollout's sample: its iteration, the candidate's index in [`SimRound::live`], the sample.
pub(super) type RoundSample = (u64, usize, RolloutSample);

/// What a thread works with. The thread itself creates its runner when it first needs it.
struct SimWorker<'a> {
    table: Option<&'a TranspositionTable>,
    runner: Option<RolloutRunner<'a>>,
}

/// All workers of a simulation.
pub(super) struct WorkerPool<'a> {
    context: &'a SimContext<'a>,
    workers: Vec<SimWorker<'a>>,
    /// `None` if the calling thread does all work.
    threads: Option<rayon::ThreadPool>,
}

impl<'a> WorkerPool<'a> {
    /// `tables` has a transposition table for each worker, or none if rollouts ask for no verdicts.
    pub fn new(
        context: &'a SimContext<'a>,
        threads: usize,
        tables: &'a [TranspositionTable],
    ) -> WorkerPool<'a> {
        let pool = (threads > 1).then(|| {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // If threads cannot be started, one does all the work: slower, with the same result.
            builder.build().ok()
        });
        let pool = pool.flatten();
        let workers = if pool.is_some() { threads } else { 1 };
        let worker = |at: usize| SimWorker {
            table: tables.get(at),
            runner: None,
        };
        WorkerPool {
            context,
            workers: (0..workers).map(worker).collect(),
            threads: pool,
        }
    }

    /// Runs a round, or as much of it as the budget allows. Samples are in the order of iterations
    /// and candidates.
    pub fn run(&mut self, round: &SimRound, budget: &Budget) -> Vec<RoundSample> {
        let items = round.work_items(self.workers.len());
        let next = AtomicUsize::new(0);
        let context = self.context;
        let work = |SimWorker { table, runner }: &mut SimWorker<'a>| {
            let mut samples = Vec::new();
            let runner = runner.get_or_insert_with(|| RolloutRunner::new(context, *table));
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                runner.deal(item.iteration, item.live.len());
                for at in item.live.clone() {
                    let sample = runner.run(item.iteration, round.live[at], round.verdicts);
                    // The end of the budget may have cut the rollout short.
                    if !budget.may_continue() {
                        return samples;
                    }
                    samples.push((item.iteration, at, sample));
                }
            }
            samples
        };
        let mut samples: Vec<RoundSample> = match &self.threads {
            None => self.workers.iter_mut().flat_map(work).collect(),
            Some(threads) => {
                let workers = &mut self.workers;
                threads.install(|| workers.par_iter_mut().flat_map_iter(work).collect())
            }
        };
        samples.sort_unstable_by_key(|(iteration, at, _)| (*iteration, *at));
        samples
    }
}
