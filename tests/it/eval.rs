//! Static evaluation: the parts of an equity add up, all callers agree on it, and
//! files of leave values are read as their users expect.

use crate::support::{
    Client, lexicon, no_limit, random_game, records, repository, rules, variation,
};
use cazique::eval::{BuiltInTables, EvalContext, Evaluator};
use cazique::lexicon::{LeaveValues, WordMap};
use cazique::movegen::{Generator, Words};
use cazique::rules::{PRESETS, Position, Turn};
use cazique::search::ranking::{self, RankingRequest, SearchKnowledge};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};
use cazique::units::{Equity, Points};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The built-in leave values for the rules of a preset.
fn built_in(preset: &str) -> LeaveValues {
    BuiltInTables::of(&rules(preset)).unwrap().leaves().unwrap()
}

#[test]
fn every_preset_has_leave_values_built_in() {
    for preset in PRESETS {
        // Twice the tiles make more leaves.
        let is_super = preset == "super";
        let leaves = if is_super { 1_086_701 } else { 914_624 };
        assert_eq!(built_in(preset).len(), leaves, "{preset}");
    }
}

#[test]
fn generator_evaluator_and_ranking_agree_on_the_equity_of_every_turn() {
    for (unit, preset) in PRESETS.iter().enumerate() {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let map = WordMap::new(graph, 21);
        let words = Words::new(graph, map.as_ref());
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
                let turn = Turn::Place(play.placement);
                let equity = evaluator.breakdown(&turn, play.points, &context);
                assert_eq!(equity.total(), play.equity, "{play:?}");
            });
            let request = RankingRequest {
                count: usize::MAX,
                ..RankingRequest::default()
            };
            let knowledge = SearchKnowledge::new(words, leaves);
            let ranking = ranking::rank(position, knowledge, &request, &no_limit());
            let candidates = ranking.candidates.iter();
            let equities: Vec<Equity> = candidates.map(|it| it.worth.total()).collect();
            assert!(equities.is_sorted_by(|a, b| a >= b));
            let best = evaluator.best(&mut generator, &context);
            assert_eq!(best.equity, equities[0], "{:?}", ranking.candidates[0]);
            let equity = evaluator.breakdown(&best.turn, best.points, &context);
            assert_eq!(equity.total(), best.equity);
        });
    }
}

/// An arbitrary value of a tile, or of a pair of tiles, in thousandths of a point.
fn arbitrary_value(tiles: &[Tile]) -> i32 {
    let mix = tiles
        .iter()
        .fold(11, |sum, tile| sum * 37 + 5 * tile.number());
    (mix % 4_001) as i32 - 2_000
}

/// The sum of arbitrary values of all tiles and all pairs of tiles.
fn sum_of_pairs(leave: &TileCounts) -> Equity {
    let tiles: Vec<Tile> = leave.iter().collect();
    let mut sum = 0;
    for (at, tile) in tiles.iter().enumerate() {
        sum += arbitrary_value(&[*tile]);
        let more = tiles[at + 1..].iter();
        sum += more
            .map(|more| arbitrary_value(&[*tile, *more]))
            .sum::<i32>();
    }
    Equity::from_millis(sum)
}

/// Adds every leave that continues `leave` with up to `more` tiles of `kinds`.
fn add_leaves(leave: TileCounts, more: usize, kinds: &[(Tile, u8)], leaves: &mut Vec<TileCounts>) {
    let (Some(((tile, count), rest)), 1..) = (kinds.split_first(), more) else {
        return;
    };
    add_leaves(leave, more, rest, leaves);
    let mut leave = leave;
    for held in 1..=more.min((*count).into()) {
        leave.add(*tile);
        leaves.push(leave);
        add_leaves(leave, more - held, rest, leaves);
    }
}

#[test]
fn leaves_larger_than_those_of_the_table_have_the_values_of_their_tiles_and_pairs() {
    let rules = rules("tournament");
    let kinds: Vec<(Tile, u8)> = rules.tiles.all().kinds().collect();
    let mut leaves = Vec::new();
    add_leaves(TileCounts::EMPTY, 4, &kinds, &mut leaves);
    let pairs = leaves.iter().map(|leave| (*leave, sum_of_pairs(leave)));
    let table = LeaveValues::new(pairs).unwrap();
    let mut chance = Seed(9).generator();
    for at in 0..300 {
        let leave = rules.tiles.all().draw(1 + at % 9, &mut chance);
        assert_eq!(table.value(&leave), sum_of_pairs(&leave), "{leave:?}");
    }
    // Few leaves were written by hand: others are worth nothing.
    let few = leaves
        .iter()
        .take(500)
        .map(|leave| (*leave, sum_of_pairs(leave)));
    let few = LeaveValues::new(few).unwrap();
    let large = rules.tiles.read_tiles("AEIRS").unwrap();
    assert_eq!(few.value(&large), Equity::ZERO);
}

