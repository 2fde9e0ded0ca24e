//! Contenders: whoever chooses the moves of a seat.
//!
//! A game shows a contender what its seat may know ([`SeatView`]), and the contender answers with a
//! move or forfeits with a reason. The game checks the move, so that an illegal one is a forfeit as
//! well. A contender never sees the bag or the racks of the opponents: the view has no way to them.
//!
//! A [`LocalPlayer`] runs in this process and plays games of 2 to 4 players. A contender can also
//! wrap a program behind a pipe.
//!
//! ```
//! use cazique::contender::{Choice, Contender, Forfeit, SeatView};
//! use cazique::rules::Turn;
//!
//! /// Passes while the bag has tiles, then gives up.
//! struct Sleeper;
//!
//! impl<'a> Contender<'a> for Sleeper {
//!     fn choose(&mut self, view: &mut SeatView<'_, 'a>) -> Result<Choice, Forfeit> {
//!         match view.bag_len() {
//!             0 => Err(Forfeit { reason: "the bag is empty".to_string() }),
//!             _ => Ok(Choice::Other(Turn::Pass)),
//!         }
//!     }
//! }
//! ```

mod player;
mod seat_clock;

pub use player::{LocalPlayer, SearchEffort, SearchSettings};
pub use seat_clock::{ClockUse, SeatClock};

use crate::eval::{EvalContext, EvaluatedTurn, Evaluator};
use crate::movegen::Generator;
use crate::rules::{Position, Turn};
use crate::search::clock::Clock;
use crate::seed::Seed;

/// Chooses the moves of a seat. `'a` is the lifetime of the lexicon and tables of the game.
pub trait Contender<'a> {
    /// Whether it needs [`SeatView::position`], which costs a game of static players some speed.
    fn needs_position(&self) -> bool {
        true
    }

    /// Chooses a move for the seat to move, within the clock of the view.
    fn choose(&mut self, view: &mut SeatView<'_, 'a>) -> Result<Choice, Forfeit>;
}

/// What the seat to move may know: the board, the scores, its own rack and the number of tiles in
/// the bag.
pub struct SeatView<'v, 'g> {
    /// The clock of the seat, if the game has clocks.
    pub clock: Option<Clock>,
    /// The seed of the contender's random choices in this turn.
    pub seed: Seed,
    pub(crate) board: &'v mut Generator<'g>,
    /// Has the rack of the seat and no other.
    pub(crate) context: EvalContext<'v>,
    /// The position without any racks.
    pub(crate) public: Option<&'v Position>,
}

/// A move that a contender has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move that [`SeatView::best_static`] found. It is legal, and its score is known.
    Static(EvaluatedTurn),
    /// Any other move. The game checks it.
    Other(Turn),
}

/// A contender gives the game up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Why.
    pub reason: String,
}

impl<'g> SeatView<'_, 'g> {
    /// The number of tiles in the bag.
    pub fn bag_len(&self) -> usize {
        self.context.bag
    }

    /// The position with the rack of the seat and no other; `None` if no contender of the game
    /// needs one.
    pub fn position(&self) -> Option<Position> {
        let mut position = self.public?.clone();
        let set = position.set_rack(position.to_move(), *self.context.rack);
        set.expect("the tiles of a rack are unseen tiles");
        Some(position)
    }

    /// The best move by static evaluation.
    pub fn best_static(&mut self, evaluator: &mut Evaluator<'g>) -> EvaluatedTurn {
        evaluator.best(self.board, &self.context)
    }
}
