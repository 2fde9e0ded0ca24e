//! The class of a mistake and what it adds to the mistake index, on the scale that players know.
//!
//! Nothing here searches: a grade follows from the figures of a turn alone. docs/review.md has the
//! scale for players.

use super::{MistakeClass, ReviewFigure, ReviewPhase, ReviewedTurn};

/// A loss of win probability below this is no mistake, in percentage points. From the scale.
const MIN_LOSS: f64 = 0.25;
/// A loss counts only if it exceeds this number of its standard errors. From the scale.
const NOISE_ERRORS: f64 = 2.0;
/// The largest loss of a small and of a medium mistake, in percentage points. From the scale.
const WIN_LIMITS: [f64; 2] = [3.0, 7.0];
/// The same in points, where the win probability says nothing. From the scale.
const POINT_LIMITS: [f64; 2] = [7.0, 15.0];
/// In decided games before the endgame, [`POINT_LIMITS`] are multiplied by this. From the scale.
const DECIDED_FACTOR: f64 = 2.0;
/// A game is decided if the win probability is this far from certainty at most, in percentage
/// points. From the scale.
const DECIDED_MARGIN: f64 = 0.5;
/// A loss of points below this is no mistake. Scores are whole numbers, and expected scores are
/// rounded to them. Chosen by hand.
const MIN_POINTS: f64 = 0.5;
/// The standard error of a loss of points where the search does not know it, in points. Chosen by
/// hand: unsolved endgames are seldom wrong by more.
const ASSUMED_POINTS_ERROR: f64 = 5.0;

/// The points of the index by mistake class: none, small, medium, large. From the scale.
const INDEX: [f64; 4] = [0.0, 0.2, 0.5, 1.0];

/// The usual translation of the index of one game into a level. From the scale.
const LEVELS: [(f64, f64); 14] = [
    (0.0, 2300.0),
    (0.2, 2250.0),
    (0.5, 2200.0),
    (0.8, 2150.0),
    (1.2, 2100.0),
    (1.5, 2050.0),
    (1.7, 2000.0),
    (1.9, 1950.0),
    (2.3, 1900.0),
    (2.6, 1850.0),
    (2.9, 1800.0),
    (3.3, 1750.0),
    (3.8, 1700.0),
    (4.2, 1650.0),
];
/// Beyond the last of [`LEVELS`]: the fall of the level for each further point of the index.
const LEVEL_SLOPE: f64 = 125.0;

/// The figures of a turn that its grade follows from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GradedFigures {
    /// The phase before the turn.
    pub phase: ReviewPhase,
    /// The win probability of the best move in percent, if it is known.
    pub win_best: Option<ReviewFigure>,
    /// The win probability of the move that was played.
    pub win: Option<ReviewFigure>,
    /// The win probability lost, in percentage points.
    pub loss: Option<ReviewFigure>,
    /// The points lost.
    pub points_lost: Option<ReviewFigure>,
    /// Whether the win probabilities are proved.
    pub exact: bool,
}

/// The grade of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Grade {
    /// The class of the mistake.
    pub class: MistakeClass,
    /// What it adds to the index.
    pub index: f64,
    /// Whether points decided and not the win probability.
    pub by_points: bool,
    /// Whether an endgame move gave away a win or a draw.
    pub blown: bool,
}

impl GradedFigures {
    /// The grade.
    pub fn grade(&self) -> Grade {
        let by_points = self.is_by_points();
        let blown = self.is_blown();
        let class = match by_points {
            _ if blown => MistakeClass::Large,
            true => self.class_by_points(),
            false => self.class_by_win(),
        };
        Grade {
            class,
            index: INDEX[class as usize],
            by_points,
            blown,
        }
    }

    /// Whether the win probability says nothing about the turn.
    fn is_by_points(&self) -> bool {
        self.phase == ReviewPhase::Endgame || self.loss.is_none() || self.is_decided()
    }

    /// Whether both the best move and the one that was played win, or both lose.
    fn is_decided(&self) -> bool {
        let (Some(best), Some(played)) = (self.win_best, self.win) else {
            return false;
        };
        let higher = best.value.max(played.value);
        let lower = best.value.min(played.value);
        higher < DECIDED_MARGIN || lower > 100.0 - DECIDED_MARGIN
    }

