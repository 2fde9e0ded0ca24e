//! What several subjects need: the real binary on a leash, and random games.

use cazique::lexicon::{Graph, Lexicon};
use cazique::movegen::plain;
use cazique::rules::{Embedded, Game, Library, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::TileSet;
use rand::RngExt;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The program, driven as a client drives it.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All that it says where nothing should be said: panics do.
    complaints: Option<JoinHandle<String>>,
}

/// Longer than anything should take, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    pub fn start() -> Client {
        Client::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cazique"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut errors = child.stderr.take().expect("its errors are piped");
        let complaints = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let output = child.stdout.take().expect("its output is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Client {
            input: child.stdin.take(),
            child,
            lines,
            complaints: Some(complaints),
        }
    }

    /// The memory it holds and the most it ever held, in kB, where the system tells.
    pub fn memory(&self) -> Option<[u64; 2]> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let kilobytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.trim_start_matches(':')
                .trim_end_matches("kB")
                .trim()
                .parse()
                .ok()
        };
        Some([kilobytes("VmRSS")?, kilobytes("VmHWM")?])
    }

    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n").as_bytes());
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the program reads");
        input.flush().expect("the program reads");
    }

    /// The lines up to and with the first that starts with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut got = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => got.push(line),
                Err(error) => panic!(
                    "no line '{start}…' ({error}); last lines {:?}",
                    got.iter().rev().take(5).collect::<Vec<_>>()
                ),
            }
            if got.last().is_some_and(|line| line.starts_with(start)) {
                return got;
            }
        }
    }

    /// The next line, whatever it is.
    pub fn next_line(&mut self) -> String {
        self.lines
            .recv_timeout(PATIENCE)
            .expect("the program answers")
    }

    /// What the program says to these lines, up to the answer to an `isready` after them.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.say(lines);
        self.say("isready");
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Closes the input, and waits for the program to end well and without a complaint; the lines it still said.
    pub fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut rest = Vec::new();
        let end = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the program does not end"),
            }
        }
        assert!(
            self.child
                .wait()
                .expect("the program can be waited for")
                .success()
        );
        let complaints = self.complaints.take().map(JoinHandle::join);
        assert!(
            matches!(&complaints, Some(Ok(said)) if said.is_empty()),
            "{complaints:?}"
        );
        rest
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn rules(preset: &str) -> Arc<RuleSet> {
    Arc::new(Embedded.rules(preset).expect("a preset"))
}

/// A preset with some values changed.
pub fn variation(preset: &str, changes: &str) -> Arc<RuleSet> {
    let file = format!("base = {preset}\n{changes}");
    Arc::new(RuleSet::parse("variation", &file, &Embedded).expect("a rule file"))
}

/// The embedded lexicon, made once for all tests.
pub fn lexicon(tiles: &TileSet) -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    let lexicon = LEXICON.get_or_init(|| Lexicon::embedded(tiles).expect("the embedded lexicon").0);
    assert!(
        lexicon.fits(tiles),
        "the test lexicon is for the letters A to Z"
    );
    lexicon
}

/// The most turns of a random game: those with exchanges may go on for ever.
const MAX_TURNS: usize = 120;

/// Plays a game of random legal turns to its end, or for long enough, and
/// shows `watch` each game before its turn.
pub fn random_game(
    rules: &Arc<RuleSet>,
    players: usize,
    graph: &Graph,
    seed: Seed,
    mut watch: impl FnMut(&Game, &Turn),
) -> Game {
    let mut chance = seed.generator();
    let mut game = Game::new(rules.clone(), players).expect("the number of players fits");
    for _ in 0..MAX_TURNS {
        game.deal_unknown(&mut chance);
        if game.end().is_some() {
            break;
        }
        let turns = plain::turns(game.position(), graph, &|| true);
        let placements = turns
            .iter()
            .filter(|scored| matches!(scored.turn, Turn::Place(_)))
            .count();
        // Mostly placements, else games would be long rows of exchanges.
        let some = if placements > 0 && chance.random_range(0..10) > 0 {
            placements
        } else {
            turns.len()
        };
        let turn = turns[chance.random_range(0..some)].turn;
        watch(&game, &turn);
        game.play(&turn).expect("a generated turn is legal");
    }
    game
}

/// Damaged copies of a file: cut short, with bits flipped, with bytes of chance, with parts moved.
pub fn damaged(file: &[u8], seed: Seed, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut chance = seed.generator();
    (0..count).map(move |at| {
        let mut bytes = file.to_vec();
        let place = chance.random_range(0..bytes.len());
        match at % 5 {
            0 => bytes.truncate(place),
            1 | 2 => bytes[place] ^= 1 << chance.random_range(0..8),
            3 => {
                for _ in 0..chance.random_range(1..8) {
                    let place = chance.random_range(0..bytes.len());
                    bytes[place] = chance.random();
                }
            }
            _ => bytes.rotate_left(place),
        }
        bytes
    })
}
