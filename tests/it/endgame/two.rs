//! Endgames of two players: the solver against its plain twin and against published solutions.

use super::{all_turns, endgame as random_endgame, small_graph};
use crate::support::{lexicon, repository, rules, variation};
use cazique::notation::cgp::Cgp;
use cazique::rules::{Position, RuleSet, Turn};
use cazique::search::endgame::{self, plain};
use cazique::search::ranking::Candidate;
use cazique::search::{
    Budget, Goal, Solution, SolveContext, SolveRequest, SolvedLine, StopToken, WinDrawLoss,
};
use cazique::seed::Seed;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Values of all moves.
fn all_lines() -> SolveRequest {
    SolveRequest {
        lines: usize::MAX,
        ..SolveRequest::UNLIMITED
    }
}

fn unlimited() -> Budget {
    Budget::new(StopToken::default(), None, None)
}

/// All legal turns of a position.
fn candidates(position: &Position) -> Vec<Candidate> {
    all_turns(position, small_graph(&position.rules().tiles))
}

fn solve(position: &Position, request: &SolveRequest, budget: &Budget) -> Solution {
    let graph = small_graph(&position.rules().tiles);
    let all = candidates(position);
    let context = SolveContext {
        position,
        graph,
        candidates: &all,
        request,
        budget,
    };
    endgame::solve(context, &mut |_| {}).expect("a two-player endgame")
}

/// The change of the spread by each turn of the player to move, by the plain twin.
fn gains(position: &Position) -> Vec<(Turn, f64)> {
    let (own, other) = (position.to_move(), 1 - position.to_move());
    let before = position.score(own) - position.score(other);
    let graph = small_graph(&position.rules().tiles);
    let values = plain::values(position, graph).into_iter();
    values
        .map(|(turn, scores)| (turn, f64::from((scores[own] - scores[other] - before).0)))
        .collect()
}

/// Compares all lines, the best line, and the best three with hardly any memory.
fn compare(position: &Position) {
    let gains = gains(position);
    let best = gains.iter().map(|(_, gain)| *gain).max_by(f64::total_cmp);
    for (lines, table_bytes) in [(usize::MAX, 1 << 20), (1, 1 << 20), (3, 0)] {
        let request = SolveRequest {
            lines,
            table_bytes,
            ..all_lines()
        };
        let found = solve(position, &request, &unlimited());
        assert!(found.solved);
        assert_eq!(found.lines.len(), lines.min(gains.len()));
        assert_eq!(found.lines.first().map(|line| line.gain), best);
        let mut sorted: Vec<f64> = gains.iter().map(|(_, gain)| *gain).collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for (line, gain) in found.lines.iter().zip(sorted) {
            let expected = gains.iter().find(|(turn, _)| *turn == line.candidate.turn);
            assert_eq!(Some(line.gain), expected.map(|(_, gain)| *gain));
            assert_eq!((line.gain, line.exact), (gain, true));
            assert_eq!(line.variation.first(), Some(&line.candidate.turn));
        }
    }
}

fn compare_all(rules: &Arc<RuleSet>, max_tiles: usize, seeds: Range<u64>) {
    seeds
        .into_par_iter()
        .for_each(|seed| compare(&random_endgame(rules, 2, max_tiles, Seed(seed))));
}

#[test]
fn values_of_two_players_equal_the_plain_twin_on_15x15() {
    compare_all(&rules("tournament"), 4, 0..1_000);
    compare_all(&rules("deluxe"), 4, 1_000..1_750);
}

#[test]
fn values_of_two_players_equal_the_plain_twin_on_21x21() {
    compare_all(&rules("super"), 4, 2_000..2_750);
    let others = variation("super", "zero_turns = 3\nout = twice");
    compare_all(&others, 4, 3_000..3_500);
}

