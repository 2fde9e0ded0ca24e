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

use super::{NotGraded, ReviewFigure, ReviewPhase, ReviewedDraws, ReviewedMove, ReviewedTurn};
use std::cmp::Ordering;

/// The smallest loss of win probability that is stated, in percentage points: where the mistake
/// classes begin.
const MIN_STATED_WIN_LOSS: f64 = 0.25;
/// The smallest loss in points that is stated unless it is proved. Chosen by hand: smaller losses
/// would be rounded to nothing.
const MIN_STATED_POINTS: f64 = 0.5;
/// A difference counts if it is at least this many of its standard errors.
const MIN_STANDARD_ERRORS: f64 = 2.0;
/// The smallest difference of leave values that is stated, in points. Chosen by hand: leave values
/// come from games of static players and are not exact.
const MIN_LEAVE_DIFFERENCE: f64 = 1.0;
/// The smallest difference between the mean points of two turns that is stated. Chosen by hand.
const MIN_TURN_DIFFERENCE: f64 = 2.0;
/// The standard deviation of the points of one turn of a static player. Measured: 20 to 25 for the
/// replies to two first plays and two exchanges; the largest.
const TURN_POINTS_DEVIATION: f64 = 25.0;
/// The smallest share of a reply that is stated, in percent. Chosen by hand.
const MIN_STATED_REPLY_PERCENT: f64 = 10.0;
/// The number of rollouts from which the share of a reply is stated. Chosen by hand: with them, its
/// standard error is below 4 percentage points.
const MIN_ROLLOUTS_FOR_REPLIES: u64 = 100;
/// What it counts for to go out before the opponent does, in points, where facts are chosen. Chosen
/// by hand: the tiles that the opponent keeps count double.
const GOING_OUT_POINTS: f64 = 8.0;
/// The largest number of facts about the better move.
const MAX_FACTS: usize = 2;

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
fn points_lost(lost: ReviewFigure) -> Option<String> {
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

/// Two moves of one position.
#[derive(Clone, Copy)]
struct Comparison<'a> {
    better: &'a ReviewedMove,
    worse: &'a ReviewedMove,
    phase: ReviewPhase,
    /// The spread of the player before the move, if it is known.
    spread: Option<i32>,
    leaves_are_known: bool,
}

/// What the better move does: a verb and its objects.
struct Fact {
    /// The difference in points.
    weight: f64,
    kind: FactKind,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FactKind {
    /// The result of the game.
    Result,
    GoingOut,
    Score,
    /// The tiles kept, or what the next turn makes of them.
    Leave,
    Reply,
}

impl Comparison<'_> {
    /// The lead of the better move, if it exceeds the noise.
    fn lead(&self) -> Option<String> {
        let win = self.worse.loss;
        let win = win.filter(|win| is_stated(*win, MIN_STATED_WIN_LOSS));
        let points = || {
            let (better, worse) = self.better.gain.zip(self.worse.gain)?;
            let error = better.error.zip(worse.error);
            let lead = ReviewFigure {
                value: better.value - worse.value,
                error: error.map(|(a, b)| a.hypot(b)),
            };
            // An error of 0 belongs to a proof.
            error.and_then(|_| points_lost(lead))
        };
        win.map(|win| win_points(win.value)).or_else(points)
    }

    /// Why the better move, named by `subject`, is better: one or two sentences.
    fn reasons(&self, subject: &str) -> Vec<String> {
        let mut facts: Vec<Fact> = [
            self.solved_result(),
            self.draws(),
            self.going_out(),
            self.score(),
            self.leave(),
            self.reply(),
        ]
        .into_iter()
        .flatten()
        .collect();
        // The sort is stable, so that equal facts stay in this order.
        facts.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        facts.truncate(MAX_FACTS);
        let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
        let less = self.worse.points - self.better.points;
        let concession = match less > 0 {
            true => format!("scores {less} less, but "),
            false => String::new(),
        };
        if texts.is_empty() {
            let is_solved = self.better.exact && self.worse.exact;
            let text =
                "No single figure shows why: the difference comes from the rollouts as a whole.";
            return (!is_solved).then(|| text.to_string()).into_iter().collect();
        }
        let mut sentences = vec![format!("{subject} {concession}{}.", texts.join(" and "))];
        if facts.iter().any(|fact| fact.kind == FactKind::Reply) {
            sentences.extend(self.frequent_reply());
        }
        sentences
    }

    /// Whether both moves are solved to the end of the game.
    fn is_solved_endgame(&self) -> bool {
        self.phase == ReviewPhase::Endgame && self.better.exact && self.worse.exact
    }

