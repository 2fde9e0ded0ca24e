//! Challenges in a list of moves, and games that are over.

use super::check;
use crate::support::Client;

/// Sends a challenge rule and moves, and looks for parts of what `state` says.
fn check_state(options: &str, moves: &str, parts: &[&str]) {
    let options = options.split_whitespace().map(|option| {
        let (name, value) = option.split_once('=').unwrap();
        format!("setoption name {name} value {value}\n")
    });
    let lines: String = options.collect();
    let said = Client::start().ask(&format!("{lines}position startpos moves {moves}\nstate"));
    let said = said.concat();
    for part in parts {
        assert!(said.contains(part), "{lines}{moves}: {part}\n{said}");
    }
}

#[test]
fn a_challenge_in_a_list_of_moves_is_ruled_on() {
    let check = |options: &str, moves: &str, parts: &[&str]| check_state(options, moves, parts);
    let double = "ChallengeRule=double";
    check(
        double,
        "8F.HORX challenge",
        &[" lastmove phony.8F.HORX ", "tomove 2 "],
    );
    check(
        double,
        "8F.HORN challenge",
        &["tomove 1 ", " lastmove 8F.HORN "],
    );
    check("ChallengeRule=single", "8F.HORN challenge", &["tomove 2 "]);
    check(
        "ChallengeRule=5pt",
        "8F.HORN challenge",
        &[" lastscore 19 "],
    );
    check(
        "ChallengeRule=10PT",
        "8F.HORN challenge.2",
        &[" lastscore 24 "],
    );
    // With three players the challenger loses the turn, whoever it is.
    let three = "Rules=deluxe Players=3";
    check(three, "8F.HORN challenge", &["tomove 3 "]);
    check(three, "8F.HORN challenge.3", &["tomove 2 "]);
    check(three, "8F.HORN challenge.3 pass", &["tomove 1 "]);
    // Words are challenged one at a time under the rules of the school kit.
    let school = "Rules=school";
    check(school, "8F.HORN 9G.OX challenge.OX", &[" lastmove 9G.OX "]);
    check(
        school,
        "8F.HORN 9G.OX challenge.1.OX.RX",
        &[" lastmove phony.9G.OX "],
    );
}

#[test]
fn a_game_can_be_lost_by_a_challenge() {
    let triple = "ChallengeRule=triple";
    let lost = |moves: &str, seat: usize| {
        check_state(triple, moves, &[&format!(" over forfeit overseat {seat} ")]);
    };
    lost("8F.HORN challenge", 2);
    lost("8F.HORX challenge.2", 1);
    lost("phony.8F.HORX", 1);
    let over =
        "setoption name ChallengeRule value triple\nposition startpos moves 8F.HORN challenge";
    check(
        &format!("{over} pass"),
        &["info string error bad-move move 3, pass: the game is over"],
    );
    for go in ["go", "go endgame", "go sim iterations 10", "go gen"] {
        check(
            &format!("{over}\n{go}"),
            &[
                "info string warning the game is over: player 2 lost it by a challenge",
                "info string provenance…",
                "bestmove pass",
            ],
        );
    }
}

/// Once a challenge of the play that reached the target decided the game for another player.
#[test]
fn a_challenge_does_not_take_the_game_from_the_first_at_the_target() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("target.txt");
    std::fs::write(&rules, "base = deluxe\ntarget = 14\nchallenge = triple\n").unwrap();
    let check = |moves: &str, parts: &[&str]| {
        let options = format!("Rules={} Players=3", rules.display());
        check_state(&options, moves, parts);
    };
    let won = " over target overseat 1 adjustments 0/0/0 final 14/0/0 winner 1 ";
    check("8F.HORN challenge.2", &[won]);
    check("8F.HORX challenge.2", &[" over forfeit overseat 1 "]);
    check("8G.NO challenge.2", &[" over forfeit overseat 2 "]);
}

