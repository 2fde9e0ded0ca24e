//! Short games with known scores and results, and random games that compare `Position` with `Deal`.

use crate::support::{lexicon, random_game, rules, variation};
use cazique::board::{Axis, Square};
use cazique::notation::moves::MoveText;
use cazique::rules::{
    ChallengeError, Deal, End, EventKind, Game, GameEvent, PRESETS, RuleSet, Ruling, Turn,
};
use cazique::seed::Seed;
use cazique::tiles::Letter;
use cazique::units::Points;
use std::sync::Arc;

/// A game with unknown racks: every unseen tile can be played.
fn game(rules: &Arc<RuleSet>, players: usize) -> Game {
    Game::new(rules.clone(), players).unwrap()
}

fn play(game: &mut Game, text: &str) -> i32 {
    let turn = MoveText::parse(text)
        .and_then(|text| text.turn(game.position()))
        .unwrap();
    game.play(&turn)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .0
}

fn rack(game: &mut Game, seat: usize, tiles: &str) {
    let tiles = game.position().rules().tiles.read_tiles(tiles).unwrap();
    game.set_rack(seat, tiles).unwrap();
}

fn scores(game: &Game) -> Vec<i32> {
    (0..game.position().player_count())
        .map(|seat| game.position().score(seat).0)
        .collect()
}

fn letters(game: &Game, word: &str) -> Vec<Letter> {
    game.position()
        .rules()
        .tiles
        .read_faces(word)
        .unwrap()
        .into_iter()
        .map(|face| face.letter())
        .collect()
}

#[test]
fn the_worked_example_scores_as_the_books_say_on_both_boards() {
    for preset in PRESETS {
        let rules = rules(preset);
        let side = rules.board.side();
        let centre = rules.board.start();
        let (row, column) = (centre.row(side), centre.column(side));
        let at = |down: i8, right: i8, axis: Axis| {
            let square = Square::new(
                row.wrapping_add_signed(down),
                column.wrapping_add_signed(right),
                side,
            );
            cazique::notation::coordinate::Coordinate::of(square, axis, side).to_string()
        };
        let mut game = game(&rules, 2);
        // The R of HORN is on the centre.
        let turns = [
            (at(0, -2, Axis::Across), "HORN", 14),
            (at(-2, 0, Axis::Down), "FARM", 9),
            (at(2, -2, Axis::Across), "PASTE", 25),
            (at(1, 0, Axis::Across), "MOB", 16),
            (at(3, -3, Axis::Across), "BIT", 16),
        ];
        for (coordinate, word, points) in turns {
            assert_eq!(
                play(&mut game, &format!("{coordinate}.{word}")),
                points,
                "{preset} {word}"
            );
        }
        assert_eq!(scores(&game), [14 + 25 + 16, 9 + 16], "{preset}");
    }
}

#[test]
fn the_parts_of_a_score_add_up_to_its_total() {
    let mut game = game(&rules("tournament"), 2);
    play(&mut game, "8F.HORN");
    play(&mut game, "H6.FARM");
    let Turn::Place(paste) = MoveText::parse("10F.PASTE")
        .unwrap()
        .turn(game.position())
        .unwrap()
    else {
        panic!("a placement");
    };
    let score = game.position().examine_without_rack(&paste).unwrap();
    let words: Vec<(i32, i32, usize)> = score
        .words
        .iter()
        .map(|word| (word.total().0, word.factor, word.letters.len()))
        .collect();
    assert_eq!(words, [(15, 1, 5), (10, 1, 5)]);
    let paste: Vec<(i32, i32, bool)> = score.words[0]
        .letters
        .iter()
        .map(|letter| (letter.value.0, letter.factor, letter.fresh))
        .collect();
    assert_eq!(
        paste,
        [
            (3, 3, true),
            (1, 1, true),
            (1, 1, true),
            (1, 1, true),
            (1, 3, true)
        ]
    );
    assert_eq!((score.bonus, score.total()), (Points(0), Points(25)));
}

