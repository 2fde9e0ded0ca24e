//! The engine as a library object: options, a game, a referee and searches.
//!
//! It knows no command words and prints nothing. Requests come as values, or as moves and positions
//! in their notations. Each is carried out completely or refused completely.
//!
//! - `store`: lexica and tables behind `Arc`, shared by the engines of a process
//! - `options`: every option, typed and defined once
//! - `table`: the position and how it came about
//! - `history`: the moves and challenges that lead to the position
//! - `challenge`: the ruling on the last play, and the position after it
//! - `decision`: whether to challenge the last play, by the values of both choices
//! - `record`: the game of a record, with what the record names
//! - `played`: the move of the history at a position, for analysis
//! - `referee`: whether a move can be made and what it scores
//! - `state`: what a client needs to show the game and to go on with it
//! - `go`: searches
//! - `task`: a position with the data of its searches, for threads of the caller
//! - `sampled`: searches of complete racks, sampled around a partly known one
//! - `analysis`: everything that a search found, in one value
//! - `files`, `data_tables`, `error`: finding data files; leave values and win tables; error codes
//!
//! ```
//! use cazique::engine::{Engine, Eyes, Mode, SearchRequest, Start};
//!
//! let mut engine = Engine::new()?;
//! engine.set_position(Start::Empty, &["rack.AEINRST"], Eyes::Mover)?;
//! let request = SearchRequest {
//!     mode: Mode::Rank,
//!     candidates: Some(3),
//!     ..SearchRequest::default()
//! };
//! let analysis = engine.analyze(&request)?;
//! let best = analysis.candidates()[0];
//! assert_eq!(best.candidate.worth.points.0, 66);
//! # Ok::<(), cazique::engine::EngineError>(())
//! ```

mod analysis;
mod challenge;
mod data_tables;
mod decision;
mod error;
mod files;
mod go;
mod history;
mod options;
mod played;
mod record;
mod referee;
mod sampled;
mod state;
mod store;
mod table;
mod task;

pub use crate::search::think::{Mode, Report, SearchDefaults, SearchRequest};
pub use analysis::{Analysis, AnalyzedMove, DrawsByResult, Figure, Label, Provenance, Update};
pub use challenge::ChallengedPlay;
pub use data_tables::LoadedTable;
pub use decision::{ChallengeDecision, ChallengeSearch, ChoiceValue};
pub use error::{EngineError, ErrorKind};
pub use files::Files;
pub use go::{Search, SearchControl, think};
pub use options::{
    DEFAULT_LEXICON, DEFINITIONS, Definition, MAX_CANDIDATES, MAX_THREADS, OptionKind, Options,
    WordMapUse,
};
pub use played::PlayedMove;
pub use record::ReplayedRecord;
pub use referee::{CheckedMove, JudgedWord};
pub use sampled::{
    DEFAULT_RACKS, MAX_RACKS, SampledAnalysis, SampledMove, SampledRequest, SampledSearch,
    SampledValue,
};
pub use state::{GameState, LastMove};
pub use store::{LoadedLexicon, SearchData, Store};
pub use table::{Eyes, Start};
pub use task::SearchTask;

use crate::board::Layout;
use crate::rules::{
    Embedded, FirstMove, Library, PRESETS, RuleSet, draw_for_first_move, standard_tiles,
};
use crate::seed::Seed;
use crate::tiles::TileSet;
use data_tables::{LEAVES, WIN_TABLES};
use options::Affects;
use std::fmt::Display;
use std::sync::Arc;
use store::Reading;
use table::Table;

/// The engine's name.
pub const NAME: &str = "Cazique";
/// The engine's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The engine.
pub struct Engine {
    options: Options,
    files: Files,
    rule_parts: RuleParts,
    rules: Arc<RuleSet>,
    store: Store,
    table: Option<Table>,
}

/// The parts of the rules that options name, as they were when the option was set: a file may change
/// or vanish later, and no other option must fail because of that.
#[derive(Clone)]
struct RuleParts {
    rules: RuleSet,
    board: Option<Arc<Layout>>,
    tiles: Option<Arc<TileSet>>,
}

/// An option that was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedOption {
    /// Its name, as it is spelled in full.
    pub name: &'static str,
    /// Its value, as it is spelled in full.
    pub value: String,
    /// What else changed because of it, for people.
    pub warnings: Vec<String>,
}

