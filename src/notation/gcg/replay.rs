//! A [`Record`] to a [`Game`]: every event is played by the rules and compared with what is told.

use super::super::coordinate::Coordinate;
use super::{FORFEIT, LOST_TURN, Line, Mode, Problem, Problems, Record, What, marks, shown};
use crate::board::Square;
use crate::rules::{
    ChallengeRule, End, EventKind, Game, GoingOut, MAX_PLAYERS, Placement, PlayError, Position,
    RuleSet, Turn,
};
use crate::tiles::{Bunch, Face, TileSet};
use crate::units::Points;
use std::sync::Arc;

/// A record that was played through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The game. Where the record's scores differ from the rules', it follows the record.
    pub game: Game,
    /// By seat: the place of the player among [`Record::players`].
    pub players: Vec<usize>,
    /// By seat: the last total the record tells, with what was left over at the end.
    pub scores: Vec<Points>,
    /// One for each event of the game.
    pub steps: Vec<Step>,
    /// The line that the rules could not follow; the game ends before it.
    pub stopped: Option<usize>,
    /// What contradicts the rules or itself; empty in strict mode.
    pub problems: Vec<Problem>,
}

/// An event of a replayed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line that tells it.
    pub line: usize,
    /// The position before it, with the rack that the line tells.
    pub before: Position,
}

impl Record {
    /// Plays the record through by these rules.
    ///
    /// Strict: the first contradiction is the error. Lenient: contradictions
    /// are collected and the record's scores hold; a turn that is not told is
    /// lost, an exchange that the rules refuse is a pass, and a play that
    /// cannot be made ends the game there. Only players and rules that do not
    /// go together are an error in both.
    pub fn replay(&self, rules: &Arc<RuleSet>, mode: Mode) -> Result<Replay, Problem> {
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

impl What {
    /// Whether it is what a player does with a turn.
    fn is_turn(&self) -> bool {
        matches!(
            self,
            What::Play { .. } | What::Pass | What::Exchange(_) | What::ExchangeCount(_)
        )
    }
}

struct Replayer<'a> {
    record: &'a Record,
    rules: Arc<RuleSet>,
    game: Game,
    players: Vec<usize>,
    scores: Vec<Points>,
    steps: Vec<Step>,
    stopped: Option<usize>,
    problems: Problems,
    /// The seat of the line just before, if it told a play.
    just_played: Option<usize>,
    leftovers: Vec<Leftover<'a>>,
}

/// The most lines of tiles left over: no way to tell the end needs more than
/// one a player, and a bound keeps their sum small.
const MAX_LEFTOVERS: usize = 2 * MAX_PLAYERS;

/// A line about tiles left over at the end.
struct Leftover<'a> {
    seat: usize,
    line: &'a Line,
    tiles: &'a str,
}

impl Leftover<'_> {
    /// Whether the player loses for these tiles, rather than gains. The sign
    /// tells; for nothing but blanks the rack field does.
    fn is_penalty(&self) -> bool {
        match self.line.points {
            Points::ZERO => !self.line.rack.is_empty(),
            points => points < Points::ZERO,
        }
    }
}

