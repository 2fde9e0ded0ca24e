//! `cazique bench endgame`: how fast endgames are proved, and a signature of the proofs.
//!
//! The work is fixed, not the time: one thread proves six endgames and searches the same positions
//! in every run. So times can be compared, and the signature changes only if the search does.

use super::{RankedPosition, prepared, unlimited};
use crate::cli::{Failure, say_figures};
use crate::engine::{Mode, Options};
use crate::fnv::Fnv;
use crate::search::endgame;
use crate::search::ranking::RankingScope;
use crate::search::{Solution, SolveContext, SolveRequest, SolvedLine};
use clap::Args;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// Measure how fast endgames are proved, and print a signature of the proofs
#[derive(Args)]
pub struct Arguments {
    /// Prove each endgame once: the same signature, less precise times
    #[arg(long)]
    quick: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Positions just after the bag was emptied, from games of static players.
const POSITIONS: [&str; 6] = [
    "15/1J1PRISTINE4/1OBA11/1YEH3VOUCH2B/2A4U2A3I/2DA3L2R3F/2YE3V2L3I/3QINTAR1IGGED/3U2EL2N4/3O5NERTZ1/3r6S4/3I11/3N2DUG1KITS1/1RESAWEd1FATWA1/4DELOPE2OXO CEIMNRT/AEMOO 419/420 0",
    "MOvIEOLA1U1Q3/7R1N1U3/2F4R1A1A3/2I4A1T1S3/2C2TENTORIA2/1HO4t1N5/1IS4L1E5/1V2JIVY1DACRON/TE2I10/OD2BE9/L2FEM9/L2U1O3REW3/B2N3KAE5/APOGEE1ETH5/R2INDEX7 ADGIPYZ/GISSTUW 336/378 0",
    "14V/13QI/12OIL/12O1D/8CAGER2/8U3I2/8E2PE1W/BEEP2FY2Ae2I/3AR1JOLTER1OD/3NY1O1U1OI1KI/3TA1REVeNANTS/3S2D4N1AH/2DULLS4T3/OM1I4AUTHOR1/FIXT1ECZEMA4 AEEINRS/BEGGNW 359/386 0",
    "FAX3ALIDADES1/1MIKVEH2E5/3U5G2M2/3R5RARIFY/3U4BEG1R2/8HE2I2/8IS2N2/3ZENDOS6/2JOT3t6/1GOA3TIVY2C1/NOW4OE4O1/6UNsPOILT1/7L5T1/5WEEP4A1/2LACERTID5 BENNQRU/AAEIOST 364/430 0",
    "2G11T/2U10PE/2L10IN/G1l10UP/E1I7C2MI/O1E4TUFA3N/I1DA1G1URALITES/DE1JORAM2O4/1DZO1E4Y4/SHOW1E4E4/I1AA1N4R4/V2N1WO4FAVE/E4AX1BINAL2/R4y1QI6/S4SLITTER3 DHKOORT/BCENY 492/389 0",
    "7LIONISES/5R6K1T/5E5MY1O/5f5A2W/4TE5V3/4WE5IT2/4EL1HOOPER2/AGGIES1ANOA1A1T/M3D4TROP1U/O1UBIQUE3NAVY/R3L2X4N1E/T3y2A4N1R/I5CRUSADED1/Z6C4D2/E6H7 AFGIIJN/BEFILO 377/472 0",
];
/// How often each endgame is proved. The shortest time counts, because other work on the machine
/// only makes it longer. Chosen by hand.
const RUNS: usize = 3;

/// Runs the benchmark and prints its figures.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (engine, data) = prepared(Mode::Endgame)?;
    let mut figures = EndgameFigures {
        signature: Fnv::START,
        proofs: Vec::new(),
    };
    for cgp in POSITIONS {
        let endgame = RankedPosition::new(cgp, usize::MAX, RankingScope::All, &engine, &data)?;
        let runs = if arguments.quick { 1 } else { RUNS };
        let mut proofs = (0..runs).map(|_| prove(&endgame));
        let first = proofs.next().flatten();
        let (found, time) =
            first.ok_or("an endgame of the benchmark has no solution: this is a bug")?;
        let others = proofs.flatten().map(|(_, time)| time);
        let time = others.fold(time, Duration::min);
        figures.signature = sign(figures.signature, &endgame, &found);
        figures.proofs.push(ProofFigures {
            time,
            nodes: found.nodes,
            refuted_plays: found.refuted_plays,
        });
    }
    say_figures(arguments.json, figures.json(), figures)
}

