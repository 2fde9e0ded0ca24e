//! Replies: the lines that an engine writes.

use super::Dialect;
use super::candidate::{EndgameLine, PegLine, RankedLine, SimLine};
use crate::units::Points;
use std::fmt;
use std::str::FromStr;

/// A line of an engine, read by [`Reply::parse`] and written by `Display`.
///
/// Reading skips keys that it does not know, as protocol.md asks of clients.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `capability …`: modes and behaviours that the engine has.
    Capabilities(Vec<String>),
    /// `option name … type …`.
    Option(OptionLine),
    /// `siuok` or `ucgiok`: the end of the answer to `siu` or `ucgi`.
    HelloOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `info gen …`: a candidate without search.
    Ranked(RankedLine),
    /// `info sim …`: a candidate of a simulation.
    Sim(SimLine),
    /// `info endgame …`: a candidate of an endgame.
    Endgame(EndgameLine),
    /// `info peg …`: a candidate of a pre-endgame.
    Peg(PegLine),
    /// `info time …`: how much work a search has done.
    Work(WorkLine),
    /// `info check …`: the answer to `check`.
    Check(CheckReply),
    /// `info string provenance …`: the engine and the data that a search uses.
    Provenance(ProvenanceLine),
    /// `info string error …`: a command was refused, or a search failed.
    Error {
        /// One of the [`ErrorCode`]s, or a code of another engine.
        code: String,
        /// What is wrong, for people.
        text: String,
    },
    /// Any other `info string …`, for people.
    Text(String),
    /// `bestmove …`: the move to make; the last line of a search.
    BestMove(String),
    /// A line for people such as a row of the board, or a line that this version does not know.
    Plain(String),
}

/// The codes of error lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The first word is not a command, or the line is not text.
    UnknownCommand,
    /// A position or rack that cannot be, or that lacks what a search needs.
    BadPosition,
    /// A move that cannot be read or made.
    BadMove,
    /// An unknown option, or a value that it does not take.
    BadOption,
    /// Not a number, or out of range.
    BadNumber,
    /// A mode that the engine does not have, or that cannot solve the position.
    UnsupportedMode,
    /// No position has been set.
    NoPosition,
    /// The command is not allowed during a search.
    Busy,
    /// A file that cannot be found or used.
    Data,
    /// A mistake of the engine, or a refusal of the operating system.
    Internal,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: [ErrorCode; 10] = [
        ErrorCode::UnknownCommand,
        ErrorCode::BadPosition,
        ErrorCode::BadMove,
        ErrorCode::BadOption,
        ErrorCode::BadNumber,
        ErrorCode::UnsupportedMode,
        ErrorCode::NoPosition,
        ErrorCode::Busy,
        ErrorCode::Data,
        ErrorCode::Internal,
    ];

    /// The code as it is written.
    pub fn text(self) -> &'static str {
        match self {
            ErrorCode::UnknownCommand => "unknown-command",
            ErrorCode::BadPosition => "bad-position",
            ErrorCode::BadMove => "bad-move",
            ErrorCode::BadOption => "bad-option",
            ErrorCode::BadNumber => "bad-number",
            ErrorCode::UnsupportedMode => "unsupported-mode",
            ErrorCode::NoPosition => "no-position",
            ErrorCode::Busy => "busy",
            ErrorCode::Data => "data",
            ErrorCode::Internal => "internal",
        }
    }
}

/// The most characters of an error's text. Ours are shorter; the words of a client or a file
/// that it quotes may not be. Chosen by hand.
pub(crate) const MAX_ERROR_CHARS: usize = 600;

impl Reply {
    /// An error line, its text cut to a length that a client can expect.
    pub fn error(code: ErrorCode, text: impl fmt::Display) -> Reply {
        Reply::Error {
            code: code.text().to_string(),
            text: text.to_string().chars().take(MAX_ERROR_CHARS).collect(),
        }
    }

    /// Reads a line.
    pub fn parse(line: &str) -> Reply {
        Reply::known(line).unwrap_or_else(|| Reply::Plain(line.to_string()))
    }

    fn known(line: &str) -> Option<Reply> {
        match line {
            "siuok" => return Some(Reply::HelloOk(Dialect::Siu)),
            "ucgiok" => return Some(Reply::HelloOk(Dialect::Ucgi)),
            "readyok" => return Some(Reply::ReadyOk),
            _ => {}
        }
        let (head, rest) = line.split_once(' ')?;
        Some(match head {
            "id" => match rest.split_once(' ')? {
                ("name", name) => Reply::Name(name.to_string()),
                ("author", author) => Reply::Author(author.to_string()),
                _ => return None,
            },
            "capability" => Reply::Capabilities(rest.split(' ').map(str::to_string).collect()),
            "option" => Reply::Option(OptionLine::parse(rest)?),
            "bestmove" => Reply::BestMove(rest.split(' ').next()?.to_string()),
            "info" => Reply::info(rest)?,
            _ => return None,
        })
    }

