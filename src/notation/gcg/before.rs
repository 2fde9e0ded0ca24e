//! The game before one of the turns of a record, as the player to move saw it.

use super::{GameRecord, GcgAction, GcgEvent, LOST_TURN, ReadMode, RecordProblem, Replay};
use crate::rules::{EventKind, Game, RuleSet};
use std::sync::Arc;

impl GameRecord {
    /// The number of turns: plays, exchanges and passes, without turns lost by a challenge.
    pub fn turns(&self) -> usize {
        self.turn_lines().count()
    }

    /// The game before a turn, counted from 0, with the rack that the record gives for it. After
    /// the last turn it is the game at the end of the record, with the rack of the player then
    /// to move. The contradictions found come with it; an error means that the record cannot be
    /// replayed up to that turn.
    ///
    /// The opponents' racks are left out, because the player did not see them, except tiles that
    /// were challenged off the board and tiles shown at the end.
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

    /// The indices of the turns among the events.
    fn turn_lines(&self) -> impl Iterator<Item = usize> {
        let is_turn = |line: &GcgEvent| {
            let is_lost = line.action == GcgAction::Pass && line.is_marked(LOST_TURN, None);
            line.action.is_turn() && !is_lost
        };
        let events = self.events.iter().enumerate();
        events.filter_map(move |(at, line)| is_turn(line).then_some(at))
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
        // A turn that the rules refused has left the game as it was before it.
        let game = match step {
            Some((step, _)) => Game::from_position(step.before.clone()),
            None => replay.game,
        };
        Ok((game, replay.problems))
    }

    fn after_all(&self, rules: &Arc<RuleSet>) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        let mut seen = self.without_racks(self.events.len());
        // The first replay finds the player to move, whose rack the second one may use.
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

    /// A record of the first events, without racks.
    fn without_racks(&self, events: usize) -> GameRecord {
        let mut events = self.events[..events].to_vec();
        // The tiles left over at the end of the game are public.
        let is_private = |line: &&mut GcgEvent| !matches!(line.action, GcgAction::EndRack(_));
        let lines = events.iter_mut().filter(is_private);
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
    /// Checks that the rules could follow the record up to a line.
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
