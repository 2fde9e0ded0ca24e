//! Whole games: the rules agree with every turn, mirrored games have the same draws, and players who
//! search keep to their limits.

use crate::support::{cases, lexicon, rules, run, variation};
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::engine::Engine;
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
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, rules.board.side().into()).unwrap();
        let leaves = leaves(&rules);
        let words = Words::new(graph, Some(&map));
        for count in rules.players.0..=rules.players.1 {
            let mut each = vec![PlayerKind::Static(None); count];
            each[0] = PlayerKind::Static(Some(&leaves));
            let players = Players {
                rules: &rules,
                words,
                each,
            };
            for unit in 0..4 {
                let result = play(&players, unit % count, Seed(5).for_unit(unit as u64));
                assert_rules_agree(&rules, &result);
            }
        }
    }
}

/// Plays the turns of a result again, by the rules alone, and compares the end.
fn assert_rules_agree(rules: &Arc<RuleSet>, result: &GameResult) {
    let name = format!("{} with {} players", rules.name, result.scores.len());
    let mut game = Game::new(Arc::clone(rules), result.scores.len()).unwrap();
    for (turn, rack) in result.turns.iter().zip(&result.racks) {
        let seat = game.position().to_move();
        game.set_rack(seat, *rack).unwrap();
        game.play(turn).unwrap();
    }
    for (seat, rack) in result.left.iter().enumerate() {
        game.set_rack(seat, *rack).unwrap();
    }
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.scores[..], result.scores[..], "{name}");
    assert_eq!(Some(outcome.end), result.end, "{name}");
    match outcome.winner {
        Some(winner) => assert_eq!(result.winners[..], [winner], "{name}"),
        None => {
            let best = outcome.scores.iter().max().unwrap();
            assert!(result.winners.len() > 1, "{name}");
            let mut winners = result.winners.iter();
            assert!(winners.all(|seat| outcome.scores[*seat] == *best), "{name}");
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
            each: vec![PlayerKind::Static(Some(&leaves)); 2],
        };
        play(&players, 0, Seed(8).for_unit(unit))
    };
    for unit in 0..60 {
        assert_eq!(game(Some(&map), unit), game(None, unit));
    }
}

/// The result of a run of `cazique autoplay`.
fn autoplay(arguments: &[&str]) -> serde_json::Value {
    let mut finished = run(&[&["autoplay", "--json"], arguments].concat(), "");
    // A game on a busy machine may take so long that progress is reported.
    let is_progress = |line: &&str| line.contains(" per second, ");
    finished.stderr = finished
        .stderr
        .lines()
        .filter(|line| !is_progress(line))
        .collect();
    finished.json()
}

