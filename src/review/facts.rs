//! What one move has over another: the facts that an explanation is made of.
//!
//! [`Comparison`] computes each fact from figures of the two moves, with its difference in points,
//! and keeps those with the largest differences. A difference within its noise is no fact.

use super::explain::{
    MIN_STATED_WIN_LOSS, is_stated, points_lost, tiles, whole_points, win_points, within,
};
use super::{ReviewFigure, ReviewPhase, ReviewedDraws, ReviewedMove};
use std::cmp::Ordering;

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

/// Two moves of one position.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'a> {
    pub better: &'a ReviewedMove,
    pub worse: &'a ReviewedMove,
    pub phase: ReviewPhase,
    /// The spread of the player before the move, if it is known.
    pub spread: Option<i32>,
    /// Whether the leaves are those of a known rack.
    pub leaves_are_known: bool,
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
    pub fn lead(&self) -> Option<String> {
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
    pub fn reasons(&self, subject: &str) -> Vec<String> {
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
