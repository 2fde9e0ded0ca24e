//! Rules about the source text itself: layers, lengths, documented constants, unique type names and
//! the width of Markdown. Each test lists everything it finds, not only the first.
//!
//! A file or function that has to be longer states why in a comment: `// tidy: long because …`, at
//! the top of the file or directly above the function.

use crate::support::repository;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

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

/// How the tests at the end of a file begin.
const TESTS: [&str; 2] = ["#[cfg(test)]", "mod tests {"];

/// Fails with all findings, if there are any.
fn report(rule: &str, findings: &[String]) {
    let count = findings.len();
    assert!(
        count == 0,
        "{rule}: {count} findings\n{}",
        findings.join("\n")
    );
}

/// What `finding` says about the lines of some files. It gets a file and the index of a line.
fn search_lines(
    files: &[SourceFile],
    mut finding: impl FnMut(&SourceFile, usize) -> Option<String>,
) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files {
        for at in 0..file.lines.len() {
            let found = finding(file, at);
            findings.extend(found.map(|found| format!("{}:{}: {found}", file.name, at + 1)));
        }
    }
    findings
}

/// A text file of the repository.
struct SourceFile {
    /// Relative to the repository.
    name: String,
    lines: Vec<String>,
}

impl SourceFile {
    /// The line without indentation and visibility.
    fn declaration(&self, at: usize) -> &str {
        declaration(&self.lines[at])
    }

    /// The lines above a line from there upwards, without indentation.
    fn above(&self, at: usize) -> impl Iterator<Item = &str> {
        self.lines[..at].iter().rev().map(|line| line.trim_start())
    }

    /// The line after the function that starts at line `at`; `None` if that has no body.
    fn function_end(&self, at: usize) -> Option<usize> {
        let first = &self.lines[at];
        let indent = &first[..first.len() - first.trim_start().len()];
        for (more, line) in self.lines[at..].iter().enumerate() {
            let Some(text) = line.strip_prefix(indent) else {
                continue;
            };
            if text == "}" || (more == 0 && text.ends_with('}')) {
                return Some(at + more + 1);
            }
            if !text.starts_with(' ') && text.ends_with(';') {
                return None;
            }
        }
        None
    }
}

/// All files with an extension below some folders or files of the repository, in order. Names that
/// do not exist are skipped.
fn files(below: &[impl AsRef<str>], extension: &str) -> Vec<SourceFile> {
    let root = repository("");
    let mut found = Vec::new();
    let mut paths: Vec<PathBuf> = below.iter().map(|name| root.join(name.as_ref())).collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path.is_file() && path.extension().is_some_and(|it| it == extension) {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&root).unwrap();
            found.push(SourceFile {
                name: name.display().to_string(),
                lines: text.lines().map(String::from).collect(),
            });
        }
    }
    assert!(!found.is_empty(), "no .{extension} files found");
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
    let names = [format!("src/{module}.rs"), format!("src/{module}")];
    files(&names, "rs")
}

/// The modules of the library in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let library = fs::read_to_string(repository("src/lib.rs")).unwrap();
    let module = |line: &str| {
        let rest = declaration(line).strip_prefix("mod ")?;
        Some(rest.strip_suffix(';')?.to_string())
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
        findings.extend(search_lines(&files_of(module), |file, line| {
            let text = &file.lines[line];
            // A comment may link to any module.
            if text.trim_start().starts_with("//") {
                return None;
            }
            let mut named = text.split("crate::").skip(1).map(identifier);
            let is_below = |named: &&str| {
                seen += 1;
                !order[..=at].iter().any(|above| above == named)
            };
            let wrong = named.find(is_below)?;
            Some(format!("{module} must not name {wrong}"))
        }));
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
    let mut modules = modules();
    modules.retain(|module| !MODULES_WITH_OUTPUT.contains(&module.as_str()));
    let files: Vec<SourceFile> = modules.iter().flat_map(|it| files_of(it)).collect();
    let findings = search_lines(&files, |file, at| {
        let mut words = ["stdout", "stderr", "println!", "print!("].into_iter();
        let word = words.find(|word| file.lines[at].contains(word))?;
        Some(word.to_string())
    });
    report("only protocol and cli write to standard output", &findings);
}

