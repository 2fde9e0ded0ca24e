//! `show`: draws the position for people.

use super::session::Audience;
use crate::board::{Axis, Lane, Premium, Square};
use crate::notation::cgp::Cgp;
use crate::rules::{Game, Position};
use crate::units::Points;

/// The board, the racks and scores, and the position in CGP. A program or a log gets two
/// characters per square and the signs of board files; a person gets three characters per square
/// and readable premium squares.
pub(super) fn board(game: &Game, cgp: &Cgp, audience: Audience) -> Vec<String> {
    let position = game.position();
    let mut lines = match audience {
        Audience::Program => compact_grid(position),
        Audience::Person { colour } => terminal_grid(position, colour),
    };
    lines.push(String::new());
    lines.extend((0..position.player_count()).map(|seat| player(position, seat)));
    let unseen = position.unseen();
    let text = position.rules().tiles.tiles_text(unseen);
    lines.push(format!(
        "bag {}, unseen {}: {text}",
        position.bag_len(),
        unseen.len()
    ));
    if let Some(end) = game.end() {
        lines.push(format!("the game is over: {end}"));
        lines.push(result(game));
    }
    lines.push(format!("position cgp {cgp}"));
    lines
}

/// What the signs of the compact board mean.
const LEGEND: &str =
    "letter ' x2 \" x3 ^ x4, word - x2 = x3 ~ x4, # unusable, small letters blanks";

fn compact_grid(position: &Position) -> Vec<String> {
    let cell = |square| match tile_text(position, square) {
        Some(tile) => format!("{tile:>2}"),
        None => match position.rules().board.premium(square) {
            Premium::None => " .".to_string(),
            premium => format!(" {}", premium.sign()),
        },
    };
    let columns = columns(position, |name| format!(" {name}"));
    let rows = rows(position, cell);
    let rows = rows.map(|(row, cells)| format!("{row:>2} {cells}"));
    let legend = LEGEND.to_string();
    [columns].into_iter().chain(rows).chain([legend]).collect()
}

/// What the labels of the terminal's board mean.
const TERMINAL_LEGEND: &str = "2L 3L 4L multiply a letter, 2W 3W 4W a word; blanks are lower case";

fn terminal_grid(position: &Position, colour: bool) -> Vec<String> {
    let cell = |square| {
        let premium = position.rules().board.premium(square);
        match tile_text(position, square) {
            Some(tile) => painted(&format!("{tile:^3}"), TILE_COLOUR, colour),
            None => painted(&premium_label(premium), premium_colour(premium), colour),
        }
    };
    let columns = columns(position, |name| format!(" {name} "));
    let rows = rows(position, cell);
    let rows = rows.map(|(row, cells)| format!("{row:>2} {cells} {row}"));
    let below = [columns.clone(), TERMINAL_LEGEND.to_string()];
    [columns].into_iter().chain(rows).chain(below).collect()
}

/// The line of column names.
fn columns(position: &Position, cell: impl Fn(char) -> String) -> String {
    let names = (0..position.grid().side()).map(|column| char::from(b'A' + column));
    names.fold("   ".to_string(), |line, name| line + &cell(name))
}

/// The number of each row, and its cells.
fn rows(
    position: &Position,
    cell: impl Fn(Square) -> String,
) -> impl Iterator<Item = (u8, String)> {
    let side = position.grid().side();
    (0..side).map(move |row| {
        let lane = Lane::new(Axis::Across, row, side);
        (row + 1, lane.onwards(0).map(&cell).collect())
    })
}

/// The tile on a square. A tile set from a file may name tiles with any characters.
fn tile_text(position: &Position, square: Square) -> Option<String> {
    let face = position.grid().get(square)?;
    let text = position.rules().tiles.face_text(face);
    Some(super::printable(text.trim_matches(['[', ']'])))
}

/// Three characters for an empty square.
fn premium_label(premium: Premium) -> String {
    match premium {
        Premium::None => " . ".to_string(),
        Premium::Letter(factor) => format!("{factor}L "),
        Premium::Word(factor) => format!("{factor}W "),
        Premium::Unusable => "###".to_string(),
    }
}

/// The ANSI colours of tiles: black on pale yellow, bold.
const TILE_COLOUR: &str = "1;38;5;16;48;5;222";

/// The ANSI colours of an empty square: green for letters, violet for words, the darker the more.
fn premium_colour(premium: Premium) -> &'static str {
    match premium {
        Premium::None | Premium::Unusable => "38;5;244",
        Premium::Letter(2) => "38;5;16;48;5;151",
        Premium::Letter(3) => "38;5;231;48;5;65",
        Premium::Letter(_) => "38;5;231;48;5;22",
        Premium::Word(2) => "38;5;16;48;5;183",
        Premium::Word(3) => "38;5;231;48;5;97",
        Premium::Word(_) => "38;5;231;48;5;54",
    }
}

/// A text in ANSI colours, if there are any.
pub(crate) fn painted(text: &str, code: &str, colour: bool) -> String {
    match colour {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_string(),
    }
}

fn player(position: &Position, seat: usize) -> String {
    let hand = position.rack(seat);
    let turn = if seat == position.to_move() { ">" } else { " " };
    let known = position.rules().tiles.tiles_text(&hand.known);
    let rack = match (known.as_str(), hand.unknown) {
        (known, 0) => known.to_string(),
        ("", n) => format!("{n} unknown"),
        (known, n) => format!("{known} and {n} unknown"),
    };
    format!(
        "{turn} player {} score {} rack {}",
        seat + 1,
        position.score(seat),
        rack
    )
}

fn result(game: &Game) -> String {
    let Some(outcome) = game.outcome() else {
        return "the final scores depend on racks that are not known".to_string();
    };
    let scores: Vec<String> = outcome.scores.iter().map(Points::to_string).collect();
    let winner = match outcome.winner {
        Some(seat) => format!("player {} wins", seat + 1),
        None => "a draw".to_string(),
    };
    format!("final scores {}: {winner}", scores.join(" "))
}
