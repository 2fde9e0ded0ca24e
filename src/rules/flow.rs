//! The flow of a game: which seat moves next, which turns count as scoreless, how many tiles may
//! be exchanged, when the game is over, what the tiles left on the racks change, and who wins.
//!
//! Pure functions of small values, without allocation. [`Position`](super::Position),
//! [`Deal`](super::Deal) and the endgame solvers keep racks, boards and scores in their own form
//! and ask this module what the rules say. No other module decides these questions. Two
//! modules hold bounds that are derived from the settlement and must be changed together with it:
//! `eval/late_game.rs` and `search/endgame/solver/refutation.rs`. Nothing here knows a tile, a
//! square or a word.

use super::{
    End, ExchangeLimit, GoingOut, MAX_PLAYERS, MIN_FIRST_WORD, RuleSet, ScorelessLimit, TieRule,
};
use crate::units::Points;

/// The rules about the flow of a game with a given number of players, as plain values that a
/// search can keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlowRules {
    players: usize,
    /// This many scoreless turns in a row end the game, of whatever kind.
    scoreless_limit: u16,
    /// Whether a pass of every player in a row ends the game.
    ends_by_passes: bool,
    /// Whether the first word may need more letters than players can form, so that passes before it
    /// do not end the game.
    waits_for_first_word: bool,
    going_out: GoingOut,
    tie: TieRule,
}

impl FlowRules {
    /// What `rules` say about a game of `players`.
    #[inline]
    pub fn new(rules: &RuleSet, players: usize) -> FlowRules {
        FlowRules {
            players,
            scoreless_limit: rules.scoreless_turn_limit(players),
            ends_by_passes: rules.scoreless_limit == ScorelessLimit::RoundOfPasses,
            waits_for_first_word: rules.first_word_min > MIN_FIRST_WORD,
            going_out: rules.going_out,
            tie: rules.tie,
        }
    }

    /// The seat after `seat`.
    #[inline]
    pub fn next_seat(self, seat: usize) -> usize {
        (seat + 1) % self.players
    }

    /// The scoreless turns in a row after one more turn of `seat`.
    #[inline]
    pub fn after_turn(self, before: ScorelessRun, seat: usize, turn: TurnKind) -> ScorelessRun {
        if let TurnKind::Scored = turn {
            return ScorelessRun::default();
        }
        ScorelessRun {
            turns: before.turns.saturating_add(1),
            passed: match turn {
                TurnKind::Pass | TurnKind::FirstPass if before.next_is_lost => before.passed,
                TurnKind::Pass if self.ends_by_passes => before.passed | 1 << seat,
                TurnKind::FirstPass if self.ends_by_passes && !self.waits_for_first_word => {
                    before.passed | 1 << seat
                }
                _ => 0,
            },
            next_is_lost: false,
        }
    }

    /// Whether these scoreless turns in a row end the game.
    #[inline]
    pub fn is_scoreless_end(self, run: ScorelessRun) -> bool {
        let all = (1 << self.players) - 1;
        u16::from(run.turns) >= self.scoreless_limit || self.ends_by_passes && run.passed == all
    }

    /// The scoreless turns in a row that a position from outside states as one number: passes of the
    /// seats before `to_move` where passes end the game, otherwise turns of any kind.
    pub fn stated_run(self, count: u8, to_move: usize) -> ScorelessRun {
        let seats = usize::from(count).min(self.players);
        let seat_before = |n: usize| (to_move + self.players - n) % self.players;
        ScorelessRun {
            turns: count,
            passed: match self.ends_by_passes {
                true => (1..=seats).map(|n| 1 << seat_before(n)).sum(),
                false => 0,
            },
            next_is_lost: false,
        }
    }

    /// The number that a position states about scoreless turns in a row.
    pub fn stated_count(self, run: ScorelessRun) -> u8 {
        match self.ends_by_passes {
            true => run.passed.count_ones() as u8,
            false => run.turns,
        }
    }

    /// Whether these rules can count such a run: a pass is a scoreless turn, and is counted by seat
    /// only where passes end the game.
    pub fn is_possible_run(self, run: ScorelessRun) -> bool {
        let passes = run.passed.count_ones() as u8;
        passes <= run.turns && (passes == 0 || self.ends_by_passes)
    }

