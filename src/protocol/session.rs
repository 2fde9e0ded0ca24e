//! The event loop of the line protocol: a reader thread, one event loop, one writer.
//!
//! The loop never searches, so that it can answer at any time. It loads data only for
//! commands whose reply the client is waiting for.

use super::input::{self, InputLine};
use super::log::Log;
use super::{decision_reply, person, printable, reply, show, table_reply, terminal};
use crate::engine::{
    ChallengeDecision, ChallengeSearch, Engine, EngineError, ErrorKind, Mode, Report, Search,
    Start, Update,
};
use crate::rules::Game;
use crate::siu::{Command, ErrorCode, Go, Reply, ShowTopic};
use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Everything that can happen to a session.
enum SessionEvent {
    /// The client sent a line.
    Line(InputLine),
    /// The client will send no more.
    EndOfInput,
    /// The search sent a report.
    Report(Report),
    /// The searches for a decision about a challenge sent a report.
    Decision(Box<ChallengeDecision>),
}

/// The most ignored parameters of a `go` that are named. Chosen by hand.
const MAX_NAMED_PARAMETERS: usize = 50;

/// Who reads the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// A person at a terminal: greeted, with tables and sentences.
    Person {
        /// With ANSI colours.
        colour: bool,
    },
    /// A program: exactly the lines of the protocol.
    Program,
}

impl Audience {
    /// A person types and reads. If only one end is a terminal, the other is a program or a file.
    fn detect(input_is_terminal: bool, output_is_terminal: bool, colour: bool) -> Audience {
        match (input_is_terminal, output_is_terminal) {
            (true, true) => Audience::Person { colour },
            _ => Audience::Program,
        }
    }
}

/// Whether a terminal gets colours, by the environment.
pub(crate) fn wants_colour() -> bool {
    // NO_COLOR: https://no-color.org
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && env::var("TERM").is_ok_and(|term| term != "dumb")
}

/// Serves standard input and output until `quit` or the end of input. An error means that the
/// client no longer reads.
pub fn run() -> io::Result<()> {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    match Audience::detect(stdin.is_terminal(), stdout.is_terminal(), wants_colour()) {
        Audience::Person { colour } => terminal::run(colour),
        Audience::Program => serve_program(new_engine()?, io::BufReader::new(stdin), stdout),
    }
}

/// Serves a program with an engine that may share its data with others, until `quit` or the end of
/// input.
pub fn serve_program(
    engine: Engine,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let next_line = move || input::read_line(&mut input);
    serve(engine, next_line, output, Audience::Program)
}

/// An engine with the default options.
pub(super) fn new_engine() -> io::Result<Engine> {
    Engine::new().map_err(|error| io::Error::other(error.text))
}

/// Serves an audience whose lines come from `next_line`.
pub(super) fn serve(
    engine: Engine,
    next_line: impl FnMut() -> io::Result<Option<InputLine>> + Send + 'static,
    output: impl Write,
    audience: Audience,
) -> io::Result<()> {
    let (sender, events) = sync_channel(input::MAX_QUEUED_EVENTS);
    let mut session = Session {
        engine,
        output,
        audience,
        sender: sender.clone(),
        search: None,
        log: Log::default(),
        is_leaving: false,
        progress_is_last: false,
    };
    if matches!(audience, Audience::Person { .. }) {
        session.write(&[person::greeting()])?;
    }
    let end = SessionEvent::EndOfInput;
    input::start_reader(next_line, sender, SessionEvent::Line, end)?;
    session.serve(&events)
}

struct Session<W> {
    engine: Engine,
    output: W,
    audience: Audience,
    /// For the reports of searches.
    sender: SyncSender<SessionEvent>,
    search: Option<SessionWork>,
    log: Log,
    /// Whether to end as soon as no search runs.
    is_leaving: bool,
    /// Whether the last line on a person's screen is about the progress of a search, so that the
    /// next one can take its place.
    progress_is_last: bool,
}

/// What a client waits for.
enum SessionWork {
    /// The best move.
    Search(Box<RunningSearch>),
    /// Whether to challenge.
    Decision(Box<ChallengeSearch>),
}

