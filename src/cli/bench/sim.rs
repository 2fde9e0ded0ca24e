//! `cazique bench sim`: how many rollouts a second a simulation makes, beside
//! what the fastest public engine made of the same positions.
//!
//! The work is a number of iterations and never a time, so that every run
//! does the same and a faster one is faster.

use crate::cli::say;
use crate::engine::{Engine, MAX_THREADS, Mode, Options, SearchData};
use crate::fnv::Fnv;
use crate::notation::cgp::Cgp;
use crate::notation::moves;
use crate::rules::{Position, RuleSet};
use crate::search::ranking::{self, Candidate, RankingRequest, RankingScope};
use crate::search::sim::{self, EliminationPolicy, SimRequest, SimResult};
use crate::search::{Budget, StopToken};
use crate::seed::Seed;
use clap::{Args, value_parser};
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::thread;

/// Tells how fast simulations are, and a signature of what they find.
#[derive(Args)]
pub struct Arguments {
    /// Time simulations with so many threads too; 0 for one a core
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// Measure for a moment only: the signature is the same, speeds are rough
    #[arg(long)]
    quick: bool,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// A position that is simulated.
struct Scene {
    name: &'static str,
    cgp: &'static str,
    /// The rollouts a second of the fastest public engine with one thread, for each of [`PLIES`]:
    /// the median of three quiet runs on the machine on which this engine was first timed. On another
    /// machine the quotients mean little, but how they change is still worth knowing.
    public: [f64; 2],
}

/// An opening, a position in mid-game with a blank, and a later one.
const SCENES: [Scene; 3] = [
    Scene {
        name: "opening",
        cgp: "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
        public: [12_300.0, 3_350.0],
    },
    Scene {
        name: "middle",
        cgp: "15/15/15/15/4L5TAWIE/3OUZO2HUM3/4N1BARONAGE1/3FACETE2SOFA/4T3J6/4E2DON5/4D2HIE5/\
              7ONE5/4ADIOS6/7T7/7I7 AELPRY?/ 160/232 0",
        public: [4_070.0, 1_530.0],
    },
    Scene {
        name: "late",
        cgp: "1J5U7/1OY1AZINE6/1BA4S7/2G4C2QAT2/2IS3A1KAROO1/3P3LOITERS1/3I2HEWN5/3CANID1ENAMEL/\
              3U4B6/3L1HOPE6/2VARIX8/3E1TYING5/15/15/15 DEILRRT/ 269/291 0",
        public: [5_840.0, 2_140.0],
    },
];
/// How many turns are played after a candidate.
const PLIES: [usize; 2] = [2, 5];
/// How many candidates are played out in each iteration. None drops out: every run does the same work.
const CANDIDATES: usize = 15;
/// A measurement has as many iterations as the public engine makes in so many seconds; ours takes about two of them.
const SECONDS: f64 = 3.0;
/// Iterations whose results the signature is of. They also warm up what is timed then.
const SIGNED: u64 = 40;
/// Iterations of a measurement that is only to show that there is one.
const QUICK: u64 = 10;
/// Measurements of which the median counts.
const RUNS: usize = 5;
/// Where all chance comes from.
const SEED: Seed = Seed(15);

/// Simulates, and prints what came of it.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let threads = match arguments.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let engine = Engine::new().map_err(|error| error.to_string())?;
    let data = engine.prepare(Mode::Simulate);
    let data = data.map_err(|error| error.to_string())?;
    let mut figures = Figures {
        signature: Fnv::START,
        threads,
        speeds: Vec::new(),
    };
    for scene in &SCENES {
        let simulation = Simulation::new(scene, engine.rules(), &data)?;
        for (plies, public) in PLIES.into_iter().zip(scene.public) {
            let (signed, _) = simulation.run(plies, SIGNED, 1);
            figures.signature = simulation.sign(figures.signature, &signed);
            let (iterations, runs) = match arguments.quick {
                true => (QUICK, 1),
                false => ((SECONDS * public / CANDIDATES as f64) as u64, RUNS),
            };
            let (mut alone, mut together) = (Vec::new(), Vec::new());
            // In turn, so that what else the machine does slows both alike.
            for _ in 0..runs {
                let (found, rate) = simulation.run(plies, iterations, 1);
                alone.push(rate);
                if threads > 1 {
                    let (same, rate) = simulation.run(plies, iterations, threads);
                    together.push(rate);
                    if same != found {
                        return Err(format!(
                            "one thread and {threads} do not find the same: a bug"
                        ));
                    }
                }
            }
            let gain = fastest(&together).zip(fastest(&alone));
            let gain = gain.map(|(together, alone)| together / alone);
            let (one, some) = (median(alone), median(together));
            figures.speeds.push(Speed {
                scene: scene.name,
                plies,
                iterations,
                one: one.unwrap_or(0.0),
                some,
                gain,
                public,
            });
        }
    }
    let said = match arguments.json {
        true => say(figures.json()),
        false => say(figures),
    };
    said.map_err(|error| error.to_string())
}

/// The highest of some rates, if there are any. What else the machine does
/// only slows, and two runs are slowed differently: so a ratio is one of these.
fn fastest(rates: &[f64]) -> Option<f64> {
    rates.iter().copied().max_by(f64::total_cmp)
}