    /// Whether it is proved that an endgame move turned a win into a draw or a loss, or a draw into
    /// a loss.
    fn is_blown(&self) -> bool {
        let (Some(best), Some(played)) = (self.win_best, self.win) else {
            return false;
        };
        // Results are 0, 50 and 100 %.
        self.phase == ReviewPhase::Endgame && self.exact && best.value - played.value > 25.0
    }

    fn class_by_win(&self) -> MistakeClass {
        match self.loss {
            Some(loss) if loss.value >= MIN_LOSS && exceeds_noise(loss, None) => {
                class(loss.value, WIN_LIMITS)
            }
            _ => MistakeClass::None,
        }
    }

    fn class_by_points(&self) -> MistakeClass {
        let factor = match self.phase {
            ReviewPhase::Endgame => 1.0,
            ReviewPhase::Open | ReviewPhase::PreEndgame => DECIDED_FACTOR,
        };
        let assumed = Some(ASSUMED_POINTS_ERROR);
        match self.points_lost {
            Some(lost) if lost.value >= MIN_POINTS && exceeds_noise(lost, assumed) => {
                class(lost.value, POINT_LIMITS.map(|limit| limit * factor))
            }
            _ => MistakeClass::None,
        }
    }
}

/// The loss of win probability of a turn as it enters sums: 0 if it is inside the noise.
pub(super) fn counted_win(turn: &ReviewedTurn) -> ReviewFigure {
    counted(turn.loss, MIN_LOSS, None)
}

/// The loss of points of a turn as it enters sums: 0 if it is inside the noise.
pub(super) fn counted_points(turn: &ReviewedTurn) -> ReviewFigure {
    counted(turn.points_lost, MIN_POINTS, Some(ASSUMED_POINTS_ERROR))
}

fn counted(loss: Option<ReviewFigure>, least: f64, assumed: Option<f64>) -> ReviewFigure {
    let counts = |loss: &ReviewFigure| loss.value >= least && exceeds_noise(*loss, assumed);
    let nothing = ReviewFigure {
        value: 0.0,
        error: Some(0.0),
    };
    loss.filter(counts).unwrap_or(nothing)
}

/// Whether a loss exceeds the noise of the search. Without a known error, `assumed` is used; if that
/// is missing too, nothing can be said and the loss does not count.
fn exceeds_noise(loss: ReviewFigure, assumed: Option<f64>) -> bool {
    let error = loss.error.or(assumed);
    error.is_some_and(|error| loss.value >= NOISE_ERRORS * error)
}

/// The class of a loss that is a mistake.
fn class(loss: f64, [small, medium]: [f64; 2]) -> MistakeClass {
    match loss {
        loss if loss <= small => MistakeClass::Small,
        loss if loss <= medium => MistakeClass::Medium,
        _ => MistakeClass::Large,
    }
}

