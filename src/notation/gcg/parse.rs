//! Bytes to a [`GameRecord`]: encodings, lines, pragmas, events.

use super::super::coordinate::Coordinate;
use super::{
    BLANKS, GameRecord, GcgAction, GcgEvent, GcgPlayer, MAX_EVENTS, Pragma, ProblemLog, ReadMode,
    RecordProblem, shown,
};
use crate::rules::MAX_PLAYERS;
use crate::units::Points;

/// The longest rack, word or nickname, in bytes: no board and no box needs more.
const MAX_TOKEN: usize = 250;

impl GameRecord {
    /// Reads a record. In lenient mode lines that cannot be read are left out
    /// and come back as problems.
    pub fn parse(
        bytes: &[u8],
        mode: ReadMode,
    ) -> Result<(GameRecord, Vec<RecordProblem>), RecordProblem> {
        let mut problems = ProblemLog::new(mode);
        let text = decode(bytes, &mut problems)?;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut reader = RecordParser::default();
        for (at, line) in text.split('\n').enumerate() {
            reader.line(at + 1, line.trim_matches(BLANKS), &mut problems)?;
        }
        let record = reader.finish(&mut problems)?;
        Ok((record, problems.found))
    }
}

/// The text in the encoding that the bytes declare or, if they declare none, seem to have.
fn decode(bytes: &[u8], problems: &mut ProblemLog) -> Result<String, RecordProblem> {
    let (marked, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, bytes),
    };
    let declared = declared_encoding(bytes).map(|name| name.to_ascii_lowercase());
    let latin = || bytes.iter().map(|&byte| char::from(byte)).collect();
    match declared.as_deref() {
        Some("utf-8" | "utf8") => {}
        Some("iso-8859-1" | "iso8859-1" | "latin-1" | "latin1") if !marked => return Ok(latin()),
        None | Some("iso-8859-1" | "iso8859-1" | "latin-1" | "latin1" | "us-ascii" | "ascii") => {}
        Some(other) => {
            let other = shown(other);
            let what = format!("the encoding '{other}' is not known; use UTF-8 or ISO-8859-1");
            problems.report(1, what)?;
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_string()),
        Err(error) if marked || declared.is_some_and(|name| name.starts_with("utf")) => {
            let line = lines_in(&bytes[..error.valid_up_to()]);
            problems.report(line, "this line is not UTF-8, which the record says it is")?;
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
        Err(_) => Ok(latin()),
    }
}

/// The name after `#character-encoding` on the first line.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| b"\r\n".contains(byte));
    let first = bytes[..end.unwrap_or(bytes.len())].to_ascii_lowercase();
    let name = first.strip_prefix(b"#character-encoding")?;
    Some(String::from_utf8_lossy(name).trim().to_string())
}

/// The number of the line that follows these bytes.
fn lines_in(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.split(['\n', '\r']).count()
}

/// The record so far.
#[derive(Default)]
struct RecordParser {
    record: GameRecord,
    /// Number, line, and who.
    players: Vec<(usize, usize, GcgPlayer)>,
    last: Continued,
}

/// What a continuation would continue.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Continued {
    #[default]
    Nothing,
    Note,
    Pragma(usize),
}

impl RecordParser {
    fn line(
        &mut self,
        line: usize,
        text: &str,
        problems: &mut ProblemLog,
    ) -> Result<(), RecordProblem> {
        if text.is_empty() {
            return Ok(());
        }
        if let Some(event) = text.strip_prefix('>') {
            self.last = Continued::Nothing;
            return match read_event(line, event) {
                Ok(event) => self.event(event),
                Err(what) => problems.report(line, what),
            };
        }
        let result = match text.strip_prefix('#') {
            Some(pragma) => self.pragma(line, pragma),
            None if self.last == Continued::Note => self.go_on(text),
            None => Err(format!(
                "'{}' is neither an event (>), a pragma (#) nor part of a note",
                shown(text)
            )),
        };
        result.or_else(|what| problems.report(line, what))
    }

    /// Refused in both modes: no game is so long, and what comes after could not be told apart.
    fn event(&mut self, event: GcgEvent) -> Result<(), RecordProblem> {
        if self.record.events.len() == MAX_EVENTS {
            return Err(RecordProblem {
                line: event.line,
                what: format!("more than {MAX_EVENTS} events, which is the limit"),
            });
        }
        self.record.events.push(event);
        Ok(())
    }

