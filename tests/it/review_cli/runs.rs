//! Whole runs of the program: exit codes, places of outputs, names of players.

use super::{Desk, GAME};
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::review::{ReviewDocument, ReviewIndex};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Runs on a desk with `game.gcg`, `games/a.gcg` and `games/b/a.gcg`, and compares the exit code, a
/// part of the standard error and the new files.
#[track_caller]
fn check(arguments: &[&str], code: i32, stderr: &str, files: &[&str]) {
    let desk = Desk::with(&["game.gcg", "games/a.gcg", "games/b/a.gcg"]);
    desk.write("bad.gcg", GAME.replace("FA.M +9 9", "FA.M +9"));
    desk.write("mixed/good.gcg", GAME);
    desk.write("mixed/bad.gcg", GAME.replace("H6 FA.M", "A1 FARM"));
    let before = desk.names();
    desk.review_input(arguments, GAME.as_bytes())
        .expect(code, stderr);
    let mut after = desk.names();
    after.retain(|name| !before.contains(name));
    assert_eq!(after, files, "{arguments:?}");
}

#[test]
fn outputs_stand_where_they_belong() {
    check(&["game.gcg"], 0, "", &["game.html"]);
    check(&["game.gcg", "-o", "x.html"], 0, "", &["x.html"]);
    check(
        &["game.gcg", "-o", "x/y/page.html"],
        0,
        "",
        &["x/y/page.html"],
    );
    check(&["game.gcg", "-o", "out/"], 0, "", &["out/game.html"]);
    check(&["game.gcg", "-o", "games"], 0, "", &["games/game.html"]);
    check(&["game.gcg", "--format", "json"], 0, "", &["game.json"]);
    let all = ["game.csv", "game.html", "game.json", "game.review.gcg"];
    check(
        &["game.gcg", "--format", "html,json,gcg", "--format=csv"],
        0,
        "",
        &all,
    );
    check(
        &["game.gcg", "--format=json,html", "-o", "out"],
        0,
        "",
        &["out/game.html", "out/game.json"],
    );
    check(&["-"], 0, "", &[]);
    check(&["-", "-o", "x.html"], 0, "", &["x.html"]);
    check(&["-", "--format", "json"], 0, "", &[]);
    check(&["game.gcg", "-o", "-"], 0, "", &[]);
    let index = [
        "games/a.html",
        "games/b/a.html",
        "games/index.csv",
        "games/index.html",
        "games/index.json",
    ];
    check(&["games"], 0, "", &index);
    let index = [
        "out/a.html",
        "out/b-a.html",
        "out/index.csv",
        "out/index.html",
        "out/index.json",
    ];
    check(&["games", "-o", "out"], 0, "", &index);
    let json = [
        "games/a.json",
        "games/b/a.json",
        "games/index.csv",
        "games/index.json",
    ];
    check(
        &["games/a.gcg", "games/b/a.gcg", "--format=json"],
        0,
        "",
        &json,
    );
}

#[test]
fn wrong_arguments_are_named_before_any_search() {
    check(&[], 2, "required", &[]);
    check(&["--time=100", "game.gcg"], 2, "cannot be used with", &[]);
    check(&["game.gcg", "--format=pdf"], 2, "invalid value 'pdf'", &[]);
    check(
        &["games", "-o", "-"],
        2,
        "--output - is for one game in one format",
        &[],
    );
    check(
        &["game.gcg", "--format=html,json", "-o", "-"],
        2,
        "--output - is for one game",
        &[],
    );
    check(
        &["games", "-o", "bad.gcg"],
        2,
        "--output bad.gcg: this is a file",
        &[],
    );
    check(
        &["game.gcg", "-"],
        2,
        "standard input has no folder for outputs",
        &[],
    );
    check(
        &["-", "--format=html,json"],
        2,
        "standard input has no folder for outputs",
        &[],
    );
    let lexicon = "--lexicon: there is no lexicon";
    check(&["game.gcg", "--lexicon=NOWHERE12"], 2, lexicon, &[]);
    check(&["game.gcg", "--rules=nobodys"], 2, "--rules: ", &[]);
    let players = "--player Zoe: no record has this player; the players are Ann Lee, Bob Ray";
    check(&["games", "--player=Zoe"], 2, players, &[]);
}

