//! Records with everything that a review can stumble over.

use super::laws::check;
use super::*;
use crate::gcg::{DIGRAPHS_CSV, digraphs};
use crate::support::rules;
use cazique::notation::gcg::SettingPart;
use cazique::notation::moves::MoveText;
use cazique::review::ReviewedTurn;
use cazique::rules::{Game, RearrangeRule, RuleSet};
use std::sync::Arc;

/// The reviews of records of the golden files keep the laws.
#[test]
fn records_with_traps_are_reviewed() {
    for (name, result) in [
        ("gcg/open", "unfinished: Ann Lee leads by 23"),
        ("gcg/traps", "unfinished: John Doe leads by 26"),
        ("gcg/four_players", "unfinished: N leads by 4"),
        ("gcg/old", "unfinished: bo leads by 30"),
        ("gcg/six_zeros", "Ann Lee wins by 16"),
        ("gcg/time_only", "unfinished: B leads by 10"),
        ("review/challenges", "unfinished: Ann <b>Lee</b> leads by 6"),
        ("review/unknown", "unfinished: Ann Lee leads by 63"),
        ("review/super21", "unfinished: Cazique leads by 139"),
        ("review/three", "unfinished: Cazique leads by 7"),
        ("review/wordsmog", "unfinished: Cazique leads by 25"),
    ] {
        let record = golden(name);
        let document = reviewed(&record);
        assert_eq!(document.result, result, "{name}");
        check(name, &record, &document);
    }
}

/// Whole games with their settlement, time penalty, and endgames of two and three players.
#[test]
fn finished_games_are_reviewed_to_their_end() {
    for (name, result) in [
        ("gcg/finished", "Ann Lee wins by 12"),
        ("gcg/out_sum", "player1 wins by 158"),
    ] {
        let record = golden(name);
        // The last turns are those that differ.
        let game = prepared(&record);
        let request = request(1);
        let first = game.turns() - 4;
        let findings = (0..game.turns()).map(|turn| match turn < first {
            true => cazique::review::TurnFindings::default(),
            false => game.review_turn(turn, &request, None),
        });
        let document = game.assemble(findings.collect(), &request);
        assert_eq!(document.result, result, "{name}");
        assert!(!document.unfinished);
        let last = document.turns.last().unwrap();
        let scores: Vec<i32> = document.players.iter().map(|player| player.score).collect();
        assert_eq!(last.scores, scores);
        let winners = document
            .players
            .iter()
            .filter(|player| player.won == Some(true));
        assert_eq!(winners.count(), 1);
    }
}

#[test]
fn a_solved_endgame_shows_its_line_and_its_loss_in_points() {
    let game = prepared(&golden("gcg/finished"));
    let request = request(60);
    let found = game.review_turn(18, &request, None);
    let best = &found.candidates[0];
    assert!(
        best.exact && best.line.len() > 1 && best.line[0] == best.text,
        "{best:?}"
    );
    let lost = found.points_lost.unwrap();
    assert_eq!((lost.value, lost.error), (7.0, Some(0.0)));
    assert!(found.exact && found.loss.unwrap().value == 0.0);
}

#[test]
fn every_draw_of_a_pre_endgame_is_listed() {
    let game = prepared(&golden("gcg/finished"));
    // Four tiles are in the bag.
    let found = game.review_turn(17, &request(20), None);
    let played = found.candidates.iter().find(|found| found.played).unwrap();
    let draws = played.draws.as_ref().unwrap();
    let listed = [&draws.won, &draws.drawn, &draws.lost, &draws.mixed];
    let listed: usize = listed.iter().map(|list| list.len()).sum();
    assert!(listed + draws.open > 10, "{draws:?}");
}

fn turn<'a>(document: &'a ReviewDocument, played: &str) -> &'a ReviewedTurn {
    let mut turns = document.turns.iter();
    turns.find(|turn| turn.played.contains(played)).unwrap()
}

