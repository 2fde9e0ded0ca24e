//! All turns of a position in order, best first: the answer without search.

use super::Budget;
use crate::lexicon::Graph;
use crate::movegen::{Generator, Keeps, Scored, Words, plain};
use crate::notation::moves;
use crate::rules::{Position, Turn};
use crate::tiles::{Bunch, Face};
use crate::units::{Equity, Points};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashSet;

/// What to rank, and how much of it to tell.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How many of the best.
    pub count: usize,
    /// Only these turns; all if there are none. They can be taken and form only words.
    pub only: Vec<Turn>,
    /// These too, wherever they come. They can be taken; their words may be none.
    pub also: Vec<Turn>,
}

/// A turn in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The turn.
    pub turn: Turn,
    /// What it scores.
    pub points: Points,
    /// What it is worth.
    pub equity: Equity,
    /// The known tiles that stay on the rack.
    pub leave: Bunch,
    /// Its place among all turns, from 1.
    pub rank: usize,
    /// Whether it is there because it was asked for.
    pub asked: bool,
    /// Whether it forms only words.
    pub valid: bool,
}

/// A ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The best turns in order, and those that were asked for.
    pub candidates: Vec<Candidate>,
    /// How many turns there are.
    pub turns: usize,
    /// Whether they were all found before the budget was spent.
    pub complete: bool,
}

impl Ranking {
    /// The best turn; a pass if there is none.
    pub fn best(&self) -> Turn {
        self.candidates
            .iter()
            .find(|candidate| candidate.valid)
            .map_or(Turn::Pass, |candidate| candidate.turn)
    }
}

/// Ranks the turns of the player on turn by their points.
pub fn rank(position: &Position, graph: &Graph, request: &Request, budget: &Budget) -> Ranking {
    let mut turns = match request.only.is_empty() {
        true => turns(position, graph, budget),
        false => scored(position, &request.only),
    };
    let complete = budget.go_on();
    let all = turns.len();
    // Sets, since a client may ask for a hundred thousand moves in one line.
    let asked: HashSet<Turn> = request.also.iter().copied().collect();
    let found: HashSet<Turn> = turns
        .iter()
        .map(|scored| scored.turn)
        .filter(|turn| asked.contains(turn))
        .collect();
    let extra: Vec<Scored> = scored(position, &request.also)
        .into_iter()
        .filter(|new| !found.contains(&new.turn))
        .collect();
    let invalid: HashSet<Turn> = extra
        .iter()
        .map(|extra| extra.turn)
        .filter(|turn| !forms_words(position, graph, turn))
        .collect();
    turns.extend(extra);
    sort(position, &mut turns);
    let candidate = |(at, scored): (usize, &Scored)| Candidate {
        turn: scored.turn,
        points: scored.points,
        equity: scored.points.into(),
        leave: leave(position, &scored.turn),
        rank: at + 1,
        asked: asked.contains(&scored.turn),
        valid: !invalid.contains(&scored.turn),
    };
    let ranked = turns.iter().enumerate().map(candidate);
    let candidates = ranked
        .filter(|candidate| candidate.rank <= request.count || candidate.asked)
        .collect();
    Ranking {
        candidates,
        turns: all,
        complete,
    }
}

/// All turns that there are, or those found before the budget was spent.
fn turns(position: &Position, graph: &Graph, budget: &Budget) -> Vec<Scored> {
    let words = Words { graph, map: None };
    let generator = Generator::new(position.rules(), words, position.grid());
    let keeps = Keeps::zero(&position.hand_on_turn().known);
    let mut turns = Vec::new();
    // However short the time, one play is better than none, and comes within a moment.
    let any = Cell::new(false);
    generator.all_while(&keeps, &|| !any.get() || budget.go_on(), |play| {
        any.set(true);
        turns.push(Scored {
            turn: Turn::Place(play.placement),
            points: play.points,
        });
    });
    turns.extend(plain::exchanges(position));
    turns.push(Scored {
        turn: Turn::Pass,
        points: Points::ZERO,
    });
    turns
}

/// Most points first, then placements before exchanges before the pass, then
/// the larger exchange, then as they are written: an order without chance.
fn sort(position: &Position, turns: &mut [Scored]) {
    let (grid, tiles) = (position.grid(), &position.rules().tiles);
    turns.sort_by_cached_key(|scored| {
        let kind = match &scored.turn {
            Turn::Place(_) => (0, Reverse(0)),
            Turn::Exchange(exchanged) => (1, Reverse(exchanged.len())),
            Turn::ExchangeUnseen(count) => (1, Reverse(usize::from(*count))),
            Turn::Pass => (2, Reverse(0)),
        };
        (
            Reverse(scored.points),
            kind,
            moves::write(&scored.turn, grid, tiles),
        )
    });
}

fn scored(position: &Position, turns: &[Turn]) -> Vec<Scored> {
    let mut seen = HashSet::new();
    let different = turns.iter().filter(|&&turn| seen.insert(turn));
    let scored = |&turn: &Turn| {
        let points = match &turn {
            Turn::Place(placement) => position
                .examine(placement)
                .map_or(Points::ZERO, |score| score.total()),
            _ => Points::ZERO,
        };
        Scored { turn, points }
    };
    different.map(scored).collect()
}

fn forms_words(position: &Position, graph: &Graph, turn: &Turn) -> bool {
    match turn {
        Turn::Place(placement) => position
            .examine(placement)
            .is_ok_and(|score| score.words.iter().all(|word| graph.contains(&word.word()))),
        _ => true,
    }
}

fn leave(position: &Position, turn: &Turn) -> Bunch {
    let mut leave = position.hand_on_turn().known;
    let spent: Bunch = match turn {
        Turn::Place(placement) => placement.faces().map(Face::tile).collect(),
        Turn::Exchange(tiles) => *tiles,
        // Which ones go is not known.
        Turn::ExchangeUnseen(_) => leave,
        Turn::Pass => Bunch::EMPTY,
    };
    for tile in spent.iter() {
        leave.take(tile);
    }
    leave
}
