//! Answers about the game on the table, about words and about the draw for the first move: the
//! actions `state`, `check` and `draw`.

use crate::engine::{CheckedMove, GameState, JudgedWord};
use crate::protocol::reply::turn_text;
use crate::protocol::table_reply::{layout_rows, tile_text, tile_texts};
use crate::rules::{FirstMove, Outcome, PartialRack, Position};
use crate::tiles::{Tile, TileSet};
use crate::units::Points;
use schemars::JsonSchema;
use serde::Serialize;

/// The state of a game. Seats count from 1, and lists are by seat.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StateObject {
    /// The seat to move.
    to_move: usize,
    /// The scores.
    scores: Vec<i32>,
    /// The racks, as far as they are known.
    racks: Vec<RackObject>,
    /// The number of tiles in the bag.
    bag: usize,
    /// The tiles neither on the board nor known to be on a rack.
    unseen: String,
    /// The most tiles that the player to move may exchange.
    exchange: usize,
    /// The scoreless turns in a row just before.
    scoreless: u8,
    /// The last move; null if the position was set without moves.
    last_move: Option<LastMoveObject>,
    /// Why the game is over and how it ended; null if it goes on.
    over: Option<OverObject>,
    /// The name of the rule set.
    rules: String,
    /// The number of tiles of a full rack.
    rack_size: usize,
    /// The challenge rule.
    challenge: &'static str,
    /// Whether a challenge is about the whole `play` or about a single `word`.
    scope: &'static str,
    /// The name of the board.
    board: String,
    /// The premium squares: a text for each row, in the signs of board files.
    layout: Vec<String>,
    /// The name of the tile set.
    tiles: String,
    /// Each tile of the set.
    letters: Vec<LetterObject>,
    /// The name of the lexicon.
    lexicon: String,
    /// The position in CGP.
    cgp: String,
}

/// A rack as far as it is known.
#[derive(Serialize, JsonSchema)]
pub(super) struct RackObject {
    /// The known tiles.
    known: String,
    /// The number of further tiles.
    unknown: u8,
}

/// The last move of a game.
#[derive(Serialize, JsonSchema)]
struct LastMoveObject {
    /// The move; a play that was challenged off begins with `phony.`.
    r#move: String,
    /// Who made it.
    seat: usize,
    /// What it changed in the score of its player, challenge points included.
    score: i32,
}

/// The end of a game.
#[derive(Serialize, JsonSchema)]
struct OverObject {
    /// Why it is over: `out`, `scoreless`, `target` or `forfeit`.
    reason: &'static str,
    /// The seat that ended it, if one did.
    seat: Option<usize>,
    /// What the tiles left on the racks change in the scores; null if they are not known.
    adjustments: Option<Vec<i32>>,
    /// The final scores; null if the tiles left on the racks are not known.
    r#final: Option<Vec<i32>>,
    /// The seat that has won; null for a draw and if the final scores are not known.
    winner: Option<usize>,
}

/// A tile of the set.
#[derive(Serialize, JsonSchema)]
struct LetterObject {
    /// Its text; `?` for a blank.
    tile: String,
    /// How many there are.
    count: u8,
    /// Its value in points.
    value: i32,
}

/// The ruling on a move or on words.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckObject {
    /// The move as the engine writes it; null for words.
    r#move: Option<String>,
    /// Its points, also if it is not valid.
    score: Option<i32>,
    /// Whether all words are in the lexicon and all tiles can be on the rack.
    valid: bool,
    /// The words; of a move those that its main action forms, the word along the play first.
    words: Vec<WordObject>,
    /// The words that the edits of a move form. They score nothing.
    edit_words: Vec<WordObject>,
    /// The tiles that the rack lacks.
    missing: String,
    /// The bonus for many tiles; with the scores of the words it is the score.
    bonus: i32,
}

/// The ruling on a word.
#[derive(Serialize, JsonSchema)]
pub(super) struct WordObject {
    /// The word.
    word: String,
    /// Whether it is in the lexicon.
    valid: bool,
    /// How common it is, if the lexicon says so.
    tier: Option<u8>,
    /// Its points in a move; null outside a move and for the word of an edit.
    score: Option<i32>,
}

/// The draw for the first move.
#[derive(Serialize, JsonSchema)]
pub(super) struct DrawObject {
    /// The seat that moves first, from 1.
    first: usize,
    /// Each round of the draw. Only the seats that tied draw again.
    rounds: Vec<Vec<DrawnTileObject>>,
}

/// A tile drawn for the first move.
#[derive(Serialize, JsonSchema)]
struct DrawnTileObject {
    /// Who drew it.
    seat: usize,
    /// Its text; `?` for a blank.
    tile: String,
}

