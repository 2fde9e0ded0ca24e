//! Whole games by static players, from a seed.
//!
//! The bag is a row of tiles in a chance order. Each of two seats draws from
//! its own end, so that in a mirrored pair, where the players swap seats, both
//! get the same luck.

use crate::board::Grid;
use crate::eval::{Evaluator, Outlook, Valued};
use crate::fnv::Fnv;
use crate::lexicon::Leaves;
use crate::movegen::{Generator, Keeps, Words};
use crate::rules::{End, GoingOut, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Bunch, Face, Tile};
use crate::units::Points;
use rand::RngExt;
use smallvec::SmallVec;
use std::cmp::Ordering;
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
    bag: VecDeque<Tile>,
    /// Where exchanged tiles go back to.
    chance: rand_pcg::Pcg64Mcg,
    racks: [Bunch; 2],
    turn: usize,
    zero_turns: u8,
    result: GameResult,
}

impl<'a> Table<'a> {
    /// The start of a game: a shuffled bag, two racks, an empty board.
    pub fn new(players: &Players<'a>, seats: [usize; 2], seed: Seed) -> Table<'a> {
        let rules = players.rules;
        let mut chance = seed.generator();
        let mut bag: Vec<Tile> = rules.tiles.all().iter().collect();
        for at in (1..bag.len()).rev() {
            bag.swap(at, chance.random_range(0..=at));
        }
        let grid = Grid::new(rules.board.side());
        let evaluator = match players.leaves_alone {
            true => Evaluator::by_leaves_alone,
            false => Evaluator::new,
        };
        let mut table = Table {
            rules,
            generator: Generator::new(rules, players.words, &grid),
            evaluators: seats.map(|player| evaluator(rules, players.leaves[player])),
            bag: bag.into(),
            chance,
            racks: [Bunch::EMPTY; 2],
            turn: 0,
            zero_turns: 0,
            result: GameResult {
                scores: [Points::ZERO; 2],
                bonuses: [0; 2],
                turns: Vec::new(),
                racks: Vec::new(),
                left: [Bunch::EMPTY; 2],
                end: None,
                winner: None,
            },
        };
        table.draw(0);
        table.draw(1);
        table
    }

    /// The board.
    pub fn generator(&self) -> &Generator<'a> {
        &self.generator
    }

    /// The seat whose turn it is.
    pub fn seat(&self) -> usize {
        self.turn
    }

    /// What the player on a seat holds.
    pub fn rack(&self, seat: usize) -> &Bunch {
        &self.racks[seat]
    }

    /// How far the player on a seat is ahead so far.
    pub fn spread(&self, seat: usize) -> Points {
        self.result.spread(seat)
    }

    /// The tiles in the bag, as a number.
    pub fn bag_len(&self) -> usize {
        self.bag.len()
    }

    /// All tiles that do not lie on the board.
    pub fn unplaced(&self) -> Bunch {
        let mut tiles: Bunch = self.bag.iter().copied().collect();
        self.racks.iter().for_each(|rack| tiles.add_all(rack));
        tiles
    }

    /// Whether the last turn was taken.
    pub fn is_over(&self) -> bool {
        self.result.end.is_some() || self.result.turns.len() >= MAX_TURNS
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
        self.take(&chosen);
    }

    /// The player on turn, the board, and what the player knows.
    fn view(&mut self) -> (&mut Evaluator<'a>, &mut Generator<'a>, Outlook<'_>) {
        let outlook = Outlook {
            rack: &self.racks[self.turn],
            bag: self.bag.len(),
            others: self.rules.tiles.total_value(&self.racks[1 - self.turn]),
            players: 2,
            first: self.generator.is_empty(),
        };
        let evaluator = &mut self.evaluators[self.turn];
        (evaluator, &mut self.generator, outlook)
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

    fn take(&mut self, chosen: &Valued) {
        let seat = self.turn;
        self.result.turns.push(chosen.turn);
        self.result.racks.push(self.racks[seat]);
        self.result.scores[seat] += chosen.points;
        match &chosen.turn {
            Turn::Place(placement) => {
                self.generator.play(placement);
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
        self.result.end = self.end();
        self.turn = 1 - seat;
    }

    /// Whether the turn just taken was the last, by [`crate::rules::Position::end`].
    fn end(&self) -> Option<End> {
        let (seat, rules) = (self.turn, self.rules);
        let target = rules.target(seat, 2);
        if target.is_some_and(|target| self.result.scores[seat] >= target) {
            return Some(End::Target(seat));
        }
        if self.bag.is_empty() && self.racks[seat].is_empty() {
            return Some(End::Out(seat));
        }
        (self.zero_turns >= rules.zero_turns.limit(2)).then_some(End::ZeroTurns)
    }

    /// The result: the tiles left over change the scores.
    pub fn finish(self) -> GameResult {
        let before = self.result.scores;
        let left = self.racks.map(|rack| self.rules.tiles.total_value(&rack));
        let mut scores = before;
        match (self.result.end, self.rules.going_out) {
            (Some(End::Out(seat)), GoingOut::Twice) => scores[seat] += left[1 - seat] * 2,
            (Some(End::Out(seat)), GoingOut::Sum) => {
                scores[seat] += left[1 - seat];
                scores[1 - seat] -= left[1 - seat];
            }
            (Some(End::ZeroTurns), _) => {
                for (score, left) in scores.iter_mut().zip(left) {
                    *score -= left;
                }
            }
            (Some(End::Target(_) | End::Forfeit(_)) | None, _) => {}
        }
        // A tie goes to the one who led before the adjustment.
        let winner = match (
            self.result.end,
            (scores[0], before[0]).cmp(&(scores[1], before[1])),
        ) {
            (Some(End::Target(seat)), _) => Some(seat),
            (_, Ordering::Greater) => Some(0),
            (_, Ordering::Less) => Some(1),
            (_, Ordering::Equal) => None,
        };
        GameResult {
            scores,
            winner,
            left: self.racks,
            ..self.result
        }
    }
}
