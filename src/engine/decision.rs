//! Whether the player to move should challenge the last play.
//!
//! Both choices are valued from the side of the player to move. After a challenge that takes the
//! play off, this player moves on the board without it, and knows its tiles; after acceptance, on
//! the board with it. Each choice is worth its best move, found by a search with its share of the
//! limits and with the same seed. A choice that ends the game is worth the settlement.
//!
//! The engine knows the lexicon, so that a valid play is always accepted; the value of challenging
//! it says what a wrong challenge would cost.

use super::go::{SearchControl, plan, refuse_unknown_rack, run, spawn};
use super::sampled::{percent_per_point, with_limit};
use super::table::{Table, no_position, set_rack_as_known};
use super::{
    Analysis, ChallengedPlay, Engine, EngineError, Figure, Label, Mode, Provenance, SearchData,
    SearchDefaults, SearchRequest, bad_move, bad_position,
};
use crate::notation::moves::{self, ChallengeText};
use crate::rules::{ChallengeError, ChallengeRule, ChallengeScope, Game, Position, Ruling};
use crate::search::Budget;
use crate::search::sim::SampleStats;
use crate::search::think::Plan;
use crate::seed::Seed;
use std::time::Duration;

/// A phony is accepted only if that is better by this number of standard errors: about 98 %
/// confidence, because a phony should be challenged unless the figures say otherwise. Chosen by
/// hand.
const STANDARD_ERRORS_TO_ACCEPT: f64 = 2.0;
/// The deals by which a finished game is valued whose racks are not all known. Chosen by hand: the
/// standard error of the win probability is at most 1.6 %, and they take some milliseconds.
const FINISHED_GAME_DEALS: u64 = 1_000;

/// What is known about challenging the last play.
#[derive(Clone)]
pub struct ChallengeDecision {
    /// The position with the play on the board, as the player to move sees it.
    pub position: Position,
    /// The engine and the data that the searches use.
    pub provenance: Provenance,
    /// Which tables are missing although the options did not rule them out, and why.
    pub missing_tables: Vec<String>,
    /// What may be wrong with the data, for people.
    pub data_warnings: Vec<String>,
    /// The time since the decision began.
    pub elapsed: Duration,
    /// Our own fault, if a search failed.
    pub failure: Option<String>,
    /// Whether both choices are valued.
    pub is_final: bool,
    /// What a challenge leads to; `None` under the rule `void`, which has no challenges.
    pub outcome: Option<ChallengedPlay>,
    /// The value of a challenge.
    pub challenged: ChoiceValue,
    /// The value of accepting the play.
    pub accepted: ChoiceValue,
}

/// The value of a choice for the player who makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceValue {
    /// The win probability in percent, a draw counting one half.
    pub win: Option<Figure>,
    /// The points gained on the best opponent, from the position with the play on the board to the
    /// end of the game. Both choices count from there, so that they can be compared.
    pub equity: Option<Figure>,
    /// Whether the value is proved.
    pub label: Label,
    /// The best move after the choice, if one was searched.
    pub next: Option<String>,
    /// Worlds that a simulation sampled.
    pub iterations: u64,
    /// Rollouts of a simulation, or positions that a solver searched.
    pub nodes: u64,
}

/// A decision in progress.
pub struct ChallengeSearch {
    /// What is known so far; whoever receives the reports puts the last one here.
    pub decision: ChallengeDecision,
    /// The searches of the choices, never [`Mode::Auto`]; none if both choices end the game.
    pub methods: Vec<Mode>,
    /// Whether no search has a use for [`SearchRequest::first_win`] although its method has.
    pub ignores_first_win: bool,
    /// What is unusual about the request, for people.
    pub warnings: Vec<String>,
    /// The way to end it.
    pub control: SearchControl,
}

impl Engine {
    /// Values both choices in the calling thread.
    pub fn decide_challenge(
        &mut self,
        request: &SearchRequest,
    ) -> Result<ChallengeDecision, EngineError> {
        Ok(self.decision_plan(request)?.run(&|_| {}))
    }

    /// Values both choices in a thread of its own. `report` is called from that thread after each
    /// search; the last report is final.
    pub fn go_challenge(
        &mut self,
        request: &SearchRequest,
        report: impl Fn(ChallengeDecision) + Send + 'static,
    ) -> Result<ChallengeSearch, EngineError> {
        let plan = self.decision_plan(request)?;
        let plans = || plan.plans.iter().flatten();
        let clock_warning = request.clock_warning(&plan.decision.position);
        let search = ChallengeSearch {
            decision: plan.decision.clone(),
            methods: plans().map(Plan::method).collect(),
            ignores_first_win: plans().all(Plan::ignores_first_win),
            warnings: clock_warning
                .into_iter()
                .chain(self.open_racks_warning())
                .collect(),
            control: SearchControl {
                stop: plan.budget.stop_token(),
                infinite: request.infinite,
            },
        };
        spawn(move || report(plan.run(&report))).map(|()| search)
    }

