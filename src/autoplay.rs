//! Whole games by static players, from a seed.
//!
//! The bag is a row of tiles in a chance order. Each of two seats draws from
//! its own end, so that in a mirrored pair, where the players swap seats, both
//! get the same luck.

use crate::board::Grid;
use crate::eval::{Evaluator, Outlook, Valued};
use crate::lexicon::Leaves;
use crate::movegen::{Generator, Words};
use crate::rules::{GoingOut, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Bunch, Tile};
use crate::units::Points;
use rand::RngExt;
use std::collections::VecDeque;

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
}

impl GameResult {
    /// How far the seat is ahead.
    pub fn spread(&self, seat: usize) -> Points {
        self.scores[seat] - self.scores[1 - seat]
    }
}

/// Plays one game; `seats` says which player sits where. It starts from an empty board.
pub fn play(players: &Players, seats: [usize; 2], seed: Seed) -> GameResult {
    let rules = players.rules;
    let mut table = Table::new(rules, seed);
    let grid = Grid::new(rules.board.side());
    let mut generator = Generator::new(rules, players.words, &grid);
    let mut evaluators = seats.map(|player| Evaluator::new(rules, players.leaves[player]));
    while !table.is_over() {
        let seat = table.turn;
        let outlook = Outlook {
            rack: &table.racks[seat],
            bag: table.bag.len(),
            others: rules.tiles.total_value(&table.racks[1 - seat]),
            players: 2,
            first: generator.is_empty(),
        };
        let chosen = evaluators[seat].best(&mut generator, &outlook);
        if let Turn::Place(placement) = &chosen.turn {
            generator.play(placement);
        }
        table.take(&chosen);
    }
    table.finish()
}

/// The state of a game between two players who can place any tiles they hold.
struct Table<'a> {
    rules: &'a RuleSet,
    bag: VecDeque<Tile>,
    /// Where exchanged tiles go back to.
    chance: rand_pcg::Pcg64Mcg,
    racks: [Bunch; 2],
    turn: usize,
    zero_turns: u8,
    out: Option<usize>,
    result: GameResult,
}

impl<'a> Table<'a> {
    fn new(rules: &'a RuleSet, seed: Seed) -> Table<'a> {
        let mut chance = seed.generator();
        let mut bag: Vec<Tile> = rules.tiles.all().iter().collect();
        for at in (1..bag.len()).rev() {
            bag.swap(at, chance.random_range(0..=at));
        }
        let result = GameResult {
            scores: [Points::ZERO; 2],
            bonuses: [0; 2],
            turns: Vec::new(),
            racks: Vec::new(),
        };
        let racks = [Bunch::EMPTY; 2];
        let mut table = Table {
            rules,
            bag: bag.into(),
            chance,
            racks,
            turn: 0,
            zero_turns: 0,
            out: None,
            result,
        };
        table.draw(0);
        table.draw(1);
        table
    }

    /// Fills a rack from the seat's own end of the bag.
    fn draw(&mut self, seat: usize) {
        while self.racks[seat].len() < self.rules.rack_size {
            let drawn = if seat == 0 {
                self.bag.pop_front()
            } else {
                self.bag.pop_back()
            };
            match drawn {
                Some(tile) => self.racks[seat].add(tile),
                None => break,
            }
        }
    }

    fn is_over(&self) -> bool {
        let limit = self.rules.zero_turns.limit(2);
        self.out.is_some() || self.zero_turns >= limit || self.result.turns.len() >= MAX_TURNS
    }

    fn take(&mut self, chosen: &Valued) {
        let seat = self.turn;
        self.result.turns.push(chosen.turn);
        self.result.racks.push(self.racks[seat]);
        self.result.scores[seat] += chosen.points;
        match &chosen.turn {
            Turn::Place(placement) => {
                let tiles = placement.tiles();
                let bonus = self
                    .rules
                    .bonus
                    .get(tiles.len())
                    .is_some_and(|bonus| *bonus != Points::ZERO);
                self.result.bonuses[seat] += u32::from(bonus);
                for tile in tiles.iter() {
                    self.racks[seat].take(tile);
                }
                self.draw(seat);
            }
            Turn::Exchange(tiles) => {
                for tile in tiles.iter() {
                    self.racks[seat].take(tile);
                }
                self.draw(seat);
                for tile in tiles.iter() {
                    let at = self.chance.random_range(0..=self.bag.len());
                    self.bag.insert(at, tile);
                }
            }
            Turn::ExchangeUnseen(_) | Turn::Pass => {}
        }
        let empty = match self.rules.zero_turns {
            crate::rules::ZeroTurns::Scoreless(_) => chosen.points == Points::ZERO,
            crate::rules::ZeroTurns::Round => chosen.turn == Turn::Pass,
        };
        self.zero_turns = if empty { self.zero_turns + 1 } else { 0 };
        self.out = (self.bag.is_empty() && self.racks[seat].is_empty()).then_some(seat);
        self.turn = 1 - seat;
    }

    fn finish(mut self) -> GameResult {
        let left = self.racks.map(|rack| self.rules.tiles.total_value(&rack));
        match (self.out, self.rules.going_out) {
            (Some(seat), GoingOut::Twice) => self.result.scores[seat] += left[1 - seat] * 2,
            (Some(seat), GoingOut::Sum) => {
                self.result.scores[seat] += left[1 - seat];
                self.result.scores[1 - seat] -= left[1 - seat];
            }
            (None, _) => {
                for (score, left) in self.result.scores.iter_mut().zip(left) {
                    *score -= left;
                }
            }
        }
        self.result
    }
}
