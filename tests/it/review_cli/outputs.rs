//! Names of outputs, and what is replaced.

use super::{Desk, GAME};
use cazique::review::{
    OutputNames, OutputPlace, OutputWriter, RecordSources, ReviewFormat, remove_abandoned_parts,
};
use std::fs;
use std::io::empty;
use std::path::{Path, PathBuf};

/// The names of the outputs of all records of a folder, without ending.
#[track_caller]
fn check_names(records: &[&str], place: &OutputPlace, index: Option<&str>, expected: &[&str]) {
    let desk = Desk::with(records);
    let base = desk.path("");
    let sources = RecordSources::find(std::slice::from_ref(&base), &mut empty());
    let index = index.map(|folder| desk.path(folder));
    let mut names = OutputNames::new(index.as_deref());
    let stems = sources.records.iter().map(|source| {
        let stem = names.stem(source, place).expect("a place");
        let stem = stem.strip_prefix(&base).unwrap_or(&stem).to_path_buf();
        stem.display().to_string().replace('\\', "/")
    });
    assert_eq!(stems.collect::<Vec<_>>(), expected);
}

#[test]
fn names_do_not_collide() {
    let beside = OutputPlace::BesideRecords;
    check_names(&["a.gcg", "b/a.gcg"], &beside, None, &["a", "b/a"]);
    check_names(
        &["a.gcg", "index.gcg"],
        &beside,
        Some(""),
        &["a", "index-2"],
    );
    check_names(
        &["Index.gcg", "b/index.gcg"],
        &beside,
        Some(""),
        &["Index-2", "b/index"],
    );
    let out = OutputPlace::Folder(PathBuf::from("out"));
    let records = ["a.gcg", "b/a.gcg", "b-a.gcg", "c d.gcg", "c_d.gcg"];
    let expected = ["out/a", "out/b-a", "out/b-a-2", "out/c_d", "out/c_d-2"];
    check_names(&records, &out, None, &expected);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_only_in_case_do_not_collide() {
    let beside = OutputPlace::BesideRecords;
    let expected = ["A", "a-2", "a-3"];
    check_names(&["A.gcg", "a.GCG", "a.gcg"], &beside, None, &expected);
}

/// Whether a file with this content may be replaced.
#[track_caller]
fn check_replaced(name: &str, content: &str, force: bool, expected: bool) {
    let desk = Desk::with(&["game.gcg"]);
    let (record, path) = (desk.path("game.gcg"), desk.write(name, content));
    let writer = OutputWriter::new([record.as_path()].into_iter(), force);
    let format = match name.rsplit('.').next() {
        Some("json") => ReviewFormat::Json,
        Some("csv") => ReviewFormat::Csv,
        Some("gcg") => ReviewFormat::Gcg,
        _ => ReviewFormat::Html,
    };
    let written = writer.write(&path, format, "new".to_string(), 1);
    assert_eq!(
        written.is_ok(),
        expected,
        "{name}: {content:?}: {written:?}"
    );
    let now = desk.read(name);
    assert_eq!(now.starts_with("new"), expected, "{name}");
    assert_eq!(now == content, !expected, "{name}");
}

#[test]
fn only_outputs_of_this_program_are_replaced() {
    let page = ReviewFormat::Html.marked("<p>page</p>".to_string(), 1);
    check_replaced("game.html", &page, false, true);
    check_replaced("game.html", &page.replace("page", "mine"), false, false);
    check_replaced("game.html", "<p>mine</p>", false, false);
    check_replaced("game.html", "", false, false);
    check_replaced("game.html", "<p>mine</p>", true, true);
    check_replaced("game.json", "{\"mine\": 1}", false, false);
    check_replaced("game.csv", "turn,mine\r\n1,2\r\n", false, false);
    check_replaced("game.review.gcg", GAME, false, false);
    let copy = ReviewFormat::Gcg.marked(GAME.to_string(), 1);
    check_replaced("game.review.gcg", &copy, false, true);
    // The record stays, whatever it looks like.
    check_replaced("game.gcg", GAME, true, false);
    check_replaced("game.gcg", &copy, false, false);
}

#[test]
fn a_page_is_current_only_for_its_source_and_unchanged() {
    let desk = Desk::new();
    let (path, format) = (desk.path("game.html"), ReviewFormat::Html);
    let writer = OutputWriter::new([].into_iter(), false);
    assert!(!writer.is_current(&path, format, 1));
    writer.write(&path, format, "page".to_string(), 1).unwrap();
    assert!(writer.is_current(&path, format, 1));
    assert!(!writer.is_current(&path, format, 2));
    let changed = desk.read("game.html").replace("page", "mine");
    desk.write("game.html", changed);
    assert!(!writer.is_current(&path, format, 1));
}

#[cfg(unix)]
#[test]
fn a_record_is_not_replaced_through_a_link() {
    let desk = Desk::with(&["game.gcg"]);
    std::os::unix::fs::symlink(desk.path("game.gcg"), desk.path("game.html")).unwrap();
    let record = desk.path("game.gcg");
    let writer = OutputWriter::new([record.as_path()].into_iter(), true);
    let written = writer.write(
        &desk.path("game.html"),
        ReviewFormat::Html,
        String::new(),
        1,
    );
    assert!(written.is_err_and(|error| error.contains("is a record")));
    assert_eq!(desk.read("game.gcg"), GAME);
}

#[test]
fn what_is_in_the_way_is_an_error() {
    let desk = Desk::with(&["game.html/a.gcg", "file"]);
    let writer = OutputWriter::new([].into_iter(), true);
    let write = |path: &Path| writer.write(path, ReviewFormat::Html, "new".to_string(), 1);
    assert!(write(&desk.path("game.html")).is_err_and(|error| error.contains("is a folder")));
    assert!(write(&desk.path("file/game.html")).is_err());
    // Folders that do not exist are made.
    assert_eq!(write(&desk.path("one/two/game.html")), Ok(()));
    assert_eq!(
        desk.names(),
        ["file", "game.html/a.gcg", "one/two/game.html"]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn what_killed_runs_have_left_is_removed() {
    // No process has a number above the limit of the system.
    let desk = Desk::with(&[
        ".game.html.99999999.cazique-part",
        ".mine.cazique-part",
        "a.gcg",
    ]);
    let own = format!(".game.html.{}.cazique-part", std::process::id());
    desk.write(&own, "");
    remove_abandoned_parts(&desk.path(""));
    assert_eq!(desk.names(), [own.as_str(), ".mine.cazique-part", "a.gcg"]);
    fs::remove_file(desk.path(&own)).unwrap();
}
