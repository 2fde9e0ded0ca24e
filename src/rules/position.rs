//! A position: board, hands, scores and whose turn it is.

use super::RuleSet;
use super::flow::{FlowRules, TurnState};
use super::placement::{self, Placement, PlayError, Turn};
use super::score::Score;
use crate::board::Grid;
use crate::tiles::{Face, Tile, TileCounts};
use crate::units::Points;
use rand::Rng;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// Whatever someone may say a position is. Nothing about it is promised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The tiles on the board.
    pub grid: Grid,
    /// What is known of each player's rack, the player on turn first. For the
    /// player on turn it is all there is, unless it is empty: then it is
    /// unknown. The others may hold more, up to a full rack.
    pub racks: Vec<TileCounts>,
    /// The scores in the same order.
    pub scores: Vec<Points>,
    /// The turns without points just before this one.
    pub scoreless_turns: u8,
}

/// What a player holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialRack {
    /// The tiles we know of.
    pub known: TileCounts,
    /// How many more there are.
    pub unknown: u8,
}

impl PartialRack {
    /// How many tiles it is.
    pub fn len(&self) -> usize {
        self.known.len() + usize::from(self.unknown)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position that the rules allow. Only [`Position::new`] makes one from
/// outside, so that a search never has to ask whether it can trust it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rules: Arc<RuleSet>,
    grid: Grid,
    /// By seat.
    players: SmallVec<[SeatState; 2]>,
    turns: TurnState,
    /// Neither on the board nor known to be in a hand.
    unseen: TileCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatState {
    rack: PartialRack,
    score: Points,
}

impl Position {
    /// The start of a game: an empty board, and full racks that nobody knows.
    pub fn start(rules: Arc<RuleSet>, players: usize) -> Result<Position, SetupError> {
        let setup = Setup {
            grid: Grid::new(rules.board.side()),
            racks: vec![TileCounts::EMPTY; players],
            scores: vec![Points::ZERO; players],
            scoreless_turns: 0,
        };
        Position::new(rules, setup)
    }

    /// Checks a setup against the rules. The player on turn has seat 0.
    pub fn new(rules: Arc<RuleSet>, setup: Setup) -> Result<Position, SetupError> {
        let Setup {
            grid,
            racks,
            scores,
            scoreless_turns,
        } = setup;
        let (fewest, most) = rules.players;
        if racks.len() != scores.len() {
            return Err(SetupError::Scores {
                racks: racks.len(),
                scores: scores.len(),
            });
        }
        if racks.len() < fewest || racks.len() > most {
            return Err(SetupError::Players {
                players: racks.len(),
                limits: rules.players,
            });
        }
        if grid.side() != rules.board.side() {
            return Err(SetupError::Side {
                rows: grid.side(),
                board: rules.board.side(),
            });
        }
        if let Some(tiles) = racks
            .iter()
            .map(TileCounts::len)
            .find(|&tiles| tiles > rules.rack_size)
        {
            return Err(SetupError::RackSize {
                tiles,
                limit: rules.rack_size,
            });
        }
        let off = rules
            .board
            .squares()
            .find(|&square| grid.get(square).is_some() && !rules.board.is_usable(square));
        if let Some(square) = off {
            return Err(SetupError::Unusable(square.name(grid.side())));
        }
        let mut unseen = rules.tiles.all();
        let on_board = grid.faces().map(Face::tile);
        for tile in on_board.chain(racks.iter().flat_map(TileCounts::iter)) {
            if !unseen.take(tile) {
                let kind = rules.tiles.kind(tile);
                return Err(SetupError::TooMany {
                    tile: kind.upper.clone(),
                    limit: kind.count,
                });
            }
        }
        let player = |(known, score): (&TileCounts, Points)| SeatState {
            rack: PartialRack {
                known: *known,
                unknown: 0,
            },
            score,
        };
        let players = racks.iter().zip(scores).map(player).collect();
        let mut position = Position {
            rules,
            grid,
            players,
            turns: TurnState {
                scoreless_turns,
                ..TurnState::default()
            },
            unseen,
        };
        position.assume_hands();
        Ok(position)
    }

    /// Says how many unknown tiles each player holds: enough for a full rack
    /// while they last. Where they do not last, racks of which nothing is
    /// known come first, and it goes round, so that they fill evenly.
    fn assume_hands(&mut self) {
        let mut left = self.unseen.len();
        for wholly in [true, false] {
            let wants: SmallVec<[usize; 4]> = (0..self.players.len())
                .filter(|&seat| self.players[seat].rack.known.is_empty() == wholly)
                .filter(|&seat| seat != self.turns.to_move || wholly)
                .collect();
            for _ in 0..self.rules.rack_size {
                for &seat in &wants {
                    let hand = &mut self.players[seat].rack;
                    if left > 0 && hand.len() < self.rules.rack_size {
                        hand.unknown += 1;
                        left -= 1;
                    }
                }
            }
        }
    }

    /// The rules that hold.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The tiles on the board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many play.
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// The seat on turn, from 0.
    pub fn to_move(&self) -> usize {
        self.turns.to_move
    }

    /// The seats in the order in which they will be on turn, from the one on turn now.
    pub fn turn_order(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let (first, players) = (self.to_move(), self.players.len());
        (0..players).map(move |after| (first + after) % players)
    }

    /// What the player on `seat` holds.
    pub fn rack(&self, seat: usize) -> &PartialRack {
        &self.players[seat].rack
    }

    /// What the player on turn holds.
    pub fn mover_rack(&self) -> &PartialRack {
        &self.players[self.to_move()].rack
    }

    /// The score of the player on `seat`.
    pub fn score(&self, seat: usize) -> Points {
        self.players[seat].score
    }

    /// The turns without points just before this one, as the rules count them.
    pub fn scoreless_turns(&self) -> u8 {
        self.turns.scoreless_turns
    }

    /// The tiles neither on the board nor known to be in a hand.
    pub fn unseen(&self) -> &TileCounts {
        &self.unseen
    }

    /// How many tiles are in the bag: all unseen ones less those in hands.
    pub fn bag_len(&self) -> usize {
        let held: usize = self
            .players
            .iter()
            .map(|player| usize::from(player.rack.unknown))
            .sum();
        self.unseen.len().saturating_sub(held)
    }

    /// Says what the player on `seat` holds: these tiles and no others.
    pub fn set_rack(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.replace_hand(seat, tiles, 0)
    }

    /// Says some of what the player on `seat` holds; the number of tiles stays.
    pub fn set_known_tiles(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        let held = self.players[seat].rack.len();
        let unknown = held.checked_sub(tiles.len()).ok_or(SetupError::RackSize {
            tiles: tiles.len(),
            limit: held,
        })?;
        self.replace_hand(seat, tiles, unknown as u8)
    }

    fn replace_hand(
        &mut self,
        seat: usize,
        tiles: TileCounts,
        unknown: u8,
    ) -> Result<(), SetupError> {
        let limit = self.rules.rack_size;
        if tiles.len() > limit {
            return Err(SetupError::RackSize {
                tiles: tiles.len(),
                limit,
            });
        }
        let mut unseen = self.unseen;
        unseen.add_all(&self.players[seat].rack.known);
        if let Err(missing) = unseen.take_all(&tiles) {
            let kind = self.rules.tiles.kind(missing);
            return Err(SetupError::TooMany {
                tile: kind.upper.clone(),
                limit: kind.count,
            });
        }
        self.unseen = unseen;
        self.players[seat].rack = PartialRack {
            known: tiles,
            unknown,
        };
        // Nobody can hold what is not there any more; those later in turn give way first.
        let mut left = self.unseen.len();
        for seat in self.turn_order() {
            let hand = &mut self.players[seat].rack;
            hand.unknown = hand.unknown.min(left.min(u8::MAX.into()) as u8);
            left -= usize::from(hand.unknown);
        }
        Ok(())
    }

    /// Draws for every player what is unknown of the hand, so that all is known.
    pub fn deal_unknown(&mut self, chance: &mut impl Rng) {
        for player in &mut self.players {
            let drawn = self.unseen.draw(player.rack.unknown.into(), chance);
            player.rack.known.add_all(&drawn);
            player.rack.unknown = 0;
        }
    }

    /// What a placement by the player on turn forms and scores, or why it cannot be made.
    pub fn examine(&self, placement: &Placement) -> Result<Score, PlayError> {
        let score = self.examine_without_rack(placement)?;
        self.take_from_hand(&placement.tiles())?;
        Ok(score)
    }

    /// What a placement would form and score, whoever holds the tiles.
    pub fn examine_without_rack(&self, placement: &Placement) -> Result<Score, PlayError> {
        placement::examine(&self.rules, &self.grid, placement)
    }

    /// The tiles of a placement that the player on turn does not hold.
    pub fn missing_tiles(&self, placement: &Placement) -> TileCounts {
        let mut missing = TileCounts::EMPTY;
        let (mut hand, mut unseen) = (*self.mover_rack(), self.unseen);
        for tile in placement.tiles().iter() {
            if !take_tile(&mut hand, &mut unseen, tile) {
                missing.add(tile);
            }
        }
        missing
    }

    /// Whether the player on turn may exchange so many tiles.
    pub fn check_exchange(&self, tiles: usize) -> Result<(), PlayError> {
        let held = self.mover_rack().len();
        if tiles == 0 || tiles > held {
            return Err(PlayError::ExchangeSize { tiles, limit: held });
        }
        let limit = self.rules.exchange.bag_needed(tiles);
        match self.bag_len() {
            bag if bag < limit => Err(PlayError::ExchangeClosed { bag, limit }),
            _ => Ok(()),
        }
    }

    /// Takes a turn and goes on to the next player; the points it scored. On an error nothing changes.
    pub fn play(&mut self, turn: &Turn) -> Result<Points, PlayError> {
        if self.end().is_some() {
            return Err(PlayError::GameOver);
        }
        let points = match turn {
            Turn::Place(placement) => self.place(placement)?,
            Turn::Exchange(tiles) => self.exchange(tiles)?,
            Turn::ExchangeUnseen(count) => self.exchange_unseen(*count)?,
            Turn::Pass => Points::ZERO,
        };
        let seat = self.to_move();
        self.players[seat].score += points;
        self.finish_turn(points, *turn == Turn::Pass);
        Ok(points)
    }

    fn place(&mut self, placement: &Placement) -> Result<Points, PlayError> {
        let points = self.examine(placement)?.total();
        let (hand, unseen) = self.take_from_hand(&placement.tiles())?;
        (self.players[self.turns.to_move].rack, self.unseen) = (hand, unseen);
        for (square, face) in placement.placed_tiles(self.grid.side()) {
            self.grid.set(square, Some(face));
        }
        self.refill();
        Ok(points)
    }

    fn exchange(&mut self, tiles: &TileCounts) -> Result<Points, PlayError> {
        self.check_exchange(tiles.len())?;
        let (hand, unseen) = self.take_from_hand(tiles)?;
        (self.players[self.turns.to_move].rack, self.unseen) = (hand, unseen);
        // New tiles are drawn before the old ones go into the bag.
        let drawn = tiles.len() as u8;
        self.players[self.turns.to_move].rack.unknown += drawn;
        self.unseen.add_all(tiles);
        Ok(Points::ZERO)
    }

    /// Which tiles went back is not known, so neither is what was kept.
    fn exchange_unseen(&mut self, count: u8) -> Result<Points, PlayError> {
        self.check_exchange(count.into())?;
        let hand = &mut self.players[self.turns.to_move].rack;
        let unknown = hand.len() as u8;
        self.unseen.add_all(&hand.known);
        *hand = PartialRack {
            known: TileCounts::EMPTY,
            unknown,
        };
        Ok(Points::ZERO)
    }

    /// The hand on turn and the unseen tiles without `tiles`: known tiles go first, then unknown ones.
    fn take_from_hand(&self, tiles: &TileCounts) -> Result<(PartialRack, TileCounts), PlayError> {
        let (mut hand, mut unseen) = (*self.mover_rack(), self.unseen);
        for tile in tiles.iter() {
            if !take_tile(&mut hand, &mut unseen, tile) {
                return Err(self.not_held(tile));
            }
        }
        Ok((hand, unseen))
    }

    fn not_held(&self, tile: Tile) -> PlayError {
        let rack = self.rules.tiles.tiles_text(&self.mover_rack().known);
        PlayError::NotHeld {
            tile: self.rules.tiles.kind(tile).upper.clone(),
            rack,
        }
    }

    fn refill(&mut self) {
        let bag = self.bag_len();
        let hand = &mut self.players[self.turns.to_move].rack;
        hand.unknown += self.rules.rack_size.saturating_sub(hand.len()).min(bag) as u8;
    }

    pub(super) fn flow_rules(&self) -> FlowRules {
        FlowRules::new(&self.rules, self.players.len())
    }

    /// Counts the turn just taken and goes on to the next player.
    fn finish_turn(&mut self, points: Points, is_pass: bool) {
        self.turns.count_turn(self.flow_rules(), points, is_pass);
        self.turns.advance(self.flow_rules(), self.end().is_some());
    }

    /// Whose turn it is, scoreless turns and lost turns.
    pub(super) fn turn_state(&self) -> TurnState {
        self.turns
    }

    /// The turns that the player on `seat` still has to miss.
    pub fn lost_turns(&self, seat: usize) -> u8 {
        self.turns.lost_turns[seat]
    }

    /// Adds points to a score outside a turn: challenge points, time penalties.
    pub(super) fn adjust_score(&mut self, seat: usize, points: Points) {
        self.players[seat].score += points;
    }

    /// Notes that the player on `seat` has turns to miss.
    pub(super) fn owe_turns(&mut self, seat: usize, turns: u8) {
        let lost_turns = &mut self.turns.lost_turns[seat];
        *lost_turns = lost_turns.saturating_add(turns);
    }

    /// Takes turns from the player on `seat`; at once if it is that player's turn.
    pub(super) fn lose_turns(&mut self, seat: usize, turns: u8) {
        self.owe_turns(seat, turns);
        if seat == self.to_move() {
            // Step back to the seat before, so that going on skips this one.
            self.turns.to_move = (seat + self.players.len() - 1) % self.players.len();
            self.turns.advance(self.flow_rules(), self.end().is_some());
        }
    }

    /// The turn of a play that came off: nothing was scored, and its tiles are known to all.
    pub(super) fn lose_play(&mut self, placement: &Placement) -> Result<(), PlayError> {
        let tiles = placement.tiles();
        let (mut hand, unseen) = self.take_from_hand(&tiles)?;
        hand.known.add_all(&tiles);
        (self.players[self.turns.to_move].rack, self.unseen) = (hand, unseen);
        self.finish_turn(Points::ZERO, false);
        Ok(())
    }

    /// The same position with the player on turn on seat 0, as CGP tells it.
    pub fn with_mover_first(&self) -> Position {
        let mut position = self.clone();
        position.players.rotate_left(self.to_move());
        position.turns.lost_turns[..self.players.len()].rotate_left(self.to_move());
        position.turns.to_move = 0;
        position
    }
}

/// Takes a tile from a hand: a known one, else an unknown one that it could be.
fn take_tile(hand: &mut PartialRack, unseen: &mut TileCounts, tile: Tile) -> bool {
    if hand.known.take(tile) {
        return true;
    }
    let could_be = hand.unknown > 0 && unseen.take(tile);
    hand.unknown -= u8::from(could_be);
    could_be
}

/// Why a setup is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// Racks and scores disagree about the number of players.
    Scores {
        /// Racks given.
        racks: usize,
        /// Scores given.
        scores: usize,
    },
    /// Too few or too many players for the rules.
    Players {
        /// How many.
        players: usize,
        /// The fewest and the most.
        limits: (usize, usize),
    },
    /// The board has another size.
    Side {
        /// Rows given.
        rows: u8,
        /// Rows of the board.
        board: u8,
    },
    /// A rack with too many tiles.
    RackSize {
        /// How many.
        tiles: usize,
        /// The most it could be.
        limit: usize,
    },
    /// A tile on a square that cannot be used.
    Unusable(String),
    /// More tiles of a kind than there are.
    TooMany {
        /// Which kind.
        tile: String,
        /// How many there are.
        limit: u8,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SetupError::Scores { racks, scores } => write!(f, "{racks} racks but {scores} scores"),
            SetupError::Players {
                players,
                limits: (fewest, most),
            } => {
                write!(f, "{players} players, the limits are {fewest} and {most}")
            }
            SetupError::Side { rows, board } => write!(f, "{rows} rows, the board has {board}"),
            SetupError::RackSize { tiles, limit } => {
                write!(f, "rack has {tiles} tiles, the limit is {limit}")
            }
            SetupError::Unusable(square) => {
                write!(f, "a tile lies on {square}, which is an unusable square")
            }
            SetupError::TooMany { tile, limit } => {
                write!(f, "too many tiles '{tile}', the tile set has {limit}")
            }
        }
    }
}

impl std::error::Error for SetupError {}