#[test]
fn all_leaves_of_a_large_rack_have_the_values_of_the_table_and_its_extrapolation() {
    let mut chance = Seed(12).generator();
    for (preset, rack_size) in [
        ("deluxe", 8),
        ("deluxe", 9),
        ("super", 9),
        ("tournament", 7),
    ] {
        let rules = variation(preset, &format!("rack = {rack_size}\nbonus = 7:50\n"));
        let built_in = BuiltInTables::of(&rules).unwrap().leaves().unwrap();
        for table in [&built_in, &self::built_in("tournament")] {
            let mut evaluator = Evaluator::new(&rules, Some(table));
            for _ in 0..40 {
                let rack = rules.tiles.all().draw(rack_size, &mut chance);
                let rack_leaves = evaluator.rack_leaves(&context(&rack, 60, 2));
                for leave in rack.nonempty_subsets() {
                    let expected = match leave.len() < rack_size {
                        true => table.value(&leave),
                        false => Equity::ZERO,
                    };
                    assert_eq!(rack_leaves.value(&leave), expected, "{leave:?}");
                }
            }
        }
    }
}

/// A position after the first play, against opponents who hold no points.
fn context(rack: &TileCounts, bag: usize, players: usize) -> EvalContext<'_> {
    EvalContext {
        rack,
        bag,
        opponent_points: Points::ZERO,
        players,
        is_first_play: false,
        points_to_win: None,
        unseen: TileCounts::EMPTY,
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
        let context = context(&rack, 80, 2);
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
        let context = context(&rack, bag, players);
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
            let rack = rules.tiles.read_tiles(rack).unwrap();
            let context = EvalContext {
                opponent_points: Points(12),
                ..context(&rack, 0, players)
            };
            let equity = evaluator.breakdown(&Turn::Pass, Points::ZERO, &context);
            assert_eq!(equity.total(), equity.late_game);
            equity.late_game.millis()
        };
        assert_eq!((adjustment(""), adjustment("AD")), (out, kept), "{preset}");
    };
    check("tournament", 2, 24_000, -16_000);
    // Each player loses the own tiles and one gets the sum: for two the same.
    check("deluxe", 2, 24_000, -16_000);
    check("deluxe", 3, 18_000, -14_500);
    check("deluxe", 4, 16_000, -14_000);
}

/// Writes a temporary file and returns its path.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// The bytes of a file with the leaves `?` 28.291, `QU` 2.254 and `S` 9.106.
fn klv2() -> Vec<u8> {
    const END: u32 = 1 << 22;
    const LEAVE: u32 = 1 << 23;
    let tile = |letter: u8| u32::from(letter - b'@') << 24;
    let last = |letter: u8| tile(letter) | LEAVE | END;
    let nodes = [END | 1, LEAVE, tile(b'Q') | 4, last(b'S'), last(b'U')];
    let values = [28.291_f32, 2.254, 9.106].map(f32::to_bits);
    // Each list starts with its length.
    let parts = [&[5], &nodes[..], &[3], &values];
    parts
        .concat()
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect()
}

