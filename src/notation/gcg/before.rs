//! The game before one of the turns of a record, as the player to move saw it.

use super::racks::read_rack;
use super::{GameRecord, GcgAction, GcgEvent, ReadMode, RecordProblem, Replay, SettingPart};
use crate::rules::{EventKind, Game, RuleSet};
use crate::tiles::TileCounts;
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

    /// The tiles that the player to move before a turn is known to have kept from earlier turns,
    /// whatever rack the record gives for this turn. None if the two contradict each other.
    pub(crate) fn kept_before(&self, turn: usize, rules: &Arc<RuleSet>) -> TileCounts {
        let mut record = self.clone();
        match self.turn_lines().nth(turn) {
            Some(at) => record.events[at].rack.clear(),
            None => record.racks.clear(),
        }
        let known = |record: &GameRecord| {
            let before = record.before(turn, rules);
            before.map_or(TileCounts::EMPTY, |(game, _)| {
                game.position().mover_rack().known
            })
        };
        let kept = known(&record);
        match known(self).contains_all(&kept) {
            true => kept,
            false => TileCounts::EMPTY,
        }
    }

    /// The indices of the turns among the events.
    pub fn turn_lines(&self) -> impl Iterator<Item = usize> {
        let is_turn = |line: &GcgEvent| line.action.is_turn() && !line.is_lost_turn();
        let events = self.events.iter().enumerate();
        events.filter_map(move |(at, line)| is_turn(line).then_some(at))
    }

    fn before_line(
        &self,
        at: usize,
        rules: &Arc<RuleSet>,
    ) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        let (played, line) = (self.first_events(at + 1), self.events[at].line);
        let problems = played.replay(rules, ReadMode::Lenient)?.reaching(line)?;
        let seen = played.seen_by(Some(&self.events[at].nick));
        let replay = seen.replay(rules, ReadMode::Lenient)?;
        let mut steps = replay.steps.iter().zip(replay.game.events());
        let is_turn = |kind: &EventKind| matches!(kind, EventKind::Turn(_));
        let event = steps.position(|(step, event)| step.line == line && is_turn(&event.kind));
        // A turn that the rules refused has left the game as it was before it.
        let mut game = match event {
            Some(event) => replay
                .game
                .rewound(event, |event| replay.steps[event].before.clone()),
            None => replay.game,
        };
        // A turn with tiles that its rack lacks has made the replay forget the rack.
        if let Ok(rack) = read_rack(&rules.tiles, &self.events[at].rack)
            && game.position().mover_rack().known.is_empty()
        {
            // A rack that cannot be is among the problems and stays unknown.
            let _ = game.set_known_tiles(game.position().to_move(), rack);
        }
        Ok((game, problems))
    }

    fn after_all(&self, rules: &Arc<RuleSet>) -> Result<(Game, Vec<RecordProblem>), RecordProblem> {
        let replay = self.replay(rules, ReadMode::Lenient)?;
        let finished = replay.game.end().is_some().then(|| replay.game.clone());
        let problems = replay.reaching(usize::MAX)?;
        // The settlement needs all racks.
        if let Some(game) = finished {
            return Ok((game, problems));
        }
        // The first replay finds the player to move, whose racks the second one may use.
        let replay = self.seen_by(None).replay(rules, ReadMode::Lenient)?;
        let player = replay.players[replay.game.position().to_move()];
        let mut seen = self.seen_by(Some(&self.players[player].nick));
        let is_own = |number: usize| number == player + 1;
        let own = self
            .racks
            .iter()
            .filter(|rack| rack.player.is_none_or(is_own));
        seen.racks = own.cloned().collect();
        Ok((seen.replay(rules, ReadMode::Lenient)?.game, problems))
    }

    /// A record of the first events.
    pub(super) fn first_events(&self, events: usize) -> GameRecord {
        let rules = self.named(SettingPart::Rules);
        GameRecord {
            players: self.players.clone(),
            pragmas: rules.chain(self.first_move()).cloned().collect(),
            notes: self.notes.clone(),
            events: self.events[..events].to_vec(),
            challenge_rule: self.challenge_rule,
            ..GameRecord::default()
        }
    }

    /// The record without the racks of others than the player with this nickname.
    fn seen_by(&self, nick: Option<&str>) -> GameRecord {
        let mut record = self.first_events(self.events.len());
        // The tiles left over at the end of the game are public.
        let is_hidden = |line: &&mut GcgEvent| {
            Some(line.nick.as_str()) != nick && !matches!(line.action, GcgAction::EndRack(_))
        };
        let lines = record.events.iter_mut().filter(is_hidden);
        lines.for_each(|line| line.rack.clear());
        record
    }
}

impl Replay {
    /// The problems, if the rules could follow the record up to a line. If not, the error begins
    /// with the first problem, which may be the cause, and has all of the line where the replay
    /// stopped.
    fn reaching(self, line: usize) -> Result<Vec<RecordProblem>, RecordProblem> {
        let Some(stopped) = self.stopped.filter(|&stopped| stopped < line) else {
            return Ok(self.problems);
        };
        let mut problems = self.problems.into_iter();
        let first = problems.next().unwrap_or(RecordProblem {
            line: stopped,
            what: "the rules do not allow this".to_string(),
        });
        let of_line = problems.filter(|problem| problem.line == stopped);
        Err(of_line.fold(first, |all, next| all.followed_by(&next)))
    }
}
