//! A game in which every tile is known: all racks, and the bag in the order in which it is drawn.
//! Self-play and rollouts use it. What one player knows is a [`Position`].

use super::bag::{DealtBag, shuffled};
use super::flow::{FlowRules, TurnKind, TurnState};
use super::{End, MAX_RACK, Outcome, PartialRack, Position, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Tile, TileCounts};
use crate::units::Points;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use smallvec::SmallVec;
use std::ops::Range;

/// A game in which every tile is known. The tiles on the board are not part of it.
///
/// Two ways to play the same deal share most of their luck (common random numbers): even seats draw
/// from the front of the bag, odd seats from the back. So the tiles of one of two players do not
/// depend on how many tiles the opponent has drawn. In whole games of three or four players, each
/// seat draws in a random order of its own; in worlds sampled for a position, from the two ends.
#[derive(Clone, Debug)]
pub struct Deal {
    /// By seat.
    players: SmallVec<[DealtSeat; 2]>,
    bag: DealtBag,
    /// Decides where exchanged tiles go back into the bag.
    rng: Pcg64Mcg,
    turns: TurnState,
    board_is_empty: bool,
    end: Option<End>,
}

#[derive(Clone, Copy, Debug)]
struct DealtSeat {
    rack: TileCounts,
    score: Points,
}

/// Tiles of the player to move that a sampled world must have. The rest of the world is random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedTiles {
    /// Tiles of the rack, besides those that the position knows.
    pub rack: TileCounts,
    /// The tiles that the player draws next.
    pub draw: TileCounts,
}

impl Deal {
    /// The start of a game: a shuffled bag, full racks, no points.
    pub fn start(rules: &RuleSet, players: usize, seed: Seed) -> Deal {
        let player = DealtSeat {
            rack: TileCounts::EMPTY,
            score: Points::ZERO,
        };
        let mut rng = seed.generator();
        let mut deal = Deal {
            players: SmallVec::from_elem(player, players),
            bag: DealtBag::shuffled(&rules.tiles.all(), players, &mut rng),
            rng,
            turns: TurnState::default(),
            board_is_empty: true,
            end: None,
        };
        (0..players).for_each(|seat| deal.draw(seat, rules.rack_size));
        deal
    }

    /// A world for a position: its unseen tiles dealt to racks and bag at random.
    pub fn sample(position: &Position, seed: Seed) -> Deal {
        let mut rng = seed.generator();
        let unseen = shuffled(position.unseen().iter(), &mut rng);
        Deal::dealt(position, unseen, rng)
    }

    /// The world of [`Deal::sample`] for the same seed, with as few tiles swapped as it takes that
    /// the player to move has and draws `fixed`. Over many seeds, all worlds with these tiles are
    /// equally likely. `None` if there is no such world.
    pub fn sample_with(position: &Position, fixed: &FixedTiles, seed: Seed) -> Option<Deal> {
        let mut rng = seed.generator();
        let mut unseen = shuffled(position.unseen().iter(), &mut rng);
        let mover = position.to_move();
        let unknown = |seat: usize| usize::from(position.rack(seat).unknown);
        // `dealt` fills the racks from the end of the list, and the rest is the bag.
        let rack_end = unseen.len() - (0..mover).map(unknown).sum::<usize>();
        let rack_start = rack_end - fixed.rack.len();
        let draw_start = match mover.is_multiple_of(2) {
            true => 0,
            false => position.bag_len().checked_sub(fixed.draw.len())?,
        };
        let draw_end = draw_start + fixed.draw.len();
        if fixed.rack.len() > unknown(mover) || draw_end > position.bag_len() {
            return None;
        }
        // The generator of the world must not be used: exchanged tiles go back to the same places.
        let mut choice = seed.for_unit(FIXED_TILES_UNIT).generator();
        let (rack, draw) = (rack_start..rack_end, draw_start..draw_end);
        bring(&mut unseen, &fixed.rack, rack.clone(), &(0..0), &mut choice)?;
        bring(&mut unseen, &fixed.draw, draw, &rack, &mut choice)?;
        Some(Deal::dealt(position, unseen, rng))
    }

    /// A world in which the last of these tiles are the unknown tiles of the racks, seat by seat, and
    /// the first ones are the bag.
    fn dealt(position: &Position, mut unseen: Vec<Tile>, rng: Pcg64Mcg) -> Deal {
        let seats = 0..position.player_count();
        let players = seats.map(|seat| {
            let PartialRack { known, unknown } = *position.rack(seat);
            let mut rack = known;
            let left = unseen.len().saturating_sub(unknown.into());
            rack.extend(unseen.drain(left..));
            DealtSeat {
                rack,
                score: position.score(seat),
            }
        });
        Deal {
            players: players.collect(),
            bag: DealtBag::in_order(unseen),
            rng,
            turns: position.turn_state(),
            board_is_empty: position.grid().is_empty(),
            end: position.end(),
        }
    }

