//! A record becomes independent tasks, one for each turn.
//!
//! [`PreparedGame::new`] replays the record and notes what follows from it without search: racks,
//! words, scores, positions. Each turn has a [`TurnTask`] with all that its search needs.

use super::figures::earns_bonus;
use super::task::{LuckTask, TurnFindings, TurnTask};
use super::text::{board_tiles, changes, faces, readable, tile_face};
use super::time_bank::TimeBank;
use super::{
    LetterValue, ReviewBoard, ReviewDocument, ReviewPhase, ReviewProvenance, ReviewRequest,
    ReviewedTurn, assemble, command,
};
use crate::board::{Grid, Layout, Premium};
use crate::engine::{Analysis, Engine, EngineError, Mode, PlayedMove, ReplayedRecord, SearchTask};
use crate::notation::gcg::{GameRecord, GcgAction, ReadMode, RecordProblem};
use crate::rules::{ChallengeRule, End, Position, Turn};
use crate::search::clock::MoveTime;
use crate::tiles::{Tile, TileCounts, TileSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// A record made ready for review.
pub struct PreparedGame {
    pub(super) title: String,
    pub(super) date: String,
    pub(super) description: String,
    pub(super) findings: Vec<String>,
    pub(super) provenance: ReviewProvenance,
    pub(super) board: ReviewBoard,
    pub(super) players: Vec<GamePlayer>,
    pub(super) ending: GameEnding,
    pub(super) turns: Vec<PreparedTurn>,
}

/// A player of the game, on the seat of its place in a list.
pub(super) struct GamePlayer {
    /// The full name, or the nickname.
    pub name: String,
    /// The nickname.
    pub nick: String,
}

/// How the record ends.
pub(super) struct GameEnding {
    /// Why the game is over, if it is.
    pub end: Option<End>,
    /// The seats that won or share the win; empty if that is not known.
    pub winners: Vec<usize>,
    /// The scores by seat, with the settlement.
    pub scores: Vec<i32>,
}

/// A turn with what the record says about it, and what to search.
pub(super) struct PreparedTurn {
    /// What follows from the record alone.
    pub stated: ReviewedTurn,
    /// The search.
    pub task: TurnTask,
}

impl PreparedGame {
    /// Replays the record with the rules and the lexicon that it names. `name` is the title if the
    /// record has none. An error has the line that cannot be followed, or line 0 if it has none,
    /// such as missing data.
    pub fn new(
        engine: &mut Engine,
        record: &GameRecord,
        name: &str,
    ) -> Result<PreparedGame, RecordProblem> {
        // Turns are told apart by their lines, which a record has only if it was read from a text.
        if record.events.iter().any(|event| event.line == 0) {
            let (read, _) = GameRecord::parse(record.to_text().as_bytes(), ReadMode::Strict)?;
            return PreparedGame::new(engine, &read, name);
        }
        let replayed = engine.replay_record(record)?;
        let mut reader = RecordReader {
            engine,
            record,
            replayed: &replayed,
            turns: Vec::new(),
        };
        reader.read_turns()?;
        let turns = reader.turns;
        let rules = replayed.replay.game.position().rules();
        let pragma = |name: &str| record.pragma(name).unwrap_or_default().trim().to_string();
        let title = pragma("title");
        let players = replayed.replay.players.iter().map(|&player| {
            let player = &record.players[player];
            let name = match player.name.trim() {
                "" => &player.nick,
                name => name,
            };
            GamePlayer {
                name: name.to_string(),
                nick: player.nick.clone(),
            }
        });
        let findings = replayed.findings.iter().map(|found| found.to_string());
        Ok(PreparedGame {
            title: if title.is_empty() {
                name.to_string()
            } else {
                title
            },
            date: pragma("date"),
            description: pragma("description"),
            findings: findings.collect(),
            provenance: provenance(engine, record)?,
            board: board(&rules.board, &rules.tiles),
            players: players.collect(),
            ending: ending(record, &replayed),
            turns,
        })
    }

    /// The number of turns to review.
    pub fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Names everything that the findings of a turn depend on, as hexadecimal digits.
    pub fn key(&self, turn: usize, request: &ReviewRequest) -> String {
        self.turns[turn].task.key(request)
    }

    /// Searches one turn in the calling thread. `time` limits the search if the request has no limit
    /// of iterations.
    pub fn review_turn(
        &self,
        turn: usize,
        request: &ReviewRequest,
        time: Option<MoveTime>,
    ) -> TurnFindings {
        self.turns[turn].task.search(request, time)
    }

    /// Puts the findings of all turns together, in their order.
    pub fn assemble(&self, findings: Vec<TurnFindings>, request: &ReviewRequest) -> ReviewDocument {
        assemble::assemble(self, findings, request)
    }

    /// Reviews all turns in parallel on this number of threads.
    pub fn review(&self, request: &ReviewRequest, threads: usize) -> ReviewDocument {
        let bank = request.time.map(TimeBank::new);
        let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                if turn >= self.turns() {
                    break;
                }
                let start = std::time::Instant::now();
                let time = bank.as_ref().map(TimeBank::allot);
                let findings = self.review_turn(turn, request, time);
                if let Some(bank) = &bank {
                    bank.book(start.elapsed());
                }
                // Nothing panics while the list is locked.
                if let Ok(mut found) = found.lock() {
                    found.push((turn, findings));
                }
            }
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads.clamp(1, self.turns().max(1)))
                .map(|_| scope.spawn(work))
                .collect();
            work();
            for other in others {
                if let Err(panicked) = other.join() {
                    panic::resume_unwind(panicked);
                }
            }
        });
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_by_key(|(turn, _)| *turn);
        let findings = found.into_iter().map(|(_, findings)| findings);
        self.assemble(findings.collect(), request)
    }
}

