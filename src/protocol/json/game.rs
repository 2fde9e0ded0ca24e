//! The game that a query or an action is about, and its turns.

use super::fields::{FieldReader, QueryError};
use crate::engine::{Engine, EngineError, ErrorKind, Eyes, PlayedMove, Start};
use crate::notation::gcg::{GameRecord, ReadMode};
use crate::notation::moves::MoveText;

/// A game as a client gives it.
#[derive(Debug)]
pub(super) struct GameQuery {
    source: GameSource,
    /// The rack of the player to move, instead of the one that the game has.
    pub rack: Option<String>,
    /// Whose racks the position shows.
    eyes: Eyes,
}

/// Where a game comes from.
#[derive(Debug)]
enum GameSource {
    /// Moves from a position, or from the start.
    Moves {
        /// The position in CGP.
        cgp: Option<String>,
        /// The moves.
        moves: Vec<String>,
        /// Where the turns begin in the moves: a challenge belongs to the turn before it.
        turns: Vec<usize>,
        /// The rack after the last move, if the list ends with one.
        last_rack: Option<String>,
        /// The racks of all seats after the last move, if the list ends with them.
        last_racks: Option<String>,
    },
    /// A game record.
    Record(GameRecord),
}

impl GameQuery {
    /// Reads the fields of a game.
    pub fn read(fields: &mut FieldReader) -> Result<GameQuery, QueryError> {
        let source = GameSource::read(fields)?;
        let names = "a text: mover or all";
        let eyes = fields.field("eyes", names, |value| {
            let name = value.as_str()?;
            let found = Eyes::NAMES.iter().find(|(known, _)| *known == name);
            found.map(|(_, eyes)| *eyes)
        })?;
        if eyes == Some(Eyes::All) && matches!(source, GameSource::Record(_)) {
            let text = "a record is always searched with the eyes of the mover; leave out eyes";
            return Err(QueryError::new("bad-field", "eyes", text));
        }
        Ok(GameQuery {
            source,
            rack: fields.text("rack")?,
            eyes: eyes.unwrap_or_default(),
        })
    }

    /// The field that has the moves of the game.
    pub fn field(&self) -> Option<&'static str> {
        Some(match self.source {
            GameSource::Record(_) => "gcg",
            GameSource::Moves { .. } => "moves",
        })
    }

    /// The number of turns before its end.
    pub fn turns(&self) -> usize {
        match &self.source {
            GameSource::Record(record) => record.turns(),
            GameSource::Moves { turns, .. } => turns.len(),
        }
    }

    /// The move that was played at a turn, whose position has been set; `None` after the last move.
    /// A warning says why it cannot be searched.
    pub fn played(
        &self,
        turn: usize,
        engine: &Engine,
        warnings: &mut Vec<String>,
    ) -> Option<PlayedMove> {
        let text = match &self.source {
            GameSource::Record(record) => record.move_text(turn)?,
            GameSource::Moves { moves, turns, .. } => moves[*turns.get(turn)?].clone(),
        };
        let played = engine.played_move(&text, self.challenge(turn))?;
        warnings.extend(played.problem.clone());
        Some(played)
    }

    /// The challenge of the move of a turn, if one follows it in a list of moves.
    fn challenge(&self, turn: usize) -> Option<&str> {
        match &self.source {
            GameSource::Record(_) => None,
            GameSource::Moves { moves, turns, .. } => {
                let next = turns.get(turn)? + 1;
                let is_turn = turns.get(turn + 1) == Some(&next);
                moves.get(next).filter(|_| !is_turn).map(String::as_str)
            }
        }
    }

    /// Sets the position before a turn, and adds what is unusual about it, for people.
    pub fn set_up(
        &self,
        turn: usize,
        engine: &mut Engine,
        warnings: &mut Vec<String>,
    ) -> Result<(), QueryError> {
        match &self.source {
            GameSource::Record(record) => {
                let problems = engine
                    .set_record(record, turn)
                    .map_err(|error| QueryError::of(&error, "gcg"))?;
                warnings.extend(
                    problems
                        .iter()
                        .map(|problem| format!("{RECORD_WARNING}{problem}")),
                );
            }
            GameSource::Moves {
                cgp,
                moves,
                turns,
                last_rack,
                last_racks,
            } => {
                let start = cgp.as_deref().map_or(Start::Empty, Start::Cgp);
                let texts = moves.iter().chain(last_racks);
                let texts: Vec<&str> = texts.map(String::as_str).collect();
                let at = turns.get(turn).map_or(moves.len(), |&at| at);
                let set = engine.set_position_before(start, &texts, at, self.eyes);
                set.map_err(|error| match error.kind {
                    ErrorKind::Move => QueryError::of(&error, "moves"),
                    _ => QueryError::of(&error, cgp.as_ref().map(|_| "cgp")),
                })?;
                if let Some(rack) = last_rack.as_ref().filter(|_| at == moves.len()) {
                    let set = engine.set_known_tiles(rack);
                    set.map_err(|error| QueryError::of(&error, "moves"))?;
                }
            }
        }
        if let Some(rack) = &self.rack {
            let set = engine.set_known_tiles(rack);
            set.map_err(|error| QueryError::of(&after_finding(warnings, error), "rack"))?;
        }
        warnings.extend(engine.position_warnings());
        Ok(())
    }
}

/// What a warning about a record begins with.
const RECORD_WARNING: &str = "gcg ";

/// An error about a turn, after the first finding about its record, which may be the reason. An
/// error about a move has its own reason, so that the findings stay warnings.
pub(super) fn after_finding(warnings: &[String], error: EngineError) -> EngineError {
    if error.kind == ErrorKind::Move {
        return error;
    }
    let mut findings = warnings
        .iter()
        .filter_map(|warning| warning.strip_prefix(RECORD_WARNING));
    let text = match findings.next() {
        Some(first) => format!("{first}; {}", error.text),
        None => error.text,
    };
    EngineError { text, ..error }
}

impl GameSource {
    fn read(fields: &mut FieldReader) -> Result<GameSource, QueryError> {
        let (cgp, moves) = (fields.text("cgp")?, fields.texts("moves")?);
        let Some(gcg) = fields.text("gcg")? else {
            let mut moves = moves.unwrap_or_default();
            let last = moves.last().map(|last| MoveText::parse(last));
            let (mut last_rack, mut last_racks) = (None, None);
            match last {
                Some(Ok(MoveText::Rack(tiles))) => {
                    last_rack = Some(tiles);
                    moves.pop();
                }
                Some(Ok(MoveText::Racks(_))) => last_racks = moves.pop(),
                _ => {}
            }
            let is_turn =
                |text: &String| !matches!(MoveText::parse(text), Ok(MoveText::Challenge(_)));
            return Ok(GameSource::Moves {
                cgp,
                turns: (0..moves.len()).filter(|&at| is_turn(&moves[at])).collect(),
                moves,
                last_rack,
                last_racks,
            });
        };
        if cgp.is_some() || moves.is_some() {
            let text = "a record has the whole game; leave out cgp and moves";
            return Err(QueryError::new("bad-field", "gcg", text));
        }
        // A line that cannot be read may be a play: every later position would be wrong.
        match GameRecord::parse(gcg.as_bytes(), ReadMode::Strict) {
            Ok((record, _)) => Ok(GameSource::Record(record)),
            Err(problem) => Err(QueryError::new("bad-position", "gcg", problem)),
        }
    }
}