impl SessionWork {
    fn stop(&self) {
        match self {
            SessionWork::Search(running) => running.search.control.stop(),
            SessionWork::Decision(search) => search.control.stop(),
        }
    }

    fn finish(&self) {
        match self {
            SessionWork::Search(running) => running.search.control.finish(),
            SessionWork::Decision(search) => search.control.finish(),
        }
    }
}

/// The search in progress.
struct RunningSearch {
    search: Search,
    /// Whether its lines must not depend on the time that it takes.
    repeatable: bool,
    /// The number of candidates that the client wants to see.
    rows: Option<usize>,
    /// The last progress report without its times and counts, line by line.
    last_progress: Vec<String>,
}

impl RunningSearch {
    /// Whether a progress report says more than the one before, times and counts aside.
    fn is_news(&mut self, progress: &[Reply]) -> bool {
        let line = |reply: &Reply| match reply {
            Reply::Info(line) => line.without_counts(),
            other => other.to_string(),
        };
        let progress: Vec<String> = progress.iter().map(line).collect();
        let is_news = progress != self.last_progress;
        self.last_progress = progress;
        is_news
    }
}

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<SessionEvent>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                SessionEvent::Line(_) if self.is_leaving => {}
                SessionEvent::Line(line) => self.line(line)?,
                SessionEvent::EndOfInput => {
                    // A search with a limit goes on: `echo … | cazique` waits for its answer.
                    self.is_leaving = true;
                    if let Some(running) = &self.search {
                        running.finish();
                    }
                }
                SessionEvent::Report(report) => self.report(report)?,
                SessionEvent::Decision(decision) => self.decision(*decision)?,
            }
            if self.is_leaving && self.search.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: InputLine) -> io::Result<()> {
        self.progress_is_last = false;
        let text = match line.into_text() {
            Ok(text) => text,
            Err((command, error)) => {
                self.forget_what_it_sets(&command);
                return self.say(Reply::error(ErrorCode::UnknownCommand, error));
            }
        };
        self.log.note('>', &text);
        let command = match Command::parse(&text) {
            Ok(None) => return Ok(()),
            Ok(Some(command)) => command,
            Err(error) => {
                self.forget_what_it_sets(first_word(&text));
                return self.say(reply::command_error(&error, &text));
            }
        };
        if self.search.is_some() && changes_state(&command) {
            self.forget_what_it_sets(first_word(&text));
            let text = "a search is running; 'stop' ends it";
            return self.say(Reply::error(ErrorCode::Busy, text));
        }
        self.obey(command)
    }

    /// Forgets the position after a refused `position`, and the rack after a refused `rack`. A
    /// client that sends ahead would else get the best move of an old position.
    fn forget_what_it_sets(&mut self, command: &str) {
        // `Position` and `rack.AB` are refused as unknown, and mean the same.
        let command = command.split('.').next().unwrap_or(command);
        match command.to_lowercase().as_str() {
            "position" => self.engine.new_game(),
            "rack" => self.engine.forget_rack(),
            _ => {}
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        let answer = self.carry_out(command);
        let refusal = |error: EngineError| vec![reply::engine_error(&error)];
        self.say_all(&answer.unwrap_or_else(refusal))
    }

    /// Carries a command out, and returns its answer.
    fn carry_out(&mut self, command: Command) -> Result<Vec<Reply>, EngineError> {
        match command {
            Command::Hello(dialect) => {
                self.audience = Audience::Program;
                return Ok(reply::hello(dialect));
            }
            Command::SetOption { name, value } => {
                // The log belongs to the session: the file must open before the option is set.
                if name.eq_ignore_ascii_case("log") {
                    self.log = Log::open(&value)?;
                }
                let changed = self.engine.set_option(&name, &value)?;
                return Ok(warnings(changed.warnings));
            }
            Command::IsReady => {
                let is_idle = self.search.is_none();
                let failure = is_idle.then(|| self.engine.prepare(Mode::Auto).err());
                let failure = failure.flatten().map(|error| reply::engine_error(&error));
                return Ok(failure.into_iter().chain([Reply::ReadyOk]).collect());
            }
            Command::NewGame => self.engine.new_game(),
            Command::Position { eyes, cgp, moves } => {
                let start = cgp.as_deref().map_or(Start::Empty, Start::Cgp);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                self.engine.set_position(start, &moves, eyes)?;
                return Ok(warnings(self.engine.position_warnings()));
            }
            Command::Rack(tiles) => {
                self.engine.set_rack(&tiles)?;
                return Ok(warnings(self.engine.position_warnings()));
            }
            Command::Go(go) if go.challenge => return self.go_challenge(&go),
            Command::Go(go) => return self.go(&go),
            Command::Check(text) => {
                let checked = self.engine.check(&text)?;
                let answer = |game: &Game| table_reply::checked(&checked, game.position());
                return Ok(self.engine.game().map(answer).into_iter().collect());
            }
            Command::Judge(words) => {
                let judged = self.engine.judge(&words)?;
                return Ok(judged.iter().map(table_reply::judged).collect());
            }
            Command::Challenge { words, seat } => {
                let outcome = self.engine.challenge_last(seat, &words)?;
                return Ok(vec![table_reply::challenged(&outcome)]);
            }
            Command::Draw { players, seed } => {
                let drawn = self.engine.draw_for_first_move(players, seed)?;
                return Ok(table_reply::drawn(&drawn, &self.engine.rules().tiles));
            }
            Command::State => return Ok(vec![table_reply::state(&self.engine.state()?)]),
            Command::Stop => self.stop(),
            Command::Quit => {
                self.is_leaving = true;
                self.stop();
            }
            Command::Show(topic) => return self.show(topic),
            Command::Help => return Ok(plain(HELP)),
        }
        Ok(Vec::new())
    }

    fn stop(&self) {
        if let Some(running) = &self.search {
            running.stop();
        }
    }

    /// Starts the decision about a challenge, and returns the lines before its result.
    fn go_challenge(&mut self, go: &Go) -> Result<Vec<Reply>, EngineError> {
        let sender = self.sender.clone();
        let report = move |decision| {
            // The session may have ended.
            let _ = sender.send(SessionEvent::Decision(Box::new(decision)));
        };
        let search = self.engine.go_challenge(&go.request, report)?;
        let decision = &search.decision;
        let players = decision.position.player_count();
        let ignores_first_win = search.ignores_first_win;
        let ignored = go.ignored_by_challenge(&search.methods, ignores_first_win, players);
        let mut replies = ignored_parameters(ignored.into_iter());
        replies.extend(warnings(search.warnings.clone()));
        replies.extend(warnings(decision.data_warnings.clone()));
        let provenance = reply::provenance(&decision.provenance, &decision.missing_tables);
        replies.extend(self.for_audience(provenance));
        replies.extend(decision.outcome.as_ref().map(table_reply::challenged));
        self.search = Some(SessionWork::Decision(Box::new(search)));
        Ok(replies)
    }

    /// The lines before a search that this audience reads: a person does not want checksums before
    /// every table.
    fn for_audience(&self, lines: Vec<Reply>) -> impl Iterator<Item = Reply> + use<W> {
        let audience = self.audience;
        let is_shown =
            move |line: &Reply| audience == Audience::Program || matches!(line, Reply::Text(_));
        lines.into_iter().filter(is_shown)
    }

    fn go(&mut self, go: &Go) -> Result<Vec<Reply>, EngineError> {
        let sender = self.sender.clone();
        let report = move |report| {
            // The session may have ended.
            let _ = sender.send(SessionEvent::Report(report));
        };
        let search = self.engine.go(&go.request, report)?;
        // Reports wait in the queue until this returns, so that these lines come first.
        let players = search.analysis.position.player_count();
        let parameters = go.ignored(search.method, search.ignores_first_win, players);
        let mut replies = ignored_parameters(parameters);
        replies.extend(warnings(search.warnings.clone()));
        let analysis = &search.analysis;
        replies.extend(warnings(analysis.data_warnings.clone()));
        let provenance = reply::provenance(&analysis.provenance, &analysis.missing_tables);
        replies.extend(self.for_audience(provenance));
        self.search = Some(SessionWork::Search(Box::new(RunningSearch {
            search,
            repeatable: go.request.iterations.is_some(),
            rows: go.request.candidates,
            last_progress: Vec::new(),
        })));
        Ok(replies)
    }

    /// Writes the decision about a challenge once it is made.
    fn decision(&mut self, decision: ChallengeDecision) -> io::Result<()> {
        if !decision.is_final {
            return Ok(());
        }
        self.search = None;
        match self.audience {
            Audience::Program => self.say_all(&decision_reply::lines(&decision)),
            Audience::Person { .. } => self.write(&decision_reply::sentences(&decision)),
        }
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        let Some(SessionWork::Search(running)) = &mut self.search else {
            return Ok(());
        };
        let analysis = &mut running.search.analysis;
        let update = analysis.apply(report);
        match (self.audience, update) {
            (Audience::Program, _) | (_, Update::Failed) => {
                let replies = reply::update(analysis, update, running.repeatable);
                if update == Update::Progress && !running.is_news(&replies) {
                    return Ok(());
                }
                if update == Update::Verdict {
                    self.search = None;
                }
                self.say_all(&replies)
            }
            (Audience::Person { colour }, Update::Verdict) => {
                let lines = person::table(analysis, running.rows, colour);
                self.search = None;
                self.write_over_progress(&lines)
            }
            // Without ANSI escapes a line cannot be replaced.
            (Audience::Person { colour: true }, Update::Progress) => {
                let line = person::progress(analysis);
                self.write_over_progress(&line.into_iter().collect::<Vec<_>>())?;
                self.progress_is_last = true;
                Ok(())
            }
            (Audience::Person { .. }, _) => Ok(()),
        }
    }

    fn show(&mut self, topic: ShowTopic) -> Result<Vec<Reply>, EngineError> {
        Ok(match topic {
            ShowTopic::Board => match (self.engine.game(), self.engine.cgp()) {
                (Some(game), Some(cgp)) => plain(show::board(game, &cgp, self.audience)),
                _ => {
                    return Err(EngineError {
                        kind: ErrorKind::NoPosition,
                        text: "there is no position to show; send 'position startpos'".to_string(),
                    });
                }
            },
            ShowTopic::Lexicon => vec![reply::lexicon(&self.engine.prepare(Mode::Rank)?.words)],
            ShowTopic::Rules => {
                let game = self.engine.game();
                let rules = game.map_or(self.engine.rules(), |game| game.position().rules());
                plain(rules.to_text().lines().map(printable))
            }
        })
    }

    fn say(&mut self, reply: Reply) -> io::Result<()> {
        self.say_all(&[reply])
    }

    /// Writes replies as the audience reads them.
    fn say_all(&mut self, replies: &[Reply]) -> io::Result<()> {
        let line = |reply: &Reply| match (reply, self.audience) {
            (Reply::Plain(line), _) => line.clone(),
            (_, Audience::Person { .. }) => printable(&person::sentence(reply)),
            (_, Audience::Program) => printable(&reply.to_string()),
        };
        let lines: Vec<String> = replies.iter().map(line).collect();
        self.write(&lines)
    }

    /// Writes lines in the place of the last line about progress.
    fn write_over_progress(&mut self, lines: &[String]) -> io::Result<()> {
        if self.progress_is_last {
            // One line up, and clear it.
            self.output.write_all(b"\x1b[1A\x1b[2K\r")?;
        }
        self.write(lines)
    }

    /// Writes lines at once.
    fn write(&mut self, lines: &[String]) -> io::Result<()> {
        self.progress_is_last = false;
        let mut text = String::new();
        for line in lines {
            text += line;
            text.push('\n');
            self.log.note('<', line);
        }
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

/// A line for each parameter that has no effect, as far as they are named.
fn ignored_parameters<'a>(mut parameters: impl Iterator<Item = &'a str>) -> Vec<Reply> {
    let ignored = |parameter: &str| Reply::Text(format!("ignored {parameter}"));
    let named = parameters.by_ref().take(MAX_NAMED_PARAMETERS);
    let mut replies: Vec<Reply> = named.map(ignored).collect();
    let more = parameters.count();
    replies.extend((more > 0).then(|| ignored(&format!("{more} more"))));
    replies
}

/// Warnings, each a line.
fn warnings(texts: impl IntoIterator<Item = String>) -> Vec<Reply> {
    let warning = |text| Reply::Text(format!("warning {text}"));
    texts.into_iter().map(warning).collect()
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

/// Lines for people, which are written as they are.
fn plain(lines: impl IntoIterator<Item = impl Into<String>>) -> Vec<Reply> {
    lines
        .into_iter()
        .map(|line| Reply::Plain(line.into()))
        .collect()
}

/// Whether a command is refused during a search.
fn changes_state(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. }
            | Command::NewGame
            | Command::Position { .. }
            | Command::Rack(_)
            | Command::Challenge { .. }
            | Command::Go(_)
    )
}

