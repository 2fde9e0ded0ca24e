//! Racks in a list of moves: whose they are, who sees them, and which contradict each other.

use super::check;
use crate::sessions::matches;
use crate::support::Client;

#[test]
fn a_search_with_open_racks_says_so() {
    let racks = "startpos moves racks.AEKNRSV/QUIETLY\ngo gen candidates 1";
    let found = [
        "info string provenance…",
        "info gen…",
        "info time…",
        "bestmove 8D.KNAVE",
    ];
    let warning = "info string warning the search knows racks of opponents: …";
    check(
        &format!("position eyes all {racks}"),
        &[&[warning], &found[..]].concat(),
    );
    check(&format!("position {racks}"), &found);
}

#[test]
fn racks_of_opponents_in_moves_are_history() {
    let moves = "moves 8F.HORN.AEHNORT H6.FARM.AFMRTUW";
    let state = |command: &str| Client::start().ask(&format!("{command}\nstate")).concat();
    let value = |line: &str, key: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[words.iter().position(|word| *word == key).unwrap() + 1].to_string()
    };
    let racks = |command: &str| value(&state(command), "racks");
    assert_eq!(racks(&format!("position startpos {moves}")), "AET/-");
    assert_eq!(
        racks(&format!("position eyes all startpos {moves}")),
        "AET/RTUW"
    );
    // Tiles that came off the board were seen by everybody.
    let shown = "position startpos moves phony.8F.HORX.AHORXTT";
    assert_eq!(racks(shown), "HORX/-");
    // The racks of a CGP are stated for this position.
    let board = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    assert_eq!(
        racks(&format!("position cgp {board} AEINRST/QZ 0/0 0")),
        "AEINRST/QZ"
    );
    // The tiles that an opponent exchanges are hidden too.
    let exchanged = "position startpos moves phony.8F.HORX pass ex.HX.HORXAAT";
    assert_eq!(racks(exchanged), "-/-");
    // The search does not profit from the opponent's rack either.
    let search = |command: &str| {
        let mut client = Client::start();
        client.say(&format!(
            "{command} rack.AETBCDE\ngo sim iterations 20 candidates 3 seed 1"
        ));
        let lines = client.until("bestmove");
        lines
            .into_iter()
            .filter(|line| line.starts_with("info sim"))
            .collect::<Vec<_>>()
    };
    let hidden = search("position startpos moves 8F.HORN.AEHNORT H6.FARM");
    assert_eq!(search(&format!("position startpos {moves}")), hidden);
    assert_ne!(
        search(&format!("position eyes all startpos {moves}")),
        hidden
    );
}

#[test]
fn the_racks_of_all_seats_may_follow_the_moves() {
    let check_racks = |position: &str, expected: &str| {
        let said = Client::start().ask(&format!("{position}\nstate")).concat();
        assert!(said.contains(expected), "{expected}\n{said}");
    };
    let knave = "startpos moves 8D.KNAVE.AEKNRSV";
    let racks = "racks.RSABCDE/AEINQTZ";
    // Player 2 is to move and sees only the own rack.
    check_racks(
        &format!("position {knave} {racks}"),
        " racks -/AEINQTZ unknown 7/0 ",
    );
    check_racks(
        &format!("position eyes all {knave} {racks}"),
        " racks ABCDERS/AEINQTZ unknown 0/0 ",
    );
    check_racks(
        "position startpos moves racks./AEINQTZ",
        " racks -/- unknown 7/7 ",
    );
    // A short rack of another player is partly known, and a dash is an unknown one.
    check_racks(
        &format!("position eyes all {knave} racks.RS/AEINQTZ"),
        " racks RS/AEINQTZ unknown 5/0 ",
    );
    check_racks(
        &format!("position {knave} racks.-/AEINQTZ"),
        " racks -/AEINQTZ unknown 7/0 ",
    );
    // At the end of the game all racks are open, so that the final scores follow.
    let over = format!("position {knave} pass pass pass pass pass ex.2 {racks}");
    check_racks(
        &over,
        " over scoreless adjustments -12/-25 final 22/-25 winner 1 ",
    );
    for (last, error) in [
        (
            "racks.RSABCDE",
            "the number of racks is 1, the game has 2 players",
        ),
        (
            "racks.ABCDEFG/",
            "the rack ABCDEFG lacks RS, which the player kept…",
        ),
        ("racks.RSABCDE/RSTUVWXY", "rack has 8 tiles, the limit is 7"),
        ("racks.RSABCDQ/QAAAAAA", "too many tiles 'Q'…"),
        (
            "racks.RSABCDE/ pass",
            "racks can only stand at the end of a list…",
        ),
    ] {
        let error = format!("info string error bad-move …{error}");
        check(&format!("position {knave} {last}"), &[&error]);
    }
}

#[test]
fn contradictory_histories_are_refused() {
    for (moves, error) in [
        (
            "8F.HORN.HORNQZX pass rack.AEINSTU",
            "move 3, rack.AEINSTU: the rack AEINSTU lacks QXZ, which the player kept from earlier turns",
        ),
        (
            "8F.HORN.HORNQZX pass 8F.HORNS.AEINSTU",
            "move 3, 8F.HORNS.AEINSTU: the rack AEINSTU lacks QXZ…",
        ),
        (
            "8F.HORN.HORNQZX.999999",
            "move 1, 8F.HORN.HORNQZX.999999: 999999 points for a failed challenge, the challenge rule double gives 0",
        ),
        (
            "8F.HORN.HORNQZX.0.2",
            "move 1, 8F.HORN.HORNQZX.0.2: 2 turns lost by a challenge, the challenge rule double takes 1",
        ),
    ] {
        let error = format!("info string error bad-move {error}");
        check(&format!("position startpos moves {moves}"), &[&error]);
    }
    let five =
        "setoption name ChallengeRule value five_point\nposition startpos moves 8F.HORN.HORNQZX";
    let error = "info string error bad-move …7 points for a failed challenge, the challenge rule five_point gives 5";
    check(&format!("{five}.7"), &[error]);
    check(&format!("{five}.5"), &[]);
    check("position startpos moves 8F.HORN.HORNQZX.0.1", &[]);
    // The tiles that another player kept are not on this rack, although they are hidden.
    let hidden = "position startpos moves 8F.HORN.HORNQZX\nrack QAEIOUR";
    check(
        hidden,
        &["info string error bad-position too many tiles 'Q'…"],
    );
    // An exchange of hidden tiles may state the rack before it.
    check("position startpos moves ex.2.AEINRST pass", &[]);
    // A rack that `rack` sets must continue the history too.
    let kept = "position startpos moves 8F.HORN.HORNQZX pass\nrack AEINSTU";
    check(
        kept,
        &["info string error bad-position the rack AEINSTU lacks QXZ…"],
    );
}

#[test]
fn a_rack_does_not_reopen_a_finished_game() {
    let cgp = "15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO METIC/AEMOO 419/420 0";
    let known = format!("position cgp {cgp} moves 1K.METIC");
    let over = "info state … bag 0 … over out overseat 1 …";
    check(&format!("{known}\nstate"), &[over]);
    for rack in ["AEMOO", "AEMOONR", "AEMOON", "AEM"] {
        let warning = "info string warning …";
        let mut client = Client::start();
        let said = client.ask(&format!("{known}\nrack {rack}\nstate"));
        let [.., state] = &said[..] else {
            panic!("{said:?}")
        };
        assert!(matches(over, state), "{rack}: {said:#?}");
        assert!(said.len() == 1 || matches(warning, &said[0]), "{said:#?}");
    }
}
