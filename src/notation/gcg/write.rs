//! Makes a [`GameRecord`] of a [`Game`], and the text of a record.

use super::super::coordinate::Coordinate;
use super::super::moves;
use super::{
    BLANKS, FIRST_MOVE, FORFEIT, GameRecord, GcgAction, GcgEvent, GcgPlayer, LOST_TURN, LastRack,
    MAX_QUOTED_CHARS, Note, Pragma, ReadMode, SettingPart,
};
use crate::rules::{
    Edit, End, EventKind, Game, GameEvent, GoingOut, PRESETS, Placement, Position, Turn,
};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::fmt;
use thiserror::Error;

/// The board and the tile set that a record need not name.
const DEFAULT_BOARD_AND_TILES: (&str, &str) = ("standard15", "english");

impl GameRecord {
    /// The record of a game. Players without a nickname, or with one that is not a single word
    /// or not unique, get another.
    ///
    /// The record is replayed by the rules of the game, so that nothing is lost silently: if it does
    /// not lead to the same position, the game has no record.
    pub fn of(game: &Game, players: &[GcgPlayer]) -> Result<GameRecord, NotRecordable> {
        if !is_from_start(game) {
            return Err(NotRecordable::NotFromStart);
        }
        let mut writer = RecordWriter::new(game, players);
        writer.events();
        writer.end();
        match lost_part(&writer.record, game) {
            None => Ok(writer.record),
            Some(part) => Err(NotRecordable::Lost(part)),
        }
    }

    /// The text of the record, in UTF-8, as [`GameRecord::parse`] reads it.
    pub fn to_text(&self) -> String {
        let mut text = "#character-encoding UTF-8\n".to_string();
        for (number, GcgPlayer { nick, name, .. }) in (1..).zip(&self.players) {
            push_line(&mut text, &format!("#player{number} {nick} {name}"));
        }
        for Pragma {
            name,
            text: content,
            ..
        } in &self.pragmas
        {
            let continuation = match name.eq_ignore_ascii_case("description") {
                true => name,
                false => "-",
            };
            push_lines(&mut text, name, continuation, content);
        }
        push_notes(&mut text, &self.notes);
        for line in &self.events {
            push_line(&mut text, &line.to_string());
            push_notes(&mut text, &line.notes);
        }
        for rack in &self.racks {
            push_line(&mut text, &format!("{} {}", rack.name(), rack.tiles));
        }
        text
    }
}

/// The event line, without its notes.
impl fmt::Display for GcgEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (sign, points) = match self.points < Points::ZERO {
            true => ("", self.points),
            false => ("+", self.points),
        };
        write!(f, ">{}: {} {}", self.nick, self.rack, self.action)?;
        write!(f, " {sign}{points} {} {}", self.total, self.rest)
    }
}

impl fmt::Display for GcgAction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GcgAction::Play { at, word } => write!(f, "{at} {word}"),
            GcgAction::Token(text) => write!(f, "{text}"),
            GcgAction::Pass => write!(f, "-"),
            GcgAction::Exchange(tiles) => write!(f, "-{tiles}"),
            GcgAction::ExchangeCount(count) => write!(f, "-{count}"),
            GcgAction::Withdrawn => write!(f, "--"),
            GcgAction::Challenge => write!(f, "(challenge)"),
            GcgAction::Time => write!(f, "(time)"),
            GcgAction::EndRack(tiles) => write!(f, "({tiles})"),
        }
    }
}

fn push_line(text: &mut String, line: &str) {
    let one_line = line.replace(['\n', '\r'], " ");
    text.push_str(one_line.trim_end_matches(BLANKS));
    text.push('\n');
}

/// Writes a pragma of several lines: the first under `name`, the others under `continuation`.
fn push_lines(text: &mut String, name: &str, continuation: &str, content: &str) {
    for (at, line) in content.split(['\n', '\r']).enumerate() {
        let name = if at == 0 { name } else { continuation };
        push_line(text, &format!("#{name} {line}"));
    }
}

fn push_notes(text: &mut String, notes: &[Note]) {
    for note in notes {
        push_lines(text, "note", "-", &note.text);
    }
}

/// Whether the events account for all tiles on the board and for all points. A game that was
/// continued from a position has fewer.
fn is_from_start(game: &Game) -> bool {
    let mut placed = 0;
    let mut last = 0;
    for event in game.events() {
        match &event.kind {
            EventKind::Turn(turn) if turn.changes_board() => {
                last = turn.placed_from_rack();
                placed += last;
            }
            EventKind::TakenOff => placed -= last,
            _ => {}
        }
    }
    let position = game.position();
    let recorded = |seat: usize| {
        let last = game.events().iter().rfind(|event| event.seat == seat);
        last.map_or(Points::ZERO, |event| event.total)
    };
    let seats = 0..position.player_count();
    placed == position.grid().faces().count()
        && seats
            .into_iter()
            .all(|seat| recorded(seat) == position.score(seat))
}

