//! `go challenge`: should the player to move challenge the last play?

use crate::sessions::matches;
use crate::support::{self, Client};
use serde_json::json;
use tempfile::TempDir;

/// Sends lines that end with a `go challenge`, and compares the lines from `info challenge` to the
/// decision, without the one about time; `…` stands for any text.
fn check(lines: &str, expected: &[&str]) {
    let mut client = Client::start();
    client.say(lines);
    let said = client.until("bestmove");
    let is_before = |line: &String| line.starts_with("info string");
    let said: Vec<&String> = said.iter().skip_while(|line| is_before(line)).collect();
    let said: Vec<&String> = said
        .into_iter()
        .filter(|line| !line.starts_with("info time"))
        .collect();
    let agree = said.len() == expected.len()
        && said
            .iter()
            .zip(expected)
            .all(|(line, pattern)| matches(pattern, line));
    assert!(agree, "{lines}\nsays {said:#?}\ninstead of {expected:#?}");
}

/// The number after a key of a line that begins with `start`.
fn number(lines: &[String], start: &str, key: &str) -> f64 {
    let line = lines.iter().find(|line| line.starts_with(start)).unwrap();
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap().parse().unwrap()
}

/// A rule file in a folder of its own, and its path.
fn rule_file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    std::fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    (folder, path)
}

/// Each rule by a name that options take, and what a wrong and a right challenge cost.
const RULES: [(&str, &str, &str); 6] = [
    ("single", "none", "none"),
    ("double", "turn", "none"),
    ("triple", "game", "game"),
    ("5pt", "5", "none"),
    ("five_point", "5", "none"),
    ("10PT", "10", "none"),
];

#[test]
fn a_phony_is_challenged_and_a_valid_play_accepted_under_every_rule() {
    let (_folder, word) = rule_file("base = deluxe\nscope = word\n");
    let mut client = Client::start();
    let cases = RULES
        .iter()
        .flat_map(|rule| ["deluxe", word.as_str()].map(|scope| (rule, scope)));
    for ((rule, lost, won), scope) in cases {
        for players in 2..=4 {
            client.ask(&format!(
                "setoption name Rules value {scope}\nsetoption name Players value {players}\n\
                 setoption name ChallengeRule value {rule}"
            ));
            // The play, what the challenge names under the scope `word`, ruling and penalty, the
            // words, and the decision.
            for (play, named, ruled, words, decision) in [
                (
                    "9G.OX",
                    ".RX",
                    format!("off penalty {won}"),
                    "OX,OO,RX phony RX",
                    "challenge",
                ),
                (
                    "9G.OE",
                    ".OE",
                    format!("stands penalty {lost}"),
                    "OE,OO,RE",
                    "accept",
                ),
            ] {
                let named = if scope == "deluxe" { "" } else { named };
                let position = format!("position startpos moves 8F.HORN {play} rack.AEINRST");
                let challenger = if players == 2 { 1 } else { 3 };
                let info = format!(
                    "challenge move challenge.{challenger}{named} by {challenger} player 2 \
                     play {play} ruling {ruled} words {words}"
                );
                client.say(&format!(
                    "{position}\ngo challenge iterations 2 candidates 1"
                ));
                let said = client.until("bestmove");
                assert!(said.contains(&format!("info {info}")), "{info}\n{said:#?}");
                // With three players, a right challenge would end the game in favour of player 1.
                let decision = match (*rule, players) {
                    ("triple", 3..) => "accept",
                    _ => decision,
                };
                let decided = format!("bestmove {decision}");
                assert_eq!(said.last(), Some(&decided), "{rule} {scope} {players}");
                // The command rules alike, and its token belongs into the list of moves.
                let words = named.replace('.', " ");
                let command = format!("{position}\nchallenge{words} by {challenger}\nstate");
                let ruled = client.ask(&command);
                assert_eq!(ruled[0], format!("info {info}"));
                let moves = format!("8F.HORN {play} challenge.{challenger}{named}");
                let again = client.ask(&format!("position startpos moves {moves}\nstate"));
                assert_eq!(again, ruled[1..], "{moves}");
            }
        }
    }
}

