//! Sets the game of a record, with the rules and the lexicon that the record names.
//!
//! A record comes from anywhere, so its names are looked up among what is built in and by name in
//! the folders of the DataPath; they never open a path. Options that the client has set win. What
//! the record names and does not get is a finding, which says what is used instead.

use super::files::lexicon_name;
use super::table::Table;
use super::{
    DEFAULT_LEXICON, Engine, EngineError, RuleParts, bad_position, presets_for, referee, shortened,
};
use crate::lexicon::Lexicon;
use crate::notation::cgp::CLASSIC;
use crate::notation::gcg::{
    GameRecord, PlayFate, ReadMode, RecordProblem, RecordedPlay, Replay, SettingPart,
};
use crate::rules::{ChallengeRule, Library, RuleSet};
use crate::tiles::TileSet;
use std::sync::Arc;

/// The most findings about plays with words that the lexicon lacks. With more such plays the record
/// was probably played by another lexicon, and its other findings would drown in these. Chosen by
/// hand.
const MAX_PHONY_FINDINGS: usize = 5;

impl Engine {
    /// Sets the game of a record as it stood before one of its turns, counted from 0, or as it ends;
    /// see [`GameRecord::before`]. Returns the findings up to there, with the challenge of the turn's
    /// play, in the order of lines: what contradicts the rules or the lexicon, and what the record
    /// names and does not get. On an error,
    /// which begins with the first finding, there is no game.
    pub fn set_record(
        &mut self,
        record: &GameRecord,
        turn: usize,
    ) -> Result<Vec<RecordProblem>, EngineError> {
        self.table = None;
        let (table, findings) = self
            .with_setting(record, |setting| setting.read(turn))
            .map_err(bad_position)?;
        self.table = Some(table);
        Ok(findings)
    }

    /// Replays a record to its end, with the findings about all of it. The error has the line that
    /// cannot be followed. The game on the table does not change.
    pub fn replay_record(&self, record: &GameRecord) -> Result<ReplayedRecord, RecordProblem> {
        let (mut replayed, findings) = self.with_setting(record, |setting| setting.replay())?;
        replayed.findings = findings;
        Ok(replayed)
    }

    /// Finds what a record names, and uses it. Returns the findings too, in the order of lines; an
    /// error begins with the first of them.
    fn with_setting<T>(
        &self,
        record: &GameRecord,
        read: impl FnOnce(&mut RecordSetting) -> Result<T, RecordProblem>,
    ) -> Result<(T, Vec<RecordProblem>), RecordProblem> {
        let mut setting = RecordSetting {
            engine: self,
            record,
            findings: record.remarks.clone(),
        };
        let read = read(&mut setting);
        let mut findings = setting.findings;
        RecordProblem::sort(&mut findings);
        match read {
            Ok(found) => Ok((found, findings)),
            Err(problem) => Err(problem.after_first(&findings)),
        }
    }
}

/// A record that was replayed to its end.
pub struct ReplayedRecord {
    /// The game, with all that the record shows.
    pub replay: Replay,
    /// What contradicts the rules or the lexicon, and what the record names and does not get.
    pub findings: Vec<RecordProblem>,
    /// Whether the words are judged by the lexicon of the game, as far as is known: not if the
    /// record names another one than is used.
    pub has_its_lexicon: bool,
}

/// A part of the game that a record may name.
enum NamedPart<T> {
    /// The record names none, or the one that is in use already.
    InUse,
    /// The record names this one.
    Found(T),
    /// The record names another one than is used.
    Replaced,
}

impl<T> NamedPart<T> {
    /// The part that takes the place of the one in use.
    fn found(self) -> Option<T> {
        match self {
            NamedPart::Found(found) => Some(found),
            NamedPart::InUse | NamedPart::Replaced => None,
        }
    }
}

/// Compares the plays of a record with a lexicon.
struct WordJudge<'a> {
    lexicon: &'a Lexicon,
    tiles: &'a TileSet,
    /// Whether the record names another lexicon. Then its challenges say nothing about this one.
    is_replaced: bool,
}

