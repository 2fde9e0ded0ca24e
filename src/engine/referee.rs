//! The referee: whether a move can be made, what it scores, and which of its words are phonies.

use super::table::no_position;
use super::{Engine, EngineError, bad_move, shortened};
use crate::lexicon::Lexicon;
use crate::notation::moves::{MoveText, StatedMove};
use crate::rules::{PlayError, Position, Score, Turn};
use crate::tiles::{Face, Letter, TileCounts};

/// The ruling on a move.
pub struct CheckedMove {
    /// The move.
    pub turn: Turn,
    /// The words and the score, if it is a play.
    pub score: Option<Score>,
    /// The words that the lexicon does not have.
    pub phonies: Vec<Vec<Letter>>,
    /// The tiles that the player does not hold.
    pub missing: TileCounts,
}

/// The ruling on a word.
#[derive(Clone)]
pub struct JudgedWord {
    /// The word, as the engine writes it.
    pub text: String,
    /// Whether it is in the lexicon.
    pub is_valid: bool,
    /// How common it is, if the lexicon says so: 10 for the most common words, 99 for those that no
    /// list of common words has.
    pub tier: Option<u8>,
}

impl Engine {
    /// Checks a move of the player to move. A rack in the move counts for this answer.
    pub fn check(&mut self, text: &str) -> Result<CheckedMove, EngineError> {
        let mut table = self.table.clone().ok_or_else(no_position)?;
        if table.game.end().is_some() {
            return Err(bad_move(PlayError::GameOver));
        }
        let stated = read_move(table.game.position(), text)?;
        if let Some(rack) = stated.rack {
            table.set_rack(rack).map_err(bad_move)?;
        }
        let lexicon = &self.lexicon_of(&table)?.lexicon;
        examine(table.game.position(), &stated.turn, lexicon)
    }

    /// The turn that a move of the game's history says in this position. A play that came off counts
    /// as made; a rack and the points of a challenge are left out.
    pub fn read_played(&self, text: &str) -> Result<Turn, EngineError> {
        let table = self.table.as_ref().ok_or_else(no_position)?;
        let position = table.game.position();
        let text = MoveText::parse(text).map_err(bad_move)?;
        let turn = read_text(position, &text)?.turn;
        if exchanges_unseen(&turn) {
            return Err(bad_move("which tiles were exchanged is not known"));
        }
        refuse_illegal(position, &turn)?;
        Ok(turn)
    }

    /// Whether each word is in the lexicon of the game, or of the options if there is no game.
    pub fn judge(&self, words: &[String]) -> Result<Vec<JudgedWord>, EngineError> {
        let words_of_game = match &self.table {
            Some(table) => (self.lexicon_of(table)?, table.game.position().rules()),
            None => {
                let rules = self.rules();
                (self.lexicon(&self.options.lexicon, rules)?, rules)
            }
        };
        let (loaded, rules) = words_of_game;
        let judge = |text: &String| {
            let faces = rules.tiles.read_faces(text);
            let faces =
                faces.map_err(|error| match text.contains(|c: char| c.is_ascii_digit()) {
                    true => {
                        let text = shortened(text);
                        bad_move(format!(
                            "'{text}' is neither a word nor a move; a move is like 8D.WORD"
                        ))
                    }
                    false => bad_move(error),
                })?;
            let letters: Vec<Letter> = faces.into_iter().map(Face::letter).collect();
            Ok(JudgedWord {
                text: rules.tiles.word_text(&letters),
                is_valid: loaded.lexicon.contains(&letters),
                tier: loaded.lexicon.tier(&letters),
            })
        };
        words.iter().map(judge).collect()
    }
}

/// Turns the moves of a list into turns that can be made. If a lexicon is given, all their words
/// must be in it.
pub(super) fn resolve(
    position: &Position,
    moves: &[String],
    lexicon: Option<&Lexicon>,
) -> Result<Vec<Turn>, EngineError> {
    let resolve = |text: &String| {
        resolve_one(position, text, lexicon).map_err(|error| EngineError {
            text: format!("{}: {}", shortened(text), error.text),
            ..error
        })
    };
    moves.iter().map(resolve).collect()
}

