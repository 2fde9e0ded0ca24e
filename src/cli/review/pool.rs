//! The turns of all games as one pool of tasks. Threads take the turns of the games that are ready;
//! a thread that finds none makes the next game ready. So there are never more games in memory than
//! threads, and a game is written as soon as its last turn is done.

use super::game::{GameOutputs, ReadyGame, ReviewedGame};
use super::plan::ReviewPlan;
use super::{Arguments, Failure, Interrupt, Progress, warn};
use crate::engine::{Engine, Store};
use crate::review::{IndexBuilder, ReviewCache, ReviewRequest, TimeBank, TurnFindings};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// The shared state of all threads.
pub(super) struct GamePool<'a> {
    plan: &'a ReviewPlan,
    arguments: &'a Arguments,
    request: ReviewRequest,
    cache: Option<&'a ReviewCache>,
    /// Whether a failure to write into the cache was reported.
    is_cache_broken: AtomicBool,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
    /// The time of the turns, if they are limited by time.
    bank: Option<TimeBank>,
    queue: Mutex<TurnQueue>,
    /// A game has become ready, or will not.
    changed: Condvar,
}

#[derive(Default)]
struct TurnQueue {
    /// The next job to make ready.
    next_job: usize,
    /// The number of games that threads are making ready.
    preparing: usize,
    /// The games with turns that no thread has taken.
    open: VecDeque<Arc<OpenGame>>,
    done: Vec<ReviewedGame>,
}

/// A game whose turns are being reviewed.
struct OpenGame {
    job: usize,
    ready: ReadyGame,
    findings: Mutex<GameFindings>,
}

struct GameFindings {
    /// The next turn that no thread has taken.
    next: usize,
    /// By turn.
    found: Vec<Option<TurnFindings>>,
    /// The number of turns that are not done.
    left: usize,
    /// Why a turn could not be reviewed.
    failure: Option<String>,
}

/// What a thread does next.
enum PoolTask {
    Prepare(usize),
    Review(Arc<OpenGame>, usize),
}