#[test]
fn both_choices_are_valued_by_what_follows_from_them() {
    let check = |rule: &str, moves: &str, expected: &[&str]| {
        let rule = format!("setoption name ChallengeRule value {rule}");
        let go = "go challenge iterations 40 candidates 3";
        check(
            &format!("{rule}\nposition startpos moves {moves}\n{go}"),
            expected,
        );
    };
    let estimate = "wp … wpse … eq … eqse … kind estimate next …";
    let (challenge, accept) = (
        &format!("info choice challenge {estimate}")[..],
        &format!("info choice accept {estimate}")[..],
    );
    let phony = "8F.HORX.HORXABC rack.AEINRST";
    check(
        "double",
        phony,
        &["…", challenge, accept, "bestmove challenge"],
    );
    // The 28 points of the phony come off, and its player has lost.
    let won = "info choice challenge wp 100.00 wpse 0.00 eq 28.00 eqse 0.00 kind exact";
    check("triple", phony, &["…", won, accept, "bestmove challenge"]);
    let valid = "8F.HORN rack.AEINRST";
    let lost = "info choice challenge wp 0.00 wpse 0.00 eq 0.00 eqse 0.00 kind exact";
    check("triple", valid, &["…", accept, lost, "bestmove accept"]);
    // A lost turn has no next move.
    let turn = "info choice challenge wp … wpse … eq … eqse … kind estimate";
    check("double", valid, &["…", accept, turn, "bestmove accept"]);
    check("10pt", valid, &["…", accept, challenge, "bestmove accept"]);
    check("void", valid, &[accept, "bestmove accept"]);
}

/// Once the turn that a challenge costs was searched as a pass, which ended the game after the pass
/// of the opponent.
#[test]
fn a_lost_turn_after_a_pass_does_not_end_the_game() {
    let (_folder, rules) = rule_file("base = deluxe\nrecycle_letters = on\n");
    let position = "position startpos moves 8F.HORN 8F=T+pass rack.AEINRST";
    let mut client = Client::start();
    client.say(&format!(
        "setoption name Rules value {rules}\n{position}\n\
         go challenge iterations 8 candidates 2 depth 2"
    ));
    let said = client.until("bestmove accept");
    let figure = |choice, key| number(&said, &format!("info choice {choice} "), key);
    assert!(figure("challenge", "eqse") > 0.0, "{said:#?}");
    assert!(figure("challenge", "eq") < figure("accept", "eq"));
    // The edits of the play form a phony.
    let phony = "position startpos moves 8F.HORN 8F=X+pass rack.AEINRST";
    check(
        &format!("setoption name Rules value {rules}\n{phony}\ngo challenge gen"),
        &[
            "info challenge move challenge.1 by 1 player 2 play 8F=X+pass ruling off … phony XORN",
            "info choice challenge …",
            "info choice accept …",
            "bestmove challenge",
        ],
    );
}

/// Once `go challenge` accepted it, and the command `challenge` refused it.
#[test]
fn a_turn_without_words_is_refused_by_both_commands_with_one_text() {
    let moves = "8F.hORN 8F=H+pass rack.AEINRST";
    let rule_file =
        |lines: &str| rule_file(&format!("base = deluxe\nrecycle_blanks = on\n{lines}\n"));
    let text = "the last play forms no word that could be challenged";
    for scope in ["play", "word"] {
        let (_folder, rules) = rule_file(&format!("scope = {scope}"));
        let start = format!("setoption name Rules value {rules}\nposition startpos moves {moves}");
        for command in ["challenge", "go challenge gen"] {
            let said = Client::start().ask(&format!("{start}\n{command}"));
            let error = format!("info string error bad-move {text}");
            assert_eq!(said.last(), Some(&error), "{scope} {command}");
        }
        let moves: Vec<&str> = moves.split(' ').collect();
        let option = json!({"action": "setoption", "name": "Rules", "value": rules});
        let action = json!({"action": "challenge", "moves": moves});
        let query = json!({"id": "q", "challenge": true, "mode": "gen", "moves": moves});
        let said = support::run(&["--json"], &format!("{option}\n{action}\n{query}\n")).stdout;
        let refused = |line: &&str| line.contains(text) && line.contains("\"bad-move\"");
        assert_eq!(said.lines().filter(refused).count(), 2, "{said}");
    }
    // Under `void` every play is accepted.
    let (_folder, rules) = rule_file("challenge = void");
    check(
        &format!(
            "setoption name Rules value {rules}\nposition startpos moves {moves}\n\
             go challenge gen"
        ),
        &["info choice accept …", "bestmove accept"],
    );
}

