//! What the engine says, word for word.

use crate::board::Grid;
use crate::engine::{
    Checked, DEFINITIONS, Data, Definition, EngineError, ErrorKind, Kind, Loaded, NAME, VERSION,
};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::endgame::WinDrawLoss;
use crate::search::preendgame::DrawOutcome;
use crate::search::ranking::{Candidate, Ranking};
use crate::search::sim::{PlyStats, SimResult, SimulatedCandidate};
use crate::search::solve::{Line, Phase, Solution};
use crate::siu::{CommandError, Dialect};
use crate::tiles::{Letter, TileCounts};
use crate::units::{Equity, Points, WinProb};
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
        Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        Kind::Combo { default, choices } => {
            format!("combo default {default} var {}", choices.join(" var "))
        }
        Kind::Text { default } => format!("string default {}", or_empty(default)),
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
pub(super) fn provenance(data: &Data) -> Vec<String> {
    let one_word = |text: &str| text.replace(char::is_whitespace, "_");
    let lexicon = one_word(data.words.lexicon.name());
    let (leaves, chances) = (one_word(&data.leaves.id), one_word(&data.chances.id));
    let lack = data.leaves.lack.iter().map(|lack| {
        let way_out = "set Leaves to a file, or to none";
        format!("info string leaves none: {lack}; {way_out}")
    });
    let provenance = format!(
        "info string provenance engine={NAME}/{VERSION} leaves={leaves} winpct={chances} lexicon={lexicon}"
    );
    lack.chain([provenance]).collect()
}

/// A lexicon's name, words and hash.
pub(super) fn lexicon(loaded: &Loaded) -> String {
    let (lexicon, nodes) = (&loaded.lexicon, loaded.lexicon.graph().node_count());
    let dropped = loaded
        .dropped
        .map_or(String::new(), |dropped| format!(" {dropped}"));
    let (name, words, hash) = (lexicon.name(), lexicon.word_count(), lexicon.hash());
    let map = loaded.word_map_size();
    let map = map.map_or("none".to_string(), |bytes| bytes.to_string());
    format!(
        "info string lexicon {name} words {words} hash {hash:016x} nodes {nodes}{dropped} wordmap {map}"
    )
}

