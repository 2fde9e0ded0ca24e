//! The keyboard and screen of a person: line editing with completion and a history in memory, and
//! output that does not disturb the line that is being typed.

use super::input::{self, InputLine};
use super::session::{self, Audience};
use crate::engine::DEFINITIONS;
use crate::siu::Command;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, ExternalPrinter, Helper};
use std::io::{self, BufReader, Write, stdin};

/// What stands before a line that is being typed.
const PROMPT: &str = "> ";

/// Serves a person at a terminal.
pub(super) fn run(colour: bool) -> io::Result<()> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor: Editor<CommandCompleter, DefaultHistory> =
        Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(CommandCompleter));
    let printer = editor.create_external_printer().map_err(io::Error::other)?;
    let output = PrinterOutput {
        printer,
        text: Vec::new(),
    };
    let mut keyboard = Keyboard::Editor(Box::new(editor));
    session::serve(
        session::new_engine()?,
        move || keyboard.next_line(),
        output,
        Audience::Person { colour },
    )
}

/// Where the next line comes from.
enum Keyboard {
    /// A person edits it.
    Editor(Box<Editor<CommandCompleter, DefaultHistory>>),
    /// A program speaks the protocol, after `siu` was typed.
    Plain,
    /// `quit` was typed. The terminal must not be in raw mode when the process ends.
    Closed,
}

impl Keyboard {
    fn next_line(&mut self) -> io::Result<Option<InputLine>> {
        let editor = match self {
            Keyboard::Editor(editor) => editor,
            Keyboard::Plain => return input::read_line(&mut BufReader::with_capacity(1, stdin())),
            Keyboard::Closed => return Ok(None),
        };
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            // Ctrl-C ends a search, Ctrl-D the session.
            Err(ReadlineError::Interrupted) => Command::Stop.to_string(),
            Err(_) => return Ok(None),
        };
        match Command::parse(&line) {
            Ok(Some(Command::Quit)) => *self = Keyboard::Closed,
            Ok(Some(Command::Hello(_))) => *self = Keyboard::Plain,
            _ => {}
        }
        Ok(Some(InputLine::Text(line)))
    }
}

/// Prints above the line that is being typed.
struct PrinterOutput<P> {
    printer: P,
    text: Vec<u8>,
}

impl<P: ExternalPrinter> Write for PrinterOutput<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        self.text.clear();
        match text.is_empty() {
            true => Ok(()),
            false => self.printer.print(text).map_err(io::Error::other),
        }
    }
}

/// Completes commands, the words after them and the names of options.
struct CommandCompleter;

impl Helper for CommandCompleter {}
impl Highlighter for CommandCompleter {}
impl Validator for CommandCompleter {}

impl Hinter for CommandCompleter {
    type Hint = String;
}

impl Completer for CommandCompleter {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(&line[..at]))
    }
}

/// Where the last word of a line starts, and the words that it may become.
fn completions(line: &str) -> (usize, Vec<String>) {
    let start = line.rfind(' ').map_or(0, |space| space + 1);
    let (before, word) = line.split_at(start);
    let before: Vec<&str> = before.split_whitespace().collect();
    let words: Vec<&str> = match before[..] {
        [] => Command::WORDS.to_vec(),
        ["position"] => vec!["startpos", "cgp"],
        ["show"] => vec!["lexicon", "rules"],
        ["setoption"] => vec!["name"],
        ["setoption", "name"] => DEFINITIONS.iter().map(|option| option.name).collect(),
        ["setoption", "name", _] => vec!["value"],
        ["go", ..] => GO_WORDS.to_vec(),
        _ => Vec::new(),
    };
    let is_start = |full: &&str| full.to_lowercase().starts_with(&word.to_lowercase());
    let matching = words.into_iter().filter(is_start);
    (start, matching.map(|full| format!("{full} ")).collect())
}

/// The words after `go` that completion offers.
const GO_WORDS: [&str; 14] = [
    "gen",
    "sim",
    "endgame",
    "peg",
    "auto",
    "movetime",
    "iterations",
    "candidates",
    "depth",
    "infinite",
    "stopcondition",
    "threads",
    "searchmoves",
    "alsosearchmoves",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_completed() {
        let check =
            |line: &str, expected: &[&str]| assert_eq!(completions(line).1, expected, "{line}");
        check("po", &["position "]);
        check("show l", &["lexicon "]);
        check("setoption name thr", &["Threads "]);
        check("go gen cand", &["candidates "]);
        check("rack ", &[]);
        assert_eq!(completions("show l").0, 5);
    }
}
