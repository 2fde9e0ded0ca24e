//! The position on the table: how it is set from a start and moves, from CGP or from a game record.

use super::referee::refuse_phonies;
use super::store::{LoadedLexicon, Reading};
use super::{Engine, EngineError, ErrorKind, bad_move, bad_position, shortened};
use crate::notation::cgp::Cgp;
use crate::notation::gcg::{GameRecord, RecordProblem};
use crate::notation::moves::{MoveError, MoveText};
use crate::rules::{ChallengeRule, Game, Position, Turn};
use crate::tiles::TileSet;
use std::sync::Arc;

/// Where a game starts.
pub enum Start<'a> {
    /// An empty board.
    Empty,
    /// A position in CGP.
    Cgp(&'a str),
}

/// A game and its lexicon.
#[derive(Clone)]
pub(super) struct Table {
    pub game: Game,
    /// The name of the lexicon if the position named one; otherwise the option decides.
    lexicon: Option<String>,
}

impl Engine {
    /// The game, if a position has been set.
    pub fn game(&self) -> Option<&Game> {
        self.table.as_ref().map(|table| &table.game)
    }

    /// The position in CGP, so that it can be set again under the same options.
    pub fn cgp(&self) -> Option<Cgp> {
        let table = self.table.as_ref()?;
        let mut cgp = Cgp::of(table.game.position());
        cgp.opcodes.lexicon = table.lexicon.clone();
        Some(cgp)
    }

    /// Forgets the game.
    pub fn new_game(&mut self) {
        self.table = None;
    }

    /// Sets the game: a start and the moves from it. The last item may be the rack of the player
    /// then to move. On an error the old game stays.
    pub fn set_position(&mut self, start: Start, moves: &[&str]) -> Result<(), EngineError> {
        let mut table = self.start(start)?;
        self.make_moves(&mut table, moves, moves.len(), |text| text)?;
        self.table = Some(table);
        Ok(())
    }

    /// Sets the game as it stood before one move of a list, counted from 0, with the rack that this
    /// move reveals; after the last move, with the rack that follows it.
    ///
    /// Racks that earlier moves reveal are left out: they are in the list so that those turns can be
    /// analysed, and the player to move does not know them.
    pub fn set_position_before(
        &mut self,
        start: Start,
        moves: &[&str],
        turn: usize,
    ) -> Result<(), EngineError> {
        let mut table = self.start(start)?;
        self.make_moves(&mut table, moves, turn, MoveText::without_rack)?;
        if let Some(next) = moves.get(turn) {
            let parsed = MoveText::parse(next).map_err(bad_move);
            let set = parsed.and_then(|parsed| set_revealed_rack(&mut table.game, &parsed));
            set.map_err(|error| in_list(turn, next, error))?;
        }
        self.table = Some(table);
        Ok(())
    }

    /// Sets the game of a record as it stood before one of its turns, counted from 0, or as it ends;
    /// see [`GameRecord::before`]. Rules and lexicon are those of the options. Returns what
    /// contradicts the rules up to there.
    pub fn set_record(
        &mut self,
        record: &GameRecord,
        turn: usize,
    ) -> Result<Vec<RecordProblem>, EngineError> {
        let (game, problems) = record.before(turn, &self.rules).map_err(bad_position)?;
        let lexicon = None;
        self.table = Some(Table { game, lexicon });
        Ok(problems)
    }

    /// Sets the rack of the player to move.
    pub fn set_rack(&mut self, tiles: &str) -> Result<(), EngineError> {
        let game = &mut self.table.as_mut().ok_or_else(no_position)?.game;
        let (seat, rules) = (game.position().to_move(), game.position().rules());
        let tiles = rules.tiles.read_tiles(tiles).map_err(bad_position)?;
        game.set_rack(seat, tiles).map_err(bad_position)
    }

    fn start(&mut self, start: Start) -> Result<Table, EngineError> {
        if let Start::Cgp(text) = start {
            return self.read_cgp(text);
        }
        let rules = &self.rules;
        let game = Game::new(rules.clone(), self.options.players).map_err(|error| {
            let way_out = "see the options Players and Rules";
            bad_position(format!("{error} of the rules '{}'; {way_out}", rules.name))
        })?;
        let lexicon = None;
        Ok(Table { game, lexicon })
    }

