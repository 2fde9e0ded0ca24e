//! The plain twin: every draw, every turn, to the end of the game.
//!
//! It is the definition of correct for all that is faster, so it has no bounds,
//! no order and no guesses. What it remembers, it would find again.

use super::judge::Probability;
use crate::board::Grid;
use crate::lexicon::Graph;
use crate::movegen::plain;
use crate::rules::{End, Position, Turn};
use crate::tiles::{Tile, TileCounts};
use crate::units::Points;
use std::collections::HashMap;

/// The share of wins of each turn that the player on turn can take, over all
/// ways in which the tiles that this player does not see can lie. Drawn games
/// count half. There are none where the game is over or
/// [`is_plain`](super::is_plain) does not hold.
///
/// Whoever is on turn takes the turn with the largest share, computed in the
/// same way; of several such turns the one that is best as the tiles really
/// lie. With nothing in the bag there is but one way for them to lie: each
/// takes the turn that is best.
///
/// Beside the ends that the rules know, the game is taken to be over when both
/// have passed one after the other. After an exchange nobody exchanges until
/// tiles are placed: by some rules that could go on for ever.
pub fn shares(position: &Position, graph: &Graph) -> Vec<(Turn, Probability)> {
    if !super::is_plain(position) || position.end().is_some() {
        return Vec::new();
    }
    let mut twin = Twin {
        graph,
        placements: HashMap::new(),
        shares: HashMap::new(),
    };
    let row = Row::default();
    let turns = twin.turns(position, row).into_iter();
    turns
        .map(|turn| (turn, twin.expected(position, row, &turn)))
        .collect()
}

/// Shares that differ by less are the same: they are sums of fractions.
const SAME: Probability = 1e-9;

struct Twin<'a> {
    graph: &'a Graph,
    /// The placements of a rack on a board.
    placements: HashMap<(Grid, TileCounts), Vec<Turn>>,
    /// What [`Twin::share`] found.
    shares: HashMap<Key, Probability>,
}

/// The turns since tiles were placed, as far as they matter.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Row {
    /// How many passed, one after the other.
    passes: usize,
    /// Whether someone exchanged.
    exchanged: bool,
}

impl Row {
    fn after(self, turn: &Turn) -> Row {
        match turn {
            Turn::Place(_) => Row::default(),
            Turn::Exchange(_) | Turn::ExchangeUnseen(_) => Row {
                passes: 0,
                exchanged: true,
            },
            Turn::Pass => Row {
                passes: self.passes + 1,
                ..self
            },
        }
    }
}

/// All that tells one world from another.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    grid: Grid,
    racks: [TileCounts; 2],
    scores: [Points; 2],
    turn: usize,
    zero_turns: u8,
    row: Row,
}

impl Key {
    fn of(world: &Position, row: Row) -> Key {
        Key {
            grid: world.grid().clone(),
            racks: [0, 1].map(|seat| world.rack(seat).known),
            scores: [0, 1].map(|seat| world.score(seat)),
            turn: world.to_move(),
            zero_turns: world.scoreless_turns(),
            row,
        }
    }
}

