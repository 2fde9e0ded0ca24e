//! Challenges in a replay: plays that came off, failed challenges, and what notes say about turns
//! and games lost by them. A record is compared with its challenge rule only where that is known:
//! records of tournaments do not name it.

use super::penalties::{Penalty, UnchallengedPlays, VOID_HAS_NONE};
use super::replay::Replayer;
use super::{FORFEIT, GcgAction, GcgEvent, LOST_TURN, Note, RecordProblem, quoted};
use crate::rules::{ChallengeError, ChallengeRule, End, Game};
use crate::tiles::TileCounts;

/// A line of a note that says what a challenge cost: `#forfeit bob`.
struct Mark<'a> {
    /// The number of the first line of its note.
    line: usize,
    name: &'static str,
    /// The nickname after the name.
    nick: Option<&'a str>,
}

impl Mark<'_> {
    /// The mark as an error message quotes it.
    fn text(&self) -> String {
        let nick = self.nick.map(|nick| format!(" {}", quoted(nick)));
        format!("'{}{}'", self.name, nick.unwrap_or_default())
    }
}

/// The marks of some notes.
fn marks(notes: &[Note]) -> impl Iterator<Item = Mark<'_>> {
    let lines = notes
        .iter()
        .flat_map(|note| note.text.lines().map(|line| (note.line, line)));
    lines.filter_map(|(line, text)| {
        let mut words = text.split_whitespace();
        let first = words.next()?;
        let mut names = [LOST_TURN, FORFEIT].into_iter();
        let name = names.find(|name| name.eq_ignore_ascii_case(first))?;
        let nick = words.next();
        Some(Mark { line, name, nick })
    })
}

/// The lines of some notes that begin as a mark and are none, each with the first line of its note.
fn unknown_marks(notes: &[Note]) -> impl Iterator<Item = (usize, &str)> {
    let is_known = |word: &str| {
        let mut names = [LOST_TURN, FORFEIT].into_iter();
        names.any(|name| name.eq_ignore_ascii_case(word))
    };
    notes.iter().flat_map(move |note| {
        let first = note
            .text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        let unknown = first.filter(move |word| word.len() > 1 && word.starts_with('#'));
        unknown
            .filter(move |word| !is_known(word))
            .map(|word| (note.line, word))
    })
}

impl GcgEvent {
    /// Whether it is a pass that is a turn lost by a challenge.
    pub(super) fn is_lost_turn(&self) -> bool {
        let is_mark = |mark: Mark| mark.name == LOST_TURN && mark.nick.is_none();
        self.action == GcgAction::Pass && marks(&self.notes).any(is_mark)
    }
}