impl OpenGame {
    fn lock(&self) -> MutexGuard<'_, GameFindings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> GamePool<'a> {
    /// A pool for the jobs of a plan.
    pub fn new(
        plan: &'a ReviewPlan,
        arguments: &'a Arguments,
        cache: Option<&'a ReviewCache>,
        interrupt: &'a Interrupt,
        progress: &'a Progress,
    ) -> GamePool<'a> {
        let request = arguments.request();
        let time = request.time.filter(|_| request.iterations.is_none());
        GamePool {
            plan,
            arguments,
            cache,
            is_cache_broken: AtomicBool::new(false),
            interrupt,
            progress,
            bank: time.map(TimeBank::new),
            request,
            queue: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Reviews all games, or those that are done when Ctrl-C is pressed, in the order of the jobs.
    pub fn run(self, store: &Store) -> Result<Vec<ReviewedGame>, Failure> {
        let threads = self.arguments.threads();
        let engines = (0..threads).map(|_| self.arguments.engine(store));
        let engines = engines.collect::<Result<Vec<Engine>, String>>()?;
        thread::scope(|scope| {
            for engine in engines {
                let pool = &self;
                scope.spawn(move || pool.work(engine));
            }
        });
        let queue = self.queue.into_inner();
        let mut done = queue.unwrap_or_else(PoisonError::into_inner).done;
        done.sort_by_key(|game| game.job);
        Ok(done)
    }

    fn lock(&self) -> MutexGuard<'_, TurnQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, mut engine: Engine) {
        while let Some(task) = self.next_task() {
            match task {
                PoolTask::Prepare(job) => self.prepare(job, &mut engine),
                PoolTask::Review(game, turn) => self.review(&game, turn),
            }
        }
    }

    /// The next task; `None` if there is none and none will come.
    fn next_task(&self) -> Option<PoolTask> {
        let mut queue = self.lock();
        loop {
            if self.interrupt.is_pressed() {
                self.changed.notify_all();
                return None;
            }
            if let Some(game) = queue.open.front().cloned() {
                let mut findings = game.lock();
                let turn = findings.next;
                findings.next += 1;
                if findings.next >= findings.found.len() {
                    queue.open.pop_front();
                }
                drop(findings);
                return Some(PoolTask::Review(game, turn));
            }
            if queue.next_job < self.plan.jobs.len() {
                let job = queue.next_job;
                queue.next_job += 1;
                queue.preparing += 1;
                return Some(PoolTask::Prepare(job));
            }
            if queue.preparing == 0 {
                return None;
            }
            let waited = self.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes a game ready. One without turns is done at once.
    fn prepare(&self, job: usize, engine: &mut Engine) {
        let (plan, arguments) = (self.plan, self.arguments);
        let expected = plan.jobs[job].turns;
        let ready = guarded(|| ReadyGame::new(plan, &plan.jobs[job], arguments, engine));
        let opened = ready.and_then(|ready| ready).map(|ready| {
            let turns = ready.prepared.turns();
            self.progress
                .expect_less(expected.saturating_sub(turns) as u64);
            Arc::new(OpenGame {
                job,
                ready,
                findings: Mutex::new(GameFindings {
                    next: 0,
                    found: vec![None; turns],
                    left: turns,
                    failure: None,
                }),
            })
        });
        let without_turns = match opened {
            Ok(game) if game.lock().left == 0 => Some(game),
            Ok(game) => {
                self.lock().open.push_back(game);
                None
            }
            Err(reason) => {
                self.progress.expect_less(expected as u64);
                self.lock().done.push(failed(job, reason));
                None
            }
        };
        if let Some(game) = without_turns {
            self.finish(&game);
        }
        self.lock().preparing -= 1;
        self.changed.notify_all();
    }

    /// Reviews a turn. The last one of a game finishes it.
    fn review(&self, game: &OpenGame, turn: usize) {
        let found = guarded(|| self.findings(game, turn));
        let mut findings = game.lock();
        match found {
            Ok(found) => findings.found[turn] = Some(found),
            Err(reason) => findings.failure = Some(format!("turn {}: {reason}", turn + 1)),
        }
        findings.left -= 1;
        let is_last = findings.left == 0;
        drop(findings);
        self.progress.step();
        if is_last {
            self.finish(game);
        }
    }

    /// The findings of a turn, from the cache or by a search.
    fn findings(&self, game: &OpenGame, turn: usize) -> TurnFindings {
        let prepared = &game.ready.prepared;
        let cache = self
            .cache
            .map(|cache| (cache, prepared.key(turn, &self.request)));
        if let Some((cache, key)) = &cache
            && let Some(found) = cache.get(key)
        {
            return found;
        }
        let start = Instant::now();
        let time = self.bank.as_ref().map(TimeBank::allot);
        let found = prepared.review_turn(turn, &self.request, time);
        if let Some(bank) = &self.bank {
            bank.book(start.elapsed());
        }
        if let Some((cache, key)) = &cache
            && let Err(error) = cache.put(key, &found)
            && !self.is_cache_broken.swap(true, Ordering::Relaxed)
        {
            warn(format!("warning: the results are not kept: {error}"));
        }
        found
    }

    /// Puts the turns of a game together and writes its outputs.
    fn finish(&self, game: &OpenGame) {
        let mut findings = game.lock();
        let found = std::mem::take(&mut findings.found);
        let failure = findings.failure.take();
        drop(findings);
        let found: Option<Vec<TurnFindings>> = found.into_iter().collect();
        let done = match (found, failure) {
            (Some(found), None) => guarded(|| self.reviewed(game, found))
                .unwrap_or_else(|reason| failed(game.job, reason)),
            (_, failure) => failed(game.job, failure.unwrap_or_default()),
        };
        self.lock().done.push(done);
    }

    fn reviewed(&self, game: &OpenGame, found: Vec<TurnFindings>) -> ReviewedGame {
        let (plan, ready) = (self.plan, &game.ready);
        let job = &plan.jobs[game.job];
        let document = ready.prepared.assemble(found, &self.request);
        let written = GameOutputs::write(plan, job, &ready.record, &document);
        let mut index = IndexBuilder::new(self.arguments.player.as_deref().unwrap_or(""));
        index.add(plan.name(game.job), &plan.link(job), &document);
        ReviewedGame {
            job: game.job,
            problems: ready.problems.iter().cloned().chain(written).collect(),
            index,
            document: (!plan.is_many).then_some(document),
        }
    }
}

fn failed(job: usize, reason: String) -> ReviewedGame {
    ReviewedGame {
        job,
        problems: vec![reason],
        index: IndexBuilder::default(),
        document: None,
    }
}

/// Does some work; a panic in it must not end the review of other games.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| "the review failed because of an error in this program".to_string())
}
