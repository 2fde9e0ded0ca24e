//! The explanation of a choice: a table of figures and the sentences that follow from them.

use cazique::review::{
    ExplainedChoice, FrequentReply, NotGraded, ReviewFigure, ReviewPhase, ReviewedDraws,
    ReviewedMove, ReviewedTurn, explain,
};

/// A number at the start of some words.
fn number(words: &mut std::str::SplitWhitespace) -> Option<f64> {
    words.next()?.parse().ok()
}

/// A figure and its standard error, `?` if that is not known.
fn figure(text: &str) -> Option<ReviewFigure> {
    let words = &mut text.split_whitespace();
    Some(ReviewFigure {
        value: number(words)?,
        error: number(words),
    })
}

fn list(text: &str) -> Vec<String> {
    let parts = text.split(',').map(str::trim);
    parts
        .filter(|part| !part.is_empty())
        .map(String::from)
        .collect()
}

/// A candidate from its name and further fields with semicolons between them: `points 24`,
/// `leave EV 2.1` (`-` for no tiles), `win 60 0`, `gain 3 1.5`, `loss 2 0.4`, `plies 31 38`,
/// `iterations 400`, `reply O8 QUIZ 48 31`, `line A, B`, `won A (2), B`, `drawn`, `lost`, `open 1`,
/// `exact`, `bonus`, `phony`, `dropped`.
fn candidate(text: &str) -> ReviewedMove {
    let mut fields = text.split(';').map(str::trim);
    let mut found = ReviewedMove {
        text: fields.next().unwrap().to_string(),
        valid: true,
        iterations: 400,
        ..ReviewedMove::default()
    };
    let mut draws = ReviewedDraws::default();
    for field in fields {
        let (key, value) = field.split_once(' ').unwrap_or((field, ""));
        let words = &mut value.split_whitespace();
        match key {
            "points" => found.points = value.parse().unwrap(),
            "leave" => {
                let faces = words.next().unwrap().trim_matches('-');
                found.leave = match faces.contains('+') {
                    true => faces.split('+').map(String::from).collect(),
                    false => faces.chars().map(String::from).collect(),
                };
                found.leave_value = number(words).unwrap();
            }
            "win" => found.win = figure(value),
            "gain" => found.gain = figure(value),
            "loss" => found.loss = figure(value),
            "plies" => found.plies = words.map(|word| word.parse().unwrap()).collect(),
            "iterations" => found.iterations = value.parse().unwrap(),
            "reply" => {
                let words: Vec<&str> = words.collect();
                let [text @ .., points, percent] = words.as_slice() else {
                    panic!("{field}");
                };
                found.replies.push(FrequentReply {
                    text: text.join(" "),
                    points: points.parse().unwrap(),
                    percent: percent.parse().unwrap(),
                    changes: Vec::new(),
                });
            }
            "line" => found.line = list(value),
            "won" => draws.won = list(value),
            "drawn" => draws.drawn = list(value),
            "lost" => draws.lost = list(value),
            "open" => draws.open = value.parse().unwrap(),
            "exact" => found.exact = true,
            "bonus" => found.bonus = true,
            "phony" => found.valid = false,
            "dropped" => found.dropped = true,
            _ => panic!("{field}"),
        }
    }
    found.draws = (draws != ReviewedDraws::default()).then_some(draws);
    found
}

/// What is known of a turn besides its candidates: `loss 9.2 0.9`, `points 12 0`, `by-points`,
/// `preendgame`, `endgame`, `spread -3`, `sampled`, `failed`, `phonies QZE, XI`, `off`.
fn turn(text: &str) -> ReviewedTurn {
    let mut turn = ReviewedTurn::default();
    for field in text.split(';').map(str::trim) {
        let (key, value) = field.split_once(' ').unwrap_or((field, ""));
        match key {
            "loss" => turn.loss = figure(value),
            "points" => turn.points_lost = figure(value),
            "by-points" => turn.by_points = true,
            "preendgame" => turn.phase = ReviewPhase::PreEndgame,
            "endgame" => turn.phase = ReviewPhase::Endgame,
            "spread" => turn.spread = figure(value),
            "sampled" => turn.not_graded = Some(NotGraded::SampledRack),
            "failed" => turn.not_graded = Some(NotGraded::Failed),
            "phonies" => turn.phonies = list(value),
            "off" => turn.came_off = true,
            "" => {}
            _ => panic!("{field}"),
        }
    }
    turn
}

