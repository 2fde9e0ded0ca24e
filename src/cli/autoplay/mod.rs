//! `cazique autoplay`: plays whole games in this process and prints statistics.

mod costs;
mod interval;
mod player;
mod provenance;
mod records;
mod statistics;

use super::interrupt::{self, Interrupt};
use super::progress::Progress;
use super::{Failure, say_figures};
use crate::autoplay::{GameResult, Players, SelfPlayGame, lead_at};
use crate::engine::{DEFAULT_LEXICON, Engine, MAX_THREADS, check_players};
use crate::movegen::Words;
use crate::rules::{MAX_PLAYERS, PRESETS, RuleSet, draw_for_first_move};
use crate::seed::Seed;
use clap::{Args, value_parser};
use player::PlayerSettings;
use provenance::MatchProvenance;
use rayon::prelude::*;
use records::RecordFolder;
use statistics::{GameTally, Summary};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Plays whole games between two to four players.
///
/// A player is a list of settings such as mode=sim,movetime=200; one that is not given is static.
///
/// mode=static (the default) plays the move of highest equity without search; mode=sim simulates;
/// mode=auto also solves endgames (endgame=off turns that off) and pre-endgames (peg=off). A player
/// who searches needs a limit: movetime=MS or iterations=N for each turn, or time=MS for the whole
/// game, with inc=MS added after each turn. plies=N, candidates=N and threads=N (default 1)
/// configure the simulation. leaves=FILE or leaves=none replaces the built-in leave values;
/// wordmap=off does without the word map, which is slower; target=off ignores a target score;
/// variations=off, for static players, ignores what unusual rules change in the value of a move.
///
/// After a ± stands a standard error; the interval of the win probability has a confidence of 95 %.
/// The spread is the lead over the best opponent. A draw counts as a part of a win for each of the
/// players who share it: one half for two, one third for three.
///
/// Ctrl-C abandons the games in progress and prints the statistics of the finished ones; the exit
/// code is 130 then. A second Ctrl-C ends the program at once. Games that do not end by the rules
/// (after 400 turns, or because of an illegal move) do not count, nor do the other games of their
/// deal.
#[derive(Args)]
pub struct Arguments {
    /// The number of games; with --pairs, of deals
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// The number of games at once; 0 for one per core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// The seed: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of players; by default the fewest that the rules allow
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// Play each deal once for every seat that a player can have: two players play a pair of games
    /// with the seats swapped, four play four games
    #[arg(long)]
    pairs: bool,
    /// Draw tiles for the first move of each game; without it, the first player begins
    #[arg(long, conflicts_with = "pairs")]
    draw: bool,
    /// The first player: KEY=VALUE, separated by commas
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p1: String,
    /// The second player
    #[arg(long, default_value = "", value_name = "PLAYER")]
    p2: String,
    /// The third player
    #[arg(long, value_name = "PLAYER")]
    p3: Option<String>,
    /// The fourth player
    #[arg(long, value_name = "PLAYER")]
    p4: Option<String>,
    /// Search only once the bag has at most this many tiles; before, all players are static
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

/// The names of the players, in arguments and output.
const PLAYER_NAMES: [&str; MAX_PLAYERS] = ["p1", "p2", "p3", "p4"];

impl Arguments {
    /// The settings of each player.
    fn player_texts(&self, rules: &RuleSet) -> Result<Vec<&str>, String> {
        let count = self.players.unwrap_or(rules.players.0);
        check_players(rules, count, "--players", "--rules")?;
        let (p3, p4) = (self.p3.as_deref(), self.p4.as_deref());
        let texts = [Some(&*self.p1), Some(&*self.p2), p3, p4];
        let mut extra = PLAYER_NAMES.iter().zip(texts).skip(count);
        match extra.find(|(_, text)| text.is_some()) {
            Some((name, _)) => Err(format!(
                "--{name} is given, and the game has {count} players; set --players"
            )),
            None => Ok(texts[..count]
                .iter()
                .map(|text| text.unwrap_or(""))
                .collect()),
        }
    }
}

/// What `--games` counts: games, or deals that are played once for every seat of a player.
fn unit_noun(pairs: bool, players: usize) -> &'static str {
    match (pairs, players) {
        (false, _) => "games",
        (true, 2) => "pairs",
        (true, _) => "deals",
    }
}

