//! Puts the findings of all turns together: grades, sums for each player, and the result in words.

use super::grade::{GradedFigures, counted_points, counted_win, level};
use super::kind::kind;
use super::prepare::{GamePlayer, PreparedGame, PreparedTurn};
use super::search::DEFAULT_TURN_ITERATIONS;
use super::task::TurnFindings;
use super::text::rounded;
use super::turning_points::turning_points;
use super::{
    ExplainedChoice, FORMAT_VERSION, MistakeClass, PhaseLoss, ReviewDocument, ReviewFigure,
    ReviewPhase, ReviewRequest, ReviewSettings, ReviewedPlayer, ReviewedTurn, explain, luck,
};
use crate::rules::End;
use std::time::Duration;

/// The phases in the order of a game.
const PHASES: [ReviewPhase; 3] = [
    ReviewPhase::Open,
    ReviewPhase::PreEndgame,
    ReviewPhase::Endgame,
];

/// The review of a game, from the findings of its turns in their order.
pub(super) fn assemble(
    game: &PreparedGame,
    findings: Vec<TurnFindings>,
    request: &ReviewRequest,
) -> ReviewDocument {
    let extras: Vec<TurnExtras> = findings.iter().map(TurnExtras::of).collect();
    let start = findings.iter().find_map(|found| found.start);
    let turns = game.turns.iter().zip(findings);
    let turns: Vec<ReviewedTurn> = turns.map(|(turn, found)| graded(turn, found)).collect();
    let players = (0..game.players.len()).map(|seat| player(game, &turns, &extras, seat));
    let mut document = ReviewDocument {
        format: FORMAT_VERSION,
        title: game.title.clone(),
        date: game.date.clone(),
        description: game.description.clone(),
        findings: game.findings.clone(),
        provenance: game.provenance.clone(),
        settings: ReviewSettings {
            time: request
                .time
                .filter(|_| request.iterations.is_none())
                .map(millis),
            iterations: match request.time {
                Some(_) => request.iterations,
                None => request.iterations.or(Some(DEFAULT_TURN_ITERATIONS)),
            },
            seed: request.seed,
            candidates: request.candidates,
        },
        board: game.board.clone(),
        players: players.collect(),
        turning_points: turning_points(&turns, &game.players),
        turns,
        result: result(game),
        unfinished: game.ending.end.is_none(),
        balance: None,
    };
    document.balance = start.and_then(|start| luck::balance(&document, start));
    document
}

/// What sums need beside the turns.
struct TurnExtras {
    /// Whether there is a play that earns a bonus.
    bonus_available: bool,
    /// The luck of the first rack, in points and in win probability.
    first_rack: [Option<ReviewFigure>; 2],
}

