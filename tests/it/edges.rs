//! Edges of the line protocol: nothing that a client gets wrong stays silent or gets an answer to
//! something else.

use crate::sessions::matches;
use crate::support::Client;
use std::fs;

/// Sends lines to a new engine and compares all that it answers, to the end of a search that the
/// last line may start; `…` stands for any text.
fn check(lines: &str, expected: &[&str]) {
    let mut client = Client::start();
    let searches = expected
        .last()
        .is_some_and(|line| line.starts_with("bestmove"));
    let said = match searches {
        true => {
            client.say(lines);
            client.until("bestmove")
        }
        false => client.ask(lines),
    };
    let agree = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(line, said)| matches(said, line));
    assert!(agree, "{lines}\nsays {said:#?}\ninstead of {expected:#?}");
}

const NO_POSITION: &str = "info string error no-position …";
const UNKNOWN_RACK: &str =
    "info string error bad-position 7 of the 7 tiles of the player to move …";
const KNOWN: &str = "position startpos moves rack.AEINRST";

#[test]
fn after_a_refused_position_there_is_none() {
    let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    for (refused, error) in [
        ("position startpos moves 9A.FAR", "bad-move"),
        ("position startpos moves 8H.XQZ1", "bad-move"),
        (
            &format!("position cgp {empty} ZZZZZZZ/ 0/0 0"),
            "bad-position",
        ),
        (&format!("position cgp {empty} / 0/0 0 lex NONE;"), "data"),
        ("position startpos now", "bad-position"),
        ("position", "bad-position"),
        ("position \0", "unknown-command"),
        (
            &format!("position {}", "x".repeat(2 << 20)),
            "unknown-command",
        ),
    ] {
        let error = format!("info string error {error} …");
        check(
            &format!("{KNOWN}\n{refused}\ngo gen"),
            &[&error, NO_POSITION],
        );
    }
}

#[test]
fn after_a_refused_rack_the_rack_is_unknown() {
    for (refused, error) in [
        ("rack QQ", "bad-position"),
        ("rack AEINRSTU", "bad-position"),
        ("rack aeinrst", "bad-position"),
        ("rack", "bad-position"),
        ("rack \0", "unknown-command"),
    ] {
        let error = format!("info string error {error} …");
        check(
            &format!("{KNOWN}\n{refused}\ngo gen"),
            &[&error, UNKNOWN_RACK],
        );
    }
    // Another rack can take its place.
    let again = format!("{KNOWN}\nrack QQ\nrack AEKNRSV\ngo gen candidates 1");
    let error = "info string error bad-position too many tiles 'Q', the tile set has 1";
    let best = "bestmove 8D.KNAVE";
    check(
        &again,
        &[
            error,
            "info string provenance…",
            "info gen…",
            "info time…",
            best,
        ],
    );
}

#[test]
fn a_misspelt_position_or_rack_leaves_nothing_behind_either() {
    let unknown = "info string error unknown-command …";
    let position = format!("{KNOWN}\nPosition startpos moves rack.QUIETER\ngo gen");
    check(&position, &[unknown, NO_POSITION]);
    for rack in ["Rack QUIETER", "rack.QUIETER"] {
        let rack = format!("{KNOWN}\n{rack}\ngo gen");
        check(&rack, &[unknown, UNKNOWN_RACK]);
    }
}

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
fn what_a_busy_engine_refuses_is_not_answered_later() {
    let mut client = Client::start();
    client.say(&format!("{KNOWN}\ngo infinite\nposition startpos\nstop"));
    client.until("bestmove");
    assert!(matches(NO_POSITION, &client.ask("go gen").concat()));
}

#[test]
fn unknown_words_are_named() {
    for (lines, error) in [
        (
            "position startpos now",
            "bad-position 'now' is not part of the command…",
        ),
        (
            "position startpos rack.AE",
            "bad-position 'rack.AE' is not part…",
        ),
        (
            "position eyes mine startpos",
            "bad-position 'mine' is not part…",
        ),
        (
            "position startpos\ncheck 8G.AT now",
            "bad-move 'now' is not part…",
        ),
        (
            "position startpos\nrack AEI now",
            "bad-position rack 'now': 'n' is a blank on the board…",
        ),
        (
            "position startpos\nrack AEINRST\ngo movtime 500",
            "unknown-command there is no parameter 'movtime 500'…",
        ),
    ] {
        check(lines, &[&format!("info string error {error}")]);
    }
    let unknown = "position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0 foo 3;";
    check(
        unknown,
        &["info string warning there is no opcode 'foo 3'; it has no effect"],
    );
}