/// Rules for games that end within a few turns: a 5x5 board without premiums, and one tile of each
/// of ten letters, worth its number in the alphabet.
fn tiny(changes: &str) -> Arc<RuleSet> {
    struct Tiny;
    impl cazique::rules::Library for Tiny {
        fn board(&self, _: &str) -> Result<Arc<cazique::board::Layout>, String> {
            cazique::board::Layout::parse("plain5", "\n\n\n\n\n")
                .map(Arc::new)
                .map_err(|error| error.to_string())
        }
        fn tiles(&self, _: &str) -> Result<Arc<cazique::tiles::TileSet>, String> {
            let csv: String = ('A'..='J')
                .zip(1..)
                .map(|(c, n)| format!("{c},{},1,{n},0\n", c.to_lowercase()))
                .collect();
            cazique::tiles::TileSet::parse("ten", &csv)
                .map(Arc::new)
                .map_err(|error| error.to_string())
        }
    }
    let file =
        format!("base = deluxe\nboard = plain5\ntiles = ten\nrack = 2\nplayers = 2-4\n{changes}");
    Arc::new(RuleSet::parse("tiny", &file, &Tiny).unwrap())
}

/// Three players with two of ten tiles each, and four tiles in the bag, which are drawn within
/// three turns.
fn three_players(changes: &str) -> Game {
    let mut game = game(&tiny(changes), 3);
    rack(&mut game, 0, "AB");
    rack(&mut game, 1, "CD");
    rack(&mut game, 2, "EF");
    assert_eq!(game.position().bag_len(), 4);
    assert_eq!(play(&mut game, "3B.AB"), 3);
    rack(&mut game, 0, "GH");
    // The C also forms ABC.
    assert_eq!(play(&mut game, "D3.CD"), 7 + 6);
    rack(&mut game, 1, "IJ");
    assert_eq!(game.position().bag_len(), 0);
    game
}

#[test]
fn the_player_who_goes_out_gets_the_tiles_of_the_opponents() {
    let mut game = three_players("");
    let points = play(&mut game, "C3.BEF");
    // The play forms BEF with the B of AB on C3, 2 + 5 + 6, and ED with the D of CD on D4, 5 + 4.
    assert_eq!(points, 13 + 9);
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.end, End::Out(2));
    assert_eq!(outcome.adjustments, [Points(-15), Points(-19), Points(34)]);
    assert_eq!(
        outcome.scores,
        [Points(3 - 15), Points(13 - 19), Points(22 + 34)]
    );
    assert_eq!(outcome.winner, Some(2));
    assert!(game.play(&Turn::Pass).is_err(), "the game is over");
}

#[test]
fn a_round_of_passes_ends_a_family_game_and_six_scoreless_turns_a_tournament_game() {
    let mut family = three_players("");
    for _ in 0..3 {
        assert_eq!(family.end(), None);
        play(&mut family, "pass");
    }
    let outcome = family.outcome().unwrap();
    assert_eq!(outcome.end, End::Scoreless);
    // Each player loses the own tiles: 7 + 8, 9 + 10, 5 + 6.
    assert_eq!(
        outcome.scores,
        [Points(3 - 15), Points(13 - 19), Points(-11)]
    );
    assert_eq!(outcome.winner, Some(1));

    let mut tournament = game(&rules("tournament"), 2);
    rack(&mut tournament, 0, "AEINRST");
    rack(&mut tournament, 1, "AEINRST");
    for turn in ["ex.AE", "pass", "ex.3", "pass", "pass"] {
        play(&mut tournament, turn);
        assert_eq!(tournament.end(), None);
    }
    play(&mut tournament, "pass");
    assert_eq!(tournament.end(), Some(End::Scoreless));
}

#[test]
fn an_exchange_does_not_count_as_a_pass_in_a_family_game() {
    let mut game = game(&rules("deluxe"), 2);
    for turn in ["pass", "ex.1", "pass", "ex.2"] {
        play(&mut game, turn);
        assert_eq!(game.end(), None, "{turn}");
    }
}

