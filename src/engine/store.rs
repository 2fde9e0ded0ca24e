//! Loaded data: lexica with their word maps, leave values and win tables.
//!
//! A [`Store`] is a handle: its clones share the data, so that several engines in one process load
//! each file once. What a search uses ([`SearchData`]) is behind `Arc` and stays valid when the
//! store drops it.

use super::data_tables::{LEAVES, LoadedTable, TableKind, TableSource, WIN_TABLES};
use super::files::{Files, is_built_in_lexicon};
use super::options::{Options, WordMapUse};
use super::{EngineError, bad_data, shortened};
use crate::eval::WinModel;
use crate::eval::win_table::WinTable;
use crate::lexicon::{DroppedWords, LeaveValues, Lexicon, MAX_WORD_LETTERS, TextEncoding, WordMap};
use crate::movegen::{WordMapRef, Words};
use crate::rules::{LetterOrder, RuleSet};
use crate::search::ranking::SearchKnowledge;
use crate::tiles::TileSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// The number of lexica that a store keeps: a client may alternate between a few. Chosen by hand.
const MAX_LEXICA: usize = 3;
/// The number of tables of each kind that a store keeps. Loading one is fast. Chosen by hand.
const MAX_TABLES: usize = 1;

/// Loaded lexica and tables, shared by all clones of the store.
#[derive(Clone, Default)]
pub struct Store {
    shelves: Arc<Mutex<Shelves>>,
}

#[derive(Default)]
pub(super) struct Shelves {
    lexica: Vec<Arc<LoadedLexicon>>,
    pub leaves: Vec<Arc<LoadedTable<LeaveValues>>>,
    pub win_tables: Vec<Arc<LoadedTable<WinTable>>>,
}

/// Whether data that is loaded already may be used. A file may have changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Use it.
    Cached,
    /// Read files again.
    Fresh,
}

/// A lexicon and where it came from.
pub struct LoadedLexicon {
    /// The words.
    pub lexicon: Lexicon,
    /// The words of a list that were left out, if it was a list.
    pub dropped: Option<DroppedWords>,
    source: LexiconSource,
    /// The inner `None`: these words allow no word map.
    word_map: OnceLock<Option<WordMap>>,
    /// Whether a thread builds the word map, or has built it.
    is_building: AtomicBool,
}

/// What decides which words a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LexiconSource {
    BuiltIn,
    File {
        name: String,
        encoding: TextEncoding,
        files: Files,
    },
}

/// The data that a search uses. Clones share it.
#[derive(Clone)]
pub struct SearchData {
    /// The words.
    pub words: Arc<LoadedLexicon>,
    /// The leave values.
    pub leaves: Arc<LoadedTable<LeaveValues>>,
    /// The win probabilities by lead and tiles left.
    pub win_table: Arc<LoadedTable<WinTable>>,
    pub(super) word_map_use: WordMapUse,
}

impl SearchData {
    /// The words and leave values, in the form that a search takes.
    pub fn knowledge(&self) -> SearchKnowledge<'_> {
        let words = Words {
            graph: self.words.lexicon.graph(),
            map: match self.word_map_use {
                WordMapUse::Never => WordMapRef::Absent,
                _ => WordMapRef::Pending(&self.words.word_map),
            },
        };
        SearchKnowledge::new(words, self.leaves.table.as_ref())
    }

    /// Builds the word map now if it is used and not there yet, for callers that measure speed or
    /// play whole games. Answers do not depend on it.
    pub fn finish_word_map(&self) {
        if self.word_map_use != WordMapUse::Never {
            self.words.word_map();
        }
    }

    /// What may be wrong with the data for a game by these rules: it was made for other words, tiles
    /// or boards.
    pub fn warnings(&self, rules: &RuleSet) -> Vec<String> {
        let lexicon = Some(&self.words.lexicon);
        let warnings = [
            self.words.warning(&rules.tiles),
            LEAVES.warning(&self.leaves, rules, lexicon),
            WIN_TABLES.warning(&self.win_table, rules, lexicon),
        ];
        warnings.into_iter().flatten().collect()
    }

    /// Which tables are missing under these rules although the options did not rule them out, and
    /// why.
    pub fn missing_tables(&self, rules: &RuleSet) -> Vec<String> {
        let leaves = LEAVES.missing_reason(&self.leaves, rules);
        let win_table = WIN_TABLES.missing_reason(&self.win_table, rules);
        leaves.into_iter().chain(win_table).collect()
    }

    /// The model of win probabilities.
    pub fn win_model(&self) -> WinModel<'_> {
        let table = self.win_table.table.as_ref();
        table.map_or(WinModel::Logistic, WinModel::Table)
    }
}