/// The same without times, which differ, and without the settings of the players.
fn timeless(arguments: &[&str], threads: &str) -> serde_json::Value {
    let mut told = autoplay(&[arguments, &["--threads", threads]].concat());
    for time in ["/seconds", "/games_per_second", "/p1/search/ms_per_turn"] {
        if let Some(time) = told.pointer_mut(time) {
            assert!(time.as_f64().unwrap() > 0.0);
            *time = 0.into();
        }
    }
    told["provenance"].take();
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
fn after_few_games_the_interval_of_the_win_probability_is_wide() {
    let players = ["--games", "3", "--p2", "leaves=none", "--seed", "3"];
    let told = autoplay(&players);
    let interval = &told["p1"]["win_interval_95"];
    let [low, high] = [0, 1].map(|end| interval[end].as_f64().unwrap());
    let share = told["p1"]["win_share"].as_f64().unwrap();
    assert!(
        low <= share && share <= high && high - low > 0.5,
        "{interval}"
    );
    assert_eq!(told["p2"]["win_interval_95"][1].as_f64(), Some(1.0 - low));
    let printed = run(&[&["autoplay"], &players[..]].concat(), "").stdout;
    assert!(
        printed.contains("% (95 % interval ") && !printed.contains("± 0.00"),
        "{printed}"
    );
}

#[test]
fn identical_players_in_mirrored_games_are_even_by_construction() {
    let is_even = |players: &[&str]| {
        let arguments = [&["--games", "2"], players].concat();
        let printed = run(&[&["autoplay"], &arguments[..]].concat(), "").stdout;
        let told = autoplay(&arguments);
        let is_even = told["identical_players"].as_bool().unwrap();
        let line = "\nidentical players: 50 % by construction\n";
        assert_eq!(printed.contains(line), is_even, "{printed}");
        assert_eq!(told["p1"]["win_interval_95"].is_null(), is_even);
        assert_eq!(told["p1"]["mean_spread_se"].is_null(), is_even);
        is_even
    };
    assert!(is_even(&["--pairs"]));
    assert!(is_even(&["--pairs", "--p1", "mode=static,leaves=auto"]));
    assert!(!is_even(&["--pairs", "--p1", "leaves=none"]));
    assert!(!is_even(&[]));
}

/// The figures of each player of a match.
fn each_player(told: &serde_json::Value, players: usize) -> Vec<&serde_json::Value> {
    let names = (1..=players).map(|player| &told[format!("p{player}")]);
    assert!(told[format!("p{}", players + 1)].is_null(), "{told}");
    names.collect()
}

#[test]
fn identical_players_share_the_wins_of_three_and_four_seats_by_construction() {
    for (players, percent) in [(3, "33.33"), (4, "25")] {
        let count = format!("--players={players}");
        let arguments = ["--games=3", "--rules=deluxe", "--pairs", &count];
        let told = autoplay(&arguments);
        assert_eq!(
            (&told["games"], &told["unfinished"]),
            (&(3 * players).into(), &0.into())
        );
        assert_eq!(told["identical_players"], true);
        for player in each_player(&told, players) {
            assert_eq!(player["wins"], told["p1"]["wins"]);
            assert_eq!(player["mean_score"], told["p1"]["mean_score"]);
            assert_eq!(player["mean_spread"], told["p1"]["mean_spread"]);
            let share = player["win_share"].as_f64().unwrap();
            assert!((share - 1.0 / players as f64).abs() < 1e-9, "{share}");
            assert!(player["win_interval_95"].is_null());
        }
        // Only the winner of a game leads over the best opponent.
        assert!(told["p1"]["mean_spread"].as_f64().unwrap() < 0.0);
        let printed = run(&[&["autoplay"], &arguments[..]].concat(), "").stdout;
        let line = format!("\nidentical players: {percent} % by construction\n");
        assert!(printed.contains(&line), "{printed}");
    }
}

#[test]
fn the_figures_of_three_players_agree_with_the_records_of_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let match_of_three = [
        "--players=3",
        "--rules=travel",
        "--games=4",
        "--pairs",
        "--seed=7",
    ];
    let arguments = [&match_of_three[..], &["--p2=leaves=none", "--gcg", path]].concat();
    let told = autoplay(&arguments);
    assert_eq!(told["games"], 12);
    assert_eq!(told["provenance"]["p3"]["settings"], "mode=static");
    let (mut wins, mut scores, mut leads) = ([0; 3], [0; 3], [0; 3]);
    for file in fs::read_dir(path).unwrap() {
        let file = file.unwrap().path();
        let (record, _) = GameRecord::parse(&fs::read(&file).unwrap(), ReadMode::Strict).unwrap();
        let replay = record.replay(&rules("travel"), ReadMode::Strict).unwrap();
        let outcome = replay.game.outcome().unwrap();
        let nicks: Vec<&str> = record.players.iter().map(|it| it.nick.as_str()).collect();
        // The letter of the file says who begins; the others follow in order.
        let name = file.file_stem().unwrap().to_str().unwrap();
        let first = ["a", "b", "c"].iter().position(|end| name.ends_with(end));
        let order = ["p1", "p2", "p3", "p1", "p2"];
        assert_eq!(nicks, order[first.unwrap()..][..3], "{name}");
        for (seat, nick) in nicks.iter().enumerate() {
            let player: usize = nick[1..].parse::<usize>().unwrap() - 1;
            let others = (0..3).filter(|other| *other != seat);
            let best = others.map(|other| outcome.scores[other].0).max().unwrap();
            wins[player] += i64::from(outcome.winner == Some(seat));
            scores[player] += outcome.scores[seat].0;
            leads[player] += outcome.scores[seat].0 - best;
        }
    }
    for (at, player) in each_player(&told, 3).into_iter().enumerate() {
        assert_eq!(player["wins"], wins[at]);
        let total = |key: &str| (player[key].as_f64().unwrap() * 12.0).round();
        assert_eq!(total("mean_score"), f64::from(scores[at]));
        assert_eq!(total("mean_spread"), f64::from(leads[at]));
        let interval = &player["win_interval_95"];
        let share = player["win_share"].as_f64().unwrap();
        assert!(interval[0].as_f64().unwrap() < share && share < interval[1].as_f64().unwrap());
    }
    let shares = each_player(&told, 3)
        .into_iter()
        .map(|it| it["win_share"].as_f64().unwrap());
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn a_search_of_any_number_of_players_gives_the_same_games_with_any_threads() {
    for players in ["3", "4"] {
        let games = |threads| {
            let count = [
                "--players",
                players,
                "--rules=indigo",
                "--games=2",
                "--draw",
            ];
            let player = ["--p1=mode=sim,iterations=4,candidates=3"];
            timeless(&[&count[..], &player].concat(), threads)
        };
        let one = games("1");
        assert!(one["p1"]["search"]["turns"].as_i64().unwrap() > 5, "{one}");
        assert!(one["p2"]["search"].is_null() && one["unfinished"] == 0);
        assert_eq!(games("2"), one);
    }
}

#[test]
fn the_draw_decides_who_moves_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = [0; 3];
    for draw in [true, false] {
        let place = folder.path().join(draw.to_string());
        let mut arguments = vec!["--players=3", "--rules=deluxe", "--games=20", "--gcg"];
        arguments.push(place.to_str().unwrap());
        arguments.extend(draw.then_some("--draw"));
        autoplay(&arguments);
        for file in fs::read_dir(&place).unwrap() {
            let text = fs::read(file.unwrap().path()).unwrap();
            let (record, _) = GameRecord::parse(&text, ReadMode::Strict).unwrap();
            let player: usize = record.players[0].nick[1..].parse().unwrap();
            first[player - 1] += usize::from(draw);
            assert!(draw || player == 1);
        }
    }
    assert!(first.iter().all(|games| *games > 1), "{first:?}");
    let both = run(&["autoplay", "--draw", "--pairs"], "");
    assert!(!both.success && both.stdout.is_empty());
}

