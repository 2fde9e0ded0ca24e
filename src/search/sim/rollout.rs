//! One rollout: a candidate is taken in a sampled world, and the game is
//! played on for some turns by static players.

use super::Sample;
use super::endings::Endings;
use crate::eval::{EvalContext, Evaluator, WinModel};
use crate::movegen::{ContinueCheck, Generator, PlayDelta, Replies};
use crate::rules::{Deal, MAX_PLAYERS, Outcome, Position, Turn};
use crate::search::endgame::transposition::TranspositionTable;
use crate::search::ranking::{Candidate, SearchKnowledge};
use crate::seed::Seed;
use crate::units::{Equity, Points, WinProb};
use smallvec::SmallVec;

/// What all rollouts of a simulation have in common.
pub(super) struct Scene<'a> {
    pub position: &'a Position,
    pub knowledge: SearchKnowledge<'a>,
    pub chances: WinModel<'a>,
    pub candidates: &'a [Candidate],
    pub seed: Seed,
    /// How many turns are played after the candidate; the end of the game may come before.
    pub plies: usize,
    /// Whether each worker keeps the board after each candidate: faster, but it takes memory.
    pub keeps_boards: bool,
}

/// A worker that makes rollouts, with all that it needs for that.
pub(super) struct Roller<'a> {
    scene: &'a Scene<'a>,
    generator: Generator<'a>,
    /// The boards after the candidates, as far as they were needed yet.
    boards: Vec<Option<PlayDelta>>,
    evaluator: Evaluator<'a>,
    world: Deal,
    /// The iteration that the world belongs to.
    iteration: Option<u64>,
    answers: Answers<'a>,
    game: Deal,
    /// What was played after the candidate, to take it back.
    played: SmallVec<[PlayDelta; 8]>,
    /// None if rollouts do not end in endings that are looked at.
    endings: Option<Endings<'a>>,
    /// What is to be added to each player's score for the tiles kept last, by seat.
    kept: [Equity; MAX_PLAYERS],
}

/// What the next player can answer to any candidate, as far as it is common to all.
struct Answers<'a> {
    evaluator: Evaluator<'a>,
    replies: Replies,
    /// The seat it is about, if it was worked out for this world and is of use.
    seat: Option<usize>,
}

/// With fewer candidates in the race it takes longer to work out what their answers have in common than it saves.
const SHARING: usize = 4;

