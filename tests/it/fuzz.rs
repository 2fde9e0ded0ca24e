//! Hostile clients: no line, file or timing ends a session, and afterwards the engine still answers
//! correctly about a known position.
//!
//! `CAZIQUE_FUZZ_LINES` is the number of lines that the long test sends; a million take some
//! minutes.

mod clients;
mod files;
mod lines;

use crate::support::Client;
use cazique::rules::RULE_FILE_KEYS;
use cazique::seed::Seed;
use cazique::siu::{ErrorCode, Reply};
use lines::{FILES, Lines};
use regex::Regex;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The number of lines of the long test, unless the environment says otherwise. Chosen for its
/// time.
const DEFAULT_LINES: usize = 20_000;
/// The number of lines between two checks of the known position. Chosen by hand.
const BATCH_LINES: usize = 2_000;
/// The most memory that the program may hold afterwards, in kB. Chosen by hand: it holds 117,000,
/// and up to 152,000 while a thread builds a word map.
const MAX_MEMORY_KB: u64 = 140_000;
/// The most memory that the program may hold while long lines flood it, in kB. Chosen by hand.
const MAX_PEAK_KB: u64 = 182_000;
/// The time limit for work in the background to end. On an idle machine it takes less than a second.
const BACKGROUND_TIME: Duration = Duration::from_secs(30);
/// The length of the longest lines that the program must read: a little below its limit of 1 MiB.
const LONG_LINE_BYTES: usize = (1 << 20) - 100;
/// The time limit for the answer to such a line. On an idle machine it takes less than a second.
const LONG_LINE_TIME: Duration = Duration::from_secs(30);
/// The longest line that the program may write, in bytes: the state of a game with all the tiles of
/// the files that hostile lines name is shorter.
const MAX_ANSWER_BYTES: usize = 8_000;

