//! Word graphs, word lists and leave values: what is read is within the limits, answers for every
//! word and leave, and reads back as itself.

use crate::tile_sets;
use cazique::lexicon::kwg::{self, NodeFormat};
use cazique::lexicon::{
    Graph, LeaveValues, LeaveValuesError, MAX_WORD_LETTERS, MIN_WORD_LETTERS, TextEncoding, Word,
    WordList, klv, text,
};
use cazique::tiles::TileSet;

pub fn kwg(bytes: &[u8]) -> bool {
    let [tiles, _] = tile_sets();
    let letters = tiles.letter_count();
    let read = |format| kwg::read(bytes, format, letters).ok();
    let graphs = [NodeFormat::Kwg, NodeFormat::Kbwg].map(read);
    for graph in graphs.iter().flatten() {
        let words: WordList = graph.words().collect();
        check_graph(graph, &words, letters);
        let rebuilt = Graph::from_words(&words).expect("the words of a graph make a graph");
        check_graph(&rebuilt, &words, letters);
    }
    graphs.iter().any(Option::is_some)
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

pub fn klv2(bytes: &[u8]) -> bool {
    check_all_leaves(|tiles| klv::read(bytes, tiles.letter_count()))
}

pub fn leaves(bytes: &[u8]) -> bool {
    let text = str::from_utf8(bytes);
    text.is_ok_and(|text| check_all_leaves(|tiles| klv::read_csv(text, tiles)))
}

/// Checks the leave values that can be read with one of the tile sets; whether there are any.
fn check_all_leaves(read: impl Fn(&TileSet) -> Result<LeaveValues, LeaveValuesError>) -> bool {
    let mut is_read = false;
    for tiles in tile_sets() {
        if let Ok(leaves) = read(&tiles) {
            check_leaves(&leaves, &tiles);
            is_read |= !leaves.is_empty();
        }
    }
    is_read
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

pub fn words(bytes: &[u8]) -> bool {
    let mut is_read = false;
    for tiles in tile_sets() {
        for encoding in [TextEncoding::Auto, TextEncoding::Latin1] {
            if let Ok((words, dropped)) = text::read(bytes, &tiles, encoding) {
                let reasons = dropped.reasons().map(|(_, count)| count);
                assert_eq!(reasons.sum::<usize>(), dropped.total());
                check_list(&words, &tiles);
                is_read |= !words.is_empty();
            }
        }
    }
    is_read
}

/// Checks that the words of a list are within their limits, and read back as themselves.
fn check_list(words: &WordList, tiles: &TileSet) {
    let line = |word: Word| {
        let letters: Vec<_> = word.letters().collect();
        assert!((MIN_WORD_LETTERS..=MAX_WORD_LETTERS).contains(&letters.len()));
        text::word_text(tiles, &letters) + "\n"
    };
    let written: String = words.iter().map(line).collect();
    let read = text::read(written.as_bytes(), tiles, TextEncoding::Auto);
    let (read, dropped) = read.expect("our own list");
    assert_eq!(dropped.total(), 0, "{written}");
    assert!(read.iter().eq(words.iter()), "{written}");
    let graph = Graph::from_words(words).expect("a short list");
    check_graph(&graph, words, tiles.letter_count());
}
