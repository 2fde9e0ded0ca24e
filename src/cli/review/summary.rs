//! The summary in the terminal, 80 columns wide: of one game, or of many.

use crate::protocol::{painted, printable};
use crate::review::{
    IndexTotal, IndexedGame, IndexedPlayer, LuckBalance, MistakeClass, MistakeKind, ReviewDocument,
    ReviewFigure, ReviewIndex, ReviewPhase, ReviewedPlayer, ReviewedTurn, loss_text,
};

/// How a summary looks.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Whether ANSI colours are used.
    pub colour: bool,
}

/// The ANSI colour of headings: bold.
const HEADING_COLOUR: &str = "1";
/// The ANSI colour of what matters less: grey.
const MINOR_COLOUR: &str = "38;5;244";
/// The width of the labels in the table of players, and of each player's column.
const PLAYER_COLUMNS: [usize; 2] = [24, 14];
/// The widths of the table of turns: number, player, rack, move, points, total, loss, best move.
const TURN_COLUMNS: [usize; 8] = [3, 7, 8, 16, 4, 5, 13, 17];
/// The widths of the table of the games of one player: date, opponent, result, index, mean loss,
/// share of best moves, worst mistake.
const GAME_COLUMNS: [usize; 7] = [10, 20, 12, 5, 6, 5, 16];
/// The widths of the table of the games of all players: date, players with scores, indices, worst.
const ALL_COLUMNS: [usize; 4] = [10, 37, 13, 17];
/// The most players whose totals are printed. Chosen by hand; the files have all.
const MAX_TOTALS: usize = 10;

/// The ANSI colour of a class: none, yellow, orange, red.
fn class_colour(class: MistakeClass) -> &'static str {
    match class {
        MistakeClass::None => "0",
        MistakeClass::Small => "38;5;178",
        MistakeClass::Medium => "38;5;208",
        MistakeClass::Large => "1;38;5;196",
    }
}

fn class_name(class: MistakeClass) -> &'static str {
    match class {
        MistakeClass::None => "",
        MistakeClass::Small => "small",
        MistakeClass::Medium => "medium",
        MistakeClass::Large => "large",
    }
}

fn kind_name(kind: MistakeKind) -> &'static str {
    match kind {
        MistakeKind::Phony => "phonies",
        MistakeKind::MissedChallenge => "missed challenges",
        MistakeKind::MissedBonus => "missed bonus plays",
        MistakeKind::Endgame => "endgame",
        MistakeKind::Score => "score",
        MistakeKind::Leave => "leave",
        MistakeKind::Opening => "opening the board",
    }
}

fn phase_name(phase: ReviewPhase) -> &'static str {
    match phase {
        ReviewPhase::Open => "loss in the open game",
        ReviewPhase::PreEndgame => "loss in the pre-endgame",
        ReviewPhase::Endgame => "loss in the endgame",
    }
}

/// A text of a given width: cut with an ellipsis, or filled with spaces.
fn cell(text: &str, width: usize, right: bool) -> String {
    let text = printable(text);
    let count = text.chars().count();
    match (count > width, right) {
        (true, _) => text
            .chars()
            .take(width.saturating_sub(1))
            .chain(['…'])
            .collect(),
        (false, true) => format!("{text:>width$}"),
        (false, false) => format!("{text:<width$}"),
    }
}

/// The cells of a row, the last without spaces after it. Columns in `right` are set to the right.
fn row<const N: usize>(cells: [&str; N], widths: [usize; N], right: &[usize]) -> String {
    let cells = cells.iter().zip(widths).enumerate();
    let cells = cells.map(|(at, (text, width))| cell(text, width, right.contains(&at)));
    cells.collect::<Vec<_>>().join(" ").trim_end().to_string()
}

fn percent(figure: ReviewFigure) -> String {
    let error = figure.error.filter(|error| *error > 0.0);
    let error = error.map_or(String::new(), |error| format!(" ±{error:.1}"));
    format!("{:.1}{error} %", zero(figure.value))
}

