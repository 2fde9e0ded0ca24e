//! Worlds: the complete assignments of the unseen tiles that a candidate can meet.
//!
//! A world (a determinization) says which tiles the player to move draws after a move and
//! which stay in the bag; the opponent holds the rest. Equal tiles are interchangeable, so
//! a world carries a weight: the number of draws it stands for. This module only lists and
//! samples worlds. It knows nothing about moves.

use super::tuning::{MAX_BAG_FILLS, MAX_WORLDS_PER_DRAW_COUNT};
use crate::seed::Seed;
use crate::tiles::{Tile, TileCounts};
use rand::seq::SliceRandom;
use std::collections::HashMap;

/// One assignment of the unseen tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    /// The tiles that the player to move draws after the move.
    pub drawn: TileCounts,
    /// The unseen tiles that are in the bag after the draw.
    pub bag: TileCounts,
    /// How many equally likely draws this world stands for.
    pub weight: u64,
}

impl World {
    /// The world in which `drawn` is taken out of `bag`.
    pub(crate) fn new(bag: &TileCounts, drawn: TileCounts, weight: u64) -> World {
        World {
            drawn,
            bag: without(bag, &drawn),
            weight,
        }
    }
}

/// The contents that the bag may have before the move, each with its weight.
pub(super) struct BagFills {
    /// Contents and weights, in random order.
    pub list: Vec<(TileCounts, u64)>,
    /// Whether the list is complete; otherwise it is a random sample.
    pub is_complete: bool,
}

impl BagFills {
    /// Lists all contents of a bag of `count` tiles, or samples them if there are more than
    /// [`MAX_BAG_FILLS`].
    pub fn new(unseen: &TileCounts, count: usize, seed: Seed) -> BagFills {
        if count_subsets(unseen, count) > MAX_BAG_FILLS {
            return BagFills {
                list: sample_subsets(unseen, count, MAX_BAG_FILLS, seed),
                is_complete: false,
            };
        }
        let mut list = subsets(unseen, count);
        list.shuffle(&mut seed.generator());
        BagFills {
            list,
            is_complete: true,
        }
    }
}

/// The worlds of all candidates that draw the same number of tiles.
pub(super) struct WorldSet {
    /// Each world with the index of its bag fill.
    pub list: Vec<(World, usize)>,
    /// Whether the list is complete; otherwise it is a random sample.
    pub is_complete: bool,
    /// The sum of the weights.
    pub total_weight: f64,
}

impl WorldSet {
    /// Lists all draws of `draw_count` tiles from all bag fills. If there are more than
    /// [`MAX_WORLDS_PER_DRAW_COUNT`], it samples one draw from each bag fill.
    pub fn new(fills: &BagFills, draw_count: usize, seed: Seed) -> WorldSet {
        let mut list = Vec::new();
        for (index, (bag, weight)) in fills.list.iter().enumerate() {
            for (drawn, ways) in subsets(bag, draw_count) {
                list.push((World::new(bag, drawn, weight * ways), index));
            }
        }
        let fits = list.len() <= MAX_WORLDS_PER_DRAW_COUNT;
        if !fits {
            let sample = |(index, (bag, weight)): (usize, &(TileCounts, u64))| {
                let mut random = seed.for_unit(index as u64).generator();
                let drawn = bag.clone().draw(draw_count, &mut random);
                (World::new(bag, drawn, *weight), index)
            };
            list = fills.list.iter().enumerate().map(sample).collect();
        }
        WorldSet {
            total_weight: list.iter().map(|(world, _)| world.weight as f64).sum(),
            list,
            is_complete: fills.is_complete && fits,
        }
    }
}

/// `tiles` without `part`.
pub(super) fn without(tiles: &TileCounts, part: &TileCounts) -> TileCounts {
    let mut rest = *tiles;
    let taken = rest.take_all(part);
    debug_assert!(taken.is_ok());
    rest
}

/// Lists all distinct subsets of `count` tiles, each with the number of ways to take it.
pub(super) fn subsets(tiles: &TileCounts, count: usize) -> Vec<(TileCounts, u64)> {
    let kinds: Vec<(Tile, u8)> = tiles.kinds().collect();
    let mut found = Vec::new();
    extend_subset(&kinds, count, TileCounts::EMPTY, 1, &mut found);
    found
}

