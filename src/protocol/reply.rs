//! Turns what the engine found into lines of the protocol: [`Reply`] values.

use crate::engine::{
    Analysis, AnalyzedMove, DEFINITIONS, Definition, DrawsByResult, EngineError, ErrorKind, Figure,
    Label, LoadedLexicon, NAME, OptionKind, Provenance, Update, VERSION,
};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::preendgame::DrawOutcome;
use crate::search::ranking::Candidate;
use crate::search::sim::{CountedReply, PlyStats, SimResult};
use crate::search::solve::Phase;
use crate::search::{Solution, SolvedLine, WinDrawLoss};
use crate::siu::{CommandError, Dialect, ErrorCode, InfoLine, Reply};
use crate::tiles::TileCounts;
use crate::units::{Equity, Points};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// How much a figure can be relied on: the key `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Certainty {
    /// It is proved.
    Exact,
    /// An endgame search ended before a proof: the value may be wrong either way.
    Bound,
    /// It is an estimate.
    Estimate,
}

impl Certainty {
    /// That of a labelled result.
    pub fn of(label: Label) -> Certainty {
        match label {
            Label::Exact => Certainty::Exact,
            Label::Estimate => Certainty::Estimate,
        }
    }

    /// The value of the key.
    pub fn text(self) -> &'static str {
        match self {
            Certainty::Exact => "exact",
            Certainty::Bound => "bound",
            Certainty::Estimate => "estimate",
        }
    }
}

/// One turn of the rollouts after a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub(super) struct PlyFigures {
    /// The mean of its points.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// How often it earned a bonus for many tiles, in percent.
    pub bonus: f64,
}

/// The draws after a candidate of a pre-endgame, by what they lead to: the tiles drawn, and
/// after a slash the tiles that stay in the bag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct DrawLists {
    /// Draws that are proved won.
    pub won: Vec<String>,
    /// Draws that are proved to end in a tie.
    pub drawn: Vec<String>,
    /// Draws that are proved lost.
    pub lost: Vec<String>,
    /// Draws whose result depends on the opponent's draw, each with the percentage of wins.
    pub mixed: Vec<String>,
    /// The number of draws that are not proved. There may be hundreds.
    pub open: usize,
}

/// The answer to `siu` or `ucgi`.
pub(super) fn hello(dialect: Dialect) -> Vec<Reply> {
    let capabilities = "gen sim endgame peg auto stream stop clock check challenge state json";
    let mut replies = vec![
        Reply::Name(format!("{NAME} {VERSION}")),
        Reply::Author("the Cazique authors".to_string()),
        Reply::Capabilities(capabilities.split(' ').map(str::to_string).collect()),
    ];
    replies.extend(DEFINITIONS.iter().map(option));
    replies.push(Reply::HelloOk(dialect));
    replies
}

