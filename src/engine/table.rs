//! The position on the table: how it is set from a start and moves, or from CGP.
//!
//! Racks that moves state are history, kept so that a game can be checked and analysed. A search
//! must not profit from them by accident: [`Eyes`] says which of them the position shows. So a list
//! of moves is played twice: once with all racks, which must not contradict each other, and once
//! with those that the position shows.

use super::challenge::PositionSource;
use super::files::{is_built_in_lexicon, lexicon_name};
use super::history::{add_known_tiles, in_list, state_rack};
use super::store::{LoadedLexicon, Reading};
use super::{Engine, EngineError, ErrorKind, bad_move, bad_position, shortened};
use crate::notation::cgp::Cgp;
use crate::notation::moves::MoveText;
use crate::rules::{Game, Position, RuleSet, SetupError};
use crate::tiles::{TileCounts, TileSet};
use std::sync::Arc;

/// Where a game starts.
#[derive(Clone, Copy)]
pub enum Start<'a> {
    /// An empty board.
    Empty,
    /// A position in CGP.
    Cgp(&'a str),
}

/// Whose racks a position shows, of those that its moves state. Racks of a CGP are always shown,
/// and so are tiles that were on the board and came off. When the game is over, all are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// Those of the player to move: what this player knows.
    #[default]
    Mover,
    /// All racks, for analysis.
    All,
}

