//! Moves as one word without spaces: `8D.DJINN`, `H11.MAZEY.AEMYZ??.5`, `ex.ABC`, `ex.4`,
//! `pass`, `pass.AEINRST`, `phony.H11.MAZEY`, `challenge.2`, `rack.AEINRST`,
//! `racks.AEINRST/BCDEFGH`; and where the rules allow it, `8G=O+H6.FARM` and `re.8E.THRONE`.

use super::coordinate::Coordinate;
use crate::board::Grid;
use crate::rules::{Edit, Edits, MAX_EDITS, Placement, PlayError, Position, Rearrangement, Turn};
use crate::tiles::{Face, TileCounts, TileSet, TileTextError};
use crate::units::Points;
use thiserror::Error;

/// The most characters of a faulty text that an error message quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 60;

/// A move as it was written. It may be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A play.
    Place(PlaceText),
    /// A turn that was challenged, and whose changes of the board were taken back.
    Phony(Box<MoveText>),
    /// A new word of the tiles of a word on the board and of the rack.
    Rearrange(PlaceText),
    /// Tiles of the board replaced by tiles of the rack, and then another move.
    Edited {
        /// The replaced tiles in order.
        edits: Vec<EditText>,
        /// The move after that.
        main: Box<MoveText>,
    },
    /// An exchange of known tiles.
    Exchange {
        /// The tiles exchanged.
        tiles: String,
        /// The rack before the exchange, if it is given.
        rack: Option<String>,
    },
    /// An exchange of this number of unknown tiles.
    ExchangeUnseen {
        /// How many.
        count: u8,
        /// The rack before the exchange, if it is given.
        rack: Option<String>,
    },
    /// A pass.
    Pass {
        /// The rack before the pass, if it is given.
        rack: Option<String>,
    },
    /// Not a move but a challenge of the play before it.
    Challenge(ChallengeText),
    /// Not a move but the rack of the player then to move. Only at the end of a list.
    Rack(String),
    /// Not a move but the racks after the moves, by seat; an empty one is unknown. Only at the end of
    /// a list.
    Racks(Vec<String>),
}

/// A replaced tile as it was written: `8G=O`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditText {
    /// The square; its direction does not matter.
    pub square: Coordinate,
    /// The tile of the rack.
    pub tile: String,
}

/// A challenge as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeText {
    /// The seat that challenges, from 1; by default the player to move.
    pub seat: Option<usize>,
    /// The words that are challenged, if they are named.
    pub words: Vec<String>,
}

/// A play as it was written. What its dots mean depends on the board: see [`MoveText::read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceText {
    /// The square and direction of the first letter.
    pub coordinate: Coordinate,
    /// What follows the coordinate, cut at its dots: the word, the rack before the play, the points
    /// that a failed challenge added, and the number of turns that the player to move next lost.
    parts: Vec<String>,
}

/// A move as it reads in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedMove {
    /// The turn. Whether it is legal is not checked.
    pub turn: Turn,
    /// The rack before the move, if it is given.
    pub rack: Option<TileCounts>,
    /// The points that a failed challenge added.
    pub challenge_points: Points,
    /// The number of turns that the player to move next lost by a challenge.
    pub turns_lost: u8,
}

impl MoveText {
    /// Reads a move.
    pub fn parse(text: &str) -> Result<MoveText, MoveError> {
        let syntax = || MoveError::syntax(text);
        if let Some((prefix, turn)) = text.split_once('.')
            && prefix.eq_ignore_ascii_case("phony")
        {
            let turn = MoveText::parse_edited(turn).ok_or_else(syntax)?;
            return match &turn {
                MoveText::Place(_) | MoveText::Rearrange(_) | MoveText::Edited { .. } => {
                    Ok(MoveText::Phony(Box::new(turn)))
                }
                _ => Err(syntax()),
            };
        }
        MoveText::parse_edited(text).ok_or_else(syntax)
    }

    /// Reads a move that may begin with edits.
    fn parse_edited(text: &str) -> Option<MoveText> {
        let Some((edits, main)) = text.rsplit_once('+') else {
            return MoveText::parse_main(text);
        };
        let edit = |text: &str| {
            let (square, tile) = text.split_once('=')?;
            Some(EditText {
                square: Coordinate::parse(square)?,
                tile: tile.to_string(),
            })
        };
        let edits: Option<Vec<EditText>> = edits.split('+').map(edit).collect();
        Some(MoveText::Edited {
            edits: edits?,
            main: Box::new(MoveText::parse_main(main)?),
        })
    }

