//! The plain twin of a rollout: no kept boards, no shared replies, no word map.

use super::Book;
use cazique::eval::{EvalContext, Evaluator, PlayerStanding, Standing, WinEstimator, WinModel};
use cazique::movegen::{Generator, Words};
use cazique::rules::{Deal, Position, Turn};
use cazique::search::ranking::Candidate;
use cazique::seed::Seed;
use cazique::units::{Equity, Points, WinProb};

/// One rollout without kept boards, shared replies or other optimisations: the plain twin.
pub(super) fn plain_rollout(
    position: &Position,
    book: &Book,
    candidate: &Candidate,
    plies: usize,
    world: Seed,
) -> (WinProb, Equity) {
    let rules = position.rules();
    let mut deal = Deal::sample(position, world);
    let mut grid = position.grid().clone();
    let mut kept = [Equity::ZERO; 4];
    let words = Words::new(book.graph, None);
    for ply in 0..=plies {
        if deal.end().is_some() {
            break;
        }
        let seat = deal.to_move();
        let context = EvalContext::in_deal(&deal, grid.is_empty(), rules);
        let (turn, points, equity) = if ply == 0 {
            let worth = candidate.worth;
            (candidate.turn, worth.points, worth.total())
        } else {
            let mut generator = Generator::new(rules, words, &grid);
            let best = Evaluator::new(rules, Some(&book.leaves)).best(&mut generator, &context);
            (best.turn, best.points, best.equity)
        };
        kept[seat] = match context.bag {
            0 => Equity::ZERO,
            _ => equity - Equity::from(points),
        };
        if let Turn::Place(placement) = &turn {
            for (square, face) in placement.placed_tiles(grid.side()) {
                grid.set(square, Some(face));
            }
        }
        deal.play(&turn, points, rules);
    }
    plain_value(position, book, &deal, kept)
}

/// The win probability and the gain at the end of a plain rollout. `kept` has the leave values.
fn plain_value(
    position: &Position,
    book: &Book,
    deal: &Deal,
    kept: [Equity; 4],
) -> (WinProb, Equity) {
    let (rules, me) = (position.rules(), position.to_move());
    let others = || position.turn_order().filter(|&seat| seat != me);
    let ahead = |scores: &dyn Fn(usize) -> Points, other| Equity::from(scores(me) - scores(other));
    let before = others().map(|other| ahead(&|seat| position.score(seat), other));
    let before = before.min().unwrap();
    if let Some(outcome) = deal.outcome(rules) {
        let after = others().map(|other| ahead(&|seat| outcome.scores[seat], other));
        let winners: Vec<usize> = outcome.winners(rules).collect();
        let win = match winners.contains(&me) {
            true => WinProb::from_parts(WinProb::SCALE / winners.len() as u16),
            false => WinProb::LOST,
        };
        return (win, after.min().unwrap() - before);
    }
    let lead = |a: usize, b: usize| Equity::from(deal.score(a) - deal.score(b)) + kept[a] - kept[b];
    let players = position.player_count();
    let rack = |seat: usize| deal.rack(seat).len();
    let model = WinModel::Table(&book.table);
    let win = match players {
        2 => {
            let (mover, other) = (deal.to_move(), 1 - deal.to_move());
            let win = model.win_prob(lead(mover, other), deal.bag_len(), rack(mover), rack(other));
            if mover == me { win } else { win.complement() }
        }
        _ => {
            let by_turn = (0..players).map(|after| (deal.to_move() + after) % players);
            let standing = by_turn.map(|seat| PlayerStanding {
                score: deal.score(seat),
                leave: kept[seat],
                tiles: rack(seat),
                points_to_win: None,
            });
            let turns_until_me = (me + players - deal.to_move()) % players;
            WinEstimator::new(model, rules, players)
                .win_prob(&Standing::new(standing, deal.bag_len()), turns_until_me)
        }
    };
    let gain = others().map(|other| lead(me, other)).min().unwrap() - before;
    (win, gain)
}