impl<'a> Roller<'a> {
    /// With a table, if rollouts end in endings that are looked at.
    pub fn new(
        scene: &'a Scene<'a>,
        table: Option<&'a TranspositionTable>,
        patience: ContinueCheck<'a>,
    ) -> Roller<'a> {
        let position = scene.position;
        let (rules, knowledge) = (position.rules(), scene.knowledge);
        let world = Deal::sample(position, scene.seed);
        let generator = Generator::new(rules, knowledge.words, position.grid());
        let mut generator = generator.with_continue_check(patience);
        generator.prepare();
        Roller {
            scene,
            generator,
            boards: vec![None; scene.candidates.len()],
            evaluator: Evaluator::new(rules, knowledge.leaves),
            answers: Answers {
                evaluator: Evaluator::new(rules, knowledge.leaves),
                replies: Replies::default(),
                seat: None,
            },
            game: world.clone(),
            world,
            iteration: None,
            played: SmallVec::new(),
            endings: table.map(|table| Endings::new(scene, table, patience)),
            kept: [Equity::ZERO; MAX_PLAYERS],
        }
    }

    /// Deals the world of an iteration, in which so many candidates are to be played out.
    pub fn deal(&mut self, iteration: u64, candidates: usize) {
        if self.iteration == Some(iteration) {
            return;
        }
        let Scene { position, seed, .. } = *self.scene;
        self.world = Deal::sample(position, seed.for_unit(iteration));
        self.iteration = Some(iteration);
        self.answers.seat = None;
        if candidates >= SHARING && self.scene.plies > 0 {
            self.survey();
        }
    }

    /// Works out what the next player can answer whatever the candidate. Late
    /// in the game that depends on how many tiles the candidate draws.
    fn survey(&mut self) {
        let rules = self.scene.position.rules();
        let next = (self.world.to_move() + 1) % self.world.player_count();
        let context = EvalContext {
            rack: self.world.rack(next),
            ..EvalContext::in_deal(&self.world, false, rules)
        };
        let fewest = context.bag.saturating_sub(rules.rack_size);
        let Answers {
            evaluator,
            replies,
            seat,
        } = &mut self.answers;
        if !self.generator.is_empty() && evaluator.leaves_ignore_bag(&context, fewest) {
            self.generator
                .survey_replies(evaluator.rack_leaves(&context), replies);
            *seat = Some(next);
        }
    }

    /// Plays a candidate out in the world that was dealt. The world is shared
    /// by all candidates of the iteration, so that they differ by their merit
    /// and not by the luck of the draw. It may look at who wins the ending.
    pub fn run(&mut self, iteration: u64, at: usize, looks: bool) -> Sample {
        debug_assert_eq!(self.iteration, Some(iteration));
        self.game.copy_from(&self.world);
        self.kept = [Equity::ZERO; MAX_PLAYERS];
        let board = self.make_candidate(at);
        let mut sample = Sample {
            ends_game: self.game.end().is_some(),
            ..Sample::default()
        };
        for ply in 0..self.scene.plies {
            if self.game.end().is_some() {
                break;
            }
            self.turn(ply, board.as_ref(), &mut sample);
        }
        (sample.win, sample.gain) = self.value();
        if looks && let Some(win) = self.win_by_ending() {
            sample.win = win;
        }
        while let Some(change) = self.played.pop() {
            self.generator.take_back(change);
        }
        self.take_back_candidate(at, board);
        sample
    }

    /// Takes the candidate; what takes its tiles from the board again, if it placed any.
    fn make_candidate(&mut self, at: usize) -> Option<PlayDelta> {
        let candidate = &self.scene.candidates[at];
        let rules = self.scene.position.rules();
        let (points, seat) = (candidate.worth.points, self.game.to_move());
        if self.game.bag_len() > 0 {
            self.kept[seat] = candidate.worth.total() - Equity::from(points);
        }
        if let Some(endings) = &mut self.endings {
            endings.start();
            endings.note(&self.game, &candidate.turn, points);
        }
        self.game.play(&candidate.turn, points, rules);
        let Turn::Place(placement) = &candidate.turn else {
            return None;
        };
        Some(match self.boards[at].take() {
            Some(mut board) => {
                self.generator.toggle(&mut board);
                board
            }
            None => {
                let board = self.generator.play(placement);
                self.generator.prepare();
                board
            }
        })
    }

    fn take_back_candidate(&mut self, at: usize, board: Option<PlayDelta>) {
        let Some(mut board) = board else { return };
        if self.scene.keeps_boards {
            self.generator.toggle(&mut board);
            self.boards[at] = Some(board);
        } else {
            self.generator.take_back(board);
        }
    }

    /// The next player takes the turn that looks best without search.
    fn turn(&mut self, ply: usize, candidate: Option<&PlayDelta>, sample: &mut Sample) {
        let rules = self.scene.position.rules();
        let seat = self.game.to_move();
        let context = EvalContext::in_deal(&self.game, self.generator.is_empty(), rules);
        let generator = &mut self.generator;
        let is_answer = ply == 0 && self.answers.seat == Some(seat);
        let Answers {
            evaluator, replies, ..
        } = &mut self.answers;
        let chosen = match is_answer {
            true => evaluator.best_with(&context, |rack_leaves| {
                generator.best_reply(rack_leaves, replies, candidate)
            }),
            false => self.evaluator.best(generator, &context),
        };
        self.kept[seat] = match context.bag {
            0 => Equity::ZERO,
            _ => chosen.equity - Equity::from(chosen.points),
        };
        if let Some(endings) = &mut self.endings {
            endings.note(&self.game, &chosen.turn, chosen.points);
        }
        if let Turn::Place(placement) = &chosen.turn {
            let last = ply + 1 == self.scene.plies;
            let tiles = placement.faces().count();
            sample
                .plies
                .push((chosen.points, rules.bonus[tiles] != Points::ZERO));
            self.game.play(&chosen.turn, chosen.points, rules);
            // Nobody looks at the board after the last play.
            if !last {
                self.played.push(self.generator.play(placement));
            }
        } else {
            sample.plies.push((Points::ZERO, false));
            self.game.play(&chosen.turn, Points::ZERO, rules);
        }
        if ply == 0 {
            sample.reply = Some(chosen.turn);
        }
    }

    /// The chance to win where the rollout ends, and what was gained on the best of the others since the start.
    fn value(&self) -> (WinProb, Equity) {
        let position = self.scene.position;
        let me = position.to_move();
        let others = || position.turn_order().filter(|seat| *seat != me);
        // The lead on the best of the others, as far as that can be told by points and tiles kept.
        let lead = |score: &dyn Fn(usize) -> Points, kept: &[Equity]| {
            let on = |other: usize| {
                let points = Equity::from_lead(score(me) - score(other));
                points + kept[me] - kept[other]
            };
            others().map(on).min().unwrap_or(Equity::ZERO)
        };
        let nothing = [Equity::ZERO; MAX_PLAYERS];
        let before = lead(&|seat| position.score(seat), &nothing);
        match self.game.outcome(position.rules()) {
            Some(outcome) => {
                let after = lead(&|seat| outcome.scores[seat], &nothing);
                (won(&outcome, me), after - before)
            }
            None => {
                let score = |seat: usize| self.game.score(seat);
                let ahead = |a: usize, b: usize| {
                    let lead = Equity::from_lead(score(a) - score(b));
                    self.chance(a, b, lead + self.kept[a] - self.kept[b])
                };
                let win = among(position.player_count(), me, ahead);
                (win, lead(&score, &self.kept) - before)
            }
        }
    }

    /// The chance to win by a look at the ending, if there is one.
    fn win_by_ending(&mut self) -> Option<WinProb> {
        let position = self.scene.position;
        let (me, other) = (position.to_move(), 1 - position.to_move().min(1));
        let endings = self.endings.as_mut()?;
        let scores = self.game.outcome(position.rules())?.scores;
        endings.win(me, scores[me] - scores[other])
    }

    /// The chance that the player on seat a, who leads so much, ends up ahead of the one on b.
    fn chance(&self, a: usize, b: usize, lead: Equity) -> WinProb {
        let (game, chances) = (&self.game, &self.scene.chances);
        let [a_tiles, b_tiles] = [a, b].map(|seat| game.rack(seat).len());
        let bag = game.bag_len();
        let on_move =
            |lead: Equity, own: usize, other: usize| chances.win_prob(lead, bag, own, other);
        match game.to_move() {
            turn if turn == a => on_move(lead, a_tiles, b_tiles),
            turn if turn == b => on_move(-lead, b_tiles, a_tiles).complement(),
            // With somebody else on turn, neither has an advantage from it.
            _ => {
                let first = on_move(lead, a_tiles, b_tiles);
                first.mean(on_move(-lead, b_tiles, a_tiles).complement())
            }
        }
    }
}

