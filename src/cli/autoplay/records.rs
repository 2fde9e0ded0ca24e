//! Writes a GCG file for each game.

use super::Arguments;
use crate::autoplay::GameResult;
use crate::cli::Failure;
use crate::notation::gcg::{self, GameRecord, Pragma};
use crate::rules::{Game, RuleSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The folder for records: `0001.gcg` and so on, or `0001a.gcg` and `0001b.gcg` for the games of a
/// pair.
pub(super) struct RecordFolder<'a> {
    folder: &'a Path,
    arguments: &'a Arguments,
    rules: &'a Arc<RuleSet>,
    lexicon: &'a str,
}

impl<'a> RecordFolder<'a> {
    /// Makes the folder if it does not exist. One that holds records is refused: those of two runs
    /// could not be told apart.
    pub fn new(
        folder: &'a Path,
        arguments: &'a Arguments,
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
            rules,
            lexicon,
        })
    }

    /// Writes a game of a unit, in which the first player had the seat `seat`.
    pub fn write(&self, unit: u64, result: &GameResult, seat: usize) -> Result<(), String> {
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
        let player = |player: usize| gcg::GcgPlayer {
            line: 0,
            nick: names[player].0.to_string(),
            name: format!("Cazique {}", names[player].1),
        };
        let mut record = GameRecord::of(&game, &[player(seat), player(1 - seat)])
            .map_err(|error| fail(&error))?;
        let (rules, seed) = (&self.rules.name, self.arguments.seed);
        for (name, text) in [
            ("title", format!("Game {number}{half} of {games}")),
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
    let mut game = Game::new(Arc::clone(rules), 2)?;
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
