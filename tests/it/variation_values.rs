//! What static evaluation knows of unusual rules: blanks that can be taken from the board, a minimum
//! first word, leaves for words in any letter order.

use crate::support::{lexicon, no_limit, random_game, rules, run, variation};
use cazique::eval::{BuiltInTables, EvalContext, Evaluator};
use cazique::lexicon::{LeaveValues, WordMap};
use cazique::movegen::{Generator, Words};
use cazique::notation::moves::MoveText;
use cazique::rules::{Position, RuleSet, Turn};
use cazique::search::ranking::{self, RankingRequest, SearchKnowledge};
use cazique::seed::Seed;
use cazique::tiles::TileCounts;
use cazique::units::{Equity, Points};
use std::sync::Arc;

fn built_in(rules: &RuleSet) -> LeaveValues {
    BuiltInTables::of(rules).unwrap().leaves().unwrap()
}

/// Compares generator, evaluator and ranking in the positions of a random game. Returns the number
/// of moves whose equity has a part for blanks or for the empty board.
fn compare(rules: &Arc<RuleSet>, seed: Seed) -> usize {
    let graph = lexicon(&rules.tiles).graph();
    let map = WordMap::new(graph, 21);
    let words = Words::new(graph, map.as_ref());
    let leaves = built_in(rules);
    let mut adjusted = 0;
    random_game(rules, 2, graph, seed, |game, _| {
        let position = game.position();
        let context = EvalContext::of(position);
        let mut evaluator = Evaluator::new(rules, Some(&leaves));
        let mut generator = Generator::new(rules, words, position.grid());
        let rack_leaves = evaluator.rack_leaves(&context).clone();
        let mut best_play = None;
        generator.for_each_play(&rack_leaves, |play| {
            let turn = Turn::Place(play.placement);
            let equity = evaluator.breakdown(&turn, play.points, &context);
            assert_eq!(equity.total(), play.equity, "{play:?}");
            best_play = best_play.max(Some(play));
        });
        assert_eq!(generator.best(&rack_leaves), best_play);
        let request = RankingRequest {
            count: usize::MAX,
            ..RankingRequest::default()
        };
        let knowledge = SearchKnowledge::new(words, Some(&leaves));
        let ranking = ranking::rank(position, knowledge, &request, &no_limit());
        let worth: Vec<_> = ranking.candidates.iter().map(|it| it.worth).collect();
        assert!(worth.is_sorted_by(|a, b| a.total() >= b.total()));
        let best = evaluator.best(&mut generator, &context);
        assert_eq!(best.equity, worth[0].total(), "{:?}", ranking.candidates[0]);
        let equity = evaluator.breakdown(&best.turn, best.points, &context);
        assert_eq!(equity.total(), best.equity);
        let zero = Equity::ZERO;
        let is_adjusted = |it: &&_| {
            let it: &cazique::eval::EquityBreakdown = it;
            it.blanks != zero || it.opening > zero
        };
        adjusted += worth.iter().filter(is_adjusted).count();
    });
    adjusted
}

#[test]
fn generator_evaluator_and_ranking_agree_under_unusual_rules() {
    for (changes, unit) in [("recycle_blanks = on", 0), ("first_word = 5", 10)] {
        let rules = variation("deluxe", changes);
        let games = (unit..unit + 3).map(|unit| compare(&rules, Seed(5).for_unit(unit)));
        assert!(games.sum::<usize>() > 100, "{changes}");
    }
}

fn turn(text: &str, position: &Position) -> Turn {
    MoveText::parse(text).unwrap().turn(position).unwrap()
}

/// The position after some moves from the start, with the rack of the player to move.
fn position(rules: &Arc<RuleSet>, played: &[&str], rack: &str) -> Position {
    let mut position = Position::start(rules.clone(), 2).unwrap();
    for text in played {
        let turn = turn(text, &position);
        position.play(&turn).unwrap();
    }
    let rack = rules.tiles.read_tiles(rack).unwrap();
    position.set_rack(position.to_move(), rack).unwrap();
    position
}

/// The parts of the equity of a move for blanks and for the empty board.
fn parts(rules: &Arc<RuleSet>, played: &[&str], rack: &str, text: &str) -> (f64, f64) {
    let position = position(rules, played, rack);
    let leaves = built_in(rules);
    let turn = turn(text, &position);
    let evaluator = Evaluator::new(rules, Some(&leaves));
    let equity = evaluator.breakdown(&turn, Points::ZERO, &EvalContext::of(&position));
    let points = |part: Equity| f64::from(part.millis()) / 1_000.0;
    (points(equity.blanks), points(equity.opening))
}

