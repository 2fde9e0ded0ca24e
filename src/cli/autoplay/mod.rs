//! `cazique autoplay`: plays whole games in this process and prints statistics.

mod costs;
mod interrupt;
mod interval;
mod player;
mod provenance;
mod records;
mod statistics;

use super::progress::Progress;
use super::{Failure, say_figures};
use crate::autoplay::{GameResult, Players, SelfPlayGame, lead_at};
use crate::engine::{DEFAULT_LEXICON, Engine, MAX_THREADS};
use crate::movegen::Words;
use crate::rules::PRESETS;
use crate::seed::Seed;
use clap::{Args, value_parser};
use interrupt::Interrupt;
use player::PlayerSettings;
use provenance::MatchProvenance;
use rayon::prelude::*;
use records::RecordFolder;
use statistics::{GameTally, Summary};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Plays whole games between two players.
///
/// A player is a list of settings such as mode=sim,movetime=200.
///
/// mode=static (the default) plays the move of highest equity without search; mode=sim simulates;
/// mode=auto also solves endgames (endgame=off turns that off) and pre-endgames (peg=off). A player
/// who searches needs a limit: movetime=MS or iterations=N for each turn, or time=MS for the whole
/// game, with inc=MS added after each turn. plies=N, candidates=N and threads=N (default 1)
/// configure the simulation. leaves=FILE or leaves=none replaces the built-in leave values;
/// wordmap=off does without the word map, which is slower.
///
/// After a ± stands a standard error; the interval of the win probability has a confidence of 95 %.
///
/// Ctrl-C abandons the games in progress and prints the statistics of the finished ones; the exit
/// code is 130 then. A second Ctrl-C ends the program at once. Games that do not end by the rules
/// (after 400 turns, or because of an illegal move) do not count, nor does the other game of their
/// pair.
#[derive(Args)]
pub struct Arguments {
    /// The number of games; with --pairs, of pairs
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// The number of games at once; 0 for one per core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play each deal twice with the seats swapped
    #[arg(long)]
    pairs: bool,
    /// The first player: KEY=VALUE, separated by commas
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p1: String,
    /// The second player
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p2: String,
    /// Search only once the bag has at most this many tiles; before, both players are static
    #[arg(long, value_name = "TILES")]
    bag: Option<u16>,
    /// Skip deals in which a player leads by more than this when search begins
    #[arg(long, value_name = "POINTS", requires = "bag", value_parser = value_parser!(i32).range(0..))]
    close: Option<i32>,
    /// The rule set: a built-in one or a file
    #[arg(long, default_value = PRESETS[0])]
    rules: String,
    /// The lexicon: OEL26 or a file
    #[arg(long, default_value = DEFAULT_LEXICON)]
    lexicon: String,
    /// Write a GCG record of each game into this folder, which must not hold any yet
    #[arg(long, value_name = "FOLDER")]
    gcg: Option<PathBuf>,
    /// Print the statistics as one JSON object
    #[arg(long)]
    json: bool,
}

