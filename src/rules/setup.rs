//! A position from outside, and what can be wrong with it.

use super::RuleSet;
use super::details::{DetailError, SetupDetails};
use crate::board::{Grid, Square};
use crate::tiles::{Face, Tile, TileCounts};
use crate::units::Points;
use std::collections::BTreeSet;

/// A position from outside, not checked yet: [`Position::new`](super::Position::new) does that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The tiles on the board.
    pub grid: Grid,
    /// The known tiles of each rack, the player to move first. The rack of the player to move is
    /// complete, or empty if it is unknown. Opponents hold unknown tiles as well, up to a full
    /// rack.
    pub racks: Vec<TileCounts>,
    /// The scores in the same order.
    pub scores: Vec<Points>,
    /// The scoreless turns in a row just before this position.
    pub scoreless_turns: u8,
    /// What does not follow from the other fields.
    pub details: SetupDetails,
}

impl Setup {
    /// Checks the setup and returns the unseen tiles.
    pub(super) fn unseen(&self, rules: &RuleSet) -> Result<TileCounts, SetupError> {
        let (racks, scores, (fewest, most)) = (self.racks.len(), self.scores.len(), rules.players);
        if racks != scores {
            return Err(SetupError::Scores { racks, scores });
        }
        if racks < fewest || racks > most {
            return Err(SetupError::Players {
                players: racks,
                limits: rules.players,
            });
        }
        let (rows, board) = (self.grid.side(), rules.board.side());
        if rows != board {
            return Err(SetupError::Side { rows, board });
        }
        let limit = rules.rack_size;
        let mut sizes = self.racks.iter().map(TileCounts::len);
        if let Some(tiles) = sizes.find(|&tiles| tiles > limit) {
            return Err(SetupError::RackSize { tiles, limit });
        }
        let is_misplaced =
            |&square: &Square| self.grid.get(square).is_some() && !rules.board.is_usable(square);
        if let Some(square) = rules.board.squares().find(is_misplaced) {
            return Err(SetupError::Unusable(square.name(rows)));
        }
        let mut unseen = rules.tiles.all();
        let on_board = self.grid.faces().map(Face::tile);
        let tiles = on_board.chain(self.racks.iter().flat_map(TileCounts::iter));
        let surplus: BTreeSet<Tile> = tiles.filter(|&tile| !unseen.take(tile)).collect();
        match surplus.is_empty() {
            true => Ok(unseen),
            false => Err(SetupError::too_many(rules, surplus)),
        }
    }
}

/// Why a setup is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Racks and scores disagree about the number of players.
    #[error("{racks} racks but {scores} scores")]
    Scores {
        /// The number of racks.
        racks: usize,
        /// The number of scores.
        scores: usize,
    },
    /// Too few or too many players for the rules.
    #[error("{players} player{}, the limits are {} and {}", if *.players == 1 { "" } else { "s" }, .limits.0, .limits.1)]
    Players {
        /// The number of players.
        players: usize,
        /// The fewest and the most.
        limits: (usize, usize),
    },
    /// The board has another size.
    #[error("{rows} rows, the board has {board}")]
    Side {
        /// The rows of the setup.
        rows: u8,
        /// The rows of the board.
        board: u8,
    },
    /// A rack with too many tiles.
    #[error("rack has {tiles} tiles, the limit is {limit}")]
    RackSize {
        /// The tiles on the rack.
        tiles: usize,
        /// The most tiles allowed.
        limit: usize,
    },
    /// A tile on an unusable square.
    #[error("a tile lies on {0}, which is an unusable square")]
    Unusable(String),
    /// More tiles of some kinds than the tile set has.
    #[error("too many tiles {0}; the tiles of the board and of all racks count together")]
    TooMany(String),
    /// A detail contradicts the rest.
    #[error(transparent)]
    Detail(#[from] DetailError),
}

impl SetupError {
    /// The error about tiles of these kinds.
    pub(super) fn too_many(rules: &RuleSet, kinds: impl IntoIterator<Item = Tile>) -> SetupError {
        let kinds = kinds.into_iter().map(|tile| rules.tiles.kind(tile));
        let texts = kinds.map(|kind| format!("'{}', the tile set has {}", kind.upper, kind.count));
        SetupError::TooMany(texts.collect::<Vec<_>>().join(", and "))
    }
}