    /// Resolves a request against the position, starts the clock and loads the data.
    fn decision_plan(&mut self, request: &SearchRequest) -> Result<DecisionPlan, EngineError> {
        let mut table = self.table.clone().ok_or_else(no_position)?;
        table.game = self.game_seen_by_mover(&table)?;
        let position = table.game.position().clone();
        match table.game.check_challenge(position.to_move()) {
            // Without challenges a play can only be accepted.
            Ok(()) | Err(ChallengeError::Void) => {}
            Err(error) => return Err(bad_move(error)),
        }
        refuse_unknown_rack(&position, false)?;
        let budget = request.budget(&position);
        let data = self.prepare(request.mode)?;
        let (outcome, after) = self.ruling_for_mover(&table)?.unzip();
        let seed = Seed(request.seed.unwrap_or(self.options.search.seed));
        let view = MoverView {
            seat: position.to_move(),
            lead: lead(&position, position.to_move()),
            seed,
        };
        let accept = view.choice(&table.game);
        let challenge = match (&outcome, after) {
            (Some(outcome), Some(after)) => {
                view.choice_to_challenge(outcome.ruling, &table.game, &after)
            }
            _ => ChoiceSource::Unknown,
        };
        let searches = [&accept, &challenge].map(|choice| match choice {
            ChoiceSource::Search(search) => Some(search),
            _ => None,
        });
        let share = share(request, &budget, searches.iter().flatten().count() as u64);
        let defaults = &self.options.search;
        let plan = |search: &ChoiceSearch| search.plan(&data, defaults, &share, &budget);
        let [accept_plan, challenge_plan] =
            searches.map(|search| search.map(|search| plan(search)).transpose());
        let plans = [accept_plan?, challenge_plan?];
        Ok(DecisionPlan {
            decision: ChallengeDecision::undecided(position, &data, outcome),
            choices: [accept, challenge],
            plans,
            data,
            budget,
            infinite: request.infinite,
        })
    }

    /// What a challenge by the player to move leads to, and the game after it; `None` under the rule
    /// `void`. Where single words are challenged, it is about the first invalid one.
    fn ruling_for_mover(
        &self,
        table: &Table,
    ) -> Result<Option<(ChallengedPlay, Game)>, EngineError> {
        let position = table.game.position();
        let (rules, mover) = (position.rules(), position.to_move());
        if rules.challenge == ChallengeRule::Void {
            return Ok(None);
        }
        let formed = table.game.last_words();
        let words = match rules.challenge_scope {
            ChallengeScope::Play => Vec::new(),
            ChallengeScope::Word => {
                let lexicon = &self.lexicon_of(table)?.lexicon;
                let phony = formed.iter().find(|word| !lexicon.contains(word));
                let named = phony.unwrap_or(&formed[0]);
                vec![rules.tiles.word_text(named)]
            }
        };
        let seat = Some(mover + 1);
        let mut after = table.clone();
        let outcome = self.rule(&mut after, &ChallengeText { seat, words })?;
        if outcome.ruling.takes_off() {
            copy_racks(&table.game, &mut after.game, outcome.player)?;
        }
        Ok(Some((outcome, after.game)))
    }
}

/// Gives a game after a challenge the racks that are known of the players other than the one whose
/// play came off: they may have been stated after the play.
fn copy_racks(from: &Game, to: &mut Game, player: usize) -> Result<(), EngineError> {
    for seat in from.position().turn_order().filter(|&seat| seat != player) {
        let known = from.position().rack(seat).known;
        set_rack_as_known(to, seat, known).map_err(bad_position)?;
    }
    Ok(())
}

/// Each search gets its share of the limits. How certain its best move is does not matter, because
/// the value of the move is wanted.
fn share(request: &SearchRequest, budget: &Budget, searches: u64) -> SearchRequest {
    let request = SearchRequest {
        only: Vec::new(),
        also: Vec::new(),
        confidence: None,
        infinite: false,
        ..request.clone()
    };
    let search = with_limit(&request, budget);
    let share = |iterations: u64| (iterations / searches.max(1)).max(1);
    SearchRequest {
        iterations: search.iterations.map(share),
        ..search
    }
}

/// What both choices are valued by.
struct MoverView {
    /// The seat that chooses.
    seat: usize,
    /// Its lead with the play on the board.
    lead: i32,
    seed: Seed,
}

/// Where the value of a choice comes from.
enum ChoiceSource {
    /// Nothing is known about it.
    Unknown,
    /// It changes nothing, so that it is worth as much as accepting the play.
    Accepted,
    /// It ends the game.
    Over(ChoiceValue),
    /// A search.
    Search(Box<ChoiceSearch>),
}

