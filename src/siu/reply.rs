//! Replies: the lines that an engine writes.

use super::Dialect;
use std::fmt;
use std::str::FromStr;

/// A line of an engine, read by [`Reply::parse`] and written by `Display`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `capability …`: modes and behaviours that the engine has.
    Capabilities(Vec<String>),
    /// `option name … type …`.
    Option {
        /// Its name, which may hold spaces.
        name: String,
        /// Its type, default and limits: `type spin default 1 min 1 max 1024`.
        values: String,
    },
    /// `siuok` or `ucgiok`: the end of the answer to `siu` or `ucgi`.
    HelloOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `info …`: what a search found, or the answer to `check`.
    Info(InfoLine),
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
    /// Every code, as it is written.
    pub const ALL: [(ErrorCode, &str); 10] = [
        (ErrorCode::UnknownCommand, "unknown-command"),
        (ErrorCode::BadPosition, "bad-position"),
        (ErrorCode::BadMove, "bad-move"),
        (ErrorCode::BadOption, "bad-option"),
        (ErrorCode::BadNumber, "bad-number"),
        (ErrorCode::UnsupportedMode, "unsupported-mode"),
        (ErrorCode::NoPosition, "no-position"),
        (ErrorCode::Busy, "busy"),
        (ErrorCode::Data, "data"),
        (ErrorCode::Internal, "internal"),
    ];

    /// The code as it is written.
    pub fn text(self) -> &'static str {
        ErrorCode::ALL[self as usize].1
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
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let text = value.to_string();
        Some(match (head, key) {
            ("siuok", _) => Reply::HelloOk(Dialect::Siu),
            ("ucgiok", _) => Reply::HelloOk(Dialect::Ucgi),
            ("readyok", _) => Reply::ReadyOk,
            ("id", "name") => Reply::Name(text),
            ("id", "author") => Reply::Author(text),
            ("capability", _) => Reply::Capabilities(rest.split(' ').map(str::to_string).collect()),
            ("option", "name") => {
                let at = value.find(" type ")?;
                Reply::Option {
                    name: value[..at].to_string(),
                    values: value[at + 1..].to_string(),
                }
            }
            ("bestmove", best) if !best.is_empty() => Reply::BestMove(best.to_string()),
            ("info", "string") => match value.split_once(' ') {
                Some(("error", error)) => {
                    let (code, text) = error.split_once(' ').unwrap_or((error, ""));
                    let (code, text) = (code.to_string(), text.to_string());
                    Reply::Error { code, text }
                }
                Some(("provenance", _)) => Reply::Info(InfoLine(line.to_string())),
                _ => Reply::Text(text),
            },
            ("info", _) => Reply::Info(InfoLine(line.to_string())),
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
            Reply::Option { name, values } => write!(f, "option name {name} {values}"),
            Reply::HelloOk(dialect) => write!(f, "{}ok", dialect.name()),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(line) => line.fmt(f),
            Reply::Error { code, text } => write!(f, "info string error {code} {text}"),
            Reply::Text(text) => write!(f, "info string {text}"),
            Reply::BestMove(text) => write!(f, "bestmove {text}"),
            Reply::Plain(line) => f.write_str(line),
        }
    }
}

/// An `info` line: a topic such as `sim` or `check`, then keys, each followed by its value.
/// protocol.md lists the keys of each topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoLine(String);

/// The keys whose values grow with every progress line: times and counts of work.
const COUNT_KEYS: [&str; 5] = ["time", "nodes", "nps", "hashfull", "iters"];

impl InfoLine {
    /// A line about a topic, without keys yet.
    pub(crate) fn new(topic: impl fmt::Display) -> InfoLine {
        InfoLine(format!("info {topic}"))
    }

    /// Adds a key and its value.
    pub(crate) fn with(mut self, key: &str, value: impl fmt::Display) -> InfoLine {
        self.0 += &format!(" {key} {value}");
        self
    }

