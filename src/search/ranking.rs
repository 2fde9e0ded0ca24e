//! Ranking: the moves of a position by static value, the best first. This is the answer without
//! search, and the list of candidates for every search.
//!
//! [`rank`] generates the moves of the player to move, values each with an [`Evaluator`] (points
//! plus leave value and other static terms), and sorts them. It does not look at any reply.

use super::{Budget, Vocabulary};
use crate::eval::{EquityBreakdown, EvalContext, EvaluatedTurn, Evaluator};
use crate::lexicon::{Graph, LeaveValues};
use crate::movegen::{Generator, Words, plain};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::cmp::{self, Reverse};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of best plays to look for when there is no time to find all. Chosen by hand: the word
/// map finds this many within a moment.
const LAST_RESORT_PLAYS: usize = 10;
/// The time that a ranking without the word map may take although the budget is spent, because the
/// graph finds moves lane by lane and the best may come last. Chosen by hand: to find all moves
/// takes the graph 1 to 5 ms in most positions.
const GRACE_WITHOUT_WORD_MAP: Duration = Duration::from_millis(50);
/// The moves of a complete ranking that are kept at least, the best of them; the others are only
/// counted. Chosen by hand: most positions have fewer plays, but where letters may stand in any
/// order a rack with two blanks can have 48 million.
const MIN_KEPT_MOVES: usize = 1_000;
/// The same if the client named moves to return whatever their rank: ranks are exact up to this one.
/// Chosen by hand: more than ordinary positions have moves.
const MIN_KEPT_MOVES_WITH_NAMED: usize = 100_000;
/// The largest number of moves that a complete ranking counts. Chosen by hand: only rules with other
/// turns, or with letters in any order, have more than 100,000 moves, and to count them can take
/// hours with nine tiles.
pub const MAX_COUNTED_MOVES: usize = 2_000_000;
/// The number of exchanges that are always among the best moves, because their value is hard to
/// estimate without search. Chosen by hand.
const MIN_EXCHANGES: usize = 2;
/// With fewer placements than this, a pass is a candidate too. Chosen by hand.
const MIN_PLACEMENTS_WITHOUT_PASS: usize = 5;

/// What to rank, and how much of it to return.
#[derive(Clone, Debug, Default)]
pub struct RankingRequest {
    /// The number of best moves to return.
    pub count: usize,
    /// Which moves are considered.
    pub scope: RankingScope,
    /// If not empty: only these moves. They are legal, and not phonies.
    pub only: Vec<Turn>,
    /// Moves to return in addition, whatever their rank. They are legal, but may be phonies.
    pub also: Vec<Turn>,
}

/// Which moves a ranking considers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankingScope {
    /// All moves.
    #[default]
    All,
    /// Candidates for a search: the best placements, which are found much faster than all, the best
    /// exchanges, and the pass where it may make sense.
    Best,
}

/// A ranked move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub turn: Turn,
    /// Its static value, part by part.
    pub worth: EquityBreakdown,
    /// The known tiles that stay on the rack.
    pub leave: TileCounts,
    /// Its rank among the moves considered, from 1.
    pub rank: usize,
    /// Whether the client named it ([`RankingRequest::also`]).
    pub requested: bool,
    /// Whether it is not a phony: it forms only words.
    pub valid: bool,
}

/// The moves of a position in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The best moves in order, and those that were requested.
    pub candidates: Vec<Candidate>,
    /// The number of moves considered.
    pub turns: usize,
    /// Whether these are all moves.
    pub extent: RankingExtent,
}

/// Whether a ranking considered all moves that it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankingExtent {
    /// It did.
    Complete,
    /// There are more than [`MAX_COUNTED_MOVES`]. The best are found all the same.
    TooMany,
    /// The budget was spent before all moves were found.
    OutOfBudget,
}

impl RankingExtent {
    /// What a client should know about a ranking that is not complete.
    pub fn notice(self) -> Option<String> {
        match self {
            RankingExtent::Complete => None,
            RankingExtent::TooMany => Some(format!(
                "there are more than {MAX_COUNTED_MOVES} moves; the best are shown, the others are \
                 not counted"
            )),
            RankingExtent::OutOfBudget => Some("stopped before all moves were found".to_string()),
        }
    }
}

impl Ranking {
    /// The same ranking with only the first `count` moves, and those that were requested.
    #[must_use]
    pub fn first(&self, count: usize) -> Ranking {
        let stays = |candidate: &&Candidate| candidate.rank <= count || candidate.requested;
        let candidates = self.candidates.iter().filter(stays).copied();
        Ranking {
            candidates: candidates.collect(),
            ..*self
        }
    }