    /// Why the game is over, if it is. A target score comes before going out, and going out before
    /// scoreless turns.
    ///
    /// `target` is a seat that has reached its target score; `out` is a seat without tiles while
    /// the bag is empty.
    #[inline]
    pub fn end(
        self,
        target: Option<usize>,
        out: Option<usize>,
        scoreless: ScorelessRun,
    ) -> Option<End> {
        match (target, out) {
            (Some(seat), _) => Some(End::Target(seat)),
            (None, Some(seat)) => Some(End::Out(seat)),
            (None, None) => self.is_scoreless_end(scoreless).then_some(End::Scoreless),
        }
    }

    /// The change to the score of `seat` when the game ends. `left` is the value of the tiles left
    /// on the rack of `seat`, `all_left` the sum of that value over all seats.
    #[inline]
    pub fn settlement(self, end: End, seat: usize, left: Points, all_left: Points) -> Points {
        match end {
            End::Target(_) | End::Forfeit(_) => Points::ZERO,
            End::Scoreless => -left,
            End::Out(out) => match (self.going_out, seat == out) {
                (GoingOut::Sum, true) => all_left,
                (GoingOut::Sum, false) => -left,
                (GoingOut::Twice, true) => all_left * 2,
                (GoingOut::Twice, false) => Points::ZERO,
            },
        }
    }

    /// The seat that wins, `None` for a draw. `scores` gives the score of a seat after and before
    /// the settlement. What a tie means is said by the [`TieRule`].
    #[inline]
    pub fn winner(self, end: End, scores: impl Fn(usize) -> (Points, Points)) -> Option<usize> {
        let rank = |seat| self.rank(end, seat, scores(seat));
        let beats = |seat, other| other == seat || rank(other) < rank(seat);
        (0..self.players).find(|&seat| (0..self.players).all(|other| beats(seat, other)))
    }

    /// The seats that no other beats: the winner, or in a draw those that share the win. `scores` is
    /// as in [`FlowRules::winner`].
    pub fn winners(
        self,
        end: End,
        scores: impl Fn(usize) -> (Points, Points),
    ) -> impl Iterator<Item = usize> {
        let ranks = move |seat| self.rank(end, seat, scores(seat));
        let best = (0..self.players).map(&ranks).max();
        (0..self.players).filter(move |&seat| Some(ranks(seat)) == best)
    }

    /// What decides between seats, most important first.
    #[inline]
    fn rank(self, end: End, seat: usize, (score, before): (Points, Points)) -> [i32; 3] {
        match (end, self.tie) {
            (End::Target(winner), _) => [i32::from(seat == winner), 0, 0],
            (End::Forfeit(loser), _) => [i32::from(seat != loser), score.0, 0],
            (End::Out(_) | End::Scoreless, TieRule::BeforeAdjustment) => [0, score.0, before.0],
            (End::Out(_) | End::Scoreless, TieRule::Draw) => [0, score.0, 0],
        }
    }
}

/// The settlement between two players, as the change to the spread of `seat`: it is the same under
/// every [`GoingOut`] rule. The values of the tiles left on the two racks are in points.
#[inline]
pub(crate) fn settlement_spread(end: End, seat: usize, own_left: i32, opponent_left: i32) -> i32 {
    match end {
        End::Target(_) | End::Forfeit(_) => 0,
        End::Scoreless => opponent_left - own_left,
        End::Out(out) if out == seat => 2 * opponent_left,
        End::Out(_) => -2 * own_left,
    }
}

impl TieRule {
    /// Twice a settlement between two players that changes the spread by `change`, with a
    /// tie-break. Added to twice the spread before it, the sign says who wins.
    ///
    /// Twice the spread leaves room for the tie-break: one is taken from the player who gains from
    /// the settlement, because with equal final scores the other player led before it.
    #[inline]
    pub(crate) fn doubled_settlement(self, change: i32) -> i32 {
        match self {
            TieRule::BeforeAdjustment => 2 * change - change.signum(),
            TieRule::Draw => 2 * change,
        }
    }
}

/// A turn, as far as it matters to the flow of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnKind {
    /// A play that scored.
    Scored,
    /// A play for 0 points, or an exchange.
    Scoreless,
    /// A pass.
    Pass,
    /// A pass while the board is empty.
    FirstPass,
}

impl TurnKind {
    /// The kind of a turn that scored `points`.
    #[inline]
    pub fn new(points: Points, is_pass: bool, board_is_empty: bool) -> TurnKind {
        match (is_pass, board_is_empty) {
            (true, true) => TurnKind::FirstPass,
            (true, false) => TurnKind::Pass,
            (false, _) if points == Points::ZERO => TurnKind::Scoreless,
            (false, _) => TurnKind::Scored,
        }
    }
}

