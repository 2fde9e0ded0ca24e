//! The rule books: docs/rules.md names, for each rule, the test that holds it, and the tests here
//! look whether that is so. The rules that no other module tests are tested here by the real
//! program, for every book that has them.

use crate::edges::check;
use crate::support::{Client, own_rules, repository, variation};
use cazique::rules::{Deal, Turn};
use cazique::seed::Seed;
use cazique::units::Points;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The presets of the five books.
const BOOKS: [&str; 5] = ["deluxe", "indigo", "school", "travel", "super"];
/// Those on the board of 15x15.
const SMALL_BOOKS: [&str; 4] = ["deluxe", "indigo", "school", "travel"];
/// Those for up to four players.
const FAMILY_BOOKS: [&str; 4] = ["deluxe", "indigo", "travel", "super"];
/// The board of an endgame in CGP; the racks are CEIMNRT and AEMOO.
const ENDGAME: &str = "15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/\
                       3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO";
/// What the header of the last column of a table of rules says.
const TEST_COLUMN: &str = "test that holds it";
/// What a row about the quality of play may have instead of a test.
const LATER: &str = "next";

/// The names of all tests below a folder, as docs/rules.md writes them.
fn names_of_tests(folder: &str, prefix: &str, suffix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut paths = vec![repository(folder)];
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let module = module_of(path.strip_prefix(repository(folder)).unwrap());
            let text = fs::read_to_string(&path).unwrap();
            let tests = text.split("#[test]\n").skip(1);
            let tests = tests.filter_map(|rest| Some(rest.split_once("fn ")?.1.split_once('(')?.0));
            names.extend(tests.map(|test| format!("{prefix}{module}::{suffix}{test}")));
        }
    }
    names
}

/// The path of the module in a file: `edges::challenges` of `edges/challenges.rs`.
fn module_of(file: &Path) -> String {
    let parts = file.with_extension("");
    let parts = parts.iter().map(|part| part.to_str().unwrap());
    let parts: Vec<&str> = parts.filter(|part| *part != "mod").collect();
    parts.join("::")
}

/// What is wrong with the tables of rules of a document: rows without a test, and names of tests
/// that do not exist. Returns the number of rows too.
fn faults(document: &str, tests: &BTreeSet<String>) -> (usize, Vec<String>) {
    let (mut rows, mut faults, mut is_inside) = (0, Vec::new(), false);
    for (number, line) in (1..).zip(document.lines()) {
        let cells = line
            .trim()
            .strip_prefix('|')
            .and_then(|it| it.strip_suffix('|'));
        let Some(last) = cells.and_then(|cells| cells.rsplit('|').next()) else {
            is_inside = false;
            continue;
        };
        let last = last.trim();
        if last == TEST_COLUMN {
            is_inside = true;
            continue;
        }
        if !is_inside || last.chars().all(|c| c == '-') && !last.is_empty() {
            continue;
        }
        rows += 1;
        if cells.is_some_and(|cells| cells.split('|').any(|cell| cell.trim().is_empty())) {
            faults.push(format!("line {number}: an empty cell"));
        }
        let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        if named.is_empty() && last != LATER && !last.is_empty() {
            faults.push(format!("line {number}: '{last}' names no test"));
        }
        let unknown = named.iter().filter(|name| !tests.contains(**name));
        faults.extend(unknown.map(|name| format!("line {number}: there is no test {name}")));
    }
    (rows, faults)
}

#[test]
fn every_rule_of_the_books_names_tests_that_exist() {
    let mut tests = names_of_tests("tests/it", "", "");
    tests.extend(names_of_tests("src", "", "tests::"));
    assert!(tests.len() > 300, "only {} tests found", tests.len());
    let document = fs::read_to_string(repository("docs/rules.md")).unwrap();
    let (rows, faults) = faults(&document, &tests);
    assert!(rows > 60, "only {rows} rules found");
    assert!(faults.is_empty(), "docs/rules.md:\n{}", faults.join("\n"));
}

