//! The parameters of `go`.

use super::CommandError;
use crate::engine::{MAX_CANDIDATES, MAX_THREADS, Mode, SearchRequest, shortened};
use crate::rules::MAX_PLAYERS;
use crate::search::clock::Clock;
use crate::search::sim::{MAX_ITERATIONS, MAX_PLIES, StopConfidence};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A `go` command as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What the engine can honour.
    pub request: SearchRequest,
    /// Whether to decide about a challenge of the last play instead of searching for a move.
    pub challenge: bool,
    /// Parameters without effect in any mode: unknown ones, each with its number, and those that the
    /// protocol has and the engine does not. They are reported to the client and never written.
    unsupported: Vec<String>,
    /// The parameters that have no effect in some modes.
    given: Vec<String>,
}

/// The parameters that limit a search, for errors.
pub(super) const LIMITS: &str =
    "movetime, iterations, stopcondition, infinite, 1time to 4time and 1inc to 4inc";

/// The names of the modes that the engine has.
pub(crate) const MODES: [(&str, Mode); 5] = [
    ("gen", Mode::Rank),
    ("sim", Mode::Simulate),
    ("endgame", Mode::Endgame),
    ("peg", Mode::Preendgame),
    ("auto", Mode::Auto),
];
/// Modes of the protocol that the engine does not have.
const UNSUPPORTED_MODES: [&str; 1] = ["infer"];
/// Parameters that take a number, each with its lowest and highest value.
pub(crate) const NUMBERS: [(&str, u64, u64); 7] = [
    ("movetime", 0, MAX_MILLIS),
    ("candidates", 1, MAX_CANDIDATES as u64),
    ("iterations", 1, MAX_ITERATIONS),
    ("depth", 0, MAX_PLIES as u64),
    ("stopcondition", 50, 99),
    ("seed", 0, u64::MAX),
    ("threads", 1, MAX_THREADS as u64),
];
/// The parameter without a value that asks a solver only who wins.
pub(crate) const FIRST_WIN: &str = "firstwin";
/// Parameters without a value that the protocol has and the engine does not honour.
const UNSUPPORTED_FLAGS: [&str; 1] = ["useinference"];
/// The parameter without a value that asks whether to challenge the last play.
pub(crate) const CHALLENGE: &str = "challenge";
/// The lists of moves, which have no effect on the decision about a challenge.
const MOVE_LISTS: [&str; 2] = ["searchmoves", "alsosearchmoves"];
/// The longest `movetime`, clock or increment, in milliseconds: eleven days, chosen by hand so
/// that sums of times cannot overflow.
pub const MAX_MILLIS: u64 = 1_000_000_000;

