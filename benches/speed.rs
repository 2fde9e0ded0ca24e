//! Criterion benchmarks of the parts on which everything else is built. Each
//! first checks the results that it times against a second way to compute them.
//!
//! The positions come from static games with a fixed seed. To run only the
//! checks: `cargo test --bench speed`.

use cazique::autoplay::{PlayerKind, Players, SelfPlayGame, play, positions};
use cazique::eval::{BuiltInTables, WinModel};
use cazique::lexicon::{LeaveValues, LetterCounts, Lexicon, WordMap, klv};
use cazique::movegen::{Play, Words};
use cazique::notation::cgp::Cgp;
use cazique::rules::{Embedded, Library, Position, RuleSet, Turn};
use cazique::search::endgame;
use cazique::search::ranking::{self, RankingRequest, RankingScope, SearchKnowledge};
use cazique::search::{Budget, Goal, SolveContext, SolveRequest, StopToken, WinDrawLoss, sim};
use cazique::seed::Seed;
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
};
use std::hint::black_box;
use std::sync::Arc;

/// The seed of all games. Any other serves as well.
const SEED: Seed = Seed(21);

/// The form of the lexicon by which the best play is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Map,
    Graph,
}

/// The rules of a preset, with lexicon and leave values.
struct Setting {
    rules: RuleSet,
    lexicon: Lexicon,
    map: WordMap,
    leaves: LeaveValues,
}

impl Setting {
    fn new(preset: &str) -> Setting {
        let rules = Embedded.rules(preset).unwrap();
        let lexicon = Lexicon::embedded(&rules.tiles).unwrap().0;
        let map = WordMap::new(lexicon.graph(), rules.board.side().into()).unwrap();
        let bytes = include_bytes!("../lexica/oel26.klv2");
        let leaves = klv::read(bytes, rules.tiles.letter_count()).unwrap();
        Setting {
            rules,
            lexicon,
            map,
            leaves,
        }
    }

    fn words(&self, form: Form) -> Words<'_> {
        Words {
            graph: self.lexicon.graph(),
            map: (form == Form::Map).then_some(&self.map).into(),
        }
    }

    fn players(&self, form: Form) -> Players<'_> {
        Players {
            rules: &self.rules,
            words: self.words(form),
            each: vec![PlayerKind::Static(Some(&self.leaves)); 2],
        }
    }
}

/// All plays, best first.
fn sorted(table: &mut SelfPlayGame) -> Vec<Play> {
    let rack_leaves = table.rack_leaves().clone();
    let mut plays = Vec::new();
    table
        .generator()
        .for_each_play(&rack_leaves, |play| plays.push(play));
    plays.sort_by(|a, b| b.cmp(a));
    plays
}

/// The best turn and all plays of each position.
fn plays(criterion: &mut Criterion) {
    let game = Setting::new("tournament");
    let by_map = positions(&game.players(Form::Map), 5, SEED);
    let by_graph = positions(&game.players(Form::Graph), 5, SEED);
    let all: Vec<Vec<Play>> = by_map.clone().iter_mut().map(sorted).collect();

    // A time covers all positions; the throughput is in positions per second.
    let mut group = criterion.benchmark_group("plays");
    group.throughput(Throughput::Elements(by_map.len() as u64));

    let best = |positions: &mut Vec<SelfPlayGame>| -> Vec<_> {
        positions
            .iter_mut()
            .map(SelfPlayGame::best_static)
            .collect()
    };
    let answers = best(&mut by_map.clone());
    assert_eq!(answers, best(&mut by_graph.clone()));
    for (answer, plays) in answers.iter().zip(&all) {
        if let Turn::Place(placement) = answer.turn {
            assert_eq!(placement, plays[0].placement);
        }
    }
    for (name, positions) in [
        ("best turn by word map", &by_map),
        ("best turn by graph", &by_graph),
    ] {
        group.bench_function(name, |bench| {
            bench.iter_batched_ref(|| positions.clone(), best, BatchSize::LargeInput)
        });
    }

    let count = |positions: &mut Vec<SelfPlayGame>| {
        let mut count = 0;
        for table in positions {
            let rack_leaves = table.rack_leaves().clone();
            table.generator().for_each_play(&rack_leaves, |play| {
                count += usize::from(black_box(play).points.0 >= 0)
            });
        }
        count
    };
    assert_eq!(
        count(&mut by_map.clone()),
        all.iter().map(Vec::len).sum::<usize>()
    );
    group.bench_function("all plays", |bench| {
        bench.iter_batched_ref(|| by_map.clone(), count, BatchSize::LargeInput)
    });

    top_plays(&mut group, &by_map, &all);
    group.finish();
}