fn points(figure: ReviewFigure) -> String {
    format!("{:+.1}", zero(figure.value))
}

/// The number, without a sign if it is printed as zero.
fn zero(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}

/// The summary of one game.
pub(super) fn game(document: &ReviewDocument, style: Style) -> String {
    let heading = |text: &str| painted(&printable(text), HEADING_COLOUR, style.colour);
    let mut lines = Vec::new();
    let title = match document.date.is_empty() {
        true => document.title.clone(),
        false => format!("{}, {}", document.title, document.date),
    };
    lines.push(heading(&title));
    lines.push(printable(&document.result));
    lines.push(String::new());
    lines.extend(players(&document.players, style));
    if let Some(balance) = &document.balance {
        lines.push(balance_line(balance));
    }
    if !document.turning_points.is_empty() {
        lines.extend([String::new(), heading("Turning points")]);
        let points = document.turning_points.iter();
        let texts = points.map(|point| format!("turn {}: {}", point.turn, point.text));
        lines.extend(texts.flat_map(|text| wrapped(&printable(&text))));
    }
    if !document.turns.is_empty() {
        lines.extend([String::new(), heading("Turns")]);
        let names = [
            "",
            "Player",
            "Rack",
            "Move",
            "Pts",
            "Total",
            "Loss",
            "Best move",
        ];
        let header = row(names, TURN_COLUMNS, &[0, 4, 5]);
        lines.push(painted(&header, MINOR_COLOUR, style.colour));
        lines.extend(document.turns.iter().map(|it| turn(it, document, style)));
    }
    if !document.findings.is_empty() {
        lines.extend([String::new(), heading("About the record")]);
        let findings = document.findings.iter();
        lines.extend(findings.flat_map(|finding| wrapped(&printable(finding))));
    }
    lines.join("\n")
}

/// The widest line, in columns.
const MAX_COLUMNS: usize = 80;

/// A text on lines of at most [`MAX_COLUMNS`], all indented and those after the first more.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = " ".to_string();
    for word in text.split_whitespace() {
        let columns = line.chars().count() + 1 + word.chars().count();
        if columns > MAX_COLUMNS && !line.trim().is_empty() {
            lines.push(std::mem::replace(&mut line, "   ".to_string()));
        }
        line = format!("{line} {word}");
    }
    lines.push(line);
    lines
}

/// The table of players: a row for each figure.
fn players(players: &[ReviewedPlayer], style: Style) -> Vec<String> {
    let [label_width, width] = PLAYER_COLUMNS;
    let line = |label: &str, texts: Vec<String>| {
        let cells = texts.iter().map(|text| cell(text, width, true));
        cell(label, label_width, false) + &cells.collect::<String>()
    };
    let all = |of: &dyn Fn(&ReviewedPlayer) -> String| players.iter().map(of).collect::<Vec<_>>();
    let optional = |text: Option<String>| text.unwrap_or_else(|| "-".to_string());
    // A name may be as wide as its column, which has no space beside it.
    let is_same =
        |it: &ReviewedPlayer| players.iter().filter(|other| other.name == it.name).count() > 1;
    let names = all(&|it| {
        let name = if is_same(it) { &it.nick } else { &it.name };
        cell(name, width - 1, false).trim_end().to_string()
    });
    let mut lines = vec![painted(&line("", names), HEADING_COLOUR, style.colour)];
    let mut add = |label: &str, of: &dyn Fn(&ReviewedPlayer) -> String| {
        lines.push(line(label, all(of)));
    };
    add("score", &|it| it.score.to_string());
    add("mistake index", &|it| format!("{:.1}", it.mistake_index));
    add("level, a rough guide", &|it| {
        optional(it.level.map(|level| level.to_string()))
    });
    add("mean loss of a turn", &|it| {
        optional(it.mean_loss.map(percent))
    });
    add("points lost", &|it| {
        format!("{:.1}", zero(it.points_lost.value))
    });
    add("best moves", &|it| {
        optional(it.best_share.map(|share| format!("{share:.0} %")))
    });
    add("bonus plays found", &|it| {
        format!("{} of {}", it.bonus_found, it.bonus_available)
    });
    add("small, medium, large", &|it| {
        it.mistakes.map(|count| count.to_string()).join(", ")
    });
    for phase in [
        ReviewPhase::Open,
        ReviewPhase::PreEndgame,
        ReviewPhase::Endgame,
    ] {
        add(phase_name(phase), &|it| phase_loss(it, phase));
    }
    if players.iter().any(|it| it.luck.is_some()) {
        add("luck in points", &|it| optional(it.luck.map(points)));
    }
    if players.iter().any(|it| it.not_graded > 0) {
        add("turns not graded", &|it| it.not_graded.to_string());
    }
    lines
}

