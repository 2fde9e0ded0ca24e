//! The rules: rule sets, legal turns and their scores, positions, games, challenges.
//!
//! The flow of data: a rule file becomes [`RuleValues`] and then a [`RuleSet`]; a [`Setup`] becomes
//! a [`Position`]; a [`Turn`] changes a [`Position`], a [`Game`] or a [`Deal`]; `flow` says whose
//! turn it is and when the game is over; the result is an [`Outcome`].
//!
//! The rules know no words. A placement says which words it forms; modules that build on this
//! one ask a lexicon whether these words are valid.
//!
//! ```
//! use cazique::rules::{Embedded, End, Game, Library, Turn};
//! use std::sync::Arc;
//!
//! let rules = Arc::new(Embedded.rules("tournament")?);
//! let mut game = Game::new(rules, 2).expect("two players are allowed");
//! for _ in 0..6 {
//!     game.play(&Turn::Pass).expect("a pass is legal");
//! }
//! assert_eq!(game.end(), Some(End::Scoreless));
//! # Ok::<(), String>(())
//! ```

mod bag;
mod challenge;
mod deal;
mod details;
mod edits;
mod features;
mod first_move;
pub(crate) mod flow;
mod game;
mod outcome;
mod placement;
mod position;
mod presets;
mod rearrange;
mod score;
mod set;
mod setup;
mod text;

pub use challenge::{ChallengeRule, ChallengeScope, Ruling};
pub use deal::{Deal, FixedTiles};
pub use details::{DetailError, SetupDetails, StatedScoreless};
pub(crate) use edits::examine_edit;
pub use edits::{Edit, EditedTurn, Edits, MAX_EDITS};
pub use features::Feature;
pub use first_move::{FirstMove, draw_for_first_move};
pub use game::{ChallengeError, EventKind, Game, GameEvent};
pub use outcome::{End, Outcome};
pub use placement::{Placement, PlayError, Turn};
pub use position::{PartialRack, Position};
pub use presets::{Embedded, Library, PRESETS};
pub(crate) use presets::{shared, standard_tiles};
pub use rearrange::{RearrangeRule, Rearrangement};
pub use score::{LetterScore, Score, WordScore};
pub(crate) use set::MIN_FIRST_WORD;
pub use set::{
    ExchangeLimit, GoingOut, LetterOrder, MAX_PLAYERS, MAX_RACK, MIN_PLAYERS, MIN_RACK, RuleError,
    RuleSet, RuleValues, ScorelessLimit, TargetGrade, TargetScore, TieRule,
};
pub use setup::{Setup, SetupError};
pub use text::{RULE_FILE_KEYS, RuleFileError};