/// The scoreless turns in a row just before a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ScorelessRun {
    /// Their number: passes, exchanges, plays for 0 points and lost turns.
    pub turns: u8,
    /// Where passes of all players end the game: the seats that have passed since the last other
    /// turn, one bit each. A lost turn is no pass, and does not interrupt the passes.
    pub passed: u8,
    /// Whether the next turn is lost by a challenge. A search takes it as a pass, which then counts
    /// as a lost turn.
    pub next_is_lost: bool,
}

impl ScorelessRun {
    /// A number below 2^13 for hash keys, different for different runs.
    #[inline]
    pub fn key(self) -> u64 {
        let lost = u64::from(self.next_is_lost);
        lost << 12 | u64::from(self.passed) << 8 | u64::from(self.turns)
    }
}

/// Whose turn it is, and what the next turns depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TurnState {
    /// The seat to move, from 0.
    pub to_move: usize,
    /// The scoreless turns in a row.
    pub scoreless: ScorelessRun,
    /// By seat: turns still to miss after wrong challenges.
    pub lost_turns: [u8; MAX_PLAYERS],
}

impl TurnState {
    /// Counts the turn that the seat to move has just taken. [`TurnState::advance`] comes next.
    #[inline]
    pub fn count_turn(&mut self, rules: FlowRules, turn: TurnKind) {
        self.scoreless = rules.after_turn(self.scoreless, self.to_move, turn);
    }

    /// Goes on to the next seat. Unless the game is over, seats that have lost a turn are skipped;
    /// a lost turn is scoreless but is not a pass. Skipped turns can end the game too: ask
    /// [`FlowRules::is_scoreless_end`] afterwards.
    #[inline]
    pub fn advance(&mut self, rules: FlowRules, is_over: bool) {
        self.to_move = rules.next_seat(self.to_move);
        while self.lost_turns[self.to_move] > 0
            && !is_over
            && !rules.is_scoreless_end(self.scoreless)
        {
            self.lost_turns[self.to_move] -= 1;
            self.scoreless.turns = self.scoreless.turns.saturating_add(1);
            self.to_move = rules.next_seat(self.to_move);
        }
    }
}

impl ExchangeLimit {
    /// The tiles that the bag must hold for an exchange of `tiles`.
    #[inline]
    pub(crate) fn bag_needed(self, tiles: usize) -> usize {
        match self {
            ExchangeLimit::BagHolds(least) => least.max(tiles),
            ExchangeLimit::BagCovers => tiles,
        }
    }

