//! The position, drawn for people at a terminal.

use crate::board::{Axis, Lane, Premium};
use crate::notation::cgp::Cgp;
use crate::rules::{End, Game, Position};
use crate::units::Points;

/// The board with its premiums, the racks and scores, and the position in CGP.
pub(super) fn board(game: &Game, cgp: &Cgp) -> Vec<String> {
    let position = game.position();
    let mut lines = grid(position);
    lines.push(String::new());
    lines.extend((0..position.player_count()).map(|seat| player(position, seat)));
    let unseen = position.unseen();
    let text = position.rules().tiles.tiles_text(unseen);
    lines.push(format!(
        "bag {}, unseen {}: {text}",
        position.bag_len(),
        unseen.len()
    ));
    if let Some(end) = game.end() {
        lines.push(ending(end));
        lines.push(result(game));
    }
    lines.push(format!("position cgp {cgp}"));
    lines
}

const LEGEND: &str =
    "letter ' x2 \" x3 ^ x4, word - x2 = x3 ~ x4, # unusable, small letters blanks";

/// Two characters a square: most alphabets have only tiles of one, and longer ones stay readable.
fn grid(position: &Position) -> Vec<String> {
    let (grid, rules) = (position.grid(), position.rules());
    let side = grid.side();
    let columns: String = (0..side)
        .map(|column| format!(" {}", char::from(b'A' + column)))
        .collect();
    let mut lines = vec![format!("   {columns}")];
    for row in 0..side {
        let cell = |square| match (grid.get(square), rules.board.premium(square)) {
            (Some(face), _) => rules
                .tiles
                .face_text(face)
                .trim_matches(['[', ']'])
                .to_string(),
            (None, Premium::None) => ".".to_string(),
            (None, premium) => premium.sign().to_string(),
        };
        let cells: String = Lane::new(Axis::Across, row, side)
            .onwards(0)
            .map(|square| format!("{:>2}", cell(square)))
            .collect();
        lines.push(format!("{:>2} {cells}", row + 1));
    }
    lines.push(LEGEND.to_string());
    lines
}

fn player(position: &Position, seat: usize) -> String {
    let hand = position.rack(seat);
    let turn = if seat == position.to_move() { ">" } else { " " };
    let known = position.rules().tiles.tiles_text(&hand.known);
    let rack = match (known.as_str(), hand.unknown) {
        (known, 0) => known.to_string(),
        ("", n) => format!("{n} unknown"),
        (known, n) => format!("{known} and {n} unknown"),
    };
    format!(
        "{turn} player {} score {} rack {}",
        seat + 1,
        position.score(seat),
        rack
    )
}

fn ending(end: End) -> String {
    match end {
        End::Out(seat) => format!("the game is over: player {} went out", seat + 1),
        End::Scoreless => "the game is over: no more plays are made".to_string(),
        End::Target(seat) => format!("the game is over: player {} reached the target", seat + 1),
        End::Forfeit(seat) => format!(
            "the game is over: player {} lost it by a challenge",
            seat + 1
        ),
    }
}

fn result(game: &Game) -> String {
    let Some(outcome) = game.outcome() else {
        return "final scores need the tiles that the players have left".to_string();
    };
    let scores: Vec<String> = outcome.scores.iter().map(Points::to_string).collect();
    let winner = match outcome.winner {
        Some(seat) => format!("player {} wins", seat + 1),
        None => "a draw".to_string(),
    };
    format!("final scores {}: {winner}", scores.join(" "))
}
