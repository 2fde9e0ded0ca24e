//! Static evaluation: the equity of a turn without search, and the win
//! probability of a lead.
//!
//! A turn, its points and an [`EvalContext`] come in; an [`EquityBreakdown`]
//! goes out: points, leave value, opening penalty, late-game adjustment
//! (`late_game`) and what unusual rules change (`variation_values`).
//! [`Evaluator::best`] chooses the best turn, exchanges and the pass included.
//! Ranking, rollouts and static players call it.
//!
//! [`WinModel`] turns a lead into a win probability, by a counted table
//! (`win_table`) or by a logistic curve. [`WinEstimator`] does the same for three
//! and four players, and where a target score wins. `built_in` holds the tables
//! that come with the library. The module does not generate placements and does not look
//! ahead.
//!
//! ```
//! use cazique::eval::WinModel;
//! use cazique::units::{Equity, Points};
//!
//! // A lead of 30 points is worth more with 5 tiles in the bag than with 80.
//! let lead = Equity::from(Points(30));
//! let win_prob = |bag| WinModel::Logistic.win_prob(lead, bag, 7, 7);
//! assert!(win_prob(5) > win_prob(80));
//! ```

mod built_in;
mod late_game;
mod variation_values;
mod variations;
mod win_estimator;
mod win_model;
pub mod win_table;

pub use built_in::BuiltInTables;
pub use win_estimator::{PlayerStanding, Standing, WinEstimator};
pub use win_model::WinModel;

use crate::lexicon::LeaveValues;
use crate::movegen::{Generator, OpeningPenalty, Play, RackLeaves};
use crate::rules::{Deal, Position, RuleSet, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::{Equity, Points};
use variation_values::{VariationValues, any_order_part, any_order_value};

/// What the player to move knows when evaluating a turn.
#[derive(Clone, Copy, Debug)]
pub struct EvalContext<'a> {
    /// The player's rack.
    pub rack: &'a TileCounts,
    /// The number of tiles in the bag.
    pub bag: usize,
    /// With an empty bag: the total value of the tiles of all opponents.
    pub opponent_points: Points,
    /// The number of players.
    pub players: usize,
    /// Whether the board is empty.
    pub is_first_play: bool,
    /// Where a target score wins at once: the points that the player needs for it.
    pub points_to_win: Option<Points>,
    /// Where blanks are recycled, the tiles in the bag and on the racks of the opponents. Empty under
    /// other rules, because nothing depends on it.
    pub unseen: TileCounts,
}

impl<'a> EvalContext<'a> {
    /// What the player to move knows in a position. With an empty bag the
    /// opponents hold all unseen tiles.
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
            points_to_win: position.points_to_win(position.to_move()),
            unseen: match position.rules().recycles_blanks {
                true => {
                    let seats = position.turn_order().skip(1);
                    let known = seats.flat_map(|seat| position.rack(seat).known.iter());
                    position.unseen().iter().chain(known).collect()
                }
                false => TileCounts::EMPTY,
            },
        }
    }

    /// What the player to move may know in a deal: the own rack and the size of the
    /// bag; with an empty bag also the total value of the tiles of the opponents.
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
            points_to_win: deal.points_to_win(seat, rules),
            unseen: match rules.recycles_blanks {
                true => without(&deal.tiles_off_board(), deal.rack(seat)),
                false => TileCounts::EMPTY,
            },
        }
    }

    /// Whether a turn that scores these points reaches the target and wins at once.
    pub fn wins(&self, points: Points) -> bool {
        self.points_to_win.is_some_and(|needed| points >= needed)
    }

    /// The tiles that a turn leaves on the rack.
    pub fn leave(&self, turn: &Turn) -> TileCounts {
        match turn {
            Turn::Place(placement) => without(self.rack, &placement.tiles()),
            Turn::Exchange(tiles) => without(self.rack, tiles),
            // Which tiles stay is unknown.
            Turn::ExchangeUnseen(_) => TileCounts::EMPTY,
            Turn::Pass => *self.rack,
            Turn::Rearrange(rearrangement) => without(self.rack, &rearrangement.tiles()),
            Turn::Edited(edited) => {
                let rack = &edited.edits().rack_after(self.rack);
                EvalContext { rack, ..*self }.leave(&edited.main())
            }
        }
    }
}