#[test]
fn an_unknown_parameter_and_its_number_are_reported_as_ignored() {
    let lines = format!("{KNOWN}\ngo gen candidates 1 wait 500 now");
    let ignored = ["info string ignored wait 500", "info string ignored now"];
    let rest = [
        "info string provenance…",
        "info gen…",
        "info time…",
        "bestmove…",
    ];
    check(&lines, &[&ignored[..], &rest[..]].concat());
}

#[test]
fn a_rack_may_have_spaces_and_a_line_a_byte_order_mark() {
    let lines = "\u{feff}position startpos\nrack A E K N R S V\ngo gen candidates 1";
    check(
        lines,
        &[
            "info string provenance…",
            "info gen…",
            "info time…",
            "bestmove 8D.KNAVE",
        ],
    );
}

#[test]
fn a_short_rack_with_tiles_in_the_bag_gets_a_warning() {
    let warning = "info string warning the rack of the player to move has 3 tiles although the bag holds 90; a full rack has 7";
    check("position startpos\nrack AET", &[warning]);
    check("position startpos moves rack.AET", &[warning]);
    let board = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    check(&format!("position cgp {board} AET/ 0/0 0"), &[warning]);
    check("position startpos\nrack AEINRST", &[]);
}

#[test]
fn auto_reports_the_parameters_that_the_phase_ignores() {
    // One tile is in the bag, then none.
    let preendgame = "position cgp 7BOINK3/7OOF1AIM1/10VIDE1/10AMEN1/4R5I1AT1/1QuEAN4L1TOW/4NOY5E1A/4U1OUTRIGS1X/4lA1HAED2OY/4AD2OWE2U1/3REZ4EN1T1/3E9L1/3L8JIG/3I9E1/BUCCAL4SHERD EINPPRS/ 382/386 0";
    let endgame = "position cgp 15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0";
    let all = "stopcondition 95 depth 2 firstwin iterations 2";
    let ignored = |position: &str| {
        let mut client = Client::start();
        client.say(&format!("{position}\ngo {all}"));
        let lines = client.until("bestmove");
        let ignored = lines
            .iter()
            .filter_map(|line| line.strip_prefix("info string ignored "));
        ignored.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ignored(KNOWN), "firstwin");
    assert_eq!(ignored(preendgame), "stopcondition depth");
    assert_eq!(ignored(endgame), "stopcondition");
    // With three players each plays for the best score, and nobody asks only who wins.
    let three = "position cgp 15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIM/AEM/NROOT 419/420/400 0 var deluxe;";
    assert_eq!(ignored(three), "stopcondition firstwin");
}

#[test]
fn without_a_clock_of_the_player_to_move_the_smallest_one_counts() {
    let mut client = Client::start();
    client.say("position startpos moves rack.AEKNRSV\nisready");
    client.until("readyok");
    client.say("go 2time 900 3time 800");
    let lines = client.until("bestmove");
    let warning = "info string warning player 1 is to move and has no clock; the smallest clock given, 800 ms, counts";
    assert_eq!(lines[0], warning);
}

#[test]
fn the_variant_is_an_option_and_an_opcode_in_any_case() {
    let names = "setoption name variant value DELUXE\nshow rules";
    let rules = Client::start().ask(names);
    assert!(rules.contains(&"players = 2-4".to_string()), "{rules:?}");
    let board = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    check(&format!("position cgp {board} / 0/0 0 var Classic;"), &[]);
    check(&format!("position cgp {board} // 0/0/0 0 var Deluxe;"), &[]);
}

