//! Game records in the GCG format: reading, replaying, writing.
//!
//! A record is read in two steps. [`GameRecord::parse`] knows the syntax of lines and nothing
//! of the game. [`GameRecord::replay`] plays the record by a rule set and reports every
//! contradiction, in the order of lines. No files are opened here.
//!
//! Many programs write this format. Where they differ, we do the following:
//!
//! * **Encoding.** `#character-encoding` on the first line decides, as does a
//!   byte order mark. Without either the record is UTF-8 if all of it is
//!   valid UTF-8, else ISO-8859-1: ISO-8859-1 text with letters beyond ASCII
//!   is practically never valid UTF-8. [`GameRecord::remarks`] says so. UTF-16 is refused.
//!   We write UTF-8 and say so.
//! * **First move.** Seats are numbered from the player who moves first, whether that is
//!   `#player1` or not. [`Replay::players`] gives the player of each seat. The pragma
//!   `#first-move bob`, which is ours, says that seats are numbered as the players are and that
//!   bob moves first.
//! * **Racks** may be partial, but a rack that is stated has all tiles that its line plays,
//!   exchanges or takes off the board. The tiles that a player is known to have kept are added to
//!   the rack of a line; both together must fit into one rack.
//! * **Going out.** Under the rule `twice` there is one line for each opponent: an empty rack
//!   field, the opponent's tiles, twice their value. Under the rule `sum` each opponent has a
//!   penalty line (the tiles as the rack and again in parentheses, negative points), and one
//!   line with an empty rack field gives all these tiles to the player who went out.
//! * **A pass after the end** means that nobody challenges; it is not recorded as an event.
//! * **A lost turn** is a pass with the note `#unsuccessful-challenge`. With a nickname
//!   (`#unsuccessful-challenge ann` after the last event) the player loses the next turn, at once
//!   if it is that player's. `#forfeit ann` means that ann lost the game by a challenge; it follows
//!   the play, its line `(challenge)` or its line `--`. Notes of this form that have no effect are
//!   reported.
//! * **`#orientation`** is kept but ignored: coordinates are read as written. On boards that
//!   are their own mirror image all scores are the same.

mod before;
mod challenges;
mod leftover;
mod parse;
mod penalties;
mod played;
mod racks;
mod replay;
mod setting;
mod word;
mod write;

pub use played::{PlayFate, RecordedPlay};
pub use replay::{Replay, ReplayStep};
pub use setting::SettingPart;
pub use write::NotRecordable;

use super::coordinate::Coordinate;
use crate::rules::ChallengeRule;
use crate::units::Points;
use std::fmt;

/// The most events of a record. Chosen by hand, far above any game.
pub const MAX_EVENTS: usize = 5_000;
/// The most problems that are collected before reading stops. Chosen by hand.
pub const MAX_PROBLEMS: usize = 1_000;

/// The most characters of a record's text that an error message quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 40;

/// The characters between the parts of a line.
const BLANKS: [char; 2] = [' ', '\t'];

/// The note of a pass that is a turn lost by an unsuccessful challenge.
const LOST_TURN: &str = "#unsuccessful-challenge";
/// The pragma that names the player who moves first, where that is not `#player1` and the seats are
/// nevertheless numbered as the players are.
const FIRST_MOVE: &str = "first-move";
/// The note that a challenge has lost a player the game; the nickname follows.
const FORFEIT: &str = "#forfeit";

/// A game record as it was written. Only the syntax of its lines has been checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// `#player1`, `#player2` and so on.
    pub players: Vec<GcgPlayer>,
    /// The pragmas without a field of their own, in order: `title`, `lexicon`, `id`,
    /// `board-layout`, and unknown ones.
    pub pragmas: Vec<Pragma>,
    /// The notes before the first event.
    pub notes: Vec<Note>,
    /// The event lines, in order.
    pub events: Vec<GcgEvent>,
    /// `#rack1` and so on, and `#incomplete`, in order.
    pub racks: Vec<LastRack>,
    /// What the reader assumed because the record does not say it, and pragmas that there are not.
    /// These are not faults.
    pub remarks: Vec<RecordProblem>,
    /// The challenge rule of the game, if it is known. No line names it, so whoever knows it sets
    /// it. Without it, points for a failed challenge may be those of any rule.
    pub challenge_rule: Option<ChallengeRule>,
}

impl GameRecord {
    /// The text of the pragma of this name, if there is one.
    pub fn pragma(&self, name: &str) -> Option<&str> {
        let found = self.pragmas.iter().find(|pragma| pragma.is(name));
        found.map(|pragma| pragma.text.as_str())
    }

    /// The index of the player with this nickname.
    pub fn player(&self, nick: &str) -> Option<usize> {
        self.players.iter().position(|player| player.nick == nick)
    }
}

/// A player of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgPlayer {
    /// The line number in the record, from 1; 0 if it was not read from a record.
    pub line: usize,
    /// The name in the events: one word.
    pub nick: String,
    /// The full name; may be empty.
    pub name: String,
}

