//! A whole game through the pipe: one engine plays both sides.
//!
//! For authors of clients, to copy from. The client is the referee's clerk: it
//! keeps the bag, the racks, the board and the scores. The engine hears what
//! the player on turn may know, chooses the move, and says what a move scores.
//! protocol.md explains every line that is sent here. The rules are those of
//! tournaments, which the engine has by default; options that change the rules
//! would need another clerk. Nothing but the standard library is used.
//!
//!     cargo build --release
//!     cargo run --release --example client -- --movetime 100 --seed 1

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a terminal"
)]

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::env::{self, consts::EXE_SUFFIX};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Each tile, how many there are and what it is worth, `?` is the blank:
/// lexica/tiles/english.csv of the repository.
#[rustfmt::skip]
const TILES: [(char, usize, i32); 27] = [
    ('?', 2, 0), ('A', 9, 1), ('B', 2, 3), ('C', 2, 3), ('D', 4, 2), ('E', 12, 1),
    ('F', 2, 4), ('G', 3, 2), ('H', 2, 4), ('I', 9, 1), ('J', 1, 8), ('K', 1, 5),
    ('L', 4, 1), ('M', 2, 3), ('N', 6, 1), ('O', 8, 1), ('P', 2, 3), ('Q', 1, 10),
    ('R', 6, 1), ('S', 4, 1), ('T', 6, 1), ('U', 4, 1), ('V', 2, 4), ('W', 2, 4),
    ('X', 1, 8), ('Y', 2, 4), ('Z', 1, 10),
];
const RACK_SIZE: usize = 7;
/// So many turns without points in a row end the game.
const ZERO_TURNS: u32 = 6;
/// What any answer may take, besides the time to think: enough to load words
/// on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// What goes wrong here is only ever shown, so that a text will do.
type Attempt<T> = Result<T, String>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Attempt<()> {
    let arguments = Arguments::read()?;
    let mut engine = Engine::start(&arguments.engine)?;
    engine.say("siu")?;
    engine.answer("siuok", Duration::ZERO)?;
    for (name, value) in &arguments.options {
        engine.say(&format!("setoption name {name} value {value}"))?;
    }
    // Errors of the options come before this answer.
    engine.say("isready")?;
    engine.answer("readyok", Duration::ZERO)?;
    engine.say("siunewgame")?;
    let mut game = Game::new(arguments.seed);
    play(&mut engine, &mut game, arguments.movetime)?;
    finish(&game);
    engine.quit()
}

/// Each `position` tells the whole game, so that one engine can be either
/// player in turn. For a match start two, and ask the one on turn.
fn play(engine: &mut Engine, game: &mut Game, movetime: u32) -> Attempt<()> {
    while !game.is_over() {
        let player = game.player();
        let rack = game.rack(player);
        let mut moves = game.known_to(&[player]);
        moves.push(format!("rack.{rack}"));
        engine.say(&format!("position startpos moves {}", moves.join(" ")))?;
        engine.say(&format!("go movetime {movetime}"))?;
        let answer = engine.answer("bestmove", Duration::from_millis(movetime.into()))?;
        let best = value(&answer, "bestmove")?;
        // The referee speaks before the move is made.
        engine.say(&format!("check {best}"))?;
        let checked = engine.answer("info check", Duration::ZERO)?;
        if value(&checked, "valid")? != "yes" {
            return Err(format!("{best} is not valid: {checked}"));
        }
        let score: i32 = number(value(&checked, "score")?)?;
        game.play(best, score)?;
        let (turn, total, bag) = (game.turns.len(), game.scores[player], game.bag.len());
        let made = format!("{rack:7}  {best:<19} {score:>3}  {total:>4}");
        println!("{turn:>2}  player {}  {made}  bag {bag}", player + 1);
    }
    Ok(())
}

fn finish(game: &Game) {
    let adjustments = [0, 1].map(|player| game.adjustment(player));
    for (player, adjustment) in adjustments.iter().enumerate() {
        let left = match game.rack(player) {
            rack if rack.is_empty() => "-".to_string(),
            rack => rack,
        };
        println!("player {} is left with {left}: {adjustment:+}", player + 1);
    }
    let [first, second] = [0, 1].map(|player| game.scores[player] + adjustments[player]);
    println!("final score {first} {second}");
    println!(
        "position startpos moves {}",
        game.known_to(&[0, 1]).join(" ")
    );
}