/// The 20 best plays of each position.
fn top_plays(group: &mut BenchmarkGroup<WallTime>, positions: &[SelfPlayGame], all: &[Vec<Play>]) {
    let generators = || -> Vec<_> {
        let tables = positions.iter().cloned();
        tables
            .map(|mut table| (table.rack_leaves().clone(), table.generator().clone()))
            .collect()
    };
    for ((rack_leaves, mut generator), plays) in generators().into_iter().zip(all) {
        assert_eq!(
            generator.top(&rack_leaves, 20),
            plays[..plays.len().min(20)]
        );
    }
    group.bench_function("top 20", |bench| {
        bench.iter_batched_ref(
            generators,
            |generators| -> usize {
                generators
                    .iter_mut()
                    .map(|(rack_leaves, generator)| generator.top(rack_leaves, 20).len())
                    .sum()
            },
            BatchSize::LargeInput,
        )
    });
}

fn board(criterion: &mut Criterion) {
    let game = Setting::new("tournament");
    let moves: Vec<_> = positions(&game.players(Form::Map), 2, SEED)
        .into_iter()
        .filter_map(|mut table| match table.best_static().turn {
            Turn::Place(placement) => Some((
                table.generator().clone(),
                placement,
                table.rack_leaves().clone(),
            )),
            _ => None,
        })
        .collect();
    for (generator, placement, rack_leaves) in &moves {
        let mut generator = generator.clone();
        let before = generator.top(rack_leaves, 5);
        let taken = generator.play(placement);
        generator.take_back(taken);
        assert_eq!(generator.top(rack_leaves, 5), before);
    }
    criterion.bench_function("play and take back", |bench| {
        bench.iter_batched_ref(
            || moves.clone(),
            |moves| {
                for (generator, placement, _) in moves {
                    let taken = generator.play(placement);
                    generator.take_back(taken);
                }
            },
            BatchSize::LargeInput,
        )
    });
}

fn games(criterion: &mut Criterion) {
    for (name, preset) in [("game 15x15", "tournament"), ("game 21x21", "super")] {
        let game = Setting::new(preset);
        let players = game.players(Form::Map);
        let seed = SEED.for_unit(0);
        assert_eq!(
            play(&players, 0, seed),
            play(&game.players(Form::Graph), 0, seed)
        );
        let mut unit = 0;
        criterion.bench_function(name, |bench| {
            bench.iter(|| {
                unit += 1;
                play(&players, 0, SEED.for_unit(unit)).scores
            })
        });
    }
}

/// Rollouts of 2 plies for the best candidates of a mid-game position with a blank.
fn rollouts(criterion: &mut Criterion) {
    let game = Setting::new("tournament");
    let cgp = "15/15/15/15/4L5TAWIE/3OUZO2HUM3/4N1BARONAGE1/3FACETE2SOFA/4T3J6/4E2DON5/4D2HIE5/\
               7ONE5/4ADIOS6/7T7/7I7 AELPRY?/ 160/232 0";
    let setup = Cgp::parse(cgp).unwrap().setup(&game.rules).unwrap();
    let position = Position::new(Arc::new(game.rules.clone()), setup).unwrap();
    let table = BuiltInTables::of(&game.rules).unwrap().win_table().unwrap();
    let knowledge = |form| SearchKnowledge::new(game.words(form), Some(&game.leaves));
    let budget = Budget::new(StopToken::default(), None, None);
    let best = RankingRequest {
        count: 10,
        scope: RankingScope::Best,
        ..RankingRequest::default()
    };
    let candidates = ranking::rank(&position, knowledge(Form::Map), &best, &budget).candidates;
    let simulate = |form, memory| {
        let request = sim::SimRequest {
            plies: Some(2),
            iterations: Some(20),
            confidence: None,
            elimination: sim::EliminationPolicy::Never,
            endgame_verdicts: false,
            seed: SEED,
            threads: 1,
            memory,
        };
        sim::simulate(
            &position,
            knowledge(form),
            WinModel::Table(&table),
            &candidates,
            &request,
            &budget,
            &mut |_| {},
        )
    };
    let standing = simulate(Form::Map, 64 << 20);
    // By the graph, and without memory for boards: each candidate is laid anew.
    assert_eq!(standing, simulate(Form::Graph, 0));

    let mut group = criterion.benchmark_group("rollouts");
    group.throughput(Throughput::Elements(standing.rollouts));
    group.bench_function("2 plies", |bench| {
        bench.iter(|| simulate(Form::Map, 64 << 20))
    });
    group.finish();
}

