//! What a setup can say beyond board, racks, scores and one number of scoreless turns: the seat of
//! the player to move, turns still to be lost, who has passed, and how many tiles of a rack are
//! unknown. These parts usually follow from the others; a setup states them where they do not.

use super::flow::{FlowRules, ScorelessRun, TurnState};
use super::{ChallengeRule, End, MAX_PLAYERS, Position};
use thiserror::Error;

/// The parts of a setup that usually follow from the others. The default is what follows. Lists
/// start with the player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetupDetails {
    /// The seat of the player to move, from 0.
    pub to_move: usize,
    /// The turns that each player still has to miss. Without it, none.
    pub owed_turns: Option<Vec<u8>>,
    /// The scoreless turns in a row. Without it, they follow from their number.
    pub scoreless: Option<StatedScoreless>,
    /// The number of unknown tiles on each rack. Without it, racks are filled up as
    /// [`Setup`](super::Setup) says.
    pub unknown_tiles: Option<Vec<u8>>,
}

/// The scoreless turns in a row just before a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedScoreless {
    /// Their number: passes, exchanges, plays for 0 points and lost turns.
    pub turns: u8,
    /// Whether each player, from the player to move on, has passed since the last other turn. Only
    /// counted where a round of passes ends the game.
    pub has_passed: Vec<bool>,
}

impl SetupDetails {
    /// Whose turn it is, if the setup also states this number of scoreless turns.
    pub(super) fn turn_state(
        &self,
        flow: FlowRules,
        players: usize,
        zeros: u8,
    ) -> Result<TurnState, DetailError> {
        let to_move = self.to_move;
        if to_move >= players {
            let seat = to_move + 1;
            return Err(DetailError::Seat { seat, players });
        }
        let mut lost_turns = [0; MAX_PLAYERS];
        if let Some(owed) = &self.owed_turns {
            check_length("owed", owed.len(), players)?;
            for (after, &turns) in owed.iter().enumerate() {
                lost_turns[(to_move + after) % players] = turns;
            }
        }
        let scoreless = match &self.scoreless {
            None => flow.stated_run(zeros, to_move),
            Some(stated) => stated.run(flow, players, to_move, zeros)?,
        };
        Ok(TurnState {
            to_move,
            scoreless,
            lost_turns,
        })
    }

    /// Checks that the stated numbers of unknown tiles fit the racks, of which these numbers of
    /// tiles are known, and the number of unseen tiles.
    pub(super) fn check_unknown_tiles(
        &self,
        known: &[usize],
        unseen: usize,
        limit: usize,
    ) -> Result<(), DetailError> {
        let Some(unknown) = &self.unknown_tiles else {
            return Ok(());
        };
        check_length("unknown", unknown.len(), known.len())?;
        let sizes = unknown.iter().zip(known);
        let mut sizes = sizes.map(|(&unknown, known)| usize::from(unknown) + known);
        if let Some(tiles) = sizes.find(|&tiles| tiles > limit) {
            return Err(DetailError::RackSize { tiles, limit });
        }
        let tiles = unknown.iter().copied().map(usize::from).sum();
        match tiles > unseen {
            true => Err(DetailError::Unseen { tiles, unseen }),
            false => Ok(()),
        }
    }
}

impl StatedScoreless {
    fn run(
        &self,
        flow: FlowRules,
        players: usize,
        to_move: usize,
        zeros: u8,
    ) -> Result<ScorelessRun, DetailError> {
        check_length("scoreless", self.has_passed.len(), players)?;
        let passed = self.has_passed.iter().enumerate();
        let passed = passed.filter(|(_, has_passed)| **has_passed);
        let run = ScorelessRun {
            turns: self.turns,
            passed: passed.fold(0, |all, (after, _)| {
                all | 1 << ((to_move + after) % players)
            }),
            next_is_lost: false,
        };
        match flow.is_possible_run(run) && flow.stated_count(run) == zeros {
            true => Ok(run),
            false => Err(DetailError::Scoreless { zeros }),
        }
    }
}