/// What a reader of the record would not get back as it is in the game.
fn lost_part(record: &GameRecord, game: &Game) -> Option<&'static str> {
    let (position, rules) = (game.position(), game.position().rules());
    let replay = record.replay(rules, ReadMode::Lenient).ok();
    let Some(replay) = replay.filter(|replay| replay.stopped.is_none()) else {
        return Some("moves");
    };
    let read = replay.game.position();
    let (state, read_state) = (position.turn_state(), read.turn_state());
    let same = |of: fn(&Position, usize) -> i64| {
        let mut seats = 0..position.player_count();
        seats.all(|seat| of(position, seat) == of(read, seat))
    };
    let parts = [
        ("board", position.grid() == read.grid()),
        ("scores", same(|it, seat| it.score(seat).0.into())),
        ("seat to move", state.to_move == read_state.to_move),
        (
            "turns to be lost",
            state.lost_turns == read_state.lost_turns,
        ),
        ("scoreless turns", state.scoreless == read_state.scoreless),
        (
            "numbers of tiles on the racks",
            same(|it, seat| it.rack(seat).len() as i64),
        ),
        ("end", game.end() == replay.game.end()),
    ];
    let lost = parts.into_iter().find(|(_, is_same)| !is_same);
    lost.map(|(part, _)| part)
}

/// The seat that moved first: of a game without a turn, the seat to move.
fn first_seat(game: &Game) -> usize {
    let is_turn = |kind: &EventKind| matches!(kind, EventKind::Turn(_) | EventKind::LostTurn);
    let first = game.events().iter().find(|event| is_turn(&event.kind));
    first.map_or(game.position().to_move(), |event| event.seat)
}

struct RecordWriter<'a> {
    game: &'a Game,
    record: GameRecord,
    /// By seat: the score so far.
    scores: Vec<Points>,
    /// By seat: the points for tiles left over so far.
    leftover_points: Vec<Points>,
}

