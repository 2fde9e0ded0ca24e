//! Helpers that several tests share: the real program as a child process, rule sets, the lexicon,
//! random games and damaged files.

use cazique::board::Layout;
use cazique::lexicon::{Graph, Lexicon};
use cazique::movegen::{ScoredTurn, plain};
use cazique::rules::{Embedded, Game, Library, RuleSet, Turn};
use cazique::search::{Budget, StopToken};
use cazique::seed::Seed;
use cazique::tiles::TileSet;
use rand::{Rng, RngExt};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The program as a child process. Every failure to start, read or write fails the test.
pub struct Client(cazique::client::Client);

/// The longest wait for a line. Chosen by hand: longer than any answer takes on a busy machine.
const LINE_TIMEOUT: Duration = Duration::from_secs(60);

impl Client {
    pub fn start() -> Client {
        Client::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cazique"));
        let started = cazique::client::Client::start(command.args(arguments));
        let mut client = started.expect("the program starts");
        client.set_patience(LINE_TIMEOUT);
        Client(client)
    }

    /// The resident memory of the program now and at its peak, in kB. `None` without `/proc`.
    pub fn memory(&self) -> Option<[u64; 2]> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
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
        self.0.send_bytes(bytes).expect("the program reads");
    }

    /// The next lines, up to and including the first that starts with `start`.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut got: Vec<String> = Vec::new();
        while !got.last().is_some_and(|line| line.starts_with(start)) {
            match self.0.next_line(LINE_TIMEOUT) {
                Ok(Some(line)) => got.push(line),
                end => panic!(
                    "no line '{start}…' ({end:?}); last lines {:?}",
                    got.iter().rev().take(5).collect::<Vec<_>>()
                ),
            }
        }
        got
    }

    pub fn next_line(&mut self) -> String {
        let line = self.0.next_line(LINE_TIMEOUT);
        line.ok().flatten().expect("the program answers")
    }

    /// Sends `lines` and `isready`. Returns the answer without the final `readyok`.
    pub fn ask(&mut self, lines: &str) -> Vec<String> {
        self.say(lines);
        self.say("isready");
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Closes the input, waits for the program to end without a failure or a word on its standard
    /// error, and returns the lines that it still wrote.
    pub fn close(self) -> Vec<String> {
        let (rest, stderr) = self.0.close().expect("the program ends");
        assert_eq!(stderr, "");
        rest
    }
}

/// What a run of the program leaves behind.
pub struct Finished {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    /// The JSON object on the last line of a run that ended well and without complaints.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert!(self.success && self.stderr.is_empty(), "{}", self.stderr);
        serde_json::from_str(self.stdout.lines().last().expect("a line")).expect("JSON")
    }
}

