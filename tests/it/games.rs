//! Short games with known scores and results, and random games that compare `Position` with `Deal`.

use crate::support::{lexicon, own_rules, random_game, rules, variation};
use cazique::board::{Axis, Grid, Square};
use cazique::notation::coordinate::Coordinate;
use cazique::notation::moves::MoveText;
use cazique::rules::{
    ChallengeError, Deal, End, EventKind, Game, GameEvent, PRESETS, Position, RuleSet, Ruling,
    Score, Setup, Turn,
};
use cazique::seed::Seed;
use cazique::tiles::{Face, Letter, Tile};
use cazique::units::Points;
use std::sync::Arc;

/// A game with unknown racks: every unseen tile can be played.
fn game(rules: &Arc<RuleSet>, players: usize) -> Game {
    Game::new(rules.clone(), players).unwrap()
}

fn turn(game: &Game, text: &str) -> Turn {
    let read = MoveText::parse(text).and_then(|text| text.turn(game.position()));
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn play(game: &mut Game, text: &str) -> i32 {
    let points = game.play(&turn(game, text));
    points.unwrap_or_else(|error| panic!("{text}: {error}")).0
}

/// The score of a placement, whatever the rack.
fn placement_score(game: &Game, text: &str) -> Score {
    game.position()
        .examine_without_rack(&turn(game, text))
        .unwrap()
}

/// Plays several moves. A step such as `0=AB` gives the player on seat 0 a rack instead.
fn play_all(game: &mut Game, steps: &str) {
    for step in steps.split(' ') {
        if let Some((seat, tiles)) = step.split_once('=') {
            let tiles = game.position().rules().tiles.read_tiles(tiles).unwrap();
            game.set_rack(seat.parse().unwrap(), tiles).unwrap();
        } else {
            play(game, step);
        }
    }
}

fn scores(game: &Game) -> Vec<i32> {
    let position = game.position();
    let score = |seat| position.score(seat).0;
    (0..position.player_count()).map(score).collect()
}

fn letters(game: &Game, word: &str) -> Vec<Letter> {
    let faces = game.position().rules().tiles.read_faces(word).unwrap();
    faces.into_iter().map(Face::letter).collect()
}

#[test]
fn the_worked_example_scores_as_the_books_say_on_both_boards() {
    for preset in PRESETS {
        let rules = rules(preset);
        let side = rules.board.side();
        let centre = rules.board.start();
        let (row, column) = (centre.row(side), centre.column(side));
        let at = |down: i8, right: i8, axis: Axis| {
            let (row, column) = (
                row.wrapping_add_signed(down),
                column.wrapping_add_signed(right),
            );
            Coordinate::of(Square::new(row, column, side), axis, side).to_string()
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
            let played = play(&mut game, &format!("{coordinate}.{word}"));
            assert_eq!(played, points, "{preset} {word}");
        }
        assert_eq!(scores(&game), [14 + 25 + 16, 9 + 16], "{preset}");
    }
}

#[test]
fn the_parts_of_a_score_add_up_to_its_total() {
    let mut game = game(&rules("tournament"), 2);
    play(&mut game, "8F.HORN");
    play(&mut game, "H6.FARM");
    let score = placement_score(&game, "10F.PASTE");
    let words = score.words.iter();
    let words = words.map(|word| (word.total().0, word.factor, word.letters.len()));
    assert_eq!(words.collect::<Vec<_>>(), [(15, 1, 5), (10, 1, 5)]);
    let paste = score.words[0].letters.iter();
    assert!(paste.clone().all(|letter| letter.fresh));
    let values = paste.map(|letter| (letter.value.0, letter.factor));
    let expected = [(3, 3), (1, 1), (1, 1), (1, 1), (1, 3)];
    assert_eq!(values.collect::<Vec<_>>(), expected);
    assert_eq!((score.bonus, score.total()), (Points(0), Points(25)));
}

/// Rules for games that end within a few turns: a 5x5 board without premiums, and one tile of each
/// of ten letters, worth its number in the alphabet.
fn tiny(changes: &str) -> Arc<RuleSet> {
    let tile = |(upper, value): (char, i32)| {
        let lower = upper.to_ascii_lowercase();
        format!("{upper},{lower},1,{value},0\n")
    };
    let tiles: String = ('A'..='J').zip(1..).map(tile).collect();
    let changes = format!("rack = 2\nplayers = 2-4\n{changes}");
    own_rules(&".....\n".repeat(5), &tiles, &changes)
}

/// Three players with two of ten tiles each, and four tiles in the bag, which are drawn within
/// three turns.
fn three_players(changes: &str) -> Game {
    let mut game = game(&tiny(changes), 3);
    play_all(&mut game, "0=AB 1=CD 2=EF");
    assert_eq!(game.position().bag_len(), 4);
    assert_eq!(play(&mut game, "3B.AB"), 3);
    play_all(&mut game, "0=GH");
    // The C also forms ABC.
    assert_eq!(play(&mut game, "D3.CD"), 7 + 6);
    play_all(&mut game, "1=IJ");
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
    let scores = [3 - 15, 13 - 19, 22 + 34].map(Points);
    assert_eq!(outcome.scores, scores);
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
    assert_eq!(outcome.scores, [3 - 15, 13 - 19, -11].map(Points));
    assert_eq!(outcome.winner, Some(1));

    let mut tournament = game(&rules("tournament"), 2);
    play_all(&mut tournament, "0=AEINRST 1=AEINRST");
    for turn in ["ex.AE", "pass", "ex.3", "pass", "pass"] {
        play(&mut tournament, turn);
        assert_eq!(tournament.end(), None);
    }
    play(&mut tournament, "pass");
    assert_eq!(tournament.end(), Some(End::Scoreless));
}

#[test]
fn a_round_of_passes_counts_the_seats_that_passed() {
    let mut game = game(&rules("deluxe"), 3);
    play(&mut game, "8D.RETAINS");
    // The second player passes, the third has lost a turn, and the first two pass: the third has
    // not passed.
    game.lose_turns(2, 1);
    play_all(&mut game, "pass pass pass");
    assert_eq!((game.end(), game.position().to_move()), (None, 2));
    play(&mut game, "pass");
    assert_eq!(game.end(), Some(End::Scoreless));
}

#[test]
fn passes_before_a_long_first_word_do_not_end_a_family_game() {
    let rules = variation("deluxe", "first_word = 5\nmax_scoreless_rounds = 3");
    let mut game = game(&rules, 2);
    for _ in 0..5 {
        play(&mut game, "pass");
        assert_eq!(game.end(), None);
    }
    play(&mut game, "ex.2");
    assert_eq!(game.end(), Some(End::Scoreless));
}

#[test]
fn players_who_only_exchange_end_a_family_game_after_six_rounds() {
    for (rounds, end) in [
        ("", Some(End::Scoreless)),
        ("max_scoreless_rounds = 0", None),
    ] {
        let mut game = game(&variation("deluxe", rounds), 3);
        play(&mut game, "8D.RETAINS");
        for _ in 0..17 {
            play(&mut game, "ex.1");
            assert_eq!(game.end(), None);
        }
        play(&mut game, "ex.1");
        assert_eq!(game.end(), end, "{rounds}");
    }
}

#[test]
fn a_time_penalty_after_a_target_win_does_not_reopen_the_game() {
    let mut game = game(&variation("travel", "target = 60"), 2);
    play(&mut game, "8D.RETAINS");
    assert_eq!(game.end(), Some(End::Target(0)));
    game.penalise_time(0, Points(10));
    assert_eq!(game.end(), Some(End::Target(0)));
    assert_eq!(game.outcome().unwrap().winner, Some(0));
    assert_eq!(scores(&game), [56, 0]);
    assert!(game.play(&Turn::Pass).is_err());
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
fn a_tie_goes_to_the_player_who_led_before_the_settlement_or_is_a_draw() {
    // Both end with -8: 3 - (5 + 6) and 5 - (4 + 9). The player with 5 points led.
    for (tie, winner) in [("before_adjustment", Some(1)), ("draw", None)] {
        let rules = tiny(&format!("zero_turns = round\ntie = {tie}"));
        let mut game = game(&rules, 2);
        play_all(&mut game, "0=AB 1=CD 3B.AB 0=EF C3.BC 1=DI pass pass");
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome.scores, [Points(-8), Points(-8)]);
        assert_eq!(outcome.winner, winner, "{tie}");
    }
}

#[test]
fn a_tie_before_and_after_is_a_draw() {
    let mut game = game(&rules("deluxe"), 2);
    play_all(&mut game, "0=AEINRST 1=AEINRST pass pass");
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome.scores, [Points(-7), Points(-7)]);
    assert_eq!(outcome.winner, None);
}

