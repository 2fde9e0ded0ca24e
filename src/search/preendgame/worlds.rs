//! What can be in the bag: every way to draw, and how often it comes.

use crate::seed::Seed;
use crate::tiles::{Tile, TileCounts};
use std::collections::HashMap;

/// One way in which what is unseen can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    /// What the player on turn draws after the turn.
    pub drawn: TileCounts,
    /// What is in the bag then, of what was unseen.
    pub bag: TileCounts,
    /// How many of all ways to draw are like this.
    pub weight: u64,
}

impl World {
    /// What is drawn from a bag.
    pub fn new(bag: &TileCounts, drawn: TileCounts, weight: u64) -> World {
        let mut left = *bag;
        let taken = left.take_all(&drawn);
        debug_assert!(taken.is_ok());
        World {
            drawn,
            bag: left,
            weight,
        }
    }
}

/// All parts of `tiles` with so many of them, each with the number of ways to take it.
pub fn parts(tiles: &TileCounts, count: usize) -> Vec<(TileCounts, u64)> {
    let kinds: Vec<(Tile, u8)> = tiles.kinds().collect();
    let mut found = Vec::new();
    extend(&kinds, count, TileCounts::EMPTY, 1, &mut found);
    found
}

fn extend(
    kinds: &[(Tile, u8)],
    count: usize,
    part: TileCounts,
    ways: u64,
    found: &mut Vec<(TileCounts, u64)>,
) {
    let Some(((tile, held), rest)) = kinds.split_first() else {
        if count == 0 {
            found.push((part, ways));
        }
        return;
    };
    let mut part = part;
    for taken in 0..=usize::from(*held).min(count) {
        if taken > 0 {
            part.add(*tile);
        }
        let more = choose(usize::from(*held), taken);
        extend(rest, count - taken, part, ways * more, found);
    }
}

/// How many ways there are to take some of all.
pub fn choose(all: usize, some: usize) -> u64 {
    (0..some).fold(1, |ways, at| ways * (all - at) as u64 / (at as u64 + 1))
}

/// All worlds in which a player draws so many of the bag's tiles, of which there are `bag` among `unseen`.
pub fn all(unseen: &TileCounts, bag: usize, draws: usize) -> Vec<World> {
    let mut worlds = Vec::new();
    for (drawn, ways) in parts(unseen, draws) {
        let mut left = *unseen;
        let taken = left.take_all(&drawn);
        debug_assert!(taken.is_ok());
        for (bag, more) in parts(&left, bag - draws) {
            worlds.push(World {
                drawn,
                bag,
                weight: ways * more,
            });
        }
    }
    worlds
}

/// So many of [`all`] by chance, each as often as it comes.
pub fn any(
    unseen: &TileCounts,
    bag: usize,
    draws: usize,
    samples: usize,
    seed: Seed,
) -> Vec<World> {
    let world = |unit: usize| {
        let mut chance = seed.for_unit(unit as u64).generator();
        let mut left = *unseen;
        World {
            drawn: left.draw(draws, &mut chance),
            bag: left.draw(bag - draws, &mut chance),
            weight: 1,
        }
    };
    (0..samples).map(world).collect()
}

/// So many parts of `tiles` with so many of them by chance, each as often as it comes.
pub fn some(
    tiles: &TileCounts,
    count: usize,
    samples: usize,
    seed: Seed,
) -> Vec<(TileCounts, u64)> {
    let mut found: Vec<(TileCounts, u64)> = Vec::new();
    let mut places: HashMap<TileCounts, usize> = HashMap::new();
    for unit in 0..samples as u64 {
        let mut chance = seed.for_unit(unit).generator();
        let part = tiles.clone().draw(count, &mut chance);
        let place = *places.entry(part).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, times)) => *times += 1,
            None => found.push((part, 1)),
        }
    }
    found
}

/// How many parts [`parts`] would list.
pub fn count(tiles: &TileCounts, count: usize) -> usize {
    // By how many tiles are taken, of the kinds so far.
    let mut counts = vec![0_usize; count + 1];
    counts[0] = 1;
    for (_, held) in tiles.kinds() {
        let sum = |some: usize| {
            let least = some.saturating_sub(held.into());
            let sums = counts[least..=some].iter();
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
    fn the_worlds_are_all_ways_to_draw() {
        let tile = |n: usize| Tile::new(n).unwrap();
        let unseen: TileCounts = [1, 1, 2, 3, 3, 3, 0].into_iter().map(tile).collect();
        for (bag, draws) in [(1, 1), (2, 1), (2, 2), (3, 2), (4, 0)] {
            let worlds = all(&unseen, bag, draws);
            let weight: u64 = worlds.iter().map(|world| world.weight).sum();
            assert_eq!(weight, choose(7, draws) * choose(7 - draws, bag - draws));
            assert_eq!(parts(&unseen, bag).len(), count(&unseen, bag));
            let sampled = some(&unseen, bag, 50, Seed(1));
            assert_eq!(sampled.iter().map(|(_, times)| times).sum::<u64>(), 50);
            for one in any(&unseen, bag, draws, 50, Seed(1)) {
                let is_like = |own: &World| own.drawn == one.drawn && own.bag == one.bag;
                assert!(worlds.iter().any(is_like));
            }
        }
    }
}