#[test]
fn a_bad_record_is_named_and_the_others_are_reviewed() {
    check(
        &["bad.gcg"],
        1,
        "cazique: bad.gcg: line 4: the total is missing",
        &[],
    );
    check(&["nowhere.gcg"], 1, "cazique: nowhere.gcg: ", &[]);
    let files = [
        "mixed/good.html",
        "mixed/index.csv",
        "mixed/index.html",
        "mixed/index.json",
    ];
    check(&["mixed"], 1, "cazique: mixed/bad.gcg: line 4: ", &files);
    check(
        &["bad.gcg", "game.gcg"],
        1,
        "bad.gcg: line 4",
        &["game.html", "index.csv", "index.html", "index.json"],
    );
}

#[test]
fn files_of_others_are_kept() {
    let desk = Desk::with(&["game.gcg"]);
    desk.write("game.html", "mine");
    let message = "game.html exists, and this program did not write it";
    desk.review(&["game.gcg"]).expect(1, message);
    assert_eq!(desk.read("game.html"), "mine");
    desk.review(&["--force", "game.gcg"]).expect(0, "");
    let page = desk.read("game.html");
    assert_ne!(page, "mine");
    desk.review(&["game.gcg"]).expect(0, "");
    assert_eq!(desk.read("game.html"), page);
    // The record is not replaced with force either.
    desk.review(&["--force", "game.gcg", "-o", "game.gcg"])
        .expect(1, "is a record");
    desk.review(&["--force", "game.gcg", "-o", "./game.gcg", "--format=gcg"])
        .expect(1, "is a record");
    assert_eq!(desk.read("game.gcg"), GAME);
    // What is written over and over stays the same.
    for _ in 0..2 {
        let all = ["game.gcg", "--format=html,json,gcg,csv"];
        desk.review(&all).expect(0, "");
    }
}

#[test]
fn one_game_to_standard_output_is_that_alone() {
    let desk = Desk::new();
    let json = desk
        .review_input(&["-", "--format=json"], GAME.as_bytes())
        .expect(0, "")
        .stdout;
    let document: ReviewDocument = serde_json::from_str(&json).expect("a document");
    assert_eq!(document.turns.len(), 2);
    let gcg = desk
        .review_input(&["-", "--format=gcg"], GAME.as_bytes())
        .expect(0, "")
        .stdout;
    let (record, _) = GameRecord::parse(gcg.as_bytes(), ReadMode::Strict).expect("a record");
    assert_eq!(record.turns(), 2);
    let csv = desk
        .review_input(&["-", "--format=csv"], GAME.as_bytes())
        .expect(0, "")
        .stdout;
    assert_eq!(csv.lines().count(), 3);
    let summary = desk
        .review_input(&["-"], GAME.as_bytes())
        .expect(0, "")
        .stdout;
    assert!(summary.contains("mistake index"), "{summary}");
    assert_eq!(desk.names(), Vec::<String>::new());
}

#[test]
fn the_summary_fits_a_terminal() {
    let desk = Desk::with(&["game.gcg", "games/a.gcg", "games/b.gcg"]);
    let long = GAME
        .replace("Ann Lee", &"Ann ".repeat(60))
        .replace("ann", &"a".repeat(60));
    desk.write("games/c.gcg", long);
    for arguments in [
        &["game.gcg"][..],
        &["games"],
        &["games", "--player=bob"],
        &["games/c.gcg"],
    ] {
        let summary = desk.review(arguments).expect(0, "").stdout;
        let columns = summary.lines().map(|line| line.chars().count()).max();
        // Totals have the whole name.
        let limit = if summary.contains("Ann Ann") { 400 } else { 80 };
        assert!(columns.is_some_and(|columns| columns <= limit), "{summary}");
        assert!(!summary.contains('\u{1b}'), "no colours without a terminal");
    }
}

#[test]
fn the_games_of_a_player_are_found_by_any_name() {
    let desk = Desk::with(&["games/a.gcg", "games/b.gcg"]);
    desk.write(
        "games/c.gcg",
        GAME.replace("bob", "cid").replace("Bob Ray", "Cid Fox"),
    );
    for name in ["Bob Ray", "bob", "BOB RAY", " Bob "] {
        desk.review(&["games", &format!("--player={name}")])
            .expect(0, "");
        let index: ReviewIndex = serde_json::from_str(&desk.read("games/index.json")).unwrap();
        assert_eq!(index.games.len(), 2);
        assert!(index.games.iter().all(|game| game.rows.len() == 1));
        assert_eq!(index.games[0].rows[0].opponent, "Ann Lee");
        assert!(!desk.path("games/c.html").exists());
    }
    assert_eq!(desk.read("games/index.csv").lines().count(), 3);
}