    /// Reads a move without edits.
    fn parse_main(text: &str) -> Option<MoveText> {
        let parts: Vec<&str> = text.split('.').collect();
        let is = |part: &str, word: &str| part.eq_ignore_ascii_case(word);
        let some = |rack: &[&str]| rack.first().map(|rack| rack.to_string());
        match parts.as_slice() {
            [pass, rack @ ..] if is(pass, "pass") && rack.len() <= 1 => {
                Some(MoveText::Pass { rack: some(rack) })
            }
            [rack, tiles] if is(rack, "rack") => Some(MoveText::Rack(tiles.to_string())),
            [racks, tiles] if is(racks, "racks") => {
                let racks = tiles.split('/').map(str::to_string);
                Some(MoveText::Racks(racks.collect()))
            }
            [ex, tiles, rack @ ..] if is(ex, "ex") && !tiles.is_empty() && rack.len() <= 1 => {
                let rack = some(rack);
                if !tiles.starts_with(|c: char| c.is_ascii_digit()) {
                    let tiles = tiles.to_string();
                    return Some(MoveText::Exchange { tiles, rack });
                }
                let count = tiles.parse::<u8>().ok().filter(|count| *count > 0)?;
                Some(MoveText::ExchangeUnseen { count, rack })
            }
            [challenge, parts @ ..] if is(challenge, "challenge") => {
                ChallengeText::parse(parts).map(MoveText::Challenge)
            }
            [re, place @ ..] if is(re, "re") => PlaceText::parse(place).map(MoveText::Rearrange),
            place => PlaceText::parse(place).map(MoveText::Place),
        }
    }

    /// What it says in a position. Whether the turn is legal is not checked.
    pub fn read(&self, position: &Position) -> Result<StatedMove, MoveError> {
        let tiles = &position.rules().tiles;
        let (turn, rack) = match self {
            MoveText::Place(place) => return place.read(position),
            MoveText::Phony(turn) => return turn.read(position),
            MoveText::Rearrange(place) => return place.read_rearrangement(position),
            MoveText::Edited { edits, main } => return read_edited(edits, main, position),
            MoveText::Exchange {
                tiles: exchanged,
                rack,
            } => (Turn::Exchange(tiles.read_tiles(exchanged)?), rack),
            MoveText::ExchangeUnseen { count, rack } => (Turn::ExchangeUnseen(*count), rack),
            MoveText::Pass { rack } => (Turn::Pass, rack),
            MoveText::Challenge(_) => return Err(MoveError::ChallengeNotInList),
            MoveText::Rack(_) | MoveText::Racks(_) => return Err(MoveError::RackNotLast),
        };
        let rack = read_rack(rack.as_deref(), tiles)?;
        Ok(StatedMove {
            turn,
            rack,
            challenge_points: Points::ZERO,
            turns_lost: 0,
        })
    }

    /// The turn that it describes in a position. Whether the turn is legal is not checked.
    pub fn turn(&self, position: &Position) -> Result<Turn, MoveError> {
        self.read(position).map(|stated| stated.turn)
    }
}

/// A rack that a move may give; an empty one counts as not given.
fn read_rack(text: Option<&str>, tiles: &TileSet) -> Result<Option<TileCounts>, MoveError> {
    let text = text.filter(|text| !text.is_empty());
    Ok(text.map(|text| tiles.read_tiles(text)).transpose()?)
}

impl ChallengeText {
    fn parse(parts: &[&str]) -> Option<ChallengeText> {
        let seat = parts.first().and_then(|part| part.parse().ok());
        let words = &parts[usize::from(seat.is_some())..];
        words
            .iter()
            .all(|word| !word.is_empty())
            .then(|| ChallengeText {
                seat,
                words: words.iter().map(|word| word.to_string()).collect(),
            })
    }
}

/// What a turn with edits says in a position: each edit on the board after the one before it, and
/// the main action on the board after all of them.
fn read_edited(
    edits: &[EditText],
    main: &MoveText,
    position: &Position,
) -> Result<StatedMove, MoveError> {
    let (mut grid, side) = (position.grid().clone(), position.grid().side());
    let mut list = Edits::NONE;
    for EditText { square: at, tile } in edits {
        let off_board = || MoveError::OffBoard {
            coordinate: at.to_string(),
            side,
        };
        let square = at.square(side).ok_or_else(off_board)?;
        let faces = position.rules().tiles.read_faces(tile)?;
        let (&[new], Some(old)) = (faces.as_slice(), grid.get(square)) else {
            return Err(match faces.len() {
                1 => PlayError::NothingToReplace(square.name(side)).into(),
                _ => MoveError::syntax(&format!("{at}={tile}")),
            });
        };
        let edit = Edit { square, old, new };
        list = list.with(edit).ok_or(MoveError::TooManyEdits)?;
        grid.set(square, Some(new));
    }
    let stated = main.read(&position.with_board(grid))?;
    Ok(StatedMove {
        turn: stated
            .turn
            .after_edits(&list)
            .ok_or(MoveError::TooManyEdits)?,
        ..stated
    })
}

