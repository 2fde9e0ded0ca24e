//! How one turn is searched.
//!
//! **Simulated positions take two stages.** The best of many noisy figures is too high on average
//! (the winner's curse), so a choice must not be valued by the figures that made it. Stage 1 gets one
//! half of the budget and simulates all candidates, the move that was played among them. Stage 2 gets
//! the other half and simulates the finalists in worlds of its own. The best move is the one that
//! stage 1 chose, unless stage 2 contradicts it by [`SWITCH_ERRORS`] standard errors; its figures and
//! the loss of all finalists are those of stage 2. The loss is a mean of paired differences, world by
//! world.
//!
//! **Solved positions** (endgames, and pre-endgames with few tiles in the bag) take one search with
//! the whole budget, because proofs have no noise.
//!
//! **Partly known racks** are completed in several ways ([`crate::engine::SampledAnalysis`]), which
//! does the same two stages for each rack.
//!
//! A play that came off the board is worth as much as a pass: the tiles come back, and the turn is
//! lost.

use super::figures::{FoundMove, earns_bonus, minus, shown_loss};
use super::task::{TurnFindings, TurnTask};
use super::text::{code, figure, readable, rounded};
use super::{NotGraded, ReviewFigure, ReviewRequest};
use crate::engine::{Analysis, AnalyzedMove, EngineError, Mode, SampledRequest, SearchRequest};
use crate::rules::{Position, Turn};
use crate::search::clock::MoveTime;
use crate::search::ranking::Candidate;
use crate::seed::Seed;
use std::time::Duration;

/// The most moves that stage 2 values, beside those that are always valued. Chosen by hand: more than
/// a table shows at a glance, and each gets the same share of the budget.
const MAX_FINALISTS: usize = 8;
/// Stage 2 replaces the best move of stage 1 by another one that leads it by this number of standard
/// errors. Chosen by hand: with eight equal finalists this happens by chance in 1 of 100 turns.
const SWITCH_ERRORS: f64 = 3.0;
/// If the choice of stage 1 is the move that was played, stage 2 gets this part of the time of a turn,
/// as one part of this many: nothing was lost, and its figures are only shown. Chosen by hand.
const AGREEMENT_TIME_DIVISOR: u32 = 4;
/// The number of best moves that list replies, lines and draws; the move that was played has them
/// too. Chosen by hand: the draws of one pre-endgame move can be hundreds.
const DETAILED_MOVES: usize = 6;
/// The number of best moves by static evaluation among which plays that earn a bonus are looked for.
/// Chosen by hand: more than nearly all positions have, so that in practice these are all moves.
const RANKED_MOVES: usize = 5_000;
/// The number of best moves of an endgame that get an exact value. Each takes time that the proof of
/// the best one may need. Chosen by hand.
const ENDGAME_LINES: usize = 10;
/// The iterations of a turn if a request has neither a time nor iterations. Chosen by hand: about a
/// second on one core.
pub(super) const DEFAULT_TURN_ITERATIONS: u64 = 200;

/// Searches a turn.
pub(super) fn search_turn(
    task: &TurnTask,
    request: &ReviewRequest,
    time: Option<MoveTime>,
) -> TurnFindings {
    let time = match request.iterations {
        Some(_) => None,
        None => time.or(request.time.map(|time| MoveTime {
            target: time,
            max: time,
        })),
    };
    let default = time.is_none().then_some(DEFAULT_TURN_ITERATIONS);
    let search = TurnSearch {
        task,
        position: &task.search.position,
        candidates: request.candidates.max(1),
        iterations: request.iterations.or(default),
        time,
        seed: Seed(request.seed),
    };
    match search.run() {
        Ok(findings) => findings,
        Err(error) => TurnFindings {
            not_graded: Some(NotGraded::Failed),
            notes: vec![format!("the search failed: {}", error.text)],
            ..TurnFindings::default()
        },
    }
}

/// The search of a turn, with its limits.
struct TurnSearch<'a> {
    task: &'a TurnTask,
    position: &'a Position,
    candidates: usize,
    iterations: Option<u64>,
    time: Option<MoveTime>,
    seed: Seed,
}