impl Go {
    /// Reads the words after `go`.
    pub(super) fn parse(words: &[&str]) -> Result<Go, CommandError> {
        let mut go = Go::default();
        let mut given = Vec::new();
        let mut first_unknown = None;
        let mut clocks = [(None, None); MAX_PLAYERS];
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            let number_of = NUMBERS.iter().find(|(name, ..)| name == word);
            if let Some((_, mode)) = MODES.iter().find(|(name, _)| name == word) {
                go.request.mode = *mode;
            } else if UNSUPPORTED_MODES.contains(word) {
                return Err(CommandError::Mode(word.to_string()));
            } else if let Some((name, low, high)) = number_of {
                let n = take_number(name, &mut rest, *low, *high)?;
                set_number(&mut go.request, name, n);
                given.push(*word);
            } else if let Some((seat, part)) = clock_word(word) {
                let (left, increment) = &mut clocks[seat];
                let millis = MAX_MILLIS as i64;
                if part == "time" {
                    // A clock in overtime is below zero.
                    *left = Some(take_number(word, &mut rest, -millis, millis)?);
                } else {
                    *increment = Some(take_number(word, &mut rest, 0, MAX_MILLIS)?);
                }
                given.push(word);
            } else {
                match *word {
                    "searchmoves" => go.request.only.extend(take_moves(&mut rest)),
                    "alsosearchmoves" => go.request.also.extend(take_moves(&mut rest)),
                    "infinite" => go.request.infinite = true,
                    CHALLENGE => go.challenge = true,
                    FIRST_WIN => {
                        go.request.first_win = true;
                        given.push(word);
                    }
                    known if UNSUPPORTED_FLAGS.contains(&known) => {
                        go.unsupported.push(known.to_string());
                    }
                    unknown => {
                        let unknown = take_unknown(unknown, &mut rest);
                        first_unknown.get_or_insert(unknown.clone());
                        go.unsupported.push(unknown);
                    }
                }
            }
        }
        go.given = given.into_iter().map(str::to_string).collect();
        if go.request.mode != Mode::Rank {
            go.request.clocks = clocks.map(|(left, increment)| clock(left, increment));
            if let Some(unknown) = first_unknown.filter(|_| !go.request.has_limit(MAX_PLAYERS)) {
                return Err(CommandError::NoLimit(unknown));
            }
        }
        Ok(go)
    }

    /// The parameters without effect in a search by `method`, which may have no use for `firstwin`,
    /// in a game of this number of players.
    pub fn ignored(
        &self,
        method: Mode,
        ignores_first_win: bool,
        players: usize,
    ) -> impl Iterator<Item = &str> {
        let is_of_nobody = move |word| clock_word(word).is_some_and(|(seat, _)| seat >= players);
        let useless = self.given.iter().filter(move |word| {
            mode_ignores(method, word)
                || ignores_first_win && *word == FIRST_WIN
                || is_of_nobody(word)
        });
        self.unsupported.iter().chain(useless).map(String::as_str)
    }

    /// The parameters without effect on the decision about a challenge: those that none of its
    /// searches has a use for, among them the certainty of a choice and moves to choose from.
    pub fn ignored_by_challenge(
        &self,
        methods: &[Mode],
        ignores_first_win: bool,
        players: usize,
    ) -> Vec<&str> {
        let mut ignored: Vec<&str> = self.unsupported.iter().map(String::as_str).collect();
        let is_ignored = |word: &str| {
            let all = methods.iter().all(|method| mode_ignores(*method, word));
            challenge_ignores(word)
                || all
                || ignores_first_win && word == FIRST_WIN
                || clock_word(word).is_some_and(|(seat, _)| seat >= players)
        };
        let given = self.given.iter().map(String::as_str);
        ignored.extend(given.filter(|word| is_ignored(word)));
        let lists = [&self.request.only, &self.request.also];
        let named = MOVE_LISTS.into_iter().zip(lists);
        ignored.extend(
            named
                .filter(|(_, moves)| !moves.is_empty())
                .map(|(name, _)| name),
        );
        ignored
    }
}

/// Takes the number of an unknown parameter, and returns both for the report.
fn take_unknown(word: &str, rest: &mut &[&str]) -> String {
    let is_number = |text: &&&str| {
        let digits = text.trim_start_matches(['-', '+']);
        digits.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
    };
    let Some(number) = rest.first().filter(is_number) else {
        return shortened(word);
    };
    *rest = &rest[1..];
    format!("{} {}", shortened(word), shortened(number))
}

impl From<SearchRequest> for Go {
    fn from(request: SearchRequest) -> Go {
        Go {
            request,
            ..Go::default()
        }
    }
}

/// Writes the parameters, each after a space.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let request = &self.request;
        if request.mode != Mode::default() {
            write!(f, " {}", mode_name(request.mode))?;
        }
        for (name, ..) in NUMBERS {
            if let Some(n) = number(request, name) {
                write!(f, " {name} {n}")?;
            }
        }
        for (clock, player) in request.clocks.iter().zip(1..) {
            if let Some(Clock {
                left_ms,
                increment_ms,
            }) = clock
            {
                write!(f, " {player}time {left_ms} {player}inc {increment_ms}")?;
            }
        }
        for (word, is_set) in [
            (CHALLENGE, self.challenge),
            (FIRST_WIN, request.first_win),
            ("infinite", request.infinite),
        ] {
            if is_set {
                write!(f, " {word}")?;
            }
        }
        for (word, moves) in MOVE_LISTS.into_iter().zip([&request.only, &request.also]) {
            if !moves.is_empty() {
                write!(f, " {word} {}", moves.join(" "))?;
            }
        }
        Ok(())
    }
}

/// The name of a mode.
pub(crate) fn mode_name(mode: Mode) -> &'static str {
    let named = MODES.iter().find(|(_, known)| *known == mode);
    named.map_or("auto", |(name, _)| *name)
}

/// Sets the parameter of a request that one of [`NUMBERS`] names.
pub(crate) fn set_number(request: &mut SearchRequest, name: &str, n: u64) {
    match name {
        "movetime" => request.time = Some(Duration::from_millis(n)),
        "candidates" => request.candidates = Some(n as usize),
        "iterations" => request.iterations = Some(n),
        "depth" => request.plies = Some(n as usize),
        "stopcondition" => {
            let wrong_per_thousand = (100 - n as u32) * 10;
            request.confidence = Some(StopConfidence { wrong_per_thousand });
        }
        "seed" => request.seed = Some(n),
        _ => request.threads = Some(n as usize),
    }
}

