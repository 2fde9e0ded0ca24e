//! Commands: the lines that a client sends.

use super::go::{Go, LIMITS, MODES, take_number};
use crate::engine::{Eyes, shortened};
use crate::notation::coordinate::Coordinate;
use crate::rules::{MAX_PLAYERS, MIN_PLAYERS};
use std::fmt;
use thiserror::Error;

/// A command, read from a line by [`Command::parse`] and written by `Display`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "there is one command at a time")]
pub enum Command {
    /// `siu` or `ucgi`: asks for the engine's name and options. The answer ends in the same
    /// dialect.
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
        /// Whose racks of the moves the position shows.
        eyes: Eyes,
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
    /// `check WORD…`.
    Judge(Vec<String>),
    /// `challenge [WORD…] [by SEAT]`.
    Challenge {
        /// The words that are challenged, if they are named.
        words: Vec<String>,
        /// The seat that challenges, from 1; by default the player to move.
        seat: Option<usize>,
    },
    /// `draw [players N] [seed N]`: the draw for the first move.
    Draw {
        /// The number of players; the option `Players` by default.
        players: Option<usize>,
        /// The seed; the option `Seed` by default.
        seed: Option<u64>,
    },
    /// `state`.
    State,
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `show …`.
    Show(ShowTopic),
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

impl Dialect {
    /// The word that opens a session in this dialect.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Siu => "siu",
            Dialect::Ucgi => "ucgi",
        }
    }
}

/// What `show` can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowTopic {
    /// The board, racks and scores.
    Board,
    /// The lexicon in use.
    Lexicon,
    /// The rules in use.
    Rules,
}

impl Command {
    /// The first word of every command, for completion at a terminal.
    pub const WORDS: [&str; 17] = [
        "challenge",
        "check",
        "draw",
        "go",
        "help",
        "isready",
        "position",
        "quit",
        "rack",
        "setoption",
        "show",
        "siu",
        "siunewgame",
        "state",
        "stop",
        "ucgi",
        "ucginewgame",
    ];

    /// Reads a line; `None` if it is blank.
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
            ["rack"] => return Err(CommandError::Incomplete("rack TILES")),
            ["rack", tiles @ ..] => Command::Rack(tiles.join(" ")),
            ["go", rest @ ..] => Command::Go(Go::parse(rest)?),
            ["check", rest @ ..] => check(rest)?,
            ["challenge", rest @ ..] => challenge(rest)?,
            ["draw", rest @ ..] => draw(rest)?,
            ["state", ..] => Command::State,
            ["stop", ..] => Command::Stop,
            ["quit", ..] => Command::Quit,
            ["show", "lexicon", ..] => Command::Show(ShowTopic::Lexicon),
            ["show", "rules", ..] => Command::Show(ShowTopic::Rules),
            ["show", ..] => Command::Show(ShowTopic::Board),
            ["help", ..] => Command::Help,
            [unknown, ..] => return Err(CommandError::Unknown(shortened(unknown))),
        }))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Command::Hello(dialect) => f.write_str(dialect.name()),
            Command::SetOption { name, value } if value.is_empty() => {
                write!(f, "setoption name {name}")
            }
            Command::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("siunewgame"),
            Command::Position { eyes, cgp, moves } => {
                f.write_str("position")?;
                let named = Eyes::NAMES.iter().find(|(_, named)| named == eyes);
                if let Some((name, _)) = named.filter(|(_, named)| *named != Eyes::default()) {
                    write!(f, " eyes {name}")?;
                }
                match cgp {
                    Some(cgp) => write!(f, " cgp {cgp}")?,
                    None => f.write_str(" startpos")?,
                }
                match moves.is_empty() {
                    true => Ok(()),
                    false => write!(f, " moves {}", moves.join(" ")),
                }
            }
            Command::Rack(tiles) => write!(f, "rack {tiles}"),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Check(text) => write!(f, "check {text}"),
            Command::Judge(words) => write!(f, "check {}", words.join(" ")),
            Command::Challenge { words, seat } => {
                f.write_str("challenge")?;
                words.iter().try_for_each(|word| write!(f, " {word}"))?;
                seat.map_or(Ok(()), |seat| write!(f, " by {seat}"))
            }
            Command::Draw { players, seed } => {
                f.write_str("draw")?;
                players.map_or(Ok(()), |players| write!(f, " players {players}"))?;
                seed.map_or(Ok(()), |seed| write!(f, " seed {seed}"))
            }
            Command::State => f.write_str("state"),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
            Command::Show(ShowTopic::Board) => f.write_str("show"),
            Command::Show(ShowTopic::Lexicon) => f.write_str("show lexicon"),
            Command::Show(ShowTopic::Rules) => f.write_str("show rules"),
            Command::Help => f.write_str("help"),
        }
    }
}