impl Store {
    /// The lexicon with this name or path, for these rules.
    pub(super) fn lexicon(
        &self,
        name: &str,
        options: &Options,
        files: &Files,
        rules: &RuleSet,
        reading: Reading,
    ) -> Result<Arc<LoadedLexicon>, EngineError> {
        let source = LexiconSource::new(name, options, files);
        let is_same = |loaded: &LoadedLexicon| loaded.source == source && loaded.suits(rules);
        let is_chosen = reading == Reading::Fresh;
        // The built-in lexicon cannot have changed.
        let reading = match source {
            LexiconSource::BuiltIn => Reading::Cached,
            LexiconSource::File { .. } => reading,
        };
        let load = || LoadedLexicon::load(source.clone(), rules);
        let lexica = &mut self.shelves().lexica;
        let loaded = fetch(lexica, MAX_LEXICA, reading, is_same, load)?;
        if is_chosen {
            // A client that chooses another lexicon rarely returns, and lexica take much memory.
            lexica.retain(|kept| kept.source == LexiconSource::BuiltIn || is_same(kept));
        }
        Ok(loaded)
    }

    /// The table of a kind that the option asks for under these rules.
    pub(super) fn table<T: 'static>(
        &self,
        kind: &TableKind<T>,
        options: &Options,
        rules: &RuleSet,
        files: &Files,
        reading: Reading,
    ) -> Result<Arc<LoadedTable<T>>, EngineError> {
        let source = TableSource::new((kind.option)(options), rules, files);
        let is_same = |loaded: &LoadedTable<T>| loaded.source == source;
        let load = || kind.load(source.clone(), rules);
        let shelf = &mut self.shelves();
        fetch((kind.shelf)(shelf), MAX_TABLES, reading, is_same, load)
    }

    fn shelves(&self) -> MutexGuard<'_, Shelves> {
        // A shelf is whole at any moment, so that a panic of another engine does not matter.
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes data from a shelf, or loads it and puts it there.
fn fetch<T>(
    shelf: &mut Vec<Arc<T>>,
    max_kept: usize,
    reading: Reading,
    is_same: impl Fn(&T) -> bool,
    load: impl FnOnce() -> Result<T, EngineError>,
) -> Result<Arc<T>, EngineError> {
    if reading == Reading::Cached
        && let Some(loaded) = shelf.iter().find(|loaded| is_same(loaded))
    {
        return Ok(loaded.clone());
    }
    let loaded = Arc::new(load()?);
    shelf.retain(|old| !is_same(old));
    if shelf.len() == max_kept {
        shelf.remove(0);
    }
    shelf.push(loaded.clone());
    Ok(loaded)
}

impl LexiconSource {
    fn new(name: &str, options: &Options, files: &Files) -> LexiconSource {
        // Case matters to the names of files, but not to the built-in lexicon.
        if is_built_in_lexicon(name) {
            return LexiconSource::BuiltIn;
        }
        LexiconSource::File {
            name: name.to_string(),
            encoding: options.encoding,
            files: files.clone(),
        }
    }
}

