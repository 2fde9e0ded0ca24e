//! What a page says without its script: results, turning points and the list of turns, as HTML.

use super::super::document::{
    MistakeClass, ReviewDocument, ReviewIndex, ReviewedPlayer, ReviewedTurn,
};
use super::text::escape_html;

/// A game in short.
pub(super) fn of_game(document: &ReviewDocument) -> String {
    let players = list(document.players.iter().map(player_line));
    let points = list(
        document
            .turning_points
            .iter()
            .map(|point| format!("Turn {}: {}", point.turn, escape_html(&point.text))),
    );
    let rows = document.turns.iter().map(|turn| turn_row(document, turn));
    let head = ["Turn", "Player", "Move", "Points", "Mistake", "Best move"];
    format!(
        "<div class=\"card summary\"><p>With JavaScript this page shows the board, all candidates \
         and the course of the game.</p>\n{players}{points}{}</div>",
        table(&head, rows)
    )
}

/// An index in short.
pub(super) fn of_index(index: &ReviewIndex) -> String {
    let rows = index.games.iter().flat_map(|game| {
        let row = |row: &super::super::document::IndexedPlayer| {
            let score = format!("{} to {}", row.score, row.opponent_score);
            let cells = [
                game.date.as_str(),
                &row.name,
                &row.opponent,
                &score,
                &format!("{:.1}", row.mistake_index),
                &game.page,
            ];
            cells.map(escape_html).to_vec()
        };
        game.rows.iter().map(row)
    });
    let head = ["Date", "Player", "Opponent", "Score", "Index", "Page"];
    let games = table(&head, rows);
    let failures = list(index.failures.iter().map(|failure| {
        let text = format!("{}: {}", failure.record, failure.reason);
        escape_html(&text)
    }));
    format!("<div class=\"card summary\">{games}{failures}</div>")
}

fn player_line(player: &ReviewedPlayer) -> String {
    let loss = player.mean_loss.map(|loss| {
        let error = loss.error.map(|error| format!(" ± {error:.2}"));
        format!(
            ", mean loss {:.2}{} %",
            loss.value,
            error.unwrap_or_default()
        )
    });
    format!(
        "{}: {} points, mistake index {:.1}{}",
        escape_html(&player.name),
        player.score,
        player.mistake_index,
        loss.unwrap_or_default()
    )
}

fn turn_row(document: &ReviewDocument, turn: &ReviewedTurn) -> Vec<String> {
    let player = document.players.iter().find(|it| it.seat == turn.seat);
    let is_mistake = turn.class != MistakeClass::None;
    let best = turn.best.as_deref().filter(|_| is_mistake);
    let class = match turn.class {
        MistakeClass::None => "",
        MistakeClass::Small => "small",
        MistakeClass::Medium => "medium",
        MistakeClass::Large => "large",
    };
    let number = turn.number.to_string();
    let points = turn.points.to_string();
    let cells = [
        number.as_str(),
        player.map_or("", |it| it.name.as_str()),
        &turn.played,
        &points,
        class,
        best.unwrap_or(""),
    ];
    cells.map(escape_html).to_vec()
}

/// A list of items that are HTML; nothing if there are none.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("<li>{item}</li>\n")).collect();
    match items.is_empty() {
        true => items,
        false => format!("<ul>\n{items}</ul>\n"),
    }
}

/// A table of cells that are HTML.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: String = head.iter().map(|it| format!("<th>{it}</th>")).collect();
    let row = |cells: Vec<String>| {
        let cells = cells.into_iter().map(|cell| format!("<td>{cell}</td>"));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = rows.map(row).collect();
    format!("<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n")
}