    fn info(line: &str) -> Option<Reply> {
        let (topic, rest) = line.split_once(' ')?;
        let keys = Keys::of(rest);
        Some(match topic {
            "gen" => Reply::Ranked(RankedLine::parse(&keys)?),
            "sim" => Reply::Sim(SimLine::parse(&keys)?),
            "endgame" => Reply::Endgame(EndgameLine::parse(&keys)?),
            "peg" => Reply::Peg(PegLine::parse(&keys)?),
            "check" => Reply::Check(CheckReply::parse(&keys)?),
            "time" => Reply::Work(WorkLine::parse(line)?),
            "string" => match rest.split_once(' ') {
                Some(("error", error)) => {
                    let (code, text) = error.split_once(' ').unwrap_or((error, ""));
                    let (code, text) = (code.to_string(), text.to_string());
                    Reply::Error { code, text }
                }
                Some(("provenance", rest)) => Reply::Provenance(ProvenanceLine::parse(rest)?),
                _ => Reply::Text(rest.to_string()),
            },
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Capabilities(words) => write!(f, "capability {}", words.join(" ")),
            Reply::Option(option) => option.fmt(f),
            Reply::HelloOk(dialect) => write!(f, "{}ok", dialect.name()),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Ranked(line) => line.fmt(f),
            Reply::Sim(line) => line.fmt(f),
            Reply::Endgame(line) => line.fmt(f),
            Reply::Peg(line) => line.fmt(f),
            Reply::Work(line) => line.fmt(f),
            Reply::Check(check) => check.fmt(f),
            Reply::Provenance(provenance) => provenance.fmt(f),
            Reply::Error { code, text } => write!(f, "info string error {code} {text}"),
            Reply::Text(text) => write!(f, "info string {text}"),
            Reply::BestMove(text) => write!(f, "bestmove {text}"),
            Reply::Plain(line) => f.write_str(line),
        }
    }
}

/// An option of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, which may hold spaces.
    pub name: String,
    /// The values that it takes.
    pub kind: OptionType,
}

/// The values that an option takes, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The lowest value.
        min: i64,
        /// The highest value.
        max: i64,
    },
    /// One of these words.
    Combo {
        /// The default.
        default: String,
        /// All choices.
        choices: Vec<String>,
    },
    /// Any text.
    Text {
        /// The default; it may be empty.
        default: String,
    },
}

/// How an empty default is written, as in UCI.
const EMPTY: &str = "<empty>";

impl OptionLine {
    fn parse(line: &str) -> Option<OptionLine> {
        let (name, rest) = line.strip_prefix("name ")?.split_once(" type ")?;
        let (kind, rest) = rest.split_once(" default ")?;
        let kind = match kind {
            "spin" => {
                let keys = Keys::of(rest);
                OptionType::Spin {
                    default: keys.0.first()?.parse().ok()?,
                    min: keys.number("min")?,
                    max: keys.number("max")?,
                }
            }
            "combo" => {
                let mut words = rest.split(" var ").map(str::to_string);
                OptionType::Combo {
                    default: words.next()?,
                    choices: words.collect(),
                }
            }
            "string" => OptionType::Text {
                default: if rest == EMPTY { "" } else { rest }.to_string(),
            },
            _ => return None,
        };
        let name = name.to_string();
        Some(OptionLine { name, kind })
    }
}

impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionType::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {default} var {}", choices.join(" var "))
            }
            OptionType::Text { default } => {
                let default = if default.is_empty() { EMPTY } else { default };
                write!(f, "string default {default}")
            }
        }
    }
}

/// How much work a search has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkLine {
    /// Milliseconds since the search began.
    pub millis: u128,
    /// Moves found, rollouts made or positions searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: Option<u128>,
    /// How full the transposition table is, per mille.
    pub hashfull: Option<usize>,
    /// The best move so far.
    pub current: Option<String>,
    /// More, for people.
    pub text: String,
}

impl WorkLine {
    fn parse(line: &str) -> Option<WorkLine> {
        let (figures, text) = line.split_once(" string ")?;
        let keys = Keys::of(figures);
        Some(WorkLine {
            millis: keys.number("time")?,
            nodes: keys.number("nodes")?,
            nps: keys.number("nps"),
            hashfull: keys.number("hashfull"),
            current: keys.text("currmove"),
            text: text.to_string(),
        })
    }
}