#[test]
fn a_blank_that_nobody_can_take_costs_nothing() {
    let rules = variation("deluxe", "recycle_blanks = on");
    let cost = |text: &str| parts(&rules, &[], "?CATZ", text).0;
    // Eleven E are unseen, and no second Z is there.
    let (common, rare, safe) = (cost("8G.CATe"), cost("8G.CATh"), cost("8F.zA"));
    assert!(common < rare && rare < 0.0, "{common} {rare}");
    assert_eq!(safe, 0.0);
    let none = variation("deluxe", "");
    assert_eq!(parts(&none, &[], "?CATZ", "8G.CATe").0, 0.0);
}

#[test]
fn a_blank_that_is_taken_is_worth_what_it_would_cost() {
    let rules = variation("deluxe", "recycle_blanks = on");
    let played = ["8F.HoRN", "pass"];
    let gain = parts(&rules, &played, "OAFMTUW", "8G=O+H6.FARM").0;
    assert!(gain > 0.0, "{gain}");
    // The blank is put back on the board as another O.
    let again = parts(&rules, &played, "OAFMTUW", "8G=O+H7.oR").0;
    assert!(again.abs() < 1e-9, "{again}");
    assert_eq!(parts(&rules, &played, "OAFMTUW", "H6.FARM").0, 0.0);
}

#[test]
fn a_minimum_first_word_makes_waiting_worth_more() {
    let bonus = |changes: &str, played: &[&str], text: &str| {
        parts(&variation("deluxe", changes), played, "AEINRST", text).1
    };
    for text in ["pass", "ex.AI"] {
        assert!(bonus("first_word = 5", &[], text) > 0.0);
        assert_eq!(bonus("first_word = 2", &[], text), 0.0);
        assert_eq!(bonus("first_word = 5", &["8D.HORNS"], text), 0.0);
    }
    assert!(bonus("first_word = 5", &[], "8D.TRAIN") <= 0.0);
}

#[test]
fn leaves_are_corrected_for_any_letter_order_and_in_one_way() {
    let any = rules("wordsmog");
    let leaves = built_in(&any);
    let position = position(&any, &[], "?AEJQST");
    let context = EvalContext::of(&position);
    let mut evaluator = Evaluator::new(&any, Some(&leaves));
    let rack_leaves = evaluator.rack_leaves(&context).clone();
    let mut changed = 0;
    for tiles in context.rack.nonempty_subsets() {
        let equity = evaluator.breakdown(&Turn::Exchange(tiles), Points::ZERO, &context);
        let mut leave = *context.rack;
        leave.take_all(&tiles).unwrap();
        assert_eq!(equity.leave, rack_leaves.value(&leave), "{leave:?}");
        changed += usize::from(equity.leave != leaves.value(&leave));
    }
    // Only the empty leave is worth the same.
    assert_eq!(changed, context.rack.nonempty_subsets().len() - 1);
    assert_eq!(rack_leaves.value(&TileCounts::EMPTY), Equity::ZERO);
}

/// The signature of some games of a player against one with these settings.
fn signature(rules: &str, opponent: &str) -> String {
    let arguments = ["autoplay", "--games", "40", "--pairs", "--rules", rules];
    let found = run(&[&arguments[..], &["--p2", opponent]].concat(), "");
    let line = found.stdout.lines();
    line.filter(|line| line.starts_with("signature")).collect()
}

#[test]
fn a_player_of_autoplay_can_ignore_variations() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.txt");
    let file = file.to_str().unwrap();
    for (changes, differs) in [("recycle_blanks = on", true), ("", false)] {
        std::fs::write(file, format!("base = deluxe\n{changes}\n")).unwrap();
        let is_other = signature(file, "") != signature(file, "variations=off");
        assert_eq!(is_other, differs, "{changes}");
    }
    assert_ne!(
        signature("wordsmog", ""),
        signature("wordsmog", "variations=off")
    );
    let refused = run(
        &["autoplay", "--p1", "mode=sim,iterations=9,variations=off"],
        "",
    );
    assert!(!refused.success);
    let error = "--p1: variations=off needs mode=static, and the mode is sim";
    assert!(refused.stderr.contains(error), "{}", refused.stderr);
}