/// An engine process and the lines that go to and fro.
struct Engine {
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start(path: &Path) -> Attempt<Engine> {
        let fail = |error| format!("cannot start {}: {error}", path.display());
        let mut process = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(fail)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the engine has no pipes".to_string());
        };
        // A thread reads, because reading from a pipe knows no time limit.
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Engine {
            process,
            input,
            lines,
        })
    }

    fn say(&mut self, line: &str) -> Attempt<()> {
        // One write for a whole line: this pipe has no buffer on our side.
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .map_err(|error| format!("the engine does not listen: {error}"))
    }

    /// The next line that starts with these words.
    ///
    /// Other lines are skipped: they are for people, or for clients that want
    /// to show more than we do, and there may be new kinds. An error is the
    /// end, since this client asks for nothing that should be refused.
    fn answer(&mut self, start: &str, thinking: Duration) -> Attempt<String> {
        let limit = Instant::now() + PATIENCE + thinking;
        loop {
            let left = limit.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("the engine gives no answer '{start}'"),
                RecvTimeoutError::Disconnected => {
                    format!("the engine ended before its answer '{start}'")
                }
            })?;
            if let Some(error) = line.strip_prefix("info string error ") {
                return Err(format!("the engine refuses: {error}"));
            }
            let mut words = line.split_whitespace();
            if start.split(' ').all(|word| words.next() == Some(word)) {
                return Ok(line);
            }
        }
    }

    fn quit(mut self) -> Attempt<()> {
        self.say("quit")?;
        let limit = Instant::now() + PATIENCE;
        while Instant::now() < limit {
            match self.process.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(format!("the engine ended badly: {status}")),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
        Err("the engine does not quit".to_string())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // No process stays behind, whatever went wrong; after `quit` there is none.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What follows a key in an answer. The order of keys is not relied on.
fn value<'a>(answer: &'a str, key: &str) -> Attempt<&'a str> {
    let mut words = answer.split_whitespace().skip_while(|word| *word != key);
    words
        .nth(1)
        .ok_or_else(|| format!("'{answer}' has no {key}"))
}

fn number<T: std::str::FromStr>(text: &str) -> Attempt<T> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

/// All that the clerk knows: two players, 0 and 1, and 0 begins.
struct Game {
    chance: Chance,
    bag: Vec<char>,
    racks: [Vec<char>; 2],
    scores: [i32; 2],
    /// By row and column, lower case for blanks.
    board: HashMap<(u8, u8), char>,
    turns: Vec<Turn>,
    zero_turns: u32,
}

struct Turn {
    player: usize,
    /// The tiles held before the move.
    rack: String,
    text: String,
}

impl Game {
    fn new(seed: u64) -> Game {
        let tiles = TILES.map(|(tile, count, _)| vec![tile; count]);
        let mut game = Game {
            chance: Chance(seed),
            bag: tiles.concat(),
            racks: [Vec::new(), Vec::new()],
            scores: [0, 0],
            board: HashMap::new(),
            turns: Vec::new(),
            zero_turns: 0,
        };
        game.draw(0, RACK_SIZE);
        game.draw(1, RACK_SIZE);
        game
    }

    fn player(&self) -> usize {
        self.turns.len() % 2
    }

    fn rack(&self, player: usize) -> String {
        let mut tiles = self.racks[player].clone();
        tiles.sort_unstable();
        tiles.into_iter().collect()
    }

    fn draw(&mut self, player: usize, count: usize) {
        for _ in 0..count.min(self.bag.len()) {
            let at = self.chance.below(self.bag.len());
            self.racks[player].push(self.bag.swap_remove(at));
        }
    }

    /// The moves so far, as these players know them.
    ///
    /// They know what they held themselves, but not what was on the rack or
    /// went into the bag elsewhere: an engine that is told may use it.
    fn known_to(&self, players: &[usize]) -> Vec<String> {
        let known = |turn: &Turn| {
            let own = players.contains(&turn.player);
            match turn.text.strip_prefix("ex.") {
                Some(tiles) if !own => format!("ex.{}", tiles.len()),
                _ if own && turn.text != "pass" => format!("{}.{}", turn.text, turn.rack),
                _ => turn.text.clone(),
            }
        };
        self.turns.iter().map(known).collect()
    }