impl fmt::Display for WorkLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "info time {} nodes {}", self.millis, self.nodes)?;
        write_key(f, "nps", self.nps)?;
        write_key(f, "hashfull", self.hashfull)?;
        write_key(f, "currmove", self.current.as_ref())?;
        write!(f, " string {}", self.text)
    }
}

/// The engine and the data that a search uses. Names are single words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenanceLine {
    /// The engine's name and version.
    pub engine: String,
    /// The leave values.
    pub leaves: String,
    /// The win probability table.
    pub winpct: String,
    /// The lexicon.
    pub lexicon: String,
}

impl ProvenanceLine {
    fn parse(line: &str) -> Option<ProvenanceLine> {
        let value = |key: &str| {
            let mut pairs = line.split(' ').filter_map(|word| word.split_once('='));
            pairs.find_map(|(name, value)| (name == key).then(|| value.to_string()))
        };
        Some(ProvenanceLine {
            engine: value("engine")?,
            leaves: value("leaves")?,
            winpct: value("winpct")?,
            lexicon: value("lexicon")?,
        })
    }
}

impl fmt::Display for ProvenanceLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let one_word = |text: &str| text.replace(char::is_whitespace, "_");
        let (engine, leaves) = (one_word(&self.engine), one_word(&self.leaves));
        let (winpct, lexicon) = (one_word(&self.winpct), one_word(&self.lexicon));
        write!(
            f,
            "info string provenance engine={engine} leaves={leaves} winpct={winpct} lexicon={lexicon}"
        )
    }
}

/// A referee's answer about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReply {
    /// The move.
    pub text: String,
    /// Its points.
    pub score: Points,
    /// Whether all its words are in the lexicon and all its tiles on the rack.
    pub valid: bool,
    /// What a play forms; `None` for an exchange or a pass.
    pub play: Option<CheckedPlay>,
}

/// What a play forms and scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPlay {
    /// The words, the one along the play first.
    pub words: Vec<String>,
    /// The words that the lexicon does not have.
    pub phonies: Vec<String>,
    /// The tiles that are not on the rack.
    pub missing: String,
    /// The points of each word.
    pub parts: Vec<Points>,
    /// The bonus for the number of tiles placed.
    pub bonus: Points,
}

impl CheckReply {
    fn parse(keys: &Keys) -> Option<CheckReply> {
        let play = keys.text("words").and_then(|_| {
            Some(CheckedPlay {
                words: keys.list("words", ','),
                phonies: keys.list("phony", ','),
                missing: keys.text("missing").unwrap_or_default(),
                parts: keys
                    .list("parts", ',')
                    .iter()
                    .map(|part| part.parse().ok().map(Points))
                    .collect::<Option<_>>()?,
                bonus: keys.number("bonus").map(Points)?,
            })
        });
        Some(CheckReply {
            text: keys.text("move")?,
            score: keys.number("score").map(Points)?,
            valid: keys.value("valid")? == "yes",
            play,
        })
    }
}

impl fmt::Display for CheckReply {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let valid = if self.valid { "yes" } else { "no" };
        write!(
            f,
            "info check move {} score {} valid {valid}",
            self.text, self.score
        )?;
        let Some(play) = &self.play else {
            return Ok(());
        };
        let parts: Vec<String> = play.parts.iter().map(Points::to_string).collect();
        let missing = &play.missing;
        write!(f, " words {}", play.words.join(","))?;
        write_key(
            f,
            "phony",
            (!play.phonies.is_empty()).then(|| play.phonies.join(",")),
        )?;
        write_key(f, "missing", (!missing.is_empty()).then_some(missing))?;
        write!(f, " parts {} bonus {}", parts.join(","), play.bonus)
    }
}

/// The words of a line in which a key is followed by its value.
pub(super) struct Keys<'a>(Vec<&'a str>);

impl<'a> Keys<'a> {
    fn of(text: &'a str) -> Keys<'a> {
        Keys(text.split(' ').collect())
    }

    pub fn value(&self, key: &str) -> Option<&'a str> {
        self.after(key).first().copied()
    }

    /// All words after a key.
    pub fn after(&self, key: &str) -> &[&'a str] {
        let at = self.0.iter().position(|word| *word == key);
        at.map_or(&[], |at| &self.0[at + 1..])
    }

    pub fn text(&self, key: &str) -> Option<String> {
        self.value(key).map(str::to_string)
    }

    pub fn number<N: FromStr>(&self, key: &str) -> Option<N> {
        self.value(key)?.parse().ok()
    }

