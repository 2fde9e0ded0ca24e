//! Commands as they are typed: syntax only, nothing is asked of the game.

use crate::engine::{GoRequest, MAX_CANDIDATES, MAX_THREADS, Mode};
use crate::rules::MAX_PLAYERS;
use crate::search::clock::Clock;
use crate::search::sim::{MAX_ITERATIONS, MAX_PLIES, StopConfidence};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "there is one command at a time")]
pub enum Command {
    /// `siu` or `ucgi`: say who you are. Which of the two is kept for the answer.
    Hello(Dialect),
    /// `setoption name … value …`.
    SetOption {
        /// The option.
        name: String,
        /// Its value.
        value: String,
    },
    /// `isready`.
    IsReady,
    /// `siunewgame` or `ucginewgame`.
    NewGame,
    /// `position …`.
    Position {
        /// A position in CGP; without it the start position.
        cgp: Option<String>,
        /// Moves from there.
        moves: Vec<String>,
    },
    /// `rack TILES`.
    Rack(String),
    /// `go …`.
    Go(Go),
    /// `check MOVE`.
    Check(String),
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `show …`.
    Show(Topic),
    /// `help`.
    Help,
}

/// The two names of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `siu`.
    Siu,
    /// `ucgi`.
    Ucgi,
}

/// What can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The board, racks and scores.
    Board,
    /// The words in use.
    Lexicon,
    /// The rules in use.
    Rules,
}

/// A search as it is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What can be done.
    pub request: GoRequest,
    /// Words that mean nothing, or that cannot be honoured.
    pub ignored: Vec<String>,
}

/// The modes of `go` that the engine has.
pub(super) const MODES: [(&str, Mode); 5] = [
    ("gen", Mode::Rank),
    ("sim", Mode::Simulate),
    ("endgame", Mode::Endgame),
    ("peg", Mode::Preendgame),
    ("auto", Mode::Auto),
];
/// Those that the protocol knows besides.
const OTHER_MODES: [&str; 1] = ["infer"];
/// Parameters of `go` with a number, and what that can be.
pub(super) const NUMBERS: [(&str, u64, u64); 7] = [
    ("movetime", 0, MAX_MILLIS),
    ("candidates", 1, MAX_CANDIDATES as u64),
    ("iterations", 1, MAX_ITERATIONS),
    ("depth", 0, MAX_PLIES as u64),
    ("stopcondition", 50, 99),
    ("seed", 0, u64::MAX),
    ("threads", 1, MAX_THREADS as u64),
];
/// The word without a value that is about endings.
pub(super) const FIRST_WIN: &str = "firstwin";
/// Parameters of `go` without a value that it cannot honour yet.
const IGNORED: [&str; 2] = ["useinference", "challenge"];
/// The longest `movetime`, clock or increment in milliseconds: more than eleven days.
pub const MAX_MILLIS: u64 = 1_000_000_000;

impl Command {
    /// Reads a line; nothing if it is blank.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ok(Some(match words.as_slice() {
            [] => return Ok(None),
            ["siu", ..] => Command::Hello(Dialect::Siu),
            ["ucgi", ..] => Command::Hello(Dialect::Ucgi),
            ["setoption", rest @ ..] => set_option(rest)?,
            ["isready", ..] => Command::IsReady,
            ["siunewgame" | "ucginewgame", ..] => Command::NewGame,
            ["position", rest @ ..] => position(rest)?,
            ["rack", tiles, ..] => Command::Rack(tiles.to_string()),
            ["rack"] => return Err(CommandError::Incomplete("rack TILES")),
            ["go", rest @ ..] => Command::Go(Go::parse(rest)?),
            ["check", text, ..] => Command::Check(text.to_string()),
            ["check"] => return Err(CommandError::Incomplete("check MOVE")),
            ["stop", ..] => Command::Stop,
            ["quit", ..] => Command::Quit,
            ["show", "lexicon", ..] => Command::Show(Topic::Lexicon),
            ["show", "rules", ..] => Command::Show(Topic::Rules),
            ["show", ..] => Command::Show(Topic::Board),
            ["help", ..] => Command::Help,
            [other, ..] => return Err(CommandError::Unknown(other.chars().take(60).collect())),
        }))
    }
}

