//! Bytes to a [`GameRecord`]: encodings, lines, pragmas, events.

use super::super::coordinate::Coordinate;
use super::super::moves::MoveText;
use super::setting::is_pragma;
use super::{
    BLANKS, GameRecord, GcgAction, GcgEvent, GcgPlayer, LastRack, MAX_EVENTS, MAX_PROBLEMS, Note,
    Pragma, ProblemLog, ReadMode, RecordProblem, quoted,
};
use crate::rules::MAX_PLAYERS;
use crate::units::Points;

/// The longest rack, word or nickname, in bytes. Chosen by hand, above what any board or tile
/// set needs.
const MAX_TOKEN_BYTES: usize = 250;

/// What is wrong with a record without any player.
const EMPTY_RECORD: &str = "the record is empty: it should have lines such as '#player1 ann Ann Lee' \
    and '>ann: AEHNORT 8F HORN +14 14'";

/// What is wrong with a record in UTF-16.
const UTF_16_RECORD: &str = "the record is in UTF-16, which is not supported; save it as UTF-8";

/// What is assumed of a record that is not UTF-8 and declares no other encoding.
const NOT_UTF_8: &str = "this line is not UTF-8, so the record is read as ISO-8859-1; the first \
    line '#character-encoding ISO-8859-1' would say so";

impl GameRecord {
    /// Reads a record. In lenient mode unreadable lines are skipped and returned as problems.
    pub fn parse(
        bytes: &[u8],
        mode: ReadMode,
    ) -> Result<(GameRecord, Vec<RecordProblem>), RecordProblem> {
        let mut problems = ProblemLog::new(mode);
        let mut parser = RecordParser::default();
        let text = decode(bytes, &mut parser.record.remarks, &mut problems)?;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (at, line) in text.split('\n').enumerate() {
            parser.line(at + 1, line.trim_matches(BLANKS), &mut problems)?;
        }
        let record = parser.finish(&mut problems)?;
        Ok((record, problems.finish()?))
    }
}

/// Decodes the record by its declared encoding or, without one, by what its bytes are valid in.
/// UTF-16 is an error in both modes.
fn decode(
    bytes: &[u8],
    remarks: &mut Vec<RecordProblem>,
    problems: &mut ProblemLog,
) -> Result<String, RecordProblem> {
    if is_utf_16(bytes) {
        let what = UTF_16_RECORD.to_string();
        return Err(RecordProblem { line: 0, what });
    }
    let (has_bom, bytes) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, bytes),
    };
    let declared = declared_encoding(bytes).map(|name| name.to_ascii_lowercase());
    let latin = || bytes.iter().map(|&byte| char::from(byte)).collect();
    match declared.as_deref() {
        Some("utf-8" | "utf8") => {}
        Some("iso-8859-1" | "iso8859-1" | "latin-1" | "latin1") if !has_bom => return Ok(latin()),
        None | Some("iso-8859-1" | "iso8859-1" | "latin-1" | "latin1" | "us-ascii" | "ascii") => {}
        Some(other) => {
            let other = quoted(other);
            let what = format!("the encoding '{other}' is not known; use UTF-8 or ISO-8859-1");
            problems.report(1, what)?;
        }
    }
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_string()),
        Err(error) => error,
    };
    let line = line_after(&bytes[..error.valid_up_to()]);
    if has_bom || declared.is_some_and(|name| name.starts_with("utf")) {
        problems.report(line, "this line is not UTF-8, which the record says it is")?;
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    let what = NOT_UTF_8.to_string();
    remarks.push(RecordProblem { line, what });
    Ok(latin())
}

/// Whether the bytes begin with a byte order mark of UTF-16 or, without one, with a character of
/// ASCII in two bytes, as every record in UTF-16 does.
fn is_utf_16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, second, ..] => (*first == 0) != (*second == 0),
        _ => false,
    }
}

/// The encoding that `#character-encoding` on the first line declares.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| b"\r\n".contains(byte));
    let first = bytes[..end.unwrap_or(bytes.len())].to_ascii_lowercase();
    let name = first.strip_prefix(b"#character-encoding")?;
    Some(String::from_utf8_lossy(name).trim().to_string())
}

/// The number of the line on which these bytes end, from 1.
fn line_after(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.split(['\n', '\r']).count()
}

/// The record so far.
#[derive(Default)]
struct RecordParser {
    record: GameRecord,
    /// Player number and player.
    players: Vec<(usize, GcgPlayer)>,
    continued: Continued,
}

