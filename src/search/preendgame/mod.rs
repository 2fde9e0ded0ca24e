//! Pre-endgames: few tiles in the bag, so that all ways to draw can be looked at.
//!
//! A turn that empties the bag leads, for each draw, to an ending of which
//! everything is known: it is proved won, drawn or lost. Each candidate has
//! bounds on its share of wins, and the work goes where it can still change
//! the answer: to the leader, and to those that could be better than it.
//! What is not proved yet is guessed by playing it out.

pub mod judge;
pub mod plain;
pub mod worlds;

use super::Budget;
use super::endgame::solver::{Goal, Solver};
use super::endgame::table::Table;
use super::endgame::{self};
use super::ranking::Candidate;
use crate::lexicon::Graph;
use crate::rules::Position;
use crate::seed::Seed;
use crate::tiles::Bunch;
use judge::{Info, Judge, Move, Share, chance};
use rand::seq::SliceRandom;
use std::sync::{Mutex, PoisonError};
use worlds::World;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Request {
    /// The most positions searched.
    pub nodes: Option<u64>,
    /// How many threads to use.
    pub threads: usize,
    /// How many bytes the table takes.
    pub memory: usize,
    /// Where chance comes from, if there are too many ways to draw to look at all.
    pub seed: Seed,
}

/// A candidate and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The turn.
    pub candidate: Candidate,
    /// What it leads to for each draw.
    pub draws: Vec<Draw>,
    /// The share of wins: drawn games count half.
    pub win: Share,
    /// What is certain of it.
    pub least: Share,
    /// What it can be at most.
    pub most: Share,
    /// What is gained on the other by the end, by guesses.
    pub gain: f64,
    /// Whether the share of wins is proved, for all ways to draw.
    pub exact: bool,
}

/// One draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// What is drawn after the turn, and what stays in the bag.
    pub world: World,
    /// The share of wins.
    pub win: Share,
    /// Whether it is proved.
    pub exact: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The candidates that were looked at, the best first.
    pub lines: Vec<Line>,
    /// How many candidates there are.
    pub candidates: usize,
    /// Positions searched.
    pub nodes: u64,
    /// Positions decided by a look at how a player goes out.
    pub looks: u64,
    /// How many of a thousand slots of the table are in use.
    pub per_mille_full: usize,
    /// Draws that are proved.
    pub proved: u64,
    /// Whether no other candidate can have a larger share of wins than the best.
    pub solved: bool,
}

/// The most tiles in the bag.
pub const MAX_BAG: usize = 7;
/// With more ways to draw, so many are taken by chance.
const MAX_WORLDS: usize = 400;
/// How many candidates are looked at first; then twice as many, and so on.
const FIRST: usize = 48;
/// The nodes for a first try to prove a draw; each further try has more.
const TRY: u64 = 400;
const MORE: u64 = 6;
/// So many draws of a candidate are guessed at once.
const GUESSES: usize = 24;
/// A guess takes as long as so many nodes.
const GUESS: usize = 8;

/// Whether it can be solved: two players, no targets, few tiles in the bag, of the other player nothing but the number of tiles is known.
pub fn is_plain(position: &Position) -> bool {
    let other = position.hand(1 - position.turn().min(1));
    endgame::is_plain(position)
        && (1..=MAX_BAG).contains(&position.bag_len())
        && position.hand_on_turn().unknown == 0
        && !position.hand_on_turn().is_empty()
        && other.known.is_empty()
}

