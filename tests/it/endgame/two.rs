//! Endgames of two players: the solver against its plain twin and against published solutions.

use super::{all_turns, endgame as random_endgame, small_graph};
use crate::support::{lexicon, no_limit, records, repository, rules, variation};
use cazique::lexicon::Graph;
use cazique::notation::cgp::Cgp;
use cazique::rules::{Position, RuleSet, Turn};
use cazique::search::endgame::{self, plain};
use cazique::search::{
    Budget, Goal, Solution, SolveContext, SolveRequest, SolvedLine, StopToken, WinDrawLoss,
};
use cazique::seed::Seed;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// The values of all moves.
fn all_lines() -> SolveRequest {
    SolveRequest {
        lines: usize::MAX,
        ..SolveRequest::UNLIMITED
    }
}

fn solve(position: &Position, graph: &Graph, request: &SolveRequest, budget: &Budget) -> Solution {
    let context = SolveContext {
        position,
        graph,
        candidates: &all_turns(position, graph),
        request,
        budget,
    };
    endgame::solve(context, &mut |_| {}).expect("a two-player endgame")
}

/// The solution with the words of [`small_graph`].
fn solve_small(position: &Position, request: &SolveRequest) -> Solution {
    let graph = small_graph(&position.rules().tiles);
    solve(position, graph, request, &no_limit())
}

/// Checks the gain of a line.
fn check_gain(line: &SolvedLine, gains: &[(Turn, f64)]) {
    let expected = gains.iter().find(|(turn, _)| *turn == line.candidate.turn);
    assert_eq!(Some(line.gain), expected.map(|(_, gain)| *gain));
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
        let found = solve_small(position, &request);
        assert!(found.solved);
        assert_eq!(found.lines.len(), lines.min(gains.len()));
        assert_eq!(found.lines.first().map(|line| line.gain), best);
        let mut sorted: Vec<f64> = gains.iter().map(|(_, gain)| *gain).collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for (line, gain) in found.lines.iter().zip(sorted) {
            check_gain(line, &gains);
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
    let mut results = Vec::new();
    for rules in [
        rules("tournament"),
        variation("tournament", "tie = before_adjustment"),
        rules("super"),
    ] {
        let check = |seed: u64| {
            let position = random_endgame(&rules, 2, 3, Seed(seed));
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
                let found = solve_small(&position, &request);
                assert!(found.solved);
                assert_eq!(found.lines[0].result, Some(expected), "seed {seed}");
            }
            expected
        };
        let seeds = (4_000..4_150_u64).into_par_iter();
        results.push(seeds.map(check).collect::<Vec<_>>());
    }
    // Some of the same positions end in a draw by one rule about ties and not by the other.
    assert_ne!(results[0], results[1]);
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
            let found = solve_small(&position, &request);
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
            let found = solve_small(&position, &request);
            let exact = found.lines.iter().filter(|line| line.exact);
            exact.for_each(|line| check_gain(line, &gains));
        }
        let budget = Budget::new(StopToken::default(), Some(Duration::ZERO), None);
        let graph = small_graph(&position.rules().tiles);
        let found = solve(&position, graph, &all_lines(), &budget);
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
    solve(position, graph, &request, &no_limit())
        .lines
        .remove(0)
}

#[test]
fn published_solutions_of_other_engines_are_found() {
    let records = records("tests/golden/endgame-public.jsonl");
    assert_eq!(records.len(), 51);
    records.par_iter().for_each(|record| {
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