/// The middle one of some rates, if there are any.
fn median(mut rates: Vec<f64>) -> Option<f64> {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied()
}

/// All that is the same in every simulation of a position.
struct Simulation<'a> {
    position: Position,
    data: &'a SearchData,
    candidates: Vec<Candidate>,
}

impl<'a> Simulation<'a> {
    fn new(
        scene: &Scene,
        rules: &Arc<RuleSet>,
        data: &'a SearchData,
    ) -> Result<Simulation<'a>, String> {
        let setup = Cgp::parse(scene.cgp).and_then(|cgp| cgp.setup(rules));
        let setup = setup.map_err(|error| error.to_string())?;
        let position =
            Position::new(Arc::clone(rules), setup).map_err(|error| error.to_string())?;
        let request = RankingRequest {
            count: CANDIDATES,
            scope: RankingScope::Best,
            ..RankingRequest::default()
        };
        let ranking = ranking::rank(&position, data.knowledge(), &request, &unlimited());
        let mut candidates = ranking.candidates;
        // A ranking has some exchanges besides.
        candidates.truncate(CANDIDATES);
        Ok(Simulation {
            position,
            data,
            candidates,
        })
    }

    /// What so many iterations find, and the rollouts a second.
    fn run(&self, plies: usize, iterations: u64, threads: usize) -> (SimResult, f64) {
        let request = SimRequest {
            plies: Some(plies),
            iterations: Some(iterations),
            confidence: None,
            elimination: EliminationPolicy::Never,
            // Other engines do not look at them.
            endgame_verdicts: false,
            seed: SEED,
            threads,
            memory: Options::default().search_defaults().memory_bytes,
        };
        let budget = unlimited();
        let standing = sim::simulate(
            &self.position,
            self.data.knowledge(),
            self.data.win_model(),
            &self.candidates,
            &request,
            &budget,
            &mut |_| {},
        );
        let rate = standing.rollouts as f64 / budget.elapsed().as_secs_f64();
        (standing, rate)
    }

    /// A signature that goes on with all that was found. Means are quotients
    /// of integers, which every machine rounds alike.
    fn sign(&self, signature: Fnv, standing: &SimResult) -> Fnv {
        let tiles = &self.position.rules().tiles;
        let mut sum = signature;
        for simulated in &standing.candidates {
            let turn = moves::write(&simulated.candidate.turn, self.position.grid(), tiles);
            let (win, gain) = (simulated.win, simulated.gain);
            let found = format!("{turn} {} {} {}\n", win.count, win.mean(), gain.mean());
            sum = sum.and(found.as_bytes());
        }
        sum
    }
}

fn unlimited() -> Budget {
    Budget::new(StopToken::default(), None, None)
}

/// How fast a position was simulated, in rollouts a second.
struct Speed {
    scene: &'static str,
    plies: usize,
    iterations: u64,
    /// With one thread.
    one: f64,
    /// With as many as wished, if that is another number.
    some: Option<f64>,
    /// How many times as fast the fastest run with those was as the fastest with one.
    gain: Option<f64>,
    public: f64,
}

impl Speed {
    /// How many times as fast as the public engine, with one thread each.
    fn quotient(&self) -> f64 {
        self.one / self.public
    }
}

/// What is told in the end.
struct Figures {
    signature: Fnv,
    threads: usize,
    speeds: Vec<Speed>,
}

impl Figures {
    fn quotient(&self) -> f64 {
        geometric_mean(self.speeds.iter().map(Speed::quotient))
    }

    fn gain(&self) -> Option<f64> {
        let gains: Option<Vec<f64>> = self.speeds.iter().map(|speed| speed.gain).collect();
        Some(geometric_mean(gains?.into_iter()))
    }

    fn json(&self) -> Value {
        let speed = |speed: &Speed| {
            json!({
                "position": speed.scene,
                "plies": speed.plies,
                "iterations": speed.iterations,
                "rollouts_per_second": speed.one,
                "rollouts_per_second_threads": speed.some,
                "threads_to_one": speed.gain,
                "public_rollouts_per_second": speed.public,
                "quotient": speed.quotient(),
            })
        };
        json!({
            "signature": format!("{:016x}", self.signature.sum()),
            "candidates": CANDIDATES,
            "threads": self.threads,
            "speeds": self.speeds.iter().map(speed).collect::<Vec<Value>>(),
            "threads_to_one": self.gain(),
            "quotient": self.quotient(),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (signature, threads) = (self.signature.sum(), self.threads);
        let scenes = SCENES.len();
        writeln!(
            f,
            "signature {signature:016x} ({scenes} positions, {CANDIDATES} candidates)"
        )?;
        for speed in &self.speeds {
            let Speed {
                scene,
                plies,
                one,
                public,
                ..
            } = speed;
            let quotient = speed.quotient();
            write!(
                f,
                "{scene:<8} {plies} plies {one:6.0} rollouts a second, public engine {public:6.0}, quotient {quotient:.2}"
            )?;
            match speed.some {
                Some(some) => writeln!(f, "; with {threads} threads {some:6.0}")?,
                None => writeln!(f)?,
            }
        }
        let quotient = self.quotient();
        write!(f, "geometric mean of the quotients {quotient:.2}")?;
        match self.gain() {
            Some(gain) => write!(f, "; {threads} threads make {gain:.2} times as many as one"),
            None => Ok(()),
        }
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
