//! What a mistake was about. docs/review.md tells these rules to players; the first that applies
//! counts.
//!
//! 1. The play came off the board: a phony.
//! 2. The best move earns a bonus and the move that was played does not: a missed bonus play.
//! 3. The bag was empty: the endgame.
//! 4. Otherwise that of three differences which speaks most against the move that was played: its
//!    points, the value of the tiles it keeps, and the mean points of the opponent's reply.

use super::{MistakeKind, ReviewPhase, ReviewedMove, ReviewedTurn};

/// The kind of a mistake; `None` if the turn is no mistake.
pub(super) fn kind(turn: &ReviewedTurn) -> Option<MistakeKind> {
    let played = turn.candidates.iter().find(|found| found.played);
    let best = turn.candidates.first();
    let (Some(best), Some(played)) = (best, played) else {
        return None;
    };
    if turn.index <= 0.0 {
        return None;
    }
    Some(match turn.phase {
        _ if turn.came_off => MistakeKind::Phony,
        _ if best.bonus && !played.bonus => MistakeKind::MissedBonus,
        ReviewPhase::Endgame => MistakeKind::Endgame,
        _ => largest_difference(best, played),
    })
}

/// The difference that speaks most for the best move, in points.
fn largest_difference(best: &ReviewedMove, played: &ReviewedMove) -> MistakeKind {
    let score = f64::from(best.points - played.points);
    let leave = best.leave_value - played.leave_value;
    let reply = |found: &ReviewedMove| found.plies.first().copied();
    let mut largest = (MistakeKind::Score, score);
    if leave > largest.1 {
        largest = (MistakeKind::Leave, leave);
    }
    if let (Some(after_best), Some(after_played)) = (reply(best), reply(played))
        && after_played - after_best > largest.1
    {
        largest = (MistakeKind::Opening, after_played - after_best);
    }
    largest.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mistake: points, leave value and the opponent's reply of the best move and of the one that
    /// was played.
    fn mistake(best: (i32, f64, f64), played: (i32, f64, f64)) -> ReviewedTurn {
        let found = |(points, leave_value, reply): (i32, f64, f64), played| ReviewedMove {
            points,
            leave_value,
            plies: vec![reply],
            played,
            ..ReviewedMove::default()
        };
        ReviewedTurn {
            index: 0.5,
            candidates: vec![found(best, false), found(played, true)],
            ..ReviewedTurn::default()
        }
    }

    #[test]
    fn the_largest_difference_names_the_kind() {
        for (best, played, kind) in [
            ((30, 0.0, 30.0), (20, 5.0, 30.0), MistakeKind::Score),
            ((20, 9.0, 30.0), (22, 0.0, 35.0), MistakeKind::Leave),
            ((20, 2.0, 30.0), (22, 0.0, 41.0), MistakeKind::Opening),
        ] {
            assert_eq!(super::kind(&mistake(best, played)), Some(kind));
        }
    }

    #[test]
    fn special_cases_come_before_differences() {
        let plain = mistake((30, 0.0, 30.0), (20, 0.0, 30.0));
        let mut bonus = plain.clone();
        bonus.candidates[0].bonus = true;
        assert_eq!(kind(&bonus), Some(MistakeKind::MissedBonus));
        let endgame = ReviewedTurn {
            phase: ReviewPhase::Endgame,
            ..plain.clone()
        };
        assert_eq!(kind(&endgame), Some(MistakeKind::Endgame));
        let phony = ReviewedTurn {
            came_off: true,
            ..bonus
        };
        assert_eq!(kind(&phony), Some(MistakeKind::Phony));
        let fine = ReviewedTurn {
            index: 0.0,
            ..plain
        };
        assert_eq!(kind(&fine), None);
    }
}
