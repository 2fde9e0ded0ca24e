//! `cazique --gcg`: one move for a game record, by a process that then ends.

use crate::sessions::{assert_table_rows, document, matches};
use crate::support::{self, Finished, rules};
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::notation::moves::MoveText;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the program on a record that it reads from standard input.
fn run(record: &str, arguments: &[&str]) -> Finished {
    support::run(&[&["--gcg=-"], arguments].concat(), record)
}

/// The fields of an answer.
const FIELDS: [&str; 8] = [
    "action", "position", "tiles", "score", "equity", "win", "move", "racks",
];

/// A record without moves.
const START: &str = "#player1 ann Ann\n#player2 bob Bob\n";
/// A record of two moves.
const GAME: &str = "#player1 ann Ann\n#player2 bob Bob\n\
    >ann: AEHNORT 8F HORN +14 14\n\
    >bob: AFMRTUW H6 FA.M +9 9\n";

#[test]
fn the_last_line_is_the_move() {
    // Without the tiles that ann kept, every rack is possible.
    let record = GAME.replace("AEHNORT", "HORN");
    let move_of = |rack: &str| {
        let arguments = ["--rack", rack, "--iterations=20", "--lexicon=OEL26"];
        run(&record, &arguments).json()
    };
    let place = move_of("AEPSTXY");
    let keys: BTreeSet<&str> = place
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, BTreeSet::from(FIELDS));
    assert_eq!(place["action"], "place");
    assert!((0.0..=100.0).contains(&place["win"].as_f64().unwrap()));
    assert!(place["equity"].is_f64());
    let [position, tiles] = ["position", "tiles"].map(|key| place[key].as_str().unwrap());
    assert_eq!(place["move"], format!("{position}.{tiles}"));
    // It can be replayed as the document says, and scores what it should.
    let (record, _) = GameRecord::parse(GAME.as_bytes(), ReadMode::Strict).unwrap();
    let (mut game, problems) = record.before(record.turns(), &rules("tournament")).unwrap();
    assert_eq!(problems, []);
    let turn = MoveText::parse(place["move"].as_str().unwrap()).unwrap();
    let turn = turn.turn(game.position()).unwrap();
    assert_eq!(place["score"], game.play(&turn).unwrap().0);
    // The same seed gives the same answer, as there is no clock.
    assert_eq!(move_of("AEPSTXY"), place);
    let exchange = move_of("VVUUUII");
    assert_eq!(exchange["action"], "exchange");
    assert_eq!(exchange["position"], Value::Null);
    assert_eq!(exchange["score"], 0);
    let tiles = exchange["tiles"].as_str().unwrap();
    assert_eq!(exchange["move"], format!("ex.{tiles}"));
}

#[test]
fn after_the_end_of_the_game_the_answer_is_to_pass() {
    let over: String = (0..3).map(|_| ">ann: - +0 0\n>bob: - +0 0\n").collect();
    let pass = json!({"action": "pass", "position": null, "tiles": "", "score": 0, "equity": 0.0, "win": null, "move": "pass", "racks": 0});
    let finished = run(&format!("{START}{over}"), &[]);
    assert_eq!(
        serde_json::from_str::<Value>(&finished.stdout).unwrap(),
        pass
    );
    let reason = "cazique: the game is over: too many turns in a row had no points\n";
    assert_eq!(finished.stderr, reason);
}

/// The line protocol and JSON answer in the same way: see `games` of the JSON tests.
#[test]
fn a_rack_that_does_not_fit_a_finished_game_is_a_warning() {
    let over: String = (0..3).map(|_| ">ann: Q - +0 0\n>bob: - +0 0\n").collect();
    let finished = run(&format!("{START}{over}"), &["--rack=AEINRST"]);
    let expected = "cazique: the rack AEINRST lacks Q, which the player kept from earlier turns; \
        it has no effect, because the game is over\n\
        cazique: the game is over: too many turns in a row had no points\n";
    assert_eq!(finished.stderr, expected);
    assert!(finished.success && finished.stdout.contains(r#""action":"pass""#));
}

#[test]
fn the_encoding_of_a_file_is_named_if_it_is_assumed_or_not_supported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.gcg");
    let run = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let gcg = format!("--gcg={}", path.display());
        support::run(&[&gcg, "--rack=AEINRST", "--iterations=1"], "")
    };
    let record = "#player1 ann Zoë\n#player2 bob Bob\n";
    let latin: Vec<u8> = record.chars().map(|c| c as u8).collect();
    let assumed = run(&latin);
    let warning = "cazique: line 1: this line is not UTF-8, so the record is read as ISO-8859-1";
    assert!(assumed.success, "{}", assumed.stderr);
    assert!(assumed.stderr.starts_with(warning), "{}", assumed.stderr);
    let wide: Vec<u8> = record.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused = run(&wide);
    let error = "the record is in UTF-16, which is not supported; save it as UTF-8";
    assert!(!refused.success && refused.stderr.contains(error));
}

