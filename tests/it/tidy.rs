//! The layers of ARCHITECTURE.md: a module names only itself and what stands above it in `lib.rs`.

use crate::support::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// Every `crate::module` that a file of a module names, with the file.
fn looks(source: &Path, module: &str) -> Vec<(PathBuf, String)> {
    let mut looks = Vec::new();
    for file in files_below(source, module) {
        let text = fs::read_to_string(&file).unwrap();
        for named in text.split("crate::").skip(1) {
            let name: String = named
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            looks.push((file.clone(), name));
        }
    }
    looks
}

#[test]
fn modules_look_only_down() {
    let source = repository("src");
    let library = fs::read_to_string(source.join("lib.rs")).unwrap();
    let order: Vec<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert!(order.len() >= 10 && order[0] == "units", "{order:?}");
    let mut seen = 0;
    for (at, module) in order.iter().enumerate() {
        let looks = looks(&source, module);
        for (file, named) in &looks {
            assert!(
                order[..=at].contains(&named.as_str()),
                "{}: {module} must not name {named}",
                file.display()
            );
        }
        seen += looks.len();
    }
    assert!(seen > 50, "the test looks at nothing");
}

#[test]
fn only_the_session_writes_to_standard_output() {
    // Clippy denies the print macros; this finds the handle.
    for module in [
        "units", "seed", "fnv", "tiles", "board", "rules", "notation", "lexicon", "movegen",
        "eval", "search", "autoplay", "engine",
    ] {
        for path in files_below(&repository("src"), module) {
            let text = fs::read_to_string(&path).unwrap();
            for word in ["stdout", "stderr", "println!", "print!("] {
                assert!(!text.contains(word), "{} names {word}", path.display());
            }
        }
    }
}

fn files_below(source: &Path, module: &str) -> Vec<PathBuf> {
    let file = source.join(format!("{module}.rs"));
    let mut files: Vec<PathBuf> = [file].into_iter().filter(|file| file.exists()).collect();
    let mut folders = vec![source.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => files.push(path),
            }
        }
    }
    assert!(!files.is_empty(), "there is no module {module}");
    files
}
