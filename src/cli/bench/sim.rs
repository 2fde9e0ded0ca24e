//! `cazique bench sim`: rollouts per second of the simulation, with one thread and with several, and
//! a signature of the results.
//!
//! A run has a fixed number of iterations instead of a time, so that every run does the same work.

use super::{RankedPosition, prepared, unlimited};
use crate::cli::{Failure, say_figures};
use crate::engine::{MAX_THREADS, Mode, Options};
use crate::fnv::Fnv;
use crate::search::ranking::RankingScope;
use crate::search::sim::{self, EliminationPolicy, SimRequest, SimResult};
use crate::seed::Seed;
use clap::{Args, value_parser};
use serde_json::{Value, json};
use std::fmt;
use std::thread;

/// Measures the speed of simulations, and prints a signature of their results.
#[derive(Args)]
pub struct Arguments {
    /// Also time simulations with this number of threads; 0 for one per core
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// Run few iterations: the signature is the same, speeds are rough
    #[arg(long)]
    quick: bool,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// A position to simulate.
struct BenchPosition {
    name: &'static str,
    cgp: &'static str,
    /// The number of iterations of a measurement, for each of [`PLIES`]. Chosen by hand, so that
    /// one takes about two seconds with one thread.
    iterations: [u64; 2],
}

/// The positions: an opening, a mid-game with a blank, and a late one. Chosen by hand.
const POSITIONS: [BenchPosition; 3] = [
    BenchPosition {
        name: "opening",
        cgp: "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
        iterations: [2_460, 670],
    },
    BenchPosition {
        name: "middle",
        cgp: "15/15/15/15/4L5TAWIE/3OUZO2HUM3/4N1BARONAGE1/3FACETE2SOFA/4T3J6/4E2DON5/4D2HIE5/\
              7ONE5/4ADIOS6/7T7/7I7 AELPRY?/ 160/232 0",
        iterations: [814, 306],
    },
    BenchPosition {
        name: "late",
        cgp: "1J5U7/1OY1AZINE6/1BA4S7/2G4C2QAT2/2IS3A1KAROO1/3P3LOITERS1/3I2HEWN5/3CANID1ENAMEL/\
              3U4B6/3L1HOPE6/2VARIX8/3E1TYING5/15/15/15 DEILRRT/ 269/291 0",
        iterations: [1_168, 428],
    },
];
/// The lengths of rollouts, in moves after the candidate. Chosen by hand.
const PLIES: [usize; 2] = [2, 5];
/// The number of candidates. None drops out, so that every run does the same work.
const CANDIDATES: usize = 15;
/// The number of iterations behind the signature. They also warm up the caches before the timing.
/// Part of the definition of the signature.
const SIGNATURE_ITERATIONS: u64 = 40;
/// The number of iterations of a measurement with `--quick`. Chosen by hand.
const QUICK_ITERATIONS: u64 = 10;
/// The number of measurements, of which the median counts. Chosen by hand.
const TIMED_RUNS: usize = 5;
/// The seed of all worlds. Arbitrary; the signature depends on it.
const SEED: Seed = Seed(15);

/// Runs the benchmark, and prints its figures.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let threads = match arguments.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let (engine, data) = prepared(Mode::Simulate)?;
    let mut figures = SimFigures {
        signature: Fnv::START,
        threads,
        speeds: Vec::new(),
    };
    for position in &POSITIONS {
        let (cgp, scope) = (position.cgp, RankingScope::Best);
        let ranked = RankedPosition::new(cgp, CANDIDATES, scope, &engine, &data)?;
        for (plies, timed) in PLIES.into_iter().zip(position.iterations) {
            let (signed, _) = simulate(&ranked, plies, SIGNATURE_ITERATIONS, 1);
            figures.signature = sign(figures.signature, &ranked, &signed);
            let (iterations, runs) = match arguments.quick {
                true => (QUICK_ITERATIONS, 1),
                false => (timed, TIMED_RUNS),
            };
            let (mut alone, mut together) = (Vec::new(), Vec::new());
            // Alternate, so that other work on the machine slows both alike.
            for _ in 0..runs {
                let (found, rate) = simulate(&ranked, plies, iterations, 1);
                alone.push(rate);
                if threads > 1 {
                    let (same, rate) = simulate(&ranked, plies, iterations, threads);
                    together.push(rate);
                    if same != found {
                        return Err(format!(
                            "one thread and {threads} threads found different results; this is a bug"
                        )
                        .into());
                    }
                }
            }
            let gain = fastest(&together).zip(fastest(&alone));
            let gain = gain.map(|(together, alone)| together / alone);
            let (one, some) = (median(alone), median(together));
            figures.speeds.push(SimSpeed {
                position: position.name,
                plies,
                iterations,
                one: one.unwrap_or(0.0),
                some,
                gain,
            });
        }
    }
    say_figures(arguments.json, figures.json(), figures)
}