impl Position {
    /// What a setup of this position has to state, because it does not follow from the rest.
    pub fn details(&self) -> SetupDetails {
        let (flow, state) = (self.flow_rules(), self.turn_state());
        let owed = self.turn_order().map(|seat| state.lost_turns[seat]);
        let owed: Vec<u8> = owed.collect();
        let unknown = self.turn_order().map(|seat| self.rack(seat).unknown);
        let unknown: Vec<u8> = unknown.collect();
        let run = state.scoreless;
        let follows = flow.stated_run(flow.stated_count(run), state.to_move) == run;
        let has_passed = |seat: usize| run.passed >> seat & 1 == 1;
        SetupDetails {
            to_move: state.to_move,
            owed_turns: owed.iter().any(|&turns| turns > 0).then_some(owed),
            scoreless: (!follows).then(|| StatedScoreless {
                turns: run.turns,
                has_passed: self.turn_order().map(has_passed).collect(),
            }),
            unknown_tiles: (unknown != self.assumed_unknown_tiles()).then_some(unknown),
        }
    }

    /// Checks that a game in this position can be over for this reason.
    pub(super) fn check_end(&self, end: End) -> Result<(), DetailError> {
        let players = self.player_count();
        if let Some(seat) = end.seat().filter(|&seat| seat >= players) {
            let seat = seat + 1;
            return Err(DetailError::EndSeat { seat, players });
        }
        let can_be = match end {
            End::Out(seat) => self.bag_len() == 0 && self.rack(seat).is_empty(),
            End::Scoreless => {
                let run = self.turn_state().scoreless;
                self.flow_rules().is_scoreless_end(run)
            }
            // The player may have lost points for time since.
            End::Target(seat) => self.rules().target(seat, players).is_some(),
            End::Forfeit(_) => self.rules().challenge == ChallengeRule::Triple,
        };
        match can_be {
            true => Ok(()),
            false => Err(DetailError::End(end.name())),
        }
    }
}

fn check_length(what: &'static str, numbers: usize, players: usize) -> Result<(), DetailError> {
    match numbers == players {
        true => Ok(()),
        false => Err(DetailError::Length {
            what,
            numbers,
            players,
        }),
    }
}

/// Why a detail of a setup contradicts the rest of it. The first word is the opcode that states the
/// detail in CGP.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DetailError {
    /// A player to move on a seat that does not exist.
    #[error("seat is {seat}, the game has {players} players")]
    Seat {
        /// The seat, from 1.
        seat: usize,
        /// The number of players.
        players: usize,
    },
    /// A list with too few or too many numbers.
    #[error("{what} has {numbers} numbers, the game has {players} players")]
    Length {
        /// The opcode.
        what: &'static str,
        /// The numbers in the list.
        numbers: usize,
        /// The number of players.
        players: usize,
    },
    /// The player to move has to miss a turn, although the game goes on.
    #[error("owed: the player to move cannot have a turn to miss, the first number must be 0")]
    OwedByMover,
    /// The scoreless turns contradict their number, or cannot come about under the rules.
    #[error(
        "scoreless contradicts the field zeros, which is {zeros}, or the key zero_turns of the rules"
    )]
    Scoreless {
        /// The number of scoreless turns that the setup states.
        zeros: u8,
    },
    /// A rack with too many tiles.
    #[error("unknown: a rack would have {tiles} tiles, the limit is {limit}")]
    RackSize {
        /// The tiles on the rack, known and unknown.
        tiles: usize,
        /// The most tiles allowed.
        limit: usize,
    },
    /// More unknown tiles on racks than are unseen.
    #[error("unknown has {tiles} tiles in all, {unseen} are unseen")]
    Unseen {
        /// The unknown tiles of all racks.
        tiles: usize,
        /// The unseen tiles.
        unseen: usize,
    },
    /// A seat that ended the game and does not exist.
    #[error("over names seat {seat}, the game has {players} players")]
    EndSeat {
        /// The seat, from 1.
        seat: usize,
        /// The number of players.
        players: usize,
    },
    /// A reason for the end that the position or the rules exclude.
    #[error("over {0} is not possible in this position under these rules")]
    End(&'static str),
}
