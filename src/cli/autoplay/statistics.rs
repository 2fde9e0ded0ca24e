//! Statistics over many games.

use super::costs::{SearchCosts, merge_options};
use super::interval::WinSample;
use super::provenance::MatchProvenance;
use crate::autoplay::GameResult;
use serde_json::{Value, json};
use std::fmt;

/// Sums over units, from the first player's side. A unit is a game, or a pair of games with the
/// same deal and the seats swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GameTally {
    units: i64,
    games: i64,
    wins: [i64; 2],
    draws: i64,
    /// Games that did not end by the rules: abandoned after many turns, or forfeited because of an
    /// illegal move. Their units have no part in any other sum but the signature.
    unfinished: i64,
    /// Deals that `--close` skipped.
    skipped: i64,
    turns: i64,
    bonuses: [i64; 2],
    /// Two for a win and one for a draw: sum and sum of squares over units.
    success: [i64; 2],
    spread: [i64; 2],
    scores: [[i64; 2]; 2],
    /// Time and iterations of players who search.
    costs: [Option<SearchCosts>; 2],
    /// The sum of the games' signatures, which does not depend on their order.
    signature: u64,
}

impl GameTally {
    /// The sums of one unit, before which deals were skipped. Each game comes with the seat of the
    /// first player. Both games of a pair count, or none.
    pub fn of(games: &[(GameResult, usize)], skipped: u64) -> GameTally {
        let signatures = games.iter().map(|(game, _)| game.signature());
        let mut tally = GameTally {
            skipped: skipped as i64,
            signature: signatures.fold(0, u64::wrapping_add),
            unfinished: games.iter().filter(|(game, _)| game.end.is_none()).count() as i64,
            ..GameTally::default()
        };
        if tally.unfinished > 0 {
            return tally;
        }
        tally.units = 1;
        let (mut success, mut spread, mut scores) = (0, 0, [0; 2]);
        for (game, seat) in games {
            let ahead = game.spread(*seat);
            tally.games += 1;
            tally.turns += game.turns.len() as i64;
            success += match game.winner {
                None => {
                    tally.draws += 1;
                    1
                }
                Some(winner) => {
                    let player = usize::from(winner != *seat);
                    tally.wins[player] += 1;
                    2 - 2 * player as i64
                }
            };
            spread += i64::from(ahead.0);
            for (player, seat) in [*seat, 1 - seat].into_iter().enumerate() {
                scores[player] += i64::from(game.scores[seat].0);
                tally.bonuses[player] += i64::from(game.bingos[seat]);
                let effort = game.efforts[seat];
                let costs = effort.map(|effort| SearchCosts::of(effort, game.clocks[seat]));
                tally.costs[player] = merge_options(tally.costs[player], costs, SearchCosts::merge);
            }
        }
        tally.success = [success, success * success];
        tally.spread = [spread, spread * spread];
        tally.scores = scores.map(|score| [score, score * score]);
        tally
    }

    pub fn merge(self, other: GameTally) -> GameTally {
        let add = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
        GameTally {
            units: self.units + other.units,
            games: self.games + other.games,
            wins: add(self.wins, other.wins),
            draws: self.draws + other.draws,
            unfinished: self.unfinished + other.unfinished,
            skipped: self.skipped + other.skipped,
            turns: self.turns + other.turns,
            bonuses: add(self.bonuses, other.bonuses),
            success: add(self.success, other.success),
            spread: add(self.spread, other.spread),
            scores: [
                add(self.scores[0], other.scores[0]),
                add(self.scores[1], other.scores[1]),
            ],
            costs: [0, 1].map(|player| {
                merge_options(self.costs[player], other.costs[player], SearchCosts::merge)
            }),
            signature: self.signature.wrapping_add(other.signature),
        }
    }

    /// The first player's share of wins, for an interval; `None` without a unit.
    fn win_sample(&self) -> Option<WinSample> {
        let units = self.units as f64;
        // Two for a win, in each game of a unit.
        let full = 2.0 * self.games as f64 / units;
        let share = self.success[0] as f64 / units / full;
        let deviations = self.success[1] as f64 / (full * full) - units * share * share;
        (self.units > 0).then_some(WinSample {
            units,
            share,
            deviations: deviations.max(0.0),
        })
    }

    fn per_game(&self, sum: i64) -> f64 {
        sum as f64 / self.games as f64
    }

    /// The mean per game, and its standard error from the variance over units. With a single unit
    /// the error is not a number.
    fn mean(&self, sums: [i64; 2]) -> (f64, f64) {
        let (units, games) = (self.units as f64, self.games as f64);
        let each = games / units;
        let mean = sums[0] as f64 / units;
        let variance = (sums[1] as f64 / units - mean * mean).max(0.0) * units / (units - 1.0);
        (mean / each, (variance / units).sqrt() / each)
    }
}

/// The statistics that are printed.
pub(super) struct Summary {
    pub tally: GameTally,
    /// What was played: the engine, the data and the players.
    pub provenance: MatchProvenance,
    pub pairs: bool,
    /// The number of units that were asked for.
    pub planned: u64,
    /// Whether Ctrl-C ended the match.
    pub interrupted: bool,
    pub seconds: f64,
}

