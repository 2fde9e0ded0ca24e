//! Clients that stop in the middle of a line, flood the engine with commands, or disappear.

use super::Target;
use crate::support::Client;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A position in which a search can start.
const RACK: &str = "position startpos moves rack.AEINRST";

#[test]
fn the_last_line_may_lack_its_end() {
    let check = |bytes: &[u8], expected: &str| {
        let mut client = Client::start();
        client.send(bytes);
        let said = client.close();
        let last = said.last().map_or("", String::as_str);
        assert!(last.starts_with(expected), "{said:?}");
    };
    check(b"isread", "info string error unknown-command ");
    check(b"isready\r", "readyok");
    check(b"position startpos mo", "");
    check(b"position startpos\nrack AEI\ngo gen", "bestmove ");
    check(b"position startpos\nrack AEI\ngo inf", "info string error ");
    check(
        "rack É".as_bytes().split_last().unwrap().1,
        "info string error unknown-command ",
    );
    check(
        &[b'x'; 3 << 20],
        "info string error unknown-command the line is longer",
    );
    check(b"\n\n\n", "");
}

#[test]
fn each_search_has_one_best_move_in_a_flood_of_commands() {
    let mut target = Target::start();
    target.client.send(&b"stop\n".repeat(10_000));
    assert_eq!(target.sync(), [""; 0]);
    target.say(RACK);
    for _ in 0..200 {
        // The next `go` would be refused before the best move of this one.
        target.say("go infinite candidates 1\nstop\nstop\nstop");
        let said = target.client.until("bestmove ");
        assert_eq!(said[0].split(' ').nth(2), Some("provenance"), "{said:?}");
    }
    target.say("go infinite candidates 1");
    for line in [
        "go",
        RACK,
        "rack AB",
        "setoption name Players value 3",
        "siunewgame",
    ] {
        target
            .client
            .send(format!("{line}\n").repeat(500).as_bytes());
    }
    let said = target.sync();
    let refused = |line: &&String| line.starts_with("info string error busy ");
    assert_eq!(said.iter().filter(refused).count(), 2_500);
    assert!(!said.iter().any(|line| line.starts_with("bestmove ")));
    target.client.send(&b"stop\n".repeat(1_000));
    // On a busy machine the search may end later than all that.
    let said = target.client.until("bestmove ");
    let verdict = said.len() - 1;
    assert!(
        said[..verdict].iter().all(|line| line.starts_with("info ")),
        "{said:?}"
    );
    target.close();
}

#[test]
fn an_infinite_search_ends_with_its_client() {
    for last in ["quit\n", "quit", "", "quit\nquit\ngo\nisready\n"] {
        let mut client = Client::start();
        client.say(RACK);
        client.say("go infinite");
        client.until("info string provenance ");
        client.send(last.as_bytes());
        let said = client.close();
        let verdicts = said.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(verdicts.count(), 1, "{last:?}: {said:?}");
        assert_ne!(said.last().map(String::as_str), Some("readyok"));
    }
}

#[test]
fn a_client_that_no_longer_reads_ends_the_session() {
    let query = r#"{"id": "q", "rack": "AEINRSV", "iterations": 1000000000, "reportEvery": 100}"#;
    let json = format!("{query}\n{query}\n");
    for lines in [
        json.clone(),
        "isready\n".to_string(),
        "siu\n".repeat(50),
        format!("{RACK}\ngo infinite\nstop\n"),
        // Here the progress of the search finds no reader.
        format!("{RACK}\ngo infinite\n"),
        format!("{RACK}\ngo candidates 100000\n"),
        "help\n".repeat(1_000),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cazique"))
            .args((lines == json).then_some("--json"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        // The input stays open: only the output is closed.
        let mut input = child.stdin.take().expect("its input is piped");
        let _ = input.write_all(lines.as_bytes());
        let ended = ends_soon(&mut child);
        let _ = child.kill();
        let output = child.wait_with_output().expect("it can be waited for");
        assert!(ended, "{lines}");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
    }
}

/// The number of commands of one session. Chosen by hand.
const SESSION_COMMANDS: usize = 100_000;
/// The number of commands between two measurements of memory. Chosen by hand.
const COMMANDS_PER_MEASUREMENT: usize = 10_000;
/// The most memory that the program may gain after the first measurement, in kB. Chosen by hand.
const MAX_GROWTH_KB: u64 = 6_000;

#[test]
fn a_hundred_thousand_commands_do_not_fill_memory() {
    let mut target = Target::start();
    let mut held = Vec::new();
    for part in 0..SESSION_COMMANDS / COMMANDS_PER_MEASUREMENT {
        for at in 0..COMMANDS_PER_MEASUREMENT / 10 {
            let seed = part * COMMANDS_PER_MEASUREMENT + at;
            // Ten commands, among them a search, sometimes with several threads.
            let threads = 1 + at % 3;
            let search = match at % 25 {
                0 => format!(
                    "go sim iterations 2 candidates 3 depth 1 seed {seed} threads {threads}"
                ),
                _ => "go gen candidates 1".to_string(),
            };
            target.say(&format!(
                "{RACK}\ncheck 8D.RETINAS\nrack AEGILN{}\nsetoption name Seed value {seed}\nisready\nnonsense\nsiunewgame\n{RACK}\nshow\n{search}",
                if at % 2 == 0 { "?" } else { "S" },
            ));
            target.client.until("bestmove ");
        }
        target.say("isready");
        target.client.until("readyok");
        held.extend(target.client.memory().map(|[now, _]| now));
    }
    if let [first, .., last] = held[..] {
        assert!(last < first + MAX_GROWTH_KB, "{held:?} kB");
    }
    target.close();
}

fn ends_soon(child: &mut Child) -> bool {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        if child.try_wait().expect("it can be waited for").is_some() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}