    /// The best move; a pass if there is none.
    pub fn best(&self) -> Turn {
        self.candidates
            .iter()
            .find(|candidate| candidate.valid)
            .map_or(Turn::Pass, |candidate| candidate.turn)
    }
}

/// What a search knows beside the position.
#[derive(Clone, Copy)]
pub struct SearchKnowledge<'a> {
    /// The words.
    pub vocabulary: Vocabulary<'a>,
    /// The leave values. Without them only points count until the bag is empty.
    pub leaves: Option<&'a LeaveValues>,
}

impl<'a> SearchKnowledge<'a> {
    /// The knowledge of a search in which every player knows all words.
    pub fn new(words: Words<'a>, leaves: Option<&'a LeaveValues>) -> SearchKnowledge<'a> {
        SearchKnowledge {
            vocabulary: Vocabulary::complete(words),
            leaves,
        }
    }
}

/// Ranks the moves of the player to move by static value.
pub fn rank(
    position: &Position,
    knowledge: SearchKnowledge,
    request: &RankingRequest,
    budget: &Budget,
) -> Ranking {
    let mut ranker = Ranker {
        position,
        words: knowledge.vocabulary.known,
        evaluator: Evaluator::new(position.rules(), knowledge.leaves),
        context: EvalContext::of(position),
        budget,
        start: Instant::now(),
    };
    let ProposedMoves {
        mut turns,
        left_out,
        extent,
    } = ranker.propose(request);
    let considered = turns.len() + left_out;
    // Sets, because a client may name a hundred thousand moves in one line.
    let requested: HashSet<Turn> = request.also.iter().copied().collect();
    let found: HashSet<Turn> = turns
        .iter()
        .map(|valued| valued.turn)
        .filter(|turn| requested.contains(turn))
        .collect();
    let mut extra = ranker.valued(&request.also);
    extra.retain(|new| !found.contains(&new.turn));
    let phonies: HashSet<Turn> = extra
        .iter()
        .map(|extra| extra.turn)
        .filter(|turn| !forms_words(position, knowledge.vocabulary.legal.graph, turn))
        .collect();
    turns.extend(extra);
    MoveOrder::of(position).sort(&mut turns);
    let count = match (request.only.is_empty(), request.scope) {
        // All of these are candidates.
        (true, RankingScope::Best) => turns.len(),
        _ => request.count,
    };
    let candidate = |(at, valued): (usize, &EvaluatedTurn)| Candidate {
        turn: valued.turn,
        worth: ranker
            .evaluator
            .breakdown(&valued.turn, valued.points, &ranker.context),
        leave: ranker.context.leave(&valued.turn),
        rank: at + 1,
        requested: requested.contains(&valued.turn),
        valid: !phonies.contains(&valued.turn),
    };
    let is_returned =
        |(at, valued): &(usize, &EvaluatedTurn)| *at < count || requested.contains(&valued.turn);
    let returned = turns.iter().enumerate().filter(is_returned);
    Ranking {
        candidates: returned.map(candidate).collect(),
        turns: considered,
        extent,
    }
}

/// Generates and values the moves of one position.
struct Ranker<'a> {
    position: &'a Position,
    /// The words that the player to move knows.
    words: Words<'a>,
    evaluator: Evaluator<'a>,
    context: EvalContext<'a>,
    budget: &'a Budget,
    start: Instant,
}

/// The moves that a ranking is about.
struct ProposedMoves {
    /// The moves, in any order.
    turns: Vec<EvaluatedTurn>,
    /// The number of moves that were found but not kept: they come after all the others.
    left_out: usize,
    extent: RankingExtent,
}

/// The best moves found so far. The others are only counted.
struct BestMoves<'a> {
    order: MoveOrder<'a>,
    /// The number of moves to keep at least.
    kept: usize,
    turns: Vec<EvaluatedTurn>,
    left_out: usize,
}

impl BestMoves<'_> {
    fn new(position: &Position, kept: usize) -> BestMoves<'_> {
        BestMoves {
            order: MoveOrder::of(position),
            kept,
            turns: Vec::new(),
            left_out: 0,
        }
    }

    fn add(&mut self, turn: EvaluatedTurn) {
        self.turns.push(turn);
        if self.turns.len() / 2 >= self.kept {
            self.cut();
        }
    }

    /// Leaves out all but the best.
    fn cut(&mut self) {
        if self.turns.len() > self.kept {
            let order = self.order;
            let compare = |a: &EvaluatedTurn, b: &EvaluatedTurn| order.compare(a, b);
            self.turns.select_nth_unstable_by(self.kept, compare);
            self.left_out += self.turns.len() - self.kept;
            self.turns.truncate(self.kept);
        }
    }
}

