//! A [`GameRecord`] to a [`Game`]: every event is played by the rules and compared with what is told.

use super::leftover::LeftoverLine;
use super::word::resolve;
use super::{
    FORFEIT, GameRecord, GcgAction, GcgEvent, LOST_TURN, ProblemLog, ReadMode, RecordProblem,
    marks, shown,
};
use crate::rules::{
    ChallengeError, ChallengeRule, End, EventKind, Game, PlayError, Position, RuleSet, Turn,
};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::sync::Arc;

/// A record that was played through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The game. Where the record's scores differ from the rules', it follows the record.
    pub game: Game,
    /// By seat: the place of the player among [`GameRecord::players`].
    pub players: Vec<usize>,
    /// By seat: the last total the record tells, with what was left over at the end.
    pub scores: Vec<Points>,
    /// One for each event of the game.
    pub steps: Vec<ReplayStep>,
    /// The line that the rules could not follow; the game ends before it.
    pub stopped: Option<usize>,
    /// What contradicts the rules or itself; empty in strict mode.
    pub problems: Vec<RecordProblem>,
}

/// An event of a replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// The line that tells it.
    pub line: usize,
    /// The position before it, with the rack that the line tells.
    pub before: Position,
}

impl GameRecord {
    /// Plays the record through by these rules.
    ///
    /// Strict: the first contradiction is the error. Lenient: contradictions
    /// are collected and the record's scores hold; a turn that is not told is
    /// lost, an exchange that the rules refuse is a pass, and a play that
    /// cannot be made ends the game there. Only players and rules that do not
    /// go together are an error in both.
    pub fn replay(&self, rules: &Arc<RuleSet>, mode: ReadMode) -> Result<Replay, RecordProblem> {
        let mut replayer = Replayer::new(self, rules, mode)?;
        for line in &self.events {
            replayer.follow(line)?;
        }
        replayer.finish()?;
        Ok(replayer.into_replay())
    }

    /// The players in the order of their seats: the first to move has seat 0.
    fn seats(&self) -> Vec<usize> {
        let players = self.players.len();
        let first = self.events.iter().find(|line| line.what.is_turn());
        let first = first.and_then(|line| self.player(&line.nick)).unwrap_or(0);
        (0..players)
            .map(|after| (first + after) % players)
            .collect()
    }
}

impl GcgAction {
    /// Whether it is what a player does with a turn.
    pub(super) fn is_turn(&self) -> bool {
        matches!(
            self,
            GcgAction::Play { .. }
                | GcgAction::Pass
                | GcgAction::Exchange(_)
                | GcgAction::ExchangeCount(_)
        )
    }
}

/// The game so far, and what the record told of it.
pub(super) struct Replayer<'a> {
    record: &'a GameRecord,
    pub(super) rules: Arc<RuleSet>,
    pub(super) game: Game,
    pub(super) players: Vec<usize>,
    scores: Vec<Points>,
    steps: Vec<ReplayStep>,
    stopped: Option<usize>,
    problems: ProblemLog,
    /// The seat of the line just before, if it told a play.
    just_played: Option<usize>,
    pub(super) leftovers: Vec<LeftoverLine<'a>>,
}

impl<'a> Replayer<'a> {
    fn new(
        record: &'a GameRecord,
        rules: &Arc<RuleSet>,
        mode: ReadMode,
    ) -> Result<Self, RecordProblem> {
        let players = record.seats();
        let game = Game::new(rules.clone(), players.len()).map_err(|error| RecordProblem {
            line: 0,
            what: format!("the rules '{}': {error}", rules.name),
        })?;
        Ok(Replayer {
            record,
            rules: rules.clone(),
            game,
            scores: vec![Points::ZERO; players.len()],
            players,
            steps: Vec::new(),
            stopped: None,
            problems: ProblemLog::new(mode),
            just_played: None,
            leftovers: Vec::new(),
        })
    }

