//! `cazique autoplay`: static games in process, with statistics.

use super::progress::Progress;
use super::say;
use crate::autoplay::{self, GameResult, Players, play};
use crate::engine::Files;
use crate::engine::MAX_THREADS;
use crate::eval::BuiltIn;
use crate::lexicon::{Encoding, Leaves, Lexicon, WordMap};
use crate::movegen::Words;
use crate::notation::gcg::{self, Pragma, Record};
use crate::rules::{Game, Library, RuleSet};
use crate::seed::Seed;
use clap::{Args, value_parser};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Plays whole games between two static players.
#[derive(Args)]
pub struct Arguments {
    /// How many games; with --pairs, how many pairs
    #[arg(long, default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// How many threads; 0 for one a core
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(..=MAX_THREADS as i64))]
    threads: u16,
    /// Where chance begins: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play each deal twice with the seats swapped
    #[arg(long)]
    pairs: bool,
    /// The first player: leaves=FILE or leaves=none instead of the built-in values, wordmap=on or off
    #[arg(long, default_value = "")]
    p1: String,
    /// The second player, likewise
    #[arg(long, default_value = "")]
    p2: String,
    /// A rule set that is built in, or a file of rules
    #[arg(long, default_value = "tournament")]
    rules: String,
    /// The words: OEL26 or a file
    #[arg(long, default_value = "OEL26")]
    lexicon: String,
    /// Write a GCG record of each game into this folder
    #[arg(long, value_name = "FOLDER")]
    gcg: Option<PathBuf>,
    /// End with one JSON object
    #[arg(long)]
    json: bool,
}

/// A player as the command line tells it.
struct Player {
    leaves: Option<Leaves>,
    wordmap: bool,
}

impl Player {
    fn parse(text: &str, rules: &RuleSet) -> Result<Player, String> {
        let built_in = BuiltIn::of(rules).map(BuiltIn::leaves).transpose();
        let mut player = Player {
            leaves: built_in.map_err(|error| error.to_string())?,
            wordmap: true,
        };
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("leaves", none)) if none.eq_ignore_ascii_case("none") => player.leaves = None,
                Some(("leaves", auto)) if auto.eq_ignore_ascii_case("auto") => {}
                Some(("leaves", file)) => {
                    let leaves = Leaves::open(Path::new(file), &rules.tiles)
                        .map_err(|error| error.to_string())?;
                    player.leaves = Some(leaves);
                }
                Some(("wordmap", "on")) => player.wordmap = true,
                Some(("wordmap", "off")) => player.wordmap = false,
                _ => {
                    return Err(format!(
                        "'{pair}': a player is leaves=auto|none|FILE and wordmap=on|off, with commas"
                    ));
                }
            }
        }
        Ok(player)
    }
}

/// Plays the games and prints what came of them.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let rules = Arc::new(Files::default().rules(&arguments.rules)?);
    if rules.players.0 != 2 {
        return Err(format!("'{}' is not for two players", arguments.rules));
    }
    let lexicon = match arguments.lexicon.as_str() {
        name if name.eq_ignore_ascii_case("OEL26") => {
            Lexicon::embedded(&rules.tiles)
                .map_err(|error| error.to_string())?
                .0
        }
        file => {
            Lexicon::open(Path::new(file), &rules.tiles, Encoding::Auto)
                .map_err(|error| error.to_string())?
                .0
        }
    };
    let players = [
        Player::parse(&arguments.p1, &rules)?,
        Player::parse(&arguments.p2, &rules)?,
    ];
    // They share a board, and so the way to look at it: one player without the map is both without.
    let map = players
        .iter()
        .all(|player| player.wordmap)
        .then(|| WordMap::new(lexicon.graph(), rules.board.side().into()))
        .flatten();
    let words = Words {
        graph: lexicon.graph(),
        map: map.as_ref(),
    };
    let leaves = [players[0].leaves.as_ref(), players[1].leaves.as_ref()];
    let records = match &arguments.gcg {
        Some(folder) => Some(Records::new(folder, arguments, &rules, lexicon.name())?),
        None => None,
    };
    let start = Instant::now();
    let tally = play_all(
        arguments,
        &Players {
            rules: &rules,
            words,
            each: leaves.map(autoplay::Player::Static),
        },
        records.as_ref(),
    )?;
    let summary = Summary {
        tally,
        pairs: arguments.pairs,
        seconds: start.elapsed().as_secs_f64(),
    };
    let said = match arguments.json {
        true => say(summary.json()),
        false => say(summary),
    };
    said.map_err(|error| error.to_string())
}