/// Proves the value of the best move, and measures the time.
fn prove(endgame: &RankedPosition) -> Option<(Solution, Duration)> {
    let request = SolveRequest {
        table_bytes: Options::default().search.table_bytes,
        ..SolveRequest::UNLIMITED
    };
    let budget = unlimited();
    let context = SolveContext {
        position: &endgame.position,
        graph: endgame.data.knowledge().vocabulary.known.graph,
        candidates: &endgame.candidates,
        request: &request,
        budget: &budget,
    };
    let found = endgame::solve(context, &mut |_| {})?;
    Some((found, budget.elapsed()))
}

/// Extends a signature with the solution and the work it took.
fn sign(signature: Fnv, endgame: &RankedPosition, found: &Solution) -> Fnv {
    let line = |line: &SolvedLine| {
        let turn = endgame.turn_text(&line.candidate.turn);
        format!("{turn} {} {}\n", line.gain, line.exact)
    };
    let lines: String = found.lines.iter().map(line).collect();
    let work = format!("{} {}\n", found.nodes, found.refuted_plays);
    signature.and(lines.as_bytes()).and(work.as_bytes())
}

/// The work and time of one proof.
struct ProofFigures {
    time: Duration,
    /// Positions searched.
    nodes: u64,
    /// Moves refuted by an out-play without a search.
    refuted_plays: u64,
}

/// What the benchmark prints.
struct EndgameFigures {
    signature: Fnv,
    proofs: Vec<ProofFigures>,
}

impl EndgameFigures {
    fn seconds(&self) -> f64 {
        let times = self.proofs.iter().map(|proof| proof.time.as_secs_f64());
        times.sum()
    }

    /// Nodes per second: searched, and searched or refuted.
    fn rates(&self) -> (f64, f64) {
        let nodes: u64 = self.proofs.iter().map(|proof| proof.nodes).sum();
        let refuted: u64 = self.proofs.iter().map(|proof| proof.refuted_plays).sum();
        let seconds = self.seconds();
        (nodes as f64 / seconds, (nodes + refuted) as f64 / seconds)
    }

    fn json(&self) -> Value {
        let (searched, decided) = self.rates();
        let millis = |proof: &ProofFigures| proof.time.as_secs_f64() * 1e3;
        json!({
            "signature": format!("{:016x}", self.signature.sum()),
            "endings": self.proofs.len(),
            "seconds": self.seconds(),
            "millis": self.proofs.iter().map(millis).collect::<Vec<f64>>(),
            "searched_per_second": searched,
            "decided_per_second": decided,
        })
    }
}

impl fmt::Display for EndgameFigures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (at, proof) in self.proofs.iter().enumerate() {
            let seconds = proof.time.as_secs_f64();
            let rate = |nodes: u64| nodes as f64 / seconds / 1e3;
            writeln!(
                f,
                "endgame {}: {:8.1} ms, {:8} nodes searched, {:6.0} k/s, with refuted moves {:6.0} k/s",
                at + 1,
                seconds * 1e3,
                proof.nodes,
                rate(proof.nodes),
                rate(proof.nodes + proof.refuted_plays),
            )?;
        }
        let (searched, decided) = self.rates();
        writeln!(
            f,
            "all: {:.2} s, {:.0} k nodes searched per second, with refuted moves {:.0} k",
            self.seconds(),
            searched / 1e3,
            decided / 1e3,
        )?;
        write!(f, "signature {:016x}", self.signature.sum())
    }
}
