//! Replays a [`GameRecord`] as a [`Game`]: plays every event by the rules and compares the result
//! with the record.

use super::super::moves::MoveText;
use super::leftover::LeftoverLine;
use super::penalties::Penalty;
use super::word::resolve;
use super::{
    FIRST_MOVE, GameRecord, GcgAction, GcgEvent, Pragma, ProblemLog, ReadMode, RecordProblem,
    SettingPart, quoted,
};
use crate::rules::{End, EventKind, Game, PlayError, Position, RuleSet, Turn};
use crate::units::Points;
use std::sync::Arc;

/// The result of replaying a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The game. Where scores differ, those of the record hold.
    pub game: Game,
    /// By seat: the index of the player in [`GameRecord::players`].
    pub players: Vec<usize>,
    /// By seat: the last total of the record, including the tiles left over at the end.
    pub scores: Vec<Points>,
    /// One for each event of the game.
    pub steps: Vec<ReplayStep>,
    /// The line that the rules could not follow; the game ends before it.
    pub stopped: Option<usize>,
    /// The contradictions, empty in strict mode.
    pub problems: Vec<RecordProblem>,
}

/// An event of a replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// The number of its line.
    pub line: usize,
    /// The position before it, with the rack of the line.
    pub before: Position,
}

impl GameRecord {
    /// Replays the record by these rules.
    ///
    /// Strict: the first contradiction, by lines, is the error. Lenient: contradictions
    /// are collected and the scores of the record hold; a missing turn counts as lost, an
    /// exchange that the rules refuse as a pass, and an impossible play ends the replay. A number
    /// of players that the rules do not allow is an error in both modes.
    pub fn replay(&self, rules: &Arc<RuleSet>, mode: ReadMode) -> Result<Replay, RecordProblem> {
        let mut replayer = Replayer::new(self, rules, mode)?;
        replayer.check_first_marks()?;
        for line in &self.events {
            replayer.follow(line)?;
        }
        replayer.finish()?;
        replayer.into_replay()
    }

    /// Refuses a number of players that the rules do not allow. The line is that of the pragma that
    /// names the rules, otherwise that of the first player too many.
    fn check_players(&self, rules: &RuleSet) -> Result<(), RecordProblem> {
        let (players, (fewest, most)) = (self.players.len(), rules.players);
        if (fewest..=most).contains(&players) {
            return Ok(());
        }
        let named = self.named(SettingPart::Rules).next();
        let named = named.filter(|pragma| pragma.text.eq_ignore_ascii_case(&rules.name));
        let player = self.players.get(most).or(self.players.last());
        let line = named.map(|pragma| pragma.line);
        let line = line.or(player.map(|player| player.line));
        let allowed = match fewest == most {
            true => fewest.to_string(),
            false => format!("{fewest} to {most}"),
        };
        let (name, pragma) = (&rules.name, SettingPart::Rules.pragma("").name);
        Err(RecordProblem {
            line: line.unwrap_or(0),
            what: format!(
                "the record has {players} player{}, the rule set {name} is for {allowed}; #{pragma} or \
                 the option Rules can name another",
                if players == 1 { "" } else { "s" }
            ),
        })
    }

    /// The pragma that names the player who moves first, if there is one.
    pub(super) fn first_move(&self) -> Option<&Pragma> {
        self.pragmas.iter().find(|pragma| pragma.is(FIRST_MOVE))
    }

    /// The index of the player whom the pragma names who moves first.
    fn named_first(&self) -> Option<usize> {
        self.player(&self.first_move()?.text)
    }

    /// The players in the order of their seats: the first to move has seat 0, unless a pragma names
    /// that player.
    fn seats(&self) -> Vec<usize> {
        let players = self.players.len();
        if self.named_first().is_some() {
            return (0..players).collect();
        }
        let first = self.events.iter().find(|line| line.action.is_turn());
        let first = first.and_then(|line| self.player(&line.nick)).unwrap_or(0);
        (0..players)
            .map(|after| (first + after) % players)
            .collect()
    }
}

