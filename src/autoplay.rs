//! Whole games from a seed, between contenders of this process.
//!
//! A game has 2 to 4 players. Each of two seats draws from its own end of the bag, each of three or
//! four in an order of its own. So when the players change seats and the same deal is played again,
//! each player gets the draws of the new seat.
//!
//! ```
//! use cazique::autoplay::{PlayerKind, Players, play};
//! use cazique::lexicon::Lexicon;
//! use cazique::movegen::{WordMapRef, Words};
//! use cazique::rules::{Embedded, Library};
//! use cazique::seed::Seed;
//!
//! let rules = Embedded.rules("tournament")?;
//! let (lexicon, _) = Lexicon::embedded(&rules.tiles)?;
//! let players = Players {
//!     rules: &rules,
//!     words: Words { graph: lexicon.graph(), map: WordMapRef::Absent },
//!     each: vec![PlayerKind::Static(None); 2],
//! };
//! let (game, again) = (play(&players, 0, Seed(1)), play(&players, 0, Seed(1)));
//! assert_eq!(game.turns, again.turns);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::board::Grid;
use crate::contender::{
    Choice, ClockUse, Contender, Forfeit, LocalPlayer, SearchEffort, SearchSettings, SeatClock,
    SeatView,
};
use crate::eval::{EvalContext, EvaluatedTurn, Evaluator, IgnoredKnowledge};
use crate::fnv::Fnv;
use crate::lexicon::LeaveValues;
use crate::movegen::{Generator, RackLeaves, Words};
use crate::notation::{cgp::Cgp, moves};
use crate::rules::{Deal, End, MAX_PLAYERS, Position, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Face, Tile, TileCounts};
use crate::units::Points;
use smallvec::SmallVec;
use std::sync::Arc;
use std::time::Instant;

/// The number of turns after which a game is abandoned, because exchanges could go on for ever.
/// Chosen by hand: a game has some 25 turns.
const MAX_TURNS: usize = 400;

/// A list with an item for each seat, which needs no memory of its own.
pub type BySeat<T> = SmallVec<[T; MAX_PLAYERS]>;

/// Two to four players, their rules and their words.
pub struct Players<'a> {
    /// The rules. They must allow this number of players.
    pub rules: &'a RuleSet,
    /// The words.
    pub words: Words<'a>,
    /// How each of them chooses.
    pub each: Vec<PlayerKind<'a>>,
}

