//! A game of which every tile is known: the racks, and the bag in the order
//! in which it will be drawn. Self-play and rollouts go by it; people, who
//! know less, have a [`Position`].

use super::flow::{FlowRules, TurnState};
use super::{End, Outcome, Position, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Tile, TileCounts};
use crate::units::Points;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A game of which every tile is known.
///
/// Seats draw from one end of the bag or the other, in turn: so what one of
/// two players draws does not depend on how many tiles the other has drawn,
/// and two ways to play the same deal differ by little luck.
#[derive(Clone, Debug)]
pub struct Deal {
    /// By seat.
    players: SmallVec<[DealtSeat; 2]>,
    bag: VecDeque<Tile>,
    /// Where exchanged tiles go back to.
    chance: Pcg64Mcg,
    turns: TurnState,
    end: Option<End>,
}

#[derive(Clone, Copy, Debug)]
struct DealtSeat {
    rack: TileCounts,
    score: Points,
}

impl Deal {
    /// The start of a game: a shuffled bag, full racks, no points.
    pub fn start(rules: &RuleSet, players: usize, seed: Seed) -> Deal {
        let player = DealtSeat {
            rack: TileCounts::EMPTY,
            score: Points::ZERO,
        };
        let mut chance = seed.generator();
        let mut deal = Deal {
            players: SmallVec::from_elem(player, players),
            bag: shuffled(&rules.tiles.all(), &mut chance).into(),
            chance,
            turns: TurnState::default(),
            end: None,
        };
        (0..players).for_each(|seat| deal.draw(seat, rules.rack_size));
        deal
    }

    /// A position with all that is unknown in it dealt by chance.
    pub fn sample(position: &Position, seed: Seed) -> Deal {
        let mut chance = seed.generator();
        let mut unseen = shuffled(position.unseen(), &mut chance);
        let seats = 0..position.player_count();
        let players = seats.map(|seat| {
            let hand = position.rack(seat);
            let mut rack = hand.known;
            let left = unseen.len().saturating_sub(hand.unknown.into());
            rack.extend(unseen.drain(left..));
            DealtSeat {
                rack,
                score: position.score(seat),
            }
        });
        Deal {
            players: players.collect(),
            bag: unseen.into(),
            chance,
            turns: position.turn_state(),
            end: position.end(),
        }
    }

    /// The seat on turn.
    pub fn to_move(&self) -> usize {
        self.turns.to_move
    }

    /// How many play.
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// What the player on a seat holds.
    pub fn rack(&self, seat: usize) -> &TileCounts {
        &self.players[seat].rack
    }

    /// The score of the player on a seat.
    pub fn score(&self, seat: usize) -> Points {
        self.players[seat].score
    }

    /// How many tiles are in the bag.
    pub fn bag_len(&self) -> usize {
        self.bag.len()
    }

    /// All tiles that do not lie on the board.
    pub fn tiles_off_board(&self) -> TileCounts {
        let mut tiles: TileCounts = self.bag.iter().copied().collect();
        for player in &self.players {
            tiles.add_all(&player.rack);
        }
        tiles
    }

    /// The value of the tiles that all but one player hold.
    pub fn opponents_rack_value(&self, seat: usize, rules: &RuleSet) -> Points {
        let others = self.players.iter().enumerate();
        let others = others.filter(|(other, _)| *other != seat);
        let value = |(_, player): (usize, &DealtSeat)| rules.tiles.total_value(&player.rack);
        others.map(value).sum()
    }

    /// Whether the game is over, and why.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Takes a turn that can be taken and scores `points`, and goes on to the next player.
    pub fn play(&mut self, turn: &Turn, points: Points, rules: &RuleSet) {
        let seat = self.turns.to_move;
        self.players[seat].score += points;
        match turn {
            Turn::Place(placement) => {
                for face in placement.faces() {
                    self.players[seat].rack.take(face.tile());
                }
                self.draw(seat, rules.rack_size);
            }
            Turn::Exchange(tiles) => {
                for tile in tiles.iter() {
                    self.players[seat].rack.take(tile);
                }
                self.draw(seat, rules.rack_size);
                for tile in tiles.iter() {
                    let at = self.chance.random_range(0..=self.bag.len());
                    self.bag.insert(at, tile);
                }
            }
            Turn::ExchangeUnseen(_) | Turn::Pass => {}
        }
        self.finish_turn(points, *turn == Turn::Pass, rules);
    }

    /// Counts the turn just taken, finds out whether it was the last, and goes on to the next
    /// player.
    fn finish_turn(&mut self, points: Points, is_pass: bool, rules: &RuleSet) {
        let flow = FlowRules::new(rules, self.players.len());
        let seat = self.turns.to_move;
        let DealtSeat { rack, score } = &self.players[seat];
        let target = rules.target(seat, self.players.len());
        let reached = target.is_some_and(|target| *score >= target);
        let is_out = self.bag.is_empty() && rack.is_empty();
        let (target, out) = (reached.then_some(seat), is_out.then_some(seat));
        self.turns.count_turn(flow, points, is_pass);
        self.end = flow.end(target, out, self.turns.scoreless_turns);
        self.turns.advance(flow, self.end.is_some());
        // Turns that were skipped can have ended the game too.
        self.end = flow.end(target, out, self.turns.scoreless_turns);
    }

    /// Fills a rack from the seat's own end of the bag.
    fn draw(&mut self, seat: usize, rack_size: usize) {
        while self.players[seat].rack.len() < rack_size {
            let drawn = if seat.is_multiple_of(2) {
                self.bag.pop_front()
            } else {
                self.bag.pop_back()
            };
            match drawn {
                Some(tile) => self.players[seat].rack.add(tile),
                None => break,
            }
        }
    }

    /// The result, if the game is over: the tiles left over change the scores.
    pub fn outcome(&self, rules: &RuleSet) -> Option<Outcome> {
        let value = |player: &DealtSeat| rules.tiles.total_value(&player.rack);
        let scores: SmallVec<[Points; 4]> = self.players.iter().map(|it| it.score).collect();
        let left: SmallVec<[Points; 4]> = self.players.iter().map(value).collect();
        Some(Outcome::new(rules, self.end?, &scores, &left))
    }

    /// Becomes the same as another, in the memory it has.
    pub fn copy_from(&mut self, other: &Deal) {
        self.players.clone_from(&other.players);
        self.bag.clear();
        self.bag.extend(&other.bag);
        self.chance = other.chance.clone();
        (self.turns, self.end) = (other.turns, other.end);
    }
}

fn shuffled(tiles: &TileCounts, chance: &mut Pcg64Mcg) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = tiles.iter().collect();
    for at in (1..tiles.len()).rev() {
        tiles.swap(at, chance.random_range(0..=at));
    }
    tiles
}