fn play_all(
    arguments: &Arguments,
    players: &Players,
    records: Option<&Records>,
) -> Result<Tally, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads.into())
        .build();
    let pool = pool.map_err(|error| error.to_string())?;
    let what = if arguments.pairs { "pairs" } else { "games" };
    let progress = Progress::new(what, arguments.games);
    let unit = |unit: u64| -> Result<Tally, String> {
        let seed = Seed(arguments.seed).for_unit(unit);
        let mut games = vec![(play(players, [0, 1], seed), 0)];
        if arguments.pairs {
            games.push((play(players, [1, 0], seed), 1));
        }
        for (game, seat) in &games {
            records.map_or(Ok(()), |records| records.write(unit, game, *seat))?;
        }
        progress.step();
        Ok(Tally::of(&games))
    };
    // Sums of integers: any number of threads gives the same.
    pool.install(|| {
        (0..arguments.games)
            .into_par_iter()
            .map(unit)
            .try_reduce(Tally::default, |one, other| Ok(one.merge(other)))
    })
}

/// Where records of games are written: `0001.gcg` and so on, `0001a.gcg` and
/// `0001b.gcg` for the games of a pair.
struct Records<'a> {
    folder: &'a Path,
    arguments: &'a Arguments,
    rules: &'a Arc<RuleSet>,
    lexicon: &'a str,
}

impl<'a> Records<'a> {
    /// Makes the folder if it is not there.
    fn new(
        folder: &'a Path,
        arguments: &'a Arguments,
        rules: &'a Arc<RuleSet>,
        lexicon: &'a str,
    ) -> Result<Records<'a>, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Records {
            folder,
            arguments,
            rules,
            lexicon,
        })
    }

    /// Writes a game of a unit, in which the first player sat on `seat`.
    fn write(&self, unit: u64, result: &GameResult, seat: usize) -> Result<(), String> {
        let (number, games) = (unit + 1, self.arguments.games);
        let width = games.to_string().len().max(4);
        let half = match self.arguments.pairs {
            true => ["a", "b"][seat],
            false => "",
        };
        let path = self.folder.join(format!("{number:0width$}{half}.gcg"));
        let fail = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let game = replay(result, self.rules).map_err(|error| fail(&error))?;
        let names = [("p1", &self.arguments.p1), ("p2", &self.arguments.p2)];
        let player = |player: usize| gcg::Player {
            nick: names[player].0.to_string(),
            name: format!("Cazique {}", names[player].1),
        };
        let mut record =
            Record::of(&game, &[player(seat), player(1 - seat)]).map_err(|error| fail(&error))?;
        let (rules, seed) = (&self.rules.name, self.arguments.seed);
        for (name, text) in [
            ("title", format!("Static game {number}{half} of {games}")),
            ("description", format!("rules {rules}, seed {seed}")),
            ("lexicon", self.lexicon.to_string()),
        ] {
            let name = name.to_string();
            record.pragmas.push(Pragma { name, text });
        }
        fs::write(&path, record.to_text()).map_err(|error| fail(&error))
    }
}