/// Reads `name <words> [value <words>]`; names and values may hold spaces.
fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let form = CommandError::Incomplete("setoption name NAME [value VALUE]");
    let ["name", rest @ ..] = words else {
        return Err(form);
    };
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return Err(form);
    }
    let (name, value) = (name.join(" "), value.join(" "));
    Ok(Command::SetOption { name, value })
}

/// Reads `[WORD…] [by SEAT]`.
fn challenge(words: &[&str]) -> Result<Command, CommandError> {
    let form = "challenge [WORD…] [by SEAT]";
    if words.last() == Some(&"by") {
        return Err(CommandError::Incomplete(form));
    }
    let (words, by) = split_at_word(words, "by");
    let seat = match by {
        [] => None,
        [seat] => {
            let unknown = || CommandError::UnknownWord {
                word: shortened(seat),
                form,
            };
            Some(seat.parse().map_err(|_| unknown())?)
        }
        [_, word, ..] => {
            let word = shortened(word);
            return Err(CommandError::UnknownWord { word, form });
        }
    };
    let words = words.iter().map(|word| word.to_string()).collect();
    Ok(Command::Challenge { words, seat })
}

/// Reads `[players N] [seed N]`. If a number is given twice, the last one counts.
fn draw(mut words: &[&str]) -> Result<Command, CommandError> {
    let (mut players, mut seed) = (None, None);
    while let [word, rest @ ..] = words {
        words = rest;
        match *word {
            "players" => {
                let (low, high) = (MIN_PLAYERS as u64, MAX_PLAYERS as u64);
                players = Some(take_number("players", &mut words, low, high)? as usize);
            }
            "seed" => seed = Some(take_number("seed", &mut words, 0, u64::MAX)?),
            word => {
                return Err(CommandError::UnknownWord {
                    word: shortened(word),
                    form: "draw [players N] [seed N]",
                });
            }
        }
    }
    Ok(Command::Draw { players, seed })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let form = "position [eyes all] startpos|cgp … [moves …]";
    let unknown = |word: &str| {
        let word = shortened(word);
        CommandError::UnknownWord { word, form }
    };
    let (eyes, words) = match words {
        ["eyes"] => return Err(CommandError::Incomplete(form)),
        ["eyes", eyes, rest @ ..] => {
            let named = Eyes::NAMES.iter().find(|(name, _)| name == eyes);
            (named.ok_or_else(|| unknown(eyes))?.1, rest)
        }
        _ => (Eyes::default(), words),
    };
    let (start, moves) = split_at_word(words, "moves");
    let cgp = match start {
        ["startpos"] => None,
        ["cgp", fields @ ..] => Some(fields.join(" ")),
        ["startpos", word, ..] => return Err(unknown(word)),
        [word, ..] => return Err(unknown(word)),
        [] => return Err(CommandError::Incomplete(form)),
    };
    let moves = moves.iter().map(|text| text.to_string()).collect();
    Ok(Command::Position { eyes, cgp, moves })
}

/// Reads a move or words. A move has a dot or an equals sign, or is `pass` in lower case and alone.
fn check(words: &[&str]) -> Result<Command, CommandError> {
    let form = "check MOVE, or check WORD…";
    let is_move = |word: &&&str| word.contains(['.', '=']);
    match (words, words.iter().find(is_move)) {
        ([], _) => Err(CommandError::Incomplete(form)),
        // A play as people write it, without a dot.
        ([square, _], None) if Coordinate::parse(square).is_some() => Err(
            CommandError::Incomplete("check 8D.WORD, with a dot and no space"),
        ),
        ([text], Some(_)) | ([text @ "pass"], None) => Ok(Command::Check(text.to_string())),
        (words, None) => {
            let words = words.iter().map(|word| word.to_string());
            Ok(Command::Judge(words.collect()))
        }
        ([first, second, ..], Some(text)) => {
            let word = shortened(if first == text { second } else { text });
            Err(CommandError::UnknownWord { word, form })
        }
    }
}

