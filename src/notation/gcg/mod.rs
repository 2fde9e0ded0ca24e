//! Game records in the GCG format: reading, replaying, writing.
//!
//! A record is read in two steps. [`GameRecord::parse`] knows what a line can look
//! like and nothing of the game; [`GameRecord::replay`] plays the record by a rule
//! set and tells every contradiction. No files are opened here.
//!
//! The format has grown over many programs. What was decided where they differ:
//!
//! * **Encoding.** `#character-encoding` on the first line decides, as does a
//!   byte order mark. Without either the record is UTF-8 if all of it is
//!   valid UTF-8, else ISO-8859-1: ISO-8859-1 text with letters beyond ASCII
//!   is practically never valid UTF-8. We write UTF-8 and say so.
//! * **First move.** Seats are numbered from the player who moves first, be it
//!   `#player1` or not; [`Replay::players`] says who sits where.
//! * **Racks** may be partial. What a player is known to have kept is added to
//!   what a line tells; the two together must fit into one rack.
//! * **Going out** is told in one line for each other player under the rule
//!   `twice`: empty rack field, that player's tiles, twice their value. Under
//!   the rule `sum` the others lose theirs in penalty lines (tiles as the rack
//!   and again in parentheses, negative points), and one line with an empty
//!   rack field gives all these tiles to the one who is out.
//! * **A pass after the end** says that nobody challenges; it is no event. A
//!   last pass that is missing before penalty lines is supplied.
//! * **A lost turn** is a pass with the note `#unsuccessful-challenge`. With a
//!   nickname, `#unsuccessful-challenge ann` after the last event, it is still
//!   to come. `#forfeit ann` is the same for a game lost by a challenge.
//! * **`#orientation`** is kept but not followed: coordinates are read as
//!   written, and on boards that are their own mirror image all scores stay.

mod before;
mod leftover;
mod parse;
mod replay;
mod word;
mod write;

pub use replay::{Replay, ReplayStep};
pub use write::NotFromStart;

use super::coordinate::Coordinate;
use crate::units::Points;
use std::fmt;

/// The most events a record can have: far more than any game.
pub const MAX_EVENTS: usize = 5_000;
/// The most problems that are collected before reading ends.
pub const MAX_PROBLEMS: usize = 1_000;

/// What stands between the parts of a line.
const BLANKS: [char; 2] = [' ', '\t'];

/// The note of a pass that is a turn lost by a wrong challenge.
const LOST_TURN: &str = "#unsuccessful-challenge";
/// The note, followed by a nickname, that a challenge has lost the game.
const FORFEIT: &str = "#forfeit";

/// A game record as it was written. Nothing about it is promised but the form of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// `#player1`, `#player2` and so on.
    pub players: Vec<GcgPlayer>,
    /// The pragmas that have no place of their own here, in order: known ones
    /// such as `title`, `lexicon`, `id`, `board-layout`, and unknown ones.
    pub pragmas: Vec<Pragma>,
    /// The notes before the first event.
    pub notes: Vec<String>,
    /// What happened.
    pub events: Vec<GcgEvent>,
    /// `#rack1` and so on: the player's number, from 1, and the rack at the
    /// end of what is told.
    pub racks: Vec<(usize, String)>,
    /// `#incomplete`, with the rack of the player on turn or nothing.
    pub incomplete: Option<String>,
}

impl GameRecord {
    /// The text of a pragma, if there is one of this name.
    pub fn pragma(&self, name: &str) -> Option<&str> {
        let found = self.pragmas.iter().find(|pragma| pragma.is(name));
        found.map(|pragma| pragma.text.as_str())
    }

    /// The place of the player with this nickname, from 0.
    pub fn player(&self, nick: &str) -> Option<usize> {
        self.players.iter().position(|player| player.nick == nick)
    }
}

/// Someone who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgPlayer {
    /// The name in the events: one word.
    pub nick: String,
    /// The full name, or nothing.
    pub name: String,
}

/// A line `#name text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// Its name without `#`.
    pub name: String,
    /// What follows; continuations are lines of their own.
    pub text: String,
}

impl Pragma {
    /// Whether it has this name, in any case.
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// A line `>nick: rack what +points total rest` and the notes that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgEvent {
    /// Its number in the record, from 1; 0 if it was not read from one.
    pub line: usize,
    /// Who.
    pub nick: String,
    /// The rack as written; empty for unknown.
    pub rack: String,
    /// What happened.
    pub what: GcgAction,
    /// What it added to the score.
    pub points: Points,
    /// The score after it.
    pub total: Points,
    /// What old programs wrote after the total.
    pub rest: String,
    /// The notes, each with its lines.
    pub notes: Vec<String>,
}

impl GcgEvent {
    /// Whether a note says so: the mark alone, or the mark and a nickname.
    fn is_marked(&self, mark: &str, nick: Option<&str>) -> bool {
        self.notes
            .iter()
            .any(|note| marks(note, mark).any(|found| found == nick))
    }
}

/// The nicknames after the lines of a note that start with this mark.
fn marks<'a>(note: &'a str, mark: &'a str) -> impl Iterator<Item = Option<&'a str>> {
    note.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(mark)).then(|| words.next())
    })
}

/// What a line tells, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgAction {
    /// `8D FLYING`.
    Play {
        /// Where, and which way.
        at: Coordinate,
        /// The word, with tiles played through as `.`, `(A)` or the letter.
        word: String,
    },
    /// `-`.
    Pass,
    /// `-ABC`: these tiles were exchanged.
    Exchange(String),
    /// `-4`: so many tiles were exchanged.
    ExchangeCount(u8),
    /// `--`: the play just made came off.
    Withdrawn,
    /// `(challenge)`: points for a play that was challenged and stands.
    Challenge,
    /// `(time)`: points lost for time.
    Time,
    /// `(ABC)`: tiles left over at the end.
    EndRack(String),
}

/// How to meet contradictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// The first one is an error.
    Strict,
    /// All are collected, and the record's scores hold.
    Lenient,
}

/// Something in a record that cannot be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordProblem {
    /// The line, from 1; 0 if it is none in particular.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            0 => self.what.fmt(f),
            line => write!(f, "line {line}: {}", self.what),
        }
    }
}

impl std::error::Error for RecordProblem {}

/// Where problems go: the first comes back as the error, or all are kept.
struct ProblemLog {
    mode: ReadMode,
    found: Vec<RecordProblem>,
}

impl ProblemLog {
    fn new(mode: ReadMode) -> ProblemLog {
        ProblemLog {
            mode,
            found: Vec::new(),
        }
    }

    fn report(&mut self, line: usize, what: impl Into<String>) -> Result<(), RecordProblem> {
        let what = what.into();
        let problem = RecordProblem { line, what };
        if self.mode == ReadMode::Strict {
            return Err(problem);
        }
        if self.found.len() == MAX_PROBLEMS {
            let what = format!("more than {MAX_PROBLEMS} problems; this is not a game record");
            return Err(RecordProblem { line, what });
        }
        self.found.push(problem);
        Ok(())
    }
}

/// A text of the record as an error shows it: not too long, no control characters.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let more = text.chars().nth(MOST).map(|_| '…');
    text.chars().take(MOST).map(clean).chain(more).collect()
}
