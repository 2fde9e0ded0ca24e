//! Whole games: the rules agree with every turn, mirrored games have the same draws, and players who
//! search keep to their limits.

use crate::support::{cases, lexicon, rules, run, variation};
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::lexicon::{LeaveValues, WordMap};
use cazique::movegen::Words;
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::rules::{Game, RuleSet};
use cazique::seed::Seed;
use cazique::units::Equity;
use std::fs;
use std::sync::Arc;

/// Leave values of a kind: blanks and S are good to keep, the rest is not.
fn leaves(rules: &RuleSet) -> LeaveValues {
    let leaves = [("?", 25_000), ("S", 8_000), ("Q", -8_000), ("?S", 30_000)];
    let value = |(tiles, millis)| {
        let leave = rules.tiles.read_tiles(tiles).unwrap();
        (leave, Equity::from_millis(millis))
    };
    LeaveValues::new(leaves.map(value)).unwrap()
}

#[test]
fn the_rules_agree_with_every_turn_and_the_result() {
    // A target ends games in another way.
    let target = variation("tournament", "target = 150\n");
    let presets = ["tournament", "deluxe", "indigo", "super"].map(rules);
    for rules in presets.into_iter().chain([target]) {
        let preset = &rules.name;
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, rules.board.side().into()).unwrap();
        let leaves = leaves(&rules);
        let words = Words::new(graph, Some(&map));
        let players = Players {
            rules: &rules,
            words,
            each: [PlayerKind::Static(Some(&leaves)), PlayerKind::Static(None)],
        };
        for unit in 0..4 {
            let result = play(&players, [0, 1], Seed(5).for_unit(unit));
            let mut game = Game::new(Arc::clone(&rules), 2).unwrap();
            for (turn, rack) in result.turns.iter().zip(&result.racks) {
                let seat = game.position().to_move();
                game.set_rack(seat, *rack).unwrap();
                game.play(turn).unwrap();
            }
            for (seat, rack) in result.left.iter().enumerate() {
                game.set_rack(seat, *rack).unwrap();
            }
            let outcome = game.outcome().unwrap();
            assert_eq!(outcome.scores, result.scores, "{preset}");
            assert_eq!(Some(outcome.end), result.end, "{preset}");
            assert_eq!(outcome.winner, result.winner, "{preset}");
        }
    }
}

#[test]
fn games_are_the_same_with_and_without_the_word_map() {
    let rules = rules("tournament");
    let graph = lexicon(&rules.tiles).graph();
    let map = WordMap::new(graph, 15).unwrap();
    let leaves = leaves(&rules);
    let game = |map: Option<&WordMap>, unit| {
        let players = Players {
            rules: &rules,
            words: Words::new(graph, map),
            each: [PlayerKind::Static(Some(&leaves)); 2],
        };
        play(&players, [0, 1], Seed(8).for_unit(unit))
    };
    for unit in 0..60 {
        assert_eq!(game(Some(&map), unit), game(None, unit));
    }
}

/// The result of a run of `cazique autoplay`.
fn autoplay(arguments: &[&str]) -> serde_json::Value {
    run(&[&["autoplay", "--json"], arguments].concat(), "").json()
}

/// The same without times, which differ.
fn timeless(arguments: &[&str], threads: &str) -> serde_json::Value {
    let mut told = autoplay(&[arguments, &["--threads", threads]].concat());
    for time in ["/seconds", "/games_per_second", "/p1/search/ms_per_turn"] {
        if let Some(time) = told.pointer_mut(time) {
            assert!(time.as_f64().unwrap() > 0.0);
            *time = 0.into();
        }
    }
    told
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let arguments = ["--games", "30", "--pairs", "--seed", "4"];
    let one = timeless(&arguments, "1");
    assert_eq!(one["games"], 60);
    // Equals in mirrored pairs are exactly even.
    assert_eq!(one["p1"]["wins"], one["p2"]["wins"]);
    assert_eq!(one["p1"]["mean_spread"], 0.0);
    assert!(one["turns"].as_i64().unwrap() > 600 && one["bingos"].as_i64().unwrap() > 30);
    assert!(one["p1"]["search"].is_null());
    for threads in ["2", "7"] {
        assert_eq!(timeless(&arguments, threads), one);
    }
}

#[test]
fn searches_of_so_many_iterations_play_the_same_games_with_any_threads() {
    let games = |player, threads| {
        let arguments = ["--games", "2", "--pairs", "--seed", "6", "--p1", player];
        timeless(&arguments, threads)
    };
    let one = games("mode=sim,iterations=12,candidates=4", "1");
    let search = &one["p1"]["search"];
    let iterations = search["iterations_per_turn"].as_f64().unwrap();
    // With an empty bag one iteration tells all that there is to know.
    assert!(iterations > 8.0 && iterations < 12.0, "{iterations}");
    assert!(search["turns"].as_i64().unwrap() > 20 && search["clock"].is_null());
    assert!(one["p2"]["search"].is_null());
    for (player, threads) in [
        ("mode=sim,iterations=12,candidates=4", "2"),
        ("mode=sim,iterations=12,candidates=4,threads=2", "2"),
    ] {
        assert_eq!(games(player, threads), one);
    }
}