/// What the mistake index of a game is usually translated to. A rough guide.
pub fn level(index: f64) -> u32 {
    let [.., last] = LEVELS;
    let after = LEVELS.iter().position(|&(known, _)| index < known);
    let level = match after {
        None => last.1 - (index - last.0) * LEVEL_SLOPE,
        Some(0) => LEVELS[0].1,
        Some(after) => {
            let ((low, from), (high, to)) = (LEVELS[after - 1], LEVELS[after]);
            from + (to - from) * (index - low) / (high - low)
        }
    };
    level.round().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, error: f64) -> Option<ReviewFigure> {
        Some(ReviewFigure {
            value,
            error: Some(error),
        })
    }

    /// A turn in the middle of a close game.
    fn close(loss: f64, error: f64) -> GradedFigures {
        GradedFigures {
            win_best: figure(60.0, 1.0),
            win: figure(60.0 - loss, 1.0),
            loss: figure(loss, error),
            points_lost: figure(50.0, 0.0),
            ..GradedFigures::default()
        }
    }

    /// A turn of a game that is won whatever is played.
    fn decided(phase: ReviewPhase, points: f64, error: Option<f64>) -> GradedFigures {
        GradedFigures {
            phase,
            win_best: figure(100.0, 0.0),
            win: figure(99.8, 0.1),
            loss: figure(0.2, 0.1),
            points_lost: Some(ReviewFigure {
                value: points,
                error,
            }),
            exact: false,
        }
    }

    #[test]
    fn every_row_of_the_scale_holds() {
        use MistakeClass::{Large, Medium, None as Fine, Small};
        use ReviewPhase::{Endgame, Open, PreEndgame};
        let sure = Some(0.0);
        for (turn, class, index) in [
            (close(0.24, 0.0), Fine, 0.0),
            (close(0.25, 0.0), Small, 0.2),
            (close(1.0, 0.51), Fine, 0.0),
            (close(1.0, 0.5), Small, 0.2),
            (close(3.0, 0.1), Small, 0.2),
            (close(3.01, 0.1), Medium, 0.5),
            (close(7.0, 0.1), Medium, 0.5),
            (close(7.01, 0.1), Large, 1.0),
            (close(40.0, 21.0), Fine, 0.0),
            (close(-3.0, 0.1), Fine, 0.0),
            (decided(Endgame, 0.0, sure), Fine, 0.0),
            (decided(Endgame, 1.0, sure), Small, 0.2),
            (decided(Endgame, 7.0, sure), Small, 0.2),
            (decided(Endgame, 8.0, sure), Medium, 0.5),
            (decided(Endgame, 15.0, sure), Medium, 0.5),
            (decided(Endgame, 16.0, sure), Large, 1.0),
            (decided(Endgame, 9.0, None), Fine, 0.0),
            (decided(Endgame, 10.0, None), Medium, 0.5),
            (decided(Open, 14.0, Some(3.0)), Small, 0.2),
            (decided(Open, 14.0, Some(8.0)), Fine, 0.0),
            (decided(PreEndgame, 15.0, Some(3.0)), Medium, 0.5),
            (decided(PreEndgame, 30.0, Some(3.0)), Medium, 0.5),
            (decided(Open, 31.0, Some(3.0)), Large, 1.0),
        ] {
            let grade = turn.grade();
            assert_eq!((grade.class, grade.index), (class, index), "{turn:?}");
        }
    }

    #[test]
    fn a_proved_endgame_result_given_away_is_large_whatever_it_costs() {
        let endgame = |best: f64, played: f64, exact: bool| GradedFigures {
            phase: ReviewPhase::Endgame,
            win_best: figure(best, 0.0),
            win: figure(played, 0.0),
            loss: figure(best - played, 0.0),
            points_lost: figure(2.0, 0.0),
            exact,
        };
        for (best, played, exact, blown) in [
            (100.0, 50.0, true, true),
            (100.0, 0.0, true, true),
            (50.0, 0.0, true, true),
            (100.0, 100.0, true, false),
            (0.0, 0.0, true, false),
            (100.0, 0.0, false, false),
        ] {
            let grade = endgame(best, played, exact).grade();
            let class = match blown {
                true => MistakeClass::Large,
                false => MistakeClass::Small,
            };
            assert_eq!(
                (grade.blown, grade.class),
                (blown, class),
                "{best} {played}"
            );
            assert!(grade.by_points);
        }
    }

    /// A turn that gave away a won game is graded by its win probability, however sure the win was.
    #[test]
    fn a_game_is_decided_only_if_the_move_played_leaves_it_so() {
        let thrown = GradedFigures {
            win_best: figure(99.9, 0.0),
            win: figure(60.0, 1.0),
            loss: figure(39.9, 1.0),
            points_lost: figure(5.0, 1.0),
            ..GradedFigures::default()
        };
        let grade = thrown.grade();
        assert_eq!((grade.class, grade.by_points), (MistakeClass::Large, false));
        assert!(decided(ReviewPhase::Open, 5.0, Some(1.0)).grade().by_points);
    }

    #[test]
    fn levels_are_interpolated_between_the_known_ones() {
        for (index, expected) in [
            (0.0, 2300),
            (0.1, 2275),
            (0.2, 2250),
            (1.2, 2100),
            (1.6, 2025),
            (4.2, 1650),
            (5.2, 1525),
            (17.4, 0),
            (40.0, 0),
        ] {
            assert_eq!(level(index), expected, "{index}");
        }
    }
}
