//! Game records (GCG): reading, replaying and writing, and hostile input.

mod contradictions;
mod flaws;
mod games;
mod setting;
mod words;

use crate::support::{cases, repository, rules};
use cazique::engine::Engine;
use cazique::notation::gcg::{
    GameRecord, GcgAction, MAX_EVENTS, Note, ReadMode, RecordProblem, Replay,
};
use cazique::rules::{ChallengeRule, Embedded, End, Game, Library, RuleSet, RuleValues};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileSet};
use rand::{Rng, RngExt};
use std::fs;
use std::sync::Arc;
use std::time::Instant;

fn changed(name: &str, change: impl FnOnce(&mut RuleValues)) -> Arc<RuleSet> {
    let mut values = Embedded.rules(name).unwrap().into_values();
    change(&mut values);
    Arc::new(RuleSet::new(values).unwrap())
}

/// Reads a record and replays it; the problems of both steps.
fn read_and_replay(
    bytes: &[u8],
    rules: &Arc<RuleSet>,
    mode: ReadMode,
) -> Result<(GameRecord, Replay), RecordProblem> {
    let (record, mut problems) = GameRecord::parse(bytes, mode)?;
    let mut replay = record.replay(rules, mode)?;
    problems.append(&mut replay.problems);
    replay.problems = problems;
    Ok((record, replay))
}

/// A made-up language with tiles of several characters, and tiles beyond ASCII.
pub fn digraphs() -> Arc<TileSet> {
    Arc::new(TileSet::parse("digraphs", DIGRAPHS_CSV).unwrap())
}

/// The file of [`digraphs`].
pub const DIGRAPHS_CSV: &str = "?,?,2,0,0\nA,a,9,1,1\nC,c,6,3,0\nCH,ch,7,5,0\nÉ,é,9,1,1\nH,h,6,4,0\nL,l,6,1,0\nL·L,l·l,5,10,0\n";

/// The game with the tiles left over known, since the last lines of a record show them.
fn with_leftovers_known(game: &Game) -> Game {
    let mut game = game.clone();
    let counted = matches!(game.end(), Some(End::Out(_) | End::Scoreless));
    if let (true, Some(left)) = (counted, game.position().leftover_racks()) {
        for (seat, tiles) in left.into_iter().enumerate() {
            game.set_known_tiles(seat, tiles).unwrap();
        }
    }
    game
}