#[test]
fn a_player_without_a_seat_is_refused() {
    let refused = run(&["autoplay", "--rules=deluxe", "--p3=leaves=none"], "");
    let error = "--p3 is given, and the game has 2 players; set --players";
    assert_eq!(refused.stderr, format!("cazique: {error}\n"));
    let alone = run(&["autoplay", "--rules=deluxe", "--players=1"], "");
    let error = "--players is 1, the rule set 'deluxe' is for 2 to 4 players";
    assert_eq!(alone.stderr, format!("cazique: {error}\n"));
}

#[test]
fn a_match_names_engine_rules_words_and_the_tables_of_each_player() {
    let players = [
        "--p1=mode=sim,iterations=1",
        "--p2=leaves=none",
        "--games=1",
    ];
    let told = autoplay(&players);
    let expected = serde_json::json!({
        "engine": concat!("Cazique/", env!("CARGO_PKG_VERSION")), "rules": "tournament", "seed": 1,
        "lexicon": "OEL26", "lexicon_hash": "3ec211bd375cb139",
        "p1": {
            "settings": "mode=sim iterations=1",
            "leaves": "OEL26:d0c49b2c", "winpct": "OEL26:9cb4edc0",
        },
        "p2": {
            "settings": "mode=static leaves=none", "leaves": "none", "winpct": "OEL26:9cb4edc0",
        },
    });
    assert_eq!(told["provenance"], expected);
    let printed = run(&[&["autoplay"], &players[..]].concat(), "").stdout;
    let lines: Vec<&str> = printed.lines().skip(1).take(2).collect();
    let expected = [
        "p1 mode=sim iterations=1; leaves OEL26:d0c49b2c, winpct OEL26:9cb4edc0",
        "p2 mode=static leaves=none; leaves none, winpct OEL26:9cb4edc0",
    ];
    assert_eq!(lines, expected);
}