    /// Adds a key and its value, if it has one.
    pub(crate) fn with_some(self, key: &str, value: Option<impl fmt::Display>) -> InfoLine {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds the items of a list in the form `key:a|b`, which may be empty.
    pub(crate) fn with_list(mut self, key: &str, items: &[String]) -> InfoLine {
        self.0 += &format!(" {key}:{}", items.join("|"));
        self
    }

    /// The line without times and counts, and without text for people. Two progress lines
    /// that are equal in the rest say the same.
    pub(crate) fn without_counts(&self) -> String {
        let mut rest = String::new();
        let mut words = self.0.split(' ').take_while(|word| *word != "string");
        while let Some(word) = words.next() {
            match COUNT_KEYS.contains(&word) {
                true => _ = words.next(),
                false => rest = rest + " " + word,
            }
        }
        rest
    }

    /// The first word after `info`.
    pub fn topic(&self) -> &str {
        self.0.split(' ').nth(1).unwrap_or("")
    }

    /// The word after a key, wherever the key stands. Keys that a client does not know do not
    /// disturb it.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut words = self.0.split(' ').skip_while(|word| *word != key);
        words.nth(1)
    }

    /// The moves after `pv`, up to the next key. Moves are recognised by their dot, or are `pass`.
    pub fn variation(&self) -> impl Iterator<Item = &str> {
        let words = self.0.split(' ').skip_while(|word| *word != "pv").skip(1);
        words.take_while(|word| word.contains('.') || *word == "pass")
    }

    /// The number after a key.
    pub fn number<N: FromStr>(&self, key: &str) -> Option<N> {
        self.value(key)?.parse().ok()
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_read_is_written_as_it_was() {
        let check = |line: &str, expected: &str| {
            let reply = Reply::parse(line);
            assert_eq!(reply.to_string(), line);
            let kind = format!("{reply:?}");
            assert!(kind.starts_with(expected), "{line} is read as {kind}");
        };
        check("id name Cazique 0.1.0", "Name(\"Cazique 0.1.0\")");
        check("id author the Cazique authors", "Author");
        check("capability gen sim stop", "Capabilities([\"gen\", \"sim\"");
        let spin = "option name Data Path type spin default 1 min 1 max 1024";
        check(spin, "Option { name: \"Data Path\", values: \"type spin");
        check("siuok", "HelloOk(Siu)");
        check("ucgiok", "HelloOk(Ucgi)");
        check("readyok", "ReadyOk");
        check("bestmove 8D.KNAVE", "BestMove(\"8D.KNAVE\")");
        let error = "info string error bad-move ex.2: the rack is known";
        check(error, "Error { code: \"bad-move\", text: \"ex.2: the");
        check("info string provenance engine=Cazique/0.1.0", "Info");
        check("info string stopped before all", "Text(\"stopped");
        check("info sim move 8D.KNAVE wp 61.05", "Info");
        check("info time 12 nodes 345 string 345 moves", "Info");
        check(" 1  = . . ' . . . = . . . ' . . =", "Plain");
        check("", "Plain");
        check("bestmove", "Plain");
        check("option name X", "Plain");
        check("mood good", "Plain");
    }

    #[test]
    fn the_values_of_an_info_line_are_found_by_their_keys() {
        let Reply::Info(line) = Reply::parse("info sim mood good move 8D.AB rank 2 wp") else {
            panic!("it is an info line");
        };
        assert_eq!(line.topic(), "sim");
        assert_eq!(line.value("move"), Some("8D.AB"));
        assert_eq!(line.number("rank"), Some(2));
        assert_eq!(line.value("wp"), None);
        assert_eq!(line.value("eq"), None);
        let Reply::Info(line) =
            Reply::parse("info endgame depth 2 pv 8D.AB pass ex.2 move 8D.AB rank 1 kind exact")
        else {
            panic!("it is an info line");
        };
        let variation: Vec<&str> = line.variation().collect();
        assert_eq!(variation, ["8D.AB", "pass", "ex.2"]);
        assert_eq!(line.value("move"), Some("8D.AB"));
    }

    #[test]
    fn lines_that_differ_in_times_and_counts_say_the_same() {
        let check = |line: &str, expected: &str| {
            assert_eq!(InfoLine(line.to_string()).without_counts().trim(), expected);
        };
        check(
            "info time 7 nodes 8 nps 9 hashfull 3 string 5 moves",
            "info",
        );
        check(
            "info time 7 nodes 8 currmove 8D.AB string x",
            "info currmove 8D.AB",
        );
        let sim = "info sim move 8D.AB wp 50.00 iters 90 rank 1";
        check(sim, "info sim move 8D.AB wp 50.00 rank 1");
        let peg = "info peg move 8D.AB w:A|B d: l: spread +1.0 wp 50.00 open:7";
        check(peg, peg);
    }

    #[test]
    fn every_error_code_has_its_text() {
        for (code, text) in ErrorCode::ALL {
            assert_eq!(code.text(), text);
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
