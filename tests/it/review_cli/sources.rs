//! Where records come from, and what a hostile archive does.

use super::{Desk, GAME};
use cazique::review::{MAX_REVIEW_RECORD_BYTES, RecordSources};
use std::fs::File;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What the sources of some paths are, one line each: records by name, and failures with a `!` and
/// the reason. A record that cannot be read is a failure too.
fn found(desk: &Desk, paths: &[&str], input: &[u8]) -> Vec<String> {
    let paths: Vec<PathBuf> = paths
        .iter()
        .map(|path| match *path {
            "-" => path.into(),
            path => desk.path(path),
        })
        .collect();
    let sources = RecordSources::find(&paths, &mut Cursor::new(input));
    let base = desk.path("").display().to_string();
    let records = sources.records.iter().map(|source| match source.read() {
        Ok(bytes) if bytes == GAME.as_bytes() => source.name.clone(),
        Ok(bytes) => panic!("{} has {} other bytes", source.name, bytes.len()),
        Err(reason) => format!("! {}: {reason}", source.name),
    });
    let failures = sources.failures.iter();
    let failures = failures.map(|it| format!("! {}: {}", it.record, it.reason));
    let lines = records.chain(failures);
    lines.map(|line| line.replace(&base, "")).collect()
}

#[track_caller]
fn check(desk: &Desk, paths: &[&str], expected: &[&str]) {
    check_input(desk, paths, b"", expected);
}

/// Every expected line is the start of the line found.
#[track_caller]
fn check_input(desk: &Desk, paths: &[&str], input: &[u8], expected: &[&str]) {
    let found = found(desk, paths, input);
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, it)| found.starts_with(it));
    assert!(same, "{paths:?}: {found:#?}");
}

/// An archive whose entries are stored without compression, so that tests can damage them.
fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn compressed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Where bytes contain others for the n-th time.
fn place(bytes: &[u8], part: &[u8], n: usize) -> usize {
    let mut windows = bytes.windows(part.len()).enumerate();
    let found = windows.by_ref().filter(|(_, window)| *window == part);
    found.map(|(at, _)| at).nth(n).expect("the part is there")
}

#[test]
fn a_folder_gives_its_records_in_order() {
    let desk = Desk::with(&[
        "b.gcg",
        "a.GCG",
        "club/2.gcg",
        "club/1.gcg",
        "._a.gcg",
        "notes.txt",
        "a.fixed.gcg",
        "A.Review.gcg",
        "alone.fixed.gcg",
    ]);
    let all = [
        "a.GCG",
        "alone.fixed.gcg",
        "b.gcg",
        "club/1.gcg",
        "club/2.gcg",
    ];
    check(&desk, &[""], &all);
    // A file that is named is a record, whatever its ending, and none is reviewed twice.
    check(
        &desk,
        &["notes.txt", "notes.txt", "a.fixed.gcg"],
        &["notes.txt", "a.fixed.gcg"],
    );
    check(
        &desk,
        &["club/2.gcg", "club"],
        &["club/2.gcg", "club/1.gcg"],
    );
    check(
        &desk,
        &["club", "club/2.gcg"],
        &["club/1.gcg", "club/2.gcg"],
    );
    check(
        &desk,
        &["club/1.gcg", "club/2.gcg", "club"],
        &["club/1.gcg", "club/2.gcg"],
    );
}

