//! Resolves a word at a coordinate to a [`Placement`]: which of its letters are placed and which
//! lie on the board already.

use super::super::coordinate::Coordinate;
use super::quoted;
use crate::board::Square;
use crate::rules::{Placement, PlayError, Position};
use crate::tiles::{Face, TileSet};

/// The placement of a word at a coordinate, or why it is none. A letter that contradicts the board
/// is an error: the play is illegal, or an earlier one is not on the board as it was.
pub(super) fn resolve(
    position: &Position,
    at: Coordinate,
    word: &str,
) -> Result<Placement, String> {
    let (grid, tiles) = (position.grid(), &position.rules().tiles);
    let side = grid.side();
    let start = at
        .square(side)
        .ok_or_else(|| format!("{at} is not on the board, which has {side} rows"))?;
    let pieces = pieces(tiles, word)?;
    let (lane, first) = start.lane(at.axis, side);
    let squares: Vec<Square> = lane.onwards(first).collect();
    if pieces.len() > squares.len() {
        return Err(PlayError::OffBoard.to_string());
    }
    let mut cells = Vec::with_capacity(pieces.len());
    for (piece, &square) in pieces.iter().zip(&squares) {
        let (named, placed) = match piece {
            WordPart::Dot => (None, None),
            WordPart::Through(face) => (Some(face), None),
            WordPart::Letter(face) => (Some(face), Some(*face)),
        };
        let there = grid.get(square);
        if there.is_none() && placed.is_none() {
            return Err(PlayError::Gap(square.name(side)).to_string());
        }
        if let (Some(there), Some(named)) = (there, named)
            && there.letter() != named.letter()
        {
            let (there, named) = (tiles.face_text(there), tiles.face_text(*named));
            let name = square.name(side);
            return Err(format!(
                "{there} lies on {name}, the record plays {named} there"
            ));
        }
        cells.push(placed.filter(|_| there.is_none()));
    }
    let placement = Placement::new(start, at.axis, &cells);
    placement.ok_or_else(|| PlayError::OffBoard.to_string())
}

/// One square of a word as written.
enum WordPart {
    /// `.`: a tile on the board.
    Dot,
    /// A letter in parentheses: a tile on the board.
    Through(Face),
    /// A plain letter: a tile placed, or a tile on the board.
    Letter(Face),
}

fn pieces(tiles: &TileSet, word: &str) -> Result<Vec<WordPart>, String> {
    let read = |text: &str| tiles.read_faces(text).map_err(|error| error.to_string());
    let mut pieces = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            pieces.push(WordPart::Dot);
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('(') {
            let closed = inner.split_once(')');
            let (through, after) =
                closed.ok_or_else(|| format!("'{}' has a '(' without a ')'", quoted(word)))?;
            pieces.extend(read(through)?.into_iter().map(WordPart::Through));
            rest = after;
        } else {
            let (run, after) = rest.split_at(rest.find(['.', '(']).unwrap_or(rest.len()));
            pieces.extend(read(run)?.into_iter().map(WordPart::Letter));
            rest = after;
        }
    }
    Ok(pieces)
}
