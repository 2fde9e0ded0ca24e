//! Reviews games with planted mistakes.

use crate::plant::{INDEX_FILE, PlantedMistake};
use crate::prepared;
use anyhow::{Context, Result, anyhow};
use cazique::cli::progress::Progress;
use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::review::{
    MistakeClass, PreparedGame, ReviewFigure, ReviewRequest, ReviewedTurn, TurnFindings,
};
use cazique::seed::Seed;
use rayon::prelude::*;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The iterations of the search that a loss is compared with, as a multiple of those of the review.
pub const LONG_FACTOR: u64 = 20;
/// The unit of the review's seed that gives the seed of the long searches.
const LONG_UNIT: u64 = 1;
/// A planted mistake is among the largest losses of its game if no more than this number of turns
/// lost as much or more. Chosen by hand: strong play has few mistakes of its own.
const LARGEST_LOSSES: usize = 3;
/// The standard errors of a difference up to which two losses agree.
const AGREEING_ERRORS: f64 = 2.0;
/// The largest difference by rounding alone: figures of reviews have three decimals.
const ROUNDING: f64 = 0.002;

/// What a review says about a planted mistake.
struct Judgement {
    planted: PlantedMistake,
    /// The turn in the review.
    turn: ReviewedTurn,
    /// Its place among the losses of the game, from 1.
    place: usize,
    /// Its loss by the long search.
    long: Option<ReviewFigure>,
}

impl Judgement {
    fn is_found(&self) -> bool {
        self.turn.class >= MistakeClass::Medium && self.place <= LARGEST_LOSSES
    }

    fn agrees(&self) -> bool {
        self.turn
            .loss
            .zip(self.long)
            .is_some_and(|(a, b)| agree(a, b))
    }
}

/// Reviews the games of a folder.
pub fn report(engine: &mut Engine, folder: &Path, request: &ReviewRequest) -> Result<String> {
    let index = folder.join(INDEX_FILE);
    let shown = index.display().to_string();
    let index = fs::read(&index).with_context(|| shown.clone())?;
    let index: Vec<PlantedMistake> = serde_json::from_slice(&index).context(shown)?;
    let mut games = Vec::new();
    for planted in index {
        let path = folder.join(&planted.record);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let record = GameRecord::parse(&bytes, ReadMode::Strict);
        let (record, _) = record.map_err(|problem| anyhow!("{}: {problem}", path.display()))?;
        games.push((prepared(engine, &record, &planted.record)?, planted));
    }
    let turns: usize = games.iter().map(|(game, _)| game.turns() + 1).sum();
    let progress = Progress::new("turns", turns as u64);
    let judged = games.into_par_iter();
    let judged = judged.map(|(game, planted)| judge(&game, planted, request, &progress));
    let judged: Result<Vec<Judgement>> = judged.collect();
    Ok(table(&judged?))
}

/// Reviews one game, with its turns in parallel.
fn judge(
    game: &PreparedGame,
    planted: PlantedMistake,
    request: &ReviewRequest,
    progress: &Progress,
) -> Result<Judgement> {
    let at = planted.turn.checked_sub(1);
    let at = at.filter(|&at| at < game.turns());
    let at = at.with_context(|| format!("{} has no turn {}", planted.record, planted.turn))?;
    let long_request = ReviewRequest {
        iterations: request.iterations.map(|n| n.saturating_mul(LONG_FACTOR)),
        seed: Seed(request.seed).for_unit(LONG_UNIT).0,
        ..request.clone()
    };
    let review = |turn: usize| {
        let found = game.review_turn(turn, request, None);
        progress.step();
        found
    };
    let (findings, long): (Vec<TurnFindings>, TurnFindings) = rayon::join(
        || (0..game.turns()).into_par_iter().map(review).collect(),
        || {
            let found = game.review_turn(at, &long_request, None);
            progress.step();
            found
        },
    );
    let document = game.assemble(findings, request);
    let losses: Vec<Option<f64>> = document.turns.iter().map(graded_loss).collect();
    Ok(Judgement {
        planted,
        turn: document.turns[at].clone(),
        place: place(&losses, at),
        long: long.loss,
    })
}

/// The win probability that a turn lost, if it is graded.
fn graded_loss(turn: &ReviewedTurn) -> Option<f64> {
    let loss = turn.loss.filter(|_| turn.not_graded.is_none());
    loss.map(|loss| loss.value)
}

/// The place of a turn among the losses of a game, from 1; below all others if it has none.
fn place(losses: &[Option<f64>], at: usize) -> usize {
    let own = losses[at].unwrap_or(f64::NEG_INFINITY);
    let others = losses.iter().enumerate().filter(|(other, _)| *other != at);
    let ahead = others.filter(|(_, loss)| loss.is_some_and(|loss| loss >= own));
    ahead.count() + 1
}

