//! The moves of a list: how they are made on a table, one after the other, and which of them
//! contradict the rules, the racks or the lexicon.

use super::referee::{phonies, refuse_phonies};
use super::table::{Table, refuse_lost_tiles};
use super::{Engine, EngineError, bad_move, shortened};
use crate::lexicon::Lexicon;
use crate::notation::moves::{ChallengeText, MoveText, StatedMove};
use crate::rules::{ChallengeError, ChallengeRule, Game, Position, Ruling, Turn};
use crate::tiles::{Face, Letter, TileCounts};
use crate::units::Points;

impl Engine {
    /// Makes the moves of a list. The racks that they state count for the seats that `states_rack`
    /// accepts.
    pub(super) fn make_moves(
        &self,
        table: &mut Table,
        moves: &[&str],
        states_rack: impl Fn(usize) -> bool,
    ) -> Result<(), EngineError> {
        for (at, text) in moves.iter().enumerate() {
            let parsed = MoveText::parse(text).map_err(bad_move);
            let made = parsed.and_then(|parsed| self.make_move(table, &parsed, &states_rack));
            made.map_err(|error| in_list(at, text, error))?;
        }
        Ok(())
    }

    fn make_move(
        &self,
        table: &mut Table,
        text: &MoveText,
        states_rack: &impl Fn(usize) -> bool,
    ) -> Result<(), EngineError> {
        if let MoveText::Challenge(challenge) = text {
            return self.challenge(table, challenge).map(|_| ());
        }
        let (seat, game) = (table.seat(), &mut table.game);
        let stated = match states_rack(seat) {
            true => state_rack(game, text)?,
            false => text.read(game.position()).map_err(bad_move)?,
        };
        let turn = match stated.turn {
            // The other players see only how many tiles are exchanged.
            Turn::Exchange(tiles) if !states_rack(seat) => Turn::ExchangeUnseen(tiles.len() as u8),
            turn => turn,
        };
        let came_off = matches!(text, MoveText::Phony(_));
        let rule = game.position().rules().challenge;
        refuse_wrong_penalties(rule, &stated, came_off)?;
        if turn.changes_board() {
            self.refuse_wrong_words(table, &turn, &stated, came_off)?;
            if came_off {
                return table.game.play_phony(&turn).map_err(bad_move);
            }
        }
        table.game.play(&turn).map_err(bad_move)?;
        let challenger = table.game.next_challenger();
        if stated.challenge_points != Points::ZERO {
            table.game.award(stated.challenge_points);
        }
        if let Some(challenger) = challenger {
            table.game.lose_turns(challenger, stated.turns_lost);
        }
        Ok(())
    }

    /// Refuses a play whose words contradict what is said about it: without challenges a phony cannot
    /// be played; a challenge that failed was about valid words only, and one that succeeded was not.
    fn refuse_wrong_words(
        &self,
        table: &Table,
        turn: &Turn,
        stated: &StatedMove,
        came_off: bool,
    ) -> Result<(), EngineError> {
        let position = table.game.position();
        let must_be_valid = position.rules().challenge == ChallengeRule::Void
            || stated.challenge_points != Points::ZERO
            || stated.turns_lost > 0;
        if !must_be_valid && !came_off {
            return Ok(());
        }
        let lexicon = &self.lexicon_of(table)?.lexicon;
        match came_off {
            true => refuse_valid_play(position, turn, lexicon),
            false => refuse_phonies(position, turn, lexicon),
        }
    }

    /// Whether a turn of the player to move comes off by a challenge, given in its notation.
    pub fn comes_off(&self, turn: &Turn, challenge: &str) -> bool {
        let (Some(mut table), Ok(MoveText::Challenge(text))) =
            (self.table.clone(), MoveText::parse(challenge))
        else {
            return false;
        };
        let ruling = match table.game.play(turn) {
            Ok(_) => self.challenge(&mut table, &text).ok(),
            Err(_) => None,
        };
        ruling.is_some_and(|(_, ruling)| ruling.takes_off())
    }