impl<'a> Replayer<'a> {
    fn new(record: &'a Record, rules: &Arc<RuleSet>, mode: Mode) -> Result<Self, Problem> {
        let players = record.seats();
        let game = Game::new(rules.clone(), players.len()).map_err(|error| Problem {
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
            problems: Problems::new(mode),
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

    fn report(&mut self, line: &Line, what: impl Into<String>) -> Result<(), Problem> {
        self.problems.report(line.line, what)
    }

    /// Reports a line that makes no event.
    fn refuse(&mut self, line: &Line, what: impl Into<String>) -> Result<bool, Problem> {
        self.report(line, what).map(|()| false)
    }

    /// Reports a line that the rules have no way to follow.
    fn stop(&mut self, line: &Line, what: impl Into<String>) -> Result<bool, Problem> {
        self.stopped = Some(line.line);
        self.refuse(line, what)
    }

    fn is_lenient(&self) -> bool {
        self.problems.mode == Mode::Lenient
    }

    fn seat(&self, nick: &str) -> Option<usize> {
        let player = self.record.player(nick)?;
        self.players.iter().position(|&at| at == player)
    }

    fn nick(&self, seat: usize) -> String {
        shown(&self.record.players[self.players[seat]].nick)
    }

    fn follow(&mut self, line: &'a Line) -> Result<(), Problem> {
        let Some(seat) = self.seat(&line.nick) else {
            return self.report(line, format!("'{}' does not play", shown(&line.nick)));
        };
        let event = self.stopped.is_none() && self.happen(seat, line)?;
        let is_play = matches!(line.what, What::Play { .. });
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

    /// What tiles left over have changed so far. The rules count them in the
    /// outcome and not in the score.
    fn left_over(&self, seat: usize) -> Points {
        let own = self.leftovers.iter().filter(|left| left.seat == seat);
        own.map(|left| left.line.points).sum()
    }

    /// Whether the line made an event, which is then the last one.
    fn happen(&mut self, seat: usize, line: &'a Line) -> Result<bool, Problem> {
        match &line.what {
            What::Withdrawn => self.withdraw(seat, line),
            What::Challenge => self.award(seat, line),
            What::Time => self.penalise(seat, line),
            What::EndRack(tiles) => self.leave_over(seat, line, tiles),
            _ => self.take_turn(seat, line),
        }
    }

    /// Does something to the game and keeps the position before it for each event it makes.
    fn act<T>(&mut self, line: &Line, action: impl FnOnce(&mut Game) -> T) -> T {
        let before = self.game.position().clone();
        let result = action(&mut self.game);
        while self.steps.len() < self.game.events().len() {
            let before = before.clone();
            let line = line.line;
            self.steps.push(Step { line, before });
        }
        result
    }

    fn take_turn(&mut self, seat: usize, line: &Line) -> Result<bool, Problem> {
        self.wait_for(seat, line)?;
        match self.game.end() {
            Some(End::Out(_)) if line.what == What::Pass => return Ok(false),
            Some(end) => return self.stop(line, self.why_over(end)),
            None => {}
        }
        self.learn(line.line, seat, &line.rack)?;
        if line.what == What::Pass && line.is_marked(LOST_TURN, None) {
            self.act(line, |game| game.lose_turns(seat, 1));
            return Ok(true);
        }
        let made = match self.turn_of(line)? {
            Ok(turn) => self.play(line, turn)?,
            Err(what) => return self.stop(line, what),
        };
        if let Some(loser) = self.forfeited(line).filter(|&loser| loser != seat) {
            self.judge(line, loser, true);
        }
        Ok(made)
    }

    fn why_over(&self, end: End) -> String {
        let nick = |seat| self.nick(seat);
        match end {
            End::Out(seat) => format!("the game is over: {} is out", nick(seat)),
            End::ZeroTurns => {
                let turns = self.game.position().zero_turns();
                format!("the game is over: {turns} turns in a row had no points")
            }
            End::Target(seat) => format!("the game is over: {} has the points to win", nick(seat)),
            End::Forfeit(seat) => format!("the game is over: {} has lost it", nick(seat)),
        }
    }

    /// Those who were on turn and have no line have lost it.
    fn wait_for(&mut self, seat: usize, line: &Line) -> Result<(), Problem> {
        let turn = self.game.position().turn();
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
            let turn = self.game.position().turn();
            if turn != seat && self.game.end().is_none() {
                self.act(line, |game| game.lose_turns(turn, 1));
            }
        }
        Ok(())
    }

    /// The turn that a line tells, or why there is no such turn.
    fn turn_of(&mut self, line: &Line) -> Result<Result<Turn, String>, Problem> {
        let tiles = &self.rules.tiles;
        Ok(match &line.what {
            What::Play { at, word } => match resolve(self.game.position(), *at, word) {
                Ok((placement, contradictions)) => {
                    for what in contradictions {
                        self.report(line, what)?;
                    }
                    Ok(Turn::Place(placement))
                }
                Err(what) => Err(what),
            },
            What::Exchange(text) => match tiles.read_tiles(text) {
                Ok(tiles) => Ok(Turn::Exchange(tiles)),
                Err(error) => Err(error.to_string()),
            },
            What::ExchangeCount(count) => Ok(Turn::ExchangeUnseen(*count)),
            _ => Ok(Turn::Pass),
        })
    }

    fn play(&mut self, line: &Line, turn: Turn) -> Result<bool, Problem> {
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

    fn withdraw(&mut self, seat: usize, line: &Line) -> Result<bool, Problem> {
        if self.just_played != Some(seat) {
            let nick = self.nick(seat);
            return self.refuse(line, format!("-- does not follow a play of {nick}"));
        }
        if self.forfeited(line) == Some(seat) {
            let challenger = (seat + 1) % self.players.len();
            self.judge(line, challenger, false);
        } else if let Err(error) = self.act(line, Game::withdraw) {
            return self.refuse(line, error.to_string());
        }
        // The tiles are back, so that the rack told is the one of the play.
        self.learn(line.line, seat, &line.rack)?;
        Ok(true)
    }

    /// The seat that lost the game by a challenge, as a note of this line says.
    fn forfeited(&self, line: &Line) -> Option<usize> {
        let lost = |&seat: &usize| {
            let nick = &self.record.players[self.players[seat]].nick;
            line.is_marked(FORFEIT, Some(nick))
        };
        let possible = self.rules.challenge == ChallengeRule::Triple;
        (0..self.players.len()).find(lost).filter(|_| possible)
    }

    /// A challenge of the last play with a known end. Should the rules refuse it, the play stands.
    fn judge(&mut self, line: &Line, challenger: usize, good: bool) {
        let words = self.game.last_words();
        let word = words.first().map(Vec::as_slice);
        let _ = self.act(line, |game| game.challenge(challenger, word, |_| good));
    }

    fn award(&mut self, seat: usize, line: &Line) -> Result<bool, Problem> {
        // Some programs write this word where they do not know the rack.
        if line.rack != "UNKNOWN" {
            self.learn(line.line, seat, &line.rack)?;
        }
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

    fn penalise(&mut self, seat: usize, line: &Line) -> Result<bool, Problem> {
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

    fn leave_over(&mut self, seat: usize, line: &'a Line, tiles: &'a str) -> Result<bool, Problem> {
        if self.leftovers.len() == MAX_LEFTOVERS {
            let what = format!("more than {MAX_LEFTOVERS} lines of tiles left over");
            return self.stop(line, what);
        }
        let leftover = Leftover { seat, line, tiles };
        if leftover.is_penalty() == line.rack.is_empty() && !tiles.is_empty() {
            let what = "tiles left over: points lost have the tiles as rack too, points gained an empty rack field";
            self.report(line, what)?;
        }
        let position = self.game.position();
        let limit = self.rules.zero_turns.limit(self.players.len());
        if self.game.end().is_none() && position.zero_turns() + 1 == limit {
            // Some programs leave out the last pass.
            let _ = self.act(line, |game| game.play(&Turn::Pass));
        }
        self.leftovers.push(leftover);
        Ok(false)
    }

    fn check_points(&mut self, line: &Line) -> Result<(), Problem> {
        let Some(event) = self.game.events().last() else {
            return Ok(());
        };
        if event.points == line.points {
            return Ok(());
        }
        let what = match (&line.what, event.kind) {
            (What::Play { word, .. }, _) => shown(word),
            (_, EventKind::TakenOff) => "taking the play off".to_string(),
            _ => "this".to_string(),
        };
        let (points, told) = (event.points, line.points);
        self.report(
            line,
            format!("{what} scores {points}, the record says {told}"),
        )
    }

    fn check_total(&mut self, seat: usize, line: &Line) -> Result<(), Problem> {
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
    fn learn(&mut self, line: usize, seat: usize, rack: &str) -> Result<(), Problem> {
        let told = match self.rules.tiles.read_tiles(rack) {
            Ok(told) => told,
            Err(error) => return self.problems.report(line, error.to_string()),
        };
        let hand = *self.game.position().hand(seat);
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
        if let Err(error) = self.game.know(seat, together) {
            let what = format!("the rack {}: {error}", shown(rack));
            self.problems.report(line, what)?;
            self.forget();
            // If it still does not fit, the rack stays unknown.
            let _ = self.game.know(seat, told);
        }
        Ok(())
    }

    /// Gives up all that was told of the racks.
    fn forget(&mut self) {
        for seat in 0..self.players.len() {
            // Knowing nothing contradicts nothing.
            let _ = self.game.know(seat, Bunch::EMPTY);
        }
    }

    fn finish(&mut self) -> Result<(), Problem> {
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
            self.learn(0, self.game.position().turn(), rack)?;
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
            let turn = self.game.position().turn();
            if seat != turn || self.game.end().is_some() {
                self.game.lose_turns(seat, 1);
            }
        }
    }

    /// Compares the lines about tiles left over with what the rules say.
    fn settle(&mut self) -> Result<(), Problem> {
        let leftovers = std::mem::take(&mut self.leftovers);
        let Some(first) = leftovers.first() else {
            return Ok(());
        };
        if self.game.end().is_none() {
            let turns = self.game.position().zero_turns();
            let limit = self.rules.zero_turns.limit(self.players.len());
            let what = format!(
                "tiles left over are counted, but the game is not over: nobody is out, and {turns} turns of {limit} had no points"
            );
            return self.report(first.line, what);
        }
        for leftover in &leftovers {
            self.check_leftover(leftover, &leftovers)?;
        }
        let Some(outcome) = self.game.outcome() else {
            return Ok(());
        };
        let last = leftovers.last().unwrap_or(first);
        for (seat, &points) in outcome.adjustments.iter().enumerate() {
            let mut own = leftovers.iter().filter(|leftover| leftover.seat == seat);
            let told: Points = own.clone().map(|leftover| leftover.line.points).sum();
            if told != points {
                let line = own.next_back().unwrap_or(last).line;
                let nick = self.nick(seat);
                let what = format!(
                    "tiles left over change {nick}'s score by {points}, the record says {told}"
                );
                self.report(line, what)?;
            }
        }
        Ok(())
    }

    /// Compares the tiles of such a line with what their owner holds, or its
    /// points with its tiles where nobody knows whose they are.
    fn check_leftover(&mut self, leftover: &Leftover, all: &[Leftover]) -> Result<(), Problem> {
        let line = leftover.line;
        let told = match self.rules.tiles.read_tiles(leftover.tiles) {
            Ok(told) => told,
            Err(error) => return self.report(line, error.to_string()),
        };
        let Some(owner) = self.owner(leftover, all) else {
            return self.check_bonus(leftover, &told);
        };
        let left = self.game.position().left_over().map(|left| left[owner]);
        let hand = *self.game.position().hand(owner);
        if left.is_none() && hand.len() == told.len() {
            return self.learn(line.line, owner, leftover.tiles);
        }
        if left != Some(told) {
            let (nick, text) = (self.nick(owner), shown(leftover.tiles));
            let held = match left {
                Some(left) => self.rules.tiles.tiles_text(&left),
                None => format!("{} tiles", hand.len()),
            };
            self.report(
                line,
                format!("{nick} has {held} left over, the record says {text}"),
            )?;
        }
        if let Some(left) = left {
            // What is left over was counted out of the same tiles, so it fits.
            let _ = self.game.know(owner, left);
        }
        Ok(())
    }

    /// Whose tiles a line tells: a penalty its player's, points for going out
    /// the next player's who has no such line yet. One line for the tiles of
    /// several is nobody's.
    fn owner(&self, leftover: &Leftover, all: &[Leftover]) -> Option<usize> {
        if leftover.is_penalty() {
            return Some(leftover.seat);
        }
        let players = self.players.len();
        let gains = all.iter().filter(|other| !other.is_penalty());
        if gains.clone().count() != players - 1 {
            return None;
        }
        let before = gains
            .take_while(|other| !std::ptr::eq(*other, leftover))
            .count();
        Some((leftover.seat + 1 + before) % players)
    }

    fn check_bonus(&mut self, leftover: &Leftover, told: &Bunch) -> Result<(), Problem> {
        let factor = match self.rules.going_out {
            GoingOut::Sum => 1,
            GoingOut::Twice => 2,
        };
        let points = self.rules.tiles.total_value(told) * factor;
        if points == leftover.line.points {
            return Ok(());
        }
        let (text, said) = (shown(leftover.tiles), leftover.line.points);
        let what = format!("{text} left over gives {points}, the record says {said}");
        self.report(leftover.line, what)
    }
}

/// Each kind as often as it is in either.
fn union(one: &Bunch, other: &Bunch) -> Bunch {
    let mut union = *one;
    for (tile, count) in other.kinds() {
        union.extend((one.count(tile)..count).map(|_| tile));
    }
    union
}

/// A letter of a word as written.
enum Piece {
    /// `.`
    Dot,
    /// In parentheses: a tile on the board.
    Through(Face),
    /// A tile placed, or one on the board.
    Letter(Face),
}

/// The placement that a word at a coordinate means here, and where its letters contradict the board.
fn resolve(
    position: &Position,
    at: Coordinate,
    word: &str,
) -> Result<(Placement, Vec<String>), String> {
    let (grid, tiles) = (position.grid(), &position.rules().tiles);
    let side = grid.side();
    let start = at
        .square(side)
        .ok_or_else(|| format!("{at} is not on the board, which has {side} rows"))?;
    let pieces = pieces(tiles, word)?;
    let (lane, first) = start.lane(at.axis, side);
    let squares: Vec<Square> = lane.onwards(first).collect();
    if pieces.len() > squares.len() {
        return Err(PlayError::OffBoard.to_string());
    }
    let mut contradictions = Vec::new();
    let mut cells = Vec::with_capacity(pieces.len());
    for (piece, &square) in pieces.iter().zip(&squares) {
        let (said, placed) = match piece {
            Piece::Dot => (None, None),
            Piece::Through(face) => (Some(face), None),
            Piece::Letter(face) => (Some(face), Some(*face)),
        };
        let there = grid.get(square);
        if let (Some(there), Some(said)) = (there, said)
            && there.letter() != said.letter()
        {
            let (there, said) = (tiles.face_text(there), tiles.face_text(*said));
            let name = square.name(side);
            contradictions.push(format!(
                "{there} lies on {name}, the record plays {said} there"
            ));
        }
        cells.push(placed.filter(|_| there.is_none()));
    }
    let placement = Placement::new(start, at.axis, &cells);
    let placement = placement.ok_or_else(|| PlayError::OffBoard.to_string())?;
    Ok((placement, contradictions))
}

fn pieces(tiles: &TileSet, word: &str) -> Result<Vec<Piece>, String> {
    let read = |text: &str| tiles.read_faces(text).map_err(|error| error.to_string());
    let mut pieces = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            pieces.push(Piece::Dot);
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('(') {
            let closed = inner.split_once(')');
            let (through, after) =
                closed.ok_or_else(|| format!("'{}' has a '(' without a ')'", shown(word)))?;
            pieces.extend(read(through)?.into_iter().map(Piece::Through));
            rest = after;
        } else {
            let (run, after) = rest.split_at(rest.find(['.', '(']).unwrap_or(rest.len()));
            pieces.extend(read(run)?.into_iter().map(Piece::Letter));
            rest = after;
        }
    }
    Ok(pieces)
}
