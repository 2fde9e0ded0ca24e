//! A record as it was at one of its turns, and as the player on turn saw it.

use super::{GameRecord, GcgAction, GcgEvent, LOST_TURN, ReadMode, RecordProblem, Replay};
use crate::rules::{EventKind, Game, RuleSet};
use std::sync::Arc;

impl GameRecord {
    /// How many turns it tells: its plays, exchanges and passes, but for turns
    /// lost by a challenge.
    pub fn turns(&self) -> usize {
        self.turn_lines().count()
    }

    /// The game before a turn, from 0, with the rack that is told for it; after
    /// the last turn, the game at the end of the record with the rack of the
    /// player then on turn. Contradictions are collected, as far as the rules
    /// can follow the record.
    ///
    /// Of the other racks only what everybody saw is known, tiles that came off
    /// again: who wrote the record knew more than who sat at the board.
    pub fn before(
        &self,
        turn: usize,
        rules: &Arc<RuleSet>,
    ) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        match self.turn_lines().nth(turn) {
            Some(at) => self.before_line(at, rules),
            None => self.after_all(rules),
        }
    }

    /// The places of the turns among the events.
    fn turn_lines(&self) -> impl Iterator<Item = usize> {
        let is_taken = |line: &GcgEvent| {
            let is_lost = line.what == GcgAction::Pass && line.is_marked(LOST_TURN, None);
            line.what.is_turn() && !is_lost
        };
        let events = self.events.iter().enumerate();
        events.filter_map(move |(at, line)| is_taken(line).then_some(at))
    }

    fn before_line(
        &self,
        at: usize,
        rules: &Arc<RuleSet>,
    ) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        let mut seen = self.without_racks(at + 1);
        seen.events[at].rack.clone_from(&self.events[at].rack);
        let replay = seen.replay(rules, ReadMode::Lenient)?;
        let line = seen.events[at].line;
        replay.check_reached(line)?;
        let mut steps = replay.steps.iter().zip(replay.game.events());
        let step = steps
            .find(|(step, event)| step.line == line && matches!(event.kind, EventKind::Turn(_)));
        // A turn that could not be taken has left the game as it was before it.
        let game = match step {
            Some((step, _)) => Game::from_position(step.before.clone()),
            None => replay.game,
        };
        Ok((game, replay.problems))
    }

    fn after_all(&self, rules: &Arc<RuleSet>) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        let mut seen = self.without_racks(self.events.len());
        // Who is on turn says whose rack is to be known.
        let replay = seen.replay(rules, ReadMode::Lenient)?;
        let player = replay.players[replay.game.position().to_move()];
        let own = self
            .racks
            .iter()
            .filter(|(number, _)| *number == player + 1);
        seen.racks = own.cloned().collect();
        seen.incomplete.clone_from(&self.incomplete);
        let replay = seen.replay(rules, ReadMode::Lenient)?;
        replay.check_reached(usize::MAX)?;
        Ok((replay.game, replay.problems))
    }

    /// Its first events, with nothing told of any rack.
    fn without_racks(&self, events: usize) -> GameRecord {
        let mut events = self.events[..events].to_vec();
        // Tiles left over are told when the game is over: then all may know them.
        let told_before = |line: &&mut GcgEvent| !matches!(line.what, GcgAction::EndRack(_));
        let lines = events.iter_mut().filter(told_before);
        lines.for_each(|line| line.rack.clear());
        GameRecord {
            players: self.players.clone(),
            notes: self.notes.clone(),
            events,
            ..GameRecord::default()
        }
    }
}

impl Replay {
    /// Whether the rules could follow the record up to a line; else why not.
    fn check_reached(&self, line: usize) -> Result<(), RecordProblem> {
        let Some(stopped) = self.stopped.filter(|&stopped| stopped < line) else {
            return Ok(());
        };
        let mut problems = self.problems.iter().rev();
        let problem = problems.find(|problem| problem.line == stopped).cloned();
        Err(problem.unwrap_or(RecordProblem {
            line: stopped,
            what: "the rules do not allow this".to_string(),
        }))
    }
}
