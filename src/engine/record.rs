//! Sets the game of a record, with the rules and the lexicon that the record names.
//!
//! A record comes from anywhere, so its names are looked up among what is built in and by name in
//! the folders of the DataPath; they never open a path. Options that the client has set win. What
//! the record names and does not get is a finding, which says what is used instead.

use super::files::lexicon_name;
use super::table::Table;
use super::{
    DEFAULT_LEXICON, Engine, EngineError, RuleParts, bad_position, presets_for, shortened,
};
use crate::notation::cgp::CLASSIC;
use crate::notation::gcg::{GameRecord, RecordProblem, SettingPart};
use crate::rules::{ChallengeRule, Library, RuleSet};
use std::sync::Arc;

impl Engine {
    /// Sets the game of a record as it stood before one of its turns, counted from 0, or as it ends;
    /// see [`GameRecord::before`]. Returns the findings up to there, in the order of lines: what
    /// contradicts the rules, and what the record names and does not get. On an error, which begins
    /// with the first finding, there is no game.
    pub fn set_record(
        &mut self,
        record: &GameRecord,
        turn: usize,
    ) -> Result<Vec<RecordProblem>, EngineError> {
        self.table = None;
        let mut setting = RecordSetting {
            engine: self,
            record,
            findings: record.assumptions.clone(),
        };
        let rules = setting.rules()?;
        let record = &GameRecord {
            challenge_rule: setting.challenge_rule(&rules),
            ..record.clone()
        };
        let (game, problems) = record.before(turn, &rules).map_err(|problem| {
            let first = setting.findings.first().cloned();
            bad_position(match first {
                Some(first) => first.followed_by(&problem),
                None => problem,
            })
        })?;
        let lexicon = setting.lexicon(&rules);
        let mut findings = setting.findings;
        findings.extend(problems);
        RecordProblem::sort(&mut findings);
        let mut table = Table::new(game);
        table.kept = record.kept_before(turn, &rules);
        table.lexicon = lexicon;
        self.table = Some(table);
        Ok(findings)
    }
}

/// Finds what a record names.
struct RecordSetting<'a> {
    engine: &'a Engine,
    record: &'a GameRecord,
    findings: Vec<RecordProblem>,
}

impl RecordSetting<'_> {
    /// The rules of the game.
    fn rules(&mut self) -> Result<Arc<RuleSet>, EngineError> {
        let (engine, files) = (self.engine, self.engine.files.names_only());
        let combine = |parts: &RuleParts| {
            let rules = parts.combine(&engine.options);
            rules.map_err(|error| bad_position(error.text))
        };
        let mut parts = engine.rule_parts.clone();
        let used = parts.rules.name.clone();
        let load = |name: &str| match name.eq_ignore_ascii_case(CLASSIC) {
            true => Ok(engine.rule_parts.rules.clone()),
            false => files.rules(name),
        };
        let found = self.find(SettingPart::Rules, &used, load, |rules| &rules.name);
        parts.rules = found.unwrap_or(parts.rules);
        self.fit_players(&mut parts);
        let used = combine(&parts)?;
        let load = |name: &str| files.board(name);
        let found = self.find(SettingPart::Board, used.board.name(), load, |board| {
            board.name()
        });
        parts.board = found.or(parts.board);
        // A board may bring its usual tiles.
        let used = combine(&parts)?;
        let load = |name: &str| files.tiles(name);
        let found = self.find(SettingPart::Tiles, used.tiles.name(), load, |tiles| {
            tiles.name()
        });
        parts.tiles = found.or(parts.tiles);
        RecordProblem::sort(&mut self.findings);
        combine(&parts).map(Arc::new)
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

    /// The name or path of the lexicon, if it is not the option's.
    fn lexicon(&mut self, rules: &RuleSet) -> Option<String> {
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

    /// What the record names as a part of the game, unless it is in use already or an option is set
    /// that decides.
    fn find<T>(
        &mut self,
        part: SettingPart,
        used: &str,
        load: impl Fn(&str) -> Result<T, String>,
        name_of: fn(&T) -> &str,
    ) -> Option<T> {
        let record = self.record;
        let mut pragmas = record.named(part);
        let pragma = pragmas.next()?;
        let (line, name) = (pragma.line, shortened(&pragma.text));
        let is_named = |name: &str| pragma.text.eq_ignore_ascii_case(name);
        for other in pragmas.filter(|other| !is_named(&other.text)) {
            let (pragma, text) = (shortened(&other.name), shortened(&other.text));
            let what = format!("#{pragma} names {text}, line {line} names {name}, which counts");
            self.report(other.line, what);
        }
        if is_named(used) {
            return None;
        }
        let what = match (self.option_set(part), load(&pragma.text)) {
            (_, Ok(found)) if name_of(&found) == used => return None,
            (None, Ok(found)) => return Some(found),
            (None, Err(error)) => format!("{error}; {used} is used instead"),
            (Some(option), _) => {
                format!("the record names {name}, but the option {option} is set: {used} is used")
            }
        };
        self.report(line, what);
        None
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
            let what = format!(
                "the record has {players} players, which the rule set {used} does not allow; {other} is used instead"
            );
            self.report(0, what);
            parts.rules = rules;
        }
    }
}
