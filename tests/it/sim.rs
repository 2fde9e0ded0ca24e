//! Simulation and its time management: results equal those of a plain twin for any number of
//! threads, candidates drop out only with evidence, moves use only the allowed words and
//! stay within the clock.

mod plain;

use crate::support::{Client, lexicon, no_limit, random_game, rules, run};
use cazique::eval::win_table::WinTable;
use cazique::eval::{BuiltInTables, WinModel};
use cazique::lexicon::{Graph, LeaveValues, Lexicon, TextEncoding, WordMap, text};
use cazique::movegen::Words;
use cazique::rules::{PRESETS, Position, Turn};
use cazique::search::clock::Clock;
use cazique::search::ranking::{self, Candidate, RankingRequest, RankingScope, SearchKnowledge};
use cazique::search::sim::{EliminationPolicy, SimRequest, SimResult, StopConfidence, simulate};
use cazique::seed::Seed;
use cazique::units::{Equity, WinProb};
use plain::plain_rollout;
use std::time::{Duration, Instant};

/// Everything that a search needs to know for one rule set.
struct Book {
    map: Option<WordMap>,
    leaves: LeaveValues,
    table: WinTable,
    graph: &'static Graph,
}

impl Book {
    fn of(preset: &str) -> Book {
        let rules = rules(preset);
        let built_in = BuiltInTables::of(&rules).unwrap();
        let graph = lexicon(&rules.tiles).graph();
        Book {
            map: WordMap::new(graph, 21),
            leaves: built_in.leaves().unwrap(),
            table: built_in.win_table().unwrap(),
            graph,
        }
    }

    fn knowledge(&self) -> SearchKnowledge<'_> {
        let words = Words::new(self.graph, self.map.as_ref());
        SearchKnowledge::new(words, Some(&self.leaves))
    }

    fn candidates(&self, position: &Position, count: usize, also: &[Turn]) -> Vec<Candidate> {
        let request = RankingRequest {
            count,
            scope: RankingScope::Best,
            only: Vec::new(),
            also: also.to_vec(),
        };
        ranking::rank(position, self.knowledge(), &request, &no_limit()).candidates
    }

    fn simulate(
        &self,
        position: &Position,
        candidates: &[Candidate],
        request: &SimRequest,
    ) -> SimResult {
        self.simulate_with(self.knowledge(), position, candidates, request)
    }

    fn simulate_with(
        &self,
        knowledge: SearchKnowledge,
        position: &Position,
        candidates: &[Candidate],
        request: &SimRequest,
    ) -> SimResult {
        let (chances, budget) = (WinModel::Table(&self.table), no_limit());
        simulate(
            position,
            knowledge,
            chances,
            candidates,
            request,
            &budget,
            &mut |_| {},
        )
    }
}

/// The start of a tournament game with a rack.
fn opening(rack: &str) -> Position {
    let rules = rules("tournament");
    let rack = rules.tiles.read_tiles(rack).unwrap();
    let mut position = Position::start(rules, 2).unwrap();
    position.set_rack(0, rack).unwrap();
    position
}

fn request(iterations: u64) -> SimRequest {
    SimRequest {
        plies: None,
        iterations: Some(iterations),
        confidence: None,
        elimination: EliminationPolicy::Cautious,
        endgame_verdicts: true,
        seed: Seed(5),
        threads: 1,
        memory: 64 << 20,
    }
}

/// Every `every`-th position of a random game, with the rack of the player to move.
fn positions(preset: &str, players: usize, every: usize, book: &Book) -> Vec<Position> {
    let rules = rules(preset);
    let mut positions = Vec::new();
    let mut turn = 0;
    random_game(&rules, players, book.graph, Seed(77), |game, _| {
        turn += 1;
        if turn % every == 0 && game.end().is_none() {
            let mut position = game.position().clone();
            for other in position.turn_order().skip(1).collect::<Vec<_>>() {
                // The player to move does not know the opponents' racks.
                let _ = position.set_known_tiles(other, Default::default());
            }
            positions.push(position);
        }
    });
    positions
}

