//! The plain twin of the solvers: every line of play to its end, by the rules.
//!
//! It is the definition of correct for all that is faster, so it has neither
//! bounds nor memory. Only endings of very few tiles come to an end with it.

use crate::lexicon::Graph;
use crate::movegen::{ScoredTurn, plain};
use crate::rules::{End, Outcome, Position, Turn};
use crate::units::Points;

/// The final scores by seat after each turn that the player on turn can take,
/// if everyone plays what is best by [`rank`]. There are none where the game
/// is over, the bag is not empty or more than one rack is unknown.
///
/// Beside the ends that the rules know, the game is taken to be over when all
/// have passed one after the other: who could gain by a play would make it.
pub fn values(position: &Position, graph: &Graph) -> Vec<(Turn, Vec<Points>)> {
    let Some(position) = revealed(position).filter(|position| position.end().is_none()) else {
        return Vec::new();
    };
    turns(&position, graph)
        .map(|turn| (turn, after(&position, &turn, 0, graph, rank).scores))
        .collect()
}

/// What an outcome is worth to the player on `seat`: the greater, the better.
///
/// With points that win at once, winning counts before all else. Then comes
/// the lead on the best of the others, then the own score, then that of the
/// others in the order of their turns, lower being better. The winner comes
/// last: only so are no two different outcomes worth the same, and no value
/// depends on the order in which turns are tried.
pub fn rank(position: &Position, outcome: &Outcome, seat: usize) -> Vec<i32> {
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
    let mut rank = vec![won, own - best.unwrap_or(own), own];
    rank.extend(others.map(|other| -scores[other].0));
    rank.push(winner);
    rank
}

/// The position with every rack known, if it is an ending that can be known.
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
    let placements = plain::placements(position, graph, &|| true).into_iter();
    let pass = std::iter::once(Turn::Pass);
    placements.map(|ScoredTurn { turn, .. }| turn).chain(pass)
}

/// Who wins if everyone plays for nothing else; `None` for a draw. It is for
/// endings that can be known and are not over.
pub fn winner(position: &Position, graph: &Graph) -> Option<usize> {
    let won = |_: &Position, outcome: &Outcome, seat: usize| match outcome.winner {
        Some(winner) => vec![i32::from(winner == seat) * 2],
        None => vec![1],
    };
    let position = revealed(position)?;
    best(&position, 0, graph, won).winner
}

/// What an outcome is worth to a seat.
type Preference = fn(&Position, &Outcome, usize) -> Vec<i32>;

/// The outcome after a turn, before which so many passed one after the other.
fn after(
    position: &Position,
    turn: &Turn,
    passes: usize,
    graph: &Graph,
    rank: Preference,
) -> Outcome {
    let mut next = position.clone();
    next.play(turn).expect("a generated turn is legal");
    let passes = match turn {
        Turn::Pass => passes + 1,
        _ => 0,
    };
    let all_passed = (passes >= next.player_count()).then_some(End::Scoreless);
    match next.end().or(all_passed) {
        Some(end) => next.outcome_of(end).expect("every rack is known"),
        None => best(&next, passes, graph, rank),
    }
}

/// The outcome that the player on turn likes best.
fn best(position: &Position, passes: usize, graph: &Graph, rank: Preference) -> Outcome {
    turns(position, graph)
        .map(|turn| after(position, &turn, passes, graph, rank))
        .max_by_key(|outcome| rank(position, outcome, position.to_move()))
        .expect("a player can always pass")
}
