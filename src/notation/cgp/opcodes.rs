//! The opcodes of a CGP position: reading, writing, and the rules that they describe.

use super::details;
use super::{CgpError, MAX_QUOTED_CHARS};
use crate::rules::{
    ChallengeRule, Embedded, End, ExchangeLimit, Library, PRESETS, RuleSet, RuleValues,
    ScorelessLimit, SetupDetails, standard_tiles,
};
use crate::units::Points;
use std::fmt;

/// The opcodes of a position: rules, names and clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes {
    /// `bb`: the bonus for playing a full rack.
    pub bonus: Option<Points>,
    /// `bdn`: the board's name.
    pub board: Option<String>,
    /// `cr`: the challenge rule.
    pub challenge: Option<ChallengeRule>,
    /// `etl`: the fewest tiles in the bag that allow an exchange.
    pub exchange_min: Option<u8>,
    /// `gid`: the identifier of the game in another program.
    pub game_id: Option<String>,
    /// `ld`: the tile set's name.
    pub tiles: Option<String>,
    /// `lex`: the lexicon's name.
    pub lexicon: Option<String>,
    /// `lm`: the last move, as it was written.
    pub last_move: Option<String>,
    /// `mcnz`: the number of scoreless turns in a row that ends the game.
    pub max_zero_turns: Option<u8>,
    /// `oru`: the opponents' racks are not to be used.
    pub hide_opponents: bool,
    /// `ti`: milliseconds added each turn.
    pub increment: Option<i64>,
    /// `tmr`: milliseconds left on each clock, that of the player to move first; negative in
    /// overtime.
    pub clocks: Vec<i64>,
    /// `to`: the most overtime in milliseconds.
    pub max_overtime: Option<i64>,
    /// `var`: the rule set's name.
    pub variant: Option<String>,
    /// `owed`, `scoreless`, `seat` and `unknown`: what the fields of the position do not say.
    pub details: SetupDetails,
    /// `over`: why the game is over, where the position does not show it.
    pub over: Option<End>,
    /// Unknown opcodes, as they were written.
    pub other: Vec<String>,
}

/// The variant of other programs that has no rules of its own: the rule set of the options.
pub const CLASSIC: &str = "classic";

/// The most milliseconds of an opcode: more than eleven days. Chosen by hand; it keeps sums of
/// clocks far from overflow.
const MAX_MILLIS: i64 = 1_000_000_000;

