//! Static games of every preset and every variation, with every number of players that the rules
//! allow: they end by the rules, and no tile is lost or made.

use crate::support::{Client, lexicon, repository, rules, run};
use cazique::autoplay::{GameResult, PlayerKind, Players, SelfPlayGame};
use cazique::movegen::Words;
use cazique::rules::{Embedded, PRESETS, RuleSet, Turn};
use cazique::seed::Seed;
use cazique::tiles::Face;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;

/// A line of `tools/every-game.settings`.
struct Setting {
    name: String,
    players: Vec<usize>,
    games: usize,
    rules: RuleSet,
}

fn settings() -> Vec<Setting> {
    let text = fs::read_to_string(repository("tools/every-game.settings")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(setting).collect()
}

fn setting(line: &str) -> Setting {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, players, games, changes] = columns.as_slice() else {
        panic!("{line}: a setting has four columns");
    };
    let file = changes.replace(", ", "\n");
    let players = players.split(' ').map(|count| count.parse().unwrap());
    Setting {
        name: name.to_string(),
        players: players.collect(),
        games: games.parse().unwrap(),
        rules: RuleSet::parse(name, &file, &Embedded).unwrap(),
    }
}

#[test]
fn the_settings_have_every_preset_with_every_number_of_players() {
    let settings = settings();
    for Setting {
        name,
        players,
        rules,
        ..
    } in &settings
    {
        let (fewest, most) = rules.players;
        assert_eq!(*players, (fewest..=most).collect::<Vec<_>>(), "{name}");
        // The only setting of the rules that lets a game go on for ever.
        assert_ne!(rules.max_scoreless_rounds, 0, "{name}");
    }
    let names: BTreeSet<&str> = settings.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), settings.len());
    for preset in PRESETS {
        assert!(names.contains(preset), "{preset}");
    }
}

/// Plays the games of the settings that are `meant`.
fn play_settings(is_meant: impl Fn(&Setting) -> bool) {
    let settings: Vec<Setting> = settings().into_iter().filter(is_meant).collect();
    assert!(!settings.is_empty());
    for setting in &settings {
        let mut unusual = 0;
        for &count in &setting.players {
            let results = (0..setting.games).into_par_iter();
            let results = results.map(|unit| play_and_count_tiles(setting, count, unit));
            let is_unusual = |turn: &Turn| matches!(turn, Turn::Edited(_) | Turn::Rearrange(_));
            unusual += results
                .map(|result| result.turns.iter().filter(|turn| is_unusual(turn)).count())
                .sum::<usize>();
        }
        assert_eq!(
            unusual > 0,
            changes_turns(setting),
            "{}: {unusual} turns with edits or rearrangements",
            setting.name
        );
    }
}

/// Whether the rules have turns that other rules do not have.
fn changes_turns(setting: &Setting) -> bool {
    ["recycle", "rearrange", "all"]
        .iter()
        .any(|start| setting.name.starts_with(start))
}

/// Plays a game; the players take turns at moving first.
fn play_and_count_tiles(setting: &Setting, count: usize, unit: usize) -> GameResult {
    let Setting { name, rules, .. } = setting;
    let players = Players {
        rules,
        words: Words::new(lexicon(&rules.tiles).graph(), None),
        each: vec![PlayerKind::Static(None); count],
    };
    let mut game = SelfPlayGame::new(&players, unit % count, Seed(5).for_unit(unit as u64));
    while !game.is_over() {
        game.play_turn();
        let mut tiles = game.tiles_off_board();
        tiles.extend(game.generator().grid().faces().map(Face::tile));
        assert_eq!(tiles, rules.tiles.all(), "{name}, {count} players, {unit}");
    }
    let result = game.finish();
    let is_ended = result.end.is_some() && result.forfeit.is_none();
    assert!(is_ended, "{name}, {count} players, game {unit} has no end");
    assert!(!result.winners.is_empty(), "{name}, {count} players");
    result
}

#[test]
fn games_of_every_preset_end_and_keep_all_tiles() {
    play_settings(|setting| PRESETS.contains(&setting.name.as_str()));
}

#[test]
fn games_of_variations_with_ordinary_turns_end_and_keep_all_tiles() {
    play_settings(|setting| !PRESETS.contains(&setting.name.as_str()) && !changes_turns(setting));
}

#[test]
fn games_with_edits_and_rearrangements_end_and_keep_all_tiles() {
    play_settings(changes_turns);
}

#[test]
fn the_school_rules_are_for_two_teams() {
    let teams = rules("school").players;
    assert_eq!(teams, (2, 2));
    let mut client = Client::start();
    let error = "info string error bad-option Players is 3, the rule set 'school' is for 2 players; set Rules first, to one that allows it: deluxe, indigo, travel, super";
    let said = client.ask("setoption name Rules value school\nsetoption name Players value 3");
    assert_eq!(said, [error]);
    let said = client.ask("position startpos moves 8F.HORN.HORNAEI\nstate");
    assert!(said[0].starts_with("info state tomove 2 players 2 scores 14/0 "));
    let played = run(
        &["autoplay", "--rules=school", "--games=2", "--players=2"],
        "",
    );
    assert!(played.success, "{}", played.stderr);
    let refused = run(&["autoplay", "--rules=school", "--players=4"], "");
    let error = "cazique: --players is 4, the rule set 'school' is for 2 players; set --rules to one that allows it: deluxe, indigo, travel, super\n";
    assert_eq!(refused.stderr, error);
}