impl WordJudge<'_> {
    /// The words of a play that are not valid.
    fn phonies(&self, play: &RecordedPlay) -> Vec<String> {
        let words = play.words.iter();
        let phonies = words.filter(|word| !self.lexicon.contains(word));
        phonies.map(|word| self.tiles.word_text(word)).collect()
    }

    /// The findings about the plays: words that are not valid, and challenges with the wrong ruling.
    /// If too many plays that stayed have such words, that is one finding.
    fn findings(&self, plays: &[RecordedPlay]) -> Vec<RecordProblem> {
        let limit = match self.is_replaced {
            true => 1,
            false => MAX_PHONY_FINDINGS,
        };
        let stays = |play: &&RecordedPlay| !matches!(play.fate, PlayFate::CameOff(_));
        let words = plays.iter().filter(stays);
        let words = words.map(|play| (play.line, self.phonies(play)));
        let mut wrong = words.filter(|(_, phonies)| !phonies.is_empty());
        let first = wrong.next();
        match (first, wrong.count()) {
            (Some((line, first)), more) if more >= limit => {
                let s = if more == 1 { "" } else { "s" };
                let what = format!(
                    "{}; neither are words of {more} more play{s}, so that the game may have had \
                     another lexicon",
                    self.why_phony(&first)
                );
                vec![RecordProblem { line, what }]
            }
            _ => plays.iter().flat_map(|play| self.of_play(play)).collect(),
        }
    }

    /// The findings about a play.
    fn of_play(&self, play: &RecordedPlay) -> Vec<RecordProblem> {
        let phonies = self.phonies(play);
        let not_in_lexicon = || self.why_phony(&phonies);
        let mut found = Vec::new();
        let mut report = |line, what| found.push(RecordProblem { line, what });
        match (play.fate, phonies.is_empty()) {
            (PlayFate::CameOff(line), true) if !self.is_replaced => {
                let words = play.words.iter().map(|word| self.tiles.word_text(word));
                let (words, lexicon) = (words.collect::<Vec<_>>().join(", "), self.lexicon.name());
                let what =
                    format!("the play came off, but all its words are in {lexicon}: {words}");
                report(line, what);
            }
            (PlayFate::ChallengedInVain(line), false) if !self.is_replaced => {
                report(play.line, not_in_lexicon());
                let what = format!("the challenge failed, but {}", not_in_lexicon());
                report(line, what);
            }
            (PlayFate::CameOff(_), _) | (_, true) => {}
            (_, false) => report(play.line, not_in_lexicon()),
        }
        found
    }

    fn why_phony(&self, phonies: &[String]) -> String {
        referee::not_in_lexicon(phonies, self.lexicon)
    }
}

/// Finds what a record names.
struct RecordSetting<'a> {
    engine: &'a Engine,
    record: &'a GameRecord,
    findings: Vec<RecordProblem>,
}