fn option(definition: &Definition) -> Reply {
    let values = match &definition.kind {
        OptionKind::Spin(default, range, _) => {
            let (min, max) = (range.start(), range.end());
            format!("type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo(default, choices, _) => {
            format!("type combo default {default} var {}", choices.join(" var "))
        }
        // An empty default is written as in UCI.
        OptionKind::Text("", _) => "type string default <empty>".to_string(),
        OptionKind::Text(default, _) => format!("type string default {default}"),
    };
    let name = definition.name.to_string();
    Reply::Option { name, values }
}

/// The error line for a request that the engine refused.
pub(super) fn engine_error(error: &EngineError) -> Reply {
    Reply::error(code(error.kind), error.text_with("say 'rack TILES'"))
}

/// The code of an error of the engine.
pub(super) fn code(kind: ErrorKind) -> ErrorCode {
    match kind {
        ErrorKind::Position | ErrorKind::UnknownRack => ErrorCode::BadPosition,
        ErrorKind::Move => ErrorCode::BadMove,
        ErrorKind::Mode => ErrorCode::UnsupportedMode,
        ErrorKind::Clock => ErrorCode::BadNumber,
        ErrorKind::Option => ErrorCode::BadOption,
        ErrorKind::NoPosition => ErrorCode::NoPosition,
        ErrorKind::Data => ErrorCode::Data,
        ErrorKind::Internal => ErrorCode::Internal,
    }
}

/// The error line for a line that is not a command.
pub(super) fn command_error(error: &CommandError, line: &str) -> Reply {
    let code = match error {
        CommandError::Unknown(_) | CommandError::NoLimit(_) => ErrorCode::UnknownCommand,
        CommandError::Mode(_) => ErrorCode::UnsupportedMode,
        CommandError::NotANumber { .. } => ErrorCode::BadNumber,
        // An incomplete command has the code of the thing that it should have set.
        CommandError::Incomplete(_) | CommandError::UnknownWord { .. } => {
            match line.split_whitespace().next() {
                Some("setoption") => ErrorCode::BadOption,
                Some("check" | "challenge") => ErrorCode::BadMove,
                Some("draw") => ErrorCode::BadNumber,
                _ => ErrorCode::BadPosition,
            }
        }
    };
    Reply::error(code, error)
}

/// The lines before the first result of a search.
pub(super) fn provenance(provenance: &Provenance, missing_tables: &[String]) -> Vec<Reply> {
    let missing = missing_tables.iter().cloned().map(Reply::Text);
    // Names are single words.
    let one_word = |text: &str| text.replace(char::is_whitespace, "_");
    let line = InfoLine::new(format_args!(
        "string provenance engine={} leaves={} winpct={} lexicon={} rules={}",
        one_word(&provenance.engine),
        one_word(&provenance.leaves),
        one_word(&provenance.win_table),
        one_word(&provenance.lexicon),
        one_word(&provenance.rules),
    ));
    missing.chain([Reply::Info(line)]).collect()
}

/// A lexicon's name, size and hash.
pub(super) fn lexicon(loaded: &LoadedLexicon) -> Reply {
    let (lexicon, nodes) = (&loaded.lexicon, loaded.lexicon.graph().node_count());
    let dropped = loaded
        .dropped
        .map_or(String::new(), |dropped| format!(" {dropped}"));
    let (name, words, hash) = (lexicon.name(), lexicon.word_count(), lexicon.hash());
    let map = loaded.word_map_bytes();
    let map = map.map_or("none".to_string(), |bytes| bytes.to_string());
    Reply::Text(format!(
        "lexicon {name} words {words} hash {hash:016x} nodes {nodes}{dropped} wordmap {map}"
    ))
}

/// The lines that a search writes after an update of its analysis.
///
/// If `repeatable`, candidates are written only when they are final: intermediate figures depend
/// on the clock, and the same search must give the same lines about them.
pub(super) fn update(analysis: &Analysis, update: Update, repeatable: bool) -> Vec<Reply> {
    match (update, analysis.solution(), analysis.simulation()) {
        (Update::Ranked, ..) => ranking(analysis),
        (Update::Progress, Some(_), _) if repeatable => Vec::new(),
        (Update::Progress, Some(solution), _) => {
            let leader = solution.lines.first().map(|_| analysis.candidates()[0]);
            let leader = leader.and_then(|leader| solved(&leader, solution.phase, analysis));
            let work = solver_work(solution, analysis.elapsed);
            leader.into_iter().chain([work]).collect()
        }
        (Update::Progress, None, Some(found)) if repeatable => {
            let current = turn_text(&found.best(), &analysis.position);
            vec![rollouts(found, analysis.elapsed, Some(current))]
        }
        (Update::Progress, None, Some(_)) => simulation(analysis, false),
        (Update::Result, Some(solution), _) => {
            let moves = analysis.candidates().into_iter().take(solution.lines.len());
            let lines = moves.filter_map(|found| solved(&found, solution.phase, analysis));
            let work = solver_work(solution, analysis.elapsed);
            lines.chain([work]).collect()
        }
        (Update::Result, None, Some(_)) => simulation(analysis, true),
        (Update::Failed, ..) => {
            let text = analysis.failure.as_deref().unwrap_or_default();
            vec![Reply::error(ErrorCode::Internal, text)]
        }
        (Update::Verdict, ..) => {
            let turn = analysis.best().unwrap_or(Turn::Pass);
            vec![Reply::BestMove(turn_text(&turn, &analysis.position))]
        }
        (Update::Progress | Update::Result, None, None) => Vec::new(),
    }
}

/// The moves by static evaluation, best first, and their number.
fn ranking(analysis: &Analysis) -> Vec<Reply> {
    let Some(ranking) = analysis.ranking() else {
        return Vec::new();
    };
    let line = |found| ranked(found, &analysis.position);
    let mut replies: Vec<Reply> = ranking.candidates.iter().map(line).collect();
    replies.extend(ranking.extent.notice().map(Reply::Text));
    let (turns, shown) = (ranking.turns, ranking.candidates.len());
    let work = work_line(analysis.elapsed, turns as u64);
    let text = format!("{turns} moves, {shown} shown");
    replies.push(Reply::Info(work.with("string", text)));
    replies
}

fn ranked(found: &Candidate, position: &Position) -> Reply {
    let worth = &found.worth;
    let not_zero = |part: Equity| (part != Equity::ZERO).then_some(part);
    let line = InfoLine::new("gen")
        .with("move", turn_text(&found.turn, position))
        .with("score", worth.points)
        .with("eq", worth.total())
        .with("leave", tiles_text(&found.leave, position))
        .with("rank", found.rank)
        .with_some("kept", not_zero(worth.leave))
        .with_some("opening", not_zero(worth.opening))
        .with_some("blanks", not_zero(worth.blanks))
        .with_some("ending", not_zero(worth.late_game));
    Reply::Info(marked(line, found))
}

/// Marks a candidate that the client named, and one that forms a phony.
fn marked(line: InfoLine, candidate: &Candidate) -> InfoLine {
    line.with_some("asked", candidate.requested.then_some("yes"))
        .with_some("valid", (!candidate.valid).then_some("no"))
}

/// The number of candidates in a progress report of a simulation: enough to
/// follow it, few enough to write often. Chosen by hand.
const PROGRESS_CANDIDATES: usize = 10;

/// The candidates of a simulation that have a sample, and the work done. While it runs only the
/// best, and those that the client named.
fn simulation(analysis: &Analysis, is_final: bool) -> Vec<Reply> {
    let is_shown = |found: &AnalyzedMove| {
        let leads = found.rank <= PROGRESS_CANDIDATES || found.candidate.requested;
        found.iterations() > 0 && (is_final || leads)
    };
    let shown = analysis.candidates().into_iter().filter(is_shown);
    let lines = shown.map(|found| simulated(&found, &analysis.position, is_final));
    let simulation = analysis.simulation();
    let work = simulation.map(|found| rollouts(found, analysis.elapsed, None));
    lines.chain(work).collect()
}

/// A simulated candidate; the replies and plies of the rollouts only if it `is_final`.
fn simulated(found: &AnalyzedMove, position: &Position, is_final: bool) -> Reply {
    let candidate = found.candidate;
    let value = |figure: Option<Figure>| figure.map_or(0.0, |figure| figure.value);
    let error = |figure: Option<Figure>| Some(format!("{:.2}", figure?.error?));
    let (reply, percent) = is_final
        .then(|| most_frequent_reply(found, position))
        .flatten()
        .unzip();
    let plies = if is_final { found.plies() } else { &[] };
    let ply_text = |stats: &PlyStats| {
        let PlyFigures {
            mean,
            deviation,
            bonus,
        } = ply(stats);
        format!("{mean:.1}/{deviation:.1}/{bonus:.1}")
    };
    let line = InfoLine::new("sim")
        .with("move", turn_text(&candidate.turn, position))
        .with("wp", format_args!("{:.2}", value(found.win())))
        .with_some("wpse", error(found.win()))
        .with("eq", format_args!("{:.2}", value(found.equity())))
        .with_some("eqse", error(found.equity()))
        .with("iters", found.iterations())
        .with("rank", found.rank)
        .with("kind", certainty(found).text())
        .with("score", candidate.worth.points)
        .with("leave", tiles_text(&candidate.leave, position))
        .with("static", candidate.worth.total())
        .with_some("dropped", found.is_dropped().then_some("yes"));
    let line = marked(line, candidate)
        .with_some("reply", reply)
        .with_some("replypct", percent.map(|percent| format!("{percent:.1}")))
        .with_some("plies", joined(plies.iter().map(ply_text), ","));
    Reply::Info(line)
}

/// Texts with a separator between them; `None` if there are none.
pub(super) fn joined(texts: impl Iterator<Item = String>, separator: &str) -> Option<String> {
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join(separator))
}