/// `name <words> [value <words>]`; names and values may hold spaces.
fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let form = CommandError::Incomplete("setoption name NAME [value VALUE]");
    let ["name", rest @ ..] = words else {
        return Err(form);
    };
    let split = rest
        .iter()
        .position(|word| *word == "value")
        .unwrap_or(rest.len());
    let (name, value) = (
        rest[..split].join(" "),
        rest.get(split + 1..).unwrap_or_default().join(" "),
    );
    if name.is_empty() {
        return Err(form);
    }
    Ok(Command::SetOption { name, value })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let split = words
        .iter()
        .position(|word| *word == "moves")
        .unwrap_or(words.len());
    let moves = words
        .get(split + 1..)
        .unwrap_or_default()
        .iter()
        .map(|text| text.to_string())
        .collect();
    let cgp = match &words[..split] {
        ["startpos"] => None,
        ["cgp", fields @ ..] => Some(fields.join(" ")),
        _ => {
            return Err(CommandError::Incomplete(
                "position startpos|cgp … [moves …]",
            ));
        }
    };
    Ok(Command::Position { cgp, moves })
}

impl Go {
    fn parse(words: &[&str]) -> Result<Go, CommandError> {
        let mut go = Go::default();
        let mut given = Vec::new();
        let mut clocks = [(None, None); MAX_PLAYERS];
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            let number_of = NUMBERS.iter().find(|(name, ..)| name == word);
            if let Some((_, mode)) = MODES.iter().find(|(name, _)| name == word) {
                go.request.mode = *mode;
            } else if OTHER_MODES.contains(word) {
                return Err(CommandError::Mode(word.to_string()));
            } else if let Some((name, low, high)) = number_of {
                go.request.set(name, number(name, &mut rest, *low, *high)?);
                given.push(*word);
            } else if let Some((seat, what)) = clock(word) {
                let (left, increment) = &mut clocks[seat];
                match what {
                    ClockPart::Left => *left = Some(millis(word, &mut rest)?),
                    ClockPart::Increment => {
                        *increment = Some(number(word, &mut rest, 0, MAX_MILLIS)?);
                    }
                }
                given.push(word);
            } else {
                match *word {
                    "searchmoves" => go.request.only.extend(moves(&mut rest)),
                    "alsosearchmoves" => go.request.also.extend(moves(&mut rest)),
                    "infinite" => go.request.infinite = true,
                    FIRST_WIN => {
                        go.request.first_win = true;
                        given.push(word);
                    }
                    other => go.ignored.push(other.chars().take(60).collect()),
                }
            }
        }
        let mode = go.request.mode;
        let useless = given.iter().filter(|word| means_nothing(word, mode));
        go.ignored.extend(useless.map(|word| word.to_string()));
        if mode != Mode::Rank {
            go.request.clocks = clocks.map(|(left, increment)| clock_of(left, increment));
        }
        Ok(go)
    }
}

impl GoRequest {
    /// Sets what one of [`NUMBERS`] says.
    pub(super) fn set(&mut self, name: &str, n: u64) {
        match name {
            "movetime" => self.time = Some(Duration::from_millis(n)),
            "candidates" => self.candidates = Some(n as usize),
            "iterations" => self.iterations = Some(n),
            "depth" => self.plies = Some(n as usize),
            "stopcondition" => {
                let wrong = (100 - n as u32) * 10;
                self.confidence = Some(StopConfidence {
                    wrong_per_thousand: wrong,
                });
            }
            "seed" => self.seed = Some(n),
            _ => self.threads = Some(n as usize),
        }
    }
}

/// A clock by what is told of it. If that is only the increment, it is all there is for a move.
fn clock_of(left: Option<i64>, increment: Option<u64>) -> Option<Clock> {
    let all = increment.map(|increment| increment as i64);
    Some(Clock {
        left_ms: left.or(all)?,
        increment_ms: increment.unwrap_or(0),
    })
}

