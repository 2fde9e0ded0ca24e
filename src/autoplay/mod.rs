//! Whole games from a seed, by static players or by those who search.
//!
//! Each of two seats draws from its own end of the bag, so that in a mirrored
//! pair, where the players swap seats, both get the same luck.

mod searcher;

pub use searcher::{ClockUse, Effort, Searcher};

use crate::board::Grid;
use crate::eval::{EvalContext, EvaluatedTurn, Evaluator};
use crate::fnv::Fnv;
use crate::lexicon::LeaveValues;
use crate::movegen::{Generator, RackLeaves, Words};
use crate::notation::{cgp::Cgp, moves};
use crate::rules::{Deal, End, Position, RuleSet, Turn};
use crate::seed::Seed;
use crate::tiles::{Face, Tile, TileCounts};
use crate::units::Points;
use searcher::Seated;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// Turns after which a game is given up: exchanges could go on for ever.
const MAX_TURNS: usize = 400;

/// Two players and what they play by.
pub struct Players<'a> {
    /// The rules; of two players, whatever else they allow.
    pub rules: &'a RuleSet,
    /// The words.
    pub words: Words<'a>,
    /// How each of them chooses.
    pub each: [Player<'a>; 2],
}

/// How a player chooses a turn.
#[derive(Clone, Copy)]
pub enum Player<'a> {
    /// What is worth most without search, by these leave values.
    Static(Option<&'a LeaveValues>),
    /// Likewise, by leaves alone: see [`Evaluator::by_leaves_alone`].
    ByLeavesAlone(Option<&'a LeaveValues>),
    /// What a search finds.
    Searching(&'a Searcher),
}

impl<'a> Player<'a> {
    /// What it thinks of turns without search.
    fn evaluator(self, rules: &'a RuleSet) -> Evaluator<'a> {
        match self {
            Player::Static(leaves) => Evaluator::new(rules, leaves),
            Player::ByLeavesAlone(leaves) => Evaluator::by_leaves_alone(rules, leaves),
            Player::Searching(searcher) => Evaluator::new(rules, searcher.data.knowledge().leaves),
        }
    }

    fn seated(self) -> Option<Seated<'a>> {
        match self {
            Player::Searching(searcher) => Some(Seated::new(searcher)),
            _ => None,
        }
    }
}

/// A finished game, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The final scores.
    pub scores: [Points; 2],
    /// Plays that earned a bonus.
    pub bonuses: [u32; 2],
    /// All turns in order.
    pub turns: Vec<Turn>,
    /// The racks before each turn.
    pub racks: Vec<TileCounts>,
    /// What is left on the racks.
    pub left: [TileCounts; 2],
    /// Why it is over; `None` if it was given up after many turns, with the scores as they stood.
    pub end: Option<End>,
    /// The seat that has won; `None` for a draw.
    pub winner: Option<usize>,
    /// What those who search have spent.
    pub efforts: [Option<Effort>; 2],
}

impl GameResult {
    /// How far the seat is ahead.
    pub fn spread(&self, seat: usize) -> Points {
        self.scores[seat] - self.scores[1 - seat]
    }

    /// A number for all turns and scores: games with the same one are the same, move for move.
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
            };
        }
        let scores = self.scores.map(|score| score.0.to_le_bytes());
        sum.and(scores.as_flattened()).sum()
    }
}

/// Plays one game; `seats` says which player sits where. It starts from an empty board.
pub fn play(players: &Players, seats: [usize; 2], seed: Seed) -> GameResult {
    let mut table = Table::new(players, seats, seed);
    while !table.is_over() {
        table.turn();
    }
    table.finish()
}

/// By how much the one who leads does so when at most `bag` tiles are in the bag for the first time; until then nobody searches.
pub fn lead_at(players: &Players, seats: [usize; 2], seed: Seed, bag: usize) -> Points {
    let mut table = Table::new(players, seats, seed);
    while !table.is_over() && table.bag_len() > bag {
        let best = table.best();
        table.take(&best.turn, best.points);
    }
    Points(table.spread(0).0.abs())
}

