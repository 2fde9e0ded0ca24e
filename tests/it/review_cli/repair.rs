//! Corrections: one wrong thing is corrected, two possible corrections are none.

use crate::support::{repository, rules};
use cazique::notation::gcg::{GameRecord, ReadMode};
use cazique::review::{correct_record, corrected_text};
use std::fs;

fn record(text: &str) -> GameRecord {
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).expect("the syntax");
    record
}

fn golden(name: &str) -> String {
    let path = repository(&format!("tests/golden/gcg/{name}.gcg"));
    fs::read_to_string(path).unwrap()
}

/// The record `finished` with replaced parts.
fn changed(changes: &[(&str, &str)]) -> String {
    let mut text = golden("finished");
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    text
}

/// The correction of the record with some changes: it gives the record back as it was.
#[track_caller]
fn check(changes: &[(&str, &str)], expected: &str) {
    let (rules, wrong) = (rules("tournament"), record(&changed(changes)));
    let corrected = correct_record(&wrong, &rules).map_err(|error| error.to_string());
    let corrected = corrected.expect("one correction").expect("a contradiction");
    assert_eq!(corrected.correction.to_string(), expected);
    let copy = record(&corrected_text(&corrected));
    assert!(copy.replay(&rules, ReadMode::Strict).is_ok());
    let events = |record: &GameRecord| {
        let events = record.events.iter();
        events.map(|event| event.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(events(&copy), events(&record(&golden("finished"))));
    assert_eq!(correct_record(&copy, &rules), Ok(None));
}

/// The reason why the record with some changes is not corrected.
#[track_caller]
fn check_not(changes: &[(&str, &str)], expected: &str) {
    let wrong = record(&changed(changes));
    let reason = correct_record(&wrong, &rules("tournament")).expect_err("no single correction");
    let reason = reason.to_string();
    assert!(reason.contains(expected), "{reason}");
}

#[test]
fn a_record_without_contradictions_stays() {
    let consistent = record(&golden("finished"));
    assert_eq!(correct_record(&consistent, &rules("tournament")), Ok(None));
}

#[test]
fn a_wrong_sum_is_corrected() {
    check(
        &[("QUIMS +63 83", "QUIMS +63 84")],
        "line 6: the total is 83, not 84",
    );
    // The wrong sum was carried on.
    let carried = [
        ("TEEN.ER +28 111", "TEEN.ER +28 121"),
        ("ACOC. +39 150", "ACOC. +39 160"),
        ("ZIGG.D +39 189", "ZIGG.D +39 199"),
        ("BARTEND +85 274", "BARTEND +85 284"),
        ("JADE +40 314", "JADE +40 324"),
        ("ANORTH..E +64 378", "ANORTH..E +64 388"),
        ("FAW +37 415", "FAW +37 425"),
        ("RAD +16 431", "RAD +16 441"),
        ("(time) -10 421", "(time) -10 431"),
    ];
    check(&carried, "line 8: the total is 111, not 121");
    check(
        &[("(RUUU) +8 409", "(RUUU) +8 408")],
        "line 24: the total is 409, not 408",
    );
}

#[test]
fn a_wrong_score_is_corrected() {
    check(
        &[("QUIMS +63 83", "QUIMS +36 83")],
        "line 6: the score is 63, not 36",
    );
    check(
        &[("QUIMS +63 83", "QUIMS +36 56")],
        "line 6: the score is 63, not 36",
    );
    let carried = [
        ("FAW +37 415", "FAW +27 405"),
        ("RAD +16 431", "RAD +16 421"),
        ("(time) -10 421", "(time) -10 411"),
    ];
    check(&carried, "line 20: the score is 37, not 27");
}

#[test]
fn a_wrong_player_is_corrected() {
    check(
        &[(">bob: EHIKRTY", ">ann: EHIKRTY")],
        "line 9: the player is bob, not ann",
    );
    check(
        &[(">ann: EIOSUVV", ">bob: EIOSUVV")],
        "line 4: the player is ann, not bob",
    );
    let swapped = [(
        ">ann: ABDENRT 2B BARTEND +85 274\n>bob: ABEILNT 1A BALE +30 253\n",
        ">bob: ABEILNT 1A BALE +30 253\n>ann: ABDENRT 2B BARTEND +85 274\n",
    )];
    check(
        &swapped,
        "line 14: this line and line 15 stand in the wrong order",
    );
}

#[test]
fn the_player_who_moves_first_is_corrected() {
    let text = golden("finished").replace("#player2", "#first-move bob\n#player2");
    let corrected = correct_record(&record(&text), &rules("tournament"));
    let corrected = corrected.expect("one correction").expect("a contradiction");
    assert_eq!(
        corrected.correction.to_string(),
        "line 3: the first move is that of ann"
    );
}

#[test]
fn a_wrong_rack_is_corrected_where_only_one_tile_fits() {
    // The rack lacks a tile that is played, and is not full without it.
    check(
        &[("EEIMQSU 12A", "EEIMQS 12A")],
        "line 6: the rack is EEIMQSU, not EEIMQS",
    );
    // The next rack shows which tile was kept.
    check(
        &[("EEENORT K5", "EEENORTX K5")],
        "line 8: the rack is EEENORT, not EEENORTX",
    );
    check(
        &[("EEENORT K5", "EEENOTX K5")],
        "line 8: the rack is EEENORT, not EEENOTX",
    );
}

#[test]
fn nothing_is_guessed() {
    // Any of the tiles that stay on the rack may be the wrong one.
    let racks = record(&super::GAME.replace("AEHNORT", "AEHNORTX"));
    let reason = correct_record(&racks, &rules("tournament")).expect_err("four tiles stay");
    assert_eq!(reason.corrections.len(), 4, "{reason}");
    // The penalty or the sum.
    check_not(
        &[("(time) -10 421", "(time) -10 420")],
        "2 different corrections",
    );
    // Two things are wrong.
    let two = [
        ("QUIMS +63 83", "QUIMS +63 84"),
        ("KYTHE +42 135", "KYTHE +42 136"),
    ];
    check_not(&two, "no single correction");
    check_not(&[("12A QUIMS", "12B QUIMS")], "line 6: ");
}

#[test]
fn a_long_record_ends_in_time() {
    let passes: String = (0..2_000).map(|_| ">ann: - +0 0\n>ann: - +0 1\n").collect();
    let text = format!("#player1 ann\n#player2 bob\n{passes}");
    assert!(correct_record(&record(&text), &rules("tournament")).is_err());
}
