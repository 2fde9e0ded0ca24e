//! One client: a reader thread, one event loop with a queue, one writer.
//!
//! Searches are made one after the other, each with all its threads: several
//! at once would share the same cores, take several times the memory and make
//! time limits mean less, and the first answer would come later.

use super::answer::{Answer, failure, refusal};
use super::query::{Action, Fault, Query, Request, Source};
use super::room::{Gate, Room};
use crate::engine::{
    Definition, Engine, EngineError, ErrorKind, NAME, Report, Search, Start, Update, VERSION,
};
use crate::notation::gcg::RecordProblem;
use crate::protocol::input::{self, Line, MAX_LINE};
use crate::protocol::log::Log;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// All that can happen to a session.
enum Event {
    /// The client sent a line, which takes some room.
    Line(Line, Room),
    /// The client will send no more.
    EndOfInput,
    /// The search has something to say.
    Report(Report),
}

/// How often it is found out, after the end of input, whether somebody reads.
const KNOCK: Duration = Duration::from_secs(1);

/// How far the reader may be ahead of the loop.
const QUEUE: usize = 16;

/// Answers a client until its input ends and the queue is empty. Errors are
/// those of writing: the client is gone.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let (lines, end, gate) = (sender.clone(), sender.clone(), Gate::default());
    let take = move |line: Line| {
        let bytes = match &line {
            Line::Text(text) => text.len(),
            Line::NotText | Line::TooLong => 0,
        };
        let room = gate.enter(bytes);
        lines.send(Event::Line(line, room)).is_ok()
    };
    input::read_all(input, take, move || _ = end.send(Event::EndOfInput))?;
    let engine = Engine::new().map_err(|error| io::Error::other(error.text))?;
    let mut session = Session {
        engine,
        output,
        sender,
        queue: VecDeque::new(),
        running: None,
        log: Log::default(),
        leaving: false,
        knocked: None,
    };
    session.serve(&events)
}

struct Session<W> {
    engine: Engine,
    output: W,
    /// For the reports of searches.
    sender: SyncSender<Event>,
    /// What is still to be done, in the order in which it came.
    queue: VecDeque<Task>,
    /// The search that goes on.
    running: Option<Running>,
    log: Log,
    /// Whether to end as soon as nothing is left to be done.
    leaving: bool,
    /// When it was last found out whether somebody reads.
    knocked: Option<Instant>,
}

/// Something to be done in its turn.
enum Task {
    /// To search at a turn of a query.
    Search(Arc<Waiting>, usize),
    /// To set an option: it holds for what comes after.
    SetOption {
        id: Option<String>,
        name: String,
        value: String,
        _room: Room,
    },
}

/// A query, and the room that its line takes until the last of its turns is answered.
struct Waiting {
    query: Query,
    _room: Room,
}

/// A search that goes on.
struct Running {
    waiting: Arc<Waiting>,
    turn: usize,
    search: Search,
    problems: Vec<RecordProblem>,
    /// When the client was told last how it stands.
    told: Duration,
    terminated: bool,
}