/// The position by which a choice is valued.
struct ChoiceSearch {
    position: Position,
    /// The points gained by the choice itself.
    gained: i32,
    /// Whether the player to move loses the turn.
    loses_turn: bool,
}

impl ChoiceSearch {
    /// Plans the search; `share` are its limits.
    fn plan(
        &self,
        data: &SearchData,
        defaults: &SearchDefaults,
        share: &SearchRequest,
        budget: &Budget,
    ) -> Result<Plan, EngineError> {
        let lost = self.loses_turn.then(|| "pass".to_string());
        let request = SearchRequest {
            only: lost.into_iter().collect(),
            ..share.clone()
        };
        plan(&self.position, data, defaults, &request, budget.clone())
    }
}

impl MoverView {
    /// The choice that leads to a game in which the same player is to move, if it goes on.
    fn choice(&self, game: &Game) -> ChoiceSource {
        let position = game.position();
        if game.end().is_some() {
            return ChoiceSource::Over(self.value_of_finished(game));
        }
        if position.to_move() != self.seat {
            // Only if the play went out and the next player still has to lose a turn.
            return ChoiceSource::Unknown;
        }
        ChoiceSource::Search(Box::new(ChoiceSearch {
            position: position.clone(),
            gained: lead(position, self.seat) - self.lead,
            loses_turn: false,
        }))
    }

    /// The choice to challenge in `game`, which leads to `after`.
    fn choice_to_challenge(&self, ruling: Ruling, game: &Game, after: &Game) -> ChoiceSource {
        match ruling {
            Ruling::Stands => ChoiceSource::Accepted,
            // A search knows what the player to move knows, so it begins before the lost turn.
            Ruling::ChallengerLosesTurn if after.end().is_none() => {
                ChoiceSource::Search(Box::new(ChoiceSearch {
                    position: game.position().with_turn_to_lose(),
                    gained: 0,
                    loses_turn: true,
                }))
            }
            _ => self.choice(after),
        }
    }

    /// The value of a game that is over: the settlement, or its mean over deals of the unknown tiles.
    fn value_of_finished(&self, game: &Game) -> ChoiceValue {
        let (mut wins, mut gains) = (SampleStats::default(), SampleStats::default());
        let is_known = game.outcome().is_some();
        let deals = if is_known { 1 } else { FINISHED_GAME_DEALS };
        for deal in 0..deals {
            let mut dealt = game.clone();
            if !is_known {
                dealt.deal_unknown(&mut self.seed.for_unit(deal).generator());
            }
            let Some(outcome) = dealt.outcome() else {
                return ChoiceValue::unknown();
            };
            wins.add(match outcome.winner {
                Some(winner) if winner == self.seat => 100,
                Some(_) => 0,
                None => 50,
            });
            let scores = |seat: usize| outcome.scores[seat].0;
            gains.add(i64::from(
                lead_of(scores, outcome.scores.len(), self.seat) - self.lead,
            ));
        }
        let figure = |stats: &SampleStats| {
            Some(Figure {
                value: stats.mean(),
                error: Some(stats.error()),
            })
        };
        let win = figure(&wins);
        ChoiceValue {
            win: match is_known {
                true => win,
                false => win.map(|win| win.with_open_error(&wins)),
            },
            equity: figure(&gains),
            label: match is_known {
                true => Label::Exact,
                false => Label::Estimate,
            },
            ..ChoiceValue::unknown()
        }
    }
}

/// The lead of a seat over the best of its opponents, in points.
fn lead(position: &Position, seat: usize) -> i32 {
    lead_of(|seat| position.score(seat).0, position.player_count(), seat)
}

fn lead_of(score: impl Fn(usize) -> i32, players: usize, seat: usize) -> i32 {
    let opponents = (0..players).filter(|&other| other != seat);
    score(seat) - opponents.map(&score).max().unwrap_or_default()
}

/// A decision that is ready to run.
struct DecisionPlan {
    decision: ChallengeDecision,
    /// To accept, and to challenge.
    choices: [ChoiceSource; 2],
    /// The searches of these choices.
    plans: [Option<Plan>; 2],
    data: SearchData,
    budget: Budget,
    infinite: bool,
}