/// How a player chooses a move.
#[derive(Clone, Copy)]
pub enum PlayerKind<'a> {
    /// By static evaluation with these leave values.
    Static(Option<&'a LeaveValues>),
    /// By static evaluation with these leave values, without some of its knowledge.
    StaticIgnoring(IgnoredKnowledge, Option<&'a LeaveValues>),
    /// By score and leave value alone: see `Evaluator::by_leaves_alone`.
    ByLeavesAlone(Option<&'a LeaveValues>),
    /// By search.
    Searching(&'a SearchSettings),
}

impl<'a> PlayerKind<'a> {
    fn seat(self, rules: &'a RuleSet) -> Seat<'a> {
        let (evaluator, search) = match self {
            PlayerKind::Static(leaves) => (Evaluator::new(rules, leaves), None),
            PlayerKind::StaticIgnoring(ignored, leaves) => {
                (Evaluator::new(rules, leaves).ignoring(ignored), None)
            }
            PlayerKind::ByLeavesAlone(leaves) => (Evaluator::by_leaves_alone(rules, leaves), None),
            PlayerKind::Searching(settings) => {
                let evaluator = Evaluator::new(rules, settings.data.knowledge().leaves);
                let ignored = IgnoredKnowledge {
                    target: settings.ignores_target,
                    variations: false,
                };
                (evaluator.ignoring(ignored), Some(settings))
            }
        };
        Seat {
            clock: search.and_then(|settings| settings.clock.map(SeatClock::new)),
            player: LocalPlayer {
                evaluator,
                search,
                effort: SearchEffort::default(),
            },
            bingos: 0,
        }
    }
}

/// One seat of a game: its player, its clock and its bingos so far.
#[derive(Clone)]
struct Seat<'a> {
    player: LocalPlayer<'a>,
    clock: Option<SeatClock>,
    bingos: u32,
}

/// A finished game, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The player who moved first, counted from 0. The others followed in order.
    pub first: usize,
    /// The final scores.
    pub scores: BySeat<Points>,
    /// The number of plays that earned a bonus.
    pub bingos: BySeat<u32>,
    /// All turns in order.
    pub turns: Vec<Turn>,
    /// The rack before each turn.
    pub racks: Vec<TileCounts>,
    /// The tiles left on the racks.
    pub left: BySeat<TileCounts>,
    /// Why it is over; `None` if it was forfeited or abandoned, with the scores as they stood.
    pub end: Option<End>,
    /// The seat that forfeited, and why.
    pub forfeit: Option<(usize, Forfeit)>,
    /// The seat that has won, or the seats that share the win in a draw. Empty if the game was
    /// forfeited or abandoned.
    pub winners: BySeat<usize>,
    /// The work of the players that search.
    pub efforts: BySeat<Option<SearchEffort>>,
    /// How the clocks were used, where there were clocks.
    pub clocks: BySeat<Option<ClockUse>>,
}

impl GameResult {
    /// The player on a seat, both counted from 0.
    pub fn player_on(&self, seat: usize) -> usize {
        player_on(seat, self.first, self.scores.len())
    }

    /// The final spread of a seat: its lead over the best of its opponents.
    pub fn spread(&self, seat: usize) -> Points {
        lead_over_best(seat, &self.scores)
    }

    /// A checksum of all turns and scores: games with the same checksum are the same, move for move.
    pub fn signature(&self) -> u64 {
        let mut sum = Fnv::START;
        for turn in &self.turns {
            let tile = |tile: Tile| tile.number() as u8;
            sum = match turn {
                Turn::Place(placement) => {
                    let cells = placement.cells().iter();
                    let cells: SmallVec<[u8; 24]> =
                        cells.map(|cell| cell.map_or(0, Face::to_byte)).collect();
                    let start = placement.start().index() as u16;
                    sum.and(&start.to_le_bytes())
                        .and(&[b'=', placement.axis() as u8])
                        .and(&cells)
                }
                Turn::Exchange(tiles) => {
                    let tiles: SmallVec<[u8; 24]> = tiles.iter().map(tile).collect();
                    sum.and(b"x").and(&tiles)
                }
                Turn::ExchangeUnseen(count) => sum.and(&[b'u', *count]),
                Turn::Pass => sum.and(b"p"),
                turn @ (Turn::Rearrange(_) | Turn::Edited(_)) => {
                    sum.and(format!("{turn:?}").as_bytes())
                }
            };
        }
        let add = |sum: Fnv, score: &Points| sum.and(&score.0.to_le_bytes());
        self.scores.iter().fold(sum, add).sum()
    }
}

/// Plays one game from an empty board. The player with the index `first` moves first, and the others
/// follow in order.
pub fn play(players: &Players, first: usize, seed: Seed) -> GameResult {
    let mut game = SelfPlayGame::new(players, first, seed);
    while !game.is_over() {
        game.play_turn();
    }
    game.finish()
}

/// Every position of `games` games in which player 0 moves first, before the player
/// to move has chosen a turn.
pub fn positions<'a>(players: &Players<'a>, games: u64, seed: Seed) -> Vec<SelfPlayGame<'a>> {
    let mut positions = Vec::new();
    for unit in 0..games {
        let mut game = SelfPlayGame::new(players, 0, seed.for_unit(unit));
        while !game.is_over() {
            positions.push(game.clone());
            game.play_turn();
        }
    }
    positions
}

/// The lead of the best player over the second best when at most `bag` tiles are in the bag for the
/// first time, if nobody searches until then.
pub(crate) fn lead_at(players: &Players, first: usize, seed: Seed, bag: usize) -> Points {
    let mut game = SelfPlayGame::new(players, first, seed);
    while !game.is_over() && game.bag_len() > bag {
        let best = game.best_static();
        game.make_move(&best.turn, best.points);
    }
    let spreads = (0..players.each.len()).map(|seat| game.spread(seat));
    spreads.max().unwrap_or_default().max(Points::ZERO)
}

/// The player on a seat if the player `first` has the first one.
fn player_on(seat: usize, first: usize, players: usize) -> usize {
    (first + seat) % players
}

/// What a seat has more than the best of its opponents.
fn lead_over_best(seat: usize, scores: &[Points]) -> Points {
    let others = scores
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != seat);
    let best = others.map(|(_, score)| *score).max();
    scores[seat] - best.unwrap_or_default()
}

/// A game in progress between two to four contenders.
#[derive(Clone)]
pub struct SelfPlayGame<'a> {
    rules: &'a RuleSet,
    generator: Generator<'a>,
    deal: Deal,
    seed: Seed,
    turns: Vec<Turn>,
    racks: Vec<TileCounts>,
    /// The player who moved first.
    first: usize,
    seats: SmallVec<[Seat<'a>; 2]>,
    /// The position without any racks, if a contender needs it.
    public: Option<Position>,
    forfeit: Option<(usize, Forfeit)>,
}

