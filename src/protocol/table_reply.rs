//! Answers about the game on the table, about words and about the draw for the first move: `check`,
//! `challenge`, `state` and `draw`.

use super::reply::{joined, turn_text};
use crate::board::{Axis, Lane, Premium};
use crate::engine::{ChallengedPlay, CheckedMove, GameState, JudgedWord};
use crate::rules::{End, FirstMove, Position, RuleSet, Ruling};
use crate::siu::{InfoLine, Reply};
use crate::tiles::{Letter, Tile, TileCounts, TileSet};
use crate::units::Points;

/// The answer to `check`.
pub(super) fn checked(checked: &CheckedMove, position: &Position) -> Reply {
    let tiles = &position.rules().tiles;
    let word_text = |word: &Vec<Letter>| tiles.word_text(word);
    let score = checked.score.as_ref();
    let valid = checked.phonies.is_empty() && checked.missing.is_empty();
    let line = InfoLine::new("check")
        .with("move", turn_text(&checked.turn, position))
        .with("score", score.map_or(Points::ZERO, |score| score.total()))
        .with("valid", if valid { "yes" } else { "no" });
    let missing = tiles.tiles_text(&checked.missing);
    let missing = Some(missing).filter(|tiles| !tiles.is_empty());
    let Some(score) = score else {
        return Reply::Info(line.with_some("missing", missing));
    };
    let words = score.words.iter().map(|word| word_text(&word.word()));
    let parts = score.words.iter().map(|word| word.total().to_string());
    let edit_words = score.edit_words.iter().map(word_text);
    let line = line
        .with_some("words", joined(words, ","))
        .with_some("editwords", joined(edit_words, ","))
        .with_some("phony", joined(checked.phonies.iter().map(word_text), ","))
        .with_some("missing", missing)
        .with_some("parts", joined(parts, ","));
    Reply::Info(match score.words.is_empty() {
        true => line,
        false => line.with("bonus", score.bonus),
    })
}

/// The outcome of a challenge.
pub(super) fn challenged(outcome: &ChallengedPlay) -> Reply {
    let phonies = outcome.judged.iter().filter(|word| !word.is_valid);
    let line = InfoLine::new("challenge")
        .with("move", &outcome.token)
        .with("by", outcome.by + 1)
        .with("player", outcome.player + 1)
        .with("play", &outcome.play)
        .with("ruling", outcome.ruling.name())
        .with("penalty", penalty(outcome.ruling))
        .with_some("words", joined(outcome.words.iter().cloned(), ","))
        .with_some("phony", joined(phonies.map(|word| word.text.clone()), ","));
    Reply::Info(line)
}

/// What the loser of a challenge loses beside the play, or the points that the challenged player
/// gains.
fn penalty(ruling: Ruling) -> String {
    let points = bonus_points(ruling).map(|points| points.to_string());
    points.unwrap_or_else(|| penalty_name(ruling).to_string())
}

/// What the loser of a challenge loses beside the play: nothing, a turn, the game, or points to the
/// opponent.
pub(super) fn penalty_name(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Stands | Ruling::TakenOff => "none",
        Ruling::ChallengerLosesTurn => "turn",
        Ruling::TakenOffAndGameLost | Ruling::ChallengerLosesGame => "game",
        Ruling::BonusPoints(_) => "points",
    }
}

/// The points that the challenged player gains, if the ruling gives any.
pub(super) fn bonus_points(ruling: Ruling) -> Option<Points> {
    match ruling {
        Ruling::BonusPoints(points) => Some(points),
        _ => None,
    }
}

/// The ruling on a word.
pub(super) fn judged(word: &JudgedWord) -> Reply {
    let line = InfoLine::new("check")
        .with("word", &word.text)
        .with("valid", if word.is_valid { "yes" } else { "no" })
        .with_some("tier", word.tier);
    Reply::Info(line)
}

/// The draw for the first move: a line for each round, and a line with the seat that moves first.
pub(super) fn drawn(draw: &FirstMove, tiles: &TileSet) -> Vec<Reply> {
    let line = |(number, round): (usize, &Vec<(usize, Tile)>)| {
        let line = InfoLine::new("draw").with("round", number);
        round.iter().fold(line, |line, (seat, tile)| {
            line.with("seat", seat + 1)
                .with("tile", tile_text(*tile, tiles))
        })
    };
    let rounds = (1..).zip(&draw.rounds).map(line);
    let first = InfoLine::new("draw").with("first", draw.seat + 1);
    rounds.chain([first]).map(Reply::Info).collect()
}