    fn read_cgp(&mut self, text: &str) -> Result<Table, EngineError> {
        let cgp = Cgp::parse(text).map_err(bad_position)?;
        let rules = cgp
            .opcodes
            .rules(&self.rules, cgp.rows.len(), &self.files)
            .map_err(bad_position)?;
        let setup = cgp.setup(&rules).map_err(bad_position)?;
        let position = Position::new(Arc::new(rules), setup).map_err(bad_position)?;
        let lexicon = match cgp.opcodes.lexicon {
            None => None,
            Some(named) => {
                let load = |name: &str| self.lexicon(name, &position.rules().tiles);
                // The option may hold a path to the lexicon that the position names.
                let is_chosen =
                    load(&self.options.lexicon).is_ok_and(|chosen| chosen.is_called(&named));
                if !is_chosen {
                    load(&named)?;
                }
                (!is_chosen).then_some(named)
            }
        };
        let game = Game::from_position(position);
        Ok(Table { game, lexicon })
    }

    /// The lexicon of a game.
    pub(super) fn lexicon_of(&self, table: &Table) -> Result<Arc<LoadedLexicon>, EngineError> {
        let name = table.lexicon.as_ref().unwrap_or(&self.options.lexicon);
        self.lexicon(name, &table.game.position().rules().tiles)
    }

    /// The lexicon with this name or path, for this tile set.
    pub(super) fn lexicon(
        &self,
        name: &str,
        tiles: &TileSet,
    ) -> Result<Arc<LoadedLexicon>, EngineError> {
        let (options, files) = (&self.options, &self.files);
        self.store
            .lexicon(name, options, files, tiles, Reading::Cached)
    }

    /// Makes the first `count` moves of a list, after `edit` has changed each.
    fn make_moves(
        &self,
        table: &mut Table,
        moves: &[&str],
        count: usize,
        edit: fn(MoveText) -> MoveText,
    ) -> Result<(), EngineError> {
        for (at, text) in moves.iter().enumerate().take(count) {
            let is_last = at + 1 == moves.len();
            let parsed = MoveText::parse(text).map_err(bad_move);
            let made = parsed.and_then(|parsed| self.make_move(table, &edit(parsed), is_last));
            made.map_err(|error| in_list(at, text, error))?;
        }
        Ok(())
    }

    fn make_move(
        &self,
        table: &mut Table,
        text: &MoveText,
        is_last: bool,
    ) -> Result<(), EngineError> {
        let game = &mut table.game;
        let (seat, rules) = (game.position().to_move(), game.position().rules().clone());
        let is_rack = matches!(text, MoveText::Rack(_));
        if is_rack && !is_last {
            return Err(bad_move(MoveError::RackNotLast));
        }
        set_revealed_rack(game, text)?;
        if is_rack {
            return Ok(());
        }
        let turn = text.turn(game.position()).map_err(bad_move)?;
        match (text, &turn) {
            (MoveText::Phony(_), Turn::Place(placement)) => {
                return game.play_phony(placement).map_err(bad_move);
            }
            (MoveText::Place(_), Turn::Place(placement))
                if rules.challenge == ChallengeRule::Void =>
            {
                let loaded = self.lexicon_of(table)?;
                refuse_phonies(table.game.position(), placement, &loaded.lexicon)?;
            }
            _ => {}
        }
        table.game.play(&turn).map_err(bad_move)?;
        if let MoveText::Place(place) = text {
            table.game.award(place.challenge_points);
            let next = (seat + 1) % table.game.position().player_count();
            table.game.lose_turns(next, place.turns_lost);
        }
        Ok(())
    }
}

pub(super) fn no_position() -> EngineError {
    let text = "no position has been set; say 'position startpos' or 'position cgp …'";
    EngineError::new(ErrorKind::NoPosition, text)
}

/// Sets the rack of the player to move, if the text of the move reveals it.
fn set_revealed_rack(game: &mut Game, text: &MoveText) -> Result<(), EngineError> {
    let tiles = &game.position().rules().tiles;
    let rack = match text {
        MoveText::Rack(rack) => Some(tiles.read_tiles(rack).map_err(bad_move)?),
        other => other.rack(tiles).map_err(bad_move)?,
    };
    let seat = game.position().to_move();
    let set = rack.map(|rack| game.set_rack(seat, rack));
    set.unwrap_or(Ok(())).map_err(bad_move)
}

/// The error of one move of a list, with the number and text of the move.
fn in_list(at: usize, text: &str, error: EngineError) -> EngineError {
    EngineError {
        text: format!("move {}, {}: {}", at + 1, shortened(text), error.text),
        ..error
    }
}