#[test]
fn an_unknown_lexicon_of_a_position_is_one_error_with_the_ways_out() {
    let board = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    let position = format!("position cgp {board} AEKNRSV/ 0/0 0 lex NWL23;");
    let error = "info string error data there is no lexicon 'NWL23'; …DataPath; set the option Lexicon…leave 'lex' out…UnknownLexicon to replace, which uses OEL26 instead";
    check(&position, &[error]);
    let warning = "info string warning the position names the lexicon 'NWL23', which is not there; OEL26 is used instead";
    let replace = "setoption name UnknownLexicon value replace";
    let lines = format!("{replace}\n{position}\ngo gen candidates 1");
    let provenance = "info string provenance…lexicon=OEL26…";
    check(
        &lines,
        &[
            warning,
            provenance,
            "info gen…",
            "info time…",
            "bestmove 8D.KNAVE",
        ],
    );
}

#[test]
fn the_number_of_players_is_checked_against_the_rules_when_it_is_set() {
    let refused = "info string error bad-option Players is 3, the rule set 'tournament' is for 2 players; set Rules first, to one that allows it: deluxe, indigo, travel, super";
    check("setoption name Players value 3", &[refused]);
    let deluxe = "setoption name Rules value deluxe\nsetoption name Players value 3";
    check(deluxe, &[]);
    // Options can be set in the order of the list, whatever they were before.
    let warning =
        "info string warning Players is now 2: the rule set 'tournament' is for 2 players";
    check(
        &format!("{deluxe}\nsetoption name Rules value tournament\nposition startpos"),
        &[warning],
    );
}

#[test]
fn moves_from_outside_go_through_one_parser() {
    // F7 Y is followed by a tile on F8: the dot stands for it.
    let position = "position startpos moves 8D.ABOUT rack.BYNERST";
    let refused = |moves: &str, error: &str| {
        for lines in [
            format!("{position}\ncheck {moves}"),
            format!("{position}\ngo gen searchmoves {moves}"),
            format!("{position}\ngo gen alsosearchmoves {moves}"),
        ] {
            check(&lines, &[&format!("info string error bad-move …{error}")]);
        }
        let made = format!("position startpos moves 8D.ABOUT {moves}");
        check(&made, &[&format!("info string error bad-move …{error}")]);
    };
    refused(
        "F7.Y",
        "the word runs on over the tile on 8F; name the whole word",
    );
    refused("F7.XQ", "8F shows O, the move says Q");
    refused("Q99.AB", "Q99 is not on the board of 15 rows and columns");
    let found = "info gen move F7.YOB score 8 eq … leave ENRST rank … asked yes…";
    let lines = format!("{position}\ngo gen candidates 1 alsosearchmoves F7.Y.B");
    check(
        &lines,
        &[
            "info string provenance…",
            "info gen…",
            found,
            "info time…",
            "bestmove…",
        ],
    );
    check(
        &format!("{position}\ncheck F7.Y.B"),
        &["info check move F7.YOB score 8 valid yes…"],
    );
    check(
        "position startpos moves 8D.ABOUT F7.Y.B F7..\nstate",
        &["info string error bad-move move 3, F7..: …", NO_POSITION],
    );
    let too_many = "info string error bad-move F7.YOB.BYAAAAA: the move names the rack AAAAABY, the rack of the player to move is BENRSTY";
    check(
        &format!("{position}\ngo gen searchmoves F7.YOB.BYAAAAA"),
        &[too_many],
    );
}