#[test]
fn hostile_names_do_no_harm() {
    let desk = Desk::new();
    let name = "\u{1b}[31mEvil\u{7}<script>alert(1)</script>";
    let game = GAME
        .replace("Ann Lee", name)
        .replace("#player1", "#title =cmd|x\n#player1");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let entries = [
        "../../../evil.gcg",
        "/abs/evil.gcg",
        "con.gcg",
        "a\u{1b}]0;x\u{7}.gcg",
        "index.gcg",
    ];
    for entry in entries {
        archive
            .start_file(entry, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(game.as_bytes()).unwrap();
    }
    desk.write("games.zip", archive.finish().unwrap().into_inner());
    let ended = desk
        .review(&["games.zip", "-o", "out", "--format=html,json,gcg,csv"])
        .expect(0, "");
    assert!(
        !ended.stdout.contains(['\u{1b}', '\u{7}']),
        "{}",
        ended.stdout
    );
    let names = desk.names();
    let pages = names.iter().filter(|name| name.ends_with(".html"));
    let expected = [
        "a__0_x_", "abs-evil", "evil", "game-con", "index-2", "index",
    ];
    let expected = expected.map(|name| format!("out/{name}.html"));
    assert_eq!(
        pages.collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
    assert!(
        names
            .iter()
            .all(|name| name.starts_with("out/") || name == "games.zip"),
        "{names:?}"
    );
    assert!(
        names
            .iter()
            .all(|name| !name.contains(|c: char| c.is_control()))
    );
    let table = desk.read("out/index.csv");
    assert!(table.contains("'=cmd|x"), "{table}");
    let bad = desk.write("bad.gcg", format!("#player1 a {name}\n>a: {name}\n"));
    let ended = desk.review(&[bad.to_str().unwrap()]).expect(1, "line 2");
    assert!(
        !ended.stderr.contains(['\u{1b}', '\u{7}']),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_record_is_fixed_in_a_copy() {
    let desk = Desk::with(&["games/good.gcg"]);
    let wrong = GAME.replace("HORN +14 14", "HORN +14 15");
    desk.write("games/sum.gcg", &wrong);
    desk.write("games/two.gcg", wrong.replace("FA.M +9 9", "FA.M +9 8"));
    let ended = desk.review(&["games", "--fix"]);
    let ended = ended.expect(1, "games/two.gcg: not fixed: line 3: ");
    assert!(
        ended.stderr.contains("no single correction"),
        "{}",
        ended.stderr
    );
    assert!(!ended.stderr.contains("sum.gcg"), "{}", ended.stderr);
    assert_eq!(desk.read("games/sum.gcg"), wrong);
    let copy = desk.read("games/sum.fixed.gcg");
    assert!(
        copy.contains("HORN +14 14") && copy.contains("the total is 14, not 15"),
        "{copy}"
    );
    let names = desk.names();
    assert!(
        !names
            .iter()
            .any(|name| name.contains("good.fixed") || name.contains("two.fixed"))
    );
    // The record that cannot be corrected is reviewed as it is.
    for page in ["good", "sum", "two"] {
        assert!(desk.path(&format!("games/{page}.html")).exists());
    }
    // The copy is not another game, and is written again.
    desk.review(&["games", "--fix"]).expect(1, "two.gcg");
    assert_eq!(desk.names(), names);
    let index: ReviewIndex = serde_json::from_str(&desk.read("games/index.json")).unwrap();
    assert_eq!(index.games.len(), 3);
    // A copy that somebody has changed is kept.
    desk.write("games/sum.fixed.gcg", copy.replace("Ann Lee", "Anna Lee"));
    desk.review(&["games", "--fix"])
        .expect(1, "sum.fixed.gcg exists");
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    let files = ["--threads=1", "--threads=3"].map(|threads| {
        let desk = Desk::with(&["games/a.gcg"]);
        desk.write("games/b.gcg", GAME.replace("AFMRTUW", "AFMRTU"));
        let mut command =
            desk.command(&["games", "--iterations=20", threads, "--format=json,html"]);
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        (desk.files(), output.stdout)
    });
    assert!(files[0] == files[1]);
}
