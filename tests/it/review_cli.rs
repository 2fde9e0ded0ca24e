//! `cazique review`: records as they come, the cache, outputs and the command line.

mod cache;
mod index;
mod outputs;
mod repair;
mod runs;
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A record of two turns.
const GAME: &str = "#player1 ann Ann Lee\n#player2 bob Bob Ray\n\
    >ann: AEHNORT 8F HORN +14 14\n\
    >bob: AFMRTUW H6 FA.M +9 9\n";

/// Arguments that make a review as short as possible.
const FAST: [&str; 4] = [
    "--iterations=1",
    "--candidates=2",
    "--no-luck",
    "--threads=2",
];

/// A temporary folder to work in, with a cache of its own.
struct Desk {
    folder: TempDir,
}

/// What a run leaves behind.
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Desk {
    fn new() -> Desk {
        let folder = TempDir::new().expect("a temporary folder");
        fs::create_dir(folder.path().join("work")).unwrap();
        Desk { folder }
    }

    /// A desk with records of these names.
    fn with(names: &[&str]) -> Desk {
        let desk = Desk::new();
        for name in names {
            desk.write(name, GAME);
        }
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The files below the folder with their content.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.path(""))
    }

    /// The names of the files below the folder.
    fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cazique"));
        command
            .arg("review")
            .args(arguments)
            .current_dir(self.path(""))
            .env("XDG_CACHE_HOME", self.cache())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a review with short searches.
    fn review(&self, arguments: &[&str]) -> Ended {
        self.review_input(arguments, b"")
    }

    fn review_input(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut child = self.command(&[&FAST, arguments].concat()).spawn().unwrap();
        // A program that does not read its input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    #[track_caller]
    fn expect(self, code: i32, stderr: &str) -> Ended {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        match stderr.is_empty() {
            true => assert_eq!(self.stderr, ""),
            false => assert!(self.stderr.contains(stderr), "{}", self.stderr),
        }
        self
    }
}

fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap();
                    let name = name.to_string_lossy().replace('\\', "/");
                    files.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    files
}
