//! Turns, and whether a placement of tiles is legal.

use super::RuleSet;
use super::edits::EditedTurn;
use super::rearrange::Rearrangement;
use super::score::{LetterScore, Score, WordScore};
use crate::board::{Axis, Grid, Lane, MAX_SIDE, Square};
use crate::tiles::{Face, Tile, TileCounts};
use crate::units::Points;
use std::fmt;

/// A turn of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Place tiles on the board.
    Place(Placement),
    /// Put these tiles back into the bag and draw as many.
    Exchange(TileCounts),
    /// An exchange of this number of tiles that are not known.
    ExchangeUnseen(u8),
    /// Place and exchange nothing.
    Pass,
    /// Rearrange a word on the board and add tiles to it, where the rules allow it.
    Rearrange(Rearrangement),
    /// Replace single tiles on the board, where the rules allow it; then one of the above.
    Edited(EditedTurn),
}

impl Turn {
    /// The tiles that the turn takes from the rack, without those that its own edits put there.
    pub fn tiles_from_rack(&self) -> TileCounts {
        self.tiles_taken(true)
    }

    /// The tiles of [`Turn::tiles_from_rack`] that opponents see on the board: exchanged tiles stay
    /// face down.
    pub fn tiles_shown(&self) -> TileCounts {
        self.tiles_taken(false)
    }

    fn tiles_taken(&self, with_exchanged: bool) -> TileCounts {
        let (edits, main) = self.parts();
        let (mut shown, mut gained) = (TileCounts::EMPTY, TileCounts::EMPTY);
        let mut take = |tile: Tile, gained: &mut TileCounts| {
            if !gained.take(tile) {
                shown.add(tile);
            }
        };
        for edit in edits.iter() {
            take(edit.new.tile(), &mut gained);
            gained.add(edit.old.tile());
        }
        let taken = match main {
            Turn::Place(placement) => placement.tiles(),
            Turn::Rearrange(rearrangement) => rearrangement.tiles(),
            Turn::Exchange(tiles) if with_exchanged => tiles,
            Turn::Exchange(_) | Turn::ExchangeUnseen(_) | Turn::Pass | Turn::Edited(_) => {
                TileCounts::EMPTY
            }
        };
        taken.iter().for_each(|tile| take(tile, &mut gained));
        shown
    }

    /// Makes its changes to a board.
    pub(crate) fn change_board(&self, grid: &mut Grid) {
        let (edits, main) = self.parts();
        let side = grid.side();
        let tiles: Vec<(Square, Face)> = match &main {
            Turn::Place(placement) => placement.placed_tiles(side).collect(),
            Turn::Rearrange(rearrangement) => rearrangement.word().placed_tiles(side).collect(),
            _ => Vec::new(),
        };
        let edited = edits.iter().map(|edit| (edit.square, edit.new));
        for (square, face) in edited.chain(tiles) {
            grid.set(square, Some(face));
        }
    }

    /// The tiles that it places on the board from the rack, edits not counted.
    pub fn placed_from_rack(&self) -> usize {
        match self.parts().1 {
            Turn::Place(placement) => placement.faces().count(),
            Turn::Rearrange(rearrangement) => rearrangement.tiles().len(),
            _ => 0,
        }
    }

    /// The spelling of the turn that the engine writes; see [`Placement::canonical`].
    pub(crate) fn canonical(&self, grid: &Grid) -> Turn {
        let (edits, main) = self.parts();
        let main = match main {
            Turn::Place(placement) => Turn::Place(placement.canonical(grid)),
            main => main,
        };
        main.after_edits(&edits).unwrap_or(*self)
    }

    /// Whether it changes the board.
    pub fn changes_board(&self) -> bool {
        matches!(self, Turn::Place(_) | Turn::Rearrange(_) | Turn::Edited(_))
    }

    /// Whether it is a pass, after edits or without.
    pub fn is_pass(&self) -> bool {
        self.parts().1 == Turn::Pass
    }
}

/// Tiles placed along a lane, from the first to the last square of the word that they form there,
/// with a gap for each tile that is on the board already.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    start: Square,
    axis: Axis,
    len: u8,
    cells: [Option<Face>; MAX_SIDE as usize],
}

