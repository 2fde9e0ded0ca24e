//! What may be done and what it scores: rule sets, plays, positions, games.
//!
//! Rules know no words. A placement says which words it forms; whether a
//! lexicon has them is asked further up.

mod challenge;
mod deal;
mod features;
mod first_move;
pub mod flow;
mod game;
mod outcome;
mod placement;
mod position;
mod presets;
mod score;
mod set;
mod text;

pub use challenge::{ChallengeRule, ChallengeScope, Ruling};
pub use deal::Deal;
pub use features::{Feature, Features};
pub use first_move::{FirstMove, draw_for_first_move};
pub use game::{ChallengeError, EventKind, Game, GameEvent};
pub use outcome::{End, Outcome};
pub use placement::{Placement, PlayError, Turn};
pub use position::{PartialRack, Position, Setup, SetupError};
pub use presets::{Embedded, Library, PRESETS, standard_tiles};
pub use score::{LetterScore, Score, WordScore};
pub use set::{
    ExchangeLimit, GoingOut, MAX_PLAYERS, MAX_RACK, MIN_PLAYERS, MIN_RACK, RuleError, RuleSet,
    RuleValues, ScorelessLimit, TargetGrade, TargetScore,
};
pub use text::RuleFileError;
