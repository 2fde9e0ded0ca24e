//! What the engine says, word for word.

use crate::engine::{
    Analysis, AnalyzedMove, CheckedMove, DEFINITIONS, Definition, EngineError, ErrorKind, Figure,
    Label, LoadedLexicon, NAME, OptionKind, Provenance, Update, VERSION,
};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::preendgame::DrawOutcome;
use crate::search::ranking::Candidate;
use crate::search::sim::{PlyStats, SimResult};
use crate::search::solve::Phase;
use crate::search::{Solution, SolvedLine, WinDrawLoss};
use crate::siu::{CommandError, Dialect};
use crate::tiles::{Letter, TileCounts};
use crate::units::{Equity, Points};
use std::time::Duration;

/// What a person at a terminal sees first.
pub(super) fn greeting() -> String {
    format!("{NAME} {VERSION}: 'help' lists the commands, 'quit' leaves")
}

/// The answer to `siu` or `ucgi`.
pub(super) fn hello(dialect: Dialect) -> Vec<String> {
    let mut lines = vec![
        format!("id name {NAME} {VERSION}"),
        "id author the Cazique authors".to_string(),
        "capability gen sim endgame peg auto stream stop clock check".to_string(),
    ];
    lines.extend(DEFINITIONS.iter().map(option));
    lines.push(match dialect {
        Dialect::Siu => "siuok".to_string(),
        Dialect::Ucgi => "ucgiok".to_string(),
    });
    lines
}

fn option(definition: &Definition) -> String {
    let or_empty = |text: &str| {
        if text.is_empty() {
            "<empty>".to_string()
        } else {
            text.to_string()
        }
    };
    let kind = match &definition.kind {
        OptionKind::Spin {
            default, min, max, ..
        } => format!("spin default {default} min {min} max {max}"),
        OptionKind::Combo {
            default, choices, ..
        } => {
            format!("combo default {default} var {}", choices.join(" var "))
        }
        OptionKind::Text { default, .. } => format!("string default {}", or_empty(default)),
    };
    format!("option name {} type {kind}", definition.name)
}

/// The most characters of an error line's text. Ours are shorter; what a
/// client or a file sent may not be.
pub(super) const MAX_ERROR: usize = 600;

/// An error line.
pub(super) fn error(code: &str, text: &str) -> String {
    let text: String = text.chars().take(MAX_ERROR).collect();
    format!("info string error {code} {text}")
}

/// The error line for a request that could not be met.
pub(super) fn engine_error(refused: &EngineError) -> String {
    error(code(refused.kind), &refused.text)
}

/// The code of an error of the engine.
pub(super) fn code(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Position => "bad-position",
        ErrorKind::Move => "bad-move",
        ErrorKind::Mode => "unsupported-mode",
        ErrorKind::Option => "bad-option",
        ErrorKind::NoPosition => "no-position",
        ErrorKind::Data => "data",
        ErrorKind::Internal => "internal",
    }
}

/// The error line for a line that is no command.
pub(super) fn command_error(refused: &CommandError, command: &str) -> String {
    let code = match refused {
        CommandError::Unknown(_) => "unknown-command",
        CommandError::Mode(_) => "unsupported-mode",
        CommandError::NotANumber { .. } => "bad-number",
        // What lacks its parts is an error of what it should have set.
        CommandError::Incomplete(_) => match command.split_whitespace().next() {
            Some("setoption") => "bad-option",
            Some("check") => "bad-move",
            _ => "bad-position",
        },
    };
    error(code, &refused.to_string())
}

/// The lines before the first result of a search.
pub(super) fn provenance(provenance: &Provenance) -> Vec<String> {
    let one_word = |text: &str| text.replace(char::is_whitespace, "_");
    let Provenance {
        engine,
        lexicon,
        leaves,
        missing_leaves,
        win_table,
    } = provenance;
    let missing = missing_leaves.iter().map(|reason| {
        let way_out = "set Leaves to a file, or to none";
        format!("info string leaves none: {reason}; {way_out}")
    });
    let (lexicon, leaves, win_table) = (one_word(lexicon), one_word(leaves), one_word(win_table));
    let line = format!(
        "info string provenance engine={engine} leaves={leaves} winpct={win_table} lexicon={lexicon}"
    );
    missing.chain([line]).collect()
}

/// A lexicon's name, words and hash.
pub(super) fn lexicon(loaded: &LoadedLexicon) -> String {
    let (lexicon, nodes) = (&loaded.lexicon, loaded.lexicon.graph().node_count());
    let dropped = loaded
        .dropped
        .map_or(String::new(), |dropped| format!(" {dropped}"));
    let (name, words, hash) = (lexicon.name(), lexicon.word_count(), lexicon.hash());
    let map = loaded.word_map_bytes();
    let map = map.map_or("none".to_string(), |bytes| bytes.to_string());
    format!(
        "info string lexicon {name} words {words} hash {hash:016x} nodes {nodes}{dropped} wordmap {map}"
    )
}

