//! Tests of training and counting on a game small enough to enumerate everything.

use crate::census::{Census, LeaveMillis, LeaveSums, PriorValues};
use crate::checkpoint::Checkpoint;
use crate::lattice::{Lattice, counts, multiset};
use crate::sample::{RackSampler, SampleSums};
use crate::train::{Trainer, to_leaves};
use crate::win::{self, Calibration, TurnRecord};
use cazique::autoplay::{GameResult, PlayerKind, Players, play};
use cazique::board::Layout;
use cazique::lexicon::{Lexicon, TextEncoding, WordMap, text};
use cazique::movegen::{Generator, RackLeaves, Words};
use cazique::rules::{Embedded, ExchangeLimit, Game, Library, RuleSet};
use cazique::seed::Seed;
use cazique::tiles::{Tile, TileCounts, TileSet};
use cazique::units::{Equity, Points, WinProb};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::sync::Arc;

/// Four letters and two blanks, racks of four, a board of 7 by 7.
pub fn tiny_rules() -> RuleSet {
    let mut values = Embedded.rules("tournament").unwrap().into_values();
    let csv = "?,?,2,0,0\nA,a,6,1,1\nB,b,3,4,0\nS,s,5,1,0\nT,t,4,2,0\n";
    values.tiles = Arc::new(TileSet::parse("tiny", csv).unwrap());
    let board = "=.'.'.=\n.-...\".\n'.-.-.'\n...-...\n'.-.-.'\n.\"...-.\n=.'.'.=\n";
    values.board = Arc::new(Layout::parse("tiny", board).unwrap());
    values.rack_size = 4;
    values.bonus[4] = Points(20);
    values.exchange = ExchangeLimit::BagHolds(4);
    RuleSet::new(values).unwrap()
}

fn tiny_lexicon(rules: &RuleSet) -> Lexicon {
    let list = b"AA\nAB\nAS\nAT\nBA\nTA\nBAA\nBAAS\nBAS\nBAT\nBATS\nSAB\nSABS\nSAT\nSTAB\nSTABS\nTAB\nTABS\nTAT\nTATS\n";
    let (words, _) = text::read(list, &rules.tiles, TextEncoding::Auto).unwrap();
    Lexicon::from_words("TINY", &rules.tiles, &words).unwrap()
}

fn threads(number: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(number);
    builder.build().unwrap()
}

/// Calls `work` with a trainer of the tiny game, its lattice, and leave values of zero.
fn with_trainer<T>(
    threads: &ThreadPool,
    seed: u64,
    work: impl FnOnce(&Trainer, &Lattice, LeaveMillis) -> T,
) -> T {
    let leave_tiles = tiny_rules().rack_size - 1;
    with_leaves(leave_tiles, threads, seed, work)
}

/// [`with_trainer`] for leaves of at most `leave_tiles` tiles.
fn with_leaves<T>(
    leave_tiles: usize,
    threads: &ThreadPool,
    seed: u64,
    work: impl FnOnce(&Trainer, &Lattice, LeaveMillis) -> T,
) -> T {
    let rules = tiny_rules();
    let lexicon = tiny_lexicon(&rules);
    let map = WordMap::new(lexicon.graph(), 7);
    let trainer = Trainer {
        rules: &rules,
        words: Words::new(lexicon.graph(), map.as_ref()),
        seed: Seed(seed),
        threads,
        racks: SAMPLED_RACKS,
    };
    let lattice = Lattice::new(&rules.tiles, leave_tiles + 1).unwrap();
    let nothing = vec![0; lattice.of_size(lattice.size()).start];
    work(&trainer, &lattice, nothing)
}

/// The number of racks that the trainer samples on each board, if it takes no census. Chosen by hand.
const SAMPLED_RACKS: usize = 3_000;

/// The values of leaves of at most `leave_tiles` tiles after these generations.
fn train(
    leave_tiles: usize,
    threads: &ThreadPool,
    generations: &[usize],
    seed: u64,
) -> LeaveMillis {
    with_leaves(
        leave_tiles,
        threads,
        seed,
        |trainer, lattice, mut values| {
            for (at, &boards) in generations.iter().enumerate() {
                let next = trainer.generation(lattice, &values, at, boards, || {});
                values = next.unwrap();
            }
            values
        },
    )
}

#[test]
fn the_number_of_threads_does_not_matter_but_the_seed_does() {
    for leave_tiles in [2, 3] {
        let alone = train(leave_tiles, &threads(1), &[9, 14], 3);
        for number in [2, 3] {
            let more = train(leave_tiles, &threads(number), &[9, 14], 3);
            assert_eq!(more, alone);
        }
        assert_ne!(train(leave_tiles, &threads(2), &[9, 14], 4), alone);
    }
}

