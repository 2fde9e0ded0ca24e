//! The bag of a [`Deal`](super::Deal): which tile each seat draws next.

use crate::tiles::{Tile, TileCounts};
use rand::{Rng, RngExt};
use std::collections::VecDeque;

/// The tiles in the bag, in the order in which they are drawn.
#[derive(Clone, Debug)]
pub(super) enum DealtBag {
    /// One order of the tiles: even seats draw from the front, odd seats from the back.
    TwoEnds(VecDeque<Tile>),
    /// Every seat has an order of its own.
    OwnOrders(OwnOrders),
}

/// The tiles in the bag in a random order for each seat. A seat draws the first tile of its own
/// order that is still in the bag, so its draws depend little on what the others have drawn.
#[derive(Clone, Debug)]
pub(super) struct OwnOrders {
    /// By seat, all tiles of the bag. The seat draws the last one.
    orders: Vec<Vec<NumberedTile>>,
    /// The number of the next tile that goes back into the bag.
    next_number: u32,
}

/// A tile that can be told from others with the same letter. Without the number a seat would draw
/// the letters that its opponents have drawn too often, because its order still has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NumberedTile {
    tile: Tile,
    number: u32,
}

impl DealtBag {
    /// A shuffled bag. Two seats draw from its two ends; of more, each has an order of its own.
    pub fn shuffled(tiles: &TileCounts, players: usize, rng: &mut impl Rng) -> DealtBag {
        match players {
            0..=2 => DealtBag::in_order(shuffled(tiles.iter(), rng)),
            _ => DealtBag::OwnOrders(OwnOrders::new(tiles, players, rng)),
        }
    }

    /// A bag with one order of its tiles.
    pub fn in_order(tiles: Vec<Tile>) -> DealtBag {
        DealtBag::TwoEnds(tiles.into())
    }

    /// The number of tiles.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            DealtBag::TwoEnds(tiles) => tiles.len(),
            DealtBag::OwnOrders(orders) => orders.orders[0].len(),
        }
    }

    /// Whether no tile is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tiles without their order.
    pub fn tiles(&self) -> TileCounts {
        match self {
            DealtBag::TwoEnds(tiles) => tiles.iter().copied().collect(),
            DealtBag::OwnOrders(orders) => orders.orders[0].iter().map(|it| it.tile).collect(),
        }
    }

    /// Takes the next tile of a seat.
    #[inline]
    pub fn draw(&mut self, seat: usize) -> Option<Tile> {
        match self {
            DealtBag::TwoEnds(tiles) if seat.is_multiple_of(2) => tiles.pop_front(),
            DealtBag::TwoEnds(tiles) => tiles.pop_back(),
            DealtBag::OwnOrders(orders) => orders.draw(seat),
        }
    }

    /// Puts a tile back at a random place.
    pub fn put_back(&mut self, tile: Tile, rng: &mut impl Rng) {
        match self {
            DealtBag::TwoEnds(tiles) => {
                let at = rng.random_range(0..=tiles.len());
                tiles.insert(at, tile);
            }
            DealtBag::OwnOrders(orders) => orders.put_back(tile, rng),
        }
    }

    /// Becomes a copy of `other`, in the memory that it has if both have one order of their tiles.
    pub fn copy_from(&mut self, other: &DealtBag) {
        match (self, other) {
            (DealtBag::TwoEnds(tiles), DealtBag::TwoEnds(other)) => {
                tiles.clear();
                tiles.extend(other);
            }
            (this, other) => *this = other.clone(),
        }
    }
}

impl OwnOrders {
    fn new(tiles: &TileCounts, players: usize, rng: &mut impl Rng) -> OwnOrders {
        let numbered = |(number, tile)| NumberedTile { tile, number };
        let order = |_| shuffled((0..).zip(tiles.iter()).map(numbered), rng);
        OwnOrders {
            orders: (0..players).map(order).collect(),
            next_number: tiles.len() as u32,
        }
    }

    fn draw(&mut self, seat: usize) -> Option<Tile> {
        let drawn = *self.orders[seat].last()?;
        for order in &mut self.orders {
            let at = order.iter().rposition(|tile| *tile == drawn);
            order.remove(at.expect("every order has all tiles of the bag"));
        }
        Some(drawn.tile)
    }

