//! The plain twin: exhaustive search of every world, draw and move to the end of the
//! game.
//!
//! It defines the correct values for the fast solver, so it has no bounds, no move ordering
//! and no estimates. It only caches what it would compute again. It is far too slow for
//! real positions; tests use it on small ones.

use super::Probability;
use super::tuning::PROBABILITY_TOLERANCE;
use crate::board::Grid;
use crate::lexicon::Graph;
use crate::movegen::plain;
use crate::rules::flow::ScorelessRun;
use crate::rules::{End, Position, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::Points;
use std::collections::HashMap;

/// The win probability of each legal move of the player to move, over all assignments of
/// the tiles that this player does not see. A drawn game counts one half. The list is empty
/// if the game is over or `is_supported` does not hold.
///
/// The player to move always takes a move with the highest win probability, computed in the
/// same way from what that player knows; among equal moves, the best one for the real
/// assignment. With an empty bag there is only one assignment, so each player takes the
/// best move.
///
/// If tiles of the opponent's rack are known, both players know that. They stay known until
/// they are placed, or until that player exchanges, which nobody sees. The opponent knows no
/// tile of the player to move.
///
/// Two rules are added to those of the game, because some rule sets would allow games
/// without end: two passes in a row end the game, and after an exchange nobody exchanges
/// until tiles are placed.
pub fn win_probabilities(position: &Position, graph: &Graph) -> Vec<(Turn, Probability)> {
    if !super::is_supported(position) || position.end().is_some() {
        return Vec::new();
    }
    let mut solver = ReferenceSolver {
        graph,
        placements: HashMap::new(),
        known: HashMap::new(),
    };
    let opponent = 1 - position.to_move();
    let mut run = History::default();
    run.shown[opponent] = position.rack(opponent).known;
    let moves = solver.moves(position, run).into_iter();
    moves
        .map(|mv| (mv, solver.expected(position, run, &mv)))
        .collect()
}

struct ReferenceSolver<'a> {
    graph: &'a Graph,
    /// The placements of a rack on a board.
    placements: HashMap<(Grid, TileCounts), Vec<Turn>>,
    /// The results of [`ReferenceSolver::value`].
    known: HashMap<WorldKey, Probability>,
}

/// What happened before, as far as it matters.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct History {
    /// Passes in a row.
    passes: usize,
    /// Whether a player exchanged since tiles were last placed.
    exchanged: bool,
    /// By seat: tiles on the rack that the opponent knows.
    shown: [TileCounts; 2],
}

impl History {
    /// The history after a move of the player on `seat`.
    fn after(self, seat: usize, mv: &Turn) -> History {
        let mut shown = self.shown;
        match mv {
            Turn::Place(placement) => {
                shown[seat] = shown[seat].lacking_in(&placement.tiles());
                History {
                    passes: 0,
                    exchanged: false,
                    shown,
                }
            }
            Turn::Exchange(_) | Turn::ExchangeUnseen(_) => {
                shown[seat] = TileCounts::EMPTY;
                History {
                    passes: 0,
                    exchanged: true,
                    shown,
                }
            }
            Turn::Pass | Turn::Rearrange(_) | Turn::Edited(_) => History {
                passes: self.passes + 1,
                ..self
            },
        }
    }
}

/// All that distinguishes one world from another.
#[derive(PartialEq, Eq, Hash)]
struct WorldKey {
    grid: Grid,
    racks: [TileCounts; 2],
    scores: [Points; 2],
    turn: usize,
    scoreless: ScorelessRun,
    run: History,
}

impl WorldKey {
    fn of(world: &Position, run: History) -> WorldKey {
        WorldKey {
            grid: world.grid().clone(),
            racks: [0, 1].map(|seat| world.rack(seat).known),
            scores: [0, 1].map(|seat| world.score(seat)),
            turn: world.to_move(),
            scoreless: world.turn_state().scoreless,
            run,
        }
    }
}

