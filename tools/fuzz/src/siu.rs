//! The line protocol: whatever is sent, a refused `position` leaves no position, a refused `rack` no
//! rack, a position can be set again from its CGP, and each accepted `go` gets one `bestmove`.

use crate::{is_harmless_option, quick_engine};
use cazique::engine::{Eyes, Start};
use cazique::protocol::session::serve_program;
use cazique::siu::{Command, ErrorCode, Reply};
use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The most lines of a session that are sent. Chosen by hand.
const MAX_LINES: usize = 12;
/// Appended to every `go`, where it overrides what was said before. Chosen for its time.
const LIMITS: &str = " threads 1 iterations 2 movetime 50";
/// The longest line that a session may write, in bytes: `state` on a board of 21 rows is shorter.
const MAX_ANSWER_BYTES: usize = 6_000;

pub fn law(bytes: &[u8]) -> bool {
    let (lines, input) = channel();
    let (output, answers) = channel();
    let input = LineSource {
        lines: input,
        rest: VecDeque::new(),
    };
    let serve = || serve_program(quick_engine(), BufReader::new(input), LineSink(output));
    let session = thread::spawn(serve);
    let mut client = SessionClient {
        lines,
        answers,
        text: String::new(),
        started: 0,
        ended: 0,
        is_infinite: false,
    };
    // A byte order mark before the first line is skipped, and the line might then do harm: so the
    // first line is blank.
    client.ask(b"");
    for line in bytes.split(|&byte| byte == b'\n').take(MAX_LINES) {
        if is_allowed(line) {
            client.try_line(line);
        }
    }
    let has_searched = client.close() > 0;
    let ended = session.join().expect("the session does not panic");
    ended.expect("the output takes all");
    has_searched
}

/// Whether a line may be sent: not `quit`, and no option that does harm while fuzzing.
fn is_allowed(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_whitespace();
    match words.next() {
        Some("quit") => false,
        Some("setoption") => words.all(is_harmless_option),
        _ => true,
    }
}

/// A client in the same process.
struct SessionClient {
    lines: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    /// What was received and not read yet.
    text: String,
    /// The searches that were started.
    started: usize,
    /// The searches that ended with a `bestmove`.
    ended: usize,
    /// Whether a search runs that only `stop` ends.
    is_infinite: bool,
}

