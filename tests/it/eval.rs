//! Static evaluation: the parts of an equity add up, all callers agree on it, and
//! files of leave values are read as their users expect.

use crate::support::{Client, lexicon, random_game, repository, rules};
use cazique::eval::{BuiltInTables, EvalContext, Evaluator};
use cazique::lexicon::{LeaveValues, WordMap};
use cazique::movegen::{Generator, Words};
use cazique::rules::{PRESETS, Turn};
use cazique::search::ranking::{self, RankingRequest, SearchKnowledge};
use cazique::search::{Budget, StopToken};
use cazique::seed::Seed;
use cazique::units::{Equity, Points};
use std::fs;
use std::path::PathBuf;

/// The built-in leave values for the rules of a preset.
fn built_in(preset: &str) -> LeaveValues {
    BuiltInTables::of(&rules(preset)).unwrap().leaves().unwrap()
}

#[test]
fn every_preset_has_leave_values_built_in() {
    for preset in PRESETS {
        // Twice the tiles make more leaves.
        let leaves = if preset == "super" {
            1_086_701
        } else {
            914_624
        };
        assert_eq!(built_in(preset).len(), leaves, "{preset}");
    }
}

#[test]
fn generator_evaluator_and_ranking_agree_on_the_equity_of_every_turn() {
    for (unit, preset) in PRESETS.iter().enumerate() {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, 21);
        let words = Words {
            graph,
            map: map.as_ref().into(),
        };
        let leaves = built_in(preset);
        let leaves = Some(&leaves).filter(|_| *preset != "school");
        let players = if unit % 2 == 0 { 2 } else { rules.players.1 };
        let seed = Seed(31).for_unit(unit as u64);
        random_game(&rules, players, graph, seed, |game, _| {
            let position = game.position();
            let context = EvalContext::of(position);
            let mut evaluator = Evaluator::new(&rules, leaves);
            let mut generator = Generator::new(&rules, words, position.grid());
            let rack_leaves = evaluator.rack_leaves(&context).clone();
            generator.for_each_play(&rack_leaves, |play| {
                let equity =
                    evaluator.breakdown(&Turn::Place(play.placement), play.points, &context);
                assert_eq!(equity.total(), play.equity, "{play:?}");
            });
            let request = RankingRequest {
                count: usize::MAX,
                ..RankingRequest::default()
            };
            let budget = Budget::new(StopToken::default(), None, None);
            let ranking = ranking::rank(
                position,
                SearchKnowledge::new(words, leaves),
                &request,
                &budget,
            );
            let equities: Vec<Equity> = ranking
                .candidates
                .iter()
                .map(|candidate| candidate.worth.total())
                .collect();
            assert!(equities.is_sorted_by(|a, b| a >= b));
            let best = evaluator.best(&mut generator, &context);
            assert_eq!(best.equity, equities[0], "{:?}", ranking.candidates[0]);
            let equity = evaluator.breakdown(&best.turn, best.points, &context);
            assert_eq!(equity.total(), best.equity);
        });
    }
}

#[test]
fn a_pass_never_has_more_equity_than_an_exchange_of_all_tiles() {
    let rules = rules("tournament");
    let leaves = built_in("tournament");
    let evaluator = Evaluator::new(&rules, Some(&leaves));
    let mut chance = Seed(7).generator();
    for _ in 0..200 {
        let rack = rules.tiles.all().draw(7, &mut chance);
        let context = EvalContext {
            rack: &rack,
            bag: 80,
            opponent_points: Points::ZERO,
            players: 2,
            is_first_play: false,
        };
        let equity = |turn: Turn| evaluator.breakdown(&turn, Points::ZERO, &context).total();
        assert!(equity(Turn::Pass) <= equity(Turn::Exchange(rack)));
    }
}

/// Exchanges and passes leave the bag as it is, so their adjustment is the same.
#[test]
fn the_late_game_adjustment_needs_two_players_and_leave_values() {
    let rules = rules("tournament");
    let leaves = built_in("tournament");
    let rack = rules.tiles.read_tiles("AEINRST").unwrap();
    let adjustment = |leaves: Option<&LeaveValues>, players: usize, bag: usize| {
        let context = EvalContext {
            rack: &rack,
            bag,
            opponent_points: Points::ZERO,
            players,
            is_first_play: false,
        };
        let evaluator = Evaluator::new(&rules, leaves);
        let adjustment = |turn: Turn| evaluator.breakdown(&turn, Points::ZERO, &context).late_game;
        assert_eq!(adjustment(Turn::Pass), adjustment(Turn::Exchange(rack)));
        adjustment(Turn::Pass)
    };
    assert_ne!(adjustment(Some(&leaves), 2, 1), Equity::ZERO);
    assert_eq!(adjustment(Some(&leaves), 2, 30), Equity::ZERO);
    assert_eq!(adjustment(Some(&leaves), 3, 1), Equity::ZERO);
    assert_eq!(adjustment(None, 2, 1), Equity::ZERO);
}

