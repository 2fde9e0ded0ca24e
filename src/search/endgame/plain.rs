//! The plain twin of the endgame solvers: minimax over every line of play to its end, by the rules.
//!
//! It defines the correct values of the fast solvers, so it has neither bounds nor memory. Tests
//! compare both. It finishes only endgames of very few tiles. With more than two players it is
//! max^n without pruning.

use crate::lexicon::Graph;
use crate::movegen::{ScoredTurn, plain};
use crate::rules::{End, Outcome, Position, Turn};
use crate::units::Points;

/// The final scores by seat after each legal move, if everyone plays best by `preference`. There
/// are none if the game is over, the bag is not empty or more than one rack is unknown.
///
/// Besides the ends that the rules know, the game is over when all players have passed one after
/// the other: a player who gains by a play would make it.
pub fn values(position: &Position, graph: &Graph) -> Vec<(Turn, Vec<Points>)> {
    let Some(position) = revealed(position).filter(|position| position.end().is_none()) else {
        return Vec::new();
    };
    turns(&position, graph)
        .map(|turn| (turn, after(&position, &turn, 0, graph, preference).scores))
        .collect()
}

/// What an outcome is worth to the player on `seat`, in the order of importance: the greater, the
/// better.
///
/// With target scores winning comes first. Then come the lead over the best opponent, the own
/// score, and the scores of the opponents in turn order, where lower is better. The winner comes
/// last. So no two different outcomes are worth the same, and no value depends on the order of
/// moves.
pub(crate) fn preference(position: &Position, outcome: &Outcome, seat: usize) -> Vec<i32> {
    let (scores, players) = (&outcome.scores, outcome.scores.len());
    let others = (1..players).map(|after| (seat + after) % players);
    let best = others.clone().map(|other| scores[other].0).max();
    let won = match outcome.winner {
        _ if position.rules().targets.is_empty() => 1,
        None => 1,
        Some(winner) => 2 * i32::from(winner == seat),
    };
    let winner = outcome.winner.map_or(-1, |winner| winner as i32);
    let own = scores[seat].0;
    let mut preference = vec![won, own - best.unwrap_or(own), own];
    preference.extend(others.map(|other| -scores[other].0));
    preference.push(winner);
    preference
}

/// The position with every rack known, if it is an endgame with at most one unknown rack.
pub(super) fn revealed(position: &Position) -> Option<Position> {
    let racks = position
        .leftover_racks()
        .filter(|_| position.bag_len() == 0)?;
    let mut revealed = position.clone();
    for (seat, rack) in racks.into_iter().enumerate() {
        revealed.set_rack(seat, rack).ok()?;
    }
    Some(revealed)
}

fn turns(position: &Position, graph: &Graph) -> impl Iterator<Item = Turn> {
    let placements = plain::placements(position, graph).into_iter();
    let pass = std::iter::once(Turn::Pass);
    placements.map(|ScoredTurn { turn, .. }| turn).chain(pass)
}

/// The seat that wins if everyone plays only to win; `None` for a draw. The position must be
/// an endgame that is not over yet, with at most one unknown rack.
pub fn winner(position: &Position, graph: &Graph) -> Option<usize> {
    let winning = |_: &Position, outcome: &Outcome, seat: usize| match outcome.winner {
        Some(winner) => vec![i32::from(winner == seat) * 2],
        None => vec![1],
    };
    let position = revealed(position)?;
    best(&position, 0, graph, winning).winner
}

/// What an outcome is worth to a seat.
type Preference = fn(&Position, &Outcome, usize) -> Vec<i32>;

/// The outcome after a move, if `passes` players passed one after the other before it.
fn after(
    position: &Position,
    turn: &Turn,
    passes: usize,
    graph: &Graph,
    preference: Preference,
) -> Outcome {
    let mut next = position.clone();
    next.play(turn).expect("a generated turn is legal");
    let passes = match turn {
        Turn::Pass => passes + usize::from(!position.turn_state().scoreless.next_is_lost),
        _ => 0,
    };
    let all_passed = (passes >= next.player_count()).then_some(End::Scoreless);
    match next.end().or(all_passed) {
        Some(end) => next.outcome_of(end).expect("every rack is known"),
        None => best(&next, passes, graph, preference),
    }
}

/// The outcome that the player to move prefers.
fn best(position: &Position, passes: usize, graph: &Graph, preference: Preference) -> Outcome {
    turns(position, graph)
        .map(|turn| after(position, &turn, passes, graph, preference))
        .max_by_key(|outcome| preference(position, outcome, position.to_move()))
        .expect("a player can always pass")
}
