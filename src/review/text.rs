//! Tiles, moves and changes of the board as the document has them: for people, without the brackets
//! that notations put around tiles with several characters.

use super::SquareTile;
use crate::board::{Grid, Square};
use crate::engine::Figure;
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::search::preendgame::DrawOutcome;
use crate::tiles::{Tile, TileCounts, TileSet};

use super::ReviewFigure;

/// A tile of a rack as people read it; `?` is a blank.
pub(super) fn tile_face(tile: Tile, tiles: &TileSet) -> String {
    tiles.kind(tile).upper.clone()
}

/// Tiles as people read them, one text for each.
pub(super) fn faces(held: &TileCounts, tiles: &TileSet) -> Vec<String> {
    held.iter().map(|tile| tile_face(tile, tiles)).collect()
}

/// A move of the engine's notation for people: `8D FLYING`, `exchange QV`, `pass`.
pub(super) fn readable(code: &str) -> String {
    let (edits, main) = match code.rsplit_once('+') {
        Some((edits, main)) => (edits.replace('+', " + ") + " + ", main),
        None => (String::new(), code),
    };
    let main = match main.split_once('.') {
        Some(("ex", tiles)) => format!("exchange {tiles}"),
        Some(("re", word)) => format!("rearrange {}", word.replacen('.', " ", 1)),
        Some((at, word)) => format!("{at} {word}"),
        None => main.to_string(),
    };
    (edits + &main).replace(['[', ']'], "")
}

/// The word of a move for people, without its coordinate: what one calls it in a sentence.
pub(super) fn short_name(readable: &str) -> &str {
    match readable.rsplit_once(' ') {
        Some((before, word)) if !before.starts_with("exchange") => word,
        _ => readable,
    }
}

/// A turn of a position in the engine's notation.
pub(super) fn code(turn: &Turn, position: &Position) -> String {
    moves::write(turn, position.grid(), &position.rules().tiles)
}

/// A sequence of turns that begins in a position, for people.
pub(super) fn line(turns: &[Turn], position: &Position) -> Vec<String> {
    let codes = moves::write_sequence(turns, position.grid(), &position.rules().tiles);
    codes.iter().map(|code| readable(code)).collect()
}

/// The squares that a turn changes on a board, in order.
pub(super) fn changes(turn: &Turn, grid: &Grid, tiles: &TileSet) -> Vec<SquareTile> {
    let mut after = grid.clone();
    turn.change_board(&mut after);
    let changed = squares(grid.side()).filter(|&square| grid.get(square) != after.get(square));
    changed
        .map(|square| square_tile(square, &after, tiles))
        .collect()
}

/// The tiles on a board, in order.
pub(super) fn board_tiles(grid: &Grid, tiles: &TileSet) -> Vec<SquareTile> {
    let covered = squares(grid.side()).filter(|&square| grid.get(square).is_some());
    covered
        .map(|square| square_tile(square, grid, tiles))
        .collect()
}

fn squares(side: u8) -> impl Iterator<Item = Square> {
    (0..side).flat_map(move |row| (0..side).map(move |column| Square::new(row, column, side)))
}

fn square_tile(square: Square, grid: &Grid, tiles: &TileSet) -> SquareTile {
    let face = grid.get(square);
    SquareTile {
        square: square.index(),
        face: face.map(|face| tile_face(Tile::from(face.letter()), tiles)),
        value: face.map_or(0, |face| tiles.value(face.tile()).0),
        blank: face.is_some_and(|face| face.is_blank()),
    }
}

/// The tiles drawn in an outcome of a pre-endgame, those that stay in the bag after a slash, and the
/// number of ways in parentheses if there are several.
pub(super) fn draw(outcome: &DrawOutcome, tiles: &TileSet) -> String {
    let world = &outcome.world;
    let drawn = match world.drawn.is_empty() {
        true => "-".to_string(),
        false => faces(&world.drawn, tiles).concat(),
    };
    let stays = match world.bag.is_empty() {
        true => String::new(),
        false => format!("/{}", faces(&world.bag, tiles).concat()),
    };
    let ways = match world.weight {
        0 | 1 => String::new(),
        ways => format!(" ({ways})"),
    };
    drawn + &stays + &ways
}

/// A figure of an analysis. More than three decimals would be noise.
pub(super) fn figure(found: Figure) -> ReviewFigure {
    ReviewFigure {
        value: rounded(found.value),
        error: found.error.map(rounded),
    }
}

/// Rounded to three decimals.
pub(super) fn rounded(x: f64) -> f64 {
    // Adding zero makes a negative zero a plain one.
    (x * 1e3).round() / 1e3 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_for_people() {
        for (code, text, name) in [
            ("8D.FLYING", "8D FLYING", "FLYING"),
            ("H11.MAZEy", "H11 MAZEy", "MAZEy"),
            ("8D.[CH]I[L·L]A", "8D CHIL·LA", "CHIL·LA"),
            ("ex.QV", "exchange QV", "exchange QV"),
            ("ex.4", "exchange 4", "exchange 4"),
            ("pass", "pass", "pass"),
            ("re.8E.THRONE", "rearrange 8E THRONE", "THRONE"),
            ("8G=O+H6.FARM", "8G=O + H6 FARM", "FARM"),
            ("8G=O+8H=A+pass", "8G=O + 8H=A + pass", "pass"),
        ] {
            assert_eq!(readable(code), text);
            assert_eq!(short_name(&readable(code)), name);
        }
    }
}
