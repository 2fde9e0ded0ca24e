//! The options of the engine, each defined once: name, values, default, and the typed field that
//! holds it.

use super::data_tables::AUTO;
use super::{EngineError, ErrorKind, shortened};
use crate::lexicon::TextEncoding;
use crate::notation::cgp::CLASSIC;
use crate::rules::{ChallengeRule, MAX_PLAYERS, MIN_PLAYERS, PRESETS};
use crate::search::sim::MAX_PLIES;
use crate::search::think::SearchDefaults;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// One option as a client sees it.
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// The values it takes.
    pub kind: OptionKind,
    /// The data that depends on it.
    pub(super) affects: Affects,
}

/// The values that an option takes: its default, what else is allowed, and how a valid value is
/// stored.
pub enum OptionKind {
    /// A whole number within limits.
    Spin(i64, RangeInclusive<i64>, fn(&mut Options, i64)),
    /// One of a few words.
    Combo(
        &'static str,
        &'static [&'static str],
        fn(&mut Options, &'static str),
    ),
    /// A text. If the default is not empty, an empty value means the default.
    Text(&'static str, fn(&mut Options) -> &mut String),
}

/// The data that an option decides about: setting the option loads it, so that a wrong value is
/// refused at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Affects {
    Nothing,
    Folders,
    RuleSet,
    Players,
    Board,
    TileSet,
    Lexicon,
    Leaves,
    WinTable,
}

/// When the word map is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordMapUse {
    /// In the background, when data is loaded for a search, but not for a mere ranking.
    WhenNeeded,
    /// In the background, whenever data is loaded.
    AtOnce,
    /// Never.
    Never,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The values of a search where its request leaves them open.
    pub search: SearchDefaults,
    /// The folders that are searched for files, separated by semicolons.
    pub data_path: String,
    /// The rule set: a name or a file.
    pub rules: String,
    /// The name of a built-in rule set that is used instead of `rules`.
    pub variant: Option<&'static str>,
    /// The board, if it is not the rule set's: a name or a file.
    pub board: String,
    /// The tile set, if it is not the rule set's: a name or a file.
    pub tile_set: String,
    /// The challenge rule, if it is not the rule set's.
    pub challenge: Option<ChallengeRule>,
    /// The number of players in the start position.
    pub players: usize,
    /// The encoding of word lists.
    pub encoding: TextEncoding,
    /// The lexicon: a name or a file.
    pub lexicon: String,
    /// Whether a position that names a lexicon which is not there uses the one of these options.
    pub replaces_lexicon: bool,
    /// The leave values: `auto`, `none` or a file.
    pub leaves: String,
    /// The win table: `auto`, `none` or a file.
    pub win_table: String,
    /// When the word map is built.
    pub word_map: WordMapUse,
    /// The file that gets a copy of all input and output; empty for none.
    pub log: String,
    /// The names of the options that the client has set, but for texts set to nothing and for
    /// choices set to their default: these leave the decision to others.
    set: BTreeSet<&'static str>,
}

/// The two values of a switch.
const ON_OFF: &[&str] = &["on", "off"];
/// The built-in lexicon.
pub const DEFAULT_LEXICON: &str = "OEL26";
/// The largest number of threads: more than any machine here has cores, and few enough to start at
/// once.
pub const MAX_THREADS: usize = 1_024;
/// The largest number of candidates: more than any position has.
pub const MAX_CANDIDATES: usize = 1_000_000;
/// The largest table in megabytes: 64 GB.
const MAX_HASH_MEGABYTES: i64 = 65_536;

