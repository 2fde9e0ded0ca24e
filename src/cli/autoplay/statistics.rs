//! Statistics over many games.

use super::costs::{SearchCosts, merge_options};
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
    /// Games that were ended because they took too many turns.
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
    /// first player.
    pub fn of(games: &[(GameResult, usize)], skipped: u64) -> GameTally {
        let mut tally = GameTally {
            units: 1,
            skipped: skipped as i64,
            ..GameTally::default()
        };
        let (mut success, mut spread, mut scores) = (0, 0, [0; 2]);
        for (game, seat) in games {
            let ahead = game.spread(*seat);
            tally.games += 1;
            tally.signature = tally.signature.wrapping_add(game.signature());
            tally.turns += game.turns.len() as i64;
            tally.unfinished += i64::from(game.end.is_none());
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
    pub pairs: bool,
    pub seconds: f64,
}

impl Summary {
    pub fn json(&self) -> Value {
        let GameTally {
            games,
            wins,
            draws,
            turns,
            bonuses,
            costs,
            ..
        } = self.tally;
        let player = |player: usize| {
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let (score, score_se) = self.tally.mean(self.tally.scores[player]);
            let (spread, spread_se) = self.tally.mean(self.tally.spread);
            let (success, success_se) = self.tally.mean(self.tally.success);
            let share = if player == 0 {
                success / 2.0
            } else {
                1.0 - success / 2.0
            };
            json!({
                "wins": wins[player], "draws": draws,
                "win_share": share, "win_share_se": success_se / 2.0,
                "mean_score": score, "mean_score_se": score_se,
                "mean_spread": sign * spread, "mean_spread_se": spread_se,
                "bingos": bonuses[player],
                "search": costs[player].map(|costs| costs.json()),
            })
        };
        json!({
            "games": games, "pairs": self.pairs, "seconds": self.seconds,
            "games_per_second": games as f64 / self.seconds,
            "p1": player(0), "p2": player(1),
            "bingos": bonuses[0] + bonuses[1], "turns": turns,
            "unfinished": self.tally.unfinished, "left_out": self.tally.skipped,
            "signature": format!("{:016x}", self.tally.signature),
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tally = &self.tally;
        let (success, success_se) = tally.mean(tally.success);
        let (spread, spread_se) = tally.mean(tally.spread);
        let each = |sum: i64| sum as f64 / tally.games as f64;
        let rate = tally.games as f64 / self.seconds;
        let digits = if rate < 10.0 { 2 } else { 0 };
        let (games, seconds) = (tally.games, self.seconds);
        writeln!(
            f,
            "{games} games in {seconds:.1} s, {rate:.digits$} a second"
        )?;
        let ([won, lost], draws) = (tally.wins, tally.draws);
        writeln!(f, "p1 wins {won} draws {draws} p2 wins {lost}")?;
        writeln!(
            f,
            "p1 wins {:.2} %{}, spread {spread:+.2}{}",
            success * 50.0,
            error_bar(success_se * 50.0, 2),
            error_bar(spread_se, 2),
        )?;
        for player in 0..2 {
            let (score, se) = tally.mean(tally.scores[player]);
            let bonuses = each(tally.bonuses[player]);
            writeln!(
                f,
                "p{} score {score:.1}{}, {bonuses:.2} bingos a game",
                player + 1,
                error_bar(se, 1),
            )?;
        }
        for (player, costs) in ["p1", "p2"].into_iter().zip(&tally.costs) {
            if let Some(costs) = costs {
                costs.write(player, f)?;
            }
        }
        writeln!(f, "{:.1} turns a game", each(tally.turns))?;
        if tally.unfinished > 0 {
            writeln!(f, "{} games given up after many turns", tally.unfinished)?;
        }
        if tally.skipped > 0 {
            writeln!(f, "{} deals left out", tally.skipped)?;
        }
        write!(f, "signature {:016x}", tally.signature)
    }
}

/// A standard error after its sign; nothing if it is not known.
fn error_bar(error: f64, digits: usize) -> String {
    match error.is_nan() {
        true => String::new(),
        false => format!(" ± {error:.digits$}"),
    }
}
