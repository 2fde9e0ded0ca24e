//! Rule files: lines `key = value`, each of which changes one value of a base rule set.
//!
//! ```text
//! # nine tiles, first to 200
//! base = deluxe
//! rack = 9
//! bonus = 7:50 8:50 9:50
//! target = 200
//! ```

use super::set::{
    ExchangeLimit, GoingOut, LetterOrder, MAX_RACK, RuleSet, RuleValues, ScorelessLimit,
    TargetGrade, TargetScore, TieRule,
};
use super::{ChallengeRule, ChallengeScope, Embedded, Library, RearrangeRule};
use crate::units::Points;
use std::collections::HashSet;

/// The keys of a rule file except `base`, in the order in which they are written.
pub const RULE_FILE_KEYS: [&str; 19] = [
    "board",
    "tiles",
    "players",
    "rack",
    "bonus",
    "first_word",
    "exchange",
    "challenge",
    "scope",
    "target",
    "zero_turns",
    "out",
    "tie",
    "max_scoreless_rounds",
    "recycle_blanks",
    "recycle_letters",
    "max_generated_edits",
    "rearrange",
    "letter_order",
];

/// The number of [`RULE_FILE_KEYS`] that a file without a base must have. The others have defaults.
const REQUIRED_KEYS: usize = 13;
/// The rounds without a score that end a game, unless a file says otherwise. Chosen by hand.
const DEFAULT_SCORELESS_ROUNDS: usize = 6;
/// The edits of a turn that are proposed, unless a file says otherwise. Measured: each further edit
/// has 4 to 7 times as many turns.
const DEFAULT_GENERATED_EDITS: usize = 2;

/// The name of each target grade in rule files.
const TARGET_GRADES: [(&str, TargetGrade); 3] = [
    ("beginner", TargetGrade::Beginner),
    ("intermediate", TargetGrade::Intermediate),
    ("expert", TargetGrade::Expert),
];

/// The scopes of challenges.
const SCOPES: [ChallengeScope; 2] = [ChallengeScope::Play, ChallengeScope::Word];

/// The name of each rule about going out in rule files.
const GOING_OUT: [(&str, GoingOut); 2] = [("sum", GoingOut::Sum), ("twice", GoingOut::Twice)];

/// The name of each rule about ties in rule files.
const TIES: [(&str, TieRule); 2] = [
    ("before_adjustment", TieRule::BeforeAdjustment),
    ("draw", TieRule::Draw),
];

/// The name of each rule about rearranging in rule files.
const REARRANGING: [(&str, RearrangeRule); 3] = [
    ("off", RearrangeRule::Off),
    ("inplace", RearrangeRule::InPlace),
    ("free", RearrangeRule::Free),
];

/// The names of a rule that is in force or not.
const SWITCHES: [(&str, bool); 2] = [("off", false), ("on", true)];

/// The name of each rule about the order of letters in rule files.
const LETTER_ORDERS: [(&str, LetterOrder); 2] =
    [("fixed", LetterOrder::Fixed), ("any", LetterOrder::Any)];

/// The value with this name in a table of names.
fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value)
}

/// The name of a value in a table of names.
fn name_of<T: PartialEq>(table: &[(&str, T)], value: &T) -> String {
    let found = table.iter().find(|(_, known)| known == value);
    found.map_or(String::new(), |(name, _)| name.to_string())
}

impl RuleSet {
    /// Reads a rule file. The key `base` names the built-in rule set that missing keys are taken
    /// from. Without it every key must be there that has no default.
    pub fn parse(name: &str, file: &str, library: &dyn Library) -> Result<RuleSet, RuleFileError> {
        let pairs = pairs(file)?;
        let mut values = match pairs.iter().find(|(_, key, _)| *key == "base") {
            // A chain of bases in files could be a circle.
            Some(&(line, _, base)) => Embedded
                .rules(base)
                .map_err(|what| RuleFileError { line, what })?
                .into_values(),
            None => without_base(&pairs, library)?,
        };
        values.name = name.to_string();
        for &(line, key, value) in &pairs {
            set(&mut values, key, value, library).map_err(|what| RuleFileError { line, what })?;
        }
        RuleSet::new(values).map_err(|error| RuleFileError {
            line: 0,
            what: error.to_string(),
        })
    }

    /// The text of a rule file with every key and without a base.
    pub fn to_text(&self) -> String {
        RULE_FILE_KEYS
            .iter()
            .map(|key| format!("{key} = {}\n", value_text(self, key)))
            .collect()
    }
}