/// Checks what `go gen` answers about `moves` with a rack on an empty board, after some
/// options are set: the table in use, then a line for each move.
fn check(options: &[(&str, &str)], rack: &str, moves: &str, expected: &[&str]) {
    let mut client = Client::start();
    let data_path = ("DataPath", env!("CARGO_TARGET_TMPDIR"));
    for (name, value) in [&data_path].into_iter().chain(options) {
        let said = client.ask(&format!("setoption name {name} value {value}"));
        assert!(said.is_empty(), "{said:?}");
    }
    // A warning about a short rack is no part of the answer to `go`.
    client.ask(&format!("position startpos moves rack.{rack}"));
    client.say(&format!("go gen searchmoves {moves}"));
    let said = client.until("bestmove");
    let answer = |line: &String| {
        let prefixes = ["info gen move ", "info string "];
        let text = prefixes
            .iter()
            .find_map(|prefix| line.strip_prefix(prefix))?;
        let provenance = text.split(' ').find(|word| word.starts_with("leaves="));
        Some(provenance.unwrap_or(text).to_string())
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
    let leaves = [("Leaves", path.as_str())];
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
    let train = "8H.TRAIN score 12 eq 14.254 leave QU rank 1 kept 2.254";
    let expected = ["leaves=small.klv2:fc34aee7", train];
    check(&leaves, "TRAINQU", "8H.TRAIN", &expected);
    let csv = file("small.csv", b"leave,value\nS,9.106\nQU,2.254\n?,28.291\n");
    let knave = "8D.KNAVE score 34 eq 43.106 leave S rank 1 kept 9.106";
    check_knave(&[("Leaves", &csv)], "leaves=small.csv:fc34aee7", knave);
}

#[test]
fn the_option_chooses_the_leave_values() {
    let built_in = "8D.KNAVE score 34 eq 41.119 leave S rank 1 kept 7.119";
    check_knave(&[], "leaves=OEL26:d0c49b2c", built_in);
    check_knave(&[("Leaves", "AUTO")], "leaves=OEL26:d0c49b2c", built_in);
    let plain = "8D.KNAVE score 34 eq 34 leave S rank 1";
    check_knave(&[("Leaves", "none")], "leaves=none", plain);
    // Values for other words are used, with a warning.
    let words = file("own.txt", b"KNAVE\nKNAVES\n");
    let [leaves, win] = MAKERS;
    let other = "made with other words than those of OWN";
    let expected = [
        &format!(
            "warning the leave values OEL26:d0c49b2c were {other}; make your own with '{leaves}'"
        ),
        &format!(
            "warning the win probabilities OEL26:9cb4edc0 were {other}; make your own with '{win}'"
        ),
        "leaves=OEL26:d0c49b2c",
        built_in,
    ];
    check(&[("Lexicon", &words)], "AEKNSV", "8D.KNAVE", &expected);
    // A name is looked up on the DataPath.
    file("named.klv2", &klv2());
    let options = [
        ("DataPath", env!("CARGO_TARGET_TMPDIR")),
        ("Leaves", "named"),
    ];
    let named = "8D.KNAVE score 34 eq 43.106 leave S rank 1 kept 9.106";
    check_knave(&options, "leaves=named.klv2:fc34aee7", named);
}

/// What makes leave values and win tables.
const MAKERS: [&str; 2] = [
    "leaves train --lexicon FILE --rules FILE -o NEW.klv2",
    "leaves win LEAVES --lexicon FILE --rules FILE -o NEW.win",
];

#[test]
fn built_in_tables_are_used_only_for_their_tiles_rack_and_board_size() {
    let [leaves, win] = MAKERS;
    let refused = |options: &[(&str, &str)], line: &str, what: &str| {
        let expected = [
            &format!(
                "leaves none: no built-in leave values suit {what}; make your own with '{leaves}'"
            ),
            &format!(
                "winpct none: no built-in win probabilities suit {what}; make your own with '{win}'"
            ),
            "leaves=none",
            line,
        ];
        let [first, ..] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        check(options, "AEKNSV", first, &expected);
    };
    let plain = "8D.KNAVE score 34 eq 34 leave S rank 1";
    let large = file("large.txt", b"base = deluxe\nrack = 8\nbonus = 8:50\n");
    refused(
        &[("Rules", &large), ("LetterDistribution", "english_super")],
        plain,
        "racks of 8 of the tiles 'english_super' on a board of 15x15",
    );
    let small = file("small.txt", ".........\n".repeat(9).as_bytes());
    let line = "5A.KNAVE score 12 eq 12 leave S rank 1";
    refused(
        &[("Board", &small)],
        line,
        "racks of 7 of the tiles 'english' on a board of 9x9",
    );
    let tiles = [("LetterDistribution", "english_super")];
    refused(
        &tiles,
        plain,
        "racks of 7 of the tiles 'english_super' on a board of 15x15",
    );
}

#[test]
fn racks_of_eight_and_nine_have_tables_of_their_own() {
    for (base, rack, tiles, name) in [
        ("deluxe", 7, "AEKNSVX", "OEL26"),
        ("deluxe", 8, "AEKNSVXY", "OEL26-eight"),
        ("deluxe", 9, "AEKNSVXYZ", "OEL26-nine"),
        ("super", 7, "AEKNSVX", "OEL26-super"),
        ("super", 8, "AEKNSVXY", "OEL26-super-nine"),
        ("super", 9, "AEKNSVXYZ", "OEL26-super-nine"),
    ] {
        let rules = format!("base = {base}\nrack = {rack}\nbonus = 7:50\n");
        let rules = file(&format!("own_{base}_{rack}.txt"), rules.as_bytes());
        let mut client = Client::start();
        client.ask(&format!("setoption name Rules value {rules}"));
        client.ask(&format!("position startpos moves rack.{tiles}"));
        client.say("go sim iterations 1 candidates 1");
        let said = client.until("bestmove");
        let is_used = |key: &str| {
            let start = format!(" {key}={name}:");
            said.iter()
                .any(|line| line.contains(" provenance ") && line.contains(&start))
        };
        assert!(
            is_used("leaves") && is_used("winpct"),
            "{base} {rack}: {said:?}"
        );
    }
}

/// With the values of its leaves, an exchange is the best move of a rack of nine without a good play.
#[test]
fn the_best_move_of_a_bad_rack_of_nine_is_an_exchange() {
    let rules = variation("deluxe", "rack = 9\nbonus = 7:50 8:50 9:50\n");
    let graph = lexicon(&rules.tiles).graph();
    let leaves = BuiltInTables::of(&rules).unwrap().leaves().unwrap();
    let mut position = Position::start(rules.clone(), 2).unwrap();
    position
        .set_rack(0, rules.tiles.read_tiles("AAEIIOUUV").unwrap())
        .unwrap();
    let best = |leaves| {
        let knowledge = SearchKnowledge::new(Words::new(graph, None), leaves);
        let request = RankingRequest {
            count: 5,
            ..RankingRequest::default()
        };
        ranking::rank(&position, knowledge, &request, &no_limit()).candidates[0].turn
    };
    assert!(matches!(best(Some(&leaves)), Turn::Exchange(_)));
    assert!(matches!(best(None), Turn::Place(_)));
}

#[test]
fn leave_values_for_other_tiles_are_used_with_a_warning() {
    let path = file("queens.csv", b"Q,-6\nQQ,-15\n");
    let mut client = Client::start();
    let said = client.ask(&format!("setoption name Leaves value {path}"));
    let warning = format!(
        "info string warning the leave values queens.csv:{} were made for other tiles: they have \
         leaves of at most 2 'Q', and the tile set 'english' has 1; make your own with '{}'",
        "04a9c967", MAKERS[0]
    );
    assert_eq!(said, [warning.as_str()]);
    client.ask("position startpos moves rack.AEKNSV");
    client.say("go gen candidates 1");
    assert!(client.until("bestmove").contains(&warning));
    // Trained values for 100 tiles lack leaves of 200 tiles, such as three blanks.
    let trained = repository("lexica/oel26.klv2").display().to_string();
    assert_eq!(
        client.ask(&format!("setoption name Leaves value {trained}")),
        [""; 0]
    );
    client.ask("setoption name Rules value super");
    let said = client.ask(&format!("setoption name Leaves value {trained}"));
    let tiles = "leaves of at most 2 '?', and the tile set 'english_super' has 4;";
    assert!(said[0].contains(tiles), "{said:?}");
}

#[test]
fn leave_values_that_cannot_be_used_are_refused_and_change_nothing() {
    let mut client = Client::start();
    let mut refused = |value: &str, error: &str| {
        let said = client.ask(&format!("setoption name Leaves value {value}"));
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("info string error data "), "{said:?}");
        assert!(said[0].contains(error), "{said:?}");
        client.ask("position startpos moves rack.AEKNSV");
        client.say("go gen candidates 1");
        let said = client.until("bestmove");
        assert!(said[0].contains(" leaves=OEL26:"), "{said:?}");
    };
    let advice = "they can be a file, a name on the DataPath, auto or none";
    refused("nowhere.klv2", advice);
    let cut = file("cut.klv2", &klv2()[..30]);
    refused(&cut, "it is cut short or of another format");
    let csv = file("wrong.csv", b"S,nine\n");
    refused(
        &csv,
        "line 1: 'nine' is not a number of points; the limit is 10000",
    );
}

#[test]
fn the_word_map_changes_no_answer() {
    let golden = records("tests/golden/movegen-public.jsonl");
    let positions: Vec<&Value> = golden.iter().step_by(25).map(|it| &it["cgp"]).collect();
    let answers = |value: &str| {
        let mut client = Client::start();
        client.ask(&format!("setoption name WordMap value {value}"));
        // It is built in the background, unless it is off.
        let mut lacks_map = || client.ask("show lexicon")[0].ends_with(" wordmap none");
        match value {
            "off" => assert!(lacks_map()),
            _ => assert!((0..1_000_000).any(|_| !lacks_map()), "never a word map"),
        }
        let mut answer = |cgp: &&Value| {
            let cgp = cgp.as_str().unwrap();
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
