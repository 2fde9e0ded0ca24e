//! Endings of two players against the plain twin.

use super::{all_turns, ending, few_words};
use crate::support::{lexicon, repository, rules, variation};
use cazique::notation::cgp::Cgp;
use cazique::rules::{Position, RuleSet, Turn};
use cazique::search::endgame::solver::Goal;
use cazique::search::endgame::{self, Found, Request, WinDrawLoss, plain};
use cazique::search::ranking::Candidate;
use cazique::search::{Budget, StopToken};
use cazique::seed::Seed;
use cazique::units::Points;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

const ALL_LINES: Request = Request {
    lines: usize::MAX,
    goal: Goal::Spread,
    depth: None,
    nodes: None,
    threads: 1,
    memory: 1 << 20,
};

fn unlimited() -> Budget {
    Budget::new(StopToken::default(), None, None)
}

/// All turns of a position.
fn candidates(position: &Position) -> Vec<Candidate> {
    all_turns(position, few_words(&position.rules().tiles))
}

fn solve(position: &Position, request: &Request, budget: &Budget) -> Found {
    let graph = few_words(&position.rules().tiles);
    let all = candidates(position);
    endgame::solve(position, graph, &all, request, budget, &mut |_| {}).expect("an ending of two")
}

/// What the player on turn gains with each turn, by the plain twin.
fn gains(position: &Position) -> Vec<(Turn, Points)> {
    let (own, other) = (position.to_move(), 1 - position.to_move());
    let before = position.score(own) - position.score(other);
    let graph = few_words(&position.rules().tiles);
    let values = plain::values(position, graph).into_iter();
    values
        .map(|(turn, scores)| (turn, scores[own] - scores[other] - before))
        .collect()
}

/// Compares every line, the best alone, and both with hardly any memory.
fn compare(position: &Position) {
    let gains = gains(position);
    let best = gains.iter().map(|(_, gain)| *gain).max();
    for (lines, memory) in [(usize::MAX, 1 << 20), (1, 1 << 20), (3, 0)] {
        let request = Request {
            lines,
            memory,
            ..ALL_LINES
        };
        let found = solve(position, &request, &unlimited());
        assert!(found.solved);
        assert_eq!(found.lines.len(), lines.min(gains.len()));
        assert_eq!(found.lines.first().map(|line| line.value), best);
        let mut sorted: Vec<Points> = gains.iter().map(|(_, gain)| *gain).collect();
        sorted.sort_by_key(|gain| -gain.0);
        for (line, gain) in found.lines.iter().zip(sorted) {
            let expected = gains.iter().find(|(turn, _)| *turn == line.candidate.turn);
            assert_eq!(Some(line.value), expected.map(|(_, gain)| *gain));
            assert_eq!((line.value, line.exact), (gain, true));
            assert_eq!(line.variation.first(), Some(&line.candidate.turn));
        }
    }
}

fn compare_all(rules: &Arc<RuleSet>, most: usize, seeds: Range<u64>) {
    seeds
        .into_par_iter()
        .for_each(|seed| compare(&ending(rules, 2, most, Seed(seed))));
}

#[test]
fn two_players_find_what_the_plain_twin_finds_on_15x15() {
    compare_all(&rules("tournament"), 4, 0..1_000);
    compare_all(&rules("deluxe"), 4, 1_000..1_750);
}

#[test]
fn two_players_find_what_the_plain_twin_finds_on_21x21() {
    compare_all(&rules("super"), 4, 2_000..2_750);
    let others = variation("super", "zero_turns = 3\nout = twice");
    compare_all(&others, 4, 3_000..3_500);
}

