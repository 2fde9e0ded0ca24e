//! Statistics over many games.

use super::costs::{SearchCosts, merge_options};
use super::interval::WinSample;
use super::provenance::MatchProvenance;
use super::{PLAYER_NAMES, unit_noun};
use crate::autoplay::GameResult;
use crate::rules::MAX_PLAYERS;
use serde_json::{Value, json};
use std::fmt;

/// Sums over units. A unit is a game, or the games of one deal in which each player has every seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GameTally {
    units: i64,
    games: i64,
    draws: i64,
    /// Games that did not end by the rules: abandoned after many turns, or forfeited because of an
    /// illegal move. Their units have no part in any other sum but the signature.
    unfinished: i64,
    /// Deals that `--close` skipped.
    skipped: i64,
    turns: i64,
    /// By player; zeros for players that a game does not have.
    players: [PlayerTally; MAX_PLAYERS],
    /// The sum of the games' signatures, which does not depend on their order.
    signature: u64,
}

/// The sums of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlayerTally {
    wins: i64,
    /// Games that the player has drawn.
    draws: i64,
    bonuses: i64,
    /// Wins in parts of [`parts_of_a_win`]: sum and sum of squares over units.
    success: [i64; 2],
    spread: [i64; 2],
    scores: [i64; 2],
    /// Time and iterations of a player who searches.
    costs: Option<SearchCosts>,
}

impl PlayerTally {
    /// Adds the result of the player on a seat. The sums of squares stay as they are.
    fn add(&mut self, game: &GameResult, seat: usize) {
        if game.winners.contains(&seat) {
            let sharers = game.winners.len();
            self.wins += i64::from(sharers == 1);
            self.draws += i64::from(sharers > 1);
            self.success[0] += parts_of_a_win(game.scores.len()) / sharers as i64;
        }
        self.bonuses += i64::from(game.bingos[seat]);
        self.spread[0] += i64::from(game.spread(seat).0);
        self.scores[0] += i64::from(game.scores[seat].0);
        let effort = game.efforts[seat];
        let costs = effort.map(|effort| SearchCosts::of(effort, game.clocks[seat]));
        self.costs = merge_options(self.costs, costs, SearchCosts::merge);
    }

    /// The sums of one unit, squares included.
    fn with_squares(self) -> PlayerTally {
        let squared = |[sum, _]: [i64; 2]| [sum, sum * sum];
        PlayerTally {
            success: squared(self.success),
            spread: squared(self.spread),
            scores: squared(self.scores),
            ..self
        }
    }

    fn merge(self, other: PlayerTally) -> PlayerTally {
        let add = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
        PlayerTally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            bonuses: self.bonuses + other.bonuses,
            success: add(self.success, other.success),
            spread: add(self.spread, other.spread),
            scores: add(self.scores, other.scores),
            costs: merge_options(self.costs, other.costs, SearchCosts::merge),
        }
    }
}

/// In how many parts a win is counted, so that any number of the players can share it in whole
/// parts: the least common multiple of the numbers up to that of the players.
fn parts_of_a_win(players: usize) -> i64 {
    match players {
        0..=2 => 2,
        3 => 6,
        _ => 12,
    }
}

impl GameTally {
    /// The sums of one unit, before which deals were skipped. All games of a unit count, or none.
    pub fn of(games: &[GameResult], skipped: u64) -> GameTally {
        let signatures = games.iter().map(GameResult::signature);
        let mut tally = GameTally {
            skipped: skipped as i64,
            signature: signatures.fold(0, u64::wrapping_add),
            unfinished: games.iter().filter(|game| game.end.is_none()).count() as i64,
            ..GameTally::default()
        };
        if tally.unfinished > 0 {
            return tally;
        }
        tally.units = 1;
        for game in games {
            tally.games += 1;
            tally.turns += game.turns.len() as i64;
            tally.draws += i64::from(game.winners.len() > 1);
            for seat in 0..game.scores.len() {
                tally.players[game.player_on(seat)].add(game, seat);
            }
        }
        tally.players = tally.players.map(PlayerTally::with_squares);
        tally
    }

    pub fn merge(self, other: GameTally) -> GameTally {
        let mut players = self.players;
        for (player, other) in players.iter_mut().zip(other.players) {
            *player = player.merge(other);
        }
        GameTally {
            units: self.units + other.units,
            games: self.games + other.games,
            draws: self.draws + other.draws,
            unfinished: self.unfinished + other.unfinished,
            skipped: self.skipped + other.skipped,
            turns: self.turns + other.turns,
            players,
            signature: self.signature.wrapping_add(other.signature),
        }
    }

