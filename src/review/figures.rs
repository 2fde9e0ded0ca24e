//! The candidates of a search as the document has them.

use super::text::{changes, code, draw, faces, figure, line, readable, rounded};
use super::{FrequentReply, ReviewFigure, ReviewedDraws, ReviewedMove};
use crate::engine::{AnalyzedMove, Label, SampledMove};
use crate::rules::{Position, Turn};
use crate::search::ranking::Candidate;
use crate::units::{Equity, Points};

/// A candidate of the list that becomes the document's: what was found, and what it is compared by.
#[derive(Clone)]
pub(super) struct FoundMove {
    /// The move.
    pub turn: Turn,
    /// Its figures, without the loss.
    pub figures: ReviewedMove,
    /// What the best move of its search gains beyond this one in points, if it is known.
    pub points_behind: Option<ReviewFigure>,
}

impl FoundMove {
    /// A candidate of a search, without replies, lines and draws.
    pub fn new(found: &AnalyzedMove, position: &Position) -> FoundMove {
        let plies = found.plies();
        let ply = |at: usize| plies.get(at).map(|ply| rounded(ply.points.mean()));
        let own = position.player_count() - 1;
        FoundMove {
            turn: found.candidate.turn,
            figures: ReviewedMove {
                win: found.win().map(figure),
                gain: found.equity().map(figure),
                iterations: found.iterations(),
                exact: found.label() == Label::Exact,
                plies: [0, own].into_iter().map_while(ply).collect(),
                ..ranked(found.candidate, position)
            },
            points_behind: None,
        }
    }

    /// A move of a partly known rack: means over sampled racks.
    pub fn sampled(found: &SampledMove, position: &Position, racks: u64) -> FoundMove {
        let code = code(&found.turn, position);
        FoundMove {
            turn: found.turn,
            figures: ReviewedMove {
                text: readable(&code),
                code,
                points: found.points.0,
                win: found.value.win().map(figure),
                gain: found.value.equity().map(figure),
                loss: found.loss.win().map(figure),
                iterations: racks,
                valid: found.valid,
                bonus: earns_bonus(&found.turn, position),
                changes: changes(&found.turn, position.grid(), &position.rules().tiles),
                ..ReviewedMove::default()
            },
            points_behind: found.loss.equity().map(figure),
        }
    }

    /// A move of which only the static evaluation is known.
    pub fn ranked(candidate: &Candidate, position: &Position) -> FoundMove {
        FoundMove {
            turn: candidate.turn,
            figures: ranked(candidate, position),
            points_behind: None,
        }
    }

    /// Adds what only the moves in view have: replies, the proved line, and draws.
    pub fn add_details(&mut self, found: &AnalyzedMove, position: &Position) {
        let tiles = &position.rules().tiles;
        let mut after = position.grid().clone();
        self.turn.change_board(&mut after);
        let reply = |(turn, points, share): (Turn, Points, f64)| FrequentReply {
            text: line(&[self.turn, turn], position).pop().unwrap_or_default(),
            percent: rounded(share * 100.0),
            points: points.0,
            changes: changes(&turn, &after, tiles),
        };
        let replies = found.replies().iter();
        self.figures.replies = replies
            .map(|counted| reply((counted.turn, counted.points, counted.share)))
            .collect();
        let variation = found.variation();
        if variation.len() > 1 {
            self.figures.line = line(variation, position);
        }
        self.figures.draws = found.draws().map(|draws| {
            let texts = |list: &[&_]| list.iter().map(|outcome| draw(outcome, tiles)).collect();
            let mixed = draws.mixed.iter().map(|outcome| {
                let percent = outcome.win * 100.0;
                format!("{} {percent:.0} %", draw(outcome, tiles))
            });
            ReviewedDraws {
                won: texts(&draws.won),
                drawn: texts(&draws.drawn),
                lost: texts(&draws.lost),
                mixed: mixed.collect(),
                open: draws.open,
            }
        });
    }
}

/// What is known of a candidate without search.
fn ranked(candidate: &Candidate, position: &Position) -> ReviewedMove {
    let (worth, tiles) = (&candidate.worth, &position.rules().tiles);
    let code = code(&candidate.turn, position);
    let points = |equity: Equity| f64::from(equity.millis()) / 1e3;
    ReviewedMove {
        text: readable(&code),
        code,
        points: worth.points.0,
        leave: faces(&candidate.leave, tiles),
        equity: points(worth.total()),
        leave_value: points(worth.leave),
        valid: candidate.valid,
        bonus: earns_bonus(&candidate.turn, position),
        changes: changes(&candidate.turn, position.grid(), tiles),
        ..ReviewedMove::default()
    }
}

/// Whether a turn earns a bonus for the number of its tiles.
pub(super) fn earns_bonus(turn: &Turn, position: &Position) -> bool {
    let bonus = position.rules().bonus.get(turn.placed_from_rack());
    turn.changes_board() && bonus.is_some_and(|&bonus| bonus > Points::ZERO)
}

/// The difference of two figures whose errors are independent.
pub(super) fn minus(best: ReviewFigure, other: ReviewFigure) -> ReviewFigure {
    let error = best.error.zip(other.error);
    ReviewFigure {
        value: rounded(best.value - other.value),
        error: error.map(|(a, b)| rounded(a.hypot(b))),
    }
}

/// A loss as it is shown: never below zero beyond its error.
pub(super) fn shown_loss(loss: ReviewFigure) -> ReviewFigure {
    ReviewFigure {
        value: loss.value.max(-loss.error.unwrap_or(0.0)) + 0.0,
        ..loss
    }
}