#[test]
fn a_rule_without_a_test_is_found() {
    let tests = BTreeSet::from(["games::a".to_string(), "rules::flow::tests::b".to_string()]);
    let table = |row: &str| {
        let document = format!("text\n| rule | where | {TEST_COLUMN} |\n|---|---|---|\n{row}\n");
        faults(&document, &tests).1
    };
    for good in ["`games::a`", "`games::a`, `rules::flow::tests::b`", LATER] {
        assert_eq!(table(&format!("| r | w | {good} |")), [""; 0], "{good}");
    }
    for (bad, fault) in [
        ("| r | w | |", "line 4: an empty cell"),
        ("| r | | `games::a` |", "line 4: an empty cell"),
        ("| r | w | no |", "line 4: 'no' names no test"),
        ("| r | w | games::a |", "line 4: 'games::a' names no test"),
        (
            "| r | w | `games::c` |",
            "line 4: there is no test games::c",
        ),
    ] {
        assert_eq!(table(bad), [fault], "{bad}");
    }
}

#[test]
fn every_preset_has_the_values_board_and_tiles_of_the_golden_file() {
    let golden = fs::read_to_string(repository("tests/golden/presets.txt")).unwrap();
    let cells = |line: &str| line.split('|').map(|it| it.trim().to_string()).collect();
    let table = golden.lines().filter(|line| line.contains(" | "));
    let mut table = table.map(|line| -> Vec<String> { cells(line) });
    let header = table.next().unwrap();
    assert_eq!(header[1..], BOOKS);
    let rows: Vec<Vec<String>> = table.collect();
    let of = |what: &str, name: &str| {
        let start = format!("{what} {name} ");
        let line = golden.lines().find_map(|line| line.strip_prefix(&start));
        format!(" {what} {} ", line.unwrap())
    };
    for (column, preset) in (1..).zip(BOOKS) {
        let mut client = Client::start();
        client.say(&format!(
            "setoption name Rules value {preset}\nposition startpos"
        ));
        let expected = rows
            .iter()
            .map(|row| format!("{} = {}", row[0], row[column]));
        assert_eq!(
            client.ask("show rules"),
            expected.collect::<Vec<_>>(),
            "{preset}"
        );
        let state = client.ask("state").concat();
        for (what, name) in [("layout", &rows[0][column]), ("letters", &rows[1][column])] {
            assert!(state.contains(&of(what, name)), "{preset} {what}: {state}");
        }
    }
}

/// Sends lines under the rules of each of some books, and compares all answers.
fn check_books(books: &[&str], lines: &str, expected: &[&str]) {
    for book in books {
        check(
            &format!("setoption name Rules value {book}\n{lines}"),
            expected,
        );
    }
}

#[test]
fn the_first_play_covers_the_centre_with_two_letters_and_scores_twice() {
    let centre = "info string error bad-move the first play must cover …";
    let letters = "info string error bad-move the first word has 1 letter, it must have at least 2";
    for (books, side, middle, column) in [(&SMALL_BOOKS[..], 15, 8, 'H'), (&["super"], 21, 11, 'K')]
    {
        let down = format!("{column}{middle}.HORN");
        let across = format!("{middle}{column}.HORN");
        let answers = [&across, &down].map(|play| {
            format!("info check move {play} score 14 valid yes words HORN parts 14 bonus 0")
        });
        let lines = format!(
            "position startpos\ncheck 1A.HORN\ncheck {middle}A.HORN\ncheck {side}A.HORN\n\
             check {middle}{column}.A\ncheck {across}\ncheck {down}"
        );
        check_books(
            books,
            &lines,
            &[centre, centre, centre, letters, &answers[0], &answers[1]],
        );
    }
}

#[test]
fn a_play_is_a_whole_word_in_one_line_that_touches_the_board() {
    let lines = "position startpos moves 8F.HORN\ncheck 10F.PASTE\ncheck 9J.ED\ncheck 8J.ED\n\
                 check 8F.CORN\ncheck 8F.HORN\ncheck 8E.SHORN\ncheck H6.FARM\ncheck F8.HI\ncheck 9G.OX\n\
                 check 9F.OX";
    let apart = "info string error bad-move the play touches no tile on the board";
    let expected = [
        apart,
        apart,
        "info string error bad-move the word runs on over the tile on 8I; name the whole word",
        "info string error bad-move 8F shows H, the move says C",
        "info string error bad-move the play places no tile",
        "info check move 8E.SHORN score 8 valid yes words SHORN parts 8 bonus 0",
        "info check move H6.FARM score 9 valid yes words FARM parts 9 bonus 0",
        "info check move F8.HI score 5 valid yes words HI parts 5 bonus 0",
        // Every word that a play forms along other tiles must be a word.
        "info check move 9G.OX score … valid no words OX,OO,RX phony RX parts … bonus 0",
        "info check move 9F.OX score … valid yes words OX,HO,OX parts … bonus 0",
    ];
    check_books(&SMALL_BOOKS, lines, &expected);
}

