//! `cazique --gcg`: one move for a game record, by a process that then ends.

use crate::sessions::{assert_table_rows, document, matches};
use crate::support::rules;
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::notation::moves::MoveText;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program on a record that it reads from standard input.
fn run(record: &str, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cazique"))
        .arg("--gcg=-")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may refuse its arguments before it reads.
    let _ = child.stdin.take().unwrap().write_all(record.as_bytes());
    child.wait_with_output().unwrap()
}

/// The object that the program prints on its last line.
fn answer(record: &str, arguments: &[&str]) -> Value {
    let output = run(record, arguments);
    let (said, errors) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    serde_json::from_str(said.lines().last().unwrap()).unwrap()
}

/// A record without moves.
const START: &str = "#player1 ann Ann\n#player2 bob Bob\n";
/// A record of two moves.
const GAME: &str = "#player1 ann Ann\n#player2 bob Bob\n\
    >ann: AEHNORT 8F HORN +14 14\n\
    >bob: AFMRTUW H6 FA.M +9 9\n";

#[test]
fn the_last_line_is_the_move() {
    let move_of = |rack: &str| {
        answer(
            GAME,
            &["--rack", rack, "--iterations=20", "--lexicon=OEL26"],
        )
    };
    let place = move_of("AEPSTXY");
    let mut keys: Vec<&String> = place.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        [
            "action", "equity", "move", "position", "score", "tiles", "win"
        ]
    );
    assert_eq!(place["action"], "place");
    assert!(
        place["win"]
            .as_f64()
            .is_some_and(|win| (0.0..=100.0).contains(&win))
    );
    assert!(place["equity"].is_f64());
    let (position, tiles) = (
        place["position"].as_str().unwrap(),
        place["tiles"].as_str().unwrap(),
    );
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
    assert_eq!(
        (
            &exchange["action"],
            &exchange["position"],
            &exchange["score"]
        ),
        (&json!("exchange"), &Value::Null, &json!(0))
    );
    assert_eq!(
        exchange["move"],
        format!("ex.{}", exchange["tiles"].as_str().unwrap())
    );
}

#[test]
fn after_the_end_of_the_game_the_answer_is_to_pass() {
    let over: String = (0..3).map(|_| ">ann: - +0 0\n>bob: - +0 0\n").collect();
    let pass = answer(&format!("{START}{over}"), &[]);
    assert_eq!(
        pass,
        json!({"action": "pass", "position": null, "tiles": "", "score": 0, "equity": 0.0, "win": null, "move": "pass"})
    );
}

#[test]
fn other_rules_work() {
    let super_move = answer(
        START,
        &[
            "--rules=super",
            "--rack=AEINRST",
            "--movetime=300",
            "--threads=2",
            "--seed=3",
        ],
    );
    assert_eq!(super_move["action"], "place");
    // The centre of the large board.
    assert!(
        super_move["position"].as_str().unwrap().starts_with("11"),
        "{super_move}"
    );
}

#[test]
fn an_error_goes_to_standard_error_only() {
    let check = |record: &str, arguments: &[&str], error: &str| {
        let output = run(record, arguments);
        assert!(!output.status.success());
        assert_eq!(output.stdout, b"");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(error), "{said}");
    };
    check(
        GAME,
        &[],
        "7 of the 7 tiles of the player to move are unknown",
    );
    check(GAME, &["--rack=QQ"], "too many tiles 'Q'");
    check(
        GAME,
        &["--rack=AEINRST", "--lexicon=nowhere"],
        "there is no lexicon 'nowhere'",
    );
    check(GAME, &["--rack=AEINRST", "--rules=nowhere"], "nowhere");
    check(GAME, &["--rack=AEINRST", "--threads=0"], "--threads");
    check("nonsense\n", &["--rack=AEINRST"], "line 1: ");
    check(
        &GAME.replace("8F HORN", "A1 HORN"),
        &["--rack=AEINRST"],
        "line 3: ",
    );
    check("", &["--rack=AEINRST"], "players");
    let output = Command::new(env!("CARGO_BIN_EXE_cazique"))
        .args(["--gcg=no/such/file.gcg", "--rack=A"])
        .output()
        .unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
}

#[test]
fn a_wrong_score_in_the_record_is_only_a_warning() {
    let output = run(
        &GAME.replace("+9 9", "+8 8"),
        &["--rack=AEPSTXY", "--iterations=5"],
    );
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "cazique: line 4: FA.M scores 9, the record says 8\n");
    assert!(output.stdout.ends_with(b"}\n"));
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
    let (said, got) = (
        lines.next().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
    );
    assert!(matches(said, got.trim_end()), "{got}");
}

#[test]
fn the_document_names_every_argument_and_field() {
    let document = document();
    let (_, section) = document.split_once("\n## One-shot\n").expect("a section");
    let help = Command::new(env!("CARGO_BIN_EXE_cazique"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for argument in [
        "gcg",
        "rack",
        "lexicon",
        "rules",
        "movetime",
        "iterations",
        "threads",
        "seed",
    ] {
        let option = format!("--{argument}");
        assert!(
            section.contains(&format!("`{option}`")),
            "the section lacks {option}"
        );
        assert!(
            help.contains(&format!("{option} ")),
            "the help lacks {option}"
        );
    }
    let fields = [
        "action", "position", "tiles", "score", "equity", "win", "move",
    ];
    assert_table_rows(section, &fields);
}