impl PlaceText {
    fn parse(parts: &[&str]) -> Option<PlaceText> {
        let [coordinate, rest @ ..] = parts else {
            return None;
        };
        let coordinate = Coordinate::parse(coordinate)?;
        let has_letters = rest.iter().any(|part| !part.is_empty());
        has_letters.then(|| PlaceText {
            coordinate,
            parts: rest.iter().map(|part| part.to_string()).collect(),
        })
    }

    /// What it says in a position.
    ///
    /// A dot whose square holds a tile stands for that tile, as other programs write it. Any other
    /// dot ends the word. If the word would then be no word of this board or place more tiles than
    /// a rack holds, all dots are separators: somebody wrote `word.rack` and left out the end of
    /// the word.
    fn read(&self, position: &Position) -> Result<StatedMove, MoveError> {
        let fits = |stated: &StatedMove| match &stated.turn {
            Turn::Place(placement) => placement.tiles().len() <= position.rules().rack_size,
            _ => true,
        };
        let through = self.parts_of_word(position);
        match self.read_word(through, position) {
            Ok(stated) if fits(&stated) => Ok(stated),
            _ => self.read_word(1, position),
        }
    }

    /// What it says in a position as a rearrangement: the first part is the whole new word, with
    /// lower-case letters for blanks.
    fn read_rearrangement(&self, position: &Position) -> Result<StatedMove, MoveError> {
        let (grid, rules) = (position.grid(), position.rules());
        let stated = |word: &str| -> Result<Turn, MoveError> {
            let faces = rules.tiles.read_faces(word)?;
            let cells: Vec<Option<Face>> = faces.into_iter().map(Some).collect();
            let off_board = || MoveError::OffBoard {
                coordinate: self.coordinate.to_string(),
                side: grid.side(),
            };
            let start = self.coordinate.square(grid.side()).ok_or_else(off_board)?;
            let word = Placement::new(start, self.coordinate.axis, &cells).ok_or_else(off_board)?;
            let found = Rearrangement::new(rules, grid, &word)?;
            Ok(Turn::Rearrange(found))
        };
        self.with_rest(stated(&self.parts[0])?, &self.parts[1..], position)
    }

    /// The number of parts that belong to the word if a dot whose square holds a tile stands for
    /// that tile.
    fn parts_of_word(&self, position: &Position) -> usize {
        let (grid, side) = (position.grid(), position.grid().side());
        let Some(start) = self.coordinate.square(side) else {
            return 1;
        };
        let (lane, at) = start.lane(self.coordinate.axis, side);
        let mut squares = lane.onwards(at);
        let mut count = 0;
        for part in &self.parts {
            count += 1;
            let letters = position.rules().tiles.read_faces(part);
            let letters = letters.map_or(0, |letters| letters.len());
            let square_of_dot = squares.nth(letters);
            if square_of_dot.is_none_or(|square| grid.get(square).is_none()) {
                break;
            }
        }
        count
    }

    /// What it says if the first `count` parts are the word, with a tile of the board between two
    /// of them.
    fn read_word(&self, count: usize, position: &Position) -> Result<StatedMove, MoveError> {
        let (word, rest) = self.parts.split_at(count);
        if word == [""] {
            return Err(self.syntax());
        }
        let turn = Turn::Place(self.placement(word, position)?);
        self.with_rest(turn, rest, position)
    }

    /// A turn with what follows its word: rack, points of a challenge, lost turns.
    fn with_rest(
        &self,
        turn: Turn,
        rest: &[String],
        position: &Position,
    ) -> Result<StatedMove, MoveError> {
        if rest.len() > 3 {
            return Err(self.syntax());
        }
        let part = |at: usize| rest.get(at).map_or("0", String::as_str);
        Ok(StatedMove {
            turn,
            rack: read_rack(rest.first().map(String::as_str), &position.rules().tiles)?,
            challenge_points: part(1).parse().map_err(|_| self.syntax())?,
            turns_lost: part(2).parse().map_err(|_| self.syntax())?,
        })
    }

    fn syntax(&self) -> MoveError {
        MoveError::syntax(&format!("{}.{}", self.coordinate, self.parts.join(".")))
    }

