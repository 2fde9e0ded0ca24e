//! A whole game through the pipe: one engine process plays both sides.
//!
//! For authors of clients who use the library. `cazique::client` drives the process; the
//! library's rules keep the bag, the racks and the scores. Each `position` has the racks of both
//! players; the search uses only what the player to move may know. `client.py` is the same client
//! without the library.
//!
//!     cargo build --release
//!     cargo run --release --example client -- --movetime 100 --seed 1

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

use cazique::client::Client;
use cazique::engine::SearchRequest;
use cazique::notation::moves::MoveText;
use cazique::rules::{Deal, Embedded, Game, Library};
use cazique::seed::Seed;
use clap::Parser;
use std::env::{self, consts::EXE_SUFFIX};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

/// Plays a whole game with one engine process
#[derive(Parser)]
struct Arguments {
    /// The engine; by default the one of the same build
    engine: Option<PathBuf>,
    /// Milliseconds for each move
    #[arg(long, default_value_t = 100)]
    movetime: u64,
    /// The seed of the shuffled bag: the same seed gives the same tiles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An option of the engine, NAME=VALUE; may be repeated
    #[arg(long)]
    option: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let program = arguments.engine.clone().unwrap_or_else(built_engine);
    let mut engine = Client::start(&mut Command::new(program))?;
    engine.handshake()?;
    for option in &arguments.option {
        let (name, value) = option.split_once('=').ok_or("an option is NAME=VALUE")?;
        engine.set_option(name, value)?;
    }
    engine.ready()?;
    engine.new_game()?;
    play(&mut engine, arguments)?;
    Ok(engine.quit()?)
}

/// Each `position` has the whole game, so that one engine can be either player in turn. For a
/// match start two, and ask the one of the player to move.
fn play(engine: &mut Client, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let rules = Arc::new(Embedded.rules("tournament")?);
    // The deal knows all tiles; the game knows what is on the board.
    let mut deal = Deal::start(&rules, 2, Seed(arguments.seed));
    let mut game = Game::new(rules.clone(), 2)?;
    let mut moves: Vec<String> = Vec::new();
    let thinking = Duration::from_millis(arguments.movetime);
    let request = SearchRequest {
        time: Some(thinking),
        ..SearchRequest::default()
    };
    while deal.end().is_none() {
        let player = deal.to_move();
        let rack = rules.tiles.tiles_text(deal.rack(player));
        let own_rack = format!("rack.{rack}");
        engine.set_position(None, &[&moves[..], &[own_rack]].concat())?;
        let best = engine.go(&request, thinking)?.best;
        // The engine is also the referee: it says whether the move is valid.
        let check = engine.check(&best)?;
        game.set_rack(player, *deal.rack(player))?;
        let turn = MoveText::parse(&best)?.turn(game.position())?;
        let score = game.play(&turn)?;
        if check.value("valid") != Some("yes") || check.number("score") != Some(score) {
            return Err(format!("{best} scores {score}, and the engine answers '{check}'").into());
        }
        deal.play(&turn, score, &rules);
        let (total, bag) = (deal.score(player), deal.bag_len());
        let made = format!("{rack:7}  {best:<19} {score:>3}  {total:>4}");
        println!(
            "{:>2}  player {}  {made}  bag {bag}",
            moves.len() + 1,
            player + 1
        );
        moves.push(format!("{best}.{rack}"));
    }
    let outcome = deal.outcome(&rules).ok_or("the game is not over")?;
    for (player, adjustment) in outcome.adjustments.iter().enumerate() {
        let left = match rules.tiles.tiles_text(deal.rack(player)) {
            rack if rack.is_empty() => "-".to_string(),
            rack => rack,
        };
        println!(
            "player {} is left with {left}: {:+}",
            player + 1,
            adjustment.0
        );
    }
    println!("final score {} {}", outcome.scores[0], outcome.scores[1]);
    println!("position startpos moves {}", moves.join(" "));
    Ok(())
}

/// The engine of the same build: Cargo puts examples into a folder beside it.
fn built_engine() -> PathBuf {
    let example = env::current_exe().unwrap_or_default();
    let folder = example.parent().and_then(Path::parent);
    let folder = folder.unwrap_or(Path::new(""));
    folder.join(format!("cazique{EXE_SUFFIX}"))
}