impl DrawObject {
    /// The result of a draw.
    pub fn new(draw: &FirstMove, tiles: &TileSet) -> DrawObject {
        let drawn = |&(seat, tile): &(usize, Tile)| DrawnTileObject {
            seat: seat + 1,
            tile: tile_text(tile, tiles),
        };
        let rounds = draw.rounds.iter();
        DrawObject {
            first: draw.seat + 1,
            rounds: rounds
                .map(|round| round.iter().map(drawn).collect())
                .collect(),
        }
    }
}

impl StateObject {
    /// The state of a game.
    pub fn new(state: &GameState) -> StateObject {
        let (rules, tiles) = (&state.rules, &state.rules.tiles);
        let racks = state.racks.iter().map(|rack| RackObject::new(rack, tiles));
        StateObject {
            to_move: state.to_move + 1,
            scores: points(&state.scores),
            racks: racks.collect(),
            bag: state.bag,
            unseen: tiles.tiles_text(&state.unseen),
            exchange: state.exchange_limit,
            scoreless: state.scoreless_turns,
            last_move: state.last_move.as_ref().map(|last| LastMoveObject {
                r#move: last.text.clone(),
                seat: last.seat + 1,
                score: last.points.0,
            }),
            over: OverObject::new(state),
            rules: rules.name.clone(),
            rack_size: rules.rack_size,
            challenge: rules.challenge.name(),
            scope: rules.challenge_scope.name(),
            board: rules.board.name().to_string(),
            layout: layout_rows(rules),
            tiles: tiles.name().to_string(),
            letters: letters(tiles),
            lexicon: state.lexicon.clone(),
            cgp: state.cgp.clone(),
        }
    }
}

impl RackObject {
    /// What is known of a rack.
    pub fn new(rack: &PartialRack, tiles: &TileSet) -> RackObject {
        RackObject {
            known: tiles.tiles_text(&rack.known),
            unknown: rack.unknown,
        }
    }
}

impl OverObject {
    fn new(state: &GameState) -> Option<OverObject> {
        let end = state.end?;
        let outcome = state.outcome.as_ref();
        let list = |of: fn(&Outcome) -> &[Points]| outcome.map(|outcome| points(of(outcome)));
        Some(OverObject {
            reason: end.name(),
            seat: end.seat().map(|seat| seat + 1),
            adjustments: list(|outcome| &outcome.adjustments),
            r#final: list(|outcome| &outcome.scores),
            winner: outcome.and_then(|outcome| outcome.winner.map(|seat| seat + 1)),
        })
    }
}

impl CheckObject {
    /// The ruling on a move; `words` are those that it forms, those of its edits first.
    pub fn of_move(checked: &CheckedMove, words: &[JudgedWord], position: &Position) -> Self {
        let score = checked.score.as_ref();
        let edits = score.map_or(0, |score| score.edit_words.len());
        let (edit_words, words) = words.split_at(edits.min(words.len()));
        let parts = score.into_iter().flat_map(|score| &score.words);
        let words = words.iter().zip(parts.map(|word| word.total()));
        CheckObject {
            r#move: Some(turn_text(&checked.turn, position)),
            score: Some(score.map_or(0, |score| score.total().0)),
            valid: checked.phonies.is_empty() && checked.missing.is_empty(),
            words: words
                .map(|(word, part)| WordObject::new(word, Some(part)))
                .collect(),
            edit_words: WordObject::without_scores(edit_words),
            missing: position.rules().tiles.tiles_text(&checked.missing),
            bonus: score.map_or(0, |score| score.bonus.0),
        }
    }

    /// The ruling on words.
    pub fn of_words(words: &[JudgedWord]) -> CheckObject {
        CheckObject {
            r#move: None,
            score: None,
            valid: words.iter().all(|word| word.is_valid),
            words: WordObject::without_scores(words),
            edit_words: Vec::new(),
            missing: String::new(),
            bonus: 0,
        }
    }
}

impl WordObject {
    /// The rulings on words that have no points.
    pub fn without_scores(words: &[JudgedWord]) -> Vec<WordObject> {
        let ruling = |word| WordObject::new(word, None);
        words.iter().map(ruling).collect()
    }

    /// The ruling on a word, and its points in a move.
    fn new(word: &JudgedWord, score: Option<Points>) -> WordObject {
        WordObject {
            word: word.text.clone(),
            valid: word.is_valid,
            tier: word.tier,
            score: score.map(|score| score.0),
        }
    }
}

fn letters(tiles: &TileSet) -> Vec<LetterObject> {
    let letter = |(text, tile): (String, Tile)| {
        let kind = tiles.kind(tile);
        LetterObject {
            tile: text,
            count: kind.count,
            value: kind.value.0,
        }
    };
    tile_texts(tiles).map(letter).collect()
}

fn points(points: &[Points]) -> Vec<i32> {
    points.iter().map(|points| points.0).collect()
}
