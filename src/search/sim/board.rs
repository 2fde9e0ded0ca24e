//! The boards of a rollout: generators on which plays are made and taken back.
//!
//! A generator works with one set of words. If the opponents are assumed to know other words than
//! the player to move, there is a second generator for them, and both get every play. Otherwise all
//! players share one.

use super::rollout::SimContext;
use crate::movegen::{Generator, PlayDelta, Words};
use crate::rules::{RuleSet, Turn};
use smallvec::SmallVec;

/// A generator, and what is needed to restore its board.
pub(super) struct RolloutBoard<'a> {
    pub generator: Generator<'a>,
    /// For each candidate the change it makes, once it is known and if it is kept.
    kept: Vec<Option<PlayDelta>>,
    /// The change that the candidate on the board has made.
    pub candidate: Option<PlayDelta>,
    /// The plays after the candidate.
    played: SmallVec<[PlayDelta; 8]>,
}

impl<'a> RolloutBoard<'a> {
    fn new(context: &SimContext<'a>, words: Words<'a>) -> RolloutBoard<'a> {
        let position = context.position;
        let generator = Generator::new(position.rules(), words, position.grid());
        let mut generator = generator.with_continue_check(context.may_continue);
        generator.prepare();
        RolloutBoard {
            generator,
            kept: vec![None; context.candidates.len()],
            candidate: None,
            played: SmallVec::new(),
        }
    }

    fn play_candidate(&mut self, at: usize, turn: &Turn, rules: &RuleSet) {
        self.candidate = match self.kept[at].take() {
            Some(mut change) => {
                self.generator.toggle(&mut change);
                Some(change)
            }
            None => {
                let change = self.generator.play_turn(turn, rules);
                self.generator.prepare();
                change
            }
        };
    }

    /// Takes back all plays. `keeps` says whether to keep the board after candidate `at`.
    fn restore(&mut self, at: usize, keeps: bool) {
        while let Some(change) = self.played.pop() {
            self.generator.take_back(change);
        }
        match self.candidate.take() {
            Some(mut change) if keeps => {
                self.generator.toggle(&mut change);
                self.kept[at] = Some(change);
            }
            Some(change) => self.generator.take_back(change),
            None => {}
        }
    }
}

/// The boards of all players.
pub(super) struct RolloutBoards<'a> {
    mover: RolloutBoard<'a>,
    /// `None` if the opponents share the board of the player to move.
    opponents: Option<RolloutBoard<'a>>,
}

impl<'a> RolloutBoards<'a> {
    pub fn new(context: &SimContext<'a>) -> RolloutBoards<'a> {
        let vocabulary = context.knowledge.vocabulary;
        let board = |words| RolloutBoard::new(context, words);
        RolloutBoards {
            mover: board(vocabulary.known),
            opponents: (!vocabulary.is_common()).then(|| board(vocabulary.assumed)),
        }
    }

    /// Whether no tile lies on the board.
    pub fn is_empty(&self) -> bool {
        self.mover.generator.is_empty()
    }

    /// The board of the player to move in the position that is searched, or of an opponent.
    pub fn of(&mut self, is_mover: bool) -> &mut RolloutBoard<'a> {
        match &mut self.opponents {
            Some(opponents) if !is_mover => opponents,
            _ => &mut self.mover,
        }
    }

    fn each(&mut self, mut change: impl FnMut(&mut RolloutBoard<'a>)) {
        change(&mut self.mover);
        if let Some(opponents) = &mut self.opponents {
            change(opponents);
        }
    }

    /// Plays candidate `at`.
    pub fn play_candidate(&mut self, at: usize, turn: &Turn, rules: &RuleSet) {
        self.each(|board| board.play_candidate(at, turn, rules));
    }

    /// Makes a play after the candidate.
    pub fn play(&mut self, turn: &Turn, rules: &RuleSet) {
        self.each(|board| board.played.extend(board.generator.play_turn(turn, rules)));
    }

    /// Takes back all plays. `keeps` says whether to keep the boards after candidate `at`.
    pub fn restore(&mut self, at: usize, keeps: bool) {
        self.each(|board| board.restore(at, keeps));
    }
}
