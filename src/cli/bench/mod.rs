//! `cazique bench`: the speed of move generation and static play, and a signature of all results.
//!
//! The positions are those of static games from a fixed seed, so that no file is needed. The
//! signature is a hash of what is found in them. It is the same on every machine, and changes only
//! if the engine plays differently.

mod endgame;
mod sim;

use super::{Failure, say_figures};
use crate::autoplay::{PlayerKind, Players, SelfPlayGame, play, positions};
use crate::board::Grid;
use crate::engine::{Engine, MAX_THREADS, Mode, SearchData};
use crate::eval::{BuiltInTables, EvaluatedTurn};
use crate::fnv::Fnv;
use crate::lexicon::{Lexicon, WordMap};
use crate::movegen::Words;
use crate::notation::cgp::Cgp;
use crate::notation::moves;
use crate::rules::{Embedded, Library, PRESETS, Position, RuleSet, Turn};
use crate::search::ranking::{self, Candidate, RankingRequest, RankingScope};
use crate::search::{Budget, StopToken};
use crate::seed::Seed;
use clap::{Args, Subcommand, value_parser};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures speed, and prints a signature that changes if the engine plays differently.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<BenchPart>,
    /// Also time whole games with this number of threads; 0 for one per core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// A part of the engine that has a bench of its own.
#[derive(Subcommand)]
enum BenchPart {
    Sim(sim::Arguments),
    Endgame(endgame::Arguments),
}

/// The seed of all games. Arbitrary; the signature depends on it.
const SEED: Seed = Seed(15);
/// The number of games whose positions are searched. Chosen by hand.
const POSITION_GAMES: u64 = 20;
/// The number of games that are timed. Chosen by hand.
const TIMED_GAMES: u64 = 400;
/// The number of measurements, of which the fastest counts, because other work on the machine can
/// only slow one down. Chosen by hand.
const TIMING_ROUNDS: usize = 5;

/// Runs the benchmark, and prints its figures.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.part {
        Some(BenchPart::Sim(arguments)) => sim::run(arguments),
        Some(BenchPart::Endgame(arguments)) => endgame::run(arguments),
        None => run_static(arguments),
    }
}

fn run_static(arguments: &Arguments) -> Result<(), Failure> {
    let rules = Embedded.rules(PRESETS[0])?;
    let (lexicon, _) = Lexicon::embedded(&rules.tiles)?;
    let map = WordMap::new(lexicon.graph(), rules.board.side().into());
    let leaves = BuiltInTables::of(&rules).map(BuiltInTables::leaves);
    let leaves = leaves.transpose()?;
    let players = |map| Players {
        rules: &rules,
        words: Words::new(lexicon.graph(), map),
        each: vec![PlayerKind::Static(leaves.as_ref()); 2],
    };
    let fast = players(map.as_ref());
    let by_map = positions(&fast, POSITION_GAMES, SEED);
    let by_graph = positions(&players(None), POSITION_GAMES, SEED);
    let (plays, all_time) = fastest(|| all(&by_map));
    let (turns, map_time) = fastest(|| best(&by_map));
    let (same_turns, graph_time) = fastest(|| best(&by_graph));
    if turns != same_turns {
        return Err("the word map and the graph found different best moves; this is a bug".into());
    }
    let figures = StaticFigures {
        signature: signature(&rules, &turns, &plays),
        positions: plays.len(),
        plays: plays.iter().map(|found| found.plays).sum(),
        all: all_time,
        best_by_map: map_time,
        best_by_graph: graph_time,
        one: games(&fast, 1)?,
        some: match arguments.threads {
            1 => None,
            threads => Some(games(&fast, threads.into())?),
        },
    };
    say_figures(arguments.json, figures.json(), figures)
}

/// An engine whose data are loaded for a mode, the word map included.
fn prepared(mode: Mode) -> Result<(Engine, SearchData), Failure> {
    let engine = Engine::new()?;
    let data = engine.prepare(mode)?;
    data.finish_word_map();
    Ok((engine, data))
}

/// A position of a benchmark with its best moves, by static evaluation.
struct RankedPosition<'a> {
    position: Position,
    data: &'a SearchData,
    candidates: Vec<Candidate>,
}

impl<'a> RankedPosition<'a> {
    /// Reads a position, and ranks the best `count` moves.
    fn new(
        cgp: &str,
        count: usize,
        scope: RankingScope,
        engine: &Engine,
        data: &'a SearchData,
    ) -> Result<RankedPosition<'a>, Failure> {
        let rules = engine.rules();
        let setup = Cgp::parse(cgp)?.setup(rules)?;
        let position = Position::new(Arc::clone(rules), setup)?;
        let request = RankingRequest {
            count,
            scope,
            ..RankingRequest::default()
        };
        let ranking = ranking::rank(&position, data.knowledge(), &request, &unlimited());
        let mut candidates = ranking.candidates;
        // A ranking has some exchanges on top.
        candidates.truncate(count);
        Ok(RankedPosition {
            position,
            data,
            candidates,
        })
    }

    /// The text of a turn.
    fn turn_text(&self, turn: &Turn) -> String {
        moves::write(turn, self.position.grid(), &self.position.rules().tiles)
    }
}

fn unlimited() -> Budget {
    Budget::new(StopToken::default(), None, None)
}

