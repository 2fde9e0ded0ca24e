//! The event loop of the JSON protocol: a reader thread, a queue of queries, one writer.
//!
//! Searches run one after the other, each with all its threads. Several at once would share the
//! same cores, take several times the memory, and make time limits mean less; and the first answer
//! would come later.

use super::answer::{ActionAnswer, AnswerMessage, TurnAnswer, to_value};
use super::backlog::{Backlog, BacklogShare};
use super::query::{GameSource, JsonAction, JsonRequest, Query, QueryError};
use crate::engine::{
    ChangedOption, Definition, Engine, EngineError, ErrorKind, Eyes, NAME, Report, Search, Start,
    Update, VERSION,
};
use crate::notation::gcg::RecordProblem;
use crate::protocol::input::{self, InputLine};
use crate::protocol::log::Log;
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Everything that can happen to a session.
enum JsonEvent {
    /// The client sent a line, which counts in the backlog.
    Line(InputLine, BacklogShare),
    /// The client will send no more.
    EndOfInput,
    /// The search sent a report.
    Report(Report),
}

/// The time between two checks, after the end of input, whether the client still reads. Chosen by
/// hand.
const CONNECTION_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Answers a client until its input ends and the queue is empty. An error means that the client no
/// longer reads.
pub fn run(mut input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, events) = sync_channel(input::MAX_QUEUED_EVENTS);
    let backlog = Backlog::default();
    let event = move |line: InputLine| {
        let bytes = match &line {
            InputLine::Text(text) => text.len(),
            InputLine::NotText(_) | InputLine::TooLong(_) => 0,
        };
        JsonEvent::Line(line, backlog.admit(bytes))
    };
    let next_line = move || input::read_line(&mut input);
    input::start_reader(next_line, sender.clone(), event, JsonEvent::EndOfInput)?;
    let engine = Engine::new().map_err(|error| io::Error::other(error.text))?;
    let mut session = JsonSession {
        engine,
        output,
        sender,
        queue: VecDeque::new(),
        running: None,
        log: Log::default(),
        input_ended: false,
        last_check: None,
    };
    session.serve(&events)
}

struct JsonSession<W> {
    engine: Engine,
    output: W,
    /// For the reports of searches.
    sender: SyncSender<JsonEvent>,
    /// Turns to search and options to set, in the order in which they came.
    queue: VecDeque<QueueItem>,
    /// The search in progress.
    running: Option<RunningTurn>,
    log: Log,
    input_ended: bool,
    /// When the session last checked whether the client reads.
    last_check: Option<Instant>,
}

/// Work that waits in the queue.
enum QueueItem {
    /// Search a turn of a query.
    Search(Arc<QueuedQuery>, usize),
    /// Set an option for everything after it.
    SetOption {
        id: Option<String>,
        name: String,
        value: String,
        _share: BacklogShare,
    },
}

/// A query. Its line counts in the backlog until the last of its turns is answered.
type QueuedQuery = (Query, BacklogShare);

/// The search of one turn.
struct RunningTurn {
    queued: Arc<QueuedQuery>,
    turn: usize,
    search: Search,
    problems: Vec<RecordProblem>,
    /// The time of the last answer, since the search began.
    answered: Duration,
    terminated: bool,
}

impl RunningTurn {
    fn answer(&self) -> TurnAnswer {
        TurnAnswer::new(
            &self.queued.0,
            self.turn,
            &self.search.analysis,
            &self.problems,
            self.terminated,
        )
    }
}