/// The largest difference between a sampled and a counted leave value, in thousandths of a point. The
/// best moves have a standard deviation of some 9 points here, and the rarest leave is held by some
/// 3,000 of 100,000 racks, so that its mean has a standard error of 0.16 points.
const SAMPLING_ERROR: i32 = 500;

#[test]
fn sampled_racks_give_the_values_that_a_census_gives() {
    with_trainer(&threads(1), 6, |trainer, lattice, nothing| {
        let (rules, racks) = (trainer.rules, 100_000);
        let prior = PriorValues::new(lattice, &nothing, &counts(&rules.tiles.all()));
        let small = Lattice::new(&rules.tiles, 3).unwrap();
        let mut greatest = 0;
        for unit in [0, 3, 4] {
            let (mut generator, pool) = trainer.board(None, Seed(8), unit).unwrap();
            let all = counts(&pool);
            let mut counted = LeaveSums::new(lattice);
            Census::new(&prior).count(&generator, &pool, &mut counted);
            let counted = counted.means();
            let mut sampled = SampleSums::new(&small);
            let mut sampler = RackSampler::new(&small, rules, None, racks);
            sampler.count(&mut generator, &pool, Seed(9), &mut sampled);
            let sampled = sampled.values(&small, &all);
            for size in 1..small.size() {
                // Leaves have the same numbers in both lattices.
                small.visit(&all, size, &mut |number, _, _| {
                    let [counted, sampled] = [&counted, &sampled].map(|it| it[number as usize]);
                    assert!(
                        (counted - sampled).abs() < SAMPLING_ERROR,
                        "board {unit}, leave {number}: {counted} and {sampled}"
                    );
                    greatest = counted.abs().max(greatest);
                });
            }
        }
        assert!(greatest > 5 * SAMPLING_ERROR, "{greatest}");
    });
}

/// The value of the best move of a rack on a board, by trying every move.
fn plain_best(generator: &Generator, rack: &TileCounts, worth: &dyn Fn(&TileCounts) -> i32) -> i32 {
    let rack_leaves = RackLeaves::new(rack, |kept| Equity::from_millis(worth(kept)));
    let exchanges = rack.nonempty_subsets().into_iter().map(|back| {
        let mut kept = *rack;
        kept.take_all(&back).unwrap();
        worth(&kept)
    });
    let mut best = exchanges.max().unwrap();
    generator.for_each_play(&rack_leaves, |play| best = play.equity.millis().max(best));
    best
}

/// Visits every way to draw `left` tiles from `pool[from..]`, with equal tiles told apart.
fn draws(
    pool: &[Tile],
    left: usize,
    from: usize,
    rack: TileCounts,
    visit: &mut dyn FnMut(TileCounts),
) {
    if left == 0 {
        visit(rack);
        return;
    }
    for at in from..pool.len() {
        let mut more = rack;
        more.add(pool[at]);
        draws(pool, left - 1, at + 1, more, visit);
    }
}

#[test]
fn a_generation_is_what_counting_by_hand_gives() {
    with_trainer(&threads(2), 5, |trainer, lattice, nothing| {
        let first = trainer.generation(lattice, &nothing, 0, BOARDS, || {});
        check_generation(trainer, lattice, 0, &nothing);
        check_generation(trainer, lattice, 1, &first.unwrap());
    });
}

/// The number of boards of a generation. Chosen by hand.
const BOARDS: usize = 6;

/// Compares a generation after `before` with the means of all racks that can be drawn.
fn check_generation(trainer: &Trainer, lattice: &Lattice, generation: usize, before: &[i32]) {
    let (rules, size) = (trainer.rules, lattice.size());
    let fast = trainer.generation(lattice, before, generation, BOARDS, || {});
    let fast = fast.unwrap();
    let worth = |kept: &TileCounts| match kept.len() {
        len if len < size => before[lattice.number(kept) as usize],
        _ => 0,
    };
    let leaves = (generation > 0).then(|| to_leaves(lattice, rules, before).unwrap());
    let mut sums: HashMap<TileCounts, (f64, f64)> = HashMap::new();
    for unit in 0..BOARDS {
        let seed = trainer.seed.for_unit(generation as u64);
        let (generator, pool) = trainer.board(leaves.as_ref(), seed, unit).unwrap();
        let mut racks: HashMap<TileCounts, i32> = HashMap::new();
        let mut mean = |held: &TileCounts| {
            let mut rest = pool;
            rest.take_all(held).unwrap();
            let rest: Vec<Tile> = rest.iter().collect();
            let (mut sum, mut ways) = (0_i64, 0_i64);
            draws(&rest, size - held.len(), 0, *held, &mut |rack| {
                let best = racks.entry(rack);
                let best = best.or_insert_with(|| plain_best(&generator, &rack, &worth));
                sum += i64::from(*best);
                ways += 1;
            });
            sum as f64 / ways as f64
        };
        let all = mean(&TileCounts::EMPTY);
        for held in 1..size {
            lattice.visit(&counts(&pool), held, &mut |_, counts, _| {
                let leave = multiset(counts);
                let sum = sums.entry(leave).or_default();
                sum.0 += mean(&leave) - all;
                sum.1 += 1.0;
            });
        }
    }
    let mut leaves = 0;
    for held in 1..size {
        lattice.visit(&counts(&rules.tiles.all()), held, &mut |_, _, _| {
            leaves += 1
        });
    }
    assert_eq!(sums.len(), leaves);
    for (leave, (sum, boards)) in sums {
        let value = f64::from(fast[lattice.number(&leave) as usize]);
        assert!((value - sum / boards).abs() < 0.51, "{leave:?}");
    }
}