impl SessionClient {
    /// Sends a line and checks what follows from its answer.
    fn try_line(&mut self, line: &[u8]) {
        let text = str::from_utf8(line).unwrap_or_default();
        check_command(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let was_infinite = self.is_infinite;
        match words.first() {
            Some(&"go") => self.go(text, &words),
            Some(&"position") => self.position(line),
            Some(&"rack") => self.rack(line),
            _ => _ = self.ask(line),
        }
        if was_infinite {
            self.ask(b"stop");
            self.is_infinite = false;
            self.wait_for_search();
        }
    }

    fn go(&mut self, text: &str, words: &[&str]) {
        let before = self.started;
        let said = self.ask(format!("{text}{LIMITS}").as_bytes());
        match refusal(&said) {
            Some(_) => assert_eq!(self.started, before, "{text} {said:?}"),
            None => assert_eq!(self.started, before + 1, "{text} {said:?}"),
        }
        match words.contains(&"infinite") {
            true => self.is_infinite |= self.started > before,
            false if self.is_infinite => {}
            false => self.wait_for_search(),
        }
    }

    fn position(&mut self, line: &[u8]) {
        let said = self.ask(line);
        let state = self.state();
        if let Some(error) = refusal(&said) {
            assert!(
                is_no_position(&state),
                "a position remains after '{error}': {state}"
            );
            return;
        }
        let (_, cgp) = state
            .rsplit_once(" cgp ")
            .expect("the state ends with the CGP");
        let mut fresh = quick_engine();
        let set = fresh.set_position(Start::Cgp(cgp), &[], Eyes::Mover);
        set.unwrap_or_else(|error| panic!("'{cgp}' is refused: {}", error.text));
        let again = fresh.cgp().map(|cgp| cgp.to_string());
        assert_eq!(again.as_deref(), Some(cgp));
    }

    fn rack(&mut self, line: &[u8]) {
        let said = self.ask(line);
        let Some(error) = refusal(&said) else {
            return;
        };
        let state = self.state();
        let Reply::Info(info) = Reply::parse(&state) else {
            assert!(is_no_position(&state), "{state}");
            return;
        };
        let racks = info.value("racks").expect("the state has racks");
        let seat: usize = info.number("tomove").expect("the state has a seat to move");
        let rack = racks.split('/').nth(seat - 1);
        assert_eq!(rack, Some("-"), "a rack remains after '{error}': {state}");
    }

    /// The answer to `state`, among the lines of a search.
    fn state(&mut self) -> String {
        let mut said = self.ask(b"state");
        said.retain(|line| line.starts_with("info state ") || is_no_position(line));
        assert_eq!(said.len(), 1, "{said:?}");
        said.remove(0)
    }

    /// Sends a line, and returns what is said until its answer is complete. Lines of a search that
    /// runs at the same time may be among it.
    fn ask(&mut self, line: &[u8]) -> Vec<String> {
        let sync = "sync";
        let end = [line, b"\n", sync.as_bytes(), b"\n"].concat();
        self.lines.send(end).expect("the session runs");
        let start = format!("info string error unknown-command there is no command '{sync}'");
        let mut said = Vec::new();
        loop {
            match self.next_line().expect("the session answers") {
                line if line.starts_with(&start) => return said,
                line => said.push(line),
            }
        }
    }

    /// The next line, unless the session has ended.
    fn next_line(&mut self) -> Option<String> {
        while !self.text.contains('\n') {
            let bytes = self.answers.recv().ok()?;
            self.text += str::from_utf8(&bytes).expect("the session writes text");
        }
        let end = self.text.find('\n').expect("it was just found");
        let mut line: String = self.text.drain(..=end).collect();
        line.pop();
        self.check_answer(&line);
        Some(line)
    }

    fn check_answer(&mut self, line: &str) {
        assert!(
            line.len() <= MAX_ANSWER_BYTES,
            "{} bytes: {line}",
            line.len()
        );
        assert!(!line.contains(char::is_control), "{line:?}");
        let reply = Reply::parse(line);
        assert_eq!(reply.to_string(), line);
        match reply {
            Reply::Error { code, .. } => assert_ne!(code, ErrorCode::Internal.text(), "{line}"),
            Reply::BestMove(_) => self.ended += 1,
            _ if line.starts_with("info string provenance ") => self.started += 1,
            _ => {}
        }
        assert!(
            self.ended <= self.started,
            "a move without a search: {line}"
        );
        assert!(
            self.started <= self.ended + 1,
            "a search during another: {line}"
        );
    }

    /// Reads until the search has ended.
    fn wait_for_search(&mut self) {
        while self.ended < self.started {
            self.next_line().expect("every search ends");
        }
    }

    /// Ends the input, and reads what remains. Returns the number of searches.
    fn close(mut self) -> usize {
        self.lines = channel().0;
        while self.next_line().is_some() {}
        assert_eq!(self.ended, self.started, "every search ends with a move");
        assert_eq!(self.text, "", "the last line is complete");
        self.ended
    }
}

/// The first error among the answers.
fn refusal(said: &[String]) -> Option<&String> {
    said.iter()
        .find(|line| matches!(Reply::parse(line), Reply::Error { .. }))
}

/// Whether a line says that there is no position.
fn is_no_position(line: &str) -> bool {
    let no_position = ErrorCode::NoPosition.text();
    matches!(Reply::parse(line), Reply::Error { code, .. } if code == no_position)
}

/// Checks that a command reads back as itself. The parameters of `go` without effect are not
/// written.
fn check_command(text: &str) {
    let Ok(Some(command)) = Command::parse(text) else {
        return;
    };
    let written = command.to_string();
    let read = Command::parse(&written);
    let again = read
        .as_ref()
        .map(|read| read.as_ref().map(Command::to_string));
    assert_eq!(again, Ok(Some(written)), "{text}");
    if !matches!(command, Command::Go(_)) {
        assert_eq!(read, Ok(Some(command)), "{text}");
    }
}

/// The input of a session: the lines that come through a channel.
struct LineSource {
    lines: Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl Read for LineSource {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // The client has closed if nothing comes.
            self.rest.extend(self.lines.recv().unwrap_or_default());
        }
        self.rest.read(buffer)
    }
}

/// The output of a session: a channel.
struct LineSink(Sender<Vec<u8>>);

impl Write for LineSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