/// The number of lines that a test sends, unless `CAZIQUE_FUZZ_LINES` says otherwise.
pub fn line_count(default: usize) -> usize {
    let wanted = std::env::var("CAZIQUE_FUZZ_LINES").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn hostile_lines_change_nothing_that_lasts() {
    let count = line_count(DEFAULT_LINES);
    let folder = Folder::new();
    let mut target = Target::start();
    let start = Instant::now();
    let mut sent = 0;
    for batch in (0..).take_while(|batch| batch * BATCH_LINES < count) {
        let mut lines = Lines::new(Seed(20).for_unit(batch as u64), folder.path());
        for at in 0..BATCH_LINES {
            target.client.send(&lines.line());
            // During a search most lines are refused. So every other batch ends the searches
            // now and then, and more lines take effect.
            if batch % 2 == 0 && at % 10 == 0 {
                target.finish();
            }
        }
        sent += BATCH_LINES;
        target.settle();
        target.check_known_position();
        let _ = fs::remove_file(folder.path().join("log"));
    }
    let limit = Instant::now() + BACKGROUND_TIME;
    let is_above = |memory: Option<[u64; 2]>| memory.is_some_and(|[now, _]| now >= MAX_MEMORY_KB);
    while is_above(target.client.memory()) && Instant::now() < limit {
        thread::sleep(Duration::from_millis(100));
    }
    let memory = target.client.memory();
    if let Some([now, peak]) = memory {
        assert!(now < MAX_MEMORY_KB, "{now} kB, the peak was {peak} kB");
    }
    target.client.close();
    let took = start.elapsed();
    // Cargo shows it for `--nocapture`.
    let report = format!("{sent} lines in {took:.0?}, memory and its peak in kB {memory:?}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes());
}

/// Lines of nearly 1 MiB, each of which could be slow in its own way.
#[test]
fn the_longest_lines_are_answered_in_time() {
    let folder = Folder::new();
    let mut target = Target::start();
    let board = ["15"; 15].join("/");
    let rack = format!("position cgp {board} AEINR??/ 0/0 0");
    let deluxe = "setoption name Rules value deluxe";
    for (before, start, filling) in [
        (&*rack, "go alsosearchmoves", &*different_moves()),
        (&rack, "go searchmoves", " 8H.AE"),
        ("", "position startpos moves", " pass"),
        (deluxe, "position startpos moves", " ex.1"),
        (deluxe, "position startpos moves", " phony.8H.AB"),
        ("", &rack, " a b;"),
        ("", "position cgp ", "/"),
        ("", "position cgp ", "1"),
        ("", &format!("position cgp {board} "), "A/"),
        ("", &format!("position cgp {board} "), "[A]"),
        ("", "position cgp ", "["),
        ("", &format!("position cgp {board} A/ "), "9"),
        ("", "setoption name DataPath value ", "a;"),
        (&rack, "check 8H.", "A"),
        (&rack, "check ", "."),
        (&rack, "rack ", "A"),
    ] {
        target.say(before);
        let times = (LONG_LINE_BYTES - start.len()) / filling.len();
        let line = format!("{start}{}", filling.repeat(times));
        let sent = Instant::now();
        target.say(&line);
        // Looks into every folder of DataPath.
        target.say("setoption name Board value nosuch");
        target.settle();
        let (took, shown) = (sent.elapsed(), &line[..60.min(line.len())]);
        assert!(took < LONG_LINE_TIME, "{took:?} for {shown}…");
        target.check_known_position();
    }
    target.client.close();
    drop(folder);
}

/// Different moves, all of which AEINR and two blanks can make.
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

/// The program, with what it answered before any hostile line.
struct Target {
    client: Client,
    /// The lines of `help`, which have no common form.
    help: HashSet<String>,
    /// The answer of a search about the known position.
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

    fn say(&mut self, line: &str) {
        self.client.say(line);
    }

    /// Ends the session; the engine must still answer about the known position.
    fn close(mut self) {
        self.settle();
        self.check_known_position();
        self.client.close();
    }

    /// Sends a unique unknown command, and returns all lines up to its error.
    fn sync(&mut self) -> Vec<String> {
        self.syncs += 1;
        let word = format!("sync-{}", self.syncs);
        self.say(&word);
        let answer = format!("info string error unknown-command there is no command '{word}'");
        let mut said = self.client.until(&answer);
        said.pop();
        said
    }

    fn set(&mut self, option: &str, path: &Path) {
        let path = path.display();
        self.say(&format!("setoption name {option} value {path}"));
    }

    /// Sets rules, board, tiles and lexicon to files.
    fn set_rules(&mut self, files: [&PathBuf; 4]) {
        let options = ["Rules", "Board", "LetterDistribution", "Lexicon"];
        for (option, file) in options.into_iter().zip(files) {
            self.set(option, file);
        }
    }

    /// Waits for all answers, checks them, and sets all options to their defaults.
    fn settle(&mut self) {
        self.finish();
        for (name, value) in DEFAULTS {
            self.say(&format!("setoption name {name} value {value}"));
        }
        // The number of players may have to follow the rules. Until all options are set, a built-in
        // table may serve racks for which it was not counted.
        let expected = ["Players is now ", "the win probabilities OEL26-super:"];
        let is_expected = |line: &String| {
            let warning = line.strip_prefix("info string warning ");
            warning.is_some_and(|it| expected.iter().any(|start| it.starts_with(start)))
        };
        let mut said = self.sync();
        said.retain(|line| !is_expected(line));
        assert_eq!(said, [""; 0], "a default value is refused");
    }

    /// Ends the search, waits for all answers and checks them.
    fn finish(&mut self) {
        self.say("stop");
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

    /// Checks that `go`, `check` and `show` answer about the known position as before.
    fn check_known_position(&mut self) {
        assert_eq!(search_known_position(&mut self.client), self.known);
        self.say("check 12K.FAYS");
        self.say("check 1H.ZA");
        assert_eq!(self.sync(), KNOWN_CHECKS);
        self.say("show");
        let shown = self.client.until("position cgp ");
        assert_eq!(shown.last().map(String::as_str), Some(KNOWN));
    }
}

fn search_known_position(client: &mut Client) -> Vec<String> {
    client.say(KNOWN);
    client.say("go gen candidates 3");
    let mut said = client.until("bestmove ");
    // Only the time may differ.
    said.retain(|line| !line.starts_with("info time "));
    said
}

/// The position that must be answered correctly after everything.
const KNOWN: &str = "position cgp 15/15/15/15/7JANN4/8ME5/6FOUD5/2bRAZED7/2A2OU8/2L2N9/2AR1A1WYLE4/2TI1EUOI1FAY2/2AT2PEN2ROTI/ON1T11/MEGS11 AEGLOST/ISX 154/185 0";
/// Through the I, from one triple-word square to the other: 11 x 9 + 50.
const KNOWN_BEST: &str = "info gen move O8.OTALGIES score 149 ";
/// The answers to two `check` commands in that position.
const KNOWN_CHECKS: [&str; 2] = [
    "info check move 12K.FAYS score 12 valid no words FAYS,ST phony ST parts 10,2 bonus 0",
    "info string error bad-move the play touches no tile on the board",
];

/// Every option with its default, in an order in which each can be set whatever the others are.
const DEFAULTS: [(&str, &str); 22] = [
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
    ("Variant", "classic"),
    ("UnknownLexicon", "refuse"),
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
    if line.len() > MAX_ANSWER_BYTES || line.contains('\0') {
        return false;
    }
    match Reply::parse(line) {
        Reply::Plain(_) => is_drawn(line),
        // The code `internal` would be a bug.
        Reply::Error { code, text } => {
            let mut codes = ErrorCode::ALL.into_iter();
            codes.any(|(known, text)| known != ErrorCode::Internal && text == code)
                && !text.is_empty()
        }
        Reply::Text(text) => {
            let starts = [
                "ignored ", "leaves ", "lexicon ", "stopped ", "warning ", "winpct ",
            ];
            starts.iter().any(|start| text.starts_with(start))
        }
        Reply::Info(_) => info_lines().is_match(line),
        reply => reply.to_string() == line,
    }
}

/// The `info` lines of the protocol with all their keys, in their order. The placeholders are
/// those of [`info_lines`].
const INFO_LINES: [&str; 11] = [
    "string provenance engine=W leaves=W winpct=W lexicon=W rules=W",
    "time N nodes N( nps N)?( hashfull N)?( currmove W)? string .+",
    "gen move W score P eq E leave W rank N( kept E)?( opening E)?( blanks E)?( ending E)?M",
    "sim move W wp F( wpse F)? eq F( eqse F)? iters N rank N kind (estimate|exact) score P leave W static E( dropped yes)?M( reply W replypct D)?( plies (D/D/D,?)+)?",
    "endgame depth N score spread [+]?E pv W( W)* move W rank N kind (exact|bound)( result (win|draw|loss))?( scores (P/?)+)?M",
    "peg move W w:[^ ]* d:[^ ]* l:[^ ]* spread [+]?D wp F rank N kind (exact|estimate)( mixed:W)?( open:N)?M",
    "check move W score P valid (yes|no)( missing W| words W( phony W)?( missing W)? parts (P,?)+ bonus P)?",
    "check word W valid (yes|no)( tier N)?",
    "draw round N( seat N tile W)+",
    "draw first N",
    "state tomove N players N scores W racks W unknown W bag N unseen W exchange N scoreless N lastmove W( lastseat N lastscore P)? over W( overseat N)?( adjustments W final W winner W)? rules W rack N challenge W scope W board W layout W tiles W letters W lexicon W cgp .+",
];

/// One pattern for all [`INFO_LINES`].
fn info_lines() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let placeholders = [
            ("M", "( asked yes)?( valid no)?"),
            ("W", "[^ ]+"),
            ("N", "[0-9]+"),
            ("P", "-?[0-9]+"),
            ("E", "-?[0-9]+([.][0-9]{1,3})?"),
            ("F", "-?[0-9]+[.][0-9]{2}"),
            ("D", "-?[0-9]+[.][0-9]"),
        ];
        let forms = INFO_LINES.join("|");
        let pattern = placeholders
            .iter()
            .fold(forms, |forms, (name, pattern)| forms.replace(name, pattern));
        Regex::new(&format!("^info ({pattern})$")).expect("a pattern")
    });
    &PATTERN
}

