//! The rule set, board, tile set and lexicon that a record names are used, if they are built in or
//! on the DataPath.

use super::{DIGRAPHS_CSV, changed, digraphs};
use crate::support::{self, rules};
use cazique::engine::Engine;
use cazique::notation::gcg::{GameRecord, ReadMode, RecordProblem, SettingPart};
use cazique::notation::moves::MoveText;
use cazique::rules::{Game, RuleSet};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;

/// A folder `data` with a tile set and a word list, and the tile set outside of it under another
/// name.
fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("digraphs.csv"), DIGRAPHS_CSV).unwrap();
    fs::write(data.join("few.txt"), "ALA\nAL\nLA\nHALAL\nCHAL·LA\n").unwrap();
    fs::write(folder.path().join("outside.csv"), DIGRAPHS_CSV).unwrap();
    let data = data.to_str().unwrap().to_string();
    (folder, data)
}

/// An engine that finds the files of a folder.
fn engine(data: &str) -> Engine {
    let mut engine = Engine::new().unwrap();
    engine.set_option("DataPath", data).unwrap();
    engine
}

/// The findings about a record of two players that names something.
fn findings(engine: &mut Engine, pragmas: &str) -> Vec<String> {
    let text = format!("#player1 ann Ann\n#player2 bob Bob\n{pragmas}");
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    let findings = engine.set_record(&record, 0).unwrap();
    findings.iter().map(RecordProblem::to_string).collect()
}

/// The rule set, board, tile set and lexicon of the game on the table.
fn in_use(engine: &Engine) -> [String; 4] {
    let state = engine.state().unwrap();
    let rules = &state.rules;
    let (board, tiles) = (rules.board.name(), rules.tiles.name());
    [
        rules.name.clone(),
        board.into(),
        tiles.into(),
        state.lexicon,
    ]
}

/// The text of a record in which the first of some players moves.
fn record_of(rules: &Arc<RuleSet>, players: usize, first: &str, lexicon: &str) -> String {
    let mut game = Game::new(rules.clone(), players).unwrap();
    let turn = MoveText::parse(first)
        .unwrap()
        .turn(game.position())
        .unwrap();
    game.play(&turn).unwrap();
    let mut record = GameRecord::of(&game, &[]).unwrap();
    record.pragmas.push(SettingPart::Lexicon.pragma(lexicon));
    record.to_text()
}

#[test]
fn a_record_of_ours_is_read_back_without_options_but_the_data_path() {
    let (_folder, data) = folder();
    let own_tiles = changed("tournament", |values| values.tiles = digraphs());
    for (rules, players, first, lexicon, rack) in [
        (rules("super"), 2, "11J.FAR", "OEL26", "AEINRST"),
        (rules("deluxe"), 3, "8G.FAR", "OEL26", "AEINRST"),
        (own_tiles, 2, "8G.[CH]A[L·L]a", "FEW", "AAHLLC?"),
    ] {
        let text = record_of(&rules, players, first, lexicon);
        let mut engine = engine(&data);
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        assert_eq!(
            engine.set_record(&record, record.turns()).unwrap(),
            [],
            "{text}"
        );
        let state = engine.state().unwrap();
        assert_eq!((&state.rules, &*state.lexicon), (&rules, lexicon), "{text}");
        assert_eq!(state.scores.len(), players);
        let option = json!({"action": "setoption", "name": "DataPath", "value": data});
        let query = json!({"id": "r", "gcg": text, "rack": rack, "mode": "gen", "candidates": 1});
        let output = support::run(&["--json"], &format!("{option}\n{query}\n")).stdout;
        let answer: Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
        assert_eq!(answer["error"], Value::Null, "{answer}");
        let warnings = answer["warnings"].to_string();
        assert!(!warnings.contains("gcg"), "{answer}");
        let used = answer["provenance"]["lexicon"].as_str().unwrap();
        assert!(used.starts_with(lexicon), "{answer}");
        let path = format!("--data-path={data}");
        let rack = format!("--rack={rack}");
        let finished = support::run(&["--gcg=-", &path, &rack, "--iterations=5"], &text);
        assert!(!finished.stderr.contains("line "), "{}", finished.stderr);
        let answer: Value = serde_json::from_str(&finished.stdout).unwrap();
        assert_eq!(answer["action"], "place");
    }
}

