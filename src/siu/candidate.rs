//! The `info` lines about one candidate of a search.

use super::reply::{Keys, split, write_key};
use crate::search::WinDrawLoss;
use crate::units::{Equity, Points};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// How much a figure can be relied on: the key `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// It is proved.
    Exact,
    /// An endgame search ended before a proof: the value may be wrong either way.
    Bound,
    /// It is an estimate.
    Estimate,
}

impl Certainty {
    /// The value of the key `kind`.
    pub fn text(self) -> &'static str {
        match self {
            Certainty::Exact => "exact",
            Certainty::Bound => "bound",
            Certainty::Estimate => "estimate",
        }
    }

    fn parse(keys: &Keys) -> Option<Certainty> {
        let all = [Certainty::Exact, Certainty::Bound, Certainty::Estimate];
        let text = keys.value("kind")?;
        all.into_iter().find(|certainty| certainty.text() == text)
    }
}

/// The keys `asked` and `valid` of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateMarks {
    /// It is one of `alsosearchmoves`.
    pub asked: bool,
    /// All its words are in the lexicon.
    pub valid: bool,
}

impl CandidateMarks {
    fn parse(keys: &Keys) -> CandidateMarks {
        CandidateMarks {
            asked: keys.is_yes("asked"),
            valid: keys.value("valid") != Some("no"),
        }
    }
}

impl fmt::Display for CandidateMarks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write_key(f, "asked", self.asked.then_some("yes"))?;
        write_key(f, "valid", (!self.valid).then_some("no"))
    }
}

/// A candidate without search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedLine {
    /// The move.
    pub text: String,
    /// Its points.
    pub score: Points,
    /// Score, leave value and corrections together.
    pub equity: Equity,
    /// The tiles that stay on the rack, `-` for none.
    pub leave: String,
    /// Its place among all moves.
    pub rank: usize,
    /// The leave value.
    pub kept: Equity,
    /// The correction for vowels beside premium squares on an empty board.
    pub opening: Equity,
    /// The correction for the end of the game.
    pub ending: Equity,
    /// Whether it was asked for and is valid.
    pub marks: CandidateMarks,
}

impl RankedLine {
    pub(super) fn parse(keys: &Keys) -> Option<RankedLine> {
        let part = |key: &str| keys.value(key).map_or(Some(Equity::ZERO), equity);
        Some(RankedLine {
            text: keys.text("move")?,
            score: keys.number("score").map(Points)?,
            equity: equity(keys.value("eq")?)?,
            leave: keys.text("leave")?,
            rank: keys.number("rank")?,
            kept: part("kept")?,
            opening: part("opening")?,
            ending: part("ending")?,
            marks: CandidateMarks::parse(keys),
        })
    }
}

impl fmt::Display for RankedLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let RankedLine {
            text,
            score,
            equity,
            leave,
            rank,
            ..
        } = self;
        write!(
            f,
            "info gen move {text} score {score} eq {equity} leave {leave} rank {rank}"
        )?;
        let parts = [
            ("kept", self.kept),
            ("opening", self.opening),
            ("ending", self.ending),
        ];
        for (key, part) in parts {
            write_key(f, key, (part != Equity::ZERO).then_some(part))?;
        }
        self.marks.fmt(f)
    }
}

/// Reads an equity as [`Equity`] writes it. The richest boards exceed [`Points::LIMIT`].
fn equity(text: &str) -> Option<Equity> {
    let points: f64 = text.parse().ok()?;
    Some(Equity::from_millis((points * 1_000.0).round() as i32))
}

/// A candidate of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct SimLine {
    /// The move.
    pub text: String,
    /// Win probability in percent.
    pub win: f64,
    /// Its standard error.
    pub win_error: f64,
    /// Points gained on the best opponent up to the end of the rollouts.
    pub equity: f64,
    /// Its standard error.
    pub equity_error: f64,
    /// Samples of this candidate.
    pub iterations: u64,
    /// Its place among the candidates.
    pub rank: usize,
    /// Whether the figures are exact.
    pub certainty: Certainty,
    /// Its points.
    pub score: Points,
    /// The tiles that stay on the rack, `-` for none.
    pub leave: String,
    /// Its equity without search.
    pub static_equity: Equity,
    /// It was clearly behind and got no more samples.
    pub dropped: bool,
    /// Whether it was asked for and is valid.
    pub marks: CandidateMarks,
    /// The most frequent reply, and its frequency in percent.
    pub reply: Option<(String, f64)>,
    /// The turns after the move.
    pub plies: Vec<PlyFigures>,
}