#[test]
fn the_winner_equals_the_plain_twin() {
    for preset in ["tournament", "super"] {
        let check = |seed: u64| {
            let position = random_endgame(&rules(preset), 2, 3, Seed(seed));
            let graph = small_graph(&position.rules().tiles);
            let expected = match plain::winner(&position, graph) {
                None => WinDrawLoss::Draw,
                Some(winner) if winner == position.to_move() => WinDrawLoss::Win,
                Some(_) => WinDrawLoss::Loss,
            };
            for threads in [1, 3] {
                let request = SolveRequest {
                    goal: Goal::Win,
                    threads,
                    ..SolveRequest::UNLIMITED
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
fn any_number_of_threads_finds_the_same_values() {
    for seed in 5_000..5_040 {
        let position = random_endgame(&rules("tournament"), 2, 4, Seed(seed));
        let values = [1, 2, 5].map(|threads| {
            let request = SolveRequest {
                threads,
                ..all_lines()
            };
            let found = solve(&position, &request, &unlimited());
            let line = |line: &SolvedLine| (line.candidate.turn, line.gain, line.exact);
            found.lines.iter().map(line).collect::<Vec<_>>()
        });
        assert_eq!(values[0], values[1]);
        assert_eq!(values[0], values[2]);
    }
}

#[test]
fn exact_labels_are_true_whenever_the_search_is_stopped() {
    for seed in 6_000..6_060_u64 {
        let position = random_endgame(&rules("tournament"), 2, 4, Seed(seed));
        let gains = gains(&position);
        for nodes in [0, 1, 2, 5, 20, 100, 500] {
            let request = SolveRequest {
                nodes: Some(nodes),
                ..all_lines()
            };
            let found = solve(&position, &request, &unlimited());
            for line in found.lines.iter().filter(|line| line.exact) {
                let expected = gains.iter().find(|(turn, _)| *turn == line.candidate.turn);
                assert_eq!(Some(line.gain), expected.map(|(_, gain)| *gain));
            }
        }
        let budget = Budget::new(StopToken::default(), Some(Duration::ZERO), None);
        let found = solve(&position, &all_lines(), &budget);
        assert!(found.lines.iter().all(|line| line.candidate.valid));
    }
}

/// A position of a golden file, by the tournament rules.
fn golden(cgp: &str) -> Position {
    let rules = rules("tournament");
    let setup = Cgp::parse(cgp).expect("CGP").setup(&rules).expect("tiles");
    Position::new(rules, setup).expect("a position")
}

/// The best line with the whole lexicon.
fn best_line(position: &Position) -> SolvedLine {
    let graph = lexicon(&position.rules().tiles).graph();
    let request = SolveRequest {
        table_bytes: 16 << 20,
        ..SolveRequest::UNLIMITED
    };
    let all = all_turns(position, graph);
    let context = SolveContext {
        position,
        graph,
        candidates: &all,
        request: &request,
        budget: &unlimited(),
    };
    let found = endgame::solve(context, &mut |_| {});
    found.expect("a two-player endgame").lines.remove(0)
}

#[test]
fn published_solutions_of_other_engines_are_found() {
    let file = std::fs::read_to_string(repository("tests/golden/endgame-public.jsonl"));
    let file = file.expect("a golden file");
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 51);
    lines.par_iter().for_each(|line| {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let best = best_line(&golden(record["cgp"].as_str().expect("a position")));
        let value = record["value"].as_f64();
        assert_eq!((Some(best.gain), best.exact), (value, true), "{record}");
    });
}

/// These searches need more entries than the table has, so that replaced entries are searched
/// again.
#[test]
fn hard_endgames_are_proved() {
    let file = std::fs::read_to_string(repository("tests/golden/endgame-hard.cgp"));
    let file = file.expect("a golden file");
    let values = [
        22.0, 40.0, 9.0, 32.0, 16.0, 1.0, 32.0, 18.0, 16.0, 15.0, -1.0, 17.0,
    ];
    let positions: Vec<(&str, f64)> = file.lines().zip(values).collect();
    assert_eq!(positions.len(), 12);
    positions.par_iter().for_each(|(cgp, value)| {
        let best = best_line(&golden(cgp));
        assert_eq!((best.gain, best.exact), (*value, true), "{cgp}");
    });
}