#[test]
fn a_tie_goes_to_the_player_who_led_before_the_settlement() {
    // Both end with -8: 3 - (5 + 6) and 5 - (4 + 9). The player with 5 points led.
    let mut game = game(&tiny("zero_turns = round"), 2);
    rack(&mut game, 0, "AB");
    rack(&mut game, 1, "CD");
    play(&mut game, "3B.AB");
    rack(&mut game, 0, "EF");
    play(&mut game, "C3.BC");
    rack(&mut game, 1, "DI");
    play(&mut game, "pass");
    play(&mut game, "pass");
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.scores, [Points(-8), Points(-8)]);
    assert_eq!(outcome.winner, Some(1));
}

#[test]
fn a_tie_before_and_after_is_a_draw() {
    let mut game = game(&rules("deluxe"), 2);
    rack(&mut game, 0, "AEINRST");
    rack(&mut game, 1, "AEINRST");
    play(&mut game, "pass");
    play(&mut game, "pass");
    let outcome = game.outcome().unwrap();
    assert_eq!(
        (outcome.scores, outcome.winner),
        (vec![Points(-7), Points(-7)], None)
    );
}

#[test]
fn both_rules_about_going_out_lead_to_the_same_spread() {
    let ends = ["sum", "twice"].map(|out| {
        let mut game = game(&tiny(&format!("out = {out}")), 2);
        rack(&mut game, 0, "AB");
        rack(&mut game, 1, "CD");
        play(&mut game, "3B.AB");
        rack(&mut game, 0, "EF");
        play(&mut game, "D3.CD");
        rack(&mut game, 1, "IJ");
        play(&mut game, "C3.BEF");
        rack(&mut game, 0, "GH");
        play(&mut game, "pass");
        play(&mut game, "5C.FGH");
        game.outcome().unwrap()
    });
    assert_eq!(ends[0].adjustments, [Points(19), Points(-19)]);
    assert_eq!(ends[1].adjustments, [Points(38), Points(0)]);
    assert_eq!(
        ends[0].scores[0] - ends[0].scores[1],
        ends[1].scores[0] - ends[1].scores[1]
    );
}

#[test]
fn a_target_ends_the_game_the_moment_it_is_reached() {
    let rules = variation("deluxe", "target = beginner");
    // With three players the target is 60 points.
    let mut game = game(&rules, 3);
    assert_eq!(rules.target(0, 3), Some(Points(60)));
    assert_eq!(play(&mut game, "8E.QUIZ"), 44);
    play(&mut game, "pass");
    play(&mut game, "pass");
    assert_eq!(game.end(), None);
    play(&mut game, "H7.AZO");
    play(&mut game, "pass");
    play(&mut game, "pass");
    play(&mut game, "9H.OXEN");
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.end, outcome.winner), (End::Target(0), Some(0)));
    assert_eq!(outcome.adjustments, [Points(0); 3]);
    assert!(outcome.scores[0] >= Points(60));
}

#[test]
fn each_seat_can_have_its_own_target() {
    let rules = variation("deluxe", "players = 2\ntarget = expert/30");
    let mut game = game(&rules, 2);
    play(&mut game, "8E.QUIZ");
    assert_eq!(game.end(), None);
    assert_eq!(play(&mut game, "8E.QUIZX"), 30);
    let outcome = game.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.scores),
        (Some(1), vec![Points(44), Points(30)])
    );
}

#[test]
fn plays_of_seven_to_nine_tiles_earn_the_bonus() {
    let rules = variation("deluxe", "rack = 9\nbonus = 7:50 8:50 9:50");
    for (word, bonus) in [
        ("PARTED", 0),
        ("PARTIED", 50),
        ("PARTITES", 50),
        ("PARTITION", 50),
    ] {
        let game = game(&rules, 2);
        let Turn::Place(placement) = MoveText::parse(&format!("8D.{word}"))
            .unwrap()
            .turn(game.position())
            .unwrap()
        else {
            panic!("a placement");
        };
        assert_eq!(
            game.position()
                .examine_without_rack(&placement)
                .unwrap()
                .bonus,
            Points(bonus),
            "{word}"
        );
    }
}

#[test]
fn a_first_word_below_the_minimum_is_refused() {
    let mut game = game(&variation("deluxe", "first_word = 4"), 2);
    let turn = MoveText::parse("8G.CAT")
        .unwrap()
        .turn(game.position())
        .unwrap();
    let error = game.play(&turn).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the first word has 3 letters, it must have at least 4"
    );
    play(&mut game, "8G.CATS");
    play(&mut game, "H7.HA");
}

