//! Replaying the end: the lines about tiles left over, compared with what the rules say.

use super::replay::Replayer;
use super::{GcgEvent, RecordProblem, shown};
use crate::rules::{GoingOut, MAX_PLAYERS, Turn};
use crate::tiles::TileCounts;
use crate::units::Points;

/// The most lines of tiles left over: no way to tell the end needs more than
/// one a player, and a bound keeps their sum small.
const MAX_LEFTOVERS: usize = 2 * MAX_PLAYERS;

/// A line about tiles left over at the end.
pub(super) struct LeftoverLine<'a> {
    seat: usize,
    line: &'a GcgEvent,
    tiles: &'a str,
}

impl LeftoverLine<'_> {
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
    /// Keeps such a line for the end; it makes no event.
    pub(super) fn leave_over(
        &mut self,
        seat: usize,
        line: &'a GcgEvent,
        tiles: &'a str,
    ) -> Result<bool, RecordProblem> {
        if self.leftovers.len() == MAX_LEFTOVERS {
            let what = format!("more than {MAX_LEFTOVERS} lines of tiles left over");
            return self.stop(line, what);
        }
        let leftover = LeftoverLine { seat, line, tiles };
        if leftover.is_penalty() == line.rack.is_empty() && !tiles.is_empty() {
            let what = "tiles left over: points lost have the tiles as rack too, points gained an empty rack field";
            self.report(line, what)?;
        }
        let position = self.game.position();
        let limit = self.rules.scoreless_limit.limit(self.players.len());
        if self.game.end().is_none() && position.scoreless_turns() + 1 == limit {
            // Some programs leave out the last pass.
            let _ = self.act(line, |game| game.play(&Turn::Pass));
        }
        self.leftovers.push(leftover);
        Ok(false)
    }

    /// What tiles left over have changed so far. The rules count them in the
    /// outcome and not in the score.
    pub(super) fn left_over(&self, seat: usize) -> Points {
        let own = self.leftovers.iter().filter(|left| left.seat == seat);
        own.map(|left| left.line.points).sum()
    }

    /// Compares the lines about tiles left over with what the rules say.
    pub(super) fn settle(&mut self) -> Result<(), RecordProblem> {
        let leftovers = std::mem::take(&mut self.leftovers);
        let Some(first) = leftovers.first() else {
            return Ok(());
        };
        if self.game.end().is_none() {
            let turns = self.game.position().scoreless_turns();
            let limit = self.rules.scoreless_limit.limit(self.players.len());
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
    fn check_leftover(
        &mut self,
        leftover: &LeftoverLine,
        all: &[LeftoverLine],
    ) -> Result<(), RecordProblem> {
        let line = leftover.line;
        let told = match self.rules.tiles.read_tiles(leftover.tiles) {
            Ok(told) => told,
            Err(error) => return self.report(line, error.to_string()),
        };
        let Some(owner) = self.owner(leftover, all) else {
            return self.check_bonus(leftover, &told);
        };
        let left = self
            .game
            .position()
            .leftover_racks()
            .map(|left| left[owner]);
        let hand = *self.game.position().rack(owner);
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
            let _ = self.game.set_known_tiles(owner, left);
        }
        Ok(())
    }

    /// Whose tiles a line tells: a penalty its player's, points for going out
    /// the next player's who has no such line yet. One line for the tiles of
    /// several is nobody's.
    fn owner(&self, leftover: &LeftoverLine, all: &[LeftoverLine]) -> Option<usize> {
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

    fn check_bonus(
        &mut self,
        leftover: &LeftoverLine,
        told: &TileCounts,
    ) -> Result<(), RecordProblem> {
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
