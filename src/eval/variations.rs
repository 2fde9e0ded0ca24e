//! Static evaluation of the turns that only some rules have: those with edits, and rearrangements;
//! and the bonuses and penalties that only some rules have.

use super::{EvalContext, EvaluatedTurn, Evaluator};
use crate::movegen::Generator;
use crate::movegen::variations::{EditedBoard, EditedBoards, rearrangements};
use crate::rules::{Edit, Edits, Turn};
use crate::units::{Equity, Points};

impl Evaluator<'_> {
    /// The bonus of a turn that leaves the board empty.
    pub(super) fn waiting_bonus(&self, context: &EvalContext) -> Equity {
        match context.is_first_play {
            true => self.variations.unopened_board,
            false => Equity::ZERO,
        }
    }

    /// What the blanks that a turn places from the rack change, edits not counted: zero or negative.
    pub(super) fn placed_blanks_change(&self, turn: &Turn, context: &EvalContext) -> Equity {
        let Some(penalty) = self.variations.blank_penalty(context, self.rules) else {
            return Equity::ZERO;
        };
        let sum = |sum, face| sum + penalty.of(face);
        match turn {
            Turn::Place(placement) => placement.faces().fold(Equity::ZERO, sum),
            Turn::Rearrange(found) => found.faces_from_rack().fold(Equity::ZERO, sum),
            _ => Equity::ZERO,
        }
    }

    /// What the blanks change that edits put on the board or take from it.
    pub(super) fn edits_change(&self, edits: &Edits, context: &EvalContext) -> Equity {
        let Some(penalty) = self.variations.blank_penalty(context, self.rules) else {
            return Equity::ZERO;
        };
        let change = |sum, edit: Edit| sum + penalty.of(edit.new) - penalty.of(edit.old);
        edits.iter().fold(Equity::ZERO, change)
    }

    /// The best of a turn and all turns with edits or rearrangements.
    pub(super) fn best_other(
        &mut self,
        generator: &Generator,
        context: &EvalContext,
        ordinary: EvaluatedTurn,
    ) -> EvaluatedTurn {
        let mut best = ordinary;
        let worth = |turn: &EvaluatedTurn| (context.wins(turn.points), turn.equity);
        let mut offer = |turn: EvaluatedTurn| {
            if worth(&turn) > worth(&best) {
                best = turn;
            }
        };
        for board in self.edited_boards(generator, context) {
            if !generator.may_continue() {
                break;
            }
            let context = EvalContext {
                rack: &board.rack,
                ..*context
            };
            if !board.edits.is_empty() {
                let mut generator = generator.for_board(self.rules, &board.grid);
                let main = self.best_placement(&mut generator, &context);
                let change = self.edits_change(&board.edits, &context);
                with_edits(main, &board, change)
                    .into_iter()
                    .for_each(&mut offer);
            }
            self.rearranged(generator, &board, &context, &mut offer);
        }
        best
    }

    /// Calls `sink` with turns with edits or rearrangements: of each edited board the `count` best
    /// placements, all exchanges and the pass, and all rearrangements. Stops when the generator's
    /// check says so, and returns whether it did not.
    pub fn other_turns(
        &mut self,
        generator: &Generator,
        context: &EvalContext,
        count: usize,
        mut sink: impl FnMut(EvaluatedTurn),
    ) -> bool {
        for board in self.edited_boards(generator, context) {
            let context = EvalContext {
                rack: &board.rack,
                ..*context
            };
            if !board.edits.is_empty() {
                self.edited(generator, &board, &context, count, &mut sink);
            }
            self.rearranged(generator, &board, &context, &mut sink);
            if !generator.may_continue() {
                return false;
            }
        }
        true
    }

    /// The boards and racks that edits of a generator's board lead to.
    fn edited_boards<'a>(
        &self,
        generator: &Generator<'a>,
        context: &EvalContext,
    ) -> EditedBoards<'a>
    where
        Self: 'a,
    {
        let graph = generator.words().graph;
        EditedBoards::new(self.rules, graph, &generator.grid(), context.rack)
    }

    /// The placements, exchanges and the pass on an edited board.
    fn edited(
        &mut self,
        generator: &Generator,
        board: &EditedBoard,
        context: &EvalContext,
        count: usize,
        sink: &mut impl FnMut(EvaluatedTurn),
    ) {
        let mut generator = generator.for_board(self.rules, &board.grid);
        let rack_leaves = self.rack_leaves(context);
        let plays = match count {
            usize::MAX => {
                let mut plays = Vec::new();
                let keep_going = || generator.may_continue();
                generator.for_each_play_while(rack_leaves, &keep_going, |play| plays.push(play));
                plays
            }
            count => generator.top(rack_leaves, count),
        };
        let mut plays: Vec<EvaluatedTurn> = plays.into_iter().map(EvaluatedTurn::from).collect();
        let winning = self.winning_play(&mut generator, context);
        let is_new = |new: &EvaluatedTurn| plays.iter().all(|play| play.turn != new.turn);
        plays.extend(winning.filter(is_new));
        let most = self.rules.exchange.max_tiles(context.bag);
        let exchanges = context.rack.nonempty_subsets().into_iter();
        let exchanges = exchanges.filter(|tiles| tiles.len() <= most);
        let others: Vec<Turn> = exchanges.map(Turn::Exchange).chain([Turn::Pass]).collect();
        let others = others.into_iter().map(|turn| EvaluatedTurn {
            turn,
            points: Points::ZERO,
            equity: self.breakdown(&turn, Points::ZERO, context).total(),
        });
        let change = self.edits_change(&board.edits, context);
        plays
            .into_iter()
            .chain(others)
            .filter_map(|main| with_edits(main, board, change))
            .for_each(sink);
    }

    fn rearranged(
        &mut self,
        generator: &Generator,
        board: &EditedBoard,
        context: &EvalContext,
        sink: &mut impl FnMut(EvaluatedTurn),
    ) {
        let (rules, grid) = (self.rules, &board.grid);
        let (graph, keep_going) = (generator.words().graph, || generator.may_continue());
        let change = self.edits_change(&board.edits, context);
        rearrangements(rules, graph, grid, context.rack, &keep_going, |found| {
            let (turn, points) = (Turn::Rearrange(found), found.points(rules, grid));
            let equity = self.breakdown(&turn, points, context).total();
            let main = EvaluatedTurn {
                turn,
                points,
                equity,
            };
            with_edits(main, board, change)
                .into_iter()
                .for_each(&mut *sink);
        });
    }
}

/// A turn on an edited board with the edits before it, which change its equity by `change`.
fn with_edits(main: EvaluatedTurn, board: &EditedBoard, change: Equity) -> Option<EvaluatedTurn> {
    let turn = main.turn.after_edits(&board.edits)?;
    let equity = main.equity + change;
    Some(EvaluatedTurn {
        turn,
        equity,
        ..main
    })
}
