//! The luck of the draw in games of static players, whose value is just what rollouts estimate: it
//! is zero on average, and explains the results.

use crate::support::rules;
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::engine::{Engine, Mode, SearchData};
use cazique::review::{ReviewDocument, ReviewFigure, ReviewedPlayer, luck};
use cazique::rules::{Position, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts};

/// A turn of a finished game: the position before it with the racks that are known, the move, and
/// the tiles drawn after it.
struct PlayedTurn {
    position: Position,
    turn: Turn,
    drawn: TileCounts,
}

/// The data of the engine as it starts.
fn data() -> SearchData {
    let data = Engine::new().unwrap().prepare(Mode::Simulate).unwrap();
    data.finish_word_map();
    data
}

/// A game of two static players.
fn static_game(data: &SearchData, seed: Seed) -> GameResult {
    let rules = rules("tournament");
    let knowledge = data.knowledge();
    let players = Players {
        rules: &rules,
        words: knowledge.vocabulary.known,
        each: vec![PlayerKind::Static(knowledge.leaves); 2],
    };
    play(&players, 0, seed)
}

/// The turns of a game. `knows` says whether positions know the rack of the opponent too.
fn turns(game: &GameResult, knows: bool) -> Vec<PlayedTurn> {
    let mut position = Position::start(rules("tournament"), 2).unwrap();
    let mut turns = Vec::new();
    // The rack of the player of turn `at` before that turn, or at the end of the game.
    let rack = |at: usize| game.racks.get(at).copied().unwrap_or(game.left[at % 2]);
    for (at, turn) in game.turns.iter().enumerate() {
        let seat = position.to_move();
        assert_eq!(seat, at % 2);
        position.set_rack(seat, rack(at)).unwrap();
        match knows && at > 0 {
            true => position.set_rack(1 - seat, rack(at + 1)).unwrap(),
            false => position.forget_rack(1 - seat),
        }
        let mut kept = rack(at);
        kept.take_all(&turn.tiles_from_rack()).unwrap();
        turns.push(PlayedTurn {
            position: position.clone(),
            turn: *turn,
            drawn: rack(at + 2).lacking_in(&kept),
        });
        position.play(turn).unwrap();
    }
    turns
}

/// The luck of a game in points, by seat, and its variance by the standard errors.
fn luck_of(game: &GameResult, data: &SearchData, iterations: u64, knows: bool) -> [[f64; 2]; 2] {
    let mut sums = [[0.0; 2]; 2];
    for (at, played) in turns(game, knows).iter().enumerate() {
        let PlayedTurn {
            position,
            turn,
            drawn,
        } = played;
        let seed = Seed(at as u64);
        let rack = (at < 2).then(|| luck::of_first_rack(position, data, iterations, seed));
        let draw = luck::of_draw(position, turn, drawn, data, iterations, seed);
        assert_eq!(draw.is_some(), !drawn.is_empty(), "turn {at}");
        for found in rack.flatten().into_iter().chain(draw) {
            sums[at % 2][0] += found.points.value;
            sums[at % 2][1] += found.points.error.unwrap().powi(2);
        }
    }
    sums
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0)).sqrt())
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let ((mean_a, sd_a), (mean_b, sd_b)) = (moments(a), moments(b));
    let products = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b));
    products.sum::<f64>() / (a.len() as f64 - 1.0) / sd_a / sd_b
}

/// A position in the middle of a game of static players whose racks are both known, and the move that
/// was played there.
fn middle_turn(data: &SearchData) -> PlayedTurn {
    let game = static_game(data, Seed(3));
    turns(&game, true).swap_remove(8)
}

#[test]
fn luck_is_zero_on_average_and_positive_for_good_tiles() {
    let data = data();
    let PlayedTurn {
        position,
        turn,
        drawn,
    } = middle_turn(&data);
    let luck = |drawn: &TileCounts, seed: u64| {
        luck::of_draw(&position, &turn, drawn, &data, 20, Seed(seed)).unwrap()
    };
    let mut random = Seed(5).generator();
    let draw = |_| position.unseen().clone().draw(drawn.len(), &mut random);
    let draws: Vec<TileCounts> = (0..60).map(draw).collect();
    let lucks = draws.iter().zip(0..);
    let points: Vec<f64> = lucks
        .map(|(drawn, seed)| luck(drawn, seed).points.value)
        .collect();
    let (mean, deviation) = moments(&points);
    let error = deviation / (points.len() as f64).sqrt();
    assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
    // A draw with a blank is a good one.
    let most = draws
        .iter()
        .max_by_key(|draw| draw.count(Tile::BLANK))
        .unwrap();
    assert!(most.count(Tile::BLANK) > 0);
    let found = luck::of_draw(&position, &turn, most, &data, 200, Seed(1)).unwrap();
    assert!(
        found.points.value > 3.0 * found.points.error.unwrap(),
        "{found:?}"
    );
    assert!(
        found.win.value > 2.0 * found.win.error.unwrap(),
        "{found:?}"
    );
    assert_eq!(
        luck(&drawn, 1),
        luck(&drawn, 1),
        "the same seed gives the same luck"
    );
}