/// Values the candidates, which come in the order of what they are worth without search.
pub fn solve(
    position: &Position,
    graph: &Graph,
    candidates: &[Candidate],
    request: &Request,
    budget: &Budget,
    progress: &mut dyn FnMut(&dyn Fn() -> Found),
) -> Option<Found> {
    if !is_plain(position) || candidates.is_empty() {
        return None;
    }
    let table = Table::new(request.memory);
    let patience = || budget.go_on();
    let seat = position.turn();
    let info = Info {
        seat,
        rack: position.hand_on_turn().known,
        unseen: *position.unseen(),
        bag: position.bag_len(),
        lead: (position.score(seat) - position.score(1 - seat)).0,
        exchanged: false,
    };
    let racks = [info.rack, info.rack];
    let make = || {
        let solver = Solver::new(position, graph, &racks, Goal::Win, &table, &patience);
        Judge::new(solver, position.rules())
    };
    let desk = Mutex::new(Desk::new(candidates, request, info, &make()));
    let work = |progress: &mut dyn FnMut(&dyn Fn() -> Found)| {
        let mut judge = make();
        loop {
            let task = lock(&desk).next(budget);
            let Some(task) = task else { break };
            let before = judge.solver.work();
            let answer = task.run(&mut judge, &info);
            let after = judge.solver.work();
            let mut desk = lock(&desk);
            desk.enter(&task, answer);
            desk.nodes += after.0 - before.0;
            desk.looks += after.1 - before.1;
            progress(&|| desk.found());
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..request.threads.max(1) {
            scope.spawn(|| work(&mut |_| {}));
        }
        work(progress);
    });
    let found = lock(&desk).found();
    Some(Found {
        per_mille_full: table.per_mille_full(),
        ..found
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known, and what is to be done next.
struct Desk<'a> {
    candidates: &'a [Candidate],
    entries: Vec<Entry>,
    /// By how many tiles are drawn: how they can lie, and whether these are all ways.
    worlds: Vec<Option<(Vec<World>, bool)>>,
    /// How many candidates may be looked at.
    open: usize,
    /// How often a draw was tried at most.
    round: u32,
    lead: i32,
    limit: Option<u64>,
    nodes: u64,
    looks: u64,
}

/// What is known of a candidate.
struct Entry {
    mover: Move,
    /// How many tiles it draws.
    draws: usize,
    /// None before it is looked at: there may be thousands of candidates.
    cells: Vec<Cell>,
    /// Whether its draws are all that there are.
    is_whole: bool,
    state: Guessing,
    /// The weight of all draws.
    all: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guessing {
    Not,
    Now,
    Done,
}

#[derive(Clone, Copy)]
struct Cell {
    world: World,
    /// By how many points it seems to be won, if somebody looked.
    guess: Option<f64>,
    proved: Option<Share>,
    tries: u32,
    busy: bool,
}

/// Something to do for a thread.
enum Task {
    /// Nothing until another thread has found out something.
    Wait,
    Guess {
        at: usize,
        /// The place of the first draw to guess; the others follow.
        first: usize,
        mover: Move,
        worlds: Vec<World>,
        nodes: u64,
    },
    Prove {
        at: usize,
        cell: usize,
        mover: Move,
        world: World,
        nodes: u64,
    },
}

enum Answer {
    Nothing,
    Guesses(Vec<f64>),
    Proof(Option<Share>),
}

impl Task {
    fn run(&self, judge: &mut Judge, info: &Info) -> Answer {
        match self {
            Task::Wait => {
                std::thread::sleep(std::time::Duration::from_micros(50));
                Answer::Nothing
            }
            Task::Guess {
                mover,
                worlds,
                nodes,
                ..
            } => {
                judge.start(*nodes);
                let guess = |world: &World| {
                    let guess = judge.guess(mover, info, world);
                    judge.solver.go_on(GUESS).then_some(guess)
                };
                let guesses: Option<Vec<f64>> = worlds.iter().map(guess).collect();
                guesses.map_or(Answer::Nothing, Answer::Guesses)
            }
            Task::Prove {
                mover,
                world,
                nodes,
                ..
            } => {
                judge.start(*nodes);
                Answer::Proof(judge.prove(mover, info, world))
            }
        }
    }
}

impl<'a> Desk<'a> {
    fn new(candidates: &'a [Candidate], request: &Request, info: Info, judge: &Judge) -> Desk<'a> {
        let mut worlds: Vec<Option<(Vec<World>, bool)>> = vec![None; MAX_BAG + 1];
        let entry = |candidate: &Candidate| {
            let mover = judge.mover(candidate, info.seat);
            let draws = judge.draws(&mover, &info);
            let (worlds, is_whole) = worlds[draws]
                .get_or_insert_with(|| worlds_of(&info.unseen, info.bag, draws, request.seed));
            Entry {
                mover,
                draws,
                cells: Vec::new(),
                is_whole: *is_whole,
                state: Guessing::Not,
                all: worlds.iter().map(|world| world.weight as f64).sum(),
            }
        };
        let entries = candidates.iter().map(entry).collect();
        Desk {
            candidates,
            entries,
            worlds,
            open: FIRST.min(candidates.len()),
            round: 0,
            lead: info.lead,
            limit: request.nodes,
            nodes: 0,
            looks: 0,
        }
    }

    /// What to do next; `None` if all is known or the budget is spent.
    fn next(&mut self, budget: &Budget) -> Option<Task> {
        if !budget.go_on() || self.limit.is_some_and(|limit| self.nodes >= limit) {
            return None;
        }
        let left = self.left();
        loop {
            let guess = self.entries[..self.open]
                .iter_mut()
                .enumerate()
                .find(|(_, entry)| entry.state == Guessing::Not);
            if let Some((at, entry)) = guess {
                entry.state = Guessing::Now;
                let worlds = self.worlds[entry.draws].iter();
                let worlds = worlds.flat_map(|(worlds, _)| worlds);
                entry.cells = worlds.map(Cell::new).collect();
                return Some(entry.guess(at, left));
            }
            let is_busy = self.is_busy();
            let Some(leader) = self.leader() else {
                if is_busy {
                    return Some(Task::Wait);
                }
                // None of those looked at forms only words.
                self.open_more()?;
                continue;
            };
            if self.is_settled(leader) {
                self.open_more()?;
                continue;
            } else if let Some(task) = self.proof(leader) {
                return Some(task);
            } else if is_busy {
                // Others are at it; what they find out decides what comes next.
                return self.any_proof(leader).or(Some(Task::Wait));
            } else {
                self.round += 1;
                if self.round > 12 {
                    return None;
                }
            }
            let _ = self.open_more();
        }
    }

    /// How many nodes there are left.
    fn left(&self) -> u64 {
        let left = |limit: u64| limit.saturating_sub(self.nodes);
        self.limit.map_or(u64::MAX, left)
    }

    /// Looks at more candidates; `None` if there are none.
    fn open_more(&mut self) -> Option<()> {
        let is_more = self.open < self.entries.len();
        self.open = (2 * self.open).min(self.entries.len());
        is_more.then_some(())
    }

    /// Whether other threads are at work.
    fn is_busy(&self) -> bool {
        self.entries[..self.open]
            .iter()
            .any(|entry| entry.state == Guessing::Now || entry.cells.iter().any(|cell| cell.busy))
    }

    /// The best by what is known and guessed.
    fn leader(&self) -> Option<usize> {
        let done = (0..self.open).filter(|&at| self.entries[at].state == Guessing::Done);
        let valid = done.filter(|&at| self.candidates[at].valid);
        valid.max_by(|&a, &b| self.compare(a, b))
    }

    /// Which of two is better: by the share of wins, then by what of it is proved, then by what is gained, then by what they are worth without search.
    fn compare(&self, a: usize, b: usize) -> std::cmp::Ordering {
        // Sums of fractions that are meant to be equal are, when rounded.
        let [wins, rivals] = [a, b].map(|at| (self.entries[at].win() * 1e9).round());
        let [sure, other] = [a, b].map(|at| (self.entries[at].bounds().0 * 1e9).round());
        let [gains, lost] = [a, b].map(|at| self.entries[at].gain(self.lead));
        wins.total_cmp(&rivals)
            .then(sure.total_cmp(&other))
            .then(gains.total_cmp(&lost))
            .then(b.cmp(&a))
    }

    /// Whether no other candidate that was looked at can be better than this one.
    fn is_settled(&self, leader: usize) -> bool {
        let least = self.entries[leader].bounds().0;
        let others = (0..self.open).filter(|&at| at != leader);
        others
            .map(|at| &self.entries[at])
            .all(|entry| entry.state == Guessing::Done && entry.bounds().1 <= least + 1e-9)
    }

    /// A draw to prove: of the leader, or of the best of those that could still be better.
    fn proof(&mut self, leader: usize) -> Option<Task> {
        let least = self.entries[leader].bounds().0;
        let round = self.round;
        let can_matter = |at: &usize| {
            let entry = &self.entries[*at];
            let is_rival = *at == leader || entry.bounds().1 > least + 1e-9;
            is_rival && entry.state == Guessing::Done && entry.is_open(round)
        };
        let at = (0..self.open)
            .filter(can_matter)
            .max_by(|&a, &b| (a == leader).cmp(&(b == leader)).then(self.compare(a, b)))?;
        self.task(at, leader)
    }

    /// Any draw that is not being proved, while others work on those that matter most.
    fn any_proof(&mut self, leader: usize) -> Option<Task> {
        let round = self.round + 1;
        let open = |at: &usize| {
            self.entries[*at].state == Guessing::Done && self.entries[*at].is_open(round)
        };
        let at = (0..self.open)
            .filter(open)
            .max_by(|&a, &b| self.compare(a, b))?;
        self.task(at, leader)
    }

    fn task(&mut self, at: usize, leader: usize) -> Option<Task> {
        let round = self.round;
        let left = self.left();
        let entry = &mut self.entries[at];
        // Of a rival, what it probably loses settles most; of the leader, what is most in doubt.
        let worth = |cell: &Cell| {
            let win = cell.guess.map_or(0.0, chance);
            let doubt = match at == leader {
                true => win * (1.0 - win),
                false => 1.0 - win,
            };
            doubt * cell.world.weight as f64
        };
        let open = entry.cells.iter().enumerate().filter(|(_, cell)| {
            let is_free = cell.proved.is_none() && !cell.busy && cell.guess.is_some();
            is_free && cell.tries <= round + 1
        });
        let chosen =
            open.min_by(|(_, a), (_, b)| a.tries.cmp(&b.tries).then(worth(b).total_cmp(&worth(a))));
        let Some((cell, &Cell { world, tries, .. })) = chosen else {
            return Some(entry.guess(at, left));
        };
        entry.cells[cell].busy = true;
        // With tiles left in the bag, all answers have to be looked at.
        let first = if world.bag.is_empty() && !entry.keeps_bag() {
            TRY
        } else {
            100 * TRY
        };
        Some(Task::Prove {
            at,
            cell,
            mover: entry.mover,
            world,
            nodes: left.min(first * MORE.pow(tries.min(12))),
        })
    }

    fn enter(&mut self, task: &Task, answer: Answer) {
        match (task, answer) {
            (Task::Guess { at, first, .. }, Answer::Guesses(guesses)) => {
                let entry = &mut self.entries[*at];
                entry.state = Guessing::Done;
                for (cell, guess) in entry.cells[*first..].iter_mut().zip(guesses) {
                    (cell.guess, cell.busy) = (Some(guess), false);
                }
            }
            (
                Task::Guess {
                    at, first, worlds, ..
                },
                _,
            ) => {
                let entry = &mut self.entries[*at];
                for cell in &mut entry.cells[*first..*first + worlds.len()] {
                    cell.busy = false;
                }
                if entry.state == Guessing::Now {
                    entry.state = Guessing::Not;
                }
            }
            (Task::Prove { at, cell, .. }, Answer::Proof(proof)) => {
                let cell = &mut self.entries[*at].cells[*cell];
                cell.busy = false;
                cell.tries += 1;
                cell.proved = proof;
            }
            _ => {}
        }
    }

    fn found(&self) -> Found {
        let mut order: Vec<usize> = (0..self.open)
            .filter(|&at| self.entries[at].state == Guessing::Done)
            .collect();
        order.sort_by(|&a, &b| self.compare(b, a));
        let line = |&at: &usize| self.entries[at].line(&self.candidates[at], self.lead);
        let cells = self.entries.iter().flat_map(|entry| &entry.cells);
        let leader = self.leader();
        Found {
            lines: order.iter().map(line).collect(),
            candidates: self.candidates.len(),
            nodes: self.nodes,
            looks: self.looks,
            per_mille_full: 0,
            proved: cells.filter(|cell| cell.proved.is_some()).count() as u64,
            solved: self.open == self.entries.len()
                && leader
                    .is_some_and(|leader| self.entries[leader].is_whole && self.is_settled(leader)),
        }
    }
}

fn worlds_of(unseen: &Bunch, bag: usize, draws: usize, seed: Seed) -> (Vec<World>, bool) {
    if worlds::count(unseen, bag, draws) > MAX_WORLDS {
        return (worlds::some(unseen, bag, draws, MAX_WORLDS, seed), false);
    }
    let mut worlds = worlds::all(unseen, bag, draws);
    // In an order in which the first few are like all of them.
    worlds.shuffle(&mut seed.generator());
    (worlds, true)
}

impl Entry {
    /// Has some draws guessed that are not yet. The first few stand for all until there is more time.
    fn guess(&mut self, at: usize, nodes: u64) -> Task {
        let is_new = |cell: &Cell| cell.guess.is_none() && !cell.busy;
        let first = self.cells.iter().position(is_new);
        let first = first.unwrap_or(self.cells.len());
        let cells = self.cells[first..].iter_mut().take(GUESSES);
        let take = |cell: &mut Cell| {
            cell.busy = true;
            cell.world
        };
        Task::Guess {
            at,
            first,
            worlds: cells.map(take).collect(),
            mover: self.mover,
            nodes,
        }
    }

    /// Whether there are tiles in the bag after it.
    fn keeps_bag(&self) -> bool {
        matches!(self.mover, Move::Exchange(_))
    }

    /// The share of wins, by proofs and guesses.
    fn win(&self) -> Share {
        let win = |cell: &Cell| cell.proved.or(cell.guess.map(chance));
        self.mean(win)
    }

    /// The mean of what is known of some draws, each as often as it comes.
    fn mean(&self, of: impl Fn(&Cell) -> Option<f64>) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for cell in &self.cells {
            if let Some(value) = of(cell) {
                let weight = cell.world.weight as f64;
                (sum, all) = (sum + value * weight, all + weight);
            }
        }
        sum / f64::max(all, 1.0)
    }

    /// What the share of wins is at least and at most, for the draws that are looked at.
    fn bounds(&self) -> (Share, Share) {
        let (mut least, mut most) = (0.0, 0.0);
        for cell in &self.cells {
            let weight = cell.world.weight as f64 / self.all;
            least += cell.proved.unwrap_or(0.0) * weight;
            most += cell.proved.unwrap_or(1.0) * weight;
        }
        (least, most)
    }

    /// What is gained on the other by the end.
    fn gain(&self, lead: i32) -> f64 {
        self.mean(|cell| cell.guess) - f64::from(lead)
    }

    /// Whether there is a draw to prove that was not tried more often than others.
    fn is_open(&self, round: u32) -> bool {
        self.cells
            .iter()
            .any(|cell| cell.proved.is_none() && !cell.busy && cell.tries <= round)
    }

    fn line(&self, candidate: &Candidate, lead: i32) -> Line {
        let (least, most) = self.bounds();
        let win = self.win();
        let draw = |cell: &Cell| Draw {
            world: cell.world,
            win: cell.proved.or(cell.guess.map(chance)).unwrap_or(win),
            exact: cell.proved.is_some(),
        };
        Line {
            candidate: *candidate,
            draws: self.cells.iter().map(draw).collect(),
            win,
            least,
            most,
            gain: self.gain(lead),
            exact: self.is_whole && self.cells.iter().all(|cell| cell.proved.is_some()),
        }
    }
}

impl Cell {
    fn new(world: &World) -> Cell {
        Cell {
            world: *world,
            guess: None,
            proved: None,
            tries: 0,
            busy: false,
        }
    }
}
