//! CGP: a position in one line.
//!
//! ```text
//! board racks scores zeros [opcode operands;]…
//! ```
//! The player to move comes first. An empty rack is unknown, and an opponent's rack with fewer
//! tiles than a full one is partly known: the bag holds the unseen tiles less those that are
//! missing from the opponents' racks.
//!
//! Opcodes of our own say what these fields cannot: the seat of the player to move, turns still to
//! be lost, who has passed, the number of unknown tiles on each rack, and an end that the position
//! does not show. They are written only where they matter.
//!
//! [`Cgp`] is the syntax. [`Opcodes::rules`] gives the rules it asks for and [`Cgp::setup`] the
//! setup under these rules; `Position::new` then decides whether that is legal.

mod details;
mod opcodes;

pub use opcodes::{CLASSIC, Opcodes};

use crate::board::{Axis, Grid, Lane};
use crate::rules::{ChallengeRule, Game, Position, RuleSet, Setup};
use crate::tiles::{TileCounts, TileTextError};
use crate::units::{NotPoints, Points};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A position as it was written. Nothing about it is promised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgp {
    /// The rows of the board, from the top.
    pub rows: Vec<String>,
    /// The racks, that of the player to move first.
    pub racks: Vec<String>,
    /// The scores in the same order.
    pub scores: Vec<Points>,
    /// The number of scoreless turns just before.
    pub zero_turns: u8,
    /// The opcodes.
    pub opcodes: Opcodes,
}

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

    /// The position of a game as CGP, and why it is over where the position does not show it.
    pub fn of_game(game: &Game) -> Cgp {
        let position = game.position();
        let mut cgp = Cgp::of(position);
        cgp.opcodes.over = game.end().filter(|&end| position.end() != Some(end));
        cgp
    }

    /// The position as CGP, with the opcodes that distinguish its rules from the default.
    pub fn of(position: &Position) -> Cgp {
        let rules = position.rules();
        let grid = position.grid();
        let row = |row| row_text(grid, Lane::new(Axis::Across, row, grid.side()), rules);
        let rack = |seat| rules.tiles.tiles_text(&position.rack(seat).known);
        let score = |seat| position.score(seat);
        Cgp {
            rows: (0..grid.side()).map(row).collect(),
            racks: position.turn_order().map(rack).collect(),
            scores: position.turn_order().map(score).collect(),
            zero_turns: position.scoreless_turns(),
            opcodes: Opcodes {
                details: position.details(),
                ..Opcodes::of(rules)
            },
        }
    }

    /// The setup that it describes under these rules. Nothing about it is legal yet.
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
        let mut details = self.opcodes.details.clone();
        for (at, rack) in self.racks.iter().enumerate() {
            let mut rack = rules.tiles.read_tiles(rack)?;
            if self.opcodes.hide_opponents && at > 0 {
                let unknown = details.unknown_tiles.as_mut();
                if let Some(unknown) = unknown.and_then(|unknown| unknown.get_mut(at)) {
                    *unknown = unknown.saturating_add(rack.len().min(u8::MAX.into()) as u8);
                }
                rack = TileCounts::EMPTY;
            }
            racks.push(rack);
        }
        Ok(Setup {
            grid,
            racks,
            scores: self.scores.clone(),
            scoreless_turns: self.zero_turns,
            details,
        })
    }
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

/// Reads one row into the grid: tiles, and numbers of empty squares.
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
        let is_number = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != is_number)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_number {
            let squares = run.parse::<u8>();
            let squares = squares.map_err(|_| CgpError::EmptySquares { row: row + 1, side })?;
            at += usize::from(squares);
        } else {
            for face in rules.tiles.read_faces(run)? {
                let square = u8::try_from(at).ok().and_then(|at| lane.get(at));
                grid.set(square.ok_or_else(|| width(at + 1))?, Some(face));
                at += 1;
            }
        }
        rest = after;
    }
    match at == usize::from(side) {
        true => Ok(()),
        false => Err(width(at)),
    }
}

