//! Positions with known results, through the program itself.

use crate::support::{Client, records};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cmp::Reverse;

fn field<'a>(record: &'a Value, name: &str) -> &'a str {
    let field = record[name].as_str();
    field.unwrap_or_else(|| panic!("{name} of {record}"))
}

/// The word after `key` in a line of keys and values.
fn after<'a>(line: &'a str, key: &str) -> &'a str {
    let mut words = line.split_whitespace().skip_while(|word| *word != key);
    let value = words.nth(1);
    value.unwrap_or_else(|| panic!("no {key} in '{line}'"))
}

/// The golden file, and the file that the variable CAZIQUE_SCORE_RECORDS names, if it is
/// set: records of games by others are not part of the repository.
#[test]
fn check_gives_every_play_its_score() {
    let mut files = vec![("tests/golden/score-own.jsonl".to_string(), true)];
    let others = std::env::var("CAZIQUE_SCORE_RECORDS");
    files.extend(others.map(|file| (file, false)));
    let mut client = Client::start();
    for (file, all_valid) in files {
        let records = records(&file);
        assert!(records.len() > 300);
        for record in &records {
            client.say(&format!("position cgp {}", field(record, "cgp")));
            let check = format!("check {}", field(record, "move"));
            let line = client.ask(&check).join("; ");
            let score = record["score"].to_string();
            assert_eq!(after(&line, "score"), score, "{record}");
            assert!(!all_valid || after(&line, "valid") == "yes", "{line}");
        }
    }
}

#[test]
fn go_gen_finds_every_play_once() {
    let mut client = Client::start();
    for record in records("tests/golden/movegen-public.jsonl") {
        let cgp = field(&record, "cgp");
        client.say(&format!("position cgp {cgp}"));
        client.say("go gen candidates 1000000");
        let lines = client.until("bestmove");
        let shown = lines.iter().filter(|line| line.starts_with("info gen"));
        let mut plays: Vec<(&str, i64)> = shown
            .map(|line| (after(line, "move"), after(line, "score").parse().unwrap()))
            .filter(|(text, _)| *text != "pass" && !text.starts_with("ex."))
            .collect();
        plays.sort_by_key(|(text, score)| (Reverse(*score), *text));
        let id = field(&record, "id");
        assert_eq!(record["plays"], plays.len(), "{id}");
        let score_sum: i64 = plays.iter().map(|(_, score)| score).sum();
        assert_eq!(record["score_sum"], score_sum, "{id}");
        let top = record["top"].as_array().unwrap().iter();
        let top = top.map(|top| (field(top, "move"), top["score"].as_i64().unwrap()));
        assert_eq!(plays[..5], top.collect::<Vec<_>>(), "{id}");
        assert_eq!(digest(cgp, &plays), field(&record, "digest"), "{id}");
    }
}

/// The digest of a list of plays, as tests/golden/README.md defines it.
fn digest(cgp: &str, plays: &[(&str, i64)]) -> String {
    let occupied = occupied(cgp);
    let line = |(text, score): &(&str, i64)| {
        let (coordinate, word) = text.split_once('.').unwrap();
        let across = coordinate.starts_with(|c: char| c.is_ascii_digit());
        let row = coordinate.trim_matches(|c: char| c.is_ascii_alphabetic());
        let row = row.parse::<usize>().unwrap() - 1;
        let column = coordinate.bytes().find(u8::is_ascii_alphabetic).unwrap() - b'A';
        let (down, right) = (usize::from(!across), usize::from(across));
        let squares = word.chars().enumerate().map(|(at, tile)| {
            let column = usize::from(column) + at * right;
            (row + at * down, column, tile)
        });
        let placed = squares.filter(|(row, column, _)| !occupied[*row][*column]);
        let tiles = placed.map(|(row, column, tile)| {
            format!("{}{}{tile}", char::from(b'A' + column as u8), row + 1)
        });
        format!("{}={score}", tiles.collect::<Vec<_>>().join(","))
    };
    let mut lines: Vec<String> = plays.iter().map(line).collect();
    lines.sort();
    let digest = Sha256::digest(lines.join("\n"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Which squares have tiles, read without the library.
fn occupied(cgp: &str) -> Vec<Vec<bool>> {
    let row = |text: &str| {
        let mut row = Vec::new();
        let mut empty = 0;
        for c in text.chars() {
            match c.to_digit(10) {
                Some(digit) => empty = empty * 10 + digit as usize,
                None => {
                    row.extend(vec![false; empty]);
                    row.push(true);
                    empty = 0;
                }
            }
        }
        row.extend(vec![false; empty]);
        row
    };
    cgp.split(' ').next().unwrap().split('/').map(row).collect()
}
