//! Clients that send anything: no line, file or manner ends a session, and
//! after all of it a known position is still answered right.
//!
//! `CAZIQUE_FUZZ_LINES` says how many lines the long test sends; a million
//! take some minutes.

mod clients;
mod files;
mod lines;

use crate::support::Client;
use cazique::seed::Seed;
use lines::{FILES, Lines};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, Instant};

/// How many lines are sent unless the environment says otherwise.
const LINES: usize = 20_000;
/// How many of them are sent before the known position is asked for.
const BATCH: usize = 2_000;
/// The most memory the program may hold after all that, in kB.
const MAX_MEMORY: u64 = 140_000;
/// The longest line that is sent where it shall be read: a little below the limit.
const MAX_LINE: usize = (1 << 20) - 100;
/// How long such a line may take. It takes less than a second on a machine that is not busy.
const SOON: Duration = Duration::from_secs(30);
/// The longest line that the program may say: the CGP of a full board is shorter.
const MAX_ANSWER: usize = 4_000;

#[test]
fn hostile_lines_change_nothing_that_lasts() {
    let wanted = std::env::var("CAZIQUE_FUZZ_LINES").ok();
    let count = wanted.and_then(|n| n.parse().ok()).unwrap_or(LINES);
    let folder = Folder::new("lines");
    let mut target = Target::start();
    let start = Instant::now();
    let mut sent = 0;
    for batch in (0..).take_while(|batch| batch * BATCH < count) {
        let mut lines = Lines::new(Seed(20).for_unit(batch as u64), folder.path());
        for at in 0..BATCH {
            target.client.send(&lines.line());
            // A search that goes on has most lines refused. So every other
            // batch waits now and then, that more of them do what they say.
            if batch % 2 == 0 && at % 10 == 0 {
                target.finish();
            }
        }
        sent += BATCH;
        target.settle();
        target.check_known_position();
        let _ = fs::remove_file(folder.path().join("log"));
    }
    let memory = target.client.memory();
    if let Some([now, peak]) = memory {
        assert!(now < MAX_MEMORY, "{now} kB, the peak was {peak} kB");
    }
    target.client.close();
    let took = start.elapsed();
    // Cargo shows it for `--nocapture`.
    let report = format!("{sent} lines in {took:.0?}, memory and its peak in kB {memory:?}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes());
}

/// Lines of nearly 1 MiB, each of which could be slow in its own way.
#[test]
fn the_longest_lines_are_answered_soon() {
    let folder = Folder::new("long");
    let mut target = Target::start();
    let filled = |start: &str, filling: &str| {
        let times = (MAX_LINE - start.len()) / filling.len();
        format!("{start}{}", filling.repeat(times))
    };
    let board = ["15"; 15].join("/");
    let rack = format!("position cgp {board} AEINR??/ 0/0 0");
    for (before, line) in [
        (
            rack.clone(),
            format!("go alsosearchmoves{}", different_moves()),
        ),
        (rack.clone(), filled("go searchmoves", " 8H.AE")),
        (String::new(), filled("position startpos moves", " pass")),
        (
            "setoption name Rules value deluxe".to_string(),
            filled("position startpos moves", " ex.1"),
        ),
        (
            "setoption name Rules value deluxe".to_string(),
            filled("position startpos moves", " phony.8H.AB"),
        ),
        (String::new(), filled(&rack, " a b;")),
        (String::new(), filled("position cgp ", "/")),
        (String::new(), filled("position cgp ", "1")),
        (
            String::new(),
            filled(&format!("position cgp {board} "), "A/"),
        ),
        (
            String::new(),
            filled(&format!("position cgp {board} "), "[A]"),
        ),
        (String::new(), filled("position cgp ", "[")),
        (
            String::new(),
            filled(&format!("position cgp {board} A/ "), "9"),
        ),
        (
            filled("setoption name DataPath value ", "a;"),
            "setoption name Board value nosuch".to_string(),
        ),
        (rack.clone(), filled("check 8H.", "A")),
        (rack.clone(), filled("check ", ".")),
        (rack.clone(), filled("rack ", "A")),
    ] {
        target.client.say(&before);
        let start = Instant::now();
        target.client.say(&line);
        target.settle();
        let (took, shown) = (start.elapsed(), &line[..60.min(line.len())]);
        assert!(took < SOON, "{took:?} for {shown}…");
        target.check_known_position();
    }
    target.client.close();
    drop(folder);
}

/// Moves that are all different and could all be made with AEINR and two blanks.
fn different_moves() -> String {
    let letters = || "abcdefghijklmnopqrstuvwxyz".chars();
    let mut moves = String::new();
    for word in [
        "AEINR", "AENIR", "AINER", "ANIRE", "ERINA", "INERA", "RINEA", "NARIE", "ENIAR", "IRENA",
        "RAINE", "NEIRA",
    ] {
        for start in ["8D", "8E", "8F", "8G", "H4", "H7", "H5", "H6"] {
            for (a, b) in letters().flat_map(|a| letters().map(move |b| (a, b))) {
                moves += &format!(" {start}.{word}{a}{b}");
            }
        }
    }
    moves
}

/// A program under attack.
struct Target {
    client: Client,
    /// What `help` says: lines that look like no others.
    help: HashSet<String>,
    /// What a search says of the known position before any harm is done.
    known: Vec<String>,
    syncs: usize,
}

impl Target {
    fn start() -> Target {
        let mut client = Client::start();
        let help = client.ask("help").into_iter().collect();
        let known = search_known_position(&mut client);
        assert!(known[1].starts_with(KNOWN_BEST), "{known:?}");
        Target {
            client,
            help,
            known,
            syncs: 0,
        }
    }

    /// Sends a line that nothing else sends, and gives all that is said up to its answer.
    fn sync(&mut self) -> Vec<String> {
        self.syncs += 1;
        let word = format!("sync-{}", self.syncs);
        self.client.say(&word);
        let answer = format!("info string error unknown-command there is no command '{word}'");
        let mut said = self.client.until(&answer);
        said.pop();
        said
    }

    fn set(&mut self, option: &str, path: &Path) {
        let path = path.display();
        self.client
            .say(&format!("setoption name {option} value {path}"));
    }

    /// Waits for the answers to what was sent, judges them, and sets the options back.
    fn settle(&mut self) {
        self.finish();
        for (name, value) in DEFAULTS {
            self.client
                .say(&format!("setoption name {name} value {value}"));
        }
        assert_eq!(self.sync(), [""; 0], "an option does not go back");
    }

    /// Waits for the answers to what was sent and judges them.
    fn finish(&mut self) {
        self.client.say("stop");
        let mut said = self.sync();
        let count = |said: &[String], start: &str| {
            said.iter().filter(|line| line.starts_with(start)).count()
        };
        let searches = count(&said, "info string provenance ");
        if count(&said, "bestmove ") < searches {
            said.extend(self.client.until("bestmove "));
        }
        assert_eq!(count(&said, "bestmove "), searches);
        for line in &said {
            assert!(
                self.help.contains(line) || is_answer(line),
                "the protocol has no line '{line}'"
            );
        }
    }

    /// What a search, a referee and a drawing say of a position is what they always say.
    fn check_known_position(&mut self) {
        assert_eq!(search_known_position(&mut self.client), self.known);
        self.client.say("check 12K.FAYS");
        self.client.say("check 1H.ZA");
        assert_eq!(self.sync(), KNOWN_CHECKS);
        self.client.say("show");
        let shown = self.client.until("position cgp ");
        assert_eq!(shown.last().map(String::as_str), Some(KNOWN));
    }
}

fn search_known_position(client: &mut Client) -> Vec<String> {
    client.say(KNOWN);
    client.say("go gen candidates 3");
    let mut said = client.until("bestmove ");
    // How long it took is all that may change.
    said.retain(|line| !line.starts_with("info time "));
    said
}

const KNOWN: &str = "position cgp 15/15/15/15/7JANN4/8ME5/6FOUD5/2bRAZED7/2A2OU8/2L2N9/2AR1A1WYLE4/2TI1EUOI1FAY2/2AT2PEN2ROTI/ON1T11/MEGS11 AEGLOST/ISX 154/185 0";
/// Through the I, from one triple-word square to the other: 11 x 9 + 50.
const KNOWN_BEST: &str = "info gen move O8.OTALGIES score 149 ";
const KNOWN_CHECKS: [&str; 2] = [
    "info check move 12K.FAYS score 12 valid no words FAYS,ST phony ST parts 10,2 bonus 0",
    "info string error bad-move the play touches no tile on the board",
];

/// Every option as it is at first, in an order in which each can be set
/// whatever the others are.
const DEFAULTS: [(&str, &str); 20] = [
    ("EndgameHash", "64"),
    ("Endgame", "on"),
    ("Peg", "on"),
    ("Threads", "1"),
    ("Hash", "64"),
    ("Seed", "0"),
    ("Plies", "0"),
    ("WinPctTable", "auto"),
    ("Log", "<empty>"),
    ("Board", "<empty>"),
    ("LetterDistribution", "<empty>"),
    ("Rules", "tournament"),
    ("Lexicon", "OEL26"),
    ("LexiconEncoding", "auto"),
    ("DataPath", "<empty>"),
    ("ChallengeRule", "rules"),
    ("Players", "2"),
    ("Leaves", "auto"),
    ("WordMap", "auto"),
    ("Candidates", "40"),
];

/// Whether the protocol has such a line.
fn is_answer(line: &str) -> bool {
    if line.len() > MAX_ANSWER || line.chars().any(|c| c == '\0') {
        return false;
    }
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["siuok" | "ucgiok" | "readyok"] => true,
        ["id", "name" | "author", _, ..] | ["capability", _, ..] => true,
        ["option", "name", _, "type", "spin" | "combo" | "string", ..] => true,
        ["bestmove", _] => true,
        [
            "info",
            "time",
            _,
            "nodes",
            _,
            "nps",
            _,
            "hashfull",
            _,
            "string",
            ..,
        ] => true,
        ["info", "peg", "move", _, ..] => true,
        ["info", "endgame", "depth", _, "score", "spread", _, ..] => true,
        [
            "info",
            "gen",
            "move",
            _,
            "score",
            _,
            "eq",
            _,
            "leave",
            _,
            "rank",
            _,
            ..,
        ] => true,
        [
            "info",
            "check",
            "move",
            _,
            "score",
            _,
            "valid",
            "yes" | "no",
            ..,
        ] => true,
        [
            "info",
            "sim",
            "move",
            _,
            "wp",
            _,
            "wpse",
            _,
            "eq",
            _,
            "eqse",
            _,
            "iters",
            _,
            "rank",
            _,
            "kind",
            "exact" | "estimate",
            ..,
        ] => true,
        ["info", "time", _, "nodes", _, "string", ..]
        | ["info", "time", _, "nodes", _, "nps", _, "string", ..]
        | [
            "info",
            "time",
            _,
            "nodes",
            _,
            "nps",
            _,
            "currmove",
            _,
            "string",
            ..,
        ] => true,
        ["info", "string", "error", code, _, ..] => ERRORS.contains(code),
        [
            "info",
            "string",
            "ignored" | "provenance" | "leaves" | "lexicon" | "stopped",
            _,
            ..,
        ] => true,
        _ => is_drawn(line, &words),
    }
}