/// The `key = value` lines with their line numbers.
fn pairs(file: &str) -> Result<Vec<(usize, &str, &str)>, RuleFileError> {
    let mut pairs: Vec<(usize, &str, &str)> = Vec::new();
    let file = file.strip_prefix('\u{feff}').unwrap_or(file);
    for (at, line) in file.lines().enumerate() {
        let fail = |what: String| Err(RuleFileError { line: at + 1, what });
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            return fail("a line is 'key = value'".to_string());
        };
        let (key, value) = (key.trim(), value.trim());
        if key != "base" && !RULE_FILE_KEYS.contains(&key) {
            return fail(format!(
                "there is no key '{key}'; the keys are base, {}",
                RULE_FILE_KEYS.join(", ")
            ));
        }
        if pairs.iter().any(|(_, known, _)| *known == key) {
            return fail(format!("'{key}' is given twice"));
        }
        pairs.push((at + 1, key, value));
    }
    Ok(pairs)
}

/// Values to start from if there is no base: each of them is set by a line of the file.
fn without_base(
    pairs: &[(usize, &str, &str)],
    library: &dyn Library,
) -> Result<RuleValues, RuleFileError> {
    let find = |key: &str| {
        let found = pairs.iter().find(|(_, known, _)| *known == key);
        found.copied().ok_or_else(|| RuleFileError {
            line: 0,
            what: format!("there is neither a base nor '{key}'"),
        })
    };
    for key in &RULE_FILE_KEYS[..REQUIRED_KEYS] {
        find(key)?;
    }
    let ((board_line, _, board), (tiles_line, _, tiles)) = (find("board")?, find("tiles")?);
    let at = |line: usize| move |what: String| RuleFileError { line, what };
    Ok(RuleValues {
        name: String::new(),
        board: library.board(board).map_err(at(board_line))?,
        tiles: library.tiles(tiles).map_err(at(tiles_line))?,
        players: (2, 2),
        rack_size: 7,
        bonus: [Points::ZERO; MAX_RACK + 1],
        first_word_min: 2,
        exchange: ExchangeLimit::BagCovers,
        challenge: ChallengeRule::Void,
        challenge_scope: ChallengeScope::Play,
        targets: Vec::new(),
        scoreless_limit: ScorelessLimit::RoundOfPasses,
        max_scoreless_rounds: DEFAULT_SCORELESS_ROUNDS,
        going_out: GoingOut::Sum,
        tie: TieRule::BeforeAdjustment,
        recycles_blanks: false,
        recycles_letters: false,
        max_generated_edits: DEFAULT_GENERATED_EDITS,
        rearrange: RearrangeRule::Off,
        letter_order: LetterOrder::Fixed,
    })
}

/// The largest number in a rule file; [`RuleSet::new`] has a smaller limit for most values.
/// Chosen by hand.
const MAX_NUMBER: usize = 1_000;

/// Sets one value from its text. The error lists the allowed forms.
fn set(
    values: &mut RuleValues,
    key: &str,
    value: &str,
    library: &dyn Library,
) -> Result<(), String> {
    let forms = |forms: &str| format!("{key} = {value}: {key} is {forms}");
    let number = |text: &str, forms: String| match text.parse::<usize>() {
        Ok(n) if n <= MAX_NUMBER => Ok(n),
        _ => Err(forms),
    };
    match key {
        "board" => values.board = library.board(value)?,
        "tiles" => values.tiles = library.tiles(value)?,
        "players" => {
            let (fewest, most) = value.split_once('-').unwrap_or((value, value));
            let players =
                |text: &str| number(text.trim(), forms("a number or a range such as 2-4"));
            values.players = (players(fewest)?, players(most)?);
        }
        "rack" => values.rack_size = number(value, forms("a number of tiles"))?,
        "bonus" => {
            values.bonus = bonus(value)
                .ok_or_else(|| forms("none, or points by number of tiles, such as 7:50 8:50"))?
        }
        "first_word" => values.first_word_min = number(value, forms("a number of letters"))?,
        "exchange" => {
            values.exchange = match value {
                "covered" => ExchangeLimit::BagCovers,
                n => ExchangeLimit::BagHolds(number(
                    n,
                    forms("a number of tiles in the bag, or covered"),
                )?),
            }
        }
        "challenge" => {
            let names = ChallengeRule::NAMES.map(|(_, name, _)| name).join(", ");
            values.challenge =
                ChallengeRule::named(value).ok_or_else(|| forms(&format!("one of {names}")))?;
        }
        "scope" => {
            let scope = SCOPES.into_iter().find(|scope| scope.name() == value);
            values.challenge_scope = scope.ok_or_else(|| forms("play or word"))?
        }
        "target" => {
            let grades = TARGET_GRADES.map(|(name, _)| name).join(", ");
            let names =
                format!("none, points, or one of {grades}; one for each seat with / between");
            values.targets = targets(value).ok_or_else(|| forms(&names))?;
        }
        "zero_turns" => {
            values.scoreless_limit = match value {
                "round" => ScorelessLimit::RoundOfPasses,
                n => {
                    let n = number(n, forms("a number of scoreless turns, or round"))?;
                    let n = u8::try_from(n).map_err(|_| forms("at most 255, or round"))?;
                    ScorelessLimit::Turns(n)
                }
            }
        }
        "out" => {
            values.going_out = named(&GOING_OUT, value).ok_or_else(|| forms("sum or twice"))?
        }
        "tie" => {
            values.tie = named(&TIES, value).ok_or_else(|| forms("before_adjustment or draw"))?
        }
        _ => set_optional(values, key, value)?,
    }
    Ok(())
}