#[test]
fn both_rules_about_going_out_lead_to_the_same_spread() {
    let ends = ["sum", "twice"].map(|out| {
        let mut game = game(&tiny(&format!("out = {out}")), 2);
        play_all(&mut game, "0=AB 1=CD 3B.AB 0=EF D3.CD 1=IJ C3.BEF");
        play_all(&mut game, "0=GH pass 5C.FGH");
        game.outcome().unwrap()
    });
    assert_eq!(ends[0].adjustments, [Points(19), Points(-19)]);
    assert_eq!(ends[1].adjustments, [Points(38), Points(0)]);
    let [once, twice] = ends.map(|end| end.scores[0] - end.scores[1]);
    assert_eq!(once, twice);
}

#[test]
fn a_target_ends_the_game_the_moment_it_is_reached() {
    let rules = variation("deluxe", "target = beginner");
    // With three players the target is 60 points.
    let mut game = game(&rules, 3);
    assert_eq!(rules.target(0, 3), Some(Points(60)));
    assert_eq!(play(&mut game, "8E.QUIZ"), 44);
    play_all(&mut game, "pass pass");
    assert_eq!(game.end(), None);
    play_all(&mut game, "H7.AZO pass pass 9H.OXEN");
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
    assert_eq!(outcome.winner, Some(1));
    assert_eq!(outcome.scores, [Points(44), Points(30)]);
}