fn resolve_one(
    position: &Position,
    text: &str,
    lexicon: Option<&Lexicon>,
) -> Result<Turn, EngineError> {
    let stated = read_move(position, text)?;
    let tiles = &position.rules().tiles;
    let held = position.mover_rack();
    if let Some(rack) = stated.rack.filter(|rack| *rack != held.known) {
        let (rack, held) = (tiles.tiles_text(&rack), tiles.tiles_text(&held.known));
        return Err(bad_move(format!(
            "the move names the rack {rack}, the rack of the player to move is {held}"
        )));
    }
    refuse_illegal(position, &stated.turn)?;
    if let Some(lexicon) = lexicon {
        refuse_phonies(position, &stated.turn, lexicon)?;
    }
    Ok(stated.turn)
}

/// Refuses a move that the player to move cannot make, whatever its words.
fn refuse_illegal(position: &Position, turn: &Turn) -> Result<(), EngineError> {
    if exchanges_unseen(turn) {
        let text = "the rack is known; name the tiles to exchange, such as ex.ABC";
        return Err(bad_move(text));
    }
    match turn {
        Turn::Place(_) => position.examine_turn(turn).map(|_| ()).map_err(bad_move),
        turn => position.clone().play(turn).map(|_| ()).map_err(bad_move),
    }
}

/// Whether a turn exchanges tiles that it does not name.
fn exchanges_unseen(turn: &Turn) -> bool {
    let main = match turn {
        Turn::Edited(edited) => edited.main(),
        turn => *turn,
    };
    matches!(main, Turn::ExchangeUnseen(_))
}

/// Reads a move that the player to move might make: the parser and the first checks of every move
/// that is not part of a game's history.
fn read_move(position: &Position, text: &str) -> Result<StatedMove, EngineError> {
    let text = MoveText::parse(text).map_err(bad_move)?;
    if matches!(text, MoveText::Phony(_)) {
        let text = "a play that came off is not a move to choose; leave 'phony.' out";
        return Err(bad_move(text));
    }
    read_text(position, &text)
}

/// Reads a move, and gives it the spelling that the engine writes.
fn read_text(position: &Position, text: &MoveText) -> Result<StatedMove, EngineError> {
    let stated = text.read(position).map_err(bad_move)?;
    // The turn must be legal as it is written: its canonical form completes its word.
    let examined = position.examine_without_rack(&stated.turn);
    examined.map_err(bad_move)?;
    let turn = stated.turn.canonical(position.grid());
    Ok(StatedMove { turn, ..stated })
}

/// The ruling on a move of the player to move.
fn examine(
    position: &Position,
    turn: &Turn,
    lexicon: &Lexicon,
) -> Result<CheckedMove, EngineError> {
    let score = position.examine_without_rack(turn).map_err(bad_move)?;
    let missing = position.missing_tiles(turn);
    if missing.is_empty() && !matches!(turn, Turn::Place(_)) {
        position.clone().play(turn).map_err(bad_move)?;
    }
    Ok(CheckedMove {
        phonies: phonies(&score, lexicon),
        missing,
        score: turn.changes_board().then_some(score),
        turn: *turn,
    })
}

/// The words of a turn that the lexicon does not have.
pub(super) fn phonies(score: &Score, lexicon: &Lexicon) -> Vec<Vec<Letter>> {
    score
        .formed()
        .filter(|word| !lexicon.contains(word))
        .collect()
}

pub(super) fn refuse_phonies(
    position: &Position,
    turn: &Turn,
    lexicon: &Lexicon,
) -> Result<(), EngineError> {
    let score = position.examine_turn(turn).map_err(bad_move)?;
    match phonies(&score, lexicon).first() {
        None => Ok(()),
        Some(word) => {
            let word = position.rules().tiles.word_text(word);
            Err(bad_move(not_in_lexicon(&[word], lexicon)))
        }
    }
}

/// Says that words are not valid.
pub(super) fn not_in_lexicon(words: &[String], lexicon: &Lexicon) -> String {
    let (list, name) = (words.join(", "), lexicon.name());
    match (lexicon.graph().is_alphagrams(), words) {
        (true, _) => format!("no order of the letters {list} is in {name}"),
        (false, [_]) => format!("{list} is not in {name}"),
        (false, _) => format!("{list} are not in {name}"),
    }
}
