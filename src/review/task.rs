//! The search of one turn: what to search, what names it in a cache, and what it found.

use super::search::search_turn;
use super::{NotGraded, ReviewFigure, ReviewProvenance, ReviewRequest, ReviewedMove};
use crate::engine::{PlayedMove, SearchTask, VERSION};
use crate::fnv::Fnv;
use crate::notation::cgp::Cgp;
use crate::rules::{Ruling, Turn};
use crate::search::clock::MoveTime;
use crate::tiles::TileCounts;
use serde::{Deserialize, Serialize};

/// The version of [`TurnFindings`] and of the way they are found. It grows when either changes, so
/// that findings of older versions are not used.
const FINDINGS_VERSION: u32 = 1;

/// A turn with all that its search needs.
pub(super) struct TurnTask {
    /// The position and the data.
    pub search: SearchTask,
    /// The move that was played, if it can be searched.
    pub played: Option<Turn>,
    /// The move that was played in the notation of the engine.
    pub code: String,
    /// Whether it was challenged off the board.
    pub came_off: bool,
    /// Whether the rack is not known in full.
    pub is_sampled: bool,
    /// The tiles drawn after the turn, if they are known.
    pub drawn: Option<TileCounts>,
}

/// What the search of one turn found. It depends on nothing that [`TurnTask::key`] does not name, so
/// that it can be kept and used for any record with the same turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnFindings {
    /// The engine and the data.
    pub provenance: ReviewProvenance,
    /// Why the turn is not graded; absent if it is.
    pub not_graded: Option<NotGraded>,
    /// The best move, for people.
    pub best: Option<String>,
    /// The win probability of the best move.
    pub win_best: Option<ReviewFigure>,
    /// The win probability of the move that was played.
    pub win: Option<ReviewFigure>,
    /// The expected final spread with the move that was played.
    pub spread: Option<ReviewFigure>,
    /// The win probability that the move lost.
    pub loss: Option<ReviewFigure>,
    /// The points that the move lost.
    pub points_lost: Option<ReviewFigure>,
    /// Whether the loss is proved.
    pub exact: bool,
    /// The candidates.
    pub candidates: Vec<ReviewedMove>,
    /// Whether there is a play that earns a bonus.
    pub bonus_available: bool,
    /// The best such play, for people.
    pub bonus_play: Option<String>,
    /// Why the best move is better.
    pub explanation: String,
    /// The luck of the draw in points.
    pub luck: Option<ReviewFigure>,
    /// The luck of the draw in percentage points of win probability.
    pub luck_win: Option<ReviewFigure>,
    /// What else is worth knowing, for people.
    pub notes: Vec<String>,
}

impl TurnTask {
    /// The task of a turn.
    pub fn new(search: SearchTask, played: &PlayedMove, is_sampled: bool) -> TurnTask {
        TurnTask {
            search,
            played: played.turn,
            code: played.text.clone(),
            came_off: played.came_off,
            is_sampled,
            drawn: None,
        }
    }

    /// Searches the turn in the calling thread.
    pub fn search(&self, request: &ReviewRequest, time: Option<MoveTime>) -> TurnFindings {
        search_turn(self, request, time)
    }

    /// Whether a play that came off has lost the game by the rules.
    pub fn loses_game(&self) -> bool {
        let rules = self.search.position.rules();
        self.came_off && rules.challenge.ruling(false) == Ruling::TakenOffAndGameLost
    }

    /// Names everything that the findings depend on, as hexadecimal digits.
    pub fn key(&self, request: &ReviewRequest) -> String {
        let (position, data) = (&self.search.position, &self.search.data);
        let (rules, lexicon) = (position.rules(), &data.words.lexicon);
        let mut parts = vec![
            format!("findings {FINDINGS_VERSION} of {VERSION}"),
            Cgp::of(position).to_string(),
            rules.to_text(),
            rules.board.to_text(),
            rules.tiles.to_csv(),
            format!("{} {:016x}", lexicon.name(), lexicon.hash()),
            data.leaves.id.clone(),
            data.win_table.id.clone(),
            format!("{:?} {} {}", self.played, self.code, self.came_off),
            format!("{:?}", self.search.defaults),
            format!("{request:?}"),
        ];
        if request.luck {
            parts.push(format!("{:?}", self.drawn));
        }
        // Lengths keep the parts apart.
        let text: String = parts
            .iter()
            .map(|part| format!("{} {part}\n", part.len()))
            .collect();
        // Two checksums of 64 bits, because a cache may hold many thousands of turns.
        let second = Fnv::of(b"second").to_le_bytes();
        format!(
            "{:016x}{:016x}",
            Fnv::of(text.as_bytes()),
            Fnv::START.and(&second).and(text.as_bytes()).sum()
        )
    }
}