#[test]
fn a_longer_word_scores_in_full_and_old_premiums_no_more() {
    // The A stood on a double letter and the E on the double word of the centre: 1+3+3+1+1, and 1.
    let lines =
        "position startpos\ncheck 8D.APPLE\nposition startpos moves 8D.APPLE\ncheck 8D.APPLES";
    let expected = [
        "info check move 8D.APPLE score 20 valid yes words APPLE parts 20 bonus 0",
        "info check move 8D.APPLES score 10 valid yes words APPLES parts 10 bonus 0",
    ];
    check_books(&SMALL_BOOKS, lines, &expected);
}

#[test]
fn a_word_may_be_played_again() {
    let lines = "position startpos moves 8H.IS 9G.IS\nstate\ncheck 10F.IS";
    let expected = [
        "info state tomove 1 players 2 scores 4/5 … over no …",
        "info check move 10F.IS score … valid yes words IS,IS parts … bonus 0",
    ];
    check_books(&SMALL_BOOKS, lines, &expected);
}

#[test]
fn premium_squares_count_as_the_books_say_also_under_a_blank() {
    // On each board: a row of it that has tiles, the row with it completed, and what that scores.
    for (book, row, tiles, plays) in [
        // A triple word.
        (
            "deluxe",
            1,
            "1ARE11",
            &[("1A.BARE", 18), ("1A.bARE", 9)][..],
        ),
        // Two double words: 13 tiles of 1 point, times 4. Two triple words: 8 tiles, times 9.
        (
            "deluxe",
            2,
            "2EEEEEEEEEEE2",
            &[("2B.SEEEEEEEEEEET", 52), ("2B.sEEEEEEEEEEET", 48)],
        ),
        ("deluxe", 1, "1EEEEEE8", &[("1A.SEEEEEET", 72)]),
        // A quadruple word, a quadruple letter, and two quadruple words: 21 tiles, times 16.
        ("super", 1, "1ARE17", &[("1A.BARE", 24), ("1A.bARE", 12)]),
        ("super", 3, "6ARE12", &[("3F.BARE", 15), ("3F.bARE", 3)]),
        (
            "super",
            1,
            "1EEEEEEEEEEEEEEEEEEE1",
            &[("1A.SEEEEEEEEEEEEEEEEEEET", 336)],
        ),
    ] {
        let side = if book == "super" { 21 } else { 15 };
        let mut rows = vec![side.to_string(); side];
        rows[row - 1] = tiles.to_string();
        let position = format!("position cgp {} / 0/0 0", rows.join("/"));
        for (play, score) in plays {
            let expected = format!("info check move {play} score {score} valid …");
            check_books(&[book], &format!("{position}\ncheck {play}"), &[&expected]);
        }
    }
    // A double letter before the double word: (2 * 1 + 3 + 1 + 2) * 2, and the E is a blank.
    let abode = "info check move 8D.ABODe score 16 valid yes words ABODE parts 16 bonus 0";
    check_books(&SMALL_BOOKS, "position startpos\ncheck 8D.ABODe", &[abode]);
}

#[test]
fn a_blank_keeps_its_letter() {
    let lines = "position startpos moves 8F.HoRN\ncheck 8F.HARNS\ncheck 8F.HORNS";
    let expected = [
        "info string error bad-move 8G shows o, the move says A",
        "info check move 8F.HoRNS score 7 valid yes words HORNS parts 7 bonus 0",
    ];
    check_books(&SMALL_BOOKS, lines, &expected);
}

#[test]
fn seven_tiles_earn_fifty_points_after_the_premiums() {
    let lines = "position startpos\ncheck 8D.RETAINS\ncheck 8D.RETAIN";
    let expected = [
        "info check move 8D.RETAINS score 66 valid yes words RETAINS parts 16 bonus 50",
        "info check move 8D.RETAIN score 14 valid yes words RETAIN parts 14 bonus 0",
    ];
    check_books(&SMALL_BOOKS, lines, &expected);
}

#[test]
fn a_turn_goes_to_the_next_seat_and_the_rack_is_filled_up() {
    for book in FAMILY_BOOKS {
        let centre = if book == "super" { "11K" } else { "8H" };
        for (turns, tomove) in [
            ("", 2),
            (" pass", 3),
            (" pass ex.3", 4),
            (" pass ex.3 pass", 1),
        ] {
            let lines = format!(
                "setoption name Players value 4\nposition startpos moves {centre}.HORN{turns}\nstate"
            );
            let state = format!(
                "info state tomove {tomove} players 4 scores 14/0/0/0 … unknown 7/7/7/7 bag {} …",
                if book == "super" { 168 } else { 68 }
            );
            check_books(&[book], &lines, &[&state]);
        }
    }
}