/// The text of a tile as on a rack.
pub(super) fn tile_text(tile: Tile, tiles: &TileSet) -> String {
    tiles.tiles_text(&[tile].into_iter().collect())
}

/// The state of the game in one line. Seats count from 1, and lists are by seat. The position in CGP
/// comes last, because it has spaces.
pub(super) fn state(state: &GameState) -> Reply {
    let rules = &state.rules;
    let tiles = |tiles: &TileCounts| tiles_or_dash(tiles, &rules.tiles);
    let list = |texts: Vec<String>| texts.join("/");
    let racks = state.racks.iter().map(|rack| tiles(&rack.known)).collect();
    let unknown = state.racks.iter().map(|rack| rack.unknown.to_string());
    let last = state.last_move.as_ref();
    let line = InfoLine::new("state")
        .with("tomove", state.to_move + 1)
        .with("players", state.scores.len())
        .with("scores", points(&state.scores))
        .with("racks", list(racks))
        .with("unknown", list(unknown.collect()))
        .with("bag", state.bag)
        .with("unseen", tiles(&state.unseen))
        .with("exchange", state.exchange_limit)
        .with("scoreless", state.scoreless_turns)
        .with("lastmove", last.map_or("none", |last| &last.text))
        .with_some("lastseat", last.map(|last| last.seat + 1))
        .with_some("lastscore", last.map(|last| last.points))
        .with("over", state.end.map_or("no", End::name));
    let seat = state.end.and_then(End::seat).map(|seat| seat + 1);
    let outcome = state.outcome.as_ref();
    let winner = outcome.map(|outcome| match outcome.winner {
        Some(seat) => (seat + 1).to_string(),
        None => "draw".to_string(),
    });
    let line = line
        .with_some("overseat", seat)
        .with_some(
            "adjustments",
            outcome.map(|outcome| points(&outcome.adjustments)),
        )
        .with_some("final", outcome.map(|outcome| points(&outcome.scores)))
        .with_some("winner", winner)
        .with("rules", one_word(&rules.name))
        .with("rack", rules.rack_size)
        .with("challenge", rules.challenge.name())
        .with("scope", rules.challenge_scope.name())
        .with("board", one_word(rules.board.name()))
        .with("layout", layout_rows(rules).join("/"))
        .with("tiles", one_word(rules.tiles.name()))
        .with("letters", letters(&rules.tiles).join(","))
        .with("lexicon", one_word(&state.lexicon))
        .with("cgp", &state.cgp);
    Reply::Info(line)
}

/// The premium squares of the board, a text for each row, in the signs of board files; a dot is a
/// plain square.
pub(super) fn layout_rows(rules: &RuleSet) -> Vec<String> {
    let side = rules.board.side();
    let sign = |premium: Premium| match premium {
        Premium::None => '.',
        premium => premium.sign(),
    };
    let row = |row| Lane::new(Axis::Across, row, side).onwards(0);
    let rows = (0..side).map(row);
    rows.map(|squares| {
        squares
            .map(|square| sign(rules.board.premium(square)))
            .collect()
    })
    .collect()
}

/// Each tile with its number and its value: `A:9:1`.
fn letters(tiles: &TileSet) -> Vec<String> {
    let text = |(text, tile): (String, Tile)| {
        let kind = tiles.kind(tile);
        format!("{text}:{}:{}", kind.count, kind.value)
    };
    tile_texts(tiles).map(text).collect()
}

/// Every tile of the set with its text, the blank last.
pub(super) fn tile_texts(tiles: &TileSet) -> impl Iterator<Item = (String, Tile)> {
    let all = tiles.letters().map(Tile::from).chain([Tile::BLANK]);
    all.map(|tile| (tile_text(tile, tiles), tile))
}

fn points(points: &[Points]) -> String {
    let texts: Vec<String> = points.iter().map(Points::to_string).collect();
    texts.join("/")
}

fn tiles_or_dash(tiles: &TileCounts, set: &TileSet) -> String {
    match tiles.is_empty() {
        true => "-".to_string(),
        false => set.tiles_text(tiles),
    }
}

/// A name without white space, so that it is one word of a line.
fn one_word(text: &str) -> String {
    text.replace(char::is_whitespace, "_")
}