/// The most frequent reply to a candidate, and its percentage of all replies.
pub(super) fn most_frequent_reply(
    found: &AnalyzedMove,
    position: &Position,
) -> Option<(String, f64)> {
    let CountedReply { turn, share, .. } = found.replies().first()?;
    let tiles = &position.rules().tiles;
    let sequence = moves::write_sequence([&found.candidate.turn, turn], position.grid(), tiles);
    Some((sequence.into_iter().next_back()?, share * 100.0))
}

/// Whether a result is proved.
pub(super) fn certainty(found: &AnalyzedMove) -> Certainty {
    Certainty::of(found.label())
}

/// Mean and standard deviation of the points of a ply, and the percentage of bonuses.
pub(super) fn ply(ply: &PlyStats) -> PlyFigures {
    PlyFigures {
        mean: ply.points.mean(),
        deviation: ply.points.deviation(),
        bonus: ply.bonuses as f64 * 100.0 / ply.points.count.max(1) as f64,
    }
}

/// The beginning of a line about the work of a search, without the text at its end.
pub(super) fn work_line(elapsed: Duration, nodes: u64) -> InfoLine {
    InfoLine::new(format_args!("time {}", elapsed.as_millis())).with("nodes", nodes)
}

fn nodes_per_second(nodes: u64, elapsed: Duration) -> u128 {
    u128::from(nodes) * 1_000 / elapsed.as_millis().max(1)
}