impl DecisionPlan {
    /// Searches the choices one after the other and reports after each.
    fn run(self, report: &dyn Fn(ChallengeDecision)) -> ChallengeDecision {
        let mut found = self.decision;
        let mut left = self.plans.iter().flatten().count() as u32;
        let mut plans = self.plans.into_iter();
        let mut value = |choice: &ChoiceSource, found: &mut ChallengeDecision| match (
            choice,
            plans.next().flatten(),
        ) {
            (ChoiceSource::Accepted, _) => found.accepted.without_work(),
            (ChoiceSource::Over(value), _) => value.clone(),
            (ChoiceSource::Search(search), Some(mut plan)) => {
                plan.budget = self.budget.fraction(left, Duration::MAX);
                left -= 1;
                let analysis = run(&search.position, &self.data, &plan);
                found.failure = found.failure.take().or(analysis.failure.clone());
                ChoiceValue::searched(&analysis, search)
            }
            (ChoiceSource::Unknown | ChoiceSource::Search(_), _) => ChoiceValue::unknown(),
        };
        let [accept, challenge] = &self.choices;
        found.accepted = value(accept, &mut found);
        found.elapsed = self.budget.elapsed();
        report(found.clone());
        found.challenged = value(challenge, &mut found);
        found.elapsed = self.budget.elapsed();
        if self.infinite {
            self.budget.stop_token().wait();
        }
        found.is_final = true;
        found
    }
}

impl ChallengeDecision {
    /// Whether to challenge: the play is a phony, and accepting it is not clearly better.
    pub fn should_challenge(&self) -> bool {
        let outcome = self.outcome.as_ref();
        let is_phony = outcome.is_some_and(|outcome| outcome.ruling.takes_off());
        is_phony && !self.accepted.is_clearly_better(&self.challenged)
    }

    /// The decision, as the protocols name it.
    pub fn best(&self) -> &'static str {
        match self.should_challenge() {
            true => "challenge",
            false => "accept",
        }
    }

    fn undecided(
        position: Position,
        data: &SearchData,
        outcome: Option<ChallengedPlay>,
    ) -> ChallengeDecision {
        let analysis = Analysis::new(position, data);
        ChallengeDecision {
            position: analysis.position,
            provenance: analysis.provenance,
            missing_tables: analysis.missing_tables,
            data_warnings: analysis.data_warnings,
            elapsed: Duration::ZERO,
            failure: None,
            is_final: false,
            outcome,
            challenged: ChoiceValue::unknown(),
            accepted: ChoiceValue::unknown(),
        }
    }
}

impl ChoiceValue {
    fn unknown() -> ChoiceValue {
        ChoiceValue {
            win: None,
            equity: None,
            label: Label::Estimate,
            next: None,
            iterations: 0,
            nodes: 0,
        }
    }

    /// The same value, for a choice that no search was made for.
    fn without_work(&self) -> ChoiceValue {
        ChoiceValue {
            iterations: 0,
            nodes: 0,
            ..self.clone()
        }
    }

    /// The value of the best move that a search found. Without figures of a search, the static
    /// equity counts, whose error is not known.
    fn searched(analysis: &Analysis, search: &ChoiceSearch) -> ChoiceValue {
        let best = analysis.best();
        let candidates = analysis.candidates();
        let mut found = candidates.iter();
        let Some(found) = found.find(|found| Some(found.candidate.turn) == best) else {
            return ChoiceValue::unknown();
        };
        let static_equity = || Figure {
            value: f64::from(found.candidate.worth.total().millis()) / 1e3,
            error: None,
        };
        let is_static = found.simulation.is_none() && found.solution.is_none();
        let equity = found.equity().or_else(|| is_static.then(static_equity));
        let position = &analysis.position;
        let write = |turn| moves::write(turn, position.grid(), &position.rules().tiles);
        let rollouts = analysis.simulation().map_or(0, |found| found.rollouts);
        let solved = analysis.solution();
        ChoiceValue {
            win: found.win(),
            equity: equity.map(|figure| Figure {
                value: figure.value + f64::from(search.gained),
                ..figure
            }),
            label: found.label(),
            next: best.as_ref().filter(|_| !search.loses_turn).map(write),
            iterations: analysis.simulation().map_or(0, |found| found.iterations),
            nodes: solved.map_or(rollouts, |found| found.decided_positions()),
        }
    }

    /// Whether it is better than another value by more than the figures may err. The errors are
    /// taken as independent: the worlds of two positions are not the same, so that this is careful.
    /// A figure whose error is not known proves nothing.
    fn is_clearly_better(&self, other: &ChoiceValue) -> bool {
        let lead = |own: Option<Figure>, other: Option<Figure>| {
            let (own, other) = (own?, other?);
            Some((own.value - other.value, own.error?.hypot(other.error?)))
        };
        let per_point = percent_per_point();
        let lead = match (lead(self.win, other.win), lead(self.equity, other.equity)) {
            (Some((win, win_error)), Some((points, points_error))) => Some((
                win + points * per_point,
                win_error.hypot(points_error * per_point),
            )),
            (win, points) => win.or(points),
        };
        lead.is_some_and(|(lead, error)| lead > STANDARD_ERRORS_TO_ACCEPT * error)
    }
}
