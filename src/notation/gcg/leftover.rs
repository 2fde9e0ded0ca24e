//! The end of a replay: compares the lines about tiles left over with the settlement by the
//! rules.

use super::racks::read_rack;
use super::replay::Replayer;
use super::{GcgEvent, RecordProblem, quoted};
use crate::rules::{GoingOut, MAX_PLAYERS};
use crate::tiles::TileCounts;
use crate::units::Points;

/// The most lines about tiles left over: twice the one line a player that either form of the end
/// needs. The limit keeps the sum of their points small.
const MAX_LEFTOVER_LINES: usize = 2 * MAX_PLAYERS;

/// An event line about tiles left over at the end.
pub(super) struct LeftoverLine<'a> {
    seat: usize,
    line: &'a GcgEvent,
    tiles: &'a str,
}

impl LeftoverLine<'_> {
    /// Whether the player loses points for these tiles rather than gains them. The sign of the
    /// points decides; for blanks alone, which are worth nothing, the rack field does.
    fn is_penalty(&self) -> bool {
        match self.line.points {
            Points::ZERO => !self.line.rack.is_empty(),
            points => points < Points::ZERO,
        }
    }
}

impl<'a> Replayer<'a> {
    /// Keeps a line about tiles left over for [`Replayer::settle`]; it makes no event.
    pub(super) fn add_leftover(
        &mut self,
        seat: usize,
        line: &'a GcgEvent,
        tiles: &'a str,
    ) -> Result<bool, RecordProblem> {
        if self.leftovers.len() == MAX_LEFTOVER_LINES {
            let what = format!("more than {MAX_LEFTOVER_LINES} lines about tiles left over");
            return self.stop(line, what);
        }
        let leftover = LeftoverLine { seat, line, tiles };
        if leftover.is_penalty() == line.rack.is_empty() && !tiles.is_empty() {
            let what = "tiles left over: points lost have the tiles as rack too, points gained an empty rack field";
            self.report(line, what)?;
        }
        if leftover.is_penalty() && !line.rack.is_empty() {
            self.compare_leftover_rack(line, tiles)?;
        }
        if self.leftovers.is_empty() && self.game.end().is_none() {
            let limit = self.rules.scoreless_limit.limit(self.players.len());
            let turns = self.game.position().scoreless_turns();
            let what = format!(
                "tiles left over are counted, but the game is not over: nobody is out, and {turns} turns of {limit} had no points"
            );
            self.report(line, what)?;
        }
        self.leftovers.push(leftover);
        Ok(false)
    }

    /// Compares the rack of a penalty line with its tiles.
    fn compare_leftover_rack(&mut self, line: &GcgEvent, tiles: &str) -> Result<(), RecordProblem> {
        let rack = match read_rack(&self.rules.tiles, &line.rack) {
            Ok(rack) => rack,
            Err(what) => return self.report(line, what),
        };
        match self.rules.tiles.read_tiles(tiles) {
            Ok(left) if rack != left => {
                let (rack, tiles) = (quoted(&line.rack), quoted(tiles));
                let what =
                    format!("the rack {rack} and the tiles left over, {tiles}, are not the same");
                self.report(line, what)
            }
            // Tiles that cannot be read are reported when the end is settled.
            _ => Ok(()),
        }
    }

    /// The points for tiles left over so far, which the totals of the record include. Our
    /// rules count them in the outcome and not in the score.
    pub(super) fn leftover_points(&self, seat: usize) -> Points {
        let own = self.leftovers.iter().filter(|left| left.seat == seat);
        own.map(|left| left.line.points).sum()
    }

    /// Compares the lines about tiles left over with the settlement by the rules.
    pub(super) fn settle(&mut self) -> Result<(), RecordProblem> {
        let leftovers = std::mem::take(&mut self.leftovers);
        let Some(first) = leftovers.first() else {
            return Ok(());
        };
        if self.game.end().is_none() {
            return Ok(());
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
            let recorded: Points = own.clone().map(|leftover| leftover.line.points).sum();
            if recorded != points {
                let line = own.next_back().unwrap_or(last).line;
                let nick = self.nick(seat);
                let what = format!(
                    "tiles left over change {nick}'s score by {points}, the record says {recorded}"
                );
                self.report(line, what)?;
            }
        }
        Ok(())
    }

    /// Compares the tiles of a line with those of their owner or, if the owner is unknown, its
    /// points with its tiles.
    fn check_leftover(
        &mut self,
        leftover: &LeftoverLine,
        all: &[LeftoverLine],
    ) -> Result<(), RecordProblem> {
        let line = leftover.line;
        let tiles = match self.rules.tiles.read_tiles(leftover.tiles) {
            Ok(tiles) => tiles,
            Err(error) => return self.report(line, error.to_string()),
        };
        let Some(owner) = self.owner(leftover, all) else {
            return self.check_bonus(leftover, &tiles);
        };
        let left = self
            .game
            .position()
            .leftover_racks()
            .map(|left| left[owner]);
        let hand = *self.game.position().rack(owner);
        if left.is_none() && hand.len() == tiles.len() {
            return self.add_known_rack(line.line, owner, leftover.tiles);
        }
        if left != Some(tiles) {
            let or_none = |text: String| match text.as_str() {
                "" => "no tiles".to_string(),
                _ => text,
            };
            let (nick, text) = (self.nick(owner), or_none(quoted(leftover.tiles)));
            let held = match left {
                Some(left) => or_none(self.rules.tiles.tiles_text(&left)),
                None => format!("{} tiles", hand.len()),
            };
            self.report(
                line,
                format!("{nick} has {held} left over, the record says {text}"),
            )?;
        }
        if let Some(left) = left {
            // The tiles left over are counted from the same position, so this cannot fail.
            let _ = self.game.set_known_tiles(owner, left);
        }
        Ok(())
    }

    /// The owner of the tiles on a line. A penalty line has its player's own tiles. The lines
    /// of points for going out have the opponents' tiles in the order of seats; a single line
    /// for several opponents has no owner.
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

    /// Compares the points for going out with the value of the tiles.
    fn check_bonus(
        &mut self,
        leftover: &LeftoverLine,
        tiles: &TileCounts,
    ) -> Result<(), RecordProblem> {
        let factor = match self.rules.going_out {
            GoingOut::Sum => 1,
            GoingOut::Twice => 2,
        };
        let points = self.rules.tiles.total_value(tiles) * factor;
        if points == leftover.line.points {
            return Ok(());
        }
        let (text, recorded) = (quoted(leftover.tiles), leftover.line.points);
        let what = format!("{text} left over gives {points}, the record says {recorded}");
        self.report(leftover.line, what)
    }
}