impl GcgAction {
    /// Whether it is a play, an exchange or a pass.
    pub(super) fn is_turn(&self) -> bool {
        matches!(
            self,
            GcgAction::Play { .. }
                | GcgAction::Token(_)
                | GcgAction::Pass
                | GcgAction::Exchange(_)
                | GcgAction::ExchangeCount(_)
        )
    }
}

/// The state of a replay.
pub(super) struct Replayer<'a> {
    pub(super) record: &'a GameRecord,
    pub(super) rules: Arc<RuleSet>,
    pub(super) game: Game,
    pub(super) players: Vec<usize>,
    scores: Vec<Points>,
    steps: Vec<ReplayStep>,
    stopped: Option<usize>,
    pub(super) problems: ProblemLog,
    /// The seat of the previous line, if that was a play.
    pub(super) just_played: Option<usize>,
    /// The different penalties for failed challenges so far that some rule has, each with the line
    /// of the first. Only for records whose rule is not known.
    pub(super) penalties: Vec<(usize, Penalty)>,
    /// By seat: the line of its time penalty.
    penalised: Vec<Option<usize>>,
    pub(super) leftovers: Vec<LeftoverLine<'a>>,
}

impl<'a> Replayer<'a> {
    fn new(
        record: &'a GameRecord,
        rules: &Arc<RuleSet>,
        mode: ReadMode,
    ) -> Result<Self, RecordProblem> {
        let players = record.seats();
        let first = record.named_first();
        record.check_players(rules)?;
        let start = Position::start_with(rules.clone(), players.len(), first.unwrap_or(0));
        let game = start.map(Game::from_position);
        let game = game.map_err(|error| RecordProblem {
            line: 0,
            what: format!("the rules '{}': {error}", rules.name),
        })?;
        let mut problems = ProblemLog::new(mode);
        if let (Some(pragma), None) = (record.first_move(), first) {
            let nick = quoted(&pragma.text);
            let what = format!("#{FIRST_MOVE} names '{nick}', who does not play");
            problems.report(pragma.line, what)?;
        }
        Ok(Replayer {
            record,
            rules: rules.clone(),
            game,
            scores: vec![Points::ZERO; players.len()],
            players,
            steps: Vec::new(),
            stopped: None,
            problems,
            just_played: None,
            penalties: Vec::new(),
            penalised: vec![None; record.players.len()],
            leftovers: Vec::new(),
        })
    }

    fn into_replay(self) -> Result<Replay, RecordProblem> {
        Ok(Replay {
            game: self.game,
            players: self.players,
            scores: self.scores,
            steps: self.steps,
            stopped: self.stopped,
            problems: self.problems.finish()?,
        })
    }

