//! Corrects a record in which exactly one thing is wrong.
//!
//! Every single change of certain kinds is tried: the sum of a line, its points, its player, the
//! order of two lines, the player who moves first, one tile of a rack. A change is a correction if
//! the record then replays without any contradiction. If there are two corrections, nobody knows
//! which is true, so neither is made. What a line says about the words is not judged.

use crate::notation::gcg::{GameRecord, GcgAction, GcgEvent, Note, ReadMode, RecordProblem};
use crate::rules::{EventKind, Game, RuleSet};
use crate::tiles::TileCounts;
use crate::units::Points;
use std::fmt;
use std::sync::Arc;

/// The most events of a record that is corrected. Chosen by hand: the work grows with its square.
const MAX_CORRECTED_EVENTS: usize = 500;
/// The pragma that names the player who moves first.
const FIRST_MOVE: &str = "first-move";
/// The most corrections that a message lists. Chosen by hand.
const MAX_LISTED: usize = 3;

/// A record that is consistent after one correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectedRecord {
    /// The corrected record. Its lines have the numbers of the record as it was.
    pub record: GameRecord,
    /// The line and what was changed there.
    pub correction: RecordProblem,
}

/// Why a record is not corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCorrectable {
    /// The first contradiction.
    pub problem: RecordProblem,
    /// The corrections that are possible, if there are several.
    pub corrections: Vec<RecordProblem>,
}

impl fmt::Display for NotCorrectable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}; ", self.problem)?;
        if self.corrections.is_empty() {
            return write!(
                f,
                "no single correction of a sum, a score, a player's order or a rack makes the \
                 record consistent"
            );
        }
        let count = self.corrections.len();
        write!(
            f,
            "{count} different corrections would make the record consistent"
        )?;
        for (at, correction) in self.corrections.iter().take(MAX_LISTED).enumerate() {
            write!(f, "{}{correction}", if at == 0 { ": " } else { "; or " })?;
        }
        let more = if count > MAX_LISTED {
            "; or others"
        } else {
            ""
        };
        write!(f, "{more}")
    }
}

/// Corrects a record by these rules. `None`: it is consistent as it is.
pub fn correct_record(
    record: &GameRecord,
    rules: &Arc<RuleSet>,
) -> Result<Option<CorrectedRecord>, NotCorrectable> {
    let Err(problem) = record.replay(rules, ReadMode::Strict) else {
        return Ok(None);
    };
    let mut search = CorrectionSearch {
        record,
        rules,
        last: last_event(record, &problem),
        found: Vec::new(),
    };
    if record.events.len() <= MAX_CORRECTED_EVENTS {
        search.try_all();
    }
    match search.found.len() {
        1 => Ok(search.found.pop()),
        _ => Err(NotCorrectable {
            problem,
            corrections: search.found.into_iter().map(|it| it.correction).collect(),
        }),
    }
}

/// The text of a corrected record, with a note that says what was changed.
pub fn corrected_text(corrected: &CorrectedRecord) -> String {
    let mut record = corrected.record.clone();
    let text = format!("Corrected by cazique review: {}", corrected.correction);
    record.notes.push(Note { line: 0, text });
    record.to_text()
}

/// The last event that a contradiction can come from: one at its line or before.
fn last_event(record: &GameRecord, problem: &RecordProblem) -> usize {
    let after = record
        .events
        .iter()
        .position(|event| event.line > problem.line);
    match problem.line {
        0 => record.events.len(),
        _ => after.unwrap_or(record.events.len()),
    }
}

struct CorrectionSearch<'a> {
    record: &'a GameRecord,
    rules: &'a Arc<RuleSet>,
    /// The number of events that may be wrong.
    last: usize,
    found: Vec<CorrectedRecord>,
}