/// Every error code but `internal`: that one would be our own mistake.
const ERRORS: [&str; 9] = [
    "unknown-command",
    "bad-position",
    "bad-move",
    "bad-option",
    "bad-number",
    "unsupported-mode",
    "no-position",
    "busy",
    "data",
];

/// Whether it is a line of what `show` draws, or of rules.
fn is_drawn(line: &str, words: &[&str]) -> bool {
    let row = line
        .get(..2)
        .map(str::trim)
        .and_then(|row| row.parse::<u8>().ok());
    let (keys, starts) = (
        cazique::rules::RULE_FILE_KEYS,
        [
            "    A B C D E",
            "letter ' x2 ",
            "> player ",
            "  player ",
            "bag ",
            "the game is over: ",
            "final scores ",
            "position cgp ",
        ],
    );
    line.is_empty()
        || row.is_some_and(|row| (1..=21).contains(&row))
        || matches!(words, [key, "=", ..] if keys.contains(key))
        || starts.iter().any(|start| line.starts_with(start))
}

/// A folder for files that tests write; it goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    /// A folder with the files that hostile lines name.
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("cazique-fuzz-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("temporary files can be written");
        let folder = Folder(folder);
        for (name, text) in FILES {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("temporary files can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes of a file come back in an error line, but not all of them.
#[test]
fn an_error_line_is_short_whatever_a_file_holds() {
    let folder = Folder::new("error");
    let mut target = Target::start();
    let long = "x".repeat(1 << 19);
    for (option, text) in [
        ("Rules", format!("{long} = 7\n")),
        ("Rules", format!("base = deluxe\nrack = {long}\n")),
        ("Rules", format!("base = deluxe\nboard = {long}\n")),
        ("LetterDistribution", format!("{long},{long},1,500,0\n")),
        (
            "LetterDistribution",
            format!("{long},{long},1,1,0\n").repeat(2),
        ),
        ("Board", long.clone()),
    ] {
        let path = folder.write("long", text.as_bytes());
        target.set(option, &path);
        let said = target.sync();
        assert_eq!(said.len(), 1, "{option}");
        assert!(said[0].len() < 1_000 && is_answer(&said[0]), "{option}");
    }
    target.client.close();
}

/// Nine tiles on squares that each take the word four times make 262,144 times the letters.
#[test]
fn the_richest_board_does_not_overflow_a_score() {
    let folder = Folder::new("rich");
    let board = folder.write("rich.txt", "~~~~~~~~~~~~~~~~~~~~~\n".repeat(21).as_bytes());
    let tiles = folder.write("rich.csv", b"?,?,4,0,0\nA,a,255,100,1\nB,b,255,100,0\n");
    let words = folder.write("rich.txt.words", b"aa\naaaaaaaaa\naaaaaaaaaaaaaaaaaaaaa\n");
    let rules = folder.write("rich.rules", b"base = deluxe\nrack = 9\n");
    let mut target = Target::start();
    for (option, path) in [
        ("Rules", rules),
        ("LetterDistribution", tiles),
        ("Board", board),
        ("Lexicon", words),
    ] {
        target.set(option, &path);
    }
    target.client.say("position startpos moves rack.AAAAAAAAA");
    target.client.say("check 11A.AAAAAAAAAAAAAAAAAAAAA");
    target.client.say("check 11C.AAAAAAAAA");
    target.client.say("go gen candidates 1");
    let mut said = target.client.until("bestmove ");
    said.retain(|line| !line.starts_with("info time ") && !line.contains("provenance"));
    assert_eq!(
        said,
        [
            "info string error bad-move the play places 21 tiles, a rack holds 9",
            "info check move 11C.AAAAAAAAA score 1000000 valid yes words AAAAAAAAA parts 235929600 bonus 0",
            "info string leaves none: no built-in leave values suit racks of 9 of the tiles 'rich'; set Leaves to a file, or to none",
            "info gen move 11C.AAAAAAAAA score 1000000 eq 1000000 leave - rank 1",
            "bestmove 11C.AAAAAAAAA",
        ]
    );
    target.client.say("go sim iterations 3 depth 2");
    target.client.until("bestmove ");
    let rows = (11..=21).chain((1..11).rev());
    let moves: String = rows
        .map(|row| format!(" {row}C.AAAAAAAAA.AAAAAAAAA.1000000"))
        .collect();
    target
        .client
        .say(&format!("position startpos moves{moves}"));
    target.client.say("show");
    let shown = target.client.until("position cgp ");
    assert!(
        shown
            .iter()
            .any(|line| line.contains("player 1 score 22000000 ")),
        "{shown:?}"
    );
    target.settle();
    target.check_known_position();
    target.client.close();
}

#[test]
fn options_can_be_set_after_the_files_of_others_are_gone() {
    let folder = Folder::new("gone");
    let mut target = Target::start();
    for (option, file) in [
        ("Rules", "rules.txt"),
        ("Board", "board.txt"),
        ("LetterDistribution", "digraphs.csv"),
        ("Lexicon", "words.txt"),
    ] {
        target.set(option, &folder.path().join(file));
    }
    assert_eq!(target.sync(), [""; 0]);
    drop(folder);
    target.settle();
    target.check_known_position();
    target.client.close();
}

#[test]
fn a_file_with_the_name_of_a_lexicon_does_not_take_its_place() {
    let folder = Folder::new("twin");
    let twin = folder.write("oel26.txt", b"aa\n");
    let mut target = Target::start();
    let position = format!("position cgp {} AA/ 0/0 0", ["15"; 15].join("/"));
    target
        .client
        .say(&format!("{position} lex {};", twin.display()));
    target.client.say("show lexicon");
    let said = target.sync();
    assert!(
        said[0].starts_with("info string lexicon OEL26 words 1 "),
        "{said:?}"
    );
    target.check_known_position();
    target.client.close();
}

#[test]
fn not_every_one_of_many_ignored_words_is_told() {
    let mut target = Target::start();
    target
        .client
        .say(&format!("go gen candidates 1{}", " x".repeat(500_000)));
    let said = target.client.until("bestmove ");
    assert_eq!(said[0], "info string ignored x");
    assert_eq!(said[50], "info string ignored 499950 more");
    assert_eq!(said.len(), 50 + 1 + 4);
    target.client.close();
}

#[test]
fn a_flood_of_long_lines_does_not_fill_memory() {
    let mut target = Target::start();
    let line = format!("position startpos moves{}\n", " x".repeat(500_000));
    for _ in 0..100 {
        target.client.send(line.as_bytes());
    }
    target.settle();
    if let Some([_, peak]) = target.client.memory() {
        assert!(peak < MAX_MEMORY * 13 / 10, "the peak was {peak} kB");
    }
    target.check_known_position();
    target.client.close();
}
