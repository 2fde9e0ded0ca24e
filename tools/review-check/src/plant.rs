//! Plants one mistake in each game.
//!
//! A game is played by search. At one turn the best move is replaced by another one that looks
//! plausible by static evaluation, and whose loss a long search of both moves in the same worlds
//! knows. Most mistakes are made in the open game, some in pre-endgames and endgames.

use crate::games::{DealtGame, GameSettings};
use anyhow::{Context, Result, bail};
use cazique::cli::progress::Progress;
use cazique::engine::{Analysis, Figure, Mode, SearchRequest};
use cazique::notation::gcg::GameRecord;
use cazique::notation::moves;
use cazique::review::ReviewPhase;
use cazique::rules::{Position, Turn};
use cazique::seed::Seed;
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The file that says where the mistakes are.
pub const INDEX_FILE: &str = "planted.json";

/// A move is plausible if its rank by static evaluation is not below this one. Chosen by hand.
const PLAUSIBLE_MOVES: usize = 60;
/// The number of plausible moves of a turn that are tried. Chosen by hand: more cost more time.
const TRIED_MOVES: usize = 6;
/// The iterations of the search that tries them. Chosen by hand.
const TRIAL_ITERATIONS: u64 = 100;
/// The number of moves of a turn that get a long search. Chosen by hand.
const LONG_SEARCHES: usize = 2;
/// The number of best moves that each of them is compared with. Chosen by hand.
const COMPARED_MOVES: usize = 3;
/// The iterations of the long search: enough for [`MAX_ERROR`] in close games.
const LONG_ITERATIONS: u64 = 1_000;
/// The largest standard error of a planted loss, in percentage points.
const MAX_ERROR: f64 = 2.0;
/// The loss of a planted mistake in percentage points, from and to. In endgames every loss that gives
/// away a result will do, because there are only three results.
const PLANTED_LOSS: [f64; 2] = [12.0, 40.0];
/// The number of games that are played at most to plant one mistake. Chosen by hand: it ends runs by
/// rules under which nothing can be planted.
const MAX_GAMES: u64 = 100;
/// The phases of the mistakes repeat after this number of games: the first ones get a mistake in the
/// open game. Chosen by hand.
const CYCLE: u64 = 10;
/// The next games of a [`CYCLE`]: their mistakes are made in the pre-endgame. Chosen by hand.
const PREENDGAMES: u64 = 2;
/// The last games of a [`CYCLE`]: their mistakes are made in the endgame. Chosen by hand.
const ENDGAMES: u64 = 1;

/// A planted mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlantedMistake {
    /// The file of the record, in the folder of the index.
    pub record: String,
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The tiles in the bag before it.
    pub bag: usize,
    /// The move that was played.
    pub played: String,
    /// The best move.
    pub best: String,
    /// The win probability lost, in percentage points.
    pub loss: f64,
    /// Its standard error.
    pub error: f64,
}

/// Plays the games and writes their records and the index. Returns the index as a table.
pub fn write_games(settings: &GameSettings, folder: &Path) -> Result<String> {
    let shown = folder.display();
    fs::create_dir_all(folder).with_context(|| format!("{shown}"))?;
    if folder.join(INDEX_FILE).exists() {
        bail!("{shown} holds such games already; name another folder");
    }
    let progress = Progress::new("games", settings.count);
    let play = |unit: u64| -> Result<PlantedMistake> {
        let (record, planted) = game(settings, unit)?;
        fs::write(folder.join(&planted.record), record.to_text())?;
        progress.step();
        Ok(planted)
    };
    let all: Result<Vec<PlantedMistake>> = (0..settings.count).into_par_iter().map(play).collect();
    let all = all?;
    fs::write(
        folder.join(INDEX_FILE),
        serde_json::to_string_pretty(&all)? + "\n",
    )?;
    let lines = all.iter().map(|planted| {
        let PlantedMistake { record, turn, .. } = planted;
        format!(
            "{record} turn {turn:2} bag {:2}  {:20} best {:20} loss {:5.1} ± {:.1}",
            planted.bag, planted.played, planted.best, planted.loss, planted.error
        )
    });
    Ok(lines.collect::<Vec<String>>().join("\n"))
}

