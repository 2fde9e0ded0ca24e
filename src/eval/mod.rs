//! What a turn is worth without search: its points, what is kept, what a
//! first play shows, and what it means for the end of the game.

mod built_in;
mod chances;
mod ending;
pub mod win;

pub use built_in::BuiltIn;
pub use chances::Chances;

use crate::lexicon::LeaveValues;
use crate::movegen::{Generator, Keeps, Opening, Play};
use crate::rules::{Deal, ExchangeLimit, Position, RuleSet, Turn};
use crate::tiles::{Bunch, Tile};
use crate::units::{Equity, Points};

/// What a player knows who has to value a turn.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    /// The player's own tiles.
    pub rack: &'a Bunch,
    /// How many tiles are in the bag.
    pub bag: usize,
    /// With an empty bag: the value of the tiles of all others together.
    pub others: Points,
    /// How many play.
    pub players: usize,
    /// Whether the board is empty.
    pub first: bool,
}

impl<'a> Outlook<'a> {
    /// What the player on turn knows. With an empty bag all unseen tiles are
    /// in the hands of the others, whoever has which.
    pub fn of(position: &'a Position) -> Outlook<'a> {
        let value = |tiles: &Bunch| position.rules().tiles.total_value(tiles);
        let seats = position.seats().skip(1);
        let known: Points = seats.map(|seat| value(&position.hand(seat).known)).sum();
        Outlook {
            rack: &position.hand_on_turn().known,
            bag: position.bag_len(),
            others: known + value(position.unseen()),
            players: position.player_count(),
            first: position.grid().is_empty(),
        }
    }

    /// What the player on turn knows in a deal: the own tiles, and how many are in the bag.
    pub fn in_deal(deal: &'a Deal, first: bool, rules: &RuleSet) -> Outlook<'a> {
        let (seat, bag) = (deal.turn(), deal.bag_len());
        let others = match bag {
            0 => deal.others_value(seat, rules),
            _ => Points::ZERO,
        };
        Outlook {
            rack: deal.rack(seat),
            bag,
            others,
            players: deal.player_count(),
            first,
        }
    }

    /// The tiles that a turn leaves on the rack.
    pub fn kept(&self, turn: &Turn) -> Bunch {
        match turn {
            Turn::Place(placement) => without(self.rack, &placement.tiles()),
            Turn::Exchange(tiles) => without(self.rack, tiles),
            // Which ones stay is not known.
            Turn::ExchangeUnseen(_) => Bunch::EMPTY,
            Turn::Pass => *self.rack,
        }
    }
}

/// What a turn is worth, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// What it scores.
    pub points: Points,
    /// What the tiles kept are worth for the next turns.
    pub kept: Equity,
    /// What a first play costs by what it shows.
    pub opening: Equity,
    /// With few tiles in the bag or none: what it means for the end of the game.
    pub ending: Equity,
}

impl Worth {
    /// All parts together.
    pub fn total(&self) -> Equity {
        Equity::from(self.points) + self.kept + self.opening + self.ending
    }
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

/// What a vowel beside a premium costs on the empty board.
const SHOWN_VOWEL: Equity = Equity::from_millis(700);

/// Values turns by points and by what is kept.
#[derive(Clone)]
pub struct Evaluator<'a> {
    rules: &'a RuleSet,
    leaves: Option<&'a LeaveValues>,
    opening: Option<Opening>,
    /// Whether the tiles left in the bag count, and a pass can be better than a play.
    adjusts: bool,
    keeps: Keeps,
    /// The rack and stage that it was made for.
    kept_for: Option<(Bunch, Stage)>,
}

/// What the worth of tiles kept depends on besides the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing else.
    Early,
    /// So many tiles in the bag.
    Late(usize),
    /// An empty bag, and how much the others hold.
    Empty(Points),
}

