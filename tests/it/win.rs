//! The table of win probabilities: its file, and the built-in one.

use crate::support::{damaged, rules, variation};
use cazique::eval::BuiltInTables;
use cazique::eval::win_table::{SwingCounts, WinTable};
use cazique::fnv::Fnv;
use cazique::seed::Seed;
use cazique::units::{Points, WinProb};

/// A table of 48 invented swings, for the tournament rules.
fn small() -> WinTable {
    let mut swings = SwingCounts::default();
    for (at, bag) in [0, 1, 2, 40].into_iter().enumerate() {
        for swing in -3..9 {
            swings.add(bag, 1 + at, 7, Points(swing * at as i32));
        }
    }
    swings.table(&rules("tournament"), "made up", 12).unwrap()
}

/// Win probabilities must not decrease with the lead.
fn check_increases(table: &WinTable) {
    for (bag, mine, theirs) in [(0, 1, 1), (0, 7, 2), (1, 7, 7), (12, 7, 7), (86, 7, 7)] {
        let win_prob = |lead| table.win_prob(Points(lead), bag, mine, theirs);
        assert!((-1_000..1_000).all(|lead| win_prob(lead) <= win_prob(lead + 1)));
    }
}

#[test]
fn a_table_reads_back_as_itself() {
    let table = small();
    let read = WinTable::read(&table.write()).unwrap();
    assert_eq!(read, table);
    assert_eq!(read.about(), "made up");
    check_increases(&read);
}

#[test]
fn a_damaged_table_is_an_error_and_never_a_panic() {
    let whole = small().write();
    for bytes in damaged(&whole, Seed(3), 3_000) {
        assert!(bytes == whole || WinTable::read(&bytes).is_err());
    }
    // With a correct checksum, the other checks must find the damage.
    let body = &whole[..whole.len() - 8];
    for mut bytes in damaged(body, Seed(4), 3_000) {
        bytes.extend(Fnv::of(&bytes).to_le_bytes());
        if let Ok(table) = WinTable::read(&bytes) {
            check_increases(&table);
            assert_eq!(table.write(), bytes);
        }
    }
    let mut more = [body, &[0]].concat();
    more.extend(Fnv::of(&more).to_le_bytes());
    let error = WinTable::read(&more).unwrap_err().to_string();
    let long = "the table of win probabilities has 1 bytes after its end";
    assert_eq!(error, long);
}

#[test]
fn the_built_in_tables_say_what_they_were_counted_from() {
    for (preset, leaves) in [("tournament", "oel26.klv2"), ("super", "oel26_super.klv2")] {
        let table = built_in(preset);
        for word in [preset, "lexicon OEL26", leaves, "seed 26"] {
            assert!(table.about().contains(word), "{}", table.about());
        }
        check_increases(&table);
    }
    for (base, rack, name, leaves) in [
        ("deluxe", 8, "rules eight", "oel26_nine.klv2"),
        ("deluxe", 9, "rules nine", "oel26_nine.klv2"),
        ("super", 9, "rules super_nine", "oel26_super.klv2"),
    ] {
        let rules = variation(base, &format!("rack = {rack}\nbonus = 7:50\n"));
        let table = BuiltInTables::of(&rules).unwrap().win_table().unwrap();
        for word in [name, "lexicon OEL26", leaves, "seed 26"] {
            assert!(table.about().contains(word), "{}", table.about());
        }
        check_increases(&table);
    }
}

fn built_in(preset: &str) -> WinTable {
    let tables = BuiltInTables::of(&rules(preset)).unwrap();
    tables.win_table().unwrap()
}

#[test]
fn the_built_in_table_has_plausible_win_probabilities() {
    let table = built_in("tournament");
    let share = |lead, bag, mine, theirs| {
        let win_prob = table.win_prob(Points(lead), bag, mine, theirs);
        win_prob.probability()
    };
    // The move is an advantage, a lead counts more with fewer tiles left, and so
    // does holding only one tile.
    assert!((0.53..0.57).contains(&share(0, 86, 7, 7)));
    assert!((0.77..0.83).contains(&share(50, 60, 7, 7)));
    assert!((0.90..0.95).contains(&share(50, 10, 7, 7)));
    assert!(share(30, 0, 1, 7) > 0.99 && share(0, 0, 1, 7) > share(0, 0, 7, 7) + 0.1);
    assert_eq!(table.win_prob(Points(900), 86, 7, 7), WinProb::WON);
    assert_eq!(table.win_prob(Points(i32::MIN), 86, 7, 7), WinProb::LOST);
    // Stages that the table lacks are as the nearest one.
    assert_eq!(share(20, 170, 7, 7), share(20, 86, 7, 7));
    assert_eq!(share(20, 5, 9, 9), share(20, 5, 7, 7));
    assert_eq!(share(20, 0, 9, 0), share(20, 0, 7, 1));
}