/// Sets one of the values that have a default from its text.
fn set_optional(values: &mut RuleValues, key: &str, value: &str) -> Result<(), String> {
    let forms = |forms: &str| format!("{key} = {value}: {key} is {forms}");
    match key {
        "max_scoreless_rounds" => {
            let rounds = "a number of rounds, or 0 for no limit";
            values.max_scoreless_rounds = value.parse().map_err(|_| forms(rounds))?;
        }
        "recycle_blanks" => {
            values.recycles_blanks = named(&SWITCHES, value).ok_or_else(|| forms("on or off"))?
        }
        "recycle_letters" => {
            values.recycles_letters = named(&SWITCHES, value).ok_or_else(|| forms("on or off"))?
        }
        "max_generated_edits" => {
            values.max_generated_edits = value.parse().map_err(|_| forms("a number of edits"))?;
        }
        "rearrange" => {
            values.rearrange =
                named(&REARRANGING, value).ok_or_else(|| forms("off, inplace or free"))?
        }
        "letter_order" => {
            values.letter_order =
                named(&LETTER_ORDERS, value).ok_or_else(|| forms("fixed or any"))?
        }
        _ => {}
    }
    Ok(())
}

/// Reads the bonuses by number of tiles: `7:50 8:60`, or `none`.
fn bonus(value: &str) -> Option<[Points; MAX_RACK + 1]> {
    let mut table = [Points::ZERO; MAX_RACK + 1];
    let mut is_given = HashSet::new();
    if value != "none" {
        for pair in value.split_whitespace() {
            let (tiles, points) = pair.split_once(':')?;
            let tiles: usize = tiles.parse().ok()?;
            is_given.insert(tiles).then_some(())?;
            *table.get_mut(tiles)? = points.parse().ok()?;
        }
    }
    Some(table)
}

/// Reads target scores, one for all seats or one for each: `200`, `expert/70`, or `none`.
fn targets(value: &str) -> Option<Vec<TargetScore>> {
    if value == "none" {
        return Some(Vec::new());
    }
    let target = |text: &str| match named(&TARGET_GRADES, text) {
        Some(grade) => Some(TargetScore::Grade(grade)),
        None => text.parse().ok().map(TargetScore::Points),
    };
    value.split('/').map(|text| target(text.trim())).collect()
}

/// The text of the value of `key`.
fn value_text(rules: &RuleSet, key: &str) -> String {
    let or_none = |texts: Vec<String>, between: &str| match texts.is_empty() {
        true => "none".to_string(),
        false => texts.join(between),
    };
    match key {
        "board" => rules.board.name().to_string(),
        "tiles" => rules.tiles.name().to_string(),
        "players" if rules.players.0 == rules.players.1 => rules.players.0.to_string(),
        "players" => format!("{}-{}", rules.players.0, rules.players.1),
        "rack" => rules.rack_size.to_string(),
        "bonus" => {
            let given = rules
                .bonus
                .iter()
                .enumerate()
                .filter(|(_, points)| **points != Points::ZERO);
            or_none(
                given
                    .map(|(tiles, points)| format!("{tiles}:{points}"))
                    .collect(),
                " ",
            )
        }
        "first_word" => rules.first_word_min.to_string(),
        "exchange" => match rules.exchange {
            ExchangeLimit::BagHolds(n) => n.to_string(),
            ExchangeLimit::BagCovers => "covered".to_string(),
        },
        "challenge" => rules.challenge.name().to_string(),
        "scope" => rules.challenge_scope.name().to_string(),
        "target" => {
            let text = |target: &TargetScore| match target {
                TargetScore::Points(points) => points.to_string(),
                TargetScore::Grade(grade) => name_of(&TARGET_GRADES, grade),
            };
            or_none(rules.targets.iter().map(text).collect(), "/")
        }
        "zero_turns" => match rules.scoreless_limit {
            ScorelessLimit::Turns(n) => n.to_string(),
            ScorelessLimit::RoundOfPasses => "round".to_string(),
        },
        "max_scoreless_rounds" => rules.max_scoreless_rounds.to_string(),
        "recycle_blanks" => name_of(&SWITCHES, &rules.recycles_blanks),
        "recycle_letters" => name_of(&SWITCHES, &rules.recycles_letters),
        "max_generated_edits" => rules.max_generated_edits.to_string(),
        "rearrange" => name_of(&REARRANGING, &rules.rearrange),
        "out" => name_of(&GOING_OUT, &rules.going_out),
        "tie" => name_of(&TIES, &rules.tie),
        "letter_order" => name_of(&LETTER_ORDERS, &rules.letter_order),
        _ => String::new(),
    }
}

