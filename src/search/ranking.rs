//! All turns of a position in order, best first: the answer without search.

use super::Budget;
use crate::eval::{EquityBreakdown, EvalContext, EvaluatedTurn, Evaluator};
use crate::lexicon::{Graph, LeaveValues};
use crate::movegen::{Generator, Words, plain};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// What to rank, and how much of it to tell.
#[derive(Clone, Debug, Default)]
pub struct RankingRequest {
    /// How many of the best.
    pub count: usize,
    /// Whether all turns are looked at, or only those that a search would go on with.
    pub scope: RankingScope,
    /// Only these turns; all if there are none. They can be taken and form only words.
    pub only: Vec<Turn>,
    /// These too, wherever they come. They can be taken; their words may be none.
    pub also: Vec<Turn>,
}

/// How many turns are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankingScope {
    /// All.
    #[default]
    All,
    /// The best placements, which are found much faster, the best exchanges, and the pass where it may make sense.
    Best,
}

/// A turn in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The turn.
    pub turn: Turn,
    /// What it is worth, part by part.
    pub worth: EquityBreakdown,
    /// The known tiles that stay on the rack.
    pub leave: TileCounts,
    /// Its place among the turns looked at, from 1.
    pub rank: usize,
    /// Whether it is there because it was asked for.
    pub requested: bool,
    /// Whether it forms only words.
    pub valid: bool,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The best turns in order, and those that were asked for.
    pub candidates: Vec<Candidate>,
    /// How many turns were looked at.
    pub turns: usize,
    /// Whether they were all found before the budget was spent.
    pub complete: bool,
}

impl Ranking {
    /// The same with only so many of the best, and those that were asked for.
    #[must_use]
    pub fn first(&self, count: usize) -> Ranking {
        let is_told = |candidate: &&Candidate| candidate.rank <= count || candidate.requested;
        let candidates = self.candidates.iter().filter(is_told).copied();
        Ranking {
            candidates: candidates.collect(),
            ..*self
        }
    }

    /// The best turn; a pass if there is none.
    pub fn best(&self) -> Turn {
        self.candidates
            .iter()
            .find(|candidate| candidate.valid)
            .map_or(Turn::Pass, |candidate| candidate.turn)
    }
}

/// What turns are ranked by.
#[derive(Clone, Copy)]
pub struct SearchKnowledge<'a> {
    /// The words.
    pub words: Words<'a>,
    /// What tiles kept are worth; without it only points count until the bag is empty.
    pub leaves: Option<&'a LeaveValues>,
}

/// Ranks the turns of the player on turn by what they are worth.
pub fn rank(
    position: &Position,
    knowledge: SearchKnowledge,
    request: &RankingRequest,
    budget: &Budget,
) -> Ranking {
    let graph = knowledge.words.graph;
    let mut evaluator = Evaluator::new(position.rules(), knowledge.leaves);
    let context = EvalContext::of(position);
    let scope = (request.only.is_empty(), request.scope);
    let (mut turns, complete) = match scope {
        (true, RankingScope::All) => {
            let words = knowledge.words;
            let (mut some, complete) = turns(position, words, &mut evaluator, &context, budget);
            if !complete {
                // They came lane by lane, whatever they are worth. By the word map the best come within
                // a moment; where it cannot be used, this finds no more than one play.
                let (best, _) = best_turns(position, words, &mut evaluator, LAST_RESORT, budget);
                let found: HashSet<Turn> = some.iter().map(|valued| valued.turn).collect();
                some.extend(best.into_iter().filter(|new| !found.contains(&new.turn)));
            }
            (some, complete)
        }
        (true, RankingScope::Best) => {
            let words = knowledge.words;
            best_turns(position, words, &mut evaluator, request.count, budget)
        }
        (false, _) => (valued(position, &request.only, &evaluator, &context), true),
    };
    let all = turns.len();
    // Sets, since a client may ask for a hundred thousand moves in one line.
    let asked: HashSet<Turn> = request.also.iter().copied().collect();
    let found: HashSet<Turn> = turns
        .iter()
        .map(|valued| valued.turn)
        .filter(|turn| asked.contains(turn))
        .collect();
    let extra: Vec<EvaluatedTurn> = valued(position, &request.also, &evaluator, &context)
        .into_iter()
        .filter(|new| !found.contains(&new.turn))
        .collect();
    let invalid: HashSet<Turn> = extra
        .iter()
        .map(|extra| extra.turn)
        .filter(|turn| !forms_words(position, graph, turn))
        .collect();
    turns.extend(extra);
    sort(position, &mut turns);
    let candidate = |(at, valued): (usize, &EvaluatedTurn)| Candidate {
        turn: valued.turn,
        worth: evaluator.breakdown(&valued.turn, valued.points, &context),
        leave: context.leave(&valued.turn),
        rank: at + 1,
        requested: asked.contains(&valued.turn),
        valid: !invalid.contains(&valued.turn),
    };
    // What a search would go on with was chosen already.
    let count = match scope {
        (true, RankingScope::Best) => turns.len(),
        _ => request.count,
    };
    let is_shown =
        |(at, valued): &(usize, &EvaluatedTurn)| *at < count || asked.contains(&valued.turn);
    let shown = turns.iter().enumerate().filter(is_shown);
    Ranking {
        candidates: shown.map(candidate).collect(),
        turns: all,
        complete,
    }
}