    pub(super) fn report(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<(), RecordProblem> {
        self.problems.report(line.line, what)
    }

    /// Reports a problem with a line that makes no event.
    pub(super) fn refuse(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<bool, RecordProblem> {
        self.report(line, what).map(|()| false)
    }

    /// Reports a line that the rules cannot follow. The replay stops there.
    pub(super) fn stop(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<bool, RecordProblem> {
        self.stopped = Some(line.line);
        self.refuse(line, what)
    }

    pub(super) fn seat(&self, nick: &str) -> Option<usize> {
        let player = self.record.player(nick)?;
        self.players.iter().position(|&at| at == player)
    }

    pub(super) fn nick(&self, seat: usize) -> String {
        quoted(&self.record.players[self.players[seat]].nick)
    }

    fn follow(&mut self, line: &'a GcgEvent) -> Result<(), RecordProblem> {
        let Some(seat) = self.seat(&line.nick) else {
            return self.report(line, format!("'{}' does not play", quoted(&line.nick)));
        };
        let event = self.stopped.is_none() && self.perform(seat, line)?;
        let is_play = matches!(line.action, GcgAction::Play { .. } | GcgAction::Token(_));
        self.just_played = (is_play && self.stopped.is_none()).then_some(seat);
        if event {
            self.check_points(line)?;
        }
        self.check_total(seat, line)?;
        if event {
            // In strict mode this changes nothing: all that differs was an error.
            let total = line.total - self.leftover_points(seat);
            self.game.correct(line.points, total);
        }
        self.scores[seat] = line.total;
        match self.stopped {
            None => self.check_marks(line),
            Some(_) => Ok(()),
        }
    }

    /// Performs the action of a line. Returns whether it made an event, then the last one.
    fn perform(&mut self, seat: usize, line: &'a GcgEvent) -> Result<bool, RecordProblem> {
        match &line.action {
            GcgAction::Withdrawn => self.withdraw(seat, line),
            GcgAction::Challenge => self.award(seat, line),
            GcgAction::Time => self.penalise(seat, line),
            GcgAction::EndRack(tiles) => self.add_leftover(seat, line, tiles),
            _ => self.take_turn(seat, line),
        }
    }

    /// Applies `action` to the game and records the position before it for each event it makes.
    pub(super) fn act<T>(&mut self, line: usize, action: impl FnOnce(&mut Game) -> T) -> T {
        let before = self.game.position().clone();
        let result = action(&mut self.game);
        while self.steps.len() < self.game.events().len() {
            let before = before.clone();
            self.steps.push(ReplayStep { line, before });
        }
        result
    }

    fn take_turn(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.advance_to(seat, line)?;
        match self.game.end() {
            // The opponents need not challenge.
            Some(End::Out(out)) if self.is_waived_challenge(line) && seat != out => {
                self.add_known_rack(line.line, seat, &line.rack)?;
                return Ok(false);
            }
            Some(end) => return self.stop(line, self.why_over(end)),
            None => {}
        }
        self.add_known_rack(line.line, seat, &line.rack)?;
        if line.is_lost_turn() {
            return self.lose_turn(seat, line.line).map(|()| true);
        }
        let turn = match self.turn_of(line) {
            Ok(turn) => turn,
            Err(what) => return self.stop(line, what),
        };
        let (tiles, exchanged) = (turn.tiles_from_rack(), matches!(turn, Turn::Exchange(_)));
        let use_of_tiles = match exchanged {
            true => "which is exchanged",
            false => "which is played",
        };
        let holds_tiles = tiles.is_empty() || self.check_stated_rack(line, &tiles, use_of_tiles)?;
        if !holds_tiles {
            // The racks of the record may be wrong, and the tile available.
            self.forget_racks();
        }
        let made = self.play(line, turn)?;
        if made {
            self.forfeit_challenger(seat, line)?;
        }
        Ok(made)
    }

    /// Whether a line after the end of the game only says that nobody challenges.
    fn is_waived_challenge(&self, line: &GcgEvent) -> bool {
        line.action == GcgAction::Pass && self.leftovers.is_empty()
    }

    fn why_over(&self, end: End) -> String {
        let nick = |seat| self.nick(seat);
        match end {
            End::Out(seat) => format!("the game is over: {} is out", nick(seat)),
            End::Scoreless => {
                let turns = self.game.position().scoreless_turns();
                format!("the game is over: {turns} turns in a row had no points")
            }
            End::Target(seat) => format!("the game is over: {} has the points to win", nick(seat)),
            End::Forfeit(seat) => format!("the game is over: {} has lost it", nick(seat)),
        }
    }

    /// Advances the turn to a seat. Players before it who have no line lose their turns.
    fn advance_to(&mut self, seat: usize, line: &GcgEvent) -> Result<(), RecordProblem> {
        let turn = self.game.position().to_move();
        if turn == seat || self.game.end().is_some() {
            return Ok(());
        }
        let what = format!(
            "{} moves, but it is {}'s turn",
            self.nick(seat),
            self.nick(turn)
        );
        self.report(line, what)?;
        for _ in 0..self.players.len() {
            let turn = self.game.position().to_move();
            if turn != seat && self.game.end().is_none() {
                self.act(line.line, |game| game.lose_turns(turn, 1));
            }
        }
        Ok(())
    }

    /// The turn of a line, or why it is not a turn.
    fn turn_of(&self, line: &GcgEvent) -> Result<Turn, String> {
        match &line.action {
            GcgAction::Play { at, word } => {
                resolve(self.game.position(), *at, word).map(Turn::Place)
            }
            GcgAction::Exchange(text) => match self.rules.tiles.read_tiles(text) {
                Ok(tiles) => Ok(Turn::Exchange(tiles)),
                Err(error) => Err(error.to_string()),
            },
            GcgAction::ExchangeCount(count) => Ok(Turn::ExchangeUnseen(*count)),
            GcgAction::Token(text) => {
                let turn = MoveText::parse(text).and_then(|read| read.turn(self.game.position()));
                turn.map_err(|error| error.to_string())
            }
            _ => Ok(Turn::Pass),
        }
    }

    fn play(&mut self, line: &GcgEvent, turn: Turn) -> Result<bool, RecordProblem> {
        let mut result = self.act(line.line, |game| game.play(&turn));
        if let Err(error @ PlayError::NotHeld { .. }) = &result {
            // An earlier rack of the record may be wrong, and the tile available.
            self.report(line, error.to_string())?;
            self.forget_racks();
            result = self.act(line.line, |game| game.play(&turn));
        }
        match result {
            Ok(_) => Ok(true),
            Err(error) if turn.changes_board() => self.stop(line, error.to_string()),
            Err(error) => {
                // An exchange does not change the board, so the replay can go on with a pass.
                self.report(line, error.to_string())?;
                self.forget_racks();
                match self.act(line.line, |game| game.play(&Turn::Pass)) {
                    Ok(_) => Ok(true),
                    Err(error) => self.stop(line, error.to_string()),
                }
            }
        }
    }

    fn penalise(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.add_known_rack(line.line, seat, &line.rack)?;
        if line.points > Points::ZERO {
            let what = format!(
                "a time penalty takes points, this one gives {}",
                line.points
            );
            self.report(line, what)?;
        }
        if let Some(earlier) = self.penalised[seat].replace(line.line) {
            let nick = self.nick(seat);
            let what = format!("{nick} has a time penalty on line {earlier} already");
            self.report(line, what)?;
        }
        self.act(line.line, |game| game.penalise_time(seat, -line.points));
        Ok(true)
    }

    fn check_points(&mut self, line: &GcgEvent) -> Result<(), RecordProblem> {
        let Some(event) = self.game.events().last() else {
            return Ok(());
        };
        if event.points == line.points {
            return Ok(());
        }
        let what = match (&line.action, event.kind) {
            (GcgAction::Play { word, .. }, _) => quoted(word),
            (_, EventKind::TakenOff) => "taking the play off".to_string(),
            _ => "this".to_string(),
        };
        let (points, recorded) = (event.points, line.points);
        self.report(
            line,
            format!("{what} scores {points}, the record says {recorded}"),
        )
    }

    fn check_total(&mut self, seat: usize, line: &GcgEvent) -> Result<(), RecordProblem> {
        let (before, points, total) = (self.scores[seat], line.points, line.total);
        let sum = before + points;
        if sum == total {
            return Ok(());
        }
        let nick = self.nick(seat);
        let what = format!(
            "{nick} had {before} and has {sum} with {points} more, the record says {total}"
        );
        self.report(line, what)
    }

    fn finish(&mut self) -> Result<(), RecordProblem> {
        if self.stopped.is_some() {
            return Ok(());
        }
        self.add_pending_lost_turns()?;
        self.add_last_racks()?;
        self.settle()
    }
}
