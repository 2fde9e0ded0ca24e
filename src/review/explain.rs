//! Why the best move is better than the one that was played, in one to three sentences.
//!
//! [`explain`] computes every statement from figures of the two moves and invents nothing. It names
//! the one or two facts with the largest difference in points, and no difference within its noise:
//!
//! - the result of a solved endgame, and who goes out first in its proved line;
//! - the draws with which a pre-endgame is won or lost, if all draws of both moves are proved;
//! - score, bonus, and leave value;
//! - the mean points of the opponent's reply and of the player's next turn, and a reply that is made
//!   often.
//!
//! If the move that was played is the best one, the same facts compare it with the second best. It
//! needs the candidates of one turn only, so that any output can use it.

use super::facts::Comparison;
use super::{NotGraded, ReviewFigure, ReviewPhase, ReviewedMove, ReviewedTurn};

/// The smallest loss of win probability that is stated, in percentage points: where the mistake
/// classes begin.
pub(super) const MIN_STATED_WIN_LOSS: f64 = 0.25;
/// The smallest loss in points that is stated unless it is proved. Chosen by hand: smaller losses
/// would be rounded to nothing.
const MIN_STATED_POINTS: f64 = 0.5;
/// A difference counts if it is at least this many of its standard errors.
const MIN_STANDARD_ERRORS: f64 = 2.0;
/// A choice of a player, with all that its explanation needs.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedChoice<'a> {
    /// The best valid move.
    pub best: &'a ReviewedMove,
    /// The move that was played; it may be the best one.
    pub played: &'a ReviewedMove,
    /// The second best move, where the best one was played.
    pub second: Option<&'a ReviewedMove>,
    /// The win probability that the move lost, in percentage points.
    pub loss: Option<ReviewFigure>,
    /// The points that it lost.
    pub points_lost: Option<ReviewFigure>,
    /// Whether the points decide about the class of the mistake.
    pub by_points: bool,
    /// The phase of the game.
    pub phase: ReviewPhase,
    /// Why the turn is not graded, if it is not.
    pub not_graded: Option<NotGraded>,
    /// The spread of the player before the turn, if it is known.
    pub spread: Option<i32>,
    /// The words of the move that are not in the lexicon.
    pub phonies: &'a [String],
    /// Whether the move was challenged and came off the board.
    pub came_off: bool,
}