    fn play(&mut self, text: &str, score: i32) -> Attempt<()> {
        let player = self.player();
        self.turns.push(Turn {
            player,
            rack: self.rack(player),
            text: text.to_string(),
        });
        self.scores[player] += score;
        self.zero_turns = if score == 0 { self.zero_turns + 1 } else { 0 };
        match text.split_once('.') {
            None => {} // A pass.
            Some(("ex", tiles)) => {
                for tile in tiles.chars() {
                    self.take(player, tile)?;
                }
                // New tiles are drawn before the old ones go into the bag.
                self.draw(player, tiles.len());
                self.bag.extend(tiles.chars());
            }
            Some((place, word)) => {
                self.place(player, place, word)?;
                self.draw(player, RACK_SIZE - self.racks[player].len());
            }
        }
        Ok(())
    }

    /// A move names the whole word: tiles come from the rack where the board is empty.
    fn place(&mut self, player: usize, place: &str, word: &str) -> Attempt<()> {
        let across = place.starts_with(|first: char| first.is_ascii_digit());
        let row = place.trim_matches(|c: char| c.is_ascii_uppercase());
        let column = place.trim_matches(|c: char| c.is_ascii_digit());
        let (mut row, mut column) = match (row.parse::<u8>(), column.as_bytes()) {
            (Ok(row), [letter @ b'A'..=b'O']) => (row, letter - b'A'),
            _ => return Err(format!("'{place}' is no square")),
        };
        for letter in word.chars() {
            if let Entry::Vacant(square) = self.board.entry((row, column)) {
                square.insert(letter);
                self.take(player, if letter.is_lowercase() { '?' } else { letter })?;
            }
            if across {
                column += 1;
            } else {
                row += 1;
            }
        }
        Ok(())
    }

    fn take(&mut self, player: usize, tile: char) -> Attempt<()> {
        let rack = &mut self.racks[player];
        let at = rack.iter().position(|held| *held == tile);
        rack.swap_remove(at.ok_or_else(|| format!("{tile} is not on the rack"))?);
        Ok(())
    }

    fn is_out(&self, player: usize) -> bool {
        self.bag.is_empty() && self.racks[player].is_empty()
    }

    fn is_over(&self) -> bool {
        self.is_out(0) || self.is_out(1) || self.zero_turns == ZERO_TURNS
    }

    /// What the tiles left over change for a player when the game is over.
    fn adjustment(&self, player: usize) -> i32 {
        let worth = |tile: &char| TILES.iter().find(|(known, ..)| known == tile);
        let left = |player: usize| -> i32 {
            let tiles = self.racks[player].iter().filter_map(worth);
            tiles.map(|(_, _, points)| points).sum()
        };
        let other = 1 - player;
        match (self.is_out(player), self.is_out(other)) {
            (true, _) => 2 * left(other),
            (_, true) => 0,
            _ => -left(player),
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the standard library has no
/// generator that starts from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed % limit as u64) as usize
    }
}

struct Arguments {
    engine: PathBuf,
    /// Milliseconds for a move.
    movetime: u32,
    seed: u64,
    options: Vec<(String, String)>,
}

const USAGE: &str = "usage: client [ENGINE] [--movetime MS] [--seed N] [--option NAME=VALUE]...";

impl Arguments {
    fn read() -> Attempt<Arguments> {
        let mut arguments = Arguments {
            engine: built(),
            movetime: 100,
            seed: 1,
            options: Vec::new(),
        };
        let mut words = env::args_os().skip(1);
        while let Some(word) = words.next() {
            let mut next = || match words.next().and_then(|word| word.into_string().ok()) {
                Some(value) => Ok(value),
                None => Err(USAGE.to_string()),
            };
            match word.to_str() {
                Some("--movetime") => arguments.movetime = number(&next()?)?,
                Some("--seed") => arguments.seed = number(&next()?)?,
                Some("--option") => {
                    let option = next()?;
                    let (name, value) = option.split_once('=').ok_or(USAGE)?;
                    arguments
                        .options
                        .push((name.to_string(), value.to_string()));
                }
                Some(unknown) if unknown.starts_with('-') => return Err(USAGE.to_string()),
                _ => arguments.engine = word.into(),
            }
        }
        Ok(arguments)
    }
}

/// The engine of the same build: Cargo puts examples into a folder beside it.
fn built() -> PathBuf {
    let example = env::current_exe().unwrap_or_default();
    let folder = example.parent().and_then(Path::parent);
    let folder = folder.unwrap_or(Path::new(""));
    folder.join(format!("cazique{EXE_SUFFIX}"))
}