/// Plays the games and prints the statistics.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut engine = Engine::new()?;
    for (option, value) in [("Rules", &arguments.rules), ("Lexicon", &arguments.lexicon)] {
        engine.set_option(option, value)?;
    }
    if engine.rules().players.0 != 2 {
        return Err(format!("'{}' is not for two players", arguments.rules).into());
    }
    let mut player = |name: &str, text: &str| {
        let from = arguments.bag.map_or(usize::MAX, usize::from);
        let player = PlayerSettings::parse(text, from, &mut engine);
        player.map_err(|error| Failure::from(format!("{name}: {error}")))
    };
    let (p1, p2) = (&arguments.p1, &arguments.p2);
    let players = [player("--p1", p1)?, player("--p2", p2)?];
    let rules = engine.rules();
    let records = match &arguments.gcg {
        Some(folder) => {
            let lexicon = players[0].data().words.lexicon.name();
            Some(RecordFolder::new(folder, arguments, rules, lexicon)?)
        }
        None => None,
    };
    let provenance = MatchProvenance::new(rules, arguments.seed, &players);
    for warning in &provenance.warnings {
        eprintln!("cazique: warning: {warning}");
    }
    let words = players.each_ref().map(PlayerSettings::words);
    let interrupt = Interrupt::watch()?;
    let start = Instant::now();
    let tally = play_all(
        arguments,
        &Players {
            rules,
            // Both players share one move generator: if one has no word map, neither has.
            words: Words {
                map: words[0].map.get().and(words[1].map.get()).into(),
                ..words[0]
            },
            each: players.each_ref().map(PlayerSettings::in_game),
        },
        records.as_ref(),
        &interrupt,
    )?;
    let interrupted = interrupt.is_pressed();
    let summary = Summary {
        tally,
        provenance,
        pairs: arguments.pairs,
        planned: arguments.games,
        interrupted,
        seconds: start.elapsed().as_secs_f64(),
    };
    say_figures(arguments.json, summary.json(), summary)?;
    Ok(match interrupted {
        true => ExitCode::from(interrupt::EXIT_CODE),
        false => ExitCode::SUCCESS,
    })
}

fn play_all(
    arguments: &Arguments,
    players: &Players,
    records: Option<&RecordFolder>,
    interrupt: &Interrupt,
) -> Result<GameTally, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.into())
        .build()?;
    let what = if arguments.pairs { "pairs" } else { "games" };
    let progress = Progress::new(what, arguments.games);
    let unit = |unit: u64| -> Result<GameTally, Failure> {
        if interrupt.is_pressed() {
            return Ok(GameTally::default());
        }
        let (seed, skipped) = deal(arguments, players, Seed(arguments.seed).for_unit(unit))?;
        let game = |seats: &[usize; 2]| Some((play(players, *seats, seed, interrupt)?, seats[0]));
        let games: Option<Vec<_>> = seatings(arguments).iter().map(game).collect();
        let Some(games) = games else {
            return Ok(GameTally::default());
        };
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
        Ok(GameTally::of(&games, skipped))
    };
    // Sums of integers: any number of threads gives the same.
    pool.install(|| {
        (0..arguments.games)
            .into_par_iter()
            .map(unit)
            .try_reduce(GameTally::default, |sum, unit| Ok(sum.merge(unit)))
    })
}

/// Plays one game; `None` if it is interrupted.
fn play(
    players: &Players,
    seats: [usize; 2],
    seed: Seed,
    interrupt: &Interrupt,
) -> Option<GameResult> {
    let mut game = SelfPlayGame::new(players, seats, seed);
    while !game.is_over() {
        if interrupt.is_pressed() {
            return None;
        }
        game.play_turn();
    }
    Some(game.finish())
}

/// The seat of each player in the games of a unit.
fn seatings(arguments: &Arguments) -> &'static [[usize; 2]] {
    if arguments.pairs {
        &[[0, 1], [1, 0]]
    } else {
        &[[0, 1]]
    }
}

/// The most deals that are tried for `--close`. Chosen by hand.
const MAX_DEALS: u64 = 1_000;

/// The seed of the first deal of a unit that is close enough for `--close`, and the number of deals
/// that were skipped before it.
fn deal(arguments: &Arguments, players: &Players, unit: Seed) -> Result<(Seed, u64), String> {
    let (Some(bag), Some(close)) = (arguments.bag, arguments.close) else {
        return Ok((unit, 0));
    };
    let is_close = |(deal, _): &(Seed, u64)| {
        let mut seatings = seatings(arguments).iter();
        seatings.all(|seats| lead_at(players, *seats, *deal, bag.into()).0 <= close)
    };
    // The first deal is the one without `--close`.
    let others = (1..MAX_DEALS).map(|skipped| (unit.for_unit(skipped), skipped));
    let mut deals = std::iter::once((unit, 0)).chain(others);
    deals.find(is_close).ok_or_else(|| {
        format!("none of {MAX_DEALS} deals had a lead of at most {close} points with {bag} tiles in the bag; use a larger --close")
    })
}
