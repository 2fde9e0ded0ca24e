//! `calibrate`: are the win probabilities of a simulation true?
//!
//! `calibrate check` chooses a turn, plays static games until one has it, and simulates the move that
//! was played there. Then it compares the predictions with the results. `calibrate count` prints what
//! the models of the end of a rollout were fitted to: the gains until the end of a game, and the
//! points of a turn.

mod count;
mod statistics;

use anyhow::{Result, anyhow, bail};
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::cli::progress::Progress;
use cazique::cli::say;
use cazique::engine::{
    Engine, MAX_THREADS, Mode, SearchData, SearchDefaults, SearchRequest, think,
};
use cazique::notation::moves;
use cazique::rules::{Position, RuleSet};
use cazique::seed::Seed;
use clap::{Args, Parser, Subcommand, value_parser};
use rand::RngExt;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use statistics::{Bins, Prediction};
use std::sync::Arc;

/// Compares the win probabilities that Cazique predicts with the results of games.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    game: GameArgs,
    #[command(subcommand)]
    command: Command,
}

/// The games that are played.
#[derive(Args)]
struct GameArgs {
    /// A built-in rule set, or a rule file.
    #[arg(long, global = true, default_value = "tournament")]
    rules: String,
    /// The number of players.
    #[arg(long, global = true, default_value_t = 2)]
    players: usize,
    /// The number of games.
    #[arg(long, global = true, default_value_t = 4_000)]
    games: u64,
    /// The seed of all games.
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 for one per core. The result does not depend on it.
    #[arg(long, global = true, default_value_t = 0, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
}

#[derive(Subcommand)]
enum Command {
    /// Compares predictions with results; the exit code is 1 if they do not agree.
    Check {
        /// The iterations of each simulation.
        #[arg(long, default_value_t = 200)]
        iterations: u64,
        /// The length of a rollout, in moves after the candidate [default: the engine's choice].
        #[arg(long)]
        plies: Option<usize>,
    },
    /// Prints the figures that models are fitted to.
    Count,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let pool = ThreadPoolBuilder::new().num_threads(cli.game.threads.into());
    pool.build()?.install(|| run(&cli))
}

fn run(cli: &Cli) -> Result<()> {
    let mut engine = Engine::new().map_err(|error| anyhow!(error.text))?;
    let set = engine.set_option("Rules", &cli.game.rules);
    set.map_err(|error| anyhow!(error.text))?;
    let rules = engine.rules().clone();
    let (fewest, most) = rules.players;
    if !(fewest..=most).contains(&cli.game.players) {
        bail!("the rules are for {fewest} to {most} players");
    }
    let data = engine.prepare(Mode::Simulate);
    let data = data.map_err(|error| anyhow!(error.text))?;
    data.finish_word_map();
    let games = Games {
        rules,
        data,
        players: cli.game.players,
        count: cli.game.games,
        seed: Seed(cli.game.seed),
    };
    match cli.command {
        Command::Check { iterations, plies } => {
            let defaults = engine.options().search.clone();
            let request = SearchRequest {
                mode: Mode::Simulate,
                iterations: Some(iterations),
                plies,
                threads: Some(1),
                ..SearchRequest::default()
            };
            let bins = check(&games, &defaults, &request)?;
            say(format_args!("{bins}"))?;
            if !bins.is_calibrated() {
                bail!("predictions and results differ by more than chance allows");
            }
            Ok(())
        }
        Command::Count => Ok(say(format_args!("{}", count::report(&games)))?),
    }
}

/// Turns from this one on are not looked at. Chosen by hand: most games have fewer turns.
const LATEST_TURN: usize = 60;

/// Static games by some rules.
struct Games {
    rules: Arc<RuleSet>,
    data: SearchData,
    players: usize,
    count: u64,
    seed: Seed,
}

impl Games {
    /// A game and the number of one of its turns. First the turn is chosen, then games are played
    /// until one has it. A random turn of each game would prefer the turns of short games: where a
    /// target score wins, these are the games that somebody else wins soon.
    fn with_turn(&self, seed: Seed) -> (GameResult, usize) {
        let mut chance = seed.generator();
        (0..)
            .map(|attempt| {
                (
                    self.play(seed, attempt),
                    chance.random_range(0..LATEST_TURN),
                )
            })
            .find(|(game, turn)| *turn < game.turns.len())
            .expect("every game has a first turn")
    }

    /// Plays one of the games with a seed.
    fn play(&self, seed: Seed, unit: u64) -> GameResult {
        let knowledge = self.data.knowledge();
        let players = Players {
            rules: &self.rules,
            words: knowledge.vocabulary.known,
            each: vec![PlayerKind::Static(knowledge.leaves); self.players],
        };
        play(&players, 0, seed.for_unit(unit))
    }

    /// The position before a turn of a game, as the player to move saw it.
    fn before(&self, game: &GameResult, turn: usize) -> Result<Position> {
        let mut position = Position::start(self.rules.clone(), self.players)?;
        for (at, played) in game.turns.iter().take(turn + 1).enumerate() {
            let seat = position.to_move();
            position.set_rack(seat, game.racks[at])?;
            if at == turn {
                break;
            }
            position.play(played)?;
            position.forget_rack(seat);
        }
        Ok(position)
    }
}

/// Predicts the result of a random turn of each game.
fn check(games: &Games, defaults: &SearchDefaults, request: &SearchRequest) -> Result<Bins> {
    let progress = Progress::new("games", games.count);
    let predict = |unit: u64| -> Result<Prediction> {
        let seed = games.seed.for_unit(unit);
        let (game, turn) = games.with_turn(seed);
        let position = games.before(&game, turn)?;
        let tiles = &position.rules().tiles;
        let text = moves::write(&game.turns[turn], position.grid(), tiles);
        let request = SearchRequest {
            only: vec![text],
            seed: Some(seed.0),
            ..request.clone()
        };
        let analysis = think(&position, &games.data, defaults, &request);
        let analysis = analysis.map_err(|error| anyhow!(error))?;
        let candidates = analysis.candidates();
        let win = candidates.first().and_then(|candidate| candidate.win());
        let win = win.ok_or_else(|| anyhow!("the simulation gave no win probability"))?;
        progress.step();
        let seat = position.to_move();
        Ok(Prediction {
            predicted: win.value / 100.0,
            observed: match game.winners.contains(&seat) {
                true => 1.0 / game.winners.len() as f64,
                false => 0.0,
            },
            bag: position.bag_len(),
        })
    };
    let predictions: Result<Vec<Prediction>> =
        (0..games.count).into_par_iter().map(predict).collect();
    Ok(Bins::new(&predictions?))
}
