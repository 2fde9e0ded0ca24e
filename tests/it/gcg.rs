//! Game records: what they say, what they contradict, and that nothing is lost in writing.

use cazique::board::{Axis, Lane, Square};
use cazique::notation::gcg::{MAX_EVENTS, Mode, Player, Problem, Record, Replay, What};
use cazique::rules::{
    ChallengeRule, Embedded, End, EventKind, Game, GoingOut, Level, Library, PRESETS, Placement,
    Position, RuleSet, RuleValues, Target, Turn,
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
        if game.end().is_none() && chance.random_range(0..100) == 0 {
            game.penalise_time(chance.random_range(0..players), Points(10));
        }
    }
    reveal(&mut game, known, chance);
    // Points lost after the target was reached would reopen the game.
    let may_lose = rules.targets.is_empty();
    for seat in 0..players {
        if may_lose && chance.random_range(0..5) == 0 {
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

/// What is the same for all who look on.
fn seen(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let seats = position.seats();
    let by_seat = |seat| {
        let hand = position.hand(seat).len();
        (seat, hand, position.score(seat), position.lost_turns(seat))
    };
    let players: Vec<_> = seats.map(by_seat).collect();
    (
        position.grid().clone(),
        position.bag_len(),
        position.zero_turns(),
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
            let known = [Known::Everything, Known::RackOnTurn, Known::Nothing][unit as usize % 3];
            let game = random_game(&rules, players, known, &mut chance);
            let text = Record::of(&game, &[]).unwrap().to_text();
            let (record, replay) = told(text.as_bytes(), &rules, Mode::Strict).unwrap();
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
                assert_eq!(before.hand_on_turn(), position.hand_on_turn(), "{context}");
                for seat in before.seats().skip(1) {
                    let (mut all, others) = (position.hand(seat).known, before.hand(seat).known);
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
fn a_game_from_a_position_cannot_be_told() {
    let mut game = Game::new(rules("tournament"), 2).unwrap();
    let mut chance = Seed(5).generator();
    let placement = std::iter::repeat_with(|| random_placement(&game, &mut chance));
    let placement = placement.flatten().next().unwrap();
    game.play(&Turn::Place(placement)).unwrap();
    let later = Game::from_position(game.position().clone());
    let error = Record::of(&later, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the game does not start with an empty board, so no record can tell it; write its position instead"
    );
}

#[test]
fn nicknames_are_made_fit_for_events() {
    let game = Game::new(rules("deluxe"), 4).unwrap();
    let player = |nick: &str, name: &str| Player {
        nick: nick.to_string(),
        name: name.to_string(),
    };
    let players = [
        player("Ann Lee", "Ann\nLee"),
        player("", ""),
        player("Ann_Lee", ""),
    ];
    let text = Record::of(&game, &players).unwrap().to_text();
    assert_eq!(
        text,
        "#character-encoding UTF-8\n#player1 Ann_Lee Ann Lee\n#player2 player2\n#player3 Ann_Lee_\n#player4 player4\n"
    );
}

// ---- golden records -----------------------------------------------------

/// Each with its rules and the final scores by seat.
const GOLDEN: [(&str, &[u8], &str, &[i32]); 7] = [
    (
        "traps",
        include_bytes!("../golden/gcg/traps.gcg"),
        "tournament",
        &[73, 47],
    ),
    (
        "old",
        include_bytes!("../golden/gcg/old.gcg"),
        "tournament",
        &[55, 25],
    ),
    (
        "six_zeros",
        include_bytes!("../golden/gcg/six_zeros.gcg"),
        "tournament",
        &[-15, -31],
    ),
    (
        "out_twice",
        include_bytes!("../golden/gcg/out_twice.gcg"),
        "tournament",
        &[384, 860],
    ),
    (
        "out_sum",
        include_bytes!("../golden/gcg/out_sum.gcg"),
        "deluxe",
        &[375, 217, 132],
    ),
    (
        "four_players",
        include_bytes!("../golden/gcg/four_players.gcg"),
        "deluxe",
        &[14, 10, 7, 6],
    ),
    (
        "time_only",
        include_bytes!("../golden/gcg/time_only.gcg"),
        "tournament",
        &[-10, 0],
    ),
];

#[test]
fn the_golden_records_have_no_contradiction() {
    for (name, bytes, preset, scores) in GOLDEN {
        let (record, replay) = told(bytes, &rules(preset), Mode::Strict)
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let told: Vec<i32> = replay.scores.iter().map(|score| score.0).collect();
        assert_eq!(told, scores, "{name}");
        if let Some(outcome) = replay.game.outcome() {
            assert_eq!(outcome.scores, replay.scores, "{name}");
        }
        check_law(&replay.game, name);
        let (again, _) = Record::parse(record.to_text().as_bytes(), Mode::Strict).unwrap();
        assert_eq!(without_lines(again), without_lines(record), "{name}");
    }
}

#[test]
fn every_part_of_a_record_is_kept() {
    let (record, _) = Record::parse(GOLDEN[0].1, Mode::Strict).unwrap();
    assert_eq!(record.pragma("title"), Some(""));
    assert_eq!(record.pragma("MOOD"), Some("cheerful\nand calm"));
    let description = record.pragma("description").unwrap();
    assert!(description.ends_with("at least once.\nThe words need be in no word list."));
    assert_eq!(record.players[1].name, "Zoë  Quist");
    assert_eq!(record.notes, ["before any move"]);
    assert_eq!(
        record.events[0].notes,
        [
            "A first note.",
            "A second one, with #player1 and >j.doe2: in the middle\nwhich goes on without a sign\nand after an empty line\nand with one"
        ]
    );
    assert_eq!(record.events[1].rest, "NAT");
    assert_eq!(record.racks, [(1, "PEN".into()), (2, "?EE".into())]);
    assert_eq!(record.incomplete, Some(String::new()));
}

#[test]
fn names_are_read_in_their_encoding() {
    let check = |bytes: &[u8], expected: &str| {
        let (record, _) = Record::parse(bytes, Mode::Strict).unwrap();
        assert_eq!(record.players[0].name, expected);
    };
    check(GOLDEN[1].1, "José Müller");
    check(b"#player1 a Jos\xe9", "José");
    check("#player1 a José".as_bytes(), "José");
    check("\u{feff}#player1 a José".as_bytes(), "José");
    check(b"#character-encoding ISO-8859-1\n#player1 a \xc3\xa9", "Ã©");
    check(b"#character-encoding utf8\r#player1 a \xc3\xa9", "é");
}

#[test]
fn seats_are_numbered_from_the_first_to_move() {
    let (_, replay) = told(GOLDEN[1].1, &rules("tournament"), Mode::Strict).unwrap();
    assert_eq!(replay.players, [1, 0]);
    let hand = replay.game.position().hand(0);
    assert_eq!((hand.known.count(Tile::BLANK), hand.len()), (1, 7));
}

// ---- what a line is ------------------------------------------------------

#[test]
fn lines_of_every_form_are_told_apart() {
    let check = |line: &str, rack: &str, what: What, points: i32, total: i32| {
        let text = format!("#player1 a\n#player2 b\n{line}");
        let (record, _) = Record::parse(text.as_bytes(), Mode::Strict).unwrap();
        let event = &record.events[0];
        assert_eq!((event.rack.as_str(), &event.what), (rack, &what), "{line}");
        assert_eq!((event.points.0, event.total.0), (points, total), "{line}");
    };
    let end = |tiles: &str| What::EndRack(tiles.to_string());
    check(
        ">a: DROWNUG (challenge) +5 289",
        "DROWNUG",
        What::Challenge,
        5,
        289,
    );
    check(">a:  (challenge) +5 289", "", What::Challenge, 5, 289);
    check(">a: ISBALI (time) -10 -9", "ISBALI", What::Time, -10, -9);
    check(">a:  (time) +-10 409", "", What::Time, -10, 409);
    check(">a:  (TIME) +12 409", "", end("TIME"), 12, 409);
    check(">a: TIME (TIME) -6 409", "TIME", end("TIME"), -6, 409);
    check(">a:  - +0 367", "", What::Pass, 0, 367);
    check(">a: AB - +0 0", "AB", What::Pass, 0, 0);
    check(">a: -5 +0 105", "", What::ExchangeCount(5), 0, 105);
    check(
        ">a: AB -AB 0 105",
        "AB",
        What::Exchange("AB".into()),
        0,
        105,
    );
    check(">a: AB --  -24 55", "AB", What::Withdrawn, -24, 55);
    check(">a:AB -- -24 55", "AB", What::Withdrawn, -24, 55);
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let check = |lines: &str, expected: &str| {
        let text = format!("#player1 a A\n#player2 b B\n{lines}");
        let bytes = text.as_bytes();
        let strict = Record::parse(bytes, Mode::Strict).unwrap_err();
        assert_eq!(strict.to_string(), expected, "{lines}");
        let (_, problems) = Record::parse(bytes, Mode::Lenient).unwrap();
        assert_eq!(problems[0], strict, "{lines}");
    };
    check(
        "hello",
        "line 3: 'hello' is neither an event (>), a pragma (#) nor part of a note",
    );
    check(
        "#- more",
        "line 3: #- continues nothing: no note or other text stands before it",
    );
    check("#player2 c", "line 3: #player2 is given twice");
    check("#player3", "line 3: #player3 has no nickname");
    check("#player5 e", "line 3: #player5, the limits are 1 and 4");
    check("#player4 d", "line 3: #player4 without #player3");
    check("#player3 a", "line 3: two players have the nickname 'a'");
    check(
        "#character-encoding UTF-8",
        "line 3: #character-encoding counts only on the first line",
    );
    check(">c: AB - +0 0", "line 3: 'c' is none of the players: a, b");
    check(">a AB - +0 0", "line 3: an event starts with '>nickname:'");
    check(">a:", "line 3: the event is empty");
    check(">a: AB", "line 3: nothing after the rack");
    check(">a: AB 8D", "line 3: no word after 8D");
    check(">a: AB 8D AB", "line 3: the score is missing");
    check(">a: AB 8D AB +8", "line 3: the total is missing");
    check(
        ">a: AB 8D AB +8 many",
        "line 3: the total 'many' is not a whole number from -1000000 to 1000000",
    );
    check(
        ">a: AB 8D AB -2147483648 0",
        "line 3: the score '-2147483648' is not a whole number from -1000000 to 1000000",
    );
    check(
        ">a: AB ++8 +8 8",
        "line 3: '++8' is no move: a move is a coordinate and a word, -, -TILES, -N, --, (challenge), (time) or (TILES)",
    );
    check(
        ">a: -300 +0 0",
        "line 3: 300 tiles to exchange, the limit is 255",
    );
    let long = format!("{}…' has 251 bytes, the limit is 250", "A".repeat(40));
    check(
        &format!(">a: {} - +0 0", "A".repeat(251)),
        &format!("line 3: '{long}"),
    );
}

#[test]
fn a_wrong_encoding_is_named() {
    let check = |bytes: &[u8], expected: &str| {
        let error = Record::parse(bytes, Mode::Strict).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(Record::parse(bytes, Mode::Lenient).unwrap().1[0], error);
    };
    check(
        b"#character-encoding EBCDIC\n",
        "line 1: the encoding 'ebcdic' is not known; use UTF-8 or ISO-8859-1",
    );
    check(
        b"#character-encoding UTF-8\r\n#title a\r#title \xe9",
        "line 3: this line is not UTF-8, which the record says it is",
    );
}

// ---- what contradicts the rules ------------------------------------------

/// The first problem of a record under rules, the same in both modes.
fn check_by(rules: &Arc<RuleSet>, lines: &str, expected: &str) {
    let text = format!("#player1 a A\n#player2 b B\n{lines}");
    let strict = match told(text.as_bytes(), rules, Mode::Strict) {
        Ok(_) => "fine".to_string(),
        Err(problem) => problem.to_string(),
    };
    assert_eq!(strict, expected, "{lines}");
    let (_, replay) = told(text.as_bytes(), rules, Mode::Lenient).unwrap();
    let first = replay
        .problems
        .first()
        .map_or("fine".into(), Problem::to_string);
    assert_eq!(first, expected, "{lines}");
}

fn check(lines: &str, expected: &str) {
    check_by(&rules("tournament"), lines, expected);
}

const FLYING: &str = ">a: FGILNOY 8D FLYING +34 34\n";

fn check_after(lines: &str, expected: &str) {
    check(&format!("{FLYING}{lines}"), expected);
}

#[test]
fn scores_and_totals_are_compared() {
    check(FLYING, "fine");
    check(">a: UNKNOWN 8D FLYING +34 34", "fine");
    check(
        ">a: FGILNOY 8D FLYING +36 36",
        "line 3: FLYING scores 34, the record says 36",
    );
    check(
        ">a: FGILNOY 8D FLYING +34 35",
        "line 3: a had 0 and has 34 with 34 more, the record says 35",
    );
    check_after(">b: AT - +5 5", "line 4: this scores 0, the record says 5");
    check_after(">a: O -- -34 0", "fine");
    check_after(
        ">a: O -- -30 4",
        "line 4: taking the play off scores -34, the record says -30",
    );
    check_after(
        ">a:  (challenge) +5 40",
        "line 4: a had 34 and has 39 with 5 more, the record says 40",
    );
    check_after(
        ">a:  (time) +10 44",
        "line 4: a time penalty takes points, this one gives 10",
    );
}

#[test]
fn turns_are_taken_in_order() {
    check_after(">a: O - +0 34", "line 4: a moves, but it is b's turn");
    check_after(">b: -- -34 -34", "line 4: -- does not follow a play of b");
    check_after(
        ">b:  - +0 0\n>a: O -- -34 0",
        "line 5: -- does not follow a play of a",
    );
    check_after(
        ">b:  (challenge) +5 5",
        "line 4: (challenge) does not follow a play of b",
    );
    let passes = ">b:  - +0 0\n>a:  - +0 34\n".repeat(3);
    check_after(&passes, "fine");
    check_after(
        &format!("{passes}>b: AT H8 .AT +3 3"),
        "line 10: the game is over: 6 turns in a row had no points",
    );
}

#[test]
fn plays_must_fit_the_board() {
    check_after(">b: AT H8 .AT +3 3", "fine");
    check_after(">b: AT H8 (N)AT +3 3", "fine");
    check_after(">b: AT H8 (n)AT +3 3", "fine");
    check_after(">b: AT H8 NAT +3 3", "fine");
    check_after(
        ">b: AT H8 (O)AT +3 3",
        "line 4: N lies on 8H, the record plays O there",
    );
    check_after(
        ">b: AT H8 OAT +3 3",
        "line 4: N lies on 8H, the record plays O there",
    );
    check_after(">b: AT H12 .AT +3 3", "line 4: 12H would stay empty");
    check_after(">b: AT H12 (A)AT +3 3", "line 4: 12H would stay empty");
    check_after(
        ">b: AT H8 (NAT +3 3",
        "line 4: '(NAT' has a '(' without a ')'",
    );
    check_after(
        ">b: AT H9 AT +3 3",
        "line 4: the word runs on over the tile on 8H; name the whole word",
    );
    check_after(
        ">b: AT 1A AT +3 3",
        "line 4: the play touches no tile on the board",
    );
    check_after(
        ">b: AT 16A AT +3 3",
        "line 4: 16A is not on the board, which has 15 rows",
    );
    check_after(
        ">b: AT 9N ATE +3 3",
        "line 4: the word runs over the edge of the board",
    );
    check_after(
        ">b: AT H8 .A5 +3 3",
        "line 4: '5' in 'A5' is not a tile of english",
    );
    check_after(">b: AT H8 . +0 0", "line 4: the play places no tile");
    let long = ".".repeat(250);
    check_after(
        &format!(">b: AT H8 {long} +0 0"),
        "line 4: the word runs over the edge of the board",
    );
}

#[test]
fn racks_must_be_possible() {
    check_after(
        ">b: ABCDEFGH - +0 0",
        "line 4: the rack ABCDEFGH has 8 tiles, b holds 7",
    );
    check_after(
        ">b: AtE - +0 0",
        "line 4: 't' is a blank on the board; tiles in hand are capitals, and ? for a blank",
    );
    check_after(
        ">b: QQ - +0 0",
        "line 4: the rack QQ: too many tiles 'Q', the tile set has 1",
    );
    check_after(
        ">b: AEIRST? H8 .AD +4 4",
        "line 4: D is not on the rack AEIRST?, or not so often",
    );
    check_after(
        ">b:  - +0 0\n>a: ABCDEFH - +0 34",
        "line 5: a kept O, which is not all in the rack ABCDEFH",
    );
    check_after(">b: AT -ATE +0 0", "fine");
    check_after(
        ">b: AAEINST -ATX +0 0",
        "line 4: X is not on the rack AAEINST, or not so often",
    );
    check_after(
        ">b: AT -8 +0 0",
        "line 4: 8 tiles to exchange, the limits are 1 and the 7 held",
    );
    check_after(
        "#rack2 ABCDEFGH",
        "the rack ABCDEFGH has 8 tiles, b holds 7",
    );
    check_after("#rack3 A", "#rack3 of no player");
    check_after(
        ">b: ZZ 7H ZZ +0 0",
        "line 4: the rack ZZ: too many tiles 'Z', the tile set has 1",
    );
}

#[test]
fn the_end_is_compared() {
    let passes = ">b: ABCDEFG - +0 0\n>a: MNOPQRS - +0 34\n".repeat(3);
    let end = |lines: &str, expected: &str| check_after(&format!("{passes}{lines}"), expected);
    let (a, b) = (
        ">a: MNOPQRS (MNOPQRS) -20 14\n",
        ">b: ABCDEFG (ABCDEFG) -16 -16\n",
    );
    end(&format!("{a}{b}"), "fine");
    end(
        &format!("{a}>b: ABCDEFG (ABCDEFG) -15 -15\n"),
        "line 11: tiles left over change b's score by -16, the record says -15",
    );
    end(
        a,
        "line 10: tiles left over change b's score by -16, the record says 0",
    );
    end(
        &format!("{a}>b: ABCDEF (ABCDEF) -14 -14\n"),
        "line 11: b has ABCDEFG left over, the record says ABCDEF",
    );
    end(
        ">a:  (MNOPQRS) -20 14\n",
        "line 10: tiles left over: points lost have the tiles as rack too, points gained an empty rack field",
    );
    check_after(
        a,
        "line 4: tiles left over are counted, but the game is not over: nobody is out, and 0 turns of 6 had no points",
    );
}

#[test]
fn a_last_pass_that_is_left_out_is_supplied() {
    let five = ">b: ABCDEFG - +0 0\n>a: MNOPQRS - +0 34\n".repeat(3);
    let five = five.trim_end().rsplit_once('\n').unwrap().0;
    let end = ">b: ABCDEFG (ABCDEFG) -16 -16\n>a: MNOPQRS (MNOPQRS) -20 14";
    check_after(&format!("{five}\n{end}"), "fine");
}

#[test]
fn the_form_of_the_end_follows_the_rules() {
    // The record of a tournament by the rules of a family book.
    let (record, _) = Record::parse(GOLDEN[3].1, Mode::Strict).unwrap();
    let family = changed("deluxe", |values| {
        values.exchange = rules("tournament").exchange
    });
    let error = record.replay(&family, Mode::Strict).unwrap_err();
    assert_eq!(
        error.what,
        "tiles left over change pam's score by 8, the record says 16"
    );
    let error = record.replay(&rules("super"), Mode::Strict).unwrap_err();
    assert!(error.to_string().starts_with("line "), "{error}");
    let (many, _) = Record::parse(GOLDEN[4].1, Mode::Strict).unwrap();
    let error = many
        .replay(&rules("tournament"), Mode::Lenient)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the rules 'tournament': 3 players, the limits are 2 and 2"
    );
}

#[test]
fn tiles_of_several_characters_stand_in_brackets() {
    let rules = changed("tournament", |values| values.tiles = digraphs());
    check_by(&rules, ">a: CHA[CH] 8G [CH]Al·l +12 12", "fine");
    let played = ">a: A[CH]? 8G [CH]A[l·l] +12 12\n";
    check_by(&rules, &format!("{played}>b: ÉL H8 (A)ÉL +3 3"), "fine");
    check_by(
        &rules,
        &format!("{played}>b: É G8 (CH)É +6 6"),
        "line 4: [CH] lies on 8G, the record plays C there",
    );
    check_by(&rules, &format!("{played}>b: É G8 ([CH])É +7 7"), "fine");
}

#[test]
fn in_lenient_mode_the_scores_of_the_record_hold() {
    let text = "#player1 a\n#player2 b\n>a: FGILNOY 8D FLYING +36 36\n>b: AT H8 .AT +3 5\n\
                >a: OS -O +0 36\n>a: XX 1A XX +50 86\n>b: E - +1 6\n";
    let (_, replay) = told(text.as_bytes(), &rules("tournament"), Mode::Lenient).unwrap();
    let problems: Vec<String> = replay.problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        problems,
        [
            "line 3: FLYING scores 34, the record says 36",
            "line 4: b had 0 and has 3 with 3 more, the record says 5",
            "line 6: a moves, but it is b's turn",
            "line 6: the rack XX: too many tiles 'X', the tile set has 1",
            "line 6: the play touches no tile on the board",
        ]
    );
    assert_eq!(replay.scores, [Points(86), Points(6)]);
    assert_eq!(replay.stopped, Some(6));
    let scores = [0, 1].map(|seat| replay.game.position().score(seat).0);
    assert_eq!(scores, [36, 5]);
    let lines: Vec<usize> = replay.steps.iter().map(|step| step.line).collect();
    assert_eq!(lines, [3, 4, 5, 6]);
    assert_eq!(replay.game.events()[3].kind, EventKind::LostTurn);
    // What was corrected is written and read as it is.
    let text = Record::of(&replay.game, &[]).unwrap().to_text();
    let (_, again) = told(text.as_bytes(), &rules("tournament"), Mode::Lenient).unwrap();
    assert_eq!(again.game.events(), replay.game.events());
    assert_eq!(again.scores, [Points(36), Points(5)]);
}

#[test]
fn a_doubtful_rack_does_not_stop_a_lenient_reader() {
    // The Q that a is said to have kept is played by b.
    let text = "#player1 a\n#player2 b\n>a: FLYINGQ 8D FLYING +34 34\n>b: Q H8 .Q +11 11\n";
    let (_, replay) = told(text.as_bytes(), &rules("tournament"), Mode::Lenient).unwrap();
    assert_eq!(replay.problems.len(), 1);
    assert_eq!((replay.stopped, replay.game.events().len()), (None, 2));
}

// ---- hostile input --------------------------------------------------------

/// Reads, replays and writes whatever it is; the text of what was read says the same.
fn survive(bytes: &[u8], rules: &Arc<RuleSet>) {
    drop(told(bytes, rules, Mode::Strict));
    let Ok((record, _)) = Record::parse(bytes, Mode::Lenient) else {
        return;
    };
    let text = record.to_text();
    let (again, _) = Record::parse(text.as_bytes(), Mode::Lenient).unwrap();
    assert_eq!(
        without_lines(again),
        without_lines(record.clone()),
        "{text}"
    );
    for turn in [0, record.turns() / 2, record.turns()] {
        drop(record.before(turn, rules));
    }
    if let Ok(replay) = record.replay(rules, Mode::Lenient) {
        assert_eq!(replay.steps.len(), replay.game.events().len(), "{text}");
        drop(replay.game.outcome());
        if let Ok(record) = Record::of(&replay.game, &record.players) {
            // Racks that contradict each other may be resolved in another way.
            let told = |game: &Game| {
                let events = game.events().iter();
                let told = events.map(|event| (event.seat, event.kind, event.points, event.total));
                told.collect::<Vec<_>>()
            };
            let again = record.replay(rules, Mode::Lenient).unwrap();
            assert_eq!(told(&again.game), told(&replay.game), "{text}");
        }
    }
}

fn mutate(bytes: &mut Vec<u8>, chance: &mut impl Rng) {
    let at = chance.random_range(0..bytes.len().max(1));
    match chance.random_range(0..6) {
        _ if bytes.is_empty() => bytes.push(b'>'),
        0 => bytes[at] ^= 1 << chance.random_range(0..8),
        1 => bytes[at] = b">#:-()+.?09AZaz \n"[chance.random_range(0..17)],
        2 => bytes.truncate(at),
        3 => drop(bytes.remove(at)),
        4 => {
            let end = (at + chance.random_range(0..40)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = chance.random_range(0..=bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {
            let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
            let (one, other) = (chance.random_range(0..lines.len()), lines.len() - 1);
            lines.swap(one, other);
            *bytes = lines.join(&b'\n');
        }
    }
}

#[test]
fn no_damage_to_a_record_makes_the_reader_panic() {
    let rule_sets = [
        rules("tournament"),
        rules("deluxe"),
        changed("deluxe", |values| values.challenge = ChallengeRule::Triple),
        changed("tournament", |values| values.tiles = digraphs()),
    ];
    for unit in 0..6_000 {
        let mut chance = Seed(77).for_unit(unit).generator();
        let mut bytes = GOLDEN[chance.random_range(0..GOLDEN.len())].1.to_vec();
        for _ in 0..chance.random_range(1..8) {
            mutate(&mut bytes, &mut chance);
        }
        survive(&bytes, &rule_sets[chance.random_range(0..rule_sets.len())]);
    }
}

#[test]
fn a_hostile_record_is_refused_quickly() {
    let start = Instant::now();
    let megabyte = |piece: &str| piece.repeat(1_000_000 / piece.len());
    let players = "#player1 a\n#player2 b\n";
    let check = |text: String, expected: &str| {
        for (name, mode) in [("tournament", Mode::Strict), ("deluxe", Mode::Lenient)] {
            let result = told(text.as_bytes(), &rules(name), mode);
            let said = result.map_or_else(|problem| problem.what, |_| "fine".to_string());
            assert_eq!(said, expected);
        }
    };
    let many = format!("more than {MAX_EVENTS} events, which is the limit");
    check(format!("{players}{}", megabyte(">a: - +0 0\n")), &many);
    check(
        format!("{players}{}", megabyte(">a: (time) +1000000 1000000\n")),
        &many,
    );
    check(
        format!("{players}{}", megabyte("#note x\n#- y\nz\n")),
        "fine",
    );
    check(format!("{players}{}", megabyte("#rack1 A\n")), "fine");
    check(format!("{players}#note {}", megabyte("a ")), "fine");
    check(format!("{players}{}", megabyte("#description x\n")), "fine");
    survive(megabyte("x\n").as_bytes(), &rules("tournament"));
    survive(megabyte("\u{1F600}").as_bytes(), &rules("tournament"));
    survive(
        format!(">a: {} - +0 0", megabyte("A")).as_bytes(),
        &rules("tournament"),
    );
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn sums_of_huge_points_do_not_overflow() {
    let players = "#player1 a\n#player2 b\n>a: FLYING 8D FLYING +34 34\n";
    let up = ">a:  (A) +1000000 1000000\n>a:  (time) -1000000 0\n".repeat(2_400);
    survive(format!("{players}{up}").as_bytes(), &rules("tournament"));
    let down = ">a:  (time) -1000000 -1000000\n".repeat(4_900);
    survive(format!("{players}{down}").as_bytes(), &rules("tournament"));
    let awards = ">a:  (challenge) +1000000 1000000\n".repeat(4_900);
    survive(
        format!("{players}{awards}").as_bytes(),
        &rules("tournament"),
    );
}