/// Reads the turns of a record one after the other.
struct RecordReader<'a> {
    engine: &'a mut Engine,
    record: &'a GameRecord,
    replayed: &'a ReplayedRecord,
    turns: Vec<PreparedTurn>,
}

impl RecordReader<'_> {
    fn read_turns(&mut self) -> Result<(), RecordProblem> {
        let lines: Vec<usize> = self.record.turn_lines().collect();
        for (turn, &at) in lines.iter().enumerate() {
            self.read_turn(turn, at)?;
        }
        let ends = lines
            .iter()
            .skip(1)
            .copied()
            .chain([self.record.events.len()]);
        let ends: Vec<usize> = ends.collect();
        self.add_scores(&lines, &ends);
        self.add_missed_challenges();
        self.add_draws();
        let numbers = self.turns.iter_mut().zip(1..);
        numbers.for_each(|(turn, number)| turn.stated.number = number);
        Ok(())
    }

    /// Reads one turn; a pass after the end of the game, which waives a challenge, is none.
    fn read_turn(&mut self, turn: usize, at: usize) -> Result<(), RecordProblem> {
        let event = &self.record.events[at];
        let failed = |error: EngineError| RecordProblem {
            line: event.line,
            what: error.text,
        };
        self.engine.set_record(self.record, turn).map_err(failed)?;
        let text = self.record.move_text(turn).unwrap_or_default();
        let played = self.engine.played_move(&text, None);
        let is_over = self.engine.game().is_none_or(|game| game.end().is_some());
        let (Some(played), false) = (played, is_over) else {
            return Ok(());
        };
        if let Some(turn) = &played.turn {
            self.engine.add_played_tiles(turn).map_err(failed)?;
        }
        let is_sampled = self.engine.needs_sampling(true);
        let search = self.engine.search_task(Mode::Auto).map_err(failed)?;
        let stated = self.stated(&search, &played, at);
        // A play whose words are valid here came off by another list of words.
        let is_phony = !self.phonies(&search, &played).is_empty();
        let task = TurnTask::new(search, &played, is_phony, is_sampled);
        self.turns.push(PreparedTurn { stated, task });
        Ok(())
    }

    /// What follows from the record about a turn.
    fn stated(&self, search: &SearchTask, played: &PlayedMove, at: usize) -> ReviewedTurn {
        let (position, event) = (&search.position, &self.record.events[at]);
        let (rules, seat) = (position.rules(), position.to_move());
        let (tiles, rack) = (&rules.tiles, position.mover_rack());
        let cgp = self
            .engine
            .cgp()
            .map_or(String::new(), |cgp| cgp.to_string());
        let unseen = position.unseen().kinds();
        let bag = position.bag_len();
        ReviewedTurn {
            line: event.line,
            seat: seat + 1,
            rack: faces(&rack.known, tiles),
            unknown: rack.unknown.into(),
            played: readable(&played.text),
            code: played.text.clone(),
            points: event.points.0,
            changes: match &played.turn {
                Some(turn) => changes(turn, position.grid(), tiles),
                None => Vec::new(),
            },
            came_off: played.came_off,
            phonies: match self.replayed.has_its_lexicon {
                true => self.phonies(search, played),
                false => Vec::new(),
            },
            phase: match bag {
                0 => ReviewPhase::Endgame,
                bag if bag <= rules.rack_size => ReviewPhase::PreEndgame,
                _ => ReviewPhase::Open,
            },
            bag,
            unseen: unseen
                .map(|(tile, count)| (tile_face(tile, tiles), count.into()))
                .collect(),
            command: command::command(self.engine.options(), &cgp, rack, played),
            cgp,
            bonus: played.turn.is_some_and(|turn| earns_bonus(&turn, position)) && !played.came_off,
            notes: played.problem.iter().cloned().collect(),
            ..ReviewedTurn::default()
        }
    }

    /// The words of a play that are not in the lexicon.
    fn phonies(&self, search: &SearchTask, played: &PlayedMove) -> Vec<String> {
        let (position, lexicon) = (&search.position, &search.data.words.lexicon);
        let play = played.turn.filter(|turn| turn.changes_board());
        let score = play.and_then(|turn| position.examine_turn(&turn).ok());
        let words = score.iter().flat_map(|score| score.formed());
        let phonies = words.filter(|word| !lexicon.contains(word));
        let text = |word: Vec<_>| position.rules().tiles.word_text(&word);
        phonies
            .map(|word| text(word).replace(['[', ']'], ""))
            .collect()
    }

    /// Adds the scores after each turn: those of the record, with all lines up to the next turn.
    fn add_scores(&mut self, lines: &[usize], ends: &[usize]) {
        let events = &self.record.events;
        let seats = &self.replayed.replay.players;
        let mut totals = vec![0; seats.len()];
        let mut scores_at = Vec::new();
        let first = lines.first().copied().unwrap_or(events.len());
        let spans =
            std::iter::once((0, first)).chain(lines.iter().copied().zip(ends.iter().copied()));
        for (start, end) in spans {
            for event in &events[start..end] {
                let player = self.record.player(&event.nick);
                let seat = seats.iter().position(|&at| Some(at) == player);
                if let Some(seat) = seat {
                    totals[seat] = event.total.0;
                }
            }
            scores_at.push((
                events.get(start).map_or(0, |event| event.line),
                totals.clone(),
            ));
        }
        for turn in &mut self.turns {
            // A line that is not reviewed counts with the turn before it.
            let mut known = scores_at.iter().skip(1);
            let found = known.find(|(line, _)| *line == turn.stated.line);
            turn.stated.scores = found.map_or(totals.clone(), |(_, scores)| scores.clone());
        }
        let last = ending(self.record, self.replayed).scores;
        if let Some(turn) = self.turns.last_mut() {
            turn.stated.scores = last;
        }
    }

    /// Adds the phonies that the player just before got away with.
    fn add_missed_challenges(&mut self) {
        let rules = self.replayed.replay.game.position().rules();
        if rules.challenge == ChallengeRule::Void {
            return;
        }
        for at in 1..self.turns.len() {
            let before = &self.turns[at - 1].stated;
            let challenged = self.is_challenged(before.line);
            if before.came_off || challenged || before.seat == self.turns[at].stated.seat {
                continue;
            }
            self.turns[at].stated.missed_challenge = before.phonies.clone();
        }
    }

    /// Whether a challenge of the play on a line failed.
    fn is_challenged(&self, line: usize) -> bool {
        let events = &self.record.events;
        let at = events.iter().position(|event| event.line == line);
        let next = at.and_then(|at| events.get(at + 1));
        next.is_some_and(|event| event.action == GcgAction::Challenge)
    }

    /// Adds the tiles drawn after each turn, where the next rack of the player shows them.
    fn add_draws(&mut self) {
        for at in 0..self.turns.len() {
            let PreparedTurn { stated, task } = &self.turns[at];
            let mut later = self.turns[at + 1..].iter();
            let next = later.find(|next| next.stated.seat == stated.seat);
            let drawn = next.and_then(|next| drawn(task, stated.came_off, &next.task));
            let luck = self.luck_task(at, drawn);
            let turn = &mut self.turns[at];
            let tiles = &turn.task.search.position.rules().tiles;
            turn.stated.drawn = drawn.map_or(Vec::new(), |drawn| faces(&drawn, tiles));
            turn.task.luck = luck;
        }
    }

    /// What the luck of a turn follows from, with two players: the position with the rack of the
    /// opponent, which the next turn shows. At the first turn that rack is not drawn yet.
    fn luck_task(&self, at: usize, drawn: Option<TileCounts>) -> Option<LuckTask> {
        let PreparedTurn { stated, task } = &self.turns[at];
        let mut position = task.search.position.clone();
        if task.is_sampled || position.player_count() != 2 {
            return None;
        }
        let opponent = 1 - position.to_move();
        let mut later = self.turns[at + 1..].iter();
        let next = later.find(|next| next.stated.seat == opponent + 1);
        let held = next.map(|next| *next.task.search.position.rack(opponent));
        let is_first_turn = at == 0;
        if let Some(held) = held.filter(|held| held.unknown == 0 && !is_first_turn)
            && held.len() == position.rack(opponent).len()
        {
            // Racks that contradict each other stay unknown.
            let _ = position.set_rack(opponent, held.known);
        }
        let mut before = self.turns[..at].iter();
        Some(LuckTask {
            position,
            drawn,
            is_first_rack: !before.any(|other| other.stated.seat == stated.seat),
            is_first_turn,
        })
    }
}

