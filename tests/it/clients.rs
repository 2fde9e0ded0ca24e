//! The clients of `examples/` play whole games, and the rules of the library agree with every
//! score, bag and rack that they print.

use crate::support::{Client, repository, rules};
use cazique::notation::moves::MoveText;
use cazique::rules::{End, Game};
use cazique::units::Points;
use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The engine that the examples start.
const ENGINE: &str = env!("CARGO_BIN_EXE_cazique");

#[test]
fn the_python_client_plays_whole_games() {
    if let Some(python) = python() {
        check_games(&python);
    }
}

#[test]
fn the_rust_client_plays_whole_games() {
    check_games(&example());
}

#[test]
fn a_client_stops_when_its_engine_refuses_or_ends() {
    for client in python().into_iter().chain([example()]) {
        let check = |engine: &str, expected: &[&str]| {
            let output = client.run(engine, &["--option", "Speed=9"]);
            let complaint = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success());
            let is_expected = expected.iter().any(|text| complaint.contains(text));
            assert!(is_expected, "{complaint}");
        };
        check(ENGINE, &["bad-option there is no option 'Speed'"]);
        check("no-such-engine", &["cannot start no-such-engine: "]);
        #[cfg(unix)]
        check("true", &["the engine ended", "the engine does not listen"]);
    }
}

#[test]
fn the_python_client_plays_by_any_rules() {
    let Some(python) = python() else { return };
    for (rules, players) in [("super", 4), ("indigo", 3), ("school", 2)] {
        let options = [format!("Rules={rules}"), format!("Players={players}")];
        let options = options.each_ref().map(|option| ["--option", option]);
        let output = python.run(ENGINE, options.as_flattened());
        let printed = PrintedGame::read(&String::from_utf8(output.stdout).unwrap());
        assert!(output.status.success(), "{rules}: {:?}", output.stderr);
        printed.replay(rules, players);
    }
}

/// The command that runs a client: a program, and the script that it interprets.
struct Runner {
    program: PathBuf,
    script: Option<PathBuf>,
}

impl Runner {
    fn run(&self, engine: &str, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(&self.script)
            .arg(engine)
            .args(["--movetime", "10", "--seed", "3"])
            .args(arguments)
            .output()
            .expect("the client starts")
    }
}

fn python() -> Option<Runner> {
    let there = Command::new("python3").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(io::stderr(), "skipped: there is no python3 here");
        return None;
    }
    Some(Runner {
        program: "python3".into(),
        script: Some(repository("examples/client.py")),
    })
}

/// The built example: Cargo puts examples into a folder beside that of tests.
fn example() -> Runner {
    let test = env::current_exe().expect("this program has a path");
    let folder = test.ancestors().nth(2).expect("tests lie in a folder");
    let program = folder.join(format!("examples/client{EXE_SUFFIX}"));
    assert!(
        program.exists(),
        "run 'cargo build --example client' first: 'cargo test --test it' does not build examples"
    );
    Runner {
        program,
        script: None,
    }
}

/// Plays a game that ends when a player goes out, and one whose lexicon has no playable word, which
/// ends with scoreless turns.
fn check_games(client: &Runner) {
    let folder = tempfile::tempdir().unwrap();
    let [words, log] = ["words.txt", "log.txt"].map(|name| folder.path().join(name));
    // The only word cannot be played: there is one Q, and two blanks.
    fs::write(&words, "QQQQ\n").unwrap();
    for lexicon in [Path::new("OEL26"), &words] {
        let options = [
            format!("Lexicon={}", lexicon.display()),
            format!("Log={}", log.display()),
        ];
        let options = options.each_ref().map(|option| ["--option", option]);
        let output = client.run(ENGINE, options.as_flattened());
        let is_clean = output.status.success() && output.stderr.is_empty();
        assert!(is_clean, "{output:?}");
        let printed = PrintedGame::read(&String::from_utf8(output.stdout).unwrap());
        let end = printed.replay("tournament", 2);
        if lexicon == words {
            assert_eq!((end, printed.turns.len()), (End::Scoreless, 6));
        } else {
            assert!(printed.turns.len() > 10, "{} turns", printed.turns.len());
        }
        let log_text = fs::read_to_string(&log).unwrap();
        assert!(log_text.ends_with("> quit\n"), "{log_text}");
        fs::remove_file(&log).unwrap();
    }
}