/// The text that a continuation line would continue.
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
            self.continued = Continued::Nothing;
            return match read_event(line, event) {
                Ok(event) => self.event(event),
                Err(what) => problems.report(line, what),
            };
        }
        let result = match text.strip_prefix('#') {
            Some(pragma) => self.pragma(line, pragma),
            None if self.continued == Continued::Note => self.continue_text(text),
            None => Err(format!(
                "'{}' is neither an event (>), a pragma (#) nor part of a note",
                quoted(text)
            )),
        };
        result.or_else(|what| problems.report(line, what))
    }

    /// Adds an event. Too many events are an error in both modes.
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
            return self.continue_text(more.trim_matches(BLANKS));
        }
        let (name, text) = text.split_once(BLANKS).unwrap_or((text, ""));
        let text = text.trim_matches(BLANKS);
        self.continued = Continued::Nothing;
        let key = name.to_ascii_lowercase();
        match (key.as_str(), numbered(&key)) {
            (_, Some(("player", number))) => return self.player(number, line, text),
            (_, Some(("rack", number))) => self.rack(line, Some(number), text)?,
            ("note", _) => self.note(line, text),
            ("incomplete", _) => self.rack(line, None, text)?,
            ("character-encoding", _) if line == 1 => {}
            ("character-encoding", _) => {
                return Err("#character-encoding counts only on the first line".to_string());
            }
            _ if lacks_number(&key) => {
                let name = quoted(name);
                return Err(format!("'#{name}' has no number from 1 to {MAX_PLAYERS}"));
            }
            _ => self.other_pragma(line, name, text),
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
            line,
            nick: within_limit(nick)?,
            name: name.trim_matches(BLANKS).to_string(),
        };
        self.players.push((number, player));
        Ok(())
    }

    fn rack(&mut self, line: usize, player: Option<usize>, text: &str) -> Result<(), String> {
        let tiles = within_limit(text)?;
        self.record.racks.push(LastRack {
            line,
            player,
            tiles,
        });
        Ok(())
    }

    fn notes(&mut self) -> &mut Vec<Note> {
        match self.record.events.last_mut() {
            Some(event) => &mut event.notes,
            None => &mut self.record.notes,
        }
    }

    fn note(&mut self, line: usize, text: &str) {
        let text = text.to_string();
        self.notes().push(Note { line, text });
        self.continued = Continued::Note;
    }

    /// Adds a pragma. Several descriptions become one of several lines.
    fn other_pragma(&mut self, line: usize, name: &str, text: &str) {
        self.remark_unknown(line, name);
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
                    line,
                    ..Pragma::new(name, text)
                });
                pragmas.len() - 1
            }
        };
        self.continued = Continued::Pragma(at);
    }

    /// Remarks once that there is no pragma of this name.
    fn remark_unknown(&mut self, line: usize, name: &str) {
        let remarks = &mut self.record.remarks;
        if is_pragma(name) || remarks.len() >= MAX_PROBLEMS {
            return;
        }
        let what = format!("there is no pragma '#{}'; it has no effect", quoted(name));
        if !remarks.iter().any(|remark| remark.what == what) {
            remarks.push(RecordProblem { line, what });
        }
    }

    /// Adds a line to the note or pragma just read.
    fn continue_text(&mut self, text: &str) -> Result<(), String> {
        let before = match self.continued {
            Continued::Nothing => None,
            Continued::Note => self.notes().last_mut().map(|note| &mut note.text),
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
        for (at, (number, player)) in self.players.into_iter().enumerate() {
            let line = player.line;
            if number != at + 1 {
                problems.report(line, format!("#player{number} without #player{}", at + 1))?;
            }
            if self.record.player(&player.nick).is_some() {
                let nick = quoted(&player.nick);
                problems.report(line, format!("two players have the nickname '{nick}'"))?;
            }
            self.record.players.push(player);
        }
        if self.record.players.is_empty() && self.record.events.is_empty() {
            problems.report(0, EMPTY_RECORD)?;
        }
        add_undeclared_players(&mut self.record, problems)?;
        Ok(self.record)
    }
}

/// Adds players who have events but no `#player` line, up to the limit, and reports them.
fn add_undeclared_players(
    record: &mut GameRecord,
    problems: &mut ProblemLog,
) -> Result<(), RecordProblem> {
    let mut undeclared: Vec<(usize, String)> = Vec::new();
    for event in &record.events {
        let known = undeclared.iter().any(|(_, nick)| *nick == event.nick);
        if !known && record.player(&event.nick).is_none() && undeclared.len() <= MAX_PLAYERS {
            undeclared.push((event.line, event.nick.clone()));
        }
    }
    for (line, nick) in undeclared {
        let nicks: Vec<String> = record.players.iter().map(|p| quoted(&p.nick)).collect();
        let (unknown, known) = (quoted(&nick), nicks.join(", "));
        let what = match nicks.is_empty() {
            true => format!("'{unknown}' has no line '#player1 {unknown} NAME' before this one"),
            false => format!("'{unknown}' is none of the players: {known}"),
        };
        problems.report(line, what)?;
        if record.players.len() < MAX_PLAYERS {
            let name = String::new();
            record.players.push(GcgPlayer { line, nick, name });
        }
    }
    Ok(())
}

