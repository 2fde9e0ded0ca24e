//! The engine as a library object: options, a game, and searches in it.
//!
//! It knows no command words and prints nothing. Requests come as values or
//! as moves and positions in their notations; every one is met or refused as
//! a whole.

mod analysis;
mod error;
mod files;
mod options;
mod search;
mod tables;

pub use analysis::{Analysis, AnalyzedMove, DrawsByResult, Figure, Label, Provenance, Update};
pub use error::{EngineError, ErrorKind};
pub use options::{
    DEFAULT_LEXICON, DEFINITIONS, Definition, Kind, MAX_CANDIDATES, MAX_THREADS, MapUse, Options,
};
pub use search::{GoRequest, Mode, Report, Search, think};
pub use tables::LoadedTable;

use crate::board::Layout;
use crate::eval::WinModel;
use crate::eval::win_table::WinTable;
use crate::lexicon::{DroppedWords, LeaveValues, Lexicon, MAX_WORD_LETTERS, WordMap};
use crate::movegen::Words;
use crate::notation::cgp::Cgp;
use crate::notation::gcg::{GameRecord, RecordProblem};
use crate::notation::moves::{MoveError, MoveText};
use crate::rules::{
    ChallengeRule, Embedded, Game, Library, Placement, PlayError, Position, RuleSet, Score, Turn,
    standard_tiles,
};
use crate::search::ranking::SearchKnowledge;
use crate::search::{Budget, sim};
use crate::tiles::{Letter, TileCounts, TileSet};
pub use files::Files;
use search::Plan;
use std::sync::{Arc, OnceLock};

/// The engine's name and version.
pub const NAME: &str = "Cazique";
/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The engine.
pub struct Engine {
    options: Options,
    files: Files,
    parts: Parts,
    rules: Arc<RuleSet>,
    /// The lexica loaded so far, the latest last.
    lexica: Vec<Arc<Loaded>>,
    /// The tables used last.
    tables: Tables,
    game: Option<Table>,
}

/// What the options that make the rules have named, as it was when they were
/// set: a file may change or go, and no other option must fail for that.
#[derive(Clone)]
struct Parts {
    rules: RuleSet,
    board: Option<Arc<Layout>>,
    tiles: Option<Arc<TileSet>>,
}

/// A game and the words that hold in it.
#[derive(Clone)]
struct Table {
    game: Game,
    /// The name of its lexicon, if the position named one; else the option says it.
    lexicon: Option<String>,
}

/// A lexicon and how it came.
pub struct Loaded {
    /// The words.
    pub lexicon: Lexicon,
    /// What was left out of a list.
    pub dropped: Option<DroppedWords>,
    /// The name or path under which it was asked for.
    asked: String,
    /// Made when something needs it first; `None` in it if there can be none.
    word_map: OnceLock<Option<WordMap>>,
}

/// What a search goes by. Clones are the same data.
#[derive(Clone)]
pub struct Data {
    /// The words.
    pub words: Arc<Loaded>,
    /// What tiles kept are worth.
    pub leaves: Arc<LoadedTable<LeaveValues>>,
    /// The chances to win.
    pub chances: Arc<LoadedTable<WinTable>>,
    map_use: MapUse,
}

/// The tables that were used last.
#[derive(Default)]
struct Tables {
    leaves: Option<Arc<LoadedTable<LeaveValues>>>,
    chances: Option<Arc<LoadedTable<WinTable>>>,
}

impl Data {
    /// As a search uses it.
    pub fn knowledge(&self) -> SearchKnowledge<'_> {
        let words = Words {
            graph: self.words.lexicon.graph(),
            map: self.word_map_if_made(),
        };
        SearchKnowledge {
            words,
            leaves: self.leaves.table.as_ref(),
        }
    }

    /// The chances to win, as a search uses them.
    pub fn chances(&self) -> WinModel<'_> {
        let table = self.chances.table.as_ref();
        table.map_or(WinModel::Logistic, WinModel::Table)
    }

    fn word_map_if_made(&self) -> Option<&WordMap> {
        self.words
            .word_map
            .get()?
            .as_ref()
            .filter(|_| self.map_use != MapUse::Never)
    }
}

/// Lexica kept in memory at a time: a client may go to and fro between a few.
const MAX_LEXICA: usize = 3;

/// Where a game starts.
pub enum Start<'a> {
    /// An empty board.
    Empty,
    /// A position in CGP.
    Cgp(&'a str),
}