#[test]
fn who_wins_is_what_every_line_to_its_end_says() {
    for preset in ["tournament", "super"] {
        let check = |seed: u64| {
            let position = ending(&rules(preset), 2, 3, Seed(seed));
            let graph = few_words(&position.rules().tiles);
            let expected = match plain::winner(&position, graph) {
                None => WinDrawLoss::Draw,
                Some(winner) if winner == position.to_move() => WinDrawLoss::Win,
                Some(_) => WinDrawLoss::Loss,
            };
            for threads in [1, 3] {
                let request = Request {
                    goal: Goal::Win,
                    lines: 1,
                    threads,
                    ..ALL_LINES
                };
                let found = solve(&position, &request, &unlimited());
                assert!(found.solved);
                assert_eq!(found.lines[0].result, Some(expected), "seed {seed}");
            }
        };
        (4_000..4_150_u64).into_par_iter().for_each(check);
    }
}

#[test]
fn threads_find_the_same_values() {
    for seed in 5_000..5_040 {
        let position = ending(&rules("tournament"), 2, 4, Seed(seed));
        let values = [1, 2, 5].map(|threads| {
            let request = Request {
                threads,
                ..ALL_LINES
            };
            let found = solve(&position, &request, &unlimited());
            let line = |line: &endgame::Line| (line.candidate.turn, line.value, line.exact);
            found.lines.iter().map(line).collect::<Vec<_>>()
        });
        assert_eq!(values[0], values[1]);
        assert_eq!(values[0], values[2]);
    }
}

#[test]
fn whenever_it_is_stopped_the_labels_are_true() {
    for seed in 6_000..6_060_u64 {
        let position = ending(&rules("tournament"), 2, 4, Seed(seed));
        let gains = gains(&position);
        for nodes in [0, 1, 2, 5, 20, 100, 500] {
            let request = Request {
                nodes: Some(nodes),
                ..ALL_LINES
            };
            let found = solve(&position, &request, &unlimited());
            for line in found.lines.iter().filter(|line| line.exact) {
                let expected = gains.iter().find(|(turn, _)| *turn == line.candidate.turn);
                assert_eq!(Some(line.value), expected.map(|(_, gain)| *gain));
            }
        }
        let budget = Budget::new(StopToken::default(), Some(Duration::ZERO), None);
        let found = solve(&position, &ALL_LINES, &budget);
        assert!(found.lines.iter().all(|line| line.candidate.valid));
    }
}

/// A position of the golden files by the tournament rules.
fn golden(cgp: &str) -> Position {
    let rules = rules("tournament");
    let setup = Cgp::parse(cgp).expect("CGP").setup(&rules).expect("tiles");
    Position::new(rules, setup).expect("a position")
}

/// The best line with all words.
fn best_line(position: &Position) -> endgame::Line {
    let graph = lexicon(&position.rules().tiles).graph();
    let request = Request {
        lines: 1,
        memory: 16 << 20,
        ..ALL_LINES
    };
    let all = all_turns(position, graph);
    let found = endgame::solve(position, graph, &all, &request, &unlimited(), &mut |_| {});
    found.expect("an ending of two").lines.remove(0)
}

#[test]
fn endings_that_other_engines_have_solved_get_the_same_value() {
    let file = std::fs::read_to_string(repository("tests/golden/endgame-public.jsonl"));
    let file = file.expect("a golden file");
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 51);
    lines.par_iter().for_each(|line| {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let best = best_line(&golden(record["cgp"].as_str().expect("a position")));
        let value = record["value"].as_i64().map(|value| Points(value as i32));
        assert_eq!((Some(best.value), best.exact), (value, true), "{record}");
    });
}

/// The table is smaller than what comes of them, and what it forgets is found again: the values are proved all the same.
#[test]
fn hard_endings_are_proved() {
    let file = std::fs::read_to_string(repository("tests/golden/endgame-hard.cgp"));
    let file = file.expect("a golden file");
    let values = [22, 40, 9, 32, 16, 1, 32, 18, 16, 15, -1, 17];
    let positions: Vec<(&str, i32)> = file.lines().zip(values).collect();
    assert_eq!(positions.len(), 12);
    positions.par_iter().for_each(|(cgp, value)| {
        let best = best_line(&golden(cgp));
        assert_eq!((best.value, best.exact), (Points(*value), true), "{cgp}");
    });
}
