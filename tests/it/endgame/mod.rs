//! The endgame solvers against their plain twin, on random endgames of few tiles. Endgames of
//! three and four players are here, those of two in `two`.

mod two;

use crate::support::{lexicon, no_limit, rules, variation};
use cazique::board::Grid;
use cazique::eval::EquityBreakdown;
use cazique::lexicon::{Graph, WordList};
use cazique::movegen::{
    Generator, LaneGenerator, LanePlay, RackLeaves, RackSubset, Words, plain as plain_plays,
};
use cazique::rules::{Deal, Game, Placement, Position, RuleSet, Setup, Turn};
use cazique::search::endgame::maxn::solve;
use cazique::search::endgame::plain;
use cazique::search::ranking::{self, Candidate, RankingRequest, RankingScope, SearchKnowledge};
use cazique::search::{Budget, Solution, SolveContext, SolveRequest, StopToken};
use cazique::seed::Seed;
use cazique::tiles::{Face, Tile, TileCounts, TileKind, TileSet};
use cazique::units::Points;
use rand::{Rng, RngExt};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A random endgame of two players by the rules of a preset, with at most `max_tiles` tiles on
/// each rack, and small enough for the plain twin with the words of [`small_graph`].
pub fn small_endgame(seed: Seed, preset: &str, max_tiles: usize) -> Position {
    endgame(&rules(preset), 2, max_tiles, seed)
}

/// The graph of every fourth word of at most five letters. With all words a single tile has more
/// plays than a whole rack has with these, and no line of play would be longer than two moves.
pub fn small_graph(tiles: &TileSet) -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let words = lexicon(tiles).words().filter(|word| word.len() <= 5);
        let words = WordList::new(words.step_by(4).collect());
        Graph::from_words(&words).expect("a part of the words")
    })
}

/// A random endgame: the board of a game that is nearly over, racks of 1 to `max_tiles` tiles and
/// close scores. The bag is empty, because the tile set is reduced to the tiles in play. Racks
/// are drawn until the endgame is small enough for the plain twin.
fn endgame(rules: &Arc<RuleSet>, players: usize, max_tiles: usize, seed: Seed) -> Position {
    let (grid, left) = late_board(rules, seed);
    let mut chance = seed.generator();
    loop {
        let racks = small_racks(rules, players, max_tiles, &grid, left, &mut chance);
        if is_small(rules, &grid, &racks) {
            return with_racks(rules, grid, racks, &mut chance);
        }
    }
}

fn with_racks(
    rules: &RuleSet,
    grid: Grid,
    racks: Vec<TileCounts>,
    chance: &mut impl Rng,
) -> Position {
    let players = racks.len();
    let scores = (0..players).map(|_| Points(chance.random_range(300..330)));
    let scores = scores.collect();
    let rules = with_only_tiles(rules, players, &grid, &racks);
    let limit = rules.scoreless_limit.limit(players);
    let setup = Setup {
        grid,
        racks,
        scores,
        scoreless_turns: chance.random_range(0..limit.min(4)),
        details: Default::default(),
    };
    Position::new(Arc::new(rules), setup).expect("the tiles are there")
}

/// The largest number of positions of a small endgame. Chosen by hand, for the run time of the
/// plain twin.
const SMALL_ENDGAME_POSITIONS: usize = 300;

fn is_small(rules: &RuleSet, grid: &Grid, racks: &[TileCounts]) -> bool {
    let mut lanes = LaneGenerator::new(rules, small_graph(&rules.tiles), grid, racks);
    let mut held: Vec<RackSubset> = (0..racks.len()).map(|seat| lanes.full_rack(seat)).collect();
    let mut room = SMALL_ENDGAME_POSITIONS;
    count_positions(&mut lanes, &mut held, 0, 0, &mut room);
    room > 0
}

/// Subtracts the number of positions below this one from `room`, down to 0.
fn count_positions(
    lanes: &mut LaneGenerator,
    held: &mut [RackSubset],
    seat: usize,
    passes: usize,
    room: &mut usize,
) {
    *room = room.saturating_sub(1);
    if *room == 0 {
        return;
    }
    let (before, next) = (held[seat], (seat + 1) % held.len());
    let mut plays = Vec::new();
    lanes.update(seat, lanes.full_rack(seat));
    lanes.for_each_play(seat, before, |_, play| plays.push(*play));
    for play in plays.iter().filter(|play| play.used != before) {
        held[seat] = lanes.remaining(seat, before, play.used);
        lanes.play(play);
        count_positions(lanes, held, next, 0, room);
        lanes.take_back();
    }
    held[seat] = before;
    if passes + 1 < held.len() {
        count_positions(lanes, held, next, passes + 1, room);
    }
}