impl Placement {
    /// A placement that starts on `start`; `None` if it is longer than the largest board.
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

    /// [`Placement::new`] from a board that is kept as bytes. Squares beyond the length of the
    /// largest board are ignored.
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

    /// The tile placed on each square of the word; `None` where the board has a tile already.
    pub fn cells(&self) -> &[Option<Face>] {
        &self.cells[..usize::from(self.len)]
    }

    /// The tiles placed, with the letters that blanks stand for.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        self.cells().iter().filter_map(|cell| *cell)
    }

    /// The tiles it takes from the rack.
    pub fn tiles(&self) -> TileCounts {
        self.faces().map(Face::tile).collect()
    }

    /// The square of each tile placed, on a board `side` squares wide.
    pub fn placed_tiles(&self, side: u8) -> impl Iterator<Item = (Square, Face)> + '_ {
        let (lane, at) = self.start.lane(self.axis, side);
        lane.onwards(at)
            .zip(self.cells())
            .filter_map(|(square, cell)| Some((square, (*cell)?)))
    }

    /// The canonical form of a placement of one tile, which could be given in both directions: if
    /// it forms a word across, it runs across, otherwise down.
    pub(crate) fn canonical(&self, grid: &Grid) -> Placement {
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

/// The words and score of a placement on a grid, or why it is not legal there. It does not matter
/// who holds the tiles.
pub(super) fn examine(
    rules: &RuleSet,
    grid: &Grid,
    placement: &Placement,
) -> Result<Score, PlayError> {
    let side = grid.side();
    let (lane, at) = placement.start.lane(placement.axis, side);
    check_squares(rules, grid, placement, lane, at)?;
    check_connection(rules, grid, placement)?;
    let placed: Vec<(Square, Face)> = placement.placed_tiles(side).collect();
    let words = words(rules, grid, placement, &placed);
    if words.is_empty() {
        return Err(PlayError::NoWord);
    }
    Ok(Score {
        words,
        edit_words: Vec::new(),
        bonus: rules
            .bonus
            .get(placement.faces().count())
            .copied()
            .unwrap_or(Points::ZERO),
    })
}

/// The word along a placement, and the words across it through each square that changes. Tiles on
/// squares that were empty count their premiums.
pub(super) fn words(
    rules: &RuleSet,
    grid: &Grid,
    placement: &Placement,
    changed: &[(Square, Face)],
) -> Vec<WordScore> {
    let mut after = grid.clone();
    for &(square, face) in changed {
        after.set(square, Some(face));
    }
    let word = |square, axis| word(rules, grid, &after, square, axis);
    let main = word(placement.start, placement.axis);
    let across = placement.axis.other();
    let cross_words = changed
        .iter()
        .filter_map(|&(square, _)| word(square, across));
    main.into_iter().chain(cross_words).collect()
}

/// Checks that each tile is on a free square, each gap on a tile, and that the word ends where the
/// placement says.
fn check_squares(
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
    check_ends(grid, placement)
}

/// Checks that no tile lies before the first square of a placement or after its last.
pub(super) fn check_ends(grid: &Grid, placement: &Placement) -> Result<(), PlayError> {
    let (lane, at) = placement.start.lane(placement.axis, grid.side());
    let before = at.checked_sub(1).and_then(|before| lane.get(before));
    let after = lane.get(at + placement.len);
    match before
        .into_iter()
        .chain(after)
        .find(|&square| grid.get(square).is_some())
    {
        Some(square) => Err(PlayError::RunsOn(square.name(grid.side()))),
        None => Ok(()),
    }
}

/// Checks that the first play is long enough and covers the start square, and that any other play
/// touches a tile.
fn check_connection(rules: &RuleSet, grid: &Grid, placement: &Placement) -> Result<(), PlayError> {
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

/// The word through `square` after a placement, with the score of each letter; `None` for a single
/// letter.
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
        // Premium squares count only in the turn that covers them.
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

/// Why a turn is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The word runs over the edge.
    #[error("the word runs over the edge of the board")]
    OffBoard,
    /// A tile on an unusable square.
    #[error("{0} is an unusable square")]
    Unusable(String),
    /// A tile on a square that has one already.
    #[error("{0} is occupied")]
    Occupied(String),
    /// A gap on a square without a tile.
    #[error("no tile lies on {0} to play through; name the tile that is placed there")]
    Gap(String),
    /// The placement has no tiles.
    #[error("the play places no tile")]
    NoTiles,
    /// The placement has more tiles than a rack.
    #[error("the play places {tiles} tiles, a rack holds {limit}")]
    TooManyTiles {
        /// The tiles of the placement.
        tiles: usize,
        /// The tiles of a rack.
        limit: usize,
    },
    /// The word does not end there, because a tile is next to it.
    #[error("the word runs on over the tile on {0}; name the whole word")]
    RunsOn(String),
    /// The first play does not cover the start square.
    #[error("the first play must cover {0}")]
    MissesStart(String),
    /// The first word is too short.
    #[error("the first word has {letters} letter{}, it must have at least {limit}", if *letters == 1 { "" } else { "s" })]
    FirstTooShort {
        /// The letters of the word.
        letters: usize,
        /// The fewest letters allowed.
        limit: usize,
    },
    /// The play touches no tile.
    #[error("the play touches no tile on the board")]
    Apart,
    /// The play forms no word of two or more letters.
    #[error("the play makes no word of two or more letters")]
    NoWord,
    /// The player does not hold these tiles, or not often enough.
    #[error("{}", not_held_text(.tiles, .rack))]
    NotHeld {
        /// The tiles that the player lacks.
        tiles: String,
        /// The known tiles of the rack.
        rack: String,
    },
    /// An edit of a square without a tile, or with another tile than the edit says.
    #[error("{0} has no tile to replace")]
    NothingToReplace(String),
    /// An edit that keeps the letter, although it recycles no blank or the rules do not allow it.
    #[error(
        "{0} shows this letter already; under recycle_blanks a blank can be replaced by its letter"
    )]
    SameLetter(String),
    /// An edit that changes the letter, which the rules do not allow.
    #[error("{0} shows another letter; only recycle_letters allows to change it")]
    OtherLetter(String),
    /// An edit after which the board is as it was before in this turn.
    #[error("the edit of {0} makes a board again that this turn had before")]
    RepeatedBoard(String),
    /// Rearranging, which the rules do not allow.
    #[error("the rules have no rearranging")]
    NoRearranging,
    /// A rearrangement that changes no tile.
    #[error("no tile of the board changes its place: write it as a play, without 're.'")]
    NothingRearranged,
    /// A rearrangement that changes a tile which is not part of a word in its line.
    #[error("{0} is not part of a word in this line that could be rearranged")]
    SingleTile(String),
    /// A rearrangement of more than one word.
    #[error("only one word can be rearranged; {0} belongs to another")]
    TwoWordsRearranged(String),
    /// A rearrangement that loses tiles of the word.
    #[error("the new word does not use all tiles of the old one where the rules allow them")]
    TilesOfWordLeft,
    /// An exchange of no tiles, or of more than the player holds.
    #[error("{}", exchange_size_text(*.tiles, *.limit))]
    ExchangeSize {
        /// The tiles to exchange.
        tiles: usize,
        /// The tiles on the rack.
        limit: usize,
    },
    /// The bag holds too few tiles for the exchange.
    #[error("the bag holds {bag} tiles, this exchange needs {limit}")]
    ExchangeClosed {
        /// The tiles in the bag.
        bag: usize,
        /// The tiles it must hold.
        limit: usize,
    },
}

fn exchange_size_text(tiles: usize, limit: usize) -> String {
    match tiles {
        0 => "no tiles to exchange, the limit is 1; without one it is a pass".to_string(),
        tiles => format!(
            "{tiles} tiles to exchange, the limit is {limit}, as many as the player holds; exchange fewer"
        ),
    }
}

fn not_held_text(tiles: &str, rack: &str) -> String {
    let blank = match tiles.contains('?') {
        true => " (? is a blank, in a play a lower-case letter)",
        false => "",
    };
    match rack {
        "" => format!("the player cannot hold {tiles}{blank}: too few are left"),
        rack => format!("the rack {rack} lacks {tiles}{blank}"),
    }
}
