//! The best reply of one rack to each of several candidates.
//!
//! A candidate changes some lanes of the board and leaves the others as they
//! are. The best plays in the unchanged lanes are the same for all candidates.
//! So [`Generator::survey_replies`] finds the best plays once, before any
//! candidate is played. After a candidate, [`Generator::best_reply`] searches
//! only the lanes that it changed, and only for something better.
//!
//! Rollouts call it: in one world the opponent has the same rack after every
//! candidate. It does not decide whether an exchange is better.

use super::best_first::BestFirstSearch;
use super::cross_board::locate;
use super::sink::BestPlaySink;
use super::{Generator, Play, PlayDelta, RackLeaves};
use crate::rules::Placement;

/// The number of best plays that are kept, because a candidate can spoil some.
/// Measured: with 8, one candidate in fifty spoils all and needs a full search.
const CACHED_REPLIES: usize = 8;

/// The best plays of a rack on a board, for boards that differ by one play.
#[derive(Clone, Default)]
pub(crate) struct Replies {
    best_first: BestFirstSearch,
    /// The [`CACHED_REPLIES`] best plays, best first.
    plays: Vec<Play>,
    /// Whether the survey was made: there is a word map, the board is not empty, and best-first
    /// search can handle board and rack.
    uses_map: bool,
}

impl Generator<'_> {
    /// Finds the best plays of a rack on the board as it is. On an empty board it
    /// does nothing, and replies are searched in full: a first play changes every
    /// lane.
    pub(crate) fn survey_replies(&mut self, rack_leaves: &RackLeaves, replies: &mut Replies) {
        let map = self.map_for(&rack_leaves.rack).filter(|_| !self.is_empty());
        replies.uses_map = map.is_some();
        if let Some(map) = map {
            replies.best_first.set_rack(&self.board, map, rack_leaves);
            replies.plays = self.top(rack_leaves, CACHED_REPLIES);
        }
    }

    /// The best placement of the surveyed rack. `since` is the candidate played
    /// after the survey, if there is one.
    pub(crate) fn best_reply(
        &mut self,
        rack_leaves: &RackLeaves,
        replies: &mut Replies,
        since: Option<&PlayDelta>,
    ) -> Option<Play> {
        let map = self.map_for(&rack_leaves.rack).filter(|_| replies.uses_map);
        let changed = since.map_or([0; 2], |since| since.board.changed);
        let side = self.board.side as u8;
        let is_same = |play: &&Play| !is_in(&play.placement, changed, side);
        let kept = replies.plays.iter().find(is_same).copied();
        // A survey that found fewer plays found all of them.
        let known = kept.is_some() || replies.plays.len() < CACHED_REPLIES;
        let Some(map) = map.filter(|_| known) else {
            return self.best(rack_leaves);
        };
        self.prepare();
        let mut best = BestPlaySink::starting_with(self.board.side, kept);
        replies
            .best_first
            .search(&self.board, &self.spots, map, changed, &mut best);
        debug_assert_eq!(
            best.play,
            self.best(rack_leaves),
            "must equal a full search"
        );
        best.play
    }
}

/// Whether a placement lies in one of these lanes, which are bits by axis.
fn is_in(placement: &Placement, lanes: [u32; 2], side: u8) -> bool {
    let axis = placement.axis();
    let (lane, _) = locate(placement.start(), axis, side);
    lanes[axis as usize] >> lane & 1 != 0
}
