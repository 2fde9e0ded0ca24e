//! A client of SIU: starts an engine process, sends it [`Command`]s and reads its [`Reply`]s.
//!
//! The client knows the protocol but not the rules: moves and positions are text. Every wait has a
//! time limit, and an error quotes the last words of a process that died. A blocking read cannot
//! time out, so a thread reads the output continuously; an engine therefore never blocks on a full
//! pipe.
//!
//! ```no_run
//! use cazique::client::Client;
//! use cazique::engine::SearchRequest;
//! use std::process::Command;
//!
//! let mut engine = Client::start(&mut Command::new("cazique"))?;
//! engine.handshake()?;
//! engine.set_position(None, &["rack.AEINRST".to_string()])?;
//! let found = engine.go(&SearchRequest::default(), std::time::Duration::ZERO)?;
//! assert_eq!(found.best, "8B.ANESTRI");
//! engine.quit()?;
//! # Ok::<(), cazique::client::ClientError>(())
//! ```

use crate::engine::{Eyes, SearchRequest};
use crate::siu::{Command, Dialect, InfoLine, Reply};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{self, Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The longest wait for an answer besides the time to think, unless
/// [`Client::set_patience`] changes it: enough to load a lexicon on a busy machine. Chosen by
/// hand.
const DEFAULT_PATIENCE: Duration = Duration::from_secs(30);
/// How many of the last lines of an engine an error quotes. Chosen by hand.
const QUOTED_LINES: usize = 5;
/// How much of an engine's standard error is kept, in bytes. Chosen by hand.
const MAX_STDERR_BYTES: usize = 1 << 16;
/// How long the last output of a process that ended may take to arrive. Chosen by hand.
const LAST_WORDS_TIME: Duration = Duration::from_secs(1);
/// How often [`Client::quit`] looks whether the process has ended. Chosen by hand.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A running engine process.
pub struct Client {
    process: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The beginning of its standard error, which a thread reads to the end.
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinHandle<()>,
    /// The last lines received, for error messages.
    last_lines: VecDeque<String>,
    patience: Duration,
}

/// What an engine says about itself in the handshake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Name and version.
    pub name: String,
    /// Its authors.
    pub author: String,
    /// Modes of `go` and behaviours that it has.
    pub capabilities: Vec<String>,
    /// Its options, in an order in which they can be set: the name of each, and its type,
    /// default and limits as in [`Reply::Option`].
    pub options: Vec<(String, String)>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReplies {
    /// All lines before the last, in order.
    pub lines: Vec<Reply>,
    /// The move to make.
    pub best: String,
}

/// Why an engine cannot be used.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The process did not start.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        error: io::Error,
    },
    /// The process no longer reads its input, or ended before its answer.
    #[error("the engine ended before it answered '{command}'; {last_words}")]
    Ended {
        /// The command that waits for an answer.
        command: String,
        /// The end of its output and its standard error.
        last_words: String,
    },
    /// There was no answer in time.
    #[error("the engine did not answer '{command}' within {seconds:.1} s; {last_words}")]
    TimeOut {
        /// The command that waits for an answer.
        command: String,
        /// The time limit in seconds.
        seconds: f64,
        /// The end of its output.
        last_words: String,
    },
    /// The engine refused a command.
    #[error("the engine refused '{command}': {error}")]
    Refused {
        /// The command.
        command: String,
        /// The error line.
        error: String,
    },
    /// The process ended with a failure.
    #[error("the engine ended with {status}; {last_words}")]
    Failed {
        /// Its exit status.
        status: ExitStatus,
        /// The end of its output and its standard error.
        last_words: String,
    },
}