impl<'a> ExplainedChoice<'a> {
    /// The choice of a turn. `None` if the move that was played was not compared with any other.
    pub fn of_turn(turn: &'a ReviewedTurn) -> Option<ExplainedChoice<'a>> {
        let candidates = &turn.candidates;
        let played = candidates.iter().find(|candidate| candidate.played)?;
        let named = |candidate: &&ReviewedMove| Some(&candidate.text) == turn.best.as_ref();
        let best = candidates.iter().find(named)?;
        let others = candidates.iter().filter(|other| other.text != best.text);
        let second = others.clone().find(|other| other.valid && !other.dropped);
        // Only a proved gain belongs to the end of the game.
        let gain = played.gain.filter(|gain| gain.error == Some(0.0));
        let spread = turn.spread.zip(gain);
        Some(ExplainedChoice {
            best,
            played,
            second: second.filter(|_| best.text == played.text),
            loss: turn.loss,
            points_lost: turn.points_lost,
            by_points: turn.by_points,
            phase: turn.phase,
            not_graded: turn.not_graded,
            spread: spread.map(|(spread, gain)| (spread.value - gain.value).round() as i32),
            phonies: &turn.phonies,
            came_off: turn.came_off,
        })
    }

    /// Whether the best move was played.
    fn is_best(&self) -> bool {
        self.best.text == self.played.text
    }

    /// The best move against another one.
    fn best_against(&self, worse: &'a ReviewedMove) -> Comparison<'a> {
        Comparison {
            better: self.best,
            worse,
            phase: self.phase,
            spread: self.spread,
            leaves_are_known: self.not_graded != Some(NotGraded::SampledRack),
        }
    }
}

/// One to three sentences about a choice; empty if nothing is known.
pub fn explain(choice: &ExplainedChoice) -> String {
    use NotGraded::{Failed, NotLegal, UnknownRack};
    if let Some(UnknownRack | Failed | NotLegal) = choice.not_graded {
        return String::new();
    }
    let mut sentences: Vec<String> = word_sentence(choice).into_iter().collect();
    match choice.is_best() {
        true => sentences.extend(praise(choice)),
        false => sentences.extend(criticism(choice)),
    }
    sentences.join(" ")
}

/// What was wrong with the words of the move.
fn word_sentence(choice: &ExplainedChoice) -> Option<String> {
    let name = at_start(choice.played);
    let came_off = match choice.came_off {
        true => " and came off the board",
        false => "",
    };
    let verb = match choice.phonies {
        [] => {
            return choice
                .came_off
                .then(|| format!("{name} came off the board."));
        }
        [_] => "is",
        _ => "are",
    };
    let words = listed(choice.phonies);
    Some(format!(
        "{name} is a phony{came_off}: {words} {verb} not in the lexicon."
    ))
}

/// The best move was played: by how much it leads the second best, and why.
fn praise(choice: &ExplainedChoice) -> Vec<String> {
    let best = at_start(choice.best);
    let Some(second) = choice.second else {
        return vec![format!("{best} is the best move.")];
    };
    let (comparison, other) = (choice.best_against(second), within(second));
    let is_solved = choice.best.exact && second.exact;
    match comparison.lead() {
        Some(lead) => {
            let mut sentences = vec![format!("{best} is the best move, {lead} ahead of {other}.")];
            sentences.extend(comparison.reasons("It"));
            sentences
        }
        None if is_solved => vec![format!("{best} is the best move, and {other} is as good.")],
        None => vec![format!(
            "{best} is the best move found, and {other} is as good within the error of the search."
        )],
    }
}

/// Another move was played: what that lost, and why.
fn criticism(choice: &ExplainedChoice) -> Vec<String> {
    let played = match choice.phonies.is_empty() && !choice.came_off {
        true => at_start(choice.played),
        false => "It".to_string(),
    };
    let best = within(choice.best);
    let Some(lost) = lost(choice) else {
        // A phony may be worth more than every valid move, as long as it stays.
        return match (
            choice.played.valid,
            choice.best.exact && choice.played.exact,
        ) {
            (false, _) => Vec::new(),
            (true, true) => vec![format!("{played} is as good as {best}.")],
            (true, false) => vec![format!(
                "{played} is as good as {best} within the error of the search."
            )],
        };
    };
    let over_racks = match choice.not_graded {
        Some(NotGraded::SampledRack) => " on average over the racks that are possible",
        _ => "",
    };
    let mut sentences = vec![format!("{played} gives up {lost}{over_racks}.")];
    let best = at_start(choice.best);
    match choice.came_off {
        true => sentences.push(format!("{best} {}.", plain_facts(choice.best))),
        false => sentences.extend(choice.best_against(choice.played).reasons(&best)),
    }
    sentences
}

/// What the move lost, if that exceeds the noise.
fn lost(choice: &ExplainedChoice) -> Option<String> {
    let stated_win = || {
        choice
            .loss
            .filter(|loss| is_stated(*loss, MIN_STATED_WIN_LOSS))
    };
    let win = || stated_win().map(|loss| win_points(loss.value));
    let points = || points_lost(choice.points_lost?);
    match choice.by_points {
        true => points().or_else(win),
        false => win().or_else(points),
    }
}

/// A loss in points, if it is proved or exceeds the noise. One whose error is not known comes from a
/// solver that ran out of time.
pub(super) fn points_lost(lost: ReviewFigure) -> Option<String> {
    match lost.error {
        Some(0.0) if lost.value >= MIN_STATED_POINTS => Some(whole_points(lost.value)),
        Some(_) if is_stated(lost, MIN_STATED_POINTS) => {
            Some(format!("{:.1} points of expected spread", lost.value))
        }
        None if lost.value >= MIN_STATED_POINTS => {
            let points = whole_points(lost.value);
            Some(format!("about {points} as far as the search got"))
        }
        _ => None,
    }
}

/// Points and leave of a move, as they are.
fn plain_facts(found: &ReviewedMove) -> String {
    let keeps = format!("keeps {}", tiles(&found.leave));
    match found.points {
        0 => keeps,
        points => format!("scores {points} and {keeps}"),
    }
}

/// Whether a difference exceeds its noise. One whose error is not known does not.
pub(super) fn is_stated(difference: ReviewFigure, smallest: f64) -> bool {
    let error = difference.error.unwrap_or(f64::INFINITY);
    difference.value >= smallest && difference.value >= MIN_STANDARD_ERRORS * error
}

/// The name of a move at the start of a sentence.
fn at_start(found: &ReviewedMove) -> String {
    let name = within(found);
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// The name of a move within a sentence, as a noun.
pub(super) fn within(found: &ReviewedMove) -> String {
    match found.text.strip_prefix("exchange ") {
        Some("1") => "exchanging 1 tile".to_string(),
        Some(count) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("exchanging {count} tiles")
        }
        Some(tiles) => format!("exchanging {tiles}"),
        None if found.text == "pass" => "passing".to_string(),
        None => found.text.clone(),
    }
}

/// Tiles for people: `a blank and ERS`, `nothing`.
pub(super) fn tiles(faces: &[String]) -> String {
    let (blanks, letters): (Vec<&String>, Vec<&String>) =
        faces.iter().partition(|face| face.as_str() == "?");
    let blanks = match blanks.len() {
        0 => None,
        1 => Some("a blank".to_string()),
        2 => Some("two blanks".to_string()),
        count => Some(format!("{count} blanks")),
    };
    // Faces of several letters would run into each other.
    let is_single = letters.iter().all(|face| face.chars().count() == 1);
    let separator = if is_single { "" } else { " " };
    let letters: Vec<&str> = letters.iter().map(|face| face.as_str()).collect();
    let letters = Some(letters.join(separator)).filter(|letters| !letters.is_empty());
    match (blanks, letters) {
        (None, None) => "nothing".to_string(),
        (Some(blanks), Some(letters)) => format!("{blanks} and {letters}"),
        (Some(only), None) | (None, Some(only)) => only,
    }
}

/// Words with commas and a final `and`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Percentage points of win probability.
pub(super) fn win_points(value: f64) -> String {
    format!("{value:.1} points of win probability")
}

/// A whole number of points.
pub(super) fn whole_points(value: f64) -> String {
    match value.round() as i64 {
        1 => "1 point".to_string(),
        points => format!("{points} points"),
    }
}
