//! Turns what the engine found into lines of the protocol: [`Reply`] values.

use crate::engine::{
    Analysis, AnalyzedMove, CheckedMove, DEFINITIONS, Definition, DrawsByResult, EngineError,
    ErrorKind, Figure, Label, LoadedLexicon, NAME, OptionKind, Provenance, Update, VERSION,
};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::preendgame::DrawOutcome;
use crate::search::ranking::Candidate;
use crate::search::sim::{PlyStats, SimResult};
use crate::search::solve::Phase;
use crate::search::{Solution, SolvedLine};
use crate::siu::{
    CandidateMarks, Certainty, CheckReply, CheckedPlay, CommandError, Dialect, DrawLists,
    EndgameLine, ErrorCode, OptionLine, OptionType, PegLine, PlyFigures, ProvenanceLine,
    RankedLine, Reply, SimLine, WorkLine,
};
use crate::tiles::{Letter, TileCounts};
use crate::units::Points;
use std::time::Duration;

/// The answer to `siu` or `ucgi`.
pub(super) fn hello(dialect: Dialect) -> Vec<Reply> {
    let capabilities = "gen sim endgame peg auto stream stop clock check";
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
    let kind = match &definition.kind {
        OptionKind::Spin(default, range, _) => OptionType::Spin {
            default: *default,
            min: *range.start(),
            max: *range.end(),
        },
        OptionKind::Combo(default, choices, _) => OptionType::Combo {
            default: default.to_string(),
            choices: choices.iter().map(|choice| choice.to_string()).collect(),
        },
        OptionKind::Text(default, _) => OptionType::Text {
            default: default.to_string(),
        },
    };
    let name = definition.name.to_string();
    Reply::Option(OptionLine { name, kind })
}

/// The error line for a request that the engine refused.
pub(super) fn engine_error(error: &EngineError) -> Reply {
    Reply::error(code(error.kind), &error.text)
}

/// The code of an error of the engine.
pub(super) fn code(kind: ErrorKind) -> ErrorCode {
    match kind {
        ErrorKind::Position => ErrorCode::BadPosition,
        ErrorKind::Move => ErrorCode::BadMove,
        ErrorKind::Mode => ErrorCode::UnsupportedMode,
        ErrorKind::Option => ErrorCode::BadOption,
        ErrorKind::NoPosition => ErrorCode::NoPosition,
        ErrorKind::Data => ErrorCode::Data,
        ErrorKind::Internal => ErrorCode::Internal,
    }
}

/// The error line for a line that is not a command.
pub(super) fn command_error(error: &CommandError, line: &str) -> Reply {
    let code = match error {
        CommandError::Unknown(_) => ErrorCode::UnknownCommand,
        CommandError::Mode(_) => ErrorCode::UnsupportedMode,
        CommandError::NotANumber { .. } => ErrorCode::BadNumber,
        // An incomplete command has the code of the thing that it should have set.
        CommandError::Incomplete(_) => match line.split_whitespace().next() {
            Some("setoption") => ErrorCode::BadOption,
            Some("check") => ErrorCode::BadMove,
            _ => ErrorCode::BadPosition,
        },
    };
    Reply::error(code, error)
}

/// The lines before the first result of a search.
pub(super) fn provenance(provenance: &Provenance) -> Vec<Reply> {
    let missing = provenance.missing_leaves.iter().map(|reason| {
        let way_out = "set Leaves to a file, or to none";
        Reply::Text(format!("leaves none: {reason}; {way_out}"))
    });
    let line = Reply::Provenance(ProvenanceLine {
        engine: provenance.engine.clone(),
        leaves: provenance.leaves.clone(),
        winpct: provenance.win_table.clone(),
        lexicon: provenance.lexicon.clone(),
    });
    missing.chain([line]).collect()
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
            let leader = leader.and_then(|leader| solved(&leader, solution.phase, analysis, false));
            let work = solver_work(solution, analysis.elapsed);
            leader.into_iter().chain([work]).collect()
        }
        (Update::Progress, None, Some(found)) if repeatable => {
            let mut work = rollouts(found, analysis.elapsed);
            work.current = Some(turn_text(&found.best(), &analysis.position));
            vec![Reply::Work(work)]
        }
        (Update::Progress, None, Some(_)) => simulation(analysis, false),
        (Update::Result, Some(solution), _) => {
            let moves = analysis.candidates().into_iter().take(solution.lines.len());
            let lines = moves.filter_map(|found| solved(&found, solution.phase, analysis, true));
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
    if !ranking.complete {
        let text = "stopped before all moves were found";
        replies.push(Reply::Text(text.to_string()));
    }
    let (turns, shown) = (ranking.turns, ranking.candidates.len());
    replies.push(Reply::Work(WorkLine {
        millis: analysis.elapsed.as_millis(),
        nodes: turns as u64,
        nps: None,
        hashfull: None,
        current: None,
        text: format!("{turns} moves, {shown} shown"),
    }));
    replies
}

fn ranked(found: &Candidate, position: &Position) -> Reply {
    let worth = &found.worth;
    Reply::Ranked(RankedLine {
        text: turn_text(&found.turn, position),
        score: worth.points,
        equity: worth.total(),
        leave: tiles_text(&found.leave, position),
        rank: found.rank,
        kept: worth.leave,
        opening: worth.opening,
        ending: worth.late_game,
        marks: marks(found),
    })
}

/// Marks a candidate that the client named, and one that forms a phony.
fn marks(candidate: &Candidate) -> CandidateMarks {
    CandidateMarks {
        asked: candidate.requested,
        valid: candidate.valid,
    }
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
    let work = simulation.map(|found| Reply::Work(rollouts(found, analysis.elapsed)));
    lines.chain(work).collect()
}