/// What a referee says about a move.
pub struct Checked {
    /// The move.
    pub turn: Turn,
    /// What it forms and scores, if it is a placement.
    pub score: Option<Score>,
    /// Those of its words that the lexicon does not have.
    pub phonies: Vec<Vec<Letter>>,
    /// Those of its tiles that the player does not hold.
    pub missing: TileCounts,
}

impl Engine {
    /// An engine with default options and no game. Nothing is loaded yet.
    pub fn new() -> Result<Engine, EngineError> {
        let (options, files) = (Options::default(), Files::default());
        let rules = files.rules(options.get("Rules")).map_err(bad_option)?;
        let parts = Parts {
            rules,
            board: None,
            tiles: None,
        };
        let rules = Arc::new(parts.rules(&options)?);
        Ok(Engine {
            options,
            files,
            parts,
            rules,
            lexica: Vec::new(),
            tables: Tables::default(),
            game: None,
        })
    }

    /// What the options are set to.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The rules that hold for the next game.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The game, if a position has been set.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref().map(|table| &table.game)
    }

    /// The position in CGP, so that it can be set again under the same options.
    pub fn cgp(&self) -> Option<Cgp> {
        let table = self.game.as_ref()?;
        let mut cgp = Cgp::of(table.game.position());
        cgp.opcodes.lexicon = table.lexicon.clone();
        Some(cgp)
    }

    /// Sets an option; what it needs is loaded at once, so that a wrong value
    /// is known at once. The game on the table keeps its own rules.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<&'static str, EngineError> {
        let mut options = self.options.clone();
        let name = options.set(name, value)?;
        let files = Files::new(options.get("DataPath")).map_err(bad_option)?;
        let mut parts = self.parts.clone();
        parts.load(name, options.get(name), &files)?;
        let rules = Arc::new(parts.rules(&options)?);
        match name {
            // Read anew even if the value is the same: the file may have changed.
            "Lexicon" | "LexiconEncoding" => {
                let chosen = options.get("Lexicon");
                let is_there = |loaded: &Arc<Loaded>| {
                    loaded.is_built_in() && loaded.lexicon.fits(&rules.tiles)
                };
                let built_in = asked(chosen) == options::DEFAULT_LEXICON;
                if built_in && self.lexica.iter().any(is_there) {
                    self.lexica.retain(|loaded| loaded.is_built_in());
                } else {
                    let loaded = load(&options, &files, chosen, &rules.tiles)?;
                    self.lexica.retain(|loaded| loaded.is_built_in());
                    self.keep(loaded);
                }
            }
            "Leaves" => {
                let loaded = tables::LEAVES.load(options.get(name), &rules, &files)?;
                self.tables.leaves = Some(Arc::new(loaded));
            }
            "WinPctTable" => {
                let loaded = tables::CHANCES.load(options.get(name), &rules, &files)?;
                self.tables.chances = Some(Arc::new(loaded));
            }
            // Names may mean other files now.
            "DataPath" => {
                self.lexica.retain(|loaded| loaded.is_built_in());
                self.tables.leaves.take_if(|loaded| loaded.is_a_file());
                self.tables.chances.take_if(|loaded| loaded.is_a_file());
            }
            _ => {}
        }
        (self.options, self.files) = (options, files);
        (self.parts, self.rules) = (parts, rules);
        Ok(name)
    }

    /// Forgets the game.
    pub fn new_game(&mut self) {
        self.game = None;
    }

    /// Loads what the next search in this mode needs.
    pub fn prepare(&mut self, mode: Mode) -> Result<Data, EngineError> {
        let (words, rules) = match &self.game {
            Some(table) => {
                let table = table.clone();
                (
                    self.lexicon_of(&table)?,
                    table.game.position().rules().clone(),
                )
            }
            None => {
                let (name, rules) = (self.options.get("Lexicon").to_string(), self.rules.clone());
                (self.lexicon(&name, &rules.tiles)?, rules)
            }
        };
        let map_use = self.options.word_map();
        let needed = mode != Mode::Rank && map_use == MapUse::WhenNeeded;
        if needed || map_use == MapUse::AtOnce {
            words.word_map();
        }
        let (options, files) = (&self.options, &self.files);
        let Tables { leaves, chances } = &mut self.tables;
        let (own, win) = (options.get("Leaves"), options.get("WinPctTable"));
        Ok(Data {
            words,
            leaves: tables::LEAVES.keep(leaves, own, &rules, files)?,
            chances: tables::CHANCES.keep(chances, win, &rules, files)?,
            map_use,
        })
    }

    /// The words that hold in a game.
    fn lexicon_of(&mut self, table: &Table) -> Result<Arc<Loaded>, EngineError> {
        let chosen = self.options.get("Lexicon").to_string();
        let name = table.lexicon.as_ref().unwrap_or(&chosen);
        self.lexicon(name, &table.game.position().rules().tiles)
    }

    fn lexicon(&mut self, name: &str, tiles: &TileSet) -> Result<Arc<Loaded>, EngineError> {
        // By what was asked for: files in two folders may have the same name.
        let asked = asked(name);
        let fits = |loaded: &&Arc<Loaded>| loaded.asked == asked && loaded.lexicon.fits(tiles);
        if let Some(loaded) = self.lexica.iter().rev().find(fits) {
            return Ok(loaded.clone());
        }
        let loaded = load(&self.options, &self.files, name, tiles)?;
        Ok(self.keep(loaded))
    }

    fn keep(&mut self, loaded: Loaded) -> Arc<Loaded> {
        let loaded = Arc::new(loaded);
        if self.lexica.len() == MAX_LEXICA {
            self.lexica.remove(0);
        }
        self.lexica.push(loaded.clone());
        loaded
    }

    /// Sets the game: a start, moves from it, and perhaps the rack of the
    /// player then on turn. On an error the old game stays.
    pub fn set_position(&mut self, start: Start, moves: &[&str]) -> Result<(), EngineError> {
        let mut table = self.start(start)?;
        self.make_moves(&mut table, moves, moves.len(), |text| text)?;
        self.game = Some(table);
        Ok(())
    }

    /// Sets the game as it stood before a move of a list, from 0, with the
    /// rack that this move tells; after the last move, with what follows it.
    ///
    /// Racks that earlier moves tell are left out: what others kept is told to
    /// have their turns looked at, and the player on turn does not know it.
    pub fn set_position_before(
        &mut self,
        start: Start,
        moves: &[&str],
        turn: usize,
    ) -> Result<(), EngineError> {
        let mut table = self.start(start)?;
        self.make_moves(&mut table, moves, turn, MoveText::without_rack)?;
        if let Some(next) = moves.get(turn) {
            let known = know_rack(&mut table.game, next);
            known.map_err(|error| of_move(turn, next, error))?;
        }
        self.game = Some(table);
        Ok(())
    }

    /// Sets the game of a record as it stood before one of its turns, from 0,
    /// or as it ends; see [`Record::before`]. The rules and the words are those
    /// of the options. What contradicts the rules up to there comes back.
    pub fn set_record(
        &mut self,
        record: &GameRecord,
        turn: usize,
    ) -> Result<Vec<RecordProblem>, EngineError> {
        let (game, problems) = record.before(turn, &self.rules).map_err(bad_position)?;
        self.game = Some(Table {
            game,
            lexicon: None,
        });
        Ok(problems)
    }

    fn start(&mut self, start: Start) -> Result<Table, EngineError> {
        match start {
            Start::Empty => self.start_game(),
            Start::Cgp(text) => self.read_cgp(text),
        }
    }

    /// Makes the first `count` moves of a list, each as `told` leaves it.
    fn make_moves(
        &mut self,
        table: &mut Table,
        moves: &[&str],
        count: usize,
        told: fn(MoveText) -> MoveText,
    ) -> Result<(), EngineError> {
        for (at, text) in moves.iter().enumerate().take(count) {
            let last = at + 1 == moves.len();
            let parsed = MoveText::parse(text).map_err(bad_move);
            let made = parsed.and_then(|parsed| self.make_move(table, &told(parsed), last));
            made.map_err(|error| of_move(at, text, error))?;
        }
        Ok(())
    }

    fn start_game(&self) -> Result<Table, EngineError> {
        let rules = &self.rules;
        let game = Game::new(rules.clone(), self.options.players()).map_err(|error| {
            let way_out = "see the options Players and Rules";
            bad_position(format!("{error} of the rules '{}'; {way_out}", rules.name))
        })?;
        Ok(Table {
            game,
            lexicon: None,
        })
    }

    fn read_cgp(&mut self, text: &str) -> Result<Table, EngineError> {
        let cgp = Cgp::parse(text).map_err(bad_position)?;
        let rules = cgp
            .opcodes
            .rules(&self.rules, cgp.rows.len(), &self.files)
            .map_err(bad_position)?;
        let setup = cgp.setup(&rules).map_err(bad_position)?;
        let position = Position::new(Arc::new(rules), setup).map_err(bad_position)?;
        let chosen = self.options.get("Lexicon").to_string();
        let lexicon = match cgp.opcodes.lexicon {
            None => None,
            Some(named) => {
                // The option may be a path to the lexicon that the position names.
                let own = self
                    .lexicon(&chosen, &position.rules().tiles)
                    .is_ok_and(|own| own.is_called(&named));
                if !own {
                    self.lexicon(&named, &position.rules().tiles)?;
                }
                (!own).then_some(named)
            }
        };
        Ok(Table {
            game: Game::from_position(position),
            lexicon,
        })
    }

    /// Makes one move of a list.
    fn make_move(
        &mut self,
        table: &mut Table,
        text: &MoveText,
        last: bool,
    ) -> Result<(), EngineError> {
        let game = &mut table.game;
        let (seat, rules) = (game.position().to_move(), game.position().rules().clone());
        if let MoveText::Rack(tiles) = text {
            if !last {
                return Err(bad_move(MoveError::RackNotLast));
            }
            let tiles = rules.tiles.read_tiles(tiles).map_err(bad_move)?;
            return game.set_rack(seat, tiles).map_err(bad_move);
        }
        if let Some(rack) = text.rack(&rules.tiles).map_err(bad_move)? {
            game.set_rack(seat, rack).map_err(bad_move)?;
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
                refuse_phonies(&table.game, placement, &loaded.lexicon)?;
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

    /// Says what the player on turn holds.
    pub fn set_rack(&mut self, tiles: &str) -> Result<(), EngineError> {
        let table = self.game.as_mut().ok_or_else(no_position)?;
        let position = table.game.position();
        let (seat, tiles) = (
            position.to_move(),
            position
                .rules()
                .tiles
                .read_tiles(tiles)
                .map_err(bad_position)?,
        );
        table.game.set_rack(seat, tiles).map_err(bad_position)
    }

    /// What a referee says about a move of the player on turn.
    pub fn check(&mut self, text: &str) -> Result<Checked, EngineError> {
        let mut table = self.game.clone().ok_or_else(no_position)?;
        let text = MoveText::parse(text).map_err(bad_move)?;
        if matches!(text, MoveText::Phony(_)) {
            return Err(bad_move("a phony is no move to check; leave 'phony.' out"));
        }
        let rules = table.game.position().rules().clone();
        if let Some(rack) = text.rack(&rules.tiles).map_err(bad_move)? {
            let seat = table.game.position().to_move();
            table.game.set_rack(seat, rack).map_err(bad_move)?;
        }
        let position = table.game.position();
        let turn = text.turn(position).map_err(bad_move)?;
        let Turn::Place(placement) = &turn else {
            let mut after = table.game.clone();
            after.play(&turn).map_err(bad_move)?;
            return Ok(Checked {
                turn,
                score: None,
                phonies: Vec::new(),
                missing: TileCounts::EMPTY,
            });
        };
        if table.game.end().is_some() {
            return Err(bad_move(PlayError::GameOver));
        }
        let score = position.examine_without_rack(placement).map_err(bad_move)?;
        let missing = position.missing_tiles(placement);
        let loaded = self.lexicon_of(&table)?;
        let phonies = phonies(&score, &loaded.lexicon);
        Ok(Checked {
            turn,
            score: Some(score),
            phonies,
            missing,
        })
    }

    /// Searches in the calling thread and returns the finished analysis.
    pub fn analyze(&mut self, request: &GoRequest) -> Result<Analysis, EngineError> {
        let (position, data, plan) = self.prepare_search(request)?;
        Ok(search::run(&position, &data, &plan))
    }

    /// Starts a search in a thread of its own. `report` is called from that thread; the last
    /// report is the verdict. The caller folds the reports into the analysis of the search.
    pub fn go(
        &mut self,
        request: &GoRequest,
        report: impl Fn(Report) + Send + 'static,
    ) -> Result<Search, EngineError> {
        let (position, data, plan) = self.prepare_search(request)?;
        search::start(position, data, plan, report)
    }

    /// Resolves a request against the position, loads the data and starts the clock.
    fn prepare_search(
        &mut self,
        request: &GoRequest,
    ) -> Result<(Position, Data, Plan), EngineError> {
        let table = self.game.clone().ok_or_else(no_position)?;
        let position = table.game.position();
        let over = table.game.end().is_some();
        let hand = position.mover_rack();
        if hand.unknown > 0 && !over {
            let (unknown, all) = (hand.unknown, hand.len());
            return Err(bad_position(format!(
                "{unknown} of the {all} tiles of the player on turn are unknown; say 'rack TILES'"
            )));
        }
        if hand.is_empty() && position.bag_len() > 0 && !over {
            let error = "the player on turn holds no tiles, and there are some in the bag; say 'rack TILES'";
            return Err(bad_position(error));
        }
        // What has to be loaded is part of the time.
        let budget = request.budget(position);
        let data = self.prepare(request.mode)?;
        let only = self.resolve(position, &request.only, Some(&data.words.lexicon))?;
        let also = self.resolve(position, &request.also, None)?;
        let plan = self.plan(request, position, only, also, budget)?;
        Ok((position.clone(), data, plan))
    }

    /// What a search has to do, from what was asked for and from the options.
    fn plan(
        &self,
        request: &GoRequest,
        position: &Position,
        only: Vec<Turn>,
        also: Vec<Turn>,
        budget: Budget,
    ) -> Result<Plan, EngineError> {
        let solves = request.solves(position, &self.options);
        let solves = solves.map_err(|text| EngineError::new(ErrorKind::Mode, text))?;
        if request.mode != Mode::Rank {
            let most = sim::MAX_CANDIDATES / 2;
            let named = only.len().max(also.len());
            if named > most {
                return Err(bad_move(format!(
                    "{named} moves are named, the limit with simulation is {most}; 'go gen' takes more"
                )));
            }
        }
        Ok(Plan::new(
            request,
            &self.options,
            solves,
            only,
            also,
            budget,
        ))
    }

    /// Moves of a list as turns that can be taken, and that form only words of `lexicon` if one is given.
    fn resolve(
        &self,
        position: &Position,
        moves: &[String],
        lexicon: Option<&Lexicon>,
    ) -> Result<Vec<Turn>, EngineError> {
        let resolve = |text: &String| {
            let fail = |error: EngineError| EngineError {
                text: format!("{}: {}", cut(text), error.text),
                ..error
            };
            let turn = MoveText::parse(text)
                .and_then(|text| text.turn(position))
                .map_err(bad_move)
                .map_err(fail)?;
            let game = Game::from_position(position.clone());
            match turn {
                Turn::Place(placement) => {
                    let placement = placement.canonical(position.grid());
                    position
                        .examine(&placement)
                        .map_err(bad_move)
                        .map_err(fail)?;
                    if let Some(lexicon) = lexicon {
                        refuse_phonies(&game, &placement, lexicon).map_err(fail)?;
                    }
                    Ok(Turn::Place(placement))
                }
                Turn::ExchangeUnseen(_) => {
                    let error = "the rack is known; name the tiles to exchange, such as ex.ABC";
                    Err(fail(bad_move(error)))
                }
                other => game
                    .clone()
                    .play(&other)
                    .map(|_| other)
                    .map_err(bad_move)
                    .map_err(fail),
            }
        };
        moves.iter().map(resolve).collect()
    }
}

impl Loaded {
    /// Whether it is the one that no file can change.
    fn is_built_in(&self) -> bool {
        self.asked == options::DEFAULT_LEXICON
    }

    /// The word map, made now if it was not yet; `None` if the words allow none.
    pub fn word_map(&self) -> Option<&WordMap> {
        let make = || WordMap::new(self.lexicon.graph(), MAX_WORD_LETTERS);
        self.word_map.get_or_init(make).as_ref()
    }

    /// What the word map takes in memory, in bytes, if it was made.
    pub fn word_map_size(&self) -> Option<usize> {
        Some(self.word_map.get()?.as_ref()?.size())
    }

    fn is_called(&self, name: &str) -> bool {
        self.asked == name || self.lexicon.name().eq_ignore_ascii_case(name)
    }
}

impl Parts {
    /// Loads what an option names, if it is one of those that make the rules.
    fn load(&mut self, option: &str, value: &str, files: &Files) -> Result<(), EngineError> {
        let named = (!value.is_empty()).then_some(value);
        match option {
            "Rules" => self.rules = files.rules(value).map_err(bad_option)?,
            "Board" => {
                let board = named.map(|name| files.board(name)).transpose();
                self.board = board.map_err(bad_option)?;
            }
            "LetterDistribution" => {
                let tiles = named.map(|name| files.tiles(name)).transpose();
                self.tiles = tiles.map_err(bad_option)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The rules that they make together.
    fn rules(&self, options: &Options) -> Result<RuleSet, EngineError> {
        let mut values = self.rules.clone().into_values();
        if let Some(board) = &self.board {
            if let Some(tiles) = standard_tiles(board.name()).filter(|_| *board != values.board) {
                values.tiles = Embedded.tiles(tiles).map_err(bad_option)?;
            }
            values.board = board.clone();
        }
        values.tiles = self.tiles.clone().unwrap_or(values.tiles);
        values.challenge = options.challenge().unwrap_or(values.challenge);
        RuleSet::new(values).map_err(bad_option)
    }
}

/// The one name under which a lexicon is kept: case matters to files, but not to the built-in one.
fn asked(name: &str) -> &str {
    match name.eq_ignore_ascii_case(options::DEFAULT_LEXICON) {
        true => options::DEFAULT_LEXICON,
        false => name,
    }
}

fn load(
    options: &Options,
    files: &Files,
    name: &str,
    tiles: &TileSet,
) -> Result<Loaded, EngineError> {
    let data = |error: String| EngineError::new(ErrorKind::Data, error);
    let asked = asked(name).to_string();
    if asked == options::DEFAULT_LEXICON {
        let (lexicon, dropped) =
            Lexicon::embedded(tiles).map_err(|error| data(error.to_string()))?;
        return Ok(Loaded {
            lexicon,
            dropped: Some(dropped),
            asked,
            word_map: OnceLock::new(),
        });
    }
    let missing = || {
        let places = "a file, a name on the DataPath, or OEL26";
        data(format!(
            "there is no lexicon '{}'; it can be {places}",
            cut(name)
        ))
    };
    let path = files
        .find(name, &["kwg", "kbwg", "txt", "tsv"])
        .ok_or_else(missing)?;
    let (lexicon, dropped) =
        Lexicon::open(&path, tiles, options.encoding()).map_err(|error| data(error.to_string()))?;
    Ok(Loaded {
        lexicon,
        dropped,
        asked,
        word_map: OnceLock::new(),
    })
}

fn phonies(score: &Score, lexicon: &Lexicon) -> Vec<Vec<Letter>> {
    score
        .words
        .iter()
        .map(|word| word.word())
        .filter(|word| !lexicon.contains(word))
        .collect()
}

fn refuse_phonies(
    game: &Game,
    placement: &Placement,
    lexicon: &Lexicon,
) -> Result<(), EngineError> {
    let position = game.position();
    let score = position.examine(placement).map_err(bad_move)?;
    match phonies(&score, lexicon).first() {
        None => Ok(()),
        Some(word) => {
            let word = position.rules().tiles.word_text(word);
            Err(bad_move(format!("{word} is not in {}", lexicon.name())))
        }
    }
}

fn bad_option(error: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Option, error)
}

fn bad_position(error: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Position, error)
}

fn bad_move(error: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Move, error)
}

fn no_position() -> EngineError {
    EngineError::new(
        ErrorKind::NoPosition,
        "no position has been set; say 'position startpos' or 'position cgp …'",
    )
}

/// Tells the rack of the player on turn, if a move that follows does.
fn know_rack(game: &mut Game, next: &str) -> Result<(), EngineError> {
    let tiles = game.position().rules().tiles.clone();
    let rack = match MoveText::parse(next).map_err(bad_move)? {
        MoveText::Rack(rack) => Some(tiles.read_tiles(&rack).map_err(bad_move)?),
        other => other.rack(&tiles).map_err(bad_move)?,
    };
    let seat = game.position().to_move();
    let known = rack.map(|rack| game.set_rack(seat, rack));
    known.unwrap_or(Ok(())).map_err(bad_move)
}

/// An error of a move of a list.
fn of_move(at: usize, text: &str, error: EngineError) -> EngineError {
    EngineError {
        text: format!("move {}, {}: {}", at + 1, cut(text), error.text),
        ..error
    }
}

/// Keeps what a client sent from filling an error line.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}
