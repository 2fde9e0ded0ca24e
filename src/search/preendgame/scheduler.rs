//! The scheduler: which cell to work on next, by value of information per unit of work.
//!
//! It hands out one cell at a time, so that several threads can share the work, and enters
//! what they bring back. It tries these in order:
//!
//! 1. If the leader seems to win in all worlds, every other time: the cheapest proof of a
//!    sure win.
//! 2. The candidate with the highest value of information per unit of work, and the most
//!    useful of its worlds.
//! 3. Once no open candidate can beat the leader: candidates that win as often and gain more
//!    spread.
//! 4. Unless the leader always wins: more candidates, twice as many each time.
//! 5. Proofs for the leader's remaining worlds.
//! 6. Item 3 again, with more work per cell.
//!
//! It stops when nothing is left, when the budget says so, or at the work limit.

use super::Probability;
use super::candidate_table::CandidateTable;
use super::log_odds::clamp_estimate;
use super::tuning::*;
use super::value_of_information::{AttemptCosts, CandidateRole, WinEstimate};
use super::world_solver::{BagMove, Observation, PlayerView, WorldSolver};
use super::worlds::World;
use crate::search::endgame::solver::SolverWork;
use crate::search::{Budget, Goal, SolveContext, TimeAdvice};

/// Hands out cells to work on and collects the results.
pub(super) struct Scheduler<'a> {
    /// Facts and estimates.
    pub table: CandidateTable<'a>,
    costs: AttemptCosts,
    /// Whether exactly one tile is in the bag.
    is_last_tile: bool,
    /// The most work, in node equivalents.
    work_limit: Option<u64>,
    /// Whether candidates that win as often and gain more spread get work.
    refines_spread: bool,
    /// The total work at which late attempts at more spread end; set when they begin.
    late_spread_limit: Option<u64>,
    /// Alternates while the leader seems to win in all worlds: every other time no sure win
    /// is looked for.
    skips_sure_win: bool,
    /// All work so far.
    pub work: SolverWork,
}

/// One attempt at one cell.
pub(super) struct SolveTask {
    candidate: usize,
    cell: usize,
    mv: BagMove,
    world: World,
    level: u32,
    leaves_bag_tiles: bool,
    /// The nodes that are left in the whole search.
    nodes_left: u64,
}

/// What a thread does next.
pub(super) enum NextAction {
    Solve(SolveTask),
    /// Wait for the result of another thread.
    Wait,
    Stop,
}

impl SolveTask {
    /// Works on the cell as its attempt level says. `None` if nodes or time ran out.
    pub fn run(&self, solver: &mut WorldSolver, view: &PlayerView) -> Option<Observation> {
        let budget = match (self.leaves_bag_tiles, self.level) {
            (_, 0) | (true, LEAVING_FIRST_LEVEL) => FIRST_VERDICT_BUDGET,
            (_, SECOND_VERDICT_LEVEL) => SECOND_VERDICT_BUDGET,
            _ => {
                let nodes = PROOF_BASE_NODES * PROOF_NODE_GROWTH.pow(self.level);
                solver.start(self.nodes_left.min(nodes));
                let proof = solver.prove(&self.mv, view, &self.world);
                return proof.map(Observation::Proof);
            }
        };
        solver.start(self.nodes_left);
        solver.observe(&self.mv, view, &self.world, budget)
    }
}

