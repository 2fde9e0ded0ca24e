//! `cazique bench`: a signature of how the engine plays, and how fast it does.
//!
//! The positions are those of static games from a fixed seed, so nothing has
//! to be stored. The signature depends on what is found in them and on nothing
//! else: it is the same on every machine, and changes when play does.

mod endgame;
mod sim;

use super::say;
use crate::autoplay::{PlayerKind, Players, SelfPlayGame, play, positions};
use crate::board::Grid;
use crate::engine::MAX_THREADS;
use crate::eval::{BuiltInTables, EvaluatedTurn};
use crate::fnv::Fnv;
use crate::lexicon::{Lexicon, WordMap};
use crate::movegen::Words;
use crate::notation::moves;
use crate::rules::{Embedded, Library, PRESETS, RuleSet};
use crate::seed::Seed;
use clap::{Args, Subcommand, value_parser};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt;
use std::time::{Duration, Instant};

/// Tells a signature of the engine's play, and its speed.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// Time whole games with so many threads too; 0 for one a core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// A part of the engine that has a bench of its own.
#[derive(Subcommand)]
enum Part {
    Sim(sim::Arguments),
    Endgame(endgame::Arguments),
}

/// Where the games come from.
const SEED: Seed = Seed(15);
/// Games whose positions are asked.
const ASKED: u64 = 20;
/// Games that are played for their speed.
const PLAYED: u64 = 400;
/// Times that positions are asked, of which the fastest counts: other work on a machine only slows down.
const ROUNDS: usize = 5;

/// Asks and plays, and prints what came of it.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    match &arguments.part {
        Some(Part::Sim(arguments)) => sim::run(arguments),
        Some(Part::Endgame(arguments)) => endgame::run(arguments),
        None => run_static(arguments),
    }
}

fn run_static(arguments: &Arguments) -> Result<(), String> {
    let rules = Embedded.rules(PRESETS[0])?;
    let lexicon = Lexicon::embedded(&rules.tiles)
        .map_err(|error| error.to_string())?
        .0;
    let map = WordMap::new(lexicon.graph(), rules.board.side().into());
    let leaves = BuiltInTables::of(&rules)
        .map(BuiltInTables::leaves)
        .transpose();
    let leaves = leaves.map_err(|error| error.to_string())?;
    let players = |map| Players {
        rules: &rules,
        words: Words {
            graph: lexicon.graph(),
            map,
        },
        each: [PlayerKind::Static(leaves.as_ref()); 2],
    };
    let fast = players(map.as_ref());
    let by_map = positions(&fast, ASKED, SEED);
    let by_graph = positions(&players(None), ASKED, SEED);
    let (plays, all_time) = fastest(|| all(&by_map));
    let (turns, map_time) = fastest(|| best(&by_map));
    let (same_turns, graph_time) = fastest(|| best(&by_graph));
    if turns != same_turns {
        return Err("the word map and the graph disagree about the best turn: a bug".to_string());
    }
    let figures = Figures {
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
    let said = match arguments.json {
        true => say(figures.json()),
        false => say(figures),
    };
    said.map_err(|error| error.to_string())
}

/// What all plays of a position are, in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    plays: u64,
    points: i64,
    /// In thousandths.
    equity: i64,
}

/// All plays of each position, and the time it took.
fn all(positions: &[SelfPlayGame]) -> (Vec<Found>, Duration) {
    ask(positions, |table| {
        let mut found = Found::default();
        let rack_leaves = table.rack_leaves().clone();
        table.generator().for_each_play(&rack_leaves, |play| {
            found.plays += 1;
            found.points += i64::from(play.points.0);
            found.equity += i64::from(play.equity.millis());
        });
        found
    })
}

/// The best turn of each position, and the time it took.
fn best(positions: &[SelfPlayGame]) -> (Vec<EvaluatedTurn>, Duration) {
    ask(positions, SelfPlayGame::best_static)
}