    fn pragma(&mut self, line: usize, text: &str) -> Result<(), String> {
        if let Some(more) = text.strip_prefix('-') {
            return self.go_on(more.trim_matches(BLANKS));
        }
        let (name, text) = text.split_once(BLANKS).unwrap_or((text, ""));
        let text = text.trim_matches(BLANKS);
        self.last = Continued::Nothing;
        let key = name.to_ascii_lowercase();
        match (key.as_str(), numbered(&key)) {
            (_, Some(("player", number))) => return self.player(number, line, text),
            (_, Some(("rack", number))) => self.record.racks.push((number, within_limit(text)?)),
            ("note", _) => self.note(text),
            ("incomplete", _) => self.record.incomplete = Some(within_limit(text)?),
            ("character-encoding", _) if line == 1 => {}
            ("character-encoding", _) => {
                return Err("#character-encoding counts only on the first line".to_string());
            }
            _ => self.other(name, text),
        }
        Ok(())
    }

    fn player(&mut self, number: usize, line: usize, text: &str) -> Result<(), String> {
        let (nick, name) = text.split_once(BLANKS).unwrap_or((text, ""));
        if nick.is_empty() {
            return Err(format!("#player{number} has no nickname"));
        }
        if !(1..=MAX_PLAYERS).contains(&number) {
            return Err(format!(
                "#player{number}, the limits are 1 and {MAX_PLAYERS}"
            ));
        }
        if self.players.iter().any(|(known, ..)| *known == number) {
            return Err(format!("#player{number} is given twice"));
        }
        let player = GcgPlayer {
            nick: within_limit(nick)?,
            name: name.trim_matches(BLANKS).to_string(),
        };
        self.players.push((number, line, player));
        Ok(())
    }

    fn notes(&mut self) -> &mut Vec<String> {
        match self.record.events.last_mut() {
            Some(event) => &mut event.notes,
            None => &mut self.record.notes,
        }
    }

    fn note(&mut self, text: &str) {
        self.notes().push(text.to_string());
        self.last = Continued::Note;
    }

    /// Several descriptions are one of several lines.
    fn other(&mut self, name: &str, text: &str) {
        let pragmas = &mut self.record.pragmas;
        let joined = |pragma: &Pragma| pragma.is("description") && pragma.is(name);
        let at = match pragmas.iter().position(joined) {
            Some(at) => {
                pragmas[at].text.push('\n');
                pragmas[at].text.push_str(text);
                at
            }
            None => {
                pragmas.push(Pragma {
                    name: name.to_string(),
                    text: text.to_string(),
                });
                pragmas.len() - 1
            }
        };
        self.last = Continued::Pragma(at);
    }

    /// Another line of the note or pragma just read.
    fn go_on(&mut self, text: &str) -> Result<(), String> {
        let before = match self.last {
            Continued::Nothing => None,
            Continued::Note => self.notes().last_mut(),
            Continued::Pragma(at) => self.record.pragmas.get_mut(at).map(|p| &mut p.text),
        };
        let before =
            before.ok_or("#- continues nothing: no note or other text stands before it")?;
        before.push('\n');
        before.push_str(text);
        Ok(())
    }

    fn finish(mut self, problems: &mut ProblemLog) -> Result<GameRecord, RecordProblem> {
        self.players.sort_by_key(|(number, ..)| *number);
        for (at, (number, line, player)) in self.players.into_iter().enumerate() {
            if number != at + 1 {
                problems.report(line, format!("#player{number} without #player{}", at + 1))?;
            }
            if self.record.player(&player.nick).is_some() {
                let nick = shown(&player.nick);
                problems.report(line, format!("two players have the nickname '{nick}'"))?;
            }
            self.record.players.push(player);
        }
        name_strangers(&mut self.record, problems)?;
        Ok(self.record)
    }
}

/// Makes those who move without having been declared players, while there is room.
fn name_strangers(record: &mut GameRecord, problems: &mut ProblemLog) -> Result<(), RecordProblem> {
    let mut strangers: Vec<(usize, String)> = Vec::new();
    for event in &record.events {
        let known = strangers.iter().any(|(_, nick)| *nick == event.nick);
        if !known && record.player(&event.nick).is_none() && strangers.len() <= MAX_PLAYERS {
            strangers.push((event.line, event.nick.clone()));
        }
    }
    for (line, nick) in strangers {
        let nicks: Vec<String> = record.players.iter().map(|p| shown(&p.nick)).collect();
        let (who, known) = (shown(&nick), nicks.join(", "));
        problems.report(line, format!("'{who}' is none of the players: {known}"))?;
        if record.players.len() < MAX_PLAYERS {
            let name = String::new();
            record.players.push(GcgPlayer { nick, name });
        }
    }
    Ok(())
}