/// Every option, in an order in which they can be set one after the other: an option stands after
/// those that its value is checked against.
pub const DEFINITIONS: &[Definition] = &[
    // The number of threads of a search. No answer depends on it, unless a time limit ends the
    // search.
    Definition {
        name: "Threads",
        kind: OptionKind::Spin(1, 1..=MAX_THREADS as i64, |options, n| {
            options.search.threads = n as usize
        }),
        affects: Affects::Nothing,
    },
    // The memory in megabytes that a search may use to be faster. No answer depends on it, unless a
    // time limit ends the search.
    Definition {
        name: "Hash",
        kind: OptionKind::Spin(64, 1..=MAX_HASH_MEGABYTES, |options, n| {
            options.search.memory_bytes = (n as usize) << 20
        }),
        affects: Affects::Nothing,
    },
    // The size in megabytes of the transposition table of the endgame solvers.
    Definition {
        name: "EndgameHash",
        kind: OptionKind::Spin(64, 1..=MAX_HASH_MEGABYTES, |options, n| {
            options.search.table_bytes = (n as usize) << 20
        }),
        affects: Affects::Nothing,
    },
    // Whether go auto solves endgames, and simulations judge who wins them; off simulates instead.
    Definition {
        name: "Endgame",
        kind: OptionKind::Combo("on", ON_OFF, |options, choice| {
            options.search.solves_endgames = choice == "on"
        }),
        affects: Affects::Nothing,
    },
    // Whether go auto solves pre-endgames with at most 4 tiles in the bag; off simulates instead.
    Definition {
        name: "Peg",
        kind: OptionKind::Combo("on", ON_OFF, |options, choice| {
            options.search.solves_preendgames = choice == "on"
        }),
        affects: Affects::Nothing,
    },
    // The seed of all random choices: the same seed gives the same answer.
    Definition {
        name: "Seed",
        kind: OptionKind::Spin(0, 0..=i64::MAX, |options, n| options.search.seed = n as u64),
        affects: Affects::Nothing,
    },
    // The folders that are searched for files, separated by semicolons.
    Definition {
        name: "DataPath",
        kind: OptionKind::Text("", |options| &mut options.data_path),
        affects: Affects::Folders,
    },
    // The rule set: tournament, deluxe, indigo, school, travel, super, wordsmog, or a rule
    // file.
    Definition {
        name: "Rules",
        kind: OptionKind::Text(PRESETS[0], |options| &mut options.rules),
        affects: Affects::RuleSet,
    },
    // A built-in rule set instead of the option Rules; classic takes that of Rules.
    Definition {
        name: "Variant",
        kind: OptionKind::Combo(
            CLASSIC,
            &[
                CLASSIC, PRESETS[0], PRESETS[1], PRESETS[2], PRESETS[3], PRESETS[4], PRESETS[5],
                PRESETS[6],
            ],
            |options, choice| options.variant = Some(choice).filter(|choice| *choice != CLASSIC),
        ),
        affects: Affects::RuleSet,
    },
    // The board instead of the rule set's: standard15, standard21, or a board file.
    Definition {
        name: "Board",
        kind: OptionKind::Text("", |options| &mut options.board),
        affects: Affects::Board,
    },
    // The tile set instead of the rule set's: english, english_super, or a CSV file.
    Definition {
        name: "LetterDistribution",
        kind: OptionKind::Text("", |options| &mut options.tile_set),
        affects: Affects::TileSet,
    },
    // The challenge rule; rules takes the rule set's.
    Definition {
        name: "ChallengeRule",
        kind: OptionKind::Combo(
            "rules",
            &[
                "rules",
                "void",
                "single",
                "double",
                "triple",
                "five_point",
                "ten_point",
                "5pt",
                "10pt",
            ],
            |options, choice| options.challenge = ChallengeRule::named(choice),
        ),
        affects: Affects::Nothing,
    },
    // The number of players in the start position.
    Definition {
        name: "Players",
        kind: OptionKind::Spin(
            MIN_PLAYERS as i64,
            MIN_PLAYERS as i64..=MAX_PLAYERS as i64,
            |options, n| options.players = n as usize,
        ),
        affects: Affects::Players,
    },
    // The encoding of word lists: auto takes UTF-8 and UTF-16.
    Definition {
        name: "LexiconEncoding",
        kind: OptionKind::Combo("auto", &["auto", "latin1"], |options, choice| {
            options.encoding = match choice {
                "latin1" => TextEncoding::Latin1,
                _ => TextEncoding::Auto,
            }
        }),
        affects: Affects::Lexicon,
    },
    // The words: OEL26, a file (.kwg, .kbwg or a list of words), or its name on the DataPath.
    Definition {
        name: "Lexicon",
        kind: OptionKind::Text(DEFAULT_LEXICON, |options| &mut options.lexicon),
        affects: Affects::Lexicon,
    },
    // A position that names a lexicon which is not there: refuse it, or replace the lexicon by the
    // one of the option Lexicon, with a warning.
    Definition {
        name: "UnknownLexicon",
        kind: OptionKind::Combo("refuse", &["refuse", "replace"], |options, choice| {
            options.replaces_lexicon = choice == "replace"
        }),
        affects: Affects::Nothing,
    },
    // The leave values: auto (built in, if they suit the rules), none, or a file (.klv2, .klv,
    // .csv).
    Definition {
        name: "Leaves",
        kind: OptionKind::Text(AUTO, |options| &mut options.leaves),
        affects: Affects::Leaves,
    },
    // Win probabilities by lead and tiles left: auto (built in, if they suit the rules), none (a
    // rough curve), or a file (.win).
    Definition {
        name: "WinPctTable",
        kind: OptionKind::Text(AUTO, |options| &mut options.win_table),
        affects: Affects::WinTable,
    },
    // The word map makes searches faster and takes memory: auto builds it when a search needs it,
    // on at isready, off never.
    Definition {
        name: "WordMap",
        kind: OptionKind::Combo("auto", &["auto", "on", "off"], |options, choice| {
            options.word_map = match choice {
                "on" => WordMapUse::AtOnce,
                "off" => WordMapUse::Never,
                _ => WordMapUse::WhenNeeded,
            }
        }),
        affects: Affects::Nothing,
    },
    // The number of moves to simulate, or to show after go gen, unless go says otherwise.
    Definition {
        name: "Candidates",
        kind: OptionKind::Spin(40, 1..=MAX_CANDIDATES as i64, |options, n| {
            options.search.candidates = n as usize
        }),
        affects: Affects::Nothing,
    },
    // The number of plies after each simulated move; 0 leaves it to the engine.
    Definition {
        name: "Plies",
        kind: OptionKind::Spin(0, 0..=MAX_PLIES as i64, |options, n| {
            options.search.plies = Some(n as usize).filter(|&plies| plies > 0)
        }),
        affects: Affects::Nothing,
    },
    // A file to which all input and output is appended.
    Definition {
        name: "Log",
        kind: OptionKind::Text("", |options| &mut options.log),
        affects: Affects::Nothing,
    },
];

