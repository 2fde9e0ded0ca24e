//! Contradictions in game records, and how a lenient replay resolves them.

use super::{changed, check_law, digraphs, golden, read_and_replay};
use crate::support::{cases, rules};
use cazique::notation::gcg::{GameRecord, ReadMode, RecordProblem, Replay};
use cazique::rules::{ChallengeRule, End, EventKind, RuleSet};
use cazique::units::Points;
use std::sync::Arc;

/// Checks the first problem of a record under these rules, which is the same in both modes.
fn check_by(rules: &Arc<RuleSet>, lines: &str, expected: &str) {
    let text = format!("#player1 a A\n#player2 b B\n{lines}");
    let strict = match read_and_replay(text.as_bytes(), rules, ReadMode::Strict) {
        Ok(_) => "fine".to_string(),
        Err(problem) => problem.to_string(),
    };
    assert_eq!(strict, expected, "{lines}");
    let (_, replay) = read_and_replay(text.as_bytes(), rules, ReadMode::Lenient).unwrap();
    let first = replay
        .problems
        .first()
        .map_or("fine".into(), RecordProblem::to_string);
    assert_eq!(first, expected, "{lines}");
}

/// Checks records by the tournament rules that go on from `start` as the cases of a table say.
fn check_after(start: &str, table: &str) {
    for (lines, expected) in cases(table) {
        check_by(&rules("tournament"), &format!("{start}{lines}"), expected);
    }
}

const FLYING: &str = ">a: FGILNOY 8D FLYING +34 34\n";

#[test]
fn scores_and_totals_are_compared() {
    check_after(
        "",
        r"
        >a: FGILNOY 8D FLYING +34 34 => fine
        >a: UNKNOWN 8D FLYING +34 34 => fine
        >a: FGILNOY 8D FLYING +36 36 => line 3: FLYING scores 34, the record says 36
        >a: FGILNOY 8D FLYING +34 35 => line 3: a had 0 and has 34 with 34 more, the record says 35",
    );
    check_after(
        FLYING,
        r"
        >b: AT - +5 5 => line 4: this scores 0, the record says 5
        >a: FGILNOY -- -34 0 => fine
        >a: FLYING -- -34 0 => fine
        >a: FLYING -- -30 4 => line 4: taking the play off scores -34, the record says -30
        >a:  (challenge) +5 40 => line 4: a had 34 and has 39 with 5 more, the record says 40
        >a:  (time) +10 44 => line 4: a time penalty takes points, this one gives 10",
    );
}

/// Six turns in a row without points.
const PASSES: &str = ">b: ABCDEFG - +0 0\n>a: MNOPQRS - +0 34\n\
    >b: ABCDEFG - +0 0\n>a: MNOPQRS - +0 34\n>b: ABCDEFG - +0 0\n>a: MNOPQRS - +0 34\n";

#[test]
fn turns_are_taken_in_order() {
    check_after(
        FLYING,
        r"
        >a: O - +0 34 => line 4: a moves, but it is b's turn
        >b: -- -34 -34 => line 4: -- does not follow a play of b
        >b:  - +0 0|>a: FLYING -- -34 0 => line 5: -- does not follow a play of a
        >b:  (challenge) +5 5 => line 4: (challenge) does not follow a play of b
        >a:  (challenge) +10 44 => fine
        >b:  - +0 0|>a:  - +0 34|>b:  - +0 0|>a:  - +0 34|>b:  - +0 0|>a:  - +0 34 => fine",
    );
    let over = "=> line 10: the game is over: 6 turns in a row had no points";
    check_after(
        &format!("{FLYING}{PASSES}"),
        &format!(">b: AT H8 .AT +3 3 {over}"),
    );
}

