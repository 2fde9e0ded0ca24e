//! One rollout: play a candidate in one world, then let static players continue the game.
//!
//! Each worker owns a [`RolloutRunner`]. It deals the world of an iteration, plays every candidate
//! of its work item in it, and takes all moves back afterwards. Three things make this fast: boards
//! are changed and restored instead of copied, the board after each candidate is kept from one
//! iteration to the next, and candidates share the search for the opponent's reply
//! ([`Replies`]). The tests compare it with a plain rollout without any of these.

use super::board::RolloutBoards;
use super::statistics::RolloutSample;
use super::tuning::MIN_CANDIDATES_FOR_SHARED_REPLIES;
use super::verdicts::EndgameVerdicts;
use crate::eval::{EvalContext, Evaluator, PlayerStanding, Standing, WinEstimator};
use crate::movegen::{ContinueCheck, Replies};
use crate::rules::{Deal, FixedTiles, MAX_PLAYERS, Outcome, Position, RuleSet};
use crate::search::endgame::transposition::TranspositionTable;
use crate::search::ranking::{Candidate, SearchKnowledge};
use crate::seed::Seed;
use crate::units::{Equity, Points, WinProb};
use smallvec::SmallVec;

/// What all rollouts of a simulation have in common.
pub(super) struct SimContext<'a> {
    pub position: &'a Position,
    pub knowledge: SearchKnowledge<'a>,
    pub win_estimator: WinEstimator<'a>,
    pub candidates: &'a [Candidate],
    pub seed: Seed,
    /// The number of moves after the candidate, unless the game ends before.
    pub plies: usize,
    /// Whether each worker keeps the board after each candidate: faster, but it takes memory.
    pub keeps_boards: bool,
    /// Whether two players race to a target score.
    pub is_race: bool,
    pub may_continue: ContinueCheck<'a>,
}

impl SimContext<'_> {
    /// Whether a candidate reaches the target score.
    pub fn wins_at_once(&self, at: usize) -> bool {
        let needed = self.position.points_to_win(self.position.to_move());
        needed.is_some_and(|needed| self.candidates[at].worth.points >= needed)
    }
}

/// Runs rollouts on one thread. Owns every buffer they need.
pub(super) struct RolloutRunner<'a> {
    context: &'a SimContext<'a>,
    boards: RolloutBoards<'a>,
    evaluator: Evaluator<'a>,
    world: Deal,
    /// The iteration that `world` belongs to.
    iteration: Option<u64>,
    /// The next player's plays on the board before any candidate. A play in a part of the board that
    /// a candidate does not touch is a reply to that candidate too, so only the rest is searched
    /// again.
    replies: Replies,
    /// The leave values of the rack that replies.
    reply_evaluator: Evaluator<'a>,
    /// The seat that replies, if `replies` was filled for this world.
    reply_seat: Option<usize>,
    game: Deal,
    /// `None` if rollouts do not ask for verdicts.
    verdicts: Option<EndgameVerdicts<'a>>,
    /// The leave value after each player's last move, by seat.
    leave_values: [Equity; MAX_PLAYERS],
}