    /// How the game ends after both moves, if that is proved.
    fn solved_result(&self) -> Option<Fact> {
        if !self.is_solved_endgame() {
            return None;
        }
        let spread = |found: &ReviewedMove| {
            let gain = found.gain?.value.round() as i32;
            Some(self.spread? + gain)
        };
        let text = match spread(self.better).zip(spread(self.worse)) {
            Some((better, worse)) => result_by_spread(better, worse),
            None => result_by_win(self.better.win?.value, self.worse.win?.value),
        };
        text.map(|text| Fact {
            weight: f64::INFINITY,
            kind: FactKind::Result,
            text,
        })
    }

    /// With which draws a pre-endgame is won, or else lost, if every draw of both moves is proved.
    fn draws(&self) -> Option<Fact> {
        let (better, worse) = self.better.draws.as_ref().zip(self.worse.draws.as_ref())?;
        let is_proved = |draws: &ReviewedDraws| draws.open == 0 && all_ways(draws) > 0;
        if !is_proved(better) || !is_proved(worse) {
            return None;
        }
        let count =
            |list: fn(&ReviewedDraws) -> &[String]| [better, worse].map(|it| ways(list(it)));
        let (all, won) = (
            [all_ways(better), all_ways(worse)],
            count(|draws| &draws.won),
        );
        let lost = count(|draws| &draws.lost);
        // Both moves may draw different numbers of tiles, so shares are compared.
        let is_more = |a: [usize; 2]| a[0] * all[1] > a[1] * all[0];
        let shares = |verb: &str, counts: [usize; 2]| {
            let instead = match all[0] == all[1] {
                true => counts[1].to_string(),
                false => format!("{} of {}", counts[1], all[1]),
            };
            format!(
                "{verb} with {} of {} draws instead of {instead}",
                counts[0], all[0]
            )
        };
        let text = match (is_more(won), is_more([all[0] - lost[0], all[1] - lost[1]])) {
            (true, _) => shares("wins", won),
            (false, true) => shares("loses", lost),
            (false, false) => return None,
        };
        Some(Fact {
            weight: f64::INFINITY,
            kind: FactKind::Result,
            text,
        })
    }

    /// Who goes out first in the proved lines.
    fn going_out(&self) -> Option<Fact> {
        let ends_well = |found: &ReviewedMove| {
            let last = found.line.last()?;
            (last != "pass").then_some(found.line.len())
        };
        if !self.is_solved_endgame() {
            return None;
        }
        let [better, worse] = [ends_well(self.better)?, ends_well(self.worse)?];
        // Own moves are the first, the third and so on.
        let turns = |moves: usize| moves.div_ceil(2);
        let is_own = |moves: usize| moves % 2 == 1;
        let text = match (is_own(better), is_own(worse)) {
            (true, _) if better == 1 && worse > 1 => "goes out at once".to_string(),
            (true, false) => "goes out before the opponent does".to_string(),
            (true, true) if turns(better) < turns(worse) => {
                format!(
                    "goes out in {} turns instead of {}",
                    turns(better),
                    turns(worse)
                )
            }
            _ => return None,
        };
        Some(Fact {
            weight: GOING_OUT_POINTS,
            kind: FactKind::GoingOut,
            text,
        })
    }

    fn score(&self) -> Option<Fact> {
        let more = self.better.points - self.worse.points;
        let is_new_bonus = self.better.bonus && !self.worse.bonus;
        let text = match is_new_bonus {
            true => format!("is a bonus play that scores {more} more"),
            false => format!("scores {more} more"),
        };
        (more > 0).then(|| Fact {
            weight: f64::from(more),
            kind: FactKind::Score,
            text,
        })
    }

    /// The better leave by its value; without one, a better next turn. The two measure the same, so
    /// that only the larger difference counts.
    fn leave(&self) -> Option<Fact> {
        let next_turn = self.turn_difference(1).map(|[better, worse]| Fact {
            weight: better - worse,
            kind: FactKind::Leave,
            text: format!(
                "sets up a next turn of {} on average instead of {worse:.0}",
                whole_points(better)
            ),
        });
        let more = self.better.leave_value - self.worse.leave_value;
        let (keeps, instead) = (tiles(&self.better.leave), tiles(&self.worse.leave));
        let is_stated = self.phase != ReviewPhase::Endgame
            && self.leaves_are_known
            && more >= MIN_LEAVE_DIFFERENCE
            && keeps != instead;
        let leave = is_stated.then(|| Fact {
            weight: more,
            kind: FactKind::Leave,
            text: format!("keeps {keeps} ({more:.1} points better than {instead})"),
        });
        let larger = |a: &Fact, b: &Fact| a.weight.total_cmp(&b.weight);
        leave.into_iter().chain(next_turn).max_by(larger)
    }