/// An endgame that is solved exactly.
fn endgames(criterion: &mut Criterion) {
    let game = Setting::new("tournament");
    let cgp = "15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/\
               3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0";
    let setup = Cgp::parse(cgp).unwrap().setup(&game.rules).unwrap();
    let position = Position::new(Arc::new(game.rules.clone()), setup).unwrap();
    let budget = Budget::new(StopToken::default(), None, None);
    let knowledge = SearchKnowledge::new(game.words(Form::Map), Some(&game.leaves));
    let all = RankingRequest {
        count: usize::MAX,
        ..RankingRequest::default()
    };
    let candidates = ranking::rank(&position, knowledge, &all, &budget).candidates;
    let graph = game.lexicon.graph();
    let prove = |goal| {
        let request = SolveRequest {
            table_bytes: 16 << 20,
            goal,
            ..SolveRequest::UNLIMITED
        };
        let context = SolveContext {
            position: &position,
            graph,
            candidates: &candidates,
            request: &request,
            budget: &budget,
        };
        let found = endgame::solve(context, &mut |_| {});
        found.unwrap()
    };
    let (spread, win) = (prove(Goal::Spread), prove(Goal::Win));
    assert!(spread.solved && win.solved);
    // The player to move is one point behind and can gain more than that.
    assert_eq!(spread.lines[0].gain, 22.0);
    assert_eq!(win.lines[0].result, Some(WinDrawLoss::Win));

    let mut group = criterion.benchmark_group("endgames");
    group.sample_size(10);
    for (name, goal) in [("spread", Goal::Spread), ("who wins", Goal::Win)] {
        group.bench_function(name, |bench| bench.iter(|| prove(goal)));
    }
    group.finish();
}

fn data(criterion: &mut Criterion) {
    let game = Setting::new("tournament");
    let tables = positions(&game.players(Form::Map), 2, SEED);
    let full: Vec<SelfPlayGame> = tables
        .into_iter()
        // With fewer tiles in the bag the late-game adjustment applies.
        .filter(|table| table.bag_len() > 20)
        .collect();
    for table in &full {
        let mut table = table.clone();
        let rack = *table.rack(table.to_move());
        // A whole rack is no leave.
        let parts = rack.nonempty_subsets().into_iter();
        for part in parts.filter(|part| part.len() < rack.len()) {
            assert_eq!(table.rack_leaves().value(&part), game.leaves.value(&part));
        }
    }
    let rack_leaves = |tables: &mut Vec<SelfPlayGame>| -> i32 {
        tables
            .iter_mut()
            .map(|table| table.rack_leaves().max_value().millis())
            .sum()
    };
    criterion.bench_function("leaves of a rack", |bench| {
        bench.iter_batched_ref(|| full.clone(), rack_leaves, BatchSize::LargeInput)
    });

    let mut slow = criterion.benchmark_group("load");
    slow.sample_size(10);
    let tsv = include_str!("../lexica/oel26.tsv");
    assert_eq!(game.lexicon.word_count(), tsv.lines().count());
    slow.bench_function("lexicon", |bench| {
        bench.iter(|| Lexicon::embedded(&game.rules.tiles))
    });
    for word in game.lexicon.words().filter(|word| word.len() <= 15) {
        let letters = word.letters().fold(LetterCounts::NONE, |key, letter| {
            key.plus(LetterCounts::of_letter(letter))
        });
        assert!(game.map.words(letters).any(|found| {
            found
                .iter()
                .copied()
                .map(usize::from)
                .eq(word.letters().map(|letter| letter.number()))
        }));
    }
    slow.bench_function("word map", |bench| {
        bench.iter(|| WordMap::new(game.lexicon.graph(), 15))
    });
    let bytes = include_bytes!("../lexica/oel26.klv2");
    slow.bench_function("leave values", |bench| bench.iter(|| klv::read(bytes, 26)));
    slow.finish();
}

criterion_group!(benches, plays, board, games, rollouts, endgames, data);
criterion_main!(benches);