#[test]
fn phonies_and_challenges_are_named() {
    let document = reviewed(&golden("review/challenges"));
    let stayed = turn(&document, "TOE");
    assert_eq!(
        (&stayed.phonies[..], stayed.came_off),
        (&["VIEWSE".to_string()][..], false)
    );
    let off = turn(&document, "FEXIOsS");
    assert!(off.came_off && !off.bonus && off.not_graded.is_none());
    assert_eq!(off.missed_challenge, ["VIEWSE"]);
    assert_eq!(off.scores, [109, 20]);
    // A play that came off is worth as much as a pass.
    let pass = off
        .candidates
        .iter()
        .find(|found| found.text == "pass")
        .unwrap();
    assert_eq!(pass.win, off.win);
    let after = turn(&document, "exchange AD");
    assert!(after.missed_challenge.is_empty());
    // The lost turn is no turn, and the time penalty counts with the turn before it.
    assert_eq!(document.turns.len(), 7);
    assert_eq!(document.turns[6].scores, [99, 93]);
    assert_eq!(turn(&document, "QUIMS").drawn.concat(), "ENORT");
    assert!(off.drawn.is_empty());
}

/// Where plays cannot be challenged, none was missed.
#[test]
fn no_challenge_is_missed_where_there_are_none() {
    let mut record = golden("review/challenges");
    record.events.truncate(6);
    let mut engine = Engine::new().unwrap();
    engine.set_option("ChallengeRule", "void").unwrap();
    let few = request(1);
    let document = review_record(&mut engine, &record, "", &few, 2).unwrap();
    assert!(
        document
            .turns
            .iter()
            .all(|turn| turn.missed_challenge.is_empty())
    );
    assert!(!turn(&document, "TOE").phonies.is_empty());
}

#[test]
fn racks_that_are_not_known_are_not_graded() {
    let document = reviewed(&golden("review/unknown"));
    let reasons: Vec<Option<NotGraded>> =
        document.turns.iter().map(|turn| turn.not_graded).collect();
    let (sampled, unknown) = (Some(NotGraded::SampledRack), Some(NotGraded::UnknownRack));
    assert_eq!(reasons, [sampled, sampled, unknown, unknown, None]);
    // Nothing can be recommended without a known tile, but the mean of all racks can be told.
    assert_eq!(document.turns[3].best, None);
    assert!(document.turns[3].win_best.is_some());
    assert_eq!(document.players[1].graded, 0);
}

/// A tile with several characters is one tile, and people read it without brackets.
#[test]
fn tiles_with_several_letters_are_single_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    fs::write(folder.path().join("digraphs.csv"), DIGRAPHS_CSV).unwrap();
    fs::write(
        folder.path().join("few.txt"),
        "ALA\nAL\nLA\nHALAL\nCHAL·LA\n",
    )
    .unwrap();
    let mut values = (*rules("tournament")).clone().into_values();
    values.tiles = digraphs();
    let rules = Arc::new(RuleSet::new(values).unwrap());
    let record = played(&rules, &["8G.[CH]A[L·L]a", "J8.AL"], Some("few"));
    let mut engine = Engine::new().unwrap();
    engine.set_option("DataPath", data).unwrap();
    let document = review_record(&mut engine, &record, "", &request(1), 1).unwrap();
    let first = &document.turns[0];
    assert_eq!(first.played, "8G CHAL·La");
    let faces = first
        .changes
        .iter()
        .map(|change| change.face.as_deref().unwrap_or("-"));
    assert_eq!(faces.collect::<Vec<_>>(), ["CH", "A", "L·L", "A"]);
    assert!(first.rack.contains(&"CH".to_string()));
    assert!(first.phonies.is_empty(), "{:?}", first.phonies);
    assert!(
        document
            .board
            .letters
            .iter()
            .any(|kind| kind.letter == "[CH]" && kind.face == "CH")
    );
    assert!(document.findings.is_empty(), "{:?}", document.findings);
    assert!(
        first
            .command
            .starts_with("printf '%s\\n' '{\"action\":\"setoption\"")
    );
}

