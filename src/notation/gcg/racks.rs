//! What a replay learns from the racks of a record, and where they contradict each other, the tile
//! set or the moves.

use super::replay::Replayer;
use super::{GcgEvent, LastRack, RecordProblem, quoted};
use crate::tiles::{TileCounts, TileSet};

impl Replayer<'_> {
    /// Adds the tiles of a recorded rack to the known tiles of a seat.
    pub(super) fn add_known_rack(
        &mut self,
        line: usize,
        seat: usize,
        rack: &str,
    ) -> Result<(), RecordProblem> {
        let recorded = match read_rack(&self.rules.tiles, rack) {
            Ok(recorded) => recorded,
            Err(what) => {
                let what = format!("{what}; the rack {} is ignored", quoted(rack));
                return self.problems.report(line, what);
            }
        };
        let hand = *self.game.position().rack(seat);
        let mut together = hand.known;
        together.add_all(&recorded.lacking_in(&hand.known));
        if recorded.len() > hand.len() {
            let (nick, tiles, held) = (self.nick(seat), recorded.len(), hand.len());
            let what = format!(
                "the rack {} has {tiles} tiles, {nick} holds {held}",
                quoted(rack)
            );
            return self.problems.report(line, what);
        }
        if together.len() > hand.len() {
            let nick = self.nick(seat);
            let kept = self.rules.tiles.tiles_text(&hand.known);
            let rack = quoted(rack);
            let what = format!("{nick} kept {kept}, which is not all in the rack {rack}");
            self.problems.report(line, what)?;
            together = recorded;
        }
        if let Err(error) = self.game.set_known_tiles(seat, together) {
            let what = format!("the rack {}: {error}", quoted(rack));
            self.problems.report(line, what)?;
            self.forget_racks();
            // If it still does not fit, the rack stays unknown.
            let _ = self.game.set_known_tiles(seat, recorded);
        }
        Ok(())
    }

    /// Whether the rack of a line, if it states one, has the tiles that the line moves; if not, it
    /// is reported. `moved` says what the line does with them.
    pub(super) fn check_stated_rack(
        &mut self,
        line: &GcgEvent,
        tiles: &TileCounts,
        moved: &str,
    ) -> Result<bool, RecordProblem> {
        // A rack that cannot be read is reported where its tiles become known.
        let stated = read_rack(&self.rules.tiles, &line.rack).unwrap_or(TileCounts::EMPTY);
        let lacking = tiles.lacking_in(&stated);
        if stated.is_empty() || lacking.is_empty() {
            return Ok(true);
        }
        let (rack, lacking) = (quoted(&line.rack), self.rules.tiles.tiles_text(&lacking));
        self.refuse(line, format!("the rack {rack} lacks {lacking}, {moved}"))
    }

    /// Drops all knowledge of the racks.
    pub(super) fn forget_racks(&mut self) {
        for seat in 0..self.players.len() {
            // An unknown rack contradicts nothing, so this cannot fail.
            let _ = self.game.set_known_tiles(seat, TileCounts::EMPTY);
        }
    }

    /// Adds the racks after the last event to the known tiles.
    pub(super) fn add_last_racks(&mut self) -> Result<(), RecordProblem> {
        let record = self.record;
        for (at, rack) in record.racks.iter().enumerate() {
            let (line, name) = (rack.line, rack.name());
            let is_same = |other: &LastRack| other.player == rack.player;
            if record.racks[..at].iter().any(is_same) {
                self.problems
                    .report(line, format!("{name} is given twice"))?;
            }
            let is_later = |event: &&GcgEvent| event.line > line && line > 0;
            if let Some(event) = record.events.iter().find(is_later) {
                let what = format!("an event after {name}, which is the rack after the last event");
                self.problems.report(event.line, what)?;
            }
            let seat = match rack.player {
                Some(number) => self.players.iter().position(|&at| at + 1 == number),
                None => Some(self.game.position().to_move()),
            };
            match seat {
                Some(seat) => self.add_known_rack(line, seat, &rack.tiles)?,
                None => self
                    .problems
                    .report(line, format!("{name} belongs to no player"))?,
            }
        }
        Ok(())
    }
}

/// The tiles of a rack as written; none if it is unknown.
pub(super) fn read_rack(tiles: &TileSet, rack: &str) -> Result<TileCounts, String> {
    // Some programs write this word where they do not know the rack.
    if rack == "UNKNOWN" {
        return Ok(TileCounts::EMPTY);
    }
    tiles.read_tiles(rack).map_err(|error| error.to_string())
}