impl Definition {
    /// The option with this name, in any letter case.
    pub fn find(name: &str) -> Option<&'static Definition> {
        let mut definitions = DEFINITIONS.iter();
        definitions.find(|definition| definition.name.eq_ignore_ascii_case(name))
    }

    /// The default, as text.
    fn default(&self) -> String {
        match self.kind {
            OptionKind::Spin(default, ..) => default.to_string(),
            OptionKind::Combo(default, ..) | OptionKind::Text(default, _) => default.to_string(),
        }
    }

    /// Stores a value, and returns it as it is spelled in full; or says which values are allowed.
    fn set(&self, options: &mut Options, value: &str) -> Result<String, String> {
        let wrong = |allowed: String| {
            let (name, value) = (self.name, shortened(value));
            format!("{name} is '{value}', it must be {allowed}")
        };
        match &self.kind {
            OptionKind::Spin(_, range, set) => {
                let n = value.parse().ok().filter(|n| range.contains(n));
                let (min, max) = (range.start(), range.end());
                let n = n.ok_or_else(|| wrong(format!("a whole number from {min} to {max}")))?;
                set(options, n);
                Ok(n.to_string())
            }
            OptionKind::Combo(_, choices, set) => {
                let mut choice = choices.iter();
                let choice = choice.find(|choice| choice.eq_ignore_ascii_case(value));
                let choice =
                    choice.ok_or_else(|| wrong(format!("one of {}", choices.join(", "))))?;
                set(options, choice);
                Ok(choice.to_string())
            }
            OptionKind::Text(default, field) => {
                let value = match value {
                    "" | "<empty>" => default,
                    text => text,
                };
                *field(options) = value.to_string();
                Ok(value.to_string())
            }
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        // Each definition has the default of its field; this only makes room for them.
        let mut options = Options {
            search: SearchDefaults::default(),
            data_path: String::new(),
            rules: String::new(),
            variant: None,
            board: String::new(),
            tile_set: String::new(),
            challenge: None,
            players: 0,
            encoding: TextEncoding::Auto,
            lexicon: String::new(),
            replaces_lexicon: false,
            leaves: String::new(),
            win_table: String::new(),
            word_map: WordMapUse::WhenNeeded,
            log: String::new(),
            set: BTreeSet::new(),
        };
        for definition in DEFINITIONS {
            let set = definition.set(&mut options, &definition.default());
            debug_assert!(set.is_ok(), "{}: its default is no value", definition.name);
        }
        options
    }
}