/// Going out, and keeping tiles worth 3, when the opponents hold 12 points.
#[test]
fn with_an_empty_bag_the_spread_counts() {
    let check = |preset: &str, players: usize, out: i32, kept: i32| {
        let rules = rules(preset);
        let evaluator = Evaluator::new(&rules, None);
        let adjustment = |rack: &str| {
            let context = EvalContext {
                rack: &rules.tiles.read_tiles(rack).unwrap(),
                bag: 0,
                opponent_points: Points(12),
                players,
                is_first_play: false,
            };
            let equity = evaluator.breakdown(&Turn::Pass, Points::ZERO, &context);
            assert_eq!(equity.total(), equity.late_game);
            equity.late_game.millis()
        };
        assert_eq!(
            (adjustment(""), adjustment("AD")),
            (out, kept),
            "{preset} {players}"
        );
    };
    check("tournament", 2, 24_000, -16_000);
    // Each player loses the own tiles and one gets the sum: for two the same.
    check("deluxe", 2, 24_000, -16_000);
    check("deluxe", 3, 18_000, -14_500);
    check("deluxe", 4, 16_000, -14_000);
}

/// Writes a temporary file and returns its path.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cazique-eval-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// The bytes of a file with the leaves `?` 28.291, `QU` 2.254 and `S` 9.106.
fn klv2() -> Vec<u8> {
    const END: u32 = 1 << 22;
    const LEAVE: u32 = 1 << 23;
    let tile = |letter: u8| u32::from(letter - b'@') << 24;
    let nodes = [
        END | 1,
        LEAVE,
        tile(b'Q') | 4,
        tile(b'S') | LEAVE | END,
        tile(b'U') | LEAVE | END,
    ];
    let values = [28.291_f32, 2.254, 9.106];
    let mut bytes = (nodes.len() as u32).to_le_bytes().to_vec();
    bytes.extend(nodes.iter().flat_map(|node| node.to_le_bytes()));
    bytes.extend((values.len() as u32).to_le_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Checks what `go gen` answers about `moves` with a rack on an empty board, after some
/// options are set: the table in use, then a line for each move.
fn check(options: &[(&str, &str)], rack: &str, moves: &str, expected: &[&str]) {
    let mut client = Client::start();
    for (name, value) in options {
        let said = client.ask(&format!("setoption name {name} value {value}"));
        assert!(said.is_empty(), "{said:?}");
    }
    client.say(&format!("position startpos moves rack.{rack}"));
    client.say(&format!("go gen searchmoves {moves}"));
    let said = client.until("bestmove");
    let answer = |line: &String| {
        let text = line
            .strip_prefix("info gen move ")
            .or(line.strip_prefix("info string "));
        let provenance = text?.split(' ').find(|word| word.starts_with("leaves="));
        provenance.or(text).map(str::to_string)
    };
    let answers: Vec<String> = said.iter().filter_map(answer).collect();
    assert_eq!(answers, expected, "{options:?}");
}

/// [`check`] for KNAVE from a rack that keeps an S.
fn check_knave(options: &[(&str, &str)], table: &str, line: &str) {
    check(options, "AEKNSV", "8D.KNAVE", &[table, line]);
}

#[test]
fn a_file_of_leave_values_sets_the_values_of_leaves() {
    let path = file("small.klv2", &klv2());
    let leaves = [("Leaves", path.to_str().unwrap())];
    check(
        &leaves,
        "AEKNSV?",
        "8D.KNAVES 8D.KNAVE 8D.KNAVEs ex.AEKNV ex.AEKNVS ex.AEKNV?",
        &[
            "leaves=small.klv2:fc34aee7",
            "8D.KNAVES score 36 eq 64.291 leave ? rank 1 kept 28.291",
            "8D.KNAVEs score 34 eq 43.106 leave S rank 2 kept 9.106",
            // A leave that the file lacks is worth zero.
            "8D.KNAVE score 34 eq 34 leave S? rank 3",
            "ex.AEKNSV score 0 eq 28.291 leave ? rank 4 kept 28.291",
            "ex.AEKNV? score 0 eq 9.106 leave S rank 5 kept 9.106",
            "ex.AEKNV score 0 eq 0 leave S? rank 6",
        ],
    );
    check(
        &leaves,
        "TRAINQU",
        "8H.TRAIN",
        &[
            "leaves=small.klv2:fc34aee7",
            "8H.TRAIN score 12 eq 14.254 leave QU rank 1 kept 2.254",
        ],
    );
    let csv = file("small.csv", b"leave,value\nS,9.106\nQU,2.254\n?,28.291\n");
    check_knave(
        &[("Leaves", csv.to_str().unwrap())],
        "leaves=small.csv:fc34aee7",
        "8D.KNAVE score 34 eq 43.106 leave S rank 1 kept 9.106",
    );
}

#[test]
fn the_option_chooses_the_leave_values() {
    let built_in = "8D.KNAVE score 34 eq 41.119 leave S rank 1 kept 7.119";
    check_knave(&[], "leaves=OEL26:d0c49b2c", built_in);
    check_knave(&[("Leaves", "AUTO")], "leaves=OEL26:d0c49b2c", built_in);
    let plain = "8D.KNAVE score 34 eq 34 leave S rank 1";
    check_knave(&[("Leaves", "none")], "leaves=none", plain);
    // The lexicon does not matter.
    let words = file("own.txt", b"KNAVE\nKNAVES\n");
    let words = words.to_str().unwrap();
    check_knave(&[("Lexicon", words)], "leaves=OEL26:d0c49b2c", built_in);
    // A name is looked up on the DataPath.
    let path = file("named.klv2", &klv2());
    let folder = path.parent().unwrap().to_str().unwrap();
    check_knave(
        &[("DataPath", folder), ("Leaves", "named")],
        "leaves=named.klv2:fc34aee7",
        "8D.KNAVE score 34 eq 43.106 leave S rank 1 kept 9.106",
    );
    // The built-in values are for racks of at most 7.
    let large = file("large.txt", b"base = deluxe\nrack = 8\nbonus = 8:50\n");
    check(
        &[("Rules", large.to_str().unwrap())],
        "AEKNSV",
        "8D.KNAVE",
        &[
            "leaves none: no built-in leave values suit racks of 8 of the tiles 'english'; set Leaves to a file, or to none",
            "leaves=none",
            plain,
        ],
    );
}

#[test]
fn leave_values_that_cannot_be_used_are_refused_and_change_nothing() {
    let mut client = Client::start();
    let mut refused = |value: &str, error: &str| {
        let said = client.ask(&format!("setoption name Leaves value {value}"));
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("info string error data "), "{said:?}");
        assert!(said[0].contains(error), "{said:?}");
        client.say("position startpos moves rack.AEKNSV\ngo gen candidates 1");
        let said = client.until("bestmove");
        assert!(said[0].contains(" leaves=OEL26:"), "{said:?}");
    };
    let advice = "they can be a file, a name on the DataPath, auto or none";
    refused("nowhere.klv2", advice);
    let cut = file("cut.klv2", &klv2()[..30]);
    refused(
        cut.to_str().unwrap(),
        "it is cut short or of another format",
    );
    let csv = file("wrong.csv", b"S,nine\n");
    refused(
        csv.to_str().unwrap(),
        "line 1: 'nine' is not a number of points",
    );
}

#[test]
fn the_word_map_changes_no_answer() {
    let golden = fs::read_to_string(repository("tests/golden/movegen-public.jsonl")).unwrap();
    let positions: Vec<String> = golden
        .lines()
        .step_by(25)
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            record["cgp"].as_str().unwrap().to_string()
        })
        .collect();
    let answers = |value: &str| {
        let mut client = Client::start();
        client.ask(&format!("setoption name WordMap value {value}"));
        // It is built in the background, unless it is off.
        let mut has_map = || {
            !client
                .ask("show lexicon")
                .concat()
                .ends_with(" wordmap none")
        };
        match value {
            "off" => assert!(!has_map()),
            _ => assert!(
                (0..1_000_000).any(|_| has_map()),
                "there is never a word map"
            ),
        }
        let mut answer = |cgp: &String| {
            client.say(&format!("position cgp {cgp}\ngo gen candidates 50"));
            let mut lines = client.until("bestmove");
            lines.retain(|line| !line.starts_with("info time"));
            lines
        };
        positions.iter().map(&mut answer).collect::<Vec<_>>()
    };
    let auto = answers("auto");
    assert!(auto.len() >= 5);
    for value in ["on", "off"] {
        assert_eq!(answers(value), auto, "{value}");
    }
}
