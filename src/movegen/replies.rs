//! The best placement of one rack on many boards that are nearly the same:
//! the answers to each of several candidates.
//!
//! A candidate changes some strips of a board and leaves the others as they
//! are. What can be placed in those others is the same for all candidates, so
//! the best of it is found once; after a candidate, only the strips that it
//! changed are searched, and only for something better.

use super::best_first::BestFirstSearch;
use super::sink::BestPlaySink;
use super::{Generator, Play, PlayDelta, RackLeaves};
use crate::board::Axis;
use crate::rules::Placement;

/// So many of the best placements are kept for when candidates spoil some of
/// them. With 8, one candidate in fifty has to be looked at as a whole.
const CACHED_REPLIES: usize = 8;

/// What a rack can do on a board, for boards that differ from it by one play.
#[derive(Clone, Default)]
pub struct Replies {
    best_first: BestFirstSearch,
    /// The best, in order.
    plays: Vec<Play>,
    /// Whether the word map is of use for the rack.
    by_map: bool,
}

impl Generator<'_> {
    /// Finds what a rack can do here. There must be tiles on the board: the first play changes all.
    pub fn survey_replies(&mut self, rack_leaves: &RackLeaves, replies: &mut Replies) {
        let map = self.map_for(&rack_leaves.rack).filter(|_| !self.is_empty());
        replies.by_map = map.is_some();
        if let Some(map) = map {
            replies
                .best_first
                .take_up(&self.field, map, &rack_leaves.rack, &rack_leaves.values);
            replies.plays = self.top(rack_leaves, CACHED_REPLIES);
        }
    }

    /// The best placement of the rack that was surveyed, now that perhaps a play has been made since.
    pub fn best_reply(
        &mut self,
        rack_leaves: &RackLeaves,
        replies: &mut Replies,
        since: Option<&PlayDelta>,
    ) -> Option<Play> {
        let map = self.map_for(&rack_leaves.rack).filter(|_| replies.by_map);
        let changed = since.map_or([0; 2], |since| since.undo.seen);
        let side = self.field.side as u8;
        let is_same = |play: &&Play| !is_in(&play.placement, changed, side);
        let kept = replies.plays.iter().find(is_same).copied();
        // With fewer than were looked for, those are all there are.
        let known = kept.is_some() || replies.plays.len() < CACHED_REPLIES;
        let Some(map) = map.filter(|_| known) else {
            return self.best(rack_leaves);
        };
        self.prepare();
        let mut best = BestPlaySink::from(self.field.side, kept);
        replies
            .best_first
            .search(&self.field, &self.spots, map, changed, &mut best);
        debug_assert_eq!(best.play, self.best(rack_leaves), "as if all were searched");
        best.play
    }
}

/// Whether a placement lies in one of these strips.
fn is_in(placement: &Placement, strips: [u32; 2], side: u8) -> bool {
    let (start, axis) = (placement.start(), placement.axis());
    let lane = match axis {
        Axis::Across => start.row(side),
        Axis::Down => start.column(side),
    };
    strips[axis as usize] >> lane & 1 != 0
}
