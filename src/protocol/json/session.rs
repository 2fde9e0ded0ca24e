//! The event loop of the JSON protocol: a reader thread, a queue of queries, one writer.
//!
//! Searches run one after the other, each with all its threads. Several at once would share the
//! same cores, take several times the memory, and make time limits mean less; and the first answer
//! would come later.

use super::action_answer::ActionAnswer;
use super::answer::{AnswerMessage, cut_warnings, to_value};
use super::backlog::{Backlog, BacklogShare};
use super::fields::QueryError;
use super::game::after_finding;
use super::ineffective::{ineffective, ineffective_in_challenge};
use super::inspect::{draw, inspect};
use super::query::{Inspection, JsonAction, JsonRequest, Query, RefusedLine};
use super::running::{QueuedQuery, RunningTurn, RunningWork, terminated};
use crate::engine::{
    ChallengeDecision, ChangedOption, Definition, Engine, EngineError, ErrorKind, Mode, NAME,
    PlayedMove, Report, SampledAnalysis, SampledRequest, SearchRequest, Update, VERSION,
};
use crate::protocol::input::{self, InputLine};
use crate::protocol::log::Log;
use crate::protocol::session::new_engine;
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
    /// The search of sampled racks sent a report.
    Sampled(Box<SampledAnalysis>),
    /// The searches for a decision about a challenge sent a report.
    Decision(Box<ChallengeDecision>),
}

/// The time between two checks, after the end of input, whether the client still reads. Chosen by
/// hand.
const CONNECTION_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Answers a client until its input ends and the queue is empty. An error means that the client no
/// longer reads.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    serve(new_engine()?, input, output)
}

/// Answers a client with an engine that may share its data with others.
pub fn serve(
    engine: Engine,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
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
        /// Fields that have no effect.
        warnings: Vec<String>,
        _share: BacklogShare,
    },
    /// Draw tiles for the first move, under the options set before it.
    Draw {
        id: Option<String>,
        players: Option<usize>,
        seed: Option<u64>,
        /// Fields that have no effect.
        warnings: Vec<String>,
        _share: BacklogShare,
    },
    /// Answer about a position without a search.
    Inspect {
        id: Option<String>,
        inspection: Box<Inspection>,
        _share: BacklogShare,
    },
}