/// What a player lost in a phase: win probability, and in the endgame points.
fn phase_loss(player: &ReviewedPlayer, phase: ReviewPhase) -> String {
    let found = player.phases.iter().find(|it| it.phase == phase);
    match found.filter(|it| it.turns > 0) {
        None => "-".to_string(),
        Some(loss) if phase == ReviewPhase::Endgame => format!("{:.1} points", zero(loss.points)),
        Some(loss) => format!("{:.1} %", zero(loss.win)),
    }
}

fn balance_line(balance: &LuckBalance) -> String {
    let list = |figures: &[f64]| {
        let figures = figures
            .iter()
            .map(|figure| format!("{:+.1}", zero(*figure)));
        figures.collect::<Vec<_>>().join(" ")
    };
    format!(
        "spread {:+} = start {:+.1}, mistakes {}, luck {}, residual {:+.1}",
        balance.spread,
        zero(balance.start),
        list(&balance.mistakes),
        list(&balance.luck),
        zero(balance.residual)
    )
}

fn turn(turn: &ReviewedTurn, document: &ReviewDocument, style: Style) -> String {
    let seat = turn.seat.wrapping_sub(1);
    let player = document.players.get(seat).map_or("", |player| &player.nick);
    let rack = turn.rack.concat() + &"·".repeat(turn.unknown);
    let total = turn.scores.get(seat).map_or(String::new(), i32::to_string);
    let loss = match turn.not_graded {
        Some(_) => "not graded".to_string(),
        None => {
            let loss = loss_text(turn).replace("points", "pts");
            format!("{loss} {}", class_name(turn.class))
                .trim_end()
                .to_string()
        }
    };
    let is_best = turn.best.as_ref() == Some(&turn.played);
    let best = if is_best { None } else { turn.best.as_deref() };
    let line = row(
        [
            &turn.number.to_string(),
            player,
            &rack,
            &(turn.played.clone() + if turn.came_off { " (off)" } else { "" }),
            &turn.points.to_string(),
            &total,
            &loss,
            best.unwrap_or(""),
        ],
        TURN_COLUMNS,
        &[0, 4, 5],
    );
    match turn.class {
        MistakeClass::None => line,
        class => painted(&line, class_colour(class), style.colour),
    }
}

/// The summary of many games.
pub(super) fn games(index: &ReviewIndex, style: Style) -> String {
    let mut lines = Vec::new();
    let header = match index.player.is_empty() {
        true => row(
            ["Date", "Players", "Indices", "Worst mistake"],
            ALL_COLUMNS,
            &[],
        ),
        false => {
            let names = [
                "Date",
                "Opponent",
                "Result",
                "Index",
                "Loss",
                "Best",
                "Worst mistake",
            ];
            row(names, GAME_COLUMNS, &[3, 4, 5])
        }
    };
    lines.push(painted(&header, MINOR_COLOUR, style.colour));
    for game in &index.games {
        match index.player.is_empty() {
            true => lines.push(all_players(game)),
            false => lines.extend(game.rows.iter().map(|it| one_player(game, it))),
        }
    }
    for total in index.totals.iter().take(MAX_TOTALS) {
        lines.push(String::new());
        lines.extend(total_lines(total, style));
    }
    if let Some(more) = index.totals.len().checked_sub(MAX_TOTALS + 1) {
        lines.push(format!("\nand {} more players", more + 1));
    }
    lines.join("\n")
}

