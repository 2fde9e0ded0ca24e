//! Round trips: the text of a value reads back as the same value, in random games of all rule sets.

use crate::support::{lexicon, random_game, repository, rules, variation};
use cazique::movegen::plain;
use cazique::notation::cgp::Cgp;
use cazique::notation::moves::{self, MoveText};
use cazique::rules::{Embedded, Game, Library, PRESETS, Position, RuleSet};
use cazique::seed::Seed;
use std::sync::Arc;

/// Random games of every preset with every number of players, and of some variations.
fn games(per_kind: u64, mut watch: impl FnMut(&Game)) {
    let mut kinds: Vec<(Arc<RuleSet>, usize)> = Vec::new();
    for preset in PRESETS {
        let rules = rules(preset);
        kinds.extend((rules.players.0..=rules.players.1).map(|players| (rules.clone(), players)));
    }
    for changes in [
        "rack = 9\nbonus = 7:50 8:50 9:50",
        "target = expert",
        "rack = 8\nbonus = 5:20 7:50 8:70",
        "first_word = 5",
        "rack = 2\nbonus = none",
    ] {
        kinds.push((variation("deluxe", changes), 2));
    }
    for (kind, (rules, players)) in kinds.iter().enumerate() {
        for unit in 0..per_kind {
            let seed = Seed(kind as u64).for_unit(unit);
            let graph = lexicon(&rules.tiles).graph();
            let game = random_game(rules, *players, graph, seed, |game, _| watch(game));
            watch(&game);
        }
    }
}

fn read(text: &str, base: &RuleSet) -> Position {
    let cgp = Cgp::parse(text).unwrap();
    let rules = Arc::new(cgp.opcodes.rules(base, cgp.rows.len(), &Embedded).unwrap());
    let setup = cgp.setup(&rules).unwrap();
    Position::new(rules, setup).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_position_reads_back_from_cgp_as_itself() {
    let mut seen = 0;
    let default = rules(PRESETS[0]);
    games(2, |game| {
        let position = game.position();
        // The name of a preset is enough to read it; a variation needs its own rules.
        let preset = PRESETS.contains(&position.rules().name.as_str());
        let base = if preset { &default } else { position.rules() };
        let text = Cgp::of(position).to_string();
        assert_eq!(read(&text, base), *position, "{text}");
        let hidden = read(&format!("{text} oru;"), base);
        assert_eq!(read(&Cgp::of(&hidden).to_string(), base), hidden, "{text}");
        assert_eq!(hidden.bag_len(), position.bag_len(), "{text}");
        seen += 1;
    });
    assert!(seen > 500, "{seen} positions");
}

#[test]
fn a_move_reads_back_from_its_token_as_itself() {
    let mut seen = 0;
    let mut at = 0;
    games(1, |game| {
        at += 1;
        if game.end().is_some() || at % 3 > 0 {
            return;
        }
        let position = game.position();
        for scored in plain::turns(position, lexicon(&position.rules().tiles).graph()) {
            let text = moves::write(&scored.turn, position.grid(), &position.rules().tiles);
            let read = MoveText::parse(&text).and_then(|text| text.turn(position));
            assert_eq!(read, Ok(scored.turn), "{text}");
            seen += 1;
        }
    });
    assert!(seen > 10_000, "{seen} moves");
}

#[test]
fn the_tiles_of_a_game_stay_the_same() {
    games(1, |game| {
        let position = game.position();
        let mut all = *position.unseen();
        all.extend(position.grid().faces().map(|face| face.tile()));
        for seat in 0..position.player_count() {
            all.add_all(&position.rack(seat).known);
        }
        assert_eq!(all, position.rules().tiles.all());
    });
}

#[test]
fn the_data_files_are_what_we_write() {
    let check = |path: String, written: String| {
        let file = std::fs::read_to_string(repository(&path)).unwrap();
        assert_eq!(file, written, "{path}");
    };
    for name in ["standard15", "standard21"] {
        let board = Embedded.board(name).unwrap();
        check(format!("lexica/boards/{name}.txt"), board.to_text());
    }
    for name in ["english", "english_super"] {
        let tiles = Embedded.tiles(name).unwrap();
        check(format!("lexica/tiles/{name}.csv"), tiles.to_csv());
    }
}