#[test]
fn points_and_lost_turns_are_part_of_the_value_of_a_challenge() {
    let value = |rule: &str, key: &str| {
        let mut client = Client::start();
        client.say(&format!(
            "setoption name ChallengeRule value {rule}\n\
             position startpos moves 8F.HORN rack.AEINRST\n\
             go challenge iterations 100 candidates 2"
        ));
        let said = client.until("bestmove accept");
        let value = |choice| number(&said, &format!("info choice {choice} "), key);
        value("challenge") - value("accept")
    };
    // The same worlds on both sides.
    assert_eq!(value("single", "eq"), 0.0);
    assert!((value("five_point", "eq") + 5.0).abs() < 0.02);
    assert!((value("ten_point", "eq") + 10.0).abs() < 0.02);
    assert!(value("ten_point", "wp") < value("five_point", "wp"));
    assert!(value("double", "eq") < -20.0);
}

#[test]
fn a_phony_that_opens_a_better_play_is_accepted() {
    // IV scores 10 and lets the player of CIOQTUX play QUIXOTIC.
    let position = "position startpos moves 8G.IV rack.CIOQTUX";
    let mut client = Client::start();
    client.say(&format!(
        "{position}\ngo challenge iterations 200 candidates 10"
    ));
    let said = client.until("bestmove");
    assert_eq!(said.last().unwrap(), "bestmove accept");
    assert!(said.iter().any(|line| line.ends_with("next G6.QUIXOTIC")));
    let figure = |choice, key| number(&said, &format!("info choice {choice} "), key);
    let lead = figure("accept", "wp") - figure("challenge", "wp");
    let error = figure("accept", "wpse").hypot(figure("challenge", "wpse"));
    assert!(lead > 2.0 * error, "{said:#?}");
    // Without figures that have an error, a phony is challenged.
    let static_only = "go challenge gen";
    check(
        &format!("{position}\n{static_only}"),
        &[
            "…",
            "info choice challenge eq … kind estimate next …",
            "info choice accept eq … kind estimate next G6.QUIXOTIC",
            "bestmove challenge",
        ],
    );
}

/// An endgame in which the player with AEMOO can go out by a phony; the racks and scores follow.
const ENDGAME: &str = "position cgp 15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO";

#[test]
fn a_phony_that_went_out_can_be_challenged_before_the_settlement() {
    let check = |racks: &str, play: &str, expected: &[&str]| {
        let position = format!("{ENDGAME} {racks}; moves {play}");
        check(&format!("{position}\ngo challenge iterations 40"), expected);
    };
    let outcome = "info challenge move challenge.2 by 2 player 1 play 1K.MOEAO ruling off …";
    let two = "AEMOO/CEIMNRT 420/419 0 var tournament";
    let (reopened, settled) = (
        "info choice challenge wp 100.00 wpse 0.00 eq 50.00 eqse 0.00 kind exact next 1K.METIC",
        "info choice accept wp 0.00 wpse 0.00 eq -22.00 eqse 0.00 kind exact",
    );
    let expected = [outcome, reopened, settled, "bestmove challenge"];
    check(two, "1K.MOEAO", &expected);
    // Triple: both choices end the game.
    let triple = format!("{two}; cr triple");
    let won = "info choice challenge wp 100.00 wpse 0.00 eq … eqse 0.00 kind exact";
    let off = "info challenge move challenge.2 … ruling off penalty game …";
    check(
        &triple,
        "1K.MOEAO",
        &[off, won, settled, "bestmove challenge"],
    );
    // With two unknown racks the settlement is an estimate.
    let four = "AEMOO/CEI// 420/400/400/400 0 var deluxe";
    // All deals agree, which is no proof.
    let estimate = "info choice accept wp 0.00 wpse 0.10 eq -16.00 eqse 0.00 kind estimate";
    check(
        four,
        "1K.MOEAO",
        &[outcome, "…", estimate, "bestmove challenge"],
    );
    // A valid play is accepted although it costs the game.
    let lost_turn = "info choice challenge wp 0.00 wpse 0.00 eq … eqse 0.00 kind exact";
    let valid = "info challenge move challenge.2 … ruling stands penalty turn words MOE,ME";
    let accept = "info choice accept wp … kind exact next …";
    check(
        two,
        "1K.MOE",
        &[valid, accept, lost_turn, "bestmove accept"],
    );
}

