//! Moves as one word without spaces: `8D.DJINN`, `H11.MAZEY.AEMYZ??.5`, `ex.ABC`, `ex.4`,
//! `pass`, `phony.H11.MAZEY`, `rack.AEINRST`.

use super::coordinate::Coordinate;
use crate::board::Grid;
use crate::rules::{Placement, PlayError, Position, Turn};
use crate::tiles::{TileCounts, TileSet, TileTextError};
use crate::units::Points;
use thiserror::Error;

/// The most characters of a faulty text that an error message quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 60;

/// A move as it was written. It may be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A play.
    Place(PlaceText),
    /// A play that was challenged off the board.
    Phony(PlaceText),
    /// An exchange of known tiles.
    Exchange {
        /// The tiles exchanged.
        tiles: String,
        /// The rack before the exchange, if it is given.
        rack: Option<String>,
    },
    /// An exchange of this number of unknown tiles.
    ExchangeUnseen(u8),
    /// A pass.
    Pass,
    /// Not a move but the rack of the player then to move. Only at the end of a list.
    Rack(String),
}

/// A play as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceText {
    /// The square and direction of the first letter.
    pub coordinate: Coordinate,
    /// The whole word, tiles on the board included, blanks in lower case.
    pub word: String,
    /// The rack before the play, if it is given.
    pub rack: Option<String>,
    /// The points that a failed challenge added.
    pub challenge_points: Points,
    /// The number of turns that the next player lost by a challenge.
    pub turns_lost: u8,
}

impl MoveText {
    /// Reads a move.
    pub fn parse(text: &str) -> Result<MoveText, MoveError> {
        let parts: Vec<&str> = text.split('.').collect();
        let is = |part: &str, word: &str| part.eq_ignore_ascii_case(word);
        let syntax = || MoveError::Syntax(text.chars().take(MAX_QUOTED_CHARS).collect());
        match parts.as_slice() {
            [pass] if is(pass, "pass") => Ok(MoveText::Pass),
            [rack, tiles] if is(rack, "rack") => Ok(MoveText::Rack(tiles.to_string())),
            [ex, count] if is(ex, "ex") && count.starts_with(|c: char| c.is_ascii_digit()) => {
                let count = count.parse::<u8>().ok().filter(|count| *count > 0);
                count.map(MoveText::ExchangeUnseen).ok_or_else(syntax)
            }
            [ex, tiles, rack @ ..] if is(ex, "ex") && !tiles.is_empty() && rack.len() <= 1 => {
                let rack = rack.first().map(|rack| rack.to_string());
                Ok(MoveText::Exchange {
                    tiles: tiles.to_string(),
                    rack,
                })
            }
            [phony, place @ ..] if is(phony, "phony") => PlaceText::parse(place)
                .map(MoveText::Phony)
                .ok_or_else(syntax),
            place => PlaceText::parse(place)
                .map(MoveText::Place)
                .ok_or_else(syntax),
        }
    }

    /// The turn that it describes in a position. Whether the turn is legal is not checked.
    pub fn turn(&self, position: &Position) -> Result<Turn, MoveError> {
        match self {
            MoveText::Place(place) | MoveText::Phony(place) => {
                place.placement(position).map(Turn::Place)
            }
            MoveText::Exchange { tiles, .. } => {
                Ok(Turn::Exchange(position.rules().tiles.read_tiles(tiles)?))
            }
            MoveText::ExchangeUnseen(count) => Ok(Turn::ExchangeUnseen(*count)),
            MoveText::Pass => Ok(Turn::Pass),
            MoveText::Rack(_) => Err(MoveError::RackNotLast),
        }
    }

    /// The rack before the move, if it is given.
    pub fn rack(&self, tiles: &TileSet) -> Result<Option<TileCounts>, MoveError> {
        let rack = match self {
            MoveText::Place(place) | MoveText::Phony(place) => place.rack.as_ref(),
            MoveText::Exchange { rack, .. } => rack.as_ref(),
            _ => None,
        };
        let rack = rack.filter(|rack| !rack.is_empty());
        Ok(rack.map(|rack| tiles.read_tiles(rack)).transpose()?)
    }