#[test]
fn all_some_or_none_of_the_tiles_may_be_exchanged_for_no_points() {
    for turn in ["ex.AEINRST.AEINRST", "ex.AI.AEINRST", "pass.AEINRST"] {
        let lines = format!("position startpos moves {turn}\nstate");
        let state = "info state tomove 2 players 2 scores 0/0 … unknown 7/7 bag …";
        check_books(&BOOKS, &lines, &[state]);
    }
}

#[test]
fn the_tiles_of_an_exchange_are_drawn_before_the_old_ones_go_back() {
    // Six tiles, two of them in the bag: who exchanges both gets exactly those two.
    let letters =
        ["A", "B", "C", "D", "E", "F"].map(|it| format!("{it},{},1,1,0\n", it.to_lowercase()));
    let changes = "rack = 2\nplayers = 2\nexchange = covered";
    let rules = own_rules(&".....\n".repeat(5), &letters.concat(), changes);
    for seed in 0..50 {
        let mut deal = Deal::start(&rules, 2, Seed(seed));
        let (old, opponent) = (*deal.rack(0), *deal.rack(1));
        let mut bag = rules.tiles.all();
        bag.take_all(&old).unwrap();
        bag.take_all(&opponent).unwrap();
        deal.play(&Turn::Exchange(old), Points::ZERO, &rules);
        assert_eq!((*deal.rack(0), deal.bag_len(), deal.to_move()), (bag, 2, 1));
    }
}

#[test]
fn a_pass_needs_no_tile_in_the_bag() {
    let lines = format!("position cgp {ENDGAME} CEIMNRT/AEMOO 400/400 0\ncheck pass\ncheck ex.C");
    let closed = "info string error bad-move the bag holds 0 tiles, this exchange needs …";
    check_books(
        &SMALL_BOOKS,
        &lines,
        &["info check move pass score 0 valid yes", closed],
    );
}

#[test]
fn a_phony_that_nobody_challenges_stays() {
    for (book, play) in BOOKS.map(|book| (book, if book == "super" { "11K" } else { "8H" })) {
        let lines = format!("position startpos moves {play}.HORX pass\nstate\nchallenge HORX");
        let state = "info state tomove 1 players 2 scores 28/0 … over no …";
        let late = "info string error bad-move there is no play to challenge";
        check_books(&[book], &lines, &[state, late]);
    }
}

#[test]
fn one_invalid_word_takes_the_whole_play_off() {
    // OX and OO are valid, RX is not.
    let lines = "position startpos moves 8F.HORN 9G.OX\nchallenge\nstate";
    let expected = [
        "info challenge move challenge.1 by 1 player 2 play 9G.OX ruling off penalty none words OX,OO,RX phony RX",
        "info state tomove 1 players 2 scores 14/0 racks -/OX unknown 7/5 bag 82 …",
    ];
    check_books(&["deluxe", "indigo", "travel"], lines, &expected);
}

#[test]
fn a_player_who_passed_may_play_on_the_next_turn() {
    let lines = "position startpos moves 8F.HORN pass 8F.HORNS 8E.SHORNS\nstate";
    let state = "info state tomove 1 players 2 scores 22/9 … over no …";
    check_books(&SMALL_BOOKS, lines, &[state]);
}

#[test]
fn a_tie_goes_to_the_player_who_led_before_the_tiles_left_over_were_subtracted() {
    // The bag is empty. 424 - 11 and 420 - 7 are both 413.
    let lines = |scores: &str| {
        format!("position cgp {ENDGAME} CEIMNRT/AEMOO {scores} 0 moves pass pass\nstate")
    };
    let end = "… over scoreless adjustments -11/-7 final";
    let tie = format!("info state {end} 413/413 winner 1 …");
    check_books(&SMALL_BOOKS, &lines("424/420"), &[&tie]);
    let ahead = format!("info state {end} 412/413 winner 2 …");
    check_books(&SMALL_BOOKS, &lines("423/420"), &[&ahead]);
}

