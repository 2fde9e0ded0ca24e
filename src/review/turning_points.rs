//! The turns that changed the outcome the most, in words.
//!
//! There are two causes. A mistake changes the win probability by its loss. And with two players, the
//! win probability of a turn's best move may differ from what the opponent's figures promised a
//! moment before: then the rack of the player to move was better or worse than expected.

use super::text::{rounded, short_name};
use super::{GamePlayer, MistakeClass, ReviewedTurn, TurningPoint};

/// The most turning points.
const MAX_TURNING_POINTS: usize = 3;
/// Smaller changes are no turning points, in percentage points. Chosen by hand: the figures of a
/// short search differ by as much from turn to turn.
const MIN_SWING: f64 = 3.0;
/// A change between two turns counts only if it exceeds this number of its standard errors, as a
/// mistake does.
const NOISE_ERRORS: f64 = 2.0;

/// The turning points of a game, the largest change first.
pub(super) fn turning_points(turns: &[ReviewedTurn], players: &[GamePlayer]) -> Vec<TurningPoint> {
    let mut found: Vec<TurningPoint> = Vec::new();
    for (at, turn) in turns.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &turns[before]);
        let mistake = mistake(turn, players);
        let rack = before.and_then(|before| rack(before, turn, players));
        let larger = mistake
            .into_iter()
            .chain(rack)
            .max_by(|a, b| a.swing.total_cmp(&b.swing));
        found.extend(larger.filter(|point| point.swing >= MIN_SWING));
    }
    // A stable sort: of equal changes the earlier comes first.
    found.sort_by(|a, b| b.swing.total_cmp(&a.swing));
    found.truncate(MAX_TURNING_POINTS);
    found
}

fn name<'a>(turn: &ReviewedTurn, players: &'a [GamePlayer]) -> &'a str {
    let player = turn.seat.checked_sub(1).and_then(|seat| players.get(seat));
    player.map_or("", |player| &player.name)
}

/// A mistake as a turning point.
fn mistake(turn: &ReviewedTurn, players: &[GamePlayer]) -> Option<TurningPoint> {
    let loss = turn.loss.filter(|_| turn.class != MistakeClass::None)?;
    let (name, swing) = (name(turn, players), rounded(loss.value));
    let played = match turn.came_off {
        true => format!("{}, which came off,", short_name(&turn.played)),
        false => short_name(&turn.played).to_string(),
    };
    let best = short_name(turn.best.as_deref()?);
    // Plays of the same word differ by their squares.
    let (played, best) = match played == best {
        true => (turn.played.clone(), turn.best.as_deref()?),
        false => (played, best),
    };
    Some(TurningPoint {
        turn: turn.number,
        swing,
        text: format!(
            "{name}'s {played} instead of {best} cost {swing:.1} points of win probability"
        ),
    })
}

/// A rack that was better or worse than the turn before promised.
fn rack(
    before: &ReviewedTurn,
    turn: &ReviewedTurn,
    players: &[GamePlayer],
) -> Option<TurningPoint> {
    let graded = before.not_graded.is_none() && turn.not_graded.is_none();
    if players.len() != 2 || before.seat == turn.seat || !graded {
        return None;
    }
    let (promised, best_win) = (before.win?, turn.win_best?);
    let change = best_win.value - (100.0 - promised.value);
    let error = promised.error?.hypot(best_win.error?);
    if change.abs() < NOISE_ERRORS * error {
        return None;
    }
    let (name, swing) = (name(turn, players), change.abs());
    let bonus = if turn.bonus { "bonus play " } else { "" };
    let (played, best) = (short_name(&turn.played), short_name(turn.best.as_deref()?));
    let is_good_play =
        turn.class == MistakeClass::None && !turn.came_off && !turn.changes.is_empty();
    let points = format!("{swing:.0} points of win probability");
    let text = match (change > 0.0, is_good_play) {
        (true, true) => format!("{name}'s {bonus}{played} swung the game by {points}"),
        (true, false) => {
            format!("{name}'s rack was worth {points} more than expected: {best} was possible")
        }
        (false, _) => {
            format!("{name}'s rack was worth {points} less than expected: {best} was the best move")
        }
    };
    Some(TurningPoint {
        turn: turn.number,
        swing: rounded(swing),
        text,
    })
}