impl<'a> Evaluator<'a> {
    /// By these leave values, or by points alone until the bag is empty.
    pub fn new(rules: &'a RuleSet, leaves: Option<&'a LeaveValues>) -> Evaluator<'a> {
        let opening = leaves.map(|_| Opening::new(rules, SHOWN_VOWEL));
        Evaluator {
            rules,
            leaves,
            opening,
            adjusts: leaves.is_some(),
            keeps: Keeps::zero(opening),
            kept_for: None,
        }
    }

    /// By points and leave values alone until the bag is empty. Leave values
    /// are trained so: what is adjusted besides was measured with them, and
    /// would make them depend on itself.
    pub fn by_leaves_alone(rules: &'a RuleSet, leaves: Option<&'a LeaveValues>) -> Evaluator<'a> {
        Evaluator {
            opening: None,
            adjusts: false,
            keeps: Keeps::zero(None),
            ..Evaluator::new(rules, leaves)
        }
    }

    /// Whether the number of tiles that a turn leaves in the bag counts.
    fn is_late(&self, outlook: &Outlook) -> bool {
        self.adjusts && outlook.is_late(self.rules)
    }

    /// What it is worth to leave so many tiles in the bag as a turn does that wants to draw `drawn`.
    fn left_in_bag(&self, drawn: usize, outlook: &Outlook) -> Equity {
        match self.is_late(outlook) {
            true => outlook.left_in_bag(drawn),
            false => Equity::ZERO,
        }
    }

    /// What a leave is worth to which `drawn` tiles should be drawn.
    fn weigh(&self, leave: Equity, drawn: usize, outlook: &Outlook) -> Equity {
        match self.is_late(outlook) {
            true => outlook.weigh(leave, drawn),
            false => leave,
        }
    }

    /// What a turn that scores `points` is worth.
    pub fn worth(&self, turn: &Turn, points: Points, outlook: &Outlook) -> Worth {
        let kept = outlook.kept(turn);
        let mut worth = Worth {
            points,
            ..Worth::default()
        };
        if let (Turn::Place(placement), Some(opening), true) = (turn, &self.opening, outlook.first)
        {
            worth.opening = opening.worth(placement, self.rules.board.side());
        }
        if outlook.bag == 0 {
            worth.ending = outlook.left_over(&kept, self.rules);
        } else if let Some(leaves) = self.leaves {
            // An exchange gives back what it draws.
            let drawn = match turn {
                Turn::Place(_) => outlook.rack.len() - kept.len(),
                _ => 0,
            };
            worth.ending = self.left_in_bag(drawn, outlook);
            worth.kept = match turn {
                Turn::Pass => whole(outlook.rack, leaves),
                _ => self.weigh(leaves.value(&kept), drawn, outlook),
            };
        }
        worth
    }

    fn stage(&self, outlook: &Outlook) -> Stage {
        match outlook.bag {
            0 => Stage::Empty(outlook.others),
            bag if self.is_late(outlook) => Stage::Late(bag),
            _ => Stage::Early,
        }
    }

    /// Whether tiles kept are worth the same however many tiles are in the bag, down to `fewest`.
    pub fn is_early(&self, outlook: &Outlook, fewest: usize) -> bool {
        let bag = fewest;
        self.stage(&Outlook { bag, ..*outlook }) == Stage::Early
    }

    /// What each part of the rack is worth if a play keeps it.
    pub fn keeps(&mut self, outlook: &Outlook) -> &Keeps {
        let (rack, rules) = (outlook.rack, self.rules);
        let made_for = Some((*rack, self.stage(outlook)));
        if self.kept_for == made_for {
            return &self.keeps;
        }
        self.kept_for = made_for;
        match self.leaves {
            _ if outlook.bag == 0 => self.keeps.set(rack, |kept| outlook.left_over(kept, rules)),
            None => self.keeps.set_zero(rack),
            Some(leaves) => {
                self.keeps.set_leaves(rack, leaves);
                if self.is_late(outlook) {
                    self.keeps.adjust(|leave, kept| {
                        let drawn = rack.len() - kept;
                        outlook.weigh(leave, drawn) + outlook.left_in_bag(drawn)
                    });
                }
            }
        }
        &self.keeps
    }

    /// The best turn: a placement, or an exchange or a pass that is worth more.
    pub fn best(&mut self, generator: &mut Generator, outlook: &Outlook) -> Valued {
        self.best_with(outlook, |keeps| generator.best(keeps))
    }

    /// The best turn, if the best placement is the one that `place` finds.
    pub fn best_with(
        &mut self,
        outlook: &Outlook,
        place: impl FnOnce(&Keeps) -> Option<Play>,
    ) -> Valued {
        let play = place(self.keeps(outlook)).map(|play| Valued {
            turn: Turn::Place(play.placement),
            points: play.points,
            equity: play.equity,
        });
        // Mostly neither an exchange nor a pass can be the best, which is quickly told.
        let may_be_worth = |most: Equity| play.is_none_or(|play| most > play.equity);
        let asks = self.is_late(outlook) || may_be_worth(self.keeps.most());
        let exchange = asks.then(|| self.best_exchange(outlook));
        let most = self.left_in_bag(0, outlook);
        let pass = (self.adjusts && may_be_worth(most)).then(|| self.pass(outlook));
        let turns = [play, exchange.flatten(), pass].into_iter().flatten();
        let better = |best: Valued, next: Valued| match next.equity > best.equity {
            true => next,
            false => best,
        };
        turns.reduce(better).unwrap_or_else(|| self.pass(outlook))
    }

    fn pass(&self, outlook: &Outlook) -> Valued {
        let worth = self.worth(&Turn::Pass, Points::ZERO, outlook);
        Valued {
            turn: Turn::Pass,
            points: Points::ZERO,
            equity: worth.total(),
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
        let all = outlook.rack.len();
        // An exchange leaves the bag as it is, unlike the play that would keep the same. Neither draws too few.
        let more = |kept| self.left_in_bag(0, outlook) - self.left_in_bag(all - kept, outlook);
        let (kept, equity) = self.keeps.best_kept(all - most, all - 1, more)?;
        Some(Valued {
            turn: Turn::Exchange(without(outlook.rack, &kept)),
            points: Points::ZERO,
            equity,
        })
    }
}

/// What a rack is worth that is kept whole, for which leave values have no
/// place: the mean of what it is without each of its tiles, but never a gain.
/// So no pass is worth more than an exchange of all tiles, or than the play
/// that a good rack has.
fn whole(rack: &Bunch, leaves: &LeaveValues) -> Equity {
    let value = |tile: Tile| {
        let mut left = *rack;
        left.take(tile);
        i64::from(leaves.value(&left).millis())
    };
    let sum: i64 = rack.iter().map(value).sum();
    let mean = sum / rack.len().max(1) as i64;
    Equity::from_millis(mean.min(0) as i32)
}

/// A rack without some of its tiles.
fn without(rack: &Bunch, tiles: &Bunch) -> Bunch {
    let mut left = *rack;
    for tile in tiles.iter() {
        left.take(tile);
    }
    left
}
