//! Words whose letters may stand in any order: generation against its plain twin, rulings, whole
//! games, and the solvers that do not carry over.

use crate::support::{lexicon, no_limit, repository, rules, share, variation};
use cazique::autoplay::{PlayerKind, Players, play};
use cazique::engine::{Engine, Eyes, Mode, SearchRequest, Start};
use cazique::lexicon::{Lexicon, WordMap};
use cazique::movegen::{Generator, OpeningPenalty, Play, RackLeaves, Words, plain};
use cazique::rules::{Game, Position, RuleSet, Turn};
use cazique::search::ranking::{
    Ranking, RankingExtent, RankingRequest, RankingScope, SearchKnowledge, rank,
};
use cazique::search::{Budget, StopToken};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};
use cazique::units::Equity;
use rand::RngExt;
use rand::seq::SliceRandom;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The most tiles on a rack without a blank, with one and with two: the plain generator tries
/// every order of the tiles with every letter for each blank.
const MAX_TILES_BY_BLANKS: [usize; 3] = [7, 5, 4];

/// The embedded words in any letter order.
fn any_order() -> &'static (Lexicon, WordMap) {
    static LEXICON: OnceLock<(Lexicon, WordMap)> = OnceLock::new();
    LEXICON.get_or_init(|| {
        let words = lexicon(&rules("wordsmog").tiles).clone();
        let lexicon = words.in_any_order().expect("few words");
        let map = WordMap::new(lexicon.graph(), 21).expect("no word has 16 of a letter");
        (lexicon, map)
    })
}

/// The rules on the big board too.
fn boards() -> [Arc<RuleSet>; 2] {
    let big = "board = standard21\ntiles = english_super\nletter_order = any";
    [rules("wordsmog"), variation("super", big)]
}

/// An arbitrary leave value. Few different ones, so that many plays are equal.
fn leave_value(leave: &TileCounts) -> Equity {
    let sum: usize = leave.iter().map(Tile::number).sum();
    Equity::from_millis((sum % 5) as i32 * 700 - 1_400)
}

/// A random rack of unseen tiles, with at most two blanks and small enough for the plain generator.
fn random_rack(position: &Position, chance: &mut impl rand::Rng) -> TileCounts {
    let mut tiles: Vec<Tile> = position.unseen().iter().collect();
    tiles.shuffle(chance);
    // Blanks are rare: without this few racks had one.
    let blanks = match chance.random_range(0..4) {
        0 => 1,
        1 => 2,
        _ => 0,
    };
    tiles.sort_by_key(|tile| *tile != Tile::BLANK);
    let held = tiles
        .iter()
        .take_while(|tile| **tile == Tile::BLANK)
        .count();
    let blanks = blanks.min(held);
    let letters = &mut tiles[held..];
    letters.shuffle(chance);
    let most = MAX_TILES_BY_BLANKS[blanks];
    let len = chance
        .random_range(1..=most)
        .max(chance.random_range(1..=most));
    let blanks = std::iter::repeat_n(Tile::BLANK, blanks);
    blanks.chain(letters.iter().copied()).take(len).collect()
}

/// Compares all generators in one position, and returns the plays.
fn compare(position: &Position, generators: &mut [Generator; 2]) -> Vec<Play> {
    let (words, _) = any_order();
    let rules = position.rules();
    let rack = position.mover_rack().known;
    let opening = OpeningPenalty::new(rules, Equity::from_millis(1_703));
    let mut rack_leaves = RackLeaves::empty(Some(opening));
    rack_leaves.set(&rack, leave_value);
    let mut all = Vec::new();
    generators[0].for_each_play(&rack_leaves, |play| all.push(play));
    let found: HashSet<_> = all
        .iter()
        .map(|play| (play.placement, play.points))
        .collect();
    assert_eq!(found.len(), all.len(), "a play was found twice");
    let plain = plain::placements(position, words.graph()).into_iter();
    let expected: HashSet<_> = plain
        .filter_map(|scored| match scored.turn {
            Turn::Place(placement) => Some((placement, scored.points)),
            _ => None,
        })
        .collect();
    assert!(
        found == expected,
        "{} plays, {} by the plain twin",
        found.len(),
        expected.len()
    );
    all.sort_by(|a, b| b.cmp(a));
    for generator in generators {
        assert_eq!(generator.best(&rack_leaves), all.first().copied(), "best");
        for count in [1, 3, 20, 200] {
            let top = generator.top(&rack_leaves, count);
            assert!(top == all[..count.min(all.len())], "top {count}");
        }
        assert!(
            generator.equals_rebuilt(rules, position.grid()),
            "incremental update"
        );
    }
    all
}

