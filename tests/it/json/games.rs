//! Game records and lists of moves, searched at any of their turns.

use super::schema::check_answer;
use super::{RECORD, Session, assert_has, timeless};
use crate::support;
use serde_json::{Value, json};

#[test]
fn a_record_can_be_asked_at_any_of_its_turns() {
    let mut session = Session::start();
    session.say(
        &json!({"id": "r", "gcg": RECORD, "turns": [0, 1, 2, 3], "mode": "gen", "candidates": 1}),
    );
    session.say(&json!({"id": "e", "gcg": RECORD, "mode": "gen", "candidates": 1}));
    session.say(&json!({"id": "f", "gcg": RECORD, "rack": "QIZZEST", "mode": "gen"}));
    session
        .say(&json!({"id": "g", "gcg": RECORD, "rack": "AEINRSV", "mode": "gen", "candidates": 1}));
    let answers = session.close();
    for (turn, answer) in answers[..4].iter().enumerate() {
        check_answer(answer);
        assert_eq!(answer["turn"], turn);
    }
    assert_eq!(answers[0]["best"], "8H.ANOTHER");
    // After a play that came off the player still has the rack of that line.
    check_answer(&answers[4]);
    assert_has(&answers[4], &json!({"sampled": null, "best": "E4.EXPAT"}));
    assert_eq!(answers[5]["error"]["field"], "rack");
    let text = answers[6]["error"]["text"].as_str().unwrap();
    assert!(text.contains("which the player kept"), "{text}");
}

#[test]
fn what_a_record_contradicts_is_a_warning_until_it_cannot_be_followed() {
    let mut session = Session::start();
    let record = RECORD
        .replace("FA.M +9 9", "FA.M +10 10")
        .replace("-UU +0 9", "-UU +0 10");
    let answer = session.ask(&json!({"id": "r", "gcg": record, "turns": [2], "mode": "gen"}));
    check_answer(&answer);
    assert_eq!(
        answer["warnings"],
        json!(["gcg line 4: FA.M scores 9, the record says 10"])
    );
    // A rack that lacks what is played is the player's all the same.
    let record = RECORD.replace("AFMRTUW H6", "AFGRTUW H6");
    let answer = session.ask(&json!({"id": "t", "gcg": record, "turns": [1], "mode": "gen"}));
    let lacks = "gcg line 4: the rack AFGRTUW lacks M, which is played";
    assert_eq!(answer["warnings"][0], json!(lacks));
    let unsearched = answer["warnings"][1].as_str().unwrap();
    assert!(unsearched.starts_with("the move played, H6.FARM, cannot be searched: "));
    let record = RECORD.replace("H6 FA.M", "A1 FAXM");
    session.say(&json!({"id": "s", "gcg": record, "turns": [1, 2], "mode": "gen"}));
    check_answer(&session.next());
    let answer = session.next();
    assert_has(&answer, &json!({"turn": 2, "error": {"field": "gcg"}}));
    let text = answer["error"]["text"].as_str().unwrap();
    assert!(text.starts_with("line 4: "), "{answer}");
}

/// The player to move must not know the racks of the opponents, although the moves have them all.
#[test]
fn racks_of_others_are_not_used() {
    let mut session = Session::start();
    let hidden = ["8F.HORN", "H6.FARM.AFMRTUW", "pass"];
    let moves = json!(["8F.HORN.AEHNORT", "H6.FARM.AFMRTUW", "pass"]);
    let query = |moves: &Value| json!({"id": "q", "moves": moves, "turns": [1], "iterations": 20, "candidates": 5});
    let told = session.ask(&query(&moves));
    check_answer(&told);
    let told = timeless(told);
    assert_eq!(timeless(session.ask(&query(&json!(hidden)))), told);
    let record = json!({"id": "q", "gcg": RECORD, "turns": [1], "iterations": 20, "candidates": 5});
    let replayed = timeless(session.ask(&record));
    // The scores of the record may differ, but the racks are the same.
    assert_eq!(replayed["candidates"], told["candidates"]);
}

#[test]
fn fields_without_effect_in_the_search_that_a_position_gets_are_warnings() {
    let mut session = Session::start();
    let query = json!({"id": "q", "rack": "AEINRST", "firstwin": true, "iterations": 3});
    let answer = session.ask(&query);
    let warning = "firstwin has no effect in the mode sim";
    assert_eq!(answer["warnings"], json!([warning]));
}

#[test]
fn what_else_an_option_changes_is_a_warning() {
    let mut session = Session::start();
    let set =
        |name: &str, value: &str| json!({"action": "setoption", "name": name, "value": value});
    for (name, value) in [("Rules", "deluxe"), ("Players", "3")] {
        assert_eq!(session.ask(&set(name, value))["warnings"], json!([]));
    }
    let answer = session.ask(&set("Rules", "tournament"));
    let warning = "Players is now 2: the rule set 'tournament' is for 2 players";
    assert_eq!(answer["warnings"], json!([warning]));
}