#[test]
fn a_simulation_is_what_its_plain_twin_says() {
    for (preset, players) in [("tournament", 2), ("deluxe", 3), ("super", 2)] {
        let book = Book::of(preset);
        for position in positions(preset, players, 5, &book) {
            let candidates = book.candidates(&position, 6, &[]);
            for plies in [0, 1, 4] {
                let iterations = 3;
                let asked = SimRequest {
                    plies: Some(plies),
                    elimination: EliminationPolicy::Never,
                    // Without memory, workers keep no boards.
                    memory: if plies == 4 { 0 } else { 64 << 20 },
                    ..request(iterations)
                };
                let standing = book.simulate(&position, &candidates, &asked);
                for simulated in &standing.candidates {
                    let plain = (0..standing.iterations).map(|iteration| {
                        let world = asked.seed.for_unit(iteration);
                        plain_rollout(&position, &book, &simulated.candidate, plies, world)
                    });
                    let plain: Vec<(WinProb, Equity)> = plain.collect();
                    let mean = |sum: i64| sum as f64 / plain.len() as f64;
                    let wins: i64 = plain.iter().map(|(win, _)| i64::from(win.parts())).sum();
                    let gains: i64 = plain.iter().map(|(_, gain)| i64::from(gain.millis())).sum();
                    let found = (simulated.win.mean(), simulated.gain.mean());
                    assert_eq!(found, (mean(wins), mean(gains)), "{preset} {plies}");
                }
            }
        }
    }
}

/// The result of a simulation, which must be the same for several numbers of threads.
fn simulate_with_threads(
    book: &Book,
    position: &Position,
    candidates: &[Candidate],
    request: &SimRequest,
) -> SimResult {
    let [one, two, seven] = [1, 2, 7].map(|threads| {
        let request = SimRequest {
            threads,
            ..request.clone()
        };
        book.simulate(position, candidates, &request)
    });
    assert_eq!(one, two);
    assert_eq!(one, seven);
    one
}

#[test]
fn the_same_iterations_give_the_same_result_for_any_number_of_threads() {
    for preset in PRESETS {
        let book = Book::of(preset);
        let players = rules(preset).players.1;
        for position in positions(preset, players, 9, &book) {
            let candidates = book.candidates(&position, 9, &[Turn::Pass]);
            let asked = SimRequest {
                plies: Some(2),
                ..request(25)
            };
            simulate_with_threads(&book, &position, &candidates, &asked);
        }
    }
}

/// A verdict on an endgame must not depend on the verdicts that the same thread gave before.
#[test]
fn endgame_verdicts_are_the_same_for_any_number_of_threads() {
    let mut late = 0;
    for (preset, every) in [("tournament", 2), ("super", 3)] {
        let book = Book::of(preset);
        for position in positions(preset, 2, every, &book) {
            if !(1..=14).contains(&position.bag_len()) {
                continue;
            }
            late += 1;
            let candidates = book.candidates(&position, 6, &[]);
            let result = simulate_with_threads(&book, &position, &candidates, &request(120));
            assert_eq!(result.iterations, 120);
            // Samples without verdicts are reported until there are as many with verdicts.
            let shorter = book.simulate(&position, &candidates, &request(60));
            assert_eq!(shorter.candidates[0].win.count, 60);
            assert!(result.candidates[0].win.count < 120);
        }
    }
    assert!(late > 3);
}

#[test]
fn twenty_runs_of_the_program_give_the_same_answer() {
    let run = |threads: usize| {
        let position = "position cgp 15/15/15/15/4L5TAWIE/3OUZO2HUM3/4N1BARONAGE1/3FACETE2SOFA/4T3J6/4E2DON5/4D2HIE5/7ONE5/4ADIOS6/7T7/7I7 AELPRY?/ 160/232 0";
        let go = "go sim iterations 12 seed 3 candidates 8 depth 2 threads";
        let mut lines = answer(&format!("{position}\n{go} {threads}"));
        lines.retain(|line| !line.starts_with("info time "));
        lines
    };
    let first = run(1);
    assert!(first.iter().any(|line| line.starts_with("info sim ")));
    for threads in (0..20).map(|at| [1, 2, 7][at % 3]) {
        assert_eq!(run(threads), first);
    }
}