impl CorrectionSearch<'_> {
    fn try_all(&mut self) {
        for at in 0..self.last {
            self.try_total(at);
            self.try_points(at);
            self.try_player(at);
            self.try_order(at);
        }
        self.try_first_move();
        for at in self.rack_lines() {
            self.try_rack(at);
        }
    }

    /// Keeps a changed record if it has no contradiction, unless it is known.
    fn try_record(&mut self, record: GameRecord, line: usize, what: impl FnOnce() -> String) {
        let is_known = |it: &CorrectedRecord| it.record.to_text() == record.to_text();
        if &record == self.record || record.replay(self.rules, ReadMode::Strict).is_err() {
            return;
        }
        // The copy has to say the same when it is read again.
        let read = GameRecord::parse(record.to_text().as_bytes(), ReadMode::Strict);
        let Ok((read, _)) = read else { return };
        if read.replay(self.rules, ReadMode::Strict).is_err() || self.found.iter().any(is_known) {
            return;
        }
        let what = what();
        self.found.push(CorrectedRecord {
            record,
            correction: RecordProblem { line, what },
        });
    }

    /// Tries a change of one event.
    fn try_event(
        &mut self,
        at: usize,
        change: impl FnOnce(&mut GcgEvent),
        what: impl FnOnce(&GcgEvent, &GcgEvent) -> String,
    ) {
        let mut record = self.record.clone();
        change(&mut record.events[at]);
        let (old, new) = (self.record.events[at].clone(), record.events[at].clone());
        self.try_record(record, old.line, || what(&old, &new));
    }

    /// Tries other points and another total on one line, and the same with all later totals of the
    /// player changed by as much, because they are sums of it.
    fn try_sum(&mut self, at: usize, points: Points, total: Points) {
        let old = &self.record.events[at];
        let what = move |old: &GcgEvent, new: &GcgEvent| match old.points == new.points {
            true => format!("the total is {}, not {}", new.total, old.total),
            false => format!("the score is {}, not {}", new.points, old.points),
        };
        let change = total - old.total;
        self.try_event(
            at,
            |event| (event.points, event.total) = (points, total),
            what,
        );
        let (mut record, old) = (self.record.clone(), old.clone());
        record.events[at].points = points;
        for event in &mut record.events[at..] {
            if event.nick == old.nick {
                event.total += change;
            }
        }
        let new = record.events[at].clone();
        self.try_record(record, old.line, || what(&old, &new));
    }

    fn try_total(&mut self, at: usize) {
        let event = &self.record.events[at];
        let (before, points) = (self.total_before(at), event.points);
        self.try_sum(at, points, before + points);
    }

    /// Tries the points that fit the total, and those of the rules.
    fn try_points(&mut self, at: usize) {
        let (before, total) = (self.total_before(at), self.record.events[at].total);
        self.try_sum(at, total - before, total);
        if let Some(points) = self.points_by_rules(at) {
            self.try_sum(at, points, before + points);
        }
    }

    /// The total of the player before an event.
    fn total_before(&self, at: usize) -> Points {
        let nick = &self.record.events[at].nick;
        let mut before = self.record.events[..at].iter().rev();
        let last = before.find(|event| &event.nick == nick);
        last.map_or(Points::ZERO, |event| event.total)
    }

    /// What the turn of an event scores by the rules.
    fn points_by_rules(&self, at: usize) -> Option<Points> {
        let action = &self.record.events[at].action;
        if !matches!(action, GcgAction::Play { .. } | GcgAction::Token(_)) {
            return None;
        }
        let events = self.record.events[..=at].to_vec();
        let part = GameRecord {
            events,
            racks: Vec::new(),
            ..self.record.clone()
        };
        let replay = part.replay(self.rules, ReadMode::Lenient).ok()?;
        let (step, event) = (replay.steps.last()?, replay.game.events().last()?);
        let EventKind::Turn(turn) = &event.kind else {
            return None;
        };
        let is_its_turn = step.line == self.record.events[at].line;
        let mut game = Game::from_position(step.before.clone());
        is_its_turn.then(|| game.play(turn).ok())?
    }

    fn try_player(&mut self, at: usize) {
        for player in &self.record.players {
            let what = |old: &GcgEvent, new: &GcgEvent| {
                format!("the player is {}, not {}", new.nick, old.nick)
            };
            self.try_event(at, |event| event.nick.clone_from(&player.nick), what);
        }
    }

    /// Tries an event and the next in the other order.
    fn try_order(&mut self, at: usize) {
        if at + 1 == self.record.events.len() {
            return;
        }
        let mut record = self.record.clone();
        record.events.swap(at, at + 1);
        let lines = [at, at + 1].map(|at| self.record.events[at].line);
        let what = || format!("this line and line {} stand in the wrong order", lines[1]);
        self.try_record(record, lines[0], what);
    }

    /// Tries another player, or none, in the pragma that names who moves first.
    fn try_first_move(&mut self) {
        let pragmas = &self.record.pragmas;
        let is_it = |name: &str| name.eq_ignore_ascii_case(FIRST_MOVE);
        let Some(at) = pragmas.iter().position(|pragma| is_it(&pragma.name)) else {
            return;
        };
        let line = pragmas[at].line;
        for player in &self.record.players {
            let mut record = self.record.clone();
            record.pragmas[at].text.clone_from(&player.nick);
            let what = || format!("the first move is that of {}", player.nick);
            self.try_record(record, line, what);
        }
    }

    /// The events whose racks may be wrong: the last that can be, and the one of its player before.
    fn rack_lines(&self) -> Vec<usize> {
        let Some(at) = self.last.checked_sub(1) else {
            return Vec::new();
        };
        let nick = &self.record.events[at].nick;
        let before = (0..at)
            .rev()
            .find(|&at| &self.record.events[at].nick == nick);
        let lines = before.into_iter().chain([at]);
        lines
            .filter(|&at| !self.record.events[at].rack.is_empty())
            .collect()
    }

    /// Tries a full rack with one tile less, one more, or another one than the record has.
    fn try_rack(&mut self, at: usize) {
        let tiles = &self.rules.tiles;
        let Ok(rack) = tiles.read_tiles(&self.record.events[at].rack) else {
            return;
        };
        let all: Vec<_> = tiles.all().kinds().map(|(tile, _)| tile).collect();
        let mut racks: Vec<TileCounts> = Vec::new();
        for &less in &all {
            let mut fewer = rack;
            let has_tile = fewer.take(less);
            for &more in &all {
                let mut other = fewer;
                other.add(more);
                racks.extend(has_tile.then_some(other));
            }
            racks.extend(has_tile.then_some(fewer));
            let mut larger = rack;
            larger.add(less);
            racks.push(larger);
        }
        racks.retain(|rack| rack.len() == self.rules.rack_size);
        for rack in racks {
            let text = tiles.tiles_text(&rack);
            let what = |old: &GcgEvent, new: &GcgEvent| {
                format!("the rack is {}, not {}", new.rack, old.rack)
            };
            self.try_event(at, |event| event.rack = text, what);
        }
    }
}