impl Options {
    /// The rule set that the options name: a name or a file.
    pub(super) fn rule_set(&self) -> &str {
        self.variant.unwrap_or(&self.rules)
    }

    /// The option that decides about the rule set, in the words of an error about players.
    pub(super) fn rules_setting(&self) -> &'static str {
        match self.variant {
            Some(_) => "Variant first, to classic or",
            None => "Rules first,",
        }
    }

    /// Whether an option has no effect now, because `Variant` decides.
    pub(super) fn is_overridden(&self, definition: &Definition) -> bool {
        definition.name == "Rules" && self.variant.is_some()
    }

    /// The warning that the option just set has no effect, because `Variant` names another rule set.
    pub(super) fn variant_warning(&self, set: &Definition) -> Option<String> {
        let variant = self.variant.filter(|_| self.is_overridden(set))?;
        let is_other = !self.rules.eq_ignore_ascii_case(variant);
        is_other.then(|| {
            let rules = shortened(&self.rules);
            format!(
                "Variant is '{variant}' and comes before Rules; set Variant to {CLASSIC} to use '{rules}'"
            )
        })
    }

    /// Sets an option; returns its definition and the value as it is spelled in full. On an error
    /// nothing changes.
    pub fn set(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<(&'static Definition, String), EngineError> {
        let fail = |text: String| EngineError::new(ErrorKind::Option, text);
        let definition = Definition::find(name).ok_or_else(|| {
            let names: Vec<&str> = DEFINITIONS.iter().map(|option| option.name).collect();
            let (name, names) = (shortened(name), names.join(", "));
            fail(format!(
                "there is no option '{name}'; the options are {names}"
            ))
        })?;
        let spelled = definition.set(self, value).map_err(fail)?;
        let is_reset = match definition.kind {
            OptionKind::Spin(..) => false,
            OptionKind::Combo(default, ..) => spelled == default,
            OptionKind::Text(..) => ["", "<empty>"].contains(&value),
        };
        match is_reset {
            true => self.set.remove(definition.name),
            false => self.set.insert(definition.name),
        };
        Ok((definition, spelled))
    }

    /// Whether the client has set this option, be it a text to its default. An empty text and the
    /// default of a choice take that back.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.set.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_names_the_allowed_ones_and_changes_nothing() {
        let check = |name: &str, value: &str, error: &str| {
            let mut options = Options::default();
            let refused = options.set(name, value).err().map(|refused| refused.text);
            assert_eq!(refused.as_deref(), Some(error));
            assert_eq!(options, Options::default());
        };
        check(
            "Players",
            "5",
            "Players is '5', it must be a whole number from 2 to 4",
        );
        check(
            "candidates",
            "many",
            "Candidates is 'many', it must be a whole number from 1 to 1000000",
        );
        check(
            "LexiconEncoding",
            "ebcdic",
            "LexiconEncoding is 'ebcdic', it must be one of auto, latin1",
        );
        let unknown = Options::default().set("Speed", "9").err().unwrap().text;
        assert!(unknown.starts_with("there is no option 'Speed'; "));
    }

    #[test]
    fn names_and_choices_are_taken_in_any_case() {
        let mut options = Options::default();
        let mut set = |name: &str, value: &str| {
            let (definition, value) = options.set(name, value).unwrap();
            format!("{} {value}", definition.name)
        };
        assert_eq!(
            set("challengerule", "FIVE_POINT"),
            "ChallengeRule five_point"
        );
        assert_eq!(set("LEXICON", ""), "Lexicon OEL26");
        assert_eq!(options.challenge, Some(ChallengeRule::FivePoint));
        assert_eq!(options.lexicon, DEFAULT_LEXICON);
    }
}
