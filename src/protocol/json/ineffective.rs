//! Warnings about fields of a query that have no effect.

use super::query::Query;
use crate::engine::Mode;
use crate::siu::{FIRST_WIN, challenge_ignores, mode_ignores, mode_name};

/// A parameter of a search: its name in `go`, and its field.
pub(super) type GivenParameter = (&'static str, &'static str);

/// A warning for each parameter that has no effect in a search by `method`, which may have no use
/// for `firstwin`.
pub(super) fn ineffective(
    given: &[GivenParameter],
    method: Mode,
    ignores_first_win: bool,
) -> Vec<String> {
    let is_useless =
        |name: &str| mode_ignores(method, name) || ignores_first_win && name == FIRST_WIN;
    let useless = given.iter().filter(|(name, _)| is_useless(name));
    let mode = mode_name(method);
    let warning = |(_, field): &GivenParameter| format!("{field} has no effect in the mode {mode}");
    useless.map(warning).collect()
}

/// A warning for each parameter that has no effect on a decision about a challenge, whose searches
/// are by `methods`, and which may have no use for `firstwin`.
pub(super) fn ineffective_in_challenge(
    query: &Query,
    methods: &[Mode],
    ignores_first_win: bool,
) -> Vec<String> {
    let is_useless = |name: &str| {
        challenge_ignores(name)
            || methods.iter().all(|method| mode_ignores(*method, name))
            || ignores_first_win && name == FIRST_WIN
    };
    let given = query.given.iter();
    let numbers = given
        .filter(|(name, _)| is_useless(name))
        .map(|(_, field)| *field);
    let request = &query.request;
    let others = [
        ("searchmoves", !request.only.is_empty()),
        ("alsosearchmoves", !request.also.is_empty()),
        ("turnMoves", !query.turn_moves.is_empty()),
        ("racks", query.racks.is_some()),
        ("reportEvery", query.report_every.is_some()),
    ];
    let others = others.into_iter().filter(|(_, is_given)| *is_given);
    let all = numbers.chain(others.map(|(field, _)| field));
    all.map(|field| format!("{field} has no effect on a decision about a challenge"))
        .collect()
}
