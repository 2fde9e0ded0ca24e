//! The luck of the draw: what the tiles that a player drew were worth.
//!
//! Let V be the expected final spread of a player, or the win probability as a second view. The
//! *luck* of a turn is V after the tiles drawn are known, minus the mean of V over all tiles that
//! could have been drawn. Both come from rollouts of the move that was played, in which static
//! players continue the game ([`StaticPlay`]). Each sampled world is played twice: with a random
//! draw, and with as few tiles swapped as it takes that the draw is the real one. So the luck is a
//! mean of paired differences, and its standard error follows from them.
//!
//! - [`of_draw`]: the luck of the tiles drawn after a move. With an empty bag there is none.
//! - [`of_first_rack`]: the luck of a whole rack: static players make every move, one time with that
//!   rack and one time with a random one.
//! - [`before_first_draw`]: the expected spread of the first player before any tile is drawn, from
//!   static games played to their end. It depends on rules, words and tables and not on a game, so
//!   one estimate serves many games.
//! - [`balance`]: how luck and mistakes add up to the result.
//!
//! What could have been drawn are the tiles that the position does not show. If the position knows
//! the opponent's rack, that is exactly the bag, and the luck of all draws is zero on average.
//! Otherwise it is the bag together with that rack. Then draws look worse than they are, because
//! opponents keep good tiles, so that the bag is poorer than the unseen tiles. A caller who knows
//! both racks should therefore set both, except those that are not drawn yet in the order in which
//! luck is added up: the first rack of the second player counts as drawn before the second turn, so
//! the position of the first turn does not know it.
//!
//! All figures are deterministic for given iterations and seed, and of two players only.

use super::{LuckBalance, ReviewDocument};
use crate::engine::{Figure, SearchData};
use crate::rules::{FixedTiles, Position, Turn};
use crate::search::ranking::{Candidate, RankingRequest, RankingScope, rank};
use crate::search::sim::{SampleStats, StaticPlay};
use crate::search::{Budget, StopToken};
use crate::seed::Seed;
use crate::tiles::TileCounts;
use crate::units::WinProb;

/// The number of moves of a game that is played to its end: more than any rollout makes.
const WHOLE_GAME_MOVES: usize = usize::MAX;

/// What drawn tiles were worth to the player who drew them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawLuck {
    /// In points of expected final spread.
    pub points: Figure,
    /// In percentage points of win probability.
    pub win: Figure,
}

/// What a player may expect of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedResult {
    /// The change of the spread to the end of the game, in points.
    pub gain: Figure,
    /// The win probability, in percent.
    pub win: Figure,
}

/// The luck of the tiles that the player to move drew after `turn`. `None` if nothing was drawn, if
/// these tiles are not as many as are drawn then or cannot have been drawn, or if not two play. The
/// rack of the player to move must be known.
pub fn of_draw(
    position: &Position,
    turn: &Turn,
    drawn: &TileCounts,
    data: &SearchData,
    iterations: u64,
    seed: Seed,
) -> Option<DrawLuck> {
    if drawn.is_empty() || drawn.len() != draw_count(position, turn)? {
        return None;
    }
    let first_move = candidate(position, turn, data)?;
    let play = StaticPlay {
        first_move: Some(&first_move),
        ..static_play(position, data, iterations, seed)?
    };
    let fixed = FixedTiles {
        draw: *drawn,
        ..FixedTiles::default()
    };
    luck(&play, &fixed)
}

/// The luck of the whole rack of the player to move, which must be known. `None` if it is not, or if
/// not two play. For the first rack of a player: from the position before the player's first move.
pub fn of_first_rack(
    position: &Position,
    data: &SearchData,
    iterations: u64,
    seed: Seed,
) -> Option<DrawLuck> {
    let rack = position.mover_rack();
    if rack.is_empty() || rack.unknown > 0 {
        return None;
    }
    let fixed = FixedTiles {
        rack: rack.known,
        ..FixedTiles::default()
    };
    let mut before = position.clone();
    before.forget_rack(position.to_move());
    luck(&static_play(&before, data, iterations, seed)?, &fixed)
}