/// The text of one row.
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

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CgpError {
    /// A field is missing.
    #[error("the {0} field is missing; a position is board racks scores zeros")]
    Missing(&'static str),
    /// A score cannot be read.
    #[error("score {0}")]
    Score(#[from] NotPoints),
    /// A number cannot be read or is out of range.
    #[error("{name} is '{got}', it must be a whole number from {} to {}", limits.0, limits.1)]
    Number {
        /// The field or opcode.
        name: &'static str,
        /// The text in place of the number.
        got: String,
        /// The lowest and the highest number allowed.
        limits: (i64, i64),
    },
    /// An unknown challenge rule.
    #[error("cr is '{0}', it must be one of {names}", names = ChallengeRule::NAMES.map(|(.., name)| name).join(", "))]
    Challenge(String),
    /// An unknown reason for the end of a game.
    #[error("over is '{0}', it must be scoreless, or out, target or forfeit with a seat")]
    Over(String),
    /// An opcode with too few or too many operands.
    #[error("opcode {0} has the wrong number of operands")]
    Operands(String),
    /// The text after the last `;` is not an opcode we know.
    #[error("'{0}' is not an opcode, which would end with ';'; moves follow the word moves")]
    Unended(String),
    /// Too few or too many rows.
    #[error("{rows} rows, the board {board} has {side}")]
    Rows {
        /// The number of rows in the text.
        rows: usize,
        /// The number of rows of the board.
        side: u8,
        /// The name of the board.
        board: String,
    },
    /// A row with too few or too many squares.
    #[error("row {row} has {squares} squares, it must have {side}")]
    Width {
        /// The number of the row, from 1.
        row: u8,
        /// The number of squares in the text.
        squares: usize,
        /// The number of squares of a row.
        side: u8,
    },
    /// A number of empty squares that does not fit into a byte.
    #[error("row {row} has a number of empty squares beyond the {side} of a row")]
    EmptySquares {
        /// The number of the row, from 1.
        row: u8,
        /// The number of squares of a row.
        side: u8,
    },
    /// Tiles cannot be read.
    #[error(transparent)]
    Tiles(#[from] TileTextError),
}

impl CgpError {
    fn number(name: &'static str, got: &str, low: i64, high: i64) -> CgpError {
        CgpError::Number {
            name,
            got: got.chars().take(MAX_QUOTED_CHARS).collect(),
            limits: (low, high),
        }
    }
}

/// The most characters of a faulty text that an error message quotes. Chosen by hand.
const MAX_QUOTED_CHARS: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, End, ExchangeLimit, Library, ScorelessLimit};
    use std::sync::Arc;

    /// The rows of an empty board of 15x15.
    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn read(text: &str) -> Result<Position, String> {
        read_game(text).map(|game| game.position().clone())
    }

    fn read_game(text: &str) -> Result<Game, String> {
        let base = Embedded.rules("tournament").unwrap();
        let cgp = Cgp::parse(text).map_err(|error| error.to_string())?;
        let rules = Arc::new(cgp.opcodes.rules(&base, cgp.rows.len(), &Embedded)?);
        let setup = cgp.setup(&rules).map_err(|error| error.to_string())?;
        let position = Position::new(rules, setup).map_err(|error| error.to_string())?;
        match cgp.opcodes.over {
            Some(end) => Game::from_end(position, end).map_err(|error| error.to_string()),
            None => Ok(Game::from_position(position)),
        }
    }

    #[test]
    fn what_the_fields_cannot_say_is_said_by_opcodes() {
        let fields = "AEI/BC/ 10/20/30 1 over forfeit 3; owed 0/1/0; scoreless 4 0/0/1; seat 2; \
                      unknown 3/5/7; cr triple; var deluxe;";
        let game = read_game(&format!("{EMPTY} {fields}")).unwrap();
        let position = game.position();
        assert_eq!((position.to_move(), position.score(0)), (1, Points(30)));
        let lost = [0, 1, 2].map(|seat| position.lost_turns(seat));
        assert_eq!(lost, [0, 0, 1]);
        let run = position.turn_state().scoreless;
        assert_eq!((run.turns, run.passed), (4, 0b001));
        let unknown = [0, 1, 2].map(|seat| position.rack(seat).unknown);
        assert_eq!(unknown, [7, 3, 5]);
        assert_eq!(game.end(), Some(End::Forfeit(2)));
    }

    #[test]
    fn every_opcode_reads_back_what_it_writes() {
        let text = format!(
            "{EMPTY} AEINRST/ 12/-3 4 bb 35; bdn standard15; cr 5pt; etl 1; gid some game; ld english; lex OEL26; \
             lm phony.8D.QXJ; mcnz 4; over forfeit 2; owed 0/1; scoreless 3 0/1; seat 2; ti 500; tmr 1500/-20; to 60000; unknown 2/7; \
             var deluxe; oru; zz 1 2;"
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
        let ops = "bb 35; cr 10pt; etl 1; mcnz 4;";
        let position = read(&format!("{EMPTY} AEINRST/ 0/0 0 {ops}")).unwrap();
        let rules = position.rules();
        assert_eq!(rules.bonus[7], Points(35));
        assert_eq!(rules.challenge, ChallengeRule::TenPoint);
        assert_eq!(rules.exchange, ExchangeLimit::BagHolds(1));
        assert_eq!(rules.scoreless_limit, ScorelessLimit::Turns(4));
        let position = read(&format!("{EMPTY} A/B/C 0/0/0 0 var indigo;")).unwrap();
        assert_eq!(position.player_count(), 3);
        assert_eq!(position.rules().exchange, ExchangeLimit::BagCovers);
    }

    #[test]
    fn a_big_board_is_recognised_by_its_size_or_name() {
        let rows = ["21"; 21].join("/");
        for ops in ["", " bdn SuperCrosswordGame;", " var super;"] {
            let position = read(&format!("{rows} AEINRST/ 0/0 0{ops}")).unwrap();
            let sizes = (position.grid().side(), position.unseen().len());
            assert_eq!(sizes, (21, 193), "{ops}");
        }
    }

    #[test]
    fn the_bag_is_what_is_unseen_less_the_opponents_missing_tiles() {
        let check = |racks: &str, bag: usize| {
            let scores = vec!["0"; racks.split('/').count()].join("/");
            let position = read(&format!("{EMPTY} {racks} {scores} 0 var deluxe;")).unwrap();
            let sizes = (position.bag_len(), position.rack(1).len());
            assert_eq!(sizes, (bag, 7), "{racks}");
        };
        check("AEINRST/", 86);
        check("AEINRST/AB", 86);
        check("AEINRST/ABCDEFG", 86);
        check("AEI/", 90);
        check("/", 86);
        check("AEINRST//", 79);
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
        let rack = position.rack(1);
        assert_eq!((rack.known.len(), rack.unknown), (0, 7));
    }

    #[test]
    fn a_bad_position_is_refused_with_the_reason() {
        let check = |text: &str, error: &str| assert_eq!(read(text).unwrap_err(), error, "{text}");
        let missing =
            |field| format!("the {field} field is missing; a position is board racks scores zeros");
        check("", &missing("board"));
        check("nonsense", &missing("racks"));
        check("15/15 / 0/0 0", "2 rows, the board standard15 has 15");
        let fields = r"
            AEINRSTU/ 0/0 0 => rack has 8 tiles, the limit is 7
            ZZZZZZZ/ 0/0 0 => too many tiles 'Z', the tile set has 1; the tiles of the board and of all racks count together
            A/ 0/0/0 0 => 2 racks but 3 scores
            A// 0/0/0 0 => 3 players, the limits are 2 and 2
            A/ 0/x 0 => score 'x' is not a whole number from -1000000 to 1000000
            A/ 0/0 256 => zero turns is '256', it must be a whole number from 0 to 255
            A/ 0/0 0 cr maybe; => cr is 'maybe', it must be one of void, single, double, triple, 5pt, 10pt
            A/ 0/0 0 bb 50; 8H.HORN => '8H.HORN' is not an opcode, which would end with ';'; moves follow the word moves
            A/ 0/0 0 seat 0; => seat is '0', it must be a whole number from 1 to 4
            A/ 0/0 0 seat 3; => seat is 3, the game has 2 players
            A/ 0/0 0 seat; => opcode seat has the wrong number of operands
            A/ 0/0 0 owed 0/1/0; => owed has 3 numbers, the game has 2 players
            A/ 0/0 0 owed 0/x; => owed is 'x', it must be a whole number from 0 to 255
            A/ 0/0 0 owed 1/0; => owed: the player to move cannot have a turn to miss, the first number must be 0
            A/ 0/0 0 scoreless 1 0/0; => scoreless contradicts the field zeros, which is 0, or the key zero_turns of the rules
            A/ 0/0 1 scoreless 1 0/1; => scoreless contradicts the field zeros, which is 1, or the key zero_turns of the rules
            A/ 0/0 2 var deluxe; scoreless 1 1/1; => scoreless contradicts the field zeros, which is 2, or the key zero_turns of the rules
            A/ 0/0 1 var deluxe; scoreless 1 0; => scoreless has 1 numbers, the game has 2 players
            A/ 0/0 1 var deluxe; scoreless 1 0/2; => scoreless is '2', it must be a whole number from 0 to 1
            A/ 0/0 0 unknown 7/7; => unknown: a rack would have 8 tiles, the limit is 7
            A/ 0/0 0 unknown 6; => unknown has 1 numbers, the game has 2 players
            A/ 0/0 0 over lost 1; => over is 'lost 1', it must be scoreless, or out, target or forfeit with a seat
            A/ 0/0 0 over forfeit 5; => over is '5', it must be a whole number from 1 to 4
            A/ 0/0 0 over; => over is '', it must be scoreless, or out, target or forfeit with a seat
            A/ 0/0 0 over forfeit 2; => over forfeit is not possible in this position under these rules
            A/ 0/0 0 cr triple; over forfeit 3; => over names seat 3, the game has 2 players
            A/ 0/0 0 over target 1; => over target is not possible in this position under these rules
            A/ 0/0 0 over out 1; => over out is not possible in this position under these rules
            A/ 0/0 0 over scoreless; => over scoreless is not possible in this position under these rules
            A/ 0/0 0 bb; => opcode bb has the wrong number of operands
            A/ 0/0 0 var chess; => there is no rule set 'chess'; built in are tournament, deluxe, indigo, school, travel, super, wordsmog";
        for line in fields.trim().lines() {
            let (fields, error) = line.trim().split_once(" => ").unwrap();
            check(&format!("{EMPTY} {fields}"), error);
        }
        let first_row = |row: &str| format!("{} A/ 0/0 0", EMPTY.replacen("15", row, 1));
        check(&first_row("14"), "row 1 has 14 squares, it must have 15");
        let beyond = "row 1 has a number of empty squares beyond the 15 of a row";
        check(&first_row("99999999"), beyond);
        check(&first_row("14AB"), "row 1 has 16 squares, it must have 15");
        check(&first_row("14!"), "'!' in '!' is not a tile of english");
    }
}
