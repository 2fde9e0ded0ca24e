//! Rules about the source text itself: layers, lengths, documented constants, unique type names and
//! the width of Markdown. Each test lists everything it finds, not only the first.
//!
//! A file or function that has to be longer states why in a comment: `// tidy: long because …`, at
//! the top of the file or directly above the function.

use crate::support::repository;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The longest source file, in lines. A rule of this project.
const MAX_FILE_LINES: usize = 600;
/// The longest file of tests, in lines. A rule of this project.
const MAX_TEST_FILE_LINES: usize = 800;
/// The longest function, in lines with its signature. A rule of this project.
const MAX_FUNCTION_LINES: usize = 70;
/// The widest line of prose in Markdown, in characters. A rule of this project.
const MAX_PROSE_COLUMNS: usize = 100;
/// A comment that starts like this gives the reason for an exception.
const EXCEPTION: &str = "// tidy: ";

/// Modules of the library that may write to standard output or drive the output of a process.
const MODULES_WITH_OUTPUT: [&str; 3] = ["client", "protocol", "cli"];

/// Type names that several modules share, each with the reason.
const SHARED_TYPE_NAMES: [(&str, &str); 1] = [(
    "Arguments",
    "each subcommand has its own, and is always written with its module",
)];

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
    fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }

    /// The lines before the tests that stand at the end of the file.
    fn lines_without_tests(&self) -> Vec<&str> {
        let end = self.text.find("\n#[cfg(test)]\nmod tests {");
        self.text[..end.unwrap_or(self.text.len())]
            .lines()
            .collect()
    }

    fn is_test(&self) -> bool {
        self.name.starts_with("tests/") || self.name.ends_with("tests.rs")
    }

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

fn rust_files() -> Vec<SourceFile> {
    files(
        &["src", "tests", "tools", "benches", "examples", "build.rs"],
        "rs",
    )
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

/// Whether a comment directly above line `at` gives the reason for an exception.
fn has_exception_above(lines: &[&str], at: usize) -> bool {
    lines[..at]
        .iter()
        .rev()
        .map(|line| line.trim_start())
        .take_while(|line| line.starts_with("//") || line.starts_with("#["))
        .any(|line| line.starts_with(EXCEPTION))
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

#[test]
fn files_are_short() {
    let mut findings = Vec::new();
    for file in rust_files() {
        let lines = file.lines();
        let max = if file.is_test() {
            MAX_TEST_FILE_LINES
        } else {
            MAX_FILE_LINES
        };
        let has_reason = lines
            .iter()
            .take(40)
            .any(|line| line.starts_with(EXCEPTION));
        if lines.len() > max && !has_reason {
            findings.push(format!(
                "{}: {} lines, the limit is {max}",
                file.name,
                lines.len()
            ));
        }
    }
    report("files are short", &findings);
}

/// The line after the function that starts at line `at`; `None` if that has no body.
fn function_end(lines: &[&str], at: usize) -> Option<usize> {
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let own = |line: &&str| {
        line.strip_prefix(indent)
            .is_some_and(|it| !it.starts_with(' '))
    };
    for (more, line) in lines[at..].iter().enumerate().filter(|(_, line)| own(line)) {
        let text = line.trim_end();
        if text.trim_start() == "}" || (more == 0 && text.ends_with('}')) {
            return Some(at + more + 1);
        }
        if text.ends_with(';') {
            return None;
        }
    }
    None
}

#[test]
fn functions_are_short() {
    let mut findings = Vec::new();
    let mut seen = 0;
    for file in rust_files() {
        let lines = file.lines();
        for (at, line) in lines.iter().enumerate() {
            let mut text = declaration(line);
            for modifier in ["const ", "async ", "unsafe "] {
                text = text.strip_prefix(modifier).unwrap_or(text);
            }
            let Some(name) = text.strip_prefix("fn ").map(identifier) else {
                continue;
            };
            let Some(end) = function_end(&lines, at) else {
                continue;
            };
            seen += 1;
            if end - at > MAX_FUNCTION_LINES && !has_exception_above(&lines, at) {
                findings.push(file.at(at, &format!("fn {name} has {} lines", end - at)));
            }
        }
    }
    assert!(seen > 1_000, "only {seen} functions found");
    report("functions have at most 70 lines", &findings);
}

#[test]
fn every_constant_is_documented() {
    let mut findings = Vec::new();
    let mut seen = 0;
    for file in files(&["src", "tools", "benches", "examples"], "rs") {
        let lines = file.lines();
        for (at, line) in lines.iter().enumerate() {
            let text = declaration(line);
            let constant = text.strip_prefix("const ").or(text.strip_prefix("static "));
            let constant = constant.map(|text| text.strip_prefix("mut ").unwrap_or(text));
            let Some(name) = constant.map(identifier) else {
                continue;
            };
            if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
                continue;
            }
            seen += 1;
            let above = lines[..at].iter().rev().map(|line| line.trim_start());
            let is_attribute = |line: &&str| line.starts_with("#[") || line.ends_with(")]");
            let mut above = above.skip_while(is_attribute);
            if !above.next().is_some_and(|line| line.starts_with("///")) {
                findings.push(file.at(at, name));
            }
        }
    }
    assert!(seen > 100, "only {seen} constants found");
    report("a comment stands above every constant", &findings);
}

#[test]
fn type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files(&["src"], "rs") {
        for (at, line) in file.lines_without_tests().iter().enumerate() {
            let is_associated = line.starts_with(' ');
            let text = declaration(line);
            let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
            let is_type = matches!(kind, "struct" | "enum" | "trait" | "union")
                || (kind == "type" && !is_associated);
            let name = identifier(rest);
            if is_type && name.starts_with(|c: char| c.is_ascii_uppercase()) {
                let place = format!("{}:{}", file.name, at + 1);
                places.entry(name.to_string()).or_default().push(place);
            }
        }
    }
    assert!(places.len() > 100, "only {} types found", places.len());
    let is_shared = |name: &str| SHARED_TYPE_NAMES.iter().any(|(shared, _)| *shared == name);
    let findings: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > 1 && !is_shared(name))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    report("unrelated types do not share a name", &findings);
}