/// The date of a game or, without one, its title.
fn date(game: &IndexedGame) -> &str {
    match game.date.is_empty() {
        true => &game.title,
        false => &game.date,
    }
}

fn all_players(game: &IndexedGame) -> String {
    let players = game.rows.iter();
    let players = players.map(|it| format!("{} {}", it.name, it.score));
    let indices = game.rows.iter();
    let indices = indices.map(|it| format!("{:.1}", it.mistake_index));
    let (players, indices): (Vec<String>, Vec<String>) = (players.collect(), indices.collect());
    // The highest index is the best guess at who made the worst mistake.
    let mistakes = game.rows.iter().filter(|it| it.worst_turn.is_some());
    let worst = mistakes.max_by(|a, b| a.mistake_index.total_cmp(&b.mistake_index));
    let cells = [
        date(game),
        &players.join(", "),
        &indices.join(", "),
        &worst.map_or(String::new(), worst_text),
    ];
    row(cells, ALL_COLUMNS, &[])
}

fn worst_text(player: &IndexedPlayer) -> String {
    match player.worst_turn {
        Some(turn) => format!("{}, turn {turn}", player.worst.replace("points", "pts")),
        None => String::new(),
    }
}

fn one_player(game: &IndexedGame, player: &IndexedPlayer) -> String {
    let sign = match player.won {
        Some(true) if player.score == player.opponent_score => "draw",
        Some(true) => "won",
        Some(false) => "lost",
        None => "",
    };
    let cells = [
        date(game),
        &player.opponent,
        &format!("{}-{} {sign}", player.score, player.opponent_score),
        &format!("{:.1}", player.mistake_index),
        &player
            .mean_loss
            .map_or(String::new(), |loss| format!("{:.1} %", zero(loss))),
        &player
            .best_share
            .map_or(String::new(), |share| format!("{share:.0} %")),
        &worst_text(player),
    ];
    row(cells, GAME_COLUMNS, &[3, 4, 5])
}

fn total_lines(total: &IndexTotal, style: Style) -> Vec<String> {
    let s = if total.games == 1 { "" } else { "s" };
    let name = painted(&printable(&total.name), HEADING_COLOUR, style.colour);
    let level = total
        .level
        .map_or(String::new(), |it| format!(" (level {it}, a rough guide)"));
    let mut lines = vec![
        format!(
            "{name}: {} game{s}, {} won, mean score {:.0}, mean spread {:+.0}",
            total.games, total.won, total.mean_score, total.mean_spread
        ),
        format!("  mistake index {:.2} a game{level}", total.mistake_index),
    ];
    let mut figures = Vec::new();
    figures.extend(
        total
            .mean_loss
            .map(|it| format!("mean loss {:.2} %", zero(it))),
    );
    figures.extend(total.best_share.map(|it| format!("best moves {it:.0} %")));
    figures.push(format!(
        "bonus plays {} of {}",
        total.bonus[0], total.bonus[1]
    ));
    figures.extend(total.luck.map(|it| format!("luck {:+.1} points", zero(it))));
    lines.push(format!("  {}", figures.join(", ")));
    if !total.kinds.is_empty() {
        let kinds = total.kinds.iter();
        let kinds = kinds.map(|it| format!("{} {}", kind_name(it.kind), it.count));
        let text = format!("mistakes: {}", kinds.collect::<Vec<_>>().join(", "));
        lines.extend(wrapped(&text));
    }
    lines
}