/// The candidates of a search, best first, and what was found in all.
pub(super) fn ranking(ranking: &Ranking, took: Duration, position: &Position) -> Vec<String> {
    let mut lines: Vec<String> = ranking
        .candidates
        .iter()
        .map(|found| candidate(found, position))
        .collect();
    if !ranking.complete {
        lines.push("info string stopped before all moves were found".to_string());
    }
    let (turns, shown) = (ranking.turns, ranking.candidates.len());
    lines.push(format!(
        "info time {} nodes {turns} string {turns} moves, {shown} shown",
        took.as_millis()
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
    // What makes the difference between score and equity.
    let parts = [
        ("kept", worth.leave),
        ("opening", worth.opening),
        ("ending", worth.endgame),
    ];
    for (key, part) in parts.iter().filter(|(_, part)| *part != Equity::ZERO) {
        line += &format!(" {key} {part}");
    }
    line + marks(found)
}

/// Whether somebody asked for a candidate, and whether it forms no words.
fn marks(candidate: &Candidate) -> &'static str {
    match (candidate.requested, candidate.valid) {
        (false, true) => "",
        (true, true) => " asked yes",
        (false, false) => " valid no",
        (true, false) => " asked yes valid no",
    }
}

/// How many candidates are told on the way.
const ON_THE_WAY: usize = 10;

/// How a simulation stands on the way: the best candidates, and those that were asked for.
pub(super) fn progress(standing: &SimResult, took: Duration, position: &Position) -> Vec<String> {
    let is_told = |(at, simulated): &(usize, &SimulatedCandidate)| {
        *at < ON_THE_WAY || simulated.candidate.requested
    };
    let told = standing.candidates.iter().enumerate().filter(is_told);
    let line = |(at, simulated)| simulation(simulated, at + 1, position);
    let lines = told.filter(|(_, told)| told.win.count > 0).map(line);
    lines.chain([rollouts(standing, took)]).collect()
}

/// How a simulation stands on the way, where its candidates are told only in
/// the end: the same search must give the same lines about them.
pub(super) fn leader(standing: &SimResult, took: Duration, position: &Position) -> String {
    let leader = turn_text(&standing.best(), position);
    rollouts(standing, took).replacen(" string ", &format!(" currmove {leader} string "), 1)
}

/// What a simulation has found: all candidates, turn by turn.
pub(super) fn standing(standing: &SimResult, took: Duration, position: &Position) -> Vec<String> {
    let line = |(at, simulated): (usize, &SimulatedCandidate)| {
        let mut line = simulation(simulated, at + 1, position);
        if let Some((reply, share)) = &simulated.reply {
            let grid = after(position, &simulated.candidate.turn);
            let reply = moves::write(reply, &grid, &position.rules().tiles);
            line += &format!(" reply {reply} replypct {:.1}", share * 100.0);
        }
        if !simulated.plies.is_empty() {
            let plies: Vec<String> = simulated.plies.iter().map(ply).collect();
            line += &format!(" plies {}", plies.join(","));
        }
        line
    };
    // Where there was no time for a single sample there is nothing to tell.
    let sampled = |(_, simulated): &(usize, &SimulatedCandidate)| simulated.win.count > 0;
    let lines = standing.candidates.iter().enumerate();
    let lines = lines.filter(sampled).map(line);
    lines.chain([rollouts(standing, took)]).collect()
}

fn simulation(simulated: &SimulatedCandidate, rank: usize, position: &Position) -> String {
    let SimulatedCandidate {
        candidate,
        win,
        gain,
        ..
    } = simulated;
    let text = turn_text(&candidate.turn, position);
    let leave = leave_text(&candidate.leave, position);
    let (wp, wpse) = (percent(win.mean()), percent(win.error()));
    let (eq, eqse) = (gain.mean() / 1e3, gain.error() / 1e3);
    let (iters, points, worth) = (win.count, candidate.worth.points, candidate.worth.total());
    let kind = if simulated.exact { "exact" } else { "estimate" };
    let mut line = format!(
        "info sim move {text} wp {wp:.2} wpse {wpse:.2} eq {eq:.2} eqse {eqse:.2} iters {iters} rank {rank} kind {kind} score {points} leave {leave} static {worth}"
    );
    line += if simulated.live { "" } else { " dropped yes" };
    line + marks(candidate)
}

/// Mean and deviation of the points, and how often in a hundred there was a bonus.
fn ply(ply: &PlyStats) -> String {
    let (mean, deviation) = (ply.points.mean(), ply.points.deviation());
    let bonuses = ply.bonuses as f64 * 100.0 / ply.points.count.max(1) as f64;
    format!("{mean:.1}/{deviation:.1}/{bonuses:.1}")
}

fn rollouts(standing: &SimResult, took: Duration) -> String {
    let SimResult {
        iterations,
        rollouts,
        dropped,
        plies,
        ..
    } = standing;
    let (millis, all) = (took.as_millis(), standing.candidates.len());
    let nps = u128::from(*rollouts) * 1_000 / millis.max(1);
    format!(
        "info time {millis} nodes {rollouts} nps {nps} string {iterations} iterations of {all} candidates, {dropped} dropped, at most {plies} plies"
    )
}

/// How a solver stands on the way: the best line, without its draws.
pub(super) fn solving(solution: &Solution, took: Duration, position: &Position) -> Vec<String> {
    let best = solution.lines.first().map(|line| match solution.phase {
        Phase::Preendgame => pre_endgame(line, position, false),
        _ => endgame(line, position),
    });
    best.into_iter()
        .chain([solver_work(solution, took)])
        .collect()
}

/// What a solver has found.
pub(super) fn solution(solution: &Solution, took: Duration, position: &Position) -> Vec<String> {
    let line = |line| match solution.phase {
        Phase::Preendgame => pre_endgame(line, position, true),
        _ => endgame(line, position),
    };
    let lines = solution.lines.iter().map(line);
    lines.chain([solver_work(solution, took)]).collect()
}

fn endgame(line: &Line, position: &Position) -> String {
    let kind = if line.exact { "exact" } else { "bound" };
    let text = turn_text(&line.candidate.turn, position);
    let mut told = format!(
        "info endgame depth {} score spread {:+} move {text} rank {} kind {kind}",
        line.depth, line.gain, line.rank
    );
    if let Some(result) = line.result {
        told += match result {
            WinDrawLoss::Win => " result win",
            WinDrawLoss::Draw => " result draw",
            WinDrawLoss::Loss => " result loss",
        };
    }
    if !line.scores.is_empty() {
        let scores: Vec<String> = line.scores.iter().map(Points::to_string).collect();
        told += &format!(" scores {}", scores.join("/"));
    }
    told += marks(&line.candidate);
    told + " pv " + &variation(line, position).join(" ")
}

/// The turns of a line, each as it is written on the board before it.
pub(super) fn variation(line: &Line, position: &Position) -> Vec<String> {
    let mut grid = position.grid().clone();
    let write = |turn: &Turn| {
        let text = moves::write(turn, &grid, &position.rules().tiles);
        lay(&mut grid, turn);
        text
    };
    line.variation.iter().map(write).collect()
}

fn pre_endgame(line: &Line, position: &Position, with_draws: bool) -> String {
    let text = turn_text(&line.candidate.turn, position);
    let kind = if line.exact { "exact" } else { "estimate" };
    let mut told = format!("info peg move {text}");
    if with_draws {
        let outcomes = Outcomes::of(line, position);
        let lists = [
            ("w", &outcomes.won),
            ("d", &outcomes.drawn),
            ("l", &outcomes.lost),
        ];
        for (key, draws) in lists {
            told += &format!(" {key}:{}", draws.join("|"));
        }
        // A client does not expect these, and mostly there are none.
        if !outcomes.mixed.is_empty() {
            told += &format!(" mixed:{}", outcomes.mixed.join("|"));
        }
        if outcomes.open > 0 {
            told += &format!(" open:{}", outcomes.open);
        }
    }
    let win = line.win.unwrap_or(0.0) * 100.0;
    told += &format!(
        " spread {:+.1} wp {win:.2} rank {} kind {kind}",
        line.gain, line.rank
    );
    told += marks(&line.candidate);
    told
}

/// The draws of a candidate by what they lead to.
pub(super) struct Outcomes {
    pub won: Vec<String>,
    pub drawn: Vec<String>,
    pub lost: Vec<String>,
    /// With the share of wins in percent: it depends on what the other does, who cannot know.
    pub mixed: Vec<String>,
    /// How many are not proved. There may be hundreds for each candidate, of which there is nothing to say.
    pub open: usize,
}

impl Outcomes {
    pub fn of(line: &Line, position: &Position) -> Outcomes {
        let mut outcomes = Outcomes {
            won: Vec::new(),
            drawn: Vec::new(),
            lost: Vec::new(),
            mixed: Vec::new(),
            open: 0,
        };
        for draw in &line.draws {
            if !draw.exact {
                outcomes.open += 1;
                continue;
            }
            let text = draw_text(draw, position);
            match draw.win {
                1.0 => outcomes.won.push(text),
                0.5 => outcomes.drawn.push(text),
                0.0 => outcomes.lost.push(text),
                share => outcomes.mixed.push(format!("{text}={:.1}", share * 100.0)),
            }
        }
        outcomes
    }
}

/// What is drawn, and after a stroke what stays in the bag.
fn draw_text(draw: &DrawOutcome, position: &Position) -> String {
    let drawn = leave_text(&draw.world.drawn, position);
    match draw.world.bag.is_empty() {
        true => drawn,
        false => drawn + "/" + &position.rules().tiles.tiles_text(&draw.world.bag),
    }
}

fn solver_work(solution: &Solution, took: Duration) -> String {
    let (millis, nodes) = (took.as_millis(), solution.nodes);
    let nps = u128::from(nodes) * 1_000 / millis.max(1);
    let (turns, full) = (solution.turns, solution.per_mille_full);
    let proved = match (solution.solved, solution.phase) {
        (false, _) => "not proved",
        (true, Phase::Preendgame) => "proved: no move has a larger share of wins",
        (true, _) => "proved",
    };
    format!(
        "info time {millis} nodes {nodes} nps {nps} hashfull {full} string {turns} moves, {proved}"
    )
}

/// In percent, from parts of [`WinProb::SCALE`].
pub(super) fn percent(parts: f64) -> f64 {
    parts * 100.0 / f64::from(WinProb::SCALE)
}

/// The board after a turn.
pub(super) fn after(position: &Position, turn: &Turn) -> Grid {
    let mut grid = position.grid().clone();
    lay(&mut grid, turn);
    grid
}

fn lay(grid: &mut Grid, turn: &Turn) {
    if let Turn::Place(placement) = turn {
        for (square, face) in placement.placed_tiles(grid.side()) {
            grid.set(square, Some(face));
        }
    }
}

/// The last line of a search.
pub(super) fn bestmove(turn: &Turn, position: &Position) -> String {
    format!("bestmove {}", turn_text(turn, position))
}

/// What a referee says.
pub(super) fn checked(checked: &Checked, position: &Position) -> String {
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
