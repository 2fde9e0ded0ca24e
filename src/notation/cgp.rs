//! CGP: a position in one line.
//!
//! ```text
//! board racks scores zeros [opcode operands;]…
//! ```
//! The player on turn comes first. An empty rack is unknown and a short one
//! of an opponent partly known: the bag holds what is unseen less what is
//! missing from the opponents' racks.

use crate::board::{Axis, Grid, Lane};
use crate::rules::{
    ChallengeRule, Embedded, ExchangeLimit, Library, Position, RuleSet, RuleValues, ScorelessLimit,
    Setup, standard_tiles,
};
use crate::tiles::{TileCounts, TileTextError};
use crate::units::{NotPoints, Points};
use std::fmt;
use std::str::FromStr;

/// A position as it was written. Nothing about it is promised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgp {
    /// The rows of the board, from the top.
    pub rows: Vec<String>,
    /// The racks, the player on turn first.
    pub racks: Vec<String>,
    /// The scores in the same order.
    pub scores: Vec<Points>,
    /// The turns without points just before.
    pub zero_turns: u8,
    /// What the opcodes say.
    pub opcodes: Opcodes,
}

/// What the opcodes of a position say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes {
    /// `bb`: the bonus for a full rack.
    pub bonus: Option<Points>,
    /// `bdn`: the board's name.
    pub board: Option<String>,
    /// `cr`: the challenge rule.
    pub challenge: Option<ChallengeRule>,
    /// `etl`: the fewest tiles in the bag for an exchange.
    pub exchange_min: Option<u8>,
    /// `gid`: the game's name elsewhere.
    pub game_id: Option<String>,
    /// `ld`: the tile set's name.
    pub tiles: Option<String>,
    /// `lex`: the lexicon's name.
    pub lexicon: Option<String>,
    /// `lm`: the last move, as it was written.
    pub last_move: Option<String>,
    /// `mcnz`: the turns without points that end the game.
    pub max_zero_turns: Option<u8>,
    /// `oru`: nobody may look at the opponents' racks.
    pub hide_opponents: bool,
    /// `ti`: milliseconds added each turn.
    pub increment: Option<i64>,
    /// `tmr`: milliseconds left, the player on turn first; negative in overtime.
    pub clocks: Vec<i64>,
    /// `to`: the most overtime in milliseconds.
    pub max_overtime: Option<i64>,
    /// `var`: the rule set's name.
    pub variant: Option<String>,
    /// Opcodes we do not know, as they were written.
    pub other: Vec<String>,
}

/// The most milliseconds that an opcode can say: more than eleven days.
const MAX_MILLIS: i64 = 1_000_000_000;

impl Cgp {
    /// Reads the fields of a position.
    pub fn parse(text: &str) -> Result<Cgp, CgpError> {
        let mut fields = text.split_whitespace();
        let mut field = |name: &'static str| fields.next().ok_or(CgpError::Missing(name));
        let rows = field("board")?.split('/').map(str::to_string).collect();
        let racks = field("racks")?.split('/').map(str::to_string).collect();
        let scores = field("scores")?
            .split('/')
            .map(Points::from_str)
            .collect::<Result<_, _>>()?;
        let zeros = field("zeros")?;
        let zero_turns = zeros
            .parse()
            .map_err(|_| CgpError::number("zero turns", zeros, 0, 255))?;
        let ops: Vec<&str> = fields.collect();
        Ok(Cgp {
            rows,
            racks,
            scores,
            zero_turns,
            opcodes: Opcodes::parse(&ops.join(" "))?,
        })
    }

    /// The position in the words of CGP, with the opcodes that its rules need.
    pub fn of(position: &Position) -> Cgp {
        let rules = position.rules();
        let grid = position.grid();
        let row = |row| row_text(grid, Lane::new(Axis::Across, row, grid.side()), rules);
        Cgp {
            rows: (0..grid.side()).map(row).collect(),
            racks: position
                .turn_order()
                .map(|seat| rules.tiles.tiles_text(&position.rack(seat).known))
                .collect(),
            scores: position
                .turn_order()
                .map(|seat| position.score(seat))
                .collect(),
            zero_turns: position.scoreless_turns(),
            opcodes: Opcodes::of(rules),
        }
    }

