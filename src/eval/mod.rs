//! What a turn is worth without search: its points, what is kept, what a
//! first play shows, and what it means for the end of the game.

mod built_in;
mod late_game;
mod win_model;
pub mod win_table;

pub use built_in::BuiltInTables;
pub use win_model::WinModel;

use crate::lexicon::LeaveValues;
use crate::movegen::{Generator, OpeningPenalty, Play, RackLeaves};
use crate::rules::{Deal, ExchangeLimit, Position, RuleSet, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::{Equity, Points};

/// What a player knows who has to value a turn.
#[derive(Clone, Copy, Debug)]
pub struct EvalContext<'a> {
    /// The player's own tiles.
    pub rack: &'a TileCounts,
    /// How many tiles are in the bag.
    pub bag: usize,
    /// With an empty bag: the value of the tiles of all others together.
    pub opponent_points: Points,
    /// How many play.
    pub players: usize,
    /// Whether the board is empty.
    pub is_first_play: bool,
}

impl<'a> EvalContext<'a> {
    /// What the player on turn knows. With an empty bag all unseen tiles are
    /// in the hands of the others, whoever has which.
    pub fn of(position: &'a Position) -> EvalContext<'a> {
        let value = |tiles: &TileCounts| position.rules().tiles.total_value(tiles);
        let seats = position.turn_order().skip(1);
        let known: Points = seats.map(|seat| value(&position.rack(seat).known)).sum();
        EvalContext {
            rack: &position.mover_rack().known,
            bag: position.bag_len(),
            opponent_points: known + value(position.unseen()),
            players: position.player_count(),
            is_first_play: position.grid().is_empty(),
        }
    }

    /// What the player on turn knows in a deal: the own tiles, and how many are in the bag.
    pub fn in_deal(deal: &'a Deal, is_first_play: bool, rules: &RuleSet) -> EvalContext<'a> {
        let (seat, bag) = (deal.to_move(), deal.bag_len());
        let opponent_points = match bag {
            0 => deal.opponents_rack_value(seat, rules),
            _ => Points::ZERO,
        };
        EvalContext {
            rack: deal.rack(seat),
            bag,
            opponent_points,
            players: deal.player_count(),
            is_first_play,
        }
    }

    /// The tiles that a turn leaves on the rack.
    pub fn leave(&self, turn: &Turn) -> TileCounts {
        match turn {
            Turn::Place(placement) => without(self.rack, &placement.tiles()),
            Turn::Exchange(tiles) => without(self.rack, tiles),
            // Which ones stay is not known.
            Turn::ExchangeUnseen(_) => TileCounts::EMPTY,
            Turn::Pass => *self.rack,
        }
    }
}

/// What a turn is worth, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EquityBreakdown {
    /// What it scores.
    pub points: Points,
    /// What the tiles kept are worth for the next turns.
    pub leave: Equity,
    /// What a first play costs by what it shows.
    pub opening: Equity,
    /// With few tiles in the bag or none: what it means for the end of the game.
    pub endgame: Equity,
}

impl EquityBreakdown {
    /// All parts together.
    pub fn total(&self) -> Equity {
        Equity::from(self.points) + self.leave + self.opening + self.endgame
    }
}

/// A turn and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatedTurn {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
    /// Its worth.
    pub equity: Equity,
}

/// What a vowel beside a premium costs on the empty board.
const EXPOSED_VOWEL_PENALTY: Equity = Equity::from_millis(700);

/// Values turns by points and by what is kept.
#[derive(Clone)]
pub struct Evaluator<'a> {
    rules: &'a RuleSet,
    leaves: Option<&'a LeaveValues>,
    opening: Option<OpeningPenalty>,
    /// Whether the tiles left in the bag count, and a pass can be better than a play.
    adjusts: bool,
    rack_leaves: RackLeaves,
    /// The rack and stage that it was made for.
    kept_for: Option<(TileCounts, BagPhase)>,
}