impl<'a> Scheduler<'a> {
    /// Opens the first candidates.
    pub fn new(
        context: &SolveContext<'a>,
        view: &PlayerView,
        solver: &WorldSolver,
    ) -> Scheduler<'a> {
        let expected_cost =
            |level: u32| PROOF_BASE_NODES as f64 * COST_GROWTH_PER_LEVEL.powi(level as i32);
        let mut scheduler = Scheduler {
            table: CandidateTable::new(context, view, solver),
            costs: AttemptCosts::new(expected_cost),
            is_last_tile: view.bag_count == 1,
            work_limit: context.request.nodes,
            refines_spread: context.request.goal == Goal::Spread,
            late_spread_limit: None,
            skips_sure_win: false,
            work: SolverWork::default(),
        };
        let first = FIRST_CANDIDATES.max(context.request.priors.len());
        scheduler.table.open_to(first);
        scheduler
    }

    /// Chooses what a free thread does next.
    pub fn next(&mut self, budget: &Budget) -> NextAction {
        let is_spent = |limit: u64| self.work.equivalent_nodes() >= limit;
        if self.work_limit.is_some_and(is_spent) {
            return NextAction::Stop;
        }
        loop {
            let leader = self.table.leader();
            // All open candidates may be phonies.
            if leader.is_none() && self.open_twice_as_many() {
                continue;
            }
            if !self.goes_on(budget, leader) {
                return NextAction::Stop;
            }
            // The leader's own open worlds matter least once no rival can beat it.
            let settled = leader.filter(|&leader| self.table.is_settled(leader));
            let task = match settled {
                Some(leader) => self.task_for_spread(leader, SPREAD_MAX_LEVEL),
                None => {
                    let sure = leader.and_then(|leader| self.task_for_sure_win(leader));
                    sure.or_else(|| self.most_valuable_task(leader))
                }
            };
            if let Some(task) = task {
                return NextAction::Solve(task);
            }
            if settled.is_none() && self.table.ledger.is_in_progress() {
                return NextAction::Wait;
            }
            let always_wins = settled.is_some_and(|leader| self.table.always_wins(leader));
            if !always_wins && self.open_twice_as_many() {
                continue;
            }
            // No candidate is better. What remains is the leader's exact value, and spread.
            let task = settled.and_then(|leader| {
                let own = self.task_of(leader);
                own.or_else(|| self.late_task_for_spread(leader))
            });
            return match task {
                Some(task) => NextAction::Solve(task),
                None if !always_wins && self.table.ledger.is_in_progress() => NextAction::Wait,
                None => NextAction::Stop,
            };
        }
    }

    /// Enters the result of a task and the work it took.
    pub fn enter(&mut self, task: &SolveTask, observation: Option<Observation>, work: SolverWork) {
        let is_decisive = observation.is_some_and(Observation::is_decisive);
        self.costs.add(
            task.leaves_bag_tiles,
            task.level,
            work.equivalent_nodes(),
            is_decisive,
        );
        self.work += work;
        self.table.enter(task.candidate, task.cell, observation);
    }

    fn open_twice_as_many(&mut self) -> bool {
        self.table.open_to(2 * self.table.ledger.open)
    }

    /// Whether the budget allows another task.
    fn goes_on(&self, budget: &Budget, leader: Option<usize>) -> bool {
        match budget.advice() {
            TimeAdvice::Continue => true,
            TimeAdvice::ContinueUnlessSettled => {
                leader.is_none_or(|leader| !self.table.is_settled(leader))
            }
            TimeAdvice::ContinueIfClose => leader.is_some_and(|leader| self.table.is_close(leader)),
            TimeAdvice::Stop => false,
        }
    }

    /// A task for the candidate with the highest value of information per unit of work.
    fn most_valuable_task(&mut self, leader: Option<usize>) -> Option<SolveTask> {
        let table = &self.table;
        let open = table.ledger.open;
        let (lower, mean) = leader.map_or((0.0, 0.0), |leader| {
            let estimate = table.estimate(leader);
            (estimate.lower, estimate.mean)
        });
        let can_lead = |rival: &usize| table.estimate(*rival).upper > lower + PROBABILITY_TOLERANCE;
        let rivals = (0..open)
            .filter(|&rival| Some(rival) != leader)
            .filter(can_lead);
        let mut second: Probability = 0.0;
        let mut values: Vec<(f64, usize)> = Vec::with_capacity(open);
        for rival in rivals {
            second = second.max(table.estimate(rival).mean);
            values.push((self.value(rival, mean, CandidateRole::Challenger), rival));
        }
        if let Some(leader) = leader {
            values.push((self.value(leader, second, CandidateRole::Leader), leader));
        }
        values.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let cheapest = self.costs.cheapest();
        let mut best: Option<(f64, usize, usize)> = None;
        for (value, candidate) in values {
            // Even at the lowest cost no later candidate is worth more.
            if best.is_some_and(|(most, ..)| value / cheapest <= most) {
                break;
            }
            let Some((cell, level)) = self.best_cell(candidate, mean) else {
                continue;
            };
            let leaves_bag_tiles = table.ledger.records[candidate].leaves_bag_tiles;
            let value_per_work = value / self.costs.expected(leaves_bag_tiles, level);
            if best.is_none_or(|(most, ..)| value_per_work > most) {
                best = Some((value_per_work, candidate, cell));
            }
        }
        let (value_per_work, candidate, cell) = best?;
        let more = open + open / 2;
        if self.value_of_opening(mean) > value_per_work && self.table.open_to(more) {
            return self.most_valuable_task(leader);
        }
        Some(self.assign(candidate, cell))
    }

    /// Every other time, if the leader seems to win in all worlds: a task for the sure win
    /// whose proof costs least, because one such proof settles the choice. The proof must
    /// cost no more than all work so far; otherwise it would take the time that is needed
    /// to compare the candidates.
    fn task_for_sure_win(&mut self, leader: usize) -> Option<SolveTask> {
        if !self.table.seems_sure(leader) {
            return None;
        }
        self.skips_sure_win = !self.skips_sure_win;
        if self.skips_sure_win {
            return None;
        }
        let table = &self.table;
        let can_be_sure = |candidate: &usize| {
            let upper = table.estimate(*candidate).upper;
            table.seems_sure(*candidate) && upper > 1.0 - PROBABILITY_TOLERANCE
        };
        let cost = |candidate: usize| {
            let record = &table.ledger.records[candidate];
            let unproved = record.cells.iter().filter(|cell| cell.proof.is_none());
            let costs = unproved.map(|cell| match cell.level < ATTEMPT_LEVELS {
                true => self.costs.expected(record.leaves_bag_tiles, cell.level),
                // All attempts failed, so it will never be proved.
                false => f64::INFINITY,
            });
            costs.sum::<f64>()
        };
        let valid = table.ledger.valid().filter(can_be_sure);
        let costs = valid.map(|candidate| (cost(candidate), candidate));
        let (cost, candidate) = costs.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        (cost <= self.work.equivalent_nodes() as f64).then(|| self.task_of(candidate))?
    }

    /// The value of one more result of a candidate, compared with a rival's win
    /// probability.
    fn value(&self, candidate: usize, rival: Probability, role: CandidateRole) -> f64 {
        let fit = &self.table.model.fits[candidate];
        match self.is_last_tile {
            true => fit.estimate.value_in_log_odds(rival, role),
            false => fit.estimate.value_in_probability(fit.error, rival, role),
        }
    }

    /// The value per work of opening another candidate. With one tile in the bag a few
    /// first verdicts show whether a candidate is good. With more tiles they cost more than
    /// they bring, so the value is 0.
    fn value_of_opening(&self, leader: Probability) -> f64 {
        let ledger = &self.table.ledger;
        let next = ledger.open;
        let Some(record) = ledger.records.get(next).filter(|_| self.is_last_tile) else {
            return 0.0;
        };
        let win = clamp_estimate(record.prior.win);
        let estimate = WinEstimate {
            mean: win,
            variance: win * (1.0 - win) / ledger.worlds(next).list.len() as f64,
            shared_log_odds_sd: self.table.model.fits[next].exploration_sd,
            ..WinEstimate::UNKNOWN
        };
        estimate.value_in_log_odds(leader, CandidateRole::Challenger)
            / self.costs.expected(false, 0)
    }

    /// If no candidate wins more often than the leader: a task for one that empties the bag,
    /// may win as often and gains more spread by its prior, with the best gain per expected
    /// cost. Cells beyond `max_level` are left alone. There is none if only winning counts.
    fn task_for_spread(&mut self, leader: usize, max_level: u32) -> Option<SolveTask> {
        if !self.refines_spread {
            return None;
        }
        let (table, records) = (&self.table, &self.table.ledger.records);
        let best = table.estimate(leader);
        let best_gain = records[leader].prior.gain;
        let may_be_better = |rival: &usize| {
            let (record, fit) = (&records[*rival], &table.model.fits[*rival]);
            !record.leaves_bag_tiles
                && record.prior.gain > best_gain
                && fit.estimate.upper >= best.lower - PROBABILITY_TOLERANCE
                && fit.estimate.mean + fit.error >= best.mean
        };
        let gain_per_cost = |rival: usize| {
            let record = &records[rival];
            let unproved = record.cells.iter().filter(|cell| cell.proof.is_none());
            let costs = unproved.map(|cell| COST_GROWTH_PER_LEVEL.powi(cell.level as i32));
            let cost: f64 = costs.sum();
            (record.prior.gain - best_gain) / cost.max(1.0)
        };
        let mut rivals: Vec<(f64, usize)> = table
            .rivals(leader)
            .filter(may_be_better)
            .map(|rival| (gain_per_cost(rival), rival))
            .collect();
        rivals.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let affordable = |(_, rival): (f64, usize)| {
            let (cell, level) = self.best_cell(rival, best.mean)?;
            (level <= max_level).then_some((rival, cell))
        };
        let (rival, cell) = rivals.into_iter().find_map(affordable)?;
        Some(self.assign(rival, cell))
    }

    /// The last tasks of a search: harder attempts at more spread. They may take as much
    /// work as everything before them.
    fn late_task_for_spread(&mut self, leader: usize) -> Option<SolveTask> {
        let work = self.work.equivalent_nodes();
        let limit = *self.late_spread_limit.get_or_insert(2 * work);
        match work < limit {
            true => self.task_for_spread(leader, LATE_SPREAD_MAX_LEVEL),
            false => None,
        }
    }

    /// A task for a candidate.
    fn task_of(&mut self, candidate: usize) -> Option<SolveTask> {
        let (cell, _) = self.best_cell(candidate, self.table.estimate(candidate).mean)?;
        Some(self.assign(candidate, cell))
    }

    /// Marks a cell as in progress and makes the task for it.
    fn assign(&mut self, candidate: usize, cell: usize) -> SolveTask {
        let ledger = &mut self.table.ledger;
        let (world, _) = ledger.worlds(candidate).list[cell];
        let limit = self.work_limit.unwrap_or(u64::MAX);
        let record = &mut ledger.records[candidate];
        record.cells[cell].in_progress = true;
        SolveTask {
            candidate,
            cell,
            mv: record.mv,
            world,
            level: record.cells[cell].level,
            leaves_bag_tiles: record.leaves_bag_tiles,
            nodes_left: limit.saturating_sub(self.work.equivalent_nodes()),
        }
    }

    /// The cell of a candidate to work on next, and its attempt level. It has the highest
    /// product of weight and doubt per cost. Where the candidate can hardly lead, a likely
    /// loss counts instead of a doubt: a loss lowers its upper bound and so excludes it.
    fn best_cell(&self, candidate: usize, leader: Probability) -> Option<(usize, u32)> {
        let table = &self.table;
        let leaves_bag_tiles = table.ledger.records[candidate].leaves_bag_tiles;
        let fit = &table.model.fits[candidate];
        let may_lead = fit.estimate.mean + fit.error >= leader;
        let mut best: Option<(f64, usize, u32)> = None;
        for (index, (cell, world, bag)) in table.ledger.cells(candidate).enumerate() {
            if !cell.is_available() {
                continue;
            }
            let win = table.model.cell_probability(candidate, cell, bag);
            let winning = if may_lead {
                win + CELL_CHOICE_FLOOR
            } else {
                1.0
            };
            let cost = self.costs.expected(leaves_bag_tiles, cell.level);
            let losing = 1.0 + CELL_CHOICE_FLOOR - win;
            let value = losing * winning * world.weight as f64 / cost;
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, index, cell.level));
            }
        }
        best.map(|(_, cell, level)| (cell, level))
    }
}