/// The explanation of a turn. The first candidate is the best one, and the last one was played.
#[track_caller]
fn check(turn_text: &str, candidates: &[&str], expected: &str) {
    let mut turn = turn(turn_text);
    turn.candidates = candidates.iter().map(|text| candidate(text)).collect();
    turn.best = Some(turn.candidates[0].text.clone());
    // A star marks the move that was played where that is not the last one.
    let starred = turn
        .candidates
        .iter()
        .position(|it| it.text.starts_with('*'));
    let played = starred.unwrap_or(candidates.len() - 1);
    for candidate in &mut turn.candidates {
        candidate.text = candidate.text.trim_start_matches('*').to_string();
    }
    turn.best = turn
        .best
        .map(|best| best.trim_start_matches('*').to_string());
    turn.candidates[played].played = true;
    let choice = ExplainedChoice::of_turn(&turn).unwrap();
    assert_eq!(explain(&choice), expected);
}

#[test]
fn a_mistake_is_explained_by_its_largest_differences() {
    for (turn, best, played, expected) in [
        (
            "loss 9.2 0.9",
            "4D FORPET; points 24; leave EV 2.1; plies 31 34",
            "I9 SERVE; points 9; leave FPT -1.0; plies 30.5 33",
            "I9 SERVE gives up 9.2 points of win probability. 4D FORPET scores 15 more and keeps EV \
             (3.1 points better than FPT).",
        ),
        (
            "loss 4.0 0.9",
            "4D FOP; points 16; leave ?ERS 30; plies 31 40",
            "I9 SERVE; points 24; leave PT? 20.5; plies 39.6 33; reply O8 QUIZ 48 31.4",
            "I9 SERVE gives up 4.0 points of win probability. 4D FOP scores 8 less, but keeps a blank \
             and ERS (9.5 points better than a blank and PT) and leaves the opponent a reply of 31 \
             points on average instead of 40. After I9 SERVE the most frequent reply, O8 QUIZ for 48, \
             comes in 31 % of games.",
        ),
        (
            "loss 12 1",
            "O1 SERVING; points 80; leave - 0; bonus",
            "8A VERS; points 20; leave GIN 1",
            "8A VERS gives up 12.0 points of win probability. O1 SERVING is a bonus play that scores 60 \
             more.",
        ),
        (
            "loss 3 1",
            "8A VERSING; points 22; leave - 0",
            "exchange QV; points 0; leave ??S -9",
            "Exchanging QV gives up 3.0 points of win probability. 8A VERSING scores 22 more and keeps \
             nothing (9.0 points better than two blanks and S).",
        ),
        (
            "loss 3 1",
            "exchange 1; points 0; leave ? 25",
            "pass; points 0; leave CH+?+A 5",
            "Passing gives up 3.0 points of win probability. Exchanging 1 tile keeps a blank (20.0 \
             points better than a blank and CH A).",
        ),
        // The next turn says more than the leave.
        (
            "loss 3 1",
            "8A VERS; points 20; leave ING 6; plies 30 45",
            "8A VIERS; points 20; leave NG 1; plies 30 33",
            "8A VIERS gives up 3.0 points of win probability. 8A VERS sets up a next turn of 45 points \
             on average instead of 33.",
        ),
    ] {
        check(turn, &[best, played], expected);
    }
}