    /// The most tiles that may be exchanged while the bag holds `bag`; 0 if none may.
    #[inline]
    pub(crate) fn max_tiles(self, bag: usize) -> usize {
        match self {
            ExchangeLimit::BagHolds(least) if bag < least => 0,
            _ => bag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(scoreless_limit: ScorelessLimit, players: usize, going_out: GoingOut) -> FlowRules {
        FlowRules {
            players,
            scoreless_limit: match scoreless_limit {
                ScorelessLimit::Turns(n) => n.into(),
                ScorelessLimit::RoundOfPasses => 6 * players as u16,
            },
            ends_by_passes: scoreless_limit == ScorelessLimit::RoundOfPasses,
            waits_for_first_word: false,
            going_out,
            tie: TieRule::BeforeAdjustment,
        }
    }

    /// A run of scoreless turns; the seats that passed are digits of a binary number, seat 0 last.
    fn run(turns: u8, passed: u8) -> ScorelessRun {
        ScorelessRun {
            turns,
            passed,
            next_is_lost: false,
        }
    }

    /// The game ends after six scoreless turns in a row.
    const SIX: ScorelessLimit = ScorelessLimit::Turns(6);
    /// The game ends when every seat has passed in a row.
    const ROUND: ScorelessLimit = ScorelessLimit::RoundOfPasses;

    #[test]
    fn which_turns_count_as_scoreless_depends_on_the_rule() {
        use TurnKind::*;
        // Rule, turn of seat 1 of three, run before, run after, whether the game is over then.
        for (rule, turn, before, after, is_over) in [
            (SIX, Pass, run(2, 0), run(3, 0), false),
            (SIX, FirstPass, run(5, 0), run(6, 0), true),
            (SIX, Scoreless, run(2, 0), run(3, 0), false),
            (SIX, Scored, run(2, 0), run(0, 0), false),
            (SIX, Pass, run(255, 0), run(255, 0), true),
            (ROUND, Pass, run(1, 0b001), run(2, 0b011), false),
            (ROUND, Pass, run(2, 0b101), run(3, 0b111), true),
            (ROUND, FirstPass, run(2, 0b101), run(3, 0b111), true),
            // Two passes of one seat are no round.
            (ROUND, Pass, run(2, 0b011), run(3, 0b011), false),
            (ROUND, Scoreless, run(2, 0b101), run(3, 0), false),
            (ROUND, Scoreless, run(17, 0), run(18, 0), true),
            (ROUND, Scored, run(17, 0b101), run(0, 0), false),
        ] {
            let rules = rules(rule, 3, GoingOut::Sum);
            let counted = rules.after_turn(before, 1, turn);
            assert_eq!(counted, after, "{rule:?} {turn:?} {before:?}");
            assert_eq!(rules.is_scoreless_end(counted), is_over, "{counted:?}");
        }
        // Passes before the first word do not end the game, but rounds without a score do.
        let waiting = FlowRules {
            waits_for_first_word: true,
            ..rules(ROUND, 3, GoingOut::Sum)
        };
        let mut waited = ScorelessRun::default();
        for turn in 1..=18 {
            waited = waiting.after_turn(waited, turn % 3, FirstPass);
            assert_eq!(waiting.is_scoreless_end(waited), turn == 18);
        }
    }

    #[test]
    fn a_lost_turn_counts_as_scoreless_and_not_as_a_pass() {
        let before = ScorelessRun {
            next_is_lost: true,
            ..run(2, 0b101)
        };
        let rules = rules(ROUND, 3, GoingOut::Sum);
        for pass in [TurnKind::Pass, TurnKind::FirstPass] {
            let counted = rules.after_turn(before, 1, pass);
            assert_eq!(counted, run(3, 0b101));
            assert!(!rules.is_scoreless_end(counted));
        }
        assert_ne!(before.key(), run(2, 0b101).key());
    }

    #[test]
    fn a_position_states_its_scoreless_turns_as_one_number() {
        for (rule, count, expected) in [
            (SIX, 4, run(4, 0)),
            (ROUND, 0, run(0, 0)),
            (ROUND, 1, run(1, 0b001)),
            (ROUND, 2, run(2, 0b101)),
            (ROUND, 3, run(3, 0b111)),
        ] {
            let rules = rules(rule, 3, GoingOut::Sum);
            let stated = rules.stated_run(count, 1);
            assert_eq!(stated, expected, "{rule:?} {count}");
            assert_eq!(rules.stated_count(stated), count);
        }
    }

    #[test]
    fn lost_turns_are_skipped_and_can_end_the_game() {
        // Rule, whether the game is over, (run, lost turns) before,
        // (seat to move, run, lost turns) after.
        let (zero, all) = (run(0, 0), run(2, 0b011));
        for (rule, is_over, before, after) in [
            (SIX, false, (zero, [0, 0, 0, 0]), (1, zero, [0, 0, 0, 0])),
            (
                SIX,
                false,
                (zero, [0, 1, 0, 0]),
                (2, run(1, 0), [0, 0, 0, 0]),
            ),
            (
                SIX,
                false,
                (zero, [1, 2, 1, 0]),
                (2, run(4, 0), [0, 0, 0, 0]),
            ),
            (
                SIX,
                false,
                (run(5, 0), [0, 1, 1, 0]),
                (2, run(6, 0), [0, 0, 1, 0]),
            ),
            (SIX, true, (zero, [0, 1, 0, 0]), (1, zero, [0, 1, 0, 0])),
            (
                ROUND,
                false,
                (all, [0, 1, 0, 0]),
                (2, run(3, 0b011), [0, 0, 0, 0]),
            ),
        ] {
            let rules = rules(rule, 3, GoingOut::Sum);
            let mut state = TurnState {
                to_move: 0,
                scoreless: before.0,
                lost_turns: before.1,
            };
            state.advance(rules, is_over);
            let reached = (state.to_move, state.scoreless, state.lost_turns);
            assert_eq!(reached, after, "{rule:?} {before:?}");
        }
    }

    #[test]
    fn a_target_comes_before_going_out_and_that_before_scoreless_turns() {
        let rules = rules(SIX, 2, GoingOut::Sum);
        assert_eq!(rules.end(Some(1), Some(0), run(6, 0)), Some(End::Target(1)));
        assert_eq!(rules.end(None, Some(0), run(6, 0)), Some(End::Out(0)));
        assert_eq!(rules.end(None, None, run(6, 0)), Some(End::Scoreless));
        assert_eq!(rules.end(None, None, run(5, 0)), None);
    }

    #[test]
    fn the_settlement_follows_the_rule_and_keeps_the_spread_of_two_players() {
        let left = [Points(0), Points(7), Points(4)];
        for (end, going_out, expected) in [
            (End::Out(0), GoingOut::Sum, [11, -7, -4]),
            (End::Out(0), GoingOut::Twice, [22, 0, 0]),
            (End::Scoreless, GoingOut::Sum, [0, -7, -4]),
            (End::Scoreless, GoingOut::Twice, [0, -7, -4]),
            (End::Target(1), GoingOut::Sum, [0, 0, 0]),
            (End::Forfeit(1), GoingOut::Twice, [0, 0, 0]),
        ] {
            let rules = rules(SIX, 3, going_out);
            let settle = |seat: usize| rules.settlement(end, seat, left[seat], Points(11)).0;
            assert_eq!([0, 1, 2].map(settle), expected, "{end:?} {going_out:?}");
            // With two players. A player who goes out, here on seat 0, has no tiles left.
            let (own, opponent) = if end == End::Out(0) { (0, 7) } else { (4, 7) };
            let all = Points(own + opponent);
            let two = |seat, left| rules.settlement(end, seat, Points(left), all).0;
            let spread = two(0, own) - two(1, opponent);
            assert_eq!(settlement_spread(end, 0, own, opponent), spread);
            assert_eq!(settlement_spread(end, 1, opponent, own), -spread);
        }
    }

    #[test]
    fn the_winner_is_ahead_of_all_and_a_tie_follows_the_rule() {
        // Why the game ended, scores after and before the settlement -> winner if a tie goes to
        // the player who led before the settlement, winner if a tie is a draw.
        for (end, after, before, by_lead, by_draw) in [
            (End::Scoreless, [50, 40, 30], [50, 40, 30], Some(0), Some(0)),
            (End::Out(1), [50, 50, 30], [40, 45, 30], Some(1), None),
            (End::Out(1), [50, 50, 30], [45, 45, 30], None, None),
            (End::Out(1), [50, 40, 40], [40, 45, 45], Some(0), Some(0)),
            (End::Target(2), [50, 40, 30], [50, 40, 30], Some(2), Some(2)),
            (
                End::Forfeit(0),
                [50, 40, 30],
                [50, 40, 30],
                Some(1),
                Some(1),
            ),
            (End::Forfeit(0), [50, 40, 40], [50, 40, 39], None, None),
        ] {
            let scores = |seat: usize| (Points(after[seat]), Points(before[seat]));
            let winner = |tie| {
                let rules = FlowRules {
                    tie,
                    ..rules(SIX, 3, GoingOut::Sum)
                };
                rules.winner(end, scores)
            };
            let found = [TieRule::BeforeAdjustment, TieRule::Draw].map(winner);
            assert_eq!(found, [by_lead, by_draw], "{end:?} {after:?}");
        }
    }

    #[test]
    fn the_sign_of_the_doubled_spread_says_who_wins_between_two() {
        for (lead, change) in (-3..=3).flat_map(|lead| (-3..=3).map(move |change| (lead, change))) {
            for tie in [TieRule::BeforeAdjustment, TieRule::Draw] {
                let rules = FlowRules {
                    tie,
                    ..rules(SIX, 2, GoingOut::Sum)
                };
                // Seat 0 has all of the lead and all of the change.
                let scores = |seat: usize| match seat {
                    0 => (Points(lead + change), Points(lead)),
                    _ => (Points::ZERO, Points::ZERO),
                };
                let winner = match (2 * lead + tie.doubled_settlement(change)).signum() {
                    1 => Some(0),
                    0 => None,
                    _ => Some(1),
                };
                assert_eq!(
                    rules.winner(End::Scoreless, scores),
                    winner,
                    "{lead} {change}"
                );
            }
        }
    }

    #[test]
    fn an_exchange_needs_enough_tiles_in_the_bag() {
        let (holds, covers) = (ExchangeLimit::BagHolds(7), ExchangeLimit::BagCovers);
        for (limit, bag, most) in [
            (holds, 6, 0),
            (holds, 7, 7),
            (covers, 6, 6),
            (covers, 0, 0),
            (ExchangeLimit::BagHolds(0), 2, 2),
        ] {
            assert_eq!(limit.max_tiles(bag), most, "{limit:?} {bag}");
            for tiles in 1..=9 {
                let allowed = limit.bag_needed(tiles) <= bag;
                assert_eq!(allowed, tiles <= most, "{limit:?} {bag} {tiles}");
            }
        }
    }
}