/// Nobody can play a word with four Z, so that both exchange until the game is abandoned.
#[test]
fn an_abandoned_game_is_not_a_win() {
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("zzzz.txt");
    fs::write(&words, "zzzz\n").unwrap();
    let rules = folder.path().join("endless.txt");
    fs::write(&rules, "base = indigo\nmax_scoreless_rounds = 0\n").unwrap();
    let arguments = [
        "autoplay",
        "--games=2",
        "--rules",
        rules.to_str().unwrap(),
        "--lexicon",
        words.to_str().unwrap(),
    ];
    let finished = run(&[&arguments[..], &["--json"]].concat(), "");
    let told: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(
        (&told["unfinished"], &told["games"]),
        (&2.into(), &0.into()),
        "{told}"
    );
    for player in ["p1", "p2"] {
        assert_eq!(told[player]["wins"], 0);
        assert!(told[player]["win_share"].is_null(), "{told}");
    }
    let printed = run(&arguments, "").stdout;
    assert!(printed.contains("\n2 games abandoned or forfeited; their games do not count\n"));
    assert!(
        !printed.contains("NaN") && !printed.contains("wins"),
        "{printed}"
    );
    // The built-in values were trained with other words.
    let warned = finished
        .stderr
        .contains("warning: the leave values OEL26:d0c49b2c were made with");
    assert!(
        warned && told["warnings"][0].is_string(),
        "{}",
        finished.stderr
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_statistics_of_the_finished_games() {
    use std::process::{Command, Stdio};
    for json in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_cazique"));
        let program = program.args(["autoplay", "--games=1000000", "--pairs", "--p2=leaves=none"]);
        let program = program.arg("--gcg").arg(folder.path());
        let program = program.args(json.then_some("--json"));
        let program = program.stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = program.spawn().unwrap();
        // The second pair begins when the first is finished and recorded.
        let second = folder.path().join("0000002a.gcg");
        while !second.exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = program.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .unwrap()
                .success()
        );
        let output = program.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let printed = String::from_utf8(output.stdout).unwrap();
        match json {
            true => {
                let told: serde_json::Value = serde_json::from_str(&printed).unwrap();
                assert_eq!(told["interrupted"], true);
                assert!(told["games"].as_i64().unwrap() >= 2, "{told}");
            }
            false => {
                assert!(
                    printed.contains(" of 1000000 pairs finished\n"),
                    "{printed}"
                );
                assert!(printed.contains("\np1 wins ") && printed.contains("\nsignature "));
            }
        }
    }
}

#[test]
fn a_folder_that_holds_records_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["autoplay", "--games=1", "--gcg", path];
    assert!(run(&arguments, "").success);
    let again = run(&arguments, "");
    assert!(!again.success && again.stdout.is_empty());
    let way_out = "the folder holds game records already, such as 0001.gcg; name another folder, or remove them";
    assert_eq!(again.stderr, format!("cazique: {path}: {way_out}\n"));
}

#[test]
fn a_wrong_player_is_told_what_it_can_be() {
    let table = r"
        mode=fast => mode is 'fast', it must be one of static, sim, auto
        mode=sim,movetime=soon => movetime is 'soon', it must be a whole number from 1 to 86400000
        mode=sim,threads=0,iterations=1 => threads is '0', it must be a whole number from 1 to 1024
        mode=sim,plies=2 => mode is 'sim', it needs one of movetime, iterations, time
        mode=sim,movetime=9,inc=9 => inc needs a clock; set time too
        iterations=9 => iterations needs mode=sim or mode=auto, and the mode is static
        wordmap=maybe => wordmap is 'maybe', it must be one of on, off
        sim => 'sim' has no value; a setting is KEY=VALUE
        speed=9 => there is no setting 'speed'; the settings are mode, leaves, wordmap, endgame, peg, target, variations, movetime, iterations, time, inc, plies, candidates, threads";
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
        each: vec![PlayerKind::Static(None); 2],
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
        let mut games = deals.map(|deal| play(&players, 0, deal)).enumerate();
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
            let findings = Engine::new().unwrap().set_record(&record, record.turns());
            assert_eq!(findings.unwrap(), [], "{}", file.display());
            let replay = record.replay(&rules(preset), ReadMode::Strict).unwrap();
            let outcome = replay.game.outcome().unwrap();
            scores += outcome.scores.iter().map(|score| score.0).sum::<i32>();
        }
        let mean = |player: &str| told[player]["mean_score"].as_f64().unwrap();
        let total = (mean("p1") + mean("p2")) * told["games"].as_f64().unwrap();
        assert_eq!(total.round(), f64::from(scores));
    }
}