/// The equity of a turn, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EquityBreakdown {
    /// The points it scores.
    pub points: Points,
    /// The value of the leave for the next turns.
    pub leave: Equity,
    /// On an empty board: the penalty for vowels that a play exposes, or the bonus of a turn that
    /// leaves a minimum first word to the next player.
    pub opening: Equity,
    /// Where blanks are recycled: the penalty for blanks that the turn puts on the board, and the
    /// reward for those that it takes from there.
    pub blanks: Equity,
    /// The late-game adjustment: by the tiles left in the bag, or, with an empty
    /// bag, by the tiles left on the racks.
    pub late_game: Equity,
}

impl EquityBreakdown {
    /// The equity: the sum of the parts.
    pub fn total(&self) -> Equity {
        Equity::from(self.points) + self.leave + self.opening + self.blanks + self.late_game
    }
}

/// A turn with its points and its equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatedTurn {
    /// The turn.
    pub turn: Turn,
    /// Its points.
    pub points: Points,
    /// Its equity.
    pub equity: Equity,
}

impl From<Play> for EvaluatedTurn {
    fn from(play: Play) -> EvaluatedTurn {
        EvaluatedTurn {
            turn: Turn::Place(play.placement),
            points: play.points,
            equity: play.equity,
        }
    }
}

/// The penalty for each vowel of a first play beside a premium square. Measured:
/// against no penalty it wins 50.07 % +- 0.07 of 40,000 mirrored pairs of static
/// games, with a spread of +0.32 +- 0.12 points.
const EXPOSED_VOWEL_PENALTY: Equity = Equity::from_millis(700);

/// Knowledge that an evaluation goes without, to measure what it is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IgnoredKnowledge {
    /// That a target score wins.
    pub target: bool,
    /// What unusual rules change in the value of a turn: see `variation_values`.
    pub variations: bool,
}

/// Computes the equity of turns. It keeps the leave values of the latest rack.
#[derive(Clone)]
pub struct Evaluator<'a> {
    rules: &'a RuleSet,
    leaves: Option<&'a LeaveValues>,
    opening: Option<OpeningPenalty>,
    /// Whether the late-game adjustment applies while the bag has tiles, and a
    /// pass can be better than a play.
    adjusts: bool,
    /// Whether plays that reach the target score are worth no more than others.
    ignores_target: bool,
    /// What unusual rules change.
    variations: VariationValues,
    rack_leaves: RackLeaves,
    /// The rack and phase that `rack_leaves` was computed for.
    computed_for: Option<(TileCounts, BagPhase)>,
    /// Leaves of no value, to find the play with the most points; made when it is needed.
    points_alone: Option<RackLeaves>,
}

/// What leave values depend on besides the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BagPhase {
    /// Nothing: the bag has many tiles.
    Early,
    /// The number of tiles in the bag.
    Late(usize),
    /// The bag is empty: the total value of the tiles of the opponents.
    Empty(Points),
}