#[test]
fn generation_finds_what_its_plain_twin_finds() {
    let (words, map) = any_order();
    let min_positions = share(2_000);
    for (kind, rules) in boards().into_iter().enumerate() {
        let (mut positions, mut unit) = (0, 0);
        while positions < min_positions / 2 {
            let mut chance = Seed(40 + kind as u64).for_unit(unit).generator();
            unit += 1;
            let mut position = Position::start(rules.clone(), 2).expect("two players");
            let new = |map| Generator::new(&rules, Words::new(words.graph(), map), position.grid());
            let mut generators = [new(Some(map)), new(None)];
            while position.end().is_none() && position.bag_len() > 7 {
                let rack = random_rack(&position, &mut chance);
                position
                    .set_known_tiles(position.to_move(), rack)
                    .expect("unseen tiles");
                let plays = compare(&position, &mut generators);
                positions += 1;
                let Some(play) = plays.get(chance.random_range(0..plays.len().max(1))) else {
                    break;
                };
                for generator in &mut generators {
                    let delta = generator.play(&play.placement);
                    generator.take_back(delta);
                    generator.play_permanently(&play.placement);
                }
                position
                    .play(&Turn::Place(play.placement))
                    .expect("a legal play");
            }
        }
    }
}

#[test]
fn static_games_end_by_the_rules_and_conserve_all_tiles() {
    let (words, map) = any_order();
    let games = share(1_000);
    for rules in boards() {
        let players = Players {
            rules: &rules,
            words: Words::new(words.graph(), Some(map)),
            each: vec![PlayerKind::Static(None); 2],
        };
        for unit in 0..games / 2 {
            let result = play(&players, 0, Seed(41).for_unit(unit));
            assert!(result.forfeit.is_none() && result.end.is_some());
            let mut game = Game::new(rules.clone(), 2).expect("two players");
            for (turn, rack) in result.turns.iter().zip(&result.racks) {
                let seat = game.position().to_move();
                game.set_rack(seat, *rack).expect("unseen tiles");
                if let Turn::Place(placement) = turn {
                    let score = game.position().examine(placement).expect("a legal play");
                    let mut formed = score.words.iter();
                    assert!(formed.all(|word| words.contains(&word.word())));
                }
                game.play(turn).expect("a legal turn");
            }
            for (seat, rack) in result.left.iter().enumerate() {
                game.set_rack(seat, *rack).expect("the tiles that are left");
            }
            let outcome = game.outcome().expect("a finished game");
            assert_eq!(outcome.scores[..], result.scores[..]);
            let grid = game.position().grid();
            let on_board = rules.board.squares().filter_map(|square| grid.get(square));
            let on_board = on_board.map(|face| face.tile());
            let left = result.left.iter().flat_map(|rack| rack.iter());
            let bag = game.position().unseen().iter();
            let all: TileCounts = on_board.chain(left).chain(bag).collect();
            assert_eq!(all, rules.tiles.all());
        }
    }
}

#[test]
fn a_word_is_valid_in_any_order_of_its_letters() {
    let (words, _) = any_order();
    let tiles = &rules("wordsmog").tiles;
    let letters = |text: &str| -> Vec<_> {
        let faces = tiles.read_faces(text).expect("letters");
        faces.into_iter().map(|face| face.letter()).collect()
    };
    for (text, is_valid) in [
        ("CARE", true),
        ("RCEA", true),
        ("EZRAG", true),
        ("RCQZ", false),
    ] {
        assert_eq!(words.contains(&letters(text)), is_valid, "{text}");
    }
    let valid = lexicon(tiles).words().take(2_000);
    for word in valid {
        let mut word: Vec<_> = word.letters().collect();
        word.reverse();
        assert!(words.contains(&word));
    }
    assert_eq!(words.hash(), lexicon(tiles).hash());
}

#[test]
fn the_variant_has_its_name_in_any_letter_case() {
    let board = "15/15/15/15/15/15/15/3RCEA8/15/15/15/15/15/15/15 HELLOWD/ 12/0 0";
    for name in ["wordsmog", "WordSmog", "WORDSMOG"] {
        for option in ["Rules", "Variant"] {
            let mut engine = Engine::new().expect("an engine");
            engine.set_option(option, name).expect("a rule set");
            assert_eq!(engine.rules().name, "wordsmog");
        }
        let mut engine = Engine::new().expect("an engine");
        let cgp = format!("{board} var {name};");
        engine
            .set_position(Start::Cgp(&cgp), &[], Eyes::Mover)
            .expect("a position");
        // The letters of WHOLE; across it forms RCEAL, the letters of CLEAR.
        let checked = engine.check("H4.HWOEL").expect("a move");
        assert!(checked.phonies.is_empty());
        let judged = engine
            .judge(&["ERAC".to_string(), "XYZ".to_string()])
            .expect("words");
        assert_eq!([judged[0].is_valid, judged[1].is_valid], [true, false]);
    }
}