    /// The setup it means under these rules.
    pub fn setup(&self, rules: &RuleSet) -> Result<Setup, CgpError> {
        let side = rules.board.side();
        if self.rows.len() != usize::from(side) {
            return Err(CgpError::Rows {
                rows: self.rows.len(),
                side,
                board: rules.board.name().to_string(),
            });
        }
        let mut grid = Grid::new(side);
        for (at, row) in (0..).zip(&self.rows) {
            read_row(row, at, &mut grid, rules)?;
        }
        let mut racks = Vec::new();
        for (at, rack) in self.racks.iter().enumerate() {
            let hidden = self.opcodes.hide_opponents && at > 0;
            racks.push(if hidden {
                TileCounts::EMPTY
            } else {
                rules.tiles.read_tiles(rack)?
            });
        }
        Ok(Setup {
            grid,
            racks,
            scores: self.scores.clone(),
            scoreless_turns: self.zero_turns,
        })
    }
}

/// Reads a row: tiles, and numbers of empty squares.
fn read_row(text: &str, row: u8, grid: &mut Grid, rules: &RuleSet) -> Result<(), CgpError> {
    let side = grid.side();
    let lane = Lane::new(Axis::Across, row, side);
    let width = |squares: usize| CgpError::Width {
        row: row + 1,
        squares,
        side,
    };
    let mut at: usize = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let counts = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != counts)
            .unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        if counts {
            at += piece
                .parse::<u8>()
                .ok()
                .map(usize::from)
                .ok_or_else(|| width(usize::MAX))?;
        } else {
            for face in rules.tiles.read_faces(piece)? {
                let square = u8::try_from(at)
                    .ok()
                    .and_then(|at| lane.get(at))
                    .ok_or_else(|| width(at + 1))?;
                grid.set(square, Some(face));
                at += 1;
            }
        }
        rest = after;
    }
    if at == usize::from(side) {
        Ok(())
    } else {
        Err(width(at))
    }
}