impl<'a> RolloutRunner<'a> {
    /// `table` is the transposition table for verdicts; `None` if rollouts ask for none.
    pub fn new(
        context: &'a SimContext<'a>,
        table: Option<&'a TranspositionTable>,
    ) -> RolloutRunner<'a> {
        let position = context.position;
        let (rules, knowledge) = (position.rules(), context.knowledge);
        let world = Deal::sample(position, context.seed);
        RolloutRunner {
            context,
            boards: RolloutBoards::new(context),
            evaluator: Evaluator::new(rules, knowledge.leaves),
            replies: Replies::default(),
            reply_evaluator: Evaluator::new(rules, knowledge.leaves),
            reply_seat: None,
            game: world.clone(),
            world,
            iteration: None,
            verdicts: table.map(|table| EndgameVerdicts::new(context, table)),
            leave_values: [Equity::ZERO; MAX_PLAYERS],
        }
    }

    /// Deals the world of an iteration, in which this worker will play `candidates` candidates.
    pub fn deal(&mut self, iteration: u64, candidates: usize) {
        if self.iteration == Some(iteration) {
            return;
        }
        let SimContext { position, seed, .. } = *self.context;
        self.world = Deal::sample(position, seed.for_unit(iteration));
        self.iteration = Some(iteration);
        self.reply_seat = None;
        if candidates >= MIN_CANDIDATES_FOR_SHARED_REPLIES && self.context.plies > 0 {
            self.prepare_shared_replies();
        }
    }

    /// Deals the world of an iteration with fixed tiles; `false` if there is none.
    pub fn deal_with(&mut self, iteration: u64, fixed: &FixedTiles) -> bool {
        let SimContext { position, seed, .. } = *self.context;
        let world = Deal::sample_with(position, fixed, seed.for_unit(iteration));
        self.iteration = world.is_some().then_some(iteration);
        self.reply_seat = None;
        world.map(|world| self.world = world).is_some()
    }

    /// Finds the replies that do not depend on the candidate. Late in the game leave values depend
    /// on how many tiles the candidate draws, so replies cannot be shared.
    fn prepare_shared_replies(&mut self) {
        let rules = self.context.position.rules();
        let next = (self.world.to_move() + 1) % self.world.player_count();
        let eval_context = EvalContext {
            rack: self.world.rack(next),
            ..EvalContext::in_deal(&self.world, false, rules)
        };
        let fewest = eval_context.bag.saturating_sub(rules.rack_size);
        let evaluator = &mut self.reply_evaluator;
        let can_share = !self.boards.is_empty() && !rules.has_other_turns();
        if can_share && evaluator.leaves_ignore_bag(&eval_context, fewest) {
            let generator = &mut self.boards.of(false).generator;
            generator.survey_replies(evaluator.rack_leaves(&eval_context), &mut self.replies);
            self.reply_seat = Some(next);
        }
    }

    /// Runs the rollout of candidate `at` in the world of `iteration`, which [`Self::deal`] has
    /// dealt. With `verdicts`, a close endgame is decided by a verdict.
    pub fn run(&mut self, iteration: u64, at: usize, verdicts: bool) -> RolloutSample {
        debug_assert_eq!(self.iteration, Some(iteration));
        self.game.copy_from(&self.world);
        self.leave_values = [Equity::ZERO; MAX_PLAYERS];
        self.play_candidate(at);
        let mut sample = RolloutSample {
            ends_game: self.game.end().is_some(),
            ..RolloutSample::default()
        };
        self.play_on(&mut sample);
        if verdicts && let Some(win) = self.win_by_verdict() {
            sample.win = win;
        }
        self.boards.restore(at, self.context.keeps_boards);
        sample
    }

    /// Runs a rollout without a candidate in the world that was dealt: the player to move is a static
    /// player too.
    pub fn run_static(&mut self) -> RolloutSample {
        self.game.copy_from(&self.world);
        self.leave_values = [Equity::ZERO; MAX_PLAYERS];
        let mut sample = RolloutSample::default();
        self.play_on(&mut sample);
        self.boards.restore(0, false);
        sample
    }

    /// Static players make the moves of the rollout, and its end is evaluated.
    fn play_on(&mut self, sample: &mut RolloutSample) {
        for ply in 0..self.context.plies {
            if self.game.end().is_some() {
                break;
            }
            self.play_static(ply, sample);
            let goes_on = ply + 1 < self.context.plies && self.game.end().is_none();
            if ply == 0 && goes_on && self.context.is_race {
                sample.win_after_reply = Some(self.estimate());
            }
        }
        (sample.win, sample.gain) = self.evaluate();
    }

    fn play_candidate(&mut self, at: usize) {
        let candidate = &self.context.candidates[at];
        let rules = self.context.position.rules();
        let (points, seat) = (candidate.worth.points, self.game.to_move());
        if self.game.bag_len() > 0 {
            self.leave_values[seat] = candidate.worth.total() - Equity::from(points);
        }
        if let Some(verdicts) = &mut self.verdicts {
            verdicts.start();
            verdicts.record(&self.game, &candidate.turn, points);
        }
        self.game.play(&candidate.turn, points, rules);
        if candidate.turn.changes_board() {
            self.boards.play_candidate(at, &candidate.turn, rules);
        }
    }

    /// The player to move makes the move with the best static value.
    fn play_static(&mut self, ply: usize, sample: &mut RolloutSample) {
        let rules = self.context.position.rules();
        let seat = self.game.to_move();
        let eval_context = EvalContext::in_deal(&self.game, self.boards.is_empty(), rules);
        let board = self.boards.of(seat == self.context.position.to_move());
        let generator = &mut board.generator;
        let is_shared_reply = ply == 0 && self.reply_seat == Some(seat);
        let (evaluator, replies) = (&mut self.reply_evaluator, &mut self.replies);
        let chosen = match is_shared_reply {
            true => {
                let best = evaluator.best_with(&eval_context, |rack_leaves| {
                    generator.best_reply(rack_leaves, replies, board.candidate.as_ref())
                });
                evaluator.or_winning_play(best, generator, &eval_context)
            }
            false => self.evaluator.best(generator, &eval_context),
        };
        self.leave_values[seat] = match eval_context.bag {
            0 => Equity::ZERO,
            _ => chosen.equity - Equity::from(chosen.points),
        };
        if let Some(verdicts) = &mut self.verdicts {
            verdicts.record(&self.game, &chosen.turn, chosen.points);
        }
        if chosen.turn.changes_board() {
            let last = ply + 1 == self.context.plies;
            let tiles = chosen.turn.placed_from_rack();
            sample
                .plies
                .push((chosen.points, rules.bonus[tiles] != Points::ZERO));
            self.game.play(&chosen.turn, chosen.points, rules);
            // The board after the last play is not used.
            if !last {
                self.boards.play(&chosen.turn, rules);
            }
        } else {
            sample.plies.push((Points::ZERO, false));
            self.game.play(&chosen.turn, Points::ZERO, rules);
        }
        if ply == 0 {
            sample.reply = Some(chosen.turn);
        }
    }

    /// The win probability where the rollout ends, and the gain in spread since its start. With
    /// several opponents, the spread is the lead over the best of them.
    fn evaluate(&self) -> (WinProb, Equity) {
        let position = self.context.position;
        let me = position.to_move();
        let opponents = || position.turn_order().filter(|seat| *seat != me);
        let lead = |score: &dyn Fn(usize) -> Points, leave_values: &[Equity]| {
            let over = |opponent: usize| {
                let points = Equity::from_lead(score(me) - score(opponent));
                points + leave_values[me] - leave_values[opponent]
            };
            opponents().map(over).min().unwrap_or(Equity::ZERO)
        };
        let no_leaves = [Equity::ZERO; MAX_PLAYERS];
        let before = lead(&|seat| position.score(seat), &no_leaves);
        match self.game.outcome(position.rules()) {
            Some(outcome) => {
                let after = lead(&|seat| outcome.scores[seat], &no_leaves);
                (won(&outcome, me, position.rules()), after - before)
            }
            None => {
                let score = |seat: usize| self.game.score(seat);
                let gain = lead(&score, &self.leave_values) - before;
                (self.estimate(), gain)
            }
        }
    }

    /// The win probability where the rollout ends before the game does.
    fn estimate(&self) -> WinProb {
        let (game, rules) = (&self.game, self.context.position.rules());
        let (count, to_move) = (game.player_count(), game.to_move());
        let player = |after: usize| {
            let seat = (to_move + after) % count;
            PlayerStanding {
                score: game.score(seat),
                leave: self.leave_values[seat],
                tiles: game.rack(seat).len(),
                points_to_win: game.points_to_win(seat, rules),
            }
        };
        let standing = Standing::new((0..count).map(player), game.bag_len());
        let me = (self.context.position.to_move() + count - to_move) % count;
        self.context.win_estimator.win_prob(&standing, me)
    }

    /// The win probability by a verdict on the endgame, if one is possible.
    fn win_by_verdict(&mut self) -> Option<WinProb> {
        let position = self.context.position;
        let (me, opponent) = (position.to_move(), 1 - position.to_move().min(1));
        let verdicts = self.verdicts.as_mut()?;
        let scores = self.game.outcome(position.rules())?.scores;
        verdicts.win(me, scores[me] - scores[opponent])
    }
}

