//! Writes a GCG file for each game.

use super::{Arguments, PLAYER_NAMES};
use crate::autoplay::GameResult;
use crate::cli::Failure;
use crate::notation::gcg::{self, GameRecord, Pragma};
use crate::rules::{Game, RuleSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The folder for records: `0001.gcg` and so on, or `0001a.gcg`, `0001b.gcg` and so on for the games
/// of one deal.
pub(super) struct RecordFolder<'a> {
    folder: &'a Path,
    arguments: &'a Arguments,
    /// The settings of each player.
    players: &'a [&'a str],
    rules: &'a Arc<RuleSet>,
    lexicon: &'a str,
}

impl<'a> RecordFolder<'a> {
    /// Makes the folder if it does not exist. One that holds records is refused: those of two runs
    /// could not be told apart.
    pub fn new(
        folder: &'a Path,
        arguments: &'a Arguments,
        players: &'a [&'a str],
        rules: &'a Arc<RuleSet>,
        lexicon: &'a str,
    ) -> Result<RecordFolder<'a>, String> {
        let fail = |error: &dyn fmt::Display| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(|error| fail(&error))?;
        for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
            let path = entry.map_err(|error| fail(&error))?.path();
            if path.extension().is_some_and(|ending| ending == "gcg") {
                let name = path.file_name().unwrap_or_default().display().to_string();
                return Err(fail(&format_args!(
                    "the folder holds game records already, such as {name}; name another folder, or remove them"
                )));
            }
        }
        Ok(RecordFolder {
            folder,
            arguments,
            players,
            rules,
            lexicon,
        })
    }

    /// Writes a game of a unit.
    pub fn write(&self, unit: u64, result: &GameResult) -> Result<(), String> {
        let (number, games) = (unit + 1, self.arguments.games);
        let width = games.to_string().len().max(4);
        let game_of_deal = match self.arguments.pairs {
            true => ["a", "b", "c", "d"][result.first],
            false => "",
        };
        let name = format!("{number:0width$}{game_of_deal}.gcg");
        let path = self.folder.join(name);
        let fail = |error: &dyn fmt::Display| format!("{}: {error}", path.display());
        let game = replay(result, self.rules).map_err(|error| fail(&error))?;
        let player = |seat| {
            let player = result.player_on(seat);
            gcg::GcgPlayer {
                line: 0,
                nick: PLAYER_NAMES[player].to_string(),
                name: format!("Cazique {}", self.players[player]),
            }
        };
        let players: Vec<gcg::GcgPlayer> = (0..self.players.len()).map(player).collect();
        let mut record = GameRecord::of(&game, &players).map_err(|error| fail(&error))?;
        let (rules, seed) = (&self.rules.name, self.arguments.seed);
        for (name, text) in [
            ("title", format!("Game {number}{game_of_deal} of {games}")),
            ("description", format!("rules {rules}, seed {seed}")),
            ("lexicon", self.lexicon.to_string()),
        ] {
            record.pragmas.push(Pragma::new(name, &text));
        }
        fs::write(&path, record.to_text()).map_err(|error| fail(&error))
    }
}

/// Plays the moves again, which gives the scores of every turn.
fn replay(result: &GameResult, rules: &Arc<RuleSet>) -> Result<Game, Failure> {
    let mut game = Game::new(Arc::clone(rules), result.scores.len())?;
    for (turn, rack) in result.turns.iter().zip(&result.racks) {
        let seat = game.position().to_move();
        game.set_rack(seat, *rack)?;
        game.play(turn)?;
    }
    for (seat, rack) in result.left.iter().enumerate() {
        game.set_rack(seat, *rack)?;
    }
    Ok(game)
}
