//! The options, each defined once: name, type, default and what it is for.

use super::tables::AUTO;
use super::{EngineError, ErrorKind};
use crate::lexicon::TextEncoding;
use crate::rules::{ChallengeRule, MAX_PLAYERS, MIN_PLAYERS, PRESETS};
use crate::search::sim::MAX_PLIES;

/// One option as a client sees it.
pub struct Definition {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it is for, in a sentence.
    pub help: &'static str,
}

/// What values an option takes.
pub enum Kind {
    /// A whole number.
    Spin {
        /// What it is at first.
        default: i64,
        /// The lowest.
        min: i64,
        /// The highest.
        max: i64,
    },
    /// One of a few words.
    Combo {
        /// What it is at first.
        default: &'static str,
        /// What it can be.
        choices: &'static [&'static str],
    },
    /// A text; empty is allowed where the default is.
    Text {
        /// What it is at first.
        default: &'static str,
    },
}

const ON_OFF: Kind = Kind::Combo {
    default: "on",
    choices: &["on", "off"],
};

/// Every option, in an order in which they can be set one after the other:
/// what others are checked against comes first.
pub const DEFINITIONS: &[Definition] = &[
    Definition {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
        },
        help: "How many threads a search uses. No answer depends on it, unless a time limit ends the search.",
    },
    Definition {
        name: "Hash",
        kind: Kind::Spin {
            default: 64,
            min: 1,
            max: 65_536,
        },
        help: "The megabytes that a search may take to be faster. No answer depends on it, unless a time limit ends the search.",
    },
    Definition {
        name: "EndgameHash",
        kind: Kind::Spin {
            default: 64,
            min: 1,
            max: 65_536,
        },
        help: "The megabytes of the table in which solvers of endings keep what they have found.",
    },
    Definition {
        name: "Endgame",
        kind: ON_OFF,
        help: "Whether go auto solves endings, and simulations look at them; off simulates instead.",
    },
    Definition {
        name: "Peg",
        kind: ON_OFF,
        help: "Whether go auto solves positions with at most 4 tiles in the bag; off simulates instead.",
    },
    Definition {
        name: "Seed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i64::MAX,
        },
        help: "Where all chance in a search comes from: the same seed gives the same answer.",
    },
    Definition {
        name: "DataPath",
        kind: Kind::Text { default: "" },
        help: "The folders in which files are looked for, with ; between them.",
    },
    Definition {
        name: "Rules",
        kind: Kind::Text {
            default: PRESETS[0],
        },
        help: "The rule set: tournament, deluxe, indigo, school, travel, super, or a rule file.",
    },
    Definition {
        name: "Board",
        kind: Kind::Text { default: "" },
        help: "The board instead of the rule set's: standard15, standard21, or a board file.",
    },
    Definition {
        name: "LetterDistribution",
        kind: Kind::Text { default: "" },
        help: "The tile set instead of the rule set's: english, english_super, or a CSV file.",
    },
    Definition {
        name: "ChallengeRule",
        kind: Kind::Combo {
            default: "rules",
            choices: &[
                "rules",
                "void",
                "single",
                "double",
                "triple",
                "five_point",
                "ten_point",
            ],
        },
        help: "The challenge rule; rules takes the rule set's.",
    },
    Definition {
        name: "Players",
        kind: Kind::Spin {
            default: MIN_PLAYERS as i64,
            min: MIN_PLAYERS as i64,
            max: MAX_PLAYERS as i64,
        },
        help: "How many play from the start position.",
    },
    Definition {
        name: "LexiconEncoding",
        kind: Kind::Combo {
            default: "auto",
            choices: &["auto", "latin1"],
        },
        help: "How a list of words is written: auto takes UTF-8 and UTF-16.",
    },
    Definition {
        name: "Lexicon",
        kind: Kind::Text {
            default: DEFAULT_LEXICON,
        },
        help: "The words: OEL26, a file (.kwg, .kbwg or a list of words), or its name on the DataPath.",
    },
    Definition {
        name: "Leaves",
        kind: Kind::Text { default: AUTO },
        help: "What tiles kept are worth: auto (the built-in values if they suit the rules), none, or a file (.klv2, .klv, .csv).",
    },
    Definition {
        name: "WinPctTable",
        kind: Kind::Text { default: AUTO },
        help: "The chance to win by lead and tiles left: auto (the built-in table if one suits the rules), none (a rough estimate), or a file (.win).",
    },
    Definition {
        name: "WordMap",
        kind: Kind::Combo {
            default: "auto",
            choices: &["auto", "on", "off"],
        },
        help: "The word map, which makes searches faster and takes memory: made when needed, at isready, or never.",
    },
    Definition {
        name: "Candidates",
        kind: Kind::Spin {
            default: 40,
            min: 1,
            max: MAX_CANDIDATES as i64,
        },
        help: "How many moves are simulated, or shown by go gen, unless go says otherwise.",
    },
    Definition {
        name: "Plies",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: MAX_PLIES as i64,
        },
        help: "How many turns are played after each simulated move; 0 leaves it to the engine.",
    },
    Definition {
        name: "Log",
        kind: Kind::Text { default: "" },
        help: "A file to which all input and output is added.",
    },
];

/// The lexicon that is built in.
pub const DEFAULT_LEXICON: &str = "OEL26";
/// The most threads that can be asked for: more than any machine here has cores, and few enough to start at once.
pub const MAX_THREADS: usize = 1_024;
/// The most candidates that can be asked for: more than any position has.
pub const MAX_CANDIDATES: usize = 1_000_000;