/// Plays the games and prints the statistics.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut engine = Engine::new()?;
    for (option, value) in [("Rules", &arguments.rules), ("Lexicon", &arguments.lexicon)] {
        engine.set_option(option, value)?;
    }
    let from = arguments.bag.map_or(usize::MAX, usize::from);
    let texts = arguments.player_texts(engine.rules())?;
    let player = |(name, text): (&str, &&str)| {
        let player = PlayerSettings::parse(text, from, &mut engine);
        player.map_err(|error| Failure::from(format!("--{name}: {error}")))
    };
    let players = PLAYER_NAMES.into_iter().zip(&texts).map(player);
    let players = players.collect::<Result<Vec<PlayerSettings>, Failure>>()?;
    let rules = engine.rules();
    let records = match &arguments.gcg {
        Some(folder) => {
            let lexicon = players[0].data().words.lexicon.name();
            Some(RecordFolder::new(
                folder, arguments, &texts, rules, lexicon,
            )?)
        }
        None => None,
    };
    let provenance = MatchProvenance::new(rules, arguments.seed, &players);
    for warning in &provenance.warnings {
        eprintln!("cazique: warning: {warning}");
    }
    // The players share one move generator: if one has no word map, none has.
    let words = players.iter().map(PlayerSettings::words);
    let words = words.reduce(|all, words| Words {
        map: all.map.get().and(words.map.get()).into(),
        ..all
    });
    let interrupt = Interrupt::watch()?;
    let start = Instant::now();
    let tally = play_all(
        arguments,
        &Players {
            rules,
            words: words.expect("a game has players"),
            each: players.iter().map(PlayerSettings::in_game).collect(),
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
    let count = players.each.len();
    let progress = Progress::new(unit_noun(arguments.pairs, count), arguments.games);
    let unit = |unit: u64| -> Result<GameTally, Failure> {
        if interrupt.is_pressed() {
            return Ok(GameTally::default());
        }
        let unit_seed = Seed(arguments.seed).for_unit(unit);
        let first = first_players(arguments, players, unit_seed);
        let (seed, skipped) = deal(arguments, players, first.clone(), unit_seed)?;
        let games = first.map(|first| play(players, first, seed, interrupt));
        let Some(games) = games.collect::<Option<Vec<GameResult>>>() else {
            return Ok(GameTally::default());
        };
        for game in &games {
            if let Some((seat, forfeit)) = &game.forfeit {
                let (player, reason) = (PLAYER_NAMES[game.player_on(*seat)], &forfeit.reason);
                eprintln!("cazique: game {unit}: {player} forfeits: {reason}");
            }
            records.map_or(Ok(()), |records| records.write(unit, game))?;
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
fn play(players: &Players, first: usize, seed: Seed, interrupt: &Interrupt) -> Option<GameResult> {
    let mut game = SelfPlayGame::new(players, first, seed);
    while !game.is_over() {
        if interrupt.is_pressed() {
            return None;
        }
        game.play_turn();
    }
    Some(game.finish())
}

/// The player who moves first in each game of a unit.
fn first_players(arguments: &Arguments, players: &Players, unit: Seed) -> Range<usize> {
    let count = players.each.len();
    match (arguments.pairs, arguments.draw) {
        (true, _) => 0..count,
        (false, false) => 0..1,
        (false, true) => {
            let mut rng = unit.for_unit(FIRST_MOVE_UNIT).generator();
            let first = draw_for_first_move(players.rules, count, &mut rng).seat;
            first..first + 1
        }
    }
}

/// The number of the draw for the first move among the random choices of a game. It is larger than
/// the numbers of turns and of deals.
const FIRST_MOVE_UNIT: u64 = u64::MAX;

/// The most deals that are tried for `--close`. Chosen by hand.
const MAX_DEALS: u64 = 1_000;

/// The seed of the first deal of a unit that is close enough for `--close`, and the number of deals
/// that were skipped before it.
fn deal(
    arguments: &Arguments,
    players: &Players,
    first: Range<usize>,
    unit: Seed,
) -> Result<(Seed, u64), String> {
    let (Some(bag), Some(close)) = (arguments.bag, arguments.close) else {
        return Ok((unit, 0));
    };
    let is_close = |(deal, _): &(Seed, u64)| {
        let mut first = first.clone();
        first.all(|first| lead_at(players, first, *deal, bag.into()).0 <= close)
    };
    // The first deal is the one without `--close`.
    let others = (1..MAX_DEALS).map(|skipped| (unit.for_unit(skipped), skipped));
    let mut deals = std::iter::once((unit, 0)).chain(others);
    deals.find(is_close).ok_or_else(|| {
        format!("none of {MAX_DEALS} deals had a lead of at most {close} points with {bag} tiles in the bag; use a larger --close")
    })
}