/// What the player to move may expect before any tile is drawn, whatever racks the position has.
/// Static players play each of the games to its end. `None` if not two play.
pub fn before_first_draw(
    position: &Position,
    data: &SearchData,
    games: u64,
    seed: Seed,
) -> Option<ExpectedResult> {
    let mut before = position.clone();
    (0..position.player_count()).for_each(|seat| before.forget_rack(seat));
    let play = StaticPlay {
        moves: Some(WHOLE_GAME_MOVES),
        ..static_play(&before, data, games, seed)?
    };
    let found = play.outcome();
    (games > 0).then(|| ExpectedResult {
        gain: points(&found.gain),
        win: percent(&found.win),
    })
}

/// How the expected spread at the start, the mistakes and the luck of both players add up to the
/// final spread. `start` is the expected spread of seat 1 before any tile is drawn. `None` for
/// unfinished games, if not two play, and without luck figures of both.
///
/// Mistakes are points of expected spread lost in graded turns. The residual is what is left: errors
/// of all these estimates, turns that are not graded, points that no turn scores (penalties, bonuses
/// of challenges), and luck that is no draw, such as a challenge that was lost.
pub fn balance(document: &ReviewDocument, start: f64) -> Option<LuckBalance> {
    let [first, second] = document.players.as_slice() else {
        return None;
    };
    if document.unfinished {
        return None;
    }
    let both = [first, second];
    let luck = [first.luck?.value, second.luck?.value];
    let mistakes = both.map(|player| 0.0 - player.points_lost.value);
    let spread = first.score - second.score;
    let explained = start + mistakes[0] - mistakes[1] + luck[0] - luck[1];
    Some(LuckBalance {
        start,
        mistakes: mistakes.to_vec(),
        luck: luck.to_vec(),
        residual: f64::from(spread) - explained,
        spread,
    })
}

/// The number of tiles that the player to move draws after a turn. `None` if the turn is not legal or
/// the rack not known.
fn draw_count(position: &Position, turn: &Turn) -> Option<usize> {
    let seat = position.to_move();
    if position.mover_rack().unknown > 0 {
        return None;
    }
    let mut after = position.clone();
    after.play(turn).ok()?;
    // The tiles of an exchange are drawn from the bag too, however many go back.
    Some(after.rack(seat).unknown.into())
}

/// A move as a candidate with its static evaluation.
fn candidate(position: &Position, turn: &Turn, data: &SearchData) -> Option<Candidate> {
    let request = RankingRequest {
        count: 1,
        scope: RankingScope::Best,
        only: vec![*turn],
        also: Vec::new(),
    };
    let budget = Budget::new(StopToken::default(), None, None);
    let ranking = rank(position, data.knowledge(), &request, &budget);
    ranking.candidates.first().copied()
}

/// Rollouts of static players from a position of two players that can go on.
fn static_play<'a>(
    position: &'a Position,
    data: &'a SearchData,
    iterations: u64,
    seed: Seed,
) -> Option<StaticPlay<'a>> {
    let goes_on = position.player_count() == 2 && position.end().is_none();
    goes_on.then(|| StaticPlay {
        position,
        knowledge: data.knowledge(),
        win_model: data.win_model(),
        first_move: None,
        moves: None,
        iterations,
        seed,
    })
}

fn luck(play: &StaticPlay, fixed: &FixedTiles) -> Option<DrawLuck> {
    let lead = play.lead(fixed)?;
    (play.iterations > 0).then(|| DrawLuck {
        points: points(&lead.gain),
        win: percent(&lead.win),
    })
}

/// The mean of spreads in thousandths of a point, in points.
fn points(stats: &SampleStats) -> Figure {
    figure(stats, 1e-3)
}

/// The mean of win probabilities in parts of [`WinProb::SCALE`], in percent.
fn percent(stats: &SampleStats) -> Figure {
    figure(stats, 100.0 / f64::from(WinProb::SCALE))
}

fn figure(stats: &SampleStats, unit: f64) -> Figure {
    Figure {
        value: stats.mean() * unit,
        error: (stats.count > 1).then(|| stats.error() * unit),
    }
}