impl<W: Write> JsonSession<W> {
    fn serve(&mut self, events: &Receiver<JsonEvent>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                JsonEvent::Line(line, share) => self.line(line, share)?,
                JsonEvent::EndOfInput => self.input_ended = true,
                JsonEvent::Report(report) => self.report(report)?,
            }
            self.work()?;
            if self.input_ended && self.running.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: InputLine, share: BacklogShare) -> io::Result<()> {
        let text = match line.into_text() {
            Ok(text) => text,
            Err((_, error)) => return self.refuse(None, QueryError::new("bad-json", None, error)),
        };
        self.log.note('>', &text);
        if text.trim().is_empty() {
            return Ok(());
        }
        match JsonRequest::parse(&text) {
            Ok(JsonRequest::Query(query)) => {
                let queued = Arc::new((*query, share));
                let item = |turn: &usize| QueueItem::Search(queued.clone(), *turn);
                self.queue.extend(queued.0.turns.iter().map(item));
                Ok(())
            }
            Ok(JsonRequest::Action(id, action)) => self.act(id, action, share),
            Err((id, error)) => self.refuse(id, error),
        }
    }

    fn act(
        &mut self,
        id: Option<String>,
        action: JsonAction,
        share: BacklogShare,
    ) -> io::Result<()> {
        match action {
            JsonAction::Version => self.answer(&AnswerMessage::Action(ActionAnswer::Version {
                id,
                engine: NAME,
                version: VERSION,
            })),
            JsonAction::SetOption { name, value } => {
                self.queue.push_back(QueueItem::SetOption {
                    id,
                    name,
                    value,
                    _share: share,
                });
                Ok(())
            }
            JsonAction::Terminate(terminate) => self.terminate(id, terminate),
        }
    }

    /// Ends all queries with the id `terminate`. Turns that wait are answered at once, without
    /// candidates.
    fn terminate(&mut self, id: Option<String>, terminate: String) -> io::Result<()> {
        let is_meant = |queued: &QueuedQuery| queued.0.id == terminate;
        let (mut ended, mut kept) = (Vec::new(), VecDeque::new());
        for item in self.queue.drain(..) {
            match item {
                QueueItem::Search(queued, turn) if is_meant(&queued) => ended.push((queued, turn)),
                item => kept.push_back(item),
            }
        }
        self.queue = kept;
        let running = self.running.as_mut();
        let running = running.filter(|running| is_meant(&running.queued));
        let turns = ended.len() + usize::from(running.is_some());
        if let Some(running) = running {
            running.terminated = true;
            running.search.stop();
        }
        self.answer(&AnswerMessage::Action(ActionAnswer::Terminate {
            id,
            terminate,
            turns,
        }))?;
        for (queued, turn) in ended {
            let answer = TurnAnswer::terminated(&queued.0, turn);
            self.answer(&AnswerMessage::Turn(Box::new(answer)))?;
        }
        Ok(())
    }

    /// Works on the queue until a search runs or the queue is empty.
    fn work(&mut self) -> io::Result<()> {
        while self.running.is_none() {
            match self.queue.pop_front() {
                None => break,
                Some(QueueItem::Search(queued, turn)) => match self.begin(&queued, turn) {
                    Ok(running) => self.running = Some(running),
                    Err(error) => self.answer(&AnswerMessage::Failure {
                        id: queued.0.id.clone(),
                        turn,
                        r#final: true,
                        error,
                    })?,
                },
                Some(QueueItem::SetOption {
                    id, name, value, ..
                }) => match self.set_option(&name, &value) {
                    Ok(changed) => {
                        let ChangedOption { name, value, .. } = changed;
                        let set = ActionAnswer::SetOption { id, name, value };
                        self.answer(&AnswerMessage::Action(set))?;
                    }
                    Err(error) => self.refuse(id, error)?,
                },
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<ChangedOption, QueryError> {
        // The log belongs to the session: the file must open before the option is set.
        if name.eq_ignore_ascii_case("log") {
            let log = Log::open(value);
            self.log = log.map_err(|error| QueryError::of(&error, "value"))?;
        }
        let field = match Definition::find(name) {
            Some(_) => "value",
            None => "name",
        };
        let set = self.engine.set_option(name, value);
        set.map_err(|error| QueryError::of(&error, field))
    }

    /// Sets the position of a turn and starts its search.
    fn begin(&mut self, queued: &Arc<QueuedQuery>, turn: usize) -> Result<RunningTurn, QueryError> {
        let query = &queued.0;
        let problems = self.set_up(query, turn)?;
        let sender = self.sender.clone();
        let report = move |report| {
            // The session may have ended.
            let _ = sender.send(JsonEvent::Report(report));
        };
        let search = self.engine.go(&query.request, report);
        let search = search.map_err(|error| {
            let field = field_of_go(&error, query);
            QueryError::of(&after_finding(&problems, error), field)
        })?;
        Ok(RunningTurn {
            queued: queued.clone(),
            turn,
            search,
            problems,
            answered: Duration::ZERO,
            terminated: false,
        })
    }

    fn set_up(&mut self, query: &Query, turn: usize) -> Result<Vec<RecordProblem>, QueryError> {
        let problems = match &query.source {
            GameSource::Record(record) => self
                .engine
                .set_record(record, turn)
                .map_err(|error| QueryError::of(&error, "gcg"))?,
            GameSource::Moves { cgp, moves } => {
                let start = cgp.as_deref().map_or(Start::Empty, Start::Cgp);
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                let set = self
                    .engine
                    .set_position_before(start, &moves, turn, Eyes::Mover);
                set.map_err(|error| match error.kind {
                    ErrorKind::Move => QueryError::of(&error, "moves"),
                    _ => QueryError::of(&error, cgp.as_ref().map(|_| "cgp")),
                })?;
                Vec::new()
            }
        };
        if let Some(rack) = &query.rack {
            let set = self.engine.set_rack(rack);
            set.map_err(|error| QueryError::of(&after_finding(&problems, error), "rack"))?;
        }
        Ok(problems)
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        let Some(mut running) = self.running.take() else {
            return Ok(());
        };
        let analysis = &mut running.search.analysis;
        let update = analysis.apply(report);
        let (elapsed, every) = (analysis.elapsed, running.queued.0.report_every);
        let is_due = every.is_some_and(|every| elapsed >= running.answered + every);
        if update == Update::Verdict || update == Update::Progress && is_due {
            running.answered = elapsed;
            let answer = running.answer();
            self.answer(&AnswerMessage::Turn(Box::new(answer)))?;
        }
        if update != Update::Verdict {
            self.running = Some(running);
        }
        if self.input_ended && update == Update::Progress {
            self.check_connection()?;
        }
        Ok(())
    }

    /// Fails if the client no longer reads; else a long search would go on in vain. The space that
    /// is written is white space before the next object.
    fn check_connection(&mut self) -> io::Result<()> {
        let interval = CONNECTION_CHECK_INTERVAL;
        if self
            .last_check
            .is_none_or(|last| last.elapsed() >= interval)
        {
            self.last_check = Some(Instant::now());
            self.output.write_all(b" ")?;
            self.output.flush()?;
        }
        Ok(())
    }

    /// Refuses a line.
    fn refuse(&mut self, id: Option<String>, error: QueryError) -> io::Result<()> {
        self.answer(&AnswerMessage::Refusal { id, error })
    }

    /// Writes an object at once.
    fn answer(&mut self, message: &AnswerMessage) -> io::Result<()> {
        let mut line = to_value(message).to_string();
        self.log.note('<', &line);
        line.push('\n');
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }
}

/// An error about a turn, after the first finding about its record: that may be the reason, and an
/// error comes without warnings.
fn after_finding(findings: &[RecordProblem], error: EngineError) -> EngineError {
    let text = match findings.first() {
        Some(first) => format!("{first}; {}", error.text),
        None => error.text,
    };
    EngineError { text, ..error }
}

/// The field because of which the engine refused a search.
fn field_of_go(error: &EngineError, query: &Query) -> Option<&'static str> {
    let (only, also) = (&query.request.only, &query.request.also);
    // The text of an error about a move begins with the move.
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