/// The record of some moves from the start.
fn played(rules: &Arc<RuleSet>, moves: &[&str], lexicon: Option<&str>) -> GameRecord {
    let mut game = Game::new(rules.clone(), 2).unwrap();
    for text in moves {
        let turn = MoveText::parse(text)
            .unwrap()
            .turn(game.position())
            .unwrap();
        game.play(&turn).unwrap();
    }
    let mut record = GameRecord::of(&game, &[]).unwrap();
    if let Some(lexicon) = lexicon {
        record.pragmas.push(SettingPart::Lexicon.pragma(lexicon));
    }
    // Lines have numbers only in a record that was read.
    read(&record.to_text())
}

/// Where tiles on the board are replaced or rearranged, the changes of the board are told square by
/// square.
#[test]
fn replaced_and_rearranged_tiles_are_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut values = (*rules("tournament")).clone().into_values();
    values.name = "loose".to_string();
    values.recycles_letters = true;
    values.rearrange = RearrangeRule::Free;
    let rules = Arc::new(RuleSet::new(values).unwrap());
    fs::write(folder.path().join("loose.txt"), rules.to_text()).unwrap();
    let moves = ["8G.FAR", "8G=T+H7.TAG", "re.8F.ARTS"];
    let record = played(&rules, &moves, None);
    let mut engine = Engine::new().unwrap();
    engine
        .set_option("DataPath", folder.path().to_str().unwrap())
        .unwrap();
    let game = PreparedGame::new(&mut engine, &record, "").unwrap();
    let findings = (0..3).map(|_| cazique::review::TurnFindings::default());
    let document = game.assemble(findings.collect(), &request(1));
    let changes = |turn: usize| -> Vec<(usize, String)> {
        let changes = document.turns[turn].changes.iter();
        changes
            .map(|change| (change.square, change.face.clone().unwrap_or_default()))
            .collect()
    };
    let square = |row: usize, column: usize| row * 15 + column;
    let of = |list: &[(usize, &str)]| -> Vec<(usize, String)> {
        list.iter()
            .map(|(at, face)| (*at, face.to_string()))
            .collect()
    };
    let edited = [
        (square(6, 7), "T"),
        (square(7, 6), "T"),
        (square(8, 7), "G"),
    ];
    assert_eq!(changes(1), of(&edited));
    assert_eq!(document.turns[1].played, "8G=T + H7 TAG");
    let rearranged = [
        (square(7, 5), "A"),
        (square(7, 6), "R"),
        (square(7, 7), "T"),
        (square(7, 8), "S"),
    ];
    assert_eq!(changes(2), of(&rearranged));
    assert_eq!(document.turns[2].played, "rearrange 8F ARTS");
}

/// The commands can be pasted into a shell; shorter limits make them fast here.
#[test]
fn the_command_of_a_turn_runs_in_a_shell() {
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_cazique"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let run = |command: &str| {
        let mut shell = std::process::Command::new("sh");
        let output = shell
            .args(["-c", command])
            .env("PATH", &path)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let document = reviewed(&golden("review/three"));
    let command = document.turns[1]
        .command
        .replace("'go ", "'go iterations 1 ");
    let output = run(&command);
    assert!(
        output.contains("bestmove ") && !output.contains("error"),
        "{command}: {output}"
    );
    assert!(
        output.contains("I4.PORKY"),
        "the move that was played: {output}"
    );
    let document = reviewed(&golden("review/unknown"));
    let sampled = document.turns[1]
        .command
        .replace("\"id\":", "\"iterations\":1,\"id\":");
    let output = run(&sampled);
    assert!(
        output.contains("\"best\":\"") && output.contains("E8.VIEW"),
        "{sampled}: {output}"
    );
    let output = run(&document.turns[3].command);
    assert!(
        output.contains("VIVO") || output.contains("V I V O"),
        "{output}"
    );
}
