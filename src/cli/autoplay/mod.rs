//! `cazique autoplay`: whole games in process, with statistics.

mod efforts;
mod player;
mod records;
mod statistics;

use super::progress::Progress;
use super::say;
use crate::autoplay::{Players, lead_at, play};
use crate::engine::{DEFAULT_LEXICON, Engine, MAX_THREADS};
use crate::movegen::Words;
use crate::rules::PRESETS;
use crate::seed::Seed;
use clap::{Args, value_parser};
use player::Player;
use rayon::prelude::*;
use records::Records;
use statistics::{Summary, Tally};
use std::path::PathBuf;
use std::time::Instant;

/// Plays whole games between two players.
///
/// A player is a list such as mode=sim,movetime=200. mode=static (as by default) takes what is worth most without
/// search, mode=sim simulates, mode=auto also solves endings, unless endgame=off, and positions with few tiles in the
/// bag, unless peg=off. leaves=FILE or leaves=none takes other leave values than the built-in ones;
/// wordmap=off does without the word map, which is slower. One who searches needs a limit: movetime=MS or
/// iterations=N for each turn, or time=MS for the whole game, with inc=MS added after each turn. plies=N,
/// candidates=N and threads=N say how it simulates; threads is 1 if it is not given.
#[derive(Args)]
pub struct Arguments {
    /// How many games; with --pairs, how many pairs
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// How many games at once; 0 for one a core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// Where chance begins: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play each deal twice with the seats swapped
    #[arg(long)]
    pairs: bool,
    /// The first player, KEY=VALUE with commas between
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p1: String,
    /// The second player, likewise
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p2: String,
    /// Search only when at most so many tiles are in the bag; until then both play without search
    #[arg(long, value_name = "TILES")]
    bag: Option<u16>,
    /// Leave out deals in which one player leads by more than so many points when search begins
    #[arg(long, value_name = "POINTS", requires = "bag", value_parser = value_parser!(i32).range(0..))]
    close: Option<i32>,
    /// A rule set that is built in, or a file of rules
    #[arg(long, default_value = PRESETS[0])]
    rules: String,
    /// The words: OEL26 or a file
    #[arg(long, default_value = DEFAULT_LEXICON)]
    lexicon: String,
    /// Write a GCG record of each game into this folder
    #[arg(long, value_name = "FOLDER")]
    gcg: Option<PathBuf>,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints what came of them.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mut engine = Engine::new().map_err(|error| error.to_string())?;
    for (option, value) in [("Rules", &arguments.rules), ("Lexicon", &arguments.lexicon)] {
        let set = engine.set_option(option, value);
        set.map_err(|error| error.to_string())?;
    }
    if engine.rules().players.0 != 2 {
        return Err(format!("'{}' is not for two players", arguments.rules));
    }
    let mut player = |name: &str, text: &str| {
        let from = arguments.bag.map_or(usize::MAX, usize::from);
        let player = Player::parse(text, from, &mut engine);
        player.map_err(|error| format!("{name}: {error}"))
    };
    let players = [
        player("--p1", &arguments.p1)?,
        player("--p2", &arguments.p2)?,
    ];
    let rules = engine.rules();
    let records = match &arguments.gcg {
        Some(folder) => {
            let lexicon = players[0].lexicon_name();
            Some(Records::new(folder, arguments, rules, lexicon)?)
        }
        None => None,
    };
    let words = players.each_ref().map(Player::words);
    let start = Instant::now();
    let tally = play_all(
        arguments,
        &Players {
            rules,
            // They share a board, and so the way to look at it: one player without the map is both without.
            words: Words {
                map: words[0].map.get().and(words[1].map.get()).into(),
                ..words[0]
            },
            each: players.each_ref().map(Player::in_game),
        },
        records.as_ref(),
    )?;
    let summary = Summary {
        tally,
        pairs: arguments.pairs,
        seconds: start.elapsed().as_secs_f64(),
    };
    let said = match arguments.json {
        true => say(summary.json()),
        false => say(summary),
    };
    said.map_err(|error| error.to_string())
}

fn play_all(
    arguments: &Arguments,
    players: &Players,
    records: Option<&Records>,
) -> Result<Tally, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.into())
        .build();
    let pool = pool.map_err(|error| error.to_string())?;
    let what = if arguments.pairs { "pairs" } else { "games" };
    let progress = Progress::new(what, arguments.games);
    let unit = |unit: u64| -> Result<Tally, String> {
        let (seed, left_out) = deal(arguments, players, Seed(arguments.seed).for_unit(unit))?;
        let game = |seats: [usize; 2]| (play(players, seats, seed), seats[0]);
        let games: Vec<_> = seatings(arguments)
            .iter()
            .map(|seats| game(*seats))
            .collect();
        for (game, seat) in &games {
            if let Some((loser, forfeit)) = &game.forfeit {
                let player = 1 + usize::from(loser != seat);
                eprintln!(
                    "cazique: game {unit}: p{player} forfeits: {}",
                    forfeit.reason
                );
            }
            records.map_or(Ok(()), |records| records.write(unit, game, *seat))?;
        }
        progress.step();
        Ok(Tally::of(&games, left_out))
    };
    // Sums of integers: any number of threads gives the same.
    pool.install(|| {
        (0..arguments.games)
            .into_par_iter()
            .map(unit)
            .try_reduce(Tally::default, |one, other| Ok(one.merge(other)))
    })
}

/// Who sits where in the games of a unit.
fn seatings(arguments: &Arguments) -> &'static [[usize; 2]] {
    if arguments.pairs {
        &[[0, 1], [1, 0]]
    } else {
        &[[0, 1]]
    }
}

/// So many deals are tried for one that is close enough.
const MOST_DEALS: u64 = 1_000;

/// The deal of a unit, and how many were left out before it since they were not close enough, if that is asked for.
fn deal(arguments: &Arguments, players: &Players, unit: Seed) -> Result<(Seed, u64), String> {
    let (Some(bag), Some(close)) = (arguments.bag, arguments.close) else {
        return Ok((unit, 0));
    };
    let is_close = |(deal, _): &(Seed, u64)| {
        let mut seatings = seatings(arguments).iter();
        seatings.all(|seats| lead_at(players, *seats, *deal, bag.into()).0 <= close)
    };
    // The first is the one that there would be if none were left out.
    let others = (1..MOST_DEALS).map(|left_out| (unit.for_unit(left_out), left_out));
    let mut deals = std::iter::once((unit, 0)).chain(others);
    deals.find(is_close).ok_or_else(|| {
        format!("of {MOST_DEALS} deals none had a lead of at most {close} points with {bag} tiles in the bag; --close must be larger")
    })
}
