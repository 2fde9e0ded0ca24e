//! What a turn is worth without search: its points, what is kept, and the
//! end of the game when the bag is empty.

pub mod win;

use crate::lexicon::Leaves;
use crate::movegen::{Generator, Keeps, Play};
use crate::rules::{ExchangeLimit, RuleSet, Turn};
use crate::tiles::Bunch;
use crate::units::{Equity, Points};

/// What a player knows who has to value a turn.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// The player's own tiles.
    pub rack: &'a Bunch,
    /// How many tiles are in the bag.
    pub bag: usize,
    /// With an empty bag: the value of the tiles of the others.
    pub others: Points,
}

/// Thrown in for not going out when the bag is empty: somebody else may.
const NOT_OUT: Points = Points(10);

/// Values turns by points and by what is kept.
#[derive(Clone)]
pub struct Evaluator<'a> {
    rules: &'a RuleSet,
    leaves: Option<&'a Leaves>,
    keeps: Keeps,
}

/// A turn and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
    /// Its worth.
    pub equity: Equity,
}

impl<'a> Evaluator<'a> {
    /// By these leave values, or by points alone.
    pub fn new(rules: &'a RuleSet, leaves: Option<&'a Leaves>) -> Evaluator<'a> {
        Evaluator {
            rules,
            leaves,
            keeps: Keeps::zero(&Bunch::EMPTY),
        }
    }

    /// What each part of the rack is worth if it is kept.
    pub fn keeps(&mut self, outlook: &Outlook) -> &Keeps {
        let rack = outlook.rack;
        match self.leaves {
            _ if outlook.bag == 0 => {
                self.keeps = Keeps::new(rack, |kept| self.left_over(kept, outlook))
            }
            Some(leaves) => self.keeps.set_leaves(rack, leaves),
            None => self.keeps = Keeps::zero(rack),
        }
        &self.keeps
    }

    /// With an empty bag, tiles kept are tiles that may be left over.
    fn left_over(&self, kept: &Bunch, outlook: &Outlook) -> Equity {
        match kept.is_empty() {
            true => Equity::from(outlook.others * 2),
            false => Equity::from(-(self.rules.tiles.total_value(kept) * 2) - NOT_OUT),
        }
    }

    /// The best turn: a placement, or an exchange that is worth more, or else a pass.
    pub fn best(&mut self, generator: &mut Generator, outlook: &Outlook) -> Valued {
        let keeps = self.keeps(outlook);
        let play = generator.best(keeps).map(
            |Play {
                 placement,
                 points,
                 equity,
             }| Valued {
                turn: Turn::Place(placement),
                points,
                equity,
            },
        );
        // Mostly no exchange can be the best, which is quickly told.
        let worth_asking = play.is_none_or(|play| self.keeps.most() > play.equity);
        let exchange = worth_asking.then(|| self.best_exchange(outlook)).flatten();
        match (play, exchange) {
            (Some(play), Some(exchange)) if exchange.equity > play.equity => exchange,
            (Some(play), _) => play,
            (None, Some(exchange)) => exchange,
            (None, None) => Valued {
                turn: Turn::Pass,
                points: Points::ZERO,
                equity: Equity::ZERO,
            },
        }
    }

    /// The exchange that keeps the best tiles, if the rules allow one. Call after [`Evaluator::keeps`].
    fn best_exchange(&self, outlook: &Outlook) -> Option<Valued> {
        let open = match self.rules.exchange {
            ExchangeLimit::BagHolds(n) => outlook.bag >= n.max(1),
            ExchangeLimit::BagCovers => outlook.bag >= 1,
        };
        if !open {
            return None;
        }
        let most = outlook.rack.len().min(outlook.bag);
        let (kept, equity) = self
            .keeps
            .best_kept(outlook.rack.len() - most, outlook.rack.len() - 1)?;
        let mut exchanged = *outlook.rack;
        exchanged.take_all(&kept).ok()?;
        Some(Valued {
            turn: Turn::Exchange(exchanged),
            points: Points::ZERO,
            equity,
        })
    }
}