    /// Challenges the last play of a table, with the lexicon of the table as the dictionary. Returns
    /// the seat that challenges and the ruling.
    pub(super) fn challenge(
        &self,
        table: &mut Table,
        text: &ChallengeText,
    ) -> Result<(usize, Ruling), EngineError> {
        let game = &mut table.game;
        let players = game.position().player_count();
        let next = game.next_challenger();
        let next = next.ok_or_else(|| bad_move(ChallengeError::NoPlay))?;
        let by = match text.seat {
            Some(seat) if !(1..=players).contains(&seat) => {
                return Err(bad_move(format!(
                    "there is no seat {seat}, the game has {players} players"
                )));
            }
            Some(seat) => seat - 1,
            None => next,
        };
        let read = |word: &String| -> Result<Vec<Letter>, EngineError> {
            let faces = game.position().rules().tiles.read_faces(word);
            Ok(faces
                .map_err(bad_move)?
                .into_iter()
                .map(Face::letter)
                .collect())
        };
        let words: Result<Vec<_>, _> = text.words.iter().map(read).collect();
        let loaded = self.lexicon_of(table)?;
        let is_word = |word: &[Letter]| loaded.lexicon.contains(word);
        let ruling = table.game.challenge(by, &words?, is_word);
        Ok((by, ruling.map_err(bad_move)?))
    }
}

/// Refuses a play as one that came off if all its words are valid.
fn refuse_valid_play(
    position: &Position,
    turn: &Turn,
    lexicon: &Lexicon,
) -> Result<(), EngineError> {
    let score = position.examine_turn(turn).map_err(bad_move)?;
    match phonies(&score, lexicon).is_empty() {
        false => Ok(()),
        true => Err(bad_move(format!(
            "all words of the play are in {}, so it cannot come off; leave 'phony.' out",
            lexicon.name()
        ))),
    }
}

/// Refuses the outcome of a challenge that the rule does not have.
fn refuse_wrong_penalties(
    rule: ChallengeRule,
    stated: &StatedMove,
    came_off: bool,
) -> Result<(), EngineError> {
    let (stated_points, stated_turns) = (stated.challenge_points, stated.turns_lost);
    let name = rule.name();
    if came_off && rule == ChallengeRule::Void {
        return Err(bad_move(format!(
            "{}; leave the move out",
            ChallengeError::Void
        )));
    }
    if came_off && (stated_points != Points::ZERO || stated_turns > 0) {
        let text = "a play that came off was challenged with success: no points and no lost turns can follow it";
        return Err(bad_move(text));
    }
    let (points, turns) = match rule.ruling(true) {
        Ruling::BonusPoints(points) => (points, 0),
        Ruling::ChallengerLosesTurn => (Points::ZERO, 1),
        _ => (Points::ZERO, 0),
    };
    if stated_points != Points::ZERO && stated_points != points {
        return Err(bad_move(format!(
            "{stated_points} points for a failed challenge, the challenge rule {name} gives {points}"
        )));
    }
    if stated_turns > turns {
        return Err(bad_move(format!(
            "{stated_turns} turns lost by a challenge, the challenge rule {name} takes {turns}"
        )));
    }
    Ok(())
}

/// Reads a move of the player to move and makes the rack that it states known. A rack with fewer
/// tiles than the player holds is partly known.
pub(super) fn state_rack(game: &mut Game, text: &MoveText) -> Result<StatedMove, EngineError> {
    let stated = text.read(game.position()).map_err(bad_move)?;
    let Some(rack) = stated.rack else {
        return Ok(stated);
    };
    add_known_tiles(game, &rack).map_err(bad_move)?;
    Ok(stated)
}

/// Adds the tiles of a stated rack to those that the player to move is known to hold. Both together
/// must fit into the rack.
pub(super) fn add_known_tiles(game: &mut Game, rack: &TileCounts) -> Result<(), String> {
    let (seat, held) = (game.position().to_move(), *game.position().mover_rack());
    let mut known = held.known;
    known.add_all(&rack.lacking_in(&held.known));
    let set = if rack.len() < held.len() && known.len() <= held.len() {
        game.set_known_tiles(seat, known)
    } else {
        refuse_lost_tiles(&held.known, rack, &game.position().rules().tiles)?;
        game.set_rack(seat, *rack)
    };
    set.map_err(|error| error.to_string())
}

/// The error of one move of a list, with the number and text of the move.
pub(super) fn in_list(at: usize, text: &str, error: EngineError) -> EngineError {
    EngineError {
        text: format!("move {}, {}: {}", at + 1, shortened(text), error.text),
        ..error
    }
}