/// The plays of a position in sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlayTotals {
    plays: u64,
    points: i64,
    /// In thousandths of a point.
    equity: i64,
}

/// Finds all plays of each position, and measures the time.
fn all(positions: &[SelfPlayGame]) -> (Vec<PlayTotals>, Duration) {
    measure(positions, |table| {
        let mut found = PlayTotals::default();
        let rack_leaves = table.rack_leaves().clone();
        table.generator().for_each_play(&rack_leaves, |play| {
            found.plays += 1;
            found.points += i64::from(play.points.0);
            found.equity += i64::from(play.equity.millis());
        });
        found
    })
}

/// Finds the best move of each position, and measures the time.
fn best(positions: &[SelfPlayGame]) -> (Vec<EvaluatedTurn>, Duration) {
    measure(positions, SelfPlayGame::best_static)
}

/// Runs `search` on a copy of each position, so that no search profits from the caches of another.
/// Measures only the searches.
fn measure<'a, T>(
    positions: &[SelfPlayGame<'a>],
    search: impl Fn(&mut SelfPlayGame<'a>) -> T,
) -> (Vec<T>, Duration) {
    let mut time = Duration::ZERO;
    let timed = |position: &SelfPlayGame<'a>| {
        let mut table = position.clone();
        let start = Instant::now();
        let found = search(&mut table);
        time += start.elapsed();
        found
    };
    (positions.iter().map(timed).collect(), time)
}

/// Repeats a measurement, and takes the fastest time.
fn fastest<T>(mut round: impl FnMut() -> (Vec<T>, Duration)) -> (Vec<T>, Duration) {
    let mut fastest = round();
    for _ in 1..TIMING_ROUNDS {
        let (_, time) = round();
        fastest.1 = fastest.1.min(time);
    }
    fastest
}

/// Measures the speed of whole games with this number of threads.
fn games(players: &Players, threads: usize) -> Result<GameSpeed, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let start = Instant::now();
    let turns: usize = pool.install(|| {
        let game = |unit| play(players, 0, SEED.for_unit(unit)).turns.len();
        (0..TIMED_GAMES).into_par_iter().map(game).sum()
    });
    let seconds = start.elapsed().as_secs_f64();
    Ok(GameSpeed {
        threads: pool.current_num_threads(),
        games: TIMED_GAMES as f64 / seconds,
        turns: turns as f64 / seconds,
    })
}

/// A hash of all results.
fn signature(rules: &RuleSet, best: &[EvaluatedTurn], all: &[PlayTotals]) -> u64 {
    let empty = Grid::new(rules.board.side());
    let mut sum = Fnv::START;
    for (best, all) in best.iter().zip(all) {
        // Written on an empty grid, a move has only the tiles placed, which is enough.
        let turn = moves::write(&best.turn, &empty, &rules.tiles);
        let (points, equity) = (best.points, best.equity);
        let PlayTotals {
            plays,
            points: total,
            equity: worth,
        } = all;
        sum = sum.and(format!("{turn} {points} {equity} {plays} {total} {worth}\n").as_bytes());
    }
    sum.sum()
}

/// The speed of whole games.
struct GameSpeed {
    threads: usize,
    /// Games per second.
    games: f64,
    /// Turns per second.
    turns: f64,
}

/// The figures to print.
struct StaticFigures {
    signature: u64,
    positions: usize,
    plays: u64,
    all: Duration,
    best_by_map: Duration,
    best_by_graph: Duration,
    /// With one thread.
    one: GameSpeed,
    /// With the requested number of threads, if that is not 1.
    some: Option<GameSpeed>,
}

impl StaticFigures {
    /// Microseconds per position.
    fn each(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.positions as f64
    }

    fn plays_per_second(&self) -> f64 {
        self.plays as f64 / self.all.as_secs_f64()
    }

    fn json(&self) -> Value {
        let speed = |speed: &GameSpeed| {
            json!({
                "threads": speed.threads,
                "games_per_second": speed.games,
                "turns_per_second": speed.turns,
            })
        };
        let games = std::iter::once(&self.one).chain(&self.some).map(speed);
        json!({
            "signature": format!("{:016x}", self.signature),
            "positions": self.positions,
            "plays": self.plays,
            "plays_per_second": self.plays_per_second(),
            "all_plays_us": self.each(self.all),
            "best_word_map_us": self.each(self.best_by_map),
            "best_graph_us": self.each(self.best_by_graph),
            "games": games.collect::<Vec<Value>>(),
        })
    }
}

impl fmt::Display for StaticFigures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (positions, plays) = (self.positions, self.plays);
        let [all, by_map, by_graph] =
            [self.all, self.best_by_map, self.best_by_graph].map(|time| self.each(time));
        let (million, games) = (self.plays_per_second() / 1e6, self.one.games);
        write!(
            f,
            "signature {:016x} ({positions} positions, {plays} plays)\n\
             all plays             {all:8.1} µs per position, {million:.2} million per second\n\
             best move by word map {by_map:8.1} µs per position\n\
             best move by graph    {by_graph:8.1} µs per position\n\
             static games          {games:8.0} per second with one thread",
            self.signature
        )?;
        if let Some(some) = &self.some {
            write!(f, ", {:.0} with {}", some.games, some.threads)?;
        }
        Ok(())
    }
}
