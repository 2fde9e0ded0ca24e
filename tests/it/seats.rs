//! Games of two to four players with challenges, lost turns and penalties: what is written of them
//! reads back as the same position.

use crate::support::{lexicon, random_choice, rules};
use cazique::engine::{Engine, Eyes, Start};
use cazique::movegen::plain;
use cazique::notation::cgp::Cgp;
use cazique::rules::{Embedded, End, Game, PRESETS, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::TileCounts;
use cazique::units::Points;
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The challenge rules with consequences of their own: a lost turn, a lost game, points.
const CHALLENGE_RULES: [&str; 3] = ["double", "triple", "five_point"];

/// The longest game of these tests, in turns. Chosen by hand.
const MAX_TURNS: usize = 60;

/// Every preset with these challenge rules and every number of players.
fn kinds() -> Vec<(Arc<RuleSet>, usize)> {
    let mut kinds = Vec::new();
    for preset in PRESETS {
        let (fewest, most) = rules(preset).players;
        for challenge in CHALLENGE_RULES {
            let file = format!("base = {preset}\nchallenge = {challenge}");
            let rules = Arc::new(RuleSet::parse(preset, &file, &Embedded).unwrap());
            kinds.extend((fewest..=most).map(|players| (rules.clone(), players)));
        }
    }
    kinds
}

/// Plays random moves to the end of a game or for [`MAX_TURNS`] turns, with random challenges and
/// penalties for time. Calls `watch` with the game after each of them.
fn eventful_game(rules: &Arc<RuleSet>, players: usize, seed: Seed, mut watch: impl FnMut(&Game)) {
    let mut random = seed.generator();
    let mut game = Game::new(rules.clone(), players).unwrap();
    let graph = lexicon(&rules.tiles).graph();
    // Some games have long runs of passes and exchanges.
    let passes = random.random_range(0..3) * 3;
    for _ in 0..MAX_TURNS {
        game.deal_unknown(&mut random);
        watch(&game);
        if game.end().is_some() {
            break;
        }
        let turn = match random.random_range(0..10) {
            n if n < passes => random_pass(&game, &mut random),
            _ => random_choice(&plain::turns(game.position(), graph), &mut random),
        };
        game.play(&turn).unwrap();
        watch(&game);
        challenge(&mut game, &mut random);
        watch(&game);
    }
    if random.random_range(0..2) == 0 {
        game.penalise_time(random.random_range(0..players), Points(10));
    }
    watch(&game);
}

/// A pass or, half of the time, an exchange of one tile, if the rules allow it.
fn random_pass(game: &Game, random: &mut impl Rng) -> Turn {
    let position = game.position();
    let first = position.mover_rack().known.iter().next();
    match first.filter(|_| position.check_exchange(1).is_ok() && random.random_range(0..2) == 0) {
        Some(tile) => Turn::Exchange([tile].into_iter().collect()),
        None => Turn::Pass,
    }
}

/// Challenges the last play now and then, for a random opponent and with a random ruling.
fn challenge(game: &mut Game, random: &mut impl Rng) {
    let players = game.position().player_count();
    let Some((seat, _)) = game.last_play() else {
        return;
    };
    let (by, words) = (random.random_range(0..players), game.last_words());
    let is_good = random.random_range(0..3) > 0;
    if by != seat && random.random_range(0..3) == 0 {
        game.challenge(by, &words, |_| is_good).unwrap();
    }
}

/// The game as one of its players or a spectator knows it: some racks are unknown, others partly.
fn partly_known(game: &Game, random: &mut impl Rng) -> Game {
    let mut game = game.clone();
    for seat in 0..game.position().player_count() {
        match random.random_range(0..4) {
            0 => game.forget_rack(seat),
            1 => {
                let known = game.position().rack(seat).known.iter();
                let kept: TileCounts = known.filter(|_| random.random_range(0..2) == 0).collect();
                game.set_known_tiles(seat, kept).unwrap();
            }
            _ => {}
        }
    }
    game
}

/// The game of an engine after it was set by the CGP of another.
fn read_cgp<'a>(engine: &'a mut Engine, cgp: &str) -> &'a Game {
    let set = engine.set_position(Start::Cgp(cgp), &[], Eyes::Mover);
    set.unwrap_or_else(|error| panic!("{cgp}: {}", error.text));
    engine.game().unwrap()
}

#[test]
fn a_fresh_engine_reads_every_position_from_cgp_as_it_was() {
    let mut engine = Engine::new().unwrap();
    let mut opcodes =
        [" seat ", " owed ", " scoreless ", " unknown ", " over "].map(|name| (name, 0));
    for (kind, (rules, players)) in kinds().iter().enumerate() {
        let mut random = Seed(kind as u64).generator();
        eventful_game(rules, *players, Seed(kind as u64), |game| {
            let known = partly_known(game, &mut random);
            let cgp = Cgp::of_game(&known).to_string();
            for (opcode, seen) in &mut opcodes {
                *seen += usize::from(cgp.contains(*opcode));
            }
            let read = read_cgp(&mut engine, &cgp);
            assert_eq!(read.position(), known.position(), "{cgp}");
            assert_eq!(read.end(), known.end(), "{cgp}");
            assert_eq!(engine.cgp().unwrap().to_string(), cgp);
        });
    }
    for (opcode, seen) in opcodes {
        assert!(seen > 20, "{seen} positions with{opcode}");
    }
}

#[test]
fn targets_of_seats_follow_the_seat_of_the_player_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("handicap.txt");
    std::fs::write(&path, "base = deluxe\nplayers = 3\ntarget = 60/5/90\n").unwrap();
    let mut engine = Engine::new().unwrap();
    let data_path = folder.path().display().to_string();
    engine.set_option("DataPath", &data_path).unwrap();
    // The first player has 14 points of 60, the second needs 5 points to win.
    let rows = "15/15/15/15/15/15/15/5HORN6/15/15/15/15/15/15/15";
    let read = |engine: &mut Engine, fields: &str| {
        let cgp = format!("{rows} {fields} var handicap;");
        let game = read_cgp(engine, &cgp);
        let position = game.position();
        let targets = position
            .turn_order()
            .map(|seat| position.rules().target(seat, 3));
        let targets: Vec<i32> = targets.flatten().map(|points| points.0).collect();
        (targets, game.end())
    };
    let found = read(&mut engine, "//AET 0/0/14 0 seat 2;");
    assert_eq!(found, (vec![5, 90, 60], None));
    let found = read(&mut engine, "//AET 0/0/14 0");
    assert_eq!(found, (vec![60, 5, 90], None));
    let found = read(&mut engine, "//AET 0/14/5 0 seat 3;");
    assert_eq!(found, (vec![90, 60, 5], Some(End::Target(1))));
}