impl Opcodes {
    pub(super) fn parse(text: &str) -> Result<Opcodes, CgpError> {
        let mut ops = Opcodes::default();
        for op in text.split(';') {
            let words: Vec<&str> = op.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["bb", n] => {
                    let points = n.parse().ok().filter(|points: &Points| points.0 >= 0);
                    let not_points = || CgpError::number("bb", n, 0, Points::LIMIT.into());
                    ops.bonus = Some(points.ok_or_else(not_points)?);
                }
                ["bdn", name @ ..] if !name.is_empty() => ops.board = Some(name.join(" ")),
                ["cr", rule] => {
                    let unknown =
                        || CgpError::Challenge(rule.chars().take(MAX_QUOTED_CHARS).collect());
                    ops.challenge = Some(ChallengeRule::named(rule).ok_or_else(unknown)?);
                }
                ["etl", n] => ops.exchange_min = Some(byte("etl", n, 0)?),
                ["gid", id @ ..] => ops.game_id = Some(id.join(" ")),
                ["ld", name @ ..] if !name.is_empty() => ops.tiles = Some(name.join(" ")),
                ["lex", name @ ..] if !name.is_empty() => ops.lexicon = Some(name.join(" ")),
                ["lm", last] => ops.last_move = Some(last.to_string()),
                ["mcnz", n] => ops.max_zero_turns = Some(byte("mcnz", n, 1)?),
                ["oru"] => ops.hide_opponents = true,
                ["ti", ms] => ops.increment = Some(millis("ti", ms, 0)?),
                ["tmr", clocks] => {
                    let clocks = clocks.split('/').map(|ms| millis("tmr", ms, -MAX_MILLIS));
                    ops.clocks = clocks.collect::<Result<_, _>>()?;
                }
                ["over", over @ ..] => ops.over = Some(details::read_over(over)?),
                ["owed", turns] => ops.details.owed_turns = Some(details::numbers("owed", turns)?),
                ["scoreless", turns, passed] => {
                    ops.details.scoreless = Some(details::read_scoreless(turns, passed)?);
                }
                ["seat", seat] => ops.details.to_move = details::read_seat("seat", seat)?,
                ["unknown", tiles] => {
                    ops.details.unknown_tiles = Some(details::numbers("unknown", tiles)?);
                }
                ["to", ms] => ops.max_overtime = Some(millis("to", ms, 0)?),
                ["var", name @ ..] if !name.is_empty() => ops.variant = Some(name.join(" ")),
                [known, ..] if OPCODES.contains(known) => {
                    return Err(CgpError::Operands(known.to_string()));
                }
                _ => ops.other.push(words.join(" ")),
            }
        }
        // An unknown opcode without its `;` is a mistake, such as moves without the word `moves`.
        match ops.other.last() {
            Some(last) if !text.trim_end().ends_with(';') && text.trim_end().ends_with(last) => {
                Err(CgpError::Unended(
                    last.chars().take(MAX_QUOTED_CHARS).collect(),
                ))
            }
            _ => Ok(ops),
        }
    }

    /// The opcodes from which a program that knows only the built-in rule sets gets these rules.
    pub(super) fn of(rules: &RuleSet) -> Opcodes {
        let built_in = Embedded.rules(&rules.name).ok();
        let differs = |same: fn(&RuleValues, &RuleValues) -> bool| match &built_in {
            Some(built_in) => !same(built_in, rules),
            None => true,
        };
        let default = rules.name == PRESETS[0];
        let board = differs(|a, b| a.board == b.board).then(|| rules.board.name().to_string());
        // A board that is named brings its usual tiles.
        let brought = board.as_deref().and_then(standard_tiles);
        let tiles = match brought {
            Some(brought) => rules.tiles.name() != brought,
            None => differs(|a, b| a.tiles == b.tiles),
        };
        Opcodes {
            variant: (!default).then(|| rules.name.clone()),
            board,
            tiles: tiles.then(|| rules.tiles.name().to_string()),
            challenge: differs(|a, b| a.challenge == b.challenge).then_some(rules.challenge),
            // One number cannot express a table of bonuses, so only `var` identifies these rules.
            bonus: (built_in.is_some() && differs(|a, b| a.bonus == b.bonus))
                .then(|| rules.bonus[rules.rack_size]),
            exchange_min: match rules.exchange {
                ExchangeLimit::BagHolds(n) if differs(|a, b| a.exchange == b.exchange) => {
                    u8::try_from(n).ok()
                }
                _ => None,
            },
            max_zero_turns: match rules.scoreless_limit {
                ScorelessLimit::Turns(n)
                    if differs(|a, b| a.scoreless_limit == b.scoreless_limit) =>
                {
                    Some(n)
                }
                _ => None,
            },
            ..Opcodes::default()
        }
    }

    /// The rules of a position of `rows` rows: those of `base`, changed by the opcodes. A board
    /// that is named, or that follows from the number of rows, brings its usual tile set.
    pub fn rules(
        &self,
        base: &RuleSet,
        rows: usize,
        library: &dyn Library,
    ) -> Result<RuleSet, String> {
        let mut values = match self.variant.as_deref() {
            None => base.clone().into_values(),
            Some(name) if name.eq_ignore_ascii_case(CLASSIC) => base.clone().into_values(),
            Some(name) if name.eq_ignore_ascii_case(&base.name) => base.clone().into_values(),
            Some(name) => library.rules(name)?.into_values(),
        };
        let has_size = |name: &&str| name.ends_with(&rows.to_string());
        let by_size = || ["standard15", "standard21"].into_iter().find(has_size);
        let named = self.board.as_deref();
        let differs_in_size = usize::from(values.board.side()) != rows;
        if let Some(name) = named.or_else(|| by_size().filter(|_| differs_in_size)) {
            let board = library.board(name)?;
            if let Some(tiles) = standard_tiles(board.name()).filter(|_| board != values.board) {
                values.tiles = library.tiles(tiles)?;
            }
            values.board = board;
        }
        if let Some(name) = &self.tiles {
            values.tiles = library.tiles(name)?;
        }
        if let Some(bonus) = self.bonus {
            for tiles in 0..values.bonus.len() {
                let given = values.bonus[tiles] != Points::ZERO || tiles == values.rack_size;
                values.bonus[tiles] = if given { bonus } else { Points::ZERO };
            }
        }
        values.challenge = self.challenge.unwrap_or(values.challenge);
        if let Some(tiles) = self.exchange_min {
            values.exchange = ExchangeLimit::BagHolds(tiles.into());
        }
        if let Some(turns) = self.max_zero_turns {
            values.scoreless_limit = ScorelessLimit::Turns(turns);
        }
        RuleSet::new(values).map_err(|error| error.to_string())
    }
}

