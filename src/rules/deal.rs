//! A game in which every tile is known: all racks, and the bag in the order in which it is drawn.
//! Self-play and rollouts use it. What one player knows is a [`Position`].

use super::bag::{DealtBag, shuffled};
use super::flow::{FlowRules, TurnKind, TurnState};
use super::{End, Outcome, PartialRack, Position, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::TileCounts;
use crate::units::Points;
use rand_pcg::Pcg64Mcg;
use smallvec::SmallVec;

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
        let mut unseen = shuffled(position.unseen().iter(), &mut rng);
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
