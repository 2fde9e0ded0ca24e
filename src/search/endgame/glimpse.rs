//! A look at an ending that is not worth a proof: who seems to win it.

use super::GameResult;
use super::solver::{Solver, TO_THE_END};

/// How many nodes an ending is worth that does not have to be proved.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// If playing it out decides it by at least so many points, that is enough.
    pub clear: Option<i32>,
    /// To prove it.
    pub proof: u64,
    /// To look a turn ahead, and again for two.
    pub look: u64,
}

/// What a look shows, for the player who is not on turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It is proved.
    Proof(GameResult),
    /// It is not.
    Glimpse(Glimpse),
}

/// What is seen of an ending that is searched for a turn or two and then
/// played out, for the player who took the turn before it.
///
/// One turn gives the other more than is his, for nothing is done about it:
/// what is won then is won. Two turns give him less: what is lost then is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glimpse {
    /// Won by far when it was played out.
    Ahead,
    /// Lost by far then.
    Behind,
    /// Won after one turn.
    Won,
    /// No turn of the other was found that wins; if there is one, it is mostly found at once.
    Holds,
    /// Lost after one turn, won after two.
    Answered,
    /// Lost after one turn, drawn after two.
    Drawn,
    /// Lost after one turn; there was no time for two.
    Loses,
    /// Lost after two turns.
    Lost,
}

impl Glimpse {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All of them.
    pub const ALL: [Glimpse; Glimpse::COUNT] = [
        Glimpse::Ahead,
        Glimpse::Behind,
        Glimpse::Won,
        Glimpse::Holds,
        Glimpse::Answered,
        Glimpse::Drawn,
        Glimpse::Loses,
        Glimpse::Lost,
    ];

    /// The share of wins of real endings that took long to prove, of which about as many were won as lost.
    pub fn share(self) -> f64 {
        [0.98, 0.02, 0.99, 0.93, 0.8, 0.4, 0.25, 0.01][self as usize]
    }
}

impl Seen {
    /// The share of wins.
    pub fn share(self) -> f64 {
        match self {
            Seen::Proof(result) => result.share(),
            Seen::Glimpse(glimpse) => glimpse.share(),
        }
    }
}

impl Solver<'_> {
    /// Looks at an ending, for at most so many nodes: what is seen by the one
    /// who is not on turn, where the one on `seat` leads so much. `None` if there was no time.
    pub fn glimpse(&mut self, seat: usize, lead: i32, effort: Effort, nodes: u64) -> Option<Seen> {
        let needed = -2 * lead;
        let end = self.work().0.saturating_add(nodes);
        if let Some(clear) = effort.clear {
            self.limit_nodes(Some(nodes));
            let ahead = needed - self.playout(seat).value;
            if ahead.abs() >= 2 * clear {
                let glimpse = match ahead > 0 {
                    true => Glimpse::Ahead,
                    false => Glimpse::Behind,
                };
                return self.go_on(8).then_some(Seen::Glimpse(glimpse));
            }
        }
        let mut search = |turns: u8, nodes: u64| {
            let left = end.saturating_sub(self.work().0);
            self.limit_nodes(Some(nodes.min(left)));
            let score = self.search(seat, turns, needed - 1, needed + 1);
            (!self.is_stopped()).then(|| GameResult::of(needed - score.value))
        };
        if let Some(result) = search(TO_THE_END, effort.proof) {
            return Some(Seen::Proof(result));
        }
        let glimpse = match search(1, effort.look) {
            Some(GameResult::Won) => Glimpse::Won,
            None => Glimpse::Holds,
            Some(GameResult::Drawn | GameResult::Lost) => match search(2, effort.look) {
                Some(GameResult::Won) => Glimpse::Answered,
                Some(GameResult::Drawn) => Glimpse::Drawn,
                None => Glimpse::Loses,
                Some(GameResult::Lost) => Glimpse::Lost,
            },
        };
        // A look that ended for want of time shows nothing.
        self.limit_nodes(None);
        self.go_on(64).then_some(Seen::Glimpse(glimpse))
    }
}