    fn put_back(&mut self, tile: Tile, rng: &mut impl Rng) {
        let number = self.next_number;
        self.next_number += 1;
        for order in &mut self.orders {
            let at = rng.random_range(0..=order.len());
            order.insert(at, NumberedTile { tile, number });
        }
    }
}

/// Tiles in random order (Fisher-Yates shuffle).
pub(super) fn shuffled<T>(tiles: impl Iterator<Item = T>, rng: &mut impl Rng) -> Vec<T> {
    let mut tiles: Vec<T> = tiles.collect();
    for at in (1..tiles.len()).rev() {
        tiles.swap(at, rng.random_range(0..=at));
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};
    use crate::seed::Seed;

    /// Every tile of the standard set.
    fn all_tiles() -> TileCounts {
        Embedded.rules("deluxe").unwrap().tiles.all()
    }

    #[test]
    fn every_tile_is_drawn_once_whoever_draws() {
        for players in 2..=4 {
            let mut rng = Seed(1).for_unit(players as u64).generator();
            let mut bag = DealtBag::shuffled(&all_tiles(), players, &mut rng);
            let mut drawn = TileCounts::EMPTY;
            while let Some(tile) = bag.draw(rng.random_range(0..players)) {
                drawn.add(tile);
                // Now and then the tile is exchanged: it goes back after the next one is drawn.
                if rng.random_range(0..9) == 0 && drawn.take(tile) {
                    drawn.extend(bag.draw(0));
                    bag.put_back(tile, &mut rng);
                }
                assert_eq!(bag.tiles().len(), bag.len());
            }
            assert_eq!(drawn, all_tiles(), "{players} players");
        }
    }

    #[test]
    fn with_an_order_of_its_own_a_seat_draws_in_it_whatever_the_others_draw() {
        // The draws of seat 2 while the others draw a number of tiles before each of them.
        let draws = |others: usize| -> Vec<Tile> {
            let mut bag = DealtBag::shuffled(&all_tiles(), 3, &mut Seed(4).generator());
            let draw = |_| {
                (0..others).for_each(|other| _ = bag.draw(other % 2));
                bag.draw(2)
            };
            (0..8).filter_map(draw).collect()
        };
        let alone = draws(0);
        for others in 1..5 {
            let drawn = draws(others);
            // Only the tiles that an opponent was faster to draw are missing.
            let mut order = DealtBag::shuffled(&all_tiles(), 3, &mut Seed(4).generator());
            let order: Vec<Tile> = (0..100).filter_map(|_| order.draw(2)).collect();
            let mut rest = order.iter();
            assert!(drawn.iter().all(|tile| rest.any(|next| next == tile)));
            let kept = drawn.iter().zip(&alone).take_while(|(a, b)| a == b);
            assert!(kept.count() > 0, "{others} other draws");
        }
    }

    #[test]
    fn tiles_that_went_back_are_drawn_as_often_as_the_others() {
        // Two opponents have four of five A; one A and one B are in the bag.
        let tiles: TileCounts = {
            let all = all_tiles();
            let mut kinds = all.iter().filter(|tile| *tile != Tile::BLANK);
            let a = kinds.next().unwrap();
            let b = kinds.find(|tile| *tile != a).unwrap();
            [a, a, a, a, a, b].into_iter().collect()
        };
        let first = tiles.iter().next().unwrap();
        let (mut games, mut drawn) = (0, 0);
        for unit in 0..20_000 {
            let mut rng = Seed(9).for_unit(unit).generator();
            let mut bag = DealtBag::shuffled(&tiles, 3, &mut rng);
            let taken: TileCounts = (0..4).filter_map(|n| bag.draw(n % 2)).collect();
            if taken.iter().any(|tile| tile != first) {
                continue;
            }
            // An A goes back, so that the bag has two of them and a B.
            bag.put_back(first, &mut rng);
            games += 1;
            drawn += i32::from(bag.draw(2) == Some(first));
        }
        // Five standard errors of a share of two thirds.
        let expected = 2.0 / 3.0 * f64::from(games);
        let error = (expected / 3.0).sqrt();
        assert!(games > 5_000, "{games}");
        assert!(
            (f64::from(drawn) - expected).abs() < 5.0 * error,
            "{drawn} of {games}"
        );
    }
}
