//! Reviews games without planted mistakes.

use crate::games::GameSettings;
use crate::prepared;
use anyhow::Result;
use cazique::cli::progress::Progress;
use cazique::engine::Engine;
use cazique::notation::gcg::GameRecord;
use cazique::review::{ReviewDocument, ReviewPhase, ReviewRequest};
use rayon::prelude::*;

/// Plays the games, reviews them and prints what they lost.
pub fn report(
    engine: &mut Engine,
    settings: &GameSettings,
    request: &ReviewRequest,
) -> Result<String> {
    let progress = Progress::new("games", settings.count);
    let play = |unit: u64| {
        let record = settings.play(unit);
        progress.step();
        record
    };
    let records: Result<Vec<GameRecord>> = (0..settings.count).into_par_iter().map(play).collect();
    let mut games = Vec::new();
    for (record, number) in records?.iter().zip(1..) {
        games.push(prepared(engine, record, &format!("game {number}"))?);
    }
    let turns: usize = games.iter().map(|game| game.turns()).sum();
    let progress = Progress::new("turns", turns as u64);
    let documents = games.par_iter().map(|game| {
        let turns = (0..game.turns()).into_par_iter();
        let findings = turns.map(|turn| {
            let found = game.review_turn(turn, request, None);
            progress.step();
            found
        });
        game.assemble(findings.collect(), request)
    });
    let documents: Vec<ReviewDocument> = documents.collect();
    Ok(table(&documents))
}

/// What some turns lost.
#[derive(Clone, Debug, Default, PartialEq)]
struct LossTally {
    /// By game and player: the graded turns, and the sum of their losses of win probability in
    /// percentage points. Losses inside the noise count 0.
    graded: Vec<(usize, f64)>,
    /// The sum of the win probability of the best move minus that of the move played, whatever its
    /// error.
    raw: f64,
    /// The mistakes: small, medium, large.
    mistakes: [usize; 3],
}

impl LossTally {
    /// The turns of some phases.
    fn of(documents: &[ReviewDocument], phases: &[ReviewPhase]) -> LossTally {
        let mut tally = LossTally::default();
        for player in documents.iter().flat_map(|document| &document.players) {
            let lost = player.phases.iter();
            let lost = lost.filter(|lost| phases.contains(&lost.phase));
            let sum = lost.fold((0, 0.0), |(turns, sum), lost| {
                (turns + lost.turns, sum + lost.win)
            });
            tally.graded.push(sum);
        }
        let turns = documents.iter().flat_map(|document| &document.turns);
        let turns = turns.filter(|turn| turn.not_graded.is_none());
        for turn in turns.filter(|turn| phases.contains(&turn.phase)) {
            let raw = turn.win_best.zip(turn.win);
            tally.raw += raw.map_or(0.0, |(best, played)| best.value - played.value);
            if let Some(class) = (turn.class as usize).checked_sub(1) {
                tally.mistakes[class] += 1;
            }
        }
        tally
    }

    /// The number of graded turns.
    fn turns(&self) -> usize {
        self.graded.iter().map(|(turns, _)| turns).sum()
    }

    /// The mean graded loss of a turn with its standard error, from the differences between games and
    /// players.
    fn mean(&self) -> (f64, f64) {
        let n = self.turns().max(1) as f64;
        let mean = self.graded.iter().map(|(_, loss)| loss).sum::<f64>() / n;
        let beyond = |(turns, loss): &(usize, f64)| (loss - mean * *turns as f64).powi(2);
        let squares: f64 = self.graded.iter().map(beyond).sum();
        (mean, squares.sqrt() / n)
    }
}

fn table(documents: &[ReviewDocument]) -> String {
    use ReviewPhase::{Endgame, Open, PreEndgame};
    let rows: [(&str, &[ReviewPhase]); 4] = [
        ("open game", &[Open]),
        ("pre-endgame", &[PreEndgame]),
        ("endgame", &[Endgame]),
        ("all", &[Open, PreEndgame, Endgame]),
    ];
    let lines = rows.map(|(name, phases)| line(name, &LossTally::of(documents, phases)));
    lines.join("\n")
}

fn line(name: &str, tally: &LossTally) -> String {
    let ((mean, error), turns) = (tally.mean(), tally.turns());
    let raw = tally.raw / turns.max(1) as f64;
    let [small, medium, large] = tally.mistakes;
    format!(
        "{name:>12}: {turns:4} turns, graded loss {mean:.3} ± {error:.3}, raw loss {raw:.3}, \
         mistakes: {small} small, {medium} medium, {large} large"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cazique::review::{
        MistakeClass, NotGraded, PhaseLoss, ReviewFigure, ReviewedPlayer, ReviewedTurn,
    };

    fn percent(value: f64) -> Option<ReviewFigure> {
        Some(ReviewFigure {
            value,
            error: Some(1.0),
        })
    }

    fn turn(phase: ReviewPhase, played: f64, class: MistakeClass) -> ReviewedTurn {
        ReviewedTurn {
            phase,
            win_best: percent(60.0),
            win: percent(played),
            class,
            ..ReviewedTurn::default()
        }
    }

    #[test]
    fn the_noise_is_in_the_raw_loss_alone_and_turns_that_are_not_graded_are_in_none() {
        let player = |open: f64| ReviewedPlayer {
            phases: vec![
                PhaseLoss {
                    phase: ReviewPhase::Open,
                    turns: 2,
                    win: open,
                    ..PhaseLoss::default()
                },
                PhaseLoss {
                    phase: ReviewPhase::Endgame,
                    turns: 1,
                    ..PhaseLoss::default()
                },
            ],
            ..ReviewedPlayer::default()
        };
        let not_graded = ReviewedTurn {
            not_graded: Some(NotGraded::NotLegal),
            ..turn(ReviewPhase::Open, 0.0, MistakeClass::None)
        };
        let document = ReviewDocument {
            players: vec![player(8.0), player(0.0)],
            turns: vec![
                turn(ReviewPhase::Open, 52.0, MistakeClass::Large),
                turn(ReviewPhase::Open, 61.0, MistakeClass::None),
                turn(ReviewPhase::Endgame, 60.0, MistakeClass::Small),
                not_graded,
            ],
            ..ReviewDocument::default()
        };
        let open = LossTally::of(&[document], &[ReviewPhase::Open]);
        assert_eq!((open.turns(), open.raw), (4, 7.0));
        assert_eq!(open.mistakes, [0, 0, 1]);
        // Two players with means of 4 and 0 in two turns each.
        assert_eq!(open.mean(), (2.0, 32.0_f64.sqrt() / 4.0));
    }
}