/// The parameter of a request that one of [`NUMBERS`] names: the inverse of [`set_number`].
fn number(request: &SearchRequest, name: &str) -> Option<u64> {
    let confidence = request.confidence;
    match name {
        "movetime" => request.time.map(|time| time.as_millis() as u64),
        "candidates" => request.candidates.map(|n| n as u64),
        "iterations" => request.iterations,
        "depth" => request.plies.map(|n| n as u64),
        "stopcondition" => confidence.map(|limit| u64::from(100 - limit.wrong_per_thousand / 10)),
        "seed" => request.seed,
        _ => request.threads.map(|n| n as u64),
    }
}

/// The clock of a player. A client that sends only the increment has no more than that for
/// this move.
fn clock(left: Option<i64>, increment: Option<u64>) -> Option<Clock> {
    let only_increment = increment.map(|increment| increment as i64);
    Some(Clock {
        left_ms: left.or(only_increment)?,
        increment_ms: increment.unwrap_or(0),
    })
}

/// Whether a parameter has no effect in a mode.
pub(crate) fn mode_ignores(mode: Mode, parameter: &str) -> bool {
    match (mode, parameter) {
        // The method of a search is never this one; a request may leave it open.
        (Mode::Auto, _) => false,
        (Mode::Rank, "movetime" | "candidates") => false,
        (Mode::Rank, _) => true,
        (Mode::Simulate, _) => parameter == FIRST_WIN,
        (Mode::Endgame, _) => ["stopcondition", "seed"].contains(&parameter),
        (Mode::Preendgame, _) => ["depth", "stopcondition"].contains(&parameter),
    }
}

/// Whether a parameter has no effect on the decision about a challenge, whatever its searches.
pub(crate) fn challenge_ignores(parameter: &str) -> bool {
    parameter == "stopcondition"
}

/// The seat that a word such as `1time` or `2inc` names, and `time` or `inc`.
fn clock_word(word: &str) -> Option<(usize, &str)> {
    let (player, part) = word.split_at_checked(1)?;
    let seat = ["1", "2", "3", "4"].iter().position(|name| *name == player);
    Some((seat?, part)).filter(|_| ["time", "inc"].contains(&part))
}

/// Whether a word is the name of a parameter or a mode; such a word ends a list of moves.
fn is_keyword(word: &str) -> bool {
    let own = ["infinite", FIRST_WIN, CHALLENGE];
    let modes = MODES.iter().map(|(name, _)| *name).chain(UNSUPPORTED_MODES);
    let numbers = NUMBERS.iter().map(|(name, ..)| *name);
    let flags = UNSUPPORTED_FLAGS.into_iter().chain(own).chain(MOVE_LISTS);
    let mut all = modes.chain(numbers).chain(flags);
    all.any(|name| name == word) || clock_word(word).is_some()
}

/// Takes the moves up to the next keyword.
fn take_moves(rest: &mut &[&str]) -> Vec<String> {
    let end = rest.iter().position(|word| is_keyword(word));
    let (moves, after) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = after;
    moves.iter().map(|text| text.to_string()).collect()
}