/// One turn of the rollouts after a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlyFigures {
    /// The mean of its points.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// How often it earned a bonus for many tiles, in percent.
    pub bonus: f64,
}

impl SimLine {
    pub(super) fn parse(keys: &Keys) -> Option<SimLine> {
        let ply = |text: &String| {
            let figures: Vec<f64> = split(text, '/')
                .iter()
                .flat_map(|part| part.parse())
                .collect();
            let [mean, deviation, bonus] = figures[..] else {
                return None;
            };
            Some(PlyFigures {
                mean,
                deviation,
                bonus,
            })
        };
        Some(SimLine {
            text: keys.text("move")?,
            win: keys.number("wp")?,
            win_error: keys.number("wpse")?,
            equity: keys.number("eq")?,
            equity_error: keys.number("eqse")?,
            iterations: keys.number("iters")?,
            rank: keys.number("rank")?,
            certainty: Certainty::parse(keys)?,
            score: keys.number("score").map(Points)?,
            leave: keys.text("leave")?,
            static_equity: equity(keys.value("static")?)?,
            dropped: keys.is_yes("dropped"),
            marks: CandidateMarks::parse(keys),
            reply: keys.text("reply").zip(keys.number("replypct")),
            plies: keys
                .list("plies", ',')
                .iter()
                .map(ply)
                .collect::<Option<_>>()?,
        })
    }
}

impl fmt::Display for SimLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let SimLine {
            text,
            win,
            win_error,
            equity,
            equity_error,
            iterations,
            rank,
            ..
        } = self;
        let (kind, score, leave) = (self.certainty.text(), self.score, &self.leave);
        write!(
            f,
            "info sim move {text} wp {win:.2} wpse {win_error:.2} eq {equity:.2} eqse {equity_error:.2} \
             iters {iterations} rank {rank} kind {kind} score {score} leave {leave} static {}",
            self.static_equity
        )?;
        write_key(f, "dropped", self.dropped.then_some("yes"))?;
        self.marks.fmt(f)?;
        if let Some((reply, percent)) = &self.reply {
            write!(f, " reply {reply} replypct {percent:.1}")?;
        }
        let ply =
            |ply: &PlyFigures| format!("{:.1}/{:.1}/{:.1}", ply.mean, ply.deviation, ply.bonus);
        let plies: Vec<String> = self.plies.iter().map(ply).collect();
        write_key(f, "plies", (!plies.is_empty()).then(|| plies.join(",")))
    }
}

/// A candidate of an endgame.
#[derive(Clone, Debug, PartialEq)]
pub struct EndgameLine {
    /// Turns searched; of an exact value, turns to the end of the game.
    pub depth: u8,
    /// The final spread less the spread now.
    pub spread: f64,
    /// The move.
    pub text: String,
    /// Its place among the candidates.
    pub rank: usize,
    /// [`Certainty::Exact`] or [`Certainty::Bound`].
    pub certainty: Certainty,
    /// Who wins, where only that was asked for.
    pub result: Option<WinDrawLoss>,
    /// The final scores, where each player plays for himself.
    pub scores: Vec<Points>,
    /// Whether it was asked for and is valid.
    pub marks: CandidateMarks,
    /// The principal variation: the move and what follows.
    pub variation: Vec<String>,
}

/// The values of the key `result`.
const RESULTS: [(&str, WinDrawLoss); 3] = [
    ("win", WinDrawLoss::Win),
    ("draw", WinDrawLoss::Draw),
    ("loss", WinDrawLoss::Loss),
];

