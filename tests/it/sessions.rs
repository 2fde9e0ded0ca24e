//! protocol.md is true: its sessions are replayed, and it names every option and error code.

use crate::support::{Client, code_blocks, repository};
use cazique::engine::DEFINITIONS;
use cazique::siu::ErrorCode;
use std::fmt::Display;
use std::fs;

pub fn document() -> String {
    fs::read_to_string(repository("protocol.md")).unwrap()
}

/// Whether a line is what the document says, where `…` stands for any text.
pub fn matches<'a>(said: &str, line: &'a str) -> bool {
    let Some((first, more)) = said.split_once('…') else {
        return said == line;
    };
    let (middle, last) = more.rsplit_once('…').unwrap_or(("", more));
    let after_part = |rest: &'a str, part| Some(rest.split_once(part)?.1);
    let rest = line.strip_prefix(first);
    let rest = rest.and_then(|rest| middle.split('…').try_fold(rest, after_part));
    rest.is_some_and(|rest| rest.ends_with(last))
}

fn replay(lines: &[(usize, String)]) {
    let mut client = Client::start();
    let mut any = false;
    for (place, line) in lines {
        if let Some(sent) = line.strip_prefix("> ") {
            client.say(sent);
            any = false;
        } else if line == "< …" {
            any = true;
        } else {
            let said = line.strip_prefix("< ");
            let said = said.unwrap_or_else(|| panic!("line {place} is neither > nor <"));
            let mut got = client.next_line();
            while any && !matches(said, &got) {
                got = client.next_line();
            }
            assert!(
                matches(said, &got),
                "line {place} of protocol.md: {said}\n{got}"
            );
            any = false;
        }
    }
    let (end, last) = lines.last().expect("a session has lines");
    let rest = match last.as_str() {
        "> quit" => client.close(),
        _ => client.ask(""),
    };
    assert!(rest.is_empty(), "after line {end} it also says {rest:?}");
}

#[test]
fn every_session_of_the_document_is_true() {
    let sessions = code_blocks(&document(), "session");
    assert!(sessions.len() >= 10);
    for lines in sessions {
        replay(&lines);
    }
}

#[test]
fn the_document_names_every_option_with_its_default_and_limits() {
    let names = DEFINITIONS.iter().map(|definition| definition.name);
    assert_table_rows(&document(), &names.collect::<Vec<_>>());
    let mut client = Client::start();
    client.say("siu");
    let mut lines = client.until("siuok");
    lines.retain(|line| line.starts_with("option name "));
    assert_eq!(lines.len(), DEFINITIONS.len());
}

#[test]
fn the_document_names_every_error_code() {
    assert_table_rows(&document(), &ErrorCode::ALL.map(|(_, text)| text));
}

/// Fails unless a text has a table row for each of these names.
pub fn assert_table_rows(text: &str, names: &[impl Display]) {
    for name in names {
        let row = format!("| `{name}` |");
        assert!(text.contains(&row), "protocol.md lacks {row}");
    }
}

#[test]
fn the_engine_writes_nothing_unasked() {
    for input in ["", "quit", "\n\nsiunewgame\nstop\nquit\n"] {
        let mut client = Client::start();
        client.send(input.as_bytes());
        assert_eq!(client.close(), [""; 0], "{input:?}");
    }
}

#[test]
fn the_answer_comes_even_if_the_input_ends_at_once() {
    let mut client = Client::start();
    client.say("position startpos\nrack AEINRST\ngo gen");
    assert_eq!(client.close().last().unwrap(), "bestmove 8B.ANESTRI");
}

#[test]
fn an_endless_search_ends_with_its_input() {
    for last in ["", "quit"] {
        let mut client = Client::start();
        client.say("position startpos\nrack AEINRST\ngo infinite");
        client.until("info time");
        client.say(last);
        let lines = client.close();
        let best = lines.iter().position(|line| line.starts_with("bestmove "));
        assert_eq!(best, Some(lines.len() - 1));
    }
}

/// Sends lines to a new engine and compares all that it answers.
fn check(lines: &str, expected: &[&str]) {
    let mut client = Client::start();
    assert_eq!(client.ask(lines), expected, "{lines}");
}

// One test for each bug that was found.

#[test]
fn a_rack_that_is_partly_known_is_not_searched() {
    for (moves, unknown) in [("8F.HORN.HORNABC H6.FARM", 4), ("phony.8F.HORX 8F.FARM", 3)] {
        let error = format!(
            "info string error bad-position {unknown} of the 7 tiles of the player to move are unknown; say 'rack TILES'"
        );
        check(
            &format!("position startpos moves {moves}\ngo gen"),
            &[&error],
        );
    }
}

#[test]
fn a_rack_in_the_move_holds_for_the_check() {
    let lines = "position startpos moves 8F.HORN\ncheck 8F.HORNS.ABC";
    let answer = "info check move 8F.HORNS score 8 valid no words HORNS missing S parts 8 bonus 0";
    check(lines, &[answer]);
}

#[test]
fn an_exchange_of_known_tiles_names_them() {
    let error = "info string error bad-move ex.2: the rack is known; name the tiles to exchange, such as ex.ABC";
    let lines = "position startpos moves rack.AEINRST\ngo gen searchmoves ex.2";
    check(lines, &[error]);
    // Nor may they stay unnamed after edits.
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules");
    fs::create_dir(&rules).unwrap();
    let changes = "base = deluxe\nrecycle_letters = on\n";
    fs::write(rules.join("recycle.txt"), changes).unwrap();
    let lines = format!(
        "setoption name DataPath value {}\nsetoption name Rules value recycle\n\
         position startpos moves 8F.HORN rack.CAEIIOU\ngo gen searchmoves 8F=C+ex.2",
        folder.path().display()
    );
    check(&lines, &[&error.replace("ex.2", "8F=C+ex.2")]);
}

#[test]
fn another_lexicon_takes_effect_at_once_and_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |below: &str| folder.path().join(below).display().to_string();
    for (below, words) in [("one", "CAT\nDOG\n"), ("two", "CAT\nDOG\nCOD\n")] {
        fs::create_dir(path(below)).unwrap();
        fs::write(path(below) + "/own.txt", words).unwrap();
    }
    let mut client = Client::start();
    let mut words = |lines: &str| {
        let said = client.ask(&format!("{lines}\nshow lexicon"));
        let words = |line: &String| line.split_whitespace().nth(5).unwrap_or(line).to_string();
        said.iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(words("position startpos moves rack.CATDOGS"), ["188677"]);
    let data_path = |below: &str| format!("setoption name DataPath value {}", path(below));
    assert_eq!(words(&data_path("one")), ["188677"]);
    assert_eq!(words("setoption name Lexicon value own"), ["2"]);
    assert_eq!(words(&data_path("two")), ["3"]);
    fs::write(path("two") + "/own.txt", "CAT\n").unwrap();
    assert_eq!(words("setoption name Lexicon value own"), ["1"]);
}

#[test]
fn the_shortest_time_still_finds_a_play() {
    let mut client = Client::start();
    client.say("position startpos\nrack AEINR??\ngo gen movetime 0");
    let best = client.until("bestmove").pop().unwrap();
    assert!(best.starts_with("bestmove 8"), "{best}");
}
