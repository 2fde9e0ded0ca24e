//! One client, from greeting to good-bye: a reader thread, one event loop,
//! one writer.
//!
//! The loop never searches, so that it can answer at any time; it loads data
//! only where a client waits for that.

use super::input::{self, Line, MAX_LINE};
use super::log::Log;
use super::{reply, show};
use crate::engine::{Engine, EngineError, Mode, Report, Search, Start, Update};
use crate::siu::{Command, CommandError, Go, ShowTopic};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// All that can happen to a session.
enum Event {
    /// The client sent a line.
    Line(Line),
    /// The client will send no more.
    EndOfInput,
    /// The search has something to say.
    Report(Report),
}

/// How far the reader may be ahead of the loop: enough to keep both busy,
/// little enough that a client that floods us with the longest lines waits
/// instead of filling memory.
const QUEUE: usize = 16;

/// How many of the parameters that a search ignores are told by name.
const MAX_IGNORED: usize = 50;

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Someone at a terminal, who is greeted.
    Person,
    /// A program, which is told nothing that it did not ask for.
    Program,
}

impl Peer {
    /// A person types and reads: if only one end is a terminal, the other is a
    /// program's, or a file.
    pub fn at(input_is_terminal: bool, output_is_terminal: bool) -> Peer {
        match (input_is_terminal, output_is_terminal) {
            (true, true) => Peer::Person,
            _ => Peer::Program,
        }
    }
}

/// Talks to a client until it says `quit` or its input ends. Errors are those
/// of writing: the client is gone.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write, peer: Peer) -> io::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let (lines, end) = (sender.clone(), sender.clone());
    input::read_all(
        input,
        move |line| lines.send(Event::Line(line)).is_ok(),
        move || _ = end.send(Event::EndOfInput),
    )?;
    let engine = Engine::new().map_err(|error| io::Error::other(error.text))?;
    let mut session = Session {
        engine,
        output,
        sender,
        search: None,
        log: Log::default(),
        leaving: false,
    };
    if peer == Peer::Person {
        session.say(&reply::greeting())?;
    }
    session.serve(&events)
}

struct Session<W> {
    engine: Engine,
    output: W,
    /// For the reports of searches.
    sender: SyncSender<Event>,
    search: Option<Running>,
    log: Log,
    /// Whether to end as soon as no search goes on.
    leaving: bool,
}