/// Checks the law of this module: game -> text -> record -> game changes nothing.
fn check_law(game: &Game, context: &str) {
    let rules = game.position().rules();
    let record = GameRecord::of(game, &[]).unwrap();
    let text = record.to_text();
    let context = format!("{context}\n{text}");
    let (read, replay) = read_and_replay(text.as_bytes(), rules, ReadMode::Strict)
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

fn without_lines(mut record: GameRecord) -> GameRecord {
    let events = record.events.iter_mut().map(|event| &mut event.line);
    let pragmas = record.pragmas.iter_mut().map(|pragma| &mut pragma.line);
    let racks = record.racks.iter_mut().map(|rack| &mut rack.line);
    let players = record.players.iter_mut().map(|player| &mut player.line);
    events
        .chain(pragmas)
        .chain(racks)
        .chain(players)
        .for_each(|line| *line = 0);
    let notes = record.events.iter_mut().flat_map(|event| &mut event.notes);
    let notes = notes.chain(&mut record.notes);
    notes.for_each(|note| note.line = 0);
    record.remarks.clear();
    record
}

// ---- golden records -----------------------------------------------------

/// The name of each golden record, its rules, and the final scores by seat.
const GOLDEN: [(&str, &str, &[i32]); 9] = [
    ("traps", "tournament", &[73, 47]),
    ("old", "tournament", &[55, 25]),
    ("six_zeros", "tournament", &[-15, -31]),
    ("out_twice", "tournament", &[384, 860]),
    ("out_sum", "deluxe", &[375, 217, 132]),
    ("four_players", "deluxe", &[14, 10, 7, 6]),
    ("time_only", "tournament", &[-10, 0]),
    ("open", "tournament", &[116, 93]),
    ("finished", "tournament", &[421, 409]),
];

/// The bytes of a golden record.
fn golden(name: &str) -> Vec<u8> {
    fs::read(repository(&format!("tests/golden/gcg/{name}.gcg"))).unwrap()
}

#[test]
fn the_golden_records_have_no_contradiction() {
    for (name, preset, scores) in GOLDEN {
        let (record, replay) = read_and_replay(&golden(name), &rules(preset), ReadMode::Strict)
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let found: Vec<i32> = replay.scores.iter().map(|score| score.0).collect();
        assert_eq!(found, scores, "{name}");
        if let Some(outcome) = replay.game.outcome() {
            assert_eq!(outcome.scores, replay.scores, "{name}");
        }
        check_law(&replay.game, name);
        let (again, _) = GameRecord::parse(record.to_text().as_bytes(), ReadMode::Strict).unwrap();
        assert_eq!(without_lines(again), without_lines(record), "{name}");
    }
}

#[test]
fn every_part_of_a_record_is_kept() {
    let (record, _) = GameRecord::parse(&golden("traps"), ReadMode::Strict).unwrap();
    assert_eq!(record.pragma("title"), Some(""));
    assert_eq!(record.pragma("MOOD"), Some("cheerful\nand calm"));
    let description = record.pragma("description").unwrap();
    assert!(description.ends_with("at least once.\nThe words need be in no word list."));
    assert_eq!(record.players[1].name, "Zoë  Quist");
    let texts = |notes: &[Note]| {
        notes
            .iter()
            .map(|note| note.text.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&record.notes), ["before any move"]);
    assert_eq!(
        texts(&record.events[0].notes),
        [
            "A first note.",
            "A second one, with #player1 and >j.doe2: in the middle\nwhich goes on without a sign\nand after an empty line\nand with one"
        ]
    );
    assert_eq!(record.events[1].rest, "NAT");
    let racks = record.racks.iter();
    let racks: Vec<_> = racks
        .map(|rack| (rack.line, rack.player, &*rack.tiles))
        .collect();
    let expected = [(36, Some(1), "PEN"), (37, Some(2), "?EE"), (38, None, "")];
    assert_eq!(racks, expected);
}

#[test]
fn names_are_read_in_their_encoding() {
    let check = |bytes: &[u8], expected: &str| {
        let (record, _) = GameRecord::parse(bytes, ReadMode::Strict).unwrap();
        assert_eq!(record.players[0].name, expected);
    };
    check(&golden("old"), "José Müller");
    check(b"#player1 a Jos\xe9", "José");
    check("#player1 a José".as_bytes(), "José");
    check("\u{feff}#player1 a José".as_bytes(), "José");
    check(b"#character-encoding ISO-8859-1\n#player1 a \xc3\xa9", "Ã©");
    check(b"#character-encoding utf8\r#player1 a \xc3\xa9", "é");
}

#[test]
fn seats_are_numbered_from_the_first_to_move() {
    let old = golden("old");
    let (_, replay) = read_and_replay(&old, &rules("tournament"), ReadMode::Strict).unwrap();
    assert_eq!(replay.players, [1, 0]);
    let hand = replay.game.position().rack(0);
    assert_eq!((hand.known.count(Tile::BLANK), hand.len()), (1, 7));
}

// ---- the forms of a line ------------------------------------------------------

#[test]
fn lines_of_every_form_are_distinguished() {
    let check = |line: &str, rack: &str, action: GcgAction, points: i32, total: i32| {
        let text = format!("#player1 a\n#player2 b\n>a:{line}");
        let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
        let event = &record.events[0];
        assert_eq!((event.rack.as_str(), &event.action), (rack, &action));
        assert_eq!((event.points.0, event.total.0), (points, total), "{line}");
    };
    use GcgAction::{Challenge, EndRack, Exchange, ExchangeCount, Pass, Time, Withdrawn};
    check(" DROWNUG (challenge) +5 289", "DROWNUG", Challenge, 5, 289);
    check("  (challenge) +5 289", "", Challenge, 5, 289);
    check(" ISBALI (time) -10 -9", "ISBALI", Time, -10, -9);
    check("  (time) +-10 409", "", Time, -10, 409);
    check("  (TIME) +12 409", "", EndRack("TIME".into()), 12, 409);
    check(
        " TIME (TIME) -6 409",
        "TIME",
        EndRack("TIME".into()),
        -6,
        409,
    );
    check("  - +0 367", "", Pass, 0, 367);
    check(" AB - +0 0", "AB", Pass, 0, 0);
    check(" -5 +0 105", "", ExchangeCount(5), 0, 105);
    check(" AB -AB 0 105", "AB", Exchange("AB".into()), 0, 105);
    check(" AB --  -24 55", "AB", Withdrawn, -24, 55);
    check("AB -- -24 55", "AB", Withdrawn, -24, 55);
}

#[test]
fn a_line_that_cannot_be_read_is_named() {
    let check = |lines: &str, expected: &str| {
        let text = format!("#player1 a A\n#player2 b B\n{lines}");
        let bytes = text.as_bytes();
        let strict = GameRecord::parse(bytes, ReadMode::Strict).unwrap_err();
        assert_eq!(strict.to_string(), expected, "{lines}");
        let (_, problems) = GameRecord::parse(bytes, ReadMode::Lenient).unwrap();
        assert_eq!(problems[0], strict, "{lines}");
    };
    let table = r"
        hello => line 3: 'hello' is neither an event (>), a pragma (#) nor part of a note
        #- more => line 3: #- continues nothing: no note or other text stands before it
        #player2 c => line 3: #player2 is given twice
        #player3 => line 3: #player3 has no nickname
        #player5 e => line 3: #player5, the limits are 1 and 4
        #player4 d => line 3: #player4 without #player3
        #player3 a => line 3: two players have the nickname 'a'
        #player c => line 3: '#player' has no number from 1 to 4
        #rackX AB => line 3: '#rackX' has no number from 1 to 4
        #character-encoding UTF-8 => line 3: #character-encoding counts only on the first line
        >c: AB - +0 0 => line 3: 'c' is none of the players: a, b
        >a AB - +0 0 => line 3: an event starts with '>nickname:'
        >a: => line 3: the event is empty
        >a: AB => line 3: nothing after the rack
        >a: AB 8D => line 3: no word after 8D
        >a: AB 8D AB => line 3: the score is missing
        >a: AB 8D AB +8 => line 3: the total is missing
        >a: AB 8D AB +8 many => line 3: the total 'many' is not a whole number from -1000000 to 1000000
        >a: AB 8D AB -2147483648 0 => line 3: the score '-2147483648' is not a whole number from -1000000 to 1000000
        >a: AB ++8 +8 8 => line 3: '++8' is not a move: a move is a coordinate and a word, -, -TILES, -N, --, (challenge), (time) or (TILES)
        >a: -300 +0 0 => line 3: 300 tiles to exchange, the limit is 255";
    cases(table).for_each(|(line, expected)| check(&line, expected));
    let long = format!("{}…' has 251 bytes, the limit is 250", "A".repeat(40));
    check(
        &format!(">a: {} - +0 0", "A".repeat(251)),
        &format!("line 3: '{long}"),
    );
}

#[test]
fn a_wrong_encoding_is_named() {
    let check = |bytes: &[u8], expected: &str| {
        let error = GameRecord::parse(bytes, ReadMode::Strict).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(
            GameRecord::parse(bytes, ReadMode::Lenient).unwrap().1[0],
            error
        );
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

#[test]
fn an_encoding_that_is_assumed_is_a_finding() {
    let text = "#player1 a José\n#player2 b\n>a: FGILNOY 8D FLYING +34 34\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let found = |bytes: &[u8]| {
        let (record, _) = GameRecord::parse(bytes, ReadMode::Strict).unwrap();
        assert_eq!(record.players[0].name, "José");
        let findings = Engine::new().unwrap().set_record(&record, 0).unwrap();
        let findings = findings.iter().map(RecordProblem::to_string);
        findings.collect::<Vec<_>>().join("; ")
    };
    let assumed = "line 1: this line is not UTF-8, so the record is read as ISO-8859-1; \
                   the first line '#character-encoding ISO-8859-1' would say so";
    assert_eq!(found(&latin), assumed);
    assert_eq!(found(text.as_bytes()), "");
    let declared = [b"#character-encoding ISO-8859-1\n", latin.as_slice()].concat();
    assert_eq!(found(&declared), "");
}

#[test]
fn a_record_in_utf_16_is_refused_by_its_name() {
    let text = "#player1 a José\n#player2 b\n";
    let low_first = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let high_first = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = format!("\u{feff}{text}");
    let records: [Vec<u8>; 4] = [
        low_first(&marked),
        high_first(&marked),
        low_first(text),
        high_first(text),
    ];
    for bytes in records {
        for mode in [ReadMode::Strict, ReadMode::Lenient] {
            let problem = GameRecord::parse(&bytes, mode).unwrap_err();
            let what = "the record is in UTF-16, which is not supported; save it as UTF-8";
            assert_eq!(problem.to_string(), what);
        }
    }
}

// ---- hostile input --------------------------------------------------------

/// Reads, replays and writes any bytes without a panic. What was read reads back the same.
fn survive(bytes: &[u8], rules: &Arc<RuleSet>) {
    drop(read_and_replay(bytes, rules, ReadMode::Strict));
    let Ok((record, _)) = GameRecord::parse(bytes, ReadMode::Lenient) else {
        return;
    };
    let text = record.to_text();
    let (again, _) = GameRecord::parse(text.as_bytes(), ReadMode::Lenient).unwrap();
    assert_eq!(
        without_lines(again),
        without_lines(record.clone()),
        "{text}"
    );
    for turn in [0, record.turns() / 2, record.turns()] {
        drop(record.before(turn, rules));
    }
    if let Ok(replay) = record.replay(rules, ReadMode::Lenient) {
        assert_eq!(replay.steps.len(), replay.game.events().len(), "{text}");
        drop(replay.game.outcome());
        if let Ok(record) = GameRecord::of(&replay.game, &record.players) {
            // Contradicting racks may be resolved differently, so only the events are compared.
            let summary = |game: &Game| {
                let events = game.events().iter();
                let events =
                    events.map(|event| (event.seat, event.kind, event.points, event.total));
                events.collect::<Vec<_>>()
            };
            let again = record.replay(rules, ReadMode::Lenient).unwrap();
            assert_eq!(summary(&again.game), summary(&replay.game), "{text}");
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
    let records = GOLDEN.map(|(name, ..)| golden(name));
    for unit in 0..6_000 {
        let mut chance = Seed(77).for_unit(unit).generator();
        let mut bytes = records[chance.random_range(0..records.len())].clone();
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
    let check = |lines: String, expected: &str| {
        let text = format!("#player1 a\n#player2 b\n{lines}");
        for (name, mode) in [
            ("tournament", ReadMode::Strict),
            ("deluxe", ReadMode::Lenient),
        ] {
            let result = read_and_replay(text.as_bytes(), &rules(name), mode);
            let message = result.map_or_else(|problem| problem.what, |_| "fine".to_string());
            assert_eq!(message, expected);
        }
    };
    let many = format!("more than {MAX_EVENTS} events, which is the limit");
    check(megabyte(">a: - +0 0\n"), &many);
    check(megabyte(">a: (time) +1000000 1000000\n"), &many);
    check(megabyte("#note x\n#- y\nz\n"), "fine");
    check(format!("#note {}", megabyte("a ")), "fine");
    check(megabyte("#description x\n"), "fine");
    let long = format!(">a: {} - +0 0", megabyte("A"));
    let racks = megabyte("#rack1 A\n");
    for text in [megabyte("x\n"), megabyte("\u{1F600}"), long, racks] {
        survive(text.as_bytes(), &rules("tournament"));
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn sums_of_huge_points_do_not_overflow() {
    let players = "#player1 a\n#player2 b\n>a: FLYING 8D FLYING +34 34\n";
    let up_and_down = ">a:  (A) +1000000 1000000\n>a:  (time) -1000000 0\n".repeat(2_400);
    let down = ">a:  (time) -1000000 -1000000\n".repeat(4_900);
    let awards = ">a:  (challenge) +1000000 1000000\n".repeat(4_900);
    for lines in [up_and_down, down, awards] {
        survive(format!("{players}{lines}").as_bytes(), &rules("tournament"));
    }
}