fn row_text(grid: &Grid, lane: Lane, rules: &RuleSet) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in lane.onwards(0) {
        match grid.get(square) {
            None => empty += 1,
            Some(face) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push_str(&rules.tiles.face_text(face));
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

impl Opcodes {
    fn parse(text: &str) -> Result<Opcodes, CgpError> {
        let mut ops = Opcodes::default();
        for op in text.split(';') {
            let words: Vec<&str> = op.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["bb", n] => {
                    ops.bonus = Some(
                        n.parse()
                            .ok()
                            .filter(|points: &Points| points.0 >= 0)
                            .ok_or_else(|| CgpError::number("bb", n, 0, Points::LIMIT.into()))?,
                    );
                }
                ["bdn", name @ ..] if !name.is_empty() => ops.board = Some(name.join(" ")),
                ["cr", rule] => {
                    let unknown = || CgpError::Challenge(rule.chars().take(40).collect());
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
                    ops.clocks = clocks
                        .split('/')
                        .map(|ms| millis("tmr", ms, -MAX_MILLIS))
                        .collect::<Result<_, _>>()?;
                }
                ["to", ms] => ops.max_overtime = Some(millis("to", ms, 0)?),
                ["var", name @ ..] if !name.is_empty() => ops.variant = Some(name.join(" ")),
                [known, ..] if OPCODES.contains(known) => {
                    return Err(CgpError::Operands(known.to_string()));
                }
                _ => ops.other.push(words.join(" ")),
            }
        }
        // What has no end may be anything, such as moves without the word `moves`.
        match ops.other.last() {
            Some(last) if !text.trim_end().ends_with(';') && text.trim_end().ends_with(last) => {
                Err(CgpError::Unended(last.chars().take(40).collect()))
            }
            _ => Ok(ops),
        }
    }

    /// The opcodes that tell these rules to one who knows only the built-in rule sets.
    fn of(rules: &RuleSet) -> Opcodes {
        let built_in = Embedded.rules(&rules.name).ok();
        let differs = |same: fn(&RuleValues, &RuleValues) -> bool| match &built_in {
            Some(built_in) => !same(built_in, rules),
            None => true,
        };
        let default = rules.name == crate::rules::PRESETS[0];
        Opcodes {
            variant: (!default).then(|| rules.name.clone()),
            board: differs(|a, b| a.board == b.board).then(|| rules.board.name().to_string()),
            tiles: differs(|a, b| a.tiles == b.tiles).then(|| rules.tiles.name().to_string()),
            challenge: differs(|a, b| a.challenge == b.challenge).then_some(rules.challenge),
            // One number cannot tell a table; a rule set of one's own is named by `var`.
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

    /// The rules that hold for a position of `rows` rows with these opcodes,
    /// where `base` would hold without. A board that is named, or that is
    /// only recognised by its size, brings its usual tiles along.
    pub fn rules(
        &self,
        base: &RuleSet,
        rows: usize,
        library: &dyn Library,
    ) -> Result<RuleSet, String> {
        let mut values = match self.variant.as_deref() {
            None | Some("classic") => base.clone().into_values(),
            Some(name) if name.eq_ignore_ascii_case(&base.name) => base.clone().into_values(),
            Some(name) => library.rules(name)?.into_values(),
        };
        let by_size = || {
            ["standard15", "standard21"]
                .into_iter()
                .find(|name| name.ends_with(&rows.to_string()))
        };
        let named = self.board.as_deref();
        let other_size = usize::from(values.board.side()) != rows;
        if let Some(name) = named.or_else(|| by_size().filter(|_| other_size)) {
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
        values.exchange = self
            .exchange_min
            .map_or(values.exchange, |n| ExchangeLimit::BagHolds(n.into()));
        values.scoreless_limit = self
            .max_zero_turns
            .map_or(values.scoreless_limit, ScorelessLimit::Turns);
        RuleSet::new(values).map_err(|error| error.to_string())
    }
}

/// The opcodes that we know.
const OPCODES: [&str; 14] = [
    "bb", "bdn", "cr", "etl", "gid", "ld", "lex", "lm", "mcnz", "oru", "ti", "tmr", "to", "var",
];

fn byte(name: &'static str, text: &str, low: u8) -> Result<u8, CgpError> {
    let n = text.parse().ok().filter(|n| *n >= low);
    n.ok_or_else(|| CgpError::number(name, text, low.into(), 255))
}

fn millis(name: &'static str, text: &str, low: i64) -> Result<i64, CgpError> {
    let n = text.parse().ok().filter(|n| (low..=MAX_MILLIS).contains(n));
    n.ok_or_else(|| CgpError::number(name, text, low, MAX_MILLIS))
}

impl fmt::Display for Cgp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let scores: Vec<String> = self.scores.iter().map(Points::to_string).collect();
        let (board, racks) = (self.rows.join("/"), self.racks.join("/"));
        write!(
            f,
            "{board} {racks} {} {}{}",
            scores.join("/"),
            self.zero_turns,
            self.opcodes
        )
    }
}

/// Each opcode with a space before it and `;` behind.
impl fmt::Display for Opcodes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let clocks: Vec<String> = self.clocks.iter().map(i64::to_string).collect();
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
            ("ti", self.increment.map(|n| n.to_string())),
            ("tmr", (!clocks.is_empty()).then(|| clocks.join("/"))),
            ("to", self.max_overtime.map(|n| n.to_string())),
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

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CgpError {
    /// A field is not there.
    Missing(&'static str),
    /// A score that cannot be read.
    Score(NotPoints),
    /// A number that cannot be read or is out of range.
    Number {
        /// Of what.
        name: &'static str,
        /// What was given.
        got: String,
        /// The lowest and the highest it can be.
        limits: (i64, i64),
    },
    /// An unknown challenge rule.
    Challenge(String),
    /// An opcode with too few or too many operands.
    Operands(String),
    /// An opcode that is not known and has no end.
    Unended(String),
    /// Too few or too many rows.
    Rows {
        /// How many.
        rows: usize,
        /// How many the board has.
        side: u8,
        /// The board's name.
        board: String,
    },
    /// A row with too few or too many squares.
    Width {
        /// From 1.
        row: u8,
        /// How many.
        squares: usize,
        /// How many there should be.
        side: u8,
    },
    /// Tiles that cannot be read.
    Tiles(TileTextError),
}

impl CgpError {
    fn number(name: &'static str, got: &str, low: i64, high: i64) -> CgpError {
        CgpError::Number {
            name,
            got: got.chars().take(40).collect(),
            limits: (low, high),
        }
    }
}

impl From<NotPoints> for CgpError {
    fn from(error: NotPoints) -> CgpError {
        CgpError::Score(error)
    }
}

impl From<TileTextError> for CgpError {
    fn from(error: TileTextError) -> CgpError {
        CgpError::Tiles(error)
    }
}

impl fmt::Display for CgpError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            CgpError::Missing(field) => write!(
                f,
                "the {field} field is missing; a position is board racks scores zeros"
            ),
            CgpError::Score(error) => write!(f, "score {error}"),
            CgpError::Number {
                name,
                got,
                limits: (low, high),
            } => {
                write!(
                    f,
                    "{name} is '{got}', it must be a number from {low} to {high}"
                )
            }
            CgpError::Challenge(rule) => {
                let names = ChallengeRule::NAMES.map(|(.., name)| name).join(", ");
                write!(f, "cr is '{rule}', it must be one of {names}")
            }
            CgpError::Operands(opcode) => {
                write!(f, "opcode {opcode} has the wrong number of operands")
            }
            CgpError::Unended(text) => write!(
                f,
                "'{text}' is no opcode, which would end with ';'; moves follow the word moves"
            ),
            CgpError::Rows { rows, side, board } => {
                write!(f, "{rows} rows, the board {board} has {side}")
            }
            CgpError::Width {
                row,
                squares: usize::MAX,
                side,
            } => {
                write!(
                    f,
                    "row {row} has a number of empty squares beyond the {side} of a row"
                )
            }
            CgpError::Width { row, squares, side } => {
                write!(f, "row {row} has {squares} squares, it must have {side}")
            }
            CgpError::Tiles(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CgpError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn read(text: &str) -> Result<Position, String> {
        let base = Embedded.rules("tournament").unwrap();
        let cgp = Cgp::parse(text).map_err(|error| error.to_string())?;
        let rules = Arc::new(cgp.opcodes.rules(&base, cgp.rows.len(), &Embedded)?);
        let setup = cgp.setup(&rules).map_err(|error| error.to_string())?;
        Position::new(rules, setup).map_err(|error| error.to_string())
    }

    #[test]
    fn every_opcode_reads_back_what_it_writes() {
        let text = format!(
            "{EMPTY} AEINRST/ 12/-3 4 bb 35; bdn standard15; cr 5pt; etl 1; gid some game; ld english; lex OEL26; \
             lm phony.8D.QXJ; mcnz 4; ti 500; tmr 1500/-20; to 60000; var deluxe; oru; zz 1 2;"
        );
        let cgp = Cgp::parse(&text).unwrap();
        assert_eq!(cgp.to_string(), text);
        assert_eq!(cgp.opcodes.clocks, [1500, -20]);
    }

    #[test]
    fn names_may_have_spaces() {
        let text =
            format!("{EMPTY} / 0/0 0 bdn my board; ld my tiles; lex my words; var my rules;");
        assert_eq!(Cgp::parse(&text).unwrap().to_string(), text);
    }

    #[test]
    fn opcodes_change_the_rules() {
        let position = read(&format!(
            "{EMPTY} AEINRST/ 0/0 0 bb 35; cr 10pt; etl 1; mcnz 4;"
        ))
        .unwrap();
        let rules = position.rules();
        assert_eq!(
            (rules.bonus[7], rules.challenge),
            (Points(35), ChallengeRule::TenPoint)
        );
        assert_eq!(
            (rules.exchange, rules.scoreless_limit),
            (ExchangeLimit::BagHolds(1), ScorelessLimit::Turns(4))
        );
        let position = read(&format!("{EMPTY} A/B/C 0/0/0 0 var indigo;")).unwrap();
        assert_eq!(
            (position.player_count(), position.rules().exchange),
            (3, ExchangeLimit::BagCovers)
        );
    }

    #[test]
    fn a_big_board_is_recognised_by_its_size_or_name() {
        let rows = ["21"; 21].join("/");
        for ops in ["", " bdn SuperCrosswordGame;", " var super;"] {
            let position = read(&format!("{rows} AEINRST/ 0/0 0{ops}")).unwrap();
            assert_eq!(
                (position.grid().side(), position.unseen().len()),
                (21, 193),
                "{ops}"
            );
        }
    }

    #[test]
    fn the_bag_is_what_is_unseen_less_the_opponents_missing_tiles() {
        let check = |racks: &str, bag: usize, opponent: usize| {
            let scores = vec!["0"; racks.split('/').count()].join("/");
            let position = read(&format!("{EMPTY} {racks} {scores} 0 var deluxe;")).unwrap();
            assert_eq!(
                (position.bag_len(), position.rack(1).len()),
                (bag, opponent),
                "{racks}"
            );
        };
        check("AEINRST/", 86, 7);
        check("AEINRST/AB", 86, 7);
        check("AEINRST/ABCDEFG", 86, 7);
        check("AEI/", 90, 7);
        check("/", 86, 7);
        check("AEINRST//", 79, 7);
    }

    #[test]
    fn the_opponent_holds_the_last_unseen_tiles() {
        // Two tiles are neither on the board nor in our hand.
        let text = "CASKET1VOTED3/2TA7E3/2AH7L3/2GAR6I3/3LA2FAQIR3/D3N6I3/I3COWP3u2M/S3O2LINUMS1O/A3U1FADY2U1O/\
                    V3R2PEEN1BYE/OLEOS7mAD/WITH3J3RE2/I5REORIENT1/N6E3XU2/G6Z7 GINT/ 418/423 0";
        let position = read(text).unwrap();
        assert_eq!((position.bag_len(), position.rack(1).unknown), (0, 2));
        assert_eq!(Cgp::of(&position).to_string(), text);
    }

    #[test]
    fn an_opponents_rack_that_is_not_for_our_eyes_is_forgotten() {
        let position = read(&format!("{EMPTY} AEINRST/ABC 0/0 0 oru;")).unwrap();
        assert_eq!(
            (position.rack(1).known.len(), position.rack(1).unknown),
            (0, 7)
        );
    }

    #[test]
    fn a_bad_position_is_refused_with_the_reason() {
        let check = |text: &str, error: &str| assert_eq!(read(text).unwrap_err(), error, "{text}");
        check(
            "",
            "the board field is missing; a position is board racks scores zeros",
        );
        check(
            "nonsense",
            "the racks field is missing; a position is board racks scores zeros",
        );
        check("15/15 / 0/0 0", "2 rows, the board standard15 has 15");
        check(
            &format!("{EMPTY} AEINRSTU/ 0/0 0"),
            "rack has 8 tiles, the limit is 7",
        );
        check(
            &format!("{EMPTY} ZZZZZZZ/ 0/0 0"),
            "too many tiles 'Z', the tile set has 1",
        );
        check(&format!("{EMPTY} A/ 0/0/0 0"), "2 racks but 3 scores");
        check(
            &format!("{EMPTY} A// 0/0/0 0"),
            "3 players, the limits are 2 and 2",
        );
        check(
            &format!("{EMPTY} A/ 0/x 0"),
            "score 'x' is not a whole number from -1000000 to 1000000",
        );
        check(
            &format!("{EMPTY} A/ 0/0 256"),
            "zero turns is '256', it must be a number from 0 to 255",
        );
        check(
            &format!("{EMPTY} A/ 0/0 0 cr maybe;"),
            "cr is 'maybe', it must be one of void, single, double, triple, 5pt, 10pt",
        );
        check(
            &format!("{EMPTY} A/ 0/0 0 bb 50; 8H.HORN"),
            "'8H.HORN' is no opcode, which would end with ';'; moves follow the word moves",
        );
        check(
            &format!("{EMPTY} A/ 0/0 0 bb;"),
            "opcode bb has the wrong number of operands",
        );
        check(
            &format!("{EMPTY} A/ 0/0 0 var chess;"),
            "there is no rule set 'chess'; built in are tournament, deluxe, indigo, school, travel, super",
        );
        let first_row = |row: &str| format!("{} A/ 0/0 0", EMPTY.replacen("15", row, 1));
        check(&first_row("14"), "row 1 has 14 squares, it must have 15");
        check(
            &first_row("99999999"),
            "row 1 has a number of empty squares beyond the 15 of a row",
        );
        check(&first_row("14AB"), "row 1 has 16 squares, it must have 15");
        check(&first_row("14!"), "'!' in '!' is not a tile of english");
    }
}
