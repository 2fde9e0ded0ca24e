//! A player as the command line tells it, such as `mode=sim,movetime=200`.

use crate::autoplay;
use crate::contender::SearchSettings;
use crate::engine::{Engine, MAX_THREADS, Mode, SearchData, SearchRequest};
use crate::movegen::Words;
use crate::rules::Turn;
use crate::search::clock::Clock;
use crate::search::sim::{MAX_CANDIDATES, MAX_ITERATIONS, MAX_PLIES};
use std::collections::BTreeMap;
use std::time::Duration;

/// A player.
pub(super) struct Player {
    data: SearchData,
    /// None for a static one.
    searcher: Option<SearchSettings>,
}

/// The ways to choose a turn.
const MODES: [&str; 3] = ["static", "sim", "auto"];
/// What a player can be told besides numbers.
const WORDS: [&str; 5] = ["mode", "leaves", "wordmap", "endgame", "peg"];
/// Numbers for a player who searches, and what they can be. Times are in milliseconds.
const NUMBERS: [(&str, u64, u64); 7] = [
    ("movetime", 1, DAY),
    ("iterations", 1, MAX_ITERATIONS),
    ("time", 1, DAY),
    ("inc", 0, DAY),
    ("plies", 0, MAX_PLIES as u64),
    ("candidates", 1, MAX_CANDIDATES as u64),
    ("threads", 1, MAX_THREADS as u64),
];
const ON_OFF: [&str; 2] = ["on", "off"];
/// Those of them that end a search.
const LIMITS: [&str; 3] = ["movetime", "iterations", "time"];
/// The longest time for a turn or a game.
const DAY: u64 = 86_400_000;

impl Player {
    /// Reads what a player is told, and has the engine load what it needs. It
    /// searches when at most `from` tiles are in the bag.
    pub fn parse(text: &str, from: usize, engine: &mut Engine) -> Result<Player, String> {
        let mut mode = MODES[0];
        // The engine is still set to what the other player wanted.
        let mut options = [
            ("Leaves", "auto"),
            ("WordMap", "on"),
            ("Endgame", "on"),
            ("Peg", "on"),
        ];
        let mut numbers = BTreeMap::new();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(format!("'{pair}' has no value; a player is KEY=VALUE"));
            };
            match key {
                "mode" => mode = one_of(key, value, &MODES)?,
                "leaves" => options[0].1 = value,
                "wordmap" => options[1].1 = one_of(key, value, &ON_OFF)?,
                "endgame" => options[2].1 = one_of(key, value, &ON_OFF)?,
                "peg" => options[3].1 = one_of(key, value, &ON_OFF)?,
                _ => {
                    let (name, n) = number(key, value)?;
                    numbers.insert(name, n);
                }
            }
        }
        let search = match mode {
            "sim" => Some(search(mode, Mode::Simulate, &numbers)?),
            "auto" => Some(search(mode, Mode::Auto, &numbers)?),
            _ => None,
        };
        if let (None, Some(key)) = (&search, numbers.keys().next()) {
            return Err(format!(
                "{key} is for mode=sim and mode=auto, and the mode is {mode}"
            ));
        }
        for (name, value) in options {
            let set = engine.set_option(name, value);
            set.map_err(|error| error.to_string())?;
        }
        let data = engine.prepare(Mode::Simulate);
        let data = data.map_err(|error| error.to_string())?;
        data.finish_word_map();
        let searcher = search.map(|(request, clock)| SearchSettings {
            data: data.clone(),
            defaults: engine.options().search_defaults(),
            request,
            clock,
            max_bag: from,
        });
        Ok(Player { data, searcher })
    }

    /// The player in a game.
    pub fn in_game(&self) -> autoplay::PlayerKind<'_> {
        match &self.searcher {
            Some(searcher) => autoplay::PlayerKind::Searching(searcher),
            None => autoplay::PlayerKind::Static(self.data.knowledge().leaves),
        }
    }

    /// The words, as this player looks them up.
    pub fn words(&self) -> Words<'_> {
        self.data.knowledge().vocabulary.known
    }

    /// What the words are called.
    pub fn lexicon_name(&self) -> &str {
        self.data.words.lexicon.name()
    }
}

/// What a search with these numbers is asked for, and its clock.
fn search(
    name: &str,
    mode: Mode,
    numbers: &BTreeMap<&str, u64>,
) -> Result<(SearchRequest<Turn>, Option<Clock>), String> {
    let number = |key: &str| numbers.get(key).copied();
    if LIMITS.iter().all(|key| number(key).is_none()) {
        let limits = LIMITS.join(", ");
        return Err(format!("mode is '{name}', it needs one of {limits}"));
    }
    let clock = number("time").map(|time| Clock {
        left_ms: time as i64,
        increment_ms: number("inc").unwrap_or(0),
    });
    if clock.is_none() && number("inc").is_some() {
        return Err("inc is for a clock, which time sets".to_string());
    }
    let count = |key: &str| number(key).map(|n| n as usize);
    let request = SearchRequest {
        mode,
        candidates: count("candidates"),
        time: number("movetime").map(Duration::from_millis),
        iterations: number("iterations"),
        plies: count("plies"),
        threads: count("threads"),
        ..SearchRequest::default()
    };
    Ok((request, clock))
}

fn one_of(key: &str, value: &str, choices: &[&'static str]) -> Result<&'static str, String> {
    let chosen = choices.iter().find(|choice| **choice == value);
    let allowed = || {
        let choices = choices.join(", ");
        format!("{key} is '{value}', it must be one of {choices}")
    };
    chosen.copied().ok_or_else(allowed)
}

fn number(key: &str, value: &str) -> Result<(&'static str, u64), String> {
    let Some(&(name, low, high)) = NUMBERS.iter().find(|(name, ..)| *name == key) else {
        let names = WORDS.into_iter().chain(NUMBERS.map(|(name, ..)| name));
        let names: Vec<&str> = names.collect();
        let names = names.join(", ");
        return Err(format!("there is no '{key}'; a player has {names}"));
    };
    match value.parse() {
        Ok(n) if (low..=high).contains(&n) => Ok((name, n)),
        _ => Err(format!(
            "{key} is '{value}', it must be a number from {low} to {high}"
        )),
    }
}