#[test]
fn names_of_other_programs_are_understood() {
    let (_folder, data) = folder();
    let check = |pragmas: &str, expected: [&str; 4]| {
        let mut engine = engine(&data);
        assert_eq!(findings(&mut engine, pragmas), [""; 0], "{pragmas}");
        assert_eq!(in_use(&engine), expected, "{pragmas}");
    };
    let usual = ["tournament", "standard15", "english", "OEL26"];
    let [_, _, _, words] = usual;
    check("", usual);
    check("#lexicon\n#game-board\n#title x\n", usual);
    check(
        "#game-type classic\n#board-layout CrosswordGame\n#tile-set English\n#lexicon oel26\n",
        usual,
    );
    let large = ["tournament", "standard21", "english_super", words];
    check("#board-layout SuperCrosswordGame\n", large);
    check(
        "#game-board standard21\n#tile-distribution english\n",
        ["tournament", "standard21", "english", words],
    );
    let whole = ["super", "standard21", "english_super", words];
    check("#rules Super\n", whole);
    check("#Game-Type super\n#board-layout standard21\n", whole);
    let own = ["tournament", "standard15", "digraphs", "FEW"];
    check("#tile-set digraphs\n#lexicon few\n", own);
}

#[test]
fn a_name_that_is_a_path_is_never_opened() {
    let (folder, data) = folder();
    let outside = folder.path().join("outside.csv").display().to_string();
    let parts = [
        ("tile-set", "tile set", "english"),
        ("game-board", "board", "standard15"),
        ("rules", "rule set", "tournament"),
        ("lexicon", "lexicon", "OEL26"),
    ];
    let names = [
        "../outside",
        "../outside.csv",
        "./few",
        "x/../few",
        "C:few",
        r"..\outside",
    ];
    for (pragma, noun, used) in parts {
        // The last one exists where the tests run.
        for name in names
            .into_iter()
            .chain([outside.as_str(), "..", "Cargo.toml"])
        {
            let found = findings(&mut engine(&data), &format!("#{pragma} {name}\n"));
            let [finding] = found.as_slice() else {
                panic!("{pragma} {name}: {found:?}");
            };
            assert!(
                finding.starts_with(&format!("line 3: there is no {noun} '")),
                "{finding}"
            );
            assert!(
                finding.ends_with(&format!("; {used} is used instead")),
                "{finding}"
            );
        }
    }
}

#[test]
fn an_option_that_is_set_wins_over_the_record() {
    let (_folder, data) = folder();
    let mut engine = engine(&data);
    let named = "#rules deluxe\n#game-board standard21\n#tile-set digraphs\n#lexicon few\n";
    let options = [
        ("Rules", "school"),
        ("Board", "standard15"),
        ("LetterDistribution", "english"),
        ("Lexicon", "OEL26"),
    ];
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    let names = ["deluxe", "standard21", "digraphs", "few"];
    let expected: Vec<String> = (3..)
        .zip(names.into_iter().zip(options))
        .map(|(line, (named, (option, value)))| {
            format!(
                "line {line}: the record names {named}, but the option {option} is set: {value} is used"
            )
        })
        .collect();
    assert_eq!(findings(&mut engine, named), expected);
    // What the options name is no contradiction.
    let same = "#rules school\n#game-board CrosswordGame\n#tile-set english\n#lexicon OEL26\n";
    assert_eq!(findings(&mut engine, same), [""; 0]);
    // An empty value takes an option back, and the record counts again.
    for (name, _) in options {
        engine.set_option(name, "").unwrap();
    }
    assert_eq!(findings(&mut engine, named), [""; 0]);
    assert_eq!(in_use(&engine), ["deluxe", "standard21", "digraphs", "FEW"]);
}

#[test]
fn the_number_of_players_follows_from_the_record() {
    let check = |options: &[(&str, &str)], expected: &str| {
        let mut engine = Engine::new().unwrap();
        for (name, value) in options {
            engine.set_option(name, value).unwrap();
        }
        let text = "#player1 a\n#player2 b\n#player3 c\n>a: CAB 8H CAB +14 14\n";
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        let result = match engine.set_record(&record, 1) {
            Ok(findings) => findings
                .first()
                .map_or("fine".into(), RecordProblem::to_string),
            Err(error) => error.text,
        };
        assert_eq!(result, expected);
    };
    check(
        &[],
        "line 3: the record has 3 players, which the rule set tournament does not allow; deluxe is used instead",
    );
    check(&[("Rules", "indigo")], "fine");
    let refused = "line 3: the record has 3 players, the rule set tournament is for 2; #game-type \
                   or the option Rules can name another";
    check(&[("Rules", "tournament")], refused);
}

