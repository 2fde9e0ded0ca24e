//! Words and leave values: every format reads back what it wrote, and no file does harm.

use crate::support::{cases, damaged, repository};
use cazique::lexicon::kwg::NodeFormat;
use cazique::lexicon::{
    Graph, LeaveValues, Lexicon, MAX_WORD_LETTERS, NodeList, TextEncoding, Tiers, Word, WordList,
    embedded, klv, kwg, text, tiers,
};
use cazique::seed::Seed;
use cazique::tiles::{Letter, Segmentation, Symbol, TileCounts, TileSet};
use cazique::units::Equity;

use rand::RngExt;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static ENGLISH: LazyLock<TileSet> = LazyLock::new(|| {
    TileSet::parse("english", include_str!("../../lexica/tiles/english.csv")).unwrap()
});

static EMBEDDED: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::embedded(&ENGLISH).unwrap().0);

const TSV: &str = include_str!("../../lexica/oel26.tsv");

/// A tile set with C, H and CH, and with L and L·L.
fn digraphs() -> TileSet {
    let csv =
        "A,a,9,1,1\nC,c,2,3,0\nCH,ch,1,5,0\nÉ,é,1,4,1\nH,h,2,4,0\nL,l,4,1,0\nL·L,l·l,1,10,0\n";
    TileSet::parse("digraphs", csv).unwrap()
}

fn letters(tiles: &TileSet, word: &str) -> Vec<Letter> {
    let letter = |symbol| match symbol {
        Symbol::Face(face) => Some(face.letter()),
        Symbol::Blank => None,
    };
    let symbols = tiles.read(word, Segmentation::WordList).unwrap();
    symbols.into_iter().filter_map(letter).collect()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// About `count` of the embedded words.
fn some_words(seed: Seed, count: u32) -> WordList {
    let mut chance = seed.generator();
    let all = EMBEDDED.words();
    all.filter(|_| chance.random_ratio(count, EMBEDDED.word_count() as u32))
        .collect()
}

/// The text of a word list.
fn list_text(words: &WordList, line_end: &str) -> String {
    let text = |word: Word| ENGLISH.word_text(&word.letters().collect::<Vec<_>>()) + line_end;
    words.iter().map(text).collect()
}

// The embedded words.

#[test]
fn the_tier_map_and_the_text_make_each_other() {
    assert_eq!(tiers::decompile(embedded::TIER_MAP).unwrap(), TSV);
    assert_eq!(tiers::compile(TSV).unwrap(), embedded::TIER_MAP);
}

#[test]
fn the_embedded_graph_is_what_the_builder_makes_of_the_words() {
    let (words, dropped) = Tiers::embedded().words(&ENGLISH);
    let built = Lexicon::from_words("built", &ENGLISH, &words).unwrap();
    assert_eq!(dropped.total(), 0);
    assert_eq!(built.graph(), EMBEDDED.graph());
    let facts = |lexicon: &Lexicon| (lexicon.word_count(), lexicon.hash());
    assert_eq!(facts(&built), facts(&EMBEDDED));
    // The nodes pass the checks for files too.
    let bytes = kwg::write(EMBEDDED.graph(), NodeFormat::Kbwg).unwrap();
    let read = kwg::read(&bytes, NodeFormat::Kbwg, ENGLISH.letter_count()).unwrap();
    assert_eq!(&read, EMBEDDED.graph());
}

#[test]
fn a_text_without_order_or_tiers_is_not_compiled() {
    let error = |tsv: &str| tiers::compile(tsv).unwrap_err();
    assert_eq!(error("AA 99\n"), "line 1: no tab");
    let no_tier = "line 2: the tier is not a number from 0 to 255";
    assert_eq!(error("AA\t99\nAB\t300\n"), no_tier);
    assert!(error("AB\t1\nAA\t1\n").starts_with("line 2: "));
}

#[test]
fn every_embedded_word_is_valid_and_has_its_tier() {
    assert_eq!((EMBEDDED.name(), EMBEDDED.word_count()), ("OEL26", 188_677));
    for line in TSV.lines() {
        let (word, tier) = line.split_once('\t').unwrap();
        let word = letters(&ENGLISH, word);
        assert!(EMBEDDED.contains(&word), "{line}");
        assert_eq!(EMBEDDED.tier(&word), tier.parse().ok(), "{line}");
    }
}

#[test]
fn near_misses_are_not_valid() {
    let all: WordList = EMBEDDED.words().collect();
    let mut chance = Seed(7).generator();
    for word in all.iter() {
        let mut miss: Vec<Letter> = word.letters().collect();
        match chance.random_range(0..3) {
            0 => _ = miss.pop(),
            1 => miss.extend(Letter::new(chance.random_range(1..=26))),
            _ => miss[0] = Letter::new(chance.random_range(1..=26)).unwrap(),
        }
        let valid = Word::new(&miss).is_some_and(|miss| all.contains(miss));
        assert_eq!(EMBEDDED.contains(&miss), valid, "{miss:?}");
    }
    assert!(!EMBEDDED.contains(&[]));
}

#[test]
fn words_that_the_tile_set_cannot_write_are_counted() {
    let (lexicon, dropped) = Lexicon::embedded(&digraphs()).unwrap();
    assert_eq!(lexicon.word_count() + dropped.total(), 188_677);
    assert!(lexicon.contains(&letters(&digraphs(), "CHA")));
    assert!(!lexicon.fits(&ENGLISH) && EMBEDDED.fits(&ENGLISH));
    let greek = TileSet::parse("greek", "Α,α,1,1,1\nΒ,β,1,1,0\n").unwrap();
    let error = Lexicon::embedded(&greek).unwrap_err().to_string();
    let dropped = "(dropped 188677: 188677 not in the tile set)";
    assert_eq!(error, format!("no words for this tile set {dropped}"));
}

#[test]
fn words_with_letters_of_another_tile_set_are_refused() {
    let words = some_words(Seed(13), 100);
    let error = Lexicon::from_words("X", &digraphs(), &words).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("the tile set has letters 1 to 7"));
}