#[test]
fn luck_explains_the_results_of_equal_players() {
    let data = data();
    let position = Position::start(rules("tournament"), 2).unwrap();
    let start = luck::before_first_draw(&position, &data, 300, Seed(9)).unwrap();
    let start_error = start.gain.error.unwrap();
    assert!((0.0..40.0).contains(&start.gain.value), "{start:?}");
    let (mut spreads, mut luck, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let mut variance = 0.0;
    for unit in 0..16 {
        let game = static_game(&data, Seed(100).for_unit(unit));
        let [first, second] = luck_of(&game, &data, 12, true);
        spreads.push(f64::from(game.spread(0).0));
        luck.push(first[0] - second[0]);
        own.extend([first[0], second[0]]);
        variance += (first[1] + second[1]) / 16.0;
    }
    // The luck of a player is zero on average, and its errors are as large as they are said to be.
    let (mean, deviation) = moments(&own);
    assert!(mean.abs() < 3.0 * deviation / 32f64.sqrt(), "{mean}");
    let residuals = spreads
        .iter()
        .zip(&luck)
        .map(|(spread, luck)| spread - luck);
    let residuals: Vec<f64> = residuals.map(|rest| rest - start.gain.value).collect();
    let (mean, deviation) = moments(&residuals);
    assert!(
        mean.abs() < 3.0 * (deviation / 4.0).hypot(start_error),
        "{mean}"
    );
    assert!(deviation < 1.7 * variance.sqrt(), "{deviation} {variance}");
    let correlation = correlation(&spreads, &luck);
    assert!(correlation > 0.85, "{correlation}");
}

#[test]
fn without_a_random_draw_there_is_no_luck() {
    let data = data();
    let of_draw = |position: &Position, turn: &Turn, drawn: &TileCounts| {
        luck::of_draw(position, turn, drawn, &data, 2, Seed(1))
    };
    let game = static_game(&data, Seed(3));
    let turns = turns(&game, true);
    let mut last_draws = 0;
    for (at, played) in turns.iter().enumerate() {
        let PlayedTurn {
            position,
            turn,
            drawn,
        } = played;
        let found = of_draw(position, turn, drawn);
        assert_eq!(found.is_some(), !drawn.is_empty());
        // The last draw takes the whole bag. As both racks are known, it cannot be another one.
        if drawn.len() == position.bag_len() && !drawn.is_empty() {
            last_draws += 1;
            assert_eq!(found.map(|luck| luck.points.value), Some(0.0), "turn {at}");
        }
    }
    assert_eq!(last_draws, 1);

    let PlayedTurn {
        mut position,
        turn,
        drawn,
    } = middle_turn(&data);
    // A tile too few, a tile that is on a rack or on the board, and a move that is not legal.
    let fewer: TileCounts = drawn.iter().skip(1).collect();
    assert_eq!(of_draw(&position, &turn, &fewer), None);
    let all = position.rules().tiles.all();
    let absent = all
        .kinds()
        .find(|(tile, _)| position.unseen().count(*tile) == 0);
    let (absent, _) = absent.expect("some letter is used up");
    let impossible = fewer.iter().chain([absent]).collect();
    assert_eq!(of_draw(&position, &turn, &impossible), None);
    let illegal = Turn::Exchange([absent].into_iter().collect());
    assert_eq!(of_draw(&position, &illegal, &drawn), None);
    // The rack of the player to move has to be known.
    let first_rack = |position: &Position| luck::of_first_rack(position, &data, 2, Seed(1));
    assert!(first_rack(&position).is_some());
    position.forget_rack(position.to_move());
    assert_eq!(first_rack(&position), None);
    assert_eq!(of_draw(&position, &turn, &drawn), None);
    // Three players.
    let mut three = Position::start(rules("deluxe"), 3).unwrap();
    three
        .set_rack(0, rules("deluxe").tiles.read_tiles("AEINRST").unwrap())
        .unwrap();
    assert_eq!(first_rack(&three), None);
    assert_eq!(luck::before_first_draw(&three, &data, 2, Seed(1)), None);
}

#[test]
fn start_luck_mistakes_and_residual_add_up_to_the_spread() {
    let figure = |value| ReviewFigure {
        value,
        error: Some(1.0),
    };
    let player = |score, lost, luck| ReviewedPlayer {
        score,
        points_lost: figure(lost),
        luck: Some(figure(luck)),
        ..ReviewedPlayer::default()
    };
    let document = ReviewDocument {
        players: vec![player(420, 30.0, 25.5), player(400, 12.0, -10.0)],
        ..ReviewDocument::default()
    };
    let balance = luck::balance(&document, 14.0).unwrap();
    assert_eq!(balance.mistakes, [-30.0, -12.0]);
    assert_eq!(balance.luck, [25.5, -10.0]);
    // 14 - 30 + 12 + 25.5 + 10 = 31.5.
    assert_eq!((balance.start, balance.spread), (14.0, 20));
    assert!((balance.residual + 11.5).abs() < 1e-9, "{balance:?}");

    let mut unfinished = document.clone();
    unfinished.unfinished = true;
    let mut without_luck = document.clone();
    without_luck.players[1].luck = None;
    let mut three = document.clone();
    three.players.push(player(1, 0.0, 0.0));
    for document in [unfinished, without_luck, three] {
        assert_eq!(luck::balance(&document, 14.0), None);
    }
}