/// Once the tiles exchanged face down became known too.
#[test]
fn a_play_that_comes_off_shows_the_tiles_it_put_on_the_board_only() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("letters.txt");
    std::fs::write(&rules, "base = deluxe\nrecycle_letters = on\n").unwrap();
    let options = format!("Rules={}", rules.display());
    let off = " racks -/X unknown 7/6 bag 82 ";
    check_state(
        &options,
        "8F.HORN phony.8F=X+pass",
        &[off, " lastmove phony.8F=X+pass "],
    );
    for moves in [
        "8F.HORN 8F=X+ex.AE challenge",
        "8F.HORN 8F=X+ex.AE.XAEIOUU challenge",
        "8F.HORN phony.8F=X+ex.AE",
    ] {
        check_state(&options, moves, &[off, " lastmove phony.8F=X+ex.AE "]);
    }
}

#[test]
fn challenges_that_contradict_the_rules_are_refused() {
    let check = |rule: &str, moves: &str, error: &str| {
        let lines =
            format!("setoption name ChallengeRule value {rule}\nposition startpos moves {moves}");
        check(&lines, &[&format!("info string error bad-move {error}")]);
    };
    let void = "…the rule 'void' has no challenges: plays with invalid words are refused…";
    check("void", "phony.8F.HORX", void);
    check("void", "8F.HORN challenge", void);
    let valid = "…all words of the play are in OEL26, so it cannot come off; leave 'phony.' out";
    check("double", "phony.8F.HORN", valid);
    let came_off = "…a play that came off was challenged with success: …";
    check("double", "phony.8F.HORX..0.1", came_off);
    check("5pt", "phony.8F.HORX.HORXABC.5", came_off);
    check("5pt", "8F.HORX..5", "…HORX is not in OEL26");
    check("double", "8F.HORX..0.1", "…HORX is not in OEL26");
    check(
        "double",
        "challenge",
        "move 1, challenge: there is no play to challenge",
    );
    check(
        "double",
        "8F.HORN challenge challenge",
        "move 3, challenge: there is no play…",
    );
    check(
        "double",
        "8F.HORN challenge.1",
        "…players cannot challenge their own play",
    );
    check(
        "double",
        "8F.HORN challenge.3",
        "…there is no seat 3, the game has 2 players",
    );
    check(
        "double",
        "8F.HORN challenge.2.CORN",
        "…the play does not form all of the named words",
    );
    check("double", "8F.HORN challenge.", "…is not a move…");
    check(
        "double",
        "8F.HORN pass challenge",
        "…there is no play to challenge",
    );
}

#[test]
fn the_command_challenge_rules_and_changes_the_position() {
    let check = |rules: &str, moves: &str, command: &str, answer: &str, state: &str| {
        let options = rules.split_whitespace().map(|option| {
            let (name, value) = option.split_once('=').unwrap();
            format!("setoption name {name} value {value}\n")
        });
        let options: String = options.collect();
        let lines = format!("{options}position startpos moves {moves}\n{command}\nstate");
        let expected = [
            format!("info challenge {answer}"),
            format!("info state {state}"),
        ];
        super::check(&lines, &expected.each_ref().map(String::as_str));
    };
    check(
        "Rules=deluxe Players=3",
        "8F.HORN racks.//AEINRST",
        "challenge by 3",
        "move challenge.3 by 3 player 1 play 8F.HORN ruling stands penalty turn words HORN",
        "tomove 2 … over no…",
    );
    check(
        "ChallengeRule=triple",
        "8F.HORX.HORXABC",
        "challenge",
        "move challenge.2 by 2 player 1 play 8F.HORX ruling off penalty game words HORX phony HORX",
        "… over forfeit overseat 1 …",
    );
    check(
        "ChallengeRule=triple",
        "8F.HORN",
        "challenge",
        "move challenge.2 by 2 player 1 play 8F.HORN ruling stands penalty game words HORN",
        "… over forfeit overseat 2 …",
    );
    check(
        "Rules=school",
        "8F.HORN 9G.OX",
        "challenge RX OX by 1",
        "move challenge.1.RX.OX by 1 player 2 play 9G.OX ruling off penalty none words OX,OO,RX phony RX",
        "tomove 1 … lastmove phony.9G.OX …",
    );
    // Nobody learns about a word that was not named: OX is valid, RX is not.
    check(
        "Rules=school",
        "8F.HORN 9G.OX",
        "challenge OX",
        "move challenge.1.OX by 1 player 2 play 9G.OX ruling stands penalty turn words OX,OO,RX",
        "tomove 2 … lastmove 9G.OX …",
    );
    // What cannot be challenged leaves the position as it is.
    let known = "position startpos moves 8F.HORN\nchallenge by 1\nchallenge CORN\nstate";
    let own = "info string error bad-move players cannot challenge their own play";
    let other = "info string error bad-move the play does not form all of the named words";
    super::check(
        known,
        &[own, other, "info state tomove 2 … lastmove 8F.HORN …"],
    );
}

