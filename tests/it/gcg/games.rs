//! Random games that are written as records and read again: nothing is lost.

use super::{changed, check_law, digraphs, read_and_replay};
use crate::support::rules;
use cazique::board::{Axis, Grid, Lane, Square};
use cazique::notation::gcg::{GameRecord, GcgPlayer, NotRecordable, ReadMode};
use cazique::rules::{
    ChallengeRule, End, EventKind, Game, GameEvent, GoingOut, PRESETS, Placement, Position,
    RuleSet, Setup, SetupDetails, TargetGrade, TargetScore, Turn,
};
use cazique::seed::Seed;
use cazique::tiles::{Face, Tile, TileCounts};
use cazique::units::Points;
use rand::{Rng, RngExt};
use std::sync::Arc;

/// Which racks of a random game are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Everything,
    RackToMove,
    Nothing,
}

/// Makes the tiles known that the players would see by now.
fn reveal(game: &mut Game, known: Known, chance: &mut impl Rng) {
    match known {
        Known::Everything => game.deal_unknown(chance),
        Known::RackToMove => {
            let (position, seat) = (game.position(), game.position().to_move());
            let (mut unseen, hand) = (*position.unseen(), *position.rack(seat));
            let mut rack = hand.known;
            rack.add_all(&unseen.draw(hand.unknown.into(), chance));
            game.set_known_tiles(seat, rack).unwrap();
        }
        Known::Nothing => {}
    }
}

/// Tiles that the player to move may hold, shuffled.
fn tiles_to_move(game: &Game, chance: &mut impl Rng) -> Vec<Tile> {
    let hand = game.position().mover_rack();
    let mut unseen = *game.position().unseen();
    let mut tiles = hand.known;
    tiles.add_all(&unseen.draw(hand.unknown.into(), chance));
    let mut all: Vec<Tile> = Vec::new();
    while !tiles.is_empty() {
        all.extend(tiles.draw(1, chance).iter());
    }
    all
}

