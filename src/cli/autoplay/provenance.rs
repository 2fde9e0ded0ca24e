//! What a match was played with: the engine, the rules, the words, and the data of each player.

use super::PLAYER_NAMES;
use super::player::PlayerSettings;
use crate::engine::{NAME, VERSION};
use crate::rules::RuleSet;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// Names and checksums that make a match reproducible, together with its signature.
pub(super) struct MatchProvenance {
    engine: String,
    rules: String,
    lexicon: String,
    lexicon_hash: u64,
    seed: u64,
    players: Vec<PlayerProvenance>,
    /// What may be wrong with the data, for people.
    pub warnings: Vec<String>,
}

/// The settings of a player, and the tables that it uses, by name and checksum.
#[derive(PartialEq, Eq)]
struct PlayerProvenance {
    settings: String,
    leaves: String,
    win_table: String,
}

impl MatchProvenance {
    pub fn new(rules: &RuleSet, seed: u64, players: &[PlayerSettings]) -> MatchProvenance {
        let lexicon = &players[0].data().words.lexicon;
        let about_data = |player: &PlayerSettings| {
            let missing = player.data().missing_tables(rules).into_iter();
            missing.chain(player.data().warnings(rules))
        };
        // Each warning once, although several players may give it.
        let warnings: BTreeSet<String> = players.iter().flat_map(about_data).collect();
        let about_player = |player: &PlayerSettings| PlayerProvenance {
            settings: player.text().to_string(),
            leaves: player.data().leaves.id.clone(),
            win_table: player.data().win_table.id.clone(),
        };
        MatchProvenance {
            engine: format!("{NAME}/{VERSION}"),
            rules: rules.name.clone(),
            lexicon: lexicon.name().to_string(),
            lexicon_hash: lexicon.hash(),
            seed,
            players: players.iter().map(about_player).collect(),
            warnings: warnings.into_iter().collect(),
        }
    }

    /// The number of players.
    pub fn player_count(&self) -> usize {
        self.players.len()
    }

    /// Whether all players have the same settings and the same data.
    pub fn has_identical_players(&self) -> bool {
        self.players.iter().all(|player| *player == self.players[0])
    }

    pub fn json(&self) -> Value {
        let player = |player: &PlayerProvenance| {
            json!({
                "settings": player.settings, "leaves": player.leaves, "winpct": player.win_table,
            })
        };
        let mut object = json!({
            "engine": self.engine, "rules": self.rules, "seed": self.seed,
            "lexicon": self.lexicon, "lexicon_hash": format!("{:016x}", self.lexicon_hash),
        });
        for (name, provenance) in PLAYER_NAMES.iter().zip(&self.players) {
            object[*name] = player(provenance);
        }
        object
    }

    /// Writes a line for the match and a line for each player.
    pub fn write(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let MatchProvenance {
            engine,
            rules,
            lexicon,
            lexicon_hash,
            seed,
            ..
        } = self;
        writeln!(
            f,
            "{engine}, rules {rules}, lexicon {lexicon} {lexicon_hash:016x}, seed {seed}"
        )?;
        for (name, player) in PLAYER_NAMES.iter().zip(&self.players) {
            let PlayerProvenance {
                settings,
                leaves,
                win_table,
            } = player;
            writeln!(f, "{name} {settings}; leaves {leaves}, winpct {win_table}")?;
        }
        Ok(())
    }
}