/// A game that is being played, turn by turn, by two players who can place any tiles they hold.
#[derive(Clone)]
pub struct Table<'a> {
    rules: &'a RuleSet,
    generator: Generator<'a>,
    evaluators: [Evaluator<'a>; 2],
    deal: Deal,
    seed: Seed,
    bonuses: [u32; 2],
    turns: Vec<Turn>,
    racks: Vec<TileCounts>,
    /// Those who search, by seat.
    seated: [Option<Seated<'a>>; 2],
    /// What everybody sees, if somebody searches.
    seen: Option<Position>,
}

impl<'a> Table<'a> {
    /// The start of a game: a shuffled bag, two racks, an empty board.
    pub fn new(players: &Players<'a>, seats: [usize; 2], seed: Seed) -> Table<'a> {
        let rules = players.rules;
        let grid = Grid::new(rules.board.side());
        let seated = seats.map(|player| players.each[player].seated());
        let start = || {
            let rules = Arc::new(rules.clone());
            Position::start(rules, 2).expect("the rules are for two players")
        };
        let searches = seated.iter().any(Option::is_some);
        Table {
            rules,
            generator: Generator::new(rules, players.words, &grid),
            evaluators: seats.map(|player| players.each[player].evaluator(rules)),
            deal: Deal::start(rules, 2, seed),
            seed,
            bonuses: [0; 2],
            turns: Vec::new(),
            racks: Vec::new(),
            seen: searches.then(start),
            seated,
        }
    }

    /// The board.
    pub fn generator(&self) -> &Generator<'a> {
        &self.generator
    }

    /// The seat whose turn it is.
    pub fn seat(&self) -> usize {
        self.deal.to_move()
    }

    /// What the player on a seat holds.
    pub fn rack(&self, seat: usize) -> &TileCounts {
        self.deal.rack(seat)
    }

    /// How far the player on a seat is ahead so far.
    pub fn spread(&self, seat: usize) -> Points {
        self.deal.score(seat) - self.deal.score(1 - seat)
    }

    /// The tiles in the bag, as a number.
    pub fn bag_len(&self) -> usize {
        self.deal.bag_len()
    }

    /// All tiles that do not lie on the board.
    pub fn unplaced(&self) -> TileCounts {
        self.deal.tiles_off_board()
    }

    /// Whether the last turn was taken.
    pub fn is_over(&self) -> bool {
        self.deal.end().is_some() || self.turns.len() >= MAX_TURNS
    }

    /// What the player on turn thinks that parts of the rack are worth.
    pub fn rack_leaves(&mut self) -> &RackLeaves {
        let (evaluator, _, context) = self.view();
        evaluator.rack_leaves(&context)
    }

    /// The turn that the player on turn likes best without search.
    pub fn best(&mut self) -> EvaluatedTurn {
        let (evaluator, generator, context) = self.view();
        evaluator.best(generator, &context)
    }

    /// Takes the turn that the player on turn chooses.
    pub fn turn(&mut self) {
        let (turn, points) = self.search().unwrap_or_else(|| {
            let best = self.best();
            (best.turn, best.points)
        });
        self.take(&turn, points);
    }

    /// What the player on turn finds, if it is one who searches, and its
    /// points. The rules, which do not know how it was found, must allow it.
    fn search(&mut self) -> Option<(Turn, Points)> {
        let position = self.known()?;
        let seed = self.seed.for_unit(self.turns.len() as u64);
        let seated = self.seated[self.deal.to_move()].as_mut()?;
        let turn = seated.think(&position, seed);
        match position.clone().play(&turn) {
            Ok(points) => Some((turn, points)),
            Err(error) => {
                let turn = moves::write(&turn, position.grid(), &self.rules.tiles);
                panic!("{turn} was chosen in {}: {error}", Cgp::of(&position))
            }
        }
    }

    /// What the player on turn knows, if it is one who searches now: what everybody sees, and the own rack.
    fn known(&self) -> Option<Position> {
        let seat = self.deal.to_move();
        let bag = self.deal.bag_len();
        self.seated[seat].as_ref().filter(|own| own.searches(bag))?;
        let mut position = self.seen.clone()?;
        position
            .set_rack(seat, *self.deal.rack(seat))
            .expect("a rack is of tiles that nobody sees");
        Some(position)
    }

    /// The player on turn, the board, and what the player knows.
    fn view(&mut self) -> (&mut Evaluator<'a>, &mut Generator<'a>, EvalContext<'_>) {
        let seat = self.deal.to_move();
        let first = self.generator.is_empty();
        let context = EvalContext::in_deal(&self.deal, first, self.rules);
        (&mut self.evaluators[seat], &mut self.generator, context)
    }

    fn take(&mut self, turn: &Turn, points: Points) {
        let seat = self.deal.to_move();
        self.turns.push(*turn);
        self.racks.push(*self.deal.rack(seat));
        if let Turn::Place(placement) = turn {
            self.generator.play_permanently(placement);
            let bonus = self.rules.bonus.get(placement.faces().count());
            self.bonuses[seat] += u32::from(bonus.is_some_and(|bonus| *bonus != Points::ZERO));
        }
        self.deal.play(turn, points, self.rules);
        if let Some(seen) = &mut self.seen {
            let scored = seen.play(turn).expect("turns follow the rules");
            debug_assert_eq!((scored, seen.bag_len()), (points, self.deal.bag_len()));
        }
    }

    /// The result: the tiles left over change the scores.
    pub fn finish(self) -> GameResult {
        let by_seat = |score: &dyn Fn(usize) -> Points| [score(0), score(1)];
        let before = by_seat(&|seat| self.deal.score(seat));
        let outcome = self.deal.outcome(self.rules);
        let (scores, winner) = match &outcome {
            Some(outcome) => (by_seat(&|seat| outcome.scores[seat]), outcome.winner),
            None => (before, ahead(before)),
        };
        GameResult {
            scores,
            bonuses: self.bonuses,
            turns: self.turns,
            racks: self.racks,
            left: [*self.deal.rack(0), *self.deal.rack(1)],
            end: self.deal.end(),
            winner,
            efforts: self.seated.map(|seated| Some(seated?.effort)),
        }
    }
}

/// The seat that leads in a game that was given up.
fn ahead(scores: [Points; 2]) -> Option<usize> {
    match scores[0].cmp(&scores[1]) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Mode, SearchRequest};

    #[test]
    fn a_searching_player_knows_nothing_that_is_hidden() {
        let engine = Engine::new().unwrap();
        let searcher = Searcher {
            data: engine.prepare(Mode::Simulate).unwrap(),
            defaults: engine.options().search_defaults(),
            request: SearchRequest {
                mode: Mode::Simulate,
                candidates: Some(5),
                iterations: Some(3),
                ..SearchRequest::default()
            },
            clock: None,
            from: usize::MAX,
        };
        let players = Players {
            rules: engine.rules(),
            words: searcher.data.knowledge().words,
            each: [Player::Searching(&searcher); 2],
        };
        let mut table = Table::new(&players, [0, 1], Seed(2));
        let mut hidden = 0;
        while !table.is_over() {
            let (seat, known) = (table.seat(), table.known().unwrap());
            let chosen = table.clone().search();
            for unit in 0..2 {
                // The same for this player: the other's rack and the bag are dealt anew.
                let mut other = table.clone();
                other.deal = Deal::sample(&known, Seed(unit));
                assert_eq!(other.rack(seat), table.rack(seat));
                hidden += usize::from(other.rack(1 - seat) != table.rack(1 - seat));
                assert_eq!(other.known().unwrap(), known);
                assert_eq!(other.search(), chosen);
            }
            table.turn();
        }
        assert!(hidden > 20, "{hidden} racks were another");
    }
}
