//! Edges of the line protocol: nothing that a client gets wrong stays silent or gets an answer to
//! something else.

use crate::sessions::matches;
use crate::support::Client;

mod challenges;
mod decisions;
mod files;
mod racks;
mod state;

/// Sends lines to a new engine and compares all that it answers, to the end of a search that the
/// last line may start; `…` stands for any text.
pub fn check(lines: &str, expected: &[&str]) {
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
    let error = "info string error bad-position too many tiles 'Q', the tile set has 1…";
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
fn clocks_of_seats_without_a_player_are_no_limit() {
    let rules = "setoption name Rules value deluxe\nsetoption name Players value 3";
    let known = format!("{rules}\n{KNOWN}");
    let refused = "info string error bad-number the only clocks are of players who do not exist; the game has 3 players";
    for go in [
        "go 4time 500",
        "go sim 4inc 20",
        "go 4time 9 4inc 9 depth 2",
    ] {
        check(&format!("{known}\n{go}"), &[refused]);
    }
    let mut client = Client::start();
    client.say(&format!("{known}\ngo 4time 500 iterations 2"));
    let said = client.until("bestmove");
    assert!(
        said.contains(&"info string ignored 4time".to_string()),
        "{said:#?}"
    );
}

#[test]
fn rules_that_the_option_variant_overrides_get_a_warning() {
    let known = "setoption name Variant value wordsmog";
    let warning = "info string warning Variant is 'wordsmog' and comes before Rules; set Variant to classic to use 'super'";
    let players = "info string error bad-option Players is 3, the rule set 'wordsmog' is for 2 players; set Variant first, to classic or to one that allows it: deluxe, …";
    check(
        &format!("{known}\nsetoption name Rules value super\nsetoption name Players value 3"),
        &[warning, players],
    );
    check(
        &format!("{known}\nsetoption name Rules value WordSmog"),
        &[],
    );
    // Rules that are not used now are checked all the same.
    let missing = format!("{known}\nsetoption name Rules value nosuch");
    check(&missing, &["info string error data …"]);
}

#[test]
fn a_coordinate_without_a_word_is_neither_a_word_nor_a_move() {
    for text in ["8D", "D8"] {
        let error = format!(
            "info string error bad-move '{text}' is neither a word nor a move; a move is like 8D.WORD"
        );
        check(&format!("{KNOWN}\ncheck {text}"), &[&error]);
    }
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
    client.say("go 2time 900 3time 800 4inc 7");
    let lines = client.until("bestmove");
    let warning = "info string warning player 1 is to move and has no clock; the smallest clock given, 900 ms, counts";
    // Clocks of seats without a player do not count.
    let ignored = ["3time", "4inc"].map(|word| format!("info string ignored {word}"));
    assert_eq!(lines[..3], [&ignored[0], &ignored[1], warning]);
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
        &["info string error bad-move 'Q1' is neither a word nor a move…"],
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