#[test]
fn the_exchange_limit_is_that_of_the_rule_book() {
    // 79 tiles are unseen with three players; plays of seven bring the bag down.
    let check = |preset: &str, bag: usize, exchanged: usize, allowed: bool| {
        let rules = variation(preset, "players = 2-4");
        let mut position = cazique::rules::Position::start(rules.clone(), 2).unwrap();
        let mut setup_bag = position.bag_len();
        let mut grid = cazique::board::Grid::new(15);
        let mut squares = rules.board.squares();
        for tile in rules.tiles.all().iter().filter_map(|tile| tile.letter()) {
            if setup_bag == bag {
                break;
            }
            grid.set(
                squares.next().unwrap(),
                Some(cazique::tiles::Face::natural(tile)),
            );
            setup_bag -= 1;
        }
        let setup = cazique::rules::Setup {
            grid,
            racks: vec![Default::default(); 2],
            scores: vec![Points(0); 2],
            scoreless_turns: 0,
        };
        position = cazique::rules::Position::new(rules, setup).unwrap();
        assert_eq!(position.bag_len(), bag);
        assert_eq!(
            position.check_exchange(exchanged).is_ok(),
            allowed,
            "{preset} {bag} {exchanged}"
        );
    };
    check("deluxe", 7, 1, true);
    check("deluxe", 6, 1, false);
    check("indigo", 6, 6, true);
    check("indigo", 6, 7, false);
    check("travel", 1, 1, true);
    check("school", 0, 1, false);
}

fn challenge(rule: &str, word_is_good: bool) -> (Game, Ruling) {
    let mut game = game(&variation("deluxe", &format!("challenge = {rule}")), 3);
    rack(&mut game, 0, "AEINRST");
    rack(&mut game, 1, "AEINRST");
    play(&mut game, "8D.RETAINS");
    let ruling = game.challenge(1, None, |_| word_is_good).unwrap();
    (game, ruling)
}

fn kinds(events: &[GameEvent]) -> Vec<EventKind> {
    events.iter().skip(1).map(|event| event.kind).collect()
}

#[test]
fn a_phony_comes_off_and_the_turn_is_lost_under_every_rule() {
    for rule in ["single", "double", "five_point", "ten_point"] {
        let (game, ruling) = challenge(rule, false);
        assert_eq!(ruling, Ruling::TakenOff, "{rule}");
        assert_eq!(kinds(game.events()), [EventKind::TakenOff]);
        assert!(game.position().grid().is_empty());
        assert_eq!(
            (scores(&game), game.position().to_move()),
            (vec![0, 0, 0], 1)
        );
        assert_eq!(
            game.position().rack(0).known.len(),
            7,
            "the tiles are back, and known"
        );
    }
    let (game, ruling) = challenge("triple", false);
    assert_eq!(
        (ruling, game.end()),
        (Ruling::TakenOffAndGameLost, Some(End::Forfeit(0)))
    );
}

#[test]
fn a_wrong_challenge_costs_what_the_rule_says() {
    let bingo = 66;
    let check = |rule: &str, ruling: Ruling, score: i32, turn: usize| {
        let (game, got) = challenge(rule, true);
        assert_eq!(got, ruling, "{rule}");
        assert_eq!(
            (game.position().score(0).0, game.position().to_move()),
            (score, turn),
            "{rule}"
        );
    };
    check("single", Ruling::Stands, bingo, 1);
    check("double", Ruling::ChallengerLosesTurn, bingo, 2);
    check("five_point", Ruling::BonusPoints(Points(5)), bingo + 5, 1);
    check("ten_point", Ruling::BonusPoints(Points(10)), bingo + 10, 1);
    let (game, ruling) = challenge("triple", true);
    assert_eq!(
        (ruling, game.end()),
        (Ruling::ChallengerLosesGame, Some(End::Forfeit(1)))
    );
    assert_eq!(game.outcome().unwrap().winner, Some(0));
}

