//! A position: board, racks as far as they are known, scores and whose turn it is.

use super::RuleSet;
use super::details::{DetailError, SetupDetails};
use super::edits::{self, EditedTurn};
use super::flow::{FlowRules, TurnKind, TurnState};
use super::placement::{self, Placement, PlayError, Turn};
use super::rearrange::Rearrangement;
use super::score::Score;
use super::setup::{Setup, SetupError};
use crate::board::Grid;
use crate::tiles::TileCounts;
use crate::units::Points;
use rand::Rng;
use smallvec::SmallVec;
use std::sync::Arc;

/// A rack as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialRack {
    /// The known tiles.
    pub known: TileCounts,
    /// The number of further tiles, which are unknown.
    pub unknown: u8,
}

impl PartialRack {
    /// The number of tiles, known and unknown.
    pub fn len(&self) -> usize {
        self.known.len() + usize::from(self.unknown)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position that the rules allow. Only [`Position::new`] makes one from outside, so that a search
/// does not have to check it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rules: Arc<RuleSet>,
    grid: Grid,
    /// By seat.
    players: SmallVec<[SeatState; 2]>,
    turns: TurnState,
    /// The tiles neither on the board nor known to be on a rack.
    unseen: TileCounts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeatState {
    rack: PartialRack,
    score: Points,
}

impl Position {
    /// The start of a game: an empty board and full racks of unknown tiles.
    pub fn start(rules: Arc<RuleSet>, players: usize) -> Result<Position, SetupError> {
        Position::start_with(rules, players, 0)
    }

    /// The start of a game in which the player on `first` moves first.
    pub fn start_with(
        rules: Arc<RuleSet>,
        players: usize,
        first: usize,
    ) -> Result<Position, SetupError> {
        let setup = Setup {
            grid: Grid::new(rules.board.side()),
            racks: vec![TileCounts::EMPTY; players],
            scores: vec![Points::ZERO; players],
            scoreless_turns: 0,
            details: SetupDetails {
                to_move: first,
                ..SetupDetails::default()
            },
        };
        Position::new(rules, setup)
    }

    /// Checks a setup against the rules.
    pub fn new(rules: Arc<RuleSet>, setup: Setup) -> Result<Position, SetupError> {
        let unseen = setup.unseen(&rules)?;
        let player = |(known, score): (&TileCounts, Points)| SeatState {
            rack: PartialRack {
                known: *known,
                unknown: 0,
            },
            score,
        };
        let flow = FlowRules::new(&rules, setup.racks.len());
        let known: Vec<usize> = setup.racks.iter().map(TileCounts::len).collect();
        let details = setup.details;
        details.check_unknown_tiles(&known, unseen.len(), rules.rack_size)?;
        let turns = details.turn_state(flow, known.len(), setup.scoreless_turns)?;
        let mut players: SmallVec<_> = setup.racks.iter().zip(setup.scores).map(player).collect();
        players.rotate_right(turns.to_move);
        let mut position = Position {
            rules,
            grid: setup.grid,
            players,
            turns,
            unseen,
        };
        let unknown = details.unknown_tiles;
        let unknown = unknown.unwrap_or_else(|| position.assumed_unknown_tiles());
        for (seat, unknown) in position.turn_order().zip(unknown) {
            position.players[seat].rack.unknown = unknown;
        }
        match position.lost_turns(turns.to_move) > 0 && position.end().is_none() {
            true => Err(DetailError::OwedByMover.into()),
            false => Ok(position),
        }
    }

    /// The number of unknown tiles on each rack, the player to move first, if a setup does not state
    /// it. Every rack is filled, one tile for each rack in turn. If too few tiles are unseen, racks
    /// without known tiles come first. A known rack of the player to move is complete.
    pub(super) fn assumed_unknown_tiles(&self) -> Vec<u8> {
        let racks = self.turn_order().map(|seat| self.players[seat].rack.known);
        let known: SmallVec<[usize; 4]> = racks.map(|known| known.len()).collect();
        let mut unknown = vec![0; known.len()];
        let mut left = self.unseen.len();
        for is_unknown in [true, false] {
            for _ in 0..self.rules.rack_size {
                for (after, &known) in known.iter().enumerate() {
                    let gets_tiles = (known == 0) == is_unknown && (after > 0 || is_unknown);
                    let held = known + usize::from(unknown[after]);
                    if gets_tiles && left > 0 && held < self.rules.rack_size {
                        unknown[after] += 1;
                        left -= 1;
                    }
                }
            }
        }
        unknown
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The tiles on the board.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of players.
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// The seat to move, from 0.
    pub fn to_move(&self) -> usize {
        self.turns.to_move
    }

    /// The seats in turn order, from the seat to move. Lost turns are not considered.
    pub fn turn_order(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let (first, players) = (self.to_move(), self.players.len());
        (0..players).map(move |after| (first + after) % players)
    }

    /// The rack of the player on `seat`.
    pub fn rack(&self, seat: usize) -> &PartialRack {
        &self.players[seat].rack
    }

    /// The rack of the player to move.
    pub fn mover_rack(&self) -> &PartialRack {
        &self.players[self.to_move()].rack
    }

    /// The score of the player on `seat`.
    pub fn score(&self, seat: usize) -> Points {
        self.players[seat].score
    }

    /// The scoreless turns in a row just before this position, as the rules count them: see
    /// [`ScorelessLimit`](super::ScorelessLimit).
    pub fn scoreless_turns(&self) -> u8 {
        self.flow_rules().stated_count(self.turns.scoreless)
    }

    /// The tiles neither on the board nor known to be on a rack.
    pub fn unseen(&self) -> &TileCounts {
        &self.unseen
    }

    /// The number of tiles in the bag: the unseen tiles without the unknown tiles on racks.
    pub fn bag_len(&self) -> usize {
        let held: usize = self
            .players
            .iter()
            .map(|player| usize::from(player.rack.unknown))
            .sum();
        self.unseen.len().saturating_sub(held)
    }

    /// Sets the whole rack of `seat`.
    pub fn set_rack(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        self.replace_rack(seat, tiles, 0)
    }

    /// Makes the rack of `seat` unknown; its size stays.
    pub fn forget_rack(&mut self, seat: usize) {
        let rack = &mut self.players[seat].rack;
        let unknown = rack.len() as u8;
        self.unseen.add_all(&rack.known);
        *rack = PartialRack {
            known: TileCounts::EMPTY,
            unknown,
        };
    }

    /// Sets the known tiles of the rack of `seat`; its size stays.
    pub fn set_known_tiles(&mut self, seat: usize, tiles: TileCounts) -> Result<(), SetupError> {
        let held = self.players[seat].rack.len();
        let unknown = held.checked_sub(tiles.len()).ok_or(SetupError::RackSize {
            tiles: tiles.len(),
            limit: held,
        })?;
        self.replace_rack(seat, tiles, unknown as u8)
    }

    fn replace_rack(
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
        if unseen.take_all(&tiles).is_err() {
            let surplus = tiles.lacking_in(&unseen);
            let kinds = surplus.kinds().map(|(tile, _)| tile);
            return Err(SetupError::too_many(&self.rules, kinds));
        }
        self.unseen = unseen;
        self.players[seat].rack = PartialRack {
            known: tiles,
            unknown,
        };
        // If the unseen tiles no longer suffice, the racks last in turn order get fewer.
        let mut left = self.unseen.len();
        for seat in self.turn_order() {
            let rack = &mut self.players[seat].rack;
            rack.unknown = rack.unknown.min(left.min(u8::MAX.into()) as u8);
            left -= usize::from(rack.unknown);
        }
        Ok(())
    }

    /// Draws the unknown tiles of every rack at random, so that all racks are known.
    pub fn deal_unknown(&mut self, rng: &mut impl Rng) {
        for player in &mut self.players {
            let drawn = self.unseen.draw(player.rack.unknown.into(), rng);
            player.rack.known.add_all(&drawn);
            player.rack.unknown = 0;
        }
    }

    /// The words and score of a placement by the player to move, or why it is not legal.
    pub fn examine(&self, placement: &Placement) -> Result<Score, PlayError> {
        self.examine_turn(&Turn::Place(*placement))
    }

    /// The words and score of a turn of the player to move that changes the board, or why it is not
    /// legal. Exchanges and passes form no words and score nothing.
    pub fn examine_turn(&self, turn: &Turn) -> Result<Score, PlayError> {
        let score = self.examine_without_rack(turn)?;
        self.take_from_rack(&turn.tiles_from_rack())?;
        Ok(score)
    }

    /// [`Position::examine_turn`], whoever holds the tiles.
    pub fn examine_without_rack(&self, turn: &Turn) -> Result<Score, PlayError> {
        let (rules, (edits, main)) = (&self.rules, turn.parts());
        if edits.is_empty() {
            return examine_main(rules, &self.grid, &main);
        }
        let edit_words = edits::examine(rules, &self.grid, &edits)?;
        let mut score = examine_main(rules, &edits.board_after(&self.grid), &main)?;
        score.edit_words = edit_words;
        Ok(score)
    }

    /// The tiles of a turn that the player to move cannot have.
    pub fn missing_tiles(&self, turn: &Turn) -> TileCounts {
        self.without_tiles(&turn.tiles_from_rack()).2
    }

    /// Whether the player to move may exchange this number of tiles.
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

    /// Takes a turn, goes on to the next player and returns the points of the turn. On an error
    /// nothing changes.
    pub fn play(&mut self, turn: &Turn) -> Result<Points, PlayError> {
        if self.end().is_some() {
            return Err(PlayError::GameOver);
        }
        let points = match turn {
            Turn::Place(placement) => self.place(placement)?,
            Turn::Exchange(tiles) => self.exchange(tiles)?,
            Turn::ExchangeUnseen(count) => self.exchange_unseen(*count)?,
            Turn::Pass => Points::ZERO,
            Turn::Rearrange(rearrangement) => self.rearrange(rearrangement)?,
            Turn::Edited(edited) => self.edit(edited)?,
        };
        let seat = self.to_move();
        self.players[seat].score += points;
        self.finish_turn(points, turn.is_pass());
        Ok(points)
    }

    fn rearrange(&mut self, rearrangement: &Rearrangement) -> Result<Points, PlayError> {
        let turn = Turn::Rearrange(*rearrangement);
        let points = self.examine_turn(&turn)?.total();
        let (rack, unseen) = self.take_from_rack(&rearrangement.tiles())?;
        (self.players[self.turns.to_move].rack, self.unseen) = (rack, unseen);
        for (square, face) in rearrangement.word().placed_tiles(self.grid.side()) {
            self.grid.set(square, Some(face));
        }
        self.refill();
        Ok(points)
    }

    /// Makes the edits and the main action of a turn, all or nothing.
    fn edit(&mut self, edited: &EditedTurn) -> Result<Points, PlayError> {
        edits::examine(&self.rules, &self.grid, edited.edits())?;
        let mut next = self.clone();
        for edit in edited.edits().iter() {
            let taken = TileCounts::from_iter([edit.new.tile()]);
            let (mut rack, unseen) = next.take_from_rack(&taken)?;
            rack.known.add(edit.old.tile());
            (next.players[next.turns.to_move].rack, next.unseen) = (rack, unseen);
            next.grid.set(edit.square, Some(edit.new));
        }
        let points = match edited.main() {
            Turn::Place(placement) => next.place(&placement)?,
            Turn::Rearrange(rearrangement) => next.rearrange(&rearrangement)?,
            Turn::Exchange(tiles) => next.exchange(&tiles)?,
            Turn::ExchangeUnseen(count) => next.exchange_unseen(count)?,
            Turn::Pass | Turn::Edited(_) => Points::ZERO,
        };
        *self = next;
        Ok(points)
    }

    fn place(&mut self, placement: &Placement) -> Result<Points, PlayError> {
        let points = self.examine(placement)?.total();
        let (rack, unseen) = self.take_from_rack(&placement.tiles())?;
        (self.players[self.turns.to_move].rack, self.unseen) = (rack, unseen);
        for (square, face) in placement.placed_tiles(self.grid.side()) {
            self.grid.set(square, Some(face));
        }
        self.refill();
        Ok(points)
    }

    fn exchange(&mut self, tiles: &TileCounts) -> Result<Points, PlayError> {
        self.check_exchange(tiles.len())?;
        let (rack, unseen) = self.take_from_rack(tiles)?;
        (self.players[self.turns.to_move].rack, self.unseen) = (rack, unseen);
        // New tiles are drawn before the old ones go into the bag.
        let drawn = tiles.len() as u8;
        self.players[self.turns.to_move].rack.unknown += drawn;
        self.unseen.add_all(tiles);
        Ok(Points::ZERO)
    }

    /// Exchanges unknown tiles. Nothing is known of the rack afterwards.
    fn exchange_unseen(&mut self, count: u8) -> Result<Points, PlayError> {
        self.check_exchange(count.into())?;
        self.forget_rack(self.turns.to_move);
        Ok(Points::ZERO)
    }

    /// The rack of the player to move and the unseen tiles, both without `tiles`; and those of them
    /// that this player cannot have. Known tiles are taken before unknown ones.
    fn without_tiles(&self, tiles: &TileCounts) -> (PartialRack, TileCounts, TileCounts) {
        let (mut rack, mut unseen) = (*self.mover_rack(), self.unseen);
        let mut missing = TileCounts::EMPTY;
        for tile in tiles.iter() {
            if rack.known.take(tile) {
                continue;
            }
            if rack.unknown > 0 && unseen.take(tile) {
                rack.unknown -= 1;
            } else {
                missing.add(tile);
            }
        }
        (rack, unseen, missing)
    }

    /// The rack of the player to move and the unseen tiles, both without `tiles`.
    fn take_from_rack(&self, tiles: &TileCounts) -> Result<(PartialRack, TileCounts), PlayError> {
        let (rack, unseen, missing) = self.without_tiles(tiles);
        match missing.is_empty() {
            true => Ok((rack, unseen)),
            false => Err(PlayError::NotHeld {
                tiles: self.rules.tiles.tiles_text(&missing),
                rack: self.rules.tiles.tiles_text(&self.mover_rack().known),
            }),
        }
    }

    fn refill(&mut self) {
        let bag = self.bag_len();
        let rack = &mut self.players[self.turns.to_move].rack;
        rack.unknown += self.rules.rack_size.saturating_sub(rack.len()).min(bag) as u8;
    }

    pub(super) fn flow_rules(&self) -> FlowRules {
        FlowRules::new(&self.rules, self.players.len())
    }

    /// Counts the turn just taken and goes on to the next player.
    fn finish_turn(&mut self, points: Points, is_pass: bool) {
        let kind = TurnKind::new(points, is_pass, self.grid.is_empty());
        self.turns.count_turn(self.flow_rules(), kind);
        self.turns.advance(self.flow_rules(), self.end().is_some());
    }

    /// Whose turn it is, scoreless turns and lost turns.
    pub(crate) fn turn_state(&self) -> TurnState {
        self.turns
    }

    /// The turns that the player on `seat` still has to miss.
    pub fn lost_turns(&self, seat: usize) -> u8 {
        self.turns.lost_turns[seat]
    }

    /// Adds points to a score outside a turn: challenge bonuses, time penalties.
    pub(super) fn adjust_score(&mut self, seat: usize, points: Points) {
        self.players[seat].score += points;
    }

    /// Makes the player on `seat` miss turns later.
    pub(super) fn add_lost_turns(&mut self, seat: usize, turns: u8) {
        let lost_turns = &mut self.turns.lost_turns[seat];
        *lost_turns = lost_turns.saturating_add(turns);
    }

    /// Makes the player on `seat` miss turns, at once if that player is to move.
    pub(super) fn lose_turns(&mut self, seat: usize, turns: u8) {
        self.add_lost_turns(seat, turns);
        if seat == self.to_move() {
            // Step back to the seat before, so that going on skips this one.
            self.turns.to_move = (seat + self.players.len() - 1) % self.players.len();
            self.turns.advance(self.flow_rules(), self.end().is_some());
        }
    }

    /// The same position by rules without target scores, for players who ignore them.
    #[must_use]
    pub fn without_targets(&self) -> Position {
        Position {
            rules: Arc::new(self.rules.without_targets()),
            ..self.clone()
        }
    }

    /// The position in which the player to move loses the turn: a pass counts as a lost turn. For
    /// searches of that pass, which see the position before it as this player does.
    pub(crate) fn with_turn_to_lose(&self) -> Position {
        let mut position = self.clone();
        position.turns.scoreless.next_is_lost = true;
        position
    }

    /// Ends the turn of a play that comes off: it scores nothing, and the tiles that it put on the
    /// board are known now.
    pub(super) fn lose_play(&mut self, turn: &Turn) -> Result<(), PlayError> {
        let shown = turn.tiles_shown();
        let (mut rack, unseen) = self.take_from_rack(&shown)?;
        rack.known.add_all(&shown);
        (self.players[self.turns.to_move].rack, self.unseen) = (rack, unseen);
        self.finish_turn(Points::ZERO, false);
        Ok(())
    }

    /// The position with another board. Racks and unseen tiles stay, so that it serves only to read
    /// moves on that board.
    pub(crate) fn with_board(&self, grid: Grid) -> Position {
        Position {
            grid,
            ..self.clone()
        }
    }
}

/// The words and score of a turn without edits on a board.
fn examine_main(rules: &RuleSet, grid: &Grid, main: &Turn) -> Result<Score, PlayError> {
    match main {
        Turn::Place(placement) => placement::examine(rules, grid, placement),
        Turn::Rearrange(rearrangement) => {
            // The board decides which tiles come from the rack.
            let found = Rearrangement::new(rules, grid, rearrangement.word())?;
            match found == *rearrangement {
                true => Ok(found.score(rules, grid)),
                false => Err(PlayError::TilesOfWordLeft),
            }
        }
        Turn::Exchange(_) | Turn::ExchangeUnseen(_) | Turn::Pass | Turn::Edited(_) => {
            Ok(Score::default())
        }
    }
}