    fn into_replay(self) -> Replay {
        Replay {
            game: self.game,
            players: self.players,
            scores: self.scores,
            steps: self.steps,
            stopped: self.stopped,
            problems: self.problems.found,
        }
    }

    pub(super) fn report(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<(), RecordProblem> {
        self.problems.report(line.line, what)
    }

    /// Reports a line that makes no event.
    pub(super) fn refuse(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<bool, RecordProblem> {
        self.report(line, what).map(|()| false)
    }

    /// Reports a line that the rules have no way to follow.
    pub(super) fn stop(
        &mut self,
        line: &GcgEvent,
        what: impl Into<String>,
    ) -> Result<bool, RecordProblem> {
        self.stopped = Some(line.line);
        self.refuse(line, what)
    }

    fn is_lenient(&self) -> bool {
        self.problems.mode == ReadMode::Lenient
    }

    fn seat(&self, nick: &str) -> Option<usize> {
        let player = self.record.player(nick)?;
        self.players.iter().position(|&at| at == player)
    }

    pub(super) fn nick(&self, seat: usize) -> String {
        shown(&self.record.players[self.players[seat]].nick)
    }

    fn follow(&mut self, line: &'a GcgEvent) -> Result<(), RecordProblem> {
        let Some(seat) = self.seat(&line.nick) else {
            return self.report(line, format!("'{}' does not play", shown(&line.nick)));
        };
        let event = self.stopped.is_none() && self.happen(seat, line)?;
        let is_play = matches!(line.what, GcgAction::Play { .. });
        self.just_played = (is_play && self.stopped.is_none()).then_some(seat);
        if event {
            self.check_points(line)?;
        }
        self.check_total(seat, line)?;
        if event {
            // In strict mode this changes nothing: all that differs was an error.
            let total = line.total - self.left_over(seat);
            self.game.correct(line.points, total);
        }
        self.scores[seat] = line.total;
        Ok(())
    }

    /// Whether the line made an event, which is then the last one.
    fn happen(&mut self, seat: usize, line: &'a GcgEvent) -> Result<bool, RecordProblem> {
        match &line.what {
            GcgAction::Withdrawn => self.withdraw(seat, line),
            GcgAction::Challenge => self.award(seat, line),
            GcgAction::Time => self.penalise(seat, line),
            GcgAction::EndRack(tiles) => self.leave_over(seat, line, tiles),
            _ => self.take_turn(seat, line),
        }
    }

    /// Does something to the game and keeps the position before it for each event it makes.
    pub(super) fn act<T>(&mut self, line: &GcgEvent, action: impl FnOnce(&mut Game) -> T) -> T {
        let before = self.game.position().clone();
        let result = action(&mut self.game);
        while self.steps.len() < self.game.events().len() {
            let before = before.clone();
            let line = line.line;
            self.steps.push(ReplayStep { line, before });
        }
        result
    }

    fn take_turn(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.wait_for(seat, line)?;
        match self.game.end() {
            Some(End::Out(_)) if line.what == GcgAction::Pass => return Ok(false),
            Some(end) => return self.stop(line, self.why_over(end)),
            None => {}
        }
        self.learn(line.line, seat, &line.rack)?;
        if line.what == GcgAction::Pass && line.is_marked(LOST_TURN, None) {
            self.act(line, |game| game.lose_turns(seat, 1));
            return Ok(true);
        }
        let (turn, contradictions) = match self.turn_of(line) {
            Ok(turn) => turn,
            Err(what) => return self.stop(line, what),
        };
        for what in contradictions {
            self.report(line, what)?;
        }
        let made = self.play(line, turn)?;
        let loser = self.forfeited(line).filter(|&loser| made && loser != seat);
        if let Some(Err(error)) = loser.map(|loser| self.judge(line, loser, true)) {
            self.report(line, error.to_string())?;
        }
        Ok(made)
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

    /// Those who were on turn and have no line have lost it.
    fn wait_for(&mut self, seat: usize, line: &GcgEvent) -> Result<(), RecordProblem> {
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
                self.act(line, |game| game.lose_turns(turn, 1));
            }
        }
        Ok(())
    }

    /// The turn that a line tells and what contradicts the board in it, or why there is no such turn.
    fn turn_of(&self, line: &GcgEvent) -> Result<(Turn, Vec<String>), String> {
        let turn = match &line.what {
            GcgAction::Play { at, word } => {
                let (placement, contradictions) = resolve(self.game.position(), *at, word)?;
                return Ok((Turn::Place(placement), contradictions));
            }
            GcgAction::Exchange(text) => match self.rules.tiles.read_tiles(text) {
                Ok(tiles) => Turn::Exchange(tiles),
                Err(error) => return Err(error.to_string()),
            },
            GcgAction::ExchangeCount(count) => Turn::ExchangeUnseen(*count),
            _ => Turn::Pass,
        };
        Ok((turn, Vec::new()))
    }

    fn play(&mut self, line: &GcgEvent, turn: Turn) -> Result<bool, RecordProblem> {
        let mut result = self.act(line, |game| game.play(&turn));
        if let (Err(error @ PlayError::NotHeld { .. }), true) = (&result, self.is_lenient()) {
            // The tile may be there, and what was told of the racks wrong.
            self.report(line, error.to_string())?;
            self.forget();
            result = self.act(line, |game| game.play(&turn));
        }
        match result {
            Ok(_) => Ok(true),
            Err(error) if matches!(turn, Turn::Place(_)) => self.stop(line, error.to_string()),
            Err(error) => {
                // An exchange leaves the board as it is: the game can go on.
                self.report(line, error.to_string())?;
                self.forget();
                match self.act(line, |game| game.play(&Turn::Pass)) {
                    Ok(_) => Ok(true),
                    Err(error) => self.stop(line, error.to_string()),
                }
            }
        }
    }

    fn withdraw(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        if self.just_played != Some(seat) {
            let nick = self.nick(seat);
            return self.refuse(line, format!("-- does not follow a play of {nick}"));
        }
        let result = match self.forfeited(line) == Some(seat) {
            true => self.judge(line, (seat + 1) % self.players.len(), false),
            false => self.act(line, Game::withdraw),
        };
        if let Err(error) = result {
            return self.refuse(line, error.to_string());
        }
        // The tiles are back, so that the rack told is the one of the play.
        self.learn(line.line, seat, &line.rack)?;
        Ok(true)
    }

    /// The seat that lost the game by a challenge, as a note of this line says.
    fn forfeited(&self, line: &GcgEvent) -> Option<usize> {
        let lost = |&seat: &usize| {
            let nick = &self.record.players[self.players[seat]].nick;
            line.is_marked(FORFEIT, Some(nick))
        };
        let possible = self.rules.challenge == ChallengeRule::Triple;
        (0..self.players.len()).find(lost).filter(|_| possible)
    }

    /// A challenge of the last play with a known end.
    fn judge(&mut self, line: &GcgEvent, by: usize, good: bool) -> Result<(), ChallengeError> {
        let words = self.game.last_words();
        let word = words.first().map(Vec::as_slice);
        let ruling = self.act(line, |game| game.challenge(by, word, |_| good));
        ruling.map(|_| ())
    }

    fn award(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.learn(line.line, seat, &line.rack)?;
        if self.game.last_play().map(|(by, _)| by) != Some(seat) {
            let nick = self.nick(seat);
            return self.refuse(
                line,
                format!("(challenge) does not follow a play of {nick}"),
            );
        }
        self.act(line, |game| game.award(line.points));
        Ok(true)
    }

    fn penalise(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.learn(line.line, seat, &line.rack)?;
        if line.points > Points::ZERO {
            let what = format!(
                "a time penalty takes points, this one gives {}",
                line.points
            );
            self.report(line, what)?;
        }
        self.act(line, |game| game.penalise_time(seat, -line.points));
        Ok(true)
    }

    fn check_points(&mut self, line: &GcgEvent) -> Result<(), RecordProblem> {
        let Some(event) = self.game.events().last() else {
            return Ok(());
        };
        if event.points == line.points {
            return Ok(());
        }
        let what = match (&line.what, event.kind) {
            (GcgAction::Play { word, .. }, _) => shown(word),
            (_, EventKind::TakenOff) => "taking the play off".to_string(),
            _ => "this".to_string(),
        };
        let (points, told) = (event.points, line.points);
        self.report(
            line,
            format!("{what} scores {points}, the record says {told}"),
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

    /// Adds what a line tells of a rack to what is known of it.
    pub(super) fn learn(
        &mut self,
        line: usize,
        seat: usize,
        rack: &str,
    ) -> Result<(), RecordProblem> {
        // Some programs write this word where they do not know the rack.
        if rack == "UNKNOWN" {
            return Ok(());
        }
        let told = match self.rules.tiles.read_tiles(rack) {
            Ok(told) => told,
            Err(error) => return self.problems.report(line, error.to_string()),
        };
        let hand = *self.game.position().rack(seat);
        let mut together = union(&hand.known, &told);
        if told.len() > hand.len() {
            let (nick, tiles, held) = (self.nick(seat), told.len(), hand.len());
            let what = format!(
                "the rack {} has {tiles} tiles, {nick} holds {held}",
                shown(rack)
            );
            return self.problems.report(line, what);
        }
        if together.len() > hand.len() {
            let nick = self.nick(seat);
            let kept = self.rules.tiles.tiles_text(&hand.known);
            let rack = shown(rack);
            let what = format!("{nick} kept {kept}, which is not all in the rack {rack}");
            self.problems.report(line, what)?;
            together = told;
        }
        if let Err(error) = self.game.set_known_tiles(seat, together) {
            let what = format!("the rack {}: {error}", shown(rack));
            self.problems.report(line, what)?;
            self.forget();
            // If it still does not fit, the rack stays unknown.
            let _ = self.game.set_known_tiles(seat, told);
        }
        Ok(())
    }

    /// Gives up all that was told of the racks.
    fn forget(&mut self) {
        for seat in 0..self.players.len() {
            // Knowing nothing contradicts nothing.
            let _ = self.game.set_known_tiles(seat, TileCounts::EMPTY);
        }
    }

    fn finish(&mut self) -> Result<(), RecordProblem> {
        if self.stopped.is_some() {
            return Ok(());
        }
        let record = self.record;
        for (number, rack) in &record.racks {
            let player = number.checked_sub(1);
            match self.players.iter().position(|&at| Some(at) == player) {
                Some(seat) => self.learn(0, seat, rack)?,
                None => self
                    .problems
                    .report(0, format!("#rack{number} of no player"))?,
            }
        }
        if let Some(rack) = &record.incomplete {
            self.learn(0, self.game.position().to_move(), rack)?;
        }
        self.owe_turns();
        self.settle()
    }

    /// Turns lost by challenges that nobody has missed yet.
    fn owe_turns(&mut self) {
        let record = self.record;
        let notes = record
            .events
            .last()
            .map_or(&record.notes, |line| &line.notes);
        let nicks = notes.iter().flat_map(|note| marks(note, LOST_TURN));
        for seat in nicks
            .flatten()
            .filter_map(|nick| self.seat(nick))
            .collect::<Vec<_>>()
        {
            let turn = self.game.position().to_move();
            if seat != turn || self.game.end().is_some() {
                self.game.lose_turns(seat, 1);
            }
        }
    }
}

/// Each kind as often as it is in either.
fn union(one: &TileCounts, other: &TileCounts) -> TileCounts {
    let mut union = *one;
    for (tile, count) in other.kinds() {
        union.extend((one.count(tile)..count).map(|_| tile));
    }
    union
}