    /// The parts of a value, none if the key is not there.
    pub fn list(&self, key: &str, separator: char) -> Vec<String> {
        split(self.value(key).unwrap_or(""), separator)
    }

    /// The value of a word such as `w:A|B`.
    pub fn prefixed(&self, prefix: &str) -> Option<&'a str> {
        self.0.iter().find_map(|word| word.strip_prefix(prefix))
    }

    /// Whether a key has the value `yes`.
    pub fn is_yes(&self, key: &str) -> bool {
        self.value(key) == Some("yes")
    }
}

/// The parts of a text, none if it is empty.
pub(super) fn split(text: &str, separator: char) -> Vec<String> {
    let parts = text.split(separator).filter(|part| !part.is_empty());
    parts.map(str::to_string).collect()
}

/// Writes a key and its value, if it has one.
pub(super) fn write_key(
    f: &mut fmt::Formatter,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line of each kind, with and without its optional keys.
    const LINES: [&str; 31] = [
        "id name Cazique 0.1.0",
        "id author the Cazique authors",
        "capability gen sim stop",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Peg type combo default on var on var off",
        "option name Data Path type string default <empty>",
        "option name Lexicon type string default OEL26",
        "siuok",
        "ucgiok",
        "readyok",
        "bestmove 8D.KNAVE",
        "info string error bad-move ex.2: the rack is known",
        "info string provenance engine=Cazique/0.1.0 leaves=none winpct=OEL26:9cb4edc0 lexicon=OEL26",
        "info string stopped before all moves were found",
        "info gen move 8D.KNAVE score 34 eq 42.994 leave RS rank 1 kept 8.994",
        "info gen move ex.AB score 0 eq -0.5 leave - rank 7 opening -0.7 ending 12 asked yes valid no",
        "info gen move 11C.AAAAAAAAA score 1000000 eq 1000012.5 leave A rank 1 kept 12.5",
        "info sim move 8D.KNAVE wp 61.05 wpse 0.40 eq -12.30 eqse 1.25 iters 40 rank 1 kind estimate score 34 leave RS static 42.994",
        "info sim move pass wp 0.00 wpse 0.00 eq 0.00 eqse 0.00 iters 1 rank 2 kind exact score 0 leave AEI static -3 dropped yes asked yes valid no reply 8H.AI replypct 12.5 plies 30.1/12.0/3.5,20.0/1.0/0.0",
        "info endgame depth 5 score spread +22 move 3C.AB rank 1 kind exact pv 3C.AB pass",
        "info endgame depth 1 score spread -7 move pass rank 2 kind bound result loss scores 120/-3/7 asked yes pv pass",
        "info peg move 3C.AB w:A|B d: l:C/DE spread +3.5 wp 50.00 rank 1 kind exact",
        "info peg move 3C.AB w: d: l: mixed:-/EF=50.0 open:12 spread -3.5 wp 50.00 rank 1 kind estimate asked yes",
        "info peg move 3C.AB spread +0.0 wp 12.34 rank 1 kind estimate valid no",
        "info time 12 nodes 345 string 345 moves, 2 shown",
        "info time 12 nodes 345 nps 28750 string 40 iterations",
        "info time 12 nodes 345 nps 28750 currmove 8D.AB string 40 iterations",
        "info time 12 nodes 345 nps 28750 hashfull 3 string 9 moves, proved",
        "info check move 10G.XSE score 20 valid no words XSE,FARMS phony XSE missing X parts 10,10 bonus 0",
        "info check move ex.APY score 0 valid yes",
        " 1  = . . ' . . . = . . . ' . . =",
    ];

    #[test]
    fn a_line_that_is_read_is_written_as_it_was() {
        for line in LINES {
            let reply = Reply::parse(line);
            assert_eq!(reply.to_string(), line);
            let is_plain = matches!(reply, Reply::Plain(_));
            assert_eq!(is_plain, line.starts_with(' '), "{line}");
        }
    }

    #[test]
    fn unknown_keys_are_skipped_and_unknown_lines_are_kept() {
        let line = "info gen move 8D.KNAVE score 34 eq 42.994 leave RS rank 1";
        assert_eq!(
            Reply::parse(&format!("{line} mood good")),
            Reply::parse(line)
        );
        for line in [
            "",
            "info",
            "info gen move 8D.KNAVE",
            "info mood good",
            "option name X type check default true",
        ] {
            assert_eq!(Reply::parse(line), Reply::Plain(line.to_string()));
        }
    }

    #[test]
    fn an_error_line_is_short() {
        let line = Reply::error(ErrorCode::Data, "x".repeat(10_000)).to_string();
        assert_eq!(
            line.len(),
            "info string error data ".len() + MAX_ERROR_CHARS
        );
    }
}