/// A world is a position in which both racks are known, and so is the bag: all that is unseen.
impl Twin<'_> {
    /// What the player on turn has of a turn, for all that this player knows.
    fn expected(&mut self, position: &Position, row: Row, turn: &Turn) -> Probability {
        let worlds = worlds(position);
        let sum: Probability = worlds
            .iter()
            .map(|world| self.after(world, row, turn))
            .sum();
        sum / worlds.len() as Probability
    }

    /// What the player on turn has of a turn in a world, whatever comes from the bag.
    fn after(&mut self, world: &Position, row: Row, turn: &Turn) -> Probability {
        let seat = world.to_move();
        let mut next = world.clone();
        next.play(turn).expect("a generated turn is legal");
        let kept = *next.rack(seat);
        // Exchanged tiles go back after new ones are drawn.
        let draws = parts(world.unseen(), kept.unknown.into());
        let share = |drawn: &TileCounts| {
            let mut rack = kept.known;
            rack.add_all(drawn);
            let mut next = next.clone();
            next.set_rack(seat, rack).expect("it was in the bag");
            1.0 - self.share(&next, row.after(turn))
        };
        draws.iter().map(share).sum::<Probability>() / draws.len() as Probability
    }

    /// What the player on turn has of a world.
    fn share(&mut self, world: &Position, row: Row) -> Probability {
        let all_passed = (row.passes >= 2).then_some(End::Scoreless);
        if let Some(end) = world.end().or(all_passed) {
            return won(world, end);
        }
        let key = Key::of(world, row);
        if let Some(share) = self.shares.get(&key) {
            return *share;
        }
        let share = match world.bag_len() {
            0 => self.ending(world, row),
            _ => self.chosen(world, row),
        };
        self.shares.insert(key, share);
        share
    }

    /// What the player on turn has of a world with nothing in the bag.
    fn ending(&mut self, world: &Position, row: Row) -> Probability {
        let mut most = 0.0;
        for turn in self.turns(world, row) {
            most = self.after(world, row, &turn).max(most);
            if most == 1.0 {
                break;
            }
        }
        most
    }

    /// What the player on turn, who does not know it, has of a world in which there is a turn to take.
    fn chosen(&mut self, world: &Position, row: Row) -> Probability {
        let turns = self.turns(world, row);
        let expected: Vec<Probability> = turns
            .iter()
            .map(|turn| self.expected(world, row, turn))
            .collect();
        let most = largest(expected.iter().copied());
        let best = turns.iter().zip(expected);
        let best = best.filter(|(_, share)| *share >= most - SAME);
        largest(best.map(|(turn, _)| self.after(world, row, turn)))
    }

    fn turns(&mut self, position: &Position, row: Row) -> Vec<Turn> {
        let (grid, rack) = (position.grid(), position.mover_rack().known);
        let placements = self.placements.entry((grid.clone(), rack));
        let placements = placements.or_insert_with(|| {
            let placements = plain::placements(position, self.graph, &|| true);
            placements.iter().map(|scored| scored.turn).collect()
        });
        let mut turns = placements.clone();
        if !row.exchanged {
            let exchanges = plain::exchanges(position).into_iter();
            turns.extend(exchanges.map(|scored| scored.turn));
        }
        turns.push(Turn::Pass);
        turns
    }
}

/// The worlds that the player on turn cannot tell apart, each as often as it comes.
fn worlds(position: &Position) -> Vec<Position> {
    let other = 1 - position.to_move();
    let mut hidden = *position.unseen();
    hidden.add_all(&position.rack(other).known);
    let racks = parts(&hidden, hidden.len() - position.bag_len());
    let world = |rack: TileCounts| {
        let mut world = position.clone();
        world.set_rack(other, rack).expect("it was hidden");
        world
    };
    racks.into_iter().map(world).collect()
}

/// All ways to take so many tiles, in each of which every tile is one of its own.
fn parts(tiles: &TileCounts, count: usize) -> Vec<TileCounts> {
    let tiles: Vec<Tile> = tiles.iter().collect();
    let mut found = vec![(TileCounts::EMPTY, 0)];
    for _ in 0..count {
        let longer = |(part, first): (TileCounts, usize)| {
            let rest = tiles.iter().enumerate().skip(first);
            rest.map(move |(at, tile)| {
                let mut part = part;
                part.add(*tile);
                (part, at + 1)
            })
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    found.into_iter().map(|(part, _)| part).collect()
}

/// What a game that is over for this reason is to the player who would be on turn.
fn won(world: &Position, end: End) -> Probability {
    let outcome = world.outcome_of(end).expect("all racks are known");
    match outcome.winner {
        None => 0.5,
        Some(winner) if winner == world.to_move() => 1.0,
        Some(_) => 0.0,
    }
}

fn largest(shares: impl Iterator<Item = Probability>) -> Probability {
    shares.fold(0.0, Probability::max)
}