/// The board of a game of greedy players some time before its end, and the tiles that are not on
/// it.
pub fn late_board(rules: &Arc<RuleSet>, seed: Seed) -> (Grid, TileCounts) {
    let mut chance = seed.for_unit(1).generator();
    let mut grid = Grid::new(rules.board.side());
    let mut generator = generator(rules, lexicon(&rules.tiles).graph(), &grid);
    let mut deal = Deal::start(rules, 2, seed);
    let mut rack_leaves = RackLeaves::empty(None);
    // Enough tiles to draw racks from.
    let left = chance.random_range(18..30);
    while deal.end().is_none() && deal.tiles_off_board().len() > left {
        rack_leaves.set_zero(deal.rack(deal.to_move()));
        let top = generator.top(&rack_leaves, 3);
        let (turn, points) = match top.get(chance.random_range(0..3)).or(top.first()) {
            Some(play) => (Turn::Place(play.placement), play.points),
            None => (Turn::Pass, Points::ZERO),
        };
        if let Turn::Place(placement) = &turn {
            generator.play_permanently(placement);
            for (square, face) in placement.placed_tiles(grid.side()) {
                grid.set(square, Some(face));
            }
        }
        deal.play(&turn, points, rules);
    }
    (grid, deal.tiles_off_board())
}

fn generator<'a>(rules: &RuleSet, graph: &'a Graph, grid: &Grid) -> Generator<'a> {
    Generator::new(rules, Words::new(graph, None), grid)
}

/// The number of plays that a rack should not exceed, for two, three and four players. Chosen by
/// hand.
const MAX_PLAYS: [usize; 3] = [12, 6, 4];
/// The number of racks drawn; one with few plays is kept. Set by hand.
const RACK_DRAWS: usize = 10;

/// Draws racks with few plays, because the plain twin plays out every line.
fn small_racks(
    rules: &RuleSet,
    players: usize,
    max_tiles: usize,
    grid: &Grid,
    mut left: TileCounts,
    chance: &mut impl Rng,
) -> Vec<TileCounts> {
    let generator = generator(rules, small_graph(&rules.tiles), grid);
    let mut rack_leaves = RackLeaves::empty(None);
    let mut draw = || {
        let size = chance.random_range(1..=max_tiles);
        let racks = (0..RACK_DRAWS).map(|_| {
            let rack = { left }.draw(size, chance);
            let mut plays = 0;
            rack_leaves.set_zero(&rack);
            generator.for_each_play(&rack_leaves, |_| plays += 1);
            (plays, rack)
        });
        let mut racks: Vec<(usize, TileCounts)> = racks.collect();
        racks.sort_by_key(|(plays, _)| *plays);
        // The more plays, the better the test.
        let fitting = racks.partition_point(|(plays, _)| *plays <= MAX_PLAYS[players - 2]);
        let (_, rack) = racks[fitting.saturating_sub(1)];
        left.take_all(&rack).expect("it was drawn from there");
        rack
    };
    (0..players).map(|_| draw()).collect()
}

/// The rules with a tile set reduced to the tiles on the board and on the racks.
pub fn with_only_tiles(
    rules: &RuleSet,
    players: usize,
    grid: &Grid,
    racks: &[TileCounts],
) -> RuleSet {
    let mut tiles: TileCounts = grid.faces().map(Face::tile).collect();
    racks.iter().for_each(|rack| tiles.add_all(rack));
    let kind = |tile: Tile| TileKind {
        count: tiles.count(tile),
        ..rules.tiles.kind(tile).clone()
    };
    let kinds = rules.tiles.letters().map(|letter| kind(letter.into()));
    let set = TileSet::new("reduced", tiles.count(Tile::BLANK), kinds.collect());
    let mut values = rules.clone().into_values();
    values.tiles = Arc::new(set.expect("fewer tiles of the same kinds"));
    values.players = (players, players);
    RuleSet::new(values).expect("enough tiles for all racks")
}

