//! Runs the corpus of every target, which `tools/fuzz/run` collects.

use fuzz::TARGETS;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[test]
fn every_input_of_the_corpus_keeps_the_law_of_its_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in &TARGETS {
        let folder = fs::read_dir(corpus.join(target.name)).expect("a corpus for each target");
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} has no corpus", target.name);
        for path in paths {
            let bytes = fs::read(&path).unwrap();
            let kept = catch_unwind(|| (target.law)(&bytes));
            assert!(kept.is_ok(), "{} breaks the law", path.display());
        }
    }
}
