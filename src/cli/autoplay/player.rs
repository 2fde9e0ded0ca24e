//! Reads a player from the command line, such as `mode=sim,movetime=200`.

use crate::autoplay;
use crate::cli::Failure;
use crate::contender::SearchSettings;
use crate::engine::{Engine, MAX_THREADS, Mode, SearchData, SearchRequest};
use crate::eval::IgnoredKnowledge;
use crate::movegen::Words;
use crate::search::clock::Clock;
use crate::search::sim::{MAX_ITERATIONS, MAX_PLIES, MAX_SIMULATED};
use std::collections::BTreeMap;
use std::time::Duration;

/// A player with the data that it uses.
pub(super) struct PlayerSettings {
    data: SearchData,
    /// The mode and all settings that are not at their default.
    text: String,
    /// `None` for a static player.
    searcher: Option<SearchSettings>,
    ignored: IgnoredKnowledge,
}

/// The ways to choose a move.
const PLAYER_MODES: [&str; 3] = ["static", "sim", "auto"];
/// The settings with a word as value.
const WORD_SETTINGS: [&str; 7] = [
    "mode",
    "leaves",
    "wordmap",
    "endgame",
    "peg",
    "target",
    "variations",
];
/// The settings with a number, which need a player who searches: lowest and highest value. Times
/// are in milliseconds.
const NUMBER_SETTINGS: [(&str, u64, u64); 7] = [
    ("movetime", 1, MAX_TIME_MS),
    ("iterations", 1, MAX_ITERATIONS),
    ("time", 1, MAX_TIME_MS),
    ("inc", 0, MAX_TIME_MS),
    ("plies", 0, MAX_PLIES as u64),
    ("candidates", 1, MAX_SIMULATED as u64),
    ("threads", 1, MAX_THREADS as u64),
];
/// The options of the engine that a player sets, and their values if it does not.
const DEFAULT_OPTIONS: [(&str, &str); 4] = [
    ("Leaves", "auto"),
    ("WordMap", "on"),
    ("Endgame", "on"),
    ("Peg", "on"),
];
/// The values of a switch.
const ON_OFF: [&str; 2] = ["on", "off"];
/// The settings that end a search.
const LIMIT_SETTINGS: [&str; 3] = ["movetime", "iterations", "time"];
/// The longest time for a turn or a game, in milliseconds: one day. Chosen by hand.
const MAX_TIME_MS: u64 = 86_400_000;

impl PlayerSettings {
    /// Reads the settings, and has the engine load the data. The player searches when at most
    /// `from` tiles are in the bag.
    pub fn parse(text: &str, from: usize, engine: &mut Engine) -> Result<PlayerSettings, Failure> {
        let mut mode = PLAYER_MODES[0];
        // The engine still has the options of the player before.
        let mut options = DEFAULT_OPTIONS;
        let mut numbers = BTreeMap::new();
        let mut ignored = IgnoredKnowledge::default();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                return Err(format!("'{pair}' has no value; a setting is KEY=VALUE").into());
            };
            match key {
                "mode" => mode = one_of(key, value, &PLAYER_MODES)?,
                "leaves" => options[0].1 = value,
                "wordmap" => options[1].1 = one_of(key, value, &ON_OFF)?,
                "endgame" => options[2].1 = one_of(key, value, &ON_OFF)?,
                "peg" => options[3].1 = one_of(key, value, &ON_OFF)?,
                "target" => ignored.target = one_of(key, value, &ON_OFF)? == ON_OFF[1],
                "variations" => ignored.variations = one_of(key, value, &ON_OFF)? == ON_OFF[1],
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
        if search.is_some() && ignored.variations {
            return Err(format!("variations=off needs mode=static, and the mode is {mode}").into());
        }
        if let (None, Some(key)) = (&search, numbers.keys().next()) {
            let error = format!("{key} needs mode=sim or mode=auto, and the mode is {mode}");
            return Err(error.into());
        }
        for (name, value) in options {
            engine.set_option(name, value)?;
        }
        let changed = options.iter().zip(&DEFAULT_OPTIONS);
        let changed = changed.filter(|(option, default)| option != default);
        let changed = changed.map(|((name, value), _)| format!(" {}={value}", name.to_lowercase()));
        let limits = numbers.iter().map(|(name, n)| format!(" {name}={n}"));
        let off = [
            (ignored.target, " target=off"),
            (ignored.variations, " variations=off"),
        ];
        let off = off.into_iter().filter(|(is_off, _)| *is_off);
        let off = off.map(|(_, text)| text.to_string());
        let settings = changed.chain(off).chain(limits);
        let text = format!("mode={mode}") + &settings.collect::<String>();
        let data = engine.prepare(Mode::Simulate)?;
        data.finish_word_map();
        let searcher = search.map(|(request, clock)| SearchSettings {
            data: data.clone(),
            defaults: engine.options().search.clone(),
            request,
            clock,
            max_bag: from,
            ignores_target: ignored.target,
        });
        Ok(PlayerSettings {
            data,
            text,
            searcher,
            ignored,
        })
    }

    /// The player in a game.
    pub fn in_game(&self) -> autoplay::PlayerKind<'_> {
        let leaves = self.data.knowledge().leaves;
        match &self.searcher {
            Some(searcher) => autoplay::PlayerKind::Searching(searcher),
            None if self.ignored == IgnoredKnowledge::default() => {
                autoplay::PlayerKind::Static(leaves)
            }
            None => autoplay::PlayerKind::StaticIgnoring(self.ignored, leaves),
        }
    }

    /// The words, with the word map if this player uses it.
    pub fn words(&self) -> Words<'_> {
        self.data.knowledge().vocabulary.known
    }

    /// The words and tables that it uses.
    pub fn data(&self) -> &SearchData {
        &self.data
    }

    /// The mode and all settings that are not at their default, as one line.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The request and the clock of a player who searches.
fn search(
    name: &str,
    mode: Mode,
    numbers: &BTreeMap<&str, u64>,
) -> Result<(SearchRequest, Option<Clock>), String> {
    let number = |key: &str| numbers.get(key).copied();
    if LIMIT_SETTINGS.iter().all(|key| number(key).is_none()) {
        let limits = LIMIT_SETTINGS.join(", ");
        return Err(format!("mode is '{name}', it needs one of {limits}"));
    }
    let clock = number("time").map(|time| Clock {
        left_ms: time as i64,
        increment_ms: number("inc").unwrap_or(0),
    });
    if clock.is_none() && number("inc").is_some() {
        return Err("inc needs a clock; set time too".to_string());
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
    let Some(&(name, low, high)) = NUMBER_SETTINGS.iter().find(|(name, ..)| *name == key) else {
        let numbers = NUMBER_SETTINGS.map(|(name, ..)| name);
        let names = [&WORD_SETTINGS[..], &numbers].concat().join(", ");
        return Err(format!(
            "there is no setting '{key}'; the settings are {names}"
        ));
    };
    match value.parse() {
        Ok(n) if (low..=high).contains(&n) => Ok((name, n)),
        _ => Err(format!(
            "{key} is '{value}', it must be a whole number from {low} to {high}"
        )),
    }
}
