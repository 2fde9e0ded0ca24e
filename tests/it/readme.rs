//! README.md is true: its commands run, and its board is what the program draws.
//!
//! The commands run in a temporary folder with the sample files they name. They need a shell with
//! pipes and redirections.
#![cfg(unix)]

use crate::support::{code_blocks, repository};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Sizes in commands and sample files that would take too long in a test, and what they become.
const REDUCED_SIZES: [(&str, &str); 10] = [
    ("--games 1000", "--games 4"),
    ("--games 10 ", "--games 1 "),
    ("movetime=200", "movetime=2"),
    ("movetime 2000", "movetime 50"),
    ("--time 500", "--time 5"),
    ("\"movetime\": 1000", "\"movetime\": 50"),
    ("iterations 400", "iterations 4"),
    ("\"iterations\": 200", "\"iterations\": 4"),
    ("bench sim", "bench sim --quick --threads 1"),
    ("bench endgame", "bench endgame --quick"),
];

/// The files of the repository that commands read.
const SAMPLE_FILES: [&str; 3] = [
    "examples/nippers.txt",
    "examples/game.json",
    "examples/game.gcg",
];

fn readme() -> String {
    fs::read_to_string(repository("README.md")).unwrap()
}

/// The lines of all code blocks in this language.
fn blocks(language: &str) -> Vec<String> {
    let blocks = code_blocks(&readme(), language);
    blocks.into_iter().flatten().map(|(_, line)| line).collect()
}

/// The commands of README.md that start the program.
fn commands() -> Vec<String> {
    let starts_program = |line: &String| line.starts_with("cazique") || line.contains("| cazique");
    blocks("sh").into_iter().filter(starts_program).collect()
}

fn reduced(text: &str) -> String {
    let mut text = text.to_string();
    for (size, smaller) in REDUCED_SIZES {
        text = text.replace(size, smaller);
    }
    text
}

/// A folder with the program and the sample files, all reduced.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink(env!("CARGO_BIN_EXE_cazique"), path("cazique")).unwrap();
    fs::create_dir(path("examples")).unwrap();
    for name in SAMPLE_FILES {
        let text = fs::read_to_string(repository(name)).unwrap();
        fs::write(path(name), reduced(&text)).unwrap();
    }
    folder
}

fn run(folder: &TempDir, command: &str) -> Output {
    let search_path = std::env::var("PATH").unwrap_or_default();
    let search_path = format!("{}:{search_path}", folder.path().display());
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", &reduced(command)]);
    let shell = shell.current_dir(folder.path()).env("PATH", search_path);
    let shell = shell.env("XDG_CACHE_HOME", folder.path().join("cache"));
    shell.output().unwrap()
}

#[test]
fn every_command_of_the_readme_runs() {
    let (folder, commands) = (folder(), commands());
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let output = run(&folder, &command);
        let (printed, complaints) = (
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        assert!(output.status.success(), "{command}: {complaints}");
        assert!(!printed.trim().is_empty(), "{command} prints nothing");
        for error in ["info string error", "\"error\""] {
            assert!(!printed.contains(error), "{command}: {printed}");
        }
    }
}

#[test]
fn every_reduced_size_is_used() {
    let samples = SAMPLE_FILES.map(|name| fs::read_to_string(repository(name)).unwrap());
    let texts: String = commands().join("\n") + &samples.concat();
    for (size, _) in REDUCED_SIZES {
        assert!(texts.contains(size), "no command has {size}");
    }
}

#[test]
fn the_board_of_the_readme_is_what_the_program_draws() {
    let output = run(&folder(), "cazique < examples/nippers.txt");
    let drawn = String::from_utf8(output.stdout).unwrap();
    let drawn: Vec<&str> = drawn.lines().collect();
    let shown = blocks("text");
    let board: Vec<&String> = shown.iter().take_while(|line| *line != "…").collect();
    assert!(board.len() > 15, "{board:?}");
    for line in board {
        assert!(drawn.contains(&line.as_str()), "not drawn: {line}");
    }
}

#[test]
fn what_the_readme_shows_of_other_commands_is_printed() {
    let (folder, commands) = (folder(), commands());
    let shown = code_blocks(&readme(), "text");
    assert_eq!(shown.len(), 2);
    let knave = commands.iter().find(|command| command.contains("AEKNRSV"));
    let output = run(&folder, knave.expect("a command with this rack"));
    let printed = String::from_utf8(output.stdout).unwrap();
    for (_, line) in &shown[1] {
        assert!(
            printed.lines().any(|other| other == line),
            "not printed: {line}"
        );
    }
    // The bingo of the record.
    let once = "cazique --gcg=examples/game.gcg --rack=DEENOST";
    assert!(commands.iter().any(|command| command.starts_with(once)));
    let output = run(&folder, &format!("{once} --iterations=1"));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains(r#""move":"14F.ENDOSTEA""#), "{printed}");
}

#[test]
fn the_readme_is_short() {
    let document = readme();
    assert!(document.lines().count() <= 150);
    for line in document.lines() {
        assert!(line.chars().count() <= 100, "too wide: {line}");
    }
}