#[test]
fn challenge_points_are_those_of_the_challenge_rule_if_it_is_known() {
    let (_folder, data) = folder();
    let club = "base = tournament\nchallenge = ten_point\n";
    fs::write(std::path::Path::new(&data).join("club.txt"), club).unwrap();
    let play = ">ann: FGILNOY 8D FLYING +34 34\n";
    let found = |options: &[(&str, &str)], pragma: &str, points: i32| {
        let mut engine = engine(&data);
        for (name, value) in options {
            engine.set_option(name, value).unwrap();
        }
        let total = 34 + points;
        let challenge = format!(">ann:  (challenge) +{points} {total}\n>bob:  - +0 0\n");
        let text = format!("#player1 ann\n#player2 bob\n{pragma}\n{play}{challenge}");
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        let findings = engine.set_record(&record, 1).unwrap();
        let findings = findings.iter().map(RecordProblem::to_string);
        findings.collect::<Vec<_>>().join("; ")
    };
    // Nothing says which rule it was.
    for points in [5, 10] {
        assert_eq!(found(&[], "", points), "");
        assert_eq!(found(&[], "#rules classic", points), "");
    }
    assert_eq!(
        found(&[], "", 7),
        "line 5: no challenge rule has 7 points for a failed challenge"
    );
    let wrong = |points: i32, rule: &str, gives: i32| {
        format!(
            "line 5: {points} points for a failed challenge, the challenge rule {rule} gives {gives}"
        )
    };
    let cases = [
        ("single", 5, 0),
        ("double", 10, 0),
        ("triple", 5, 0),
        ("five_point", 7, 5),
        ("ten_point", 5, 10),
    ];
    for (rule, points, gives) in cases {
        let options = [("ChallengeRule", rule)];
        assert_eq!(found(&options, "", points), wrong(points, rule, gives));
        // Double and triple also take a turn or the game, see `contradictions`.
        if !["double", "triple"].contains(&rule) {
            assert_eq!(found(&options, "", gives), "", "{rule}");
        }
    }
    let none = "line 5: the challenge rule void has no challenges, the record has one here";
    for points in [0, 5] {
        assert_eq!(found(&[("ChallengeRule", "void")], "", points), none);
    }
    // A rule set that an option or the record names has its challenge rule.
    let options = [("Rules", "tournament")];
    assert_eq!(found(&options, "", 5), wrong(5, "double", 0));
    assert_eq!(found(&[], "#variant club", 5), wrong(5, "ten_point", 10));
    assert_eq!(found(&[], "#variant club", 10), "");
    // A rule set that is not there names no challenge rule.
    let unknown = found(&[], "#rules nowhere", 5);
    assert!(!unknown.contains("line 5"), "{unknown}");
}

#[test]
fn an_error_about_the_rules_has_the_line_of_what_names_them() {
    let check = |pragmas: &str, expected: &str| {
        let text = format!("#player1 a\n#player2 b\n#player3 c\n{pragmas}");
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        let error = Engine::new().unwrap().set_record(&record, 0).unwrap_err();
        assert_eq!(error.text, expected);
    };
    let players = "the record has 3 players, the rule set tournament is for 2; #game-type or the \
                   option Rules can name another";
    let board = "there is no board 'Mars'; built in are standard15, standard21, and no such file \
                 was found; standard15 is used instead";
    check("#game-type tournament\n", &format!("line 4: {players}"));
    // Findings after it are left out, and an earlier one stands first.
    check(
        "#game-type tournament\n#board-layout Mars\n",
        &format!("line 4: {players}"),
    );
    check(
        "#board-layout Mars\n#game-type tournament\n",
        &format!("line 4: {board}; line 5: {players}"),
    );
}

#[test]
fn a_finding_about_the_number_of_players_stands_at_its_line() {
    let text = "#player1 a\n#player2 b\n#player3 c\n#board-layout Mars\n";
    let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
    let findings = Engine::new().unwrap().set_record(&record, 0).unwrap();
    let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
    assert_eq!(lines, [3, 4]);
}

#[test]
fn a_pragma_that_there_is_not_is_a_finding() {
    let (_folder, data) = folder();
    let check = |pragmas: &str, expected: &[&str]| {
        assert_eq!(findings(&mut engine(&data), pragmas), expected, "{pragmas}");
    };
    let nothing = "it has no effect";
    check(
        "#lexikon CSW24\n#Game-Typ deluxe\n#rakc2 AEINRST\n",
        &[
            &format!("line 3: there is no pragma '#lexikon'; {nothing}"),
            &format!("line 4: there is no pragma '#Game-Typ'; {nothing}"),
            &format!("line 5: there is no pragma '#rakc2'; {nothing}"),
        ],
    );
    // One finding for each name.
    check(
        "#mood calm\n#mood cheerful\n",
        &[&format!("line 3: there is no pragma '#mood'; {nothing}")],
    );
    check(
        "#Title x\n#description x\n#id a b\n#style x\n#orientation x\n#first-move ann\n\
         #note x\n#rack1 A\n#incomplete\n",
        &[],
    );
}
