//! Target scores: a play that reaches the target is found, chosen and proved, by every player.

use crate::support::{Client, lexicon, random_game, run, variation};
use cazique::eval::{BuiltInTables, EvalContext, Evaluator};
use cazique::lexicon::WordMap;
use cazique::movegen::{Generator, Words};
use cazique::rules::RuleSet;
use cazique::seed::Seed;
use cazique::units::Points;
use std::sync::Arc;

/// A session with a rule file of these changes to `deluxe`, after some lines.
fn said(changes: &str, lines: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    std::fs::write(&file, format!("base = deluxe\n{changes}\n")).unwrap();
    let mut client = Client::start();
    client.say(&format!(
        "setoption name Rules value {}\n{lines}",
        file.display()
    ));
    client.until("bestmove")
}

/// What stands after a key of the line of a move.
fn figure<'a>(lines: &'a [String], start: &str, key: &str) -> &'a str {
    let line = lines.iter().find(|line| line.starts_with(start)).unwrap();
    let mut words = line.split(' ').skip_while(|word| *word != key);
    words.nth(1).unwrap()
}

/// Once only moves with a high equity were considered: M1.TRIP is far behind them, and wins.
#[test]
fn a_play_that_reaches_the_target_is_found_and_its_win_is_exact() {
    let rules = "players = 2\ntarget = 40/100";
    let known = "position startpos moves ex.3 8G.VAW 9H.DEEP L3.BuGLERS rack.EPRIUTE";
    for go in [
        "go gen candidates 3",
        "go iterations 40 candidates 3",
        "go movetime 60",
    ] {
        let said = said(rules, &format!("{known}\n{go}"));
        assert_eq!(said.last().unwrap(), "bestmove M1.TRIP", "{go}");
        assert_eq!(figure(&said, "info gen move M1.TRIP ", "rank"), "1");
        // On a busy machine 60 ms may be too short for a simulation.
        if go.contains("iterations") {
            let line = "info sim move M1.TRIP ";
            assert_eq!(figure(&said, line, "wp"), "100.00");
            assert_eq!(figure(&said, line, "wpse"), "0.00");
            assert_eq!(figure(&said, line, "kind"), "exact");
        }
    }
}

/// Once opponents in rollouts did not see that they could win, and 11C.OURIE had 97 %.
#[test]
fn opponents_reach_their_target_when_they_can() {
    let known = "position cgp 15/15/15/15/15/7F7/7A7/5HORN6/7MOB5/5PASTE5/15/15/15/15/15 \
                 EEIORTU/AEKNRSV 170/164 0";
    let also = "alsosearchmoves 11C.OURIE";
    let said = said("target = 200", &format!("{known}\ngo iterations 60 {also}"));
    let reply = figure(&said, "info sim move 11C.OURIE ", "reply");
    assert_eq!(reply, "7F.SNAKE");
    assert_eq!(figure(&said, "info sim move 11C.OURIE ", "wp"), "0.00");
    // The best moves block it.
    let best = said.last().unwrap().strip_prefix("bestmove ").unwrap();
    let win = figure(&said, &format!("info sim move {best} "), "wp");
    assert!(win.parse::<f64>().unwrap() > 90.0, "{said:#?}");
}

/// Random positions under these rules: static evaluation wins if some play does.
fn check_static(rules: &Arc<RuleSet>, seed: Seed) -> usize {
    let graph = lexicon(&rules.tiles).graph();
    let map = WordMap::new(graph, 21);
    let words = Words::new(graph, map.as_ref());
    let leaves = BuiltInTables::of(rules).unwrap().leaves().unwrap();
    let mut only_by_points = 0;
    for unit in 0..12 {
        random_game(rules, 2, graph, seed.for_unit(unit), |game, _| {
            let position = game.position();
            let context = EvalContext::of(position);
            let mut evaluator = Evaluator::new(rules, Some(&leaves));
            let mut generator = Generator::new(rules, words, position.grid());
            let (mut wins, mut best) = (false, None);
            generator.for_each_play(evaluator.rack_leaves(&context), |play| {
                wins |= context.wins(play.points);
                best = best.max(Some((play.equity, play.points)));
            });
            let chosen = evaluator.best(&mut generator, &context);
            assert_eq!(context.wins(chosen.points), wins, "{position:?}");
            let equity = evaluator.breakdown(&chosen.turn, chosen.points, &context);
            assert_eq!(equity.total(), chosen.equity);
            only_by_points += usize::from(wins && !context.wins(best.unwrap().1));
        });
    }
    only_by_points
}

#[test]
fn static_evaluation_wins_whenever_it_can() {
    let found: usize = [40, 90, 160]
        .iter()
        .map(|target| {
            let rules = variation("deluxe", &format!("target = {target}"));
            assert_eq!(rules.target(0, 2), Some(Points(*target)));
            check_static(&rules, Seed(*target as u64))
        })
        .sum();
    assert!(found > 5, "{found} plays won by points alone");
}

#[test]
fn a_player_of_autoplay_can_ignore_the_target() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    std::fs::write(&file, "base = deluxe\ntarget = 70\n").unwrap();
    let file = file.to_str().unwrap();
    let play = |players: &[&str]| {
        let arguments = [
            &["autoplay", "--games", "40", "--pairs", "--rules", file],
            players,
        ];
        run(&arguments.concat(), "").stdout
    };
    let both = play(&["--p2", "target=off"]);
    assert!(both.contains("p2 mode=static target=off"), "{both}");
    let signature = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("signature"));
        line.unwrap().to_string()
    };
    assert_ne!(signature(&both), signature(&play(&[])));
}