/// The work of a simulation, and its best move so far if that is not reported otherwise.
fn rollouts(simulation: &SimResult, elapsed: Duration, current: Option<String>) -> Reply {
    let SimResult {
        iterations,
        rollouts,
        dropped,
        plies,
        ..
    } = simulation;
    let all = simulation.candidates.len();
    let text = format!(
        "{iterations} iterations of {all} candidates, {dropped} dropped, at most {plies} plies"
    );
    let line = work_line(elapsed, *rollouts)
        .with("nps", nodes_per_second(*rollouts, elapsed))
        .with_some("currmove", current)
        .with("string", text);
    Reply::Info(line)
}

/// A candidate of a solver. The keys of the protocol's draft come first.
fn solved(found: &AnalyzedMove, phase: Phase, analysis: &Analysis) -> Option<Reply> {
    let (position, line) = (&analysis.position, found.solution?);
    let info = match phase {
        Phase::Preendgame => preendgame(found, line, position),
        _ => endgame(line, position),
    };
    Some(Reply::Info(marked(info, &line.candidate)))
}

fn preendgame(found: &AnalyzedMove, line: &SolvedLine, position: &Position) -> InfoLine {
    let draws = draw_lists(&found.draws().unwrap_or_default(), position);
    let win = line.win.unwrap_or(0.0) * 100.0;
    let error = found.win().filter(|_| !line.exact);
    let error = error.and_then(|win| Some(format!("{:.2}", win.error?)));
    let info = InfoLine::new("peg")
        .with("move", turn_text(&line.candidate.turn, position))
        .with_list("w", &draws.won)
        .with_list("d", &draws.drawn)
        .with_list("l", &draws.lost)
        .with("spread", format_args!("{:+.1}", line.gain))
        .with("wp", format_args!("{win:.2}"))
        .with("rank", line.rank)
        .with("kind", certainty(found).text())
        .with_some("wpse", error);
    // Mostly these two have no value.
    let info = match draws.mixed.is_empty() {
        true => info,
        false => info.with_list("mixed", &draws.mixed),
    };
    match draws.open {
        0 => info,
        open => info.with_list("open", &[open.to_string()]),
    }
}

fn endgame(line: &SolvedLine, position: &Position) -> InfoLine {
    let kind = match line.exact {
        true => Certainty::Exact,
        false => Certainty::Bound,
    };
    let result = line.result.map(|result| match result {
        WinDrawLoss::Win => "win",
        WinDrawLoss::Draw => "draw",
        WinDrawLoss::Loss => "loss",
    });
    let variation = variation(&line.variation, position).join(" ");
    InfoLine::new("endgame")
        .with("depth", line.depth)
        .with("score spread", format_args!("{:+}", line.gain))
        .with("pv", variation)
        .with("move", turn_text(&line.candidate.turn, position))
        .with("rank", line.rank)
        .with("kind", kind.text())
        .with_some("result", result)
        .with_some(
            "scores",
            joined(line.scores.iter().map(Points::to_string), "/"),
        )
}

/// The moves of a principal variation.
pub(super) fn variation(turns: &[Turn], position: &Position) -> Vec<String> {
    moves::write_sequence(turns, position.grid(), &position.rules().tiles)
}

/// The draws of a pre-endgame by result, as text.
pub(super) fn draw_lists(draws: &DrawsByResult, position: &Position) -> DrawLists {
    let text = |draw: &&DrawOutcome| {
        let drawn = tiles_text(&draw.world.drawn, position);
        match draw.world.bag.is_empty() {
            true => drawn,
            false => drawn + "/" + &position.rules().tiles.tiles_text(&draw.world.bag),
        }
    };
    let with_percentage = |draw| format!("{}={:.1}", text(draw), draw.win * 100.0);
    DrawLists {
        won: draws.won.iter().map(text).collect(),
        drawn: draws.drawn.iter().map(text).collect(),
        lost: draws.lost.iter().map(text).collect(),
        mixed: draws.mixed.iter().map(with_percentage).collect(),
        open: draws.open,
    }
}

fn solver_work(solution: &Solution, elapsed: Duration) -> Reply {
    let nodes = solution.decided_positions();
    let proved = match (solution.solved, solution.phase) {
        (false, _) => "not proved",
        (true, Phase::Preendgame) => "proved: no move has a higher win probability",
        (true, _) => "proved",
    };
    let line = work_line(elapsed, nodes)
        .with("nps", nodes_per_second(nodes, elapsed))
        .with("hashfull", solution.per_mille_full)
        .with(
            "string",
            format_args!("{} moves, {proved}", solution.candidates),
        );
    Reply::Info(line)
}

/// A turn as it is written in a position.
pub(super) fn turn_text(turn: &Turn, position: &Position) -> String {
    moves::write(turn, position.grid(), &position.rules().tiles)
}

/// Tiles, or `-` for none: an empty word would make the next key look like tiles.
pub(super) fn tiles_text(tiles: &TileCounts, position: &Position) -> String {
    match tiles.is_empty() {
        true => "-".to_string(),
        false => position.rules().tiles.tiles_text(tiles),
    }
}