#[test]
fn plays_of_seven_to_nine_tiles_earn_the_bonus() {
    let rules = variation("deluxe", "rack = 9\nbonus = 7:50 8:50 9:50");
    let bonus = |text| placement_score(&game(&rules, 2), text).bonus.0;
    let words = ["8D.PARTED", "8D.PARTIED", "8D.PARTITES", "8D.PARTITION"];
    assert_eq!(words.map(bonus), [0, 50, 50, 50]);
}

#[test]
fn a_first_word_below_the_minimum_is_refused() {
    let mut game = game(&variation("deluxe", "first_word = 4"), 2);
    let error = game.play(&turn(&game, "8G.CAT")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the first word has 3 letters, it must have at least 4"
    );
    play(&mut game, "8G.CATS");
    play(&mut game, "H7.HA");
}

#[test]
fn the_exchange_limit_is_that_of_the_rule_book() {
    // Letters on the board bring the bag down to `bag` tiles.
    let check = |preset: &str, bag: usize, exchanged: usize, allowed: bool| {
        let rules = variation(preset, "players = 2-4");
        let start = Position::start(rules.clone(), 2).unwrap();
        let all = rules.tiles.all();
        let letters = all.iter().filter_map(Tile::letter);
        let mut grid = Grid::new(15);
        let squares = rules.board.squares();
        for (square, letter) in squares.zip(letters.take(start.bag_len() - bag)) {
            grid.set(square, Some(Face::natural(letter)));
        }
        let setup = Setup {
            grid,
            racks: vec![Default::default(); 2],
            scores: vec![Points(0); 2],
            scoreless_turns: 0,
            details: Default::default(),
        };
        let position = Position::new(rules, setup).unwrap();
        assert_eq!(position.bag_len(), bag);
        let exchange = position.check_exchange(exchanged);
        assert_eq!(exchange.is_ok(), allowed, "{preset} {bag} {exchanged}");
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
    play_all(&mut game, "0=AEINRST 1=AEINRST 8D.RETAINS");
    let ruling = game.challenge(1, &[], |_| word_is_good).unwrap();
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
        assert_eq!(scores(&game), [0, 0, 0]);
        assert_eq!(game.position().to_move(), 1);
        // The tiles are back, and known.
        assert_eq!(game.position().rack(0).known.len(), 7);
    }
    let (game, ruling) = challenge("triple", false);
    assert_eq!(ruling, Ruling::TakenOffAndGameLost);
    assert_eq!(game.end(), Some(End::Forfeit(0)));
}

