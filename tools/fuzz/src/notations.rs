//! CGP and GCG: what is read is written, and reads back as itself; what the rules accept is the same
//! position or game again.

use crate::{default_rules, rules_for_many};
use cazique::notation::cgp::Cgp;
use cazique::notation::gcg::{GameRecord, MAX_EVENTS, MAX_PROBLEMS, ReadMode};
use cazique::rules::{Embedded, Game, Position};
use std::sync::Arc;

/// The most turns of a record whose positions are looked at: each replays the record up to there.
/// Chosen by hand.
const MAX_TURNS_TRIED: usize = 3;

pub fn cgp(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let Ok(cgp) = Cgp::parse(text) else {
        return false;
    };
    let written = cgp.to_string();
    assert_eq!(Cgp::parse(&written).as_ref(), Ok(&cgp), "{written}");
    let Ok(position) = position(&cgp) else {
        return false;
    };
    let shown = Cgp::of(&position);
    let again = self::position(&shown).map(|position| Cgp::of(&position));
    assert_eq!(again, Ok(shown.clone()), "{shown}");
    let same = self::position(&shown).expect("it was just read");
    assert_eq!(same, position, "{shown}");
    true
}

/// The position that a CGP describes by the default rules.
fn position(cgp: &Cgp) -> Result<Position, String> {
    let rules = cgp
        .opcodes
        .rules(&default_rules(), cgp.rows.len(), &Embedded)
        .map_err(|error| error.to_string())?;
    let setup = cgp.setup(&rules).map_err(|error| error.to_string())?;
    Position::new(Arc::new(rules), setup).map_err(|error| error.to_string())
}

pub fn gcg(bytes: &[u8]) -> bool {
    let strict = GameRecord::parse(bytes, ReadMode::Strict);
    let lenient = GameRecord::parse(bytes, ReadMode::Lenient);
    let Ok((record, problems)) = lenient else {
        assert!(strict.is_err());
        return false;
    };
    assert_eq!(strict.is_ok(), problems.is_empty(), "{problems:?}");
    assert!(record.events.len() <= MAX_EVENTS && problems.len() <= MAX_PROBLEMS);
    let text = record.to_text();
    if let Ok((strict, _)) = strict {
        assert_eq!(strict, record);
        let read = GameRecord::parse(text.as_bytes(), ReadMode::Strict);
        let read = read.map(|(record, _)| without_lines(record));
        assert_eq!(read, Ok(without_lines(record.clone())), "{text}");
    }
    let rules = match record.players.len() {
        2 => default_rules(),
        _ => rules_for_many(),
    };
    if let Ok(replay) = record.replay(&rules, ReadMode::Strict) {
        let lenient = record.replay(&rules, ReadMode::Lenient);
        let lenient = lenient.expect("the strict replay succeeded");
        assert_eq!(lenient.problems, [], "{text}");
        assert_eq!(lenient.game.position(), replay.game.position(), "{text}");
        check_written(&replay.game);
    }
    for turn in 0..=record.turns().min(MAX_TURNS_TRIED) {
        if let Ok((game, _)) = record.before(turn, &rules) {
            let shown = Cgp::of(game.position());
            assert!(position(&shown).is_ok(), "{shown}");
        }
    }
    problems.is_empty()
}

/// Checks that the record of a game replays as the same game.
fn check_written(game: &Game) {
    let Ok(record) = GameRecord::of(game, &[]) else {
        return;
    };
    let text = record.to_text();
    let (read, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict)
        .unwrap_or_else(|problem| panic!("{problem} in {text}"));
    let replay = read
        .replay(game.position().rules(), ReadMode::Strict)
        .unwrap_or_else(|problem| panic!("{problem} in {text}"));
    assert_eq!(replay.game.events(), game.events(), "{text}");
    assert_eq!(replay.game.end(), game.end(), "{text}");
}

/// The record without the numbers of its lines.
fn without_lines(mut record: GameRecord) -> GameRecord {
    let events = record.events.iter_mut().map(|event| &mut event.line);
    let pragmas = record.pragmas.iter_mut().map(|pragma| &mut pragma.line);
    let racks = record.racks.iter_mut().map(|rack| &mut rack.line);
    let players = record.players.iter_mut().map(|player| &mut player.line);
    let lines = events.chain(pragmas).chain(racks).chain(players);
    lines.for_each(|line| *line = 0);
    let notes = record.events.iter_mut().flat_map(|event| &mut event.notes);
    let notes = notes.chain(&mut record.notes);
    notes.for_each(|note| note.line = 0);
    record.remarks.clear();
    record
}