/// The lines that a search writes after an update of its analysis.
///
/// If `repeatable`, candidates are written only when they are final: intermediate figures depend
/// on the clock, and the same search must give the same lines about them.
pub(super) fn update(analysis: &Analysis, update: Update, repeatable: bool) -> Vec<String> {
    match (update, analysis.solution(), analysis.simulation()) {
        (Update::Ranked, ..) => ranking(analysis),
        (Update::Progress, Some(_), _) if repeatable => Vec::new(),
        (Update::Progress, Some(solution), _) => {
            let leader = solution.lines.first().map(|_| analysis.candidates()[0]);
            let leader = leader.map(|leader| solved(&leader, solution.phase, analysis, false));
            let work = solver_work(solution, analysis.elapsed);
            leader.into_iter().chain([work]).collect()
        }
        (Update::Progress, None, Some(simulation)) if repeatable => {
            let leader = turn_text(&simulation.best(), &analysis.position);
            let work = rollouts(simulation, analysis.elapsed);
            vec![work.replacen(" string ", &format!(" currmove {leader} string "), 1)]
        }
        (Update::Progress, None, Some(_)) => simulation_progress(analysis),
        (Update::Result, Some(solution), _) => {
            let moves = analysis.candidates().into_iter().take(solution.lines.len());
            let lines = moves.map(|found| solved(&found, solution.phase, analysis, true));
            let work = solver_work(solution, analysis.elapsed);
            lines.chain([work]).collect()
        }
        (Update::Result, None, Some(_)) => simulation_result(analysis),
        (Update::Failed, ..) => {
            let text = analysis.failure.as_deref().unwrap_or_default();
            vec![error("internal", text)]
        }
        (Update::Verdict, ..) => {
            let turn = analysis.best().unwrap_or(Turn::Pass);
            vec![format!("bestmove {}", turn_text(&turn, &analysis.position))]
        }
        (Update::Progress | Update::Result, None, None) => Vec::new(),
    }
}

/// The moves by static evaluation, best first, and their number.
fn ranking(analysis: &Analysis) -> Vec<String> {
    let Some(ranking) = analysis.ranking() else {
        return Vec::new();
    };
    let line = |found| candidate(found, &analysis.position);
    let mut lines: Vec<String> = ranking.candidates.iter().map(line).collect();
    if !ranking.complete {
        lines.push("info string stopped before all moves were found".to_string());
    }
    let (turns, shown) = (ranking.turns, ranking.candidates.len());
    let millis = analysis.elapsed.as_millis();
    lines.push(format!(
        "info time {millis} nodes {turns} string {turns} moves, {shown} shown"
    ));
    lines
}

fn candidate(found: &Candidate, position: &Position) -> String {
    let Candidate {
        turn,
        worth,
        leave,
        rank,
        ..
    } = found;
    let (text, leave) = (turn_text(turn, position), leave_text(leave, position));
    let (points, equity) = (worth.points, worth.total());
    let mut line =
        format!("info gen move {text} score {points} eq {equity} leave {leave} rank {rank}");
    // The parts that make the difference between score and equity.
    let parts = [
        ("kept", worth.leave),
        ("opening", worth.opening),
        ("ending", worth.late_game),
    ];
    for (key, part) in parts.iter().filter(|(_, part)| *part != Equity::ZERO) {
        line += &format!(" {key} {part}");
    }
    line + marks(found)
}

/// Marks a candidate that the client named, and one that forms a phony.
fn marks(candidate: &Candidate) -> &'static str {
    match (candidate.requested, candidate.valid) {
        (false, true) => "",
        (true, true) => " asked yes",
        (false, false) => " valid no",
        (true, false) => " asked yes valid no",
    }
}

/// The number of candidates in a progress report of a simulation: enough to
/// follow it, few enough to write often. Chosen by hand.
const PROGRESS_CANDIDATES: usize = 10;

/// A simulation in progress: the best candidates, and those that the client named.
fn simulation_progress(analysis: &Analysis) -> Vec<String> {
    let is_shown = |found: &AnalyzedMove| {
        found.iterations() > 0 && (found.rank <= PROGRESS_CANDIDATES || found.candidate.requested)
    };
    let shown = analysis.candidates().into_iter().filter(is_shown);
    let lines = shown.map(|found| simulated(&found, &analysis.position));
    let work = analysis
        .simulation()
        .map(|found| rollouts(found, analysis.elapsed));
    lines.chain(work).collect()
}