#[test]
fn a_lexicon_can_be_shared_by_threads() {
    fn check<T: Send + Sync + 'static>(_: &T) {}
    check(&*EMBEDDED);
}

// Word lists.

fn check_list(bytes: &[u8], encoding: TextEncoding, expected: &str) {
    let tiles = digraphs();
    let written = match text::read(bytes, &tiles, encoding) {
        Ok((words, dropped)) => {
            let text = |word: Word| text::word_text(&tiles, &word.letters().collect::<Vec<_>>());
            let texts: Vec<String> = words.iter().map(text).collect();
            format!("{} ({dropped})", texts.join(" "))
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(written, expected, "{bytes:?}");
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

/// [`check_list`] for lists in UTF-8, which the cases of a table give.
fn check_lists(table: &str) {
    for (list, expected) in cases(table) {
        check_list(list.as_bytes(), TextEncoding::Auto, expected);
    }
}

#[test]
fn lists_are_read_in_every_encoding() {
    use TextEncoding::{Auto, Latin1};
    let both = "ACÉ HAÉ (dropped 0)";
    check_list("HAÉ\nAcé\n".as_bytes(), Auto, both);
    check_list("\u{feff}HAÉ\r\nACÉ".as_bytes(), Auto, both);
    check_list(&utf16("haé\r\nacé\r\n", u16::to_le_bytes), Auto, both);
    check_list(&utf16("HAÉ\nACÉ\n", u16::to_be_bytes), Latin1, both);
    check_list(b"HA\xC9\nAC\xC9\n", Latin1, both);
    let latin1 = "line 2 is not UTF-8; a list in Latin-1 must be declared (LexiconEncoding latin1, lexc --latin1)";
    check_list(b"HA\nAC\xC9\n", Auto, latin1);
    let utf16 = "line 2 is not UTF-16, which the byte order mark announces";
    check_list(b"\xFF\xFEH\0A\0\n\0A", Auto, utf16);
}

#[test]
fn columns_comments_and_blank_lines_are_skipped() {
    let list = b"# a list\n\n  AHA 12\tx\nHALA,5,6\nAAL\t99\n\n";
    check_list(list, TextEncoding::Auto, "AAL AHA HALA (dropped 0)");
    check_list(b"", TextEncoding::Auto, " (dropped 0)");
}

#[test]
fn what_the_rulebooks_do_not_allow_is_dropped_and_counted() {
    check_lists(
        "aha|Alla|CH|ha-ha|l'al|ha’l|faxe|a|ha?|aha|aha => AHA (dropped 10: 2 capitalised, 1 hyphen, 2 apostrophe, 2 not in the tile set, 1 too short, 2 duplicate)",
    );
    let longest = [b'a'; MAX_WORD_LETTERS];
    let read = "AAAAAAAAAAAAAAAAAAAAA (dropped 0)";
    check_list(&longest, TextEncoding::Auto, read);
    let longer = [b'a'; MAX_WORD_LETTERS + 1];
    check_list(&longer, TextEncoding::Auto, " (dropped 1: 1 too long)");
}

#[test]
fn capitals_do_not_mark_names_where_every_word_has_them() {
    check_lists("Aha|Hala => AHA HALA (dropped 0)\nAHA|HALA => AHA HALA (dropped 0)");
    let capitals = "AHA|".repeat(200);
    check_lists(&format!(
        "ca|{capitals} => AHA CA (dropped 199: 199 duplicate)"
    ));
}

#[test]
fn tiles_of_several_characters_are_read_longest_first_and_written_back() {
    check_lists("Chal => CHAL (dropped 0)\n[C][H]AL => [C][H][A][L] (dropped 0)");
    check_lists("AL·LA|ALLA => ALLA AL·LA (dropped 0)");
    assert_eq!(letters(&digraphs(), "chal").len(), 3);
}

// Graph files.

fn read_back(words: &WordList, graph: &Graph, format: NodeFormat) {
    let bytes = kwg::write(graph, format).unwrap();
    let back = kwg::read(&bytes, format, ENGLISH.letter_count()).unwrap();
    assert_eq!(&back, graph);
    assert!(back.words().eq(words.iter()));
}

#[test]
fn graphs_are_read_back_as_they_were_written() {
    for seed in (0..8).map(Seed) {
        let words = some_words(seed, 3_000);
        let graph = Graph::from_words(&words).unwrap();
        read_back(&words, &graph, NodeFormat::Kwg);
        read_back(&words, &graph, NodeFormat::Kbwg);
    }
}

#[test]
fn the_empty_graph_has_the_known_bytes() {
    let graph = Graph::from_words(&WordList::default()).unwrap();
    let bytes = kwg::write(&graph, NodeFormat::Kwg).unwrap();
    assert_eq!(bytes, [0, 0, 0x40, 0, 0, 0, 0x40, 0]);
    assert_eq!(kwg::read(&bytes, NodeFormat::Kwg, 26), Ok(graph));
}

/// Nodes of a `.kwg` file: arc, tile, and whether it accepts and ends its list.
fn small(nodes: &[(u32, u32, bool, bool)]) -> Vec<u8> {
    let bits = nodes.iter().map(|&(arc, tile, accepts, end)| {
        arc | tile << 24 | u32::from(accepts) << 23 | u32::from(end) << 22
    });
    bits.flat_map(u32::to_le_bytes).collect()
}

fn check_nodes(nodes: &[(u32, u32, bool, bool)], expected: &str) {
    let found = match kwg::read(&small(nodes), NodeFormat::Kwg, 26) {
        Ok(graph) => graph.words().map(|word| format!("{word:?}")).collect(),
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected, "{nodes:?}");
}

/// [`check_nodes`] of a graph with these nodes after the roots of a DAWG and no GADDAG.
fn check_dawg(nodes: &[(u32, u32, bool, bool)], expected: &str) {
    check_nodes(&[&[ROOT, NO_ROOT], nodes].concat(), expected);
}

const ROOT: (u32, u32, bool, bool) = (2, 0, false, true);
const NO_ROOT: (u32, u32, bool, bool) = (0, 0, false, true);

#[test]
fn a_file_with_only_a_dawg_gets_its_gaddag_and_its_order() {
    // Lists from node 2 on, from node 1 on, and with siblings that descend.
    check_dawg(&[(3, 1, false, true), (0, 2, true, true)], "[1, 2]");
    let nodes = [(1, 0, false, true), (2, 1, false, true), (0, 2, true, true)];
    check_nodes(&nodes, "[1, 2]");
    let (b, a) = ((4, 2, false, false), (4, 1, false, true));
    check_dawg(&[b, a, (0, 3, true, true)], "[1, 3][2, 3]");
}

#[test]
fn lists_may_share_their_tails() {
    let (c, d) = ((0, 3, true, false), (0, 4, true, true));
    let (a, b) = ((4, 1, false, false), (5, 2, false, true));
    check_dawg(&[a, b, c, d], "[1, 3][1, 4][2, 4]");

    // Leaves ?, ?A, ?B, A and AB.
    let (root, blank) = ((1, 0, false, true), (3, 0, true, false));
    let (a, b) = ((4, 1, true, true), (0, 2, true, true));
    let nodes = [root, blank, a, (0, 1, true, false), b];
    let values: Vec<u8> = (1i16..=5).flat_map(|n| (n * 256).to_le_bytes()).collect();
    let file = [&[5, 0, 0, 0], &small(&nodes)[..], &[5, 0, 0, 0], &values].concat();
    let csv = klv::write_csv(&klv::read(&file, 26).unwrap(), &ENGLISH);
    assert_eq!(csv, "?,1\nA?,2\nB?,3\nA,4\nAB,5\n");
}

#[test]
fn a_damaged_graph_is_named() {
    let (a, a_more, end) = ((0, 1, true, true), (0, 1, true, false), true);
    check_dawg(&[], "an arc leads to node 2, but there are 2 nodes");
    check_dawg(&[a_more], "the list at node 2 has no end");
    check_dawg(&[a_more, a], "node 3 has the same tile as a sibling");
    check_dawg(&[(0, 1, false, end)], "node 2 leads to no word");
    check_dawg(&[(2, 1, true, end)], "a path leads from node 2 back to it");
    let tile = "node 2 has tile 27, but the tile set has letters 1 to 26; the words may be for another tile set";
    check_dawg(&[(0, 27, true, end)], tile);
    let root = "is not a root; the file is damaged or of another format";
    check_nodes(&[(2, 1, false, end), NO_ROOT, a], &format!("node 0 {root}"));
    check_nodes(&[ROOT, (0, 1, true, end), a], &format!("node 1 {root}"));
    check_nodes(
        &[ROOT, (3, 0, false, end), a, (0, 2, true, end)],
        OTHER_WORDS,
    );
    let found = kwg::read(&[0; 7], NodeFormat::Kbwg, 26).unwrap_err();
    let bytes =
        "7 bytes are not a number of 4-byte nodes; the file is cut short or of another format";
    assert_eq!(found.to_string(), bytes);
}

/// The error for a graph whose parts contradict each other.
const OTHER_WORDS: &str = "the DAWG and the GADDAG do not have the same words; the file is damaged";

#[test]
fn words_without_bounds_are_refused_at_once() {
    // A ladder: at each of the steps 26 letters lead to the next step, so words multiply.
    let ladder = |steps: u32| {
        let mut nodes = Vec::new();
        for step in 0..steps {
            let is_last = step + 1 == steps;
            let next = if is_last { 0 } else { 2 + (step + 1) * 26 };
            nodes.extend((1..=26).map(|tile| (next, tile, next == 0, tile == 26)));
        }
        nodes
    };
    check_dawg(&ladder(21), "more than 4194304 words, which is the limit");
    check_dawg(&ladder(5000), "a word has 5000 letters, the limit is 21");
}

#[test]
fn a_gaddag_in_the_wrong_order_is_found() {
    // The word AB, and a GADDAG that has AB and B@A instead of BA and A@B.
    let gaddag = (4, 0, false, true);
    let wrong = [
        ROOT,
        gaddag,
        (3, 1, false, true),
        (0, 2, true, true),
        (3, 1, false, false),
        (6, 2, false, true),
        (7, 0, false, true),
        (0, 1, true, true),
    ];
    check_nodes(&wrong, OTHER_WORDS);
}

// Leave values.

fn random_leaves(seed: Seed, count: usize) -> BTreeMap<String, (TileCounts, Equity)> {
    let mut chance = seed.generator();
    let mut leave = |_| {
        let len = chance.random_range(1..=6);
        let leave = ENGLISH.all().draw(len, &mut chance);
        let value = Equity::from_millis(chance.random_range(-50_000..50_000));
        (ENGLISH.tiles_text(&leave), (leave, value))
    };
    (0..count).map(&mut leave).collect()
}

#[test]
fn leave_values_are_read_back_from_every_format() {
    for seed in (0..8).map(Seed) {
        let pairs = random_leaves(seed, 2_000);
        let leaves = LeaveValues::new(pairs.values().copied()).unwrap();
        let check = |back: &LeaveValues| {
            assert_eq!(back, &leaves);
            for (leave, value) in pairs.values() {
                assert_eq!(back.value(leave), *value);
            }
            let pair = |(leave, value)| (ENGLISH.tiles_text(&leave), (leave, value));
            assert_eq!(back.iter().map(pair).collect::<BTreeMap<_, _>>(), pairs);
        };
        let bytes = klv::write(&leaves).unwrap();
        let back = klv::read(&bytes, 26).unwrap();
        check(&back);
        assert_eq!(klv::write(&back).unwrap(), bytes);
        check(&klv::read_csv(&klv::write_csv(&leaves, &ENGLISH), &ENGLISH).unwrap());
    }
}

/// The value of a leave in thousandths of a point.
fn millis(leaves: &LeaveValues, leave: &str) -> i32 {
    leaves.value(&ENGLISH.read_tiles(leave).unwrap()).millis()
}

#[test]
fn a_leave_without_value_is_worth_nothing() {
    let csv = "leave,value\n# best first\nS?,30.5\n?,28.2914\n\nQ,-7.6536\n";
    let leaves = klv::read_csv(csv, &ENGLISH).unwrap();
    let expected = [30_500, 28_291, -7_654, 0, 0, 0, 0];
    let leave = |leave| millis(&leaves, leave);
    assert_eq!(["?S", "?", "Q", "S", "QS", "", "??"].map(leave), expected);
}

#[test]
fn the_old_format_has_256ths_of_a_point() {
    let (blank, s) = ((0, 0, true, false), (0, 19, true, true));
    let nodes = small(&[(1, 0, false, true), blank, s]);
    let read = |count: u8, values: &[u8]| {
        let file = [&[3, 0, 0, 0], &nodes[..], &[count, 0, 0, 0], values].concat();
        klv::read(&file, 26)
    };
    let leaves = read(2, &[0, 1, 0x80, 0xFF]).unwrap();
    assert_eq!((millis(&leaves, "?"), millis(&leaves, "S")), (1_000, -500));
    let refused = |count, values: &[u8]| read(count, values).unwrap_err().to_string();
    assert_eq!(refused(1, &[0, 0, 0, 0]), "2 leaves, but 1 values");
    let not_numbers = f32::NAN.to_le_bytes().repeat(2);
    assert_eq!(
        refused(2, &not_numbers),
        "value 0 is not a number of points; the limit is 10000"
    );
    let short =
        "25 bytes, but the counts in the file need 28; it is cut short or of another format";
    assert_eq!(refused(2, &[0; 5]), short);
}

#[test]
fn a_bad_row_of_leaves_is_named() {
    let table = r"
        A,1|BA,2||AB,3 => line 4: the same leave as on line 2
        A => line 1: a row has the form leave,value
        A,x => line 1: 'x' is not a number of points; the limit is 10000
        A,inf => line 1: 'inf' is not a number of points; the limit is 10000
        A,-10000.001 => line 1: '-10000.001' is not a number of points; the limit is 10000
        A1,2 => line 1: '1' in 'A1' is not a tile of english
        ,2 => line 1: no tiles before the comma
        EEEEEEEEEEEEEEEEEEEEEE,1 => a leave has 22 tiles, the limits are 1 and 21";
    for (csv, error) in cases(table) {
        let found = klv::read_csv(&csv, &ENGLISH).unwrap_err();
        assert_eq!(found.to_string(), error);
    }
}

// Files.

fn check_open(name: &str, bytes: &[u8], expected: &str) {
    let path = scratch(name);
    fs::write(&path, bytes).unwrap();
    let found = match Lexicon::open(&path, &ENGLISH, TextEncoding::Auto) {
        Ok((lexicon, dropped)) => {
            let dropped = dropped.map_or("all".to_string(), |dropped| dropped.to_string());
            format!("{} {} {dropped}", lexicon.name(), lexicon.word_count())
        }
        Err(error) => {
            assert_eq!(error.file, path);
            error.what.to_string()
        }
    };
    assert_eq!(found, expected, "{name}");
}

#[test]
fn the_extension_decides_the_format() {
    let words = some_words(Seed(3), 500);
    let graph = Graph::from_words(&words).unwrap();
    let count = words.len();
    let all = |name: &str| format!("{name} {count} all");
    let file = |format| kwg::write(&graph, format).unwrap();
    check_open("mine.kwg", &file(NodeFormat::Kwg), &all("MINE"));
    check_open("Big.KBWG", &file(NodeFormat::Kbwg), &all("BIG"));
    let table = r"
        mine.2.txt cat|Dogs => MINE.2 1 dropped 1: 1 capitalised
        plain CAT|DOGS|X => PLAIN 2 dropped 1: 1 too short
        none.txt 1|2 => no words for this tile set (dropped 2: 2 not in the tile set)
        x.kad none => a file of alphagrams, which cannot be read; use a .kwg or .kbwg file or a list of words";
    for (case, expected) in cases(table) {
        let (name, list) = case.split_once(' ').unwrap();
        check_open(name, list.as_bytes(), expected);
    }
    let no_words = [0, 0, 0x40, 0, 0, 0, 0x40, 0];
    check_open(
        "none.kwg",
        &no_words,
        "no words for this tile set (dropped 0)",
    );
}

#[test]
fn a_missing_or_irregular_file_is_an_error() {
    for (path, part) in [
        (scratch("missing.kwg"), "No such file"),
        (scratch(""), "not a regular file"),
    ] {
        let error = Lexicon::open(&path, &ENGLISH, TextEncoding::Auto).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(part), "{error}");
        assert!(error.starts_with(&path.display().to_string()));
        assert!(LeaveValues::open(&path, &ENGLISH).is_err());
    }
}

#[test]
fn the_hash_does_not_depend_on_the_format() {
    let words = some_words(Seed(4), 500);
    let lexicon = Lexicon::from_words("X", &ENGLISH, &words).unwrap();
    let path = scratch("hash.kwg");
    fs::write(&path, kwg::write(lexicon.graph(), NodeFormat::Kwg).unwrap()).unwrap();
    let list = list_text(&words, "\n");
    let (opened, _) = Lexicon::open(&path, &ENGLISH, TextEncoding::Auto).unwrap();
    let fnv = list.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    });
    assert_eq!((lexicon.hash(), opened.hash()), (fnv, fnv));
}