#[test]
fn solvers_are_refused_and_simulation_takes_over() {
    let endgames = std::fs::read_to_string(repository("tests/golden/endgame-hard.cgp"));
    let endgames = endgames.expect("a file of the repository");
    let endgame = endgames.lines().next().expect("a position");
    let mut engine = Engine::new().expect("an engine");
    let cgp = format!("{endgame} var wordsmog;");
    engine
        .set_position(Start::Cgp(&cgp), &[], Eyes::Mover)
        .expect("a position");
    let mut search = |mode| {
        engine.analyze(&SearchRequest {
            mode,
            iterations: Some(4),
            candidates: Some(3),
            ..SearchRequest::default()
        })
    };
    for (mode, name) in [(Mode::Endgame, "endgame"), (Mode::Preendgame, "peg")] {
        let error = search(mode).err().expect("no solver").text;
        let expected =
            "cannot solve this: the rules have words in any letter order; use the mode auto";
        assert_eq!(error, format!("{name} {expected}"));
    }
    let analysis = search(Mode::Auto).expect("a search");
    let best = analysis.candidates()[0];
    assert!(best.simulation.is_some() && best.solution.is_none());
}

#[test]
fn a_ranking_of_very_many_moves_keeps_the_best() {
    let (words, map) = any_order();
    let mut position = Position::start(rules("wordsmog"), 2).expect("two players");
    let rack = rules("wordsmog")
        .tiles
        .read_tiles("?AEINRS")
        .expect("tiles");
    position.set_rack(0, rack).expect("unseen tiles");
    let knowledge = SearchKnowledge::new(Words::new(words.graph(), Some(map)), None);
    let request = RankingRequest {
        count: 5,
        ..RankingRequest::default()
    };
    let ranking = rank(&position, knowledge, &request, &no_limit());
    assert_eq!(ranking.extent, RankingExtent::Complete);
    assert_eq!(ranking.candidates.len(), 5);
    // More than are kept: they are counted all the same.
    assert!(ranking.turns > 200_000, "{}", ranking.turns);
    assert!(
        ranking
            .candidates
            .is_sorted_by_key(|candidate| candidate.rank)
    );
}

/// Once only a whole stretch of squares could be stopped, and with nine tiles one has millions of
/// orders; without the word map, `top` did not stop at all.
#[test]
fn generation_in_any_order_stops_soon_after_it_is_told_to() {
    let words = Words::new(any_order().0.graph(), None);
    let nine = variation("wordsmog", "rack = 9\nbonus = 7:50");
    let mut position = Position::start(nine.clone(), 2).expect("two players");
    let rack = nine.tiles.read_tiles("??AEINRST").expect("tiles");
    position.set_rack(0, rack).expect("unseen tiles");
    let leaves = RackLeaves::new(&rack, |_| Equity::ZERO);
    let generator = Generator::new(&nine, words, position.grid());
    let mut found = 0;
    generator.for_each_play_while(&leaves, &|| false, |_| found += 1);
    assert!(found <= 2_000, "{found}");
    let checks = AtomicUsize::new(0);
    let refuse = || {
        checks.fetch_add(1, Ordering::Relaxed);
        false
    };
    let mut generator = generator.with_continue_check(&refuse);
    assert_eq!(generator.top(&leaves, 3).len(), 3);
    assert_eq!(checks.into_inner(), 1);
    // A ranking whose time is over has some moves, and says that they are not all.
    let knowledge = SearchKnowledge::new(words, None);
    let request = RankingRequest {
        count: 5,
        ..RankingRequest::default()
    };
    let stop = StopToken::default();
    stop.stop();
    let ranking = rank(
        &position,
        knowledge,
        &request,
        &Budget::new(stop, None, None),
    );
    assert_eq!(ranking.extent, RankingExtent::OutOfBudget);
    assert!(!ranking.candidates.is_empty());
}

/// Once `go gen` did not end with two blanks, and with a time limit it named a poor move.
#[test]
fn a_ranking_of_millions_of_moves_ends_and_has_the_best() {
    let (words, map) = any_order();
    let mut position = Position::start(rules("wordsmog"), 2).expect("two players");
    let tiles = &rules("wordsmog").tiles;
    let rack = tiles.read_tiles("??AEINR").expect("tiles");
    position.set_rack(0, rack).expect("unseen tiles");
    let words = Words::new(words.graph(), Some(map));
    let request = |scope| RankingRequest {
        count: 5,
        scope,
        ..RankingRequest::default()
    };
    let knowledge = SearchKnowledge::new(words, None);
    let ranked = |scope| rank(&position, knowledge, &request(scope), &no_limit());
    let all = ranked(RankingScope::All);
    assert_eq!(all.extent, RankingExtent::TooMany);
    let moves = |ranking: Ranking| -> Vec<Turn> {
        let candidates = ranking.candidates.iter().take(5);
        candidates.map(|candidate| candidate.turn).collect()
    };
    assert_eq!(moves(all), moves(ranked(RankingScope::Best)));
}