/// The tiles that a player drew after a turn, if the racks before and after it are known.
fn drawn(task: &TurnTask, came_off: bool, next: &TurnTask) -> Option<TileCounts> {
    let turn = task
        .played
        .filter(|_| !came_off && task.played != Some(Turn::Pass))?;
    let seat = task.search.position.to_move();
    let mut after: Position = task.search.position.clone();
    after.play(&turn).ok()?;
    let (kept, held) = (after.rack(seat), next.search.position.rack(seat));
    let is_known = task.search.position.rack(seat).unknown == 0 && held.unknown == 0;
    let mut drawn = held.known;
    drawn.take_all(&kept.known).ok()?;
    (is_known && drawn.len() == usize::from(kept.unknown)).then_some(drawn)
}

/// How the record ends. Where the rules and the record differ, the scores of the record hold.
fn ending(record: &GameRecord, replayed: &ReplayedRecord) -> GameEnding {
    let replay = &replayed.replay;
    let end = replay.game.end();
    let is_settlement = |action: &GcgAction| matches!(action, GcgAction::EndRack(_));
    let is_settled = record
        .events
        .iter()
        .any(|event| is_settlement(&event.action));
    let outcome = replay.game.outcome();
    let scores: Vec<i32> = match &outcome {
        Some(outcome) if !is_settled => outcome.scores.iter().map(|points| points.0).collect(),
        _ => replay.scores.iter().map(|points| points.0).collect(),
    };
    // Without a settlement the tiles left are not known, and neither is the winner.
    let is_known = end.is_some() && (is_settled || outcome.is_some());
    let best = scores.iter().max();
    let by_points = || (0..scores.len()).filter(|&seat| Some(&scores[seat]) == best);
    let by_rules = outcome.as_ref().and_then(|outcome| outcome.winner);
    let winners = match (end, by_rules) {
        (Some(End::Forfeit(_) | End::Target(_)), Some(winner)) => vec![winner],
        (Some(End::Forfeit(loser)), None) => by_points().filter(|&seat| seat != loser).collect(),
        // A tie may be decided by the rules.
        (_, Some(winner)) if Some(&scores[winner]) == best => vec![winner],
        _ if is_known => by_points().collect(),
        _ => Vec::new(),
    };
    GameEnding {
        end,
        winners,
        scores,
    }
}