#[test]
fn a_game_goes_on_in_overtime_and_tells_of_it() {
    let (short, long) = (
        "--p1=mode=sim,time=1,iterations=3",
        "--p2=mode=sim,time=600000,inc=1000,movetime=5",
    );
    let told = autoplay(&["--games=2", short, long]);
    let clock = |player: &str| told[player]["search"]["clock"].clone();
    let (short, long) = (clock("p1"), clock("p2"));
    assert_eq!(short["oversteps"], 2);
    let worst = short["worst_overstep_ms"].as_i64().unwrap();
    assert!(worst > 0 && short["least_left_ms"] == -worst, "{short}");
    assert!(short["used"].as_f64().unwrap() > 1.0);
    assert_eq!(long["oversteps"], 0);
    assert_eq!(long["worst_overstep_ms"], 0);
    assert!(long["least_left_ms"].as_i64().unwrap() > 500_000, "{long}");
    assert!(long["used"].as_f64().unwrap() < 0.1);
}

#[test]
fn a_wrong_player_is_told_what_it_can_be() {
    let table = r"
        mode=fast => mode is 'fast', it must be one of static, sim, auto
        mode=sim,movetime=soon => movetime is 'soon', it must be a number from 1 to 86400000
        mode=sim,threads=0,iterations=1 => threads is '0', it must be a number from 1 to 1024
        mode=sim,plies=2 => mode is 'sim', it needs one of movetime, iterations, time
        mode=sim,movetime=9,inc=9 => inc needs a clock; set time too
        iterations=9 => iterations needs mode=sim or mode=auto, and the mode is static
        wordmap=maybe => wordmap is 'maybe', it must be one of on, off
        sim => 'sim' has no value; a setting is KEY=VALUE
        speed=9 => there is no setting 'speed'; the settings are mode, leaves, wordmap, endgame, peg, movetime, iterations, time, inc, plies, candidates, threads";
    for (player, error) in cases(table) {
        let finished = run(&["autoplay", "--games", "1", "--p2", &player], "");
        assert!(!finished.success && finished.stdout.is_empty());
        assert_eq!(finished.stderr, format!("cazique: --p2: {error}\n"));
    }
}

#[test]
fn close_deals_are_the_first_in_which_nobody_is_far_ahead_when_search_begins() {
    let rules = rules("tournament");
    let graph = lexicon(&rules.tiles).graph();
    let map = WordMap::new(graph, 15).unwrap();
    let players = Players {
        rules: &rules,
        words: Words::new(graph, Some(&map)),
        each: [PlayerKind::Static(None); 2],
    };
    let (bag, most) = (10, 12);
    let mut left_out = 0;
    let is_close = |result: &GameResult| {
        let mut game = Game::new(Arc::clone(&rules), 2).unwrap();
        for turn in &result.turns {
            if game.position().bag_len() <= bag {
                break;
            }
            game.play(turn).unwrap();
        }
        let [one, other] = [0, 1].map(|seat| game.position().score(seat).0);
        (one - other).abs() <= most
    };
    for seed in [1, 2, 3] {
        let unit = Seed(seed).for_unit(0);
        let deals = std::iter::once(unit).chain((1..).map(|deal| unit.for_unit(deal)));
        let mut games = deals.map(|deal| play(&players, [0, 1], deal)).enumerate();
        let (others, first) = games.find(|(_, game)| is_close(game)).unwrap();
        left_out += others;
        let seed = format!("--seed={seed}");
        let players = ["--p1=leaves=none", "--p2=leaves=none", &seed];
        let limits = ["--games=1", "--bag=10", "--close=12"];
        let told = autoplay(&[players, limits].concat());
        assert_eq!(told["signature"], format!("{:016x}", first.signature()));
        assert_eq!(told["left_out"], others);
    }
    assert!(left_out > 0, "all deals were close");
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_cazique"));
    let mut program = program
        .args(["autoplay", "--games", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(program.stdout.take());
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
}

#[test]
fn every_game_can_be_told_by_a_record_that_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    for (preset, pairs) in [("tournament", true), ("indigo", false), ("super", false)] {
        let place = folder.path().join(preset);
        let mut arguments = vec!["--games", "3", "--rules", preset, "--gcg"];
        arguments.push(place.to_str().unwrap());
        arguments.extend(pairs.then_some("--pairs"));
        let told = autoplay(&arguments);
        let files = fs::read_dir(&place).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        let first = if pairs { "0001a.gcg" } else { "0001.gcg" };
        assert_eq!(files[0], place.join(first));
        assert_eq!(told["games"], files.len());
        let mut scores = 0;
        for file in files {
            let (record, _) =
                GameRecord::parse(&fs::read(&file).unwrap(), ReadMode::Strict).unwrap();
            assert_eq!(record.pragma("lexicon"), Some("OEL26"));
            let replay = record.replay(&rules(preset), ReadMode::Strict).unwrap();
            let outcome = replay.game.outcome().unwrap();
            scores += outcome.scores.iter().map(|score| score.0).sum::<i32>();
        }
        let mean = |player: &str| told[player]["mean_score"].as_f64().unwrap();
        let total = (mean("p1") + mean("p2")) * told["games"].as_f64().unwrap();
        assert_eq!(total.round(), f64::from(scores));
    }
}