#[test]
fn differences_within_the_noise_are_not_stated() {
    for (turn, best, played, expected) in [
        (
            "loss 3 1",
            "8A VERS; points 20; leave ING 1.9; plies 30 45; iterations 20",
            "8A VIERS; points 20; leave NG 1; plies 39 33; iterations 20",
            "8A VIERS gives up 3.0 points of win probability. No single figure shows why: the \
             difference comes from the rollouts as a whole.",
        ),
        (
            "loss 0.1 1; points 4.25 1.5; by-points",
            "8A VERS; points 20; leave ING 1",
            "8A VIER; points 19; leave NGS 1",
            "8A VIER gives up 4.2 points of expected spread. 8A VERS scores 1 more.",
        ),
        (
            "loss 3 2",
            "8A VERS; points 20; leave ING 1",
            "8A VIER; points 9; leave NGS 1",
            "8A VIER is as good as 8A VERS within the error of the search.",
        ),
        (
            "loss 3 1; sampled",
            "8A VERS; points 20; leave ING 9",
            "8A VIER; points 9; leave NGS 1",
            "8A VIER gives up 3.0 points of win probability on average over the racks that are \
             possible. 8A VERS scores 11 more.",
        ),
        (
            "loss 3 1; failed",
            "8A VERS; points 20",
            "8A VIER; points 9",
            "",
        ),
    ] {
        check(turn, &[best, played], expected);
    }
}

#[test]
fn a_phony_is_named_with_its_words() {
    let best = "4D FORPET; points 24; leave EV 2.1";
    for (turn, played, expected) in [
        (
            "loss 9.2 0.9; phonies QZE; off",
            "I9 QZE; points 0; leave EV 1; phony",
            "I9 QZE is a phony and came off the board: QZE is not in the lexicon. It gives up 9.2 \
             points of win probability. 4D FORPET scores 24 and keeps EV.",
        ),
        (
            "loss 0 0.9; phonies QZE, XI, JO",
            "I9 QZE; points 90; leave EV 1; phony",
            "I9 QZE is a phony: QZE, XI and JO are not in the lexicon.",
        ),
        (
            "loss 2 0.5; phonies QZE, XI",
            "I9 QZE; points 20; leave V 1; phony",
            "I9 QZE is a phony: QZE and XI are not in the lexicon. It gives up 2.0 points of win \
             probability. 4D FORPET scores 4 more and keeps EV (1.1 points better than V).",
        ),
        (
            "loss 9 0.5; off",
            "I9 VET; points 0; leave V 1",
            "I9 VET came off the board. It gives up 9.0 points of win probability. 4D FORPET scores 24 \
             and keeps EV.",
        ),
    ] {
        check(turn, &[best, played], expected);
    }
}

#[test]
fn a_solved_endgame_is_explained_by_its_result() {
    for (turn, best, played, expected) in [
        // The spread before the turn is the final one without the gain: -20.
        (
            "endgame; points 15 0; loss 100 0; by-points; spread -3 0",
            "4D OX; points 20; exact; gain 32 0; line 4D OX, 5E AB, 7G CD",
            "I9 SEX; points 31; exact; gain 17 0; line I9 SEX, 5E AB",
            "I9 SEX gives up 15 points. 4D OX scores 11 less, but wins by 12 instead of losing by 3 and \
             goes out before the opponent does.",
        ),
        (
            "endgame; points 1 0; loss 0 0; by-points; spread 10 0",
            "4D OX; points 20; exact; gain 2 0; line 4D OX",
            "I9 SEX; points 20; exact; gain 1 0; line I9 SEX, 5E AB, 6D C",
            "I9 SEX gives up 1 point. 4D OX wins by 11 instead of 10 and goes out at once.",
        ),
        (
            "endgame; points 5 0; loss 50 0; by-points; spread -5 0",
            "4D OX; points 20; exact; gain 9 0; line 4D OX, 5E AB, 7G CD, pass",
            "I9 SEX; points 21; exact; gain 4 0; line I9 SEX, pass",
            "I9 SEX gives up 5 points. 4D OX scores 1 less, but draws instead of losing by 5.",
        ),
        (
            "endgame; points 5 0; loss 0 0; by-points; spread -9 0",
            "4D OX; points 22; exact; gain 9 0; line 4D OX, A1 B, 7G CD",
            "I9 SEX; points 21; exact; gain 4 0; line I9 SEX, A1 B, 1A C, A2 D, 1A E",
            "I9 SEX gives up 5 points. 4D OX loses by 4 instead of 9 and goes out in 2 turns instead of \
             3.",
        ),
        // Only the winner was searched.
        (
            "endgame; loss 50 0",
            "4D OX; points 20; exact; win 100 0",
            "I9 SEX; points 20; exact; win 50 0",
            "I9 SEX gives up 50.0 points of win probability. 4D OX wins instead of drawing.",
        ),
        (
            "endgame; points 6 ?; by-points",
            "4D OX; points 22",
            "I9 SEX; points 20",
            "I9 SEX gives up about 6 points as far as the search got. 4D OX scores 2 more.",
        ),
        (
            "endgame; points 0 0; loss 0 0; by-points; spread -9 0",
            "4D OX; points 20; exact; gain 4 0; line 4D OX",
            "I9 SEX; points 21; exact; gain 4 0; line I9 SEX",
            "I9 SEX is as good as 4D OX.",
        ),
    ] {
        check(turn, &[best, played], expected);
    }
}