/// The plays of one rack by the lane generator with its caches, and by a fresh generator.
fn plays_both_ways(
    lanes: &mut LaneGenerator,
    graph: &Graph,
    rules: &RuleSet,
    grid: &Grid,
) -> [Vec<(Placement, Points)>; 2] {
    let mut plays = [Vec::new(), Vec::new()];
    lanes.update(0, lanes.full_rack(0));
    lanes.for_each_play(0, lanes.full_rack(0), |_, play| {
        plays[0].push((lanes.placement(play), Points(play.points)));
    });
    let mut rack_leaves = RackLeaves::empty(None);
    rack_leaves.set_zero(&lanes.tiles(0, lanes.full_rack(0)));
    generator(rules, graph, grid).for_each_play(&rack_leaves, |play| {
        plays[1].push((play.placement, play.points))
    });
    plays.iter_mut().for_each(|plays| plays.sort());
    plays
}

/// Regression: a lane with an H on its fifth square had the same cache key as an empty one.
#[test]
fn lanes_with_and_without_a_tile_have_different_keys() {
    let rules = rules("deluxe");
    let graph = lexicon(&rules.tiles).graph();
    for seed in 0..20 {
        let (grid, mut left) = late_board(&rules, Seed(seed));
        let mut rack = rules.tiles.read_tiles("H").expect("a tile");
        rack.add_all(&left.draw(1, &mut Seed(seed).generator()));
        let mut lanes = LaneGenerator::new(&rules, graph, &grid, &[rack]);
        let [found, expected] = plays_both_ways(&mut lanes, graph, &rules, &grid);
        assert_eq!(found, expected);
        for (placement, points) in expected {
            let mut after = grid.clone();
            for (square, face) in placement.placed_tiles(grid.side()) {
                after.set(square, Some(face));
            }
            let play = lanes.lane_play(0, &placement, points);
            lanes.play(&play);
            let [found, expected] = plays_both_ways(&mut lanes, graph, &rules, &after);
            assert_eq!(found, expected, "after {placement:?}");
            lanes.take_back();
        }
    }
}

/// Refutation by out-plays rests on this: a play that is not disturbed can still be made for the
/// same points. If every tile has a value, a disturbed one cannot; otherwise refutations would be
/// missed.
#[test]
fn a_play_disturbs_exactly_the_plays_that_change_after_it() {
    for (seed, preset) in (0..8).zip(["tournament", "super"].into_iter().cycle()) {
        let rules = rules(preset);
        let graph = lexicon(&rules.tiles).graph();
        let (grid, mut left) = late_board(&rules, Seed(seed));
        while left.take(Tile::BLANK) {}
        let mut chance = Seed(seed).generator();
        let racks = [3, 4].map(|tiles| left.draw(tiles, &mut chance));
        let mut lanes = LaneGenerator::new(&rules, graph, &grid, &racks);
        let list = |lanes: &mut LaneGenerator, seat: usize| {
            let (all, mut plays) = (lanes.full_rack(seat), Vec::new());
            lanes.update(seat, all);
            lanes.for_each_play(seat, all, |_, play| plays.push(*play));
            plays
        };
        let [made, others] = [0, 1].map(|seat| list(&mut lanes, seat));
        // Otherwise there are too few plays for a test.
        assert!(made.len() > 10 && others.len() > 10);
        let key = |play: &LanePlay| (play.key, play.points);
        for made in &made {
            lanes.play(made);
            let after: HashSet<(u64, i32)> = list(&mut lanes, 1).iter().map(key).collect();
            lanes.take_back();
            for play in &others {
                let is_there = after.contains(&key(play));
                let disturbed = lanes.disturbs(made, play);
                assert_eq!(is_there, !disturbed, "{play:?} after {made:?}");
            }
        }
    }
}

/// No limit, and memory for all positions of a small endgame.
fn to_the_end() -> SolveRequest {
    SolveRequest {
        table_bytes: 4 << 20,
        ..SolveRequest::UNLIMITED
    }
}

/// These turns as candidates for the solver.
fn candidates(position: &Position, turns: &[Turn]) -> Vec<Candidate> {
    let candidate = |turn: &Turn| Candidate {
        turn: *turn,
        worth: EquityBreakdown {
            points: points(position, turn),
            ..EquityBreakdown::default()
        },
        leave: TileCounts::EMPTY,
        rank: 1,
        requested: false,
        valid: true,
    };
    turns.iter().map(candidate).collect()
}

/// The depth of the last completed search.
fn depth(solution: &Solution) -> u8 {
    solution.lines.first().map_or(0, |line| line.depth)
}