/// Random tiles on random squares, which is a legal play now and then.
fn random_placement(game: &Game, chance: &mut impl Rng) -> Option<Placement> {
    let (grid, rules) = (game.position().grid(), game.position().rules());
    let side = grid.side();
    let axis = Axis::BOTH[chance.random_range(0..2)];
    let lane = if grid.is_empty() {
        rules.board.start().lane(axis, side).0
    } else {
        Lane::new(axis, chance.random_range(0..side), side)
    };
    let from = chance.random_range(0..side);
    let squares: Vec<Square> = lane.onwards(from).collect();
    let mut tiles = tiles_to_move(game, chance).into_iter();
    let mut left = chance.random_range(1..=rules.rack_size);
    let mut cells = Vec::new();
    for &square in &squares {
        if grid.get(square).is_some() {
            cells.push(None);
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let Some(tile) = tiles.next() else { break };
        let letters: Vec<_> = rules.tiles.letters().collect();
        let any = letters[chance.random_range(0..letters.len())];
        cells.push(Some(tile.letter().map_or(Face::blank(any), Face::natural)));
    }
    let placement = Placement::new(squares[0], axis, &cells)?;
    game.position()
        .examine(&placement)
        .is_ok()
        .then_some(placement)
}

fn random_turn(game: &Game, known: Known, chance: &mut impl Rng) -> Turn {
    let position = game.position();
    let count = chance.random_range(1..=position.rules().rack_size);
    let can_exchange = position.check_exchange(count).is_ok();
    match chance.random_range(0..100) {
        0..4 => Turn::Pass,
        4..8 if can_exchange => Turn::ExchangeUnseen(count as u8),
        8..14 if can_exchange && known != Known::Nothing => {
            let tiles: TileCounts = tiles_to_move(game, chance)
                .into_iter()
                .take(count)
                .collect();
            Turn::Exchange(tiles)
        }
        _ => (0..400)
            .find_map(|_| random_placement(game, chance))
            .map_or(Turn::Pass, Turn::Place),
    }
}

/// Now and then a challenge, right or wrong, challenge points, or a play taken back.
fn random_challenge(game: &mut Game, chance: &mut impl Rng) {
    let Some((seat, _)) = game.last_play() else {
        return;
    };
    let players = game.position().player_count();
    let by = (seat + chance.random_range(1..players)) % players;
    let words = game.last_words();
    match chance.random_range(0..100) {
        0..6 => drop(game.challenge(by, &words, |_| false)),
        6..16 => drop(game.challenge(by, &words, |_| true)),
        16..19 => game.withdraw().unwrap(),
        19..22 => match game.position().rules().challenge {
            ChallengeRule::TenPoint => game.award(Points(10)),
            // No rule gives points and takes turns or games.
            ChallengeRule::Double | ChallengeRule::Triple => {}
            _ => game.award(Points(5)),
        },
        _ => {}
    }
}

fn random_game(rules: &Arc<RuleSet>, players: usize, known: Known, chance: &mut impl Rng) -> Game {
    // Some games do not start with seat 0.
    let first = match chance.random_range(0..4) {
        0 => chance.random_range(0..players),
        _ => 0,
    };
    let start = Position::start_with(rules.clone(), players, first);
    let mut game = Game::from_position(start.unwrap());
    let most = chance.random_range(0..120);
    for _ in 0..most {
        if game.end().is_some() {
            break;
        }
        reveal(&mut game, known, chance);
        let turn = random_turn(&game, known, chance);
        game.play(&turn).unwrap();
        if known == Known::Everything && chance.random() {
            game.deal_unknown(chance);
        }
        random_challenge(&mut game, chance);
        if game.end().is_none() && chance.random_range(0..100) == 0 {
            penalise_once(&mut game, chance.random_range(0..players), Points(10));
        }
    }
    reveal(&mut game, known, chance);
    // Points lost after the target was reached would reopen the game.
    let may_lose = rules.targets.is_empty();
    for seat in 0..players {
        if may_lose && chance.random_range(0..5) == 0 {
            penalise_once(&mut game, seat, Points(10 * chance.random_range(1..4)));
        }
    }
    game
}

/// Takes points for time, unless the player has lost some already.
fn penalise_once(game: &mut Game, seat: usize, points: Points) {
    let is_own = |event: &GameEvent| event.seat == seat && event.kind == EventKind::TimePenalty;
    if !game.events().iter().any(is_own) {
        game.penalise_time(seat, points);
    }
}

/// Every preset, and rules that the presets do not have.
fn many_rules() -> Vec<Arc<RuleSet>> {
    let mut all: Vec<Arc<RuleSet>> = PRESETS.iter().map(|name| rules(name)).collect();
    for (rule, ..) in ChallengeRule::NAMES {
        all.push(changed("deluxe", |values| values.challenge = rule));
        all.push(changed("school", |values| values.challenge = rule));
    }
    all.push(changed("indigo", |values| {
        values.going_out = GoingOut::Twice
    }));
    all.push(changed("super", |values| values.rack_size = 9));
    all.push(changed("travel", |values| {
        values.targets = vec![TargetScore::Grade(TargetGrade::Expert)];
    }));
    all.push(changed("tournament", |values| values.tiles = digraphs()));
    all
}

#[test]
fn a_game_that_is_written_and_read_is_the_same_game() {
    let (mut ends, mut kinds) = ([0; 5], [0; 5]);
    for (number, rules) in (0..).zip(many_rules()) {
        let (fewest, most) = rules.players;
        for unit in 0..36 {
            let mut chance = Seed(number).for_unit(unit).generator();
            let players = chance.random_range(fewest..=most);
            let known = [Known::Everything, Known::RackToMove, Known::Nothing][unit as usize % 3];
            let game = random_game(&rules, players, known, &mut chance);
            check_law(&game, &format!("{} {unit} {known:?}", rules.name));
            ends[match game.end() {
                None => 0,
                Some(End::Out(_)) => 1,
                Some(End::Scoreless) => 2,
                Some(End::Target(_)) => 3,
                Some(End::Forfeit(_)) => 4,
            }] += 1;
            for event in game.events() {
                kinds[match event.kind {
                    EventKind::Turn(_) => 0,
                    EventKind::TakenOff => 1,
                    EventKind::ChallengeBonus => 2,
                    EventKind::LostTurn => 3,
                    EventKind::TimePenalty => 4,
                }] += 1;
            }
        }
    }
    assert!(ends.iter().all(|&n| n > 5), "{ends:?}");
    assert!(kinds.iter().all(|&n| n > 50), "{kinds:?}");
}

/// What every onlooker sees of a position.
fn seen(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let seats = position.turn_order();
    let by_seat = |seat| {
        let hand = position.rack(seat).len();
        (seat, hand, position.score(seat), position.lost_turns(seat))
    };
    let players: Vec<_> = seats.map(by_seat).collect();
    (
        position.grid().clone(),
        position.bag_len(),
        position.scoreless_turns(),
        players,
    )
}

#[test]
fn before_each_turn_only_the_own_rack_is_known() {
    let (mut turns, mut shown) = (0, 0);
    for (number, rules) in (0..).zip(many_rules()) {
        for unit in 0..12 {
            let mut chance = Seed(100 + number).for_unit(unit).generator();
            let players = chance.random_range(rules.players.0..=rules.players.1);
            let known = [Known::Everything, Known::RackToMove, Known::Nothing][unit as usize % 3];
            let game = random_game(&rules, players, known, &mut chance);
            let text = GameRecord::of(&game, &[]).unwrap().to_text();
            let (record, replay) =
                read_and_replay(text.as_bytes(), &rules, ReadMode::Strict).unwrap();
            let steps = replay.steps.iter().zip(game.events());
            let taken = steps.filter(|(_, event)| matches!(event.kind, EventKind::Turn(_)));
            let positions: Vec<&Position> = taken.map(|(step, _)| &step.before).collect();
            assert_eq!(record.turns(), positions.len(), "{text}");
            for (turn, &position) in positions.iter().enumerate() {
                let (before, problems) = record.before(turn, &rules).unwrap();
                let context = format!("turn {turn} of {text}");
                assert_eq!(problems, [], "{context}");
                let before = before.position();
                assert_eq!(seen(before), seen(position), "{context}");
                assert_eq!(before.mover_rack(), position.mover_rack(), "{context}");
                for seat in before.turn_order().skip(1) {
                    let (mut all, others) = (position.rack(seat).known, before.rack(seat).known);
                    assert!(all.take_all(&others).is_ok(), "{context}");
                    let came_off = game
                        .events()
                        .iter()
                        .any(|event| event.seat == seat && event.kind == EventKind::TakenOff);
                    assert!(came_off || others.is_empty(), "{context}");
                    shown += usize::from(!others.is_empty());
                }
                turns += 1;
            }
            let (end, problems) = record.before(record.turns(), &rules).unwrap();
            assert_eq!(problems, [], "{text}");
            assert_eq!(end.end(), game.end(), "{text}");
            assert_eq!(seen(end.position()), seen(game.position()), "{text}");
        }
    }
    assert!(turns > 5_000 && shown > 50, "{turns} {shown}");
}

#[test]
fn a_game_from_a_position_has_no_record() {
    let mut game = Game::new(rules("tournament"), 2).unwrap();
    let mut chance = Seed(5).generator();
    let placement = std::iter::repeat_with(|| random_placement(&game, &mut chance));
    let placement = placement.flatten().next().unwrap();
    game.play(&Turn::Place(placement)).unwrap();
    let later = Game::from_position(game.position().clone());
    let error = GameRecord::of(&later, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the game does not start with an empty board, so it has no record; write its position instead"
    );
}

#[test]
fn what_a_record_cannot_express_is_an_error() {
    let check = |details: SetupDetails, zeros: u8, racks: [&str; 3], part: Option<&'static str>| {
        let rules = rules("deluxe");
        let read = |rack: &str| rules.tiles.read_tiles(rack).unwrap();
        let setup = Setup {
            grid: Grid::new(15),
            racks: racks.map(read).to_vec(),
            scores: vec![Points::ZERO; 3],
            scoreless_turns: zeros,
            details,
        };
        let game = Game::from_position(Position::new(rules.clone(), setup).unwrap());
        assert_eq!(
            GameRecord::of(&game, &[]).err(),
            part.map(NotRecordable::Lost)
        );
    };
    let unusual = SetupDetails {
        to_move: 2,
        owed_turns: Some(vec![0, 1, 2]),
        ..SetupDetails::default()
    };
    check(unusual, 0, ["AEINRST", "AB", ""], None);
    check(SetupDetails::default(), 1, [""; 3], Some("scoreless turns"));
    let sizes = Some("numbers of tiles on the racks");
    check(SetupDetails::default(), 0, ["AEI", "", ""], sizes);
}