impl Replayer<'_> {
    pub(super) fn withdraw(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        if self.just_played != Some(seat) {
            let nick = self.nick(seat);
            return self.refuse(line, format!("-- does not follow a play of {nick}"));
        }
        if self.record.challenge_rule == Some(ChallengeRule::Void) {
            self.report(line, VOID_HAS_NONE)?;
        }
        let last = self.game.last_play();
        let tiles = last.map_or(TileCounts::EMPTY, |(_, turn)| turn.tiles_shown());
        let is_forfeit = self.forfeited(line) == Some(seat);
        if self.record.challenge_rule == Some(ChallengeRule::Triple) && !is_forfeit {
            let nick = self.nick(seat);
            let what = format!(
                "the challenge rule triple ends the game when a play comes off: the note \
                 '{FORFEIT} {nick}' says so"
            );
            self.report(line, what)?;
        }
        let result = match is_forfeit {
            true => self.challenge(line, (seat + 1) % self.players.len(), false),
            false => self.act(line.line, Game::withdraw),
        };
        if let Err(error) = result {
            return self.refuse(line, error.to_string());
        }
        // The tiles are back on the rack, so the rack of this line is that before the play.
        if self.check_stated_rack(line, &tiles, "which came back from the board")? {
            self.add_known_rack(line.line, seat, &line.rack)?;
        }
        Ok(true)
    }

    /// Ends the game if a note of a line about a play says that an opponent lost it by challenging
    /// the play.
    pub(super) fn forfeit_challenger(
        &mut self,
        seat: usize,
        line: &GcgEvent,
    ) -> Result<(), RecordProblem> {
        let loser = self.forfeited(line).filter(|&loser| loser != seat);
        let loser = loser.filter(|&loser| self.game.end() != Some(End::Forfeit(loser)));
        match loser.map(|loser| self.challenge(line, loser, true)) {
            Some(Err(error)) => self.report(line, error.to_string()),
            _ => Ok(()),
        }
    }

    /// The seat that lost the game by a challenge, according to a note of this line.
    fn forfeited(&self, line: &GcgEvent) -> Option<usize> {
        let mut lost = marks(&line.notes).filter(|mark| mark.name == FORFEIT);
        let loser = lost.find_map(|mark| self.seat(mark.nick?));
        loser.filter(|_| self.rules.challenge == ChallengeRule::Triple)
    }

    /// Challenges the last play with a known ruling.
    fn challenge(&mut self, line: &GcgEvent, by: usize, good: bool) -> Result<(), ChallengeError> {
        let words = self.game.last_words();
        let ruling = self.act(line.line, |game| game.challenge(by, &words, |_| good));
        ruling.map(|_| ())
    }

    pub(super) fn award(&mut self, seat: usize, line: &GcgEvent) -> Result<bool, RecordProblem> {
        self.add_known_rack(line.line, seat, &line.rack)?;
        // A note of the play may have ended the game; then the play cannot be challenged again.
        let is_last = self.game.last_play().map(|(by, _)| by) == Some(seat);
        if !is_last && self.just_played != Some(seat) {
            let nick = self.nick(seat);
            return self.refuse(
                line,
                format!("(challenge) does not follow a play of {nick}"),
            );
        }
        self.forfeit_challenger(seat, line)?;
        let is_right = self.check_penalty(line.line, Penalty::Points(line.points))?;
        if is_right {
            self.check_penalty_follows(seat, line)?;
        }
        self.act(line.line, |game| game.award(line.points));
        Ok(true)
    }

    /// Reports the marks in the notes of a line that have no effect, and why.
    pub(super) fn check_marks(&mut self, line: &GcgEvent) -> Result<(), RecordProblem> {
        let last = self.record.events.last();
        let is_last = last.is_some_and(|last| std::ptr::eq(last, line));
        self.check_marks_in(&line.notes, Some(line), is_last)
    }

    /// Reports the marks in the notes before the first event that have no effect, and why.
    pub(super) fn check_first_marks(&mut self) -> Result<(), RecordProblem> {
        let record = self.record;
        self.check_marks_in(&record.notes, None, record.events.is_empty())
    }

    /// Reports the marks without effect in the notes of a line, or of none before the first event.
    fn check_marks_in(
        &mut self,
        notes: &[Note],
        line: Option<&GcgEvent>,
        is_last: bool,
    ) -> Result<(), RecordProblem> {
        self.report_unknown_marks(notes)?;
        let mut plays = UnchallengedPlays::of(&self.game);
        for mark in marks(notes) {
            let why = match mark.name {
                FORFEIT => self.why_not_forfeit(&mark, line),
                _ => self.why_not_lost_turn(&mark, line, is_last, &mut plays),
            };
            self.report_mark(&mark, why)?;
        }
        Ok(())
    }

    fn report_unknown_marks(&mut self, notes: &[Note]) -> Result<(), RecordProblem> {
        for (line, word) in unknown_marks(notes) {
            let word = quoted(word);
            let what = format!(
                "'{word}' in a note has no effect; the marks of challenges are {LOST_TURN} and {FORFEIT}"
            );
            self.problems.report(line, what)?;
        }
        Ok(())
    }

    fn report_mark(&mut self, mark: &Mark, why: Option<String>) -> Result<(), RecordProblem> {
        let what = why.map(|why| format!("{} has no effect: {why}", mark.text()));
        match what {
            Some(what) => self.problems.report(mark.line, what),
            None => Ok(()),
        }
    }

    /// The seat that a mark names, or why it names none.
    fn marked_seat(&self, mark: &Mark) -> Result<usize, String> {
        let Some(nick) = mark.nick else {
            return Err("it names no player".to_string());
        };
        self.seat(nick).ok_or_else(|| {
            let nicks = self.record.players.iter();
            let nicks: Vec<String> = nicks.map(|player| quoted(&player.nick)).collect();
            let (nick, nicks) = (quoted(nick), nicks.join(", "));
            format!("'{nick}' is none of the players: {nicks}")
        })
    }

    /// Why a player has not lost the game at this line, which has been replayed.
    fn why_not_forfeit(&self, mark: &Mark, line: Option<&GcgEvent>) -> Option<String> {
        let loser = match self.marked_seat(mark) {
            Ok(loser) => loser,
            Err(why) => return Some(why),
        };
        if self.game.end() == Some(End::Forfeit(loser)) {
            return None;
        }
        let rule = self.rules.challenge;
        if rule != ChallengeRule::Triple {
            return Some(format!(
                "only the challenge rule triple lets a challenge lose the game, and the rule is {}",
                rule.name()
            ));
        }
        let nick = self.nick(loser);
        let is_own = line.is_some_and(|line| self.seat(&line.nick) == Some(loser));
        if matches!(self.game.end(), Some(End::Target(_))) && !is_own {
            // The challenger had lost before the challenge.
            return None;
        }
        Some(match line.map(|line| &line.action) {
            Some(GcgAction::Play { .. } | GcgAction::Token(_)) if is_own => format!(
                "{nick} made the play; if it lost {nick} the game, the next line takes it off with --"
            ),
            Some(GcgAction::Withdrawn) if !is_own => {
                format!("the play came off, so that its player lost the game and not {nick}")
            }
            Some(GcgAction::Challenge) if is_own => {
                format!("the play stands, so that the challenger lost the game and not {nick}")
            }
            _ => "it must follow the play that was challenged, or its line (challenge) or --"
                .to_string(),
        })
    }

    /// Why a player has lost no turn by a mark of this line, which has been replayed. A nickname
    /// counts after the last event only. `plays` can still cost a turn after the marks before.
    fn why_not_lost_turn(
        &self,
        mark: &Mark,
        line: Option<&GcgEvent>,
        is_last: bool,
        plays: &mut UnchallengedPlays,
    ) -> Option<String> {
        let lost_turn = "a turn lost before the end of the record is a pass with the note \
                         '#unsuccessful-challenge'";
        if mark.nick.is_none() {
            let is_lost = line.is_some_and(GcgEvent::is_lost_turn);
            return (!is_lost).then(|| format!("it is for a pass; {lost_turn}"));
        }
        let seat = match self.marked_seat(mark) {
            Ok(seat) => seat,
            Err(why) => return Some(why),
        };
        if !is_last {
            return Some(format!("it is not after the last event; {lost_turn}"));
        }
        let nick = self.nick(seat);
        if self.game.last_play().map(|(by, _)| by) == Some(seat) {
            return Some(format!(
                "{nick} made the play and cannot have challenged it"
            ));
        }
        (!plays.lose_turn(seat)).then(|| nothing_to_lose(&nick))
    }

    /// Whether a note after the last event names a seat that has lost a turn and `is_meant`.
    pub(super) fn names_lost_turn(&self, is_meant: impl Fn(usize) -> bool) -> bool {
        let last = self.record.events.last();
        let mut marks = last.into_iter().flat_map(|last| marks(&last.notes));
        marks.any(|mark| {
            let seat = mark.nick.and_then(|nick| self.seat(nick));
            mark.name == LOST_TURN && seat.is_some_and(&is_meant)
        })
    }

    /// Loses a turn on a line that says so.
    pub(super) fn lose_turn(&mut self, seat: usize, line: usize) -> Result<(), RecordProblem> {
        self.check_penalty(line, Penalty::LostTurn)?;
        if !UnchallengedPlays::of(&self.game).lose_turn(seat) {
            let what = nothing_to_lose(&self.nick(seat));
            self.problems.report(line, what)?;
        }
        self.act(line, |game| game.lose_turns(seat, 1));
        Ok(())
    }

    /// Records turns lost by challenges that are still to come. A player to move loses the turn now.
    pub(super) fn add_pending_lost_turns(&mut self) -> Result<(), RecordProblem> {
        let record = self.record;
        let last = record.events.last();
        let notes = last.map_or(&record.notes, |line| &line.notes);
        let mut plays = UnchallengedPlays::of(&self.game);
        let lost = marks(notes).filter(|mark| mark.name == LOST_TURN);
        let lost = lost.filter_map(|mark| {
            let seat = mark.nick.and_then(|nick| self.seat(nick))?;
            let refused = self.why_not_lost_turn(&mark, last, true, &mut plays);
            refused.is_none().then_some((mark.line, seat))
        });
        let lost: Vec<(usize, usize)> = lost.collect();
        for (line, seat) in lost {
            self.check_penalty(line, Penalty::LostTurn)?;
            let line = last.map_or(0, |last| last.line);
            self.act(line, |game| game.lose_turns(seat, 1));
        }
        Ok(())
    }
}

/// Why a player has lost no turn by a challenge.
fn nothing_to_lose(nick: &str) -> String {
    format!(
        "{nick} cannot have lost this turn by a challenge: of the plays since {nick}'s last turn, \
         none stands without a penalty already"
    )
}