impl LoadedLexicon {
    fn load(source: LexiconSource, rules: &RuleSet) -> Result<LoadedLexicon, EngineError> {
        let tiles = &rules.tiles;
        let (lexicon, dropped) = match &source {
            LexiconSource::BuiltIn => {
                let (lexicon, dropped) = Lexicon::embedded(tiles).map_err(bad_data)?;
                (lexicon, Some(dropped))
            }
            LexiconSource::File {
                name,
                encoding,
                files,
            } => {
                let path = files.lexicon(name).ok_or_else(|| {
                    let places = "a file, a name on the DataPath, or OEL26";
                    let name = shortened(name);
                    bad_data(format!("there is no lexicon '{name}'; it can be {places}"))
                })?;
                Lexicon::open(&path, tiles, *encoding).map_err(bad_data)?
            }
        };
        let lexicon = match rules.letter_order {
            LetterOrder::Fixed => lexicon,
            LetterOrder::Any => lexicon.in_any_order().map_err(bad_data)?,
        };
        Ok(LoadedLexicon {
            lexicon,
            dropped,
            source,
            word_map: OnceLock::new(),
            is_building: AtomicBool::new(false),
        })
    }

    /// Whether it has the letters and the letter order of these rules.
    fn suits(&self, rules: &RuleSet) -> bool {
        let is_any_order = rules.letter_order == LetterOrder::Any;
        self.lexicon.fits(&rules.tiles) && self.lexicon.graph().is_alphagrams() == is_any_order
    }

    /// A warning if a part of a word list was left out.
    pub(super) fn list_warning(&self) -> Option<String> {
        let notice = self.dropped?.notice()?;
        let name = self.lexicon.name();
        let words = match self.lexicon.word_count() {
            1 => "1 word".to_string(),
            count => format!("{count} words"),
        };
        Some(format!("{name} has {words}; {notice}"))
    }

    /// A warning if the letters of a graph file seem to be numbered for another tile set. A word
    /// list has the letters themselves.
    pub(super) fn warning(&self, tiles: &TileSet) -> Option<String> {
        let share = self.lexicon.suspicious_share();
        let percent = share.filter(|_| self.dropped.is_none())? * 100.0;
        let (lexicon, tiles) = (self.lexicon.name(), tiles.name());
        Some(format!(
            "{percent:.1} % of the words of {lexicon} have no vowel of the tile set '{tiles}'; the \
             letters may be numbered for another one: set LetterDistribution to it"
        ))
    }

    /// Whether a position that names a lexicon may mean this one.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let is_source =
            matches!(&self.source, LexiconSource::File { name: source, .. } if source == name);
        is_source || self.lexicon.name().eq_ignore_ascii_case(name)
    }

    /// Starts a thread that builds the word map, unless there is one already. Nobody waits for it.
    /// The threads of a process build one after the other, and not for a lexicon that was dropped
    /// meanwhile: so a client that changes lexica quickly does not fill the memory.
    pub(super) fn build_word_map_in_background(self: &Arc<LoadedLexicon>) {
        /// Held by the thread that builds a word map.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        if self.is_building.swap(true, Ordering::Relaxed) {
            return;
        }
        let lexicon = Arc::downgrade(self);
        let build = move || {
            let _turn = ONE_AT_A_TIME.lock();
            lexicon
                .upgrade()
                .map(|lexicon| lexicon.word_map().is_some())
        };
        let thread = thread::Builder::new().name("word map".to_string());
        // If the system has no thread left, searches use the graph instead.
        let _ = thread.spawn(build);
    }

    /// The word map, built now if it is missing; `None` if these words allow none.
    pub fn word_map(&self) -> Option<&WordMap> {
        let build = || WordMap::new(self.lexicon.graph(), MAX_WORD_LETTERS);
        self.word_map.get_or_init(build).as_ref()
    }

    /// The memory that the word map takes, in bytes, if it is built.
    pub fn word_map_bytes(&self) -> Option<usize> {
        Some(self.word_map.get()?.as_ref()?.size())
    }
}