// Damage.

/// Walks a graph as a move generator does, to a depth that no graph may exceed.
fn walk(graph: &Graph, list: NodeList, depth: usize, budget: &mut usize) {
    assert!(depth <= MAX_WORD_LETTERS + 1);
    for node in graph.siblings(list) {
        *budget = budget.saturating_sub(1);
        if *budget > 0 && !node.arc().is_none() {
            walk(graph, node.arc(), depth + 1, budget);
        }
    }
}

#[test]
fn a_damaged_graph_file_is_an_error_or_does_no_harm() {
    for format in [NodeFormat::Kwg, NodeFormat::Kbwg] {
        let words = some_words(Seed(5), 300);
        let file = kwg::write(&Graph::from_words(&words).unwrap(), format).unwrap();
        for bytes in damaged(&file, Seed(6), 10_000) {
            let Ok(graph) = kwg::read(&bytes, format, 26) else {
                continue;
            };
            walk(&graph, graph.gaddag_root(), 1, &mut 100_000);
            // A file that passes all checks has the words that were written, or none.
            let same = graph.words().eq(words.iter());
            assert!(same || graph.dawg_root().is_none());
        }
    }
}

#[test]
fn damaged_leave_values_are_an_error_or_do_no_harm() {
    let pairs = random_leaves(Seed(8), 200);
    let leaves = LeaveValues::new(pairs.values().copied()).unwrap();
    let csv = klv::write_csv(&leaves, &ENGLISH).into_bytes();
    let read_csv = |bytes: &[u8]| klv::read_csv(&String::from_utf8_lossy(bytes), &ENGLISH);
    let klv2 = klv::write(&leaves).unwrap();
    let from_klv2 = damaged(&klv2, Seed(9), 10_000).map(|bytes| klv::read(&bytes, 26));
    let from_csv = damaged(&csv, Seed(10), 2_000).map(|bytes| read_csv(&bytes));
    for back in from_klv2.chain(from_csv).flatten() {
        assert_eq!(back.iter().count(), back.len());
        for (leave, value) in back.iter() {
            assert_eq!(back.value(&leave), value);
        }
        for (leave, _) in pairs.values() {
            back.value(leave);
        }
    }
}