#[test]
fn words_without_a_coordinate_are_judged() {
    let lines = [
        "info check word HELLO valid yes tier 10",
        "info check word QI valid yes tier 70",
        "info check word QZX valid no",
        "info check word PASS valid yes tier 10",
    ];
    check("check HELLO qi QZX PASS", &lines);
    check(
        "check HELLO Q1",
        &["info string error bad-move '1' in 'Q1' is not …"],
    );
    let with_dot = "info string error bad-move the command must have the form 'check 8D.WORD, …";
    check("check 8D RETINAS", &[with_dot]);
    let lacks = "info check move ex.QZ score 0 valid no missing QZ";
    check(&format!("{KNOWN}\ncheck ex.QZ"), &[lacks]);
    let over = "info string error bad-move the game is over";
    let passes = " pass".repeat(6);
    check(
        &format!("position startpos moves{passes}\ncheck 1A.HORN"),
        &[over],
    );
    check(
        "position startpos\ncheck pass",
        &["info check move pass score 0 valid yes"],
    );
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
fn state_says_who_moves_and_what_is_known() {
    let lines = "position startpos moves 8D.KNAVE.AEKNRSV ex.2\nstate";
    let said = Client::start().ask(lines).concat();
    for part in [
        "info state tomove 1 players 2 scores 34/0 racks RS/- unknown 5/7 bag 81 unseen AAAAAAAA",
        " exchange 7 scoreless 1 lastmove ex.2 lastseat 2 lastscore 0 over no rules tournament rack 7 ",
        " board standard15 layout =..'...=...'..=/",
        " tiles english letters A:9:1,B:2:3,",
        ",Z:1:10,?:2:0 lexicon OEL26 cgp 15/15/15/15/15/15/15/3KNAVE7/15/15/15/15/15/15/15 / 34/0 1",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn state_says_why_the_game_is_over_and_the_final_scores() {
    let check = |position: &str, parts: &[&str]| {
        let said = Client::start().ask(&format!("{position}\nstate")).concat();
        for part in parts {
            assert!(said.contains(part), "{part}\n{said}");
        }
    };
    let knave = "position startpos moves 8D.KNAVE.AEKNRSV";
    check(
        &format!("{knave}{}", " pass".repeat(6)),
        &[
            " exchange 0 scoreless 6 lastmove pass ",
            " over scoreless rules tournament ",
        ],
    );
    // All racks count once nobody moves any more.
    let racks = " pass.AEINQTZ pass.RSABCDE".repeat(3);
    check(
        &format!("{knave}{racks}"),
        &[" over scoreless adjustments -12/-25 final 22/-25 winner 1 rules "],
    );
    let endgame = "position cgp 15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0 moves 1K.METIC 1F.MOE E7.RIN";
    check(
        endgame,
        &[
            " over out overseat 1 adjustments 4/0 final ",
            " winner 1 rules ",
        ],
    );
}

#[test]
fn every_cgp_that_show_prints_is_accepted_in_a_fresh_session() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("own.txt", "CAT\nDOG\nCATS\nAT\nTA\n");
    write(
        "nine.txt",
        "board = standard15\ntiles = english\nplayers = 2-4\nrack = 9\nbonus = 7:50 8:60 9:100\nfirst_word = 3\nexchange = covered\nchallenge = ten_point\nscope = word\ntarget = 120\nzero_turns = round\nout = sum\n",
    );
    write(
        "little.csv",
        "?,?,2,0,0\nA,a,20,1,1\nC,c,9,3,0\nD,d,9,2,0\nG,g,9,2,0\nO,o,9,1,1\nS,s,9,1,0\nT,t,9,1,0\n",
    );
    let data_path = format!("setoption name DataPath value {}", folder.path().display());
    let mut count = 0;
    for options in [
        "",
        "Rules=deluxe Players=3",
        "Rules=indigo Players=4",
        "Rules=school",
        "Rules=travel ChallengeRule=void",
        "Rules=super Players=2",
        "Variant=super Players=4",
        "Board=standard21",
        "Board=standard21 LetterDistribution=english",
        "ChallengeRule=five_point",
        "Rules=nine Players=3",
        "Rules=nine ChallengeRule=double",
        "LetterDistribution=little Lexicon=own",
        "Lexicon=own",
    ] {
        for moves in [
            "",
            "moves pass",
            "moves ex.2 pass",
            "moves pass pass pass pass",
            "moves rack.CATDOGS",
            "moves 8H.CAT.CATDOGS rack.ACCDDGG",
            "moves 8H.CAT.CATDOGS 8H.CATS.ASSCCDD pass",
        ] {
            let mut lines = data_path.clone();
            for option in options.split_whitespace() {
                let (name, value) = option.split_once('=').unwrap();
                lines += &format!("\nsetoption name {name} value {value}");
            }
            lines += &format!("\nposition eyes all startpos {moves}\nshow");
            let shown = Client::start().ask(&lines);
            let cgp = shown.last().unwrap();
            if !cgp.starts_with("position cgp ") {
                continue;
            }
            count += 1;
            let again = Client::start().ask(&format!("{data_path}\n{cgp}\nshow"));
            let errors: Vec<&String> = again
                .iter()
                .filter(|line| line.starts_with("info string error"))
                .collect();
            assert!(errors.is_empty(), "{options} {moves}\n{cgp}\n{errors:?}");
            assert_eq!(again.last().unwrap(), cgp, "{options} {moves}");
        }
    }
    assert!(count > 60, "{count}");
}