/// A game with a planted mistake.
fn game(settings: &GameSettings, unit: u64) -> Result<(GameRecord, PlantedMistake)> {
    let phase = wanted_phase(unit);
    for attempt in 0..MAX_GAMES {
        let seed = settings.seed.for_unit(unit).for_unit(attempt);
        if let Some((game, planted)) = play(settings, seed, phase)? {
            let record = format!("{:04}.gcg", unit + 1);
            return Ok((game.record(unit)?, PlantedMistake { record, ..planted }));
        }
    }
    bail!("in {MAX_GAMES} games no mistake could be planted in the phase {phase:?}")
}

/// The phase in which the mistake of a game is planted.
fn wanted_phase(unit: u64) -> ReviewPhase {
    match unit % CYCLE {
        at if at < CYCLE - PREENDGAMES - ENDGAMES => ReviewPhase::Open,
        at if at < CYCLE - ENDGAMES => ReviewPhase::PreEndgame,
        _ => ReviewPhase::Endgame,
    }
}

/// The phase of a turn, as reviews name it.
fn phase_of(position: &Position) -> ReviewPhase {
    match position.bag_len() {
        0 => ReviewPhase::Endgame,
        bag if bag <= position.rules().rack_size => ReviewPhase::PreEndgame,
        _ => ReviewPhase::Open,
    }
}

/// The number of turns of a phase among which the first one is drawn at which a mistake may be
/// planted. Chosen by hand: nearly all games have as many.
fn first_turns(phase: ReviewPhase) -> usize {
    match phase {
        ReviewPhase::Open => 15,
        ReviewPhase::PreEndgame | ReviewPhase::Endgame => 2,
    }
}

/// The unit of a game's seed that chooses the turn, and of a turn's seed that chooses the moves to try.
const CHOICE_UNIT: u64 = u64::MAX - 1;
/// The unit of a turn's seed for the search that tries moves.
const TRIAL_UNIT: u64 = 1;
/// The unit of a turn's seed for the long search.
const LONG_UNIT: u64 = 2;

/// Plays a game with a mistake in a phase, at a random turn or at the next one that offers a mistake.
/// `None` if no turn does.
fn play(
    settings: &GameSettings,
    seed: Seed,
    phase: ReviewPhase,
) -> Result<Option<(DealtGame<'_>, PlantedMistake)>> {
    let mut chance = seed.for_unit(CHOICE_UNIT).generator();
    let mut skipped = chance.random_range(0..first_turns(phase));
    let mut planted = None;
    let mut game = DealtGame::start(settings, seed)?;
    while !game.is_over() {
        let now = phase_of(game.position());
        if planted.is_none() && now > phase {
            return Ok(None);
        }
        let found = settings.choice(game.position(), game.turn_seed())?;
        let mut turn = found.best().unwrap_or(Turn::Pass);
        if planted.is_none() && now == phase {
            if skipped > 0 {
                skipped -= 1;
            } else if let Some(mistake) = mistake(settings, &game, &found)? {
                turn = mistake.turn;
                planted = Some(planted_mistake(&game, &mistake));
            }
        }
        game.make(&turn)?;
    }
    Ok(planted.map(|planted| (game, planted)))
}

/// A move that is a mistake.
struct Mistake {
    turn: Turn,
    best: Turn,
    loss: f64,
    error: f64,
}

fn planted_mistake(game: &DealtGame, mistake: &Mistake) -> PlantedMistake {
    let position = game.position();
    PlantedMistake {
        record: String::new(),
        turn: game.turns + 1,
        bag: position.bag_len(),
        played: code(&mistake.turn, position),
        best: code(&mistake.best, position),
        loss: mistake.loss,
        error: mistake.error,
    }
}

