//! Static games: the rules agree with every turn, and chance is shared.

use crate::support::{lexicon, rules};
use cazique::autoplay::{Players, play};
use cazique::lexicon::{Leaves, WordMap};
use cazique::movegen::Words;
use cazique::rules::{Game, RuleSet};
use cazique::seed::Seed;
use cazique::units::Equity;
use std::sync::Arc;

/// Leave values of a kind: blanks and S are good to keep, the rest is not.
fn leaves(rules: &RuleSet) -> Leaves {
    let single = |tile: &str, millis| {
        (
            rules.tiles.read_tiles(tile).unwrap(),
            Equity::from_millis(millis),
        )
    };
    Leaves::new([
        single("?", 25_000),
        single("S", 8_000),
        single("Q", -8_000),
        single("?S", 30_000),
    ])
    .unwrap()
}

#[test]
fn the_rules_agree_with_every_turn_and_the_result() {
    for preset in ["tournament", "deluxe", "indigo", "super"] {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, rules.board.side().into()).unwrap();
        let leaves = leaves(&rules);
        let words = Words {
            graph,
            map: Some(&map),
        };
        let players = Players {
            rules: &rules,
            words,
            leaves: [Some(&leaves), None],
        };
        for unit in 0..4 {
            let result = play(&players, [0, 1], Seed(5).for_unit(unit));
            let mut game = Game::new(Arc::clone(&rules), 2).unwrap();
            for (turn, rack) in result.turns.iter().zip(&result.racks) {
                let seat = game.position().turn();
                game.set_rack(seat, *rack).unwrap();
                game.play(turn).unwrap();
            }
            assert_eq!(game.outcome().unwrap().scores, result.scores, "{preset}");
        }
    }
}

#[test]
fn games_are_the_same_with_and_without_the_word_map() {
    let rules = rules("tournament");
    let graph = lexicon(&rules.tiles).graph();
    let map = WordMap::new(graph, 15).unwrap();
    let leaves = leaves(&rules);
    let game = |map, unit| {
        let players = Players {
            rules: &rules,
            words: Words { graph, map },
            leaves: [Some(&leaves); 2],
        };
        play(&players, [0, 1], Seed(8).for_unit(unit))
    };
    for unit in 0..60 {
        assert_eq!(game(Some(&map), unit), game(None, unit));
    }
}

/// The JSON object that the program ends with.
fn autoplay(arguments: &[&str]) -> serde_json::Value {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_cazique"));
    let output = program
        .arg("autoplay")
        .arg("--json")
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn any_number_of_threads_plays_the_same_games() {
    let timeless = |threads: &str| {
        let mut told = autoplay(&[
            "--games",
            "30",
            "--pairs",
            "--seed",
            "4",
            "--threads",
            threads,
        ]);
        for time in ["seconds", "games_per_second"] {
            assert!(told[time].as_f64().unwrap() > 0.0);
            told[time] = 0.into();
        }
        told
    };
    let one = timeless("1");
    assert_eq!(one["games"], 60);
    // Equals in mirrored pairs are exactly even.
    assert_eq!(one["p1"]["wins"], one["p2"]["wins"]);
    assert_eq!(one["p1"]["mean_spread"], 0.0);
    assert!(one["turns"].as_i64().unwrap() > 600 && one["bingos"].as_i64().unwrap() > 30);
    for threads in ["2", "7"] {
        assert_eq!(timeless(threads), one);
    }
}
