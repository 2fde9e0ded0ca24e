//! Runs the corpus of every target, which `tools/fuzz/run` collects.

use fuzz::TARGETS;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[test]
fn every_input_of_the_corpus_keeps_the_law_of_its_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in &TARGETS {
        let name = target.name;
        let folder = fs::read_dir(corpus.join(name)).expect("a corpus for each target");
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let (mut accepted, mut refused) = (0, 0);
        for path in paths {
            let bytes = fs::read(&path).unwrap();
            match catch_unwind(|| (target.law)(&bytes)) {
                Ok(true) => accepted += 1,
                Ok(false) => refused += 1,
                Err(_) => panic!("{} breaks the law", path.display()),
            }
        }
        // A law that is never put to use, or never to the test, proves nothing.
        assert!(accepted > 0, "{name}: no input is accepted");
        assert!(refused > 0, "{name}: no input is refused");
    }
}