impl TurnSearch<'_> {
    fn run(&self) -> Result<TurnFindings, EngineError> {
        if self.task.is_sampled {
            return self.sampled();
        }
        let static_moves = self.static_moves()?;
        let bonus_play = static_moves
            .iter()
            .find(|found| found.valid && earns_bonus(&found.turn, self.position));
        let bonus_play = bonus_play.map(|found| found.turn);
        let request = self.request(self.also(bonus_play));
        let method = self.task.search.method(&request)?;
        let mut found = match method {
            Mode::Simulate => self.two_stages(&request)?,
            _ => self.solved(&request)?,
        };
        self.add_taken_off(&mut found, &static_moves);
        let mut findings = self.findings(found);
        // Where not all moves are ranked, the candidates have to do.
        let mut candidates = findings.candidates.iter();
        let found_bonus = candidates.find(|found| found.valid && found.bonus);
        findings.bonus_play = bonus_play
            .map(|turn| readable(&code(&turn, self.position)))
            .or_else(|| found_bonus.map(|found| found.text.clone()));
        findings.bonus_available = findings.bonus_play.is_some();
        if self.task.played.is_none() {
            findings.not_graded = Some(NotGraded::NotLegal);
        }
        Ok(findings)
    }

    /// All moves by static evaluation. Where there can be millions, only candidates are looked for.
    fn static_moves(&self) -> Result<Vec<Candidate>, EngineError> {
        let is_vast = self.position.rules().has_vast_rankings();
        let request = SearchRequest {
            mode: Mode::Rank,
            candidates: Some(RANKED_MOVES),
            // Named moves alone are ranked at once.
            only: match is_vast {
                true => vec!["pass".to_string()],
                false => Vec::new(),
            },
            also: self.played_code().into_iter().collect(),
            ..SearchRequest::default()
        };
        let analysis = self.task.search.search(&request, None)?;
        let ranking = analysis.ranking();
        Ok(ranking.map_or(Vec::new(), |ranking| ranking.candidates.clone()))
    }

    /// The moves that are candidates whatever their rank: the move that was played, or the pass that
    /// it amounts to, and the best play that earns a bonus if another move was made.
    fn also(&self, bonus_play: Option<Turn>) -> Vec<String> {
        let played = match self.task.came_off {
            true => Some("pass".to_string()),
            false => self.played_code(),
        };
        let is_bonus = |turn: Turn| earns_bonus(&turn, self.position);
        let missed = bonus_play.filter(|_| !self.task.played.is_some_and(is_bonus));
        let missed = missed.map(|turn| code(&turn, self.position));
        played.into_iter().chain(missed).collect()
    }

    fn played_code(&self) -> Option<String> {
        self.task.played.map(|turn| code(&turn, self.position))
    }

    /// The move whose figures are those of the move that was played.
    fn valued_turn(&self) -> Option<Turn> {
        match self.task.came_off {
            true => Some(Turn::Pass),
            false => self.task.played,
        }
    }

    /// A search with the whole budget.
    fn request(&self, also: Vec<String>) -> SearchRequest {
        SearchRequest {
            candidates: Some(self.candidates),
            also,
            iterations: self.iterations,
            seed: Some(self.seed.for_unit(1).0),
            threads: Some(1),
            ..SearchRequest::default()
        }
    }

    /// One part of this many of the time.
    fn part_of_time(&self, divisor: u32) -> Option<MoveTime> {
        self.time.map(|time| MoveTime {
            target: time.target / divisor,
            max: time.max / divisor,
        })
    }

    /// The time of stage 2, after stage 1 has taken some. A close choice took more, and its valuation
    /// gets as much. It is no choice, so that it does not end when one move leads clearly: then the
    /// loss would have a large error.
    fn valuation_time(&self, chosen: Turn, taken: Duration) -> Option<Duration> {
        self.time
            .map(|time| match self.valued_turn() == Some(chosen) {
                true => time.target / AGREEMENT_TIME_DIVISOR,
                false => taken.max(time.target / 2),
            })
    }

    fn two_stages(&self, request: &SearchRequest) -> Result<FoundMoves, EngineError> {
        let half = |iterations: u64| iterations.div_ceil(2);
        let choice_request = SearchRequest {
            iterations: request.iterations.map(half),
            ..request.clone()
        };
        let choice = self
            .task
            .search
            .search(&choice_request, self.part_of_time(2))?;
        let chosen = choice.best().unwrap_or(Turn::Pass);
        let all = choice.candidates();
        let finalists = finalists(&all, chosen);
        let name = |found: &&AnalyzedMove| code(&found.candidate.turn, self.position);
        let valid = finalists.iter().filter(|found| found.candidate.valid);
        let valuation_request = SearchRequest {
            only: valid.map(&name).collect(),
            also: finalists.iter().map(&name).collect(),
            seed: Some(self.seed.for_unit(2).0),
            time: self.valuation_time(chosen, choice.elapsed),
            ..choice_request
        };
        let valuation = self.task.search.search(&valuation_request, None)?;
        Ok(self.combined(chosen, &choice, &valuation))
    }

    /// The figures of both stages in one list.
    fn combined(&self, chosen: Turn, choice: &Analysis, valuation: &Analysis) -> FoundMoves {
        let valued = valuation.candidates();
        let find = |turn: Turn| valued.iter().find(|found| found.candidate.turn == turn);
        let leader = valuation.best().unwrap_or(chosen);
        let lead = |turn: Turn| find(turn).and_then(|found| found.best_lead());
        let contradicts = lead(chosen).is_some_and(|(win, _)| {
            win.error
                .is_some_and(|error| error > 0.0 && win.value > SWITCH_ERRORS * error)
        });
        let best = if contradicts { leader } else { chosen };
        let (best_win, best_points) = lead(best).unzip();
        // Leads are those of the leader of stage 2. Over the best move it has a lead of its own,
        // whose error is independent at worst.
        let behind = |over: Option<ReviewFigure>, of_best: Option<ReviewFigure>, turn: Turn| {
            let (over, of_best) = (over?, of_best?);
            Some(match (turn == best, leader == best) {
                (true, _) => ReviewFigure {
                    value: 0.0,
                    error: Some(0.0),
                },
                (false, true) => over,
                (false, false) if turn == leader => ReviewFigure {
                    value: -of_best.value,
                    ..of_best
                },
                (false, false) => minus(over, of_best),
            })
        };
        let mut moves: Vec<FoundMove> = Vec::new();
        for (at, found) in valued.iter().enumerate() {
            let mut one = FoundMove::new(found, self.position);
            let (win, points) = found.best_lead().unzip();
            one.figures.loss = behind(win.map(figure), best_win.map(figure), one.turn);
            one.points_behind = behind(points.map(figure), best_points.map(figure), one.turn);
            if at < DETAILED_MOVES || self.valued_turn() == Some(one.turn) {
                one.add_details(found, self.position);
            }
            moves.push(one);
        }
        // The best move first; the others stay in the order of stage 2.
        let key = |found: &FoundMove| {
            let win = found.figures.win.map_or(0.0, |win| win.value);
            (found.turn != best, -win)
        };
        moves.sort_by(|a, b| {
            key(a)
                .partial_cmp(&key(b))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        moves.extend(self.dropped(chosen, choice, &moves));
        FoundMoves {
            best,
            moves,
            notes: notes(valuation),
        }
    }

    /// The candidates that stage 2 did not value, with the figures of stage 1.
    fn dropped(&self, chosen: Turn, choice: &Analysis, valued: &[FoundMove]) -> Vec<FoundMove> {
        let all = choice.candidates();
        let best = all.iter().find(|found| found.candidate.turn == chosen);
        let best = best.and_then(|best| Some(figure(best.win()?)));
        let is_valued = |turn: Turn| valued.iter().any(|found| found.turn == turn);
        let rest = all.iter().filter(|found| !is_valued(found.candidate.turn));
        let dropped = rest.map(|found| {
            let mut one = FoundMove::new(found, self.position);
            one.figures.dropped = true;
            let win = one.figures.win;
            one.figures.loss = best.zip(win).map(|(best, win)| minus(best, win));
            one
        });
        dropped.collect()
    }

    fn solved(&self, request: &SearchRequest) -> Result<FoundMoves, EngineError> {
        let is_endgame = self.position.bag_len() == 0;
        let request = SearchRequest {
            candidates: match is_endgame {
                true => Some(self.candidates.min(ENDGAME_LINES)),
                false => request.candidates,
            },
            ..request.clone()
        };
        let analysis = self.task.search.search(&request, self.time)?;
        let best = analysis.best().unwrap_or(Turn::Pass);
        let all = analysis.candidates();
        let best_found = all.iter().find(|found| found.candidate.turn == best);
        let best_found = best_found.map(|found| FoundMove::new(found, self.position));
        let mut moves = Vec::new();
        for (at, found) in all.iter().enumerate() {
            let mut one = FoundMove::new(found, self.position);
            if let Some(best_found) = &best_found {
                let behind = |best: Option<ReviewFigure>, own: Option<ReviewFigure>| {
                    let loss = minus(best?, own?);
                    // A move has no lead over itself, whatever its own figures may err.
                    let is_best = found.candidate.turn == best_found.turn;
                    let error = if is_best { Some(0.0) } else { loss.error };
                    Some(ReviewFigure { error, ..loss })
                };
                let own = &one.figures;
                let loss = behind(best_found.figures.win, own.win);
                one.points_behind = behind(best_found.figures.gain, own.gain);
                one.figures.loss = loss;
            }
            if at < DETAILED_MOVES || self.valued_turn() == Some(one.turn) {
                one.add_details(found, self.position);
            }
            moves.push(one);
        }
        moves.sort_by_key(|found| found.turn != best);
        let mut notes = notes(&analysis);
        let is_solved = analysis.solution().is_some_and(|found| found.solved);
        if !is_solved {
            notes.push("not solved within the limits: the figures are estimates".to_string());
        }
        Ok(FoundMoves { best, moves, notes })
    }

    /// Adds a play that came off as a candidate with the figures of a pass. Whoever loses the game by
    /// it has no chance to win.
    fn add_taken_off(&self, found: &mut FoundMoves, static_moves: &[Candidate]) {
        let Some(played) = self.task.played.filter(|_| self.task.came_off) else {
            return;
        };
        let candidate = static_moves.iter().find(|found| found.turn == played);
        let pass = found.moves.iter().find(|found| found.turn == Turn::Pass);
        let (Some(candidate), Some(pass)) = (candidate, pass.cloned()) else {
            return;
        };
        let mut one = FoundMove::ranked(candidate, self.position);
        let (own, of_pass) = (&mut one.figures, pass.figures);
        (own.win, own.gain, own.loss) = (of_pass.win, of_pass.gain, of_pass.loss);
        (own.iterations, own.exact) = (of_pass.iterations, of_pass.exact);
        (own.replies, own.plies) = (of_pass.replies, of_pass.plies);
        one.points_behind = pass.points_behind;
        if self.task.loses_game() {
            let lost = ReviewFigure {
                value: 0.0,
                error: Some(0.0),
            };
            let best = found.moves.first().and_then(|best| best.figures.win);
            (own.win, own.gain) = (Some(lost), None);
            own.loss = best.map(|best| minus(best, lost));
            one.points_behind = None;
        }
        found.moves.retain(|found| found.turn != played);
        let win = |found: &FoundMove| found.figures.win.map_or(0.0, |win| win.value);
        let is_below = |other: &FoundMove| other.figures.dropped || win(other) < win(&one);
        let mut places = found.moves.iter().skip(1);
        let at = places
            .position(is_below)
            .map_or(found.moves.len(), |at| at + 1);
        found.moves.insert(at, one);
    }

    /// The findings of a search.
    fn findings(&self, found: FoundMoves) -> TurnFindings {
        let played = self.task.played;
        let best = found.moves.iter().find(|one| one.turn == found.best);
        let own = found.moves.iter().find(|one| Some(one.turn) == played);
        let win_best = best.and_then(|best| best.figures.win);
        let mut findings = TurnFindings {
            best: best.map(|best| best.figures.text.clone()),
            win_best,
            notes: found.notes,
            ..TurnFindings::default()
        };
        if let Some(own) = own {
            findings.win = own.figures.win;
            findings.spread = own.figures.gain.map(|gain| self.final_spread(gain));
            findings.loss = own.figures.loss.map(shown_loss);
            findings.points_lost = own.points_behind.map(shown_loss);
            findings.exact = own.figures.exact && best.is_some_and(|best| best.figures.exact);
        }
        findings.candidates = found
            .moves
            .into_iter()
            .map(|mut one| {
                one.figures.played = Some(one.turn) == played;
                one.figures.loss = one.figures.loss.map(shown_loss);
                one.figures
            })
            .collect();
        findings
    }

    /// The spread now and what is gained.
    fn final_spread(&self, gain: ReviewFigure) -> ReviewFigure {
        let score = |seat| self.position.score(seat).0;
        let mut seats = self.position.turn_order();
        let own = seats.next().map_or(0, score);
        let opponent = seats.map(score).max().unwrap_or_default();
        ReviewFigure {
            value: rounded(f64::from(own - opponent) + gain.value),
            ..gain
        }
    }

    /// Searches racks that are sampled around the known tiles.
    fn sampled(&self) -> Result<TurnFindings, EngineError> {
        let limits = SearchRequest {
            time: self.time.map(|time| time.target),
            ..self.request(match self.task.came_off {
                true => vec!["pass".to_string()],
                false => Vec::new(),
            })
        };
        let request = SampledRequest {
            search: &limits,
            played: self.task.played,
            racks: None,
        };
        let found = self.task.search.search_sampled(&request, None)?;
        let is_unknown = found.position.mover_rack().known.is_empty();
        let best = found.best_move().map(|best| best.turn);
        let sampled = |one| FoundMove::sampled(one, self.position, found.racks);
        let mut moves: Vec<FoundMove> = found.moves.iter().map(sampled).collect();
        if let Some(best) = best {
            moves.sort_by_key(|one| one.turn != best);
        }
        let mut found_moves = FoundMoves {
            best: best.unwrap_or(Turn::Pass),
            moves,
            notes: found.data_notes.clone(),
        };
        found_moves.notes.extend(found.failure.clone());
        self.replace_taken_off(&mut found_moves);
        let mut findings = self.findings(found_moves);
        // The best move of each rack is another one, and what is known of all of them is its value.
        findings.win_best = found.best.win().map(figure);
        findings.best = findings.best.filter(|_| best.is_some() && !is_unknown);
        findings.not_graded = Some(match is_unknown {
            true => NotGraded::UnknownRack,
            false => NotGraded::SampledRack,
        });
        Ok(findings)
    }

    /// Gives a play of a sampled rack that came off the figures of a pass.
    fn replace_taken_off(&self, found: &mut FoundMoves) {
        if !self.task.came_off {
            return;
        }
        let pass = found
            .moves
            .iter()
            .find(|one| one.turn == Turn::Pass)
            .cloned();
        let own = found.moves.iter_mut();
        let own = own
            .into_iter()
            .find(|one| Some(one.turn) == self.task.played);
        if let (Some(pass), Some(own)) = (pass, own) {
            own.figures.win = pass.figures.win;
            own.figures.gain = pass.figures.gain;
            own.figures.loss = pass.figures.loss;
            own.points_behind = pass.points_behind;
        }
    }
}

/// What a search found about the moves of a turn.
struct FoundMoves {
    best: Turn,
    /// The best move first.
    moves: Vec<FoundMove>,
    notes: Vec<String>,
}

/// The moves that stage 2 values: those that did not drop out, as many as [`MAX_FINALISTS`] by value,
/// and those that were requested.
fn finalists<'a, 'b>(all: &'a [AnalyzedMove<'b>], chosen: Turn) -> Vec<&'a AnalyzedMove<'b>> {
    let is_finalist = |(at, found): &(usize, &AnalyzedMove)| {
        let is_live = *at < MAX_FINALISTS && !found.is_dropped();
        is_live || found.candidate.requested || found.candidate.turn == chosen
    };
    let finalists = all.iter().enumerate().filter(is_finalist);
    finalists.map(|(_, found)| found).collect()
}

/// What is unusual about a search.
fn notes(analysis: &Analysis) -> Vec<String> {
    let extent = analysis.ranking().and_then(|found| found.extent.notice());
    let data = analysis.data_notes().cloned();
    data.chain(extent).chain(analysis.failure.clone()).collect()
}