/// The solution of [`solve`] for these turns without a time limit; `None` if the game is over.
fn solved(
    position: &Position,
    graph: &Graph,
    turns: &[Turn],
    request: &SolveRequest,
) -> Option<Solution> {
    let budget = no_limit();
    let turns = candidates(position, turns);
    let mut last = None;
    let mut progress = |solution: &dyn Fn() -> Solution| {
        let solution = solution();
        assert_eq!(solution.lines.len(), turns.len());
        let depth = depth(&solution);
        assert!(last.replace(depth).is_none_or(|last| last < depth));
    };
    let context = SolveContext {
        position,
        graph,
        candidates: &turns,
        request,
        budget: &budget,
    };
    let solution = solve(context, &mut progress);
    assert_eq!(solution.is_none(), position.end().is_some());
    let solution = solution?;
    assert_eq!(solution.lines.len(), turns.len());
    Some(solution)
}

fn points(position: &Position, turn: &Turn) -> Points {
    match turn {
        Turn::Place(placement) => position.examine(placement).expect("legal").total(),
        _ => Points::ZERO,
    }
}

/// Compares all values of a position with the plain twin. Returns the depth that was searched.
fn compare(position: &Position) -> u8 {
    let graph = small_graph(&position.rules().tiles);
    let expected = plain::values(position, graph);
    let turns: Vec<Turn> = expected.iter().map(|(turn, _)| *turn).collect();
    let mut deepest = 0;
    // With memory for all positions, for some of them, and for none.
    for table_bytes in [to_the_end().table_bytes, 2_000, 0] {
        let request = SolveRequest {
            table_bytes,
            ..to_the_end()
        };
        // Missed turns can end the game before a move is made.
        let Some(found) = solved(position, graph, &turns, &request) else {
            assert!(expected.is_empty());
            continue;
        };
        assert!(found.solved);
        for line in &found.lines {
            let turn = &line.candidate.turn;
            let scores = expected.iter().find(|(own, _)| own == turn);
            let scores = scores.map(|(_, scores)| scores.as_slice());
            assert_eq!(Some(line.scores.as_slice()), scores, "{turn:?}");
        }
        deepest = depth(&found);
    }
    deepest
}

/// Compares random endgames after `change`.
fn compare_all(
    rules: &Arc<RuleSet>,
    players: usize,
    max_tiles: usize,
    seeds: Range<u64>,
    change: impl Fn(Position, u64) -> Position,
) {
    let (mut depths, count) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let position = change(endgame(rules, players, max_tiles, Seed(seed)), seed);
        depths += u64::from(compare(&position));
    }
    assert!(depths >= count, "the endgames are too simple for a test");
}

fn unchanged(position: Position, _: u64) -> Position {
    position
}

#[test]
fn values_of_three_players_equal_the_plain_twin() {
    compare_all(&rules("deluxe"), 3, 3, 0..60, unchanged);
    compare_all(&rules("super"), 3, 3, 100..140, unchanged);
    let others = variation("deluxe", "zero_turns = 4\nout = twice");
    compare_all(&others, 3, 3, 200..240, unchanged);
}

#[test]
fn values_of_four_players_equal_the_plain_twin() {
    compare_all(&rules("deluxe"), 4, 2, 300..340, unchanged);
    compare_all(&rules("super"), 4, 2, 400..430, unchanged);
    let others = variation("super", "zero_turns = 7\nout = twice");
    compare_all(&others, 4, 2, 500..530, unchanged);
}

#[test]
fn values_with_target_scores_equal_the_plain_twin() {
    let two = variation("deluxe", "target = 340");
    compare_all(&two, 2, 4, 600..650, unchanged);
    let changes = "players = 3\nzero_turns = 5\ntarget = 335/350/340";
    let three = variation("deluxe", changes);
    compare_all(&three, 3, 3, 700..740, unchanged);
    let four = variation("super", "target = 345");
    compare_all(&four, 4, 2, 800..820, unchanged);
}

/// Two players of a game without targets have their own solver; max^n must agree with it. The
/// rack of the opponent is hidden: it follows from the unseen tiles.
#[test]
fn max_n_solves_two_players_with_a_hidden_rack() {
    let hide = |position: Position| {
        let setup = Setup {
            grid: position.grid().clone(),
            racks: vec![position.rack(0).known, TileCounts::EMPTY],
            scores: vec![position.score(0), position.score(1)],
            scoreless_turns: position.scoreless_turns(),
            details: Default::default(),
        };
        Position::new(position.rules().clone(), setup).expect("a valid setup")
    };
    for seed in 900..940 {
        for preset in ["tournament", "deluxe"] {
            compare(&hide(small_endgame(Seed(seed), preset, 4)));
        }
    }
}