/// A simulated candidate; the replies and plies of the rollouts only if it `is_final`.
fn simulated(found: &AnalyzedMove, position: &Position, is_final: bool) -> Reply {
    let candidate = found.candidate;
    let value = |figure: Option<Figure>| figure.map_or(0.0, |figure| figure.value);
    let error = |figure: Option<Figure>| figure.and_then(|figure| figure.error).unwrap_or(0.0);
    let reply = is_final
        .then(|| most_frequent_reply(found, position))
        .flatten();
    let plies = if is_final { found.plies() } else { &[] };
    Reply::Sim(SimLine {
        text: turn_text(&candidate.turn, position),
        win: value(found.win()),
        win_error: error(found.win()),
        equity: value(found.equity()),
        equity_error: error(found.equity()),
        iterations: found.iterations(),
        rank: found.rank,
        certainty: certainty(found),
        score: candidate.worth.points,
        leave: tiles_text(&candidate.leave, position),
        static_equity: candidate.worth.total(),
        dropped: found.is_dropped(),
        marks: marks(candidate),
        reply,
        plies: plies.iter().map(ply).collect(),
    })
}

/// The most frequent reply to a candidate, and its percentage of all replies.
pub(super) fn most_frequent_reply(
    found: &AnalyzedMove,
    position: &Position,
) -> Option<(String, f64)> {
    let (reply, share) = found.reply()?;
    let tiles = &position.rules().tiles;
    let sequence = moves::write_sequence([&found.candidate.turn, &reply], position.grid(), tiles);
    Some((sequence.into_iter().next_back()?, share * 100.0))
}

/// Whether a result is proved.
pub(super) fn certainty(found: &AnalyzedMove) -> Certainty {
    match found.label() {
        Label::Exact => Certainty::Exact,
        Label::Estimate => Certainty::Estimate,
    }
}

/// Mean and standard deviation of the points of a ply, and the percentage of bonuses.
pub(super) fn ply(ply: &PlyStats) -> PlyFigures {
    PlyFigures {
        mean: ply.points.mean(),
        deviation: ply.points.deviation(),
        bonus: ply.bonuses as f64 * 100.0 / ply.points.count.max(1) as f64,
    }
}

fn rollouts(simulation: &SimResult, elapsed: Duration) -> WorkLine {
    let SimResult {
        iterations,
        rollouts,
        dropped,
        plies,
        ..
    } = simulation;
    let (millis, all) = (elapsed.as_millis(), simulation.candidates.len());
    WorkLine {
        millis,
        nodes: *rollouts,
        nps: Some(u128::from(*rollouts) * 1_000 / millis.max(1)),
        hashfull: None,
        current: None,
        text: format!(
            "{iterations} iterations of {all} candidates, {dropped} dropped, at most {plies} plies"
        ),
    }
}

/// A candidate of a solver. The draws of a pre-endgame are listed `with_draws`.
fn solved(
    found: &AnalyzedMove,
    phase: Phase,
    analysis: &Analysis,
    with_draws: bool,
) -> Option<Reply> {
    let (position, line) = (&analysis.position, found.solution()?);
    Some(match phase {
        Phase::Preendgame => {
            let draws = with_draws.then(|| found.draws().unwrap_or_default());
            Reply::Peg(PegLine {
                text: turn_text(&line.candidate.turn, position),
                draws: draws.map(|draws| draw_lists(&draws, position)),
                spread: line.gain,
                win: line.win.unwrap_or(0.0) * 100.0,
                rank: line.rank,
                certainty: certainty(found),
                marks: marks(&line.candidate),
            })
        }
        _ => endgame(line, position),
    })
}

fn endgame(line: &SolvedLine, position: &Position) -> Reply {
    Reply::Endgame(EndgameLine {
        depth: line.depth,
        spread: line.gain,
        text: turn_text(&line.candidate.turn, position),
        rank: line.rank,
        certainty: match line.exact {
            true => Certainty::Exact,
            false => Certainty::Bound,
        },
        result: line.result,
        scores: line.scores.clone(),
        marks: marks(&line.candidate),
        variation: variation(&line.variation, position),
    })
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
    let (millis, nodes) = (elapsed.as_millis(), solution.decided_positions());
    let proved = match (solution.solved, solution.phase) {
        (false, _) => "not proved",
        (true, Phase::Preendgame) => "proved: no move has a higher win probability",
        (true, _) => "proved",
    };
    Reply::Work(WorkLine {
        millis,
        nodes,
        nps: Some(u128::from(nodes) * 1_000 / millis.max(1)),
        hashfull: Some(solution.per_mille_full),
        current: None,
        text: format!("{} moves, {proved}", solution.candidates),
    })
}

/// The answer to `check`.
pub(super) fn checked(checked: &CheckedMove, position: &Position) -> Reply {
    let word_text = |word: &Vec<Letter>| position.rules().tiles.word_text(word);
    let score = checked.score.as_ref();
    let play = score.map(|score| CheckedPlay {
        words: score
            .words
            .iter()
            .map(|word| word_text(&word.word()))
            .collect(),
        phonies: checked.phonies.iter().map(word_text).collect(),
        missing: position.rules().tiles.tiles_text(&checked.missing),
        parts: score.words.iter().map(|word| word.total()).collect(),
        bonus: score.bonus,
    });
    Reply::Check(CheckReply {
        text: turn_text(&checked.turn, position),
        score: score.map_or(Points::ZERO, |score| score.total()),
        valid: checked.phonies.is_empty() && checked.missing.is_empty(),
        play,
    })
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