/// The positions of a game by the rules alone: the plain twin of [`win::turn_records`].
fn plain_records(rules: &Arc<RuleSet>, result: &GameResult) -> Vec<TurnRecord> {
    let mut game = Game::new(Arc::clone(rules), 2).unwrap();
    let mut seen = Vec::new();
    let ahead = |scores: &[Points], seat: usize| scores[seat] - scores[1 - seat];
    for (turn, rack) in result.turns.iter().zip(&result.racks) {
        let position = game.position();
        let seat = position.to_move();
        let scores = [position.score(0), position.score(1)];
        seen.push(TurnRecord {
            bag: position.bag_len(),
            mine: position.rack(seat).len(),
            theirs: position.rack(1 - seat).len(),
            lead: ahead(&scores, seat),
            swing: ahead(&result.scores, seat) - ahead(&scores, seat),
        });
        game.set_rack(seat, *rack).unwrap();
        game.play(turn).unwrap();
    }
    assert_eq!(game.outcome().unwrap().scores[..], result.scores[..]);
    seen
}

#[test]
fn a_table_of_chances_is_what_counting_by_hand_gives() {
    let rules = Arc::new(tiny_rules());
    let lexicon = tiny_lexicon(&rules);
    let players = Players {
        rules: &rules,
        words: Words::new(lexicon.graph(), None),
        each: vec![PlayerKind::Static(None); 2],
    };
    let (games, seed) = (40, Seed(2));
    let plain: Vec<TurnRecord> = (0..games)
        .flat_map(|unit| {
            let result = play(&players, 0, seed.for_unit(unit));
            let records = plain_records(&rules, &result);
            assert_eq!(win::turn_records(&players, seed.for_unit(unit)), records);
            records
        })
        .collect();
    let count = |number| threads(number).install(|| win::swings(&players, games, seed));
    let swings = count(1);
    assert_eq!(count(3), swings);
    let table = swings.table(&rules, "", 1).unwrap();
    let stage = |record: &TurnRecord| (record.bag, record.mine, record.theirs);
    for at in &plain {
        let (bag, mine, theirs) = stage(at);
        let alike = plain.iter().filter(|other| stage(other) == stage(at));
        let alike: Vec<&TurnRecord> = alike.collect();
        for lead in -60..=60 {
            let halves = |record: &&TurnRecord| 1 + (record.swing.0 + lead).signum();
            let won: i32 = alike.iter().map(halves).sum();
            let by_hand = f64::from(won) / 2.0 / alike.len() as f64;
            let chance = table.win_prob(Points(lead), bag, mine, theirs);
            let error = (chance.probability() - by_hand).abs();
            assert!(error <= 0.51 / f64::from(WinProb::SCALE), "{at:?} {lead}");
        }
    }
    // Every position of the games counts.
    let report = Calibration::of(&table, &players, games, seed).to_string();
    let positions = format!("{} positions", plain.len());
    assert!(report.contains(&positions), "{report}");
}

#[test]
fn a_checkpoint_goes_on_only_with_its_own_training() {
    let folder = std::env::temp_dir().join(format!("cazique-leaves-{}", std::process::id()));
    let checkpoint = Checkpoint {
        identity: 17,
        finished: vec![8, 9],
        values: vec![0, -5, 70_000],
    };
    assert_eq!(Checkpoint::load(&folder, 17, &[8, 9], 3).unwrap(), None);
    checkpoint.save(&folder).unwrap();
    let load = |identity, plan: &[usize]| Checkpoint::load(&folder, identity, plan, 3);
    assert_eq!(load(17, &[8, 9, 10]).unwrap(), Some(checkpoint));
    assert!(load(18, &[8, 9, 10]).is_err());
    assert!(load(17, &[8]).is_err() && load(17, &[8, 10]).is_err());
    let file = folder.join("checkpoint");
    let bytes = std::fs::read(&file).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        std::fs::write(&file, damaged).unwrap();
        assert!(load(17, &[8, 9]).is_err(), "byte {at}");
        std::fs::write(&file, &bytes[..at]).unwrap();
        assert!(load(17, &[8, 9]).is_err(), "{at} bytes");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
