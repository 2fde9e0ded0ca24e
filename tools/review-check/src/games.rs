//! Games of the engine against itself, turn by turn, and their records.

use anyhow::{Result, anyhow};
use cazique::engine::{Analysis, Mode, SearchData, SearchDefaults, SearchRequest, think};
use cazique::notation::gcg::{GameRecord, GcgPlayer, Pragma};
use cazique::rules::{Deal, Game, Position, RuleSet, Turn};
use cazique::seed::Seed;
use std::sync::Arc;

/// The games of a run.
pub struct GameSettings {
    /// The rules.
    pub rules: Arc<RuleSet>,
    /// The words and tables of all searches.
    pub data: SearchData,
    /// The values of searches where a request leaves them open.
    pub defaults: SearchDefaults,
    /// Who plays, on both seats.
    pub player: Player,
    /// The number of games.
    pub count: u64,
    /// The seed of all games.
    pub seed: Seed,
}

/// How a player chooses a move.
#[derive(Clone, Copy)]
pub enum Player {
    /// The best move by static evaluation.
    Static,
    /// The best move of a search of this number of iterations.
    Searching(u64),
}

impl GameSettings {
    /// Searches a position in the calling thread.
    pub fn search(&self, position: &Position, request: SearchRequest) -> Result<Analysis> {
        let request = SearchRequest {
            threads: Some(1),
            ..request
        };
        think(position, &self.data, &self.defaults, &request).map_err(|error| anyhow!(error))
    }

    /// What the player to move finds.
    pub fn choice(&self, position: &Position, seed: Seed) -> Result<Analysis> {
        let (mode, iterations) = match self.player {
            Player::Static => (Mode::Rank, None),
            Player::Searching(iterations) => (Mode::Auto, Some(iterations)),
        };
        let request = SearchRequest {
            mode,
            iterations,
            seed: Some(seed.0),
            ..SearchRequest::default()
        };
        self.search(position, request)
    }

    /// Plays one game to its end.
    pub fn play(&self, unit: u64) -> Result<GameRecord> {
        let mut game = DealtGame::start(self, self.seed.for_unit(unit))?;
        while !game.is_over() {
            let found = self.choice(game.position(), game.turn_seed())?;
            game.make(&found.best().unwrap_or(Turn::Pass))?;
        }
        game.record(unit)
    }
}

/// A game in progress in which all tiles are dealt.
pub struct DealtGame<'a> {
    settings: &'a GameSettings,
    game: Game,
    deal: Deal,
    seed: Seed,
    /// The number of turns so far.
    pub turns: usize,
}

/// The unit of a game's seed that deals its tiles; the others are the turns.
const DEAL_UNIT: u64 = u64::MAX;

impl<'a> DealtGame<'a> {
    /// The start of a game between two players.
    pub fn start(settings: &'a GameSettings, seed: Seed) -> Result<DealtGame<'a>> {
        let mut game = DealtGame {
            settings,
            game: Game::new(settings.rules.clone(), 2)?,
            deal: Deal::start(&settings.rules, 2, seed.for_unit(DEAL_UNIT)),
            seed,
            turns: 0,
        };
        game.show_rack()?;
        Ok(game)
    }

    /// The position as the player to move sees it.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The seed of the search of this turn.
    pub fn turn_seed(&self) -> Seed {
        self.seed.for_unit(self.turns as u64)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.game.end().is_some()
    }

    /// Makes a move.
    pub fn make(&mut self, turn: &Turn) -> Result<()> {
        let seat = self.position().to_move();
        let points = self.game.play(turn)?;
        // The opponent does not see the tiles that stay.
        self.game.forget_rack(seat);
        self.deal.play(turn, points, &self.settings.rules);
        self.turns += 1;
        match self.is_over() {
            true => Ok(()),
            false => self.show_rack(),
        }
    }

    fn show_rack(&mut self) -> Result<()> {
        let seat = self.position().to_move();
        Ok(self.game.set_rack(seat, *self.deal.rack(seat))?)
    }

    /// The record of the game, once it is over.
    pub fn record(mut self, unit: u64) -> Result<GameRecord> {
        for seat in 0..2 {
            self.game.set_rack(seat, *self.deal.rack(seat))?;
        }
        let player = |nick: &str| GcgPlayer {
            line: 0,
            nick: nick.to_string(),
            name: format!("Cazique {nick}"),
        };
        let mut record = GameRecord::of(&self.game, &["A", "B"].map(player))?;
        let (rules, seed) = (&self.settings.rules.name, self.settings.seed.0);
        for (name, text) in [
            ("title", format!("Game {}", unit + 1)),
            ("description", format!("rules {rules}, seed {seed}")),
            (
                "lexicon",
                self.settings.data.words.lexicon.name().to_string(),
            ),
        ] {
            record.pragmas.push(Pragma::new(name, &text));
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cazique::engine::Engine;
    use cazique::notation::gcg::ReadMode;

    #[test]
    fn a_game_has_a_record_with_all_its_turns_and_depends_on_its_seed_alone() {
        let engine = Engine::new().unwrap();
        let settings = |player| GameSettings {
            rules: engine.rules().clone(),
            data: engine.prepare(Mode::Simulate).unwrap(),
            defaults: engine.options().search.clone(),
            player,
            count: 1,
            seed: Seed(3),
        };
        for player in [Player::Static, Player::Searching(2)] {
            let settings = settings(player);
            let text = settings.play(0).unwrap().to_text();
            assert_eq!(settings.play(0).unwrap().to_text(), text);
            assert_ne!(settings.play(1).unwrap().to_text(), text);
            let (record, _) = GameRecord::parse(text.as_bytes(), ReadMode::Strict).unwrap();
            let replay = record.replay(&settings.rules, ReadMode::Strict).unwrap();
            assert!(replay.game.end().is_some() && record.turns() > 10, "{text}");
        }
    }
}