#[test]
fn a_challenger_who_is_not_to_move_misses_the_next_own_turn() {
    let mut game = game(&rules("deluxe"), 3);
    play(&mut game, "8D.RETAINS");
    game.challenge(2, None, |_| true).unwrap();
    assert_eq!(game.position().to_move(), 1);
    play(&mut game, "pass");
    assert_eq!(
        game.position().to_move(),
        0,
        "the third player's turn is missed"
    );
    assert_eq!(
        game.events().last().map(|event| (event.seat, event.kind)),
        Some((2, EventKind::LostTurn))
    );
}

#[test]
fn only_the_last_play_of_an_opponent_can_be_challenged() {
    let mut game = game(&rules("deluxe"), 2);
    assert_eq!(
        game.challenge(1, None, |_| true),
        Err(ChallengeError::NoPlay)
    );
    play(&mut game, "8D.RETAINS");
    assert_eq!(
        game.challenge(0, None, |_| true),
        Err(ChallengeError::OwnPlay)
    );
    play(&mut game, "pass");
    assert_eq!(
        game.challenge(1, None, |_| true),
        Err(ChallengeError::NoPlay)
    );
}

#[test]
fn a_challenge_under_school_rules_is_about_one_word() {
    let mut game = game(&rules("school"), 2);
    play(&mut game, "8F.CAT");
    play(&mut game, "9E.XA");
    let xa_is_bad = |word: &[Letter]| word.len() != 2;
    assert_eq!(
        game.challenge(0, None, xa_is_bad),
        Err(ChallengeError::NoWordNamed)
    );
    assert_eq!(
        game.challenge(0, Some(&letters(&game, "DOG")), xa_is_bad),
        Err(ChallengeError::NotInPlay)
    );
    let named = game.last_words()[0].clone();
    assert_eq!(
        game.challenge(0, Some(&named), xa_is_bad),
        Ok(Ruling::TakenOff)
    );
}

#[test]
fn a_play_that_goes_out_can_still_be_challenged() {
    let mut game = three_players("");
    play(&mut game, "C3.BEF");
    assert_eq!(game.end(), Some(End::Out(2)));
    assert_eq!(game.challenge(0, None, |_| false), Ok(Ruling::TakenOff));
    assert_eq!((game.end(), game.position().to_move()), (None, 0));
    assert_eq!(scores(&game), [3, 13, 0]);
}

/// `Position` knows some of the tiles, `Deal` all of them; both follow `rules::flow`.
#[test]
fn a_position_and_a_deal_agree_on_turn_order_scores_and_the_end() {
    let mut ends = [0; 3];
    for (unit, (changes, players)) in (0..).zip([
        ("", 2),
        ("", 4),
        ("zero_turns = 1\nout = twice", 3),
        ("target = 60", 2),
        ("rack = 2\nzero_turns = 2", 4),
    ]) {
        let rules = variation("deluxe", changes);
        let graph = lexicon(&rules.tiles).graph();
        random_game(&rules, players, graph, Seed(unit), |game, turn| {
            // A third of the seats have turns to miss.
            let mut game = game.clone();
            for seat in game.position().turn_order().skip(1) {
                let turns = (game.events().len() + seat) % 3;
                game.lose_turns(seat, if turns == 1 { 2 } else { 0 });
            }
            let mut deal = Deal::sample(game.position(), Seed(unit));
            let points = game.play(turn).unwrap();
            deal.play(turn, points, &rules);
            let position = game.position();
            assert_eq!(deal.end(), position.end(), "{turn:?}");
            assert_eq!(deal.to_move(), position.to_move(), "{turn:?}");
            assert_eq!(deal.bag_len(), position.bag_len(), "{turn:?}");
            for seat in 0..players {
                assert_eq!(deal.score(seat), position.score(seat), "{turn:?}");
            }
            if let Some(outcome) = position.outcome() {
                assert_eq!(deal.outcome(&rules), Some(outcome), "{turn:?}");
            }
            match deal.end() {
                Some(End::Out(_)) => ends[0] += 1,
                Some(End::Scoreless) => ends[1] += 1,
                Some(End::Target(_)) => ends[2] += 1,
                _ => {}
            }
        });
    }
    assert!(ends.iter().all(|&seen| seen > 0), "{ends:?}");
}