/// Only the question is timed, on a copy: what one answer leaves behind must not help the next.
fn ask<'a, T>(
    positions: &[SelfPlayGame<'a>],
    question: impl Fn(&mut SelfPlayGame<'a>) -> T,
) -> (Vec<T>, Duration) {
    let mut time = Duration::ZERO;
    let answer = |position: &SelfPlayGame<'a>| {
        let mut table = position.clone();
        let start = Instant::now();
        let answer = question(&mut table);
        time += start.elapsed();
        answer
    };
    (positions.iter().map(answer).collect(), time)
}

/// The fastest of some rounds.
fn fastest<T>(mut round: impl FnMut() -> (Vec<T>, Duration)) -> (Vec<T>, Duration) {
    let mut fastest = round();
    for _ in 1..ROUNDS {
        let (_, time) = round();
        fastest.1 = fastest.1.min(time);
    }
    fastest
}

/// How fast so many threads play whole games.
fn games(players: &Players, threads: usize) -> Result<Speed, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let start = Instant::now();
    let turns: usize = pool.install(|| {
        let game = |unit| play(players, [0, 1], SEED.for_unit(unit)).turns.len();
        (0..PLAYED).into_par_iter().map(game).sum()
    });
    let seconds = start.elapsed().as_secs_f64();
    Ok(Speed {
        threads: pool.current_num_threads(),
        games: PLAYED as f64 / seconds,
        turns: turns as f64 / seconds,
    })
}

/// One number for all answers.
fn signature(rules: &RuleSet, best: &[EvaluatedTurn], all: &[Found]) -> u64 {
    let empty = Grid::new(rules.board.side());
    let mut sum = Fnv::START;
    for (best, all) in best.iter().zip(all) {
        // On the empty grid only the tiles placed are written, and no more is needed.
        let turn = moves::write(&best.turn, &empty, &rules.tiles);
        let (points, equity) = (best.points, best.equity);
        let Found {
            plays,
            points: total,
            equity: worth,
        } = all;
        sum = sum.and(format!("{turn} {points} {equity} {plays} {total} {worth}\n").as_bytes());
    }
    sum.sum()
}

/// How fast games are played.
struct Speed {
    threads: usize,
    /// A second.
    games: f64,
    /// A second.
    turns: f64,
}

/// What is told in the end.
struct Figures {
    signature: u64,
    positions: usize,
    plays: u64,
    all: Duration,
    best_by_map: Duration,
    best_by_graph: Duration,
    /// With one thread.
    one: Speed,
    /// With as many as wished, if that is another number.
    some: Option<Speed>,
}

impl Figures {
    /// In microseconds a position.
    fn each(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.positions as f64
    }

    fn plays_per_second(&self) -> f64 {
        self.plays as f64 / self.all.as_secs_f64()
    }

    fn json(&self) -> Value {
        let speed = |speed: &Speed| {
            json!({
                "threads": speed.threads,
                "games_per_second": speed.games,
                "turns_per_second": speed.turns,
            })
        };
        let games: Vec<Value> = std::iter::once(&self.one)
            .chain(&self.some)
            .map(speed)
            .collect();
        json!({
            "signature": format!("{:016x}", self.signature),
            "positions": self.positions,
            "plays": self.plays,
            "plays_per_second": self.plays_per_second(),
            "all_plays_us": self.each(self.all),
            "best_word_map_us": self.each(self.best_by_map),
            "best_graph_us": self.each(self.best_by_graph),
            "games": games,
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Figures {
            signature,
            positions,
            plays,
            ..
        } = self;
        let million = self.plays_per_second() / 1e6;
        writeln!(
            f,
            "signature {signature:016x} ({positions} positions, {plays} plays)"
        )?;
        writeln!(
            f,
            "all plays             {:8.1} µs a position, {million:.2} million a second",
            self.each(self.all)
        )?;
        writeln!(
            f,
            "best turn by word map {:8.1} µs a position",
            self.each(self.best_by_map)
        )?;
        writeln!(
            f,
            "best turn by graph    {:8.1} µs a position",
            self.each(self.best_by_graph)
        )?;
        write!(
            f,
            "static games          {:8.0} a second with one thread",
            self.one.games
        )?;
        if let Some(some) = &self.some {
            write!(f, ", {:.0} with {}", some.games, some.threads)?;
        }
        Ok(())
    }
}