/// A finished simulation: all candidates that have a sample, with replies and plies.
fn simulation_result(analysis: &Analysis) -> Vec<String> {
    let position = &analysis.position;
    let line = |found: AnalyzedMove| {
        let mut line = simulated(&found, position);
        if let Some((text, share)) = reply(&found, position) {
            line += &format!(" reply {text} replypct {:.1}", share * 100.0);
        }
        if !found.plies().is_empty() {
            let plies: Vec<String> = found.plies().iter().map(ply).collect();
            line += &format!(" plies {}", plies.join(","));
        }
        line
    };
    let sampled = |found: &AnalyzedMove| found.iterations() > 0;
    let lines = analysis.candidates().into_iter().filter(sampled).map(line);
    let work = analysis
        .simulation()
        .map(|found| rollouts(found, analysis.elapsed));
    lines.chain(work).collect()
}

/// The most frequent reply to a candidate, and its share of all replies.
pub(super) fn reply(found: &AnalyzedMove, position: &Position) -> Option<(String, f64)> {
    let (reply, share) = found.reply()?;
    let tiles = &position.rules().tiles;
    let sequence = moves::write_sequence([&found.candidate.turn, &reply], position.grid(), tiles);
    Some((sequence.into_iter().next_back()?, share))
}

fn simulated(found: &AnalyzedMove, position: &Position) -> String {
    let candidate = found.candidate;
    let text = turn_text(&candidate.turn, position);
    let leave = leave_text(&candidate.leave, position);
    let value = |figure: Option<Figure>| figure.map_or(0.0, |figure| figure.value);
    let error = |figure: Option<Figure>| figure.and_then(|figure| figure.error).unwrap_or(0.0);
    let (wp, wpse) = (value(found.win()), error(found.win()));
    let (eq, eqse) = (value(found.equity()), error(found.equity()));
    let (iters, rank) = (found.iterations(), found.rank);
    let (points, worth) = (candidate.worth.points, candidate.worth.total());
    let kind = kind(found);
    let mut line = format!(
        "info sim move {text} wp {wp:.2} wpse {wpse:.2} eq {eq:.2} eqse {eqse:.2} iters {iters} rank {rank} kind {kind} score {points} leave {leave} static {worth}"
    );
    line += if found.is_dropped() {
        " dropped yes"
    } else {
        ""
    };
    line + marks(candidate)
}

/// The label of a result, as programs read it.
pub(super) fn kind(found: &AnalyzedMove) -> &'static str {
    match found.label() {
        Label::Exact => "exact",
        Label::Estimate => "estimate",
    }
}

/// Mean and standard deviation of the points of a ply, and the percentage of bingos.
fn ply(ply: &PlyStats) -> String {
    let (mean, deviation) = (ply.points.mean(), ply.points.deviation());
    let bonuses = ply.bonuses as f64 * 100.0 / ply.points.count.max(1) as f64;
    format!("{mean:.1}/{deviation:.1}/{bonuses:.1}")
}

fn rollouts(simulation: &SimResult, elapsed: Duration) -> String {
    let SimResult {
        iterations,
        rollouts,
        dropped,
        plies,
        ..
    } = simulation;
    let (millis, all) = (elapsed.as_millis(), simulation.candidates.len());
    let nps = u128::from(*rollouts) * 1_000 / millis.max(1);
    format!(
        "info time {millis} nodes {rollouts} nps {nps} string {iterations} iterations of {all} candidates, {dropped} dropped, at most {plies} plies"
    )
}

/// A move of a solver. The draws of a pre-endgame are listed `with_draws`.
fn solved(found: &AnalyzedMove, phase: Phase, analysis: &Analysis, with_draws: bool) -> String {
    let position = &analysis.position;
    match (phase, found.solution()) {
        (_, None) => String::new(),
        (Phase::Preendgame, Some(line)) => pre_endgame(found, line, position, with_draws),
        (_, Some(line)) => endgame(line, position),
    }
}

fn endgame(line: &SolvedLine, position: &Position) -> String {
    let kind = if line.exact { "exact" } else { "bound" };
    let text = turn_text(&line.candidate.turn, position);
    let mut written = format!(
        "info endgame depth {} score spread {:+} move {text} rank {} kind {kind}",
        line.depth, line.gain, line.rank
    );
    if let Some(result) = line.result {
        written += match result {
            WinDrawLoss::Win => " result win",
            WinDrawLoss::Draw => " result draw",
            WinDrawLoss::Loss => " result loss",
        };
    }
    if !line.scores.is_empty() {
        let scores: Vec<String> = line.scores.iter().map(Points::to_string).collect();
        written += &format!(" scores {}", scores.join("/"));
    }
    written += marks(&line.candidate);
    written + " pv " + &variation(&line.variation, position).join(" ")
}