#[test]
fn only_candidates_behind_the_leader_drop_out() {
    let book = Book::of("tournament");
    for position in positions("tournament", 2, 4, &book) {
        let candidates = book.candidates(&position, 20, &[Turn::Pass]);
        // With verdicts, the samples of live candidates start anew after some iterations.
        let asked = SimRequest {
            endgame_verdicts: false,
            ..request(60)
        };
        let standing = book.simulate(&position, &candidates, &asked);
        let live: Vec<_> = standing.candidates.iter().filter(|it| it.live).collect();
        assert!(live.len() >= 2.min(candidates.len()));
        assert_eq!(standing.dropped, candidates.len() - live.len());
        for simulated in &standing.candidates {
            assert!(simulated.live || !simulated.candidate.requested);
            let most = standing.iterations;
            let fewest = if simulated.live { most } else { 6 };
            assert!((fewest..=most).contains(&simulated.win.count));
        }
        assert!(standing.candidates[0].live);
        // Without elimination, every candidate gets every world, and none is marked as dropped.
        let all = SimRequest {
            elimination: EliminationPolicy::Never,
            ..request(8)
        };
        let all = book.simulate(&position, &candidates, &all);
        let mut candidates = all.candidates.iter();
        assert!(candidates.all(|it| it.live && it.win.count == all.iterations));
    }
}

#[test]
fn a_stop_condition_ends_a_clear_choice_early() {
    let book = Book::of("tournament");
    let position = opening("AEINRST");
    let candidates = book.candidates(&position, 1, &[Turn::Pass]);
    let asked = SimRequest {
        confidence: Some(StopConfidence {
            wrong_per_thousand: 10,
        }),
        ..request(100_000)
    };
    let standing = book.simulate(&position, &candidates, &asked);
    assert!(standing.iterations < 1_000, "{}", standing.iterations);
    assert!(matches!(standing.best(), Turn::Place(_)));
}

#[test]
fn with_all_tiles_known_one_world_is_enough() {
    let book = Book::of("tournament");
    let rules = rules("tournament");
    let mut checked = 0;
    random_game(&rules, 2, book.graph, Seed(4), |game, _| {
        let position = game.position();
        if position.bag_len() > 0 || game.end().is_some() {
            return;
        }
        let candidates = book.candidates(position, 30, &[]);
        let standing = book.simulate(position, &candidates, &request(50));
        assert_eq!(standing.iterations, 1);
        for simulated in &standing.candidates {
            let mut after = game.clone();
            after.play(&simulated.candidate.turn).unwrap();
            assert_eq!(simulated.exact, after.end().is_some(), "{simulated:?}");
        }
        checked += 1;
    });
    assert!(checked > 2);
}

fn clock(left_ms: i64, increment_ms: u64) -> Clock {
    Clock {
        left_ms,
        increment_ms,
    }
}

#[test]
fn the_allotted_time_never_exceeds_the_clock() {
    let book = Book::of("tournament");
    let positions = positions("tournament", 2, 1, &book);
    let lefts = [1, 10, 50, 100, 300, 1_000, 5_000, 60_000, 1_500_000];
    for left in lefts.into_iter().chain([1_000_000_000]) {
        for increment in [0, 10, 1_000, 1_000_000] {
            let mut clock = clock(left, increment);
            for position in positions.iter().step_by(2) {
                if clock.left_ms <= 0 {
                    break;
                }
                let allotted = clock.allot(position);
                assert!(allotted.target <= allotted.max);
                let most = allotted.max.as_millis() as i64;
                assert!(most <= clock.left_ms.max(5), "{clock:?} {allotted:?}");
                // Every move takes the longest time.
                clock.left_ms += increment as i64 - most;
            }
            assert!(left < 100 || clock.left_ms > 0, "{left} {increment}");
        }
    }
    // In overtime the rest of the minute that has begun can be used, but not the next minute.
    let overtime = |left| clock(left, 0).allot(&positions[0]).max;
    assert!(overtime(-1_000) > Duration::from_secs(1));
    assert!(overtime(-1_000) < Duration::from_secs(59));
    // At a full minute the next one has not begun, just as the first one has not at 0.
    for left in [0, -60_000, -120_000] {
        assert_eq!(overtime(left), Duration::ZERO, "{left}");
    }
    assert!(overtime(-59_990) <= Duration::from_millis(10));
    assert_eq!(overtime(-61_000), overtime(-1_000));
}

#[test]
fn time_and_stop_are_kept() {
    let mut client = Client::start();
    client.ask("position startpos\nrack AEINRS?");
    // Generous, because the machine may be busy. This is a guard; `benches` measure.
    let slack = Duration::from_millis(1_000);
    for millis in [0, 1, 30, 200] {
        let start = Instant::now();
        client.say(&format!("go movetime {millis}"));
        client.until("bestmove ");
        let took = start.elapsed();
        let meant = Duration::from_millis(millis);
        assert!((meant..meant + slack).contains(&took), "{took:?} {meant:?}");
    }
    client.say("go infinite");
    client.until("info sim ");
    let start = Instant::now();
    client.say("stop");
    client.until("bestmove ");
    assert!(start.elapsed() < slack);
}

