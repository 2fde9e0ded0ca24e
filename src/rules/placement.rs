//! Turns, and whether tiles may be placed as a turn says.

use super::RuleSet;
use super::score::{LetterScore, Score, WordScore};
use crate::board::{Axis, Grid, Lane, MAX_SIDE, Square};
use crate::tiles::{Face, TileCounts};
use crate::units::Points;
use std::fmt;

/// What a player can do with a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Place tiles on the board.
    Place(Placement),
    /// Put these tiles back and draw as many.
    Exchange(TileCounts),
    /// Put back so many tiles that nobody else saw, and draw as many.
    ExchangeUnseen(u8),
    /// Do nothing.
    Pass,
}

/// Tiles placed along a lane: from the first to the last square of the word
/// they make there, with a gap wherever a tile on the board shows through.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    start: Square,
    axis: Axis,
    len: u8,
    cells: [Option<Face>; MAX_SIDE as usize],
}

impl Placement {
    /// A placement that starts on `start`; `None` if it is longer than any board.
    pub fn new(start: Square, axis: Axis, cells: &[Option<Face>]) -> Option<Placement> {
        let mut placement = Placement {
            start,
            axis,
            len: cells.len() as u8,
            cells: [None; MAX_SIDE as usize],
        };
        placement
            .cells
            .get_mut(..cells.len())?
            .copy_from_slice(cells);
        Some(placement)
    }

    /// [`Placement::new`] for those who keep boards as bytes and know that it
    /// is not too long: whatever is, is left out.
    pub(crate) fn from_bytes(start: Square, axis: Axis, bytes: &[u8]) -> Placement {
        let len = bytes.len().min(MAX_SIDE.into());
        let mut cells = [None; MAX_SIDE as usize];
        for (cell, byte) in cells.iter_mut().zip(bytes) {
            *cell = Face::from_byte(*byte);
        }
        Placement {
            start,
            axis,
            len: len as u8,
            cells,
        }
    }

    /// The first square of the word.
    pub fn start(&self) -> Square {
        self.start
    }

    /// Its direction.
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// What is placed on each square of the word; `None` where the board's own tile shows.
    pub fn cells(&self) -> &[Option<Face>] {
        &self.cells[..usize::from(self.len)]
    }

    /// The tiles placed.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        self.cells().iter().filter_map(|cell| *cell)
    }

    /// The tiles it takes from the rack.
    pub fn tiles(&self) -> TileCounts {
        self.faces().map(Face::tile).collect()
    }

    /// Where each tile goes, on a board `side` squares wide.
    pub fn placed_tiles(&self, side: u8) -> impl Iterator<Item = (Square, Face)> + '_ {
        let (lane, at) = self.start.lane(self.axis, side);
        lane.onwards(at)
            .zip(self.cells())
            .filter_map(|(square, cell)| Some((square, (*cell)?)))
    }

    /// The one way to write it on this grid where there are two: a single
    /// tile that makes words both ways runs across, and one that makes a word
    /// only the other way is turned.
    pub fn canonical(&self, grid: &Grid) -> Placement {
        let mut placed = self.placed_tiles(grid.side());
        let (Some((square, face)), None) = (placed.next(), placed.next()) else {
            return *self;
        };
        for axis in Axis::BOTH {
            let run = grid.run(square, axis);
            if run.len() > 1 {
                let cells: Vec<_> = run
                    .iter()
                    .map(|&(at, _)| (at == square).then_some(face))
                    .collect();
                return Placement::new(run[0].0, axis, &cells).unwrap_or(*self);
            }
        }
        *self
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "Placement({} {:?} {:?})",
            self.start.index(),
            self.axis,
            self.cells()
        )
    }
}

/// What a placement forms and scores on a grid, or why it cannot be made
/// there. Whose tiles they are is not asked.
pub(super) fn examine(
    rules: &RuleSet,
    grid: &Grid,
    placement: &Placement,
) -> Result<Score, PlayError> {
    let side = grid.side();
    let (lane, at) = placement.start.lane(placement.axis, side);
    fits(rules, grid, placement, lane, at)?;
    let mut after = grid.clone();
    for (square, face) in placement.placed_tiles(side) {
        after.set(square, Some(face));
    }
    connects(rules, grid, placement)?;
    let word = |square, axis| word(rules, grid, &after, square, axis);
    let main = word(placement.start, placement.axis);
    let across = placement
        .placed_tiles(side)
        .filter_map(|(square, _)| word(square, placement.axis.other()));
    let words: Vec<WordScore> = main.into_iter().chain(across).collect();
    if words.is_empty() {
        return Err(PlayError::NoWord);
    }
    Ok(Score {
        words,
        bonus: rules
            .bonus
            .get(placement.faces().count())
            .copied()
            .unwrap_or(Points::ZERO),
    })
}

/// Each tile on a free square, each gap over a tile, and the word ends where the placement says.
fn fits(
    rules: &RuleSet,
    grid: &Grid,
    placement: &Placement,
    lane: Lane,
    at: u8,
) -> Result<(), PlayError> {
    let name = |square: Square| square.name(grid.side());
    for (offset, cell) in (0..).zip(placement.cells()) {
        let square = lane.get(at + offset).ok_or(PlayError::OffBoard)?;
        match (cell, grid.get(square)) {
            (Some(_), Some(_)) => return Err(PlayError::Occupied(name(square))),
            (None, None) => return Err(PlayError::Gap(name(square))),
            _ if !rules.board.is_usable(square) => return Err(PlayError::Unusable(name(square))),
            _ => {}
        }
    }
    match placement.faces().count() {
        0 => return Err(PlayError::NoTiles),
        tiles if tiles > rules.rack_size => {
            let limit = rules.rack_size;
            return Err(PlayError::TooManyTiles { tiles, limit });
        }
        _ => {}
    }
    let before = at.checked_sub(1).and_then(|before| lane.get(before));
    let after = lane.get(at + placement.len);
    match before
        .into_iter()
        .chain(after)
        .find(|&square| grid.get(square).is_some())
    {
        Some(square) => Err(PlayError::RunsOn(name(square))),
        None => Ok(()),
    }
}