impl Client {
    /// Starts an engine. Its input, output and standard error become pipes.
    pub fn start(command: &mut process::Command) -> Result<Client, ClientError> {
        let started = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut process = started.map_err(|error| ClientError::Start {
            program: command.get_program().to_string_lossy().into_owned(),
            error,
        })?;
        let (output, mut errors) = (process.stdout.take(), process.stderr.take());
        let (sender, lines) = channel();
        thread::spawn(move || {
            let lines = output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines());
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&stderr);
        let stderr_reader = thread::spawn(move || {
            let mut chunk = [0; 4_096];
            // It is read to its end, else the process might wait for a reader.
            while let Some(Ok(n @ 1..)) = errors.as_mut().map(|errors| errors.read(&mut chunk)) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MAX_STDERR_BYTES - kept.len();
                kept.extend_from_slice(&chunk[..n.min(room)]);
            }
        });
        Ok(Client {
            input: process.stdin.take(),
            process,
            lines,
            stderr,
            stderr_reader,
            last_lines: VecDeque::new(),
            patience: DEFAULT_PATIENCE,
        })
    }

    /// Sets the longest wait for an answer, besides the time to think.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Asks the engine who it is; the first command of a session.
    pub fn handshake(&mut self) -> Result<Identity, ClientError> {
        let mut identity = Identity::default();
        let hello = Command::Hello(Dialect::Siu);
        self.send(&hello)?;
        self.wait(&hello, Duration::ZERO, |reply| {
            match reply {
                Reply::Name(name) => identity.name = name,
                Reply::Author(author) => identity.author = author,
                Reply::Capabilities(words) => identity.capabilities = words,
                Reply::Option { name, values } => identity.options.push((name, values)),
                Reply::HelloOk(_) => return Some(Ok(())),
                Reply::Error { .. } => return Some(Err(reply)),
                _ => {}
            }
            None
        })?;
        Ok(identity)
    }

    /// Sets an option. Call [`Client::ready`] after the last one: it reports an error.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let (name, value) = (name.to_string(), value.to_string());
        self.send(&Command::SetOption { name, value })
    }

    /// Waits until the engine has carried out all commands and loaded its data.
    pub fn ready(&mut self) -> Result<(), ClientError> {
        self.send(&Command::IsReady)?;
        self.wait_until_ready(&Command::IsReady)
    }

    /// Tells the engine that another game begins.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.send(&Command::NewGame)
    }

    /// Sets the position after `moves` from a position in CGP, or from the start, as the player to
    /// move sees it.
    pub fn set_position(&mut self, cgp: Option<&str>, moves: &[String]) -> Result<(), ClientError> {
        let (cgp, moves) = (cgp.map(str::to_string), moves.to_vec());
        let eyes = Eyes::Mover;
        self.obey(&Command::Position { eyes, cgp, moves })
    }

    /// Sets the rack of the player to move.
    pub fn set_rack(&mut self, tiles: &str) -> Result<(), ClientError> {
        self.obey(&Command::Rack(tiles.to_string()))
    }

    /// Searches, and waits for the best move for `thinking` longer than for other answers.
    pub fn go(
        &mut self,
        request: &SearchRequest,
        thinking: Duration,
    ) -> Result<SearchReplies, ClientError> {
        let mut lines = Vec::new();
        let command = Command::Go(request.clone().into());
        self.send(&command)?;
        let best = self.wait(&command, thinking, |reply| match reply {
            Reply::BestMove(best) => Some(Ok(best)),
            // A search that fails after it began still gives a move.
            reply @ Reply::Error { .. } if lines.is_empty() => Some(Err(reply)),
            reply => {
                lines.push(reply);
                None
            }
        })?;
        Ok(SearchReplies { lines, best })
    }

    /// Asks whether the player to move may make a move, and what it scores: the keys `valid` and
    /// `score` of the answer.
    pub fn check(&mut self, text: &str) -> Result<InfoLine, ClientError> {
        let command = Command::Check(text.to_string());
        self.send(&command)?;
        self.wait(&command, Duration::ZERO, |reply| match reply {
            Reply::Info(line) if line.topic() == "check" => Some(Ok(line)),
            Reply::Error { .. } => Some(Err(reply)),
            _ => None,
        })
    }

    /// Ends the session, and waits for the process to end without a failure.
    pub fn quit(mut self) -> Result<(), ClientError> {
        self.send(&Command::Quit)?;
        let limit = Instant::now() + self.patience;
        while Instant::now() < limit {
            match self.process.try_wait() {
                Ok(Some(status)) => return self.succeeded(status),
                _ => thread::sleep(EXIT_POLL_INTERVAL),
            }
        }
        Err(self.time_out("quit", self.patience))
    }

    /// Sends a command without waiting; `stop`, for example, ends a search that another thread
    /// waits for.
    pub fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        let text = command.to_string();
        self.send_bytes(format!("{text}\n").as_bytes())
            .map_err(|_| self.ended(&text))
    }

    /// Sends any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(bytes)?;
        input.flush()
    }

    /// The next line, or `None` when the engine closed its output. An error is a time-out.
    pub fn next_line(&mut self, limit: Duration) -> Result<Option<String>, RecvTimeoutError> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => {
                self.last_lines.truncate(QUOTED_LINES - 1);
                self.last_lines.push_front(line.clone());
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Closes the engine's input, reads all it still writes, and waits for its end. Returns
    /// these lines and its standard error.
    pub fn close(mut self) -> Result<(Vec<String>, String), ClientError> {
        self.input = None;
        let mut rest = Vec::new();
        let end = Instant::now() + self.patience;
        loop {
            match self.next_line(end.saturating_duration_since(Instant::now())) {
                Ok(Some(line)) => rest.push(line),
                Ok(None) => break,
                Err(_) => return Err(self.time_out("end of input", self.patience)),
            }
        }
        if let Ok(status) = self.process.wait() {
            self.succeeded(status)?;
        }
        Ok((rest, self.stderr()))
    }

    /// Sends a command that has no answer of its own, and waits until it is carried out.
    fn obey(&mut self, command: &Command) -> Result<(), ClientError> {
        self.send(command)?;
        self.send(&Command::IsReady)?;
        self.wait_until_ready(command)
    }

    /// Waits for `readyok`; an error of an earlier command comes before it.
    fn wait_until_ready(&mut self, command: &Command) -> Result<(), ClientError> {
        let mut refusal = None;
        self.wait(command, Duration::ZERO, |reply| {
            match reply {
                Reply::ReadyOk => return Some(refusal.take().map_or(Ok(()), Err)),
                Reply::Error { .. } => refusal = refusal.take().or(Some(reply)),
                _ => {}
            }
            None
        })
    }

    /// Shows replies to `answer` until that returns a value, or an error line.
    fn wait<T>(
        &mut self,
        command: &Command,
        thinking: Duration,
        mut answer: impl FnMut(Reply) -> Option<Result<T, Reply>>,
    ) -> Result<T, ClientError> {
        let limit = self.patience + thinking;
        let end = Instant::now() + limit;
        loop {
            let line = match self.next_line(end.saturating_duration_since(Instant::now())) {
                Ok(Some(line)) => line,
                Ok(None) => return Err(self.ended(&command.to_string())),
                Err(_) => return Err(self.time_out(&command.to_string(), limit)),
            };
            if let Some(answered) = answer(Reply::parse(&line)) {
                return answered.map_err(|refusal| ClientError::Refused {
                    command: command.to_string(),
                    error: refusal.to_string(),
                });
            }
        }
    }

    /// An error unless the process ended without a failure.
    fn succeeded(&self, status: ExitStatus) -> Result<(), ClientError> {
        match status.success() {
            true => Ok(()),
            false => Err(ClientError::Failed {
                status,
                last_words: self.last_words(),
            }),
        }
    }

    /// The error for a process that closed one of its pipes: it is of no more use.
    fn ended(&mut self, command: &str) -> ClientError {
        let _ = self.process.kill();
        while let Ok(Some(_)) = self.next_line(LAST_WORDS_TIME) {}
        ClientError::Ended {
            command: command.to_string(),
            last_words: self.last_words(),
        }
    }

    fn time_out(&mut self, command: &str, limit: Duration) -> ClientError {
        ClientError::TimeOut {
            command: command.to_string(),
            seconds: limit.as_secs_f64(),
            last_words: self.last_words(),
        }
    }

    /// The end of the output and of the standard error.
    fn last_words(&self) -> String {
        let lines: Vec<&str> = self.last_lines.iter().rev().map(String::as_str).collect();
        let said = match lines.is_empty() {
            true => "it wrote nothing".to_string(),
            false => format!("its last lines are {lines:?}"),
        };
        match self.stderr().trim() {
            "" => said,
            complaint => format!("{said}; its standard error is {complaint:?}"),
        }
    }

    /// The standard error so far; all of it if the process has ended.
    fn stderr(&self) -> String {
        let end = Instant::now() + LAST_WORDS_TIME;
        while !self.stderr_reader.is_finished() && Instant::now() < end {
            thread::sleep(EXIT_POLL_INTERVAL);
        }
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).into_owned()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // No process stays behind, whatever went wrong; one that has ended is not harmed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