impl Engine {
    /// An engine with default options and no game. Nothing is loaded yet.
    pub fn new() -> Result<Engine, EngineError> {
        Engine::with_store(Store::default())
    }

    /// An engine that shares loaded data with others.
    pub fn with_store(store: Store) -> Result<Engine, EngineError> {
        let (options, files) = (Options::default(), Files::default());
        let rule_parts = RuleParts {
            rules: files.rules(options.rule_set()).map_err(bad_option)?,
            board: None,
            tiles: None,
        };
        let rules = Arc::new(rule_parts.combine(&options)?);
        Ok(Engine {
            options,
            files,
            rule_parts,
            rules,
            store,
            table: None,
        })
    }

    /// The values of all options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The rules of the next game.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Sets an option. The data that it names is loaded at once, so that a wrong value is refused at
    /// once. The game on the table keeps its own rules.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<ChangedOption, EngineError> {
        let mut options = self.options.clone();
        let (definition, value) = options.set(name, value)?;
        let files = Files::new(&options.data_path).map_err(bad_option)?;
        let mut rule_parts = self.rule_parts.clone();
        rule_parts.load(definition.affects, &options, &files)?;
        if options.is_overridden(definition) {
            // The rules are not used now, but they must be usable.
            files.rules(&options.rules).map_err(bad_data)?;
        }
        let rules = Arc::new(rule_parts.combine(&options)?);
        let mut warnings = fit_players(definition, &mut options, &rules)?;
        // The file is read again even if the value is the same: it may have changed.
        let reading = Reading::Fresh;
        let store = &self.store;
        match definition.affects {
            Affects::Lexicon => {
                let name = &options.lexicon;
                let loaded = store.lexicon(name, &options, &files, &rules, reading)?;
                warnings.extend(loaded.warning(&rules.tiles));
                warnings.extend(loaded.list_warning());
            }
            Affects::Leaves => {
                let loaded = store.table(&LEAVES, &options, &rules, &files, reading)?;
                warnings.extend(LEAVES.warning(&loaded, &rules, None));
            }
            Affects::WinTable => {
                let loaded = store.table(&WIN_TABLES, &options, &rules, &files, reading)?;
                warnings.extend(WIN_TABLES.warning(&loaded, &rules, None));
            }
            Affects::Folders => warnings.extend(files.missing_folders()),
            _ => {}
        }
        warnings.extend(files.name_warning(definition.affects, &value));
        warnings.extend(options.variant_warning(definition));
        (self.options, self.files) = (options, files);
        (self.rule_parts, self.rules) = (rule_parts, rules);
        Ok(ChangedOption {
            name: definition.name,
            value,
            warnings,
        })
    }

    /// Draws tiles for the first move of a game under the rules that the options set. By default the
    /// number of players and the seed are those of the options.
    pub fn draw_for_first_move(
        &self,
        players: Option<usize>,
        seed: Option<u64>,
    ) -> Result<FirstMove, EngineError> {
        let players = players.unwrap_or(self.options.players);
        check_players(
            &self.rules,
            players,
            "players",
            self.options.rules_setting(),
        )
        .map_err(bad_option)?;
        let seed = Seed(seed.unwrap_or(self.options.search.seed));
        let mut rng = seed.generator();
        Ok(draw_for_first_move(&self.rules, players, &mut rng))
    }

    /// Loads the data that the next search in this mode needs. The word map is built in the
    /// background; a search that starts before it is there uses the graph until then.
    pub fn prepare(&self, mode: Mode) -> Result<SearchData, EngineError> {
        let (options, files) = (&self.options, &self.files);
        let (words, rules) = match &self.table {
            Some(table) => (self.lexicon_of(table)?, table.game.position().rules()),
            None => {
                let words = self.lexicon(&options.lexicon, &self.rules)?;
                (words, &self.rules)
            }
        };
        let is_needed = mode != Mode::Rank && options.word_map == WordMapUse::WhenNeeded;
        if is_needed || options.word_map == WordMapUse::AtOnce {
            words.build_word_map_in_background();
        }
        let (store, reading) = (&self.store, Reading::Cached);
        Ok(SearchData {
            words,
            leaves: store.table(&LEAVES, options, rules, files, reading)?,
            win_table: store.table(&WIN_TABLES, options, rules, files, reading)?,
            word_map_use: options.word_map,
        })
    }
}

