//! The search of one turn: what to search, what names it in a cache, and what it found.

use super::search::{TurnAnalysis, search_turn};
use super::text::{figure, rounded};
use super::{NotGraded, ReviewFigure, ReviewRequest, ReviewedMove, luck};
use crate::engine::{PlayedMove, SOURCES_CHECKSUM, SearchTask, VERSION};
use crate::fnv::Fnv;
use crate::notation::cgp::Cgp;
use crate::rules::{Position, Ruling, Turn};
use crate::search::clock::MoveTime;
use crate::seed::Seed;
use crate::tiles::TileCounts;
use serde::{Deserialize, Serialize};

/// The number of the unit of work that computes luck: others are those of the stages of a search.
const LUCK_UNIT: u64 = 3;
/// The sampled worlds of the luck of a draw if the request has no iterations. Chosen by hand: the
/// standard error is about 3 points.
const LUCK_ITERATIONS: u64 = 100;
/// The most static games that estimate the expected result before any tile is drawn. Chosen by hand:
/// the standard error is about 7 points, and they take some seconds.
const START_GAMES: u64 = 200;

/// A turn with all that its search needs.
pub(super) struct TurnTask {
    /// The position and the data.
    pub search: SearchTask,
    /// The move that was played, if it can be searched.
    pub played: Option<Turn>,
    /// The move that was played in the notation of the engine.
    pub code: String,
    /// Whether it is a phony that was challenged off the board.
    pub came_off: bool,
    /// Whether the rack is not known in full.
    pub is_sampled: bool,
    /// What the luck of the draw follows from, if the rack is known.
    pub luck: Option<LuckTask>,
}

/// What the luck of a draw follows from.
pub(super) struct LuckTask {
    /// The position with both racks, as far as they are drawn in the order in which luck is added up.
    pub position: Position,
    /// The tiles drawn after the turn, if they are known.
    pub drawn: Option<TileCounts>,
    /// Whether the rack is the first of its player.
    pub is_first_rack: bool,
    /// Whether the game begins with this turn.
    pub is_first_turn: bool,
}

/// What the search of one turn found. It depends on nothing that
/// [`PreparedGame::key`](super::PreparedGame::key) does not name, so that it can be kept and used for
/// any record with the same turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnFindings {
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
    /// The luck of the draw in points.
    pub luck: Option<ReviewFigure>,
    /// The luck of the draw in percentage points of win probability.
    pub luck_win: Option<ReviewFigure>,
    /// The luck of the player's first rack, in points, at the player's first turn.
    pub first_rack: Option<ReviewFigure>,
    /// The same in percentage points of win probability.
    pub first_rack_win: Option<ReviewFigure>,
    /// At the first turn of the game: what its player could expect before any tile was drawn, in
    /// points of final spread.
    pub start: Option<f64>,
    /// What else is worth knowing, for people.
    pub notes: Vec<String>,
}

impl TurnTask {
    /// The task of a turn.
    pub fn new(
        search: SearchTask,
        played: &PlayedMove,
        is_phony: bool,
        is_sampled: bool,
    ) -> TurnTask {
        TurnTask {
            search,
            played: played.turn,
            code: played.text.clone(),
            came_off: played.came_off && is_phony,
            is_sampled,
            luck: None,
        }
    }

    /// Searches the turn in the calling thread. The search whose figures decide comes with the
    /// findings, unless it failed.
    pub fn search(
        &self,
        request: &ReviewRequest,
        time: Option<MoveTime>,
    ) -> (TurnFindings, Option<TurnAnalysis>) {
        let (mut found, analysis) = search_turn(self, request, time);
        if request.luck {
            self.add_luck(&mut found, request);
        }
        (found, analysis)
    }

    /// Adds the luck of the tiles drawn, and of the first rack.
    fn add_luck(&self, found: &mut TurnFindings, request: &ReviewRequest) {
        let Some(task) = &self.luck else {
            return;
        };
        let iterations = request.iterations.unwrap_or(LUCK_ITERATIONS);
        let (position, data) = (&task.position, &self.search.data);
        let seed = |unit| Seed(request.seed).for_unit(LUCK_UNIT).for_unit(unit);
        let played = self.played.zip(task.drawn);
        let draw = played.and_then(|(turn, drawn)| {
            luck::of_draw(position, &turn, &drawn, data, iterations, seed(0))
        });
        let first = match task.is_first_rack {
            true => luck::of_first_rack(position, data, iterations, seed(1)),
            false => None,
        };
        found.luck = draw.as_ref().map(|draw| figure(draw.points));
        found.luck_win = draw.as_ref().map(|draw| figure(draw.win));
        found.first_rack = first.as_ref().map(|first| figure(first.points));
        found.first_rack_win = first.as_ref().map(|first| figure(first.win));
        if let Some(first) = found.first_rack {
            let points = first.value;
            found
                .notes
                .push(format!("the first rack: {points:+.1} points of luck"));
        }
        if task.is_first_turn {
            let games = iterations.min(START_GAMES);
            // The same for each game by these rules, whatever the seed of the request is.
            let start = luck::before_first_draw(position, data, games, Seed(LUCK_UNIT));
            found.start = start.map(|start| rounded(start.gain.value));
        }
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
            format!("findings of {VERSION} {SOURCES_CHECKSUM:016x}"),
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
        if let Some(luck) = self.luck.as_ref().filter(|_| request.luck) {
            let (first_rack, first_turn) = (luck.is_first_rack, luck.is_first_turn);
            parts.push(format!("{:?} {first_rack} {first_turn}", luck.drawn));
            parts.push(Cgp::of(&luck.position).to_string());
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