impl TurnExtras {
    fn of(found: &TurnFindings) -> TurnExtras {
        TurnExtras {
            bonus_available: found.bonus_available,
            first_rack: [found.first_rack, found.first_rack_win],
        }
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A turn with what its search found, and its grade.
fn graded(prepared: &PreparedTurn, found: TurnFindings) -> ReviewedTurn {
    let stated = &prepared.stated;
    let figures = GradedFigures {
        phase: stated.phase,
        win_best: found.win_best,
        win: found.win,
        loss: found.loss,
        points_lost: found.points_lost,
        exact: found.exact,
    };
    let is_graded = found.not_graded.is_none();
    let grade = match is_graded {
        true => figures.grade(),
        false => Default::default(),
    };
    let mut turn = ReviewedTurn {
        not_graded: found.not_graded,
        best: found.best,
        win_best: found.win_best,
        win: found.win,
        spread: found.spread,
        loss: found.loss,
        points_lost: found.points_lost,
        exact: found.exact,
        by_points: grade.by_points,
        blown: grade.blown,
        class: grade.class,
        index: grade.index,
        missed_bonus: found.bonus_play.filter(|_| !stated.bonus),
        candidates: found.candidates,
        luck: found.luck,
        luck_win: found.luck_win,
        ..stated.clone()
    };
    turn.kind = kind(&turn);
    let choice = ExplainedChoice::of_turn(&turn);
    turn.explanation = choice.map_or(String::new(), |choice| explain(&choice));
    turn.notes.extend(found.notes);
    turn.notes.extend(challenge_note(&turn));
    turn
}

/// A note about what became of a phony.
fn challenge_note(turn: &ReviewedTurn) -> Option<String> {
    let words = turn.phonies.join(", ");
    match (turn.phonies.is_empty(), turn.came_off) {
        (false, true) => Some(format!("{words}: challenged off, worth as much as a pass")),
        (false, false) => Some(format!(
            "{words}: not in the lexicon, and not challenged off"
        )),
        (true, true) => Some("the play came off although its words are valid".to_string()),
        (true, false) => None,
    }
}

/// The sums of a player.
fn player(
    game: &PreparedGame,
    turns: &[ReviewedTurn],
    extras: &[TurnExtras],
    seat: usize,
) -> ReviewedPlayer {
    let own = || turns.iter().filter(|turn| turn.seat == seat + 1);
    let graded: Vec<&ReviewedTurn> = own().filter(|turn| turn.not_graded.is_none()).collect();
    let index = index(&graded);
    let GamePlayer { name, nick } = &game.players[seat];
    let ending = &game.ending;
    let is_known = ending.end.is_some() && !ending.winners.is_empty();
    let count = |class| graded.iter().filter(|turn| turn.class == class).count();
    let best = count(MistakeClass::None);
    let own_extras = || {
        turns
            .iter()
            .zip(extras)
            .filter(|(turn, _)| turn.seat == seat + 1)
    };
    let available = own_extras().filter(|(turn, extras)| extras.bonus_available || turn.bonus);
    let luck = |of: fn(&ReviewedTurn) -> Option<ReviewFigure>, view: usize| {
        let draws = own().filter_map(of);
        let first = own_extras().filter_map(|(_, extras)| extras.first_rack[view]);
        let known: Vec<ReviewFigure> = draws.chain(first).collect();
        (!known.is_empty()).then(|| total(known.into_iter()))
    };
    ReviewedPlayer {
        seat: seat + 1,
        name: name.clone(),
        nick: nick.clone(),
        score: ending.scores.get(seat).copied().unwrap_or_default(),
        won: is_known.then(|| ending.winners.contains(&seat)),
        mistake_index: index,
        level: (!graded.is_empty()).then(|| level(index)),
        graded: graded.len(),
        not_graded: own().count() - graded.len(),
        mean_loss: (!graded.is_empty()).then(|| {
            let (sum, turns) = (sum(&graded, counted_win), graded.len() as f64);
            ReviewFigure {
                value: rounded(sum.value / turns),
                error: sum.error.map(|error| rounded(error / turns)),
            }
        }),
        points_lost: sum(&graded, counted_points),
        best_share: (!graded.is_empty())
            .then(|| rounded(best as f64 * 100.0 / graded.len() as f64)),
        bonus_found: own().filter(|turn| turn.bonus).count(),
        bonus_available: available.count(),
        mistakes: [
            MistakeClass::Small,
            MistakeClass::Medium,
            MistakeClass::Large,
        ]
        .map(count),
        phases: PHASES.map(|phase| phase_loss(phase, &graded)).to_vec(),
        luck: luck(|turn| turn.luck, 0),
        luck_win: luck(|turn| turn.luck_win, 1),
    }
}

/// What graded turns lost in one phase.
fn phase_loss(phase: ReviewPhase, graded: &[&ReviewedTurn]) -> PhaseLoss {
    let turns = graded.iter().filter(|turn| turn.phase == phase);
    let turns: Vec<&ReviewedTurn> = turns.copied().collect();
    PhaseLoss {
        phase,
        turns: turns.len(),
        win: sum(&turns, counted_win).value,
        points: sum(&turns, counted_points).value,
        index: index(&turns),
    }
}

/// The mistake index of some turns.
fn index(turns: &[&ReviewedTurn]) -> f64 {
    rounded(turns.iter().map(|turn| turn.index).sum())
}

/// The sum of a figure over some turns.
fn sum(turns: &[&ReviewedTurn], of: fn(&ReviewedTurn) -> ReviewFigure) -> ReviewFigure {
    total(turns.iter().map(|turn| of(turn)))
}

/// The sum of independent figures. If the error of one is not known, neither is that of the sum.
fn total(figures: impl Iterator<Item = ReviewFigure>) -> ReviewFigure {
    let (mut value, mut squares) = (0.0, Some(0.0));
    for figure in figures {
        value += figure.value;
        squares = squares
            .zip(figure.error)
            .map(|(sum, error)| sum + error * error);
    }
    ReviewFigure {
        value: rounded(value),
        error: squares.map(|squares: f64| rounded(squares.sqrt())),
    }
}

/// How the game ended, in words.
fn result(game: &PreparedGame) -> String {
    let ending = &game.ending;
    let name = |seat: usize| game.players[seat].name.as_str();
    let scores = &ending.scores;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|&seat| std::cmp::Reverse(scores[seat]));
    let (Some(&first), Some(&second)) = (order.first(), order.get(1)) else {
        return String::new();
    };
    let lead = scores[first] - scores[second];
    let state = match lead {
        0 => format!("{} points each", scores[first]),
        lead => format!("{} leads by {lead}", name(first)),
    };
    let names: Vec<&str> = ending.winners.iter().map(|&seat| name(seat)).collect();
    match (ending.end, ending.winners.as_slice()) {
        (None, _) => format!("unfinished: {state}"),
        (Some(_), []) => format!("over, but the tiles left are not known: {state}"),
        (Some(End::Forfeit(loser)), _) => format!(
            "{} wins: {} lost the game by a challenge",
            names.join(" and "),
            name(loser)
        ),
        (Some(_), [winner]) => {
            let others = scores.iter().enumerate().filter(|(seat, _)| seat != winner);
            let best = others.map(|(_, score)| *score).max().unwrap_or_default();
            match scores[*winner] - best {
                0 => format!("{} wins the tie at {best}", name(*winner)),
                lead => format!("{} wins by {lead}", name(*winner)),
            }
        }
        (Some(_), _) => format!(
            "{} share the win with {} points",
            names.join(" and "),
            scores[first]
        ),
    }
}