/// `player2` as its word and its number.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let (word, number) = name.split_at(at);
    Some((word, number.parse().ok().filter(|n| *n < 100)?))
}

fn within_limit(text: &str) -> Result<String, String> {
    match text.len() {
        len if len > MAX_TOKEN => Err(format!(
            "'{}' has {len} bytes, the limit is {MAX_TOKEN}",
            shown(text)
        )),
        _ => Ok(text.to_string()),
    }
}

/// Reads what follows `>` on an event line.
fn read_event(line: usize, text: &str) -> Result<GcgEvent, String> {
    let (nick, mut rest) = split_nick(text).ok_or("an event starts with '>nickname:'")?;
    let first = next_token(&mut rest).ok_or("the event is empty")?;
    let (rack, what) = match starts_move(first) {
        true => ("", first),
        false => (
            first,
            next_token(&mut rest).ok_or("nothing after the rack")?,
        ),
    };
    let what = read_what(what, &mut rest)?;
    let points = read_points("score", next_token(&mut rest))?;
    let total = read_points("total", next_token(&mut rest))?;
    Ok(GcgEvent {
        line,
        nick: within_limit(nick)?,
        rack: within_limit(rack)?,
        what,
        points,
        total,
        rest: rest.trim_matches(BLANKS).to_string(),
        notes: Vec::new(),
    })
}

/// The nickname may have colons in it, and the blank after its own may be missing.
fn split_nick(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.split_once(BLANKS).unwrap_or((text, ""));
    let (nick, rest) = match first.strip_suffix(':') {
        Some(nick) => (nick, rest),
        None => text.split_once(':').filter(|_| first.contains(':'))?,
    };
    (!nick.is_empty()).then_some((nick, rest))
}

fn next_token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start_matches(BLANKS);
    let (token, after) = text.split_at(text.find(BLANKS).unwrap_or(text.len()));
    *rest = after;
    (!token.is_empty()).then_some(token)
}

/// A rack is letters and question marks, so it cannot look like any of these.
fn starts_move(token: &str) -> bool {
    token.starts_with(['-', '(']) || Coordinate::parse(token).is_some()
}

fn read_what(token: &str, rest: &mut &str) -> Result<GcgAction, String> {
    if let Some(at) = Coordinate::parse(token) {
        let word = next_token(rest).ok_or_else(|| format!("no word after {at}"))?;
        let word = within_limit(word)?;
        return Ok(GcgAction::Play { at, word });
    }
    if let Some(inner) = token.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return read_bracketed(inner);
    }
    match token.strip_prefix('-') {
        Some("") => Ok(GcgAction::Pass),
        Some("-") => Ok(GcgAction::Withdrawn),
        Some(count) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
            let count = count.parse().map_err(|_| {
                let count = shown(count);
                format!("{count} tiles to exchange, the limit is {}", u8::MAX)
            })?;
            Ok(GcgAction::ExchangeCount(count))
        }
        Some(tiles) => Ok(GcgAction::Exchange(within_limit(tiles)?)),
        None => Err(format!(
            "'{}' is no move: a move is a coordinate and a word, -, -TILES, -N, --, (challenge), (time) or (TILES)",
            shown(token)
        )),
    }
}

/// The key words come first, since they would pass for tiles; in capitals they
/// are tiles, as TIME can be left on a rack.
fn read_bracketed(inner: &str) -> Result<GcgAction, String> {
    let is = |word: &str| inner.eq_ignore_ascii_case(word) && inner != word.to_uppercase();
    match () {
        _ if is("challenge") => Ok(GcgAction::Challenge),
        _ if is("time") => Ok(GcgAction::Time),
        _ => Ok(GcgAction::EndRack(within_limit(inner)?)),
    }
}

/// `+34`, `-10`, `34`, and `+-10` as some programs write it.
fn read_points(what: &str, token: Option<&str>) -> Result<Points, String> {
    let token = token.ok_or_else(|| format!("the {what} is missing"))?;
    let number = token.strip_prefix('+').unwrap_or(token);
    let not_points = || {
        let limit = Points::LIMIT;
        let token = shown(token);
        format!("the {what} '{token}' is not a whole number from -{limit} to {limit}")
    };
    // The limit has seven digits; anything much longer need not be parsed.
    if number.starts_with('+') || number.len() > 9 {
        return Err(not_points());
    }
    number.parse().map_err(|_| not_points())
}