/// The highest rate, if there is one. Ratios use it because other work on the machine slows runs
/// differently, but never speeds one up.
fn fastest(rates: &[f64]) -> Option<f64> {
    rates.iter().copied().max_by(f64::total_cmp)
}

/// The median of the rates, if there are any.
fn median(mut rates: Vec<f64>) -> Option<f64> {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}

/// The result of this number of iterations, and the rollouts per second.
fn simulate(
    ranked: &RankedPosition,
    plies: usize,
    iterations: u64,
    threads: usize,
) -> (SimResult, f64) {
    let request = SimRequest {
        plies: Some(plies),
        iterations: Some(iterations),
        confidence: None,
        elimination: EliminationPolicy::Never,
        // Their cost depends on the position, and the rollouts are what is timed.
        endgame_verdicts: false,
        seed: SEED,
        threads,
        memory: Options::default().search.memory_bytes,
    };
    let budget = unlimited();
    let result = sim::simulate(
        &ranked.position,
        ranked.data.knowledge(),
        ranked.data.win_model(),
        &ranked.candidates,
        &request,
        &budget,
        &mut |_| {},
    );
    let rate = result.rollouts as f64 / budget.elapsed().as_secs_f64();
    (result, rate)
}

/// Extends a signature by all results. Means are quotients of integers, which every machine
/// rounds alike.
fn sign(signature: Fnv, ranked: &RankedPosition, result: &SimResult) -> Fnv {
    let mut sum = signature;
    for simulated in &result.candidates {
        let turn = ranked.turn_text(&simulated.candidate.turn);
        let (win, gain) = (simulated.win, simulated.gain);
        let found = format!("{turn} {} {} {}\n", win.count, win.mean(), gain.mean());
        sum = sum.and(found.as_bytes());
    }
    sum
}

/// The speed of simulations of a position, in rollouts per second.
struct SimSpeed {
    position: &'static str,
    plies: usize,
    iterations: u64,
    /// With one thread.
    one: f64,
    /// With the requested number of threads, if that is not 1.
    some: Option<f64>,
    /// The speed of the fastest run with these threads, divided by that of the fastest with one.
    gain: Option<f64>,
}

/// The figures to print.
struct SimFigures {
    signature: Fnv,
    threads: usize,
    speeds: Vec<SimSpeed>,
}

impl SimFigures {
    /// The geometric mean of what several threads gain.
    fn gain(&self) -> Option<f64> {
        let gains: Option<Vec<f64>> = self.speeds.iter().map(|speed| speed.gain).collect();
        Some(geometric_mean(gains?.into_iter()))
    }

    fn json(&self) -> Value {
        let speed = |speed: &SimSpeed| {
            json!({
                "position": speed.position,
                "plies": speed.plies,
                "iterations": speed.iterations,
                "rollouts_per_second": speed.one,
                "rollouts_per_second_threads": speed.some,
                "threads_to_one": speed.gain,
            })
        };
        json!({
            "signature": format!("{:016x}", self.signature.sum()),
            "candidates": CANDIDATES,
            "threads": self.threads,
            "speeds": self.speeds.iter().map(speed).collect::<Vec<Value>>(),
            "threads_to_one": self.gain(),
        })
    }
}

impl fmt::Display for SimFigures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (signature, threads) = (self.signature.sum(), self.threads);
        let positions = POSITIONS.len();
        writeln!(
            f,
            "signature {signature:016x} ({positions} positions, {CANDIDATES} candidates)"
        )?;
        write!(f, "rollouts per second, one thread")?;
        match threads {
            1 => {}
            _ => write!(f, " / {threads} threads")?,
        }
        for speed in &self.speeds {
            let SimSpeed {
                position,
                plies,
                one,
                ..
            } = speed;
            write!(f, "\n{position:<8} {plies} plies {one:7.0}")?;
            if let Some(some) = speed.some {
                write!(f, " / {some:7.0}")?;
            }
        }
        match self.gain() {
            Some(gain) => write!(f, "\n{threads} threads are {gain:.2} times as fast as one"),
            None => Ok(()),
        }
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