/// Whether `show` or `show rules` writes such a line.
fn is_drawn(line: &str) -> bool {
    let row = line.get(..2).and_then(|row| row.trim().parse::<u8>().ok());
    let starts = [
        "    A B C D E",
        "letter ' x2 ",
        "> player ",
        "  player ",
        "bag ",
        "the game is over: ",
        "final scores ",
        "the final scores ",
        "position cgp ",
    ];
    let is_key = |(key, _)| RULE_FILE_KEYS.contains(&key);
    line.is_empty()
        || row.is_some_and(|row| (1..=21).contains(&row))
        || line.split_once(" = ").is_some_and(is_key)
        || starts.iter().any(|start| line.starts_with(start))
}

/// A temporary folder, which is removed when it is dropped.
struct Folder(TempDir);

impl Folder {
    /// Makes a folder with the files that hostile lines name.
    fn new() -> Folder {
        let folder = Folder(TempDir::new().expect("temporary files can be written"));
        for (name, text) in FILES {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("temporary files can be written");
        path
    }
}

/// An error line quotes a bad file, but only its beginning.
#[test]
fn an_error_line_is_short_whatever_a_file_holds() {
    let folder = Folder::new();
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

/// Nine tiles on quadruple-word squares multiply the word score by 262,144.
#[test]
fn a_score_does_not_overflow_on_the_richest_board() {
    let folder = Folder::new();
    let board = folder.write("rich.txt", "~~~~~~~~~~~~~~~~~~~~~\n".repeat(21).as_bytes());
    let tiles = folder.write("rich.csv", b"?,?,4,0,0\nA,a,255,100,1\nB,b,255,100,0\n");
    let words = folder.write("rich.txt.words", b"aa\naaaaaaaaa\naaaaaaaaaaaaaaaaaaaaa\n");
    let rules = folder.write("rich.rules", b"base = deluxe\nrack = 9\n");
    let mut target = Target::start();
    target.set("DataPath", folder.path());
    target.set_rules([&rules, &board, &tiles, &words]);
    target.say("position startpos moves rack.AAAAAAAAA");
    target.say("check 11A.AAAAAAAAAAAAAAAAAAAAA");
    target.say("check 11C.AAAAAAAAA");
    target.say("go gen candidates 1");
    let mut said = target.client.until("bestmove ");
    said.retain(|line| !line.starts_with("info time ") && !line.contains("provenance"));
    assert_eq!(
        said,
        [
            "info string error bad-move the play places 21 tiles, a rack holds 9",
            "info check move 11C.AAAAAAAAA score 1000000 valid yes words AAAAAAAAA parts 235929600 bonus 0",
            "info string leaves none: no built-in leave values suit racks of 9 of the tiles 'rich' on a board of 21x21; make your own with 'leaves train --lexicon FILE --rules FILE -o NEW.klv2'",
            "info string winpct none: no built-in win probabilities suit racks of 9 of the tiles 'rich' on a board of 21x21; make your own with 'leaves win LEAVES --lexicon FILE --rules FILE -o NEW.win'",
            "info gen move 11C.AAAAAAAAA score 1000000 eq 1000000 leave - rank 1",
            "bestmove 11C.AAAAAAAAA",
        ]
    );
    target.say("go sim iterations 3 depth 2");
    target.client.until("bestmove ");
    let rows = (11..=21).chain((1..11).rev());
    let moves: String = rows
        .map(|row| format!(" {row}C.AAAAAAAAA.AAAAAAAAA"))
        .collect();
    target.say(&format!("position startpos moves{moves}"));
    target.say("show");
    let shown = target.client.until("position cgp ").join("\n");
    assert!(shown.contains("player 1 score 11000000 "), "{shown}");
    target.close();
}

#[test]
fn options_can_be_set_after_the_files_of_others_are_gone() {
    let folder = Folder::new();
    let mut target = Target::start();
    let files = ["rules.txt", "board.txt", "digraphs.csv", "words.txt"];
    let paths = files.map(|file| folder.path().join(file));
    target.set_rules(paths.each_ref());
    let mut said = target.sync();
    said.retain(|line| !line.starts_with("info string warning "));
    assert_eq!(said, [""; 0]);
    drop(folder);
    target.close();
}

#[test]
fn a_file_with_the_name_of_a_lexicon_does_not_take_its_place() {
    let folder = Folder::new();
    let twin = folder.write("oel26.txt", b"aa\n");
    let mut target = Target::start();
    let position = format!("position cgp {} AA/ 0/0 0", ["15"; 15].join("/"));
    target.say(&format!("{position} lex {};", twin.display()));
    target.say("show lexicon");
    let said = target.sync();
    let last = said.last().expect("an answer");
    assert!(
        last.starts_with("info string lexicon OEL26 words 1 "),
        "{said:?}"
    );
    target.close();
}

#[test]
fn only_the_first_ignored_words_are_named() {
    let mut target = Target::start();
    target.say(&format!("go gen candidates 1{}", " x".repeat(500_000)));
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
        assert!(peak < MAX_PEAK_KB, "the peak was {peak} kB");
    }
    target.close();
}