impl<W: Write> JsonSession<W> {
    fn serve(&mut self, events: &Receiver<JsonEvent>) -> io::Result<()> {
        while let Ok(event) = events.recv() {
            match event {
                JsonEvent::Line(line, share) => self.line(line, share)?,
                JsonEvent::EndOfInput => self.input_ended = true,
                JsonEvent::Report(report) => self.report(report)?,
                JsonEvent::Sampled(analysis) => self.sampled(*analysis)?,
                JsonEvent::Decision(decision) => self.decision(*decision)?,
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
            Err((_, error)) => return self.refuse(RefusedLine::bad_json(error)),
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
            Err(refused) => self.refuse(refused),
        }
    }

    fn act(
        &mut self,
        id: Option<String>,
        action: JsonAction,
        share: BacklogShare,
    ) -> io::Result<()> {
        match action {
            JsonAction::Version => self.answer(&AnswerMessage::Action(version(id))),
            JsonAction::Terminate(terminate) => self.terminate(id, terminate),
            JsonAction::SetOption {
                name,
                value,
                warnings,
            } => {
                self.queue.push_back(QueueItem::SetOption {
                    id,
                    name,
                    value,
                    warnings,
                    _share: share,
                });
                Ok(())
            }
            JsonAction::Draw {
                players,
                seed,
                warnings,
            } => {
                self.queue.push_back(QueueItem::Draw {
                    id,
                    players,
                    seed,
                    warnings,
                    _share: share,
                });
                Ok(())
            }
            JsonAction::Inspect(inspection) => {
                self.queue.push_back(QueueItem::Inspect {
                    id,
                    inspection,
                    _share: share,
                });
                Ok(())
            }
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
            running.stop();
        }
        self.answer(&AnswerMessage::Action(ActionAnswer::Terminate {
            id,
            terminate,
            turns,
        }))?;
        for (queued, turn) in ended {
            self.answer(&terminated(&queued.0, turn))?;
        }
        Ok(())
    }

    /// Works on the queue until a search runs or the queue is empty.
    fn work(&mut self) -> io::Result<()> {
        while self.running.is_none() {
            match self.queue.pop_front() {
                None => break,
                Some(QueueItem::Search(queued, turn)) => {
                    let mut warnings = Vec::new();
                    match self.begin(&queued, turn, &mut warnings) {
                        Ok(running) => self.running = Some(running),
                        Err(error) => self.fail(&queued.0, turn, error, &warnings)?,
                    }
                }
                Some(QueueItem::SetOption {
                    id,
                    name,
                    value,
                    mut warnings,
                    ..
                }) => {
                    let set = self.set_option(&name, &value);
                    let set = set.map(|changed| {
                        warnings.extend(changed.warnings);
                        ActionAnswer::SetOption {
                            id: id.clone(),
                            name: changed.name,
                            value: changed.value,
                            warnings: warnings.clone(),
                        }
                    });
                    self.answer_action(id, set, warnings)?;
                }
                Some(QueueItem::Draw {
                    id,
                    players,
                    seed,
                    warnings,
                    ..
                }) => {
                    let drawn = draw(&self.engine, id.clone(), players, seed, &warnings);
                    self.answer_action(id, drawn, warnings)?;
                }
                Some(QueueItem::Inspect { id, inspection, .. }) => {
                    let mut warnings = inspection.warnings.clone();
                    let engine = &mut self.engine;
                    let answer = inspect(engine, id.clone(), &inspection, &mut warnings);
                    self.answer_action(id, answer, warnings)?;
                }
            }
        }
        Ok(())
    }

    /// Answers about a turn that cannot be searched.
    fn fail(
        &mut self,
        query: &Query,
        turn: usize,
        error: QueryError,
        warnings: &[String],
    ) -> io::Result<()> {
        let warnings = query.warnings.iter().chain(warnings);
        self.answer(&AnswerMessage::Failure {
            id: query.id.clone(),
            turn,
            r#final: true,
            error,
            warnings: cut_warnings(warnings),
        })
    }

    /// Answers an action, or refuses it.
    fn answer_action(
        &mut self,
        id: Option<String>,
        answer: Result<ActionAnswer, QueryError>,
        warnings: Vec<String>,
    ) -> io::Result<()> {
        match answer {
            Ok(answer) => self.answer(&AnswerMessage::Action(answer)),
            Err(error) => self.refuse(RefusedLine {
                id,
                error,
                warnings,
            }),
        }
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

    /// Sets the position of a turn and starts its search. What is unusual is added to the warnings.
    fn begin(
        &mut self,
        queued: &Arc<QueuedQuery>,
        turn: usize,
        warnings: &mut Vec<String>,
    ) -> Result<RunningTurn, QueryError> {
        let query = &queued.0;
        query.game.set_up(turn, &mut self.engine, warnings)?;
        if query.challenge {
            return self.begin_decision(queued, turn, warnings);
        }
        let played = query.game.played(turn, &self.engine, warnings);
        if let Some(turn) = played.as_ref().and_then(|played| played.turn.as_ref()) {
            let added = self.engine.add_played_tiles(turn);
            added.map_err(|error| QueryError::of(&error, None))?;
        }
        let mut request = query.request.clone();
        let named = query.turn_moves.get(&turn);
        request.also.extend(named.into_iter().flatten().cloned());
        let work = self.search(query, request, played.as_ref(), warnings);
        let work = work.map_err(|error| {
            let field = field_of_go(&error, query, turn);
            QueryError::of(&after_finding(warnings, error), field)
        })?;
        Ok(RunningTurn {
            queued: queued.clone(),
            turn,
            work,
            played,
            warnings: warnings.clone(),
            answered: Duration::ZERO,
            terminated: false,
        })
    }

    /// Starts the decision about a challenge of the last play before a turn.
    fn begin_decision(
        &mut self,
        queued: &Arc<QueuedQuery>,
        turn: usize,
        warnings: &mut Vec<String>,
    ) -> Result<RunningTurn, QueryError> {
        let query = &queued.0;
        let sender = self.sender.clone();
        // The session may have ended when a report comes.
        let report = move |decision| _ = sender.send(JsonEvent::Decision(Box::new(decision)));
        let search = self.engine.go_challenge(&query.request, report);
        let search = search.map_err(|error| {
            let field = match error.kind {
                ErrorKind::Move => query.game.field(),
                _ => field_of_go(&error, query, turn),
            };
            QueryError::of(&after_finding(warnings, error), field)
        })?;
        warnings.extend(search.warnings.iter().cloned());
        let first_win = search.ignores_first_win;
        warnings.extend(ineffective_in_challenge(query, &search.methods, first_win));
        Ok(RunningTurn {
            queued: queued.clone(),
            turn,
            work: RunningWork::Decision(Box::new(search)),
            played: None,
            warnings: warnings.clone(),
            answered: Duration::ZERO,
            terminated: false,
        })
    }

    /// Starts the search of the position, or of racks sampled around a partly known one.
    fn search(
        &mut self,
        query: &Query,
        mut request: SearchRequest,
        played: Option<&PlayedMove>,
        warnings: &mut Vec<String>,
    ) -> Result<RunningWork, EngineError> {
        let sender = self.sender.clone();
        let turn = played.and_then(|played| played.turn);
        // In both cases the session may have ended when a report comes.
        if self.engine.needs_sampling(played.is_some()) {
            let request = SampledRequest {
                search: &request,
                played: turn,
                racks: query.racks,
            };
            let report = move |analysis| _ = sender.send(JsonEvent::Sampled(Box::new(analysis)));
            let search = self.engine.go_sampled(&request, report);
            return search.map(Box::new).map(RunningWork::Sampled);
        }
        if query.racks.is_some() {
            warnings.push("racks has no effect: the rack is known".to_string());
        }
        let played = played.filter(|played| played.turn.is_some());
        request
            .also
            .extend(played.map(|played| played.text.clone()));
        let report = move |report| _ = sender.send(JsonEvent::Report(report));
        let search = self.engine.go(&request, report)?;
        warnings.extend(search.warnings.iter().cloned());
        if request.mode == Mode::Auto {
            let ignores_first_win = search.ignores_first_win;
            warnings.extend(ineffective(&query.given, search.method, ignores_first_win));
        }
        Ok(RunningWork::Search(Box::new(search)))
    }

    fn report(&mut self, report: Report) -> io::Result<()> {
        let running = self.running.as_mut().map(|running| &mut running.work);
        let Some(RunningWork::Search(search)) = running else {
            return Ok(());
        };
        let update = search.analysis.apply(report);
        let elapsed = search.analysis.elapsed;
        match update {
            Update::Verdict => self.finish_turn(),
            Update::Progress => self.progress(elapsed),
            _ => Ok(()),
        }
    }

    fn sampled(&mut self, analysis: SampledAnalysis) -> io::Result<()> {
        let running = self.running.as_mut().map(|running| &mut running.work);
        let Some(RunningWork::Sampled(search)) = running else {
            return Ok(());
        };
        search.analysis = analysis;
        match search.analysis.is_final {
            true => self.finish_turn(),
            false => {
                let elapsed = search.analysis.elapsed;
                self.progress(elapsed)
            }
        }
    }

    fn decision(&mut self, decision: ChallengeDecision) -> io::Result<()> {
        let running = self.running.as_mut().map(|running| &mut running.work);
        let Some(RunningWork::Decision(search)) = running else {
            return Ok(());
        };
        search.decision = decision;
        match search.decision.is_final {
            true => self.finish_turn(),
            false => Ok(()),
        }
    }

    /// Gives the final answer about the turn that is searched.
    fn finish_turn(&mut self) -> io::Result<()> {
        let answer = self.running.take().map(|running| running.answer());
        self.answer_turn(answer)
    }

    /// Gives an answer that is not final, if one is due.
    fn progress(&mut self, elapsed: Duration) -> io::Result<()> {
        let running = self.running.as_mut();
        let due = running.filter(|running| {
            let every = running.queued.0.report_every;
            every.is_some_and(|every| elapsed >= running.answered + every)
        });
        let answer = due.map(|running| {
            running.answered = elapsed;
            running.answer()
        });
        self.answer_turn(answer)?;
        match self.input_ended {
            true => self.check_connection(),
            false => Ok(()),
        }
    }

    fn answer_turn(&mut self, answer: Option<AnswerMessage>) -> io::Result<()> {
        answer.map_or(Ok(()), |answer| self.answer(&answer))
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
    fn refuse(&mut self, refused: RefusedLine) -> io::Result<()> {
        self.answer(&AnswerMessage::Refusal {
            id: refused.id,
            error: refused.error,
            warnings: cut_warnings(refused.warnings.iter()),
        })
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

fn version(id: Option<String>) -> ActionAnswer {
    ActionAnswer::Version {
        id,
        engine: NAME,
        version: VERSION,
    }
}

/// The field because of which the engine refused the search of a turn.
fn field_of_go(error: &EngineError, query: &Query, turn: usize) -> Option<&'static str> {
    let (only, also) = (&query.request.only, &query.request.also);
    let at_turn = query.turn_moves.get(&turn).map_or(&[][..], Vec::as_slice);
    // The text of an error about a move begins with the move.
    let named = |text: &String| error.text.starts_with(&format!("{text}: "));
    match error.kind {
        ErrorKind::Move if only.iter().any(named) => Some("searchmoves"),
        ErrorKind::Move if also.iter().any(named) => Some("alsosearchmoves"),
        ErrorKind::Move if at_turn.iter().any(named) => Some("turnMoves"),
        ErrorKind::Move if only.len() > also.len() => Some("searchmoves"),
        ErrorKind::Move => Some("alsosearchmoves"),
        ErrorKind::Position | ErrorKind::UnknownRack => Some("rack"),
        ErrorKind::Mode => Some("mode"),
        _ => None,
    }
}