#[test]
fn families_are_two_to_four_players_and_the_school_kit_has_two_teams() {
    for players in 2..=4 {
        let lines = format!("setoption name Players value {players}\nposition startpos\nstate");
        let state = format!("info state tomove 1 players {players} …");
        check_books(&FAMILY_BOOKS, &lines, &[&state]);
    }
    let error =
        "info string error bad-option Players is 3, the rule set 'school' is for 2 players; …";
    check_books(&["school"], "setoption name Players value 3", &[error]);
}

#[test]
fn the_built_in_words_have_plurals_verb_endings_and_the_examples_of_the_books() {
    let words = "BOAT BOATS TALK TALKED TALKING TALKS HORN FARM PASTE FARMS MOB NOT BE BIT PI AT";
    let answer = |word: &str| format!("info check word {word} valid yes tier …");
    let answers: Vec<String> = words.split(' ').map(answer).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    check_books(&["deluxe"], &format!("check {words}"), &answers);
}

#[test]
fn the_finish_line_depends_on_the_grade_and_the_number_of_players() {
    for book in ["deluxe", "travel"] {
        for (grade, targets) in [
            ("beginner", [70, 60, 50]),
            ("intermediate", [120, 100, 90]),
            ("expert", [200, 180, 160]),
        ] {
            let rules = variation(book, &format!("target = {grade}"));
            let found = [2, 3, 4].map(|players| rules.target(0, players));
            assert_eq!(
                found,
                targets.map(|points| Some(Points(points))),
                "{book} {grade}"
            );
        }
        // Players of different grades, by seat.
        let mixed = "target = beginner/intermediate/expert/beginner\nplayers = 4";
        let rules = variation(book, mixed);
        let found = [0, 1, 2, 3].map(|seat| rules.target(seat, 4).map(|points| points.0));
        assert_eq!(found, [50, 90, 160, 50].map(Some), "{book}");
    }
}

/// Sends lines under the rules of a rule file, and compares all answers.
fn check_rule_file(text: &str, lines: &str, expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("club.txt"), text).unwrap();
    let path = folder.path().display();
    let rules = format!("setoption name DataPath value {path}\nsetoption name Rules value club");
    check(&format!("{rules}\n{lines}"), expected);
}

#[test]
fn a_finish_line_is_not_crossed_by_a_phony_and_need_not_be_crossed() {
    let rules = "base = travel\nplayers = 2\ntarget = beginner\n";
    // RETAINX reaches 80 points and ends the game; then it comes off.
    let phony = "position startpos moves 8D.RETAINX\nstate\nchallenge\nstate";
    let expected = [
        "info state … scores 80/0 … over target overseat 1 … final 80/0 winner 1 …",
        "info challenge … ruling off penalty none words RETAINX phony RETAINX",
        "info state tomove 2 players 2 scores 0/0 … over no …",
    ];
    check_rule_file(rules, phony, &expected);
    // Nobody can or will play: the game ends as always, and the tiles left over count.
    let passes = "position startpos moves 8F.HORN pass pass racks.AEINRST/AEINRST\nstate";
    let state = "info state … over scoreless adjustments -7/-7 final 7/-7 winner 1 …";
    check_rule_file(rules, passes, &[state]);
}

#[test]
fn a_first_word_that_comes_off_leaves_the_minimum_in_force() {
    let lines = "position startpos moves 8F.HORX challenge\ncheck 8G.CAT\ncheck 8G.CATS";
    let expected = [
        "info string error bad-move the first word has 3 letters, it must have at least 4",
        "info check move 8G.CATS score 12 valid yes words CATS parts 12 bonus 0",
    ];
    check_rule_file("base = deluxe\nfirst_word = 4\n", lines, &expected);
}

#[test]
fn replaced_tiles_with_a_pass_are_a_pass_that_can_be_challenged() {
    let rules = "base = deluxe\nrecycle_letters = on\n";
    // Both players have passed: the game is over, unless the replaced tile comes off.
    let lines = "position startpos moves 8F.HORN pass 8F=A+pass\nstate\nchallenge\nstate";
    let expected = [
        "info state … over scoreless …",
        "info challenge … play 8F=A+pass ruling off penalty none words AORN phony AORN",
        "info state tomove 2 … over no … cgp 15/15/15/15/15/15/15/5HORN6/…",
    ];
    check_rule_file(rules, lines, &expected);
    let void = format!("{rules}challenge = void\n");
    let refused = "position startpos moves 8F.HORN pass 8F=A+pass";
    let error = "info string error bad-move move 3, 8F=A+pass: AORN is not in OEL26";
    check_rule_file(&void, refused, &[error]);
}