    /// The share of wins of a player in games of `players`, for an interval; `None` without a unit.
    fn win_sample(&self, player: usize, players: usize) -> Option<WinSample> {
        let units = self.units as f64;
        let success = self.players[player].success;
        // A whole win in each game of a unit.
        let full = parts_of_a_win(players) as f64 * self.games as f64 / units;
        let share = success[0] as f64 / units / full;
        let deviations = success[1] as f64 / (full * full) - units * share * share;
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

/// What a player has won, and by how much.
struct PlayerFigures {
    /// The share of wins.
    share: Option<f64>,
    /// The 95 % interval of the win probability.
    interval: Option<[f64; 2]>,
    /// The mean spread.
    spread: f64,
    /// Its standard error, if it is known and says something.
    spread_error: Option<f64>,
}

impl PlayerFigures {
    /// The figures of the only opponent, who has the rest of the wins.
    fn of_opponent(self) -> PlayerFigures {
        PlayerFigures {
            share: self.share.map(|share| 1.0 - share),
            interval: self.interval.map(|[low, high]| [1.0 - high, 1.0 - low]),
            spread: -self.spread,
            ..self
        }
    }
}

impl Summary {
    fn player_count(&self) -> usize {
        self.provenance.player_count()
    }

    /// Whether every player wins the same share of the games by construction: each deal is played
    /// with each player on every seat, and it does not matter who has which seat.
    fn is_even(&self) -> bool {
        self.pairs && self.provenance.has_identical_players()
    }

    fn figures(&self, player: usize) -> PlayerFigures {
        let (tally, count) = (&self.tally, self.player_count());
        if (player, count) == (1, 2) {
            return self.figures(0).of_opponent();
        }
        let sample = tally.win_sample(player, count);
        let (spread, error) = tally.mean(tally.players[player].spread);
        // Between two even players the mean spread is zero by construction too. The spreads of more
        // players do not add up to zero, because each is the lead over the best opponent.
        let is_known = self.is_even() && count == 2;
        PlayerFigures {
            share: sample.map(|sample| sample.share),
            interval: sample
                .filter(|_| !self.is_even())
                .and_then(|sample| sample.interval()),
            spread,
            spread_error: Some(error).filter(|error| error.is_finite() && !is_known),
        }
    }

    fn player_json(&self, player: usize) -> Value {
        let (sums, figures) = (&self.tally.players[player], self.figures(player));
        let (score, score_se) = self.tally.mean(sums.scores);
        json!({
            "wins": sums.wins, "draws": sums.draws,
            "win_share": figures.share, "win_interval_95": figures.interval,
            "mean_score": score, "mean_score_se": score_se,
            "mean_spread": figures.spread, "mean_spread_se": figures.spread_error,
            "bingos": sums.bonuses,
            "search": sums.costs.map(|costs| costs.json()),
        })
    }

    pub fn json(&self) -> Value {
        let tally = &self.tally;
        let bonuses = tally.players.iter().map(|player| player.bonuses);
        let mut object = json!({
            "games": tally.games, "pairs": self.pairs, "seconds": self.seconds,
            "games_per_second": tally.games as f64 / self.seconds,
            "interrupted": self.interrupted, "identical_players": self.is_even(),
            "bingos": bonuses.sum::<i64>(), "turns": tally.turns,
            "unfinished": tally.unfinished, "left_out": tally.skipped,
            "provenance": self.provenance.json(), "warnings": self.provenance.warnings,
            "signature": format!("{:016x}", tally.signature),
        });
        for (player, name) in PLAYER_NAMES[..self.player_count()].iter().enumerate() {
            object[*name] = self.player_json(player);
        }
        object
    }

    /// The lines about who wins and scores how much.
    fn write_results(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (tally, count) = (&self.tally, self.player_count());
        let players = || PLAYER_NAMES.iter().zip(&tally.players).take(count);
        for (player, (name, sums)) in players().enumerate() {
            match player {
                0 => write!(f, "{name} wins {} draws {}", sums.wins, tally.draws)?,
                _ => write!(f, " {name} wins {}", sums.wins)?,
            }
        }
        writeln!(f)?;
        if self.is_even() {
            let share = (10_000.0 / count as f64).round() / 100.0;
            writeln!(f, "identical players: {share} % by construction")?;
        }
        // What the second of two players wins follows from the first.
        let shown = if count == 2 { 1 } else { count };
        for (player, name) in PLAYER_NAMES[..shown].iter().enumerate() {
            write_figures(f, name, &self.figures(player))?;
        }
        for (name, sums) in players() {
            let (score, se) = tally.mean(sums.scores);
            let se = error_bar(Some(se).filter(|se| se.is_finite()), 1);
            let bingos = tally.per_game(sums.bonuses);
            writeln!(f, "{name} score {score:.1}{se}, {bingos:.2} bingos a game")?;
        }
        for (name, sums) in players() {
            sums.costs.map_or(Ok(()), |costs| costs.write(name, f))?;
        }
        writeln!(f, "{:.1} turns a game", tally.per_game(tally.turns))
    }
}

/// Writes a line about what a player wins, if the games say something about it.
fn write_figures(f: &mut fmt::Formatter, name: &str, figures: &PlayerFigures) -> fmt::Result {
    let (Some(share), Some([low, high])) = (figures.share, figures.interval) else {
        return Ok(());
    };
    let [share, low, high] = [share, low, high].map(|share| share * 100.0);
    let (spread, error) = (figures.spread, error_bar(figures.spread_error, 2));
    write!(
        f,
        "{name} wins {share:.2} % (95 % interval {low:.2} to {high:.2} %), "
    )?;
    writeln!(f, "spread {spread:+.2}{error}")
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
            let noun = unit_noun(self.pairs, self.player_count());
            writeln!(f, "interrupted: {units} of {planned} {noun} finished")?;
        }
        if tally.unfinished > 0 {
            let noun = unit_noun(self.pairs, self.player_count());
            let unfinished = tally.unfinished;
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