/// Takes a number within limits.
pub(super) fn take_number<N>(
    name: &str,
    rest: &mut &[&str],
    low: N,
    high: N,
) -> Result<N, CommandError>
where
    N: Copy + FromStr + PartialOrd + Into<i128>,
{
    let got = rest.first().copied().unwrap_or("");
    let n = got.parse().ok().filter(|n| (low..=high).contains(n));
    let n = n.ok_or_else(|| CommandError::NotANumber {
        name: name.to_string(),
        got: got.chars().take(40).collect(),
        limits: (low.into(), high.into()),
    })?;
    *rest = &rest[1..];
    Ok(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siu::Command;
    use proptest::prelude::*;

    fn read(line: &str) -> Go {
        match Command::parse(line) {
            Ok(Some(Command::Go(go))) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn unknown_and_useless_words_are_reported_as_ignored() {
        let go = read(
            "go gen nonsense alsosearchmoves 8D.AB pass movetime 20 firstwin depth 3 1time -50 infinite candidates 3",
        );
        let ignored: Vec<&str> = go.ignored(Mode::Rank, false, 2).collect();
        assert_eq!(ignored, ["nonsense", "firstwin", "depth", "1time"]);
        let ranking = SearchRequest {
            mode: Mode::Rank,
            candidates: Some(3),
            also: vec!["8D.AB".to_string(), "pass".to_string()],
            time: Some(Duration::from_millis(20)),
            plies: Some(3),
            first_win: true,
            infinite: true,
            ..SearchRequest::default()
        };
        assert_eq!(go.request, ranking);
        let go = read(
            "go 2time -50 2inc 7 iterations 9 depth 3 stopcondition 98 seed 5 threads 2 useinference",
        );
        let ignored: Vec<&str> = go.ignored(Mode::Simulate, false, 2).collect();
        assert_eq!(ignored, ["useinference"]);
        let all = "go firstwin depth 3 stopcondition 98 seed 5 iterations 9 threads 2 2time 70";
        let ignored = |method| {
            read(all)
                .ignored(method, false, 2)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(ignored(Mode::Simulate), "firstwin");
        assert_eq!(ignored(Mode::Endgame), "stopcondition seed");
        assert_eq!(ignored(Mode::Preendgame), "depth stopcondition");
        let clock = Clock {
            left_ms: -50,
            increment_ms: 7,
        };
        let simulation = SearchRequest {
            clocks: [None, Some(clock), None, None],
            iterations: Some(9),
            plies: Some(3),
            confidence: Some(StopConfidence {
                wrong_per_thousand: 20,
            }),
            seed: Some(5),
            threads: Some(2),
            ..SearchRequest::default()
        };
        assert_eq!(go.request, simulation);
    }

    #[test]
    fn an_unknown_parameter_and_its_number_are_skipped_unless_no_limit_remains() {
        let ignored = |line: &str| {
            let go = read(line);
            go.ignored(Mode::Simulate, false, 2)
                .collect::<Vec<_>>()
                .join("; ")
        };
        assert_eq!(ignored("go wait 500 movetime 20"), "wait 500");
        assert_eq!(ignored("go infinite wait -1.5 ponder"), "wait -1.5; ponder");
        assert_eq!(ignored("go gen wait 500 now"), "wait 500; now");
        assert_eq!(ignored("go useinference"), "useinference");
        for (line, unknown) in [
            ("go movtime 500", "movtime 500"),
            ("go sim depth 2 wait 5 ponder", "wait 5"),
            ("go infinit", "infinit"),
            ("go 500", "500"),
        ] {
            let error = Command::parse(line).unwrap_err();
            assert_eq!(error, CommandError::NoLimit(unknown.to_string()), "{line}");
        }
    }

    #[test]
    fn what_a_decision_about_a_challenge_cannot_use_is_reported_as_ignored() {
        let go =
            read("go challenge firstwin stopcondition 90 iterations 5 searchmoves pass 3time 9");
        assert!(go.challenge);
        let ignored = |methods: &[Mode]| go.ignored_by_challenge(methods, false, 2).join(" ");
        let always = "stopcondition 3time searchmoves";
        let simulated = ignored(&[Mode::Simulate, Mode::Simulate]);
        assert_eq!(simulated, format!("firstwin {always}"));
        assert_eq!(ignored(&[Mode::Simulate, Mode::Endgame]), always);
        let none = ignored(&[]);
        assert_eq!(none, "firstwin stopcondition iterations 3time searchmoves");
    }

    #[test]
    fn a_bad_number_is_an_error_not_a_panic() {
        let check = |line: &str, expected: &str| {
            let error = Command::parse(line).unwrap_err().to_string();
            let (start, limits) = error
                .split_once(", it must be a whole number from ")
                .unwrap();
            assert_eq!(format!("{start}: {limits}"), expected, "{line}");
        };
        check("go movetime soon", "movetime is 'soon': 0 to 1000000000");
        check("go movetime", "movetime is missing: 0 to 1000000000");
        check("go candidates 0", "candidates is '0': 1 to 1000000");
        check("go depth 9999999999", "depth is '9999999999': 0 to 60");
        check("go seed", "seed is missing: 0 to 18446744073709551615");
    }

    proptest! {
        #[test]
        fn a_request_that_is_written_reads_as_itself(
            parameters in prop::collection::vec(
                "gen|sim|peg|endgame|auto|challenge|firstwin|infinite|useinference|movetime [0-9]{1,9}|seed [0-9]{1,19}|\
                 candidates [1-9][0-9]{0,5}|iterations [1-9][0-9]{0,8}|depth [0-5]?[0-9]|threads [1-9]|\
                 stopcondition [5-9][0-9]|[1-4]time -?[0-9]{1,9}|[1-4]inc [0-9]{1,9}|\
                 (also)?searchmoves( [1-9][A-O][.][A-Z]{2,7}| ex[.][A-Z]{1,7}| pass){0,4}",
                0..12,
            )
        ) {
            let go = read(&format!("go {}", parameters.join(" ")));
            let again = read(&format!("go{go}"));
            prop_assert_eq!(go.challenge, again.challenge);
            prop_assert_eq!(go.request, again.request);
        }
    }
}