#[test]
fn a_record_keeps_the_tiles_that_the_player_kept() {
    let mut session = Session::start();
    let start = "#player1 ann Ann\n#player2 bob Bob\n>ann: AEHNORT 8F HORN +14 14\n>bob: AFMRTUW H6 FA.M +9 9\n";
    let record = format!("{start}>ann: EH 10G HE +15 29\n");
    let query = json!({"id": "r", "gcg": record, "turns": [2], "mode": "gen", "racks": 2});
    let answer = session.ask(&query);
    assert_eq!(answer["sampled"]["known"], "AEHT", "{answer}");
    // The opponent's racks stay hidden, and the last move is known at every turn.
    let state = json!({"action": "state", "gcg": record, "turn": 2});
    let state = session.ask(&state);
    assert_eq!(state["state"]["lastMove"]["move"], "H6.FARM", "{state}");
}

#[test]
fn an_action_names_the_fields_that_it_does_not_have() {
    let mut session = Session::start();
    for action in ["state", "check"] {
        let query = json!({"action": action, "turns": [0], "words": ["HELLO"]});
        let answer = session.ask(&query);
        let warnings = answer["warnings"].as_array().unwrap();
        let named = json!("there is no field 'turns'");
        assert!(warnings.contains(&named), "{answer}");
    }
}

#[test]
fn an_error_has_the_reason_why_a_play_cannot_be_made() {
    let mut session = Session::start();
    let record = RECORD.replace(">ann: AFMRTUW H6 FA.M", ">bob: AFMRTUW H6 FAXM");
    let answer = session.ask(&json!({"id": "r", "gcg": record, "turns": [2], "mode": "gen"}));
    let text = answer["error"]["text"].as_str().unwrap();
    for part in ["it is ann's turn", "R lies on 8H, the record plays X there"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn an_answer_has_player_rack_and_score_before_the_turn() {
    let (mut session, mut states) = (Session::start(), Session::start());
    session.say(&json!({"id": "r", "gcg": RECORD, "turns": "all", "mode": "gen", "candidates": 1}));
    for turn in 0..4 {
        let answer = session.next();
        let state = json!({"action": "state", "gcg": RECORD, "turn": turn});
        let state = &states.ask(&state)["state"];
        let seat = state["toMove"].as_u64().unwrap() as usize - 1;
        let scores = [0, 1].map(|seat| state["scores"][seat].as_i64().unwrap());
        let spread = scores[seat] - scores[1 - seat];
        assert_eq!(answer["player"], state["toMove"], "{answer}");
        assert_eq!(answer["rack"], state["racks"][seat], "{answer}");
        assert_eq!(
            (&answer["score"], &answer["spread"]),
            (&json!(scores[seat]), &json!(spread))
        );
    }
    // The tiles of the move played were on the rack.
    let moves = ["8F.HORN", "H6.FARM"];
    let query = json!({"id": "q", "moves": moves, "turns": [1], "mode": "gen", "racks": 1});
    let answer = session.ask(&query);
    let expected =
        json!({"player": 2, "rack": {"known": "AFM", "unknown": 4}, "score": 0, "spread": -14});
    assert_has(&answer, &expected);
}

/// The line protocol and JSON answer in the same way.
#[test]
fn a_rack_that_does_not_fit_a_finished_game_is_a_warning() {
    let moves = ["pass.QUIETER", "pass", "pass", "pass", "pass", "pass"];
    let contradiction = "the rack AEINRST lacks EQU, which the player kept from earlier turns; it has no effect, because the game is over";
    let reason = "the game is over: too many turns in a row had no points";
    let mut session = Session::start();
    let query = json!({"id": "q", "moves": moves, "rack": "AEINRST"});
    let answer = session.ask(&query);
    assert_has(&answer, &json!({"best": "pass", "candidates": []}));
    assert_eq!(answer["warnings"], json!([contradiction, reason]));
    // The game stays as it was.
    let query = json!({"action": "state", "moves": moves, "rack": "AEINRST"});
    let known = &session.ask(&query)["state"]["racks"][0]["known"];
    assert_eq!(known, "EEIQRTU");
    let lines = format!(
        "position startpos moves {}\nrack AEINRST\ngo\n",
        moves.join(" ")
    );
    let said = support::run(&[], &lines).stdout;
    let warnings = said
        .lines()
        .filter_map(|line| line.strip_prefix("info string warning "));
    assert_eq!(warnings.collect::<Vec<_>>(), [contradiction, reason]);
    assert!(said.ends_with("bestmove pass\n"), "{said}");
}