/// Splits `player2` into its word and its number.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let (word, number) = name.split_at(at);
    Some((word, number.parse().ok().filter(|n| *n < 100)?))
}

/// Whether a pragma begins like `#player1` or `#rack1` but has no number.
fn lacks_number(name: &str) -> bool {
    let rest = ["player", "rack"]
        .into_iter()
        .find_map(|word| name.strip_prefix(word));
    rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn within_limit(text: &str) -> Result<String, String> {
    match text.len() {
        len if len > MAX_TOKEN_BYTES => Err(format!(
            "'{}' has {len} bytes, the limit is {MAX_TOKEN_BYTES}",
            quoted(text)
        )),
        _ => Ok(text.to_string()),
    }
}

/// Reads the text after `>` on an event line.
fn read_event(line: usize, text: &str) -> Result<GcgEvent, String> {
    let (nick, mut rest) = split_nick(text).ok_or("an event starts with '>nickname:'")?;
    let first = next_token(&mut rest).ok_or("the event is empty")?;
    let (rack, action) = match starts_action(first) {
        true => ("", first),
        false => (
            first,
            next_token(&mut rest).ok_or("nothing after the rack")?,
        ),
    };
    let action = read_action(action, &mut rest)?;
    let points = read_points("score", next_token(&mut rest))?;
    let total = read_points("total", next_token(&mut rest))?;
    Ok(GcgEvent {
        line,
        nick: within_limit(nick)?,
        rack: within_limit(rack)?,
        action,
        points,
        total,
        rest: rest.trim_matches(BLANKS).to_string(),
        notes: Vec::new(),
    })
}

/// Splits off the nickname. It may contain colons, and the space after its colon may be missing.
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

/// Whether a token is the start of an action. A rack consists of letters and question marks, so
/// it cannot be confused with one.
fn starts_action(token: &str) -> bool {
    token.starts_with(['-', '(']) || Coordinate::parse(token).is_some()
}

fn read_action(token: &str, rest: &mut &str) -> Result<GcgAction, String> {
    if let Some(at) = Coordinate::parse(token) {
        let word = next_token(rest).ok_or_else(|| format!("no word after {at}"))?;
        let word = within_limit(word)?;
        return Ok(GcgAction::Play { at, word });
    }
    if let Ok(MoveText::Edited { .. } | MoveText::Rearrange(_)) = MoveText::parse(token) {
        return Ok(GcgAction::Token(within_limit(token)?));
    }
    if let Some(inner) = token.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return read_parenthesised(inner);
    }
    match token.strip_prefix('-') {
        Some("") => Ok(GcgAction::Pass),
        Some("-") => Ok(GcgAction::Withdrawn),
        Some(count) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
            let count = count.parse().map_err(|_| {
                let count = quoted(count);
                format!("{count} tiles to exchange, the limit is {}", u8::MAX)
            })?;
            Ok(GcgAction::ExchangeCount(count))
        }
        Some(tiles) => Ok(GcgAction::Exchange(within_limit(tiles)?)),
        None => Err(format!(
            "'{}' is not a move: a move is a coordinate and a word, -, -TILES, -N, --, (challenge), (time) or (TILES)",
            quoted(token)
        )),
    }
}

/// Reads what stands in parentheses: a key word or tiles. A key word in capitals is tiles, since
/// TIME can be left on a rack.
fn read_parenthesised(inner: &str) -> Result<GcgAction, String> {
    let is = |word: &str| inner.eq_ignore_ascii_case(word) && inner != word.to_uppercase();
    match () {
        _ if is("challenge") => Ok(GcgAction::Challenge),
        _ if is("time") => Ok(GcgAction::Time),
        _ => Ok(GcgAction::EndRack(within_limit(inner)?)),
    }
}

/// Reads `+34`, `-10` or `34`, and also `+-10`, as some programs write it.
fn read_points(field: &str, token: Option<&str>) -> Result<Points, String> {
    let token = token.ok_or_else(|| format!("the {field} is missing"))?;
    let number = token.strip_prefix('+').unwrap_or(token);
    let not_points = || {
        let limit = Points::LIMIT;
        let token = quoted(token);
        format!("the {field} '{token}' is not a whole number from -{limit} to {limit}")
    };
    // The limit has seven digits.
    if number.starts_with('+') || number.len() > 9 {
        return Err(not_points());
    }
    number.parse().map_err(|_| not_points())
}