#[test]
fn a_pre_endgame_is_explained_by_its_draws() {
    for (turn, best, played, expected) in [
        (
            "preendgame; loss 37.5 0",
            "4D OX; points 20; exact; win 100 0; won A, B (3), EE (4)",
            "I9 SEX; points 26; exact; win 62.5 0; won A, EE (4); lost B (3)",
            "I9 SEX gives up 37.5 points of win probability. 4D OX scores 6 less, but wins with 8 of 8 \
             draws instead of 5.",
        ),
        (
            "preendgame; loss 12.5 0",
            "4D OX; points 26; exact; win 56.2 0; won A (4); drawn B; lost C (3)",
            "I9 SEX; points 26; exact; win 43.8 0; won AB (28); lost AC (28)",
            "I9 SEX gives up 12.5 points of win probability. 4D OX loses with 3 of 8 draws instead of 28 \
             of 56.",
        ),
        (
            "preendgame; loss 12.5 3",
            "4D OX; points 26; win 56 2; won A (4); open 4",
            "I9 SEX; points 20; win 44 2; lost A (4); open 4",
            "I9 SEX gives up 12.5 points of win probability. 4D OX scores 6 more.",
        ),
    ] {
        check(turn, &[best, played], expected);
    }
}

#[test]
fn the_best_move_is_praised_with_its_lead() {
    for (turn, candidates, expected) in [
        (
            "loss 0 0",
            &[
                "*4D FORPET; points 24; leave EV 2.1",
                "8A VOX; points 40; leave S 1; dropped",
                "I9 QZE; points 40; leave S 1; phony",
                "I9 SERVE; points 9; leave FPT -1.0; loss 3.2 0.5",
            ][..],
            "4D FORPET is the best move, 3.2 points of win probability ahead of I9 SERVE. It scores 15 \
             more and keeps EV (3.1 points better than FPT).",
        ),
        (
            "loss 0 0",
            &[
                "*exchange QV; points 0; leave AEINR 12; gain 20 1",
                "pass; points 0; leave AEINRQV -1.0; loss 0.3 0.5; gain 15 1",
            ],
            "Exchanging QV is the best move, 5.0 points of expected spread ahead of passing. It keeps \
             AEINR (13.0 points better than AEINRQV).",
        ),
        (
            "loss 0 0",
            &[
                "*4D FORPET; points 24; leave EV 2.1; gain 20 2",
                "I9 SERVE; points 9; leave FPT -1.0; loss 0.7 0.5; gain 19 2",
            ],
            "4D FORPET is the best move found, and I9 SERVE is as good within the error of the search.",
        ),
        (
            "endgame; loss 0 0; points 0 0; spread 8 0",
            &[
                "*4D OX; points 20; exact; gain 8 0; loss 0 0",
                "I9 SEX; points 18; exact; gain 7 0; loss 0 0",
            ],
            "4D OX is the best move, 1 point ahead of I9 SEX. It wins by 8 instead of 7 and scores 2 \
             more.",
        ),
        (
            "endgame; loss 0 0; points 0 0; spread 8 0",
            &[
                "*4D OX; points 20; exact; gain 8 0; loss 0 0",
                "I9 SEX; points 28; exact; gain 8 0; loss 0 0",
            ],
            "4D OX is the best move, and I9 SEX is as good.",
        ),
        (
            "loss 0 0",
            &["*pass; points 0; leave AE 1"],
            "Passing is the best move.",
        ),
    ] {
        check(turn, candidates, expected);
    }
}