impl<'a> SelfPlayGame<'a> {
    /// The start of a game: a shuffled bag, full racks, an empty board. The player with the index
    /// `first` moves first, and the others follow in order.
    pub fn new(players: &Players<'a>, first: usize, seed: Seed) -> SelfPlayGame<'a> {
        let (rules, count) = (players.rules, players.each.len());
        let grid = Grid::new(rules.board.side());
        let seat = |seat| players.each[player_on(seat, first, count)].seat(rules);
        let seats: SmallVec<[Seat; 2]> = (0..count).map(seat).collect();
        let start = || {
            let rules = Arc::new(rules.clone());
            Position::start(rules, count).expect("the rules allow this number of players")
        };
        let needs_position = seats.iter().any(|seat| seat.player.needs_position());
        SelfPlayGame {
            rules,
            generator: Generator::new(rules, players.words, &grid),
            deal: Deal::start(rules, count, seed),
            seed,
            turns: Vec::new(),
            racks: Vec::new(),
            first,
            seats,
            public: needs_position.then(start),
            forfeit: None,
        }
    }

    /// The board.
    pub fn generator(&self) -> &Generator<'a> {
        &self.generator
    }

    /// The seat to move.
    pub fn to_move(&self) -> usize {
        self.deal.to_move()
    }

    /// The rack of a seat.
    pub fn rack(&self, seat: usize) -> &TileCounts {
        self.deal.rack(seat)
    }

    /// The spread of a seat so far: its lead over the best of its opponents.
    pub fn spread(&self, seat: usize) -> Points {
        lead_over_best(seat, &self.scores())
    }

    /// The scores so far.
    fn scores(&self) -> BySeat<Points> {
        let seats = 0..self.seats.len();
        seats.map(|seat| self.deal.score(seat)).collect()
    }

    /// The number of tiles in the bag.
    pub fn bag_len(&self) -> usize {
        self.deal.bag_len()
    }

    /// All tiles that are not on the board.
    pub fn tiles_off_board(&self) -> TileCounts {
        self.deal.tiles_off_board()
    }

    /// Whether the game is over, forfeited or abandoned.
    pub fn is_over(&self) -> bool {
        let is_stopped = self.forfeit.is_some() || self.turns.len() >= MAX_TURNS;
        is_stopped || self.deal.end().is_some()
    }

    /// The leave values of every part of the mover's rack, by the mover's evaluation.
    pub fn rack_leaves(&mut self) -> &RackLeaves {
        let (seat, _, context) = self.mover();
        seat.player.evaluator.rack_leaves(&context)
    }

    /// The best move by the mover's static evaluation.
    pub fn best_static(&mut self) -> EvaluatedTurn {
        let (seat, generator, context) = self.mover();
        seat.player.evaluator.best(generator, &context)
    }

    /// Lets the contender to move choose, and makes its move. An illegal move is a forfeit.
    pub fn play_turn(&mut self) {
        match self.choose() {
            Ok((turn, points)) => self.make_move(&turn, points),
            Err(forfeit) => self.forfeit = Some((self.deal.to_move(), forfeit)),
        }
    }

    /// The choice of the contender to move, and its score.
    fn choose(&mut self) -> Result<(Turn, Points), Forfeit> {
        let first = self.generator.is_empty();
        let Seat { player, clock, .. } = &mut self.seats[self.deal.to_move()];
        let mut view = SeatView {
            clock: clock.map(|clock| clock.read()),
            seed: self.seed.for_unit(self.turns.len() as u64),
            board: &mut self.generator,
            context: EvalContext::in_deal(&self.deal, first, self.rules),
            public: self.public.as_ref(),
        };
        let start = Instant::now();
        let choice = player.choose(&mut view)?;
        if let Some(clock) = clock {
            clock.charge(start.elapsed());
        }
        match choice {
            Choice::Static(best) => Ok((best.turn, best.points)),
            Choice::Other(turn) => Ok((turn, legal_score(&turn, view.position())?)),
        }
    }

    /// The seat to move, the board, and what the seat knows.
    fn mover(&mut self) -> (&mut Seat<'a>, &mut Generator<'a>, EvalContext<'_>) {
        let first = self.generator.is_empty();
        let context = EvalContext::in_deal(&self.deal, first, self.rules);
        let seat = &mut self.seats[self.deal.to_move()];
        (seat, &mut self.generator, context)
    }