impl<W: Write> Session<W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                Event::Line(line, room) => self.line(line, room)?,
                Event::EndOfInput => self.leaving = true,
                Event::Report(report) => self.report(report)?,
            }
            self.go_on()?;
            if self.leaving && self.running.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: Line, room: Room) -> io::Result<()> {
        let text = match line {
            Line::Text(text) => text,
            Line::NotText => {
                let text = "the line is not text: it has a NUL or is not UTF-8";
                return self.say(&refusal(None, &Fault::new("bad-json", None, text)));
            }
            Line::TooLong => {
                let text = format!("the line is longer than {MAX_LINE} bytes, which is the limit");
                return self.say(&refusal(None, &Fault::new("bad-json", None, text)));
            }
        };
        self.log.note('>', &text);
        if text.trim().is_empty() {
            return Ok(());
        }
        match Request::parse(&text) {
            Ok(Request::Query(query)) => {
                let turns = query.turns.clone();
                let waiting = Arc::new(Waiting {
                    query: *query,
                    _room: room,
                });
                let tasks = turns.into_iter();
                self.queue
                    .extend(tasks.map(|turn| Task::Search(waiting.clone(), turn)));
                Ok(())
            }
            Ok(Request::Action(id, action)) => self.act(id, action, room),
            Err((id, fault)) => self.say(&refusal(id.as_deref(), &fault)),
        }
    }

    fn act(&mut self, id: Option<String>, action: Action, room: Room) -> io::Result<()> {
        match action {
            Action::Version => self.say(&json!({
                "id": id,
                "action": "version",
                "engine": NAME,
                "version": VERSION,
            })),
            Action::SetOption { name, value } => {
                self.queue.push_back(Task::SetOption {
                    id,
                    name,
                    value,
                    _room: room,
                });
                Ok(())
            }
            Action::Terminate(of) => self.terminate(id.as_deref(), &of),
        }
    }

    /// Ends all queries with an id: what has not begun is answered at once,
    /// with nothing found.
    fn terminate(&mut self, id: Option<&str>, of: &str) -> io::Result<()> {
        let is_meant = |waiting: &Waiting| waiting.query.id == of;
        let (mut ended, mut kept) = (Vec::new(), VecDeque::new());
        for task in self.queue.drain(..) {
            match task {
                Task::Search(waiting, turn) if is_meant(&waiting) => ended.push((waiting, turn)),
                task => kept.push_back(task),
            }
        }
        self.queue = kept;
        let running = self.running.as_mut();
        let running = running.filter(|running| is_meant(&running.waiting));
        let turns = ended.len() + usize::from(running.is_some());
        if let Some(running) = running {
            running.terminated = true;
            running.search.stop();
        }
        self.say(&json!({
            "id": id,
            "action": "terminate",
            "terminate": of,
            "turns": turns,
        }))?;
        for (waiting, turn) in ended {
            let answer = Answer {
                query: &waiting.query,
                turn,
                analysis: None,
                problems: &[],
                terminated: true,
            };
            self.say(&answer.json(true))?;
        }
        Ok(())
    }

    /// Does what is to be done next, until a search goes on or nothing is left.
    fn go_on(&mut self) -> io::Result<()> {
        while self.running.is_none() {
            match self.queue.pop_front() {
                None => break,
                Some(Task::Search(waiting, turn)) => match self.begin(&waiting, turn) {
                    Ok(running) => self.running = Some(running),
                    Err(fault) => self.say(&failure(&waiting.query, turn, &fault))?,
                },
                Some(Task::SetOption {
                    id, name, value, ..
                }) => {
                    let said = match self.set_option(&name, &value) {
                        Ok((name, value)) => json!({
                            "id": id, "action": "setoption", "name": name, "value": value,
                        }),
                        Err(fault) => refusal(id.as_deref(), &fault),
                    };
                    self.say(&said)?;
                }
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(&'static str, String), Fault> {
        // The log is the session's own: it must open before the option holds.
        if name.eq_ignore_ascii_case("log") {
            self.log = Log::open(value).map_err(|error| {
                let value: String = value.chars().take(60).collect();
                Fault::new("bad-option", "value", format!("Log is '{value}': {error}"))
            })?;
        }
        let field = match Definition::find(name) {
            Some(_) => "value",
            None => "name",
        };
        let set = self.engine.set_option(name, value);
        set.map_err(|error| Fault::of(&error, field))
    }

    /// Sets the position of a turn and starts to search it.
    fn begin(&mut self, waiting: &Arc<Waiting>, turn: usize) -> Result<Running, Fault> {
        let query = &waiting.query;
        let problems = self.set_up(query, turn)?;
        let sender = self.sender.clone();
        let report = move |report| {
            // The loop may have ended: then nobody wants to know.
            let _ = sender.send(Event::Report(report));
        };
        let search = self.engine.go(&query.request, report);
        let search = search.map_err(|error| Fault::of(&error, field_of_go(&error, query)))?;
        Ok(Running {
            waiting: waiting.clone(),
            turn,
            search,
            problems,
            told: Duration::ZERO,
            terminated: false,
        })
    }

    fn set_up(&mut self, query: &Query, turn: usize) -> Result<Vec<RecordProblem>, Fault> {
        let problems = match &query.source {
            Source::Record(record) => self
                .engine
                .set_record(record, turn)
                .map_err(|error| Fault::of(&error, "gcg"))?,
            Source::Moves { cgp, moves } => {
                let start = cgp.as_deref().map_or(Start::Empty, Start::Cgp);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let set = self.engine.set_position_before(start, &moves, turn);
                set.map_err(|error| match error.kind {
                    ErrorKind::Move => Fault::of(&error, "moves"),
                    _ => Fault::of(&error, cgp.as_ref().map(|_| "cgp")),
                })?;
                Vec::new()
            }
        };
        if let Some(rack) = &query.rack {
            let set = self.engine.set_rack(rack);
            set.map_err(|error| Fault::of(&error, "rack"))?;
        }
        Ok(problems)
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        let Some(mut running) = self.running.take() else {
            return Ok(());
        };
        let analysis = &mut running.search.analysis;
        let update = analysis.apply(report);
        let (elapsed, every) = (analysis.elapsed, running.waiting.query.report_every);
        let is_due = every.is_some_and(|every| elapsed >= running.told + every);
        if update == Update::Verdict || update == Update::Progress && is_due {
            running.told = elapsed;
            let answer = Answer {
                query: &running.waiting.query,
                turn: running.turn,
                analysis: Some(&running.search.analysis),
                problems: &running.problems,
                terminated: running.terminated,
            };
            self.say(&answer.json(update == Update::Verdict))?;
        }
        if update != Update::Verdict {
            self.running = Some(running);
        }
        match self.leaving && update == Update::Progress {
            true => self.knock(),
            false => Ok(()),
        }
    }

    /// Finds out whether somebody still reads, who will send no more: else a
    /// long search would go on for nobody. Space before an object is no part of it.
    fn knock(&mut self) -> io::Result<()> {
        if self.knocked.is_none_or(|last| last.elapsed() >= KNOCK) {
            self.knocked = Some(Instant::now());
            self.output.write_all(b" ")?;
            self.output.flush()?;
        }
        Ok(())
    }

    /// Writes an object; none waits in a buffer.
    fn say(&mut self, object: &Value) -> io::Result<()> {
        let mut line = object.to_string();
        self.log.note('<', &line);
        line.push('\n');
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }
}

/// The field that a search was refused for.
fn field_of_go(error: &EngineError, query: &Query) -> Option<&'static str> {
    let (only, also) = (&query.request.only, &query.request.also);
    // An error of a move begins with it.
    let named = |text: &String| error.text.starts_with(&format!("{text}: "));
    match error.kind {
        ErrorKind::Move if only.iter().any(named) => Some("searchmoves"),
        ErrorKind::Move if also.iter().any(named) => Some("alsosearchmoves"),
        ErrorKind::Move if only.len() > also.len() => Some("searchmoves"),
        ErrorKind::Move => Some("alsosearchmoves"),
        ErrorKind::Position => Some("rack"),
        _ => None,
    }
}
