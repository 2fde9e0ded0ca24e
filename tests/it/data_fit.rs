//! Data that does not fit the tiles, the board or the words is refused, or used with a warning.

use crate::support::{Client, cases, lexicon, repository, rules};
use cazique::eval::win_table::SwingCounts;
use cazique::lexicon::kwg::{self, NodeFormat};
use cazique::lexicon::{Graph, Lexicon, TextEncoding, Word, WordList};
use cazique::tiles::Letter;
use std::fs;
use tempfile::TempDir;

/// A session with a folder for the files that its commands name.
struct DataSession {
    client: Client,
    folder: TempDir,
}

impl DataSession {
    fn start() -> DataSession {
        let folder = tempfile::tempdir().unwrap();
        let mut client = Client::start();
        let path = folder.path().display();
        client.say(&format!("setoption name DataPath value {path}"));
        DataSession { client, folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The answer to setting an option to a file with these bytes.
    fn set(&mut self, option: &str, name: &str, bytes: &[u8]) -> Vec<String> {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        self.client
            .ask(&format!("setoption name {option} value {path}"))
    }

    /// The warnings of a search.
    fn search_warnings(&mut self) -> Vec<String> {
        self.client
            .say("position startpos moves rack.AEINRST\ngo gen candidates 1");
        let mut said = self.client.until("bestmove");
        said.retain(|line| line.starts_with("info string warning "));
        said
    }
}

/// The graph file of some embedded words, with every letter after `last` numbered one higher: as if
/// the alphabet had one letter more.
fn shifted_graph(last: char) -> Vec<u8> {
    let last = last as usize - 'A' as usize + 1;
    let shifted = |word: Word| {
        let letter = |letter: Letter| match letter.number() {
            number if number > last => Letter::new(number + 1).filter(|it| it.number() <= 26),
            _ => Some(letter),
        };
        Word::new(&word.letters().map(letter).collect::<Option<Vec<_>>>()?)
    };
    let words: WordList = lexicon(&rules("tournament").tiles)
        .words()
        .step_by(20)
        .filter_map(shifted)
        .collect();
    kwg::write(&Graph::from_words(&words).unwrap(), NodeFormat::Kwg).unwrap()
}

#[test]
fn letter_numbers_that_the_tile_set_lacks_are_refused_with_file_number_and_tile_set() {
    let mut session = DataSession::start();
    let tiles = b"A,a,9,1,1\nB,b,9,1,0\nC,c,9,1,0\n";
    session.set("LetterDistribution", "few.csv", tiles);
    let leaves = fs::read(repository("lexica/oel26.klv2")).unwrap();
    for (option, name, bytes) in [
        ("Lexicon", "words.kwg", shifted_graph('Z')),
        ("Leaves", "oel26.klv2", leaves),
    ] {
        let said = session.set(option, name, &bytes);
        let path = session.path(name);
        let start = format!("info string error data {path}: it has the letter number ");
        let end = ", but the tile set 'few' has the letters 1 to 3; set LetterDistribution to the tile set that the file was made for";
        assert_eq!(said.len(), 1);
        assert!(
            said[0].starts_with(&start) && said[0].ends_with(end),
            "{said:?}"
        );
    }
}

#[test]
fn a_graph_with_many_words_without_a_vowel_gets_a_warning() {
    let mut session = DataSession::start();
    // Words of the right tile set give none.
    assert_eq!(
        session.set("Lexicon", "same.kwg", &shifted_graph('Z')),
        [""; 0]
    );
    for last in ['C', 'L'] {
        let said = session.set("Lexicon", "foreign.kwg", &shifted_graph(last));
        assert_eq!(said.len(), 1, "{said:?}");
        let start = "info string warning ";
        let end = " % of the words of FOREIGN have no vowel of the tile set 'english'; the letters may be numbered for another one: set LetterDistribution to it";
        assert!(
            said[0].starts_with(start) && said[0].ends_with(end),
            "{said:?}"
        );
        assert!(session.search_warnings().contains(&said[0]));
    }
    // A list has the letters themselves, and a few words prove nothing.
    assert_eq!(
        session.set("Lexicon", "list.txt", b"hm\nshh\nbrr\n"),
        [""; 0]
    );
    let few: WordList = lexicon(&rules("tournament").tiles)
        .words()
        .take(900)
        .collect();
    let few = kwg::write(&Graph::from_words(&few).unwrap(), NodeFormat::Kwg).unwrap();
    assert_eq!(session.set("Lexicon", "few.kwg", &few), [""; 0]);
}

#[test]
fn the_share_of_words_without_a_vowel_is_known_for_the_built_in_words_too() {
    // As from a file: the figure at the limit, 0.08 %, is that of OEL26.
    let tiles = &rules("tournament").tiles;
    let vowels = ["A", "E", "I", "O", "U"].map(|vowel| tiles.read_tiles(vowel).unwrap());
    let has_vowel = |word: &Word| {
        let mut letters = word.letters();
        letters.any(|letter| vowels.iter().any(|vowel| vowel.count(letter.into()) > 0))
    };
    let words = lexicon(tiles);
    let without = words.words().filter(|word| !has_vowel(word)).count();
    let percent = without as f64 * 100.0 / words.word_count() as f64;
    assert_eq!(format!("{percent:.2}"), "0.08");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oel26.kwg");
    let bytes = kwg::write(words.graph(), NodeFormat::Kwg).unwrap();
    fs::write(&path, bytes).unwrap();
    let (read, _) = Lexicon::open(&path, tiles, TextEncoding::Auto).unwrap();
    assert_eq!(read.suspicious_share(), None);
}

#[test]
fn win_tables_for_other_words_tiles_or_boards_are_used_with_a_warning() {
    let mut session = DataSession::start();
    let mut table = |preset: &str, about: &str| {
        let table = SwingCounts::default()
            .table(&rules(preset), about, 1)
            .unwrap();
        let said = session.set("WinPctTable", "own.win", &table.write());
        let mut warnings = session.search_warnings();
        warnings.retain(|line| line.contains("win probabilities"));
        // What needs no lexicon is said at once, and everything at the search.
        assert!(said.is_empty() || said == warnings, "{said:?} {warnings:?}");
        warnings
    };
    let words = "rules tournament\nlexicon OEL26 3ec211bd375cb139\n";
    assert_eq!(table("tournament", words), [""; 0]);
    assert_eq!(table("tournament", "made up"), [""; 0]);
    let mut check = |preset: &str, about: &str, reason: &str| {
        let said = table(preset, about);
        let maker =
            "; make your own with 'leaves win LEAVES --lexicon FILE --rules FILE -o NEW.win'";
        assert!(
            said[0].ends_with(&format!(" were made {reason}{maker}")),
            "{said:?}"
        );
    };
    check(
        "super",
        "",
        "for racks of 7 and a bag of 186 at the start, and the rules have 7 and 86",
    );
    let big = "rules super\nlexicon OEL26 3ec211bd375cb139\n";
    check(
        "tournament",
        big,
        "on a board of 21x21, and the rules have 15x15",
    );
    let other = "rules tournament\nlexicon OTHER 0123456789abcdef\n";
    check("tournament", other, "with other words than those of OEL26");
}

#[test]
fn the_reason_why_there_are_no_leave_values_is_that_of_the_rules_in_use() {
    let mut session = DataSession::start();
    let mut reason = |option: &str, bytes: &[u8]| {
        assert_eq!(session.set(option, "small.txt", bytes), [""; 0]);
        let client = &mut session.client;
        client.say("position startpos moves rack.AEINRST\ngo gen candidates 1");
        let said = client.until("bestmove");
        let line = said.iter().find(|line| line.contains("leaves none: "));
        line.cloned().unwrap_or_default()
    };
    let rules = b"base = deluxe\nrack = 8\nbonus = 8:50\n";
    assert_eq!(reason("Rules", rules), "");
    for side in [7, 9] {
        let board = (".".repeat(side) + "\n").repeat(side);
        let suited = format!("racks of 8 of the tiles 'english' on a board of {side}x{side}");
        assert!(reason("Board", board.as_bytes()).contains(&suited));
    }
}

#[test]
fn a_board_whose_rows_are_not_as_long_as_there_are_rows_is_refused() {
    let mut session = DataSession::start();
    for (columns, row) in [(14, 1), (16, 1), (15, 3)] {
        let mut rows = vec![".".repeat(columns); 15];
        if columns == 15 {
            rows[2].truncate(9);
        }
        let said = session.set("Board", "odd.txt", rows.join("\n").as_bytes());
        let width = if columns == 15 { 9 } else { columns };
        let end = format!(
            "row {row} has {width} squares, but the board has 15 rows; write a plain square as '.'"
        );
        assert!(said[0].starts_with("info string error data "), "{said:?}");
        assert!(said[0].ends_with(&end), "{said:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_an_error_about_data_and_a_missing_folder_gets_a_warning() {
    let mut client = Client::start();
    let table = r"
        setoption name Rules value nofile => info string error data
        setoption name Board value nofile => info string error data
        setoption name LetterDistribution value nofile => info string error data
        setoption name Lexicon value nofile => info string error data
        setoption name DataPath value /nowhere => info string warning DataPath: there is no folder '/nowhere'";
    for (command, start) in cases(table) {
        let said = client.ask(&command);
        assert!(
            said.len() == 1 && said[0].starts_with(start),
            "{command}: {said:?}"
        );
    }
}