impl<'a> Ranker<'a> {
    /// Says, each time it is called, whether time is left to look for moves.
    fn continue_check(&self) -> impl Fn() -> bool + use<'a> {
        let (words, budget, start) = (self.words, self.budget, self.start);
        let has_grace =
            move || words.map.get().is_none() && start.elapsed() < GRACE_WITHOUT_WORD_MAP;
        move || budget.may_continue() || has_grace()
    }

    /// The moves that a request asks for.
    fn propose(&mut self, request: &RankingRequest) -> ProposedMoves {
        if !request.only.is_empty() {
            return ProposedMoves {
                turns: self.valued(&request.only),
                left_out: 0,
                extent: RankingExtent::Complete,
            };
        }
        let kept = match request.also.is_empty() {
            true => MIN_KEPT_MOVES,
            false => MIN_KEPT_MOVES_WITH_NAMED,
        };
        match request.scope {
            RankingScope::Best => {
                let (turns, extent) = self.best_moves(request.count);
                ProposedMoves {
                    turns,
                    left_out: 0,
                    extent,
                }
            }
            RankingScope::All => {
                // Where to find all moves can take hours, the best ones are found first.
                let first = match self.position.rules().has_vast_rankings() {
                    true => self.best_moves(request.count).0,
                    false => Vec::new(),
                };
                let mut moves = self.all_moves(request.count.max(kept));
                // The generator goes lane by lane, so the best may be missing. The word map finds them
                // within a moment; without it, even the grace was too short, and this finds one play
                // at most.
                let best = match moves.extent {
                    RankingExtent::Complete => Vec::new(),
                    _ if !first.is_empty() => first,
                    _ => self.best_moves(LAST_RESORT_PLAYS).0,
                };
                let found: HashSet<Turn> = moves.turns.iter().map(|valued| valued.turn).collect();
                let new = best.into_iter().filter(|new| !found.contains(&new.turn));
                moves.turns.extend(new);
                moves
            }
        }
    }

    /// All moves, or those found before the budget was spent or [`MAX_COUNTED_MOVES`] were counted; of
    /// very many at least the best `kept`.
    fn all_moves(&mut self, kept: usize) -> ProposedMoves {
        let (position, has_time) = (self.position, self.continue_check());
        let counted = AtomicUsize::new(0);
        let extent = || match counted.load(Ordering::Relaxed) {
            // However short the time, find one play: it comes within a moment.
            0 => RankingExtent::Complete,
            count if count > MAX_COUNTED_MOVES => RankingExtent::TooMany,
            _ if has_time() => RankingExtent::Complete,
            _ => RankingExtent::OutOfBudget,
        };
        let was_cut = AtomicBool::new(false);
        let go_on = || {
            let goes_on = extent() == RankingExtent::Complete;
            was_cut.fetch_or(!goes_on, Ordering::Relaxed);
            goes_on
        };
        let generator = Generator::new(position.rules(), self.words, position.grid());
        let generator = generator.with_continue_check(&go_on);
        let mut moves = BestMoves::new(position, kept);
        let mut add = |turn: EvaluatedTurn| {
            counted.fetch_add(1, Ordering::Relaxed);
            moves.add(turn);
        };
        let rack_leaves = self.evaluator.rack_leaves(&self.context);
        generator.for_each_play_while(rack_leaves, &go_on, |play| add(EvaluatedTurn::from(play)));
        let others: Vec<Turn> = plain::exchanges(position).chain([Turn::Pass]).collect();
        self.valued(&others).into_iter().for_each(&mut add);
        if position.rules().has_other_turns() {
            let every = usize::MAX;
            self.evaluator
                .other_turns(&generator, &self.context, every, add);
        }
        ProposedMoves {
            turns: moves.turns,
            left_out: moves.left_out,
            extent: match was_cut.into_inner() {
                true => extent(),
                false => RankingExtent::Complete,
            },
        }
    }

    /// The `count` best placements, the exchanges and the pass that should be candidates too, and
    /// whether the budget sufficed.
    fn best_moves(&mut self, count: usize) -> (Vec<EvaluatedTurn>, RankingExtent) {
        let (position, may_continue) = (self.position, self.continue_check());
        let order = MoveOrder::of(position);
        let cut = AtomicBool::new(false);
        let go_on = || {
            let goes_on = may_continue();
            cut.fetch_or(!goes_on, Ordering::Relaxed);
            goes_on
        };
        let generator = Generator::new(position.rules(), self.words, position.grid());
        let mut generator = generator.with_continue_check(&go_on);
        let plays = generator.top(self.evaluator.rack_leaves(&self.context), count);
        let mut moves: Vec<EvaluatedTurn> = plays.into_iter().map(EvaluatedTurn::from).collect();
        if position.rules().has_other_turns() {
            let mut best = BestMoves::new(position, count);
            best.turns = moves;
            let add = |turn| best.add(turn);
            self.evaluator
                .other_turns(&generator, &self.context, count, add);
            best.cut();
            moves = best.turns;
            order.sort(&mut moves);
        }
        // A play that reaches the target score may have a low equity.
        let winning = self.evaluator.winning_play(&mut generator, &self.context);
        let is_new = |new: &EvaluatedTurn| moves.iter().all(|found| found.turn != new.turn);
        if let Some(winning) = winning.filter(is_new) {
            moves.insert(0, winning);
            moves.truncate(count);
        }
        let exchanges: Vec<Turn> = plain::exchanges(position).collect();
        let mut exchanges = self.valued(&exchanges);
        order.sort(&mut exchanges);
        let last = moves.get(count.saturating_sub(1)).map(|last| last.equity);
        let may_pass = moves.len() < MIN_PLACEMENTS_WITHOUT_PASS.min(count)
            || position.bag_len() < position.rules().rack_size;
        let is_candidate = |(at, exchange): (usize, EvaluatedTurn)| {
            let beats_last = last.is_none_or(|last| exchange.equity > last);
            (at < MIN_EXCHANGES || beats_last).then_some(exchange)
        };
        let exchanges = exchanges.into_iter().take(count).enumerate();
        moves.extend(exchanges.filter_map(is_candidate));
        if may_pass || moves.is_empty() {
            moves.extend(self.valued(&[Turn::Pass]));
        }
        let extent = match cut.load(Ordering::Relaxed) {
            true => RankingExtent::OutOfBudget,
            false => RankingExtent::Complete,
        };
        (moves, extent)
    }

    /// Values these moves, each once.
    fn valued(&self, turns: &[Turn]) -> Vec<EvaluatedTurn> {
        let mut seen = HashSet::new();
        let different = turns.iter().filter(|&&turn| seen.insert(turn));
        let valued = |&turn: &Turn| {
            let points = match turn.changes_board() {
                true => self
                    .position
                    .examine_turn(&turn)
                    .map_or(Points::ZERO, |score| score.total()),
                false => Points::ZERO,
            };
            EvaluatedTurn {
                turn,
                points,
                equity: self
                    .evaluator
                    .breakdown(&turn, points, &self.context)
                    .total(),
            }
        };
        different.map(valued).collect()
    }
}