/// A game as a client prints it.
#[derive(Default)]
struct PrintedGame {
    turns: Vec<PrintedMove>,
    left: Vec<String>,
    scores: Vec<Points>,
    command: String,
}

struct PrintedMove {
    seat: usize,
    rack: String,
    text: String,
    points: Points,
    total: Points,
    bag: usize,
}

impl PrintedGame {
    fn read(output: &str) -> PrintedGame {
        let mut printed = PrintedGame::default();
        for line in output.lines() {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [
                    number,
                    "player",
                    seat,
                    rack,
                    text,
                    points,
                    total,
                    "bag",
                    bag,
                ] => {
                    assert_eq!(number.parse(), Ok(printed.turns.len() + 1));
                    printed.turns.push(PrintedMove {
                        seat: seat.parse::<usize>().unwrap() - 1,
                        rack: rack.to_string(),
                        text: text.to_string(),
                        points: points.parse().unwrap(),
                        total: total.parse().unwrap(),
                        bag: bag.parse().unwrap(),
                    });
                }
                ["player", _, "is", "left", "with", rack, _] => {
                    printed.left.push(rack.trim_matches(['-', ':']).to_string());
                }
                ["final", "score", scores @ ..] => {
                    printed.scores = scores.iter().map(|score| score.parse().unwrap()).collect();
                }
                ["position", ..] => printed.command = line.to_string(),
                _ => panic!("the client prints '{line}'"),
            }
        }
        printed
    }

    /// Plays the game again by the rules of the library and in the engine. Returns why it ended.
    fn replay(&self, rule_set: &str, players: usize) -> End {
        let mut game = Game::new(rules(rule_set), players).unwrap();
        for turn in &self.turns {
            assert_eq!(game.position().to_move(), turn.seat);
            set_printed_rack(&mut game, turn.seat, &turn.rack);
            let taken = MoveText::parse(&turn.text).unwrap();
            let taken = taken.turn(game.position()).unwrap();
            assert_eq!(game.play(&taken), Ok(turn.points), "{}", turn.text);
            assert_eq!(game.position().score(turn.seat), turn.total);
            assert_eq!(game.position().bag_len(), turn.bag, "{}", turn.text);
        }
        assert_eq!(self.left.len(), players);
        for (seat, rack) in self.left.iter().enumerate() {
            set_printed_rack(&mut game, seat, rack);
        }
        let outcome = game.outcome().expect("the game is over");
        assert_eq!(outcome.scores, self.scores);

        let moves: Vec<String> = self.turns.iter().map(PrintedMove::with_rack).collect();
        let command = format!("position startpos moves {}", moves.join(" "));
        assert_eq!(self.command, command);
        let mut engine = Client::start();
        let options = format!(
            "setoption name Rules value {rule_set}\nsetoption name Players value {players}"
        );
        assert_eq!(engine.ask(&format!("{options}\n{command}")), [""; 0]);
        let mut shown = engine.ask("show").into_iter();
        assert!(shown.any(|line| line.starts_with("the game is over")));
        outcome.end
    }
}

impl PrintedMove {
    fn with_rack(&self) -> String {
        format!("{}.{}", self.text, self.rack)
    }
}

/// Gives a player the printed rack. It must hold the tiles that the player kept, be full, and use
/// no tile that lies elsewhere.
fn set_printed_rack(game: &mut Game, seat: usize, rack: &str) {
    let rack = game.position().rules().tiles.read_tiles(rack).unwrap();
    let hand = *game.position().rack(seat);
    assert_eq!(rack.len(), hand.len());
    assert!(rack.contains_all(&hand.known), "a kept tile is missing");
    game.set_known_tiles(seat, rack).unwrap();
}
