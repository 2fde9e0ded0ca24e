//! `review-check`: do reviews find mistakes, and do they find any where there are none?
//!
//! `review-check plant` plays strong games with one mistake each, whose loss a long search knows.
//! `review-check judge` reviews them: is the mistake found, and does its loss agree with that of a
//! search of [`judge::LONG_FACTOR`] times the length? `review-check own` reviews games that the
//! engine played at the iterations of the review, in which there should be next to no mistakes, or
//! games of static players, in which there are some.

mod games;
mod judge;
mod own;
mod plant;

use anyhow::{Result, anyhow, bail};
use cazique::cli::say;
use cazique::engine::{Engine, MAX_THREADS, Mode};
use cazique::notation::gcg::GameRecord;
use cazique::review::{PreparedGame, ReviewRequest};
use cazique::seed::Seed;
use clap::{Args, Parser, Subcommand, value_parser};
use games::{GameSettings, Player};
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;

/// Measures how far reviews of games can be trusted.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The number of threads; 0 for one per core. The result does not depend on it.
    #[arg(long, global = true, default_value_t = 0, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays games with one mistake each, and writes their records and an index of the mistakes.
    Plant {
        #[command(flatten)]
        games: GameArgs,
        /// The iterations of a turn.
        #[arg(long, default_value_t = 150)]
        iterations: u64,
        /// The folder for the records, which must not hold any yet.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Reviews such games and tells whether the mistakes are found and their losses are right.
    Judge {
        /// The folder with the records.
        folder: PathBuf,
        /// The iterations of a turn of the review.
        #[arg(long, default_value_t = 300)]
        iterations: u64,
        /// The seed of the review; the long searches have another one.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Reviews games of the engine against itself and prints what they lose on average.
    Own {
        #[command(flatten)]
        games: GameArgs,
        /// The iterations of a turn, for the players and for the review.
        #[arg(long, default_value_t = 300)]
        iterations: u64,
        /// Static players, who do not search.
        #[arg(long = "static")]
        is_static: bool,
    },
}

/// The games that are played.
#[derive(Args)]
struct GameArgs {
    /// A built-in rule set, or a rule file, for two players.
    #[arg(long, default_value = "tournament")]
    rules: String,
    /// The number of games.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The seed of all games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl GameArgs {
    fn settings(&self, engine: &mut Engine, player: Player) -> Result<GameSettings> {
        let set = engine.set_option("Rules", &self.rules);
        set.map_err(|error| anyhow!(error.text))?;
        let rules = engine.rules().clone();
        if !(rules.players.0..=rules.players.1).contains(&2) {
            bail!("the rules are not for two players");
        }
        let data = engine.prepare(Mode::Simulate);
        let data = data.map_err(|error| anyhow!(error.text))?;
        data.finish_word_map();
        Ok(GameSettings {
            rules,
            data,
            defaults: engine.options().search.clone(),
            player,
            count: self.games,
            seed: Seed(self.seed),
        })
    }
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let pool = ThreadPoolBuilder::new().num_threads(cli.threads.into());
    pool.build()?.install(|| run(&cli.command))
}

fn run(command: &Command) -> Result<()> {
    let mut engine = Engine::new().map_err(|error| anyhow!(error.text))?;
    let text = match command {
        Command::Plant {
            games,
            iterations,
            output,
        } => {
            let player = Player::Searching(*iterations);
            plant::write_games(&games.settings(&mut engine, player)?, output)?
        }
        Command::Judge {
            folder,
            iterations,
            seed,
        } => judge::report(&mut engine, folder, &review_request(*iterations, *seed))?,
        Command::Own {
            games,
            iterations,
            is_static,
        } => {
            let player = match is_static {
                true => Player::Static,
                false => Player::Searching(*iterations),
            };
            let settings = games.settings(&mut engine, player)?;
            // The games have seeds derived from theirs, which differ from that of the review.
            let request = review_request(*iterations, games.seed);
            own::report(&mut engine, &settings, &request)?
        }
    };
    Ok(say(text)?)
}

fn review_request(iterations: u64, seed: u64) -> ReviewRequest {
    ReviewRequest {
        iterations: Some(iterations),
        seed,
        ..ReviewRequest::default()
    }
}

/// A record made ready for review.
fn prepared(engine: &mut Engine, record: &GameRecord, name: &str) -> Result<PreparedGame> {
    PreparedGame::new(engine, record, name)
        .map_err(|problem| anyhow!("{name}, line {}: {}", problem.line, problem.what))
}