impl RecordSetting<'_> {
    /// The game before a turn, with the rules and the lexicon.
    fn read(&mut self, turn: usize) -> Result<Table, RecordProblem> {
        let (rules, record) = self.rules_and_record()?;
        let lexicon = self.lexicon(&rules);
        let is_replaced = matches!(lexicon, NamedPart::Replaced);
        let lexicon = lexicon.found();
        self.judge_plays(&record, turn, &rules, lexicon.as_ref(), is_replaced);
        let (game, problems) = record.before(turn, &rules)?;
        self.findings.extend(problems);
        let mut table = Table::new(game);
        table.kept = record.kept_before(turn, &rules);
        table.lexicon = lexicon;
        Ok(table)
    }

    /// The whole game. Its findings are those of this setting.
    fn replay(&mut self) -> Result<ReplayedRecord, RecordProblem> {
        let (rules, record) = self.rules_and_record()?;
        let lexicon = self.lexicon(&rules);
        let is_replaced = matches!(lexicon, NamedPart::Replaced);
        self.judge_plays(
            &record,
            record.turns(),
            &rules,
            lexicon.found().as_ref(),
            is_replaced,
        );
        let (_, problems) = record.before(record.turns(), &rules)?;
        self.findings.extend(problems);
        Ok(ReplayedRecord {
            replay: record.replay(&rules, ReadMode::Lenient)?,
            findings: Vec::new(),
            has_its_lexicon: !is_replaced,
        })
    }

    /// The rules of the game, and the record with its challenge rule.
    fn rules_and_record(&mut self) -> Result<(Arc<RuleSet>, GameRecord), RecordProblem> {
        let rules = self.rules()?;
        let record = GameRecord {
            challenge_rule: self.challenge_rule(&rules),
            ..self.record.clone()
        };
        Ok((rules, record))
    }

    /// Adds the findings about the words of the plays up to a turn.
    fn judge_plays(
        &mut self,
        record: &GameRecord,
        turn: usize,
        rules: &Arc<RuleSet>,
        lexicon: Option<&String>,
        is_replaced: bool,
    ) {
        let plays = record.plays(turn, rules);
        // Without a lexicon nothing can be said of words; the search reports why there is none.
        let name = lexicon.unwrap_or(&self.engine.options.lexicon);
        if !plays.is_empty()
            && let Ok(loaded) = self.engine.lexicon(name, rules)
        {
            let judge = WordJudge {
                lexicon: &loaded.lexicon,
                tiles: &rules.tiles,
                is_replaced,
            };
            self.findings.extend(judge.findings(&plays));
        }
    }

    /// The rules of the game. An error has the line that names the part which does not fit.
    fn rules(&mut self) -> Result<Arc<RuleSet>, RecordProblem> {
        let (engine, files) = (self.engine, self.engine.files.names_only());
        let record = self.record;
        let combine = |parts: &RuleParts, last: SettingPart| {
            let rules = parts.combine(&engine.options);
            let line = || record.named(last).next().map_or(0, |pragma| pragma.line);
            rules.map_err(|error| RecordProblem {
                line: line(),
                what: error.text,
            })
        };
        let mut parts = engine.rule_parts.clone();
        let used = parts.rules.name.clone();
        let load = |name: &str| match name.eq_ignore_ascii_case(CLASSIC) {
            true => Ok(engine.rule_parts.rules.clone()),
            false => files.rules(name),
        };
        let found = self.find(SettingPart::Rules, &used, load, |rules| &rules.name);
        parts.rules = found.found().unwrap_or(parts.rules);
        self.fit_players(&mut parts);
        let used = combine(&parts, SettingPart::Rules)?;
        let load = |name: &str| files.board(name);
        let found = self.find(SettingPart::Board, used.board.name(), load, |board| {
            board.name()
        });
        parts.board = found.found().or(parts.board);
        // A board may bring its usual tiles.
        let used = combine(&parts, SettingPart::Board)?;
        let load = |name: &str| files.tiles(name);
        let found = self.find(SettingPart::Tiles, used.tiles.name(), load, |tiles| {
            tiles.name()
        });
        parts.tiles = found.found().or(parts.tiles);
        combine(&parts, SettingPart::Tiles).map(Arc::new)
    }

    /// The challenge rule, if an option decides about it or the record names the rule set in use.
    /// Records of tournaments usually name neither, whatever the challenge rule was.
    fn challenge_rule(&self, rules: &RuleSet) -> Option<ChallengeRule> {
        let (part, options) = (SettingPart::Rules, &self.engine.options);
        let is_option = self.option_set(part).is_some() || options.is_set("ChallengeRule");
        let named = self.record.named(part).next();
        let is_named = named.is_some_and(|pragma| pragma.text.eq_ignore_ascii_case(&rules.name));
        (is_option || is_named).then_some(rules.challenge)
    }

    /// The name or path of the lexicon.
    fn lexicon(&mut self, rules: &RuleSet) -> NamedPart<String> {
        let (engine, files) = (self.engine, self.engine.files.names_only());
        let used = lexicon_name(&engine.options.lexicon);
        let load = |name: &str| {
            let found = match name.eq_ignore_ascii_case(DEFAULT_LEXICON) {
                true => Some(DEFAULT_LEXICON.to_string()),
                false => files.lexicon(name).map(|path| path.display().to_string()),
            };
            let missing = || format!("there is no lexicon '{}' on the DataPath", shortened(name));
            let found = found.ok_or_else(missing)?;
            let loaded = engine.lexicon(&found, rules);
            loaded.map(|_| found).map_err(|error| error.text)
        };
        self.find(SettingPart::Lexicon, &used, load, |found| found)
    }

    /// What the record names as a part of the game. An option that is set decides.
    fn find<T>(
        &mut self,
        part: SettingPart,
        used: &str,
        load: impl Fn(&str) -> Result<T, String>,
        name_of: fn(&T) -> &str,
    ) -> NamedPart<T> {
        let record = self.record;
        let mut pragmas = record.named(part);
        let Some(pragma) = pragmas.next() else {
            return NamedPart::InUse;
        };
        let (line, name) = (pragma.line, shortened(&pragma.text));
        let is_named = |name: &str| pragma.text.eq_ignore_ascii_case(name);
        for other in pragmas.filter(|other| !is_named(&other.text)) {
            let (pragma, text) = (shortened(&other.name), shortened(&other.text));
            let what = format!("#{pragma} names {text}, line {line} names {name}, which counts");
            self.report(other.line, what);
        }
        if is_named(used) {
            return NamedPart::InUse;
        }
        let what = match (self.option_set(part), load(&pragma.text)) {
            (_, Ok(found)) if name_of(&found) == used => return NamedPart::InUse,
            (None, Ok(found)) => return NamedPart::Found(found),
            (None, Err(error)) => format!("{error}; {used} is used instead"),
            (Some(option), _) => {
                format!("the record names {name}, but the option {option} is set: {used} is used")
            }
        };
        self.report(line, what);
        NamedPart::Replaced
    }

    fn report(&mut self, line: usize, what: String) {
        self.findings.push(RecordProblem { line, what });
    }

    /// The option that the client has set and that decides about a part.
    fn option_set(&self, part: SettingPart) -> Option<&'static str> {
        let options: &[&str] = match part {
            SettingPart::Rules => &["Rules", "Variant"],
            SettingPart::Board => &["Board"],
            SettingPart::Tiles => &["LetterDistribution"],
            SettingPart::Lexicon => &["Lexicon"],
        };
        let mut options = options.iter().copied();
        options.find(|option| self.engine.options.is_set(option))
    }

    /// Takes a rule set that allows the number of players, if neither the record nor an option names
    /// a rule set.
    fn fit_players(&mut self, parts: &mut RuleParts) {
        let (players, part) = (self.record.players.len(), SettingPart::Rules);
        let (fewest, most) = parts.rules.players;
        let is_named = self.record.named(part).next().is_some() || self.option_set(part).is_some();
        if is_named || (fewest..=most).contains(&players) {
            return;
        }
        if let Some(rules) = presets_for(players).next() {
            let (used, other) = (&parts.rules.name, &rules.name);
            let s = if players == 1 { "" } else { "s" };
            let what = format!(
                "the record has {players} player{s}, which the rule set {used} does not allow; {other} is used instead"
            );
            let player = self.record.players.get(most).or(self.record.players.last());
            self.report(player.map_or(0, |player| player.line), what);
            parts.rules = rules;
        }
    }
}