/// A search that goes on.
struct Running {
    search: Search,
    /// Whether its lines must not depend on the time that it takes.
    repeatable: bool,
}

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(_) if self.leaving => {}
                Event::Line(line) => self.line(line)?,
                Event::EndOfInput => {
                    // A search that ends of itself may do so: `echo … | cazique` wants its answer.
                    self.leaving = true;
                    if let Some(running) = &self.search {
                        running.search.finish();
                    }
                }
                Event::Report(report) => self.report(report)?,
            }
            if self.leaving && self.search.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: Line) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => text,
            Line::NotText => {
                return self.say(&reply::error(
                    "unknown-command",
                    "the line is not text: it has a NUL or is not UTF-8",
                ));
            }
            Line::TooLong => {
                let text = format!("the line is longer than {MAX_LINE} bytes, which is the limit");
                return self.say(&reply::error("unknown-command", &text));
            }
        };
        self.log.note('>', &text);
        match Command::parse(&text) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.obey(command),
            Err(error) => self.refuse_command(&error, &text),
        }
    }

    fn refuse_command(&mut self, error: &CommandError, line: &str) -> io::Result<()> {
        self.say(&reply::command_error(error, line))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        if self.search.is_some() && changes_state(&command) {
            let text = "a search is going on; 'stop' ends it";
            return self.say(&reply::error("busy", text));
        }
        match command {
            Command::Hello(dialect) => self.say_all(&reply::hello(dialect)),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::IsReady => {
                if self.search.is_none() {
                    let prepared = self.engine.prepare(Mode::Auto).map(|_| ());
                    self.say_error(prepared)?;
                }
                self.say("readyok")
            }
            Command::NewGame => {
                self.engine.new_game();
                Ok(())
            }
            Command::Position { cgp, moves } => {
                let start = cgp.as_deref().map_or(Start::Empty, Start::Cgp);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let set = self.engine.set_position(start, &moves);
                self.say_error(set)
            }
            Command::Rack(tiles) => {
                let set = self.engine.set_rack(&tiles);
                self.say_error(set)
            }
            Command::Go(go) => self.go(&go),
            Command::Check(text) => match self.engine.check(&text) {
                Ok(checked) => {
                    let line = self
                        .engine
                        .game()
                        .map(|game| reply::checked(&checked, game.position()));
                    self.say(&line.unwrap_or_default())
                }
                Err(error) => self.say(&reply::engine_error(&error)),
            },
            Command::Stop => {
                if let Some(running) = &self.search {
                    running.search.stop();
                }
                Ok(())
            }
            Command::Quit => {
                self.leaving = true;
                if let Some(running) = &self.search {
                    running.search.stop();
                }
                Ok(())
            }
            Command::Show(topic) => self.show(topic),
            Command::Help => self.say_all(&HELP.map(str::to_string)),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        // The log is the session's own: it must open before the option holds.
        if name.eq_ignore_ascii_case("log") {
            match Log::open(value) {
                Ok(log) => self.log = log,
                Err(error) => {
                    let text = format!(
                        "Log is '{}': {error}",
                        value.chars().take(60).collect::<String>()
                    );
                    return self.say(&reply::error("bad-option", &text));
                }
            }
        }
        let set = self.engine.set_option(name, value).map(|_| ());
        self.say_error(set)
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let sender = self.sender.clone();
        let report = move |report| {
            // The loop may have ended: then nobody wants to know.
            let _ = sender.send(Event::Report(report));
        };
        let search = match self.engine.go(&go.request, report) {
            Ok(search) => search,
            Err(error) => return self.say(&reply::engine_error(&error)),
        };
        // Reports wait in the queue until this returns, so that these lines come first.
        let provenance = reply::provenance(&search.analysis.provenance);
        self.search = Some(Running {
            search,
            repeatable: go.request.iterations.is_some(),
        });
        let told = go.ignored.iter().take(MAX_IGNORED);
        let mut lines: Vec<String> = told
            .map(|parameter| format!("info string ignored {parameter}"))
            .collect();
        if go.ignored.len() > MAX_IGNORED {
            let more = go.ignored.len() - MAX_IGNORED;
            lines.push(format!("info string ignored {more} more"));
        }
        lines.extend(provenance);
        self.say_all(&lines)
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        let Some(running) = &mut self.search else {
            return Ok(());
        };
        let analysis = &mut running.search.analysis;
        let update = analysis.apply(report);
        let lines = reply::update(analysis, update, running.repeatable);
        if update == Update::Verdict {
            self.search = None;
        }
        self.say_all(&lines)
    }

    fn show(&mut self, topic: ShowTopic) -> io::Result<()> {
        match topic {
            ShowTopic::Board => match (self.engine.game(), self.engine.cgp()) {
                (Some(game), Some(cgp)) => {
                    let lines = show::board(game, &cgp);
                    self.say_all(&lines)
                }
                _ => {
                    let text = "there is no position to show; say 'position startpos'";
                    self.say(&reply::error("no-position", text))
                }
            },
            ShowTopic::Lexicon => match self.engine.prepare(Mode::Rank) {
                Ok(data) => self.say(&reply::lexicon(&data.words)),
                Err(error) => self.say(&reply::engine_error(&error)),
            },
            ShowTopic::Rules => {
                let rules = self
                    .engine
                    .game()
                    .map_or(self.engine.rules(), |game| game.position().rules());
                let lines: Vec<String> = rules.to_text().lines().map(str::to_string).collect();
                self.say_all(&lines)
            }
        }
    }

    fn say_error(&mut self, result: Result<(), EngineError>) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.say(&reply::engine_error(&error)),
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.say_all(&[line.to_string()])
    }

    /// Writes lines in one go; no line waits in a buffer.
    fn say_all(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = String::new();
        for line in lines {
            // Words that a client sent may come back in any line; what could break it or drive a terminal does not.
            let line: String = line
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            text += &line;
            text.push('\n');
            self.log.note('<', &line);
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

/// Commands that a search in progress must not meet.
fn changes_state(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. }
            | Command::NewGame
            | Command::Position { .. }
            | Command::Rack(_)
            | Command::Go(_)
    )
}

const HELP: [&str; 22] = [
    "position startpos [moves M…]      set an empty board",
    "position cgp CGP [moves M…]       set a position",
    "rack TILES                        say what the player on turn holds, ? for a blank",
    "go [movetime MS] [iterations N]   find the best move by simulation",
    "go …                              also: 1time MS 2time MS, infinite, stopcondition 99, depth N, threads N, seed N",
    "go gen [candidates N]             rank all moves without search",
    "go … [searchmoves M…]             only these moves; alsosearchmoves M…: these too",
    "check MOVE                        is it legal, what does it score, are its words valid",
    "stop                              end a search with its best move",
    "show [lexicon|rules]              draw the board, or tell words or rules",
    "setoption name NAME value VALUE   change an option; siu lists them",
    "siunewgame                        forget the game",
    "isready                           load what is needed, then say readyok",
    "siu                               say who you are and what your options are",
    "help                              this",
    "quit                              leave",
    "moves: 8D.WORD across, D8.WORD down, small letters for blanks, ex.ABC, ex.3, pass",
    "to begin with, try these, a line each:",
    "  position startpos",
    "  rack AEINRST",
    "  go movetime 1000",
    "  show",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn only_someone_who_types_and_reads_is_a_person() {
        assert_eq!(Peer::at(true, true), Peer::Person);
        for (input, output) in [(true, false), (false, true), (false, false)] {
            assert_eq!(Peer::at(input, output), Peer::Program);
        }
    }

    #[test]
    fn a_person_is_greeted_with_one_line() {
        let said = |peer| {
            let mut output = Vec::new();
            run(Cursor::new("quit"), &mut output, peer).unwrap();
            String::from_utf8(output).unwrap()
        };
        assert_eq!(said(Peer::Person), format!("{}\n", reply::greeting()));
        assert_eq!(said(Peer::Program), "");
    }

    #[test]
    fn the_examples_of_help_are_commands() {
        let examples = HELP.iter().filter_map(|line| line.strip_prefix("  "));
        let read: Vec<_> = examples.map(Command::parse).collect();
        assert_eq!(read.len(), 4);
        assert!(read.iter().all(|read| matches!(read, Ok(Some(_)))));
    }
}