/// Whether a parameter means nothing to a mode.
pub(super) fn means_nothing(word: &str, mode: Mode) -> bool {
    match (mode, word) {
        (Mode::Auto, _) => false,
        (Mode::Rank, "movetime" | "candidates") => false,
        (Mode::Rank, _) => true,
        (Mode::Simulate, _) => word == FIRST_WIN,
        (Mode::Endgame, _) => ["stopcondition", "seed"].contains(&word),
        (Mode::Preendgame, _) => ["depth", "stopcondition", FIRST_WIN].contains(&word),
    }
}

/// What a word can say of a clock.
enum ClockPart {
    Left,
    Increment,
}

/// Which clock a word is about, by seat: `1time`, `2inc`.
fn clock(word: &str) -> Option<(usize, ClockPart)> {
    let (player, part) = match (word.strip_suffix("time"), word.strip_suffix("inc")) {
        (Some(player), _) => (player, ClockPart::Left),
        (_, Some(player)) => (player, ClockPart::Increment),
        _ => return None,
    };
    let seat = ["1", "2", "3", "4"].iter().position(|name| *name == player);
    Some((seat?, part))
}

/// Whether a word begins another parameter of `go`.
fn is_keyword(word: &str) -> bool {
    let own = ["searchmoves", "alsosearchmoves", "infinite", FIRST_WIN];
    let modes = MODES.iter().map(|(name, _)| *name).chain(OTHER_MODES);
    let numbers = NUMBERS.iter().map(|(name, ..)| *name);
    let mut all = modes.chain(numbers).chain(IGNORED).chain(own);
    all.any(|name| name == word) || clock(word).is_some()
}

/// Takes milliseconds that may be less than nothing: a clock in overtime.
fn millis(name: &str, rest: &mut &[&str]) -> Result<i64, CommandError> {
    number(name, rest, -(MAX_MILLIS as i64), MAX_MILLIS as i64)
}

/// Takes the moves up to the next parameter.
fn moves(rest: &mut &[&str]) -> Vec<String> {
    let end = rest
        .iter()
        .position(|word| is_keyword(word))
        .unwrap_or(rest.len());
    let (moves, after) = rest.split_at(end);
    *rest = after;
    moves.iter().map(|text| text.to_string()).collect()
}

/// Takes a number within limits.
fn number<N>(name: &str, rest: &mut &[&str], low: N, high: N) -> Result<N, CommandError>
where
    N: Copy + FromStr + PartialOrd + Into<i128>,
{
    let got = rest.first().copied().unwrap_or("");
    let fail = || CommandError::NotANumber {
        name: name.to_string(),
        got: got.chars().take(40).collect(),
        limits: (low.into(), high.into()),
    };
    let n = got
        .parse()
        .ok()
        .filter(|n| (low..=high).contains(n))
        .ok_or_else(fail)?;
    *rest = &rest[1..];
    Ok(n)
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// There is no such command.
    Unknown(String),
    /// It has another form, namely this.
    Incomplete(&'static str),
    /// A mode of `go` that the engine does not have.
    Mode(String),
    /// A number that is none or out of range.
    NotANumber {
        /// Of what.
        name: String,
        /// What was given.
        got: String,
        /// The lowest and the highest it can be.
        limits: (i128, i128),
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => {
                write!(f, "there is no command '{word}'; 'help' lists them")
            }
            CommandError::Incomplete(form) => write!(f, "the form is '{form}'"),
            CommandError::Mode(mode) => write!(
                f,
                "there is no mode {mode}; the modes are {}",
                MODES.map(|(name, _)| name).join(", ")
            ),
            CommandError::NotANumber {
                name,
                got,
                limits: (low, high),
            } => {
                let given = match got.as_str() {
                    "" => "missing".to_string(),
                    got => format!("'{got}'"),
                };
                write!(
                    f,
                    "{name} is {given}, it must be a number from {low} to {high}"
                )
            }
        }
    }
}