#[test]
fn a_wrong_challenge_costs_what_the_rule_says() {
    let bingo = 66;
    let check = |rule: &str, ruling: Ruling, score: i32, turn: usize| {
        let (game, got) = challenge(rule, true);
        assert_eq!(got, ruling, "{rule}");
        let position = game.position();
        assert_eq!((position.score(0).0, position.to_move()), (score, turn));
    };
    check("single", Ruling::Stands, bingo, 1);
    check("double", Ruling::ChallengerLosesTurn, bingo, 2);
    check("five_point", Ruling::BonusPoints(Points(5)), bingo + 5, 1);
    check("ten_point", Ruling::BonusPoints(Points(10)), bingo + 10, 1);
    let (game, ruling) = challenge("triple", true);
    assert_eq!(ruling, Ruling::ChallengerLosesGame);
    assert_eq!(game.end(), Some(End::Forfeit(1)));
    assert_eq!(game.outcome().unwrap().winner, Some(0));
}

#[test]
fn a_challenger_who_is_not_to_move_misses_the_next_own_turn() {
    let mut game = game(&rules("deluxe"), 3);
    play(&mut game, "8D.RETAINS");
    game.challenge(2, &[], |_| true).unwrap();
    assert_eq!(game.position().to_move(), 1);
    play(&mut game, "pass");
    // The third player's turn is missed.
    assert_eq!(game.position().to_move(), 0);
    let last = game.events().last().unwrap();
    assert_eq!((last.seat, last.kind), (2, EventKind::LostTurn));
}

#[test]
fn only_the_last_play_of_an_opponent_can_be_challenged() {
    let mut game = game(&rules("deluxe"), 2);
    let challenge = |game: &mut Game, by| game.challenge(by, &[], |_| true).unwrap_err();
    assert_eq!(challenge(&mut game, 1), ChallengeError::NoPlay);
    play(&mut game, "8D.RETAINS");
    assert_eq!(challenge(&mut game, 0), ChallengeError::OwnPlay);
    play(&mut game, "pass");
    assert_eq!(challenge(&mut game, 1), ChallengeError::NoPlay);
}

#[test]
fn a_challenge_under_school_rules_is_about_one_word() {
    let mut game = game(&rules("school"), 2);
    play(&mut game, "8F.CAT");
    play(&mut game, "9E.XA");
    let (dog, xa) = (letters(&game, "DOG"), game.last_words()[0].clone());
    let mut challenge = |words: &[_]| game.challenge(0, words, |word| word.len() != 2);
    assert_eq!(challenge(&[]), Err(ChallengeError::NoWordNamed));
    assert_eq!(
        challenge(&[xa.clone(), dog]),
        Err(ChallengeError::NotInPlay)
    );
    assert_eq!(challenge(&[xa]), Ok(Ruling::TakenOff));
}

#[test]
fn a_play_that_goes_out_can_still_be_challenged() {
    let mut game = three_players("");
    play(&mut game, "C3.BEF");
    assert_eq!(game.end(), Some(End::Out(2)));
    assert_eq!(game.challenge(0, &[], |_| false), Ok(Ruling::TakenOff));
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
