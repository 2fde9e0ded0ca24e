//! The race to a target score: how many turns a player needs for a number of points, and who is
//! there first. In the last turn a player takes the play with the most points, before it the best.

use super::{GainModel, PlayerStanding, Standing};
use crate::rules::MAX_PLAYERS;
use std::sync::OnceLock;

/// How often a turn of a static player scores 0 to 4, 5 to 9, 10 to 14 points and so on, in
/// thousandths: turns 3 to 8 of each player in 6,000 static games on the board of 15x15 with racks of
/// seven tiles (`calibrate count`). Their mean is 41.3 points.
const TURN_POINTS: [u32; 32] = [
    7, 8, 34, 64, 122, 132, 146, 109, 65, 46, 29, 14, 26, 31, 45, 37, 33, 22, 12, 7, 3, 1, 1, 0, 1,
    0, 1, 0, 1, 0, 1, 1,
];
/// The same of the plays with the most points on these boards. With such a play a player reaches the
/// target, whatever it leaves on the rack. Their mean is 44.0 points.
const MOST_POINTS: [u32; 32] = [
    0, 0, 3, 21, 88, 140, 179, 144, 86, 58, 35, 18, 28, 32, 47, 38, 33, 22, 12, 7, 3, 1, 1, 0, 1,
    0, 1, 0, 1, 0, 0, 1,
];
/// The width of a class of [`TURN_POINTS`] and [`MOST_POINTS`], in points.
const CLASS_POINTS: usize = 5;
/// What one turn is worth to two players in these games, in points: their win table says so.
const TURN_WORTH_POINTS: f64 = 20.5;
/// The tiles that a player uses in a turn. Measured in the same games, exchanges and passes included.
const TILES_PER_TURN: f64 = 4.6;
/// The largest number of points in the table of turns needed; a player who needs more is taken as if
/// this many were enough. Chosen by hand, far above the targets of the books.
const MAX_POINTS: usize = 500;
/// The largest number of turns in the table. Chosen by hand: nobody needs more for
/// [`MAX_POINTS`] but once in 10,000 games.
const MAX_TURNS: usize = 30;

/// By number of turns and points: the chance that the points are not reached in these turns.
type FewerPoints = Vec<[f64; MAX_POINTS + 1]>;

/// A race between players who score like static players.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnRace {
    /// By how much turns score more than those of [`TURN_POINTS`]: other boards and racks.
    scale: f64,
}

impl TurnRace {
    /// For rules under which two players gain as `gains` says. What a turn is worth to them grows with
    /// the points that it scores: 53 instead of 41 points on the board of 21x21, worth 25 instead of
    /// 20.5.
    pub fn new(gains: GainModel) -> TurnRace {
        TurnRace {
            scale: (gains.turn / TURN_WORTH_POINTS).clamp(0.25, 4.0),
        }
    }

    /// The chance that the player `me` turns after the player to move is the first at the target, and
    /// the chance that the tiles run out before anybody is there.
    pub fn chances(&self, standing: &Standing, me: usize) -> (f64, f64) {
        let players = standing.players();
        let turns = standing.tiles_left() as f64 / TILES_PER_TURN / players.len() as f64;
        let turns = (turns.round() as usize).clamp(1, MAX_TURNS);
        let fewer = fewer_points();
        let needed = |player: &PlayerStanding| {
            let points = player
                .points_to_win
                .map_or(f64::MAX, |points| points.0.into());
            // A leave is worth what it adds to the turns to come.
            let leave = player.leave_points();
            let points = ((points - leave) / self.scale).clamp(1.0, MAX_POINTS as f64);
            points.round() as usize
        };
        let mut points = [0; MAX_PLAYERS];
        for (own, player) in points.iter_mut().zip(players) {
            *own = needed(player);
        }
        let points = &points[..players.len()];
        let mut first = 0.0;
        for turn in 1..=turns {
            let reaches = fewer[turn - 1][points[me]] - fewer[turn][points[me]];
            // Those who move earlier have had this turn too, the others have not.
            let others = points.iter().enumerate().filter(|(other, _)| *other != me);
            let later = others.map(|(other, &points)| match other < me {
                true => fewer[turn][points],
                false => fewer[turn - 1][points],
            });
            first += reaches * later.product::<f64>();
        }
        let nobody: f64 = points.iter().map(|&points| fewer[turns][points]).product();
        (first, nobody)
    }
}

/// The table, computed once.
fn fewer_points() -> &'static FewerPoints {
    /// Computed once.
    static TABLE: OnceLock<FewerPoints> = OnceLock::new();
    TABLE.get_or_init(|| {
        // Before the first turn no points are reached.
        let mut table = vec![[1.0; MAX_POINTS + 1]];
        table[0][0] = 0.0;
        // The distribution of the points of all turns but the last.
        let mut sums = vec![0.0; MAX_POINTS + 1];
        sums[0] = 1.0;
        for _ in 0..MAX_TURNS {
            let with_last = convolved(&sums, &MOST_POINTS);
            let mut fewer = [0.0; MAX_POINTS + 1];
            for points in 1..=MAX_POINTS {
                fewer[points] = fewer[points - 1] + with_last[points - 1];
            }
            table.push(fewer);
            sums = convolved(&sums, &TURN_POINTS);
        }
        table
    })
}

/// The distribution of points up to [`MAX_POINTS`] after one more turn, whose points have these
/// classes. The points of a class are equally likely.
fn convolved(sums: &[f64], classes: &[u32]) -> Vec<f64> {
    let all = f64::from(classes.iter().sum::<u32>()) * CLASS_POINTS as f64;
    let mut next = vec![0.0; sums.len()];
    for (before, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0) {
        let scored = before..(before + classes.len() * CLASS_POINTS).min(sums.len());
        for (points, next) in scored.clone().zip(&mut next[scored]) {
            let class = classes[(points - before) / CLASS_POINTS];
            *next += sum * f64::from(class) / all;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turns_needed_have_the_mean_of_the_points() {
        let fewer = fewer_points();
        // The expected number of turns is the sum, over all numbers of turns, of the chance that the
        // points are not reached in them.
        let turns = |points: usize| fewer.iter().map(|turn| turn[points]).sum::<f64>();
        assert!((turns(1) - 1.0).abs() < 0.01);
        // By Wald's equation the points at the end are 41.3 times the turns and 2.7 for the last, and
        // they exceed the target by half a turn or so.
        for points in [70, 120, 200] {
            let scored = turns(points) * 41.3 + 2.7;
            let overshoot = scored - points as f64;
            assert!((15.0..35.0).contains(&overshoot), "{points}: {overshoot}");
        }
    }
}