#[test]
fn the_seat_to_move_first_and_the_names_of_teams_are_kept() {
    let start = Position::start_with(rules("deluxe"), 3, 1).unwrap();
    let mut game = Game::from_position(start);
    let names = ["The Red Foxes", "Class 4b, Ann and Bob", ""];
    let players = names.map(|name| GcgPlayer {
        line: 0,
        nick: name.split(' ').next_back().unwrap_or_default().to_string(),
        name: name.to_string(),
    });
    for _ in 0..2 {
        let record = GameRecord::of(&game, &players).unwrap();
        let text = record.to_text();
        assert!(text.contains("#first-move Bob\n"), "{text}");
        let (read, replay) =
            read_and_replay(text.as_bytes(), game.position().rules(), ReadMode::Strict).unwrap();
        assert_eq!(
            read.players.iter().map(|it| &it.name).collect::<Vec<_>>(),
            names
        );
        assert_eq!(replay.players, [0, 1, 2]);
        assert_eq!(replay.game.position(), game.position());
        game.play(&Turn::Pass).unwrap();
    }
    let text = "#player1 a\n#player2 b\n#first-move c\n>a: - +0 0\n";
    let problem = read_and_replay(text.as_bytes(), &rules("tournament"), ReadMode::Strict);
    let what = "line 3: #first-move names 'c', who does not play";
    assert_eq!(problem.unwrap_err().to_string(), what);
}

#[test]
fn nicknames_are_made_fit_for_events() {
    let game = Game::new(rules("deluxe"), 4).unwrap();
    let player = |nick: &str, name: &str| GcgPlayer {
        line: 0,
        nick: nick.to_string(),
        name: name.to_string(),
    };
    let players = [
        player("Ann Lee", "Ann\nLee"),
        player("", ""),
        player("Ann_Lee", ""),
    ];
    let text = GameRecord::of(&game, &players).unwrap().to_text();
    assert_eq!(
        text,
        "#character-encoding UTF-8\n#player1 Ann_Lee Ann Lee\n#player2 player2\n#player3 Ann_Lee_\n#player4 player4\n#game-type deluxe\n"
    );
}