impl RuleParts {
    /// Loads the part that an option names, if it is one of those that make the rules.
    fn load(
        &mut self,
        affected: Affects,
        options: &Options,
        files: &Files,
    ) -> Result<(), EngineError> {
        match affected {
            Affects::RuleSet => self.rules = files.rules(options.rule_set()).map_err(bad_data)?,
            Affects::Board if options.board.is_empty() => self.board = None,
            Affects::Board => self.board = Some(files.board(&options.board).map_err(bad_data)?),
            Affects::TileSet if options.tile_set.is_empty() => self.tiles = None,
            Affects::TileSet => {
                self.tiles = Some(files.tiles(&options.tile_set).map_err(bad_data)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// The rules that the parts make together.
    fn combine(&self, options: &Options) -> Result<RuleSet, EngineError> {
        let mut values = self.rules.clone().into_values();
        if let Some(board) = &self.board {
            if let Some(tiles) = standard_tiles(board.name()).filter(|_| *board != values.board) {
                values.tiles = Embedded.tiles(tiles).map_err(bad_option)?;
            }
            values.board = board.clone();
        }
        values.tiles = self.tiles.clone().unwrap_or(values.tiles);
        values.challenge = options.challenge.unwrap_or(values.challenge);
        RuleSet::new(values).map_err(bad_option)
    }
}

/// Makes the number of players suit the rules. A number that the rules do not allow is refused if it
/// is set now. If the rules change, it changes with them, and the warning says so: then options can
/// be set in the order in which they are listed, whatever their values were before.
fn fit_players(
    definition: &Definition,
    options: &mut Options,
    rules: &RuleSet,
) -> Result<Vec<String>, EngineError> {
    let (players, (fewest, most)) = (options.players, rules.players);
    let fitting = players.clamp(fewest, most);
    if fitting == players {
        return Ok(Vec::new());
    }
    if definition.affects == Affects::Players {
        let setting = options.rules_setting();
        check_players(rules, players, definition.name, setting).map_err(bad_option)?;
    }
    options.players = fitting;
    let rule = players_text(rules);
    Ok(vec![format!("Players is now {fitting}: {rule}")])
}

/// Checks that a rule set allows a number of players. An error names the number by `what`, and says
/// that `setting` can be set to other rules.
pub(crate) fn check_players(
    rules: &RuleSet,
    players: usize,
    what: &str,
    setting: &str,
) -> Result<(), String> {
    let (fewest, most) = rules.players;
    if (fewest..=most).contains(&players) {
        return Ok(());
    }
    let error = format!("{what} is {players}, {}", players_text(rules));
    let names: Vec<String> = presets_for(players)
        .map(|rules| rules.name.clone())
        .collect();
    Err(match names.is_empty() {
        true => error,
        false => format!(
            "{error}; set {setting} to one that allows it: {}",
            names.join(", ")
        ),
    })
}

/// How many players a rule set is for, as a part of a sentence.
fn players_text(rules: &RuleSet) -> String {
    let (name, (fewest, most)) = (&rules.name, rules.players);
    match fewest == most {
        true => format!("the rule set '{name}' is for {fewest} players"),
        false => format!("the rule set '{name}' is for {fewest} to {most} players"),
    }
}

/// The built-in rule sets that allow this number of players.
fn presets_for(players: usize) -> impl Iterator<Item = RuleSet> {
    let built_in = PRESETS.into_iter().flat_map(|name| Embedded.rules(name));
    built_in.filter(move |rules| (rules.players.0..=rules.players.1).contains(&players))
}

fn bad_option(error: impl Display) -> EngineError {
    EngineError::new(ErrorKind::Option, error)
}

fn bad_data(error: impl Display) -> EngineError {
    EngineError::new(ErrorKind::Data, error)
}

fn bad_position(error: impl Display) -> EngineError {
    EngineError::new(ErrorKind::Position, error)
}

fn bad_move(error: impl Display) -> EngineError {
    EngineError::new(ErrorKind::Move, error)
}

/// The longest quotation of a client's words in an error, in characters. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 60;

/// A text of a client, short enough for an error line.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(MAX_QUOTED_CHARS).collect()
}