/// Here a world is a position in which both racks are known; the unseen tiles are those in
/// the bag.
impl ReferenceSolver<'_> {
    /// The win probability of a move as the player to move knows it: the mean over all
    /// worlds.
    fn expected(&mut self, position: &Position, run: History, mv: &Turn) -> Probability {
        let worlds = worlds(position, &run.shown[1 - position.to_move()]);
        let sum: Probability = worlds
            .iter()
            .map(|world| self.value_after(world, run, mv))
            .sum();
        sum / worlds.len() as Probability
    }

    /// The win probability of a move in a world, for the player who makes it: the mean over
    /// all draws.
    fn value_after(&mut self, world: &Position, run: History, mv: &Turn) -> Probability {
        let seat = world.to_move();
        let mut next = world.clone();
        next.play(mv).expect("a generated turn is legal");
        let kept = *next.rack(seat);
        // The player draws before exchanged tiles return to the bag.
        let draws = subsets(world.unseen(), kept.unknown.into());
        let value = |drawn: &TileCounts| {
            let mut rack = kept.known;
            rack.add_all(drawn);
            let mut next = next.clone();
            next.set_rack(seat, rack).expect("it was in the bag");
            1.0 - self.value(&next, run.after(seat, mv))
        };
        draws.iter().map(value).sum::<Probability>() / draws.len() as Probability
    }

    /// The win probability of the player to move in a world.
    fn value(&mut self, world: &Position, run: History) -> Probability {
        let all_passed = (run.passes >= 2).then_some(End::Scoreless);
        if let Some(end) = world.end().or(all_passed) {
            return final_value(world, end);
        }
        let key = WorldKey::of(world, run);
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        let value = match world.bag_len() {
            0 => self.endgame_value(world, run),
            _ => self.value_of_choice(world, run),
        };
        self.known.insert(key, value);
        value
    }

    /// The win probability of the player to move in a world with an empty bag.
    fn endgame_value(&mut self, world: &Position, run: History) -> Probability {
        let mut best = 0.0;
        for mv in self.moves(world, run) {
            best = self.value_after(world, run, &mv).max(best);
            if best == 1.0 {
                break;
            }
        }
        best
    }

    /// The win probability in a world of a player who chooses without knowing the bag.
    fn value_of_choice(&mut self, world: &Position, run: History) -> Probability {
        let moves = self.moves(world, run);
        let expected: Vec<Probability> = moves
            .iter()
            .map(|mv| self.expected(world, run, mv))
            .collect();
        let highest = maximum(expected.iter().copied());
        let best = moves.iter().zip(expected);
        let best = best.filter(|(_, value)| *value >= highest - PROBABILITY_TOLERANCE);
        maximum(best.map(|(mv, _)| self.value_after(world, run, mv)))
    }

    fn moves(&mut self, position: &Position, run: History) -> Vec<Turn> {
        let (grid, rack) = (position.grid(), position.mover_rack().known);
        let placements = self.placements.entry((grid.clone(), rack));
        let placements = placements.or_insert_with(|| {
            let placements = plain::placements(position, self.graph);
            placements.iter().map(|scored| scored.turn).collect()
        });
        let mut moves = placements.clone();
        if !run.exchanged {
            moves.extend(plain::exchanges(position));
        }
        moves.push(Turn::Pass);
        moves
    }
}

/// The worlds that the player to move cannot tell apart; equal worlds are repeated. The opponent
/// holds the tiles `shown` in all of them.
fn worlds(position: &Position, shown: &TileCounts) -> Vec<Position> {
    let opponent = 1 - position.to_move();
    let mut hidden = *position.unseen();
    hidden.add_all(&position.rack(opponent).known);
    hidden.take_all(shown).expect("the opponent holds them");
    let racks = subsets(&hidden, hidden.len() - position.bag_len());
    let world = |mut rack: TileCounts| {
        rack.add_all(shown);
        let mut world = position.clone();
        world.set_rack(opponent, rack).expect("it was hidden");
        world
    };
    racks.into_iter().map(world).collect()
}

/// All ways to take `count` tiles, where equal tiles are distinguished.
fn subsets(tiles: &TileCounts, count: usize) -> Vec<TileCounts> {
    let tiles: Vec<Tile> = tiles.iter().collect();
    let mut found = vec![(TileCounts::EMPTY, 0)];
    for _ in 0..count {
        let longer = |(subset, first): (TileCounts, usize)| {
            let rest = tiles.iter().enumerate().skip(first);
            rest.map(move |(index, tile)| {
                let mut subset = subset;
                subset.add(*tile);
                (subset, index + 1)
            })
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found.into_iter().map(|(subset, _)| subset).collect()
}

/// The value of a finished game for the player who would be to move.
fn final_value(world: &Position, end: End) -> Probability {
    let outcome = world.outcome_of(end).expect("all racks are known");
    match outcome.winner {
        None => 0.5,
        Some(winner) if winner == world.to_move() => 1.0,
        Some(_) => 0.0,
    }
}

fn maximum(values: impl Iterator<Item = Probability>) -> Probability {
    values.fold(0.0, Probability::max)
}
