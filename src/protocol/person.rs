//! What a person at a terminal reads instead of protocol lines: tables and sentences.
//!
//! Everything here formats an [`Analysis`] or a [`Reply`]; nothing is computed.

use super::reply::{draw_lists, tiles_text, turn_text, variation};
use super::show::painted;
use crate::engine::{Analysis, AnalyzedMove, Figure, Label, NAME, VERSION};
use crate::rules::{Position, Turn};
use crate::siu::{InfoLine, Reply};

/// The first line that a person sees.
pub(super) fn greeting() -> String {
    format!("{NAME} {VERSION}: 'help' lists the commands, 'quit' leaves")
}

/// A reply as a sentence.
pub(super) fn sentence(reply: &Reply) -> String {
    match reply {
        Reply::Error { text, .. } => format!("error: {text}"),
        Reply::Text(text) => text.clone(),
        Reply::ReadyOk => "ready".to_string(),
        Reply::Info(line) if line.topic() == "check" => checked(line),
        reply => reply.to_string(),
    }
}

/// The answer to `check` as a sentence.
fn checked(line: &InfoLine) -> String {
    let value = |key: &str| line.value(key).unwrap_or_default();
    let valid = match value("valid") {
        "yes" => "valid",
        _ => "not valid",
    };
    let mut text = format!("{} scores {}, {valid}", value("move"), value("score"));
    if let Some(words) = line.value("words") {
        let words = words.split(',').zip(value("parts").split(','));
        let words: Vec<String> = words.map(|(word, part)| format!("{word} {part}")).collect();
        text += &format!(": {}", words.join(", "));
    }
    for (key, label) in [
        ("bonus", ", bonus "),
        ("phony", "; not in the lexicon: "),
        ("missing", "; not on the rack: "),
    ] {
        if let Some(value) = line.value(key).filter(|value| *value != "0") {
            text += label;
            text += &value.replace(',', ", ");
        }
    }
    text
}

/// The number of candidates in a table, unless `go` has `candidates`. Chosen by hand to fit a
/// terminal.
const DEFAULT_ROWS: usize = 10;

/// The candidates of a finished search and the best move.
pub(super) fn table(analysis: &Analysis, rows: Option<usize>, colour: bool) -> Vec<String> {
    let candidates = analysis.candidates();
    let rows = rows.unwrap_or(DEFAULT_ROWS);
    let is_shown = |(at, found): &(usize, &AnalyzedMove)| *at < rows || found.candidate.requested;
    let shown: Vec<_> = candidates.iter().enumerate().filter(is_shown).collect();
    let mut lines = Vec::new();
    if !shown.is_empty() {
        let header = format!(
            "{:>4}  {:<19}{:>5}  {:<8}{:>15}  {:>16}  label",
            "rank", "move", "score", "leave", "win %", "equity"
        );
        lines.push(painted(&header, "1", colour));
    }
    let row = |(_, found): &(usize, &AnalyzedMove)| row(found, &analysis.position, colour);
    lines.extend(shown.iter().map(row));
    let hidden = candidates.len() - shown.len();
    if hidden > 0 {
        lines.push(format!("      and {hidden} more"));
    }
    let best = analysis.best().unwrap_or(Turn::Pass);
    let best = format!("best move: {}", turn_text(&best, &analysis.position));
    lines.push(painted(&best, "1", colour));
    let details = candidates
        .first()
        .map(|best| details(best, &analysis.position));
    lines.extend(details.into_iter().flatten());
    lines
}

/// What a solver knows about the best move: how the game goes on, and which draws do not win.
fn details(best: &AnalyzedMove, position: &Position) -> Vec<String> {
    let mut lines = Vec::new();
    let replies = variation(best.variation(), position).split_off(best.variation().len().min(1));
    if !replies.is_empty() {
        lines.push(format!("then: {}", replies.join(", ")));
    }
    if let Some(draws) = best.draws().map(|draws| draw_lists(&draws, position)) {
        for (label, list) in [("drawn", draws.drawn), ("lost", draws.lost)] {
            if !list.is_empty() {
                lines.push(format!("{label} with these draws: {}", list.join(" ")));
            }
        }
        if draws.open > 0 {
            lines.push(format!("not proved: {} draws", draws.open));
        }
    }
    lines
}

fn row(found: &AnalyzedMove, position: &Position, colour: bool) -> String {
    let candidate = found.candidate;
    let text = turn_text(&candidate.turn, position);
    let leave = tiles_text(&candidate.leave, position);
    let static_equity = Figure {
        value: f64::from(candidate.worth.total().millis()) / 1e3,
        error: None,
    };
    let equity = match found.solution {
        Some(_) => found.equity(),
        // Without a single sample the static equity is all there is.
        None => found.equity().or(Some(static_equity)),
    };
    let label = match (found.label(), found.is_dropped(), candidate.valid) {
        (.., false) => "phony",
        (Label::Exact, ..) => "exact",
        (Label::Estimate, true, _) => "estimate, dropped",
        (Label::Estimate, false, _) => "estimate",
    };
    let line = format!(
        "{:>4}  {text:<19}{:>5}  {leave:<8}{:>15}  {:>16}  {label}{}",
        found.rank,
        candidate.worth.points,
        figure(found.win(), false),
        figure(equity, true),
        if candidate.requested { " *" } else { "" },
    );
    // Candidates that simulation has given up are dim.
    let code = if found.is_dropped() { "2" } else { "0" };
    painted(&line, code, colour && found.is_dropped())
}

/// A figure with its standard error.
fn figure(figure: Option<Figure>, signed: bool) -> String {
    let Some(Figure { value, error }) = figure else {
        return "-".to_string();
    };
    let value = match signed {
        true => format!("{value:+.1}"),
        // An estimate near 100 % must not look certain.
        false if error.is_none() => format!("{value:.2}"),
        false => format!("{value:.1}"),
    };
    match error {
        Some(error) if error > 0.0 => format!("{value} ± {error:<4.1}"),
        _ => format!("{value}       "),
    }
}

/// One line about a search in progress.
pub(super) fn progress(analysis: &Analysis) -> Option<String> {
    let seconds = analysis.elapsed.as_secs_f64();
    let best = turn_text(&analysis.best()?, &analysis.position);
    let candidates = analysis.candidates();
    let win = candidates.first().and_then(|leader| leader.win());
    let win = win.map_or(String::new(), |win| format!(" wins {:.1} %", win.value));
    let work = match (analysis.solution(), analysis.simulation()) {
        (Some(solution), _) => format!("{} positions searched", solution.decided_positions()),
        (None, Some(simulation)) => format!("{} iterations", simulation.iterations),
        (None, None) => return None,
    };
    Some(format!("{seconds:>6.1} s  {best}{win}, {work}"))
}
