//! The worth of tiles: how a game goes on if the player to move has or draws certain tiles.
//!
//! Rollouts of one move, or of static players alone, are run in sampled worlds. [`StaticPlay::lead`]
//! runs each world twice: as it is, and with as few tiles swapped as it takes to fix those in
//! question. The two have everything else in common, so that their paired differences vary less
//! than either result. All work is done by the calling thread.

use super::rollout::{RolloutRunner, SimContext};
use super::statistics::{OutcomeStats, RolloutSample, SampleStats};
use super::tuning::{MAX_ITERATIONS, MAX_PLIES};
use super::{Lead, plies_for};
use crate::eval::{WinEstimator, WinModel};
use crate::rules::{FixedTiles, Position};
use crate::search::ranking::{Candidate, SearchKnowledge};
use crate::seed::Seed;

/// Rollouts from one position by static players.
#[derive(Clone, Copy)]
pub struct StaticPlay<'a> {
    /// The position.
    pub position: &'a Position,
    /// What the players know.
    pub knowledge: SearchKnowledge<'a>,
    /// The win probability where a rollout ends before the game does.
    pub win_model: WinModel<'a>,
    /// The move of the player to move; `None` if this is a static player too.
    pub first_move: Option<&'a Candidate>,
    /// The number of moves with the first one; `None` for as many as a simulation makes.
    pub moves: Option<usize>,
    /// The number of worlds.
    pub iterations: u64,
    /// The seed of all worlds.
    pub seed: Seed,
}

/// How rollouts ended, from the side of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutFigures {
    /// The win probabilities, in parts of [`WinProb::SCALE`](crate::units::WinProb::SCALE).
    pub win: SampleStats,
    /// The spread gained, in thousandths of a point.
    pub gain: SampleStats,
}

impl StaticPlay<'_> {
    /// How the rollouts end in random worlds.
    pub fn outcome(&self) -> RolloutFigures {
        let mut stats = OutcomeStats::default();
        self.run(|runner, iteration| {
            runner.deal(iteration, 1);
            stats.add(&self.sample(runner, iteration));
            Some(())
        });
        let (win, gain) = (stats.win(), stats.gain);
        RolloutFigures { win, gain }
    }

    /// How much better the rollouts end if the player to move has or draws `fixed` than in random
    /// worlds. `None` if that player cannot.
    pub fn lead(&self, fixed: &FixedTiles) -> Option<Lead> {
        let mut leads = OutcomeStats::default();
        self.run(|runner, iteration| {
            runner.deal(iteration, 1);
            let random = self.sample(runner, iteration);
            runner.deal_with(iteration, fixed).then_some(())?;
            leads.add_lead(&self.sample(runner, iteration), &random);
            Some(())
        })?;
        let (win, gain) = (leads.win(), leads.gain);
        Some(Lead { win, gain })
    }

    /// Runs one rollout in the world that was dealt.
    fn sample(&self, runner: &mut RolloutRunner, iteration: u64) -> RolloutSample {
        match self.first_move {
            Some(_) => runner.run(iteration, 0, false),
            None => runner.run_static(),
        }
    }

    /// Calls `each` with a runner and the number of each iteration, until it returns `None`.
    fn run(&self, mut each: impl FnMut(&mut RolloutRunner, u64) -> Option<()>) -> Option<()> {
        let Self { position, .. } = *self;
        let moves = self.moves.unwrap_or_else(|| plies_for(position) + 1);
        let own_moves = usize::from(self.first_move.is_some());
        let context = SimContext {
            position,
            knowledge: self.knowledge,
            win_estimator: WinEstimator::new(
                self.win_model,
                position.rules(),
                position.player_count(),
            ),
            candidates: self.first_move.map_or(&[], std::slice::from_ref),
            seed: self.seed,
            plies: moves.min(MAX_PLIES).saturating_sub(own_moves),
            keeps_boards: true,
            is_race: false,
            may_continue: &|| true,
        };
        let mut runner = RolloutRunner::new(&context, None);
        (0..self.iterations.min(MAX_ITERATIONS)).try_for_each(|at| each(&mut runner, at))
    }
}