    /// The same move without the rack before it.
    pub fn without_rack(mut self) -> MoveText {
        match &mut self {
            MoveText::Place(PlaceText { rack, .. })
            | MoveText::Phony(PlaceText { rack, .. })
            | MoveText::Exchange { rack, .. } => *rack = None,
            MoveText::ExchangeUnseen(_) | MoveText::Pass | MoveText::Rack(_) => {}
        }
        self
    }
}

impl PlaceText {
    fn parse(parts: &[&str]) -> Option<PlaceText> {
        let [coordinate, word, rest @ ..] = parts else {
            return None;
        };
        let (points, turns) = (rest.get(1).unwrap_or(&"0"), rest.get(2).unwrap_or(&"0"));
        let place = PlaceText {
            coordinate: Coordinate::parse(coordinate)?,
            word: word.to_string(),
            rack: rest.first().map(|rack| rack.to_string()),
            challenge_points: points.parse().ok()?,
            turns_lost: turns.parse().ok()?,
        };
        (!word.is_empty() && rest.len() <= 3).then_some(place)
    }

    /// The tiles that it places on the board of a position. Where a tile lies already, the
    /// move must name its letter; the case may differ, because people do not remember which
    /// tiles are blanks.
    pub fn placement(&self, position: &Position) -> Result<Placement, MoveError> {
        let (grid, side) = (position.grid(), position.grid().side());
        let off_board = || MoveError::OffBoard {
            coordinate: self.coordinate.to_string(),
            side,
        };
        let start = self.coordinate.square(side).ok_or_else(off_board)?;
        let faces = position.rules().tiles.read_faces(&self.word)?;
        let (lane, at) = start.lane(self.coordinate.axis, side);
        if faces.len() > usize::from(lane.len() - at) {
            return Err(PlayError::OffBoard.into());
        }
        let mut cells = Vec::with_capacity(faces.len());
        for (square, face) in lane.onwards(at).zip(faces) {
            match grid.get(square) {
                None => cells.push(Some(face)),
                Some(there) if there.letter() == face.letter() => cells.push(None),
                Some(there) => {
                    let text = |face| position.rules().tiles.face_text(face);
                    return Err(MoveError::Contradicts {
                        square: square.name(side),
                        shows: text(there),
                        says: text(face),
                    });
                }
            }
        }
        Placement::new(start, self.coordinate.axis, &cells).ok_or_else(off_board)
    }
}

/// Writes a turn that is made on `grid`.
pub fn write(turn: &Turn, grid: &Grid, tiles: &TileSet) -> String {
    match turn {
        Turn::Place(placement) => {
            let coordinate = Coordinate::of(placement.start(), placement.axis(), grid.side());
            format!("{coordinate}.{}", word(placement, grid, tiles))
        }
        Turn::Exchange(exchanged) => format!("ex.{}", tiles.tiles_text(exchanged)),
        Turn::ExchangeUnseen(count) => format!("ex.{count}"),
        Turn::Pass => "pass".to_string(),
    }
}

/// Writes a sequence of moves that begins on `grid`, each as it is written on the board before it.
pub fn write_sequence<'a>(
    turns: impl IntoIterator<Item = &'a Turn>,
    grid: &Grid,
    tiles: &TileSet,
) -> Vec<String> {
    let mut grid = grid.clone();
    let write_next = |turn: &Turn| {
        let text = write(turn, &grid, tiles);
        if let Turn::Place(placement) = turn {
            for (square, face) in placement.placed_tiles(grid.side()) {
                grid.set(square, Some(face));
            }
        }
        text
    };
    turns.into_iter().map(write_next).collect()
}