/// What the worth of tiles kept depends on besides the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BagPhase {
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
        let opening = leaves.map(|_| OpeningPenalty::new(rules, EXPOSED_VOWEL_PENALTY));
        Evaluator {
            rules,
            leaves,
            opening,
            adjusts: leaves.is_some(),
            rack_leaves: RackLeaves::empty(opening),
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
            rack_leaves: RackLeaves::empty(None),
            ..Evaluator::new(rules, leaves)
        }
    }

    /// Whether the number of tiles that a turn leaves in the bag counts.
    fn is_late(&self, context: &EvalContext) -> bool {
        self.adjusts && context.is_late(self.rules)
    }

    /// What it is worth to leave so many tiles in the bag as a turn does that wants to draw `drawn`.
    fn left_in_bag(&self, drawn: usize, context: &EvalContext) -> Equity {
        match self.is_late(context) {
            true => context.left_in_bag(drawn),
            false => Equity::ZERO,
        }
    }

    /// What a leave is worth to which `drawn` tiles should be drawn.
    fn weigh(&self, leave: Equity, drawn: usize, context: &EvalContext) -> Equity {
        match self.is_late(context) {
            true => context.weigh(leave, drawn),
            false => leave,
        }
    }

    /// What a turn that scores `points` is worth.
    pub fn breakdown(&self, turn: &Turn, points: Points, context: &EvalContext) -> EquityBreakdown {
        let kept = context.leave(turn);
        let mut worth = EquityBreakdown {
            points,
            ..EquityBreakdown::default()
        };
        if let (Turn::Place(placement), Some(opening), true) =
            (turn, &self.opening, context.is_first_play)
        {
            worth.opening = opening.worth(placement, self.rules.board.side());
        }
        if context.bag == 0 {
            worth.endgame = context.left_over(&kept, self.rules);
        } else if let Some(leaves) = self.leaves {
            // An exchange gives back what it draws.
            let drawn = match turn {
                Turn::Place(_) => context.rack.len() - kept.len(),
                _ => 0,
            };
            worth.endgame = self.left_in_bag(drawn, context);
            worth.leave = match turn {
                Turn::Pass => whole(context.rack, leaves),
                _ => self.weigh(leaves.value(&kept), drawn, context),
            };
        }
        worth
    }

    fn stage(&self, context: &EvalContext) -> BagPhase {
        match context.bag {
            0 => BagPhase::Empty(context.opponent_points),
            bag if self.is_late(context) => BagPhase::Late(bag),
            _ => BagPhase::Early,
        }
    }

    /// Whether tiles kept are worth the same however many tiles are in the bag, down to `fewest`.
    pub fn leaves_ignore_bag(&self, context: &EvalContext, fewest: usize) -> bool {
        let bag = fewest;
        self.stage(&EvalContext { bag, ..*context }) == BagPhase::Early
    }

    /// What each part of the rack is worth if a play keeps it.
    pub fn rack_leaves(&mut self, context: &EvalContext) -> &RackLeaves {
        let (rack, rules) = (context.rack, self.rules);
        let made_for = Some((*rack, self.stage(context)));
        if self.kept_for == made_for {
            return &self.rack_leaves;
        }
        self.kept_for = made_for;
        match self.leaves {
            _ if context.bag == 0 => self
                .rack_leaves
                .set(rack, |kept| context.left_over(kept, rules)),
            None => self.rack_leaves.set_zero(rack),
            Some(leaves) => {
                self.rack_leaves.set_from_table(rack, leaves);
                if self.is_late(context) {
                    self.rack_leaves.adjust(|leave, kept| {
                        let drawn = rack.len() - kept;
                        context.weigh(leave, drawn) + context.left_in_bag(drawn)
                    });
                }
            }
        }
        &self.rack_leaves
    }

    /// The best turn: a placement, or an exchange or a pass that is worth more.
    pub fn best(&mut self, generator: &mut Generator, context: &EvalContext) -> EvaluatedTurn {
        self.best_with(context, |rack_leaves| generator.best(rack_leaves))
    }

    /// The best turn, if the best placement is the one that `place` finds.
    pub fn best_with(
        &mut self,
        context: &EvalContext,
        place: impl FnOnce(&RackLeaves) -> Option<Play>,
    ) -> EvaluatedTurn {
        let play = place(self.rack_leaves(context)).map(|play| EvaluatedTurn {
            turn: Turn::Place(play.placement),
            points: play.points,
            equity: play.equity,
        });
        // Mostly neither an exchange nor a pass can be the best, which is quickly told.
        let may_be_worth = |most: Equity| play.is_none_or(|play| most > play.equity);
        let asks = self.is_late(context) || may_be_worth(self.rack_leaves.max_value());
        let exchange = asks.then(|| self.best_exchange(context));
        let most = self.left_in_bag(0, context);
        let pass = (self.adjusts && may_be_worth(most)).then(|| self.pass(context));
        let turns = [play, exchange.flatten(), pass].into_iter().flatten();
        let better = |best: EvaluatedTurn, next: EvaluatedTurn| match next.equity > best.equity {
            true => next,
            false => best,
        };
        turns.reduce(better).unwrap_or_else(|| self.pass(context))
    }

    fn pass(&self, context: &EvalContext) -> EvaluatedTurn {
        let worth = self.breakdown(&Turn::Pass, Points::ZERO, context);
        EvaluatedTurn {
            turn: Turn::Pass,
            points: Points::ZERO,
            equity: worth.total(),
        }
    }

    /// The exchange that keeps the best tiles, if the rules allow one. Call after [`Evaluator::rack_leaves`].
    fn best_exchange(&self, context: &EvalContext) -> Option<EvaluatedTurn> {
        let open = match self.rules.exchange {
            ExchangeLimit::BagHolds(n) => context.bag >= n.max(1),
            ExchangeLimit::BagCovers => context.bag >= 1,
        };
        if !open {
            return None;
        }
        let most = context.rack.len().min(context.bag);
        let all = context.rack.len();
        // An exchange leaves the bag as it is, unlike the play that would keep the same. Neither draws too few.
        let more = |kept| self.left_in_bag(0, context) - self.left_in_bag(all - kept, context);
        let (kept, equity) = self.rack_leaves.best_leave(all - most, all - 1, more)?;
        Some(EvaluatedTurn {
            turn: Turn::Exchange(without(context.rack, &kept)),
            points: Points::ZERO,
            equity,
        })
    }
}

/// What a rack is worth that is kept whole, for which leave values have no
/// place: the mean of what it is without each of its tiles, but never a gain.
/// So no pass is worth more than an exchange of all tiles, or than the play
/// that a good rack has.
fn whole(rack: &TileCounts, leaves: &LeaveValues) -> Equity {
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
fn without(rack: &TileCounts, tiles: &TileCounts) -> TileCounts {
    let mut left = *rack;
    for tile in tiles.iter() {
        left.take(tile);
    }
    left
}