/// Whether two losses differ by no more than their errors allow. Without errors that is not known.
fn agree(a: ReviewFigure, b: ReviewFigure) -> bool {
    let errors = a.error.zip(b.error);
    errors.is_some_and(|(one, other)| {
        (a.value - b.value).abs() <= AGREEING_ERRORS * one.hypot(other) + ROUNDING
    })
}

fn table(judged: &[Judgement]) -> String {
    let mut text = format!(
        "{:9}{:>5}{:>4}  {:22}{:>12}{:>14}{:>14}{:>8} {:7}{:>6}  found  agrees\n",
        "record", "turn", "bag", "played", "planted", "review", "long", "z", "class", "place"
    );
    let mark = |holds| if holds { "yes" } else { "NO" };
    for one in judged {
        let planted = &one.planted;
        let stated = ReviewFigure {
            value: planted.loss,
            error: Some(planted.error),
        };
        let _ = writeln!(
            text,
            "{:9}{:>5}{:>4}  {:22}{:>12}{:>14}{:>14}{:>8} {:7}{:>6}  {:5}  {}",
            planted.record,
            planted.turn,
            planted.bag,
            planted.played,
            shown(Some(stated)),
            shown(one.turn.loss),
            shown(one.long),
            difference(one.turn.loss, one.long),
            format!("{:?}", one.turn.class).to_lowercase(),
            one.place,
            mark(one.is_found()),
            mark(one.agrees()),
        );
    }
    let count = |of: fn(&Judgement) -> bool| judged.iter().filter(|one| of(one)).count();
    let all = judged.len();
    let (found, agreeing) = (count(Judgement::is_found), count(Judgement::agrees));
    let _ = write!(text, "found {found} of {all}, agreeing {agreeing} of {all}");
    text
}

/// A loss with its standard error.
fn shown(figure: Option<ReviewFigure>) -> String {
    match figure {
        None => "none".to_string(),
        Some(ReviewFigure { value, error }) => {
            let error = error.map_or("?".to_string(), |error| format!("{error:.1}"));
            format!("{value:.1} ± {error}")
        }
    }
}

/// The difference of two losses in standard errors.
fn difference(a: Option<ReviewFigure>, b: Option<ReviewFigure>) -> String {
    let known = a.zip(b);
    let errors = known.and_then(|(a, b)| Some((a.value - b.value, a.error?.hypot(b.error?))));
    match errors {
        Some((difference, error)) if error > 0.0 => format!("{:+.1}", difference / error),
        _ => "-".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, error: Option<f64>) -> ReviewFigure {
        ReviewFigure { value, error }
    }

    #[test]
    fn losses_agree_within_two_combined_standard_errors() {
        for (a, b, expected) in [
            (figure(20.0, Some(3.0)), figure(30.0, Some(4.0)), true),
            (figure(20.0, Some(3.0)), figure(30.1, Some(4.0)), false),
            (figure(30.1, Some(3.0)), figure(20.0, Some(4.0)), false),
            (figure(50.0, Some(0.0)), figure(50.0, Some(0.0)), true),
            (figure(50.0, Some(0.0)), figure(51.0, Some(0.0)), false),
            (figure(50.0, None), figure(50.0, Some(1.0)), false),
        ] {
            assert_eq!(agree(a, b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn equal_losses_come_before_a_turn_and_turns_without_a_loss_after_it() {
        let losses = [Some(3.0), None, Some(20.0), Some(20.0), Some(0.0)];
        for (at, expected) in [(0, 3), (1, 5), (2, 2), (3, 2), (4, 4)] {
            assert_eq!(place(&losses, at), expected, "{at}");
        }
    }

    #[test]
    fn a_small_mistake_is_not_found_and_neither_is_one_among_many() {
        let judged = |class, place| Judgement {
            planted: PlantedMistake {
                record: "0001.gcg".to_string(),
                turn: 1,
                bag: 80,
                played: "8D.ABLE".to_string(),
                best: "8D.CABLE".to_string(),
                loss: 20.0,
                error: 1.0,
            },
            turn: ReviewedTurn {
                class,
                loss: Some(figure(21.0, Some(2.0))),
                ..ReviewedTurn::default()
            },
            place,
            long: Some(figure(20.0, Some(0.5))),
        };
        assert!(judged(MistakeClass::Medium, 3).is_found());
        assert!(!judged(MistakeClass::Small, 1).is_found());
        assert!(!judged(MistakeClass::Large, 4).is_found());
        let text = table(&[
            judged(MistakeClass::Large, 1),
            judged(MistakeClass::None, 1),
        ]);
        assert!(text.ends_with("found 1 of 2, agreeing 2 of 2"), "{text}");
    }
}
