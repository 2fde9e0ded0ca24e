//! Game records: what they say, what they contradict, and that nothing is lost in writing.

use cazique::board::{Axis, Lane, Square};
use cazique::notation::gcg::{MAX_EVENTS, Mode, Player, Problem, Record, Replay, What};
use cazique::rules::{
    ChallengeRule, Embedded, End, EventKind, Game, GoingOut, Level, Library, PRESETS, Placement,
    RuleSet, RuleValues, Target, Turn,
};
use cazique::seed::Seed;
use cazique::tiles::{Bunch, Face, Tile, TileSet};
use cazique::units::Points;
use rand::{Rng, RngExt};
use std::sync::Arc;
use std::time::Instant;

fn rules(name: &str) -> Arc<RuleSet> {
    Arc::new(Embedded.rules(name).unwrap())
}

fn changed(name: &str, change: impl FnOnce(&mut RuleValues)) -> Arc<RuleSet> {
    let mut values = Embedded.rules(name).unwrap().into_values();
    change(&mut values);
    Arc::new(RuleSet::new(values).unwrap())
}

/// Reads and replays.
fn told(bytes: &[u8], rules: &Arc<RuleSet>, mode: Mode) -> Result<(Record, Replay), Problem> {
    let (record, mut problems) = Record::parse(bytes, mode)?;
    let mut replay = record.replay(rules, mode)?;
    problems.append(&mut replay.problems);
    replay.problems = problems;
    Ok((record, replay))
}

// ---- random games -------------------------------------------------------

/// Who knows what in a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Everything,
    RackOnTurn,
    Nothing,
}

/// Tells the game what its players would see by now.
fn reveal(game: &mut Game, known: Known, chance: &mut impl Rng) {
    match known {
        Known::Everything => game.deal(chance),
        Known::RackOnTurn => {
            let (position, seat) = (game.position(), game.position().turn());
            let (mut unseen, hand) = (*position.unseen(), *position.hand(seat));
            let mut rack = hand.known;
            rack.add_all(&unseen.draw(hand.unknown.into(), chance));
            game.know(seat, rack).unwrap();
        }
        Known::Nothing => {}
    }
}

/// Tiles the player on turn may well hold, shuffled.
fn tiles_on_turn(game: &Game, chance: &mut impl Rng) -> Vec<Tile> {
    let hand = game.position().hand_on_turn();
    let mut unseen = *game.position().unseen();
    let mut tiles = hand.known;
    tiles.add_all(&unseen.draw(hand.unknown.into(), chance));
    let mut all: Vec<Tile> = Vec::new();
    while !tiles.is_empty() {
        all.extend(tiles.draw(1, chance).iter());
    }
    all
}

/// Some tiles laid somewhere: legal now and then.
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
    let mut tiles = tiles_on_turn(game, chance).into_iter();
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
            let tiles: Bunch = tiles_on_turn(game, chance)
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

/// A challenge now and then, right or wrong; points given by hand; a play taken back.
fn random_challenge(game: &mut Game, chance: &mut impl Rng) {
    let Some((seat, _)) = game.last_play() else {
        return;
    };
    let players = game.position().player_count();
    let by = (seat + chance.random_range(1..players)) % players;
    let words = game.last_words();
    let word = words.first().map(Vec::as_slice);
    match chance.random_range(0..100) {
        0..6 => drop(game.challenge(by, word, |_| false)),
        6..16 => drop(game.challenge(by, word, |_| true)),
        16..19 => game.withdraw().unwrap(),
        19..22 => game.award(Points(5)),
        _ => {}
    }
}

fn random_game(rules: &Arc<RuleSet>, players: usize, known: Known, chance: &mut impl Rng) -> Game {
    let mut game = Game::new(rules.clone(), players).unwrap();
    let most = chance.random_range(0..120);
    for _ in 0..most {
        if game.end().is_some() {
            break;
        }
        reveal(&mut game, known, chance);
        let turn = random_turn(&game, known, chance);
        game.play(&turn).unwrap();
        if known == Known::Everything && chance.random() {
            game.deal(chance);
        }
        random_challenge(&mut game, chance);
        if chance.random_range(0..100) == 0 {
            game.penalise_time(chance.random_range(0..players), Points(10));
        }
    }
    reveal(&mut game, known, chance);
    for seat in 0..players {
        if chance.random_range(0..5) == 0 {
            game.penalise_time(seat, Points(10 * chance.random_range(1..4)));
        }
    }
    game
}

/// The lines about the end tell everybody's tiles, be they known before or not.
fn with_leftovers_known(game: &Game) -> Game {
    let mut game = game.clone();
    let counted = matches!(game.end(), Some(End::Out(_) | End::ZeroTurns));
    if let (true, Some(left)) = (counted, game.position().left_over()) {
        for (seat, tiles) in left.into_iter().enumerate() {
            game.know(seat, tiles).unwrap();
        }
    }
    game
}

/// The law of this module: game -> text -> record -> game changes nothing.
fn check_law(game: &Game, context: &str) {
    let rules = game.position().rules();
    let record = Record::of(game, &[]).unwrap();
    let text = record.to_text();
    let context = format!("{context}\n{text}");
    let (read, replay) = told(text.as_bytes(), rules, Mode::Strict)
        .unwrap_or_else(|problem| panic!("{problem} in {context}"));
    assert_eq!(without_lines(read), record, "{context}");
    assert_eq!(replay.game.events(), game.events(), "{context}");
    let expected = with_leftovers_known(game);
    assert_eq!(replay.game.position(), expected.position(), "{context}");
    assert_eq!(replay.game.end(), game.end(), "{context}");
    assert_eq!(replay.game.outcome(), game.outcome(), "{context}");
    assert_eq!(replay.steps.len(), game.events().len(), "{context}");
    for (seat, &score) in replay.scores.iter().enumerate() {
        let outcome = game.outcome();
        let final_score = outcome.map_or(game.position().score(seat), |o| o.scores[seat]);
        assert_eq!(score, final_score, "{context}");
    }
}

fn without_lines(mut record: Record) -> Record {
    for line in &mut record.events {
        line.line = 0;
    }
    record
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
        values.targets = vec![Target::Level(Level::Expert)];
    }));
    all.push(changed("tournament", |values| values.tiles = digraphs()));
    all
}

/// A made-up language with tiles of several characters, and tiles beyond ASCII.
fn digraphs() -> Arc<TileSet> {
    let csv = "?,?,2,0,0\nA,a,9,1,1\nC,c,6,3,0\nCH,ch,7,5,0\nÉ,é,9,1,1\nH,h,6,4,0\nL,l,6,1,0\nL·L,l·l,5,10,0\n";
    Arc::new(TileSet::parse("digraphs", csv).unwrap())
}

#[test]
fn a_game_that_is_written_and_read_is_the_same_game() {
    let (mut ends, mut kinds) = ([0; 5], [0; 5]);
    for (number, rules) in (0..).zip(many_rules()) {
        let (fewest, most) = rules.players;
        for unit in 0..36 {
            let mut chance = Seed(number).for_unit(unit).generator();
            let players = chance.random_range(fewest..=most);
            let known = [Known::Everything, Known::RackOnTurn, Known::Nothing][unit as usize % 3];
            let game = random_game(&rules, players, known, &mut chance);
            check_law(&game, &format!("{} {unit} {known:?}", rules.name));
            ends[match game.end() {
                None => 0,
                Some(End::Out(_)) => 1,
                Some(End::ZeroTurns) => 2,
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