/// A plausible move that is a mistake of the right size, if one is found.
fn mistake(settings: &GameSettings, game: &DealtGame, found: &Analysis) -> Result<Option<Mistake>> {
    let (position, seed) = (game.position(), game.turn_seed());
    let best = found.best().unwrap_or(Turn::Pass);
    let mut plausible = plausible(settings, position, best)?;
    let mut chance = seed.for_unit(CHOICE_UNIT).generator();
    let mut tried = vec![best];
    while tried.len() <= TRIED_MOVES && !plausible.is_empty() {
        let at = chance.random_range(0..plausible.len());
        tried.push(plausible.swap_remove(at));
    }
    let trial = compare(
        settings,
        position,
        &tried,
        TRIAL_ITERATIONS,
        seed.for_unit(TRIAL_UNIT),
    )?;
    let is_near =
        |turn: &&Turn| loss(&trial, **turn).is_some_and(|loss| fits(loss.value, position));
    let near: Vec<Turn> = tried[1..].iter().filter(is_near).copied().collect();
    let candidates = found.candidates();
    let best_moves = candidates.iter().map(|found| found.candidate.turn);
    let best_moves: Vec<Turn> = best_moves.take(COMPARED_MOVES).collect();
    for &turn in near.iter().take(LONG_SEARCHES) {
        let others = best_moves.iter().filter(|other| **other != turn);
        let compared: Vec<Turn> = others.copied().chain([turn]).collect();
        let long = seed.for_unit(LONG_UNIT);
        let long = compare(settings, position, &compared, LONG_ITERATIONS, long)?;
        if let Some(Figure {
            value,
            error: Some(error),
        }) = loss(&long, turn)
            && fits(value, position)
            && error < MAX_ERROR
        {
            return Ok(Some(Mistake {
                turn,
                best: long.best().unwrap_or(best),
                loss: value,
                error,
            }));
        }
    }
    Ok(None)
}

/// Whether a mistake with this loss can be planted in a position.
fn fits(loss: f64, position: &Position) -> bool {
    let [least, most] = PLANTED_LOSS;
    loss >= least && (loss <= most || position.bag_len() == 0)
}

/// The best moves by static evaluation, without the best one of the search.
fn plausible(settings: &GameSettings, position: &Position, best: Turn) -> Result<Vec<Turn>> {
    let request = SearchRequest {
        mode: Mode::Rank,
        candidates: Some(PLAUSIBLE_MOVES),
        ..SearchRequest::default()
    };
    let ranked = settings.search(position, request)?;
    let candidates = ranked.candidates();
    let turns = candidates.iter().map(|found| found.candidate.turn);
    Ok(turns.filter(|turn| *turn != best).collect())
}

/// A search of these moves alone, all of which are valued to the end.
fn compare(
    settings: &GameSettings,
    position: &Position,
    turns: &[Turn],
    iterations: u64,
    seed: Seed,
) -> Result<Analysis> {
    let codes: Vec<String> = turns.iter().map(|turn| code(turn, position)).collect();
    let request = SearchRequest {
        candidates: Some(codes.len()),
        only: codes.clone(),
        also: codes,
        iterations: Some(iterations),
        seed: Some(seed.0),
        ..SearchRequest::default()
    };
    settings.search(position, request)
}

/// The win probability that a move loses against the best one, in percentage points. In a simulation
/// it is a mean of differences world by world.
fn loss(found: &Analysis, turn: Turn) -> Option<Figure> {
    let (candidates, best) = (found.candidates(), found.best()?);
    let find = |turn: Turn| {
        candidates
            .iter()
            .find(move |one| one.candidate.turn == turn)
    };
    let own = find(turn)?;
    if let Some((lead, _)) = own.best_lead() {
        return Some(lead);
    }
    let (best, own) = (find(best)?.win()?, own.win()?);
    let errors = best.error.zip(own.error);
    Some(Figure {
        value: best.value - own.value,
        error: errors.map(|(a, b)| a.hypot(b)),
    })
}

fn code(turn: &Turn, position: &Position) -> String {
    moves::write(turn, position.grid(), &position.rules().tiles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cazique::engine::Engine;

    #[test]
    fn of_twenty_games_some_get_their_mistake_near_the_end() {
        let count = |phase| (0..20).filter(|&unit| wanted_phase(unit) == phase).count();
        let phases = [
            ReviewPhase::Open,
            ReviewPhase::PreEndgame,
            ReviewPhase::Endgame,
        ];
        assert_eq!(phases.map(count), [14, 4, 2]);
    }

    #[test]
    fn a_mistake_is_neither_too_small_nor_too_large() {
        let engine = Engine::new().unwrap();
        let position = Position::start(engine.rules().clone(), 2).unwrap();
        for (loss, expected) in [(11.9, false), (12.0, true), (40.0, true), (40.1, false)] {
            assert_eq!(fits(loss, &position), expected, "{loss}");
        }
    }
}
