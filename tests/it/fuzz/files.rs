//! A client names files that are cut short, damaged, or not files at all.

use super::{Folder, Target};
use crate::support::{repository, rules};
use cazique::lexicon::kwg::{self, NodeFormat};
use cazique::lexicon::{Graph, TextEncoding, text};
use cazique::seed::Seed;
use rand::RngExt;
use std::fs::{self, File};
use std::path::PathBuf;

/// The number of damaged files of each format. Chosen for its time.
const DAMAGED_FILES: u64 = 60;

#[test]
fn a_damaged_file_is_an_error_or_does_no_harm() {
    let folder = Folder::new();
    let mut target = Target::start();
    // A small lexicon, because each new alphabet loads it again.
    let small = folder.path().join("words.txt");
    let mut refused = 0;
    for (format, (option, name, bytes)) in (0..).zip(originals()) {
        let seed = Seed(21).for_unit(format);
        target.set("Lexicon", &small);
        for unit in 0..DAMAGED_FILES {
            let damaged = damage(bytes.clone(), seed.for_unit(unit));
            // A new name each time, because the engine keeps files that it has loaded.
            let path = folder.write(&format!("{unit}-{name}"), &damaged);
            target.set(option, &path);
            let mut said = target.sync();
            said.retain(|line| line.starts_with("info string error "));
            assert!(said.len() <= 1, "{option} {unit}-{name}: {said:?}");
            refused += said.len();
            for line in [
                "position startpos",
                "show",
                "show rules",
                "rack AEINRST",
                "rack A",
                "go movetime 20 candidates 2",
                "stop",
                "check 8H.AE",
                "check 3C.AA",
            ] {
                target.say(line);
            }
            target.finish();
        }
        target.settle();
        target.check_known_position();
    }
    assert!(refused > 100, "the damage is too small");
    target.client.close();
}

/// An undamaged file of every format, with the option that names it.
fn originals() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let read = |path: &str| fs::read(repository(path)).expect("a file of the repository");
    let list = fs::read_to_string(repository("lexica/oel26.tsv")).expect("the words");
    let list: Vec<&str> = list
        .lines()
        .step_by(400)
        .filter_map(|line| line.split('\t').next())
        .collect();
    let list = list.join("\n");
    let rules = rules("deluxe");
    let (words, _) = text::read(list.as_bytes(), &rules.tiles, TextEncoding::Auto).expect("words");
    let graph = Graph::from_words(&words).expect("a graph");
    let graph = |layout| kwg::write(&graph, layout).expect("a graph file");
    let utf16 = |unit: fn(u16) -> [u8; 2]| {
        let units = std::iter::once(0xFEFF).chain(list.encode_utf16());
        units.flat_map(unit).collect::<Vec<u8>>()
    };
    vec![
        ("Board", "board.txt", read("lexica/boards/standard15.txt")),
        ("Board", "board21.txt", read("lexica/boards/standard21.txt")),
        (
            "LetterDistribution",
            "tiles.csv",
            read("lexica/tiles/english.csv"),
        ),
        (
            "LetterDistribution",
            "digraphs.csv",
            super::lines::FILES[3].1.as_bytes().to_vec(),
        ),
        ("Rules", "rules.txt", rules.to_text().into_bytes()),
        (
            "Rules",
            "base.txt",
            b"base = super\nrack = 9\nplayers = 2-3\ntarget = expert/200\n".to_vec(),
        ),
        ("Lexicon", "utf8.txt", list.clone().into_bytes()),
        ("Lexicon", "utf16le.txt", utf16(u16::to_le_bytes)),
        ("Lexicon", "utf16be.txt", utf16(u16::to_be_bytes)),
        ("Lexicon", "small.kwg", graph(NodeFormat::Kwg)),
        ("Lexicon", "big.kbwg", graph(NodeFormat::Kbwg)),
        ("WinPctTable", "table.win", read("lexica/oel26.win")),
    ]
}

/// Cuts a file short, flips bits, or drops, repeats or overwrites a piece.
fn damage(mut bytes: Vec<u8>, seed: Seed) -> Vec<u8> {
    let mut chance = seed.generator();
    for _ in 0..chance.random_range(1..3) {
        let from = chance.random_range(0..=bytes.len());
        let to = (from + chance.random_range(0..40)).min(bytes.len());
        match chance.random_range(0..6) {
            0 => bytes.truncate(from),
            1 => _ = bytes.drain(from..to),
            2 => {
                let piece = bytes[from..to].to_vec();
                let times = chance.random_range(1..200);
                bytes.splice(from..from, piece.repeat(times));
            }
            3 => chance.fill(&mut bytes[from..to]),
            _ if bytes.is_empty() => {}
            _ => {
                for _ in 0..chance.random_range(1..4) {
                    let at = chance.random_range(0..bytes.len());
                    bytes[at] ^= 1 << chance.random_range(0..8);
                }
            }
        }
    }
    bytes
}

#[test]
fn a_path_that_is_not_a_usable_file_is_refused_at_once() {
    let folder = Folder::new();
    let mut target = Target::start();
    let large = |name: &str, len: u64| {
        let path = folder.path().join(name);
        // The file is sparse on most systems and takes no space.
        let file = File::create(&path).expect("temporary files can be written");
        file.set_len(len).expect("the system takes large files");
        path
    };
    let mut paths = vec![
        folder.path().join("missing"),
        folder.path().to_path_buf(),
        folder.write("empty.txt", b""),
        folder.write("empty.kwg", b""),
        folder.write("nothing.txt", b"\n\n\r\n\n\n\n\n#\n"),
        large("large", (1 << 30) + 1),
        large("large.kbwg", (1 << 30) + 1),
    ];
    let odd = [
        "/dev/zero",
        "/dev/random",
        "/dev/stdin",
        "/proc/self/mem",
        "/",
    ];
    paths.extend(
        odd.map(PathBuf::from)
            .into_iter()
            .filter(|path| path.exists()),
    );
    for option in ["Board", "LetterDistribution", "Rules", "Lexicon"] {
        for path in &paths {
            target.set(option, path);
            let said = target.sync();
            let refused = ["info string error bad-option ", "info string error data "];
            assert!(
                matches!(&said[..], [line] if refused.iter().any(|start| line.starts_with(start))),
                "{option} {}: {said:?}",
                path.display()
            );
        }
    }
    target.settle();
    target.check_known_position();
    if let Some([_, peak]) = target.client.memory() {
        assert!(peak < super::MAX_MEMORY_KB, "the peak was {peak} kB");
    }
    target.client.close();
}