    /// The tiles that the parts of a word place on the board of a position. Where a tile lies
    /// already, the move must name its letter; the case may differ, because people do not remember
    /// which tiles are blanks.
    fn placement(&self, word: &[String], position: &Position) -> Result<Placement, MoveError> {
        let (grid, side) = (position.grid(), position.grid().side());
        let off_board = || MoveError::OffBoard {
            coordinate: self.coordinate.to_string(),
            side,
        };
        let start = self.coordinate.square(side).ok_or_else(off_board)?;
        let mut letters = Vec::new();
        for (at, part) in word.iter().enumerate() {
            // A part after a dot: the dot stands for the tile on its square.
            letters.extend((at > 0).then_some(None));
            let faces = position.rules().tiles.read_faces(part)?;
            letters.extend(faces.into_iter().map(Some));
        }
        let (lane, at) = start.lane(self.coordinate.axis, side);
        if letters.len() > usize::from(lane.len() - at) {
            return Err(PlayError::OffBoard.into());
        }
        let mut cells = Vec::with_capacity(letters.len());
        for (square, letter) in lane.onwards(at).zip(letters) {
            cells.push(match (grid.get(square), letter) {
                (None, face) => face,
                (Some(_), None) => None,
                (Some(there), Some(face)) if there.letter() == face.letter() => None,
                (Some(there), Some(face)) => {
                    let text = |face| position.rules().tiles.face_text(face);
                    return Err(MoveError::Contradicts {
                        square: square.name(side),
                        shows: text(there),
                        says: text(face),
                    });
                }
            });
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
        Turn::Rearrange(rearrangement) => {
            let word = rearrangement.word();
            let coordinate = Coordinate::of(word.start(), word.axis(), grid.side());
            let letters = word.faces().map(|face| tiles.face_text(face));
            format!("re.{coordinate}.{}", letters.collect::<String>())
        }
        Turn::Edited(edited) => {
            let edit = |edit: Edit| {
                let square = edit.square.name(grid.side());
                format!("{square}={}+", tiles.face_text(edit.new))
            };
            let edits: String = edited.edits().iter().map(edit).collect();
            let after = edited.edits().board_after(grid);
            format!("{edits}{}", write(&edited.main(), &after, tiles))
        }
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
        turn.change_board(&mut grid);
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

impl MoveError {
    fn syntax(text: &str) -> MoveError {
        MoveError::Syntax(text.chars().take(MAX_QUOTED_CHARS).collect())
    }
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It has none of the forms of a move.
    #[error(
        "'{0}' is not a move; moves are like 8D.WORD, D8.WORD, ex.ABC, ex.3, pass, phony.8D.WORD, challenges like challenge.2, and racks like rack.ABC"
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
    /// More edits than a turn can have.
    #[error("the turn replaces too many tiles, the limit is {MAX_EDITS}")]
    TooManyEdits,
    /// A challenge in place of a move.
    #[error("a challenge is not a move; it can only follow a play in a list of moves")]
    ChallengeNotInList,
    /// A rack in place of a move.
    #[error("racks can only stand at the end of a list of moves")]
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
    fn a_dot_stands_for_a_letter_that_is_run_through() {
        for (text, expected) in [
            ("8F.S..TN", "8F.SCAtN"),
            ("8F.S...E", "8F.SCAtE"),
            ("8G...tS", "8G.CAtS"),
            ("8G....S", "8G.CAtS"),
            ("H7.N.", "H7.NA"),
            ("H7.N.E", "H7.NAE"),
            ("H7.N.E.EN.5", "H7.NAE"),
            ("H7.NA.ANE", "H7.NA"),
        ] {
            check(text, expected);
        }
        // Dots separate the parts of the move where the squares are empty, and where the word would
        // place more tiles than a rack holds.
        let stated = |text: &str| MoveText::parse(text).unwrap().read(&position()).unwrap();
        let rack = |tiles: &str| Some(position().rules().tiles.read_tiles(tiles).unwrap());
        assert_eq!(stated("H7.N.E.EN.5").rack, rack("EN"));
        assert_eq!(stated("H7.N.E.EN.5").challenge_points, Points(5));
        assert_eq!(stated("H7.N.E").rack, None);
        assert_eq!(stated("H7.N.AEINRST").rack, rack("AEINRST"));
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let syntax = "is not a move; moves are like 8D.WORD, D8.WORD, ex.ABC, ex.3, pass, phony.8D.WORD, challenges like challenge.2, and racks like rack.ABC";
        let texts = " . 8D 8D. ex. -AEI ex.0 ex.999 ex.A.B.C 8D.A.B.1.2.3 8D.AB.C.x nonsense";
        for text in texts.split(' ') {
            check(text, &format!("'{text}' {syntax}"));
        }
        check("8D.Z(A)", "'(' in 'Z(A)' is not a tile of english");
        check("16A.ZA", "16A is not on the board of 15 rows and columns");
        check("1O.ZA", "the word runs over the edge of the board");
        check("8G.COT", "8H shows A, the move says O");
        check(
            "rack.AEI",
            "racks can only stand at the end of a list of moves",
        );
        check(
            "racks.AEI/",
            "racks can only stand at the end of a list of moves",
        );
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
