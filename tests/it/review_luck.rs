//! The luck of the draw in games of static players, whose value is just what rollouts estimate: it
//! is zero on average, and explains the results.

use crate::support::rules;
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::engine::{Engine, Mode, SearchData};
use cazique::review::luck;
use cazique::rules::{Position, Turn};
use cazique::seed::Seed;
use cazique::tiles::TileCounts;

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

#[test]
fn study() {
    let data = data();
    let knows = std::env::var("KNOWS").is_ok();
    let iterations = std::env::var("ITER").map_or(20, |text| text.parse().unwrap());
    let count: u64 = std::env::var("GAMES").map_or(4, |text| text.parse().unwrap());
    let begin = std::time::Instant::now();
    let position = Position::start(rules("tournament"), 2).unwrap();
    let start = luck::before_first_draw(&position, &data, 2000, Seed(9)).unwrap();
    eprintln!("start {start:?} {:?}", begin.elapsed());
    let begin = std::time::Instant::now();
    let (mut spreads, mut own, mut other, mut sums, mut error) =
        (vec![], vec![], vec![], vec![], 0.0);
    for unit in 0..count {
        let game = static_game(&data, Seed(100).for_unit(unit));
        let [a, b] = luck_of(&game, &data, iterations, knows);
        spreads.push(f64::from(game.spread(0).0));
        own.push(a[0]);
        other.push(b[0]);
        sums.push(a[0] - b[0]);
        error += a[1] + b[1];
    }
    let n = count as f64;
    let residual: Vec<f64> = spreads
        .iter()
        .zip(&sums)
        .map(|(s, l)| s - l - start.gain.value)
        .collect();
    eprintln!(
        "time {:?}, mean error of the luck of both {:.2}",
        begin.elapsed(),
        (error / n).sqrt()
    );
    for (name, values) in [
        ("spread", &spreads),
        ("luck 1", &own),
        ("luck 2", &other),
        ("residual", &residual),
    ] {
        let (mean, sd) = moments(values);
        eprintln!("{name}: mean {mean:.2} ± {:.2}, sd {sd:.2}", sd / n.sqrt());
    }
    eprintln!("correlation {:.3}", correlation(&spreads, &sums));
}