    fn make_move(&mut self, turn: &Turn, points: Points) {
        let seat = self.deal.to_move();
        self.turns.push(*turn);
        self.racks.push(*self.deal.rack(seat));
        if turn.changes_board() {
            match turn {
                Turn::Place(placement) => self.generator.play_permanently(placement),
                _ => drop(self.generator.play_turn(turn, self.rules)),
            }
            let bonus = self.rules.bonus.get(turn.placed_from_rack());
            let is_bingo = bonus.is_some_and(|bonus| *bonus != Points::ZERO);
            self.seats[seat].bingos += u32::from(is_bingo);
        }
        self.deal.play(turn, points, self.rules);
        if let Some(public) = &mut self.public {
            let scored = public.play(turn).expect("the move was checked");
            debug_assert_eq!((scored, public.bag_len()), (points, self.deal.bag_len()));
        }
    }

    /// The result: the tiles left over change the scores.
    pub fn finish(self) -> GameResult {
        let (seats, outcome) = (0..self.seats.len(), self.deal.outcome(self.rules));
        // The deal does not know of a forfeit, so that such a game has no outcome.
        let (scores, winners) = match &outcome {
            Some(outcome) => (
                outcome.scores.iter().copied().collect(),
                outcome.winners(self.rules).collect(),
            ),
            None => (self.scores(), BySeat::new()),
        };
        let effort = |seat: &Seat| seat.player.search.and(Some(seat.player.effort));
        GameResult {
            first: self.first,
            scores,
            bingos: self.seats.iter().map(|seat| seat.bingos).collect(),
            turns: self.turns,
            racks: self.racks,
            left: seats.map(|seat| *self.deal.rack(seat)).collect(),
            end: self.deal.end(),
            forfeit: self.forfeit,
            winners,
            efforts: self.seats.iter().map(effort).collect(),
            clocks: (self.seats.iter())
                .map(|seat| Some(seat.clock?.usage()))
                .collect(),
        }
    }
}

/// The score of a move that a contender chose, or the forfeit if it is illegal.
fn legal_score(turn: &Turn, position: Option<Position>) -> Result<Points, Forfeit> {
    let Some(position) = position else {
        let reason = "a contender that sees no position chose a move of its own".to_string();
        return Err(Forfeit { reason });
    };
    position.clone().play(turn).map_err(|error| {
        let text = moves::write(turn, position.grid(), &position.rules().tiles);
        let reason = format!("{text} is illegal in {}: {error}", Cgp::of(&position));
        Forfeit { reason }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Mode, SearchRequest};

    #[test]
    fn a_searching_player_knows_nothing_that_is_hidden() {
        let engine = Engine::new().unwrap();
        let settings = SearchSettings {
            data: engine.prepare(Mode::Simulate).unwrap(),
            defaults: engine.options().search.clone(),
            request: SearchRequest {
                mode: Mode::Simulate,
                candidates: Some(5),
                iterations: Some(3),
                ..SearchRequest::default()
            },
            clock: None,
            max_bag: usize::MAX,
            ignores_target: false,
        };
        let players = Players {
            rules: engine.rules(),
            words: settings.data.knowledge().vocabulary.known,
            each: vec![PlayerKind::Searching(&settings); 2],
        };
        let known = |game: &SelfPlayGame| {
            let mut position = game.public.clone().unwrap();
            let seat = game.to_move();
            position.set_rack(seat, *game.rack(seat)).unwrap();
            position
        };
        let mut game = SelfPlayGame::new(&players, 0, Seed(2));
        let mut different_racks = 0;
        while !game.is_over() {
            let (seat, position) = (game.to_move(), known(&game));
            let chosen = game.clone().choose();
            for unit in 0..2 {
                // The same to the seat: only the opponent's rack and the bag are dealt again.
                let mut other = game.clone();
                other.deal = Deal::sample(&position, Seed(unit));
                assert_eq!(other.rack(seat), game.rack(seat));
                different_racks += usize::from(other.rack(1 - seat) != game.rack(1 - seat));
                assert_eq!(known(&other), position);
                assert_eq!(other.choose(), chosen);
            }
            game.play_turn();
        }
        assert!(
            different_racks > 20,
            "only {different_racks} racks differed"
        );
    }

    #[test]
    fn an_illegal_move_is_a_forfeit() {
        let engine = Engine::new().unwrap();
        let position = Position::start(engine.rules().clone(), 2).unwrap();
        let turn = Turn::Exchange(TileCounts::EMPTY);
        let forfeit = legal_score(&turn, Some(position)).unwrap_err();
        assert!(
            forfeit.reason.starts_with("ex. is illegal in "),
            "{}",
            forfeit.reason
        );
    }
}