#[test]
fn plays_must_fit_the_board() {
    let over_the_edge = "line 4: the word runs over the edge of the board";
    let long = format!(">b: AT H8 {} +0 0 => {over_the_edge}", ".".repeat(250));
    check_after(FLYING, &long);
    check_after(
        FLYING,
        r"
        >b: AT H8 .AT +3 3 => fine
        >b: AT H8 (N)AT +3 3 => fine
        >b: AT H8 (n)AT +3 3 => fine
        >b: AT H8 NAT +3 3 => fine
        >b: AT H8 (O)AT +3 3 => line 4: N lies on 8H, the record plays O there
        >b: AT H8 OAT +3 3 => line 4: N lies on 8H, the record plays O there
        >b: AT H12 .AT +3 3 => line 4: no tile lies on 12H to play through; name the tile that is placed there
        >b: AT H12 (A)AT +3 3 => line 4: no tile lies on 12H to play through; name the tile that is placed there
        >b: AT H8 (NAT +3 3 => line 4: '(NAT' has a '(' without a ')'
        >b: AT H9 AT +3 3 => line 4: the word runs on over the tile on 8H; name the whole word
        >b: AT 1A AT +3 3 => line 4: the play touches no tile on the board
        >b: AT 16A AT +3 3 => line 4: 16A is not on the board, which has 15 rows
        >b: AT 9N ATE +3 3 => line 4: the word runs over the edge of the board
        >b: AT H8 .A5 +3 3 => line 4: '5' in 'A5' is not a tile of english
        >b: AT H8 . +0 0 => line 4: the play places no tile",
    );
}

#[test]
fn racks_must_be_possible() {
    check_after(
        FLYING,
        r"
        >b: ABCDEFGH - +0 0 => line 4: the rack ABCDEFGH has 8 tiles, b holds 7
        >b: AtE - +0 0 => line 4: 't' is a blank on the board; tiles on a rack are capitals, and ? for a blank; the rack AtE is ignored
        >b: QQ - +0 0 => line 4: the rack QQ: too many tiles 'Q', the tile set has 1; the tiles of the board and of all racks count together
        >b: QQZ?? - +0 0|>a: Z - +0 34 => line 4: the rack QQZ??: too many tiles 'Q', the tile set has 1; the tiles of the board and of all racks count together
        >b: QQZZJ - +0 0 => line 4: the rack QQZZJ: too many tiles 'Q', the tile set has 1, and 'Z', the tile set has 1; the tiles of the board and of all racks count together
        >b: AEIRST? H8 .AD +4 4 => line 4: the rack AEIRST? lacks D, which is played
        >b:  - +0 0|>a: ABCDEFH - +0 34 => line 5: a kept O, which is not all in the rack ABCDEFH
        >b: AT -4 +0 0 => fine
        >b: AT -ATE +0 0 => line 4: the rack AT lacks E, which is exchanged
        >b: AAEINST -ATX +0 0 => line 4: the rack AAEINST lacks X, which is exchanged
        >b: AT -8 +0 0 => line 4: 8 tiles to exchange, the limit is 7, as many as the player holds; exchange fewer
        #rack2 ABCDEFGH => line 4: the rack ABCDEFGH has 8 tiles, b holds 7
        #rack3 A => line 4: #rack3 belongs to no player
        >b: ZZ 7H ZZ +0 0 => line 4: the rack ZZ: too many tiles 'Z', the tile set has 1; the tiles of the board and of all racks count together",
    );
}

#[test]
fn the_end_is_compared() {
    check_after(
        &format!("{FLYING}{PASSES}"),
        r"
        >a: MNOPQRS (MNOPQRS) -20 14|>b: ABCDEFG (ABCDEFG) -16 -16 => fine
        >a: MNOPQRS (MNOPQRS) -20 14|>b: ABCDEFG (ABCDEFG) -15 -15 => line 11: tiles left over change b's score by -16, the record says -15
        >a: MNOPQRS (MNOPQRS) -20 14 => line 10: tiles left over change b's score by -16, the record says 0
        >a: MNOPQRS (MNOPQRS) -20 14|>b: ABCDEF (ABCDEF) -14 -14 => line 11: b has ABCDEFG left over, the record says ABCDEF
        >a:  (MNOPQRS) -20 14 => line 10: tiles left over: points lost have the tiles as rack too, points gained an empty rack field",
    );
    check_after(
        FLYING,
        ">a: MNOPQRS (MNOPQRS) -20 14 => line 4: tiles left over are counted, but the game is not over: nobody is out, and 0 turns of 6 had no points",
    );
}

#[test]
fn five_scoreless_turns_do_not_end_a_game() {
    let five = PASSES.trim_end().rsplit_once('\n').unwrap().0;
    let end = ">b: ABCDEFG (ABCDEFG) -16 -16|>a: MNOPQRS (MNOPQRS) -20 14";
    let problem = "line 9: tiles left over are counted, but the game is not over: nobody is out, and 5 turns of 6 had no points";
    check_after(&format!("{FLYING}{five}\n"), &format!("{end} => {problem}"));
    let lines = format!("{FLYING}{five}\n{}", end.replace('|', "\n"));
    let replay = lenient(&format!("#player1 a\n#player2 b\n{lines}"));
    assert_eq!((replay.game.end(), replay.problems.len()), (None, 1));
    assert_eq!(replay.scores, [Points(14), Points(-16)]);
}

#[test]
fn the_form_of_the_end_follows_the_rules() {
    // A record by the tournament rules, replayed by rules that count the tiles left over once.
    let (record, _) = GameRecord::parse(&golden("out_twice"), ReadMode::Strict).unwrap();
    let family = changed("deluxe", |values| {
        values.exchange = rules("tournament").exchange
    });
    let error = record.replay(&family, ReadMode::Strict).unwrap_err();
    let once = "tiles left over change pam's score by 8, the record says 16";
    assert_eq!(error.what, once);
    let error = record.replay(&rules("super"), ReadMode::Strict);
    let error = error.unwrap_err();
    assert!(error.to_string().starts_with("line "), "{error}");
    let (many, _) = GameRecord::parse(&golden("out_sum"), ReadMode::Strict).unwrap();
    let error = many.replay(&rules("tournament"), ReadMode::Lenient);
    let players = "the record has 3 players, the rule set tournament is for 2; #game-type or the \
                   option Rules can name another";
    assert_eq!(error.unwrap_err().what, players);
}

#[test]
fn a_note_without_effect_is_a_finding_that_says_why() {
    let lost = "a turn lost before the end of the record is a pass with the note '#unsuccessful-challenge'";
    let notes = r"
        #note #unsuccessful-challenge b => fine
        #note #Unsuccessful-Challenge b => fine
        #note #unsuccesful-challenge b => line 4: '#unsuccesful-challenge' in a note has no effect; the marks of challenges are #unsuccessful-challenge and #forfeit
        #note #unsuccessful-challenge a => line 4: '#unsuccessful-challenge a' has no effect: a made the play and cannot have challenged it
        #note #unsuccessful-challenge zed => line 4: '#unsuccessful-challenge zed' has no effect: 'zed' is none of the players: a, b
        #note #unsuccessful-challenge => line 4: '#unsuccessful-challenge' has no effect: it is for a pass; LOST
        #note #unsuccessful-challenge b|#note #unsuccessful-challenge b => line 5: '#unsuccessful-challenge b' has no effect: PAID
        #note Hm.|#- #unsuccessful-challenge b|>b: - +0 0 => line 4: '#unsuccessful-challenge b' has no effect: it is not after the last event; LOST
        #note a challenge|>b: - +0 0|#note #unsuccessful-challenge => fine
        #note #forfeit b => line 4: '#forfeit b' has no effect: only the challenge rule triple lets a challenge lose the game, and the rule is double
        #note #forfeit zed => line 4: '#forfeit zed' has no effect: 'zed' is none of the players: a, b
        #note #forfeit => line 4: '#forfeit' has no effect: it names no player";
    let paid = nothing_to_lose("b");
    let notes = notes.replace("LOST", lost).replace("PAID", &paid);
    check_after(FLYING, &notes);
    let triple = changed("tournament", |values| {
        values.challenge = ChallengeRule::Triple
    });
    let place = "it must follow the play that was challenged, or its line (challenge) or --";
    for (lines, expected) in cases(
        &r"
        #note #forfeit b => fine
        #note #forfeit a => line 4: '#forfeit a' has no effect: a made the play; if it lost a the game, the next line takes it off with --
        >a: FGILNOY -- -34 0|#note #forfeit a => fine
        >a: FGILNOY -- -34 0|#note #forfeit b => line 5: '#forfeit b' has no effect: the play came off, so that its player lost the game and not b
        >b: - +0 0|#note #forfeit b => line 5: '#forfeit b' has no effect: PLACE"
            .replace("PLACE", place),
    ) {
        check_by(&triple, &format!("{FLYING}{lines}"), expected);
    }
    let first = "#note #forfeit b\n";
    let expected = format!("line 3: '#forfeit b' has no effect: {place}");
    check_by(&triple, &format!("{first}{FLYING}"), &expected);
}

/// Why a player has lost no turn.
fn nothing_to_lose(nick: &str) -> String {
    format!(
        "{nick} cannot have lost this turn by a challenge: of the plays since {nick}'s last turn, none \
         stands without a penalty already"
    )
}

/// The tournament rules with another challenge rule, and the record after FLYING, which names it.
fn check_under(rule: ChallengeRule, lines: &str, expected: &str) {
    let rules = changed("tournament", |values| values.challenge = rule);
    let text = format!("#player1 a A\n#player2 b B\n{FLYING}{lines}");
    let (mut record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    record.challenge_rule = Some(rule);
    let replay = record.replay(&rules, ReadMode::Lenient).unwrap();
    let found: Vec<String> = replay.problems.iter().map(|it| it.to_string()).collect();
    assert_eq!(found.join("; "), expected, "{rule:?}\n{lines}");
}

#[test]
fn the_penalty_of_a_failed_challenge_is_that_of_the_known_rule() {
    use ChallengeRule::*;
    let no_turn = "line 4: the challenge rule double takes a turn for a failed challenge, and none is \
                   lost after it: a lost turn is a pass with the note '#unsuccessful-challenge', \
                   after the last event of the record the note '#unsuccessful-challenge NICK'";
    let no_forfeit = "line 4: the challenge rule triple ends the game with a failed challenge: the \
                      note '#forfeit NICK' after the play names the challenger";
    let no_loser = "line 4: the challenge rule triple ends the game when a play comes off: the note \
                    '#forfeit a' says so";
    let zero = ">a:  (challenge) +0 34\n";
    let lost = ">b:  - +0 0\n#note #unsuccessful-challenge\n";
    let at = ">b: AT H8 .AT +3 3\n";
    let off = ">a: FGILNOY -- -34 0\n";
    for (rule, lines, expected) in [
        (Double, format!("{zero}{lost}"), ""),
        (
            Double,
            format!("{zero}#note #unsuccessful-challenge b\n"),
            "",
        ),
        (Double, zero.to_string(), no_turn),
        (Double, format!("{zero}{at}"), no_turn),
        (Single, format!("{zero}{at}"), ""),
        (
            Single,
            format!("{zero}{lost}"),
            "line 5: a turn lost by a challenge, the challenge rule single takes none",
        ),
        (
            FivePoint,
            format!("{zero}{at}"),
            "line 4: 0 points for a failed challenge, the challenge rule five_point gives 5",
        ),
        (Triple, format!("{zero}{at}"), no_forfeit),
        (Triple, format!("{off}>b: AT - +0 0\n"), no_loser),
        (Triple, format!("{off}#note #forfeit a\n"), ""),
    ] {
        check_under(rule, &lines, expected);
    }
}

/// Once a lost turn was none.
#[test]
fn under_void_every_challenge_is_a_finding() {
    let none = "the challenge rule void has no challenges, the record has one here";
    for (line, lines) in [
        (4, ">b:  - +0 0\n#note #unsuccessful-challenge\n"),
        (4, "#note #unsuccessful-challenge b\n"),
        (4, ">a:  (challenge) +0 34\n"),
        (4, ">a:  (challenge) +5 39\n"),
        (4, ">a: FGILNOY -- -34 0\n"),
        (5, ">b: AT H8 .AT +3 3\n#note #unsuccessful-challenge a\n"),
    ] {
        check_under(ChallengeRule::Void, lines, &format!("line {line}: {none}"));
    }
}

/// Once the note had no effect on the line about the challenge, and that line none after the note.
#[test]
fn a_game_lost_by_a_challenge_is_over_on_whichever_line_the_note_stands() {
    let rules = changed("deluxe", |values| values.challenge = ChallengeRule::Triple);
    let (note, again) = ("#note #forfeit b\n", "#note #forfeit a\n");
    let zero = ">a:  (challenge) +0 34\n";
    let stands = "'#forfeit a' has no effect: the play stands, so that the challenger lost the game \
                  and not a";
    for (lines, score, expected) in [
        (format!("{zero}{note}"), 34, String::new()),
        (format!("{note}{zero}"), 34, String::new()),
        (format!("{note}{zero}{note}"), 34, String::new()),
        (
            format!("{zero}{note}{again}"),
            34,
            format!("line 7: {stands}"),
        ),
        (
            format!("{note}>a:  (challenge) +5 39\n"),
            39,
            "line 6: 5 points for a failed challenge, the challenge rule triple gives 0"
                .to_string(),
        ),
        (
            format!("{note}{zero}{zero}"),
            34,
            "line 7: (challenge) does not follow a play of a".to_string(),
        ),
    ] {
        let text = format!("#player1 a\n#player2 b\n#player3 c\n{FLYING}{lines}");
        let (mut record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        record.challenge_rule = Some(ChallengeRule::Triple);
        let replay = record.replay(&rules, ReadMode::Lenient).unwrap();
        let found: Vec<String> = replay.problems.iter().map(|it| it.to_string()).collect();
        assert_eq!(found.join("; "), expected, "{lines}");
        assert_eq!(replay.game.end(), Some(End::Forfeit(1)), "{lines}");
        assert_eq!(replay.game.position().score(0), Points(score), "{lines}");
        if expected.is_empty() {
            check_law(&replay.game, &lines);
        }
    }
}

/// Once a play with tiles that nobody can hold was the same finding twice.
#[test]
fn a_play_that_cannot_be_made_is_told_once() {
    let text = "#player1 a\n#player2 b\n>a: AEHNORT 8f horn +0 0\n>b: AT - +0 0\n";
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    let error = record.before(1, &rules("tournament")).unwrap_err();
    let expected = "line 3: the rack AEHNORT lacks ????, which is played; line 3: the player cannot \
                    hold ?? (? is a blank, in a play a lower-case letter): too few are left";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_turn_is_lost_for_a_play_that_stands() {
    let paid = nothing_to_lose("b");
    let lost = |line: usize| format!("line {line}: {paid}");
    let pass = ">b:  - +0 0\n#note #unsuccessful-challenge\n";
    let double = ">a: FGILNOY -- -34 0\n";
    let five = ">a:  (challenge) +5 39\n";
    for (lines, expected) in [
        (pass.to_string(), "fine".to_string()),
        // The challenge of b succeeded.
        (format!("{double}{pass}"), lost(5)),
        (
            format!("{five}{pass}"),
            "line 5: a turn lost by a challenge and 5 points for a failed challenge on line 4: no \
             challenge rule has both"
                .to_string(),
        ),
        (format!("{pass}>a: O - +0 34\n{pass}"), lost(7)),
        (
            format!("{pass}>a: S 8J S +0 34\n"),
            "line 6: the word runs on over the tile on 8I; name the whole word".to_string(),
        ),
    ] {
        check_by(&rules("tournament"), &format!("{FLYING}{lines}"), &expected);
    }
    let first = ">a:  - +0 0\n#note #unsuccessful-challenge\n";
    let exchange = ">a:  -2 +0 0\n";
    // Before the first turn, it is owed from the start of the game.
    check_by(&rules("tournament"), first, "fine");
    check_by(&rules("tournament"), &format!("{exchange}{pass}"), &lost(4));
}

/// Once two players could lose a turn for the same play.
#[test]
fn each_play_costs_one_turn() {
    let lost = |line: usize, nick: &str| format!("line {line}: {}", nothing_to_lose(nick));
    let note = |line: usize, nick: &str| {
        let paid = nothing_to_lose(nick);
        format!("line {line}: '#unsuccessful-challenge {nick}' has no effect: {paid}")
    };
    let pass = |nick: &str| format!(">{nick}:  - +0 0\n#note #unsuccessful-challenge\n");
    let mark = |nick: &str| format!("#note #unsuccessful-challenge {nick}\n");
    let at = ">b: AT H8 .AT +3 3\n";
    for (lines, expected) in [
        (format!("{}{}", mark("b"), mark("c")), note(6, "c")),
        (format!("{}{}", pass("b"), pass("c")), lost(7, "c")),
        (format!("{}{}", pass("b"), mark("c")), note(7, "c")),
        // The second play costs another turn: of the oldest that it can be.
        (
            format!("{at}{}{}", pass("c"), mark("a")),
            "fine".to_string(),
        ),
        (
            format!("{at}{}{}", mark("c"), mark("a")),
            "fine".to_string(),
        ),
    ] {
        let text = format!("#player1 a\n#player2 b\n#player3 c\n{FLYING}{lines}");
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        let replay = record.replay(&rules("deluxe"), ReadMode::Lenient).unwrap();
        let found: Vec<String> = replay.problems.iter().map(|it| it.to_string()).collect();
        let expected = expected.replace("fine", "");
        assert_eq!(found.join("; "), expected, "{lines}");
    }
}

#[test]
fn a_player_to_move_who_lost_a_challenge_loses_the_turn_at_once() {
    let text = "#player1 a\n#player2 b\n>a: FGILNOY 8D FLYING +34 34\n\
                #note #unsuccessful-challenge b\n#incomplete AEO\n";
    let replay = lenient(text);
    let position = replay.game.position();
    assert_eq!(replay.problems, []);
    assert_eq!((position.to_move(), position.lost_turns(1)), (0, 0));
    assert_eq!(position.mover_rack().known.len(), 3);
    assert_eq!(replay.game.events()[1].kind, EventKind::LostTurn);
    // The game is written with the pass of the lost turn.
    let written = GameRecord::of(&replay.game, &[]).unwrap().to_text();
    assert!(written.contains(">player2:  - +0 0\n#note #unsuccessful-challenge\n"));
    assert_eq!(lenient(&written).game.events(), replay.game.events());
}

#[test]
fn points_of_failed_challenges_are_those_of_one_rule() {
    let challenges = |first: i32, second: i32| {
        let (a, b) = (34 + first, 3 + second);
        format!(
            "{FLYING}>a: (challenge) +{first} {a}\n>b: AT H8 .AT +3 3\n>b: (challenge) +{second} {b}\n"
        )
    };
    let both = |first: i32, second: i32| {
        format!(
            "line 6: {second} points for a failed challenge and {first} points for a failed \
             challenge on line 4: no challenge rule has both"
        )
    };
    for (first, second, expected) in [
        (5, 5, "fine".to_string()),
        (10, 10, "fine".to_string()),
        (0, 0, "fine".to_string()),
        (5, 10, both(5, 10)),
        (10, 0, both(10, 0)),
        (
            7,
            5,
            "line 4: no challenge rule has 7 points for a failed challenge".to_string(),
        ),
    ] {
        let lines = challenges(first, second);
        check_by(&rules("tournament"), &lines, &expected);
    }
}

#[test]
fn a_player_without_tiles_left_over_has_no_tiles() {
    let record = String::from_utf8(golden("finished")).unwrap();
    let more = record.replace(">bob:  (RUUU) +8 409", ">bob: Q (Q) -10 391");
    assert_ne!(record, more);
    let problems = lenient(&more).problems;
    let what = "bob has no tiles left over, the record says Q";
    assert!(problems.iter().any(|it| it.what == what), "{problems:?}");
}

#[test]
fn tiles_of_several_characters_stand_in_brackets() {
    let rules = changed("tournament", |values| values.tiles = digraphs());
    check_by(&rules, ">a: CHA[CH]? 8G [CH]Al·l +12 12", "fine");
    let played = ">a: A[CH]? 8G [CH]A[l·l] +12 12\n";
    check_by(&rules, &format!("{played}>b: ÉL H8 (A)ÉL +3 3"), "fine");
    check_by(
        &rules,
        &format!("{played}>b: É G8 (CH)É +6 6"),
        "line 4: [CH] lies on 8G, the record plays C there",
    );
    check_by(&rules, &format!("{played}>b: É G8 ([CH])É +7 7"), "fine");
}

/// Replays a record by the tournament rules in lenient mode.
fn lenient(text: &str) -> Replay {
    let rules = rules("tournament");
    let read = read_and_replay(text.as_bytes(), &rules, ReadMode::Lenient);
    read.unwrap().1
}

#[test]
fn in_lenient_mode_the_scores_of_the_record_hold() {
    let text = "#player1 a\n#player2 b\n>a: FGILNOY 8D FLYING +36 36\n>b: AT H8 .AT +3 5\n\
                >a: OS -O +0 36\n>a: XX 1A XX +50 86\n>b: E - +1 6\n";
    let replay = lenient(text);
    let expected = [
        "line 3: FLYING scores 34, the record says 36",
        "line 4: b had 0 and has 3 with 3 more, the record says 5",
        "line 6: a moves, but it is b's turn",
        "line 6: the rack XX: too many tiles 'X', the tile set has 1; the tiles of the board and of all racks count together",
        "line 6: the play touches no tile on the board",
    ];
    let problems = replay.problems.iter().map(RecordProblem::to_string);
    assert_eq!(problems.collect::<Vec<_>>(), expected);
    assert_eq!(replay.scores, [Points(86), Points(6)]);
    assert_eq!(replay.stopped, Some(6));
    let scores = [0, 1].map(|seat| replay.game.position().score(seat).0);
    assert_eq!(scores, [36, 5]);
    let lines: Vec<usize> = replay.steps.iter().map(|step| step.line).collect();
    assert_eq!(lines, [3, 4, 5, 6]);
    assert_eq!(replay.game.events()[3].kind, EventKind::LostTurn);
    // The corrected game reads back as itself.
    let again = lenient(&GameRecord::of(&replay.game, &[]).unwrap().to_text());
    assert_eq!(again.game.events(), replay.game.events());
    assert_eq!(again.scores, [Points(36), Points(5)]);
}

#[test]
fn a_doubtful_rack_does_not_stop_a_lenient_reader() {
    // Player b plays the Q that a kept according to the record.
    let text = "#player1 a\n#player2 b\n>a: FLYINGQ 8D FLYING +34 34\n>b: Q H8 .Q +11 11\n";
    let replay = lenient(text);
    assert_eq!(replay.problems.len(), 1);
    assert_eq!((replay.stopped, replay.game.events().len()), (None, 2));
}