fn extend_subset(
    kinds: &[(Tile, u8)],
    count: usize,
    subset: TileCounts,
    ways: u64,
    found: &mut Vec<(TileCounts, u64)>,
) {
    let Some(((tile, available), rest)) = kinds.split_first() else {
        if count == 0 {
            found.push((subset, ways));
        }
        return;
    };
    let mut subset = subset;
    for taken in 0..=usize::from(*available).min(count) {
        if taken > 0 {
            subset.add(*tile);
        }
        let factor = binomial(usize::from(*available), taken);
        extend_subset(rest, count - taken, subset, ways * factor, found);
    }
}

/// The number of ways to choose `k` of `n` things.
fn binomial(n: usize, k: usize) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) as u64 / (i as u64 + 1))
}

/// Lists all worlds in which a player draws `draw_count` tiles from a bag of `bag_count`
/// tiles, all of them among `unseen`.
pub(super) fn all_worlds(unseen: &TileCounts, bag_count: usize, draw_count: usize) -> Vec<World> {
    let mut worlds = Vec::new();
    for (drawn, ways) in subsets(unseen, draw_count) {
        for (bag, more) in subsets(&without(unseen, &drawn), bag_count - draw_count) {
            worlds.push(World {
                drawn,
                bag,
                weight: ways * more,
            });
        }
    }
    worlds
}

/// Samples worlds of [`all_worlds`] with their probabilities; each has weight 1.
pub(super) fn sample_worlds(
    unseen: &TileCounts,
    bag_count: usize,
    draw_count: usize,
    samples: usize,
    seed: Seed,
) -> Vec<World> {
    let world = |unit: usize| {
        let mut random = seed.for_unit(unit as u64).generator();
        let mut left = *unseen;
        World {
            drawn: left.draw(draw_count, &mut random),
            bag: left.draw(bag_count - draw_count, &mut random),
            weight: 1,
        }
    };
    (0..samples).map(world).collect()
}

/// Draws `samples` random subsets of `count` tiles and returns each with its frequency.
pub(super) fn sample_subsets(
    tiles: &TileCounts,
    count: usize,
    samples: usize,
    seed: Seed,
) -> Vec<(TileCounts, u64)> {
    let mut found: Vec<(TileCounts, u64)> = Vec::new();
    let mut indices: HashMap<TileCounts, usize> = HashMap::new();
    for unit in 0..samples as u64 {
        let mut random = seed.for_unit(unit).generator();
        let subset = tiles.clone().draw(count, &mut random);
        let index = *indices.entry(subset).or_insert(found.len());
        match found.get_mut(index) {
            Some((_, frequency)) => *frequency += 1,
            None => found.push((subset, 1)),
        }
    }
    found
}

/// Counts the subsets that [`subsets`] would list, without listing them.
pub(super) fn count_subsets(tiles: &TileCounts, count: usize) -> usize {
    // counts[n]: subsets of n tiles among the kinds of tiles seen so far.
    let mut counts = vec![0_usize; count + 1];
    counts[0] = 1;
    for (_, available) in tiles.kinds() {
        let sum = |size: usize| {
            let smallest = size.saturating_sub(available.into());
            let sums = counts[smallest..=size].iter();
            sums.fold(0, |sum: usize, more| sum.saturating_add(*more))
        };
        counts = (0..=count).map(sum).collect();
    }
    counts[count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_all_worlds_count_all_draws() {
        let tile = |n: usize| Tile::new(n).unwrap();
        let unseen: TileCounts = [1, 1, 2, 3, 3, 3, 0].into_iter().map(tile).collect();
        for (bag, draws) in [(1, 1), (2, 1), (2, 2), (3, 2), (4, 0)] {
            let worlds = all_worlds(&unseen, bag, draws);
            let weight: u64 = worlds.iter().map(|world| world.weight).sum();
            assert_eq!(
                weight,
                binomial(7, draws) * binomial(7 - draws, bag - draws)
            );
            assert_eq!(subsets(&unseen, bag).len(), count_subsets(&unseen, bag));
            let sampled = sample_subsets(&unseen, bag, 50, Seed(1));
            let frequencies = sampled.iter().map(|(_, frequency)| frequency);
            assert_eq!(frequencies.sum::<u64>(), 50);
            for sample in sample_worlds(&unseen, bag, draws, 50, Seed(1)) {
                let is_equal =
                    |world: &World| world.drawn == sample.drawn && world.bag == sample.bag;
                assert!(worlds.iter().any(is_equal));
            }
        }
    }
}