/// All turns that there are, or those found before the budget was spent, and whether they are all.
fn turns(
    position: &Position,
    words: Words,
    evaluator: &mut Evaluator,
    context: &EvalContext,
    budget: &Budget,
) -> (Vec<EvaluatedTurn>, bool) {
    let generator = Generator::new(position.rules(), words, position.grid());
    let mut turns = Vec::new();
    // However short the time, one play is better than none, and comes within a moment.
    let (any, complete) = (Cell::new(false), Cell::new(true));
    let go_on = || {
        complete.set(!any.get() || budget.may_continue());
        complete.get()
    };
    generator.for_each_play_while(evaluator.rack_leaves(context), &go_on, |play| {
        any.set(true);
        turns.push(EvaluatedTurn {
            turn: Turn::Place(play.placement),
            points: play.points,
            equity: play.equity,
        });
    });
    let others: Vec<Turn> = exchanges(position).chain([Turn::Pass]).collect();
    turns.extend(valued(position, &others, evaluator, context));
    (turns, complete.get())
}

/// Where there is no time to find all turns, so many of the best are looked for.
const LAST_RESORT: usize = 10;
/// So many exchanges are among the best turns in any case: what they are worth is hard to tell without search.
const EXCHANGES: usize = 2;
/// With fewer placements than this, a pass may make sense.
const FEW: usize = 5;

/// The `count` best turns, and the exchanges and the pass that should be among them.
fn best_turns(
    position: &Position,
    words: Words,
    evaluator: &mut Evaluator,
    count: usize,
    budget: &Budget,
) -> (Vec<EvaluatedTurn>, bool) {
    let context = EvalContext::of(position);
    let cut = AtomicBool::new(false);
    let patience = || {
        let goes_on = budget.may_continue();
        cut.fetch_or(!goes_on, Ordering::Relaxed);
        goes_on
    };
    let generator = Generator::new(position.rules(), words, position.grid());
    let mut generator = generator.with_continue_check(&patience);
    let plays = generator.top(evaluator.rack_leaves(&context), count);
    let placed = plays.iter().map(|play| EvaluatedTurn {
        turn: Turn::Place(play.placement),
        points: play.points,
        equity: play.equity,
    });
    let mut turns: Vec<EvaluatedTurn> = placed.collect();
    let exchanges: Vec<Turn> = exchanges(position).collect();
    let mut exchanges = valued(position, &exchanges, evaluator, &context);
    sort(position, &mut exchanges);
    let beaten = turns.get(count.saturating_sub(1)).map(|last| last.equity);
    let few = turns.len() < FEW.min(count) || position.bag_len() < position.rules().rack_size;
    let stays = |(at, exchange): (usize, EvaluatedTurn)| {
        let stays = at < EXCHANGES || beaten.is_none_or(|beaten| exchange.equity > beaten);
        stays.then_some(exchange)
    };
    turns.extend(
        exchanges
            .into_iter()
            .take(count)
            .enumerate()
            .filter_map(stays),
    );
    if few || turns.is_empty() {
        turns.extend(valued(position, &[Turn::Pass], evaluator, &context));
    }
    (turns, !cut.load(Ordering::Relaxed))
}

/// The exchanges that the rules allow.
fn exchanges(position: &Position) -> impl Iterator<Item = Turn> {
    plain::exchanges(position)
        .into_iter()
        .map(|scored| scored.turn)
}

/// What is worth most first, then what scores most, then placements before
/// exchanges before the pass, then the larger exchange, then as they are
/// written: an order without chance.
fn sort(position: &Position, turns: &mut [EvaluatedTurn]) {
    let (grid, tiles) = (position.grid(), &position.rules().tiles);
    turns.sort_by_cached_key(|valued| {
        let kind = match &valued.turn {
            Turn::Place(_) => (0, Reverse(0)),
            Turn::Exchange(exchanged) => (1, Reverse(exchanged.len())),
            Turn::ExchangeUnseen(count) => (1, Reverse(usize::from(*count))),
            Turn::Pass => (2, Reverse(0)),
        };
        (
            Reverse((valued.equity, valued.points)),
            kind,
            moves::write(&valued.turn, grid, tiles),
        )
    });
}

/// Each different turn with what it is worth.
fn valued(
    position: &Position,
    turns: &[Turn],
    evaluator: &Evaluator,
    context: &EvalContext,
) -> Vec<EvaluatedTurn> {
    let mut seen = HashSet::new();
    let different = turns.iter().filter(|&&turn| seen.insert(turn));
    let valued = |&turn: &Turn| {
        let points = match &turn {
            Turn::Place(placement) => position
                .examine(placement)
                .map_or(Points::ZERO, |score| score.total()),
            _ => Points::ZERO,
        };
        EvaluatedTurn {
            turn,
            points,
            equity: evaluator.breakdown(&turn, points, context).total(),
        }
    };
    different.map(valued).collect()
}

fn forms_words(position: &Position, graph: &Graph, turn: &Turn) -> bool {
    match turn {
        Turn::Place(placement) => position
            .examine(placement)
            .is_ok_and(|score| score.words.iter().all(|word| graph.contains(&word.word()))),
        _ => true,
    }
}