/// The order of moves in a ranking.
#[derive(Clone, Copy)]
struct MoveOrder<'a> {
    position: &'a Position,
    /// Where a target score wins: the points that the player to move needs for it.
    points_to_win: Option<Points>,
}

impl MoveOrder<'_> {
    fn of(position: &Position) -> MoveOrder<'_> {
        MoveOrder {
            position,
            points_to_win: position.points_to_win(position.to_move()),
        }
    }

    /// Sorts moves, the best first.
    fn sort(&self, turns: &mut [EvaluatedTurn]) {
        turns.sort_unstable_by(|a, b| self.compare(a, b));
    }

    /// Compares moves: those that reach the target score first, then by static value, then by points,
    /// then placements before exchanges before the pass, then larger exchanges first, then by their
    /// notation. An order without chance.
    fn compare(&self, a: &EvaluatedTurn, b: &EvaluatedTurn) -> cmp::Ordering {
        let wins = |valued: &EvaluatedTurn| {
            self.points_to_win
                .is_some_and(|needed| valued.points >= needed)
        };
        let value = |valued: &EvaluatedTurn| Reverse((wins(valued), valued.equity, valued.points));
        let kind = |valued: &EvaluatedTurn| match &valued.turn.parts().1 {
            Turn::Place(_) | Turn::Rearrange(_) | Turn::Edited(_) => (0, Reverse(0)),
            Turn::Exchange(exchanged) => (1, Reverse(exchanged.len())),
            Turn::ExchangeUnseen(count) => (1, Reverse(usize::from(*count))),
            Turn::Pass => (2, Reverse(0)),
        };
        let (grid, tiles) = (self.position.grid(), &self.position.rules().tiles);
        let text = |valued: &EvaluatedTurn| moves::write(&valued.turn, grid, tiles);
        // Most moves differ before their notation, which takes longest.
        value(a)
            .cmp(&value(b))
            .then_with(|| kind(a).cmp(&kind(b)))
            .then_with(|| text(a).cmp(&text(b)))
    }
}

/// Whether a move is not a phony.
fn forms_words(position: &Position, graph: &Graph, turn: &Turn) -> bool {
    !turn.changes_board()
        || position
            .examine_turn(turn)
            .is_ok_and(|score| score.formed().all(|word| graph.contains(&word)))
}