/// The moves of a principal variation.
pub(super) fn variation(turns: &[Turn], position: &Position) -> Vec<String> {
    moves::write_sequence(turns, position.grid(), &position.rules().tiles)
}

fn pre_endgame(
    found: &AnalyzedMove,
    line: &SolvedLine,
    position: &Position,
    with_draws: bool,
) -> String {
    let text = turn_text(&line.candidate.turn, position);
    let kind = kind(found);
    let mut written = format!("info peg move {text}");
    if with_draws {
        let draws = found.draws().unwrap_or_default();
        let lists = [("w", &draws.won), ("d", &draws.drawn), ("l", &draws.lost)];
        for (key, draws) in lists {
            written += &format!(" {key}:{}", draw_texts(draws, position).join("|"));
        }
        // Clients of the draft do not expect these keys, and mostly they would be empty.
        if !draws.mixed.is_empty() {
            let mixed = mixed_draw_texts(&draws.mixed, position);
            written += &format!(" mixed:{}", mixed.join("|"));
        }
        if draws.open > 0 {
            written += &format!(" open:{}", draws.open);
        }
    }
    let win = line.win.unwrap_or(0.0) * 100.0;
    let (gain, rank) = (line.gain, line.rank);
    written += &format!(" spread {gain:+.1} wp {win:.2} rank {rank} kind {kind}");
    written + marks(&line.candidate)
}

/// Each draw: the tiles drawn, and after a slash those that stay in the bag.
pub(super) fn draw_texts(draws: &[&DrawOutcome], position: &Position) -> Vec<String> {
    let text = |draw: &&DrawOutcome| {
        let drawn = leave_text(&draw.world.drawn, position);
        match draw.world.bag.is_empty() {
            true => drawn,
            false => drawn + "/" + &position.rules().tiles.tiles_text(&draw.world.bag),
        }
    };
    draws.iter().map(text).collect()
}

/// Draws without a certain result, each with its win probability in percent.
pub(super) fn mixed_draw_texts(draws: &[&DrawOutcome], position: &Position) -> Vec<String> {
    let texts = draw_texts(draws, position).into_iter().zip(draws);
    texts
        .map(|(text, draw)| format!("{text}={:.1}", draw.win * 100.0))
        .collect()
}

fn solver_work(solution: &Solution, elapsed: Duration) -> String {
    let (millis, nodes) = (elapsed.as_millis(), solution.decided_positions());
    let nps = u128::from(nodes) * 1_000 / millis.max(1);
    let (turns, full) = (solution.candidates, solution.per_mille_full);
    let proved = match (solution.solved, solution.phase) {
        (false, _) => "not proved",
        (true, Phase::Preendgame) => "proved: no move has a larger share of wins",
        (true, _) => "proved",
    };
    format!(
        "info time {millis} nodes {nodes} nps {nps} hashfull {full} string {turns} moves, {proved}"
    )
}

/// What a referee says.
pub(super) fn checked(checked: &CheckedMove, position: &Position) -> String {
    let text = turn_text(&checked.turn, position);
    let points = checked
        .score
        .as_ref()
        .map_or(Points::ZERO, |score| score.total());
    let words = |words: &[Vec<Letter>]| {
        let texts: Vec<String> = words
            .iter()
            .map(|word| position.rules().tiles.word_text(word))
            .collect();
        texts.join(",")
    };
    let valid = if checked.phonies.is_empty() && checked.missing.is_empty() {
        "yes"
    } else {
        "no"
    };
    let mut line = format!("info check move {text} score {points} valid {valid}");
    if let Some(score) = &checked.score {
        let formed: Vec<Vec<Letter>> = score.words.iter().map(|word| word.word()).collect();
        line += &format!(" words {}", words(&formed));
        if !checked.phonies.is_empty() {
            line += &format!(" phony {}", words(&checked.phonies));
        }
        if !checked.missing.is_empty() {
            line += &format!(
                " missing {}",
                position.rules().tiles.tiles_text(&checked.missing)
            );
        }
        let parts: Vec<String> = score
            .words
            .iter()
            .map(|word| word.total().to_string())
            .collect();
        line += &format!(" parts {} bonus {}", parts.join(","), score.bonus);
    }
    line
}

/// A turn as it is written in a position.
pub(super) fn turn_text(turn: &Turn, position: &Position) -> String {
    moves::write(turn, position.grid(), &position.rules().tiles)
}

/// The tiles kept, or `-` for none: an empty word would make the next key look like tiles.
fn leave_text(leave: &TileCounts, position: &Position) -> String {
    match leave.is_empty() {
        true => "-".to_string(),
        false => position.rules().tiles.tiles_text(leave),
    }
}