#[test]
fn other_rules_work() {
    let arguments = "--rules=super --rack=AEINRST --movetime=300 --threads=2 --seed=3";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let super_move = run(START, &arguments).json();
    assert_eq!(super_move["action"], "place");
    // The centre of the large board.
    let position = super_move["position"].as_str().unwrap();
    assert!(position.starts_with("11"), "{super_move}");
}

#[test]
fn an_error_goes_to_standard_error_only() {
    let check = |record: &str, arguments: &[&str], error: &str| {
        let Finished {
            success,
            stdout,
            stderr,
        } = run(record, arguments);
        assert!(!success && stdout.is_empty());
        assert!(stderr.contains(error), "{stderr}");
    };
    let unknown = "7 of the 7 tiles of the player to move are unknown; name the rack with --rack\n";
    check(START, &[], unknown);
    check(GAME, &["--rack=QQ"], "too many tiles 'Q'");
    let rack = "--rack=AEINRST";
    let no_lexicon = "there is no lexicon 'nowhere'";
    check(GAME, &[rack, "--lexicon=nowhere"], no_lexicon);
    check(GAME, &[rack, "--rules=nowhere"], "nowhere");
    check(GAME, &[rack, "--threads=0"], "--threads");
    check("nonsense\n", &[rack], "line 1: ");
    check(&GAME.replace("8F HORN", "A1 HORN"), &[rack], "line 3: ");
    check("", &[rack], "the record is empty: ");
    let finished = support::run(&["--gcg=no/such/file.gcg", "--rack=A"], "");
    assert!(!finished.success && finished.stdout.is_empty());
}

/// The tiles that are not known are sampled; the move needs known tiles only.
#[test]
fn a_partly_known_rack_is_sampled() {
    let answer = |record: &str, arguments: &[&str]| {
        let arguments = [arguments, &["--iterations=10", "--seed=3"]].concat();
        let finished = run(record, &arguments);
        let few = "cazique: only 5 racks were sampled within the limits";
        assert!(finished.stderr.starts_with(few), "{}", finished.stderr);
        serde_json::from_str::<Value>(&finished.stdout).unwrap()
    };
    let given = answer(GAME, &["--rack=QIZ"]);
    assert_eq!(given["racks"], 5);
    let tiles = given["tiles"].as_str().unwrap();
    assert!(tiles.contains('Q') || tiles.contains('Z'), "{given}");
    assert!((0.0..=100.0).contains(&given["win"].as_f64().unwrap()));
    assert_eq!(answer(GAME, &["--rack=QIZ", "--threads=2"]), given);
    let recorded = answer(&format!("{GAME}#rack1 QIZ\n"), &[]);
    assert_eq!(recorded, given);
}

#[test]
fn a_wrong_score_in_the_record_is_only_a_warning() {
    let record = GAME.replace("+9 9", "+8 8");
    let finished = run(&record, &["--rack=AEPSTXY", "--iterations=5"]);
    assert!(finished.success && finished.stdout.ends_with("}\n"));
    let warning = "cazique: line 4: FA.M scores 9, the record says 8\n";
    assert_eq!(finished.stderr, warning);
}

#[test]
fn the_example_of_the_document_is_true() {
    let document = document();
    let (_, block) = document.split_once("```one-shot\n").expect("an example");
    let mut lines = block.lines();
    let command = lines
        .next()
        .and_then(|line| line.strip_prefix("$ printf '"));
    let (record, arguments) = command
        .and_then(|line| line.split_once("' | cazique --gcg=- "))
        .expect("a command");
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let output = run(&record.replace("\\n", "\n"), &arguments);
    let got = output.stdout.trim_end();
    assert!(matches(lines.next().unwrap(), got), "{got}");
}

#[test]
fn the_document_names_every_argument_and_field() {
    let document = document();
    let (_, section) = document.split_once("\n## One-shot\n").expect("a section");
    let help = support::run(&["--help"], "").stdout;
    let options =
        "--gcg --rack --lexicon --rules --data-path --movetime --iterations --threads --seed";
    for option in options.split(' ') {
        assert!(section.contains(&format!("`{option}`")), "{option}");
        assert!(help.contains(&format!("{option} ")), "{option}");
    }
    let with_edits: Vec<&str> = FIELDS.into_iter().chain(["edits"]).collect();
    assert_table_rows(section, &with_edits);
}