/// A line about a rack after the last event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRack {
    /// The line number in the record, from 1; 0 if it was not read from a record.
    pub line: usize,
    /// `#rack1`: the number of the player, from 1. `None` is `#incomplete`, the rack of the player
    /// to move.
    pub player: Option<usize>,
    /// The rack as written; may be empty.
    pub tiles: String,
}

impl LastRack {
    /// The name of the pragma, with `#`.
    fn name(&self) -> String {
        match self.player {
            Some(number) => format!("#rack{number}"),
            None => "#incomplete".to_string(),
        }
    }
}

/// A line `#name text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// The line number in the record, from 1; 0 if it was not read from a record.
    pub line: usize,
    /// Its name without `#`.
    pub name: String,
    /// The text after the name. Continuation lines are joined with line feeds.
    pub text: String,
}

impl Pragma {
    /// A pragma to be written.
    pub fn new(name: &str, text: &str) -> Pragma {
        Pragma {
            line: 0,
            name: name.to_string(),
            text: text.to_string(),
        }
    }

    /// Whether it has this name, ignoring case.
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The number of its first line in the record, from 1; 0 if it was not read from a record.
    pub line: usize,
    /// Its text, which may have several lines.
    pub text: String,
}

/// An event line `>nick: rack action +points total rest`, and the notes that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgEvent {
    /// The line number in the record, from 1; 0 if it was not read from a record.
    pub line: usize,
    /// The nickname of the player.
    pub nick: String,
    /// The rack as written; empty for unknown.
    pub rack: String,
    /// What the player did.
    pub action: GcgAction,
    /// The points that it added to the score.
    pub points: Points,
    /// The score after it.
    pub total: Points,
    /// The text after the total, which old programs wrote.
    pub rest: String,
    /// The notes that follow it.
    pub notes: Vec<Note>,
}

/// What happened on an event line, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgAction {
    /// `8D FLYING`.
    Play {
        /// Square and direction.
        at: Coordinate,
        /// The word, with tiles played through as `.`, `(A)` or the letter.
        word: String,
    },
    /// `8G=O+H6.FARM` or `re.8E.THRONE`: a turn that other programs do not know, as the protocol
    /// writes it.
    Token(String),
    /// `-`.
    Pass,
    /// `-ABC`: these tiles were exchanged.
    Exchange(String),
    /// `-4`: this number of tiles was exchanged.
    ExchangeCount(u8),
    /// `--`: the play just made was taken off the board.
    Withdrawn,
    /// `(challenge)`: points for a play that was challenged without success.
    Challenge,
    /// `(time)`: points lost for time.
    Time,
    /// `(ABC)`: tiles left over at the end.
    EndRack(String),
}

/// How to treat contradictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadMode {
    /// The first one, by lines, is an error.
    Strict,
    /// All are collected, and the scores of the record hold.
    Lenient,
}

/// A contradiction or a syntax error in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordProblem {
    /// The line number, from 1; 0 if the problem has no line.
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

impl RecordProblem {
    /// Sorts problems by their lines; those without a line come last.
    pub fn sort(problems: &mut [RecordProblem]) {
        problems.sort_by_key(RecordProblem::place);
    }

    /// Its place among other problems.
    fn place(&self) -> usize {
        self.line.wrapping_sub(1)
    }

    /// The problem after the first of some sorted ones, if that comes before it: it may be the cause.
    pub fn after_first(self, sorted: &[RecordProblem]) -> RecordProblem {
        match sorted.first() {
            Some(first) if first.place() <= self.place() => first.clone().followed_by(&self),
            _ => self,
        }
    }

    /// The problem, and another one that may follow from it.
    pub fn followed_by(mut self, other: &RecordProblem) -> RecordProblem {
        self.what += &format!("; {other}");
        self
    }
}

/// Collects problems. Some are found late, at the end of a record, although their line comes early:
/// only at the end is it known which comes first.
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

    /// Adds a problem, unless it has just been added. Too many are an error.
    fn report(&mut self, line: usize, what: impl Into<String>) -> Result<(), RecordProblem> {
        let what = what.into();
        let problem = RecordProblem { line, what };
        if self.found.last() == Some(&problem) {
            return Ok(());
        }
        if self.found.len() == MAX_PROBLEMS {
            let what = format!("more than {MAX_PROBLEMS} problems; this is not a game record");
            return Err(self.first().unwrap_or(RecordProblem { line, what }));
        }
        self.found.push(problem);
        Ok(())
    }

    /// The problem that is an error: in strict mode the first.
    fn first(&mut self) -> Option<RecordProblem> {
        RecordProblem::sort(&mut self.found);
        let first = self.found.first().cloned();
        first.filter(|_| self.mode == ReadMode::Strict)
    }

    /// All problems in the order of lines; in strict mode the first is an error.
    fn finish(mut self) -> Result<Vec<RecordProblem>, RecordProblem> {
        self.first().map_or(Ok(self.found), Err)
    }
}

/// A text of the record as an error message quotes it: cut to [`MAX_QUOTED_CHARS`], without
/// control characters.
fn quoted(text: &str) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let more = text.chars().nth(MAX_QUOTED_CHARS).map(|_| '…');
    text.chars()
        .take(MAX_QUOTED_CHARS)
        .map(clean)
        .chain(more)
        .collect()
}