#[test]
fn files_are_short() {
    let mut findings = Vec::new();
    for SourceFile { name, lines } in rust_files() {
        let is_test = name.starts_with("tests/") || name.ends_with("tests.rs");
        let max = if is_test {
            MAX_TEST_FILE_LINES
        } else {
            MAX_FILE_LINES
        };
        let mut top = lines.iter().take(40);
        if lines.len() > max && !top.any(|line| line.starts_with(EXCEPTION)) {
            findings.push(format!("{name}: {} lines, the limit is {max}", lines.len()));
        }
    }
    report("files are short", &findings);
}

#[test]
fn functions_are_short() {
    let mut seen = 0;
    let findings = search_lines(&rust_files(), |file, at| {
        let mut text = file.declaration(at);
        for modifier in ["const ", "async ", "unsafe "] {
            text = text.strip_prefix(modifier).unwrap_or(text);
        }
        let name = text.strip_prefix("fn ").map(identifier)?;
        let lines = file.function_end(at)? - at;
        seen += 1;
        let mut comments = file
            .above(at)
            .take_while(|line| line.starts_with("//") || line.starts_with("#["));
        let is_long =
            lines > MAX_FUNCTION_LINES && !comments.any(|line| line.starts_with(EXCEPTION));
        is_long.then(|| format!("fn {name} has {lines} lines"))
    });
    assert!(seen > 1_000, "only {seen} functions found");
    report("functions have at most 70 lines", &findings);
}

#[test]
fn every_constant_is_documented() {
    let mut seen = 0;
    let files = files(&["src", "tools", "benches", "examples"], "rs");
    let findings = search_lines(&files, |file, at| {
        let text = file.declaration(at);
        let constant = text
            .strip_prefix("const ")
            .or(text.strip_prefix("static "))?;
        let name = identifier(constant.strip_prefix("mut ").unwrap_or(constant));
        if !name.starts_with(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        seen += 1;
        let is_attribute = |line: &&str| line.starts_with("#[") || line.ends_with(")]");
        let mut above = file.above(at).skip_while(is_attribute);
        let is_documented = above.next().is_some_and(|line| line.starts_with("///"));
        (!is_documented).then(|| name.to_string())
    });
    assert!(seen > 100, "only {seen} constants found");
    report("a comment stands above every constant", &findings);
}

#[test]
fn type_names_are_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files(&["src"], "rs") {
        let has_tests = |at: &usize| file.lines[*at..].starts_with(&TESTS.map(String::from));
        let end = (0..file.lines.len()).find(has_tests);
        for at in 0..end.unwrap_or(file.lines.len()) {
            let is_associated = file.lines[at].starts_with(' ');
            let text = file.declaration(at);
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
    let root = fs::read_dir(repository("")).unwrap();
    let entries = root.map(|entry| entry.unwrap());
    let documents = entries.filter(|entry| entry.path().is_file());
    let documents = documents.map(|entry| entry.file_name().into_string().unwrap());
    let folders = ["docs", "lexica", "tools", "examples", "tests", "benches"];
    let below: Vec<String> = documents.chain(folders.map(String::from)).collect();
    let (mut fenced, mut in_list) = (false, false);
    let findings = search_lines(&files(&below, "md"), |file, at| {
        if at == 0 {
            (fenced, in_list) = (false, false);
        }
        let line = &file.lines[at];
        let text = line.trim_start();
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        fenced ^= is_fence;
        let is_indented = line.starts_with("    ");
        if !is_indented && !text.is_empty() {
            in_list =
                text.starts_with(['-', '*', '+']) || text.starts_with(|c: char| c.is_ascii_digit());
        }
        let is_code = fenced || is_fence || (is_indented && !in_list);
        let cannot_wrap = text.starts_with(['|', '#', '<']) || is_one_link(text);
        let columns = line.chars().count();
        let is_wide = columns > MAX_PROSE_COLUMNS && !is_code && !cannot_wrap;
        is_wide.then(|| format!("{columns} columns"))
    });
    report("Markdown prose has at most 100 columns", &findings);
}

/// Whether a line is so long because of the address of a link that it has little else beside.
fn is_one_link(text: &str) -> bool {
    let words = text.split_whitespace();
    let longest = words.map(|word| word.chars().count()).max();
    longest.is_some_and(|longest| longest > MAX_PROSE_COLUMNS / 2) && text.contains("](")
}