#[test]
fn nothing_yields_nothing_silently() {
    let desk = Desk::with(&["texts/a.txt", "zips/a.zip"]);
    check(
        &desk,
        &["texts"],
        &["! texts: the folder has no record (*.gcg)"],
    );
    check(
        &desk,
        &["zips"],
        &["! zips: the folder has no record (*.gcg); it has 1 zip archives"],
    );
    check(&desk, &["nowhere.gcg"], &["! nowhere.gcg: "]);
    desk.write("empty.zip", archive(&[]));
    check(
        &desk,
        &["empty.zip"],
        &["! empty.zip: the archive has no record"],
    );
    desk.write("other.zip", archive(&[("a.txt", b"x"), ("b/", b"")]));
    check(
        &desk,
        &["other.zip"],
        &["! other.zip: the archive has no record"],
    );
    desk.write("cut.zip", &archive(&[("a.gcg", GAME.as_bytes())])[..60]);
    check(&desk, &["cut.zip"], &["! cut.zip: the archive is damaged"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_once() {
    let desk = Desk::with(&["games/a.gcg", "other/b.gcg"]);
    let link = |to: &str, from: &str| {
        std::os::unix::fs::symlink(desk.path(to), desk.path(from)).unwrap();
    };
    link("games", "games/loop");
    link("other", "games/other");
    link("games/a.gcg", "games/z.gcg");
    link("nowhere", "games/y.gcg");
    let expected = ["games/a.gcg", "games/other/b.gcg", "! games/y.gcg: "];
    check(&desk, &["games"], &expected);
}

#[cfg(unix)]
#[test]
fn what_is_not_a_file_does_not_block() {
    let desk = Desk::with(&["games/a.gcg"]);
    let made = std::process::Command::new("mkfifo")
        .arg(desk.path("games/b.gcg"))
        .status();
    if made.is_ok_and(|made| made.success()) {
        check(
            &desk,
            &["games"],
            &["games/a.gcg", "! games/b.gcg: this is not a file"],
        );
    }
}

#[test]
fn a_record_has_a_largest_size() {
    let desk = Desk::new();
    let file = File::create(desk.path("large.gcg")).unwrap();
    file.set_len(MAX_REVIEW_RECORD_BYTES + 1).unwrap();
    check(&desk, &["large.gcg"], &["! large.gcg: more than 16 MiB"]);
}

#[test]
fn an_archive_gives_its_records_in_order() {
    let desk = Desk::new();
    let game = GAME.as_bytes();
    let entries = [
        ("b.gcg", game),
        ("club/round 1/A.GCG", game),
        ("../../etc/passwd.gcg", game),
        ("__MACOSX/._b.gcg", b"attributes".as_slice()),
        ("readme.txt", b"text"),
        ("b.review.gcg", b"other"),
    ];
    let expected = [
        "games.zip: ../../etc/passwd.gcg",
        "games.zip: b.gcg",
        "games.zip: club/round 1/A.GCG",
    ];
    desk.write("games.zip", archive(&entries));
    check(&desk, &["games.zip"], &expected);
    desk.write("games.zip", compressed(&entries));
    check(&desk, &["games.zip"], &expected);
    // The content decides, not the name.
    desk.write("games.bin", compressed(&entries[..1]));
    check(&desk, &["games.bin"], &["games.bin: b.gcg"]);
    check_input(
        &desk,
        &["-"],
        &compressed(&entries[..1]),
        &["standard input: b.gcg"],
    );
}

#[test]
fn standard_input_is_a_record() {
    let desk = Desk::with(&["a.gcg"]);
    let expected = ["a.gcg", "standard input"];
    check_input(&desk, &["a.gcg", "-"], GAME.as_bytes(), &expected);
}

#[test]
fn a_damaged_entry_is_named_and_the_others_are_read() {
    let desk = Desk::new();
    let game = GAME.as_bytes();
    let whole = archive(&[("a.gcg", game), ("b.gcg", game)]);
    let check = |name: &str, bytes: &[u8], expected: &str| {
        desk.write(name, bytes);
        let failure = format!("! {name}: a.gcg: {expected}");
        check(&desk, &[name], &[&failure, &format!("{name}: b.gcg")]);
    };
    // A changed byte: the checksum of the format finds it.
    let mut changed = whole.clone();
    changed[place(&whole, b"HORN", 0)] = b'X';
    check("changed.zip", &changed, "Invalid checksum");
    // The first entry is marked as encrypted, in its own header and in the list.
    let mut encrypted = whole.clone();
    encrypted[6] |= 1;
    encrypted[place(&whole, b"PK\x01\x02", 0) + 8] |= 1;
    check("encrypted.zip", &encrypted, "the entry is encrypted");
    // An unknown method of compression.
    let mut unknown = whole.clone();
    unknown[8] = 98;
    unknown[place(&whole, b"PK\x01\x02", 0) + 10] = 98;
    check("unknown.zip", &unknown, "");
    // The list says that the record is smaller, or larger than the limit.
    let size = place(&whole, b"PK\x01\x02", 0) + 24;
    let mut small = whole.clone();
    small[size..size + 4].copy_from_slice(&3_u32.to_le_bytes());
    check(
        "small.zip",
        &small,
        "File is larger than its declared uncompressed size",
    );
    let mut large = whole.clone();
    large[size..size + 4].copy_from_slice(&(64_u32 << 20).to_le_bytes());
    check(
        "large.zip",
        &large,
        "the record has 64 MiB, the limit is 16",
    );
}

#[test]
fn a_bomb_is_refused_without_unpacking_it() {
    let desk = Desk::new();
    let zeros = vec![0_u8; 20 << 20];
    desk.write("bomb.zip", compressed(&[("a.gcg", &zeros)]));
    check(
        &desk,
        &["bomb.zip"],
        &["! bomb.zip: a.gcg: the record has 20 MiB"],
    );
    // Many records that are too large together: the list says so.
    let names: Vec<String> = (0..40).map(|number| format!("{number}.gcg")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b"x"[..])).collect();
    let mut many = archive(&entries);
    for at in 0..entries.len() {
        let size = place(&many, b"PK\x01\x02", at) + 24;
        many[size..size + 4].copy_from_slice(&(15_u32 << 20).to_le_bytes());
    }
    desk.write("many.zip", many);
    let expected = "! many.zip: the records of the archive have 600 MiB, the limit is 512";
    check(&desk, &["many.zip"], &[expected]);
    let file = File::create(desk.path("huge.zip")).unwrap();
    io::copy(&mut &archive(&[("a.gcg", b"x")])[..], &mut &file).unwrap();
    file.set_len(65 << 20).unwrap();
    check(
        &desk,
        &["huge.zip"],
        &["! huge.zip: the archive has 65 MiB, the limit is 64"],
    );
}

#[test]
fn two_entries_of_one_name_are_reported() {
    let desk = Desk::new();
    let mut twice = archive(&[("a.gcg", GAME.as_bytes()), ("b.gcg", GAME.as_bytes())]);
    let (local, listed) = (place(&twice, b"b.gcg", 0), place(&twice, b"b.gcg", 1));
    twice[local] = b'a';
    twice[listed] = b'a';
    desk.write("twice.zip", twice);
    let expected = [
        "twice.zip: a.gcg",
        "! twice.zip: several entries have the same name",
    ];
    check(&desk, &["twice.zip"], &expected);
}

#[test]
fn a_changed_archive_is_never_a_panic() {
    let desk = Desk::new();
    let game = GAME.as_bytes();
    let whole = compressed(&[("a.gcg", game), ("b/c.gcg", game)]);
    for at in 0..whole.len() {
        for value in [0, 0xff, whole[at] ^ 1] {
            let mut changed = whole.clone();
            changed[at] = value;
            let path = desk.write("changed.zip", &changed);
            let sources = RecordSources::find(&[path], &mut io::empty());
            let read = sources.records.iter().map(|source| source.read());
            let is_whole =
                |read: &Result<Vec<u8>, String>| read.as_ref().is_ok_and(|it| it == game);
            let (whole_records, others): (Vec<_>, Vec<_>) = read.partition(is_whole);
            // What is no record any more is named when it is read as one.
            let complaints = sources.failures.len() + others.len();
            let all = whole_records.len();
            // A changed name may not be a record's name any more: nothing else gets lost.
            let may_be_less = complaints > 0 || is_name(&whole, at);
            assert!(all == 2 || (all < 2 && may_be_less), "byte {at}: {all}");
        }
    }
}

/// Whether a byte belongs to a name in the archive or to its length.
fn is_name(bytes: &[u8], at: usize) -> bool {
    let names = [&b"a.gcg"[..], b"b/c.gcg"];
    let starts = names.iter().flat_map(|name| [(name, 0), (name, 1)]);
    let mut ranges = starts.map(|(name, n)| (place(bytes, name, n), name.len()));
    let headers = [(&b"PK\x03\x04"[..], 26), (b"PK\x01\x02", 28)];
    let lengths = headers
        .iter()
        .flat_map(|(magic, to)| [0, 1].map(|n| place(bytes, magic, n) + to));
    let mut lengths = lengths.collect::<Vec<_>>().into_iter();
    // The number of entries, at the end, hides entries as well.
    let end = place(bytes, b"PK\x05\x06", 0);
    ranges.any(|(start, length)| (start..start + length).contains(&at))
        || lengths.any(|start| (start..start + 2).contains(&at))
        || (end + 8..end + 20).contains(&at)
}