/// The sample of a candidate by its static value alone, without a rollout.
pub(super) fn static_sample(context: &SimContext, at: usize) -> RolloutSample {
    let (position, candidate) = (context.position, &context.candidates[at]);
    let gain = candidate.worth.total();
    let count = position.player_count();
    // After the candidate the next player is to move; the tiles are those before it.
    let player = |after: usize| {
        let seat = (position.to_move() + after) % count;
        let (points, leave) = match after == count {
            true => (candidate.worth.points, gain - candidate.worth.points.into()),
            false => (Points::ZERO, Equity::ZERO),
        };
        PlayerStanding {
            score: position.score(seat) + points,
            leave,
            tiles: position.rack(seat).len(),
            points_to_win: position.points_to_win(seat).map(|needed| needed - points),
        }
    };
    let standing = Standing::new((1..=count).map(player), position.bag_len());
    RolloutSample {
        win: match context.wins_at_once(at) {
            true => WinProb::WON,
            false => context.win_estimator.win_prob(&standing, count - 1),
        },
        gain,
        ..RolloutSample::default()
    }
}

/// The win probability that an outcome means for `seat`: a part of a win for each who shares it.
fn won(outcome: &Outcome, seat: usize, rules: &RuleSet) -> WinProb {
    match outcome.winner {
        Some(winner) if winner == seat => WinProb::WON,
        Some(_) => WinProb::LOST,
        None => {
            let winners: SmallVec<[usize; MAX_PLAYERS]> = outcome.winners(rules).collect();
            match winners.contains(&seat) {
                true => WinProb::from_parts(WinProb::SCALE / winners.len() as u16),
                false => WinProb::LOST,
            }
        }
    }
}
