//! The words of a record's plays are compared with the lexicon.

use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode, RecordProblem};

/// Checks the findings about a record of two players under some options.
fn check_with(options: &[(&str, &str)], lines: &str, expected: &[&str]) {
    let mut engine = Engine::new().unwrap();
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    let text = format!("#player1 a\n#player2 b\n{lines}");
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    let found = match engine.set_record(&record, record.turns()) {
        Ok(findings) => findings.iter().map(RecordProblem::to_string).collect(),
        Err(error) => vec![error.text],
    };
    assert_eq!(found, expected, "{lines}");
}

fn check(lines: &str, expected: &[&str]) {
    check_with(&[], lines, expected);
}

const HORN: &str = ">a: AEHNORT 8F HORN +14 14\n";
const HRON: &str = ">a: AEHNORT 8F HRON +14 14\n";

#[test]
fn a_play_with_words_that_the_lexicon_lacks_is_a_finding() {
    check(HORN, &[]);
    check(HRON, &["line 3: HRON is not in OEL26"]);
    let across = format!("{HORN}>b: AFMRTUW 9F RAM +18 18\n");
    check(&across, &["line 4: HR, OA, RM are not in OEL26"]);
    // A play that came off is no fault of the record.
    check(&format!("{HRON}>a: AEHNORT -- -14 0\n"), &[]);
    // The word may be the reason for an error on a later line.
    let error = "line 3: HRON is not in OEL26; line 4: O lies on 8H, the record plays R there";
    check(&format!("{HRON}>b: AFMRTUW H6 FARM +9 9\n"), &[error]);
}

#[test]
fn words_in_any_letter_order_are_judged_by_their_letters() {
    let anagrams = [("Variant", "wordsmog")];
    check_with(&anagrams, HRON, &[]);
    let hrrn = ">a: EHNORRT 8F HRRN +14 14\n";
    let expected = ["line 3: no order of the letters HRRN is in OEL26"];
    check_with(&anagrams, hrrn, &expected);
}

#[test]
fn a_challenge_with_the_wrong_ruling_is_a_finding() {
    let failed = format!("{HRON}>a: AET (challenge) +5 19\n");
    let expected = [
        "line 3: HRON is not in OEL26",
        "line 4: the challenge failed, but HRON is not in OEL26",
    ];
    check(&failed, &expected);
    check(&format!("{HORN}>a: AET (challenge) +5 19\n"), &[]);
    let off = format!("{HORN}>a: AEHNORT -- -14 0\n");
    let expected = "line 4: the play came off, but all its words are in OEL26: HORN";
    check(&off, &[expected]);
}

#[test]
fn words_of_another_lexicon_are_counted() {
    let replaced = "line 3: there is no lexicon 'CSW24' on the DataPath; OEL26 is used instead";
    let (named, second) = ("#lexicon CSW24\n", ">b: AFMRTUW 9F RAM +18 18\n");
    let one = "line 4: HRON is not in OEL26";
    check(&format!("{named}{HRON}"), &[replaced, one]);
    let both = "line 4: HRON is not in OEL26; neither are words of 1 more play, so that the game may \
                have had another lexicon";
    let second = second.replace("RAM +18 18", "ARM +18 18");
    check(&format!("{named}{HRON}{second}"), &[replaced, both]);
    // Other words have other challenges.
    let off = format!("{named}{HORN}>a: AEHNORT -- -14 0\n");
    check(&off, &[replaced]);
}

#[test]
fn many_words_that_the_lexicon_lacks_are_counted() {
    // One letter at a time on the right of HRON.
    let mut lines = HRON.to_string();
    let (mut word, mut totals) = ("....".to_string(), [14, 0]);
    for (at, letter) in "EAIOU".chars().enumerate() {
        let mover = (at + 1) % 2;
        // Wrong points are other findings.
        let points = 8 + at as i32;
        totals[mover] += points;
        let (nick, total) = (["a", "b"][mover], totals[mover]);
        lines += &format!(">{nick}:  8F {word}{letter} +{points} {total}\n");
        word.push('.');
    }
    let mut engine = Engine::new().unwrap();
    let text = format!("#player1 a\n#player2 b\n{lines}");
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    let mut phonies = |turn: usize| {
        let findings = engine.set_record(&record, turn).unwrap();
        let texts = findings.iter().map(RecordProblem::to_string);
        let phonies = texts.filter(|text| text.contains("OEL26"));
        phonies.collect::<Vec<_>>()
    };
    assert_eq!(phonies(4).len(), 5);
    let counted = "line 3: HRON is not in OEL26; neither are words of 5 more plays, so that the game \
                   may have had another lexicon";
    assert_eq!(phonies(5), [counted]);
}