#[test]
fn what_cannot_be_challenged_is_an_error() {
    let check = |lines: &str, error: &str| {
        let said = Client::start().ask(&format!("{lines}\ngo challenge"));
        let said = said.last().unwrap();
        assert!(
            matches(&format!("info string error {error}"), said),
            "{lines}\n{said}"
        );
    };
    let known = "position startpos moves";
    let nothing = "bad-move there is no play to challenge";
    check("siunewgame", "no-position …");
    check("position startpos moves rack.AEINRST", nothing);
    check(&format!("{known} 8F.HORN pass rack.AEINRST"), nothing);
    check(&format!("{known} phony.8F.HORX rack.AEINRST"), nothing);
    check(&format!("{known} 8F.HORX challenge rack.AEINRST"), nothing);
    let unknown =
        "bad-position 7 of the 7 tiles of the player to move are unknown; say 'rack TILES'";
    check(&format!("{known} 8F.HORX"), unknown);
    let own = "bad-move players cannot challenge their own play";
    // The opponent misses a turn, so that the player of the last play moves again.
    let board = "15/15/15/15/15/15/15/5HORN6/15/15/15/15/15/15/15";
    let cgp = format!("position cgp {board} / 0/14 0 owed 0/1; moves 9G.OE rack.AEINRST");
    check(&cgp, own);
    let mode = "unsupported-mode endgame cannot solve this: …";
    let said = Client::start().ask(&format!(
        "{known} 8F.HORX rack.AEINRST\ngo challenge endgame"
    ));
    assert!(
        matches(&format!("info string error {mode}"), said.last().unwrap()),
        "{said:?}"
    );
}

#[test]
fn a_decision_has_one_answer_and_the_same_for_any_number_of_threads() {
    let position = "position startpos moves 8F.HORX rack.AEINRST";
    let answers = ["1", "2", "5"].map(|threads| {
        let mut client = Client::start();
        client.say(&format!(
            "{position}\ngo challenge iterations 60 candidates 4 threads {threads}"
        ));
        let said = client.until("bestmove");
        let is_timeless = |line: &String| !line.starts_with("info time");
        said.into_iter().filter(is_timeless).collect::<Vec<_>>()
    });
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:#?}"
    );
    // `stop` ends it, commands that change the game are refused meanwhile, and there is one
    // decision.
    let mut client = Client::start();
    client.say(&format!(
        "{position}\ngo challenge infinite\nchallenge\nstop"
    ));
    let mut said = client.until("bestmove");
    said.extend(client.ask("stop"));
    let count = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("bestmove challenge"), 1, "{said:#?}");
    assert_eq!(count("info string error busy"), 1, "{said:#?}");
}

#[test]
fn parameters_without_effect_on_a_decision_are_ignored() {
    let mut client = Client::start();
    client.say(
        "position startpos moves 8F.HORX rack.AEINRST\ngo challenge iterations 2 candidates 1 \
         firstwin stopcondition 90 3time 5 useinference searchmoves 8G.NO",
    );
    let said = client.until("bestmove");
    let ignored = said
        .iter()
        .filter_map(|line| line.strip_prefix("info string ignored "));
    let ignored: Vec<&str> = ignored.collect();
    let expected = [
        "useinference",
        "firstwin",
        "stopcondition",
        "3time",
        "searchmoves",
    ];
    assert_eq!(ignored, expected);
}

#[test]
fn the_rule_of_a_position_stays_when_an_option_changes() {
    let said = Client::start().ask(
        "setoption name ChallengeRule value double\nposition startpos moves 8F.HORN\n\
         setoption name ChallengeRule value triple\nchallenge\nstate",
    );
    assert!(said[0].contains(" penalty turn "), "{said:?}");
    assert!(said[1].contains(" over no "), "{said:?}");
}