/// The first play covers the start square with enough letters; any other touches a tile.
fn connects(rules: &RuleSet, grid: &Grid, placement: &Placement) -> Result<(), PlayError> {
    let mut placed = placement.placed_tiles(grid.side());
    if grid.is_empty() {
        let letters = placement.cells().len();
        if letters < rules.first_word_min {
            return Err(PlayError::FirstTooShort {
                letters,
                limit: rules.first_word_min,
            });
        }
        if !placed.any(|(square, _)| square == rules.board.start()) {
            return Err(PlayError::MissesStart(
                rules.board.start().name(grid.side()),
            ));
        }
        return Ok(());
    }
    let through = placement.cells().contains(&None);
    if through || placed.any(|(square, _)| grid.has_neighbour(square)) {
        Ok(())
    } else {
        Err(PlayError::Apart)
    }
}

/// The word through `square` after a placement, with what each letter of it scores; one letter alone is none.
fn word(
    rules: &RuleSet,
    before: &Grid,
    after: &Grid,
    square: Square,
    axis: Axis,
) -> Option<WordScore> {
    let run = after.run(square, axis);
    if run.len() < 2 {
        return None;
    }
    let mut word = WordScore {
        axis,
        letters: Vec::with_capacity(run.len()),
        factor: 1,
    };
    for (square, face) in run {
        let (face, premium) = (face?, rules.board.premium(square));
        let fresh = before.get(square).is_none();
        // Premiums count only on the turn a tile is placed.
        let factor = if fresh { premium.letter_factor() } else { 1 };
        word.factor *= if fresh { premium.word_factor() } else { 1 };
        word.letters.push(LetterScore {
            square,
            face,
            value: rules.tiles.value(face.tile()),
            factor,
            fresh,
        });
    }
    Some(word)
}

/// Why a turn cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    GameOver,
    /// It runs over the edge.
    OffBoard,
    /// It covers a square that cannot be used.
    Unusable(String),
    /// A tile lies there already.
    Occupied(String),
    /// No tile is placed there and none lies there.
    Gap(String),
    /// It places nothing.
    NoTiles,
    /// It places more tiles than a rack holds.
    TooManyTiles {
        /// How many.
        tiles: usize,
        /// How many a rack holds.
        limit: usize,
    },
    /// The word does not end there: a tile lies beside it.
    RunsOn(String),
    /// The first play does not cover the start square.
    MissesStart(String),
    /// The first word is too short.
    FirstTooShort {
        /// The letters it has.
        letters: usize,
        /// The fewest it may have.
        limit: usize,
    },
    /// It touches no tile.
    Apart,
    /// One tile that makes no word of two letters.
    NoWord,
    /// The player does not hold this tile, or not so often.
    NotHeld {
        /// The tile.
        tile: String,
        /// What the player is known to hold.
        rack: String,
    },
    /// An exchange of nothing, or of more than the player holds.
    ExchangeSize {
        /// How many.
        tiles: usize,
        /// The most it could be.
        limit: usize,
    },
    /// The bag holds too few tiles to exchange.
    ExchangeClosed {
        /// Tiles in the bag.
        bag: usize,
        /// Tiles it must hold.
        limit: usize,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PlayError::GameOver => write!(f, "the game is over"),
            PlayError::OffBoard => write!(f, "the word runs over the edge of the board"),
            PlayError::Unusable(square) => write!(f, "{square} is an unusable square"),
            PlayError::Occupied(square) => write!(f, "{square} is occupied"),
            PlayError::Gap(square) => write!(f, "{square} would stay empty"),
            PlayError::NoTiles => write!(f, "the play places no tile"),
            PlayError::TooManyTiles { tiles, limit } => {
                write!(f, "the play places {tiles} tiles, a rack holds {limit}")
            }
            PlayError::RunsOn(square) => write!(
                f,
                "the word runs on over the tile on {square}; name the whole word"
            ),
            PlayError::MissesStart(square) => write!(f, "the first play must cover {square}"),
            PlayError::FirstTooShort { letters, limit } => {
                write!(
                    f,
                    "the first word has {letters} letters, it must have at least {limit}"
                )
            }
            PlayError::Apart => write!(f, "the play touches no tile on the board"),
            PlayError::NoWord => write!(f, "the play makes no word of two or more letters"),
            PlayError::NotHeld { tile, rack } => {
                let tile = if tile == "?" {
                    "a blank (a small letter)"
                } else {
                    tile
                };
                match rack.as_str() {
                    "" => write!(f, "the player cannot hold {tile}: none is left"),
                    rack => write!(f, "{tile} is not on the rack {rack}, or not so often"),
                }
            }
            PlayError::ExchangeSize { tiles, limit } => {
                write!(
                    f,
                    "{tiles} tiles to exchange, the limits are 1 and the {limit} held"
                )
            }
            PlayError::ExchangeClosed { bag, limit } => {
                write!(f, "the bag holds {bag} tiles, this exchange needs {limit}")
            }
        }
    }
}

impl std::error::Error for PlayError {}
