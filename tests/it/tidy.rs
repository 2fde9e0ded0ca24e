//! Rules about the source text itself. Each test lists everything it finds, not only the first.

use crate::support::repository;
use std::fs;
use std::path::PathBuf;

/// Modules of the library that may write to standard output or drive the output of a process.
const MODULES_WITH_OUTPUT: [&str; 3] = ["client", "protocol", "cli"];

/// Fails with all findings, if there are any.
fn report(rule: &str, findings: &[String]) {
    assert!(
        findings.is_empty(),
        "{rule}: {} findings\n{}",
        findings.len(),
        findings.join("\n")
    );
}

/// A text file of the repository.
struct SourceFile {
    /// Relative to the repository.
    name: String,
    text: String,
}

impl SourceFile {
    fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{}: {what}", self.name, line + 1)
    }
}

/// All files with an extension below some folders or files of the repository, in order.
fn files(below: &[&str], extension: &str) -> Vec<SourceFile> {
    let root = repository("");
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = below.iter().map(|name| root.join(name)).collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|it| it == extension) {
            let name = path.strip_prefix(&root).unwrap();
            found.push(SourceFile {
                name: name.display().to_string(),
                text: fs::read_to_string(&path).unwrap(),
            });
        }
    }
    assert!(!found.is_empty(), "no .{extension} below {below:?}");
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

/// The files of a module of the library.
fn files_of(module: &str) -> Vec<SourceFile> {
    let file = format!("src/{module}.rs");
    let folder = format!("src/{module}");
    let exists = |name: &&str| repository(name).exists();
    let names: Vec<&str> = [&*file, &*folder].into_iter().filter(exists).collect();
    files(&names, "rs")
}

/// The modules of the library in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let library = fs::read_to_string(repository("src/lib.rs")).unwrap();
    let module = |line: &str| {
        Some(
            declaration(line)
                .strip_prefix("mod ")?
                .strip_suffix(';')?
                .to_string(),
        )
    };
    let modules: Vec<String> = library.lines().filter_map(module).collect();
    assert!(modules.len() >= 10 && modules[0] == "units", "{modules:?}");
    modules
}

/// A line without indentation and visibility.
fn declaration(line: &str) -> &str {
    let line = line.trim_start();
    match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ").map_or(line, |(_, rest)| rest),
        Some(rest) => rest.trim_start(),
        None => line,
    }
}

/// The identifier that a text starts with.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn modules_name_only_those_above_them() {
    let order = modules();
    let (mut findings, mut seen) = (Vec::new(), 0);
    for (at, module) in order.iter().enumerate() {
        for file in files_of(module) {
            // A comment may link to any module.
            let is_code = |(_, text): &(usize, &str)| !text.trim_start().starts_with("//");
            for (line, text) in file.text.lines().enumerate().filter(is_code) {
                for named in text.split("crate::").skip(1).map(identifier) {
                    seen += 1;
                    if !order[..=at].iter().any(|above| above == named) {
                        findings.push(file.at(line, &format!("{module} must not name {named}")));
                    }
                }
            }
        }
    }
    assert!(seen > 50, "the test looks at nothing");
    report(
        "a module names only modules above it in src/lib.rs",
        &findings,
    );
}

#[test]
fn only_some_modules_write_to_standard_output() {
    // Clippy denies the print macros; this finds the handles.
    let mut findings = Vec::new();
    for module in modules() {
        if MODULES_WITH_OUTPUT.contains(&module.as_str()) {
            continue;
        }
        for file in files_of(&module) {
            for (line, text) in file.text.lines().enumerate() {
                for word in ["stdout", "stderr", "println!", "print!("] {
                    if text.contains(word) {
                        findings.push(file.at(line, word));
                    }
                }
            }
        }
    }
    report("only protocol and cli write to standard output", &findings);
}