impl std::error::Error for CommandError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let got = match Command::parse(line) {
            Ok(Some(Command::Go(go))) => format!("{:?} ignored {:?}", go.request, go.ignored),
            Ok(command) => format!("{command:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{line}");
    }

    #[test]
    fn a_command_reads_like_its_documentation() {
        check("", "None");
        check(" \t ", "None");
        check("isready", "Some(IsReady)");
        check(
            "setoption name Data Path value a b",
            r#"Some(SetOption { name: "Data Path", value: "a b" })"#,
        );
        check(
            "setoption name Log",
            r#"Some(SetOption { name: "Log", value: "" })"#,
        );
        check(
            "position startpos moves 8D.AB pass",
            r#"Some(Position { cgp: None, moves: ["8D.AB", "pass"] })"#,
        );
        check(
            "position cgp a b c 0",
            r#"Some(Position { cgp: Some("a b c 0"), moves: [] })"#,
        );
    }

    #[test]
    fn unknown_words_of_go_are_skipped_and_told() {
        let told = |line: &str| match Command::parse(line) {
            Ok(Some(Command::Go(go))) => go,
            other => panic!("{line}: {other:?}"),
        };
        let go = told(
            "go gen nonsense alsosearchmoves 8D.AB pass movetime 20 firstwin depth 3 1time -50 infinite candidates 3",
        );
        assert_eq!(go.ignored, ["nonsense", "firstwin", "depth", "1time"]);
        let ranking = GoRequest {
            mode: Mode::Rank,
            candidates: Some(3),
            also: vec!["8D.AB".to_string(), "pass".to_string()],
            time: Some(Duration::from_millis(20)),
            plies: Some(3),
            first_win: true,
            infinite: true,
            ..GoRequest::default()
        };
        assert_eq!(go.request, ranking);
        let go = told(
            "go 2time -50 2inc 7 iterations 9 depth 3 stopcondition 98 seed 5 threads 2 useinference",
        );
        assert_eq!(go.ignored, ["useinference"]);
        let all = "firstwin depth 3 stopcondition 98 seed 5 iterations 9 threads 2 2time 70";
        let ignored = |mode: &str| told(&format!("go {all} {mode}")).ignored.join(" ");
        assert_eq!(ignored("auto"), "");
        assert_eq!(ignored("sim"), "firstwin");
        assert_eq!(ignored("endgame"), "stopcondition seed");
        assert_eq!(ignored("peg"), "firstwin depth stopcondition");
        let clock = Clock {
            left_ms: -50,
            increment_ms: 7,
        };
        let simulation = GoRequest {
            clocks: [None, Some(clock), None, None],
            iterations: Some(9),
            plies: Some(3),
            confidence: Some(StopConfidence {
                wrong_per_thousand: 20,
            }),
            seed: Some(5),
            threads: Some(2),
            ..GoRequest::default()
        };
        assert_eq!(go.request, simulation);
    }

    #[test]
    fn a_bad_number_is_an_error_not_a_panic() {
        check(
            "go movetime soon",
            "movetime is 'soon', it must be a number from 0 to 1000000000",
        );
        check(
            "go movetime",
            "movetime is missing, it must be a number from 0 to 1000000000",
        );
        check(
            "go candidates 0",
            "candidates is '0', it must be a number from 1 to 1000000",
        );
        check(
            "go depth 99999999999999999999",
            "depth is '99999999999999999999', it must be a number from 0 to 60",
        );
        check(
            "go seed",
            "seed is missing, it must be a number from 0 to 18446744073709551615",
        );
    }

    #[test]
    fn what_is_no_command_says_what_would_be() {
        check(
            "frobnicate 7",
            "there is no command 'frobnicate'; 'help' lists them",
        );
        check(
            "setoption",
            "the form is 'setoption name NAME [value VALUE]'",
        );
        check(
            "position",
            "the form is 'position startpos|cgp … [moves …]'",
        );
        check(
            "position startpos rack.AEINRST",
            "the form is 'position startpos|cgp … [moves …]'",
        );
        check(
            "go infer",
            "there is no mode infer; the modes are gen, sim, endgame, peg, auto",
        );
        check("rack", "the form is 'rack TILES'");
    }
}