/// The game with everything that the rules know of it.
fn replay(result: &GameResult, rules: &Arc<RuleSet>) -> Result<Game, String> {
    let mut game = Game::new(Arc::clone(rules), 2).map_err(|error| error.to_string())?;
    for (turn, rack) in result.turns.iter().zip(&result.racks) {
        let seat = game.position().turn();
        game.set_rack(seat, *rack)
            .map_err(|error| error.to_string())?;
        game.play(turn).map_err(|error| error.to_string())?;
    }
    for (seat, rack) in result.left.iter().enumerate() {
        game.set_rack(seat, *rack)
            .map_err(|error| error.to_string())?;
    }
    Ok(game)
}

/// Sums over units, a unit being a game or a mirrored pair, from the first player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    units: i64,
    games: i64,
    wins: [i64; 2],
    draws: i64,
    /// Games that were given up.
    unfinished: i64,
    turns: i64,
    bonuses: [i64; 2],
    /// Twice the games won, draws once: sum and sum of squares over units.
    success: [i64; 2],
    spread: [i64; 2],
    scores: [[i64; 2]; 2],
    /// The sum of the games' signatures: the same games give the same, in any order.
    signature: u64,
}

impl Tally {
    /// One unit; each game comes with the seat of the first player.
    fn of(games: &[(GameResult, usize)]) -> Tally {
        let mut tally = Tally {
            units: 1,
            ..Tally::default()
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
                tally.bonuses[player] += i64::from(game.bonuses[seat]);
            }
        }
        tally.success = [success, success * success];
        tally.spread = [spread, spread * spread];
        tally.scores = scores.map(|score| [score, score * score]);
        tally
    }

    fn merge(self, other: Tally) -> Tally {
        let add = |a: [i64; 2], b: [i64; 2]| [a[0] + b[0], a[1] + b[1]];
        Tally {
            units: self.units + other.units,
            games: self.games + other.games,
            wins: add(self.wins, other.wins),
            draws: self.draws + other.draws,
            unfinished: self.unfinished + other.unfinished,
            turns: self.turns + other.turns,
            bonuses: add(self.bonuses, other.bonuses),
            success: add(self.success, other.success),
            spread: add(self.spread, other.spread),
            scores: [
                add(self.scores[0], other.scores[0]),
                add(self.scores[1], other.scores[1]),
            ],
            signature: self.signature.wrapping_add(other.signature),
        }
    }

    /// The mean of a sum over games, and its standard error from the spread over units; of one unit that is not a number.
    fn mean(&self, sums: [i64; 2]) -> (f64, f64) {
        let (units, games) = (self.units as f64, self.games as f64);
        let each = games / units;
        let mean = sums[0] as f64 / units;
        let variance = (sums[1] as f64 / units - mean * mean).max(0.0) * units / (units - 1.0);
        (mean / each, (variance / units).sqrt() / each)
    }
}

/// What is told in the end.
struct Summary {
    tally: Tally,
    pairs: bool,
    seconds: f64,
}

impl Summary {
    fn json(&self) -> Value {
        let Tally {
            games,
            wins,
            draws,
            turns,
            bonuses,
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
            })
        };
        json!({
            "games": games, "pairs": self.pairs, "seconds": self.seconds,
            "games_per_second": games as f64 / self.seconds,
            "p1": player(0), "p2": player(1),
            "bingos": bonuses[0] + bonuses[1], "turns": turns,
            "unfinished": self.tally.unfinished,
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
        writeln!(
            f,
            "{} games in {:.1} s, {rate:.0} a second",
            tally.games, self.seconds
        )?;
        writeln!(
            f,
            "p1 wins {} draws {} p2 wins {}",
            tally.wins[0], tally.draws, tally.wins[1]
        )?;
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
        writeln!(f, "{:.1} turns a game", each(tally.turns))?;
        if tally.unfinished > 0 {
            writeln!(f, "{} games given up after many turns", tally.unfinished)?;
        }
        write!(f, "signature {:016x}", tally.signature)
    }
}

/// A standard error, if one is known.
fn error_bar(error: f64, digits: usize) -> String {
    match error.is_nan() {
        true => String::new(),
        false => format!(" ± {error:.digits$}"),
    }
}