#[test]
fn values_with_missed_turns_equal_the_plain_twin() {
    let miss = |position: Position, seed: u64| {
        let players = position.player_count();
        let mut game = Game::from_position(position);
        game.lose_turns(seed as usize % players, 1 + (seed % 3) as u8);
        game.lose_turns(seed as usize / 3 % players, 1);
        game.position().clone()
    };
    for change in ["zero_turns = 6", "zero_turns = round", "zero_turns = 255"] {
        let rules = variation("deluxe", change);
        compare_all(&rules, 3, 2, 1_000..1_020, miss);
        compare_all(&rules, 2, 3, 1_100..1_110, miss);
    }
}

/// An endgame of three players with six tiles each, which no search finishes.
fn large_endgame(seed: u64) -> (Position, Vec<Turn>) {
    let rules = rules("deluxe");
    let (grid, mut left) = late_board(&rules, Seed(seed));
    let mut chance = Seed(seed).generator();
    let racks: Vec<TileCounts> = (0..3).map(|_| left.draw(6, &mut chance)).collect();
    let reduced = with_only_tiles(&rules, 3, &grid, &racks);
    let setup = Setup {
        grid,
        racks,
        scores: vec![Points(1_000_000), Points(-1_000_000), Points::ZERO],
        scoreless_turns: 0,
        details: Default::default(),
    };
    let position = Position::new(Arc::new(reduced), setup).expect("the tiles are there");
    let graph = lexicon(&rules.tiles).graph();
    let turns = plain_plays::turns(&position, graph);
    (position, turns.into_iter().map(|it| it.turn).collect())
}

#[test]
fn a_stopped_search_returns_the_last_completed_depth() {
    let (position, turns) = large_endgame(7);
    let graph = lexicon(&position.rules().tiles).graph();
    for (nodes, max_depth) in [(0, None), (100_000, None), (u64::MAX, Some(1))] {
        let request = SolveRequest {
            nodes: Some(nodes),
            depth: max_depth,
            ..to_the_end()
        };
        let found = solved(&position, graph, &turns, &request).expect("an endgame");
        assert!(!found.solved && found.nodes <= nodes.saturating_add(1));
        let shallow = SolveRequest {
            depth: Some(depth(&found)),
            ..to_the_end()
        };
        if nodes > 0 {
            let again = solved(&position, graph, &turns, &shallow).expect("an endgame");
            assert_eq!(found.lines, again.lines);
        }
    }
}

#[test]
fn a_search_ends_soon_after_its_time() {
    let (position, turns) = large_endgame(8);
    let graph = lexicon(&position.rules().tiles).graph();
    let turns = candidates(&position, &turns);
    let time = Duration::from_millis(300);
    let budget = Budget::new(StopToken::default(), Some(time), None);
    let context = SolveContext {
        position: &position,
        graph,
        candidates: &turns,
        request: &to_the_end(),
        budget: &budget,
    };
    let found = solve(context, &mut |_| {});
    assert_eq!(found.map(|found| found.lines.len()), Some(turns.len()));
    assert!(budget.elapsed() < 10 * time);
}

#[test]
fn a_position_with_unknown_racks_has_no_solution() {
    let position = Position::start(rules("deluxe"), 3).expect("three can play");
    let graph = lexicon(&position.rules().tiles).graph();
    let context = SolveContext {
        position: &position,
        graph,
        candidates: &candidates(&position, &[Turn::Pass]),
        request: &to_the_end(),
        budget: &no_limit(),
    };
    let found = solve(context, &mut |_| {});
    assert!(found.is_none() && plain::values(&position, graph).is_empty());
}

/// All legal turns of a position.
pub fn all_turns(position: &Position, graph: &Graph) -> Vec<Candidate> {
    let knowledge = SearchKnowledge::new(Words::new(graph, None), None);
    let request = RankingRequest {
        count: usize::MAX,
        scope: RankingScope::All,
        ..RankingRequest::default()
    };
    ranking::rank(position, knowledge, &request, &no_limit()).candidates
}
