//! The state of a game, for clients that keep no rules of their own.

use super::table::no_position;
use super::{Engine, EngineError};
use crate::notation::moves;
use crate::rules::{End, EventKind, Game, Outcome, PartialRack, Position, RuleSet};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::sync::Arc;

/// Everything about the game on the table that a client needs to show it and to go on with it.
/// Lists are by seat.
pub struct GameState {
    /// The rules, with board and tile set.
    pub rules: Arc<RuleSet>,
    /// The seat to move, from 0.
    pub to_move: usize,
    /// The scores.
    pub scores: Vec<Points>,
    /// The racks, as far as the position shows them.
    pub racks: Vec<PartialRack>,
    /// The number of tiles in the bag.
    pub bag: usize,
    /// The tiles neither on the board nor known to be on a rack.
    pub unseen: TileCounts,
    /// The scoreless turns in a row just before, as the rules count them.
    pub scoreless_turns: u8,
    /// The most tiles that the player to move may exchange; 0 if the game is over.
    pub exchange_limit: usize,
    /// The last move, if the position was set with moves.
    pub last_move: Option<LastMove>,
    /// Why the game is over, if it is.
    pub end: Option<End>,
    /// The final scores, if the game is over and the tiles left on the racks are known.
    pub outcome: Option<Outcome>,
    /// The name of the lexicon.
    pub lexicon: String,
    /// The position in CGP.
    pub cgp: String,
}

/// The last move of a game.
pub struct LastMove {
    /// Who made it.
    pub seat: usize,
    /// The move in its notation; a play that was challenged off begins with `phony.`.
    pub text: String,
    /// What it changed in the score of its player, challenge points included.
    pub points: Points,
}

impl Engine {
    /// The state of the game.
    pub fn state(&self) -> Result<GameState, EngineError> {
        let table = self.table.as_ref().ok_or_else(no_position)?;
        let (game, position) = (&table.game, table.game.position());
        let seats = 0..position.player_count();
        let end = game.end();
        Ok(GameState {
            rules: position.rules().clone(),
            to_move: position.to_move(),
            scores: seats.clone().map(|seat| position.score(seat)).collect(),
            racks: seats.map(|seat| *position.rack(seat)).collect(),
            bag: position.bag_len(),
            unseen: *position.unseen(),
            scoreless_turns: position.scoreless_turns(),
            exchange_limit: end.map_or_else(|| exchange_limit(position), |_| 0),
            last_move: last_move(game),
            end,
            outcome: game.outcome(),
            lexicon: self.lexicon_of(table)?.lexicon.name().to_string(),
            cgp: self.cgp().map_or(String::new(), |cgp| cgp.to_string()),
        })
    }
}

fn exchange_limit(position: &Position) -> usize {
    let sizes = (1..=position.mover_rack().len()).rev();
    let mut allowed = sizes.filter(|&tiles| position.check_exchange(tiles).is_ok());
    allowed.next().unwrap_or(0)
}

/// The last turn of a game, with what a challenge changed about it. Turns that were lost and
/// penalties for overtime are not moves.
fn last_move(game: &Game) -> Option<LastMove> {
    let events = game.events();
    let is_turn = |kind: &EventKind| matches!(kind, EventKind::Turn(_));
    let at = events.iter().rposition(|event| is_turn(&event.kind))?;
    let EventKind::Turn(turn) = &events[at].kind else {
        return None;
    };
    let seat = events[at].seat;
    let of_move =
        |kind: &EventKind| matches!(kind, EventKind::TakenOff | EventKind::ChallengeBonus);
    let later = events[at + 1..].iter().filter(|event| of_move(&event.kind));
    let points = later.clone().map(|event| event.points).sum::<Points>() + events[at].points;
    let is_phony = later
        .into_iter()
        .any(|event| event.kind == EventKind::TakenOff);
    let (grid, tiles) = (game.position().grid(), &game.position().rules().tiles);
    let text = moves::write(turn, grid, tiles);
    Some(LastMove {
        seat,
        text: if is_phony && turn.changes_board() {
            format!("phony.{text}")
        } else {
            text
        },
        points,
    })
}