/// A lexicon of a few words.
fn small_lexicon(words: &str) -> Lexicon {
    let tiles = &rules("tournament").tiles;
    let (words, _) = text::read(words.as_bytes(), tiles, TextEncoding::Auto).unwrap();
    Lexicon::from_words("SMALL", tiles, &words).unwrap()
}

#[test]
fn a_ranking_proposes_only_words_that_the_mover_knows() {
    let book = Book::of("tournament");
    let small = small_lexicon("SAIN\nTRAIN\nTRAINS\nQUIZ\n");
    let position = opening("AEINRST");
    let bingo = book.candidates(&position, 1, &[])[0].turn;
    let mut knowledge = book.knowledge();
    knowledge.vocabulary.known = Words::new(small.graph(), None);
    for scope in [RankingScope::All, RankingScope::Best] {
        let request = RankingRequest {
            count: usize::MAX,
            scope,
            only: Vec::new(),
            also: vec![bingo],
        };
        let ranking = ranking::rank(&position, knowledge, &request, &no_limit());
        let mut proposed = 0;
        for candidate in &ranking.candidates {
            let Turn::Place(placement) = &candidate.turn else {
                continue;
            };
            let score = position.examine(placement).unwrap();
            let knows = |graph: &Graph| score.words.iter().all(|it| graph.contains(&it.word()));
            // The named move has a word that is legal, but that the mover does not know.
            assert_eq!(knows(small.graph()), !candidate.requested, "{candidate:?}");
            assert!(candidate.valid);
            proposed += usize::from(!candidate.requested);
        }
        // Across alone, TRAINS can cover the centre in 6 ways, TRAIN in 5 and SAIN in 4.
        assert!(proposed >= 15, "{scope:?} {proposed}");
    }
}

#[test]
fn opponents_in_a_rollout_play_only_words_they_are_assumed_to_know() {
    let book = Book::of("tournament");
    // With 100 tiles, no rack has the letters for this.
    let nothing = small_lexicon("ZZZ\n");
    let mut knowledge = book.knowledge();
    knowledge.vocabulary.assumed = Words::new(nothing.graph(), None);
    let positions = positions("tournament", 2, 9, &book);
    let position = &positions[0];
    let candidates = book.candidates(position, 6, &[]);
    let asked = SimRequest {
        plies: Some(3),
        endgame_verdicts: false,
        ..request(10)
    };
    let result = book.simulate_with(knowledge, position, &candidates, &asked);
    for simulated in &result.candidates {
        let [opponent, mover, again] = [0, 1, 2].map(|ply| simulated.plies[ply].points.mean());
        assert!(opponent == 0.0 && mover > 0.0 && again == 0.0);
    }
}

// Regression tests: one for each bug that was found in use.

/// The answer of the program to these lines, up to the best move.
fn answer(lines: &str) -> Vec<String> {
    let mut client = Client::start();
    client.say(lines);
    client.until("bestmove ")
}

#[test]
fn with_all_tiles_known_the_rollout_decides_alone() {
    let lines = answer(
        "position cgp 4EQUALInG3/3WRIST7/7O7/L6K7/OO2CLYSTER4/AX6HM5/V3DUOMO6/E2ZERDA3P3/SPOON6F3/1A1AID3BYE3/1G7EEN3/VeNTURI2NAN3/1A7J1I3/INERTIAL3G3/1T4ROUCHE3 ADEFIIS/ 300/300 0\ngo sim",
    );
    let mut lines = lines.iter();
    let best = lines.find(|it| it.contains(" rank 1 kind ")).unwrap();
    assert!(best.contains(" wp 100.00 "), "{best}");
}

#[test]
fn a_requested_phony_does_not_keep_a_clear_choice_open() {
    let lines = answer(
        "position startpos moves 8F.HORN H6.FARM rack.PASTEXY\n\
         go sim stopcondition 95 candidates 3 iterations 20000 alsosearchmoves 10F.PASTEXY",
    );
    let mut summaries = lines.iter().filter(|line| line.starts_with("info time "));
    let last = summaries.next_back().unwrap();
    assert!(!last.contains(" 20000 iterations "), "{last}");
}