    /// The seat to move.
    pub fn to_move(&self) -> usize {
        self.turns.to_move
    }

    /// The number of players.
    pub(crate) fn player_count(&self) -> usize {
        self.players.len()
    }

    /// The rack of the player on `seat`.
    pub fn rack(&self, seat: usize) -> &TileCounts {
        &self.players[seat].rack
    }

    /// The score of the player on `seat`.
    pub fn score(&self, seat: usize) -> Points {
        self.players[seat].score
    }

    /// Where a target score wins at once: the points that a seat needs for it.
    pub fn points_to_win(&self, seat: usize, rules: &RuleSet) -> Option<Points> {
        let target = rules.target(seat, self.players.len())?;
        Some(target - self.players[seat].score)
    }

    /// The number of tiles in the bag.
    pub fn bag_len(&self) -> usize {
        self.bag.len()
    }

    /// All tiles in the bag and on the racks.
    pub fn tiles_off_board(&self) -> TileCounts {
        let mut tiles = self.bag.tiles();
        for player in &self.players {
            tiles.add_all(&player.rack);
        }
        tiles
    }

    /// The value of the tiles on all racks but that of `seat`.
    pub(crate) fn opponents_rack_value(&self, seat: usize, rules: &RuleSet) -> Points {
        let others = self.players.iter().enumerate();
        let others = others.filter(|(other, _)| *other != seat);
        let value = |(_, player): (usize, &DealtSeat)| rules.tiles.total_value(&player.rack);
        others.map(value).sum()
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Takes a legal turn that scores `points` and goes on to the next player. Neither is checked.
    pub fn play(&mut self, turn: &Turn, points: Points, rules: &RuleSet) {
        let seat = self.turns.to_move;
        match turn {
            Turn::Place(placement) => {
                self.board_is_empty = false;
                for face in placement.faces() {
                    self.players[seat].rack.take(face.tile());
                }
                self.draw(seat, rules.rack_size);
            }
            Turn::Rearrange(rearrangement) => {
                for tile in rearrangement.tiles().iter() {
                    self.players[seat].rack.take(tile);
                }
                self.draw(seat, rules.rack_size);
            }
            Turn::Exchange(tiles) => self.exchange(seat, tiles, rules),
            Turn::Edited(edited) => {
                let rack = &mut self.players[seat].rack;
                *rack = edited.edits().rack_after(rack);
                return self.play(&edited.main(), points, rules);
            }
            Turn::ExchangeUnseen(_) | Turn::Pass => {}
        }
        self.players[seat].score += points;
        self.finish_turn(points, *turn == Turn::Pass, rules);
    }

    /// Draws new tiles before these go back into the bag.
    fn exchange(&mut self, seat: usize, tiles: &TileCounts, rules: &RuleSet) {
        for tile in tiles.iter() {
            self.players[seat].rack.take(tile);
        }
        self.draw(seat, rules.rack_size);
        for tile in tiles.iter() {
            self.bag.put_back(tile, &mut self.rng);
        }
    }

    /// Counts the turn just taken, finds out whether it was the last, and goes on to the next
    /// player.
    fn finish_turn(&mut self, points: Points, is_pass: bool, rules: &RuleSet) {
        let flow = FlowRules::new(rules, self.players.len());
        let seat = self.turns.to_move;
        let needed = self.points_to_win(seat, rules);
        let reached = needed.is_some_and(|needed| needed <= Points::ZERO);
        let is_out = self.bag.is_empty() && self.players[seat].rack.is_empty();
        let (target, out) = (reached.then_some(seat), is_out.then_some(seat));
        let kind = TurnKind::new(points, is_pass, self.board_is_empty);
        self.turns.count_turn(flow, kind);
        self.end = flow.end(target, out, self.turns.scoreless);
        self.turns.advance(flow, self.end.is_some());
        // Turns that were skipped can have ended the game too.
        self.end = flow.end(target, out, self.turns.scoreless);
    }

    /// Fills a rack with the next tiles of its seat.
    fn draw(&mut self, seat: usize, rack_size: usize) {
        while self.players[seat].rack.len() < rack_size {
            match self.bag.draw(seat) {
                Some(tile) => self.players[seat].rack.add(tile),
                None => break,
            }
        }
    }

    /// The result, if the game is over.
    pub fn outcome(&self, rules: &RuleSet) -> Option<Outcome> {
        let value = |player: &DealtSeat| rules.tiles.total_value(&player.rack);
        let scores: SmallVec<[Points; 4]> = self.players.iter().map(|it| it.score).collect();
        let left: SmallVec<[Points; 4]> = self.players.iter().map(value).collect();
        Some(Outcome::new(rules, self.end?, &scores, &left))
    }

    /// Becomes a copy of `other` without allocating new memory.
    pub(crate) fn copy_from(&mut self, other: &Deal) {
        self.players.clone_from(&other.players);
        self.bag.copy_from(&other.bag);
        self.rng = other.rng.clone();
        (self.turns, self.end) = (other.turns, other.end);
        self.board_is_empty = other.board_is_empty;
    }
}

/// The unit of a world's seed that chooses which tiles are swapped for fixed ones.
const FIXED_TILES_UNIT: u64 = 1;

/// Swaps tiles so that `wanted` are at `places`. What is there already stays, and so do the tiles at
/// `locked`. Each missing tile comes from a random place among those that have one, so that a random
/// order of the others stays random. `None` if there are too few.
fn bring(
    tiles: &mut [Tile],
    wanted: &TileCounts,
    places: Range<usize>,
    locked: &Range<usize>,
    rng: &mut Pcg64Mcg,
) -> Option<()> {
    let mut missing = *wanted;
    let is_surplus = |place: &usize| !missing.take(tiles[*place]);
    let surplus: SmallVec<[usize; MAX_RACK]> = places.clone().filter(is_surplus).collect();
    for (place, tile) in surplus.into_iter().zip(missing.iter()) {
        let others = (0..tiles.len()).filter(|at| !places.contains(at) && !locked.contains(at));
        let others: SmallVec<[usize; 16]> = others.filter(|at| tiles[*at] == tile).collect();
        if others.is_empty() {
            return None;
        }
        tiles.swap(place, others[rng.random_range(0..others.len())]);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Embedded, Library};
    use std::collections::HashMap;
    use std::sync::Arc;

    #[test]
    fn all_orders_of_the_other_tiles_are_equally_likely() {
        let set = Embedded.rules("tournament").unwrap().tiles.clone();
        let read = |text: &str| set.read_tiles(text).unwrap();
        // The tiles, those wanted at two places, and the number of orders of the others.
        for (tiles, wanted, orders) in [("AABBCD", "AB", 24), ("AABBCD", "AC", 12)] {
            let mut counts: HashMap<Vec<Tile>, u32> = HashMap::new();
            let samples = 12_000;
            for unit in 0..samples {
                let mut rng = Seed(3).for_unit(unit).generator();
                let mut order = shuffled(read(tiles).iter(), &mut rng);
                bring(&mut order, &read(wanted), 2..4, &(0..0), &mut rng).unwrap();
                let placed: TileCounts = order.drain(2..4).collect();
                assert_eq!(placed, read(wanted));
                *counts.entry(order).or_default() += 1;
            }
            assert_eq!(counts.len(), orders);
            let expected = f64::from(samples as u32) / orders as f64;
            for count in counts.values() {
                // Five standard deviations of a count.
                let difference = f64::from(*count) - expected;
                assert!(difference.abs() < 5.0 * expected.sqrt(), "{count}");
            }
        }
    }

    #[test]
    fn a_world_with_fixed_tiles_is_the_plain_one_but_for_these() {
        let rules = Arc::new(Embedded.rules("tournament").unwrap());
        let read = |text: &str| rules.tiles.read_tiles(text).unwrap();
        for first in [0, 1] {
            let mut position = Position::start_with(rules.clone(), 2, first).unwrap();
            position.set_rack(1 - first, read("EEIIOOU")).unwrap();
            let fixed = FixedTiles {
                rack: read("AEINRST"),
                draw: read("?QZ"),
            };
            for unit in 0..200 {
                let seed = Seed(4).for_unit(unit);
                let plain = Deal::sample(&position, seed);
                let nothing = Deal::sample_with(&position, &FixedTiles::default(), seed).unwrap();
                assert_eq!(format!("{nothing:?}"), format!("{plain:?}"));
                let mut world = Deal::sample_with(&position, &fixed, seed).unwrap();
                assert_eq!(*world.rack(first), fixed.rack);
                assert_eq!(*world.rack(1 - first), read("EEIIOOU"));
                assert_eq!(world.tiles_off_board(), rules.tiles.all());
                // Seven tiles of the rack and three of the draw come from ten places at most.
                let places = |deal: &Deal| match &deal.bag {
                    DealtBag::TwoEnds(tiles) => tiles.iter().copied().collect::<Vec<Tile>>(),
                    DealtBag::OwnOrders(_) => unreachable!("worlds of positions have one order"),
                };
                let pairs = places(&plain).into_iter().zip(places(&world));
                assert!(pairs.filter(|(a, b)| a != b).count() <= 13);
                world.play(&Turn::Exchange(read("AEI")), Points::ZERO, &rules);
                assert_eq!(*world.rack(first), read("NRST?QZ"));
            }
            let no_world = |rack: &str, draw: &str| {
                let (rack, draw) = (read(rack), read(draw));
                Deal::sample_with(&position, &FixedTiles { rack, draw }, Seed(1)).is_none()
            };
            assert!(no_world("", "QQ"));
            assert!(no_world("Z", "Z"));
            assert!(no_world("ABCDEFGH", ""));
            // There are four U.
            assert!(no_world("EEIIOOU", "UUU"));
        }
    }
}