impl<'a> RecordWriter<'a> {
    fn new(game: &'a Game, players: &[GcgPlayer]) -> RecordWriter<'a> {
        let seats = game.position().player_count();
        let rules = game.position().rules();
        let mut record = GameRecord::default();
        let mut name = |part: SettingPart, text: &str| record.pragmas.push(part.pragma(text));
        if rules.name != PRESETS[0] {
            name(SettingPart::Rules, &rules.name);
        }
        let (board, tiles) = (rules.board.name(), rules.tiles.name());
        if (board, tiles) != DEFAULT_BOARD_AND_TILES {
            name(SettingPart::Board, board);
            name(SettingPart::Tiles, tiles);
        }
        for seat in 0..seats {
            let player = named(players.get(seat), seat, &record.players);
            record.players.push(player);
        }
        let first = first_seat(game);
        if first > 0 {
            let nick = &record.players[first].nick;
            record.pragmas.push(Pragma::new(FIRST_MOVE, nick));
        }
        RecordWriter {
            game,
            record,
            scores: vec![Points::ZERO; seats],
            leftover_points: vec![Points::ZERO; seats],
        }
    }

    fn tiles_text(&self, tiles: &TileCounts) -> String {
        self.game.position().rules().tiles.tiles_text(tiles)
    }

    fn push(&mut self, seat: usize, rack: String, action: GcgAction, points: Points) {
        self.record.events.push(GcgEvent {
            line: 0,
            nick: self.record.players[seat].nick.clone(),
            rack,
            action,
            points,
            total: self.scores[seat] + self.leftover_points[seat],
            rest: String::new(),
            notes: Vec::new(),
        });
    }

    /// Writes all events. Time penalties at the end come after the tiles left over, as other
    /// programs expect them.
    fn events(&mut self) {
        let events = self.game.events();
        let is_time = |event: &GameEvent| event.kind == EventKind::TimePenalty;
        let last = events.iter().rposition(|event| !is_time(event));
        let (before, after) = events.split_at(last.map_or(0, |last| last + 1));
        for event in before {
            self.event(event);
        }
        self.forfeit();
        self.leftovers();
        for event in after {
            self.event(event);
        }
    }

    fn event(&mut self, event: &GameEvent) {
        let action = match &event.kind {
            EventKind::Turn(Turn::Place(placement)) => self.play(placement),
            EventKind::Turn(Turn::Exchange(tiles)) => GcgAction::Exchange(self.tiles_text(tiles)),
            EventKind::Turn(Turn::ExchangeUnseen(count)) => GcgAction::ExchangeCount(*count),
            EventKind::Turn(Turn::Pass) | EventKind::LostTurn => GcgAction::Pass,
            EventKind::Turn(turn @ (Turn::Rearrange(_) | Turn::Edited(_))) => {
                GcgAction::Token(self.token(turn))
            }
            EventKind::TakenOff => GcgAction::Withdrawn,
            EventKind::ChallengeBonus => GcgAction::Challenge,
            EventKind::TimePenalty => GcgAction::Time,
        };
        let rack = self.tiles_text(&event.rack);
        self.scores[event.seat] = event.total;
        self.push(event.seat, rack, action, event.points);
        if event.kind == EventKind::LostTurn {
            self.note(LOST_TURN.to_string());
        }
    }

    fn play(&self, placement: &Placement) -> GcgAction {
        let rules = self.game.position().rules();
        let (start, axis) = (placement.start(), placement.axis());
        let cell = |cell: &Option<_>| match cell {
            Some(face) => rules.tiles.face_text(*face),
            None => ".".to_string(),
        };
        GcgAction::Play {
            at: Coordinate::of(start, axis, rules.board.side()),
            word: placement.cells().iter().map(cell).collect(),
        }
    }

    /// A turn that other programs do not know. Tiles that a play runs through are dots, as in other
    /// lines.
    fn token(&self, turn: &Turn) -> String {
        let rules = self.game.position().rules();
        let (edits, main) = turn.parts();
        let edit = |edit: Edit| {
            let square = edit.square.name(rules.board.side());
            format!("{square}={}+", rules.tiles.face_text(edit.new))
        };
        let edits: String = edits.iter().map(edit).collect();
        let main = match &main {
            Turn::Place(placement) => self.play(placement).to_string().replace(' ', "."),
            main => moves::write(main, self.game.position().grid(), &rules.tiles),
        };
        format!("{edits}{main}")
    }

    /// Adds a note to the last event or, before the first event, to the record.
    fn note(&mut self, text: String) {
        let note = Note { line: 0, text };
        match self.record.events.last_mut() {
            Some(line) => line.notes.push(note),
            None => self.record.notes.push(note),
        }
    }

    fn forfeit(&mut self) {
        if let Some(End::Forfeit(seat)) = self.game.end() {
            let nick = &self.record.players[seat].nick;
            self.note(format!("{FORFEIT} {nick}"));
        }
    }

    fn leftovers(&mut self) {
        let position = self.game.position();
        let seats = position.player_count();
        let (Some(outcome), Some(left)) = (self.game.outcome(), position.leftover_racks()) else {
            return;
        };
        let out = match outcome.end {
            End::Out(seat) => Some(seat),
            End::Scoreless => None,
            End::Target(_) | End::Forfeit(_) => return,
        };
        let twice = position.rules().going_out == GoingOut::Twice;
        let tiles = &position.rules().tiles;
        let first = out.map_or(0, |seat| seat + 1);
        let mut all = TileCounts::EMPTY;
        for seat in (first..first + seats).map(|seat| seat % seats) {
            let (text, value) = (
                tiles.tiles_text(&left[seat]),
                tiles.total_value(&left[seat]),
            );
            all.add_all(&left[seat]);
            match out {
                Some(out) if out == seat => {}
                Some(out) if twice => self.left_over(out, String::new(), text, value * 2),
                _ => self.left_over(seat, text.clone(), text, -value),
            }
        }
        if let Some(out) = out.filter(|_| !twice) {
            let text = tiles.tiles_text(&all);
            self.left_over(out, String::new(), text, tiles.total_value(&all));
        }
    }

    fn left_over(&mut self, seat: usize, rack: String, tiles: String, points: Points) {
        self.leftover_points[seat] += points;
        self.push(seat, rack, GcgAction::EndRack(tiles), points);
    }

    /// Writes the racks that no line has, and turns that are lost but still to come.
    fn end(&mut self) {
        let position = self.game.position();
        let is_leftover = |line: &GcgEvent| matches!(line.action, GcgAction::EndRack(_));
        if !self.record.events.iter().any(is_leftover) {
            for seat in 0..position.player_count() {
                let known = position.rack(seat).known;
                if !known.is_empty() {
                    self.record.racks.push(LastRack {
                        line: 0,
                        player: Some(seat + 1),
                        tiles: self.tiles_text(&known),
                    });
                }
            }
        }
        for seat in 0..position.player_count() {
            for _ in 0..position.lost_turns(seat) {
                let nick = &self.record.players[seat].nick;
                self.note(format!("{LOST_TURN} {nick}"));
            }
        }
    }
}

/// The player with a nickname that event lines can use: one word, unique, at most 40 characters.
fn named(player: Option<&GcgPlayer>, seat: usize, before: &[GcgPlayer]) -> GcgPlayer {
    let nick = player.map_or("", |player| player.nick.trim());
    let is_taken = |nick: &str| before.iter().any(|other| other.nick == nick);
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    let mut nick: String = nick
        .chars()
        .take(MAX_QUOTED_CHARS)
        .map(|c| if is_blank(c) { '_' } else { c })
        .collect();
    if nick.is_empty() {
        nick = format!("player{}", seat + 1);
    }
    while is_taken(&nick) {
        nick.push('_');
    }
    let one_line = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = player.map_or(String::new(), |player| one_line(&player.name));
    let line = 0;
    GcgPlayer { line, nick, name }
}

/// Why a game has no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotRecordable {
    /// The game was continued from a position, but a record starts with an empty board.
    #[error(
        "the game does not start with an empty board, so it has no record; write its position instead"
    )]
    NotFromStart,
    /// A part of the game cannot be expressed in a record, such as scoreless turns before the first
    /// move.
    #[error("a record cannot express the {0} of this game; write its position instead")]
    Lost(&'static str),
}