/// The chance to win of the player on seat `me` of `players`, from what each has to end up `ahead` of each other.
fn among(players: usize, me: usize, ahead: impl Fn(usize, usize) -> WinProb) -> WinProb {
    if players == 2 {
        return ahead(me, 1 - me);
    }
    // As if each of the others had to be beaten apart from the rest; since somebody wins, in parts of what that gives to all.
    let all = |seat: usize| {
        let others = (0..players).filter(|&other| other != seat);
        let chances = others.map(|other| ahead(seat, other));
        u64::from(chances.fold(WinProb::WON, WinProb::and).parts())
    };
    let total: u64 = (0..players).map(all).sum();
    let parts = all(me) * u64::from(WinProb::SCALE) / total.max(1);
    WinProb::from_parts(parts as u16)
}

/// What a candidate gives if nothing is played on: what it is worth without search.
pub(super) fn without_search(scene: &Scene, at: usize) -> Sample {
    let Scene {
        position,
        candidates,
        chances,
        ..
    } = scene;
    let me = position.to_move();
    let gain = candidates[at].worth.total();
    let tiles = |seat: usize| position.rack(seat).len();
    let with_gain = |seat: usize| if seat == me { gain } else { Equity::ZERO };
    let ahead = |a: usize, b: usize| {
        let lead = Equity::from_lead(position.score(a) - position.score(b));
        let lead = lead + with_gain(a) - with_gain(b);
        // The others are on turn before this player is again.
        match a == me {
            true => chances
                .win_prob(-lead, position.bag_len(), tiles(b), tiles(a))
                .complement(),
            false => chances.win_prob(lead, position.bag_len(), tiles(a), tiles(b)),
        }
    };
    Sample {
        win: among(position.player_count(), me, ahead),
        gain,
        ..Sample::default()
    }
}

fn won(outcome: &Outcome, seat: usize) -> WinProb {
    match outcome.winner {
        Some(winner) if winner == seat => WinProb::WON,
        Some(_) => WinProb::LOST,
        None => WinProb::DRAWN,
    }
}