impl EndgameLine {
    pub(super) fn parse(keys: &Keys) -> Option<EndgameLine> {
        let result = keys.value("result");
        let result = RESULTS.iter().find(|(name, _)| result == Some(name));
        let scores = keys.list("scores", '/');
        Some(EndgameLine {
            depth: keys.number("depth")?,
            spread: keys.number("spread")?,
            text: keys.text("move")?,
            rank: keys.number("rank")?,
            certainty: Certainty::parse(keys)?,
            result: result.map(|(_, result)| *result),
            scores: scores
                .iter()
                .map(|score| score.parse().ok().map(Points))
                .collect::<Option<_>>()?,
            marks: CandidateMarks::parse(keys),
            variation: keys
                .after("pv")
                .iter()
                .map(|text| text.to_string())
                .collect(),
        })
    }
}

impl fmt::Display for EndgameLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let EndgameLine {
            depth,
            spread,
            text,
            rank,
            ..
        } = self;
        let kind = self.certainty.text();
        write!(
            f,
            "info endgame depth {depth} score spread {spread:+} move {text} rank {rank} kind {kind}"
        )?;
        let result = RESULTS
            .iter()
            .find(|(_, result)| self.result == Some(*result));
        write_key(f, "result", result.map(|(name, _)| name))?;
        let scores: Vec<String> = self.scores.iter().map(Points::to_string).collect();
        write_key(f, "scores", (!scores.is_empty()).then(|| scores.join("/")))?;
        self.marks.fmt(f)?;
        write!(f, " pv {}", self.variation.join(" "))
    }
}

/// A candidate of a pre-endgame.
#[derive(Clone, Debug, PartialEq)]
pub struct PegLine {
    /// The move.
    pub text: String,
    /// What each draw leads to; `None` while the search runs.
    pub draws: Option<DrawLists>,
    /// Estimated points gained by the end of the game.
    pub spread: f64,
    /// Win probability in percent.
    pub win: f64,
    /// Its place among the candidates.
    pub rank: usize,
    /// [`Certainty::Exact`] or [`Certainty::Estimate`].
    pub certainty: Certainty,
    /// Whether it was asked for and is valid.
    pub marks: CandidateMarks,
}

/// The draws after a candidate of a pre-endgame, by what they lead to: the tiles drawn, and
/// after a slash the tiles that stay in the bag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DrawLists {
    /// Draws that are proved won.
    pub won: Vec<String>,
    /// Draws that are proved to end in a tie.
    pub drawn: Vec<String>,
    /// Draws that are proved lost.
    pub lost: Vec<String>,
    /// Draws whose result depends on the opponent's draw, each with the percentage of wins.
    pub mixed: Vec<String>,
    /// The number of draws that are not proved. There may be hundreds.
    pub open: usize,
}

impl PegLine {
    pub(super) fn parse(keys: &Keys) -> Option<PegLine> {
        let list = |prefix: &str| split(keys.prefixed(prefix).unwrap_or(""), '|');
        let draws = keys.prefixed("w:").map(|_| DrawLists {
            won: list("w:"),
            drawn: list("d:"),
            lost: list("l:"),
            mixed: list("mixed:"),
            open: keys
                .prefixed("open:")
                .and_then(|n| n.parse().ok())
                .unwrap_or(0),
        });
        Some(PegLine {
            text: keys.text("move")?,
            draws,
            spread: keys.number("spread")?,
            win: keys.number("wp")?,
            rank: keys.number("rank")?,
            certainty: Certainty::parse(keys)?,
            marks: CandidateMarks::parse(keys),
        })
    }
}

impl fmt::Display for PegLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "info peg move {}", self.text)?;
        if let Some(draws) = &self.draws {
            let DrawLists {
                won,
                drawn,
                lost,
                mixed,
                open,
            } = draws;
            write!(
                f,
                " w:{} d:{} l:{}",
                won.join("|"),
                drawn.join("|"),
                lost.join("|")
            )?;
            // The protocol's draft does not have these keys, and mostly they have no value.
            if !mixed.is_empty() {
                write!(f, " mixed:{}", mixed.join("|"))?;
            }
            if *open > 0 {
                write!(f, " open:{open}")?;
            }
        }
        let PegLine {
            spread, win, rank, ..
        } = self;
        write!(
            f,
            " spread {spread:+.1} wp {win:.2} rank {rank} kind {}",
            self.certainty.text()
        )?;
        self.marks.fmt(f)
    }
}