#[test]
fn markdown_prose_is_narrow() {
    let mut findings = Vec::new();
    let root = repository("");
    let documents = fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let documents = documents.filter(|path| path.is_file());
    let mut below: Vec<String> = documents
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    let folders = ["docs", "lexica", "tools", "examples", "tests", "benches"];
    let exists = |name: &&str| Path::new(&root).join(name).exists();
    below.extend(folders.into_iter().filter(exists).map(String::from));
    let below: Vec<&str> = below.iter().map(String::as_str).collect();
    for file in files(&below, "md") {
        let (mut fenced, mut in_list) = (false, false);
        for (at, line) in file.lines().iter().enumerate() {
            let text = line.trim_start();
            let is_fence = text.starts_with("```") || text.starts_with("~~~");
            fenced ^= is_fence;
            let is_indented = line.starts_with("    ");
            if !is_indented && !text.is_empty() {
                in_list = text.starts_with(['-', '*', '+'])
                    || text.starts_with(|c: char| c.is_ascii_digit());
            }
            let is_code = fenced || is_fence || (is_indented && !in_list);
            let cannot_wrap = text.starts_with(['|', '#', '<']) || is_one_link(text);
            let columns = line.chars().count();
            if columns > MAX_PROSE_COLUMNS && !is_code && !cannot_wrap {
                findings.push(file.at(at, &format!("{columns} columns")));
            }
        }
    }
    report("Markdown prose has at most 100 columns", &findings);
}

/// Whether a line is so long because of the address of a link that it has little else beside.
fn is_one_link(text: &str) -> bool {
    let words = text.split_whitespace();
    let longest = words.map(|word| word.chars().count()).max();
    longest.is_some_and(|longest| longest > MAX_PROSE_COLUMNS / 2) && text.contains("](")
}