#[test]
fn equal_players_have_equal_win_probabilities() {
    for players in 2..=4 {
        let lines = answer(&format!(
            "setoption name Rules value deluxe\nsetoption name Players value {players}\n\
             position startpos moves rack.AAEIRST\ngo sim iterations 60 searchmoves ex.AAEIRST"
        ));
        let mut lines = lines.iter();
        let told = lines.find(|line| line.starts_with("info sim ")).unwrap();
        let percent: f64 = told.split(' ').nth(5).unwrap().parse().unwrap();
        let even = 100.0 / f64::from(players);
        // Exchanging all tiles at the start costs a few percent.
        assert!((even - 17.0..even + 5.0).contains(&percent), "{told}");
        assert!(told.contains(" iters 60 "), "{told}");
    }
}

#[test]
fn every_requested_move_is_simulated() {
    let lines = answer(
        "position startpos moves 8F.HORN H6.FARM rack.PASTEX?\n\
         go sim candidates 1000 iterations 1 depth 0 alsosearchmoves pass ex.PA",
    );
    for asked in ["info sim move pass ", "info sim move ex.AP "] {
        assert!(lines.iter().any(|line| line.starts_with(asked)), "{asked}");
    }
    // A rollout that stops before the end of the game is not exact.
    assert!(!lines.iter().any(|line| line.contains(" kind exact ")));
}

#[test]
fn a_clock_with_only_an_increment_gives_time_for_a_move() {
    let position = Position::start(rules("tournament"), 2).unwrap();
    assert!(clock(0, 0).allot(&position).max <= Duration::from_millis(5));
    let mut client = Client::start();
    client.ask("position startpos\nrack AEINRST");
    let start = Instant::now();
    client.say("go 1inc 100 2inc 100");
    client.until("bestmove ");
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn rollouts_that_all_end_alike_leave_an_error() {
    let mut client = Client::start();
    let position =
        std::fs::read_to_string(crate::support::repository("examples/nippers.txt")).unwrap();
    let position = position.lines().next().unwrap();
    client.say(&format!(
        "{position}\ngo sim iterations 40 searchmoves 3B.NIPPERS"
    ));
    let lines = client.until("bestmove");
    let line = lines.iter().find(|line| line.starts_with("info sim "));
    // 40 wins in 40 rollouts: the standard deviation of the posterior is 2.3 percent.
    let line = line.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(
        line.contains(" wp 100.00 wpse 2.32 ") && line.contains(" kind estimate "),
        "{line}"
    );
}

/// Once 400 points ahead were 100.00 percent with an error of 0.00, and 450 points had an error.
#[test]
fn rollouts_that_end_nearly_alike_leave_an_error_too() {
    for lead in [400, 450] {
        let mut client = Client::start();
        client.say(&format!(
            "position cgp 15/15/15/15/15/15/15/5HORN6/15/15/15/15/15/15/15 AEINRST/ {lead}/0 0\n\
             go sim iterations 20 candidates 1"
        ));
        let lines = client.until("bestmove");
        let moves = lines.iter().filter(|line| line.starts_with("info sim "));
        for line in moves {
            assert!(line.contains(" wpse 4.34 "), "{line}");
        }
    }
}

#[test]
fn a_single_iteration_has_no_standard_error() {
    let keys = |iterations: u64| {
        let mut client = Client::start();
        client.say(&format!(
            "position startpos moves rack.AEKNRSV\ngo sim iterations {iterations} candidates 2"
        ));
        let mut lines = client.until("bestmove");
        lines.retain(|line| line.starts_with("info sim "));
        assert!(lines.len() >= 2, "{lines:?}");
        let has = |key: &str| lines.iter().all(|line| line.contains(key));
        [" wpse ", " eqse "].map(has)
    };
    assert_eq!([keys(1), keys(2)], [[false; 2], [true; 2]]);
    let query =
        r#"{"id": "a", "rack": "AEKNRSV", "mode": "sim", "iterations": 1, "candidates": 2}"#;
    let answer = run(&["--json"], query).json();
    let best = &answer["candidates"][0];
    assert!(
        best["win"].is_number() && best["winError"].is_null(),
        "{best}"
    );
    assert!(
        best["equity"].is_number() && best["equityError"].is_null(),
        "{best}"
    );
}