/// Once it was that of the seat after the play, which could have lost its turn already.
#[test]
fn a_challenge_by_nobody_in_particular_is_that_of_the_player_to_move() {
    let four = "Rules=deluxe Players=4";
    let skipped = "8F.HORN challenge.3 H6.FARM";
    check_state(four, skipped, &["tomove 4 "]);
    for again in ["challenge", "challenge.4"] {
        check_state(four, &format!("{skipped} {again}"), &["tomove 1 "]);
    }
    check_state(four, &format!("{skipped}..0.1"), &["tomove 1 "]);
    let options = "setoption name Rules value deluxe\nsetoption name Players value 4\n";
    let position = format!("{options}position startpos moves {skipped} rack.AEINRST");
    let ruling = "info challenge move challenge.4 by 4 player 2 play H6.FARM ruling stands \
                  penalty turn words FARM";
    check(&format!("{position}\nchallenge"), &[ruling]);
    let said = Client::start().ask(&format!("{position}\nchallenge by 3\nstate"));
    assert!(said[1].contains(" tomove 4 "), "{said:?}");
    // All others miss a turn, so that the player of the play moves again.
    let board = "15/15/15/15/15/15/15/5HORN6/15/15/15/15/15/15/15";
    let owed = format!("position cgp {board} / 0/14 0 owed 0/1; moves H6.FARM");
    let next = "info challenge move challenge.2 by 2 player 1 play H6.FARM …";
    check(&format!("{owed}\nchallenge"), &[next]);
}

/// Once a play whose failed challenge was stated with it could be challenged again.
#[test]
fn a_play_is_challenged_once_however_that_is_said() {
    let none = "there is no play to challenge";
    for (rules, moves) in [
        ("deluxe", "8F.HORN..0.1 challenge.3"),
        ("deluxe", "8F.HORN..0.1 challenge.2"),
        ("deluxe", "8F.HORN challenge.2 challenge.3"),
        ("tournament", "8F.HORN..0.1 challenge"),
    ] {
        let lines = format!(
            "setoption name Rules value {rules}\nsetoption name Players value {}\n\
             position startpos moves {moves}",
            if rules == "deluxe" { 3 } else { 2 },
        );
        check(&lines, &[&format!("info string error bad-move …{none}…")]);
    }
    let known = "position startpos moves 8F.HORN..0.1 rack.AEINRST";
    let error = format!("info string error bad-move {none}");
    check(&format!("{known}\nchallenge"), &[&error]);
    check(&format!("{known}\ngo challenge"), &[&error]);
}

#[test]
fn a_play_without_words_cannot_be_challenged() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "base = deluxe\nrecycle_blanks = on\n";
    std::fs::write(folder.path().join("blanks.txt"), rules).unwrap();
    let lines = format!(
        "setoption name DataPath value {}\nsetoption name Rules value blanks\n\
         position startpos moves 8F.HoRN 8G=O+pass\nchallenge",
        folder.path().display()
    );
    let error = "info string error bad-move the last play forms no word that could be challenged";
    check(&lines, &[error]);
}

#[test]
fn a_challenge_by_nobody_is_refused() {
    let known = "position startpos moves 8F.HORN";
    let error = "info string error bad-move … 'challenge [WORD…] [by SEAT]'";
    for command in ["challenge by", "challenge HORN by"] {
        let state = "info state tomove 2 … lastmove 8F.HORN …";
        check(&format!("{known}\n{command}\nstate"), &[error, state]);
    }
}

#[test]
fn a_challenge_is_not_a_move_to_check_or_search() {
    let known = "position startpos moves 8F.HORN rack.AEINRST";
    let error = "info string error bad-move …a challenge is not a move; …";
    check(&format!("{known}\ncheck challenge.1"), &[error]);
    check(
        &format!("{known}\ngo gen searchmoves challenge.1"),
        &[error],
    );
}
