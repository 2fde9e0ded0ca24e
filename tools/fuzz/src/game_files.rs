//! Boards, tile sets and rule files: what is read is written, and reads back as itself.

use cazique::board::{Layout, MAX_SIDE, MIN_SIDE};
use cazique::rules::{Embedded, Game, RuleSet};
use cazique::tiles::{Face, MAX_BLANKS, MAX_LETTERS, TileCounts, TileSet};
use std::sync::Arc;

/// The name of what is read: a file is named after itself.
const NAME: &str = "fuzz";

pub fn board(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let Ok(layout) = Layout::parse(NAME, text) else {
        return false;
    };
    assert!((MIN_SIDE..=MAX_SIDE).contains(&layout.side()));
    assert!(layout.is_usable(layout.start()));
    assert_eq!(Layout::parse(NAME, &layout.to_text()), Ok(layout));
    true
}

pub fn tiles(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let Ok(tiles) = TileSet::parse(NAME, text) else {
        return false;
    };
    let (letters, all) = (tiles.letter_count(), tiles.all());
    assert!((1..=MAX_LETTERS).contains(&letters));
    assert!(all.iter().filter(|tile| tile.letter().is_none()).count() <= MAX_BLANKS.into());
    let one_each: TileCounts = all.kinds().map(|(tile, _)| tile).collect();
    let rack = tiles.tiles_text(&one_each);
    assert_eq!(tiles.read_tiles(&rack), Ok(one_each), "{rack}");
    for letter in tiles.letters() {
        for face in [Face::natural(letter), Face::blank(letter)] {
            let text = tiles.face_text(face);
            assert_eq!(tiles.read_faces(&text), Ok(vec![face]), "{text}");
        }
    }
    let word: Vec<_> = tiles.letters().collect();
    let faces = word.iter().copied().map(Face::natural).collect();
    assert_eq!(tiles.read_faces(&tiles.word_text(&word)), Ok(faces));
    assert_eq!(TileSet::parse(NAME, &tiles.to_csv()), Ok(tiles));
    true
}

pub fn rules(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let Ok(rules) = RuleSet::parse(NAME, text, &Embedded) else {
        return false;
    };
    let written = rules.to_text();
    let read = RuleSet::parse(NAME, &written, &Embedded);
    assert_eq!(read.as_ref(), Ok(&rules), "{written}");
    let rules = Arc::new(rules);
    for players in rules.players.0..=rules.players.1 {
        let game = Game::new(rules.clone(), players);
        assert!(game.is_ok(), "{players} players: {:?}", game.err());
    }
    true
}