impl Eyes {
    /// Both, with their names.
    pub const NAMES: [(&'static str, Eyes); 2] = [("mover", Eyes::Mover), ("all", Eyes::All)];
}

/// A game and its lexicon.
#[derive(Clone)]
pub(super) struct Table {
    pub game: Game,
    /// The game with an unknown rack of the player to move, for another rack in its place.
    without_rack: Game,
    /// The same with all racks that the moves state, also those that the position hides: another
    /// rack must not contradict them.
    open: Game,
    /// Whose racks the position shows.
    eyes: Eyes,
    /// The tiles that the player to move must have, because earlier moves and racks say so.
    pub kept: TileCounts,
    /// The name or path of the lexicon if the position or record named one; otherwise the option
    /// decides.
    pub lexicon: Option<String>,
    /// How the position was set; `None` for a record.
    pub source: Option<Arc<PositionSource>>,
    /// What is unusual about the position, for people.
    warnings: Vec<String>,
}

impl Table {
    /// A game that starts now. A rack that the start gives can be replaced.
    pub fn new(game: Game) -> Table {
        Table {
            without_rack: without_rack(&game),
            open: without_rack(&game),
            eyes: Eyes::Mover,
            game,
            kept: TileCounts::EMPTY,
            lexicon: None,
            source: None,
            warnings: Vec::new(),
        }
    }

    /// Forgets which rack was set, but not the tiles that earlier moves left on it.
    fn keep_rack(&mut self) {
        self.kept = self.game.position().mover_rack().known;
        self.without_rack = without_rack(&self.game);
        self.open = self.without_rack.clone();
    }

    /// Sets the whole rack of the player to move. On an error it is unknown.
    pub fn set_rack(&mut self, rack: TileCounts) -> Result<(), String> {
        let (seat, mut game) = (self.seat(), self.without_rack.clone());
        let set = |game: &mut Game| game.set_rack(seat, rack).map_err(|error| error.to_string());
        let set = refuse_lost_tiles(&self.kept, &rack, &game.position().rules().tiles)
            .and_then(|()| set(&mut self.open.clone()))
            .and_then(|()| set(&mut game));
        self.replace_game(set.map(|()| game))
    }

    /// Takes the game with another rack of the player to move; on an error the rack is unknown. When
    /// the game is over no search needs the rack, so that a rack that does not fit is a warning and
    /// nothing changes.
    fn replace_game(&mut self, game: Result<Game, String>) -> Result<(), String> {
        let is_over = self.game.end().is_some();
        match game {
            Ok(game) if is_over && game.end().is_none() => {
                let warning = "with this rack the game would go on; it has no effect, because the \
                               game is over";
                self.warnings.push(warning.to_string());
            }
            Ok(game) => self.game = game,
            Err(error) if self.game.end().is_some() => {
                let warning = format!("{error}; it has no effect, because the game is over");
                self.warnings.push(warning);
            }
            Err(error) => {
                self.game = self.without_rack.clone();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Reads a rack; spaces may stand between tiles.
    fn read_rack(&self, text: &str) -> Result<TileCounts, EngineError> {
        let tiles = &self.game.position().rules().tiles;
        let words: Vec<&str> = text.split_whitespace().collect();
        tiles.read_tiles(&words.concat()).map_err(|error| {
            let wrong = words.iter().find(|word| tiles.read_tiles(word).is_err());
            let wrong = shortened(wrong.unwrap_or(&text));
            bad_position(format!("rack '{wrong}': {error}"))
        })
    }

    /// The racks that the last word of a list of moves states, by seat.
    fn read_racks(&self, text: &MoveText) -> Result<Vec<(usize, TileCounts)>, EngineError> {
        let position = self.game.position();
        let read = |(seat, tiles): (usize, &String)| {
            let rack = position.rules().tiles.read_tiles(tiles);
            Ok((seat, rack.map_err(bad_move)?))
        };
        match text {
            MoveText::Rack(tiles) => Ok(vec![read((self.seat(), tiles))?]),
            MoveText::Racks(racks) if racks.len() == position.player_count() => {
                let seats = racks.iter().enumerate();
                // `state` writes a rack of which nothing is known as a dash.
                seats
                    .filter(|(_, rack)| !rack.is_empty() && *rack != "-")
                    .map(read)
                    .collect()
            }
            MoveText::Racks(racks) => {
                let (racks, players) = (racks.len(), position.player_count());
                Err(bad_move(format!(
                    "the number of racks is {racks}, the game has {players} players"
                )))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Sets whole racks by seat.
    fn set_racks(&mut self, racks: &[(usize, TileCounts)]) -> Result<(), String> {
        let mover = self.seat();
        let (own, others): (Vec<_>, Vec<_>) = racks.iter().partition(|(seat, _)| *seat == mover);
        for (seat, rack) in others {
            let position = self.game.position();
            refuse_lost_tiles(&position.rack(seat).known, &rack, &position.rules().tiles)?;
            for game in [&mut self.game, &mut self.without_rack, &mut self.open] {
                set_rack_as_known(game, seat, rack).map_err(|error| error.to_string())?;
            }
        }
        own.into_iter()
            .try_for_each(|(_, rack)| self.set_rack(rack))
    }

    /// Sets the known tiles of the player to move, with those that earlier moves left. On an error
    /// the rack is unknown.
    fn set_known_tiles(&mut self, rack: TileCounts) -> Result<(), String> {
        let (seat, mut game) = (self.seat(), self.without_rack.clone());
        let set = |game: &mut Game| {
            let kept = game.set_known_tiles(seat, self.kept);
            kept.map_err(|error| error.to_string())?;
            add_known_tiles(game, &rack)
        };
        let set = set(&mut self.open.clone()).and_then(|()| set(&mut game));
        self.replace_game(set.map(|()| game))
    }

    pub fn seat(&self) -> usize {
        self.game.position().to_move()
    }

    /// What is unusual about the position.
    fn warnings(&self) -> Vec<String> {
        let position = self.game.position();
        let (rack, bag) = (position.mover_rack(), position.bag_len());
        let full = position.rules().rack_size;
        let is_short = !rack.known.is_empty() && rack.unknown == 0 && rack.len() < full && bag > 0;
        let short = is_short.then(|| {
            let held = rack.len();
            format!(
                "the rack of the player to move has {held} tiles although the bag holds {bag}; a full rack has {full}"
            )
        });
        self.warnings.iter().cloned().chain(short).collect()
    }
}

/// Sets the rack of a seat. One with fewer tiles than the seat holds is partly known.
pub(super) fn set_rack_as_known(
    game: &mut Game,
    seat: usize,
    rack: TileCounts,
) -> Result<(), SetupError> {
    match rack.len() < game.position().rack(seat).len() {
        true => game.set_known_tiles(seat, rack),
        false => game.set_rack(seat, rack),
    }
}

/// A game as before the rack of the player to move was known.
fn without_rack(game: &Game) -> Game {
    let mut game = game.clone();
    game.forget_rack(game.position().to_move());
    game
}

/// Refuses a rack that lacks tiles which the player kept.
pub(super) fn refuse_lost_tiles(
    kept: &TileCounts,
    rack: &TileCounts,
    tiles: &TileSet,
) -> Result<(), String> {
    let lost = kept.lacking_in(rack);
    if lost.is_empty() {
        return Ok(());
    }
    let (rack, lost) = (tiles.tiles_text(rack), tiles.tiles_text(&lost));
    Err(format!(
        "the rack {rack} lacks {lost}, which the player kept from earlier turns"
    ))
}

impl Engine {
    /// The game, if a position has been set.
    pub fn game(&self) -> Option<&Game> {
        self.table.as_ref().map(|table| &table.game)
    }

    /// The warning that a search knows racks which its player does not see.
    pub(super) fn open_racks_warning(&self) -> Option<String> {
        let table = self
            .table
            .as_ref()
            .filter(|table| table.eyes == Eyes::All)?;
        let position = table.game.position();
        let mut others = position.turn_order().skip(1);
        let is_open = others.any(|seat| !position.rack(seat).known.is_empty());
        is_open.then(|| {
            "the search knows racks of opponents: the position was set with 'eyes all'".to_string()
        })
    }

    /// What is unusual about the position, for people.
    pub fn position_warnings(&self) -> Vec<String> {
        self.table.as_ref().map_or(Vec::new(), Table::warnings)
    }

    /// The position in CGP, so that it can be set again in another engine that finds the same files.
    pub fn cgp(&self) -> Option<Cgp> {
        let table = self.table.as_ref()?;
        let mut cgp = Cgp::of_game(&table.game);
        let named = table.lexicon.as_ref().unwrap_or(&self.options.lexicon);
        let is_default = is_built_in_lexicon(named);
        // An option may hold a path, and CGP has names only.
        cgp.opcodes.lexicon = (!is_default).then(|| lexicon_name(named));
        Some(cgp)
    }

    /// Forgets the game.
    pub fn new_game(&mut self) {
        self.table = None;
    }

    /// Sets the game: a start and the moves from it. The last item may be the rack of the player
    /// then to move. On an error there is no game, so that no later search answers for an old one.
    pub fn set_position(
        &mut self,
        start: Start,
        moves: &[&str],
        eyes: Eyes,
    ) -> Result<(), EngineError> {
        self.set_position_before(start, moves, moves.len(), eyes)
    }

    /// Sets the game as it stood before one move of a list, counted from 0, with the rack that this
    /// move states; after the last move, with the rack that follows it. On an error there is no
    /// game.
    pub fn set_position_before(
        &mut self,
        start: Start,
        moves: &[&str],
        turn: usize,
        eyes: Eyes,
    ) -> Result<(), EngineError> {
        self.table = None;
        let start = self.start(start)?;
        self.table = Some(self.table_before(&start, moves, turn, eyes)?);
        Ok(())
    }

    /// The table before one move of a list that begins at `start`; see
    /// [`Engine::set_position_before`].
    pub(super) fn table_before(
        &self,
        start: &Table,
        moves: &[&str],
        turn: usize,
        eyes: Eyes,
    ) -> Result<Table, EngineError> {
        let (mut moves, mut racks) = (moves, None);
        if let Some((last, before)) = moves.split_last()
            && turn >= before.len()
            && let Ok(text @ (MoveText::Rack(_) | MoveText::Racks(_))) = MoveText::parse(last)
        {
            (moves, racks) = (before, Some((*last, text)));
        }
        let (before, after) = moves.split_at(turn.min(moves.len()));
        let mut table = self.after_moves(start, before, |_| true)?;
        let mover = table.seat();
        let shows_all = eyes == Eyes::All || table.game.end().is_some();
        let (mut open, mut final_racks) = (table.clone(), Vec::new());
        if let Some((last, text)) = racks {
            let in_list = |error| in_list(moves.len(), last, error);
            final_racks = table.read_racks(&text).map_err(in_list)?;
            // Racks that are not shown must not contradict the others either.
            let set = open.set_racks(&final_racks);
            set.map_err(|error| in_list(bad_move(error)))?;
        }
        if shows_all {
            table = open;
        } else {
            table = self.after_moves(start, before, |seat| seat == mover)?;
            table.open = without_rack(&open.game);
            final_racks.retain(|(seat, _)| *seat == mover);
            table.set_racks(&final_racks).map_err(bad_move)?;
        }
        table.eyes = eyes;
        if let Some(next) = after.first() {
            let parsed = MoveText::parse(next).map_err(bad_move);
            let set = parsed.and_then(|parsed| state_rack(&mut table.game, &parsed).map(|_| ()));
            set.map_err(|error| in_list(turn, next, error))?;
        }
        table.source = Some(Arc::new(PositionSource {
            start: start.clone(),
            moves: before.iter().map(|text| text.to_string()).collect(),
            eyes,
        }));
        Ok(table)
    }

    /// The game as the player to move sees it. When it is over, the table shows all racks for the
    /// settlement; but a challenge may reopen it, and the challenger has not seen them.
    pub(super) fn game_seen_by_mover(&self, table: &Table) -> Result<Game, EngineError> {
        let is_over = table.game.end().is_some();
        let source = table.source.as_ref();
        let Some(source) = source.filter(|source| is_over && source.eyes == Eyes::Mover) else {
            return Ok(table.game.clone());
        };
        let (mover, rack) = (table.seat(), table.game.position().mover_rack().known);
        let moves: Vec<&str> = source.moves.iter().map(String::as_str).collect();
        let mut game = self
            .after_moves(&source.start, &moves, |seat| seat == mover)?
            .game;
        set_rack_as_known(&mut game, mover, rack).map_err(bad_position)?;
        Ok(game)
    }

    /// Sets the rack of the player to move; spaces may stand between tiles. On an error the rack is
    /// unknown, so that no later search answers for an old one.
    pub fn set_rack(&mut self, tiles: &str) -> Result<(), EngineError> {
        self.replace_rack(tiles, Table::set_rack)
    }

    /// Sets the rack of the player to move as far as it is known: with fewer tiles than the player
    /// holds, the others are unknown. On an error the rack is unknown.
    pub fn set_known_tiles(&mut self, tiles: &str) -> Result<(), EngineError> {
        self.replace_rack(tiles, Table::set_known_tiles)
    }

    /// Reads a rack and gives it to the table. On an error the rack is unknown.
    fn replace_rack(
        &mut self,
        tiles: &str,
        set: fn(&mut Table, TileCounts) -> Result<(), String>,
    ) -> Result<(), EngineError> {
        let table = self.table.as_mut().ok_or_else(no_position)?;
        let rack = table.read_rack(tiles);
        let result = rack.and_then(|rack| set(table, rack).map_err(bad_position));
        if result.is_err() {
            self.forget_rack();
        }
        result
    }

    /// Makes the rack of the player to move unknown, if there is a game.
    pub fn forget_rack(&mut self) {
        if let Some(table) = &mut self.table {
            table.game = table.without_rack.clone();
        }
    }

    fn start(&self, start: Start) -> Result<Table, EngineError> {
        if let Start::Cgp(text) = start {
            return self.read_cgp(text);
        }
        let rules = &self.rules;
        let game = Game::new(rules.clone(), self.options.players).map_err(|error| {
            let way_out = "see the options Players and Rules";
            bad_position(format!("{error} of the rules '{}'; {way_out}", rules.name))
        })?;
        Ok(Table::new(game))
    }

    fn read_cgp(&self, text: &str) -> Result<Table, EngineError> {
        let cgp = Cgp::parse(text).map_err(bad_position)?;
        let rules = cgp
            .opcodes
            .rules(&self.rules, cgp.rows.len(), &self.files)
            .map_err(bad_position)?;
        let setup = cgp.setup(&rules).map_err(bad_position)?;
        let position = Position::new(Arc::new(rules), setup).map_err(bad_position)?;
        let (lexicon, warning) = self.lexicon_of_cgp(cgp.opcodes.lexicon, &position)?;
        let unknown = cgp.opcodes.other.iter().map(|opcode| {
            let opcode = shortened(opcode);
            format!("there is no opcode '{opcode}'; it has no effect")
        });
        let warnings = unknown.chain(warning).collect();
        let is_partly_known = position.mover_rack().unknown > 0;
        let game = match cgp.opcodes.over {
            Some(end) => Game::from_end(position, end).map_err(bad_position)?,
            None => Game::from_position(position),
        };
        let mut table = Table {
            lexicon,
            warnings,
            ..Table::new(game)
        };
        if is_partly_known {
            table.keep_rack();
        }
        Ok(table)
    }

    /// The lexicon that a CGP names, if it is not the one of the option; and a warning if the
    /// option's is used instead of one that is not there.
    fn lexicon_of_cgp(
        &self,
        named: Option<String>,
        position: &Position,
    ) -> Result<(Option<String>, Option<String>), EngineError> {
        let Some(named) = named else {
            return Ok((None, None));
        };
        let chosen = &self.options.lexicon;
        let load = |name: &str| self.lexicon(name, position.rules());
        // The option may hold a path to the lexicon that the position names.
        if load(chosen).is_ok_and(|loaded| loaded.is_called(&named)) {
            return Ok((None, None));
        }
        let (text, chosen_name) = (shortened(&named), lexicon_name(chosen));
        match load(&named) {
            Ok(_) => Ok((Some(named), None)),
            Err(_) if self.options.replaces_lexicon => {
                let warning = format!(
                    "the position names the lexicon '{text}', which is not there; {chosen_name} is used instead"
                );
                Ok((None, Some(warning)))
            }
            Err(error) => Err(EngineError {
                text: format!(
                    "{}; ways out: put the file of {text} on the DataPath; set the option Lexicon to \
                     the file; leave 'lex' out of the CGP; or set the option UnknownLexicon to \
                     replace, which uses {chosen_name} instead",
                    error.text
                ),
                ..error
            }),
        }
    }

    /// The lexicon of a game.
    pub(super) fn lexicon_of(&self, table: &Table) -> Result<Arc<LoadedLexicon>, EngineError> {
        let name = table.lexicon.as_ref().unwrap_or(&self.options.lexicon);
        self.lexicon(name, table.game.position().rules())
    }

    /// The lexicon with this name or path, for these rules.
    pub(super) fn lexicon(
        &self,
        name: &str,
        rules: &RuleSet,
    ) -> Result<Arc<LoadedLexicon>, EngineError> {
        let (options, files) = (&self.options, &self.files);
        self.store
            .lexicon(name, options, files, rules, Reading::Cached)
    }

    /// The table after the moves of a list; see [`Engine::make_moves`].
    fn after_moves(
        &self,
        start: &Table,
        moves: &[&str],
        states_rack: impl Fn(usize) -> bool,
    ) -> Result<Table, EngineError> {
        let mut table = start.clone();
        self.make_moves(&mut table, moves, states_rack)?;
        if !moves.is_empty() {
            table.keep_rack();
        }
        Ok(table)
    }
}

pub(super) fn no_position() -> EngineError {
    let text = "there is no position: none has been set, or the last one was refused; say \
                'position startpos' or 'position cgp …'";
    EngineError::new(ErrorKind::NoPosition, text)
}
