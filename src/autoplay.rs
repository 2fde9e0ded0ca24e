//! Whole games by static players, from a seed.
//!
//! Each of two seats draws from its own end of the bag, so that in a mirrored
//! pair, where the players swap seats, both get the same luck.

use crate::board::Grid;
use crate::eval::{Evaluator, Outlook, Valued};
use crate::fnv::Fnv;
use crate::lexicon::Leaves;
use crate::movegen::{Generator, Keeps, Words};
use crate::rules::{Deal, End, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Bunch, Face, Tile};
use crate::units::Points;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Turns after which a game is given up: exchanges could go on for ever.
const MAX_TURNS: usize = 400;

/// Two static players and what they play by.
pub struct Players<'a> {
    /// The rules; of two players, whatever else they allow.
    pub rules: &'a RuleSet,
    /// The words.
    pub words: Words<'a>,
    /// The leave values of each player.
    pub leaves: [Option<&'a Leaves>; 2],
    /// Whether they go by leaves alone: see [`Evaluator::by_leaves_alone`].
    pub leaves_alone: bool,
}

/// A finished game, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The final scores.
    pub scores: [Points; 2],
    /// Plays that earned a bonus.
    pub bonuses: [u32; 2],
    /// All turns in order.
    pub turns: Vec<Turn>,
    /// The racks before each turn.
    pub racks: Vec<Bunch>,
    /// What is left on the racks.
    pub left: [Bunch; 2],
    /// Why it is over; `None` if it was given up after many turns, with the scores as they stood.
    pub end: Option<End>,
    /// The seat that has won; `None` for a draw.
    pub winner: Option<usize>,
}

impl GameResult {
    /// How far the seat is ahead.
    pub fn spread(&self, seat: usize) -> Points {
        self.scores[seat] - self.scores[1 - seat]
    }

    /// A number for all turns and scores: games with the same one are the same, move for move.
    pub fn signature(&self) -> u64 {
        let mut sum = Fnv::START;
        for turn in &self.turns {
            let tile = |tile: Tile| tile.number() as u8;
            sum = match turn {
                Turn::Place(placement) => {
                    let cells = placement.cells().iter();
                    let cells: SmallVec<[u8; 24]> =
                        cells.map(|cell| cell.map_or(0, Face::cell)).collect();
                    let start = placement.start().index() as u16;
                    sum.and(&start.to_le_bytes())
                        .and(&[b'=', placement.axis() as u8])
                        .and(&cells)
                }
                Turn::Exchange(tiles) => {
                    let tiles: SmallVec<[u8; 24]> = tiles.iter().map(tile).collect();
                    sum.and(b"x").and(&tiles)
                }
                Turn::ExchangeUnseen(count) => sum.and(&[b'u', *count]),
                Turn::Pass => sum.and(b"p"),
            };
        }
        let scores = self.scores.map(|score| score.0.to_le_bytes());
        sum.and(scores.as_flattened()).sum()
    }
}

/// Plays one game; `seats` says which player sits where. It starts from an empty board.
pub fn play(players: &Players, seats: [usize; 2], seed: Seed) -> GameResult {
    let mut table = Table::new(players, seats, seed);
    while !table.is_over() {
        table.turn();
    }
    table.finish()
}

/// A game that is being played, turn by turn, by two players who can place any tiles they hold.
#[derive(Clone)]
pub struct Table<'a> {
    rules: &'a RuleSet,
    generator: Generator<'a>,
    evaluators: [Evaluator<'a>; 2],
    deal: Deal,
    bonuses: [u32; 2],
    turns: Vec<Turn>,
    racks: Vec<Bunch>,
}

impl<'a> Table<'a> {
    /// The start of a game: a shuffled bag, two racks, an empty board.
    pub fn new(players: &Players<'a>, seats: [usize; 2], seed: Seed) -> Table<'a> {
        let rules = players.rules;
        let grid = Grid::new(rules.board.side());
        let evaluator = match players.leaves_alone {
            true => Evaluator::by_leaves_alone,
            false => Evaluator::new,
        };
        Table {
            rules,
            generator: Generator::new(rules, players.words, &grid),
            evaluators: seats.map(|player| evaluator(rules, players.leaves[player])),
            deal: Deal::start(rules, 2, seed),
            bonuses: [0; 2],
            turns: Vec::new(),
            racks: Vec::new(),
        }
    }

    /// The board.
    pub fn generator(&self) -> &Generator<'a> {
        &self.generator
    }

    /// The seat whose turn it is.
    pub fn seat(&self) -> usize {
        self.deal.turn()
    }

    /// What the player on a seat holds.
    pub fn rack(&self, seat: usize) -> &Bunch {
        self.deal.rack(seat)
    }

    /// How far the player on a seat is ahead so far.
    pub fn spread(&self, seat: usize) -> Points {
        self.deal.score(seat) - self.deal.score(1 - seat)
    }

    /// The tiles in the bag, as a number.
    pub fn bag_len(&self) -> usize {
        self.deal.bag_len()
    }

    /// All tiles that do not lie on the board.
    pub fn unplaced(&self) -> Bunch {
        self.deal.unplaced()
    }

    /// Whether the last turn was taken.
    pub fn is_over(&self) -> bool {
        self.deal.end().is_some() || self.turns.len() >= MAX_TURNS
    }

    /// What the player on turn thinks that parts of the rack are worth.
    pub fn keeps(&mut self) -> &Keeps {
        let (evaluator, _, outlook) = self.view();
        evaluator.keeps(&outlook)
    }

    /// The turn that the player on turn likes best.
    pub fn best(&mut self) -> Valued {
        let (evaluator, generator, outlook) = self.view();
        evaluator.best(generator, &outlook)
    }

    /// Takes that turn.
    pub fn turn(&mut self) {
        let chosen = self.best();
        self.take(&chosen.turn, chosen.points);
    }

    /// The player on turn, the board, and what the player knows.
    fn view(&mut self) -> (&mut Evaluator<'a>, &mut Generator<'a>, Outlook<'_>) {
        let seat = self.deal.turn();
        let first = self.generator.is_empty();
        let outlook = Outlook::in_deal(&self.deal, first, self.rules);
        (&mut self.evaluators[seat], &mut self.generator, outlook)
    }

    fn take(&mut self, turn: &Turn, points: Points) {
        let seat = self.deal.turn();
        self.turns.push(*turn);
        self.racks.push(*self.deal.rack(seat));
        if let Turn::Place(placement) = turn {
            self.generator.lay(placement);
            let bonus = self.rules.bonus.get(placement.faces().count());
            self.bonuses[seat] += u32::from(bonus.is_some_and(|bonus| *bonus != Points::ZERO));
        }
        self.deal.take(turn, points, self.rules);
    }

    /// The result: the tiles left over change the scores.
    pub fn finish(self) -> GameResult {
        let by_seat = |score: &dyn Fn(usize) -> Points| [score(0), score(1)];
        let before = by_seat(&|seat| self.deal.score(seat));
        let outcome = self.deal.outcome(self.rules);
        let (scores, winner) = match &outcome {
            Some(outcome) => (by_seat(&|seat| outcome.scores[seat]), outcome.winner),
            None => (before, ahead(before)),
        };
        GameResult {
            scores,
            bonuses: self.bonuses,
            turns: self.turns,
            racks: self.racks,
            left: [*self.deal.rack(0), *self.deal.rack(1)],
            end: self.deal.end(),
            winner,
        }
    }
}

/// The seat that leads in a game that was given up.
fn ahead(scores: [Points; 2]) -> Option<usize> {
    match scores[0].cmp(&scores[1]) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
