//! The operands of the opcodes that state what the fields of a position cannot: `over`, `owed`,
//! `scoreless`, `seat` and `unknown`.

use super::opcodes::byte;
use super::{CgpError, MAX_QUOTED_CHARS};
use crate::rules::{End, MAX_PLAYERS, StatedScoreless};

/// Reads numbers from 0 to 255, separated by `/`. Their count is checked against the players later.
pub(super) fn numbers(name: &'static str, text: &str) -> Result<Vec<u8>, CgpError> {
    text.split('/').map(|n| byte(name, n, 0)).collect()
}

/// The text of numbers that [`numbers`] reads.
pub(super) fn list(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    numbers.join("/")
}

/// Reads a seat, counted from 1 in the text and from 0 in the value.
pub(super) fn read_seat(name: &'static str, text: &str) -> Result<usize, CgpError> {
    let seat = text.parse().ok().filter(|n| (1..=MAX_PLAYERS).contains(n));
    let seat = seat.ok_or_else(|| CgpError::number(name, text, 1, MAX_PLAYERS as i64))?;
    Ok(seat - 1)
}

/// Reads the scoreless turns in a row, and a 1 for each player who has passed, otherwise a 0.
pub(super) fn read_scoreless(turns: &str, passed: &str) -> Result<StatedScoreless, CgpError> {
    let has_passed = |text: &str| match text {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(CgpError::number("scoreless", text, 0, 1)),
    };
    Ok(StatedScoreless {
        turns: byte("scoreless", turns, 0)?,
        has_passed: passed
            .split('/')
            .map(has_passed)
            .collect::<Result<_, _>>()?,
    })
}

/// The text of the operands that [`read_scoreless`] reads.
pub(super) fn scoreless_text(stated: &StatedScoreless) -> String {
    let passed: Vec<u8> = stated.has_passed.iter().copied().map(u8::from).collect();
    format!("{} {}", stated.turns, list(&passed))
}

/// Reads why a game is over: a reason and, unless turns without points ended it, a seat.
pub(super) fn read_over(words: &[&str]) -> Result<End, CgpError> {
    let seat = |text: &str| read_seat("over", text);
    Ok(match words {
        ["scoreless"] => End::Scoreless,
        ["out", text] => End::Out(seat(text)?),
        ["target", text] => End::Target(seat(text)?),
        ["forfeit", text] => End::Forfeit(seat(text)?),
        _ => {
            let got = words.join(" ").chars().take(MAX_QUOTED_CHARS).collect();
            return Err(CgpError::Over(got));
        }
    })
}

/// The text of the operands that [`read_over`] reads.
pub(super) fn over_text(end: End) -> String {
    match end.seat() {
        Some(seat) => format!("{} {}", end.name(), seat + 1),
        None => end.name().to_string(),
    }
}
