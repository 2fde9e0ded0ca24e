//! A player that makes the best move by static evaluation.

use super::{Choice, Contender, Forfeit, SeatView};
use crate::eval::Evaluator;

/// Makes the best move by static evaluation.
#[derive(Clone)]
pub struct StaticPlayer<'a> {
    /// Its evaluation.
    pub evaluator: Evaluator<'a>,
}

impl<'a> Contender<'a> for StaticPlayer<'a> {
    fn needs_position(&self) -> bool {
        false
    }

    fn choose(&mut self, view: &mut SeatView<'_, 'a>) -> Result<Choice, Forfeit> {
        Ok(Choice::Static(view.best_static(&mut self.evaluator)))
    }
}
