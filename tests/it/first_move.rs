//! The draw for the first move, as the command `draw` and the JSON action `draw`.

use crate::support::{Client, run};
use serde_json::{Value, json};
use std::fs;

/// A draw: each round as seats and tiles, and the seat that moves first.
#[derive(Debug, PartialEq)]
struct Draw {
    rounds: Vec<Vec<(usize, String)>>,
    first: usize,
}

/// Reads the lines of a draw.
fn read(lines: &[String]) -> Draw {
    let (last, rounds) = lines.split_last().unwrap();
    let round = |(number, line): (usize, &String)| {
        let start = format!("info draw round {number} seat ");
        let seats = line
            .strip_prefix(&start)
            .unwrap_or_else(|| panic!("{line}"));
        let drawn = |pair: &str| {
            let (seat, tile) = pair.split_once(" tile ").unwrap();
            (seat.parse().unwrap(), tile.to_string())
        };
        seats.split(" seat ").map(drawn).collect()
    };
    let first = last.strip_prefix("info draw first ").unwrap();
    Draw {
        rounds: (1..).zip(rounds).map(round).collect(),
        first: first.parse().unwrap(),
    }
}

/// Fails unless the first tile in the order of `tiles` moves first, and the seats that tie, and only
/// these, draw again.
fn check(draw: &Draw, players: usize, tiles: &[&str]) {
    let mut seats: Vec<usize> = (1..=players).collect();
    for round in &draw.rounds {
        assert!(seats.len() > 1, "{draw:?}");
        let drawing: Vec<usize> = round.iter().map(|(seat, _)| *seat).collect();
        assert_eq!(drawing, seats, "{draw:?}");
        let rank = |tile: &String| tiles.iter().position(|known| known == tile).unwrap();
        let best = round.iter().map(|(_, tile)| rank(tile)).min().unwrap();
        let tied = round.iter().filter(|(_, tile)| rank(tile) == best);
        seats = tied.map(|(seat, _)| *seat).collect();
    }
    assert_eq!(seats, [draw.first], "{draw:?}");
}

/// The tiles of the standard set, in the order of the draw.
const STANDARD: &str = "? A B C D E F G H I J K L M N O P Q R S T U V W X Y Z";

#[test]
fn the_first_letter_moves_first_and_ties_draw_again_with_any_number_of_players() {
    let tiles: Vec<&str> = STANDARD.split(' ').collect();
    let mut client = Client::start();
    client.ask("setoption name Rules value deluxe");
    let (mut blanks, mut redrawn) = (0, 0);
    for players in 2..=4 {
        let mut firsts = [0; 4];
        for seed in 0..400 {
            let draw = read(&client.ask(&format!("draw players {players} seed {seed}")));
            check(&draw, players, &tiles);
            firsts[draw.first - 1] += 1;
            redrawn += usize::from(draw.rounds.len() > 1);
            blanks += usize::from(draw.rounds[0].iter().any(|(_, tile)| tile == "?"));
        }
        // Each seat moves first in its share of the draws; six standard errors are less than 60.
        let share = 400 / players as i32;
        let seats = firsts[..players].iter();
        assert!(
            seats.clone().all(|first| (first - share).abs() < 60),
            "{firsts:?}"
        );
        assert_eq!(seats.sum::<i32>(), 400);
    }
    assert!(blanks > 20 && redrawn > 20, "{blanks} {redrawn}");
}

#[test]
fn a_tile_of_several_characters_has_its_own_place_in_the_alphabet() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "?,?,4,0,0\nA,a,4,1,1\nC,c,40,3,0\nCH,ch,40,5,0\nD,d,40,1,1\n";
    fs::write(folder.path().join("ch.csv"), csv).unwrap();
    let mut client = Client::start();
    let path = folder.path().display();
    let set = format!(
        "setoption name DataPath value {path}\nsetoption name LetterDistribution value ch.csv"
    );
    assert_eq!(client.ask(&set), [""; 0]);
    let mut digraphs = 0;
    for seed in 0..40 {
        let draw = read(&client.ask(&format!("draw seed {seed}")));
        check(&draw, 2, &["?", "A", "C", "[CH]", "D"]);
        digraphs += usize::from(draw.rounds.iter().flatten().any(|(_, tile)| tile == "[CH]"));
    }
    assert!(digraphs > 10, "{digraphs}");
}

#[test]
fn players_and_seed_are_those_of_the_options_unless_they_are_named() {
    let mut client = Client::start();
    let named = client.ask("setoption name Rules value indigo\ndraw players 3 seed 5");
    assert_eq!(client.ask("draw seed 5 players 3"), named);
    let set = "setoption name Players value 3\nsetoption name Seed value 5\ndraw";
    assert_eq!(client.ask(set), named);
    // The position does not matter, and stays.
    let moved = client.ask("position startpos moves 8F.HORN\ndraw\nstate");
    assert_eq!(moved[..moved.len() - 1], named);
    assert!(
        moved
            .last()
            .unwrap()
            .starts_with("info state tomove 2 players 3 ")
    );
    assert_ne!(client.ask("draw seed 6"), named);
}

#[test]
fn a_draw_is_answered_during_a_search() {
    let mut client = Client::start();
    client.say("position startpos moves rack.AEINRST\ngo infinite\ndraw seed 1\nstop");
    client.until("info draw round 1 ");
    client.until("info draw first ");
    client.until("bestmove ");
}

#[test]
fn a_wrong_draw_is_refused() {
    let mut client = Client::start();
    for (line, error) in [
        (
            "draw players 3",
            "bad-option players is 3, the rule set 'tournament' is for 2 players; set Rules first, to one that allows it: deluxe, indigo, travel, super",
        ),
        (
            "draw players 1",
            "bad-number players is '1', it must be a whole number from 2 to 4",
        ),
        (
            "draw 3",
            "bad-number '3' is not part of the command, which has the form 'draw [players N] [seed N]'",
        ),
    ] {
        assert_eq!(client.ask(line), [format!("info string error {error}")]);
    }
}

#[test]
fn both_protocols_draw_the_same() {
    let lines = Client::start().ask("setoption name Rules value deluxe\ndraw players 4 seed 21");
    let line = read(&lines);
    let action = json!({"id": "d", "action": "draw", "players": 4, "seed": 21});
    let rules = json!({"action": "setoption", "name": "Rules", "value": "deluxe"});
    let input = format!("{rules}\n{action}\n");
    let told: Value = run(&["--json"], &input).json();
    assert_eq!((&told["id"], &told["warnings"]), (&json!("d"), &json!([])));
    let text = |drawn: &Value| {
        (
            drawn["seat"].as_u64().unwrap() as usize,
            drawn["tile"].as_str().unwrap().to_string(),
        )
    };
    let rounds = told["draw"]["rounds"].as_array().unwrap().iter();
    let draw = Draw {
        rounds: rounds
            .map(|round| round.as_array().unwrap().iter().map(text).collect())
            .collect(),
        first: told["draw"]["first"].as_u64().unwrap() as usize,
    };
    assert_eq!(draw, line);
    let refused = run(&["--json"], "{\"action\": \"draw\", \"players\": 3}\n").json();
    assert_eq!(refused["error"]["code"], "bad-option");
    assert_eq!(refused["error"]["field"], "players");
}
