//! Files that options name: a CGP can name them again, and what is left out of them is said.

use crate::support::Client;
use std::fs;
use std::path::Path;

/// Writes small files: a rule file, a board and a word list.
fn write_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// The CGP that `state` reports.
fn cgp(said: &[String]) -> &str {
    let state = said.iter().find_map(|line| line.split_once(" cgp "));
    state.unwrap_or_else(|| panic!("{said:#?}")).1
}

#[test]
fn a_file_with_any_ending_is_named_so_that_a_fresh_engine_finds_it() {
    let board = ".........\n".repeat(9);
    let folder = tempfile::tempdir().unwrap();
    let rules = "base = deluxe\nrecycle_blanks = on\n";
    let words = "hm\nshh\nbrr\n";
    for (option, names, text) in [
        (
            "Rules",
            &["a.txt", "b", "c.rules", "d.e.txt", "F.TXT"][..],
            rules,
        ),
        ("Lexicon", &["g.txt", "h", "i.lst", "J.DIC"], words),
        ("Board", &["k.txt", "l", "m.board"], &board),
    ] {
        for name in names {
            write_files(folder.path(), &[(name, text)]);
            let path = format!(
                "setoption name DataPath value {}\n",
                folder.path().display()
            );
            for value in [
                name.to_string(),
                folder.path().join(name).display().to_string(),
            ] {
                let set = format!(
                    "{path}setoption name {option} value {value}\nposition startpos\nstate"
                );
                let said = Client::start().ask(&set);
                let read = format!("{path}position cgp {}\nstate", cgp(&said));
                let again = Client::start().ask(&read);
                assert_eq!(cgp(&said), cgp(&again), "{option} {value}");
            }
        }
    }
}

#[test]
fn a_file_outside_the_data_path_gets_a_warning_because_no_cgp_can_name_it() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = [("own.rules", "base = deluxe\n"), ("few.txt", "hm\nshh\n")];
    write_files(folder.path(), &files);
    // Another file with the same name does not count.
    write_files(other.path(), &[("own.rules", "base = super\n")]);
    for (option, name) in [("Rules", "own.rules"), ("Lexicon", "few.txt")] {
        for (data_path, is_found) in [("", false), ("other", false), ("folder", true)] {
            let folders = match data_path {
                "other" => other.path().display().to_string(),
                "folder" => folder.path().display().to_string(),
                _ => String::new(),
            };
            let file = folder.path().join(name);
            let said = Client::start().ask(&format!(
                "setoption name DataPath value {folders}\nsetoption name {option} value {}",
                file.display()
            ));
            let name = name.trim_end_matches(".txt");
            let why = match (data_path, name) {
                ("other", "own.rules") => {
                    "the DataPath finds another file by this name; rename one of them"
                }
                _ => "no folder of the DataPath has it; set DataPath first",
            };
            let warning =
                format!("info string warning a CGP cannot name the file '{name}', because {why}");
            let expected: &[String] = if is_found { &[] } else { &[warning] };
            assert_eq!(said, expected, "{option} {data_path}");
        }
    }
}

#[test]
fn parts_of_a_word_list_that_are_left_out_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    write_files(
        folder.path(),
        &[
            (
                "prose.md",
                "hm\nThis is prose, not a list\n8 words\ndon't\n",
            ),
            ("list.txt", "hm\nshh\n"),
            (
                "rules.txt",
                "# Our rules\nbase = deluxe\nrack = 8 # more\nbonus = 8:50\n",
            ),
        ],
    );
    let path = format!("setoption name DataPath value {}", folder.path().display());
    let set =
        |name: &str| Client::start().ask(&format!("{path}\nsetoption name Lexicon value {name}"));
    let said = set("prose.md");
    assert_eq!(
        said,
        [
            "info string warning PROSE has 1 word; dropped 3: 1 capitalised, 1 apostrophe, 1 not in \
             the tile set; of 2 lines with text after the word only the word was read"
        ]
    );
    assert_eq!(set("list.txt"), [""; 0]);
    assert_eq!(
        set("rules.txt"),
        [
            "info string warning RULES has 3 words; of 3 lines with text after the word only the \
             word was read"
        ]
    );
}

/// Once a file of leave values passed for a list of words without a warning.
#[test]
fn a_word_list_with_text_after_its_words_is_read_with_a_warning() {
    let check = |name: &str, text: &str, expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        write_files(folder.path(), &[(name, text)]);
        let said = Client::start().ask(&format!(
            "setoption name DataPath value {}\nsetoption name Lexicon value {name}\ncheck hm shh",
            folder.path().display()
        ));
        let (list, _) = name.split_once('.').unwrap();
        let list = list.to_uppercase();
        let warning = format!("info string warning {list} has {expected}");
        match expected.is_empty() {
            true => assert_eq!(said.len(), 2, "{said:?}"),
            false => assert_eq!(said[0], warning),
        }
        said[1..].concat()
    };
    let cut = |lines: &str| format!("of {lines} with text after the word only the word was read");
    let leaves = "AEINRST,30.1\nAE,1\n";
    check(
        "leaves.csv",
        leaves,
        &format!("2 words; {}", cut("2 lines")),
    );
    let two = format!("2 words; {}", cut("2 lines"));
    for list in [
        "hm 1. a sound\nshh 2. a sound\n",
        "HM\ta sound\nSHH\ta sound\n",
        "hm,3\r\nshh,4\r\n",
        "hm \t a sound\nshh\u{a0}a sound\n",
    ] {
        let said = check("list.txt", list, &two);
        assert!(said.contains(" HM valid yes"), "{list}\n{said}");
    }
    let one = format!("2 words; {}", cut("1 line"));
    check("tiers.tsv", "hm\t3\nshh # hush\n", &one);
    // One word in a line, with nothing after it but separators or a comment.
    check("list.txt", "# sounds\nhm\nshh\n", "");
    check("list.txt", "hm,\nshh \t\n", "");
}

#[test]
fn a_file_with_the_name_of_a_built_in_gets_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("deluxe.txt", "base = super\n"),
        ("oel26.txt", "hm\nshh\n"),
        ("a;b.txt", "base = deluxe\n"),
    ];
    write_files(folder.path(), &files);
    let folders = folder.path().display();
    for (option, name, why) in [
        ("Rules", "deluxe", "which is built in too"),
        ("Lexicon", "oel26", "which is built in too"),
        ("Rules", "a;b", "because ';' ends a name there"),
    ] {
        let said = Client::start().ask(&format!(
            "setoption name DataPath value {folders}\nsetoption name {option} value {folders}/{name}.txt"
        ));
        let warning = format!(
            "info string warning a CGP cannot name the file '{name}', {why}; rename the file"
        );
        assert_eq!(said, [warning]);
    }
}
