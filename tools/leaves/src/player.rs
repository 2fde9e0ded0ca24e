//! Games of players who take the turn that is worth most at once: points and
//! the value of what they keep.

use anyhow::{Context, Result};
use cazique::board::Grid;
use cazique::lexicon::Leaves;
use cazique::movegen::{Generator, Keeps, Words};
use cazique::rules::{ExchangeLimit, Position, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::{Bunch, Tile};
use cazique::units::{Equity, Points};
use rand::{Rng, RngExt};
use std::collections::VecDeque;
use std::sync::Arc;

/// A game for two with its bag. Each seat draws from its own end, so that what
/// one of them draws hardly depends on what the other does.
pub struct Table<'a> {
    /// What is on the table.
    pub position: Position,
    /// The board, kept from play to play.
    pub generator: Generator<'a>,
    bag: VecDeque<Tile>,
    chance: Box<dyn Rng>,
}

impl<'a> Table<'a> {
    /// The start of a game: a shuffled bag, two racks, an empty board.
    pub fn new(rules: &Arc<RuleSet>, words: Words<'a>, seed: Seed) -> Result<Table<'a>> {
        let mut chance = seed.generator();
        let mut bag: VecDeque<Tile> = rules.tiles.all().iter().collect();
        for last in (1..bag.len()).rev() {
            bag.swap(last, chance.random_range(0..=last));
        }
        let grid = Grid::new(rules.board.side());
        let mut table = Table {
            position: Position::start(Arc::clone(rules), 2)?,
            generator: Generator::new(rules, words, &grid),
            bag,
            chance: Box::new(chance),
        };
        for seat in 0..2 {
            table.draw(seat, Bunch::EMPTY)?;
        }
        Ok(table)
    }

    /// Fills the rack of `seat` up: `kept`, and as many tiles as the hand has more.
    fn draw(&mut self, seat: usize, kept: Bunch) -> Result<()> {
        let mut rack = kept;
        while rack.len() < self.position.hand(seat).len() {
            let drawn = match seat {
                0 => self.bag.pop_front(),
                _ => self.bag.pop_back(),
            };
            rack.add(drawn.context("the bag has fewer tiles than the position says")?);
        }
        Ok(self.position.set_rack(seat, rack)?)
    }

    /// The tiles in the bag.
    pub fn bag_len(&self) -> usize {
        self.bag.len()
    }

    /// Takes the turn that these leave values say is best.
    pub fn turn(&mut self, leaves: Option<&Leaves>) -> Result<()> {
        let seat = self.position.turn();
        let mut kept = self.position.hand(seat).known;
        let turn = self.choose(leaves);
        self.position.play(&turn)?;
        let gone = match &turn {
            Turn::Place(placement) => {
                self.generator.play(placement);
                placement.tiles()
            }
            Turn::Exchange(tiles) => *tiles,
            _ => Bunch::EMPTY,
        };
        for tile in gone.iter() {
            kept.take(tile);
        }
        self.draw(seat, kept)?;
        if let Turn::Exchange(tiles) = turn {
            for tile in tiles.iter() {
                let at = self.chance.random_range(0..=self.bag.len());
                self.bag.insert(at, tile);
            }
        }
        Ok(())
    }

    fn choose(&mut self, leaves: Option<&Leaves>) -> Turn {
        let seat = self.position.turn();
        let rack = self.position.hand(seat).known;
        let rules = Arc::clone(self.position.rules());
        let value = |tiles: &Bunch| Equity::from(rules.tiles.total_value(tiles));
        if self.bag.is_empty() {
            let theirs = value(&self.position.hand(1 - seat).known);
            // Who goes out gets the other's tiles twice; who does not will pay, and not only for the tiles.
            let keeps = Keeps::new(&rack, |kept| match kept.is_empty() {
                true => theirs + theirs,
                false => Equity::ZERO - value(kept) - value(kept) - Equity::from(Points(10)),
            });
            let best = self.generator.best(&keeps);
            return best.map_or(Turn::Pass, |play| Turn::Place(play.placement));
        }
        let most = match rules.exchange {
            ExchangeLimit::BagHolds(n) if self.bag.len() < n => 0,
            _ => self.bag.len(),
        };
        // The first of the best is kept: all goes back where nothing is known.
        let mut exchange: Option<(Equity, Bunch)> = None;
        let keeps = Keeps::new(&rack, |kept| {
            let worth = leaves.map_or(Equity::ZERO, |leaves| leaves.value(kept));
            let back = rack.len() - kept.len();
            if back > 0 && back <= most && exchange.is_none_or(|(best, _)| worth > best) {
                exchange = Some((worth, *kept));
            }
            worth
        });
        match (self.generator.best(&keeps), exchange) {
            (Some(play), Some((worth, _))) if play.equity >= worth => Turn::Place(play.placement),
            (_, Some((_, kept))) => {
                let mut back = rack;
                for tile in kept.iter() {
                    back.take(tile);
                }
                Turn::Exchange(back)
            }
            (Some(play), None) => Turn::Place(play.placement),
            (None, None) => Turn::Pass,
        }
    }
}