/// The words before and after the first `separator`; none after it if it is not there.
fn split_at_word<'a>(words: &'a [&'a str], separator: &str) -> (&'a [&'a str], &'a [&'a str]) {
    let at = words.iter().position(|word| *word == separator);
    let at = at.unwrap_or(words.len());
    (&words[..at], words.get(at + 1..).unwrap_or_default())
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("there is no command '{0}'; 'help' lists the commands")]
    Unknown(String),
    /// The command lacks a part; this is its form.
    #[error("the command must have the form '{0}'")]
    Incomplete(&'static str),
    /// The command has a word that it does not know.
    #[error("'{word}' is not part of the command, which has the form '{form}'")]
    UnknownWord {
        /// The word.
        word: String,
        /// The form of the command.
        form: &'static str,
    },
    /// A `go` without a limit that has unknown words: one of them may be meant as its limit.
    #[error("there is no parameter '{0}', and without it the search has no limit; the limits are {limits}", limits = LIMITS)]
    NoLimit(String),
    /// A mode of `go` that the engine does not have.
    #[error("there is no mode '{0}'; the modes are {modes}", modes = MODES.map(|(name, _)| name).join(", "))]
    Mode(String),
    /// A number is missing, is not a number, or is out of range.
    #[error("{name} is {}, it must be a whole number from {} to {}", quote(got), limits.0, limits.1)]
    NotANumber {
        /// The parameter.
        name: String,
        /// What was given; empty if nothing was.
        got: String,
        /// Its lowest and its highest value.
        limits: (i128, i128),
    },
}

fn quote(got: &str) -> String {
    match got {
        "" => "missing".to_string(),
        got => format!("'{got}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let got = match Command::parse(line) {
            Ok(command) => format!("{command:?}"),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{line}");
    }

    #[test]
    fn a_command_reads_as_documented() {
        for case in [
            " => None",
            " \t  => None",
            "isready => Some(IsReady)",
            r#"setoption name Data Path value a b => Some(SetOption { name: "Data Path", value: "a b" })"#,
            r#"setoption name Log => Some(SetOption { name: "Log", value: "" })"#,
            r#"position startpos moves 8D.AB pass => Some(Position { eyes: Mover, cgp: None, moves: ["8D.AB", "pass"] })"#,
            r#"position eyes all cgp a b c 0 => Some(Position { eyes: All, cgp: Some("a b c 0"), moves: [] })"#,
            r#"rack A E I N R S T => Some(Rack("A E I N R S T"))"#,
            r#"check 8D.AB => Some(Check("8D.AB"))"#,
            r#"check pass => Some(Check("pass"))"#,
            r#"check PASS => Some(Judge(["PASS"]))"#,
            r#"check HELLO QI ZZZ => Some(Judge(["HELLO", "QI", "ZZZ"]))"#,
            "draw => Some(Draw { players: None, seed: None })",
            "draw seed 7 players 3 seed 8 => Some(Draw { players: Some(3), seed: Some(8) })",
            "draw players 5 => players is '5', it must be a whole number from 2 to 4",
            "draw seed => seed is missing, it must be a whole number from 0 to 18446744073709551615",
            "draw 3 => '3' is not part of the command, which has the form 'draw [players N] [seed N]'",
        ] {
            let (line, expected) = case.split_once(" => ").unwrap();
            check(line, expected);
        }
    }

    #[test]
    fn an_error_names_the_right_form() {
        let check_form = |line: &str, form: &str| {
            check(line, &format!("the command must have the form '{form}'"));
        };
        check_form("setoption", "setoption name NAME [value VALUE]");
        check_form("position", "position [eyes all] startpos|cgp … [moves …]");
        check_form("rack", "rack TILES");
        check_form("check", "check MOVE, or check WORD…");
        let unknown = "there is no command 'frobnicate'; 'help' lists the commands";
        check("frobnicate 7", unknown);
        let modes = "there is no mode 'infer'; the modes are gen, sim, endgame, peg, auto";
        check("go infer", modes);
    }

    #[test]
    fn an_unknown_word_of_position_and_check_is_an_error_that_names_it() {
        let position = "position [eyes all] startpos|cgp … [moves …]";
        let move_or_words = "check MOVE, or check WORD…";
        for (line, word, form) in [
            ("position startpos rack.AE", "rack.AE", position),
            ("position startpos now moves pass", "now", position),
            ("position start", "start", position),
            ("position eyes mine startpos", "mine", position),
            ("check 8D.AB now", "now", move_or_words),
            ("check 8D.AB 8D.CD", "8D.CD", move_or_words),
            ("check HELLO 8D.AB", "8D.AB", move_or_words),
        ] {
            let error = "is not part of the command, which has the form";
            check(line, &format!("'{word}' {error} '{form}'"));
        }
    }

    #[test]
    fn a_command_that_is_written_reads_as_itself() {
        for line in [
            "siu",
            "ucgi",
            "setoption name Data Path value a b",
            "setoption name Log",
            "isready",
            "siunewgame",
            "position startpos",
            "position startpos moves 8D.AB pass",
            "position cgp 15/15 AB/ 0/0 0 lex OEL26; moves pass",
            "position eyes all startpos moves 8D.AB.ABCDEFG",
            "rack AEINRS?",
            "go",
            "check 8D.AB",
            "check HELLO QI",
            "draw",
            "draw players 3 seed 18446744073709551615",
            "state",
            "stop",
            "quit",
            "show",
            "show lexicon",
            "show rules",
            "help",
        ] {
            let command = Command::parse(line).unwrap().unwrap();
            assert_eq!(command.to_string(), line);
        }
        for word in Command::WORDS {
            assert!(
                !matches!(Command::parse(word), Err(CommandError::Unknown(_))),
                "{word}"
            );
        }
    }
}