impl<'a> Evaluator<'a> {
    /// Evaluates with these leave values; without any, by points alone until the
    /// bag is empty.
    pub fn new(rules: &'a RuleSet, leaves: Option<&'a LeaveValues>) -> Evaluator<'a> {
        let opening = leaves.map(|_| OpeningPenalty::new(rules, EXPOSED_VOWEL_PENALTY));
        let variations = leaves.map(|_| VariationValues::of(rules));
        Evaluator {
            rules,
            leaves,
            opening,
            adjusts: leaves.is_some(),
            ignores_target: false,
            variations: variations.unwrap_or(VariationValues::NONE),
            rack_leaves: RackLeaves::empty(opening),
            computed_for: None,
            points_alone: None,
        }
    }

    /// Evaluates by points and leave values alone until the bag is empty. Leave
    /// values are trained this way: the other adjustments were measured with
    /// them, so training with the adjustments would be circular.
    #[doc(hidden)]
    pub fn by_leaves_alone(rules: &'a RuleSet, leaves: Option<&'a LeaveValues>) -> Evaluator<'a> {
        Evaluator {
            opening: None,
            adjusts: false,
            variations: VariationValues::NONE,
            rack_leaves: RackLeaves::empty(None),
            ..Evaluator::new(rules, leaves)
        }
    }

    /// Evaluates without some of its knowledge.
    #[must_use]
    pub(crate) fn ignoring(self, ignored: IgnoredKnowledge) -> Evaluator<'a> {
        Evaluator {
            ignores_target: ignored.target,
            variations: match ignored.variations {
                true => VariationValues::NONE,
                false => self.variations,
            },
            ..self
        }
    }

    /// Whether the late-game adjustment applies while the bag has tiles.
    fn is_late(&self, context: &EvalContext) -> bool {
        self.adjusts && context.is_late(self.rules)
    }

    /// The adjustment for the tiles left in the bag by a turn that draws `drawn`.
    fn bag_adjustment(&self, drawn: usize, context: &EvalContext) -> Equity {
        match self.is_late(context) {
            true => context.bag_adjustment(drawn),
            false => Equity::ZERO,
        }
    }

    /// The value of a leave after a turn that draws `drawn` tiles.
    fn leave_value(&self, leave: Equity, drawn: usize, context: &EvalContext) -> Equity {
        match self.is_late(context) {
            true => context.leave_value(leave, drawn),
            false => leave,
        }
    }

    /// The equity of a turn that scores `points`, part by part.
    pub fn breakdown(&self, turn: &Turn, points: Points, context: &EvalContext) -> EquityBreakdown {
        if let Turn::Edited(edited) = turn {
            let rack = &edited.edits().rack_after(context.rack);
            let context = EvalContext { rack, ..*context };
            let main = self.breakdown(&edited.main(), points, &context);
            let blanks = main.blanks + self.edits_change(edited.edits(), &context);
            return EquityBreakdown { blanks, ..main };
        }
        let leave = context.leave(turn);
        let mut equity = EquityBreakdown {
            points,
            ..EquityBreakdown::default()
        };
        if !turn.changes_board() {
            equity.opening = self.waiting_bonus(context);
        }
        if let (Turn::Place(placement), Some(opening), true) =
            (turn, &self.opening, context.is_first_play)
        {
            equity.opening = opening.of(placement, self.rules.board.side());
        }
        equity.blanks = self.placed_blanks_change(turn, context);
        if context.bag == 0 {
            equity.late_game = context.left_over_adjustment(&leave, self.rules);
        } else if let Some(leaves) = self.leaves {
            // An exchange returns as many tiles as it draws.
            let drawn = match turn {
                Turn::Place(_) | Turn::Rearrange(_) => context.rack.len() - leave.len(),
                _ => 0,
            };
            equity.late_game = self.bag_adjustment(drawn, context);
            equity.leave = match turn {
                Turn::Pass => self.whole_rack_value(context.rack, leaves),
                _ => {
                    // A whole rack is no leave; `RackLeaves` does not extrapolate its value either.
                    let value = match leave.len() == context.rack.len() {
                        true => self.variations.leave_value(&leave, leaves.listed(&leave)),
                        false => self.table_value(&leave, leaves),
                    };
                    self.leave_value(value, drawn, context)
                }
            };
        }
        equity
    }

    fn phase(&self, context: &EvalContext) -> BagPhase {
        match context.bag {
            0 => BagPhase::Empty(context.opponent_points),
            bag if self.is_late(context) => BagPhase::Late(bag),
            _ => BagPhase::Early,
        }
    }

    /// Whether leave values do not depend on the number of tiles in the bag, as long
    /// as it has at least `min_bag`.
    pub(crate) fn leaves_ignore_bag(&self, context: &EvalContext, min_bag: usize) -> bool {
        let bag = min_bag;
        self.phase(&EvalContext { bag, ..*context }) == BagPhase::Early
    }

    /// The values of all leaves of the rack, for plays.
    pub fn rack_leaves(&mut self, context: &EvalContext) -> &RackLeaves {
        let (rack, rules) = (context.rack, self.rules);
        let wanted_for = Some((*rack, self.phase(context)));
        if self.rules.recycles_blanks {
            let penalty = self.variations.blank_penalty(context, rules);
            self.rack_leaves.set_blank_penalty(penalty);
        }
        if self.computed_for == wanted_for {
            return &self.rack_leaves;
        }
        self.computed_for = wanted_for;
        match self.leaves {
            _ if context.bag == 0 => self
                .rack_leaves
                .set(rack, |leave| context.left_over_adjustment(leave, rules)),
            None => self.rack_leaves.set_zero(rack),
            Some(leaves) => {
                self.rack_leaves.set_from_table(rack, leaves);
                if self.variations.corrects_leaves {
                    let (part, value) = (any_order_part, any_order_value);
                    self.rack_leaves.adjust_by_tiles(part, value);
                }
                if self.is_late(context) {
                    self.rack_leaves.adjust(|leave, kept| {
                        let drawn = rack.len() - kept;
                        context.leave_value(leave, drawn) + context.bag_adjustment(drawn)
                    });
                }
            }
        }
        &self.rack_leaves
    }

    /// The best turn: the best placement, or an exchange or pass with more equity; or where the rules
    /// have other turns, one of these. A play that reaches the target score is better than all others.
    pub fn best(&mut self, generator: &mut Generator, context: &EvalContext) -> EvaluatedTurn {
        let best = self.best_placement(generator, context);
        match self.rules.has_other_turns() && !context.wins(best.points) {
            true => self.best_other(generator, context, best),
            false => best,
        }
    }

    /// The best turn without edits and rearranging.
    fn best_placement(
        &mut self,
        generator: &mut Generator,
        context: &EvalContext,
    ) -> EvaluatedTurn {
        let best = self.best_with(context, |rack_leaves| generator.best(rack_leaves));
        self.or_winning_play(best, generator, context)
    }

    /// The turn with the most equity, or a placement that reaches the target score if that turn does
    /// not. `best` comes from [`Evaluator::best_with`] in the same context.
    pub(crate) fn or_winning_play(
        &mut self,
        best: EvaluatedTurn,
        generator: &mut Generator,
        context: &EvalContext,
    ) -> EvaluatedTurn {
        let is_open = !self.ignores_target && !context.wins(best.points);
        let Some(needed) = context.points_to_win.filter(|_| is_open) else {
            return best;
        };
        // No play has more equity than the best turn, so its points are at most that equity less the
        // lowest leave value and less the penalties of a first play and of blanks.
        let penalties = match context.is_first_play {
            true => EXPOSED_VOWEL_PENALTY.millis() * context.rack.len() as i32,
            false => 0,
        };
        let blanks = context.rack.count(Tile::BLANK);
        let penalties = penalties + self.variations.taken_blank.millis() * i32::from(blanks);
        let most_points =
            best.equity - self.rack_leaves.min_value() + Equity::from_millis(penalties);
        match Equity::from(needed) <= most_points {
            true => self.winning_play(generator, context).unwrap_or(best),
            false => best,
        }
    }

    /// The placement with the most points, if it reaches the target score.
    pub(crate) fn winning_play(
        &mut self,
        generator: &mut Generator,
        context: &EvalContext,
    ) -> Option<EvaluatedTurn> {
        let needed = context.points_to_win?;
        let points_alone = self
            .points_alone
            .get_or_insert_with(|| RackLeaves::empty(None));
        points_alone.set_zero(context.rack);
        let play = generator.best_from(points_alone, needed.into())?;
        let turn = Turn::Place(play.placement);
        context.wins(play.points).then(|| EvaluatedTurn {
            turn,
            points: play.points,
            equity: self.breakdown(&turn, play.points, context).total(),
        })
    }

    /// [`Evaluator::best`] with the best placement that `place` finds.
    pub(crate) fn best_with(
        &mut self,
        context: &EvalContext,
        place: impl FnOnce(&RackLeaves) -> Option<Play>,
    ) -> EvaluatedTurn {
        let play = place(self.rack_leaves(context)).map(EvaluatedTurn::from);
        // In most positions an upper bound rules out exchanges and the pass.
        let may_beat_play = |bound: Equity| play.is_none_or(|play| bound > play.equity);
        let waiting = self.waiting_bonus(context);
        let most = self.rack_leaves.max_value() + waiting;
        let tries_exchange = self.is_late(context) || may_beat_play(most);
        let exchange = tries_exchange.then(|| self.best_exchange(context));
        let pass_bound = self.bag_adjustment(0, context) + waiting;
        let pass = (self.adjusts && may_beat_play(pass_bound)).then(|| self.pass(context));
        let turns = [play, exchange.flatten(), pass].into_iter().flatten();
        let better = |best: EvaluatedTurn, next: EvaluatedTurn| match next.equity > best.equity {
            true => next,
            false => best,
        };
        turns.reduce(better).unwrap_or_else(|| self.pass(context))
    }

    /// The pass.
    fn pass(&self, context: &EvalContext) -> EvaluatedTurn {
        let equity = self.breakdown(&Turn::Pass, Points::ZERO, context).total();
        EvaluatedTurn {
            turn: Turn::Pass,
            points: Points::ZERO,
            equity,
        }
    }

    /// The value of a leave by the table, corrected for the rules.
    fn table_value(&self, leave: &TileCounts, leaves: &LeaveValues) -> Equity {
        self.variations.leave_value(leave, leaves.value(leave))
    }

    /// The leave value of a whole rack, which tables of leave values do not have:
    /// the mean of the leaves that lack one tile, but at most zero. So a pass never
    /// has more equity than an exchange of all tiles.
    fn whole_rack_value(&self, rack: &TileCounts, leaves: &LeaveValues) -> Equity {
        let value = |tile: Tile| {
            let mut left = *rack;
            left.take(tile);
            i64::from(self.table_value(&left, leaves).millis())
        };
        let sum: i64 = rack.iter().map(value).sum();
        let mean = sum / rack.len().max(1) as i64;
        Equity::from_millis(mean.min(0) as i32)
    }

    /// The exchange that keeps the best leave, if the rules allow one. It reads the
    /// values of the latest call of [`Evaluator::rack_leaves`].
    fn best_exchange(&self, context: &EvalContext) -> Option<EvaluatedTurn> {
        if self.rules.exchange.max_tiles(context.bag) == 0 {
            return None;
        }
        let most = context.rack.len().min(context.bag);
        let all = context.rack.len();
        // `rack_leaves` has the adjustment of a play with this leave. An exchange
        // leaves the bag as it is, so it has that of a turn that draws no tile.
        let bonus =
            |kept| self.bag_adjustment(0, context) - self.bag_adjustment(all - kept, context);
        let (kept, equity) = self.rack_leaves.best_leave(all - most, all - 1, bonus)?;
        let equity = equity + self.waiting_bonus(context);
        Some(EvaluatedTurn {
            turn: Turn::Exchange(without(context.rack, &kept)),
            points: Points::ZERO,
            equity,
        })
    }
}

/// A rack without some of its tiles.
fn without(rack: &TileCounts, tiles: &TileCounts) -> TileCounts {
    let mut left = *rack;
    for tile in tiles.iter() {
        left.take(tile);
    }
    left
}