/// When the word map is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapUse {
    /// When the other data is loaded, unless moves are only ranked.
    WhenNeeded,
    /// When the other data is loaded, in any case.
    AtOnce,
    /// Not at all.
    Never,
}

/// What the options are set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    values: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        let default = |definition: &Definition| match definition.kind {
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } | Kind::Text { default } => default.to_string(),
        };
        Options {
            values: DEFINITIONS.iter().map(default).collect(),
        }
    }
}

impl Options {
    /// Sets an option if there is one with this name and it takes this value; its name as defined.
    pub fn set(&mut self, name: &str, value: &str) -> Result<&'static str, EngineError> {
        let fail = |text: String| Err(EngineError::new(ErrorKind::Option, text));
        let short = |text: &str| text.chars().take(60).collect::<String>();
        let Some(at) = DEFINITIONS
            .iter()
            .position(|definition| definition.name.eq_ignore_ascii_case(name))
        else {
            let names: Vec<&str> = DEFINITIONS
                .iter()
                .map(|definition| definition.name)
                .collect();
            return fail(format!(
                "there is no option '{}'; the options are {}",
                short(name),
                names.join(", ")
            ));
        };
        let name = DEFINITIONS[at].name;
        self.values[at] = match &DEFINITIONS[at].kind {
            Kind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(n) if (*min..=*max).contains(&n) => n.to_string(),
                _ => {
                    return fail(format!(
                        "{name} is '{}', it must be a number from {min} to {max}",
                        short(value)
                    ));
                }
            },
            Kind::Combo { choices, .. } => match choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(value))
            {
                Some(choice) => choice.to_string(),
                None => {
                    return fail(format!(
                        "{name} is '{}', it must be one of {}",
                        short(value),
                        choices.join(", ")
                    ));
                }
            },
            Kind::Text { default } => match value {
                "" | "<empty>" if !default.is_empty() => default.to_string(),
                "<empty>" => String::new(),
                text => text.to_string(),
            },
        };
        Ok(name)
    }

    /// The value of an option, as text.
    pub fn get(&self, name: &str) -> &str {
        let at = DEFINITIONS
            .iter()
            .position(|definition| definition.name == name);
        at.and_then(|at| self.values.get(at))
            .map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> usize {
        // The value was a number within limits when it was set.
        self.get(name).parse().unwrap_or(1)
    }

    /// How many candidates to simulate or to show.
    pub fn candidates(&self) -> usize {
        self.number("Candidates")
    }

    /// How many threads a search uses.
    pub fn threads(&self) -> usize {
        self.number("Threads")
    }

    /// How many bytes a search may take to be faster.
    pub fn memory(&self) -> usize {
        self.number("Hash") << 20
    }

    /// How many bytes the table of a solver takes.
    pub fn table_memory(&self) -> usize {
        self.number("EndgameHash") << 20
    }

    /// Whether endings are solved if nothing else is asked for.
    pub fn solves_endings(&self) -> bool {
        self.get("Endgame") == "on"
    }

    /// Whether positions with few tiles in the bag are solved if nothing else is asked for.
    pub fn solves_few(&self) -> bool {
        self.get("Peg") == "on"
    }

    /// Where all chance in a search comes from.
    pub fn seed(&self) -> u64 {
        self.number("Seed") as u64
    }

    /// How many turns are played after each simulated move, if it is fixed.
    pub fn plies(&self) -> Option<usize> {
        Some(self.number("Plies")).filter(|&plies| plies > 0)
    }

    /// How many play from the start position.
    pub fn players(&self) -> usize {
        self.number("Players")
    }

    /// How lists of words are written.
    pub fn encoding(&self) -> TextEncoding {
        match self.get("LexiconEncoding") {
            "latin1" => TextEncoding::Latin1,
            _ => TextEncoding::Auto,
        }
    }

    /// When the word map is made.
    pub fn word_map(&self) -> MapUse {
        match self.get("WordMap") {
            "on" => MapUse::AtOnce,
            "off" => MapUse::Never,
            _ => MapUse::WhenNeeded,
        }
    }

    /// The challenge rule, if it is not the rule set's.
    pub fn challenge(&self) -> Option<ChallengeRule> {
        ChallengeRule::named(self.get("ChallengeRule"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_names_the_allowed_ones_and_changes_nothing() {
        let check = |name: &str, value: &str, error: &str| {
            let mut options = Options::default();
            assert_eq!(options.set(name, value).unwrap_err().text, error);
            assert_eq!(options, Options::default());
        };
        check(
            "Players",
            "5",
            "Players is '5', it must be a number from 2 to 4",
        );
        check(
            "candidates",
            "many",
            "Candidates is 'many', it must be a number from 1 to 1000000",
        );
        check(
            "LexiconEncoding",
            "ebcdic",
            "LexiconEncoding is 'ebcdic', it must be one of auto, latin1",
        );
        assert!(
            Options::default()
                .set("Speed", "9")
                .unwrap_err()
                .text
                .starts_with("there is no option 'Speed'; ")
        );
    }

    #[test]
    fn names_and_choices_are_taken_in_any_case() {
        let mut options = Options::default();
        assert_eq!(
            options.set("challengerule", "FIVE_POINT"),
            Ok("ChallengeRule")
        );
        assert_eq!(options.challenge(), Some(ChallengeRule::FivePoint));
        assert_eq!(options.set("LEXICON", ""), Ok("Lexicon"));
        assert_eq!(options.get("Lexicon"), DEFAULT_LEXICON);
    }
}