/// Why a rule file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}", line_prefix(.line))]
pub struct RuleFileError {
    /// The line, from 1; 0 if the error is about the whole file.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// How the text of an error names its line.
fn line_prefix(line: &usize) -> String {
    match line {
        0 => String::new(),
        line => format!("line {line}: "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    #[test]
    fn every_preset_reads_back_from_its_own_text() {
        for name in PRESETS {
            let rules = Embedded.rules(name).unwrap();
            assert_eq!(RuleSet::parse(name, &rules.to_text(), &Embedded), Ok(rules));
        }
    }

    #[test]
    fn a_rule_file_changes_the_values_it_names() {
        let file = "base = deluxe\nrack = 9\nbonus = 7:50 8:50 9:60\nfirst_word = 4\nexchange = covered\n\
                    challenge = 5pt\nscope = word\ntarget = expert\nzero_turns = 4\nout = twice\ntie = draw\nplayers = 3\n\
                    max_scoreless_rounds = 3\nrecycle_blanks = on\nmax_generated_edits = 1\nrearrange = free\n";
        let rules = RuleSet::parse("club", file, &Embedded).unwrap();
        let text = "board = standard15\ntiles = english\nplayers = 3\nrack = 9\nbonus = 7:50 8:50 9:60\n\
                    first_word = 4\nexchange = covered\nchallenge = five_point\nscope = word\ntarget = expert\n\
                    zero_turns = 4\nout = twice\ntie = draw\nmax_scoreless_rounds = 3\nrecycle_blanks = on\n\
                    recycle_letters = off\nmax_generated_edits = 1\nrearrange = free\nletter_order = fixed\n";
        assert_eq!(rules.to_text(), text);
        assert_eq!(rules.target(2, 3), Some(Points(180)));
    }

    #[test]
    fn a_bad_rule_file_is_refused_with_its_line() {
        let check = |file: &str, error: &str| {
            assert_eq!(
                RuleSet::parse("x", file, &Embedded)
                    .unwrap_err()
                    .to_string(),
                error,
                "{file}"
            );
        };
        check("", "there is neither a base nor 'board'");
        check(
            "base = chess",
            "line 1: there is no rule set 'chess'; built in are tournament, deluxe, indigo, school, travel, super, wordsmog",
        );
        check(
            "base = deluxe\n\nrack = 10",
            "rack is 10, the limits are 2 and 9",
        );
        check(
            "base = deluxe\nrack = ten",
            "line 2: rack = ten: rack is a number of tiles",
        );
        check(
            "base = deluxe\nspeed = 3",
            &format!(
                "line 2: there is no key 'speed'; the keys are base, {}",
                RULE_FILE_KEYS.join(", ")
            ),
        );
        check(
            "base = deluxe\nrack = 7\nrack = 8",
            "line 3: 'rack' is given twice",
        );
        check(
            "base = deluxe\nzero_turns = 0",
            "zero_turns is 0, the limits are 1 and 255",
        );
        check(
            "base = deluxe\nplayers = 4-3",
            "most players is 3, the limits are 4 and 4",
        );
        check(
            "base = deluxe\ntarget = 70/120/200",
            "number of targets, one for each seat, is 3, the limits are 4 and 4",
        );
        check(
            "base = deluxe\nbonus = 10:50",
            "line 2: bonus = 10:50: bonus is none, or points by number of tiles, such as 7:50 8:50",
        );
        check(
            "base = deluxe\nbonus = 7:50 7:60",
            "line 2: bonus = 7:50 7:60: bonus is none, or points by number of tiles, such as 7:50 8:50",
        );
        check(
            "base = deluxe\nbonus = 7:-5",
            "bonus is -5, the limits are 0 and 1000",
        );
        check(
            "base = deluxe\ntie = replay",
            "line 2: tie = replay: tie is before_adjustment or draw",
        );
    }
}