/// The whole word of a placement on `grid`, including the tiles that it plays through.
fn word(placement: &Placement, grid: &Grid, tiles: &TileSet) -> String {
    let (lane, at) = placement.start().lane(placement.axis(), grid.side());
    let cells = lane.onwards(at).zip(placement.cells());
    let faces = cells.filter_map(|(square, cell)| cell.or(grid.get(square)));
    faces.map(|face| tiles.face_text(face)).collect()
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It has none of the forms of a move.
    #[error(
        "'{0}' is not a move; moves are like 8D.WORD, D8.WORD, ex.ABC, ex.3, pass, phony.8D.WORD"
    )]
    Syntax(String),
    /// It starts outside the board.
    #[error("{coordinate} is not on the board of {side} rows and columns")]
    OffBoard {
        /// The coordinate of its first letter.
        coordinate: String,
        /// The number of rows and columns of the board.
        side: u8,
    },
    /// Its tiles cannot be read.
    #[error(transparent)]
    Tiles(#[from] TileTextError),
    /// It names another letter than the tile on the board.
    #[error("{square} shows {shows}, the move says {says}")]
    Contradicts {
        /// The square.
        square: String,
        /// The tile on the square.
        shows: String,
        /// The letter in the move.
        says: String,
    },
    /// A rack in place of a move.
    #[error("rack. is only for the end of a list of moves")]
    RackNotLast,
    /// The rules do not allow it.
    #[error(transparent)]
    Play(#[from] PlayError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::cgp::Cgp;
    use crate::rules::{Embedded, Library};
    use std::sync::Arc;

    /// A board with CAt across at 8G, the t a blank.
    fn position() -> Position {
        let cgp =
            Cgp::parse("15/15/15/15/15/15/15/6CAt6/15/15/15/15/15/15/15 AEINRST/ 0/0 0").unwrap();
        let rules = Arc::new(Embedded.rules("tournament").unwrap());
        Position::new(rules.clone(), cgp.setup(&rules).unwrap()).unwrap()
    }

    fn check(text: &str, expected: &str) {
        let position = position();
        let tiles = &position.rules().tiles;
        let turn = MoveText::parse(text).and_then(|text| text.turn(&position));
        let got = match turn {
            Ok(turn) => write(&turn, position.grid(), tiles),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn a_move_reads_back_what_it_writes() {
        for text in ["8G.CAtER", "H7.NA", "7H.EN", "ex.AEI", "ex.4", "pass"] {
            check(text, text);
        }
        check("h7.NA", "H7.NA");
        check("8g.CATS", "8G.CAtS");
        check("8G.CAtER.AEIRS", "8G.CAtER");
        check("PASS", "pass");
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let syntax =
            "is not a move; moves are like 8D.WORD, D8.WORD, ex.ABC, ex.3, pass, phony.8D.WORD";
        let texts = " . 8D 8D. ex. -AEI ex.0 ex.999 ex.A.B.C 8D.A.B.1.2.3 8D.AB.C.x nonsense";
        for text in texts.split(' ') {
            check(text, &format!("'{text}' {syntax}"));
        }
        check("8D.Z(A)", "'(' in 'Z(A)' is not a tile of english");
        check("16A.ZA", "16A is not on the board of 15 rows and columns");
        check("1O.ZA", "the word runs over the edge of the board");
        check("8G.COT", "8H shows A, the move says O");
        check("rack.AEI", "rack. is only for the end of a list of moves");
    }

    #[test]
    fn a_single_tile_has_one_spelling() {
        let check = |text: &str, expected: &str| {
            let position = position();
            let Ok(Turn::Place(placement)) = MoveText::parse(text).unwrap().turn(&position) else {
                panic!("{text}")
            };
            let turn = Turn::Place(placement.canonical(position.grid()));
            let written = write(&turn, position.grid(), &position.rules().tiles);
            assert_eq!(written, expected);
        };
        check("J8.S", "8G.CAtS");
        check("9H.S", "H8.AS");
        check("H8.AS", "H8.AS");
    }
}
