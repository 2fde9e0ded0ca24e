//! Edits: single tiles of the board that a player replaces by tiles of the rack before the main
//! action of a turn. Two variations have them: blank recycling and letter recycling.
//!
//! An edit scores nothing and draws nothing. The tile that was on the board goes to the rack.

use super::placement::{PlayError, Turn};
use super::rearrange::Rearrangement;
use super::{Placement, RuleSet};
use crate::board::{Axis, Grid, Square};
use crate::tiles::{Face, Letter, TileCounts};
use std::fmt;

/// The most edits of one turn. Chosen by hand: more than anybody makes, and few enough to keep turns
/// small.
pub const MAX_EDITS: usize = 12;

/// A tile on the board replaced by a tile of the rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    /// The square.
    pub square: Square,
    /// The tile that goes from the board to the rack.
    pub old: Face,
    /// The tile that goes from the rack to the board.
    pub new: Face,
}

/// The edits of a turn, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edits {
    len: u8,
    list: [Option<Edit>; MAX_EDITS],
}

impl Edits {
    /// No edits.
    pub const NONE: Edits = Edits {
        len: 0,
        list: [None; MAX_EDITS],
    };

    /// These edits and one more; `None` if there are too many.
    #[must_use]
    pub fn with(mut self, edit: Edit) -> Option<Edits> {
        *self.list.get_mut(usize::from(self.len))? = Some(edit);
        self.len += 1;
        Some(self)
    }

    /// The edits in order.
    pub fn iter(&self) -> impl Iterator<Item = Edit> + '_ {
        self.list.iter().flatten().copied()
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The board after the edits.
    pub fn board_after(&self, grid: &Grid) -> Grid {
        let mut after = grid.clone();
        for edit in self.iter() {
            after.set(edit.square, Some(edit.new));
        }
        after
    }

    /// The rack after the edits. Tiles that it lacks are not counted.
    pub fn rack_after(&self, rack: &TileCounts) -> TileCounts {
        let mut after = *rack;
        for edit in self.iter() {
            after.take(edit.new.tile());
            after.add(edit.old.tile());
        }
        after
    }
}

impl fmt::Debug for Edits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A turn that begins with edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EditedTurn {
    edits: Edits,
    main: MainAction,
}

/// What follows the edits: a [`Turn`] without edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum MainAction {
    Place(Placement),
    Rearrange(Rearrangement),
    Exchange(TileCounts),
    ExchangeUnseen(u8),
    Pass,
}

impl EditedTurn {
    /// The edits.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The main action, which is made on the board after the edits.
    pub fn main(&self) -> Turn {
        match self.main {
            MainAction::Place(placement) => Turn::Place(placement),
            MainAction::Rearrange(rearrangement) => Turn::Rearrange(rearrangement),
            MainAction::Exchange(tiles) => Turn::Exchange(tiles),
            MainAction::ExchangeUnseen(count) => Turn::ExchangeUnseen(count),
            MainAction::Pass => Turn::Pass,
        }
    }
}

impl Turn {
    /// A turn that begins with these edits: before its own, if it has some; `None` if there are too
    /// many.
    pub fn after_edits(self, edits: &Edits) -> Option<Turn> {
        let main = match self {
            Turn::Place(placement) => MainAction::Place(placement),
            Turn::Rearrange(rearrangement) => MainAction::Rearrange(rearrangement),
            Turn::Exchange(tiles) => MainAction::Exchange(tiles),
            Turn::ExchangeUnseen(count) => MainAction::ExchangeUnseen(count),
            Turn::Pass => MainAction::Pass,
            Turn::Edited(turn) => {
                let all = turn.edits.iter().try_fold(*edits, Edits::with)?;
                return turn.main().after_edits(&all);
            }
        };
        Some(match edits.is_empty() {
            true => self,
            false => Turn::Edited(EditedTurn {
                edits: *edits,
                main,
            }),
        })
    }

    /// The edits and the main action.
    pub fn parts(&self) -> (Edits, Turn) {
        match self {
            Turn::Edited(turn) => (turn.edits, turn.main()),
            turn => (Edits::NONE, *turn),
        }
    }
}

/// Checks the edits of a turn, one after the other, and returns the words whose letters they change,
/// after each edit.
pub(super) fn examine(
    rules: &RuleSet,
    grid: &Grid,
    edits: &Edits,
) -> Result<Vec<Vec<Letter>>, PlayError> {
    let (mut words, mut boards) = (Vec::new(), vec![grid.clone()]);
    for edit in edits.iter() {
        let mut after = boards[boards.len() - 1].clone();
        words.extend(examine_edit(rules, &after, &edit)?);
        after.set(edit.square, Some(edit.new));
        // Equal boards have equal racks, because no tile leaves both.
        if boards.contains(&after) {
            return Err(PlayError::RepeatedBoard(edit.square.name(grid.side())));
        }
        boards.push(after);
    }
    Ok(words)
}

/// Checks an edit of a board, and returns the words through its square afterwards if their letters
/// change.
pub(crate) fn examine_edit(
    rules: &RuleSet,
    before: &Grid,
    edit: &Edit,
) -> Result<Vec<Vec<Letter>>, PlayError> {
    let name = || edit.square.name(before.side());
    let old = before.get(edit.square);
    let old = old.ok_or_else(|| PlayError::NothingToReplace(name()))?;
    if old != edit.old {
        return Err(PlayError::NothingToReplace(name()));
    }
    if old.letter() == edit.new.letter() {
        let is_recycled = old.is_blank() && !edit.new.is_blank();
        return match is_recycled && rules.recycles_blanks {
            true => Ok(Vec::new()),
            false => Err(PlayError::SameLetter(name())),
        };
    }
    if !rules.recycles_letters {
        return Err(PlayError::OtherLetter(name()));
    }
    let mut after = before.clone();
    after.set(edit.square, Some(edit.new));
    let words = Axis::BOTH.map(|axis| after.run(edit.square, axis));
    let letters = |run: Vec<(Square, Option<Face>)>| -> Vec<Letter> {
        let faces = run.into_iter().filter_map(|(_, face)| face);
        faces.map(Face::letter).collect()
    };
    let words = words.into_iter().filter(|run| run.len() > 1);
    Ok(words.map(letters).collect())
}