/// Runs the program to its end with some text as standard input.
pub fn run(arguments: &[&str], input: &str) -> Finished {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cazique"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may refuse its arguments before it reads.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Finished {
        success: output.status.success(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The code blocks of a Markdown document in a language: each line with its number.
pub fn code_blocks(document: &str, language: &str) -> Vec<Vec<(usize, String)>> {
    let start = format!("```{language}");
    let mut blocks: Vec<Vec<(usize, String)>> = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(document.lines()) {
        match line {
            "```" => is_inside = false,
            line if line == start => {
                is_inside = true;
                blocks.push(Vec::new());
            }
            line if is_inside => blocks.last_mut().unwrap().push((number, line.to_string())),
            _ => {}
        }
    }
    blocks
}

/// The records of a file of the repository, one JSON object a line.
pub fn records(path: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(repository(path)).expect("a golden file");
    let record = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(record).collect()
}

/// The path of a file of the repository.
pub fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn rules(preset: &str) -> Arc<RuleSet> {
    Arc::new(Embedded.rules(preset).expect("a preset"))
}

/// A preset with other values for some rules, written as in a rule file.
pub fn variation(preset: &str, changes: &str) -> Arc<RuleSet> {
    let file = format!("base = {preset}\n{changes}");
    Arc::new(RuleSet::parse("variation", &file, &Embedded).expect("a rule file"))
}

/// The deluxe rules with an own board and tile set, and other values for some rules.
pub fn own_rules(board: &str, tiles: &str, changes: &str) -> Arc<RuleSet> {
    let file = format!("base = deluxe\n{changes}");
    let mut values = RuleSet::parse("own", &file, &Embedded)
        .expect("a rule file")
        .into_values();
    values.board = Arc::new(Layout::parse("own", board).expect("a board"));
    values.tiles = Arc::new(TileSet::parse("own", tiles).expect("a tile set"));
    Arc::new(RuleSet::new(values).expect("enough tiles"))
}

/// The cases of a table of text. Each line is an input, `=>` and what is expected of it. A `|` in
/// the input stands for the end of a line.
pub fn cases(table: &str) -> impl Iterator<Item = (String, &str)> {
    table.trim().lines().map(|line| {
        let (input, expected) = line.split_once(" => ").expect("a line has ' => '");
        (input.trim().replace('|', "\n"), expected)
    })
}

/// The embedded lexicon, built once for all tests.
pub fn lexicon(tiles: &TileSet) -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    let lexicon = LEXICON.get_or_init(|| Lexicon::embedded(tiles).expect("the embedded lexicon").0);
    assert!(
        lexicon.fits(tiles),
        "the test lexicon is for the letters A to Z"
    );
    lexicon
}

/// A budget without any limit.
pub fn no_limit() -> Budget {
    Budget::new(StopToken::default(), None, None)
}

/// The longest random game, in turns. Exchanges could make it endless. Chosen by hand.
const MAX_TURNS: usize = 120;

/// Plays a game of random legal moves to its end, or for [`MAX_TURNS`] turns. Calls `watch` with the
/// game before each move.
pub fn random_game(
    rules: &Arc<RuleSet>,
    players: usize,
    graph: &Graph,
    seed: Seed,
    mut watch: impl FnMut(&Game, &Turn),
) -> Game {
    let mut random = seed.generator();
    let mut game = Game::new(rules.clone(), players).expect("the number of players fits");
    for _ in 0..MAX_TURNS {
        game.deal_unknown(&mut random);
        if game.end().is_some() {
            break;
        }
        let turns = plain::turns(game.position(), graph);
        let turn = random_choice(&turns, &mut random);
        watch(&game, &turn);
        game.play(&turn).expect("a generated turn is legal");
    }
    game
}

/// A random one of some moves, of which the placements come first.
pub fn random_choice(turns: &[ScoredTurn], random: &mut impl Rng) -> Turn {
    let placements = turns
        .iter()
        .filter(|scored| matches!(scored.turn, Turn::Place(_)))
        .count();
    // Nine of ten moves are placements; otherwise most moves would be exchanges.
    let choices = if placements > 0 && random.random_range(0..10) > 0 {
        placements
    } else {
        turns.len()
    };
    turns[random.random_range(0..choices)].turn
}

/// Damaged copies of a file: cut short, with a flipped bit, with random bytes, or rotated.
pub fn damaged(file: &[u8], seed: Seed, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = seed.generator();
    (0..count).map(move |at| {
        let mut bytes = file.to_vec();
        let place = random.random_range(0..bytes.len());
        match at % 5 {
            0 => bytes.truncate(place),
            1 | 2 => bytes[place] ^= 1 << random.random_range(0..8),
            3 => {
                for _ in 0..random.random_range(1..8) {
                    let place = random.random_range(0..bytes.len());
                    bytes[place] = random.random();
                }
            }
            _ => bytes.rotate_left(place),
        }
        bytes
    })
}

/// The share of the full number of positions or games that a test of CI uses: a fiftieth, or all
/// with the variable CAZIQUE_ALL_POSITIONS.
pub fn share(all: u64) -> u64 {
    match std::env::var_os("CAZIQUE_ALL_POSITIONS") {
        Some(_) => all,
        None => (all / 50).max(1),
    }
}
