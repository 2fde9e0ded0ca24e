//! Rearranging: a player permutes the tiles of one word on the board and adds tiles of the rack to
//! it.
//!
//! A run is a row of two or more tiles along a lane that cannot be extended: a whole word. The turn
//! lifts one run, and forms a new word in its lane that covers all of its squares. Under
//! [`RearrangeRule::InPlace`] the lifted tiles go back to squares of the run, in another order.
//! Under [`RearrangeRule::Free`] they may go to any square of the new word that was empty or in the
//! run.

use super::placement::{self, PlayError};
use super::score::Score;
use super::{Placement, RuleSet};
use crate::board::{Grid, Square};
use crate::tiles::{Face, TileCounts};
use crate::units::Points;

/// Whether words on the board can be rearranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RearrangeRule {
    /// They cannot.
    Off,
    /// The tiles of the word stay on its squares.
    InPlace,
    /// The tiles of the word may be spread among all squares of the new word.
    Free,
}

/// A new word that uses the tiles of a run and tiles of the rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rearrangement {
    /// The new word with a tile for every square.
    word: Placement,
    /// The squares of the word whose tiles come from the rack, one bit each, the first square last.
    from_rack: u32,
}

impl Rearrangement {
    /// The new word, which has a tile on every square, on a board; or why it is not a rearrangement
    /// there. Whether it consists of words is not checked.
    pub fn new(rules: &RuleSet, grid: &Grid, word: &Placement) -> Result<Rearrangement, PlayError> {
        let squares = check_squares(rules, grid, word)?;
        let run = changed_run(grid, &squares)?;
        // Tiles of the run go to its own squares first, so that equal tiles have one form.
        let mut lifted: Vec<Face> = run.iter().filter_map(|&at| squares[at].before).collect();
        let mut from_rack = 0_u32;
        let mut use_lifted = |face: Face| {
            let found = lifted.iter().position(|&there| there == face);
            found.map(|at| lifted.swap_remove(at)).is_some()
        };
        let (own, new): (Vec<usize>, Vec<usize>) = (0..squares.len())
            .filter(|at| squares[*at].before.is_none() || run.contains(at))
            .partition(|at| run.contains(at));
        for at in own {
            if !use_lifted(squares[at].after) {
                from_rack |= 1 << at;
            }
        }
        for at in new {
            let is_lifted = rules.rearrange == RearrangeRule::Free && use_lifted(squares[at].after);
            if !is_lifted {
                from_rack |= 1 << at;
            }
        }
        let found = Rearrangement {
            word: *word,
            from_rack,
        };
        match lifted.is_empty() {
            false => Err(PlayError::TilesOfWordLeft),
            true => Ok(found),
        }
    }

    /// The new word, with a tile for every square.
    pub fn word(&self) -> &Placement {
        &self.word
    }

    /// The tiles it takes from the rack.
    pub fn tiles(&self) -> TileCounts {
        self.faces_from_rack().map(Face::tile).collect()
    }

    /// The same tiles with the letters that blanks stand for.
    pub(crate) fn faces_from_rack(&self) -> impl Iterator<Item = Face> + '_ {
        let cells = self.word.cells().iter().enumerate();
        let taken = cells.filter(|(at, _)| self.from_rack >> at & 1 == 1);
        taken.filter_map(|(_, cell)| *cell)
    }

    /// The points on a board for which it was made.
    pub(crate) fn points(&self, rules: &RuleSet, grid: &Grid) -> Points {
        self.score(rules, grid).total()
    }

    /// The words and score on a board for which it was made.
    pub(super) fn score(&self, rules: &RuleSet, grid: &Grid) -> Score {
        let changed = self.word.placed_tiles(grid.side());
        let changed: Vec<(Square, Face)> = changed
            .filter(|&(square, face)| grid.get(square) != Some(face))
            .collect();
        let tiles = self.from_rack.count_ones() as usize;
        Score {
            words: placement::words(rules, grid, &self.word, &changed),
            bonus: rules.bonus.get(tiles).copied().unwrap_or(Points::ZERO),
            edit_words: Vec::new(),
        }
    }
}

/// A square of the new word.
struct CoveredSquare {
    square: Square,
    before: Option<Face>,
    after: Face,
}

/// The squares of the word, if it has a tile on each, covers an empty square, and ends where tiles
/// end.
fn check_squares(
    rules: &RuleSet,
    grid: &Grid,
    word: &Placement,
) -> Result<Vec<CoveredSquare>, PlayError> {
    if rules.rearrange == RearrangeRule::Off {
        return Err(PlayError::NoRearranging);
    }
    let (side, mut squares) = (grid.side(), Vec::new());
    let (lane, at) = word.start().lane(word.axis(), side);
    for (offset, cell) in (0..).zip(word.cells()) {
        let square = lane.get(at + offset).ok_or(PlayError::OffBoard)?;
        if !rules.board.is_usable(square) {
            return Err(PlayError::Unusable(square.name(side)));
        }
        squares.push(CoveredSquare {
            square,
            before: grid.get(square),
            after: cell.ok_or_else(|| PlayError::Gap(square.name(side)))?,
        });
    }
    placement::check_ends(grid, word)?;
    let covered = squares.iter().filter(|it| it.before.is_none()).count();
    match covered {
        0 => Err(PlayError::NoTiles),
        tiles if tiles > rules.rack_size => Err(PlayError::TooManyTiles {
            tiles,
            limit: rules.rack_size,
        }),
        _ => Ok(squares),
    }
}

/// The one run whose tiles change, as places in the word.
fn changed_run(grid: &Grid, squares: &[CoveredSquare]) -> Result<Vec<usize>, PlayError> {
    let is_changed = |it: &CoveredSquare| it.before.is_some_and(|before| before != it.after);
    let first = squares.iter().position(is_changed);
    let first = first.ok_or(PlayError::NothingRearranged)?;
    let is_tile = |at: &usize| squares[*at].before.is_some();
    let before = (0..first).rev().take_while(is_tile);
    let after = (first..squares.len()).take_while(is_tile);
    let run: Vec<usize> = before.chain(after).collect();
    if run.len() < 2 {
        let name = squares[first].square.name(grid.side());
        return Err(PlayError::SingleTile(name));
    }
    let mut changed = (0..squares.len()).filter(|&at| is_changed(&squares[at]));
    match changed.find(|at| !run.contains(at)) {
        Some(at) => Err(PlayError::TwoWordsRearranged(
            squares[at].square.name(grid.side()),
        )),
        None => Ok(run),
    }
}