/// The answer to `help`.
const HELP: [&str; 25] = [
    "position startpos [moves M…]      set up an empty board",
    "position cgp CGP [moves M…]       set up a position",
    "rack TILES                        set the rack of the player to move, ? for a blank",
    "go [movetime MS] [iterations N]   find the best move",
    "go …                              also: 1time MS 2time MS, infinite, stopcondition 99, depth N, threads N, seed N",
    "go gen [candidates N]             rank all moves without search",
    "go … [searchmoves M…]             consider only these moves; alsosearchmoves M…: these too",
    "go challenge [movetime MS]        should the player to move challenge the last play",
    "check MOVE                        is it legal, what does it score, are its words valid",
    "challenge [WORD…] [by SEAT]       rule on a challenge of the last play",
    "draw [players N] [seed N]         draw tiles for the first move",
    "stop                              end the search and take its best move; at a terminal also Ctrl-C",
    "show [lexicon|rules]              draw the board, or describe the lexicon or the rules",
    "setoption name NAME value VALUE   set an option; siu lists them",
    "siunewgame                        forget the game",
    "isready                           load all data, then answer readyok",
    "siu                               name, capabilities and options; from then on plain protocol",
    "help                              this list",
    "quit                              leave",
    "moves: 8D.WORD across, D8.WORD down, lower case for blanks, ex.ABC, ex.3, pass",
    "to begin, try these, one per line:",
    "  position startpos",
    "  rack AEINRST",
    "  go movetime 1000",
    "  show",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A person at a terminal without colours.
    const PERSON: Audience = Audience::Person { colour: false };

    #[test]
    fn only_someone_who_types_and_reads_is_a_person() {
        assert_eq!(Audience::detect(true, true, false), PERSON);
        for (input, output) in [(true, false), (false, true), (false, false)] {
            assert_eq!(Audience::detect(input, output, true), Audience::Program);
        }
    }

    fn answer(input: &'static str, audience: Audience) -> String {
        let (mut input, mut output) = (Cursor::new(input), Vec::new());
        let next_line = move || input::read_line(&mut input);
        serve(new_engine().unwrap(), next_line, &mut output, audience).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_person_is_greeted_with_one_line() {
        assert_eq!(answer("quit", PERSON), format!("{}\n", person::greeting()));
        assert_eq!(answer("quit", Audience::Program), "");
    }

    #[test]
    fn a_person_reads_a_table_until_the_word_siu() {
        let go = "position startpos\nrack AEKNRSV\ngo gen candidates 2\nfrobnicate\n";
        let read = answer(go, PERSON);
        let lines: Vec<&str> = read.lines().skip(1).collect();
        assert!(
            lines.contains(&"error: there is no command 'frobnicate'; 'help' lists the commands")
        );
        assert!(lines.contains(&"best move: 8D.KNAVE"), "{read}");
        let first = lines.iter().find(|line| line.starts_with("   1 ")).unwrap();
        let words: Vec<&str> = first.split_whitespace().collect();
        assert_eq!(words.join(" "), "1 8D.KNAVE 34 RS - +43.0 estimate");
        let go = "siu\nposition startpos\nrack AEKNRSV\ngo gen candidates 1\n";
        let spoken = answer(go, PERSON);
        assert!(spoken.ends_with("bestmove 8D.KNAVE\n"), "{spoken}");
    }

    #[test]
    fn the_examples_of_help_are_commands() {
        let examples = HELP.iter().filter_map(|line| line.strip_prefix("  "));
        let read: Vec<_> = examples.map(Command::parse).collect();
        assert_eq!(read.len(), 4);
        assert!(read.iter().all(|read| matches!(read, Ok(Some(_)))));
    }
}