impl Summary {
    /// Whether the first player wins one half of the games by construction: each deal is played
    /// twice with the seats swapped, and it does not matter who has which seat.
    fn is_even(&self) -> bool {
        self.pairs && self.provenance.has_identical_players()
    }

    /// The 95 % interval of the first player's win probability.
    fn interval(&self) -> Option<[f64; 2]> {
        let sample = self.tally.win_sample().filter(|_| !self.is_even())?;
        sample.interval()
    }

    /// A standard error, if it is known and says something.
    fn error(&self, error: f64) -> Option<f64> {
        Some(error).filter(|error| error.is_finite() && !self.is_even())
    }

    fn player_json(&self, player: usize) -> Value {
        let tally = &self.tally;
        let (score, score_se) = tally.mean(tally.scores[player]);
        let (spread, spread_se) = tally.mean(tally.spread);
        let share = tally.win_sample().map(|sample| sample.share);
        let (sign, share, interval) = match player {
            0 => (1.0, share, self.interval()),
            _ => {
                let interval = self.interval();
                let interval = interval.map(|[low, high]| [1.0 - high, 1.0 - low]);
                (-1.0, share.map(|share| 1.0 - share), interval)
            }
        };
        json!({
            "wins": tally.wins[player], "draws": tally.draws,
            "win_share": share, "win_interval_95": interval,
            "mean_score": score, "mean_score_se": score_se,
            "mean_spread": sign * spread, "mean_spread_se": self.error(spread_se),
            "bingos": tally.bonuses[player],
            "search": tally.costs[player].map(|costs| costs.json()),
        })
    }

    pub fn json(&self) -> Value {
        let tally = &self.tally;
        json!({
            "games": tally.games, "pairs": self.pairs, "seconds": self.seconds,
            "games_per_second": tally.games as f64 / self.seconds,
            "interrupted": self.interrupted, "identical_players": self.is_even(),
            "p1": self.player_json(0), "p2": self.player_json(1),
            "bingos": tally.bonuses.iter().sum::<i64>(), "turns": tally.turns,
            "unfinished": tally.unfinished, "left_out": tally.skipped,
            "provenance": self.provenance.json(), "warnings": self.provenance.warnings,
            "signature": format!("{:016x}", tally.signature),
        })
    }

    /// The lines about who wins and scores how much.
    fn write_results(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tally = &self.tally;
        let ([won, lost], draws) = (tally.wins, tally.draws);
        writeln!(f, "p1 wins {won} draws {draws} p2 wins {lost}")?;
        if self.is_even() {
            writeln!(f, "identical players: 50 % by construction")?;
        }
        if let (Some(sample), Some([low, high])) = (tally.win_sample(), self.interval()) {
            let [share, low, high] = [sample.share, low, high].map(|share| share * 100.0);
            let (spread, spread_se) = tally.mean(tally.spread);
            let spread_se = error_bar(self.error(spread_se), 2);
            write!(
                f,
                "p1 wins {share:.2} % (95 % interval {low:.2} to {high:.2} %), "
            )?;
            writeln!(f, "spread {spread:+.2}{spread_se}")?;
        }
        for player in 0..2 {
            let (score, se) = tally.mean(tally.scores[player]);
            let se = error_bar(Some(se).filter(|se| se.is_finite()), 1);
            let (number, bingos) = (player + 1, tally.per_game(tally.bonuses[player]));
            writeln!(
                f,
                "p{number} score {score:.1}{se}, {bingos:.2} bingos a game"
            )?;
        }
        for (player, costs) in ["p1", "p2"].into_iter().zip(&tally.costs) {
            if let Some(costs) = costs {
                costs.write(player, f)?;
            }
        }
        writeln!(f, "{:.1} turns a game", tally.per_game(tally.turns))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tally = &self.tally;
        self.provenance.write(f)?;
        let (games, seconds) = (tally.games, self.seconds);
        let rate = games as f64 / seconds;
        let digits = if rate < 10.0 { 2 } else { 0 };
        writeln!(
            f,
            "{games} games in {seconds:.1} s, {rate:.digits$} a second"
        )?;
        if self.interrupted {
            let (units, planned) = (tally.units, self.planned);
            let noun = if self.pairs { "pairs" } else { "games" };
            writeln!(f, "interrupted: {units} of {planned} {noun} finished")?;
        }
        if tally.unfinished > 0 {
            let (unfinished, noun) = (tally.unfinished, if self.pairs { "pairs" } else { "games" });
            writeln!(
                f,
                "{unfinished} games abandoned or forfeited; their {noun} do not count"
            )?;
        }
        if tally.units > 0 {
            self.write_results(f)?;
        }
        if tally.skipped > 0 {
            writeln!(f, "{} deals left out", tally.skipped)?;
        }
        write!(f, "signature {:016x}", tally.signature)
    }
}

/// A standard error after its sign; nothing if it is not known.
fn error_bar(error: Option<f64>, digits: usize) -> String {
    error.map_or(String::new(), |error| format!(" ± {error:.digits$}"))
}