/// Each opcode is written with a space before it and `;` after it.
impl fmt::Display for Opcodes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let clocks: Vec<String> = self.clocks.iter().map(i64::to_string).collect();
        let (owed, scoreless) = (&self.details.owed_turns, &self.details.scoreless);
        let (owed, scoreless) = (owed.as_ref(), scoreless.as_ref());
        let (unknown, seat) = (
            self.details.unknown_tiles.as_ref(),
            self.details.to_move + 1,
        );
        let ops = [
            ("bb", self.bonus.map(|n| n.to_string())),
            ("bdn", self.board.clone()),
            ("cr", self.challenge.map(|rule| rule.cgp_name().to_string())),
            ("etl", self.exchange_min.map(|n| n.to_string())),
            ("gid", self.game_id.clone()),
            ("ld", self.tiles.clone()),
            ("lex", self.lexicon.clone()),
            ("lm", self.last_move.clone()),
            ("mcnz", self.max_zero_turns.map(|n| n.to_string())),
            ("over", self.over.map(details::over_text)),
            ("owed", owed.map(|turns| details::list(turns))),
            ("scoreless", scoreless.map(details::scoreless_text)),
            ("seat", (seat > 1).then(|| seat.to_string())),
            ("ti", self.increment.map(|n| n.to_string())),
            ("tmr", (!clocks.is_empty()).then(|| clocks.join("/"))),
            ("to", self.max_overtime.map(|n| n.to_string())),
            ("unknown", unknown.map(|tiles| details::list(tiles))),
            ("var", self.variant.clone()),
        ];
        for (opcode, operand) in ops {
            if let Some(operand) = operand {
                write!(f, " {opcode} {operand};")?;
            }
        }
        if self.hide_opponents {
            write!(f, " oru;")?;
        }
        self.other.iter().try_for_each(|op| write!(f, " {op};"))
    }
}

/// The known opcodes, in alphabetical order.
const OPCODES: [&str; 19] = [
    "bb",
    "bdn",
    "cr",
    "etl",
    "gid",
    "ld",
    "lex",
    "lm",
    "mcnz",
    "oru",
    "over",
    "owed",
    "scoreless",
    "seat",
    "ti",
    "tmr",
    "to",
    "unknown",
    "var",
];

/// Reads a number from `low` to 255.
pub(super) fn byte(name: &'static str, text: &str, low: u8) -> Result<u8, CgpError> {
    let n = text.parse().ok().filter(|n| *n >= low);
    n.ok_or_else(|| CgpError::number(name, text, low.into(), 255))
}

/// Reads a number of milliseconds from `low` to [`MAX_MILLIS`].
fn millis(name: &'static str, text: &str, low: i64) -> Result<i64, CgpError> {
    let n = text.parse().ok().filter(|n| (low..=MAX_MILLIS).contains(n));
    n.ok_or_else(|| CgpError::number(name, text, low, MAX_MILLIS))
}