    /// Less for the opponent's reply.
    fn reply(&self) -> Option<Fact> {
        let swapped = Comparison {
            better: self.worse,
            worse: self.better,
            ..*self
        };
        swapped.turn_difference(0).map(|[worse, better]| Fact {
            weight: worse - better,
            kind: FactKind::Reply,
            text: format!(
                "leaves the opponent a reply of {} on average instead of {worse:.0}",
                whole_points(better)
            ),
        })
    }

    /// The mean points of a turn after both moves, if that of the better one exceeds that of the other
    /// beyond the noise.
    fn turn_difference(&self, ply: usize) -> Option<[f64; 2]> {
        let means = [self.better.plies.get(ply)?, self.worse.plies.get(ply)?];
        let counts = [self.better.iterations, self.worse.iterations];
        let variance: f64 = counts.map(|count| 1.0 / count.max(1) as f64).iter().sum();
        let difference = ReviewFigure {
            value: means[0] - means[1],
            error: Some(TURN_POINTS_DEVIATION * variance.sqrt()),
        };
        is_stated(difference, MIN_TURN_DIFFERENCE).then(|| means.map(|mean| *mean))
    }

    /// A reply to the worse move that is made often and scores more than the mean reply to the better
    /// one.
    fn frequent_reply(&self) -> Option<String> {
        let reply = self.worse.replies.first()?;
        let mean = self.better.plies.first()?;
        let is_known = self.worse.iterations >= MIN_ROLLOUTS_FOR_REPLIES;
        let is_frequent = reply.percent >= MIN_STATED_REPLY_PERCENT;
        (is_known && is_frequent && f64::from(reply.points) > *mean).then(|| {
            let (after, text) = (within(self.worse), &reply.text);
            let (points, percent) = (reply.points, reply.percent);
            format!(
                "After {after} the most frequent reply, {text} for {points}, comes in {percent:.0} % \
                 of games."
            )
        })
    }
}

/// The results of two final spreads, if the first is better.
fn result_by_spread(better: i32, worse: i32) -> Option<String> {
    let by = worse.unsigned_abs();
    let instead = match worse.cmp(&0) {
        _ if better <= worse => return None,
        sign if sign == better.cmp(&0) => by.to_string(),
        Ordering::Greater => format!("winning by {by}"),
        Ordering::Equal => "drawing".to_string(),
        Ordering::Less => format!("losing by {by}"),
    };
    let by = better.unsigned_abs();
    let result = match better.cmp(&0) {
        Ordering::Greater => format!("wins by {by}"),
        Ordering::Equal => "draws".to_string(),
        Ordering::Less => format!("loses by {by}"),
    };
    Some(format!("{result} instead of {instead}"))
}

/// The results of two proved win probabilities, in percent, if the first is better.
fn result_by_win(better: f64, worse: f64) -> Option<String> {
    let result = match better {
        _ if better <= worse => return None,
        100.0 => "wins",
        50.0 => "draws",
        _ => return None,
    };
    let instead = match worse {
        50.0 => "drawing",
        0.0 => "losing",
        _ => return None,
    };
    Some(format!("{result} instead of {instead}"))
}

/// Whether a difference exceeds its noise. One whose error is not known does not.
fn is_stated(difference: ReviewFigure, smallest: f64) -> bool {
    let error = difference.error.unwrap_or(f64::INFINITY);
    difference.value >= smallest && difference.value >= MIN_STANDARD_ERRORS * error
}

/// The number of ways to draw what a list of draws names: `EE (3)` counts three times.
fn ways(draws: &[String]) -> usize {
    let ways = |draw: &String| {
        let (_, count) = draw.strip_suffix(')')?.rsplit_once(" (")?;
        count.parse::<usize>().ok()
    };
    draws.iter().map(|draw| ways(draw).unwrap_or(1)).sum()
}

/// The number of ways to draw anything that is proved.
fn all_ways(draws: &ReviewedDraws) -> usize {
    let lists = [&draws.won, &draws.drawn, &draws.lost, &draws.mixed];
    lists.map(|list| ways(list)).iter().sum()
}

/// The name of a move at the start of a sentence.
fn at_start(found: &ReviewedMove) -> String {
    let name = within(found);
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// The name of a move within a sentence, as a noun.
fn within(found: &ReviewedMove) -> String {
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
fn tiles(faces: &[String]) -> String {
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
fn win_points(value: f64) -> String {
    format!("{value:.1} points of win probability")
}

/// A whole number of points.
fn whole_points(value: f64) -> String {
    match value.round() as i64 {
        1 => "1 point".to_string(),
        points => format!("{points} points"),
    }
}