#[test]
fn damaged_lists_are_an_error_or_fewer_words() {
    let list = list_text(&some_words(Seed(11), 300), "\r\n");
    for file in [list.clone().into_bytes(), utf16(&list, u16::to_le_bytes)] {
        for bytes in damaged(&file, Seed(12), 2_000) {
            for encoding in [TextEncoding::Auto, TextEncoding::Latin1] {
                if let Ok((words, _)) = text::read(&bytes, &ENGLISH, encoding) {
                    let graph = Graph::from_words(&words).unwrap();
                    assert!(graph.words().eq(words.iter()));
                }
            }
        }
    }
}

#[test]
fn noise_is_not_a_lexicon() {
    for seed in (0..2_000).map(Seed) {
        let mut chance = seed.generator();
        let len = chance.random_range(0..200);
        let noise: Vec<u8> = (0..len).map(|_| chance.random()).collect();
        for format in [NodeFormat::Kwg, NodeFormat::Kbwg] {
            _ = kwg::read(&noise, format, 26);
        }
        _ = klv::read(&noise, 26);
        _ = text::read(&noise, &digraphs(), TextEncoding::Latin1);
    }
}

// The data files of the repository.

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_data_file_is_listed_with_its_true_checksum() {
    let folder = repository("lexica");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    for path in files {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy();
        let name = name.replace('\\', "/");
        if name == "README.md" {
            continue;
        }
        let digest = Sha256::digest(fs::read(&path).unwrap());
        let sum: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let row = format!("| `{name}` | `{sum}` |");
        assert!(readme.contains(&row), "lexica/README.md lacks {row}");
    }
}
