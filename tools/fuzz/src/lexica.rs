//! Word graphs, word lists and leave values: what is read is within the limits, answers for every
//! word and leave, and reads back as itself.

use crate::tile_sets;
use cazique::lexicon::kwg::{self, NodeFormat};
use cazique::lexicon::{
    Graph, LeaveValues, MAX_WORD_LETTERS, MIN_WORD_LETTERS, TextEncoding, Word, WordList, klv, text,
};
use cazique::tiles::TileSet;

pub fn kwg(bytes: &[u8]) {
    let [tiles, _] = tile_sets();
    for format in [NodeFormat::Kwg, NodeFormat::Kbwg] {
        let Ok(graph) = kwg::read(bytes, format, tiles.letter_count()) else {
            continue;
        };
        let words: WordList = graph.words().collect();
        check_graph(&graph, &words, tiles.letter_count());
        let rebuilt = Graph::from_words(&words).expect("the words of a graph make a graph");
        check_graph(&rebuilt, &words, tiles.letter_count());
    }
}

/// Checks that a graph holds exactly these words, and reads back in both formats.
fn check_graph(graph: &Graph, words: &WordList, letters: usize) {
    assert!(graph.words().eq(words.iter()));
    for word in words.iter() {
        let word: Vec<_> = word.letters().collect();
        assert!(word.len() <= MAX_WORD_LETTERS);
        assert!(graph.contains(&word), "{word:?}");
    }
    for format in [NodeFormat::Kwg, NodeFormat::Kbwg] {
        let written = kwg::write(graph, format).expect("a small graph");
        let read = kwg::read(&written, format, letters).expect("our own graph");
        assert!(read.words().eq(words.iter()));
    }
}

pub fn klv2(bytes: &[u8]) {
    for tiles in tile_sets() {
        if let Ok(leaves) = klv::read(bytes, tiles.letter_count()) {
            check_leaves(&leaves, &tiles);
        }
    }
}

pub fn leaves(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    for tiles in tile_sets() {
        if let Ok(leaves) = klv::read_csv(text, &tiles) {
            check_leaves(&leaves, &tiles);
        }
    }
}

/// Checks that leave values answer for every leave, and read back from both formats.
fn check_leaves(leaves: &LeaveValues, tiles: &TileSet) {
    assert_eq!(leaves.iter().count(), leaves.len());
    for (leave, value) in leaves.iter() {
        assert!((1..=MAX_WORD_LETTERS).contains(&leave.len()));
        assert_eq!(leaves.value(&leave), value, "{leave:?}");
    }
    let pairs = || leaves.iter();
    let csv = klv::write_csv(leaves, tiles);
    let read = klv::read_csv(&csv, tiles).expect("our own leave values");
    assert!(read.iter().eq(pairs()), "{csv}");
    let file = klv::write(leaves).expect("few leaves");
    let read = klv::read(&file, tiles.letter_count()).expect("our own leave values");
    assert!(read.iter().eq(pairs()), "{csv}");
}

pub fn words(bytes: &[u8]) {
    for tiles in tile_sets() {
        for encoding in [TextEncoding::Auto, TextEncoding::Latin1] {
            let Ok((words, dropped)) = text::read(bytes, &tiles, encoding) else {
                continue;
            };
            assert_eq!(
                dropped.reasons().map(|(_, count)| count).sum::<usize>(),
                dropped.total()
            );
            for word in words.iter() {
                assert!((MIN_WORD_LETTERS..=MAX_WORD_LETTERS).contains(&word.len()));
            }
            let line = |word: Word| {
                let letters: Vec<_> = word.letters().collect();
                text::word_text(&tiles, &letters) + "\n"
            };
            let written: String = words.iter().map(line).collect();
            let (read, dropped) =
                text::read(written.as_bytes(), &tiles, TextEncoding::Auto).expect("our own list");
            assert_eq!(dropped.total(), 0, "{written}");
            assert!(read.iter().eq(words.iter()), "{written}");
            let graph = Graph::from_words(&words).expect("a short list");
            check_graph(&graph, &words, tiles.letter_count());
        }
    }
}