/// The engine and the data that the searches use.
fn provenance(engine: &mut Engine, record: &GameRecord) -> Result<ReviewProvenance, RecordProblem> {
    let failed = |error: EngineError| RecordProblem {
        line: 0,
        what: error.text,
    };
    engine.set_record(record, record.turns()).map_err(failed)?;
    let task = engine.search_task(Mode::Auto).map_err(failed)?;
    let found = Analysis::new(task.position, &task.data).provenance;
    Ok(ReviewProvenance {
        engine: found.engine,
        lexicon: found.lexicon,
        leaves: found.leaves,
        winpct: found.win_table,
        rules: found.rules,
    })
}

/// The board without tiles.
fn board(layout: &Layout, tiles: &TileSet) -> ReviewBoard {
    let premium = |square| match layout.premium(square) {
        Premium::None => String::new(),
        Premium::Letter(factor) => format!("{factor}L"),
        Premium::Word(factor) => format!("{factor}W"),
        Premium::Unusable => "#".to_string(),
    };
    let kinds = tiles.all();
    let blank = (kinds.count(Tile::BLANK) > 0).then_some(Tile::BLANK);
    let all = blank.into_iter().chain(tiles.letters().map(Into::into));
    let letter = |tile: Tile| LetterValue {
        letter: match tile.letter() {
            Some(letter) => tiles.letter_text(letter),
            None => "?".to_string(),
        },
        face: tile_face(tile, tiles),
        value: tiles.value(tile).0,
    };
    ReviewBoard {
        side: layout.side().into(),
        premiums: layout.squares().map(premium).collect(),
        start: Some(layout.start().index()),
        letters: all.map(letter).collect(),
        tiles: board_tiles(&Grid::new(layout.side()), tiles),
    }
}
